//! The editor: which one there is, and what it asks of the page.

use super::{EditorAction, EditorMode, EditorStatus};
use crate::features::screen::{DrawerTab, ScreenAction};
use crate::store::{Request, State};
use lanewise_core::isa::SPECS;

impl State {
    pub(crate) fn apply_editor(&mut self, action: EditorAction) {
        let editor = &mut self.source.editor;
        match action {
            EditorAction::Plain(plain) => editor.set_plain(plain),
            EditorAction::Wrap(wrap) => editor.wrap = Some(wrap),
            EditorAction::Loaded => editor.status = EditorStatus::Ready,
            EditorAction::LoadFailed => editor.status = EditorStatus::Failed,
            EditorAction::Retry => {
                editor.status = EditorStatus::Loading;
                editor.attempt += 1;
            }
            EditorAction::Search => editor.search = Request::after(editor.search.as_ref(), ()),
            EditorAction::ShowEncoding(line) => self.show_encoding(line),
            EditorAction::Template(index) => self.start_from_template(index),
        }
    }

    /// Goes to the start of the instruction on a line, as far as steps are
    /// known, and opens the tab Encoding.
    fn show_encoding(&mut self, line: u32) {
        let instructions = &self.session.program().instructions;
        let index = instructions.iter().position(|placed| placed.line == line);
        let start = index.and_then(|index| self.session.instruction_starts().nth(index));
        if let Some(start) = start {
            self.move_to(start);
            // Between two instructions the one before is current.
            if self.session.current_instruction() != index {
                self.move_to(start + 1);
            }
        }
        self.screen.apply(ScreenAction::Open(DrawerTab::Encoding));
    }

    /// The reader can undo it.
    fn start_from_template(&mut self, index: usize) {
        let example = SPECS.get(index).and_then(|spec| spec.examples.first());
        if let Some(example) = example {
            self.rewrite_and_focus(example.scenario, example.scenario.len());
        }
    }

    pub(crate) fn editor(&self) -> EditorMode {
        self.source.editor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;
    use crate::store::{Action, Saved};

    #[test]
    fn the_code_editor_is_loaded_after_the_page_and_not_where_plain_text_is_wanted() {
        let mut state = State::new(Saved::default());
        let apply = |state: &mut State, action| state.act(Action::Editor(action));
        assert!(state.editor().is_loading() && !state.editor().is_code());
        apply(&mut state, EditorAction::LoadFailed);
        assert!(!state.editor().is_loading() && !state.editor().is_code());
        apply(&mut state, EditorAction::Retry);
        assert!(state.editor().is_loading());
        apply(&mut state, EditorAction::Loaded);
        assert!(!state.editor().is_loading() && state.editor().is_code());
        apply(&mut state, EditorAction::Plain(true));
        assert!(!state.editor().is_loading() && !state.editor().is_code());
        apply(&mut state, EditorAction::Plain(false));
        assert!(state.editor().is_code());

        let plain = Saved {
            plain: true,
            ..Saved::default()
        };
        assert!(!State::new(plain).editor().is_loading());
    }

    #[test]
    fn long_lines_are_wrapped_on_a_phone_and_as_the_reader_chose() {
        let mut state = State::new(Saved::default());
        assert!(state.editor().wraps(true) && !state.editor().wraps(false));
        for wrap in [false, true] {
            state.act(Action::Editor(EditorAction::Wrap(wrap)));
            assert_eq!(
                [true, false].map(|compact| state.editor().wraps(compact)),
                [wrap; 2]
            );
        }
        let kept = Saved {
            wrap: Some(false),
            ..Saved::default()
        };
        assert!(!State::new(kept).editor().wraps(true));
    }

    #[test]
    fn every_template_is_a_program_that_runs() {
        for (index, spec) in SPECS.iter().enumerate() {
            let mut state = State::new(Saved::default());
            state.act(Action::Program(ProgramAction::Edit(String::new())));
            state.act(Action::Editor(EditorAction::Template(index)));
            assert!(state.can_run(), "{}: {:?}", spec.name, state.problems());
            let instructions = &&state.session.program().instructions;
            assert!(
                instructions
                    .iter()
                    .any(|placed| std::ptr::eq(placed.instruction.spec(), *spec)),
                "{}",
                spec.name
            );
        }
    }
}
