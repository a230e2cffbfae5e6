//! The lanes of an atomic: operands latched at issue, then one access each.

use super::Atomic;
use crate::isa::rmw::Width;
use crate::isa::visa::operand::RawOperand;
use crate::isa::visa::operation::Operation;
use crate::isa::visa::raw::{LANES, lanes_of};
use crate::isa::{Access, FaultKind, Stage, Unit};
use crate::machine::{Change, Machine, Memory, Recorder, SpaceId, update_cell};
use crate::number::low_mask;
use alloc::vec::Vec;

/// Latches the lanes of an atomic. `cell` tells, for an address, what is
/// there.
pub fn issue(
    atomic: &Atomic,
    width: Width,
    address: (RawOperand, u8),
    space: SpaceId,
    stage: &Stage<'_>,
    cell: impl Fn(u64) -> Cell,
    out: &mut Vec<Access>,
) {
    let (operand, address_bytes) = address;
    let lanes = atomic.execution.size.lanes();
    let element = width.bytes().max(4);
    let dst = (!atomic.dst.is_null())
        .then(|| atomic.dst.element_offset(&stage.names.visa, 0, element))
        .flatten()
        .and_then(|offset| u32::try_from(offset).ok());
    let mask = low_mask(width.bits());
    let bytes = width.bytes();
    for eu in 0..stage.threads {
        let enabled = atomic.execution.enabled_on(stage, eu);
        if enabled == 0 {
            continue;
        }
        let addresses = lanes_of(operand, 0, address_bytes, lanes, eu, stage);
        let src0 = lanes_of(atomic.src0, 0, element, lanes, eu, stage);
        let src1 = lanes_of(atomic.src1, 0, element, lanes, eu, stage);
        out.reserve(LANES);
        let mut dst = dst;
        let operands = addresses.iter().zip(&src0).zip(&src1);
        for (lane, ((address, src0), src1)) in (0..lanes).zip(operands) {
            let returned_to = dst;
            dst = dst.map(|dst| dst + u32::from(element));
            if enabled & (1 << lane) == 0 {
                continue;
            }
            let (in_bounds, fault) = match cell(*address) {
                Cell::There => (true, None),
                Cell::OutOfBounds => (false, None),
                Cell::Fault(kind) => (false, Some(kind)),
            };
            out.push(Access {
                unit: Unit::lane(eu, lane),
                space,
                bytes,
                in_bounds,
                fault,
                address: *address,
                src0: src0 & mask,
                src1: src1 & mask,
                dst: returned_to,
            });
        }
    }
}

/// What is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A cell.
    There,
    /// Nothing: reads are zero, writes are dropped.
    OutOfBounds,
    /// Nothing that may be touched.
    Fault(FaultKind),
}

/// Makes accesses in turn: memory first, then the returned value. Only the
/// width's bytes of dst are written: in the 16-bit forms its upper half stays
/// (assumed).
pub fn perform<R: Recorder>(
    operation: Operation,
    width: Width,
    accesses: &[Access],
    machine: &mut Machine,
    recorder: &mut R,
) {
    for turn in accesses.chunk_by(|a, b| a.unit.eu == b.unit.eu && a.space == b.space) {
        match width {
            Width::W16 => perform_cells::<2, R>(operation, turn, machine, recorder),
            Width::W32 => perform_cells::<4, R>(operation, turn, machine, recorder),
            Width::W64 => perform_cells::<8, R>(operation, turn, machine, recorder),
        }
    }
}

/// Accesses of one EU to one space.
fn perform_cells<const BYTES: usize, R: Recorder>(
    operation: Operation,
    accesses: &[Access],
    machine: &mut Machine,
    recorder: &mut R,
) {
    let Some(first) = accesses.first() else {
        return;
    };
    let registers = SpaceId::registers(first.unit.eu);
    let Some([memory, file]) = machine.two_spaces(first.space, registers) else {
        return;
    };
    let mut rest = accesses;
    // Lanes mostly hit one page of memory and one of registers, so the pages
    // are looked up once for a run of lanes.
    while let Some(first) = rest.first() {
        let mut cells = memory.window(first.address);
        let mut slots = first.dst.and_then(|dst| file.window(u64::from(dst)));
        let mut done = 0;
        for access in rest {
            let cell = match &mut cells {
                _ if !access.in_bounds => None,
                Some(cells) => match cells.cell::<BYTES>(access.address) {
                    None => break,
                    cell => cell,
                },
                None => break,
            };
            let slot = match (access.dst, &mut slots) {
                (None, _) => None,
                (Some(dst), Some(slots)) => match slots.cell::<BYTES>(u64::from(dst)) {
                    None => break,
                    slot => slot,
                },
                (Some(_), None) => break,
            };
            perform_one(operation, access, cell, slot, recorder);
            done += 1;
        }
        if done == 0 {
            perform_across::<BYTES, R>(operation, first, memory, file, recorder);
            done = 1;
        }
        rest = rest.get(done..).unwrap_or(&[]);
    }
}

/// An access whose cell or slot straddles two pages: on copies, then stored.
#[cold]
fn perform_across<const BYTES: usize, R: Recorder>(
    operation: Operation,
    access: &Access,
    memory: &mut Memory,
    file: &mut Memory,
    recorder: &mut R,
) {
    let (mut cell, mut slot) = ([0; BYTES], [0; BYTES]);
    let mapped = access.in_bounds && memory.read(access.address, &mut cell) == BYTES;
    let dst = access.dst.map(u64::from);
    let wanted = dst.is_some_and(|dst| file.read(dst, &mut slot) == BYTES);
    perform_one(
        operation,
        access,
        mapped.then_some(&mut cell),
        wanted.then_some(&mut slot),
        recorder,
    );
    let value = |bytes: &[u8; BYTES]| {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(bytes) {
            *to = *from;
        }
        u64::from_le_bytes(word)
    };
    if mapped {
        memory.store(access.address, access.bytes, value(&cell));
    }
    if let Some(dst) = dst.filter(|_| wanted) {
        file.store(dst, access.bytes, value(&slot));
    }
}

/// One access: memory first, then the returned value. A missing cell is out of
/// bounds, a missing slot a null dst.
#[inline]
fn perform_one<const BYTES: usize, R: Recorder>(
    operation: Operation,
    access: &Access,
    cell: Option<&mut [u8; BYTES]>,
    slot: Option<&mut [u8; BYTES]>,
    recorder: &mut R,
) {
    let width = const {
        match BYTES {
            2 => Width::W16,
            4 => Width::W32,
            _ => Width::W64,
        }
    };
    let change = |space, address, (old, new)| Change {
        space,
        bytes: width.bytes(),
        address,
        old,
        new,
    };
    recorder.begin();
    let (a, b) = operation.roles(access.src0, access.src1);
    let mut returned = 0;
    if let Some(cell) = cell {
        let (old, new) = update_cell(cell, |old| operation.rmw().apply(width, old, a, b));
        recorder.record(change(access.space, access.address, (old, new)));
        returned = if operation.returns_new() { new } else { old };
    }
    if let (Some(slot), Some(dst)) = (slot, access.dst) {
        let values = update_cell(slot, |_| returned);
        let registers = SpaceId::registers(access.unit.eu);
        recorder.record(change(registers, u64::from(dst), values));
    }
}
