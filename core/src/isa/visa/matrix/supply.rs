//! The EU that supplies each register of a shared Src2.
//!
//! Source: DPASW.md, "Semantics" for the formula and "Src2 data provided by EU0
//! and EU1" for the table. They disagree in two cells; execution uses the formula.

use super::{Precision, Shape};
use alloc::format;
use alloc::string::String;

/// A register of an EU's operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// 0 or 1.
    pub eu: u8,
    /// Index of the register within that EU's operand.
    pub register: u8,
}

/// Bytes of a register: DPASW exists only before PVC.
const GRF: u8 = 32;

/// Number of channels on these platforms.
const CHANNELS: u8 = 8;

/// The document's table, indexed by RC - 1 and column: the number of registers
/// supplied by EU0 and EU1. EU0's registers come first, and each EU's are in order
/// from its register 0.
const TABLE: [[[u8; 2]; 3]; 8] = [
    [[1, 0], [1, 0], [1, 0]],
    [[1, 1], [1, 0], [1, 0]],
    [[2, 1], [2, 0], [1, 0]],
    [[2, 2], [2, 0], [1, 0]],
    [[3, 2], [2, 1], [1, 1]],
    [[3, 3], [2, 1], [1, 1]],
    [[4, 3], [2, 2], [1, 1]],
    [[4, 4], [2, 2], [1, 1]],
];

/// The supply of Src2 for a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supply {
    shape: Shape,
}

impl Supply {
    /// The supply of a shape.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self { shape }
    }

    /// The supply for precisions, depth and repeat count; `None` if they cannot run.
    #[must_use]
    pub fn of(w: Precision, a: Precision, sd: u8, rc: u8) -> Option<Self> {
        Shape::new(CHANNELS, w, a, sd, rc).map(Self::new)
    }

    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Src2SizeInBytes. The document writes 8 for the depth.
    #[must_use]
    pub const fn bytes(&self) -> u16 {
        self.shape.src2_bytes()
    }

    /// NGrf: registers of the combined Src2.
    #[must_use]
    pub fn ngrf(&self) -> u8 {
        let registers = self.bytes().div_ceil(u16::from(GRF));
        u8::try_from(registers).expect("Src2 has at most eight registers")
    }

    /// NGrf_EU0 and NGrf_EU1: registers supplied by each EU, by the formula.
    #[must_use]
    pub fn counts(&self) -> [u8; 2] {
        let first = self.ngrf().div_ceil(2);
        [first, self.ngrf() - first]
    }

    /// Registers supplied by each EU, by the document's table; `None` for a depth
    /// other than 8.
    #[must_use]
    pub fn table_counts(&self) -> Option<[u8; 2]> {
        if self.shape.sd != 8 {
            return None;
        }
        let row = TABLE.get(usize::from(self.shape.rc) - 1)?;
        row.get(self.shape.pair.column() as usize).copied()
    }

    /// Source of register `i` of the combined Src2, by the formula.
    #[must_use]
    pub fn source(&self, i: u8) -> Option<Source> {
        nth(self.counts(), i)
    }

    /// Source of register `i` of the combined Src2, by the document's table.
    #[must_use]
    pub fn table_source(&self, i: u8) -> Option<Source> {
        nth(self.table_counts()?, i)
    }

    /// Whether the table contradicts the formula, which is the case in two cells.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.table_counts().is_some_and(|t| t != self.counts())
    }

    /// Whether EU1 supplies anything. The document advises against configurations
    /// that share nothing.
    #[must_use]
    pub fn shares(&self) -> bool {
        self.ngrf() > 1
    }

    /// Rows of Src2 per EU, as counted by Intel's finalizer.
    #[must_use]
    pub const fn finalizer_rows(&self) -> u8 {
        self.shape.rc.div_ceil(2)
    }

    /// Bytes of Src2 per EU, as counted by Intel's finalizer in whole rows.
    #[must_use]
    pub fn finalizer_bytes(&self) -> u16 {
        u16::from(self.finalizer_rows()) * u16::from(self.shape.row_bytes())
    }

    /// Whether the finalizer counts fewer bytes than the formula. It still reads the
    /// same registers.
    #[must_use]
    pub fn finalizer_differs(&self) -> bool {
        self.finalizer_bytes() != u16::from(self.counts()[0]) * u16::from(GRF)
    }

    /// The evaluated formula, one line per step.
    #[must_use]
    pub fn steps(&self) -> [String; 4] {
        let shape = self.shape;
        let [first, second] = self.counts();
        let (bytes, ngrf) = (self.bytes(), self.ngrf());
        [
            format!(
                "Src2SizeInBytes = {} bits × {} / 8 × {} × RC {} = {bytes}",
                shape.pair.a().bits(),
                shape.pair.ops(),
                shape.sd,
                shape.rc,
            ),
            format!("NGrf = ({bytes} + 32 − 1) / 32 = {ngrf}"),
            format!("NGrf_EU0 = ({ngrf} + 1) / 2 = {first}"),
            format!("NGrf_EU1 = {ngrf} − {first} = {second}"),
        ]
    }

    /// One-line summary.
    #[must_use]
    pub fn summary(&self) -> String {
        let shape = self.shape;
        let [first, second] = self.counts();
        let depth = match shape.sd {
            8 => String::new(),
            sd => format!(", SD {sd}"),
        };
        let more = match (self.differs(), self.shares()) {
            (true, _) => "; the document's table disagrees",
            (_, false) => "; shares nothing",
            _ => "",
        };
        format!(
            "W {}, A {}{depth}, RC {}: NGrf {}, EU0 supplies {first}, EU1 supplies {second}{more}",
            shape.pair.w().name(),
            shape.pair.a().name(),
            shape.rc,
            self.ngrf(),
        )
    }
}

/// Source of register `i` if EU0 supplies the first registers and EU1 the rest.
fn nth([first, second]: [u8; 2], i: u8) -> Option<Source> {
    match i.checked_sub(first) {
        None => Some(Source { eu: 0, register: i }),
        Some(register) if register < second => Some(Source { eu: 1, register }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Precision::{Bf, S2, S4, S8};

    fn supply(w: Precision, a: Precision, rc: u8) -> Supply {
        Supply::of(w, a, 8, rc).unwrap()
    }

    #[test]
    fn summaries_read_well() {
        for (w, a, rc, wanted) in [
            (
                S8,
                S4,
                4,
                "W s8, A s4, RC 4: NGrf 2, EU0 supplies 1, EU1 supplies 1; the document's table disagrees",
            ),
            (
                S8,
                S2,
                1,
                "W s8, A s2, RC 1: NGrf 1, EU0 supplies 1, EU1 supplies 0; shares nothing",
            ),
            (
                Bf,
                Bf,
                7,
                "W bf, A bf, RC 7: NGrf 7, EU0 supplies 4, EU1 supplies 3",
            ),
        ] {
            assert_eq!(supply(w, a, rc).summary(), wanted);
        }
        assert_eq!(
            supply(S8, S4, 3).steps(),
            [
                "Src2SizeInBytes = 4 bits × 4 / 8 × 8 × RC 3 = 48",
                "NGrf = (48 + 32 − 1) / 32 = 2",
                "NGrf_EU0 = (2 + 1) / 2 = 1",
                "NGrf_EU1 = 2 − 1 = 1",
            ]
        );
    }

    #[test]
    fn an_odd_count_gives_eu0_one_more() {
        let supply = supply(S8, S8, 5);
        let of = |eu, register| Some(Source { eu, register });
        assert_eq!(supply.source(2), of(0, 2));
        assert_eq!(supply.source(3), of(1, 0));
        assert_eq!((supply.source(4), supply.source(5)), (of(1, 1), None));
    }
}
