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
    let brotli = |wanted: fn(&File) -> bool| -> u64 {
        files
            .iter()
            .filter(|file| wanted(file))
            .map(|file| file.brotli)
            .sum()
    };
    let page = brotli(|file| file.is_of_page() && file.is_wasm());
    let worker = brotli(|file| file.is_wasm() && !file.is_of_page());
    ensure!(page > 0, "there is no wasm of the page in {folder}/");
    ensure!(worker > 0, "there is no wasm of the worker in {folder}/");
    println!(
        "after brotli: wasm of the page {} kB, with the page and its script {} kB; \
         wasm of the worker, loaded later, {} kB",
        kilobytes(page).trim(),
        kilobytes(brotli(File::is_of_page)).trim(),
        kilobytes(worker).trim()
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

impl File {
    /// Whether a reader waits for it: the page itself, its script and its wasm.
    /// Other scripts are loaded later, or by other pages.
    fn is_of_page(&self) -> bool {
        self.path.starts_with("lanewise-web-") || self.path == "index.html"
    }

    fn is_wasm(&self) -> bool {
        self.path.ends_with(".wasm")
    }
}

fn kilobytes(bytes: u64) -> String {
    format!("{:>10.1}", bytes as f64 / 1000.0)
}
