//! A Chrome or Chromium for the browser tests.

use crate::shell::{Stopwatch, output, program, run};
use anyhow::{Context, Result};
use std::env;
use std::fs;

/// The path of the browser; installs Debian's where that is possible.
pub(crate) fn find() -> Result<String> {
    if let Ok(path) = look() {
        println!("Browser: {path}");
        return Ok(path);
    }
    if may_install() {
        eprintln!("Chromium: not found; installing Debian's with apt-get (about a minute) …");
        let time = Stopwatch::start();
        let apt = |arguments: &[&str]| {
            run(program("apt-get")
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive"))
        };
        // An old or broken list may still lead to the package, and what is
        // wrong in the end is said below.
        let updated = apt(&["update"]);
        let installed = apt(&["install", "-y", "chromium", "fonts-dejavu"]);
        for failed in [updated.err(), installed.err()].into_iter().flatten() {
            eprintln!("Chromium: {failed:#}");
        }
        eprintln!("Chromium: apt-get ended after {}.", time.read());
    }
    let path = look()?;
    println!("Browser: {path}");
    Ok(path)
}

/// The tests themselves know where browsers are; they are asked.
fn look() -> Result<String> {
    output(program("node").arg("tests/browser/chrome.mjs")).context("no browser for the tests")
}

/// Whether this is Debian, and ours to install on. Ubuntu is not meant: its
/// `chromium` package only points to another shop. Nor does a wrong name in a
/// variable call for a second browser.
fn may_install() -> bool {
    let named = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    if named("LANEWISE_CHROME") || named("CHROME") {
        return false;
    }
    let debian = fs::read_to_string("/etc/os-release")
        .is_ok_and(|text| text.lines().any(|line| line == "ID=debian"));
    let root = || output(program("id").arg("-u")).is_ok_and(|id| id == "0");
    let apt = || output(program("apt-get").arg("--version")).is_ok();
    debian && root() && apt()
}
