//! `.order` lines in the text.

use lanewise_core::diagnostic::Span;
use lanewise_core::isa::Unit;
use lanewise_core::program::Program;
use lanewise_core::text::{Lexeme, LexemeKind, lex};
use lanewise_explore::order_name;

/// A text without its `.order` lines.
pub(super) fn without(text: &str) -> String {
    let is_order = |line: &&str| {
        let word = line.trim_start().get(..6);
        !word.is_some_and(|word| word.eq_ignore_ascii_case(".order"))
    };
    text.split_inclusive('\n').filter(is_order).collect()
}

/// The text with other orders for some instructions, ascending, and where the
/// last of them ends. `None` where there are none.
pub(super) fn write(
    text: &str,
    program: &Program,
    orders: &[(usize, &[Unit])],
) -> Option<(String, usize)> {
    let own = own_lines(text, program);
    let mut edited = String::new();
    let mut done = 0;
    let mut end = None;
    for (instruction, units) in orders {
        let placed = program.instructions.get(*instruction)?;
        let whole = placed.spans.whole();
        let names: Vec<String> = units.iter().map(|unit| order_name(*unit)).collect();
        let line = format!(".order {}", names.join(" "));
        let (place, after) = match own.get(*instruction).copied().flatten() {
            Some(span) => (span, String::new()),
            // With the blanks before the instruction.
            None => {
                let before = text.get(..whole.start as usize)?;
                let start = before.rfind('\n').map_or(0, |at| at + 1);
                let blanks = before.get(start..).filter(|b| b.trim().is_empty());
                let at = Span::new(whole.start, whole.start);
                (at, format!("\n{}", blanks.unwrap_or("")))
            }
        };
        edited.push_str(text.get(done..place.start as usize)?);
        edited.push_str(&line);
        end = Some(edited.len());
        edited.push_str(&after);
        done = place.end as usize;
    }
    edited.push_str(text.get(done..)?);
    Some((edited, end?))
}

/// For every instruction, the place of its `.order` line in the text, without
/// comments.
pub(super) fn own_lines(text: &str, program: &Program) -> Vec<Option<Span>> {
    let mut lexemes = Vec::new();
    lex(text, &mut lexemes);
    lexemes.retain(|l| !matches!(l.kind, LexemeKind::Comment { .. }));
    let mut lines = lexemes.split(|l| l.kind == LexemeKind::LineEnd).peekable();
    let mut own = Vec::new();
    for placed in &program.instructions {
        let start = placed.spans.whole().start;
        let mut order = None;
        while let Some(line) = lines.next_if(|line| first(line).is_none_or(|at| at < start)) {
            if let [dot, name, ..] = line
                && dot.kind == LexemeKind::Punct('.')
                && name.span.of(text).eq_ignore_ascii_case("order")
            {
                let last = line.last().unwrap_or(name);
                order = Some(Span::new(dot.span.start, last.span.end));
            }
        }
        own.push(order);
    }
    own
}

fn first(line: &[Lexeme]) -> Option<u32> {
    line.first().map(|lexeme| lexeme.span.start)
}
