//! Contents that a lane can find, and the lanes that precede it, without a list of
//! results.

use crate::budget::Budget;
use crate::conflict_set::{ConflictSet, sorted};
use crate::transitions::bit;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::SymbolTable;

/// Maximum number of contents in a search for all lanes.
const MAX_CONTENTS: usize = 1 << 12;

/// Maximum number of contents in a search for one lane.
const MAX_QUERY_CONTENTS: usize = 1 << 16;

/// Maximum number of comparisons of paths to a content, per lane.
const MAX_COMPARISONS: usize = 1 << 20;

/// Maximum number of values per lane.
pub(crate) const MAX_VALUES: usize = 1024;

/// Number of paths to each content in the first attempt, which usually reaches all
/// contents.
const FEW_WAYS: usize = 4;

/// Possible returned values of each lane, ascending; `None` if unknown or more than
/// 1,024.
pub(crate) type Returns = Vec<Option<Vec<u64>>>;

/// A content left by some lanes, with their order.
#[derive(Clone, Copy, Debug)]
struct Way {
    content: usize,
    /// Mask of the lanes used.
    used: u128,
    /// The previous path and the lane after it.
    predecessor: Option<(usize, usize)>,
}

/// The path to the initial content.
const START: Way = Way {
    content: 0,
    used: 0,
    predecessor: None,
};

/// Contents that a lane can find, and whether they are complete.
#[derive(Clone, Debug)]
struct LaneWays {
    lane: usize,
    ways: Vec<Way>,
    is_all: bool,
}

/// Search for the contents that lanes can find.
#[derive(Clone, Debug)]
pub(crate) struct Reachability {
    max_contents: usize,
    /// By content, then class: the next content plus 1; 0 if unknown.
    transitions: Vec<u32>,
    commutes: Option<bool>,
    /// Known values by class.
    known: Returns,
    /// The lane of the last query.
    queried: Option<LaneWays>,
    /// Uncharged work in sixteenths of a unit.
    work: usize,
}

impl Reachability {
    /// Creates a search for all lanes.
    pub(crate) const fn of_all_lanes() -> Self {
        Self::new(MAX_CONTENTS)
    }

    /// Creates a search for one lane.
    pub(crate) const fn of_one_lane() -> Self {
        Self::new(MAX_QUERY_CONTENTS)
    }

    const fn new(max_contents: usize) -> Self {
        Self {
            max_contents,
            transitions: Vec::new(),
            commutes: None,
            known: Vec::new(),
            queried: None,
            work: 0,
        }
    }

    fn charge(&mut self, budget: &mut Budget) {
        budget.spend(self.work.div_ceil(16));
        self.work = 0;
    }

    /// The content after an access; `None` if there are too many contents.
    fn next(
        &mut self,
        set: &mut ConflictSet,
        class: usize,
        content: usize,
        symbols: &SymbolTable,
    ) -> Option<usize> {
        if content >= self.max_contents {
            return None;
        }
        let at = content * set.classes.len() + class;
        if self.transitions.len() <= at {
            self.transitions.resize(at + 1, 0);
        }
        self.work += 1;
        if self.transitions[at] == 0 {
            self.work += 15;
            self.transitions[at] = to_u32(set.apply(class, content, symbols).next + 1);
        }
        Some(to_usize(self.transitions[at]) - 1)
    }

    /// Whether all accesses commute, so that every order leads to the same content. False
    /// if there are too many contents.
    pub(crate) fn commutes(
        &mut self,
        set: &mut ConflictSet,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> bool {
        if let Some(known) = self.commutes {
            return known;
        }
        let known = self.find_commutes(set, symbols).unwrap_or(false);
        self.charge(budget);
        self.commutes = Some(known);
        known
    }

    fn find_commutes(&mut self, set: &mut ConflictSet, symbols: &SymbolTable) -> Option<bool> {
        for way in self.ascending(set, None, symbols)? {
            for a in 0..set.classes.len() {
                let after_a = self.next(set, a, way.content, symbols)?;
                for b in 0..a {
                    let after_b = self.next(set, b, way.content, symbols)?;
                    let ab = self.next(set, b, after_a, symbols)?;
                    if ab != self.next(set, a, after_b, symbols)? {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }

    /// The final content of commuting accesses.
    pub(crate) fn end(
        &mut self,
        set: &mut ConflictSet,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> Option<u64> {
        if !self.commutes(set, symbols, budget) {
            return None;
        }
        let mut content = 0;
        for lane in 0..set.len() {
            content = self.next(set, set.class_of[lane], content, symbols)?;
        }
        Some(set.content(content))
    }

    /// All final contents, ascending, if they can be derived from the paths: each unused
    /// lane of a path changes nothing somewhere on that path, so it can be inserted there.
    pub(crate) fn end_contents(
        &mut self,
        set: &mut ConflictSet,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> Option<Vec<u64>> {
        let ends = self.find_end_contents(set, symbols);
        self.charge(budget);
        ends
    }

    fn find_end_contents(
        &mut self,
        set: &mut ConflictSet,
        symbols: &SymbolTable,
    ) -> Option<Vec<u64>> {
        let bound = self.bound(set, None, symbols)?;
        let (ways, is_all) = self.ways(set, None, FEW_WAYS, Some(bound), symbols);
        if !is_all {
            return None;
        }
        let mut ends = Vec::new();
        let mut open = Vec::new();
        for way in &ways {
            let left = (0..set.len()).filter(|lane| way.used & bit(*lane) == 0);
            let mut left: Vec<usize> = left.collect();
            let mut at = Some(*way);
            while let Some(here) = at {
                let mut changing = Vec::new();
                for lane in left {
                    let class = set.class_of[lane];
                    if self.next(set, class, here.content, symbols)? != here.content {
                        changing.push(lane);
                    }
                }
                left = changing;
                at = here.predecessor.map(|(before, _)| ways[before]);
            }
            let list = if left.is_empty() {
                &mut ends
            } else {
                &mut open
            };
            list.push(way.content);
        }
        for content in open {
            if ends.contains(&content) {
                continue;
            }
            // Only certain for the initial content, if it is left and never reached again.
            let mut is_entered = content != 0;
            for way in &ways {
                for class in 0..set.classes.len() {
                    let next = self.next(set, class, way.content, symbols)?;
                    is_entered |= next == content && way.content != content;
                }
            }
            if is_entered {
                return None;
            }
        }
        let ends = ends.iter().map(|number| set.content(*number));
        Some(sorted(ends.collect()))
    }

    /// All contents left by subsets of the other lanes in ascending order; `None` if there
    /// are too many.
    fn ascending(
        &mut self,
        set: &mut ConflictSet,
        but: Option<usize>,
        symbols: &SymbolTable,
    ) -> Option<Vec<Way>> {
        let mut ways = alloc::vec![START];
        let mut is_known = alloc::vec![true];
        for lane in (0..set.len()).filter(|lane| Some(*lane) != but) {
            for at in 0..ways.len() {
                let before = ways[at];
                let content = self.next(set, set.class_of[lane], before.content, symbols)?;
                if is_known.len() <= content {
                    is_known.resize(content + 1, false);
                }
                if ways.len() > MAX_CONTENTS {
                    return None;
                }
                if !core::mem::replace(&mut is_known[content], true) {
                    ways.push(Way {
                        content,
                        used: before.used | bit(lane),
                        predecessor: Some((at, lane)),
                    });
                }
            }
        }
        Some(ways)
    }

    /// Upper bound of the number of contents, from accesses that are repeated arbitrarily
    /// often; `None` if there are many.
    fn bound(
        &mut self,
        set: &mut ConflictSet,
        but: Option<usize>,
        symbols: &SymbolTable,
    ) -> Option<usize> {
        let lanes = set.len() - usize::from(but.is_some());
        let mut contents = alloc::vec![0_usize];
        let mut is_known = alloc::vec![true];
        let mut start = 0;
        for _ in 0..lanes {
            let end = contents.len();
            for at in start..end {
                for class in 0..set.classes.len() {
                    let own = &set.classes[class].lanes;
                    if own.iter().all(|lane| Some(*lane) == but) {
                        continue;
                    }
                    let next = self.next(set, class, contents[at], symbols)?;
                    if is_known.len() <= next {
                        is_known.resize(next + 1, false);
                    }
                    if !core::mem::replace(&mut is_known[next], true) {
                        contents.push(next);
                    }
                }
                if contents.len() > MAX_VALUES {
                    return None;
                }
            }
            start = end;
        }
        Some(contents.len())
    }

    /// Contents left by subsets of the other lanes, and whether these are all contents. A
    /// path that uses a superset of the lanes of another path to the same content is
    /// dropped, as are more than `most` paths to a content.
    fn ways(
        &mut self,
        set: &mut ConflictSet,
        but: Option<usize>,
        most: usize,
        bound: Option<usize>,
        symbols: &SymbolTable,
    ) -> (Vec<Way>, bool) {
        let mut ways = alloc::vec![START];
        let mut by_content: Vec<Vec<usize>> = alloc::vec![alloc::vec![0]];
        let (mut contents, mut is_all) = (1, true);
        let mut compared = 0;
        let mut at = 0;
        while let Some(before) = ways.get(at).copied() {
            if Some(contents) == bound {
                return (ways, true);
            }
            for class in 0..set.classes.len() {
                // The first remaining lane of the class.
                let mut lanes = set.classes[class].lanes.iter().copied();
                let is_left = |lane: &usize| before.used & bit(*lane) == 0 && Some(*lane) != but;
                let Some(lane) = lanes.find(is_left) else {
                    continue;
                };
                let Some(content) = self.next(set, class, before.content, symbols) else {
                    is_all = false;
                    continue;
                };
                let used = before.used | bit(lane);
                if by_content.len() <= content {
                    by_content.resize(content + 1, Vec::new());
                }
                let own = &mut by_content[content];
                compared += own.len();
                self.work += own.len();
                if own.iter().any(|way| ways[*way].used & !used == 0) {
                    continue;
                }
                if own.len() >= most || compared > MAX_COMPARISONS {
                    is_all = false;
                    continue;
                }
                contents += usize::from(own.is_empty());
                own.push(ways.len());
                ways.push(Way {
                    content,
                    used,
                    predecessor: Some((at, lane)),
                });
            }
            at += 1;
        }
        (ways, is_all)
    }

    /// The contents that a lane can find.
    fn of_lane(
        &mut self,
        set: &mut ConflictSet,
        lane: usize,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> LaneWays {
        let but = Some(lane);
        let found = |(ways, is_all)| LaneWays { lane, ways, is_all };
        if self.commutes(set, symbols, budget)
            && let Some(ways) = self.ascending(set, but, symbols)
        {
            return found((ways, true));
        }
        let bound = self.bound(set, but, symbols);
        if bound.is_some() {
            let (ways, is_all) = self.ways(set, but, FEW_WAYS, bound, symbols);
            if is_all {
                return found((ways, true));
            }
        }
        found(self.ways(set, but, usize::MAX, bound, symbols))
    }

    /// Searches one more class; returns the possible values of all lanes once known.
    pub(crate) fn work(
        &mut self,
        set: &mut ConflictSet,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> Option<Returns> {
        while self.known.len() < set.classes.len() {
            if budget.is_spent() {
                return None;
            }
            let class = self.known.len();
            let lane = set.classes[class].lanes[0];
            let of_lane = self.of_lane(set, lane, symbols, budget);
            self.work += 16 * of_lane.ways.len();
            self.charge(budget);
            if !of_lane.is_all {
                // The other classes would take equally long without a result.
                self.known.resize(set.classes.len(), None);
                break;
            }
            let found: Vec<u64> = of_lane
                .ways
                .iter()
                .map(|way| set.content(way.content))
                .collect();
            let values = set.returned(lane, found, symbols);
            self.known
                .push((values.len() <= MAX_VALUES).then_some(values));
        }
        Some(
            set.class_of
                .iter()
                .map(|class| self.known[*class].clone())
                .collect(),
        )
    }

    /// An order in which a lane returns a value, if found; otherwise, whether absence is
    /// proven.
    pub(crate) fn order(
        &mut self,
        set: &mut ConflictSet,
        lane: usize,
        value: u64,
        symbols: &SymbolTable,
        budget: &mut Budget,
    ) -> (Option<Vec<usize>>, bool) {
        // Consecutive queries are often for the same lane.
        let queried = self.queried.take().filter(|queried| queried.lane == lane);
        let queried = queried.unwrap_or_else(|| self.of_lane(set, lane, symbols, budget));
        self.charge(budget);
        let class = set.class_of[lane];
        let found = queried
            .ways
            .iter()
            .find(|way| set.apply(class, way.content, symbols).returned == value);
        let order = found.map(|way| {
            let mut order = alloc::vec![lane];
            let mut predecessor = way.predecessor;
            while let Some((before, lane)) = predecessor {
                order.push(lane);
                predecessor = queried.ways[before].predecessor;
            }
            order.reverse();
            let rest = (0..set.len()).filter(|lane| !order.contains(lane));
            let rest: Vec<usize> = rest.collect();
            order.extend(rest);
            order
        });
        let is_certain = order.is_some() || queried.is_all;
        self.queried = Some(queried);
        (order, is_certain)
    }
}
