//! The text of an atomic before its operands, and its raw operands.

use super::Atomic;
use crate::diagnostic::{Diagnostic, Findings};
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::operand::RawOperand;
use crate::isa::visa::operation::Operation;
use crate::isa::{Places, Refused, Spec, Style};
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, Kind, Part, Sink, TokenClass, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

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
