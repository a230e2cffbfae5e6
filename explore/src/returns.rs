//! What each access of a group may return, whether or not its results can be
//! listed.

use super::closure::Closure;
use super::group::Group;
use alloc::vec::Vec;
use lanewise_core::isa::SymbolTable;

/// For every access of a group the values that it may return, ascending;
/// `None` where that is not known, or where they are many.
pub(super) type Returns = Vec<Option<Vec<u64>>>;

/// The most values of one access that are kept.
const MOST: usize = 1024;

/// Where each access goes some way on, an access finds what any of the others
/// go together. `content` gives the content that far on.
pub(super) fn of_sums(
    group: &mut Group,
    symbols: &SymbolTable,
    ways: &[u64],
    content: impl Fn(u64) -> u64,
) -> Returns {
    let mut returns: Returns = Vec::new();
    for lane in 0..ways.len() {
        // Equal accesses may return the same.
        let class = group.class_of.get(lane).copied();
        let before = group.class_of.get(..lane).unwrap_or(&[]);
        if let Some(equal) = before.iter().position(|other| Some(*other) == class) {
            returns.push(returns.get(equal).cloned().flatten());
            continue;
        }
        let mut found = alloc::vec![0];
        for (_, way) in ways.iter().enumerate().filter(|(other, _)| *other != lane) {
            found = with_more(&found, *way);
            if found.len() > MOST {
                break;
            }
        }
        let known = found.len() <= MOST;
        for way in &mut found {
            *way = content(*way);
        }
        returns.push(known.then(|| group.returned(lane, &found, symbols)));
    }
    returns
}

/// Ascending values, and the same some way on, each once.
fn with_more(list: &[u64], way: u64) -> Vec<u64> {
    let mut merged: Vec<u64> = Vec::with_capacity(list.len() * 2);
    let mut behind = list.iter().map(|value| value + way).peekable();
    for value in list {
        while let Some(more) = behind.next_if(|more| more < value) {
            merged.push(more);
        }
        behind.next_if_eq(value);
        merged.push(*value);
    }
    merged.extend(behind);
    merged
}

/// Where accesses commute and all contents are known, an access may find what
/// any of the others make together.
fn of_contents(group: &mut Group, closure: &Closure, symbols: &SymbolTable) -> Returns {
    let (lanes, contents) = (group.class_of.clone(), group.met());
    let of_class = |class: usize| {
        let mut found = alloc::vec![false; contents];
        if let Some(start) = found.first_mut() {
            *start = true;
        }
        // One of the class is the access itself.
        let own = lanes.iter().position(|other| *other == class);
        let others = lanes.iter().enumerate().filter(|(o, _)| Some(*o) != own);
        for (_, other) in others {
            let before = found.clone();
            for (content, _) in before.iter().enumerate().filter(|(_, is)| **is) {
                let next = closure.turn(*other, content).map_or(content, |t| t.next);
                if let Some(next) = found.get_mut(next) {
                    *next = true;
                }
            }
        }
        let found = found.iter().enumerate().filter(|(_, is)| **is);
        found.map(|(content, _)| content).collect::<Vec<_>>()
    };
    let classes: Vec<_> = (0..group.classes.len()).map(of_class).collect();
    let mut returns = Vec::new();
    for (lane, class) in lanes.iter().enumerate() {
        let found = classes.get(*class).map_or(&[][..], Vec::as_slice);
        let found: Vec<u64> = found.iter().map(|n| group.content(*n)).collect();
        returns.push(Some(group.returned(lane, &found, symbols)));
    }
    returns
}

/// Puts a value into an ascending list, unless it is there.
pub fn insert(list: &mut Vec<u64>, value: u64) {
    if let Err(at) = list.binary_search(&value) {
        list.insert(at, value);
    }
}

/// What accesses may return where all contents are known; empty where that
/// does not tell.
pub(super) fn of_closure(group: &mut Group, closure: &Closure, symbols: &SymbolTable) -> Returns {
    let start = group.content(0);
    if !group.returns {
        return Vec::new();
    }
    if closure.commutes() {
        return of_contents(group, closure, symbols);
    }
    // Where each leaves its own whatever it finds, an access finds what one
    // of the others left, or what was there.
    let classes = group.classes.len();
    let left: Option<Vec<u64>> = (0..classes)
        .map(|class| closure.constant(class).map(|number| group.content(number)))
        .collect();
    let Some(left) = left else {
        return Vec::new();
    };
    let class_of = group.class_of.clone();
    let lanes = class_of.iter().enumerate();
    let returns = lanes.map(|(lane, _)| {
        let others = class_of.iter().enumerate().filter(|(o, _)| *o != lane);
        let mut found = alloc::vec![start];
        for value in others.filter_map(|(_, class)| left.get(*class)) {
            insert(&mut found, *value);
        }
        Some(group.returned(lane, &found, symbols))
    });
    returns.collect()
}
