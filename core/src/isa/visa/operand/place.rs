//! Where the elements of lanes lie.

use super::{LaneRange, OperandFault, VisaThread, load_flags};
use crate::isa::visa::declarations::{General, address_element};
use crate::isa::visa::predefined::CHANNEL_ENABLE;
use crate::isa::visa::vector::{
    AddressId, DirectOperand, IndirectOperand, Region, Stride, VectorOperand,
};
use crate::machine::{Machine, SpaceId};
use crate::number::{ElementType, set_bits};

/// Addresses of one element for each lane.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) space: SpaceId,
    pub(super) ty: ElementType,
    pub(super) addresses: [u64; 32],
}

/// Which way elements go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Source,
    Destination,
}

/// Distances of elements in bytes: rows of 2^`width` elements.
#[derive(Clone, Copy)]
struct Steps {
    width: u32,
    vertical: u64,
    horizontal: u64,
}

impl Steps {
    fn new(region: Region, direction: Direction, ty: ElementType) -> Result<Self, OperandFault> {
        let bytes = |stride: Stride| {
            let elements = stride.elements().ok_or(OperandFault::Region)?;
            Ok(u64::from(elements) * u64::from(ty.bytes()))
        };
        let horizontal = bytes(region.horizontal)?;
        if direction == Direction::Destination {
            return match horizontal {
                0 => Err(OperandFault::Region),
                // One row, however many lanes there are.
                _ => Ok(Self {
                    width: 5,
                    vertical: 0,
                    horizontal,
                }),
            };
        }
        // Without a width, each row is one element.
        let width = match region.width {
            Stride::NULL => 1,
            width => width.elements().ok_or(OperandFault::Region)?,
        };
        Ok(Self {
            width: width.checked_ilog2().ok_or(OperandFault::Region)?,
            vertical: match region.vertical {
                Stride::NULL => 0,
                vertical => bytes(vertical)?,
            },
            horizontal,
        })
    }

    /// Address of each lane, for an address of each row.
    fn addresses(self, count: u8, row_start: impl Fn(u64) -> u64) -> [u64; 32] {
        let mut addresses = [0; 32];
        for (lane, address) in (0..u64::from(count)).zip(&mut addresses) {
            let (row, column) = (lane >> self.width, lane & ((1 << self.width) - 1));
            *address = row_start(row) + row * self.vertical + column * self.horizontal;
        }
        addresses
    }
}

impl Place {
    /// Finds the elements of an operand in registers. Whether they exist shows
    /// when they are read or written.
    pub(super) fn of(
        operand: VectorOperand,
        direction: Direction,
        lanes: LaneRange,
        machine: &Machine,
        thread: VisaThread<'_>,
    ) -> Result<Self, OperandFault> {
        match operand {
            VectorOperand::Direct(direct) => Self::direct(direct, direction, lanes, thread),
            VectorOperand::Indirect(indirect) => {
                Self::indirect(indirect, direction, lanes, machine, thread)
            }
            _ => Err(OperandFault::Class(operand.class().name())),
        }
    }

    fn direct(
        direct: DirectOperand,
        direction: Direction,
        lanes: LaneRange,
        thread: VisaThread<'_>,
    ) -> Result<Self, OperandFault> {
        let symbols = thread.symbols;
        let variable = symbols.general(direct.id.0);
        let variable = variable.ok_or(OperandFault::Undeclared)?;
        let region = direct.region;
        if direction == Direction::Source && (region.vertical.is_null() || region.width.is_null()) {
            return Err(OperandFault::Region);
        }
        let steps = Steps::new(region, direction, variable.ty)?;
        let row = u64::from(direct.row) * u64::from(symbols.grf_bytes());
        let within = row + u64::from(direct.column) * u64::from(variable.ty.bytes());
        let reads_mask = direction == Direction::Source && is_channel_enable(direct, variable);
        let (space, base) = match reads_mask {
            // The active channels: the first dword of the flags.
            true => (SpaceId::flags(thread.number), 0),
            false => (SpaceId::registers(thread.number), variable.offset),
        };
        let addresses = steps.addresses(lanes.count, |_| u64::from(base) + within);
        let size = u64::from(variable.ty.bytes());
        if reads_mask
            && let Some(lane) = set_bits(lanes.enabled).find(|lane| addresses[*lane] + size > 4)
        {
            return Err(out_of_registers(lane, addresses[lane]));
        }
        Ok(Self {
            space,
            ty: variable.ty,
            addresses,
        })
    }

    fn indirect(
        indirect: IndirectOperand,
        direction: Direction,
        lanes: LaneRange,
        machine: &Machine,
        thread: VisaThread<'_>,
    ) -> Result<Self, OperandFault> {
        let ty = indirect.ty.element();
        let ty = ty.ok_or(OperandFault::Type(indirect.ty.name()))?;
        let steps = Steps::new(indirect.region, direction, ty)?;
        let per_row = direction == Direction::Source && indirect.region.vertical.is_null();
        let rows = match per_row {
            true => (lanes.count >> steps.width).max(1),
            false => 1,
        };
        let mut starts = [0; 32];
        for (row, start) in (0..rows).zip(&mut starts) {
            let address = load_address(indirect.id, indirect.element, row, machine, thread)?;
            *start = u64::from(address.wrapping_add_signed(i32::from(indirect.offset.0)));
        }
        let start_of = |row: u64| {
            let row = if per_row { row } else { 0 };
            let start = usize::try_from(row).ok().and_then(|row| starts.get(row));
            start.copied().expect("there are as many rows as starts")
        };
        let addresses = steps.addresses(lanes.count, start_of);
        let size = u64::from(ty.bytes());
        let misaligned = |lane: &usize| !addresses[*lane].is_multiple_of(size);
        if let Some(lane) = set_bits(lanes.enabled).find(misaligned) {
            return Err(OperandFault::Misaligned {
                lane: lane_number(lane),
                byte: addresses[lane],
            });
        }
        Ok(Self {
            space: SpaceId::registers(thread.number),
            ty,
            addresses,
        })
    }
}

/// What an element of an address variable holds: a byte of the register file.
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

/// Where an element of an address variable lies in the flags.
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

/// Whether an operand names `%ce0` or an alias of it.
fn is_channel_enable(direct: DirectOperand, variable: General<'_>) -> bool {
    variable.storage.unwrap_or(direct.id.0) == CHANNEL_ENABLE
}
