//! Sections of cubins and of host programs.

use super::damaged;
use crate::{FileError, MAX_NAME, text};
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, ElfSection, FileHeader};
use object::{Endianness, FileKind as Container, Object, ObjectSection};

/// Offset and contents of the first ELF section with one of these names.
pub(super) fn section<'d>(
    bytes: &'d [u8],
    names: &[&[u8]],
) -> Result<Option<(usize, &'d [u8])>, FileError> {
    fn find<'d, Elf: FileHeader<Endian = Endianness>>(
        bytes: &'d [u8],
        names: &[&[u8]],
    ) -> Result<Option<(usize, &'d [u8])>, FileError> {
        let file = ElfFile::<Elf>::parse(bytes).map_err(damaged)?;
        let sections = named_sections(&file, bytes.len())?;
        let found = sections.iter().find(|(name, _)| names.contains(name));
        found
            .map(|(name, section)| content(name, section, bytes))
            .transpose()
    }
    match Container::parse(bytes) {
        Ok(Container::Elf64) => find::<FileHeader64<Endianness>>(bytes, names),
        Ok(Container::Elf32) => find::<FileHeader32<Endianness>>(bytes, names),
        Ok(_) | Err(_) => Err(FileError::new(0, "invalid ELF header")),
    }
}

/// Offset and contents of a section.
pub(super) fn content<'d, Elf: FileHeader<Endian = Endianness>>(
    name: &[u8],
    section: &ElfSection<'d, '_, Elf, &'d [u8]>,
    bytes: &[u8],
) -> Result<(usize, &'d [u8]), FileError> {
    let offset = section.file_range().map_or(0, |(start, _)| start);
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    let data = section.data().map_err(|error| {
        let name = String::from_utf8_lossy(name);
        let name = text::cut(&name, MAX_NAME);
        FileError::new(
            offset.min(bytes.len()),
            format!("invalid section {name}: {error}"),
        )
    })?;
    Ok((offset, data))
}

/// Name and section.
pub(super) type Named<'d, 'f, Elf> = (&'d [u8], ElfSection<'d, 'f, Elf, &'d [u8]>);

/// Returns the sections with their names. Names may overlap, but the total length
/// of the names in real files does not exceed the size of the file.
pub(super) fn named_sections<'d, 'f, Elf: FileHeader<Endian = Endianness>>(
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
                "invalid ELF file: the section names are longer than the file",
            ));
        }
        sections.push((name, section));
    }
    Ok(sections)
}
