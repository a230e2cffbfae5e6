//! The results of one state at an instruction: chosen, counted, kept apart.

use super::{Search, Task};
use crate::list::Part;
use crate::{Cell, Count, Outcome, Turns};
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::Access;
use lanewise_core::program::ProgramInstruction;

impl Search {
    /// Notes how many orders a state has, and its conflicts.
    pub(super) fn begin_results(&mut self, state: &Outcome, task: &Task) {
        let mut orders = state.orders.clone();
        if self.apart {
            // Of all states together.
            orders = Some(Count::default());
            for state in &self.states {
                match (&mut orders, &state.orders) {
                    (Some(sum), Some(own)) => sum.add(own),
                    _ => orders = None,
                }
            }
        }
        for engine in &task.engines {
            if let Some(orders) = &mut orders {
                orders.multiply(&Count::factorial(engine.group.units.len()));
            }
        }
        self.add_orders(orders);
        self.note_conflicts(task);
    }

    /// Adds the result of one choice among the groups' results, in every state
    /// that it is the same in.
    pub(super) fn choose(
        &mut self,
        placed: &ProgramInstruction,
        state: &Outcome,
        task: &mut Task,
        chosen: &[usize],
    ) {
        let mut units = Vec::new();
        let mut chances = Vec::new();
        for (engine, at) in task.engines.iter().zip(chosen) {
            let Some(Part { order, orders: own }) = engine.known.parts.get(*at) else {
                continue;
            };
            let group = order
                .iter()
                .filter_map(|lane| engine.group.units.get(*lane));
            units.extend(group.copied());
            chances.push(own.clone());
        }
        let mut sequence: Vec<Access> = Vec::with_capacity(task.accesses.len());
        let named = units
            .iter()
            .filter_map(|unit| task.accesses.iter().find(|a| a.unit == *unit));
        sequence.extend(named);
        for access in &task.accesses {
            if !units.contains(&access.unit) {
                sequence.push(*access);
            }
        }
        let room = self.most().saturating_sub(self.found);
        let symbols = &self.program.symbols;
        let machine = &mut task.machine;
        let changes = self
            .scratch
            .perform(&placed.instruction, &sequence, machine, symbols);
        let turns = (!task.engines.is_empty()).then(|| Turns {
            instruction: to_u32(self.instruction),
            units: sequence.iter().map(|a| a.unit).collect(),
        });
        let after = |state: &Outcome| {
            let mut outcome = state.clone();
            for own in &chances {
                match (&mut outcome.orders, own) {
                    (Some(orders), Some(own)) => orders.multiply(own),
                    (orders, _) => *orders = None,
                }
            }
            outcome.change(changes, &self.program.start);
            outcome.turns.extend(turns.clone());
            outcome
        };
        let mut outcomes = Vec::new();
        if self.apart {
            outcomes.extend(self.states.iter().take(room).map(after));
        } else {
            outcomes.push(after(state));
        }
        // The next result starts from the same state.
        for change in changes.iter().rev() {
            machine.undo(change);
        }
        for outcome in outcomes {
            self.add(outcome);
        }
    }

    pub(super) fn add_orders(&mut self, orders: Option<Count>) {
        match orders {
            Some(orders) => self.sum.add(&orders),
            None => self.orders = None,
        }
    }

    /// Adds a state after the instruction, or its orders to an equal one.
    pub(super) fn add(&mut self, outcome: Outcome) {
        if self.is_alone() {
            // Results of groups differ, and so do their combinations.
            self.found += 1;
            return self.next.push(outcome);
        }
        let mut end = u64::from(u32::MAX);
        let fault = outcome.fault.as_ref();
        let unit = fault.map_or(0, |f| {
            (u64::from(f.instruction) << 8) + u64::from(f.unit.lane) + 1
        });
        for run in outcome.cells.chunk_by(Cell::goes_on) {
            for cells in run.chunks(8) {
                let Some(first) = cells.first() else { continue };
                let value = cells
                    .iter()
                    .rev()
                    .fold(0, |v, c| v << 8 | u64::from(c.value));
                let bytes = u64::try_from(cells.len()).unwrap_or(0);
                let what = u64::from(first.space.0) << 48 | bytes << 32;
                let number = self.seen.number(&[what | end, first.address, value]).0;
                end = u64::from(to_u32(number));
            }
        }
        // No cells have this many bytes.
        let number = self.seen.number(&[end | 15 << 32, unit, u64::MAX]).0;
        self.ends.resize(self.seen.len(), u32::MAX);
        let state = self.ends.get(number).copied().filter(|s| *s != u32::MAX);
        if let Some(state) = state {
            let old = self.next.get_mut(to_usize(state));
            match (old.map(|old| &mut old.orders), &outcome.orders) {
                (Some(Some(orders)), Some(more)) => orders.add(more),
                (Some(orders), None) => *orders = None,
                _ => {}
            }
            return;
        }
        if let Some(slot) = self.ends.get_mut(number) {
            *slot = to_u32(self.found);
        }
        self.found += 1;
        // At the end the others are counted only.
        if !self.is_last() || self.next.len() < self.limit {
            self.next.push(outcome);
        }
    }
}
