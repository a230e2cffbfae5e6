//! The browsers for the browser tests: a Chrome or Chromium, and a Firefox.

use crate::shell::{Stopwatch, output, program, root, run};
use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::PathBuf;

/// A browser that the tests know to find and to start.
pub(crate) struct Browser {
    name: &'static str,
    /// The script that prints where it is: the tests themselves know.
    finder: &'static str,
    /// Debian's packages.
    packages: &'static [&'static str],
    /// A browser that is named in one of these is the only one wanted.
    variables: &'static [&'static str],
}

pub(crate) const CHROMIUM: Browser = Browser {
    name: "Chromium",
    finder: "tests/browser/chrome.mjs",
    packages: &["chromium", "fonts-dejavu"],
    variables: &["LANEWISE_CHROME", "CHROME"],
};

pub(crate) const FIREFOX: Browser = Browser {
    name: "Firefox",
    finder: "tests/browser/firefox.mjs",
    packages: &["firefox-esr", "fonts-dejavu"],
    variables: &["LANEWISE_FIREFOX"],
};

impl Browser {
    /// The path of the browser; installs Debian's where that is possible.
    pub(crate) fn find(&self) -> Result<String> {
        let name = self.name;
        if let Ok(path) = self.look() {
            println!("{name}: {path}");
            return Ok(path);
        }
        if self.may_install() {
            eprintln!("{name}: not found; installing Debian's with apt-get (about a minute) …");
            let time = Stopwatch::start();
            let apt = |arguments: &[&str]| {
                run(program("apt-get")
                    .args(arguments)
                    .env("DEBIAN_FRONTEND", "noninteractive"))
            };
            // An old or broken list may still lead to the package, and what is
            // wrong in the end is said below.
            let updated = apt(&["update"]);
            let installed = apt(&[&["install", "-y"], self.packages].concat());
            for failed in [updated.err(), installed.err()].into_iter().flatten() {
                eprintln!("{name}: {failed:#}");
            }
            eprintln!("{name}: apt-get ended after {}.", time.read());
        }
        let path = self.look()?;
        println!("{name}: {path}");
        Ok(path)
    }

    fn look(&self) -> Result<String> {
        output(program("node").arg(self.finder))
            .with_context(|| format!("no {} for the tests", self.name))
    }

    /// Whether this is Debian, and ours to install on. Ubuntu is not meant: its
    /// packages of browsers only point to another shop. Nor does a wrong name in
    /// a variable call for a second browser.
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

/// The files of the browser tests, by name: what Node makes of a folder or a
/// pattern depends on its version.
pub(crate) fn all_browser_tests() -> Result<Vec<PathBuf>> {
    let mut files = fs::read_dir(root().join("tests/browser"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    Ok(files)
}
