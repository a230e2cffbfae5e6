//! Where a program uses its variables and registers.

use crate::isa::Style;
use crate::isa::schema::{Direction, Operand};
use crate::program::Program;
use crate::text::TokenClass;
use alloc::string::String;
use alloc::vec::Vec;

/// A variable or register in an operand of an instruction.
#[derive(Clone, Debug)]
pub struct OperandUse {
    /// Its name, as the instruction is printed.
    pub name: String,
    /// The line of the instruction, from 0.
    pub line: u32,
    /// The operand that it is.
    pub operand: &'static Operand,
}

impl OperandUse {
    /// Whether the instruction writes it.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.operand.direction == Direction::Out
    }
}

/// The variables and registers in the operands of a program, in the order of
/// the text. Null variables, surfaces and constants are not among them, nor is
/// the predicate before an instruction.
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
