//! Programs of matrix instructions with overlapping operands.

use lanewise_core::isa::visa::matrix::{Shape, Variant};
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::{Instruction, SPECS, Spec};
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt::Write as _;

/// All matrix instructions.
#[must_use]
pub fn specs() -> Vec<&'static Spec> {
    let all = SPECS.iter().copied();
    all.filter(|spec| plain(spec).matrix().is_some()).collect()
}

fn plain(spec: &'static Spec) -> Instruction {
    Instruction::default_for_opcode(spec, 0).expect("every instruction has a first form")
}

fn variant(spec: &'static Spec) -> &'static Variant {
    plain(spec).matrix().expect("a matrix instruction").variant
}

/// Program of matrix instructions whose operands are registers of one variable.
#[derive(Clone, Debug)]
pub struct Products {
    pub platform: Platform,
    /// Whether both EUs run even if no instruction requires it.
    pub both: bool,
    /// Register contents of both EUs, used cyclically.
    pub values: Vec<u32>,
    pub lines: Vec<Line>,
}

/// Instruction of [`Products`].
#[derive(Clone, Debug)]
pub struct Line {
    pub mnemonic: &'static str,
    /// Execution size, precisions, depth and repeat count.
    pub shape: Shape,
    /// First registers of dst, src0, src1 and src2.
    pub registers: [u8; 4],
    /// Whether src0 is the null variable.
    pub null: bool,
    /// Whether dst and src0 have the 16-bit type of the sources.
    pub narrow: [bool; 2],
}

/// Number of registers of the variable.
const REGISTERS: u8 = 25;

fn lines(platform: Platform) -> impl Strategy<Value = Line> {
    let specs = specs().into_iter();
    let there: Vec<_> = specs
        .filter(|spec| variant(spec).exec_size(platform).is_some())
        .collect();
    let first = 0..REGISTERS - 8;
    (
        select(there),
        (
            any::<proptest::sample::Index>(),
            any::<proptest::sample::Index>(),
        ),
        prop_oneof![3 => Just(8_u8), 1 => select(vec![1, 2, 4])],
        1..9_u8,
        [first.clone(), first.clone(), first.clone(), first],
        any::<bool>(),
        any::<[bool; 2]>(),
    )
        .prop_map(move |(spec, (w, a), sd, rc, registers, null, narrow)| {
            let variant = variant(spec);
            let size = variant.exec_size(platform).expect("supported platform");
            let precisions = variant.precisions_on(platform);
            let (w, a) = (*w.get(precisions), *a.get(precisions));
            // A float precision pairs only with itself.
            let shape = Shape::new(size, w, a, sd, rc).or_else(|| Shape::new(size, w, w, sd, rc));
            let shape = shape.expect("a legal pair");
            let has_narrow = variant.narrow_sums && w.bits() == 16;
            Line {
                mnemonic: spec.mnemonics[0],
                shape,
                registers,
                null,
                narrow: narrow.map(|narrow| narrow && has_narrow),
            }
        })
}

/// Strategy for [`Products`].
pub fn products(most: usize) -> impl Strategy<Value = Products> {
    let values = prop_oneof![
        2 => any::<u32>(),
        1 => select(vec![0, 0x8000_0000, 0x7fff_ffff, u32::MAX, 0x7f80_7c00, 0x7fc0_7e01]),
        1 => select(vec![0x3f80_3c00, 0xbf80_bc00, 0x0001_8001, 0x007f_03ff, 0x4b80_cb80]),
    ];
    let program = select(vec![
        Platform::Xehp,
        Platform::Dg2,
        Platform::Pvc,
        Platform::Nvl,
    ])
    .prop_flat_map(move |platform| {
        let lines = proptest::collection::vec(lines(platform), 1..=most);
        (Just(platform), lines)
    });
    (
        proptest::collection::vec(values, 61),
        program,
        any::<bool>(),
    )
        .prop_map(|(values, (platform, lines), both)| Products {
            platform,
            both,
            values,
            lines,
        })
}

impl Products {
    /// Scenario text.
    #[must_use]
    pub fn text(&self) -> String {
        let grf = u32::from(self.platform.grf_bytes());
        let dwords = u32::from(REGISTERS) * grf / 4;
        let mut text = format!(
            ".target visa {}\n.slm 64\n\
             .decl d v_type=G type=d num_elts={dwords} align=GRF\n\
             .decl f v_type=G type=f num_elts={dwords} alias=<d, 0>\n\
             .decl bf v_type=G type=bf num_elts={} alias=<d, 0>\n\
             .decl hf v_type=G type=hf num_elts={} alias=<d, 0>\n",
            self.platform.name(),
            2 * dwords,
            2 * dwords,
        );
        let paired = self.lines.iter().any(|line| {
            let spec = specs()
                .into_iter()
                .find(|s| s.mnemonics[0] == line.mnemonic);
            spec.expect("a registered mnemonic").fused
        });
        let threads = if self.both || paired { 2 } else { 1 };
        writeln!(text, ".threads {threads}").unwrap();
        for eu in 0..threads {
            let values: Vec<String> = (0..dwords as usize)
                .map(|i| format!("{:#x}", self.values[(i + eu * 7) % self.values.len()]))
                .collect();
            writeln!(text, ".init EU{eu}.d = {}", values.join(", ")).unwrap();
        }
        for line in &self.lines {
            let pair = line.shape.pair();
            let sum = |narrow| match narrow {
                true => pair.w().name(),
                false if pair.is_float() => "f",
                false => "d",
            };
            let [dst, src0, src1, src2] = line.registers;
            let at = |register: u8| u32::from(register) * grf;
            let [dst_type, src0_type] = line.narrow.map(sum);
            let src0 = match line.null {
                true => String::from("%null.0"),
                false => format!("{src0_type}.{}", at(src0)),
            };
            writeln!(
                text,
                "{}.{}.{}.{}.{} (M1, {}) {dst_type}.{} {src0} d.{} d({src2},0)",
                line.mnemonic,
                pair.w().name(),
                pair.a().name(),
                line.shape.sd(),
                line.shape.rc(),
                line.shape.channels(),
                at(dst),
                at(src1),
            )
            .unwrap();
        }
        text
    }
}
