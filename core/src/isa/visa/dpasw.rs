//! DPASW: a matrix multiply-add on both EUs of a fused pair, which share the
//! registers of Src2.
//!
//! Source: DPASW.md; DPAS.md for all that is not sharing; the real tool where
//! the documents are silent.

use super::dpas::operands::from_bytes;
use super::dpas::rules::{self as check_rules, DST, SRC0, SRC1, SRC2};
use super::dpas::text::Suffix;
use super::dpas::trace_text;
use super::dpas::{Layout, Matrix, MatrixPlaces, Operands, Precision, Supply, run};
use super::execution::{Execution, Predicate};
use super::operand::{self, RawOperand, VariableId};
use super::vector::text::{Regions, Wanted};
use super::vector::{self, DirectOperand, Region};
use crate::bits::{DecodeError, Visitor};
use crate::contradictions;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::schema::Syntax;
use crate::isa::{
    Access, Check, Definition, Effect, Example, Fact, Family, IssueContext, Opcode, OperandSpans,
    ParseError, PseudocodeState, Semantics, Spec, Style, SymbolTable, Unit,
};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::ElementType;
use crate::rules::{self, Provenance};
use crate::text::{Cursor, OperandKind, Sink, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

static SPEC: Spec = Spec {
    name: "DPASW",
    mnemonics: &["dpasw"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x1c])],
    fused: true,
    lane_queue: false,
    summary: "Each EU of a fused pair computes D = C + A × B for small matrices: Dst = Src0 + Src2 × Src1. Each has its own Dst, Src0 and Src1; Src2 is shared: EU0 supplies its first registers, EU1 the rest.",
    source: "DPASW.md",
    syntax: Syntax {
        predicate: false,
        suffixes: &Suffix::SCHEMA,
        lanes: "8",
        operands: &check_rules::OPERANDS,
    },
    operations: Vec::new,
    pseudo_code: &[
        "Src2 = NGrf_EU0 registers of EU0's Src2, then NGrf_EU1 registers of EU1's",
        "k = 0; for each repeat r below RC, on both EUs:",
        "  temp = Src0.R[r], or 0 where Src0 is null",
        "  for each depth stage d below SD:",
        "    for each channel i:",
        "      temp.DW[i] += OPS_PER_CHAN products of Src1 (stage d, channel i) and Src2 (from k)",
        "    k = k + OPS_PER_CHAN",
        "  Dst.R[r] = temp",
    ],
    facts: &[
        Fact {
            mark: Provenance::Documented,
            text: "NGrf = registers of Src2 in all; EU0 supplies (NGrf + 1) / 2 of them, EU1 the others. Where EU1 supplies none nothing is shared, and the document says not to use that.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "EU0 is the even thread of the pair, EU1 the odd one. The document says \"need to verify\"; where both supply the same amount it does not matter.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "OPS_PER_CHAN is 2 for bf and hf, 4 if either precision has 8 bits, else 8. W and A are both integers of 2, 4 or 8 bits, or both bf, or both hf.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "Sums of integers wrap at 32 bits. Elements of less than 8 bits lie lowest bits first.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "Floats: each product is rounded to F and added in the order of k, to nearest even, subnormals kept, as Intel's CPU emulation does. The document fixes no order; another one may give other last bits. A result that is not a number is 0x7fc00000 (assumed).",
        },
        Fact {
            mark: Provenance::Observed,
            text: "Intel's finalizer counts whole rows of Src2 for each EU, (RC + 1) / 2 of them, where the formula counts whole registers: fewer bytes when a row is shorter than a register and RC is small or odd, but the same registers.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "XEHP and later support a depth of 8 only. The formula's size of Src2 assumes it; Lanewise uses the depth that is written.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "All operands are read before Dst is written: the document defines D = C + A × B. Read literally the pseudo-code would let later rows see earlier ones where Dst lies upon a source.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "There is no predicate, and the execution mask is ignored: all 8 channels of both EUs are written. A null Src0 is +0.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "Precision code 0x0b is tf32 in DPAS.md and bf8 in the real tool, which reads 0x0c as tf32; DPASW has neither.",
        },
    ],
    contradictions: &[
        &contradictions::SUPPLY_TABLE,
        &contradictions::MATRIX_EXEC_SIZE,
        &contradictions::SRC2_STRIDE,
    ],
    examples: &EXAMPLES,
};

/// A DPASW instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dpasw {
    /// Execution size and mask; there is no predicate.
    pub execution: Execution,
    /// Precisions, depth and repeat count.
    pub suffix: Suffix,
    /// D, one row of channels a register.
    pub dst: RawOperand,
    /// C, the same.
    pub src0: RawOperand,
    /// B, one column a channel.
    pub src1: RawOperand,
    /// A, shared: its rows one after another.
    pub src2: DirectOperand,
}

impl Dpasw {
    /// The type in which sums are shown: that of dst.
    fn sum_type(&self, symbols: &SymbolTable) -> ElementType {
        let declared = symbols.visa.general(self.dst.id.0).map(|v| v.ty);
        match self.suffix.w.is_float() {
            true => ElementType::F,
            false if declared == Some(ElementType::Ud) => ElementType::Ud,
            false => ElementType::D,
        }
    }
}

impl Matrix for Dpasw {
    fn suffix(&self) -> Suffix {
        self.suffix
    }

    fn places(&self) -> MatrixPlaces {
        MatrixPlaces {
            dst: self.dst,
            src0: self.src0,
            src1: self.src1,
            src2: self.src2,
        }
    }

    fn supply(&self) -> Option<Supply> {
        self.shape().map(Supply::new)
    }

    fn element_layout(&self, symbols: &SymbolTable, by_table: bool) -> Option<Layout> {
        let layout = self.supply()?.layout(by_table)?;
        let start = self.src2.register_byte(&symbols.visa)?;
        layout.src2_at((start % u64::from(layout.register_bytes())).to_le_bytes()[0])
    }

    fn latched(&self, symbols: &SymbolTable, machine: &Machine) -> Option<Operands> {
        let shape = self.shape()?;
        let supply = Supply::new(shape);
        let variables = &symbols.visa;
        let read = |eu, at: Option<u64>, out: &mut [u8]| {
            if let Some(at) = at {
                machine.space(SpaceId::registers(eu)).read(at, out);
            }
        };
        let own = |operand: RawOperand, registers: u8| {
            let at = operand.element_offset(variables, 0, 1);
            [0, 1].map(|eu| {
                let mut bytes = [0; 256];
                let used = bytes.get_mut(..usize::from(registers) * 32);
                if let Some(used) = used.filter(|_| !operand.is_null()) {
                    read(eu, at, used);
                }
                from_bytes(&bytes)
            })
        };
        // Src2: the first registers are EU0's, the rest EU1's.
        let mut bytes = [0; 256];
        let [first, _] = supply.counts();
        let all = bytes.get_mut(..usize::from(supply.bytes()))?;
        let split = all.len().min(usize::from(first) * 32);
        let (of_eu0, of_eu1) = all.split_at_mut_checked(split)?;
        let at = self.src2.register_byte(variables);
        read(0, at, of_eu0);
        read(1, at, of_eu1);
        Some(Operands {
            shape,
            ty: self.sum_type(symbols),
            src0: own(self.src0, shape.rc()),
            src1: own(self.src1, shape.src1_registers()),
            src2: from_bytes(&bytes),
        })
    }
}

impl Definition for Dpasw {
    const SPEC: &'static Spec = &SPEC;

    fn default_for_opcode(_: usize) -> Self {
        Self {
            execution: Execution::default(),
            suffix: Suffix {
                w: Precision::S8,
                a: Precision::S8,
                sd: 8,
                rc: 8,
            },
            dst: RawOperand::NULL,
            src0: RawOperand::NULL,
            src1: RawOperand::NULL,
            src2: DirectOperand::start_of(VariableId(0), Region::CONTIGUOUS),
        }
    }

    fn parse(
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        let variables = &symbols.visa;
        let mut this = Self::default_for_opcode(0);
        let lead = this
            .execution
            .parse_lead(cursor, variables, spans, out, Suffix::parse);
        let (suffix, whole) = lead;
        if this.execution.predicate != Predicate::NONE {
            this.execution.predicate = Predicate::NONE;
            let span = spans.of(OperandKind::Predicate);
            let what = "a predicate before DPASW";
            let said = Diagnostic::new(&rules::MATRIX_PREDICATE, span, what);
            out.push(said.fix("remove it", span, ""));
        }
        if let Some(suffix) = suffix {
            this.suffix = suffix;
            let text = cursor.text();
            let own = spans.of(OperandKind::Repeat).of(text);
            SPEC.note_spelling(true, own, (OperandKind::Repeat, text), spans, out);
        }
        let float = this.suffix.w.is_float();
        let operands = operand::parse_all(
            &mut [
                (OperandKind::Dst, DST, &mut this.dst),
                (OperandKind::Src0, SRC0, &mut this.src0),
                (OperandKind::Src1, SRC1, &mut this.src1),
            ],
            &|part| {
                let ty = match part {
                    OperandKind::Src1 => "ud",
                    _ if float => "f",
                    _ => "d",
                };
                format!("v_type=G type={ty} num_elts=64 align=GRF")
            },
            false,
            cursor,
            variables,
            spans,
            out,
        );
        operand::skip_commas(cursor, out);
        let wanted = Wanted {
            role: SRC2,
            regions: Regions::LeftOut,
            rule: &rules::SRC2_OPERAND,
            help: "write V44(0,0): a variable, its register and its element there",
            attributes: "v_type=G type=ud num_elts=64 align=GRF",
        };
        let src2 = if cursor.at_end() {
            if operands.is_ok() {
                let what = format!("{SRC2} is missing");
                let said = Diagnostic::new(&rules::MISSING_OPERAND, cursor.here(), what);
                out.push(said.help(wanted.help));
            }
            None
        } else {
            DirectOperand::parse(wanted, cursor, variables, out)
        };
        let (src2, span) = src2.ok_or(ParseError)?;
        this.src2 = src2;
        spans.set(OperandKind::Src2, span);
        suffix.ok_or(ParseError)?;
        operands?;
        if whole { Ok(this) } else { Err(ParseError) }
    }

    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        let variables = &symbols.visa;
        let mnemonic = match style {
            Style::Document => SPEC.name,
            Style::Assembler => "dpasw",
        };
        sink.token(TokenClass::Mnemonic, OperandKind::Opcode, mnemonic);
        self.suffix.print(sink);
        sink.space();
        self.execution.print_size(style == Style::Document, sink);
        for (part, operand) in [
            (OperandKind::Dst, self.dst),
            (OperandKind::Src0, self.src0),
            (OperandKind::Src1, self.src1),
        ] {
            sink.space();
            operand.print(part, variables, style, sink);
        }
        sink.space();
        self.src2
            .print(OperandKind::Src2, Regions::LeftOut, variables, style, sink);
    }

    fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        v.fixed(OperandKind::Opcode, "Opcode", 8, 0x1c)?;
        self.execution.size_layout(v)?;
        self.dst
            .layout(OperandKind::Dst, ["Dst id", "Dst offset"], v)?;
        self.src0
            .layout(OperandKind::Src0, ["Src0 id", "Src0 offset"], v)?;
        self.src1
            .layout(OperandKind::Src1, ["Src1 id", "Src1 offset"], v)?;
        self.src2.layout(OperandKind::Src2, &vector::SRC2, v)?;
        v.field(OperandKind::Precision, "W", 8, &mut self.suffix.w)?;
        v.field(OperandKind::Precision, "A", 8, &mut self.suffix.a)?;
        v.field(OperandKind::Depth, "SD", 8, &mut self.suffix.sd)?;
        v.field(OperandKind::Repeat, "RC", 8, &mut self.suffix.rc)
    }

    fn perform<R: Recorder>(
        &self,
        _: &[Access],
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        let dst = self.dst.element_offset(&symbols.visa, 0, 1);
        let (Some(operands), Some(dst)) = (self.latched(symbols, machine), dst) else {
            return;
        };
        if R::KEEPS {
            run::stages(&operands, dst, machine, recorder);
        } else {
            run::at_once(&operands, dst, machine);
        }
    }
}

impl Semantics for Dpasw {
    fn check_encoding(&self, check: &mut Check<'_>) {
        if self.src2.region != Region::CONTIGUOUS {
            let span = Span::new(27, 29);
            let what = "Src2 region in byte 27 is not 0x0122";
            check.out.report(&rules::RESERVED_BITS, span, what);
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        check_rules::check(self, check);
    }

    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        check_rules::check_run(self, context, check);
    }

    fn issue(&self, _: &IssueContext<'_>, _: &mut Vec<Access>) {}

    fn units(&self, _: &[Access]) -> u32 {
        let stages = |shape: super::dpas::Shape| u32::from(shape.rc()) * u32::from(shape.sd());
        self.shape().map_or(0, stages)
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        match self.shape() {
            Some(shape) => trace_text::describe_effect(shape, self.sum_type(symbols), effect),
            None => String::new(),
        }
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        match self.shape() {
            Some(shape) => trace_text::pseudocode_state(shape, effect),
            None => PseudocodeState::default(),
        }
    }

    fn matrix(&self) -> Option<&dyn Matrix> {
        Some(self)
    }

    fn lanes(&self) -> u8 {
        self.execution.size.lanes()
    }

    fn why_idle(&self, _: &IssueContext<'_>, _: Unit) -> &'static str {
        ""
    }

    fn operation(&self) -> Option<u64> {
        None
    }

    fn operands(&self) -> u8 {
        0
    }

    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        let Suffix { w, a, sd, rc } = self.suffix;
        let mut found = Vec::new();
        if Supply::of(w, a, sd, rc).is_some_and(|supply| supply.differs()) {
            found.push(contradictions::id::SUPPLY_TABLE);
        }
        if symbols.visa.grf_bytes() == 64 {
            found.push(contradictions::id::MATRIX_EXEC_SIZE);
        }
        if sd < 8 {
            found.push(contradictions::id::SRC2_STRIDE);
        }
        found
    }

    fn shown_as(&self, _: &SymbolTable) -> ElementType {
        match self.suffix.w.is_float() {
            true => ElementType::F,
            false => ElementType::D,
        }
    }
}

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 2] = [
    Example {
        title: "8-bit integers, two rows: EU0 supplies the first row, EU1 the second",
        scenario: "\
.decl V32 v_type=G type=d num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=64 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.init V33 = splat(0x01010101)
.init EU0.V34 = splat(0x01010101)
.init EU1.V34 = splat(0x02020202)
dpasw.s8.s8.8.2 (M1, 8) V32.0 %null.0 V33.0 V34(0,0)
",
        document: "DPASW.s8.s8.8.2 (8) V32 V0 V33 V34",
        assembler: "dpasw.s8.s8.8.2 (M1, 8) V32.0 %null.0 V33.0 V34(0,0)",
        bytes: "1c0320000000000000000000000021000000000000220000000000220108080802",
        end: &[
            (
                "EU0.V32",
                "32, 32, 32, 32, 32, 32, 32, 32, 64, 64, 64, 64, 64, 64, 64, 64",
            ),
            (
                "EU1.V32",
                "32, 32, 32, 32, 32, 32, 32, 32, 64, 64, 64, 64, 64, 64, 64, 64",
            ),
        ],
    },
    Example {
        title: "bf16: every product is rounded and added in turn",
        scenario: "\
.decl V32 v_type=G type=f num_elts=8 align=GRF
.decl V33 v_type=G type=f num_elts=8 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
.decl V35 v_type=G type=d num_elts=8 align=GRF
.init V33 = splat(1.5)
.init V34 = splat(0x3f803f80)
.init V35 = splat(0x3e803f00)
DPASW.bf.bf.8.1 (8) V32 V33 V34 V35
",
        document: "DPASW.bf.bf.8.1 (8) V32 V33 V34 V35",
        assembler: "dpasw.bf.bf.8.1 (M1, 8) V32.0 V33.0 V34.0 V35(0,0)",
        bytes: "1c0320000000000021000000000022000000000000230000000000220109090801",
        end: &[("EU1.V32", "7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5")],
    },
];
