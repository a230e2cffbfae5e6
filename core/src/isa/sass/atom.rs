//! ATOM: read-modify-write of a cell of global memory by every lane of a warp.
//!
//! Sources: the instruction's page under SPA 5.0; NVIDIA's tools for the encoding
//! and chip support; assumptions where neither says anything.

use super::atomic::{
    self, ADDRESS, AtomicOperands, AtomicRules, EXTENDED, LaneOperands, OPERATION, RB, SIZE,
    SassAtomic,
};
use super::operand::OFFSET_BITS;
use super::operation::{self, SassOperation};
use super::register::{CasPair, Inverted, PredicateRegister, Register};
use super::schedule::Schedule;
use super::size::Size;
use super::suffix::{SizeNames, SuffixSyntax};
use super::trace_text::{self, PseudocodeLines, Returned};
use super::warp::{LANES, predicate_address};
use crate::bits::{DecodeError, Visitor};
use crate::contradictions;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::rmw::Width;
use crate::isa::rmw_exec;
use crate::isa::schema::{Direction, Elements, Form, Operand, Syntax};
use crate::isa::{
    Access, AddressRegister, Check, Definition, Effect, Evaluation, Example, Fact, Family,
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
    name: "ATOM",
    mnemonics: &["atom"],
    family: Family::Sass,
    // Index bit 0: CAS; bit 1: sparse form.
    opcodes: &[
        Opcode::high(8, 0xed),
        Opcode::high(12, 0xeef),
        Opcode::high(12, 0xee6),
        Opcode::high(12, 0xee7),
    ],
    fused: false,
    lane_queue: true,
    summary: "Each enabled lane of the warp reads a cell of global memory, combines it with Rb, writes the result back and returns the old value in Rd. Each lane's read-modify-write is atomic.",
    source: "ATOM, SPA 5.0",
    syntax: Syntax {
        predicate: true,
        suffixes: &[EXTENDED, OPERATION, SIZE],
        lanes: "",
        operands: &[PS, RD, ADDRESS, RB, RC],
    },
    operations: || operation::table(&SassOperation::ALL, "old"),
    constructs: || {
        let all =
            atomic::source_constructs(("atom{.global}", ""), &SassOperation::ALL, |_, _| true);
        let is_reduction = |operation: SassOperation, size: Size| {
            !matches!(operation, SassOperation::Exch | SassOperation::Cas)
                && !operation.becomes_red(size)
        };
        let ptx = ("red{.global}", " (Rd is RZ)");
        let reductions = atomic::source_constructs(ptx, &SassOperation::ALL, is_reduction);
        [all, reductions].concat()
    },
    pseudo_code: &[
        "for each lane of the warp:",
        "  if it is active and its guard is true:",
        "    address = Ra + offset (.E: 64 bits in Ra, Ra+1)",
        "    if a check fails: fault, nothing changes",
        "    sparse, and not resident: Ps = true, Rd = 0, next lane",
        "    M = memory[address]",
        "    memory[address] = op(M, Rb, Rc)",
        "    Rd = M (sparse: Ps = false)",
    ],
    facts: &[
        Fact {
            mark: Provenance::Assumed,
            text: "SAFEADD is only publicly described as incrementing the put pointer of a circular queue. It runs as a 64-bit INC, M >= Rb ? 0 : M + 1, where Rb is the last index.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "MIN and MAX of U64 and S64, and AND, OR and XOR of U64, exist since SPA 3.5.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "The real tool accepts ADD, MIN and MAX of F16x2 and the sparse forms from SM52, and ADD of F64.RN from SM60.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "INC counts up to Rb and wraps to 0; DEC counts down to 0 and wraps to Rb. Both are unsigned.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Lanes that access the same cell are serialized in an undefined order.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Helper pixels, killed lanes and lanes without raster coverage are inactive.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Memory is little-endian. A 64-bit value occupies an even register and the next.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "The even register of a pair contains the low word.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "Without .E, the address is Ra + offset modulo 2^32; with .E, it is the pair Ra, Ra+1 plus the offset.",
        },
        Fact {
            mark: Provenance::Documented,
            text: "An access faults if the cell is in the window of local or shared memory, is not aligned to its size, exceeds 40 address bits, or is not mapped.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "Each window has 16 MB and is aligned to 16 MB in the low 4 GB.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "Addresses are checked in this order: window, alignment, range. A faulting instruction changes neither memory nor any lane's registers.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "F32.FTZ.RN flushes subnormal operands and results to zeros of the same sign, rounds to nearest even, and returns 0x7fffffff for every NaN (CUDA programming guide).",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "F32.FTZ.RN returns the old value without flushing it; inf - inf gives the same NaN.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "F16x2 is atomic for each half, not for the pair (PTX); the low half is bits 15 to 0. Lanewise executes both halves in one step.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "F16x2: a NaN result is 0x7fff; in MIN and MAX, a number beats a NaN and -0 is less than +0; chips that spell it with FTZ flush subnormals, including in MIN and MAX.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "F64.RN preserves subnormals; the NaN that it returns is unknown.",
        },
        Fact {
            mark: Provenance::Assumed,
            text: "Sparse forms: if the page is not resident, Ps is set to true, memory is unchanged and Rd is 0; otherwise Ps is set to false. Writing PT has no effect.",
        },
        Fact {
            mark: Provenance::Observed,
            text: "Scheduling (&req, &rd, &wr, ?stall) affects timing only, so runs ignore it.",
        },
    ],
    contradictions: &[
        &contradictions::LATER_FORMS,
        &contradictions::FLUSHED_HALVES,
        &contradictions::WIDE_OFFSET,
        &contradictions::OMITTED_RC,
    ],
    examples: &EXAMPLES,
};

/// Ps, in sparse forms.
const PS: Operand = Operand {
    part: SyntaxPart::Status,
    name: "Ps",
    role: "Ps",
    form: Form::Predicate,
    elements: Elements::None,
    optional: true,
    what: "in sparse forms: whether the cell is not resident",
    ..RD
};

const RD: Operand = Operand {
    part: SyntaxPart::Dst,
    name: "Rd",
    role: "Rd",
    direction: Direction::Out,
    what: "value returned to each lane",
    ..RB
};

/// Rc, for CAS.
const RC: Operand = Operand {
    part: SyntaxPart::Src1,
    name: "Rc",
    role: "Rc",
    optional: true,
    what: "for CAS: value stored if the cell equals Rb",
    ..RB
};

/// The suffixes of `ATOM`.
static SUFFIXES: SuffixSyntax = SuffixSyntax {
    name: SPEC.name,
    operations: &SassOperation::ALL,
    sizes: SizeNames::Documented,
    wide_offsets: true,
};

static RULES: AtomicRules = AtomicRules {
    operation_size: &rules::OPERATION_SIZE,
    size_128: &rules::SIZE_128,
    register_pair: &rules::REGISTER_PAIR,
    address_pair: &rules::ADDRESS_PAIR,
};

/// An ATOM instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Guard, operation, size, address and Rb.
    pub atomic: SassAtomic,
    /// Ps, for the sparse form, which reports whether memory is resident.
    pub sparse: Option<PredicateRegister>,
    pub dst: Register,
    /// The encoding of Rb and Rc for CAS.
    pub pair: CasPair,
}

impl Atom {
    /// Rb and Rc; `None` if the pair exceeds the last register.
    fn data_registers(&self) -> Option<(Register, Register)> {
        let atomic = &self.atomic;
        match atomic.operation {
            SassOperation::Cas => self.pair.registers(atomic.data, atomic.width()),
            _ => Some((atomic.data, Register::ZERO)),
        }
    }
}

impl Definition for Atom {
    const SPEC: &'static Spec = &SPEC;

    fn default_for_opcode(opcode: usize) -> Self {
        let (is_sparse, is_cas) = (opcode & 2 != 0, opcode & 1 != 0);
        let operation = match is_cas {
            true => SassOperation::Cas,
            false => SassOperation::Add,
        };
        Self {
            atomic: SassAtomic {
                operation,
                ..SassAtomic::DEFAULT
            },
            sparse: is_sparse.then_some(PredicateRegister::TRUE),
            dst: Register::ZERO,
            pair: CasPair::Both,
        }
    }

    fn parse(
        cursor: &mut Cursor<'_>,
        symbols: &SymbolTable,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        let chip = symbols.sass.chip;
        let (atomic, operands) = SassAtomic::parse(&SPEC, &SUFFIXES, chip, cursor, spans, out)?;
        let mut this = Self {
            atomic,
            sparse: operands.status,
            dst: operands.dst,
            pair: CasPair::Both,
        };
        if let Some(rc) = operands.rc {
            let (rb, width) = (operands.rb, atomic.width());
            let Some((pair, encoded)) = CasPair::of(rb, rc, width) else {
                let next = CasPair::Both.registers(rb, width);
                let next = next.map_or(Register::ZERO, |(_, rc)| rc).name();
                let span = spans.of(SyntaxPart::Src1);
                let what = format!("{} cannot be combined with {}", rc.name(), rb.name());
                let diagnostic = Diagnostic::new(&rules::CAS_PAIR, span, what);
                out.push(diagnostic.fix(format!("use {next} or RZ"), span, next));
                return Err(ParseError);
            };
            (this.pair, this.atomic.data) = (pair, encoded);
        }
        Ok(this)
    }

    fn print(&self, symbols: &SymbolTable, style: Style, sink: &mut impl Sink) {
        // Decoding rejects a pair without a second register.
        let data = self.atomic.data;
        let (rb, rc) = self.data_registers().unwrap_or((data, Register::ZERO));
        let operands = AtomicOperands {
            status: self.sparse,
            dst: self.dst,
            address: self.atomic.address,
            rb,
            rc: (self.atomic.operation == SassOperation::Cas).then_some(rc),
        };
        let chip = symbols.sass.chip;
        self.atomic.print(&SPEC, &operands, chip, style, sink);
    }

    fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        let atomic = &mut self.atomic;
        let is_cas = atomic.operation == SassOperation::Cas;
        v.field(SyntaxPart::Dst, "Rd", 8, &mut self.dst)?;
        v.field(SyntaxPart::Address, "Ra", 8, &mut atomic.address.base)?;
        atomic.layout_guard(v)?;
        v.field(SyntaxPart::Src0, "Rb", 8, &mut atomic.data)?;
        match &mut self.sparse {
            None => v.field(
                SyntaxPart::Address,
                "offset",
                OFFSET_BITS,
                &mut atomic.address.offset,
            )?,
            Some(ps) => {
                let mut inverted = Inverted(*ps);
                v.ignored("bits 40 to 28", 13)?;
                v.field(SyntaxPart::Status, "Ps", 3, &mut inverted)?;
                *ps = inverted.0;
                if is_cas {
                    v.ignored("bits 47 to 44", 4)?;
                } else {
                    v.field(SyntaxPart::Operation, "op", 4, &mut atomic.operation)?;
                }
            }
        }
        v.field(SyntaxPart::Address, ".E", 1, &mut atomic.extended)?;
        if is_cas {
            let mut wide = atomic.width() == Width::W64;
            v.field(SyntaxPart::Width, "64-bit", 1, &mut wide)?;
            atomic.size = if wide { Size::U64 } else { Size::U32 };
            v.field(SyntaxPart::Src1, "Rb, Rc", 2, &mut self.pair)?;
        } else {
            v.field(SyntaxPart::Width, "size", 3, &mut atomic.size)?;
        }
        let is_sparse = self.sparse.is_some();
        if !is_sparse && !is_cas {
            v.field(SyntaxPart::Operation, "op", 4, &mut atomic.operation)?;
        }
        let opcode = 2 * usize::from(is_sparse) + usize::from(is_cas);
        SPEC.opcodes[opcode].layout(v)
    }

    fn perform<R: Recorder>(
        &self,
        accesses: &[Access],
        _: ThreadSet,
        machine: &mut Machine,
        symbols: &SymbolTable,
        recorder: &mut R,
    ) {
        let update = self.atomic.update(symbols.sass.chip);
        let update = |width, old, access: &Access| update.apply(width, old, access);
        let width = self.atomic.width();
        let Some(ps) = self.sparse else {
            return rmw_exec::perform(width, accesses, machine, recorder, update);
        };
        for access in accesses {
            let one = core::slice::from_ref(access);
            rmw_exec::perform(width, one, machine, recorder, update);
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
        } else if self.sparse.is_some() && self.atomic.address.base.is_zero() {
            let what = String::from("the address of a sparse form is RZ");
            refuse(&rules::SPARSE_ADDRESS, 1..2, what);
        }
        if self.data_registers().is_none() {
            let first = self.atomic.data.name();
            let what = format!("bytes 2 and 3: Rc after {first} exceeds the last register");
            refuse(&rules::UNDECODABLE, 2..4, what);
        }
        self.atomic.check_size_code(SPEC.name, 6, check);
    }

    fn check(&self, check: &mut Check<'_>) {
        self.atomic.check_size(&RULES, check);
        self.check_form(check);
        self.check_registers(check);
    }

    fn check_run(&self, _: &IssueContext<'_>, check: &mut Check<'_>) {
        if self.atomic.operation == SassOperation::SafeAdd {
            let what = "the behavior of SAFEADD is a guess";
            check.report(&rules::SAFEADD, SyntaxPart::Operation, what);
        }
    }

    fn note(&self, symbols: &mut SymbolTable) {
        let warp = &mut symbols.sass;
        warp.note_predicate(self.sparse.unwrap_or(PredicateRegister::TRUE).0);
        let data = self.atomic.data;
        let (rb, rc) = self.data_registers().unwrap_or((data, data));
        self.atomic.note(&[self.dst, rb, rc], warp);
    }

    fn address_registers(&self, _: &SymbolTable) -> Vec<AddressRegister> {
        self.atomic.address_registers()
    }

    fn source_elements(&self, unit: Unit, _: &SymbolTable) -> Vec<SourceElement> {
        let operands = self.data_registers();
        let operands = operands.expect("text and encodings without Rc are rejected");
        self.atomic.source_elements(operands, unit)
    }

    fn evaluate(&self, context: &IssueContext<'_>, out: &mut Evaluation) -> Result<(), IssueFault> {
        let operands = self.data_registers();
        let issue = LaneOperands {
            dst: self.dst,
            operands: operands.expect("text and encodings without Rc are rejected"),
            sparse: self.sparse.map_or(&[], |_| &context.symbols.sass.sparse),
        };
        self.atomic.issue(&issue, context, &mut out.accesses);
        Ok(())
    }

    fn adds(&self, access: &Access, symbols: &SymbolTable) -> Option<u64> {
        self.atomic.adds(access, symbols)
    }

    fn update(&self, symbols: &SymbolTable) -> Option<Update> {
        Some(self.atomic.update(symbols.sass.chip))
    }

    fn describe_effect(&self, effect: &Effect<'_>, _: &SymbolTable) -> String {
        trace_text::describe_effect(&self.atomic, Some(self.returned()), effect)
    }

    fn pseudocode_state(&self, effect: &Effect<'_>, _: &SymbolTable) -> PseudocodeState {
        let lines = PseudocodeLines {
            not_resident: 4,
            stores: 6,
        };
        trace_text::pseudocode_state(&self.atomic, &lines, effect)
    }

    fn lanes(&self) -> u8 {
        LANES
    }

    fn inactive_reason(&self, context: &IssueContext<'_>, unit: Unit) -> Option<&'static str> {
        atomic::inactive_reason(self.atomic.guard, context, unit.lane)
    }

    fn operation(&self) -> Option<u64> {
        Some(self.atomic.operation.code())
    }

    fn operands(&self) -> u8 {
        self.atomic.operation.operands()
    }

    fn contradiction_ids(&self, _: &SymbolTable) -> Vec<&'static str> {
        let mut found = Vec::new();
        let size = self.atomic.size;
        if self.sparse.is_some() || matches!(size, Size::F16x2 | Size::F64) {
            found.push(contradictions::id::LATER_FORMS);
        }
        if size == Size::F16x2 {
            found.push(contradictions::id::FLUSHED_HALVES);
        }
        if self.atomic.extended {
            found.push(contradictions::id::WIDE_OFFSET);
        }
        if self.atomic.operation != SassOperation::Cas {
            found.push(contradictions::id::OMITTED_RC);
        }
        found
    }

    fn display_type(&self, _: &SymbolTable) -> ElementType {
        self.atomic.size.display_type()
    }

    fn schedule(&self) -> Option<Schedule> {
        self.atomic.schedule
    }

    fn set_schedule(&mut self, schedule: Option<Schedule>) {
        self.atomic.schedule = schedule;
    }
}

impl Atom {
    /// Destinations of the old value and the status.
    const fn returned(&self) -> Returned {
        Returned {
            dst: self.dst,
            status: self.sparse,
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
        let address = self.atomic.address;
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

    /// Checks the register pairs of 64-bit values and of CAS.
    fn check_registers(&self, check: &mut Check<'_>) {
        let atomic = &self.atomic;
        atomic.check_address(&RULES, check);
        let is_cas = atomic.operation == SassOperation::Cas;
        let (rb, rc) = self
            .data_registers()
            .unwrap_or((atomic.data, Register::ZERO));
        atomic.check_pair(&RULES, (SyntaxPart::Dst, "Rd"), self.dst, check);
        if !is_cas {
            atomic.check_pair(&RULES, (SyntaxPart::Src0, "Rb"), rb, check);
        } else if rb.starts_pair() {
            atomic.check_pair(&RULES, (SyntaxPart::Src1, "Rc"), rc, check);
        }
        if !is_cas {
            return;
        }
        let step = if atomic.width() == Width::W64 { 4 } else { 2 };
        if rb.is_zero() {
            let help = "use the first register of the pair, such as R4";
            check.advise(
                &rules::CAS_PAIR,
                SyntaxPart::Src0,
                "Rb of CAS must not be RZ",
                help,
            );
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
        title: "A counter that wraps at its bound",
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
        title: "An absolute address with serialized lanes",
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
