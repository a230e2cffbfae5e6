//! vISA listings (`.visaasm`) of the real assembler and of compilers.

use super::evidence::Evidence;
use crate::text::cut;
use crate::{Content, FileKind, Function, Item, MAX_FUNCTIONS, MAX_NAME, OpenedFile};
use crate::{assumed_target, functions_note, inferred_target, limit};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::Target;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::{MAX_TEXT, Program};
use lanewise_core::rules;
use lanewise_core::text::{LexemeKind, lex};
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

/// Opens a listing; `target` is that of functions that do not name theirs.
pub(crate) fn open(name: &str, text: &str, target: Option<Target>) -> OpenedFile {
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
    match starts.first_mut() {
        // Declarations outside of a kernel.
        _ if has_declarations => starts.insert(0, 0),
        // A heading belongs to the first function.
        Some(first) => *first = 0,
        None => {}
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
        let lines = &text[*start..end];
        functions.push(function(name, *start, lines, target, limit));
    }
    OpenedFile {
        kind: FileKind::VisaListing,
        functions,
        notes,
    }
}

/// Reads the function in `lines`, which are at offset `start` in the file.
fn function(
    file: &str,
    start: usize,
    lines: &str,
    target: Option<Target>,
    limit: usize,
) -> Function {
    let name = lines.lines().find(|line| begins(line.trim_start()));
    let name = name.and_then(quoted_name);
    let mut function = Function {
        name: cut(name.unwrap_or(file), MAX_NAME).into_owned(),
        target: target.unwrap_or_default(),
        declarations: Vec::new(),
        items: Vec::new(),
        notes: Vec::new(),
    };
    if lines.len() > MAX_TEXT {
        let limit = MAX_TEXT >> 20;
        let why = format!("the function is not read: its text is larger than {limit} MB");
        function.add_unreadable(start, why);
        return function;
    }
    let code = without_comments(lines);
    let mut read = Lines::of(&code);
    let stated = match read.names_target {
        true => Some(read.target),
        // Compilers name a family, such as XE2, of which the caller may know the member.
        false => named_platform(lines).map(|named| match target {
            Some(Target::Visa(asked)) if asked.has_code_of(named) => Target::Visa(asked),
            _ => Target::Visa(named),
        }),
    };
    let evidence = Evidence::of(&code, read.needs_wide_registers(&code));
    // What the listing shows outweighs what the caller asks for, who compares the two.
    let asked = target.filter(|target| platform_of(Some(*target), evidence).is_ok());
    match platform_of(stated.or(asked), evidence) {
        Ok(Some((chosen, why))) => {
            function.target = chosen;
            let note = why.map(|why| inferred_target("listing", chosen, why));
            function.notes.extend(note);
        }
        Ok(None) => {
            function.target = likely_target(&read, &code);
            let note = assumed_target("listing", function.target);
            function.notes.push(note);
        }
        Err(why) => {
            function.add_unreadable(start, why);
            return function;
        }
    }
    if function.target != read.target {
        read = Lines::for_target(function.target, &code);
    }
    let mut offset = start;
    for (number, (line, code)) in lines.split_inclusive('\n').zip(code.lines()).enumerate() {
        let at = offset;
        offset += line.len();
        let Some(content) = read.content(number, code.trim()) else {
            continue;
        };
        match content {
            Content::Directive(text) if function.items.is_empty() => {
                function.declarations.push(text);
            }
            _ if function.items.len() == limit => {
                function.cut_off(limit);
                break;
            }
            content => function.items.push(Item {
                offset: at,
                bytes: Vec::new(),
                content,
            }),
        }
    }
    function
}

/// The stated target, or the one that a listing shows, with the reason; `None` if it shows
/// none.
///
/// # Errors
/// What contradicts itself.
fn platform_of(
    stated: Option<Target>,
    evidence: Evidence,
) -> Result<Option<(Target, Option<&'static str>)>, String> {
    if let (Some(wide), Some(narrow)) = (evidence.wide, evidence.narrow) {
        return Err(format!(
            "the listing contradicts itself: {wide}, but {narrow}"
        ));
    }
    let shown = (evidence.wide.map(|why| (64, why))).or(evidence.narrow.map(|why| (32, why)));
    match (stated, shown) {
        (Some(target @ Target::Visa(platform)), Some((bytes, why)))
            if platform.grf_bytes() != bytes =>
        {
            Err(format!(
                "the target is {}, whose registers have {} bytes, but {why}: they have {bytes}",
                target.name(),
                platform.grf_bytes()
            ))
        }
        (Some(target), _) => Ok(Some((target, None))),
        (None, _) => {
            let why = evidence.wide.or(evidence.likely_wide);
            let why = why.filter(|_| evidence.narrow.is_none());
            let wide = Platform::ALL.into_iter().find(|p| p.grf_bytes() == 64);
            Ok(wide.zip(why).map(|(p, why)| (Target::Visa(p), Some(why))))
        }
    }
}

/// Target of `read`, or the first one with the fewest lines that are refused.
fn likely_target(read: &Lines, code: &str) -> Target {
    let mut likely = (read.target, read.refused());
    for target in Platform::ALL.map(Target::Visa) {
        if likely.1 == 0 {
            break;
        }
        let refused = Lines::for_target(target, code).refused();
        if refused < likely.1 {
            likely = (target, refused);
        }
    }
    likely.0
}

/// Quoted name, or the second word.
fn quoted_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    match line.split_once('"') {
        Some((_, rest)) => rest.split('"').next(),
        None => line.split_whitespace().nth(1),
    }
}

/// Replaces comments with blanks. `#` and an unclosed `/*` are errors in vISA, and
/// remain.
fn without_comments(text: &str) -> String {
    let mut lexemes = Vec::new();
    lex(text, &mut lexemes);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for lexeme in lexemes {
        let comment = lexeme.span.of(text);
        if lexeme.kind == (LexemeKind::Comment { closed: true }) && !comment.starts_with('#') {
            out += &text[from..to_usize(lexeme.span.start)];
            out.extend(comment.chars().map(|c| if c == '\n' { c } else { ' ' }));
            from = to_usize(lexeme.span.end);
        }
    }
    out + &text[from..]
}

/// Platform in a comment such as `//.platform XeHPC` or `//Platform: XE2`, as the finalizer writes
/// into its own listings.
fn named_platform(text: &str) -> Option<Platform> {
    let mut names = text.lines().filter_map(|line| {
        let comment = line.trim_start().strip_prefix("//")?;
        let comment = comment.trim_start();
        let own = comment.strip_prefix(".platform");
        let name = own.or_else(|| comment.strip_prefix("Platform:"))?;
        name.split_whitespace().next()
    });
    names.next().and_then(Platform::named)
}

/// Lines as parsed by the core.
struct Lines {
    target: Target,
    /// Whether the lines have a valid `.target`.
    names_target: bool,
    /// First error of each line, and whether it is only an unknown instruction.
    errors: HashMap<usize, (String, bool)>,
    /// Lines with an alias that extends beyond its variable.
    long_aliases: Vec<usize>,
}

impl Lines {
    fn of(text: &str) -> Self {
        Self::read("", text)
    }

    /// Reads lines behind a heading, which has no number.
    fn read(heading: &str, text: &str) -> Self {
        let program = Program::parse(&format!("{heading}{text}"));
        let starts: Vec<usize> = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let line_of = |byte: u32| {
            let byte = to_usize(byte).saturating_sub(heading.len());
            starts.partition_point(|start| *start <= byte) - 1
        };
        let mut errors = HashMap::new();
        let mut long_aliases = Vec::new();
        for diagnostic in &program.diagnostics {
            let line = line_of(diagnostic.span.start);
            let rule = diagnostic.rule;
            if rule == &rules::ALIAS_END {
                long_aliases.push(line);
            }
            if diagnostic.is_error() && !rule.concerns_running() {
                let unknown = rule == &rules::UNKNOWN_INSTRUCTION;
                errors
                    .entry(line)
                    .or_insert_with(|| (diagnostic.message(), unknown));
            }
        }
        let mut targets = text.lines().enumerate().filter(|(_, line)| is_target(line));
        Self {
            target: program.symbols.target,
            names_target: targets.any(|(number, _)| !errors.contains_key(&number)),
            errors,
            long_aliases,
        }
    }

    /// Reads lines that do not name their target; their numbers do not change.
    fn for_target(target: Target, code: &str) -> Self {
        let heading = format!(".target {}\n", target.name());
        Self::read(&heading, code)
    }

    /// Number of lines with known instructions or directives that are errors.
    fn refused(&self) -> usize {
        let known = self.errors.values().filter(|(_, unknown)| !unknown);
        known.count()
    }

    /// Whether a variable is more than 32 bytes of `%r0`, which is one register.
    fn needs_wide_registers(&self, code: &str) -> bool {
        let mut aliases = self.long_aliases.iter();
        let lines: Vec<&str> = code.lines().collect();
        aliases.any(|line| {
            let line = lines.get(*line).copied().unwrap_or_default();
            let base = line
                .split_once("alias=<")
                .map(|(_, base)| base.trim_start());
            base.is_some_and(|base| base.starts_with("%r0,"))
        })
    }

    /// Content of a line without comments; `None` for blank lines and the target,
    /// which the function has.
    fn content(&self, number: usize, code: &str) -> Option<Content> {
        let error = self.errors.get(&number);
        let text = code.to_owned();
        if code.is_empty() || self.names_target && error.is_none() && is_target(code) {
            return None;
        }
        Some(match error {
            _ if code.starts_with('.') => Content::Directive(text),
            None => match code.strip_suffix(':') {
                Some(label) => Content::Label(label.trim_end().to_owned()),
                None => Content::Instruction {
                    text,
                    warnings: Vec::new(),
                },
            },
            Some((_, true)) => Content::Other(text),
            Some((reason, false)) => Content::Incomplete {
                text,
                reason: reason.clone(),
            },
        })
    }
}

fn is_target(line: &str) -> bool {
    line.split_whitespace().next() == Some(".target")
}
