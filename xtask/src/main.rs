//! The project's commands. `cargo xtask` is an alias in `.cargo/config.toml`.

mod audit;
mod bench;
mod browser;
mod dist;
mod evidence;
mod guide;
mod install;
mod oracle;
mod policy;
mod release;
mod reproducible;
mod serve;
mod setup;
mod shell;
mod site;
mod sizes;
mod test;
mod texts;
mod tools;

use anyhow::Result;
use lexopt::prelude::*;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask <command>

  serve [--port N] [--open]   install what is missing, then serve the page at http://localhost:8080
                              (further arguments after -- go to `trunk serve`)
  test [lint|rust|web]...     every check the project has, or one group of them
       [--no-browser]         without the browser tests
       [--all-in-firefox]     with every browser test in Firefox, not only those of behaviour
  bench [arguments]           cargo bench; the arguments go to cargo
  bench web                   the speed of the page against that of a bare Yew counter
  oracle [--seed N] [--lines N] [--words N]
                              fresh lines and words against GenX_IR and nvdisasm, if they are there
  dist [--check-reproducible]
                              the release build, in dist/, with its sizes; with the option a second
                              one from nothing in another folder, which must be the same
  audit                       licences, sources and known weaknesses of all that is used
  release                     archives of the page and of the command line, in release/
  evidence [vectors | mutants FOLDER | benchmarks]
                              writes what the guide shows of tests and benchmarks, in
                              docs/evidence/, and of mutants, in tests/mutants.json
  site                        the guide and the script for other pages; Trunk calls it while it builds
  setup                       only install what is missing

Tools are taken from PATH when their version is right, else from $LANEWISE_TOOLS
(default: lanewise/tools in the user's cache directory), where missing ones are put.
";

fn main() -> ExitCode {
    match command() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn command() -> Result<ExitCode> {
    let mut arguments = lexopt::Parser::from_env();
    let done = |()| ExitCode::SUCCESS;
    match arguments.next()? {
        Some(Value(name)) => match name.to_string_lossy().as_ref() {
            "serve" => serve::command(arguments),
            "test" => test::command(arguments),
            "audit" => {
                no_more(arguments)?;
                audit::command().map(done)
            }
            "bench" => bench::command(arguments).map(done),
            "dist" => dist::command(arguments).map(done),
            "evidence" => evidence::command(arguments).map(done),
            "oracle" => oracle::command(arguments),
            "release" => {
                no_more(arguments)?;
                release::command().map(done)
            }
            "site" => {
                no_more(arguments)?;
                site::command().map(done)
            }
            "setup" => {
                no_more(arguments)?;
                setup::page().map(drop).map(done)
            }
            other => anyhow::bail!("there is no command `{other}`\n\n{HELP}"),
        },
        None | Some(Short('h') | Long("help")) => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        Some(other) => Err(other.unexpected().into()),
    }
}

fn no_more(mut arguments: lexopt::Parser) -> Result<()> {
    match arguments.next()? {
        None => Ok(()),
        Some(other) => Err(other.unexpected().into()),
    }
}
