//! The functions and loops of a program.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::program::{Block, EdgeKind, Program};

/// Maximum number of entries.
const MAX_ENTRIES: usize = 200;

/// A function or loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// `function sum` or `loop`, with its lines; with the lines of the source, if it has any.
    pub text: String,
    /// Number of loops around it.
    pub depth: usize,
    /// Index of its first instruction.
    pub instruction: u32,
}

/// The subroutines that a program calls, and its loops, which end with a branch back, in the
/// order of the text.
#[must_use]
pub fn outline(program: &Program) -> Vec<OutlineEntry> {
    let blocks = program.blocks();
    let mut calls: Vec<usize> = Vec::new();
    // First and last block.
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        for edge in &block.edges {
            match edge.kind {
                EdgeKind::Call => calls.push(edge.to),
                EdgeKind::Branch if edge.to <= index => {
                    // Several branches back to one block are one loop.
                    if let Some((_, last)) = loops.iter_mut().find(|(first, _)| *first == edge.to) {
                        *last = index.max(*last);
                    } else if loops.len() < MAX_ENTRIES {
                        loops.push((edge.to, index));
                    }
                }
                EdgeKind::Branch | EdgeKind::Next => {}
            }
        }
    }
    calls.sort_unstable();
    calls.dedup();
    loops.sort_unstable_by_key(|(first, last)| (*first, core::cmp::Reverse(*last)));
    let functions = calls.into_iter().map(|first| {
        (
            first,
            OutlineEntry {
                text: format!("function {}", name(&blocks[first])),
                depth: 0,
                instruction: blocks[first].start,
            },
        )
    });
    let bodies = loops.iter().map(|(first, last)| {
        let around = loops
            .iter()
            .filter(|other| *other != &(*first, *last) && other.0 <= *first && *last <= other.1);
        let (start, end) = (blocks[*first].start, blocks[*last].end - 1);
        let entry = OutlineEntry {
            text: format!("loop, {}", lines(program, start, end)),
            depth: around.count(),
            instruction: start,
        };
        (*first, entry)
    });
    let mut entries: Vec<(usize, OutlineEntry)> = functions.chain(bodies).collect();
    entries.sort_by_key(|(first, _)| *first);
    entries.truncate(MAX_ENTRIES);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn name(block: &Block) -> &str {
    block.labels.first().map_or("", |label| label)
}

/// The lines of instructions, of the source if they have any.
fn lines(program: &Program, start: u32, end: u32) -> String {
    let mut of_source = (start..=end).filter_map(|at| Some(program.source_line(at)?.1));
    let (kind, first, last) = match of_source.next() {
        Some(first) => {
            let (least, most) = of_source.fold((first, first), |(least, most), line| {
                (line.min(least), line.max(most))
            });
            ("source line", least, most)
        }
        None => {
            let line = |at: u32| u64::from(program.instructions[to_usize(at)].line) + 1;
            ("line", line(start), line(end))
        }
    };
    match first == last {
        true => format!("{kind} {first}"),
        false => format!("{kind}s {first} to {last}"),
    }
}
