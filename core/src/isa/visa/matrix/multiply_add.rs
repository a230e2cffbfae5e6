//! The matrix multiply-add: operands, encoding and execution. DPAS and DPASW are rows.
//!
//! Source: DPAS.md; "all the fields are defined the same as in DPAS" (DPASW.md).

use super::dot::{self, Registers};
use super::layout::MatrixRole;
use super::operands::{
    EuOperands, Halves, MatrixOperands, Types, narrow, read_rows, read_src2, write_rows,
};
use super::text::MatrixSuffix;
use super::{Layout, Precision, Shape, Supply, rules as check_rules, trace};
use crate::bits::{DecodeError, Visitor};
use crate::contradictions::id;
use crate::diagnostic::{Diagnostics, Span};
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::execution::Execution;
use crate::isa::visa::platform::Platform;
use crate::isa::visa::raw_operand::{RawOperand, VariableId};
use crate::isa::visa::syntax::{DocumentedInstruction, OperandValue};
use crate::isa::visa::vector::{self, DirectOperand, Region};
use crate::isa::{
    Access, Check, Effect, Evaluation, FaultKind, IssueContext, IssueFault, OperandSpans,
    ParseError, PseudocodeState, RowInstruction, Semantics, Spec, Style, SymbolTable, ThreadSet,
};
use crate::machine::{Machine, Recorder, SpaceId, StepGranularity};
use crate::number::ElementType;
use crate::rules::{self, Rule};
use crate::text::{Cursor, Sink, SyntaxPart};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A row of the matrix instructions.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    pub spec: &'static Spec,
    /// Rule about unsupported platforms.
    pub platform_rule: &'static Rule,
    /// Rule about the execution size.
    pub exec_size_rule: &'static Rule,
    /// Supported precisions, integers first.
    pub precisions: &'static [Precision],
    /// Rule about unknown precisions.
    pub precision_rule: &'static Rule,
    /// Rule about precisions that the documents mention but the instruction does not
    /// support.
    pub later_rule: &'static Rule,
    /// Rule about types that the real tool also rejects.
    pub type_rule: &'static Rule,
    /// Rule about undocumented types that the real tool accepts.
    pub type_taken_rule: &'static Rule,
    /// Whether Dst and Src0 can be bf or hf, like the sources.
    pub narrow_sums: bool,
    /// Whether the EUs of a fused pair share Src2.
    pub shares_src2: bool,
}

impl Variant {
    /// The execution size on a platform; `None` if unsupported.
    #[must_use]
    pub fn exec_size(&self, platform: Platform) -> Option<u8> {
        let features = platform.features();
        let lanes = features.matrix_lanes;
        lanes.filter(|_| features.fused || !self.shares_src2)
    }

    /// The precisions on a platform.
    #[must_use]
    pub fn precisions_on(&self, platform: Platform) -> &'static [Precision] {
        let known = self.precisions.iter();
        // Platforms add precisions in the order of the list.
        let count = known.take_while(|p| p.is_on(platform.features())).count();
        &self.precisions[..count]
    }
}

/// D = C + A × B: Dst = Src0 + Src2 × Src1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiplyAdd {
    /// The kind of instruction.
    pub variant: &'static Variant,
    /// Execution size and mask, without a predicate.
    pub execution: Execution,
    /// Precisions, depth and repeat count.
    pub suffix: MatrixSuffix,
    /// D, RC rows of channels.
    pub dst: RawOperand,
    /// C, like D.
    pub src0: RawOperand,
    /// B, one column per channel.
    pub src1: RawOperand,
    /// A, in contiguous rows.
    pub src2: DirectOperand,
}

impl MultiplyAdd {
    /// The shape; `None` if it cannot run.
    #[must_use]
    pub fn shape(&self) -> Option<Shape> {
        let MatrixSuffix { w, a, sd, rc } = self.suffix;
        let known = [w, a].iter().all(|p| self.variant.precisions.contains(p));
        let shape = Shape::new(self.execution.size.lanes(), w, a, sd, rc);
        shape.filter(|_| known)
    }

    /// Index of the first register of a matrix; `None` if the variable is null or
    /// undeclared.
    #[must_use]
    pub fn first_register(&self, role: MatrixRole, symbols: &SymbolTable) -> Option<u64> {
        let raw = |operand: RawOperand| {
            let at = operand.element_offset(&symbols.visa, 0, 1);
            at.filter(|_| !operand.is_null())
        };
        let byte = match role {
            MatrixRole::A => self.src2.register_byte(&symbols.visa),
            MatrixRole::B => raw(self.src1),
            MatrixRole::C => raw(self.src0),
            MatrixRole::D => raw(self.dst),
        };
        Some(byte? / u64::from(symbols.visa.grf_bytes()))
    }

    /// The supply of Src2, if it is shared.
    #[must_use]
    pub fn supply(&self) -> Option<Supply> {
        let shape = self.shape().filter(|_| self.variant.shares_src2);
        shape.map(Supply::new)
    }

    /// The element layout; `None` if it cannot run. A shared Src2 is laid out by the
    /// formula or, with `by_table`, by the document's table.
    #[must_use]
    pub fn element_layout(&self, symbols: &SymbolTable, by_table: bool) -> Option<Layout> {
        let (shape, types) = (self.shape()?, self.types(symbols));
        let layout = match self.supply() {
            Some(supply) => supply.layout(by_table)?,
            None => Layout::new(shape),
        };
        let bits = |ty: ElementType| ty.bytes() * 8;
        let layout = layout.sums(bits(types.src0), bits(types.dst))?;
        let start = self.src2.register_byte(&symbols.visa)?;
        let start = start % u64::from(layout.register_bytes());
        layout.src2_at(u8::try_from(start).expect("a register has at most 64 bytes"))
    }

    /// Maximum number of Src2 bytes that one EU supplies.
    pub(super) fn supplied_bytes(&self, shape: Shape) -> u16 {
        match self.supply() {
            Some(supply) => bytes_of_eu0(shape, supply.counts()),
            None => shape.src2_bytes(),
        }
    }

    /// The types of Src0, Dst and the sums. A null or unknown Src0 has the type of the
    /// sums.
    #[must_use]
    pub fn types(&self, symbols: &SymbolTable) -> Types {
        let declared = |operand: RawOperand| {
            let variable = symbols.visa.general(operand.id.0);
            variable.filter(|v| !v.predefined).map(|v| v.ty)
        };
        let dst = declared(self.dst);
        let sum = match self.suffix.w.is_float() {
            true => ElementType::F,
            false if dst == Some(ElementType::Ud) => ElementType::Ud,
            false => ElementType::D,
        };
        let narrow = |ty: &ElementType| {
            self.variant.narrow_sums && matches!(ty, ElementType::Bf | ElementType::Hf)
        };
        Types {
            sum,
            src0: declared(self.src0).filter(narrow).unwrap_or(sum),
            dst: dst.filter(narrow).unwrap_or(sum),
        }
    }

    // Execution.

    /// Reads the operands from a machine; `None` if it cannot run.
    #[must_use]
    pub fn latched(
        &self,
        threads: ThreadSet,
        symbols: &SymbolTable,
        machine: &Machine,
    ) -> Option<MatrixOperands> {
        let counts = self.supply().map(|supply| supply.counts());
        self.supplied(counts, threads, symbols, machine)
    }

    /// The same with the registers of Src2 that the document's table says; `None` if Src2 is not
    /// shared, or the table lacks its shape.
    #[must_use]
    pub fn latched_by_table(
        &self,
        threads: ThreadSet,
        symbols: &SymbolTable,
        machine: &Machine,
    ) -> Option<MatrixOperands> {
        let counts = self.supply()?.table_counts()?;
        self.supplied(Some(counts), threads, symbols, machine)
    }

    /// Whether threads can execute it: both EUs of a fused pair if they share Src2.
    fn can_run_on(&self, threads: ThreadSet) -> bool {
        let is_pair = threads.first().is_multiple_of(2) && threads.count() == 2;
        is_pair || !self.variant.shares_src2
    }

    /// Reads the operands; `counts` are the registers of a shared Src2 that each EU supplies.
    fn supplied(
        &self,
        counts: Option<[u8; 2]>,
        threads: ThreadSet,
        symbols: &SymbolTable,
        machine: &Machine,
    ) -> Option<MatrixOperands> {
        let shape = self.shape().filter(|_| self.can_run_on(threads))?;
        let types = self.types(symbols);
        let src2 = self.read_src2(threads, shape, counts, symbols, machine);
        let eus = (threads.iter().zip(src2))
            .map(|(thread, src2)| self.read(thread, shape, types, src2, symbols, machine))
            .collect();
        Some(MatrixOperands {
            threads,
            shape,
            types,
            supply: self.supply(),
            eus,
        })
    }

    /// Reads the operands of one EU, given its Src2.
    fn read(
        &self,
        thread: u8,
        shape: Shape,
        types: Types,
        src2: Registers,
        symbols: &SymbolTable,
        machine: &Machine,
    ) -> EuOperands {
        let registers = machine.space(SpaceId::registers(thread));
        let rows = |operand: RawOperand, rows, ty| -> Halves {
            let at = operand.element_offset(&symbols.visa, 0, 1);
            read_rows(rows, shape.channels(), ty, |bytes| {
                if let Some(at) = at.filter(|_| !operand.is_null()) {
                    registers.read(at, bytes);
                }
            })
        };
        EuOperands {
            src0: rows(self.src0, shape.rc(), types.src0),
            src1: rows(self.src1, shape.src1_registers(), ElementType::Ud),
            src2,
        }
    }

    /// Reads the Src2 of each EU. If it is shared, both get the registers supplied by EU0
    /// followed by those of EU1, of which there are `counts`.
    fn read_src2(
        &self,
        threads: ThreadSet,
        shape: Shape,
        counts: Option<[u8; 2]>,
        symbols: &SymbolTable,
        machine: &Machine,
    ) -> [Registers; 2] {
        let at = self.src2.register_byte(&symbols.visa);
        let pair = [threads.first(), threads.first().saturating_add(1)];
        let read = |thread, bytes: &mut [u8]| {
            if let Some(at) = at {
                machine.space(SpaceId::registers(thread)).read(at, bytes);
            }
        };
        if let Some(counts) = counts {
            let first = usize::from(bytes_of_eu0(shape, counts));
            let both = read_src2(shape.src2_bytes(), |bytes| {
                let (of_eu0, of_eu1) = bytes.split_at_mut(first);
                read(pair[0], of_eu0);
                read(pair[1], of_eu1);
            });
            [both; 2]
        } else {
            pair.map(|thread| read_src2(shape.src2_bytes(), |bytes| read(thread, bytes)))
        }
    }

    /// Number of stages, each of which is one effect.
    #[must_use]
    pub fn stages(&self) -> u32 {
        let stages = |shape: Shape| u32::from(shape.rc()) * u32::from(shape.sd());
        self.shape().map_or(0, stages)
    }
}

/// Bytes of a shared Src2 that EU0 supplies.
fn bytes_of_eu0(shape: Shape, [registers, _]: [u8; 2]) -> u16 {
    let bytes = u16::from(registers) * u16::from(shape.grf_bytes());
    shape.src2_bytes().min(bytes)
}

impl RowInstruction for MultiplyAdd {
    type Row = Variant;

    fn default_for_opcode(variant: &'static Variant, _: usize) -> Self {
        Self {
            variant,
            execution: Execution::default(),
            suffix: MatrixSuffix {
                w: Precision::S8,
                a: Precision::S8,
                sd: 8,
                rc: 8,
            },
            dst: RawOperand::NULL,
            src0: RawOperand::NULL,
            src1: RawOperand::NULL,
            src2: DirectOperand::start_of(VariableId(0), Region::CONTIGUOUS),
        }
    }

    fn spec(&self) -> &'static Spec {
        self.variant.spec
    }

    /// Performs the stages as effects, or only the final result if no history is kept.
    fn perform<R: Recorder>(
        &self,
        _: &[Access],
        threads: ThreadSet,
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        let dst = self.dst.element_offset(&symbols.visa, 0, 1);
        let (Some(shape), Some(dst)) = (self.shape(), dst) else {
            return;
        };
        if R::KEEPS {
            if let Some(operands) = self.latched(threads, symbols, machine) {
                stages(&operands, dst, machine, recorder);
            }
            return;
        }
        let types = self.types(symbols);
        // Read both EUs before either writes.
        let counts = self.supply().map(|supply| supply.counts());
        let src2 = self.read_src2(threads, shape, counts, symbols, machine);
        for (eu, src2) in threads.iter().zip(src2) {
            let sums = self
                .read(eu, shape, types, src2, symbols, machine)
                .sums(shape);
            let last_row = shape.rc() - 1..shape.rc();
            for (space, at, rows, ty) in [
                (SpaceId::registers(eu), dst, 0..shape.rc(), types.dst),
                (SpaceId::accumulators(eu), 0, last_row, types.sum),
            ] {
                if let Some(memory) = machine.space_mut(space) {
                    write_rows(&sums, rows, shape.channels(), ty, |bytes| {
                        memory.write(at, bytes);
                    });
                }
            }
        }
    }
}

impl DocumentedInstruction for MultiplyAdd {
    fn execution_mut(&mut self) -> &mut Execution {
        &mut self.execution
    }

    fn operand(&mut self, part: SyntaxPart) -> OperandValue<'_> {
        match part {
            SyntaxPart::Dst => OperandValue::Raw(&mut self.dst),
            SyntaxPart::Src0 => OperandValue::Raw(&mut self.src0),
            SyntaxPart::Src1 => OperandValue::Raw(&mut self.src1),
            SyntaxPart::Src2 => OperandValue::Rows(&mut self.src2),
            other => unreachable!("matrix instructions do not have a {other:?} operand"),
        }
    }

    fn parse_suffixes(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        let dot = cursor.here();
        let suffix = MatrixSuffix::parse(self.variant, cursor, spans, out).ok_or(ParseError)?;
        self.suffix = suffix;
        let text = cursor.text();
        let own = Span::new(dot.end, cursor.before()).of(text);
        // The real assembler accepts `S8` and `Bf`, but not `TF32`.
        let is_tf32 = [suffix.w, suffix.a] == [Precision::Tf32; 2];
        let same = !is_tf32 || spans.of(SyntaxPart::Precision).of(text) == "tf32.tf32";
        let lower = own.to_ascii_lowercase();
        let own = if same { own } else { &lower };
        let written = (SyntaxPart::Repeat, text);
        self.variant
            .spec
            .note_spelling(same, own, written, spans, out);
        Ok(())
    }

    fn print_suffixes(&self, _: Style, sink: &mut impl Sink) {
        self.suffix.print(sink);
    }

    fn declaration(&self, part: SyntaxPart, symbols: &Declarations) -> (&'static str, u32) {
        let size = self.variant.exec_size(symbols.platform());
        let ty = match part {
            SyntaxPart::Src1 | SyntaxPart::Src2 => "ud",
            _ if self.suffix.w.is_float() => "f",
            _ => "d",
        };
        (ty, 8 * u32::from(size.unwrap_or(8)))
    }

    fn layout_fields<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        self.execution.size_layout(v)?;
        self.dst
            .layout(SyntaxPart::Dst, ["Dst id", "Dst offset"], v)?;
        self.src0
            .layout(SyntaxPart::Src0, ["Src0 id", "Src0 offset"], v)?;
        self.src1
            .layout(SyntaxPart::Src1, ["Src1 id", "Src1 offset"], v)?;
        self.src2.layout(&vector::SRC2, v)?;
        v.field(SyntaxPart::Precision, "W", 8, &mut self.suffix.w)?;
        v.field(SyntaxPart::Precision, "A", 8, &mut self.suffix.a)?;
        v.field(SyntaxPart::Depth, "SD", 8, &mut self.suffix.sd)?;
        v.field(SyntaxPart::Repeat, "RC", 8, &mut self.suffix.rc)
    }
}

impl Semantics for MultiplyAdd {
    fn note(&self, symbols: &mut SymbolTable) {
        let read = [self.src0.id.0, self.src1.id.0, self.src2.id.0];
        symbols.visa.note_variables(read);
    }

    fn check_encoding(&self, check: &mut Check<'_>) {
        if self.src2.region != Region::CONTIGUOUS {
            let span = Span::new(27, 29);
            let what = "the Src2 region at byte 27 is not 0x0122";
            check.out.report(&rules::RESERVED_BITS, span, what);
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        check_rules::check(self, check);
    }

    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        check_rules::check_run(self, context, check);
    }

    fn evaluate(&self, context: &IssueContext<'_>, _: &mut Evaluation) -> Result<(), IssueFault> {
        if self.can_run_on(context.threads) {
            return Ok(());
        }
        let thread = context.threads.first();
        let reason = format!(
            "only thread {thread} executes it, as EU{} of a fused pair; both EUs must, because \
             each supplies registers of Src2",
            thread % 2
        );
        Err(IssueFault {
            kind: FaultKind::Undefined,
            reason: Some(reason),
        })
    }

    fn units(&self, _: &[Access], _: ThreadSet) -> u32 {
        self.stages()
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        trace::describe_effect(self, effect, symbols)
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        trace::pseudocode_state(self, effect)
    }

    fn lanes(&self) -> u8 {
        self.execution.size.lanes()
    }

    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        let MatrixSuffix { w, a, sd, .. } = self.suffix;
        let is_narrow = |ty| matches!(ty, ElementType::Bf | ElementType::Hf);
        let types = self.types(symbols);
        let narrow = is_narrow(types.src0) || is_narrow(types.dst);
        self.variant.spec.contradictions_among(&[
            (
                id::SUPPLY_TABLE,
                self.supply().is_some_and(|supply| supply.differs()),
            ),
            (
                id::MATRIX_EXEC_SIZE,
                self.variant.shares_src2 && symbols.visa.grf_bytes() == 64,
            ),
            (id::SRC2_STRIDE, sd < 8),
            (id::TF32_CODE, [w, a].contains(&Precision::Tf32)),
            (id::NARROW_ROWS, narrow),
            (
                id::NARROW_SUMS,
                narrow && self.variant.exec_size(symbols.visa.platform()) == Some(8),
            ),
        ])
    }

    fn display_type(&self, symbols: &SymbolTable) -> ElementType {
        self.types(symbols).dst
    }

    fn matrix(&self) -> Option<&MultiplyAdd> {
        Some(self)
    }
}

// Execution.

/// Performs all stages and records every change of a sum: one effect for all EUs or,
/// with fine granularity, one per channel. Dst starts at byte `dst` of the register
/// file.
fn stages<R: Recorder>(
    operands: &MatrixOperands,
    dst: u64,
    machine: &mut Machine,
    recorder: &mut R,
) {
    let (shape, ty) = (operands.shape, operands.types.dst);
    let fine = recorder.granularity() == StepGranularity::Fine;
    let halves = usize::from(shape.channels() / 8);
    let element = u64::from(ty.bytes());
    let row_bytes = u64::from(shape.channels()) * element;
    let sources: Vec<Vec<dot::Stages>> = operands
        .eus
        .iter()
        .map(|own| {
            let halves = own.src1.iter().take(halves);
            halves
                .map(|src1| dot::Stages::new(shape, src1, &own.src2))
                .collect()
        })
        .collect();
    for row in 0..shape.rc() {
        // The running sums of each EU, in halves of eight channels.
        let mut sums: Vec<[[u32; 8]; 2]> = operands
            .eus
            .iter()
            .map(|own| own.src0.each_ref().map(|half| half[usize::from(row)]))
            .collect();
        for d in 0..shape.sd() {
            if !fine {
                recorder.begin();
            }
            for (eu, (sums, sources)) in operands.threads.iter().zip(sums.iter_mut().zip(&sources))
            {
                let before = *sums;
                for (half, source) in sums.iter_mut().zip(sources) {
                    *half = source.stage(row, d, half);
                }
                let changes = before.as_flattened().iter().zip(sums.as_flattened());
                for (channel, (before, after)) in (0..u64::from(shape.channels())).zip(changes) {
                    if fine {
                        recorder.begin();
                    }
                    let (space, at) = (SpaceId::accumulators(eu), channel * 4);
                    if d == 0 {
                        machine.store(recorder, space, at, 4, u64::from(*before));
                    }
                    machine.store(recorder, space, at, 4, u64::from(*after));
                    if d + 1 == shape.sd() {
                        let at = dst + u64::from(row) * row_bytes + channel * element;
                        let value = u64::from(narrow(*after, ty));
                        machine.store(recorder, SpaceId::registers(eu), at, ty.bytes(), value);
                    }
                }
            }
        }
    }
}
