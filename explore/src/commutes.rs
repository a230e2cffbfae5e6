//! Whether accesses may change places wherever that can happen: then every
//! order comes to what the ascending one does.

use super::group::Group;
use super::reach::Reach;
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

/// How far that is known.
#[derive(Clone, Debug)]
pub(super) enum Commutes {
    /// Nobody asked.
    Unknown,
    /// There are contents to look at.
    Open(Vec<usize>),
    Known(bool),
}

impl Reach {
    /// Whether accesses may change places, once that is known.
    pub(super) fn commuting(
        &mut self,
        group: &mut Group,
        symbols: &SymbolTable,
        budget: &mut usize,
    ) -> Option<bool> {
        // What cannot be looked at to the end is not known to be so.
        let mut open = match core::mem::replace(&mut self.commutes, Commutes::Known(false)) {
            Commutes::Known(known) => {
                self.commutes = Commutes::Known(known);
                return Some(known);
            }
            Commutes::Open(open) => open,
            Commutes::Unknown => {
                let Some(found) = self.ascending(group, None, symbols) else {
                    return Some(false);
                };
                self.charge(budget);
                found.iter().rev().map(|found| found.content).collect()
            }
        };
        while let Some(content) = open.pop() {
            if *budget == 0 {
                open.push(content);
                self.commutes = Commutes::Open(open);
                return None;
            }
            let commute = self.commute_at(group, content, symbols);
            self.charge(budget);
            if commute != Some(true) {
                return Some(false);
            }
        }
        self.commutes = Commutes::Known(true);
        Some(true)
    }

    /// Whether they may with a content before them.
    fn commute_at(
        &mut self,
        group: &mut Group,
        content: usize,
        symbols: &SymbolTable,
    ) -> Option<bool> {
        for a in 0..group.classes.len() {
            let first = self.next(group, a, content, symbols)?;
            for b in 0..a {
                let second = self.next(group, b, content, symbols)?;
                let ab = self.next(group, b, first, symbols)?;
                if ab != self.next(group, a, second, symbols)? {
                    return Some(false);
                }
            }
        }
        Some(true)
    }
}
