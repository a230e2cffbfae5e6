//! Writes a function as a scenario.

use crate::text::one_line;
use crate::{Content, Function, Item, memory};
use lanewise_core::program::{DIRECTIVES, MAX_TEXT};

/// Maximum number of bytes shown in the comment of an unsupported instruction.
const MAX_SHOWN_BYTES: usize = 40;

/// Text length after which comments are omitted, to stay below [`MAX_TEXT`].
const MAX_COMMENTS: usize = MAX_TEXT - (1 << 19);

/// Text length after which instructions are omitted.
const MAX_INSTRUCTIONS_TEXT: usize = MAX_TEXT - (1 << 16);

/// Directives that also occur in compiler listings.
const LISTED: [&str; 7] = [
    "target",
    "decl",
    "kernel",
    "kernel_attr",
    "function",
    "input",
    "version",
];

/// Whether a text is a scenario: it has a directive that compiler listings do not
/// have, or a `.target` that Lanewise supports.
#[must_use]
pub fn is_scenario(text: &str) -> bool {
    let is = |line: &str| {
        let Some(directive) = line.trim_start().strip_prefix('.') else {
            return false;
        };
        let mut words = directive.split_whitespace();
        match (words.next(), words.next()) {
            (Some("target"), Some("visa" | "sass")) => true,
            (Some(name), _) if LISTED.contains(&name) => false,
            (Some(name), _) => DIRECTIVES.iter().any(|known| known.name == name),
            (None, _) => false,
        }
    };
    text.lines().any(is)
}

/// Number of lines of a text that determine what it is.
const MAX_LINES: usize = 500;

/// Whether a text is compiler output that a scenario cannot contain: a listing of
/// nvdisasm, or source code of a kernel.
#[must_use]
pub fn is_listing(text: &str) -> bool {
    let mut lines = text.lines().take(MAX_LINES).map(str::trim_start);
    lines.any(|line| {
        let comment = line.strip_prefix("/*");
        let address = comment.and_then(|rest| Some(rest.split_once("*/")?.0));
        let is_hexadecimal = |digits: &str| digits.bytes().all(|b| b.is_ascii_hexdigit());
        let starts = ["kernel void ", "__kernel ", ".visible .entry "];
        address.is_some_and(|address| address.len() >= 4 && is_hexadecimal(address))
            || starts.iter().any(|start| line.starts_with(start))
    })
}

/// Number of instructions in a scenario that are comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commented {
    pub instructions: usize,
    /// Number of them that are control flow.
    pub control_flow: usize,
}

/// Control-flow instructions of vISA and SASS in lower case, without those that
/// end the program.
const CONTROL_FLOW: [&str; 24] = [
    "bra",
    "break",
    "brk",
    "brx",
    "bssy",
    "bsync",
    "cal",
    "call",
    "cont",
    "else",
    "endif",
    "fcall",
    "goto",
    "if",
    "ifcall",
    "jcal",
    "jmp",
    "jmx",
    "join",
    "pbk",
    "ssy",
    "switchjmp",
    "sync",
    "while",
];

/// Counts the instructions that are comments in the form written by [`write`],
/// such as `// 0x0040 @P0 BRA …`.
#[must_use]
pub fn commented(text: &str) -> Commented {
    let mut found = Commented::default();
    for line in text.lines() {
        let Some((offset, rest)) = line
            .strip_prefix("// 0x")
            .and_then(|place| place.split_once(' '))
        else {
            continue;
        };
        if offset.len() < 4 || !offset.bytes().all(|b| b.is_ascii_hexdigit()) {
            continue;
        }
        found.instructions += 1;
        let words =
            rest.split(|c: char| !c.is_ascii_alphanumeric() && !['@', '!', '('].contains(&c));
        let mnemonic = words
            .filter(|word| !word.is_empty())
            .find(|word| !word.starts_with(['@', '(']));
        let mnemonic = mnemonic.unwrap_or_default().to_ascii_lowercase();
        found.control_flow += usize::from(CONTROL_FLOW.contains(&&*mnemonic));
    }
    found
}

/// Writes the scenario of a function, with proposed memory.
pub(crate) fn write(function: &Function) -> String {
    let head = head(function);
    let instructions = instructions(function, head.len());
    let memory = memory::propose(&head, &instructions);
    format!("{head}{memory}\n{instructions}")
}

fn head(function: &Function) -> String {
    let mut out = format!(".target {}\n", function.target.name());
    let title = quotable(&function.name);
    out += &format!(".title \"{title}\"\n");
    for note in &function.notes {
        out += &format!(".note \"{}\"\n", quotable(note));
    }
    for declaration in &function.declarations {
        out.push_str(declaration);
        out.push('\n');
    }
    out
}

/// Instruction lines; `before` is the length of the preceding text.
pub(crate) fn instructions(function: &Function, before: usize) -> String {
    let comments_others = function.comments_others();
    let mut out = String::new();
    let mut left_out = 0_usize;
    let mut own_left_out = 0_usize;
    for item in &function.items {
        if let Some(line) = line(item, comments_others) {
            if before + out.len() > MAX_INSTRUCTIONS_TEXT {
                own_left_out += 1;
                continue;
            }
            out.push_str(&line);
            out.push('\n');
        } else if before + out.len() < MAX_COMMENTS {
            out.push_str(&comment(item));
            out.push('\n');
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        out += &match left_out {
            1 => String::from("// 1 more unsupported instruction is omitted\n"),
            _ => format!("// {left_out} more unsupported instructions are omitted\n"),
        };
    }
    if own_left_out > 0 {
        let limit = MAX_TEXT >> 20;
        let are = match own_left_out {
            1 => String::from("1 more instruction is"),
            _ => format!("{own_left_out} more instructions are"),
        };
        out += &format!("unreadable  // {are} omitted: a program has at most {limit} MB\n");
    }
    out
}

/// Line of an item; `None` for items that become comments. Lines of unreadable
/// items start with a word that is not an instruction, so that the program
/// reports an error there.
fn line(item: &Item, comments_others: bool) -> Option<String> {
    let bytes = hex(&item.bytes, MAX_SHOWN_BYTES);
    let with_reason = |line: String, reason: Option<&String>| match reason {
        Some(reason) => format!("{}  // {}", line.trim_end(), one_line(reason)),
        None => line,
    };
    Some(match &item.content {
        Content::Instruction { text, warnings } => with_reason(text.clone(), warnings.first()),
        Content::Incomplete { text, reason } if bytes.is_empty() => {
            with_reason(one_line(text), Some(reason))
        }
        Content::Incomplete { text, reason } => {
            let reason = format!("{bytes}: {reason}");
            with_reason(format!("incomplete {}", one_line(text)), Some(&reason))
        }
        Content::Unreadable(reason) => with_reason(format!("unreadable {bytes}"), Some(reason)),
        _ if comments_others => return None,
        Content::Other(text) if bytes.is_empty() => one_line(text),
        Content::Other(text) => format!("{}  // {bytes}", one_line(text)),
        Content::Label(name) => format!("{}:", one_line(name)),
        Content::Directive(text) => one_line(text),
    })
}

/// Comment line for an item of SASS that is not an instruction of the scenario.
fn comment(item: &Item) -> String {
    let place = format!("// {:#06x}", item.offset);
    let bytes = hex(&item.bytes, MAX_SHOWN_BYTES);
    match &item.content {
        Content::Label(name) => format!("// {}:", one_line(name)),
        Content::Other(text) if !bytes.is_empty() => {
            format!("{place} {}: {bytes}", one_line(text))
        }
        Content::Other(text)
        | Content::Directive(text)
        | Content::Instruction { text, .. }
        | Content::Incomplete { text, .. }
        | Content::Unreadable(text) => format!("{place} {}", one_line(text)),
    }
}

/// The digits of at most `limit` bytes.
pub(crate) fn hex(bytes: &[u8], limit: usize) -> String {
    let shown = bytes.iter().take(limit);
    let mut digits: String = shown.map(|b| format!("{b:02x}")).collect();
    if bytes.len() > limit {
        digits += &format!("… ({} bytes)", bytes.len());
    }
    digits
}

/// Escapes a text for use in quotation marks.
fn quotable(text: &str) -> String {
    one_line(text).replace('"', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commented_instructions_are_counted() {
        let text = "\
// 0x0040 @!P0 BRA `(.L_x_1)
// 0x0048 MOV R1, R2: 0011
// .L_x_1:
// 0x0050 (P1) jmp: 3300
// 0x0058 0a0b: it cannot be read
//  0x0060 BRA
ATOM.E.ADD R0, [R2], R4  // 0x0068 BRA
// 0xno BRA
";
        let wanted = Commented {
            instructions: 4,
            control_flow: 2,
        };
        assert_eq!(commented(text), wanted);
        assert_eq!(commented(""), Commented::default());
    }
}
