//! `cargo xtask profile`: which functions of the page's wasm run before the
//! page is usable and in a first run of the first scenario. Only those are in
//! the part of the wasm that the first paint waits for.

use crate::dist;
use crate::setup;
use crate::shell::{output, program, root};
use crate::{browser, split};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The names of these functions, one on a line.
const NAMES: &str = "xtask/first.txt";

/// Where the build goes that tells which functions run.
const FOLDER: &str = "target/profile";

/// The functions that ran when it was last asked.
pub(crate) fn first() -> Result<BTreeSet<String>> {
    let names = fs::read_to_string(root().join(NAMES)).context(NAMES)?;
    Ok(names.lines().map(String::from).collect())
}

/// A function's name without what tells crates of the same name apart, which
/// may differ between machines.
pub(crate) fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        plain += before;
        let end = after.find(|c: char| !c.is_ascii_hexdigit());
        rest = match end {
            Some(end) if end >= 8 && after[end..].starts_with(']') => &after[end + 1..],
            _ => {
                plain.push('[');
                after
            }
        };
    }
    plain + rest
}

/// Runs the page once and writes down what ran.
pub(crate) fn command() -> Result<()> {
    let tools = setup::page()?;
    let folder = root().join(FOLDER);
    dist::whole(&tools, FOLDER)?;
    let wasm = dist::wasm(&folder)?;
    let (told, names) = split::telling(&fs::read(&wasm)?)?;
    fs::write(&wasm, told)?;
    let path = browser::find()?;
    let ran = output(
        program("node")
            .args(["tests/browser/profile.mjs", FOLDER])
            .env("LANEWISE_CHROME", path),
    )?;
    let mut first = BTreeSet::new();
    for place in ran.split_whitespace() {
        let name: &Option<String> = names
            .get(place.parse::<usize>()?)
            .context("a function that is not there")?;
        first.extend(name.as_deref().map(plain));
    }
    let lines: String = first.iter().map(|name| format!("{name}\n")).collect();
    let names: PathBuf = root().join(NAMES);
    fs::write(&names, lines)?;
    println!("{} functions ran; their names are in {NAMES}.", first.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_lose_what_differs_between_machines() {
        let name = "<alloc[62a3f8ac1b2c3d4e]::vec::Vec<u8> as core[0123456789abcdef]::fmt::Write>::f::<[u8; 4]>";
        assert_eq!(
            plain(name),
            "<alloc::vec::Vec<u8> as core::fmt::Write>::f::<[u8; 4]>"
        );
        assert_eq!(plain("a[0]::b[ff"), "a[0]::b[ff");
    }
}
