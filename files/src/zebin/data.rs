//! Data of compiled programs that kernels address by name: constant tables and variables
//! of the program.

use crate::FileError;
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol, SectionIndex, SymbolSection};
use std::fmt::Write;

/// Prefixes of the names of data sections: initialized and zero.
const SECTIONS: [&str; 2] = [".data.", ".bss."];

/// Data with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Data {
    pub(super) name: String,
    bytes: Vec<u8>,
    /// Whether the data contains addresses that a loader fills in.
    pub(super) has_addresses: bool,
}

impl Data {
    /// A `.data` line. Trailing zeros are omitted.
    pub(super) fn line(&self) -> String {
        let (ty, size) = match self.bytes.len() % 4 {
            0 => ("ud", 4),
            _ => ("ub", 1),
        };
        let mut values: Vec<u32> = self.bytes.chunks(size).map(little_endian).collect();
        let mut line = format!(".data \"{}\" : {ty}[{}]", self.name, values.len());
        let used = values.iter().rposition(|value| *value != 0);
        values.truncate(used.map_or(0, |last| last + 1));
        for (index, value) in values.iter().enumerate() {
            let separator = if index == 0 { " = " } else { ", " };
            let _ = write!(line, "{separator}{value:#x}");
        }
        line
    }
}

fn little_endian(bytes: &[u8]) -> u32 {
    let bytes = bytes.iter().rev();
    bytes.fold(0, |value, byte| value << 8 | u32::from(*byte))
}

/// The data of a program.
pub(super) fn read(file: &ElfFile64<'_>) -> Result<Vec<Data>, FileError> {
    let mut all = Vec::new();
    for symbol in file.symbols() {
        let SymbolSection::Section(index) = symbol.section() else {
            continue;
        };
        let Some(section) = data_section(file, index) else {
            continue;
        };
        let name = symbol.name().map_err(super::damaged)?;
        if name.is_empty() || name.contains(['"', '\n']) {
            continue;
        }
        let start = symbol.address().wrapping_sub(section.address());
        let size = match symbol.size() {
            0 => section.size().saturating_sub(start),
            size => size,
        };
        let content = section.data().map_err(super::damaged)?;
        let bytes = match content.is_empty() {
            true => zeros(size),
            false => range(content, start, size).map(<[u8]>::to_vec),
        };
        let outside = || super::damaged(format!("`{name}` lies outside its section"));
        let mut relocations = section.relocations();
        all.push(Data {
            name: name.to_owned(),
            bytes: bytes.ok_or_else(outside)?,
            has_addresses: relocations.any(|(at, _)| at.wrapping_sub(start) < size),
        });
    }
    Ok(all)
}

fn data_section<'d, 'f>(
    file: &'f ElfFile64<'d>,
    index: SectionIndex,
) -> Option<object::read::elf::ElfSection64<'d, 'f>> {
    let section = file.section_by_index(index).ok()?;
    let name = section.name().ok()?;
    let is_data = SECTIONS.iter().any(|prefix| name.starts_with(prefix));
    is_data.then_some(section)
}

fn range(content: &[u8], start: u64, size: u64) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    content.get(start..end)
}

/// Zeros of a section without content, which must fit into the memory of a scenario.
fn zeros(size: u64) -> Option<Vec<u8>> {
    let size = Some(size).filter(|size| *size <= lanewise_core::program::MAX_MAPPED)?;
    Some(vec![0; usize::try_from(size).ok()?])
}
