//! `cargo xtask dist --check-reproducible`: checks that the build does not depend on
//! the folder or on earlier builds.

use crate::shell::{Stopwatch, cargo, output, program, root, run};
use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Repeats the release build from scratch in a copy of the sources, and compares
/// all files with those in `folder`.
pub(crate) fn check(folder: &str) -> Result<()> {
    let here = hashes(&root().join(folder))?;

    let time = Stopwatch::start();
    let copy = Copy::create()?;
    println!("Repeating the build in {} …", copy.0.display());
    run(cargo("xtask dist")
        .current_dir(&copy.0)
        .env_remove("CARGO_MANIFEST_DIR")
        .env("CARGO_TARGET_DIR", copy.0.join("target")))?;
    let there = hashes(&copy.0.join(folder))?;

    let wrong = differences(&here, &there);
    ensure!(wrong.is_empty(), "the builds differ:\n{}", wrong.join("\n"));
    let list: String = here
        .iter()
        .flat_map(|(name, hash)| [name, hash])
        .cloned()
        .collect();
    println!(
        "{} files are equal in both builds ({}). SHA-256 of their names and hashes: {}",
        here.len(),
        time.read(),
        hash(list.as_bytes())
    );
    Ok(())
}

/// SHA-256 of every file in a folder, by relative path.
fn hashes(folder: &Path) -> Result<BTreeMap<String, String>> {
    let files = contents(folder)?.into_iter();
    Ok(files.map(|(name, bytes)| (name, hash(&bytes))).collect())
}

/// Every file in a folder, by relative path.
pub(crate) fn contents(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(&current)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder)?.to_string_lossy();
                files.insert(name.replace('\\', "/"), fs::read(&path)?);
            }
        }
    }
    Ok(files)
}

fn hash(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// Lists files that differ or that only one build has.
fn differences(here: &BTreeMap<String, String>, there: &BTreeMap<String, String>) -> Vec<String> {
    let ours = here
        .iter()
        .filter_map(|(name, hash)| match there.get(name) {
            None => Some(format!("{name}: only in the first")),
            Some(other) if other != hash => Some(format!("{name}: {hash} and {other}")),
            Some(_) => None,
        });
    let theirs = there
        .keys()
        .filter(|name| !here.contains_key(*name))
        .map(|name| format!("{name}: only in the second"));
    ours.chain(theirs).collect()
}

/// Temporary copy of the files tracked by git, with uncommitted changes.
struct Copy(PathBuf);

impl Copy {
    fn create() -> Result<Self> {
        let folder = env::temp_dir().join(format!("lanewise-again-{}", std::process::id()));
        let copy = Self(folder);
        let listed = output(program("git").args(["ls-files", "-z"]))
            .context("cannot list the files of the project with git")?;
        for name in listed.split('\0').filter(|name| !name.is_empty()) {
            let (from, to) = (root().join(name), copy.0.join(name));
            if !from.is_file() {
                continue;
            }
            fs::create_dir_all(
                to.parent()
                    .context("the file does not have a parent folder")?,
            )?;
            fs::copy(&from, &to).with_context(|| format!("cannot copy {name}"))?;
        }
        Ok(copy)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_listed() {
        let build = |files: &[(&str, &str)]| {
            files
                .iter()
                .map(|(name, hash)| ((*name).to_owned(), (*hash).to_owned()))
                .collect()
        };
        let one = build(&[("a", "1"), ("b", "2"), ("c", "3")]);
        let other = build(&[("a", "1"), ("b", "4"), ("d", "3")]);
        assert!(differences(&one, &one).is_empty());
        assert_eq!(
            differences(&one, &other),
            [
                "b: 2 and 4",
                "c: only in the first",
                "d: only in the second"
            ]
        );
    }
}
