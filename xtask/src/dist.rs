//! `cargo xtask dist`: the page for any static host, in `dist/`.

use crate::budgets;
use crate::setup::{self, Tools};
use crate::shell::{Stopwatch, root, run};
use crate::split;
use crate::texts;
use anyhow::{Context, Result, bail};
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
    budgets::check()?;
    println!(
        "The page is in {FOLDER}/, ready for any static host ({}).",
        time.read()
    );
    Ok(())
}

/// Builds only; what is to be built is said in `Trunk.toml` and `index.html`.
pub(crate) fn build(tools: &Tools) -> Result<()> {
    texts::write()?;
    run(tools
        .program("trunk")
        .args(["build", "--release", "--dist", FOLDER])
        .env(FLAGS, flags()))?;
    two_parts(tools)
}

/// What the first paint and a first run do without, by parts of the names of
/// its functions: instructions other than the one of the first scenario, what
/// only they have on the page, floats in texts, and advice on wrong names.
const REST: &[&str] = &[
    "assist::",
    "bits::Decoder",
    "bits::Describer",
    "isa::decode",
    "isa::sass::",
    "isa::visa::dpas",
    "isa::visa::svm_",
    "isa::visa::vector",
    "isa::visa::operand::declare",
    "isa::visa::operand::undeclared",
    "scenario::warp",
    "init::warp",
    "scenario::assembler",
    "number::decimal::",
    "text::words::",
    "::concerns",
    "isa::visa::ids::",
    "isa::visa::atomic::text::print_lead",
    "Execution>::print",
    "Instruction>::check_encoding",
    "Instruction>::encode",
    "Instruction>::fields",
    "Instruction>::print",
    "Instruction>::text",
    "Instruction>::tokens",
    "diagnostic::Diagnostic]>::to_vec",
    "problems::Problem]>::to_vec",
    "RawOperand>::print",
    "Surface>::print",
    "State>::change_encoding",
    "State>::declare_drafted",
    "State>::draft",
    "State>::encoding",
    "State>::format",
    "State>::insert_pasted",
    "State>::learn_in_encoding",
    "State>::lit_",
    "State>::paste",
    "State>::retype",
    "State>::written_at_hand",
    "state::explain",
    "components::encoding",
    "components::explain",
    "components::planes",
    "components::reading",
    "components::supply",
    "components::warp",
    "state::encoding",
    "state::format",
    "state::supply",
];

/// What every program has, though its name says otherwise: the warp of
/// `Names`, and traits of the library, whose code may be that of another type
/// with the same bits.
const EVERY_PROGRAM: [&str; 3] = ["isa::sass::warp", "isa::sass::chip", " as core["];

/// Traits of the library whose code is that of one type alone.
const ALONE: [&str; 2] = ["isa::names::Names as core[", "pattern::StrSearcher"];

/// The name of the second part's file ends so.
pub(crate) const REST_ENDING: &str = "_rest.wasm";

/// Splits the wasm, has both parts optimised again, and tells the page where
/// the second is.
fn two_parts(tools: &Tools) -> Result<()> {
    let folder = root().join(FOLDER);
    let first = fs::read_dir(&folder)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.to_string_lossy().ends_with("_bg.wasm"));
    let first = first.context("the build has no wasm")?;
    let wasm = fs::read(&first)?;
    let parts = split::split(&wasm, |name| {
        let is_in = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        is_in(&ALONE) || is_in(REST) && !is_in(&EVERY_PROGRAM)
    })?;
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
