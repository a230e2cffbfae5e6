//! Rules of memory messages other than LSC.

use crate::isa::Check;
use crate::isa::visa::op::memory::{HEIGHT_PART, WIDTH_PART};
use crate::isa::visa::op::{Argument, VisaInstruction};
use crate::isa::visa::platform::Platform;
use crate::isa::visa::raw_operand::{self, Use};
use crate::isa::visa::vector::Modifier;
use crate::rules;
use crate::text::SyntaxPart;
use SyntaxPart::{Address, Coordinate, Dst, ExecSize, Offsets, Src0, Src1};
use alloc::format;

/// Documented properties of a family of messages.
struct MessageRow {
    mnemonics: &'static [&'static str],
    /// Documented types of operands.
    types: &'static [(SyntaxPart, &'static [&'static str])],
    /// Documented execution sizes.
    lanes: &'static [u8],
    surface: SurfaceRule,
}

/// Surfaces that a message supports.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SurfaceRule {
    Any,
    /// No predefined surfaces. The real tool rejects shared local memory and accepts the
    /// others.
    Declared,
    /// No predefined surfaces. The real tool accepts all.
    DeclaredTaken,
    /// Shared local memory on later platforms only.
    SlmLater,
}

const UD: &[&str] = &["ud"];
const UQ: &[&str] = &["uq"];
const DWORDS: &[&str] = &["ud", "d", "f"];
const SVM_DATA: &[&str] = &["ud", "d", "f", "uq", "q", "df", "ub", "b"];
const QWORDS: &[&str] = &["uq", "q", "df"];
const ANY_LANES: &[u8] = &[1, 2, 4, 8, 16, 32];

const ROWS: &[MessageRow] = &[
    MessageRow {
        mnemonics: &["oword_ld", "oword_st", "oword_ld_unaligned"],
        types: &[(Address, UD)],
        lanes: ANY_LANES,
        surface: SurfaceRule::SlmLater,
    },
    MessageRow {
        mnemonics: &["media_ld", "media_st"],
        types: &[(Coordinate(3), UD), (Coordinate(4), UD)],
        lanes: ANY_LANES,
        surface: SurfaceRule::Declared,
    },
    MessageRow {
        mnemonics: &["gather", "scatter"],
        types: &[(Address, UD), (Offsets, UD)],
        lanes: ANY_LANES,
        surface: SurfaceRule::Any,
    },
    MessageRow {
        mnemonics: &["gather4_typed", "scatter4_typed"],
        types: &[(Coordinate(0), UD)],
        lanes: &[8],
        surface: SurfaceRule::Declared,
    },
    MessageRow {
        mnemonics: &["gather_scaled", "scatter_scaled"],
        types: &[(Address, UD), (Offsets, UD)],
        lanes: &[1, 8, 16],
        surface: SurfaceRule::Any,
    },
    MessageRow {
        mnemonics: &["gather4_scaled", "scatter4_scaled"],
        types: &[(Address, UD), (Offsets, UD), (Dst, DWORDS), (Src0, DWORDS)],
        lanes: &[8, 16],
        surface: SurfaceRule::Any,
    },
    MessageRow {
        mnemonics: &["qw_gather", "qw_scatter"],
        types: &[(Offsets, UD), (Dst, QWORDS), (Src0, QWORDS)],
        lanes: ANY_LANES,
        surface: SurfaceRule::Any,
    },
    MessageRow {
        mnemonics: &["svm_block_ld", "svm_block_st"],
        types: &[(Address, UQ)],
        lanes: &[1, 2, 4, 8],
        surface: SurfaceRule::Any,
    },
    MessageRow {
        mnemonics: &["svm_gather", "svm_scatter"],
        types: &[(Address, UQ), (Dst, SVM_DATA), (Src0, SVM_DATA)],
        lanes: &[1, 2, 4, 8, 16],
        surface: SurfaceRule::Any,
    },
    MessageRow {
        mnemonics: &["typed_atomic"],
        types: &[(Coordinate(0), UD)],
        lanes: &[8],
        surface: SurfaceRule::DeclaredTaken,
    },
];

impl VisaInstruction {
    pub(super) fn check_message(&self, check: &mut Check<'_>) {
        let mut rows = ROWS.iter();
        let Some(row) = rows.find(|row| row.mnemonics.contains(&self.mnemonic())) else {
            return;
        };
        for (part, types) in row.types {
            self.expect_type(*part, types, &rules::TYPE_TAKEN, check);
        }
        let lanes = self.execution.size.lanes();
        if !row.lanes.contains(&lanes) {
            check.report(
                &rules::UNDOCUMENTED,
                ExecSize,
                format!("undocumented execution size {lanes}"),
            );
        }
        self.check_surface(row.surface, check);
        self.expect_scalar(Address, check);
        if self
            .vector(Address)
            .is_some_and(|v| v.modifier() != Modifier::NONE)
        {
            check.report(
                &rules::SOURCE_MODIFIER_TAKEN,
                Address,
                "unexpected modifier on the address",
            );
        }
        match self.mnemonic() {
            "oword_ld" | "oword_st" | "oword_ld_unaligned" => {
                for part in [Dst, Src0] {
                    if let Some(raw) = self.raw(part) {
                        let usage = Use {
                            part,
                            role: "the operand",
                            bytes: 16 * u32::from(lanes),
                            matrix: false,
                        };
                        raw_operand::check(raw, usage, check);
                    }
                }
            }
            "media_ld" | "media_st" => self.check_block(check),
            "gather" | "scatter" => {
                for part in [Dst, Src0] {
                    self.expect_type(part, DWORDS, &rules::TYPE, check);
                }
                if ![1, 8, 16].contains(&lanes) {
                    let what = format!("unsupported execution size {lanes}");
                    check.report(&rules::MESSAGE_LANES, ExecSize, what);
                }
            }
            "gather_scaled" | "scatter_scaled" | "qw_gather" | "qw_scatter"
                if self.code(SyntaxPart::Repeat) == Some(3) =>
            {
                check.report(
                    &rules::UNDOCUMENTED,
                    SyntaxPart::Repeat,
                    "undocumented block count 8",
                );
            }
            "typed_atomic" => self.check_typed_atomic(check),
            _ => {}
        }
        let u = self.raw(Coordinate(0));
        if u.is_some_and(raw_operand::RawOperand::is_null) {
            check.report(
                &rules::UNDOCUMENTED,
                Coordinate(0),
                "the coordinate is the null variable",
            );
        }
    }

    fn check_surface(&self, rule: SurfaceRule, check: &mut Check<'_>) {
        let Some(Argument::Surface(surface)) = self.argument(SyntaxPart::Surface) else {
            return;
        };
        let platform = check.symbols.visa.platform();
        let is_slm = surface.0 == 0;
        let rule = match rule {
            SurfaceRule::Declared if is_slm => &rules::MESSAGE_SURFACE,
            SurfaceRule::Declared | SurfaceRule::DeclaredTaken if surface.0 < 6 => {
                &rules::MESSAGE_SURFACE_TAKEN
            }
            SurfaceRule::SlmLater if is_slm && platform == Platform::Skl => &rules::MESSAGE_SURFACE,
            SurfaceRule::SlmLater if is_slm && platform <= Platform::Tgllp => {
                &rules::MESSAGE_SURFACE_TAKEN
            }
            _ => return,
        };
        let what = super::unsupported(rule, self.mnemonic(), "this surface");
        check.report(rule, SyntaxPart::Surface, what);
    }

    fn check_block(&self, check: &mut Check<'_>) {
        let size = |part| self.code(part).unwrap_or(0);
        let (width, height) = (size(WIDTH_PART), size(HEIGHT_PART));
        let fits = (1..=64).contains(&width) && height >= 1 && width * height <= 256;
        if !fits {
            let what = format!("invalid block size: {width} bytes by {height} rows");
            check.report(&rules::BLOCK_LIMITS, WIDTH_PART, what);
        }
        let listed = [0, 2, 3];
        let modifier = self.code(SyntaxPart::Operation);
        if modifier.is_some_and(|code| !listed.contains(&code)) {
            check.report(
                &rules::UNDOCUMENTED,
                SyntaxPart::Operation,
                "undocumented combination of block modifier and operation",
            );
        }
    }

    fn check_typed_atomic(&self, check: &mut Check<'_>) {
        let operation = self.code(SyntaxPart::Operation).unwrap_or(0);
        let wanted = match operation {
            0x02 | 0x03 | 0x0d => 0,
            0x07 | 0x12 => 2,
            _ => 1,
        };
        for (number, part) in [(1, Src0), (2, Src1)] {
            let is_there = self.raw(part).is_some_and(|raw| !raw.is_null());
            if is_there != (wanted >= number) {
                let what = match is_there {
                    true => "unexpected operand for this operation",
                    false => "missing operand of this operation",
                };
                check.report(&rules::UNDOCUMENTED, part, what);
            }
        }
        if matches!(operation, 0x0b | 0x0c) {
            self.expect_type(Src0, &["d"], &rules::TYPE_TAKEN, check);
        }
        if operation >= 0x10 {
            let what = "undocumented float operation";
            check.report(&rules::UNDOCUMENTED, SyntaxPart::Operation, what);
        }
    }
}
