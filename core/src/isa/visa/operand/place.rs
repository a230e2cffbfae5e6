//! Element addresses of the lanes.

use super::{LaneRange, OperandFault, VisaThread, load_flags};
use crate::isa::schema::Direction;
use crate::isa::visa::declarations::{Declarations, address_element};
use crate::isa::visa::predefined::CHANNEL_ENABLE;
use crate::isa::visa::vector::{
    AddressId, DirectOperand, IndirectOperand, Region, Stride, VectorOperand,
};
use crate::isa::{AddressPath, ElementPlaces};
use crate::machine::{Machine, SpaceId};
use crate::number::{ElementType, set_bits};
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

/// Elements at regular distances, one for each lane: rows of 2^`width`
/// elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanePlace {
    pub(super) space: SpaceId,
    pub(super) ty: ElementType,
    base: u64,
    width: u32,
    /// Vertical and horizontal strides, in bytes.
    vertical: u64,
    horizontal: u64,
}

impl LanePlace {
    /// Elements side by side.
    pub(super) const fn contiguous(space: SpaceId, ty: ElementType, base: u64) -> Self {
        Self {
            space,
            ty,
            base,
            width: 5,
            vertical: 0,
            horizontal: ty.bytes() as u64,
        }
    }

    fn in_region(
        region: Region,
        direction: Direction,
        (space, ty, base): (SpaceId, ElementType, u64),
    ) -> Result<Self, OperandFault> {
        let bytes = |stride: Stride| {
            let elements = stride.elements().ok_or(OperandFault::Region)?;
            Ok(u64::from(elements) * u64::from(ty.bytes()))
        };
        let row = Self {
            horizontal: bytes(region.horizontal)?,
            ..Self::contiguous(space, ty, base)
        };
        if direction == Direction::Out {
            // A single row for any number of lanes.
            return match row.horizontal {
                0 => Err(OperandFault::Region),
                _ => Ok(row),
            };
        }
        // A row without a width is one element; without a vertical stride,
        // each row has an address of its own.
        let width = match region.width {
            Stride::NULL => 1,
            width => width.elements().ok_or(OperandFault::Region)?,
        };
        let width = width.checked_ilog2().ok_or(OperandFault::Region)?;
        let vertical = match region.vertical {
            Stride::NULL => 0,
            vertical => bytes(vertical)?,
        };
        // Rows of one element, or side by side, form a single row.
        let stride = if width == 0 { vertical } else { row.horizontal };
        let is_one_row = vertical == stride << width && !region.vertical.is_null();
        Ok(match is_one_row {
            true => Self {
                horizontal: stride,
                ..row
            },
            false => Self {
                width,
                vertical,
                ..row
            },
        })
    }

    /// The distance of the elements of a single row, in bytes.
    pub(super) fn stride(&self) -> Option<u64> {
        (self.width == 5).then_some(self.horizontal)
    }

    /// Elements at a distance of `bytes` from these.
    pub(super) fn moved(self, bytes: u32) -> Self {
        Self {
            base: self.base + u64::from(bytes),
            ..self
        }
    }

    /// Address of the element of a lane.
    #[inline]
    pub(super) fn address(&self, lane: usize) -> u64 {
        let lane = u64::try_from(lane).expect("there are 32 lanes");
        let (row, column) = (lane >> self.width, lane & ((1 << self.width) - 1));
        self.base + row * self.vertical + column * self.horizontal
    }

    /// Range of the register file that holds the elements of the first `lanes` lanes: first
    /// byte and length.
    pub(super) fn span(&self, lanes: u8) -> (u64, usize) {
        let last = usize::from(lanes).saturating_sub(1);
        let in_row = last.min((1 << self.width) - 1);
        let end_of_rows = self.address((last >> self.width) << self.width | in_row);
        let bytes = end_of_rows - self.base + u64::from(self.ty.bytes());
        (
            self.base,
            usize::try_from(bytes).expect("regions are bounded"),
        )
    }

    /// Computes the element addresses of a register operand. They are validated when
    /// accessed.
    pub(super) fn of(
        operand: &PlacedOperand,
        direction: Direction,
        lanes: LaneRange,
        machine: &Machine,
        thread: VisaThread<'_>,
    ) -> Result<Self, OperandFault> {
        if let Some(place) = operand.place_on(thread.number) {
            return Ok(place);
        }
        let operand = operand.operand;
        match operand {
            VectorOperand::Direct(direct) => channel_enable(direct, direction, lanes, thread),
            VectorOperand::Indirect(indirect) => {
                let place = Self::row(indirect, direction, 0, machine, thread)?;
                if let Some(lane) = set_bits(lanes.enabled).next() {
                    check_aligned(place.ty, lane, place.address(lane))?;
                }
                Ok(place)
            }
            _ => Err(OperandFault::Class(operand.class().name())),
        }
    }

    /// The elements of a direct operand in the register file, or the flags, of thread 0.
    fn direct(
        direct: DirectOperand,
        direction: Direction,
        symbols: &Declarations,
    ) -> Result<Self, OperandFault> {
        let variable = symbols.general(direct.id.0);
        let variable = variable.ok_or(OperandFault::Undeclared)?;
        let region = direct.region;
        if direction == Direction::In && (region.vertical.is_null() || region.width.is_null()) {
            return Err(OperandFault::Region);
        }
        let row = u64::from(direct.row) * u64::from(symbols.grf_bytes());
        let within = row + u64::from(direct.column) * u64::from(variable.ty.bytes());
        let (space, base) = match is_channel_enable(direct, direction, symbols) {
            // The active channels are the first dword of the flags.
            true => (SpaceId::flags(0), within),
            false => (SpaceId::registers(0), u64::from(variable.offset) + within),
        };
        Self::in_region(region, direction, (space, variable.ty, base))
    }

    /// A row of an indirect operand whose rows have separate addresses.
    fn row(
        indirect: IndirectOperand,
        direction: Direction,
        row: u8,
        machine: &Machine,
        thread: VisaThread<'_>,
    ) -> Result<Self, OperandFault> {
        let ty = indirect.ty.element();
        let ty = ty.ok_or(OperandFault::Type(indirect.ty.name()))?;
        let address = load_address(indirect.id, indirect.element, row, machine, thread)?;
        let base = address.wrapping_add_signed(i32::from(indirect.offset.0));
        let registers = SpaceId::registers(thread.number);
        Self::in_region(indirect.region, direction, (registers, ty, base.into()))
    }
}

/// Element addresses of an indirect operand whose rows have separate addresses, one per
/// enabled lane.
pub(super) fn scattered(
    indirect: IndirectOperand,
    lanes: LaneRange,
    machine: &Machine,
    thread: VisaThread<'_>,
) -> Result<(LanePlace, [u64; 32]), OperandFault> {
    let row = |row| LanePlace::row(indirect, Direction::In, row, machine, thread);
    let first = row(0)?;
    let mut addresses = [0; 32];
    for lane in set_bits(lanes.enabled) {
        let place = row(lane_number(lane >> first.width))?;
        addresses[lane] = place.address(lane);
        check_aligned(place.ty, lane, addresses[lane])?;
    }
    Ok((first, addresses))
}

/// Bytes of the register file that hold the elements of a direct operand, and the distance of
/// the elements if it is regular.
pub(in crate::isa::visa) fn span_of(
    direct: DirectOperand,
    direction: Direction,
    lanes: u8,
    symbols: &Declarations,
) -> Option<(Range<u32>, Option<u64>)> {
    let place = LanePlace::direct(direct, direction, symbols).ok()?;
    let (start, bytes) = place.span(lanes);
    let (start, bytes) = (u32::try_from(start).ok()?, u32::try_from(bytes).ok()?);
    let stride = match lanes {
        1 => Some(0),
        _ => place.stride(),
    };
    let is_register = place.space == SpaceId::registers(0);
    is_register.then_some((start..start.checked_add(bytes)?, stride))
}

fn check_aligned(ty: ElementType, lane: usize, byte: u64) -> Result<(), OperandFault> {
    match byte.is_multiple_of(u64::from(ty.bytes())) {
        true => Ok(()),
        false => Err(OperandFault::Misaligned {
            lane: lane_number(lane),
            byte,
        }),
    }
}

/// Location of the elements that lanes read; `None` for operands that are not in
/// registers. Lanes that are not enabled have a place only in regular regions.
///
/// # Errors
/// If an element of an enabled lane does not exist.
pub(in crate::isa::visa) fn source_places(
    placed: &PlacedOperand,
    lanes: LaneRange,
    machine: &Machine,
    thread: VisaThread<'_>,
) -> Result<Option<ElementPlaces>, OperandFault> {
    let operand = placed.operand;
    let region = match operand {
        VectorOperand::Direct(direct) => direct.region,
        VectorOperand::Indirect(indirect) => indirect.region,
        _ => return Ok(None),
    };
    let mut paths = Vec::new();
    let (place, addresses) = match operand {
        VectorOperand::Indirect(indirect) if region.vertical.is_null() => {
            let (place, addresses) = scattered(indirect, lanes, machine, thread)?;
            let rows = set_bits(lanes.enabled).map(|lane| lane_number(lane >> place.width));
            for row in rows {
                paths.push(address_path(indirect, row, machine, thread)?);
            }
            paths.dedup();
            (place, addresses)
        }
        _ => {
            let place = LanePlace::of(placed, Direction::In, lanes, machine, thread)?;
            if let VectorOperand::Indirect(indirect) = operand {
                paths.push(address_path(indirect, 0, machine, thread)?);
            }
            (place, core::array::from_fn(|lane| place.address(lane)))
        }
    };
    let elements = |stride: Stride| stride.elements().map(u32::from);
    Ok(Some(ElementPlaces {
        space: place.space,
        addresses,
        region: [region.vertical, region.width, region.horizontal].map(elements),
        paths,
    }))
}

/// The address element that a row of an indirect operand uses.
fn address_path(
    indirect: IndirectOperand,
    row: u8,
    machine: &Machine,
    thread: VisaThread<'_>,
) -> Result<AddressPath, OperandFault> {
    let value = load_address(indirect.id, indirect.element, row, machine, thread)?;
    let variable = thread.symbols.address_variable(indirect.id.0);
    let variable = variable.ok_or(OperandFault::Undeclared)?;
    let element = u32::from(indirect.element) + u32::from(row);
    Ok(AddressPath {
        name: format!("{}[{element}]", variable.name),
        value,
        offset: indirect.offset.0,
    })
}

/// Value of an address element: a byte address in the register file.
pub(super) fn load_address(
    id: AddressId,
    first: u8,
    index: u8,
    machine: &Machine,
    thread: VisaThread<'_>,
) -> Result<u32, OperandFault> {
    let at = address_place(id, first, index, thread)?;
    load_flags(machine, thread.number, at).ok_or(OperandFault::Undeclared)
}

/// Address of an address element in the flags space.
pub(super) fn address_place(
    id: AddressId,
    first: u8,
    index: u8,
    thread: VisaThread<'_>,
) -> Result<u64, OperandFault> {
    let variable = thread.symbols.address_variable(id.0);
    let elements = variable.ok_or(OperandFault::Undeclared)?.elements;
    let element = u32::from(first) + u32::from(index);
    let fault = OperandFault::AddressElement { element };
    if element >= elements {
        return Err(fault);
    }
    let element = u8::try_from(element).map_err(|_| fault)?;
    Ok(address_element(id.0, element))
}

pub(super) fn lane_number(lane: usize) -> u8 {
    u8::try_from(lane).expect("there are 32 lanes")
}

pub(super) fn out_of_registers(lane: usize, byte: u64) -> OperandFault {
    OperandFault::OutOfRegisters {
        lane: lane_number(lane),
        byte,
    }
}

/// Whether the operand reads `%ce0` or an alias of it.
fn is_channel_enable(direct: DirectOperand, direction: Direction, symbols: &Declarations) -> bool {
    let variable = symbols.general(direct.id.0);
    let id = variable.map_or(direct.id.0, |v| v.storage.unwrap_or(direct.id.0));
    direction == Direction::In && id == CHANNEL_ENABLE
}

/// The elements of a direct operand that has no [`PlacedOperand::place`]: it reads the active
/// channels, or faults.
fn channel_enable(
    direct: DirectOperand,
    direction: Direction,
    lanes: LaneRange,
    thread: VisaThread<'_>,
) -> Result<LanePlace, OperandFault> {
    if direct.is_null() {
        return Err(OperandFault::NullSource);
    }
    let place = LanePlace {
        space: SpaceId::flags(thread.number),
        ..LanePlace::direct(direct, direction, thread.symbols)?
    };
    let end = |lane| place.address(lane) + u64::from(place.ty.bytes());
    match set_bits(lanes.enabled).find(|lane| end(*lane) > 4) {
        Some(lane) => Err(out_of_registers(lane, place.address(lane))),
        None => Ok(place),
    }
}

/// An operand, with the place of its elements on thread 0 if all issues have it in common.
#[derive(Clone, Copy, Debug)]
pub struct PlacedOperand {
    pub operand: VectorOperand,
    ty: Option<ElementType>,
    pub(super) place: Option<LanePlace>,
}

impl PlacedOperand {
    /// Finds the type and the place of an operand.
    #[must_use]
    pub fn of(operand: VectorOperand, direction: Direction, symbols: &Declarations) -> Self {
        let ty = match operand {
            VectorOperand::Immediate(immediate) if let Some(packed) = immediate.ty.packed() => {
                Some(packed.element())
            }
            VectorOperand::Address { .. }
            | VectorOperand::State { .. }
            | VectorOperand::Predicate(_) => Some(ElementType::Ud),
            _ => operand.element_type(symbols),
        };
        let place = match operand {
            VectorOperand::Direct(direct)
                if !direct.is_null() && !is_channel_enable(direct, direction, symbols) =>
            {
                LanePlace::direct(direct, direction, symbols).ok()
            }
            _ => None,
        };
        Self { operand, ty, place }
    }

    /// The place of its elements on a thread, if all issues have it in common.
    #[inline]
    pub(super) fn place_on(&self, thread: u8) -> Option<LanePlace> {
        let space = SpaceId::registers(thread);
        self.place.map(|place| LanePlace { space, ..place })
    }

    /// Type of its elements.
    ///
    /// # Errors
    /// If it has no elements.
    pub fn ty(&self) -> Result<ElementType, OperandFault> {
        self.ty
            .ok_or(OperandFault::Class(self.operand.class().name()))
    }
}
