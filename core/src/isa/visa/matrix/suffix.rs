//! Changes of a suffix that keep its precisions compatible.

use super::precision::{Column, Precision, PrecisionPair};
use super::text::MatrixSuffix;

impl MatrixSuffix {
    /// The suffix with another repeat count, and the closest of the `known` precisions
    /// whose row size matches the column; `None` without any.
    #[must_use]
    pub fn with_column(self, known: &[Precision], column: Column, rc: u8) -> Option<Self> {
        let far = |old: Precision, new: Precision| {
            let kind = u32::from(old.is_float() != new.is_float()) * 8;
            let sign = u32::from(old.is_signed() != new.is_signed());
            let bits = old.bits().abs_diff(new.bits());
            kind + sign + u32::from(bits)
        };
        let pairs = known.iter().flat_map(|w| known.iter().map(|a| (*w, *a)));
        let (w, a) = pairs
            .filter(|(w, a)| PrecisionPair::new(*w, *a).is_some_and(|pair| pair.column() == column))
            // Prefer to keep Src1, which determines the packing of B.
            .min_by_key(|(w, a)| 2 * far(self.w, *w) + far(self.a, *a))?;
        Some(Self { w, a, rc, ..self })
    }

    /// The suffix with another precision of Src1; that of Src2 is adjusted if they
    /// are incompatible.
    #[must_use]
    pub fn with_w(self, w: Precision) -> Self {
        let pair = PrecisionPair::new(w, self.a);
        let a = pair.map_or(w, |_| self.a);
        Self { w, a, ..self }
    }

    /// The suffix with another precision of Src2; that of Src1 is adjusted if they
    /// are incompatible.
    #[must_use]
    pub fn with_a(self, a: Precision) -> Self {
        let pair = PrecisionPair::new(self.w, a);
        let w = pair.map_or(a, |_| self.w);
        Self { w, a, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Precision::{Bf, Hf, S2, S4, S8, U2, U4, U8};

    fn suffix(w: Precision, a: Precision) -> MatrixSuffix {
        MatrixSuffix { w, a, sd: 8, rc: 3 }
    }

    #[test]
    fn closest_precisions_are_chosen() {
        for (from, column, wanted) in [
            ((S8, U4), Column::Whole, (S8, U8)),
            ((S8, U4), Column::Quarter, (S8, U2)),
            ((U8, S8), Column::Half, (U8, S4)),
            ((S4, S4), Column::Half, (S4, S2)),
            ((S2, S2), Column::Quarter, (S8, S2)),
            ((Bf, Bf), Column::Whole, (Bf, Bf)),
            ((Hf, Hf), Column::Half, (U8, U4)),
        ] {
            let new = suffix(from.0, from.1).with_column(&Precision::RUNNABLE, column, 5);
            let new = new.map(|new| (new.w, new.a, new.rc));
            assert_eq!(new, Some((wanted.0, wanted.1, 5)), "{from:?} {column:?}");
        }
        assert_eq!(suffix(S8, U4).with_w(Bf), suffix(Bf, Bf));
        assert_eq!(suffix(Bf, Bf).with_a(U4), suffix(U4, U4));
        assert_eq!(suffix(S8, S8).with_a(U4), suffix(S8, U4));
    }
}
