//! Finds the browsers for the browser tests: Chrome or Chromium, and Firefox.

use crate::shell::{Stopwatch, output, program, root, run};
use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::PathBuf;

pub(crate) struct Browser {
    name: &'static str,
    /// Script that prints the path of the browser, using the code of the tests, and its
    /// arguments.
    finder: &'static [&'static str],
    /// Debian packages.
    packages: &'static [&'static str],
    /// Environment variables that select an executable.
    variables: &'static [&'static str],
}

pub(crate) const CHROMIUM: Browser = Browser {
    name: "Chromium",
    finder: &["tests/browser/chrome.mjs"],
    packages: &["chromium", "fonts-dejavu"],
    variables: &["LANEWISE_CHROME", "CHROME"],
};

/// Runs most tests in three quarters of the time.
pub(crate) const HEADLESS_SHELL: Browser = Browser {
    name: "Chromium's headless shell",
    finder: &["tests/browser/chrome.mjs", "--shell"],
    packages: &["chromium-headless-shell"],
    variables: CHROMIUM.variables,
};

pub(crate) const FIREFOX: Browser = Browser {
    name: "Firefox",
    finder: &["tests/browser/firefox.mjs"],
    packages: &["firefox-esr", "fonts-dejavu"],
    variables: &["LANEWISE_FIREFOX"],
};

impl Browser {
    /// Returns the path of the browser. Installs it on Debian if it is missing.
    pub(crate) fn find(&self) -> Result<String> {
        let name = self.name;
        if let Ok(path) = self.look() {
            println!("{name}: {path}");
            return Ok(path);
        }
        if self.may_install() {
            eprintln!("{name}: not found; installing it with apt-get (about a minute) …");
            let time = Stopwatch::start();
            let apt = |arguments: &[&str]| {
                run(program("apt-get")
                    .args(arguments)
                    .env("DEBIAN_FRONTEND", "noninteractive"))
            };
            // Ignore failure: an old package list may suffice, and a remaining
            // problem is reported below.
            let updated = apt(&["update"]);
            let installed = apt(&[&["install", "-y"], self.packages].concat());
            for failed in [updated.err(), installed.err()].into_iter().flatten() {
                eprintln!("{name}: {failed:#}");
            }
            eprintln!("{name}: apt-get finished in {}.", time.read());
        }
        let path = self.look()?;
        println!("{name}: {path}");
        Ok(path)
    }

    fn look(&self) -> Result<String> {
        output(program("node").args(self.finder))
            .with_context(|| format!("{} not found", self.name))
    }

    /// Whether to install the browser: on Debian, with root privileges. Ubuntu's
    /// browser packages only refer to snap. If a variable selects an executable, it
    /// is never replaced.
    fn may_install(&self) -> bool {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        if self.variables.iter().any(is_set) {
            return false;
        }
        let debian = fs::read_to_string("/etc/os-release")
            .is_ok_and(|text| text.lines().any(|line| line == "ID=debian"));
        let root = || output(program("id").arg("-u")).is_ok_and(|id| id == "0");
        let apt = || output(program("apt-get").arg("--version")).is_ok();
        debian && root() && apt()
    }
}

/// End of the names of browser test files that take minutes each.
pub(crate) const NIGHTLY: &str = ".nightly.mjs";

/// All browser test files. Passed to Node by name, because its handling of folders
/// and patterns depends on the version.
pub(crate) fn all_browser_tests() -> Result<Vec<PathBuf>> {
    let mut files = fs::read_dir(root().join("tests/browser"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    files.retain(|path| {
        let path = path.to_string_lossy();
        path.ends_with(".test.mjs") || path.ends_with(NIGHTLY)
    });
    files.sort();
    Ok(files)
}
