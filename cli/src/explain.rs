//! `lanewise explain`: prints the contents of the page's Explain tab.

use crate::{CliError, Status};
use lanewise_checks::{KINDS, KindFacts};
use lanewise_core::contradictions::Contradiction;
use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::sass::op;
use lanewise_core::isa::{Instruction, OperationRow, SourceConstruct, Spec};
use lanewise_core::rules::{self, Rule};
use std::fmt::Write as _;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise explain E0318
  lanewise explain cmp")]
pub(crate) struct Args {
    /// Diagnostic code, or instruction name in either syntax
    #[arg(value_name = "CODE|INSTRUCTION")]
    name: String,
}

/// Maximum line length, in characters.
const WIDTH: usize = 80;

pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    let name = args.name.trim();
    let rows = op::OPS.iter().map(|row| &row.spec);
    let specs = Instruction::all_specs().chain(rows);
    let specs: Vec<&'static Spec> = specs.collect();
    let named = |name: &str| {
        let specs = specs.iter().copied();
        specs
            .filter(|spec| is_named(spec, name))
            .collect::<Vec<_>>()
    };
    // As listings have it, an opcode has words, such as `LDG.E`.
    let opcode = || named(name.split('.').next().unwrap_or(name));
    let specs = Some(named(name)).filter(|specs| !specs.is_empty());
    let specs = specs.unwrap_or_else(opcode);
    let text = match rules::find(name) {
        Some(rule) => explain_rule(rule),
        None if let found @ [_, ..] = &*findings(name) => found.join("\n"),
        None if specs.is_empty() => return Err(unknown(name)),
        None => {
            let texts: Vec<String> = specs.into_iter().map(explain_instruction).collect();
            texts.join("\n")
        }
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Status::Fine)
}

fn is_named(spec: &Spec, name: &str) -> bool {
    let mut names = spec.mnemonics.iter().chain([&spec.name]);
    names.any(|known| known.eq_ignore_ascii_case(name))
}

/// The findings with a code or a word, or all of a check.
fn findings(name: &str) -> Vec<String> {
    let is_it = |facts: &&KindFacts| {
        let lockstep = if facts.check == "races" {
            "lockstep"
        } else {
            ""
        };
        let names = [facts.code, facts.word, facts.check, lockstep];
        names.iter().any(|known| known.eq_ignore_ascii_case(name))
    };
    KINDS.iter().filter(is_it).map(explain_finding).collect()
}

fn explain_finding(facts: &KindFacts) -> String {
    let mut out = format!("{} ({}): {}\n\n", facts.code, facts.word, facts.title);
    paragraph(&mut out, "", facts.why);
    out
}

fn unknown(name: &str) -> CliError {
    CliError(format!(
        "explain: `{name}` is neither a diagnostic code, such as E0318, a check, such as races, nor an instruction, such as cmp"
    ))
}

fn explain_rule(rule: &Rule) -> String {
    let severity = match rule.severity {
        Severity::Error => "error: the text cannot be encoded or run",
        Severity::Warning => "warning: it encodes, and breaks a documented rule",
        Severity::Note => "note",
    };
    let mut out = format!("{} ({severity})\n\n", rule.code);
    paragraph(&mut out, &format!("{}: ", rule.mark.word()), rule.why);
    out
}

fn explain_instruction(spec: &'static Spec) -> String {
    let mut out = format!("{}\n\n", spec.name);
    paragraph(&mut out, "", spec.summary);
    paragraph(&mut out, "Source: ", spec.source);
    section(&mut out, "Syntax");
    for form in spec.lines() {
        line(&mut out, &form);
    }
    if let Some(row) = op::of_spec(spec) {
        let words: Vec<&str> = row.word_names().collect();
        if !words.is_empty() {
            paragraph(&mut out, "  Words: ", &words.join(" "));
        }
        paragraph(&mut out, "  Chips: ", &row.era.chips());
    }
    operations(&mut out, &(spec.operations)());
    constructs(&mut out, (spec.constructs)());
    if !spec.pseudo_code.is_empty() {
        section(&mut out, "Pseudo-code");
        for code in spec.pseudo_code {
            line(&mut out, code);
        }
    }
    section(&mut out, "Rules and choices");
    for fact in spec.facts {
        paragraph(&mut out, &format!("  {:<11} ", fact.mark.word()), fact.text);
    }
    if !spec.contradictions.is_empty() {
        section(&mut out, "Contradictions");
        for contradiction in spec.contradictions {
            explain_contradiction(&mut out, contradiction);
        }
    }
    if !spec.examples.is_empty() {
        section(&mut out, "Examples");
    }
    for example in spec.examples {
        paragraph(&mut out, "  ", example.title);
        line(&mut out, example.assembler);
        if example.document != example.assembler {
            line(&mut out, example.document);
        }
    }
    out
}

fn explain_contradiction(out: &mut String, contradiction: &Contradiction) {
    paragraph(out, "  ", contradiction.title);
    for (label, text) in [
        ("one reading", contradiction.one),
        ("another", contradiction.other),
        ("taken", contradiction.resolution),
    ] {
        paragraph(out, &format!("    {label:<11} "), text);
    }
}

/// Operation table, with each column as wide as its longest cell.
fn operations(out: &mut String, rows: &[OperationRow]) {
    if rows.is_empty() {
        return;
    }
    section(out, "Operations");
    let mut cells =
        vec![["code", "name", "assembler", "new value", "types", "returns"].map(String::from)];
    cells.extend(rows.iter().map(|row| {
        [
            row.code.to_string(),
            String::from(row.name),
            String::from(row.assembler),
            String::from(row.formula),
            String::from(row.types),
            String::from(row.returns),
        ]
    }));
    let width = |column: usize| {
        let widths = cells.iter().map(|row| row[column].chars().count());
        widths.max().expect("there is a row of headings")
    };
    let widths: [usize; 6] = std::array::from_fn(width);
    for row in &cells {
        let mut text = String::new();
        for (cell, width) in row.iter().zip(widths) {
            write!(text, "{cell:<width$}  ").expect("writing to a `String` cannot fail");
        }
        line(out, text.trim_end());
    }
}

/// Table of the source constructs that compile to an instruction, followed by
/// the sources of the claims.
fn constructs(out: &mut String, rows: Vec<SourceConstruct>) {
    if rows.is_empty() {
        return;
    }
    section(out, "Compiled from");
    let width = rows.iter().map(|row| row.form.chars().count()).max();
    let width = width.expect("there is a row");
    let mut sources: Vec<String> = Vec::new();
    for row in rows {
        let text = format!("{:<width$}  {}  {}", row.form, row.language, row.text);
        line(out, text.trim_start());
        let source = format!("{}: {}", row.mark.word(), row.source);
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    for source in sources {
        paragraph(out, "  ", &source);
    }
}

fn section(out: &mut String, title: &str) {
    out.push('\n');
    out.push_str(title);
    out.push('\n');
}

fn line(out: &mut String, text: &str) {
    out.push_str("    ");
    out.push_str(text);
    out.push('\n');
}

/// Wraps `text` after `lead`, with a hanging indent of the width of `lead`.
fn paragraph(out: &mut String, lead: &str, text: &str) {
    let indent = lead.chars().count();
    out.push_str(lead);
    let mut column = indent;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > indent {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}
