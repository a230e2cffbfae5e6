//! `cargo xtask site`: builds the guide, the texts that the page fetches, and the
//! embed script. Trunk runs it at the end of each build.

use crate::guide;
use crate::shell::{program, root, run};
use crate::texts;
use anyhow::{Context, Result};
use std::env;
use std::path::{Path, PathBuf};

pub(crate) const EMBED: &str = "lanewise-embed.js";

/// Writes everything to the output folder of Trunk.
pub(crate) fn command() -> Result<()> {
    let folder = env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from);
    let folder =
        folder.context("this command must be run by Trunk, which sets the output folder")?;
    embed_script(&folder)?;
    texts::write(&folder.join("explain"))?;
    guide::write(&folder.join("guide"))
}

fn embed_script(folder: &Path) -> Result<()> {
    let esbuild = root().join("node_modules/.bin/esbuild");
    let out = folder.join(EMBED);
    run(program(esbuild)
        .arg(format!("web/embed/{EMBED}"))
        .args(["--minify", "--target=es2022", "--log-level=warning"])
        .arg(format!("--outfile={}", out.display())))
}
