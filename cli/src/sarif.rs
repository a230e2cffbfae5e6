//! Writes diagnostics as a SARIF 2.1.0 log, for code hosts and editors.
//!
//! Source: OASIS, Static Analysis Results Interchange Format 2.1.0.

use crate::input::Source;
use lanewise_core::diagnostic::{Diagnostic, Severity, Span};
use lanewise_core::rules::Rule;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Log of one run. Lines and columns are 1-based; columns count Unicode code
/// points (`columnKind`).
pub(crate) fn log(files: &[(&Source, &[Diagnostic])]) -> Value {
    let mut used = BTreeMap::new();
    for diagnostic in files.iter().flat_map(|(_, found)| *found) {
        used.insert(diagnostic.rule.code, diagnostic.rule);
    }
    let indices: BTreeMap<&str, usize> = used.keys().copied().zip(0..).collect();
    let results: Vec<Value> = files
        .iter()
        .flat_map(|(source, found)| {
            let indices = &indices;
            found.iter().map(move |d| result(source, d, indices))
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "lanewise",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": used.values().map(|rule| describe(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn describe(rule: &Rule) -> Value {
    json!({
        "id": rule.code,
        "shortDescription": {"text": if rule.why.is_empty() { rule.code } else { rule.why }},
        "defaultConfiguration": {"level": level(rule.severity)},
        "properties": {"provenance": rule.mark.word()},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(source: &Source, diagnostic: &Diagnostic, indices: &BTreeMap<&str, usize>) -> Value {
    let mut text = diagnostic.message();
    if !diagnostic.help.is_empty() {
        text = format!("{text}; {}", diagnostic.help);
    }
    let location = json!({"uri": source.name.replace('\\', "/")});
    let mut result = json!({
        "ruleId": diagnostic.rule.code,
        "ruleIndex": indices[diagnostic.rule.code],
        "level": level(diagnostic.severity()),
        "message": {"text": text},
        "locations": [{"physicalLocation": {
            "artifactLocation": location,
            "region": region(source, diagnostic.span),
        }}],
    });
    if let Some(edit) = &diagnostic.edit {
        result["fixes"] = json!([{
            "description": {"text": diagnostic.help},
            "artifactChanges": [{
                "artifactLocation": location,
                "replacements": [{
                    "deletedRegion": region(source, edit.span),
                    "insertedContent": {"text": edit.replacement},
                }],
            }],
        }]);
    }
    result
}

fn region(source: &Source, span: Span) -> Value {
    let (start_line, start_column) = source.position(span.start);
    let (end_line, end_column) = source.position(span.end.max(span.start));
    json!({
        "startLine": start_line,
        "startColumn": start_column,
        "endLine": end_line,
        "endColumn": end_column,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_core::rules;

    #[test]
    fn every_rule_has_a_description() {
        for rule in rules::ALL {
            assert_eq!(describe(rule)["id"], rule.code);
        }
    }
}
