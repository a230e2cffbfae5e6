//! The instructions and their traits.
//!
//! To add an instruction, add a row of data, and a line in `register!` at the end of
//! this module. The picker, completion, the encoding view, the explanation and generic
//! tests derive from its [`Spec`], [`Definition`] and [`Semantics`].

mod access;
mod check;
mod construct;
pub mod dataflow;
mod decode;
mod evaluation;
mod family;
pub mod mbarrier;
mod mnemonic;
pub mod planes;
pub mod rmw;
pub mod rmw_exec;
pub mod sass;
pub mod schema;
mod spec;
mod symbols;
mod target;
pub mod visa;

pub use access::{
    Access, AddressPath, AddressRegister, BarrierRoles, Branch, CHANNELS, Effect, ElementPlaces,
    FIRST_ELEMENT, FaultKind, Fence, FenceScope, IssueContext, LaneComputation, LaneExchange,
    LaneResult, LaneSource, PseudocodeState, Shown, SourceElement, ThreadSet, Unit, index_of,
};
pub use check::{Check, OperandSpans};
pub use construct::SourceConstruct;
pub use evaluation::{Evaluation, IssueFault};
pub use family::{EncodingUnit, Family, FamilyFacts, LaunchWords, Style};
pub(crate) use mnemonic::{find_mnemonic, find_spec, of_another_family};
pub use rmw_exec::{Comparison, Update};
pub use spec::{Example, Fact, Opcode, OperationRow, Spec};
pub use symbols::{NamedOperand, SymbolTable};
pub use target::Target;

use crate::bits::{
    DecodeError, Describer, DomainLister, Encoded, Encoder, Field, FieldDomain, Visitor,
};
use crate::contradictions::id;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::ElementType;
use crate::rules;
use crate::text::{Cursor, Sink, Token};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use dataflow::{Dataflow, Reads};
use once_cell::race::OnceBox;
use sass::op::SassInstruction;
use sass::op::flow::WarpFlow;
use sass::schedule::Schedule;
use sass::warp::LANES;
use visa::execution::Execution;
use visa::matrix::MultiplyAdd;
use visa::op::{self, VisaInstruction};

/// Parsing failed; the diagnostics say why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError;

/// An instruction of a type whose instructions are rows of data.
pub trait RowInstruction: Semantics + Copy + 'static {
    /// Data in which the instructions differ.
    type Row: 'static;

    /// The default instruction of a row for an index into [`Spec::opcodes`], used as the
    /// target of parsing and decoding and to show the order of the operands.
    fn default_for_opcode(row: &'static Self::Row, opcode: usize) -> Self;

    /// The specification of the row.
    fn spec(&self) -> &'static Spec;

    /// Performs accesses in order, or a matrix product, and calls `recorder` at the start of
    /// each effect.
    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        threads: ThreadSet,
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    );
}

/// Syntax and encoding of the instructions of a type. [`register!`](self) dispatches them.
pub trait Definition: RowInstruction {
    /// Parses a line into the default instruction.
    ///
    /// # Errors
    /// If the line is not a valid instruction; the diagnostics say why.
    fn parse(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError>;

    /// Prints the instruction. Parsing the result gives the same instruction, except
    /// for bits that the syntax cannot express: `%null.32` (a null variable with an
    /// offset), which is rejected like in the real assembler; a vector operand whose
    /// class, region or constant has no exact text; and `P<id>` and `T<index>` if a
    /// declaration uses that name for another variable.
    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink);

    /// Visits the fields from the lowest bit of the first byte up.
    ///
    /// # Errors
    /// If a decoder finds undefined bits.
    fn layout<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), DecodeError>;
}

/// How an instruction affects copies that are complete only after a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyStep {
    /// Starts copies to or from shared memory.
    Start,
    /// Arrives at a barrier object once those that its thread has started are complete.
    Arrive,
    /// Makes a group of those that its thread has started since the last group.
    Commit,
    /// Waits for the groups of its thread but this many.
    Wait(u64),
}

/// How an instruction uses a barrier object in memory, which counts arrivals and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseStep {
    /// Sets it.
    Set,
    /// Arrives at it, or counts bytes.
    Arrive,
    /// Tests whether a phase is complete.
    Check,
    /// Copies bytes, then counts them in its last access.
    Copy,
}

/// Lanes of a warp arrive at a barrier of their block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockArrival {
    /// The first of them.
    pub lane: u8,
    /// Number of the barrier.
    pub number: u8,
    /// Whether it is for all lanes of the block.
    pub is_whole: bool,
    /// Whether they wait for others.
    pub waits: bool,
    /// Lanes that are elsewhere, and that the barrier counts with those that arrive.
    pub missing: u32,
}

/// Rules, execution and descriptions of an instruction. [`Instruction`] dereferences
/// to it.
///
/// Methods with a default are capabilities of some instructions:
/// [`Self::matrix`], [`Self::schedule`], [`Self::channels`]; see also
/// [`Spec::fused`] and [`Spec::lane_queue`].
#[expect(unused_variables, reason = "defaults ignore their arguments")]
pub trait Semantics {
    /// Checks an encoding beyond its single fields and their declarations.
    fn check_encoding(&self, check: &mut Check<'_>) {}

    /// Checks the documented rules. An error prevents encoding.
    fn check(&self, check: &mut Check<'_>);

    /// Checks the rules that prevent execution.
    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {}

    /// Records the registers it references.
    fn note(&self, symbols: &mut SymbolTable) {}

    /// Latches the accesses of all enabled lanes, or computes the results of all issuing
    /// threads, without changing any state.
    ///
    /// # Errors
    /// If the instruction faults in this state, apart from faults of its accesses.
    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault>;

    /// Capability: computation on elements of registers and predicates. What
    /// it reads and writes on one of the threads that issue it; `None` if it
    /// cannot be executed.
    fn computation(&self, context: &IssueContext<'_>, thread: u8) -> Option<LaneComputation> {
        None
    }

    /// Whether it has [`Self::computation`] unless it faults.
    fn is_computation(&self) -> bool {
        false
    }

    /// Capability: taking the address of a variable. The first byte of the flags that it
    /// writes, and the register-file bytes of the variable.
    fn taken_address(&self, symbols: &SymbolTable) -> Option<(u32, Range<u32>)> {
        None
    }

    /// The registers and flags that it can read.
    fn reads(&self, symbols: &SymbolTable) -> Reads {
        Reads {
            has_others: true,
            ..Reads::default()
        }
    }

    /// Capability: what it reads and writes on one of the threads that issue it, without
    /// the accesses to memory; `None` if it cannot be executed.
    fn dataflow(&self, context: &IssueContext<'_>, thread: u8) -> Option<Dataflow> {
        None
    }

    /// Whether it makes the thread pause, as the compiler does in each turn of a loop that waits
    /// for a lock of its own.
    fn is_pause(&self) -> bool {
        false
    }

    /// Whether it only marks a line of the source text.
    fn is_source_mark(&self) -> bool {
        false
    }

    /// Capability: a fence. The accesses that it orders.
    fn fence(&self) -> Option<Fence> {
        None
    }

    /// Whether accesses outside its surface are well defined: reads return 0 and writes are
    /// dropped, as for a block at the edge of a matrix.
    fn is_clipped(&self) -> bool {
        false
    }

    /// Capability: the general variable that its destination names, and whether the elements
    /// that it writes lie side by side.
    fn destination_variable(&self) -> Option<(u32, bool)> {
        None
    }

    /// Whether it uses local memory of its lanes.
    fn uses_local_memory(&self) -> bool {
        false
    }

    /// Whether it moves the state of a surface.
    fn moves_state(&self) -> bool {
        false
    }

    /// Capability: loads that are longer than the program needs, because compilers round up
    /// their length. The register-file address from which no instruction reads what it loads.
    fn excess(&self, symbols: &SymbolTable) -> Option<u32> {
        None
    }

    /// Whether it accesses bytes, whose addresses need no alignment.
    fn is_bytewise(&self) -> bool {
        false
    }

    /// Capability: copies that are complete only after a wait. What it does with them.
    fn copy_step(&self) -> Option<CopyStep> {
        None
    }

    /// Capability: a barrier object in shared memory. What it does with it.
    fn phase_step(&self) -> Option<PhaseStep> {
        None
    }

    /// Whether it is a plain load or store that is atomic, such as one marked `STRONG`.
    fn is_strong(&self) -> bool {
        false
    }

    /// Capability: a barrier of the lanes of a block, if lanes of a thread arrive.
    fn block_barrier(&self, context: &IssueContext<'_>, thread: u8) -> Option<BlockArrival> {
        None
    }

    /// Whether it is a barrier for a number of threads, which may be complete while others run.
    fn counts_threads(&self) -> bool {
        false
    }

    /// Address in the flags space of the predicate that guards it, if it has one.
    fn guard_address(&self) -> Option<u64> {
        None
    }

    /// Capability: lanes enabled by an execution size, a mask and a predicate.
    fn execution(&self) -> Option<&Execution> {
        None
    }

    /// Whether all lanes execute, active or not.
    fn ignores_mask(&self) -> bool {
        (self.execution()).is_some_and(|execution| execution.mask.no_mask())
    }

    /// The channel of the thread that lane 0 belongs to.
    fn first_channel(&self) -> u8 {
        (self.execution()).map_or(0, |execution| execution.mask.offset())
    }

    /// Capability: control flow.
    fn branch(&self) -> Option<Branch<'_>> {
        None
    }

    /// Capability: addresses from registers. The registers that, together with a
    /// constant, sum up to the address of each access; registers accessed through an
    /// address variable are not included.
    fn address_registers(&self, symbols: &SymbolTable) -> Vec<AddressRegister> {
        Vec::new()
    }

    /// Capability: per-lane operands. The elements that a lane, or channel of a scatter,
    /// reads, including addresses.
    fn source_elements(&self, unit: Unit, symbols: &SymbolTable) -> Vec<SourceElement> {
        Vec::new()
    }

    /// Capability: stores of blocks. Register-file address of the element that each access of a
    /// thread stores, in order; empty if the elements belong to lanes.
    fn stored_elements(&self, symbols: &SymbolTable) -> Vec<u32> {
        Vec::new()
    }

    /// Capability: accesses through a surface. Address of the start of the surface on a
    /// thread.
    fn surface_start(&self, context: &IssueContext<'_>, thread: u8) -> Option<u64> {
        None
    }

    /// Number of effects of an issue of threads with these accesses.
    fn units(&self, accesses: &[Access], threads: ThreadSet) -> u32 {
        crate::diagnostic::to_u32(accesses.len())
    }

    /// The addend of an access that only adds to its cell.
    fn adds(&self, access: &Access, symbols: &SymbolTable) -> Option<u64> {
        None
    }

    /// The read-modify-write of each access, for atomics.
    fn update(&self, symbols: &SymbolTable) -> Option<Update> {
        None
    }

    /// Describes an effect: `slm[0x40] 4 + 5 → 9, returned 4`. The caller prepends the
    /// lane of an access.
    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String;

    /// The pseudo-code line and variables of an effect.
    fn pseudocode_state(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> PseudocodeState {
        PseudocodeState::default()
    }

    /// Number of lanes on each thread: those of a warp, unless an execution size says it.
    fn lanes(&self) -> u8 {
        (self.execution()).map_or(LANES, |execution| execution.size.lanes())
    }

    /// Capability: several accesses per lane. Mask of the enabled channels, R in bit 0 to
    /// A in bit 3, or of the vector elements, from bit 4 on; 0 for other instructions.
    fn channels(&self) -> u16 {
        0
    }

    /// Register-file address of the element moved by a lane and channel or vector
    /// element; `None` without these.
    fn channel_element(&self, unit: Unit, symbols: &SymbolTable) -> Option<u32> {
        None
    }

    /// Whether the "lanes" are consecutive elements that the instruction moves as a
    /// block.
    fn is_block(&self) -> bool {
        false
    }

    /// The reason that a lane is inactive; `None` if it is active.
    fn inactive_reason(&self, context: &IssueContext<'_>, unit: Unit) -> Option<&'static str> {
        self.execution()?.inactive_reason(context, unit)
    }

    /// The active channels of a thread, but for those whose guard is false.
    fn executing_channels(&self, machine: &Machine, thread: u8) -> u32 {
        machine.flag_word(SpaceId::flags(thread), 0)
    }

    /// The code of the operation, if the instruction has an operation table.
    fn operation(&self) -> Option<u64> {
        None
    }

    /// Number of data operands of the accesses: src0, then src1.
    fn operands(&self) -> u8 {
        0
    }

    /// IDs of the contradictions that concern it.
    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        let execution = self.execution().filter(|e| e.predicate.combines());
        execution.map(|_| id::ANY_ALL).into_iter().collect()
    }

    /// Type in which cells and operands are displayed.
    fn display_type(&self, symbols: &SymbolTable) -> ElementType;

    /// Capability: a matrix multiply-add, which executes in stages and is displayed as
    /// matrices.
    fn matrix(&self) -> Option<&MultiplyAdd> {
        None
    }

    /// Capability: scheduling. The slot of a control word, if the text specifies it; see
    /// [`Instruction::is_scheduled`].
    fn schedule(&self) -> Option<Schedule> {
        None
    }

    /// Sets or clears the slot of a control word. No effect on instructions that are not
    /// scheduled.
    fn set_schedule(&mut self, schedule: Option<Schedule>) {}
}

macro_rules! register {
    ($($name:ident = $($path:ident)::+ { $($($row:ident)::+;)* })*) => {
        /// An instruction of any kind. Dereferences to its [`Semantics`].
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Instruction {
            /// An instruction of the vISA opcode table.
            Visa(VisaInstruction),
            /// An instruction of the SASS opcode table.
            Sass(Box<SassInstruction>),
            $(#[doc = concat!("See `", stringify!($($path)::+), "`.")]
            $name($($path)::+::$name),)*
        }

        /// The specifications of the instructions with a guide page of their own; see
        /// [`Instruction::specs`] for all.
        pub static SPECS: &[&Spec] = &[$($($($row)::+::ROW.spec),*),*];

        impl core::ops::Deref for Instruction {
            type Target = dyn Semantics;

            fn deref(&self) -> &Self::Target {
                match self {
                    Self::Visa(inner) => inner,
                    Self::Sass(inner) => &**inner,
                    $(Self::$name(inner) => inner,)*
                }
            }
        }

        impl core::ops::DerefMut for Instruction {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self {
                    Self::Visa(inner) => inner,
                    Self::Sass(inner) => &mut **inner,
                    $(Self::$name(inner) => inner,)*
                }
            }
        }

        impl Instruction {
            /// The opcode for messages. A listing may have opcodes without a specification.
            #[must_use]
            pub fn opcode(&self) -> &str {
                match self {
                    Self::Sass(inner) => inner.mnemonic(),
                    other => other.spec().mnemonics[0],
                }
            }

            /// Specification of the instruction.
            #[must_use]
            pub fn spec(&self) -> &'static Spec {
                match self {
                    Self::Visa(inner) => &inner.op.spec,
                    Self::Sass(inner) => &inner.op.spec,
                    $(Self::$name(inner) => inner.spec(),)*
                }
            }

            /// Describes what the instruction computes. In SASS, the summary of the row is
            /// filled in with the modifiers and operands of the instruction.
            #[must_use]
            pub fn summary(&self) -> String {
                match self {
                    Self::Sass(inner) => inner.formula(),
                    other => String::from(other.spec().summary),
                }
            }

            /// The formula of an instruction of warps, which names its operands by
            /// [`Spec::letter`].
            #[must_use]
            pub fn formula(&self) -> Option<String> {
                match self {
                    Self::Sass(inner) => Some(inner.formula_in_letters()),
                    _ => None,
                }
            }

            /// The default instruction for an index into [`Spec::opcodes`]; its text shows the
            /// order of the operands.
            #[must_use]
            pub fn default_for_opcode(spec: &'static Spec, opcode: usize) -> Option<Self> {
                $($(if spec == $($row)::+::ROW.spec {
                    let row = &$($row)::+::ROW;
                    return Some(Self::$name(RowInstruction::default_for_opcode(row, opcode)));
                })*)*
                op::of_spec(spec).map(|op| Self::Visa(VisaInstruction::new(op)))
            }

            fn parse_as(
                spec: &'static Spec,
                cursor: &mut Cursor<'_>,
                symbols: &SymbolTable,
                spans: &mut OperandSpans,
                out: &mut Diagnostics,
            ) -> Result<Self, ParseError> {
                let mut this = Self::default_for_opcode(spec, 0).ok_or(ParseError)?;
                match &mut this {
                    Self::Visa(inner) => {
                        *inner = VisaInstruction::parse(inner.op, cursor, symbols, spans, out)?;
                    }
                    Self::Sass(_) => return Err(ParseError),
                    $(Self::$name(inner) => inner.parse(cursor, symbols, spans, out)?,)*
                }
                Ok(this)
            }

            /// Prints the instruction in a style.
            pub fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
                match self {
                    Self::Visa(inner) => inner.print(symbols, style, sink),
                    Self::Sass(inner) => inner.print(sink),
                    $(Self::$name(inner) => inner.print(symbols, style, sink),)*
                }
            }

            /// Visits the fields; see [`Definition::layout`].
            ///
            /// # Errors
            /// If a decoder finds undefined bits.
            pub fn layout<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), DecodeError> {
                match self {
                    Self::Visa(inner) => inner.layout(visitor),
                    // Its encoding is not known.
                    Self::Sass(_) => Ok(()),
                    $(Self::$name(inner) => inner.layout(visitor),)*
                }
            }

            /// Performs accesses in order and calls `recorder` at the start of each effect. The
            /// results of a computation are part of its [`Evaluation`].
            pub fn perform_accesses<R: Recorder>(
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
                    Self::Sass(inner) => {
                        inner.perform(accesses, threads, machine, recorder);
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
    VisaAtomic = visa::atomic {
        visa::dword_atomic;
        visa::svm_atomic;
    }
    PlaneAccess = visa::plane_access {
        visa::svm_scatter4_scaled;
        visa::svm_gather4_scaled;
    }
    SassAtomic = sass::atomic {
        sass::atom;
        sass::red;
    }
    MultiplyAdd = visa::matrix {
        visa::dpas;
        visa::dpasw;
    }
}

impl Instruction {
    /// Capability: control flow of a warp, and its kind.
    #[must_use]
    pub fn warp_flow(&self) -> Option<(&SassInstruction, WarpFlow)> {
        match self {
            Self::Sass(sass) => Some((sass, sass.flow_kind()?)),
            _ => None,
        }
    }

    /// Whether lanes or channels can continue elsewhere than at the next instruction.
    #[must_use]
    pub fn splits(&self) -> bool {
        let warp = self.warp_flow();
        let branch = self.branch();
        warp.is_some_and(|(_, kind)| kind.splits())
            || branch.is_some_and(|branch| !branch.kind.synchronizes())
    }

    /// Why the control flow of a warp cannot go on in a program with `end` instructions.
    #[must_use]
    pub fn flow_fault(&self, machine: &Machine, thread: u8, end: u32) -> Option<FaultKind> {
        match self {
            Self::Sass(sass) => sass.flow_fault(machine, thread, end),
            _ => None,
        }
    }

    /// Whether lanes of a warp go on behind it.
    #[must_use]
    pub fn falls_through(&self, machine: &Machine, thread: u8) -> bool {
        match self {
            Self::Sass(sass) => sass.falls_through(machine, thread),
            _ => true,
        }
    }

    /// Advances the lanes of a warp that have executed it.
    pub fn advance_warp<R: Recorder>(
        &self,
        machine: &mut Machine,
        thread: u8,
        end: u32,
        recorder: &mut R,
    ) {
        match self {
            Self::Sass(sass) => sass.proceed(machine, thread, end, recorder),
            _ => sass::op::flow::advance(machine, thread, end, recorder),
        }
    }

    /// The specifications of all instructions: [`SPECS`], then the opcode table.
    pub fn all_specs() -> impl Iterator<Item = &'static Spec> {
        let table = op::OPS.iter().map(|op| &op.spec);
        SPECS.iter().copied().chain(table)
    }

    /// The specifications of a family.
    pub fn specs(family: Family) -> impl Iterator<Item = &'static Spec> {
        Self::all_specs().filter(move |s| s.family == family)
    }

    /// Finds an instruction by its mnemonic in either spelling, or by the first word of a
    /// mnemonic, such as `nbarrier`.
    #[must_use]
    pub fn named(family: Family, word: &str) -> Option<&'static Spec> {
        static NAMED: OnceBox<BTreeMap<String, Vec<&Spec>>> = OnceBox::new();
        let named = NAMED.get_or_init(|| {
            let mnemonics = Self::all_specs().flat_map(|spec| {
                let mnemonics = spec.mnemonics.iter();
                mnemonics.map(move |mnemonic| (spec, mnemonic.to_ascii_lowercase()))
            });
            let mnemonics: Vec<(&Spec, String)> = mnemonics.collect();
            let firsts = mnemonics.iter().filter_map(|(spec, mnemonic)| {
                let (first, _) = mnemonic.split_once('.')?;
                (!first.is_empty()).then(|| (*spec, String::from(first)))
            });
            let firsts: Vec<(&Spec, String)> = firsts.collect();
            let mut named: BTreeMap<String, Vec<&Spec>> = BTreeMap::new();
            for (spec, word) in mnemonics.into_iter().chain(firsts) {
                named.entry(word).or_default().push(spec);
            }
            Box::new(named)
        });
        let specs = named.get(&word.to_ascii_lowercase())?;
        specs.iter().copied().find(|spec| spec.family == family)
    }

    /// Parses a line with an instruction described by `spec`.
    ///
    /// # Errors
    /// If the line is invalid; the diagnostics say why.
    pub fn parse(
        spec: &'static Spec,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        let before = out.len();
        let parsed = Self::parse_as(spec, cursor, symbols, spans, out);
        // At most one note on the spelling of a line, and only if the line is valid.
        let notes = usize::from(!out.has_errors_since(before));
        for rule in [&rules::DOCUMENT_SPELLING, &rules::LENIENT_SPELLING] {
            out.keep_first_since(before, rule, notes);
        }
        if !cursor.at_end() && !out.has_errors_since(before) {
            let rest = cursor.rest();
            let what = format!(
                "unexpected `{}` at the end of the line",
                rest.of(cursor.text())
            );
            out.fix(&rules::TRAILING, rest, what, "remove it", rest, "");
        }
        if out.has_errors_since(before) {
            return Err(ParseError);
        }
        parsed
    }

    /// Whether the encoding is known; some instructions can only be parsed and printed.
    #[must_use]
    pub fn has_encoding(&self) -> bool {
        match self {
            Self::Visa(inner) => inner.has_encoding(),
            Self::Sass(_) => false,
            _ => true,
        }
    }

    /// An error if the encoding on a target is not known.
    #[must_use]
    pub fn encoding_error(&self, target: Target, span: Span) -> Option<Diagnostic> {
        target.encoding_error(span).or_else(|| {
            let what = format!("`{}` cannot be encoded", self.opcode());
            (!self.has_encoding()).then(|| Diagnostic::new(&rules::NO_ENCODING, span, what))
        })
    }

    /// Whether it uses a slot of a control word, like all SASS instructions.
    #[must_use]
    pub fn is_scheduled(&self) -> bool {
        self.spec().family == Family::Sass && self.has_encoding()
    }

    #[must_use]
    pub fn encode(&self) -> Encoded {
        let mut encoder = Encoder::default();
        let mut copy = self.clone();
        copy.layout(&mut encoder).expect("only decoders refuse");
        encoder.finish()
    }

    /// The text in a style.
    #[must_use]
    pub fn text(&self, symbols: &SymbolTable, style: Style) -> String {
        let mut text = String::new();
        self.print(symbols, style, &mut text);
        text
    }

    /// The tokens in a style.
    #[must_use]
    pub fn tokens(&self, symbols: &SymbolTable, style: Style) -> Vec<Token> {
        let mut tokens = Vec::new();
        self.print(symbols, style, &mut tokens);
        tokens
    }

    /// The row of its operation in the operation table.
    #[must_use]
    pub fn operation_row(&self) -> Option<OperationRow> {
        let code = self.operation()?;
        let mut rows = (self.spec().operations)().into_iter();
        rows.find(|row| row.code == code)
    }

    /// The fields of the encoding.
    #[must_use]
    pub fn fields(&self, symbols: &SymbolTable) -> Vec<Field> {
        let mut describer = Describer::new(&symbols.visa);
        let mut copy = self.clone();
        copy.layout(&mut describer).expect("only decoders refuse");
        describer.finish()
    }

    /// The fields and valid values for an index into [`Spec::opcodes`]; empty if there is no
    /// such opcode.
    #[must_use]
    pub fn allowed(spec: &'static Spec, opcode: usize, symbols: &SymbolTable) -> Vec<FieldDomain> {
        let mut lister = DomainLister::new(&symbols.visa);
        if let Some(mut plain) = Self::default_for_opcode(spec, opcode) {
            plain.layout(&mut lister).expect("only decoders refuse");
        }
        lister.finish()
    }
}
