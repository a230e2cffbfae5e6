//! Instructions that read other lanes or the state of the warp.

use super::expression::{NAN, float_minimum_of};
use super::flow;
use super::matrix::MatrixKind;
use super::name::{LaneRelation, Name, SpecialRegister};
use super::operand::{CONDITION_CODE, LaneValues, read_register};
use super::words::Word;
use super::{Class, SassInstruction};
use crate::isa::IssueContext;
use crate::isa::sass::warp::{AddressWindow, predicate_address};
use crate::machine::control::Control;
use crate::machine::warp::{self, lanes};
use crate::machine::{Machine, SpaceId};
use crate::number::ElementType;
use alloc::vec::Vec;

/// Words of P0 to P6.
const PREDICATES: [u64; 7] = [
    predicate_address(0),
    predicate_address(1),
    predicate_address(2),
    predicate_address(3),
    predicate_address(4),
    predicate_address(5),
    predicate_address(6),
];

/// Words of the condition code in the order of its bits in a register (assumed): zero, sign, carry,
/// overflow.
const SAVED_CODE: [u64; 4] = [
    CONDITION_CODE[2],
    CONDITION_CODE[3],
    CONDITION_CODE[0],
    CONDITION_CODE[4],
];

/// Place of the carry among them.
const SAVED_CARRY: u32 = 2;

/// Operation of a special instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialKind {
    /// Reads a special register.
    Register,
    /// Reads the address of code.
    CodeAddress,
    /// Copies to a uniform register.
    Uniform,
    /// Reads the result of a reducing barrier.
    BarrierResult,
    /// Reads the predicates under a mask.
    PredicatesToRegister,
    /// Writes the predicates under a mask.
    RegisterToPredicates,
    /// Saves or restores a convergence barrier.
    BarrierMove,
    /// Copies to or from the register of return addresses.
    ReturnAddressMove,
    /// Reads a register of another lane.
    Shuffle,
    /// Counts votes.
    Vote,
    /// Finds the lanes with the same value.
    Match,
    /// Reduces the values of the lanes.
    Reduce,
    /// Chooses the first lane.
    Elect,
    /// Tests which memory a generic address is in.
    Space,
    /// Multiplies matrices that all lanes hold.
    Multiply(MatrixKind),
    /// Transposes a matrix that all lanes hold.
    Transpose,
}

/// Results of an instruction on a thread.
#[derive(Clone, Debug)]
pub struct WarpOutput {
    /// Lanes that write.
    pub executing: u32,
    /// Values of the destination: of its first two registers.
    pub values: LaneValues,
    /// Values of its further pairs of registers.
    pub rest: Vec<LaneValues>,
    /// Bits of the predicate destinations.
    pub predicates: [u32; 2],
    /// Word of the flags space, and the bits that lanes write there.
    pub flags: [Option<(u64, u32)>; 7],
    /// Convergence barriers and the masks that lanes write there.
    pub barriers: Vec<(u8, LaneValues)>,
}

impl WarpOutput {
    /// Nothing yet.
    #[must_use]
    pub const fn new(executing: u32) -> Self {
        Self {
            executing,
            values: [0; 32],
            rest: Vec::new(),
            predicates: [0; 2],
            flags: [None; 7],
            barriers: Vec::new(),
        }
    }
}

impl SassInstruction {
    /// The results of a special instruction.
    pub(super) fn special(
        &self,
        kind: SpecialKind,
        context: &IssueContext<'_>,
        thread: u8,
        executing: u32,
    ) -> WarpOutput {
        let machine = context.machine;
        let mut out = WarpOutput::new(executing);
        let [a, b, c] = &self.source_values(machine, thread);
        let condition = self.conditions[0].bits(machine, thread);
        match kind {
            SpecialKind::Register => {
                if let Some(Name::Special(register)) = self.names[0] {
                    for lane in lanes(executing) {
                        out.values[usize::from(lane)] =
                            special_register(register, context, thread, lane);
                    }
                }
            }
            SpecialKind::CodeAddress => {
                let own = || Control::new(machine, thread).pc();
                let address = flow::address_of(self.goes_to.unwrap_or_else(own), self.is_old);
                out.values = [address; 32];
            }
            SpecialKind::Uniform => {
                let first = lanes(executing).next();
                let first = first.map_or(0, |lane| a[usize::from(lane)]);
                let others = lanes(executing).filter(|lane| a[usize::from(*lane)] != first);
                out.predicates[0] = others.fold(0, |mask, lane| mask | 1 << lane);
                // Each lane has a copy. Without the predicate, the value is that of all lanes, also
                // where the guard is false.
                if self.predicates[0].address().is_none() && executing != 0 {
                    out.executing = machine.flag_word(SpaceId::flags(thread), 0);
                    out.values = [first & 0xffff_ffff; 32];
                } else {
                    out.values = a.map(|value| value & 0xffff_ffff);
                }
            }
            SpecialKind::BarrierResult => {
                let result = warp::result(machine, thread);
                out.values = [result.into(); 32];
                out.predicates[0] = if result != 0 { u32::MAX } else { 0 };
            }
            SpecialKind::PredicatesToRegister => {
                // One operand is the mask; with two, bits outside the mask are kept.
                let words = self.flag_words();
                for lane in lanes(executing) {
                    let at = usize::from(lane);
                    let bits = (0..).zip(words).fold(0, |bits, (place, address)| {
                        let word = machine.flag_word(SpaceId::flags(thread), *address);
                        bits | u64::from(word >> lane & 1) << place
                    });
                    let (kept, mask) = (a[at], b[at]);
                    out.values[at] = bits & mask | kept & !mask & 0xffff_ffff;
                }
            }
            SpecialKind::RegisterToPredicates => {
                let set = |address, number: u32, value: &LaneValues| {
                    let selected = |lane: &u8| b[usize::from(*lane)] >> number & 1 == 1;
                    let mut bits = machine.flag_word(SpaceId::flags(thread), address);
                    for lane in lanes(executing).filter(selected) {
                        let bit = value[usize::from(lane)] >> number & 1 == 1;
                        bits = bits & !(1 << lane) | u32::from(bit) << lane;
                    }
                    Some((address, bits))
                };
                let words = self.flag_words();
                for ((number, address), place) in (0..).zip(words).zip(&mut out.flags) {
                    *place = set(*address, number, a);
                }
                if words == SAVED_CODE {
                    out.flags[SAVED_CODE.len()] = set(CONDITION_CODE[1], SAVED_CARRY, &[0; 32]);
                }
            }
            SpecialKind::BarrierMove => {
                let [to, from] = self.names;
                let mut masks = [0; 32];
                match from {
                    Some(Name::Barrier(barrier)) => {
                        for lane in lanes(executing) {
                            let mask = warp::barrier(machine, thread, lane, barrier);
                            masks[usize::from(lane)] = mask.into();
                        }
                        if self.modifiers.has(Word::Clear) {
                            out.barriers.push((barrier, [0; 32]));
                        }
                    }
                    Some(Name::Register(Some(register))) => {
                        read_register(machine, thread, register, false, &mut masks);
                    }
                    Some(Name::Mask(mask)) => masks = [mask.into(); 32],
                    _ => {}
                }
                match to {
                    Some(Name::Barrier(barrier)) => out.barriers.push((barrier, masks)),
                    _ => out.values = masks,
                }
            }
            SpecialKind::ReturnAddressMove => {
                if let Some(Name::Register(Some(register))) = self.names[1] {
                    read_register(machine, thread, register, false, &mut out.values);
                }
            }
            SpecialKind::Shuffle => {
                for lane in lanes(executing) {
                    let at = usize::from(lane);
                    let (source, in_range) = self.shuffled(lane, b[at], c[at]);
                    let is_there = executing >> source & 1 == 1;
                    out.values[at] = if is_there { a[usize::from(source)] } else { 0 };
                    out.predicates[0] |= u32::from(in_range) << lane;
                }
            }
            SpecialKind::Vote => {
                let ballot = condition & executing;
                let holds = match () {
                    () if self.modifiers.has(Word::All) => ballot == executing,
                    () if self.modifiers.has(Word::Eq) => ballot == 0 || ballot == executing,
                    () => ballot != 0,
                };
                out.values = [ballot.into(); 32];
                out.predicates[0] = if holds { u32::MAX } else { 0 };
            }
            SpecialKind::Match => {
                let same = |value: u64| {
                    let same = lanes(executing).filter(|lane| a[usize::from(*lane)] == value);
                    same.fold(0_u32, |mask, lane| mask | 1 << lane)
                };
                for lane in lanes(executing) {
                    let at = usize::from(lane);
                    let mask = same(a[at]);
                    let is_all = mask == executing;
                    out.values[at] = match self.modifiers.has(Word::All) && !is_all {
                        true => 0,
                        false => mask.into(),
                    };
                    out.predicates[0] |= u32::from(is_all) << lane;
                }
            }
            SpecialKind::Reduce => {
                let is_absolute =
                    self.modifiers.has(Word::MinAbs) || self.modifiers.has(Word::MaxAbs);
                let mask = if is_absolute {
                    0x7fff_ffff
                } else {
                    0xffff_ffff
                };
                let values = lanes(executing).map(|lane| a[usize::from(lane)] & mask);
                let reduced = values.reduce(|x, y| self.reduced(x, y));
                out.values = [reduced.unwrap_or(0); 32];
            }
            SpecialKind::Elect => {
                if let Some(first) = lanes(executing).next() {
                    out.values = [first.into(); 32];
                    out.predicates[0] = 1 << first;
                }
            }
            SpecialKind::Multiply(kind) if executing != 0 => {
                let mut pairs = self.multiply_matrices(kind, context, thread).into_iter();
                out.values = pairs.next().unwrap_or(out.values);
                out.rest = pairs.collect();
            }
            SpecialKind::Transpose => out.values = self.transpose(machine, thread),
            SpecialKind::Multiply(_) => {}
            SpecialKind::Space => {
                let asked = match () {
                    () if self.modifiers.has(Word::S) || self.modifiers.has(Word::D) => {
                        Some(AddressWindow::Shared)
                    }
                    () if self.modifiers.has(Word::L) => Some(AddressWindow::Local),
                    () => None,
                };
                let addresses = self.address.read(true, machine, thread);
                for lane in lanes(executing) {
                    let found = context.symbols.sass.window_at(addresses[usize::from(lane)]);
                    out.predicates[0] |= u32::from(found == asked) << lane;
                }
            }
        }
        out
    }

    /// Whether it moves elements between all lanes, which have to execute it together.
    pub(super) const fn is_collective(&self) -> bool {
        use SpecialKind::{Multiply, Transpose};
        let moves = matches!(self.op.class, Class::Special(Multiply(_) | Transpose));
        moves || self.matrices() > 0
    }

    /// Words of the flags space that it copies, from bit 0 on.
    fn flag_words(&self) -> &'static [u64] {
        match self.names.contains(&Some(Name::ConditionCode)) {
            true => &SAVED_CODE,
            false => &PREDICATES,
        }
    }

    /// Whether it saves a carry of 2, which has no bit.
    pub(super) fn loses_carry(&self, machine: &Machine, thread: u8) -> bool {
        let [_, second, ..] = CONDITION_CODE;
        let flags = SpaceId::flags(thread);
        let executing = self.executing(machine, thread, machine.flag_word(flags, 0));
        matches!(
            self.op.class,
            Class::Special(SpecialKind::PredicatesToRegister)
        ) && self.names.contains(&Some(Name::ConditionCode))
            && machine.flag_word(flags, second) & executing != 0
    }

    fn reduced(&self, x: u64, y: u64) -> u64 {
        let m = &self.modifiers;
        let is_minimum = m.has(Word::Min) || m.has(Word::MinAbs);
        if m.has(Word::F32) {
            return float_minimum_of(m, [x, y], ElementType::F, NAN, is_minimum);
        }
        // A signed order is that of numbers with the sign bit inverted.
        let sign = if m.has(Word::S32) { 1 << 31 } else { 0 };
        match () {
            () if m.has(Word::Sum) => (x + y) & 0xffff_ffff,
            () if m.has(Word::Min) => (x ^ sign).min(y ^ sign) ^ sign,
            () if m.has(Word::Max) => (x ^ sign).max(y ^ sign) ^ sign,
            () if m.has(Word::Or) => x | y,
            () if m.has(Word::Xor) => x ^ y,
            () => x & y,
        }
    }

    /// The source lane of a shuffle, and whether it is in range: the rule of `shfl` in the
    /// PTX ISA.
    pub(super) fn shuffled(&self, lane: u8, b: u64, c: u64) -> (u8, bool) {
        let lane_number = u64::from(lane);
        let (offset, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
        let maximum = lane_number & segment | clamp & !segment & 31;
        let minimum = lane_number & segment;
        let is_up = self.modifiers.has(Word::Up);
        let source = match () {
            () if is_up => lane_number.wrapping_sub(offset),
            () if self.modifiers.has(Word::Down) => lane_number + offset,
            () if self.modifiers.has(Word::Bfly) => lane_number ^ offset,
            () => minimum | offset & !segment & 31,
        };
        let in_range = match is_up {
            true => source.cast_signed() >= maximum.cast_signed(),
            false => source <= maximum,
        };
        let source = u8::try_from(source & 31).expect("five bits");
        (if in_range { source } else { lane }, in_range)
    }
}

fn special_register(
    register: SpecialRegister,
    context: &IssueContext<'_>,
    thread: u8,
    lane: u8,
) -> u64 {
    let machine = context.machine;
    let mask = match register {
        SpecialRegister::Thread(dimension) => {
            return flow::thread_index(machine, thread, lane, dimension).into();
        }
        SpecialRegister::Block(dimension) => {
            return flow::block_index(machine, thread, dimension).into();
        }
        SpecialRegister::Lane => return lane.into(),
        SpecialRegister::Zero => return 0,
        SpecialRegister::SharedSize => {
            return machine
                .space(SpaceId::SLM)
                .regions()
                .map(|(_, bytes)| bytes)
                .sum();
        }
        SpecialRegister::Warp => return u64::from(thread) << 8,
        SpecialRegister::Processors => return 64 << 8 | 1 << 20,
        SpecialRegister::SharedWindow(is_high) => {
            let start = context.symbols.sass.window(AddressWindow::Shared);
            return if is_high {
                start >> 32
            } else {
                start & 0xffff_ffff
            };
        }
        SpecialRegister::Clock => return warp::steps(machine, thread).into(),
        SpecialRegister::Mask(relation) => relation,
    };
    let own = 1_u32 << lane;
    let lower = own - 1;
    u64::from(match mask {
        LaneRelation::Equal => own,
        LaneRelation::Less => lower,
        LaneRelation::LessOrEqual => lower | own,
        LaneRelation::Greater => !(lower | own),
        LaneRelation::GreaterOrEqual => !lower,
    })
}
