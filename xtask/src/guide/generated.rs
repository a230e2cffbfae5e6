//! Generated parts of guide pages: the lines `{{operations NAME}}`,
//! `{{facts NAME}}`, `{{instructions MNEMONICS}}`, `{{mnemonics MNEMONICS}}`,
//! `{{not-executed}}`, `{{contradictions}}`, `{{policy}}` and `{{evidence NAME}}`.

use super::html_text;
use crate::{evidence, policy};
use anyhow::{Context, Result, bail};
use lanewise_core::contradictions::Contradiction;
use lanewise_core::isa::SPECS;
use lanewise_core::isa::visa::op::{Behavior, OPS, VisaOp};

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
        "mnemonics" => listed(executed(name)?.into_iter()),
        "not-executed" => {
            let ops = OPS.iter();
            listed(ops.filter(|op| op.behavior == Behavior::NotModelled))
        }
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

/// Rows of the opcode table that are executed, by their mnemonics.
fn executed(mnemonics: &str) -> Result<Vec<&'static VisaOp>> {
    let row = |wanted| {
        let op = OPS.iter().find(|op| mnemonic(op) == wanted);
        let op = op.filter(|op| op.behavior != Behavior::NotModelled);
        op.with_context(|| format!("{wanted} is not an instruction that is executed"))
    };
    mnemonics.split(' ').map(row).collect()
}

fn instructions(mnemonics: &str) -> Result<String> {
    let mut table = String::from("| Instruction | Operation | .sat |\n|---|---|---|\n");
    for op in executed(mnemonics)? {
        let summary = op.spec.summary.replace('|', "\\|");
        let reason = match op.behavior {
            Behavior::NoEffect(reason) => format!(". {}", reason.text),
            _ => String::new(),
        };
        let saturates = if op.saturates { "yes" } else { "" };
        let name = mnemonic(op);
        table += &format!("| `{name}` | {summary}{reason} | {saturates} |\n");
    }
    Ok(table)
}

fn listed<'a>(ops: impl Iterator<Item = &'a VisaOp>) -> String {
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
            ("Lanewise implements", one.resolution),
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
        let source = include_str!("../../../docs/guide/vector-instructions.md");
        let groups = source.lines().filter_map(|line| {
            let line = line.strip_prefix("{{")?.strip_suffix("}}")?;
            let (_, group) = line.split_once(' ')?;
            executed(group).ok()
        });
        let is_executed = |op: &&VisaOp| {
            !matches!(
                op.behavior,
                Behavior::NotModelled | Behavior::NoEffect(_) | Behavior::SourceMark(_)
            )
        };
        let mut found: Vec<&str> = groups.flatten().filter(is_executed).map(mnemonic).collect();
        let mut wanted: Vec<&str> = OPS.iter().filter(is_executed).map(mnemonic).collect();
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted);
        let page = filled(source).unwrap();
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
            resolution: "",
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
