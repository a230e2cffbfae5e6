use super::editor::EditorAction;
use super::source::own_title;
use super::{Breakpoints, Caret, Document, Draft, Origin, Problem, ProgramAction};
use crate::features::notice::NoticeKind;
use crate::features::screen::{DrawerTab, ScreenAction};
use crate::features::transport::TransportAction;
use crate::store::{Request, State};
use lanewise_answer::matrix::MatrixViewOptions;
use lanewise_answer::operands::operand_text;
use lanewise_core::diagnostic::{Diagnostic, Severity, to_usize};
use lanewise_core::ide::with_region_component;
use lanewise_core::isa::Style;
use lanewise_core::library::Bundled;
use lanewise_core::session::unmet_claims;
use lanewise_core::text::{Rewritten, SyntaxPart};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

/// Name of a program within a sentence.
fn name_in_sentence(text: &str) -> String {
    match own_title(text) {
        Some(title) => format!("“{title}”"),
        None => String::from("an untitled program"),
    }
}

impl State {
    /// Says that there are no problems, and what has been checked.
    pub(crate) fn no_problems_text(&self) -> String {
        let mut text = self.no_problems_of_run();
        if let Some(checks) = self.checks_text() {
            text.push(' ');
            text.push_str(&checks);
        }
        text
    }

    fn no_problems_of_run(&self) -> String {
        let session = &self.session;
        let groups = session.program().launch.as_ref();
        if self.files.has_no_served_program(&self.source) {
            return String::from("The file has no program; its errors are in the Program pane.");
        }
        match groups.map(|launch| (launch.group + 1, launch.group_count())) {
            _ if !session.at_end() => {
                String::from("No problems found in the text and in the steps so far.")
            }
            Some((last, all)) if last < all => {
                let groups = session.program().words().work_group;
                format!("No problems found in the text and in {last} of {all} {groups}s.")
            }
            _ => String::from("No problems found in the text and in this run."),
        }
    }

    pub(crate) fn apply_program(&mut self, action: ProgramAction, now: f64) {
        match action {
            ProgramAction::Edit(text) => self.edit(&text),
            ProgramAction::New => {
                self.keep_draft(now);
                self.load(Origin::New, "");
                self.apply_editor(EditorAction::Focus);
            }
            ProgramAction::Choose(scenario) => self.start_from(scenario, now),
            ProgramAction::OpenExample(title, text) if !self.is_read_only() => {
                self.open_text(Origin::Example, &title, &text, now);
            }
            ProgramAction::OpenExample(..) => {}
            ProgramAction::ResetText => self.reset_text(now),
            ProgramAction::RestoreEdits => {
                self.restore_draft(self.source.first_draft(), now);
            }
            ProgramAction::RestoreDraft(index) => self.restore_draft(index, now),
            ProgramAction::OtherWindow(text) => self.notice_other_window(&text),
            ProgramAction::KeepForeign(draft) => self.keep_foreign(draft),
            ProgramAction::AddDrafts(drafts) => self.add_drafts(drafts),
            ProgramAction::Fix(problem) => self.fix(problem..problem + 1),
            ProgramAction::FixAll => self.fix(0..self.source.problems.len()),
            ProgramAction::GoTo(problem) => self.go_to(problem),
            ProgramAction::GoToInstruction(index) => {
                let document = &self.source.document;
                if let Some(placed) = document.program.instructions.get(to_usize(index)) {
                    let start = placed.spans.whole().start as usize;
                    let caret = document.lines.utf16(start);
                    self.place_caret((caret, caret), true);
                }
            }
            ProgramAction::Format(style, caret) => self.format(style, caret),
            ProgramAction::RunToCursor(caret) => {
                let lines = &self.source.document.lines;
                let (line, _) = lines.line_column(lines.byte(caret));
                self.apply_transport(TransportAction::RunToLine(line - 1));
            }
            ProgramAction::Region {
                operand,
                component,
                value,
            } => self.set_region(operand, component, value),
            ProgramAction::ShowEncoding(line) => self.show_encoding(line),
            // Can be undone.
            ProgramAction::Template(text) => self.rewrite_and_focus(text, text.len()),
        }
    }

    /// Replaces the text and resets the panes.
    pub(crate) fn load(&mut self, origin: Origin, text: &str) {
        let document = Document::parse(text);
        self.source.original = match &origin {
            Origin::Bundled(scenario) if *scenario.text != *document.text => {
                Document::parse(scenario.text)
            }
            _ => document.clone(),
        };
        self.source.origin = origin;
        self.source.name = Rc::from("");
        self.source.opened = self.source.opened.wrapping_add(1);
        // The notice was about the previous program.
        self.dismiss_notice();
        self.read(document);
        self.reset_for_program();
    }

    /// Replaces the text with one from outside. Identical text keeps the undo
    /// history, and its origin unless it comes from another link or an empty file.
    pub(crate) fn replace_text(&mut self, origin: Origin, text: &str) {
        if *self.source.document.text != *text {
            self.load(origin, text);
            return;
        }
        let has_new_origin = match (&self.source.origin, &origin) {
            (Origin::Link(_), Origin::Link(_)) => true,
            (_, Origin::File(address)) => text.is_empty() || address.is_some(),
            _ => false,
        };
        if has_new_origin {
            self.source.origin = origin;
            self.source.original = self.source.document.clone();
        }
        self.reset_for_program();
    }

    /// Shows a text from outside. The user's text is kept as a draft.
    pub(crate) fn open_text(&mut self, origin: Origin, name: &str, text: &str, now: f64) {
        self.keep_replaced(text, now);
        self.replace_text(origin, text);
        self.source.name = Rc::from(name);
        self.notify(NoticeKind::Spoken, format!("{name} is open."));
    }

    /// Opens a program at its start and resets all view options.
    fn reset_for_program(&mut self) {
        self.pause();
        self.start_error = None;
        self.stepping.thread = None;
        self.stepping.channel = None;
        self.item_columns = Rc::from("");
        self.restore_step_size();
        self.screen.dialog = None;
        self.source.breakpoints = Breakpoints::default();
        self.seek_unexplored(0);
        self.reset_grids();
        self.open_requested_tab();
        self.matrix_view = MatrixViewOptions::default();
        self.state_view.inspect.stop_inspecting();
        self.forget_address();
    }

    /// Edits the text, as typed or by an action. Ignored if the player is
    /// read-only.
    pub(crate) fn edit(&mut self, text: &str) {
        if *text != *self.source.document.text && !self.is_read_only() {
            self.stepping.running = false;
            self.start_error = None;
            let before = self.text();
            self.source.breakpoints.follow_edit(&before, text);
            self.read(Document::parse(text));
        }
    }

    /// Rewrites a component of a region of the current instruction.
    fn set_region(&mut self, operand: SyntaxPart, component: usize, value: u32) {
        let text = self.text();
        let index = self.session.current_instruction();
        // Of a text with errors, the parsed instructions may be others.
        let program = match self.can_run() {
            true => &self.source.document.program,
            false => self.session.program(),
        };
        let placed = index.and_then(|index| program.instructions.get(index));
        let rewritten = placed.and_then(|placed| {
            let span = placed.spans.find(operand)?;
            let range = span.start as usize..span.end as usize;
            let written = text.get(range.clone())?;
            let full = operand_text(&placed.instruction, program, operand, Style::Assembler);
            let operand = with_region_component(written, component, value);
            // The program may omit a region.
            let operand = operand.or_else(|| with_region_component(&full, component, value))?;
            let mut text = String::from(&*text);
            text.replace_range(range, &operand);
            Some(text)
        });
        if let Some(text) = rewritten {
            self.edit(&text);
        }
    }

    /// Shows a parsed text. The run of the last valid text remains until a new
    /// one replaces it, and the position is kept as far as possible.
    fn read(&mut self, document: Document) {
        self.source.formatted = None;
        let program = Rc::clone(&document.program);
        self.source.document = document;
        let found = program.diagnostics.iter();
        self.source.problems = found
            .map(|d| Problem::new(d, &self.source.document.lines))
            .collect();
        self.source.is_heading_outdated = self.has_outdated_heading();
        if !program.can_run() {
            return;
        }
        let position = self.destination();
        self.pause();
        self.stop_tracing();
        self.finished_groups = None;
        self.state_view.forget_program();
        let launch = program.launch.as_ref();
        if launch.is_some_and(|launch| launch.group > 0) {
            match self.session.program().continue_as(&program) {
                Some(program) => {
                    self.session.replace_program(Rc::new(program));
                    self.earlier_groups = None;
                    self.seek_unexplored(position);
                }
                None => {
                    self.start_session(program);
                    self.begin_earlier_groups();
                    // The next tick starts them, so that typing is not delayed.
                    self.run_later(position);
                }
            }
        } else {
            if !self.session.replace_program(Rc::clone(&program)) {
                self.start_session(program);
            }
            self.begin_earlier_groups();
            self.seek_unexplored(position);
        }
        self.drop_removed_memories();
        self.drop_removed_cells();
    }

    /// Whether the title and description are those of the bundled scenario but
    /// the instructions are not. Comments, blanks and syntax may differ.
    fn has_outdated_heading(&self) -> bool {
        if !self.source.is_edited() || !self.source.origin.is_bundled() {
            return false;
        }
        let original = &*self.source.original.program;
        let now = &*self.source.document.program;
        if (&original.title, &original.notes) != (&now.title, &now.notes) {
            return false;
        }
        !original.is_equivalent(now)
    }

    pub(crate) fn start_from(&mut self, scenario: &'static Bundled, now: f64) {
        self.keep_draft(now);
        self.load(Origin::Bundled(scenario), scenario.text);
    }

    pub(crate) fn reset_text(&mut self, now: f64) {
        self.keep_draft(now);
        let text = Rc::clone(&self.source.original.text);
        self.load(self.source.origin.clone(), &text);
    }

    /// Keeps the current text as a draft, unless it equals its replacement.
    pub(crate) fn keep_replaced(&mut self, text: &str, now: f64) {
        if *self.source.document.text != *text {
            self.keep_draft(now);
        }
    }

    /// Keeps an edited text as a draft.
    pub(crate) fn keep_draft(&mut self, now: f64) {
        // Unlike bundled scenarios, texts of links and files cannot be reopened
        // from the page.
        let own = self.source.is_edited() || !self.source.origin.is_bundled();
        if !own || self.source.document.text.trim().is_empty() {
            return;
        }
        let draft = Draft {
            scenario: Rc::from(self.source.origin.id()),
            text: self.text(),
            time: now,
        };
        self.add_drafts(vec![draft]);
    }

    /// Adds drafts, newest first, without duplicates and up to the limit.
    pub(crate) fn add_drafts(&mut self, added: Vec<Draft>) {
        let is_added = |draft: &&Draft| added.iter().any(|added| added.text == draft.text);
        let others = self.source.drafts.iter().filter(|draft| !is_added(draft));
        let others: Vec<Draft> = others.cloned().collect();
        let mut drafts = added;
        drafts.extend(others);
        drafts.sort_by(|a, b| b.time.total_cmp(&a.time));
        drafts.truncate(lanewise_saved::MAX_DRAFTS);
        self.source.drafts = drafts.into();
    }

    /// Notifies the user that another window saved a different program.
    fn notice_other_window(&mut self, saved: &str) {
        if *saved == *self.source.document.text {
            return;
        }
        let (other, own) = (name_in_sentence(saved), name_in_sentence(&self.text()));
        let text = format!(
            "Another Lanewise window has saved {other}. This window still shows {own} and keeps it."
        );
        // The other window saves repeatedly: notify only once.
        if self.notices.last_window_warning.as_deref() != Some(&*text) {
            self.notices.last_window_warning = Some(Rc::from(&*text));
            self.notify(NoticeKind::Info, text);
        }
    }

    /// Keeps a program of another window that this window has overwritten in
    /// storage.
    pub(crate) fn keep_foreign(&mut self, draft: Draft) {
        self.add_drafts(vec![draft]);
        self.notify(NoticeKind::Info,
            "This window replaced the program saved by another Lanewise window. That program is among the earlier drafts.",
        );
    }

    pub(crate) fn restore_draft(&mut self, index: usize, now: f64) {
        let Some(draft) = self.source.drafts.get(index).cloned() else {
            return;
        };
        let others = self.source.drafts.iter().filter(|other| **other != draft);
        self.source.drafts = others.cloned().collect();
        self.keep_draft(now);
        self.load(Origin::of_id(&draft.scenario), &draft.text);
    }

    /// Applies the quick fixes of some problems. A fix that overlaps another one
    /// is left for the next time.
    pub(crate) fn fix(&mut self, problems: Range<usize>) {
        let Some(problems) = self.source.problems.get(problems) else {
            return;
        };
        let mut fixes: Vec<_> = problems.iter().filter_map(|p| p.fix.as_ref()).collect();
        fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
        fixes.dedup();
        // An undeclared name is reported wherever it is used, and declared once.
        let mut lines = BTreeSet::new();
        fixes.retain(|fix| {
            let is_line = fix.span.start == fix.span.end && fix.replacement.ends_with('\n');
            !is_line || lines.insert(&fix.replacement)
        });
        if !fixes.is_empty() {
            let Rewritten { text, caret } = Rewritten::new(&self.source.document.text, fixes);
            self.rewrite_and_focus(&text, caret);
        }
    }

    /// Edits the text as an undoable change, and moves the caret to a byte of
    /// it.
    pub(crate) fn rewrite(&mut self, text: &str, caret: usize) {
        self.rewrite_to(text, caret, false);
    }

    /// Like [`Self::rewrite`], and moves focus to the editor.
    pub(crate) fn rewrite_and_focus(&mut self, text: &str, caret: usize) {
        self.rewrite_to(text, caret, true);
    }

    fn rewrite_to(&mut self, text: &str, caret: usize, focus: bool) {
        self.edit(text);
        let caret = self.source.document.lines.utf16(caret);
        self.place_caret((caret, caret), focus);
    }

    pub(crate) fn go_to(&mut self, problem: usize) {
        let of_run = self.run_problems();
        let mut problems = self.source.problems.iter().chain(&of_run);
        if let Some(selection) = problems.nth(problem).map(|p| p.selection) {
            self.place_caret(selection, true);
        }
    }

    /// The fault, and warnings about instructions before the position and in work-groups
    /// before the one in the timeline, unless findings say the same.
    pub(crate) fn run_problems(&self) -> Vec<Problem> {
        if !self.can_run() {
            return Vec::new();
        }
        let own = self.session.warnings();
        let own = own.map(|(instruction, warning)| (instruction, warning.clone()));
        let mut warnings: BTreeMap<u32, Diagnostic> = own.collect();
        warnings.extend(BTreeMap::clone(&self.earlier_warnings));
        let (program, lines) = (self.session.program(), &self.source.document.lines);
        let problem = |(instruction, mut warning): (u32, Diagnostic)| {
            // The instruction may have moved in the text since the warning.
            let placed = &program.instructions[to_usize(instruction)];
            warning.span = placed.spans.of(SyntaxPart::Opcode);
            Problem::new(&warning, lines)
        };
        let warnings = warnings.into_iter();
        let own = warnings.filter(|(instruction, _)| !self.is_warning_replaced(*instruction));
        let mut problems: Vec<Problem> = own.map(problem).collect();
        let fault = self.session.fault();
        let fault = fault.filter(|fault| !self.is_fault_replaced(fault));
        problems.extend(fault.map(|fault| {
            let placed = &program.instructions[to_usize(fault.instruction)];
            let span = placed.spans.of(SyntaxPart::Opcode);
            let (line, column) = lines.line_column(span.start as usize);
            Problem {
                severity: Severity::Error,
                code: fault.kind.word(),
                line,
                column,
                message: fault.message.clone(),
                help: String::new(),
                fix: None,
                selection: lines.utf16_range(span),
            }
        }));
        if self.session.at_end() {
            let (text, machine) = (&self.source.document.text, self.session.machine());
            let unmet = unmet_claims(text, program, machine);
            problems.extend(unmet.iter().map(|claim| Problem::new(claim, lines)));
        }
        problems
    }

    /// Seeks to the instruction on a line, if its steps are known, and opens
    /// the Encoding tab.
    fn show_encoding(&mut self, line: u32) {
        let instructions = &self.session.program().instructions;
        let index = instructions.iter().position(|placed| placed.line == line);
        let issue = index.and_then(|index| self.session.first_issue_of(index));
        let start = issue.and_then(|issue| self.session.issue_start(issue));
        if let Some(start) = start {
            self.move_to(start);
            // Between two instructions, the previous one is current.
            if self.session.current_instruction() != index {
                self.move_to(start + 1);
            }
        }
        self.screen
            .apply(ScreenAction::OpenTab(DrawerTab::Encoding));
    }

    pub(crate) fn place_caret(&mut self, selection: (u32, u32), focus: bool) {
        let caret = Caret { selection, focus };
        Request::ask(&mut self.source.caret, caret);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::pane::templates;

    #[test]
    fn every_template_is_a_program_that_runs() {
        for template in templates() {
            let mut state = State::of_text("");
            state.act(ProgramAction::Template(template.text));
            let problems = &state.source.problems;
            assert!(state.can_run(), "{}: {problems:?}", template.name);
        }
    }

    #[test]
    fn equal_insertions_at_different_places_are_all_applied() {
        let line = "ATOM.E.ADD R0 [R2], R4 ;\n";
        let text = format!(".target sass SM60\n{line}{line}");
        let mut state = State::of_text(&text);
        state.act(ProgramAction::FixAll);
        assert_eq!(*state.text(), text.replace("R0 [", "R0, ["));
    }

    #[test]
    fn warnings_of_earlier_groups_follow_their_lines() {
        let text = "\
.target visa DG2
.launch global=16 local=8 group=1
.simd 8
.buffer x : ud[4]
.bind bti 0 = x
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl T6 v_type=T num_elts=1
.init V32 = iota(0, 4)
movs (M1_NM, 1) T6(0) 0x0:ud
scatter4_scaled.R (M1, 8) T6 0x0:ud V32.0 V32.0
ret (M1, 1)
";
        let mut state = State::of_text(text);
        assert!(state.can_run(), "{:?}", state.source.problems);
        state.end_run();
        let lines = |state: &State| {
            let problems = state.run_problems().into_iter();
            let problems = problems.map(|problem| (problem.code, problem.line));
            problems.collect::<Vec<_>>()
        };
        assert_eq!(lines(&state), [("W0714", 10)]);
        state.act(ProgramAction::Edit(format!("// one\n{text}")));
        assert!(!state.waits_for_groups());
        assert_eq!(lines(&state), [("W0714", 11)]);
    }

    #[test]
    fn comments_about_the_end_are_compared_with_the_run() {
        let mut state = State::of_scenario("barrier");
        state.act(TransportAction::ToEnd);
        assert!(state.run_problems().is_empty());
        let text = state.text().replace("iota(100, 1)", "iota(101, 1)");
        state.act(ProgramAction::Edit(text));
        state.act(TransportAction::ToStart);
        assert!(state.run_problems().is_empty());
        state.act(TransportAction::ToEnd);
        let codes = state.run_problems().into_iter().map(|problem| problem.code);
        assert_eq!(codes.collect::<Vec<_>>(), ["W0715"]);
    }

    #[test]
    fn bundled_kernels_have_no_problems() {
        for bundled in lanewise_core::library::BUNDLED {
            let state = State::of_text(bundled.text);
            if bundled.id.starts_with("kernel-") {
                let problems = &state.source.problems;
                assert!(problems.is_empty(), "{}: {problems:?}", bundled.id);
            }
        }
    }

    #[test]
    fn a_name_used_twice_is_declared_once() {
        let line = "mov (M1, 8) V90(0,0)<1> 0x1:ud\n";
        let text = format!(".target visa XEHP\n{line}{line}");
        let mut state = State::of_text(&text);
        state.act(ProgramAction::FixAll);
        assert_eq!(state.text().matches(".decl V90").count(), 1);
        assert!(state.can_run(), "{}", state.text());
    }
}
