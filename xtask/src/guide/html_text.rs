//! HTML fragments for guide pages.

use lanewise_core::isa::{OperationRow, Spec};
use std::fmt::Write;

/// Escapes text for HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Returns an element with escaped text.
pub(super) fn element(name: &str, attributes: &str, text: &str) -> String {
    let space = if attributes.is_empty() { "" } else { " " };
    format!("<{name}{space}{attributes}>{}</{name}>\n", escape(text))
}

/// Lists the facts about an instruction with their sources.
pub(super) fn facts(spec: &Spec) -> String {
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

pub(super) fn operations(rows: &[OperationRow]) -> String {
    let mut html = String::from(
        "<div class=\"scroller\" role=\"group\" aria-label=\"Operations\" tabindex=\"0\">\n\
         <table class=\"table operations\">\n<thead><tr>\n",
    );
    for head in ["Operation", "New value", "Types", "Returns", "Code"] {
        html += &element("th", "scope=\"col\"", head);
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in rows {
        // Writing to a `String` cannot fail.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(element("p", "", "a < b & c"), "<p>a &lt; b &amp; c</p>\n");
    }
}
