//! vISA listings (`.visaasm`) of the real assembler and of compilers.

use crate::text::cut;
use crate::{Content, FileKind, Function, Item, MAX_FUNCTIONS, MAX_NAME, OpenedFile};
use crate::{functions_note, limit};
use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::Target;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::{MAX_TEXT, Program};
use lanewise_core::rules;
use std::collections::HashMap;

/// Directives that start a kernel or function with its own declarations.
const BEGINNINGS: [&str; 3] = [".kernel", ".global_function", ".func"];

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
    // Byte offsets of kernels and functions.
    let mut starts = Vec::new();
    let mut has_declarations = false;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        if begins(code) {
            starts.push(offset);
        }
        has_declarations |= starts.is_empty() && code.starts_with(".decl");
        offset += line.len();
        if starts.len() > MAX_FUNCTIONS {
            break;
        }
    }
    // Declarations outside of a kernel.
    if has_declarations {
        starts.insert(0, 0);
    }
    let mut notes = Vec::new();
    let mut functions = Vec::new();
    for (index, start) in starts.iter().enumerate() {
        if index == MAX_FUNCTIONS {
            notes.push(functions_note());
            break;
        }
        let end = starts.get(index + 1).copied().unwrap_or(text.len());
        let limit = limit(&functions);
        functions.push(function(name, *start, &text[*start..end], limit));
    }
    let foreign = |f: &Function| f.instructions() - f.own_instructions();
    let skipped: usize = functions.iter().map(foreign).sum();
    if skipped > 0 {
        notes.push(match skipped {
            1 => String::from("1 unsupported instruction becomes a comment"),
            _ => format!("{skipped} unsupported instructions become comments"),
        });
    }
    OpenedFile {
        kind: FileKind::VisaListing,
        functions,
        notes,
    }
}

/// Reads the function in `lines`, which are at offset `start` in the file.
fn function(file: &str, start: usize, lines: &str, limit: usize) -> Function {
    // A listing does not state its platform.
    let target = Target::Visa(Platform::Xehp);
    let name = lines.lines().next().and_then(quoted_name);
    let mut function = Function {
        name: cut(name.unwrap_or(file), MAX_NAME).into_owned(),
        target,
        declarations: Vec::new(),
        items: Vec::new(),
        notes: Vec::new(),
    };
    if lines.len() > MAX_TEXT {
        let limit = MAX_TEXT >> 20;
        function.notes.push(format!(
            "the function is not read: its text is larger than {limit} MB"
        ));
        return function;
    }
    // Trim trailing white space, including `\r`.
    let text: Vec<&str> = lines.lines().map(str::trim_end).collect();
    let read = Lines::of(&text.join("\n"));
    function.target = read.target;
    let mut offset = start;
    let mut dropped = 0;
    for (number, line) in lines.split_inclusive('\n').enumerate() {
        let at = offset;
        offset += line.len();
        let line = line.trim_end();
        let content = match read.content(number, line) {
            LineContent::Nothing => continue,
            LineContent::Directive => {
                function.declarations.push(line.trim().to_owned());
                continue;
            }
            LineContent::Dropped(why) => {
                dropped += 1;
                if dropped <= MAX_DROPPED {
                    function.notes.push(why);
                }
                continue;
            }
            LineContent::Item(content) => content,
        };
        if function.items.len() == limit {
            let note = format!("only the first {limit} instructions are listed");
            function.notes.push(note);
            break;
        }
        function.items.push(Item {
            offset: at,
            bytes: Vec::new(),
            content,
        });
    }
    if dropped > MAX_DROPPED {
        let more = dropped - MAX_DROPPED;
        function
            .notes
            .push(format!("{more} more directives are omitted"));
    }
    function
}

/// Maximum number of omitted directives listed by name.
const MAX_DROPPED: usize = 20;

/// Quoted name, or the second word.
fn quoted_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    match line.split_once('"') {
        Some((_, rest)) => rest.split('"').next(),
        None => line.split_whitespace().nth(1),
    }
}

/// Lines as parsed by the core.
struct Lines {
    /// Target of the `.target` line, if present.
    target: Target,
    /// Instruction of each line, without comment.
    instructions: HashMap<usize, String>,
    /// First error of each line, and whether it is only an unknown instruction or
    /// directive.
    errors: HashMap<usize, (String, bool)>,
}

enum LineContent {
    /// Blank line or comment.
    Nothing,
    /// Directive that the scenario keeps.
    Directive,
    /// Directive that is not valid in a scenario, with the reason.
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
            let rule = diagnostic.rule;
            if diagnostic.severity() == Severity::Error && !rule.concerns_running() {
                let unknown = [&rules::UNKNOWN_INSTRUCTION, &rules::UNKNOWN_DIRECTIVE];
                let unknown = unknown.contains(&rule);
                errors
                    .entry(line)
                    .or_insert_with(|| (diagnostic.message(), unknown));
            }
        }
        Self {
            target: program.symbols.target,
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
        if let Some(name) = code.strip_prefix(".function ") {
            let name = name.trim().trim_matches('"');
            return LineContent::Item(Content::Label(name.to_owned()));
        }
        if code.starts_with('.') {
            return match error {
                None if code.starts_with(".target") => LineContent::Nothing,
                None => LineContent::Directive,
                Some((message, _)) => {
                    LineContent::Dropped(format!("`{code}` is omitted: {message}"))
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
