//! Uses of variables and registers in a program.

use crate::isa::Style;
use crate::isa::schema::{Direction, Operand};
use crate::program::Program;
use crate::text::TokenClass;
use alloc::string::String;
use alloc::vec::Vec;

/// Use of a variable or register as an operand.
#[derive(Clone, Debug)]
pub struct OperandUse {
    /// Name as printed in the instruction.
    pub name: String,
    /// Line of the instruction, from 0.
    pub line: u32,
    /// Schema of the operand.
    pub operand: &'static Operand,
}

impl OperandUse {
    /// Whether the instruction writes it.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.operand.direction == Direction::Out
    }
}

/// Returns the variables and registers used as operands, in text order. Null
/// variables, surfaces, constants and predicates of instructions are not included.
#[must_use]
pub fn operand_uses(program: &Program) -> Vec<OperandUse> {
    let mut uses = Vec::new();
    for placed in &program.instructions {
        let instruction = &placed.instruction;
        let tokens = instruction.tokens(&program.symbols, Style::Assembler);
        for token in tokens {
            let is_named = token.class == TokenClass::Variable && !token.text.starts_with('%');
            let mut operands = instruction.spec().syntax.operands.iter();
            if is_named && let Some(operand) = operands.find(|o| o.part == token.part) {
                uses.push(OperandUse {
                    name: token.text,
                    line: placed.line,
                    operand,
                });
            }
        }
    }
    uses
}
