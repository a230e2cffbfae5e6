//! `cargo xtask serve`: serves the page and rebuilds it on every change.

use crate::setup;
use anyhow::{Context, Result};
use lexopt::prelude::*;
use std::process::{Command, ExitCode};

pub(crate) fn command(mut arguments: lexopt::Parser) -> Result<ExitCode> {
    let mut port = 8080_u16;
    let mut open = false;
    let mut rest = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("port") | Short('p') => port = arguments.value()?.parse()?,
            Long("open") => open = true,
            Value(value) => rest.push(value),
            other => return Err(other.unexpected().into()),
        }
    }
    let tools = setup::page()?;
    println!("Serving the page at http://localhost:{port} once it is built. Press Ctrl-C to stop.");
    let mut trunk = tools.program("trunk");
    trunk.args(["serve", "--port", &port.to_string()]);
    if open {
        trunk.arg("--open");
    }
    become_program(trunk.args(rest))
}

/// Replaces this process, so that signals reach the server.
#[cfg(unix)]
fn become_program(command: &mut Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec()).context("cannot start trunk")
}

#[cfg(not(unix))]
fn become_program(command: &mut Command) -> Result<ExitCode> {
    let status = command.status().context("cannot start trunk")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
