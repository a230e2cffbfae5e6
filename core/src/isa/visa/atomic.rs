//! The common part of DWORD_ATOMIC and SVM_ATOMIC: operation and data operands
//! with their text, rules, execution and descriptions. The two instructions add
//! the address space and the width.

use super::declarations::Declarations;
use super::execution::{Execution, Verifier};
use super::operation::{Numbers, VisaOperation};
use super::raw_operand::RawOperand;
use super::raw_operand::{self, LANES, Use, lanes_of};
use super::spelling;
use super::syntax::OperandValue;
use crate::bits::{DecodeError, Visitor};
use crate::contradictions::id;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::rmw::Width;
use crate::isa::rmw_exec;
use crate::isa::schema::{Direction, Elements, Form, Null, Operand, Suffix, Words};
use crate::isa::{
    Access, Check, Effect, FaultKind, IssueContext, OperandSpans, OperationRow, ParseError,
    PseudocodeState, SourceConstruct, SourceElement, Spec, Style, SymbolTable, Unit,
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

/// Operation and operands of an atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisaAtomic {
    pub execution: Execution,
    pub operation: VisaOperation,
    /// Addresses of the cells, one per lane.
    pub address: RawOperand,
    pub src0: RawOperand,
    pub src1: RawOperand,
    pub dst: RawOperand,
}

/// ADD with null operands.
impl Default for VisaAtomic {
    fn default() -> Self {
        Self {
            execution: Execution::default(),
            operation: VisaOperation::Add,
            address: RawOperand::NULL,
            src0: RawOperand::NULL,
            src1: RawOperand::NULL,
            dst: RawOperand::NULL,
        }
    }
}

impl VisaAtomic {
    /// Performs the accesses in order.
    pub fn perform<R: Recorder>(
        &self,
        width: Width,
        accesses: &[Access],
        machine: &mut Machine,
        recorder: &mut R,
    ) {
        let update = self.operation.update();
        rmw_exec::perform(width, accesses, machine, recorder, |width, old, access| {
            update.apply(width, old, access)
        });
    }

    /// Returns the operand of a part: Address, Src0, Src1 or Dst.
    ///
    /// # Panics
    /// For other parts.
    #[must_use]
    pub fn operand(&mut self, part: SyntaxPart) -> OperandValue<'_> {
        OperandValue::Raw(match part {
            SyntaxPart::Address => &mut self.address,
            SyntaxPart::Src0 => &mut self.src0,
            SyntaxPart::Src1 => &mut self.src1,
            SyntaxPart::Dst => &mut self.dst,
            other => unreachable!("atomics do not have a {other:?} operand"),
        })
    }

    /// The data operands with their schema entries.
    fn data(&self) -> [(&'static Operand, RawOperand); 3] {
        [(&SRC0, self.src0), (&SRC1, self.src1), (&DST, self.dst)]
    }

    /// Visits src0, src1 and dst: the common tail of both encodings.
    ///
    /// # Errors
    /// If the bytes end.
    pub fn layout_data<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let (src0, src1) = (["Src0 id", "Src0 offset"], ["Src1 id", "Src1 offset"]);
        self.src0.layout(SyntaxPart::Src0, src0, v)?;
        self.src1.layout(SyntaxPart::Src1, src1, v)?;
        let dst = ["Dst id", "Dst offset"];
        self.dst.layout(SyntaxPart::Dst, dst, v)
    }

    /// The bytes of an operand that all lanes use together. In the 16-bit forms,
    /// each lane still uses a dword.
    fn usage(&self, operand: &Operand, width: Width) -> Use {
        let element = operand.elements.bytes().unwrap_or(width.bytes().max(4));
        Use {
            part: operand.part,
            role: operand.role,
            matrix: false,
            bytes: u32::from(self.execution.size.lanes()) * u32::from(element),
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
                // The document's table does not list them.
                (VisaOperation::Fadd | VisaOperation::Fsub, _) => "",
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

/// Type in which cells and operands are displayed.
#[must_use]
pub fn display_type(operation: VisaOperation, width: Width) -> ElementType {
    use ElementType::{D, Df, F, Hf, Q, Ud, Uq, Uw, W};
    match (operation.numbers(), width) {
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

// Text.

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
        let diagnostic = Diagnostic::new(
            &rules::UNKNOWN_OPERATION,
            cursor.here(),
            format!("expected an operation after `{mnemonic}`"),
        );
        out.push(diagnostic.help(format!("add a dot and one of {}", operations())));
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
        let diagnostic = Diagnostic::new(&rules::UNKNOWN_OPERATION, span, what);
        out.push(diagnostic.fix(format!("write {mnemonic}.{name}"), gap, "."));
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

impl VisaAtomic {
    /// Parses the suffixes `.add` or `.add.16`; returns the width as written.
    ///
    /// # Errors
    /// If a suffix is invalid; diagnostics are reported.
    pub fn parse_suffixes(
        &mut self,
        spec: &Spec,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Option<u64>, ParseError> {
        let (operation, width) = parse_suffixes(spec, cursor, spans, out)?;
        self.operation = operation;
        // PREDEC has its own note because the real assembler cannot spell it.
        let own = operation.assembler_name();
        let written = spans.of(SyntaxPart::Operation).of(cursor.text());
        let same = own == written || operation == VisaOperation::Predec;
        let suffix = (SyntaxPart::Operation, cursor.text());
        spec.note_spelling(same, own, suffix, spans, out);
        Ok(width)
    }

    /// Prints the suffixes: `.add.16`.
    pub fn print_suffixes(&self, width: Width, style: Style, sink: &mut impl Sink) {
        let name = match style {
            Style::Document => self.operation.document_name(),
            Style::Assembler => self.operation.assembler_name(),
        };
        sink.punct(SyntaxPart::None, ".");
        sink.token(TokenClass::Suffix, SyntaxPart::Operation, name);
        let suffix = match width {
            Width::W16 => ".16",
            Width::W32 => return,
            Width::W64 => ".64",
        };
        sink.token(TokenClass::Suffix, SyntaxPart::Width, suffix);
    }

    /// Element type and count that an undeclared operand should be declared with.
    #[must_use]
    pub fn declaration(&self, operand: &Operand, width: Width) -> (&'static str, u32) {
        let wide = width == Width::W64;
        let ty = match (operand.elements, self.operation.numbers()) {
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

impl VisaAtomic {
    /// Checks the rules of the documents and of the real tool's verifier. `address`
    /// is the schema entry of the address operand.
    pub fn check(
        &self,
        address: &Operand,
        width: Width,
        verifier: Verifier,
        check: &mut Check<'_>,
    ) {
        check.variables = [self.address, self.src0, self.src1, self.dst]
            .map(|operand| operand.id.0)
            .to_vec();
        self.execution.check(verifier, check);
        if let Elements::PerLane(ty, rule) = address.elements {
            let place = (address.part, address.role);
            raw_operand::check_address(self.address, place, ty, rule, check);
        }
        check_operands(self, width, verifier, check);
        raw_operand::check(self.address, self.usage(address, width), check);
        for (operand, value) in self.data() {
            raw_operand::check(value, self.usage(operand, width), check);
        }
    }
}

/// Checks presence and types of the data operands.
fn check_operands(atomic: &VisaAtomic, width: Width, verifier: Verifier, check: &mut Check<'_>) {
    let operation = atomic.operation;
    let narrow_strict = verifier == Verifier::Strict && width == Width::W16;
    let name = operation.document_name();
    if !operation.is_documented() {
        check.report(
            &rules::UNDOCUMENTED_OPERATION,
            SyntaxPart::Operation,
            format!("undocumented operation `{}`", operation.assembler_name()),
        );
    }
    if operation == VisaOperation::Predec {
        check.report(
            &rules::TOOL_HAS_NO_NAME,
            SyntaxPart::Operation,
            "unnamed operation `predec`",
        );
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
        check.report(
            &rules::FLOAT_64,
            SyntaxPart::Width,
            format!("{name}.64 is a 64-bit float atomic"),
        );
    }
    let (needs0, needs1) = operation.operands().needs();
    for (operand, value, needed) in [(&SRC0, atomic.src0, needs0), (&SRC1, atomic.src1, needs1)] {
        if needed && value.is_null() {
            let what = format!("{name} requires {}", operand.role);
            let help = "use a general variable";
            check.advise(&rules::NEEDED_OPERAND, operand.part, what, help);
        }
    }
    if !needs0 && !atomic.src0.is_null() {
        let refused = verifier == Verifier::Strict && width == Width::W32;
        let rule = if refused {
            &rules::UNUSED_SRC0
        } else {
            &rules::UNUSED_SRC0_TAKEN
        };
        check.fix(
            rule,
            SyntaxPart::Src0,
            format!("{name} does not use src0"),
            "use V0",
            "V0",
        );
    }
    if !needs1 && !atomic.src1.is_null() {
        let rule = match verifier {
            Verifier::Strict => &rules::UNUSED_SRC1,
            Verifier::Lax => &rules::UNUSED_SRC1_TAKEN,
        };
        check.fix(
            rule,
            SyntaxPart::Src1,
            format!("{name} does not use src1"),
            "use V0",
            "V0",
        );
    }
    if needs1 && !atomic.src1.is_null() && narrow_strict {
        let what = format!("{name}.16 uses src1");
        check.report(&rules::TOOL_REFUSES_SRC1, SyntaxPart::Src1, what);
    }
    check_types(atomic, width, verifier, check);
}

fn check_types(atomic: &VisaAtomic, width: Width, verifier: Verifier, check: &mut Check<'_>) {
    let operation = atomic.operation;
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
            let suffix = match width {
                Width::W16 => ".16",
                Width::W32 => "",
                Width::W64 => ".64",
            };
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
        check.report(
            &rules::TYPES_DIFFER,
            SyntaxPart::Operation,
            "dst, src0 and src1 have different types",
        );
    }
}

impl VisaAtomic {
    /// Reports why the instruction cannot run although it can be encoded.
    pub fn check_run(&self, address: &Operand, width: Width, check: &mut Check<'_>) {
        self.execution.check_run(check);
        let (part, role) = (address.part, address.role);
        if self.address.is_null() {
            let what = format!("cannot run without {role}");
            check.report(&rules::RUN_MISSING_OPERAND, part, what);
        } else {
            let element = address.elements.bytes();
            let element = element.expect("the schema gives the type of addresses");
            raw_operand::check_run(self.address, self.usage(address, width), element, check);
        }
        let (needs0, needs1) = self.operation.operands().needs();
        let float = self.operation.numbers() == Numbers::Float;
        if float && width == Width::W64 {
            check.report(
                &rules::RUN_FLOAT_64,
                SyntaxPart::Width,
                "cannot run a 64-bit float atomic",
            );
        }
        for (operand, value) in self.data() {
            let (part, role) = (operand.part, operand.role);
            let used = match part {
                SyntaxPart::Src0 => needs0,
                SyntaxPart::Src1 => needs1,
                _ => !value.is_null(),
            };
            if !used {
                continue;
            }
            if value.is_null() {
                let what = format!("cannot run without {role}");
                check.report(&rules::RUN_MISSING_OPERAND, part, what);
                continue;
            }
            let element = width.bytes().max(4);
            if raw_operand::check_run(value, self.usage(operand, width), element, check)
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
}

/// Contradictions that concern the operation and the predicate.
#[must_use]
pub fn contradiction_ids(atomic: &VisaAtomic) -> Vec<&'static str> {
    let mut found = atomic.execution.contradiction_ids();
    match atomic.operation {
        VisaOperation::Cmpxchg | VisaOperation::Fcmpwr => found.push(id::SWAPPED_ROLES),
        VisaOperation::Predec => {
            found.extend([id::PSEUDO_CODE_RETURN, id::PREDEC_TYPE, id::PREDEC_RETURN])
        }
        _ => {}
    }
    found
}

/// Whether the real tool mistakes the `.16` form of an operation for another
/// operation.
#[must_use]
pub const fn has_16bit_quirk(operation: VisaOperation) -> bool {
    !matches!(operation.numbers(), Numbers::Unsigned) || operation.operands().count() == 2
}

/// Whether the operation adds or subtracts signed elements.
#[must_use]
pub fn adds_signed(atomic: &VisaAtomic, symbols: &SymbolTable) -> bool {
    let is_signed = |id: u32| {
        let variable = symbols.visa.general(id);
        id != 0 && variable.is_some_and(|v| v.ty == ElementType::D)
    };
    matches!(atomic.operation, VisaOperation::Add | VisaOperation::Sub)
        && (is_signed(atomic.src0.id.0) || is_signed(atomic.dst.id.0))
}

// Execution.

/// Latches the lanes of an atomic. `cell` returns the status of the cell at an
/// address.
pub fn issue(
    atomic: &VisaAtomic,
    width: Width,
    address: &Operand,
    space: SpaceId,
    context: &IssueContext<'_>,
    cell: impl Fn(u64) -> CellStatus,
    out: &mut Vec<Access>,
) {
    let address_bytes = address.elements.bytes();
    let address_bytes = address_bytes.expect("the schema gives the type of addresses");
    let lanes = atomic.execution.size.lanes();
    let element = width.bytes().max(4);
    let dst = (!atomic.dst.is_null())
        .then(|| atomic.dst.element_offset(&context.symbols.visa, 0, element))
        .flatten()
        .and_then(|offset| u32::try_from(offset).ok());
    let mask = low_mask(width.bits());
    let bytes = width.bytes();
    for eu in context.threads.iter() {
        let enabled = atomic.execution.enabled_on(context, eu);
        if enabled == 0 {
            continue;
        }
        let addresses = lanes_of(atomic.address, 0, address_bytes, lanes, eu, context);
        let src0 = lanes_of(atomic.src0, 0, element, lanes, eu, context);
        let src1 = lanes_of(atomic.src1, 0, element, lanes, eu, context);
        out.reserve(LANES);
        let mut dst = dst;
        let operands = addresses.iter().zip(&src0).zip(&src1);
        for (lane, ((address, src0), src1)) in (0..lanes).zip(operands) {
            let returned_to = dst;
            dst = dst.map(|dst| dst + u32::from(element));
            if enabled & (1 << lane) == 0 {
                continue;
            }
            let (in_bounds, fault) = match cell(*address) {
                CellStatus::Accessible => (true, None),
                CellStatus::OutOfBounds => (false, None),
                CellStatus::Fault(kind) => (false, Some(kind)),
            };
            out.push(Access {
                unit: Unit::lane(eu, lane),
                space,
                bytes,
                in_bounds,
                fault,
                address: *address,
                src0: src0 & mask,
                src1: src1 & mask,
                writes: true,
                dst: returned_to,
            });
        }
    }
}

/// Elements that one lane reads of the operands that [`issue`] reads.
pub fn source_elements(
    atomic: &VisaAtomic,
    width: Width,
    address: &Operand,
    unit: Unit,
    symbols: &Declarations,
) -> Vec<SourceElement> {
    let address_bytes = address.elements.bytes();
    let address_bytes = address_bytes.expect("the schema gives the type of addresses");
    let element = width.bytes().max(4);
    [
        (atomic.address, address.part, address_bytes),
        (atomic.src0, SRC0.part, element),
        (atomic.src1, SRC1.part, element),
    ]
    .into_iter()
    .filter_map(|(operand, part, bytes)| {
        operand.source_element(part, symbols, unit.lane.into(), bytes)
    })
    .collect()
}

/// Status of the cell at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellStatus {
    /// The cell exists.
    Accessible,
    /// Out of bounds: reads return zero, writes are dropped.
    OutOfBounds,
    /// The access faults.
    Fault(FaultKind),
}

// Sentences.

/// Describes what an access did, in one sentence.
#[must_use]
pub fn describe_effect(
    operation: VisaOperation,
    width: Width,
    place: &str,
    effect: &Effect<'_>,
) -> String {
    let changes = effect.changes;
    let Some(access) = effect.access else {
        return String::new();
    };
    let ty = display_type(operation, width);
    let value = |bits| match operation {
        VisaOperation::And | VisaOperation::Or | VisaOperation::Xor => format!("{bits:#x}"),
        _ => show(bits, ty),
    };
    let returned = match access.dst {
        None => String::from(", nothing returned"),
        Some(dst) => changes
            .iter()
            .find(|c| c.space == SpaceId::registers(access.unit.eu) && c.address == u64::from(dst))
            .map_or_else(String::new, |c| format!(", returned {}", value(c.new))),
    };
    let cell = format!("{place}[{:#x}]", access.address);
    let Some(change) = changes.iter().find(|c| c.space == access.space) else {
        return format!("{cell} is out of bounds: read 0, nothing written{returned}");
    };
    let (old, new) = (value(change.old), value(change.new));
    let (a, b) = operation.update().roles(access);
    let (operand, comparand) = (value(a), value(b));
    let trace_text = match operation {
        VisaOperation::Add | VisaOperation::Fadd => format!("{old} + {operand} → {new}"),
        VisaOperation::Sub | VisaOperation::Fsub => format!("{old} − {operand} → {new}"),
        VisaOperation::Inc => format!("{old} + 1 → {new}"),
        VisaOperation::Dec | VisaOperation::Predec => format!("{old} − 1 → {new}"),
        VisaOperation::Min | VisaOperation::Imin | VisaOperation::Fmin => {
            format!("min({old}, {operand}) → {new}")
        }
        VisaOperation::Max | VisaOperation::Imax | VisaOperation::Fmax => {
            format!("max({old}, {operand}) → {new}")
        }
        VisaOperation::Xchg => format!("{old} → {new}"),
        VisaOperation::And => format!("{old} & {operand} → {new}"),
        VisaOperation::Or => format!("{old} | {operand} → {new}"),
        VisaOperation::Xor => format!("{old} ^ {operand} → {new}"),
        VisaOperation::Cmpxchg | VisaOperation::Fcmpwr => {
            if operation.rmw().compares_equal(width, change.old, b) == Some(false) {
                format!("expected {comparand}, found {old}: not swapped")
            } else {
                format!("expected {comparand}, found {old}: {old} → {new}")
            }
        }
    };
    format!("{cell} {trace_text}{returned}")
}

/// Index of the pseudo-code line that stores the new value.
const STORES: usize = 4;

/// The pseudo-code line and variables of a lane. `address` is the name of the
/// address in the pseudo-code.
#[must_use]
pub fn pseudocode_state(address: &'static str, effect: &Effect<'_>) -> PseudocodeState {
    let mut variables = Vec::new();
    if let Some(access) = effect.access {
        variables.push(("i", format!("{}", access.unit.lane)));
        variables.push((address, format!("{:#x}", access.address)));
        let cell = effect.changes.iter().find(|c| c.space == access.space);
        variables.push(("old", format!("{:#x}", cell.map_or(0, |c| c.old))));
    }
    PseudocodeState {
        line: STORES,
        variables,
    }
}
