//! Execution and descriptions of the instructions of the opcode table.

use super::message::{MessageFormat, MessageInstruction, MessageKind};
use super::plan::Plan;
use super::{Argument, Behavior, FenceSpaces, Slot, VisaInstruction, lsc};
use crate::diagnostic::to_u32;
use crate::isa::dataflow::{Dataflow, Reads};
use crate::isa::rmw_exec::Update;
use crate::isa::visa::compute::{
    Computation, Results, SourceLanes, compute, sources_by_lane, unfitted_by_lane,
};
use crate::isa::visa::declarations::binding_entry;
use crate::isa::visa::execution::Execution;
use crate::isa::visa::operand::VisaThread;
use crate::isa::visa::predefined::TIME_STAMP;
use crate::isa::visa::raw_operand;
use crate::isa::visa::vector::VectorOperand;
use crate::isa::{
    Access, BarrierRoles, Branch, Check, Effect, Evaluation, FaultKind, Fence, FenceScope,
    IssueContext, IssueFault, LaneComputation, LaneSource, Semantics, Shown, SourceElement,
    SymbolTable, ThreadSet, Unit,
};
use crate::machine::{Change, Machine, Recorder, SpaceKind};
use crate::number::{ElementType, show};
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

impl VisaInstruction {
    /// Describes an access of a message: `svm[0x40] 4 → 9, returned 4`.
    fn describe_access(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let Some(access) = effect.access else {
            return String::from(self.op.spec.summary);
        };
        let ty = match self.update(symbols) {
            None => effect.cell_type,
            Some(_) => None,
        };
        let ty = ty.unwrap_or_else(|| self.display_type(symbols));
        let memory = symbols.memory_name(access.space).unwrap_or("memory");
        let mut text = format!("{memory}[{:#x}]", access.address);
        let mut changes = effect.changes.iter();
        match changes.clone().find(|change| change.space == access.space) {
            Some(change) => {
                text.push_str(&format!(
                    " {} → {}",
                    show(change.old, ty),
                    show(change.new, ty)
                ));
            }
            None if self.message().is_some_and(|message| message.is_prefetch()) => {
                text.push_str(" is prefetched, which changes nothing");
            }
            None if access.in_bounds => text.push_str(" is read"),
            None => text.push_str(" is out of bounds"),
        }
        let is_returned = |change: &&Change| matches!(change.space.kind(), SpaceKind::Registers(_));
        if let Some(change) = changes.find(is_returned) {
            // A register may be wider than the cell.
            let own = self.display_type(symbols);
            let ty = if own.bytes() > ty.bytes() { own } else { ty };
            text.push_str(&format!(", returned {}", show(change.new, ty)));
        }
        text
    }

    /// Describes the values written by an effect: `V33[0] 4 → 9, and 15 more elements`.
    fn describe_written(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let dst = self.vector(SyntaxPart::Dst);
        let is_result = |change: &&Change| match change.space.kind() {
            SpaceKind::Registers(_) | SpaceKind::Accumulators(_) => true,
            // The execution mask belongs to control flow.
            SpaceKind::Flags(_) => change.address != 0,
            _ => false,
        };
        let mut written = effect.changes.iter().filter(is_result);
        let Some(first) = written.next() else {
            return String::from("nothing is written");
        };
        let (name, value): (String, fn(u64, ElementType) -> String) = match dst {
            Some(VectorOperand::Predicate(predicate)) => {
                let variable = symbols.visa.predicate_variable(predicate.id.0);
                let name = variable.map_or("", |variable| &variable.name);
                (String::from(name), |bits, _| format!("{bits:#x}"))
            }
            Some(dst @ VectorOperand::State { .. }) => {
                let name = dst.element_name(first.address, &symbols.visa);
                (name, |bits, ty| show(binding_entry(bits), ty))
            }
            Some(dst) => (dst.element_name(first.address, &symbols.visa), show),
            None => return String::from("nothing is written"),
        };
        let ty = self.display_type(symbols);
        let (old, new) = (value(first.old, ty), value(first.new, ty));
        let more = match written.count() {
            0 => String::new(),
            1 => String::from(", and 1 more element"),
            count => format!(", and {count} more elements"),
        };
        format!("{name} {old} → {new}{more}")
    }

    /// Performs the accesses of a message and calls `recorder` at the start of each effect.
    /// The session handles control flow.
    pub fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        threads: ThreadSet,
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        let symbols = &symbols.visa;
        if let Plan::Message(plan) = self.plan(symbols) {
            let plan = plan.as_ref();
            let plan = plan.expect("a faulting instruction is not executed");
            plan.perform(accesses, machine, recorder);
            return;
        }
        for _ in threads.iter() {
            recorder.begin();
        }
    }

    /// The instruction as a memory message.
    pub(super) fn message(&self) -> Option<MessageInstruction<'_>> {
        match self.op.behavior {
            Behavior::Message(message) => Some(MessageInstruction {
                message,
                instruction: self,
            }),
            _ => None,
        }
    }
}

impl VisaInstruction {
    /// The numbers of threads by role of a named barrier, if given.
    pub(in crate::isa) fn barrier_roles(&self) -> Option<BarrierRoles> {
        let given = |part| self.vector(part).filter(|v| *v != VectorOperand::NULL);
        Some(BarrierRoles {
            producers: given(SyntaxPart::Src2)?,
            consumers: given(SyntaxPart::Src3)?,
        })
    }
}

impl Semantics for VisaInstruction {
    fn check(&self, check: &mut Check<'_>) {
        self.lint(check);
    }

    fn check_run(&self, _: &IssueContext<'_>, check: &mut Check<'_>) {
        for (part, id) in self.variables() {
            raw_operand::check_placed(part, id, check);
        }
        if self.op.format.has_size {
            self.execution.check_run(check);
        }
    }

    fn note(&self, symbols: &mut SymbolTable) {
        if let Some(VectorOperand::Address { .. }) = self.vector(SyntaxPart::Dst) {
            symbols.visa.computes_addresses = true;
        }
        if self.addresses_arguments() {
            symbols.visa.reads_arguments = true;
        }
        if let Some(computed) = self.computed_registers(&symbols.visa) {
            let flow = &mut symbols.visa.value_flow;
            flow.note_computation(computed.operands, computed.result);
        }
        if let Some((bytes, destination, is_whole)) = self.copied_registers(&symbols.visa) {
            symbols.visa.value_flow.note_copy(bytes, destination);
            if is_whole {
                return;
            }
        }
        let reads = self.read_operands(&symbols.visa).registers;
        let object = self.address_of_variable(&symbols.visa);
        let object = object.map(|(_, object)| object);
        for bytes in reads.into_iter().chain(object) {
            symbols.visa.value_flow.note_read(bytes);
        }
    }

    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault> {
        let symbols = &context.symbols.visa;
        match self.plan(symbols) {
            Plan::Message(plan) => {
                let plan = plan.as_ref().map_err(|fault| IssueFault::from(*fault))?;
                let first = out.accesses.len();
                plan.issue(self, context, &mut out.accesses)
                    .inspect_err(|_| out.accesses.truncate(first))?;
            }
            Plan::Compute(plan) => {
                for number in context.threads.iter() {
                    let thread = VisaThread { symbols, number };
                    compute(plan, context.machine, thread, out.add_results(number))?;
                }
            }
            Plan::Other if self.op.behavior == Behavior::NotModelled => {
                return Err(FaultKind::NotModelled.into());
            }
            Plan::Other => {}
        }
        Ok(())
    }

    fn is_source_mark(&self) -> bool {
        matches!(self.op.behavior, Behavior::SourceMark(_))
    }

    fn is_computation(&self) -> bool {
        matches!(self.op.behavior, Behavior::Compute(_))
    }

    fn computation(&self, context: &IssueContext<'_>, number: u8) -> Option<LaneComputation> {
        let symbols = &context.symbols.visa;
        let Plan::Compute(plan) = self.plan(symbols) else {
            return None;
        };
        let thread = VisaThread { symbols, number };
        let mut results = Results::default();
        compute(plan, context.machine, thread, &mut results).ok()?;
        let (enabled, read) = sources_by_lane(plan, context.machine, thread).ok()?;
        let unfitted = unfitted_by_lane(plan, context.machine, thread);
        let kinds = self.op.format.fields.iter().filter_map(|slot| match slot {
            Slot::Vector(names) => Some(names.part),
            _ => None,
        });
        let kinds = kinds.filter(|kind| !matches!(kind, SyntaxPart::Dst | SyntaxPart::Carry));
        let kinds = kinds.chain([SyntaxPart::Predicate]);
        let mut results = results.by_lane(context.machine, thread);
        if let Some(first) = results.first_mut() {
            first.unfitted = unfitted.ok()?;
        }
        for result in &mut results {
            if self.argument(result.operand).is_none() && result.operand == SyntaxPart::Carry {
                // The high halves of `madw` lie behind the low ones.
                result.operand = SyntaxPart::Dst;
            }
            let operand = match result.operand {
                SyntaxPart::Predicate => Some(VectorOperand::Predicate(self.execution.predicate)),
                kind => self.vector(kind),
            };
            let operand = operand.expect("an operand that is written exists");
            if let VectorOperand::State { .. } = operand {
                result.old = result.old.map(binding_entry);
                result.new = result.new.map(binding_entry);
            }
            let places = result.places.iter().zip(0..);
            let name = |(place, lane): (&u64, u32)| match enabled >> lane & 1 {
                1 => operand.element_name(*place, symbols),
                _ => String::new(),
            };
            result.names = places.map(name).collect();
        }
        let source = |(operand, source): (SyntaxPart, SourceLanes)| LaneSource {
            operand,
            ty: source.ty,
            shown: Shown::Number,
            read: source.read,
            bits: source.bits,
            modifier: source.modifier,
            places: source.places,
        };
        Some(LaneComputation {
            first_channel: self.execution.mask.offset(),
            enabled,
            sources: kinds.zip(read).map(source).collect(),
            derived: Vec::new(),
            exchange: None,
            results,
        })
    }

    fn taken_address(&self, symbols: &SymbolTable) -> Option<(u32, Range<u32>)> {
        self.address_of_variable(&symbols.visa)
    }

    fn reads(&self, symbols: &SymbolTable) -> Reads {
        self.read_operands(&symbols.visa)
    }

    fn dataflow(&self, context: &IssueContext<'_>, thread: u8) -> Option<Dataflow> {
        self.data_flow(context, thread)
    }

    fn surface_start(&self, context: &IssueContext<'_>, thread: u8) -> Option<u64> {
        match self.plan(&context.symbols.visa) {
            Plan::Message(Ok(plan)) => Some(plan.memory(context, thread).ok()?.address(0)),
            _ => None,
        }
    }

    fn units(&self, accesses: &[Access], threads: ThreadSet) -> u32 {
        match self.op.behavior {
            Behavior::Message(_) => to_u32(accesses.len()),
            _ => threads.count().into(),
        }
    }

    fn is_clipped(&self) -> bool {
        let message = self.message();
        message.is_some_and(|m| m.message.format == MessageFormat::Block2d)
    }

    fn excess(&self, symbols: &SymbolTable) -> Option<u32> {
        match self.plan(&symbols.visa) {
            Plan::Message(Ok(plan)) => plan.excess(),
            _ => None,
        }
    }

    fn is_pause(&self) -> bool {
        matches!(self.vector(SyntaxPart::Dst), Some(VectorOperand::Direct(dst)) if dst.id.0 == TIME_STAMP)
    }

    fn is_bytewise(&self) -> bool {
        let message = self.message();
        message.is_some_and(|m| m.message.format == MessageFormat::Bytes)
    }

    fn update(&self, _: &SymbolTable) -> Option<Update> {
        match self.message()?.message.kind {
            MessageKind::Atomic(update) => Some(update),
            MessageKind::Load | MessageKind::Store => None,
        }
    }

    fn channels(&self) -> u16 {
        self.message().map_or(0, |message| message.channels())
    }

    fn channel_element(&self, unit: Unit, symbols: &SymbolTable) -> Option<u32> {
        self.message()?.channel_element(unit, &symbols.visa)
    }

    fn fence(&self) -> Option<Fence> {
        let Behavior::Fence(spaces, _) = self.op.behavior else {
            return None;
        };
        let fence = |local, scope| Fence {
            local,
            global: !local,
            scope,
        };
        Some(match spaces {
            FenceSpaces::Global => fence(false, FenceScope::Device),
            FenceSpaces::Local => fence(true, FenceScope::Group),
            FenceSpaces::Compiler => Fence {
                local: false,
                global: false,
                scope: FenceScope::Group,
            },
            FenceSpaces::OfMessage => {
                let scope = match self.code(SyntaxPart::Descriptor(0)) {
                    Some(lsc::GROUP_SCOPE) => FenceScope::Group,
                    _ => FenceScope::Device,
                };
                let function = self.code(SyntaxPart::Operation);
                fence(function == Some(lsc::SLM_FUNCTION), scope)
            }
        })
    }

    fn destination_variable(&self) -> Option<(u32, bool)> {
        let mut operands = self.op.format.fields.iter().zip(&self.arguments);
        let (_, argument) = operands.find(|(slot, _)| slot.part() == Some(SyntaxPart::Dst))?;
        match argument {
            Argument::Vector(VectorOperand::Direct(direct)) => {
                Some((direct.id.0, direct.region.horizontal.elements() == Some(1)))
            }
            Argument::Raw(raw) if !raw.is_null() => Some((raw.id.0, true)),
            _ => None,
        }
    }

    fn moves_state(&self) -> bool {
        self.op.behavior == Behavior::Compute(Computation::MoveState)
    }

    fn execution(&self) -> Option<&Execution> {
        Some(&self.execution)
    }

    fn branch(&self) -> Option<Branch<'_>> {
        let Behavior::Flow(kind) = self.op.behavior else {
            return None;
        };
        Some(Branch {
            kind,
            execution: self.execution,
            targets: self.targets(),
            instruction: self,
        })
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let name = self.op.spec.mnemonics[0];
        match self.op.behavior {
            Behavior::Compute(_) => {
                let written = self.describe_written(effect, symbols);
                format!("{name}: {written}")
            }
            Behavior::Message(_) => self.describe_access(effect, symbols),
            Behavior::NoEffect(reason) | Behavior::Fence(_, reason) => {
                format!("{name} changes nothing: {}", reason.text)
            }
            Behavior::SourceMark(_) => {
                format!("{name} changes nothing: it is about the source text")
            }
            Behavior::Flow(_) | Behavior::NotModelled => String::from(self.op.spec.summary),
        }
    }

    fn lanes(&self) -> u8 {
        if let Some(message) = self.message() {
            return message.lanes();
        }
        if self.op.format.has_size {
            self.execution.size.lanes()
        } else {
            1
        }
    }

    fn inactive_reason(&self, context: &IssueContext<'_>, unit: Unit) -> Option<&'static str> {
        let unit = match self.is_block() {
            true => Unit::lane(unit.thread, 0),
            false => unit,
        };
        self.execution.inactive_reason(context, unit)
    }

    fn is_block(&self) -> bool {
        self.message().is_some_and(|message| message.is_block())
    }

    fn source_elements(&self, unit: Unit, symbols: &SymbolTable) -> Vec<SourceElement> {
        let message = self.message();
        message.map_or_else(Vec::new, |m| m.source_elements(unit, &symbols.visa))
    }

    fn stored_elements(&self, symbols: &SymbolTable) -> Vec<u32> {
        match self.plan(&symbols.visa) {
            Plan::Message(Ok(plan)) => plan.stored_elements(),
            _ => Vec::new(),
        }
    }

    fn operands(&self) -> u8 {
        self.message().map_or(0, |message| message.operands())
    }

    fn display_type(&self, symbols: &SymbolTable) -> ElementType {
        if let Some(message) = self.message() {
            return message.display_type(&symbols.visa);
        }
        let dst = self.vector(SyntaxPart::Dst);
        let ty = dst.and_then(|dst| dst.element_type(&symbols.visa));
        ty.unwrap_or(ElementType::Ud)
    }
}
