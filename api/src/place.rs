//! Places of instructions, in the program and in its source.

use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::Style;
use lanewise_core::program::{Program, file_name};
use lanewise_files::MAX_BYTES;
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// The place of an instruction in an answer.
#[derive(Clone, Debug, Serialize)]
pub struct CodePlace {
    /// File of the source.
    pub file: Option<String>,
    /// Line of the source, from 1: that of the instruction, or the last one before it.
    pub line: Option<u64>,
    /// Line of the program.
    pub visa_line: u32,
    pub instruction: String,
    /// Name of a line of the program in reports: `line` or `vISA line`.
    #[serde(skip)]
    line_name: &'static str,
}

impl CodePlace {
    /// The place of an instruction, by its index.
    #[must_use]
    pub fn of(program: &Program, instruction: u32) -> Self {
        let line = program.source_line_before(instruction);
        let placed = &program.instructions[to_usize(instruction)];
        Self {
            file: line.map(|(file, _)| String::from(file)),
            line: line.map(|(_, line)| line),
            visa_line: placed.line + 1,
            instruction: placed.instruction.text(&program.symbols, Style::Assembler),
            line_name: match program.has_warps() {
                true => "line",
                false => "vISA line",
            },
        }
    }

    /// The line in the text of the source.
    #[must_use]
    pub fn line_of<'s>(&self, source: &'s str) -> Option<&'s str> {
        let index = usize::try_from(self.line?.checked_sub(1)?).ok()?;
        source.lines().nth(index).map(str::trim)
    }
}

impl fmt::Display for CodePlace {
    /// `saxpy.cl:3, vISA line 12: mov …`, or without the source.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(file), Some(line)) = (&self.file, self.line) {
            write!(f, "{file}:{line}, ")?;
        }
        write!(
            f,
            "{} {}: {}",
            self.line_name, self.visa_line, self.instruction
        )
    }
}

/// The text of the source that a program names, beside its file or one folder above.
#[must_use]
pub fn source_of(program: &Program, path: &Path) -> Option<String> {
    source_beside(program.source_file()?, path)
}

/// The text of a file by its name, beside the file at a path or one folder above. The program
/// chooses the name, so its folder is ignored.
pub(crate) fn source_beside(name: &str, path: &Path) -> Option<String> {
    let name = file_name(name);
    let folder = path.parent()?;
    let places = [folder.join(name), folder.join("..").join(name)];
    places.iter().find_map(|place| {
        // Opening a FIFO would wait for its writer.
        let found = std::fs::metadata(place).ok()?;
        let is_readable = found.is_file() && found.len() <= MAX_BYTES as u64;
        is_readable.then(|| std::fs::read_to_string(place).ok())?
    })
}
