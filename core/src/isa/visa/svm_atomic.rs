//! SVM_ATOMIC: read-modify-write of words, dwords or qwords of the virtual
//! address space.
//!
//! Source: SVM_ATOMIC.md; the real tool where the document is silent.

use super::atomic::{self, CellStatus, VisaAtomic};
use super::declarations::Declarations;
use super::execution::{Execution, Verifier};
use super::syntax::{DocumentedInstruction, OperandValue};
use crate::bits::{BitField, DecodeError, SymbolResolver, Visitor};
use crate::contradictions;
use crate::diagnostic::Diagnostics;
use crate::isa::rmw::Width;
use crate::isa::schema::{Direction, Elements, Form, Null, Operand, Suffix, Syntax, Words};
use crate::isa::{
    Access, AddressRegister, Check, Effect, Evaluation, Example, Fact, Family, FaultKind,
    IssueContext, IssueFault, Opcode, OperandSpans, ParseError, PseudocodeState, Semantics,
    SourceElement, Spec, Style, SymbolTable, ThreadSet, Unit, Update,
};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::ElementType;
use crate::rules::{self, Provenance};
use crate::text::{Cursor, Sink, SyntaxPart};
use alloc::string::String;
use alloc::vec::Vec;

static SPEC: Spec = Spec {
    name: "SVM_ATOMIC",
    mnemonics: &["svm_atomic"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x4e, 0x05])],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane reads a word, dword or qword at a virtual address, combines it with its operands, writes the result back and returns the old value. Each lane's read-modify-write is atomic.",
    source: "SVM_ATOMIC.md",
    syntax: Syntax {
        predicate: true,
        suffixes: &[
            atomic::OPERATION,
            Suffix {
                part: SyntaxPart::Width,
                name: "16|64",
                optional: true,
                what: "width of the cells; 32 bits by default",
                words: Words::Listed(&[
                    ("16", "16-bit cells"),
                    ("64", "64-bit cells"),
                    ("32", "32-bit cells"),
                ]),
            },
        ],
        lanes: "n",
        operands: &[ADDRESSES, atomic::DST, atomic::SRC0, atomic::SRC1],
    },
    operations: atomic::operation_table,
    constructs: || atomic::source_constructs("__global", &[Width::W32, Width::W16, Width::W64]),
    pseudo_code: &[
        "for each lane i of the execution size:",
        "  if the lane is enabled:",
        "    address = addresses[i]",
        "    old = memory[address]",
        "    memory[address] = op(old, src0[i], src1[i])",
        "    dst[i] = old (PREDEC: the new value)",
    ],
    facts: &[
        Fact {
            mark: Provenance::Documented,
            text: "dst is the second operand in the text, but the last in the encoding.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "Lanes that access the same cell are serialized in an undefined order, as documented for DWORD_ATOMIC.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "An unmapped or misaligned address faults, and the instruction has no effect. The fault reports the lane and the address.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "The 64-bit forms require 64-bit types; the 16-bit forms use the low half of a dword.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "In the 16-bit forms, the upper half of the dst dword is unchanged.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "FMAX and FMIN: a number beats a NaN; two NaNs give src0; -0 and +0 compare equal, which keeps the old value; subnormals are preserved. Intel's CPU emulation stores src0 whenever a NaN is involved. FADD and FSUB: a NaN result is the quieted NaN operand, the old value first.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "FCMPWR compares IEEE numbers: -0 equals +0, and NaN is unequal to everything.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "The real tool barely checks SVM instructions: it accepts any type and mask, with or without operands.",
        },
    ],
    contradictions: &[
        &contradictions::SWAPPED_ROLES,
        &contradictions::PSEUDO_CODE_RETURN,
        &contradictions::PREDEC_TYPE,
        &contradictions::PREDEC_RETURN,
        &contradictions::SVM_SIZES,
        &contradictions::ANY_ALL,
    ],
    examples: &EXAMPLES,
};

/// Virtual address of each lane's cell.
const ADDRESSES: Operand = Operand {
    part: SyntaxPart::Address,
    name: "addresses",
    role: "the addresses",
    direction: Direction::In,
    form: Form::Raw,
    elements: Elements::PerLane(ElementType::Uq, &rules::ADDRESS_TYPE),
    null: Null::Never,
    optional: false,
    what: "virtual addresses in bytes, one UQ per lane",
};

/// Width code, bits 7..5 of the operation byte. The document assigns bits 6..5;
/// the real tool reads three bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WidthCode(u8);

impl WidthCode {
    /// 0: 32 bits.
    pub const W32: Self = Self(0);
    /// 1: 16 bits.
    pub const W16: Self = Self(1);
    /// 2: 64 bits.
    pub const W64: Self = Self(2);

    /// Whether the document lists the code.
    #[must_use]
    pub const fn is_documented(self) -> bool {
        self.0 <= 2
    }

    /// The width. The real tool reads the undocumented code 3 as 64 bits and the
    /// others as 32 (observed with an object file).
    #[must_use]
    pub const fn width(self) -> Width {
        match self.0 {
            1 => Width::W16,
            2 | 3 => Width::W64,
            _ => Width::W32,
        }
    }
}

impl BitField for WidthCode {
    fn to_bits(self) -> u64 {
        u64::from(self.0)
    }

    fn from_bits(bits: u64) -> Option<Self> {
        u8::try_from(bits).ok().filter(|b| *b < 8).map(Self)
    }

    fn meaning(self, _: &dyn SymbolResolver) -> String {
        let bits = self.width().bits();
        if self.is_documented() {
            alloc::format!("{bits}-bit")
        } else {
            alloc::format!("undocumented, treated as {bits}-bit")
        }
    }
}

/// An SVM_ATOMIC instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SvmAtomic {
    /// Lanes, operation and operands.
    pub atomic: VisaAtomic,
    /// Width of the cells.
    pub width: WidthCode,
}

impl SvmAtomic {
    const fn width(&self) -> Width {
        self.width.width()
    }
}

impl Default for SvmAtomic {
    fn default() -> Self {
        Self {
            atomic: VisaAtomic::default(),
            width: WidthCode::W32,
        }
    }
}

impl DocumentedInstruction for SvmAtomic {
    const SPEC: &'static Spec = &SPEC;

    fn execution(&mut self) -> &mut Execution {
        &mut self.atomic.execution
    }

    fn operand(&mut self, part: SyntaxPart) -> OperandValue<'_> {
        self.atomic.operand(part)
    }

    fn parse_suffixes(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        let width = self.atomic.parse_suffixes(&SPEC, cursor, spans, out)?;
        self.width = match width {
            Some(16) => WidthCode::W16,
            Some(64) => WidthCode::W64,
            Some(_) => {
                let span = spans.of(SyntaxPart::Width);
                out.report(
                    &rules::UNDOCUMENTED_WIDTH,
                    span,
                    "undocumented suffix `.32`",
                );
                WidthCode::W32
            }
            None => WidthCode::W32,
        };
        Ok(())
    }

    fn print_suffixes(&self, style: Style, sink: &mut impl Sink) {
        self.atomic.print_suffixes(self.width(), style, sink);
    }

    fn declaration(&self, part: SyntaxPart, _: &Declarations) -> (&'static str, u32) {
        let operand = SPEC.syntax.operand(part);
        self.atomic.declaration(operand, self.width())
    }

    fn layout_fields<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let atomic = &mut self.atomic;
        let addresses = ["Addresses id", "Addresses offset"];
        atomic.execution.layout(v)?;
        v.field(SyntaxPart::Operation, "Op", 5, &mut atomic.operation)?;
        v.field(SyntaxPart::Width, "Width", 3, &mut self.width)?;
        atomic.address.layout(SyntaxPart::Address, addresses, v)?;
        atomic.layout_data(v)
    }

    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        _: ThreadSet,
        machine: &mut Machine,
        _: &SymbolTable,
        recorder: &mut R,
    ) {
        self.atomic
            .perform(self.width(), accesses, machine, recorder);
    }
}

impl Semantics for SvmAtomic {
    fn check(&self, check: &mut Check<'_>) {
        let width = self.width();
        let lanes = self.atomic.execution.size.lanes();
        if lanes > 8 {
            let what = alloc::format!("undocumented execution size {lanes}");
            check.report(&rules::SVM_EXEC_SIZE, SyntaxPart::ExecSize, what);
        }
        if !self.width.is_documented() {
            let what = alloc::format!(
                "undocumented width code {}, treated as {} bits",
                self.width.to_bits(),
                width.bits()
            );
            check.report(&rules::RESERVED_WIDTH, SyntaxPart::Width, what);
        }
        self.atomic.check(&ADDRESSES, width, Verifier::Lax, check);
    }

    fn check_run(&self, _: &IssueContext<'_>, check: &mut Check<'_>) {
        self.atomic.check_run(&ADDRESSES, self.width(), check);
    }

    fn address_registers(&self, symbols: &SymbolTable) -> Vec<AddressRegister> {
        let register = self
            .atomic
            .address
            .address_register(ADDRESSES.part, &symbols.visa);
        register.into_iter().collect()
    }

    fn source_elements(&self, unit: Unit, symbols: &SymbolTable) -> Vec<SourceElement> {
        atomic::source_elements(&self.atomic, self.width(), &ADDRESSES, unit, &symbols.visa)
    }

    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault> {
        let space = SpaceId::VIRTUAL;
        let memory = context.machine.space(space).mapped();
        let (width, bytes) = (self.width(), self.width().bytes());
        // A mask is much cheaper than a division per lane; `bytes` is a power of two.
        let aligned = u64::from(bytes) - 1;
        let cell = |address| {
            if address & aligned != 0 {
                CellStatus::Fault(FaultKind::Misaligned)
            } else if memory.contains(address, bytes) {
                CellStatus::Accessible
            } else {
                CellStatus::Fault(FaultKind::Unmapped)
            }
        };
        let out = &mut out.accesses;
        atomic::issue(&self.atomic, width, &ADDRESSES, space, context, cell, out);
        Ok(())
    }

    fn first_channel(&self) -> u8 {
        self.atomic.execution.mask.offset()
    }

    fn adds(&self, access: &Access, _: &SymbolTable) -> Option<u64> {
        let rmw = self.atomic.operation.update().rmw;
        rmw.addend(self.width(), access.src0)
    }

    fn update(&self, _: &SymbolTable) -> Option<Update> {
        Some(self.atomic.operation.update())
    }

    fn describe_effect(&self, effect: &Effect<'_>, _: &SymbolTable) -> String {
        atomic::describe_effect(self.atomic.operation, self.width(), "svm", effect)
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        atomic::pseudocode_state("address", effect)
    }

    fn lanes(&self) -> u8 {
        self.atomic.execution.size.lanes()
    }

    fn inactive_reason(&self, context: &IssueContext<'_>, unit: Unit) -> Option<&'static str> {
        self.atomic.execution.inactive_reason(context, unit)
    }

    fn operation(&self) -> Option<u64> {
        Some(u64::from(self.atomic.operation.code()))
    }

    fn operands(&self) -> u8 {
        self.atomic.operation.operands().count()
    }

    fn contradiction_ids(&self, _: &SymbolTable) -> Vec<&'static str> {
        let mut found = atomic::contradiction_ids(&self.atomic);
        if self.width() == Width::W16 || self.atomic.execution.size.lanes() != 8 {
            found.push(contradictions::id::SVM_SIZES);
        }
        found
    }

    fn display_type(&self, _: &SymbolTable) -> ElementType {
        atomic::display_type(self.atomic.operation, self.width())
    }
}

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 3] = [
    Example {
        title: "A 64-bit counter",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl V33 v_type=G type=uq num_elts=4 align=GRF
.decl V34 v_type=G type=uq num_elts=4 align=GRF
.region svm 0x10000 64
.init V32 = splat(0x10000)
.init V34 = 1, 2, 3, 4
.init svm[0x10000] : uq = 0xffffffff
svm_atomic.add.64 (M1, 4) V32.0 V33.0 V34.0 %null.0
",
        document: "SVM_ATOMIC.ADD.64 (4) V32 V33 V34 V0",
        assembler: "svm_atomic.add.64 (M1, 4) V32.0 V33.0 V34.0 %null.0",
        bytes: "4e0502000040200000000000220000000000000000000000210000000000",
        end: &[
            ("svm[0x10000] : uq", "0x100000009"),
            (
                "EU0.V33",
                "0xffffffff, 0x100000000, 0x100000002, 0x100000005",
            ),
        ],
    },
    Example {
        title: "FCMPWR compares with src0 and stores src1; -0 equals +0",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl V33 v_type=G type=f num_elts=8 align=GRF
.decl V34 v_type=G type=f num_elts=8 align=GRF
.decl V35 v_type=G type=f num_elts=8 align=GRF
.region svm 0x10000 64
.init V32 = 0x10000, 0x10004
.init V33 = -0, nan
.init V34 = 1.5, 2.5
.init svm[0x10004] : f = nan
SVM_ATOMIC.FCMPWR (2) V32 V35 V33 V34
",
        document: "SVM_ATOMIC.FCMPWR (2) V32 V35 V33 V34",
        assembler: "svm_atomic.fcmpwr (M1, 2) V32.0 V35.0 V33.0 V34.0",
        bytes: "4e0501000012200000000000210000000000220000000000230000000000",
        end: &[("svm[0x10000] : f", "1.5, nan")],
    },
    Example {
        title: "INC without operands, discarding the old value",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl P1 v_type=P num_elts=4
.region svm 0x10000 64
.init V32 = splat(0x10010)
.init P1 = 0b0101
(P1) svm_atomic.inc (M1, 4) V32.0 %null.0 %null.0 %null.0
",
        document: "(P1) SVM_ATOMIC.INC (4) V32 V0 V0 V0",
        assembler: "(P1) svm_atomic.inc (M1, 4) V32.0 %null.0 %null.0 %null.0",
        bytes: "4e0502010002200000000000000000000000000000000000000000000000",
        end: &[("svm[0x10010] : ud", "2")],
    },
];
