//! `cargo xtask bench`: runs the benchmarks of all packages; `bench web`, those of
//! the page.

use crate::browser::CHROMIUM;
use crate::shell::{cargo, program, root, run};
use crate::{dist, setup};
use anyhow::Result;

/// Output folder of the page used for comparison.
const COUNTER: &str = "target/counter";

pub(crate) fn command(mut arguments: lexopt::Parser) -> Result<()> {
    let arguments: Vec<_> = arguments.raw_args()?.collect();
    match arguments.as_slice() {
        [web] if web == "web" => web_page(),
        _ => run(cargo("bench --workspace").args(arguments)),
    }
}

/// Compares the page with a bare Yew counter, in one browser run.
fn web_page() -> Result<()> {
    let tools = setup::page()?;
    dist::build(&tools)?;
    let counter = root().join(COUNTER);
    run(tools
        .program("trunk")
        .args(["build", "--release", "--dist"])
        .arg(&counter)
        .current_dir(root().join("tests/counter")))?;
    let path = CHROMIUM.find()?;
    run(program("node")
        .arg("tests/browser/web-bench.mjs")
        .env("LANEWISE_CHROME", path))
}
