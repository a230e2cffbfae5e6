//! Everything the page knows, and the one place where it changes.
//!
//! Nothing here knows a browser: [`State::apply`] takes an [`Action`], the
//! accessors give what the components show.

mod action;
mod breakpoints;
pub(crate) mod cells;
mod editor;
mod embed;
pub(crate) mod encoding;
pub(crate) mod execution;
pub(crate) mod explain;
mod format;
pub(crate) mod formats;
pub(crate) mod inspect;
pub(crate) mod lanes;
pub(crate) mod memory;
pub(crate) mod origin;
mod outcomes;
#[cfg(test)]
mod quiz_tests;
pub(crate) mod registers;
mod reshape;
mod saved;
mod settings;
pub(crate) mod share;
pub(crate) mod state_area;
pub(crate) mod supply;
#[cfg(test)]
mod tests;
mod text;
pub(crate) mod warp;

pub(crate) use action::{Action, MemoryAction};
pub(crate) use encoding::EncodingAction;
use origin::{is_bundled, origin};
pub(crate) use saved::Saved;
pub(crate) use settings::{RegisterFormat, Speed, Stride, Tab, Theme};
use share::Share;
pub(crate) use text::{Aside, Caret, draft_title};

use crate::features::embed::Player;
use crate::features::files::Files;
use crate::features::highlight::Highlight;
use crate::features::outcomes::Outcomes;
use crate::features::picker::{Picker, PickerAction};
use crate::features::program::{Breakpoints, Document, EditorMode, Heading, LineIndex, Problem};
use crate::features::screen::Screen;
use crate::features::stage::matrix::Look;
use encoding::EncodingView;
use inspect::Inspect;
use lanewise_core::isa::Family;
use lanewise_core::library::{BUNDLED, Bundled};
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use memory::{MemoryView, Region};
use registers::{Layout, RegistersView};
use std::cell::OnceCell;
use std::rc::Rc;

/// Everything the page knows.
pub(crate) struct State {
    text: Rc<str>,
    /// The bundled scenario that the text started from.
    scenario: &'static Bundled,
    /// The text of that one.
    original: Rc<str>,
    /// What went wrong outside the program.
    trouble: Option<&'static str>,
    /// What rewriting the text in one spelling did, until it is edited.
    formatted: Option<String>,
    /// Texts that others took the place of, the last first.
    asides: Rc<[Aside]>,
    /// What the clock says, in milliseconds since 1970.
    now: f64,
    title: Option<Rc<str>>,
    notes: Rc<[String]>,
    /// Whether title and notes are the scenario's, and the program is not.
    is_heading_outdated: bool,
    problems: Rc<[Problem]>,
    errors: usize,
    caret: Option<Caret>,
    /// What the text says, be it with errors.
    written: Rc<Program>,
    /// Where its lines are.
    lines: Rc<LineIndex>,
    /// The run of the last text without errors.
    session: Session,
    layout: OnceCell<Layout>,
    running: bool,
    speed: Speed,
    tab: Tab,
    register_format: RegisterFormat,
    register_view: RegistersView,
    /// How far a step goes.
    stride: Stride,
    /// The cell that is looked at, and those that are watched.
    inspect: Inspect,
    /// What is mapped, by memory pane.
    regions: [Rc<[Region]>; 3],
    memories: [MemoryView; 3],
    encoding: EncodingView,
    /// What is looked at in the picture of a matrix instruction.
    look: Look,
    /// The list of scenarios.
    picker: Picker,
    /// Where things are on the screen.
    screen: Screen,
    outcomes: Outcomes,
    theme: Theme,
    single_keys: bool,
    editor: EditorMode,
    breakpoints: Breakpoints,
    share: Share,
    pub(crate) files: Files,
    /// Whether the page is a player inside another.
    embedded: bool,
    player: Option<Player>,
    /// What the pointer or the focus is on.
    highlight: Option<Highlight>,
}

impl State {
    /// The page at the start of a visit.
    pub(crate) fn new(saved: Saved) -> Self {
        let first = &BUNDLED[0];
        let scenario = saved.scenario.and_then(|id| origin(&id)).unwrap_or(first);
        let empty = Rc::new(Program::parse(""));
        let mut state = Self {
            text: Rc::from(""),
            scenario,
            original: Rc::from(""),
            trouble: None,
            formatted: None,
            asides: saved.asides.into(),
            now: 0.0,
            title: None,
            notes: Rc::from([]),
            is_heading_outdated: false,
            problems: Rc::from([]),
            errors: 0,
            caret: None,
            layout: OnceCell::new(),
            session: Session::new(Rc::clone(&empty)),
            written: empty,
            lines: Rc::new(LineIndex::new(Rc::from(""))),
            running: false,
            speed: saved.speed.unwrap_or(Speed::Normal),
            tab: Tab::Registers,
            register_format: RegisterFormat::Declared,
            register_view: RegistersView::NEW,
            stride: Stride::Effect,
            inspect: Inspect::default(),
            regions: std::array::from_fn(|_| Rc::from([])),
            memories: [const { MemoryView::NEW }; 3],
            encoding: EncodingView::default(),
            look: Look::default(),
            picker: Picker::default(),
            screen: saved.screen,
            outcomes: Outcomes::default(),
            theme: saved.theme,
            single_keys: saved.single_keys,
            editor: EditorMode::new(saved.plain),
            breakpoints: Breakpoints::default(),
            share: Share::default(),
            files: Files::default(),
            embedded: saved.embedded,
            player: None,
            highlight: None,
        };
        if saved.text.is_none() {
            state.scenario = first;
        }
        if saved.gave_up {
            state.trouble = Some(
                "Your last text stopped the page twice, so this is the first scenario. \
                 Your text is kept: see Restore my edits.",
            );
        }
        state.original = Rc::from(state.scenario.text);
        if let Some(formats) = saved.formats.as_deref() {
            state.take_formats(formats);
        }
        state.load(saved.text.as_deref().unwrap_or(first.text));
        if !is_bundled(state.scenario) {
            state.original = state.text();
        }
        // As it was left, where this program has such a tab.
        if let Some(tab) = saved.tab.filter(|tab| state.tabs().contains(tab)) {
            state.tab = tab;
        }
        if saved.text.is_some()
            && let Some(saved) = saved.breakpoints
        {
            state.breakpoints = Breakpoints::restore(&saved, state.lines.line_count());
        }
        state.follow_outcomes();
        state
    }

    /// Takes an action. Nothing else changes the state.
    pub(crate) fn apply(&mut self, action: Action) {
        if action.moves() {
            self.running = false;
            self.breakpoints.leave();
        }
        if matches!(action, Action::Edit(_) | Action::Choose(_)) {
            self.highlight = None;
        }
        if action.moves() || matches!(action, Action::Edit(_) | Action::Choose(_)) {
            self.trouble = None;
        }
        match action {
            Action::Edit(text) => self.edit(&text),
            Action::Choose(id) => {
                self.picker.apply(PickerAction::Close, &id);
                self.choose(&id);
            }
            Action::Picker(action) => {
                let current = self.scenario.id;
                self.picker.apply(action, current);
            }
            Action::ResetText => self.reset_text(),
            Action::BringBack(index) => self.bring_back(index),
            Action::OtherWindow => self.tell(
                false,
                String::from("Another window of Lanewise is open, and saved its program. This window keeps its own."),
            ),
            Action::KeepForeign(text) => self.keep_foreign(text),
            Action::Fix(problem) => self.fix(problem),
            Action::GoTo(problem) => self.go_to(problem),
            Action::Step => self.step(),
            Action::StepBack => self.step_back(),
            Action::ToStart => self.seek(0),
            Action::ToEnd => self.seek_end(),
            Action::Seek(position) => self.seek(position),
            Action::Reset => self.reset(),
            Action::ToggleRun => self.toggle_run(),
            Action::Tick => self.tick(),
            Action::Speed(speed) => self.speed = speed,
            Action::Tab(tab) => self.tab = tab,
            Action::RegisterFormat(format) => {
                self.register_format = format;
                self.fit_registers();
            }
            Action::Stride(stride) => self.set_stride(stride),
            Action::Instruction(next) => self.go_to_instruction(next),
            Action::Registers(first, count, width) => {
                self.scrolled_registers(first, count, width);
            }
            Action::WarpColumns(first, count) => self.scrolled_warp(first, count),
            Action::Inspect(action) => self.apply_inspect(action),
            Action::Memory(tab, action) => self.change_memory(tab, action),
            Action::Encoding(action) => self.change_encoding(action),
            Action::Format(style, caret) => self.format(style, caret),
            Action::Matrix(action) => self.apply_matrix(action),
            Action::Screen(action) => self.screen.apply(action),
            Action::Outcomes(action) => self.apply_outcomes(action),
            Action::Editor(action) => self.change_editor(action),
            Action::Breakpoint(action) => self.change_breakpoints(action),
            Action::Share(action) => self.apply_share(action),
            Action::Files(action) => self.apply_files(action),
            Action::Embed(action) => self.apply_embed(action),
            Action::Theme => self.theme = self.theme.next(),
            Action::SingleKeys(on) => self.single_keys = on,
            Action::Highlight(highlight) => self.highlight = highlight,
        }
        self.follow_outcomes();
    }

    /// What the pointer or the focus is on.
    pub(crate) const fn highlight(&self) -> Option<Highlight> {
        self.highlight
    }

    /// The file that was opened last.
    pub(crate) const fn files(&self) -> &Files {
        &self.files
    }

    /// The run of the last text without errors.
    pub(crate) const fn session(&self) -> &Session {
        &self.session
    }

    /// The text as it is being edited.
    pub(crate) fn text(&self) -> Rc<str> {
        Rc::clone(&self.text)
    }

    /// The text and what it says, be it with errors.
    pub(crate) fn document(&self) -> Document {
        Document {
            text: Rc::clone(&self.text),
            program: Rc::clone(&self.written),
            lines: Rc::clone(&self.lines),
        }
    }

    /// The bundled scenario that the text started from.
    pub(crate) const fn scenario(&self) -> &'static Bundled {
        self.scenario
    }

    /// Whether the text differs from that scenario's.
    pub(crate) fn is_edited(&self) -> bool {
        self.original != self.text
    }

    /// Texts that others took the place of, the last first.
    pub(crate) fn asides(&self) -> Rc<[Aside]> {
        Rc::clone(&self.asides)
    }

    /// Tells what the clock says, in milliseconds since 1970.
    pub(crate) const fn tell_time(&mut self, now: f64) {
        self.now = now;
    }

    /// The list of scenarios.
    pub(crate) const fn picker(&self) -> &Picker {
        &self.picker
    }

    /// `.title` of the text.
    pub(crate) fn title(&self) -> Option<Rc<str>> {
        self.title.clone()
    }

    /// Title and notes of the text, and whether they still hold.
    pub(crate) fn heading(&self) -> Heading {
        Heading {
            title: self.title(),
            notes: Rc::clone(&self.notes),
            is_outdated: self.is_heading_outdated,
        }
    }

    /// What is wrong with the text, by place.
    pub(crate) fn problems(&self) -> Rc<[Problem]> {
        Rc::clone(&self.problems)
    }

    /// Where the cursor is asked to go.
    pub(crate) const fn caret(&self) -> Option<Caret> {
        self.caret
    }

    /// Which machines the program is for.
    pub(crate) fn family(&self) -> Family {
        self.session.program().symbols.target.family()
    }

    /// Whether the text has no errors, so that it can be run.
    pub(crate) const fn can_run(&self) -> bool {
        self.errors == 0
    }

    /// Whether it steps by itself.
    pub(crate) const fn is_running(&self) -> bool {
        self.running
    }

    /// How fast it steps by itself.
    pub(crate) const fn speed(&self) -> Speed {
        self.speed
    }

    /// The state tab that is open.
    pub(crate) const fn tab(&self) -> Tab {
        self.tab
    }

    /// How far a step goes.
    pub(crate) const fn stride(&self) -> Stride {
        self.stride
    }

    /// How registers are shown.
    pub(crate) const fn register_format(&self) -> RegisterFormat {
        self.register_format
    }

    /// Where things are on the screen.
    pub(crate) const fn screen(&self) -> Screen {
        self.screen
    }

    /// Light, dark, or what the system says.
    pub(crate) const fn theme(&self) -> Theme {
        self.theme
    }

    /// Whether keys without a modifier are shortcuts.
    pub(crate) const fn single_keys(&self) -> bool {
        self.single_keys
    }
}
