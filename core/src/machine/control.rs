//! Control state of a thread: program counter, waiting channels and call stack. It is
//! stored as bytes in [`SpaceId::control`], so that the journal, undo, seek and the
//! search for outcomes include control flow.
//!
//! Every channel has a program counter and a call depth. The channels at the greatest
//! depth and, among these, at the lowest program counter are active and form the
//! execution mask. The others wait.

use super::frames::{Frame, Frames};
use super::{Machine, Recorder, SpaceId};

/// Size of the control space of a thread, in bytes.
pub const CONTROL_BYTES: u64 = NAMED_BARRIERS + NAMED_BARRIER_COUNT as u64;

/// Maximum call depth.
pub const MAX_DEPTH: u32 = 1024;

const CHANNELS: u32 = 32;

/// Program counter (low half) and the lowest program counter of the channels waiting at
/// the same depth (high half, inverted; 0 if none).
pub(super) const COUNTERS: u64 = 0;

/// Call depth (low half) and [`ThreadState`] (high half).
pub(super) const STATE: u64 = 8;

/// Size of [`COUNTERS`] and [`STATE`].
const POSITION_BYTES: usize = 16;

/// The dispatch mask of the thread.
pub(super) const DISPATCHED: u64 = 16;

/// Program counter and call depth + 1 of each channel; 0 if it is active or has ended.
pub(super) const FIRST_WAITING: u64 = 24;

/// Return addresses by call depth.
const FIRST_RETURN: u64 = FIRST_WAITING + 8 * CHANNELS as u64;

/// In thread 0 only: the thread whose turn is next in a round-robin schedule, or the number of
/// turns in a random one.
const NEXT_THREAD: u64 = FIRST_RETURN + 4 * (MAX_DEPTH as u64 + 2);

/// A byte for each named barrier: 0, or the number of threads in the signal of this thread,
/// or [`COMPLETE`].
const NAMED_BARRIERS: u64 = NEXT_THREAD + 8;

/// Number of named barriers.
pub const NAMED_BARRIER_COUNT: u8 = 32;

/// All threads of the named barrier have signalled, and this one has not waited yet.
const COMPLETE: u8 = u8::MAX;

pub(super) const NONE: u32 = u32::MAX;

/// State of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadState {
    /// Can issue an instruction.
    Running,
    /// Waits at a barrier for the other threads.
    AtBarrier,
    /// Waits at a named barrier, at its `nbarrier.wait`.
    AtNamedBarrier,
    /// All channels have ended.
    Ended,
}

impl ThreadState {
    /// Whether the thread waits at a barrier.
    #[must_use]
    pub const fn is_at_barrier(self) -> bool {
        matches!(self, Self::AtBarrier | Self::AtNamedBarrier)
    }
}

/// Signal of a thread at a named barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    None,
    /// Other threads have yet to signal.
    Pending {
        /// Number of threads that the barrier is for.
        threads: u8,
    },
    /// All threads have signalled.
    Complete,
}

/// Where a channel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelState {
    /// It executes an instruction.
    Active {
        /// Index of the instruction.
        pc: u32,
    },
    /// It waits at an instruction until the others have got there.
    Waiting {
        /// Index of the instruction.
        pc: u32,
        /// Its call depth.
        depth: u32,
    },
    /// It has ended, or was not dispatched.
    Ended,
}

pub(super) const fn pair(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}

pub(super) fn halves(value: u64) -> (u32, u32) {
    let low = u32::try_from(value & 0xffff_ffff).expect("32 bits");
    let high = u32::try_from(value >> 32).expect("32 bits");
    (low, high)
}

/// Address of the position of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    depth: u32,
    pc: u32,
}

impl Place {
    /// Where a channel waits, by its word in the control state.
    fn of_waiting(word: u64) -> Option<Self> {
        let (pc, depth) = halves(word);
        let depth = depth.checked_sub(1)?;
        Some(Self { depth, pc })
    }
}

/// Where the active channels of a thread are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Index of the next instruction.
    pub pc: u32,
    /// The lowest instruction at which channels of the same depth wait; `u32::MAX` if none.
    pub lowest_waiting: u32,
    /// Call depth.
    pub depth: u32,
    /// Whether the thread runs, waits or has ended.
    pub state: ThreadState,
}

/// Reader of the control state of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Control<'m> {
    machine: &'m Machine,
    thread: u8,
}

impl<'m> Control<'m> {
    /// The control state of a thread.
    #[must_use]
    pub const fn new(machine: &'m Machine, thread: u8) -> Self {
        Self { machine, thread }
    }

    fn load(self, address: u64, bytes: u8) -> u64 {
        let value = (self.machine).load(SpaceId::control(self.thread), address, bytes);
        value.expect("a thread has its control state")
    }

    /// Where the active channels are.
    #[must_use]
    pub fn position(self) -> Position {
        let space = self.machine.space(SpaceId::control(self.thread));
        let block = space.block::<POSITION_BYTES>(COUNTERS);
        let block = block.expect("a thread has its control state");
        let (words, _) = block.as_chunks();
        let [pc, waiting, depth, state] = core::array::from_fn(|i| u32::from_le_bytes(words[i]));
        Position {
            pc,
            // Stored with all bits inverted, so that zeroed memory means none.
            lowest_waiting: !waiting,
            depth,
            state: match state {
                0 => ThreadState::Running,
                1 => ThreadState::AtBarrier,
                3 => ThreadState::AtNamedBarrier,
                _ => ThreadState::Ended,
            },
        }
    }

    /// Index of the next instruction of the active channels.
    #[must_use]
    pub fn pc(self) -> u32 {
        self.position().pc
    }

    /// Call depth of the active channels.
    #[must_use]
    pub fn depth(self) -> u32 {
        self.position().depth
    }

    /// Whether the thread runs, waits or has ended.
    #[must_use]
    pub fn state(self) -> ThreadState {
        self.position().state
    }

    /// Mask of the active channels, which is the execution mask.
    #[must_use]
    pub fn active(self) -> u32 {
        let mask = self.machine.load(SpaceId::flags(self.thread), 0, 4);
        halves(mask.expect("a thread has its flags")).0
    }

    /// The first active channel; 0 if there is none.
    #[must_use]
    pub fn first_active(self) -> u8 {
        u8::try_from(self.active().trailing_zeros() & 31).expect("at most 31")
    }

    /// Instruction and call depth at which a channel waits; `None` if it does not.
    #[must_use]
    pub fn waiting(self, channel: u32) -> Option<(u32, u32)> {
        let place = Place::of_waiting(self.load(FIRST_WAITING + 8 * u64::from(channel), 8))?;
        Some((place.pc, place.depth))
    }

    /// By channel, the program counter and call depth + 1 at which it waits; 0 if it does not.
    fn waiting_words(self) -> [u64; CHANNELS as usize] {
        let space = self.machine.space(SpaceId::control(self.thread));
        let block = space.block::<{ 8 * CHANNELS as usize }>(FIRST_WAITING);
        let block = block.expect("the control state starts on a page boundary");
        let (words, _) = block.as_chunks();
        core::array::from_fn(|channel| u64::from_le_bytes(words[channel]))
    }

    /// Channels that the thread was dispatched with.
    #[must_use]
    pub fn dispatched(self) -> u32 {
        halves(self.load(DISPATCHED, 8)).0
    }

    /// Where a channel is.
    #[must_use]
    pub fn channel(self, channel: u8) -> ChannelState {
        if self.state() == ThreadState::Ended {
            ChannelState::Ended
        } else if self.active() >> channel & 1 == 1 {
            ChannelState::Active { pc: self.pc() }
        } else {
            match self.waiting(channel.into()) {
                Some((pc, depth)) => ChannelState::Waiting { pc, depth },
                None => ChannelState::Ended,
            }
        }
    }

    /// Signal of this thread at a named barrier.
    #[must_use]
    pub fn signal(self, barrier: u8) -> Signal {
        let byte = self.load(NAMED_BARRIERS + u64::from(barrier), 1);
        match u8::try_from(byte).expect("a byte was read") {
            0 => Signal::None,
            COMPLETE => Signal::Complete,
            threads => Signal::Pending { threads },
        }
    }

    /// Return addresses, outermost first.
    pub fn calls(self) -> impl Iterator<Item = u32> + 'm {
        (1..=self.depth()).map(move |depth| self.return_address(depth))
    }

    fn return_address(self, depth: u32) -> u32 {
        halves(self.load(FIRST_RETURN + 4 * u64::from(depth), 4)).0
    }
}

/// Starts a thread at the first instruction with the channels of its execution mask.
pub fn dispatch(machine: &mut Machine, thread: u8) {
    let mask = u64::from(Control::new(machine, thread).active());
    let space = SpaceId::control(thread);
    machine.store(&mut super::NoJournal, space, DISPATCHED, 8, mask);
}

/// Ends a thread before its first instruction: the work-group has no work-items for it.
pub fn end(machine: &mut Machine, thread: u8) {
    ControlMut::new(machine, thread, 0, &mut super::NoJournal).set_state(0, ThreadState::Ended);
}

/// The thread whose turn is next in a round-robin schedule.
#[must_use]
pub fn next_thread(machine: &Machine) -> u8 {
    u8::try_from(turn(machine) & 0xff).expect("it is a byte")
}

/// Number of turns in a random schedule.
#[must_use]
pub fn turn(machine: &Machine) -> u64 {
    let turn = machine.load(SpaceId::control(0), NEXT_THREAD, 8);
    turn.expect("a thread has its control state")
}

/// Sets the number of turns in a random schedule.
pub fn set_turn(turn: u64, machine: &mut Machine, recorder: &mut impl Recorder) {
    machine.store(recorder, SpaceId::control(0), NEXT_THREAD, 8, turn);
}

/// Sets the thread whose turn is next.
pub fn set_next_thread(thread: u8, machine: &mut Machine, recorder: &mut impl Recorder) {
    machine.store(recorder, SpaceId::control(0), NEXT_THREAD, 1, thread.into());
}

/// How the active channels of a thread continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// All continue with the next instruction.
    Next,
    /// `taken` branches to `target`; the others continue with the next instruction.
    Goto {
        /// Mask of the branching channels.
        taken: u32,
        /// Index of the instruction.
        target: u32,
    },
    /// `taken` calls `target`; the others wait after the call.
    Call {
        /// Mask of the calling channels.
        taken: u32,
        /// Index of the instruction.
        target: u32,
        /// The variables of the function, if it is recursive.
        frame: Option<Frame>,
    },
    /// `taken` returns to the caller, or ends without one.
    Return {
        /// Mask of the returning channels.
        taken: u32,
    },
    /// The thread ends, including waiting channels.
    End,
    /// All continue with the next instruction once every thread has arrived.
    Barrier,
    /// The thread signals a named barrier.
    Signal {
        barrier: u8,
        /// Number of threads that the barrier is for.
        threads: u8,
    },
    /// All continue with the next instruction once a named barrier is complete.
    Wait { barrier: u8 },
}

/// Error: a call would exceed [`MAX_DEPTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTooDeep;

/// Writer of the control state of a thread.
pub struct ControlMut<'m, R> {
    pub machine: &'m mut Machine,
    pub thread: u8,
    pub recorder: &'m mut R,
    /// Number of instructions of the program. Channels that pass the last one end.
    pub end: u32,
}

impl<'m, R: Recorder> ControlMut<'m, R> {
    /// Creates a writer for a program with `end` instructions.
    pub const fn new(machine: &'m mut Machine, thread: u8, end: u32, recorder: &'m mut R) -> Self {
        Self {
            machine,
            thread,
            recorder,
            end,
        }
    }

    fn read(&self) -> Control<'_> {
        Control::new(self.machine, self.thread)
    }

    pub(super) fn store(&mut self, address: u64, bytes: u8, value: u64) {
        let space = SpaceId::control(self.thread);
        let stored = self
            .machine
            .store(self.recorder, space, address, bytes, value);
        debug_assert!(stored, "a thread has its control state");
    }

    const fn frames(&mut self) -> Frames<'_, R> {
        Frames {
            machine: self.machine,
            thread: self.thread,
            recorder: self.recorder,
        }
    }

    /// Ends the calls deeper than `depth`.
    fn leave(&mut self, depth: u32) {
        for inner in depth + 1..=self.read().depth() {
            self.store(FIRST_RETURN + 4 * u64::from(inner), 4, 0);
        }
        self.frames().restore(depth);
    }

    pub(super) fn set_counters(&mut self, pc: u32, lowest_waiting: u32) {
        self.store(COUNTERS, 8, pair(pc, !lowest_waiting));
    }

    pub(super) fn set_state(&mut self, depth: u32, state: ThreadState) {
        let state = match state {
            ThreadState::Running => 0,
            ThreadState::AtBarrier => 1,
            ThreadState::Ended => 2,
            ThreadState::AtNamedBarrier => 3,
        };
        self.store(STATE, 8, pair(depth, state));
    }

    /// Advances the active channels past the executed instruction. Returns where they go on,
    /// if the same channels stay active and no thread starts or stops waiting.
    ///
    /// # Errors
    /// If a call is nested too deeply; nothing is changed.
    pub fn proceed(&mut self, continuation: Continuation) -> Result<Option<u32>, CallTooDeep> {
        let position = self.read().position();
        let depth = position.depth;
        let next = Place {
            depth,
            pc: position.pc + 1,
        };
        match continuation {
            Continuation::Next => return Ok(self.advance(next, &position)),
            Continuation::Goto { taken, target } => {
                let target = Place { depth, pc: target };
                let active = self.read().active();
                if taken & active == 0 {
                    return Ok(self.advance(next, &position));
                } else if taken & active == active {
                    return Ok(self.advance(target, &position));
                }
                self.branch(taken, Some(target), next);
            }
            Continuation::Call {
                taken,
                target,
                frame,
            } => {
                if taken & self.read().active() == 0 {
                    return Ok(self.advance(next, &position));
                } else if depth == MAX_DEPTH {
                    return Err(CallTooDeep);
                } else {
                    let depth = depth + 1;
                    let at = FIRST_RETURN + 4 * u64::from(depth);
                    self.store(at, 4, u64::from(next.pc));
                    if let Some(frame) = frame {
                        self.frames().save(frame, depth);
                    }
                    self.branch(taken, Some(Place { depth, pc: target }), next);
                }
            }
            Continuation::Return { taken } => {
                let caller = depth.checked_sub(1).map(|outer| Place {
                    depth: outer,
                    pc: self.read().return_address(depth),
                });
                self.branch(taken, caller, next);
            }
            Continuation::End => self.finish(),
            Continuation::Barrier => {
                self.advance(next, &position);
                if self.read().state() == ThreadState::Running {
                    self.set_state(depth, ThreadState::AtBarrier);
                }
            }
            Continuation::Signal { barrier, threads } => {
                self.set_signal(barrier, threads);
                self.advance(next, &position);
            }
            Continuation::Wait { barrier } => match self.read().signal(barrier) {
                Signal::Complete => {
                    self.set_signal(barrier, 0);
                    self.advance(next, &position);
                }
                Signal::None | Signal::Pending { .. } => {
                    self.set_state(depth, ThreadState::AtNamedBarrier);
                }
            },
        }
        Ok(None)
    }

    fn set_signal(&mut self, barrier: u8, byte: u8) {
        let at = NAMED_BARRIERS + u64::from(barrier);
        self.store(at, 1, byte.into());
    }

    /// Completes a named barrier that the thread has signalled.
    pub fn complete(&mut self, barrier: u8) {
        self.set_signal(barrier, COMPLETE);
        // Its `nbarrier.wait` issues again.
        if self.read().state() == ThreadState::AtNamedBarrier {
            self.release();
        }
    }

    /// Resumes the thread after a barrier.
    pub fn release(&mut self) {
        let depth = self.read().depth();
        self.set_state(depth, ThreadState::Running);
    }

    /// Moves all active channels from their position to an instruction, where others may
    /// wait. Returns it if none do, and it exists.
    fn advance(&mut self, to: Place, from: &Position) -> Option<u32> {
        let waiting = from.lowest_waiting;
        if to.pc < waiting && to.pc < self.end {
            self.set_counters(to.pc, waiting);
            return Some(to.pc);
        }
        self.branch(0, None, to);
        None
    }

    /// Moves the active channels in `taken` to `target`, or ends them if it is `None`, and
    /// the others to `next`.
    fn branch(&mut self, taken: u32, target: Option<Place>, next: Place) {
        let active = self.read().active();
        let waiting_words = self.read().waiting_words();
        let exists = |place: &Place| place.pc < self.end;
        let mut places = [None; CHANNELS as usize];
        for ((channel, place), waiting) in (0..CHANNELS).zip(&mut places).zip(waiting_words) {
            let bit = 1 << channel;
            *place = if active & bit == 0 {
                Place::of_waiting(waiting)
            } else if taken & bit == 0 {
                Some(next).filter(exists)
            } else {
                target.filter(exists)
            };
        }
        // The deepest call has priority, then the lowest instruction.
        let rank = |place: &Place| (core::cmp::Reverse(place.depth), place.pc);
        let Some(now) = places.iter().flatten().copied().min_by_key(rank) else {
            self.finish();
            return;
        };
        let mut mask = 0;
        let mut lowest = NONE;
        for ((channel, place), old) in (0..CHANNELS).zip(&places).zip(waiting_words) {
            let waiting = match place {
                Some(place) if *place == now => {
                    mask |= 1 << channel;
                    0
                }
                Some(place) => {
                    if place.depth == now.depth {
                        lowest = lowest.min(place.pc);
                    }
                    pair(place.pc, place.depth + 1)
                }
                None => 0,
            };
            if old != waiting {
                self.store(FIRST_WAITING + 8 * u64::from(channel), 8, waiting);
            }
        }
        self.set_counters(now.pc, lowest);
        if self.read().depth() != now.depth {
            self.leave(now.depth);
            self.set_state(now.depth, ThreadState::Running);
        }
        if mask != active {
            let flags = SpaceId::flags(self.thread);
            self.machine
                .store(self.recorder, flags, 0, 4, u64::from(mask));
        }
    }

    /// Ends the thread. Restores the dispatch mask and clears the rest, so that the states
    /// of ended threads are equal.
    pub(super) fn finish(&mut self) {
        self.leave(0);
        for address in (COUNTERS..FIRST_RETURN).step_by(8) {
            if address != DISPATCHED && self.read().load(address, 8) != 0 {
                self.store(address, 8, 0);
            }
        }
        self.set_state(0, ThreadState::Ended);
        let dispatched = self.read().load(DISPATCHED, 8);
        if u64::from(self.read().active()) != dispatched {
            let flags = SpaceId::flags(self.thread);
            (self.machine).store(self.recorder, flags, 0, 4, dispatched);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Change, Journal, NoJournal};
    use alloc::vec::Vec;

    /// Changes of a branch of channels 0 and 1 from instruction 4 of 8, while channel 2 waits.
    fn changes(waiting: u64, branch: impl Fn(&mut ControlMut<'_, Journal>)) -> Vec<Change> {
        let mut machine = Machine::new(0, 1);
        let (control, flags) = (SpaceId::control(0), SpaceId::flags(0));
        for (space, bytes) in [(control, CONTROL_BYTES), (flags, 4)] {
            let space = machine.space_mut(space).unwrap();
            space.map(0, bytes).unwrap();
        }
        let lowest = Place::of_waiting(waiting).map_or(NONE, |place| place.pc);
        for (space, address, value) in [
            (control, COUNTERS, pair(4, !lowest)),
            (control, DISPATCHED, 7),
            (control, FIRST_WAITING + 16, waiting),
            (flags, 0, 3),
        ] {
            let bytes = if space == flags { 4 } else { 8 };
            assert!(machine.store(&mut NoJournal, space, address, bytes, value));
        }
        let mut journal = Journal::new();
        branch(&mut ControlMut {
            machine: &mut machine,
            thread: 0,
            recorder: &mut journal,
            end: 8,
        });
        journal.changes().to_vec()
    }

    #[test]
    fn branches_of_all_channels_or_none_are_like_others() {
        for waiting in [0, pair(5, 1), pair(7, 1)] {
            for (taken, target) in [0, 3, 7]
                .into_iter()
                .flat_map(|t| (0..=8).map(move |to| (t, to)))
            {
                let usual = changes(waiting, |control| {
                    let [target, next] = [target, 5].map(|pc| Place { depth: 0, pc });
                    control.branch(taken, Some(target), next);
                });
                let short = changes(waiting, |control| {
                    let branch = Continuation::Goto { taken, target };
                    control.proceed(branch).unwrap();
                });
                assert_eq!(short, usual, "{taken} to {target}, {waiting:#x} waits");
            }
        }
    }
}
