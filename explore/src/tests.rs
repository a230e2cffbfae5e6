//! Compares every search method for conflict sets with an enumeration of all orders,
//! including methods that a search would not choose.

use crate::budget::Budget;
use crate::conflict_search::{ConflictSearch, order_of_content};
use crate::conflict_set::ConflictSet;
use crate::counting::{Counting, RecurrenceCheck};
use crate::distribution::{Distribution, DistributionSearch, Shares};
use crate::graph::{Contents, Graph};
use crate::histories::{End, Histories};
use crate::listing::{Listing, SetResult};
use crate::number::Count;
use crate::outcome::{ChangedByte, Outcome, Run};
use crate::reachability::Reachability;
use crate::states::StateList;
use crate::transitions::TransitionTable;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;

/// Lanes that access one cell: an operation, the initial value and the sources.
#[derive(Clone, Copy, Debug)]
struct Case {
    operation: &'static str,
    start: u32,
    src0: &'static [u32],
    src1: &'static [u32],
    returns: bool,
}

fn program(case: Case) -> Program {
    let list = |values: &[u32]| {
        let values: Vec<String> = values.iter().map(|value| format!("{value:#x}")).collect();
        values.join(", ")
    };
    let lanes = case.src0.len();
    let size = if lanes > 8 { 32 } else { 8 };
    let has_src0 = !matches!(case.operation, "inc" | "dec");
    let has_src1 = case.operation == "cmpxchg";
    let name = |name: &'static str, is_used: bool| if is_used { name } else { "V0" };
    Program::parse(&format!(
        ".slm 16\n.init slm[0] : ud = {:#x}\n.init em = {:#x}\n\
         .decl addr v_type=G type=ud num_elts=32 align=GRF\n\
         .decl src0 v_type=G type=ud num_elts=32 align=GRF\n.init src0 = {}\n\
         .decl src1 v_type=G type=ud num_elts=32 align=GRF\n.init src1 = {}\n\
         .decl dst v_type=G type=ud num_elts=32 align=GRF\n\
         dword_atomic.{} (M1, {size}) %slm addr.0 {} {} {}\n",
        case.start,
        (1_u64 << lanes) - 1,
        list(case.src0),
        list(case.src1),
        case.operation,
        name("src0.0", has_src0),
        name("src1.0", has_src1),
        name("dst.0", case.returns),
    ))
}

fn conflict_set(program: &Program) -> ConflictSet {
    let mut run = Run::new(program);
    assert!(run.fault_ahead(program).is_none());
    let sets = run.conflict_sets(program).expect("the cell has four bytes");
    let [set] = <[ConflictSet; 1]>::try_from(sets).expect("all lanes access one cell");
    set
}

/// The returned values, 0 without a destination, and the final content.
type Result = (Vec<u64>, u64);

fn perform(order: &[usize], set: &mut ConflictSet, symbols: &SymbolTable) -> Result {
    let mut returned = alloc::vec![0; set.len()];
    let mut content = 0;
    for lane in order {
        let transition = set.apply(set.class_of[*lane], content, symbols);
        returned[*lane] = transition.returned;
        content = transition.next;
    }
    (returned, set.content(content))
}

/// Calls `f` with every order.
fn permute(order: &mut Vec<usize>, done: usize, f: &mut impl FnMut(&[usize])) {
    if done == order.len() {
        return f(order);
    }
    for at in done..order.len() {
        order.swap(done, at);
        permute(order, done + 1, f);
        order.swap(done, at);
    }
}

/// Results of all orders of the lanes.
struct Every {
    /// Number of orders of each result.
    results: BTreeMap<Result, usize>,
    orders: usize,
    /// Whether a content recurs in some order.
    recurs: bool,
    /// Changes of the content.
    changes: BTreeSet<(u64, u64)>,
}

impl Every {
    fn of(set: &mut ConflictSet, symbols: &SymbolTable) -> Self {
        let mut every = Self {
            results: BTreeMap::new(),
            orders: 0,
            recurs: false,
            changes: BTreeSet::new(),
        };
        permute(&mut (0..set.len()).collect(), 0, &mut |order| {
            every.orders += 1;
            *every
                .results
                .entry(perform(order, set, symbols))
                .or_default() += 1;
            let mut seen = alloc::vec![0];
            for lane in order {
                let before = seen[seen.len() - 1];
                let next = set.apply(set.class_of[*lane], before, symbols).next;
                if next != before {
                    every.recurs |= seen.contains(&next);
                    seen.push(next);
                    every
                        .changes
                        .insert((set.content(before), set.content(next)));
                }
            }
        });
        every
    }

    /// Whether all changes have the same direction, as numbers or modulo the width relative
    /// to the initial content.
    fn goes_one_way(&self, start: u32) -> bool {
        let place = |content: u64, first: u32| {
            let content = u32::try_from(content).expect("the cell has four bytes");
            content.wrapping_sub(first)
        };
        let ways = [
            (0, true),
            (start, true),
            (0, false),
            (start.wrapping_add(1), false),
        ];
        ways.into_iter().any(|(first, is_up)| {
            let mut changes = self.changes.iter();
            changes.all(|(from, to)| (place(*to, first) > place(*from, first)) == is_up)
        })
    }

    /// Final contents with their numbers of orders.
    fn contents(&self) -> BTreeMap<u64, usize> {
        let mut contents = BTreeMap::new();
        for ((_, content), orders) in &self.results {
            *contents.entry(*content).or_default() += orders;
        }
        contents
    }

    /// Values returned by a lane with their numbers of orders.
    fn returns(&self, lane: usize) -> BTreeMap<u64, usize> {
        let mut returns = BTreeMap::new();
        for ((returned, _), orders) in &self.results {
            *returns.entry(returned[lane]).or_default() += orders;
        }
        returns
    }

    fn check_shares(&self, shares: &Shares, wanted: &BTreeMap<u64, usize>, what: &str) {
        let values: Vec<u64> = shares.iter().map(|(value, _)| *value).collect();
        assert_eq!(values, wanted.keys().copied().collect::<Vec<_>>(), "{what}");
        for ((_, share), orders) in shares.iter().zip(wanted.values()) {
            let ratio = to_f64(*orders) / to_f64(self.orders);
            assert!((share - ratio).abs() < 1e-9, "{what}: {shares:?}");
        }
    }

    fn check_distribution(&self, known: &Distribution, set: &ConflictSet, what: &str) {
        self.check_shares(&known.contents, &self.contents(), what);
        assert_eq!(known.returns.len(), set.len(), "{what}");
        for (lane, shares) in known.returns.iter().enumerate() {
            if set.returns {
                self.check_shares(shares, &self.returns(lane), what);
            } else {
                assert!(shares.is_empty(), "{what}");
            }
        }
    }

    /// Checks that listed results are distinct and have correct orders.
    fn check_results(
        &self,
        results: &[SetResult],
        limit: usize,
        set: &mut ConflictSet,
        symbols: &SymbolTable,
        what: &str,
    ) {
        assert_eq!(results.len(), self.results.len().min(limit), "{what}");
        let mut seen = BTreeSet::new();
        for result in results {
            let lanes: BTreeSet<usize> = result.order.iter().copied().collect();
            assert_eq!((result.order.len(), lanes.len()), (set.len(), set.len()));
            let end = perform(&result.order, set, symbols);
            assert_eq!(
                result.orders,
                Some(Count::from(self.results[&end])),
                "{what}"
            );
            assert!(seen.insert(end), "{what}");
        }
    }
}

fn to_f64(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("orders are few"))
}

/// The table of all contents, if few are reachable by arbitrarily repeated lanes.
fn contents(set: &mut ConflictSet, symbols: &SymbolTable) -> Option<Contents> {
    let mut budget = Budget::new(u64::MAX);
    let table = TransitionTable::build(set, symbols, &mut budget)?;
    // Lanes return the previous content.
    let is_injective = set.returns || set.contents_len() == 1;
    assert_eq!(table.is_injective(), is_injective);
    let merges = table.merges(&mut budget)?;
    Some(Contents { table, merges })
}

/// Builds a graph in slices of work and checks that its progress increases.
fn graph(
    set: &mut ConflictSet,
    contents: Option<&Contents>,
    returns: bool,
    symbols: &SymbolTable,
) -> Graph {
    let mut graph = Graph::new(set, contents, returns);
    let mut last = 0;
    while !graph.is_done() {
        assert!((last..=1000).contains(&graph.permille()));
        last = graph.permille();
        graph.work(set, contents, symbols, &mut Budget::new(1));
        assert!(!graph.is_too_large());
    }
    assert_eq!(graph.permille(), 1000);
    graph
}

/// Checks the final contents by the graph of states.
fn check_ends(
    every: &Every,
    set: &mut ConflictSet,
    contents: Option<&Contents>,
    symbols: &SymbolTable,
    what: &str,
) {
    let graph = graph(set, contents, false, symbols);
    let mut found = BTreeMap::new();
    for (state, orders) in graph.ends() {
        let content = set.content(graph.content(state));
        let order = graph.order_to(state, set, contents, symbols);
        assert_eq!(perform(&order, set, symbols).1, content, "{what}");
        let orders = orders.to_usize().expect("orders are few");
        assert_eq!(found.insert(content, orders), None, "{what}");
    }
    assert_eq!(found, every.contents(), "{what}");
}

/// Checks the count along the edges of the graph if no content recurs.
fn check_counting(
    case: Case,
    every: &Every,
    set: &mut ConflictSet,
    contents: Option<&Contents>,
    symbols: &SymbolTable,
) {
    let what = format!("{case:?}");
    let graph = graph(set, contents, true, symbols);
    let mut check = RecurrenceCheck::new(&graph, contents);
    let recurs = loop {
        if let Some(recurs) = check.work(&graph, set, contents, &mut Budget::new(1)) {
            break recurs;
        }
    };
    // Without a table, contents that change in both directions are assumed to recur.
    let is_known = contents.is_some() || every.goes_one_way(case.start);
    assert!(!recurs || !is_known || every.recurs, "{what}");
    if recurs {
        return;
    }
    let mut counting = Counting::new(&graph, set);
    let mut layers = 0;
    let count = loop {
        if let Some(count) = counting.work(&graph, &mut Budget::new(1)) {
            break count;
        }
        assert!((layers..=set.len()).contains(&counting.layers()), "{what}");
        layers = counting.layers();
    };
    assert_eq!(counting.layers(), set.len() + 1, "{what}");
    assert_eq!(count, Count::from(every.results.len()), "{what}");
    for limit in [1, 2, usize::MAX] {
        let mut listing = Listing::new(set, true, symbols);
        let results = loop {
            if let Some(results) = listing.work(set, limit, symbols, &mut Budget::new(1)) {
                break results;
            }
        };
        every.check_results(&results, limit, set, symbols, &what);
    }
}

/// Checks the results by histories.
fn check_histories(
    every: &Every,
    set: &mut ConflictSet,
    contents: Option<&Contents>,
    symbols: &SymbolTable,
    what: &str,
) {
    for limit in [1, 2, usize::MAX] {
        let mut histories = Histories::new(set);
        let end = loop {
            assert!(histories.permille() <= 1000, "{what}");
            if let Some(end) = histories.work(set, contents, symbols, &mut Budget::new(1)) {
                break end;
            }
        };
        assert_eq!(end, End::Complete, "{what}");
        // Each one before the last lane leads to one final history.
        assert!((500..=1000).contains(&histories.permille()), "{what}");
        let mut budget = Budget::new(u64::MAX);
        let (count, results) = histories.results(set, contents, limit, symbols, &mut budget);
        assert_eq!(count, Count::from(every.results.len()), "{what}");
        every.check_results(&results, limit, set, symbols, what);
    }
}

fn check_reachability(case: Case, every: &Every, set: &mut ConflictSet, symbols: &SymbolTable) {
    let what = format!("{case:?}");
    let ends: Vec<u64> = every.contents().into_keys().collect();
    let mut budget = Budget::new(u64::MAX);
    let mut all = Reachability::of_all_lanes();
    match all.end(set, symbols, &mut budget) {
        Some(end) => assert_eq!(ends, [end], "{what}"),
        None => {
            let commutes = !matches!(case.operation, "xchg" | "cmpxchg");
            assert!(
                !commutes && !all.commutes(set, symbols, &mut budget),
                "{what}"
            );
        }
    }
    match all.end_contents(set, symbols, &mut budget) {
        Some(known) => assert_eq!(known, ends, "{what}"),
        // A failed compare leaves foreign contents; the search is complete if every
        // content can be final.
        None => {
            let is_end = |(_, to): &(u64, u64)| ends.contains(to);
            let is_seen =
                case.operation == "cmpxchg" && !every.recurs && every.changes.iter().all(is_end);
            assert!(!is_seen, "{what}");
        }
    }
    if !set.returns {
        return;
    }
    let returns = loop {
        if let Some(returns) = all.work(set, symbols, &mut Budget::new(1)) {
            break returns;
        }
    };
    let mut one = Reachability::of_one_lane();
    for (lane, known) in returns.iter().enumerate() {
        let wanted: Vec<u64> = every.returns(lane).into_keys().collect();
        assert_eq!(known.as_ref(), Some(&wanted), "{what}");
        for value in wanted.iter().flat_map(|value| [*value, value ^ 1]) {
            let (order, is_certain) = one.order(set, lane, value, symbols, &mut budget);
            assert!(is_certain, "{what}");
            assert_eq!(order.is_some(), wanted.contains(&value), "{what}");
            if let Some(order) = order {
                let lanes: BTreeSet<usize> = order.iter().copied().collect();
                assert_eq!((order.len(), lanes.len()), (set.len(), set.len()));
                assert_eq!(perform(&order, set, symbols).0[lane], value, "{what}");
            }
        }
    }
}

/// Checks the complete search of a set.
fn check_search(every: &Every, set: &ConflictSet, symbols: &SymbolTable, what: &str) {
    for (limit, slice) in [(1, 1), (3, 5), (usize::MAX, 1000)] {
        let mut search = ConflictSearch::new(set.clone(), limit, true);
        while !search.work(symbols, &mut Budget::new(slice)) {
            assert!(search.permille() < 1000, "{what}");
        }
        assert_eq!(search.permille(), 1000, "{what}");
        let known = &search.known;
        let mut set = set.clone();
        every.check_distribution(
            known.distribution.as_ref().expect("values are few"),
            &set,
            what,
        );
        let ends: Vec<u64> = every.contents().into_keys().collect();
        assert_eq!(known.contents.as_ref(), Some(&ends), "{what}");
        if set.returns {
            assert_eq!(
                known.count,
                Some(Count::from(every.results.len())),
                "{what}"
            );
            for (lane, returns) in known.returns.iter().enumerate() {
                let wanted: Vec<u64> = every.returns(lane).into_keys().collect();
                assert_eq!(returns.as_ref(), Some(&wanted), "{what}");
            }
        }
        every.check_results(&known.results, limit, &mut set, symbols, what);
    }
    let ends = every.contents();
    for content in ends.keys().flat_map(|content| [*content, content ^ 1]) {
        let (order, is_impossible) = order_of_content(&mut set.clone(), content, symbols);
        assert_eq!(is_impossible, !ends.contains_key(&content), "{what}");
        assert_eq!(order.is_some(), ends.contains_key(&content), "{what}");
        if let Some(order) = order {
            assert_eq!(
                perform(&order, &mut set.clone(), symbols).1,
                content,
                "{what}"
            );
        }
    }
}

fn check(case: Case) {
    let what = format!("{case:?}");
    let program = program(case);
    assert!(program.can_run(), "{what} {:?}", program.diagnostics);
    let symbols = &program.symbols;
    let mut set = conflict_set(&program);
    let every = Every::of(&mut set.clone(), symbols);
    check_search(&every, &set, symbols, &what);
    check_reachability(case, &every, &mut set.clone(), symbols);
    let known = contents(&mut set, symbols);
    // With few contents, there is a table with merged classes; without it, the results
    // must be the same.
    for known in [known.as_ref(), None] {
        let mut set = set.clone();
        check_ends(&every, &mut set, known, symbols, &what);
        if set.returns {
            check_counting(case, &every, &mut set, known, symbols);
        }
        check_histories(&every, &mut set, known, symbols, &what);
        let mut search = DistributionSearch::new(&set);
        let shares = loop {
            if let Some(shares) = search.work(&mut set, known, symbols, &mut Budget::new(1)) {
                break shares;
            }
        };
        every.check_distribution(&shares.expect("values are few"), &set, &what);
    }
}

const SOURCES: [&[u32]; 9] = [
    &[1, 2],
    &[3, 3, 3],
    &[1, 2, 3],
    &[0, 1, 1, 3],
    &[1, 2, 4, 8],
    &[5, 5, 1, 1],
    &[0, 5, 0xffff_fffe, 2],
    &[1, 2, 1, 2, 7],
    &[4, 3, 2, 1, 0],
];

const COMPARED: [&[u32]; 3] = [&[0, 1, 2, 3, 4], &[1, 0, 0, 1, 2], &[5, 5, 2, 1, 5]];

#[test]
fn operations_match_enumeration() {
    for operation in [
        "inc", "dec", "add", "sub", "xchg", "and", "or", "xor", "min", "max",
    ] {
        for src0 in SOURCES {
            for start in [0, 2, 5, 0xffff_ffff] {
                for returns in [false, true] {
                    check(Case {
                        operation,
                        start,
                        src0,
                        src1: &[0],
                        returns,
                    });
                }
            }
        }
    }
}

#[test]
fn compares_match_enumeration() {
    for src0 in SOURCES {
        for src1 in COMPARED {
            for start in [0, 1, 5] {
                for returns in [false, true] {
                    check(Case {
                        operation: "cmpxchg",
                        start,
                        src0,
                        src1,
                        returns,
                    });
                }
            }
        }
    }
}

/// For too many lanes to enumerate: a graph has the same final states with and without a
/// table of contents, and all orders lead to one of them.
#[test]
fn many_lanes_have_equal_ends_with_and_without_table() {
    // More than eight classes need two words per state, and orders of more than 20
    // lanes need two words.
    let many: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    let few: &[u32] = &[
        1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3,
    ];
    let compared: &[u32] = &[
        0, 1, 2, 0, 1, 2, 4, 5, 6, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2,
    ];
    for (operation, src0) in [
        ("xor", many),
        ("max", many),
        ("and", many),
        ("cmpxchg", many),
        ("xor", few),
        ("min", few),
        ("xchg", few),
        ("cmpxchg", few),
    ] {
        for returns in [false, true] {
            let case = Case {
                operation,
                start: 2,
                src0,
                src1: compared,
                returns,
            };
            let program = program(case);
            let symbols = &program.symbols;
            let mut set = conflict_set(&program);
            let known = contents(&mut set, symbols).expect("contents are few");
            let [with, without] = [Some(&known), None].map(|known| {
                let mut set = set.clone();
                let mut graph = Graph::new(&set, known, false);
                graph.work(&mut set, known, symbols, &mut Budget::new(u64::MAX));
                let mut ends = BTreeMap::new();
                for (state, orders) in graph.ends() {
                    let content = set.content(graph.content(state));
                    let order = graph.order_to(state, &mut set, known, symbols);
                    assert_eq!(perform(&order, &mut set, symbols).1, content, "{case:?}");
                    assert!(ends.insert(content, orders).is_none(), "{case:?}");
                }
                ends
            });
            assert_eq!(with, without, "{case:?}");
            let mut all = Count::default();
            for orders in with.values() {
                all.add(orders);
            }
            assert_eq!(all, Count::factorial(src0.len()), "{case:?}");
            let [with, without] = [Some(&known), None].map(|known| {
                let mut set = set.clone();
                let mut search = DistributionSearch::new(&set);
                let mut budget = Budget::new(u64::MAX);
                let shares = search.work(&mut set, known, symbols, &mut budget);
                shares.flatten().expect("values are few")
            });
            assert_eq!(with.returns.len(), without.returns.len(), "{case:?}");
            let lists = |known: Distribution| {
                let mut lists = known.returns;
                lists.push(known.contents);
                lists
            };
            for (a, b) in lists(with).into_iter().zip(lists(without)) {
                assert_eq!(a.len(), b.len(), "{case:?}");
                for ((value, share), (other, other_share)) in a.into_iter().zip(b) {
                    assert_eq!(value, other, "{case:?}");
                    assert!((share - other_share).abs() < 1e-9, "{case:?}");
                }
            }
        }
    }
}

const POWERS: [u32; 13] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 1];

/// A case with its program.
fn set_of(case: Case) -> (Program, ConflictSet) {
    let program = program(case);
    assert!(program.can_run(), "{case:?} {:?}", program.diagnostics);
    let set = conflict_set(&program);
    (program, set)
}

/// `or` with one value per lane.
fn joined(src0: &'static [u32], returns: bool) -> (Program, ConflictSet) {
    set_of(Case {
        operation: "or",
        start: 0,
        src0,
        src1: &[0],
        returns,
    })
}

#[test]
fn table_limits_are_256_and_128_contents() {
    for (lanes, has_table, has_merges) in [(7, true, true), (8, true, false), (9, false, false)] {
        let (program, mut set) = joined(&POWERS[..lanes], true);
        let mut budget = Budget::new(u64::MAX);
        let table = TransitionTable::build(&mut set, &program.symbols, &mut budget);
        assert_eq!(table.is_some(), has_table, "{lanes}");
        let merges = table.and_then(|table| table.merges(&mut budget));
        assert_eq!(merges.is_some(), has_merges, "{lanes}");
    }
}

/// A representative class or content behaves like the classes or contents it stands for.
#[test]
fn merged_states_behave_alike() {
    for operation in ["and", "or", "xor", "max", "xchg", "cmpxchg"] {
        for src0 in SOURCES {
            let case = Case {
                operation,
                start: 2,
                src0,
                src1: COMPARED[0],
                returns: false,
            };
            let (program, mut set) = set_of(case);
            let known = contents(&mut set, &program.symbols).expect("contents are few");
            let next = |class: usize, at: usize| known.table.transition(class, at).next;
            let (classes, all) = (set.classes.len(), set.contents_len());
            for content in 0..all {
                let mut ahead = alloc::vec![content];
                let mut at = 0;
                while let Some(from) = ahead.get(at).copied() {
                    let new = (0..classes).map(|class| next(class, from));
                    for to in new {
                        if !ahead.contains(&to) {
                            ahead.push(to);
                        }
                    }
                    at += 1;
                }
                for class in 0..classes {
                    let is_idle = ahead.iter().all(|at| next(class, *at) == *at);
                    assert_eq!(known.merges.is_idle(class, content), is_idle, "{case:?}");
                    let alike = |other: &usize| {
                        ahead.iter().all(|at| next(class, *at) == next(*other, *at))
                    };
                    let first = (0..=class).find(alike);
                    let representative = known.merges.representative(class, content);
                    assert_eq!(Some(representative), first, "{case:?}");
                }
                for left in 0..1_u128 << classes {
                    let mut left_classes = (0..classes).filter(|class| left >> class & 1 != 0);
                    let alike = |other: usize| {
                        left_classes.clone().all(|class| {
                            let (a, b) = (next(class, content), next(class, other));
                            a == b && a != content && b != other
                        })
                    };
                    let first = (0..content).find(|other| alike(*other));
                    assert_eq!(
                        known.merges.representative_content(content, left),
                        first.unwrap_or(content),
                        "{case:?} {:?}",
                        left_classes.next()
                    );
                }
            }
        }
    }
}

/// Without a table, recurrence is detected by comparing the states of each content.
#[test]
fn recurrence_is_detected_without_a_table() {
    for (operation, src0, src1, recurs) in [
        // Distinct sums of powers, up and down, and a lane that changes nothing.
        ("xor", &[1, 2, 4][..], &[0][..], false),
        ("xor", &[1, 2, 4, 0], &[0], false),
        ("xor", &[1, 2, 3], &[0], true),
        // Back to 2, beside lanes that change nothing.
        ("cmpxchg", &[5, 2, 7, 8], &[2, 5, 99, 98], true),
        ("cmpxchg", &[5, 3, 2, 7], &[2, 5, 3, 99], true),
        // Numbers that differ in high bits only.
        ("cmpxchg", &[0x5_0002, 2], &[2, 0x5_0002], true),
        (
            "cmpxchg",
            &[0x5_0002, 0x3_0002, 0x5_0002],
            &[2, 0x5_0002, 0x3_0002],
            true,
        ),
    ] {
        let (program, mut set) = set_of(Case {
            operation,
            start: 2,
            src0,
            src1,
            returns: true,
        });
        let symbols = &program.symbols;
        let every = Every::of(&mut set.clone(), symbols);
        assert_eq!(every.recurs, recurs, "{src0:?}");
        let graph = graph(&mut set, None, true, symbols);
        let mut check = RecurrenceCheck::new(&graph, None);
        let found = check.work(&graph, &set, None, &mut Budget::new(u64::MAX));
        assert_eq!(found, Some(recurs), "{src0:?}");
    }
}

/// With more than a few thousand states of a content, recurrence is assumed.
#[test]
fn too_many_states_are_not_compared() {
    // 1, 5, 3, 4, and lanes that change nothing.
    const SRC0: [u32; 14] = [5, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    const SRC1: [u32; 14] = [1, 5, 3, 91, 92, 93, 94, 95, 96, 97, 98, 99, 89, 90];
    for (lanes, answer) in [(10, None), (14, Some(true))] {
        let (program, mut set) = set_of(Case {
            operation: "cmpxchg",
            start: 1,
            src0: &SRC0[..lanes],
            src1: &SRC1[..lanes],
            returns: true,
        });
        let mut graph = Graph::new(&set, None, true);
        let mut budget = Budget::new(u64::MAX);
        graph.work(&mut set, None, &program.symbols, &mut budget);
        assert!(!graph.is_monotonic());
        // Either continues or answers immediately.
        let mut check = RecurrenceCheck::new(&graph, None);
        assert_eq!(check.work(&graph, &set, None, &mut Budget::new(1)), answer);
    }
}

/// Histories support up to 32 lanes, since orders are counted in 128 bits.
#[test]
fn histories_support_at_most_32_lanes() {
    const EQUAL: [u32; 32] = [5; 32];
    for (lanes, wanted) in [(31, End::Complete), (32, End::Complete), (33, End::TooMany)] {
        let threads = if lanes > 32 { 2 } else { 1 };
        let (program, mut set) = if threads == 1 {
            set_of(Case {
                operation: "xor",
                start: 2,
                src0: &EQUAL[..lanes],
                src1: &[0],
                returns: true,
            })
        } else {
            let program = Program::parse(
                ".threads 2\n.slm 16\n.init EU0.em = 0xffffffff\n.init EU1.em = 1\n\
                 .decl addr v_type=G type=ud num_elts=32 align=GRF\n\
                 .decl src0 v_type=G type=ud num_elts=32 align=GRF\n\
                 .decl dst v_type=G type=ud num_elts=32 align=GRF\n\
                 .init EU0.src0 = splat(5)\n.init EU1.src0 = splat(5)\n\
                 dword_atomic.xor (M1, 32) %slm addr.0 src0.0 V0 dst.0\n",
            );
            let set = conflict_set(&program);
            (program, set)
        };
        assert_eq!(set.len(), lanes);
        let mut budget = Budget::new(u64::MAX);
        let mut histories = Histories::new(&set);
        let end = histories.work(&mut set, None, &program.symbols, &mut budget);
        assert_eq!(end, Some(wanted), "{lanes}");
    }
}

/// Commuting accesses are detected with 4,096 contents, even if one access does not lead
/// to a new content.
#[test]
fn accesses_with_4096_contents_commute() {
    let (program, mut set) = joined(&POWERS, false);
    let mut budget = Budget::new(u64::MAX);
    let end = Reachability::of_all_lanes().end(&mut set, &program.symbols, &mut budget);
    assert_eq!(end, Some(4095));
}

/// Compares of few values revisit contents in many ways; all searches agree.
#[test]
fn compares_of_few_values_match_enumeration() {
    let mut random = 7_u32;
    let mut few = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 16) % 5
    };
    for _ in 0..300 {
        let mut values = || -> Vec<u32> { (0..5).map(|_| few()).collect() };
        let (src0, src1) = (values(), values());
        let case = Case {
            operation: "cmpxchg",
            start: 0,
            src0: src0.leak(),
            src1: src1.leak(),
            returns: true,
        };
        check(case);
    }
}

/// A memory cell with the same address as the register that receives the result.
#[test]
fn cells_and_registers_at_equal_addresses_are_distinct() {
    let text = |cell: u64| {
        format!(
            ".slm 16384\n.init em = 3\n\
             .decl addr v_type=G type=ud num_elts=8 align=GRF\n.init addr = splat({cell})\n\
             .decl src0 v_type=G type=ud num_elts=8 align=GRF\n.init src0 = 5, 7\n\
             .decl dst v_type=G type=ud num_elts=8 align=GRF\n\
             dword_atomic.xchg (M1, 8) %slm addr.0 src0.0 V0 dst.0\n"
        )
    };
    let set = conflict_set(&Program::parse(&text(0)));
    for class in &set.classes {
        let dst = class.access.dst.expect("it returns a value");
        let program = Program::parse(&text(dst.into()));
        let mut set = conflict_set(&program);
        assert_eq!(set.address, u64::from(dst));
        for lane in 0..2 {
            assert_eq!(set.apply(lane, 0, &program.symbols).returned, 0);
        }
    }
}

/// States have the same number if and only if their bytes and faults are equal.
#[test]
fn equal_states_have_one_number() {
    // Bytes one after the other, apart, and in another space.
    let places = [
        (0, 3),
        (0, 4),
        (0, 5),
        (0, 9),
        (1, 4),
        (1, 5),
        (2, 4),
        (2, 10),
    ];
    let mut states: Vec<Outcome> = Vec::new();
    for mask in 0..1_usize << places.len() {
        for value in [1, 2] {
            let mut state = Outcome::start(None);
            for (bit, (space, address)) in places.iter().enumerate() {
                if mask >> bit & 1 != 0 {
                    state.bytes.push(ChangedByte {
                        space: SpaceId(*space),
                        address: *address,
                        value,
                    });
                }
            }
            if !states.contains(&state) {
                states.push(state);
            }
        }
    }
    let mut list = StateList::default();
    let numbers: Vec<usize> = states.iter().map(|state| list.path_of(state)).collect();
    assert_eq!(
        numbers.iter().collect::<BTreeSet<_>>().len(),
        states.len(),
        "different states"
    );
    let again: Vec<usize> = states.iter().map(|state| list.path_of(state)).collect();
    assert_eq!(again, numbers);
    // Bytes one after the other share a row.
    let [first, next, apart, other] =
        [(0, 3), (0, 4), (0, 9), (1, 4)].map(|(space, address)| ChangedByte {
            space: SpaceId(space),
            address,
            value: 1,
        });
    assert!(first.is_followed_by(&next));
    assert!(!first.is_followed_by(&apart) && !first.is_followed_by(&other));
}
