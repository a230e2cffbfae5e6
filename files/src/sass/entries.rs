//! Entries of CUDA fat binaries: cubins and PTX for several chips in one file.
//!
//! The format is not documented. Observed in files of fatbinary 13.5, and
//! confirmed with cuobjdump 12.4: a 16-byte header (magic, version, size of the
//! header, 64-bit size of the rest), followed by entries, each with a header of
//! at least 64 bytes:
//!
//! | offset | bytes | field |
//! |---|---|---|
//! | 0 | 2 | kind: 1 PTX, 2 cubin |
//! | 4 | 4 | size of the entry's header |
//! | 8 | 8 | size of the content with padding |
//! | 16 | 4 | compressed content: size without padding; otherwise 0 |
//! | 28 | 4 | compute capability |
//! | 32 | 4 | offset of the name in the header; 0 if absent |
//! | 36 | 4 | length of the name |
//! | 40 | 8 | flags: 0x2000 compressed by LZ4, 0x8000 by Zstandard |
//! | 56 | 8 | compressed content: uncompressed size |

use super::{decoded_chip, sections};
use crate::{FileError, MAX_NAME, is_elf, text};
use serde::Serialize;

const MAGIC: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();

/// Sections of a host program with fat binaries. The first one is written by
/// fatbinary (observed); the second one is for relocatable device code (assumed).
const HOST_SECTIONS: [&[u8]; 2] = [b".nv_fatbin", b"__nv_relfatbin"];

/// Size of the file header, in bytes.
const HEADER: usize = 16;

/// Minimum size of an entry header, in bytes.
const ENTRY_HEADER: usize = 64;

/// Maximum number of listed entries.
pub(super) const MAX_ENTRIES: usize = 1000;

/// Flags of compressed content (LZ4, Zstandard).
const COMPRESSED: u64 = 0x2000 | 0x8000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FatBinaryEntry {
    #[serde(rename = "holds")]
    pub content: FatBinaryContent,
    /// Compute capability, such as 50 for SM50.
    pub sm: u32,
    /// Name of the source; may be empty.
    pub name: String,
    /// Byte offset of the content in the file.
    pub offset: usize,
    /// Size of the content in the file, in bytes.
    pub bytes: usize,
    /// Whether the content is compressed; compressed content is not read.
    pub is_compressed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FatBinaryContent {
    /// PTX text.
    Ptx,
    Cubin,
    /// Unknown kind, by number.
    Other(u16),
}

/// Whether a file is a fat binary without a host program around it.
#[must_use]
pub fn recognises(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Offset and contents of the fat binaries in a host ELF file; `None` if it has none.
pub(super) fn host_section(bytes: &[u8]) -> Result<Option<(usize, &[u8])>, FileError> {
    sections::section(bytes, &HOST_SECTIONS)
}

/// The cubin for the newest chip whose words are decoded, in a fat binary or a host ELF file
/// with fat binaries.
pub(super) fn newest_cubin(bytes: &[u8]) -> Option<&[u8]> {
    let (base, data) = match recognises(bytes) {
        true => (0, bytes),
        false if is_elf(bytes) => host_section(bytes).ok()??,
        false => return None,
    };
    let entries = entries(data, base).ok()?;
    let readable = entries.iter().filter(|entry| entry.is_readable());
    let newest = readable.max_by_key(|entry| entry.sm)?;
    Some(newest.content(data, base))
}

/// The entries of consecutive fat binaries at offset `base`.
pub(super) fn entries(bytes: &[u8], base: usize) -> Result<Vec<FatBinaryEntry>, FileError> {
    let mut entries = Vec::new();
    let mut at = 0;
    while recognises(&bytes[at..]) && entries.len() < MAX_ENTRIES {
        at = read_entries(bytes, at, base, &mut entries)?;
    }
    Ok(entries)
}

/// Adds the entries of the fat binary at `at`. Returns its end.
fn read_entries(
    bytes: &[u8],
    at: usize,
    base: usize,
    entries: &mut Vec<FatBinaryEntry>,
) -> Result<usize, FileError> {
    let fail = |at: usize, what: &str| Err(FileError::new(base + at, what));
    let Some(header) = bytes.get(at..at + HEADER) else {
        return fail(at, "the file ends in the header of the fat binary");
    };
    let header_bytes = usize::from(u16_at(header, 6));
    let size = usize::try_from(u64_at(header, 8)).unwrap_or(usize::MAX);
    let start = at + header_bytes;
    let end = start.saturating_add(size);
    if header_bytes < HEADER || end > bytes.len() {
        let rest = bytes.len() - at;
        let what =
            format!("expected {size} bytes after the header of the fat binary, found {rest}");
        return fail(at + 8, &what);
    }
    let mut at = start;
    while at < end && entries.len() < MAX_ENTRIES {
        let rest = &bytes[at..end];
        let Some(header) = rest.get(..ENTRY_HEADER) else {
            return fail(at, "the fat binary ends within the header of an entry");
        };
        let header_bytes = size_at(header, 4);
        let content_bytes = usize::try_from(u64_at(header, 8)).unwrap_or(usize::MAX);
        let length = header_bytes.saturating_add(content_bytes);
        if header_bytes < ENTRY_HEADER || length > rest.len() {
            let what = format!(
                "expected an entry of {length} bytes with a header of {header_bytes}, found {}",
                rest.len()
            );
            return fail(at, &what);
        }
        let is_compressed = u64_at(header, 40) & COMPRESSED != 0;
        // Without padding, if that size is known.
        let packed = size_at(header, 16);
        let own_bytes = match is_compressed && packed > 0 {
            true => packed.min(content_bytes),
            false => content_bytes,
        };
        let name = size_at(header, 32).checked_add(size_at(header, 36));
        let name = name.and_then(|end| rest[..header_bytes].get(size_at(header, 32)..end));
        let name = String::from_utf8_lossy(name.unwrap_or_default());
        entries.push(FatBinaryEntry {
            content: match u16_at(header, 0) {
                1 => FatBinaryContent::Ptx,
                2 => FatBinaryContent::Cubin,
                other => FatBinaryContent::Other(other),
            },
            sm: u32::try_from(size_at(header, 28)).expect("a field of 32 bits"),
            name: text::cut(&text::one_line(&name), MAX_NAME).into_owned(),
            offset: base + at + header_bytes,
            bytes: own_bytes,
            is_compressed,
        });
        at += length;
    }
    Ok(end)
}

impl FatBinaryEntry {
    /// Whether it is a cubin whose words are decoded.
    pub(super) fn is_readable(&self) -> bool {
        let sm = u8::try_from(self.sm).ok();
        let is_known = sm.and_then(decoded_chip).is_some();
        is_known && self.content == FatBinaryContent::Cubin && !self.is_compressed
    }

    /// Its content in the fat binaries at offset `base`.
    pub(super) fn content<'d>(&self, bytes: &'d [u8], base: usize) -> &'d [u8] {
        let start = self.offset - base;
        &bytes[start..start + self.bytes]
    }

    /// For example `cubin for SM60, 2280 bytes, add.cu`.
    pub(super) fn describe(&self) -> String {
        let what = match self.content {
            FatBinaryContent::Ptx => String::from("PTX"),
            FatBinaryContent::Cubin => String::from("cubin"),
            FatBinaryContent::Other(kind) => format!("entry of kind {kind}"),
        };
        let mut text = format!("{what} for SM{}, {} bytes", self.sm, self.bytes);
        if !self.name.is_empty() {
            text += ", ";
            text += &self.name;
        }
        text
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("2 bytes"))
}

/// A 32-bit size.
fn size_at(bytes: &[u8], at: usize) -> usize {
    let field = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
    usize::try_from(field).expect("usize has 32 bits or more")
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}
