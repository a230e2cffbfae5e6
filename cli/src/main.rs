//! The command line `lanewise`.
//!
//! One file per command. [`json`] has the requests and answers of `batch`;
//! `lanewise-answer` the JSON form of runs and outcomes; [`render`] prints
//! diagnostics for people, [`sarif`] for tools. Results go to standard output,
//! diagnostics to standard error.
#![forbid(unsafe_code)]
#![deny(
    clippy::unwrap_used,
    clippy::panic,
    clippy::todo,
    clippy::unimplemented,
    clippy::print_stdout,
    clippy::print_stderr
)]

mod arg_text;
mod asm;
mod batch;
mod changes;
mod check;
mod compiler;
mod dap;
mod declaration_args;
mod devices;
mod disasm;
mod explain;
mod fmt;
mod hex;
mod input;
mod json;
mod junit;
mod kernel_args;
mod lanes;
mod launch;
mod launch_options;
mod layout;
mod link;
mod mangled;
mod markdown;
mod mcp;
mod open;
mod outcomes;
mod process;
mod program_list;
mod render;
mod reports;
mod run;
mod sarif;
mod scenario_checks;
mod serve;
mod steps;
mod structures;
mod warp_launch;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::io::Write;
use std::process::ExitCode;

/// Decode, run and explain GPU instructions.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
#[command(after_help = "\
Exit codes: 0 success, 1 the scenario has errors or faults, 2 invalid usage or
unreadable file. FILE may be - for standard input. A scenario may also be given
as a link.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario and print what changed
    Run(Box<run::Args>),
    /// Check scenarios and the ```lanewise blocks of Markdown files
    Check(check::Args),
    /// List the outcomes of all lane orders
    Outcomes(outcomes::Args),
    /// Print a link that opens a scenario in the browser
    Link(link::Args),
    /// Format a scenario, with all instructions in one syntax
    Fmt(fmt::Args),
    /// Assemble instructions
    Asm(asm::Args),
    /// Disassemble bytes
    Disasm(disasm::Args),
    /// Open compiler output: objects, listings, cubins
    Open(open::Args),
    /// Explain a diagnostic code or an instruction
    Explain(explain::Args),
    /// Print the register, byte and bits of each matrix element
    Layout(layout::Args),
    /// Answer JSON requests, one per line
    ///
    /// Requests:
    ///   {"do":"assemble","target":"visa XEHP","decls":[".decl …"],"text":"…"}
    ///   {"do":"disassemble","target":"visa XEHP","decls":[".decl …"],"bytes":"7d00…","style":"assembler"}
    ///   {"do":"check","scenario":"…"}
    ///   {"do":"run","scenario":"…","compact":true}
    ///   {"do":"outcomes","scenario":"…","limit":1000,"compact":true}
    ///   {"do":"launch","path":"FILE","kernel":"saxpy","global":[64, 1],"local":[32, 1],"args":[{"buffer":"…"},{"scalar":"…"},{"local":128}],"fuel":2000000}
    ///
    /// The bytes of buffers and scalars are in hexadecimal, little-endian. "fuel"
    /// is the number of instructions after which a work-group is stopped, as
    /// `--fuel` of `run`.
    ///
    /// Every answer has "ok". If it is false, "diagnostics" lists the problems,
    /// each with code, severity, message, span in bytes and help. A run or launch
    /// that ends with a fault, or with findings of its checks, has "ok" true.
    /// Unknown fields of a request are ignored.
    #[command(verbatim_doc_comment)]
    Batch,
    /// Open the page in the browser, with files that are compiled again when they change
    Serve(serve::Args),
    /// Debug a kernel in an editor, over the Debug Adapter Protocol on standard input and output
    #[command(after_help = "\
Example, for an editor that starts debug adapters:
  command: lanewise
  arguments: dap
  launch: {\"program\": \"saxpy.cl\", \"global\": [64], \"args\": [\"y=float[64]\"]}")]
    Dap,
    /// Offer the commands to agents, over the Model Context Protocol on standard input and output
    #[command(after_help = "\
Example, for the configuration of an agent:
  {\"mcpServers\": {\"lanewise\": {\"command\": \"lanewise\", \"args\": [\"mcp\"]}}}")]
    Mcp,
    /// Print a shell completion script
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

/// Output syntax.
#[derive(Clone, Copy, ValueEnum)]
enum StyleName {
    /// The syntax of the documents
    Document,
    /// The syntax of the real assembler
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

/// Message for standard error; exit code 2. An empty message exits with 0.
struct CliError(String);

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        // Ignore `EPIPE`, as in `lanewise … | head`.
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self(String::new()),
            _ => Self(format!("cannot write the output: {error}")),
        }
    }
}

/// Determines the exit code: 0 or 1.
enum Status {
    Fine,
    /// The scenario has errors or faulted.
    Bad,
}

impl Status {
    fn when(fine: bool) -> Self {
        if fine { Self::Fine } else { Self::Bad }
    }
}

fn main() -> ExitCode {
    // A negative size is a wrong number, not an unknown option.
    let command = Cli::command().mut_subcommands(|command| {
        command.mut_args(|arg| {
            let takes_value = arg.get_action().takes_values();
            arg.allow_negative_numbers(takes_value)
        })
    });
    let matches = match command.try_get_matches() {
        Ok(matches) => matches,
        Err(error) => match launch_options::missing_size(&error) {
            Some(message) => return fail(&message),
            None => error.exit(),
        },
    };
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let end = match cli.command {
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
        Command::Serve(args) => serve::main(&args),
        Command::Dap => dap::main(),
        Command::Mcp => mcp::main(),
        Command::Completions { shell } => completions(shell),
        Command::Man => man(),
    };
    match end {
        Ok(Status::Fine) => ExitCode::SUCCESS,
        Ok(Status::Bad) => ExitCode::FAILURE,
        Err(CliError(message)) if message.is_empty() => ExitCode::SUCCESS,
        Err(CliError(message)) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    // If standard error is closed, only the exit code is left.
    let _ = writeln!(std::io::stderr(), "lanewise: {message}");
    ExitCode::from(2)
}

fn completions(shell: clap_complete::Shell) -> Result<Status, CliError> {
    // The generator panics on errors of its output.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "lanewise", &mut script);
    std::io::stdout().write_all(&script)?;
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
    fn argument_definitions_are_consistent() {
        Cli::command().debug_assert();
    }
}
