//! ATOM: read-modify-write of a cell of global memory by every lane of a warp.
//!
//! Source: the instruction's page under SPA 5.0; NVIDIA's tools for the bits
//! and for what each chip has; assumptions where neither says anything.

use super::operand::{self, Address, OFFSET_BITS};
use super::operation::{self, Operation};
use super::register::{Guard, Inverted, Predicate, Register};
use super::schedule::Schedule;
use super::size::Size;
use super::warp::{ADDRESS_BITS, LANES, WINDOW_BYTES, predicate_address, register_address};
use super::{lanes, pair::Pair, suffix, trace_text};
use crate::bits::{DecodeError, Visitor};
use crate::contradictions;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::rmw::Width;
use crate::isa::serialization::{self, Update};
use crate::isa::{
    Access, Check, Definition, Effect, Example, Fact, Family, FaultKind, IssueContext, Opcode,
    OperandSpans, ParseError, PseudocodeState, Semantics, Spec, Style, SymbolTable, Unit, texts,
};
use crate::machine::{Machine, Mapped, Recorder, SpaceId};
use crate::number::{ElementType, low_mask};
use crate::rules::{self, Provenance};
use crate::text::{Cursor, OperandKind, Sink, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

static SPEC: Spec = Spec {
    name: "ATOM",
    mnemonics: &["atom"],
    family: Family::Sass,
    opcodes: &[
        Opcode::high(8, 0xed),
        Opcode::high(12, 0xeef),
        Opcode::high(12, 0xee6),
        Opcode::high(12, 0xee7),
    ],
    fused: false,
    lane_queue: true,
    summary: "Each lane of the warp that takes part reads a cell of global memory, combines it with Rb, writes the result back and gets the old value in Rd. No other access comes between its read and its write.",
    source: "ATOM, SPA 5.0",
    syntax: texts(&[
        "[@[!]Pg] ATOM[.E].op[.size] Rd, [Ra+offset], Rb",
        "[@[!]Pg] ATOM[.E].CAS[.size] Rd, [Ra+offset], Rb, Rc",
        "[@[!]Pg] ATOM[.E].op[.size] Rd, [address], Rb",
        "[@[!]Pg] ATOM[.E].CAS[.size] Rd, [address], Rb, Rc",
        "[@[!]Pg] ATOM[.E].op[.size] Ps, Rd, [Ra], Rb (SM52 on)",
        "[@[!]Pg] ATOM[.E].CAS[.size] Ps, Rd, [Ra], Rb, Rc (SM52 on)",
    ]),
    operations: operation::operation_table,
    pseudo_code: &[
        "for each lane of the warp:",
        "  if it takes part and its guard holds:",
        "    address = Ra + offset (.E: 64 bits in Ra, Ra+1)",
        "    if a check fails: fault, nothing changes",
        "    sparse, and not resident: Ps = true, Rd = 0, next lane",
        "    M = memory[address]",
        "    memory[address] = op(M, Rb, Rc)",
        "    Rd = M (sparse: Ps = false)",
    ],
    facts: texts(&[
        Fact {
            mark: Provenance::Assumed,
            text: "SAFEADD: that it increments the put pointer of a circular queue is all that is public. It runs as INC on 64 bits, M >= Rb ? 0 : M + 1, Rb being the last index.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "INC counts up to Rb and starts again at 0; DEC counts down to 0 and starts again at Rb. Both are unsigned.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Lanes that hit the same cell take turns; the order is not defined.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Helper pixels, killed lanes and lanes without raster coverage take no part.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Memory is little-endian. 64 bits take an even register and the next.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "The even register of a pair holds the low word.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Without .E the address is Ra + offset modulo 2^32; with .E it is the pair Ra, Ra+1 + offset.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "A cell in the window of local or shared memory, one that is not aligned to its size, and one outside 40 bits or outside mapped memory are errors.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "Each window is 16 MB, aligned to 16 MB, in the low 4 GB.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "The errors are looked for in this order: window, alignment, range. A faulting instruction changes nothing, neither memory nor a register of any lane.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "F32.FTZ.RN takes subnormal operands and results for zeros of their sign, rounds to nearest even, and gives 0x7fffffff for every NaN (CUDA programming guide).",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "The old value that F32.FTZ.RN returns is the cell's bits, not flushed; inf - inf is the same NaN.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "F16x2 is atomic for each half, not for the pair (PTX); the low half is bits 15 to 0. A step here does both.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "F16x2: a NaN result is 0x7fff; in MIN and MAX a number wins over a NaN and -0 is less than +0; the chips that say FTZ flush subnormals, in MIN and MAX too.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "F64.RN keeps subnormals; which NaN it gives is not known.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "Sparse forms: Ps becomes true where the page is not resident, and then memory stays and Rd is 0; otherwise Ps becomes false. Writing PT does nothing.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "Scheduling (&req, &rd, &wr, ?stall) says when things happen, not what: a run takes no notice.",
        },
    ]),
    contradictions: texts(&[
        &contradictions::LATER_FORMS,
        &contradictions::FLUSHED_HALVES,
        &contradictions::WIDE_OFFSET,
        &contradictions::OMITTED_RC,
    ]),
    examples: texts(&EXAMPLES),
};

/// An ATOM instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The condition of each lane.
    pub guard: Guard,
    /// What is done.
    pub operation: Operation,
    /// To how many bits of what type. CAS knows U32 and U64 only.
    pub size: Size,
    /// `.E`: the address has 64 bits.
    pub extended: bool,
    /// Ps: the sparse form, which tells whether memory is resident.
    pub sparse: Option<Predicate>,
    /// Rd.
    pub dst: Register,
    /// Where.
    pub address: Address,
    /// Rb; of CAS the one register whose number is kept.
    pub data: Register,
    /// What that register stands for in CAS.
    pub pair: Pair,
    /// When it issues: no bits of its own, but a slot of a control word.
    pub schedule: Option<Schedule>,
}

impl Atom {
    const fn width(&self) -> Width {
        self.size.width()
    }

    /// Rb and Rc; `None` where the pair would run past the last register.
    fn operands(&self) -> Option<(Register, Register)> {
        match self.operation {
            Operation::Cas => self.pair.registers(self.data, self.width()),
            _ => Some((self.data, Register::ZERO)),
        }
    }
}

impl Definition for Atom {
    const SPEC: &'static Spec = &SPEC;

    fn default_for_opcode(opcode: usize) -> Self {
        Self {
            guard: Guard::ALWAYS,
            operation: match opcode {
                1 | 3 => Operation::Cas,
                _ => Operation::Add,
            },
            size: Size::U32,
            extended: false,
            sparse: (opcode >= 2).then_some(Predicate::TRUE),
            dst: Register::ZERO,
            address: Address::ZERO,
            data: Register::ZERO,
            pair: Pair::Both,
            schedule: None,
        }
    }

    fn parse(
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        let chip = symbols.sass.chip;
        let before = out.len();
        let guard = operand::parse_guard(SPEC.name, cursor, spans, out);
        let start = cursor.here().start;
        cursor.advance();
        spans.set(OperandKind::Opcode, cursor.since(start));
        let suffixes = suffix::parse(chip, cursor, spans, out);
        let extended = suffixes.is_ok_and(|s| s.extended);
        let mut this = Self::default_for_opcode(0);
        // What is not there is told once.
        let ended = |cursor: &Cursor<'_>, wrong: bool| wrong && operand::ends_operands(cursor);
        if ended(cursor, suffixes.is_err()) {
            return Err(ParseError);
        }

        // A predicate, or what is meant for one, begins the sparse forms.
        let first = cursor.word();
        if cursor.is_sign('!') || Predicate::named(first).is_some() || is_predicate_like(first) {
            let ps = operand::parse_predicate(OperandKind::Status, "Ps", cursor, spans, out);
            this.sparse = Some(ps.unwrap_or(Predicate::TRUE));
            operand::parse_comma(ps.is_ok(), cursor, out);
        }
        let dst = operand::parse_register(OperandKind::Dst, "Rd", cursor, spans, out);
        if ended(cursor, dst.is_err()) {
            return Err(ParseError);
        }
        operand::parse_comma(dst.is_ok(), cursor, out);
        let address = Address::parse(extended, cursor, spans, out);
        if ended(cursor, address.is_err()) {
            return Err(ParseError);
        }
        operand::parse_comma(address.is_ok(), cursor, out);
        let rb = operand::parse_register(OperandKind::Src0, "Rb", cursor, spans, out);
        let is_cas = suffixes.is_ok_and(|s| s.operation == Operation::Cas);
        let mut rc = Ok(Register::ZERO);
        if is_cas && (rb.is_ok() || cursor.is_sign(',')) {
            operand::parse_comma(rb.is_ok(), cursor, out);
            rc = operand::parse_register(OperandKind::Src1, "Rc", cursor, spans, out);
        } else if suffixes.is_ok() && cursor.is_sign(',') {
            let start = cursor.here().start;
            cursor.advance();
            operand::skip_operand(cursor);
            let span = cursor.since(start);
            let what = format!("`{}` is one operand too many", span.of(cursor.text()));
            let said = Diagnostic::new(&rules::ONLY_CAS, span, what);
            out.push(said.fix("leave it out", span, ""));
        }
        let start = cursor.here().start;
        this.schedule = Schedule::parse(cursor, out);
        spans.set(OperandKind::Schedule, cursor.since(start));
        cursor.sign(';');

        if out.has_errors_since(before) {
            return Err(ParseError);
        }
        let (suffixes, rb, rc) = (suffixes?, rb?, rc?);
        this.guard = guard?;
        this.operation = suffixes.operation;
        this.size = suffixes.size;
        this.extended = suffixes.extended;
        this.dst = dst?;
        this.address = address?;
        this.data = rb;
        if is_cas {
            let Some((pair, stored)) = Pair::of(rb, rc, this.width()) else {
                let next = Pair::Both.registers(rb, this.width());
                let next = next.map_or(Register::ZERO, |(_, rc)| rc).name();
                let span = spans.of(OperandKind::Src1);
                let what = format!("{} does not go with {}", rc.name(), rb.name());
                let said = Diagnostic::new(&rules::CAS_PAIR, span, what);
                out.push(said.fix(format!("write {next} or RZ"), span, next));
                return Err(ParseError);
            };
            (this.pair, this.data) = (pair, stored);
        }
        Ok(this)
    }

    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        self.guard.print(sink);
        sink.token(TokenClass::Mnemonic, OperandKind::Opcode, "ATOM");
        if self.extended {
            sink.token(TokenClass::Suffix, OperandKind::Address, ".E");
        }
        sink.sign(OperandKind::None, ".");
        sink.token(
            TokenClass::Suffix,
            OperandKind::Operation,
            self.operation.name(),
        );
        let suffix = match (self.operation, self.size) {
            (Operation::Cas, Size::U64) => ".64",
            _ => self.size.suffix(symbols.sass.chip),
        };
        if !suffix.is_empty() {
            sink.token(TokenClass::Suffix, OperandKind::Width, suffix);
        }
        sink.space();
        if let Some(ps) = self.sparse {
            ps.print(OperandKind::Status, sink);
            sink.sign(OperandKind::None, ", ");
        }
        self.dst.print(OperandKind::Dst, sink);
        sink.sign(OperandKind::None, ", ");
        self.address.print(style, sink);
        sink.sign(OperandKind::None, ", ");
        // Decoding refuses a pair that has no second register.
        let (rb, rc) = self.operands().unwrap_or((self.data, Register::ZERO));
        rb.print(OperandKind::Src0, sink);
        if self.operation == Operation::Cas {
            sink.sign(OperandKind::None, ", ");
            rc.print(OperandKind::Src1, sink);
        }
        if let Some(schedule) = self.schedule {
            schedule.print(sink);
        }
        if style == Style::Document {
            sink.sign(OperandKind::None, ";");
        }
    }

    fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let is_cas = self.operation == Operation::Cas;
        v.field(OperandKind::Dst, "Rd", 8, &mut self.dst)?;
        v.field(OperandKind::Address, "Ra", 8, &mut self.address.base)?;
        v.field(OperandKind::Predicate, "Pg", 3, &mut self.guard.predicate)?;
        v.field(
            OperandKind::Predicate,
            "Pg negated",
            1,
            &mut self.guard.negated,
        )?;
        v.field(OperandKind::Src0, "Rb", 8, &mut self.data)?;
        match &mut self.sparse {
            None => v.field(
                OperandKind::Address,
                "offset",
                OFFSET_BITS,
                &mut self.address.offset,
            )?,
            Some(ps) => {
                let mut inverted = Inverted(*ps);
                v.ignored("bits 40 to 28", 13)?;
                v.field(OperandKind::Status, "Ps", 3, &mut inverted)?;
                *ps = inverted.0;
                if is_cas {
                    v.ignored("bits 47 to 44", 4)?;
                } else {
                    v.field(OperandKind::Operation, "op", 4, &mut self.operation)?;
                }
            }
        }
        v.field(OperandKind::Address, ".E", 1, &mut self.extended)?;
        if is_cas {
            let mut wide = self.width() == Width::W64;
            v.field(OperandKind::Width, "64-bit", 1, &mut wide)?;
            self.size = if wide { Size::U64 } else { Size::U32 };
            v.field(OperandKind::Src1, "Rb, Rc", 2, &mut self.pair)?;
        } else {
            v.field(OperandKind::Width, "size", 3, &mut self.size)?;
        }
        match (self.sparse.is_some(), is_cas) {
            (false, false) => {
                v.field(OperandKind::Operation, "op", 4, &mut self.operation)?;
                v.fixed(OperandKind::Opcode, "opcode", 8, 0xed)
            }
            (false, true) => v.fixed(OperandKind::Opcode, "opcode", 12, 0xeef),
            (true, false) => v.fixed(OperandKind::Opcode, "opcode", 12, 0xee6),
            (true, true) => v.fixed(OperandKind::Opcode, "opcode", 12, 0xee7),
        }
    }

    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        let update = Update {
            rmw: self.operation.rmw(self.size, symbols.sass.chip),
            // CAS stores Rc where the cell equals Rb.
            swapped: self.operation == Operation::Cas,
            returns_new: false,
        };
        let Some(ps) = self.sparse else {
            return serialization::perform(update, self.width(), accesses, machine, recorder);
        };
        for access in accesses {
            let one = core::slice::from_ref(access);
            serialization::perform(update, self.width(), one, machine, recorder);
            if !ps.is_true() {
                let bit = 1 << (access.unit.lane & 31);
                let place = predicate_address(ps.0);
                machine.update(recorder, SpaceId::flags(0), place, 4, |set| {
                    if access.in_bounds {
                        set & !bit
                    } else {
                        set | bit
                    }
                });
            }
        }
    }
}

impl Semantics for Atom {
    /// The chip decides what some bits mean; the real tools refuse the same.
    fn check_encoding(&self, check: &mut Check<'_>) {
        let chip = check.symbols.sass.chip;
        let mut refuse = |rule, bytes: core::ops::Range<u32>, what: String| {
            let span = Span::new(bytes.start, bytes.end);
            check.out.report(rule, span, what);
        };
        if self.sparse.is_some() && chip < Size::F16x2.first_chip() {
            let what = format!("{} has no sparse forms", chip.name());
            refuse(&rules::CHIP_SPARSE, 6..8, what);
        } else if self.sparse.is_some() && self.address.base.is_zero() {
            let what = String::from("a sparse form has RZ for its address");
            refuse(&rules::SPARSE_ADDRESS, 1..2, what);
        }
        if self.size == Size::F64 && chip < self.size.first_chip() {
            let what = format!("byte 6: size 6 is not defined for ATOM on {}", chip.name());
            refuse(&rules::UNDECODABLE, 6..7, what);
        }
        if self.operands().is_none() {
            let first = self.data.name();
            let what = format!("bytes 2 and 3: no register follows {first} for Rc");
            refuse(&rules::UNDECODABLE, 2..4, what);
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        self.check_size(check);
        self.check_form(check);
        self.check_registers(check);
    }

    fn check_run(&self, _: &IssueContext<'_>, check: &mut Check<'_>) {
        if self.operation == Operation::SafeAdd {
            let what = "what SAFEADD does here is a guess";
            check.report(&rules::SAFEADD, OperandKind::Operation, what);
        }
    }

    fn note(&self, symbols: &mut SymbolTable) {
        let warp = &mut symbols.sass;
        warp.note_predicate(self.guard.predicate.0);
        warp.note_predicate(self.sparse.unwrap_or(Predicate::TRUE).0);
        let wide = self.width() == Width::W64;
        let (rb, rc) = self.operands().unwrap_or((self.data, self.data));
        let base = (self.address.base, self.extended);
        for (register, pair) in [(self.dst, wide), base, (rb, wide), (rc, wide)] {
            if !register.is_zero() {
                warp.note_register(register.0);
                if pair {
                    warp.note_register(register.0.saturating_add(1));
                }
            }
        }
    }

    fn issue(&self, context: &IssueContext<'_>, out: &mut Vec<Access>) {
        let (rb, rc) = self.operands().unwrap_or((self.data, Register::ZERO));
        let wide = self.width() == Width::W64;
        let registers = context.machine.space(SpaceId::registers(0));
        let bases = lanes::read(registers, self.address.base, self.extended);
        let src0 = lanes::read(registers, rb, wide);
        let src1 = lanes::read(registers, rc, wide);
        let offset = self.address.displacement().cast_unsigned();
        let bits = if self.extended { 64 } else { 32 };
        let cells = Cells::new(self, context);
        let enabled = lanes::taking_part(self.guard, context);
        out.reserve(LANES.into());
        let operands = bases.iter().zip(&src0).zip(&src1);
        for (lane, ((base, src0), src1)) in (0..LANES).zip(operands) {
            if enabled >> lane & 1 == 0 {
                continue;
            }
            let address = base.wrapping_add(offset) & low_mask(bits);
            let resident = cells.is_resident(address);
            let fault = cells.fault(address, resident);
            let dst = register_address(lane, self.dst.0);
            out.push(Access {
                unit: Unit::lane(0, lane),
                space: SpaceId::VIRTUAL,
                bytes: cells.bytes,
                in_bounds: resident && fault.is_none(),
                fault,
                address,
                src0: *src0,
                src1: *src1,
                dst: u32::try_from(dst).ok().filter(|_| !self.dst.is_zero()),
            });
        }
    }

    fn adds(&self, access: &Access, symbols: &SymbolTable) -> Option<u64> {
        let rmw = self.operation.rmw(self.size, symbols.sass.chip);
        rmw.addend(self.width(), access.src0)
    }

    fn describe_effect(&self, effect: &Effect<'_>, _: &SymbolTable) -> String {
        trace_text::describe_effect(self, effect)
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        trace_text::pseudocode_state(self, effect)
    }

    fn schedule(&self) -> Option<Schedule> {
        self.schedule
    }

    fn set_schedule(&mut self, schedule: Option<Schedule>) {
        self.schedule = schedule;
    }

    fn lanes(&self) -> u8 {
        LANES
    }

    fn why_idle(&self, context: &IssueContext<'_>, unit: Unit) -> &'static str {
        lanes::why_idle(self.guard, context, unit.lane)
    }

    fn operation(&self) -> Option<u64> {
        Some(self.operation.code())
    }

    fn operands(&self) -> u8 {
        self.operation.operands()
    }

    fn contradiction_ids(&self, _: &SymbolTable) -> Vec<&'static str> {
        let mut found = Vec::new();
        if self.sparse.is_some() || matches!(self.size, Size::F16x2 | Size::F64) {
            found.push(contradictions::id::LATER_FORMS);
        }
        if self.size == Size::F16x2 {
            found.push(contradictions::id::FLUSHED_HALVES);
        }
        if self.extended {
            found.push(contradictions::id::WIDE_OFFSET);
        }
        if self.operation != Operation::Cas {
            found.push(contradictions::id::OMITTED_RC);
        }
        found
    }

    fn shown_as(&self, _: &SymbolTable) -> ElementType {
        self.size.shown_as()
    }
}

/// What an address is asked: whether there is a cell, and why not.
struct Cells<'s> {
    bytes: u8,
    /// Ranges that are not resident; none for a form that does not ask.
    sparse: &'s [(u64, u64)],
    windows: [u64; 2],
    global: Mapped<'s>,
}

impl<'s> Cells<'s> {
    fn new(atom: &Atom, context: &'s IssueContext<'_>) -> Self {
        let warp = &context.symbols.sass;
        Self {
            bytes: atom.width().bytes(),
            sparse: atom.sparse.map_or(&[], |_| &warp.sparse),
            windows: warp.windows(),
            global: context.machine.space(SpaceId::VIRTUAL).mapped(),
        }
    }

    /// Whether no byte of the cell lies in a range that is not resident.
    #[inline]
    fn is_resident(&self, address: u64) -> bool {
        let last = address.saturating_add(u64::from(self.bytes) - 1);
        let mut ranges = self.sparse.iter();
        !ranges.any(|(from, to)| *from <= last && address <= *to)
    }

    /// Why a cell may not be touched: window, then alignment, then range.
    #[inline]
    fn fault(&self, address: u64, resident: bool) -> Option<FaultKind> {
        if self.windows.contains(&(address & !(WINDOW_BYTES - 1))) {
            Some(FaultKind::AddressSpace)
        } else if address & (u64::from(self.bytes) - 1) != 0 {
            Some(FaultKind::Misaligned)
        } else if address >> ADDRESS_BITS != 0
            || resident && !self.global.contains(address, self.bytes)
        {
            Some(FaultKind::OutOfRange)
        } else {
            None
        }
    }
}

/// Whether a word names a predicate as far as its letter goes: `P7`.
fn is_predicate_like(word: &str) -> bool {
    let digits = word.strip_prefix(['P', 'p']).unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

impl Atom {
    /// Operation and size go together, and the chip has the size.
    fn check_size(&self, check: &mut Check<'_>) {
        let chip = check.symbols.sass.chip;
        let span = check.spans.of(OperandKind::Width);
        if self.size == Size::F16x2 && chip < self.size.first_chip() {
            // Text of this size is refused when it is read; this is a word.
            let what = format!("{}.U128 is illegal", self.operation.name());
            check.report(&rules::SIZE_128, OperandKind::Width, what);
            return;
        }
        let suffix = self.size.suffix(chip);
        if !self.operation.sizes().contains(&self.size) {
            let said = suffix::not_taken(self.operation, suffix, span, chip);
            check.out.push(said);
        } else if chip < self.size.first_chip() {
            let said = suffix::not_yet(suffix, span, self.size, chip);
            check.out.push(said);
        }
    }

    /// What the sparse forms ask for.
    fn check_form(&self, check: &mut Check<'_>) {
        if self.sparse.is_none() {
            return;
        }
        let chip = check.symbols.sass.chip;
        if chip < Size::F16x2.first_chip() {
            let what = format!("{} has no sparse forms", chip.name());
            let help = "write .target sass SM52 or later";
            check.advise(&rules::CHIP_SPARSE, OperandKind::Status, what, help);
        }
        let base = self.address.base;
        if base.is_zero() {
            let what = "a sparse form needs a register for its address";
            let help = "write [R2] and put the address into R2";
            check.advise(&rules::SPARSE_ADDRESS, OperandKind::Address, what, help);
        } else if self.address.offset != 0 {
            let what = format!("offset {} has no room", self.address.displacement());
            let without = format!("[{}]", base.name());
            let help = format!("write {without}");
            check.fix(
                &rules::SPARSE_ADDRESS,
                OperandKind::Address,
                what,
                help,
                &without,
            );
        }
    }

    /// 64 bits lie in pairs, and CAS keeps its operands together.
    fn check_registers(&self, check: &mut Check<'_>) {
        let base = self.address.base;
        if self.extended && !base.is_zero() && !base.starts_pair() {
            let what = format!("{} starts no pair", base.name());
            check.advise(
                &rules::ADDRESS_PAIR,
                OperandKind::Address,
                what,
                base.pair_help(),
            );
        }
        let is_cas = self.operation == Operation::Cas;
        let (rb, rc) = self.operands().unwrap_or((self.data, Register::ZERO));
        if self.width() == Width::W64 {
            let mut pair = |part, role, register: Register| {
                if !register.is_zero() && !register.starts_pair() {
                    let what = format!("{role} {} starts no pair", register.name());
                    check.advise(&rules::REGISTER_PAIR, part, what, register.pair_help());
                }
            };
            pair(OperandKind::Dst, "Rd", self.dst);
            if !is_cas {
                pair(OperandKind::Src0, "Rb", rb);
            } else if rb.starts_pair() {
                pair(OperandKind::Src1, "Rc", rc);
            }
        }
        if !is_cas {
            return;
        }
        let step = if self.width() == Width::W64 { 4 } else { 2 };
        if rb.is_zero() {
            let help = "write the first of the two registers, such as R4";
            check.advise(&rules::CAS_PAIR, OperandKind::Src0, "Rb is RZ", help);
        } else if !rb.0.is_multiple_of(step) {
            let what = format!("Rb is {}, no multiple of {step}", rb.name());
            let near = Register(rb.0 - rb.0 % step).name();
            let help = format!("write such a one: {near}");
            check.advise(&rules::CAS_PAIR, OperandKind::Src0, what, help);
        }
    }
}

// Examples: documentation, and tests that a generic test runs.

static EXAMPLES: [Example; 4] = [
    Example {
        title: "Four lanes add floats; the offset is negative",
        scenario: "\
.target sass SM50
.region global 0x10000 64
.init global[0x10000] : f = 1, 2, 3, 4
.init R1 = iota(0x10190, 4)
.init R9 = 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000
.init P0 = 0xf
@P0 ATOM.ADD.F32.FTZ.RN R0, [R1 - 400], R9;
",
        document: "@P0 ATOM.ADD.F32.FTZ.RN R0, [R1 - 400], R9;",
        assembler: "@P0 ATOM.ADD.F32.FTZ.RN R0, [R1+-0x190], R9",
        bytes: "00019000e7ff06ed",
        end: &[
            ("global[0x10000] : f", "1.5, 2.5, 3.5, 4.5"),
            ("R0", "0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0"),
        ],
    },
    Example {
        title: "A counter that starts again at its bound",
        scenario: "\
.target sass SM50
.region global 0x10000 64
.init R2 = splat(0x10000)
.init R4 = splat(2)
.init P0 = 0x1f
@P0 ATOM.INC R0, [R2], R4;
",
        document: "@P0 ATOM.INC R0, [R2], R4;",
        assembler: "@P0 ATOM.INC R0, [R2], R4",
        bytes: "00024000000030ed",
        end: &[("global[0x10000] : ud", "2"), ("R0", "0, 1, 2, 0, 1")],
    },
    Example {
        title: "Compare and swap 64 bits, the address in a pair",
        scenario: "\
.target sass SM50
.region global 0x100000000 64
.init global[0x100000008] : uq = 5
.init R2:R3 = splat(0x100000000)
.init R4:R5 = splat(5)
.init R6:R7 = iota(0x900000000, 1)
.init P0 = 3
@P0 ATOM.E.CAS.64 R0, [R2 + 8], R4, R6;
",
        document: "@P0 ATOM.E.CAS.64 R0, [R2 + 8], R4, R6;",
        assembler: "@P0 ATOM.E.CAS.64 R0, [R2+0x8], R4, R6",
        bytes: "000240800000f3ee",
        end: &[
            ("global[0x100000008] : uq", "0x900000000"),
            ("R0", "5, 0"),
            ("R1", "0, 9"),
        ],
    },
    Example {
        title: "An absolute address, and lanes that take turns",
        scenario: "\
.target sass SM50
.region global 0xff000 4096
.init R8 = iota(1, 1)
.order 2 1 0
ATOM.ADD.S32 R9, [0xfff00], R8;
",
        document: "ATOM.ADD.S32 R9, [0xfff00], R8;",
        assembler: "ATOM.ADD.S32 R9, [0xfff00], R8",
        bytes: "09ff8700f0ff02ed",
        end: &[("global[0xfff00] : d", "528"), ("R9", "5, 3, 0, 6, 10")],
    },
];
