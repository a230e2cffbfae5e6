//! DWORD_ATOMIC: read-modify-write of dwords or words of a surface.
//!
//! Source: DWORD_ATOMIC.md; the real tool where the document is silent.

use super::atomic::{self, CellStatus, VisaAtomic};
use super::declarations::Declarations;
use super::execution::{Execution, Verifier};
use super::predefined::FIRST_DECLARED_SURFACE;
use super::surface::Surface;
use super::syntax::{DocumentedInstruction, OperandValue};
use crate::bits::{BitField, DecodeError, Visitor};
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
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

static SPEC: Spec = Spec {
    name: "DWORD_ATOMIC",
    mnemonics: &["dword_atomic"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x7d])],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane reads a dword or word of a surface, combines it with its operands, writes the result back and returns the old value. Each lane's read-modify-write is atomic.",
    source: "DWORD_ATOMIC.md",
    syntax: Syntax {
        predicate: true,
        suffixes: &[
            atomic::OPERATION,
            Suffix {
                part: SyntaxPart::Width,
                name: "16",
                optional: true,
                what: "width of the cells; 32 bits by default",
                words: Words::Listed(&[("16", "16-bit cells")]),
            },
        ],
        lanes: "n",
        operands: &[SURFACE, OFFSETS, atomic::SRC0, atomic::SRC1, atomic::DST],
    },
    operations: atomic::operation_table,
    constructs: || atomic::source_constructs("__local", &[Width::W32, Width::W16]),
    pseudo_code: &[
        "for each lane i of the execution size:",
        "  if the lane is enabled:",
        "    offset = offsets[i]",
        "    old = surface[offset]",
        "    surface[offset] = op(old, src0[i], src1[i])",
        "    dst[i] = old (PREDEC: the new value)",
    ],
    facts: &[
        Fact {
            mark: Provenance::Documented,
            text: "Lanes that access the same cell are serialized in an undefined order.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Each variable provides its first Exec_size elements, one per lane: Element_offset the offsets in bytes, Src0 and Src1 the operands. Src0 of INC and DEC is V0, as is Src1 of all operations except CMPXCHG and FCMPWR.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Message types: integer operations have DWORD, SVM and TYPED messages; FMAX, FMIN and FCMPWR have DWORD and SVM messages only. 64-bit types require SVM messages.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Out-of-bounds reads return zero, and out-of-bounds writes are dropped.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "A cell that is partly out of bounds counts as out of bounds, where PREDEC returns 0.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "In the 16-bit forms, operands and results use the low half of a dword.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "In the 16-bit forms, the upper half of the dst dword is unchanged.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "An offset that is not a multiple of the access size faults, and the instruction has no effect.",
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
            mark: Provenance::Assumed,
            text: "T255 accesses the same virtual memory as SVM, with 32-bit offsets from address 0.",
        },
    ],
    contradictions: &[
        &contradictions::SWAPPED_ROLES,
        &contradictions::PSEUDO_CODE_RETURN,
        &contradictions::PREDEC_TYPE,
        &contradictions::PREDEC_RETURN,
        &contradictions::NARROW_TYPES,
        &contradictions::SIGNED_ADD,
        &contradictions::ANY_ALL,
    ],
    examples: &EXAMPLES,
};

/// The memory to access.
const SURFACE: Operand = Operand {
    part: SyntaxPart::Surface,
    name: "surface",
    role: "the surface",
    direction: Direction::In,
    form: Form::Surface,
    elements: Elements::None,
    null: Null::Never,
    optional: false,
    what: "memory to access",
};

/// Byte offset of each lane's cell.
const OFFSETS: Operand = Operand {
    part: SyntaxPart::Address,
    name: "offsets",
    role: "the element offsets",
    direction: Direction::In,
    form: Form::Raw,
    elements: Elements::PerLane(ElementType::Ud, &rules::OFFSET_TYPE),
    null: Null::Never,
    optional: false,
    what: "byte offsets from the start of the surface, one UD per lane",
};

/// A DWORD_ATOMIC instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DwordAtomic {
    /// Lanes, operation and operands; the address operand holds the element offsets.
    pub atomic: VisaAtomic,
    /// Whether cells are words (`.16`).
    pub narrow: bool,
    pub surface: Surface,
}

impl DwordAtomic {
    const fn width(&self) -> Width {
        if self.narrow { Width::W16 } else { Width::W32 }
    }

    /// Display name of the memory: `slm`, `stateless` or the surface's name.
    fn place(&self, symbols: &SymbolTable) -> String {
        let symbols = &symbols.visa;
        match self.surface.space() {
            SpaceId::SLM => String::from("slm"),
            SpaceId::VIRTUAL => String::from("stateless"),
            _ => match symbols.surface_name(self.surface.0) {
                Some(name) => String::from(name),
                None => self.surface.meaning(symbols),
            },
        }
    }
}

impl DocumentedInstruction for DwordAtomic {
    const SPEC: &'static Spec = &SPEC;

    fn execution(&mut self) -> &mut Execution {
        &mut self.atomic.execution
    }

    fn operand(&mut self, part: SyntaxPart) -> OperandValue<'_> {
        match part {
            SyntaxPart::Surface => OperandValue::Surface(&mut self.surface),
            _ => self.atomic.operand(part),
        }
    }

    fn parse_suffixes(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        let width = self.atomic.parse_suffixes(&SPEC, cursor, spans, out)?;
        self.narrow = width == Some(16);
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
        let offsets = ["Element_offset id", "Element_offset offset"];
        v.field(SyntaxPart::Operation, "Op", 5, &mut atomic.operation)?;
        v.field(SyntaxPart::Width, "16-bit", 1, &mut self.narrow)?;
        v.ignored("Op reserved", 2)?;
        atomic.execution.layout(v)?;
        v.field(SyntaxPart::Surface, "Surface", 8, &mut self.surface)?;
        atomic.address.layout(SyntaxPart::Address, offsets, v)?;
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

impl Semantics for DwordAtomic {
    fn check(&self, check: &mut Check<'_>) {
        if !self.surface.is_listed() {
            let name = self.surface.meaning(check.symbols);
            check.advise(
                &rules::SURFACE_NOT_LISTED,
                SyntaxPart::Surface,
                format!("surface {name} is not documented for DWORD_ATOMIC"),
                "use T0 (%slm), T255 (%scratch) or a declared buffer",
            );
        }
        self.atomic
            .check(&OFFSETS, self.width(), Verifier::Strict, check);
    }

    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        let bound = context.machine.space(self.surface.space()).is_bound();
        if !self.surface.is_listed() && !bound {
            check.report(
                &rules::RUN_UNBOUND,
                SyntaxPart::Surface,
                "cannot run on an unbound surface",
            );
        } else if self.surface.0 >= FIRST_DECLARED_SURFACE && !bound {
            let name = self.place(check.symbols);
            check.advise(
                &rules::SURFACE_SIZE,
                SyntaxPart::Surface,
                format!("`{name}` has no size"),
                format!("add `.surface {name} 4096`"),
            );
        }
        self.atomic.check_run(&OFFSETS, self.width(), check);
    }

    fn address_registers(&self, symbols: &SymbolTable) -> Vec<AddressRegister> {
        let register = self
            .atomic
            .address
            .address_register(OFFSETS.part, &symbols.visa);
        register.into_iter().collect()
    }

    fn source_elements(&self, unit: Unit, symbols: &SymbolTable) -> Vec<SourceElement> {
        atomic::source_elements(&self.atomic, self.width(), &OFFSETS, unit, &symbols.visa)
    }

    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault> {
        let (width, bytes) = (self.width(), self.width().bytes());
        // A mask is much cheaper than a division per lane; `bytes` is a power of two.
        let aligned = u64::from(bytes) - 1;
        let out = &mut out.accesses;
        let mut result = Ok(());
        for thread in context.threads.iter() {
            let memory = match self.surface.memory(context, thread) {
                Ok(memory) => memory,
                Err(fault) => {
                    result = result.and(Err(fault.into()));
                    continue;
                }
            };
            let own = IssueContext {
                threads: ThreadSet::one(thread),
                ..*context
            };
            let cell = |offset| {
                if offset & aligned != 0 {
                    CellStatus::Fault(FaultKind::Misaligned)
                } else if memory.contains(offset, bytes, context.machine) {
                    CellStatus::Accessible
                } else {
                    CellStatus::OutOfBounds
                }
            };
            let first = out.len();
            atomic::issue(&self.atomic, width, &OFFSETS, memory.space, &own, cell, out);
            for access in out.iter_mut().skip(first) {
                access.address = memory.address(access.address);
            }
        }
        result
    }

    fn surface_start(&self, context: &IssueContext<'_>, thread: u8) -> Option<u64> {
        let memory = self.surface.memory(context, thread).ok()?;
        Some(memory.address(0))
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

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let place = self.place(symbols);
        atomic::describe_effect(self.atomic.operation, self.width(), &place, effect)
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        atomic::pseudocode_state("offset", effect)
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

    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        let mut found = atomic::contradiction_ids(&self.atomic);
        if self.narrow && atomic::has_16bit_quirk(self.atomic.operation) {
            found.push(contradictions::id::NARROW_TYPES);
        }
        if atomic::adds_signed(&self.atomic, symbols) {
            found.push(contradictions::id::SIGNED_ADD);
        }
        found
    }

    fn display_type(&self, _: &SymbolTable) -> ElementType {
        atomic::display_type(self.atomic.operation, self.width())
    }
}

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 4] = [
    Example {
        title: "Four lanes add to two cells of shared local memory",
        scenario: "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.slm 64
.init V32 = 0, 0, 4, 4
.init V33 = 1, 2, 3, 4
dword_atomic.add (M1, 4) %slm V32.0 V33.0 %null.0 V34.0
",
        document: "DWORD_ATOMIC.ADD (4) T0 V32 V33 V0 V34",
        assembler: "dword_atomic.add (M1, 4) %slm V32.0 V33.0 %null.0 V34.0",
        bytes: "7d0002000000200000000000210000000000000000000000220000000000",
        end: &[("slm[0] : ud", "3, 7"), ("EU0.V34", "0, 1, 0, 3")],
    },
    Example {
        title: "A compare-and-swap lock: the first lane acquires it",
        scenario: "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.decl V35 v_type=G type=ud num_elts=8 align=GRF
.slm 64
.init V33 = iota(1, 1)
DWORD_ATOMIC.CMPXCHG (2) T0 V32 V33 V34 V35
",
        document: "DWORD_ATOMIC.CMPXCHG (2) T0 V32 V33 V34 V35",
        assembler: "dword_atomic.cmpxchg (M1, 2) %slm V32.0 V33.0 V34.0 V35.0",
        bytes: "7d0701000000200000000000210000000000220000000000230000000000",
        end: &[("slm[0] : ud", "1"), ("EU0.V35", "0, 1")],
    },
    Example {
        title: "16-bit lanes: the low half of each dword",
        scenario: "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.slm 64
.init V32 = 0, 2
.init V33 = 0xaaaa0001, 0xbbbbffff
.init V34 = 0x11112222, 0x33334444
.init slm[0] : uw = 0xffff, 5
dword_atomic.add.16 (M1, 2) %slm V32.0 V33.0 %null.0 V34.0
",
        document: "DWORD_ATOMIC.ADD.16 (2) T0 V32 V33 V0 V34",
        assembler: "dword_atomic.add.16 (M1, 2) %slm V32.0 V33.0 %null.0 V34.0",
        bytes: "7d2001000000200000000000210000000000000000000000220000000000",
        end: &[
            ("slm[0] : uw", "0, 4"),
            ("EU0.V34", "0x1111ffff, 0x33330005"),
        ],
    },
    Example {
        title: "PREDEC returns the new value",
        scenario: "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=d num_elts=8 align=GRF
.slm 64
.init slm[0] : d = 5
DWORD_ATOMIC.PREDEC (1) T0 V32 V0 V0 V33
",
        document: "DWORD_ATOMIC.PREDEC (1) T0 V32 V0 V0 V33",
        assembler: "dword_atomic.predec (M1, 1) %slm V32.0 %null.0 %null.0 V33.0",
        bytes: "7d0d00000000200000000000000000000000000000000000210000000000",
        end: &[("slm[0] : d", "4"), ("EU0.V33", "4")],
    },
];
