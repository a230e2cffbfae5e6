//! `cargo xtask audit`: checks licences, sources and advisories of dependencies,
//! with cargo-deny and npm.

use crate::install;
use crate::setup;
use crate::shell::{program, run};
use crate::tools::cargo_deny;
use anyhow::{Result, bail};
use std::env;

pub(crate) fn command() -> Result<()> {
    let tool = cargo_deny();
    let mut path: Vec<_> = install::folder(&tool)?.into_iter().collect();
    path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let path = env::join_paths(path)?;
    let deny = |checks: &[&str]| {
        println!("\n=== cargo deny: {}", checks.join(", "));
        run(program(tool.name)
            .arg("check")
            .args(checks)
            .env("PATH", &path))
    };
    let npm = || {
        println!("\n=== npm audit");
        run(program(setup::NPM).arg("audit"))
    };
    // The last two need the network; the first one is useful without it.
    let results = [
        (
            "licences, bans and sources",
            deny(&["licenses", "bans", "sources"]),
        ),
        ("advisories of crates", deny(&["advisories"])),
        ("advisories of npm packages", npm()),
    ];
    println!("\n=== summary");
    let mut failed = 0;
    for (what, result) in results {
        match result {
            Ok(()) => println!("{what}: ok"),
            Err(error) => {
                failed += 1;
                println!("{what}: FAILED: {error:#}");
            }
        }
    }
    if failed > 0 {
        bail!("{failed} of 3 checks failed or could not run");
    }
    Ok(())
}
