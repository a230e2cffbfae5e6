//! `cargo xtask dist`: the page for any static host, in `dist/`.

use crate::policy;
use crate::reproducible;
use crate::setup::{self, Tools};
use crate::shell::{Stopwatch, program, root, run};
use crate::sizes;
use anyhow::{Result, ensure};
use lexopt::prelude::*;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the release build goes.
pub(crate) const FOLDER: &str = "dist";

pub(crate) fn command(mut arguments: lexopt::Parser) -> Result<()> {
    match arguments.next()? {
        None => release(),
        Some(Long("check-reproducible")) => {
            release()?;
            reproducible::check(FOLDER)
        }
        Some(other) => Err(other.unexpected().into()),
    }
}

/// The release build with its sizes.
pub(crate) fn release() -> Result<()> {
    let time = Stopwatch::start();
    let tools = setup::page()?;
    println!("Building the page for release (about a minute the first time) …");
    build(&tools)?;
    sizes::print(FOLDER)?;
    println!(
        "The page is in {FOLDER}/, ready for any static host ({}).",
        time.read()
    );
    Ok(())
}

/// Builds only; what is to be built is said in `Trunk.toml` and `index.html`.
pub(crate) fn build(tools: &Tools) -> Result<()> {
    run(tools
        .program("trunk")
        .args(["build", "--release", "--dist", FOLDER])
        .env(FLAGS, flags())
        // For `site.mjs`.
        .env("LANEWISE_XTASK", env::current_exe()?))?;
    policy::write(&root().join(FOLDER))?;
    run(program("node").args(["xtask/offline.mjs", FOLDER]))
}

/// Whether `trunk serve` gives the same page: the build that it makes has the
/// same files as the release build, with the same contents but for wasm, which
/// is compiled differently, and for what makes the release work offline. Names
/// count without their hashes.
pub(crate) fn check_serve(tools: &Tools) -> Result<()> {
    let served = Path::new("target/serve-check");
    run(tools
        .program("trunk")
        // As `trunk serve` builds; the compiled crates are those of the release.
        .args(["build", "--cargo-profile", "web", "--dist"])
        .arg(served)
        .env(FLAGS, flags())
        .env("LANEWISE_XTASK", env::current_exe()?))?;
    // A release adds its policy, and a file of the script that was inline.
    policy::write(&root().join(served))?;
    let (own, other) = (contents(Path::new(FOLDER))?, contents(served)?);
    let (names, other_names): (Vec<_>, Vec<_>) = (own.keys().collect(), other.keys().collect());
    ensure!(
        names == other_names,
        "files differ: {names:?} in {FOLDER}, {other_names:?} served"
    );
    for (name, content) in &own {
        ensure!(other[name] == *content, "{name} differs");
    }
    println!("{} files, the same in {FOLDER} and as served.", own.len());
    Ok(())
}

/// The files of a build by their names without hashes, with what has to be the
/// same in each build.
fn contents(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(&current)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path
                .strip_prefix(folder)?
                .to_string_lossy()
                .replace('\\', "/");
            let bytes = fs::read(&path)?;
            let name = without_hashes(&name);
            files.insert(name.clone(), comparable(&name, bytes));
        }
    }
    Ok(files)
}

/// What of a file has to be the same in each build.
fn comparable(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    // wasm, and the scripts that wasm-bindgen makes from it.
    let is_compiled =
        name.ends_with(".wasm") || name.starts_with("lanewise-web") || name == "worker.js";
    if is_compiled {
        return Vec::new();
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return error.into_bytes(),
    };
    // The list of files of the release is put in place of `null`.
    if name == "sw.js" {
        let code = text.split_once("const SCOPE");
        let code = code.map_or(text.as_str(), |(_, code)| code);
        return code.into();
    }
    let lines = text
        .lines()
        .filter(|line| !line.contains("<meta name=\"offline\""));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    without_hashes(&without_nonces(&text)).into()
}

/// A page without the nonces of its style sheets, which depend on the hashes.
fn without_nonces(text: &str) -> String {
    let mut pieces = text.split(" nonce=\"");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |out, piece| {
        out + piece.split_once('"').map_or("", |(_, rest)| rest)
    })
}

/// A text without the hashes that Trunk puts into names: 16 hexadecimal digits
/// after a `-`.
fn without_hashes(text: &str) -> String {
    const DIGITS: usize = 16;
    let mut parts = text.split('-');
    let mut kept = String::from(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        match digits {
            DIGITS => kept.push_str(&part[DIGITS..]),
            _ => {
                kept.push('-');
                kept.push_str(part);
            }
        }
    }
    kept
}

/// Where Cargo reads the compiler's flags, one after each separator.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
const SEPARATOR: &str = "\u{1f}";

/// Messages of panics name the files of packages: by package, not by where
/// this machine keeps them.
fn flags() -> String {
    let mut flags: Vec<String> = match (env::var(FLAGS), env::var("RUSTFLAGS")) {
        (Ok(encoded), _) if !encoded.is_empty() => {
            encoded.split(SEPARATOR).map(String::from).collect()
        }
        (_, Ok(plain)) => plain.split_whitespace().map(String::from).collect(),
        _ => Vec::new(),
    };
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    let sources = home.map(|home| home.join("registry").join("src"));
    // A folder for each registry; what this program is made of is in one.
    let folders = sources.into_iter().flat_map(fs::read_dir).flatten();
    flags.extend(
        folders
            .flatten()
            .map(|folder| format!("--remap-path-prefix={}=packages", folder.path().display())),
    );
    flags.join(SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_taken_from_names() {
        let name = without_hashes("lanewise-web-859306bbb2ec47cb_bg.wasm");
        assert_eq!(name, "lanewise-web_bg.wasm");
        assert_eq!(without_hashes("icon-deadbeef.svg"), "icon-deadbeef.svg");
    }

    #[test]
    fn what_makes_a_build_work_offline_is_not_compared() {
        let page = "<head>\n<meta name=\"offline\" content=\"./sw.js\">\n</head>";
        assert_eq!(comparable("a.html", page.into()), b"<head>\n</head>\n");
        let worker = "const BUILD = null;\nconst SCOPE = 1;";
        let listed = worker.replace("null", "{}");
        assert_eq!(
            comparable("sw.js", worker.into()),
            comparable("sw.js", listed.into())
        );
        assert_ne!(
            comparable("a.js", b"a".to_vec()),
            comparable("a.js", b"b".to_vec())
        );
        // A picture is no text.
        assert_ne!(
            comparable("a.png", vec![0x89, 1]),
            comparable("a.png", vec![0x89, 2])
        );
    }
}
