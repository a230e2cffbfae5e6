//! Runs other programs and measures their time.

use anyhow::{Context, Result, bail};
use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Workspace folder.
pub(crate) fn root() -> PathBuf {
    // Set by Cargo; without Cargo, use the current folder.
    env::var_os("CARGO_MANIFEST_DIR")
        .and_then(|xtask| Some(Path::new(&xtask).parent()?.to_owned()))
        .unwrap_or_else(|| PathBuf::from("."))
}

/// Command that runs in the workspace folder.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// Command for the Cargo that runs this program, with space-separated arguments.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut command = program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments.split_whitespace());
    command
}

/// Runs a program and fails if it does not succeed.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    let status = command
        .status()
        .with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// Runs a program and returns its trimmed standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` failed ({}): {}", output.status, said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Formats a command line.
fn show(command: &Command) -> String {
    let name = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    std::iter::once(name)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn read(&self) -> Took {
        Took(self.0.elapsed())
    }
}

/// Human-readable duration.
#[derive(Clone, Copy)]
pub(crate) struct Took(Duration);

impl fmt::Display for Took {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        let text = if seconds < 59.95 {
            format!("{seconds:.1} s")
        } else {
            let whole = seconds.round() as u64;
            format!("{} min {} s", whole / 60, whole % 60)
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_readable() {
        let show = |milliseconds| Took(Duration::from_millis(milliseconds)).to_string();
        assert_eq!(show(40), "0.0 s");
        assert_eq!(show(59_940), "59.9 s");
        assert_eq!(show(59_990), "1 min 0 s");
        assert_eq!(show(250_000), "4 min 10 s");
    }

    #[test]
    fn commands_are_shown_by_name() {
        let mut command = Command::new("/usr/bin/cargo");
        command.args(["fmt", "--check"]);
        assert_eq!(show(&command), "cargo fmt --check");
    }
}
