//! Raw code of SM50 to SM62: groups of a control word and three instructions.

use super::{decode, opcodes};
use crate::assumed_target;
use crate::{Content, FileError, FileKind, Function, Item, MAX_INSTRUCTIONS, OpenedFile};
use lanewise_core::diagnostic::Diagnostics;
use lanewise_core::isa::Target;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::schedule::{ControlWord, GROUP_BYTES};
use lanewise_core::program::Assembler;

/// Opens code without a container. Since raw code does not state its target,
/// assumes `target`, or the oldest chip that supports all of its instructions.
pub(crate) fn open(bytes: &[u8], target: Option<Target>) -> Result<OpenedFile, FileError> {
    if !bytes.len().is_multiple_of(GROUP_BYTES) {
        return Err(FileError::unknown(
            0,
            format!(
                "this file is neither a vISA object (CISA), an ELF file, nor SASS code in groups of {GROUP_BYTES} bytes: it has {} bytes",
                bytes.len()
            ),
        ));
    }
    // Bit 63 of a control word is zero (observed).
    let odd = bytes
        .chunks_exact(GROUP_BYTES)
        .position(|g| g[7] & 0x80 != 0);
    if let Some(group) = odd {
        return Err(FileError::unknown(
            group * GROUP_BYTES,
            "this file is neither a vISA object (CISA), an ELF file, nor SASS code: expected a control word",
        ));
    }
    let mut words = bytes.chunks_exact(GROUP_BYTES).flat_map(|group| {
        let words = group[8..].chunks_exact(8);
        words.map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
    });
    if !words.any(|word| opcodes::name(word).is_some()) {
        return Err(FileError::unknown(
            0,
            "this file is neither a vISA object (CISA), an ELF file, nor SASS code: no word is an instruction",
        ));
    }
    let read = |chip| function(String::from("code"), chip, 0, bytes, MAX_INSTRUCTIONS);
    let mut notes = Vec::new();
    let function = if let Some(Target::Sass(chip)) = target {
        read(chip)
    } else {
        let mut function = read(Chip::Sm50);
        for chip in Chip::ALL {
            let other = read(chip);
            if other.clean_instructions() > function.clean_instructions() {
                function = other;
            }
        }
        notes.push(assumed_target("code", function.target));
        function
    };
    Ok(OpenedFile {
        kind: FileKind::SassCode,
        functions: vec![function],
        notes,
    })
}

/// Name of an unsupported instruction, or its word.
fn described(word: [u8; 8]) -> String {
    let word = u64::from_le_bytes(word);
    match opcodes::name(word) {
        Some(name) => String::from(name),
        None => format!("{word:#018x}"),
    }
}

/// Reads the first `limit` instructions of `code`, which is at `offset` in the
/// file.
pub(crate) fn function(
    name: String,
    chip: Chip,
    offset: usize,
    code: &[u8],
    limit: usize,
) -> Function {
    let target = Target::Sass(chip);
    let mut function = Function {
        name,
        target,
        declarations: Vec::new(),
        items: Vec::new(),
        notes: Vec::new(),
    };
    let mut assembler = Assembler::new(target, []).expect("there are no declarations");
    let groups = code.chunks_exact(GROUP_BYTES);
    let rest = groups.remainder().len();
    // Diagnostic of the first invalid control word.
    let mut odd_word = None;
    let mut odd_words = 0_usize;
    for (index, group) in groups.enumerate() {
        if function.items.len() + 3 > limit {
            function.cut_off(function.items.len());
            break;
        }
        let mut found = Diagnostics::new();
        let slots = ControlWord::decode(group, &mut found).map(|c| c.slots);
        if let Some(diagnostic) = found.all().first() {
            odd_words += 1;
            odd_word.get_or_insert_with(|| {
                let at = offset + index * GROUP_BYTES;
                format!("byte {at:#x}: {}", diagnostic.message())
            });
        }
        for slot in 0..3 {
            let at = 8 + 8 * slot;
            let word: [u8; 8] = group[at..at + 8].try_into().expect("8 bytes");
            let decoded = decode(&mut assembler, word, slots.map(|slots| slots[slot]));
            function.items.push(Item {
                offset: offset + index * GROUP_BYTES + at,
                bytes: word.to_vec(),
                content: decoded.unwrap_or_else(|| Content::Other(described(word))),
            });
        }
    }
    if let Some(note) = odd_word {
        let more = match odd_words {
            1 => String::new(),
            words => format!(" ({} more invalid control words)", words - 1),
        };
        function.notes.push(note + &more);
    }
    if rest > 0 {
        function.notes.push(format!(
            "{rest} trailing bytes are not a complete group of {GROUP_BYTES}"
        ));
    }
    function
}
