//! The atomics of lanes that read, modify and write a cell of memory each: text, rules,
//! execution and descriptions. DWORD_ATOMIC and SVM_ATOMIC are rows, which differ in
//! their [`AddressMode`].

use super::declarations::Declarations;
use super::execution::{Execution, Verifier};
use super::op::message::{MessageFault, SurfaceMemory};
use super::operation::{Numbers, VisaOperation};
use super::predefined::FIRST_DECLARED_SURFACE;
use super::raw_operand::RawOperand;
use super::raw_operand::{self, LANES, Use, lanes_of};
use super::spelling;
use super::surface::Surface;
use super::syntax::{DocumentedInstruction, OperandValue};
use crate::bits::{BitField, DecodeError, SymbolResolver, Visitor, number_bits};
use crate::contradictions::id;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::rmw::Width;
use crate::isa::rmw_exec;
use crate::isa::schema::{Direction, Elements, Form, Null, Operand, Suffix, Words};
use crate::isa::{
    Access, AddressRegister, Check, Effect, Evaluation, Fact, FaultKind, IssueContext, IssueFault,
    OperandSpans, OperationRow, ParseError, PseudocodeState, RowInstruction, Semantics,
    SourceConstruct, SourceElement, Spec, Style, SymbolTable, ThreadSet, Unit, Update,
};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::{ElementType, low_mask, parse_integer, show};
use crate::rules::{self, Provenance};
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

// Operands.

/// Operation suffix.
pub const OPERATION: Suffix = Suffix {
    part: SyntaxPart::Operation,
    name: "op",
    optional: false,
    what: "operation applied to each cell",
    words: Words::Operations,
};

pub const SRC0: Operand = Operand {
    part: SyntaxPart::Src0,
    name: "src0",
    role: "src0",
    direction: Direction::In,
    form: Form::Raw,
    elements: Elements::BySuffix,
    null: Null::BySuffix,
    optional: false,
    what: "first operand of each lane",
};

pub const SRC1: Operand = Operand {
    part: SyntaxPart::Src1,
    name: "src1",
    role: "src1",
    what: "second operand of each lane, for CMPXCHG and FCMPWR only",
    ..SRC0
};

pub const DST: Operand = Operand {
    part: SyntaxPart::Dst,
    name: "dst",
    role: "dst",
    direction: Direction::Out,
    null: Null::Optional,
    what: "value returned to each lane",
    ..SRC0
};

// Facts.

pub(super) const HALF_RESULTS: Fact =
    Fact::assumed("In the 16-bit forms, the upper half of the dst dword is unchanged.");
pub(super) const FLOAT_ARITHMETIC: Fact = Fact::assumed(
    "FMAX and FMIN: a number beats a NaN; two NaNs give src0; -0 and +0 compare equal, which keeps the old value; subnormals are preserved. Intel's CPU emulation stores src0 whenever a NaN is involved. FADD and FSUB: a NaN result is the quieted NaN operand, the old value first.",
);
pub(super) const FLOAT_COMPARISON: Fact =
    Fact::observed("FCMPWR compares IEEE numbers: -0 equals +0, and NaN is unequal to everything.");

/// A row of the atomics.
#[derive(Debug, PartialEq, Eq)]
pub struct VisaAtomicRow {
    pub spec: &'static Spec,
    /// The mode, with the default surface.
    pub mode: AddressMode,
    /// The document's names for the ID and offset fields of the address operand.
    pub fields: [&'static str; 2],
    /// Name of an address in the pseudo-code.
    pub address: &'static str,
    /// Fault of a cell that does not exist; `None` if it reads zero and drops writes.
    pub missing_cell: Option<FaultKind>,
    pub verifier: Verifier,
    /// Largest documented execution size.
    pub max_lanes: u8,
}

/// Memory that the addresses of an atomic refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressMode {
    /// Offsets into a surface, which is an operand.
    Surface(Surface),
    /// Virtual addresses.
    Virtual,
}

impl AddressMode {
    fn memory(self, context: &IssueContext<'_>, thread: u8) -> Result<SurfaceMemory, MessageFault> {
        match self {
            Self::Surface(surface) => surface.memory(context, thread),
            Self::Virtual => Ok(SurfaceMemory::flat(u64::MAX)),
        }
    }

    /// Display name: `slm`, `stateless`, the surface's name or `svm`.
    fn place(self, symbols: &SymbolTable) -> String {
        let Self::Surface(surface) = self else {
            return String::from("svm");
        };
        let symbols = &symbols.visa;
        match surface.space() {
            SpaceId::SLM => String::from("slm"),
            SpaceId::VIRTUAL => String::from("stateless"),
            _ => match symbols.surface_name(surface.0) {
                Some(name) => String::from(name),
                None => surface.meaning(symbols),
            },
        }
    }
}

/// Width code, three bits. The document assigns two; the real tool reads three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WidthCode(u8);

impl WidthCode {
    /// 0: 32 bits.
    pub const W32: Self = Self(0);
    /// 1: 16 bits.
    pub const W16: Self = Self(1);
    /// 2: 64 bits.
    pub const W64: Self = Self(2);

    /// Whether the document lists the code.
    #[must_use]
    pub const fn is_documented(self) -> bool {
        self.0 <= 2
    }

    /// The width. The real tool reads the undocumented code 3 as 64 bits and the
    /// others as 32 (observed with an object file).
    #[must_use]
    pub const fn width(self) -> Width {
        match self.0 {
            1 => Width::W16,
            2 | 3 => Width::W64,
            _ => Width::W32,
        }
    }
}

impl BitField for WidthCode {
    number_bits!(u8, 8);

    fn meaning(self, _: &dyn SymbolResolver) -> String {
        let bits = self.width().bits();
        if self.is_documented() {
            format!("{bits}-bit")
        } else {
            format!("undocumented, treated as {bits}-bit")
        }
    }
}

/// An atomic of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisaAtomic {
    pub row: &'static VisaAtomicRow,
    pub mode: AddressMode,
    pub execution: Execution,
    pub operation: VisaOperation,
    pub width: WidthCode,
    /// Addresses of the cells, one per lane.
    pub address: RawOperand,
    pub src0: RawOperand,
    pub src1: RawOperand,
    pub dst: RawOperand,
}

impl VisaAtomic {
    const fn width(&self) -> Width {
        self.width.width()
    }

    /// The schema entry of the address operand, and the bytes of an address.
    fn address_operand(&self) -> (&'static Operand, u8) {
        let operand = self.row.spec.syntax.operand(SyntaxPart::Address);
        let bytes = operand.elements.bytes();
        (
            operand,
            bytes.expect("the schema gives the type of addresses"),
        )
    }

    /// Bytes of the element of a data operand. In the 16-bit forms, each lane still uses
    /// a dword.
    fn data_bytes(&self) -> u8 {
        self.width().bytes().max(4)
    }

    /// The data operands with their schema entries.
    const fn data(&self) -> [(&'static Operand, RawOperand); 3] {
        [(&SRC0, self.src0), (&SRC1, self.src1), (&DST, self.dst)]
    }

    /// The bytes of an operand that all lanes use together.
    fn usage(&self, operand: &Operand) -> Use {
        let element = operand.elements.bytes().unwrap_or(self.data_bytes());
        let bytes = u32::from(self.execution.size.lanes()) * u32::from(element);
        Use::of(operand.part, operand.role, bytes)
    }
}

impl RowInstruction for VisaAtomic {
    type Row = VisaAtomicRow;

    /// ADD with null operands.
    fn default_for_opcode(row: &'static VisaAtomicRow, _: usize) -> Self {
        Self {
            row,
            mode: row.mode,
            execution: Execution::default(),
            operation: VisaOperation::Add,
            width: WidthCode::W32,
            address: RawOperand::NULL,
            src0: RawOperand::NULL,
            src1: RawOperand::NULL,
            dst: RawOperand::NULL,
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
        rmw_exec::perform(self.operation.update(), accesses, machine, recorder);
    }
}

impl DocumentedInstruction for VisaAtomic {
    fn execution_mut(&mut self) -> &mut Execution {
        &mut self.execution
    }

    fn operand(&mut self, part: SyntaxPart) -> OperandValue<'_> {
        OperandValue::Raw(match (part, &mut self.mode) {
            (SyntaxPart::Surface, AddressMode::Surface(surface)) => {
                return OperandValue::Surface(surface);
            }
            (SyntaxPart::Address, _) => &mut self.address,
            (SyntaxPart::Src0, _) => &mut self.src0,
            (SyntaxPart::Src1, _) => &mut self.src1,
            (SyntaxPart::Dst, _) => &mut self.dst,
            (other, mode) => unreachable!("{mode:?} does not have a {other:?} operand"),
        })
    }

    /// Parses the suffixes `.add` or `.add.16`.
    fn parse_suffixes(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        let (operation, width) = parse_suffixes(self.row.spec, cursor, spans, out)?;
        self.operation = operation;
        // PREDEC has its own note because the real assembler cannot spell it.
        let own = operation.assembler_name();
        let written = spans.of(SyntaxPart::Operation).of(cursor.text());
        let same = own == written || operation == VisaOperation::Predec;
        let suffix = (SyntaxPart::Operation, cursor.text());
        self.row.spec.note_spelling(same, own, suffix, spans, out);
        self.width = match width {
            Some(16) => WidthCode::W16,
            Some(64) => WidthCode::W64,
            _ => WidthCode::W32,
        };
        if width == Some(32) {
            let span = spans.of(SyntaxPart::Width);
            let what = "undocumented suffix `.32`";
            out.report(&rules::UNDOCUMENTED_WIDTH, span, what);
        }
        Ok(())
    }

    /// Prints the suffixes: `.add.16`.
    fn print_suffixes(&self, style: Style, sink: &mut impl Sink) {
        let name = match style {
            Style::Document => self.operation.document_name(),
            Style::Assembler => self.operation.assembler_name(),
        };
        sink.punct(SyntaxPart::None, ".");
        sink.token(TokenClass::Suffix, SyntaxPart::Operation, name);
        let suffix = width_suffix(self.width());
        if !suffix.is_empty() {
            sink.token(TokenClass::Suffix, SyntaxPart::Width, suffix);
        }
    }

    fn declaration(&self, part: SyntaxPart, _: &Declarations) -> (&'static str, u32) {
        let wide = self.width() == Width::W64;
        let elements = self.row.spec.syntax.operand(part).elements;
        let ty = match (elements, self.operation.numbers()) {
            (Elements::PerLane(ty, _), _) => ty.name(),
            (_, Numbers::Float) => "f",
            (_, Numbers::Signed) if self.operation == VisaOperation::Predec && !wide => "ud",
            (_, Numbers::Signed) if wide => "q",
            (_, Numbers::Signed) => "d",
            (_, Numbers::Unsigned) if wide => "uq",
            (_, Numbers::Unsigned) => "ud",
        };
        (ty, u32::from(self.execution.size.lanes().max(16)))
    }

    fn layout_fields<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        match &mut self.mode {
            AddressMode::Surface(surface) => {
                let mut narrow = self.width == WidthCode::W16;
                v.field(SyntaxPart::Operation, "Op", 5, &mut self.operation)?;
                v.field(SyntaxPart::Width, "16-bit", 1, &mut narrow)?;
                self.width = if narrow {
                    WidthCode::W16
                } else {
                    WidthCode::W32
                };
                v.ignored("Op reserved", 2)?;
                self.execution.layout(v)?;
                v.field(SyntaxPart::Surface, "Surface", 8, surface)?;
            }
            AddressMode::Virtual => {
                self.execution.layout(v)?;
                v.field(SyntaxPart::Operation, "Op", 5, &mut self.operation)?;
                v.field(SyntaxPart::Width, "Width", 3, &mut self.width)?;
            }
        }
        self.address
            .layout(SyntaxPart::Address, self.row.fields, v)?;
        let (src0, src1) = (["Src0 id", "Src0 offset"], ["Src1 id", "Src1 offset"]);
        self.src0.layout(SyntaxPart::Src0, src0, v)?;
        self.src1.layout(SyntaxPart::Src1, src1, v)?;
        let dst = ["Dst id", "Dst offset"];
        self.dst.layout(SyntaxPart::Dst, dst, v)
    }
}

impl Semantics for VisaAtomic {
    fn note(&self, symbols: &mut SymbolTable) {
        let read = [self.address, self.src0, self.src1];
        symbols
            .visa
            .note_variables(read.map(|operand| operand.id.0));
    }

    fn check(&self, check: &mut Check<'_>) {
        let row = self.row;
        if let AddressMode::Surface(surface) = self.mode
            && !surface.is_listed()
        {
            let (surface, name) = (surface.meaning(&check.symbols.visa), row.spec.name);
            let what = format!("surface {surface} is not documented for {name}");
            let help = "use T0 (%slm), T255 (%scratch) or a declared buffer";
            check.advise(&rules::SURFACE_NOT_LISTED, SyntaxPart::Surface, what, help);
        }
        let lanes = self.execution.size.lanes();
        if lanes > row.max_lanes {
            let what = format!("undocumented execution size {lanes}");
            check.report(&rules::SVM_EXEC_SIZE, SyntaxPart::ExecSize, what);
        }
        if !self.width.is_documented() {
            let what = format!(
                "undocumented width code {}, treated as {} bits",
                self.width.to_bits(),
                self.width().bits()
            );
            check.report(&rules::RESERVED_WIDTH, SyntaxPart::Width, what);
        }
        check.variables = [self.address, self.src0, self.src1, self.dst]
            .map(|operand| operand.id.0)
            .to_vec();
        self.execution.check(row.verifier, check);
        let (address, _) = self.address_operand();
        if let Elements::PerLane(ty, rule) = address.elements {
            let place = (address.part, address.role);
            raw_operand::check_address(self.address, place, ty, rule, check);
        }
        check_operands(self, check);
        raw_operand::check(self.address, self.usage(address), check);
        for (operand, value) in self.data() {
            raw_operand::check(value, self.usage(operand), check);
        }
    }

    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        if let AddressMode::Surface(surface) = self.mode {
            let bound = context.machine.space(surface.space()).is_bound();
            if !surface.is_listed() && !bound {
                let what = "cannot run on an unbound surface";
                check.report(&rules::RUN_UNBOUND, SyntaxPart::Surface, what);
            } else if surface.0 >= FIRST_DECLARED_SURFACE && !bound {
                let name = self.mode.place(check.symbols);
                let what = format!("`{name}` has no size");
                let help = format!("add `.surface {name} 4096`");
                check.advise(&rules::SURFACE_SIZE, SyntaxPart::Surface, what, help);
            }
        }
        check_operands_run(self, check);
    }

    fn address_registers(&self, symbols: &SymbolTable) -> Vec<AddressRegister> {
        let register = self
            .address
            .address_register(SyntaxPart::Address, &symbols.visa);
        register.into_iter().collect()
    }

    fn source_elements(&self, unit: Unit, symbols: &SymbolTable) -> Vec<SourceElement> {
        let (address, address_bytes) = self.address_operand();
        let element = self.data_bytes();
        [
            (self.address, address.part, address_bytes),
            (self.src0, SRC0.part, element),
            (self.src1, SRC1.part, element),
        ]
        .into_iter()
        .filter_map(|(operand, part, bytes)| {
            operand.source_element(part, &symbols.visa, unit.lane.into(), bytes)
        })
        .collect()
    }

    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault> {
        let mut result = Ok(());
        for thread in context.threads.iter() {
            match self.mode.memory(context, thread) {
                Ok(memory) => self.issue(memory, thread, context, &mut out.accesses),
                Err(fault) => result = result.and(Err(fault.into())),
            }
        }
        result
    }

    fn surface_start(&self, context: &IssueContext<'_>, thread: u8) -> Option<u64> {
        let AddressMode::Surface(surface) = self.mode else {
            return None;
        };
        let memory = surface.memory(context, thread).ok()?;
        Some(memory.address(0))
    }

    fn execution(&self) -> Option<&Execution> {
        Some(&self.execution)
    }

    fn adds(&self, access: &Access, _: &SymbolTable) -> Option<u64> {
        self.operation.rmw().addend(self.width(), access.src0)
    }

    fn update(&self, _: &SymbolTable) -> Option<Update> {
        Some(self.operation.update())
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let (operation, changes) = (self.operation, effect.changes);
        let Some(access) = effect.access else {
            return String::new();
        };
        let ty = self.display_type(symbols);
        let value = |bits| match operation {
            VisaOperation::And | VisaOperation::Or | VisaOperation::Xor => format!("{bits:#x}"),
            _ => show(bits, ty),
        };
        let returned = match access.dst {
            None => String::from(", nothing returned"),
            Some(dst) => changes
                .iter()
                .find(|c| {
                    c.space == SpaceId::registers(access.unit.thread) && c.address == u64::from(dst)
                })
                .map_or_else(String::new, |c| format!(", returned {}", value(c.new))),
        };
        let cell = format!("{}[{:#x}]", self.mode.place(symbols), access.address);
        let Some(change) = changes.iter().find(|c| c.space == access.space) else {
            return format!("{cell} is out of bounds: read 0, nothing written{returned}");
        };
        let update = operation.update();
        let done = update.describe(self.width(), change, access, value);
        format!("{cell} {done}{returned}")
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        let mut variables = Vec::new();
        if let Some(access) = effect.access {
            variables.push(("i", format!("{}", access.unit.lane)));
            variables.push((self.row.address, format!("{:#x}", access.address)));
            let cell = effect.changes.iter().find(|c| c.space == access.space);
            variables.push(("old", format!("{:#x}", cell.map_or(0, |c| c.old))));
        }
        PseudocodeState {
            line: STORES,
            variables,
        }
    }

    fn operation(&self) -> Option<u64> {
        Some(u64::from(self.operation.code()))
    }

    fn operands(&self) -> u8 {
        self.operation.operands().count()
    }

    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        let operation = self.operation;
        let is_predec = operation == VisaOperation::Predec;
        let is_narrow = self.width() == Width::W16;
        // The real tool mistakes the `.16` form for another operation.
        let has_narrow_quirk =
            !matches!(operation.numbers(), Numbers::Unsigned) || operation.operands().count() == 2;
        self.row.spec.contradictions_among(&[
            (id::ANY_ALL, self.execution.predicate.combines()),
            (id::SWAPPED_ROLES, operation.operands().count() == 2),
            (id::PSEUDO_CODE_RETURN, is_predec),
            (id::PREDEC_TYPE, is_predec),
            (id::PREDEC_RETURN, is_predec),
            (id::NARROW_TYPES, is_narrow && has_narrow_quirk),
            (id::SIGNED_ADD, adds_signed(self, symbols)),
            (id::SVM_SIZES, is_narrow || self.execution.size.lanes() != 8),
        ])
    }

    fn display_type(&self, _: &SymbolTable) -> ElementType {
        use ElementType::{D, Df, F, Hf, Q, Ud, Uq, Uw, W};
        match (self.operation.numbers(), self.width()) {
            (Numbers::Unsigned, Width::W16) => Uw,
            (Numbers::Unsigned, Width::W32) => Ud,
            (Numbers::Unsigned, Width::W64) => Uq,
            (Numbers::Signed, Width::W16) => W,
            (Numbers::Signed, Width::W32) => D,
            (Numbers::Signed, Width::W64) => Q,
            (Numbers::Float, Width::W16) => Hf,
            (Numbers::Float, Width::W32) => F,
            (Numbers::Float, Width::W64) => Df,
        }
    }
}

/// The operation table, for display.
#[must_use]
pub fn operation_table() -> Vec<OperationRow> {
    VisaOperation::ALL
        .iter()
        .map(|op| OperationRow {
            code: u64::from(op.code()),
            name: op.document_name(),
            assembler: op.assembler_name(),
            formula: op.formula(),
            types: match op.numbers() {
                Numbers::Unsigned => "UW, UD, UQ (SVM only)",
                Numbers::Signed => "W, D, Q (SVM only)",
                Numbers::Float => "HF, F",
            },
            returns: if op.returns_new() { "new" } else { "old" },
            messages: match (op, op.numbers()) {
                (VisaOperation::Fadd | VisaOperation::Fsub, _) => "not in the document",
                (_, Numbers::Float) => "DWORD, SVM",
                (_, Numbers::Unsigned | Numbers::Signed) => "DWORD, SVM, TYPED",
            },
        })
        .collect()
}

/// OpenCL C atomic functions for an address space and cell widths. The compiler
/// does not support 16-bit integer arithmetic or 64-bit float minimum.
#[must_use]
pub fn source_constructs(address_space: &str, widths: &[Width]) -> Vec<SourceConstruct> {
    let mut constructs = Vec::new();
    for operation in VisaOperation::ALL {
        let Some((function, spirv)) = operation.source_functions() else {
            continue;
        };
        for width in widths {
            use VisaOperation::{Cmpxchg, Fadd, Xchg};
            let (suffix, ty) = match (width, operation.numbers()) {
                (Width::W32, Numbers::Unsigned) => ("", "uint"),
                (Width::W32, Numbers::Signed) => ("", "int"),
                (Width::W32, Numbers::Float) => ("", "float"),
                (Width::W64, Numbers::Unsigned) => (".64", "ulong"),
                (Width::W64, Numbers::Signed) => (".64", "long"),
                (Width::W64, Numbers::Float) if *operation == Fadd => (".64", "double"),
                (Width::W16, Numbers::Float) => (".16", "half"),
                (Width::W16, _) if matches!(operation, Xchg | Cmpxchg) => (".16", "short"),
                (Width::W16 | Width::W64, _) => continue,
            };
            constructs.push(SourceConstruct {
                form: format!("{}{suffix}", operation.assembler_name()),
                language: "OpenCL C",
                text: format!("{function} on {address_space} {ty}, {spirv}"),
                mark: Provenance::Documented,
                source: "OpenCL C 3.0 and its extensions; IGC's source (atomics.cl, EmitVISAPass.cpp), platforms without LSC messages",
            });
        }
    }
    constructs
}

// Text.

/// The suffix of a width; empty for the default.
const fn width_suffix(width: Width) -> &'static str {
    match width {
        Width::W16 => ".16",
        Width::W32 => "",
        Width::W64 => ".64",
    }
}

/// Names of the operations in the order of their codes, for help texts.
fn operations() -> String {
    let names: Vec<String> = VisaOperation::ALL
        .iter()
        .map(|op| op.document_name().to_ascii_lowercase())
        .collect();
    names.join(", ")
}

/// The operation closest to a misspelled one, in the same letter case.
fn nearest_operation(name: &str) -> Option<String> {
    let common = |known: &str| {
        let pairs = name.bytes().zip(known.bytes());
        pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
    };
    let names = || {
        let both = |op: &VisaOperation| [op.document_name(), op.assembler_name()];
        VisaOperation::ALL.iter().flat_map(both)
    };
    // Of equally close names, prefer the longest common prefix.
    let longest_first = (0..=name.len()).rev();
    let known = longest_first.flat_map(|n| names().filter(move |known| common(known) == n));
    let near = nearest(name, known)?;
    Some(if name.bytes().any(|b| b.is_ascii_uppercase()) {
        near.to_ascii_uppercase()
    } else {
        near.to_ascii_lowercase()
    })
}

/// Skips the word after a dot, up to the next dot or parenthesis.
fn skip_word(cursor: &mut Cursor<'_>) {
    while cursor.adjacent() && !cursor.is_punct('(') && !cursor.is_punct('.') {
        cursor.advance();
    }
}

/// Parses `.add` or `.add.16` after the mnemonic: the operation and the width
/// as written.
fn parse_suffixes(
    spec: &Spec,
    cursor: &mut Cursor<'_>,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<(VisaOperation, Option<u64>), ParseError> {
    let operation = parse_operation(spec.name, cursor, spans, out);
    let known = spec.syntax.suffixes.iter();
    let known = known.filter(|suffix| suffix.part == SyntaxPart::Width);
    let widths: Vec<&str> = known.flat_map(|suffix| suffix.listed()).collect();
    // `.016` is 16, as the real assembler reads it.
    let is_width = |value: u64| widths.iter().any(|w| w.parse() == Ok(value));
    let mut width = Ok(None);
    while let Some(dot) = cursor.eat_punct('.') {
        let number = cursor.peek().filter(|l| l.kind == LexemeKind::Number);
        if number.is_some() {
            cursor.advance();
        }
        skip_word(cursor);
        let span = cursor.since(dot.start);
        let word = Span::new(dot.end, span.end).of(cursor.text()).trim();
        let decimal = word.bytes().all(|b| b.is_ascii_digit());
        let value = parse_integer(word).ok().filter(|_| decimal);
        match value {
            Some(value) if is_width(value) && width == Ok(None) => {
                width = Ok(Some(value));
                spans.set(SyntaxPart::Width, span);
            }
            _ => {
                let listed: Vec<String> = widths
                    .iter()
                    .filter(|w| **w != "32")
                    .map(|w| format!(".{w}"))
                    .collect();
                let what = format!("unexpected suffix `.{word}` after the operation");
                let help = format!(
                    "use {} or no suffix, which means 32 bits",
                    listed.join(", ")
                );
                let diagnostic = Diagnostic::new(&rules::WIDTH_SUFFIX, span, what);
                // Removing a misspelled width would change the instruction.
                let near = listed.iter().map(String::as_str);
                let near = nearest(&format!(".{word}"), near).filter(|_| width == Ok(None));
                out.push(diagnostic.fix(help, span, near.unwrap_or("")));
                width = Err(ParseError);
            }
        }
    }
    Ok((operation?, width?))
}

fn parse_operation(
    mnemonic: &str,
    cursor: &mut Cursor<'_>,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<VisaOperation, ParseError> {
    let end = cursor.before();
    let dot = cursor.eat_punct('.').is_some();
    let bare = !dot && VisaOperation::named(cursor.word()).is_some();
    let word = if dot || bare { cursor.name() } else { None };
    let Some((name, span)) = word else {
        let what = format!("expected an operation after `{mnemonic}`");
        let help = format!("add a dot and one of {}", operations());
        out.advise(&rules::UNKNOWN_OPERATION, cursor.here(), what, help);
        if dot {
            skip_word(cursor);
        }
        return Err(ParseError);
    };
    spans.set(SyntaxPart::Operation, span);
    if dot {
        spelling::blank_before(span, &format!(".{name}"), cursor, out);
    }
    if bare {
        let gap = Span::new(end, span.start);
        let what = format!("expected `.` before `{name}`");
        let help = format!("write {mnemonic}.{name}");
        out.fix(&rules::UNKNOWN_OPERATION, span, what, help, gap, ".");
    }
    VisaOperation::named(name).ok_or_else(|| {
        let what = format!("unknown atomic operation `{name}`");
        let diagnostic = Diagnostic::new(&rules::UNKNOWN_OPERATION, span, what);
        out.push(match nearest_operation(name) {
            Some(near) => diagnostic.fix(format!("did you mean `{near}`?"), span, near),
            None => diagnostic.help(format!("the operations are {}", operations())),
        });
        ParseError
    })
}

// Rules.

/// Operand types that the document specifies for an operation.
fn documented_types(operation: VisaOperation, width: Width) -> &'static [ElementType] {
    use ElementType::{D, F, Q, Ud, Uq};
    match (operation.numbers(), width) {
        (Numbers::Float, _) => &[F],
        (Numbers::Signed, Width::W64) if operation == VisaOperation::Predec => &[Q, Uq],
        (Numbers::Signed, _) if operation == VisaOperation::Predec => &[D, Ud],
        (Numbers::Signed, Width::W64) => &[Q],
        (Numbers::Signed, _) => &[D],
        (Numbers::Unsigned, Width::W64) => &[Uq],
        (Numbers::Unsigned, _) => &[Ud],
    }
}

/// Operand types that the real tool's verifier accepts, found by trying all.
fn taken_types(
    verifier: Verifier,
    operation: VisaOperation,
    width: Width,
) -> &'static [ElementType] {
    use ElementType::{D, F, Ud};
    match (verifier, operation, width) {
        (Verifier::Lax, ..) => &ElementType::ALL,
        (_, _, Width::W16) => &[Ud],
        (_, VisaOperation::Add | VisaOperation::Sub, _) => &[Ud, D],
        (_, VisaOperation::Imin | VisaOperation::Imax, _) => &[D],
        _ if operation.numbers() == Numbers::Float => &[F],
        _ => &[Ud],
    }
}

fn list(types: &[ElementType]) -> String {
    let symbols: Vec<String> = types
        .iter()
        .map(|t| t.name().to_ascii_uppercase())
        .collect();
    symbols.join(" or ")
}

/// Checks presence and types of the data operands.
fn check_operands(atomic: &VisaAtomic, check: &mut Check<'_>) {
    let (operation, width, verifier) = (atomic.operation, atomic.width(), atomic.row.verifier);
    let narrow_strict = verifier == Verifier::Strict && width == Width::W16;
    let name = operation.document_name();
    if !operation.is_documented() {
        let what = format!("undocumented operation `{}`", operation.assembler_name());
        check.report(&rules::UNDOCUMENTED_OPERATION, SyntaxPart::Operation, what);
    }
    if operation == VisaOperation::Predec {
        let what = "unnamed operation `predec`";
        check.report(&rules::TOOL_HAS_NO_NAME, SyntaxPart::Operation, what);
    }
    if width != Width::W32 && !check.symbols.visa.features().wide_and_narrow_atomics {
        let what = format!(
            ".{} is not documented on {}",
            width.bits(),
            check.symbols.visa.platform().name()
        );
        check.report(&rules::PLATFORM_WIDTH, SyntaxPart::Width, what);
    }
    if operation.numbers() == Numbers::Float && width == Width::W64 {
        let what = format!("{name}.64 is a 64-bit float atomic");
        check.report(&rules::FLOAT_64, SyntaxPart::Width, what);
    }
    let (needs0, needs1) = operation.operands().needs();
    for (operand, value, needed) in [(&SRC0, atomic.src0, needs0), (&SRC1, atomic.src1, needs1)] {
        if needed && value.is_null() {
            let what = format!("{name} requires {}", operand.role);
            let help = "use a general variable";
            check.advise(&rules::NEEDED_OPERAND, operand.part, what, help);
        }
    }
    let null = raw_operand::null_in_line(check.spans);
    if !needs0 && !atomic.src0.is_null() {
        let refused = verifier == Verifier::Strict && width == Width::W32;
        let rule = if refused {
            &rules::UNUSED_SRC0
        } else {
            &rules::UNUSED_SRC0_TAKEN
        };
        let what = format!("{name} does not use src0");
        check.fix(rule, SyntaxPart::Src0, what, format!("use {null}"), null);
    }
    if !needs1 && !atomic.src1.is_null() {
        let rule = match verifier {
            Verifier::Strict => &rules::UNUSED_SRC1,
            Verifier::Lax => &rules::UNUSED_SRC1_TAKEN,
        };
        let what = format!("{name} does not use src1");
        check.fix(rule, SyntaxPart::Src1, what, format!("use {null}"), null);
    }
    if needs1 && !atomic.src1.is_null() && narrow_strict {
        let what = format!("{name}.16 uses src1");
        check.report(&rules::TOOL_REFUSES_SRC1, SyntaxPart::Src1, what);
    }
    check_types(atomic, check);
}

fn check_types(atomic: &VisaAtomic, check: &mut Check<'_>) {
    let (operation, width, verifier) = (atomic.operation, atomic.width(), atomic.row.verifier);
    let name = operation.document_name();
    let documented = documented_types(operation, width);
    let narrow_src1 = width == Width::W16
        && verifier == Verifier::Strict
        && operation.operands().count() == 2
        && !atomic.src1.is_null();
    let mut taken = taken_types(verifier, operation, width);
    if narrow_src1 && !taken.iter().all(|ty| documented.contains(ty)) {
        // The verifier rejects the line regardless of its types.
        taken = &[];
    }
    let mut first: Option<ElementType> = None;
    let mut differ = false;
    for (row, operand) in atomic.data() {
        let (part, role) = (row.part, row.role);
        if operand.is_null() {
            continue;
        }
        // The real tool's verifier passes predefined variables unchecked.
        let variable = check.symbols.visa.general(operand.id.0);
        let Some(variable) = variable.filter(|v| !v.predefined) else {
            continue;
        };
        let ty = variable.ty;
        differ |= first.is_some_and(|t| t != ty);
        first = first.or(Some(ty));
        let what = || {
            let suffix = width_suffix(width);
            let found = ty.name().to_ascii_uppercase();
            if documented.contains(&ty) {
                return format!("{role} of {name}{suffix} has type {found}");
            }
            let variable = variable.name;
            let expected = list(documented);
            format!(
                "expected type {expected} for {role} of {name}{suffix}, but `{variable}` has type {found}"
            )
        };
        let wanted = documented.first().copied().unwrap_or(ElementType::Ud);
        let id = operand.id.0;
        match (documented.contains(&ty), taken.contains(&ty)) {
            (true, true) => {}
            (true, false) if operation == VisaOperation::Predec => {
                check.report(&rules::SIGNED_PREDEC, part, what());
            }
            (true, false) => check.report(&rules::TOOL_REFUSES_TYPE, part, what()),
            (false, true)
                if ty == ElementType::D
                    && matches!(operation, VisaOperation::Add | VisaOperation::Sub) =>
            {
                check.report(&rules::SIGNED_ADD, part, what());
            }
            (false, true) => check.retype(&rules::OPERAND_TYPE_TAKEN, part, what(), id, wanted),
            (false, false) => check.retype(&rules::OPERAND_TYPE, part, what(), id, wanted),
        }
    }
    if differ {
        let what = "dst, src0 and src1 have different types";
        check.report(&rules::TYPES_DIFFER, SyntaxPart::Operation, what);
    }
}

/// Reports operands with which the instruction cannot run.
fn check_operands_run(atomic: &VisaAtomic, check: &mut Check<'_>) {
    let (address, element) = atomic.address_operand();
    let width = atomic.width();
    atomic.execution.check_run(check);
    raw_operand::check_run(atomic.address, atomic.usage(address), element, check);
    let (needs0, needs1) = atomic.operation.operands().needs();
    let float = atomic.operation.numbers() == Numbers::Float;
    if float && width == Width::W64 {
        let what = "cannot run a 64-bit float atomic";
        check.report(&rules::RUN_FLOAT_64, SyntaxPart::Width, what);
    }
    for (operand, value) in atomic.data() {
        let (part, role) = (operand.part, operand.role);
        let used = match part {
            SyntaxPart::Src0 => needs0,
            SyntaxPart::Src1 => needs1,
            _ => !value.is_null(),
        };
        if !used {
            continue;
        }
        let element = atomic.data_bytes();
        if raw_operand::check_run(value, atomic.usage(operand), element, check)
            && let Some(variable) = check.symbols.visa.general(value.id.0)
            // The dword of a 16-bit form only carries the half.
            && width != Width::W16
            && !variable.predefined
            && variable.ty.is_float() != float
        {
            let what = format!(
                "cannot run with {role} of type {}",
                variable.ty.name().to_ascii_uppercase()
            );
            check.report(&rules::RUN_TYPE, part, what);
        }
    }
}

/// Whether the operation adds or subtracts signed elements.
fn adds_signed(atomic: &VisaAtomic, symbols: &SymbolTable) -> bool {
    let is_signed = |id: u32| {
        let variable = symbols.visa.general(id);
        id != 0 && variable.is_some_and(|v| v.ty == ElementType::D)
    };
    matches!(atomic.operation, VisaOperation::Add | VisaOperation::Sub)
        && (is_signed(atomic.src0.id.0) || is_signed(atomic.dst.id.0))
}

// Execution.

impl VisaAtomic {
    /// Latches the lanes of a thread.
    fn issue(
        &self,
        memory: SurfaceMemory,
        thread: u8,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) {
        let enabled = self.execution.enabled_on(context, thread);
        if enabled == 0 {
            return;
        }
        let (_, address_bytes) = self.address_operand();
        let (lanes, element) = (self.execution.size.lanes(), self.data_bytes());
        let mut dst = (!self.dst.is_null())
            .then(|| self.dst.element_offset(&context.symbols.visa, 0, element))
            .flatten()
            .and_then(|offset| u32::try_from(offset).ok());
        let (bytes, mask) = (self.width().bytes(), low_mask(self.width().bits()));
        // A mask is much cheaper than a division per lane; `bytes` is a power of two.
        let unaligned = u64::from(bytes) - 1;
        let addresses = lanes_of(self.address, 0, address_bytes, lanes, thread, context);
        let src0 = lanes_of(self.src0, 0, element, lanes, thread, context);
        let src1 = lanes_of(self.src1, 0, element, lanes, thread, context);
        let cells = context.machine.space(memory.space);
        out.reserve(LANES);
        let operands = addresses.iter().zip(&src0).zip(&src1);
        for (lane, ((offset, src0), src1)) in (0..lanes).zip(operands) {
            let returned_to = dst;
            dst = dst.map(|dst| dst + u32::from(element));
            if enabled & (1 << lane) == 0 {
                continue;
            }
            let (address, exists, _) = memory.cell(*offset, bytes, cells);
            let fault = match exists {
                _ if offset & unaligned != 0 => Some(FaultKind::Misaligned),
                true => None,
                false => self.row.missing_cell.or(memory.null_fault()),
            };
            out.push(Access {
                in_bounds: exists && fault.is_none(),
                fault,
                src0: src0 & mask,
                src1: src1 & mask,
                writes: true,
                dst: returned_to,
                ..Access::new(Unit::lane(thread, lane), memory.space, address, bytes)
            });
        }
    }
}

/// Index of the pseudo-code line that stores the new value.
const STORES: usize = 4;
