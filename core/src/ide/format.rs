//! Rewrites the instructions of a program in one spelling. All other text is
//! preserved byte for byte.

use super::line::Line;
use crate::diagnostic::{Edit, Span, to_u32, to_usize};
use crate::isa::{Instruction, Style};
use crate::program::{Probe, Program, ProgramInstruction};
use crate::text::{Rewritten, SyntaxPart, TokenClass, difference};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A line that could not be rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnformattedLine {
    pub span: Span,
    /// The reason.
    pub why: String,
}

/// Result of [`format()`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formatted {
    /// The whole text.
    pub text: String,
    /// The edits in order; spans refer to the original text.
    pub edits: Vec<Edit>,
    /// Indices of the changed lines, from 0.
    pub lines: Vec<u32>,
    /// Instructions that could not be rewritten.
    pub kept: Vec<UnformattedLine>,
}

impl Formatted {
    /// Maps a byte offset of the original text to the new text.
    #[must_use]
    pub fn moved(&self, offset: usize) -> usize {
        let mut moved = offset;
        for edit in &self.edits {
            let (start, end) = (to_usize(edit.span.start), to_usize(edit.span.end));
            let new = edit.replacement.len();
            if offset >= end {
                moved = (moved + new).saturating_sub(end - start);
            } else if offset > start {
                // Inside an edit: the same distance from its start, if it is long enough.
                return moved.min(moved - (offset - start) + new);
            }
        }
        moved
    }
}

/// Rewrites the instructions of a text in a spelling; `program` is the parsed text.
/// A family with one spelling has it regardless of `style`.
#[must_use]
pub fn format(program: &Program, text: &str, style: Style) -> Formatted {
    let lines = Line::all(text);
    let mut out = Formatted::default();
    let spellings = program.symbols.target.facts().spellings;
    let style = match spellings {
        [(_, only)] => *only,
        _ => style,
    };
    // Lines of listings are as a disassembler prints them.
    let is_listed =
        |placed: &&ProgramInstruction| matches!(placed.instruction, Instruction::Sass(_));
    for placed in program
        .instructions
        .iter()
        .filter(|placed| !is_listed(placed))
    {
        let span = placed.spans.whole();
        let written = span.of(text);
        let mut printed = print(program, &placed.instruction, style);
        if written.ends_with(';') {
            printed.push(';');
        }
        if printed == written {
            continue;
        }
        match reason_to_keep(program, &lines, placed, &printed) {
            Some(why) => out.kept.push(UnformattedLine { span, why }),
            None => {
                let (changed, new) = difference(written, &printed);
                let [start, end] = [changed.start, changed.end].map(to_u32);
                out.edits.push(Edit {
                    span: Span::new(span.start + start, span.start + end),
                    replacement: String::from(new),
                });
                out.lines.push(placed.line);
            }
        }
    }
    unread(program, text, &lines, &mut out.kept);
    out.text = Rewritten::new(text, &out.edits).text;
    out
}

/// Prints an instruction with the declared names of variables for which a
/// disassembler prints numbers.
fn print(program: &Program, instruction: &Instruction, style: Style) -> String {
    let symbols = &program.symbols;
    let tokens = instruction.tokens(symbols, style);
    let texts = tokens.iter().map(|token| {
        let number = |letter| token.text.strip_prefix(letter)?.parse::<u16>().ok();
        let numbered = symbols.visa.declared(&token.text).is_none();
        let name = match (token.class, token.part) {
            (TokenClass::Variable, SyntaxPart::Predicate) if numbered => {
                number('P').and_then(|id| symbols.visa.predicate(id))
            }
            (TokenClass::Surface, SyntaxPart::Surface) if numbered => number('T')
                .and_then(|id| u8::try_from(id).ok())
                .and_then(|id| symbols.visa.surface_name(id)),
            _ => None,
        };
        name.unwrap_or(&token.text)
    });
    texts.collect()
}

/// Finds the line that contains a byte.
fn line_at(lines: &[Line], offset: u32) -> &Line {
    let before = lines.partition_point(|line| line.span.end < offset);
    let last = lines.last().expect("a text has at least one line");
    lines.get(before).unwrap_or(last)
}

/// The reason not to replace a line with its printed form, if any.
fn reason_to_keep(
    program: &Program,
    lines: &[Line],
    placed: &ProgramInstruction,
    printed: &str,
) -> Option<String> {
    let span = placed.spans.whole();
    let line = line_at(lines, span.start);
    let inside = |c: &&crate::text::Lexeme| span.start < c.span.end && c.span.start < span.end;
    if line.comments.iter().any(|c| inside(&c)) {
        return Some(String::from("the instruction contains a comment"));
    }
    let mut probe = Probe::new(&program.symbols, false, program.launch.is_some());
    let same = probe
        .read(printed)
        .is_some_and(|read| read.encode() == placed.instruction.encode() && !probe.has_errors());
    (!same).then(|| format!("`{printed}` would have another meaning"))
}

/// Adds the lines with invalid instructions.
fn unread(program: &Program, text: &str, lines: &[Line], kept: &mut Vec<UnformattedLine>) {
    let mut end = 0;
    for diagnostic in &program.diagnostics {
        if !diagnostic.is_error() || diagnostic.span.start < end {
            continue;
        }
        let line = line_at(lines, diagnostic.span.start);
        // Missing parts are reported at the end of the line.
        end = line.span.end.max(diagnostic.span.start) + 1;
        let (Some(first), Some(last)) = (line.lexemes.first(), line.lexemes.last()) else {
            continue;
        };
        let span = first.span.to(last.span);
        let starts = |p: &ProgramInstruction| p.spans.whole().start;
        let is_read = program
            .instructions
            .binary_search_by_key(&first.span.start, starts)
            .is_ok();
        if !is_read && first.span.of(text) != "." {
            kept.push(UnformattedLine {
                span,
                why: diagnostic.what.clone(),
            });
        }
    }
    kept.sort_by_key(|kept| kept.span.start);
}
