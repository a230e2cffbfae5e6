//! The `.order` directive: the order in which lanes are serialized.

use crate::diagnostic::{Diagnostics, Span};
use crate::isa::{Access, CHANNELS, Unit};
use crate::number::parse_integer;
use crate::rules;
use crate::text::Cursor;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A lane in an order: `3` (of EU0), `EU1.3`, `3.R` or, for a vector element, `3.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneName {
    /// EU, lane and channel; without a channel, all channels of the lane.
    pub unit: Unit,
    pub span: Span,
}

/// Maximum number of lanes of an instruction.
const LANES: u8 = 32;

/// Number of ranks per EU: its lanes, then the lanes of each channel and element.
const PLACES: usize = (1 + CHANNELS.len()) * LANES as usize;

/// Rank of an unlisted lane: after all listed ones.
const LAST: u16 = u16::MAX;

/// The lanes that execute first, in this order; the others follow in ascending
/// order. An entry with a channel takes precedence over one without.
#[derive(Clone, Debug)]
pub struct Order {
    lanes: Vec<LaneName>,
    /// Number of entries before that of a lane or of one of its channels;
    /// empty if no lane is listed.
    ranks: Vec<u16>,
    /// Whether the order applies to a single instruction.
    own: bool,
    /// Span of the line, without comments.
    line: Option<Span>,
}

/// Orders are equal if they serialize lanes alike, wherever they are written.
impl PartialEq for Order {
    fn eq(&self, other: &Self) -> bool {
        let units = self.lanes.iter().map(|name| name.unit);
        units.eq(other.lanes.iter().map(|name| name.unit))
    }
}

impl Eq for Order {}

impl Default for Order {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

impl Order {
    #[must_use]
    pub fn of(lanes: Vec<LaneName>) -> Self {
        let count = if lanes.is_empty() { 0 } else { 2 * PLACES };
        let mut ranks = alloc::vec![LAST; count];
        for (rank, name) in (0..).zip(&lanes) {
            if let Some(place) = ranks.get_mut(place_of(name.unit)) {
                *place = rank.min(*place);
            }
        }
        Self {
            lanes,
            ranks,
            own: false,
            line: None,
        }
    }

    /// The listed lanes.
    #[must_use]
    pub fn lanes(&self) -> &[LaneName] {
        &self.lanes
    }

    /// Returns its line if that precedes the instruction it is attached to. An
    /// order for all instructions precedes the first one.
    pub(super) fn line_before(&self, is_first: bool) -> Option<Span> {
        self.line.filter(|_| self.own || is_first)
    }

    /// Sorts latched accesses by this order.
    pub fn apply(&self, accesses: &mut [Access]) {
        if self.lanes.is_empty() {
            return;
        }
        let rank = |access: &Access| {
            let of = |unit| self.ranks.get(place_of(unit)).copied().unwrap_or(LAST);
            let own = of(access.unit);
            if own == LAST && access.unit.channel.is_some() {
                of(Unit::lane(access.unit.thread, access.unit.lane))
            } else {
                own
            }
        };
        accesses.sort_by_key(rank);
    }

    /// Warns about lanes that none of the affected instructions has.
    fn check(&self, shape: LaneSet, threads: u8, out: &mut Diagnostics) {
        if let Some(name) = shape.at_once {
            if let (Some(first), Some(last)) = (self.lanes.first(), self.lanes.last()) {
                let span = first.span.to(last.span);
                let what = format!("`.order` has no effect on {name}");
                out.report(&rules::ORDER_AT_ONCE, span, what);
            }
            return;
        }
        for name in &self.lanes {
            let Unit {
                thread,
                lane,
                channel,
            } = name.unit;
            let what = if lane >= shape.lanes || thread >= threads {
                format!("lane {lane} of EU{thread} does not exist")
            } else if channel.is_some() && shape.channels == 0 {
                "the instruction has no channels".into()
            } else if channel.is_some_and(|c| shape.channels >> c & 1 == 0) {
                format!("channel {} is not enabled", name.unit.letter())
            } else {
                continue;
            };
            out.report(&rules::ORDER_LANE, name.span, what);
        }
    }
}

fn place_of(unit: Unit) -> usize {
    if unit.lane >= LANES {
        return usize::MAX;
    }
    let channel = unit.channel.map_or(0, |c| usize::from(c) + 1);
    usize::from(unit.thread) * PLACES + channel * usize::from(LANES) + usize::from(unit.lane)
}

/// The lanes of an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LaneSet {
    /// Number of lanes on each EU.
    pub(super) lanes: u8,
    /// Mask of the enabled channels and elements, as of the instruction.
    pub(super) channels: u16,
    /// Name of an instruction whose lanes compute all at once, so that an order
    /// has no effect on it.
    pub(super) at_once: Option<&'static str>,
}

/// Orders not yet attached to an instruction.
#[derive(Debug, Default)]
pub(super) struct Pending {
    default: Option<(Rc<Order>, Span)>,
    next: Option<(Rc<Order>, Span)>,
    none: Rc<Order>,
    /// Whether an instruction line has been read.
    started: bool,
    /// Number of instruction lines with the default order.
    takers: usize,
}

impl Pending {
    /// Records that an instruction line is being read.
    pub(super) const fn start(&mut self) {
        self.started = true;
    }

    /// Records an order: for the next instruction, or for all instructions if
    /// none came before. Returns the span of the order that it replaces.
    pub(super) fn set(&mut self, mut order: Order, span: Span) -> Option<Span> {
        order.own = self.started;
        order.line = Some(span);
        let slot = if self.started {
            &mut self.next
        } else {
            &mut self.default
        };
        slot.replace((Rc::new(order), span)).map(|(_, span)| span)
    }

    /// Takes the order for the next instruction.
    pub(super) fn take(&mut self) -> Rc<Order> {
        if let Some((order, _)) = self.next.take() {
            return order;
        }
        self.takers += 1;
        let default = self.default.as_ref();
        Rc::clone(default.map_or(&self.none, |(order, _)| order))
    }

    /// Warns about orders without effect. `placed` are the valid instructions
    /// with their lanes.
    pub(super) fn check<'o>(
        &self,
        placed: impl Iterator<Item = (&'o Order, LaneSet)>,
        threads: u8,
        out: &mut Diagnostics,
    ) {
        let unused = match &self.default {
            Some((_, span)) if !self.started => Some(span),
            _ => self.next.as_ref().map(|(_, span)| span),
        };
        if let Some(span) = unused {
            let what = "no instruction follows `.order`";
            out.report(&rules::ORDER_UNUSED, *span, what);
        }
        let (mut takers, mut most) = (0, LaneSet::default());
        let mut queues = false;
        for (order, shape) in placed {
            if order.own {
                order.check(shape, threads, out);
            } else {
                takers += 1;
                most.lanes = most.lanes.max(shape.lanes);
                most.channels |= shape.channels;
                most.at_once = most.at_once.or(shape.at_once);
                queues |= shape.at_once.is_none();
            }
        }
        most.at_once = most.at_once.filter(|_| !queues);
        // An invalid instruction might have the lanes.
        if let Some((order, _)) = &self.default
            && takers > 0
            && takers == self.takers
        {
            order.check(most, threads, out);
        }
    }
}

/// Parses the arguments of `.order`.
pub(super) fn parse(cursor: &mut Cursor<'_>, out: &mut Diagnostics) -> Option<Order> {
    let before = out.len();
    let mut lanes: Vec<LaneName> = Vec::new();
    while !cursor.at_end() {
        let start = cursor.here().start;
        let lane = parse_lane(cursor);
        let span = cursor.since(start);
        match lane {
            Some(unit) => {
                if lanes.iter().any(|l| l.unit == unit) {
                    let what = format!("repeated lane `{}`", span.of(cursor.text()));
                    out.report(&rules::ORDER_SYNTAX, span, what);
                } else {
                    lanes.push(LaneName { unit, span });
                }
            }
            None => {
                cursor.advance();
                let span = cursor.since(start);
                let what = format!("expected a lane, found `{}`", span.of(cursor.text()));
                let help = "write lane numbers from 0 to 31, separated by blanks: .order 3 1 EU1.0";
                out.advise(&rules::ORDER_SYNTAX, span, what, help);
            }
        }
        cursor.eat_punct(',');
    }
    (out.len() == before).then(|| Order::of(lanes))
}

fn parse_lane(cursor: &mut Cursor<'_>) -> Option<Unit> {
    let mut thread = 0;
    if let Some((name, _)) = cursor.clone().name() {
        thread = match name {
            _ if name.eq_ignore_ascii_case("EU0") => 0,
            _ if name.eq_ignore_ascii_case("EU1") => 1,
            _ => return None,
        };
        cursor.advance();
        cursor.eat_punct('.')?;
    }
    let word = cursor.word();
    // `3.0` is a single lexeme, a number.
    let (word, element) = match word.split_once('.') {
        Some((lane, element)) => (lane, Some(element)),
        None => (word, None),
    };
    let lane = parse_integer(word)
        .ok()
        .and_then(|n| u8::try_from(n).ok())
        .filter(|n| *n < LANES)?;
    cursor.advance();
    let channel_named = |word: &str| {
        let index = CHANNELS.iter().position(|l| l.eq_ignore_ascii_case(word))?;
        u8::try_from(index).ok()
    };
    let mut channel = None;
    if let Some(element) = element {
        channel = Some(channel_named(element)?);
    } else if cursor.is_punct('.') && cursor.adjacent() {
        cursor.advance();
        channel = Some(channel_named(cursor.word())?);
        cursor.advance();
    }
    Some(Unit::part(thread, lane, channel))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::SpaceId;
    use std::vec;

    #[test]
    fn channel_entries_take_precedence_over_lane_entries() {
        let name = |lane, channel| LaneName {
            unit: Unit::part(0, lane, channel),
            span: Span::default(),
        };
        let order = Order::of(vec![name(2, Some(1)), name(1, None), name(1, Some(0))]);
        let channels = [Some(0), Some(1)];
        let mut accesses: Vec<Access> = channels
            .iter()
            .flat_map(|c| (0..3).map(|lane| Unit::part(0, lane, *c)))
            .map(|unit| Access::new(unit, SpaceId::VIRTUAL, 0, 4))
            .collect();
        order.apply(&mut accesses);
        let order: Vec<_> = accesses
            .iter()
            .map(|a| (a.unit.lane, a.unit.letter()))
            .collect();
        let expected = [(2, "G"), (1, "G"), (1, "R"), (0, "R"), (2, "R"), (0, "G")];
        assert_eq!(order, expected);
    }
}
