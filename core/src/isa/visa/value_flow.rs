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
        self.reads.sort_unstable_by_key(|bytes| bytes.start);
        self.reads.dedup_by(|next, merged| {
            let touches = next.start <= merged.end;
            merged.end = merged.end.max(if touches { next.end } else { 0 });
            touches
        });
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
