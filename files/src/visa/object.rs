//! vISA objects (`.isa`): header, string pool, symbol tables and instructions of
//! each kernel and function. Source: visa_4_visa_header.md; comments note where
//! real objects differ.

use super::stream::{self, Form, Piece, PieceKind, Split};
use crate::{
    Content, FileError, FileKind, Function, Item, MAX_FUNCTIONS, MAX_NAME, OpenedFile,
    assumed_target, functions_note, limit, text,
};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::{Instruction, Style, Target};
use lanewise_core::program::{Assembler, MAX_TEXT, Program};
use std::collections::HashSet;
use std::rc::Rc;

pub(crate) const MAGIC: &[u8] = b"CISA";

/// Types by their code in `bit_properties`. Observed: V, VF, BOOL and UV also have
/// codes, but are not valid types of variables.
const TYPES: [&str; 16] = [
    "ud", "d", "uw", "w", "ub", "b", "df", "f", "v", "vf", "bool", "uq", "uv", "q", "hf", "bf",
];

/// Alignments by their code in `bit_properties`.
const ALIGNMENTS: [&str; 10] = [
    "byte", "word", "dword", "qword", "oword", "GRF", "2GRF", "hword", "32word", "64word",
];

/// Number of the first general variable of a kernel; lower numbers are predefined.
const FIRST_GENERAL: usize = 32;

/// Maximum number of strings or variables: more than compilers write, and than a
/// scenario can declare.
const MAX_SYMBOLS: usize = 1 << 17;

/// Number of the first surface of a kernel.
const FIRST_SURFACE: usize = 6;

/// Sequential reader with bounds checks.
struct Reader<'f> {
    bytes: &'f [u8],
    at: usize,
}

impl<'f> Reader<'f> {
    fn take(&mut self, count: usize, what: &str) -> Result<&'f [u8], FileError> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken =
            taken.ok_or_else(|| FileError::new(self.at, format!("the file ends within {what}")))?;
        self.at += count;
        Ok(taken)
    }

    fn u8(&mut self, what: &str) -> Result<u8, FileError> {
        Ok(self.take(1, what)?[0])
    }

    fn u16(&mut self, what: &str) -> Result<u16, FileError> {
        let bytes = self.take(2, what)?;
        Ok(u16::from_le_bytes(
            bytes.try_into().expect("2 bytes were taken"),
        ))
    }

    fn u32(&mut self, what: &str) -> Result<u32, FileError> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes(
            bytes.try_into().expect("4 bytes were taken"),
        ))
    }

    /// Reads a 32-bit offset or count.
    fn size(&mut self, what: &str) -> Result<usize, FileError> {
        Ok(usize::try_from(self.u32(what)?).expect("usize has 32 bits or more"))
    }

    /// Reads the number of following entries, each of at least `least` bytes.
    fn count(&mut self, least: usize, what: &str) -> Result<usize, FileError> {
        let at = self.at;
        let count = self.size(what)?;
        if count > MAX_SYMBOLS {
            let message = format!("{what} has {count} entries, more than {MAX_SYMBOLS}");
            return Err(FileError::new(at, message));
        }
        let rest = self.bytes.len() - self.at;
        if count * least > rest {
            let message = format!("{what} has {count} entries, and {rest} bytes follow");
            return Err(FileError::new(at, message));
        }
        Ok(count)
    }

    /// Reads a null-terminated string.
    fn string(&mut self, what: &str) -> Result<Rc<str>, FileError> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|b| *b == 0);
        let end =
            end.ok_or_else(|| FileError::new(self.at, format!("unterminated string in {what}")))?;
        self.at += end + 1;
        Ok(name(&rest[..end]))
    }

    /// Reads a name of `length` bytes.
    fn name(&mut self, length: usize, what: &str) -> Result<Rc<str>, FileError> {
        Ok(name(self.take(length, what)?))
    }

    fn fail(&self, message: impl Into<String>) -> FileError {
        FileError::new(self.at, message)
    }
}

/// Decodes a name, truncated to the maximum length.
fn name(bytes: &[u8]) -> Rc<str> {
    // A character has at most four bytes.
    let bytes = bytes.get(..4 * MAX_NAME).unwrap_or(bytes);
    Rc::from(text::cut(&String::from_utf8_lossy(bytes), MAX_NAME))
}

/// Location of a kernel or function in the file.
struct Entry {
    name: Rc<str>,
    offset: usize,
    size: usize,
    is_kernel: bool,
    platform: Option<u8>,
    /// End of the last GEN binary; GEN binaries are not read.
    binaries_end: usize,
}

/// How to read the functions.
#[derive(Clone, Copy)]
struct Options {
    /// Target of functions without a GEN binary.
    target: Option<Target>,
    /// Maximum number of instructions to list.
    limit: usize,
}

/// Opens an object; `target` is that of functions that do not name theirs.
pub(crate) fn open(bytes: &[u8], target: Option<Target>) -> Result<OpenedFile, FileError> {
    let mut reader = Reader {
        bytes,
        at: MAGIC.len(),
    };
    let major = reader.u8("the header")?;
    let minor = reader.u8("the header")?;
    if (major, minor) < (3, 6) {
        return Err(FileError::new(
            4,
            format!("unsupported vISA object version {major}.{minor}; expected 3.6 or later"),
        ));
    }
    let entries = read_header(&mut reader, (major, minor))?;
    // Reject overlapping kernels, which could cause unbounded work.
    let bodies: usize = entries.iter().map(|entry| entry.size).sum();
    if bodies > bytes.len() {
        return Err(FileError::new(
            6,
            format!(
                "the kernels and functions have {bodies} bytes in total, but the file has {}",
                bytes.len()
            ),
        ));
    }
    let mut notes = Vec::new();
    let mut functions = Vec::new();
    let (defined, declared): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.size > 0);
    for entry in &declared[..declared.len().min(MAX_DECLARED)] {
        notes.push(format!("{} is only declared (extern)", entry.name));
    }
    if declared.len() > MAX_DECLARED {
        let more = declared.len() - MAX_DECLARED;
        notes.push(format!("{more} more are only declared"));
    }
    for entry in defined {
        if functions.len() == MAX_FUNCTIONS {
            notes.push(functions_note());
            break;
        }
        let limit = limit(&functions);
        let options = Options { target, limit };
        let mut function = read_function(bytes, entry, options)?;
        if entry.binaries_end > bytes.len() {
            function.notes.push(String::from(
                "the file is truncated: the GEN binary, which is not read, extends beyond its end",
            ));
        }
        functions.push(function);
    }
    if functions.is_empty() {
        notes.push(String::from(
            "the object does not contain kernels or functions",
        ));
    }
    Ok(OpenedFile {
        kind: FileKind::VisaObject { major, minor },
        functions,
        notes,
    })
}

/// Maximum number of functions without code listed by name.
const MAX_DECLARED: usize = 20;

/// Reads the tables of kernels, file-scope variables and functions.
fn read_header(reader: &mut Reader<'_>, version: (u8, u8)) -> Result<Vec<Entry>, FileError> {
    // Length of a name: UW since 4.1, UB before (observed in 3.6).
    let name = |reader: &mut Reader<'_>, what: &str| {
        let length = if version >= (4, 1) {
            usize::from(reader.u16(what)?)
        } else {
            usize::from(reader.u8(what)?)
        };
        reader.name(length, what)
    };
    let mut entries = Vec::new();
    for _ in 0..reader.u16("the header")? {
        let what = "the table of kernels";
        let name = name(reader, what)?;
        let offset = reader.size(what)?;
        let size = reader.size(what)?;
        let _input_offset = reader.u32(what)?;
        skip_relocations(reader, what)?;
        let mut platform = None;
        let mut binaries_end = 0;
        for _ in 0..reader.u8(what)? {
            platform = Some(reader.u8(what)?);
            let binary = reader.size(what)?;
            binaries_end = binaries_end.max(binary.saturating_add(reader.size(what)?));
        }
        entries.push(Entry {
            name,
            offset,
            size,
            is_kernel: true,
            platform,
            binaries_end,
        });
    }
    for _ in 0..reader.u16("the header")? {
        let what = "the table of file-scope variables";
        reader.u8(what)?;
        name(reader, what)?;
        reader.take(3, what)?;
        for _ in 0..reader.u8(what)? {
            reader.u32(what)?;
            let size = reader.u8(what)?;
            reader.take(usize::from(size), what)?;
        }
    }
    for _ in 0..reader.u16("the header")? {
        let what = "the table of functions";
        reader.u8(what)?;
        let name = name(reader, what)?;
        let offset = reader.size(what)?;
        let size = reader.size(what)?;
        skip_relocations(reader, what)?;
        entries.push(Entry {
            name,
            offset,
            size,
            is_kernel: false,
            platform: None,
            binaries_end: 0,
        });
    }
    Ok(entries)
}

/// Skips the relocation tables of variables and functions: pairs of UW.
fn skip_relocations(reader: &mut Reader<'_>, what: &str) -> Result<(), FileError> {
    for _ in 0..2 {
        let count = usize::from(reader.u16(what)?);
        reader.take(4 * count, what)?;
    }
    Ok(())
}

/// Variable of any class.
struct Variable {
    name: Rc<str>,
    elements: u16,
}

struct General {
    variable: Variable,
    bit_properties: u8,
    alias: Option<(usize, u16)>,
}

/// Variable that the payload contains when a kernel starts.
struct Input {
    /// 0 general, 1 sampler, 2 surface.
    class: u8,
    id: usize,
    offset: u16,
    size: u16,
}

/// Symbol tables of a kernel or function.
#[derive(Default)]
struct Tables {
    generals: Vec<General>,
    addresses: Vec<Variable>,
    predicates: Vec<Variable>,
    labels: Vec<Rc<str>>,
    samplers: Vec<Variable>,
    surfaces: Vec<Variable>,
    inputs: Vec<Input>,
    attributes: Vec<String>,
    file_scope_aliases: usize,
}

fn read_function(bytes: &[u8], entry: &Entry, options: Options) -> Result<Function, FileError> {
    let kind = if entry.is_kernel {
        "kernel"
    } else {
        "function"
    };
    let end = entry.offset.checked_add(entry.size);
    let Some(body) = end.and_then(|end| bytes.get(..end)) else {
        return Err(FileError::new(
            entry.offset.min(bytes.len()),
            format!(
                "the {kind} {} extends beyond the end of the file",
                entry.name
            ),
        ));
    };
    let mut reader = Reader {
        bytes: body,
        at: entry.offset,
    };
    let mut strings = Vec::new();
    for _ in 0..reader.count(1, "the string pool")? {
        strings.push(reader.string("the string pool")?);
    }
    let name = string(&mut reader, &strings)?;
    let mut tables = Tables::default();
    read_symbols(&mut reader, &strings, &mut tables)?;
    if entry.is_kernel {
        let what = "the inputs";
        for _ in 0..reader.count(9, what)? {
            tables.inputs.push(Input {
                class: reader.u8(what)? & 3,
                id: reader.size(what)?,
                offset: reader.u16(what)?,
                size: reader.u16(what)?,
            });
        }
    }
    let size = reader.size("the code's size")?;
    let start = reader.size("the code's start")?;
    if !entry.is_kernel {
        reader.take(2, "the sizes of arguments and return value")?;
    }
    read_attributes(&mut reader, &strings, &mut tables)?;
    let start = entry.offset.checked_add(start);
    let code = start
        .and_then(|start| Some((start, body.get(start..start.checked_add(size)?)?)))
        .ok_or_else(|| reader.fail("the instructions extend beyond the end of the kernel"))?;
    Ok(assemble(entry, &name, &tables, code, options))
}

/// Reads a string index and returns the string.
fn string(reader: &mut Reader<'_>, strings: &[Rc<str>]) -> Result<Rc<str>, FileError> {
    let at = reader.at;
    let index = reader.size("a string's index")?;
    let found = strings.get(index).cloned();
    found.ok_or_else(|| {
        let message = format!(
            "string index {index} is out of range; the pool has {} strings",
            strings.len()
        );
        FileError::new(at, message)
    })
}

/// Name and bytes of an attribute.
type Attribute = (Rc<str>, Vec<u8>);

fn attributes(
    reader: &mut Reader<'_>,
    strings: &[Rc<str>],
    count: u16,
) -> Result<Vec<Attribute>, FileError> {
    let mut all = Vec::new();
    for _ in 0..count {
        let name = string(reader, strings)?;
        let size = reader.u8("an attribute")?;
        let value = reader.take(usize::from(size), "an attribute")?;
        all.push((name, value.to_vec()));
    }
    Ok(all)
}

fn variable(reader: &mut Reader<'_>, strings: &[Rc<str>]) -> Result<Variable, FileError> {
    let name = string(reader, strings)?;
    let elements = reader.u16("a variable")?;
    let count = reader.u8("a variable")?;
    attributes(reader, strings, u16::from(count))?;
    Ok(Variable { name, elements })
}

fn read_symbols(
    reader: &mut Reader<'_>,
    strings: &[Rc<str>],
    tables: &mut Tables,
) -> Result<(), FileError> {
    let what = "the table of variables";
    // Name, bits, elements, alias and its offset, scope, count.
    for _ in 0..reader.count(15, what)? {
        let name = string(reader, strings)?;
        let bit_properties = reader.u8(what)?;
        let elements = reader.u16(what)?;
        let alias = reader.size(what)?;
        let alias_offset = reader.u16(what)?;
        let is_file_scope = reader.u8(what)? != 0;
        let count = reader.u8(what)?;
        attributes(reader, strings, u16::from(count))?;
        tables.file_scope_aliases += usize::from(is_file_scope);
        let alias = (alias != 0 && !is_file_scope).then_some((alias, alias_offset));
        tables.generals.push(General {
            variable: Variable { name, elements },
            bit_properties,
            alias,
        });
    }
    for _ in 0..reader.u16("the table of address variables")? {
        tables.addresses.push(variable(reader, strings)?);
    }
    for _ in 0..reader.u16("the table of predicates")? {
        tables.predicates.push(variable(reader, strings)?);
    }
    for _ in 0..reader.u16("the table of labels")? {
        let name = string(reader, strings)?;
        reader.u8("a label")?;
        let count = reader.u8("a label")?;
        attributes(reader, strings, u16::from(count))?;
        tables.labels.push(name);
    }
    for _ in 0..reader.u8("the table of samplers")? {
        tables.samplers.push(variable(reader, strings)?);
    }
    for _ in 0..reader.u8("the table of surfaces")? {
        tables.surfaces.push(variable(reader, strings)?);
    }
    for _ in 0..reader.u8("the table of VME variables")? {
        variable(reader, strings)?;
    }
    Ok(())
}

fn read_attributes(
    reader: &mut Reader<'_>,
    strings: &[Rc<str>],
    tables: &mut Tables,
) -> Result<(), FileError> {
    let count = reader.u16("the attributes")?;
    for (name, value) in attributes(reader, strings, count)? {
        let text = if matches!(&*name, "AsmName" | "OutputAsmPath") {
            format!("{name}=\"{}\"", String::from_utf8_lossy(&value))
        } else {
            let digits: String = value.iter().rev().map(|b| format!("{b:02x}")).collect();
            match digits.as_str() {
                "" => name.to_string(),
                digits => format!("{name}=0x{digits}"),
            }
        };
        tables.attributes.push(text);
    }
    Ok(())
}

/// Target for a GEN platform code. Source: gen_binary_info; for 4, 11, 13, 14 and
/// 15 real objects (observed).
fn platform(code: Option<u8>) -> (Platform, Option<String>) {
    let Some(code) = code else {
        return (Platform::default(), None);
    };
    let known = Platform::of_object_code(code);
    let platform = known.unwrap_or_default();
    // The first code of a row is its own, the others are those of close relatives.
    let is_exact = known.is_some() && platform.features().object_codes.first() == Some(&code);
    let note = (!is_exact).then(|| {
        format!(
            "compiled for unknown GEN platform {code}; using {}",
            platform.name()
        )
    });
    (platform, note)
}

/// Reads the function for the platform of its GEN binary. Without a GEN binary,
/// reads it for `assumed`, or for the first platform with the most valid
/// instructions.
fn assemble(
    entry: &Entry,
    name: &str,
    tables: &Tables,
    (start, code): (usize, &[u8]),
    options: Options,
) -> Function {
    let (named, note) = platform(entry.platform);
    let mut notes = Vec::from_iter(note);
    let declared = declare(tables, &mut notes);
    let split = stream::split(code, tables.labels.len());
    note_form(&split, code, &mut notes);
    let listed = split.pieces.len().min(options.limit);
    let left_out = listed < split.pieces.len();
    let pieces = &split.pieces[..listed];
    let name = if name.is_empty() { &entry.name } else { name };
    let read = |platform| {
        let target = Target::Visa(platform);
        let mut decoder = Decoder::new(target, &declared);
        let mut function = Function {
            name: name.to_owned(),
            target,
            declarations: declared.lines.clone(),
            items: Vec::new(),
            notes: notes.clone(),
        };
        let items = pieces.iter().map(|piece| Item {
            offset: start + piece.start,
            bytes: code[piece.start..piece.start + piece.length].to_vec(),
            content: decoder.content(piece, code),
        });
        function.items = items.collect();
        if left_out {
            function.cut_off(listed);
        }
        function
    };
    match (entry.platform, options.target) {
        (Some(_), _) => read(named),
        (None, Some(Target::Visa(assumed))) => read(assumed),
        (None, _) => {
            let mut function = read(named);
            if function.clean_instructions() < function.own_instructions() {
                for platform in Platform::ALL {
                    let other = read(platform);
                    if other.clean_instructions() > function.clean_instructions() {
                        function = other;
                    }
                }
            }
            let note = assumed_target("object", function.target);
            function.notes.push(note);
            function
        }
    }
}

fn note_form(split: &Split, code: &[u8], notes: &mut Vec<String>) {
    if split.form == Form::Truncated {
        notes.push(String::from(
            "the last operands of each instruction are missing; the assembler of libigc-tools 1.0.12198 to 1.0.12812 omits them (observed)",
        ));
    }
    let rest = &code[split.end..];
    if split.pieces.len() < stream::MAX_PIECES && rest.iter().any(|byte| *byte != 0) {
        let bytes = rest.len();
        notes.push(format!(
            "{bytes} bytes after the last return of the function are not code, and are not read"
        ));
    }
}

/// Decodes the pieces of a function.
struct Decoder<'t> {
    assembler: Assembler,
    labels: &'t [String],
}

impl<'t> Decoder<'t> {
    fn new(target: Target, declared: &'t Declared) -> Self {
        // Label 0 is that of the function itself, which has no number in a text.
        let labels = declared.labels.iter().skip(1);
        let labels: String = labels.map(|label| format!("{label}:\n")).collect();
        let lines = declared.lines.join("\n");
        let text = format!(".target {}\n{lines}\n{labels}", target.name());
        Self {
            assembler: Assembler::with_names(Program::parse(&text).symbols),
            labels: &declared.labels,
        }
    }

    fn content(&mut self, piece: &Piece, code: &[u8]) -> Content {
        let bytes = &code[piece.start..piece.start + piece.length];
        match piece.kind {
            PieceKind::Label(id, is_function) => match self.labels.get(usize::from(id)) {
                Some(name) if is_function => Content::Directive(format!(".function \"{name}\"")),
                Some(name) => Content::Label(name.clone()),
                None => Content::Unreadable(format!(
                    "label {id} does not exist; the function has {} labels",
                    self.labels.len()
                )),
            },
            PieceKind::Unknown => {
                let opcode = bytes.first().copied().unwrap_or_default();
                Content::Unreadable(format!(
                    "unknown opcode {opcode:#04x}; decoding resumes at the next readable position (assumed)"
                ))
            }
            PieceKind::Instruction(name) if piece.missing > 0 => {
                self.incomplete(name, bytes, piece.missing)
            }
            PieceKind::Instruction(name) => self.instruction(name, bytes),
        }
    }

    fn instruction(&mut self, name: &str, bytes: &[u8]) -> Content {
        let family = self.assembler.symbols().target.family();
        let labels = 1..self.labels.len();
        match self.assembler.disassemble(bytes, Style::Assembler) {
            Ok(read) if read.length != bytes.len() => Content::Unreadable(format!(
                "`{name}` has {} bytes, of which {} were decoded",
                bytes.len(),
                read.length
            )),
            Ok(read) => {
                let branch = read.instruction.branch();
                let mut targets = branch.iter().flat_map(|branch| branch.targets);
                match targets.find(|label| !labels.contains(&usize::from(label.0))) {
                    Some(label) => Content::Unreadable(format!(
                        "`{name}` branches to label {}, which does not exist",
                        label.0
                    )),
                    None => Content::Instruction {
                        text: String::from(read.text),
                        warnings: read.diagnostics.iter().map(|d| d.message()).collect(),
                    },
                }
            }
            Err(_) if Instruction::named(family, name).is_none() => {
                Content::Other(String::from(name))
            }
            Err(diagnostics) => Content::Incomplete {
                text: String::from(name),
                reason: diagnostics
                    .first()
                    .map_or_else(String::new, |d| d.message()),
            },
        }
    }

    /// Decodes the operands that the file contains; null operands are in place of
    /// the missing ones.
    fn incomplete(&mut self, name: &str, bytes: &[u8], missing: usize) -> Content {
        let mut filled = bytes.to_vec();
        filled.resize(bytes.len() + missing, 0);
        let text = match self.assembler.disassemble(&filled, Style::Assembler) {
            Ok(read) if read.instruction.branch().is_none() => read.text,
            _ => name,
        };
        Content::Incomplete {
            text: text.to_owned(),
            reason: String::from("the file does not contain the last operands"),
        }
    }
}

/// Directives and labels of a function.
#[derive(Default)]
struct Declared {
    lines: Vec<String>,
    /// By number.
    labels: Vec<String>,
}

/// Directives that declare the symbols with the same numbers as in the object.
/// Names that are invalid in vISA text are replaced with a letter and a number.
fn declare(tables: &Tables, notes: &mut Vec<String>) -> Declared {
    let (labels, renamed_labels) = labels(tables);
    if tables.file_scope_aliases > 0 {
        notes.push(format!(
            "{} variables alias file-scope variables; here they have separate registers",
            tables.file_scope_aliases
        ));
    }
    let mut renamed: Vec<bool> = names(tables).map(|name| !is_word(name)).collect();
    // Each round renames the symbols that the core rejects; the last one renames all.
    for round in 0..4 {
        if round == 3 {
            renamed.fill(true);
        }
        let (lines, owners) = declarations(tables, &renamed);
        // Declarations do not depend on the platform.
        let text = format!(
            ".target {}\n{}\n",
            Target::default().name(),
            lines.join("\n")
        );
        if text.len() > MAX_TEXT {
            notes.push(String::from(
                "the function declares more variables than a scenario can have",
            ));
            return Declared::default();
        }
        let program = Program::parse(&text);
        let errors = program.diagnostics.iter();
        let mut again = false;
        for error in errors.filter(|d| d.is_error()) {
            let start = to_usize(error.span.start).min(text.len());
            let line = text[..start].bytes().filter(|b| *b == b'\n').count();
            // Line 0 is the target.
            if let Some(Some(owner)) = line.checked_sub(1).and_then(|l| owners.get(l))
                && !renamed[*owner]
            {
                renamed[*owner] = true;
                again = true;
            }
        }
        if !again {
            let count = renamed_labels + renamed.iter().filter(|r| **r).count();
            if count > 0 {
                notes.push(format!(
                    "{count} names are invalid in vISA text and are replaced with a letter and a number"
                ));
            }
            return Declared { lines, labels };
        }
    }
    Declared {
        lines: Vec::new(),
        labels,
    }
}

/// Label names by number, and how many are replaced because they are invalid in
/// vISA text or taken by an earlier label.
fn labels(tables: &Tables) -> (Vec<String>, usize) {
    let all: HashSet<&str> = tables.labels.iter().map(|name| &**name).collect();
    let mut taken: HashSet<&str> = HashSet::new();
    let mut replaced = 0;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "_%$".contains(c);
    let mut names = Vec::new();
    for (id, name) in tables.labels.iter().enumerate() {
        let is_name =
            name.chars().all(is_letter) && !name.starts_with(|c: char| c.is_ascii_digit());
        // Only branches need distinct names, and none is to the function itself.
        if name.is_empty() || !is_name || id > 0 && !taken.insert(name) {
            replaced += 1;
            let mut name = format!("label_{id}");
            while all.contains(&*name) {
                name.push('_');
            }
            names.push(name);
        } else {
            names.push(name.to_string());
        }
    }
    (names, replaced)
}

/// Names of all declared symbols, in declaration order.
fn names(tables: &Tables) -> impl Iterator<Item = &str> {
    let generals = tables.generals.iter().map(|general| &general.variable);
    generals
        .chain(&tables.addresses)
        .chain(&tables.predicates)
        .chain(&tables.samplers)
        .chain(&tables.surfaces)
        .map(|variable| &*variable.name)
}

/// Whether a name is a single token.
fn is_word(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || "_-$@?%".contains(c);
    !name.is_empty() && name.chars().all(letter)
}

/// Declaration lines, each with the index of the symbol that it declares.
fn declarations(tables: &Tables, renamed: &[bool]) -> (Vec<String>, Vec<Option<usize>>) {
    let mut lines = Vec::new();
    let general_name = |index: usize| match renamed[index] {
        true => format!("V{}", FIRST_GENERAL + index),
        false => tables.generals[index].variable.name.to_string(),
    };
    for (index, general) in tables.generals.iter().enumerate() {
        let ty = TYPES[usize::from(general.bit_properties & 15)];
        let align = usize::from(general.bit_properties >> 4);
        let align = ALIGNMENTS.get(align).copied().unwrap_or("byte");
        let elements = general.variable.elements;
        let mut line = format!(
            ".decl {} v_type=G type={ty} num_elts={elements} align={align}",
            general_name(index)
        );
        if let Some((base, offset)) = general.alias {
            let base = match base.checked_sub(FIRST_GENERAL) {
                Some(declared) if declared < index => general_name(declared),
                _ => format!("V{base}"),
            };
            line += &format!(" alias=<{base}, {offset}>");
        }
        lines.push(line);
    }
    let mut first = tables.generals.len();
    // Index of the first line of each class.
    let mut first_of = Vec::new();
    for (class, letter, number, variables) in [
        ("A", "A", 0, &tables.addresses),
        ("P", "P", 1, &tables.predicates),
        ("S", "S", 0, &tables.samplers),
        ("T", "T", FIRST_SURFACE, &tables.surfaces),
    ] {
        for (index, variable) in variables.iter().enumerate() {
            let name = match renamed[first + index] {
                true => format!("{letter}{}", number + index),
                false => variable.name.to_string(),
            };
            let elements = variable.elements;
            lines.push(format!(".decl {name} v_type={class} num_elts={elements}"));
        }
        first_of.push(first);
        first += variables.len();
    }
    let mut owners: Vec<Option<usize>> = (0..lines.len()).map(Some).collect();
    for input in &tables.inputs {
        let (first, index) = match input.class {
            0 => (0, input.id.checked_sub(FIRST_GENERAL)),
            1 => (first_of[2], Some(input.id)),
            _ => (first_of[3], input.id.checked_sub(FIRST_SURFACE)),
        };
        let declared = index.and_then(|index| lines.get(first.checked_add(index)?));
        let name = declared.and_then(|line| line.split(' ').nth(1));
        let name = name.map_or_else(|| format!("V{}", input.id), str::to_owned);
        let (offset, size) = (input.offset, input.size);
        lines.push(format!(".input {name} offset={offset} size={size}"));
        owners.push(None);
    }
    for attribute in &tables.attributes {
        lines.push(format!(".kernel_attr {attribute}"));
        owners.push(None);
    }
    (lines, owners)
}
