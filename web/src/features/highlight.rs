//! What the pointer or the focus is on, lit alike wherever the page shows it:
//! in the stage, the tables, the grids of the state and the pseudo-code.
//!
//! A view that shows such a thing asks [`use_highlight`] whether it is lit,
//! and emits what the pointer or the focus is on.

#![allow(dead_code, reason = "the stages are about to use all of it")]

use crate::store::{Action, State};
use lanewise_core::isa::Unit;
use lanewise_core::machine::SpaceId;
use lanewise_core::session::LaneRow;
use std::rc::Rc;
use yew::prelude::*;

/// Bytes of an address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteRange {
    pub(crate) space: SpaceId,
    /// The first byte.
    pub(crate) address: u64,
    /// How many bytes there are.
    pub(crate) bytes: u64,
}

impl ByteRange {
    pub(crate) const fn new(space: SpaceId, address: u64, bytes: u64) -> Self {
        Self {
            space,
            address,
            bytes,
        }
    }

    /// Whether the two have a byte in common.
    pub(crate) const fn overlaps(self, other: Self) -> bool {
        self.space.0 == other.space.0
            && self.address < other.address.saturating_add(other.bytes)
            && other.address < self.address.saturating_add(self.bytes)
    }
}

/// A matrix of DPAS and DPASW: `D = C + A × B`, where A is Src2, B is Src1
/// and C is Src0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matrix {
    A,
    B,
    C,
    D,
}

/// An element of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatrixElement {
    pub(crate) eu: u8,
    pub(crate) matrix: Matrix,
    pub(crate) row: u16,
    pub(crate) column: u16,
}

/// Something that several views show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Highlight {
    /// A lane of the current instruction, or one of its channels.
    Lane(Unit),
    /// Bytes of a memory.
    Memory(ByteRange),
    /// Bytes of a register file.
    Register(ByteRange),
    /// A line of the pseudo-code of the current instruction, from 0.
    PseudocodeLine(usize),
    MatrixElement(MatrixElement),
}

/// Everything that is lit: what the pointer is on and what belongs to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Highlighted(Vec<Highlight>);

impl Highlighted {
    /// Whether a lane is lit. A unit without a channel is lit with any of its
    /// channels.
    pub(crate) fn has_lane(&self, unit: Unit) -> bool {
        self.0.iter().any(|lit| match lit {
            Highlight::Lane(lit) => {
                let channel =
                    lit.channel.is_none() || unit.channel.is_none() || lit.channel == unit.channel;
                (lit.eu, lit.lane) == (unit.eu, unit.lane) && channel
            }
            _ => false,
        })
    }

    /// Whether any byte of a range, of a memory or a register file, is lit.
    pub(crate) fn has_bytes(&self, range: ByteRange) -> bool {
        self.0.iter().any(|lit| match lit {
            Highlight::Memory(lit) | Highlight::Register(lit) => lit.overlaps(range),
            _ => false,
        })
    }

    /// The lit byte ranges that overlap `range`; for rows that are only drawn
    /// anew when theirs change.
    pub(crate) fn within(&self, range: ByteRange) -> Vec<ByteRange> {
        let bytes = self.0.iter().filter_map(|lit| match lit {
            Highlight::Memory(lit) | Highlight::Register(lit) => Some(*lit),
            _ => None,
        });
        bytes.filter(|lit| lit.overlaps(range)).collect()
    }

    /// Whether a line of the pseudo-code is lit.
    pub(crate) fn has_line(&self, line: usize) -> bool {
        self.0.contains(&Highlight::PseudocodeLine(line))
    }

    /// Whether an element of a matrix is lit.
    pub(crate) fn has_element(&self, element: MatrixElement) -> bool {
        self.0.contains(&Highlight::MatrixElement(element))
    }
}

impl State {
    /// Everything that is lit.
    pub(crate) fn highlighted(&self) -> Highlighted {
        let Some(highlight) = self.highlight() else {
            return Highlighted::default();
        };
        let mut lit = vec![highlight];
        let index = self.session().current_instruction();
        let rows = index.map_or_else(Vec::new, |index| self.session().lanes(index));
        match highlight {
            Highlight::Lane(unit) => {
                let one = Highlighted(vec![highlight]);
                let own = rows.iter().filter(|row| one.has_lane(row.unit));
                for row in own {
                    lit.extend(memory_of(row).map(Highlight::Memory));
                    lit.extend(returned_to(row).map(Highlight::Register));
                }
                if self.current_unit() == Some(unit) {
                    let line = self.pseudocode_state().map(|state| state.line);
                    lit.extend(line.map(Highlight::PseudocodeLine));
                }
            }
            Highlight::Memory(range) => {
                let touching =
                    (rows.iter()).filter(|row| memory_of(row).is_some_and(|r| r.overlaps(range)));
                lit.extend(touching.map(|row| Highlight::Lane(row.unit)));
            }
            Highlight::Register(range) => {
                let writing =
                    (rows.iter()).filter(|row| returned_to(row).is_some_and(|r| r.overlaps(range)));
                lit.extend(writing.map(|row| Highlight::Lane(row.unit)));
            }
            Highlight::PseudocodeLine(line) => {
                let current = self.pseudocode_state().map(|state| state.line);
                if current == Some(line) {
                    lit.extend(self.current_unit().map(Highlight::Lane));
                }
            }
            Highlight::MatrixElement(_) => {}
        }
        Highlighted(lit)
    }
}

/// The cell that a lane accesses.
fn memory_of(row: &LaneRow) -> Option<ByteRange> {
    let access = row.access.as_ref().filter(|access| access.in_bounds)?;
    Some(ByteRange::new(
        access.space,
        access.address,
        u64::from(access.bytes),
    ))
}

/// The bytes of the register file that receive a lane's returned value.
fn returned_to(row: &LaneRow) -> Option<ByteRange> {
    let access = row.access.as_ref()?;
    Some(ByteRange::new(
        SpaceId::registers(row.unit.eu),
        u64::from(access.dst?),
        u64::from(access.bytes),
    ))
}

/// What is lit, and how to light something else. Two contexts are equal if
/// the same is lit.
#[derive(Clone)]
pub(crate) struct HighlightContext {
    pub(crate) lit: Rc<Highlighted>,
    /// `None` lights nothing. What is lit already causes no action.
    pub(crate) set: Callback<Option<Highlight>>,
}

impl PartialEq for HighlightContext {
    fn eq(&self, other: &Self) -> bool {
        self.lit == other.lit
    }
}

impl HighlightContext {
    pub(crate) fn new(state: &State, dispatch: &Callback<Action>) -> Self {
        let (current, dispatch) = (state.highlight(), dispatch.clone());
        Self {
            lit: Rc::new(state.highlighted()),
            set: Callback::from(move |highlight| {
                if highlight != current {
                    dispatch.emit(Action::Highlight(highlight));
                }
            }),
        }
    }

    /// For `onmouseover`: lights something.
    pub(crate) fn over(&self, highlight: Highlight) -> Callback<MouseEvent> {
        self.set.reform(move |_| Some(highlight))
    }

    /// For `onmouseleave` of what holds all of them: lights nothing.
    pub(crate) fn leave(&self) -> Callback<MouseEvent> {
        self.set.reform(|_| None)
    }

    /// For `onfocusin`: lights something.
    pub(crate) fn focus(&self, highlight: Highlight) -> Callback<FocusEvent> {
        self.set.reform(move |_| Some(highlight))
    }

    /// For `onfocusout` of what holds all of them: lights nothing.
    pub(crate) fn blur(&self) -> Callback<FocusEvent> {
        self.set.reform(|_| None)
    }
}

/// What is lit, and how to light something else. A component that uses it is
/// drawn anew whenever that changes: hand down to its rows whether they are
/// lit.
///
/// # Panics
/// Outside of the page's context provider.
#[hook]
pub(crate) fn use_highlight() -> HighlightContext {
    use_context().expect("App provides the highlight to the whole page")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;
    use crate::features::transport::TransportAction;
    use crate::store::Saved;

    const TEXT: &str = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
         .slm 64\n.init V32 = 0, 8, 0, 4\n\
         dword_atomic.inc (M1, 4) %slm V32.0 %null.0 %null.0 V33.0\n";

    fn lit(state: &mut State, highlight: Highlight) -> Highlighted {
        state.apply(Action::Highlight(Some(highlight)));
        state.highlighted()
    }

    #[test]
    fn a_lane_a_cell_and_a_returned_value_light_each_other() {
        let mut state = State::new(Saved::default());
        state.apply(Action::Program(ProgramAction::Edit(TEXT.to_owned())));
        let slm = |address| ByteRange::new(SpaceId::SLM, address, 4);
        let lanes = |lit: &Highlighted| -> Vec<u8> {
            (0..4)
                .filter(|lane| lit.has_lane(Unit::lane(0, *lane)))
                .collect()
        };
        let lane = lit(&mut state, Highlight::Lane(Unit::lane(0, 1)));
        assert_eq!(lanes(&lane), [1]);
        assert!(lane.has_bytes(slm(8)) && !lane.has_bytes(slm(4)));
        let cell = lit(&mut state, Highlight::Memory(slm(0)));
        assert_eq!(lanes(&cell), [0, 2]);
        // Its second element of Dst.
        let range = lane.0.iter().find_map(|lit| match lit {
            Highlight::Register(range) => Some(*range),
            _ => None,
        });
        let register = lit(&mut state, Highlight::Register(range.unwrap()));
        assert_eq!(lanes(&register), [1]);
        state.apply(Action::Transport(TransportAction::Step));
        let current = lit(&mut state, Highlight::Lane(Unit::lane(0, 0)));
        let line = state.pseudocode_state().unwrap().line;
        assert!(current.has_line(line));
        assert_eq!(
            lanes(&lit(&mut state, Highlight::PseudocodeLine(line))),
            [0]
        );
        state.apply(Action::Program(ProgramAction::Edit(String::new())));
        assert_eq!(state.highlighted(), Highlighted::default());
    }
}
