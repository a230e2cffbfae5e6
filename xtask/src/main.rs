//! Development commands. `cargo xtask` is an alias in `.cargo/config.toml`.

mod audit;
mod bench;
mod browser;
mod dist;
mod evidence;
mod guide;
mod install;
mod oracle;
mod packages;
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

  serve [--port N] [--open]   install missing tools, then serve the page at http://localhost:8080
                              (arguments after -- are passed to `trunk serve`)
  test [lint|rust|web]...     run all checks, or some groups
       [--no-browser]         skip the browser tests
       [--nightly]            run every browser test, in Firefox too
  bench [arguments]           run cargo bench with these arguments
  bench web                   compare the speed of the page with a bare Yew counter
  oracle [--seed N] [--lines N] [--words N]
                              compare random lines and words with GenX_IR and nvdisasm
  dist [--check-reproducible]
                              build the page for release in dist/ and print its sizes; with the
                              option, build it again in another folder and compare
  audit                       check licences, sources and advisories of dependencies
  release                     build archives of the page and the command line, the extension for
                              VS Code and the npm package in release/
  evidence [vectors | mutants FOLDER | benchmarks]
                              update the records that the guide shows, in docs/evidence/ and
                              tests/mutants.json
  site                        build the guide and the embed script (called by Trunk)
  setup                       install missing tools

Tools with the right version are taken from PATH, otherwise from $LANEWISE_TOOLS (default:
lanewise/tools in the user's cache directory). Missing tools are installed there.
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
            other => anyhow::bail!("unknown command `{other}`\n\n{HELP}"),
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
