//! Edits of `.order` lines in the text.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::diagnostic::Span;
use lanewise_core::isa::Unit;
use lanewise_core::program::Program;
use lanewise_core::text::Rewritten;
use lanewise_explore::order_name;

/// Rewrites the orders of some instructions, given in ascending order. `None`
/// without instructions.
pub fn write_orders(
    text: &str,
    program: &Program,
    orders: &[(usize, &[Unit])],
) -> Option<Rewritten> {
    let mut edited = String::new();
    let mut done = 0;
    let mut end = None;
    for (instruction, units) in orders {
        let placed = program.instructions.get(*instruction)?;
        let whole = placed.spans.whole();
        let names: Vec<String> = units.iter().map(|unit| order_name(*unit)).collect();
        let line = format!(".order {}", names.join(" "));
        let (place, after) = match program.order_line(*instruction) {
            Some(span) => (span, String::new()),
            // Indented like the instruction.
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
    Some(Rewritten {
        text: edited,
        caret: end?,
    })
}
