//! The command line `lanewise`.
//!
//! One file per command. [`json`] holds the requests and answers of `batch`,
//! `lanewise-answer` the JSON of a program's state, [`render`] diagnostics for
//! people, [`sarif`] for tools. Results go to the standard output, diagnostics
//! to the standard error.
#![forbid(unsafe_code)]
#![deny(
    clippy::unwrap_used,
    clippy::panic,
    clippy::todo,
    clippy::unimplemented,
    clippy::print_stdout,
    clippy::print_stderr
)]

mod asm;
mod batch;
mod changes;
mod check;
mod disasm;
mod explain;
mod fmt;
mod hex;
mod input;
mod json;
mod known;
mod layout;
mod link;
mod markdown;
mod open;
mod outcomes;
mod render;
mod run;
mod sarif;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use std::io::Write;
use std::process::ExitCode;

/// Decodes, runs and explains GPU instructions.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
#[command(after_help = "\
Exit codes: 0 fine, 1 the scenario has errors or faulted, 2 wrong usage or a \
file that cannot be read. FILE may be - for the standard input, and the link to
a scenario where a scenario is read.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario and print what changed
    Run(run::Args),
    /// Check scenarios, and the ```lanewise blocks of Markdown files
    Check(check::Args),
    /// List every result that some order of the lanes gives
    Outcomes(outcomes::Args),
    /// Print a link that opens a scenario in the page
    Link(link::Args),
    /// Print a scenario with its instructions in one spelling
    Fmt(fmt::Args),
    /// Print the bytes of instructions
    Asm(asm::Args),
    /// Print the instructions that bytes encode
    Disasm(disasm::Args),
    /// Open what a compiler wrote: objects, listings, cubins
    Open(open::Args),
    /// Explain a diagnostic code or an instruction
    Explain(explain::Args),
    /// Print which element of a matrix lies in which register, byte and bits
    Layout(layout::Args),
    /// Answer JSON requests: one a line in, one answer a line out
    ///
    /// Requests:
    ///   {"do":"assemble","target":"visa XEHP","decls":[".decl …"],"text":"…"}
    ///   {"do":"disassemble","target":"visa XEHP","decls":[".decl …"],"bytes":"7d00…","style":"assembler"}
    ///   {"do":"check","scenario":"…"}
    ///   {"do":"run","scenario":"…","compact":true}
    ///   {"do":"outcomes","scenario":"…","limit":1000,"compact":true}
    ///
    /// Every answer has "ok"; a refusal has "diagnostics", each with code,
    /// severity, message, span in bytes and help. Other fields of a request
    /// mean nothing.
    #[command(verbatim_doc_comment)]
    Batch,
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  lanewise completions bash > ~/.local/share/bash-completion/completions/lanewise
  lanewise completions fish > ~/.config/fish/completions/lanewise.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page (troff)
    #[command(after_help = "Example:\n  lanewise man | man -l -")]
    Man,
}

/// Which spelling is printed.
#[derive(Clone, Copy, ValueEnum)]
enum StyleName {
    /// The documents' spelling
    Document,
    /// The real assembler's spelling
    Assembler,
}

impl From<StyleName> for lanewise_core::isa::Style {
    fn from(name: StyleName) -> Self {
        match name {
            StyleName::Document => Self::Document,
            StyleName::Assembler => Self::Assembler,
        }
    }
}

/// Why a command ends early: a message for the standard error, exit code 2.
struct CliError(String);

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        // A reader that has seen enough (`lanewise … | head`) is no error.
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self(String::new()),
            _ => Self(format!("cannot write the output: {error}")),
        }
    }
}

/// How a command ended, for the exit code.
enum Status {
    Fine,
    /// The scenario has errors or faulted: exit code 1.
    Bad,
}

impl Status {
    /// [`Status::Fine`] when `fine`.
    fn when(fine: bool) -> Self {
        if fine { Self::Fine } else { Self::Bad }
    }
}

fn main() -> ExitCode {
    let end = match Cli::parse().command {
        Command::Run(args) => run::main(&args),
        Command::Check(args) => check::main(&args),
        Command::Outcomes(args) => outcomes::main(&args),
        Command::Link(args) => link::main(&args),
        Command::Fmt(args) => fmt::main(&args),
        Command::Asm(args) => asm::main(&args),
        Command::Disasm(args) => disasm::main(&args),
        Command::Open(args) => open::main(&args),
        Command::Explain(args) => explain::main(&args),
        Command::Layout(args) => layout::main(&args),
        Command::Batch => batch::main(),
        Command::Completions { shell } => completions(shell),
        Command::Man => man(),
    };
    match end {
        Ok(Status::Fine) => ExitCode::SUCCESS,
        Ok(Status::Bad) => ExitCode::FAILURE,
        Err(CliError(message)) if message.is_empty() => ExitCode::SUCCESS,
        Err(CliError(message)) => {
            // When even this cannot be written, the exit code has to do.
            let _ = writeln!(std::io::stderr(), "lanewise: {message}");
            ExitCode::from(2)
        }
    }
}

fn completions(shell: clap_complete::Shell) -> Result<Status, CliError> {
    clap_complete::generate(
        shell,
        &mut Cli::command(),
        "lanewise",
        &mut std::io::stdout(),
    );
    Ok(Status::Fine)
}

fn man() -> Result<Status, CliError> {
    clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout())?;
    Ok(Status::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
