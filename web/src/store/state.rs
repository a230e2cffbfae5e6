//! Page state and its only mutation point.
//!
//! Independent of the browser: [`State::apply`] takes an [`Action`]. Components
//! read the fields directly; methods compute derived values. Each feature
//! implements its own actions.

use super::{Action, Slice};
use crate::features::checks::Checks;
use crate::features::embed::Embedding;
use crate::features::encoding::EncodingState;
use crate::features::files::Files;
use crate::features::launch::{LaunchDialogState, Sought};
use crate::features::notice::{NoticeKind, Notices};
use crate::features::outcomes::Outcomes;
use crate::features::picker::Picker;
use crate::features::player::Player;
use crate::features::program::{Draft, EditorMode, Origin, Source};
use crate::features::screen::{DialogKind, Screen, Theme};
use crate::features::share::Share;
use crate::features::state::StateView;
use crate::features::transport::{Speed, StepSize, Stepping};
use lanewise_answer::matrix::MatrixViewOptions;
use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::FamilyFacts;
use lanewise_core::library::BUNDLED;
use lanewise_core::session::{LaunchRun, PrintfWriters, Session};
use lanewise_saved::{Position, Settings};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Data restored from earlier visits, as far as this version understands it.
/// [`State::new`] builds the state from it; `lanewise_saved` defines the stored
/// records.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saved {
    /// Program; `None` on a first visit.
    pub(crate) text: Option<String>,
    /// Id of the scenario the program started from.
    pub(crate) scenario: Option<String>,
    /// Earlier drafts, newest first.
    pub(crate) drafts: Vec<Draft>,
    /// Whether the settings were of another version of the records.
    pub(crate) is_other_version: bool,
    /// Whether the text was set aside because it crashed the page.
    pub(crate) set_aside_after_crash: bool,
    pub(crate) theme: Theme,
    pub(crate) settings: Settings,
    /// Position in the run of the text.
    pub(crate) position: Position,
    /// Link in the address, if this tab was reloaded and the text belongs to
    /// the link.
    pub(crate) reloaded_link: Option<Rc<str>>,
}

/// Complete page state. Large parts are slices, shared between successive
/// states unless an action changes them.
#[derive(Clone, PartialEq)]
pub(crate) struct State {
    /// Program being edited.
    pub(crate) source: Slice<Source>,
    /// Run of the last valid program.
    pub(crate) session: Slice<Session>,
    pub(crate) stepping: Stepping,
    pub(crate) state_view: Slice<StateView>,
    pub(crate) encoding: Slice<EncodingState>,
    pub(crate) matrix_view: MatrixViewOptions,
    pub(crate) outcomes: Slice<Outcomes>,
    pub(crate) picker: Slice<Picker>,
    pub(crate) screen: Screen,
    pub(crate) theme: Theme,
    pub(crate) single_keys: bool,
    pub(crate) notices: Slice<Notices>,
    pub(crate) share: Slice<Share>,
    pub(crate) embedding: Slice<Embedding>,
    /// Files being read, and the last one whose functions were listed.
    pub(crate) files: Slice<Files>,
    /// Launch being edited in the Launch dialog.
    pub(crate) launch: Option<Slice<LaunchDialogState>>,
    /// Work-groups before the one in the timeline, while they run.
    pub(crate) earlier_groups: Option<Slice<LaunchRun>>,
    /// The work-group that this run looks for, if any.
    pub(crate) sought: Option<Slice<Sought>>,
    /// State after these work-groups have ended. The run resumes from it when a later
    /// work-group is shown.
    pub(crate) finished_groups: Option<Slice<LaunchRun>>,
    /// Warnings about these work-groups once they have run, by instruction.
    pub(crate) earlier_warnings: Slice<BTreeMap<u32, Diagnostic>>,
    /// The work-items of these work-groups that called printf.
    pub(crate) earlier_printed: Slice<PrintfWriters>,
    /// Variables that the table of work-items shows, as written.
    pub(crate) item_columns: Rc<str>,
    pub(crate) checks: Slice<Checks>,
    /// Player, when embedded in another page.
    pub(crate) player: Option<Slice<Player>>,
    /// Why the visit did not start with the saved program.
    pub(crate) start_error: Option<&'static str>,
}

impl State {
    /// Initial state of a visit.
    pub(crate) fn new(saved: Saved) -> Self {
        let first = &BUNDLED[0];
        let settings = saved.settings;
        let screen = Screen::restored(&settings);
        let kept = saved.scenario.filter(|_| saved.text.is_some());
        let origin = kept.map_or(Origin::Bundled(first), |id| Origin::of_id(&id));
        let source = Source::new(
            origin.clone(),
            saved.drafts,
            EditorMode::new(settings.plain, settings.wrap),
        );
        let mut state = Self {
            session: Slice::new(Session::new(Rc::clone(&source.document.program))),
            source: Slice::new(source),
            stepping: Stepping {
                thread: None,
                running: false,
                goal: None,
                speed: Speed::of_key(&settings.speed).unwrap_or(Speed::Normal),
                step_size: StepSize::Access,
                chosen_step_sizes: [None, StepSize::of_key(&settings.kernel_stride)],
                channel: None,
            },
            state_view: Slice::default(),
            encoding: Slice::default(),
            matrix_view: MatrixViewOptions::default(),
            outcomes: Slice::default(),
            picker: Slice::default(),
            screen,
            theme: saved.theme,
            single_keys: settings.single_keys,
            notices: Slice::default(),
            share: Slice::default(),
            embedding: Slice::default(),
            files: Slice::default(),
            launch: None,
            earlier_groups: None,
            sought: None,
            finished_groups: None,
            earlier_warnings: Slice::default(),
            earlier_printed: Slice::default(),
            item_columns: Rc::from(""),
            checks: Slice::new(Checks::restored(settings.checks.as_deref())),
            player: None,
            start_error: None,
        };
        state.load(origin, saved.text.as_deref().unwrap_or(first.text));
        if saved.set_aside_after_crash {
            // Cleared by the first edit or step.
            state.start_error = Some(
                "Your last program crashed the page twice, so the first scenario was opened instead. Use Restore draft to get your program back.",
            );
        }
        if saved.is_other_version {
            state.notify(
                NoticeKind::Info,
                "Settings saved by another version of Lanewise were reset.",
            );
        }
        if saved.text.is_some() {
            if let Some(link) = &saved.reloaded_link {
                state.restore_link(link);
                // Later choices take precedence.
                state.screen = screen;
            }
            state.restore_position(&saved.position);
        }
        if let Some(formats) = &settings.formats {
            state.state_view.restore_formats(formats);
        }
        // Restored only if this program has such a tab.
        state.open_tab(&settings.tab);
        if saved.text.is_some() {
            state.restore_breakpoints(&settings.breakpoints);
        }
        state.update_derived();
        state
    }

    /// Applies an action at a time given in milliseconds since 1970. The only
    /// way to change the state.
    pub(crate) fn apply(&mut self, action: Action, now: f64) {
        match action {
            Action::Program(action) => self.apply_program(action, now),
            Action::Editor(action) => self.apply_editor(action),
            Action::Breakpoint(action) => self.apply_breakpoint(action),
            Action::Transport(action) => self.apply_transport(action),
            Action::StatePane(action) => self.apply_state_pane(action),
            Action::Encoding(action) => self.apply_encoding(action),
            Action::Matrix(action) => self.apply_matrix(action),
            Action::Outcomes(action) => self.apply_outcomes(action),
            Action::Picker(action) => self.apply_picker(action),
            Action::Screen(action) => self.screen.apply(action),
            Action::Share(action) => self.apply_share(action, now),
            Action::Embed(action) => self.apply_embed(action),
            Action::Files(action) => self.apply_files(action, now),
            Action::Items(action) => self.apply_items(action),
            Action::Launch(action) => self.apply_launch(action, now),
            Action::Checks(action) => self.apply_checks(action),
            Action::Served(action) => self.apply_served(action, now),
            Action::DismissNotice => self.dismiss_notice(),
            Action::Theme(theme) => self.theme = theme,
            Action::SingleKeys(on) => self.single_keys = on,
        }
        // The form exists while its dialog is open.
        self.launch
            .take_if(|_| self.screen.dialog != Some(DialogKind::Launch));
        self.update_derived();
    }

    /// Updates search results and saved data derived from the program and its
    /// run.
    pub(crate) fn update_derived(&mut self) {
        self.update_outcomes();
        self.find_writes();
        self.update_checks();
    }

    /// Applies an action whose time does not matter.
    #[cfg(test)]
    pub(crate) fn act(&mut self, action: impl Into<Action>) {
        self.apply(action.into(), 0.0);
    }

    /// Applies an action, and lets the run that it starts end.
    #[cfg(test)]
    pub(crate) fn run(&mut self, action: impl Into<Action>) {
        self.act(action);
        self.end_run();
    }

    #[cfg(test)]
    pub(crate) fn end_run(&mut self) {
        while self.stepping.running {
            self.act(crate::features::transport::TransportAction::Tick { slices: 1 });
        }
    }

    /// Work-group in the timeline.
    #[cfg(test)]
    pub(crate) fn group(&self) -> u32 {
        let launch = self.session.program().launch.as_ref();
        launch.expect("the program is a launch").group
    }

    #[cfg(test)]
    pub(crate) fn of_text(text: &str) -> Self {
        Self::new(Saved {
            text: Some(String::from(text)),
            ..Saved::default()
        })
    }

    /// State with a bundled scenario.
    #[cfg(test)]
    pub(crate) fn of_scenario(id: &str) -> Self {
        Self::of_text(lanewise_core::library::named(id).unwrap().text)
    }

    /// Text being edited.
    pub(crate) fn text(&self) -> Rc<str> {
        Rc::clone(&self.source.document.text)
    }

    /// Whether the text differs from the scenario it started from.
    pub(crate) fn is_changed(&self) -> bool {
        self.source.original.text != self.source.document.text
    }

    /// Facts of the instruction family of the program.
    pub(crate) fn facts(&self) -> &'static FamilyFacts {
        self.session.program().symbols.target.facts()
    }

    /// Whether the text has no errors.
    pub(crate) fn can_run(&self) -> bool {
        self.source.can_run()
    }
}
