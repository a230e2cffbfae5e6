//! Everything the page knows, and the one place where it changes.
//!
//! Nothing here knows a browser: [`State::apply`] takes an [`Action`]. Components
//! read the fields as they are; methods give what follows from them. What an action
//! does is with its feature.

use super::{Action, Slice};
use crate::features::embed::Embedding;
use crate::features::encoding::EncodingState;
use crate::features::files::ListedFile;
use crate::features::machine::MachineState;
use crate::features::notice::Notices;
use crate::features::outcomes::Outcomes;
use crate::features::picker::Picker;
use crate::features::player::Player;
use crate::features::program::{Draft, EditorMode, Heading, Origin, Source};
use crate::features::screen::{Screen, Theme};
use crate::features::share::Share;
use crate::features::stage::matrix::MatrixLook;
use crate::features::transport::{Speed, Stepping, Stride};
use lanewise_core::isa::Family;
use lanewise_core::library::BUNDLED;
use lanewise_core::session::Session;
use lanewise_saved::{Formats, Position};
use std::rc::Rc;

/// What a visit starts with: what the browser kept of earlier ones, as far as
/// this version understands it. [`State::new`] makes the state of it;
/// `lanewise_saved` has the records as they are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saved {
    /// The program; none on a first visit.
    pub(crate) text: Option<String>,
    /// The id of what it started from.
    pub(crate) scenario: Option<String>,
    /// Texts put aside, the last first.
    pub(crate) drafts: Vec<Draft>,
    /// Whether the text was put aside because the page stopped over it.
    pub(crate) gave_up: bool,
    /// Where things are on the screen.
    pub(crate) screen: Screen,
    /// The state tab that was open, by its key.
    pub(crate) tab: String,
    /// How fast runs step.
    pub(crate) speed: Option<Speed>,
    pub(crate) theme: Theme,
    /// How the State pane shows values, where a reader chose.
    pub(crate) formats: Option<Formats>,
    /// Whether keys without a modifier are shortcuts.
    pub(crate) single_keys: bool,
    /// Whether plain text is wanted for the program.
    pub(crate) plain: bool,
    /// Whether long lines of the program are wrapped, where a reader chose.
    pub(crate) wrap: Option<bool>,
    /// The lines that had breakpoints, from 1.
    pub(crate) breakpoints: Vec<u32>,
    /// Where in the run of the text the reader was.
    pub(crate) position: Position,
    /// The link in the address, if this tab was reloaded and the text is its own.
    pub(crate) reloaded_link: Option<Rc<str>>,
}

/// Everything the page knows, as one value: an action makes the next one of it.
/// What is large is in slices, which both share unless the action changes them.
#[derive(Clone, PartialEq)]
pub(crate) struct State {
    /// The program as it is being edited.
    pub(crate) source: Slice<Source>,
    /// The run of the last text without errors.
    pub(crate) session: Slice<Session>,
    pub(crate) stepping: Stepping,
    /// How the state of the machine is looked at.
    pub(crate) machine: Slice<MachineState>,
    pub(crate) encoding: Slice<EncodingState>,
    /// What is looked at in the picture of a matrix instruction.
    pub(crate) look: MatrixLook,
    pub(crate) outcomes: Slice<Outcomes>,
    /// The list of scenarios.
    pub(crate) picker: Slice<Picker>,
    /// Where things are on the screen.
    pub(crate) screen: Screen,
    pub(crate) theme: Theme,
    pub(crate) single_keys: bool,
    pub(crate) notices: Slice<Notices>,
    pub(crate) share: Slice<Share>,
    /// What was chosen in the dialog "Embed".
    pub(crate) embedding: Slice<Embedding>,
    /// The last file whose functions were listed.
    pub(crate) listed_file: Option<ListedFile>,
    /// The player, where the page is one inside another.
    pub(crate) player: Option<Slice<Player>>,
    /// Why the visit did not start with the program that was kept.
    pub(crate) start_error: Option<&'static str>,
}

impl State {
    /// The page at the start of a visit.
    pub(crate) fn new(saved: Saved) -> Self {
        let first = &BUNDLED[0];
        let kept = saved.scenario.filter(|_| saved.text.is_some());
        let origin = kept.map_or(Origin::Bundled(first), |id| Origin::of_id(&id));
        let source = Source::new(
            origin.clone(),
            saved.drafts,
            EditorMode::new(saved.plain, saved.wrap),
        );
        let mut state = Self {
            session: Slice::new(Session::new(Rc::clone(&source.document.program))),
            source: Slice::new(source),
            stepping: Stepping {
                running: false,
                speed: saved.speed.unwrap_or(Speed::Normal),
                stride: Stride::Access,
            },
            machine: Slice::default(),
            encoding: Slice::default(),
            look: MatrixLook::default(),
            outcomes: Slice::default(),
            picker: Slice::default(),
            screen: saved.screen,
            theme: saved.theme,
            single_keys: saved.single_keys,
            notices: Slice::default(),
            share: Slice::default(),
            embedding: Slice::default(),
            listed_file: None,
            player: None,
            start_error: None,
        };
        state.load(origin, saved.text.as_deref().unwrap_or(first.text));
        if saved.gave_up {
            // It is over with the first text or step.
            state.start_error = Some(
                "Your last text stopped the page twice, so this is the first scenario. \
                 Your text is kept: see Restore my edits.",
            );
        }
        if saved.text.is_some() {
            if let Some(link) = &saved.reloaded_link {
                state.restore_link(link);
                // What was chosen since counts more.
                state.screen = saved.screen;
            }
            state.restore_position(&saved.position);
        }
        if let Some(formats) = &saved.formats {
            state.machine.restore_formats(formats);
        }
        // As it was left, where this program has such a tab.
        state.open_tab(&saved.tab);
        if saved.text.is_some() {
            state.restore_breakpoints(&saved.breakpoints);
        }
        state.update_derived();
        state
    }

    /// Takes an action that was done at a time, in milliseconds since 1970.
    /// Nothing else changes the state.
    pub(crate) fn apply(&mut self, action: Action, now: f64) {
        match action {
            Action::Program(action) => self.apply_program(action, now),
            Action::Editor(action) => self.apply_editor(action),
            Action::Breakpoint(action) => self.apply_breakpoint(action),
            Action::Transport(action) => self.apply_transport(action),
            Action::Machine(action) => self.apply_machine(action),
            Action::Encoding(action) => self.apply_encoding(action),
            Action::Matrix(action) => self.apply_matrix(action),
            Action::Outcomes(action) => self.apply_outcomes(action),
            Action::Picker(action) => self.apply_picker(action),
            Action::Screen(action) => self.screen.apply(action),
            Action::Share(action) => self.apply_share(action, now),
            Action::Embed(action) => self.apply_embed(action),
            Action::Files(action) => self.apply_files(action, now),
            Action::Quiz(action) => self.apply_quiz(action),
            Action::DismissNotice => self.dismiss_notice(),
            Action::Theme(theme) => self.theme = theme,
            Action::SingleKeys(on) => self.single_keys = on,
        }
        self.update_derived();
    }

    /// What is searched for in the program and its run, and kept, follows them.
    pub(crate) fn update_derived(&mut self) {
        self.update_outcomes();
        self.find_writes();
    }

    /// Takes an action at a time that does not matter.
    #[cfg(test)]
    pub(crate) fn act(&mut self, action: Action) {
        self.apply(action, 0.0);
    }

    /// The text as it is being edited.
    pub(crate) fn text(&self) -> Rc<str> {
        Rc::clone(&self.source.document.text)
    }

    /// Whether the text differs from the one that it started from.
    pub(crate) fn is_edited(&self) -> bool {
        self.source.original.text != self.source.document.text
    }

    /// Title and notes of the text, and whether they still hold.
    pub(crate) fn heading(&self) -> Heading {
        let program = &self.source.document.program;
        Heading {
            title: program.title.clone(),
            notes: program.notes.clone(),
            is_outdated: self.source.is_heading_outdated,
        }
    }

    /// Which machines the program is for.
    pub(crate) fn family(&self) -> Family {
        self.session.program().symbols.target.family()
    }

    /// Whether the text has no errors, so that it can be run.
    pub(crate) fn can_run(&self) -> bool {
        self.source.can_run()
    }
}
