//! Rules of the matrix instructions, including those that prevent a run.

use super::text::MatrixSuffix;
use super::{MultiplyAdd, Precision, PrecisionPair, Shape};
use crate::isa::schema::{Direction, Form, Null, Operand};
use crate::isa::visa::execution::Verifier;
use crate::isa::visa::op::format::operand;
use crate::isa::visa::platform::Platform;
use crate::isa::visa::raw_operand::{self, Use};
use crate::isa::visa::raw_operand::{RawOperand, VariableId};
use crate::isa::visa::vector::Modifier;
use crate::isa::{Check, IssueContext, SymbolTable};
use crate::number::ElementType;
use crate::rules;
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use ElementType::{Bf, D, F, Hf, Ud, Uq, Uw, W};

/// Name of the operand in messages.
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
        direction: Direction::Out,
        ..raw(SyntaxPart::Dst, DST, "D: one row of channels per register")
    },
    Operand {
        null: Null::Optional,
        ..raw(
            SyntaxPart::Src0,
            SRC0,
            "C: one row of channels per register; 0 if null",
        )
    },
    raw(SyntaxPart::Src1, SRC1, "B: one column per channel"),
    Operand {
        form: Form::Rows,
        ..raw(SyntaxPart::Src2, SRC2, "A: contiguous rows")
    },
];

const fn raw(part: SyntaxPart, name: &'static str, what: &'static str) -> Operand {
    operand(part, name, Direction::In, Form::Raw, what)
}

/// Checks all rules that affect encoding.
pub fn check(this: &MultiplyAdd, check: &mut Check<'_>) {
    check.variables = [this.dst.id, this.src0.id, this.src1.id, this.src2.id]
        .map(|id| id.0)
        .to_vec();
    check_platform(this, check);
    check_suffix(this, check);
    check_types(this, check);
    for (operand, usage) in this.uses(check.symbols) {
        raw_operand::check(operand, usage, check);
    }
    check_src2(this, check);
    check_overlap(this, check);
}

fn check_platform(this: &MultiplyAdd, check: &mut Check<'_>) {
    let (variant, platform) = (this.variant, check.symbols.visa.platform());
    let Some(size) = variant.exec_size(platform) else {
        let (name, on) = (variant.spec.name, platform.name());
        let what = match platform.features().matrix_lanes {
            Some(_) => format!("{on} has no fused EUs, so no {name}"),
            None => format!("{name} is not supported on {on}"),
        };
        let help = Platform::advice(|p| variant.exec_size(p).is_some());
        check.advise(variant.platform_rule, SyntaxPart::Opcode, what, help);
        return;
    };
    let lanes = this.execution.size.lanes();
    if lanes != size {
        let what = format!("invalid execution size {lanes} on {}", platform.name());
        check.fix(
            variant.exec_size_rule,
            SyntaxPart::ExecSize,
            what,
            format!("use {size}"),
            &size.to_string(),
        );
    } else {
        this.execution.check(Verifier::Strict, check);
    }
}

fn check_suffix(this: &MultiplyAdd, check: &mut Check<'_>) {
    let suffix = this.suffix;
    let (w, a) = (suffix.w, suffix.a);
    let pair = || format!("precisions {} and {}", w.name(), a.name());
    let platform = check.symbols.visa.platform();
    let is_later = |p: Precision| p.is_float() && !Precision::BEFORE_TF32.contains(&p);
    let is_missing = |p: &Precision| !p.is_on(platform.features());
    if [w, a].into_iter().any(is_later) {
        if ![w, a]
            .iter()
            .all(|p| this.variant.precisions.contains(p) || !is_later(*p))
        {
            let known = this.variant.precisions.iter().map(|p| p.name());
            let help = format!("use {}", known.collect::<Vec<_>>().join(", "));
            check.advise(this.variant.later_rule, SyntaxPart::Precision, pair(), help);
        } else if PrecisionPair::new(w, a).is_none() {
            check.report(&rules::LATER_MIXED, SyntaxPart::Precision, pair());
        } else if let Some(missing) = [w, a].into_iter().find(is_missing) {
            let rule = match missing {
                Precision::Tf32 => &rules::TF32_EARLY,
                _ => &rules::PRECISION_PLATFORM,
            };
            let help = Platform::advice(|p| missing.is_on(p.features()));
            check.advise(rule, SyntaxPart::Precision, pair(), help);
        }
    } else if w.bits() == 1 || a.bits() == 1 {
        check.report(&rules::ONE_BIT, SyntaxPart::Precision, pair());
    } else if PrecisionPair::new(w, a).is_none() {
        check.report(&rules::MIXED_PRECISIONS, SyntaxPart::Precision, pair());
    }
    if !matches!(suffix.sd, 1 | 2 | 4 | 8) {
        let what = format!("invalid depth {}", suffix.sd);
        check.report(&rules::MATRIX_SUFFIX, SyntaxPart::Depth, what);
    } else if suffix.sd != 8 {
        let what = format!("unsupported depth {}", suffix.sd);
        check.fix(&rules::DEPTH, SyntaxPart::Depth, what, "use 8", "8");
    }
    if !(1..=8).contains(&suffix.rc) {
        let what = format!("invalid repeat count {}", suffix.rc);
        check.report(&rules::MATRIX_SUFFIX, SyntaxPart::Repeat, what);
    }
    if this.supply().is_some_and(|supply| !supply.shares()) {
        let what = format!(
            "{} with repeat count {} share no Src2 data",
            pair(),
            suffix.rc
        );
        check.report(&rules::SHARES_NOTHING, SyntaxPart::Precision, what);
    }
}

/// Checks presence and types of the operands.
fn check_types(this: &MultiplyAdd, check: &mut Check<'_>) {
    for (part, role, null) in [
        (SyntaxPart::Dst, DST, this.dst.is_null()),
        (SyntaxPart::Src1, SRC1, this.src1.is_null()),
        (SyntaxPart::Src2, SRC2, this.src2.is_null()),
    ] {
        if null {
            let what = format!("{role} must not be the null variable");
            check.advise(&rules::MATRIX_NULL, part, what, "use a general variable");
        }
    }
    let platform = check.symbols.visa.platform();
    let ids = [
        (SyntaxPart::Dst, DST, this.dst.id),
        (SyntaxPart::Src0, SRC0, this.src0.id),
        (SyntaxPart::Src1, SRC1, this.src1.id),
        (SyntaxPart::Src2, SRC2, this.src2.id),
    ];
    let mut accumulated = None;
    for (part, role, id) in ids {
        let variable = check.symbols.visa.general(id.0).filter(|_| id.0 != 0);
        let Some(variable) = variable else {
            continue;
        };
        // The real tool's verifier checks predefined variables only as src2, and
        // treats the stack pointers as UQ.
        let ty = match variable.name {
            "%sp" | "%fp" if variable.predefined => Uq,
            _ => variable.ty,
        };
        if variable.predefined && part != SyntaxPart::Src2 {
            continue;
        }
        let sum = matches!(part, SyntaxPart::Dst | SyntaxPart::Src0);
        let what = format!(
            "{role}: `{}` has type {}",
            variable.name,
            ty.name().to_ascii_uppercase()
        );
        if !sum {
            if !matches!(ty, D | Ud) {
                check.retype(this.variant.type_rule, part, what, id.0, Ud);
            }
        } else if !this.is_documented_sum(ty) {
            let rule = match this.tool_takes_sum(ty, platform) {
                true => this.variant.type_taken_rule,
                false => this.variant.type_rule,
            };
            // Sums of floats, or of integers.
            let wanted = if this.is_documented_sum(F) { F } else { D };
            check.retype(rule, part, what, id.0, wanted);
        } else if matches!(ty, Bf | Hf) && !this.tool_takes_sum(ty, platform) {
            check.report(&rules::NARROW_SUMS, part, what);
        } else if let Some(other) = accumulated.filter(|other| *other != ty)
            && this.variant.shares_src2
        {
            check.retype(&rules::SRC0_TYPE, part, what, id.0, other);
        } else {
            accumulated = Some(ty);
        }
    }
}

fn check_src2(this: &MultiplyAdd, check: &mut Check<'_>) {
    let (src2, part) = (this.src2, SyntaxPart::Src2);
    if src2.modifier != Modifier::NONE {
        let sign = src2.modifier.spelling().unwrap_or("reserved");
        let what = format!("{SRC2} has modifier ({sign})");
        check.advise(&rules::MATRIX_MODIFIER, part, what, "remove it");
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
        let what = format!(
            "{SRC2}: column {} of `{name}` crosses a register boundary",
            src2.column
        );
        check.report(&rules::COLUMN, part, what);
    }
    let shape = this.shape();
    let aligned = shape.map_or(4, |shape| u32::from(shape.row_bytes()).max(4));
    if !within.is_multiple_of(aligned) {
        let what = format!("{SRC2}: byte {within} of `{name}` is not a multiple of {aligned}");
        check.report(&rules::SRC2_ALIGN, part, what);
    }
    // An illegal pair of precisions has no shape; at least a dword is read.
    let wanted = shape.map_or(4, |shape| u32::from(this.supplied_bytes(shape)));
    let usage = usage(part, SRC2, wanted);
    if raw_operand::crashes_tool(check, variable, byte, usage) {
        let what = format!("{SRC2}: byte {byte} of `{name}` is far past its end");
        check.report(&rules::FAR_OFFSET, part, what);
    } else if byte + wanted > size {
        let what =
            format!("{SRC2}: {wanted} bytes at byte {byte} exceed the {size} bytes of `{name}`");
        check.report(&rules::PAST_END, part, what);
    }
}

/// Notes that dst overlaps a source that is read after a row is written.
fn check_overlap(this: &MultiplyAdd, check: &mut Check<'_>) {
    let symbols = &check.symbols.visa;
    let Some(shape) = this.shape() else {
        return;
    };
    // The underlying variable and the first byte.
    let place = |id: VariableId, byte: Option<u64>| {
        let variable = symbols.general(id.0).filter(|_| id.0 != 0)?;
        Some((symbols.root(variable).offset, byte?))
    };
    let raw = |operand: RawOperand| place(operand.id, operand.element_offset(symbols, 0, 1));
    let dst = raw(this.dst);
    let [(_, rows), (_, src0), (_, src1)] = this.uses(check.symbols);
    // With the same layout, each row of Src0 is read before its row of Dst is
    // written.
    let alike = raw(this.src0) == dst && src0.bytes == rows.bytes;
    let src2 = place(this.src2.id, this.src2.register_byte(symbols));
    let sources = [
        (SRC0, raw(this.src0).filter(|_| !alike), src0.bytes),
        (SRC1, raw(this.src1), src1.bytes),
        (SRC2, src2, u32::from(this.supplied_bytes(shape))),
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
        let what = format!("dst overlaps {role}");
        check.report(&rules::MATRIX_OVERLAP, SyntaxPart::Dst, what);
    }
}

/// Checks the rules that affect execution.
pub fn check_run(this: &MultiplyAdd, stage: &IssueContext<'_>, check: &mut Check<'_>) {
    if this.variant.shares_src2 && !stage.threads.count().is_multiple_of(2) {
        let what = "cannot run with an odd number of threads";
        let help = "use .threads 2 or, in a launch, a work-group whose threads form pairs";
        check.advise(&rules::RUN_THREADS, SyntaxPart::Opcode, what, help);
    }
    this.execution.check_run(check);
    let suffix = this.suffix;
    let (w, a) = (suffix.w, suffix.a);
    let runs = |p: &Precision| this.variant.precisions.contains(p);
    if PrecisionPair::new(w, a).is_none() || ![w, a].iter().all(runs) {
        let what = format!("cannot run with precisions {} and {}", w.name(), a.name());
        check.report(&rules::RUN_PRECISION, SyntaxPart::Precision, what);
        return;
    }
    // An invalid size, depth or repeat count has already been reported.
    let Some(shape) = this.shape() else {
        return;
    };
    let types = this.types(check.symbols);
    for (operand, usage) in this.uses(check.symbols) {
        let element = match usage.part {
            SyntaxPart::Dst => types.dst.bytes(),
            SyntaxPart::Src0 => types.src0.bytes(),
            _ => 4,
        };
        if operand.is_null() || !raw_operand::check_run(operand, usage, element, check) {
            continue;
        }
        let variable = check.symbols.visa.general(operand.id.0);
        if let Some(variable) = variable
            && usage.part != SyntaxPart::Src1
            && !variable.predefined
            && !this.is_documented_sum(variable.ty)
        {
            let ty = variable.ty.name().to_ascii_uppercase();
            let what = format!("cannot run: {} has type {ty}", usage.role);
            check.report(&rules::RUN_TYPE, usage.part, what);
        }
    }
    // Check it like a raw operand starting at its first byte.
    let symbols = &check.symbols.visa;
    let byte = this.src2.byte(symbols).and_then(|b| u16::try_from(b).ok());
    let operand = RawOperand {
        id: this.src2.id,
        offset: byte.unwrap_or(u16::MAX),
    };
    let usage = usage(SyntaxPart::Src2, SRC2, this.supplied_bytes(shape).into());
    if !operand.is_null() {
        raw_operand::check_run(operand, usage, 4, check);
    }
}

const fn usage(part: SyntaxPart, role: &'static str, bytes: u32) -> Use {
    Use {
        part,
        role,
        bytes,
        matrix: true,
    }
}

impl MultiplyAdd {
    /// Whether the document allows Dst and Src0 of a type with the precisions; for an
    /// illegal pair, with either of them.
    fn is_documented_sum(&self, ty: ElementType) -> bool {
        let MatrixSuffix { w, a, .. } = self.suffix;
        let own = |p: Precision| match p {
            Precision::Hf => Some(Hf),
            _ if p == Precision::Bf || p.is_narrow_float() => Some(Bf),
            _ => None,
        };
        match (w.is_float(), a.is_float()) {
            (false, false) => matches!(ty, D | Ud),
            (true, true) => {
                let narrow = self.variant.narrow_sums && [w, a].map(own).contains(&Some(ty));
                ty == F || narrow
            }
            _ => matches!(ty, D | Ud | F),
        }
    }

    /// Whether the real tool accepts Dst and Src0 of a type, regardless of the
    /// precisions.
    fn tool_takes_sum(&self, ty: ElementType, platform: Platform) -> bool {
        let narrow = self.variant.narrow_sums && platform.features().narrow_sums;
        matches!(ty, D | Ud | F) || narrow && matches!(ty, Bf | Hf | W | Uw)
    }

    /// The raw operands with their uses.
    pub(super) fn uses(&self, symbols: &SymbolTable) -> [(RawOperand, Use); 3] {
        let types = self.types(symbols);
        let size = self.variant.exec_size(symbols.visa.platform());
        let channels = u32::from(size.unwrap_or(8));
        let row = |ty: ElementType| channels * u32::from(ty.bytes());
        let rows = u32::from(self.suffix.rc.min(8));
        // An illegal pair of precisions has no shape; at least a register is read.
        let registers = self.shape().map_or(1, Shape::src1_registers);
        [
            (self.dst, usage(SyntaxPart::Dst, DST, rows * row(types.dst))),
            (
                self.src0,
                usage(SyntaxPart::Src0, SRC0, rows * row(types.src0)),
            ),
            (
                self.src1,
                usage(
                    SyntaxPart::Src1,
                    SRC1,
                    u32::from(registers) * row(types.sum),
                ),
            ),
        ]
    }
}
