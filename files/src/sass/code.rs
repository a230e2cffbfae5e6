//! Raw code of SM50 to SM62: groups of a control word and three instructions.

use super::{decode, decoded_chip, opcodes};
use crate::{Content, FileError, FileKind, Function, Item, MAX_INSTRUCTIONS, MAX_NAME, OpenedFile};
use crate::{assumed_target, text};
use lanewise_core::diagnostic::Diagnostics;
use lanewise_core::isa::Target;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::op::encoding;
use lanewise_core::isa::sass::schedule::{ControlWord, GROUP_BYTES, SLOTS};
use lanewise_core::program::Assembler;
use object::elf::FileHeader64;
use object::read::elf::{ElfFile, FileHeader};
use object::{Endianness, Object, ObjectSymbol, SectionIndex, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// `e_machine` of NVIDIA GPUs.
pub(super) const EM_CUDA: u16 = 190;

/// Bytes of a word.
pub(super) const WORD: usize = 8;

/// Instructions and bytes of a group.
pub(super) const SLOTS_OF_GROUP: u64 = SLOTS as u64;
pub(super) const BYTES_OF_GROUP: u64 = GROUP_BYTES as u64;

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
    let read = |chip| {
        function(
            String::from("code"),
            chip,
            0,
            bytes,
            MAX_INSTRUCTIONS,
            &BTreeMap::new(),
        )
    };
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

/// Names of the functions in a section, by place.
pub(super) fn names<'d>(file: &impl Object<'d>, section: SectionIndex) -> BTreeMap<u64, String> {
    let symbols = file.symbols();
    let symbols = symbols.filter(|symbol| symbol.section_index() == Some(section));
    let named = symbols.filter_map(|symbol| {
        let is_function = symbol.kind() == SymbolKind::Text;
        let name = symbol
            .name()
            .ok()
            .filter(|name| is_function && !name.is_empty())?;
        Some((symbol.address(), text::cut(name, MAX_NAME).into_owned()))
    });
    named.collect()
}

/// First version of the ABI whose headers have the compute capability in the second byte of
/// `e_flags` instead of the first (observed in cubins of ptxas 13.5).
const SHIFTED_FLAGS: u8 = 8;

/// The compute capability in the header of a cubin, such as 50 for SM50.
pub(super) fn compute_capability<Elf: FileHeader<Endian = Endianness>>(
    header: &Elf,
    endian: Endianness,
) -> u8 {
    let [first, second, ..] = header.e_flags(endian).to_le_bytes();
    match header.e_ident().abi_version {
        SHIFTED_FLAGS.. => second,
        _ => first,
    }
}

/// Whether a file is a cubin whose words are not decoded, so that its kernels are launched from
/// a listing.
#[must_use]
pub fn needs_listing(bytes: &[u8]) -> bool {
    let file = ElfFile::<FileHeader64<Endianness>>::parse(bytes).ok();
    let header = file.map(|file| (*file.elf_header(), file.endian()));
    header.is_some_and(|(header, endian)| {
        let is_cubin = header.e_machine(endian) == EM_CUDA;
        is_cubin && decoded_chip(compute_capability(&header, endian)).is_none()
    })
}

/// The chip of a cubin whose words are decoded.
pub(super) fn decoded(bytes: &[u8]) -> Option<Chip> {
    let file = ElfFile::<FileHeader64<Endianness>>::parse(bytes).ok()?;
    let header = file.elf_header();
    let is_cubin = header.e_machine(file.endian()) == EM_CUDA;
    decoded_chip(compute_capability(header, file.endian())).filter(|_| is_cubin)
}

/// How to launch the kernels of a cubin whose words are not decoded.
pub(super) fn advise_listing(sm: u8) -> String {
    format!(
        "compiled for SM{sm}; in code, SM50 to SM62 are supported. Run `nvdisasm -c -g FILE.cubin \
         > FILE.sass` and open the listing together with the cubin, which has the data that \
         the listing lacks: drop both on the page, or add `--cubin FILE.cubin` on the command line"
    )
}

/// Why the words of a file are not decoded.
pub(super) fn undecoded(bytes: &[u8]) -> String {
    let file = ElfFile::<FileHeader64<Endianness>>::parse(bytes).ok();
    let header = file.as_ref().map(|file| (file.elf_header(), file.endian()));
    match header.filter(|(header, endian)| header.e_machine(*endian) == EM_CUDA) {
        Some((header, endian)) => advise_listing(compute_capability(header, endian)),
        None => String::from("not a cubin for SM50 to SM62"),
    }
}

/// An instruction of a kernel, or a label.
pub(super) enum CodeLine {
    Label(String),
    Instruction {
        /// Its byte in the code.
        at: usize,
        text: String,
    },
}

/// Text of an instruction whose word is not known; it is listed and stops a run.
fn unknown(word: u64) -> String {
    match opcodes::name(word) {
        Some(name) => format!("{name}.UNKNOWN {word:#018x}"),
        None => format!("UNKNOWN {word:#018x}"),
    }
}

/// The instructions of code, with labels before those that others go to. `names` are the
/// symbols of places in it, `numbered` is the number of labels without one.
pub(super) fn lines(
    chip: Chip,
    code: &[u8],
    names: &BTreeMap<u64, String>,
    numbered: &mut usize,
) -> Vec<CodeLine> {
    let mut read = Vec::new();
    let mut targets = BTreeSet::new();
    for (group, bytes) in code.chunks_exact(GROUP_BYTES).enumerate() {
        let control = ControlWord::decode(bytes, &mut Diagnostics::new());
        for slot in 0..SLOTS {
            let place = WORD + WORD * slot;
            let at = group * GROUP_BYTES + place;
            let word = bytes.get(place..).and_then(|rest| rest.first_chunk());
            let word = word.map_or(0, |word| u64::from_le_bytes(*word));
            let reuse = control
                .as_ref()
                .map_or(0, |control| control.slots[slot].reuse);
            let address = u32::try_from(at).unwrap_or(u32::MAX);
            let decoded = encoding::decode(word, address, reuse, chip);
            let decoded = decoded.filter(|decoded| decoded.ignored == 0);
            targets.extend(decoded.iter().filter_map(|decoded| decoded.target));
            read.push((at, word, decoded));
        }
    }
    // The address of a control word is that of the instruction behind it.
    let place = |target: i64| {
        let target = u64::try_from(target).ok()?;
        Some(if target.is_multiple_of(GROUP_BYTES as u64) {
            target + WORD as u64
        } else {
            target
        })
    };
    let mut labels: BTreeMap<u64, String> = BTreeMap::new();
    let inside = targets.iter().filter_map(|target| place(*target));
    for at in inside.filter(|at| *at < code.len() as u64) {
        labels
            .entry(at)
            .or_insert_with(|| format!(".L_x_{numbered}"));
        *numbered += 1;
    }
    for (start, name) in names {
        let Some(at) = i64::try_from(*start).ok().and_then(place) else {
            continue;
        };
        // A function may be called through a register.
        if at > WORD as u64 || labels.contains_key(&at) {
            labels.insert(at, name.clone());
        }
    }
    let mut lines = Vec::new();
    for (at, word, decoded) in read {
        lines.extend(labels.get(&(at as u64)).cloned().map(CodeLine::Label));
        let text = match decoded {
            None => unknown(word),
            Some(decoded) => {
                let label = decoded
                    .target
                    .and_then(place)
                    .and_then(|at| labels.get(&at));
                match (label, decoded.text.rsplit_once(' ')) {
                    (Some(label), Some((before, _))) => format!("{before} `({label})"),
                    _ => decoded.text,
                }
            }
        };
        lines.push(CodeLine::Instruction { at, text });
    }
    lines
}

/// Reads the first `limit` instructions of `code`, which is at `offset` in the
/// file.
pub(crate) fn function(
    name: String,
    chip: Chip,
    offset: usize,
    code: &[u8],
    limit: usize,
    names: &BTreeMap<u64, String>,
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
    let rest = code.len() % GROUP_BYTES;
    let listed = (limit / SLOTS * GROUP_BYTES).min(code.len() - rest);
    // Diagnostic of the first invalid control word.
    let mut odd_word = None;
    let mut odd_words = 0_usize;
    let mut controls = Vec::new();
    for (index, group) in code[..listed].chunks_exact(GROUP_BYTES).enumerate() {
        let mut found = Diagnostics::new();
        controls.push(ControlWord::decode(group, &mut found).map(|c| c.slots));
        if let Some(diagnostic) = found.all().first() {
            odd_words += 1;
            odd_word.get_or_insert_with(|| {
                let at = offset + index * GROUP_BYTES;
                format!("byte {at:#x}: {}", diagnostic.message())
            });
        }
    }
    for line in lines(chip, &code[..listed], names, &mut 0) {
        function.items.push(match line {
            CodeLine::Label(name) => Item {
                offset: function.items.last().map_or(offset, |last| last.offset),
                bytes: Vec::new(),
                content: Content::Label(name),
            },
            CodeLine::Instruction { at, text } => {
                let word: [u8; WORD] = code[at..at + WORD].try_into().expect("8 bytes");
                let slots = controls[at / GROUP_BYTES];
                let slot = slots.map(|slots| slots[at % GROUP_BYTES / WORD - 1]);
                let decoded = decode(&mut assembler, word, slot);
                Item {
                    offset: offset + at,
                    bytes: word.to_vec(),
                    content: decoded.unwrap_or(Content::Other(text)),
                }
            }
        });
    }
    if listed < code.len() - rest {
        function.cut_off(listed / GROUP_BYTES * SLOTS);
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
