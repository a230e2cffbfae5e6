//! Compiles sources, so that commands that open compiled programs take sources, too.
//!
//! A [`Language`] is a row of a table: its extension, its compiler and how to run it. A
//! compiler is not trusted: its time, its output and its program are bounded, and no shell
//! is involved. Programs are cached by source, options and version of the compiler.

mod cache;
mod intel;
mod log;
mod nvidia;

use crate::input::{self, MAX_FILE, Source};
use crate::reports::FileReport;
use crate::{CliError, Status, process, render};
use cache::{Cache, Entry};
use lanewise_core::diagnostic::{Diagnostic, Severity};
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Options of commands that take sources.
#[derive(clap::Args, Clone, Debug, Default)]
#[group(skip)]
#[command(next_help_heading = "Options for sources (.cl, .cu, .ptx)")]
pub(crate) struct Options {
    /// Device to compile a source for, such as bmg or sm_75 [default: dg2 or sm_75]
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// Compiler of the source [default: ocloc, nvcc or ptxas on PATH; LANEWISE_OCLOC, LANEWISE_NVCC, LANEWISE_PTXAS]
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) compiler: Option<PathBuf>,
    /// Options for the compiler, such as "-DN=4 -cl-fast-relaxed-math"
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub(crate) compiler_options: Option<String>,
    /// Seconds after which the compiler is stopped
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) compiler_limit: Option<u64>,
}

impl Options {
    fn limit(&self) -> Duration {
        Duration::from_secs(self.compiler_limit.unwrap_or(DEFAULT_LIMIT))
    }
}

/// Value of `--device` for every device that the compiler knows.
pub(crate) const ALL_DEVICES: &str = "all";

/// Default of `--compiler-limit`, in seconds.
const DEFAULT_LIMIT: u64 = 60;

/// A language and its compiler.
struct Language {
    extension: &'static str,
    /// Name of the compiler.
    program: &'static str,
    /// Environment variable with another path of the compiler.
    variable: &'static str,
    default_device: &'static str,
    /// How to get the compiler, after "install it:".
    advice: &'static str,
    version: fn(&Compiler) -> Result<String, String>,
    compile: fn(&Job<'_>) -> Result<Entry, Failure>,
    /// The arguments that print the compiler's help.
    help: &'static [&'static str],
    /// The devices to compare, one per architecture, which the help lists.
    devices: fn(help: &str) -> Vec<String>,
}

static LANGUAGES: [Language; 3] = [
    Language {
        extension: "cl",
        program: "ocloc",
        variable: "LANEWISE_OCLOC",
        default_device: "dg2",
        advice: "`apt-get install intel-ocloc libigc2 libigdfcl2` (Debian unstable) or \
                 `intel-opencl-icd` (Debian 12), or take a release of \
                 github.com/intel/compute-runtime",
        version: intel::version,
        compile: intel::compile,
        help: &["compile", "--help"],
        devices: intel::devices,
    },
    Language {
        extension: "cu",
        program: "nvcc",
        variable: "LANEWISE_NVCC",
        default_device: "sm_75",
        advice: "it is part of NVIDIA's CUDA Toolkit (developer.nvidia.com/cuda-downloads); \
                 where it is installed, `nvcc -cubin -lineinfo -arch=sm_80 -o FILE.cubin FILE.cu` \
                 and `nvdisasm -c -g FILE.cubin > FILE.sass` write a listing, which Lanewise opens",
        version: nvidia::version,
        compile: nvidia::compile_cuda,
        help: &["--help"],
        devices: nvidia::devices,
    },
    Language {
        extension: "ptx",
        program: "ptxas",
        variable: "LANEWISE_PTXAS",
        default_device: "sm_75",
        advice: "it is part of NVIDIA's CUDA Toolkit (developer.nvidia.com/cuda-downloads); \
                 where it is installed, `ptxas -lineinfo -arch=sm_80 -o FILE.cubin FILE.ptx` \
                 and `nvdisasm -c -g FILE.cubin > FILE.sass` write a listing, which Lanewise opens",
        version: nvidia::version,
        compile: nvidia::compile_ptx,
        help: &["--help"],
        devices: nvidia::devices,
    },
];

/// Why a program cannot be read.
pub(crate) enum Failure {
    /// The file or the compiler cannot be used.
    Unusable(String),
    /// The compiler rejects the source.
    Rejected(Source, Vec<Diagnostic>),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Unusable(message)
    }
}

impl Failure {
    /// Prints the messages of the compiler, or returns the error of the command.
    pub(crate) fn report(&self) -> Result<Status, CliError> {
        match self {
            Self::Unusable(message) => Err(CliError(message.clone())),
            Self::Rejected(source, messages) => {
                render::print(source, messages);
                let errors = render::of(Severity::Error, messages);
                let count = render::count(errors, 0);
                render::say(&format!("{}: {count}; not compiled", source.name));
                Ok(Status::Bad)
            }
        }
    }

    /// The messages of the compiler, for a report.
    pub(crate) fn entry(&self) -> Option<FileReport> {
        match self {
            Self::Unusable(_) => None,
            Self::Rejected(source, messages) => {
                let name = source.name.clone();
                Some(FileReport::new(name, source.clone(), messages.clone()))
            }
        }
    }

    /// The failure in one message.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Unusable(message) => message.clone(),
            Self::Rejected(source, messages) => {
                let errors = messages.iter().filter(|m| m.is_error());
                let errors = errors.map(|error| {
                    let (line, column) = source.position(error.span.start);
                    format!(
                        "{}:{line}:{column}: error: {}",
                        source.name,
                        error.message()
                    )
                });
                errors.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// A program file, what a compiler made of a source, or the listing of a cubin.
pub(crate) struct ProgramFile {
    /// Name as given.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The cubin of a listing that was made of it.
    pub(crate) cubin: Option<Vec<u8>>,
    /// The source and what its compiler said about it.
    pub(crate) compiled: Option<Compiled>,
}

/// A source that has been compiled.
pub(crate) struct Compiled {
    pub(crate) source: Source,
    pub(crate) device: String,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Whether a file is a source that has to be compiled.
pub(crate) fn is_source(path: &Path) -> bool {
    language(path).is_some()
}

/// Refuses a source, for commands that take scenarios.
pub(crate) fn refuse_source(path: &Path) -> Result<(), CliError> {
    if !is_source(path) {
        return Ok(());
    }
    let (name, _) = input::read_bytes(path)?;
    let message = input::not_a_scenario(&name, "a source", Some("--global N"));
    Err(CliError(message))
}

fn language(path: &Path) -> Option<&'static Language> {
    let extension = path.extension()?;
    LANGUAGES
        .iter()
        .find(|language| extension.eq_ignore_ascii_case(language.extension))
}

/// Reads a program. Compiles it if it is a source, and prints the warnings of the compiler.
pub(crate) fn read(path: &Path, options: &Options) -> Result<ProgramFile, Failure> {
    let file = load(path, options)?;
    if let Some(compiled) = &file.compiled {
        render::print(&compiled.source, &compiled.warnings);
        if options.device.is_none() {
            let device = &compiled.device;
            render::say(&format!(
                "{}: compiled for {device}; --device selects another device",
                file.name
            ));
        }
    }
    Ok(file)
}

/// Reads a program. Compiles it if it is a source, and lists it if it is a cubin whose code is
/// not decoded.
pub(crate) fn load(path: &Path, options: &Options) -> Result<ProgramFile, Failure> {
    let Some(language) = language(path) else {
        let message = |CliError(message)| message;
        let (name, bytes) = input::read_bytes(path).map_err(message)?;
        input::refuse_empty(&name, &bytes).map_err(message)?;
        let (bytes, cubin) = match nvidia::listed(&bytes, options.limit()) {
            Ok(Some(listing)) => (listing, Some(bytes)),
            Ok(None) => (bytes, None),
            Err(failure) => {
                render::say(&format!("{name}: note: {}", failure.message()));
                (bytes, None)
            }
        };
        return Ok(ProgramFile {
            name,
            bytes,
            cubin,
            compiled: None,
        });
    };
    let source = Source::read(path).map_err(|CliError(message)| message)?;
    let device = options.device.as_deref().unwrap_or(language.default_device);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if device.is_empty() || !device.chars().all(is_name) || device.starts_with('-') {
        let example = language.default_device;
        return Err(format!("`{device}` is not a device such as {example}").into());
    }
    let compiler = Compiler::find(language, options)?;
    let path = std::path::absolute(path).map_err(|error| error.to_string())?;
    let job = Job {
        compiler: &compiler,
        path: &path,
        source: &source,
        device,
        options: options.compiler_options.as_deref().unwrap_or(""),
    };
    let entry = job.run()?;
    let warnings = job.messages(&entry.log);
    Ok(ProgramFile {
        name: source.name.clone(),
        bytes: entry.program,
        cubin: entry.cubin,
        compiled: Some(Compiled {
            device: device.to_owned(),
            warnings,
            source,
        }),
    })
}

/// The devices that `--device all` compares.
pub(crate) fn devices(path: &Path, options: &Options) -> Result<Vec<String>, String> {
    let language =
        language(path).ok_or("--device all takes a source (.cl, .cu, .ptx)".to_owned())?;
    let compiler = Compiler::find(language, options)?;
    let devices = compiler.devices()?;
    match devices.is_empty() {
        true => Err(format!(
            "`{}` does not list its devices",
            compiler.program.display()
        )),
        false => Ok(devices),
    }
}

/// The compiler of a language on this machine.
struct Compiler {
    language: &'static Language,
    program: PathBuf,
    limit: Duration,
    /// As the compiler says it; empty if it does not.
    version: String,
}

impl Compiler {
    fn find(language: &'static Language, options: &Options) -> Result<Self, String> {
        let given = options.compiler.clone();
        let given = given
            .map(|path| ("--compiler".to_owned(), path))
            .or_else(|| {
                let path = std::env::var_os(language.variable).filter(|path| !path.is_empty())?;
                Some((language.variable.to_owned(), PathBuf::from(path)))
            });
        let program = match given {
            Some((origin, path)) => on_path(path.as_os_str())
                .ok_or_else(|| format!("{origin}: no program `{}`", path.display()))?,
            None => on_path(OsStr::new(language.program)).ok_or_else(|| {
                format!(
                    "compiling .{} files needs `{}`, which is not on PATH; name it with \
                     --compiler or {}, or install it: {}",
                    language.extension, language.program, language.variable, language.advice
                )
            })?,
        };
        let mut compiler = Self {
            language,
            program,
            limit: options.limit(),
            version: String::new(),
        };
        compiler.version = (language.version)(&compiler)?;
        Ok(compiler)
    }

    /// The devices in the compiler's help, one per architecture.
    fn devices(&self) -> Result<Vec<String>, String> {
        let folder = temporary_folder()?;
        let help = self.run(folder.path(), self.language.help.iter().map(OsStr::new))?;
        Ok((self.language.devices)(&(help.output + &help.errors)))
    }

    /// Runs the compiler in a folder.
    fn run<'a>(
        &self,
        folder: &Path,
        arguments: impl IntoIterator<Item = &'a OsStr>,
    ) -> Result<process::Finished, String> {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(folder);
        process::run(&mut command, self.limit)
            .map_err(|why| format!("cannot run `{}`: {why}", self.program.display()))
    }

    /// A tool beside the compiler or on PATH.
    fn tool(&self, name: &str) -> Option<PathBuf> {
        let beside = self.program.with_file_name(format!("{name}{EXE_SUFFIX}"));
        let beside = Some(beside).filter(|path| path.is_file());
        beside.or_else(|| on_path(OsStr::new(name)))
    }

    /// Identity of the compiler and its version, part of the cache key.
    fn identity(&self) -> String {
        let version = &self.version;
        let file = self.program.metadata().ok();
        let changed = file.as_ref().and_then(|file| file.modified().ok());
        let length = file.map_or(0, |file| file.len());
        format!("{} {version} {length} {changed:?}", self.program.display())
    }
}

/// Runs a tool, and writes its standard output to a file.
fn run_into<'a>(
    tool: &Path,
    limit: Duration,
    folder: &Path,
    arguments: impl IntoIterator<Item = &'a OsStr>,
    output: &Path,
) -> Result<process::Finished, String> {
    let file = std::fs::File::create(output).map_err(|error| error.to_string())?;
    let mut command = Command::new(tool);
    command.args(arguments).current_dir(folder).stdout(file);
    process::run_into(&mut command, limit)
        .map_err(|why| format!("cannot run `{}`: {why}", tool.display()))
}

/// Reads a program that a tool wrote.
fn read_output(path: &Path, tool: &Path) -> Result<Vec<u8>, String> {
    let shown = tool.display();
    let size = path.metadata().map_err(|error| error.to_string())?.len();
    if size > MAX_FILE {
        return Err(format!("the output of `{shown}` has more than 64 MB"));
    }
    std::fs::read(path).map_err(|error| format!("cannot read the output of `{shown}`: {error}"))
}

/// A program by path, or by its name on PATH.
fn on_path(name: &OsStr) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return std::path::absolute(path).ok().filter(|path| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    let mut paths = std::env::split_paths(&folders).flat_map(|folder| {
        let plain = folder.join(name);
        let mut suffixed = plain.clone().into_os_string();
        suffixed.push(EXE_SUFFIX);
        [PathBuf::from(suffixed), plain]
    });
    paths.find(|path| path.is_file())
}

/// A source to compile.
struct Job<'j> {
    compiler: &'j Compiler,
    /// Absolute path of the source.
    path: &'j Path,
    source: &'j Source,
    device: &'j str,
    /// Options of the user.
    options: &'j str,
}

impl Job<'_> {
    /// Takes the program from the cache, or compiles it.
    fn run(&self) -> Result<Entry, Failure> {
        // A program with includes depends on files that are not known.
        let is_alone = !self.includes_files();
        let cache = Cache::of_user();
        let name = self.path.as_os_str().as_encoded_bytes();
        let key = cache::key(&[
            env!("CARGO_PKG_VERSION").as_bytes(),
            self.compiler.identity().as_bytes(),
            name,
            self.source.text.as_bytes(),
            self.device.as_bytes(),
            self.options.as_bytes(),
        ]);
        if let Some(entry) = cache.get(&key).filter(|_| is_alone) {
            return Ok(entry);
        }
        let entry = (self.compiler.language.compile)(self)?;
        if is_alone {
            cache.put(&key, &entry);
        }
        Ok(entry)
    }

    /// Whether the source or the options may include other files.
    fn includes_files(&self) -> bool {
        let mut lines = self.source.text.lines();
        let includes = |line: &str| {
            let directive = line.trim_start().strip_prefix('#');
            directive.is_some_and(|directive| {
                let word = directive.trim_start();
                // `#include_next`, `#import` and a macro that hides the word, too.
                ["include", "import", "embed"]
                    .iter()
                    .any(|known| word.starts_with(known))
            })
        };
        lines.any(includes) || self.source.text.contains("??=") || self.options.contains("-include")
    }

    fn messages(&self, log: &str) -> Vec<Diagnostic> {
        let file = self.path.to_string_lossy();
        log::messages(log, &file, &self.source.text)
    }

    /// The failure of a compiler that printed `log`: the messages at their lines or, if it has
    /// none, its last lines.
    fn failure(&self, log: &str, status: std::process::ExitStatus) -> Failure {
        let messages = self.messages(log);
        let is_rejected = messages.iter().any(Diagnostic::is_error);
        if is_rejected {
            let source = self.source.clone();
            return Failure::Rejected(source, messages);
        }
        let program = self.compiler.program.display();
        let said = last_lines(log);
        let end = match status.success() {
            true => String::from("wrote no program"),
            false => format!("failed ({status})"),
        };
        let device = self.device;
        let mut message = format!("`{program}` {end} for device `{device}`{said}");
        if names_device(log, device, &self.path.to_string_lossy())
            && let Ok(devices) = self.compiler.devices()
            && !devices.is_empty()
            && !devices.iter().any(|known| known == device)
        {
            message += &format!("\nThe compiler's devices include {}", devices.join(", "));
        }
        Failure::Unusable(message)
    }
}

/// Whether a log is about a device. Compilers may repeat their command, which names the device
/// and the source.
fn names_device(log: &str, device: &str, source: &str) -> bool {
    let is_other = |c: char| !c.is_ascii_alphanumeric() && !"_-.".contains(c);
    let words = |line: &str| {
        let mut words = line.split(is_other).map(|word| word.trim_matches('.'));
        words.any(|word| word == device)
    };
    log.lines()
        .any(|line| !line.contains(source) && words(line))
}

/// The last lines of a log, each indented.
fn last_lines(log: &str) -> String {
    /// Number of lines.
    const LINES: usize = 8;
    /// Longest line, in bytes.
    const LENGTH: usize = 200;
    let lines = log.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    let last = last.iter().map(|line| {
        let end = line.floor_char_boundary(LENGTH);
        format!("\n  {}", render::plain(&line[..end]))
    });
    let last = last.collect::<String>();
    if last.is_empty() {
        last
    } else {
        format!(":{last}")
    }
}

fn temporary_folder() -> Result<tempfile::TempDir, String> {
    let folder = tempfile::Builder::new().prefix("lanewise-").tempdir();
    folder.map_err(|error| format!("cannot create a temporary folder: {error}"))
}
