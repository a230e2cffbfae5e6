//! Variables of recursive functions. Every call of a function has variables of its own, so
//! a call of a recursive function saves those of the outer call, and the return to the caller
//! restores them. They are saved in the control space of the thread, behind a word with the
//! address of the last frame.

use super::{Machine, Recorder, SpaceId};

/// Start of the saved frames in the control space.
pub const FRAMES: u64 = 0x10_0000;

/// Size of the saved frames of a thread, in bytes.
pub const FRAMES_BYTES: u64 = 4 << 20;

/// Size of what precedes the variables of a frame: the address of the frame before it, the
/// call depth, and start and end of each range.
const HEADER: u64 = 16 + 16 * 3;

/// A range of bytes, from its start to its end.
type Range = (u64, u64);

/// The variables of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// General variables, in the register file.
    pub registers: Range,
    /// Predicates, in the flags space.
    pub predicates: Range,
    /// Address variables, in the flags space.
    pub addresses: Range,
}

impl Frame {
    const fn ranges(self, thread: u8) -> [(SpaceId, Range); 3] {
        let flags = SpaceId::flags(thread);
        [
            (SpaceId::registers(thread), self.registers),
            (flags, self.predicates),
            (flags, self.addresses),
        ]
    }

    /// Size of a saved frame. The bytes of a range keep their place in an aligned 8 bytes.
    fn saved_bytes(self) -> u64 {
        let ranges = [self.registers, self.predicates, self.addresses];
        let bytes = ranges.map(|(start, end)| end.next_multiple_of(8) - start / 8 * 8);
        HEADER + bytes.iter().sum::<u64>()
    }
}

/// The saved frames of a thread.
pub struct Frames<'m, R> {
    pub machine: &'m mut Machine,
    pub thread: u8,
    pub recorder: &'m mut R,
}

/// Whether a thread has room to save another frame.
#[must_use]
pub fn has_room(machine: &Machine, thread: u8, frame: Frame) -> bool {
    end(machine, thread).is_some_and(|end| {
        let end = end.saturating_add(frame.saved_bytes());
        end <= FRAMES + FRAMES_BYTES
    })
}

fn load(machine: &Machine, thread: u8, address: u64) -> Option<u64> {
    machine.load(SpaceId::control(thread), address, 8)
}

/// Address of the last frame; 0 without one.
fn last(machine: &Machine, thread: u8) -> Option<u64> {
    load(machine, thread, FRAMES)
}

/// The end of the last frame.
fn end(machine: &Machine, thread: u8) -> Option<u64> {
    Some(match last(machine, thread)? {
        0 => FRAMES + 8,
        at => at + frame_at(machine, thread, at).saved_bytes(),
    })
}

fn frame_at(machine: &Machine, thread: u8, at: u64) -> Frame {
    let word = |index: u64| load(machine, thread, at + 16 + 8 * index).expect("a frame is mapped");
    Frame {
        registers: (word(0), word(1)),
        predicates: (word(2), word(3)),
        addresses: (word(4), word(5)),
    }
}

/// The largest aligned cells of a range: address and number of bytes.
fn cells((start, end): Range) -> impl Iterator<Item = (u64, u8)> {
    let mut at = start;
    core::iter::from_fn(move || {
        let sizes = [8, 4, 2, 1];
        let fits = |size: &u8| at.is_multiple_of(u64::from(*size)) && at + u64::from(*size) <= end;
        let size = sizes.into_iter().find(fits).filter(|_| at < end)?;
        at += u64::from(size);
        Some((at - u64::from(size), size))
    })
}

impl<R: Recorder> Frames<'_, R> {
    fn store(&mut self, space: SpaceId, address: u64, bytes: u8, value: u64) {
        let stored = (self.machine).store(self.recorder, space, address, bytes, value);
        debug_assert!(stored, "frames and variables are mapped");
    }

    /// Saves the variables of a function that is about to run at a call depth. There must be
    /// room.
    pub fn save(&mut self, frame: Frame, depth: u32) {
        let control = SpaceId::control(self.thread);
        let before = last(self.machine, self.thread).unwrap_or(0);
        let at = end(self.machine, self.thread).unwrap_or(0);
        let (registers, predicates) = (frame.registers, frame.predicates);
        let header = [
            before,
            u64::from(depth),
            registers.0,
            registers.1,
            predicates.0,
            predicates.1,
            frame.addresses.0,
            frame.addresses.1,
        ];
        for (index, word) in (0..).zip(header) {
            self.store(control, at + 8 * index, 8, word);
        }
        self.store(control, FRAMES, 8, at);
        let mut base = at + HEADER;
        for (space, range) in frame.ranges(self.thread) {
            let start = range.0 / 8 * 8;
            for (address, bytes) in cells(range) {
                let value = self.machine.load(space, address, bytes);
                self.store(control, base + (address - start), bytes, value.unwrap_or(0));
            }
            base += range.1.next_multiple_of(8) - start;
        }
    }

    /// Restores the variables of the calls deeper than `depth`, which have returned, and
    /// clears their frames.
    pub fn restore(&mut self, depth: u32) {
        let control = SpaceId::control(self.thread);
        while let Some(at) = last(self.machine, self.thread).filter(|at| *at > 0) {
            let word = |index: u64| load(self.machine, self.thread, at + 8 * index);
            if word(1).is_none_or(|called| called <= u64::from(depth)) {
                return;
            }
            let before = word(0).unwrap_or(0);
            let frame = frame_at(self.machine, self.thread, at);
            let mut base = at + HEADER;
            for (space, range) in frame.ranges(self.thread) {
                let start = range.0 / 8 * 8;
                for (address, bytes) in cells(range) {
                    let saved = base + (address - start);
                    let value = self.machine.load(control, saved, bytes).unwrap_or(0);
                    if self.machine.load(space, address, bytes) != Some(value) {
                        self.store(space, address, bytes, value);
                    }
                    if value != 0 {
                        self.store(control, saved, bytes, 0);
                    }
                }
                base += range.1.next_multiple_of(8) - start;
            }
            for (address, bytes) in cells((at, at + HEADER)) {
                self.store(control, address, bytes, 0);
            }
            self.store(control, FRAMES, 8, before);
        }
    }
}
