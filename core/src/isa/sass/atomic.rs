//! The atomics: every lane of a warp reads a cell of global memory, combines it with Rb
//! and writes the result. ATOM and RED are rows; ATOM also returns the old value.

mod trace_text;

use super::chip::Chip;
use super::operand::{self, Address, OFFSET_BITS};
use super::operation::SassOperation;
use super::register::{CasPair, Guard, Inverted, PredicateRegister, Register};
use super::schedule::Schedule;
use super::size::Size;
use super::suffix::{self, SuffixSyntax, Suffixes};
use super::warp::{ADDRESS_BITS, LANES, WINDOW_BYTES, predicate_address, register_address};
use crate::bits::{DecodeError, Visitor};
use crate::contradictions::id;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::rmw::Width;
use crate::isa::rmw_exec::{self, Update};
use crate::isa::schema::{Direction, Elements, Form, Null, Operand, Suffix, Words};
use crate::isa::{
    Access, AddressRegister, Check, Definition, Effect, Evaluation, FaultKind, IssueContext,
    IssueFault, OperandSpans, ParseError, PseudocodeState, RowInstruction, Semantics,
    SourceConstruct, SourceElement, Spec, Style, SymbolTable, ThreadSet, Unit,
};
use crate::machine::{Machine, Mapped, Memory, Recorder, SpaceId};
use crate::number::{ElementType, low_mask};
use crate::rules::{self, Provenance, Rule, Severity};
use crate::text::{Cursor, Sink, SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;
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
        .flat_map(|operation| Size::ALL.iter().map(|size| (*operation, *size)))
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

/// A row of the atomics.
#[derive(Debug, PartialEq, Eq)]
pub struct SassAtomicRow {
    pub spec: &'static Spec,
    pub(super) suffixes: SuffixSyntax,
    pub(super) rules: AtomicRules,
    /// Whether the old value is returned in Rd. Without Rd, the encoding has Rb in its
    /// place and operations of three bits.
    pub(super) returns: bool,
    /// Byte of the encoding that contains the size.
    pub(super) size_byte: u32,
    /// Index of the pseudo-code line for a cell that is not resident.
    pub(super) not_resident: usize,
    /// Index of the pseudo-code line that stores the new value.
    pub(super) stores: usize,
}

/// An atomic of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SassAtomic {
    pub row: &'static SassAtomicRow,
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
    /// The encoding of Rb and Rc for CAS.
    pub pair: CasPair,
    /// Ps, for the sparse form, which reports whether memory is resident.
    pub sparse: Option<PredicateRegister>,
    /// Rd; RZ if nothing is returned.
    pub dst: Register,
    /// Scheduling: a slot of a control word, not part of the instruction's encoding.
    pub schedule: Option<Schedule>,
}

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

/// Rules for the operation, size and registers of an instruction: errors if a
/// document states them, warnings if they are carried over from another
/// instruction.
#[derive(Debug, PartialEq, Eq)]
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
    const fn width(&self) -> Width {
        self.size.width()
    }

    /// Rb and Rc; `None` if the pair exceeds the last register.
    fn data_registers(&self) -> Option<(Register, Register)> {
        match self.operation {
            SassOperation::Cas => self.pair.registers(self.data, self.width()),
            _ => Some((self.data, Register::ZERO)),
        }
    }

    /// The read-modify-write of each access.
    const fn update_on(&self, chip: Chip) -> Update {
        Update {
            rmw: self.operation.rmw(self.size, chip),
            // CAS stores Rc if the cell equals Rb.
            swapped: matches!(self.operation, SassOperation::Cas),
            returns_new: false,
        }
    }

    // Text.

    /// Parses the operands of the schema up to the first missing one, Rb of CAS as
    /// written. Returns Rc.
    fn parse_operands(
        &mut self,
        suffixes: Result<Suffixes, ParseError>,
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Option<Register> {
        let SassAtomicRow {
            spec,
            suffixes: syntax,
            ..
        } = self.row;
        let mut rc = None;
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
                    let (find, kind) = (PredicateRegister::named, "predicate");
                    let status = operand::parse_named(operand, find, kind, cursor, spans, out);
                    self.sparse = Some(status.unwrap_or(PredicateRegister::TRUE));
                    status.map(|_| ())
                }
                Form::Register => {
                    let (find, kind) = (Register::named, "register");
                    let register = operand::parse_named(operand, find, kind, cursor, spans, out);
                    register.map(|register| match operand.part {
                        SyntaxPart::Dst => self.dst = register,
                        SyntaxPart::Src0 => self.data = register,
                        _ => rc = Some(register),
                    })
                }
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
        let has_rc = spec
            .syntax
            .operands
            .iter()
            .any(|o| o.part == SyntaxPart::Src1);
        if suffixes.is_ok() && !is_cas {
            let rule = match has_rc {
                true => &rules::ONLY_CAS,
                false => &rules::ATOM_OPERANDS,
            };
            operand::refuse_operand(rule, last.is_ok(), cursor, out);
        }
        rc
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
    fn print_head(&self, chip: Chip, sink: &mut impl Sink) {
        self.guard.print(sink);
        sink.token(TokenClass::Mnemonic, SyntaxPart::Opcode, self.row.spec.name);
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
    fn layout_guard<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let part = SyntaxPart::Predicate;
        v.field(part, "Pg", 3, &mut self.guard.predicate)?;
        v.field(part, "Pg negated", 1, &mut self.guard.negated)
    }

    fn layout_offset<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let offset = &mut self.address.offset;
        v.field(SyntaxPart::Address, "offset", OFFSET_BITS, offset)
    }

    /// Visits the bits after the guard of an instruction with Rd, up to the opcode.
    fn layout_returning<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let is_cas = self.operation == SassOperation::Cas;
        v.field(SyntaxPart::Src0, "Rb", 8, &mut self.data)?;
        match &mut self.sparse {
            None => self.layout_offset(v)?,
            Some(ps) => {
                let mut inverted = Inverted(*ps);
                v.ignored("bits 40 to 28", 13)?;
                v.field(SyntaxPart::Status, "Ps", 3, &mut inverted)?;
                *ps = inverted.0;
                if is_cas {
                    v.ignored("bits 47 to 44", 4)?;
                } else {
                    v.field(SyntaxPart::Operation, "op", 4, &mut self.operation)?;
                }
            }
        }
        v.field(SyntaxPart::Address, ".E", 1, &mut self.extended)?;
        if is_cas {
            let mut wide = self.width() == Width::W64;
            v.field(SyntaxPart::Width, "64-bit", 1, &mut wide)?;
            self.size = if wide { Size::U64 } else { Size::U32 };
            return v.field(SyntaxPart::Src1, "Rb, Rc", 2, &mut self.pair);
        }
        v.field(SyntaxPart::Width, "size", 3, &mut self.size)?;
        match self.sparse {
            None => v.field(SyntaxPart::Operation, "op", 4, &mut self.operation),
            Some(_) => Ok(()),
        }
    }

    /// Visits the bits after the guard of an instruction without Rd, up to the opcode.
    fn layout_reducing<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        v.field(SyntaxPart::Width, "size", 3, &mut self.size)?;
        v.field(SyntaxPart::Operation, "op", 3, &mut self.operation)?;
        v.ignored("bits 27 and 26", 2)?;
        self.layout_offset(v)?;
        v.field(SyntaxPart::Address, ".E", 1, &mut self.extended)?;
        v.ignored("bits 50 and 49", 2)
    }

    /// Rejects size codes that the chip does not define.
    fn check_size_code(&self, check: &mut Check<'_>) {
        let (chip, byte, name) = (
            check.symbols.sass.chip,
            self.row.size_byte,
            self.row.spec.name,
        );
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
    fn check_size(&self, check: &mut Check<'_>) {
        let rules = &self.row.rules;
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

    /// Checks the rules of the sparse forms.
    fn check_form(&self, check: &mut Check<'_>) {
        if self.sparse.is_none() {
            return;
        }
        let chip = check.symbols.sass.chip;
        if chip < Size::F16x2.first_chip() {
            let what = format!("{} does not support sparse forms", chip.name());
            let help = "use .target sass SM52 or later";
            check.advise(&rules::CHIP_SPARSE, SyntaxPart::Status, what, help);
        }
        let address = self.address;
        let base = address.base;
        if base.is_zero() {
            let what = "sparse forms require a register address";
            let help = "put the address into R2 and write [R2]";
            check.advise(&rules::SPARSE_ADDRESS, SyntaxPart::Address, what, help);
        } else if address.offset != 0 {
            let what = format!(
                "sparse forms do not support offset {}",
                address.displacement()
            );
            let without = format!("[{}]", base.name());
            let help = format!("use {without}");
            check.fix(
                &rules::SPARSE_ADDRESS,
                SyntaxPart::Address,
                what,
                help,
                &without,
            );
        }
    }

    /// Checks that a 64-bit address is in a register pair.
    fn check_address(&self, check: &mut Check<'_>) {
        if self.has_split_address() {
            let (rule, base) = (self.row.rules.address_pair, self.address.base);
            report_odd(rule, (SyntaxPart::Address, "the address"), base, check);
        }
    }

    /// Checks that a 64-bit value is in a register pair.
    fn check_pair(&self, place: (SyntaxPart, &str), register: Register, check: &mut Check<'_>) {
        if self.is_split(register) {
            report_odd(self.row.rules.register_pair, place, register, check);
        }
    }

    /// Whether a 64-bit address is not in a register pair.
    const fn has_split_address(&self) -> bool {
        let base = self.address.base;
        self.extended && !base.is_zero() && !base.starts_pair()
    }

    /// Whether a 64-bit value is not in a register pair.
    fn is_split(&self, register: Register) -> bool {
        self.width() == Width::W64 && !register.is_zero() && !register.starts_pair()
    }

    /// Checks the register pairs of 64-bit values and of CAS.
    fn check_registers(&self, check: &mut Check<'_>) {
        self.check_address(check);
        let is_cas = self.operation == SassOperation::Cas;
        let (rb, rc) = self.data_registers().unwrap_or((self.data, Register::ZERO));
        self.check_pair((SyntaxPart::Dst, "Rd"), self.dst, check);
        if !is_cas {
            self.check_pair((SyntaxPart::Src0, "Rb"), rb, check);
        } else if rb.starts_pair() {
            self.check_pair((SyntaxPart::Src1, "Rc"), rc, check);
        }
        if !is_cas {
            return;
        }
        let step = if self.width() == Width::W64 { 4 } else { 2 };
        if rb.is_zero() {
            let help = "use the first register of the pair, such as R4";
            let what = "Rb of CAS must not be RZ";
            check.advise(&rules::CAS_PAIR, SyntaxPart::Src0, what, help);
        } else if !rb.0.is_multiple_of(step) {
            let what = format!(
                "the number of Rb must be a multiple of {step}, found {}",
                rb.name()
            );
            let near = Register(rb.0 - rb.0 % step).name();
            let help = format!("use {near}");
            check.advise(&rules::CAS_PAIR, SyntaxPart::Src0, what, help);
        }
    }

    /// Whether the result is certain: ATOM's document lists the combination, or the
    /// result does not depend on the sign.
    fn has_arithmetic(&self, symbols: &SymbolTable) -> bool {
        use SassOperation::{Add, And, Or, Xor};
        let Self {
            operation, size, ..
        } = *self;
        let is_signless = matches!(operation, Add | And | Or | Xor) && size == Size::S64;
        let is_listed = operation.sizes().contains(&size);
        (is_listed || is_signless) && symbols.sass.chip >= size.first_chip()
    }
}

impl RowInstruction for SassAtomic {
    type Row = SassAtomicRow;

    /// Bit 0 of the index: CAS; bit 1: sparse form.
    fn default_for_opcode(row: &'static SassAtomicRow, opcode: usize) -> Self {
        let (is_sparse, is_cas) = (opcode & 2 != 0, opcode & 1 != 0);
        Self {
            row,
            guard: Guard::ALWAYS,
            operation: match is_cas {
                true => SassOperation::Cas,
                false => SassOperation::Add,
            },
            size: Size::U32,
            extended: false,
            address: Address::ZERO,
            data: Register::ZERO,
            pair: CasPair::Both,
            sparse: is_sparse.then_some(PredicateRegister::TRUE),
            dst: Register::ZERO,
            schedule: None,
        }
    }

    fn spec(&self) -> &'static Spec {
        self.row.spec
    }

    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        _: ThreadSet,
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        let update = self.update_on(symbols.sass.chip);
        let Some(ps) = self.sparse else {
            return rmw_exec::perform(update, accesses, machine, recorder);
        };
        for access in accesses {
            let one = core::slice::from_ref(access);
            rmw_exec::perform(update, one, machine, recorder);
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

impl Definition for SassAtomic {
    /// Continues after an error to report all of them, but reports only one missing
    /// operand.
    fn parse(
        &mut self,
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<(), ParseError> {
        let (row, before) = (self.row, out.len());
        let guard = operand::parse_guard(row.spec.name, cursor, spans, out);
        let start = cursor.here().start;
        cursor.advance();
        spans.set(SyntaxPart::Opcode, cursor.since(start));
        let suffixes = suffix::parse(&row.suffixes, symbols.sass.chip, cursor, spans, out);
        let mut rc = None;
        if suffixes.is_ok() || !operand::ends_operands(cursor) {
            rc = self.parse_operands(suffixes, cursor, spans, out);
        }
        self.schedule = Self::parse_tail(cursor, spans, out);
        if out.has_errors_since(before) {
            return Err(ParseError);
        }
        self.guard = guard?;
        let suffixes = suffixes?;
        (self.extended, self.operation) = (suffixes.extended, suffixes.operation);
        self.size = suffixes.size;
        if let Some(rc) = rc {
            let (rb, width) = (self.data, self.width());
            let Some((pair, encoded)) = CasPair::of(rb, rc, width) else {
                let next = CasPair::Both.registers(rb, width);
                let next = next.map_or(Register::ZERO, |(_, rc)| rc).name();
                let span = spans.of(SyntaxPart::Src1);
                let what = format!("{} cannot be combined with {}", rc.name(), rb.name());
                let help = format!("use {next} or RZ");
                out.fix(&rules::CAS_PAIR, span, what, help, span, next);
                return Err(ParseError);
            };
            (self.pair, self.data) = (pair, encoded);
        }
        Ok(())
    }

    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        // Decoding rejects a pair without a second register.
        let (rb, rc) = self.data_registers().unwrap_or((self.data, Register::ZERO));
        let is_cas = self.operation == SassOperation::Cas;
        let is_written = |part| match part {
            SyntaxPart::Status => self.sparse.is_some(),
            SyntaxPart::Src1 => is_cas,
            _ => true,
        };
        self.print_head(symbols.sass.chip, sink);
        let operands = self.row.spec.syntax.operands.iter();
        for (index, operand) in operands.filter(|o| is_written(o.part)).enumerate() {
            if index > 0 {
                sink.punct(SyntaxPart::None, ", ");
            }
            match (operand.part, self.sparse) {
                (SyntaxPart::Status, Some(status)) => status.print(operand.part, sink),
                (SyntaxPart::Address, _) => self.address.print(style, sink),
                (SyntaxPart::Dst, _) => self.dst.print(operand.part, sink),
                (SyntaxPart::Src0, _) => rb.print(operand.part, sink),
                _ => rc.print(operand.part, sink),
            }
        }
        self.print_tail(style, sink);
    }

    fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let is_cas = self.operation == SassOperation::Cas;
        match self.row.returns {
            true => v.field(SyntaxPart::Dst, "Rd", 8, &mut self.dst)?,
            false => v.field(SyntaxPart::Src0, "Rb", 8, &mut self.data)?,
        }
        v.field(SyntaxPart::Address, "Ra", 8, &mut self.address.base)?;
        self.layout_guard(v)?;
        match self.row.returns {
            true => self.layout_returning(v)?,
            false => self.layout_reducing(v)?,
        }
        let opcode = 2 * usize::from(self.sparse.is_some()) + usize::from(is_cas);
        self.row.spec.opcodes[opcode].layout(v)
    }
}

impl Semantics for SassAtomic {
    /// Rejects encodings that depend on the chip, like the real tools.
    fn check_encoding(&self, check: &mut Check<'_>) {
        let chip = check.symbols.sass.chip;
        let mut refuse = |rule, bytes: core::ops::Range<u32>, what: String| {
            let span = Span::new(bytes.start, bytes.end);
            check.out.report(rule, span, what);
        };
        if self.sparse.is_some() && chip < Size::F16x2.first_chip() {
            let what = format!("{} does not support sparse forms", chip.name());
            refuse(&rules::CHIP_SPARSE, 6..8, what);
        } else if self.sparse.is_some() && self.address.base.is_zero() {
            let what = String::from("the address of a sparse form is RZ");
            refuse(&rules::SPARSE_ADDRESS, 1..2, what);
        }
        if self.data_registers().is_none() {
            let first = self.data.name();
            let what = format!("bytes 2 and 3: Rc after {first} exceeds the last register");
            refuse(&rules::UNDECODABLE, 2..4, what);
        }
        self.check_size_code(check);
    }

    fn check(&self, check: &mut Check<'_>) {
        self.check_size(check);
        self.check_form(check);
        self.check_registers(check);
    }

    /// Reports what the rules of the row do not reject.
    fn check_run(&self, _: &IssueContext<'_>, check: &mut Check<'_>) {
        if self.operation == SassOperation::SafeAdd {
            let what = "the behavior of SAFEADD is a guess";
            check.report(&rules::SAFEADD, SyntaxPart::Operation, what);
        }
        let rules = &self.row.rules;
        let is_accepted = |rule: &Rule| rule.severity != Severity::Error;
        if is_accepted(rules.operation_size) && !self.has_arithmetic(check.symbols) {
            let suffix = self.size.suffix(check.symbols.sass.chip);
            let what = format!(
                "cannot run {}{suffix}: its arithmetic is unknown",
                self.operation.name()
            );
            check.report(&rules::RUN_TYPE, SyntaxPart::Width, what);
        }
        if is_accepted(rules.address_pair) && self.has_split_address() {
            let what = format!(
                "cannot run: the address starts at odd register {}",
                self.address.base.name()
            );
            check.report(&rules::RUN_REGISTER_PAIR, SyntaxPart::Address, what);
        }
        if is_accepted(rules.register_pair) && self.is_split(self.data) {
            let what = format!("cannot run: Rb starts at odd register {}", self.data.name());
            check.report(&rules::RUN_REGISTER_PAIR, SyntaxPart::Src0, what);
        }
    }

    /// Records the predicates, and the registers, as pairs if they are wide.
    fn note(&self, symbols: &mut SymbolTable) {
        let warp = &mut symbols.sass;
        warp.note_predicate(self.sparse.unwrap_or(PredicateRegister::TRUE).0);
        warp.note_predicate(self.guard.predicate.0);
        let (rb, rc) = self.data_registers().unwrap_or((self.data, self.data));
        let wide = self.width() == Width::W64;
        let base = (self.address.base, self.extended);
        let values = [self.dst, rb, rc].map(|register| (register, wide));
        for (register, pair) in values.into_iter().chain([base]) {
            if !register.is_zero() {
                warp.note_register(register.0);
                if pair {
                    warp.note_register(register.0.saturating_add(1));
                }
            }
        }
    }

    /// The register or pair with the lanes' addresses; empty for a constant address.
    fn address_registers(&self, _: &SymbolTable) -> Vec<AddressRegister> {
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

    fn source_elements(&self, unit: Unit, _: &SymbolTable) -> Vec<SourceElement> {
        let wide = self.width() == Width::W64;
        let operands = self.data_registers();
        let (rb, rc) = operands.expect("text and encodings without Rc are rejected");
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
    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault> {
        let out = &mut out.accesses;
        let wide = self.width() == Width::W64;
        let operands = self.data_registers();
        let (rb, rc) = operands.expect("text and encodings without Rc are rejected");
        let registers = context.machine.space(SpaceId::registers(0));
        let bases = read(registers, self.address.base, self.extended);
        let src0 = read(registers, rb, wide);
        let src1 = read(registers, rc, wide);
        let offset = self.address.displacement().cast_unsigned();
        let bits = if self.extended { 64 } else { 32 };
        let cells = Cells {
            bytes: self.width().bytes(),
            sparse: self.sparse.map_or(&[], |_| &context.symbols.sass.sparse),
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
            let dst = register_address(lane, self.dst.0);
            let unit = Unit::lane(0, lane);
            out.push(Access {
                in_bounds: resident && fault.is_none(),
                fault,
                src0: *src0,
                src1: *src1,
                writes: true,
                dst: u32::try_from(dst).ok().filter(|_| !self.dst.is_zero()),
                ..Access::new(unit, SpaceId::VIRTUAL, address, cells.bytes)
            });
        }
        Ok(())
    }

    fn adds(&self, access: &Access, symbols: &SymbolTable) -> Option<u64> {
        let update = self.update_on(symbols.sass.chip);
        update.rmw.addend(self.width(), access.src0)
    }

    fn update(&self, symbols: &SymbolTable) -> Option<Update> {
        Some(self.update_on(symbols.sass.chip))
    }

    fn describe_effect(&self, effect: &Effect<'_>, symbols: &SymbolTable) -> String {
        trace_text::describe_effect(self, effect, symbols)
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        trace_text::pseudocode_state(self, effect)
    }

    fn inactive_reason(&self, context: &IssueContext<'_>, unit: Unit) -> Option<&'static str> {
        let warp = &context.symbols.sass;
        debug_assert!(unit.lane < LANES);
        let is_in = |mask: u32| mask >> unit.lane & 1 == 1;
        if is_in(warp.helper) {
            Some("helper pixel")
        } else if is_in(warp.killed) {
            Some("killed")
        } else if is_in(warp.uncovered) {
            Some("no raster coverage")
        } else if !is_in(guarded(self.guard, context)) {
            Some("guard")
        } else {
            None
        }
    }

    fn operation(&self) -> Option<u64> {
        Some(self.operation.code())
    }

    fn operands(&self) -> u8 {
        self.operation.operands()
    }

    fn contradiction_ids(&self, _: &SymbolTable) -> Vec<&'static str> {
        let Self {
            operation, size, ..
        } = *self;
        let is_later = self.sparse.is_some() || matches!(size, Size::F16x2 | Size::F64);
        self.row.spec.contradictions_among(&[
            (id::LATER_FORMS, is_later),
            (id::FLUSHED_HALVES, size == Size::F16x2),
            (id::WIDE_OFFSET, self.extended),
            (id::OMITTED_RC, operation != SassOperation::Cas),
            (id::REDUCTION_SIZES, !operation.becomes_red(size)),
        ])
    }

    fn display_type(&self, _: &SymbolTable) -> ElementType {
        self.size.display_type()
    }

    fn schedule(&self) -> Option<Schedule> {
        self.schedule
    }

    fn set_schedule(&mut self, schedule: Option<Schedule>) {
        self.schedule = schedule;
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

fn report_odd(
    rule: &'static Rule,
    (part, role): (SyntaxPart, &str),
    register: Register,
    check: &mut Check<'_>,
) {
    let found = register.name();
    let what = format!("{role} must start at an even register, found {found}");
    check.advise(rule, part, what, register.pair_help());
}

// Enabled lanes of a warp and their register values.

/// Number of lanes of a warp.
const COUNT: usize = LANES as usize;

/// Bytes of a register pair in all lanes.
const PAIRS: usize = 8 * COUNT;

/// Mask of the lanes whose guard is true.
fn guarded(guard: Guard, context: &IssueContext<'_>) -> u32 {
    let address = predicate_address(guard.predicate.0);
    let set = match guard.predicate.is_true() {
        true => u32::MAX,
        false => context.machine.flag_word(SpaceId::flags(0), address),
    };
    guard.lanes(set)
}

/// Mask of the enabled lanes: not helper pixels, not killed, covered, and with a
/// guard that is true.
fn taking_part(guard: Guard, context: &IssueContext<'_>) -> u32 {
    context.machine.flag_word(SpaceId::flags(0), 0) & guarded(guard, context)
}

/// Reads a register in all lanes; with `wide`, the pair of this register (low word)
/// and the next.
fn read(registers: &Memory, register: Register, wide: bool) -> [u64; COUNT] {
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
