//! The instructions, and what each of them has to say about itself.
//!
//! An instruction is one file and one line in the register at the end of this
//! module. Everything else (the picker, completion, the encoding view, the
//! explanation, generic tests) derives from its [`Spec`] and [`Semantics`].

mod access;
mod check;
pub mod rmw;
mod spec;
pub mod visa;

pub use access::{Access, FaultKind, Stage, Unit};
pub use check::{Check, Places};
pub use spec::{Example, Fact, OperationRow, Spec, Style};

use crate::bits::{DecodeError, Decoder, Describer, Encoded, Encoder, Field, Visitor};
use crate::diagnostic::{Diagnostic, Findings, Span};
use crate::machine::{Change, Machine, Recorder};
use crate::rules;
use crate::text::{Cursor, Sink, Token};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use visa::declarations::Declarations;
use visa::execution::Execution;

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

    /// Prints it. Reading the result gives the same instruction, but for what
    /// only bits can say: `%null.32`, a null variable with an offset, is
    /// refused on reading, as the real assembler does; and `P<id>` and
    /// `T<index>`, which are read unless a declaration takes that name for
    /// another variable.
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

    /// Makes accesses in turn, telling `recorder` where each begins.
    fn perform<R: Recorder>(&self, accesses: &[Access], machine: &mut Machine, recorder: &mut R);

    /// One sentence on what an access did: `slm[0x40] 4 + 5 → 9, returned 4`.
    fn narrate(&self, access: &Access, changes: &[Change], names: &Declarations) -> String;

    /// Lanes, mask and predicate.
    fn execution(&self) -> &Execution;

    /// The code of its operation, for the operation table.
    fn operation(&self) -> Option<u64>;

    /// How many data operands its operation takes: src0, then src1.
    fn operands(&self) -> u8;

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

    /// Makes accesses in turn, telling `recorder` where each begins.
    pub fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        machine: &mut Machine,
        recorder: &mut R,
    ) {
        each!(self, inner => inner.perform(accesses, machine, recorder));
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

    /// How many data operands its operation takes: src0, then src1.
    #[must_use]
    pub fn operands(&self) -> u8 {
        each!(self, inner => inner.operands())
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
