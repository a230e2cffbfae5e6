//! Plans: data shared by all issues of an instruction.

use super::message::{MessageFault, MessagePlan};
use super::{Argument, Behavior, Slot, VisaInstruction};
use crate::isa::visa::compute::{ComputeOperands, ComputePlan};
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::vector::VectorOperand;
use crate::text::SyntaxPart;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Operands, places, operations and shapes of an instruction, resolved for the symbols of its
/// program.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    Compute(ComputePlan),
    Message(Result<MessagePlan, MessageFault>),
    Other,
}

impl VisaInstruction {
    /// The plan, made at the first issue. The symbols of a program are final by then.
    pub(super) fn plan(&self, symbols: &Declarations) -> &Plan {
        self.plan.get_or_init(|| Box::new(self.new_plan(symbols)))
    }

    fn new_plan(&self, symbols: &Declarations) -> Plan {
        match self.op.behavior {
            Behavior::Compute(computation) => {
                let operands = self.compute_operands(symbols);
                Plan::Compute(ComputePlan::new(computation, &operands, symbols))
            }
            Behavior::Message(message) => Plan::Message(MessagePlan::of(message, self, symbols)),
            _ => Plan::Other,
        }
    }

    fn compute_operands(&self, symbols: &Declarations) -> ComputeOperands {
        let mut operands = ComputeOperands {
            execution: self.execution,
            saturate: false,
            destination: VectorOperand::NULL,
            second: None,
            sources: Vec::new(),
            suffix: 0,
            named_address: None,
        };
        for (slot, argument) in self.op.format.fields.iter().zip(&self.arguments) {
            match (slot, argument) {
                (Slot::Vector(names), Argument::Vector(vector)) => match names.part {
                    SyntaxPart::Dst => {
                        operands.destination = *vector;
                        operands.saturate = vector.modifier().saturates();
                    }
                    SyntaxPart::Carry => operands.second = Some(*vector),
                    _ => operands.sources.push(*vector),
                },
                (Slot::Code { .. }, Argument::Code(code)) => operands.suffix = *code,
                (Slot::Text(..), Argument::Text(text)) => {
                    operands.named_address = text.address(symbols);
                }
                _ => {}
            }
        }
        operands
    }
}
