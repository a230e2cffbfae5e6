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
