//! What DWORD_ATOMIC and SVM_ATOMIC have in common, once: text before the
//! operands ([`text`]), rules ([`rules`], [`spans`], [`runnable`]), lanes
//! ([`lanes`]) and the account of what a lane did ([`trace_text`]).

pub mod contradiction_ids;
pub mod lanes;
pub mod operand_bounds;
pub mod rules;
pub mod runnable;
pub mod text;
pub mod trace_text;

use super::execution::Execution;
use super::operand::RawOperand;
use super::operation::{Numbers, Operation};
use crate::isa::OperationRow;
use crate::isa::rmw::Width;
use crate::number::ElementType;
use crate::text::OperandKind;
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
    pub fn default_for_opcode() -> Self {
        Self {
            execution: Execution::default(),
            operation: Operation::Add,
            src0: RawOperand::NULL,
            src1: RawOperand::NULL,
            dst: RawOperand::NULL,
        }
    }

    fn data(&self) -> [(OperandKind, &'static str, RawOperand); 3] {
        [
            (OperandKind::Src0, "src0", self.src0),
            (OperandKind::Src1, "src1", self.src1),
            (OperandKind::Dst, "dst", self.dst),
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
