//! Model of the visible warp columns.

use super::{Bit, Register, Value, WarpLane, WarpModel};
use crate::features::lanes::units::current_unit;
use crate::features::state::cells::{Notation, cut};
use crate::features::state::flag_word;
use crate::features::state::format::RegisterFormat;
use crate::features::state::inputs::StateInputs;
use crate::features::state::place::Place;
use crate::features::state::rows::rows_with_chosen;
use lanewise_core::isa::sass::warp::{predicate_address, register_address, register_at};
use lanewise_core::machine::{SpaceId, SpaceKind};
use lanewise_core::number::ElementType;
use std::rc::Rc;

/// Bytes per register.
const BYTES: usize = 4;

/// Column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WarpColumn {
    Predicate(u8),
    /// Register, or the first of a pair.
    Register(u8),
}

/// Overscan: columns computed left and right of those in view.
const MARGIN: usize = 2;

impl StateInputs<'_> {
    /// Visible registers of the warp.
    pub(crate) fn warp_model(&self) -> WarpModel {
        let warp = &self.session.program().symbols.sass;
        let chosen = self.chosen_cell();
        let current = current_unit(self.session).map(|unit| unit.lane);
        let all = self.all_columns();
        let state = self.state_view.warp;
        let in_view = state.in_view.range();
        let near = in_view.start.saturating_sub(MARGIN)..in_view.end + MARGIN;
        let own = chosen.as_ref().map(|chosen| chosen.place);
        let own = own.and_then(|place| self.warp_column(place));
        let columns: Rc<[usize]> = rows_with_chosen(near, own, all.len()).collect();
        let value = |lane: u8, column: &WarpColumn| match *column {
            WarpColumn::Predicate(predicate) => Value::Predicate(self.predicate(predicate, lane)),
            WarpColumn::Register(register) => {
                Value::Register(self.register(register_address(lane, register)))
            }
        };
        let lane = |lane: u8| WarpLane {
            lane,
            idle: match 1_u32 << lane {
                bit if warp.helper & bit != 0 => Some("helper"),
                bit if warp.killed & bit != 0 => Some("killed"),
                bit if warp.uncovered & bit != 0 => Some("no coverage"),
                _ => None,
            },
            current: current == Some(lane),
            values: columns
                .iter()
                .map(|column| value(lane, &all[*column]))
                .collect(),
            chosen: (chosen.as_ref())
                .filter(|c| self.warp_row_of(c.place) == Some(usize::from(lane)))
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
        WarpModel {
            characters: characters.max().unwrap_or(0),
            names: all.iter().map(name).collect(),
            lanes: (0..32).map(lane).collect(),
            state,
            columns,
        }
    }

    fn all_columns(&self) -> Vec<WarpColumn> {
        let warp = &self.session.program().symbols.sass;
        let predicates = warp.predicates().map(WarpColumn::Predicate);
        let registers = self
            .column_registers()
            .into_iter()
            .map(WarpColumn::Register);
        predicates.chain(registers).collect()
    }

    /// Column that shows a register or predicate.
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

    /// Whether a register and its successor are shown as one 8-byte value: the
    /// register is even, the program uses both, and elements have eight bytes.
    fn is_pair(&self, register: u8) -> bool {
        let (ty, _) = self.state_view.register_format.elements(ElementType::Ud);
        let warp = &self.session.program().symbols.sass;
        let named = |wanted| warp.registers().any(|register| register == wanted);
        ty.bytes() == 8 && register.is_multiple_of(2) && named(register) && named(register + 1)
    }

    /// Registers that have a column of their own.
    fn column_registers(&self) -> Vec<u8> {
        let registers = self.session.program().symbols.sass.registers();
        let second = |r: &u8| r % 2 == 1 && self.is_pair(r - 1);
        registers.filter(|r| !second(r)).collect()
    }

    /// Notation of a lane's register elements.
    pub(crate) fn warp_notation(&self, address: u64) -> Notation {
        let (ty, hex) = self.state_view.register_format.elements(ElementType::Ud);
        let register = u8::try_from(register_at(address).1);
        let register = register.expect("columns show registers a program can name");
        if ty.bytes() == 8 && !self.is_pair(register & !1) {
            return Notation {
                ty: ElementType::Ud,
                hex: true,
            };
        }
        // Warp registers are not declared, so the default is hexadecimal.
        let bits = self.state_view.register_format == RegisterFormat::Declared;
        Notation {
            ty,
            hex: hex || bits,
        }
    }

    /// Cells of a lane's row.
    pub(crate) fn warp_row_places(&self, lane: usize) -> Vec<Place> {
        let Some(lane) = u8::try_from(lane).ok().filter(|lane| *lane < 32) else {
            return Vec::new();
        };
        let warp = &self.session.program().symbols.sass;
        let bit = |p| Place::of_bit(SpaceId::flags(0), predicate_address(p), lane);
        let mut places: Vec<Place> = warp.predicates().map(bit).collect();
        for register in self.column_registers() {
            let start = register_address(lane, register);
            let size = u64::from(self.warp_notation(start).ty.bytes());
            let cells = (0..(BYTES as u64 / size).max(1)).map(|i| start + i * size);
            places.extend(cells.map(|at| Place::new(SpaceId::registers(0), at)));
        }
        places
    }

    /// Row of a cell, which is its lane.
    pub(crate) fn warp_row_of(&self, place: Place) -> Option<usize> {
        match place.space.kind() {
            SpaceKind::Registers(0) => usize::try_from(register_at(place.address).0).ok(),
            SpaceKind::Flags(0) => usize::try_from(place.bit().1).ok(),
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
