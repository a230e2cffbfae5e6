//! Generated parts of guide pages: the lines `{{operations NAME}}`,
//! `{{facts NAME}}`, `{{instructions MNEMONICS}}`, `{{not-executed}}`,
//! `{{contradictions}}`, `{{policy}}` and `{{evidence NAME}}`.

use super::html_text;
use crate::{evidence, policy};
use anyhow::{Context, Result, bail};
use lanewise_core::contradictions::Contradiction;
use lanewise_core::isa::SPECS;
use lanewise_core::isa::visa::op::{Behaviour, OPS, VisaOp};

/// Replaces the placeholder lines of a page.
pub(super) fn filled(source: &str) -> Result<String> {
    let mut out = String::with_capacity(source.len());
    for line in source.lines() {
        let wanted = line
            .strip_prefix("{{")
            .and_then(|rest| rest.strip_suffix("}}"));
        match wanted {
            Some(wanted) => out += &piece(wanted)?,
            None => out += line,
        }
        out.push('\n');
    }
    Ok(out)
}

fn piece(wanted: &str) -> Result<String> {
    let (what, name) = wanted.split_once(' ').unwrap_or((wanted, ""));
    let spec = || {
        let spec = SPECS.iter().find(|spec| spec.name == name);
        spec.with_context(|| format!("unknown instruction {name}"))
    };
    Ok(match what {
        "operations" => block(&html_text::operations(&(spec()?.operations)())),
        "facts" => block(&html_text::facts(spec()?)),
        "instructions" => instructions(name)?,
        "not-executed" => not_executed(),
        "contradictions" => contradictions(SPECS.iter().flat_map(|spec| {
            let all = spec.contradictions.iter();
            all.map(|&one| (spec.name, one))
        })),
        "evidence" => evidence::markdown(name)?,
        "policy" => policy::markdown(),
        _ => bail!("unknown placeholder {wanted}"),
    })
}

fn mnemonic(op: &VisaOp) -> &'static str {
    op.spec.mnemonics.first().copied().unwrap_or_default()
}

/// Table of the rows of the opcode table that have these mnemonics.
fn instructions(mnemonics: &str) -> Result<String> {
    let mut table = String::from("| Instruction | Operation | .sat |\n|---|---|---|\n");
    for wanted in mnemonics.split(' ') {
        let op = OPS.iter().find(|op| mnemonic(op) == wanted);
        let op = op.with_context(|| format!("unknown instruction {wanted}"))?;
        if op.behaviour == Behaviour::NotModelled {
            bail!("{wanted} is not executed");
        }
        let summary = op.spec.summary.replace('|', "\\|");
        let saturates = if op.saturates { "yes" } else { "" };
        table += &format!("| `{wanted}` | {summary} | {saturates} |\n");
    }
    Ok(table)
}

/// Mnemonics of the opcode table that are not executed.
fn not_executed() -> String {
    let ops = OPS.iter();
    let ops = ops.filter(|op| op.behaviour == Behaviour::NotModelled);
    let names: Vec<String> = ops.map(|op| format!("`{}`", mnemonic(op))).collect();
    names.join(", ") + "\n"
}

/// Terminates HTML with a blank line, so that Markdown leaves it unchanged.
fn block(html: &str) -> String {
    html.replace("\n\n", "\n")
}

/// Lists each contradiction once, with the instructions that it applies to.
fn contradictions<'a>(all: impl Iterator<Item = (&'a str, &'a Contradiction)>) -> String {
    let mut listed: Vec<(&Contradiction, Vec<&str>)> = Vec::new();
    for (name, one) in all {
        match listed.iter_mut().find(|(known, _)| *known == one) {
            Some((_, names)) => names.push(name),
            None => listed.push((one, vec![name])),
        }
    }
    let mut html = String::new();
    for (one, names) in listed {
        html += &format!(
            "<section class=\"contradiction\">\n{}{}<dl>\n",
            html_text::element("h2", "", one.title),
            html_text::element("p", "class=\"where\"", &names.join(", "))
        );
        for (name, text) in [
            ("One reading", one.one),
            ("The other", one.other),
            ("Taken here", one.taken),
        ] {
            html += &html_text::element("dt", "", name);
            html += &html_text::element("dd", "", text);
        }
        html += "</dl>\n</section>\n";
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced() {
        let page =
            filled("a\n{{contradictions}}\n{{facts DPASW}}\n{{operations ATOM}}\nb").unwrap();
        for spec in SPECS {
            for one in spec.contradictions {
                let heading = html_text::element("h2", "", one.title);
                assert_eq!(page.matches(&heading).count(), 1, "{}", one.title);
            }
        }
        assert!(page.contains("<table") && page.starts_with("a\n") && page.ends_with("b\n"));
        assert!(filled("{{facts NOTHING}}").is_err() && filled("{{other}}").is_err());
    }

    /// A new instruction belongs to a group of the page, once.
    #[test]
    fn every_executed_vector_instruction_is_listed() {
        let page = include_str!("../../../docs/guide/vector-instructions.md");
        let groups = page.lines().filter_map(|line| {
            let group = line.strip_prefix("{{instructions ")?;
            group.strip_suffix("}}")
        });
        let mut listed: Vec<&str> = groups.flat_map(|group| group.split(' ')).collect();
        let executed =
            |op: &&VisaOp| matches!(op.behaviour, Behaviour::Compute(_) | Behaviour::Flow(_));
        let mut wanted: Vec<&str> = OPS.iter().filter(executed).map(mnemonic).collect();
        listed.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(listed, wanted);
        let page = filled(page).unwrap();
        assert!(page.contains("| `pow` | dst = \\|src0\\| to the power of src1 | yes |"));
        assert!(page.contains("`dp4`") && filled("{{instructions dp4}}").is_err());
    }

    #[test]
    fn contradictions_with_the_same_title_are_distinct() {
        let one = Contradiction {
            id: "one",
            title: "T",
            one: "first",
            other: "",
            taken: "",
        };
        let other = Contradiction {
            id: "other",
            one: "second",
            ..one
        };
        let html = contradictions([("A", &one), ("B", &other), ("C", &one)].into_iter());
        for piece in ["A, C", "first", "second"] {
            assert!(html.contains(piece), "{piece} in {html}");
        }
    }
}
