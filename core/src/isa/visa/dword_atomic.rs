//! DWORD_ATOMIC: read-modify-write of dwords or words of a surface.
//!
//! Source: DWORD_ATOMIC.md; the real tool where the document is silent.

use super::atomic::lanes::{self, Cell};
use super::atomic::text::Suggested;
use super::atomic::{
    self, Atomic, contradiction_ids, operand_bounds, rules as operands, runnable, text, trace_text,
};
use super::execution::Verifier;
use super::operand::{self, RawOperand};
use super::predefined::FIRST_DECLARED_SURFACE;
use super::surface::Surface;
use super::{ids, raw};
use crate::bits::{DecodeError, SymbolResolver, Visitor};
use crate::contradictions;
use crate::diagnostic::Diagnostics;
use crate::isa::rmw::Width;
use crate::isa::serialization;
use crate::isa::{
    Access, Check, Definition, Effect, Example, Fact, Family, FaultKind, IssueContext, Opcode,
    OperandSpans, ParseError, PseudocodeState, Semantics, Spec, Style, SymbolTable, Unit, Update,
    texts,
};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::ElementType;
use crate::rules::{self, Provenance};
use crate::text::{Cursor, OperandKind, Sink};
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
    summary: "Each enabled lane reads a dword (or word) of a surface, combines it with its operands, writes the result back and returns the value that was there. No other access comes between a lane's read and its write.",
    source: "DWORD_ATOMIC.md",
    syntax: texts(&[
        "[(P)] dword_atomic.op[.16] (M1, n) surface offsets src0 src1 dst",
        "[(P)] DWORD_ATOMIC.OP[.16] (n) surface offsets src0 src1 dst",
    ]),
    operations: atomic::operation_table,
    pseudo_code: &[
        "for each lane i of the execution size:",
        "  if the lane is enabled:",
        "    offset = offsets[i]",
        "    old = surface[offset]",
        "    surface[offset] = op(old, src0[i], src1[i])",
        "    dst[i] = old (PREDEC: the new value)",
    ],
    facts: texts(&[
        Fact {
            mark: Provenance::Documented,
            text: "Lanes that hit the same cell take turns; the order is not defined.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Out of bounds, reads give zero and writes are dropped.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "A cell that lies partly outside counts as outside, and PREDEC returns 0 there.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "In the 16-bit forms the operand and the result are the low half of a dword.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "In the 16-bit forms the upper half of the returned dword keeps what it held.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "An offset that is not a multiple of the access size is a fault, and the instruction changes nothing.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "FMAX and FMIN: a number wins over a NaN, of two NaNs src0 stays, -0 and +0 tie and the old value stays, subnormals are kept. Intel's CPU emulation stores src0 whenever a NaN is involved. FADD and FSUB: of NaNs the old value's bits stay, made quiet.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "FCMPWR compares as IEEE numbers: -0 equals +0, NaN equals nothing.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "T255 reaches the same virtual memory as SVM, with 32-bit offsets from 0.",
        },
    ]),
    contradictions: texts(&[
        &contradictions::SWAPPED_ROLES,
        &contradictions::PSEUDO_CODE_RETURN,
        &contradictions::PREDEC_TYPE,
        &contradictions::PREDEC_RETURN,
        &contradictions::NARROW_TYPES,
        &contradictions::SIGNED_ADD,
        &contradictions::ANY_ALL,
    ]),
    examples: texts(&EXAMPLES),
};

/// What messages call the address operand.
const OFFSETS: &str = "the element offsets";

/// A DWORD_ATOMIC instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DwordAtomic {
    /// Lanes, operation and data operands.
    pub atomic: Atomic,
    /// Whether cells are words, `.16`.
    pub narrow: bool,
    /// Which surface.
    pub surface: Surface,
    /// Byte offsets into the surface, one UD a lane.
    pub offsets: RawOperand,
}

impl DwordAtomic {
    const fn width(&self) -> Width {
        if self.narrow { Width::W16 } else { Width::W32 }
    }

    /// How a reader calls the memory: `slm`, `stateless`, or the surface's name.
    fn place(&self, symbols: &SymbolTable) -> String {
        let symbols = &symbols.visa;
        match self.surface.space() {
            SpaceId::SLM => String::from("slm"),
            SpaceId::VIRTUAL => String::from("stateless"),
            _ => match symbols.surface_name(self.surface.0) {
                Some(name) => String::from(name),
                None => SymbolResolver::surface(symbols, self.surface.0).unwrap_or_default(),
            },
        }
    }
}

impl Definition for DwordAtomic {
    const SPEC: &'static Spec = &SPEC;

    fn default_for_opcode(_: usize) -> Self {
        Self {
            atomic: Atomic::default_for_opcode(),
            narrow: false,
            surface: Surface::default(),
            offsets: RawOperand::NULL,
        }
    }

    fn parse(
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        let symbols = &symbols.visa;
        let mut this = Self::default_for_opcode(0);
        let written = text::parse_lead(&mut this.atomic, &SPEC, &[16], cursor, symbols, spans, out);
        this.narrow = written == Ok(Some(16));
        let surface = Surface::parse(cursor, symbols, out);
        if surface.is_none() && cursor.at_end() {
            return Err(ParseError);
        }
        if let Some((surface, span)) = surface {
            this.surface = surface;
            spans.set(OperandKind::Surface, span);
        }
        let suggested = Suggested::new("ud", &this.atomic, written.ok().flatten());
        let atomic = &mut this.atomic;
        let operands = operand::parse_all(
            &mut [
                (OperandKind::Address, OFFSETS, &mut this.offsets),
                (OperandKind::Src0, "src0", &mut atomic.src0),
                (OperandKind::Src1, "src1", &mut atomic.src1),
                (OperandKind::Dst, "dst", &mut atomic.dst),
            ],
            &|part| suggested.attributes(part),
            true,
            cursor,
            symbols,
            spans,
            out,
        );
        surface.ok_or(ParseError)?;
        written.and(operands).map(|()| this)
    }

    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        let symbols = &symbols.visa;
        let width = if self.narrow { ".16" } else { "" };
        text::print_lead(&self.atomic, &SPEC, width, symbols, style, sink);
        sink.space();
        self.surface.print(symbols, style, sink);
        for (part, operand) in [
            (OperandKind::Address, self.offsets),
            (OperandKind::Src0, self.atomic.src0),
            (OperandKind::Src1, self.atomic.src1),
            (OperandKind::Dst, self.atomic.dst),
        ] {
            sink.space();
            operand.print(part, symbols, style, sink);
        }
    }

    fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let atomic = &mut self.atomic;
        v.fixed(OperandKind::Opcode, "Opcode", 8, 0x7d)?;
        v.field(OperandKind::Operation, "Op", 5, &mut atomic.operation)?;
        v.field(OperandKind::Width, "16-bit", 1, &mut self.narrow)?;
        v.ignored("Op reserved", 2)?;
        atomic.execution.layout(v)?;
        v.field(OperandKind::Surface, "Surface", 8, &mut self.surface)?;
        self.offsets.layout(
            OperandKind::Address,
            ["Element_offset id", "Element_offset offset"],
            v,
        )?;
        atomic
            .src0
            .layout(OperandKind::Src0, ["Src0 id", "Src0 offset"], v)?;
        atomic
            .src1
            .layout(OperandKind::Src1, ["Src1 id", "Src1 offset"], v)?;
        atomic
            .dst
            .layout(OperandKind::Dst, ["Dst id", "Dst offset"], v)
    }

    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        machine: &mut Machine,
        _: &SymbolTable,
        recorder: &mut R,
    ) {
        serialization::perform(
            self.atomic.operation.update(),
            self.width(),
            accesses,
            machine,
            recorder,
        );
    }
}

impl Semantics for DwordAtomic {
    fn check_encoding(&self, check: &mut Check<'_>) {
        ids::check(
            &self.atomic.execution,
            &[
                ("Element_offset", 6, self.offsets),
                ("Src0", 12, self.atomic.src0),
                ("Src1", 18, self.atomic.src1),
                ("Dst", 24, self.atomic.dst),
            ],
            3,
            check,
        );
        if !check.symbols.visa.has_surface(self.surface.0) {
            ids::unknown(check, 5, "Surface", u64::from(self.surface.0));
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        let width = self.width();
        self.atomic.execution.check(Verifier::Strict, check);
        if !self.surface.is_listed() {
            let name = SymbolResolver::surface(check.symbols, self.surface.0).unwrap_or_default();
            check.advise(
                &rules::SURFACE_NOT_LISTED,
                OperandKind::Surface,
                format!("surface {name}"),
                "use T0 (%slm), T255 (%scratch) or a declared buffer",
            );
        }
        raw::check_address(
            self.offsets,
            (OperandKind::Address, OFFSETS),
            ElementType::Ud,
            &rules::OFFSET_TYPE,
            check,
        );
        operands::check_operands(&self.atomic, width, Verifier::Strict, check);
        operand_bounds::check_places(&self.atomic, width, (self.offsets, OFFSETS, 4), check);
    }

    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        let bound = context.machine.space(self.surface.space()).is_bound();
        if !self.surface.is_listed() && !bound {
            check.report(&rules::RUN_UNBOUND, OperandKind::Surface, "it cannot run");
        } else if self.surface.0 >= FIRST_DECLARED_SURFACE && !bound {
            let name = self.place(check.symbols);
            check.advise(
                &rules::SURFACE_SIZE,
                OperandKind::Surface,
                format!("`{name}` has no size"),
                format!("add `.surface {name} 4096`"),
            );
        }
        let offsets = (self.offsets, OFFSETS, 4);
        runnable::check_run(&self.atomic, self.width(), offsets, check);
    }

    fn issue(&self, context: &IssueContext<'_>, out: &mut Vec<Access>) {
        let space = self.surface.space();
        let memory = context.machine.space(space).mapped();
        let bytes = self.width().bytes();
        // A power of two: a mask is much cheaper than a division per lane.
        let aligned = u64::from(bytes) - 1;
        lanes::issue(
            &self.atomic,
            self.width(),
            (self.offsets, 4),
            space,
            context,
            move |offset| {
                if offset & aligned != 0 {
                    Cell::Fault(FaultKind::Misaligned)
                } else if memory.contains(offset, bytes) {
                    Cell::There
                } else {
                    Cell::OutOfBounds
                }
            },
            out,
        );
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
        trace_text::describe_effect(self.atomic.operation, self.width(), &place, effect)
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        trace_text::pseudocode_state("offset", effect)
    }

    fn lanes(&self) -> u8 {
        self.atomic.execution.size.lanes()
    }

    fn why_idle(&self, context: &IssueContext<'_>, unit: Unit) -> &'static str {
        self.atomic.execution.why_idle(context, unit)
    }

    fn operation(&self) -> Option<u64> {
        Some(u64::from(self.atomic.operation.code()))
    }

    fn operands(&self) -> u8 {
        self.atomic.operation.operands().count()
    }

    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        let mut found = contradiction_ids::of_atomic(&self.atomic);
        if self.narrow && contradiction_ids::is_narrow_trouble(self.atomic.operation) {
            found.push(contradictions::id::NARROW_TYPES);
        }
        if contradiction_ids::adds_signed(&self.atomic, symbols) {
            found.push(contradictions::id::SIGNED_ADD);
        }
        found
    }

    fn shown_as(&self, _: &SymbolTable) -> ElementType {
        atomic::shown_as(self.atomic.operation, self.width())
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
        title: "A compare-and-swap lock: the first lane takes it",
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
