//! Operands as printed.

use alloc::string::String;
use lanewise_core::isa::{Instruction, Style};
use lanewise_core::program::Program;
use lanewise_core::text::SyntaxPart;

/// Operand as printed in the instruction: `@!P0`, `RZ`, `%null.0`; empty if
/// absent. In assembler style, it has its region, which the program may omit.
pub fn operand_text(
    instruction: &Instruction,
    program: &Program,
    part: SyntaxPart,
    style: Style,
) -> String {
    let tokens = instruction.tokens(&program.symbols, style);
    let own = tokens.iter().filter(|token| token.part == part);
    // `.sat` belongs to the destination, but is written at the mnemonic.
    let own = own.filter(|token| part != SyntaxPart::Dst || !token.text.starts_with('.'));
    own.map(|token| &*token.text).collect()
}
