//! The turns of the lanes of the instruction at hand, and their order.

use super::State;
use super::orders::{own_lines, write};
use crate::state::lanes::{LanesTable, unit_name};
use lanewise_core::isa::Unit;

/// A turn of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) unit: Unit,
    /// `3`, `EU1.3`, `3.R`.
    pub(crate) name: String,
    /// Its conflict group: letter and number.
    pub(crate) group: Option<(String, u32)>,
}

/// The turns of the instruction at hand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TurnsView {
    /// The instruction, and its line from 1.
    pub(crate) instruction: String,
    pub(crate) line: u32,
    pub(crate) turns: Vec<Turn>,
    /// The turn that is dragged, and where to.
    pub(crate) dragged: Option<(usize, usize)>,
    /// The turn that gets the focus.
    pub(crate) focus: Option<(u32, usize)>,
}

/// The lanes of a table in the order of their turns.
fn in_turn(table: &LanesTable) -> Vec<Turn> {
    let mut turns: Vec<(u32, Turn)> = Vec::new();
    for lane in &table.lanes {
        let unit = lane.row.unit;
        let Some(turn) = lane.row.turn else { continue };
        let at = turns.partition_point(|(other, _)| *other < turn);
        let group = lane.group.as_ref();
        let named = Turn {
            unit,
            name: unit_name(unit, table.threads),
            group: group.map(|group| (group.label(), group.number)),
        };
        turns.insert(at, (turn, named));
    }
    turns.into_iter().map(|(_, turn)| turn).collect()
}

impl State {
    /// The turns, where their order makes a difference.
    pub(super) fn turns(&self) -> Option<TurnsView> {
        let table = self.lanes_table();
        if !self.can_run() || table.lanes.iter().all(|lane| lane.group.is_none()) {
            return None;
        }
        let (instruction, line) = table.heading.clone()?;
        Some(TurnsView {
            instruction,
            line,
            turns: in_turn(&table),
            dragged: self.outcomes.dragged,
            focus: self.outcomes.focus,
        })
    }

    /// Gives a turn of the instruction at hand another place.
    pub(super) fn move_turn(&mut self, from: usize, to: usize) {
        self.outcomes.dragged = None;
        let Some(index) = self.session.current_instruction() else {
            return;
        };
        let turns = in_turn(&self.lanes_table());
        if from == to || from.max(to) >= turns.len() {
            return;
        }
        let mut units: Vec<Unit> = turns.iter().map(|turn| turn.unit).collect();
        let unit = units.remove(from);
        units.insert(to, unit);
        let mut orders = vec![(index, units)];
        if index == 0 {
            // An order before the first instruction is one for all: the
            // others keep theirs.
            let own = own_lines(&self.text, &self.written);
            for (other, own) in own.iter().enumerate().skip(1) {
                let rows = self.session.lanes(other);
                if own.is_some() || rows.iter().all(|row| row.conflict.is_none()) {
                    continue;
                }
                let mut units: Vec<(u32, Unit)> = Vec::new();
                for row in &rows {
                    if let Some(turn) = row.turn {
                        let at = units.partition_point(|(other, _)| *other < turn);
                        units.insert(at, (turn, row.unit));
                    }
                }
                orders.push((other, units.into_iter().map(|(_, unit)| unit).collect()));
            }
        }
        let orders: Vec<(usize, &[Unit])> = orders
            .iter()
            .map(|(at, units)| (*at, units.as_slice()))
            .collect();
        if let Some((text, caret)) = write(&self.text, &self.written, &orders) {
            self.rewrite(&text, caret, false);
        }
        self.notice_outcomes();
        let name = lanewise_core::session::lane_name(unit, self.written.threads);
        let count = turns.len();
        let outcomes = &mut self.outcomes;
        outcomes.told = format!("{name} takes turn {} of {count}.", to + 1);
        let serial = outcomes
            .focus
            .map_or(0, |(serial, _)| serial.wrapping_add(1));
        outcomes.focus = Some((serial, to));
    }
}
