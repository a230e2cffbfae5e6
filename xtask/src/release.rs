//! `cargo xtask release`: builds archives of the page, and of the command line for
//! this platform, the extension for VS Code and the npm package, with checksums, in
//! `release/`.

use crate::shell::{Stopwatch, cargo, output, program, root, run};
use crate::{dist, packages, setup};
use anyhow::{Context, Result};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const FOLDER: &str = "release";
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Files included in every archive.
const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
const SHELLS: [(&str, &str); 5] = [
    ("bash", "lanewise.bash"),
    ("elvish", "lanewise.elv"),
    ("fish", "lanewise.fish"),
    ("powershell", "lanewise.ps1"),
    ("zsh", "_lanewise"),
];

pub(crate) fn command() -> Result<()> {
    let time = Stopwatch::start();
    dist::release()?;
    println!("Building the command line for release …");
    run(&mut cargo("build --release -p lanewise --features page"))?;

    let folder = root().join(FOLDER);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => fs::create_dir_all(&folder)?,
    }
    println!("Building the packages for VS Code and npm …");
    let archives = [
        site(&folder)?,
        command_line(&folder)?,
        packages::extension(&folder)?,
        npm(&folder)?,
    ];
    let mut sums = String::new();
    for archive in &archives {
        let name = archive
            .file_name()
            .context("the archive does not have a name")?;
        let digest = Sha256::digest(fs::read(archive)?);
        sums += &format!("{digest:x}  {}\n", name.display());
    }
    // Format of `sha256sum --check`.
    fs::write(folder.join("SHA256SUMS"), &sums)?;
    print!("{sums}");
    println!("The release is in {FOLDER}/ ({}).", time.read());
    Ok(())
}

/// Archives the page in `dist/`.
fn site(folder: &Path) -> Result<PathBuf> {
    let name = format!("lanewise-{VERSION}-site");
    let mut archive = Archive::create(folder, &name)?;
    archive.folder(&root().join(dist::FOLDER), Path::new(""))?;
    archive.finish()
}

/// Archives the npm package, as `npm pack` does.
fn npm(folder: &Path) -> Result<PathBuf> {
    let package = packages::npm(&setup::page()?)?;
    let mut archive = Archive::create(folder, &format!("lanewise-{VERSION}-npm"))?;
    archive.top = PathBuf::from("package");
    archive.folder(&package, Path::new(""))?;
    archive.finish()
}

/// Archives the command line with its manual page and completions.
fn command_line(folder: &Path) -> Result<PathBuf> {
    let compiler = output(program("rustc").arg("-vV"))?;
    let host = compiler
        .lines()
        .find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc -vV does not print the host")?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let file = format!("lanewise{EXE_SUFFIX}");
    let lanewise = target.join("release").join(&file);

    let mut archive = Archive::create(folder, &format!("lanewise-{VERSION}-{host}"))?;
    archive.file(&file, &fs::read(&lanewise)?, EXECUTABLE)?;
    archive.file(
        "lanewise.1",
        text(program(&lanewise).arg("man"))?.as_bytes(),
        PLAIN,
    )?;
    for (shell, name) in SHELLS {
        let script = text(program(&lanewise).args(["completions", shell]))?;
        archive.file(&format!("completions/{name}"), script.as_bytes(), PLAIN)?;
    }
    for name in TEXTS {
        archive.file(name, &fs::read(root().join(name))?, PLAIN)?;
    }
    archive.finish()
}

/// Output of a program, with the final newline that [`output`] removes.
fn text(command: &mut std::process::Command) -> Result<String> {
    Ok(output(command)? + "\n")
}

const PLAIN: u32 = 0o644;
const EXECUTABLE: u32 = 0o755;

/// Reproducible `.tar.gz`: no times or owners, files sorted by name.
struct Archive {
    path: PathBuf,
    /// Top-level folder in the archive.
    top: PathBuf,
    tar: tar::Builder<GzEncoder<File>>,
}

impl Archive {
    fn create(folder: &Path, name: &str) -> Result<Self> {
        let path = folder.join(format!("{name}.tar.gz"));
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self {
            path,
            top: PathBuf::from(name),
            tar: tar::Builder::new(GzEncoder::new(file, Compression::best())),
        })
    }

    fn file(&mut self, name: &str, contents: &[u8], mode: u32) -> Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(contents.len() as u64);
        header.set_mode(mode);
        header.set_mtime(0);
        self.tar
            .append_data(&mut header, self.top.join(name), contents)?;
        Ok(())
    }

    /// Adds the files in `from`, sorted by name.
    fn folder(&mut self, from: &Path, inside: &Path) -> Result<()> {
        let mut entries = fs::read_dir(from)?.collect::<std::io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = inside.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                self.folder(&entry.path(), &name)?;
            } else {
                let name = name.to_str().context("file name is not UTF-8")?;
                self.file(name, &fs::read(entry.path())?, PLAIN)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<PathBuf> {
        self.tar.into_inner()?.finish()?;
        Ok(self.path)
    }
}
