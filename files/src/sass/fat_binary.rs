//! Opens CUDA fat binaries.

use super::cubin;
use super::entries::{FatBinaryContent, MAX_ENTRIES, entries, host_section};
use crate::{FileError, FileKind, OpenedFile};

/// Opens the fat binaries in a host ELF file; returns `None` if it has none.
pub(crate) fn open_host(bytes: &[u8]) -> Result<Option<OpenedFile>, FileError> {
    let section = host_section(bytes)?;
    section.map(|(start, data)| open(data, start)).transpose()
}

/// Opens consecutive fat binaries at offset `base`, and reads the functions of
/// all supported cubins.
pub(crate) fn open(bytes: &[u8], base: usize) -> Result<OpenedFile, FileError> {
    let entries = entries(bytes, base)?;
    let mut functions = Vec::new();
    let mut notes = Vec::new();
    for entry in &entries {
        let found = functions.len();
        let mut own_notes = Vec::new();
        let why = if entry.is_compressed {
            String::from("compressed and not read; extract it with `cuobjdump -xelf all -xptx all`")
        } else if entry.is_readable() {
            let content = entry.content(bytes, base);
            let read = cubin::read(content, entry.offset, &mut functions, &mut own_notes);
            match (read, functions.len() - found) {
                (Err(error), _) => error.to_string(),
                (Ok(_), 1) => String::from("1 function"),
                (Ok(_), functions) => format!("{functions} functions"),
            }
        } else if entry.content == FatBinaryContent::Cubin {
            String::from(
                "not read, as only SM50 to SM62 are supported in code; extract it with \
                 `cuobjdump -xelf all`, run `nvdisasm -c -g FILE.cubin > FILE.sass`, and open the \
                 listing with that cubin",
            )
        } else {
            String::from("not read")
        };
        notes.push(format!("{}: {why}", entry.describe()));
        notes.append(&mut own_notes);
    }
    if entries.len() == MAX_ENTRIES {
        notes.push(format!("only the first {MAX_ENTRIES} entries are listed"));
    }
    Ok(OpenedFile {
        kind: FileKind::FatBinary { entries },
        functions,
        notes,
    })
}
