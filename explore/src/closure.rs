//! All contents that a group's accesses can make, where they are few, and
//! what follows from having them all: which accesses come to the same.

use super::group::{Group, Turn};
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

/// The most contents, and the most classes, that have a bit in a mask.
pub(super) const MOST: usize = 128;

/// The most contents that are looked for.
const MOST_CONTENTS: usize = 256;

/// Every turn of every class on every content that can come up.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    classes: usize,
    /// By content, then class.
    turns: Vec<Turn>,
    /// For each content, the contents that may come up from it on.
    pub(super) ahead: Vec<u128>,
    /// By content, then class: the first class that does the same from here
    /// on.
    merged: Vec<u8>,
    /// For each content, the classes that are not the first of their like, and
    /// which is.
    merges: Vec<Vec<(u8, u8)>>,
    /// For each content, the classes that change nothing from here on.
    idle: Vec<u128>,
    /// By content, then content: the classes that tell the two apart.
    differ: Vec<u128>,
}

pub(super) const fn bit(number: usize) -> u128 {
    if number < MOST { 1 << number } else { 0 }
}

pub(super) const fn has(mask: u128, number: usize) -> bool {
    mask & bit(number) != 0
}

impl Closure {
    /// Finds all contents; `None` where they are too many.
    pub(super) fn find(group: &mut Group, symbols: &SymbolTable) -> Option<Self> {
        let classes = group.classes.len();
        let mut turns = Vec::new();
        let mut content = 0;
        while content < group.met() {
            for class in 0..classes {
                turns.push(group.turn(class, content, symbols));
                if group.met() > MOST_CONTENTS {
                    return None;
                }
            }
            content += 1;
        }
        Some(Self {
            classes,
            turns,
            ahead: Vec::new(),
            merged: Vec::new(),
            merges: Vec::new(),
            idle: Vec::new(),
            differ: Vec::new(),
        })
    }

    pub(super) fn turn(&self, class: usize, content: usize) -> Option<&Turn> {
        self.turns.get(content * self.classes + class)
    }

    fn next(&self, class: usize, content: usize) -> usize {
        self.turn(class, content).map_or(content, |t| t.next)
    }

    /// The content that a class leaves whatever it finds.
    pub(super) fn constant(&self, class: usize) -> Option<usize> {
        let mut left = self.turns.iter().skip(class).step_by(self.classes.max(1));
        let first = left.next()?.next;
        left.all(|t| t.next == first).then_some(first)
    }

    /// Whether the order of any two accesses makes no difference to the
    /// content.
    pub(super) fn commutes(&self) -> bool {
        let contents = self.turns.len() / self.classes.max(1);
        (0..contents).all(|content| {
            (0..self.classes).all(|a| {
                (0..a).all(|b| {
                    let (first, second) = (self.next(a, content), self.next(b, content));
                    self.next(b, first) == self.next(a, second)
                })
            })
        })
    }

    /// Whether what a class returns tells the content that it found.
    pub(super) fn tells(&self) -> bool {
        (0..self.classes).all(|class| {
            let of = |n: usize| self.turns.iter().skip(class + n * self.classes);
            let mut own = of(0).step_by(self.classes).enumerate();
            own.all(|(n, t)| {
                let mut others = of(n + 1).step_by(self.classes);
                others.all(|other| other.returned != t.returned)
            })
        })
    }

    /// Compares classes and contents; `None` where they are too many for
    /// masks.
    pub(super) fn compared(mut self, contents: usize) -> Option<Self> {
        if contents > MOST || self.classes > MOST {
            return None;
        }
        self.ahead = (0..contents).map(bit).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for content in 0..contents {
                let mut mask = self.ahead.get(content).copied().unwrap_or(0);
                for class in 0..self.classes {
                    let next = self.next(class, content);
                    mask |= self.ahead.get(next).copied().unwrap_or(0);
                }
                if let Some(own) = self.ahead.get_mut(content).filter(|own| **own != mask) {
                    *own = mask;
                    changed = true;
                }
            }
        }
        for content in 0..contents {
            let ahead = self.ahead.get(content).copied().unwrap_or(0);
            let ahead = move || (0..contents).filter(move |other| has(ahead, *other));
            let mut idle = 0;
            let mut merges = Vec::new();
            for class in 0..self.classes {
                let same = |other: &usize| ahead().all(|at| self.same(class, *other, at));
                let first = (0..class).find(same).unwrap_or(class);
                self.merged.push(u8::try_from(first).unwrap_or(0));
                if first != class
                    && let (Ok(class), Ok(first)) = (u8::try_from(class), u8::try_from(first))
                {
                    merges.push((class, first));
                }
                if ahead().all(|at| self.next(class, at) == at) {
                    idle |= bit(class);
                }
            }
            self.idle.push(idle);
            self.merges.push(merges);
            for other in 0..contents {
                let tells = |class: &usize| {
                    let (a, b) = (self.next(*class, content), self.next(*class, other));
                    a != b || a == content || b == other
                };
                let mask = (0..self.classes).filter(tells);
                self.differ
                    .push(mask.fold(0, |mask, class| mask | bit(class)));
            }
        }
        Some(self)
    }

    fn same(&self, a: usize, b: usize, content: usize) -> bool {
        self.next(a, content) == self.next(b, content)
    }

    /// The first class that does what this one does, from a content on.
    pub(super) fn merged(&self, class: usize, content: usize) -> usize {
        let merged = self.merged.get(content * self.classes + class);
        merged.map_or(class, |c| usize::from(*c))
    }

    /// The classes that are not the first that does what they do, from a
    /// content on, and which is.
    pub(super) fn merges(&self, content: usize) -> &[(u8, u8)] {
        self.merges.get(content).map_or(&[], Vec::as_slice)
    }

    /// Whether a class changes nothing from a content on.
    pub(super) fn is_idle(&self, class: usize, content: usize) -> bool {
        has(self.idle.get(content).copied().unwrap_or(0), class)
    }

    /// The first content that the classes that are left cannot tell from this
    /// one: each of them changes both, to the same.
    pub(super) fn like(&self, content: usize, left: u128) -> usize {
        let own = self.differ.get(content * self.ahead.len()..);
        let own = own.unwrap_or(&[]).iter().take(content);
        let mut own = own.enumerate();
        own.find(|(_, differ)| *differ & left == 0)
            .map_or(content, |(other, _)| other)
    }
}
