//! Binary floating-point formats.

/// Binary floating-point format with sign, exponent and fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatFormat {
    /// 1-5-2, the upper byte of a binary16.
    Bf8,
    /// 1-4-3 without infinities: only the largest pattern is NaN.
    Hf8,
    /// IEEE binary16.
    F16,
    /// 1-8-7, the upper half of a binary32.
    Bf16,
    /// 1-8-10, the upper 19 bits of a binary32.
    Tf32,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

impl FloatFormat {
    /// Width of the fraction in bits.
    #[must_use]
    pub const fn fraction(self) -> u32 {
        match self {
            Self::Bf8 => 2,
            Self::Hf8 => 3,
            Self::Bf16 => 7,
            Self::F16 | Self::Tf32 => 10,
            Self::F32 => 23,
            Self::F64 => 52,
        }
    }

    /// Width of the exponent in bits.
    #[must_use]
    pub const fn exponent(self) -> u32 {
        match self {
            Self::Hf8 => 4,
            Self::Bf8 | Self::F16 => 5,
            Self::Bf16 | Self::Tf32 | Self::F32 => 8,
            Self::F64 => 11,
        }
    }

    /// Exponent bias.
    #[must_use]
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent() - 1)) - 1
    }

    /// The bits of the exponent.
    #[must_use]
    pub const fn exponent_mask(self) -> u64 {
        ((1 << self.exponent()) - 1) << self.fraction()
    }

    /// Bits of positive infinity; of NaN in a format without infinities.
    #[must_use]
    pub const fn infinity(self) -> u64 {
        match self {
            Self::Hf8 => self.sign() - 1,
            _ => self.exponent_mask(),
        }
    }

    /// The sign bit.
    #[must_use]
    pub const fn sign(self) -> u64 {
        1 << (self.exponent() + self.fraction())
    }

    /// Bits of the canonical quiet NaN.
    #[must_use]
    pub const fn quiet_nan(self) -> u64 {
        self.infinity() | 1 << (self.fraction() - 1)
    }

    /// Whether the bits encode a subnormal number.
    #[must_use]
    pub const fn is_subnormal(self, bits: u64) -> bool {
        bits & self.exponent_mask() == 0 && bits & (self.sign() - 1) != 0
    }
}
