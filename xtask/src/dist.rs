//! `cargo xtask dist`: the page for any static host, in `dist/`.

use crate::budgets;
use crate::setup::{self, Tools};
use crate::shell::{Stopwatch, run};
use anyhow::Result;

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
    run(tools
        .program("trunk")
        .args(["build", "--release", "--dist", FOLDER]))
}
