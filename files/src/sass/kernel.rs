//! Kernels for NVIDIA GPUs that can be launched: the lines of a listing, and what a listing
//! lacks from the cubin beside it: places of the parameters, constant banks, shared memory
//! and variables.
//!
//! Sources: CuAssembler for the sections of a cubin; observed in cubins of ptxas 11.8,
//! NVRTC 12.4 and 13.5.

use super::code::{self, CodeLine};
use super::inference::{Inference, Inferred};
use super::listing::{compute_capability, function_name, read_line};
use super::{damaged, entries};
use crate::memory;
use crate::notes::{Counts, mnemonic, not_modelled_note};
use crate::zebin::{Argument, ArgumentKind, LaunchValue};
use crate::{FileError, Function, MAX_FILE_INSTRUCTIONS};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::ide::{PROPOSED, opencl_name};
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::op;
use lanewise_core::isa::sass::op::SassLine;
use lanewise_core::isa::sass::op::flow::WarpFlow;
use lanewise_core::isa::{SymbolTable, Target};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::{ElementType, from_f64, literal, little_endian};
use lanewise_core::program::{Program, SOURCE_LINE, Sizes};
use object::read::elf::{ElfFile64, ElfSymbol64, FileHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolIndex, SymbolKind};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

/// Attribute of `.nv.info` with the place of a parameter.
const PARAMETER: u8 = 0x17;

/// Types of relocations that are addresses, and their bytes.
const ADDRESS_TYPES: [(u64, usize); 3] = [(1, 4), (2, 8), (4, 8)];

/// Types of relocations in code: the lower and the upper word of an address, and a target.
const LOWER_TYPES: [u64; 2] = [0x2b, 0x38];
const UPPER_TYPES: [u64; 2] = [0x2c, 0x39];
const TARGET_TYPES: [u64; 3] = [0x2a, 0x3a, 0x4b];

/// Address of the first variable of a module, above all buffers.
const VARIABLES: u64 = 0x40_0000_0000;

/// Generic address of bank 3, in which `__constant__` variables are, for kernels that take it.
const CONSTANTS: u64 = 0x50_0000_0000;

/// Shared memory of a kernel whose listing does not say how much it has: the most that a
/// block can declare.
const MOST_SHARED: u64 = 48 << 10;
/// Alignment of arguments in shared memory.
const SHARED_ALIGN: u64 = 16;
const ASSUMED_SHARED: &str = "  // assumed: the listing does not say how much; the cubin does";

/// Blocks of a proposed launch.
const PROPOSED_GRID: Sizes = [2, 1, 1];

/// Threads of a block of a proposed launch.
const PROPOSED_BLOCK: Sizes = [64, 1, 1];

/// Threads of a proposed launch: also the value of its numbers, and the elements of its
/// buffers.
const PROPOSED_THREADS: u32 = 128;

/// Bytes of the parameters of a kernel, at most (from CUDA 12.1 on).
const PARAMETER_BYTES: u32 = 32_764;

/// Largest section of variables of a module, in bytes.
const MAX_VARIABLES: usize = 16 << 20;

/// Shared memory below this offset belongs to the system from SM90 on.
const SYSTEM_SHARED: u64 = 0x400;

/// A program for NVIDIA GPUs.
#[derive(Clone, Debug)]
pub struct WarpProgram {
    /// The chip that it is compiled for.
    pub chip: Chip,
    /// Its kernels, in the order of the file.
    pub kernels: Vec<WarpKernel>,
    variables: Vec<Variable>,
    /// Addresses of functions in them: index of the variable, and address.
    pointers: Vec<(usize, CodePointer)>,
    /// Stand-ins for the functions of which constant banks and variables have the addresses, and
    /// which are nowhere defined, such as `vprintf`.
    externals: Vec<WarpKernel>,
    /// Kernels of the cubin beside a listing.
    beside: Option<Vec<String>>,
}

/// A kernel.
#[derive(Clone, Debug, Default)]
pub struct WarpKernel {
    /// Its name.
    pub name: String,
    lines: Vec<String>,
    details: Details,
    /// Names of its parameters, if the source is known.
    names: Vec<String>,
    /// Uses of its parameters, found when they are first needed.
    inference: OnceCell<Inference>,
}

/// Contents of the cubin other than code.
#[derive(Clone, Debug, Default)]
struct Details {
    /// Offset and size of each parameter in constant bank 0, if they are known.
    parameters: Option<Vec<(u32, u32)>>,
    /// Static shared memory in bytes, if it is known.
    shared: Option<u64>,
    /// Constant banks.
    banks: Vec<(u8, Vec<u8>)>,
    /// Whether it has constant banks of its own.
    has_own_banks: bool,
    /// Addresses of functions in constant banks.
    pointers: Vec<(u8, CodePointer)>,
    /// Constants of unknown value.
    unlinked: Vec<(u8, UnlinkedValue)>,
}

/// A value that a linker has yet to fill in.
#[derive(Clone, Debug)]
struct UnlinkedValue {
    offset: u64,
    bytes: u64,
    /// `relocation 0x2 of counter`.
    relocation: String,
}

/// A place that holds the address of code.
#[derive(Clone, Debug)]
struct CodePointer {
    offset: u64,
    bytes: usize,
    /// The kernel or function with the code.
    section: String,
    /// Byte in that.
    address: u64,
}

/// A kernel with the functions that it may call, which follow one another.
struct Linked<'p> {
    /// Each with its address.
    sections: Vec<(&'p WarpKernel, u64)>,
}

impl Linked<'_> {
    /// The address of a kernel or function.
    fn address_of(&self, name: &str) -> Option<u64> {
        let mut sections = self.sections.iter();
        let found = sections.find(|(section, _)| section.name == name);
        found.map(|(_, address)| *address)
    }
}

/// A change that a linker makes to an instruction.
#[derive(Clone, Debug)]
struct Relocation {
    kind: u64,
    symbol: String,
    addend: u64,
}

/// A variable of a module, or a `__constant__` one in bank 3.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    /// Address in global memory; `None` in bank 3.
    address: Option<u64>,
    /// Offset in its section.
    offset: u64,
    bytes: Vec<u8>,
}

/// A parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpParameter {
    /// Offset in constant bank 0.
    pub offset: u32,
    /// Number of bytes.
    pub size: u32,
    /// Whether it is taken as a pointer: it has eight bytes, and no instruction uses them as
    /// floats.
    pub is_buffer: bool,
    /// Type of the numbers, or of the elements of the buffer.
    pub inferred: Option<Inferred>,
    /// The first opcode that reads it as an integer or address, if it has no other use.
    pub integer: Option<&'static str>,
}

impl WarpParameter {
    /// Inferred type and the opcode it is inferred from. The type is `integer` if its sign is
    /// not known.
    #[must_use]
    pub fn inferred_type(&self) -> Option<(String, &'static str)> {
        match self.inferred {
            Some(inferred) => Some((self.type_name()?, inferred.opcode)),
            None if self.is_buffer => None,
            None => Some((String::from("integer"), self.integer?)),
        }
    }

    /// Type of the number in a proposed launch; `None` for 64 bits without a type.
    fn proposed_type(&self) -> Option<ElementType> {
        let inferred = self.inferred.map(|inferred| inferred.ty);
        let is_untyped_size = self.size == WarpProgram::UNTYPED.bytes().into();
        inferred.or(is_untyped_size.then_some(WarpProgram::UNTYPED))
    }

    /// The inferred type in OpenCL C: `float`, `float2`, or `float*` for a buffer.
    #[must_use]
    pub fn type_name(&self) -> Option<String> {
        let ty = self.inferred?.ty;
        let name = opencl_name(ty);
        Some(match self.size / u32::from(ty.bytes()) {
            _ if self.is_buffer => format!("{name}*"),
            1 => name.to_owned(),
            components => format!("{name}{components}"),
        })
    }
}

/// A launch.
#[derive(Clone, Debug, Default)]
pub struct WarpLaunch {
    /// Blocks.
    pub grid: Sizes,
    /// Threads of a block.
    pub block: Sizes,
    /// Arguments in their order.
    pub arguments: Vec<LaunchValue>,
    /// Dynamic shared memory in bytes.
    pub shared: u64,
    /// Contents of variables.
    pub symbols: BTreeMap<String, Vec<u8>>,
}

/// Adds what a cubin says about kernels whose code is not decoded: parameters, shared memory
/// and constants.
pub(super) fn describe(cubin: &[u8], sm: u8, functions: &mut [Function]) {
    let Some(chip) = super::chip(sm) else {
        return;
    };
    let kernel = |function: &Function| WarpKernel {
        name: function.name.clone(),
        ..WarpKernel::default()
    };
    let mut program = WarpProgram {
        chip,
        kernels: functions.iter().map(kernel).collect(),
        variables: Vec::new(),
        pointers: Vec::new(),
        externals: Vec::new(),
        beside: None,
    };
    let read = program.read_cubin(cubin);
    for (function, kernel) in functions.iter_mut().zip(&program.kernels) {
        function.target = Target::Sass(chip);
        let about = match &read {
            Ok(()) => kernel.details.to_string(),
            Err(error) => error.to_string(),
        };
        function
            .notes
            .insert(0, format!("`{}`: {about}", kernel.name));
    }
}

impl fmt::Display for Details {
    /// `parameters at 0x160 (8 bytes), 0x168 (4 bytes); 1024 bytes of shared memory`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |(at, bytes): &(u32, u32)| format!("{at:#x} ({bytes} bytes)");
        let parameters = self.parameters.as_deref().unwrap_or_default();
        let places: Vec<String> = parameters.iter().map(place).collect();
        match places.as_slice() {
            [] => write!(f, "no parameters")?,
            places => write!(f, "parameters at {}", places.join(", "))?,
        }
        if let Some(shared) = self.shared.filter(|shared| *shared > 0) {
            write!(f, "; {shared} bytes of shared memory")?;
        }
        for (bank, bytes) in &self.banks {
            write!(f, "; {} bytes of constants in bank {bank}", bytes.len())?;
        }
        Ok(())
    }
}

impl WarpProgram {
    /// Reads a listing. Without the cubin, the places of the parameters follow their sizes,
    /// and constant banks and shared memory are empty.
    ///
    /// # Errors
    /// If it names no chip, or one that is not supported, or has no code.
    pub fn of_listing(text: &str, cubin: Option<&[u8]>) -> Result<Self, FileError> {
        let sm = compute_capability(text);
        let sm = sm.ok_or_else(|| FileError::new(0, "the listing does not name its chip"))?;
        let chip = super::chip(sm);
        let chip = chip.ok_or_else(|| FileError::new(0, format!("SM{sm} is not supported")))?;
        let mut program = Self {
            chip,
            kernels: Vec::new(),
            variables: Vec::new(),
            pointers: Vec::new(),
            externals: Vec::new(),
            beside: None,
        };
        let encodings = cubin
            .map(ElfFile64::<Endianness>::parse)
            .and_then(Result::ok);
        let mut in_code = false;
        let mut unlinked = BTreeMap::new();
        let mut names = BTreeMap::new();
        for line in text.lines() {
            if let Some(name) = function_name(line) {
                in_code = true;
                let last = program.kernels.last_mut();
                if last.as_ref().is_none_or(|kernel| kernel.name != name) {
                    // Without its directives, a listing has the label of a kernel before the
                    // line of its section.
                    if let Some(last) = last
                        && last.lines.last().and_then(|line| line.strip_suffix(':')) == Some(name)
                    {
                        last.lines.pop();
                    }
                    if let Some(file) = &encodings {
                        unlinked = relocations(file, name)?;
                        let section = file.section_by_name(&format!(".text.{name}"));
                        names = section.map_or_else(BTreeMap::new, |section| {
                            code::names(file, section.index())
                        });
                    }
                    program.kernels.push(WarpKernel {
                        name: name.to_owned(),
                        ..WarpKernel::default()
                    });
                }
                continue;
            }
            if line.trim_start().starts_with(".section") {
                in_code = false;
            }
            let Some(kernel) = program.kernels.last_mut().filter(|_| in_code) else {
                continue;
            };
            let read = read_line(line);
            let code = match line.trim() {
                comment if comment.starts_with(SOURCE_LINE) => comment,
                _ => read.code,
            };
            if !is_instruction(code) || read.address.is_some() && !code.is_empty() {
                let beside = || {
                    let section = format!(".text.{}", kernel.name);
                    let section = encodings.as_ref()?.section_by_name(&section)?;
                    let word = section.data().ok()?.get(read.address?..)?.first_chunk()?;
                    Some(u64::from_le_bytes(*word))
                };
                let at = read.address.map(|at| at as u64);
                // cuobjdump prints no labels. One may be at a control word.
                let label = at.filter(|at| *at > 0).and_then(|at| {
                    let control = at.checked_sub(code::WORD as u64).filter(|_| chip.is_old());
                    let control = control.filter(|at| at.is_multiple_of(code::BYTES_OF_GROUP));
                    names
                        .get(&at)
                        .or_else(|| names.get(&control.filter(|at| *at > 0)?))
                });
                if let Some(name) = label {
                    let label = format!("{name}:");
                    if !kernel.lines.contains(&label) {
                        kernel.lines.push(label);
                    }
                }
                let relocation = at.and_then(|at| unlinked.get(&at));
                // nvdisasm prints the symbol, cuobjdump 0.
                let has_symbol = code.contains("32@") || code.contains('`');
                let exact = match () {
                    () if has_symbol => None,
                    () if relocation.is_some() => relocation.map(|found| found.applied_to(code)),
                    () if chip.is_old() => None,
                    () => with_nan_bits(code, || read.word.or_else(beside)),
                };
                kernel.lines.push(exact.unwrap_or_else(|| code.to_owned()));
            }
        }
        program.kernels.retain(|kernel| !kernel.lines.is_empty());
        if program.kernels.is_empty() {
            return Err(FileError::new(
                0,
                "the listing does not contain instructions",
            ));
        }
        if let Some(cubin) = cubin {
            program.beside = Some(kernels_beside(cubin, sm)?);
            program.read_cubin(cubin)?;
        }
        Ok(program)
    }

    /// Reads a cubin for SM50 to SM62, whose words are decoded, or the newest one of a fat
    /// binary.
    ///
    /// # Errors
    /// If it is for another chip, is damaged, or has no code.
    pub fn of_cubin(bytes: &[u8]) -> Result<Self, FileError> {
        let bytes = entries::newest_cubin(bytes).unwrap_or(bytes);
        let chip = code::decoded(bytes);
        let chip = chip.ok_or_else(|| FileError::new(0, code::undecoded(bytes)))?;
        let file = ElfFile64::<Endianness>::parse(bytes);
        let file = file.map_err(|error| FileError::new(0, format!("invalid cubin: {error}")))?;
        let mut program = Self {
            chip,
            kernels: Vec::new(),
            variables: Vec::new(),
            pointers: Vec::new(),
            externals: Vec::new(),
            beside: None,
        };
        let (mut listed, mut labels) = (0, 0);
        for section in file.sections() {
            let Some(name) = section
                .name()
                .ok()
                .and_then(|name| name.strip_prefix(".text."))
            else {
                continue;
            };
            let code = section.data().map_err(|error| {
                FileError::new(0, format!("invalid section .text.{name}: {error}"))
            })?;
            listed += code.len() / code::WORD;
            if listed > MAX_FILE_INSTRUCTIONS {
                let what = format!("more than {MAX_FILE_INSTRUCTIONS} words of code");
                return Err(FileError::new(0, what));
            }
            let names = code::names(&file, section.index());
            let relocations = relocations(&file, name)?;
            let lines = code::lines(chip, code, &names, &mut labels).into_iter();
            let lines = lines.map(|line| match line {
                CodeLine::Label(name) => format!("{name}:"),
                CodeLine::Instruction { at, text } => match relocations.get(&(at as u64)) {
                    Some(relocation) => relocation.applied_to(&text),
                    None => text,
                },
            });
            let lines: Vec<String> = lines.collect();
            program.kernels.push(WarpKernel {
                name: name.to_owned(),
                lines,
                ..WarpKernel::default()
            });
        }
        if program.kernels.is_empty() {
            return Err(FileError::new(0, "the cubin does not contain code"));
        }
        program.read_cubin(bytes)?;
        Ok(program)
    }

    /// Whether a file is a listing, or has a cubin whose words are decoded.
    #[must_use]
    pub fn recognises(bytes: &[u8]) -> bool {
        code::decoded(bytes).is_some()
            || entries::newest_cubin(bytes).is_some()
            || crate::decode_text(bytes).is_some_and(|text| recognises(&text))
    }

    /// Reads a listing, with the cubin beside it if it is given, or a cubin or fat binary whose
    /// words are decoded.
    ///
    /// # Errors
    /// If it is for a chip that is not supported, is damaged, or has no code.
    pub fn open(bytes: &[u8], beside: Option<&[u8]>) -> Result<Self, FileError> {
        if crate::is_elf(bytes) || entries::recognises(bytes) {
            if beside.is_some() {
                let what = "a file with code needs no cubin beside it";
                return Err(FileError::new(0, what));
            }
            return Self::of_cubin(bytes);
        }
        let text = crate::decode_text(bytes);
        let text =
            text.ok_or_else(|| FileError::unknown(0, "it is neither a listing nor a cubin"))?;
        Self::of_listing(&text, beside)
    }

    fn read_cubin(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let file = ElfFile64::<Endianness>::parse(bytes);
        let file = file.map_err(|error| FileError::new(0, format!("invalid cubin: {error}")))?;
        let section = |name: &str| {
            let section = file.section_by_name(name)?;
            Some((
                section.index(),
                section.size(),
                section.data().unwrap_or(&[]),
            ))
        };
        // Variables of a module lie in one place, those without contents behind the others.
        let mut at = VARIABLES;
        let mut starts = BTreeMap::new();
        for name in [".nv.global.init", ".nv.global"] {
            if let Some((index, size, data)) = section(name) {
                starts.insert(index.0, at);
                let mut contents = data.to_vec();
                let room = usize::try_from(size)
                    .ok()
                    .filter(|room| *room <= MAX_VARIABLES);
                let room = room.ok_or_else(|| {
                    let limit = MAX_VARIABLES >> 20;
                    let what = format!("{name}: {size} bytes of variables, more than {limit} MB");
                    FileError::new(0, what)
                })?;
                contents.resize(room, 0);
                self.variables.push(Variable {
                    name: name.to_owned(),
                    address: Some(at),
                    offset: 0,
                    bytes: contents,
                });
                at = (at + size).next_multiple_of(0x1_0000);
            }
        }
        let bank3 = section(".nv.constant3").map(|(index, ..)| index);
        let mut addresses = BTreeMap::new();
        for symbol in file.symbols() {
            let (Ok(name), Some(index)) = (symbol.name(), symbol.section_index()) else {
                continue;
            };
            let start = starts.get(&index.0).copied();
            if let Some(start) = start {
                addresses.insert(symbol.index().0, start + symbol.address());
            }
            let is_constant = bank3 == Some(index);
            if (start.is_some() || is_constant) && !name.is_empty() {
                self.variables.push(Variable {
                    name: name.to_owned(),
                    address: start.map(|start| start + symbol.address()),
                    offset: symbol.address(),
                    bytes: Vec::new(),
                });
            }
        }
        let sections = file.sections().filter_map(|section| {
            let name = section.name().ok()?.strip_prefix(".text.")?;
            Some((section.index().0, name.to_owned()))
        });
        let code: BTreeMap<usize, String> = sections
            .filter(|(_, name)| self.kernels.iter().any(|kernel| kernel.name == *name))
            .collect();
        // Applies the relocations of a section. Returns those that point to code, also to
        // functions that the file lacks, and the values of those that it cannot apply.
        let relocate = |name: &str, data: &mut Vec<u8>| {
            let (mut pointers, mut unlinked) = (Vec::new(), Vec::new());
            for (prefix, entry) in [(".rel", 16), (".rela", 24)] {
                let Some((_, _, table)) = section(&format!("{prefix}{name}")) else {
                    continue;
                };
                for entry in table.chunks_exact(entry) {
                    let (offset, info) = (long(entry, 0), long(entry, 8));
                    let symbol = usize::try_from(info >> 32).unwrap_or(usize::MAX);
                    let kind = info & 0xffff_ffff;
                    let found = addresses.get(&symbol).copied();
                    let known = file.symbol_by_index(SymbolIndex(symbol)).ok();
                    let name = known.as_ref().and_then(|symbol| symbol.name().ok());
                    let is_missing = |symbol: &&ElfSymbol64<'_, '_, _>| {
                        symbol.is_undefined() && symbol.kind() == SymbolKind::Text
                    };
                    let missing = known.as_ref().filter(is_missing).and(name);
                    let section = known.as_ref().and_then(ObjectSymbol::section_index);
                    let section = section.and_then(|index| code.get(&index.0));
                    let own = section.and(known.as_ref()).map(ObjectSymbol::address);
                    let section = section.map(String::as_str).or(missing);
                    let mut types = ADDRESS_TYPES.into_iter();
                    let bytes = types.find(|(known, _)| *known == kind);
                    let bytes = bytes.map(|(_, bytes)| bytes);
                    let start = found.or(own).or(missing.map(|_| 0));
                    let Some((address, bytes)) = start.zip(bytes) else {
                        unlinked.push(UnlinkedValue {
                            offset,
                            bytes: bytes.map_or(8, |bytes| bytes as u64),
                            relocation: format!("relocation {kind:#x} of {}", name.unwrap_or("?")),
                        });
                        continue;
                    };
                    let at = usize::try_from(offset).unwrap_or(usize::MAX);
                    if let Some(place) = data.get_mut(at..at.saturating_add(bytes)) {
                        let addend = if entry.len() == 24 {
                            long(entry, 16)
                        } else {
                            little_endian(place)
                        };
                        let address = address.wrapping_add(addend);
                        place.copy_from_slice(&address.to_le_bytes()[..bytes]);
                        if let Some(section) = section {
                            pointers.push(CodePointer {
                                offset,
                                bytes,
                                section: section.to_owned(),
                                address,
                            });
                        }
                    }
                }
            }
            (pointers, unlinked)
        };
        for (index, variable) in self.variables.iter_mut().enumerate() {
            if !variable.bytes.is_empty() {
                let (pointers, unlinked) = relocate(&variable.name, &mut variable.bytes);
                let pointers = pointers.into_iter().map(|pointer| (index, pointer));
                self.pointers.extend(pointers);
                if let Some(UnlinkedValue {
                    offset, relocation, ..
                }) = unlinked.first()
                {
                    let name = &variable.name;
                    let what = format!("{relocation}: the value at {name}+{offset:#x} is unknown");
                    return Err(FileError::new(0, what));
                }
            }
        }
        for kernel in &mut self.kernels {
            let name = &kernel.name;
            let details = &mut kernel.details;
            if let Some((_, _, info)) = section(&format!(".nv.info.{name}")) {
                details.parameters = Some(parameters(info, self.chip.bank().parameters));
            }
            let shared = section(&format!(".nv.shared.{name}"));
            details.shared = Some(shared.map_or(0, |(_, size, _)| size));
            for bank in 1..5_u8 {
                let own = format!(".nv.constant{bank}.{name}");
                let found = section(&own).map(|found| (own, found));
                details.has_own_banks |= found.is_some();
                let common = format!(".nv.constant{bank}");
                let found = found.or_else(|| section(&common).map(|found| (common, found)));
                if let Some((name, (_, _, data))) = found.filter(|(_, (_, size, _))| *size > 0) {
                    let mut data = data.to_vec();
                    let (pointers, unlinked) = relocate(&name, &mut data);
                    let pointers = pointers.into_iter().map(|pointer| (bank, pointer));
                    details.pointers.extend(pointers);
                    let unlinked = unlinked.into_iter().map(|value| (bank, value));
                    details.unlinked.extend(unlinked);
                    details.banks.push((bank, data));
                }
            }
        }
        let kernels = self.kernels.iter();
        let constants = kernels.flat_map(|kernel| &kernel.details.pointers);
        let variables = self.pointers.iter().map(|(_, pointer)| pointer);
        let pointers = constants.map(|(_, pointer)| pointer).chain(variables);
        let missing: BTreeSet<&String> = pointers
            .map(|pointer| &pointer.section)
            .filter(|name| self.kernel(name).is_none())
            .collect();
        self.externals = missing
            .into_iter()
            .map(|n| WarpKernel::external(n))
            .collect();
        Ok(())
    }

    /// Whether the cubin beside a listing, if any, has a kernel.
    ///
    /// # Errors
    /// Names the kernels that it has.
    pub fn check_beside(&self, kernel: &WarpKernel) -> Result<(), String> {
        match &self.beside {
            Some(names) if !names.contains(&kernel.name) => Err(format!(
                "`{}` is not in the cubin, which has {}",
                kernel.name,
                match names.as_slice() {
                    [] => String::from("no kernels"),
                    names => names.join(", "),
                }
            )),
            _ => Ok(()),
        }
    }

    /// The parameters that the code of a kernel reads behind its arguments.
    /// Only a listing without its cubin can have them.
    #[must_use]
    pub fn missing_parameters(
        &self,
        kernel: &WarpKernel,
        arguments: &[LaunchValue],
    ) -> Vec<WarpParameter> {
        if kernel.details.parameters.is_some() {
            return Vec::new();
        }
        let sizes = arguments.iter().map(size_of);
        let end = sizes.fold(self.chip.bank().parameters, |end, size| {
            aligned(end, size).saturating_add(size)
        });
        let mut read = self.parameters(kernel);
        read.retain(|parameter| parameter.offset >= end);
        read
    }

    /// Positions of the arguments that no instruction reads. Empty with the cubin, which says
    /// which parameters there are, and for code that reads them at offsets in registers.
    #[must_use]
    pub fn unread_arguments(&self, kernel: &WarpKernel, arguments: &[LaunchValue]) -> Vec<usize> {
        let is_indexed = |line: &String| {
            let mut places = line.split("c[0x0][").skip(1);
            places.any(|place| !place.starts_with("0x"))
        };
        if kernel.details.parameters.is_some() || kernel.lines.iter().any(is_indexed) {
            return Vec::new();
        }
        let read = self.parameters(kernel);
        let mut end = self.chip.bank().parameters;
        let unread = arguments.iter().enumerate().filter(|(_, argument)| {
            let size = size_of(argument);
            let start = aligned(end, size);
            end = start.saturating_add(size);
            !read
                .iter()
                .any(|p| p.offset < end && start < p.offset + p.size)
        });
        unread.map(|(position, _)| position).collect()
    }

    /// The parameters that arguments of some sizes stand for, in their order; `None` for one
    /// that no instruction reads. An argument without a size takes that of its parameter.
    #[must_use]
    pub fn parameters_of(
        &self,
        kernel: &WarpKernel,
        sizes: &[Option<u32>],
    ) -> Vec<Option<WarpParameter>> {
        let parameters = self.parameters(kernel);
        let mut end = self.chip.bank().parameters;
        let of_size = |(index, size): (usize, &Option<u32>)| {
            let is_next = |parameter: &&WarpParameter| {
                parameter.offset == aligned(end, size.unwrap_or(parameter.size))
            };
            let found = match kernel.details.parameters {
                Some(_) => parameters.get(index),
                None => parameters.iter().find(is_next),
            };
            let own = found.map_or(4, |parameter| parameter.size);
            let size = size.unwrap_or(own);
            end = aligned(end, size).saturating_add(size);
            found.copied()
        };
        sizes.iter().enumerate().map(of_size).collect()
    }

    /// The scenario of a launch, without the contents of its buffers.
    ///
    /// # Errors
    /// If arguments do not match the parameters of the kernel.
    pub fn scenario(&self, kernel: &WarpKernel, launch: &WarpLaunch) -> Result<String, String> {
        self.typed_scenario(kernel, launch, &[])
    }

    /// The same for the parameters of a proposed launch: with values of buffers, inferred types,
    /// and comments that say from what. Other numbers are unsigned integers.
    fn typed_scenario(
        &self,
        kernel: &WarpKernel,
        launch: &WarpLaunch,
        parameters: &[WarpParameter],
    ) -> Result<String, String> {
        let sizes = |sizes: Sizes| format!("{},{},{}", sizes[0], sizes[1], sizes[2]);
        let (grid, block) = (sizes(launch.grid), sizes(launch.block));
        let target = self.chip.name();
        let title = kernel.name.replace('"', "'");
        let mut out = format!(
            ".target sass {target}\n.title \"{title}\"\n.launch grid={grid} block={block}\n"
        );
        let system = if self.chip >= Chip::Sm90 {
            SYSTEM_SHARED
        } else {
            0
        };
        let details = &kernel.details;
        let linked = self.link(kernel)?;
        // Reading without an error: a string takes everything.
        let (shared, remark) = match details.shared {
            Some(shared) => (shared, ""),
            None if launch.shared == 0 && self.accesses_shared_memory(kernel) => {
                let locals = launch.arguments.iter().map(|argument| match argument {
                    LaunchValue::Local(bytes) => bytes.next_multiple_of(SHARED_ALIGN),
                    _ => 0,
                });
                let rest = MOST_SHARED.saturating_sub(locals.sum());
                (rest, ASSUMED_SHARED)
            }
            None => (0, ""),
        };
        let _ = writeln!(out, ".slm {}{remark}", system.max(shared));
        let mut declared = String::new();
        let mut bound = String::new();
        let mut locals = 0;
        let mut next = self.chip.bank().parameters;
        // Without the cubin, arguments may have other sizes than the parameters that are read.
        let read = match details.parameters {
            Some(_) => Vec::new(),
            None => self.parameters(kernel),
        };
        if let Some(known) = &details.parameters
            && known.len() != launch.arguments.len()
        {
            let (name, wanted, given) = (&kernel.name, known.len(), launch.arguments.len());
            return Err(format!(
                "`{name}` has {wanted} parameters, found {given} arguments"
            ));
        }
        self.check_beside(kernel)?;
        if let Some(WarpParameter { offset, size, .. }) =
            self.missing_parameters(kernel, &launch.arguments).first()
        {
            return Err(format!(
                "`{}` reads a parameter of {size} bytes at {offset:#x}, behind its {} arguments",
                kernel.name,
                launch.arguments.len()
            ));
        }
        for (index, argument) in launch.arguments.iter().enumerate() {
            let size = size_of(argument);
            let offset = match details
                .parameters
                .as_ref()
                .and_then(|known| known.get(index))
            {
                Some((offset, wanted)) if *wanted == size => *offset,
                Some((_, wanted)) => {
                    let name = &kernel.name;
                    return Err(format!(
                        "parameter {index} of `{name}` has {wanted} bytes, the argument {size}"
                    ));
                }
                None => aligned(next, size),
            };
            let mut skipped = read.iter().map(|parameter| parameter.offset);
            if let Some(read) = skipped.find(|read| (next..offset).contains(read)) {
                return Err(format!(
                    "`{}` reads a parameter at {read:#x}, but argument {index} has {size} bytes, \
                     which start at {offset:#x}: check the size of the argument",
                    kernel.name
                ));
            }
            next = offset.saturating_add(size);
            let name = kernel.argument_name(index);
            let parameter = parameters.get(index);
            let inferred = parameter.and_then(|parameter| parameter.inferred);
            let comment = inferred.map_or_else(String::new, |Inferred { ty, opcode }| {
                format!("  // {} inferred from {opcode}", ty.name())
            });
            let values = parameter.map_or("", |_| " = iota(0, 1)");
            match argument {
                LaunchValue::Buffer(_, bytes) if bytes.is_empty() => {
                    return Err(format!(
                        "argument {index}: a buffer has at least one element, found none"
                    ));
                }
                LaunchValue::Buffer(ty, bytes) => {
                    let elements = bytes.len().div_ceil(ty.bytes().into());
                    let _ = writeln!(
                        declared,
                        ".buffer {name} : {}[{elements}]{values}{comment}",
                        ty.name()
                    );
                    let _ = writeln!(bound, ".param {offset:#x} = &{name}");
                }
                LaunchValue::Null => {
                    let _ = writeln!(declared, ".buffer {name} : {}", LaunchValue::NULL);
                    let _ = writeln!(bound, ".param {offset:#x} = &{name}");
                }
                LaunchValue::SameAs(other) => {
                    let other = kernel.argument_name(*other);
                    let _ = writeln!(bound, ".param {offset:#x} = &{other}");
                }
                LaunchValue::Local(bytes) => {
                    let _ = writeln!(declared, ".local_arg {bytes}");
                    let _ = writeln!(bound, ".param {offset:#x} = &local {locals}");
                    locals += 1;
                }
                LaunchValue::Value(bytes) => {
                    let own = parameter.and_then(WarpParameter::proposed_type);
                    let bytes_of_part = own.map_or(8, |ty| usize::from(ty.bytes()));
                    let parts = bytes
                        .chunks(bytes_of_part)
                        .zip((offset..).step_by(bytes_of_part));
                    let pieces = parts.flat_map(|(part, at)| {
                        let of_part = pieces(part).into_iter();
                        of_part
                            .map(move |(place, value, ty)| (at + place, value, own.unwrap_or(ty)))
                    });
                    let pieces: Vec<_> = pieces.collect();
                    for (at, value, ty) in &pieces {
                        // An index counts in the size of its piece, as in proposals for vISA.
                        let part = match pieces.len() {
                            1 => String::new(),
                            _ => format!("[{}]", (at - offset) / u32::from(ty.bytes())),
                        };
                        let (number, ty) = (literal(*value, *ty), ty.name());
                        let _ = writeln!(
                            bound,
                            ".param {at:#x} = {number}:{ty}  // {name}{part}{comment}"
                        );
                    }
                }
            }
        }
        if launch.shared > 0 {
            let _ = writeln!(declared, ".local_arg {}", launch.shared);
        }
        out += &declared;
        let mut banks = details.banks.clone();
        let mut variables = self.variables.clone();
        for (variable, pointer) in &self.pointers {
            if let Some(variable) = variables.get_mut(*variable) {
                pointer.apply(&linked, &mut variable.bytes);
            }
        }
        for (bank, pointer) in &details.pointers {
            if let Some((_, bytes)) = banks.iter_mut().find(|(other, _)| other == bank) {
                pointer.apply(&linked, bytes);
            }
        }
        for (name, bytes) in &launch.symbols {
            let known = self
                .variables
                .iter()
                .find(|variable| variable.name == *name);
            let known = known.ok_or_else(|| format!("no variable `{name}`"))?;
            let (target, at) = match known.address {
                Some(address) => {
                    let holds = |variable: &&mut Variable| {
                        let start = variable.address.unwrap_or(u64::MAX);
                        address.wrapping_sub(start) < variable.bytes.len() as u64
                    };
                    let found = variables.iter_mut().find(holds);
                    let start = found.as_ref().and_then(|found| found.address).unwrap_or(0);
                    (found.map(|found| &mut found.bytes), address - start)
                }
                None => {
                    let bank = banks.iter_mut().find(|(bank, _)| *bank == 3);
                    (bank.map(|(_, bytes)| bytes), known.offset)
                }
            };
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            let place =
                target.and_then(|target| target.get_mut(at..at.saturating_add(bytes.len())));
            let place =
                place.ok_or_else(|| format!("`{name}` has fewer than {} bytes", bytes.len()))?;
            place.copy_from_slice(bytes);
        }
        for variable in variables
            .iter()
            .filter(|variable| !variable.bytes.is_empty())
        {
            let address = variable.address.unwrap_or(0);
            let (name, count) = (&variable.name, variable.bytes.len());
            let values: Vec<String> = variable.bytes.iter().map(u8::to_string).collect();
            let _ = writeln!(
                out,
                ".data \"{name}\" : ub[{count}] at={address:#x} = {}",
                values.join(", ")
            );
        }
        for (bank, bytes) in &banks {
            let values: Vec<String> = bytes.iter().map(u8::to_string).collect();
            let count = bytes.len();
            let start = self.chip.bank().constants;
            let reads = format!("c[0x0][{start:#x}]");
            if *bank == 3 && kernel.lines.iter().any(|line| line.contains(&reads)) {
                let _ = writeln!(
                    out,
                    ".data \"constant 3\" : ub[{count}] at={CONSTANTS:#x} = {}",
                    values.join(", ")
                );
                let _ = writeln!(bound, ".param {start:#x} = {CONSTANTS}:uq");
            }
            let _ = writeln!(
                out,
                ".constant {bank} : ub[{count}] = {}",
                values.join(", ")
            );
        }
        out += &bound;
        self.write_code(&linked, &mut out);
        Ok(out)
    }

    /// The parameters of a kernel. Without the cubin, they are those that the code reads.
    #[must_use]
    pub fn parameters(&self, kernel: &WarpKernel) -> Vec<WarpParameter> {
        let first = self.chip.bank().parameters;
        let inference = kernel.inference.get_or_init(|| {
            let lines = kernel.lines.iter().map(String::as_str);
            let lines = lines.filter(|line| !line.starts_with(SOURCE_LINE));
            Inference::of(lines, self.chip, first)
        });
        let places = match &kernel.details.parameters {
            Some(known) => known.clone(),
            None => read_parameters(&kernel.lines, first, inference),
        };
        let parameter = |(offset, size)| {
            let number = inference.numbers(offset, size);
            let is_buffer = size == 8 && number.is_none();
            WarpParameter {
                offset,
                size,
                is_buffer,
                inferred: match is_buffer {
                    true => inference.elements(offset),
                    false => number,
                },
                integer: inference.integer(offset, size),
            }
        };
        places.into_iter().map(parameter).collect()
    }

    /// Gives the parameters their names in the source: those that `declared` says for a kernel
    /// with a number of them. Without the cubin, it is not known which there are.
    pub fn name_parameters(&mut self, declared: impl Fn(&str, usize) -> Option<Vec<String>>) {
        for kernel in &mut self.kernels {
            if let Some(known) = &kernel.details.parameters {
                let names = declared(&kernel.name, known.len());
                kernel.names = names.unwrap_or_default();
            }
        }
    }

    /// The arguments of a kernel, as far as its parameters are known.
    #[must_use]
    pub fn arguments(&self, kernel: &WarpKernel) -> Vec<Argument> {
        let parameters = (0..).zip(self.parameters(kernel));
        let arguments =
            parameters.map(|(position, parameter)| kernel.argument(position, &parameter));
        arguments.collect()
    }

    /// Blocks and threads of a block of a proposed launch.
    pub const PROPOSED: (Sizes, Sizes) = (PROPOSED_GRID, PROPOSED_BLOCK);

    /// Type of the numbers and elements of a proposed launch for which none is inferred.
    pub const UNTYPED: ElementType = ElementType::D;

    /// The scenario of a proposed launch, with [marked](crate::is_proposed) lines. Parameters of 64
    /// bits are buffers of numbers, the others are the number of threads, or 1.0 if the code
    /// uses them as floats. Without the cubin, the parameters are those that the code reads.
    ///
    /// # Errors
    /// If the kernel cannot be launched.
    pub fn propose(&self, kernel: &WarpKernel) -> Result<String, String> {
        let mut kernel = kernel.clone();
        let parameters = self.parameters(&kernel);
        let argument = |parameter: &WarpParameter| {
            let size = usize::try_from(parameter.size).unwrap_or(usize::MAX);
            let size = size.min(PARAMETER_BYTES as usize);
            let ty = parameter.inferred.map(|inferred| inferred.ty);
            if parameter.is_buffer {
                let ty = ty.unwrap_or(Self::UNTYPED);
                let elements = to_usize(PROPOSED_THREADS);
                return LaunchValue::Buffer(ty, vec![0; elements * usize::from(ty.bytes())]);
            }
            LaunchValue::Value(match ty {
                Some(ty) => {
                    let one = from_f64(1.0, ty).to_le_bytes();
                    let number = one.iter().take(ty.bytes().into());
                    number.copied().cycle().take(size).collect()
                }
                None => {
                    let mut bytes = PROPOSED_THREADS.to_le_bytes().to_vec();
                    bytes.resize(size, 0);
                    bytes
                }
            })
        };
        let launch = WarpLaunch {
            grid: PROPOSED_GRID,
            block: PROPOSED_BLOCK,
            arguments: parameters.iter().map(argument).collect(),
            ..WarpLaunch::default()
        };
        let heading = match kernel.details.parameters {
            Some(_) => memory::HEADING_OF_KNOWN_LAUNCH,
            None => memory::HEADING_OF_LAUNCH,
        };
        let places = parameters.iter().map(|p| (p.offset, p.size));
        kernel.details.parameters = Some(places.collect());
        let mut out = String::new();
        let text = self.typed_scenario(&kernel, &launch, &parameters)?;
        for line in text.lines() {
            let is_proposed = [".launch", ".buffer", ".param"];
            let mark = match is_proposed.iter().any(|start| line.starts_with(start)) {
                true => format!("  // {PROPOSED}"),
                false => String::new(),
            };
            if line.starts_with(".launch") {
                let _ = writeln!(out, "{heading}");
            }
            let _ = writeln!(out, "{line}{mark}");
        }
        Ok(out)
    }

    fn accesses_shared_memory(&self, kernel: &WarpKernel) -> bool {
        let mut code = kernel.lines.iter().filter(|line| is_instruction(line));
        code.any(|line| {
            let row = op::named(mnemonic(line), self.chip);
            row.is_some_and(|(row, _)| row.class.accesses_shared_memory())
        })
    }

    /// Whether the opcode of an instruction is executed in a launch.
    #[must_use]
    pub fn executes(&self, instruction: &str) -> bool {
        let row = op::named(mnemonic(instruction), self.chip);
        row.is_some_and(|(row, _)| !matches!(row.class, op::Class::NotModelled))
    }

    /// Note on the instructions of a kernel that are not executed, if any.
    #[must_use]
    pub fn not_executed(&self, kernel: &WarpKernel) -> Option<String> {
        let lines = kernel.lines.iter().map(String::as_str);
        let others = lines.filter(|line| is_instruction(line) && !self.executes(line));
        not_modelled_note(&Counts::of(others.map(mnemonic)))
    }

    /// Note on the functions that a kernel may call and whose code no file has.
    #[must_use]
    pub fn missing_functions(&self, kernel: &WarpKernel) -> Option<String> {
        // The constant bank has the functions of the whole module, often indexed by registers.
        let is_read = |(bank, _): &&(u8, CodePointer)| {
            let place = format!("c[{bank:#x}][");
            kernel.lines.iter().any(|line| line.contains(&place))
        };
        let pointers = kernel.details.pointers.iter().filter(is_read);
        let names: BTreeSet<&str> = pointers
            .map(|(_, pointer)| &*pointer.section)
            .filter(|name| self.externals.iter().any(|external| external.name == *name))
            .collect();
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        (!quoted.is_empty()).then(|| {
            let functions = quoted.join(" or ");
            format!(
                "`{}` may call {functions}, which stops the run",
                kernel.name
            )
        })
    }

    /// The kernel with a name.
    #[must_use]
    pub fn kernel(&self, name: &str) -> Option<&WarpKernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// The kernels and functions that a line names.
    fn named<'p>(&'p self, line: &'p str) -> impl Iterator<Item = &'p WarpKernel> {
        let inside = line
            .split('(')
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let names = inside.filter_map(|text| text.split([' ', '+', '@']).find(|s| !s.is_empty()));
        names.filter_map(|name| self.kernel(name))
    }

    /// A kernel with the functions that it may call: those that its lines name, and those whose
    /// addresses are in its constants and variables.
    fn link<'p>(&'p self, kernel: &'p WarpKernel) -> Result<Linked<'p>, String> {
        let pointers = kernel.details.pointers.iter().map(|(_, pointer)| pointer);
        let pointers = pointers.chain(self.pointers.iter().map(|(_, pointer)| pointer));
        let section = |name: &str| {
            let mut externals = self.externals.iter();
            let external = || externals.find(|external| external.name == name);
            self.kernel(name).or_else(external)
        };
        let of_data = pointers.filter_map(|pointer| section(&pointer.section));
        let mut sections = vec![(kernel, 0)];
        let add = |found: &'p WarpKernel, sections: &mut Vec<(&'p WarpKernel, u64)>| {
            if sections
                .iter()
                .any(|(section, _)| section.name == found.name)
            {
                return Ok(());
            }
            if found.details.has_own_banks {
                let name = &found.name;
                return Err(format!(
                    "`{name}` has constants of its own, which a call does not reach"
                ));
            }
            let (last, start) = sections.last().expect("the kernel is the first");
            let end = start + self.code_bytes(last);
            sections.push((found, end));
            Ok(())
        };
        for found in of_data {
            add(found, &mut sections)?;
        }
        let mut at = 0;
        while let Some((section, _)) = sections.get(at).copied() {
            for line in section.lines.iter().filter(|line| is_instruction(line)) {
                for found in self.named(line) {
                    add(found, &mut sections)?;
                }
            }
            at += 1;
        }
        Ok(Linked { sections })
    }

    /// Bytes of the code of a kernel or function.
    fn code_bytes(&self, kernel: &WarpKernel) -> u64 {
        let count = kernel
            .lines
            .iter()
            .filter(|line| is_instruction(line))
            .count();
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        match self.chip.is_old() {
            true => count.div_ceil(code::SLOTS_OF_GROUP) * code::BYTES_OF_GROUP,
            false => count * 16,
        }
    }

    /// Why an instruction cannot run: the first relocation of the constants that it may read,
    /// in up to eight bytes from a number on, 16 with `.128`, or anywhere in the bank.
    fn unlinked_constant<'p>(&self, linked: &Linked<'p>, line: &str) -> Option<&'p str> {
        let (kernel, _) = linked.sections.first()?;
        let mut reads: Vec<(u8, Option<u64>)> = line
            .split("c[0x")
            .skip(1)
            .filter_map(|text| {
                let (bank, rest) = text.split_once("][")?;
                let digits = rest.split(']').next()?.strip_prefix("0x");
                let offset = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
                Some((u8::from_str_radix(bank, 16).ok()?, offset))
            })
            .collect();
        // The generic address of bank 3 leads anywhere in it.
        let generic = u64::from(self.chip.bank().constants);
        if reads.contains(&(0, Some(generic))) {
            reads.push((3, None));
        }
        let width = if line.contains(".128") { 16 } else { 8 };
        let is_read = |(bank, value): &&(u8, UnlinkedValue)| {
            let end = value.offset.saturating_add(value.bytes);
            reads.iter().any(|(read, offset)| {
                let overlaps = |at: u64| at < end && value.offset < at.saturating_add(width);
                read == bank && offset.is_none_or(overlaps)
            })
        };
        let mut unlinked = kernel.details.unlinked.iter().filter(|_| !reads.is_empty());
        let found = unlinked.find(is_read);
        found.map(|(_, value)| &*value.relocation)
    }

    /// Writes the code of a kernel, and of its functions with their labels. A target that is
    /// nowhere defined, or an unknown constant, stops the run that reaches it.
    fn write_code(&self, linked: &Linked<'_>, out: &mut String) {
        let all = || {
            linked
                .sections
                .iter()
                .flat_map(|(section, _)| &section.lines)
        };
        let labels: BTreeSet<&str> = all().filter_map(|line| line.strip_suffix(':')).collect();
        let is_defined = |line: &str| {
            let label = line
                .split_once("`(")
                .and_then(|(_, rest)| rest.split_once(')'));
            label.is_none_or(|(label, _)| {
                labels.contains(label) || linked.address_of(label).is_some()
            })
        };
        for (section, start) in &linked.sections {
            let label = format!("{}:", section.name);
            let target = format!("`({})", section.name);
            let is_target = |line: &String| SassLine::split(line).operands.ends_with(&target);
            let is_named = *start > 0 || section.lines.iter().any(is_target);
            if is_named && !section.lines.contains(&label) {
                let _ = writeln!(out, "{label}");
            }
            // Whether an address of its code counts from the start of the program or of the
            // section is not known if it is both linked and relative.
            let is_linked = section.lines.iter().any(|line| line.contains("@srel"));
            let is_ambiguous = |line: &str| *start > 0 && is_linked && line.contains("RET.REL");
            let mut bytes = 0;
            for line in &section.lines {
                let is_code = is_instruction(line);
                let line = match is_code {
                    true if !is_defined(line) || is_ambiguous(line) => unlinked_text(line),
                    true => match self.unlinked_constant(linked, line) {
                        Some(relocation) => format!("UNKNOWN {relocation}: {line}"),
                        None => self.relocated(&self.moved(line, *start), linked),
                    },
                    false => line.clone(),
                };
                let _ = writeln!(out, "{line}{}", if is_code { ";" } else { "" });
                bytes += u64::from(is_code);
            }
            // Functions start at a group of instructions.
            let is_last = linked
                .sections
                .last()
                .is_some_and(|(last, _)| last.name == section.name);
            let rest = bytes % code::SLOTS_OF_GROUP;
            if self.chip.is_old() && rest > 0 && !is_last {
                for _ in rest..code::SLOTS_OF_GROUP {
                    let _ = writeln!(out, "NOP;");
                }
            }
        }
    }

    /// A line of code that starts at an address: numbers of targets count from there.
    fn moved(&self, line: &str, start: u64) -> String {
        let kind = op::named(mnemonic(line), self.chip).map(|(row, _)| row.class);
        let Some(op::Class::Flow(kind)) = kind.filter(|_| start > 0) else {
            return line.to_owned();
        };
        let is_relative = match kind {
            WarpFlow::Branch | WarpFlow::Push(_) | WarpFlow::Call | WarpFlow::SetBarrier => true,
            WarpFlow::Return | WarpFlow::Invoke => line.contains(".REL"),
            _ => false,
        };
        let last = line.rsplit_once(' ').filter(|_| is_relative);
        let number = last.and_then(|(before, last)| {
            let number = u64::from_str_radix(last.strip_prefix("0x")?, 16).ok()?;
            Some(format!("{before} {:#x}", start.wrapping_add(number)))
        });
        number.unwrap_or_else(|| line.to_owned())
    }

    /// The line with the addresses of variables and functions, such as `32@lo(counter)`.
    fn relocated(&self, line: &str, linked: &Linked<'_>) -> String {
        let mut text = line.to_owned();
        for (prefix, shift) in [("32@lo(", 0), ("32@hi(", 32)] {
            let Some((before, rest)) = line.split_once(prefix) else {
                continue;
            };
            let nested = rest.trim_start_matches('(').len() < rest.len();
            let end = if nested { "))" } else { ")" };
            let Some((inside, after)) = rest.trim_start_matches('(').split_once(end) else {
                continue;
            };
            let (name, addend) = inside.split_once('+').unwrap_or((inside, "0x0"));
            let addend = addend.trim().strip_prefix("0x");
            let addend = addend.and_then(|digits| u64::from_str_radix(digits, 16).ok());
            let mut variables = self.variables.iter();
            let found = variables.find(|variable| variable.name == name.trim());
            let address = found.and_then(|variable| variable.address);
            let address = address.or_else(|| linked.address_of(name.trim()));
            if let Some((start, offset)) = address.zip(addend) {
                let address = start.wrapping_add(offset);
                text = format!("{before}{:#x}{after}", address >> shift & 0xffff_ffff);
            }
        }
        text
    }

    /// The program of a launch whose buffers hold the given bytes.
    ///
    /// # Errors
    /// If arguments do not match the parameters of the kernel.
    pub fn launch(&self, kernel: &WarpKernel, launch: &WarpLaunch) -> Result<Program, String> {
        let mut program = Program::parse(&self.scenario(kernel, launch)?);
        let buffers = program.launch.as_ref();
        let buffers = buffers.map_or(&[][..], |launch| &launch.buffers);
        let buffers = buffers.iter().filter(|buffer| !buffer.is_null);
        let places: Vec<u64> = buffers.map(|buffer| buffer.address).collect();
        let contents = launch.arguments.iter().filter_map(LaunchValue::content);
        if let Some(memory) = program.start.space_mut(SpaceId::VIRTUAL) {
            for (address, bytes) in places.into_iter().zip(contents) {
                memory.write(address, bytes);
            }
        }
        Ok(program)
    }
}

impl Relocation {
    /// The text of an instruction that it changes, with its symbol.
    fn applied_to(&self, text: &str) -> String {
        let Self {
            kind,
            symbol,
            addend,
        } = self;
        let place = match addend {
            0 => format!("({symbol})"),
            _ => format!("(({symbol}+{addend:#x}))"),
        };
        let operand = match () {
            () if LOWER_TYPES.contains(kind) => format!("32@lo{place}"),
            () if UPPER_TYPES.contains(kind) => format!("32@hi{place}"),
            () if TARGET_TYPES.contains(kind) && *addend == 0 => format!("`{place}"),
            () => return unlinked_text(text),
        };
        let is_target = operand.starts_with('`');
        match text.trim_end().rsplit_once(' ') {
            Some((before, last)) if is_target || last == "0x0" => format!("{before} {operand}"),
            _ => unlinked_text(text),
        }
    }
}

impl CodePointer {
    /// Writes the address of the code in a linked program.
    fn apply(&self, linked: &Linked<'_>, bytes: &mut [u8]) {
        let at = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let place = bytes.get_mut(at..at.saturating_add(self.bytes));
        let start = linked.address_of(&self.section);
        if let (Some(place), Some(start)) = (place, start) {
            place.copy_from_slice(&start.wrapping_add(self.address).to_le_bytes()[..self.bytes]);
        }
    }
}

impl WarpKernel {
    /// Names of the parameters; empty if they are not known.
    #[must_use]
    pub fn parameter_names(&self) -> &[String] {
        &self.names
    }

    /// The position of a parameter by its name in the source, its number, or `arg2`.
    #[must_use]
    pub fn position_of(&self, name: &str) -> Option<usize> {
        let declared = self.names.iter().position(|known| known == name);
        declared.or_else(|| name.strip_prefix("arg").unwrap_or(name).parse().ok())
    }

    /// The name of an argument in a scenario: that of its parameter, or `arg2` if there is none
    /// or it would mean something else there.
    #[must_use]
    pub fn argument_name(&self, position: usize) -> String {
        let name = self.names.get(position).filter(|name| {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_unique = self.names.iter().filter(|other| other == name).count() == 1;
            let is_number = name
                .strip_prefix("arg")
                .is_some_and(|n| n.parse::<usize>().is_ok());
            let is_operand = SymbolTable::new(Chip::default().into())
                .named(name)
                .is_some();
            let has_meaning = is_number || is_operand || *name == PROPOSED;
            is_unique && name.chars().all(is_word) && !has_meaning
        });
        name.cloned().unwrap_or_else(|| format!("arg{position}"))
    }

    /// The argument of a parameter at a position.
    #[must_use]
    pub fn argument(&self, position: u32, parameter: &WarpParameter) -> Argument {
        Argument {
            index: position,
            name: match self.names.get(to_usize(position)) {
                Some(name) => name.clone(),
                None => format!("arg{position}"),
            },
            ty: parameter.type_name(),
            kind: match parameter.is_buffer {
                true => ArgumentKind::Buffer,
                false => ArgumentKind::Value(parameter.size),
            },
        }
    }

    /// A function that stops the run which calls it.
    fn external(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            lines: Vec::from([format!("UNKNOWN function {name}")]),
            ..Self::default()
        }
    }

    /// Whether the file has its parameters.
    #[must_use]
    pub const fn has_parameters(&self) -> bool {
        self.details.parameters.is_some()
    }
}

/// Bytes of an argument as a parameter.
fn size_of(argument: &LaunchValue) -> u32 {
    match argument {
        LaunchValue::Value(bytes) => u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        LaunchValue::Buffer(..)
        | LaunchValue::Null
        | LaunchValue::SameAs(_)
        | LaunchValue::Local(_) => 8,
    }
}

/// An instruction with the bits of a NaN in place of its name, which stands for several patterns:
/// they are the upper half of the first word of its encoding. `None` if there is nothing to
/// replace, or no encoding. Two halves keep their names.
fn with_nan_bits(code: &str, word: impl FnOnce() -> Option<u64>) -> Option<String> {
    let names = ["+QNAN", "-QNAN", "+SNAN", "-SNAN"];
    let (at, name) = names
        .iter()
        .find_map(|name| Some((code.find(name)?, name)))?;
    let (before, after) = (&code[..at], &code[at + name.len()..]);
    let is_number = |operand: &str| {
        let digits = operand.trim().trim_start_matches(['+', '-']);
        digits.starts_with(|letter: char| letter.is_ascii_digit())
            || ["INF", "QNAN", "SNAN"].contains(&digits)
    };
    let others = [before.rsplit(',').nth(1), after.split(',').nth(1)];
    if others.into_iter().flatten().any(is_number) {
        return None;
    }
    let bits = word()? >> 32;
    // The encoding of another instruction has no such bits.
    let is_nan = bits & 0x7ff0_0000 == 0x7ff0_0000;
    is_nan.then(|| format!("{before}{bits:#x}{after}"))
}

/// The first offset from `next` on where a parameter of a size can be.
fn aligned(next: u32, size: u32) -> u32 {
    let mut aligns = [8, 4, 2].into_iter();
    let align = aligns.find(|align| size.is_multiple_of(*align));
    next.next_multiple_of(align.unwrap_or(1))
}

/// The kernels of a cubin beside a listing for a compute capability.
fn kernels_beside(cubin: &[u8], sm: u8) -> Result<Vec<String>, FileError> {
    let file = ElfFile64::<Endianness>::parse(cubin);
    let file = file.map_err(|error| FileError::new(0, format!("invalid cubin: {error}")))?;
    let header = file.elf_header();
    if header.e_machine(file.endian()) != code::EM_CUDA {
        return Err(FileError::new(0, "the file beside it is not a cubin"));
    }
    let own = code::compute_capability(header, file.endian());
    if own != sm {
        let what = format!("the listing is for SM{sm}, the cubin for SM{own}");
        return Err(FileError::new(0, what));
    }
    let sections = file.sections();
    let names = sections.filter_map(|section| {
        let name = section.name().ok()?.strip_prefix(".text.")?;
        Some(name.to_owned())
    });
    Ok(names.collect())
}

/// Whether a line of a kernel is neither a label nor the comment of a source line.
fn is_instruction(line: &str) -> bool {
    !line.ends_with(':') && !line.starts_with(SOURCE_LINE)
}

/// Places and sizes of the parameters that code reads, from the offset of the first. One has
/// eight bytes if an instruction reads it in 64 bits or as an address, or its upper half with a
/// carry, or moves its halves to a pair of registers, unless they are used as floats or compared
/// as numbers of 32 bits.
fn read_parameters(lines: &[String], first: u32, inference: &Inference) -> Vec<(u32, u32)> {
    // Register that receives each offset.
    let mut read: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    let mut wide = BTreeSet::new();
    for line in lines {
        let code = line.trim_start();
        let code = match code.strip_prefix('@') {
            Some(guarded) => guarded.split_once(' ').map_or("", |(_, code)| code),
            None => code,
        };
        let Some((opcode, operands)) = code.split_once(' ') else {
            continue;
        };
        let mut words = opcode.split('.');
        let name = words.next().unwrap_or("");
        let words: Vec<&str> = words.collect();
        let has = |word: &str| words.contains(&word);
        let last = operands.split(',').count().saturating_sub(1);
        for (index, operand) in operands.split(',').enumerate() {
            let Some((_, rest)) = operand.split_once("c[0x0][0x") else {
                continue;
            };
            let digits = rest.split(']').next().unwrap_or("");
            let Ok(offset) = u32::from_str_radix(digits, 16) else {
                continue;
            };
            if !(first..first + PARAMETER_BYTES).contains(&offset) {
                continue;
            }
            let offset = offset & !3;
            let is_load = name.ends_with("LDC") || name == "LDCU";
            let is_move = name.ends_with("MOV") || is_load || has("MOV");
            let register = operands.split(',').next().unwrap_or("").trim();
            let register = register.trim_start_matches(['U', 'R']).parse().ok();
            read.insert(offset, register.filter(|_| is_move));
            if has("128") {
                read.insert(offset + 8, None);
                wide.extend([offset, offset + 8]);
            }
            let is_last_of_wide = has("WIDE") && index == last;
            if has("64") || is_last_of_wide || ["DADD", "DMUL", "DFMA", "DSETP"].contains(&name) {
                wide.insert(offset);
            }
            if has("X") || has("EX") || name == "LEA" && has("HI") {
                wide.insert(offset.saturating_sub(4));
            }
        }
    }
    let mut found: Vec<(u32, u32)> = Vec::new();
    for (offset, register) in &read {
        if found.last().is_some_and(|(at, size)| at + size > *offset) {
            continue;
        }
        let upper = read.get(&(offset + 4)).copied().flatten();
        let is_pair = register.is_some_and(|low| low % 2 == 0 && upper == Some(low + 1));
        let is_pair = is_pair && inference.numbers(*offset, 4).is_none();
        let is_wide = wide.contains(offset);
        let is_address = inference.is_wide(*offset);
        let has_eight = offset % 8 == 0 && (is_wide || is_address || is_pair);
        match has_eight {
            true if is_address || !inference.is_pair(*offset) => found.push((*offset, 8)),
            true => found.extend([(*offset, 4), (offset + 4, 4)]),
            false => found.push((*offset, 4)),
        }
    }
    found
}

/// Whether a text is a listing of NVIDIA's tools.
#[must_use]
pub fn recognises(text: &str) -> bool {
    super::listing::recognises(text)
}

/// Text of an instruction that a linker has yet to fill in; it stops a run.
fn unlinked_text(text: &str) -> String {
    format!("UNKNOWN relocation of {text}")
}

/// The relocations of the code of a kernel, by place.
fn relocations(
    file: &ElfFile64<'_, Endianness>,
    kernel: &str,
) -> Result<BTreeMap<u64, Relocation>, FileError> {
    let mut places = BTreeMap::new();
    for (prefix, entry) in [(".rel", 16), (".rela", 24)] {
        let Some(section) = file.section_by_name(&format!("{prefix}.text.{kernel}")) else {
            continue;
        };
        let data = section.data().map_err(damaged)?;
        places.extend(data.chunks_exact(entry).map(|entry| {
            let info = long(entry, 8);
            let symbol = usize::try_from(info >> 32).unwrap_or(usize::MAX);
            let symbol = file.symbol_by_index(SymbolIndex(symbol)).ok();
            let name = symbol.and_then(|symbol| symbol.name().ok().map(str::to_owned));
            let relocation = Relocation {
                kind: info & 0xffff_ffff,
                symbol: name.unwrap_or_default(),
                addend: if entry.len() == 24 {
                    long(entry, 16)
                } else {
                    0
                },
            };
            (long(entry, 0), relocation)
        }));
    }
    Ok(places)
}

fn long(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk());
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Places and sizes of the parameters in `.nv.info`, by ordinal.
fn parameters(info: &[u8], base: u32) -> Vec<(u32, u32)> {
    let mut found = BTreeMap::new();
    let mut rest = info;
    while let [format, attribute, low, high, after @ ..] = rest {
        let size = usize::from(u16::from_le_bytes([*low, *high]));
        if *format != 4 {
            rest = after;
            continue;
        }
        let Some((payload, after)) = after.split_at_checked(size) else {
            break;
        };
        if *attribute == PARAMETER
            && let [_, _, _, _, o0, o1, p0, p1, flags @ ..] = payload
            && let Some(flags) = flags.first_chunk()
        {
            let ordinal = u16::from_le_bytes([*o0, *o1]);
            let offset = u32::from(u16::from_le_bytes([*p0, *p1]));
            found.insert(ordinal, (base + offset, u32::from_le_bytes(*flags) >> 18));
        }
        rest = after;
    }
    found.into_values().collect()
}

/// A part of a value, of at most eight bytes, as numbers with their offsets.
fn pieces(bytes: &[u8]) -> Vec<(u32, u64, ElementType)> {
    let mut found = Vec::new();
    let mut rest = bytes;
    let mut offset = 0;
    for (size, ty) in [
        (8, ElementType::Uq),
        (4, ElementType::Ud),
        (2, ElementType::Uw),
        (1, ElementType::Ub),
    ] {
        while let Some((now, later)) = rest.split_at_checked(size) {
            found.push((offset, little_endian(now), ty));
            offset += u32::from(ty.bytes());
            rest = later;
        }
    }
    found
}
