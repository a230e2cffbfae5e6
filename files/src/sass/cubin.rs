//! Cubins: ELF files for NVIDIA GPUs. The code of each kernel is a section
//! `.text.NAME`; the low byte of `e_flags` is the compute capability
//! (observed in cubins of ptxas).

use super::{chip, code};
use crate::{FileError, FileKind, Function, OpenedFile};
use lanewise_core::isa::Target;
use lanewise_core::isa::sass::chip::Chip;
use object::read::elf::{ElfFile, FileHeader};
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
    if file.section_by_name(".nv_fatbin").is_some() {
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
    for section in file.sections() {
        let Ok(Some(name)) = section.name().map(|name| name.strip_prefix(TEXT)) else {
            continue;
        };
        let offset = section.file_range().map_or(0, |(start, _)| start);
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let data = section.data().map_err(|error| {
            FileError::new(
                offset,
                format!("the section {TEXT}{name} is damaged: {error}"),
            )
        })?;
        functions.push(match known {
            Some(chip) => code::function(name.to_owned(), chip, offset, data),
            None => Function {
                name: name.to_owned(),
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
