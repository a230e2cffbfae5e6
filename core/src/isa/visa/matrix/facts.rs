//! What the documents and tools say of both matrix instructions.

use crate::isa::Fact;
use crate::rules::Provenance;

/// The pseudo-code, after a first line that says where Src2 comes from.
#[must_use]
pub const fn pseudo_code(src2: &'static str) -> [&'static str; 8] {
    [
        src2,
        "k = 0; for each repeat r below RC:",
        "  temp = Src0.R[r], or 0 where Src0 is null",
        "  for each depth stage d below SD:",
        "    for each channel i:",
        "      temp.DW[i] += OPS_PER_CHAN products of Src1 (stage d, channel i) and Src2 (from k)",
        "    k = k + OPS_PER_CHAN",
        "  Dst.R[r] = temp",
    ]
}

/// How integers add up.
pub const INTEGERS: Fact = Fact {
    mark: Provenance::Observed,
    text: "Sums of integers wrap at 32 bits. Elements of less than 8 bits lie lowest bits first.",
};

/// How floats add up.
pub const FLOATS: Fact = Fact {
    mark: Provenance::Observed,
    text: "Floats: each product is rounded to F and added in the order of k, to nearest even, subnormals kept, as Intel's CPU emulation does. The document fixes no order; another one may give other last bits. A result that is not a number is 0x7fc00000 (assumed).",
};

/// When operands are read.
pub const READ_FIRST: Fact = Fact {
    mark: Provenance::Assumed,
    text: "All operands are read before Dst is written: the document defines D = C + A × B. Read literally the pseudo-code would let later rows see earlier ones where Dst lies upon a source.",
};
