//! vISA as text (`.visaasm`), as the real assembler and compilers print it.

use crate::{Content, FileKind, Function, Item, MAX_INSTRUCTIONS, OpenedFile};
use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::Target;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::{MAX_TEXT, Program};
use lanewise_core::rules;
use std::collections::HashMap;

/// Directives that begin a kernel or a function with declarations of its own.
const BEGINNINGS: [&str; 3] = [".kernel", ".global_function", ".func"];

/// Whether a text is a vISA listing.
pub(crate) fn recognises(name: &str, text: &str) -> bool {
    let is_named = name.to_ascii_lowercase().ends_with(".visaasm");
    is_named
        || text.lines().any(|line| {
            let line = line.trim_start();
            line.starts_with(".decl ") || begins(line)
        })
}

fn begins(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    BEGINNINGS.contains(&word)
}

/// Opens a listing.
pub(crate) fn open(name: &str, text: &str) -> OpenedFile {
    let mut head = Vec::new();
    let mut parts: Vec<Vec<(usize, &str)>> = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let at = offset;
        offset += line.len();
        let line = line.trim_end();
        if begins(line.trim_start()) {
            parts.push(Vec::new());
        }
        match parts.last_mut() {
            Some(part) => part.push((at, line)),
            None => head.push((at, line)),
        }
    }
    // Declarations without a kernel around them.
    if head
        .iter()
        .any(|(_, line)| line.trim_start().starts_with(".decl"))
    {
        parts.insert(0, std::mem::take(&mut head));
    }
    let functions: Vec<Function> = parts.iter().map(|part| function(name, part)).collect();
    let foreign = |f: &Function| f.instructions() - f.own_instructions();
    let skipped: usize = functions.iter().map(foreign).sum();
    let mut notes = Vec::new();
    if skipped > 0 {
        notes.push(format!(
            "{skipped} instructions are not run by Lanewise and become comments"
        ));
    }
    OpenedFile {
        kind: FileKind::VisaListing,
        functions,
        notes,
    }
}

fn function(file: &str, lines: &[(usize, &str)]) -> Function {
    // A listing does not say for which platform it is.
    let target = Target::Visa(Platform::Xehp);
    let name = lines.first().and_then(|(_, line)| quoted_name(line));
    let mut function = Function {
        name: name.unwrap_or_else(|| String::from(file)),
        target,
        declarations: Vec::new(),
        items: Vec::new(),
        notes: Vec::new(),
    };
    let text: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
    let text = text.join("\n");
    if text.len() > MAX_TEXT {
        let limit = MAX_TEXT >> 20;
        function.notes.push(format!(
            "it has more than {limit} MB of text and is not read"
        ));
        return function;
    }
    let read = Lines::of(&text);
    for (number, (offset, line)) in lines.iter().enumerate() {
        let content = match read.content(number, line) {
            LineContent::Nothing => continue,
            LineContent::Directive => {
                function.declarations.push(line.trim().to_owned());
                continue;
            }
            LineContent::Dropped(why) => {
                function.notes.push(why);
                continue;
            }
            LineContent::Item(content) => content,
        };
        if function.items.len() == MAX_INSTRUCTIONS {
            function.notes.push(format!(
                "only the first {MAX_INSTRUCTIONS} instructions are listed"
            ));
            break;
        }
        function.items.push(Item {
            offset: *offset,
            bytes: Vec::new(),
            content,
        });
    }
    function
}

/// The name between quotation marks, or the second word.
fn quoted_name(line: &str) -> Option<String> {
    let line = line.trim_start();
    let name = match line.split_once('"') {
        Some((_, rest)) => rest.split('"').next(),
        None => line.split_whitespace().nth(1),
    };
    name.map(String::from)
}

/// What the core found in each line.
struct Lines {
    /// The instruction of a line, without its comment.
    instructions: HashMap<usize, String>,
    /// The first error of a line, and whether it only says that there is no
    /// such instruction or directive.
    errors: HashMap<usize, (String, bool)>,
}

enum LineContent {
    /// Blank, or a comment.
    Nothing,
    /// A directive that the scenario has too.
    Directive,
    /// A directive that a scenario does not take, and why.
    Dropped(String),
    Item(Content),
}

impl Lines {
    fn of(text: &str) -> Self {
        let program = Program::parse(text);
        let starts: Vec<usize> = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let line_of = |byte: u32| {
            let byte = usize::try_from(byte).expect("usize has 32 bits or more");
            starts.partition_point(|start| *start <= byte) - 1
        };
        let instructions = program.instructions.iter().map(|placed| {
            let span = placed.spans.whole();
            (line_of(span.start), span.of(text).trim().to_owned())
        });
        let mut errors = HashMap::new();
        for diagnostic in &program.diagnostics {
            let line = line_of(diagnostic.span.start);
            let code = diagnostic.rule.code;
            if diagnostic.severity() == Severity::Error && !rules::concerns_running(code) {
                let unknown = [&rules::UNKNOWN_INSTRUCTION, &rules::UNKNOWN_DIRECTIVE];
                let unknown = unknown.iter().any(|rule| rule.code == code);
                errors
                    .entry(line)
                    .or_insert_with(|| (diagnostic.message(), unknown));
            }
        }
        Self {
            instructions: instructions.collect(),
            errors,
        }
    }

    fn content(&self, number: usize, line: &str) -> LineContent {
        let code = line.split("//").next().unwrap_or("").trim();
        if code.is_empty() || code.starts_with("/*") && code.ends_with("*/") {
            return LineContent::Nothing;
        }
        let error = self.errors.get(&number);
        if code.starts_with('.') {
            return match error {
                None => LineContent::Directive,
                Some((message, _)) => {
                    LineContent::Dropped(format!("`{code}` is left out: {message}"))
                }
            };
        }
        if let Some(label) = code.strip_suffix(':') {
            return LineContent::Item(Content::Label(label.to_owned()));
        }
        LineContent::Item(match (error, self.instructions.get(&number)) {
            (None, Some(text)) => Content::Instruction {
                text: text.clone(),
                warnings: Vec::new(),
            },
            (Some((_, true)), _) => Content::Other(code.to_owned()),
            (Some((message, false)), _) => Content::Incomplete {
                text: code.to_owned(),
                reason: message.clone(),
            },
            (None, None) => Content::Other(code.to_owned()),
        })
    }
}
