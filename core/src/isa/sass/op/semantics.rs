//! Execution and description of the instructions of the table.

use super::expression::{ConditionCode, LaneInput};
use super::flow::WarpFlow;
use super::memory::{Action, MemoryKind};
use super::operand::{CONDITION_CODE, Kind, SassSource, SourcePlace, is_nan, nan};
use super::special::{SpecialKind, WarpOutput};
use super::words::Word;
use super::{Class, Expression, SassInstruction};
use crate::isa::dataflow::Reads;
use crate::isa::sass::warp::{AddressWindow, LANES};
use crate::isa::{
    Access, BlockArrival, Check, CopyStep, Effect, Evaluation, FIRST_ELEMENT, FaultKind, Fence,
    FenceScope, IssueContext, IssueFault, LaneComputation, PhaseStep, Semantics, SourceElement,
    SymbolTable, ThreadSet, Unit, Update,
};
use crate::machine::warp::{WarpMut, lanes};
use crate::machine::{Machine, Recorder, SpaceId, SpaceKind};
use crate::number::{ElementType, show};
use crate::rules;
use crate::text::{Sink, SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl SassInstruction {
    /// Whether the opcode is written with a word.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.mnemonic.split('.').any(|part| part == word)
    }

    /// Prints the line as it was read.
    pub fn print(&self, sink: &mut impl Sink) {
        let line = super::SassLine::split(&self.text);
        if let Some(guard) = line.guard {
            sink.token(TokenClass::Predicate, SyntaxPart::Predicate, guard);
            sink.space();
        }
        sink.token(TokenClass::Mnemonic, SyntaxPart::Opcode, line.mnemonic);
        let start = self.text.find(line.operands).unwrap_or(self.text.len());
        let end = start + line.operands.len();
        let mut at = start;
        if !line.operands.is_empty() {
            sink.space();
        }
        let between = |from, to| self.text.get(from..to).unwrap_or("");
        for (part, range) in self.operand_ranges(&self.text) {
            if range.start > at {
                sink.punct(SyntaxPart::None, between(at, range.start));
            }
            let text = between(range.start, range.end);
            let class = match part {
                SyntaxPart::Carry | SyntaxPart::Status | SyntaxPart::Condition(_) => {
                    TokenClass::Predicate
                }
                _ if text.starts_with(|first: char| first.is_ascii_digit()) => TokenClass::Number,
                _ => TokenClass::Variable,
            };
            sink.token(class, part, text);
            at = range.end;
        }
        if at < end {
            sink.token(TokenClass::Variable, SyntaxPart::Ignored, between(at, end));
        }
    }

    /// A constant bank without contents that a lane reads; there is always bank 0.
    fn missing_bank(&self, context: &IssueContext<'_>) -> Option<u8> {
        let machine = context.machine;
        let is_missing =
            |bank: &u8| *bank > 0 && !machine.space(SpaceId::surface(*bank)).is_mapped(0, 1);
        let bank = self
            .sources
            .iter()
            .filter_map(SassSource::bank)
            .find(is_missing)?;
        let executes = |thread| {
            let active = machine.flag_word(SpaceId::flags(thread), 0);
            self.executing(machine, thread, active) != 0
        };
        context.threads.iter().any(executes).then_some(bank)
    }

    /// Its results on a thread; `None` if it computes nothing.
    pub(super) fn output(&self, context: &IssueContext<'_>, thread: u8) -> Option<WarpOutput> {
        let machine = context.machine;
        let active = machine.flag_word(SpaceId::flags(thread), 0);
        let executing = self.executing(machine, thread, active);
        match self.op.class {
            Class::Alu(expression) => Some(self.computed(expression, context, thread, executing)),
            Class::Special(kind) => Some(self.special(kind, context, thread, executing)),
            _ => None,
        }
    }

    fn computed(
        &self,
        expression: Expression,
        context: &IssueContext<'_>,
        thread: u8,
        executing: u32,
    ) -> WarpOutput {
        let machine = context.machine;
        let shared_window = context.symbols.sass.window(AddressWindow::Shared);
        let mut out = WarpOutput::new(executing);
        let sources: [_; 4] = self.source_values(machine, thread);
        let negated = core::array::from_fn(|place| self.sources[place].is_negated());
        let conditions = self.conditions.map(|source| source.bits(machine, thread));
        let flags = SpaceId::flags(thread);
        let code = match self.is_old {
            true => CONDITION_CODE.map(|address| machine.flag_word(flags, address)),
            false => [0; 5],
        };
        let mut codes = code;
        let modifiers = &self.modifiers;
        for lane in 0..LANES {
            if executing >> lane & 1 == 0 {
                continue;
            }
            let at = usize::from(lane);
            let bit = |word: u32| word >> lane & 1 == 1;
            let input = LaneInput {
                sources: sources.each_ref().map(|values| values[at]),
                negated,
                shared_window,
                predicates: conditions.map(bit),
                code: ConditionCode {
                    carry: u64::from(bit(code[0])) | u64::from(bit(code[1])) << 1,
                    zero: bit(code[2]),
                    sign: bit(code[3]),
                    overflow: bit(code[4]),
                },
            };
            let output = expression(modifiers, &input);
            out.values[at] = output.value;
            for (bits, value) in out.predicates.iter_mut().zip(output.predicates) {
                *bits |= u32::from(value) << lane;
            }
            if self.sets_code {
                let ConditionCode {
                    carry,
                    zero,
                    sign,
                    overflow,
                } = output.code;
                let parts = [carry & 1 == 1, carry & 2 == 2, zero, sign, overflow];
                for (word, value) in codes.iter_mut().zip(parts) {
                    *word = *word & !(1 << lane) | u32::from(value) << lane;
                }
            }
        }
        // Four registers are two sources: LDC.128.
        if self.registers == 4 {
            out.rest.push(sources[1]);
        }
        if self.sets_code {
            for (place, (address, bits)) in
                out.flags.iter_mut().zip(CONDITION_CODE.iter().zip(codes))
            {
                *place = Some((*address, bits));
            }
        }
        out
    }

    /// Writes results on a thread.
    pub(in crate::isa) fn write<R: Recorder>(
        &self,
        out: &WarpOutput,
        thread: u8,
        machine: &mut Machine,
        recorder: &mut R,
    ) {
        if let Some(first) = self.destination {
            let bytes = if self.registers >= 2 { 8 } else { 4 };
            let cells = lanes(out.executing)
                .map(|lane| (first.address(lane), out.values[usize::from(lane)]));
            machine.store_each(recorder, SpaceId::registers(thread), bytes, cells);
            for (values, distance) in out.rest.iter().zip((2..).step_by(2)) {
                let register = first.next(distance);
                let cells = lanes(out.executing)
                    .map(|lane| (register.address(lane), values[usize::from(lane)]));
                machine.store_each(recorder, SpaceId::registers(thread), 8, cells);
            }
        }
        let flags = SpaceId::flags(thread);
        for (register, bits) in self.predicates.iter().zip(out.predicates) {
            if let Some(address) = register.address()
                && out.executing != 0
            {
                let mask = out.executing;
                machine.update(recorder, flags, address, 4, |old| {
                    old & !u64::from(mask) | u64::from(bits & mask)
                });
            }
        }
        for (address, bits) in out.flags.iter().flatten() {
            machine.store(recorder, flags, *address, 4, u64::from(*bits));
        }
        for (barrier, masks) in &out.barriers {
            let mut warp = WarpMut::new(machine, thread, 0, recorder);
            for lane in lanes(out.executing) {
                let mask = masks[usize::from(lane)] & 0xffff_ffff;
                let mask = u32::try_from(mask).expect("32 bits");
                warp.set_barrier(lane, *barrier, mask);
            }
        }
    }

    /// Performs accesses in their order.
    pub fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        threads: ThreadSet,
        machine: &mut Machine,
        recorder: &mut R,
    ) {
        if let Some(kind) = self.memory_kind() {
            self.perform_accesses(kind, accesses, machine, recorder);
            return;
        }
        for _ in threads.iter() {
            recorder.begin();
        }
    }
}

impl Semantics for SassInstruction {
    fn check(&self, check: &mut Check<'_>) {
        if let Some(obstacle) = &self.obstacle {
            check.report(&rules::NOT_EXECUTED, SyntaxPart::Opcode, &**obstacle);
        }
        use super::matrix::MatrixKind::{Doubles, Floats};
        if let Class::Special(SpecialKind::Multiply(Floats | Doubles)) = self.op.class
            && self.obstacle.is_none()
        {
            let what = format!("the rounding of the sums of `{}` is assumed", self.mnemonic);
            let help = "sums that need no rounding, such as those of small integers, are exact";
            check.advise(&rules::TENSOR_SUMS, SyntaxPart::Opcode, what, help);
        }
        for (part, text) in self.written.iter().filter(|(_, text)| is_nan(text)) {
            let is_float = |source: &SassSource| {
                matches!(source.kind(), Kind::Float | Kind::Double | Kind::Upper)
            };
            // On old chips, the immediates that are copied are integers.
            if !self.is_old && self.source_of(*part).is_some_and(is_float) {
                let what = format!("`{text}` stands for several bit patterns");
                let help = format!(
                    "{:#x} is assumed; write the bits of the encoding, such as 0x7ff00000",
                    nan(text)
                );
                check.advise(&rules::NAN_BITS, *part, what, help);
            }
        }
    }

    fn note(&self, symbols: &mut SymbolTable) {
        for register in self.all_registers() {
            if let Some(number) = register.number() {
                symbols.sass.note_register(number);
            }
        }
        let predicates = self.predicates.iter().copied();
        let conditions = self.conditions.iter().map(|source| source.register);
        for register in predicates.chain(conditions).chain([self.guard.register]) {
            if let Some(number) = register.number() {
                symbols.sass.note_predicate(number);
            }
        }
    }

    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault> {
        if let Some(obstacle) = &self.obstacle {
            return Err(IssueFault {
                kind: FaultKind::NotModelled,
                reason: Some(String::from(&**obstacle)),
            });
        }
        if matches!(self.op.class, Class::Trap) && !self.modifiers.has(Word::Drain) {
            let machine = context.machine;
            let thread = context.threads.first();
            let active = machine.flag_word(SpaceId::flags(thread), 0);
            if self.executing(machine, thread, active) != 0 {
                return Err(IssueFault {
                    kind: FaultKind::Trap,
                    reason: Some(String::from("a trap stops the run")),
                });
            }
        }
        if let Some(bank) = self.missing_bank(context) {
            return Err(IssueFault {
                kind: FaultKind::NotModelled,
                reason: Some(format!(
                    "the contents of constant bank {bank} are missing; the cubin has them"
                )),
            });
        }
        let machine = context.machine;
        let is_partial = |thread| {
            let active = machine.flag_word(SpaceId::flags(thread), 0);
            !matches!(self.executing(machine, thread, active), 0 | u32::MAX)
        };
        if self.is_collective() && context.threads.iter().any(is_partial) {
            return Err(IssueFault {
                kind: FaultKind::NotModelled,
                reason: Some(String::from(
                    "all 32 lanes of a warp have to execute it together",
                )),
            });
        }
        if self.is_bulk() {
            return self.issue_bulk(context, &mut out.accesses);
        }
        if let Some(kind) = self.memory_kind() {
            self.issue_accesses(kind, context, &mut out.accesses);
            let fault = self.arrival_fault(&out.accesses, machine);
            return fault.map_or(Ok(()), Err);
        }
        for thread in context.threads.iter() {
            if self.loses_carry(context.machine, thread) {
                return Err(IssueFault {
                    kind: FaultKind::NotModelled,
                    reason: Some(String::from("a register cannot hold a carry of 2")),
                });
            }
            if let Some(output) = self.output(context, thread) {
                out.warp_outputs.push((thread, output));
            }
        }
        Ok(())
    }

    fn is_computation(&self) -> bool {
        self.obstacle.is_none() && matches!(self.op.class, Class::Alu(_) | Class::Special(_))
    }

    fn computation(&self, context: &IssueContext<'_>, thread: u8) -> Option<LaneComputation> {
        self.lane_computation(context, thread)
            .filter(|_| self.is_computation())
    }

    fn reads(&self, _: &SymbolTable) -> Reads {
        self.lane_reads()
    }

    fn source_elements(&self, unit: Unit, _: &SymbolTable) -> Vec<SourceElement> {
        match self.op.class {
            Class::Memory(_) | Class::Flow(_) => self.lane_sources(unit),
            _ => Vec::new(),
        }
    }

    fn operands(&self) -> u8 {
        match self.memory_kind().map(|kind| kind.action) {
            None | Some(Action::Load) => 0,
            Some(Action::Store | Action::Copy | Action::BulkCopy | Action::Synchronize) => 1,
            Some(Action::Atomic | Action::Reduction) => match self.atomic_update() {
                Some(update) if update.swapped => 2,
                _ => 1,
            },
        }
    }

    fn units(&self, accesses: &[Access], _: ThreadSet) -> u32 {
        match self.memory_kind() {
            Some(_) => crate::diagnostic::to_u32(accesses.len()),
            None => 1,
        }
    }

    fn adds(&self, access: &Access, symbols: &SymbolTable) -> Option<u64> {
        let update = self.update(symbols)?;
        let width = match access.bytes {
            8 => crate::isa::rmw::Width::W64,
            _ => crate::isa::rmw::Width::W32,
        };
        match self.destination {
            None => update.rmw.addend(width, access.src0),
            Some(_) => None,
        }
    }

    fn update(&self, _: &SymbolTable) -> Option<Update> {
        self.atomic_update()
    }

    fn is_strong(&self) -> bool {
        // Volatile loads and stores are strong, too.
        let is_marked = ["STRONG", "CV", "WT"].map(|word| self.has_word(word));
        self.memory_kind().is_some() && is_marked.contains(&true)
            || self.phase_step() == Some(PhaseStep::Check)
    }

    fn phase_step(&self) -> Option<PhaseStep> {
        let m = &self.modifiers;
        let synchronizes = |kind: MemoryKind| kind.action == Action::Synchronize;
        match () {
            () if m.has(Word::Arrive) || m.has(Word::Ldgstsbar) => Some(PhaseStep::Arrive),
            () if self.is_bulk() && self.copies_to_shared() => Some(PhaseStep::Copy),
            () if !self.memory_kind().is_some_and(synchronizes) => None,
            () if m.has(Word::Exch) => Some(PhaseStep::Set),
            () if m.has(Word::Phasechk) => Some(PhaseStep::Check),
            () => None,
        }
    }

    fn is_clipped(&self) -> bool {
        self.tells_space()
    }

    fn is_bytewise(&self) -> bool {
        // Any number of bytes is copied.
        self.modifiers.has(Word::Zfill)
    }

    fn copy_step(&self) -> Option<CopyStep> {
        // LDGDEPBAR uses this scoreboard (observed).
        let waits_for_copies = || {
            (self.written.iter())
                .any(|(part, text)| *part == SyntaxPart::Ignored && &**text == "SB0")
        };
        match self.op.class {
            Class::Memory(kind) if kind.action == Action::Copy => Some(CopyStep::Start),
            Class::Memory(_) if self.is_bulk() && !self.copies_to_shared() => Some(CopyStep::Start),
            Class::Memory(_) if self.modifiers.has(Word::Ldgstsbar) => Some(CopyStep::Arrive),
            Class::CopyGroup => Some(CopyStep::Commit),
            Class::CopyWait if waits_for_copies() => {
                Some(CopyStep::Wait(match self.sources[0].place {
                    SourcePlace::Number(groups) => groups,
                    _ => 0,
                }))
            }
            _ => None,
        }
    }

    fn fence(&self) -> Option<Fence> {
        let scope = match self.has_word("CTA") {
            true => FenceScope::Group,
            false => FenceScope::Device,
        };
        matches!(self.op.class, Class::Fence).then_some(Fence {
            local: true,
            global: true,
            scope,
        })
    }

    fn block_barrier(&self, context: &IssueContext<'_>, thread: u8) -> Option<BlockArrival> {
        self.arrives(context.machine, thread)
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let mnemonic = self.mnemonic();
        let ty = effect.cell_type.unwrap_or(ElementType::Ud);
        if let Some(access) = effect.access {
            let memory = match access.space.kind() {
                SpaceKind::Local => "shared",
                SpaceKind::Accumulators(_) => "local",
                _ => symbols.memory_name(access.space).unwrap_or("memory"),
            };
            let mut text = format!("{memory}[{:#x}]", access.address);
            let changes = effect.changes;
            match changes.iter().find(|change| change.space == access.space) {
                Some(change) => text.push_str(&format!(
                    " {} → {}",
                    show(change.old, ty),
                    show(change.new, ty)
                )),
                None => text.push_str(" is read"),
            }
            let is_returned = |kind| matches!(kind, SpaceKind::Registers(_));
            if let Some(change) = changes.iter().find(|c| is_returned(c.space.kind())) {
                text.push_str(&format!(", returned {}", show(change.new, ty)));
            }
            return text;
        }
        format!("{mnemonic}: {}", self.formula())
    }

    fn channels(&self) -> u16 {
        self.element_mask()
    }

    fn channel_element(&self, unit: Unit, _: &SymbolTable) -> Option<u32> {
        let element = unit.channel?.checked_sub(FIRST_ELEMENT)?;
        self.returned_to(unit.lane, element)
    }

    fn inactive_reason(&self, context: &IssueContext<'_>, unit: Unit) -> Option<&'static str> {
        let machine = context.machine;
        let active = machine.flag_word(SpaceId::flags(unit.thread), 0);
        let executing = self.executing(machine, unit.thread, active);
        match (
            active >> unit.lane & 1,
            executing >> unit.lane & 1,
            self.accessing(executing) >> unit.lane & 1,
        ) {
            (0, ..) => Some("not active"),
            (_, 0, _) => Some("guard"),
            (.., 0) => Some("the first lane accesses for all"),
            _ if self.is_filled(machine, unit) => Some("nothing to copy"),
            _ => None,
        }
    }

    fn uses_local_memory(&self) -> bool {
        matches!(self.op.class, Class::Memory(kind) if kind.window.may_be_local())
    }

    fn guard_address(&self) -> Option<u64> {
        self.guard.register.address()
    }

    fn counts_threads(&self) -> bool {
        let is_barrier = self.flow_kind() == Some(WarpFlow::Barrier);
        is_barrier && self.sources[1].place != SourcePlace::Number(0)
    }

    fn executing_channels(&self, machine: &Machine, thread: u8) -> u32 {
        let active = machine.flag_word(SpaceId::flags(thread), 0);
        self.executing(machine, thread, active)
    }

    fn display_type(&self, _: &SymbolTable) -> ElementType {
        self.moved_type()
    }
}
