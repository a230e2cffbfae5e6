//! Facts about arithmetic instructions.
//!
//! Sources: documentation/visa of intel/intel-graphics-compiler, its finalizer, and
//! native code that the real tools emit.

use crate::isa::Fact;

const PER_LANE: Fact = Fact::documented(
    "Each enabled lane reads its element of every source and writes its element of dst; the elements of disabled lanes keep their values.",
);
const CONVERSION: Fact = Fact::documented(
    "The result is converted to the type of dst; with .sat it is clamped to the range of that type first.",
);
const BY_ZERO: Fact = Fact::assumed(
    "The documents do not define integer division by zero: the run stops and names the lane.",
);
const PRECISION: Fact = Fact::assumed(
    "The documents lack the tables of precision. Lanewise computes with more bits and rounds at the end; hardware may differ in the last bits.",
);
const ABSOLUTE_BASE: Fact =
    Fact::observed("It is computed as exp(src1 * log(|src0|)): the sign of src0 is lost.");

/// Of an instruction that computes lane by lane.
pub(crate) const LANES: &[Fact] = &[PER_LANE];
/// Of an instruction that also converts its result.
pub(crate) const COMPUTED: &[Fact] = &[PER_LANE, CONVERSION];
/// Of an instruction that divides integers.
pub(crate) const DIVISION: &[Fact] = &[PER_LANE, CONVERSION, BY_ZERO];
/// Of an instruction whose precision is not documented.
pub(crate) const APPROXIMATE: &[Fact] = &[PER_LANE, CONVERSION, PRECISION];
/// Of `pow`.
pub(crate) const POWER: &[Fact] = &[PER_LANE, CONVERSION, ABSOLUTE_BASE, PRECISION];
