//! Elements of grids: notation, value, and the accesses of the last step.

use super::Grids;
use super::place::{CellKind, Place};
use crate::byte_range::ByteRange;
use crate::notation::Notation;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use lanewise_core::machine::{Change, SpaceId};
use lanewise_core::number::little_endian;

/// Effect of the last step on a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastAccess {
    #[default]
    None,
    /// Read without changing.
    Read,
    Changed,
    /// Wrote an unchanged value.
    SameWritten,
}

/// Element of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub place: Place,
    pub kind: CellKind,
    pub bits: u64,
    /// Value before the last step, if the step wrote the cell. In a buffer, the
    /// value before the launch, if it differs.
    pub was: Option<u64>,
    pub access: LastAccess,
    /// Text of a pointer, which needs the names of the program.
    pub text: Option<Rc<str>>,
}

impl Cell {
    pub fn new(place: Place, kind: CellKind, bits: u64) -> Self {
        Self {
            place,
            kind,
            bits,
            was: None,
            access: LastAccess::None,
            text: None,
        }
    }

    /// Whether the cell contains a place.
    pub fn holds(&self, place: Place) -> bool {
        match self.kind {
            CellKind::Value(notation) => {
                let size = u64::from(notation.ty.bytes());
                place.space == self.place.space
                    && place.address.wrapping_sub(self.place.address) < size
            }
            _ => place == self.place,
        }
    }

    /// Text of a value of the cell.
    pub fn text_of(&self, bits: u64) -> String {
        match (self.kind, &self.text) {
            (_, Some(text)) => text.to_string(),
            (CellKind::Value(notation), None) => notation.text(bits),
            (CellKind::Bit, None) => String::from(if bits == 1 { "1" } else { "0" }),
            (CellKind::Mask(width), None) => mask_text(bits, width),
            (CellKind::Pointer, None) => format!("{bits:#x}"),
        }
    }
}

/// Bits of a mask in groups of four; lane 0 is on the right.
fn mask_text(mask: u64, width: u32) -> String {
    (0..width).rev().fold(String::new(), |mut bits, bit| {
        bits.push(if mask >> bit & 1 == 1 { '1' } else { '0' });
        if bit > 0 && bit % 4 == 0 {
            bits.push(' ');
        }
        bits
    })
}

impl<'s> Grids<'s> {
    /// `count` cells from an address on, with the accesses of the last step.
    pub fn cells(
        &self,
        space: SpaceId,
        address: u64,
        count: usize,
        notation: Notation,
    ) -> Vec<Cell> {
        let size = usize::from(notation.ty.bytes());
        let mut bytes = vec![0; count * size];
        self.session
            .machine()
            .space(space)
            .read(address, &mut bytes);
        let changes = self.changes_in(space, address, bytes.len() as u64);
        let read = self.last_read();
        let addresses = (0..).map(|index| address.wrapping_add(index * size as u64));
        let cells = bytes.chunks(size).zip(addresses).map(|(chunk, address)| {
            let bits = little_endian(chunk);
            let was = before(chunk, address, &changes);
            let own = ByteRange::new(space, address, size as u64);
            let access = match was {
                _ if read.is_some_and(|read| read.overlaps(own)) => LastAccess::Read,
                None => LastAccess::None,
                Some(was) if was == bits => LastAccess::SameWritten,
                Some(_) => LastAccess::Changed,
            };
            Cell {
                was,
                access,
                ..Cell::new(Place::new(space, address), CellKind::Value(notation), bits)
            }
        });
        cells.collect()
    }

    /// Bytes that the last step read without changing: a gather, or a failed
    /// compare.
    pub fn last_read(&self) -> Option<ByteRange> {
        self.session.last_read().map(ByteRange::of)
    }

    /// Changes of the last step, in order, except those of a failed compare,
    /// which leave the value as it was.
    pub fn last_writes(self) -> impl Iterator<Item = &'s Change> {
        let read = self.last_read();
        let changes = self.session.last_changes().iter();
        changes.filter(move |change| {
            let bytes = u64::from(change.bytes);
            let own = ByteRange::new(change.space, change.address, bytes);
            read.is_none_or(|read| !read.overlaps(own))
        })
    }

    /// Changes of the last step in a range, in order.
    pub fn changes_in(&self, space: SpaceId, address: u64, bytes: u64) -> Vec<Change> {
        self.last_writes()
            .filter(|c| c.touches(space, address, bytes))
            .copied()
            .collect()
    }
}

/// Value of an element before the last step, if the step wrote to it.
fn before(now: &[u8], address: u64, changes: &[Change]) -> Option<u64> {
    let touched = |c: &&Change| c.touches(c.space, address, now.len() as u64);
    let mut old = None;
    // With several writes, the first one recorded the original value.
    for change in changes.iter().rev().filter(touched) {
        let bytes = old.get_or_insert_with(|| now.to_vec());
        for (i, byte) in (0..u64::from(change.bytes)).zip(change.old.to_le_bytes()) {
            let offset = change.address.wrapping_add(i).wrapping_sub(address);
            if let Some(slot) = usize::try_from(offset).ok().and_then(|o| bytes.get_mut(o)) {
                *slot = byte;
            }
        }
    }
    old.map(|bytes| little_endian(&bytes))
}
