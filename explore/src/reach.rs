//! What an access may find when its turn comes, and who goes before it so that
//! it does: a search of its own, which needs no list of results.

use super::closure::bit;
use super::commutes::Commutes;
use super::group::Group;
use super::returns::{Returns, insert};
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::SymbolTable;

/// The most contents that are looked at where every access is asked for.
const MOST_CONTENTS: usize = 1 << 12;

/// How often ways to a content are compared for one access.
const MOST_COMPARED: usize = 1 << 20;

/// The most contents where one access is asked for.
const MOST_ASKED: usize = 1 << 16;

/// The most values of one access that are kept.
const MOST_VALUES: usize = 1024;

/// How many ways to a content are tried at first: mostly these lead to all
/// others.
pub(super) const FEW: usize = 4;

/// A content that the others can leave behind, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) content: usize,
    /// The accesses made.
    pub(super) used: u128,
    /// Whence, and by which access.
    pub(super) came: Option<(usize, usize)>,
}

/// What one lane may find, and whether that is all.
#[derive(Clone, Debug)]
struct OfLane {
    lane: usize,
    found: Vec<Found>,
    all: bool,
}

/// The content before the instruction.
const START: Found = Found {
    content: 0,
    used: 0,
    came: None,
};

/// A search for what accesses find.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// The most contents.
    most: usize,
    /// By content, then class: the content after the turn, and one; 0 where
    /// nobody asked.
    turns: Vec<u32>,
    /// Whether any two accesses may change places.
    pub(super) commutes: Commutes,
    /// Work that was not charged yet: 16 for a turn, 1 for a look.
    spent: usize,
    /// The class to look at next, and what is known of those before.
    class: usize,
    known: Vec<Option<Vec<u64>>>,
    /// What the lane that was asked for last may find.
    asked: Option<OfLane>,
}

impl Reach {
    /// A search for what each access may find.
    pub(super) const fn of_all() -> Self {
        Self::new(MOST_CONTENTS)
    }

    /// A search for what one access may find.
    pub(super) const fn of_one() -> Self {
        Self::new(MOST_ASKED)
    }

    const fn new(most: usize) -> Self {
        Self {
            most,
            turns: Vec::new(),
            commutes: Commutes::Unknown,
            spent: 0,
            class: 0,
            known: Vec::new(),
            asked: None,
        }
    }

    /// The content after a turn; `None` where contents are too many.
    pub(super) fn next(
        &mut self,
        group: &mut Group,
        class: usize,
        content: usize,
        symbols: &SymbolTable,
    ) -> Option<usize> {
        if content >= self.most {
            return None;
        }
        let at = content * group.classes.len() + class;
        if self.turns.len() <= at {
            self.turns.resize(at + 1, 0);
        }
        self.spent += 1;
        let slot = self.turns.get_mut(at)?;
        if *slot == 0 {
            self.spent += 15;
            *slot = to_u32(group.turn(class, content, symbols).next + 1);
        }
        Some(to_usize(*slot) - 1)
    }

    /// Takes what was spent from a budget of accesses.
    pub(super) fn charge(&mut self, budget: &mut usize) {
        *budget = budget.saturating_sub(self.spent.div_ceil(16));
        self.spent = 0;
    }

    /// The content after a turn that was asked for before.
    pub(super) fn known(&self, group: &Group, class: usize, content: usize) -> Option<usize> {
        let slot = self.turns.get(content * group.classes.len() + class);
        slot.and_then(|slot| to_usize(*slot).checked_sub(1))
    }

    /// Every content that accesses make one after the other, ascending, some
    /// of them left out; `None` where these are too many.
    pub(super) fn ascending(
        &mut self,
        group: &mut Group,
        but: Option<usize>,
        symbols: &SymbolTable,
    ) -> Option<Vec<Found>> {
        let mut found = alloc::vec![START];
        let mut is_found = alloc::vec![true];
        for lane in (0..group.units.len()).filter(|lane| Some(*lane) != but) {
            let class = group.class_of.get(lane).copied().unwrap_or(0);
            for at in 0..found.len() {
                let Some(before) = found.get(at).copied() else {
                    break;
                };
                let content = self.next(group, class, before.content, symbols)?;
                if is_found.len() <= content {
                    is_found.resize(content + 1, false);
                }
                if found.len() > MOST_CONTENTS {
                    return None;
                }
                if let Some(is_found) = is_found.get_mut(content).filter(|is| !**is) {
                    *is_found = true;
                    found.push(Found {
                        content,
                        used: before.used | bit(lane),
                        came: Some((at, lane)),
                    });
                }
            }
        }
        Some(found)
    }

    /// How many contents as many accesses come to, each made however often: no
    /// more than these can be found. `None` where they are many.
    pub(super) fn bound(
        &mut self,
        group: &mut Group,
        but: Option<usize>,
        symbols: &SymbolTable,
    ) -> Option<usize> {
        let lanes = group.units.len() - usize::from(but.is_some());
        let mut contents = alloc::vec![0_usize];
        let mut is_known = alloc::vec![true];
        let mut start = 0;
        for _ in 0..lanes {
            let end = contents.len();
            for at in start..end {
                let content = contents.get(at).copied()?;
                for class in 0..group.classes.len() {
                    let own = group.classes.get(class).map_or(&[][..], |c| &c.lanes);
                    if own.iter().all(|lane| Some(*lane) == but) {
                        continue;
                    }
                    let next = self.next(group, class, content, symbols)?;
                    if is_known.len() <= next {
                        is_known.resize(next + 1, false);
                    }
                    if let Some(is_known) = is_known.get_mut(next).filter(|is| !**is) {
                        *is_known = true;
                        contents.push(next);
                    }
                }
                if contents.len() > MOST_VALUES {
                    return None;
                }
            }
            start = end;
        }
        Some(contents.len())
    }

    /// Contents that the accesses but one leave behind, each made once at
    /// most; ways that another one makes superfluous are left out, and more
    /// than `ways` to a content. Whether these are all of them.
    pub(super) fn ways(
        &mut self,
        group: &mut Group,
        but: Option<usize>,
        ways: usize,
        bound: Option<usize>,
        symbols: &SymbolTable,
    ) -> (Vec<Found>, bool) {
        let mut found = alloc::vec![START];
        // By content, the ways to it.
        let mut of: Vec<Vec<u32>> = alloc::vec![alloc::vec![0]];
        let (mut contents, mut all) = (1, true);
        let mut compared = 0;
        let mut at = 0;
        while let Some(before) = found.get(at).copied() {
            if Some(contents) == bound {
                return (found, true);
            }
            for class in 0..group.classes.len() {
                // Of equal accesses the first that is left.
                let lanes = group.classes.get(class).map_or(&[][..], |c| &c.lanes);
                let mut lanes = lanes.iter().copied();
                let lane = lanes.find(|lane| before.used & bit(*lane) == 0 && Some(*lane) != but);
                let Some(lane) = lane else { continue };
                let Some(content) = self.next(group, class, before.content, symbols) else {
                    all = false;
                    continue;
                };
                let used = before.used | bit(lane);
                if of.len() <= content {
                    of.resize(content + 1, Vec::new());
                }
                let Some(own) = of.get_mut(content) else {
                    continue;
                };
                let less = |way: &u32| {
                    let way = found.get(to_usize(*way));
                    way.is_some_and(|way| way.used & !used == 0)
                };
                compared += own.len();
                self.spent += own.len();
                if own.iter().any(less) {
                    continue;
                }
                if own.len() >= ways || compared > MOST_COMPARED {
                    all = false;
                    continue;
                }
                contents += usize::from(own.is_empty());
                own.push(to_u32(found.len()));
                found.push(Found {
                    content,
                    used,
                    came: Some((at, lane)),
                });
            }
            at += 1;
        }
        (found, all)
    }

    /// What an access may find; whether that is all.
    fn of(&mut self, group: &mut Group, lane: usize, symbols: &SymbolTable) -> (Vec<Found>, bool) {
        let commutes = self.commuting(group, symbols, &mut { usize::MAX });
        if commutes == Some(true)
            && let Some(found) = self.ascending(group, Some(lane), symbols)
        {
            return (found, true);
        }
        let bound = self.bound(group, Some(lane), symbols);
        if bound.is_some() {
            let (found, all) = self.ways(group, Some(lane), FEW, bound, symbols);
            if all {
                return (found, true);
            }
        }
        self.ways(group, Some(lane), usize::MAX, bound, symbols)
    }

    /// Finds what the accesses of one more class may return. What is known of
    /// all accesses, once it is.
    pub(super) fn work(
        &mut self,
        group: &mut Group,
        symbols: &SymbolTable,
        budget: &mut usize,
    ) -> Option<Returns> {
        let classes = group.classes.len();
        while self.class < classes {
            if *budget == 0 {
                return None;
            }
            let lanes = group.classes.get(self.class).map(|c| &c.lanes);
            let lane = lanes.and_then(|lanes| lanes.first()).copied().unwrap_or(0);
            let (found, all) = self.of(group, lane, symbols);
            *budget = budget.saturating_sub(found.len());
            self.charge(budget);
            let mut values = Vec::new();
            if all {
                for found in found {
                    insert(
                        &mut values,
                        group.turn(self.class, found.content, symbols).returned,
                    );
                }
            }
            self.known
                .push((all && values.len() <= MOST_VALUES).then_some(values));
            self.class += 1;
            if !all {
                // The others would take as long, and tell no more.
                self.known.resize(classes, None);
                self.class = classes;
            }
        }
        let of = |class: &usize| self.known.get(*class).cloned().flatten();
        Some(group.class_of.iter().map(of).collect())
    }

    /// An order in which an access returns a value; and where there is none,
    /// whether that is certain.
    pub(super) fn order(
        &mut self,
        group: &mut Group,
        lane: usize,
        value: u64,
        symbols: &SymbolTable,
    ) -> (Option<Vec<usize>>, bool) {
        let class = group.class_of.get(lane).copied().unwrap_or(0);
        // Whoever asks for another value of the lane has waited once.
        let asked = self.asked.take().filter(|asked| asked.lane == lane);
        let asked = asked.unwrap_or_else(|| {
            let (found, all) = self.of(group, lane, symbols);
            OfLane { lane, found, all }
        });
        let answer = Self::order_of(&asked, group, class, value, symbols);
        self.asked = Some(asked);
        answer
    }

    fn order_of(
        asked: &OfLane,
        group: &mut Group,
        class: usize,
        value: u64,
        symbols: &SymbolTable,
    ) -> (Option<Vec<usize>>, bool) {
        let (all_found, all, lane) = (&asked.found, asked.all, asked.lane);
        let fits = |found: &&Found| group.turn(class, found.content, symbols).returned == value;
        let Some(found) = all_found.iter().find(fits) else {
            return (None, all);
        };
        let mut order = alloc::vec![lane];
        let mut came = found.came;
        while let Some((before, lane)) = came {
            order.push(lane);
            came = all_found.get(before).and_then(|found| found.came);
        }
        order.reverse();
        for lane in 0..group.units.len() {
            if !order.contains(&lane) {
                order.push(lane);
            }
        }
        (Some(order), true)
    }
}
