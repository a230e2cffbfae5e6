//! Prints the sizes of the release build.

use crate::shell::{output, program};
use anyhow::{Context, Result, ensure};
use std::cmp::Reverse;

/// File of the build.
struct File {
    path: String,
    raw: u64,
    brotli: u64,
}

/// Prints the sizes of all files, and the total size that a visitor waits for.
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
    ensure!(page > 0, "no WebAssembly of the page in {folder}/");
    ensure!(worker > 0, "no WebAssembly of the worker in {folder}/");
    println!(
        "after brotli: wasm of the page {} kB, with the page and its script {} kB; \
         wasm of the worker, loaded later, {} kB",
        kilobytes(page).trim(),
        kilobytes(brotli(File::is_of_page)).trim(),
        kilobytes(worker).trim()
    );
    Ok(())
}

/// All files of the build, by decreasing size.
fn files(folder: &str) -> Result<Vec<File>> {
    let lines = output(program("node").args(["xtask/sizes.mjs", folder]))?;
    let mut files = lines
        .lines()
        .map(|line| {
            parse(line).with_context(|| format!("unexpected output of sizes.mjs: `{line}`"))
        })
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
    /// Whether the page needs the file to start: HTML, main script and WebAssembly.
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
