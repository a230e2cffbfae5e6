//! `cargo xtask bench`: the benchmarks of all packages.

use crate::shell::{cargo, run};
use anyhow::Result;

pub(crate) fn command(mut arguments: lexopt::Parser) -> Result<()> {
    run(cargo("bench --workspace").args(arguments.raw_args()?))
}
