//! Packed vector immediates: several elements in a doubleword.

use super::OperandType;
use crate::number::{ElementType, sign_extend};

/// Type of a packed vector immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedType {
    /// Eight signed nibbles.
    V,
    /// Eight unsigned nibbles.
    Uv,
    /// Four restricted floats.
    Vf,
}

impl PackedType {
    /// Type of the expanded elements.
    #[must_use]
    pub const fn element(self) -> ElementType {
        match self {
            Self::V => ElementType::W,
            Self::Uv => ElementType::Uw,
            Self::Vf => ElementType::F,
        }
    }

    /// Elements for 32 lanes, lowest first; they repeat.
    #[must_use]
    pub fn lanes(self, bits: u32) -> [u64; 32] {
        core::array::from_fn(|lane| {
            let nibble = u64::from(bits >> (lane % 8 * 4) & 0xf);
            match self {
                Self::V => sign_extend(nibble, 4).cast_unsigned() & 0xffff,
                Self::Uv => nibble,
                Self::Vf => restricted_float(u64::from(bits >> (lane % 4 * 8) & 0xff)),
            }
        })
    }
}

impl OperandType {
    /// The packed type, if it is one.
    #[must_use]
    pub fn packed(self) -> Option<PackedType> {
        match self.name() {
            "v" => Some(PackedType::V),
            "uv" => Some(PackedType::Uv),
            "vf" => Some(PackedType::Vf),
            _ => None,
        }
    }
}

/// Converts a restricted float (1-3-4, bias 3) to the bits of a float.
const fn restricted_float(byte: u64) -> u64 {
    let sign = (byte >> 7) << 31;
    match byte & 0x7f {
        0 => sign,
        size => sign | ((size << 19) + ((127 - 3) << 23)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restricted_floats_reach_from_an_eighth_to_31() {
        let float = |byte| f32::from_bits(u32::try_from(restricted_float(byte)).unwrap());
        for (byte, value) in [
            (0x30, 1.0),
            (0x01, 0.1328125),
            (0x7f, 31.0),
            (0xbe, -1.875),
            (0, 0.0),
        ] {
            assert_eq!(float(byte), value, "{byte:#x}");
        }
        assert!(float(0x80).is_sign_negative() && float(0x80) == 0.0);
    }

    #[test]
    fn elements_repeat() {
        let lanes = PackedType::V.lanes(0xfedc_ba98);
        assert_eq!((lanes[0], lanes[7], lanes[8]), (0xfff8, 0xffff, 0xfff8));
        assert_eq!(PackedType::Uv.lanes(0xfedc_ba98)[15], 0xf);
    }
}
