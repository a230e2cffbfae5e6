//! Where the instructions of a program read, and copy, bytes of the register file, in whatever
//! order they run.

use alloc::vec::Vec;
use core::ops::Range;

/// Most places of a value that are followed.
const MAX_PLACES: usize = 64;

/// Reads and copies of bytes of the register file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueFlow {
    /// Bytes that are read, other than to copy them.
    reads: Vec<Range<u32>>,
    /// Bytes that are computed with; those that are only copied, loaded or stored are not here.
    operands: Vec<Range<u32>>,
    /// Bytes that are computed.
    results: Vec<Range<u32>>,
    copies: Vec<CopiedBytes>,
    /// The copies backwards, from their destination.
    origins: Vec<CopiedBytes>,
    /// Number of bytes of the longest copy.
    longest: u32,
}

/// Bytes, and the first byte of the place that they are copied to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CopiedBytes {
    bytes: Range<u32>,
    to: u32,
}

/// A place of some bytes of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePlace {
    /// The first of the bytes that are here.
    pub first: u32,
    pub place: Range<u32>,
}

/// The common bytes of two ranges, if there are any.
fn overlap(a: &Range<u32>, b: &Range<u32>) -> Option<Range<u32>> {
    let common = a.start.max(b.start)..a.end.min(b.end);
    (!common.is_empty()).then_some(common)
}

/// Sorts ranges and joins those that touch.
fn join(ranges: &mut Vec<Range<u32>>) {
    ranges.sort_unstable_by_key(|bytes| bytes.start);
    ranges.dedup_by(|next, merged| {
        let touches = next.start <= merged.end;
        merged.end = merged.end.max(if touches { next.end } else { 0 });
        touches
    });
}

/// Whether one of the places has a byte of the ranges, which are joined.
fn any_within(places: &[ValuePlace], ranges: &[Range<u32>]) -> bool {
    places.iter().any(|ValuePlace { place, .. }| {
        let before = ranges.partition_point(|range| range.start < place.end);
        let last = ranges[..before].last();
        last.is_some_and(|range| overlap(range, place).is_some())
    })
}

/// The place of bytes and the places that they reach through copies, which are sorted and at
/// most `longest` bytes long; and whether these are all.
fn follow(bytes: Range<u32>, copies: &[CopiedBytes], longest: u32) -> (Vec<ValuePlace>, bool) {
    let mut places = Vec::from([ValuePlace {
        first: bytes.start,
        place: bytes,
    }]);
    let mut next = 0;
    while let Some(ValuePlace { first, place }) = places.get(next).cloned() {
        let start = place.start.saturating_sub(longest);
        let start = copies.partition_point(|copy| copy.bytes.start < start);
        let near = copies[start..].iter();
        for copy in near.take_while(|copy| copy.bytes.start < place.end) {
            let Some(part) = overlap(&copy.bytes, &place) else {
                continue;
            };
            let start = copy.to + (part.start - copy.bytes.start);
            let reached = ValuePlace {
                first: first + (part.start - place.start),
                place: start..start + (part.end - part.start),
            };
            if places.contains(&reached) {
                continue;
            }
            if places.len() == MAX_PLACES {
                return (places, false);
            }
            places.push(reached);
        }
        next += 1;
    }
    (places, true)
}

impl ValueFlow {
    /// Records bytes that an instruction can read.
    pub fn note_read(&mut self, bytes: Range<u32>) {
        self.reads.push(bytes);
    }

    /// Records the operands and the result of a computation.
    pub fn note_computation(
        &mut self,
        operands: impl IntoIterator<Item = Range<u32>>,
        result: Option<Range<u32>>,
    ) {
        self.operands.extend(operands);
        self.results.extend(result);
    }

    /// Records bytes that an instruction copies.
    pub fn note_copy(&mut self, bytes: Range<u32>, to: u32) {
        let length = bytes.end - bytes.start;
        self.longest = self.longest.max(length);
        self.origins.push(CopiedBytes {
            bytes: to..to + length,
            to: bytes.start,
        });
        self.copies.push(CopiedBytes { bytes, to });
    }

    /// Sorts the records; to be called after the last one.
    pub fn finish(&mut self) {
        for copies in [&mut self.copies, &mut self.origins] {
            copies.sort_unstable_by_key(|copy| copy.bytes.start);
        }
        for ranges in [&mut self.reads, &mut self.operands, &mut self.results] {
            join(ranges);
        }
    }

    /// Where bytes are: at their own place, and where instructions copy them.
    #[must_use]
    pub fn copies_of(&self, bytes: Range<u32>) -> Vec<ValuePlace> {
        follow(bytes, &self.copies, self.longest).0
    }

    /// Where bytes come from: their own place, and where instructions copy them from.
    #[must_use]
    pub fn origins_of(&self, bytes: Range<u32>) -> Vec<ValuePlace> {
        follow(bytes, &self.origins, self.longest).0
    }

    /// Whether an instruction can compute with these bytes, directly or after they are copied.
    #[must_use]
    pub fn is_operand(&self, bytes: Range<u32>) -> bool {
        let (places, is_complete) = follow(bytes, &self.copies, self.longest);
        !is_complete || any_within(&places, &self.operands)
    }

    /// Whether these bytes can be the result of a computation, directly or as a copy.
    #[must_use]
    pub fn is_result(&self, bytes: Range<u32>) -> bool {
        let (places, is_complete) = follow(bytes, &self.origins, self.longest);
        !is_complete || any_within(&places, &self.results)
    }

    /// End of those of these bytes that an instruction can read, directly or after they are
    /// copied.
    #[must_use]
    pub fn end_of_reads(&self, bytes: &Range<u32>) -> Option<u32> {
        let (places, is_complete) = follow(bytes.clone(), &self.copies, self.longest);
        if !is_complete {
            return Some(bytes.end);
        }
        let ends = places.iter().filter_map(|ValuePlace { first, place }| {
            let after = self.reads.partition_point(|read| read.start < place.end);
            let last = overlap(self.reads[..after].last()?, place)?;
            Some(first + (last.end - place.start))
        });
        ends.max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computations_are_found_before_and_after_copies() {
        let mut flow = ValueFlow::default();
        flow.note_copy(0..32, 100);
        flow.note_copy(100..132, 200);
        flow.note_computation(core::iter::once(208..212), Some(4..8));
        flow.finish();
        assert!(flow.is_operand(8..12) && flow.is_operand(208..209));
        assert!(!flow.is_operand(0..8) && !flow.is_operand(12..32));
        assert!(flow.is_result(204..208) && flow.is_result(4..5));
        assert!(!flow.is_result(208..232) && !flow.is_result(200..204));
    }

    #[test]
    fn reads_are_found_after_copies() {
        let mut flow = ValueFlow::default();
        flow.note_copy(0..32, 100);
        flow.note_copy(104..112, 200);
        flow.note_read(204..206);
        flow.note_read(40..48);
        flow.note_read(36..44);
        flow.finish();
        assert_eq!(flow.end_of_reads(&(0..32)), Some(10));
        assert_eq!(flow.end_of_reads(&(16..32)), None);
        assert_eq!(flow.end_of_reads(&(30..50)), Some(48));
        let origins = flow.origins_of(200..204);
        assert_eq!(
            origins.last().map(|origin| origin.place.clone()),
            Some(4..8)
        );
        // Where there are too many copies, everything counts as read.
        for to in 0..100 {
            flow.note_copy(0..4, 1000 + 4 * to);
        }
        flow.finish();
        assert_eq!(flow.end_of_reads(&(0..32)), Some(32));
        assert_eq!(flow.copies_of(0..4)[0].place, 0..4);
    }
}
