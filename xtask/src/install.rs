//! Installs tools from release archives or from source.

use crate::shell::{Stopwatch, program, run};
use crate::tools::{Tool, cache};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};

/// Returns the folder to add to PATH, or `None` if PATH already has the right
/// version of the tool. Installs the tool if necessary.
pub(crate) fn folder(tool: &Tool) -> Result<Option<PathBuf>> {
    if tool.is_right(Path::new(tool.name)) {
        return Ok(None);
    }
    let home = cache()?.join(format!("{}-{}", tool.name, tool.version));
    let bin = home.join("bin");
    if !tool.is_right(&bin.join(tool.file())) {
        install(tool, &home)?;
    }
    Ok(Some(bin))
}

/// Installs the executable in `home/bin`.
fn install(tool: &Tool, home: &Path) -> Result<()> {
    let Tool { name, version, .. } = tool;
    let time = Stopwatch::start();
    eprintln!(
        "{name} {version}: not found on PATH or in {}.",
        home.display()
    );
    match download(tool, home) {
        Ok(()) => eprintln!("{name} {version}: downloaded in {}.", time.read()),
        Err(error) => {
            eprintln!("{name} {version}: cannot use a prebuilt program: {error:#}.");
            build(tool, home)?;
            eprintln!("{name} {version}: built in {}.", time.read());
        }
    }
    eprintln!(
        "{name} {version}: add {} to PATH to use it directly.",
        home.join("bin").display()
    );
    Ok(())
}

/// Downloads and unpacks the release archive in a temporary folder, and moves the
/// program to its destination if it runs.
fn download(tool: &Tool, home: &Path) -> Result<()> {
    let Tool { name, version, .. } = tool;
    let url = tool
        .archive
        .as_deref()
        .context("no archive is published for this system")?;
    eprintln!("{name} {version}: downloading {url} (about 10 MB) …");
    let folder = Unpacked::new(cache()?.join(format!("download-{name}-{}", std::process::id())))?;
    let archive = folder.0.join("archive");
    let mut curl = program("curl");
    curl.args(["--fail", "--location", "--show-error"]);
    curl.args(["--connect-timeout", "5"]);
    // Give up below 1 kB/s for 20 s.
    curl.args(["--speed-time", "20", "--speed-limit", "1000"]);
    curl.arg(if stderr().is_terminal() {
        "--progress-bar"
    } else {
        "--silent"
    });
    curl.arg("--output").arg(&archive).arg(url);
    let status = curl.status().context("cannot start curl")?;
    ensure!(status.success(), "curl failed ({status})");
    run(program("tar")
        .arg("-xf")
        .arg(&archive)
        .arg("-C")
        .arg(&folder.0))
    .context("cannot unpack the archive")?;
    let found =
        find(&folder.0, &tool.file()).context("the archive does not contain the program")?;
    ensure!(
        tool.is_right(&found),
        "the program in the archive does not run on this system"
    );
    let bin = home.join("bin");
    fs::create_dir_all(&bin)?;
    fs::rename(found, bin.join(tool.file()))?;
    Ok(())
}

/// Builds the tool with `cargo install`, optimizing for build time.
fn build(tool: &Tool, home: &Path) -> Result<()> {
    let Tool {
        name,
        package,
        version,
        minutes,
        ..
    } = tool;
    eprintln!("{name} {version}: building it from source (about {minutes} minutes on two cores) …");
    let target = cache()?.join(format!("build-{name}"));
    // Not `shell::cargo`: uses the user's default toolchain and configuration.
    let mut cargo = program("cargo");
    cargo
        .args([
            "install",
            package,
            "--version",
            &format!("={version}"),
            "--root",
        ])
        .arg(home)
        .args(["--bin", name])
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
    if tool.locked {
        cargo.arg("--locked");
    }
    run(&mut cargo)?;
    // Kept after a failure, so that the next attempt can resume.
    let _ = fs::remove_dir_all(target);
    ensure!(
        tool.is_right(&home.join("bin").join(tool.file())),
        "cargo install succeeded, but {name} does not report version {version}"
    );
    Ok(())
}

/// Temporary folder that is removed on drop.
struct Unpacked(PathBuf);

impl Unpacked {
    fn new(path: PathBuf) -> Result<Self> {
        fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Finds a file by name in a folder and its subfolders.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries: Vec<_> = fs::read_dir(folder).ok()?.flatten().collect();
    let here = entries.iter().find(|entry| entry.file_name() == name);
    match here {
        Some(entry) if entry.path().is_file() => Some(entry.path()),
        _ => entries
            .iter()
            .filter(|entry| entry.path().is_dir())
            .find_map(|entry| find(&entry.path(), name)),
    }
}
