//! The programs the page's build needs: which, where, and how to get them.

use crate::shell::{output, root};
use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The newest Trunk that builds with the Rust of `rust-version`.
const TRUNK: &str = "0.21.14";

/// What reads `deny.toml`.
const CARGO_DENY: &str = "0.20.2";

/// A program of one exact version.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The package that holds it.
    pub(crate) package: &'static str,
    pub(crate) version: String,
    /// The release archive; `None` where none is published for this system.
    pub(crate) archive: Option<String>,
    /// Whether `cargo install` takes the versions its authors locked.
    pub(crate) locked: bool,
    /// How long `cargo install` takes on two cores.
    pub(crate) minutes: u32,
}

/// Trunk.
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

/// The wasm-bindgen command line, which must equal the library in `Cargo.lock`.
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

/// cargo-deny, which `cargo xtask audit` calls.
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
    /// The name of the executable file.
    pub(crate) fn file(&self) -> String {
        format!("{}{}", self.name, env::consts::EXE_SUFFIX)
    }

    /// Whether this program starts and is of the version wanted.
    pub(crate) fn is_right(&self, path: &Path) -> bool {
        output(Command::new(path).arg("--version"))
            .is_ok_and(|said| said.split_whitespace().nth(1) == Some(&self.version))
    }
}

/// The folder that keeps what this project installs.
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
        .context("there is no home directory to keep tools in; set LANEWISE_TOOLS to a folder")?;
    Ok(user.join("lanewise").join("tools"))
}

/// This system as release archives name it.
fn target(linux: impl Fn(&str) -> String) -> Option<String> {
    match (env::consts::OS, env::consts::ARCH) {
        ("linux", arch @ ("x86_64" | "aarch64")) => Some(linux(arch)),
        ("macos", arch @ ("x86_64" | "aarch64")) => Some(format!("{arch}-apple-darwin")),
        ("windows", "x86_64") => Some("x86_64-pc-windows-msvc".to_owned()),
        _ => None,
    }
}

/// The version of a package in the text of a `Cargo.lock`.
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
    fn the_locked_version_is_that_of_the_very_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }

    #[test]
    fn the_lock_of_this_workspace_is_read() {
        let tool = wasm_bindgen().expect("Cargo.lock lists wasm-bindgen");
        assert!(tool.version.starts_with("0.2."), "{}", tool.version);
    }
}
