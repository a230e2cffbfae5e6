//! The table of all transitions if there are few contents, and the indistinguishable
//! classes and contents derived from it.

use crate::budget::Budget;
use crate::conflict_set::{ConflictSet, Transition};
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

/// Maximum number of contents, classes or lanes in a mask.
const MASK_BITS: usize = 128;

/// Maximum number of contents of a table.
const MAX_CONTENTS: usize = 256;

/// All transitions of all classes on all reachable contents.
#[derive(Clone, Debug)]
pub(crate) struct TransitionTable {
    classes: usize,
    /// Indexed by content, then class.
    transitions: Vec<Transition>,
}

/// Indistinguishable classes and contents, for tables of at most 128 of each.
#[derive(Clone, Debug)]
pub(crate) struct Merges {
    /// By content: mask of the contents reachable from it, including itself.
    ahead: Vec<u128>,
    /// By content: the classes that behave like an earlier class from this content, each
    /// with the first such class.
    merged: Vec<Vec<(usize, usize)>>,
    /// By content: mask of the classes that change nothing from this content.
    idle: Vec<u128>,
    /// By pair of contents: mask of the classes that distinguish them.
    distinguishing: Vec<u128>,
}

/// The mask of a single number; empty if the number is too large.
pub(crate) const fn bit(number: usize) -> u128 {
    if number < MASK_BITS { 1 << number } else { 0 }
}

/// The numbers in a mask, ascending.
pub(crate) fn bits(mut mask: u128) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let number = usize::try_from(mask.trailing_zeros()).ok()?;
        (mask != 0).then(|| {
            mask &= mask - 1;
            number
        })
    })
}

impl TransitionTable {
    /// Finds all contents; `None` if there are too many.
    pub(crate) fn build(
        set: &mut ConflictSet,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> Option<Self> {
        let classes = set.classes.len();
        let mut transitions = Vec::new();
        let mut content = 0;
        while content < set.contents_len() {
            for class in 0..classes {
                transitions.push(set.apply(class, content, symbols));
                if set.contents_len() > MAX_CONTENTS {
                    budget.spend(transitions.len());
                    return None;
                }
            }
            content += 1;
        }
        budget.spend(transitions.len());
        Some(Self {
            classes,
            transitions,
        })
    }

    fn contents(&self) -> usize {
        self.transitions.len() / self.classes
    }

    pub(crate) fn transition(&self, class: usize, content: usize) -> Transition {
        self.transitions[content * self.classes + class]
    }

    fn next(&self, class: usize, content: usize) -> usize {
        self.transition(class, content).next
    }

    /// The content that a class always leaves, regardless of the previous content.
    pub(crate) fn constant(&self, class: usize) -> Option<usize> {
        let first = self.next(class, 0);
        (1..self.contents())
            .all(|content| self.next(class, content) == first)
            .then_some(first)
    }

    /// The content that each class leaves, if that never depends on the previous content.
    pub(crate) fn constants(&self) -> Option<Vec<usize>> {
        (0..self.classes)
            .map(|class| self.constant(class))
            .collect()
    }

    /// Whether the returned value of every class uniquely identifies the previous content.
    pub(crate) fn is_injective(&self) -> bool {
        (0..self.classes).all(|class| {
            let returned = (0..self.contents()).map(|n| self.transition(class, n).returned);
            let mut returned: Vec<u64> = returned.collect();
            returned.sort_unstable();
            returned.windows(2).all(|pair| pair[0] != pair[1])
        })
    }

    /// Compares classes and contents; `None` if there are too many contents. Classes always
    /// fit a mask, since an instruction has at most 128 accesses.
    pub(crate) fn merges(&self, budget: &mut Budget) -> Option<Merges> {
        let (contents, classes) = (self.contents(), self.classes);
        if contents > MASK_BITS {
            return None;
        }
        let mut ahead: Vec<u128> = (0..contents).map(bit).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for content in 0..contents {
                let next = (0..classes).map(|class| ahead[self.next(class, content)]);
                let mask = next.fold(ahead[content], |mask, next| mask | next);
                changed |= mask != ahead[content];
                ahead[content] = mask;
            }
            budget.spend(contents * classes / 8);
        }
        let mut merges = Merges {
            merged: Vec::new(),
            idle: Vec::new(),
            distinguishing: Vec::new(),
            ahead,
        };
        let mut compared = 0;
        for content in 0..contents {
            let ahead = merges.ahead[content];
            let mut merged = Vec::new();
            let mut idle = 0;
            for class in 0..classes {
                let first = (0..class).find(|other| {
                    compared += 1;
                    bits(ahead).all(|at| self.next(class, at) == self.next(*other, at))
                });
                merged.extend(first.map(|first| (class, first)));
                if bits(ahead).all(|at| self.next(class, at) == at) {
                    idle |= bit(class);
                }
            }
            merges.merged.push(merged);
            merges.idle.push(idle);
            for other in 0..contents {
                let distinguishes = |class: &usize| {
                    let (a, b) = (self.next(*class, content), self.next(*class, other));
                    a != b || a == content || b == other
                };
                let mask = (0..classes).filter(distinguishes);
                let mask = mask.fold(0, |mask, class| mask | bit(class));
                merges.distinguishing.push(mask);
            }
        }
        budget.spend((compared + contents * contents * classes) / 16);
        Some(merges)
    }
}

impl Merges {
    /// The classes that behave like an earlier class from a content, each with the first
    /// such class.
    pub(crate) fn merged(&self, content: usize) -> &[(usize, usize)] {
        &self.merged[content]
    }

    /// The first class that behaves like this one from a content.
    pub(crate) fn representative(&self, class: usize, content: usize) -> usize {
        let merged = self.merged[content].iter().find(|(own, _)| *own == class);
        merged.map_or(class, |(_, first)| *first)
    }

    /// Whether a class changes nothing from a content.
    pub(crate) fn is_idle(&self, class: usize, content: usize) -> bool {
        self.idle[content] & bit(class) != 0
    }

    /// The first content that the classes `left` cannot distinguish from this one, because
    /// each changes both to the same content.
    pub(crate) fn representative_content(&self, content: usize, left: u128) -> usize {
        let row = content * self.ahead.len();
        let earlier = &self.distinguishing[row..row + content];
        let alike = earlier.iter().position(|classes| classes & left == 0);
        alike.unwrap_or(content)
    }
}
