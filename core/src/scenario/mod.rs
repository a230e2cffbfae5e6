//! The scenario text: target, declarations, starting state, instructions.
//!
//! [`Program::parse`] never fails: it gives as much of a program as could be
//! read, with every diagnostic of the text.

mod assembler;
mod directives;
mod init;
mod order;
mod target;
mod values;

pub use assembler::{Assembled, Assembler, Disassembled};
pub use directives::{DIRECTIVES, MAX_MAPPED};
pub use init::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, pointer_text};
pub use order::{LaneName, Order};
pub use values::Values;

use crate::diagnostic::{Diagnostic, Findings, Severity, Span, to_u32};
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::platform::Platform;
use crate::isa::visa::predefined::is_mnemonic;
use crate::isa::{Check, Instruction, Places, SPECS};
use crate::machine::{Machine, SpaceId};
use crate::rules;
use crate::text::{Cursor, Kind, Lexeme, MAX_SUGGESTED, lex, nearest, same_word};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// What the program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// vISA on a platform.
    Visa(Platform),
}

impl Target {
    /// `visa XEHP`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Visa(platform) => format!("visa {}", platform.name()),
        }
    }
}

/// An instruction of a program.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The instruction.
    pub instruction: Instruction,
    /// Where its parts stand in the text.
    pub places: Places,
    /// Its line, from 0.
    pub line: u32,
    /// How its lanes are serialised.
    pub order: Rc<Order>,
}

/// A whole scenario, read and checked.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is for.
    pub target: Target,
    /// `.title`.
    pub title: Option<String>,
    /// `.note` lines.
    pub notes: Vec<String>,
    /// Its variables.
    pub names: Declarations,
    /// How many EUs run: 1 or 2.
    pub threads: u8,
    /// The state before the first instruction.
    pub start: Machine,
    /// Its instructions, foreign ones left out.
    pub instructions: Vec<Placed>,
    /// Everything found, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 4 << 20;

/// Size of the shared local memory where no `.slm` says otherwise.
pub const DEFAULT_SLM: u64 = 65_536;

impl Program {
    /// Reads a scenario.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if text.len() > MAX_TEXT {
            let mut findings = Findings::new();
            let span = Span::new(0, to_u32(text.len()));
            findings.report(
                &rules::TOO_LONG,
                span,
                format!("the text has {} bytes", text.len()),
            );
            let mut reader = Reader::new(text);
            reader.out = findings;
            return reader.finish();
        }
        let mut lexemes = Vec::new();
        lex(text, &mut lexemes);
        let mut reader = Reader::new(text);
        check_closed(&lexemes, &mut reader.out);
        lexemes.retain(|l| !matches!(l.kind, Kind::Comment { .. }));
        let mut lines = LineNumbers::new(text);
        for line in lexemes.split(|l| l.kind == Kind::LineEnd) {
            if let Some(first) = line.first() {
                reader.line = lines.of(first.span.start);
                reader.read_line(line);
            }
        }
        reader.finish()
    }

    /// Whether it can run: none of its diagnostics is an error.
    #[must_use]
    pub fn can_run(&self) -> bool {
        !self
            .diagnostics
            .iter()
            .any(|d| d.severity() == Severity::Error)
    }
}

/// Counts lines on the way through a text.
struct LineNumbers<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl<'t> LineNumbers<'t> {
    const fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            line: 0,
        }
    }

    /// The line of a byte; asked in ascending order.
    fn of(&mut self, at: u32) -> u32 {
        let to = crate::diagnostic::to_usize(at);
        let passed = self.text.as_bytes().get(self.at..to).unwrap_or(&[]);
        let ends = passed.iter().filter(|b| **b == b'\n').count();
        self.line += to_u32(ends);
        self.at = to;
        self.line
    }
}

/// A mapped range that the text asks for.
struct Mapping {
    space: SpaceId,
    start: u64,
    bytes: u64,
    span: Span,
}

/// Reads a text line by line.
struct Reader<'t> {
    text: &'t str,
    line: u32,
    target: Target,
    target_seen: bool,
    /// Whether a line was read that depends on the target.
    committed: bool,
    title: Option<String>,
    notes: Vec<String>,
    names: Declarations,
    threads: Option<(u8, Span)>,
    slm: Option<(u64, Span)>,
    mappings: Vec<Mapping>,
    /// Spaces that could not be mapped; nothing more is said about them.
    unmapped: Vec<SpaceId>,
    /// Whether memory was asked for beyond the limit.
    full: bool,
    /// Sizes of surfaces, by number.
    surfaces: Vec<(u8, Mapping)>,
    inits: Vec<init::Init>,
    orders: order::Pending,
    instructions: Vec<Placed>,
    out: Findings,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            line: 0,
            target: Target::Visa(Platform::Xehp),
            target_seen: false,
            committed: false,
            title: None,
            notes: Vec::new(),
            names: Declarations::new(Platform::Xehp),
            threads: None,
            slm: None,
            mappings: Vec::new(),
            unmapped: Vec::new(),
            full: false,
            surfaces: Vec::new(),
            inits: Vec::new(),
            orders: order::Pending::default(),
            instructions: Vec::new(),
            out: Findings::new(),
        }
    }

    fn read_line(&mut self, line: &[Lexeme]) {
        let end = line.last().map_or(0, |l| l.span.end);
        let mut cursor = Cursor::new(self.text, line, end);
        let first = cursor.peek().map(|l| l.kind);
        if first == Some(Kind::Quoted { closed: false }) {
            // Told already, and what it would have been is not known.
            self.committed = true;
        } else if cursor.is_sign('.') {
            self.read_directive(&mut cursor);
        } else if is_label(line) {
            self.committed = true;
        } else {
            self.committed = true;
            self.read_instruction(&mut cursor);
        }
    }

    fn read_instruction(&mut self, cursor: &mut Cursor<'_>) {
        self.orders.start();
        let whole = cursor.rest();
        let Some(mnemonic) = find_mnemonic(cursor) else {
            let word = cursor.word();
            self.out.push(
                Diagnostic::new(
                    &rules::UNKNOWN_INSTRUCTION,
                    whole,
                    format!("`{word}` starts no instruction"),
                )
                .help("an instruction starts with its mnemonic, a directive with a dot"),
            );
            return;
        };
        let word = mnemonic.of(self.text);
        let Some(spec) = Instruction::named(word) else {
            self.report_unknown(word, mnemonic, whole);
            return;
        };
        let mut places = Places::new(whole);
        let parsed = Instruction::parse(spec, cursor, &self.names, &mut places, &mut self.out);
        let order = self.orders.take();
        let Ok(instruction) = parsed else {
            return;
        };
        let before = self.out.len();
        instruction.check(&mut Check {
            names: &self.names,
            places: &places,
            out: &mut self.out,
        });
        if self.out.has_errors_since(before) {
            return;
        }
        self.instructions.push(Placed {
            instruction,
            places,
            line: self.line,
            order,
        });
    }

    fn report_unknown(&mut self, word: &str, span: Span, whole: Span) {
        if same_word(word, "ret") {
            return;
        }
        if is_mnemonic(word) || word.starts_with("lsc_") {
            let what = format!("`{word}` is skipped");
            self.out.report(&rules::FOREIGN_INSTRUCTION, whole, what);
            return;
        }
        let what = format!("`{word}` is not an instruction");
        let diagnostic = Diagnostic::new(&rules::UNKNOWN_INSTRUCTION, span, what);
        let known = SPECS.iter().flat_map(|s| s.mnemonics.iter().copied());
        // A misspelt instruction takes the order that stands before it.
        self.orders.take();
        let near = (self.out.len() < MAX_SUGGESTED).then(|| nearest(word, known));
        self.out.push(match near.flatten() {
            Some(near) => diagnostic.mend(format!("did you mean `{near}`?"), span, near),
            None => {
                let all: Vec<&str> = SPECS.iter().map(|s| s.name).collect();
                diagnostic.help(format!("Lanewise runs {}", all.join(", ")))
            }
        });
    }

    fn finish(mut self) -> Program {
        let threads = self.threads.map_or(1, |(threads, _)| threads);
        let mut start = self.map_memory(threads);
        self.apply_inits(threads, &mut start);
        for placed in &self.instructions {
            placed.instruction.check_run(
                &start,
                &mut Check {
                    names: &self.names,
                    places: &placed.places,
                    out: &mut self.out,
                },
            );
        }
        let placed = self.instructions.iter().map(|placed| {
            let lanes = placed.instruction.execution().size.lanes();
            (&*placed.order, lanes)
        });
        self.orders.check(placed, threads, &mut self.out);
        self.out.sort();
        Program {
            target: self.target,
            title: self.title,
            notes: self.notes,
            names: self.names,
            threads,
            start,
            instructions: self.instructions,
            diagnostics: self.out.into_vec(),
        }
    }
}

/// Reports quotations and comments that do not end.
fn check_closed(lexemes: &[Lexeme], out: &mut Findings) {
    for lexeme in lexemes {
        let what = match lexeme.kind {
            Kind::Comment { closed: false } => "the comment is not closed",
            Kind::Quoted { closed: false } => "the quotation is not closed",
            _ => continue,
        };
        let end = Span::new(lexeme.span.end, lexeme.span.end);
        let close = match lexeme.kind {
            Kind::Comment { .. } => " */",
            _ => "\"",
        };
        out.push(Diagnostic::new(&rules::UNCLOSED, lexeme.span, what).mend("close it", end, close));
    }
}

/// `name:` alone on its line.
fn is_label(line: &[Lexeme]) -> bool {
    matches!(
        line,
        [
            Lexeme {
                kind: Kind::Name,
                ..
            },
            Lexeme {
                kind: Kind::Sign(':'),
                ..
            }
        ]
    )
}

/// The first name of a line that does not stand in the leading parentheses.
/// A mnemonic ends them even where the closing one is missing.
fn find_mnemonic(cursor: &Cursor<'_>) -> Option<Span> {
    let mut ahead = cursor.clone();
    if ahead.sign('(').is_some() {
        let mut names = 0_u32;
        while let Some(next) = ahead.take() {
            let word = next.span.of(ahead.text());
            let known = Instruction::named(word).is_some() || names > 0 && is_mnemonic(word);
            match next.kind {
                Kind::Sign(')') => break,
                Kind::Name if known && !ahead.is_sign(')') => return Some(next.span),
                Kind::Name => names += 1,
                _ => {}
            }
        }
    }
    ahead.name().map(|(_, span)| span)
}
