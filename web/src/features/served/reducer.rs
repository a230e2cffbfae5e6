use super::ServedAction;
use super::action::ServedProgram;
use crate::features::notice::NoticeKind;
use crate::features::program::{BreakpointAction, Document, Origin, SourceText};
use crate::store::State;
use lanewise_core::ide::{LaunchForm, with_struct_fields};
use lanewise_core::program::Program;
use lanewise_core::text::LineEdit;
use std::rc::Rc;

impl State {
    pub(crate) fn apply_served(&mut self, action: ServedAction, now: f64) {
        match action {
            ServedAction::Connected => self.screen.is_served = true,
            ServedAction::Open(program) => self.open_served(&program, now),
            ServedAction::Report(problems) => {
                if let Some(first) = problems.first() {
                    self.notify(NoticeKind::Error, &**first);
                }
                self.files.problems = problems;
            }
            ServedAction::List(entries) => self.picker.served = entries,
        }
    }

    /// Problems of the served file for the drawer; the Program pane lists them if there is no
    /// program.
    pub(crate) fn served_problems(&self) -> &[Rc<str>] {
        match self.files.has_no_served_program(&self.source) {
            true => &[],
            false => &self.files.problems,
        }
    }

    fn open_served(&mut self, served: &ServedProgram, now: f64) {
        let source = SourceText {
            name: Rc::clone(&served.name),
            text: Rc::clone(&served.source),
        };
        let earlier = self.files.keep_source(source);
        self.state_view.forget_types();
        let program = Rc::clone(&self.source.document.program);
        // The fields have the same names in the launch dialog, so that a save keeps their values.
        let served_text = with_struct_fields(&served.text, &served.source);
        let next = Program::parse(&served_text);
        let is_same = matches!(self.source.origin, Origin::File(_)) && program.title == next.title;
        let origin = Origin::File(Some(Rc::clone(&served.address)));
        if !served.keeps || !is_same {
            self.open_text(origin, &served.name, &served_text, now);
            return;
        }
        self.source.origin = origin;
        // After a reload of the page, the launch of the server is not known.
        let original = earlier.as_ref().map(|_| &self.source.original.text);
        let original = original.and_then(|text| LaunchForm::read(text));
        let form = LaunchForm::read(&served_text).zip(LaunchForm::read(&self.text()));
        let text = form.map(|(mut form, current)| {
            form.keep(&current, original.as_ref());
            form.write(&served_text)
        });
        let edit = earlier.map(|earlier| LineEdit::between(&earlier.text, &served.source));
        let breakpoints = edit.map(|edit| {
            let kept = self.source.breakpoints.numbered();
            let kept = kept.into_iter().filter_map(|(number, condition)| {
                Some((moved(number - 1, &program, &next, edit)?, condition))
            });
            kept.collect::<Vec<_>>()
        });
        self.edit(text.as_deref().unwrap_or(&served_text));
        self.source.original = Document::parse(&served_text);
        if let Some(breakpoints) = breakpoints.filter(|_| next.source_file().is_some()) {
            self.apply_breakpoint(BreakpointAction::Clear);
            self.restore_breakpoints(&breakpoints);
        }
        self.notify(
            NoticeKind::Spoken,
            format!("{} is compiled again.", served.name),
        );
    }
}

/// Number of the line of `next`, from 1, with the instruction that corresponds to that of a
/// line of `program`: it has the same position among those of its source line.
fn moved(line: u32, program: &Program, next: &Program, edit: LineEdit) -> Option<u32> {
    let (position, source_line) = position_in_source(line, program)?;
    let source_line = u32::try_from(source_line).ok()?.checked_sub(1)?;
    let source_line = u64::from(edit.line(source_line)?) + 1;
    let own = lines_of(next, source_line);
    let line = own.get(position).or(own.last())?;
    Some(line + 1)
}

/// Source line of the instruction of a line, and its position among those of the source line.
fn position_in_source(line: u32, program: &Program) -> Option<(usize, u64)> {
    let index = program.instructions.iter().position(|p| p.line == line)?;
    let (_, source_line) = program.source_line(u32::try_from(index).ok()?)?;
    let own = lines_of(program, source_line);
    Some((own.iter().position(|own| *own == line)?, source_line))
}

/// Lines of the instructions of a source line.
fn lines_of(program: &Program, source_line: u64) -> Vec<u32> {
    let all = (0..).zip(&program.instructions);
    let file = program.source_file();
    let own = all.filter(|(index, _)| {
        let place = program.source_line(*index);
        place.is_some_and(|(own, line)| line == source_line && Some(own) == file)
    });
    own.map(|(_, placed)| placed.line).collect()
}
