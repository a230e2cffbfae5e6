//! `cargo xtask test`: runs all checks, continuing after failures. The page is built beside
//! the checks of Rust code, and tested after them.

use crate::browser::{CHROMIUM, FIREFOX, HEADLESS_SHELL, NIGHTLY, all_browser_tests};
use crate::setup::{self, BARE, WASM};
use crate::shell::{Stopwatch, Took, cargo, program, root, run};
use crate::{dist, evidence};
use anyhow::{Context, Result, anyhow, bail, ensure};
use lexopt::prelude::*;
use std::env;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, ExitCode, Stdio};

/// Selected groups of checks.
struct Selection {
    lint: bool,
    rust: bool,
    web: bool,
    browsers: Browsers,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Browsers {
    None,
    /// All but those of the night in Chromium, [`IN_FIREFOX`] also in Firefox.
    Default,
    /// All in both browsers.
    Nightly,
}

/// Browser tests that always run in Firefox: the page opens, every kind of action and
/// every scenario works, and so does a visit by keyboard. All tests would double the time.
const IN_FIREFOX: [&str; 4] = ["page", "scenarios", "smoke", "walk"];

pub(crate) fn command(arguments: lexopt::Parser) -> Result<ExitCode> {
    let selection = parse(arguments)?;
    let mut report = Report::default();
    if selection.lint || selection.rust {
        report.step("Rust targets", || setup::targets(&[WASM, BARE]));
    }
    if selection.lint {
        report.step("Rust components", setup::components);
    }
    // Tools are installed first: rustup must not be run twice at once.
    let tools = selection.web.then(|| report.step("tools", setup::page));
    let page = tools.map(|tools| tools.map(|_| PageBuild::start()));
    if selection.lint {
        lint(&mut report);
    }
    let tested = selection.rust.then(|| rust(&mut report)).flatten();
    if let Some(page) = page {
        web(&mut report, page, tested.is_some(), selection.browsers);
    }
    Ok(report.finish())
}

fn parse(mut arguments: lexopt::Parser) -> Result<Selection> {
    let mut groups = Vec::new();
    let mut browsers = Browsers::Default;
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("no-browser") => browsers = Browsers::None,
            Long("nightly") => browsers = Browsers::Nightly,
            Value(group) if ["lint", "rust", "web"].iter().any(|name| group == *name) => {
                groups.push(group);
            }
            Value(group) => bail!(
                "unknown group `{}`; expected lint, rust or web",
                group.display()
            ),
            other => return Err(other.unexpected().into()),
        }
    }
    let has = |name: &str| groups.is_empty() || groups.iter().any(|group| group == name);
    Ok(Selection {
        lint: has("lint"),
        rust: has("rust"),
        web: has("web"),
        browsers,
    })
}

fn lint(report: &mut Report) {
    report.step("format", || run(&mut cargo("fmt --all --check")));
    report.step("clippy", || {
        run(&mut cargo(
            "clippy --workspace --all-targets -- -D warnings",
        ))
    });
    report.step("clippy for wasm", || {
        run(cargo("clippy -p lanewise-core -p lanewise-web")
            .args(["--target", WASM, "--", "-D", "warnings"]))
    });
    report.step("documentation", || {
        run(cargo("doc --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings"))
    });
}

/// Returns a value if the tests passed, which also build the command line.
fn rust(report: &mut Report) -> Option<()> {
    report.step("core without std", || {
        run(cargo("check -p lanewise-core").args(["--target", BARE]))
    });
    let tested = report.step("Rust tests", || {
        evidence::clear()?;
        run(&mut cargo(
            "test --workspace --no-fail-fast -- --show-output",
        ))
    });
    report.step("evidence", evidence::check);
    // The examples contain assertions. The tests have built them.
    report.step_after("examples", tested, |()| {
        for example in ["step", "assemble"] {
            run(&mut program(built("examples")?.join(example)))?;
        }
        Ok(())
    });
    tested
}

/// Path of something that the Rust tests have built, beside this program.
fn built(name: &str) -> Result<PathBuf> {
    Ok(env::current_exe()?.with_file_name(name))
}

/// The release build of the page. It runs beside other checks, because its last part uses
/// one processor only.
struct PageBuild {
    process: Child,
    log: PathBuf,
}

impl PageBuild {
    fn start() -> Result<Self> {
        let folder = root().join("target");
        fs::create_dir_all(&folder)?;
        let log = folder.join("page-build.txt");
        let file = File::create(&log)?;
        // A copy, because the tests may build this program again.
        let copy = folder.join(format!("page-build{}", env::consts::EXE_SUFFIX));
        fs::copy(env::current_exe()?, &copy)?;
        let mut command = program(copy);
        command.arg("dist").stdin(Stdio::null());
        let process = command.stdout(file.try_clone()?).stderr(file).spawn()?;
        Ok(Self { process, log })
    }

    /// Waits for the end, and prints what the build has printed.
    fn finish(mut self) -> Result<()> {
        let status = self.process.wait()?;
        print!("{}", String::from_utf8_lossy(&fs::read(&self.log)?));
        ensure!(status.success(), "the build failed ({status})");
        Ok(())
    }
}

fn web(report: &mut Report, build: Option<Result<PageBuild>>, tested: bool, browsers: Browsers) {
    let page = report.step_after("wait for the page", build, |build| build?.finish());
    report.step_after("page, as served", page, |()| {
        dist::check_serve(&setup::page()?)
    });
    if browsers == Browsers::None {
        report.skip("browser tests", "as asked");
        return;
    }
    let chromium = report.step("Chromium", || CHROMIUM.find());
    // Without it, the tests run in the whole browser.
    if let Err(error) = HEADLESS_SHELL.find() {
        report.skip("headless shell", format!("{error:#}"));
    }
    report.step_after("browser tests", page.and(chromium), |_: String| {
        let mut files = all_browser_tests()?;
        if browsers == Browsers::Default {
            files.retain(|file| !file.to_string_lossy().ends_with(NIGHTLY));
        }
        // Built alone, the command line would compile its packages again with other features.
        let lanewise = built("lanewise")?.display().to_string();
        let variables = tested.then_some(("LANEWISE_PROGRAM", &*lanewise));
        browser_tests(&files, variables.as_slice())
    });
    // Firefox is optional: the tests have run in Chromium.
    let firefox = match FIREFOX.find() {
        Ok(path) => path,
        Err(error) => return report.skip("tests in Firefox", format!("{error:#}")),
    };
    report.step_after("tests in Firefox", page, |()| {
        let mut files = all_browser_tests()?;
        if browsers == Browsers::Default {
            let usual = IN_FIREFOX.map(|name| format!("{name}.test.mjs"));
            files.retain(|file| usual.iter().any(|name| file.ends_with(name)));
            ensure!(files.len() == usual.len(), "some of {usual:?} do not exist");
        }
        let variables = [
            ("LANEWISE_BROWSER", "firefox"),
            ("LANEWISE_FIREFOX", &firefox),
        ];
        browser_tests(&files, &variables)
    });
}

/// Runs browser tests with one file per processor at a time. By default Node uses
/// one processor less.
fn browser_tests(files: &[PathBuf], variables: &[(&str, &str)]) -> Result<()> {
    let files_at_once = std::thread::available_parallelism()?;
    let failures = root().join("target/browser-failures.txt");
    // Remove the failures of an earlier run.
    let _ = fs::remove_file(&failures);
    let status = program("node")
        .arg("--test")
        .args(["--test-reporter=spec", "--test-reporter-destination=stdout"])
        .arg("--test-reporter=./tests/browser/failures.mjs")
        .arg(format!(
            "--test-reporter-destination={}",
            failures.display()
        ))
        .arg(format!("--test-concurrency={files_at_once}"))
        .args(files)
        .envs(variables.iter().copied())
        .status()
        .context("cannot start node")?;
    if !status.success() {
        // Repeat failures in the summary, because the report is long.
        let failures = fs::read_to_string(&failures)
            .unwrap_or_else(|error| format!("cannot read {}: {error}", failures.display()));
        bail!("node ended with {status}; failed:\n{failures}");
    }
    Ok(())
}

/// Results of the steps.
#[derive(Default)]
struct Report {
    steps: Vec<(&'static str, Took, Result<()>)>,
    /// Skipped steps, with reasons.
    skipped: Vec<(&'static str, String)>,
}

impl Report {
    /// Runs a step and returns its value for dependent steps.
    fn step<T>(&mut self, name: &'static str, work: impl FnOnce() -> Result<T>) -> Option<T> {
        println!("\n=== {name}");
        let time = Stopwatch::start();
        let (value, result) = match work() {
            Ok(value) => (Some(value), Ok(())),
            Err(error) => {
                eprintln!("error: {error:#}");
                (None, Err(error))
            }
        };
        let took = time.read();
        println!("=== {name}: {} ({took})", outcome(&result));
        self.steps.push((name, took, result));
        value
    }

    /// Runs a step that depends on the value of an earlier step. Fails if that step
    /// failed.
    fn step_after<N, T>(
        &mut self,
        name: &'static str,
        needed: Option<N>,
        work: impl FnOnce(N) -> Result<T>,
    ) -> Option<T> {
        self.step(name, || {
            work(needed.ok_or_else(|| anyhow!("not run because an earlier step failed"))?)
        })
    }

    fn skip(&mut self, name: &'static str, why: impl Into<String>) {
        self.skipped.push((name, why.into()));
    }

    /// Prints the results, with failures last, and then the count.
    fn finish(self) -> ExitCode {
        println!("\n=== summary");
        for (name, took, result) in &self.steps {
            println!("{:<20} {:<6} {took:>12}", name, outcome(result));
        }
        for (name, why) in self.skipped {
            println!("{name:<20} skipped: {why}");
        }
        let failures: Vec<_> = self
            .steps
            .iter()
            .filter_map(|(name, _, result)| result.as_ref().err().map(|error| (name, error)))
            .collect();
        for (name, error) in &failures {
            println!("{name}: {error:#}");
        }
        println!(
            "\n{} passed, {} failed",
            self.steps.len() - failures.len(),
            failures.len()
        );
        if failures.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

fn outcome(result: &Result<()>) -> &'static str {
    match result {
        Ok(()) => "ok",
        Err(_) => "FAILED",
    }
}
