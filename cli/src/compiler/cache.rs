//! Compiled programs, kept in the cache folder of the user.
//!
//! An entry is named after the hash of everything that its content depends on. It starts
//! with the hash of its content, so that a damaged entry is ignored.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most bytes of all entries.
const MAX_BYTES: u64 = 64 << 20;

/// Most entries.
const MAX_ENTRIES: usize = 512;

/// Environment variable with the folder; empty for no cache.
const VARIABLE: &str = "LANEWISE_CACHE";

const HASH: usize = 32;

/// Output of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Output of the compiler.
    pub(super) log: String,
    /// The program.
    pub(super) program: Vec<u8>,
    /// The cubin of a listing.
    pub(super) cubin: Option<Vec<u8>>,
}

impl Entry {
    fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut content = Vec::new();
        // An empty part stands for none.
        let cubin = self.cubin.as_deref().unwrap_or_default();
        for part in [self.log.as_bytes(), &self.program, cubin] {
            content.extend(u32::try_from(part.len()).ok()?.to_le_bytes());
            content.extend(part);
        }
        Some([&Sha256::digest(&content)[..], &content].concat())
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (hash, content) = bytes.split_at_checked(HASH)?;
        if Sha256::digest(content)[..] != *hash {
            return None;
        }
        let mut rest = content;
        let mut part = || {
            let (length, behind) = rest.split_first_chunk()?;
            let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
            let (part, behind) = behind.split_at_checked(length)?;
            rest = behind;
            Some(part.to_owned())
        };
        Some(Self {
            log: String::from_utf8(part()?).ok()?,
            program: part()?,
            cubin: Some(part()?).filter(|cubin| !cubin.is_empty()),
        })
    }
}

/// Version of the format of entries, part of their names.
const FORMAT: &[u8] = b"2";

/// Name of the entry that depends on `parts`.
pub(super) fn key(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in [FORMAT].iter().chain(parts) {
        // With the length, so that moving bytes between parts gives another hash.
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    data_encoding::HEXLOWER.encode(&hash.finalize())
}

/// A folder of entries.
pub(super) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The cache of the user. Without a folder, keeps nothing.
    pub(super) fn of_user() -> Self {
        let folder = match std::env::var_os(VARIABLE) {
            Some(folder) if folder.is_empty() => None,
            Some(folder) => Some(PathBuf::from(folder)),
            None => user_folder().map(|folder| folder.join("lanewise").join("compiled")),
        };
        Self { folder }
    }

    pub(super) fn get(&self, key: &str) -> Option<Entry> {
        let path = self.folder.as_ref()?.join(key);
        let entry = Entry::from_bytes(&fs::read(&path).ok()?)?;
        let file = fs::File::options().append(true).open(&path);
        // Entries that are used stay; failing to note the use is harmless.
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
        Some(entry)
    }

    /// Keeps an entry. Failures are ignored: the program is compiled again next time.
    pub(super) fn put(&self, key: &str, entry: &Entry) {
        let Some(folder) = &self.folder else { return };
        let bytes = entry.to_bytes().filter(|b| b.len() as u64 <= MAX_BYTES / 4);
        let Some(bytes) = bytes.filter(|_| fs::create_dir_all(folder).is_ok()) else {
            return;
        };
        // Renamed, so that another process never reads half an entry.
        if let Ok(mut file) = tempfile::NamedTempFile::new_in(folder)
            && std::io::Write::write_all(&mut file, &bytes).is_ok()
        {
            let _ = file.persist(folder.join(key));
        }
        trim(folder);
    }
}

/// Removes the entries that were used least recently, until the limits hold.
fn trim(folder: &Path) {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = files.filter_map(|file| {
        let known = file.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((known.modified().ok()?, known.len(), file.path()))
    });
    let mut files: Vec<_> = files.collect();
    files.sort_by_key(|(used, ..)| std::cmp::Reverse(*used));
    let mut total = 0;
    for (place, (_, bytes, path)) in files.iter().enumerate() {
        total += bytes;
        if total > MAX_BYTES || place >= MAX_ENTRIES {
            // Another process may have removed it.
            let _ = fs::remove_file(path);
        }
    }
}

/// The folder for caches, as the platform has it.
fn user_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    if cfg!(windows) {
        return variable("LOCALAPPDATA").and_then(absolute);
    }
    let home = || std::env::home_dir().and_then(absolute);
    if cfg!(target_os = "macos") {
        return Some(home()?.join("Library/Caches"));
    }
    variable("XDG_CACHE_HOME")
        .and_then(absolute)
        .or_else(|| Some(home()?.join(".cache")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(size: usize) -> Entry {
        Entry {
            log: String::from("a.cl:1:1: warning: unused"),
            program: vec![7; size],
            cubin: Some(vec![8; 10]),
        }
    }

    #[test]
    fn entries_are_found_again_and_damaged_ones_are_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache {
            folder: Some(folder.path().join("new")),
        };
        let name = key(&[b"ab", b"c"]);
        assert_ne!(name, key(&[b"a", b"bc"]));
        assert_eq!(cache.get(&name), None);
        cache.put(&name, &entry(100));
        assert_eq!(cache.get(&name), Some(entry(100)));
        let path = folder.path().join("new").join(&name);
        let mut bytes = fs::read(&path).expect("an entry");
        *bytes.last_mut().expect("an entry") ^= 1;
        fs::write(&path, bytes).expect("an entry");
        assert_eq!(cache.get(&name), None);
        fs::write(&path, b"short").expect("an entry");
        assert_eq!(cache.get(&name), None);
    }

    #[test]
    fn the_cache_is_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache {
            folder: Some(folder.path().to_owned()),
        };
        for part in 0..12_u8 {
            cache.put(&key(&[&[part]]), &entry(8 << 20));
        }
        let files = fs::read_dir(folder.path()).expect("an entry").flatten();
        let total: u64 = files
            .map(|file| file.metadata().expect("an entry").len())
            .sum();
        assert!((32 << 20..=MAX_BYTES).contains(&total), "{total}");
        let last = cache.get(&key(&[&[11]]));
        assert_eq!(last, Some(entry(8 << 20)));
    }
}
