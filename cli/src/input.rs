//! Input from files, standard input (`-`) and links.

use crate::CliError;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::library;
use lanewise_files::{WarpProgram, is_scenario, is_warp_listing, zebin};
use lanewise_link::Link;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Input limit; guards against endless input.
const MAX_BYTES: u64 = lanewise_files::MAX_BYTES as u64;

/// Largest program or buffer, in bytes.
pub(crate) const MAX_FILE: u64 = 64 << 20;

/// Input text with the name that diagnostics use for it.
#[derive(Clone)]
pub(crate) struct Source {
    /// Path as given, `<stdin>` or `<link>`.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    /// A file whose text is not known, such as a compiled program.
    pub(crate) fn named(name: String) -> Self {
        let text = String::new();
        Self { name, text }
    }

    /// Reads a scenario as [`Self::read`] does. An empty file is none: it may be what a failed
    /// compiler has left.
    pub(crate) fn read_scenario(path: &Path) -> Result<Self, CliError> {
        let source = Self::read(path)?;
        refuse_empty(&source.name, source.text.as_bytes())?;
        Ok(source)
    }

    /// Reads a file, standard input (`-`) or a link.
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        if let Some(link) = path.to_str().filter(|given| is_link(given, path)) {
            let fragment = link.split_once('#').map(|(_, fragment)| fragment);
            if let Some(id) = fragment.and_then(|text| text.strip_prefix(library::FRAGMENT)) {
                let bundled = library::named(id);
                let bundled =
                    bundled.ok_or_else(|| CliError(format!("no bundled scenario `{id}`")))?;
                return Ok(Self {
                    name: bundled.id.to_owned(),
                    text: bundled.text.to_owned(),
                });
            }
            let opened = Link::open(link);
            let opened =
                opened.map_err(|error| CliError(format!("cannot open the link: {error}")))?;
            return Ok(Self {
                name: String::from("<link>"),
                text: opened.text,
            });
        }
        let (name, bytes) = read_bytes(path)?;
        if let Some(advice) = advice(&name, &bytes) {
            return Err(CliError(advice));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            CliError(format!("cannot read {name}: invalid UTF-8 at byte {at}"))
        })?;
        Ok(Self { name, text })
    }

    /// 1-based line and column of a byte; columns count characters.
    pub(crate) fn position(&self, byte: u32) -> (usize, usize) {
        let byte = to_usize(byte);
        let before = &self.text[..self.text.floor_char_boundary(byte)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = 1 + before.bytes().filter(|b| *b == b'\n').count();
        (line, 1 + before[line_start..].chars().count())
    }
}

/// Describes a compiled file and how to launch its kernels; `None` for other files.
pub(crate) fn advice(name: &str, bytes: &[u8]) -> Option<String> {
    let is_warps = WarpProgram::recognises(bytes);
    let is_object = bytes.starts_with(b"CISA");
    let kind = if lanewise_files::is_elf(bytes) {
        "a compiled program"
    } else if is_object {
        "a vISA object"
    } else if lanewise_files::is_fat_binary(bytes) {
        "a fat binary"
    } else {
        let text = lanewise_files::decode_text(bytes)?;
        let is_listing = is_warp_listing(&text) && !is_scenario(&text);
        is_listing.then_some("a SASS listing")?
    };
    let size = match is_warps {
        true => Some("--grid N --block N"),
        false if is_object || zebin::recognises(bytes) => Some("--global N"),
        // `open` says how to get a listing.
        false => None,
    };
    Some(not_a_scenario(name, kind, size))
}

/// Says that a file is of another kind and, if its kernels can be launched, how.
pub(crate) fn not_a_scenario(name: &str, kind: &str, size: Option<&str>) -> String {
    let opens =
        format!("{name} is {kind}, not a scenario: `lanewise open {name}` lists its kernels");
    match size {
        Some(size) => {
            format!("{opens}, and `lanewise run {name} --kernel NAME {size}` launches one")
        }
        None => opens,
    }
}

/// Refuses an empty file.
pub(crate) fn refuse_empty(name: &str, bytes: &[u8]) -> Result<(), CliError> {
    match bytes.is_empty() {
        true => Err(CliError(format!("{name}: the file is empty"))),
        false => Ok(()),
    }
}

/// Name and contents of a file, or of standard input (`-`).
pub(crate) fn read_bytes(path: &Path) -> Result<(String, Vec<u8>), CliError> {
    let stdin = path.as_os_str() == "-";
    let name = if stdin {
        String::from("<stdin>")
    } else {
        path.display().to_string()
    };
    let bytes = if stdin {
        read_all(io::stdin().lock())
    } else {
        File::open(path).and_then(read_all)
    };
    let bytes = bytes.map_err(|error| CliError(format!("cannot read {name}: {error}")))?;
    Ok((name, bytes))
}

/// Whether the argument is a URL or a fragment, and not the name of an existing
/// file.
fn is_link(given: &str, path: &Path) -> bool {
    let begins = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    let links = |text: &str| begins(text) || text.starts_with(library::FRAGMENT);
    let fragment = given.split_once('#').map(|(_, fragment)| fragment);
    let bare = || {
        let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        begins(given) && given.len() > 4 && given.bytes().all(letter)
    };
    (given.contains("://") || fragment.is_some_and(links) || bare()) && !path.exists()
}

fn read_all(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = input.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if u64::try_from(read).is_ok_and(|read| read > MAX_BYTES) {
        let limit = MAX_BYTES >> 20;
        return Err(io::Error::other(format!("larger than {limit} MB")));
    }
    Ok(bytes)
}
