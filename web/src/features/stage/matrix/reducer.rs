//! Reducer of the matrix view.

use super::{MatrixAction, MatrixViewOptions, instruction_in_editor};
use crate::features::screen::DrawerTab;
use crate::store::State;
use lanewise_core::ide::{with_matrix_suffix, with_sample_factors};
use lanewise_core::program::{Program, ProgramInstruction};
use lanewise_core::text::Rewritten;

impl State {
    /// Model of the current instruction, if it is a matrix instruction.
    #[cfg(test)]
    pub(crate) fn matrix(&self) -> Option<super::MatrixModel> {
        super::MatrixModel::new(
            &self.session,
            &self.source.document.program,
            self.matrix_view,
        )
    }

    /// Rewrites the current matrix instruction in the text, which may have errors
    /// elsewhere.
    fn rewrite_matrix(
        &mut self,
        rewrite: impl FnOnce(&Program, &str, &ProgramInstruction) -> Option<Rewritten>,
    ) {
        let document = &self.source.document;
        let placed = instruction_in_editor(&self.session, &document.program);
        let rewritten =
            placed.and_then(|placed| rewrite(&document.program, &document.text, placed));
        if let Some(Rewritten { text, caret }) = rewritten {
            self.rewrite(&text, caret);
        }
    }

    pub(crate) fn apply_matrix(&mut self, action: MatrixAction) {
        match action {
            MatrixAction::Reshape(suffix) => self.rewrite_matrix(|program, text, placed| {
                with_matrix_suffix(program, text, placed, suffix)
            }),
            MatrixAction::FillFactors => self.rewrite_matrix(with_sample_factors),
            choice => {
                self.matrix_view.apply(choice);
                // A narrow window shows the products below the picture.
                if self.matrix_view.element.is_some() && !self.screen.compact {
                    self.screen.tab = Some(DrawerTab::Products);
                }
            }
        }
    }
}

impl MatrixViewOptions {
    /// Applies a selection; does not handle actions that rewrite the program.
    pub(crate) fn apply(&mut self, action: MatrixAction) {
        match action {
            MatrixAction::ByTable(on) => self.by_table = on,
            MatrixAction::ByRegister(on) => self.by_register = on,
            MatrixAction::Register(register) => {
                self.register = register;
                self.element = None;
            }
            MatrixAction::Element(element) => {
                self.element = element;
                self.register = None;
            }
            MatrixAction::Reshape(_) | MatrixAction::FillFactors => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;
    use crate::features::stage::matrix::model::tests::TEXT;
    use crate::store::{Action, Saved};
    use Precision::{S4, S8};
    use lanewise_core::isa::visa::matrix::{MatrixSuffix, Precision};

    fn with(text: &str) -> State {
        State::new(Saved {
            text: Some(text.to_owned()),
            ..Saved::default()
        })
    }

    fn reshape(state: &mut State, w: Precision, a: Precision, rc: u8) {
        let suffix = MatrixSuffix { w, a, sd: 8, rc };
        state.act(Action::Matrix(MatrixAction::Reshape(suffix)));
    }

    #[test]
    fn matrix_can_be_reshaped_despite_errors_elsewhere() {
        let mut state = with(TEXT);
        state.act(Action::Program(ProgramAction::Edit(format!(
            "{TEXT}\n.inti V32 = 1\n"
        ))));
        assert!(!state.can_run());
        reshape(&mut state, S8, S4, 2);
        let model = state.matrix().unwrap();
        assert_eq!(model.name, "dpasw.s8.s4.8.2");
        assert_eq!(model.layout.rc(), 4, "of the last valid program");
    }

    #[test]
    fn choices_are_reset_by_another_text() {
        let mut state = with(TEXT);
        state.act(Action::Matrix(MatrixAction::ByTable(true)));
        assert!(state.matrix().unwrap().shows_table());
        reshape(&mut state, S8, S4, 8);
        assert!(!state.matrix().unwrap().shows_table(), "no contradiction");
        state.act(Action::Program(ProgramAction::ResetText));
        assert_eq!(state.matrix_view, Default::default());
    }
}
