//! `.order`: how the lanes of an instruction are serialised.

use crate::diagnostic::{Diagnostic, Findings, Span};
use crate::isa::{Access, Unit};
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, same_word};
use alloc::format;
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

/// The lanes that go first, in this order; the others follow, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    lanes: Vec<LaneName>,
    /// Whether it was written for this one instruction.
    own: bool,
}

impl Order {
    /// An order of lanes for one instruction.
    #[must_use]
    pub const fn of(lanes: Vec<LaneName>) -> Self {
        Self { lanes, own: true }
    }

    /// The lanes named.
    #[must_use]
    pub fn lanes(&self) -> &[LaneName] {
        &self.lanes
    }

    /// Brings latched accesses into this order.
    pub fn apply(&self, accesses: &mut [Access]) {
        let mut rest = accesses;
        for name in &self.lanes {
            let named = rest.iter().position(|access| access.unit == name.unit);
            let upto = named.and_then(|at| rest.get_mut(..=at));
            if let Some(upto) = upto {
                upto.rotate_right(1);
                rest = rest.split_at_mut(1).1;
            }
        }
    }

    /// Warns of lanes that the instruction does not have.
    pub fn check(&self, lanes: u8, threads: u8, out: &mut Findings) {
        if !self.own {
            return;
        }
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

/// Orders read but not yet given to an instruction.
#[derive(Debug, Default)]
pub(super) struct Pending {
    default: Order,
    next: Option<(Order, Span)>,
}

impl Pending {
    /// Notes an order; `first` when no instruction came before it.
    pub(super) fn set(&mut self, mut order: Order, first: bool, span: Span) {
        if first {
            order.own = false;
            self.default = order;
        } else {
            self.next = Some((order, span));
        }
    }

    /// The order for the next instruction.
    pub(super) fn take(&mut self, _first: bool) -> Order {
        match self.next.take() {
            Some((order, _)) => order,
            None => self.default.clone(),
        }
    }

    /// Where an order stands that no instruction took.
    pub(super) fn unused(&self) -> Option<Span> {
        self.next.as_ref().map(|(_, span)| *span)
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
                }
                lanes.push(LaneName {
                    unit,
                    channel,
                    span,
                });
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
                    .help("write lane numbers with blanks between them: .order 3 1 EU1.0"),
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
        .and_then(|n| u8::try_from(n).ok())?;
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
