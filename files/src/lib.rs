//! Opens what compilers write, and makes scenarios of it: vISA objects
//! (`.isa`) and listings (`.visaasm`), raw SASS code, listings of nvdisasm and
//! cuobjdump, cubins, and the fat binaries that hold them.
//!
//! [`open`] recognises the kind of a file and lists its functions with their
//! instructions; [`Function::scenario`] is the text of one function, ready to
//! get start values and to be stepped. Instructions that Lanewise does not run
//! become comments with their bytes. A file never has to be trusted: every
//! length is checked against the bytes that are there, and an error names the
//! offset at which reading stopped.
#![forbid(unsafe_code)]

mod export;
mod memory;
mod sass;
mod scenario;
mod text;
mod visa;

pub use export::{ExportError, assembler_platform, isa_object, sass_code};
pub use sass::fat_binary::{FatBinaryContent, FatBinaryEntry};
pub use scenario::{Commented, commented, is_scenario};
pub use text::decode as decode_text;

use lanewise_core::isa::Target;
use serde::Serialize;
use std::fmt;

/// The most instructions that are listed of one function.
pub const MAX_INSTRUCTIONS: usize = 100_000;

/// The most instructions that are listed of a file.
pub const MAX_FILE_INSTRUCTIONS: usize = 200_000;

/// The most functions that are listed of a file.
pub const MAX_FUNCTIONS: usize = 4096;

/// Longer names are cut, in bytes.
pub(crate) const MAX_NAME: usize = 1000;

/// The most bytes that a file may have.
pub const MAX_BYTES: usize = 128 << 20;

/// Why a file cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset:#x}: {message}")]
pub struct FileError {
    /// Where reading stopped, in bytes of the file.
    pub offset: usize,
    /// What was expected there.
    pub message: String,
    /// Whether it is a file of a kind that is known here.
    pub is_recognised: bool,
}

impl FileError {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self {
            offset,
            message: message.into(),
            is_recognised: true,
        }
    }

    /// The error of bytes that are no kind of file that is known here.
    pub(crate) fn unknown(offset: usize, message: impl Into<String>) -> Self {
        Self {
            is_recognised: false,
            ..Self::new(offset, message)
        }
    }
}

/// What kind of file it is.
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
    /// SASS groups of 32 bytes without a container.
    SassCode,
    /// The output of nvdisasm or cuobjdump.
    SassListing,
    /// An ELF file with SASS code.
    Cubin {
        /// Compute capability: 50 for SM50.
        sm: u8,
    },
    /// A CUDA fat binary, alone or in a program of the host.
    FatBinary {
        /// The cubins and PTX in it.
        entries: Vec<FatBinaryEntry>,
    },
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
    /// What kind of file it is.
    pub kind: FileKind,
    /// Kernels and functions, in the order of the file.
    pub functions: Vec<Function>,
    /// What a reader should know of the file as a whole.
    pub notes: Vec<String>,
}

/// A kernel or a function of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// As the file names it.
    pub name: String,
    /// What it was compiled for; the nearest target that Lanewise has.
    pub target: Target,
    /// Directives that its instructions need, a line each: declarations,
    /// attributes.
    pub declarations: Vec<String>,
    /// Its instructions and labels, in order.
    pub items: Vec<Item>,
    /// What a reader should know of it.
    pub notes: Vec<String>,
}

/// A place in a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// In bytes from the start of the file; for a listing the address that it
    /// prints, or 0.
    pub offset: usize,
    /// The bytes in the order of the file; empty for a listing without
    /// encodings.
    pub bytes: Vec<u8>,
    /// Its content.
    pub content: Content,
}

/// The content of a position in a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// An instruction that Lanewise runs, in the spelling of the real tool.
    Instruction {
        /// Its text.
        text: String,
        /// What is odd about it, a sentence each.
        warnings: Vec<String>,
    },
    /// An instruction that Lanewise runs, but not all of it is there.
    Incomplete {
        /// What could be recovered.
        text: String,
        /// What is missing.
        reason: String,
    },
    /// An instruction that is skipped, by name or by text.
    Other(String),
    /// A label.
    Label(String),
    /// Bytes that could not be read, and why.
    Unreadable(String),
}

impl Function {
    /// How many instructions Lanewise runs.
    #[must_use]
    pub fn own_instructions(&self) -> usize {
        let own = |item: &&Item| matches!(item.content, Content::Instruction { .. });
        self.items.iter().filter(own).count()
    }

    /// How many of them break no rule of the target.
    #[must_use]
    pub fn clean_instructions(&self) -> usize {
        let clean = |item: &&Item| match &item.content {
            Content::Instruction { warnings, .. } => warnings.is_empty(),
            _ => false,
        };
        self.items.iter().filter(clean).count()
    }

    /// How many instructions there are, labels not counted.
    #[must_use]
    pub fn instructions(&self) -> usize {
        let label = |item: &&Item| !matches!(item.content, Content::Label(_));
        self.items.iter().filter(label).count()
    }

    /// The function as a scenario: target, declarations, instructions in
    /// order, the others as comments.
    #[must_use]
    pub fn scenario(&self) -> String {
        scenario::write(self)
    }
}

/// Opens a file by its content. `name` only helps to distinguish a kind of text from
/// another, by its ending.
///
/// # Errors
/// [`FileError`] with the offset where the file is not what it says it is.
///
/// # Examples
/// ```
/// let listing = "        /*0008*/                   ATOM.E.ADD R0, [R2], R4 ;   /* 0xed00000004070200 */\n";
/// let file = lanewise_files::open("kernel.sass", listing.as_bytes())?;
/// assert_eq!(file.functions[0].own_instructions(), 1);
/// # Ok::<(), lanewise_files::FileError>(())
/// ```
pub fn open(name: &str, bytes: &[u8]) -> Result<OpenedFile, FileError> {
    if bytes.is_empty() {
        return Err(FileError::new(0, "the file is empty"));
    }
    if bytes.len() > MAX_BYTES {
        let limit = MAX_BYTES >> 20;
        return Err(FileError::new(
            MAX_BYTES,
            format!("the file has more than {limit} MB"),
        ));
    }
    if bytes.starts_with(visa::object::MAGIC) {
        return visa::object::open(bytes);
    }
    if bytes.starts_with(b"\x7fELF") {
        return match sass::fat_binary::open_host(bytes)? {
            Some(file) => Ok(file),
            None => sass::cubin::open(bytes),
        };
    }
    if sass::fat_binary::recognises(bytes) {
        return sass::fat_binary::open(bytes, 0);
    }
    match text::decode(bytes) {
        Some(text) => open_text(name, &text),
        None if text::begins(bytes) => Err(FileError::unknown(
            text::end(bytes),
            "this begins as a text, and here is a byte that no text has",
        )),
        None => sass::code::open(bytes),
    }
}

/// How many instructions of the next function are listed, after those of
/// other functions.
pub(crate) fn limit(functions: &[Function]) -> usize {
    let listed: usize = functions.iter().map(|f| f.items.len()).sum();
    MAX_INSTRUCTIONS.min(MAX_FILE_INSTRUCTIONS.saturating_sub(listed))
}

/// The note where functions are left out.
pub(crate) fn functions_note() -> String {
    format!("only the first {MAX_FUNCTIONS} functions are listed")
}

/// A text is recognised by so many bytes at its start.
const HEAD: usize = 1 << 20;

fn open_text(name: &str, text: &str) -> Result<OpenedFile, FileError> {
    let head = &text[..text.floor_char_boundary(HEAD)];
    let is_ptx = |line: &str| {
        let mut words = line.split_whitespace();
        words.next() == Some(".target") && words.next().is_some_and(|w| w.starts_with("sm_"))
    };
    // cuobjdump -elf prints the PTX of debug sections into its listing.
    let is_sass = sass::listing::recognises(head);
    if !is_sass && head.lines().any(is_ptx) {
        return Err(FileError::new(
            0,
            "this is PTX: compile it with `ptxas -arch=sm_60` and open the cubin",
        ));
    }
    if visa::listing::recognises(name, head) {
        return Ok(visa::listing::open(name, text));
    }
    if is_sass {
        return sass::listing::open(text);
    }
    if head.trim_start().starts_with("digraph") {
        return Err(FileError::new(
            0,
            "this is a control flow graph of nvdisasm (-cfg, -bbcfg): write a listing, without these options",
        ));
    }
    Err(FileError::unknown(
        0,
        "this text is neither a vISA listing (.kernel, .decl) nor a SASS listing (/*0008*/ … /* 0x… */)",
    ))
}
