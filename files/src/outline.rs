//! Outlines of files for a list of their functions and kernels, and the scenarios of
//! these.

use crate::scenario::hex;
use crate::zebin::{self, Argument, Kernel, Zebin};
use crate::{
    Content, FileKind, Function, Item, OpenedFile, WarpKernel, WarpProgram, functions_note, notes,
};
use lanewise_core::program::{Program, Sizes};
use lanewise_core::text::counted;
use serde::{Deserialize, Serialize};

/// Maximum size of a scenario in bytes.
const MAX_SCENARIO: usize = 1_000_000;

/// Maximum number of functions listed.
const MAX_ENTRIES: usize = 200;

/// Maximum number of runnable instructions shown per function.
const MAX_PREVIEW: usize = 6;

/// Maximum number of instructions in a function's listing.
const MAX_ROWS: usize = 500;

/// Maximum number of bytes shown per instruction.
const MAX_BYTES: usize = 16;

/// Maximum number of different errors listed for a kernel.
const MAX_ERRORS: usize = 4;

/// Contents of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileContents {
    Scenario(String),
    Outline(FileOutline),
}

/// Functions or kernels of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileOutline {
    /// Format and number of functions.
    pub summary: String,
    pub notes: Vec<String>,
    pub entries: Vec<FileEntry>,
    /// Number of functions that are not listed.
    pub omitted: usize,
}

/// A function or kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Index in the file.
    pub index: usize,
    pub name: String,
    /// Target, if the file has the function for several.
    pub variant: Option<String>,
    pub summary: String,
    /// Reasons why it cannot run.
    pub errors: Vec<String>,
    pub notes: Vec<String>,
    /// Whether it has readable instructions, and a kernel no errors.
    pub can_open: bool,
    /// Whether any instruction can run.
    pub can_run: bool,
    /// Whether it opens with a proposed launch.
    pub can_launch: bool,
    /// Arguments of a kernel as declarations.
    pub arguments: Option<Vec<String>>,
    /// Instructions; `None` for a kernel of a compiled program.
    pub listing: Option<Listing>,
}

/// Instructions of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// Its first runnable instructions, with their offsets.
    pub preview: Vec<String>,
    /// Number of runnable instructions.
    pub runnable: usize,
    pub rows: Vec<ListingRow>,
    /// Number of instructions that are not listed.
    pub omitted: usize,
}

/// Instruction of a listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListingRow {
    pub offset: String,
    pub is_runnable: bool,
    pub text: String,
    pub bytes: String,
}

/// Scenario of a function or kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedEntry {
    pub name: String,
    /// Summary of a kernel, for its launch; `None` for other functions.
    pub kernel: Option<String>,
    /// Why a function with inputs opens without a launch.
    pub no_launch: Option<String>,
    pub text: String,
}

/// Functions of the file that was read last.
pub enum ReadFile {
    Functions(OpenedFile),
    /// Functions of a SASS listing, and its kernels, which can be launched.
    Warps(OpenedFile, WarpProgram),
    Program(Zebin),
}

/// Detects the format of a file from its contents; `name` identifies a scenario
/// by its extension. `cubin` is the one that a SASS listing was printed from, if it is known.
/// Returns its functions, too, unless it is a scenario.
///
/// # Errors
///
/// Why the file cannot be opened.
pub fn read(
    name: &str,
    bytes: &[u8],
    cubin: Option<&[u8]>,
) -> Result<(FileContents, Option<ReadFile>), String> {
    let read = read_program(name, bytes, cubin)?;
    match (&read, cubin) {
        ((_, Some(ReadFile::Warps(..))), _) | (_, None) => Ok(read),
        (_, Some(_)) => Err(String::from("only a SASS listing is opened with a cubin")),
    }
}

fn read_program(
    name: &str,
    bytes: &[u8],
    cubin: Option<&[u8]>,
) -> Result<(FileContents, Option<ReadFile>), String> {
    let text = crate::decode_text(bytes);
    if name.to_ascii_lowercase().ends_with(".lanewise") {
        let text = text.ok_or("it is not UTF-8 text")?;
        return scenario(&text);
    }
    if zebin::recognises(bytes) {
        let program = zebin::open(bytes).map_err(|error| error.message)?;
        let outline = FileContents::Outline(program_outline(&program));
        return Ok((outline, Some(ReadFile::Program(program))));
    }
    match crate::open(name, bytes) {
        Ok(mut file) => {
            let is_listing = matches!(file.kind, FileKind::VisaListing | FileKind::SassListing);
            match text.filter(|text| is_listing && crate::is_scenario(text)) {
                Some(text) => scenario(&text),
                None => {
                    let warps = launchable(&mut file, bytes, cubin)?;
                    let outline = FileContents::Outline(outline(&file, warps.as_ref()));
                    let read = match warps {
                        Some(warps) => ReadFile::Warps(file, warps),
                        None => ReadFile::Functions(file),
                    };
                    Ok((outline, Some(read)))
                }
            }
        }
        Err(error) => match text {
            Some(text) if !error.is_recognised && is_program(&text) => scenario(&text),
            _ => Err(error.to_string()),
        },
    }
}

/// The kernels of a SASS listing or of a cubin, if they can be launched. The functions of the
/// file then have the chip, the instructions and the notes of these launches, instead of those
/// of scenarios that execute atomics only.
///
/// # Errors
/// If `cubin` is not the one that the listing was printed from.
pub fn launchable(
    file: &mut OpenedFile,
    bytes: &[u8],
    cubin: Option<&[u8]>,
) -> Result<Option<WarpProgram>, String> {
    let is_fat = matches!(file.kind, FileKind::FatBinary { .. });
    if !is_fat && !matches!(file.kind, FileKind::SassListing | FileKind::Cubin { .. }) {
        return Ok(None);
    }
    let warps = match (WarpProgram::open(bytes, cubin), cubin) {
        (Ok(warps), _) => warps,
        (Err(error), Some(_)) => return Err(error.message),
        (Err(_), None) => return Ok(None),
    };
    if is_fat {
        // Every chip has the same kernels.
        file.functions
            .retain(|function| function.target == warps.chip.into());
        let chip = warps.chip.name();
        file.notes.push(format!("the kernels are those for {chip}"));
    } else {
        // The other notes of a listing are about scenarios of its atomics.
        file.notes.retain(|note| *note == functions_note());
    }
    for function in &mut file.functions {
        let of_scenario = [
            notes::unreadable(function, false),
            notes::comments(function),
        ];
        function
            .notes
            .retain(|note| !of_scenario.iter().flatten().any(|other| other == note));
        function.target = warps.chip.into();
        for item in &mut function.items {
            if let Content::Other(text) | Content::Incomplete { text, .. } = &mut item.content
                && warps.executes(text)
            {
                item.content = Content::Instruction {
                    text: std::mem::take(text),
                    warnings: Vec::new(),
                };
            }
        }
        let kernel = warps.kernel(&function.name);
        let notes = kernel.into_iter().flat_map(|kernel| {
            let notes = [warps.not_executed(kernel), warps.missing_functions(kernel)];
            notes.into_iter().flatten()
        });
        let unreadable = notes::unreadable(function, false);
        function
            .notes
            .splice(0..0, unreadable.into_iter().chain(notes));
    }
    Ok(Some(warps))
}

/// The number of runnable instructions of a function, in words.
#[must_use]
pub fn runnable_count(function: &Function) -> String {
    match (function.own_instructions(), function.instructions()) {
        (_, 0) => String::from("no readable instructions"),
        (own, all) => format!("{own} of {all} instructions can run"),
    }
}

/// Whether a text of unknown kind is a scenario: one of its lines is an instruction, or has a
/// directive that only scenarios have.
fn is_program(text: &str) -> bool {
    let is_blank = text.trim().is_empty();
    is_blank || crate::is_scenario(text) || !Program::parse(text).instructions.is_empty()
}

/// Why a kernel cannot be opened on the page, and what to do.
fn too_long(text: &str, kernel: &str) -> String {
    format!(
        "its text of {} kB exceeds the limit of {} kB on the page; \
         use `lanewise run FILE --kernel {kernel}`",
        text.len() / 1_000,
        MAX_SCENARIO / 1_000
    )
}

fn scenario(text: &str) -> Result<(FileContents, Option<ReadFile>), String> {
    if text.len() > MAX_SCENARIO {
        return Err(String::from(
            "it is larger than the limit of 1 MB for scenarios",
        ));
    }
    Ok((FileContents::Scenario(text.to_owned()), None))
}

impl ReadFile {
    /// The CUDA kernel with an index.
    #[must_use]
    pub fn warp_kernel(&self, index: usize) -> Option<&WarpKernel> {
        match self {
            Self::Warps(file, warps) => warps.kernel(&file.functions.get(index)?.name),
            Self::Functions(_) | Self::Program(_) => None,
        }
    }

    /// Gives the parameters of CUDA kernels [their names](WarpProgram::name_parameters).
    pub fn name_parameters(&mut self, declared: impl Fn(&str, usize) -> Option<Vec<String>>) {
        if let Self::Warps(_, warps) = self {
            warps.name_parameters(declared);
        }
    }

    /// Size of the work-groups that a kernel requires, if any, by index.
    #[must_use]
    pub fn required_group_size(&self, index: usize) -> Option<Sizes> {
        match self {
            Self::Program(program) => program.kernels.get(index)?.required_group_size(),
            Self::Functions(_) | Self::Warps(..) => None,
        }
    }

    /// The scenario of a function or kernel, by index.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn open(&self, index: usize) -> Result<OpenedEntry, String> {
        const MISSING: &str = "the file has no such function";
        match self {
            Self::Functions(file) => {
                let function = file.functions.get(index).ok_or(MISSING)?;
                let launch = Kernel::of_function(function)
                    .and_then(|kernel| Ok((kernel.summary(), crate::propose(&kernel)?)));
                let (kernel, no_launch, text) = match launch {
                    Ok((summary, text)) => (Some(summary), None, text),
                    Err(error) => {
                        let mut lines = function.declarations.iter();
                        let has_inputs = lines.any(|line| line.trim_start().starts_with(".input"));
                        let why = has_inputs.then(|| error.to_string());
                        (None, why, function.scenario())
                    }
                };
                if text.len() > MAX_SCENARIO {
                    return Err(too_long(&text, &function.name));
                }
                Ok(OpenedEntry {
                    name: function.name.clone(),
                    kernel,
                    no_launch,
                    text,
                })
            }
            Self::Warps(file, warps) => {
                let function = file.functions.get(index).ok_or(MISSING)?;
                let kernel = warps.kernel(&function.name).ok_or(MISSING)?;
                let text = warps.propose(kernel)?;
                if text.len() > MAX_SCENARIO {
                    return Err(too_long(&text, &function.name));
                }
                Ok(OpenedEntry {
                    name: function.name.clone(),
                    kernel: Some(summary(function)),
                    no_launch: None,
                    text,
                })
            }
            Self::Program(program) => {
                let kernel = program.kernels.get(index).ok_or(MISSING)?;
                Ok(OpenedEntry {
                    name: kernel.name.clone(),
                    kernel: Some(kernel.summary()),
                    no_launch: None,
                    text: crate::propose(kernel).map_err(|error| error.to_string())?,
                })
            }
        }
    }
}

fn program_outline(program: &Zebin) -> FileOutline {
    let kernels = program.kernels.iter().enumerate().take(MAX_ENTRIES);
    let platform = program.platform.name();
    FileOutline {
        summary: format!(
            "OpenCL program for {platform}, {}",
            counted(program.kernels.len(), "kernel")
        ),
        notes: Vec::new(),
        entries: kernels
            .map(|(index, kernel)| kernel_entry(index, kernel))
            .collect(),
        omitted: program.kernels.len().saturating_sub(MAX_ENTRIES),
    }
}

fn kernel_entry(index: usize, kernel: &Kernel) -> FileEntry {
    let (mut errors, mut notes) = (Vec::new(), Vec::new());
    match kernel.sample_scenario() {
        Ok(text) if text.len() > MAX_SCENARIO => errors.push(too_long(&text, &kernel.name)),
        Ok(text) => {
            let program = Program::parse(&text);
            errors = grouped_errors(&program);
            notes.extend(crate::not_modelled(&program));
        }
        Err(error) => errors.push(error.to_string()),
    }
    let can_open = errors.is_empty();
    FileEntry {
        index,
        name: kernel.name.clone(),
        variant: None,
        summary: kernel.summary(),
        errors,
        notes,
        can_open,
        can_run: can_open,
        can_launch: true,
        arguments: Some(declarations(&kernel.arguments)),
        listing: None,
    }
}

fn declarations(arguments: &[Argument]) -> Vec<String> {
    arguments.iter().map(Argument::declaration).collect()
}

/// Errors of a program, those of one kind together.
#[must_use]
pub fn grouped_errors(program: &Program) -> Vec<String> {
    let errors = program.diagnostics.iter();
    let errors = errors.filter(|diagnostic| diagnostic.is_error());
    let mut groups: Vec<(String, usize)> = Vec::new();
    for error in errors {
        let message = error.message();
        match groups.iter_mut().find(|(known, _)| *known == message) {
            Some((_, count)) => *count += 1,
            None => groups.push((message, 1)),
        }
    }
    let omitted = groups.len().saturating_sub(MAX_ERRORS);
    let shown = groups.into_iter().take(MAX_ERRORS);
    let mut shown: Vec<String> = shown
        .map(|(message, count)| match count {
            1 => message,
            count => format!("{count} × {message}"),
        })
        .collect();
    if omitted > 0 {
        shown.push(format!("{omitted} more kinds of errors"));
    }
    shown
}

fn outline(file: &OpenedFile, warps: Option<&WarpProgram>) -> FileOutline {
    let functions = file.functions.len();
    // Functions with runnable instructions are always listed.
    let mut shown: Vec<usize> = (0..functions).collect();
    shown.sort_by_key(|index| file.functions[*index].own_instructions() == 0);
    shown.truncate(MAX_ENTRIES);
    shown.sort_unstable();
    FileOutline {
        summary: format!("{}, {}", file.kind, counted(functions, "function")),
        notes: file.notes.clone(),
        omitted: functions - shown.len(),
        entries: shown
            .into_iter()
            .map(|index| function_entry(file, index, warps))
            .collect(),
    }
}

fn function_entry(file: &OpenedFile, index: usize, warps: Option<&WarpProgram>) -> FileEntry {
    let function = &file.functions[index];
    let arguments = match warps {
        Some(warps) => warps
            .kernel(&function.name)
            .map(|kernel| warps.arguments(kernel)),
        None => Kernel::of_function(function)
            .ok()
            .map(|kernel| kernel.arguments),
    };
    // A fat binary contains a function once per architecture.
    let namesakes = file.functions.iter().filter(|f| f.name == function.name);
    FileEntry {
        index,
        name: function.name.clone(),
        variant: (namesakes.count() > 1).then(|| function.target.name()),
        summary: summary(function),
        errors: Vec::new(),
        notes: function.notes.clone(),
        can_open: function.instructions() > 0,
        can_run: function.own_instructions() > 0,
        can_launch: arguments.is_some(),
        arguments: arguments.as_deref().map(declarations),
        listing: Some(listing(function)),
    }
}

/// Target of a function, and how many of its instructions can run.
fn summary(function: &Function) -> String {
    match (function.instructions(), runnable_count(function)) {
        (0, count) => count,
        (_, count) => format!("{}: {count} here", function.target.name()),
    }
}

fn listing(function: &Function) -> Listing {
    let own = function.items.iter().filter(|item| item.is_supported());
    let runnable = own.clone().count();
    let rows = function.items.iter().take(MAX_ROWS).map(|item| ListingRow {
        offset: offset(item),
        is_runnable: item.is_supported(),
        text: text_of(item),
        bytes: hex(&item.bytes, MAX_BYTES),
    });
    Listing {
        preview: own
            .take(MAX_PREVIEW)
            .map(|item| format!("{} {}", offset(item), text_of(item)))
            .collect(),
        runnable,
        rows: rows.collect(),
        omitted: function.items.len().saturating_sub(MAX_ROWS),
    }
}

fn offset(item: &Item) -> String {
    format!("{:#06x}", item.offset)
}

fn text_of(item: &Item) -> String {
    match &item.content {
        Content::Instruction { text, .. } | Content::Other(text) | Content::Directive(text) => {
            text.clone()
        }
        Content::Incomplete { text, reason } => format!("{text} ({reason})"),
        Content::Label(name) => format!("{name}:"),
        Content::Unreadable(why) => why.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "Function : add\n/*0008*/ ATOM.E.ADD R0, [R2], R4 ;\n";

    #[test]
    fn functions_are_listed_and_opened() {
        let (contents, file) = read("a.sass", LISTING.as_bytes(), None).expect("a listing");
        let FileContents::Outline(outline) = contents else {
            panic!("not a scenario");
        };
        assert_eq!(outline.entries[0].name, "add");
        let file = file.expect("functions");
        let entry = file.open(0).expect("a function");
        assert!(entry.text.contains("ATOM.E.ADD R0, [R2], R4"));
        assert!(file.open(7).is_err());
    }

    #[test]
    fn long_functions_are_for_the_command_line() {
        let line = "/*0008*/ ATOM.E.ADD R0, [R2], R4 ;\n";
        let listing = format!("Function : add\n{}", line.repeat(60_000));
        let (_, file) = read("a.sass", listing.as_bytes(), None).expect("a listing");
        let why = file
            .expect("functions")
            .open(0)
            .expect_err("it is too long");
        assert!(
            why.contains("use `lanewise run FILE --kernel add`"),
            "{why}"
        );
    }

    #[test]
    fn scripts_are_not_programs() {
        let script = "import { test } from \"node:test\";\nconst add = (a, b) => a + b;\n\
                      test(\"add\", () => {\n  ret(add(1, 2)); // mov\n});\n";
        let why = read("a.mjs", script.as_bytes(), None)
            .map(|_| ())
            .unwrap_err();
        assert!(why.contains("neither a vISA listing"), "{why}");
    }

    #[test]
    fn scenarios_are_recognised() {
        for (name, text) in [
            ("a.lanewise", ".decl V32 v_type=G type=ud num_elts=8\n"),
            (
                "a.txt",
                ".decl V32 v_type=G type=ud num_elts=8\n.init V32 = 1\n",
            ),
            ("b.txt", ".target sass SM60\nATOM.E.ADD R0, [R2], R4 ;\n"),
            ("c.txt", "ret (M1, 1)\nno instruction\n"),
        ] {
            let (contents, _) = read(name, text.as_bytes(), None).expect(name);
            assert_eq!(contents, FileContents::Scenario(text.to_owned()));
        }
        assert!(read("a.lanewise", b".slm 64\n", None).is_ok());
        assert!(read("a.lanewise", b".slm 64\n", Some(b"")).is_err());
        let invalid = read("a.lanewise", b"\xff\xff", None);
        assert_eq!(invalid.err().as_deref(), Some("it is not UTF-8 text"));
    }
}
