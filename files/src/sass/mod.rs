//! Output of NVIDIA's tools: code, listings, cubins, fat binaries.

pub(crate) mod code;
pub(crate) mod cubin;
pub(crate) mod entries;
pub(crate) mod fat_binary;
pub(crate) mod inference;
pub(crate) mod kernel;
pub(crate) mod listing;
mod opcodes;
mod sections;

use crate::{Content, FileError};
use lanewise_core::isa::Style;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::schedule::Schedule;
use lanewise_core::program::Assembler;

fn damaged(error: object::Error) -> FileError {
    FileError::new(0, format!("invalid ELF file: {error}"))
}

/// Chip for a compute capability, such as 50 for SM50.
pub(crate) fn chip(sm: u8) -> Option<Chip> {
    Chip::named(&format!("SM{sm}"))
}

/// Chip for a compute capability, if its words can be decoded.
pub(crate) fn decoded_chip(sm: u8) -> Option<Chip> {
    chip(sm).filter(|chip| chip.is_old())
}

/// Decodes a word; `None` if the instruction is not supported.
pub(crate) fn decode(
    assembler: &mut Assembler,
    word: [u8; 8],
    slot: Option<Schedule>,
) -> Option<Content> {
    let read = assembler.disassemble(&word, Style::Assembler).ok()?;
    let warnings = read.diagnostics.iter().map(|d| d.message()).collect();
    let mut instruction = read.instruction;
    instruction.set_schedule(slot);
    Some(Content::Instruction {
        text: instruction.text(assembler.symbols(), Style::Assembler),
        warnings,
    })
}
