//! Generated parts of guide pages: the lines `{{operations NAME}}`,
//! `{{facts NAME}}`, `{{contradictions}}`, `{{policy}}` and `{{evidence NAME}}`.

use super::html_text;
use crate::{evidence, policy};
use anyhow::{Context, Result, bail};
use lanewise_core::contradictions::Contradiction;
use lanewise_core::isa::SPECS;

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
        "contradictions" => contradictions(SPECS.iter().flat_map(|spec| {
            let all = spec.contradictions.iter();
            all.map(|&one| (spec.name, one))
        })),
        "evidence" => evidence::markdown(name)?,
        "policy" => policy::markdown(),
        _ => bail!("unknown placeholder {wanted}"),
    })
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
