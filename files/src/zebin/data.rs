//! Data of compiled programs: constant tables, variables of the program and strings, with
//! the addresses that a loader fills in.
//!
//! A kernel reaches data by the name of a symbol (`faddr`), or by the address of a whole
//! region, which is an argument (`const_base`, `global_base`).

use crate::FileError;
use lanewise_core::number::little_endian;
use lanewise_core::program::MAX_MAPPED;
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget};
use object::{SectionIndex, SymbolSection};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Prefixes of the names of data sections: initialized, and zero. A zero section follows
/// the initialized one of the same name (compute-runtime).
const INITIALIZED: &str = ".data.";
const ZERO: &str = ".bss.";

/// The data of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProgramData {
    regions: Vec<Region>,
    symbols: Vec<Symbol>,
}

/// A section of data.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Region {
    name: String,
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

/// Data with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Symbol {
    name: String,
    place: Place,
    size: u64,
}

/// A byte of a region, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    region: usize,
    offset: u64,
}

/// An address in a region that a loader fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Relocation {
    at: u64,
    part: Part,
    /// What has the address; or the name of something that is not data.
    target: Result<Place, String>,
}

/// Part of an address. Source: zebin specification, R_ZE_SYM_ADDR and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    Low,
    High,
}

impl Part {
    const fn of(kind: u32) -> Option<Self> {
        match kind {
            1 => Some(Self::Whole),
            2 => Some(Self::Low),
            3 => Some(Self::High),
            _ => None,
        }
    }

    const fn bytes(self) -> u64 {
        match self {
            Self::Whole => 8,
            Self::Low | Self::High => 4,
        }
    }

    /// Suffix of the address in `.bind`.
    const fn suffix(self) -> &'static str {
        match self {
            Self::Whole => "",
            Self::Low => " : low",
            Self::High => " : high",
        }
    }
}

impl ProgramData {
    /// Reads the data of a program.
    ///
    /// # Errors
    /// If the file is damaged.
    pub(super) fn read(file: &ElfFile64<'_>) -> Result<Self, FileError> {
        let mut data = Self::default();
        // The regions of sections, with the offset at which each starts.
        let mut places: Vec<(SectionIndex, Place)> = Vec::new();
        for (prefix, is_zero) in [(INITIALIZED, false), (ZERO, true)] {
            for section in file.sections() {
                let name = section.name().map_err(super::damaged)?;
                let Some(suffix) = name.strip_prefix(prefix) else {
                    continue;
                };
                let place = data.add(suffix, if is_zero { section.size() } else { 0 })?;
                if !is_zero {
                    let content = section.data().map_err(super::damaged)?;
                    data.regions[place.region].bytes.extend_from_slice(content);
                }
                places.push((section.index(), place));
            }
        }
        let place = |section: SectionIndex, offset: u64| {
            let known = places.iter().find(|(index, _)| *index == section)?;
            Some(Place {
                region: known.1.region,
                offset: known.1.offset.checked_add(offset)?,
            })
        };
        for symbol in file.symbols() {
            let name = symbol.name().map_err(super::damaged)?;
            let SymbolSection::Section(section) = symbol.section() else {
                continue;
            };
            let Some(place) = place(section, symbol.address()) else {
                continue;
            };
            if name.is_empty() || name.contains(['"', '\n']) {
                continue;
            }
            data.add_symbol(name, place, symbol.size())?;
        }
        for (section, own) in &places {
            let section = file.section_by_index(*section).map_err(super::damaged)?;
            for (at, relocation) in section.relocations() {
                let RelocationTarget::Symbol(index) = relocation.target() else {
                    return Err(super::damaged("a relocation without a symbol"));
                };
                let symbol = file.symbol_by_index(index).map_err(super::damaged)?;
                let name = symbol.name().unwrap_or("").to_owned();
                let section = match symbol.section() {
                    SymbolSection::Section(section) => Some(section),
                    _ => None,
                };
                let kind = match relocation.flags() {
                    RelocationFlags::Elf { r_type } => r_type,
                    _ => 0,
                };
                let unknown = || super::damaged(format!("unknown relocation {kind} of `{name}`"));
                let part = Part::of(kind).ok_or_else(unknown)?;
                let region = &mut data.regions[own.region];
                let at = own.offset.saturating_add(at);
                let field = range(&mut region.bytes, at, part.bytes());
                let field = field.ok_or_else(|| {
                    super::damaged(format!(
                        "the relocation of `{name}` at {at:#x} lies outside `{}`",
                        region.name
                    ))
                })?;
                let addend = match (relocation.has_implicit_addend(), part) {
                    (false, _) => relocation.addend().cast_unsigned(),
                    (true, Part::High) => 0,
                    (true, Part::Whole | Part::Low) => little_endian(field),
                };
                field.fill(0);
                let target = section.and_then(|section| place(section, symbol.address()));
                let target = match target {
                    Some(start) => {
                        let offset = start.offset.wrapping_add(addend);
                        // One past the end is a valid address.
                        if offset > data.regions[start.region].bytes.len() as u64 {
                            return Err(super::damaged(format!(
                                "the address of `{name}` at {at:#x} lies outside its target"
                            )));
                        }
                        Ok(Place { offset, ..start })
                    }
                    None => Err(name),
                };
                let relocation = Relocation { at, part, target };
                data.regions[own.region].relocations.push(relocation);
            }
        }
        Ok(data)
    }

    /// The end of the region with this suffix, which grows by some zero bytes.
    fn add(&mut self, suffix: &str, zeros: u64) -> Result<Place, FileError> {
        let name = format!("{INITIALIZED}{suffix}");
        let known = self.regions.iter().position(|region| region.name == name);
        let region = known.unwrap_or_else(|| {
            self.regions.push(Region {
                name,
                bytes: Vec::new(),
                relocations: Vec::new(),
            });
            self.regions.len() - 1
        });
        let bytes = &mut self.regions[region].bytes;
        let offset = bytes.len();
        let end = usize::try_from(zeros)
            .ok()
            .and_then(|zeros| offset.checked_add(zeros));
        let end = end.filter(|end| *end as u64 <= MAX_MAPPED);
        let name = &self.regions[region].name;
        let end = end.ok_or_else(|| {
            super::damaged(format!("the data `{name}` exceeds {MAX_MAPPED:#x} bytes"))
        })?;
        self.regions[region].bytes.resize(end, 0);
        Ok(Place {
            region,
            offset: offset as u64,
        })
    }

    fn add_symbol(&mut self, name: &str, place: Place, size: u64) -> Result<(), FileError> {
        let length = self.regions[place.region].bytes.len() as u64;
        let left = length.checked_sub(place.offset);
        let size = match size {
            0 => left,
            size => left.filter(|left| size <= *left).map(|_| size),
        };
        let outside = || super::damaged(format!("`{name}` lies outside its section"));
        self.symbols.push(Symbol {
            name: name.to_owned(),
            place,
            size: size.ok_or_else(outside)?,
        });
        Ok(())
    }

    /// The region with the suffix of its name, such as `const`.
    pub(super) fn region(&self, suffix: &str) -> Option<&str> {
        let mut names = self.regions.iter().map(|region| &*region.name);
        names.find(|name| name.strip_prefix(INITIALIZED) == Some(suffix))
    }

    /// Whether a symbol has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.symbols.iter().any(|symbol| symbol.name == name)
    }

    /// Something that is not data and whose address the data contains.
    pub(super) fn foreign_address(&self) -> Option<&str> {
        let mut all = self.regions.iter().flat_map(|region| &region.relocations);
        all.find_map(|relocation| relocation.target.as_ref().err().map(|name| &**name))
    }

    /// `.data` and `.bind` lines for the regions and the names that a kernel uses.
    pub(super) fn lines(&self, regions: &[&str], names: &[&str]) -> String {
        let mut needed: BTreeSet<usize> = (0..self.regions.len())
            .filter(|index| regions.contains(&&*self.regions[*index].name))
            .collect();
        let is_used = |symbol: &&Symbol| names.contains(&&*symbol.name);
        let symbols: Vec<&Symbol> = self.symbols.iter().filter(is_used).collect();
        let mut out = String::new();
        let has_addresses = |symbol: &&Symbol| {
            let relocations = &self.regions[symbol.place.region].relocations;
            let inside = |r: &Relocation| r.at.wrapping_sub(symbol.place.offset) < symbol.size;
            relocations.iter().any(inside)
        };
        if needed.is_empty() && !symbols.iter().any(has_addresses) {
            for symbol in symbols {
                let bytes = self.bytes(symbol);
                let _ = writeln!(out, "{}", line(&symbol.name, bytes));
            }
            return out;
        }
        needed.extend(symbols.iter().map(|symbol| symbol.place.region));
        let mut pending: Vec<usize> = needed.iter().copied().collect();
        while let Some(region) = pending.pop() {
            let targets = self.regions[region].relocations.iter();
            let targets = targets.filter_map(|r| Some(r.target.as_ref().ok()?.region));
            pending.extend(targets.filter(|target| needed.insert(*target)));
        }
        for index in &needed {
            let region = &self.regions[*index];
            let _ = writeln!(out, "{}", line(&region.name, &region.bytes));
        }
        for symbol in symbols {
            let (name, place) = (&symbol.name, self.address(symbol.place));
            let _ = writeln!(out, ".data \"{name}\" = {place}");
        }
        for index in &needed {
            let region = &self.regions[*index];
            for relocation in &region.relocations {
                if let Ok(target) = relocation.target {
                    let (name, at) = (&region.name, relocation.at);
                    let (place, suffix) = (self.address(target), relocation.part.suffix());
                    let _ = writeln!(out, ".bind \"{name}\"[{at}] = {place}{suffix}");
                }
            }
        }
        out
    }

    /// The content of a symbol.
    fn bytes(&self, symbol: &Symbol) -> &[u8] {
        let start = usize::try_from(symbol.place.offset).expect("inside the region");
        let size = usize::try_from(symbol.size).expect("inside the region");
        &self.regions[symbol.place.region].bytes[start..start + size]
    }

    /// An address as `.bind` takes it.
    fn address(&self, place: Place) -> String {
        let name = &self.regions[place.region].name;
        match place.offset {
            0 => format!("&\"{name}\""),
            offset => format!("&\"{name}\" + {offset}"),
        }
    }
}

/// A `.data` line. Trailing zeros are omitted.
fn line(name: &str, bytes: &[u8]) -> String {
    let (ty, size) = match bytes.len() % 4 {
        0 => ("ud", 4),
        _ => ("ub", 1),
    };
    let mut values: Vec<u64> = bytes.chunks(size).map(little_endian).collect();
    let mut line = format!(".data \"{name}\" : {ty}[{}]", values.len());
    let used = values.iter().rposition(|value| *value != 0);
    values.truncate(used.map_or(0, |last| last + 1));
    for (index, value) in values.iter().enumerate() {
        let separator = if index == 0 { " = " } else { ", " };
        let _ = write!(line, "{separator}{value:#x}");
    }
    line
}

/// A part of some bytes, if it lies inside.
fn range(bytes: &mut [u8], start: u64, size: u64) -> Option<&mut [u8]> {
    let start = usize::try_from(start).ok()?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    bytes.get_mut(start..end)
}
