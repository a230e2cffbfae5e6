//! The instructions, and what each of them has to say about itself.
//!
//! An instruction is one file and one line in the register at the end of this
//! module. Everything else (the picker, completion, the encoding view, the
//! explanation, generic tests) derives from its [`Spec`] and [`Semantics`].

mod access;
mod check;
mod decode;
pub mod rmw;
pub mod sass;
pub mod serialization;
mod spec;
mod symbols;
mod target;
pub mod visa;

pub use access::{Access, CHANNELS, Effect, FaultKind, IssueContext, PseudocodeState, Unit};
pub use check::{Check, OperandSpans};
pub use spec::{Example, Fact, Opcode, OperationRow, Spec, Style};
pub use symbols::SymbolTable;
pub use target::{Family, Target};

use crate::bits::{
    DecodeError, Decoder, Describer, DomainLister, Encoded, Encoder, Field, FieldDomain, Visitor,
};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::machine::{Machine, Recorder};
use crate::rules;
use crate::text::{Cursor, Sink, Token};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Why a text has no instruction in it: the diagnostics say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError;

/// An instruction: its text, its bits, its rules and what it does.
pub trait Semantics: Copy {
    /// What its document says.
    const SPEC: &'static Spec;

    /// An instruction to decode into; `opcode` tells which of
    /// [`Spec::opcodes`] stands in its bits.
    fn default_for_opcode(opcode: usize) -> Self;

    /// Reads a line.
    ///
    /// # Errors
    /// When the line is no such instruction; the diagnostics say why.
    fn parse(
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError>;

    /// Prints it. Reading the result gives the same instruction, but for what
    /// only bits can say: `%null.32`, a null variable with an offset, is
    /// refused on reading, as the real assembler does; a vector operand of a
    /// class that has no text, or whose region or constant says more than its
    /// text; and `P<id>` and `T<index>`, which are read unless a declaration
    /// takes that name for another variable.
    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink);

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
    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>);

    /// Notes the registers that it names, for those who list them.
    fn note(&self, symbols: &mut SymbolTable) {
        let _ = symbols;
    }

    /// Latches what every enabled lane will do, EU0 before EU1, lanes
    /// ascending. Nothing changes.
    fn issue(&self, context: &IssueContext<'_>, out: &mut Vec<Access>);

    /// How many effects [`Self::perform`] has.
    fn units(&self, accesses: &[Access]) -> u32 {
        crate::diagnostic::to_u32(accesses.len())
    }

    /// Makes its effects, those of accesses in their turn, telling `recorder`
    /// where each begins.
    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    );

    /// What an access adds to its cell, whatever it finds there, if that is
    /// all it does.
    fn adds(&self, access: &Access, symbols: &SymbolTable) -> Option<u64> {
        let _ = (access, symbols);
        None
    }

    /// What an effect did, in words: `slm[0x40] 4 + 5 → 9, returned 4`. The
    /// lane of an access is told before it.
    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String;

    /// Where an effect stands in the pseudo-code.
    fn pseudocode_state(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> PseudocodeState;

    /// How many lanes it has on each EU.
    fn lanes(&self) -> u8;

    /// The enabled channels of a scatter, R in bit 0; 0 for other
    /// instructions.
    fn channels(&self) -> u8 {
        0
    }

    /// Why a lane takes no part; empty if it does.
    fn why_idle(&self, context: &IssueContext<'_>, unit: Unit) -> &'static str;

    /// The code of its operation, for the operation table.
    fn operation(&self) -> Option<u64>;

    /// How many data operands its operation takes: src0, then src1.
    fn operands(&self) -> u8;

    /// Which contradictions concern it as it stands, by their ids.
    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str>;

    /// The element type in which its cells and operands are best shown.
    fn shown_as(&self, symbols: &SymbolTable) -> crate::number::ElementType;
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

            /// The plainest instruction of one of the forms that `spec` has:
            /// its print shows what stands where.
            #[must_use]
            pub fn default_for_opcode(spec: &'static Spec, form: usize) -> Option<Self> {
                $(if core::ptr::eq(spec, <$($path)::+::$name as Semantics>::SPEC) {
                    return Some(Self::$name(<$($path)::+::$name as Semantics>::default_for_opcode(form)));
                })*
                None
            }

            fn parse_as(
                spec: &'static Spec,
                cursor: &mut Cursor<'_>,
                symbols: &SymbolTable,
                spans: &mut OperandSpans,
                out: &mut Diagnostics,
            ) -> Result<Self, ParseError> {
                $(if core::ptr::eq(spec, <$($path)::+::$name as Semantics>::SPEC) {
                    return <$($path)::+::$name as Semantics>::parse(cursor, symbols, spans, out)
                        .map(Self::$name);
                })*
                Err(ParseError)
            }

            /// What may stand in the fields of one of [`Spec::opcodes`].
            #[must_use]
            pub fn allowed(spec: &Spec, opcode: usize, symbols: &SymbolTable) -> Vec<FieldDomain> {
                let mut lister = DomainLister::new(symbols);
                $(if core::ptr::eq(spec, <$($path)::+::$name as Semantics>::SPEC) {
                    let mut default_for_opcode = <$($path)::+::$name as Semantics>::default_for_opcode(opcode);
                    default_for_opcode.layout(&mut lister).unwrap_or_default();
                })*
                lister.finish()
            }

            fn decode_as(
                spec: &'static Spec,
                opcode: usize,
                decoder: &mut Decoder<'_>,
            ) -> Option<Result<Self, DecodeError>> {
                $(if core::ptr::eq(spec, <$($path)::+::$name as Semantics>::SPEC) {
                    let mut default_for_opcode = <$($path)::+::$name as Semantics>::default_for_opcode(opcode);
                    return Some(default_for_opcode.layout(decoder).map(|()| Self::$name(default_for_opcode)));
                })*
                None
            }
        }

        /// Calls one method of the instruction inside.
        macro_rules! each {
            ($self:expr, $inner:ident => $call:expr) => {
                match $self {
                    $(Instruction::$name($inner) => $call,)*
                }
            };
        }
    };
}

register! {
    DwordAtomic = visa::dword_atomic;
    SvmAtomic = visa::svm_atomic;
    SvmScatter4Scaled = visa::svm_scatter4_scaled;
    Atom = sass::atom;
    Dpasw = visa::dpasw;
}

impl Instruction {
    /// What the document says of every instruction of a family.
    pub fn specs(family: Family) -> impl Iterator<Item = &'static Spec> {
        SPECS.iter().copied().filter(move |s| s.family == family)
    }

    /// The instruction whose mnemonic this word is, in either spelling.
    #[must_use]
    pub fn named(family: Family, word: &str) -> Option<&'static Spec> {
        Self::specs(family).find(|s| s.mnemonics.iter().any(|m| m.eq_ignore_ascii_case(word)))
    }

    /// Reads a line that holds an instruction described by `spec`.
    ///
    /// # Errors
    /// When something is wrong with the line; the diagnostics say what.
    pub fn parse(
        spec: &'static Spec,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        let before = out.len();
        let parsed = Self::parse_as(spec, cursor, symbols, spans, out);
        if !cursor.at_end() && !out.has_errors_since(before) {
            let rest = cursor.rest();
            out.push(
                Diagnostic::new(
                    &rules::TRAILING,
                    rest,
                    format!("`{}` is left over", rest.of(cursor.text())),
                )
                .fix("remove it", rest, ""),
            );
        }
        if out.has_errors_since(before) {
            return Err(ParseError);
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

    fn check_encoding(&self, check: &mut Check<'_>) {
        each!(self, inner => inner.check_encoding(check));
    }

    /// Prints it in one style.
    pub fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        each!(self, inner => inner.print(symbols, style, sink));
    }

    /// Its text in one style.
    #[must_use]
    pub fn text(&self, symbols: &SymbolTable, style: Style) -> String {
        let mut text = String::new();
        self.print(symbols, style, &mut text);
        text
    }

    /// Its tokens in one style.
    #[must_use]
    pub fn tokens(&self, symbols: &SymbolTable, style: Style) -> Vec<Token> {
        let mut tokens = Vec::new();
        self.print(symbols, style, &mut tokens);
        tokens
    }

    /// The fields of its encoding.
    #[must_use]
    pub fn fields(&self, symbols: &SymbolTable) -> Vec<Field> {
        let mut describer = Describer::new(symbols);
        each!(self, inner => inner.clone().layout(&mut describer)).unwrap_or_default();
        describer.finish()
    }

    /// Reports which rules it breaks; an error means that it is not encoded.
    pub fn check(&self, check: &mut Check<'_>) {
        each!(self, inner => inner.check(check));
    }

    /// Reports why it cannot run, if it cannot.
    pub fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        each!(self, inner => inner.check_run(context, check));
    }

    /// Notes the registers that it names.
    pub fn note(&self, symbols: &mut SymbolTable) {
        each!(self, inner => inner.note(symbols));
    }

    /// Latches what every enabled lane will do.
    pub fn issue(&self, context: &IssueContext<'_>, out: &mut Vec<Access>) {
        each!(self, inner => inner.issue(context, out));
    }

    /// How many effects [`Self::perform`] has.
    #[must_use]
    pub fn units(&self, accesses: &[Access]) -> u32 {
        each!(self, inner => inner.units(accesses))
    }

    /// Makes its effects, telling `recorder` where each begins.
    pub fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        each!(self, inner => inner.perform(accesses, machine, symbols, recorder));
    }

    /// What an access adds to its cell, if that is all it does.
    #[must_use]
    pub fn adds(&self, access: &Access, symbols: &SymbolTable) -> Option<u64> {
        each!(self, inner => inner.adds(access, symbols))
    }

    /// What an effect did, in words.
    #[must_use]
    pub fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        each!(self, inner => inner.describe_effect(effect, symbols))
    }

    /// Where an effect stands in the pseudo-code.
    #[must_use]
    pub fn pseudocode_state(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> PseudocodeState {
        each!(self, inner => inner.pseudocode_state(effect, symbols))
    }

    /// How many lanes it has on each EU.
    #[must_use]
    pub fn lanes(&self) -> u8 {
        each!(self, inner => inner.lanes())
    }

    /// The enabled channels of a scatter, R in bit 0; 0 for other
    /// instructions.
    #[must_use]
    pub fn channels(&self) -> u8 {
        each!(self, inner => inner.channels())
    }

    /// Why a lane takes no part; empty if it does.
    #[must_use]
    pub fn why_idle(&self, context: &IssueContext<'_>, unit: Unit) -> &'static str {
        each!(self, inner => inner.why_idle(context, unit))
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

    /// Which contradictions concern it as it stands, by their ids.
    #[must_use]
    pub fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        each!(self, inner => inner.contradiction_ids(symbols))
    }

    /// The element type in which its cells and operands are best shown.
    #[must_use]
    pub fn shown_as(&self, symbols: &SymbolTable) -> crate::number::ElementType {
        each!(self, inner => inner.shown_as(symbols))
    }
}
