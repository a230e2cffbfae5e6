//! Programs needed to build the page: versions and sources.

use crate::shell::{output, root};
use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Newest Trunk that builds with `rust-version`.
const TRUNK: &str = "0.21.14";

const CARGO_DENY: &str = "0.20.2";

/// Program with an exact version.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// Cargo package.
    pub(crate) package: &'static str,
    pub(crate) version: String,
    /// URL of the release archive; `None` if none is published for this system.
    pub(crate) archive: Option<String>,
    /// Whether to run `cargo install` with `--locked`.
    pub(crate) locked: bool,
    /// Duration of `cargo install` on two cores, in minutes.
    pub(crate) minutes: u32,
}

pub(crate) fn trunk() -> Tool {
    let archive = target(|linux_arch| format!("{linux_arch}-unknown-linux-gnu")).map(|target| {
        let ending = if cfg!(windows) { "zip" } else { "tar.gz" };
        format!(
            "https://github.com/trunk-rs/trunk/releases/download/v{TRUNK}/trunk-{target}.{ending}"
        )
    });
    Tool {
        name: "trunk",
        package: "trunk",
        version: TRUNK.to_owned(),
        archive,
        locked: true,
        minutes: 4,
    }
}

/// The wasm-bindgen command line, whose version must equal that of the library in
/// `Cargo.lock`.
pub(crate) fn wasm_bindgen() -> Result<Tool> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let version = locked_version(&lock, "wasm-bindgen")
        .context("Cargo.lock does not list wasm-bindgen")?
        .to_owned();
    let archive = target(|linux_arch| format!("{linux_arch}-unknown-linux-musl")).map(|target| {
        format!(
            "https://github.com/wasm-bindgen/wasm-bindgen/releases/download/{version}/wasm-bindgen-{version}-{target}.tar.gz"
        )
    });
    Ok(Tool {
        name: "wasm-bindgen",
        package: "wasm-bindgen-cli",
        version,
        archive,
        locked: false,
        minutes: 2,
    })
}

/// cargo-deny, for `cargo xtask audit`.
pub(crate) fn cargo_deny() -> Tool {
    let archive = target(|linux_arch| format!("{linux_arch}-unknown-linux-musl")).map(|target| {
        format!(
            "https://github.com/EmbarkStudios/cargo-deny/releases/download/{CARGO_DENY}/cargo-deny-{CARGO_DENY}-{target}.tar.gz"
        )
    });
    Tool {
        name: "cargo-deny",
        package: "cargo-deny",
        version: CARGO_DENY.to_owned(),
        archive,
        locked: true,
        minutes: 10,
    }
}

impl Tool {
    /// Name of the executable file.
    pub(crate) fn file(&self) -> String {
        format!("{}{}", self.name, env::consts::EXE_SUFFIX)
    }

    /// Whether the program at `path` runs and has the right version.
    pub(crate) fn is_right(&self, path: &Path) -> bool {
        output(Command::new(path).arg("--version"))
            .is_ok_and(|said| said.split_whitespace().nth(1) == Some(&self.version))
    }
}

/// Folder for installed tools.
pub(crate) fn cache() -> Result<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(tools) = set("LANEWISE_TOOLS") {
        return Ok(std::path::absolute(PathBuf::from(tools))?);
    }
    let user = set("XDG_CACHE_HOME")
        .or_else(|| {
            if cfg!(windows) {
                set("LOCALAPPDATA")
            } else {
                None
            }
        })
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cache")))
        .context("cannot find a home directory; set LANEWISE_TOOLS to a folder for the tools")?;
    Ok(user.join("lanewise").join("tools"))
}

/// Name of this system in release archives.
fn target(linux: impl Fn(&str) -> String) -> Option<String> {
    match (env::consts::OS, env::consts::ARCH) {
        ("linux", arch @ ("x86_64" | "aarch64")) => Some(linux(arch)),
        ("macos", arch @ ("x86_64" | "aarch64")) => Some(format!("{arch}-apple-darwin")),
        ("windows", "x86_64") => Some("x86_64-pc-windows-msvc".to_owned()),
        _ => None,
    }
}

/// Version of a package in a `Cargo.lock`.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| **line != name).skip(1);
    lines
        .next()?
        .strip_prefix("version = \"")?
        .strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locked_version_matches_the_exact_package_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }

    #[test]
    fn workspace_lock_file_is_parsed() {
        let tool = wasm_bindgen().expect("Cargo.lock lists wasm-bindgen");
        assert!(tool.version.starts_with("0.2."), "{}", tool.version);
    }
}
