//! Scatters and gathers of planes. Each lane has up to four dwords, adjacent in virtual
//! memory; in registers, each channel is a plane of all lanes. SVM_SCATTER4_SCALED and
//! SVM_GATHER4_SCALED are rows: the scatter writes memory, the gather reads it.
//!
//! Sources: SVM_SCATTER4_SCALED.md, SVM_GATHER4_SCALED.md; the real tool where
//! they say nothing.

use super::channels::Channels;
use super::declarations::Declarations;
use super::execution::{Execution, Verifier};
use super::raw_operand::RawOperand;
use super::raw_operand::{self, Use};
use super::syntax::{DocumentedInstruction, OperandValue};
use super::vector::{self, Scalar, VectorOperand};
use crate::bits::{DecodeError, Visitor};
use crate::contradictions::id;
use crate::diagnostic::Diagnostics;
use crate::isa::schema::{Direction, Elements, Form, Null, Operand};
use crate::isa::{
    Access, AddressRegister, Check, Effect, Evaluation, FaultKind, IssueContext, IssueFault,
    OperandSpans, ParseError, PseudocodeState, RowInstruction, Semantics, SourceConstruct,
    SourceElement, Spec, Style, SymbolTable, ThreadSet, Unit,
};
use crate::machine::{Change, Machine, Recorder, SpaceId};
use crate::number::{ElementType, show};
use crate::rules::{self, Provenance};
use crate::text::{Cursor, Sink, SyntaxPart};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Index of the pseudo-code line that performs an access.
const ACCESSES: usize = 6;

/// The base address, shared by all lanes.
pub(super) const ADDRESS: Operand = Operand {
    part: SyntaxPart::Address,
    name: "address",
    role: "the address",
    direction: Direction::In,
    form: Form::Scalar,
    elements: Elements::PerLane(ElementType::Uq, &rules::ADDRESS_TYPE),
    null: Null::Never,
    optional: false,
    what: "virtual base address in bytes, one UQ for all lanes",
};

/// The offset of each lane from the base address.
pub(super) const OFFSETS: Operand = Operand {
    part: SyntaxPart::Offsets,
    name: "offsets",
    role: "the element offsets",
    form: Form::Raw,
    what: "byte offsets from the address, one UQ per lane",
    ..ADDRESS
};

/// A row of the plane instructions.
#[derive(Debug, PartialEq, Eq)]
pub struct PlaneRow {
    pub spec: &'static Spec,
    /// The plane operand. If it is read, the instruction writes memory, and vice
    /// versa.
    pub planes: SyntaxPart,
    /// The document's names for the ID and offset fields of that operand.
    pub fields: [&'static str; 2],
}

/// A scatter or gather of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneAccess {
    pub row: &'static PlaneRow,
    /// Execution size, mask and predicate.
    pub execution: Execution,
    /// Enabled channels.
    pub channels: Channels,
    /// Virtual base address in bytes, the same for all lanes.
    pub address: VectorOperand,
    /// Byte offsets from the address, one UQ per lane.
    pub offsets: RawOperand,
    /// One dword per lane and channel: src of a scatter, dst of a gather.
    pub planes: RawOperand,
}

impl PlaneAccess {
    /// The schema entry of the plane operand.
    fn plane_operand(&self) -> &'static Operand {
        self.row.spec.syntax.operand(self.row.planes)
    }

    /// Whether the planes are read.
    fn writes_memory(&self) -> bool {
        self.plane_operand().direction == Direction::In
    }

    /// Stride between planes, in elements: max(exec_size, GRF_SIZE / 4).
    fn stride(&self, symbols: &SymbolTable) -> u16 {
        let grf = symbols.visa.platform().grf_bytes() / 4;
        u16::from(self.execution.size.lanes()).max(grf)
    }

    /// `ch_pos` of an enabled channel.
    fn position(&self, channel: u8) -> Option<u8> {
        let mut enabled = self.channels.enabled();
        enabled.find(|(_, c)| *c == channel).map(|(at, _)| at)
    }

    const fn scalar(&self) -> Scalar {
        Scalar {
            operand: self.address,
            part: SyntaxPart::Address,
            role: ADDRESS.role,
            lanes: self.execution.size.lanes(),
        }
    }

    /// Uses of the raw operands if planes are `stride` elements apart.
    fn uses(&self, stride: u16) -> [(RawOperand, Use); 2] {
        let lanes = u32::from(self.execution.size.lanes());
        let usage = |operand: &Operand, bytes| Use::of(operand.part, operand.role, bytes);
        let end = |(position, _)| u32::from(position) * u32::from(stride) + lanes;
        let last = self.channels.enabled().last().map_or(0, end);
        [
            (self.offsets, usage(&OFFSETS, lanes * 8)),
            (self.planes, usage(self.plane_operand(), last * 4)),
        ]
    }

    // Rules.

    /// The real tool folds a constant address into the offsets and crashes if they
    /// are BF (observed on XEHP, DG2 and PVC). It does not fold a zero.
    fn check_constant_and_bf(&self, check: &mut Check<'_>) {
        let VectorOperand::Immediate(constant) = self.address else {
            return;
        };
        let negative_zero =
            constant.ty.element() == Some(ElementType::F) && constant.value() == 1 << 31;
        if constant.value() == 0 || negative_zero {
            return;
        }
        let variable = check.symbols.visa.general(self.offsets.id.0);
        let crashes = check.symbols.visa.features().crashes_on_bf_offsets;
        if crashes && variable.is_some_and(|v| v.ty == ElementType::Bf) {
            let what = format!("{} of type BF with a constant address", OFFSETS.role);
            check.report(&rules::TOOL_FAILS, OFFSETS.part, what);
        }
    }

    /// Checks presence and type of src or dst.
    fn check_planes(&self, check: &mut Check<'_>) {
        let planes = self.plane_operand();
        if self.planes.is_null() {
            let what = format!("{} must not be the null variable", planes.role);
            let help = "use a general variable";
            check.advise(&rules::NEEDED_OPERAND, planes.part, what, help);
            return;
        }
        let Some(variable) = check.symbols.visa.general(self.planes.id.0) else {
            return;
        };
        // A gather of fewer lanes than fit into a register writes part of it; the
        // real tool hangs if that register is fixed.
        let storage = check.symbols.visa.storage(variable);
        let fixed = matches!(storage.name, "%r0" | "%sp" | "%fp" | "%local_id_buf_ptr");
        if planes.direction == Direction::Out
            && self.execution.size.lanes() < 8
            && storage.predefined
            && fixed
        {
            let what = format!(
                "`{}` as {} of fewer than 8 lanes",
                storage.name, planes.role
            );
            check.report(&rules::TOOL_FAILS, planes.part, what);
        }
        if variable.predefined {
            return;
        }
        let listed = matches!(
            variable.ty,
            ElementType::Ud | ElementType::D | ElementType::F
        );
        if !listed {
            let what = format!(
                "{}: `{}` has type {}",
                planes.role,
                variable.name,
                variable.ty.name().to_ascii_uppercase()
            );
            let (rule, id) = (&rules::PLANES_TYPE, self.planes.id.0);
            check.retype(rule, planes.part, what, id, ElementType::Ud);
        }
    }

    // Sentences.

    /// `svm[0x10000] 0 → 7`.
    fn describe_write(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let Some(change) = cell_change(effect) else {
            return String::new();
        };
        let variable = symbols.visa.general(self.planes.id.0);
        let ty = variable.map_or(ElementType::Ud, |v| v.ty);
        let (old, new) = (show(change.old, ty), show(change.new, ty));
        format!("svm[{:#x}] {old} → {new}", change.address)
    }

    /// `svm[0x10000] = 7 → dst[3]`.
    fn describe_read(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let Some((change, access)) = cell_change(effect).zip(effect.access) else {
            return String::new();
        };
        let ty = self.display_type(symbols);
        let channel = access
            .unit
            .channel
            .and_then(|channel| self.position(channel));
        let ch_pos = channel.expect("the accesses of a gather are of its channels");
        let element = u16::from(ch_pos) * self.stride(symbols) + u16::from(access.unit.lane);
        let value = show(change.new, ty);
        format!("svm[{:#x}] = {value} → dst[{element}]", access.address)
    }
}

impl RowInstruction for PlaneAccess {
    type Row = PlaneRow;

    /// One lane, all channels and null operands.
    fn default_for_opcode(row: &'static PlaneRow, _: usize) -> Self {
        Self {
            row,
            execution: Execution::default(),
            channels: Channels::RGBA,
            address: VectorOperand::NULL,
            offsets: RawOperand::NULL,
            planes: RawOperand::NULL,
        }
    }

    fn spec(&self) -> &'static Spec {
        self.row.spec
    }

    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        _: ThreadSet,
        machine: &mut Machine,
        _: &SymbolTable,
        recorder: &mut R,
    ) {
        for access in accesses {
            recorder.begin();
            if access.writes {
                machine.store(recorder, access.space, access.address, 4, access.src0);
                continue;
            }
            let value = machine.load(access.space, access.address, 4);
            let value = value.expect("unmapped cells have faulted before");
            if let Some(dst) = access.dst {
                let registers = SpaceId::registers(access.unit.thread);
                machine.store(recorder, registers, dst.into(), 4, value);
            }
        }
    }
}

impl DocumentedInstruction for PlaneAccess {
    fn execution_mut(&mut self) -> &mut Execution {
        &mut self.execution
    }

    fn operand(&mut self, part: SyntaxPart) -> OperandValue<'_> {
        match part {
            SyntaxPart::Address => OperandValue::Scalar(&mut self.address),
            SyntaxPart::Offsets => OperandValue::Raw(&mut self.offsets),
            _ => OperandValue::Raw(&mut self.planes),
        }
    }

    fn parse_suffixes(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        self.channels = Channels::parse(cursor, spans, out)?;
        let suffix = (SyntaxPart::Channels, cursor.text());
        let spec = self.row.spec;
        spec.note_spelling(true, self.channels.name(), suffix, spans, out);
        Ok(())
    }

    fn print_suffixes(&self, _: Style, sink: &mut impl Sink) {
        self.channels.print(sink);
    }

    fn declaration(&self, part: SyntaxPart, _: &Declarations) -> (&'static str, u32) {
        let lanes = u32::from(self.execution.size.lanes());
        match part {
            SyntaxPart::Address => ("uq", 4),
            SyntaxPart::Offsets => ("uq", lanes),
            _ => ("ud", lanes.max(16) * u32::from(self.channels.count())),
        }
    }

    fn layout_fields<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let offsets = ["Element_offset id", "Element_offset offset"];
        self.execution.layout(v)?;
        self.channels.layout(v)?;
        v.ignored("Scale", 16)?;
        self.address.layout(&vector::ADDRESS, v)?;
        self.offsets.layout(SyntaxPart::Offsets, offsets, v)?;
        self.planes.layout(self.row.planes, self.row.fields, v)
    }
}

impl Semantics for PlaneAccess {
    fn note(&self, symbols: &mut SymbolTable) {
        let address = match self.address {
            VectorOperand::Direct(address) => Some(address.id.0),
            _ => None,
        };
        let read = [self.offsets.id.0, self.planes.id.0];
        symbols.visa.note_variables(read.into_iter().chain(address));
    }

    fn check_encoding(&self, check: &mut Check<'_>) {
        self.address.check_encoding(8, "Address", check);
    }

    fn check(&self, check: &mut Check<'_>) {
        let planes = self.plane_operand();
        let lanes = self.execution.size.lanes();
        self.execution.check(Verifier::Lax, check);
        if !matches!(lanes, 0 | 8 | 16) {
            let what = format!("undocumented execution size {lanes}");
            check.report(&rules::PLANES_EXEC_SIZE, SyntaxPart::ExecSize, what);
        }
        if self.channels.count() == 0 {
            let what = "no channel is enabled";
            check.report(&rules::NO_CHANNEL, SyntaxPart::Channels, what);
        }
        check.variables = vec![self.offsets.id.0, self.planes.id.0];
        if let VectorOperand::Direct(address) = self.address {
            check.variables.push(address.id.0);
        }
        self.scalar().check(check);
        let rule = &rules::ADDRESS_TYPE;
        let uq = ElementType::Uq;
        raw_operand::check_address(self.offsets, (OFFSETS.part, OFFSETS.role), uq, rule, check);
        self.check_constant_and_bf(check);
        self.check_planes(check);
        let [offsets, padded] = self.uses(self.stride(check.symbols));
        raw_operand::check(offsets.0, offsets.1, check);
        // If only the padding does not fit, the documents allow two readings.
        let [_, packed] = self.uses(u16::from(lanes));
        let symbols = &check.symbols.visa;
        let room = symbols.general(self.planes.id.0).map_or(0, |v| v.bytes());
        let fits = |usage: Use| u32::from(self.planes.offset) + usage.bytes <= room;
        if fits(packed.1) && !fits(padded.1) {
            let what = format!(
                "{}: {} bytes, with each channel starting at a register, exceed the {room} bytes of the variable",
                planes.role, padded.1.bytes
            );
            let help = "it fits in Intel's compiler, which does not pad the channels";
            check.advise(&rules::PAST_END, planes.part, what, help);
            raw_operand::check(packed.0, packed.1, check);
        } else {
            raw_operand::check(padded.0, padded.1, check);
        }
    }

    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        self.execution.check_run(check);
        self.scalar().check_run(context, check);
        let uses = self.uses(self.stride(check.symbols));
        for ((operand, usage), element) in uses.into_iter().zip([8, 4]) {
            if raw_operand::check_run(operand, usage, element, check)
                && let Some(variable) = check.symbols.visa.general(operand.id.0)
                && usage.part == SyntaxPart::Offsets
                && variable.ty.is_float()
            {
                let what = format!(
                    "cannot run: {} have type {}",
                    OFFSETS.role,
                    variable.ty.name().to_ascii_uppercase()
                );
                check.report(&rules::RUN_TYPE, usage.part, what);
            }
        }
    }

    /// The variables of the address and of the offsets.
    fn address_registers(&self, symbols: &SymbolTable) -> Vec<AddressRegister> {
        let address = match self.address {
            VectorOperand::Direct(direct) => symbols.visa.general(direct.id.0),
            _ => None,
        };
        let address = address.map(|variable| AddressRegister {
            operand: ADDRESS.part,
            place: String::from(variable.name),
            bytes: variable.ty.bytes(),
            is_per_lane: false,
        });
        let offsets = self.offsets.address_register(OFFSETS.part, &symbols.visa);
        address.into_iter().chain(offsets).collect()
    }

    /// The offset of a lane and, for a scatter, its element of one channel.
    fn source_elements(&self, unit: Unit, symbols: &SymbolTable) -> Vec<SourceElement> {
        let lane = unit.lane.into();
        let offset = self
            .offsets
            .source_element(OFFSETS.part, &symbols.visa, lane, 8);
        let element = self
            .writes_memory()
            .then(|| self.channel_element(unit, symbols))
            .flatten()
            .map(|at| SourceElement {
                operand: self.row.planes,
                at,
                bytes: 4,
            });
        offset.into_iter().chain(element).collect()
    }

    /// Latches the access of every enabled lane and channel, channel by channel, with
    /// the values of src or the addresses in dst.
    ///
    /// # Errors
    /// If the address cannot be read where lanes are enabled.
    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault> {
        let out = &mut out.accesses;
        let mut result = Ok(());
        let memory = context.machine.space(SpaceId::VIRTUAL).mapped();
        let lanes = self.execution.size.lanes();
        let stride = self.stride(context.symbols);
        let writes = self.writes_memory();
        for thread in context.threads.iter() {
            let enabled = self.execution.enabled_on(context, thread);
            if enabled == 0 {
                continue;
            }
            if !self.scalar().is_readable(context, thread) {
                result = Err(FaultKind::OutOfRange.into());
            }
            let address = self
                .address
                .scalar(&context.symbols.visa, context.machine, thread);
            let Some(address) = address else {
                continue;
            };
            let offsets = raw_operand::lanes_of(self.offsets, 0, 8, lanes, thread, context);
            for (ch_pos, channel) in self.channels.enabled() {
                let ch_start = u16::from(ch_pos) * stride;
                let values = match writes {
                    true => raw_operand::lanes_of(self.planes, ch_start, 4, lanes, thread, context),
                    false => [0; raw_operand::LANES],
                };
                let plane = (!writes && !self.planes.is_null())
                    .then(|| {
                        self.planes
                            .element_offset(&context.symbols.visa, ch_start, 4)
                    })
                    .flatten();
                for (lane, (offset, value)) in (0..lanes).zip(offsets.iter().zip(&values)) {
                    if enabled & (1 << lane) == 0 {
                        continue;
                    }
                    let cell = address
                        .wrapping_add(*offset)
                        .wrapping_add(u64::from(channel) * 4);
                    let fault = if cell & 3 != 0 {
                        Some(FaultKind::Misaligned)
                    } else if memory.contains(cell, 4) {
                        None
                    } else {
                        Some(FaultKind::Unmapped)
                    };
                    let unit = Unit::part(thread, lane, Some(channel));
                    out.push(Access {
                        in_bounds: fault.is_none(),
                        fault,
                        src0: *value,
                        writes,
                        dst: plane.map(|plane| {
                            let at = plane + u64::from(lane) * 4;
                            u32::try_from(at).expect("a register file is smaller than 4 GB")
                        }),
                        ..Access::new(unit, SpaceId::VIRTUAL, cell, 4)
                    });
                }
            }
        }
        result
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        match self.writes_memory() {
            true => self.describe_write(effect, symbols),
            false => self.describe_read(effect, symbols),
        }
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> PseudocodeState {
        let mut variables = Vec::new();
        if let Some(access) = effect.access
            && let Some(channel) = access.unit.channel
            && let Some(ch_pos) = self.position(channel)
        {
            let ch_start = u16::from(ch_pos) * self.stride(symbols);
            variables.push(("c", format!("{channel}")));
            variables.push(("ch_pos", format!("{ch_pos}")));
            variables.push(("ch_start", format!("{ch_start}")));
            variables.push(("i", format!("{}", access.unit.lane)));
        }
        PseudocodeState {
            line: ACCESSES,
            variables,
        }
    }

    fn execution(&self) -> Option<&Execution> {
        Some(&self.execution)
    }

    fn channels(&self) -> u16 {
        self.channels.mask().into()
    }

    fn channel_element(&self, unit: Unit, symbols: &SymbolTable) -> Option<u32> {
        let ch_pos = self.position(unit.channel?)?;
        let index = u16::from(ch_pos) * self.stride(symbols) + u16::from(unit.lane);
        let offset = self.planes.element_offset(&symbols.visa, index, 4)?;
        u32::try_from(offset).ok()
    }

    fn operands(&self) -> u8 {
        u8::from(self.writes_memory())
    }

    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        let is_padded = u16::from(self.execution.size.lanes()) < self.stride(symbols);
        let is_wide = |address| matches!(address, VectorOperand::Immediate(c) if !c.fits());
        self.row.spec.contradictions_among(&[
            (id::ANY_ALL, self.execution.predicate.combines()),
            (id::SCALING_PITCH, true),
            (id::CHANNEL_PADDING, is_padded),
            (id::WIDE_CONSTANT, is_wide(self.address)),
        ])
    }

    fn display_type(&self, symbols: &SymbolTable) -> ElementType {
        let ty = symbols.visa.general(self.planes.id.0).map(|v| v.ty);
        // A cell has 32 bits.
        ty.filter(|ty| ty.bytes() == 4).unwrap_or(ElementType::Ud)
    }
}

/// OpenCL C vector accesses that compile to a channel access. `access` is `a load`
/// or `a store`.
#[must_use]
pub fn source_constructs(access: &str) -> Vec<SourceConstruct> {
    let vectors = [("RG", "int2"), ("RGB", "int3"), ("RGBA", "int4")];
    let construct = |(form, ty): (&str, &str)| SourceConstruct {
        form: String::from(form),
        language: "OpenCL C",
        text: format!("{access} through __global {ty} *, each work-item at its own address"),
        mark: Provenance::Documented,
        source: "IGC's source (EmitVISAPass.cpp, CISABuilder.cpp), platforms without LSC messages",
    };
    vectors.map(construct).to_vec()
}

/// The change of the cell. The last effect also changes the control state.
fn cell_change<'e>(effect: &Effect<'e>) -> Option<&'e Change> {
    let mut changes = effect.changes.iter();
    changes.find(|change| !change.space.is_control())
}
