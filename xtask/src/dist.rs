//! `cargo xtask dist`: the page for any static host, in `dist/`.

use crate::budgets;
use crate::profile;
use crate::setup::{self, Tools};
use crate::shell::{Stopwatch, program, root, run};
use crate::split;
use anyhow::{Context, Result, bail};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the release build goes.
pub(crate) const FOLDER: &str = "dist";

pub(crate) fn command() -> Result<()> {
    let time = Stopwatch::start();
    let tools = setup::page()?;
    println!("Building the page for release (about a minute the first time) …");
    build(&tools)?;
    budgets::check()?;
    println!(
        "The page is in {FOLDER}/, ready for any static host ({}).",
        time.read()
    );
    Ok(())
}

/// Builds only; what is to be built is said in `Trunk.toml` and `index.html`.
pub(crate) fn build(tools: &Tools) -> Result<()> {
    whole(tools, FOLDER)?;
    two_parts(tools)?;
    run(program("node").args(["xtask/offline.mjs", FOLDER]))
}

/// Builds the page into a folder, its wasm in one.
pub(crate) fn whole(tools: &Tools, folder: &str) -> Result<()> {
    run(tools
        .program("trunk")
        .args(["build", "--release", "--dist", folder])
        .env(FLAGS, flags())
        // For `site.mjs`.
        .env("LANEWISE_XTASK", env::current_exe()?))
}

/// The wasm of a build, before it is split.
pub(crate) fn wasm(folder: &Path) -> Result<PathBuf> {
    fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.to_string_lossy().ends_with("_bg.wasm"))
        .context("the build has no wasm")
}

/// The name of the second part's file ends so.
pub(crate) const REST_ENDING: &str = "_rest.wasm";

/// Splits the wasm, has both parts optimised again, and tells the page where
/// the second is.
fn two_parts(tools: &Tools) -> Result<()> {
    let folder = root().join(FOLDER);
    let first = wasm(&folder)?;
    let names = profile::first()?;
    let belongs = |name: &str| !names.contains(&profile::plain(name));
    // Only links are read with it.
    let dictionary = fs::read(root().join("link/dictionary/1.txt"))?;
    let parts = split::split(&fs::read(&first)?, belongs, &dictionary)?;
    let name = first.file_name().context("the wasm has no name")?;
    let name = name.to_string_lossy().replace("_bg.wasm", REST_ENDING);
    println!(
        "{} functions are in {name}, loaded after the first paint.",
        parts.moved
    );
    for (path, bytes) in [(first, parts.first), (folder.join(&name), parts.rest)] {
        fs::write(&path, bytes)?;
        run(tools
            .program("wasm-opt")
            .args(OPTIMISE)
            .arg(&path)
            .arg("-o")
            .arg(&path))?;
    }
    let index = folder.join("index.html");
    let html = fs::read_to_string(&index)?;
    let meta = format!("<meta name=\"rest\" content=\"./{name}\">");
    let head = "<meta charset=\"utf-8\"";
    if !html.contains(head) {
        bail!("index.html has no place for where the rest is");
    }
    fs::write(
        index,
        html.replacen(head, &format!("{meta}\n    {head}"), 1),
    )?;
    Ok(())
}

/// As in `index.html`, the names left out.
const OPTIMISE: [&str; 10] = [
    "-Oz",
    "--one-caller-inline-max-function-size=30",
    "--low-memory-unused",
    "--reorder-functions",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

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
    // Names with types in them: `split` goes by names.
    flags.push(String::from("-Csymbol-mangling-version=v0"));
    flags.join(SEPARATOR)
}
