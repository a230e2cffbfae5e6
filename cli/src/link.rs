//! `lanewise link`: prints a permalink to a scenario.

use crate::input::Source;
use crate::{CliError, Status, compiler, render, serve};
use lanewise_core::diagnostic::Severity;
use lanewise_core::program::Program;
use lanewise_link::{LONG, Link, view};
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise link histogram.lanewise
  lanewise link --base https://example.org/lanewise/ --step 5 histogram.lanewise")]
pub(crate) struct Args {
    /// Scenario; - for standard input
    file: PathBuf,
    /// URL of the page; the default is that of `lanewise serve`
    #[arg(long, value_name = "URL", default_value_t = serve::address(serve::PORT))]
    base: String,
    /// Open the scenario at step N
    #[arg(long, value_name = "N", default_value_t = 0)]
    step: u32,
}

pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    let base = &args.base;
    if !base.contains("://") {
        return Err(CliError(format!(
            "--base {base}: expected a URL, such as https://example.org/lanewise/"
        )));
    }
    if base.contains('#') {
        return Err(CliError(format!(
            "--base {base}: the URL must not have a fragment"
        )));
    }
    compiler::refuse_source(&args.file)?;
    let source = Source::read(&args.file)?;
    let errors = render::of(Severity::Error, &Program::parse(&source.text).diagnostics);
    if errors > 0 {
        let count = render::count(errors, 0);
        render::say(&format!(
            "lanewise: warning: {} has {count}; run `lanewise check` to see them",
            source.name
        ));
    }
    let mut link = Link {
        text: source.text,
        ..Link::default()
    };
    if args.step > 0 {
        link.view.set_number(view::STEP, args.step.into());
    }
    let cannot = |error| CliError(format!("{}: {error}", source.name));
    let fragment = link.fragment().map_err(cannot)?;
    let address = format!("{base}#{fragment}");
    if address.len() > LONG {
        let name = &source.name;
        render::say(&format!(
            "lanewise: warning: {name}: the link has {} characters; some programs truncate links after {LONG}. \
             Share the file instead; it can be dropped on the page.",
            address.len()
        ));
    }
    writeln!(std::io::stdout(), "{address}")?;
    Ok(Status::Fine)
}
