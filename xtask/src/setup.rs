//! Installs missing tools. Idempotent, and fast if everything is installed.

use crate::install;
use crate::shell::{Stopwatch, output, program, root, run};
use crate::tools::{Tool, trunk, wasm_bindgen};
use anyhow::{Context, Result, ensure};
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Targets of the page and of the `no_std` check.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";
pub(crate) const BARE: &str = "wasm32v1-none";

/// Minimum version of Node.
const NODE: u32 = 20;

pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// PATH with all tools of the page.
pub(crate) struct Tools(OsString);

impl Tools {
    /// Command with the tools on PATH, and without update checks.
    pub(crate) fn program(&self, name: &str) -> Command {
        let mut command = program(name);
        command
            .env("PATH", &self.0)
            .env("TRUNK_SKIP_VERSION_CHECK", "true")
            // Trunk accepts only `true` and `false`.
            .env_remove("NO_COLOR");
        command
    }
}

/// Installs everything needed to build and serve the page.
pub(crate) fn page() -> Result<Tools> {
    let time = Stopwatch::start();
    targets(&[WASM])?;
    packages()?;
    let tools = [trunk(), wasm_bindgen()?];
    let path = search_path(&tools)?;
    let [trunk, bindgen] = &tools;
    println!(
        "Tools ready: trunk {}, wasm-bindgen {}, npm packages, target {WASM} ({}).",
        trunk.version,
        bindgen.version,
        time.read()
    );
    Ok(Tools(path))
}

/// Installs missing Rust targets.
pub(crate) fn targets(wanted: &[&'static str]) -> Result<()> {
    let sysroot = output(program("rustc").args(["--print", "sysroot"]))?;
    let installed = PathBuf::from(sysroot).join("lib/rustlib");
    let missing: Vec<_> = wanted
        .iter()
        .copied()
        .filter(|target| !installed.join(target).join("lib").is_dir())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" and ");
    eprintln!("Rust targets {names}: adding them with rustup (about half a minute) …");
    let time = Stopwatch::start();
    run(program("rustup").args(["target", "add"]).args(&missing)).with_context(|| {
        format!("the Rust standard library for {names} is missing; install it with rustup or your package manager")
    })?;
    eprintln!("Rust targets {names}: added in {}.", time.read());
    Ok(())
}

/// Installs rustfmt and clippy if they are missing.
pub(crate) fn components() -> Result<()> {
    let missing: Vec<_> = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(command, _)| output(program("cargo").args([*command, "--version"])).is_err())
        .map(|(_, component)| component)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" and ");
    eprintln!("Rust components {names}: adding them with rustup (about half a minute) …");
    run(program("rustup").args(["component", "add"]).args(&missing)).with_context(|| {
        format!("{names} not found; install it with rustup or your package manager")
    })
}

/// Installs the packages of `package-lock.json` if it has changed.
fn packages() -> Result<()> {
    let version = output(program("node").arg("--version"))
        .with_context(|| format!("Node.js {NODE} or newer is required: see https://nodejs.org"))?;
    let major = version.trim_start_matches('v').split('.').next();
    ensure!(
        major.and_then(|major| major.parse().ok()) >= Some(NODE),
        "Node.js {NODE} or newer is required, found {version}: see https://nodejs.org"
    );
    let changed = |name: &str| {
        root()
            .join(name)
            .metadata()
            .and_then(|file| file.modified())
    };
    let wanted = changed("package-lock.json").context("cannot read package-lock.json")?;
    if changed("node_modules/.package-lock.json").is_ok_and(|installed| installed >= wanted) {
        return Ok(());
    }
    eprintln!("npm packages: installing (about 10 seconds) …");
    let time = Stopwatch::start();
    run(program(NPM).args(["ci", "--no-audit", "--no-fund"]))?;
    eprintln!("npm packages: installed in {}.", time.read());
    Ok(())
}

/// PATH with the tools first, so that they take precedence over other versions.
fn search_path(tools: &[Tool]) -> Result<OsString> {
    let mut folders = Vec::new();
    for tool in tools {
        folders.extend(install::folder(tool)?);
    }
    // For wasm-opt.
    folders.push(root().join("node_modules/.bin"));
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    Ok(env::join_paths(folders)?)
}
