//! Copies of many bytes that a warp makes as a whole: `cp.async.bulk` of the PTX ISA.

use super::SassInstruction;
use super::memory::uncountable;
use super::words::Word;
use crate::isa::mbarrier::{Amount, Arrival};
use crate::isa::{Access, FaultKind, IssueContext, IssueFault, Unit};
use crate::machine::SpaceId;
use crate::machine::warp::lanes;
use alloc::string::String;
use alloc::vec::Vec;

/// Bytes of a chunk, of which sizes and addresses are multiples.
const CHUNK: u64 = 16;

/// A part of a copy: its offset and number of bytes.
type Piece = (u64, u8);

/// The parts of a copy of `size` bytes; bit n of the mask tells whether byte n of each chunk is
/// copied.
fn pieces(size: u64, mask: u64) -> impl Iterator<Item = Piece> {
    let halves = (0..size).step_by(8);
    halves.flat_map(move |offset| {
        let mask = mask >> (offset % CHUNK) & 0xff;
        let count: u64 = if mask == 0xff { 1 } else { 8 };
        let bytes = if mask == 0xff { 8 } else { 1 };
        let of_half = (0..count).filter(move |byte| mask >> byte & 1 == 1);
        of_half.map(move |byte| (offset + byte, bytes))
    })
}

impl SassInstruction {
    /// Whether it copies to shared memory, and counts the bytes at a barrier object there.
    pub(super) fn copies_to_shared(&self) -> bool {
        self.mnemonic.split('.').nth(1) == Some("S")
    }

    /// Appends the accesses of a bulk copy: those that read, those that write, and that of the
    /// barrier. A copy is complete at once. It is that of the first lane.
    pub(super) fn issue_bulk(
        &self,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) -> Result<(), IssueFault> {
        let (machine, thread) = (context.machine, context.threads.first());
        let active = machine.flag_word(SpaceId::flags(thread), 0);
        let Some(lane) = lanes(self.executing(machine, thread, active)).next() else {
            return Ok(());
        };
        let at = usize::from(lane);
        let to_shared = self.copies_to_shared();
        let [sizes]: [_; 1] = self.source_values(machine, thread);
        let (size, mask) = ((sizes[at] & 0xffff) * CHUNK, sizes[at] >> 16 & 0xffff);
        let mask = match (self.modifiers.has(Word::ByteMask), mask) {
            (true, mask) => mask,
            (false, 0) => 0xffff,
            (false, _) => {
                return Err(IssueFault {
                    kind: FaultKind::NotModelled,
                    reason: Some(String::from(
                        "the upper half of the size is executed with `.DST_G_BYTE_MASK` only",
                    )),
                });
            }
        };
        // The registers of a shared address are that address and the barrier's.
        let target = self.address.read(true, machine, thread)[at];
        let source = self.source_address.read(to_shared, machine, thread)[at];
        let low = |address: u64| address & 0xffff_ffff;
        let ends = match to_shared {
            true => [(SpaceId::VIRTUAL, source), (SpaceId::SLM, low(target))],
            false => [(SpaceId::SLM, low(source)), (SpaceId::VIRTUAL, target)],
        };
        let access = |space, address: u64, bytes: u8, alignment: u64| Access {
            fault: match machine.space(space).is_mapped(address, bytes) {
                _ if !address.is_multiple_of(alignment) => Some(FaultKind::Misaligned),
                true => None,
                false => Some(FaultKind::Unmapped),
            },
            ..Access::new(Unit::lane(thread, lane), space, address, bytes)
        };
        let [(from, source), (to, target)] = ends;
        for is_write in [false, true] {
            for (offset, bytes) in pieces(size, mask) {
                let (read, written) = (source.wrapping_add(offset), target.wrapping_add(offset));
                // The first piece shows whether the copy starts at a chunk.
                let alignment = match offset % CHUNK {
                    0 => CHUNK,
                    _ => 1,
                };
                out.push(match is_write {
                    false => Access {
                        copied_to: Some((to, written)),
                        ..access(from, read, bytes, alignment)
                    },
                    // A source that is not mapped has faulted before.
                    true => Access {
                        src0: machine.load(from, read, bytes).unwrap_or(0),
                        writes: true,
                        ..access(to, written, bytes, alignment)
                    },
                });
            }
        }
        if !to_shared {
            return Ok(());
        }
        let barrier = access(
            SpaceId::SLM,
            self.address.read(true, machine, thread)[at] >> 32,
            8,
            8,
        );
        let arrival = Arrival::Transaction {
            threads: Amount::Zero,
            expected: Amount::Zero,
            written: Amount::Operand,
            drops: false,
        };
        // Without an object, the access faults.
        let object = machine.load(barrier.space, barrier.address, barrier.bytes);
        let counted = object.map(|object| arrival.of(object, size).ok_or_else(uncountable));
        out.push(Access {
            src0: counted.transpose()?.unwrap_or(0),
            writes: true,
            ..barrier
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_bytes_of_the_mask() {
        let all = |size, mask| pieces(size, mask).collect::<Vec<_>>();
        assert_eq!(all(16, 0xffff), [(0, 8), (8, 8)]);
        assert_eq!(all(32, 0xff00), [(8, 8), (24, 8)]);
        assert_eq!(all(16, 0x0103), [(0, 1), (1, 1), (8, 1)]);
        assert_eq!(all(0, 0xffff), []);
    }
}
