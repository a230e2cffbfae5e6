//! Basic blocks of a program and the edges between them.

use super::Program;
use crate::diagnostic::{to_u32, to_usize};
use crate::isa::Instruction;
use crate::isa::sass::op::flow::WarpFlow;
use crate::isa::visa::op::FlowKind;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

/// Instructions that run one after another: only the first can be a branch target, and
/// only the last can branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Names of the labels at its start.
    pub labels: Vec<String>,
    /// Indices of its first instruction, and of the one after its last.
    pub start: u32,
    pub end: u32,
    /// Where its channels can continue, apart from returns.
    pub edges: Vec<BlockEdge>,
    /// Whether it has a barrier.
    pub has_barrier: bool,
    /// Whether its last instruction returns or ends the thread.
    pub returns: bool,
    /// Whether its last instruction ends lanes.
    pub exits: bool,
}

/// Edge to another block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEdge {
    /// Index of the block.
    pub to: usize,
    pub kind: EdgeKind,
}

/// How channels follow an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// They go on with the next block.
    Next,
    /// They branch.
    Branch,
    /// They call a subroutine.
    Call,
}

impl Program {
    /// Whether channels can continue elsewhere than at the next instruction.
    #[must_use]
    pub fn has_branches(&self) -> bool {
        let mut instructions = self.instructions.iter();
        instructions.any(|placed| placed.instruction.splits())
    }

    /// The basic blocks, in the order of the text. Instructions belong to exactly one
    /// block. A program without branches is one block.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let count = to_u32(self.instructions.len());
        let behind = (1..).zip(&self.instructions);
        let behind = behind.filter(|(_, placed)| placed.instruction.splits());
        let flows = self.instructions.iter();
        let flows = flows.filter_map(|placed| placed.instruction.warp_flow());
        let targets = flows.filter_map(|(sass, _)| sass.target());
        let starts: BTreeSet<u32> = behind
            .map(|(next, _)| next)
            .chain(self.labels().map(|(_, position)| position))
            .chain(self.warp_labels.values().copied())
            .chain(targets)
            .chain([0])
            .filter(|start| *start < count)
            .collect();
        let starts: Vec<u32> = starts.into_iter().collect();
        let ends = starts.iter().skip(1).copied().chain([count]);
        let blocks = starts.iter().zip(ends);
        blocks
            .enumerate()
            .map(|(index, (start, end))| self.block(index, *start, end, &starts))
            .collect()
    }

    fn block(&self, index: usize, start: u32, end: u32, starts: &[u32]) -> Block {
        let own = self.labels().filter(|(_, position)| *position == start);
        let names = own.filter_map(|(label, _)| self.symbols.visa.label_name(label));
        let of_warps = self.warp_labels.iter();
        let of_warps = of_warps.filter(|(_, position)| **position == start);
        let names = names.chain(of_warps.map(|(name, _)| &**name));
        let instructions = &self.instructions[to_usize(start)..to_usize(end)];
        let last = instructions.last();
        let last = last.map(|placed| self.ending(&placed.instruction));
        let last = last.unwrap_or_default();
        let mut edges = Vec::new();
        if last.goes_on && index + 1 < starts.len() {
            edges.push(BlockEdge {
                to: index + 1,
                kind: EdgeKind::Next,
            });
        }
        for position in last.targets {
            let kind = last.kind;
            let to = starts.binary_search(&position).ok();
            let edge = to.map(|to| BlockEdge { to, kind });
            edges.extend(edge.filter(|edge| !edges.contains(edge)));
        }
        Block {
            labels: names.map(String::from).collect(),
            start,
            end,
            edges,
            has_barrier: instructions.iter().any(|placed| {
                let warp = placed.instruction.warp_flow();
                let branch = placed.instruction.branch();
                warp.is_some_and(|(_, kind)| kind == WarpFlow::Barrier)
                    || branch.is_some_and(|branch| branch.kind.synchronizes())
            }),
            returns: last.returns,
            exits: last.exits,
        }
    }

    /// Where channels can continue behind the last instruction of a block.
    fn ending(&self, last: &Instruction) -> Ending {
        if !last.splits() {
            return Ending::default();
        }
        if let Some((sass, flow)) = last.warp_flow() {
            return Ending {
                goes_on: sass.is_conditional() || flow == WarpFlow::Call,
                kind: match flow {
                    WarpFlow::Call => EdgeKind::Call,
                    _ => EdgeKind::Branch,
                },
                targets: sass.target().into_iter().collect(),
                returns: flow == WarpFlow::Return,
                exits: flow == WarpFlow::Exit,
            };
        }
        let Some(branch) = last.branch() else {
            return Ending::default();
        };
        let targets = branch.targets.iter();
        Ending {
            goes_on: match branch.kind {
                FlowKind::Jump | FlowKind::Goto | FlowKind::Switch | FlowKind::Return => {
                    branch.execution.predicate.id.0 != 0
                }
                FlowKind::Call | FlowKind::IndirectCall => true,
                FlowKind::Barrier | FlowKind::NamedSignal | FlowKind::NamedWait => true,
            },
            kind: match branch.kind {
                FlowKind::Call | FlowKind::IndirectCall => EdgeKind::Call,
                _ => EdgeKind::Branch,
            },
            targets: targets
                .filter_map(|label| self.label_position(*label))
                .collect(),
            returns: branch.kind == FlowKind::Return,
            exits: false,
        }
    }
}

/// The end of a block.
struct Ending {
    /// Whether channels can continue with the next block.
    goes_on: bool,
    /// How they reach the targets.
    kind: EdgeKind,
    /// Indices of the instructions at which they can continue.
    targets: Vec<u32>,
    returns: bool,
    exits: bool,
}

impl Default for Ending {
    /// An instruction that does not branch.
    fn default() -> Self {
        Self {
            goes_on: true,
            kind: EdgeKind::Branch,
            targets: Vec::new(),
            returns: false,
            exits: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    const TEXT: &str = "\
.decl V32 v_type=G type=d num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.init em = 0xffff
cmp.lt (M1, 16) P1 V32(0,0)<1;1,0> 5:d
(!P1) goto (M1, 16) ELSE
call (M1, 16) SUB
goto (M1, 1) ENDIF
ELSE:
add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 1:d
ENDIF:
barrier
ret (M1, 1)
.function \"SUB\"
SUB:
ret (M1, 16)
";

    #[test]
    fn blocks_end_at_branches_and_start_at_labels() {
        let program = Program::parse(TEXT);
        assert!(program.can_run(), "{:?}", program.diagnostics);
        let blocks = program.blocks();
        let names: Vec<&str> = blocks
            .iter()
            .map(|block| block.labels.first().map_or("", |name| name))
            .collect();
        assert_eq!(names, ["", "", "", "ELSE", "ENDIF", "SUB"]);
        let edges: Vec<Vec<(usize, EdgeKind)>> = blocks
            .iter()
            .map(|block| block.edges.iter().map(|e| (e.to, e.kind)).collect())
            .collect();
        use EdgeKind::{Branch, Call, Next};
        assert_eq!(
            edges,
            [
                vec![(1, Next), (3, Branch)],
                vec![(2, Next), (5, Call)],
                vec![(4, Branch)],
                vec![(4, Next)],
                vec![],
                vec![],
            ]
        );
        assert!(blocks[4].has_barrier && blocks[4].returns && !blocks[3].returns);
        let mut next = 0;
        for block in &blocks {
            assert_eq!(block.start, next);
            assert!(block.start < block.end);
            next = block.end;
        }
        assert_eq!(to_usize(next), program.instructions.len());
    }
}
