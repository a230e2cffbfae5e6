//! What a rule's text says that a real tool does with what breaks it.

use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::rules::Rule;

/// A statement about a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It takes it.
    Takes,
    /// It refuses it.
    Refuses,
    /// It crashes or hangs.
    Fails,
}

/// Words by which a text speaks of a tool.
const TOOLS: [&str; 4] = [
    "real tool",
    "real assembler",
    "real disassembler",
    "finalizer",
];

/// Whether the text of a rule speaks of a tool.
#[must_use]
pub fn speaks_of_a_tool(rule: &Rule) -> bool {
    TOOLS.iter().any(|tool| rule.why.contains(tool))
}

/// The statement of a rule, if it makes one: the last verb that follows a name
/// of a tool counts.
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

/// What the diagnostics of a line lead to expect of the tool.
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
