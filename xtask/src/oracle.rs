//! `cargo xtask oracle`: the comparison with the real tools, which are no part
//! of the project and of no other check.

use crate::shell::cargo;
use anyhow::{Context, Result};
use std::process::ExitCode;

/// Builds the comparison and passes all arguments on.
pub(crate) fn command(mut arguments: lexopt::Parser) -> Result<ExitCode> {
    let passed: Vec<_> = arguments.raw_args()?.collect();
    let mut run = cargo("run --quiet -p lanewise-tests --bin oracle --");
    let status = run.args(passed).status();
    let code = status.context("cargo cannot be started")?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
