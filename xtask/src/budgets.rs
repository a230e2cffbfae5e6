//! The sizes of the release build, and the most they may be.

use crate::dist;
use crate::shell::{output, program};
use anyhow::{Context, Result, bail};
use std::cmp::Reverse;

/// The page's wasm after brotli, in bytes.
const WASM: u64 = 150_000;

/// One file of the build.
struct File {
    path: String,
    raw: u64,
    brotli: u64,
}

/// Prints the sizes, and fails if one is over its budget.
pub(crate) fn check() -> Result<()> {
    let files = files()?;
    println!("{:>10} {:>10}  file", "kB", "kB brotli");
    for file in &files {
        println!(
            "{} {}  {}",
            kilobytes(file.raw),
            kilobytes(file.brotli),
            file.path
        );
    }
    let wasm = total(&files, ".wasm");
    if wasm == 0 {
        bail!("there is no wasm in {}/", dist::FOLDER);
    }
    let (is, may) = (kilobytes(wasm), kilobytes(WASM));
    let said = format!("wasm after brotli: {} of {} kB", is.trim(), may.trim());
    if wasm > WASM {
        bail!("over budget: {said}");
    }
    println!("Within budget: {said}.");
    Ok(())
}

/// Every file of the build, the largest first.
fn files() -> Result<Vec<File>> {
    let lines = output(program("node").args(["xtask/sizes.mjs", dist::FOLDER]))?;
    let mut files = lines
        .lines()
        .map(|line| parse(line).with_context(|| format!("unexpected line `{line}` of sizes.mjs")))
        .collect::<Result<Vec<_>>>()?;
    files.sort_by_key(|file| Reverse(file.brotli));
    Ok(files)
}

fn parse(line: &str) -> Option<File> {
    let mut parts = line.splitn(3, '\t');
    Some(File {
        raw: parts.next()?.parse().ok()?,
        brotli: parts.next()?.parse().ok()?,
        path: parts.next()?.to_owned(),
    })
}

fn total(files: &[File], ending: &str) -> u64 {
    files
        .iter()
        .filter(|file| file.path.ends_with(ending))
        .map(|file| file.brotli)
        .sum()
}

fn kilobytes(bytes: u64) -> String {
    format!("{:>10.1}", bytes as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_added_by_ending() {
        let files =
            ["10\t4\ta.wasm", "7\t3\tb/c.wasm", "9\t5\ta.js"].map(|line| parse(line).unwrap());
        assert_eq!(total(&files, ".wasm"), 7);
        assert!(parse("10 4 a.wasm").is_none());
    }
}
