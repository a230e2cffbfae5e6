//! Rows of a warp: one for each lane, with a column for each predicate and
//! register that the program uses.

use super::cells::{Cell, LastAccess};
use super::format::RegisterFormat;
use super::place::{CellKind, Place};
use super::{GridRow, GridShape, Grids, Layout, RowKind};
use crate::lanes::current_unit;
use crate::notation::Notation;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use lanewise_core::isa::sass::warp::{LANES, predicate_address, register_address, register_at};
use lanewise_core::machine::{SpaceId, SpaceKind};
use lanewise_core::number::ElementType;

/// Bytes per register.
const BYTES: usize = 4;

/// Column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WarpColumn {
    Predicate(u8),
    /// Register, or the first of a pair.
    Register(u8),
}

impl<'s> Grids<'s> {
    pub(super) fn warp_shape(&self) -> GridShape {
        let columns = self.warp_columns();
        let names = columns.iter().flat_map(|column| match *column {
            WarpColumn::Predicate(predicate) => vec![format!("P{predicate}")],
            WarpColumn::Register(r) if self.is_pair(r) => vec![format!("R{r}:R{}", r + 1)],
            WarpColumn::Register(r) => match self.elements_per_register(register_address(0, r)) {
                1 => vec![format!("R{r}")],
                count => (0..count).map(|i| format!("R{r}.{i}")).collect(),
            },
        });
        GridShape {
            rows: match columns.is_empty() {
                true => 0,
                false => u64::from(LANES),
            },
            heads: core::iter::once(String::from("Lane"))
                .chain(names)
                .collect(),
            layout: Layout::Warp(columns),
        }
    }

    pub(super) fn warp_row(&self, index: u64, columns: &[WarpColumn]) -> Option<GridRow> {
        let lane = u8::try_from(index).ok().filter(|lane| *lane < LANES)?;
        let warp = &self.session.program().symbols.sass;
        let cells = columns.iter().flat_map(|column| match *column {
            WarpColumn::Predicate(predicate) => vec![self.predicate(predicate, lane)],
            WarpColumn::Register(register) => self.register(register_address(lane, register)),
        });
        let bit = 1_u32 << lane;
        let kind = if warp.helper & bit != 0 {
            RowKind::InactiveLane("helper")
        } else if warp.killed & bit != 0 {
            RowKind::InactiveLane("killed")
        } else if warp.uncovered & bit != 0 {
            RowKind::InactiveLane("no coverage")
        } else if current_unit(self.session).is_some_and(|unit| unit.lane == lane) {
            RowKind::CurrentLane
        } else {
            RowKind::Values
        };
        Some(GridRow {
            kind,
            ..GridRow::new(index, lane.to_string(), cells.collect())
        })
    }

    /// Row of a cell, which is its lane, if a column shows it.
    pub(super) fn warp_row_of(&self, place: Place, columns: &[WarpColumn]) -> Option<u64> {
        columns.iter().find(|column| self.shows(**column, place))?;
        match place.space.kind() {
            SpaceKind::Registers(0) => Some(register_at(place.address).0),
            SpaceKind::Flags(0) => Some(place.bit().1),
            _ => None,
        }
    }

    fn warp_columns(&self) -> Vec<WarpColumn> {
        let warp = &self.session.program().symbols.sass;
        let predicates = warp.predicates().map(WarpColumn::Predicate);
        let registers = warp.registers();
        let registers = registers.filter(|r| r % 2 == 0 || !self.is_pair(r - 1));
        predicates
            .chain(registers.map(WarpColumn::Register))
            .collect()
    }

    fn shows(&self, column: WarpColumn, place: Place) -> bool {
        match column {
            WarpColumn::Predicate(predicate) => {
                place.space == SpaceId::flags(0) && place.bit().0 == predicate_address(predicate)
            }
            WarpColumn::Register(register) => {
                let own = u8::try_from(register_at(place.address).1).ok();
                let second = self.is_pair(register).then_some(register + 1);
                place.is_register() && (own == Some(register) || own == second && own.is_some())
            }
        }
    }

    /// Whether a column shows a register or predicate.
    pub(super) fn has_warp_column(&self, place: Place) -> bool {
        let columns = self.warp_columns();
        columns.into_iter().any(|column| self.shows(column, place))
    }

    /// Whether a register and its successor are shown as one 8-byte value: the
    /// register is even, the program uses both, and elements have eight bytes.
    fn is_pair(&self, register: u8) -> bool {
        let Notation { ty, .. } = self.view.register_format.notation(ElementType::Ud);
        let warp = &self.session.program().symbols.sass;
        let named = |wanted| warp.registers().any(|register| register == wanted);
        ty.bytes() == 8 && register.is_multiple_of(2) && named(register) && named(register + 1)
    }

    /// Notation of a lane's register elements.
    pub(super) fn warp_notation(&self, address: u64) -> Notation {
        let notation = self.view.register_format.notation(ElementType::Ud);
        let register = u8::try_from(register_at(address).1);
        let register = register.expect("columns show registers a program can name");
        if notation.ty.bytes() == 8 && !self.is_pair(register & !1) {
            return Notation {
                ty: ElementType::Ud,
                hex: true,
            };
        }
        // Warp registers are not declared, so the default is hexadecimal.
        let bits = self.view.register_format == RegisterFormat::Declared;
        Notation {
            hex: notation.hex || bits,
            ..notation
        }
    }

    fn register(&self, address: u64) -> Vec<Cell> {
        let notation = self.warp_notation(address);
        let count = self.elements_per_register(address);
        self.cells(SpaceId::registers(0), address, count, notation)
    }

    fn elements_per_register(&self, address: u64) -> usize {
        let notation = self.warp_notation(address);
        (BYTES / usize::from(notation.ty.bytes())).max(1)
    }

    fn predicate(&self, predicate: u8, lane: u8) -> Cell {
        let (flags, address) = (SpaceId::flags(0), predicate_address(predicate));
        let bit = |bits: u64| bits >> lane & 1;
        let now = u64::from(self.session.machine().flag_word(flags, address));
        let changes = self.changes_in(flags, address, 4);
        let was = changes.first().map_or(now, |change| change.old);
        let is_changed = bit(was) != bit(now);
        Cell {
            was: is_changed.then_some(bit(was)),
            access: match is_changed {
                true => LastAccess::Changed,
                false => LastAccess::None,
            },
            ..Cell::new(Place::of_bit(flags, address, lane), CellKind::Bit, bit(now))
        }
    }
}
