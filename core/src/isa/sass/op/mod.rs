//! The opcode table of NVIDIA's machine code, from SM50 to SM121, and the instruction type
//! for all of its rows.
//!
//! A row of [`OPS`] has the operands and words of an opcode, and a [`Class`] that says how
//! it executes; arithmetic is one expression on the values of a lane. Operands are resolved
//! when a line is parsed. Listed instructions without a row, or with words that a row does
//! not have, stop a run when they issue.

mod bulk;
mod computation;
pub mod encoding;
pub mod expression;
pub mod flow;
mod formula;
pub mod matrix;
pub mod memory;
pub mod name;
pub mod operand;
mod parse;
mod semantics;
mod signature;
pub mod special;
mod table;
pub mod uses;
pub mod words;

pub use parse::SassLine;
pub use signature::SlotName;
pub use special::WarpOutput;
pub use table::{OPS, UNKNOWN};

use super::chip::Chip;
use crate::isa::{Family, Instruction, Spec};
use crate::machine::Machine;
use crate::text::SyntaxPart;
use alloc::borrow::Cow;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;
use expression::{LaneInput, LaneOutput};
use flow::WarpFlow;
use memory::{Action, AddressOperand, MemoryKind, Window};
use name::Name;
use operand::{Kind, LanePredicate, LaneRegister, LaneValues, PredicateSource, SassSource};
use special::SpecialKind;
use words::{SassModifiers, WordSet};

/// Chips that have an opcode, or a form of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// SM50 to SM62.
    Old,
    /// From SM70 on.
    New,
    /// From a chip on.
    From(Chip),
    /// Some chips.
    Of(&'static [Chip]),
    /// All chips.
    Every,
}

impl Era {
    /// Whether a chip is of it.
    #[must_use]
    pub fn has(self, chip: Chip) -> bool {
        match self {
            Self::Old => chip.is_old(),
            Self::New => !chip.is_old(),
            Self::From(first) => chip >= first,
            Self::Of(chips) => chips.contains(&chip),
            Self::Every => true,
        }
    }

    /// Names of its chips.
    #[must_use]
    pub fn chips(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Old => "SM50 to SM62",
            Self::New => "SM70 and later",
            Self::From(first) => return format!("{} and later", first.name()).into(),
            Self::Of(chips) => {
                let names: Vec<&str> = chips.iter().map(|chip| chip.name()).collect();
                return names.join(", ").into();
            }
            Self::Every => "SM50 and later",
        })
    }
}

/// Computes what a lane writes.
pub type Expression = fn(&SassModifiers, &LaneInput) -> LaneOutput;

/// How a row executes.
#[derive(Clone, Copy)]
pub enum Class {
    /// An expression of each lane.
    Alu(Expression),
    /// A load, store or atomic of each lane.
    Memory(MemoryKind),
    /// Changes which lanes execute what.
    Flow(WarpFlow),
    /// Reads other lanes, or the state of the warp.
    Special(SpecialKind),
    /// Orders the accesses of each lane to global and shared memory.
    Fence,
    /// Makes a group of the copies that the lanes have started.
    CopyGroup,
    /// Waits for groups of copies.
    CopyWait,
    /// Stops the run, unless a word says that it only waits.
    Trap,
    /// No effect on values.
    NoEffect,
    /// Listed, but not executed.
    NotModelled,
}

impl Class {
    /// Whether its addresses denote shared memory.
    #[must_use]
    pub fn accesses_shared_memory(self) -> bool {
        matches!(self, Self::Memory(kind) if kind.window == Window::Shared)
    }

    /// Whether it copies from one memory to another.
    #[must_use]
    pub const fn copies(self) -> bool {
        matches!(self, Self::Memory(kind) if matches!(kind.action, Action::Copy | Action::BulkCopy))
    }

    /// Whether a named register is an operand of such a row.
    const fn reads(self, name: Name) -> bool {
        use SpecialKind::{
            BarrierMove, PredicatesToRegister, Register, RegisterToPredicates, ReturnAddressMove,
        };
        matches!(
            (self, name),
            (Self::Special(Register), Name::Special(_))
                | (
                    Self::Special(BarrierMove),
                    Name::Barrier(_) | Name::Register(_) | Name::Mask(_)
                )
                | (
                    Self::Special(PredicatesToRegister | RegisterToPredicates),
                    Name::Predicates | Name::ConditionCode
                )
                | (Self::Special(ReturnAddressMove), Name::Register(_))
                | (Self::Flow(_), Name::Barrier(_))
                | (Self::Alu(_), Name::ConditionCode)
        )
    }
}

/// An operand of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandSlot {
    /// A destination: one register, or two for 64 bits.
    D(Kind),
    /// A destination that may be missing.
    MaybeD(Kind),
    /// A destination of four registers.
    Four,
    /// The registers of the lower four of eight words of a destination.
    LowerWords,
    /// Those of the upper four.
    UpperWords,
    /// The mask of the words that a load has registers for, which may be missing.
    WordMask,
    /// A predicate destination.
    P,
    /// A predicate destination that may be missing.
    MaybeP,
    /// A source.
    S(Kind),
    /// A source that may be missing; then it is 0.
    Maybe(Kind),
    /// A source of four registers.
    Quad,
    /// A source that is read from a constant bank in the size that a word says.
    Constant,
    /// A source of four words of a constant bank.
    ConstantQuad,
    /// A predicate source.
    Q,
    /// A predicate source that may be missing; then it is false.
    MaybeQ,
    /// A predicate source that may be missing; then it is true.
    MaybeTrue,
    /// A source register that may be missing; then it is all ones.
    MaybeR,
    /// An address in brackets.
    Address,
    /// The address in brackets from which a copy reads.
    From,
    Label,
    /// A label that may be missing.
    MaybeLabel,
    /// A label; or a register, and the function or address to which it is relative.
    Callee,
    /// A register and a number: the address of the next instruction is added.
    Indexed,
    /// A condition of the condition code, which may be missing.
    MaybeCode,
    /// A named register: special, a convergence barrier, the predicates.
    Name,
    /// A predicate that is not used, written like this, which may be missing.
    Unused(&'static str),
    /// An operand without effect, which may be missing.
    Ignored,
    /// Any operands.
    Any,
}

/// A row of the opcode table.
pub struct SassOp {
    /// Name and documentation.
    pub spec: Spec,
    /// The chips that have it.
    pub era: Era,
    /// The words that it executes.
    pub words: WordSet,
    /// It has one word of each of these sets: two of a set that occurs twice.
    pub choices: &'static [WordSet],
    /// Words that only some of its chips have.
    pub restricted: &'static [(Era, WordSet)],
    /// The operands, by the words.
    pub operands: fn(&SassModifiers) -> &'static [OperandSlot],
    /// How it executes.
    pub class: Class,
}

impl core::fmt::Debug for SassOp {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.spec.name)
    }
}

/// Finds the row of a spec; `None` if the spec is not in the table.
#[must_use]
pub fn of_spec(spec: &'static Spec) -> Option<&'static SassOp> {
    OPS.iter().find(|op| core::ptr::eq(&op.spec, spec))
}

/// Whether a mnemonic is read by the opcode table: all are in a launch; outside, unknown ones
/// are not, and neither are documented ones on the chips whose encoding is known.
pub(crate) fn is_of_table(mnemonic: &str, chip: Chip, is_launch: bool) -> bool {
    let opcode = mnemonic.split('.').next().unwrap_or("");
    let is_documented = Instruction::named(Family::Sass, opcode).is_some();
    let is_known = named(opcode, chip).is_some();
    is_launch || is_known && !(is_documented && chip.is_old())
}

/// The row of an opcode on a chip, and whether it is the uniform twin.
#[must_use]
pub fn named(opcode: &str, chip: Chip) -> Option<(&'static SassOp, bool)> {
    let find = |opcode: &str| {
        OPS.iter()
            .find(|op| op.era.has(chip) && op.spec.name == opcode)
    };
    if let Some(op) = find(opcode) {
        return Some((op, false));
    }
    if !chip.has_uniform_registers() {
        return None;
    }
    // The uniform datapath computes; the other twins are listed.
    let computes = |op: &&SassOp| matches!(op.class, Class::Alu(_));
    let listed = TWINS.iter().find(|(twin, _)| *twin == opcode);
    let twin = match listed {
        Some((_, base)) => find(base),
        None => find(opcode.strip_prefix('U')?).filter(computes),
    };
    twin.map(|op| (op, true))
}

/// The uniform twins that compilers write, and the opcodes of their rows (observed with ptxas
/// 11.8, 12.4 and 13.5).
pub const TWINS: [(&str, &str); 34] = [
    ("BRXU", "BRX"),
    ("CS2UR", "CS2R"),
    ("LDCU", "LDC"),
    ("S2UR", "S2R"),
    ("UBMSK", "BMSK"),
    ("UBREV", "BREV"),
    ("UF2FP", "F2FP"),
    ("UF2I", "F2I"),
    ("UFADD", "FADD"),
    ("UFFMA", "FFMA"),
    ("UFLO", "FLO"),
    ("UFMUL", "FMUL"),
    ("UFRND", "FRND"),
    ("UFSEL", "FSEL"),
    ("UFSETP", "FSETP"),
    ("UI2F", "I2F"),
    ("UI2FP", "I2FP"),
    ("UIADD3", "IADD3"),
    ("UIMAD", "IMAD"),
    ("UIMNMX", "IMNMX"),
    ("UISETP", "ISETP"),
    ("ULDC", "LDC"),
    ("ULEA", "LEA"),
    ("ULOP3", "LOP3"),
    ("UMOV", "MOV"),
    ("UPLOP3", "PLOP3"),
    ("UPOPC", "POPC"),
    ("UPRMT", "PRMT"),
    ("USEL", "SEL"),
    ("USGXT", "SGXT"),
    ("USHF", "SHF"),
    ("UVIADD", "VIADD"),
    ("UVIMNMX", "VIMNMX"),
    ("VOTEU", "VOTE"),
];

/// Where a branch goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlowTarget {
    /// A label of the function.
    Label(Rc<str>),
    /// A byte address in the function.
    Address(u32),
}

/// An instruction of the table.
#[derive(Clone, Debug)]
pub struct SassInstruction {
    /// Its row.
    pub op: &'static SassOp,
    /// The line without its comments.
    text: Rc<str>,
    /// Opcode and words as written.
    mnemonic: Rc<str>,
    /// Why it cannot be executed, if so.
    obstacle: Option<Rc<str>>,
    is_old: bool,
    guard: PredicateSource,
    modifiers: SassModifiers,
    destination: Option<LaneRegister>,
    /// Registers of the destination.
    registers: u8,
    /// The first register of the upper four of eight words of the destination.
    upper: Option<LaneRegister>,
    /// The words of the destination that have registers, of eight.
    words: u8,
    /// Operands as written, without cache hints.
    written: Vec<(SyntaxPart, Rc<str>)>,
    /// Whether the destination sets the condition code.
    sets_code: bool,
    predicates: [LanePredicate; 2],
    sources: [SassSource; 4],
    conditions: [PredicateSource; 3],
    address: AddressOperand,
    /// The address from which a copy reads.
    source_address: AddressOperand,
    names: [Option<Name>; 2],
    /// The condition of the condition code.
    code: Option<operand::CodeCondition>,
    target: Option<FlowTarget>,
    /// Index of the instruction at the target.
    goes_to: Option<u32>,
    /// The source that is the address of a label, and the label.
    label_source: Option<(usize, Rc<str>)>,
    /// Indices of the instructions that start functions.
    functions: Rc<[u32]>,
}

impl PartialEq for SassInstruction {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.goes_to == other.goes_to
    }
}

impl Eq for SassInstruction {}

impl SassInstruction {
    /// The opcode with its words, as written.
    #[must_use]
    pub fn mnemonic(&self) -> &str {
        &self.mnemonic
    }

    /// The registers of the destination that each lane has.
    pub fn destination_registers(&self) -> impl Iterator<Item = u8> {
        self.written_registers().filter_map(LaneRegister::number)
    }

    /// The labels that it refers to.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let target = match &self.target {
            Some(FlowTarget::Label(label)) => Some(&**label),
            _ => None,
        };
        let source = self.label_source.as_ref().map(|(_, label)| &**label);
        target.into_iter().chain(source)
    }

    /// Resolves its labels and target addresses in a program with these functions and this many
    /// instructions.
    /// Returns the name of a label that does not exist.
    pub fn resolve(
        &mut self,
        position: impl Fn(&str) -> Option<u32>,
        functions: &Rc<[u32]>,
        instructions: u32,
    ) -> Option<Rc<str>> {
        let mut missing = None;
        self.functions = Rc::clone(functions);
        self.goes_to = match &self.target {
            Some(FlowTarget::Label(label)) => {
                let found = position(label);
                missing = found.is_none().then(|| Rc::clone(label));
                found
            }
            Some(FlowTarget::Address(address)) => {
                flow::index_of(u64::from(*address), self.is_old, instructions)
            }
            None => None,
        };
        if let Some((source, label)) = &self.label_source {
            match position(label) {
                Some(index) => {
                    let address = flow::address_of(index, self.is_old);
                    if let Some(place) = self.sources.get_mut(*source) {
                        place.place = operand::SourcePlace::Number(address);
                    }
                }
                None => missing = Some(Rc::clone(label)),
            }
        }
        missing
    }

    /// Mask of the lanes that execute it: active, with a true guard.
    #[must_use]
    pub fn executing(&self, machine: &Machine, thread: u8, active: u32) -> u32 {
        active & self.guard.bits(machine, thread)
    }

    /// The values of the first sources.
    #[inline]
    fn source_values<const N: usize>(&self, machine: &Machine, thread: u8) -> [LaneValues; N] {
        let mut values = [[0; 32]; N];
        for (source, values) in self.sources.iter().zip(&mut values) {
            source.read(machine, thread, values);
        }
        values
    }

    /// Why it stops a run: an unknown opcode, word or operand.
    #[must_use]
    pub fn obstacle(&self) -> Option<&str> {
        self.obstacle.as_deref()
    }

    /// The registers that it reads or writes, for the state that is shown.
    fn all_registers(&self) -> Vec<LaneRegister> {
        let sources = self.sources.iter().flat_map(SassSource::registers);
        sources
            .chain(self.written_registers())
            .chain(self.address_registers())
            .chain(self.conditions.iter().filter_map(|source| source.sign_of))
            .collect()
    }
}
