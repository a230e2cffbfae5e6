//! The registers of a warp: lanes down, registers across.

use super::{RegisterFormat, flag_word};
use crate::features::lanes::model::current_unit;
use crate::features::machine::cells::{Cell, Notation, ScrollTarget, cut};
use crate::features::machine::inspect::{ChosenCell, Place};
use crate::store::{Request, State};
use lanewise_core::isa::sass::warp::{predicate_address, register_address, register_at};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use std::ops::Range;

/// Bytes of a register.
const BYTES: usize = 4;

/// The registers of one lane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WarpLane {
    pub(crate) lane: u8,
    /// Why it takes no part in anything; empty if it does.
    pub(crate) idle: &'static str,
    /// Whether the last step was its.
    pub(crate) current: bool,
    /// Its predicates and registers in the columns in view.
    pub(crate) values: Vec<Value>,
    /// The chosen cell, if it is this lane's.
    pub(crate) chosen: Option<ChosenCell>,
}

/// What a lane has in a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Predicate(Bit),
    Register(Register),
}

/// A lane's bit of a predicate: before the last step, and now.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bit {
    pub(crate) place: Place,
    pub(crate) was: bool,
    pub(crate) now: bool,
}

/// A lane's register, or pair of registers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Register {
    pub(crate) place: Place,
    pub(crate) notation: Notation,
    pub(crate) cells: Vec<Cell>,
}

/// The registers of a warp that the program names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Warp {
    /// `P0`, `R4`, in the order of the columns.
    pub(crate) names: Vec<String>,
    /// The columns in view, and a margin.
    pub(crate) columns: Range<usize>,
    /// Characters that a column needs.
    pub(crate) characters: usize,
    /// The first of the columns in view, and how many these are.
    pub(crate) visible: (usize, usize),
    pub(crate) jump: Option<Request<ScrollTarget>>,
    pub(crate) lanes: Vec<WarpLane>,
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WarpColumn {
    Predicate(u8),
    /// A register, or the first of a pair.
    Register(u8),
}

/// Columns left and right of those in view that are kept ready.
const MARGIN: usize = 2;

impl State {
    /// The registers of the warp, those in view.
    pub(crate) fn warp(&self) -> Warp {
        let warp = &self.session.program().symbols.sass;
        let chosen = self.chosen();
        let current = current_unit(&self.session).map(|unit| unit.lane);
        let all = self.all_columns();
        let view = &self.panes.register_view;
        let first = view.first_column.saturating_sub(MARGIN).min(all.len());
        let last = (view.first_column + view.columns + MARGIN).min(all.len());
        let columns = first..last.max(first);
        let value = |lane: u8, column: &WarpColumn| match *column {
            WarpColumn::Predicate(predicate) => Value::Predicate(self.predicate(predicate, lane)),
            WarpColumn::Register(register) => {
                Value::Register(self.register(register_address(lane, register)))
            }
        };
        let lane = |lane: u8| WarpLane {
            lane,
            idle: match 1_u32 << lane {
                bit if warp.helper & bit != 0 => "helper",
                bit if warp.killed & bit != 0 => "killed",
                bit if warp.uncovered & bit != 0 => "no coverage",
                _ => "",
            },
            current: current == Some(lane),
            values: (all[columns.clone()].iter())
                .map(|column| value(lane, column))
                .collect(),
            chosen: (chosen.as_ref())
                .filter(|c| self.warp_row(c.place) == Some(usize::from(lane)))
                .cloned(),
        };
        let name = |column: &WarpColumn| match *column {
            WarpColumn::Predicate(predicate) => format!("P{predicate}"),
            WarpColumn::Register(r) if self.is_pair(r) => format!("R{r}:R{}", r + 1),
            WarpColumn::Register(r) => format!("R{r}"),
        };
        let characters = all.iter().map(|column| match *column {
            WarpColumn::Predicate(_) => "false".len(),
            WarpColumn::Register(register) => {
                let notation = self.warp_notation(register_address(0, register));
                let elements = BYTES.div_ceil(usize::from(notation.ty.bytes()));
                elements * (notation.width() + 1)
            }
        });
        Warp {
            characters: characters.max().unwrap_or(0),
            names: all.iter().map(name).collect(),
            lanes: (0..32).map(lane).collect(),
            visible: (view.first_column, view.columns),
            jump: view.jump,
            columns,
        }
    }

    /// These columns are in view now: the first, and how many.
    pub(crate) fn scrolled_warp(&mut self, first: usize, count: usize) {
        let view = &mut self.panes.register_view;
        (view.first_column, view.columns) = (first, count);
    }

    fn all_columns(&self) -> Vec<WarpColumn> {
        let warp = &self.session.program().symbols.sass;
        let predicates = warp.predicates().map(WarpColumn::Predicate);
        let registers = self.columns().into_iter().map(WarpColumn::Register);
        predicates.chain(registers).collect()
    }

    /// The column that shows a register or a predicate.
    pub(crate) fn warp_column(&self, place: Place) -> Option<usize> {
        let shows = |column: &WarpColumn| match *column {
            WarpColumn::Predicate(predicate) => {
                place.space == SpaceId::flags(0) && place.bit().0 == predicate_address(predicate)
            }
            WarpColumn::Register(register) => {
                let own = u8::try_from(register_at(place.address).1).ok();
                let second = self.is_pair(register).then_some(register + 1);
                place.is_register() && (own == Some(register) || own == second && own.is_some())
            }
        };
        self.all_columns().iter().position(shows)
    }

    /// Whether a register is shown as one value with the next: an even one of
    /// two that are named, where elements have eight bytes.
    fn is_pair(&self, register: u8) -> bool {
        let (ty, _) = self.panes.register_format.elements(ElementType::Ud);
        let warp = &self.session.program().symbols.sass;
        let named = |wanted| warp.registers().any(|register| register == wanted);
        ty.bytes() == 8 && register.is_multiple_of(2) && named(register) && named(register + 1)
    }

    /// The registers that head a column.
    fn columns(&self) -> Vec<u8> {
        let registers = self.session.program().symbols.sass.registers();
        let second = |r: &u8| r % 2 == 1 && self.is_pair(r - 1);
        registers.filter(|r| !second(r)).collect()
    }

    /// How the elements of a lane's register are written.
    pub(crate) fn warp_notation(&self, address: u64) -> Notation {
        let (ty, hex) = self.panes.register_format.elements(ElementType::Ud);
        let register = u8::try_from(register_at(address).1).unwrap_or(u8::MAX);
        if ty.bytes() == 8 && !self.is_pair(register & !1) {
            return Notation {
                ty: ElementType::Ud,
                hex: true,
            };
        }
        // Registers of a warp are declared nowhere: as bits, then.
        let bits = self.panes.register_format == RegisterFormat::Declared;
        Notation {
            ty,
            hex: hex || bits,
        }
    }

    /// The cells of a lane's row.
    pub(crate) fn warp_places(&self, lane: usize) -> Vec<Place> {
        let Some(lane) = u8::try_from(lane).ok().filter(|lane| *lane < 32) else {
            return Vec::new();
        };
        let warp = &self.session.program().symbols.sass;
        let bit = |p| Place::of_bit(SpaceId::flags(0), predicate_address(p), lane);
        let mut places: Vec<Place> = warp.predicates().map(bit).collect();
        for register in self.columns() {
            let start = register_address(lane, register);
            let size = u64::from(self.warp_notation(start).ty.bytes());
            let cells = (0..(BYTES as u64 / size).max(1)).map(|i| start + i * size);
            places.extend(cells.map(|at| Place::new(SpaceId::registers(0), at)));
        }
        places
    }

    /// The row of a cell: its lane.
    pub(crate) fn warp_row(&self, place: Place) -> Option<usize> {
        match place.space.0 {
            0 => usize::try_from(register_at(place.address).0).ok(),
            2 => usize::try_from(place.bit().1).ok(),
            _ => None,
        }
    }

    fn register(&self, address: u64) -> Register {
        let file = SpaceId::registers(0);
        let notation = self.warp_notation(address);
        let mut bytes = [0; 2 * BYTES];
        let size = usize::from(notation.ty.bytes()).max(BYTES);
        let bytes = &mut bytes[..size];
        self.session.machine().space(file).read(address, bytes);
        let changes = self.changes_in(file, address, size as u64);
        Register {
            place: Place::new(file, address),
            notation,
            cells: cut(bytes, address, notation, &changes),
        }
    }

    fn predicate(&self, predicate: u8, lane: u8) -> Bit {
        let (flags, address) = (SpaceId::flags(0), predicate_address(predicate));
        let bit = |bits: u64| bits >> lane & 1 == 1;
        let now = u64::from(flag_word(self.session.machine(), flags, address));
        let changes = self.changes_in(flags, address, 4);
        let was = changes.first().map_or(now, |change| change.old);
        Bit {
            place: Place::of_bit(flags, address, lane),
            was: bit(was),
            now: bit(now),
        }
    }
}
