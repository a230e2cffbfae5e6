//! Exports programs to the formats of the real tools.

use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::sass::schedule::{Barrier, Schedule};
use lanewise_core::isa::sass::schedule::{ControlWord, GROUP_BYTES, SLOTS};
use lanewise_core::isa::visa::declarations::FIRST_GENERAL;
use lanewise_core::isa::visa::op::{FlowKind, LabelId};
use lanewise_core::number::ElementType;
use lanewise_core::program::Program;
use std::collections::HashSet;

/// Why a program cannot be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The program is for a different ISA than the format.
    #[error("only vISA programs have an object format, and only SASS programs have SASS code")]
    WrongFamily,
    #[error("the program has errors")]
    HasErrors,
    /// An instruction is known by its text only.
    #[error("only ATOM and RED are written as SASS code; the program has other instructions")]
    TextOnly,
    /// The symbols or the code exceed the limits of the format.
    #[error("the program is too large for the format")]
    TooLarge,
}

/// Kernel name in exported objects.
const KERNEL: &str = "lanewise";

/// Size of a vISA object's header with one kernel, without the kernel name.
const HEADER_BYTES: usize = 4 + 4 + 2 + 4 + 4 + 4 + 2 + 2 + 1 + 2 + 2;

/// Exports the declarations and instructions as a vISA object of version 4.1
/// with one kernel (visa_4_visa_header.md). Initial values are not exported. A
/// return is appended to a program that does not end with one.
///
/// # Errors
/// [`ExportError`] for a SASS program, one with errors, or one too large.
pub fn isa_object(program: &Program) -> Result<Vec<u8>, ExportError> {
    if program.symbols.target.platform().is_none() {
        return Err(ExportError::WrongFamily);
    }
    check_encodable(program)?;
    let mut kernel = kernel(program)?;
    let offset = HEADER_BYTES + KERNEL.len();
    let mut file = b"CISA".to_vec();
    file.extend([4, 1]);
    put16(&mut file, 1)?;
    put16(&mut file, KERNEL.len())?;
    file.extend(KERNEL.bytes());
    put32(&mut file, offset)?;
    put32(&mut file, kernel.bytes.len())?;
    put32(&mut file, offset + kernel.inputs)?;
    // No relocations, GEN binaries, file-scope variables or functions.
    put16(&mut file, 0)?;
    put16(&mut file, 0)?;
    file.push(0);
    put16(&mut file, 0)?;
    put16(&mut file, 0)?;
    debug_assert_eq!(file.len(), offset, "header length");
    file.append(&mut kernel.bytes);
    Ok(file)
}

/// Fails if an instruction cannot be encoded. Errors that only prevent running
/// are ignored.
fn check_encodable(program: &Program) -> Result<(), ExportError> {
    let mut errors = program.diagnostics.iter().filter(|d| {
        let severity = d.severity();
        severity == lanewise_core::diagnostic::Severity::Error && !d.rule.concerns_running()
    });
    match errors.next() {
        Some(_) => Err(ExportError::HasErrors),
        None => Ok(()),
    }
}

struct Kernel {
    bytes: Vec<u8>,
    /// Offset of the input table in `bytes`.
    inputs: usize,
}

/// String pool of a kernel, without duplicates; index 0 is the empty string.
struct Strings(Vec<String>);

impl Strings {
    fn index(&mut self, text: &str) -> usize {
        self.0.push(text.to_owned());
        self.0.len() - 1
    }
}

fn kernel(program: &Program) -> Result<Kernel, ExportError> {
    let mut strings = Strings(vec![String::new()]);
    let name = strings.index(KERNEL);
    let mut tables = Vec::new();
    symbol_tables(program, &mut strings, &mut tables)?;
    let attributes = [("Target", vec![0]), ("SLMSize", slm_size(program))];
    let mut attribute_table = Vec::new();
    put16(&mut attribute_table, attributes.len())?;
    for (name, value) in &attributes {
        put32(&mut attribute_table, strings.index(name))?;
        attribute_table.push(u8::try_from(value.len()).map_err(|_| ExportError::TooLarge)?);
        attribute_table.extend(value);
    }
    let code = code(program);
    let mut bytes = Vec::new();
    put32(&mut bytes, strings.0.len())?;
    for string in &strings.0 {
        bytes.extend(string.bytes());
        bytes.push(0);
    }
    put32(&mut bytes, name)?;
    bytes.append(&mut tables);
    let inputs = bytes.len();
    put32(&mut bytes, 0)?;
    put32(&mut bytes, code.len())?;
    let entry = bytes.len() + 4 + attribute_table.len();
    put32(&mut bytes, entry)?;
    bytes.append(&mut attribute_table);
    bytes.extend(code);
    Ok(Kernel { bytes, inputs })
}

/// Function label, labels and instructions, return.
fn code(program: &Program) -> Vec<u8> {
    let mut code = vec![SUBROUTINE, 0, 0];
    let subroutines = subroutines(program);
    let mut labels: Vec<(LabelId, u32)> = program.labels().collect();
    labels.sort_by_key(|(_, position)| *position);
    let mut labels = labels.into_iter().peekable();
    let mut place_labels = |position: usize, code: &mut Vec<u8>| {
        while let Some((label, _)) = labels.next_if(|(_, at)| to_usize(*at) == position) {
            // The first function of a text is the kernel itself.
            let opcode = match position > 0 && subroutines.contains(&label.0) {
                true => SUBROUTINE,
                false => LABEL,
            };
            code.push(opcode);
            code.extend(label.0.to_le_bytes());
        }
    };
    let mut last = 0;
    for (position, placed) in program.instructions.iter().enumerate() {
        place_labels(position, &mut code);
        last = code.len();
        code.extend(placed.instruction.encode().bytes());
    }
    let before = code.len();
    place_labels(program.instructions.len(), &mut code);
    // An unpredicated return at the end; no label follows.
    let returns = matches!(code[last..], [RETURN, _, 0, 0]);
    if !returns || code.len() > before {
        code.extend([RETURN, 0, 0, 0]);
    }
    code
}

const SUBROUTINE: u8 = 0x30;
const LABEL: u8 = 0x31;
const RETURN: u8 = 0x34;

/// Numbers of the labels that calls name.
fn subroutines(program: &Program) -> HashSet<u16> {
    let branches = program.instructions.iter();
    let branches = branches.filter_map(|placed| placed.instruction.branch());
    let calls = branches.filter(|branch| branch.kind == FlowKind::Call);
    calls
        .flat_map(|branch| branch.targets.iter().map(|label| label.0))
        .collect()
}

/// Value of the attribute SLMSize, in KB: 0, or a power of two up to 64.
fn slm_size(program: &Program) -> Vec<u8> {
    let slm = program.start.space(lanewise_core::machine::SpaceId::SLM);
    let bytes: u64 = slm.regions().map(|(_, bytes)| bytes).sum();
    let units = bytes.div_ceil(1024).next_power_of_two().min(64);
    let units = u32::try_from(units).expect("at most 64");
    units.to_le_bytes().to_vec()
}

fn symbol_tables(
    program: &Program,
    strings: &mut Strings,
    out: &mut Vec<u8>,
) -> Result<(), ExportError> {
    let symbols = &program.symbols.visa;
    put32(out, symbols.generals().count())?;
    for (_, variable) in symbols.generals() {
        put32(out, strings.index(&variable.name))?;
        let grf = symbols.grf_bytes();
        let is_aligned = variable.alias.is_none() && variable.offset.is_multiple_of(grf);
        let alignment = match (is_aligned, variable.ty.bytes()) {
            (true, _) => 5,
            (false, 1) => 0,
            (false, 2) => 1,
            (false, 4) => 2,
            (false, _) => 3,
        };
        out.push(type_code(variable.ty) | alignment << 4);
        put16(out, usize_of(variable.elements))?;
        match variable.alias {
            Some(base) => {
                let start = symbols.general(base).map_or(0, |general| general.offset);
                put32(out, usize_of(base))?;
                put16(out, usize_of(variable.offset - start))?;
            }
            None => {
                put32(out, 0)?;
                put16(out, 0)?;
            }
        }
        // Local scope, no attributes.
        out.extend([0, 0]);
    }
    debug_assert!(symbols.generals().all(|(id, _)| id >= FIRST_GENERAL));
    put16(out, symbols.addresses().count())?;
    for (_, variable) in symbols.addresses() {
        other(variable.elements, &variable.name, strings, out)?;
    }
    put16(out, symbols.predicates().count())?;
    for (_, variable) in symbols.predicates() {
        other(variable.elements, &variable.name, strings, out)?;
    }
    // Label 0 is that of the kernel's function. Each has a kind and no attributes.
    let labels: Vec<&str> = (1..=u16::MAX)
        .map_while(|id| symbols.label_name(LabelId(id)))
        .collect();
    put16(out, 1 + labels.len())?;
    put32(out, strings.index(&format!("{KERNEL}_0")))?;
    out.extend([1, 0]);
    let subroutines = subroutines(program);
    for (id, label) in (1..).zip(labels) {
        put32(out, strings.index(label))?;
        out.extend([u8::from(subroutines.contains(&id)), 0]);
    }
    put8(out, symbols.samplers().count())?;
    for (_, variable) in symbols.samplers() {
        other(variable.elements, &variable.name, strings, out)?;
    }
    put8(out, symbols.surfaces().count())?;
    for (_, variable) in symbols.surfaces() {
        other(variable.elements, &variable.name, strings, out)?;
    }
    // No VME variables.
    out.push(0);
    Ok(())
}

/// Address, predicate, sampler or surface variable.
fn other(
    elements: u32,
    name: &str,
    strings: &mut Strings,
    out: &mut Vec<u8>,
) -> Result<(), ExportError> {
    put32(out, strings.index(name))?;
    put16(out, usize_of(elements))?;
    out.push(0);
    Ok(())
}

/// Type code in `bit_properties`.
fn type_code(ty: ElementType) -> u8 {
    match ty {
        ElementType::Ud => 0,
        ElementType::D => 1,
        ElementType::Uw => 2,
        ElementType::W => 3,
        ElementType::Ub => 4,
        ElementType::B => 5,
        ElementType::Df => 6,
        ElementType::F => 7,
        ElementType::Uq => 11,
        ElementType::Q => 13,
        ElementType::Hf => 14,
        ElementType::Bf => 15,
    }
}

fn usize_of(value: u32) -> usize {
    usize::try_from(value).expect("usize has 32 bits or more")
}

fn put8(out: &mut Vec<u8>, value: usize) -> Result<(), ExportError> {
    out.push(u8::try_from(value).map_err(|_| ExportError::TooLarge)?);
    Ok(())
}

fn put16(out: &mut Vec<u8>, value: usize) -> Result<(), ExportError> {
    let value = u16::try_from(value).map_err(|_| ExportError::TooLarge)?;
    out.extend(value.to_le_bytes());
    Ok(())
}

fn put32(out: &mut Vec<u8>, value: usize) -> Result<(), ExportError> {
    let value = u32::try_from(value).map_err(|_| ExportError::TooLarge)?;
    out.extend(value.to_le_bytes());
    Ok(())
}

/// `EXIT`; ptxas ends every kernel for SM50 to SM62 with it (observed).
const EXIT: u64 = 0xe300_0000_0007_000f;

/// `NOP`; ptxas pads the last group with it (observed).
const NOP: u64 = 0x50b0_0000_0007_0f00;

/// Code alignment of ptxas, in bytes (observed).
const CODE_ALIGNMENT: usize = 2 * GROUP_BYTES;

/// Default schedule: maximum stall, no barriers. A stall of 0 would dual-issue
/// with the next instruction, which nvdisasm rejects for most pairs (observed).
const UNSCHEDULED: Schedule = Schedule {
    stall: 15,
    yields: false,
    write: Barrier(None),
    read: Barrier(None),
    wait: 0,
    reuse: 0,
};

/// Exports the instructions as raw SASS code: groups of a control word and three
/// instructions, ending with `EXIT` and padded with `NOP`. Instructions without
/// scheduling get a stall of 15 and no barriers.
///
/// # Errors
/// [`ExportError`] for a vISA program, or one with errors or other instructions than ATOM and
/// RED.
pub fn sass_code(program: &Program) -> Result<Vec<u8>, ExportError> {
    if program.symbols.target.chip().is_none() {
        return Err(ExportError::WrongFamily);
    }
    check_encodable(program)?;
    let mut all = program.instructions.iter();
    if all.any(|placed| placed.instruction.encode().bytes().is_empty()) {
        return Err(ExportError::TextOnly);
    }
    let mut words: Vec<(Vec<u8>, _)> = program
        .instructions
        .iter()
        .map(|placed| {
            let bytes = placed.instruction.encode().bytes().to_vec();
            (bytes, placed.instruction.schedule().unwrap_or(UNSCHEDULED))
        })
        .collect();
    words.push((EXIT.to_le_bytes().to_vec(), UNSCHEDULED));
    while !words
        .len()
        .is_multiple_of(SLOTS * CODE_ALIGNMENT / GROUP_BYTES)
    {
        words.push((NOP.to_le_bytes().to_vec(), UNSCHEDULED));
    }
    let mut code = Vec::with_capacity(words.len() / SLOTS * GROUP_BYTES);
    for group in words.chunks_exact(SLOTS) {
        let slots = std::array::from_fn(|slot| group[slot].1);
        code.extend(ControlWord { slots }.encode());
        for (word, _) in group {
            code.extend(word);
        }
    }
    Ok(code)
}
