//! Cubins: ELF files for NVIDIA GPUs. The code of each kernel is a section
//! `.text.NAME`; the low byte of `e_flags` is the compute capability
//! (observed in cubins of ptxas).

use super::{chip, code};
use crate::{FileError, FileKind, Function, MAX_FUNCTIONS, MAX_NAME, OpenedFile};
use crate::{functions_note, limit, text};
use lanewise_core::isa::Target;
use lanewise_core::isa::sass::chip::Chip;
use object::read::elf::{ElfFile, ElfSection, FileHeader};
use object::{Endianness, FileKind as Container, Object, ObjectSection};

/// `e_machine` of NVIDIA GPUs (EM_CUDA).
const EM_CUDA: u16 = 190;

/// Sections with code begin with it.
const TEXT: &str = ".text.";

/// Whether the bytes are a fat binary, alone or as `.nv_fatbin` holds it.
pub(crate) fn is_fat_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&0xba55_ed50_u32.to_le_bytes())
}

/// Opens a cubin.
pub(crate) fn open(bytes: &[u8]) -> Result<OpenedFile, FileError> {
    match Container::parse(bytes) {
        Ok(Container::Elf64) => read::<object::elf::FileHeader64<Endianness>>(bytes),
        Ok(Container::Elf32) => read::<object::elf::FileHeader32<Endianness>>(bytes),
        Ok(_) | Err(_) => Err(FileError::new(0, "the ELF header is damaged")),
    }
}

fn read<Elf: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Result<OpenedFile, FileError> {
    let damaged =
        |error: object::Error| FileError::new(0, format!("the ELF file is damaged: {error}"));
    let file = ElfFile::<Elf>::parse(bytes).map_err(damaged)?;
    let header = file.elf_header();
    let machine = header.e_machine(file.endian());
    let sections = named_sections(&file, bytes.len())?;
    if sections.iter().any(|(name, _)| *name == b".nv_fatbin") {
        return Err(FileError::new(
            0,
            "this is a host program with a CUDA fat binary in it: take the cubins out with `cuobjdump -xelf all`",
        ));
    }
    if machine != EM_CUDA {
        return Err(FileError::new(
            18,
            format!("this ELF file is for machine {machine}, not for NVIDIA GPUs ({EM_CUDA})"),
        ));
    }
    let flags = header.e_flags(file.endian());
    let sm = flags.to_le_bytes()[0];
    let mut functions = Vec::new();
    let mut notes = Vec::new();
    let known = chip(sm);
    if known.is_none() {
        notes.push(format!(
            "it is for SM{sm}; instructions of SM50 to SM62 are read"
        ));
    }
    for (name, section) in sections {
        let Some(name) = name.strip_prefix(TEXT.as_bytes()) else {
            continue;
        };
        let name = String::from_utf8_lossy(name);
        let name = text::cut(&name, MAX_NAME);
        let offset = section.file_range().map_or(0, |(start, _)| start);
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let data = section.data().map_err(|error| {
            FileError::new(
                offset.min(bytes.len()),
                format!("the section {TEXT}{name} is damaged: {error}"),
            )
        })?;
        if functions.len() == MAX_FUNCTIONS {
            notes.push(functions_note());
            break;
        }
        functions.push(match known {
            Some(chip) => code::function(name.into_owned(), chip, offset, data, limit(&functions)),
            None => Function {
                name: name.into_owned(),
                target: Target::Sass(Chip::Sm50),
                declarations: Vec::new(),
                items: Vec::new(),
                notes: vec![format!(
                    "{} bytes of code for SM{sm} are not read",
                    data.len()
                )],
            },
        });
    }
    if functions.is_empty() {
        notes.push(format!("there is no section {TEXT}* with code in it"));
    }
    Ok(OpenedFile {
        kind: FileKind::Cubin { sm },
        functions,
        notes,
    })
}

/// A section with its name.
type Named<'d, 'f, Elf> = (&'d [u8], ElfSection<'d, 'f, Elf, &'d [u8]>);

/// The sections with their names. Names may share their ends, but those of
/// real files are no longer than the file together.
fn named_sections<'d, 'f, Elf: FileHeader<Endian = Endianness>>(
    file: &'f ElfFile<'d, Elf>,
    bytes: usize,
) -> Result<Vec<Named<'d, 'f, Elf>>, FileError> {
    let mut sections = Vec::new();
    let mut names = 0;
    for section in file.sections() {
        let Ok(name) = section.name_bytes() else {
            continue;
        };
        names += name.len();
        if names > bytes {
            return Err(FileError::new(
                0,
                "the ELF file is damaged: the names of its sections are longer than the file",
            ));
        }
        sections.push((name, section));
    }
    Ok(sections)
}
