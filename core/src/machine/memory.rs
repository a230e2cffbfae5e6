//! A sparse 64-bit byte space of mapped regions.

use crate::diagnostic::to_usize;
use crate::number::set_bits;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

/// Page size in bytes. Pages are aligned, so an aligned access never straddles two
/// pages.
pub const PAGE_BYTES: usize = 4096;
const PAGE: u64 = 4096;

type Page = [u8; PAGE_BYTES];

#[derive(Clone, Debug)]
struct MappedRange {
    start: u64,
    /// The last mapped byte, inclusive since a region can end at 2^64.
    last: u64,
    pages: Vec<Rc<Page>>,
}

impl MappedRange {
    #[inline]
    fn contains(&self, address: u64, bytes: u8) -> bool {
        let within = self.start <= address && address <= self.last;
        within && self.last - address >= u64::from(bytes.max(1)) - 1
    }

    #[inline]
    fn page_index(&self, address: u64) -> usize {
        usize::try_from(address / PAGE - self.start / PAGE).expect("regions are bounded")
    }
}

/// Number of pages of a region.
#[must_use]
pub fn page_count(start: u64, bytes: u64) -> u64 {
    match bytes.checked_sub(1) {
        Some(more) => start.saturating_add(more) / PAGE - start / PAGE + 1,
        None => 0,
    }
}

#[inline]
fn within_page(address: u64) -> usize {
    usize::try_from(address % PAGE).expect("a page has 4096 bytes")
}

fn bytes_in(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).expect("a length fits 64 bits")
}

/// Error for overlapping regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the region overlaps the one at {other:#x}")]
pub struct Overlap {
    /// Start of the existing region.
    pub other: u64,
}

/// Mapped regions and their bytes, initially zero. Clones share pages copy-on-write.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// In ascending order of addresses.
    regions: Vec<MappedRange>,
    /// A zero page, shared by all unwritten pages.
    zeros: Option<Rc<Page>>,
    mapped_bytes: u64,
    bound: bool,
}

impl Memory {
    /// Creates an empty memory.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            regions: Vec::new(),
            zeros: None,
            mapped_bytes: 0,
            bound: false,
        }
    }

    /// Maps `bytes` zero bytes from `start`, truncated at 2^64. Does nothing if `bytes`
    /// is 0.
    ///
    /// # Errors
    /// If the region overlaps an existing one.
    pub fn map(&mut self, start: u64, bytes: u64) -> Result<(), Overlap> {
        self.bound = true;
        if bytes == 0 {
            return Ok(());
        }
        let last = start.saturating_add(bytes - 1);
        // Regions are disjoint, so only the last one that starts before the end can overlap.
        let at = self.regions.partition_point(|r| r.start <= last);
        let before = at.checked_sub(1).and_then(|i| self.regions.get(i));
        if let Some(other) = before.filter(|r| start <= r.last) {
            return Err(Overlap { other: other.start });
        }
        let count = usize::try_from(page_count(start, bytes));
        let count = count.expect("callers bound what they map");
        let zeros = self
            .zeros
            .get_or_insert_with(|| Rc::new([0; PAGE_BYTES]))
            .clone();
        let region = MappedRange {
            start,
            last,
            pages: core::iter::repeat_n(zeros, count).collect(),
        };
        self.regions.insert(at, region);
        self.mapped_bytes += (last - start).saturating_add(1);
        Ok(())
    }

    /// The mapped regions as (start, length in bytes) in ascending order.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        self.regions
            .iter()
            .map(|r| (r.start, (r.last - r.start).saturating_add(1)))
    }

    /// Sets all mapped bytes to zero.
    pub fn clear(&mut self) {
        if let Some(zeros) = &self.zeros {
            for page in self.regions.iter_mut().flat_map(|region| &mut region.pages) {
                *page = Rc::clone(zeros);
            }
        }
    }

    /// Marks the space as bound, even if it is empty.
    pub const fn bind(&mut self) {
        self.bound = true;
    }

    /// Whether the space is bound, even if it is empty.
    #[must_use]
    pub const fn is_bound(&self) -> bool {
        self.bound
    }

    /// Total number of mapped bytes.
    #[must_use]
    pub const fn mapped_bytes(&self) -> u64 {
        self.mapped_bytes
    }

    /// Whether `address .. address + bytes` is mapped, in one or more adjacent regions.
    #[must_use]
    #[inline]
    pub fn is_mapped(&self, address: u64, bytes: u8) -> bool {
        let bytes_wide = u64::from(bytes.max(1));
        self.find(address, bytes).is_some() || self.mapped_from(address, bytes_wide) >= bytes_wide
    }

    /// Number of contiguously mapped bytes from `address`. Stops at the end of the region
    /// in which the count reaches `enough`.
    #[must_use]
    pub fn mapped_from(&self, address: u64, enough: u64) -> u64 {
        let Some(first) = self.find(address, 1) else {
            return 0;
        };
        let mut count = 0_u64;
        for region in self.regions.iter().skip(first) {
            let touches = count == 0 || address.checked_add(count) == Some(region.start);
            if !touches || count >= enough {
                break;
            }
            count = (region.last - address).saturating_add(1);
        }
        count
    }

    /// Prepares many [`Self::is_mapped`] queries.
    #[must_use]
    pub fn mapped(&self) -> Mapped<'_> {
        Mapped {
            only: match self.regions.as_slice() {
                [only] => Some((only.start, only.last)),
                _ => None,
            },
            memory: self,
        }
    }

    #[inline]
    fn find(&self, address: u64, bytes: u8) -> Option<usize> {
        // Fast path for the first region, which is that of the registers and predicates.
        if self.regions.first()?.contains(address, bytes) {
            return Some(0);
        }
        let after = self.regions.partition_point(|r| r.start <= address);
        let index = after.checked_sub(1)?;
        self.regions
            .get(index)?
            .contains(address, bytes)
            .then_some(index)
    }

    /// Reads `bytes` (1 to 8) at `address`, little-endian.
    #[must_use]
    #[inline]
    pub fn load(&self, address: u64, bytes: u8) -> Option<u64> {
        let Some(index) = self.find(address, bytes) else {
            return self.load_across(address, bytes);
        };
        let region = self.regions.get(index)?;
        let page = region.pages.get(region.page_index(address))?;
        let cell = page.get(within_page(address)..)?;
        // Fast path for whole cells of constant sizes.
        let value = match bytes {
            1 => cell.first().map(|b| u64::from(*b)),
            2 => cell
                .first_chunk()
                .map(|c| u64::from(u16::from_le_bytes(*c))),
            4 => cell
                .first_chunk()
                .map(|c| u64::from(u32::from_le_bytes(*c))),
            8 => cell.first_chunk().map(|c| u64::from_le_bytes(*c)),
            _ => None,
        };
        match value {
            Some(value) => Some(value),
            None => self.load_across(address, bytes),
        }
    }

    /// Slow path for cells that straddle pages or adjacent regions.
    #[cold]
    fn load_across(&self, address: u64, bytes: u8) -> Option<u64> {
        (0..bytes).rev().try_fold(0, |value, i| {
            let at = address.checked_add(u64::from(i))?;
            let region = self.regions.get(self.find(at, 1)?)?;
            let page = region.pages.get(region.page_index(at))?;
            Some((value << 8) | u64::from(*page.get(within_page(at))?))
        })
    }

    /// `N` bytes at `address`, if they are within one page of one region.
    #[must_use]
    #[inline]
    pub fn block<const N: usize>(&self, address: u64) -> Option<&[u8; N]> {
        let region = self.regions.get(self.find(address, 1)?)?;
        let last = address.checked_add(u64::try_from(N).ok()?.checked_sub(1)?)?;
        let page = region.pages.get(region.page_index(address))?;
        let block = page.get(within_page(address)..)?.first_chunk()?;
        (last <= region.last).then_some(block)
    }

    /// `bytes` bytes at `address`, if they are within one page of one region.
    #[must_use]
    #[inline]
    pub fn slice(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        let (region, page, range) = self.place(address, bytes)?;
        self.regions.get(region)?.pages.get(page)?.get(range)
    }

    /// As [`Self::slice`], to be written.
    #[inline]
    pub fn slice_mut(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let (region, page, range) = self.place(address, bytes)?;
        Rc::make_mut(self.regions.get_mut(region)?.pages.get_mut(page)?).get_mut(range)
    }

    /// The region, the page and the range in it of `bytes` bytes at `address`, if they are
    /// within one page of one region.
    #[inline]
    fn place(&self, address: u64, bytes: usize) -> Option<(usize, usize, Range<usize>)> {
        let index = self.find(address, 1)?;
        let region = self.regions.get(index)?;
        let last = address.checked_add(u64::try_from(bytes).ok()?.checked_sub(1)?)?;
        let start = within_page(address);
        let range = start..start.checked_add(bytes)?;
        let is_whole = last <= region.last && range.end <= PAGE_BYTES;
        is_whole.then(|| (index, region.page_index(address), range))
    }

    /// Writes `bytes` (1 to 8) at `address`, little-endian. Returns false and writes
    /// nothing if they are not fully mapped.
    #[inline]
    pub fn store(&mut self, address: u64, bytes: u8, value: u64) -> bool {
        self.update(address, bytes, |_| value).is_some()
    }

    /// The mapped bytes of the page that contains `address`, for runs of cells; `None` if
    /// not mapped.
    #[inline]
    pub fn window(&mut self, address: u64) -> Option<PageMut<'_>> {
        let index = self.find(address, 1)?;
        let region = self.regions.get_mut(index)?;
        let page = region.page_index(address);
        let page_start = address - address % PAGE;
        let start = page_start.max(region.start);
        let last = (page_start + (PAGE - 1)).min(region.last);
        let bytes = Rc::make_mut(region.pages.get_mut(page)?);
        let bytes = bytes.get_mut(within_page(start)..=within_page(last))?;
        Some(PageMut { start, bytes })
    }

    /// Applies `f` to the value at `address`; returns the old value and the new value
    /// truncated to `bytes`.
    #[inline]
    pub fn update(
        &mut self,
        address: u64,
        bytes: u8,
        f: impl FnOnce(u64) -> u64,
    ) -> Option<(u64, u64)> {
        // Fast path for whole cells of constant sizes.
        match bytes {
            1 => self.update_whole::<1>(address, f),
            2 => self.update_whole::<2>(address, f),
            4 => self.update_whole::<4>(address, f),
            8 => self.update_whole::<8>(address, f),
            _ => self.update_across(address, bytes, f),
        }
    }

    #[inline]
    fn update_whole<const BYTES: usize>(
        &mut self,
        address: u64,
        f: impl FnOnce(u64) -> u64,
    ) -> Option<(u64, u64)> {
        let bytes = u8::try_from(BYTES).expect("a cell has at most 8 bytes");
        match self.cell::<BYTES>(address) {
            Some(cell) => Some(update_cell(cell, f)),
            None => self.update_across(address, bytes, f),
        }
    }

    /// The cell of `BYTES` bytes at `address`, if it is within one page of one region.
    #[inline]
    fn cell<const BYTES: usize>(&mut self, address: u64) -> Option<&mut [u8; BYTES]> {
        let index = self.find(address, u8::try_from(BYTES).ok()?)?;
        let region = self.regions.get_mut(index)?;
        let page = region.page_index(address);
        let page = Rc::make_mut(region.pages.get_mut(page)?);
        page.get_mut(within_page(address)..)?.first_chunk_mut()
    }

    /// Writes consecutive cells of `bytes` (1 to 8) from `address`, up to the first
    /// unmapped one.
    pub fn fill(&mut self, address: u64, bytes: u8, values: impl IntoIterator<Item = u64>) {
        let mut values = values.into_iter();
        let mut next = Some(address);
        while let Some(address) = next {
            let done = match self.window(address) {
                Some(mut window) => window.fill(address, bytes, &mut values),
                None => return,
            };
            next = address.checked_add(done);
            if done > 0 {
                continue;
            }
            // No values are left, or the cell straddles two pages.
            match values.next() {
                Some(value) if self.store(address, bytes, value) => {}
                _ => return,
            }
            next = address.checked_add(u64::from(bytes));
        }
    }

    #[cold]
    fn update_across(
        &mut self,
        address: u64,
        bytes: u8,
        f: impl FnOnce(u64) -> u64,
    ) -> Option<(u64, u64)> {
        let old = self.load(address, bytes)?;
        let new = f(old) & crate::number::low_mask(u32::from(bytes) * 8);
        for (i, byte) in (0..bytes).zip(new.to_le_bytes()) {
            let at = address + u64::from(i);
            let region = self.find(at, 1)?;
            let region = self.regions.get_mut(region)?;
            let page = region.page_index(at);
            *Rc::make_mut(region.pages.get_mut(page)?).get_mut(within_page(at))? = byte;
        }
        Some((old, new))
    }

    /// Writes cells of `bytes` (1, 2, 4 or 8) bytes in order and reports each: its address, old
    /// and new value; `None` for one that is missing or unmapped.
    #[inline]
    pub fn scatter(
        &mut self,
        bytes: u8,
        cells: impl Iterator<Item = Option<(u64, u64)>>,
        written: impl FnMut(Option<(u64, u64, u64)>),
    ) {
        match bytes {
            1 => self.scatter_cells::<1>(cells, written),
            2 => self.scatter_cells::<2>(cells, written),
            4 => self.scatter_cells::<4>(cells, written),
            _ => self.scatter_cells::<8>(cells, written),
        }
    }

    #[inline]
    fn scatter_cells<const BYTES: usize>(
        &mut self,
        mut cells: impl Iterator<Item = Option<(u64, u64)>>,
        mut written: impl FnMut(Option<(u64, u64, u64)>),
    ) {
        let mut next = cells.next();
        // Batches runs of cells in one page; cells that straddle pages are written alone.
        while let Some(cell) = next {
            let window = cell.and_then(|(address, _)| self.window(address));
            let mut is_run = false;
            if let Some(mut window) = window {
                while let Some(Some((address, value))) = next
                    && let Some(cell) = window.cell::<BYTES>(address)
                {
                    let (old, new) = update_cell(cell, |_| value);
                    written(Some((address, old, new)));
                    next = cells.next();
                    is_run = true;
                }
            }
            if is_run {
                continue;
            }
            let bytes = u8::try_from(BYTES).expect("a cell has at most 8 bytes");
            written(cell.and_then(|(address, value)| {
                let (old, new) = self.update_across(address, bytes, |_| value)?;
                Some((address, old, new))
            }));
            next = cells.next();
        }
    }

    /// Copies bytes to `out`, leaving bytes for unmapped addresses unchanged; returns the
    /// number of mapped bytes.
    pub fn read(&self, address: u64, out: &mut [u8]) -> usize {
        let mut mapped = 0;
        let mut at = Some(address);
        let mut rest = out;
        // Page by page, so a whole operand is usually one copy.
        while let Some(address) = at
            && !rest.is_empty()
        {
            let in_page = PAGE_BYTES - within_page(address);
            let (now, later) = rest.split_at_mut(in_page.min(rest.len()));
            mapped += self.read_in_page(address, now);
            at = address.checked_add(bytes_in(now));
            rest = later;
        }
        mapped
    }

    /// Copies bytes to memory, up to the first unmapped one.
    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        let mut at = Some(address);
        let mut rest = bytes;
        while let Some(address) = at
            && !rest.is_empty()
        {
            let window = self.window(address);
            let done = window.map_or(0, |mut window| window.write(address, rest));
            if done == 0 {
                return;
            }
            let (written, later) = rest.split_at(done);
            at = address.checked_add(bytes_in(written));
            rest = later;
        }
    }

    fn read_in_page(&self, address: u64, out: &mut [u8]) -> usize {
        let last = u64::try_from(out.len()).map_or(address, |n| address.saturating_add(n - 1));
        let whole = self
            .find(address, 1)
            .and_then(|i| self.regions.get(i))
            .filter(|region| last <= region.last);
        if let Some(region) = whole
            && let Some(page) = region.pages.get(region.page_index(address))
            && let Some(bytes) = page.get(within_page(address)..within_page(address) + out.len())
        {
            out.copy_from_slice(bytes);
            return out.len();
        }
        let mut mapped = 0;
        for (i, byte) in (0_u64..).zip(out.iter_mut()) {
            if let Some(value) = self.load(address + i, 1) {
                *byte = value.to_le_bytes()[0];
                mapped += 1;
            }
        }
        mapped
    }

    /// Bytes not shared with `earlier`: the list of pages and the unshared pages.
    #[must_use]
    pub fn bytes_beside(&self, earlier: &Self) -> usize {
        let beside = |region: &MappedRange, earlier: &MappedRange| {
            let pages = region.pages.iter().zip(&earlier.pages);
            let own = pages.filter(|(page, earlier)| !Rc::ptr_eq(page, earlier));
            own.count() * PAGE_BYTES + size_of_val(region.pages.as_slice())
        };
        let regions = self.regions.iter().zip(&earlier.regions);
        regions
            .map(|(region, earlier)| beside(region, earlier))
            .sum()
    }

    /// The bytes of the region that starts at `start`.
    #[must_use]
    pub fn region_bytes(&self, start: u64) -> Vec<u8> {
        let index = self.regions.binary_search_by_key(&start, |r| r.start);
        let Some(region) = index.ok().and_then(|i| self.regions.get(i)) else {
            return Vec::new();
        };
        let skip = within_page(region.start);
        let bytes = usize::try_from(region.last - region.start);
        let count = bytes.expect("a mapped region fits in memory") + 1;
        let pages: Vec<&[u8]> = region.pages.iter().map(|page| &page[..]).collect();
        pages.concat()[skip..][..count].to_vec()
    }
}

/// Prepared queries for mapped addresses.
#[derive(Clone, Copy, Debug)]
pub struct Mapped<'m> {
    /// First and last byte, if there is only one region.
    only: Option<(u64, u64)>,
    memory: &'m Memory,
}

impl Mapped<'_> {
    /// Whether `address .. address + bytes` is mapped.
    #[must_use]
    #[inline]
    pub fn contains(&self, address: u64, bytes: u8) -> bool {
        match self.only {
            Some((start, last)) => {
                start <= address && address <= last && last - address >= u64::from(bytes.max(1)) - 1
            }
            None => self.memory.is_mapped(address, bytes),
        }
    }
}

/// The writable mapped bytes of one page.
#[derive(Debug)]
pub struct PageMut<'m> {
    start: u64,
    bytes: &'m mut [u8],
}

impl PageMut<'_> {
    /// The cell of `BYTES` bytes at `address`, if it is within the window.
    #[inline]
    pub fn cell<const BYTES: usize>(&mut self, address: u64) -> Option<&mut [u8; BYTES]> {
        let at = usize::try_from(address.checked_sub(self.start)?).ok()?;
        self.bytes.get_mut(at..)?.first_chunk_mut()
    }

    /// Copies the bytes within the window; returns their number.
    fn write(&mut self, address: u64, bytes: &[u8]) -> usize {
        let at = address.checked_sub(self.start).map(usize::try_from);
        let Some(Ok(at)) = at else { return 0 };
        let room = self.bytes.get_mut(at..).unwrap_or_default();
        let count = room.len().min(bytes.len());
        if let (Some(to), Some(from)) = (room.get_mut(..count), bytes.get(..count)) {
            to.copy_from_slice(from);
        }
        count
    }

    /// Writes whole cells from `address` while there are values and space in the window;
    /// returns the number of bytes.
    fn fill(&mut self, address: u64, bytes: u8, values: &mut impl Iterator<Item = u64>) -> u64 {
        let from = address.checked_sub(self.start).map(usize::try_from);
        let rest = match from {
            Some(Ok(at)) => self.bytes.get_mut(at..).unwrap_or_default(),
            _ => return 0,
        };
        let mut done = 0;
        for cell in rest.chunks_exact_mut(usize::from(bytes.max(1))) {
            let Some(value) = values.next() else { break };
            for (byte, new) in cell.iter_mut().zip(value.to_le_bytes()) {
                *byte = new;
            }
            done += u64::from(bytes);
        }
        done
    }
}

/// Applies `f` to a cell; returns the old value and the new value truncated to the
/// cell.
#[inline]
pub fn update_cell<const BYTES: usize>(
    cell: &mut [u8; BYTES],
    f: impl FnOnce(u64) -> u64,
) -> (u64, u64) {
    let old = from_cell(cell);
    if let Some(new) = f(old).to_le_bytes().first_chunk() {
        *cell = *new;
    }
    (old, from_cell(cell))
}

/// Writes adjacent cells of `BYTES` bytes, those in the mask `enabled`, and reports the old and
/// new value of each.
#[inline]
pub(super) fn store_row<const BYTES: usize>(
    row: &mut [u8],
    enabled: u32,
    values: &[u64; 32],
    mut written: impl FnMut(usize, u64, u64),
) {
    let (cells, _) = row.as_chunks_mut::<BYTES>();
    let mut store = |lane, cell: &mut _, value| {
        let (old, new) = update_cell::<BYTES>(cell, |_| value);
        written(lane, old, new);
    };
    // Without gaps, the loop uses vector registers.
    if cells.len() <= to_usize(enabled.trailing_ones()) {
        for (lane, (cell, value)) in cells.iter_mut().zip(values).enumerate() {
            store(lane, cell, *value);
        }
        return;
    }
    for lane in set_bits(enabled) {
        store(lane, &mut cells[lane], values[lane]);
    }
}

#[inline]
fn from_cell<const BYTES: usize>(cell: &[u8; BYTES]) -> u64 {
    // The size is constant, so the other branches are eliminated.
    let cell = cell.as_slice();
    match BYTES {
        8 => cell.first_chunk().map_or(0, |c| u64::from_le_bytes(*c)),
        4 => cell
            .first_chunk()
            .map_or(0, |c| u64::from(u32::from_le_bytes(*c))),
        2 => cell
            .first_chunk()
            .map_or(0, |c| u64::from(u16::from_le_bytes(*c))),
        _ => cell.first().map_or(0, |b| u64::from(*b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_may_straddle_pages_and_regions_may_end_at_the_top() {
        let mut memory = Memory::new();
        memory.map(0x1ffe, 8).unwrap();
        memory.map(u64::MAX - 7, 100).unwrap();
        assert_eq!(memory.map(0x2000, 1), Err(Overlap { other: 0x1ffe }));
        assert_eq!(
            memory.update(0x1ffe, 4, |_| 0xdead_beef),
            Some((0, 0xdead_beef))
        );
        assert_eq!(memory.load(0x1fff, 2), Some(0xadbe));
        assert_eq!(memory.load(0x2004, 4), None);
        assert!(memory.store(u64::MAX - 7, 8, 5));
        assert_eq!(memory.load(u64::MAX, 2), None);
        assert_eq!(
            memory.regions().collect::<Vec<_>>(),
            [(0x1ffe, 8), (u64::MAX - 7, 8)]
        );
        assert_eq!(
            memory.region_bytes(0x1ffe),
            [0xef, 0xbe, 0xad, 0xde, 0, 0, 0, 0]
        );
    }

    #[test]
    fn accesses_span_adjacent_regions() {
        let mut memory = Memory::new();
        memory.map(0x1002, 6).unwrap();
        memory.map(0x1000, 2).unwrap();
        memory.map(0x1009, 1).unwrap();
        assert_eq!(memory.map(0xfff, 2), Err(Overlap { other: 0x1000 }));
        assert!(memory.is_mapped(0x1000, 8) && !memory.is_mapped(0x1006, 4));
        assert_eq!(
            (memory.mapped_from(0x1001, 9), memory.mapped_bytes()),
            (7, 9)
        );
        assert_eq!(
            memory.update(0x1001, 4, |_| 0x0403_0201),
            Some((0, 0x0403_0201))
        );
        assert_eq!(memory.load(0x1000, 8), Some(0x04_0302_0100));
        assert!(!memory.store(0x1007, 2, 0xffff));
        assert_eq!(memory.load(0x1007, 1), Some(0), "no partial writes");
    }

    #[test]
    fn cells_are_filled_across_pages_up_to_the_end() {
        let mut memory = Memory::new();
        memory.map(0x1ffd, 7).unwrap();
        memory.fill(0x1ffd, 2, 0x101..);
        assert_eq!(memory.region_bytes(0x1ffd), [1, 1, 2, 1, 3, 1, 0]);
        memory.fill(0x1ffe, 1, [9, 9, 9]);
        assert_eq!(memory.region_bytes(0x1ffd), [1, 9, 9, 9, 3, 1, 0]);
    }

    #[test]
    fn cells_are_scattered_over_pages_and_reported() {
        let mut memory = Memory::new();
        memory.map(0x1ff0, 0x20).unwrap();
        let cells = [
            Some((0x1ff0, 1)),
            Some((0x1ffe, 0x0403_0201)),
            Some((0x3000, 9)),
            None,
            Some((0x2004, 7)),
            Some((0x1ff0, 2)),
        ];
        let mut reported = Vec::new();
        memory.scatter(4, cells.into_iter(), |change| reported.push(change));
        let expected = [
            Some((0x1ff0, 0, 1)),
            Some((0x1ffe, 0, 0x0403_0201)),
            None,
            None,
            Some((0x2004, 0, 7)),
            Some((0x1ff0, 1, 2)),
        ];
        assert_eq!(reported, expected);
        assert_eq!(memory.load(0x1ffe, 4), Some(0x0403_0201));
        assert_eq!(memory.slice(0x2004, 4), Some(&[7, 0, 0, 0][..]));
        assert_eq!(memory.slice(0x1ffe, 4), None, "straddles two pages");
        assert_eq!(memory.slice(0x200c, 5), None, "partially unmapped");
    }

    #[test]
    fn bytes_are_written_across_pages_up_to_the_end() {
        let mut memory = Memory::new();
        memory.map(0x1ffd, 5).unwrap();
        memory.write(0x1ffe, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(memory.region_bytes(0x1ffd), [0, 1, 2, 3, 4]);
        memory.write(0x3000, &[1]);
        memory.write(u64::MAX, &[1, 2]);
    }

    #[test]
    fn copies_own_only_written_pages() {
        let mut memory = Memory::new();
        memory.map(0, 3 * PAGE).unwrap();
        let list = 3 * size_of::<Rc<Page>>();
        let earlier = memory.clone();
        assert_eq!(memory.bytes_beside(&earlier), list);
        memory.store(PAGE, 4, 1);
        memory.store(PAGE + 8, 4, 1);
        assert_eq!(memory.bytes_beside(&earlier), list + PAGE_BYTES);
    }

    #[test]
    fn a_clone_keeps_its_bytes() {
        let mut memory = Memory::new();
        memory.map(0, 16).unwrap();
        memory.store(0, 4, 1);
        let before = memory.clone();
        memory.store(0, 4, 2);
        assert_eq!((before.load(0, 4), memory.load(0, 4)), (Some(1), Some(2)));
    }
}
