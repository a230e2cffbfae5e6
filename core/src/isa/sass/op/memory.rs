//! Loads, stores and atomics of the lanes of a warp.

use super::SassInstruction;
use super::operand::{LaneRegister, LaneValues, SourcePlace, read_register, signed_integer};
use super::words::{SassModifiers, Word};
use crate::isa::mbarrier::{self, Amount, Arrival};
use crate::isa::rmw::{Rmw, Subnormals, Width};
use crate::isa::rmw_exec::Update;
use crate::isa::sass::warp::AddressWindow;
use crate::isa::{
    Access, FIRST_ELEMENT, FaultKind, IssueContext, IssueFault, PhaseStep, Semantics, Unit,
};
use crate::machine::warp::{Wait, lanes};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::{low_mask, sign_extend};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// Bytes of the local memory of a lane. The local memories of the lanes of a warp follow
/// one another.
pub const LOCAL_BYTES: u64 = 0x4000;

/// Kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Updates, and returns the old value.
    Atomic,
    /// Updates.
    Reduction,
    /// Reads global memory, and writes what it has read.
    Copy,
    /// Copies many bytes between global and shared memory.
    BulkCopy,
    /// Uses barrier objects.
    Synchronize,
}

impl Action {
    /// Whether it reads and writes at once.
    pub(super) const fn is_atomic(self) -> bool {
        matches!(self, Self::Atomic | Self::Reduction)
    }
}

/// The memory that addresses of an opcode denote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Global memory.
    Global,
    /// Any memory, by its window.
    Generic,
    /// Shared memory of the block.
    Shared,
    /// Local memory of the lane.
    Local,
}

impl Window {
    /// Whether it can be local memory.
    #[must_use]
    pub const fn may_be_local(self) -> bool {
        matches!(self, Self::Generic | Self::Local)
    }

    const fn is_wide(self) -> bool {
        matches!(self, Self::Global | Self::Generic)
    }
}

/// Kind of a memory instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryKind {
    /// Which memory.
    pub window: Window,
    /// Its kind.
    pub action: Action,
}

/// A register in an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    register: LaneRegister,
    is_pair: bool,
    scale: u64,
}

/// An address in brackets: the sum of registers and a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddressOperand {
    terms: [Option<Term>; 2],
    offset: i64,
}

impl AddressOperand {
    /// Reads `[R2.64+UR4+0x8]`, `desc[UR4][R2.64]`. `is_wide`: registers without a suffix are
    /// pairs.
    #[must_use]
    pub fn parse(text: &str, is_wide: bool) -> Option<Self> {
        // A descriptor has no effect on values.
        let text = match text.strip_prefix("desc[") {
            Some(rest) => rest.split_once(']')?.1,
            None => text,
        };
        let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
        let mut address = Self::default();
        let mut count = 0;
        for term in inside.split('+') {
            let term = term.trim();
            let (name, suffix) = term.split_once('.').unwrap_or((term, ""));
            let Some(register) = LaneRegister::named(name) else {
                address.offset += signed_integer(term)?;
                continue;
            };
            let scale = match suffix {
                "X4" => 4,
                "X8" => 8,
                "X16" => 16,
                "" | "64" | "U32" => 1,
                _ => return None,
            };
            if let Some(register) = register {
                let place = address.terms.get_mut(count)?;
                *place = Some(Term {
                    register,
                    is_pair: suffix == "64" || suffix.is_empty() && is_wide,
                    scale,
                });
                count += 1;
            }
        }
        Some(address)
    }

    /// The registers that it reads.
    pub fn registers(&self) -> impl Iterator<Item = LaneRegister> {
        let terms = self.terms.into_iter().flatten();
        terms.flat_map(|term| {
            let high = term.is_pair.then(|| term.register.next(1));
            [Some(term.register), high].into_iter().flatten()
        })
    }

    /// The addresses of all lanes.
    pub(super) fn read(&self, is_wide: bool, machine: &Machine, thread: u8) -> LaneValues {
        let mut sum = [self.offset.cast_unsigned(); 32];
        for term in self.terms.iter().flatten() {
            let mut values = [0; 32];
            let is_pair = term.is_pair && is_wide;
            read_register(machine, thread, term.register, is_pair, &mut values);
            for (sum, value) in sum.iter_mut().zip(values) {
                *sum = sum.wrapping_add(value.wrapping_mul(term.scale));
            }
        }
        if !is_wide {
            for sum in &mut sum {
                *sum &= 0xffff_ffff;
            }
        }
        sum
    }
}

/// Bytes of an access of a lane, at most 32.
fn size_of(m: &SassModifiers) -> u8 {
    let is = |words: &[Word]| words.iter().any(|word| m.has(*word));
    match () {
        () if is(&[Word::B256]) => 32,
        () if is(&[Word::Mt88]) => 2,
        () if is(&[Word::M88]) => 4,
        () if is(&[
            Word::B128,
            Word::HalfOctet,
            Word::BrainOctet,
            Word::FloatQuad,
        ]) =>
        {
            16
        }
        () if m.has(Word::Trans64) => 8,
        () if is(&[Word::B64, Word::U64, Word::S64, Word::F64]) => 8,
        () if is(&[Word::HalfQuad, Word::BrainQuad, Word::FloatPair]) => 8,
        () if is(&[Word::U16, Word::S16, Word::F16]) => 2,
        () if is(&[Word::U8, Word::S8]) => 1,
        () => 4,
    }
}

/// The place of an address.
struct Located {
    space: SpaceId,
    address: u64,
    fault: Option<FaultKind>,
}

impl SassInstruction {
    /// The memory instruction that it is.
    #[must_use]
    pub const fn memory_kind(&self) -> Option<MemoryKind> {
        match self.op.class {
            super::Class::Memory(kind) => Some(kind),
            _ => None,
        }
    }

    /// The lanes of those that execute it that have accesses. Where all operands are uniform, the
    /// warp has one, which is that of its first lane.
    pub(super) fn accessing(&self, executing: u32) -> u32 {
        match self.phase_step() {
            _ if self.is_bulk() => executing & executing.wrapping_neg(),
            Some(PhaseStep::Set) => executing & executing.wrapping_neg(),
            _ => executing,
        }
    }

    /// Whether the warp makes a copy of many bytes as a whole.
    pub(super) fn is_bulk(&self) -> bool {
        let is_bulk = |kind: MemoryKind| kind.action == Action::BulkCopy;
        self.memory_kind().is_some_and(is_bulk)
    }

    /// Number of accesses of a lane.
    pub(super) fn elements(&self) -> u8 {
        match self.matrices() {
            0 => size_of(&self.modifiers).div_ceil(self.element_bytes()),
            count if self.moves_columns() => count * 2,
            count => count,
        }
    }

    /// Bytes of an access of a lane.
    fn element_bytes(&self) -> u8 {
        match self.words {
            u8::MAX => size_of(&self.modifiers).min(8),
            _ => 4,
        }
    }

    /// Address in the register file of the destination of an access.
    pub(super) fn returned_to(&self, lane: u8, element: u8) -> Option<u32> {
        let at = match self.matrices() {
            0 => {
                let (first, register) = self.word_register(element * (self.element_bytes() / 4));
                first?.next(register).address(lane)
            }
            _ => {
                let place = self.matrix_place(lane, element);
                let register = self.destination?.next(place.register);
                register.address(lane) + u64::from(place.byte)
            }
        };
        Some(u32::try_from(at).expect("a register file has less than 4 GB"))
    }

    /// The first register of the words that a word of the destination belongs to, and how many
    /// registers behind it its own is.
    fn word_register(&self, word: u8) -> (Option<LaneRegister>, u16) {
        let is_upper = word >= 4;
        let first = if is_upper {
            self.upper
        } else {
            self.destination
        };
        let words = if is_upper {
            self.words >> 4
        } else {
            self.words & 15
        };
        let before = words & ((1 << (word % 4)) - 1);
        let before = u16::try_from(before.count_ones()).expect("at most 4");
        (first, before)
    }

    /// Appends the accesses of a memory instruction.
    pub(super) fn issue_accesses(
        &self,
        kind: MemoryKind,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) {
        if kind.action == Action::Copy {
            return self.issue_copies(kind, context, out);
        }
        if kind.action == Action::Synchronize && self.phase_step().is_none() {
            return;
        }
        let (machine, thread) = (context.machine, context.threads.first());
        let active = machine.flag_word(SpaceId::flags(thread), 0);
        let executing = self.accessing(self.executing(machine, thread, active));
        let size = size_of(&self.modifiers);
        let bytes = self.element_bytes();
        let addresses = self.address.read(kind.window.is_wide(), machine, thread);
        let data: [_; 4] = self.source_values(machine, thread);
        let is_counting = self.modifiers.has(Word::Popc);
        if self.matrices() > 0 {
            self.issue_matrix_accesses(kind, &addresses, executing, context, out);
            return;
        }
        for lane in lanes(executing) {
            for element in (0..self.elements()).filter(|element| self.moves(*element)) {
                let at = usize::from(lane);
                let offset = u64::from(element) * u64::from(bytes);
                let address = addresses[at];
                let located = locate(kind.window, address, offset, bytes, size, lane, context);
                let is_elsewhere = self.tells_space() && located.space != SpaceId::VIRTUAL;
                let dst = self.returned_to(lane, element);
                let value = match (kind.action, is_counting) {
                    (Action::Load, _) => 0,
                    (_, true) => 1,
                    _ => data[usize::from(element)][at],
                };
                let mask = low_mask(u32::from(bytes) * 8);
                let second = if size > 8 { 0 } else { data[1][at] };
                let channel = (size > 8).then_some(FIRST_ELEMENT + element);
                let unit = Unit::part(thread, lane, channel);
                out.push(Access {
                    in_bounds: !is_elsewhere,
                    fault: located.fault.filter(|_| !is_elsewhere),
                    src0: value & mask,
                    src1: second & mask,
                    writes: kind.action != Action::Load
                        && self.phase_step() != Some(PhaseStep::Check),
                    dst,
                    ..Access::new(unit, located.space, located.address, bytes)
                });
            }
        }
    }

    /// Appends the accesses of a copy: those that read, then those that write. A copy is
    /// complete at once.
    fn issue_copies(&self, kind: MemoryKind, context: &IssueContext<'_>, out: &mut Vec<Access>) {
        let (machine, thread) = (context.machine, context.threads.first());
        let active = machine.flag_word(SpaceId::flags(thread), 0);
        let size = size_of(&self.modifiers);
        let addresses = self.address.read(kind.window.is_wide(), machine, thread);
        let copied = self.copied_parts(machine, thread);
        for lane in lanes(self.executing(machine, thread, active)) {
            let (from, read) = copied[usize::from(lane)];
            let mut values = [0; 2];
            for writes in [false, true] {
                for element in 0..self.elements() {
                    let offset = u64::from(element) * 8;
                    let to = addresses[usize::from(lane)];
                    let (window, address, bytes) = match writes {
                        true => (kind.window, to, size.min(8)),
                        false => {
                            let rest = read.saturating_sub(element * 8).min(8);
                            (Window::Global, from, rest)
                        }
                    };
                    if bytes == 0 {
                        continue;
                    }
                    let located = locate(window, address, offset, bytes, size, lane, context);
                    let value = &mut values[usize::from(element)];
                    if !writes {
                        let loaded = machine.load(located.space, located.address, bytes);
                        *value = loaded.unwrap_or(0);
                    }
                    let number = element + if writes { self.elements() } else { 0 };
                    let unit = Unit::part(thread, lane, Some(FIRST_ELEMENT + number));
                    out.push(Access {
                        fault: located.fault,
                        src0: if writes { *value } else { 0 },
                        writes,
                        copied_to: (!writes).then(|| (SpaceId::SLM, to.wrapping_add(offset))),
                        ..Access::new(unit, located.space, located.address, bytes)
                    });
                }
            }
        }
    }

    /// Appends the accesses of all lanes to rows or columns of matrices; the address of a row is
    /// that of another lane.
    fn issue_matrix_accesses(
        &self,
        kind: MemoryKind,
        addresses: &LaneValues,
        executing: u32,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) {
        let (machine, thread) = (context.machine, context.threads.first());
        let bytes = size_of(&self.modifiers);
        for lane in lanes(executing) {
            for element in 0..self.elements() {
                let place = self.matrix_place(lane, element);
                let row = addresses[place.addressing_lane];
                let address = row.wrapping_add(place.offset);
                let located = locate(kind.window, address, 0, bytes, bytes, lane, context);
                let stored = match self.sources[0].place {
                    SourcePlace::Register(first) => {
                        let at = first.next(place.register).address(lane) + u64::from(place.byte);
                        machine.load(SpaceId::registers(thread), at, bytes)
                    }
                    _ => None,
                };
                let channel = (self.elements() > 1).then_some(FIRST_ELEMENT + element);
                let unit = Unit::part(thread, lane, channel);
                out.push(Access {
                    fault: match row.is_multiple_of(16) {
                        true => located.fault,
                        false => Some(FaultKind::Misaligned),
                    },
                    src0: stored.unwrap_or(0),
                    writes: kind.action != Action::Load,
                    dst: self.returned_to(lane, element),
                    ..Access::new(unit, located.space, located.address, bytes)
                });
            }
        }
    }

    /// Address and number of the bytes that each lane copies. The predicate tells whether any
    /// are. With `.ZFILL`, the address has in its lowest bits the number of those at the end that
    /// are not. The others become 0.
    fn copied_parts(&self, machine: &Machine, thread: u8) -> [(u64, u8); 32] {
        let size = size_of(&self.modifiers);
        let addresses = self.source_address.read(true, machine, thread);
        let copies = self.conditions[0].bits(machine, thread);
        let fills = self.modifiers.has(Word::Zfill);
        core::array::from_fn(|lane| {
            let filled = match fills {
                true => addresses[lane] & u64::from(size - 1),
                false => 0,
            };
            let kept = size - u8::try_from(filled).expect("it is less than the size");
            let kept = if copies >> lane & 1 == 1 { kept } else { 0 };
            (addresses[lane] - filled, kept)
        })
    }

    /// Whether a lane reads nothing at all for an element of a copy.
    pub(super) fn is_filled(&self, machine: &Machine, unit: Unit) -> bool {
        let is_copy = matches!(self.memory_kind(), Some(kind) if kind.action == Action::Copy);
        let element = unit.channel.map_or(0, |channel| channel - FIRST_ELEMENT);
        is_copy && element < self.elements() && {
            let (_, read) = self.copied_parts(machine, unit.thread)[usize::from(unit.lane)];
            read <= element * 8
        }
    }

    /// Whether a lane has an access for an element: a load leaves out words without a register.
    fn moves(&self, element: u8) -> bool {
        self.words == u8::MAX || self.words >> element & 1 == 1
    }

    /// The elements of a lane that have accesses of their own.
    pub(super) fn element_mask(&self) -> u16 {
        let count = match self.memory_kind().map(|kind| kind.action) {
            Some(Action::Copy) => 2 * self.elements(),
            Some(_) if self.elements() > 1 => self.elements(),
            _ => 0,
        };
        let moved = (0..count).filter(|element| self.moves(*element));
        moved.fold(0, |mask, element| mask | 1 << (FIRST_ELEMENT + element))
    }

    /// Whether its predicate tells which lanes have an address in global memory. In the others,
    /// it has no effect.
    pub(super) fn tells_space(&self) -> bool {
        let is_generic =
            |kind: MemoryKind| kind.window == Window::Generic && kind.action == Action::Atomic;
        self.predicates[0].address().is_some() && self.memory_kind().is_some_and(is_generic)
    }

    /// The read-modify-write of an atomic; `None` if it is not one of these types.
    pub(super) fn rmw(&self) -> Option<Rmw> {
        let m = &self.modifiers;
        if m.has(Word::Arrive) || m.has(Word::Ldgstsbar) {
            return Some(Rmw::Arrive(self.arrival()));
        }
        let is_signed = m.has(Word::S32) || m.has(Word::S64);
        let is_any = |words: [Word; 3]| words.into_iter().any(|word| m.has(word));
        let halves = is_any([Word::HalfPair, Word::HalfQuad, Word::HalfOctet]);
        let brains = is_any([Word::BrainPair, Word::BrainQuad, Word::BrainOctet]);
        let floats = is_any([Word::F32, Word::FloatPair, Word::FloatQuad]);
        let is_float = halves || brains || floats || m.has(Word::F64);
        let operations = [
            (Word::Cas, Rmw::CompareExchange),
            (Word::Cast, Rmw::CompareExchange),
            (Word::Min, if is_signed { Rmw::SignedMin } else { Rmw::Min }),
            (Word::Max, if is_signed { Rmw::SignedMax } else { Rmw::Max }),
            (Word::Inc, Rmw::IncrementTo),
            (Word::Dec, Rmw::DecrementFrom),
            (Word::And, Rmw::And),
            (Word::Or, Rmw::Or),
            (Word::Xor, Rmw::Xor),
            (Word::Exch, Rmw::Exchange),
            (Word::Add, Rmw::Add),
        ];
        let (_, rmw) = operations.iter().find(|(word, _)| m.has(*word))?;
        Some(match rmw {
            // Each lane adds 1.
            Rmw::IncrementTo if m.has(Word::Popc) => Rmw::Add,
            _ if m.has(Word::Popc) => return None,
            Rmw::Add if halves => Rmw::PairAdd(Subnormals::Kept),
            Rmw::Min if halves => Rmw::PairMin(Subnormals::Kept),
            Rmw::Max if halves => Rmw::PairMax(Subnormals::Kept),
            Rmw::Add if brains => Rmw::BfPairAdd,
            Rmw::Min if brains => Rmw::BfPairMin,
            Rmw::Max if brains => Rmw::BfPairMax,
            Rmw::Add if floats && m.has(Word::Ftz) => Rmw::FlushedFloatAdd,
            Rmw::Add if m.has(Word::F32) || m.has(Word::F64) => Rmw::FloatAdd,
            _ if is_float => return None,
            rmw => *rmw,
        })
    }

    /// How it arrives at a barrier object. Without a word for them, one thread arrives, and the
    /// operand is the number of bytes that it expects.
    fn arrival(&self) -> Arrival {
        let m = &self.modifiers;
        let has_bytes = [Word::Trans64, Word::Arvcnt, Word::Transcnt].map(|word| m.has(word));
        if !has_bytes.contains(&true) {
            return Arrival::Counted;
        }
        let (threads, expected, written) = match () {
            () if m.has(Word::Arvcnt) => (Amount::One, Amount::Zero, Amount::Zero),
            () if m.has(Word::Transcnt) => (Amount::Zero, Amount::Zero, Amount::One),
            () if m.has(Word::NoneExpectsOne) => (Amount::Zero, Amount::One, Amount::Zero),
            () if m.has(Word::OneNoBytes) => (Amount::One, Amount::Zero, Amount::Zero),
            () if m.has(Word::SomeNoBytes) => (Amount::Operand, Amount::Zero, Amount::Zero),
            () if m.has(Word::NoneExpects) => (Amount::Zero, Amount::Operand, Amount::Zero),
            () if m.has(Word::NoneWrites) => (Amount::Zero, Amount::Zero, Amount::Operand),
            () => (Amount::One, Amount::Operand, Amount::Zero),
        };
        Arrival::Transaction {
            threads,
            expected,
            written,
            drops: m.has(Word::Optout),
        }
    }

    /// Why arrivals have no meaning: a barrier object cannot count them.
    pub(super) fn arrival_fault(
        &self,
        accesses: &[Access],
        machine: &Machine,
    ) -> Option<IssueFault> {
        let Some(Rmw::Arrive(arrival)) = self.rmw() else {
            return None;
        };
        let mut objects = BTreeMap::new();
        let valid = accesses.iter().filter(|access| access.fault.is_none());
        for access in valid {
            let held = || machine.load(access.space, access.address, access.bytes);
            let object = objects.get(&access.address).copied().or_else(held)?;
            let Some(new) = arrival.of(object, access.src0) else {
                return Some(uncountable());
            };
            objects.insert(access.address, new);
        }
        None
    }

    /// The lanes that wait for a phase after an instruction that waits, which they execute again
    /// once it is complete. A time limit is never reached (assumed).
    pub(super) fn phase_waits(&self, machine: &Machine, thread: u8) -> Vec<(u8, Wait)> {
        if !self.modifiers.has(Word::Trywait) {
            return Vec::new();
        }
        let active = machine.flag_word(SpaceId::flags(thread), 0);
        let addresses = self.address.read(false, machine, thread);
        let [tokens]: [_; 1] = self.source_values(machine, thread);
        let wait = |lane: u8| {
            let at = usize::from(lane);
            let object = machine.load(SpaceId::SLM, addresses[at], 8)?;
            let address = u32::try_from(addresses[at]).ok()?;
            let wait = Wait::Phase(address, tokens[at] >> 31 & 1 == 1);
            (!mbarrier::is_complete(object, tokens[at])).then_some((lane, wait))
        };
        let executing = self.executing(machine, thread, active);
        lanes(executing).filter_map(wait).collect()
    }

    /// The update of its accesses. The operands of a comparing one are the compared value,
    /// then the new one.
    pub(super) fn atomic_update(&self) -> Option<Update> {
        let kind = self.memory_kind()?;
        let updates = kind.action.is_atomic() || kind.action == Action::Synchronize;
        updates.then_some(Update {
            rmw: self.rmw()?,
            swapped: self.modifiers.swaps(),
            returns_new: false,
        })
    }

    /// Performs the accesses in their order.
    pub(super) fn perform_accesses<R: Recorder>(
        &self,
        kind: MemoryKind,
        accesses: &[Access],
        machine: &mut Machine,
        recorder: &mut R,
    ) {
        let update = self.atomic_update();
        for access in accesses {
            recorder.begin();
            let tells = |machine: &mut Machine, recorder: &mut R, holds: bool| {
                let Some(address) = self.predicates[0].address() else {
                    return;
                };
                let flags = SpaceId::flags(access.unit.thread);
                let lane = 1 << access.unit.lane;
                machine.update(recorder, flags, address, 4, |old| match holds {
                    true => old | lane,
                    false => old & !lane,
                });
            };
            let compares = self.modifiers.has(Word::Cast);
            let checks = self.phase_step() == Some(PhaseStep::Check);
            if !compares && !checks {
                tells(machine, recorder, access.in_bounds);
            }
            if !access.in_bounds {
                if let Some(dst) = access.dst {
                    let registers = SpaceId::registers(access.unit.thread);
                    let (_, bytes) = self.returned(0, access);
                    machine.store(recorder, registers, dst.into(), bytes, 0);
                }
                continue;
            }
            let (space, address, bytes) = (access.space, access.address, access.bytes);
            let width = if bytes == 8 { Width::W64 } else { Width::W32 };
            let old = match (kind.action, update) {
                (Action::Load, _) | (_, None) if !access.writes => {
                    machine.load(space, address, bytes)
                }
                (Action::Store, _) | (_, None) => {
                    machine.store(recorder, space, address, bytes, access.src0);
                    continue;
                }
                (_, Some(update)) => machine.update(recorder, space, address, bytes, |old| {
                    update.apply(width, old, access).new
                }),
            };
            let Some(old) = old else {
                continue;
            };
            if compares {
                tells(machine, recorder, old == access.src0);
            }
            let is_complete = checks && mbarrier::is_complete(old, access.src0);
            if is_complete || checks && !self.modifiers.has(Word::Trywait) {
                tells(machine, recorder, is_complete);
            }
            let Some(dst) = access.dst else {
                continue;
            };
            let registers = SpaceId::registers(access.unit.thread);
            let (value, bytes) = self.returned(old, access);
            machine.store(recorder, registers, dst.into(), bytes, value);
        }
    }

    /// The value that an access writes to the destination, and its size in bytes.
    fn returned(&self, old: u64, access: &Access) -> (u64, u8) {
        if self.modifiers.has(Word::Cast) {
            return (u64::from(old == access.src0), access.bytes.max(4));
        }
        if self.matrices() > 0 {
            return (old, access.bytes);
        }
        let bits = u32::from(access.bytes) * 8;
        let is_signed = self.modifiers.has(Word::S8) || self.modifiers.has(Word::S16);
        let value = match is_signed {
            true => sign_extend(old, bits).cast_unsigned() & 0xffff_ffff,
            false => old,
        };
        (value, access.bytes.max(4))
    }
}

/// The fault of an arrival that a barrier object cannot count.
pub(super) fn uncountable() -> IssueFault {
    IssueFault {
        kind: FaultKind::Undefined,
        reason: Some(String::from(
            "more threads arrive, or more bytes are counted, than the barrier expects",
        )),
    }
}

/// Finds the memory behind an address of a lane, which is a multiple of `size`, and checks both.
fn locate(
    window: Window,
    address: u64,
    offset: u64,
    bytes: u8,
    size: u8,
    lane: u8,
    context: &IssueContext<'_>,
) -> Located {
    let thread = context.threads.first();
    let warp = &context.symbols.sass;
    let local = SpaceId::accumulators(thread);
    let (space, start) = match window {
        Window::Global => (SpaceId::VIRTUAL, address),
        Window::Shared => (SpaceId::SLM, address),
        Window::Local => (local, address),
        Window::Generic => match warp.window_at(address) {
            None => (SpaceId::VIRTUAL, address),
            Some(found) => {
                let start = warp.window(found);
                let space = match found {
                    AddressWindow::Shared => SpaceId::SLM,
                    AddressWindow::Local => local,
                };
                (space, address - start)
            }
        },
    };
    let within = start.wrapping_add(offset);
    let is_beyond = space == local && within.saturating_add(bytes.into()) > LOCAL_BYTES;
    let place = match space == local && !is_beyond {
        true => u64::from(lane) * LOCAL_BYTES + within,
        false => within,
    };
    let is_mapped = !is_beyond && context.machine.space(space).is_mapped(place, bytes);
    let fault = match (start.is_multiple_of(size.into()), is_mapped) {
        (false, _) => Some(FaultKind::Misaligned),
        (true, false) => Some(FaultKind::Unmapped),
        (true, true) => None,
    };
    Located {
        space,
        address: place,
        fault,
    }
}
