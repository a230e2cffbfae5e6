//! `cargo xtask dist`: the page for any static host, in `dist/`.

use crate::policy;
use crate::setup::{self, Tools};
use crate::shell::{Stopwatch, program, root, run};
use crate::sizes;
use anyhow::Result;
use std::env;
use std::fs;
use std::path::PathBuf;

/// Where the release build goes.
pub(crate) const FOLDER: &str = "dist";

pub(crate) fn command() -> Result<()> {
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
