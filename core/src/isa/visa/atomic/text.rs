//! The text of an atomic before its operands, and its raw operands.

use super::Atomic;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::operation::{Numbers, Operation};
use crate::isa::{OperandSpans, ParseError, Spec, Style};
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, Kind, OperandKind, Sink, TokenClass, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The operations in the order of their codes, as help names them.
fn operations() -> String {
    let symbols: Vec<String> = Operation::ALL
        .iter()
        .map(|op| op.document_name().to_ascii_lowercase())
        .collect();
    symbols.join(", ")
}

/// The operation nearest to a misspelt one, in the case of its letters.
fn nearest_operation(name: &str) -> Option<String> {
    let common = |known: &str| {
        let pairs = name.bytes().zip(known.bytes());
        pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
    };
    let symbols = || {
        let both = |op: &Operation| [op.document_name(), op.assembler_name()];
        Operation::ALL.iter().flat_map(both)
    };
    // Of names equally near the first is taken: the longest common start.
    let longest_first = (0..=name.len()).rev();
    let known = longest_first.flat_map(|n| symbols().filter(move |known| common(known) == n));
    let near = nearest(name, known)?;
    Some(if name.bytes().any(|b| b.is_ascii_uppercase()) {
        near.to_ascii_uppercase()
    } else {
        near.to_ascii_lowercase()
    })
}

/// Takes what follows a dot without a blank, up to the next dot or parenthesis.
fn skip_word(cursor: &mut Cursor<'_>) {
    while cursor.adjacent() && !cursor.is_sign('(') && !cursor.is_sign('.') {
        cursor.advance();
    }
}

/// Reads `.add` or `.add.16` after the mnemonic: the operation and the width
/// as written.
///
/// # Errors
/// When one of them is wrong; diagnostics say so.
pub fn parse_suffix(
    mnemonic: &str,
    widths: &[u64],
    cursor: &mut Cursor<'_>,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<(Operation, Option<u64>), ParseError> {
    let operation = parse_operation(mnemonic, cursor, spans, out);
    let mut width = Ok(None);
    while let Some(dot) = cursor.sign('.') {
        let number = cursor.peek().filter(|l| l.kind == Kind::Number);
        if number.is_some() {
            cursor.advance();
        }
        skip_word(cursor);
        let span = cursor.since(dot.start);
        let word = Span::new(dot.end, span.end).of(cursor.text()).trim();
        let decimal = word.bytes().all(|b| b.is_ascii_digit());
        let value = parse_integer(word).ok().filter(|_| decimal);
        match value {
            Some(value) if widths.contains(&value) && width == Ok(None) => {
                width = Ok(Some(value));
                spans.set(OperandKind::Width, span);
            }
            _ => {
                let listed: Vec<String> = widths
                    .iter()
                    .filter(|w| **w != 32)
                    .map(|w| format!(".{w}"))
                    .collect();
                let what = format!("`.{word}` may not follow the operation");
                let help = format!("only {} may; none means 32 bits", listed.join(" or "));
                let said = Diagnostic::new(&rules::WIDTH_SUFFIX, span, what);
                // Leaving out a misspelt width would make another instruction.
                let near = listed.iter().map(String::as_str);
                let near = nearest(&format!(".{word}"), near).filter(|_| width == Ok(None));
                out.push(said.fix(help, span, near.unwrap_or("")));
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
) -> Result<Operation, ParseError> {
    let end = cursor.before();
    let dot = cursor.sign('.').is_some();
    let bare = !dot && Operation::named(cursor.word()).is_some();
    let word = if dot || bare { cursor.name() } else { None };
    let Some((name, span)) = word else {
        let said = Diagnostic::new(
            &rules::UNKNOWN_OPERATION,
            cursor.here(),
            format!("{mnemonic} needs an operation"),
        );
        out.push(said.help(format!("write one after a dot: {}", operations())));
        if dot {
            skip_word(cursor);
        }
        return Err(ParseError);
    };
    spans.set(OperandKind::Operation, span);
    if bare {
        let gap = Span::new(end, span.start);
        let what = format!("a dot belongs before `{name}`");
        let said = Diagnostic::new(&rules::UNKNOWN_OPERATION, span, what);
        out.push(said.fix(format!("write {mnemonic}.{name}"), gap, "."));
    }
    Operation::named(name).ok_or_else(|| {
        let what = format!("`{name}` is not an atomic operation");
        let said = Diagnostic::new(&rules::UNKNOWN_OPERATION, span, what);
        out.push(match nearest_operation(name) {
            Some(near) => said.fix(format!("did you mean `{near}`?"), span, near),
            None => said.help(format!("the operations are {}", operations())),
        });
        ParseError
    })
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
    symbols: &Declarations,
    spans: &mut OperandSpans,
    out: &mut Diagnostics,
) -> Result<Option<u64>, ParseError> {
    let (suffix, whole) = atomic
        .execution
        .parse_lead(cursor, symbols, spans, out, |c, p, o| {
            parse_suffix(spec.name, widths, c, p, o)
        });
    let (operation, width) = suffix?;
    atomic.operation = operation;
    // PREDEC has a note of its own: the real assembler has no name for it.
    let own = operation.assembler_name();
    let written = spans.of(OperandKind::Operation).of(cursor.text());
    let same = own == written || operation == Operation::Predec;
    spec.note_spelling(
        same,
        own,
        (OperandKind::Operation, cursor.text()),
        spans,
        out,
    );
    if whole { Ok(width) } else { Err(ParseError) }
}

/// What to declare an undeclared operand as: the type of addresses, that of
/// data, and the number of elements.
#[derive(Clone, Copy, Debug)]
pub struct Suggested {
    address: &'static str,
    data: &'static str,
    elements: u8,
}

impl Suggested {
    /// For operands of `atomic` with the width as written.
    #[must_use]
    pub fn new(address: &'static str, atomic: &Atomic, width: Option<u64>) -> Self {
        let wide = width == Some(64);
        let data = match atomic.operation.numbers() {
            Numbers::Float => "f",
            Numbers::Signed if atomic.operation == Operation::Predec && !wide => "ud",
            Numbers::Signed if wide => "q",
            Numbers::Signed => "d",
            Numbers::Unsigned if wide => "uq",
            Numbers::Unsigned => "ud",
        };
        Self {
            address,
            data,
            elements: atomic.execution.size.lanes().max(16),
        }
    }

    /// The attributes for one part.
    #[must_use]
    pub fn attributes(self, part: OperandKind) -> String {
        let ty = match part {
            OperandKind::Address => self.address,
            _ => self.data,
        };
        format!("v_type=G type={ty} num_elts={} align=GRF", self.elements)
    }
}

/// Prints everything before the operands.
pub fn print_lead(
    atomic: &Atomic,
    spec: &Spec,
    width: &str,
    symbols: &Declarations,
    style: Style,
    sink: &mut impl Sink,
) {
    let (execution, operation) = (&atomic.execution, atomic.operation);
    execution.print_predicate(symbols, style, sink);
    let assembler = spec.mnemonics.first().copied().unwrap_or(spec.name);
    let (mnemonic, name) = match style {
        Style::Document => (spec.name, operation.document_name()),
        Style::Assembler => (assembler, operation.assembler_name()),
    };
    sink.token(TokenClass::Mnemonic, OperandKind::Opcode, mnemonic);
    sink.sign(OperandKind::None, ".");
    sink.token(TokenClass::Suffix, OperandKind::Operation, name);
    if !width.is_empty() {
        sink.token(TokenClass::Suffix, OperandKind::Width, width);
    }
    sink.space();
    execution.print_size(style == Style::Document, sink);
}
