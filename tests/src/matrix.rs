//! Generators of DPASW: any fields, printable ones, and programs whose
//! operands lie upon each other.

use crate::generate::any_operand;
use lanewise_core::bits::BitField;
use lanewise_core::isa::Instruction;
use lanewise_core::isa::visa::matrix::text::Suffix;
use lanewise_core::isa::visa::matrix::{Precision, Shape};
use lanewise_core::isa::visa::dpasw::Dpasw;
use lanewise_core::isa::visa::execution::{ExecSize, Execution, MaskControl, Predicate};
use lanewise_core::isa::visa::operand::{RawOperand, VariableId};
use lanewise_core::isa::visa::vector::{DirectOperand, Modifier, Region, Stride};
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt::Write as _;

fn code<C: BitField>(bits: u64) -> C {
    C::from_bits(bits).expect("a code in range")
}

fn precisions() -> impl Strategy<Value = Precision> {
    select(vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12]).prop_map(code::<Precision>)
}

fn any_src2() -> impl Strategy<Value = DirectOperand> {
    (
        prop_oneof![5 => Just(0), 1 => 0..8_u64],
        prop_oneof![0..21_u32, 32..38_u32],
        any::<u8>(),
        any::<u8>(),
        prop_oneof![3 => Just([2, 2, 1]), 1 => [0..16_u64, 0..16_u64, 0..16_u64]],
    )
        .prop_map(|(modifier, id, row, column, [v, w, h])| DirectOperand {
            modifier: code::<Modifier>(modifier),
            id: VariableId(id),
            row,
            column,
            region: Region {
                vertical: code::<Stride>(v),
                width: code::<Stride>(w),
                horizontal: code::<Stride>(h),
            },
        })
}

/// A DPASW with any values in its fields.
pub fn any_dpasw() -> impl Strategy<Value = Instruction> {
    (
        (0..16_u64, 0..16_u64),
        [any_operand(), any_operand(), any_operand()],
        any_src2(),
        (precisions(), precisions()),
        prop_oneof![3 => (select(vec![1_u8, 2, 4, 8]), 1..9_u8), 1 => any::<(u8, u8)>()],
    )
        .prop_map(
            |((size, mask), [dst, src0, src1], src2, (w, a), (sd, rc))| {
                Instruction::Dpasw(Dpasw {
                    execution: Execution {
                        size: code::<ExecSize>(size),
                        mask: code::<MaskControl>(mask),
                        predicate: Predicate::NONE,
                    },
                    suffix: Suffix { w, a, sd, rc },
                    dst,
                    src0,
                    src1,
                    src2,
                })
            },
        )
}

/// Takes away what has no text: a reserved size or modifier, offsets of the
/// null variable, depths and repeat counts that are none, the region.
pub fn printable_dpasw(this: &mut Dpasw) {
    this.execution.size = code(this.execution.size.to_bits() % 6);
    for operand in [&mut this.dst, &mut this.src0, &mut this.src1] {
        if operand.is_null() {
            *operand = RawOperand::NULL;
        }
    }
    this.src2.region = Region::CONTIGUOUS;
    if this.src2.modifier.sign().is_none() {
        this.src2.modifier = Modifier::NONE;
    }
    if !matches!(this.suffix.sd, 1 | 2 | 4 | 8) {
        this.suffix.sd = 8;
    }
    this.suffix.rc = this.suffix.rc % 8 + 1;
}

/// A program of a few DPASW whose operands are registers of one variable.
#[derive(Clone, Debug)]
pub struct Products {
    /// The bits of the registers of both EUs, taken in turn.
    pub values: Vec<u32>,
    /// Shape, and the first registers of dst, src0 (none: null), src1, src2.
    pub lines: Vec<(Shape, [u8; 4], bool)>,
}

/// Such programs.
pub fn products(most: usize) -> impl Strategy<Value = Products> {
    let values = prop_oneof![
        2 => any::<u32>(),
        1 => select(vec![0, 0x8000_0000, 0x7fff_ffff, u32::MAX, 0x7f80_7c00, 0x7fc0_7e01]),
        1 => select(vec![0x3f80_3c00, 0xbf80_bc00, 0x0001_8001, 0x007f_03ff, 0x4b80_cb80]),
    ];
    let shapes = (
        select(Precision::RUNNABLE.to_vec()),
        select(Precision::RUNNABLE.to_vec()),
        prop_oneof![3 => Just(8_u8), 1 => select(vec![1, 2, 4])],
        1..9_u8,
    )
        .prop_map(|(w, a, sd, rc)| {
            // A float goes with itself.
            let shape = Shape::new(w, a, sd, rc).or_else(|| Shape::new(w, w, sd, rc));
            shape.expect("a legal pair")
        });
    let line = (
        shapes,
        [0..17_u8, 0..17_u8, 0..17_u8, 0..17_u8],
        any::<bool>(),
    );
    (
        proptest::collection::vec(values, 61),
        proptest::collection::vec(line, 1..=most),
    )
        .prop_map(|(values, lines)| Products { values, lines })
}

impl Products {
    /// The scenario.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::from(
            ".slm 64\n.decl R v_type=G type=d num_elts=200 align=GRF\n\
             .decl F v_type=G type=f num_elts=200 alias=<R, 0>\n",
        );
        for eu in 0..2 {
            let values: Vec<String> = (0..200)
                .map(|i| format!("{:#x}", self.values[(i + eu * 7) % self.values.len()]))
                .collect();
            writeln!(text, ".init EU{eu}.R = {}", values.join(", ")).unwrap();
        }
        for (shape, [dst, src0, src1, src2], null) in &self.lines {
            let pair = shape.pair();
            let sum = if pair.is_float() { "F" } else { "R" };
            let at = |register: &u8| u32::from(*register) * 32;
            let src0 = match null {
                true => String::from("%null.0"),
                false => format!("{sum}.{}", at(src0)),
            };
            writeln!(
                text,
                "dpasw.{}.{}.{}.{} (M1, 8) {sum}.{} {src0} R.{} R({src2},0)",
                pair.w().name(),
                pair.a().name(),
                shape.sd(),
                shape.rc(),
                at(dst),
                at(src1),
            )
            .unwrap();
        }
        text
    }
}
