//! Available configurations: repeat counts × bytes per row of Src2, and the
//! precisions.

use lanewise_core::isa::visa::matrix::layout::MatrixRole;
use lanewise_core::isa::visa::matrix::precision::Column;
use lanewise_core::isa::visa::matrix::{
    Layout, MatrixSuffix, Precision, PrecisionPair, Shape, Supply,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Configuration {
    pub(crate) column: Column,
    pub(crate) rc: u8,
    /// Registers of Src2 supplied by EU0 and EU1; if each EU reads its own, the
    /// number that one of them reads, and 0.
    pub(crate) counts: [u8; 2],
    pub(crate) shared: bool,
    /// Counts in the document's table, if they contradict the formula.
    pub(crate) table: Option<[u8; 2]>,
    pub(crate) current: bool,
}

impl Configuration {
    /// Configuration of a column and a repeat count; `channels` is the
    /// execution size.
    pub(crate) fn new(
        written: MatrixSuffix,
        column: Column,
        rc: u8,
        shared: bool,
        channels: u8,
    ) -> Self {
        let (w, a) = representative(column);
        // Invalid depth; treated as 8.
        let sd = if matches!(written.sd, 1 | 2 | 4) {
            written.sd
        } else {
            8
        };
        let runs = "each column has valid precisions for these depths and counts";
        let supply = Supply::of(w, a, sd, rc).expect(runs);
        let own = Layout::new(Shape::new(channels, w, a, sd, rc).expect(runs));
        let counts = if shared {
            supply.counts()
        } else {
            [own.registers(MatrixRole::A, 0), 0]
        };
        let current =
            PrecisionPair::new(written.w, written.a).map(PrecisionPair::column) == Some(column);
        Self {
            column,
            rc,
            counts,
            shared,
            table: supply.table_counts().filter(|_| shared && supply.differs()),
            current: current && written.rc == rc,
        }
    }

    /// Whether a pair that could share has nothing to share.
    pub(crate) fn shares_nothing(&self) -> bool {
        self.shared && self.counts[1] == 0
    }

    pub(crate) fn name(&self) -> String {
        let [first, second] = self.counts;
        let bytes = row_bytes(self.column, 8);
        let start = format!("RC {}, {bytes} bytes per row", self.rc);
        if !self.shared {
            return format!("{start}: NGrf {first}");
        }
        let more = match (self.table, self.shares_nothing()) {
            (Some([table, rest]), _) => {
                format!("; table and formula disagree: {table} and {rest} by the table")
            }
            (None, true) => String::from("; shares nothing"),
            (None, false) => String::new(),
        };
        format!("{start}: EU0 supplies {first}, EU1 supplies {second}{more}")
    }
}

pub(crate) fn row_bytes(column: Column, sd: u8) -> u8 {
    match column {
        Column::Whole => 4 * sd,
        Column::Half => 2 * sd,
        Column::Quarter => sd,
    }
}

/// A pair of precisions of a column.
fn representative(column: Column) -> (Precision, Precision) {
    match column {
        Column::Whole => (Precision::S8, Precision::S8),
        Column::Half => (Precision::S8, Precision::S4),
        Column::Quarter => (Precision::S8, Precision::S2),
    }
}

/// The suffix with another repeat count, and the closest precisions whose row
/// size matches the column.
pub(crate) fn with_configuration(
    suffix: MatrixSuffix,
    known: &[Precision],
    column: Column,
    rc: u8,
) -> MatrixSuffix {
    let far = |old: Precision, new: Precision| {
        let kind = u32::from(old.is_float() != new.is_float()) * 8;
        let sign = u32::from(old.is_signed() != new.is_signed());
        let bits = old.bits().abs_diff(new.bits());
        kind + sign + u32::from(bits)
    };
    let pairs = known.iter().flat_map(|w| known.iter().map(|a| (*w, *a)));
    let nearest = pairs
        .filter(|(w, a)| PrecisionPair::new(*w, *a).is_some_and(|pair| pair.column() == column))
        // Prefer to keep Src1, which determines the packing of B.
        .min_by_key(|(w, a)| 2 * far(suffix.w, *w) + far(suffix.a, *a));
    let (w, a) = nearest.expect("each column has precisions of every matrix instruction");
    MatrixSuffix { w, a, rc, ..suffix }
}

/// The suffix with another precision of Src1; that of Src2 is adjusted if they
/// are incompatible.
pub(crate) fn with_w(suffix: MatrixSuffix, w: Precision) -> MatrixSuffix {
    let a = if PrecisionPair::new(w, suffix.a).is_some() {
        suffix.a
    } else {
        w
    };
    MatrixSuffix { w, a, ..suffix }
}

pub(crate) fn with_a(suffix: MatrixSuffix, a: Precision) -> MatrixSuffix {
    let w = if PrecisionPair::new(suffix.w, a).is_some() {
        suffix.w
    } else {
        a
    };
    MatrixSuffix { w, a, ..suffix }
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
        ] {
            let new = with_configuration(suffix(from.0, from.1), &Precision::RUNNABLE, column, 5);
            assert_eq!(
                (new.w, new.a, new.rc),
                (wanted.0, wanted.1, 5),
                "{from:?} {column:?}"
            );
        }
        let float = with_configuration(suffix(Hf, Hf), &Precision::RUNNABLE, Column::Half, 1);
        assert_eq!(
            PrecisionPair::new(float.w, float.a).map(PrecisionPair::column),
            Some(Column::Half)
        );
        let new = with_w(suffix(S8, U4), Bf);
        assert_eq!((new.w, new.a), (Bf, Bf));
        let new = with_a(suffix(Bf, Bf), U4);
        assert_eq!((new.w, new.a), (U4, U4));
        let new = with_a(suffix(S8, S8), U4);
        assert_eq!((new.w, new.a), (S8, U4));
    }
}
