//! Control flow of a warp: branches, stacks of tokens (to SM62), convergence barriers (from
//! SM70), and barriers of a block.

use super::name::Name;
use super::operand::{LaneValues, PredicateSource, SassSource, SourcePlace};
use super::words::Word;
use super::{Class, SassInstruction};
use crate::isa::{BlockArrival, FaultKind, mbarrier};
use crate::machine::control::{Control, ThreadState};
use crate::machine::warp::{
    self, BlockWait, MAX_TOKENS, StackToken, Wait, WarpLanes, WarpMut, lanes,
};
use crate::machine::{Machine, Recorder, SpaceId};
use alloc::vec::Vec;

/// Kind of a token on the stack of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Of `SSY`.
    Sync,
    /// Of `PBK`.
    Break,
    /// Of `PCNT`.
    Continue,
    /// Of `CAL`.
    Call,
}

/// Kind of a control-flow instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpFlow {
    /// Goes on at a label.
    Branch,
    /// Goes on at an address from a register, relative to the next instruction.
    Indexed,
    /// Goes on at an address from a register.
    Return,
    /// Ends lanes.
    Exit,
    /// Pushes a token.
    Push(TokenKind),
    /// Pops tokens down to one of a kind, and waits for the others that have it.
    Pop(TokenKind),
    /// Goes on at a function: a label, or an address from a register.
    Invoke,
    /// Pushes a token of the next instruction, and goes on at a label.
    Call,
    /// The active lanes will meet at a convergence barrier.
    SetBarrier,
    /// Waits at a convergence barrier.
    WaitBarrier,
    /// Leaves a convergence barrier.
    LeaveBarrier,
    /// Leaves the convergence barriers at which others wait.
    Yield,
    /// Waits for the lanes of a mask.
    WarpSync,
    /// A barrier of the block.
    Barrier,
}

impl WarpFlow {
    /// Whether lanes can continue elsewhere than at the next instruction.
    #[must_use]
    pub const fn splits(self) -> bool {
        matches!(
            self,
            Self::Branch
                | Self::Indexed
                | Self::Return
                | Self::Invoke
                | Self::Exit
                | Self::Pop(_)
                | Self::Call
        )
    }
}

/// Byte address of an instruction in its function. Old chips have a control word before
/// every three instructions of eight bytes, new ones have instructions of 16 bytes.
#[must_use]
pub fn address_of(index: u32, is_old: bool) -> u64 {
    let index = u64::from(index);
    if is_old {
        index / 3 * 32 + 8 * (index % 3 + 1)
    } else {
        index * 16
    }
}

/// The instruction at an address; that behind a control word.
#[must_use]
pub fn index_of(address: u64, is_old: bool, instructions: u32) -> Option<u32> {
    let index = match is_old {
        false if address.is_multiple_of(16) => address / 16,
        true if address.is_multiple_of(8) => {
            address / 32 * 3 + (address % 32).saturating_sub(8) / 8
        }
        _ => return None,
    };
    let index = u32::try_from(index).ok()?;
    (index < instructions).then_some(index)
}

/// Index of the thread of a lane in its block.
pub(super) fn thread_index(machine: &Machine, thread: u8, lane: u8, dimension: u8) -> u32 {
    let geometry = warp::geometry(machine, thread);
    let [x, y, _] = geometry.size.map(|size| size.max(1));
    let index = geometry.first + u32::from(lane);
    match dimension {
        0 => index % x,
        1 => index / x % y,
        _ => index / x / y,
    }
}

/// Index of the block.
pub(super) fn block_index(machine: &Machine, thread: u8, dimension: u8) -> u32 {
    warp::geometry(machine, thread).block[usize::from(dimension.min(2))]
}

impl SassInstruction {
    /// Kind of control flow; `None` for other instructions.
    #[must_use]
    pub const fn flow_kind(&self) -> Option<WarpFlow> {
        match self.op.class {
            Class::Flow(kind) => Some(kind),
            _ => None,
        }
    }

    /// Index of the instruction at its target, if that is known.
    #[must_use]
    pub const fn target(&self) -> Option<u32> {
        self.goes_to
    }

    /// Whether its control flow may apply to some of the active lanes only.
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        let decides = |source: &PredicateSource| source.register.address().is_some();
        self.code.is_some()
            || [Word::Div, Word::Conv]
                .into_iter()
                .any(|word| self.modifiers.has(word))
            || [&self.guard, &self.conditions[2]].into_iter().any(decides)
    }

    /// Lanes to which its control flow applies.
    #[must_use]
    pub fn affected(&self, machine: &Machine, thread: u8, active: u32) -> u32 {
        let mut lanes = self.executing(machine, thread, active);
        if let Some(code) = self.code {
            lanes &= code.bits(machine, thread);
        }
        let condition = self.conditions[2];
        let has_condition = !(condition.negated && condition.register.address().is_none());
        if has_condition {
            lanes &= condition.bits(machine, thread);
        }
        lanes
    }

    /// Where a lane goes on by an address from a register.
    fn computed_target(
        &self,
        kind: WarpFlow,
        pc: u32,
        offset: u64,
        constant: u64,
        instructions: u32,
    ) -> Option<u32> {
        let address = match kind {
            WarpFlow::Indexed => {
                // Behind this instruction, not behind a control word.
                let own = address_of(pc, self.is_old);
                let next = own + if self.is_old { 8 } else { 16 };
                next.wrapping_add(offset).wrapping_add(constant)
            }
            _ => offset.wrapping_add(constant),
        };
        index_of(address & 0xffff_ffff, self.is_old, instructions)
    }

    /// Whether a lane calls a function whose address is in a register: the last token is that of
    /// the next instruction.
    fn calls(&self, kind: WarpFlow, machine: &Machine, thread: u8, lane: u8) -> bool {
        let next = Control::new(machine, thread).pc() + 1;
        kind == WarpFlow::Invoke
            || self.is_old
                && warp::tokens(machine, thread, lane)
                    .next()
                    .is_some_and(|token| {
                        token.kind == TokenKind::Call as u8 && token.target == next
                    })
    }

    /// Number of the barrier, and of the threads that it is for, of a lane. A register that has
    /// both has the latter in its upper half.
    fn barrier_operands(&self, [numbers, threads]: &[LaneValues; 2], lane: usize) -> (u8, u16) {
        let is_register = |source: &SassSource| matches!(source.place, SourcePlace::Register(_));
        // One register for both.
        let is_packed =
            is_register(&self.sources[0]) && self.sources[0].place == self.sources[1].place;
        let threads = threads[lane] >> if is_packed { 16 } else { 0 };
        (
            u8::try_from(numbers[lane] & 15).expect("four bits"),
            u16::try_from(threads & 0xfff).expect("twelve bits"),
        )
    }

    /// The barrier of the block at which lanes arrive.
    pub(super) fn arrives(&self, machine: &Machine, thread: u8) -> Option<BlockArrival> {
        let Class::Flow(WarpFlow::Barrier) = self.op.class else {
            return None;
        };
        let warp = WarpLanes::load(machine, thread);
        let affected = self.affected(machine, thread, warp.active);
        let lane = lanes(affected).next()?;
        let first = usize::from(lane);
        let (number, threads) = self.barrier_operands(&self.source_values(machine, thread), first);
        Some(BlockArrival {
            lane,
            number,
            is_whole: threads == 0,
            waits: !self.modifiers.has(Word::Arv),
            // To SM62, barriers count warps.
            missing: if self.is_old {
                warp.alive & !affected
            } else {
                0
            },
        })
    }

    /// Whether lanes go on behind it.
    #[must_use]
    pub fn falls_through(&self, machine: &Machine, thread: u8) -> bool {
        let active = Control::new(machine, thread).active();
        let leaves = match self.op.class {
            Class::Flow(kind) if kind.splits() => self.affected(machine, thread, active),
            _ => 0,
        };
        active & !leaves != 0
    }

    /// Why its control flow cannot go on.
    #[must_use]
    pub fn flow_fault(
        &self,
        machine: &Machine,
        thread: u8,
        instructions: u32,
    ) -> Option<FaultKind> {
        let Class::Flow(kind) = self.op.class else {
            return None;
        };
        let control = Control::new(machine, thread);
        let affected = self.affected(machine, thread, control.active());
        let tokens = |lane| warp::tokens(machine, thread, lane);
        match kind {
            WarpFlow::Branch if self.modifiers.has(Word::Div) && self.goes_to.is_none() => {
                Some(FaultKind::BadTarget)
            }
            WarpFlow::Branch | WarpFlow::Call if self.goes_to.is_none() && affected != 0 => {
                Some(FaultKind::BadTarget)
            }
            WarpFlow::Barrier => {
                let values = self.source_values(machine, thread);
                let operands = |lane: u8| self.barrier_operands(&values, lane.into());
                let mut all = lanes(affected).map(operands);
                let first = all.next();
                // A barrier that differs between the lanes of a warp.
                let is_mixed = all.any(|other| Some(other) != first);
                let is_open = self.modifiers.has(Word::Arv) && first.is_some_and(|(_, n)| n == 0);
                (is_mixed || is_open).then_some(FaultKind::NotModelled)
            }
            WarpFlow::Invoke if self.goes_to.is_some() => None,
            WarpFlow::Indexed | WarpFlow::Return | WarpFlow::Invoke => {
                let [offsets, constants] = self.source_values(machine, thread);
                let goes = |lane: u8| {
                    let at = usize::from(lane);
                    let (offset, constant) = (offsets[at], constants[at]);
                    self.computed_target(kind, control.pc(), offset, constant, instructions)
                };
                let is_bad = lanes(affected).any(|lane| match goes(lane) {
                    Some(target) if self.calls(kind, machine, thread, lane) => {
                        !self.functions.contains(&target)
                    }
                    target => target.is_none(),
                });
                is_bad.then_some(FaultKind::BadTarget)
            }
            WarpFlow::Push(_) | WarpFlow::Call => {
                let room = crate::diagnostic::to_usize(MAX_TOKENS);
                let is_full = lanes(affected).any(|lane| tokens(lane).count() >= room);
                is_full.then_some(FaultKind::CallTooDeep)
            }
            WarpFlow::Pop(kind) => {
                let has = |lane| tokens(lane).any(|token| token.kind == kind as u8);
                let is_bad = lanes(affected).any(|lane| !has(lane));
                is_bad.then_some(FaultKind::BadTarget)
            }
            _ => None,
        }
    }

    /// Advances the active lanes of a warp past the executed instruction.
    pub fn proceed<R: Recorder>(
        &self,
        machine: &mut Machine,
        thread: u8,
        instructions: u32,
        recorder: &mut R,
    ) {
        let active = Control::new(machine, thread).active();
        let kind = match self.op.class {
            Class::Flow(kind) => kind,
            _ => {
                let waiting = self.phase_waits(machine, thread);
                return match waiting.is_empty() {
                    true => advance(machine, thread, instructions, recorder),
                    false => wait_for_phases(&waiting, machine, thread, instructions, recorder),
                };
            }
        };
        let affected = self.affected(machine, thread, active);
        let [offsets, constants] = match kind {
            WarpFlow::Indexed
            | WarpFlow::Return
            | WarpFlow::Invoke
            | WarpFlow::WarpSync
            | WarpFlow::Barrier
            | WarpFlow::Branch => self.source_values(machine, thread),
            _ => [[0; 32]; 2],
        };
        let predicate = self.conditions[0].bits(machine, thread);
        let mut state = WarpLanes::load(machine, thread);
        let pc = Control::new(machine, thread).pc();
        let mut warp = WarpMut::new(machine, thread, instructions, recorder);
        for lane in lanes(active) {
            state.pcs[usize::from(lane)] = pc + 1;
        }
        let label = self.goes_to.unwrap_or(instructions);
        let barrier = match self.names[0] {
            Some(Name::Barrier(number)) => number,
            _ => 0,
        };
        // A barrier number and a number of threads are the same in all lanes.
        let first = lanes(affected).next().map_or(0, usize::from);
        match kind {
            WarpFlow::Branch => {
                let first = lanes(active).next().map_or(0, usize::from);
                let mask = u32::try_from(offsets[first] & 0xffff_ffff).expect("32 bits");
                let together = mask & state.alive & !affected == 0;
                let going = match () {
                    // Lanes whose guard is false count as missing, and go, too (inferred).
                    () if self.modifiers.has(Word::Div) && !together => active,
                    () if self.modifiers.has(Word::Div) => 0,
                    () if self.modifiers.has(Word::Conv) && !together => 0,
                    () if self.modifiers.has(Word::Any) && affected != 0 => active,
                    () => affected,
                };
                for lane in lanes(going) {
                    state.pcs[usize::from(lane)] = label;
                }
            }
            WarpFlow::Invoke if self.goes_to.is_some() => {
                for lane in lanes(affected) {
                    state.pcs[usize::from(lane)] = label;
                }
            }
            WarpFlow::Indexed | WarpFlow::Return | WarpFlow::Invoke => {
                for lane in lanes(affected) {
                    let at = usize::from(lane);
                    let target =
                        self.computed_target(kind, pc, offsets[at], constants[at], instructions);
                    state.pcs[at] = target.unwrap_or(instructions);
                }
            }
            WarpFlow::Exit => {
                state.alive &= !affected;
                for lane in lanes(affected) {
                    warp.cut(lane, 0);
                }
            }
            WarpFlow::Push(kind) => warp.push_new(affected, kind as u8, label),
            WarpFlow::Call => {
                warp.push_new(affected, TokenKind::Call as u8, pc + 1);
                for lane in lanes(affected) {
                    state.pcs[usize::from(lane)] = label;
                }
            }
            WarpFlow::Pop(kind) => {
                for lane in lanes(affected) {
                    let tokens: Vec<StackToken> =
                        warp::tokens(warp.control.machine, thread, lane).collect();
                    let found = tokens.iter().position(|token| token.kind == kind as u8);
                    if let Some((place, token)) = found.and_then(|at| Some((at, tokens.get(at)?))) {
                        let left = crate::diagnostic::to_u32(tokens.len() - place - 1);
                        warp.cut(lane, left);
                        state.pcs[usize::from(lane)] = token.target;
                        state.waits[usize::from(lane)] = Wait::Token(token.number);
                    }
                }
            }
            WarpFlow::SetBarrier => {
                for lane in lanes(affected) {
                    warp.set_barrier(lane, barrier, affected);
                }
            }
            WarpFlow::WaitBarrier => {
                for lane in lanes(affected) {
                    state.pcs[usize::from(lane)] = pc;
                    state.waits[usize::from(lane)] = Wait::Convergence(barrier);
                }
            }
            WarpFlow::LeaveBarrier => leave(&mut warp, barrier, affected),
            WarpFlow::Yield => separate(&mut warp, &state, affected),
            WarpFlow::WarpSync => {
                let m = &self.modifiers;
                for lane in lanes(affected) {
                    let at = usize::from(lane);
                    let mask = u32::try_from(offsets[at] & 0xffff_ffff).expect("32 bits");
                    state.pcs[at] = pc;
                    state.waits[at] = match () {
                        () if m.has(Word::Exclusive) || m.has(Word::Collective) => {
                            Wait::Alone(mask)
                        }
                        () if m.has(Word::All) => Wait::Lanes(u32::MAX),
                        () => Wait::Lanes(mask),
                    };
                }
            }
            WarpFlow::Barrier if self.modifiers.has(Word::Arv) => {
                let machine = &*warp.control.machine;
                let (number, threads) = self.barrier_operands(&[offsets, constants], first);
                let (arrived, _) = warp::arrivals(machine, thread, number);
                let count = u16::try_from(affected.count_ones()).expect("at most 32");
                warp.set_arrivals(number, (arrived.saturating_add(count), threads));
            }
            WarpFlow::Barrier => {
                let (number, threads) = self.barrier_operands(&[offsets, constants], first);
                let m = &self.modifiers;
                let reduction = match () {
                    () if m.has(Word::Popc) => 1,
                    () if m.has(Word::And) => 2,
                    () if m.has(Word::Or) => 3,
                    () => 0,
                };
                for lane in lanes(affected) {
                    state.waits[usize::from(lane)] = Wait::Block(BlockWait {
                        barrier: number,
                        reduction,
                        predicate: predicate >> lane & 1 == 1,
                        threads,
                    });
                }
            }
        }
        release(warp.control.machine, thread, &mut state);
        warp.place(&state);
    }
}

/// Moves the active lanes of a warp to the next instruction.
pub fn advance<R: Recorder>(
    machine: &mut Machine,
    thread: u8,
    instructions: u32,
    recorder: &mut R,
) {
    let mut warp = WarpMut::new(machine, thread, instructions, recorder);
    if warp.advance() {
        return;
    }
    let mut state = WarpLanes::load(warp.control.machine, thread);
    for lane in lanes(state.active) {
        state.pcs[usize::from(lane)] += 1;
    }
    release(warp.control.machine, thread, &mut state);
    warp.place(&state);
}

/// Moves the active lanes of a warp to the next instruction, but those that wait for phases.
fn wait_for_phases<R: Recorder>(
    waiting: &[(u8, Wait)],
    machine: &mut Machine,
    thread: u8,
    instructions: u32,
    recorder: &mut R,
) {
    let mut warp = WarpMut::new(machine, thread, instructions, recorder);
    let mut state = WarpLanes::load(warp.control.machine, thread);
    for lane in lanes(state.active) {
        state.pcs[usize::from(lane)] += 1;
    }
    for (lane, wait) in waiting {
        let at = usize::from(*lane);
        state.pcs[at] -= 1;
        state.waits[at] = *wait;
    }
    release(warp.control.machine, thread, &mut state);
    warp.place(&state);
}

/// Lets the lanes of a block test again whether their phases are complete that wait for one
/// that is.
pub fn release_phases<R: Recorder>(
    threads: u8,
    instructions: u32,
    machine: &mut Machine,
    recorder: &mut R,
) {
    for thread in 0..threads {
        let mut state = WarpLanes::load(machine, thread);
        let is_over = |wait: Wait| match wait {
            Wait::Phase(address, phase) => {
                let object = machine.load(SpaceId::SLM, address.into(), 8);
                let token = u64::from(phase) << 31;
                object.is_some_and(|object| mbarrier::is_complete(object, token))
            }
            _ => false,
        };
        let over = state.waits.map(is_over);
        if !over.contains(&true) {
            continue;
        }
        for (wait, is_over) in state.waits.iter_mut().zip(over) {
            if is_over {
                *wait = Wait::None;
            }
        }
        WarpMut::new(machine, thread, instructions, recorder).place(&state);
    }
}

/// Removes lanes from a convergence barrier, also as the others know it.
fn leave<R: Recorder>(warp: &mut WarpMut<'_, R>, barrier: u8, leaving: u32) {
    let thread = warp.control.thread;
    for lane in lanes(leaving) {
        let mask = warp::barrier(warp.control.machine, thread, lane, barrier);
        for other in lanes(mask) {
            let known = warp::barrier(warp.control.machine, thread, other, barrier);
            if known == mask {
                warp.set_barrier(other, barrier, mask & !(1 << lane));
            }
        }
    }
}

/// Separates lanes that yield from those that wait for them at convergence barriers: each group
/// then meets on its own. Compilers write YIELD or NANOSLEEP in loops that wait for other threads, for
/// which the lanes at the barrier would wait forever.
///
/// Source: US patent 10,067,768: a convergence barrier is cleared when its threads are blocked at
/// it or have yielded. Here, lanes leave it as soon as they yield.
fn separate<R: Recorder>(warp: &mut WarpMut<'_, R>, state: &WarpLanes, yielding: u32) {
    let thread = warp.control.thread;
    for lane in lanes(state.alive) {
        let Wait::Convergence(barrier) = state.waits[usize::from(lane)] else {
            continue;
        };
        let mask = warp::barrier(warp.control.machine, thread, lane, barrier);
        for other in lanes(mask) {
            let known = warp::barrier(warp.control.machine, thread, other, barrier);
            if known == mask {
                let is_yielding = yielding >> other & 1 == 1;
                let own = if is_yielding { yielding } else { !yielding };
                warp.set_barrier(other, barrier, mask & own);
            }
        }
    }
}

/// Lets lanes go on whose wait is over.
fn release(machine: &Machine, thread: u8, state: &mut WarpLanes) {
    loop {
        let mut freed = 0;
        for lane in lanes(state.alive) {
            let at = usize::from(lane);
            let wait = state.waits[at];
            let others = match wait {
                Wait::Convergence(number) => {
                    warp::barrier(machine, thread, lane, number) & state.alive
                }
                Wait::Lanes(mask) => mask & state.alive,
                Wait::Token(number) => {
                    let holds = |lane: u8| {
                        let mut tokens = warp::tokens(machine, thread, lane);
                        tokens.any(|token| token.number == number)
                    };
                    let holders = lanes(state.alive).filter(|lane| holds(*lane));
                    if holders.count() == 0 {
                        freed |= 1 << lane;
                    }
                    continue;
                }
                Wait::None | Wait::Block(_) | Wait::Alone(_) | Wait::Phase(..) => continue,
            };
            let is_there = |number: u8| {
                let other = usize::from(number);
                let waits_alike = match (wait, state.waits[other]) {
                    (Wait::Lanes(_), Wait::Lanes(_)) => true,
                    // In a deeper call, others wait at the same place for fewer lanes.
                    (Wait::Convergence(own), Wait::Convergence(others)) => {
                        let mask = warp::barrier(machine, thread, number, own);
                        own == others && mask >> lane & 1 == 1
                    }
                    (own, others) => own == others,
                };
                // A lane that waits at a WARPSYNC for this one has left the barrier (inferred:
                // compilers do not write a BREAK for it).
                let has_left = matches!(
                    (wait, state.waits[other]),
                    (Wait::Convergence(_), Wait::Lanes(mask)) if mask >> lane & 1 == 1
                );
                has_left || waits_alike && state.pcs[other] == state.pcs[at]
            };
            if lanes(others).all(is_there) {
                freed |= 1 << lane;
            }
        }
        if freed == 0 {
            freed = alone(state);
        }
        if freed == 0 {
            return;
        }
        for lane in lanes(freed) {
            let at = usize::from(lane);
            if !matches!(state.waits[at], Wait::Token(_)) {
                state.pcs[at] += 1;
            }
            state.waits[at] = Wait::None;
        }
    }
}

/// The first lanes that wait to run alone and are complete, if no lane runs.
fn alone(state: &WarpLanes) -> u32 {
    let all_of = |mask: u32| {
        let waits = |lane: u8| state.waits[usize::from(lane)] == Wait::Alone(mask);
        let all = mask & state.alive;
        lanes(all).all(waits).then_some(all)
    };
    let mut masks = lanes(state.alive).filter_map(|lane| match state.waits[usize::from(lane)] {
        Wait::Alone(mask) => all_of(mask),
        _ => None,
    });
    match state.running() {
        0 => masks.find(|freed| *freed != 0).unwrap_or(0),
        _ => 0,
    }
}

/// Lets the lanes of a block go on whose barrier is complete; `threads` is the number of warps.
/// A barrier that an instruction `counts` threads for may be complete while others run.
pub fn release_block<R: Recorder>(
    threads: u8,
    instructions: u32,
    counts: bool,
    machine: &mut Machine,
    recorder: &mut R,
) {
    let is_any = |state: ThreadState| {
        (0..threads).any(|thread| Control::new(machine, thread).state() == state)
    };
    let is_quiet = !is_any(ThreadState::Running);
    if !(counts || is_quiet && is_any(ThreadState::AtBarrier)) {
        return;
    }
    let mut warps: Vec<WarpLanes> = (0..threads)
        .map(|thread| WarpLanes::load(machine, thread))
        .collect();
    let mut is_complete = false;
    for barrier in 0..16 {
        is_complete |= release_barrier(barrier, &[], &mut warps, instructions, machine, recorder);
    }
    if is_quiet && !is_complete {
        // Threads that have ended, or that the last warp lacks, count as arrived (assumed).
        let ended: Vec<u32> = warps.iter().map(|warp| warp.alive.count_zeros()).collect();
        for barrier in 0..16 {
            release_barrier(barrier, &ended, &mut warps, instructions, machine, recorder);
        }
    }
}

/// Lets the lanes go on that wait at a barrier of their block, if it is complete; `ended` are
/// the threads of each warp that count as arrived because they have ended. Returns whether it is.
fn release_barrier<R: Recorder>(
    barrier: u8,
    ended: &[u32],
    warps: &mut [WarpLanes],
    instructions: u32,
    machine: &mut Machine,
    recorder: &mut R,
) -> bool {
    let at_barrier = |state: &WarpLanes, lane: u8| match state.waits[usize::from(lane)] {
        Wait::Block(wait) if wait.barrier == barrier => Some(wait),
        _ => None,
    };
    let all: Vec<_> = warps
        .iter()
        .flat_map(|state| lanes(state.alive).map(move |lane| at_barrier(state, lane)))
        .collect();
    let arrived: Vec<BlockWait> = all.iter().copied().flatten().collect();
    let passed = (0..).zip(&*warps);
    let passed = passed.map(|(thread, _)| warp::arrivals(machine, thread, barrier));
    let passed: Vec<(u16, u16)> = passed.collect();
    let wanted = arrived.iter().map(|wait| wait.threads);
    let of_passed = passed.iter().filter(|(count, _)| *count > 0);
    let mut wanted = wanted.chain(of_passed.map(|(_, threads)| *threads));
    let first = wanted.next();
    // Different numbers of threads for one barrier have no meaning: it is never complete.
    let Some(wanted) = first.filter(|first| wanted.all(|other| other == *first)) else {
        return false;
    };
    let wanted = usize::from(wanted);
    let before: usize = passed.iter().map(|(count, _)| usize::from(*count)).sum();
    // Those who have arrived before they ended count once.
    let others = ended.iter().zip(&passed);
    let others = others.map(|(ended, (passed, _))| ended.saturating_sub((*passed).into()));
    let others = crate::diagnostic::to_usize(others.sum());
    let is_complete = match wanted {
        0 => arrived.len() == all.len(),
        wanted => arrived.len() + before + others >= wanted,
    };
    if !is_complete {
        return false;
    }
    let count = arrived.iter().filter(|wait| wait.predicate).count();
    let reduced = arrived.first().map_or(0, |wait| wait.reduction);
    let result = match reduced {
        1 => crate::diagnostic::to_u32(count),
        2 => u32::from(count == arrived.len()),
        _ => u32::from(count > 0),
    };
    // An arrival without waiting counts once.
    let mut rest = wanted.saturating_sub(arrived.len());
    for ((thread, state), (passed, threads)) in (0..).zip(warps).zip(passed) {
        let used = rest.min(passed.into());
        rest -= used;
        let left = passed - u16::try_from(used).expect("at most `passed`");
        let waiting = lanes(state.alive).filter(|lane| at_barrier(state, *lane).is_some());
        let waiting: Vec<u8> = waiting.collect();
        if !waiting.is_empty() {
            for lane in waiting {
                state.waits[usize::from(lane)] = Wait::None;
            }
            release(machine, thread, state);
            let mut warp = WarpMut::new(machine, thread, instructions, recorder);
            if reduced != 0 {
                warp.set_result(result);
            }
            warp.place(state);
        }
        if used > 0 {
            let mut warp = WarpMut::new(machine, thread, instructions, recorder);
            warp.set_arrivals(barrier, (left, threads));
        }
    }
    true
}
