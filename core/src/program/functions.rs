//! Recursive functions and their variables: those that are declared after the line of the
//! function.

use super::{Program, Reader};
use crate::diagnostic::to_u32;
use crate::isa::visa::declarations::{VariableKind, address_element};
use crate::isa::visa::op::{FlowKind, LabelId};
use crate::machine::flag_address;
use crate::machine::frames::Frame;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// Counts of the items before a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// Number of instructions.
    instructions: u32,
    /// End of the general variables in the register file.
    registers: u64,
    /// Numbers of the next predicate and address variable.
    predicate: u16,
    address: u16,
}

impl Program {
    /// The variables of a recursive function, by the index of its first instruction.
    #[must_use]
    pub(crate) fn frame(&self, function: u32) -> Option<Frame> {
        self.frames.get(&function).copied()
    }
}

impl Reader<'_> {
    /// Notes that a function starts here.
    pub(super) fn start_function(&mut self) {
        self.function_starts.push(self.here());
    }

    fn here(&self) -> Start {
        let visa = &self.symbols.visa;
        let next = |kind, first: usize| {
            let next = u16::try_from(visa.count(kind) + first);
            next.expect("declarations are bounded")
        };
        Start {
            instructions: to_u32(self.instructions.len()),
            registers: u64::from(visa.declared_bytes()),
            predicate: next(VariableKind::Predicate, 1),
            address: next(VariableKind::Address, 0),
        }
    }

    /// The variables of all recursive functions.
    pub(super) fn frames(&self) -> BTreeMap<u32, Frame> {
        let starts = &self.function_starts;
        let ends = starts.iter().skip(1).copied().chain([self.here()]);
        let frame = |start: Start, end: Start| Frame {
            registers: (start.registers, end.registers),
            predicates: (flag_address(start.predicate), flag_address(end.predicate)),
            addresses: (
                address_element(start.address, 0),
                address_element(end.address, 0),
            ),
        };
        let all = starts.iter().zip(ends).zip(self.may_recurse());
        let recursive = all.filter(|(_, recurses)| *recurses);
        recursive
            .map(|((start, end), _)| (start.instructions, frame(*start, end)))
            .collect()
    }

    /// Whether each function may call itself, directly or through others: all that remain
    /// after those that call no remaining one have been removed. A call by address can call
    /// any function.
    fn may_recurse(&self) -> Vec<bool> {
        let starts = &self.function_starts;
        let entries = starts.iter().map(|start| start.instructions);
        let by_entry: BTreeMap<u32, usize> = entries.zip(0..).collect();
        let mut callers = vec![Vec::new(); starts.len()];
        let mut calls = vec![0_usize; starts.len()];
        for (index, placed) in (0..).zip(&self.instructions) {
            let before = starts.partition_point(|start| start.instructions <= index);
            let Some(caller) = before.checked_sub(1) else {
                continue;
            };
            let Some(branch) = placed.instruction.branch() else {
                continue;
            };
            let position = |label: LabelId| {
                let index = usize::from(label.0).checked_sub(1)?;
                Some(self.labels.get(index).copied().flatten()?.0)
            };
            match branch.kind {
                FlowKind::IndirectCall => calls[caller] += 1,
                FlowKind::Call => {
                    let called = branch.targets.first().copied().and_then(position);
                    if let Some(called) = called.and_then(|entry| by_entry.get(&entry)) {
                        calls[caller] += 1;
                        callers[*called].push(caller);
                    }
                }
                _ => {}
            }
        }
        let leaves = calls.iter().zip(0..).filter(|(calls, _)| **calls == 0);
        let mut leaves: Vec<usize> = leaves.map(|(_, function)| function).collect();
        while let Some(leaf) = leaves.pop() {
            for caller in core::mem::take(&mut callers[leaf]) {
                calls[caller] -= 1;
                if calls[caller] == 0 {
                    leaves.push(caller);
                }
            }
        }
        calls.iter().map(|calls| *calls > 0).collect()
    }
}
