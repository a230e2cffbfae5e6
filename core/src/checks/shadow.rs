//! Which bytes of the machine have an undefined value, and where it comes from.

use crate::machine::SpaceId;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

/// Whether a byte is defined, and if not, the number of the origin of its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark(u16);

/// Set if the value has been computed from an undefined one, not only copied.
const COMPUTED: u16 = 1 << 15;

impl Mark {
    pub(super) const DEFINED: Self = Self(0);

    /// Largest number of an origin.
    pub(super) const MAX_ORIGIN: u16 = COMPUTED - 1;

    /// A byte whose value has an origin, from 1.
    #[must_use]
    pub(super) const fn of_origin(origin: u16) -> Self {
        Self(origin)
    }

    /// The number of the origin; `None` if the byte is defined.
    #[must_use]
    pub(super) const fn origin(self) -> Option<u16> {
        match self.0 & !COMPUTED {
            0 => None,
            origin => Some(origin),
        }
    }

    #[must_use]
    pub(super) const fn is_defined(self) -> bool {
        self.0 == 0
    }

    /// Whether the undefined value has been computed.
    #[must_use]
    pub(super) const fn is_computed(self) -> bool {
        self.0 & COMPUTED != 0
    }

    /// The mark of a value computed from this one.
    #[must_use]
    pub(super) const fn computed(self) -> Self {
        match self.0 {
            0 => self,
            mark => Self(mark | COMPUTED),
        }
    }
}

/// Units of a page.
const PAGE: u64 = 256;

const MARKS: usize = 256;

const WORDS: usize = 4;

/// Marks of 256 units in a row.
#[derive(Clone, Debug)]
struct MarkPage {
    initial: Mark,
    /// Bit n is set if unit n is undefined.
    undefined: [u64; WORDS],
    /// Their marks, where they are not all the initial one.
    marks: Option<Box<[Mark; MARKS]>>,
}

/// The marks of a space: of its bytes, or of the bits of its flags.
#[derive(Clone, Debug, Default)]
struct SpaceMarks {
    /// Of pages that have not been changed, by number; later ones take precedence.
    initial: Vec<(Range<u64>, Mark)>,
    pages: BTreeMap<u64, MarkPage>,
}

impl SpaceMarks {
    fn initial(&self, page: u64) -> Mark {
        let found = self.initial.iter().rev();
        let found = found.clone().find(|(pages, _)| pages.contains(&page));
        found.map_or(Mark::DEFINED, |(_, mark)| *mark)
    }
}

/// Bits `range` of a word.
fn bits(range: Range<u64>) -> u64 {
    let below = |end: u64| crate::number::low_mask(u32::try_from(end).unwrap_or(u32::MAX));
    below(range.end) & !below(range.start)
}

impl SpaceMarks {
    fn parts(range: Range<u64>) -> impl Iterator<Item = (u64, Range<u64>)> {
        let pages = range.start / PAGE..range.end.div_ceil(PAGE);
        pages.map(move |page| {
            let start = page * PAGE;
            let within = |unit: u64| unit.clamp(start, start + PAGE) - start;
            (page, within(range.start)..within(range.end))
        })
    }

    fn is_defined(&self, range: Range<u64>) -> bool {
        Self::parts(range).all(|(page, part)| match self.pages.get(&page) {
            None => self.initial(page).is_defined(),
            Some(page) => page
                .words(part)
                .all(|(word, mask)| page.undefined[word] & mask == 0),
        })
    }

    fn mark(&self, unit: u64) -> Mark {
        let number = unit / PAGE;
        match self.pages.get(&number) {
            None => self.initial(number),
            Some(page) => page.mark(unit % PAGE),
        }
    }

    fn set(&mut self, range: Range<u64>, mark: Mark) {
        for (number, part) in Self::parts(range) {
            if let Some(page) = self.pages.get_mut(&number) {
                page.set(part, mark);
                continue;
            }
            let initial = self.initial(number);
            if initial != mark {
                let mut page = MarkPage::new(initial);
                page.set(part, mark);
                self.pages.insert(number, page);
            }
        }
    }
}

impl MarkPage {
    fn new(initial: Mark) -> Self {
        Self {
            initial,
            undefined: [if initial.is_defined() { 0 } else { u64::MAX }; WORDS],
            marks: None,
        }
    }

    fn words(&self, part: Range<u64>) -> impl Iterator<Item = (usize, u64)> + use<> {
        let words = part.start / 64..part.end.div_ceil(64);
        words.map(move |word| {
            let start = word * 64;
            let within = |unit: u64| unit.clamp(start, start + 64) - start;
            let mask = bits(within(part.start)..within(part.end));
            (usize::try_from(word).expect("there are four"), mask)
        })
    }

    fn mark(&self, unit: u64) -> Mark {
        let at = usize::try_from(unit).expect("a page is small");
        match (self.undefined[at / 64] >> (at % 64) & 1, &self.marks) {
            (0, _) => Mark::DEFINED,
            (_, Some(marks)) => marks[at],
            (_, None) => self.initial,
        }
    }

    fn set(&mut self, part: Range<u64>, mark: Mark) {
        let initial = self.initial;
        for (word, mask) in self.words(part.clone()) {
            match mark.is_defined() {
                true => self.undefined[word] &= !mask,
                false => self.undefined[word] |= mask,
            }
        }
        if !mark.is_defined() && (self.marks.is_some() || mark != initial) {
            let fresh = || Box::new([initial; MARKS]);
            let marks = self.marks.get_or_insert_with(fresh);
            for unit in part {
                marks[usize::try_from(unit).expect("a page is small")] = mark;
            }
        }
    }
}

/// The marks of all spaces. Units are bytes, except in the flags, where they are bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Shadow {
    spaces: BTreeMap<SpaceId, SpaceMarks>,
}

impl Shadow {
    /// Forgets the marks of a space.
    pub(super) fn clear(&mut self, space: SpaceId) {
        self.spaces.remove(&space);
    }

    /// Marks the pages that hold a range, which forget what they had. Takes the same time
    /// for a range of any size.
    pub(super) fn fill(&mut self, space: SpaceId, range: Range<u64>, mark: Mark) {
        let pages = range.start / PAGE..range.end.div_ceil(PAGE);
        let marks = self.spaces.entry(space).or_default();
        marks.pages.retain(|page, _| !pages.contains(page));
        marks.initial.retain(|(before, _)| *before != pages);
        marks.initial.push((pages, mark));
    }

    /// Whether all units of a range are defined.
    #[must_use]
    pub(super) fn is_defined(&self, space: SpaceId, range: Range<u64>) -> bool {
        self.spaces
            .get(&space)
            .is_none_or(|marks| marks.is_defined(range))
    }

    /// Whether nothing in a space has ever been undefined.
    #[must_use]
    pub(super) fn is_clean(&self, space: SpaceId) -> bool {
        self.spaces
            .get(&space)
            .is_none_or(|marks| marks.initial.is_empty() && marks.pages.is_empty())
    }

    #[must_use]
    pub(super) fn mark(&self, space: SpaceId, unit: u64) -> Mark {
        let marks = self.spaces.get(&space);
        marks.map_or(Mark::DEFINED, |marks| marks.mark(unit))
    }

    /// The marks of a range, in runs that end at the ends of pages or earlier.
    pub(super) fn runs(
        &self,
        space: SpaceId,
        range: Range<u64>,
    ) -> impl Iterator<Item = (Range<u64>, Mark)> {
        let marks = self.spaces.get(&space);
        let mut at = range.start;
        core::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let (start, number) = (at, at / PAGE);
            let page_end = range.end.min((number + 1) * PAGE);
            let mark = marks.map_or(Mark::DEFINED, |marks| marks.mark(start));
            let is_touched = marks.is_some_and(|marks| marks.pages.contains_key(&number));
            at = page_end;
            if is_touched {
                let differs = |unit: &u64| marks.is_some_and(|marks| marks.mark(*unit) != mark);
                at = (start + 1..page_end).find(differs).unwrap_or(page_end);
            }
            Some((start..at, mark))
        })
    }

    pub(super) fn set(&mut self, space: SpaceId, range: Range<u64>, mark: Mark) {
        match self.spaces.get_mut(&space) {
            Some(marks) => marks.set(range, mark),
            None if mark.is_defined() => {}
            None => {
                let marks = self.spaces.entry(space).or_default();
                marks.set(range, mark);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_keep_their_marks() {
        const UNSET: Mark = Mark::of_origin(1);
        let space = SpaceId::SLM;
        let mut shadow = Shadow::default();
        shadow.fill(space, 0..0x1000, UNSET);
        assert_eq!(shadow.mark(space, 1000), UNSET);
        shadow.set(space, 60..700, Mark::DEFINED);
        assert!(shadow.is_defined(space, 60..700));
        assert!(!shadow.is_defined(space, 59..60));
        assert!(!shadow.is_defined(space, 700..701));
        let other = Mark::of_origin(7).computed();
        shadow.set(space, 250..260, other);
        assert_eq!(shadow.mark(space, 255), other);
        assert_eq!(shadow.mark(space, 259), other);
        assert_eq!(shadow.mark(space, 260), Mark::DEFINED);
        assert_eq!(shadow.mark(space, 59), UNSET);
        let runs: Vec<_> = shadow.runs(space, 50..770).collect();
        let expected = [
            (50..60, UNSET),
            (60..250, Mark::DEFINED),
            (250..256, other),
            (256..260, other),
            (260..512, Mark::DEFINED),
            (512..700, Mark::DEFINED),
            (700..768, UNSET),
            (768..770, UNSET),
        ];
        assert_eq!(runs, expected);
        assert!(shadow.is_defined(SpaceId::VIRTUAL, 0..u64::MAX));
    }
}
