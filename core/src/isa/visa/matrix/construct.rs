//! The OpenCL C sub-group functions that compile to DPAS and DPASW.

use super::Precision;
use super::precision::ops_per_chan;
use crate::isa::SourceConstruct;
use crate::rules::Provenance;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Precisions of W and A.
type Precisions = (Precision, Precision);

/// All pairs of 8-bit integers.
pub const EIGHT_BITS: [Precisions; 4] = [
    (Precision::S8, Precision::S8),
    (Precision::U8, Precision::S8),
    (Precision::S8, Precision::U8),
    (Precision::U8, Precision::U8),
];

/// All pairs of 4-bit integers.
pub const FOUR_BITS: [Precisions; 4] = [
    (Precision::S4, Precision::S4),
    (Precision::U4, Precision::S4),
    (Precision::S4, Precision::U4),
    (Precision::U4, Precision::U4),
];

/// bfloat16 and half floats.
pub const FLOAT_PAIRS: [Precisions; 2] = [
    (Precision::Bf, Precision::Bf),
    (Precision::Hf, Precision::Hf),
];

/// The systolic depth of all functions.
const DEPTH: u8 = 8;

/// The functions `intel_sub_group_A_B_FAMILY_kK` for pairs of precisions and repeat
/// counts M. Argument `a` is Src2 with precision A, `b` is Src1 with precision W.
#[must_use]
pub fn source_constructs(
    family: &str,
    precisions: &[&[Precisions]],
    repeat_counts: &[u8],
    source: &'static str,
) -> Vec<SourceConstruct> {
    let mut constructs = Vec::new();
    for (w, a) in precisions.iter().copied().flatten().copied() {
        let k = DEPTH * ops_per_chan(w, a);
        for rows in repeat_counts {
            constructs.push(SourceConstruct {
                form: format!("{}.{}.{DEPTH}.{rows}", w.name(), a.name()),
                language: "OpenCL C",
                text: format!(
                    "intel_sub_group_{}_{}_{family}_k{k}(a, b, acc), M = {rows}",
                    element(a),
                    element(w)
                ),
                mark: Provenance::Documented,
                source,
            });
        }
    }
    constructs
}

/// The name of a precision in the functions.
fn element(precision: Precision) -> String {
    match precision {
        Precision::Bf => String::from("bf16"),
        Precision::Hf => String::from("f16"),
        integer if integer.is_signed() => format!("i{}", integer.bits()),
        integer => String::from(integer.name()),
    }
}
