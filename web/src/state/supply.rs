//! The picture of a matrix multiply-add.

use super::State;
use lanewise_core::isa::visa::matrix::operands::{Operands, widen};
use lanewise_core::isa::visa::matrix::{MultiplyAdd, Shape, Source, Supply};
use lanewise_core::machine::SpaceId;
use lanewise_core::program::ProgramInstruction;
use std::rc::Rc;

/// An element of Dst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) eu: u8,
    pub(crate) row: u8,
    pub(crate) channel: u8,
}

/// What a reader looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether the document's table is shown where it contradicts the formula.
    pub(crate) by_table: bool,
    /// The register of the combined Src2 that was chosen.
    pub(crate) register: Option<u8>,
    pub(super) element: Element,
}

impl Look {
    /// Where a register of the combined Src2 comes from.
    pub(crate) fn source(&self, supply: Supply, register: u8) -> Option<Source> {
        match self.by_table && supply.differs() {
            true => supply.table_source(register),
            false => supply.source(register),
        }
    }

    /// The element of Dst that was chosen, or the nearest one there is.
    pub(crate) fn element(&self, shape: Shape, eus: u8) -> Element {
        Element {
            eu: self.element.eu.min(eus - 1),
            row: self.element.row.min(shape.rc() - 1),
            channel: self.element.channel.min(shape.channels() - 1),
        }
    }
}

/// The picture of a matrix multiply-add.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SupplyView {
    /// The instruction as it is written, or as it runs where that has errors.
    pub(crate) multiply: MultiplyAdd,
    /// `dpasw.s8.s4.8.4`
    pub(crate) name: String,
    /// From 1.
    pub(crate) line: u32,
    pub(crate) shape: Shape,
    /// Which EU supplies which register of Src2, where the EUs share it.
    pub(crate) supply: Option<Supply>,
    pub(crate) look: Look,
    /// The matrices of the last text that could run.
    pub(crate) product: Option<Product>,
}

/// The matrices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Product {
    pub(crate) operands: Rc<Operands>,
    /// The repeat and the depth stage of the last step.
    pub(crate) at: Option<(u8, u8)>,
    /// Dst as it is now, as bits of the type of the sums; of the row that is
    /// worked on the running sums.
    /// By EU, row and channel.
    pub(crate) dst: Vec<Vec<Vec<u32>>>,
}

pub(super) fn matrix(placed: &ProgramInstruction) -> Option<&MultiplyAdd> {
    placed.instruction.matrix()
}

impl State {
    /// The picture of the instruction at hand, if it is a matrix multiply-add.
    pub(crate) fn supply(&self) -> Option<SupplyView> {
        self.running_matrix().and_then(|_| self.supply_view())
    }

    fn supply_view(&self) -> Option<SupplyView> {
        let placed = self.written_matrix().or_else(|| self.running_matrix())?;
        let written = matrix(placed)?;
        let running = matrix(self.running_matrix()?)?;
        let shown = if written.shape().is_some() {
            written
        } else {
            running
        };
        let mut name = placed.instruction.spec().mnemonics[0].to_owned();
        written.suffix.print(&mut name);
        Some(SupplyView {
            multiply: *written,
            name,
            line: placed.line + 1,
            shape: shown.shape()?,
            supply: shown.supply(),
            look: self.look,
            product: self.product(running),
        })
    }

    /// The matrix multiply-add at hand in the program that runs.
    fn running_matrix(&self) -> Option<&ProgramInstruction> {
        let index = self.session.current_instruction()?;
        let placed = self.session.program().instructions.get(index)?;
        matrix(placed).map(|_| placed)
    }

    /// The same in the text as it stands, which may have errors: the one of
    /// the same number among all of them.
    pub(super) fn written_matrix(&self) -> Option<&ProgramInstruction> {
        let index = self.session.current_instruction()?;
        let before = self.session.program().instructions.get(..index)?;
        let number = before.iter().filter_map(matrix).count();
        let all = self.written.instructions.iter();
        all.filter(|placed| matrix(placed).is_some()).nth(number)
    }

    fn product(&self, running: &MultiplyAdd) -> Option<Product> {
        let session = &self.session;
        let names = &session.program().symbols;
        let matrix = session.matrix(session.current_instruction()?)?;
        let at = matrix.at.map(|at| (at.row, at.d));
        let start = running.dst.element_offset(&names.visa, 0, 1)?;
        let operands = matrix.operands;
        let (shape, ty) = (operands.shape, operands.types.dst);
        let load = |space, address, bytes| {
            session.machine().load(space, address, bytes).unwrap_or(0) as u32
        };
        let value = |eu, row: u8, channel: u8| {
            if at.is_some_and(|(repeat, _)| repeat == row) {
                return load(SpaceId::accumulators(eu), u64::from(channel) * 4, 4);
            }
            let element = u64::from(row) * u64::from(shape.channels()) + u64::from(channel);
            let address = start + element * u64::from(ty.bytes());
            widen(load(SpaceId::registers(eu), address, ty.bytes()), ty)
        };
        let row = |eu, row| (0..shape.channels()).map(|c| value(eu, row, c)).collect();
        let dst = (0..operands.eu_count())
            .map(|eu| (0..shape.rc()).map(|r| row(eu, r)).collect())
            .collect();
        Some(Product {
            operands: Rc::new(operands),
            at,
            dst,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Reshape, Saved};

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

    fn choose(state: &mut State, name: &str, change: fn(usize) -> Reshape) {
        let view = state.supply().unwrap();
        let mut known = view.multiply.variant.precisions.iter();
        let index = known.position(|p| p.name() == name).unwrap();
        state.apply(Action::Reshape(change(index)));
    }

    #[test]
    fn the_picture_follows_the_instruction_at_hand() {
        let mut state = with(TEXT);
        let view = state.supply().unwrap();
        assert_eq!((&*view.name, view.line), ("dpasw.s8.s4.8.4", 8));
        state.apply(Action::ToEnd);
        let view = state.supply().unwrap();
        assert_eq!((&*view.name, view.line), ("dpasw.s8.s8.8.1", 9));
        assert_eq!(with("").supply(), None);
        let atomic = State::new(Saved::default());
        assert_eq!(atomic.supply(), None);
    }

    #[test]
    fn another_repeat_count_is_an_edit_of_the_text() {
        let mut state = with(TEXT);
        state.apply(Action::Reshape(Reshape::Rc(0)));
        assert_eq!(*state.text(), *TEXT.replace(".s8.s4.8.4", ".s8.s4.8.1"));
        let summary = state.supply().unwrap().supply.unwrap().summary();
        assert!(summary.contains("RC 1: NGrf 1"), "{summary}");
        let caret = state.caret().unwrap();
        let end = TEXT.find(".8.4").unwrap() as u32 + 4;
        assert_eq!((caret.selection, caret.focus), ((end, end), false));
        state.apply(Action::ToEnd);
        state.apply(Action::Reshape(Reshape::Rc(7)));
        assert!(state.text().contains(".s8.s8.8.8"), "the second of them");
    }

    #[test]
    fn floats_take_the_other_precision_and_the_sums_along() {
        let mut state = with(TEXT);
        choose(&mut state, "bf", Reshape::W);
        assert!(state.text().contains("dpasw.bf.bf.8.4"));
        assert!(state.text().contains(".decl V32 v_type=G type=f "));
        assert!(state.text().contains(".decl V34 v_type=G type=d "));
        let end = state.text().find("bf.8.4").unwrap() as u32 + 6;
        assert_eq!(state.caret().unwrap().selection.0, end);
        choose(&mut state, "u2", Reshape::A);
        assert!(state.text().contains("dpasw.u2.u2.8.4"));
        assert!(state.text().contains(".decl V32 v_type=G type=d "));
        choose(&mut state, "s8", Reshape::W);
        assert!(state.text().contains("dpasw.s8.u2.8.4"), "integers mix");
        assert!(state.can_run());
    }

    #[test]
    fn declarations_grow_to_what_is_needed() {
        let small = TEXT.replace("num_elts=64", "num_elts=8");
        assert!(!with(&small).can_run());
        let small = small
            .replace("8.4 (M1", "8.1 (M1")
            .replace("=d num_elts=8", "=d num_elts=64");
        let mut state = with(&small);
        assert!(state.can_run());
        state.apply(Action::Reshape(Reshape::Rc(7)));
        assert!(state.can_run());
        assert!(
            state
                .text()
                .contains(".decl V35 v_type=G type=ud num_elts=16 ")
        );
        state.apply(Action::Reshape(Reshape::Rc(0)));
        assert!(state.text().contains("num_elts=16"), "and do not shrink");
    }

    #[test]
    fn it_can_be_rewritten_while_the_text_has_errors() {
        let mut state = with(TEXT);
        state.apply(Action::Edit(format!("{TEXT}\n.inti V32 = 1\n")));
        assert!(!state.can_run());
        state.apply(Action::Reshape(Reshape::Rc(1)));
        let view = state.supply().unwrap();
        assert_eq!(view.name, "dpasw.s8.s4.8.2");
        assert_eq!(view.shape.rc(), 2);
        let product = view.product.unwrap();
        assert_eq!(product.operands.shape.rc(), 4, "of the last that could run");
    }

    #[test]
    fn rows_show_sums_while_they_are_worked_on() {
        let mut state = with(TEXT);
        let product = |state: &State| state.supply().unwrap().product.unwrap();
        let first = product(&state);
        assert_eq!((first.at, first.dst[0][0].clone()), (None, vec![1; 8]));
        // Stages of 4 products: 1 × 2, and in the rows of EU1's register 1 × 3.
        state.apply(Action::Seek(8 + 3));
        let now = product(&state);
        assert_eq!(now.at, Some((1, 2)));
        let rows: Vec<u32> = now.dst[1].iter().map(|row| row[7]).collect();
        assert_eq!(rows[..4], [1 + 32 * 2, 1 + 12 * 2, 1, 1]);
        assert_eq!(now.operands, first.operands, "as before the instruction");
        state.apply(Action::Seek(32));
        let rows: Vec<u32> = product(&state).dst[0].iter().map(|row| row[0]).collect();
        assert_eq!(rows[..4], [65, 65, 97, 97]);
    }

    #[test]
    fn the_table_is_shown_where_it_differs() {
        let mut state = with(TEXT);
        let of_r1 = |state: &State| {
            let view = state.supply().unwrap();
            view.look.source(view.supply.unwrap(), 1).unwrap().eu
        };
        assert_eq!(of_r1(&state), 1);
        state.apply(Action::ByTable(true));
        assert_eq!(of_r1(&state), 0);
        state.apply(Action::Reshape(Reshape::Rc(7)));
        assert_eq!(of_r1(&state), 0);
        let element = Element {
            eu: 1,
            row: 7,
            channel: 3,
        };
        state.apply(Action::Element(element));
        state.apply(Action::Reshape(Reshape::Rc(3)));
        let view = state.supply().unwrap();
        let shape = view.shape;
        assert_eq!(view.look.element(shape, 2), Element { row: 3, ..element });
        state.apply(Action::ResetText);
        assert_eq!(state.look, Look::default(), "another text, another look");
    }
}
