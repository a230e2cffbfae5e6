//! Opens compiler output and converts it to scenarios: vISA objects (`.isa`) and
//! listings (`.visaasm`), raw SASS code, listings of nvdisasm and cuobjdump,
//! cubins and fat binaries.
//!
//! [`open`] detects the kind of a file and lists its functions and instructions;
//! [`Function::scenario`] converts a function to a scenario. Every line of a vISA
//! function stays a line, so that a function with unreadable lines cannot run;
//! unsupported SASS instructions become comments with their bytes. Files are untrusted: every
//! length is checked, and errors have the offset at which reading stopped.
#![forbid(unsafe_code)]

mod advice;
mod elf;
mod export;
mod memory;
mod notes;
pub mod outline;
mod proposal;
mod sass;
mod scenario;
mod text;
mod visa;
pub mod zebin;

pub use export::{ExportError, isa_object, sass_code};
pub use memory::is_proposed;
pub use notes::{caveats, not_modelled};
pub use proposal::propose;
pub use sass::code::needs_listing;
pub use sass::entries::{FatBinaryContent, FatBinaryEntry, recognises as is_fat_binary};
pub use sass::inference::Inferred;
pub use sass::kernel::{
    WarpKernel, WarpLaunch, WarpParameter, WarpProgram, recognises as is_warp_listing,
};
pub use scenario::{Commented, commented, is_listing, is_scenario};
pub use text::decode as decode_text;

use lanewise_core::isa::Target;
use serde::Serialize;
use std::fmt;

/// Maximum number of instructions listed per function.
pub const MAX_INSTRUCTIONS: usize = 100_000;

/// Maximum number of instructions listed per file.
pub const MAX_FILE_INSTRUCTIONS: usize = 200_000;

/// Maximum number of functions listed per file.
pub const MAX_FUNCTIONS: usize = 4096;

/// Maximum length of a name, in bytes; longer names are truncated.
pub(crate) const MAX_NAME: usize = 1000;

/// Maximum size of a file, in bytes.
pub const MAX_BYTES: usize = 128 << 20;

/// Whether the bytes start like a compiled program, complete or cut off.
#[must_use]
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// Why a file cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", place(*offset))]
pub struct FileError {
    /// Byte offset at which reading stopped.
    pub offset: usize,
    pub message: String,
    /// Whether the kind of the file was detected.
    pub is_recognised: bool,
}

/// Where reading stopped, unless it did not start.
fn place(offset: usize) -> String {
    match offset {
        0 => String::new(),
        offset => format!("byte {offset:#x}: "),
    }
}

impl FileError {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self {
            offset,
            message: message.into(),
            is_recognised: true,
        }
    }

    /// Error for a file of unknown kind.
    pub(crate) fn unknown(offset: usize, message: impl Into<String>) -> Self {
        Self {
            is_recognised: false,
            ..Self::new(offset, message)
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum FileKind {
    /// A vISA object.
    VisaObject {
        /// Version of the format.
        major: u8,
        /// Version of the format.
        minor: u8,
    },
    /// vISA as text.
    VisaListing,
    /// SASS code in 32-byte groups, without a container.
    SassCode,
    /// The output of nvdisasm or cuobjdump.
    SassListing,
    /// ELF file with SASS code.
    Cubin {
        /// Compute capability, such as 50 for SM50.
        sm: u8,
    },
    /// CUDA fat binary, alone or in a host ELF file.
    FatBinary { entries: Vec<FatBinaryEntry> },
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::VisaObject { major, minor } => write!(f, "vISA object, version {major}.{minor}"),
            Self::VisaListing => f.write_str("vISA listing"),
            Self::SassCode => f.write_str("SASS code"),
            Self::SassListing => f.write_str("SASS listing"),
            Self::Cubin { sm } => write!(f, "cubin for SM{sm}"),
            Self::FatBinary { entries } => match entries.len() {
                1 => f.write_str("CUDA fat binary with 1 entry"),
                entries => write!(f, "CUDA fat binary with {entries} entries"),
            },
        }
    }
}

/// An opened file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedFile {
    pub kind: FileKind,
    /// Kernels and functions, in the order of the file.
    pub functions: Vec<Function>,
    /// Notes about the whole file.
    pub notes: Vec<String>,
}

/// Kernel or function of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Name in the file.
    pub name: String,
    /// Supported target closest to the one that it was compiled for.
    pub target: Target,
    /// Directives before the first instruction, one per line: declarations and
    /// attributes.
    pub declarations: Vec<String>,
    /// Instructions, labels and the directives between them, in order.
    pub items: Vec<Item>,
    pub notes: Vec<String>,
}

/// Instruction, label, directive or unreadable bytes of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Byte offset in the file; for a listing the printed address, or 0.
    pub offset: usize,
    /// Bytes in file order; empty for a listing without encodings.
    pub bytes: Vec<u8>,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Supported instruction, in the syntax of the real tool.
    Instruction {
        text: String,
        /// Warnings, one sentence each.
        warnings: Vec<String>,
    },
    /// Supported instruction that cannot be read, for example because operands
    /// are missing.
    Incomplete {
        /// The line of a listing, or the part recovered from bytes.
        text: String,
        reason: String,
    },
    /// Unsupported instruction, by name or by text.
    Other(String),
    /// A label.
    Label(String),
    /// A directive between instructions, such as `.function "name"`.
    Directive(String),
    /// Unreadable bytes, with the reason.
    Unreadable(String),
}

impl Item {
    /// Whether it is an instruction that Lanewise supports.
    #[must_use]
    pub const fn is_supported(&self) -> bool {
        matches!(self.content, Content::Instruction { .. })
    }
}

impl Function {
    /// Whether the scenario has only its supported instructions, and the other lines as
    /// comments: of SASS, few instructions are supported.
    pub(crate) const fn comments_others(&self) -> bool {
        self.target.chip().is_some()
    }

    /// Number of supported instructions.
    #[must_use]
    pub fn own_instructions(&self) -> usize {
        let items = self.items.iter();
        items.filter(|item| item.is_supported()).count()
    }

    /// Number of supported instructions without warnings.
    #[must_use]
    pub fn clean_instructions(&self) -> usize {
        let clean = |item: &&Item| match &item.content {
            Content::Instruction { warnings, .. } => warnings.is_empty(),
            _ => false,
        };
        self.items.iter().filter(clean).count()
    }

    /// Number of instructions, without labels and directives.
    #[must_use]
    pub fn instructions(&self) -> usize {
        let is_instruction =
            |item: &&Item| !matches!(item.content, Content::Label(_) | Content::Directive(_));
        self.items.iter().filter(is_instruction).count()
    }

    /// Marks the function as cut off after `listed` instructions, so that its
    /// scenario cannot run.
    pub(crate) fn cut_off(&mut self, listed: usize) {
        let why = format!("only the first {listed} instructions are listed");
        let offset = self.items.last().map_or(0, |last| last.offset);
        self.add_unreadable(offset, why);
    }

    /// Adds a part that cannot be read, and a note that says why.
    pub(crate) fn add_unreadable(&mut self, offset: usize, why: String) {
        self.notes.push(why.clone());
        self.items.push(Item {
            offset,
            bytes: Vec::new(),
            content: Content::Unreadable(why),
        });
    }

    /// Converts the function to a scenario: target, declarations, proposed memory,
    /// and instructions. Unsupported instructions are comments in SASS, and
    /// lines that cannot run in vISA.
    #[must_use]
    pub fn scenario(&self) -> String {
        scenario::write(self)
    }
}

/// Opens a file, detecting its kind from the contents. The extension of `name`
/// only helps to tell kinds of text apart.
///
/// # Errors
/// [`FileError`] with the offset of the first invalid byte.
///
/// # Examples
/// ```
/// let listing = "        /*0008*/                   ATOM.E.ADD R0, [R2], R4 ;   /* 0xed00000004070200 */\n";
/// let file = lanewise_files::open("kernel.sass", listing.as_bytes())?;
/// assert_eq!(file.functions[0].own_instructions(), 1);
/// # Ok::<(), lanewise_files::FileError>(())
/// ```
pub fn open(name: &str, bytes: &[u8]) -> Result<OpenedFile, FileError> {
    open_for(name, bytes, None)
}

/// Opens a file like [`open`]. Functions that do not name their target are read
/// for `target`; without it, the most likely one is assumed.
///
/// # Errors
/// [`FileError`] with the offset of the first invalid byte.
pub fn open_for(name: &str, bytes: &[u8], target: Option<Target>) -> Result<OpenedFile, FileError> {
    let mut file = read(name, bytes, target)?;
    for function in &mut file.functions {
        notes::add(function);
    }
    Ok(file)
}

fn read(name: &str, bytes: &[u8], target: Option<Target>) -> Result<OpenedFile, FileError> {
    if bytes.is_empty() {
        return Err(FileError::new(0, "the file is empty"));
    }
    if bytes.len() > MAX_BYTES {
        let limit = MAX_BYTES >> 20;
        return Err(FileError::new(
            MAX_BYTES,
            format!("the file is larger than {limit} MB"),
        ));
    }
    if bytes.starts_with(visa::object::MAGIC) {
        return visa::object::open(bytes, target.filter(|t| t.platform().is_some()));
    }
    if is_elf(bytes) {
        elf::check_complete(bytes)?;
        return match sass::fat_binary::open_host(bytes)? {
            Some(file) => Ok(file),
            None => sass::cubin::open(bytes),
        };
    }
    if sass::entries::recognises(bytes) {
        return sass::fat_binary::open(bytes, 0);
    }
    if let Some(advice) = advice::on_bytes(bytes) {
        return Err(FileError::new(0, advice));
    }
    match text::decode(bytes) {
        Some(text) => open_text(name, &text, target),
        None if text::begins(bytes) => Err(FileError::unknown(
            text::end(bytes),
            "invalid byte in a text file",
        )),
        None => sass::code::open(bytes, target),
    }
}

/// Note for a function of a file that does not name its target.
pub(crate) fn assumed_target(kind: &str, assumed: Target) -> String {
    inferred_target(kind, assumed, "")
}

/// The same, with what it shows instead.
pub(crate) fn inferred_target(kind: &str, assumed: Target, why: &str) -> String {
    let because = match why {
        "" => String::new(),
        _ => format!(", as {why}"),
    };
    let other = assumed.facts().compiled_target;
    format!(
        "the {kind} does not name its target; assuming {}{because}. For another one, edit the line `.target`, for example `.target {other}`, or use `--target '{other}'`",
        assumed.name()
    )
}

/// Maximum number of instructions to list for the next function, given the
/// functions so far.
pub(crate) fn limit(functions: &[Function]) -> usize {
    let listed: usize = functions.iter().map(|f| f.items.len()).sum();
    MAX_INSTRUCTIONS.min(MAX_FILE_INSTRUCTIONS.saturating_sub(listed))
}

/// Note for files with more than [`MAX_FUNCTIONS`] functions.
pub(crate) fn functions_note() -> String {
    format!("only the first {MAX_FUNCTIONS} functions are listed")
}

/// Number of bytes at the start of a text that determine its kind.
const HEAD: usize = 1 << 20;

fn open_text(name: &str, text: &str, target: Option<Target>) -> Result<OpenedFile, FileError> {
    let head = &text[..text.floor_char_boundary(HEAD)];
    // The output of cuobjdump -elf includes PTX from debug sections.
    let is_sass = sass::listing::recognises(head);
    if !is_sass && let Some(advice) = advice::on_text(head) {
        return Err(FileError::new(0, advice));
    }
    if visa::listing::recognises(name, head) {
        let target = target.filter(|target| target.platform().is_some());
        return Ok(visa::listing::open(name, text, target));
    }
    if is_sass {
        return sass::listing::open(text, target.and_then(Target::chip));
    }
    Err(FileError::unknown(
        0,
        "this text is neither a vISA listing (.kernel, .decl) nor a SASS listing (/*0008*/ … /* 0x… */)",
    ))
}
