//! Control state of a warp whose lanes wait for each other: an extension of [`control`] by
//! what each lane waits for, convergence barriers and stacks of tokens.
//!
//! A lane has a program counter of its own. The lanes at one instruction that do not wait
//! are a group, and one group is active: that at the lowest instruction, and at every
//! seventh choice that of another lane in turn, so that no lane starves. A group stays active
//! until its next branch, unless it reaches the lowest group that waits, and joins it: compilers
//! let the lanes that execute a sequence together choose one of them for its last instruction.

use super::control::{
    self, COUNTERS, Control, ControlMut, DISPATCHED, FIRST_WAITING, NONE, ThreadState, pair,
};
use super::{Machine, NoJournal, Recorder, SpaceId};

/// Start of the state of a warp in the control space.
pub const WARP: u64 = 0x4000;

/// Its size in bytes.
pub const WARP_BYTES: u64 = STACKS - WARP + LANES * STACK_BYTES;

const LANES: u64 = 32;

/// Number of times that a group has been chosen.
const STEPS: u64 = WARP;

const LAST_TOKEN: u64 = WARP + 4;

/// Result of the last reducing barrier.
const RESULT: u64 = WARP + 8;

/// Index of the block, size of the block, and index of the first thread.
const GEOMETRY: u64 = WARP + 16;

/// The barrier or branch that each lane waits for.
const WAITS: u64 = WARP + 0x100;

/// The mask of each lane and convergence barrier.
const BARRIERS: u64 = WARP + 0x200;

/// By barrier of the block, the threads that have arrived at it without waiting, and the number
/// of threads that it is for.
const ARRIVALS: u64 = WARP + 0xc00;

/// The stack of each lane.
const STACKS: u64 = WARP + 0x1000;

/// Size of the stack of a lane, in bytes: its depth, then tokens of eight bytes.
const STACK_BYTES: u64 = 2048;

/// Most tokens of a lane.
pub const MAX_TOKENS: u32 = 255;

/// Every so many choices, another group is active.
const TURN: u32 = 7;

/// Reason why a lane waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Nothing.
    None,
    /// The other lanes of a convergence barrier.
    Convergence(u8),
    /// The lanes of a mask.
    Lanes(u32),
    /// The lanes of a mask, which then run alone until they wait again.
    Alone(u32),
    /// The other lanes that have a token.
    Token(u32),
    /// The end of a phase of the barrier object at an address in shared memory. The phase is
    /// that of a token or parity, in its highest bit.
    Phase(u32, bool),
    /// The lanes of the block.
    Block(BlockWait),
}

/// A lane's contribution to a barrier of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockWait {
    /// Number of the barrier.
    pub barrier: u8,
    /// Reduction: 0 for none, 1 for a count, 2 for all, 3 for any.
    pub reduction: u8,
    /// The predicate that is reduced.
    pub predicate: bool,
    /// Number of threads that the barrier is for; 0 for all of the block.
    pub threads: u16,
}

impl Wait {
    fn to_word(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Convergence(barrier) => pair(1 | u32::from(barrier) << 8, 0),
            Self::Lanes(mask) => pair(2, mask),
            Self::Token(token) => pair(3, token),
            Self::Alone(mask) => pair(5, mask),
            Self::Phase(address, phase) => pair(6 | u32::from(phase) << 8, address),
            Self::Block(wait) => pair(
                4 | u32::from(wait.barrier) << 8
                    | u32::from(wait.reduction) << 16
                    | u32::from(wait.predicate) << 24,
                wait.threads.into(),
            ),
        }
    }

    fn of_word(word: u64) -> Self {
        let (low, high) = control::halves(word);
        let [kind, barrier, reduction, predicate] = low.to_le_bytes();
        match kind {
            0 => Self::None,
            1 => Self::Convergence(barrier),
            2 => Self::Lanes(high),
            3 => Self::Token(high),
            5 => Self::Alone(high),
            6 => Self::Phase(high, barrier == 1),
            _ => Self::Block(BlockWait {
                barrier,
                reduction,
                predicate: predicate == 1,
                threads: u16::try_from(high).unwrap_or(0),
            }),
        }
    }
}

/// An entry of the stack of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackToken {
    /// Its kind, 0 to 7.
    pub kind: u8,
    /// Index of the instruction at which the lanes go on.
    pub target: u32,
    /// Its number, which lanes that got it together share.
    pub number: u32,
}

/// Where the work-items of a warp are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Index of the block.
    pub block: [u32; 3],
    /// Size of the block.
    pub size: [u32; 3],
    /// Linear index in the block of lane 0.
    pub first: u32,
}

fn word(machine: &Machine, thread: u8, address: u64) -> u32 {
    let word = machine.load(SpaceId::control(thread), address, 4);
    control::halves(word.expect("a warp has its control state")).0
}

/// The work-items of a warp.
#[must_use]
pub fn geometry(machine: &Machine, thread: u8) -> Geometry {
    let read = |place: u64| word(machine, thread, GEOMETRY + 4 * place);
    Geometry {
        block: [read(0), read(1), read(2)],
        size: [read(3), read(4), read(5)],
        first: read(6),
    }
}

/// Sets the work-items of a warp before it runs.
pub fn set_geometry(machine: &mut Machine, thread: u8, geometry: &Geometry) {
    let words = geometry.block.into_iter().chain(geometry.size);
    let words = words.chain([geometry.first]);
    for (place, value) in (0..).zip(words) {
        let space = SpaceId::control(thread);
        machine.store(&mut NoJournal, space, GEOMETRY + 4 * place, 4, value.into());
    }
}

/// Result of the last reducing barrier.
#[must_use]
pub fn result(machine: &Machine, thread: u8) -> u32 {
    word(machine, thread, RESULT)
}

/// Number of times that a group has been chosen.
#[must_use]
pub fn steps(machine: &Machine, thread: u8) -> u32 {
    word(machine, thread, STEPS)
}

fn barrier_address(lane: u8, barrier: u8) -> u64 {
    BARRIERS + 4 * (u64::from(barrier) * LANES + u64::from(lane))
}

/// The lanes that meet at a convergence barrier, as a lane knows them.
#[must_use]
pub fn barrier(machine: &Machine, thread: u8, lane: u8, number: u8) -> u32 {
    word(machine, thread, barrier_address(lane, number))
}

/// The threads of a warp that have arrived at a barrier of the block without waiting, and the
/// number of threads that it is for.
#[must_use]
pub fn arrivals(machine: &Machine, thread: u8, barrier: u8) -> (u16, u16) {
    let word = word(machine, thread, ARRIVALS + 4 * u64::from(barrier));
    let [a, b, c, d] = word.to_le_bytes();
    (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]))
}

/// The tokens of a lane, the last one first.
pub fn tokens(machine: &Machine, thread: u8, lane: u8) -> impl Iterator<Item = StackToken> {
    let stack = STACKS + u64::from(lane) * STACK_BYTES;
    let depth = word(machine, thread, stack);
    (1..=u64::from(depth)).rev().map(move |place| {
        let entry = machine.load(SpaceId::control(thread), stack + 8 * place, 8);
        let entry = entry.expect("a warp has its control state");
        let (low, number) = control::halves(entry);
        let [kind, ..] = (low >> 29).to_le_bytes();
        StackToken {
            kind,
            target: low & 0x1fff_ffff,
            number,
        }
    })
}

/// The lanes of a mask.
pub fn lanes(mask: u32) -> impl Iterator<Item = u8> {
    (0..32).filter(move |lane| mask >> lane & 1 == 1)
}

/// Where the lanes of a warp are, and what they wait for.
#[derive(Clone, Debug)]
pub struct WarpLanes {
    /// The lanes that have not ended.
    pub alive: u32,
    /// The lanes that execute the current instruction.
    pub active: u32,
    /// Index of the instruction of each lane.
    pub pcs: [u32; 32],
    /// Reason why each lane waits.
    pub waits: [Wait; 32],
}

impl WarpLanes {
    /// The barriers at which lanes wait for others of their block.
    pub fn block_barriers(&self) -> impl Iterator<Item = u32> {
        let waits = self.waits.iter().zip(&self.pcs);
        let waiting = waits.filter(|(wait, _)| matches!(wait, Wait::Block(_)));
        // These lanes are behind the barrier already.
        waiting.map(|(_, pc)| pc.saturating_sub(1))
    }

    /// Reads the state of a warp.
    #[must_use]
    pub fn load(machine: &Machine, thread: u8) -> Self {
        let control = Control::new(machine, thread);
        let mut lanes = Self {
            alive: 0,
            active: 0,
            pcs: [0; 32],
            waits: [Wait::None; 32],
        };
        if control.state() == ThreadState::Ended {
            return lanes;
        }
        lanes.active = control.active();
        lanes.alive = lanes.active;
        lanes.pcs = [control.pc(); 32];
        for (lane, (pc, wait)) in (0..32).zip(lanes.pcs.iter_mut().zip(&mut lanes.waits)) {
            if let Some((other, _)) = control.waiting(lane) {
                *pc = other;
                lanes.alive |= 1 << lane;
            }
            let address = WAITS + 8 * u64::from(lane);
            let word = machine.load(SpaceId::control(thread), address, 8);
            *wait = Wait::of_word(word.unwrap_or(0));
        }
        lanes
    }

    /// The lanes that do not wait.
    #[must_use]
    pub fn running(&self) -> u32 {
        let waits = (0..32).zip(&self.waits);
        let waiting = waits.filter(|(_, wait)| **wait != Wait::None);
        self.alive & !waiting.fold(0, |mask, (lane, _)| mask | 1 << lane)
    }
}

/// Writer of the state of a warp.
pub struct WarpMut<'m, R> {
    pub control: ControlMut<'m, R>,
}

impl<'m, R: Recorder> WarpMut<'m, R> {
    /// Creates a writer for a program with `end` instructions.
    pub const fn new(machine: &'m mut Machine, thread: u8, end: u32, recorder: &'m mut R) -> Self {
        Self {
            control: ControlMut::new(machine, thread, end, recorder),
        }
    }

    const fn thread(&self) -> u8 {
        self.control.thread
    }

    fn set_word(&mut self, address: u64, value: u32) {
        if word(self.control.machine, self.thread(), address) != value {
            self.control.store(address, 4, value.into());
        }
    }

    /// Pushes a new token on the stacks of the lanes of a mask, which must have room.
    pub fn push_new(&mut self, mask: u32, kind: u8, target: u32) {
        let number = word(self.control.machine, self.thread(), LAST_TOKEN).wrapping_add(1);
        self.set_word(LAST_TOKEN, number);
        let low = target & 0x1fff_ffff | u32::from(kind) << 29;
        for lane in lanes(mask) {
            let stack = STACKS + u64::from(lane) * STACK_BYTES;
            let depth = word(self.control.machine, self.thread(), stack) + 1;
            if depth <= MAX_TOKENS {
                let at = stack + 8 * u64::from(depth);
                self.control.store(at, 8, pair(low, number));
                self.set_word(stack, depth);
            }
        }
    }

    /// Keeps the lowest tokens of a lane.
    pub fn cut(&mut self, lane: u8, depth: u32) {
        self.set_word(STACKS + u64::from(lane) * STACK_BYTES, depth);
    }

    /// Sets the mask of a convergence barrier of a lane.
    pub fn set_barrier(&mut self, lane: u8, barrier: u8, mask: u32) {
        self.set_word(barrier_address(lane, barrier), mask);
    }

    /// Sets the [`arrivals`] at a barrier of the block.
    pub fn set_arrivals(&mut self, barrier: u8, (arrived, threads): (u16, u16)) {
        let word = u32::from(arrived) | u32::from(threads) << 16;
        self.set_word(ARRIVALS + 4 * u64::from(barrier), word);
    }

    /// Sets the result of a reducing barrier.
    pub fn set_result(&mut self, result: u32) {
        self.set_word(RESULT, result);
    }

    /// Moves the active lanes, of which none waits, to the next instruction, if that does
    /// not change the groups. Returns whether it has.
    pub fn advance(&mut self) -> bool {
        let control = Control::new(self.control.machine, self.thread());
        let at = control.position();
        let (next, waiting) = (at.pc + 1, at.lowest_waiting);
        if next >= self.control.end || next == waiting {
            return false;
        }
        self.control.set_counters(next, waiting);
        true
    }

    /// Writes where the lanes are, and chooses the group that is active.
    pub fn place(&mut self, state: &WarpLanes) {
        let thread = self.thread();
        let exists = |lane: &u8| state.pcs[usize::from(*lane)] < self.control.end;
        let alive = lanes(state.alive).filter(exists);
        let alive = alive.fold(0, |mask, lane| mask | 1 << lane);
        if alive == 0 {
            for lane in 0..32 {
                self.cut(lane, 0);
                self.set_wait(lane, Wait::None);
            }
            self.control.finish();
            return;
        }
        let running = state.running() & alive;
        let candidates = if running == 0 { alive } else { running };
        let pc_of = |lane: u8| state.pcs[usize::from(lane)];
        let lowest = lanes(candidates).map(pc_of).min().expect("a lane is alive");
        let turns = word(self.control.machine, thread, STEPS).wrapping_add(1);
        self.set_word(STEPS, turns);
        // Turns go round the lanes, so that each has one.
        let first = crate::diagnostic::to_usize(turns / TURN % 32);
        let cycle = (0..32_u8).cycle().skip(first).take(32);
        let mut others = cycle.filter(|lane| running >> lane & 1 == 1 && pc_of(*lane) != lowest);
        let other = others.next().filter(|_| turns.is_multiple_of(TURN));
        let pc = other.map_or(lowest, pc_of);
        let at = |lane: &u8| pc_of(*lane) == pc;
        let active = lanes(candidates).filter(at);
        let active = active.fold(0, |mask, lane| mask | 1 << lane);
        let others = lanes(running & !active).map(pc_of);
        self.control.set_counters(pc, others.min().unwrap_or(NONE));
        let waits_for_block = (0..32).zip(&state.waits);
        let waits_for_block = waits_for_block
            .filter(|(lane, _)| alive >> lane & 1 == 1)
            .any(|(_, wait)| matches!(wait, Wait::Block(_)));
        let run = match (running, waits_for_block) {
            (0, true) => ThreadState::AtBarrier,
            (0, false) => ThreadState::AtNamedBarrier,
            _ => ThreadState::Running,
        };
        if Control::new(self.control.machine, thread).state() != run {
            self.control.set_state(0, run);
        }
        for lane in 0..32_u8 {
            let is_waiting = (alive & !active) >> lane & 1 == 1;
            let word = if is_waiting { pair(pc_of(lane), 1) } else { 0 };
            let address = FIRST_WAITING + 8 * u64::from(lane);
            self.set_long(address, word);
            self.set_wait(
                lane,
                match alive >> lane & 1 {
                    1 => state.waits[usize::from(lane)],
                    _ => Wait::None,
                },
            );
        }
        let flags = SpaceId::flags(thread);
        if self.control.machine.flag_word(flags, 0) != active {
            let (machine, recorder) = (&mut *self.control.machine, &mut *self.control.recorder);
            machine.store(recorder, flags, 0, 4, active.into());
        }
    }

    fn set_wait(&mut self, lane: u8, wait: Wait) {
        self.set_long(WAITS + 8 * u64::from(lane), wait.to_word());
    }

    fn set_long(&mut self, address: u64, value: u64) {
        let space = SpaceId::control(self.thread());
        if self.control.machine.load(space, address, 8) != Some(value) {
            self.control.store(address, 8, value);
        }
    }
}

/// Lanes with which a warp was dispatched.
#[must_use]
pub fn dispatched(machine: &Machine, thread: u8) -> u32 {
    word(machine, thread, DISPATCHED)
}

/// Index of the instruction of the active lanes.
#[must_use]
pub fn pc(machine: &Machine, thread: u8) -> u32 {
    word(machine, thread, COUNTERS)
}
