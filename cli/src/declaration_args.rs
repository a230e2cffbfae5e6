//! Target and declarations given on the command line.

use crate::hex::to_span;
use crate::input::Source;
use crate::{CliError, render};
use lanewise_core::diagnostic::{Diagnostic, to_usize};
use lanewise_core::program::{Assembler, Program, Target};
use lanewise_core::rules;
use lanewise_core::text::{Lexeme, LexemeKind, lex};
use std::path::PathBuf;

/// Parses a target as written after `.target`, by parsing the directive.
pub(crate) fn target(text: &str) -> Result<Target, Diagnostic> {
    const DIRECTIVE: &str = ".target ";
    if text.contains(char::is_control) {
        let what = "a target cannot contain control characters";
        return Err(Diagnostic::new(
            &rules::TARGET,
            to_span(0, text.len()),
            what,
        ));
    }
    let program = Program::parse(&format!("{DIRECTIVE}{text}"));
    let error = program.diagnostics.into_iter().find(|d| d.is_error());
    let Some(mut error) = error else {
        return Ok(program.symbols.target);
    };
    let shift = to_span(0, DIRECTIVE.len()).end;
    error.span.start = error.span.start.saturating_sub(shift);
    error.span.end = error.span.end.saturating_sub(shift);
    error.edit = None;
    Err(error)
}

pub(crate) fn assembler<'d>(
    target: Target,
    decls: impl IntoIterator<Item = &'d str>,
) -> Result<Assembler, Vec<Diagnostic>> {
    Assembler::new(target, decls)
}

/// Target and declaration arguments of `asm`, `disasm` and `layout`.
#[derive(clap::Args)]
#[group(skip)]
pub(crate) struct Args {
    /// Target of the instruction [default: that of --decls, or visa XEHP]
    #[arg(long, value_name = "TARGET", value_parser = parse_target)]
    target: Option<Target>,
    /// Declaration, such as '.decl V32 v_type=G type=ud num_elts=16'; repeatable
    #[arg(long = "decl", value_name = "DECLARATION")]
    decl: Vec<String>,
    /// File with .decl lines, such as a scenario
    #[arg(long, value_name = "FILE", conflicts_with = "decl")]
    decls: Option<PathBuf>,
}

pub(crate) fn parse_target(text: &str) -> Result<Target, String> {
    target(text).map_err(|error| match error.help.as_str() {
        "" => error.message(),
        help => format!("{}; {help}", error.message()),
    })
}

impl Args {
    pub(crate) fn given(&self) -> bool {
        self.target.is_some() || !self.decl.is_empty() || self.decls.is_some()
    }

    pub(crate) fn declares(&self) -> bool {
        !self.decl.is_empty() || self.decls.is_some()
    }

    /// Returns an assembler with the declarations. If a declaration is invalid,
    /// reports it and returns `None`.
    pub(crate) fn assembler(&self) -> Result<Option<Assembler>, CliError> {
        let source = match &self.decls {
            Some(path) => Source::read(path)?,
            None => Source {
                name: String::from("<--decl>"),
                text: self.decl.join("\n"),
            },
        };
        let target = match self.target {
            Some(target) => target,
            None => Program::parse(&source.text).symbols.target,
        };
        match assembler(target, [declarations_of(&source.text).as_str()]) {
            Ok(assembler) => Ok(Some(assembler)),
            Err(diagnostics) => {
                render::print(&source, &diagnostics);
                Ok(None)
            }
        }
    }
}

/// Replaces everything except declarations with blanks, which preserves offsets.
fn declarations_of(text: &str) -> String {
    let mut lexemes = Vec::new();
    lex(text, &mut lexemes);
    lexemes.retain(|l| !matches!(l.kind, LexemeKind::Comment { .. }));
    let mut kept = String::with_capacity(text.len());
    for line in lexemes.split(|l| l.kind == LexemeKind::LineEnd) {
        let (Some(first), Some(last)) = (line.first(), line.last()) else {
            continue;
        };
        if !is_declaration(line, text) {
            continue;
        }
        let whole = first.span.to(last.span);
        let start = to_usize(whole.start);
        let before = &text.as_bytes()[kept.len()..start];
        kept.extend(before.iter().map(|b| if *b == b'\n' { '\n' } else { ' ' }));
        kept.push_str(whole.of(text));
    }
    kept
}

fn is_declaration(line: &[Lexeme], text: &str) -> bool {
    matches!(line, [dot, word, ..]
        if dot.kind == LexemeKind::Punct('.') && word.span.of(text).eq_ignore_ascii_case("decl"))
}
