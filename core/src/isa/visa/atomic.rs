//! What DWORD_ATOMIC and SVM_ATOMIC have in common: the suffix, the rules
//! about operands, the lanes, and the account of what a lane did.

use super::declarations::{Declarations, General};
use super::execution::{Combine, Execution};
use super::operand::RawOperand;
use super::operation::{Numbers, Operands, Operation};
use crate::diagnostic::{Diagnostic, Findings, Span};
use crate::isa::rmw::Width;
use crate::isa::{Access, Check, OperationRow, Places, Refused, Spec, Stage, Style, Unit};
use crate::machine::{Change, Machine, Recorder, SpaceId};
use crate::number::{ElementType, low_mask, parse_integer, show};
use crate::rules;
use crate::text::{Cursor, Kind, Part, Sink, TokenClass, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Operation, width and data operands of an atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// Execution size, mask and predicate.
    pub execution: Execution,
    /// The operation.
    pub operation: Operation,
    /// First source.
    pub src0: RawOperand,
    /// Second source.
    pub src1: RawOperand,
    /// Destination.
    pub dst: RawOperand,
}

impl Atomic {
    /// One to decode or parse into.
    #[must_use]
    pub fn blank() -> Self {
        Self {
            execution: Execution::default(),
            operation: Operation::Add,
            src0: RawOperand::NULL,
            src1: RawOperand::NULL,
            dst: RawOperand::NULL,
        }
    }

    fn data(&self) -> [(Part, &'static str, RawOperand); 3] {
        [
            (Part::Src0, "src0", self.src0),
            (Part::Src1, "src1", self.src1),
            (Part::Dst, "dst", self.dst),
        ]
    }
}

/// The operation table, for readers.
#[must_use]
pub fn operation_table() -> Vec<OperationRow> {
    Operation::ALL
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
        })
        .collect()
}

/// Reads `.add` or `.add.16` after the mnemonic: the operation and the width
/// as written.
///
/// # Errors
/// When there is no operation; findings say so. A bad width is reported too.
pub fn parse_suffix(
    mnemonic: &str,
    widths: &[u64],
    cursor: &mut Cursor<'_>,
    out: &mut Findings,
) -> Result<(Operation, Option<u64>), Refused> {
    let names = || Operation::ALL.iter().map(|op| op.assembler_name());
    let dot = cursor.sign('.');
    let Some((name, span)) = cursor.name().filter(|_| dot.is_some()) else {
        let here = cursor.here();
        out.push(
            Diagnostic::new(
                &rules::UNKNOWN_OPERATION,
                here,
                format!("{mnemonic} needs an operation"),
            )
            .help("write one after a dot: add, sub, inc, dec, min, max, xchg, cmpxchg, and, or, xor, imin, imax, predec, fmax, fmin, fcmpwr"),
        );
        return Err(Refused);
    };
    let Some(operation) = Operation::named(name) else {
        let what = format!("`{name}` is not an atomic operation");
        let diagnostic = Diagnostic::new(&rules::UNKNOWN_OPERATION, span, what);
        out.push(match nearest(name, names()) {
            Some(near) => diagnostic.mend(format!("did you mean `{near}`?"), span, near),
            None => diagnostic.help(
                "the operations are add, sub, inc, dec, min, max, xchg, cmpxchg, and, or, xor, imin, imax, predec, fmax, fmin, fcmpwr",
            ),
        });
        return Err(Refused);
    };
    let mut width = None;
    while let Some(dot) = cursor.sign('.') {
        let (word, span) = (cursor.word(), cursor.here());
        let is_number = cursor.peek().is_some_and(|l| l.kind == Kind::Number);
        let decimal = is_number && word.bytes().all(|b| b.is_ascii_digit());
        let value = parse_integer(word).ok().filter(|_| decimal);
        if cursor.peek().is_some_and(|l| l.kind != Kind::Sign('(')) {
            cursor.advance();
        }
        match value {
            Some(value) if widths.contains(&value) && width.is_none() => width = Some(value),
            _ => {
                let listed: Vec<String> = widths
                    .iter()
                    .filter(|w| **w != 32)
                    .map(|w| format!(".{w}"))
                    .collect();
                out.push(
                    Diagnostic::new(
                        &rules::WIDTH_SUFFIX,
                        dot.to(span),
                        format!("`.{word}` may not follow the operation"),
                    )
                    .mend(
                        format!("only {} may; none means 32 bits", listed.join(" or ")),
                        dot.to(span),
                        "",
                    ),
                );
                return Err(Refused);
            }
        }
    }
    Ok((operation, width))
}

/// Reads everything before the operands: predicate, mnemonic, suffix, size.
/// Gives the width as written.
///
/// # Errors
/// When one of them is wrong; reading goes on after it all the same.
pub fn parse_lead(
    atomic: &mut Atomic,
    spec: &Spec,
    widths: &[u64],
    cursor: &mut Cursor<'_>,
    names: &Declarations,
    places: &mut Places,
    out: &mut Findings,
) -> Result<Option<u64>, Refused> {
    let start = cursor.here().start;
    let predicate = atomic.execution.parse_predicate(cursor, names, out);
    places.set(Part::Predicate, cursor.since(start));
    let start = cursor.here().start;
    cursor.advance();
    places.set(Part::Opcode, cursor.since(start));
    let start = cursor.here().start;
    let suffix = parse_suffix(spec.name, widths, cursor, out);
    places.set(Part::Operation, cursor.since(start));
    places.set(Part::Width, cursor.since(start));
    let start = cursor.here().start;
    let size = atomic.execution.parse_size(cursor, out);
    places.set(Part::ExecSize, cursor.since(start));
    places.set(Part::Mask, cursor.since(start));
    let (operation, width) = suffix?;
    atomic.operation = operation;
    if predicate && size {
        Ok(width)
    } else {
        Err(Refused)
    }
}

/// Reads the raw operands in the order in which they are written.
///
/// # Errors
/// When one of them is wrong.
pub fn parse_operands<const N: usize>(
    operands: [(Part, &'static str, &mut RawOperand); N],
    cursor: &mut Cursor<'_>,
    names: &Declarations,
    places: &mut Places,
    out: &mut Findings,
) -> Result<(), Refused> {
    let mut result = Ok(());
    for (part, role, operand) in operands {
        match RawOperand::parse(role, cursor, names, out) {
            Some((parsed, span)) => {
                *operand = parsed;
                places.set(part, span);
            }
            None => {
                result = Err(Refused);
                if cursor.at_end() {
                    break;
                }
            }
        }
    }
    result
}

/// Prints everything before the operands.
pub fn print_lead(
    atomic: &Atomic,
    spec: &Spec,
    width: &str,
    names: &Declarations,
    style: Style,
    sink: &mut impl Sink,
) {
    let (execution, operation) = (&atomic.execution, atomic.operation);
    execution.print_predicate(names, style, sink);
    let assembler = spec.mnemonics.first().copied().unwrap_or(spec.name);
    let (mnemonic, name) = match style {
        Style::Document => (spec.name, operation.document_name()),
        Style::Assembler => (assembler, operation.assembler_name()),
    };
    sink.token(TokenClass::Mnemonic, Part::Opcode, mnemonic);
    sink.sign(Part::None, ".");
    sink.token(TokenClass::Suffix, Part::Operation, name);
    if !width.is_empty() {
        sink.token(TokenClass::Suffix, Part::Width, width);
    }
    sink.space();
    execution.print_size(style == Style::Document, sink);
}

/// How the real assembler's verifier treats an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verifier {
    /// DWORD_ATOMIC: checks types and null operands, but reads a `.16`
    /// operation with its flag in it, so that it falls to the UD rules.
    Strict,
    /// SVM_ATOMIC: checks the alignment of raw operands only.
    Lax,
}

/// Types the document gives the operands of an operation.
fn documented_types(operation: Operation, width: Width) -> &'static [ElementType] {
    use ElementType::{D, F, Q, Ud, Uq};
    match (operation.numbers(), width) {
        (Numbers::Float, _) => &[F],
        (Numbers::Signed, Width::W64) if operation == Operation::Predec => &[Q, Uq],
        (Numbers::Signed, _) if operation == Operation::Predec => &[D, Ud],
        (Numbers::Signed, Width::W64) => &[Q],
        (Numbers::Signed, _) => &[D],
        (Numbers::Unsigned, Width::W64) => &[Uq],
        (Numbers::Unsigned, _) => &[Ud],
    }
}

/// Types the real tool's verifier takes, seen by trying all of them.
fn taken_types(verifier: Verifier, operation: Operation, width: Width) -> &'static [ElementType] {
    use ElementType::{D, F, Ud};
    match (verifier, operation, width) {
        (Verifier::Lax, ..) => &ElementType::ALL,
        (_, _, Width::W16) => &[Ud],
        (_, Operation::Add | Operation::Sub, _) => &[Ud, D],
        (_, Operation::Imin | Operation::Imax, _) => &[D],
        _ if operation.numbers() == Numbers::Float => &[F],
        _ => &[Ud],
    }
}

fn list(types: &[ElementType]) -> String {
    let names: Vec<String> = types
        .iter()
        .map(|t| t.name().to_ascii_uppercase())
        .collect();
    names.join(" or ")
}

/// Rules about lanes, mask and predicate.
pub fn check_execution(execution: &Execution, verifier: Verifier, check: &mut Check<'_>) {
    let lanes = execution.size.lanes();
    let (offset, mask) = (execution.mask.offset(), execution.mask.name());
    if lanes == 0 {
        check.report(
            &rules::RESERVED_SIZE,
            Part::ExecSize,
            "reserved execution size",
        );
    } else if offset + lanes > 32 {
        let rule = match verifier {
            Verifier::Strict => &rules::MASK_OVERFLOW,
            Verifier::Lax => &rules::MASK_OVERFLOW_TAKEN,
        };
        check.mend(
            rule,
            Part::Mask,
            format!("{lanes} lanes from channel {offset} ({mask}) run past channel 31"),
            "M1 starts at channel 0, M2 at 4, … M8 at 28",
            "M1",
        );
    } else if offset % lanes != 0 {
        check.advise(
            &rules::MASK_ALIGN,
            Part::Mask,
            format!("{mask} starts at channel {offset}, not a multiple of {lanes}"),
            "M1 starts at channel 0, M2 at 4, … M8 at 28",
        );
    }
    let predicate = execution.predicate;
    if predicate.combine == Combine::Reserved {
        check.report(
            &rules::RESERVED_COMBINE,
            Part::Predicate,
            "both any and all are set",
        );
    }
    if predicate.id.0 == 0 {
        if predicate.inverse || predicate.combine != Combine::None {
            check.report(
                &rules::NO_PREDICATE_BITS,
                Part::Predicate,
                "predicate bits without a predicate",
            );
        }
    } else if let Some(variable) = check.names.predicate_variable(predicate.id.0)
        && u32::from(offset + lanes) > variable.elements
    {
        let what = format!(
            "`{}` has {} elements, the lanes use {offset} to {}",
            variable.name,
            variable.elements,
            u32::from(offset + lanes).saturating_sub(1)
        );
        check.report(&rules::SHORT_PREDICATE, Part::Predicate, what);
    }
}

/// What a raw operand is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The part it is.
    pub part: Part,
    /// Its name in messages.
    pub role: &'static str,
    /// How many lanes use it.
    pub lanes: u8,
    /// Bytes from one lane's element to the next.
    pub element: u8,
}

/// Rules about where a raw operand lies.
pub fn check_raw(operand: RawOperand, usage: Use, check: &mut Check<'_>) {
    let (part, role) = (usage.part, usage.role);
    if operand.is_null() {
        if operand.offset != 0 {
            check.mend(
                &rules::NULL_WITH_OFFSET,
                part,
                format!("{role}: V0 with byte offset {}", operand.offset),
                "write V0",
                "V0",
            );
        }
        return;
    }
    let Some(variable) = check.names.general(operand.id.0) else {
        return;
    };
    let grf = check.names.grf_bytes();
    let name = variable.name;
    let root = root_of(check.names, variable);
    let within_root = variable.offset - root.offset + u32::from(operand.offset);
    if !within_root.is_multiple_of(grf) && !root.predefined {
        if root.bytes() >= grf {
            check.advise(
                &rules::RAW_ALIGN,
                part,
                format!(
                    "{role}: byte {within_root} of `{}` is not the start of a {grf}-byte register",
                    root.name
                ),
                format!("use a multiple of {grf} bytes"),
            );
        } else {
            check.report(
                &rules::SMALL_VARIABLE_OFFSET,
                part,
                format!(
                    "{role}: byte {within_root} of `{}` is not the start of a register",
                    root.name
                ),
            );
        }
    }
    let wanted = u32::from(usage.lanes) * u32::from(usage.element);
    if part != Part::Dst && crashes_tool(check.names, variable, operand, wanted) {
        let what = format!(
            "{role}: byte {} of `{name}` is far past its end",
            operand.offset
        );
        check.report(&rules::FAR_OFFSET, part, what);
    } else if u32::from(operand.offset) + wanted > variable.bytes() {
        let what = format!(
            "{role}: {} lanes of {} bytes from byte {} do not fit the {} bytes of `{name}`",
            usage.lanes,
            usage.element,
            operand.offset,
            variable.bytes()
        );
        check.report(&rules::PAST_END, part, what);
    }
    if part == Part::Dst && is_read_only(operand) {
        check.report(&rules::READ_ONLY, part, format!("`{name}` is written"));
    }
    let hangs = part != Part::Dst && matches!(name, "%arg" | "%retval");
    if hangs || name == "%local_id_buf_ptr" {
        check.report(&rules::TOOL_FAILS, part, format!("`{name}` as {role}"));
    }
}

fn is_read_only(operand: RawOperand) -> bool {
    usize::try_from(operand.id.0)
        .ok()
        .and_then(|id| super::predefined::VARIABLES.get(id))
        .is_some_and(|v| !v.writable)
}

/// The variable whose storage an alias shares. An alias of a predefined
/// variable counts as its own.
fn root_of<'d>(names: &'d Declarations, variable: General<'d>) -> General<'d> {
    let mut root = variable;
    // An alias names an earlier variable, so this ends.
    while let Some(base) = root.alias.and_then(|of| names.general(of))
        && !base.predefined
    {
        root = base;
    }
    root
}

/// The real tool keeps register numbers in 16 bits of bytes and crashes on
/// sources beyond its 128 registers; variables start at r1 there.
fn crashes_tool(
    names: &Declarations,
    variable: General<'_>,
    operand: RawOperand,
    wanted: u32,
) -> bool {
    let grf = names.grf_bytes();
    if names.platform() < super::platform::Platform::Tgllp {
        return false;
    }
    let first = if variable.predefined {
        0
    } else {
        grf + variable.offset
    };
    let last = first + u32::from(operand.offset) + wanted.next_multiple_of(grf).saturating_sub(1);
    last % 0x1_0000 >= 128 * grf && u32::from(operand.offset) >= variable.bytes()
}

/// Rules about which data operands there are and of what type.
pub fn check_operands(atomic: &Atomic, width: Width, verifier: Verifier, check: &mut Check<'_>) {
    let operation = atomic.operation;
    let narrow_strict = verifier == Verifier::Strict && width == Width::W16;
    let name = operation.document_name();
    if !operation.is_documented() {
        check.report(
            &rules::UNDOCUMENTED_OPERATION,
            Part::Operation,
            format!("operation {}", operation.assembler_name()),
        );
    }
    if operation == Operation::Predec {
        check.report(
            &rules::TOOL_HAS_NO_NAME,
            Part::Operation,
            "operation predec",
        );
    }
    if width != Width::W32 && !check.names.platform().has_wide_and_narrow_atomics() {
        let what = format!(".{} on {}", width.bits(), check.names.platform().name());
        check.report(&rules::PLATFORM_WIDTH, Part::Width, what);
    }
    let (needs0, needs1) = match operation.operands() {
        Operands::None => (false, false),
        Operands::One => (true, false),
        Operands::Two => (true, true),
    };
    for (part, role, operand, needed) in [
        (Part::Src0, "src0", atomic.src0, needs0),
        (Part::Src1, "src1", atomic.src1, needs1),
    ] {
        if needed && operand.is_null() {
            let what = format!("{name} without {role}");
            check.advise(
                &rules::NEEDED_OPERAND,
                part,
                what,
                "name a general variable",
            );
        }
    }
    if !needs0 && !atomic.src0.is_null() {
        let refused = verifier == Verifier::Strict && width == Width::W32;
        let rule = if refused {
            &rules::UNUSED_SRC0
        } else {
            &rules::UNUSED_SRC0_TAKEN
        };
        check.mend(
            rule,
            Part::Src0,
            format!("{name} with a src0"),
            "write V0",
            "V0",
        );
    }
    if !needs1 && !atomic.src1.is_null() {
        let rule = match verifier {
            Verifier::Strict => &rules::UNUSED_SRC1,
            Verifier::Lax => &rules::UNUSED_SRC1_TAKEN,
        };
        check.mend(
            rule,
            Part::Src1,
            format!("{name} with a src1"),
            "write V0",
            "V0",
        );
    }
    if needs1 && !atomic.src1.is_null() && narrow_strict {
        let what = format!("{name}.16 with a src1");
        check.report(&rules::TOOL_REFUSES_SRC1, Part::Src1, what);
    }
    check_types(atomic, width, verifier, check);
}

fn check_types(atomic: &Atomic, width: Width, verifier: Verifier, check: &mut Check<'_>) {
    let operation = atomic.operation;
    let name = operation.document_name();
    let documented = documented_types(operation, width);
    let taken = taken_types(verifier, operation, width);
    let mut first: Option<ElementType> = None;
    let mut differ = false;
    for (part, role, operand) in atomic.data() {
        let Some(variable) = check.names.general(operand.id.0) else {
            continue;
        };
        // The real tool's verifier passes predefined variables unchecked.
        if operand.is_null() || variable.predefined {
            continue;
        }
        let ty = variable.ty;
        differ |= first.is_some_and(|t| t != ty);
        first = first.or(Some(ty));
        let what = format!(
            "{role}: {name}{} works on {}, and `{}` is {}",
            match width {
                Width::W16 => ".16",
                Width::W32 => "",
                Width::W64 => ".64",
            },
            list(documented),
            variable.name,
            ty.name().to_ascii_uppercase()
        );
        let advice = || {
            format!(
                "declare it with type={}",
                documented.first().map_or("ud", |t| t.name())
            )
        };
        match (documented.contains(&ty), taken.contains(&ty)) {
            (true, true) => {}
            (true, false) if operation == Operation::Predec => {
                check.report(&rules::SIGNED_PREDEC, part, what);
            }
            (true, false) => check.report(&rules::TOOL_REFUSES_TYPE, part, what),
            (false, true)
                if ty == ElementType::D && matches!(operation, Operation::Add | Operation::Sub) =>
            {
                check.report(&rules::SIGNED_ADD, part, what);
            }
            (false, true) => check.advise(&rules::OPERAND_TYPE_TAKEN, part, what, advice()),
            (false, false) => check.advise(&rules::OPERAND_TYPE, part, what, advice()),
        }
    }
    if differ {
        check.report(
            &rules::TYPES_DIFFER,
            Part::Operation,
            "the operands have different types",
        );
    }
}

/// Rules about the address operand: it must be there, and of the documented
/// type; `rule` is broken by other types.
pub fn check_address(
    operand: RawOperand,
    role: &str,
    documented: ElementType,
    rule: &'static rules::Rule,
    check: &mut Check<'_>,
) {
    if operand.is_null() {
        let what = format!("{role} are the null variable");
        check.report(&rules::NULL_ADDRESS, Part::Address, what);
        return;
    }
    let Some(variable) = check.names.general(operand.id.0) else {
        return;
    };
    if variable.ty != documented && !variable.predefined {
        let what = format!(
            "{role}: `{}` is {}",
            variable.name,
            variable.ty.name().to_ascii_uppercase()
        );
        let help = format!("declare it with type={}", documented.name());
        check.advise(rule, Part::Address, what, help);
    }
}

/// Rules about where the operands of an atomic lie; `element` is the size of
/// one address.
pub fn check_places(
    atomic: &Atomic,
    width: Width,
    address: (RawOperand, &'static str, u8),
    check: &mut Check<'_>,
) {
    let lanes = atomic.execution.size.lanes();
    let (operand, role, element) = address;
    let usage = |part, role, element| Use {
        part,
        role,
        lanes,
        element,
    };
    check_raw(operand, usage(Part::Address, role, element), check);
    for (part, role, operand) in atomic.data() {
        check_raw(operand, usage(part, role, width.bytes().max(4)), check);
    }
}

/// Reports a number in an encoding that nothing declares.
pub fn unknown(check: &mut Check<'_>, byte: u32, field: &str, number: u64) {
    check.out.report(
        &rules::UNKNOWN_ID,
        Span::new(byte, byte + 1),
        format!("byte {byte}: {field} {number} is not declared"),
    );
}

/// Reports undeclared variables and predicates of an encoding: each operand
/// with the byte its number starts at, and the byte of the predicate.
pub fn check_ids(
    execution: &Execution,
    operands: &[(&'static str, u32, RawOperand)],
    predicate_byte: u32,
    check: &mut Check<'_>,
) {
    for (field, byte, operand) in operands {
        if check.names.general(operand.id.0).is_none() {
            unknown(check, *byte, field, u64::from(operand.id.0));
        }
    }
    let id = execution.predicate.id.0;
    if id != 0 && check.names.predicate_variable(id).is_none() {
        unknown(check, predicate_byte, "predicate", u64::from(id));
    }
}

/// Why an atomic cannot run, if it cannot.
pub fn check_run(
    atomic: &Atomic,
    width: Width,
    address: (RawOperand, &'static str, u8),
    check: &mut Check<'_>,
) {
    let (operand, role, element) = address;
    let lanes = atomic.execution.size.lanes();
    if u32::from(atomic.execution.mask.offset()) + u32::from(lanes) > 32 {
        check.report(&rules::RUN_MASK_OVERFLOW, Part::Mask, "it cannot run");
    }
    if operand.is_null() {
        let what = format!("it cannot run without {role}");
        check.report(&rules::RUN_MISSING_OPERAND, Part::Address, what);
    } else {
        run_element(operand, Part::Address, role, element, lanes, check);
    }
    let (needs0, needs1) = match atomic.operation.operands() {
        Operands::None => (false, false),
        Operands::One => (true, false),
        Operands::Two => (true, true),
    };
    let float = atomic.operation.numbers() == Numbers::Float;
    if float && width == Width::W64 {
        check.report(&rules::RUN_FLOAT_64, Part::Width, "it cannot run");
        return;
    }
    for (part, role, operand) in atomic.data() {
        let used = match part {
            Part::Src0 => needs0,
            Part::Src1 => needs1,
            _ => !operand.is_null(),
        };
        if !used {
            continue;
        }
        if operand.is_null() {
            let what = format!("it cannot run without {role}");
            check.report(&rules::RUN_MISSING_OPERAND, part, what);
            continue;
        }
        if run_element(operand, part, role, width.bytes().max(4), lanes, check)
            && let Some(variable) = check.names.general(operand.id.0)
            // In the 16-bit forms the dword only carries the half.
            && width != Width::W16
            && !variable.predefined
            && variable.ty.is_float() != float
        {
            let what = format!(
                "it cannot run: {role} is {}",
                variable.ty.name().to_ascii_uppercase()
            );
            check.report(&rules::RUN_TYPE, part, what);
        }
    }
}

/// Whether lanes of `element` bytes can be taken from the operand.
fn run_element(
    operand: RawOperand,
    part: Part,
    role: &str,
    element: u8,
    lanes: u8,
    check: &mut Check<'_>,
) -> bool {
    let Some(variable) = check.names.general(operand.id.0) else {
        return false;
    };
    if variable.ty.bytes() != element {
        let what = format!(
            "it cannot run: {role} `{}` has {}-byte elements where {element} are used",
            variable.name,
            variable.ty.bytes()
        );
        check.report(&rules::RUN_WIDTH, part, what);
        return false;
    }
    let end = u32::from(operand.offset) + u32::from(lanes) * u32::from(element);
    if end > variable.bytes() {
        let what = format!(
            "it cannot run: {role} `{}` ends after {} bytes, {end} are used",
            variable.name,
            variable.bytes()
        );
        check.report(&rules::RUN_PAST_END, part, what);
        return false;
    }
    true
}

/// The most bytes that one operand's lanes take: 32 lanes of 8 bytes.
const OPERAND_BYTES: usize = 256;

/// The lanes of an operand, read in one go when the instruction issues.
struct Lanes {
    bytes: [u8; OPERAND_BYTES],
    element: usize,
}

impl Lanes {
    fn read(operand: RawOperand, element: u8, lanes: u8, eu: u8, stage: &Stage<'_>) -> Self {
        let mut bytes = [0; OPERAND_BYTES];
        if !operand.is_null()
            && let Some(start) = operand.lane_offset(stage.names, 0, element)
            && let Some(out) = bytes.get_mut(..usize::from(lanes) * usize::from(element))
        {
            stage.machine.space(SpaceId::registers(eu)).read(start, out);
        }
        Self {
            bytes,
            element: usize::from(element),
        }
    }

    fn get(&self, lane: u8) -> u64 {
        let start = usize::from(lane) * self.element;
        match self.bytes.get(start..start + self.element) {
            Some([a, b, c, d]) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
            Some([a, b, c, d, e, f, g, h]) => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            _ => 0,
        }
    }
}

/// Latches the lanes of an atomic. `cell` tells, for an address, what is
/// there.
pub fn issue(
    atomic: &Atomic,
    width: Width,
    address: (RawOperand, u8),
    space: SpaceId,
    stage: &Stage<'_>,
    cell: impl Fn(u64) -> Cell,
    out: &mut Vec<Access>,
) {
    let (operand, address_bytes) = address;
    let lanes = atomic.execution.size.lanes();
    let element = width.bytes().max(4);
    let dst = (!atomic.dst.is_null())
        .then(|| atomic.dst.lane_offset(stage.names, 0, element))
        .flatten()
        .and_then(|offset| u32::try_from(offset).ok());
    let mask = low_mask(width.bits());
    for eu in 0..stage.threads {
        let flags = stage.machine.space(SpaceId::flags(eu));
        let word = |id: u16| {
            let bits = flags.load(u64::from(id) * 4, 4).unwrap_or(0);
            u32::try_from(bits).unwrap_or(0)
        };
        let mut enabled = atomic
            .execution
            .enabled(word(0), word(atomic.execution.predicate.id.0));
        if enabled == 0 {
            continue;
        }
        let addresses = Lanes::read(operand, address_bytes, lanes, eu, stage);
        let src0 = Lanes::read(atomic.src0, element, lanes, eu, stage);
        let src1 = Lanes::read(atomic.src1, element, lanes, eu, stage);
        while enabled != 0 {
            let lane = u8::try_from(enabled.trailing_zeros()).unwrap_or(0);
            enabled &= enabled - 1;
            let address = addresses.get(lane);
            let (in_bounds, fault) = match cell(address) {
                Cell::There => (true, None),
                Cell::OutOfBounds => (false, None),
                Cell::Fault(kind) => (false, Some(kind)),
            };
            out.push(Access {
                unit: Unit { eu, lane },
                space,
                bytes: width.bytes(),
                in_bounds,
                fault,
                address,
                src0: src0.get(lane) & mask,
                src1: src1.get(lane) & mask,
                dst: dst.map(|dst| dst + u32::from(lane) * u32::from(element)),
            });
        }
    }
}

/// What is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A cell.
    There,
    /// Nothing: reads are zero, writes are dropped.
    OutOfBounds,
    /// Nothing that may be touched.
    Fault(crate::isa::FaultKind),
}

/// Makes one access: memory first, then the returned value. Only the width's
/// bytes of dst are written: in the 16-bit forms its upper half stays
/// (assumed).
#[inline]
pub fn perform<R: Recorder>(
    operation: Operation,
    width: Width,
    access: &Access,
    machine: &mut Machine,
    recorder: &mut R,
) {
    let (a, b) = operation.roles(access.src0, access.src1);
    let rmw = operation.rmw();
    let old = if access.in_bounds {
        machine.update(
            recorder,
            access.space,
            access.address,
            width.bytes(),
            |old| rmw.apply(width, old, a, b),
        )
    } else {
        None
    };
    if let Some(dst) = access.dst {
        let returned = match old {
            None => 0,
            Some(old) if operation.returns_new() => rmw.apply(width, old, a, b),
            Some(old) => old,
        };
        let registers = SpaceId::registers(access.unit.eu);
        machine.store(recorder, registers, u64::from(dst), width.bytes(), returned);
    }
}

/// The type in which cells and operands are shown.
#[must_use]
pub fn shown_as(operation: Operation, width: Width) -> ElementType {
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

/// One sentence on what an access did.
#[must_use]
pub fn narrate(
    operation: Operation,
    width: Width,
    place: &str,
    access: &Access,
    changes: &[Change],
) -> String {
    let ty = shown_as(operation, width);
    let value = |bits| match operation {
        Operation::And | Operation::Or | Operation::Xor => format!("{bits:#x}"),
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
        return format!("{cell} is out of bounds: it reads 0 and nothing is written{returned}");
    };
    let (old, new) = (value(change.old), value(change.new));
    let (a, b) = operation.roles(access.src0, access.src1);
    let (operand, comparand) = (value(a), value(b));
    let account = match operation {
        Operation::Add | Operation::Fadd => format!("{old} + {operand} → {new}"),
        Operation::Sub | Operation::Fsub => format!("{old} − {operand} → {new}"),
        Operation::Inc => format!("{old} + 1 → {new}"),
        Operation::Dec | Operation::Predec => format!("{old} − 1 → {new}"),
        Operation::Min | Operation::Imin | Operation::Fmin => {
            format!("min({old}, {operand}) → {new}")
        }
        Operation::Max | Operation::Imax | Operation::Fmax => {
            format!("max({old}, {operand}) → {new}")
        }
        Operation::Xchg => format!("{old} → {new}"),
        Operation::And => format!("{old} & {operand} → {new}"),
        Operation::Or => format!("{old} | {operand} → {new}"),
        Operation::Xor => format!("{old} ^ {operand} → {new}"),
        Operation::Cmpxchg | Operation::Fcmpwr => {
            // Equality of floats is not equality of bits: ask the operation.
            let probe = operation.rmw().apply(width, change.old, !change.old, b);
            if probe == change.old {
                format!("{old} ≠ {comparand}, stays {new}")
            } else {
                format!("{old} = {comparand} → {new}")
            }
        }
    };
    format!("{cell} {account}{returned}")
}
