//! A search through a whole program, instruction by instruction.

use super::engine::Engine;
use super::keys::Keys;
use super::list::Part;
use super::{Answer, Cell, Conflict, Count, Outcome, Progress, Turns, group};
use crate::diagnostic::{to_u32, to_usize};
use crate::isa::Access;
use crate::machine::Machine;
use crate::run::{Scratch, find_fault, latch};
use crate::scenario::{Placed, Program};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The most machine states that are kept between two instructions, unless
/// more results are asked for.
const MOST_BETWEEN: usize = 4096;

/// The most results after the last instruction that are told apart one by
/// one.
const MOST_AT_END: usize = 1 << 16;

/// The most conflicts that are told.
const MOST_CONFLICTS: usize = 4096;

/// One state's turn at an instruction.
#[derive(Clone, Debug)]
struct Task {
    machine: Machine,
    accesses: Vec<Access>,
    engines: Vec<Engine>,
    /// Which result of each group comes next, once all are known, and how
    /// many were made of them.
    chosen: Option<Vec<usize>>,
    made: usize,
}

/// A search for every result of a program, in slices.
#[derive(Clone, Debug)]
pub struct Search {
    program: Rc<Program>,
    limit: usize,
    /// The states before the instruction, and those after it found so far.
    states: Vec<Outcome>,
    next: Vec<Outcome>,
    /// How many were found, kept or not.
    found: usize,
    /// Those after it as rows of a tree: what came before, then a byte.
    seen: Keys,
    /// For rows that end a state, which one.
    ends: Vec<u32>,
    instruction: usize,
    at: usize,
    task: Option<Task>,
    complete: bool,
    count: Option<Count>,
    orders: Option<Count>,
    sum: Count,
    conflicts: Vec<Conflict>,
    scratch: Scratch,
}

impl Search {
    /// A search that lists `limit` results at most, and 65,536 at the very
    /// most.
    #[must_use]
    pub fn new(program: Rc<Program>, limit: usize) -> Self {
        let start = Outcome {
            orders: Some(Count::from(1_usize)),
            turns: Vec::new(),
            cells: Vec::new(),
            fault: None,
        };
        Self {
            program,
            limit: limit.min(MOST_AT_END),
            states: alloc::vec![start],
            next: Vec::new(),
            // A program without instructions has one result.
            found: 1,
            seen: Keys::new(3),
            ends: Vec::new(),
            instruction: 0,
            at: 0,
            task: None,
            complete: true,
            count: None,
            orders: Some(Count::from(1_usize)),
            sum: Count::default(),
            conflicts: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Works on, for about `budget` accesses of lanes.
    pub fn work(&mut self, budget: usize) -> Progress {
        let mut budget = budget;
        let program = Rc::clone(&self.program);
        while let Some(placed) = program.instructions.get(self.instruction) {
            if budget == 0 {
                break;
            }
            if let Some(mut task) = self.task.take() {
                let engines = &mut task.engines;
                let mut done = true;
                for engine in engines.iter_mut() {
                    done = done && engine.work(&program.names, &mut budget);
                }
                if done && self.finish_task(placed, &mut task, &mut budget) {
                    self.at += 1;
                } else {
                    self.task = Some(task);
                }
            } else if self.at < self.states.len() {
                budget -= 1;
                if self.at == 0 {
                    self.found = 0;
                }
                self.start_task(placed);
            } else {
                self.finish_instruction();
            }
        }
        Progress {
            done: self.instruction >= program.instructions.len(),
            instruction: self.instruction,
            state: self.at,
            states: self.states.len(),
            thousandths: self.thousandths(),
        }
    }

    /// About how much of the work that is known of is done.
    fn thousandths(&self) -> u32 {
        let of = |part: usize, done: usize, all: usize| (done * 1000 + part) / all.max(1);
        let task = self.task.as_ref().map_or(0, |task| {
            let engines = task.engines.iter();
            let parts = engines.map(Engine::thousandths).sum::<usize>();
            parts / task.engines.len().max(1)
        });
        let instruction = of(task, self.at, self.states.len());
        let count = self.program.instructions.len();
        to_u32(of(instruction.min(1000), self.instruction, count).min(1000))
    }

    /// Works to the end.
    pub fn finish(&mut self) {
        while !self.work(1 << 20).done {}
    }

    /// What was found; before the end, what is known so far of the end.
    #[must_use]
    pub fn answer(mut self) -> Answer {
        let done = self.work(0).done;
        if !done {
            self.states.clear();
        }
        let complete = self.complete && done;
        let found = Count::from(if done { self.found } else { 0 });
        self.states.truncate(self.limit);
        Answer {
            complete,
            count: self.count.filter(|_| done).unwrap_or(found),
            orders: self.orders.filter(|_| done),
            outcomes: self.states,
            conflicts: self.conflicts,
        }
    }

    /// How many results of the instruction are made one by one.
    fn most(&self) -> usize {
        if self.is_alone() {
            self.limit.max(1)
        } else if self.is_last() {
            MOST_AT_END.max(self.limit)
        } else {
            MOST_BETWEEN.max(self.limit)
        }
    }

    fn is_last(&self) -> bool {
        self.instruction + 1 == self.program.instructions.len()
    }

    /// Whether results need not be told from those of other states.
    fn is_alone(&self) -> bool {
        self.is_last() && self.states.len() == 1
    }

    fn start_task(&mut self, placed: &Placed) {
        let Some(state) = self.states.get(self.at) else {
            return;
        };
        let program = Rc::clone(&self.program);
        let machine = state.machine(&program);
        let mut accesses = Vec::new();
        let mut fault = state.fault.clone();
        if fault.is_none() {
            latch(&program, placed, &machine, &mut accesses);
            fault = find_fault(&program, self.instruction, &accesses);
        }
        if fault.is_some() {
            let ended = Outcome {
                fault,
                ..state.clone()
            };
            self.add_orders(ended.orders.clone());
            self.add(ended);
            self.at += 1;
            return;
        }
        let most = self.most();
        let groups = group::split(&placed.instruction, &accesses, &machine);
        // Unknown groups leave the lanes' own order.
        self.complete &= groups.is_some();
        let groups = groups.unwrap_or_default().into_iter();
        let engines = groups.map(|group| Engine::new(group, most, &program.names));
        self.task = Some(Task {
            machine,
            accesses,
            engines: engines.collect(),
            chosen: None,
            made: 0,
        });
    }

    /// Adds the results of one state, those of its groups, each with each:
    /// whether all of them.
    fn finish_task(&mut self, placed: &Placed, task: &mut Task, budget: &mut usize) -> bool {
        let Some(state) = self.states.get(self.at).cloned() else {
            return true;
        };
        let engines = task.engines.len();
        let mut chosen = task.chosen.take().unwrap_or_else(|| {
            self.begin_results(&state, task);
            alloc::vec![0; engines]
        });
        let most = self.most();
        let mut more = true;
        while more && task.made < most && self.found < most {
            if *budget == 0 {
                task.chosen = Some(chosen);
                return false;
            }
            self.choose(placed, &state, task, &chosen);
            *budget = budget.saturating_sub(task.accesses.len());
            task.made += 1;
            // The next combination.
            more = chosen.iter_mut().zip(&task.engines).any(|(at, engine)| {
                *at += 1;
                let more = *at < engine.known.parts.len();
                if !more {
                    *at = 0;
                }
                more
            });
        }
        let mut counts = task.engines.iter().map(|engine| &engine.known.count);
        let all = counts.try_fold(Count::from(1_usize), |mut all, count| {
            all.multiply(count.as_ref()?);
            Some(all)
        });
        match all {
            Some(all) if self.is_alone() => self.count = Some(all),
            Some(all) if all == Count::from(task.made) => {}
            _ => self.complete = false,
        }
        true
    }

    /// Notes how many orders a state has, and its conflicts.
    fn begin_results(&mut self, state: &Outcome, task: &Task) {
        let mut orders = state.orders.clone();
        for engine in &task.engines {
            if let Some(orders) = &mut orders {
                orders.multiply(&Count::factorial(engine.group.units.len()));
            }
        }
        self.add_orders(orders);
        self.note_conflicts(task);
    }

    /// Adds the result of one choice among the groups' results.
    fn choose(&mut self, placed: &Placed, state: &Outcome, task: &mut Task, chosen: &[usize]) {
        let mut orders = state.orders.clone();
        let mut units = Vec::new();
        for (engine, at) in task.engines.iter().zip(chosen) {
            let Some(Part { order, orders: own }) = engine.known.parts.get(*at) else {
                continue;
            };
            let group = order
                .iter()
                .filter_map(|lane| engine.group.units.get(*lane));
            units.extend(group.copied());
            match (&mut orders, own) {
                (Some(orders), Some(own)) => orders.multiply(own),
                _ => orders = None,
            }
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
        let names = &self.program.names;
        let machine = &mut task.machine;
        let changes = self
            .scratch
            .perform(&placed.instruction, &sequence, machine, names);
        let mut outcome = state.clone();
        outcome.orders = orders;
        outcome.change(changes, &self.program.start);
        // The next result starts from the same state.
        for change in changes.iter().rev() {
            machine.undo(change);
        }
        if !task.engines.is_empty() {
            outcome.turns.push(Turns {
                instruction: to_u32(self.instruction),
                units: sequence.iter().map(|a| a.unit).collect(),
            });
        }
        self.add(outcome);
    }

    fn add_orders(&mut self, orders: Option<Count>) {
        match orders {
            Some(orders) => self.sum.add(&orders),
            None => self.orders = None,
        }
    }

    /// Adds a state after the instruction, or its orders to an equal one.
    fn add(&mut self, outcome: Outcome) {
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

    /// Goes to the next instruction.
    fn finish_instruction(&mut self) {
        self.states = core::mem::take(&mut self.next);
        self.seen = Keys::new(3);
        let last = self.is_last();
        self.ends.clear();
        self.at = 0;
        self.instruction += 1;
        let sum = core::mem::take(&mut self.sum);
        // What follows states that were left out is not counted.
        if let Some(orders) = &mut self.orders {
            *orders = sum;
        }
        if !self.complete && !last {
            self.orders = None;
        }
    }

    /// Notes the conflicts of a state; what is known of those that were met
    /// before, in another state, grows by it.
    fn note_conflicts(&mut self, task: &Task) {
        let instruction = to_u32(self.instruction);
        for engine in &task.engines {
            let (group, known) = (&engine.group, &engine.known);
            let mut met = self.conflicts.iter_mut().rev();
            let met = met.find(|c| {
                (c.instruction, c.space, c.address, c.bytes)
                    == (instruction, group.space, group.address, group.bytes)
                    && c.units == group.units
            });
            if let Some(met) = met {
                met.contents = union(met.contents.take(), known.contents.as_ref());
                let own = known.returns.iter();
                if met.returns.len() != own.len() {
                    met.returns.clear();
                }
                for (met, own) in met.returns.iter_mut().zip(own) {
                    *met = union(met.take(), own.as_ref());
                }
            } else if self.conflicts.len() < MOST_CONFLICTS {
                self.conflicts.push(Conflict {
                    instruction,
                    space: group.space,
                    address: group.address,
                    bytes: group.bytes,
                    units: group.units.clone(),
                    count: known.count.clone(),
                    contents: known.contents.clone().filter(|_| self.complete),
                    returns: if self.complete {
                        known.returns.clone()
                    } else {
                        // What states that were left out return is not known.
                        Vec::new()
                    },
                });
            }
        }
    }
}

/// Values of both, ascending; unknown where one of them is.
fn union(a: Option<Vec<u64>>, b: Option<&Vec<u64>>) -> Option<Vec<u64>> {
    let (mut a, b) = (a?, b?);
    for value in b {
        super::returns::insert(&mut a, *value);
    }
    Some(a)
}
