//! Writes results as JUnit XML, for CI servers.
//!
//! Source: the schema of the Jenkins xUnit plugin, which CI servers read.

use crate::CliError;
use std::fmt::Write;
use std::path::Path;

/// A scenario, source or launch.
pub(crate) struct Case {
    pub(crate) name: String,
    /// Its problems.
    pub(crate) failures: Vec<String>,
}

/// Writes a suite of cases.
pub(crate) fn write(path: &Path, suite: &str, cases: &[Case]) -> Result<(), CliError> {
    std::fs::write(path, document(suite, cases))
        .map_err(|error| CliError(format!("cannot write {}: {error}", path.display())))
}

fn document(suite: &str, cases: &[Case]) -> String {
    let failed = cases
        .iter()
        .filter(|case| !case.failures.is_empty())
        .count();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (suite, tests) = (escape(suite), cases.len());
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "<testsuites>\n  <testsuite name=\"{suite}\" tests=\"{tests}\" failures=\"{failed}\">"
    );
    for case in cases {
        let name = escape(&case.name);
        let _ = write!(out, "    <testcase classname=\"{suite}\" name=\"{name}\"");
        if case.failures.is_empty() {
            out.push_str("/>\n");
            continue;
        }
        let first = escape(case.failures[0].lines().next().unwrap_or(""));
        let all = escape(&case.failures.join("\n"));
        let _ = writeln!(
            out,
            ">\n      <failure message=\"{first}\">{all}</failure>\n    </testcase>"
        );
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// Escapes markup, and replaces characters that XML cannot have.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_and_failures_are_escaped() {
        let cases = [
            Case {
                name: String::from("a.cl"),
                failures: Vec::new(),
            },
            Case {
                name: String::from("b \"c\".cl"),
                failures: vec![String::from("x < y && z\nnext"), String::from("\u{1b}[1m")],
            },
        ];
        let text = document("check", &cases);
        assert!(text.contains("tests=\"2\" failures=\"1\""), "{text}");
        assert!(
            text.contains("<testcase classname=\"check\" name=\"a.cl\"/>"),
            "{text}"
        );
        let failure = "<failure message=\"x &lt; y &amp;&amp; z\">x &lt; y &amp;&amp; z\nnext\n\u{fffd}[1m</failure>";
        assert!(text.contains(failure), "{text}");
    }
}
