//! The text: edited, picked, fixed.

use super::State;
use super::execution::AHEAD;
use super::memory::regions_of;
use super::origin::{is_bundled, origin};
use crate::features::program::{Breakpoints, Document, Problem};
use crate::features::stage::matrix::Look;
use lanewise_core::diagnostic::Severity;
use lanewise_core::library::{Bundled, named};
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use std::cell::OnceCell;
use std::rc::Rc;

/// A text that another scenario took the place of.
pub(crate) use lanewise_saved::Draft as Aside;

/// How many texts are kept.
const ASIDES: usize = lanewise_saved::MAX_DRAFTS;

/// What a draft is called: its own title, or that of its scenario.
pub(crate) fn draft_title(draft: &Aside) -> String {
    let mut lines = draft.text.lines().map(str::trim_start);
    let own = lines.find_map(|line| line.strip_prefix(".title"));
    let own = own.map(|rest| rest.trim().trim_matches('"'));
    let scenario = || named(&draft.scenario).map(|scenario| scenario.title);
    let own = own.filter(|title| !title.is_empty());
    String::from(own.or_else(scenario).unwrap_or("Without a title"))
}

/// A request to put the cursor somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caret {
    /// Tells one request from the next.
    pub(crate) serial: u32,
    /// Where the selection starts and ends, in UTF-16 units.
    pub(crate) selection: (u32, u32),
    /// Whether the focus goes there too.
    pub(crate) focus: bool,
}

/// The text with every line ended by `\n`.
fn line_ends(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut before = ' ';
    for sign in text.chars() {
        match sign {
            '\n' if before == '\r' => {}
            '\r' => lines.push('\n'),
            _ => lines.push(sign),
        }
        before = sign;
    }
    lines
}

impl State {
    /// A text takes the place of another: the panes start afresh.
    pub(super) fn load(&mut self, text: &str) {
        self.running = false;
        self.breakpoints = Breakpoints::default();
        self.read(text);
        self.seek(0);
        self.reset_views();
        self.open_asked_tab();
        self.look = Look::default();
        self.fit_inspect(true);
    }

    pub(super) fn edit(&mut self, text: &str) {
        if *text != *self.text {
            self.running = false;
            self.breakpoints.follow_edit(&self.text, text);
            self.read(text);
        }
    }

    /// Reads the text. The run of the last text without errors stays until
    /// there is another; its position stays as far as it can.
    fn read(&mut self, text: &str) {
        // What a textarea makes of line ends, so that both agree on places.
        self.formatted = None;
        let document = Document::parse(match text.contains('\r') {
            true => Rc::from(line_ends(text)),
            false => Rc::from(text),
        });
        let program = Rc::clone(&document.program);
        self.text = document.text;
        self.written = document.program;
        self.lines = document.lines;
        let found = program.diagnostics.iter();
        self.problems = found.map(|d| Problem::new(d, &self.lines)).collect();
        let is_error = |p: &&Problem| p.severity == Severity::Error;
        self.errors = self.problems.iter().filter(is_error).count();
        self.title = program.title.as_deref().map(Rc::from);
        self.notes = Rc::from(&*program.notes);
        self.is_heading_outdated = self.has_outdated_heading();
        if !program.can_run() {
            return;
        }
        let position = self.session.position();
        self.layout = OnceCell::new();
        if !self.session.replace_program(Rc::clone(&program)) {
            self.session = Session::with_granularity(program, self.stride.granularity());
            self.regions = regions_of(&self.session);
        }
        self.look_ahead(position.max(AHEAD));
        self.seek(position);
        self.fit_views();
        self.fit_registers();
        self.fit_inspect(false);
    }

    /// Whether title and notes are those of the bundled scenario, but not what
    /// it does: comments, blanks and the syntax of instructions may differ.
    fn has_outdated_heading(&self) -> bool {
        if !self.is_edited() || !is_bundled(self.scenario) {
            return false;
        }
        let original = Program::parse(&self.original);
        let now = &*self.written;
        if (&original.title, &original.notes) != (&now.title, &now.notes) {
            return false;
        }
        !original.is_equivalent(now)
    }

    pub(super) fn choose(&mut self, id: &str) {
        if let Some(scenario) = named(id) {
            self.start_from(scenario);
        }
    }

    fn start_from(&mut self, scenario: &'static Bundled) {
        self.put_aside();
        self.scenario = scenario;
        self.original = Rc::from(scenario.text);
        self.load(scenario.text);
    }

    pub(super) fn reset_text(&mut self) {
        self.put_aside();
        let text = Rc::clone(&self.original);
        self.load(&text);
    }

    /// Keeps a text that somebody worked on.
    pub(super) fn put_aside(&mut self) {
        // What came with a link or a file is not found among the bundled ones.
        let own = self.is_edited() || !is_bundled(self.scenario);
        if !own || self.text.trim().is_empty() {
            return;
        }
        let aside = Aside {
            scenario: Rc::from(self.scenario.id),
            text: self.text(),
            time: self.now,
        };
        // The same text once.
        let others = self.asides.iter().filter(|other| other.text != aside.text);
        let mut asides: Vec<Aside> = others.take(ASIDES - 1).cloned().collect();
        asides.insert(0, aside);
        self.asides = asides.into();
    }

    /// Keeps a program that another window saved, and that is about to be
    /// overwritten there.
    pub(super) fn keep_foreign(&mut self, text: Rc<str>) {
        let draft = Aside {
            scenario: Rc::from(self.scenario.id),
            text,
            time: self.now,
        };
        let others = self.asides.iter().filter(|other| other.text != draft.text);
        let mut drafts = vec![draft.clone()];
        drafts.extend(others.take(ASIDES - 1).cloned());
        self.asides = drafts.into();
        self.tell(
            false,
            String::from(
                "Another window of Lanewise saved its program. This window's is saved now; \
                 the other one is among the replaced drafts.",
            ),
        );
    }

    pub(super) fn bring_back(&mut self, index: usize) {
        let Some(aside) = self.asides.get(index).cloned() else {
            return;
        };
        let others = self.asides.iter().filter(|other| **other != aside);
        self.asides = others.cloned().collect();
        self.put_aside();
        if let Some(scenario) = origin(&aside.scenario) {
            self.scenario = scenario;
            self.original = Rc::from(scenario.text);
        }
        self.load(&aside.text);
        if !is_bundled(self.scenario) {
            self.original = self.text();
        }
    }

    pub(super) fn fix(&mut self, problem: usize) {
        let problems = self.problems();
        let Some(fix) = problems.get(problem).and_then(|p| p.fix.as_ref()) else {
            return;
        };
        let range = fix.range.clone();
        let (Some(before), Some(after)) =
            (self.text.get(..range.start), self.text.get(range.end..))
        else {
            return;
        };
        let head = format!("{before}{}", fix.replacement);
        self.rewrite(&format!("{head}{after}"), head.len(), true);
    }

    /// Edits the text for the reader, who can undo it, and puts the caret
    /// behind a byte of it; the focus too if `focus`.
    pub(super) fn rewrite(&mut self, text: &str, caret: usize, focus: bool) {
        self.edit(text);
        let end = self.lines.utf16(caret);
        self.ask_caret((end, end), focus);
    }

    pub(super) fn go_to(&mut self, problem: usize) {
        if let Some(selection) = self.problems.get(problem).map(|p| p.selection) {
            self.ask_caret(selection, true);
        }
    }

    fn ask_caret(&mut self, selection: (u32, u32), focus: bool) {
        self.caret = Some(Caret {
            serial: self.caret.map_or(0, |c| c.serial.wrapping_add(1)),
            selection,
            focus,
        });
    }
}
