//! The scenario text: target, declarations, initial state and instructions.
//!
//! [`Program::parse`] never fails: it returns the valid part of a program and all
//! diagnostics.

mod assembler;
mod blocks;
mod directives;
mod functions;
mod implicit_args;
mod init;
mod init_edit;
mod labels;
mod launch;
mod mapping;
mod order;
mod place;
mod probe;
mod source_lines;
mod target;
mod type_layout;
mod values;
mod warp;
mod work_item;

pub use assembler::{Assembled, AssembledGroup, Assembler, Disassembled, DisassembledGroup};
pub use blocks::{Block, BlockEdge, EdgeKind};
pub use directives::{DIRECTIVES, Directive, is_directive};
pub use init::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, pointer_text};
pub use init_edit::{Cell, parse_pointer_text};
pub(crate) use init_edit::{init_place, new_line};
pub use launch::{
    Buffer, Launch, LaunchConstant, NULL, PRINTF_BYTES, PRINTF_HEADER, Sizes, UNDEFINED,
};
pub use mapping::MAX_MAPPED;
pub use order::{LaneName, Order};
pub use place::ElementRange;
pub use source_lines::{SOURCE_LINE, file_name};
pub use type_layout::{StructField, TypeLayout};
pub use values::Values;
pub use work_item::{ItemPlace, WorkItem};

use crate::diagnostic::{Diagnostic, Diagnostics, Span, to_u32, to_usize};
pub use crate::isa::Target;
use crate::isa::sass::warp::AddressWindow;
use crate::isa::visa::declarations::Names;
use crate::isa::visa::op::{FUNCTION_ADDRESSES, LabelId};
use crate::isa::{
    Check, Family, FamilyFacts, Instruction, IssueContext, LaunchWords, OperandSpans, SymbolTable,
    ThreadSet, find_mnemonic, of_another_family,
};
use crate::machine::frames::Frame;
use crate::machine::{Machine, SpaceId, control};
use crate::rules;
use crate::text::{Cursor, Lexeme, LexemeKind, MAX_SUGGESTED, lex, nearest};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use labels::LabelKind;
use mapping::Mapping;
pub(crate) use probe::Probe;

/// An instruction of a program.
#[derive(Clone, Debug)]
pub struct ProgramInstruction {
    pub instruction: Instruction,
    /// Spans of its parts.
    pub spans: OperandSpans,
    /// Line, from 0.
    pub line: u32,
    /// Order in which its lanes are serialized.
    pub order: Rc<Order>,
}

/// Order in which the threads of a program issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadSchedule {
    /// A thread runs until it waits or ends, then the next one runs.
    Sequential,
    /// The threads take turns after each instruction.
    RoundRobin,
    /// As `Sequential`, from the last thread to the first.
    Reversed,
    /// A pseudorandom thread issues the next instruction.
    Random(u32),
}

impl ThreadSchedule {
    /// Schedules of the directive.
    pub const ALL: [Self; 3] = [Self::Sequential, Self::RoundRobin, Self::Reversed];

    /// Name in the directive; of a random schedule, without its seed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::RoundRobin => "round-robin",
            Self::Reversed => "reversed",
            Self::Random(_) => "seed",
        }
    }
}

/// An instruction about to be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Index of the instruction in the program.
    pub instruction: u32,
    /// The issuing threads.
    pub threads: ThreadSet,
}

/// A parsed and checked scenario.
#[derive(Clone, Debug)]
pub struct Program {
    /// `.title`.
    pub title: Option<String>,
    /// `.note` lines.
    pub notes: Vec<String>,
    /// Its symbols and its target.
    pub symbols: SymbolTable,
    /// Number of EUs: 1 or 2; 1 for a warp.
    pub threads: u8,
    /// The initial state.
    pub start: Machine,
    pub instructions: Vec<ProgramInstruction>,
    /// Maximum number of instructions that a run can issue; in a launch, per work-group.
    pub fuel: u32,
    /// The directive or option that sets `fuel`, named by the fault of a run that uses it up.
    pub fuel_setting: &'static str,
    /// Order in which threads issue.
    pub schedule: ThreadSchedule,
    /// The kernel launch, if any.
    pub launch: Option<Launch>,
    /// State before the first work-group, if others have run before the start.
    before_launch: Option<Rc<Machine>>,
    /// By label ID: index of the instruction that follows the label.
    labels: Vec<Option<u32>>,
    functions: BTreeSet<LabelId>,
    /// The variables of recursive functions, by the index of their first instruction.
    frames: BTreeMap<u32, Frame>,
    source_lines: Vec<source_lines::SourceLine>,
    /// Whether threads 2k and 2k+1 run in lockstep, as the EUs of a fused pair.
    lockstep: bool,
    /// Whether threads are warps whose lanes go on by themselves.
    has_warps: bool,
    /// Labels of a SASS program: the index of the instruction behind each.
    warp_labels: BTreeMap<String, u32>,
    /// All diagnostics, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The valid `.init` lines in order.
    inits: Vec<init::Init>,
    /// The words of all directives except `.title`, `.note` and `.order`, one line each.
    setup: String,
}

/// Maximum length of a text that is edited or drawn, in bytes.
pub const MAX_TEXT: usize = 4 << 20;

/// How deep scopes may nest.
const MAX_SCOPES: usize = 32;

/// Maximum length of a text that only runs, in bytes.
pub const MAX_RUN_TEXT: usize = 64 << 20;

/// Maximum number of instructions listed in a help message.
const MAX_LISTED: usize = 12;

/// Default of `.fuel`.
pub const DEFAULT_FUEL: u32 = 1_000_000;

/// Largest limit of `.fuel`.
pub const MAX_FUEL: u32 = 100_000_000;

impl Program {
    /// Words for the parts of a launch.
    #[must_use]
    pub const fn words(&self) -> &'static LaunchWords {
        &self.symbols.target.facts().words
    }

    /// Name of a thread: `EU1`; of a launch, `thread 1` or `warp 1`.
    #[must_use]
    pub fn thread_name(&self, thread: u8) -> String {
        match self.launch {
            Some(_) => format!("{} {thread}", self.words().thread),
            None => format!("EU{thread}"),
        }
    }

    /// Short name of a thread: `EU1`; of a launch, `T1` or `W1`.
    #[must_use]
    pub fn short_thread_name(&self, thread: u8) -> String {
        match (&self.launch, self.words().thread.chars().next()) {
            (Some(_), Some(letter)) => format!("{}{thread}", letter.to_ascii_uppercase()),
            _ => format!("EU{thread}"),
        }
    }

    /// Prefix of the registers of a thread, `EU1.`; empty if there is only one thread.
    #[must_use]
    pub fn thread_prefix(&self, thread: u8) -> String {
        match self.threads {
            1 => String::new(),
            _ => format!("{}.", self.short_thread_name(thread)),
        }
    }

    /// Spans of the targets of the `.init` lines that set a register of an EU, by name.
    pub fn init_spans(&self, name: &str, eu: u8) -> impl Iterator<Item = Span> {
        let inits = self.inits.iter().filter(move |init| {
            let is_of_eu = init.eu.is_none_or(|(of, _)| of == eu);
            is_of_eu && init.name.eq_ignore_ascii_case(name)
        });
        inits.map(|init| init.target)
    }

    /// Parses a scenario of at most [`MAX_TEXT`] bytes.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self::parse_within(text, MAX_TEXT)
    }

    /// Parses a scenario of at most [`MAX_RUN_TEXT`] bytes, to run it without showing it.
    #[must_use]
    pub fn parse_to_run(text: &str) -> Self {
        Self::parse_within(text, MAX_RUN_TEXT)
    }

    fn parse_within(text: &str, limit: usize) -> Self {
        if text.len() > limit {
            let span = Span::new(0, to_u32(text.len()));
            let what = format!("the text has {} bytes", text.len());
            let mut diagnostic = Diagnostic::new(&rules::TOO_LONG, span, what);
            if limit < MAX_RUN_TEXT {
                diagnostic = diagnostic.help("run it with the command line, `lanewise run`");
            }
            let mut reader = Reader::new(text);
            reader.out.push(diagnostic);
            return reader.finish();
        }
        let mut lexemes = Vec::new();
        lex(text, &mut lexemes);
        let mut reader = Reader::new(text);
        check_closed(&lexemes, &mut reader.out);
        let is_comment = |l: &Lexeme| matches!(l.kind, LexemeKind::Comment { .. });
        let comments: Vec<Lexeme> = lexemes.iter().copied().filter(is_comment).collect();
        lexemes.retain(|l| !is_comment(l));
        let lines = lexemes.split(|l| l.kind == LexemeKind::LineEnd);
        // The kernel is the first function and does not have an ID.
        let is_function = |line: &[Lexeme]| match line {
            [dot, name, ..] => dot.span.to(name.span).of(text) == ".function",
            _ => false,
        };
        let kernel = lines.clone().position(is_function);
        for (index, line) in lines.enumerate() {
            if Some(index) != kernel {
                labels::mention(text, line, &mut reader.symbols);
            }
        }
        let mut lines = LineNumbers::new(text);
        for line in lexemes.split(|l| l.kind == LexemeKind::LineEnd) {
            if let Some(first) = line.first() {
                reader.line = lines.of(first.span.start);
                reader.read_line(line);
            }
        }
        let facts = reader.facts();
        check_comments(&comments, text, facts, &mut reader.out);
        if facts.has_listing_comments {
            reader.line_comments = source_lines::named_in_comments(&comments, text);
        }
        reader.finish()
    }

    /// The issued instruction.
    ///
    /// # Panics
    /// If the issue belongs to another program.
    #[must_use]
    pub fn instruction(&self, issue: Issue) -> &ProgramInstruction {
        let placed = self.instructions.get(to_usize(issue.instruction));
        placed.expect("a running thread is at an instruction of its program")
    }

    /// The issue of an instruction by all threads.
    #[must_use]
    pub fn issue_by_all(&self, instruction: usize) -> Issue {
        Issue {
            instruction: to_u32(instruction),
            threads: ThreadSet::all(self.threads),
        }
    }

    /// The inputs of an issue in a state.
    #[must_use]
    pub const fn context<'s>(&'s self, issue: Issue, machine: &'s Machine) -> IssueContext<'s> {
        IssueContext {
            symbols: &self.symbols,
            machine,
            threads: issue.threads,
        }
    }

    /// Number of consecutive threads that run in lockstep.
    #[must_use]
    pub const fn lockstep_width(&self) -> u8 {
        if self.lockstep { 2 } else { 1 }
    }

    /// Whether its threads are warps of lanes with program counters of their own.
    #[must_use]
    pub const fn has_warps(&self) -> bool {
        self.has_warps
    }

    /// Labels of a SASS program: the index of the instruction behind each.
    pub fn warp_labels(&self) -> impl Iterator<Item = (&str, u32)> {
        let labels = self.warp_labels.iter();
        labels.map(|(name, position)| (&**name, *position))
    }

    /// Whether a label is the start of a subroutine.
    #[must_use]
    pub fn is_function(&self, label: LabelId) -> bool {
        self.functions.contains(&label)
    }

    /// Index of the instruction at a label, or the number of instructions at the end.
    /// `None` for an undefined label.
    #[must_use]
    pub fn label_position(&self, label: LabelId) -> Option<u32> {
        let index = usize::from(label.0).checked_sub(1)?;
        self.labels.get(index).copied().flatten()
    }

    /// Labels with their instruction indices.
    pub fn labels(&self) -> impl Iterator<Item = (LabelId, u32)> + '_ {
        let positions = (1..).map(LabelId).zip(&self.labels);
        positions.filter_map(|(label, position)| Some((label, (*position)?)))
    }

    /// The function at an address returned by `faddr`, or at its lower 32 bits: compilers keep
    /// addresses of functions in dwords, too.
    #[must_use]
    pub fn function_at(&self, address: u64) -> Option<u32> {
        let mut bases = [FUNCTION_ADDRESSES, FUNCTION_ADDRESSES & 0xffff_ffff].into_iter();
        let id = bases.find_map(|base| u16::try_from(address.checked_sub(base)?).ok())?;
        self.label_position(LabelId(id))
    }

    /// Whether the program can run, which means that no diagnostic is an error.
    #[must_use]
    pub fn can_run(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// State before the first work-group of a launch has run.
    #[must_use]
    pub fn before_launch(&self) -> &Machine {
        self.before_launch.as_deref().unwrap_or(&self.start)
    }

    /// The program with the state after earlier work-groups as its start.
    pub(crate) fn started_at(&self, start: Machine) -> Self {
        let mut program = self.clone();
        program.before_launch = Some(Rc::new(core::mem::replace(&mut program.start, start)));
        program
    }

    /// The edited program in the state after the earlier work-groups, if these run as
    /// before: the edit concerns comments and blanks.
    #[must_use]
    pub fn continue_as(&self, edited: &Self) -> Option<Self> {
        let targets = |program: &Self| {
            let branches = program
                .instructions
                .iter()
                .filter_map(|p| p.instruction.branch());
            let labels = branches.flat_map(|branch| branch.targets);
            labels
                .map(|label| program.label_position(*label))
                .collect::<Vec<_>>()
        };
        let is_same = self.before_launch.is_some()
            && self.is_equivalent(edited)
            && targets(self) == targets(edited);
        is_same.then(|| edited.started_at(self.start.clone()))
    }

    /// Whether the program has the same declarations and initial state as another. May
    /// return false for equivalent programs.
    #[must_use]
    pub fn starts_like(&self, other: &Self) -> bool {
        // The mapped registers and the execution masks depend on the instructions too.
        let mask = |program: &Self, thread| program.start.load(SpaceId::flags(thread), 0, 4);
        self.setup == other.setup
            && self.threads == other.threads
            && self.start.is_mapped_like(&other.start)
            && (0..self.threads).all(|thread| mask(self, thread) == mask(other, thread))
    }

    /// Length of the common prefix of instructions with equal lane orders.
    #[must_use]
    pub fn common_instructions(&self, other: &Self) -> usize {
        let pairs = self.instructions.iter().zip(&other.instructions);
        let same = |(a, b): &(&ProgramInstruction, &ProgramInstruction)| {
            a.instruction == b.instruction && a.order == b.order
        };
        pairs.take_while(same).count()
    }

    /// Span of the `.order` line before an instruction, without comments: its own, or
    /// the one for all instructions before the first.
    #[must_use]
    pub fn order_line(&self, instruction: usize) -> Option<Span> {
        let placed = self.instructions.get(instruction)?;
        placed.order.line_before(instruction == 0)
    }

    /// Whether it is equivalent to another program except for lane orders.
    #[must_use]
    pub fn is_equivalent_but_for_orders(&self, other: &Self) -> bool {
        let own = self.instructions.iter().map(|placed| &placed.instruction);
        let others = other.instructions.iter().map(|placed| &placed.instruction);
        self.starts_like(other) && own.eq(others)
    }

    /// Whether it is equivalent to another program: comments, blanks, title, notes and
    /// spelling may differ.
    #[must_use]
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let count = self.instructions.len();
        self.starts_like(other)
            && count == other.instructions.len()
            && self.common_instructions(other) == count
    }
}

/// Converts ascending byte offsets to lines.
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

    /// The line of a byte, from 0. Calls must be in ascending order.
    fn of(&mut self, at: u32) -> u32 {
        let to = crate::diagnostic::to_usize(at);
        let passed = &self.text.as_bytes()[self.at..to];
        let ends = passed.iter().filter(|b| **b == b'\n').count();
        self.line += to_u32(ends);
        self.at = to;
        self.line
    }
}

/// Parses a text line by line.
#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    line: u32,
    target_seen: bool,
    /// Whether a target-dependent line has been read.
    committed: bool,
    title: Option<String>,
    notes: Vec<String>,
    symbols: SymbolTable,
    threads: Option<(u8, Span)>,
    slm: Option<(u64, Span)>,
    mappings: Vec<Mapping>,
    /// Windows set by the text.
    windows: Vec<AddressWindow>,
    /// Spaces that could not be mapped, for which further diagnostics are suppressed.
    unmapped: Vec<SpaceId>,
    /// Whether the memory limit has been exceeded.
    full: bool,
    /// Sizes of surfaces, by ID.
    surfaces: Vec<(u8, Mapping)>,
    inits: Vec<init::Init>,
    setup: String,
    orders: order::Pending,
    /// Whether a line has an instruction for fused pairs, valid or not, so that an error
    /// in it does not make EU1 unknown.
    has_fused: bool,
    instructions: Vec<ProgramInstruction>,
    fuel: Option<(u32, Span)>,
    schedule: Option<(ThreadSchedule, Span)>,
    launch: launch::PendingLaunch,
    /// By label ID: instruction index and kind of the last definition.
    labels: Vec<Option<(u32, LabelKind)>>,
    /// Whether a line starts a function.
    has_function: bool,
    /// Labels that are subroutines.
    functions: BTreeSet<LabelId>,
    /// The variables declared before each function, and its first instruction.
    function_starts: Vec<functions::Start>,
    /// Labels of a SASS program: the index of the instruction behind each.
    warp_labels: BTreeMap<String, u32>,
    /// `.kernel_attr SimdSize`.
    simd_size: Option<u8>,
    /// The scopes around the line, each with its brace and the names before it.
    scopes: Vec<(Span, Names)>,
    /// Where the `.decl` lines start, in ascending order.
    declared_lines: Vec<u32>,
    line_comments: Vec<source_lines::LineComment>,
    out: Diagnostics,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    fn read_line(&mut self, line: &[Lexeme]) {
        let end = line.last().map_or(0, |l| l.span.end);
        let mut cursor = Cursor::new(self.text, line, end);
        let first = cursor.peek().map(|l| l.kind);
        if first == Some(LexemeKind::Quoted { closed: false }) {
            // Already reported; the intended target is unknown.
            self.committed = true;
        } else if !self.facts().has_declarations
            && let Some(label) = warp::label(cursor.rest().of(self.text))
        {
            self.committed = true;
            self.define_warp_label(label, cursor.rest());
        } else if cursor.is_punct('.') {
            self.note_setup(line);
            self.read_directive(&mut cursor);
        } else if is_label(line) && self.facts().has_declarations {
            self.committed = true;
            let (name, span) = cursor.name().expect("a label starts with its name");
            self.define_label(name, span, LabelKind::Label);
        } else if self.facts().has_declarations && self.read_scope(line) {
            self.committed = true;
        } else {
            self.committed = true;
            self.read_instruction(&mut cursor);
        }
    }

    /// Reads a line `{` or `}`. What is declared between them has its name there only.
    fn read_scope(&mut self, line: &[Lexeme]) -> bool {
        let [brace] = line else { return false };
        match brace.kind {
            LexemeKind::Punct('{') if self.scopes.len() < MAX_SCOPES => {
                self.scopes.push((brace.span, self.symbols.visa.names()));
                true
            }
            LexemeKind::Punct('}') => {
                let scope = self.scopes.pop();
                scope
                    .map(|(_, names)| self.symbols.visa.restore_names(names))
                    .is_some()
            }
            _ => false,
        }
    }

    /// Records the words of a directive that can affect the initial state.
    fn note_setup(&mut self, line: &[Lexeme]) {
        let mut words = line.iter().map(|lexeme| lexeme.span.of(self.text));
        let name = words.clone().nth(1).unwrap_or_default();
        let matters = |other| !name.eq_ignore_ascii_case(other);
        if ["title", "note", "order"].into_iter().all(matters) {
            words.by_ref().for_each(|word| {
                self.setup.push_str(word);
                self.setup.push(' ');
            });
            self.setup.push('\n');
        }
    }

    const fn family(&self) -> Family {
        self.symbols.target.family()
    }

    const fn facts(&self) -> &'static FamilyFacts {
        self.symbols.target.facts()
    }

    fn read_instruction(&mut self, cursor: &mut Cursor<'_>) {
        self.orders.start();
        let whole = cursor.rest();
        if self.read_warp_instruction(whole) {
            return;
        }
        let Some(mnemonic) = find_mnemonic(cursor, self.family()) else {
            let word = cursor.word();
            let what = format!("unknown instruction `{word}`");
            let help = "start an instruction with its mnemonic, a directive with a dot";
            self.out
                .advise(&rules::UNKNOWN_INSTRUCTION, whole, what, help);
            return;
        };
        let word = mnemonic.of(self.text);
        let Some(spec) = Instruction::named(self.family(), word) else {
            self.report_unknown(word, mnemonic, whole);
            return;
        };
        self.has_fused |= spec.fused;
        let mut spans = OperandSpans::new(whole);
        let first = self.out.len();
        let parsed = Instruction::parse(spec, cursor, &self.symbols, &mut spans, &mut self.out);
        if self.symbols.visa.is_compiled() {
            // Compilers know names that the assembler of 2022 writes otherwise.
            for rule in [&rules::NUMBER_CHANGED, &rules::DOCUMENT_SPELLING] {
                self.out.keep_first_since(first, rule, 0);
            }
        }
        let order = self.orders.take();
        let Ok(instruction) = parsed else {
            return;
        };
        let before = self.out.len();
        let mut check = Check::new(&self.symbols, &spans, &mut self.out).in_program();
        instruction.check(&mut check);
        if self.out.has_errors_since(before) {
            return;
        }
        self.instructions.push(ProgramInstruction {
            instruction,
            spans,
            line: self.line,
            order,
        });
    }

    fn report_unknown(&mut self, word: &str, span: Span, whole: Span) {
        let family = self.family();
        // A misspelled instruction consumes the order before it.
        self.orders.take();
        if let Some(diagnostic) = of_another_family(word, span, family, self.target_seen) {
            self.out.push(diagnostic);
            return;
        }
        let end = Span::new(span.end, span.end);
        if self.facts().has_declarations
            && Span::new(span.end, whole.end)
                .of(self.text)
                .starts_with(':')
        {
            let colon = Span::new(span.end + 1, span.end + 1);
            let what = format!("expected the end of the line after label `{word}`");
            let help = "write the instruction on its own line";
            self.out.fix(&rules::LABEL, colon, what, help, colon, "\n");
            return;
        }
        let what = format!("unknown instruction `{word}`");
        let diagnostic = Diagnostic::new(&rules::UNKNOWN_INSTRUCTION, span, what);
        if let Some(help) = family.similar_help(word) {
            self.out.push(diagnostic.help(help));
            return;
        }
        let known = self.symbols.target.mnemonics().into_iter();
        let known =
            known.filter(|mnemonic| mnemonic.starts_with(|c: char| c.is_ascii_alphabetic()));
        let near = (self.out.len() < MAX_SUGGESTED).then(|| nearest(word, known));
        self.out.push(match near.flatten() {
            Some(near) => {
                let help = format!("did you mean `{near}`?");
                match self.accepts(&format!(
                    "{}{near}{}",
                    Span::new(whole.start, span.start).of(self.text),
                    Span::new(span.end, whole.end).of(self.text),
                )) {
                    true => diagnostic.fix(help, span, near),
                    false => diagnostic.help(help),
                }
            }
            None if self.facts().has_declarations && span == whole => {
                diagnostic.fix(format!("write `{word}:` to define a label"), end, ":")
            }
            None => {
                let all: Vec<&str> = Instruction::specs(family).map(|s| s.name).collect();
                match all.len() {
                    ..=MAX_LISTED => {
                        let all = all.join(", ");
                        diagnostic.help(format!("the supported instructions are {all}"))
                    }
                    _ => diagnostic,
                }
            }
        });
    }

    /// Whether a line is an instruction without errors.
    fn accepts(&self, line: &str) -> bool {
        let (mut lexemes, mut out) = (Vec::new(), Diagnostics::new());
        lex(line, &mut lexemes);
        let mut symbols = self.symbols.clone();
        labels::mention(line, &lexemes, &mut symbols);
        let mut cursor = Cursor::new(line, &lexemes, to_u32(line.len()));
        let mnemonic = find_mnemonic(&cursor, self.family());
        let spec = mnemonic.and_then(|word| Instruction::named(self.family(), word.of(line)));
        let mut spans = OperandSpans::new(cursor.rest());
        let parsed = spec.and_then(|spec| {
            Instruction::parse(spec, &mut cursor, &symbols, &mut spans, &mut out).ok()
        });
        parsed.is_some_and(|instruction| {
            let mut check = Check::new(&symbols, &spans, &mut out).in_program();
            instruction.check(&mut check);
            !out.has_errors_since(0)
        })
    }

    /// A name that is declared after its use needs no other declaration.
    fn explain_late_declarations(&mut self) {
        for diagnostic in self.out.since_mut(0) {
            let is_undeclared = core::ptr::eq(diagnostic.rule, &rules::UNDECLARED);
            let name = diagnostic.span.of(self.text);
            if is_undeclared && self.symbols.visa.declared(name).is_some() {
                diagnostic.help = format!("move the `.decl` line of `{name}` above this line");
                diagnostic.edit = None;
            }
        }
    }

    /// A `.decl` line that an edit adds follows the declarations before it.
    fn place_declarations(&mut self) {
        for diagnostic in self.out.since_mut(0) {
            let Some(edit) = &mut diagnostic.edit else {
                continue;
            };
            if edit.span.start != edit.span.end || !edit.replacement.starts_with(".decl ") {
                continue;
            }
            let earlier = self
                .declared_lines
                .partition_point(|line| *line < edit.span.start);
            let Some(last) = earlier.checked_sub(1) else {
                continue;
            };
            let line = Cursor::line_of(self.text, self.declared_lines[last]);
            // A block comment may end on another line.
            if !line.of(self.text).contains("/*") {
                let after = (line.end + 1).min(edit.span.start);
                edit.span = Span::new(after, after);
            }
        }
    }

    fn finish(mut self) -> Program {
        if let Some((brace, _)) = self.scopes.pop() {
            let what = "this scope is not closed";
            let help = "add a line with `}`";
            self.out
                .advise(&rules::UNKNOWN_INSTRUCTION, brace, what, help);
        }
        let usual = if self.has_fused { 2 } else { 1 };
        let mut instructions = self.instructions.iter();
        let matrices = instructions.any(|placed| placed.instruction.matrix().is_some());
        for placed in &self.instructions {
            placed.instruction.note(&mut self.symbols);
        }
        self.symbols.visa.value_flow.finish();
        let mut launch = self.finish_launch();
        let threads = match &launch {
            Some(launch) => launch.threads(),
            None => self.threads.map_or(usual, |(threads, _)| threads),
        };
        let frames = self.frames();
        let has_warps = self.has_warps();
        self.resolve_warp_labels();
        let mut start = self.map_memory(threads, matrices, !frames.is_empty());
        if has_warps {
            self.start_warps(threads, &mut start);
        }
        if let Some(launch) = &launch {
            self.fill_buffers(launch, &mut start);
        }
        self.apply_inits(threads, launch.as_mut(), &mut start);
        for thread in 0..threads {
            control::dispatch(&mut start, thread);
        }
        self.explain_late_declarations();
        self.place_declarations();
        let labels = self.finish_labels();
        self.note_partial_branches();
        let stage = IssueContext {
            symbols: &self.symbols,
            machine: &start,
            threads: ThreadSet::all(threads),
        };
        for placed in &self.instructions {
            placed.instruction.check_run(
                &stage,
                &mut Check::new(&self.symbols, &placed.spans, &mut self.out),
            );
        }
        let placed = self.instructions.iter().map(|placed| {
            let spec = placed.instruction.spec();
            let shape = order::LaneSet {
                lanes: placed.instruction.lanes(),
                channels: placed.instruction.channels(),
                at_once: (!spec.lane_queue).then_some(spec.name),
            };
            (&*placed.order, shape)
        });
        self.orders.check(placed, threads, &mut self.out);
        let comments = self.line_comments;
        let source_lines = source_lines::collect(&self.instructions, comments, &self.symbols);
        self.out.sort();
        Program {
            title: self.title,
            notes: self.notes,
            symbols: self.symbols,
            threads,
            start,
            instructions: self.instructions,
            fuel: self.fuel.map_or(DEFAULT_FUEL, |(fuel, _)| fuel),
            fuel_setting: "`.fuel N` in the scenario",
            schedule: match self.schedule {
                Some((schedule, _)) => schedule,
                // A warp may wait for what another one writes.
                None if has_warps && threads > 1 => ThreadSchedule::RoundRobin,
                None => ThreadSchedule::Sequential,
            },
            labels,
            functions: self.functions,
            frames,
            source_lines,
            lockstep: (self.has_fused || launch.is_none()) && !has_warps,
            has_warps,
            warp_labels: self.warp_labels,
            launch,
            before_launch: None,
            diagnostics: self.out.into_vec(),
            inits: self.inits,
            setup: self.setup,
        }
    }
}

/// Reports unterminated strings and comments.
fn check_closed(lexemes: &[Lexeme], out: &mut Diagnostics) {
    for lexeme in lexemes {
        let what = match lexeme.kind {
            LexemeKind::Comment { closed: false } => "unterminated block comment",
            LexemeKind::Quoted { closed: false } => "unterminated string",
            _ => continue,
        };
        let end = Span::new(lexeme.span.end, lexeme.span.end);
        let close = match lexeme.kind {
            LexemeKind::Comment { .. } => " */",
            _ => "\"",
        };
        out.fix(&rules::UNCLOSED, lexeme.span, what, "close it", end, close);
    }
}

/// Reports comments of another family.
fn check_comments(lexemes: &[Lexeme], text: &str, facts: &FamilyFacts, out: &mut Diagnostics) {
    if facts.has_listing_comments {
        return;
    }
    for lexeme in lexemes {
        let hash = Span::new(lexeme.span.start, lexeme.span.start + 1);
        let is_comment = matches!(lexeme.kind, LexemeKind::Comment { .. });
        if is_comment && hash.of(text) == "#" {
            let what = "`#` comments are supported in SASS only";
            out.fix(&rules::HASH_COMMENT, hash, what, "use `//`", hash, "//");
        }
    }
}

/// Whether a line consists of a label, `name:`.
pub(crate) fn is_label(line: &[Lexeme]) -> bool {
    matches!(
        line,
        [
            Lexeme {
                kind: LexemeKind::Name,
                ..
            },
            Lexeme {
                kind: LexemeKind::Punct(':'),
                ..
            }
        ]
    )
}
