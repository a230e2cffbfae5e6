//! The instructions and the traits that each of them implements.
//!
//! An instruction is one file and one line in the register at the end of this
//! module. Everything else (the picker, completion, the encoding view, the
//! explanation, generic tests) derives from its [`Spec`], [`Definition`] and [`Semantics`].

mod access;
mod check;
mod construct;
mod decode;
pub mod planes;
pub mod rmw;
pub mod sass;
pub mod schema;
pub mod serialization;
mod spec;
mod symbols;
mod target;
pub mod visa;

pub use access::{
    Access, AddressRegister, Branch, CHANNELS, Effect, FaultKind, IssueContext, PseudocodeState,
    SourceElement, ThreadSet, Unit,
};
pub use check::{Check, OperandSpans};
pub use construct::SourceConstruct;
pub use serialization::{Comparison, Update};
pub use spec::{Example, Fact, Opcode, OperationRow, Spec, Style};
pub use symbols::SymbolTable;
pub use target::{Family, Target};

use crate::bits::{
    DecodeError, Describer, DomainLister, Encoded, Encoder, Field, FieldDomain, Visitor,
};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::machine::{Machine, Recorder};
use crate::number::ElementType;
use crate::rules;
use crate::text::{Cursor, Sink, Token};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use sass::schedule::Schedule;
use visa::matrix::MultiplyAdd;
use visa::op::{self, VisaInstruction};

/// Why a text has no instruction in it: the diagnostics say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError;

/// The text and the bits of an instruction, and its effects: what depends on
/// types that only the caller knows. [`register!`](self) dispatches it.
pub trait Definition: Semantics + Copy + 'static {
    /// What its document says.
    const SPEC: &'static Spec;

    /// The plainest instruction of one of [`Spec::opcodes`], by its index: to
    /// decode into, and to show the order of the operands.
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
    /// only bits can hold: `%null.32`, a null variable with an offset, is
    /// refused on reading, as the real assembler does; a vector operand of a
    /// class that has no text, or whose region or constant holds more than its
    /// text; and `P<id>` and `T<index>`, which are read unless a declaration
    /// takes that name for another variable.
    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink);

    /// Visits its bits from the first byte's lowest bit up.
    ///
    /// # Errors
    /// When a decoder finds bits that have no meaning.
    fn layout<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), DecodeError>;

    /// Makes its effects, those of accesses in their order, calling
    /// `recorder` where each begins.
    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        threads: ThreadSet,
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    );
}

/// What an instruction means: its rules, its lanes, and texts about them.
/// An [`Instruction`] dereferences to it.
///
/// Methods with a default are capabilities, which few instructions have:
/// [`Self::matrix`], [`Self::schedule`], [`Self::channels`]; see also
/// [`Spec::fused`] and [`Spec::lane_queue`].
pub trait Semantics {
    /// Checks an encoding beyond its fields; that its numbers are declared is
    /// checked for all instructions.
    fn check_encoding(&self, check: &mut Check<'_>) {
        let _ = check;
    }

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

    /// Why it cannot be executed in this state, apart from the faults of its
    /// accesses.
    fn fault(&self, context: &IssueContext<'_>) -> Option<FaultKind> {
        let _ = context;
        None
    }

    /// The reason of [`Self::fault`] in words, where its kind says too little.
    fn fault_reason(&self, context: &IssueContext<'_>) -> Option<String> {
        let _ = context;
        None
    }

    /// Capability: control flow. Where channels continue after it.
    fn branch(&self) -> Option<Branch<'_>> {
        None
    }

    /// Makes all its accesses on EU0 in the order of lanes, without a record of
    /// them, and returns how many there were; for runs that need no history.
    /// `None`, with nothing changed, if it has to be issued lane by lane.
    fn run_unrecorded(&self, machine: &mut Machine, symbols: &SymbolTable) -> Option<u32> {
        let _ = (machine, symbols);
        None
    }

    /// Capability: addresses from registers. The registers whose sum, with a
    /// constant of the instruction, is the address of each access; those that
    /// only an address variable finds are left out.
    fn address_registers(&self, symbols: &SymbolTable) -> Vec<AddressRegister> {
        let _ = symbols;
        Vec::new()
    }

    /// Capability: operands that each lane has for itself. The elements of them
    /// that a lane reads, addresses too; the channel of a scatter counts.
    fn source_elements(&self, unit: Unit, symbols: &SymbolTable) -> Vec<SourceElement> {
        let _ = (unit, symbols);
        Vec::new()
    }

    /// How many effects [`Definition::perform`] has.
    fn units(&self, accesses: &[Access]) -> u32 {
        crate::diagnostic::to_u32(accesses.len())
    }

    /// What an access adds to its cell, whatever it finds there, if that is
    /// all it does.
    fn adds(&self, access: &Access, symbols: &SymbolTable) -> Option<u64> {
        let _ = (access, symbols);
        None
    }

    /// The read-modify-write that each of its accesses makes, of an
    /// instruction whose accesses make one.
    fn update(&self, symbols: &SymbolTable) -> Option<Update> {
        let _ = symbols;
        None
    }

    /// What an effect did, in words: `slm[0x40] 4 + 5 → 9, returned 4`. The
    /// caller puts the lane of an access before it.
    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String;

    /// The line of the pseudo-code that an effect is, with its variables.
    fn pseudocode_state(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> PseudocodeState;

    /// How many lanes it has on each EU.
    fn lanes(&self) -> u8;

    /// Capability: channels. Those that are enabled, R in bit 0 to A in bit 3;
    /// 0 for instructions that have none.
    fn channels(&self) -> u8 {
        0
    }

    /// Where the element lies, in the register file, that a lane moves between
    /// the registers and memory for one channel; `None` where there are no
    /// channels.
    fn channel_element(&self, unit: Unit, symbols: &SymbolTable) -> Option<u32> {
        let _ = (unit, symbols);
        None
    }

    /// Why a lane takes no part; empty if it does.
    fn why_idle(&self, context: &IssueContext<'_>, unit: Unit) -> &'static str {
        let _ = (context, unit);
        ""
    }

    /// The code of its operation, of an instruction that has a table of
    /// operations.
    fn operation(&self) -> Option<u64> {
        None
    }

    /// How many data operands its accesses have: src0, then src1.
    fn operands(&self) -> u8 {
        0
    }

    /// Which contradictions concern it, by their ids.
    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str>;

    /// The element type in which its cells and operands are best shown.
    fn shown_as(&self, symbols: &SymbolTable) -> ElementType;

    /// Capability: a matrix multiply-add, which is shown as a picture of its
    /// matrices and works in stages.
    fn matrix(&self) -> Option<&MultiplyAdd> {
        None
    }

    /// The same, to change it.
    fn matrix_mut(&mut self) -> Option<&mut MultiplyAdd> {
        None
    }

    /// Capability: scheduling. The slot of a control word that its text gives,
    /// if it gives one; see [`Instruction::is_scheduled`].
    fn schedule(&self) -> Option<Schedule> {
        None
    }

    /// Gives it a slot of a control word, or takes it away. No effect on an
    /// instruction that is not scheduled.
    fn set_schedule(&mut self, schedule: Option<Schedule>) {
        let _ = schedule;
    }
}

macro_rules! register {
    ($($name:ident = $($path:ident)::+;)*) => {
        /// Any of the instructions. It dereferences to its [`Semantics`].
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Instruction {
            /// An instruction of the vISA opcode table.
            Visa(VisaInstruction),
            $(#[doc = concat!("An instruction of the file `", stringify!($($path)::+), "`.")]
            $name($($path)::+::$name),)*
        }

        $(impl From<$($path)::+::$name> for Instruction {
            fn from(inner: $($path)::+::$name) -> Self {
                Self::$name(inner)
            }
        })*

        /// What the documents say of each instruction that has a page of its
        /// own; see [`Instruction::specs`] for all.
        pub static SPECS: &[&Spec] = &[$(<$($path)::+::$name as Definition>::SPEC),*];

        impl core::ops::Deref for Instruction {
            type Target = dyn Semantics;

            fn deref(&self) -> &Self::Target {
                match self {
                    Self::Visa(inner) => inner,
                    $(Self::$name(inner) => inner,)*
                }
            }
        }

        impl core::ops::DerefMut for Instruction {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self {
                    Self::Visa(inner) => inner,
                    $(Self::$name(inner) => inner,)*
                }
            }
        }

        impl Instruction {
            /// What its document says.
            #[must_use]
            pub const fn spec(&self) -> &'static Spec {
                match self {
                    Self::Visa(inner) => &inner.op.spec,
                    $(Self::$name(_) => <$($path)::+::$name as Definition>::SPEC,)*
                }
            }

            /// The plainest instruction of one of [`Spec::opcodes`], by its
            /// index: its print shows the order of the operands.
            #[must_use]
            pub fn default_for_opcode(spec: &'static Spec, opcode: usize) -> Option<Self> {
                $(if core::ptr::eq(spec, <$($path)::+::$name as Definition>::SPEC) {
                    return Some(Self::$name(Definition::default_for_opcode(opcode)));
                })*
                op::of_spec(spec).map(|op| Self::Visa(VisaInstruction::new(op)))
            }

            fn parse_as(
                spec: &'static Spec,
                cursor: &mut Cursor<'_>,
                symbols: &SymbolTable,
                spans: &mut OperandSpans,
                out: &mut Diagnostics,
            ) -> Result<Self, ParseError> {
                $(if core::ptr::eq(spec, <$($path)::+::$name as Definition>::SPEC) {
                    return Definition::parse(cursor, symbols, spans, out).map(Self::$name);
                })*
                let op = op::of_spec(spec).ok_or(ParseError)?;
                VisaInstruction::parse(op, cursor, symbols, spans, out).map(Self::Visa)
            }

            /// Prints it in one style.
            pub fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
                match self {
                    Self::Visa(inner) => inner.print(symbols, style, sink),
                    $(Self::$name(inner) => inner.print(symbols, style, sink),)*
                }
            }

            /// Visits its bits; see [`Definition::layout`].
            ///
            /// # Errors
            /// When a decoder finds bits that have no meaning.
            pub fn layout<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), DecodeError> {
                match self {
                    Self::Visa(inner) => inner.layout(visitor),
                    $(Self::$name(inner) => inner.layout(visitor),)*
                }
            }

            /// Makes its effects, those of accesses in their order, calling
            /// `recorder` where each begins.
            pub fn perform<R: Recorder>(
                &self,
                accesses: &[Access],
                threads: ThreadSet,
                machine: &mut Machine,
                symbols: &SymbolTable,
                recorder: &mut R,
            ) {
                match self {
                    Self::Visa(inner) => {
                        inner.perform(accesses, threads, machine, symbols, recorder);
                    }
                    $(Self::$name(inner) => {
                        inner.perform(accesses, threads, machine, symbols, recorder);
                    })*
                }
            }
        }
    };
}

register! {
    DwordAtomic = visa::dword_atomic;
    SvmAtomic = visa::svm_atomic;
    SvmScatter4Scaled = visa::svm_scatter4_scaled;
    SvmGather4Scaled = visa::svm_gather4_scaled;
    Atom = sass::atom;
    Red = sass::red;
    Dpas = visa::dpas;
    Dpasw = visa::dpasw;
}

impl Instruction {
    /// What the document says of every instruction of a family.
    pub fn specs(family: Family) -> impl Iterator<Item = &'static Spec> {
        let table = op::OPS.iter().map(|op| &op.spec);
        let all = SPECS.iter().copied().chain(table);
        all.filter(move |s| s.family == family)
    }

    /// The instruction whose mnemonic this word is, in either spelling, or
    /// else one whose mnemonic the word begins, as `nbarrier` does.
    #[must_use]
    pub fn named(family: Family, word: &str) -> Option<&'static Spec> {
        let find = |is: &dyn Fn(&str) -> bool| {
            Self::specs(family).find(|s| s.mnemonics.iter().any(|m| is(m)))
        };
        let begins = |mnemonic: &str| {
            let (first, _) = mnemonic.split_once('.').unwrap_or_default();
            !first.is_empty() && first.eq_ignore_ascii_case(word)
        };
        find(&|mnemonic| mnemonic.eq_ignore_ascii_case(word)).or_else(|| find(&begins))
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
        // At most one note on the spelling of a line; none where the line is wrong.
        let notes = usize::from(!out.has_errors_since(before));
        for rule in [&rules::DOCUMENT_SPELLING, &rules::LENIENT_SPELLING] {
            out.keep_first_since(before, rule, notes);
        }
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

    /// Whether its encoding is known: some instructions are read and printed only.
    #[must_use]
    pub fn has_encoding(&self) -> bool {
        match self {
            Self::Visa(inner) => inner.has_encoding(),
            _ => true,
        }
    }

    /// Whether it takes a slot of a control word, as all code of SASS does.
    #[must_use]
    pub fn is_scheduled(&self) -> bool {
        self.spec().family == Family::Sass
    }

    /// Its encoding.
    #[must_use]
    pub fn encode(&self) -> Encoded {
        let mut encoder = Encoder::default();
        let mut copy = self.clone();
        copy.layout(&mut encoder).expect("only decoders refuse");
        encoder.finish()
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
        let mut copy = self.clone();
        copy.layout(&mut describer).expect("only decoders refuse");
        describer.finish()
    }

    /// The values that the fields may have of one of [`Spec::opcodes`]; empty where
    /// `spec` is none of [`SPECS`].
    #[must_use]
    pub fn allowed(spec: &'static Spec, opcode: usize, symbols: &SymbolTable) -> Vec<FieldDomain> {
        let mut lister = DomainLister::new(symbols);
        if let Some(mut plain) = Self::default_for_opcode(spec, opcode) {
            plain.layout(&mut lister).expect("only decoders refuse");
        }
        lister.finish()
    }
}
