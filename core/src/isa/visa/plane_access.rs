//! What SVM_SCATTER4_SCALED and SVM_GATHER4_SCALED share: up to four dwords of
//! every lane, side by side in virtual memory, and in registers a plane of all
//! lanes for each channel. One writes memory, the other reads it.
//!
//! Sources: SVM_SCATTER4_SCALED.md, SVM_GATHER4_SCALED.md; the real tool where
//! they are silent.

use super::atomic::contradiction_ids;
use super::channels::Channels;
use super::declarations::Symbol;
use super::execution::{Execution, Verifier};
use super::ids;
use super::operand::{self, RawOperand};
use super::raw::{self, Use};
use super::vector::text::{Regions, Wanted};
use super::vector::{self, Scalar, VectorOperand};
use crate::bits::{DecodeError, Visitor};
use crate::contradictions;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::{
    Access, Check, Effect, FaultKind, IssueContext, OperandSpans, ParseError, PseudocodeState,
    Spec, Style, SymbolTable, Unit,
};
use crate::machine::SpaceId;
use crate::number::{ElementType, show};
use crate::rules;
use crate::text::{Cursor, OperandKind, Sink, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The line of the pseudo-code that makes an access.
const ACCESSES: usize = 6;

/// What messages call the operands.
const ADDRESS: &str = "the address";
const OFFSETS: &str = "the element offsets";

/// What is different between the instructions.
pub(super) struct Direction {
    /// What the instruction's document says.
    pub(super) spec: &'static Spec,
    /// The second byte of its encoding.
    pub(super) sub_opcode: u64,
    /// `a scatter`.
    pub(super) noun: &'static str,
    /// The operand that holds the planes: src or dst.
    pub(super) planes: OperandKind,
    /// What messages call it.
    pub(super) role: &'static str,
    /// What the document calls it.
    pub(super) name: &'static str,
    /// What its fields are called.
    pub(super) fields: [&'static str; 2],
}

impl Direction {
    const fn writes_memory(&self) -> bool {
        matches!(self.planes, OperandKind::Src0)
    }
}

/// The fields of both instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneAccess {
    /// Execution size, mask and predicate.
    pub execution: Execution,
    /// Which channels are accessed.
    pub channels: Channels,
    /// The virtual address in bytes, the same for all lanes.
    pub address: VectorOperand,
    /// Byte offsets from the address, one UQ a lane.
    pub offsets: RawOperand,
    /// The values, one dword a lane and channel: src of a scatter, dst of a
    /// gather.
    pub planes: RawOperand,
}

impl PlaneAccess {
    /// All channels of one lane, with null operands.
    pub(super) fn new() -> Self {
        Self {
            execution: Execution::default(),
            channels: Channels::RGBA,
            address: VectorOperand::NULL,
            offsets: RawOperand::NULL,
            planes: RawOperand::NULL,
        }
    }

    /// Elements from the start of one plane to that of the next:
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
            role: ADDRESS,
        }
    }

    /// How the raw operands are used when a channel takes `stride` elements.
    fn uses(&self, direction: &Direction, stride: u16) -> [(RawOperand, Use); 2] {
        let lanes = u32::from(self.execution.size.lanes());
        let before = u32::from(self.channels.count().saturating_sub(1)) * u32::from(stride);
        let usage = |part, role, bytes| Use { part, role, bytes };
        let last = match self.channels.count() {
            0 => 0,
            _ => before + lanes,
        };
        let planes = usage(direction.planes, direction.role, last * 4);
        let offsets = usage(OperandKind::Offsets, OFFSETS, lanes * 8);
        [(self.offsets, offsets), (self.planes, planes)]
    }

    // Text.

    pub(super) fn parse(
        direction: &Direction,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        let symbols = &symbols.visa;
        let mut this = Self::new();
        let lead = this
            .execution
            .parse_lead(cursor, symbols, spans, out, Channels::parse);
        let (channels, whole) = lead;
        if let Ok(channels) = channels {
            this.channels = channels;
            let suffix = (OperandKind::Channels, cursor.text());
            direction
                .spec
                .note_spelling(true, channels.name(), suffix, spans, out);
        }
        operand::skip_commas(cursor, out);
        let wanted = Wanted {
            role: ADDRESS,
            regions: Regions::Written,
            rule: &rules::SCALAR_OPERAND,
            help: "write V38(0,0)<0;1,0>, r[A0(0),0]<0;1,0>:uq or 0x10000:uq",
            attributes: "v_type=G type=uq num_elts=4 align=GRF",
        };
        if cursor.at_end() {
            let what = format!("{ADDRESS} is missing");
            let said = Diagnostic::new(&rules::MISSING_OPERAND, cursor.here(), what);
            out.push(said.help(wanted.help));
            return Err(ParseError);
        }
        let surface = matches!(symbols.symbol(cursor.word()), Some(Symbol::Surface(_)));
        if surface && cursor.peek_at(1).is_some() {
            let start = cursor.here().start;
            cursor.advance();
            let span = Span::new(start, cursor.here().start);
            let what = format!("{} takes no surface", direction.noun);
            out.push(Diagnostic::new(wanted.rule, span, what).fix(wanted.help, span, ""));
        }
        let address = VectorOperand::parse_scalar(wanted, cursor, symbols, out);
        if let Some((address, span)) = address {
            this.address = address;
            spans.set(OperandKind::Address, span);
        }
        let lanes = this.execution.size.lanes();
        let elements = u32::from(lanes.max(16)) * u32::from(this.channels.count());
        let operands = operand::parse_all(
            &mut [
                (OperandKind::Offsets, OFFSETS, &mut this.offsets),
                (direction.planes, direction.role, &mut this.planes),
            ],
            &|part| match part {
                OperandKind::Offsets => format!("v_type=G type=uq num_elts={lanes} align=GRF"),
                _ => format!("v_type=G type=ud num_elts={elements} align=GRF"),
            },
            false,
            cursor,
            symbols,
            spans,
            out,
        );
        address.ok_or(ParseError)?;
        channels.and(operands)?;
        if whole { Ok(this) } else { Err(ParseError) }
    }

    pub(super) fn print(
        &self,
        direction: &Direction,
        symbols: &SymbolTable,
        style: Style,
        sink: &mut impl Sink,
    ) {
        let symbols = &symbols.visa;
        self.execution.print_predicate(symbols, style, sink);
        let mnemonic = match style {
            Style::Document => direction.spec.name,
            Style::Assembler => direction.spec.assembler_mnemonic(),
        };
        sink.token(TokenClass::Mnemonic, OperandKind::Opcode, mnemonic);
        sink.sign(OperandKind::None, ".");
        sink.token(
            TokenClass::Suffix,
            OperandKind::Channels,
            self.channels.name(),
        );
        sink.space();
        self.execution.print_size(style == Style::Document, sink);
        sink.space();
        self.address
            .print(OperandKind::Address, symbols, style, sink);
        for (part, operand) in [
            (OperandKind::Offsets, self.offsets),
            (direction.planes, self.planes),
        ] {
            sink.space();
            operand.print(part, symbols, style, sink);
        }
    }

    // Bits.

    pub(super) fn layout<V: Visitor>(
        &mut self,
        direction: &Direction,
        v: &mut V,
    ) -> Result<(), DecodeError> {
        v.fixed(OperandKind::Opcode, "Opcode", 8, 0x4e)?;
        v.fixed(OperandKind::Opcode, "Sub-opcode", 8, direction.sub_opcode)?;
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
        self.planes.layout(direction.planes, direction.fields, v)
    }

    pub(super) fn check_encoding(&self, direction: &Direction, check: &mut Check<'_>) {
        self.address.check_ids(8, "Address", check);
        let offsets = 8 + self.address.length();
        ids::check(
            &self.execution,
            &[
                ("Element_offset", offsets, self.offsets),
                (direction.name, offsets + 6, self.planes),
            ],
            3,
            check,
        );
    }

    // Rules.

    pub(super) fn check(&self, direction: &Direction, check: &mut Check<'_>) {
        let lanes = self.execution.size.lanes();
        self.execution.check(Verifier::Lax, check);
        if !matches!(lanes, 0 | 8 | 16) {
            let what = match lanes {
                1 => String::from("1 lane"),
                _ => format!("{lanes} lanes"),
            };
            check.report(&rules::PLANES_EXEC_SIZE, OperandKind::ExecSize, what);
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
        raw::check_address(
            self.offsets,
            (OperandKind::Offsets, OFFSETS),
            uq,
            rule,
            check,
        );
        self.check_planes(direction, check);
        let [offsets, padded] = self.uses(direction, self.stride(check.symbols));
        raw::check(offsets.0, offsets.1, check);
        // Where only the padding does not fit there is more than one reading.
        let [_, packed] = self.uses(direction, u16::from(lanes));
        let symbols = &check.symbols.visa;
        let room = symbols.general(self.planes.id.0).map_or(0, |v| v.bytes());
        let fits = |usage: Use| u32::from(self.planes.offset) + usage.bytes <= room;
        if fits(packed.1) && !fits(padded.1) {
            let role = direction.role;
            let what = format!(
                "{role}: {} bytes, each channel from a register of its own, do not fit the {room} bytes of its variable",
                padded.1.bytes
            );
            let help = "Intel's compiler does not pad the channels: there it fits";
            check.advise(&rules::PAST_END, direction.planes, what, help);
            raw::check(packed.0, packed.1, check);
        } else {
            raw::check(padded.0, padded.1, check);
        }
    }

    /// Rules about src or dst: it must be there, and of a documented type.
    fn check_planes(&self, direction: &Direction, check: &mut Check<'_>) {
        let role = direction.role;
        if self.planes.is_null() {
            let what = format!("{} without {role}", direction.noun);
            let help = "name a general variable";
            check.advise(&rules::NEEDED_OPERAND, direction.planes, what, help);
            return;
        }
        let variable = check.symbols.visa.general(self.planes.id.0);
        let Some(variable) = variable.filter(|v| !v.predefined) else {
            return;
        };
        let listed = matches!(
            variable.ty,
            ElementType::Ud | ElementType::D | ElementType::F
        );
        if !listed {
            let what = format!(
                "{role}: `{}` is {}",
                variable.name,
                variable.ty.name().to_ascii_uppercase()
            );
            let help = "declare it with type=ud, d or f";
            check.advise(&rules::PLANES_TYPE, direction.planes, what, help);
        }
    }

    pub(super) fn check_run(
        &self,
        direction: &Direction,
        context: &IssueContext<'_>,
        check: &mut Check<'_>,
    ) {
        self.execution.check_run(check);
        self.scalar().check_run(context, check);
        let uses = self.uses(direction, self.stride(check.symbols));
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
                    "it cannot run: {OFFSETS} are {}",
                    variable.ty.name().to_ascii_uppercase()
                );
                check.report(&rules::RUN_TYPE, usage.part, what);
            }
        }
    }

    // Execution.

    /// The access of every enabled lane for every enabled channel, channel by
    /// channel: the values of a scatter in src0, the places of a gather in dst.
    pub(super) fn issue(
        &self,
        direction: &Direction,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) {
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
                let values = match direction.writes_memory() {
                    true => raw::lanes_of(self.planes, ch_start, 4, lanes, eu, context),
                    false => [0; raw::LANES],
                };
                let plane = match direction.writes_memory() || self.planes.is_null() {
                    true => None,
                    false => self
                        .planes
                        .element_offset(&context.symbols.visa, ch_start, 4),
                };
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
                        writes: direction.writes_memory(),
                        dst: plane.map(|plane| {
                            let at = plane + u64::from(lane) * 4;
                            u32::try_from(at).expect("a register file is smaller than 4 GB")
                        }),
                    });
                }
            }
        }
    }

    /// `svm[0x10000] 0 → 7`.
    pub(super) fn describe_write(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let [change] = effect.changes else {
            return String::new();
        };
        let variable = symbols.visa.general(self.planes.id.0);
        let ty = variable.map_or(ElementType::Ud, |v| v.ty);
        let (old, new) = (show(change.old, ty), show(change.new, ty));
        format!("svm[{:#x}] {old} → {new}", change.address)
    }

    /// `svm[0x10000] = 7 → V34[3]`.
    pub(super) fn describe_read(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        let ([change], Some(access)) = (effect.changes, effect.access) else {
            return String::new();
        };
        let variable = symbols.visa.general(self.planes.id.0);
        let ty = variable.map_or(ElementType::Ud, |v| v.ty);
        let (old, new) = (show(change.old, ty), show(change.new, ty));
        let address = access.address;
        let element = access
            .unit
            .channel
            .and_then(|channel| self.position(channel));
        let element = element
            .map(|ch_pos| u16::from(ch_pos) * self.stride(symbols) + u16::from(access.unit.lane));
        match element {
            Some(element) => format!("svm[{address:#x}] {new}: dst[{element}] {old} → {new}"),
            None => String::new(),
        }
    }

    pub(super) fn pseudocode_state(
        &self,
        effect: &Effect<'_>,
        symbols: &SymbolTable,
    ) -> PseudocodeState {
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
            line: ACCESSES,
            variables,
        }
    }

    pub(super) fn contradiction_ids(&self, symbols: &SymbolTable) -> Vec<&'static str> {
        let mut found = contradiction_ids::of_execution(&self.execution);
        found.push(contradictions::id::SCALING_PITCH);
        if u16::from(self.execution.size.lanes()) < self.stride(symbols) {
            found.push(contradictions::id::CHANNEL_PADDING);
        }
        found
    }

    pub(super) fn shown_as(&self, symbols: &SymbolTable) -> ElementType {
        let ty = symbols.visa.general(self.planes.id.0).map(|v| v.ty);
        // A cell has 32 bits.
        ty.filter(|ty| ty.bytes() == 4).unwrap_or(ElementType::Ud)
    }
}
