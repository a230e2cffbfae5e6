//! Accesses that leave what they leave, whatever they find.

use super::closure::Closure;
use super::group::Group;
use super::list::Part;
use super::number::Count;
use alloc::vec::Vec;

/// Whether every access leaves a content that no other one leaves, whatever it
/// finds, and returned values tell what it found: then these tell the order. One
/// of them may leave the first content: who comes after it is told by the
/// content at the end.
pub(super) fn leave_their_own(group: &Group, closure: &Closure) -> bool {
    let mut left: Vec<usize> = Vec::new();
    let own = group.classes.iter().enumerate().all(|(class, c)| {
        let content = closure.constant(class);
        let content = content.filter(|content| c.lanes.len() == 1 && !left.contains(content));
        left.extend(content);
        content.is_some()
    });
    own && group.returns && closure.tells()
}

/// Where every access is of this kind the last one decides: the contents that
/// may stay, ascending, and for each a result, where nothing is returned.
pub(super) fn last_wins(group: &Group, closure: &Closure) -> Option<(Vec<u64>, Vec<Part>)> {
    let all = group.units.len();
    // What stays, the first access that leaves it, and how many do.
    let mut last: Vec<(u64, usize, usize)> = Vec::new();
    for (class, c) in group.classes.iter().enumerate() {
        let content = group.content(closure.constant(class)?);
        let lane = c.lanes.first().copied()?;
        match last.iter_mut().find(|(other, ..)| *other == content) {
            Some((.., lanes)) => *lanes += c.lanes.len(),
            None => last.push((content, lane, c.lanes.len())),
        }
    }
    let parts = last.iter().map(|(_, lane, lanes)| {
        let mut orders = Count::factorial(all.saturating_sub(1));
        orders.multiply(&Count::from(*lanes));
        let mut order: Vec<usize> = (0..all).filter(|other| other != lane).collect();
        order.push(*lane);
        Part {
            order,
            orders: Some(orders),
        }
    });
    let parts = parts.collect();
    let mut contents: Vec<u64> = last.iter().map(|(content, ..)| *content).collect();
    contents.sort_unstable();
    Some((contents, parts))
}
