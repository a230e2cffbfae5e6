//! Rules of memory messages other than LSC.

use crate::isa::Check;
use crate::isa::visa::op::constraints::{MessageConstraints, SurfaceRule};
use crate::isa::visa::op::memory::{HEIGHT_PART, WIDTH_PART};
use crate::isa::visa::op::{Argument, VisaInstruction};
use crate::isa::visa::platform::LocalBlocks;
use crate::isa::visa::raw_operand;
use crate::isa::visa::vector::Modifier;
use crate::rules;
use crate::text::SyntaxPart;
use SyntaxPart::{Address, Coordinate, ExecSize, Src0, Src1};
use alloc::format;

impl VisaInstruction {
    pub(super) fn check_message(&self, row: &MessageConstraints, check: &mut Check<'_>) {
        for (part, types) in row.types {
            self.expect_type(*part, types, &rules::TYPE_TAKEN, check);
        }
        let lanes = self.execution.size.lanes();
        if !row.lanes.contains(&lanes) {
            let what = format!("undocumented execution size {lanes}");
            check.report(&rules::UNDOCUMENTED, ExecSize, what);
        }
        self.check_surface(row.surface, check);
        self.expect_scalar(Address, check);
        if self
            .vector(Address)
            .is_some_and(|v| v.modifier() != Modifier::NONE)
        {
            let what = "unexpected modifier on the address";
            check.report(&rules::SOURCE_MODIFIER_TAKEN, Address, what);
        }
        let u = self.raw(Coordinate(0));
        if u.is_some_and(raw_operand::RawOperand::is_null) {
            let what = "the coordinate is the null variable";
            check.report(&rules::UNDOCUMENTED, Coordinate(0), what);
        }
    }

    fn check_surface(&self, rule: SurfaceRule, check: &mut Check<'_>) {
        let Some(Argument::Surface(surface)) = self.argument(SyntaxPart::Surface) else {
            return;
        };
        let blocks = check.symbols.visa.features().local_blocks;
        let is_slm = surface.0 == 0;
        let rule = match rule {
            SurfaceRule::Declared if is_slm => &rules::MESSAGE_SURFACE,
            SurfaceRule::Declared | SurfaceRule::DeclaredAccepted if surface.0 < 6 => {
                &rules::MESSAGE_SURFACE_TAKEN
            }
            SurfaceRule::SlmLater if is_slm && blocks == LocalBlocks::Rejected => {
                &rules::MESSAGE_SURFACE
            }
            SurfaceRule::SlmLater if is_slm && blocks == LocalBlocks::Accepted => {
                &rules::MESSAGE_SURFACE_TAKEN
            }
            _ => return,
        };
        let what = super::unsupported(rule, self.mnemonic(), "this surface");
        check.report(rule, SyntaxPart::Surface, what);
    }

    pub(super) fn check_media_block(&self, check: &mut Check<'_>) {
        let (width, height) = (self.expect_code(WIDTH_PART), self.expect_code(HEIGHT_PART));
        let fits = (1..=64).contains(&width) && height >= 1 && width * height <= 256;
        if !fits {
            let what = format!("invalid block size: {width} bytes by {height} rows");
            check.report(&rules::BLOCK_LIMITS, WIDTH_PART, what);
        }
        let listed = [0, 2, 3];
        let modifier = self.code(SyntaxPart::Operation);
        if modifier.is_some_and(|code| !listed.contains(&code)) {
            let what = "undocumented combination of block modifier and operation";
            check.report(&rules::UNDOCUMENTED, SyntaxPart::Operation, what);
        }
    }

    pub(super) fn check_operands_of_operation(&self, check: &mut Check<'_>) {
        let operation = self.expect_code(SyntaxPart::Operation);
        let wanted = match operation {
            0x02 | 0x03 | 0x0d => 0,
            0x07 | 0x12 => 2,
            _ => 1,
        };
        self.check_presence([Src0, Src1], wanted, &rules::UNDOCUMENTED, check);
        if matches!(operation, 0x0b | 0x0c) {
            self.expect_type(Src0, &["d"], &rules::TYPE_TAKEN, check);
        }
        if operation >= 0x10 {
            let what = "undocumented float operation";
            check.report(&rules::UNDOCUMENTED, SyntaxPart::Operation, what);
        }
    }
}
