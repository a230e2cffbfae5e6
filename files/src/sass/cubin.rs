//! Cubins: ELF files for NVIDIA GPUs. Each kernel has a section `.text.NAME`.

use super::code::EM_CUDA;
use super::sections::{content, named_sections};
use super::{code, damaged, decoded_chip, kernel};
use crate::{FileError, FileKind, Function, MAX_FUNCTIONS, MAX_NAME, OpenedFile};
use crate::{functions_note, limit, text};
use lanewise_core::isa::Target;
use lanewise_core::isa::sass::chip::Chip;
use object::elf::EM_NONE;
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{Endianness, FileKind as Container, ObjectSection};

/// Prefix of code sections.
const TEXT: &str = ".text.";

/// Opens a cubin.
pub(crate) fn open(bytes: &[u8]) -> Result<OpenedFile, FileError> {
    let mut functions = Vec::new();
    let mut notes = Vec::new();
    let sm = read(bytes, 0, &mut functions, &mut notes)?;
    Ok(OpenedFile {
        kind: FileKind::Cubin { sm },
        functions,
        notes,
    })
}

/// Adds the functions and notes of a cubin at offset `base`. Returns its compute
/// capability.
pub(super) fn read(
    bytes: &[u8],
    base: usize,
    functions: &mut Vec<Function>,
    notes: &mut Vec<String>,
) -> Result<u8, FileError> {
    let read = match Container::parse(bytes) {
        Ok(Container::Elf64) => ElfFile::<FileHeader64<Endianness>>::parse(bytes)
            .map_err(damaged)
            .and_then(|file| read_elf(&file, bytes, base, functions, notes)),
        Ok(Container::Elf32) => ElfFile::<FileHeader32<Endianness>>::parse(bytes)
            .map_err(damaged)
            .and_then(|file| read_elf(&file, bytes, base, functions, notes)),
        Ok(_) | Err(_) => Err(FileError::new(0, "invalid ELF header")),
    };
    read.map_err(|error| FileError {
        offset: base + error.offset,
        ..error
    })
}

fn read_elf<Elf: FileHeader<Endian = Endianness>>(
    file: &ElfFile<'_, Elf>,
    bytes: &[u8],
    base: usize,
    functions: &mut Vec<Function>,
    notes: &mut Vec<String>,
) -> Result<u8, FileError> {
    let header = file.elf_header();
    let machine = header.e_machine(file.endian());
    if machine == EM_NONE {
        return Err(FileError::new(
            18,
            "an ELF file without a machine; if ocloc wrote it, add \
             `-internal_options \"-cl-intel-allow-zebin -ze-emit-zebin-visa-sections\"` to its command",
        ));
    }
    if machine != EM_CUDA {
        return Err(FileError::new(
            18,
            format!("unsupported ELF machine {machine}; expected {EM_CUDA} (NVIDIA GPUs)"),
        ));
    }
    let sm = code::compute_capability(header, file.endian());
    let known = decoded_chip(sm);
    if known.is_none() {
        notes.push(code::advise_listing(sm));
    }
    let before = functions.len();
    for (name, section) in named_sections(file, bytes.len())? {
        let Some(own) = name.strip_prefix(TEXT.as_bytes()) else {
            continue;
        };
        let own = String::from_utf8_lossy(own);
        let own = text::cut(&own, MAX_NAME);
        let (offset, data) = content(name, &section, bytes)?;
        if functions.len() == MAX_FUNCTIONS {
            notes.push(functions_note());
            break;
        }
        functions.push(match known {
            Some(chip) => {
                let limit = limit(functions);
                let names = code::names(file, section.index());
                code::function(own.into_owned(), chip, base + offset, data, limit, &names)
            }
            None => Function {
                name: own.into_owned(),
                target: Target::Sass(Chip::Sm50),
                declarations: Vec::new(),
                items: Vec::new(),
                notes: vec![format!("{} bytes of code for SM{sm} skipped", data.len())],
            },
        });
    }
    if known.is_none() {
        kernel::describe(bytes, sm, functions.get_mut(before..).unwrap_or_default());
    }
    if functions.len() == before {
        notes.push(format!(
            "the file does not have a {TEXT}* section with code"
        ));
    }
    Ok(sm)
}
