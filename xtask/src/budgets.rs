//! The sizes of the release build, and the most they may be.

use crate::shell::{output, program};
use crate::{dist, site};
use anyhow::{Context, Result, bail};
use std::cmp::Reverse;

/// The page's wasm after brotli, in bytes; the part that is loaded after the
/// first paint left out.
const WASM: u64 = 150_000;

/// Everything that a reader waits for, after brotli: that wasm, the script,
/// the page itself.
const USABLE: u64 = 170_000;

/// The editor after brotli; it is loaded after the page is usable.
const EDITOR: u64 = 100_000;

/// Its file.
const EDITOR_FILE: &str = "editor.js";

/// The script for other pages, in bytes as it is: a page pays them before
/// anybody presses anything.
const EMBED: u64 = 5_000;

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
    let rest = total(&files, dist::REST_ENDING);
    let wasm = total(&files, ".wasm") - rest;
    if wasm == 0 || rest == 0 {
        bail!("there are not two parts of wasm in {}/", dist::FOLDER);
    }
    let editor = total(&files, EDITOR_FILE);
    if editor == 0 {
        bail!("there is no {EDITOR_FILE} in {}/", dist::FOLDER);
    }
    let page = waited_for(&files);
    within("wasm after brotli, before the page is usable", wasm, WASM)?;
    within("all of it, with script and page", wasm + page, USABLE)?;
    within("the editor, loaded after that", editor, EDITOR)?;
    let embed = files.iter().find(|file| file.path == site::EMBED);
    let embed = embed.with_context(|| format!("there is no {}", site::EMBED))?;
    within("script for other pages, not compressed", embed.raw, EMBED)?;
    println!(
        "The rest of the wasm, loaded after the first paint: {} kB.",
        kilobytes(rest).trim()
    );
    Ok(())
}

fn within(what: &str, is: u64, may: u64) -> Result<()> {
    let said = format!(
        "{what}: {} of {} kB",
        kilobytes(is).trim(),
        kilobytes(may).trim()
    );
    if is > may {
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

/// The page itself and the script that starts the wasm. Other scripts are
/// fetched later, or by other pages.
fn waited_for(files: &[File]) -> u64 {
    let is_start = |path: &str| path.starts_with("lanewise-web-") && path.ends_with(".js");
    files
        .iter()
        .filter(|file| file.path == "index.html" || is_start(&file.path))
        .map(|file| file.brotli)
        .sum()
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
        let lines = ["1\t1\tguide/index.html", "2\t2\tindex.html"].into_iter();
        let lines = lines.chain(["4\t4\tlanewise-web-0a.js", "8\t8\tsw.js"]);
        let files: Vec<File> = lines.map(|line| parse(line).unwrap()).collect();
        assert_eq!(waited_for(&files), 6);
        assert!(within("a", 7, 7).is_ok() && within("a", 8, 7).is_err());
        assert!(parse("10 4 a.wasm").is_none());
    }
}
