//! The instructions, and what each of them has to say about itself.
//!
//! An instruction is one file and one line in the register at the end of this
//! module. Everything else (the picker, completion, the encoding view, the
//! explanation, generic tests) derives from its [`Spec`] and [`Semantics`].

pub mod rmw;
pub mod visa;

use crate::bits::{DecodeError, Decoder, Describer, Encoded, Encoder, Field, Visitor};
use crate::contradictions::Contradiction;
use crate::diagnostic::{Diagnostic, Findings, Span};
use crate::machine::{Change, Machine, Recorder, SpaceId};
use crate::rules::{self, Mark};
use crate::text::{Cursor, Part, Sink, Token};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use visa::declarations::Declarations;
use visa::execution::Execution;

/// Which spelling a printer uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// The documents'.
    Document,
    /// The real assembler's.
    Assembler,
}

/// A statement about an instruction, with where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Documented, observed or assumed.
    pub mark: Mark,
    /// The statement.
    pub text: &'static str,
}

/// A row of an instruction's operation table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationRow {
    /// The code in the encoding.
    pub code: u64,
    /// The document's name.
    pub name: &'static str,
    /// The real assembler's name.
    pub assembler: &'static str,
    /// What the new value is.
    pub formula: &'static str,
    /// Operand types, in words.
    pub types: &'static str,
    /// What is returned.
    pub returns: &'static str,
}

/// An example that is shown as documentation and run as a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it shows.
    pub title: &'static str,
    /// A whole scenario with one instruction.
    pub scenario: &'static str,
    /// The instruction in the document's style.
    pub document: &'static str,
    /// The instruction in the assembler's style.
    pub assembler: &'static str,
    /// Its encoding in hexadecimal.
    pub bytes: &'static str,
    /// Values at the end: a place as in `.init`, and its elements.
    pub end: &'static [(&'static str, &'static str)],
}

/// What an instruction's document says, for readers.
#[derive(Debug)]
pub struct Spec {
    /// The document's name.
    pub name: &'static str,
    /// Mnemonics, lower case: the assembler's spelling first.
    pub mnemonics: &'static [&'static str],
    /// The bytes that every encoding starts with.
    pub opcode: &'static [u8],
    /// What it does, in two sentences.
    pub summary: &'static str,
    /// The document that it is taken from.
    pub source: &'static str,
    /// The text forms, one a line, assembler style then document style.
    pub syntax: &'static [&'static str],
    /// The operations; empty where there is only one.
    pub operations: fn() -> Vec<OperationRow>,
    /// The pseudo-code, one line each, in our words.
    pub pseudo_code: &'static [&'static str],
    /// Rules and choices.
    pub facts: &'static [Fact],
    /// Contradictions that concern it.
    pub contradictions: &'static [&'static Contradiction],
    /// Examples.
    pub examples: &'static [Example],
}

/// Where the parts of an instruction stand in its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    whole: Span,
    parts: Vec<(Part, Span)>,
}

impl Places {
    /// Places of an instruction whose line is `whole`.
    #[must_use]
    pub const fn new(whole: Span) -> Self {
        Self {
            whole,
            parts: Vec::new(),
        }
    }

    /// The instruction's line, comment left out.
    #[must_use]
    pub const fn whole(&self) -> Span {
        self.whole
    }

    /// Sets the whole span.
    pub fn set_whole(&mut self, whole: Span) {
        self.whole = whole;
    }

    /// Notes where a part stands.
    pub fn set(&mut self, part: Part, span: Span) {
        self.parts.push((part, span));
    }

    /// Where a part stands; the whole instruction for one that is not there.
    #[must_use]
    pub fn of(&self, part: Part) -> Span {
        self.parts
            .iter()
            .find(|(p, _)| *p == part)
            .map_or(self.whole, |(_, span)| *span)
    }

    /// Forgets all places, keeping the storage.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.whole = Span::default();
    }
}

/// What a check sees and where it reports.
pub struct Check<'c> {
    /// The program's variables.
    pub names: &'c Declarations,
    /// Where the parts stand.
    pub places: &'c Places,
    /// Where findings go.
    pub out: &'c mut Findings,
}

impl Check<'_> {
    /// Reports a broken rule at a part.
    pub fn report(&mut self, rule: &'static rules::Rule, part: Part, what: impl Into<String>) {
        let span = self.places.of(part);
        self.out.report(rule, span, what);
    }

    /// Reports with advice.
    pub fn advise(
        &mut self,
        rule: &'static rules::Rule,
        part: Part,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        let span = self.places.of(part);
        self.out.push(Diagnostic::new(rule, span, what).help(help));
    }

    /// Reports with the edit that replaces the part.
    pub fn mend(
        &mut self,
        rule: &'static rules::Rule,
        part: Part,
        what: impl Into<String>,
        help: impl Into<String>,
        replacement: &str,
    ) {
        let span = self.places.of(part);
        self.out
            .push(Diagnostic::new(rule, span, what).mend(help, span, replacement));
    }
}

/// Which lane of which EU does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit {
    /// 0 or 1.
    pub eu: u8,
    /// The lane within the instruction, from 0.
    pub lane: u8,
}

/// Why an access cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The address is not a multiple of the access size.
    Misaligned,
    /// Nothing is mapped there.
    Unmapped,
}

impl FaultKind {
    /// The word used in JSON answers.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Misaligned => "misaligned",
            Self::Unmapped => "unmapped",
        }
    }
}

/// What one lane is about to do: its operands are latched when the
/// instruction issues, so that a dst that is also a source does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Who.
    pub unit: Unit,
    /// In which space.
    pub space: SpaceId,
    /// Size of the cell in bytes.
    pub bytes: u8,
    /// Whether the cell exists; an access out of bounds reads zero and writes
    /// nothing.
    pub in_bounds: bool,
    /// What is wrong with the address, if it faults.
    pub fault: Option<FaultKind>,
    /// Address of the cell.
    pub address: u64,
    /// src0 of this lane.
    pub src0: u64,
    /// src1 of this lane.
    pub src1: u64,
    /// Where the returned value goes in the register file, if it is wanted.
    pub dst: Option<u32>,
}

/// What an instruction sees when it issues.
pub struct Stage<'s> {
    /// The program's variables.
    pub names: &'s Declarations,
    /// The state before the instruction.
    pub machine: &'s Machine,
    /// How many EUs run: 1 or 2.
    pub threads: u8,
}

/// Why a text has no instruction in it: the findings say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// An instruction: its text, its bits, its rules and what it does.
pub trait Semantics: Copy {
    /// What its document says.
    const SPEC: &'static Spec;

    /// An instruction to decode into.
    fn blank() -> Self;

    /// Reads a line.
    ///
    /// # Errors
    /// When the line is no such instruction; the findings say why.
    fn parse(
        cursor: &mut Cursor<'_>,
        names: &Declarations,
        places: &mut Places,
        out: &mut Findings,
    ) -> Result<Self, Refused>;

    /// Prints it. Reading the result gives the same instruction.
    fn print(&self, names: &Declarations, style: Style, sink: &mut impl Sink);

    /// Visits its bits from the first byte's lowest bit up.
    ///
    /// # Errors
    /// When a decoder finds bits that have no meaning.
    fn layout<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), DecodeError>;

    /// Checks an encoding beyond its fields: unknown numbers are errors.
    fn check_encoding(&self, check: &mut Check<'_>);

    /// Reports which rules of the documents it breaks. An error means that it
    /// is not encoded.
    fn check(&self, check: &mut Check<'_>);

    /// Reports why it cannot run, if it cannot.
    fn check_run(&self, machine: &Machine, check: &mut Check<'_>);

    /// Latches what every enabled lane will do, EU0 before EU1, lanes
    /// ascending. Nothing changes.
    fn issue(&self, stage: &Stage<'_>, out: &mut Vec<Access>);

    /// Makes one access.
    fn perform<R: Recorder>(&self, access: &Access, machine: &mut Machine, recorder: &mut R);

    /// One sentence on what an access did: `slm[0x40] 4 + 5 → 9, returned 4`.
    fn narrate(&self, access: &Access, changes: &[Change], names: &Declarations) -> String;

    /// Lanes, mask and predicate.
    fn execution(&self) -> &Execution;

    /// The code of its operation, for the operation table.
    fn operation(&self) -> Option<u64>;

    /// The element type in which its cells and operands are best shown.
    fn shown_as(&self) -> crate::number::ElementType;
}

macro_rules! register {
    ($($name:ident = $($path:ident)::+;)*) => {
        /// Any of the instructions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Instruction {
            $(#[doc = concat!("An instruction of the file `", stringify!($($path)::+), "`.")]
            $name($($path)::+::$name),)*
        }

        /// What the documents say of each instruction.
        pub static SPECS: &[&Spec] = &[$(<$($path)::+::$name as Semantics>::SPEC),*];

        impl Instruction {
            /// What its document says.
            #[must_use]
            pub fn spec(&self) -> &'static Spec {
                match self { $(Self::$name(_) => <$($path)::+::$name as Semantics>::SPEC,)* }
            }

            fn parse_as(
                spec: &'static Spec,
                cursor: &mut Cursor<'_>,
                names: &Declarations,
                places: &mut Places,
                out: &mut Findings,
            ) -> Result<Self, Refused> {
                $(if core::ptr::eq(spec, <$($path)::+::$name as Semantics>::SPEC) {
                    return <$($path)::+::$name as Semantics>::parse(cursor, names, places, out)
                        .map(Self::$name);
                })*
                Err(Refused)
            }

            fn decode_as(spec: &'static Spec, decoder: &mut Decoder<'_>) -> Option<Result<Self, DecodeError>> {
                $(if core::ptr::eq(spec, <$($path)::+::$name as Semantics>::SPEC) {
                    let mut blank = <$($path)::+::$name as Semantics>::blank();
                    return Some(blank.layout(decoder).map(|()| Self::$name(blank)));
                })*
                None
            }
        }

        /// Calls one method of the instruction inside.
        macro_rules! each {
            ($self:expr, $inner:ident => $call:expr) => {
                match $self { $(Instruction::$name($inner) => $call,)* }
            };
        }
    };
}

register! {
    DwordAtomic = visa::dword_atomic;
    SvmAtomic = visa::svm_atomic;
}

impl Instruction {
    /// The instruction whose mnemonic this word is, in either spelling.
    #[must_use]
    pub fn named(word: &str) -> Option<&'static Spec> {
        SPECS
            .iter()
            .copied()
            .find(|s| s.mnemonics.iter().any(|m| m.eq_ignore_ascii_case(word)))
    }

    /// Reads a line that holds an instruction described by `spec`.
    ///
    /// # Errors
    /// When something is wrong with the line; the findings say what.
    pub fn parse(
        spec: &'static Spec,
        cursor: &mut Cursor<'_>,
        names: &Declarations,
        places: &mut Places,
        out: &mut Findings,
    ) -> Result<Self, Refused> {
        let before = out.len();
        let parsed = Self::parse_as(spec, cursor, names, places, out);
        if !cursor.at_end() && !out.has_errors_since(before) {
            let rest = cursor.rest();
            out.push(
                Diagnostic::new(
                    &rules::TRAILING,
                    rest,
                    format!("`{}` is left over", rest.of(cursor.text())),
                )
                .mend("remove it", rest, ""),
            );
        }
        if out.has_errors_since(before) {
            return Err(Refused);
        }
        parsed
    }

    /// Its encoding.
    #[must_use]
    pub fn encode(&self) -> Encoded {
        let mut encoder = Encoder::default();
        // An encoder never refuses: only decoders report errors.
        each!(self, inner => inner.clone().layout(&mut encoder)).unwrap_or_default();
        encoder.finish()
    }

    /// Reads one instruction from the start of `bytes`; also how many bytes
    /// it took. Findings are about the bytes: their spans are byte ranges.
    ///
    /// # Errors
    /// When the bytes have no reading; the findings say why.
    pub fn decode(
        bytes: &[u8],
        names: &Declarations,
        out: &mut Findings,
    ) -> Result<(Self, usize), Refused> {
        let found = SPECS.iter().find(|s| bytes.starts_with(s.opcode));
        let Some(spec) = found else {
            let shown: String = bytes.iter().take(2).map(|b| format!("{b:02x}")).collect();
            let known: Vec<String> = SPECS
                .iter()
                .map(|s| {
                    let opcode: String = s.opcode.iter().map(|b| format!("{b:02x}")).collect();
                    format!("{opcode} {}", s.name)
                })
                .collect();
            out.push(
                Diagnostic::new(
                    &rules::UNKNOWN_OPCODE,
                    Span::new(0, 1),
                    if bytes.is_empty() {
                        String::from("there are no bytes")
                    } else {
                        format!("bytes that start with {shown} are no known instruction")
                    },
                )
                .help(format!("known: {}", known.join(", "))),
            );
            return Err(Refused);
        };
        let mut decoder = Decoder::new(bytes);
        let instruction = match Self::decode_as(spec, &mut decoder) {
            Some(Ok(instruction)) => instruction,
            Some(Err(error)) => {
                out.push(undecodable(spec, &error));
                return Err(Refused);
            }
            None => return Err(Refused),
        };
        for skipped in &decoder.skipped {
            out.report(
                &rules::RESERVED_BITS,
                Span::new(skipped.byte, skipped.byte + 1),
                format!(
                    "{} in byte {} holds {:#x}",
                    skipped.name, skipped.byte, skipped.bits
                ),
            );
        }
        let before = out.len();
        let places = Places::default();
        let mut check = Check {
            names,
            places: &places,
            out,
        };
        each!(&instruction, inner => inner.check_encoding(&mut check));
        if out.has_errors_since(before) {
            return Err(Refused);
        }
        Ok((instruction, decoder.consumed()))
    }

    /// Prints it in one style.
    pub fn print(&self, names: &Declarations, style: Style, sink: &mut impl Sink) {
        each!(self, inner => inner.print(names, style, sink));
    }

    /// Its text in one style.
    #[must_use]
    pub fn text(&self, names: &Declarations, style: Style) -> String {
        let mut text = String::new();
        self.print(names, style, &mut text);
        text
    }

    /// Its tokens in one style.
    #[must_use]
    pub fn tokens(&self, names: &Declarations, style: Style) -> Vec<Token> {
        let mut tokens = Vec::new();
        self.print(names, style, &mut tokens);
        tokens
    }

    /// The fields of its encoding.
    #[must_use]
    pub fn fields(&self, names: &Declarations) -> Vec<Field> {
        let mut describer = Describer::new(names);
        each!(self, inner => inner.clone().layout(&mut describer)).unwrap_or_default();
        describer.finish()
    }

    /// Reports which rules it breaks; an error means that it is not encoded.
    pub fn check(&self, check: &mut Check<'_>) {
        each!(self, inner => inner.check(check));
    }

    /// Reports why it cannot run, if it cannot.
    pub fn check_run(&self, machine: &Machine, check: &mut Check<'_>) {
        each!(self, inner => inner.check_run(machine, check));
    }

    /// Latches what every enabled lane will do.
    pub fn issue(&self, stage: &Stage<'_>, out: &mut Vec<Access>) {
        each!(self, inner => inner.issue(stage, out));
    }

    /// Makes one access.
    #[inline]
    pub fn perform<R: Recorder>(&self, access: &Access, machine: &mut Machine, recorder: &mut R) {
        each!(self, inner => inner.perform(access, machine, recorder));
    }

    /// One sentence on what an access did.
    #[must_use]
    pub fn narrate(&self, access: &Access, changes: &[Change], names: &Declarations) -> String {
        each!(self, inner => inner.narrate(access, changes, names))
    }

    /// Lanes, mask and predicate.
    #[must_use]
    pub fn execution(&self) -> &Execution {
        each!(self, inner => inner.execution())
    }

    /// The code of its operation.
    #[must_use]
    pub fn operation(&self) -> Option<u64> {
        each!(self, inner => inner.operation())
    }

    /// The element type in which its cells and operands are best shown.
    #[must_use]
    pub fn shown_as(&self) -> crate::number::ElementType {
        each!(self, inner => inner.shown_as())
    }
}

fn undecodable(spec: &Spec, error: &DecodeError) -> Diagnostic {
    let span = Span::new(error.byte, error.byte + 1);
    if error.truncated {
        return Diagnostic::new(
            &rules::TRUNCATED,
            span,
            format!(
                "the bytes end after {} where {} of {} belongs",
                error.byte, error.field, spec.name
            ),
        );
    }
    Diagnostic::new(
        &rules::UNDECODABLE,
        span,
        format!(
            "byte {}: {} {:#04x} is not defined for {}",
            error.byte, error.field, error.bits, spec.name
        ),
    )
}
