//! The rules of a DPASW, and why one cannot run.

use super::{Matrix, Precision, Shape, Supply};
use crate::isa::schema::{Direction, Elements, Form, Null, Operand};
use crate::isa::visa::dpasw::Dpasw;
use crate::isa::visa::execution::Verifier;
use crate::isa::visa::operand::{RawOperand, VariableId};
use crate::isa::visa::platform::Platform;
use crate::isa::visa::raw::{self, Use};
use crate::isa::visa::vector::Modifier;
use crate::isa::{Check, IssueContext};
use crate::number::ElementType;
use crate::rules;
use crate::text::OperandKind;
use alloc::format;

use ElementType::{D, F, Ud};

/// What messages call the operands.
pub const DST: &str = "dst";
/// See [`DST`].
pub const SRC0: &str = "src0";
/// See [`DST`].
pub const SRC1: &str = "src1";
/// See [`DST`].
pub const SRC2: &str = "src2";

/// The operands in the order of the text.
pub const OPERANDS: [Operand; 4] = [
    Operand {
        part: OperandKind::Dst,
        name: DST,
        role: DST,
        direction: Direction::Out,
        form: Form::Raw,
        elements: Elements::BySuffix,
        null: Null::Never,
        optional: false,
        what: "D: one row of channels a register",
    },
    Operand {
        part: OperandKind::Src0,
        name: SRC0,
        role: SRC0,
        direction: Direction::In,
        form: Form::Raw,
        elements: Elements::BySuffix,
        null: Null::Optional,
        optional: false,
        what: "C: one row of channels a register; 0 for the null variable",
    },
    Operand {
        part: OperandKind::Src1,
        name: SRC1,
        role: SRC1,
        direction: Direction::In,
        form: Form::Raw,
        elements: Elements::BySuffix,
        null: Null::Never,
        optional: false,
        what: "B: one column a channel",
    },
    Operand {
        part: OperandKind::Src2,
        name: SRC2,
        role: SRC2,
        direction: Direction::In,
        form: Form::Rows,
        elements: Elements::BySuffix,
        null: Null::Never,
        optional: false,
        what: "A: its rows one after another",
    },
];

/// Reports which rules an instruction breaks.
pub fn check(this: &Dpasw, check: &mut Check<'_>) {
    check_platform(this, check);
    check_suffix(this, check);
    check_types(this, check);
    for (operand, usage) in this.uses() {
        raw::check(operand, usage, check);
    }
    check_src2(this, check);
    check_overlap(this, check);
}

fn check_platform(this: &Dpasw, check: &mut Check<'_>) {
    let platform = check.symbols.visa.platform();
    if !matches!(platform, Platform::Xehp | Platform::Dg2 | Platform::Mtl) {
        let what = format!("DPASW on {}", platform.name());
        check.advise(
            &rules::MATRIX_PLATFORM,
            OperandKind::Opcode,
            what,
            "write .target visa XEHP or DG2",
        );
        return;
    }
    let lanes = this.execution.size.lanes();
    if lanes != super::CHANNELS {
        let what = format!("execution size {lanes}");
        check.fix(
            &rules::MATRIX_EXEC_SIZE,
            OperandKind::ExecSize,
            what,
            "write 8",
            "8",
        );
    } else {
        this.execution.check(Verifier::Strict, check);
    }
}

fn check_suffix(this: &Dpasw, check: &mut Check<'_>) {
    let suffix = this.suffix;
    let (w, a) = (suffix.w, suffix.a);
    let pair = || format!("W {} with A {}", w.name(), a.name());
    if [w, a].contains(&Precision::Tf32) {
        check.report(&rules::LATER_PRECISION, OperandKind::Precision, pair());
    } else if w.bits() == 1 || a.bits() == 1 {
        check.report(&rules::ONE_BIT, OperandKind::Precision, pair());
    } else if super::Pair::new(w, a).is_none() {
        check.report(&rules::MIXED_PRECISIONS, OperandKind::Precision, pair());
    }
    if !matches!(suffix.sd, 1 | 2 | 4 | 8) {
        let what = format!("depth {}", suffix.sd);
        check.report(&rules::MATRIX_SUFFIX, OperandKind::Depth, what);
    } else if suffix.sd != 8 {
        let what = format!("depth {}", suffix.sd);
        check.fix(&rules::DEPTH, OperandKind::Depth, what, "write 8", "8");
    }
    if !(1..=8).contains(&suffix.rc) {
        let what = format!("repeat count {}", suffix.rc);
        check.report(&rules::MATRIX_SUFFIX, OperandKind::Repeat, what);
    }
    if let Some(shape) = this.shape()
        && !Supply::new(shape).shares()
    {
        let what = format!("{} and repeat count {} share nothing", pair(), suffix.rc);
        check.report(&rules::SHARES_NOTHING, OperandKind::Precision, what);
    }
}

/// Rules about the types of the operands, and which of them must be there.
fn check_types(this: &Dpasw, check: &mut Check<'_>) {
    for (part, role, null) in [
        (OperandKind::Dst, DST, this.dst.is_null()),
        (OperandKind::Src1, SRC1, this.src1.is_null()),
        (OperandKind::Src2, SRC2, this.src2.is_null()),
    ] {
        if null {
            let what = format!("{role} is the null variable");
            check.advise(&rules::MATRIX_NULL, part, what, "name a general variable");
        }
    }
    // What an operand must be, where the precisions leave no choice.
    let float = this.is_float();
    let ids = [
        (OperandKind::Dst, DST, this.dst.id),
        (OperandKind::Src0, SRC0, this.src0.id),
        (OperandKind::Src1, SRC1, this.src1.id),
        (OperandKind::Src2, SRC2, this.src2.id),
    ];
    let mut accumulated = None;
    for (part, role, id) in ids {
        // The real tool's verifier passes predefined variables unchecked.
        let variable = check.symbols.visa.general(id.0).filter(|v| !v.predefined);
        let Some(variable) = variable else {
            continue;
        };
        let ty = variable.ty;
        let sum = matches!(part, OperandKind::Dst | OperandKind::Src0);
        let what = format!(
            "{role}: `{}` is {}",
            variable.name,
            ty.name().to_ascii_uppercase()
        );
        if !(matches!(ty, D | Ud) || ty == F && sum) {
            check.report(&rules::MATRIX_TYPE, part, what);
        } else if sum && float.is_some_and(|float| float != (ty == F)) {
            check.report(&rules::MATRIX_TYPE_TAKEN, part, what);
        } else if sum && accumulated.is_some_and(|other| other != ty) {
            check.report(&rules::SRC0_TYPE, part, what);
        } else if sum {
            accumulated = Some(ty);
        }
    }
}

fn check_src2(this: &Dpasw, check: &mut Check<'_>) {
    let (src2, part) = (this.src2, OperandKind::Src2);
    if src2.modifier != Modifier::NONE {
        let sign = src2.modifier.sign().unwrap_or("reserved");
        let what = format!("{SRC2} with the modifier ({sign})");
        check.advise(&rules::MATRIX_MODIFIER, part, what, "leave it out");
    }
    let symbols = &check.symbols.visa;
    let variable = symbols.general(src2.id.0).filter(|_| !src2.is_null());
    let (Some(variable), Some(byte)) = (variable, src2.byte(symbols)) else {
        return;
    };
    let (name, size, grf) = (variable.name, variable.bytes(), symbols.grf_bytes());
    let within = symbols.root(variable);
    let within = variable.offset - within.offset + byte;
    let column = u32::from(src2.column) * u32::from(variable.ty.bytes());
    if column >= grf {
        let what = format!("{SRC2}: column {} of `{name}`", src2.column);
        check.report(&rules::COLUMN, part, what);
    }
    let Some(shape) = this.shape() else {
        return;
    };
    let aligned = u32::from(shape.row_bytes()).max(4);
    if !within.is_multiple_of(aligned) {
        let what = format!("{SRC2}: byte {within} of `{name}` is no multiple of {aligned}");
        check.report(&rules::SRC2_ALIGN, part, what);
    }
    let wanted = this.supplied(shape);
    if byte + wanted > size {
        let what = format!(
            "{SRC2}: {wanted} bytes from byte {byte} do not fit the {size} bytes of `{name}`"
        );
        check.report(&rules::PAST_END, part, what);
    }
}

/// Whether Dst lies upon a source that is read after a row is written.
fn check_overlap(this: &Dpasw, check: &mut Check<'_>) {
    let symbols = &check.symbols.visa;
    let Some(shape) = this.shape() else {
        return;
    };
    // The variable that has the bytes, and the first of them.
    let place = |id: VariableId, byte: Option<u64>| {
        let variable = symbols.general(id.0).filter(|_| id.0 != 0)?;
        Some((symbols.root(variable).offset, byte?))
    };
    let raw = |operand: RawOperand| place(operand.id, operand.element_offset(symbols, 0, 1));
    let dst = raw(this.dst);
    let [(_, rows), _, (_, src1)] = this.uses();
    let src2 = place(this.src2.id, this.src2.register_byte(symbols));
    let sources = [
        (
            SRC0,
            raw(this.src0).filter(|_| raw(this.src0) != dst),
            rows.bytes,
        ),
        (SRC1, raw(this.src1), src1.bytes),
        (SRC2, src2, this.supplied(shape)),
    ];
    let found = sources.into_iter().find(|(_, source, bytes)| {
        dst.zip(*source)
            .is_some_and(|((root, dst), (other, source))| {
                root == other
                    && source < dst + u64::from(rows.bytes)
                    && dst < source + u64::from(*bytes)
            })
    });
    if let Some((role, ..)) = found {
        let what = format!("dst lies upon {role}");
        check.report(&rules::MATRIX_OVERLAP, OperandKind::Dst, what);
    }
}

/// Reports why an instruction cannot run, if it cannot.
pub fn check_run(this: &Dpasw, stage: &IssueContext<'_>, check: &mut Check<'_>) {
    if stage.threads < 2 {
        check.advise(
            &rules::RUN_THREADS,
            OperandKind::Opcode,
            "it cannot run on one EU",
            "write .threads 2, or leave .threads out",
        );
    }
    this.execution.check_run(check);
    let Some(shape) = this.shape() else {
        let what = format!(
            "it cannot run with W {} and A {}",
            this.suffix.w.name(),
            this.suffix.a.name()
        );
        check.report(&rules::RUN_PRECISION, OperandKind::Precision, what);
        return;
    };
    for (operand, usage) in this.uses() {
        if operand.is_null() || !raw::check_run(operand, usage, 4, check) {
            continue;
        }
        let variable = check.symbols.visa.general(operand.id.0);
        if let Some(variable) = variable
            && usage.part != OperandKind::Src1
            && !variable.predefined
            && (variable.ty == F) != shape.pair().is_float()
        {
            let ty = variable.ty.name().to_ascii_uppercase();
            let what = format!("it cannot run: {} is {ty}", usage.role);
            check.report(&rules::RUN_TYPE, usage.part, what);
        }
    }
    // As if it were a raw operand from its first byte on.
    let symbols = &check.symbols.visa;
    let byte = this.src2.byte(symbols).and_then(|b| u16::try_from(b).ok());
    let operand = RawOperand {
        id: this.src2.id,
        offset: byte.unwrap_or(u16::MAX),
    };
    let usage = Use {
        part: OperandKind::Src2,
        role: SRC2,
        bytes: this.supplied(shape),
    };
    if !operand.is_null() {
        raw::check_run(operand, usage, 4, check);
    }
}

impl Dpasw {
    /// Whether sums are floats; none where the precisions contradict.
    fn is_float(&self) -> Option<bool> {
        let (w, a) = (self.suffix.w.is_float(), self.suffix.a.is_float());
        (w == a).then_some(w)
    }

    /// The most bytes of Src2 that an EU supplies.
    fn supplied(&self, shape: Shape) -> u32 {
        let supply = Supply::new(shape);
        let [first, _] = supply.counts();
        u32::from(supply.bytes()).min(u32::from(first) * 32)
    }

    /// The raw operands and what is used of them.
    pub(super) fn uses(&self) -> [(RawOperand, Use); 3] {
        let rows = u32::from(self.suffix.rc.min(8)) * 32;
        let registers = self.shape().map_or(0, Shape::src1_registers);
        let usage = |part, role, bytes| Use { part, role, bytes };
        [
            (self.dst, usage(OperandKind::Dst, DST, rows)),
            (self.src0, usage(OperandKind::Src0, SRC0, rows)),
            (
                self.src1,
                usage(OperandKind::Src1, SRC1, u32::from(registers) * 32),
            ),
        ]
    }
}
