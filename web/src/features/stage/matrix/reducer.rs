//! Reducer of the matrix view.

use super::MatrixAction;
use crate::features::screen::DrawerTab;
use crate::store::State;
use lanewise_answer::matrix::instruction_in_editor;
use lanewise_core::ide::{with_matrix_suffix, with_sample_factors};
use lanewise_core::program::{Program, ProgramInstruction};
use lanewise_core::text::Rewritten;

impl State {
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
        let view = &mut self.matrix_view;
        match action {
            MatrixAction::Reshape(suffix) => {
                return self.rewrite_matrix(|program, text, placed| {
                    with_matrix_suffix(program, text, placed, suffix)
                });
            }
            MatrixAction::FillFactors => return self.rewrite_matrix(with_sample_factors),
            MatrixAction::ByTable(on) => view.by_table = on,
            MatrixAction::ByRegister(on) => view.by_register = on,
            MatrixAction::Register(register) => {
                (view.register, view.element) = (register, None);
            }
            MatrixAction::Element(element) => {
                (view.register, view.element) = (None, element);
            }
        }
        // A narrow window shows the products below the picture.
        if view.element.is_some() && !self.screen.compact {
            self.screen.tab = Some(DrawerTab::Products);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;
    use Precision::{S4, S8};
    use lanewise_answer::matrix::MatrixModel;
    use lanewise_core::isa::visa::matrix::{MatrixSuffix, Precision};

    const TEXT: &str = "\
.decl V32 v_type=G type=d num_elts=64 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
.decl V35 v_type=G type=ud num_elts=64 align=GRF
dpasw.s8.s4.8.4 (M1, 8) V32.0 V32.0 V34.0 V35(0,0)
";

    fn matrix(state: &State) -> MatrixModel {
        let program = &state.source.document.program;
        MatrixModel::new(&state.session, program, state.matrix_view).unwrap()
    }

    fn reshape(state: &mut State, w: Precision, a: Precision, rc: u8) {
        let suffix = MatrixSuffix { w, a, sd: 8, rc };
        state.act(MatrixAction::Reshape(suffix));
    }

    #[test]
    fn matrix_can_be_reshaped_despite_errors_elsewhere() {
        let mut state = State::of_text(TEXT);
        state.act(ProgramAction::Edit(format!("{TEXT}\n.inti V32 = 1\n")));
        assert!(!state.can_run());
        reshape(&mut state, S8, S4, 2);
        let model = matrix(&state);
        assert_eq!(model.name, "dpasw.s8.s4.8.2");
        assert_eq!(model.layout.rc(), 4, "of the last valid program");
    }

    #[test]
    fn choices_are_reset_by_another_text() {
        let mut state = State::of_text(TEXT);
        state.act(MatrixAction::ByTable(true));
        assert!(matrix(&state).shows_table());
        reshape(&mut state, S8, S4, 8);
        assert!(!matrix(&state).shows_table(), "no contradiction");
        state.act(ProgramAction::ResetText);
        assert_eq!(state.matrix_view, Default::default());
    }
}
