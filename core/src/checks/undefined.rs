//! Follows undefined values: of registers, local and private memory, and buffers that
//! nothing has written.
//!
//! A byte keeps the origin of its undefined value. Copies keep the origin; a result of
//! arithmetic is undefined if it depends on an undefined bit. An undefined value is reported
//! where it matters: as an address, a condition, an operand of an atomic, in the output of
//! printf, or as the content of a buffer at the end of the launch.

use super::shadow::{Mark, Shadow};
use super::warp::{self, UndefinedUnit};
use crate::diagnostic::to_usize;
use crate::isa::dataflow::{DataSource, Dataflow, Reads, Transfer};
use crate::isa::rmw::Rmw;
use crate::isa::rmw_exec::Update;
use crate::isa::visa::matrix::layout::MatrixRole;
use crate::isa::visa::matrix::multiply_add::MultiplyAdd;
use crate::isa::{Access, SourceElement, SymbolTable, ThreadSet, Unit};
use crate::machine::control::Control;
use crate::machine::{Change, MAX_THREADS, Machine, SpaceId, SpaceKind};
use crate::number::{low_mask, set_bits};
use crate::program::{ADDRESS_VARIABLES, Issue, Launch, Program};
use crate::session::{ObservedStep, Observer};
use crate::text::SyntaxPart;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Most stores of undefined values to buffers that are remembered.
const MAX_STORES: usize = 1 << 18;

/// How an undefined value is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UndefinedUse {
    /// It is part of the address of a memory access or of an indirect register.
    Address,
    /// It decides which channels execute an instruction.
    Condition,
    /// It is an operand of an atomic.
    Atomic,
    /// A call of printf prints it.
    Printed,
    /// It is the content of a buffer at the end of the launch.
    Stored,
}

/// Where an undefined value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueOrigin {
    /// A byte of the register file that nothing has written.
    Register(u32),
    /// The first load, by an instruction, of a byte of a space that nothing has written.
    Load {
        instruction: u32,
        group: u32,
        unit: Unit,
        step: u64,
        space: SpaceId,
        address: u64,
    },
    /// Unknown, because there were too many.
    Other,
}

/// An undefined value that matters, by instruction.
#[derive(Clone, Debug)]
pub struct Undefined {
    pub usage: UndefinedUse,
    /// The instruction that uses it.
    pub instruction: u32,
    pub origin: ValueOrigin,
    /// Work-group, and lane of a thread, of the first use.
    pub group: u32,
    pub unit: Unit,
    /// Step of the work-group, counted from 1.
    pub step: u64,
    /// Virtual address and size of the first value in a buffer.
    pub cell: Option<(u64, u8)>,
    /// Number of uses, by lane.
    pub count: u64,
    /// The work-groups with a use.
    pub groups: BTreeSet<u32>,
}

/// A store to a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastStore {
    pub instruction: u32,
    pub group: u32,
    pub unit: Unit,
    /// Step of the work-group, counted from 1.
    pub step: u64,
    pub address: u64,
    pub bytes: u8,
}

/// Bytes that a launch leaves unwritten in a buffer that it writes in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritten {
    /// The first bytes in a row.
    pub first: Range<u64>,
    /// Number of bytes in all.
    pub bytes: u64,
    pub last_store: LastStore,
}

/// Results of following undefined values.
#[derive(Clone, Debug)]
pub struct UndefinedReport {
    /// Undefined values that matter, by instruction.
    pub values: Vec<Undefined>,
    pub unwritten: Vec<Unwritten>,
    /// Whether all stores of undefined values have been remembered.
    pub is_complete: bool,
}

/// Follows the undefined values of a launch.
#[derive(Clone, Debug, Default)]
pub struct UndefinedValues {
    shadow: Shadow,
    origins: Vec<ValueOrigin>,
    numbers: BTreeMap<ValueOrigin, u16>,
    /// Origins of loads, by instruction and by the memory that was not written.
    loads: BTreeMap<(u32, SpaceId), u16>,
    /// Address of the last load of an undefined value, by the number of its origin, thread and
    /// lane.
    loaded_from: BTreeMap<(u16, u8, u8), u64>,
    /// Origins of values that only guess what an exchange finds in its cell.
    guesses: BTreeSet<u16>,
    /// The guesses that the lanes of the issue compare, as the mark of each.
    guessed: Vec<(Unit, Mark)>,
    /// By instruction.
    reads: Vec<Option<Reads>>,
    /// Marks that the issue leaves in place of defined ones.
    pending: Vec<(SpaceId, Range<u64>, Mark)>,
    found: BTreeMap<(u32, UndefinedUse), Undefined>,
    /// Last stores of undefined values to buffers, by address.
    stores: BTreeMap<u64, (LastStore, Mark)>,
    /// Buffers that nothing has written before the launch, and the last store to each.
    unwritten: Vec<(Range<u64>, Option<LastStore>)>,
    group: u32,
    /// By thread, the lane of the lowest active channel if the access that runs serves all.
    scalar_lanes: Vec<Option<u8>>,
    /// Steps of the work-group before the instruction that runs.
    steps: u64,
}

/// A byte of a register that nothing has written.
const UNWRITTEN_REGISTER: Mark = Mark::of_origin(1);

/// A byte of memory that nothing has written.
const UNWRITTEN_MEMORY: Mark = Mark::of_origin(2);

/// Number of the first origin in the table.
const FIRST_ORIGIN: u16 = 3;

/// Units of the shadow for a range of bytes.
fn units(space: SpaceId, bytes: Range<u64>) -> Range<u64> {
    match space.kind() {
        SpaceKind::Flags(_) => bytes.start * 8..bytes.end * 8,
        _ => bytes,
    }
}

/// Whether values of the space are followed. The space of the accumulators has the local
/// memory of warps.
fn is_followed(space: SpaceId, program: &Program) -> bool {
    match space.kind() {
        SpaceKind::Control(_) => false,
        SpaceKind::Accumulators(_) => program.has_warps(),
        _ => true,
    }
}

fn unit_of(thread: u8, lane: usize) -> Unit {
    Unit::lane(thread, u8::try_from(lane).expect("there are 32 lanes"))
}

impl UndefinedValues {
    /// Undefined buffers of the launch count as unwritten.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let launch = program.launch.iter();
        let buffers = launch.flat_map(|launch| launch.buffers.iter().chain(&launch.data));
        let undefined = buffers.filter(|buffer| buffer.is_undefined);
        let mut values = Self {
            reads: program.instructions.iter().map(|_| None).collect(),
            unwritten: undefined.map(|buffer| (buffer.range(), None)).collect(),
            scalar_lanes: vec![None; usize::from(MAX_THREADS)],
            ..Self::default()
        };
        for (range, _) in &values.unwritten {
            let (range, shadow) = (range.clone(), &mut values.shadow);
            shadow.fill(SpaceId::VIRTUAL, range, UNWRITTEN_MEMORY);
        }
        values
    }

    fn start_group(&mut self, program: &Program, launch: &Launch, group: u32) {
        self.group = group;
        self.loaded_from.clear();
        let symbols = &program.symbols.visa;
        let registers = match program.has_warps() {
            true => warp::REGISTER_BYTES,
            false => u64::from(symbols.register_bytes()),
        };
        self.shadow.fill(SpaceId::SLM, 0..1 << 20, UNWRITTEN_MEMORY);
        if let Some(private) = launch.private_memory() {
            self.shadow
                .fill(SpaceId::VIRTUAL, private, UNWRITTEN_MEMORY);
        }
        for thread in 0..launch.threads() {
            let (file, flags) = (SpaceId::registers(thread), SpaceId::flags(thread));
            self.shadow.clear(file);
            self.shadow.fill(file, 0..registers, UNWRITTEN_REGISTER);
            if program.has_warps() {
                let local = 0..warp::LOCAL_MEMORY_BYTES;
                let space = SpaceId::accumulators(thread);
                self.shadow.fill(space, local, UNWRITTEN_MEMORY);
                for bytes in warp::registers_at_start(program.symbols.sass.chip) {
                    self.shadow.set(file, bytes, Mark::DEFINED);
                }
            } else {
                for range in launch.input_registers(symbols) {
                    let range = u64::from(range.start)..u64::from(range.end);
                    self.shadow.set(file, range, Mark::DEFINED);
                }
            }
            self.shadow.clear(flags);
            self.shadow.fill(flags, 0..1 << 24, UNWRITTEN_REGISTER);
            // The execution mask.
            self.shadow.set(flags, 0..32, Mark::DEFINED);
        }
        for (space, range) in launch.initial_ranges() {
            self.shadow.set(space, units(space, range), Mark::DEFINED);
        }
    }

    fn number(&mut self, origin: ValueOrigin) -> u16 {
        if let Some(number) = self.numbers.get(&origin) {
            return *number;
        }
        let number = u16::try_from(self.origins.len()).unwrap_or(u16::MAX);
        let number = number.saturating_add(FIRST_ORIGIN);
        if number >= Mark::MAX_ORIGIN {
            return Mark::MAX_ORIGIN;
        }
        self.origins.push(origin);
        self.numbers.insert(origin, number);
        number
    }

    fn origin(&self, mark: Mark) -> ValueOrigin {
        let number = mark.origin().and_then(|n| n.checked_sub(FIRST_ORIGIN));
        let origin = number.and_then(|n| self.origins.get(usize::from(n)));
        origin.copied().unwrap_or(ValueOrigin::Other)
    }

    /// The mark of a byte that is read; of one that nothing has written, that of a new origin.
    fn read(&mut self, space: SpaceId, unit: u64) -> Mark {
        let mark = self.shadow.mark(space, unit);
        if mark != UNWRITTEN_REGISTER {
            return mark;
        }
        let byte = match space.kind() {
            SpaceKind::Registers(_) => u32::try_from(unit).ok(),
            _ => None,
        };
        let origin = byte.map_or(ValueOrigin::Other, ValueOrigin::Register);
        Mark::of_origin(self.number(origin))
    }

    /// The mark of a byte of memory that an instruction loads.
    fn loaded(&mut self, instruction: u32, access: &Access, address: u64, step: u64) -> Mark {
        let space = access.space;
        let mark = self.shadow.mark(space, address);
        if mark != UNWRITTEN_MEMORY {
            return mark;
        }
        if let Some(number) = self.loads.get(&(instruction, space)) {
            return Mark::of_origin(*number);
        }
        let number = self.number(ValueOrigin::Load {
            instruction,
            group: self.group,
            unit: self.acting(access.unit),
            step,
            space,
            address,
        });
        self.loads.insert((instruction, space), number);
        Mark::of_origin(number)
    }

    /// The first mark of an undefined unit of an element, and its undefined bits.
    fn element(&mut self, space: SpaceId, at: u64, width: u8) -> (Mark, u64) {
        let whole = low_mask(u32::from(width));
        if let SpaceKind::Flags(_) = space.kind() {
            let start = if width == 1 { at } else { at * 8 };
            if self
                .shadow
                .is_defined(space, start..start + u64::from(width))
            {
                return (Mark::DEFINED, 0);
            }
            return (self.read(space, start), whole);
        }
        let bytes = u64::from(width / 8);
        if self.shadow.is_defined(space, at..at + bytes) {
            return (Mark::DEFINED, 0);
        }
        let (mut first, mut undefined) = (Mark::DEFINED, 0);
        for byte in 0..bytes {
            let mark = self.read(space, at + byte);
            if !mark.is_defined() {
                undefined |= 0xff << (byte * 8);
                if first.is_defined() {
                    first = mark;
                }
            }
        }
        (first, undefined)
    }

    /// The step of a thread in an issue without accesses.
    fn step_of(&self, issue: Issue, thread: u8) -> u64 {
        self.steps + 1 + u64::from(thread - issue.threads.first())
    }

    /// Notes that an undefined value matters.
    fn report(&mut self, usage: UndefinedUse, issue: Issue, (unit, step): (Unit, u64), mark: Mark) {
        let place = (self.group, self.acting(unit), step);
        self.note(usage, issue.instruction, place, mark, None);
    }

    /// Counts a use; the first of an instruction stays.
    fn note(
        &mut self,
        usage: UndefinedUse,
        instruction: u32,
        (group, unit, step): (u32, Unit, u64),
        mark: Mark,
        cell: Option<(u64, u8)>,
    ) {
        let origin = self.origin(mark);
        let found = self.found.entry((instruction, usage));
        let found = found.or_insert_with(|| Undefined {
            usage,
            instruction,
            origin,
            group,
            unit,
            step,
            cell,
            count: 0,
            groups: BTreeSet::new(),
        });
        found.count += 1;
        found.groups.insert(group);
    }

    /// The unit that a finding names for an access.
    fn acting(&self, unit: Unit) -> Unit {
        let lane = self.scalar_lanes[usize::from(unit.thread)].unwrap_or(unit.lane);
        Unit { lane, ..unit }
    }

    /// Whether all that an instruction can read is defined.
    fn are_defined(&self, reads: &Reads, thread: u8) -> bool {
        let wide = |range: &Range<u32>| u64::from(range.start)..u64::from(range.end);
        let (file, flags) = (SpaceId::registers(thread), SpaceId::flags(thread));
        let mut registers = reads.registers.iter();
        let mut bits = reads.flags.iter();
        registers.all(|range| self.shadow.is_defined(file, wide(range)))
            && bits.all(|range| self.shadow.is_defined(flags, units(flags, wide(range))))
    }

    fn follow(&mut self, at: ObservedStep<'_>, thread: u8, reads: &Reads, accesses: &[Access]) {
        let ObservedStep {
            program,
            issue,
            machine,
            ..
        } = at;
        let placed = program.instruction(issue);
        let instruction = &placed.instruction;
        let context = program.context(issue, machine);
        if program.has_warps() {
            self.follow_lanes(at, thread, reads);
        }
        if let Some(branch) = instruction.branch() {
            let (predicate, mask) = (branch.execution.predicate, branch.execution.mask);
            self.condition(at, thread, predicate.id.0, mask.offset());
            return;
        }
        if let Some(flow) = instruction.dataflow(&context, thread) {
            self.compute(issue, thread, &flow);
            return;
        }
        if let Some(matrix) = instruction.matrix() {
            self.multiply(matrix, &program.symbols, issue.threads, thread);
            return;
        }
        let update = instruction.update(&program.symbols);
        let steps = accesses.iter().zip(self.steps + 1..);
        let of_thread = steps.filter(|(access, _)| access.unit.thread == thread);
        let mut lane = Vec::new();
        let mut stored = instruction.stored_elements(&program.symbols).into_iter();
        for (access, step) in of_thread {
            let lane_step = (access.unit, step);
            let mut elements = instruction.source_elements(access.unit, &program.symbols);
            let stored = stored.next().filter(|_| access.in_bounds);
            elements.extend(stored.map(|at| SourceElement {
                operand: SyntaxPart::Src1,
                at,
                bytes: access.bytes,
            }));
            let guess = update.and_then(|update| self.guess(program, update, access, &elements));
            if let Some((_, mark)) = guess {
                self.guessed.push((access.unit, mark));
                self.guesses.extend(mark.origin());
            }
            for element in elements {
                if guess.is_some_and(|(guess, _)| guess.operand == element.operand) {
                    continue;
                }
                let bytes = u64::from(element.bytes);
                let file = SpaceId::registers(thread);
                let start = u64::from(element.at);
                if self.shadow.is_defined(file, start..start + bytes) {
                    continue;
                }
                let (mark, _) = self.element(file, start, element.bytes * 8);
                let is_address =
                    matches!(element.operand, SyntaxPart::Address | SyntaxPart::Offsets);
                match (is_address, update.is_some()) {
                    (true, _) => self.report(UndefinedUse::Address, issue, lane_step, mark),
                    (false, true) => self.report(UndefinedUse::Atomic, issue, lane_step, mark),
                    (false, false) => {
                        for byte in 0..bytes.min(access.bytes.into()) {
                            let mark = self.read(file, start + byte);
                            lane.push((access.unit, access.space, access.address + byte, mark));
                        }
                    }
                }
            }
        }
        for (_, space, address, mark) in &lane {
            if !mark.is_defined() {
                self.pending.push((*space, *address..*address + 1, *mark));
            }
        }
        self.store(at, accesses, &lane);
    }

    /// The undefined value that an atomic compares, if it does not matter: it was loaded from the
    /// cell of the atomic, and the new value is defined. Compilers emulate an exchange by such a
    /// loop, which always leaves the new value.
    fn guess(
        &mut self,
        program: &Program,
        update: Update,
        access: &Access,
        elements: &[SourceElement],
    ) -> Option<(SourceElement, Mark)> {
        if program.has_warps() || !update.rmw.is_compare_exchange() {
            return None;
        }
        let mut data = elements.iter().filter(|element| {
            !matches!(element.operand, SyntaxPart::Address | SyntaxPart::Offsets)
        });
        let (first, second) = (data.next()?, data.next()?);
        let (new, compared) = match update.swapped {
            true => (second, first),
            false => (first, second),
        };
        let file = SpaceId::registers(access.unit.thread);
        let (_, undefined) = self.element(file, new.at.into(), new.bytes * 8);
        let (mark, _) = self.element(file, compared.at.into(), compared.bytes * 8);
        if undefined != 0 || mark.is_computed() {
            return None;
        }
        let ValueOrigin::Load {
            instruction, space, ..
        } = self.origin(mark)
        else {
            return None;
        };
        let load = &program.instructions[to_usize(instruction)];
        let lane = match load.is_uniform(program) {
            true => 0,
            false => access.unit.lane,
        };
        let key = (mark.origin()?, access.unit.thread, lane);
        let is_same = space == access.space && self.loaded_from.get(&key) == Some(&access.address);
        is_same.then_some((*compared, mark))
    }

    /// Whether the undefined sources of a lane only guess what an exchange finds.
    fn compares_guesses(&mut self, flow: &Dataflow, lane: usize) -> bool {
        !self.guesses.is_empty()
            && flow.sources.iter().all(|source| {
                let Some((space, places)) = source.places.filter(|_| source.read >> lane & 1 == 1)
                else {
                    return true;
                };
                let (mark, undefined) = self.element(space, places[lane], source.width);
                let is_guess = |origin| self.guesses.contains(&origin);
                undefined != 0 && !mark.is_computed() && mark.origin().is_some_and(is_guess)
            })
    }

    /// Follows undefined values through an instruction of a warp, except for the data that it
    /// stores.
    fn follow_lanes(&mut self, at: ObservedStep<'_>, thread: u8, reads: &Reads) {
        let ObservedStep {
            program,
            issue,
            machine,
            ..
        } = at;
        let mut undefined = Vec::new();
        for (space, unit) in warp::units_read(reads, thread) {
            let mark = self.read(space, unit);
            if !mark.is_defined() {
                undefined.push(UndefinedUnit::new(space, unit, mark));
            }
        }
        let instruction = &program.instruction(issue).instruction;
        if instruction.is_computation() {
            let computed = warp::recomputed(program, issue, machine, thread, &undefined);
            let computed = computed.into_iter();
            let marked = computed.map(|(space, unit, mark)| (space, unit..unit + 1, mark));
            self.pending.extend(marked);
            return;
        }
        let flags = SpaceId::flags(thread);
        let active = machine.flag_word(flags, 0);
        // Predicates other than the guard matter in the lanes that execute.
        let executing = instruction.executing_channels(machine, thread);
        let guard = instruction.guard_address();
        let is_condition = |unit: &&UndefinedUnit| {
            let is_guard = guard.is_some_and(|word| unit.unit / 32 == word / 4);
            let acting = if is_guard { active } else { executing };
            unit.space == flags && acting >> unit.lane & 1 == 1
        };
        for unit in undefined.iter().filter(is_condition) {
            let at = (Unit::lane(thread, unit.lane), self.step_of(issue, thread));
            self.report(UndefinedUse::Condition, issue, at, unit.mark);
        }
        if instruction.spec().lane_queue {
            return;
        }
        // Targets of branches, and numbers of barriers.
        let context = program.context(issue, machine);
        let units = (0..instruction.lanes()).map(|lane| Unit::lane(thread, lane));
        for unit in units.filter(|unit| instruction.inactive_reason(&context, *unit).is_none()) {
            for element in instruction.source_elements(unit, &program.symbols) {
                let (file, start) = (SpaceId::registers(thread), u64::from(element.at));
                let (mark, undefined) = self.element(file, start, element.bytes * 8);
                if undefined != 0 {
                    self.report(UndefinedUse::Address, issue, (unit, self.steps + 1), mark);
                }
            }
        }
    }

    /// Reports the channels whose predicate is undefined.
    fn condition(&mut self, at: ObservedStep<'_>, thread: u8, predicate: u16, offset: u8) {
        if predicate == 0 {
            return;
        }
        let flags = SpaceId::flags(thread);
        let lanes = at.program.instruction(at.issue).instruction.lanes();
        let active = at.machine.flag_word(flags, 0) >> offset;
        // One bit decides for all active channels.
        let enabled = match lanes {
            1 => u32::from(active != 0),
            _ => active & u32::try_from(low_mask(lanes.into())).unwrap_or(u32::MAX),
        };
        for lane in set_bits(enabled) {
            let first = crate::machine::flag_address(predicate) * 8;
            let bit = first + u64::from(offset) + lane as u64;
            let mark = self.read(flags, bit);
            if !mark.is_defined() {
                let lane_step = (unit_of(thread, lane), self.step_of(at.issue, thread));
                self.report(UndefinedUse::Condition, at.issue, lane_step, mark);
            }
        }
    }

    fn compute(&mut self, issue: Issue, thread: u8, flow: &Dataflow) {
        let sources = flow.sources.iter().map(|s| (s.addressed_by, s.read));
        let results = flow.results.iter().map(|r| (r.addressed_by, r.written));
        for (addresses, lanes) in sources.chain(results) {
            let Some(addresses) = addresses else {
                continue;
            };
            for lane in set_bits(lanes) {
                let (mark, _) = self.element(SpaceId::flags(thread), addresses[lane], 32);
                if !mark.is_defined() {
                    let at = (unit_of(thread, lane), self.step_of(issue, thread));
                    self.report(UndefinedUse::Address, issue, at, mark);
                }
            }
        }
        for result in &flow.results {
            for lane in set_bits(result.written) {
                let (mark, undefined) = self.result(flow, lane);
                if undefined == 0 {
                    continue;
                }
                let at = result.places[lane];
                if result.width == 1 {
                    // The loop of an exchange ends when the guess is right.
                    if self.compares_guesses(flow, lane) {
                        continue;
                    }
                    self.pending.push((result.space, at..at + 1, mark));
                } else if let SpaceKind::Flags(_) = result.space.kind() {
                    self.pending.push((result.space, at * 8..at * 8 + 32, mark));
                } else {
                    for byte in 0..u64::from(result.width / 8) {
                        if undefined >> (byte * 8) & 0xff != 0 {
                            let range = at + byte..at + byte + 1;
                            self.pending.push((result.space, range, mark));
                        }
                    }
                }
            }
        }
    }

    /// Follows undefined values through a matrix multiplication: a result is undefined with an
    /// element of its row of Src2, of its column of Src1, or with its element of Src0.
    fn multiply(
        &mut self,
        matrix: &MultiplyAdd,
        symbols: &SymbolTable,
        threads: ThreadSet,
        thread: u8,
    ) {
        let Some(layout) = matrix.element_layout(symbols, false) else {
            return;
        };
        let eu = thread - threads.first();
        let place = |role, index| {
            let location = layout.location(role, eu, index)?;
            let register = matrix.first_register(role, symbols)? + u64::from(location.register);
            let start = register * u64::from(layout.register_bytes()) + u64::from(location.byte());
            let (_, last_bit) = location.bits_in_byte();
            let file = SpaceId::registers(threads.first() + location.eu);
            Some((file, start..start + u64::from(last_bit / 8) + 1))
        };
        let (rows, channels) = layout.size(MatrixRole::D);
        let mut of_rows = vec![Mark::DEFINED; usize::from(rows)];
        let mut of_columns = vec![Mark::DEFINED; usize::from(channels)];
        for index in layout.elements(MatrixRole::A) {
            let element = place(MatrixRole::A, index);
            self.add_mark(&mut of_rows[usize::from(index.row)], element);
        }
        for index in layout.elements(MatrixRole::B) {
            let element = place(MatrixRole::B, index);
            self.add_mark(&mut of_columns[usize::from(index.column)], element);
        }
        for index in layout.elements(MatrixRole::D) {
            let sources = [
                of_rows[usize::from(index.row)],
                of_columns[usize::from(index.column)],
            ];
            let of_products = sources.into_iter().find(|mark| !mark.is_defined());
            let mut mark = of_products.unwrap_or(Mark::DEFINED);
            self.add_mark(&mut mark, place(MatrixRole::C, index));
            if let Some((file, range)) = place(MatrixRole::D, index)
                && !mark.is_defined()
            {
                self.pending.push((file, range, mark.computed()));
            }
        }
    }

    /// Replaces the mark of a defined value by that of an undefined byte of an element.
    fn add_mark(&mut self, mark: &mut Mark, element: Option<(SpaceId, Range<u64>)>) {
        let Some((file, range)) = element.filter(|_| mark.is_defined()) else {
            return;
        };
        if !self.shadow.is_defined(file, range.clone()) {
            let mut marks = range.map(|byte| self.read(file, byte));
            *mark = marks.find(|mark| !mark.is_defined()).unwrap_or(*mark);
        }
    }

    /// The mark and the undefined bits of the result of a lane.
    fn result(&mut self, flow: &Dataflow, lane: usize) -> (Mark, u64) {
        let mut operands: [Option<(&DataSource, u64)>; 5] = [None; 5];
        let mut first = Mark::DEFINED;
        let mut count = 0;
        for source in &flow.sources {
            if source.read >> lane & 1 == 0 {
                continue;
            }
            let undefined = match source.places {
                None => 0,
                Some((space, places)) => {
                    let (mark, undefined) = self.element(space, places[lane], source.width);
                    if first.is_defined() {
                        first = mark;
                    }
                    undefined
                }
            };
            if let Some(operand) = operands.get_mut(count) {
                *operand = Some((source, undefined));
                count += 1;
            }
        }
        if first.is_defined() {
            return (first, 0);
        }
        let known_zero = |(source, undefined): (&DataSource, u64)| !source.bits[lane] & !undefined;
        let known_one = |(source, undefined): (&DataSource, u64)| source.bits[lane] & !undefined;
        let [a, b, c, ..] = operands;
        let all = operands.iter().flatten().fold(0, |bits, (_, u)| bits | u);
        let everything = (first.computed(), u64::MAX);
        match (flow.transfer, a, b) {
            // The predicate of a selection is its last source.
            (Transfer::Copy, Some((_, a)), _) if flow.sources.len() < 3 => (first, a),
            (Transfer::Copy, Some((_, value)), Some((predicate, u))) if predicate.width == 1 => {
                match (u, c) {
                    (0, _) => (first, value),
                    _ => everything,
                }
            }
            (Transfer::And, Some(a), Some(b)) => {
                (first.computed(), all & !(known_zero(a) | known_zero(b)))
            }
            (Transfer::Or, Some(a), Some(b)) => {
                (first.computed(), all & !(known_one(a) | known_one(b)))
            }
            (Transfer::Xor, Some((x, _)), Some((y, _))) => match x.places == y.places {
                true => (Mark::DEFINED, 0),
                false => (first.computed(), all),
            },
            (Transfer::ShiftLeft, Some((_, value)), Some((count, 0))) => {
                let count = count.bits[lane] & 63;
                (first.computed(), value << count)
            }
            (Transfer::ShiftRight(is_signed), Some((source, value)), Some((count, 0))) => {
                let count = count.bits[lane] & 63;
                let sign = value >> (source.width - 1) & 1 == 1;
                let filled = match is_signed && sign {
                    true => !(u64::MAX >> count),
                    false => 0,
                };
                (first.computed(), value >> count | filled)
            }
            (Transfer::Boolean(table), Some(a), Some(b)) => {
                // The bits that can be 0, and those that can be 1.
                let mut possible = [0; 2];
                for row in 0..8_u8 {
                    let mut bits = u64::MAX;
                    for ((source, undefined), place) in [a, b].into_iter().chain(c).zip(0..) {
                        let flip = if row >> place & 1 == 1 { 0 } else { u64::MAX };
                        bits &= undefined | source.bits[lane] ^ flip;
                    }
                    possible[usize::from(table >> row & 1)] |= bits;
                }
                (first.computed(), possible[0] & possible[1])
            }
            (Transfer::Multiply, Some(a), Some(b)) => {
                let is_zero = |(source, undefined): (&DataSource, u64)| {
                    undefined == 0 && source.bits[lane] == 0
                };
                match is_zero(a) || is_zero(b) {
                    true => (Mark::DEFINED, 0),
                    false => everything,
                }
            }
            _ => everything,
        }
    }

    /// A lane loads bytes that may be undefined, or computes with them if it `updates` them.
    fn load(&mut self, at: ObservedStep<'_>, (access, step): (&Access, u64), updates: bool) {
        let is_used = access.dst.is_some() || access.copied_to.is_some() || updates;
        if !access.in_bounds || !is_used {
            return;
        }
        let range = access.address..access.address.saturating_add(access.bytes.into());
        if self.shadow.is_clean(access.space) || self.shadow.is_defined(access.space, range.clone())
        {
            return;
        }
        let file = SpaceId::registers(access.unit.thread);
        let mut guessed = self.guessed.iter();
        let guess = guessed.find(|(unit, _)| *unit == access.unit);
        let guess = guess.map(|(_, mark)| *mark);
        let update = at
            .program
            .instruction(at.issue)
            .instruction
            .update(&at.program.symbols);
        let (_, compared) = update.map_or((0, 0), |update| update.roles(access));
        let found = at.machine.load(access.space, access.address, access.bytes);
        let is_replaced = guess.is_some() && found == Some(compared);
        for (byte, address) in range.enumerate() {
            if is_replaced {
                let cell = (access.space, address..address + 1, Mark::DEFINED);
                self.pending.push(cell);
            }
            let mark = match guess {
                Some(mark) if !self.shadow.mark(access.space, address).is_defined() => mark,
                _ => self.loaded(at.issue.instruction, access, address, step),
            };
            if mark.is_defined() {
                continue;
            }
            if let Some(number) = mark.origin().filter(|_| byte == 0) {
                let key = (number, access.unit.thread, access.unit.lane);
                self.loaded_from.insert(key, access.address);
            }
            let updates = updates && !is_replaced;
            if let Some(dst) = access.dst {
                let place = u64::from(dst) + byte as u64;
                self.pending.push((file, place..place + 1, mark));
            }
            if let Some((space, copy)) = access.copied_to {
                let place = copy + byte as u64;
                self.pending.push((space, place..place + 1, mark));
            }
            if updates {
                let cell = (access.space, address..address + 1, mark.computed());
                self.pending.push(cell);
                self.keep_store(at, (access, step), mark);
            }
        }
    }

    /// Reports undefined values that lanes print, and remembers those that they store to
    /// buffers.
    fn store(
        &mut self,
        at: ObservedStep<'_>,
        accesses: &[Access],
        lanes: &[(Unit, SpaceId, u64, Mark)],
    ) {
        for (access, step) in accesses.iter().zip(self.steps + 1..) {
            let same =
                |unit: &Unit| (unit.thread, unit.lane) == (access.unit.thread, access.unit.lane);
            let of_lane = lanes.iter().filter(|(unit, ..)| same(unit));
            let of_lane = of_lane.filter(|(.., mark)| !mark.is_defined());
            let within = access.address..access.address.saturating_add(access.bytes.into());
            let mut here = of_lane
                .clone()
                .filter(|(_, _, byte, _)| within.contains(byte));
            let Some((.., mark)) = here.next() else {
                continue;
            };
            // A record that a lane stores may have padding, which is copied along.
            let all = accesses.iter().filter(|other| same(&other.unit));
            let bytes: usize = all.map(|other| usize::from(other.bytes)).sum();
            let is_copy = of_lane.clone().all(|(.., mark)| !mark.is_computed());
            let is_padding = is_copy && of_lane.count() < bytes;
            let launch = at.program.launch.as_ref();
            // A record of printf has no padding.
            if launch.is_some_and(|launch| launch.is_printed(access.address)) {
                let lane_step = (access.unit, step);
                self.report(UndefinedUse::Printed, at.issue, lane_step, *mark);
            } else if !is_padding {
                self.keep_store(at, (access, step), *mark);
            }
        }
    }

    /// Remembers a store of an undefined value, if it is to a buffer.
    fn keep_store(&mut self, at: ObservedStep<'_>, (access, step): (&Access, u64), mark: Mark) {
        let launch = at.program.launch.as_ref();
        let buffer = launch.and_then(|launch| launch.buffer_at(access.address));
        if buffer.is_some() && self.stores.len() < MAX_STORES {
            let store = self.store_of(at.issue, access, step);
            self.stores.insert(access.address, (store, mark));
        }
    }

    fn store_of(&self, issue: Issue, access: &Access, step: u64) -> LastStore {
        LastStore {
            instruction: issue.instruction,
            group: self.group,
            unit: self.acting(access.unit),
            step,
            address: access.address,
            bytes: access.bytes,
        }
    }

    /// The undefined values that have mattered so far; those in buffers matter at the end.
    pub fn so_far(&self) -> impl ExactSizeIterator<Item = &Undefined> {
        self.found.values()
    }

    /// Remembers the last store to each buffer that was unwritten.
    fn note_store(&mut self, issue: Issue, access: &Access, step: u64) {
        let is_store = access.writes && access.in_bounds && access.space == SpaceId::VIRTUAL;
        let store = self.store_of(issue, access, step);
        for (range, last) in &mut self.unwritten {
            if is_store && range.contains(&access.address) {
                *last = Some(store);
            }
        }
    }

    /// The part of a buffer that is still unwritten.
    fn unwritten_part(&self, range: &Range<u64>) -> Option<(Range<u64>, u64)> {
        let is_unwritten = |mark| mark == UNWRITTEN_MEMORY;
        let runs = self.shadow.runs(SpaceId::VIRTUAL, range.clone());
        let (mut first, mut bytes): (Option<Range<u64>>, u64) = (None, 0);
        for (run, _) in runs.filter(|(_, mark)| is_unwritten(*mark)) {
            bytes += run.end - run.start;
            match &mut first {
                None => first = Some(run),
                Some(first) if first.end == run.start => first.end = run.end,
                Some(_) => {}
            }
        }
        Some((first?, bytes))
    }

    /// Ends the launch.
    #[must_use]
    pub fn finish(mut self) -> UndefinedReport {
        let buffers = core::mem::take(&mut self.unwritten);
        let unwritten = buffers.iter().filter_map(|(range, last)| {
            let (first, bytes) = self.unwritten_part(range)?;
            Some(Unwritten {
                first,
                bytes,
                last_store: (*last)?,
            })
        });
        let unwritten = unwritten.collect();
        let is_complete = self.stores.len() < MAX_STORES;
        let stores = core::mem::take(&mut self.stores);
        for (address, (store, mark)) in stores {
            let end = address + u64::from(store.bytes);
            if self.shadow.is_defined(SpaceId::VIRTUAL, address..end) {
                // A later store has replaced it.
                continue;
            }
            let place = (store.group, store.unit, store.step);
            let cell = Some((address, store.bytes));
            self.note(UndefinedUse::Stored, store.instruction, place, mark, cell);
        }
        UndefinedReport {
            values: self.found.into_values().collect(),
            unwritten,
            is_complete,
        }
    }
}

impl Observer for UndefinedValues {
    const OPERANDS: bool = true;

    fn enter_group(&mut self, program: &Program, group: u32, _: &Machine) {
        if let Some(launch) = &program.launch {
            self.start_group(program, launch, group);
        }
    }

    fn issued(&mut self, step: ObservedStep<'_>, accesses: &mut [Access]) {
        let ObservedStep {
            program,
            issue,
            machine,
            steps,
        } = step;
        self.steps = steps;
        let accesses = &*accesses;
        self.pending.clear();
        self.guessed.clear();
        let index = to_usize(issue.instruction);
        let placed = program.instruction(issue);
        let is_scalar = placed.is_uniform(program);
        for thread in issue.threads.iter() {
            let channel = || Control::new(machine, thread).active().trailing_zeros() & 31;
            let lane = is_scalar.then(|| {
                let channel = u8::try_from(channel()).expect("at most 31");
                channel.wrapping_sub(placed.instruction.first_channel()) & 31
            });
            self.scalar_lanes[usize::from(thread)] = lane;
        }
        let reads = self.reads[index].take();
        let reads = reads.unwrap_or_else(|| placed.instruction.reads(&program.symbols));
        for thread in issue.threads.iter() {
            if reads.has_others || !self.are_defined(&reads, thread) {
                self.follow(step, thread, &reads, accesses);
            }
        }
        let update = placed.instruction.update(&program.symbols);
        let updates = update.is_some_and(|update| update.rmw != Rmw::Exchange);
        for (access, number) in accesses.iter().zip(steps + 1..) {
            self.load(step, (access, number), updates && access.writes);
            self.note_store(issue, access, number);
        }
        self.reads[index] = Some(reads);
    }

    fn performed(&mut self, step: ObservedStep<'_>, _: &[Access], changes: &[Change]) {
        let instruction = &step.program.instruction(step.issue).instruction;
        let context = step.program.context(step.issue, step.machine);
        let is_followed = |change: &&Change| is_followed(change.space, step.program);
        let mut changes = changes.iter().filter(is_followed);
        let mut next = changes.next();
        while let Some(change) = next {
            let space = change.space;
            let mut range = change.address..change.address + u64::from(change.bytes);
            next = changes.next();
            while let Some(more) = next.filter(|c| c.space == space && c.address == range.end) {
                range.end += u64::from(more.bytes);
                next = changes.next();
            }
            let (SpaceKind::Flags(thread), ..=ADDRESS_VARIABLES) = (space.kind(), range.end) else {
                self.shadow.set(space, units(space, range), Mark::DEFINED);
                continue;
            };
            // A change is of the whole word, of which lanes that do not execute keep their bits.
            let first = u64::from(instruction.first_channel());
            for word in range.step_by(4) {
                for lane in 0..instruction.lanes() {
                    let bit = word * 8 + first + u64::from(lane);
                    let unit = Unit::lane(thread, lane);
                    if !self.shadow.is_defined(space, bit..bit + 1)
                        && instruction.inactive_reason(&context, unit).is_none()
                    {
                        self.shadow.set(space, bit..bit + 1, Mark::DEFINED);
                    }
                }
            }
        }
        for (space, range, mark) in self.pending.drain(..) {
            self.shadow.set(space, range, mark);
        }
    }
}
