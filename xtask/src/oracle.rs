//! `cargo xtask oracle`: compares Lanewise with the real tools, which are not part
//! of the project or of other checks.

use crate::shell::cargo;
use anyhow::{Context, Result};
use std::process::ExitCode;

/// Builds and runs the comparison with all arguments.
pub(crate) fn command(mut arguments: lexopt::Parser) -> Result<ExitCode> {
    let passed: Vec<_> = arguments.raw_args()?.collect();
    let mut run = cargo("run --quiet -p lanewise-tests --bin oracle --");
    let status = run.args(passed).status();
    let code = status.context("cannot start cargo")?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
