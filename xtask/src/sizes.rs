//! The sizes of the release build, printed.

use crate::shell::{output, program};
use anyhow::{Context, Result, ensure};
use std::cmp::Reverse;

/// One file of the build.
struct File {
    path: String,
    raw: u64,
    brotli: u64,
}

/// Prints the size of every file of a build, and of what a reader waits for.
pub(crate) fn print(folder: &str) -> Result<()> {
    let files = files(folder)?;
    println!("{:>10} {:>10}  file", "kB", "kB brotli");
    for file in &files {
        println!(
            "{} {}  {}",
            kilobytes(file.raw),
            kilobytes(file.brotli),
            file.path
        );
    }
    let is_wasm = |file: &&File| file.path.ends_with("_bg.wasm");
    let wasm: u64 = files.iter().filter(is_wasm).map(|file| file.brotli).sum();
    ensure!(wasm > 0, "there is no wasm in {folder}/");
    let waited = files.iter().filter(|file| is_wasm(file) || is_start(file));
    let waited: u64 = waited.map(|file| file.brotli).sum();
    println!(
        "wasm after brotli: {} kB; with the page and its script: {} kB",
        kilobytes(wasm).trim(),
        kilobytes(waited).trim()
    );
    Ok(())
}

/// Every file of the build, the largest first.
fn files(folder: &str) -> Result<Vec<File>> {
    let lines = output(program("node").args(["xtask/sizes.mjs", folder]))?;
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

/// The page itself and the script that starts the wasm. Other scripts are
/// loaded later, or by other pages.
fn is_start(file: &File) -> bool {
    let starts = file.path.starts_with("lanewise-web-") && file.path.ends_with(".js");
    starts || file.path == "index.html"
}

fn kilobytes(bytes: u64) -> String {
    format!("{:>10.1}", bytes as f64 / 1000.0)
}
