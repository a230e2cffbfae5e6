//! The common part of ATOM and RED: every lane of a warp reads a cell of global
//! memory, combines it with Rb and writes the result. ATOM also returns the old
//! value.

use super::chip::Chip;
use super::operand::{self, Address};
use super::operation::SassOperation;
use super::register::{Guard, PredicateRegister, Register};
use super::schedule::Schedule;
use super::size::Size;
use super::suffix::{self, SuffixSyntax, Suffixes};
use super::warp::{ADDRESS_BITS, LANES, WINDOW_BYTES, Warp, predicate_address, register_address};
use crate::bits::{DecodeError, Visitor};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::rmw::Width;
use crate::isa::rmw_exec::Update;
use crate::isa::schema::{Direction, Elements, Form, Null, Operand, Suffix, Words};
use crate::isa::{
    Access, AddressRegister, Check, FaultKind, IssueContext, OperandSpans, ParseError,
    SourceConstruct, SourceElement, Spec, Style, SymbolTable, Unit,
};
use crate::machine::{Mapped, Memory, SpaceId};
use crate::number::low_mask;
use crate::rules::{self, Provenance, Rule};
use crate::text::{Cursor, Sink, SyntaxPart, TokenClass};
use alloc::format;
use alloc::vec::Vec;

/// The suffix for a size; empty for the default.
const fn size_suffix(operation: SassOperation, size: Size, chip: Chip) -> &'static str {
    match (operation, size) {
        (SassOperation::Cas, Size::U64) => ".64",
        _ => size.suffix(chip),
    }
}

/// PTX that ptxas compiles to the operations for which `is_compiled` returns true.
/// `ptx` is the PTX instruction, such as `atom{.global}`, and its condition.
pub(super) fn source_constructs(
    (ptx, condition): (&str, &str),
    operations: &[SassOperation],
    is_compiled: impl Fn(SassOperation, Size) -> bool,
) -> Vec<SourceConstruct> {
    let mut constructs = Vec::new();
    for (operation, size) in operations
        .iter()
        .flat_map(|operation| Size::ALL.map(|size| (*operation, size)))
    {
        if let Some((name, ty)) = operation.ptx(size)
            && is_compiled(operation, size)
        {
            // The chip from which ptxas accepts this spelling of halves.
            let suffix = size_suffix(operation, size, Chip::Sm60);
            constructs.push(SourceConstruct {
                form: format!("{}{suffix}", operation.name()),
                language: "PTX",
                text: format!("{ptx}.{name}.{ty}{condition}"),
                mark: Provenance::Observed,
                source: "ptxas 12.4",
            });
        }
    }
    constructs
}

// Operands.

pub(super) const EXTENDED: Suffix = Suffix {
    part: SyntaxPart::Address,
    name: "E",
    optional: true,
    what: "64-bit addresses",
    words: Words::Listed(&[("E", "64-bit addresses")]),
};

pub(super) const OPERATION: Suffix = Suffix {
    part: SyntaxPart::Operation,
    name: "op",
    optional: false,
    what: "operation applied to each cell",
    words: Words::Operations,
};

/// The size and type of the cells.
pub(super) const SIZE: Suffix = Suffix {
    part: SyntaxPart::Width,
    name: "size",
    optional: true,
    what: "size and type of the cells",
    words: Words::Computed(super::size::words),
};

pub(super) const ADDRESS: Operand = Operand {
    part: SyntaxPart::Address,
    name: "[Ra+offset]",
    role: "the address",
    direction: Direction::In,
    form: Form::Address,
    elements: Elements::None,
    null: Null::Never,
    optional: false,
    what: "address of each lane's cell, or [address] for all lanes",
};

pub(super) const RB: Operand = Operand {
    part: SyntaxPart::Src0,
    name: "Rb",
    role: "Rb",
    direction: Direction::In,
    form: Form::Register,
    elements: Elements::BySuffix,
    null: Null::Optional,
    optional: false,
    what: "operand of each lane",
};

/// The fields that ATOM and RED share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SassAtomic {
    /// Predicate of each lane.
    pub guard: Guard,
    /// Operation applied to the cell.
    pub operation: SassOperation,
    /// Width and type of the cell. CAS has U32 and U64 only.
    pub size: Size,
    /// `.E`: 64-bit address.
    pub extended: bool,
    /// Address of the cell.
    pub address: Address,
    /// Rb; for CAS, the register whose number is encoded.
    pub data: Register,
    /// Scheduling: a slot of a control word, not part of the instruction's encoding.
    pub schedule: Option<Schedule>,
}

/// The operands of a line. The schema of an instruction defines which it has, and
/// in which order.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtomicOperands {
    /// Ps, in sparse forms.
    pub(super) status: Option<PredicateRegister>,
    /// Rd.
    pub(super) dst: Register,
    pub(super) address: Address,
    pub(super) rb: Register,
    /// Rc, for CAS.
    pub(super) rc: Option<Register>,
}

impl Default for AtomicOperands {
    fn default() -> Self {
        Self {
            status: None,
            dst: Register::ZERO,
            address: Address::ZERO,
            rb: Register::ZERO,
            rc: None,
        }
    }
}

impl AtomicOperands {
    /// Whether an operand of the schema is present.
    const fn has(&self, part: SyntaxPart) -> bool {
        match part {
            SyntaxPart::Status => self.status.is_some(),
            SyntaxPart::Src1 => self.rc.is_some(),
            _ => true,
        }
    }

    /// The register of a part: Rd, Rb or Rc.
    fn register(&mut self, part: SyntaxPart) -> &mut Register {
        match part {
            SyntaxPart::Dst => &mut self.dst,
            SyntaxPart::Src0 => &mut self.rb,
            SyntaxPart::Src1 => self.rc.get_or_insert(Register::ZERO),
            other => unreachable!("{other:?} is not a register operand"),
        }
    }

    /// Parses the operands of the schema up to the first missing one.
    fn parse(
        &mut self,
        spec: &Spec,
        syntax: &SuffixSyntax,
        suffixes: Result<Suffixes, ParseError>,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) {
        let is_cas = suffixes.is_ok_and(|s| s.operation == SassOperation::Cas);
        let extended = suffixes.is_ok_and(|s| s.extended);
        let mut is_first = true;
        let mut last = Ok(());
        let before = out.len();
        for operand in spec.syntax.operands {
            let is_written = match operand.form {
                _ if !operand.optional => true,
                // A predicate, or something resembling one.
                Form::Predicate => {
                    cursor.is_punct('!') || PredicateRegister::is_like(cursor.word())
                }
                _ => is_cas && (last.is_ok() || cursor.is_punct(',')),
            };
            if !is_written {
                continue;
            }
            if !is_first {
                operand::parse_comma(last.is_ok(), cursor, out);
            } else if operand.form == Form::Address {
                refuse_destination(spec.name, cursor, out);
            }
            is_first = false;
            last = match operand.form {
                Form::Predicate => {
                    let status = operand::parse_predicate(operand, cursor, spans, out);
                    self.status = Some(status.unwrap_or(PredicateRegister::TRUE));
                    status.map(|_| ())
                }
                Form::Register => operand::parse_register(operand, cursor, spans, out)
                    .map(|register| *self.register(operand.part) = register),
                Form::Address => {
                    let wide = extended && syntax.wide_offsets;
                    Address::parse(wide, cursor, spans, out).map(|a| self.address = a)
                }
                other => unreachable!("{other:?} is a vISA form"),
            };
            if last.is_err() && operand::ends_operands(cursor) {
                break;
            }
        }
        operand::join_commas(before, cursor, out);
        let has_rc = spec.syntax.operands.iter().any(|o| o.part == RC_PART);
        if suffixes.is_ok() && !is_cas {
            let rule = match has_rc {
                true => &rules::ONLY_CAS,
                false => &rules::ATOM_OPERANDS,
            };
            operand::refuse_operand(rule, last.is_ok(), cursor, out);
        }
    }

    fn print(mut self, operand: &Operand, style: Style, sink: &mut impl Sink) {
        match (operand.form, self.status) {
            (Form::Predicate, Some(status)) => status.print(operand.part, sink),
            (Form::Address, _) => self.address.print(style, sink),
            _ => self.register(operand.part).print(operand.part, sink),
        }
    }
}

/// Syntax part of Rc.
const RC_PART: SyntaxPart = SyntaxPart::Src1;

/// Skips and reports operands before the address of an instruction without a
/// result.
fn refuse_destination(name: &str, cursor: &mut Cursor<'_>, out: &mut Diagnostics) {
    let text = cursor.text();
    let word = |ahead| cursor.peek_at(ahead).map_or("", |l| l.span.of(text));
    let is_named =
        |word: &str| Register::named(word).is_some() || PredicateRegister::named(word).is_some();
    // Ps and Rd, each with its comma.
    let is_operand = |at: &usize| is_named(word(2 * at)) && word(2 * at + 1) == ",";
    let count = (0..2).take_while(is_operand).count();
    if count == 0 || word(2 * count) != "[" {
        return;
    }
    let start = cursor.here().start;
    for _ in 1..2 * count {
        cursor.advance();
    }
    let span = Span::new(start, cursor.before());
    cursor.advance();
    let what = format!(
        "{name} does not return a value and has no {}",
        span.of(cursor.text())
    );
    let diagnostic = Diagnostic::new(&rules::ATOM_OPERANDS, span, what);
    let edit = Span::new(start, cursor.here().start);
    out.push(diagnostic.fix("remove it", edit, ""));
}

/// The instruction-specific inputs of [`SassAtomic::issue`].
pub(super) struct LaneOperands<'s> {
    /// Rd; RZ if nothing is returned.
    pub(super) dst: Register,
    /// Rb and Rc.
    pub(super) operands: (Register, Register),
    /// Nonresident memory as pairs of first and last byte; empty for forms that do
    /// not check residency.
    pub(super) sparse: &'s [(u64, u64)],
}

/// Rules for the operation, size and registers of an instruction: errors if a
/// document states them, warnings if they are carried over from another
/// instruction.
pub(super) struct AtomicRules {
    /// The operation supports the size.
    pub(super) operation_size: &'static Rule,
    /// Size code 4 on SM50, `.U128`.
    pub(super) size_128: &'static Rule,
    /// 64-bit values use register pairs.
    pub(super) register_pair: &'static Rule,
    /// 64-bit addresses use register pairs.
    pub(super) address_pair: &'static Rule,
}

impl SassAtomic {
    /// 32-bit `ADD [RZ], RZ`.
    pub(super) const DEFAULT: Self = Self {
        guard: Guard::ALWAYS,
        operation: SassOperation::Add,
        size: Size::U32,
        extended: false,
        address: Address::ZERO,
        data: Register::ZERO,
        schedule: None,
    };

    pub(super) const fn width(&self) -> Width {
        self.size.width()
    }

    // Text.

    /// Parses a line by the schema of its instruction. Parsing continues after an
    /// error to report all of them, but only one missing operand is reported. Rb of
    /// CAS is parsed as written.
    ///
    /// # Errors
    /// If the line is not a valid instruction; a diagnostic is reported.
    pub(super) fn parse(
        spec: &Spec,
        syntax: &SuffixSyntax,
        chip: Chip,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(Self, AtomicOperands), ParseError> {
        let before = out.len();
        let guard = operand::parse_guard(spec.name, cursor, spans, out);
        let start = cursor.here().start;
        cursor.advance();
        spans.set(SyntaxPart::Opcode, cursor.since(start));
        let suffixes = suffix::parse(syntax, chip, cursor, spans, out);
        let mut operands = AtomicOperands::default();
        if suffixes.is_ok() || !operand::ends_operands(cursor) {
            operands.parse(spec, syntax, suffixes, cursor, spans, out);
        }
        let schedule = Self::parse_tail(cursor, spans, out);
        if out.has_errors_since(before) {
            return Err(ParseError);
        }
        let suffixes = suffixes?;
        let atomic = Self {
            guard: guard?,
            operation: suffixes.operation,
            size: suffixes.size,
            extended: suffixes.extended,
            address: operands.address,
            data: operands.rb,
            schedule,
        };
        Ok((atomic, operands))
    }

    /// Prints a line by the schema of its instruction.
    pub(super) fn print(
        &self,
        spec: &Spec,
        operands: &AtomicOperands,
        chip: Chip,
        style: Style,
        sink: &mut impl Sink,
    ) {
        self.print_head(spec.name, chip, sink);
        let written = spec.syntax.operands.iter();
        for (index, operand) in written.filter(|o| operands.has(o.part)).enumerate() {
            if index > 0 {
                sink.punct(SyntaxPart::None, ", ");
            }
            operands.print(operand, style, sink);
        }
        self.print_tail(style, sink);
    }

    /// Parses the optional scheduling fields and semicolon after the operands.
    fn parse_tail(
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Option<Schedule> {
        let start = cursor.here().start;
        let schedule = Schedule::parse(cursor, out);
        spans.set(SyntaxPart::Schedule, cursor.since(start));
        cursor.eat_punct(';');
        schedule
    }

    /// Prints guard, mnemonic, suffixes and a blank.
    fn print_head(&self, mnemonic: &str, chip: Chip, sink: &mut impl Sink) {
        self.guard.print(sink);
        sink.token(TokenClass::Mnemonic, SyntaxPart::Opcode, mnemonic);
        if self.extended {
            sink.token(TokenClass::Suffix, SyntaxPart::Address, ".E");
        }
        sink.punct(SyntaxPart::None, ".");
        let operation = self.operation.name();
        sink.token(TokenClass::Suffix, SyntaxPart::Operation, operation);
        let suffix = size_suffix(self.operation, self.size, chip);
        if !suffix.is_empty() {
            sink.token(TokenClass::Suffix, SyntaxPart::Width, suffix);
        }
        sink.space();
    }

    /// Prints the scheduling fields and the semicolon.
    fn print_tail(&self, style: Style, sink: &mut impl Sink) {
        if let Some(schedule) = self.schedule {
            schedule.print(sink);
        }
        if style == Style::Document {
            sink.punct(SyntaxPart::None, ";");
        }
    }

    // Bits.

    /// Visits the four bits of the guard.
    pub(super) fn layout_guard<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let part = SyntaxPart::Predicate;
        v.field(part, "Pg", 3, &mut self.guard.predicate)?;
        v.field(part, "Pg negated", 1, &mut self.guard.negated)
    }

    /// Rejects size codes that the chip does not define. `byte` is the position of the
    /// size.
    pub(super) fn check_size_code(&self, name: &str, byte: u32, check: &mut Check<'_>) {
        let chip = check.symbols.sass.chip;
        if self.size == Size::F64 && chip < self.size.first_chip() {
            let what = format!(
                "byte {byte}: size 6 is not defined for {name} on {}",
                chip.name()
            );
            let span = Span::new(byte, byte + 1);
            check.out.report(&rules::UNDECODABLE, span, what);
        }
    }

    // Rules.

    /// Checks that the operation and the chip support the size.
    pub(super) fn check_size(&self, rules: &AtomicRules, check: &mut Check<'_>) {
        let chip = check.symbols.sass.chip;
        let span = check.spans.of(SyntaxPart::Width);
        let suffix = self.size.suffix(chip);
        if self.size == Size::F16x2 && chip < self.size.first_chip() {
            let what = format!("{} does not support .U128", self.operation.name());
            check.report(rules.size_128, SyntaxPart::Width, what);
        } else if !self.operation.sizes().contains(&self.size) {
            let rule = rules.operation_size;
            let diagnostic = suffix::not_taken(rule, self.operation, suffix, span, chip);
            check.out.push(diagnostic);
        } else if chip < self.size.first_chip() {
            let diagnostic = suffix::not_yet(suffix, span, self.size, chip);
            check.out.push(diagnostic);
        }
    }

    /// Checks that a 64-bit address is in a register pair.
    pub(super) fn check_address(&self, rules: &AtomicRules, check: &mut Check<'_>) {
        let base = self.address.base;
        if self.has_split_address() {
            let what = format!(
                "the address must start at an even register, found {}",
                base.name()
            );
            let part = SyntaxPart::Address;
            check.advise(rules.address_pair, part, what, base.pair_help());
        }
    }

    /// Checks that a 64-bit value is in a register pair.
    pub(super) fn check_pair(
        &self,
        rules: &AtomicRules,
        (part, role): (SyntaxPart, &str),
        register: Register,
        check: &mut Check<'_>,
    ) {
        if self.is_split(register) {
            let what = format!(
                "{role} must start at an even register, found {}",
                register.name()
            );
            check.advise(rules.register_pair, part, what, register.pair_help());
        }
    }

    /// Whether a 64-bit address is not in a register pair.
    pub(super) const fn has_split_address(&self) -> bool {
        let base = self.address.base;
        self.extended && !base.is_zero() && !base.starts_pair()
    }

    /// Whether a 64-bit value is not in a register pair.
    pub(super) fn is_split(&self, register: Register) -> bool {
        self.width() == Width::W64 && !register.is_zero() && !register.starts_pair()
    }

    /// Records the guard, the address and the `values`, as pairs if they are wide.
    pub(super) fn note(&self, values: &[Register], warp: &mut Warp) {
        warp.note_predicate(self.guard.predicate.0);
        let wide = self.width() == Width::W64;
        let base = (self.address.base, self.extended);
        let values = values.iter().map(|register| (*register, wide));
        for (register, pair) in values.chain([base]) {
            if !register.is_zero() {
                warp.note_register(register.0);
                if pair {
                    warp.note_register(register.0.saturating_add(1));
                }
            }
        }
    }

    // Execution.

    /// The register or pair with the lanes' addresses; empty for a constant address.
    pub(super) fn address_registers(&self) -> Vec<AddressRegister> {
        let base = self.address.base;
        if base.is_zero() {
            return Vec::new();
        }
        let is_pair = self.extended && base.starts_pair();
        let place = match is_pair {
            true => format!("{}:R{}", base.name(), base.0 + 1),
            false => base.name(),
        };
        alloc::vec![AddressRegister {
            operand: SyntaxPart::Address,
            place,
            bytes: if is_pair { 8 } else { 4 },
            is_per_lane: true,
        }]
    }

    /// Elements that a lane reads of the address, Rb and Rc.
    pub(super) fn source_elements(
        &self,
        (rb, rc): (Register, Register),
        unit: Unit,
    ) -> Vec<SourceElement> {
        let wide = self.width() == Width::W64;
        [
            (SyntaxPart::Address, self.address.base, self.extended),
            (SyntaxPart::Src0, rb, wide),
            (SyntaxPart::Src1, rc, wide),
        ]
        .into_iter()
        .filter(|(_, register, _)| !register.is_zero())
        .map(|(operand, register, is_wide)| SourceElement {
            operand,
            at: u32::try_from(register_address(unit.lane, register.0))
                .expect("a warp's registers occupy less than 4 GB"),
            bytes: if is_wide && register.starts_pair() {
                8
            } else {
                4
            },
        })
        .collect()
    }

    /// Latches the access of every enabled lane, in ascending order.
    pub(super) fn issue(
        &self,
        issue: &LaneOperands<'_>,
        context: &IssueContext<'_>,
        out: &mut Vec<Access>,
    ) {
        let wide = self.width() == Width::W64;
        let (rb, rc) = issue.operands;
        let registers = context.machine.space(SpaceId::registers(0));
        let bases = read(registers, self.address.base, self.extended);
        let src0 = read(registers, rb, wide);
        let src1 = read(registers, rc, wide);
        let offset = self.address.displacement().cast_unsigned();
        let bits = if self.extended { 64 } else { 32 };
        let cells = Cells {
            bytes: self.width().bytes(),
            sparse: issue.sparse,
            windows: context.symbols.sass.windows(),
            global: context.machine.space(SpaceId::VIRTUAL).mapped(),
        };
        let enabled = taking_part(self.guard, context);
        out.reserve(LANES.into());
        let operands = bases.iter().zip(&src0).zip(&src1);
        for (lane, ((base, src0), src1)) in (0..LANES).zip(operands) {
            if enabled >> lane & 1 == 0 {
                continue;
            }
            let address = base.wrapping_add(offset) & low_mask(bits);
            let resident = cells.is_resident(address);
            let fault = cells.fault(address, resident);
            let dst = register_address(lane, issue.dst.0);
            out.push(Access {
                unit: Unit::lane(0, lane),
                space: SpaceId::VIRTUAL,
                bytes: cells.bytes,
                in_bounds: resident && fault.is_none(),
                fault,
                address,
                src0: *src0,
                src1: *src1,
                writes: true,
                dst: u32::try_from(dst).ok().filter(|_| !issue.dst.is_zero()),
            });
        }
    }

    /// The read-modify-write of each access.
    pub(super) const fn update(&self, chip: Chip) -> Update {
        Update {
            rmw: self.operation.rmw(self.size, chip),
            // CAS stores Rc if the cell equals Rb.
            swapped: matches!(self.operation, SassOperation::Cas),
            returns_new: false,
        }
    }

    /// The addend of an access that only adds.
    pub(super) fn adds(&self, access: &Access, symbols: &SymbolTable) -> Option<u64> {
        let rmw = self.operation.rmw(self.size, symbols.sass.chip);
        rmw.addend(self.width(), access.src0)
    }
}

/// Inputs of the address checks.
struct Cells<'s> {
    bytes: u8,
    sparse: &'s [(u64, u64)],
    windows: [u64; 2],
    global: Mapped<'s>,
}

impl Cells<'_> {
    /// Whether all bytes of the cell are resident.
    #[inline]
    fn is_resident(&self, address: u64) -> bool {
        let last = address.saturating_add(u64::from(self.bytes) - 1);
        let mut ranges = self.sparse.iter();
        !ranges.any(|(from, to)| *from <= last && address <= *to)
    }

    /// The fault of an access, checked in this order: window, alignment, range.
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

// Enabled lanes of a warp and their register values.

/// Number of lanes of a warp.
const COUNT: usize = LANES as usize;

/// Bytes of a register pair in all lanes.
const PAIRS: usize = 8 * COUNT;

/// A word of the flags: word 0 for the participating lanes, then the predicates.
fn flags(context: &IssueContext<'_>, address: u64) -> u32 {
    let word = context.machine.load(SpaceId::flags(0), address, 4);
    let word = word.expect("flags are mapped for every warp");
    u32::try_from(word).expect("four bytes were read")
}

/// Mask of the lanes whose guard is true.
fn guarded(guard: Guard, context: &IssueContext<'_>) -> u32 {
    let address = predicate_address(guard.predicate.0);
    let set = match guard.predicate.is_true() {
        true => u32::MAX,
        false => flags(context, address),
    };
    guard.lanes(set)
}

/// Mask of the enabled lanes: not helper pixels, not killed, covered, and with a
/// guard that is true.
#[must_use]
pub fn taking_part(guard: Guard, context: &IssueContext<'_>) -> u32 {
    flags(context, 0) & guarded(guard, context)
}

/// The reason that a lane is inactive; `None` if it is active.
#[must_use]
pub fn inactive_reason(guard: Guard, context: &IssueContext<'_>, lane: u8) -> Option<&'static str> {
    let warp = &context.symbols.sass;
    debug_assert!(lane < LANES);
    let is_in = |mask: u32| mask >> lane & 1 == 1;
    if is_in(warp.helper) {
        Some("helper pixel")
    } else if is_in(warp.killed) {
        Some("killed")
    } else if is_in(warp.uncovered) {
        Some("no raster coverage")
    } else if !is_in(guarded(guard, context)) {
        Some("guard")
    } else {
        None
    }
}

/// Reads a register in all lanes; with `wide`, the pair of this register (low word)
/// and the next.
#[must_use]
pub fn read(registers: &Memory, register: Register, wide: bool) -> [u64; COUNT] {
    let mut values = [0; COUNT];
    let even = register_address(0, register.0 & !1);
    if register.is_zero() {
        return values;
    }
    let pairs = registers.block::<PAIRS>(even);
    let (pairs, _) = pairs.expect("a pair is within one page").as_chunks::<8>();
    let shift = if register.0 % 2 == 1 { 32 } else { 0 };
    let mask = if wide { u64::MAX } else { low_mask(32) };
    for (value, pair) in values.iter_mut().zip(pairs) {
        *value = u64::from_le_bytes(*pair) >> shift & mask;
    }
    values
}
