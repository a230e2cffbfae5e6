//! Placement of matrix elements: the EU, register and bits of `A[i][k]`, and the
//! element at a bit of a register.
//!
//! D = C + A × B with C and D of RC × N, A of RC × K and B of K × N elements,
//! where N is the execution size and K = SD × OPS_PER_CHAN:
//!
//! * C (Src0) and D (Dst): row-major, one element per channel. A row of dwords
//!   fills a register, a row of bf or hf half a register.
//! * B (Src1): column n is channel n. Each dword of the channel packs 32 / bits
//!   elements of consecutive k, the lowest k in the lowest bits (the packing
//!   that other tools call VNNI).
//! * A (Src2): row-major without gaps, so a register contains one, two, four or more
//!   whole rows. The operand can start at any byte of a register; a row, or even an
//!   element, can then end in the next register.
//!
//! Sources: DPAS.md for the layout, DPASW.md for the registers of Src2 supplied by
//! each EU.

use super::{Precision, Shape, Supply};

/// One of the four matrices of D = C + A × B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixRole {
    /// Src2: RC rows, K columns.
    A,
    /// Src1: K rows, one column per channel.
    B,
    /// Src0: RC rows, one column per channel.
    C,
    /// Dst: RC rows, one column per channel.
    D,
}

impl MatrixRole {
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
        }
    }

    /// The operand that contains it.
    #[must_use]
    pub const fn operand(self) -> &'static str {
        match self {
            Self::A => "Src2",
            Self::B => "Src1",
            Self::C => "Src0",
            Self::D => "Dst",
        }
    }

    /// Names of row and column, as in `A[i][k]`, `B[k][n]`, `D[i][n]`.
    #[must_use]
    pub const fn axes(self) -> [&'static str; 2] {
        match self {
            Self::A => ["i", "k"],
            Self::B => ["k", "n"],
            Self::C | Self::D => ["i", "n"],
        }
    }
}

/// An element by its coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Index {
    /// Row: i, or k for B.
    pub row: u8,
    /// Column: n, or k for A.
    pub column: u8,
}

/// Location of an element. An element of a misaligned Src2 can end in the next
/// register: [`Layout::in_registers`] returns its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The EU whose register file contains it: 0 or 1.
    pub eu: u8,
    /// Register, relative to the first register of the operand.
    pub register: u8,
    /// The element's lowest bit in that register.
    pub first_bit: u16,
    /// The element's width in bits.
    pub bits: u8,
}

impl Location {
    /// The byte of the register with the element's lowest bit.
    #[must_use]
    pub const fn byte(self) -> u16 {
        self.first_bit / 8
    }

    /// The element's lowest and highest bit, relative to bit 0 of its byte. Elements
    /// wider than 8 bits end in a later byte.
    #[must_use]
    pub const fn bits_in_byte(self) -> (u16, u16) {
        let first = self.first_bit % 8;
        (first, first + self.bits as u16 - 1)
    }
}

/// Consecutive bits of one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegisterBits {
    /// The EU whose register file contains them: 0 or 1.
    pub eu: u8,
    /// Register, relative to the first register of the operand.
    pub register: u8,
    /// The lowest bit.
    pub first_bit: u16,
    /// Number of bits.
    pub count: u16,
}

/// Narrows a number of rows, columns or registers, which are few.
fn to_u8(count: u16) -> u8 {
    u8::try_from(count).expect("no matrix has more than 64 rows, columns or registers")
}

/// The layout of one instruction's matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    shape: Shape,
    shared: Option<[u8; 2]>,
    src2_start: u8,
    src0_bits: u8,
    dst_bits: u8,
}

impl Layout {
    /// The layout of a DPAS, whose threads read their own Src2, aligned to a register.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self {
            shape,
            shared: None,
            src2_start: 0,
            src0_bits: 32,
            dst_bits: 32,
        }
    }

    /// The same with Src2 shared by a fused pair: EU0 supplies the first registers, EU1
    /// the others, as in `counts`.
    #[must_use]
    pub const fn shared(self, counts: [u8; 2]) -> Self {
        Self {
            shared: Some(counts),
            ..self
        }
    }

    /// The same with a separate Src2 for each EU, as in a DPAS.
    #[must_use]
    pub const fn unshared(self) -> Self {
        Self {
            shared: None,
            ..self
        }
    }

    /// The same with Src2 starting at a byte of its first register, on both EUs if it is
    /// shared. `None` for a byte outside the register.
    #[must_use]
    pub fn src2_at(self, byte: u8) -> Option<Self> {
        (byte < self.register_bytes()).then_some(Self {
            src2_start: byte,
            ..self
        })
    }

    /// The same with 16-bit or 32-bit elements of Src0 and Dst.
    #[must_use]
    pub fn sums(self, src0_bits: u8, dst_bits: u8) -> Option<Self> {
        let fit = |bits| matches!(bits, 16 | 32);
        (fit(src0_bits) && fit(dst_bits)).then_some(Self {
            src0_bits,
            dst_bits,
            ..self
        })
    }

    /// The precision of A (Src2) or B (Src1); `None` for C and D, whose elements have the
    /// type of their variable.
    #[must_use]
    pub const fn precision(self, role: MatrixRole) -> Option<Precision> {
        match role {
            MatrixRole::A => Some(self.shape.pair().a()),
            MatrixRole::B => Some(self.shape.pair().w()),
            MatrixRole::C | MatrixRole::D => None,
        }
    }

    /// Bits of an element.
    #[must_use]
    pub const fn bits(self, role: MatrixRole) -> u8 {
        match role {
            MatrixRole::A => self.shape.pair().a().bits(),
            MatrixRole::B => self.shape.pair().w().bits(),
            MatrixRole::C => self.src0_bits,
            MatrixRole::D => self.dst_bits,
        }
    }

    /// OPS_PER_CHAN: products added per channel and stage.
    #[must_use]
    pub const fn ops(self) -> u8 {
        self.shape.pair().ops()
    }

    /// K: products of each element of D.
    #[must_use]
    pub const fn k(self) -> u8 {
        self.shape.k()
    }

    /// The systolic depth.
    #[must_use]
    pub const fn sd(self) -> u8 {
        self.shape.sd()
    }

    /// The repeat count: rows of A, C and D.
    #[must_use]
    pub const fn rc(self) -> u8 {
        self.shape.rc()
    }

    /// N, the execution size: columns of B, C and D.
    #[must_use]
    pub const fn channels(self) -> u8 {
        self.shape.channels()
    }

    /// Registers of Src2 supplied by each EU, if it is shared.
    #[must_use]
    pub const fn supplied(self) -> Option<[u8; 2]> {
        self.shared
    }

    /// Bytes of a register: 32, or 64 with 16 channels.
    #[must_use]
    pub const fn register_bytes(self) -> u8 {
        self.shape.grf_bytes()
    }

    /// Bytes of one row of A.
    #[must_use]
    pub const fn row_bytes(self) -> u8 {
        self.shape.row_bytes()
    }

    /// Rows and columns of a matrix.
    #[must_use]
    pub const fn size(self, role: MatrixRole) -> (u8, u8) {
        match role {
            MatrixRole::A => (self.rc(), self.k()),
            MatrixRole::B => (self.k(), self.channels()),
            MatrixRole::C | MatrixRole::D => (self.rc(), self.channels()),
        }
    }

    /// All elements of a matrix, row by row.
    pub fn elements(self, role: MatrixRole) -> impl Iterator<Item = Index> {
        let (rows, columns) = self.size(role);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Index { row, column }))
    }

    /// Locates an element used by an EU. If Src2 is shared, elements of A are the same
    /// for both EUs. `None` if the element does not exist.
    #[must_use]
    pub fn location(self, role: MatrixRole, eu: u8, index: Index) -> Option<Location> {
        let (rows, columns) = self.size(role);
        if eu > 1 || index.row >= rows || index.column >= columns {
            return None;
        }
        let bits = self.bits(role);
        let (row, column) = (u16::from(index.row), u16::from(index.column));
        let (register, first_bit, eu) = match role {
            MatrixRole::A => {
                let bit = (row * u16::from(self.k()) + column) * u16::from(bits);
                let (eu, bit) = self.supplied_bit(eu, bit)?;
                let bit = bit + u16::from(self.src2_start) * 8;
                let size = self.register_bits();
                (bit / size, bit % size, eu)
            }
            MatrixRole::B => {
                let per_dword = 32 / u16::from(bits);
                let first_bit = column * 32 + row % per_dword * u16::from(bits);
                (row / per_dword, first_bit, eu)
            }
            MatrixRole::C | MatrixRole::D => {
                let bit = (row * u16::from(columns) + column) * u16::from(bits);
                (bit / self.register_bits(), bit % self.register_bits(), eu)
            }
        };
        Some(Location {
            eu,
            register: to_u8(register),
            first_bit,
            bits,
        })
    }

    /// The one or two registers that contain `count` bits from the lowest bit of an
    /// element. `count` is at most that of a row.
    pub fn in_registers(
        self,
        location: Location,
        count: u16,
    ) -> impl Iterator<Item = RegisterBits> {
        let Location {
            eu,
            register,
            first_bit,
            ..
        } = location;
        let here = count.min(self.register_bits() - first_bit);
        debug_assert!(
            count - here <= self.register_bits(),
            "a row is not longer than a register"
        );
        let parts = [(register, first_bit, here), (register + 1, 0, count - here)];
        let parts = parts.into_iter().filter(|(.., count)| *count > 0);
        parts.map(move |(register, first_bit, count)| RegisterBits {
            eu,
            register,
            first_bit,
            count,
        })
    }

    /// The element at a bit of a register: the inverse of [`Self::location`]. `None` for
    /// bits that are not read.
    #[must_use]
    pub fn element(self, role: MatrixRole, eu: u8, register: u8, bit: u16) -> Option<Index> {
        if eu > 1 || bit >= self.register_bits() {
            return None;
        }
        let (rows, columns) = self.size(role);
        let bits = u16::from(self.bits(role));
        let register = u16::from(register);
        let (row, column) = match role {
            MatrixRole::A => {
                let start = u16::from(self.src2_start) * 8;
                let bit = (register * self.register_bits() + bit).checked_sub(start)?;
                let element = self.combined_bit(eu, bit)? / bits;
                (element / u16::from(columns), element % u16::from(columns))
            }
            MatrixRole::B => {
                let per_dword = 32 / bits;
                (register * per_dword + bit % 32 / bits, bit / 32)
            }
            MatrixRole::C | MatrixRole::D => {
                let element = (register * self.register_bits() + bit) / bits;
                (element / u16::from(columns), element % u16::from(columns))
            }
        };
        (row < u16::from(rows) && column < u16::from(columns)).then(|| Index {
            row: to_u8(row),
            column: to_u8(column),
        })
    }

    /// The registers that contain a row of A: one, or two if Src2 is not aligned. None if
    /// no EU supplies the row.
    pub fn row_parts(self, eu: u8, row: u8) -> impl Iterator<Item = RegisterBits> {
        let first = self.location(MatrixRole::A, eu, Index { row, column: 0 });
        let bits = u16::from(self.row_bytes()) * 8;
        let parts = first.map(|first| self.in_registers(first, bits));
        parts.into_iter().flatten()
    }

    /// Rows of A that a register of Src2 contains at least in part.
    #[must_use]
    pub fn rows_in(self, eu: u8, register: u8) -> core::ops::Range<u8> {
        let contains = |row: &u8| {
            let mut parts = self.row_parts(eu, *row);
            parts.any(|part| (part.eu, part.register) == (eu, register))
        };
        let mut rows = (0..self.rc()).filter(contains);
        match rows.next() {
            Some(first) => first..rows.next_back().unwrap_or(first) + 1,
            None => 0..0,
        }
    }

    /// Number of registers of an operand that are read from one EU, from the first
    /// register of the operand.
    #[must_use]
    pub fn registers(self, role: MatrixRole, eu: u8) -> u8 {
        let (rows, _) = self.size(role);
        match role {
            MatrixRole::A => {
                let all = self.shape.src2_bytes();
                let size = u16::from(self.register_bytes());
                let bytes = match (self.shared, eu) {
                    (None, _) => all,
                    (Some([first, _]), 0) => all.min(u16::from(first) * size),
                    (Some([first, second]), _) => all
                        .saturating_sub(u16::from(first) * size)
                        .min(u16::from(second) * size),
                };
                match bytes {
                    0 => 0,
                    _ => to_u8((bytes + u16::from(self.src2_start)).div_ceil(size)),
                }
            }
            MatrixRole::B => rows.div_ceil(32 / self.bits(role)),
            MatrixRole::C | MatrixRole::D => (rows * (self.bits(role) / 8)).div_ceil(4),
        }
    }

    /// The rows and columns of D that an element contributes to: a whole row for A, on
    /// both EUs if shared, and a whole column for B.
    #[must_use]
    pub fn feeds(
        self,
        role: MatrixRole,
        index: Index,
    ) -> (core::ops::Range<u8>, core::ops::Range<u8>) {
        let one = |at: u8| at..at.saturating_add(1);
        match role {
            MatrixRole::A => (one(index.row), 0..self.channels()),
            MatrixRole::B => (0..self.rc(), one(index.column)),
            MatrixRole::C | MatrixRole::D => (one(index.row), one(index.column)),
        }
    }

    fn register_bits(self) -> u16 {
        u16::from(self.register_bytes()) * 8
    }

    /// The source of a bit of A: the EU and the bit offset in that EU's operand.
    fn supplied_bit(self, eu: u8, bit: u16) -> Option<(u8, u16)> {
        let Some([first, second]) = self.shared else {
            return Some((eu, bit));
        };
        let first = u16::from(first) * self.register_bits();
        match bit.checked_sub(first) {
            None => Some((0, bit)),
            Some(rest) => (rest < u16::from(second) * self.register_bits()).then_some((1, rest)),
        }
    }

    /// The bit of A at a bit of an EU's operand.
    fn combined_bit(self, eu: u8, bit: u16) -> Option<u16> {
        let Some([first, second]) = self.shared else {
            return Some(bit);
        };
        let [first, second] = [first, second].map(|count| u16::from(count) * self.register_bits());
        match eu {
            0 => (bit < first).then_some(bit),
            _ => (bit < second).then_some(first + bit),
        }
    }
}

impl Supply {
    /// The layout of a DPASW by the formula or, with `by_table`, by the document's table
    /// if it covers the shape.
    #[must_use]
    pub fn layout(&self, by_table: bool) -> Option<Layout> {
        let counts = match by_table {
            true => self.table_counts()?,
            false => self.counts(),
        };
        Some(Layout::new(self.shape()).shared(counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const PRECISIONS: [Precision; 9] = [
        Precision::U2,
        Precision::S2,
        Precision::U4,
        Precision::S4,
        Precision::U8,
        Precision::S8,
        Precision::Bf,
        Precision::Hf,
        Precision::Tf32,
    ];

    /// Every layout that starts at a register, and some that do not.
    fn all() -> Vec<Layout> {
        let mut all = Vec::new();
        for w in PRECISIONS {
            for a in PRECISIONS {
                for (sd, rc) in [1, 2, 4, 8]
                    .into_iter()
                    .flat_map(|sd| (1..=8).map(move |rc| (sd, rc)))
                {
                    for channels in [8, 16] {
                        let Some(shape) = Shape::new(channels, w, a, sd, rc) else {
                            continue;
                        };
                        let own = Layout::new(shape);
                        all.push(own);
                        all.extend(own.sums(16, 32));
                        all.extend(own.sums(32, 16));
                        all.extend(own.src2_at(own.register_bytes() / 2));
                        all.extend(own.src2_at(own.register_bytes() - rc));
                    }
                    if let Some(shared) =
                        Supply::of(w, a, sd, rc).and_then(|supply| supply.layout(false))
                    {
                        all.push(shared);
                        all.extend(shared.src2_at(4 * rc - 1));
                    }
                }
            }
        }
        all
    }

    #[test]
    fn element_locations_round_trip() {
        let all = all();
        assert!(all.len() > 3000, "{}", all.len());
        for layout in all {
            for role in MatrixRole::ALL {
                for eu in 0..2 {
                    for index in layout.elements(role) {
                        let at = layout.location(role, eu, index).unwrap();
                        let count = layout.registers(role, at.eu);
                        assert!(at.register < count, "{layout:?} {role:?} {index:?} {at:?}");
                        let mut bits = 0;
                        for part in layout.in_registers(at, u16::from(at.bits)) {
                            assert!(
                                part.register < count,
                                "{layout:?} {role:?} {index:?} {at:?}"
                            );
                            for bit in part.first_bit..part.first_bit + part.count {
                                let back = layout.element(role, part.eu, part.register, bit);
                                assert_eq!(back, Some(index), "{layout:?} {role:?} {at:?}");
                                bits += 1;
                            }
                        }
                        assert_eq!(bits, at.bits, "{layout:?} {role:?} {at:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn read_bits_are_those_of_the_elements() {
        for layout in all() {
            for role in MatrixRole::ALL {
                let read = |eu| {
                    (0..16)
                        .flat_map(|register| (0..512).map(move |bit| (register, bit)))
                        .filter(|(register, bit)| {
                            layout.element(role, eu, *register, *bit).is_some()
                        })
                        .count()
                };
                let (rows, columns) = layout.size(role);
                let bits =
                    usize::from(rows) * usize::from(columns) * usize::from(layout.bits(role));
                let shared = role == MatrixRole::A && layout.supplied().is_some();
                let each = if shared { bits } else { 2 * bits };
                assert_eq!(read(0) + read(1), each, "{layout:?} {role:?}");
            }
        }
    }

    #[test]
    fn invalid_layouts_are_none() {
        use Precision::{Bf, Hf, S8, Tf32, U1};
        for (w, a, sd, rc, channels) in [
            (S8, Bf, 8, 8, 8),
            (Bf, Hf, 8, 8, 8),
            (U1, U1, 8, 8, 8),
            (Tf32, Bf, 8, 8, 16),
            (S8, S8, 3, 8, 8),
            (S8, S8, 8, 0, 8),
            (S8, S8, 8, 9, 8),
            (S8, S8, 8, 8, 32),
        ] {
            assert_eq!(Shape::new(channels, w, a, sd, rc), None);
        }
        let layout = Layout::new(Shape::new(8, S8, S8, 8, 8).unwrap());
        assert_eq!(layout.src2_at(32), None, "the next register");
        let index = Index { row: 8, column: 0 };
        assert_eq!(layout.location(MatrixRole::A, 0, index), None);
        assert_eq!(layout.element(MatrixRole::A, 0, 8, 0), None);
        assert_eq!(layout.element(MatrixRole::D, 0, 0, 256), None);
    }

    #[test]
    fn packings_match_the_documents() {
        use Precision::{Bf, S4, S8, Tf32, U2};
        let at = |layout: Layout, role, row, column| {
            let at = layout.location(role, 1, Index { row, column }).unwrap();
            (at.eu, at.register, at.byte(), at.bits_in_byte())
        };
        // Two k of a bf16 in one dword of the channel; one row of A a register.
        let bf = Supply::of(Bf, Bf, 8, 8).unwrap().layout(false).unwrap();
        assert_eq!(at(bf, MatrixRole::B, 5, 3), (1, 2, 14, (0, 15)));
        assert_eq!(at(bf, MatrixRole::A, 5, 3), (1, 1, 6, (0, 15)));
        // s8 with s4: rows of A have 16 bytes, R1 of the combined Src2 is
        // EU1's R0; four k of B in a dword.
        let mixed = Supply::of(S8, S4, 8, 3).unwrap();
        let formula = mixed.layout(false).unwrap();
        assert_eq!(at(formula, MatrixRole::A, 1, 31), (0, 0, 31, (4, 7)));
        assert_eq!(at(formula, MatrixRole::A, 2, 0), (1, 0, 0, (0, 3)));
        assert_eq!(at(formula, MatrixRole::B, 9, 7), (1, 2, 29, (0, 7)));
        let table = mixed.layout(true).unwrap();
        assert_eq!(at(table, MatrixRole::A, 2, 0), (0, 1, 0, (0, 3)));
        // 16 channels, registers of 64 bytes.
        let wide = Layout::new(Shape::new(16, Tf32, Tf32, 8, 8).unwrap());
        assert_eq!(wide.k(), 8);
        assert_eq!(at(wide, MatrixRole::A, 3, 1), (1, 1, 36, (0, 31)));
        assert_eq!(at(wide, MatrixRole::B, 7, 15), (1, 7, 60, (0, 31)));
        let wide = Layout::new(Shape::new(16, U2, U2, 8, 8).unwrap())
            .src2_at(32)
            .unwrap();
        assert_eq!(at(wide, MatrixRole::A, 2, 4), (1, 1, 1, (0, 1)));
        assert_eq!(wide.registers(MatrixRole::A, 1), 3);
    }
}
