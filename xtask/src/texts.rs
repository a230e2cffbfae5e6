//! What the page fetches when it is to be shown: what is known of every
//! instruction, as a piece of HTML, and what the editor's hover shows. The pieces are kept beside the page, so
//! that `trunk serve` alone finds them; a test asks that they are up to date.

use anyhow::{Context, Result};
use lanewise_core::bits::FieldDomain;
use lanewise_core::ide::topics;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::{
    Example, Family, Instruction, OperationRow, SPECS, Spec, SymbolTable, Target,
};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Where the pieces are kept.
const FOLDER: &str = "web/explain";

/// Writes the pieces that have changed.
pub(crate) fn write() -> Result<()> {
    for (file, text) in pieces() {
        let path = Path::new(FOLDER).join(file);
        if fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            fs::create_dir_all(FOLDER)?;
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

/// Every piece by its file's name.
fn pieces() -> Vec<(String, String)> {
    let file = |spec: &Spec| format!("{}.html", spec.name.to_ascii_lowercase());
    let mut all: Vec<_> = SPECS.iter().map(|s| (file(s), piece(s))).collect();
    all.push((String::from("hover.json"), hover()));
    all
}

/// What is known of instructions, operations, directives, parts and rules,
/// by the keys that core's hover help gives: a topic a line.
fn hover() -> String {
    let topics = topics();
    let lines: Vec<String> = topics
        .iter()
        .map(|topic| {
            let said = topic.statements.iter().filter(|said| !said.text.is_empty());
            let said = said.map(|said| object(&[("mark", said.mark.word()), ("text", said.text)]));
            let against = topic.contradictions.iter().map(|c| {
                object(&[
                    ("title", c.title),
                    ("one", c.one),
                    ("other", c.other),
                    ("taken", c.taken),
                ])
            });
            format!(
                "{}: {{\"title\": {}, \"said\": [{}], \"contradictions\": [{}]}}",
                quoted(&topic.key),
                quoted(&topic.title),
                said.collect::<Vec<_>>().join(", "),
                against.collect::<Vec<_>>().join(", ")
            )
        })
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// A JSON object of texts.
fn object(fields: &[(&str, &str)]) -> String {
    let fields = fields.iter();
    let fields = fields.map(|(key, text)| format!("{}: {}", quoted(key), quoted(text)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}

/// A text as JSON; none of them has control signs.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Text as HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// An element with a text in it.
pub(crate) fn element(name: &str, attributes: &str, text: &str) -> String {
    let space = if attributes.is_empty() { "" } else { " " };
    format!("<{name}{space}{attributes}>{}</{name}>\n", escape(text))
}

fn piece(spec: &'static Spec) -> String {
    let mut html = element("h3", "", "Text");
    for form in spec.lines() {
        html += &element("p", "class=\"mono form\"", &form);
    }
    let rows = (spec.operations)();
    if !rows.is_empty() {
        html += &element("h3", "", "Operations");
        html += &operations(&rows);
    }
    html += &element("h3", "", "Fields and allowed values");
    for (index, opcode) in spec.opcodes.iter().enumerate() {
        html += &format!("<details>\n<summary>Opcode {}</summary>\n", opcode.digits());
        html += &allowed(spec, index);
        html += "</details>\n";
    }
    html += &element("h3", "", "What is known");
    html += &facts(spec);
    if !spec.contradictions.is_empty() {
        html += &element("h3", "", "Contradictions");
    }
    for said in spec.contradictions {
        html += &format!(
            "<details data-about=\"{}\">\n<summary>{}\n",
            said.id,
            escape(said.title)
        );
        html += &element(
            "span",
            "class=\"mark-word\" data-mark=\"documented\" hidden",
            "applies here",
        );
        html += "</summary>\n";
        for (name, text) in [
            ("One reading: ", said.one),
            ("The other: ", said.other),
            ("Taken here: ", said.taken),
        ] {
            html += &element("p", "", &format!("{name}{text}"));
        }
        html += "</details>\n";
    }
    html += &element("h3", "", "Examples");
    for one in spec.examples {
        html += &example(one);
    }
    html += &element("p", "class=\"muted\"", &format!("Source: {}", spec.source));
    html
}

/// The fields of one form, and what may stand in them.
fn allowed(spec: &'static Spec, opcode: usize) -> String {
    let names = SymbolTable::new(match spec.family {
        Family::Visa => Target::default(),
        // The one that has all sizes.
        Family::Sass => Target::Sass(Chip::Sm60),
    });
    let mut html = String::from("<dl class=\"allowed\">\n");
    for field in Instruction::allowed(spec, opcode, &names) {
        let last = field.first_bit + field.width - 1;
        let bits = match field.width {
            1 => format!("bit {last}"),
            _ => format!("bits {last}–{}", field.first_bit),
        };
        html += "<div><dt>";
        html += &element("b", "", field.name);
        html += &element("span", "class=\"muted\"", &bits);
        html += "</dt>\n";
        for values in values(&field) {
            html += &element("dd", "", &values);
        }
        html += "</div>\n";
    }
    html += "</dl>\n";
    html
}

/// The most values of a field that are listed.
const MOST_VALUES: usize = 40;

/// Values with their meanings; those in a row that mean the same together.
fn values(field: &FieldDomain) -> Vec<String> {
    let mut runs: Vec<(u64, u64, &str)> = Vec::new();
    for (value, meaning) in &field.values {
        match runs.last_mut() {
            Some((_, last, before)) if *last + 1 == *value && before == meaning => *last = *value,
            _ => runs.push((*value, *value, meaning)),
        }
    }
    let run = |(first, last, meaning): &(u64, u64, &str)| {
        let values = match first == last {
            true => format!("{first:#x}"),
            false => format!("{first:#x} to {last:#x}"),
        };
        match *meaning {
            "" => values,
            meaning => format!("{values} {meaning}"),
        }
    };
    match runs.as_slice() {
        [] => vec![format!("any number of {} bits", field.width)],
        [first, .., last] if runs.len() > MOST_VALUES => {
            vec![format!("{} … {}", run(first), run(last))]
        }
        runs => runs.iter().map(run).collect(),
    }
}

/// What is known of an instruction, each with its mark.
pub(crate) fn facts(spec: &Spec) -> String {
    let mut html = String::from("<ul>\n");
    for fact in spec.facts {
        let mark = fact.mark.word();
        let attributes = format!("class=\"mark-word\" data-mark=\"{mark}\"");
        html += "<li class=\"fact\">";
        html += &element("span", &attributes, mark);
        html += &element("span", "", fact.text);
        html += "</li>\n";
    }
    html + "</ul>\n"
}

pub(crate) fn operations(rows: &[OperationRow]) -> String {
    let mut html = String::from(
        "<div class=\"scroller\" role=\"group\" aria-label=\"Operations\" tabindex=\"0\">\n\
         <table class=\"table operations\">\n<thead><tr>\n",
    );
    for head in ["Operation", "New value", "Types", "Returns", "Code"] {
        html += &element("th", "scope=\"col\"", head);
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in rows {
        // Writing to a string never fails.
        let _ = writeln!(html, "<tr data-code=\"{}\">", row.code);
        html += &element("th", "scope=\"row\"", row.name);
        for cell in [row.formula, row.types, row.returns] {
            html += &element("td", "", cell);
        }
        html += &element("td", "", &format!("{:#04x}", row.code));
        html += "</tr>\n";
    }
    html + "</tbody>\n</table>\n</div>\n"
}

fn example(example: &Example) -> String {
    let mut html = String::from("<details>\n");
    html += &element("summary", "", example.title);
    html += &element("pre", "class=\"mono\" tabindex=\"0\"", example.scenario);
    for (name, text) in [
        ("Document: ", example.document),
        ("Assembler: ", example.assembler),
        ("Encoding: ", example.bytes),
    ] {
        html += &element("p", "class=\"mono\"", &format!("{name}{text}"));
    }
    for (place, values) in example.end {
        html += &element(
            "p",
            "class=\"mono\"",
            &format!("At the end: {place} = {values}"),
        );
    }
    html + "</details>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_up_to_date() {
        for (file, text) in pieces() {
            let path = Path::new("..").join(FOLDER).join(&file);
            let kept = fs::read_to_string(&path).unwrap_or_default();
            assert!(kept == text, "{file} is old: run cargo xtask texts");
        }
        let kept = fs::read_dir(Path::new("..").join(FOLDER)).unwrap();
        assert_eq!(kept.count(), pieces().len(), "nothing else is kept there");
    }

    #[test]
    fn topics_have_keys_of_their_own_and_texts() {
        let all = topics();
        for (index, topic) in all.iter().enumerate() {
            let same = all.iter().position(|other| other.key == topic.key);
            assert_eq!(same, Some(index), "{}", topic.key);
            let operation = topic.key.starts_with("operation.");
            assert!(operation || !topic.statements.is_empty(), "{}", topic.key);
        }
        assert_eq!(quoted("a\"\\"), r#""a\"\\""#);
        assert!(
            hover()
                .chars()
                .all(|sign| sign == '\n' || !sign.is_control())
        );
    }

    #[test]
    fn text_is_not_read_as_html() {
        assert_eq!(element("p", "", "a < b & c"), "<p>a &lt; b &amp; c</p>\n");
    }
}
