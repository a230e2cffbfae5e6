//! A search through a whole program, instruction by instruction.

mod apart;
mod conflicts;
mod results;

use super::engine::Engine;
use super::keys::Keys;
use super::{Answer, Conflict, Count, Outcome, Progress, group};
use alloc::rc::Rc;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::isa::Access;
use lanewise_core::machine::Machine;
use lanewise_core::program::{Program, ProgramInstruction};
use lanewise_core::session::{ScratchExecutor, find_fault, issue_accesses};

/// The most machine states that are kept between two instructions, unless
/// more results are asked for.
const MAX_BETWEEN: usize = 4096;

/// The most results after the last instruction that are told apart one by
/// one.
const MOST_AT_END: usize = 1 << 16;

/// The most conflicts that are told.
const MAX_CONFLICTS: usize = 4096;

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
    /// Whether the last instruction has the same results in all states.
    apart: bool,
    complete: bool,
    count: Option<Count>,
    orders: Option<Count>,
    sum: Count,
    conflicts: Vec<Conflict>,
    scratch: ScratchExecutor,
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
            apart: false,
            complete: true,
            count: None,
            orders: Some(Count::from(1_usize)),
            sum: Count::default(),
            conflicts: Vec::new(),
            scratch: ScratchExecutor::default(),
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
                    done = done && engine.work(&program.symbols, &mut budget);
                }
                if done && self.finish_task(placed, &mut task, &mut budget) {
                    // What one state has, all of them have that stand apart.
                    self.at = if self.apart {
                        self.states.len()
                    } else {
                        self.at + 1
                    };
                } else {
                    self.task = Some(task);
                }
            } else if self.at < self.states.len() {
                budget -= 1;
                if self.at == 0 {
                    self.found = 0;
                    self.apart = self.stands_apart(placed);
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
            permille: self.permille(),
        }
    }

    /// About how much of the work that is known of is done.
    fn permille(&self) -> u32 {
        let of = |part: usize, done: usize, all: usize| (done * 1000 + part) / all.max(1);
        let task = self.task.as_ref().map_or(0, |task| {
            let engines = task.engines.iter();
            let parts = engines.map(Engine::permille).sum::<usize>();
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
            MAX_BETWEEN.max(self.limit)
        }
    }

    fn is_last(&self) -> bool {
        self.instruction + 1 == self.program.instructions.len()
    }

    /// Whether results need not be told from those of other states.
    fn is_alone(&self) -> bool {
        self.is_last() && (self.apart || self.states.len() == 1)
    }

    fn start_task(&mut self, placed: &ProgramInstruction) {
        let Some(state) = self.states.get(self.at) else {
            return;
        };
        let program = Rc::clone(&self.program);
        let machine = state.machine(&program);
        let mut accesses = Vec::new();
        let mut fault = state.fault.clone();
        if fault.is_none() {
            issue_accesses(&program, placed, &machine, &mut accesses);
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
        let engines = groups.map(|group| Engine::new(group, most, &program.symbols));
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
    fn finish_task(
        &mut self,
        placed: &ProgramInstruction,
        task: &mut Task,
        budget: &mut usize,
    ) -> bool {
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
            Some(mut all) if self.is_alone() => {
                all.multiply(&Count::from(self.states.len()));
                self.count = Some(all);
            }
            Some(all) if all == Count::from(task.made) => {}
            _ => self.complete = false,
        }
        true
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
}
