//! Reducer of the matrix view.

use super::{MatrixAction, MatrixViewOptions, instruction_in_editor};
use crate::features::screen::DrawerTab;
use crate::store::State;
use lanewise_core::isa::visa::matrix::MultiplyAdd;
use lanewise_core::program::ProgramInstruction;

impl State {
    /// Model of the current instruction, if it is a matrix instruction.
    #[cfg(test)]
    pub(crate) fn matrix(&self) -> Option<super::MatrixModel> {
        super::MatrixModel::new(&self.session, &self.source.document.program, self.look)
    }

    /// The current matrix instruction in the text, which may have errors
    /// elsewhere.
    pub(crate) fn written_matrix(&self) -> Option<(&ProgramInstruction, &MultiplyAdd)> {
        let placed = instruction_in_editor(&self.session, &self.source.document.program)?;
        Some((placed, placed.instruction.matrix()?))
    }

    pub(crate) fn apply_matrix(&mut self, action: MatrixAction) {
        match action {
            MatrixAction::Reshape(suffix) => self.reshape(suffix),
            MatrixAction::FillFactors => self.fill_factors(),
            choice => {
                self.look.apply(choice);
                // A narrow window shows the products below the picture.
                if self.look.element.is_some() && !self.screen.compact {
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
    use crate::store::{Action, Saved};
    use Precision::{Bf, S4, S8, U2};
    use lanewise_core::isa::visa::matrix::{MatrixSuffix, Precision};

    const TEXT: &str = "\
.decl V32 v_type=G type=d num_elts=64 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
.decl V35 v_type=G type=ud num_elts=64 align=GRF
.init V32 = splat(1)
.init V34 = splat(0x01010101)
.init EU0.V35 = splat(0x22222222)
.init EU1.V35 = splat(0x33333333)
dpasw.s8.s4.8.4 (M1, 8) V32.0 V32.0 V34.0 V35(0,0) // ä
dpasw.s8.s8.8.1 (M1, 8) V32.0 V32.0 V34.0 V35(0,0)
";

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
    fn sum_types_follow_the_precisions() {
        let mut state = with(TEXT);
        reshape(&mut state, Bf, Bf, 4);
        assert!(state.text().contains("dpasw.bf.bf.8.4"));
        assert!(state.text().contains(".decl V32 v_type=G type=f "));
        assert!(state.text().contains(".decl V34 v_type=G type=d "));
        reshape(&mut state, U2, U2, 4);
        assert!(state.text().contains("dpasw.u2.u2.8.4"));
        assert!(state.text().contains(".decl V32 v_type=G type=d "));
        assert!(state.can_run());
    }

    #[test]
    fn factors_of_another_type_are_replaced() {
        let is_unfit = |state: &State| state.matrix().unwrap().has_unfit_factors();
        let (first, _) = TEXT.split_once("dpasw.s8.s8").unwrap();
        let mut state = with(first);
        assert!(!is_unfit(&state));
        reshape(&mut state, Bf, Bf, 4);
        assert!(is_unfit(&state) && state.matrix().unwrap().factors_are_initial);
        state.act(Action::Matrix(MatrixAction::FillFactors));
        assert!(!is_unfit(&state) && state.can_run());
        let inits = ".init V32 = splat(1)\n\
            .init V34 = splat(0x3f803f80)\n.init V35 = splat(0x40003f80)\ndpasw";
        assert!(state.text().contains(inits), "{}", state.text());
    }

    #[test]
    fn declarations_grow_as_needed() {
        let small = TEXT.replace("num_elts=64", "num_elts=8");
        assert!(!with(&small).can_run());
        let small = small
            .replace("8.4 (M1", "8.1 (M1")
            .replace("=d num_elts=8", "=d num_elts=64");
        let mut state = with(&small);
        assert!(state.can_run());
        reshape(&mut state, S8, S4, 8);
        assert!(state.can_run());
        let grown = ".decl V35 v_type=G type=ud num_elts=16 ";
        assert!(state.text().contains(grown));
        reshape(&mut state, S8, S4, 1);
        assert!(state.text().contains("num_elts=16"), "without shrinking");
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
        assert_eq!(state.look, Default::default());
    }
}
