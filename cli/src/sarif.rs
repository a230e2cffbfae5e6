//! Writes diagnostics and findings of checks as a SARIF 2.1.0 log, for code hosts and editors.
//!
//! Source: OASIS, Static Analysis Results Interchange Format 2.1.0.

use crate::input::Source;
use lanewise_api::{AccessJson, FindingJson};
use lanewise_core::diagnostic::{Diagnostic, Severity, Span};
use lanewise_core::rules::Rule;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Log of one run. Lines and columns are 1-based; columns count Unicode code
/// points (`columnKind`). `unread` has the reasons why other files were not read.
pub(crate) fn log(files: &[(&Source, &[Diagnostic], &[FindingJson])], unread: &[String]) -> Value {
    let mut used = BTreeMap::new();
    for diagnostic in files.iter().flat_map(|(_, found, _)| *found) {
        used.insert(diagnostic.rule.code, describe(diagnostic.rule));
    }
    let findings = files.iter().flat_map(|(.., findings)| *findings);
    for finding in findings {
        used.insert(finding.code, describe_kind(finding));
    }
    let indices: BTreeMap<&str, usize> = used.keys().copied().zip(0..).collect();
    let mut results = Vec::new();
    for (source, found, findings) in files {
        results.extend(found.iter().map(|d| result(source, d, &indices)));
        results.extend(findings.iter().map(|f| finding_result(source, f, &indices)));
    }
    let notifications = unread
        .iter()
        .map(|why| json!({"level": "error", "message": {"text": why}}));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "lanewise",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": used.into_values().collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": unread.is_empty(),
                "toolExecutionNotifications": notifications.collect::<Vec<_>>(),
            }],
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

fn describe_kind(finding: &FindingJson) -> Value {
    let [title, why] = finding.title_and_why();
    json!({
        "id": finding.code,
        "shortDescription": {"text": title},
        "fullDescription": {"text": why},
        "properties": {"kind": finding.kind},
    })
}

/// A finding at its first access; the others are related locations.
fn finding_result(
    source: &Source,
    finding: &FindingJson,
    indices: &BTreeMap<&str, usize>,
) -> Value {
    let place = |access: &AccessJson| {
        // A source that was compiled here has a path; other programs name their source.
        let named = access
            .place
            .file
            .as_ref()
            .filter(|_| source.text.is_empty());
        let uri = named.unwrap_or(&source.name).replace('\\', "/");
        let mut place = json!({"artifactLocation": {"uri": uri}});
        if let Some(line) = access.place.line {
            place["region"] = json!({"startLine": line});
        }
        place
    };
    let described = finding.accesses.iter().map(|access| {
        let text = format!("{}: {}", access.actor(), access.place.instruction);
        json!({"message": {"text": text}, "physicalLocation": place(access)})
    });
    let mut described: Vec<Value> = described.collect();
    let first = (!described.is_empty()).then(|| described.remove(0));
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": indices[finding.code],
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": first.into_iter().collect::<Vec<_>>(),
        "relatedLocations": described,
        "occurrenceCount": finding.count,
    });
    if finding.suppressed {
        let kind = match finding.is_marked {
            true => "inSource",
            false => "external",
        };
        result["suppressions"] = json!([{"kind": kind}]);
    }
    result
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
