//! "Can lane 3 ever get 7 back?"

use super::group::Group;
use super::reach::Reach;
use super::{Outcome, Turns, group};
use alloc::boxed::Box;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{to_u32, to_usize};
use lanewise_core::isa::{Access, Unit};
use lanewise_core::machine::Machine;
use lanewise_core::program::Program;
use lanewise_core::session::{ScratchExecutor, find_fault, issue_accesses};

/// The most bytes that a returned value has.
pub(super) const RETURNED: u8 = 8;

/// The answer to the question whether a lane may get back a value.
#[derive(Clone, Debug)]
pub struct Asked {
    /// A result in which it does.
    pub outcome: Option<Outcome>,
    /// Whether there is none for certain, where there is none here.
    pub certain: bool,
}

/// A question for one lane of one instruction. Who asks for several values has
/// what the lane may find looked for once.
#[derive(Clone, Debug)]
pub struct Question {
    instruction: u32,
    unit: Unit,
    stand: Stand,
}

/// Where a question stands.
#[derive(Clone, Debug)]
enum Stand {
    /// No value is got back; whether that is certain.
    None(bool),
    Open(Box<Open>),
}

/// What there is at the instruction, in the program's own order before it.
#[derive(Clone, Debug)]
struct Open {
    group: Group,
    /// The lane's number in the group.
    lane: usize,
    reach: Reach,
    machine: Machine,
    accesses: Vec<Access>,
    before: Outcome,
}

impl Question {
    /// A question for a lane of an instruction.
    #[must_use]
    pub fn new(program: &Program, instruction: u32, unit: Unit) -> Self {
        Self {
            instruction,
            unit,
            stand: Stand::at(program, instruction, unit),
        }
    }

    /// Whether it is for that lane.
    #[must_use]
    pub fn is_for(&self, instruction: u32, unit: Unit) -> bool {
        (self.instruction, self.unit) == (instruction, unit)
    }

    /// Asks for a value; the program must be the same.
    pub fn ask(&mut self, program: &Program, value: u64) -> Asked {
        let open = match &mut self.stand {
            Stand::None(certain) => return none(*certain),
            Stand::Open(open) => open,
        };
        let (group, symbols) = (&mut open.group, &program.symbols);
        let (order, certain) = open.reach.order(group, open.lane, value, symbols);
        let Some(order) = order else {
            // Other orders of instructions before may tell otherwise.
            return none(certain && open.before.turns.is_empty());
        };
        let order: Vec<Unit> = order
            .iter()
            .filter_map(|lane| group.units.get(*lane).copied())
            .collect();
        // Lanes of other groups keep their places after these.
        let mut accesses = open.accesses.clone();
        let turn = |access: &Access| order.iter().position(|unit| *unit == access.unit);
        accesses.sort_by_key(|access| turn(access).unwrap_or(order.len()));
        let mut walk = Walk {
            machine: open.machine.clone(),
            outcome: open.before.clone(),
            scratch: ScratchExecutor::default(),
        };
        walk.make(program, self.instruction, &accesses, true);
        let later = program.instructions.iter().enumerate();
        for (index, placed) in later.skip(to_usize(self.instruction) + 1) {
            accesses.clear();
            issue_accesses(program, placed, &walk.machine, &mut accesses);
            walk.outcome.fault = find_fault(program, index, &accesses);
            if walk.outcome.fault.is_some() {
                break;
            }
            let groups = group::split(&placed.instruction, &accesses, &walk.machine);
            let Some(groups) = groups else {
                return none(false);
            };
            walk.make(program, to_u32(index), &accesses, !groups.is_empty());
        }
        Asked {
            outcome: Some(walk.outcome),
            certain: true,
        }
    }
}

impl Stand {
    fn at(program: &Program, instruction: u32, unit: Unit) -> Self {
        let mut walk = Walk {
            machine: program.start.clone(),
            outcome: Outcome {
                orders: None,
                turns: Vec::new(),
                cells: Vec::new(),
                fault: None,
            },
            scratch: ScratchExecutor::default(),
        };
        let mut accesses: Vec<Access> = Vec::new();
        for (index, placed) in program.instructions.iter().enumerate() {
            accesses.clear();
            issue_accesses(program, placed, &walk.machine, &mut accesses);
            if find_fault(program, index, &accesses).is_some() {
                // The instruction does not come, in this order of those before.
                return Self::None(walk.outcome.turns.is_empty());
            }
            let groups = group::split(&placed.instruction, &accesses, &walk.machine);
            let Some(groups) = groups else {
                return Self::None(false);
            };
            if to_u32(index) < instruction {
                walk.make(program, to_u32(index), &accesses, !groups.is_empty());
                continue;
            }
            let access = accesses.iter().find(|access| access.unit == unit);
            if access.is_some_and(|access| access.dst.is_none()) {
                // It gets nothing back.
                return Self::None(true);
            }
            let own = groups.into_iter().find(|group| group.units.contains(&unit));
            let Some(group) = own else {
                return Self::None(false);
            };
            let lane = group.units.iter().position(|other| *other == unit);
            return Self::Open(Box::new(Open {
                lane: lane.unwrap_or(0),
                group,
                reach: Reach::of_one(),
                machine: walk.machine,
                accesses,
                before: walk.outcome,
            }));
        }
        Self::None(false)
    }
}

/// A run in some order, noting what differs from the start.
struct Walk {
    machine: Machine,
    outcome: Outcome,
    scratch: ScratchExecutor,
}

impl Walk {
    /// Makes accesses; whether their order is noted.
    fn make(&mut self, program: &Program, index: u32, accesses: &[Access], noted: bool) {
        let Some(placed) = program.instructions.get(to_usize(index)) else {
            return;
        };
        if noted {
            self.outcome.turns.push(Turns {
                instruction: index,
                units: accesses.iter().map(|access| access.unit).collect(),
            });
        }
        let (machine, symbols) = (&mut self.machine, &program.symbols);
        let scratch = &mut self.scratch;
        let changes = scratch.perform(&placed.instruction, accesses, machine, symbols);
        self.outcome.change(changes, &program.start);
    }
}

/// Looks for an order of the lanes in which a lane of an instruction gets back
/// a value, as bits of its cell: a search for this one thing, which knows
/// nothing of the list of results. Other instructions go in the program's own
/// order.
#[must_use]
pub fn ask(program: &Program, instruction: u32, unit: Unit, value: u64) -> Asked {
    Question::new(program, instruction, unit).ask(program, value)
}

const fn none(certain: bool) -> Asked {
    Asked {
        outcome: None,
        certain,
    }
}
