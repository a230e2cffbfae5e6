//! The registers of a warp: lanes down, registers across.

use super::cells::{Cell, Notation, cut};
use super::inspect::{Chosen, Place};
use super::{RegisterFormat, State};
use lanewise_core::isa::sass::warp::{predicate_address, register_address, register_at};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;

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
    /// The predicates that the program names, old and new.
    pub(crate) predicates: Vec<Bit>,
    /// The registers that the program names, cut into elements.
    pub(crate) registers: Vec<Register>,
    /// The chosen cell, if it is this lane's.
    pub(crate) chosen: Option<Chosen>,
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
    pub(crate) lanes: Vec<WarpLane>,
}

impl State {
    /// The registers of the warp.
    pub(crate) fn warp(&self) -> Warp {
        let program = self.session.program();
        let warp = &program.symbols.sass;
        let chosen = self.chosen();
        let current = self.current_unit().map(|unit| unit.lane);
        let columns = self.columns();
        let lane = |lane: u8| WarpLane {
            lane,
            idle: match 1_u32 << lane {
                bit if warp.helper & bit != 0 => "helper",
                bit if warp.killed & bit != 0 => "killed",
                bit if warp.uncovered & bit != 0 => "no coverage",
                _ => "",
            },
            current: current == Some(lane),
            predicates: warp.predicates().map(|p| self.predicate(p, lane)).collect(),
            registers: (columns.iter())
                .map(|register| self.register(register_address(lane, *register)))
                .collect(),
            chosen: (chosen.as_ref())
                .filter(|c| self.warp_row(c.place) == Some(usize::from(lane)))
                .cloned(),
        };
        let predicates = warp.predicates().map(|p| format!("P{p}"));
        let registers = columns.iter().map(|r| match self.is_pair(*r) {
            true => format!("R{r}:R{}", r + 1),
            false => format!("R{r}"),
        });
        Warp {
            names: predicates.chain(registers).collect(),
            lanes: (0..32).map(lane).collect(),
        }
    }

    /// Whether a register is shown as one value with the next: an even one of
    /// two that are named, where elements have eight bytes.
    fn is_pair(&self, register: u8) -> bool {
        let (ty, _) = self.register_format.elements(ElementType::Ud);
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
    pub(super) fn warp_notation(&self, address: u64) -> Notation {
        let (ty, hex) = self.register_format.elements(ElementType::Ud);
        let register = u8::try_from(register_at(address).1).unwrap_or(u8::MAX);
        if ty.bytes() == 8 && !self.is_pair(register & !1) {
            return Notation {
                ty: ElementType::Ud,
                hex: true,
            };
        }
        // Registers of a warp are declared nowhere: as bits, then.
        let bits = self.register_format == RegisterFormat::Declared;
        Notation {
            ty,
            hex: hex || bits,
        }
    }

    /// The cells of a lane's row.
    pub(super) fn warp_places(&self, lane: usize) -> Vec<Place> {
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
    pub(super) fn warp_row(&self, place: Place) -> Option<usize> {
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
        let bytes = bytes.get_mut(..size).unwrap_or_default();
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
        let now = self.session.machine().load(flags, address, 4).unwrap_or(0);
        let changes = self.changes_in(flags, address, 4);
        let was = changes.first().map_or(now, |change| change.old);
        Bit {
            place: Place::of_bit(flags, address, lane),
            was: bit(was),
            now: bit(now),
        }
    }
}
