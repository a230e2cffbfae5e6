//! `.order`: how the lanes of an instruction are serialised.

use crate::diagnostic::{Diagnostic, Findings, Span};
use crate::isa::{Access, Unit};
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, same_word};
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A lane as an order names it: `3` (of EU0), `EU1.3`, `3.R`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneName {
    /// Which lane of which EU.
    pub unit: Unit,
    /// Which channel of a scatter: 0 to 3 for R, G, B, A.
    pub channel: Option<u8>,
    /// Where it stands.
    pub span: Span,
}

/// The most lanes of an instruction.
const LANES: u8 = 32;

/// The lanes that go first, in this order; the others follow, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    lanes: Vec<LaneName>,
    /// For every lane of EU0, then of EU1: how many lanes go before it, or
    /// [`u8::MAX`] where it is not named.
    ranks: [u8; 2 * LANES as usize],
    /// Whether it was written for one instruction.
    own: bool,
}

impl Default for Order {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

impl Order {
    /// An order of lanes. A name with a channel has no effect.
    #[must_use]
    pub fn of(lanes: Vec<LaneName>) -> Self {
        let mut ranks = [u8::MAX; 2 * LANES as usize];
        let whole = lanes.iter().filter(|name| name.channel.is_none());
        for (rank, name) in (0..).zip(whole) {
            if let Some(place) = ranks.get_mut(place_of(name.unit)) {
                *place = rank.min(*place);
            }
        }
        Self {
            lanes,
            ranks,
            own: false,
        }
    }

    /// The lanes named.
    #[must_use]
    pub fn lanes(&self) -> &[LaneName] {
        &self.lanes
    }

    /// Brings latched accesses into this order.
    pub fn apply(&self, accesses: &mut [Access]) {
        if self.lanes.is_empty() {
            return;
        }
        let rank = |access: &Access| {
            let rank = self.ranks.get(place_of(access.unit));
            rank.copied().unwrap_or(u8::MAX)
        };
        // Insertion: few accesses, and a library sort would be larger.
        for next in 1..accesses.len() {
            let Some((last, before)) = accesses.get(..=next).and_then(<[_]>::split_last) else {
                break;
            };
            let own = rank(last);
            let at = before.partition_point(|access| rank(access) <= own);
            if let Some(moved) = accesses.get_mut(at..=next) {
                moved.rotate_right(1);
            }
        }
    }

    /// Warns of lanes that the instruction does not have.
    pub(super) fn check_own(&self, lanes: u8, threads: u8, out: &mut Findings) {
        if self.own {
            self.check(lanes, threads, out);
        }
    }

    fn check(&self, lanes: u8, threads: u8, out: &mut Findings) {
        for name in &self.lanes {
            if name.unit.lane >= lanes || name.unit.eu >= threads {
                let what = format!("lane {} of EU{}", name.unit.lane, name.unit.eu);
                out.report(&rules::ORDER_LANE, name.span, what);
            } else if name.channel.is_some() {
                out.report(&rules::ORDER_LANE, name.span, "an atomic has no channels");
            }
        }
    }
}

fn place_of(unit: Unit) -> usize {
    if unit.lane < LANES {
        usize::from(unit.eu) * usize::from(LANES) + usize::from(unit.lane)
    } else {
        usize::MAX
    }
}

/// Orders read but not yet given to an instruction.
#[derive(Debug, Default)]
pub(super) struct Pending {
    default: Option<(Rc<Order>, Span)>,
    next: Option<(Rc<Order>, Span)>,
    none: Rc<Order>,
    /// Whether an instruction line was read.
    started: bool,
    /// How many instruction lines took the default order.
    takers: usize,
}

impl Pending {
    /// Notes that a line with an instruction is being read.
    pub(super) const fn start(&mut self) {
        self.started = true;
    }

    /// Notes an order: for the next instruction, or for all where none came
    /// before. Gives the place of one that it takes the place of.
    pub(super) fn set(&mut self, mut order: Order, span: Span) -> Option<Span> {
        order.own = self.started;
        let slot = if self.started {
            &mut self.next
        } else {
            &mut self.default
        };
        slot.replace((Rc::new(order), span)).map(|(_, span)| span)
    }

    /// The order for the next instruction.
    pub(super) fn take(&mut self) -> Rc<Order> {
        if let Some((order, _)) = self.next.take() {
            return order;
        }
        self.takers += 1;
        let default = self.default.as_ref();
        Rc::clone(default.map_or(&self.none, |(order, _)| order))
    }

    /// Warns of orders that have no effect; `placed` are the instructions that
    /// could be read, with their lanes.
    pub(super) fn check<'o>(
        &self,
        placed: impl Iterator<Item = (&'o Order, u8)>,
        threads: u8,
        out: &mut Findings,
    ) {
        let unused = match &self.default {
            Some((_, span)) if !self.started => Some(span),
            _ => self.next.as_ref().map(|(_, span)| span),
        };
        if let Some(span) = unused {
            out.report(&rules::ORDER_UNUSED, *span, "no instruction follows");
        }
        let (mut takers, mut most) = (0, 0);
        for (order, lanes) in placed {
            order.check_own(lanes, threads, out);
            if !order.own {
                takers += 1;
                most = lanes.max(most);
            }
        }
        // One that could not be read might have the lanes.
        if let Some((order, _)) = &self.default
            && takers > 0
            && takers == self.takers
        {
            order.check(most, threads, out);
        }
    }
}

/// Reads what follows `.order`.
pub(super) fn parse(cursor: &mut Cursor<'_>, out: &mut Findings) -> Option<Order> {
    let before = out.len();
    let mut lanes: Vec<LaneName> = Vec::new();
    while !cursor.at_end() {
        let start = cursor.here().start;
        let lane = parse_lane(cursor);
        let span = cursor.since(start);
        match lane {
            Some((unit, channel)) => {
                let again = lanes.iter().any(|l| l.unit == unit && l.channel == channel);
                if again {
                    let what = format!("`{}` stands twice", span.of(cursor.text()));
                    out.report(&rules::ORDER_SYNTAX, span, what);
                } else {
                    lanes.push(LaneName {
                        unit,
                        channel,
                        span,
                    });
                }
            }
            None => {
                cursor.advance();
                let span = cursor.since(start);
                out.push(
                    Diagnostic::new(
                        &rules::ORDER_SYNTAX,
                        span,
                        format!("`{}` names no lane", span.of(cursor.text())),
                    )
                    .help(
                        "write lane numbers, 0 to 31, with blanks between them: .order 3 1 EU1.0",
                    ),
                );
            }
        }
        cursor.sign(',');
    }
    (out.len() == before).then(|| Order::of(lanes))
}

fn parse_lane(cursor: &mut Cursor<'_>) -> Option<(Unit, Option<u8>)> {
    let mut eu = 0;
    if let Some((name, _)) = cursor.clone().name() {
        eu = match name {
            _ if same_word(name, "EU0") => 0,
            _ if same_word(name, "EU1") => 1,
            _ => return None,
        };
        cursor.advance();
        cursor.sign('.')?;
    }
    let lane = parse_integer(cursor.word())
        .ok()
        .and_then(|n| u8::try_from(n).ok())
        .filter(|n| *n < LANES)?;
    cursor.advance();
    let mut channel = None;
    if cursor.is_sign('.') && cursor.adjacent() {
        cursor.advance();
        let word = cursor.word();
        let letters = ["R", "G", "B", "A"];
        let index = letters.iter().position(|l| same_word(l, word))?;
        channel = u8::try_from(index).ok();
        cursor.advance();
    }
    Some((Unit { eu, lane }, channel))
}
