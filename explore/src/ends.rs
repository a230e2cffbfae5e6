//! Which contents may stay at the end, where results do not tell.

use super::closure::bit;
use super::group::Group;
use super::reach::{FEW, Reach};
use super::returns::insert;
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

impl Reach {
    /// The one content at the end, where accesses commute.
    pub(super) fn end(&mut self, group: &mut Group, symbols: &SymbolTable) -> Option<u64> {
        if self.commuting(group, symbols, &mut { usize::MAX }) != Some(true) {
            return None;
        }
        let mut content = 0;
        for lane in 0..group.units.len() {
            let class = group.class_of.get(lane).copied()?;
            content = self.next(group, class, content, symbols)?;
        }
        Some(group.content(content))
    }

    /// Every content that may stay at the end, where that follows from how
    /// contents are reached: the accesses that a way to it leaves over change
    /// nothing somewhere on that way.
    pub(super) fn ends(&mut self, group: &mut Group, symbols: &SymbolTable) -> Option<Vec<u64>> {
        if let Some(end) = self.end(group, symbols) {
            return Some(alloc::vec![end]);
        }
        let bound = self.bound(group, None, symbols)?;
        let (found, all) = self.ways(group, None, FEW, Some(bound), symbols);
        if !all {
            return None;
        }
        let classes = group.classes.len();
        let mut ends = Vec::new();
        let mut open = Vec::new();
        for way in &found {
            let content = group.content(way.content);
            let mut left: Vec<usize> = (0..group.units.len())
                .filter(|lane| way.used & bit(*lane) == 0)
                .collect();
            let mut at = Some(*way);
            while let Some(here) = at {
                let mut moving = Vec::new();
                for lane in left {
                    let class = group.class_of.get(lane).copied()?;
                    if self.next(group, class, here.content, symbols)? != here.content {
                        moving.push(lane);
                    }
                }
                left = moving;
                at = here.came.and_then(|(before, _)| found.get(before).copied());
            }
            if left.is_empty() {
                insert(&mut ends, content);
            } else {
                open.push(way.content);
            }
        }
        for content in open {
            if ends.contains(&group.content(content)) {
                continue;
            }
            // Nothing comes back to the first content, and something leaves it.
            let mut entered = content != 0;
            for way in &found {
                for class in 0..classes {
                    let next = self.next(group, class, way.content, symbols)?;
                    entered |= next == content && way.content != content;
                }
            }
            if entered {
                return None;
            }
        }
        Some(ends)
    }
}
