//! What each access of a group may return, whether or not its results can be
//! listed.

use super::closure::Closure;
use super::group::Group;
use crate::isa::Names;
use alloc::vec::Vec;

/// For every access of a group the values that it may return, ascending;
/// `None` where that is not known, or where they are many.
pub(super) type Returns = Vec<Option<Vec<u64>>>;

/// The most values of one access that are kept.
const MOST: usize = 1024;

/// Where all accesses commute, an access may find what any of the others
/// make together. `step` gives the content after an access.
pub(super) fn of_commuting(
    group: &mut Group,
    names: &Names,
    start: u64,
    step: impl Fn(usize, u64) -> u64,
) -> Returns {
    if !group.returns {
        return Vec::new();
    }
    let lanes = group.units.len();
    let mut returns: Returns = Vec::new();
    for lane in 0..lanes {
        // Equal accesses may return the same.
        let class = group.class_of.get(lane).copied();
        let before = group.class_of.get(..lane).unwrap_or(&[]);
        if let Some(equal) = before.iter().position(|other| Some(*other) == class) {
            returns.push(returns.get(equal).cloned().flatten());
            continue;
        }
        let mut found = alloc::vec![start];
        for other in (0..lanes).filter(|other| *other != lane) {
            let more: Vec<u64> = found.iter().map(|content| step(other, *content)).collect();
            merge(&mut found, more);
            if found.len() > MOST {
                break;
            }
        }
        let known = found.len() <= MOST;
        returns.push(known.then(|| group.returned(lane, &found, names)));
    }
    returns
}

/// The same where all contents are known.
fn of_contents(group: &mut Group, closure: &Closure, names: &Names) -> Returns {
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
        let mut found: Vec<u64> = found.iter().map(|n| group.content(*n)).collect();
        found.sort_unstable();
        returns.push(Some(group.returned(lane, &found, names)));
    }
    returns
}

/// Puts values into an ascending list, each once.
pub(super) fn merge(list: &mut Vec<u64>, mut more: Vec<u64>) {
    list.append(&mut more);
    // Runs that are in order are merged.
    list.sort();
    list.dedup();
}

/// What accesses may return where all contents are known; empty where that
/// does not tell.
pub(super) fn of_closure(group: &mut Group, closure: &Closure, names: &Names) -> Returns {
    let start = group.content(0);
    if !group.returns {
        return Vec::new();
    }
    if closure.commutes() {
        return of_contents(group, closure, names);
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
        let others = others.filter_map(|(_, class)| left.get(*class).copied());
        merge(&mut found, others.collect());
        Some(group.returned(lane, &found, names))
    });
    returns.collect()
}
