//! What is beside the page: the guide, the texts that the page fetches, and the
//! script that puts scenarios into other pages. Trunk has it written at the end of each of its builds.

use crate::guide;
use crate::shell::{program, root, run};
use crate::texts;
use anyhow::{Context, Result};
use std::env;
use std::path::{Path, PathBuf};

/// The script for other pages.
pub(crate) const EMBED: &str = "lanewise-embed.js";

/// Writes it all into the folder that Trunk builds in.
pub(crate) fn command() -> Result<()> {
    let folder = env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from);
    let folder = folder.context("Trunk calls this, and says where its build is")?;
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
