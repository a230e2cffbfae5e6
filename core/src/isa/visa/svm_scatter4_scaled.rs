//! SVM_SCATTER4_SCALED: up to four dwords of every lane are written to the
//! virtual address space.
//!
//! Source: SVM_SCATTER4_SCALED.md; the real tool where the document is silent.

use super::channels::Channels;
use super::execution::{Execution, Verifier};
use super::operand::RawOperand;
use super::raw::{self, Use};
use super::syntax::{self, Line, OperandValue};
use super::vector::{self, Scalar, VectorOperand};
use crate::bits::{DecodeError, Visitor};
use crate::contradictions;
use crate::diagnostic::Diagnostics;
use crate::isa::schema::{Direction, Elements, Form, Null, Operand, Syntax};
use crate::isa::{
    Access, Check, Definition, Effect, Example, Fact, Family, FaultKind, IssueContext, Opcode,
    OperandSpans, ParseError, PseudocodeState, Semantics, Spec, Style, SymbolTable, Unit,
};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::{ElementType, show};
use crate::rules::{self, Provenance};
use crate::text::{Cursor, OperandKind, Sink};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

static SPEC: Spec = Spec {
    name: "SVM_SCATTER4_SCALED",
    mnemonics: &["svm_scatter4scaled", "svm_scatter4_scaled"],
    family: Family::Visa,
    opcodes: &[Opcode::bytes(&[0x4e, 0x07])],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane writes one dword for each enabled channel, R, G, B or A, to four dwords in a row at its own place in virtual memory. The source holds the channels one after another, a plane of all lanes each.",
    source: "SVM_SCATTER4_SCALED.md",
    syntax: Syntax {
        predicate: true,
        suffixes: &[Channels::SUFFIX],
        lanes: "n",
        operands: &[ADDRESS, OFFSETS, SRC],
    },
    operations: Vec::new,
    pseudo_code: &[
        "ch_pos = 0",
        "for each channel c of R, G, B, A (0 to 3):",
        "  if the channel is enabled:",
        "    ch_start = ch_pos × max(exec_size, GRF_SIZE / 4)",
        "    for each lane i of the execution size:",
        "      if the lane is enabled:",
        "        memory[address + element_offset[i] + 4 × c] = src[ch_start + i]",
        "    ch_pos = ch_pos + 1",
    ],
    facts: &[
        Fact {
            mark: Provenance::Documented,
            text: "Disabled channels take no place in src: the next enabled channel follows at once.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "The cell depends on the channel itself, not on its position: A is written 12 bytes after R, whether or not G and B are.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "address is one UQ for all lanes; its region is ignored. Element offsets are UQ, in bytes.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Scale is ignored and always zero.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "The sum of address and offset wraps at 64 bits.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "Where cells overlap the document promises no order. The run takes its loop: channel by channel, lanes ascending, the last write stays; .order chooses another.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "An unmapped address, or one that is not a multiple of 4, is a fault that names lane and channel, and the instruction changes nothing.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "Addresses of narrower integer types are widened by their sign. The real tool hardly checks SVM instructions: any type, any mask, sizes 1 to 32.",
        },
    ],
    contradictions: &[
        &contradictions::CHANNEL_PADDING,
        &contradictions::SCALING_PITCH,
        &contradictions::ANY_ALL,
    ],
    examples: &EXAMPLES,
};

/// The line of the pseudo-code that writes a cell.
const STORES: usize = 6;

/// The address that all lanes share.
const ADDRESS: Operand = Operand {
    part: OperandKind::Address,
    name: "address",
    role: "the address",
    direction: Direction::In,
    form: Form::Scalar,
    elements: Elements::PerLane(ElementType::Uq, &rules::ADDRESS_TYPE),
    null: Null::Never,
    optional: false,
    what: "a virtual address in bytes, one UQ for all lanes",
};

/// What each lane adds to it.
const OFFSETS: Operand = Operand {
    part: OperandKind::Offsets,
    name: "offsets",
    role: "the element offsets",
    form: Form::Raw,
    what: "bytes that are added to the address, one UQ a lane",
    ..ADDRESS
};

/// The values.
const SRC: Operand = Operand {
    part: OperandKind::Src0,
    name: "src",
    role: "src",
    form: Form::Raw,
    elements: Elements::BySuffix,
    what: "one dword a lane for each enabled channel, a plane of all lanes each",
    ..ADDRESS
};

/// An SVM_SCATTER4_SCALED instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SvmScatter4Scaled {
    /// Execution size, mask and predicate.
    pub execution: Execution,
    /// Which channels are written.
    pub channels: Channels,
    /// The virtual address in bytes, the same for all lanes.
    pub address: VectorOperand,
    /// Byte offsets from the address, one UQ a lane.
    pub offsets: RawOperand,
    /// The values, one dword a lane and channel.
    pub src: RawOperand,
}

impl SvmScatter4Scaled {
    /// Elements of src from the start of one channel to that of the next:
    /// max(exec_size, GRF_SIZE / 4).
    fn stride(&self, symbols: &SymbolTable) -> u16 {
        let grf = symbols.visa.platform().grf_bytes() / 4;
        u16::from(self.execution.size.lanes()).max(grf)
    }

    /// `ch_pos` of an enabled channel.
    fn position(&self, channel: u8) -> Option<u8> {
        let mut enabled = self.channels.enabled();
        enabled.find(|(_, c)| *c == channel).map(|(at, _)| at)
    }

    const fn scalar(&self) -> Scalar {
        Scalar {
            operand: self.address,
            part: OperandKind::Address,
            role: ADDRESS.role,
        }
    }

    /// How the raw operands are used when a channel takes `stride` elements.
    fn uses(&self, stride: u16) -> [(RawOperand, Use); 2] {
        let lanes = u32::from(self.execution.size.lanes());
        let before = u32::from(self.channels.count().saturating_sub(1)) * u32::from(stride);
        let usage = |part, role, bytes| Use { part, role, bytes };
        let last = match self.channels.count() {
            0 => 0,
            _ => before + lanes,
        };
        [
            (self.offsets, usage(OFFSETS.part, OFFSETS.role, lanes * 8)),
            (self.src, usage(SRC.part, SRC.role, last * 4)),
        ]
    }
}

impl Line for SvmScatter4Scaled {
    fn execution(&mut self) -> &mut Execution {
        &mut self.execution
    }

    fn operand(&mut self, part: OperandKind) -> OperandValue<'_> {
        match part {
            OperandKind::Address => OperandValue::Scalar(&mut self.address),
            OperandKind::Offsets => OperandValue::Raw(&mut self.offsets),
            OperandKind::Src0 => OperandValue::Raw(&mut self.src),
            other => unreachable!("{other:?} is no operand of a scatter"),
        }
    }

    fn parse_suffixes(
        &mut self,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        self.channels = Channels::parse(cursor, spans, out)?;
        let suffix = (OperandKind::Channels, cursor.text());
        SPEC.note_spelling(true, self.channels.name(), suffix, spans, out);
        Ok(())
    }

    fn print_suffixes(&self, _: Style, sink: &mut impl Sink) {
        self.channels.print(sink);
    }

    fn declaration(&self, part: OperandKind) -> (&'static str, u32) {
        let lanes = u32::from(self.execution.size.lanes());
        match part {
            OperandKind::Address => ("uq", 4),
            OperandKind::Offsets => ("uq", lanes),
            _ => ("ud", lanes.max(16) * u32::from(self.channels.count())),
        }
    }
}

impl Definition for SvmScatter4Scaled {
    const SPEC: &'static Spec = &SPEC;

    fn default_for_opcode(_: usize) -> Self {
        Self {
            execution: Execution::default(),
            channels: Channels::RGBA,
            address: VectorOperand::NULL,
            offsets: RawOperand::NULL,
            src: RawOperand::NULL,
        }
    }

    fn parse(
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        syntax::parse(cursor, &symbols.visa, spans, out)
    }

    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        syntax::print(self, &symbols.visa, style, sink);
    }

    fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        v.fixed(OperandKind::Opcode, "Opcode", 8, 0x4e)?;
        v.fixed(OperandKind::Opcode, "Sub-opcode", 8, 0x07)?;
        self.execution.layout(v)?;
        self.channels.layout(v)?;
        v.ignored("Scale", 16)?;
        self.address
            .layout(OperandKind::Address, &vector::ADDRESS, v)?;
        self.offsets.layout(
            OperandKind::Offsets,
            ["Element_offset id", "Element_offset offset"],
            v,
        )?;
        self.src
            .layout(OperandKind::Src0, ["Src id", "Src offset"], v)
    }

    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        machine: &mut Machine,
        _: &SymbolTable,
        recorder: &mut R,
    ) {
        for access in accesses {
            recorder.begin();
            machine.store(recorder, access.space, access.address, 4, access.src0);
        }
    }
}

impl Semantics for SvmScatter4Scaled {
    fn check_encoding(&self, check: &mut Check<'_>) {
        self.address.check_encoding(8, "Address", check);
    }

    fn check(&self, check: &mut Check<'_>) {
        let lanes = self.execution.size.lanes();
        self.execution.check(Verifier::Lax, check);
        if !matches!(lanes, 0 | 8 | 16) {
            let what = match lanes {
                1 => String::from("1 lane"),
                _ => format!("{lanes} lanes"),
            };
            check.report(&rules::SCATTER_EXEC_SIZE, OperandKind::ExecSize, what);
        }
        if self.channels.count() == 0 {
            check.report(
                &rules::NO_CHANNEL,
                OperandKind::Channels,
                "no channel is enabled",
            );
        }
        self.scalar().check(check);
        let rule = &rules::ADDRESS_TYPE;
        let uq = ElementType::Uq;
        raw::check_address(self.offsets, (OFFSETS.part, OFFSETS.role), uq, rule, check);
        self.check_src(check);
        let [offsets, padded] = self.uses(self.stride(check.symbols));
        raw::check(offsets.0, offsets.1, check);
        // Where only the padding does not fit there is more than one reading.
        let [_, packed] = self.uses(u16::from(lanes));
        let symbols = &check.symbols.visa;
        let room = symbols.general(self.src.id.0).map_or(0, |v| v.bytes());
        let fits = |usage: Use| u32::from(self.src.offset) + usage.bytes <= room;
        if fits(packed.1) && !fits(padded.1) {
            let what = format!(
                "{}: {} bytes, each channel from a register of its own, do not fit the {room} bytes of its variable",
                SRC.role, padded.1.bytes
            );
            let help = "Intel's compiler does not pad the channels: there it fits";
            check.advise(&rules::PAST_END, OperandKind::Src0, what, help);
            raw::check(packed.0, packed.1, check);
        } else {
            raw::check(padded.0, padded.1, check);
        }
    }

    fn check_run(&self, context: &IssueContext<'_>, check: &mut Check<'_>) {
        self.execution.check_run(check);
        self.scalar().check_run(context, check);
        let uses = self.uses(self.stride(check.symbols));
        for ((operand, usage), element) in uses.into_iter().zip([8, 4]) {
            if operand.is_null() {
                let what = format!("it cannot run without {}", usage.role);
                check.report(&rules::RUN_MISSING_OPERAND, usage.part, what);
            } else if raw::check_run(operand, usage, element, check)
                && let Some(variable) = check.symbols.visa.general(operand.id.0)
                && usage.part == OperandKind::Offsets
                && variable.ty.is_float()
            {
                let what = format!(
                    "it cannot run: {} are {}",
                    OFFSETS.role,
                    variable.ty.name().to_ascii_uppercase()
                );
                check.report(&rules::RUN_TYPE, usage.part, what);
            }
        }
    }

    fn issue(&self, context: &IssueContext<'_>, out: &mut Vec<Access>) {
        let memory = context.machine.space(SpaceId::VIRTUAL).mapped();
        let lanes = self.execution.size.lanes();
        let stride = self.stride(context.symbols);
        for eu in 0..context.threads {
            let enabled = self.execution.enabled_on(context, eu);
            let address = self
                .address
                .scalar(&context.symbols.visa, context.machine, eu);
            let Some(address) = address.filter(|_| enabled != 0) else {
                continue;
            };
            let offsets = raw::lanes_of(self.offsets, 0, 8, lanes, eu, context);
            for (ch_pos, channel) in self.channels.enabled() {
                let ch_start = u16::from(ch_pos) * stride;
                let values = raw::lanes_of(self.src, ch_start, 4, lanes, eu, context);
                for (lane, (offset, value)) in (0..lanes).zip(offsets.iter().zip(&values)) {
                    if enabled & (1 << lane) == 0 {
                        continue;
                    }
                    let cell = address
                        .wrapping_add(*offset)
                        .wrapping_add(u64::from(channel) * 4);
                    let fault = if cell & 3 != 0 {
                        Some(FaultKind::Misaligned)
                    } else if memory.contains(cell, 4) {
                        None
                    } else {
                        Some(FaultKind::Unmapped)
                    };
                    out.push(Access {
                        unit: Unit {
                            eu,
                            lane,
                            channel: Some(channel),
                        },
                        space: SpaceId::VIRTUAL,
                        bytes: 4,
                        in_bounds: fault.is_none(),
                        fault,
                        address: cell,
                        src0: *value,
                        src1: 0,
                        dst: None,
                    });
                }
            }
        }
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let [change] = effect.changes else {
            return String::new();
        };
        let variable = symbols.visa.general(self.src.id.0);
        let ty = variable.map_or(ElementType::Ud, |v| v.ty);
        let (old, new) = (show(change.old, ty), show(change.new, ty));
        format!("svm[{:#x}] {old} → {new}", change.address)
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> PseudocodeState {
        let mut variables = Vec::new();
        if let Some(access) = effect.access
            && let Some(channel) = access.unit.channel
            && let Some(ch_pos) = self.position(channel)
        {
            let ch_start = u16::from(ch_pos) * self.stride(symbols);
            variables.push(("c", format!("{channel}")));
            variables.push(("ch_pos", format!("{ch_pos}")));
            variables.push(("ch_start", format!("{ch_start}")));
            variables.push(("i", format!("{}", access.unit.lane)));
        }
        PseudocodeState {
            line: STORES,
            variables,
        }
    }

    fn lanes(&self) -> u8 {
        self.execution.size.lanes()
    }

    fn channels(&self) -> u8 {
        self.channels.mask()
    }

    fn channel_element(&self, unit: Unit, symbols: &SymbolTable) -> Option<u32> {
        let ch_pos = self.position(unit.channel?)?;
        let index = u16::from(ch_pos) * self.stride(symbols) + u16::from(unit.lane);
        let offset = self.src.element_offset(&symbols.visa, index, 4)?;
        u32::try_from(offset).ok()
    }

    fn why_idle(&self, context: &IssueContext<'_>, unit: Unit) -> &'static str {
        self.execution.why_idle(context, unit)
    }

    fn operation(&self) -> Option<u64> {
        None
    }

    fn operands(&self) -> u8 {
        1
    }

    fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        let mut found = self.execution.contradiction_ids();
        found.push(contradictions::id::SCALING_PITCH);
        if u16::from(self.execution.size.lanes()) < self.stride(symbols) {
            found.push(contradictions::id::CHANNEL_PADDING);
        }
        found
    }

    fn shown_as(&self, symbols: &SymbolTable) -> ElementType {
        let ty = symbols.visa.general(self.src.id.0).map(|v| v.ty);
        // A cell has 32 bits.
        ty.filter(|ty| ty.bytes() == 4).unwrap_or(ElementType::Ud)
    }
}

impl SvmScatter4Scaled {
    /// Rules about src: it must be there, and of a documented type.
    fn check_src(&self, check: &mut Check<'_>) {
        if self.src.is_null() {
            let what = "a scatter without src";
            let help = "name a general variable";
            check.advise(&rules::NEEDED_OPERAND, OperandKind::Src0, what, help);
            return;
        }
        let variable = check.symbols.visa.general(self.src.id.0);
        let Some(variable) = variable.filter(|v| !v.predefined) else {
            return;
        };
        let listed = matches!(
            variable.ty,
            ElementType::Ud | ElementType::D | ElementType::F
        );
        if !listed {
            let what = format!(
                "{}: `{}` is {}",
                SRC.role,
                variable.name,
                variable.ty.name().to_ascii_uppercase()
            );
            let help = "declare it with type=ud, d or f";
            check.advise(&rules::SCATTER_TYPE, OperandKind::Src0, what, help);
        }
    }
}

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 3] = [
    Example {
        title: "Four planes become pixels: every lane writes R, G, B and A side by side",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=1 align=qword
.decl V33 v_type=G type=uq num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=32 align=GRF
.region svm 0x10000 128
.init V32 = 0x10000
.init V33 = iota(0, 16)
.init V34 = iota(0, 1)
svm_scatter4scaled.RGBA (M1, 8) V32(0,0)<0;1,0> V33.0 V34.0
",
        document: "SVM_SCATTER4_SCALED.RGBA (8) V32 V33 V34",
        assembler: "svm_scatter4scaled.RGBA (M1, 8) V32(0,0)<0;1,0> V33.0 V34.0",
        bytes: "4e070300000f0000002000000000002101210000000000220000000000",
        end: &[
            ("svm[0x10000] : ud", "0, 8, 16, 24, 1, 9, 17, 25, 2, 10"),
            ("svm[0x10070] : ud", "7, 15, 23, 31"),
        ],
    },
    Example {
        title: "A disabled channel takes no place in src, but keeps its place in memory",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl V33 v_type=G type=uq num_elts=8 align=GRF
.decl V34 v_type=G type=f num_elts=16 align=GRF
.decl P1 v_type=P num_elts=8
.region svm 0x10000 128
.init V32 = 0, 0, 0x10000, 0
.init V33 = iota(0, 16)
.init V34 = iota(0, 0.5)
.init P1 = 0b10
(P1) SVM_SCATTER4_SCALED.RA (8) V32(0,2)<0;1,0> V33 V34
",
        document: "(P1) SVM_SCATTER4_SCALED.RA (8) V32(0,2)<0;1,0> V33 V34",
        assembler: "(P1) svm_scatter4scaled.RA (M1, 8) V32(0,2)<0;1,0> V33.0 V34.0",
        bytes: "4e07030100090000002000000000022101210000000000220000000000",
        end: &[("svm[0x10000] : f", "0, 0, 0, 0, 0.5, 0, 0, 4.5, 0")],
    },
    Example {
        title: "Cells overlap: channel after channel, the last write stays",
        scenario: "\
.decl V32 v_type=G type=uq num_elts=8 align=GRF
.decl V33 v_type=G type=d num_elts=16 align=GRF
.region svm 0x10000 64
.init V32 = iota(0, 4)
.init V33 = 1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6, -7, -8
svm_scatter4scaled.RG (M1, 8) 0x10000:uq V32.0 V33.0
",
        document: "SVM_SCATTER4_SCALED.RG (8) 0x10000:uq V32 V33",
        assembler: "svm_scatter4scaled.RG (M1, 8) 0x10000:uq V32.0 V33.0",
        bytes: "4e07030000030000050b0000010000000000200000000000210000000000",
        end: &[("svm[0x10000] : d", "1, -1, -2, -3, -4, -5, -6, -7, -8, 0")],
    },
];
