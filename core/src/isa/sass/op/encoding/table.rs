//! The fields of all opcodes.
//!
//! Sources: envytools (`envydis/gm107.c`) and Mesa's NAK (`sm50.rs`) for the fields; the
//! output of nvdisasm for the order and spelling of the words, see
//! `tests/vectors/sass/generated_words.jsonl`.

use super::EncodedOp;
use super::fields::Number::*;
use super::fields::SlotKind::*;
use super::fields::{CODES, SIGN, SlotKind, WordSlot, bit, bits, get};
use crate::isa::sass::chip::Chip;
use crate::number::ElementType::{Df, F};

const fn n(kind: SlotKind) -> WordSlot {
    WordSlot::new(kind)
}

const IMM20: u64 = bits(20, 19) | SIGN;
const IMM32: u64 = bits(20, 32);
const D: WordSlot = n(Register(0));
const DCC: WordSlot = D.cc(47);
const D32: WordSlot = D.cc(52);
const A: WordSlot = n(Register(8));
const RB: WordSlot = n(Register(20));
const C: WordSlot = n(Third);
const INT: WordSlot = n(Second(Signed, IMM20));
const UINT: WordSlot = n(Second(Unsigned, IMM20));
const FLOAT: WordSlot = n(Second(Float(F), IMM20));
const SOURCE: WordSlot = n(Second(Source, IMM20));
const DOUBLE: WordSlot = n(Second(Float(Df), IMM20));
const INT32: WordSlot = n(Number(Signed, IMM32));
const FLOAT32: WordSlot = n(Number(Float(F), IMM32));
const P0: WordSlot = n(Predicate(0));
const P3: WordSlot = n(Predicate(3));
const P48: WordSlot = n(Predicate(48)).omitted(7);
const Q: WordSlot = n(Condition(39));
const CODE: WordSlot = n(Code(0)).omitted(15);
const BARRIER: WordSlot = n(Either(bit(44), 8, bits(8, 8)));
const COUNT: WordSlot = n(Either(bit(43), 20, bits(20, 12)));
const SHIFT: u64 = bits(39, 5);

type Spelled = (u64, &'static str);

const fn flag(at: u32, word: &'static str) -> Spelled {
    (bit(at), word)
}

const COMPARE: &str = "F LT EQ LE GT NE GE T";
const COMPARE_FLOATS: &str = "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T";
const COMPARE_TO_ZERO: &str = "F LT EQ LE - NE GE NUM NAN LTU EQU LEU GTU NEU GEU T";
const LOGIC: Spelled = (bits(45, 2), "AND OR XOR");
const U32: Spelled = flag(48, "U32 -");
const FTZ44: Spelled = flag(44, "- FTZ");
const SAT50: Spelled = flag(50, "- SAT");
const ROUND39: Spelled = (bits(39, 2), "- RM RP RZ");
const ROUND50: Spelled = (bits(50, 2), "- RM RP RZ");
const ROUND51: Spelled = (bits(51, 2), "- RM RP RZ");
const FMZ53: Spelled = (bits(53, 2), "- FTZ FMZ");
const FMZ44: Spelled = (bits(44, 2), "- FTZ FMZ");
const LOADS: &str = "U8 S8 U16 S16 - 64 128 U.128";
const SIZES: Spelled = (bits(48, 3), "U8 S8 U16 S16 - 64 128");
const FROM_FLOAT: Spelled = (bits(10, 2), "! F16 F32 F64");
const TO_FLOAT: Spelled = (bits(8, 2), "! F16 F32 F64");
const TO_INT: Spelled = (bits(8, 2) | bit(12), "! U16 U32 U64 ! S16 S32 S64");
const FROM_INT: Spelled = (bits(10, 2) | bit(13), "U8 U16 U32 U64 S8 S16 S32 S64");
const TO_SHORT_INT: Spelled = (bits(8, 2) | bit(12), "U8 U16 U32 ! S8 S16 S32");
const FROM_SHORT_INT: Spelled = (bits(10, 2) | bit(13), "U8 U16 U32 ! S8 S16 S32");
const BYTES: &str = "- B1 B2 B3";
/// By size of the source: 8, 16, 32, 64 bits.
const BYTES_OR_HALVES: &str = "- - - - B1 ! B1 B1 B2 H1 B2 B2 B3 ! B3 B3";
const HALVES: &str = "- F32 H0_H0 H1_H1";
const INTEGRAL: Spelled = (
    bits(39, 2) | bit(42),
    "- PASS PASS PASS ROUND FLOOR CEIL TRUNC",
);
const XMAD_TYPES: Spelled = (bits(48, 2), "- S16.U16 U16.S16 S16.S16");
const IMAD_TYPES: Spelled = (bit(48) | bit(53), "U32.U32 S32.U32 U32.S32 -");
const SHF: &[Spelled] = &[
    flag(50, "- W"),
    (bits(37, 2), "- ! U64 S64"),
    (bits(48, 2), "- HI X XHI"),
];
const VIDEO_TYPES: &str = "U8 U8 U8 U8 U16 U16 U32 ! S8 S8 S8 S8 S16 S16 S32";
const VIDEO_PARTS: &str = "- B1 B2 B3 - H1 - -";
const VIDEO_OPS: Spelled = (bits(51, 3), "MRG_16H MRG_16L MRG_8B0 MRG_8B2 ACC MIN MAX -");
const TYPE_A: Spelled = (bits(36, 3) | bit(48), VIDEO_TYPES);
const TYPE_B: Spelled = (bits(28, 3) | bit(49), VIDEO_TYPES);
const SHIFT_TYPE: Spelled = (bits(28, 3), "U8 U8 U8 U8 U16 U16 U32");
const VIDEO_A: WordSlot = A.part(bits(36, 3), VIDEO_PARTS);
const VIDEO_B: WordSlot = RB.part(bits(28, 3), VIDEO_PARTS);
const UD54: Spelled = flag(54, "UD -");
/// With both negations it is `.PO`, which is not read.
const PO56: Spelled = (bits(56, 2), "- - - !");
const SAT55: Spelled = flag(55, "- SAT");
const W49: Spelled = flag(49, "- W");
/// The bytes that are computed: z, w, x and y.
const BYTE_LANES: &str = "! Z W ZW X XZ XW XZW Y YZ YW YZW XY XYZ XYW -";
const BYTE_WORDS: &[Spelled] = &[
    flag(38, "- SD"),
    (bits(48, 2), "U8.U8 S8.U8 U8.S8 -"),
    SAT50,
    (bits(53, 2), "- ACC"),
    (bits(36, 2) | bits(51, 2), BYTE_LANES),
];
const FOUR_BYTES: WordSlot = A.part(
    bits(32, 4),
    "0000 1111 2222 3333 - 4321 5432 6543 3201 3012 0213 3120 1230 2310",
);
const MERGES: Spelled = (bits(49, 2), "- F32 MRG_H0 MRG_H1");
const HALF_NUMBERS: SlotKind = Second(Halves(bits(30, 9) | SIGN, bits(20, 9) | bit(29)), 0);
const HALF_NUMBERS32: SlotKind = Number(Halves(bits(36, 16), bits(20, 16)), 0);
const HA32: WordSlot = A.part(bits(53, 2), HALVES);
const HA: WordSlot = A.part(bits(47, 2), HALVES);
const HB: WordSlot = n(HALF_NUMBERS).part(bits(28, 2), HALVES);

/// Whether a type of a conversion has a size: the logarithm of its bytes.
fn has(size: u64, word: u64) -> bool {
    [bits(8, 2), bits(10, 2)]
        .into_iter()
        .any(|field| get(word, field) == size)
}

fn is_wide(word: u64) -> bool {
    has(3, word)
}

/// A row: opcodes by form, the number of bits of them that are significant.
const fn row(
    name: &'static str,
    opcodes: [u16; 4],
    significant: u32,
    words: &'static [Spelled],
    operands: &'static [WordSlot],
) -> EncodedOp {
    EncodedOp {
        name,
        opcodes,
        mask: bits(64 - significant, significant - 1) << 1 | bit(64 - significant),
        fixed: 0,
        is_guarded: true,
        caches: |_| true,
        since: Chip::Sm50,
        words,
        operands,
    }
}

impl EncodedOp {
    /// With other bits that are always the same.
    const fn fixed(self, mask: u64, value: u64) -> Self {
        Self {
            mask: self.mask | mask,
            fixed: self.fixed | value,
            ..self
        }
    }

    const fn unguarded(self) -> Self {
        Self {
            is_guarded: false,
            ..self
        }
    }

    const fn uncached(self) -> Self {
        Self {
            caches: |_| false,
            ..self
        }
    }

    /// With sources in the operand cache by the types of a conversion.
    const fn cached_if(self, caches: fn(u64) -> bool) -> Self {
        Self { caches, ..self }
    }

    const fn since(self, since: Chip) -> Self {
        Self { since, ..self }
    }
}

#[rustfmt::skip]
pub(super) static ROWS: &[EncodedOp] = &[
    // Integers.
    row("IADD.PO", [0x5c13, 0x4c13, 0x3813, 0], 13, &[SAT50, flag(43, "- X")], &[DCC, A, INT]).fixed(bits(48, 2), 0),
    row("IADD", [0x5c10, 0x4c10, 0x3810, 0], 13, &[SAT50, flag(43, "- X")], &[DCC, A.neg(49), INT.neg(48)]),
    row("IADD32I.PO", [0x1d80, 0, 0, 0], 9, &[flag(54, "- SAT"), flag(53, "- X")], &[D32, A, INT32]),
    row("IADD32I", [0x1c00, 0, 0, 0], 7, &[flag(54, "- SAT"), flag(53, "- X")], &[D32, A.neg(56), INT32]),
    row("IADD3", [0x5cc0, 0, 0, 0], 12, &[(bits(37, 2), "- RS LS"), flag(48, "- X")],
        &[DCC, A.neg(51).part(bits(35, 2), "- H0 H1"), INT.neg(50).part(bits(33, 2), "- H0 H1"), C.neg(49).part(bits(31, 2), "- H0 H1")]),
    row("IADD3", [0, 0x4cc0, 0x38c0, 0], 12, &[flag(48, "- X")], &[DCC, A.neg(51), UINT.neg(50), C.neg(49)]),
    row("ISCADD.PO", [0x5c1b, 0x4c1b, 0x381b, 0], 13, &[], &[DCC, A, INT, n(Number(Unsigned, SHIFT))]).fixed(bits(48, 2), 0),
    row("ISCADD", [0x5c18, 0x4c18, 0x3818, 0], 13, &[], &[DCC, A.neg(49), INT.neg(48), n(Number(Unsigned, SHIFT))]),
    row("ISCADD32I", [0x1400, 0, 0, 0], 6, &[], &[D32, A, INT32, n(Number(Unsigned, bits(53, 5)))]),
    row("LEA.HI", [0x5bd8, 0, 0, 0], 13, &[flag(38, "- X")], &[P48, DCC, A.neg(37), RB, C, n(Number(Unsigned, bits(28, 5))).omitted(0)]),
    row("LEA.HI", [0, 0x1800, 0, 0], 6, &[flag(57, "- X")], &[P48, DCC, A.neg(56), INT, C, n(Number(Unsigned, bits(51, 5))).omitted(0)]),
    row("LEA", [0x5bd0, 0x4bd0, 0x36d0, 0], 13, &[flag(46, "- X")], &[P48, DCC, A.neg(45), INT, n(Number(Unsigned, SHIFT)).omitted(0)]),
    row("IMAD", [0x5a18, 0x4a18, 0x3418, 0x5218], 9, &[IMAD_TYPES, flag(54, "- HI"), (bits(51, 2), "! ! ! PO"), SAT50, flag(49, "- X")], &[DCC, A, INT, C])
        .fixed(bits(51, 2), 0).uncached(),
    row("IMAD", [0x5a00, 0x4a00, 0x3400, 0x5200], 9, &[IMAD_TYPES, flag(54, "- HI"), SAT50, flag(49, "- X")], &[DCC, A.neg(52), INT, C.neg(51)]).uncached(),
    row("IMUL", [0x5c38, 0x4c38, 0x3838, 0], 13, &[(bits(40, 2), "U32.U32 S32.U32 U32.S32 -"), flag(39, "- HI")], &[DCC, A, INT]).uncached(),
    row("IMUL32I", [0x1f00, 0, 0, 0], 8, &[(bits(54, 2), "U32.U32 S32.U32 U32.S32 -"), flag(53, "- HI")], &[D32, A, INT32]).uncached(),
    row("XMAD", [0x5b00, 0, 0, 0], 10,
        &[XMAD_TYPES, flag(36, "- PSL"), (bits(50, 3), "- CLO CHI CSFU CBCC"), flag(37, "- MRG"), flag(38, "- X")],
        &[DCC, A.part(bit(53), "- H1"), RB.part(bit(35), "- H1"), C]),
    row("XMAD", [0, 0x4e00, 0, 0], 7,
        &[XMAD_TYPES, flag(55, "- PSL"), (bits(50, 2), "- CLO CHI CSFU"), flag(56, "- MRG"), flag(54, "- X")],
        &[DCC, A.part(bit(53), "- H1"), INT.part(bit(52), "- H1"), C]),
    row("XMAD", [0, 0, 0x3600, 0], 10,
        &[XMAD_TYPES, flag(36, "- PSL"), (bits(50, 3), "- CLO CHI CSFU CBCC"), flag(37, "- MRG"), flag(38, "- X")],
        &[DCC, A.part(bit(53), "- H1"), n(Second(SignedIf(bit(49)), bits(20, 16))), C]),
    row("XMAD", [0, 0, 0, 0x5100], 9, &[XMAD_TYPES, (bits(50, 2), "- CLO CHI CSFU"), flag(54, "- X")],
        &[DCC, A.part(bit(53), "- H1"), INT.part(bit(52), "- H1"), C]),
    row("VABSDIFF", [0x5407, 0, 0, 0], 8, &[flag(54, "- SD"), flag(55, "- SAT"), VIDEO_OPS], &[DCC, A, RB, C])
        .fixed(bits(48, 3) | bits(36, 3) | bits(28, 3), 6 << 36 | 6 << 28),
    row("VABSDIFF", [0x5403, 0, 0, 0], 8, &[flag(54, "- SD"), flag(55, "- SAT"), VIDEO_OPS], &[DCC, A, n(Number(Signed, bits(20, 16))), C])
        .fixed(bits(48, 3) | bits(36, 3), 6 << 36),
    row("VABSDIFF", [0x5404, 0, 0, 0], 8,
        &[flag(54, "- SD"), (bits(36, 3) | bit(48), VIDEO_TYPES), (bits(28, 3) | bit(49), VIDEO_TYPES), flag(55, "- SAT"), VIDEO_OPS],
        &[DCC, A.part(bits(36, 3), VIDEO_PARTS), RB.part(bits(28, 3), VIDEO_PARTS), C]).fixed(bit(50), 0),
    row("VABSDIFF", [0x5400, 0, 0, 0], 8,
        &[flag(54, "- SD"), (bits(36, 3) | bit(48), VIDEO_TYPES), flag(49, "U16 S16"), flag(55, "- SAT"), VIDEO_OPS],
        &[DCC, A.part(bits(36, 3), VIDEO_PARTS), n(Number(SignedIf(bit(49)), bits(20, 16))), C]).fixed(bit(50), 0),
    row("VMNMX", [0x3a07, 0, 0, 0], 7, &[flag(54, "UD -"), flag(56, "- MX"), flag(55, "- SAT"), VIDEO_OPS], &[DCC, A, RB, C])
        .fixed(bits(48, 3) | bits(36, 3) | bits(28, 3), 6 << 36 | 6 << 28),
    row("VMNMX", [0x3a03, 0, 0, 0], 7, &[flag(54, "UD -"), flag(56, "- MX"), flag(55, "- SAT"), VIDEO_OPS], &[DCC, A, n(Number(Signed, bits(20, 16))), C])
        .fixed(bits(48, 3) | bits(36, 3), 6 << 36),
    row("VMNMX", [0x3a04, 0, 0, 0], 7,
        &[flag(54, "UD -"), (bits(36, 3) | bit(48), VIDEO_TYPES), (bits(28, 3) | bit(49), VIDEO_TYPES), flag(56, "- MX"), flag(55, "- SAT"), VIDEO_OPS],
        &[DCC, A.part(bits(36, 3), VIDEO_PARTS), RB.part(bits(28, 3), VIDEO_PARTS), C]).fixed(bit(50), 0),
    row("VMNMX", [0x3a00, 0, 0, 0], 7,
        &[flag(54, "UD -"), (bits(36, 3) | bit(48), VIDEO_TYPES), flag(49, "U16 S16"), flag(56, "- MX"), flag(55, "- SAT"), VIDEO_OPS],
        &[DCC, A.part(bits(36, 3), VIDEO_PARTS), n(Number(SignedIf(bit(49)), bits(20, 16))), C]).fixed(bit(50), 0),
    row("VADD", [0x2007, 0, 0, 0], 6, &[UD54, PO56, SAT55, VIDEO_OPS], &[DCC, A.neg(57), RB.neg(56), C])
        .fixed(bits(48, 3) | bits(36, 3) | bits(28, 3), 6 << 36 | 6 << 28),
    row("VADD", [0x2003, 0, 0, 0], 6, &[UD54, flag(56, "- !"), SAT55, VIDEO_OPS], &[DCC, A.neg(57), n(Number(Unsigned, bits(20, 16))), C])
        .fixed(bits(48, 3) | bits(36, 3), 6 << 36),
    row("VADD", [0x2004, 0, 0, 0], 6, &[UD54, TYPE_A, TYPE_B, PO56, SAT55, VIDEO_OPS], &[DCC, VIDEO_A.neg(57), VIDEO_B.neg(56), C])
        .fixed(bit(50), 0),
    row("VADD", [0x2000, 0, 0, 0], 6, &[UD54, TYPE_A, flag(49, "U16 S16"), flag(56, "- !"), SAT55, VIDEO_OPS],
        &[DCC, VIDEO_A.neg(57), n(Number(Unsigned, bits(20, 16))), C]).fixed(bit(50), 0),
    row("VMAD", [0x5f64, 0, 0, 0], 8, &[TYPE_A, TYPE_B, (bits(53, 2), "! ! ! PO"), (bits(51, 2), "- SHR_7 SHR_15"), SAT55], &[DCC, VIDEO_A, VIDEO_B, C])
        .fixed(bit(50) | bits(53, 2), 0),
    row("VMAD", [0x5f60, 0, 0, 0], 8, &[TYPE_A, flag(49, "U16 S16"), (bits(53, 2), "! ! ! PO"), (bits(51, 2), "- SHR_7 SHR_15"), SAT55],
        &[DCC, VIDEO_A, n(Number(Unsigned, bits(20, 16))), C]).fixed(bit(50) | bits(53, 2), 0),
    row("VMAD", [0x5f04, 0, 0, 0], 8, &[TYPE_A, TYPE_B, (bits(51, 2), "- SHR_7 SHR_15"), SAT55], &[DCC, VIDEO_A.neg(54), VIDEO_B, C.neg(53)])
        .fixed(bit(50), 0),
    row("VMAD", [0x5f00, 0, 0, 0], 8, &[TYPE_A, flag(49, "U16 S16"), (bits(51, 2), "- SHR_7 SHR_15"), SAT55],
        &[DCC, VIDEO_A.neg(54), n(Number(Unsigned, bits(20, 16))), C.neg(53)]).fixed(bit(50), 0),
    row("VSHL", [0x5705, 0, 0, 0], 8, &[UD54, W49, SAT55, VIDEO_OPS], &[DCC, A, RB, C])
        .fixed(bit(48) | bit(50) | bits(36, 3) | bits(28, 3), 6 << 36 | 6 << 28),
    row("VSHL", [0x5701, 0, 0, 0], 8, &[UD54, W49, SAT55, VIDEO_OPS], &[DCC, A, n(Number(Unsigned, bits(20, 16))), C])
        .fixed(bit(48) | bit(50) | bits(36, 3), 6 << 36),
    row("VSHL", [0x5704, 0, 0, 0], 8, &[UD54, TYPE_A, SHIFT_TYPE, W49, SAT55, VIDEO_OPS], &[DCC, VIDEO_A, VIDEO_B, C]).fixed(bit(50), 0),
    row("VSHL", [0x5700, 0, 0, 0], 8, &[UD54, TYPE_A, (0, "U16"), W49, SAT55, VIDEO_OPS], &[DCC, VIDEO_A, n(Number(Unsigned, bits(20, 16))), C])
        .fixed(bit(50), 0),
    row("VSHR", [0x5605, 0, 0, 0], 8, &[UD54, W49, SAT55, VIDEO_OPS], &[DCC, A, RB, C])
        .fixed(bit(48) | bit(50) | bits(36, 3) | bits(28, 3), 6 << 36 | 6 << 28),
    row("VSHR", [0x5601, 0, 0, 0], 8, &[UD54, W49, SAT55, VIDEO_OPS], &[DCC, A, n(Number(Unsigned, bits(20, 16))), C])
        .fixed(bit(48) | bit(50) | bits(36, 3), 6 << 36),
    row("VSHR", [0x5604, 0, 0, 0], 8, &[UD54, TYPE_A, SHIFT_TYPE, W49, SAT55, VIDEO_OPS], &[DCC, VIDEO_A, VIDEO_B, C]).fixed(bit(50), 0),
    row("VSHR", [0x5600, 0, 0, 0], 8, &[UD54, TYPE_A, (0, "U16"), W49, SAT55, VIDEO_OPS], &[DCC, VIDEO_A, n(Number(Unsigned, bits(20, 16))), C])
        .fixed(bit(50), 0),
    row("VSET", [0x4007, 0, 0, 0], 7, &[(bits(54, 3), COMPARE), VIDEO_OPS], &[DCC, A, RB, C])
        .fixed(bits(48, 3) | bits(36, 3) | bits(28, 3), 6 << 36 | 6 << 28),
    row("VSET", [0x4003, 0, 0, 0], 7, &[(bits(54, 3), COMPARE), VIDEO_OPS], &[DCC, A, n(Number(Signed, bits(20, 16))), C])
        .fixed(bits(48, 3) | bits(36, 3), 6 << 36),
    row("VSET", [0x4004, 0, 0, 0], 7, &[(bits(54, 3), COMPARE), TYPE_A, TYPE_B, VIDEO_OPS], &[DCC, VIDEO_A, VIDEO_B, C]).fixed(bit(50), 0),
    row("VSET", [0x4000, 0, 0, 0], 7, &[(bits(54, 3), COMPARE), TYPE_A, flag(49, "U16 S16"), VIDEO_OPS],
        &[DCC, VIDEO_A, n(Number(SignedIf(bit(49)), bits(20, 16))), C]).fixed(bit(50), 0),
    row("VSETP", [0x50f7, 0, 0, 0], 13, &[(bits(43, 2) | bit(47), COMPARE), LOGIC], &[P3, P0, A, RB, Q])
        .fixed(bits(48, 3) | bits(36, 3) | bits(28, 3), 6 << 36 | 6 << 28),
    row("VSETP", [0x50f4, 0, 0, 0], 13, &[(bits(43, 2) | bit(47), COMPARE), TYPE_A, TYPE_B, LOGIC], &[P3, P0, VIDEO_A, VIDEO_B, Q]).fixed(bit(50), 0),
    row("VSETP", [0x50f0, 0, 0, 0], 13, &[(bits(43, 2) | bit(47), COMPARE), TYPE_A, flag(49, "U16 S16"), LOGIC],
        &[P3, P0, VIDEO_A, n(Number(SignedIf(bit(49)), bits(20, 16))), Q]).fixed(bit(50), 0),
    row("VABSDIFF4", [0x5000, 0, 0, 0], 9,
        BYTE_WORDS,
        &[DCC, FOUR_BYTES,
            RB.part(bits(28, 4), "4444 5555 6666 7777 - 6543 5432 4321 4567 6745 5476"), C]),
    row("VABSDIFF4", [0x5000, 0, 0, 0], 9,
        BYTE_WORDS,
        &[DCC, FOUR_BYTES,
            n(Number(SignedIf(bit(49)), bits(20, 8))), C]).fixed(bits(28, 4), bits(28, 4)),
    row("IDP", [0x53f8, 0x53d8, 0, 0], 13, &[(bits(48, 3), "4A.U8 2A.LO.U16 4A.S8 2A.LO.S16 ! 2A.HI.U16 ! 2A.HI.S16"), flag(47, "U8 S8")], &[D, A, INT, C])
        .since(Chip::Sm61),
    row("IMNMX", [0x5c20, 0x4c20, 0x3820, 0], 13, &[U32, (bits(43, 2), "- XLO XMED XHI")], &[DCC, A, INT, Q]),
    row("POPC", [0x5c08, 0x4c08, 0x3808, 0], 13, &[], &[D, INT.inv(40)]).uncached(),
    row("FLO", [0x5c30, 0x4c30, 0x3830, 0], 13, &[U32, flag(41, "- SH")], &[DCC, INT.inv(40)]).uncached(),
    row("I2I", [0x5ce0, 0x4ce0, 0x38e0, 0], 13, &[TO_SHORT_INT, FROM_SHORT_INT, SAT50], &[DCC, INT.neg(45).abs(49).part(bits(10, 2) | bits(41, 2), BYTES_OR_HALVES)]).uncached(),
    // Logic, shifts and bytes.
    row("LOP", [0x5c40, 0x4c40, 0x3840, 0], 13, &[(bits(41, 2), "AND OR XOR PASS_B"), flag(43, "- X"), (bits(44, 2), "- T Z NZ")],
        &[P48, DCC, A.inv(39), INT.inv(40)]),
    row("LOP32I", [0x0400, 0, 0, 0], 6, &[(bits(53, 2), "AND OR XOR PASS_B"), flag(57, "- X")],
        &[D32, A.inv(55), n(Number(Unsigned, IMM32)).inv(56)]),
    row("LOP3.LUT", [0x5be0, 0, 0, 0], 13, &[flag(38, "- X"), (bits(36, 2), "- T Z NZ")], &[P48, DCC, A, RB, C, n(Number(Unsigned, bits(28, 8)))]),
    row("LOP3.LUT", [0, 0x0200, 0, 0], 7, &[flag(56, "- X")], &[DCC, A, INT, C, n(Number(Unsigned, bits(48, 8)))]),
    row("LOP3.LUT", [0, 0, 0x3c00, 0], 6, &[flag(57, "- X")], &[DCC, A, INT, C, n(Number(Unsigned, bits(48, 8)))]),
    row("PSETP", [0x5090, 0, 0, 0], 13, &[(bits(24, 2), "AND OR XOR"), LOGIC], &[P3, P0, n(Condition(12)), n(Condition(29)), Q]),
    row("PSET", [0x5088, 0, 0, 0], 13, &[flag(44, "- BF"), (bits(24, 2), "AND OR XOR"), LOGIC], &[DCC, n(Condition(12)), n(Condition(29)), Q]),
    row("SHL", [0x5c48, 0x4c48, 0x3848, 0], 13, &[flag(39, "- W"), flag(43, "- X")], &[DCC, A, INT]),
    row("SHR", [0x5c28, 0x4c28, 0x3828, 0], 13, &[U32, flag(39, "- W"), (bits(43, 2), "- ! X XHI"), flag(40, "- BREV")], &[DCC, A, INT]),
    row("SHF.L", [0x5bf8, 0, 0x36f8, 0], 13, SHF, &[DCC, A, n(Second(Unsigned, bits(20, 6))), C]),
    row("SHF.R", [0x5cf8, 0, 0x38f8, 0], 13, SHF, &[DCC, A, n(Second(Unsigned, bits(20, 6))), C]),
    row("BFE", [0x5c00, 0x4c00, 0x3800, 0], 13, &[U32, flag(40, "- BREV")], &[DCC, A, INT]),
    row("BFI", [0x5bf0, 0x4bf0, 0x36f0, 0x53f0], 13, &[], &[DCC, A, INT, C]),
    row("PRMT", [0x5bc0, 0x4bc0, 0x36c0, 0x53c0], 12, &[(bits(48, 4), "- F4E B4E RC8 ECL ECR RC16")], &[D, A, INT, C]),
    row("SEL", [0x5ca0, 0x4ca0, 0x38a0, 0], 13, &[], &[D, A, INT, Q]),
    row("MOV", [0x5c98, 0x4c98, 0x3898, 0], 13, &[], &[D, INT, n(Number(Unsigned, bits(39, 4))).omitted(15)]),
    row("MOV32I", [0x0100, 0, 0, 0], 12, &[], &[D, n(Number(Unsigned, IMM32)), n(Number(Unsigned, bits(12, 4))).omitted(15)]),
    // Comparisons.
    row("ISETP", [0x5b60, 0x4b60, 0x3660, 0], 12, &[(bits(49, 3), COMPARE), U32, flag(43, "- X"), LOGIC], &[P3, P0, A, INT, Q]),
    row("ISET", [0x5b50, 0x4b50, 0x3650, 0], 12, &[flag(44, "- BF"), (bits(49, 3), COMPARE), U32, flag(43, "- X"), LOGIC], &[DCC, A, INT, Q]),
    row("ICMP", [0x5b40, 0x4b40, 0x3640, 0x5340], 12, &[(bits(49, 3), COMPARE), U32], &[D, A, INT, C]),
    row("FSETP", [0x5bb0, 0x4bb0, 0x36b0, 0], 12, &[(bits(48, 4), COMPARE_FLOATS), flag(47, "- FTZ"), LOGIC],
        &[P3, P0, A.neg(43).abs(7), FLOAT.neg(6).abs(44), Q]),
    row("FSET", [0x5800, 0x4800, 0x3000, 0], 8, &[flag(52, "- BF"), (bits(48, 4), COMPARE_FLOATS), flag(55, "- FTZ"), LOGIC],
        &[DCC, A.neg(43).abs(54), FLOAT.neg(53).abs(44), Q]),
    row("DSET", [0x5900, 0x4900, 0x3200, 0], 9, &[flag(52, "- BF"), (bits(48, 4), COMPARE_FLOATS), LOGIC],
        &[DCC, A.neg(43).abs(54), DOUBLE.neg(53).abs(44), Q]),
    row("FCMP", [0x5ba0, 0x4ba0, 0x36a0, 0x53a0], 12, &[(bits(48, 4), COMPARE_TO_ZERO), flag(47, "- FTZ")], &[D, A, FLOAT, C]),
    row("CSETP", [0x50a0, 0, 0, 0], 13, &[(bits(8, 5), CODES), LOGIC], &[P3, P0, n(Choice(0, "CC")), Q]),
    row("DSETP", [0x5b80, 0x4b80, 0x3680, 0], 12, &[(bits(48, 4), COMPARE_FLOATS), LOGIC], &[P3, P0, A.neg(43).abs(7), DOUBLE.neg(6).abs(44), Q]),
    // Floats.
    row("FADD", [0x5c58, 0x4c58, 0x3858, 0], 13, &[FTZ44, ROUND39, SAT50], &[DCC, A.neg(48).abs(46), FLOAT.neg(45).abs(49).cache(2)]),
    row("FADD32I", [0x0800, 0, 0, 0], 6, &[flag(55, "- FTZ")], &[D32, A.neg(56).abs(54), FLOAT32.neg(53).abs(57)]),
    row("FMUL", [0x5c68, 0x4c68, 0x3868, 0], 13, &[FMZ44, (bits(41, 3), "- D2 D4 D8 M8 M4 M2"), ROUND39, SAT50], &[DCC, A, FLOAT.neg(48)]),
    row("FMUL32I", [0x1e00, 0, 0, 0], 8, &[FMZ53, flag(55, "- SAT")], &[D32, A, FLOAT32]),
    row("FFMA", [0x5980, 0x4980, 0x3280, 0x5180], 9, &[FMZ53, ROUND51, SAT50], &[DCC, A, FLOAT.neg(48), C.neg(49)]),
    row("FFMA32I", [0x0c00, 0, 0, 0], 6, &[FMZ53, flag(55, "- SAT")], &[D32, A.neg(56), FLOAT32, D.neg(57).cache(2)]),
    row("FMNMX", [0x5c60, 0x4c60, 0x3860, 0], 13, &[FTZ44], &[DCC, A.neg(48).abs(46), FLOAT.neg(45).abs(49), Q]),
    row("MUFU", [0x5080, 0, 0, 0], 13, &[(bits(20, 4), "COS SIN EX2 LG2 RCP RSQ RCP64H RSQ64H"), SAT50], &[D, A.neg(48).abs(46)]).uncached(),
    row("MUFU.SQRT", [0x5080, 0, 0, 0], 13, &[SAT50], &[D, A.neg(48).abs(46)]).fixed(bits(20, 4), bit(23)).since(Chip::Sm52).uncached(),
    row("RRO", [0x5c90, 0x4c90, 0x3890, 0], 13, &[flag(39, "SINCOS EX2")], &[D, FLOAT.neg(45).abs(49)]),
    row("FCHK", [0x5c88, 0x4c88, 0x3888, 0], 13, &[(bits(39, 6), "DIVIDE")], &[P3, A.neg(48).abs(46), FLOAT.neg(45).abs(49)]),
    row("DADD", [0x5c70, 0x4c70, 0x3870, 0], 13, &[ROUND39], &[DCC, A.neg(48).abs(46), DOUBLE.neg(45).abs(49).cache(2)]),
    row("DMUL", [0x5c80, 0x4c80, 0x3880, 0], 13, &[ROUND39], &[DCC, A, DOUBLE.neg(48)]),
    row("DFMA", [0x5b70, 0x4b70, 0x3670, 0x5370], 12, &[ROUND50], &[DCC, A, DOUBLE.neg(48), C.neg(49)]),
    row("DMNMX", [0x5c50, 0x4c50, 0x3850, 0], 13, &[], &[DCC, A.neg(48).abs(46), DOUBLE.neg(45).abs(49), Q]),
    row("HADD2", [0x5d10, 0, 0, 0], 13, &[MERGES, flag(39, "- FTZ"), flag(32, "- SAT")],
        &[D, HA.neg(43).abs(44), HB.neg(31).abs(30).cache(2)]).since(Chip::Sm53),
    row("HADD2", [0, 0x7a80, 0, 0], 9, &[MERGES, flag(39, "- FTZ"), flag(52, "- SAT")],
        &[D, HA.neg(43).abs(44), INT.neg(56).abs(54)]).since(Chip::Sm53),
    row("HADD2", [0, 0, 0x7a00, 0], 9, &[MERGES, flag(39, "- FTZ"), flag(52, "- SAT")],
        &[D, HA.neg(43).abs(44), n(HALF_NUMBERS)]).since(Chip::Sm53),
    row("HMUL2", [0x5d08, 0, 0, 0], 13, &[MERGES, (bits(39, 2), "- FTZ FMZ"), flag(32, "- SAT")],
        &[D, HA.abs(44), HB.neg(31).abs(30)]).since(Chip::Sm53),
    row("HMUL2", [0, 0x7880, 0, 0], 9, &[MERGES, (bits(39, 2), "- FTZ FMZ"), flag(52, "- SAT")],
        &[D, HA.abs(44), INT.neg(43).abs(54)]).since(Chip::Sm53),
    row("HMUL2", [0, 0, 0x7800, 0], 9, &[MERGES, (bits(39, 2), "- FTZ FMZ"), flag(52, "- SAT")],
        &[D, HA.neg(43).abs(44), n(HALF_NUMBERS)]).since(Chip::Sm53),
    row("HFMA2", [0x5d00, 0, 0, 0], 13, &[MERGES, (bits(37, 2), "- FTZ FMZ"), flag(32, "- SAT")],
        &[D, HA, HB.neg(31), C.neg(30).part(bits(35, 2), HALVES)]).since(Chip::Sm53),
    row("HFMA2", [0, 0x7080, 0, 0], 5, &[MERGES, (bits(57, 2), "- FTZ FMZ"), flag(52, "- SAT")],
        &[D, HA, INT.neg(56), C.neg(51).part(bits(53, 2), HALVES)]).fixed(bit(55), 0).since(Chip::Sm53),
    row("HFMA2", [0, 0, 0x7000, 0], 5, &[MERGES, (bits(57, 2), "- FTZ FMZ"), flag(52, "- SAT")],
        &[D, HA, n(HALF_NUMBERS), C.neg(51).part(bits(53, 2), HALVES)]).fixed(bit(55), 0).since(Chip::Sm53),
    row("HFMA2", [0, 0, 0, 0x6080], 5, &[MERGES, (bits(57, 2), "- FTZ FMZ"), flag(52, "- SAT")],
        &[D, HA, INT.neg(56).part(bits(53, 2), HALVES), C.neg(51)]).fixed(bit(55), 0).since(Chip::Sm53),
    row("HADD2_32I", [0x2c00, 0, 0, 0], 7, &[flag(55, "- FTZ"), flag(52, "- SAT")],
        &[D, HA32.neg(56), n(HALF_NUMBERS32)]).since(Chip::Sm53),
    row("HMUL2_32I", [0x2a00, 0, 0, 0], 7, &[(bits(55, 2), "- FTZ FMZ"), flag(52, "- SAT")],
        &[D, HA32, n(HALF_NUMBERS32)]).since(Chip::Sm53),
    row("HFMA2_32I", [0x2800, 0, 0, 0], 7, &[(bits(55, 2), "- FTZ FMZ")],
        &[D, HA32, n(HALF_NUMBERS32), D.neg(52).cache(2)]).since(Chip::Sm53),
    row("HSETP2", [0x5d20, 0, 0, 0], 13, &[(bits(35, 4), COMPARE_FLOATS), flag(49, "- H_AND"), flag(6, "- FTZ"), LOGIC],
        &[P3, P0, HA.neg(43).abs(44), HB.neg(31).abs(30), Q]).since(Chip::Sm53),
    row("HSETP2", [0, 0x7e80, 0, 0], 9, &[(bits(49, 4), COMPARE_FLOATS), flag(53, "- H_AND"), flag(6, "- FTZ"), LOGIC],
        &[P3, P0, HA.neg(43).abs(44), INT.neg(56).abs(54), Q]).since(Chip::Sm53),
    row("HSETP2", [0, 0, 0x7e00, 0], 9, &[(bits(49, 4), COMPARE_FLOATS), flag(53, "- H_AND"), flag(6, "- FTZ"), LOGIC],
        &[P3, P0, HA.neg(43).abs(44), n(HALF_NUMBERS), Q]).since(Chip::Sm53),
    row("HSET2", [0x5d18, 0, 0, 0], 13, &[flag(49, "- BF"), (bits(35, 4), COMPARE_FLOATS), flag(50, "- FTZ"), LOGIC],
        &[D, HA.neg(43).abs(44), HB.neg(31).abs(30), Q]).since(Chip::Sm53),
    row("HSET2", [0, 0x7c80, 0, 0], 9, &[flag(53, "- BF"), (bits(49, 4), COMPARE_FLOATS), flag(54, "- FTZ"), LOGIC],
        &[D, HA.neg(43).abs(44), INT.neg(56), Q]).since(Chip::Sm53),
    row("HSET2", [0, 0, 0x7c00, 0], 9, &[flag(53, "- BF"), (bits(49, 4), COMPARE_FLOATS), flag(54, "- FTZ"), LOGIC],
        &[D, HA.neg(43).abs(44), n(HALF_NUMBERS), Q]).since(Chip::Sm53),
    // Conversions.
    row("F2F", [0x5ca8, 0x4ca8, 0x38a8, 0], 13, &[FTZ44, (bits(8, 4), "! ! ! ! ! F16.F16"), INTEGRAL, SAT50],
        &[DCC, SOURCE.neg(45).abs(49).part(bit(41), "- H1")]).cached_if(is_wide),
    row("F2F", [0x5ca8, 0x4ca8, 0x38a8, 0], 13, &[FTZ44, (bits(8, 4), "! ! ! ! ! ! F32.F16 F64.F16"), ROUND39, SAT50],
        &[DCC, SOURCE.neg(45).abs(49).part(bit(41), "- H1")]).cached_if(is_wide),
    row("F2F", [0x5ca8, 0x4ca8, 0x38a8, 0], 13, &[FTZ44, (bits(8, 4), "! ! ! ! ! ! ! ! ! ! F32.F32 ! ! ! ! F64.F64"), INTEGRAL, SAT50],
        &[DCC, SOURCE.neg(45).abs(49)]).cached_if(is_wide),
    row("F2F", [0x5ca8, 0x4ca8, 0x38a8, 0], 13, &[FTZ44, (bits(8, 4), "! ! ! ! ! ! ! ! ! F16.F32 ! F64.F32 ! F16.F64 F32.F64"), ROUND39, SAT50],
        &[DCC, SOURCE.neg(45).abs(49)]).cached_if(is_wide),
    row("F2I", [0x5cb0, 0x4cb0, 0x38b0, 0], 13, &[FTZ44, TO_INT, FROM_FLOAT, (bits(39, 2), "- FLOOR CEIL TRUNC")],
        &[DCC, SOURCE.neg(45).abs(49).part(bit(41), "- H1")]).cached_if(|word| is_wide(word) && !has(1, word)),
    row("I2F", [0x5cb8, 0x4cb8, 0x38b8, 0], 13, &[TO_FLOAT, FROM_INT, ROUND39], &[DCC, INT.neg(45).abs(49).part(bits(10, 2) | bits(41, 2), BYTES_OR_HALVES)]).cached_if(|word| is_wide(word) && !has(1, word)),
    // The warp.
    row("S2R", [0xf0c8, 0, 0, 0], 13, &[], &[D, n(Special)]),
    row("CS2R", [0x50c8, 0, 0, 0], 13, &[], &[D, n(Special)]),
    row("B2R", [0xf0b8, 0, 0, 0], 13, &[], &[D, n(Number(Unsigned, bits(8, 8)))]).fixed(bits(32, 2), 0),
    row("B2R.RESULT", [0xf0b8, 0, 0, 0], 13, &[], &[D, n(Predicate(45)).omitted(7)]).fixed(bits(32, 2) | bits(8, 8), bit(32) | bits(8, 8)),
    row("P2R", [0x5ce8, 0x4ce8, 0x38e8, 0], 13, &[(bits(41, 2), BYTES)], &[D, n(Choice(bit(40), "PR CC")), A, INT]),
    row("R2P", [0x5cf0, 0x4cf0, 0x38f0, 0], 13, &[], &[n(Choice(bit(40), "PR CC")), A.part(bits(41, 2), BYTES), UINT]),
    row("SHFL", [0xef10, 0, 0, 0], 13, &[(bits(30, 2), "IDX UP DOWN BFLY")],
        &[n(Predicate(48)), D, A, n(Either(bit(28), 20, bits(20, 5))), n(Either(bit(29), 39, bits(34, 13)))]).uncached(),
    row("VOTE", [0x50d8, 0, 0, 0], 13, &[(bits(48, 2), "ALL ANY EQ")], &[D.omitted(255), n(Predicate(45)), Q]),
    // Memory.
    row("LDC", [0xef90, 0, 0, 0], 13, &[(bits(48, 3), "U8 S8 U16 S16 - 64"), (bits(44, 2), "- IL IS ISL")], &[D, n(Indexed)]),
    row("LDG", [0xeed0, 0, 0, 0], 13, &[flag(45, "- E"), (bits(46, 2), "- CG CI CV"), (bits(48, 3), LOADS)], &[D, n(Address(bits(20, 24), 0))]),
    row("LD", [0x8000, 0, 0, 0], 3, &[flag(52, "- E"), (bits(56, 2), "- CG CI CV"), (bits(53, 3), LOADS)],
        &[D, n(Address(IMM32, 0)), n(Predicate(58)).omitted(7)]),
    row("LDS", [0xef48, 0, 0, 0], 13, &[(bit(44) | bits(48, 3), "U8 U.U8 S8 U.S8 U16 U.U16 S16 U.S16 - U.32 64 U.64 128 U.128")], &[D, n(Address(bits(20, 24), 0))]),
    row("LDL", [0xef40, 0, 0, 0], 13, &[(bits(44, 2), "- LU CI CV"), SIZES], &[D, n(Address(bits(20, 24), 0))]),
    row("STG", [0xeed8, 0, 0, 0], 13, &[flag(45, "- E"), (bits(46, 2), "- CG CS WT"), SIZES], &[n(Address(bits(20, 24), 0)), D]),
    row("ST", [0xa000, 0, 0, 0], 3, &[flag(52, "- E"), (bits(56, 2), "- CG CS WT"), (bits(53, 3), SIZES.1)],
        &[n(Address(IMM32, 0)), D, n(Predicate(58)).omitted(7)]),
    row("STS", [0xef58, 0, 0, 0], 13, &[SIZES], &[n(Address(bits(20, 24), 0)), D]),
    row("STL", [0xef50, 0, 0, 0], 13, &[(bits(44, 2), "- CG CS WT"), SIZES], &[n(Address(bits(20, 24), 0)), D]),
    row("ATOMS", [0xec00, 0, 0, 0], 8, &[(bits(52, 4), "ADD MIN MAX INC DEC AND OR XOR EXCH"), (bits(28, 2), "- S32 U64 S64")],
        &[D, n(Address(bits(30, 22), 2)), RB]).uncached(),
    row("ATOMS", [0xee00, 0, 0, 0], 10, &[flag(53, "CAST CAST.SPIN"), flag(52, "- 64")], &[D, n(Address(bits(30, 22), 2)), n(Pair(bit(52)))]).uncached(),
    row("ATOMS.CAS", [0xee40, 0, 0, 0], 11, &[flag(52, "- 64")], &[D, n(Address(bits(30, 22), 2)), n(Pair(bit(52)))]).uncached(),
    // Control flow.
    row("BRA", [0xe240, 0, 0, 0], 12, &[flag(7, "- U"), flag(6, "- LMT")], &[CODE, n(Label)]),
    row("JMP", [0xe210, 0, 0, 0], 12, &[flag(7, "- U"), flag(6, "- LMT")], &[CODE, n(Number(Unsigned, IMM32))]).fixed(bit(5), 0),
    row("BRX", [0xe250, 0, 0, 0], 12, &[flag(6, "- LMT")], &[CODE, n(Target)]),
    row("JMX", [0xe200, 0, 0, 0], 12, &[flag(6, "- LMT")], &[CODE, A]).fixed(bit(5) | IMM32, 0),
    row("EXIT", [0xe300, 0, 0, 0], 12, &[flag(5, "- KEEPREFCOUNT")], &[CODE]),
    row("SSY", [0xe290, 0, 0, 0], 12, &[], &[n(Label)]).unguarded(),
    row("PBK", [0xe2a0, 0, 0, 0], 12, &[], &[n(Label)]).unguarded(),
    row("PCNT", [0xe2b0, 0, 0, 0], 12, &[], &[n(Label)]).unguarded(),
    row("SYNC", [0xf0f8, 0, 0, 0], 13, &[], &[CODE]),
    row("BRK", [0xe340, 0, 0, 0], 12, &[], &[CODE]),
    row("CONT", [0xe350, 0, 0, 0], 12, &[], &[CODE]),
    row("CAL", [0xe260, 0, 0, 0], 12, &[flag(6, "NOINC -")], &[n(Label)]).unguarded(),
    row("PRET", [0xe270, 0, 0, 0], 12, &[flag(6, "NOINC -")], &[n(Label)]).unguarded(),
    row("JCAL", [0xe220, 0, 0, 0], 12, &[flag(6, "NOINC -")], &[n(Number(Unsigned, IMM32))]).fixed(bit(5), 0).unguarded(),
    row("BPT", [0xe3a0, 0, 0, 0], 12, &[(bits(6, 3), "DRAIN_ILLEGAL CAL PAUSE TRAP INT DRAIN")], &[n(Number(Unsigned, bits(20, 20))).omitted(0)]).unguarded(),
    row("RET", [0xe320, 0, 0, 0], 12, &[], &[CODE]),
    row("BAR.SYNC", [0xf0a8, 0, 0, 0], 13, &[], &[BARRIER, COUNT.omitted(1 << 12)])
        .fixed(bits(32, 2) | bits(39, 4), bits(39, 3)).uncached(),
    row("BAR.ARV", [0xf0a8, 0, 0, 0], 13, &[], &[BARRIER, COUNT])
        .fixed(bits(32, 2) | bits(39, 4), bit(32) | bits(39, 3)).uncached(),
    row("BAR.RED", [0xf0a8, 0, 0, 0], 13, &[(bits(35, 2), "POPC AND OR")],
        &[BARRIER, COUNT.omitted(1 << 12), Q]).fixed(bits(32, 2), bit(33)).uncached(),
    row("BAR.SCAN", [0xf0a8, 0, 0, 0], 13, &[],
        &[BARRIER, COUNT, Q]).fixed(bits(32, 2), bits(32, 2)).uncached(),
    // Order and caches.
    row("NOP", [0x50b0, 0, 0, 0], 13, &[flag(13, "- TRIG")], &[n(Code(8)).omitted(15), n(Number(Unsigned, bits(20, 16))).omitted(0)]),
    row("DEPBAR.LE", [0xf0f0, 0, 0, 0], 13, &[], &[n(Choice(bits(26, 3), "SB0 SB1 SB2 SB3 SB4 SB5")), n(Number(Unsigned, bits(20, 6))), n(Scoreboards).omitted(0)]).fixed(bit(29), bit(29)),
    row("DEPBAR", [0xf0f0, 0, 0, 0], 13, &[], &[n(Scoreboards).omitted(0)]).fixed(bit(29), 0),
    row("MEMBAR", [0xef98, 0, 0, 0], 13, &[(bits(8, 2), "CTA GL SYS VC"), (bits(0, 2), "- IVALLD IVALLT IVALLTD")], &[]),
    row("CCTL", [0xef60, 0, 0, 0], 11, &[flag(52, "- E"), (bits(4, 3), "- U C I CRS"), (bits(0, 4), "! PF1 PF1.5 PF2 WB IV IVALL RS ! RSLB")],
        &[n(Address(bits(22, 30), 2))]),
    row("CCTLL", [0xef80, 0, 0, 0], 13, &[(bits(4, 2), "- !"), (bits(0, 4), "! PF1 PF1.5 PF2 WB IV ! RS ! RSLB")],
        &[n(Address(bits(22, 22), 2))]),
];
