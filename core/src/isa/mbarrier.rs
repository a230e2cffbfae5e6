//! Barrier objects in shared memory: `mbarrier` of the PTX ISA.
//!
//! A phase is complete once all expected threads have arrived and all expected bytes have been
//! written. Then the next one starts: the phase bit flips, and as many threads are expected again.
//!
//! The fields of the counts and of the phase are those that compilers read and write (observed with
//! ptxas 13.5); that of the bytes is assumed.

/// How an arrival changes a barrier object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrival {
    /// One thread arrives, at an object without bytes (to SM89): the upper word has the phase and
    /// the pending count, the lower one the expected count, both as what is missing to a power of
    /// two.
    Counted,
    /// From SM90 on.
    Transaction {
        /// The number of threads that arrive.
        threads: Amount,
        /// The number of bytes that are expected from now on.
        expected: Amount,
        /// The number of bytes that have been written.
        written: Amount,
        /// Whether these threads are not expected in the next phases.
        drops: bool,
    },
}

/// A number in an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Amount {
    Zero,
    One,
    /// The operand.
    Operand,
}

impl Amount {
    const fn of(self, operand: u64) -> u64 {
        match self {
            Self::Zero => 0,
            Self::One => 1,
            Self::Operand => operand & 0xffff_ffff,
        }
    }
}

/// The bit of the phase.
const PHASE: u64 = 1 << 63;

/// Values of a count.
const COUNTS: u64 = 1 << 20;

/// The first bits of the fields from SM90 on.
const EXPECTED: u32 = 1;
const BYTES: u32 = 21;
const PENDING: u32 = 43;

/// Values of the number of bytes, which may be negative.
const BYTE_COUNTS: u64 = 1 << 22;

/// A barrier object from SM90 on.
#[derive(Clone, Copy)]
struct Object {
    phase: u64,
    pending: u64,
    expected: u64,
    bytes: i64,
}

impl Object {
    fn of_word(word: u64) -> Self {
        let count = |first: u32| (word >> first).wrapping_neg() & (COUNTS - 1);
        let bytes = (word >> BYTES & (BYTE_COUNTS - 1)).cast_signed();
        let is_negative = bytes >= (BYTE_COUNTS / 2).cast_signed();
        Self {
            phase: word & PHASE,
            pending: count(PENDING),
            expected: count(EXPECTED),
            bytes: if is_negative {
                bytes - BYTE_COUNTS.cast_signed()
            } else {
                bytes
            },
        }
    }

    fn to_word(self) -> u64 {
        let count = |count: u64| count.wrapping_neg() & (COUNTS - 1);
        let bytes = self.bytes.cast_unsigned() & (BYTE_COUNTS - 1);
        self.phase
            | count(self.pending) << PENDING
            | bytes << BYTES
            | count(self.expected) << EXPECTED
    }
}

/// Whether the phase of an object is not that of a token or parity, in its highest bit: the
/// phase is complete.
#[must_use]
pub const fn is_complete(object: u64, token: u64) -> bool {
    object >> 63 & 1 != token >> 31 & 1
}

impl Arrival {
    /// The new object; `None` if more threads arrive, or more bytes are expected or written, than
    /// an object can count.
    #[must_use]
    pub fn of(self, object: u64, operand: u64) -> Option<u64> {
        let Self::Transaction {
            threads,
            expected,
            written,
            drops,
        } = self
        else {
            return Some(counted(object));
        };
        let mut new = Object::of_word(object);
        let threads = threads.of(operand);
        let bytes = expected.of(operand).cast_signed() - written.of(operand).cast_signed();
        new.bytes += bytes;
        let is_countable = new.bytes.unsigned_abs() < COUNTS;
        if threads > new.pending || drops && threads > new.expected || !is_countable {
            return None;
        }
        new.pending -= threads;
        if drops {
            new.expected -= threads;
        }
        if new.pending == 0 && new.bytes == 0 {
            new.phase ^= PHASE;
            new.pending = new.expected;
        }
        Some(new.to_word())
    }
}

/// An object to SM89 after an arrival. The pending count runs into the bit of the phase.
const fn counted(object: u64) -> u64 {
    const WORD: u64 = 0xffff_ffff;
    let (state, expected) = (object >> 32, object & WORD);
    let next = state + 1;
    let state = match (state ^ next) >> 31 & 1 {
        0 => next,
        _ => next & 1 << 31 | 1 << 30 | expected & ((1 << 30) - 1),
    };
    (state & WORD) << 32 | expected
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARRIVE: Arrival = Arrival::Transaction {
        threads: Amount::One,
        expected: Amount::Zero,
        written: Amount::Zero,
        drops: false,
    };
    const DROP: Arrival = Arrival::Transaction {
        threads: Amount::Operand,
        expected: Amount::Zero,
        written: Amount::Zero,
        drops: true,
    };
    const EXPECT: Arrival = Arrival::Transaction {
        threads: Amount::One,
        expected: Amount::Operand,
        written: Amount::Zero,
        drops: false,
    };
    const WRITE: Arrival = Arrival::Transaction {
        threads: Amount::Zero,
        expected: Amount::Zero,
        written: Amount::Operand,
        drops: false,
    };

    /// The object of `mbarrier.init`, as compilers compute it.
    const fn object(count: u64) -> u64 {
        let missing = 0x10_0000 - count;
        (missing << 11) << 32 | missing << 1
    }

    #[test]
    fn a_phase_is_complete_once_all_have_arrived() {
        let mut word = object(3);
        for pending in [3, 2, 1] {
            assert_eq!(Object::of_word(word).pending, pending);
            assert!(!is_complete(word, 0) && is_complete(word, 1 << 31));
            word = ARRIVE.of(word, 0).unwrap();
        }
        assert_eq!(word, object(3) | PHASE);
        assert!(is_complete(word, 0) && !is_complete(word, 1 << 31));
    }

    #[test]
    fn dropped_threads_are_not_expected_again() {
        let word = DROP.of(object(5), 2).unwrap();
        let word = DROP.of(word, 3).unwrap();
        assert_eq!(word, PHASE, "none is left");
        assert_eq!(ARRIVE.of(word, 0), None);
        assert_eq!(DROP.of(object(1), 2), None);
    }

    #[test]
    fn a_phase_waits_for_bytes() {
        let written = WRITE.of(object(1), 48).unwrap();
        assert_eq!(Object::of_word(written).bytes, -48);
        let word = EXPECT.of(written, 64).unwrap();
        assert!(!is_complete(word, 0));
        assert_eq!(WRITE.of(word, 16), Some(object(1) | PHASE));
        assert_eq!(EXPECT.of(object(2), COUNTS), None);
    }

    #[test]
    fn old_objects_count_up_to_the_phase() {
        let object = (0x8000_0000_u64 - 2) << 32 | (0x4000_0000 - 2);
        let first = counted(object);
        assert_eq!(first, (0x8000_0000_u64 - 1) << 32 | (0x4000_0000 - 2));
        assert_eq!(counted(first), object | PHASE);
        assert_eq!(counted(counted(counted(first))), object);
    }
}
