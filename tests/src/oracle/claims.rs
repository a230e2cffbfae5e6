//! Extracts claims about real tools from the texts of rules.

use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::rules::Rule;

/// Claim about what a tool does with input that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    Takes,
    Refuses,
    /// Crashes or hangs.
    Fails,
}

/// Phrases that refer to a tool.
const TOOLS: [&str; 4] = [
    "real tool",
    "real assembler",
    "real disassembler",
    "finalizer",
];

/// Whether the text of a rule mentions a tool.
#[must_use]
pub fn mentions_tool(rule: &Rule) -> bool {
    TOOLS.iter().any(|tool| rule.why.contains(tool))
}

/// Claim of a rule about a tool, if any, from the verbs after the name of the tool.
#[must_use]
pub fn claim(rule: &Rule) -> Option<Claim> {
    const VERBS: [(&str, Claim); 20] = [
        ("crashes", Claim::Fails),
        ("hangs", Claim::Fails),
        ("never ends", Claim::Fails),
        ("rejects", Claim::Refuses),
        ("cannot parse", Claim::Refuses),
        ("requires", Claim::Refuses),
        ("supports DPASW", Claim::Refuses),
        ("supports DPAS", Claim::Refuses),
        ("support them", Claim::Refuses),
        ("support only", Claim::Refuses),
        ("accepts", Claim::Takes),
        ("encodes", Claim::Takes),
        ("treats", Claim::Takes),
        ("passes", Claim::Takes),
        ("quiets", Claim::Takes),
        ("writes", Claim::Takes),
        ("read", Claim::Takes),
        ("prints", Claim::Takes),
        ("does not check", Claim::Takes),
        ("checks", Claim::Takes),
    ];
    let after = TOOLS.iter().filter_map(|tool| rule.why.find(tool)).min()?;
    let text = &rule.why[after..];
    // In order of precedence: a crash outweighs acceptance.
    VERBS
        .iter()
        .find(|(verb, _)| text.contains(verb))
        .map(|(_, claim)| *claim)
}

/// Expected behavior of the tool for a line with these diagnostics.
#[must_use]
pub fn expected<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> Claim {
    let mut expected = Claim::Takes;
    for diagnostic in diagnostics {
        let rule = diagnostic.rule;
        let about_running = matches!(&rule.code[1..3], "07" | "08");
        match (diagnostic.severity(), claim(rule)) {
            _ if about_running => {}
            (Severity::Error, _) | (Severity::Note, Some(Claim::Refuses)) => {
                return Claim::Refuses;
            }
            (_, Some(Claim::Fails)) => expected = Claim::Fails,
            _ => {}
        }
    }
    expected
}
