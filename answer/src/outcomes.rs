//! The answer to `outcomes`: all results, in full or only their differences.

use crate::json::{DiagnosticJson, Entries, Faulted, Register};
use crate::state::{faulted, memory, ranges_of, registers, spaces, warnings};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use lanewise_core::machine::Machine;
use lanewise_core::program::Program;
use lanewise_explore::{
    Conflict, Count, LaneSchedule, Outcome, SearchResult, differing_bytes, order_name,
};
use serde::Serialize;

/// The answer to `outcomes`.
#[derive(Serialize)]
pub struct OutcomesAnswer<'d> {
    ok: bool,
    complete: bool,
    count: String,
    orders: Option<String>,
    /// In a compact answer, the state common to all listed outcomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    common: Option<State>,
    outcomes: Vec<OutcomeJson<'d>>,
    /// All sets of conflicting lanes, whether or not their results are listed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conflicts: Vec<ConflictJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<DiagnosticJson<'d>>,
}

/// Registers by name and memory by name and address, in full or in part.
#[derive(Serialize)]
struct State {
    registers: Entries<Register>,
    memory: Entries<Entries<String>>,
}

#[derive(Serialize)]
struct OutcomeJson<'d> {
    orders: Option<String>,
    /// Order of the first order-dependent instruction.
    order: Vec<String>,
    /// Orders of all order-dependent instructions, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replay: Vec<ScheduleJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Faulted<'d>>,
    #[serde(flatten)]
    state: State,
}

/// Lane order of one instruction.
#[derive(Serialize)]
struct ScheduleJson {
    instruction: u32,
    order: Vec<String>,
}

/// Lanes that access the same bytes.
#[derive(Serialize)]
struct ConflictJson {
    instruction: u32,
    memory: String,
    address: String,
    bytes: u8,
    lanes: Vec<String>,
    /// All possible contents of the bytes after the instruction in which these lanes
    /// conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    contents: Option<Vec<String>>,
    /// All possible returned values for each lane; null if unknown or too many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    returns: Vec<Option<Vec<String>>>,
}

/// The answer of a search. In a compact answer, each register and byte of memory is
/// either in `common` or in every outcome.
#[must_use]
pub fn outcomes<'d>(
    program: &'d Program,
    result: &'d SearchResult,
    is_compact: bool,
) -> OutcomesAnswer<'d> {
    let all = result.outcomes.as_slice();
    let (common, states) = if is_compact {
        let (common, states) = compact(program, all);
        (Some(common), states)
    } else {
        let full = all.iter().map(|outcome| {
            let machine = outcome.machine(program);
            State {
                registers: registers(program, &machine),
                memory: memory(program, &machine),
            }
        });
        (None, full.collect())
    };
    let outcomes = all.iter().zip(states);
    OutcomesAnswer {
        ok: true,
        complete: result.complete,
        count: result.count.to_string(),
        orders: text(result.orders.as_ref()),
        common,
        outcomes: outcomes
            .map(|(outcome, state)| json(outcome, state))
            .collect(),
        conflicts: result
            .conflicts
            .iter()
            .map(|c| conflict(program, c))
            .collect(),
        warnings: warnings(program),
    }
}

fn text(count: Option<&Count>) -> Option<String> {
    count.map(ToString::to_string)
}

fn names(schedule: &LaneSchedule) -> Vec<String> {
    schedule
        .units
        .iter()
        .map(|unit| order_name(*unit))
        .collect()
}

fn json(outcome: &Outcome, state: State) -> OutcomeJson<'_> {
    let schedules = outcome.schedules.as_slice();
    let is_several = schedules.len() > 1;
    let replay = schedules
        .iter()
        .filter(|_| is_several)
        .map(|schedule| ScheduleJson {
            instruction: schedule.instruction,
            order: names(schedule),
        });
    OutcomeJson {
        orders: text(outcome.orders.as_ref()),
        order: schedules.first().map(names).unwrap_or_default(),
        replay: replay.collect(),
        fault: outcome.fault.as_ref().map(faulted),
        state,
    }
}

fn conflict(program: &Program, conflict: &Conflict) -> ConflictJson {
    let memory = spaces(program).find(|(_, space)| *space == conflict.space);
    let values = |values: &Vec<u64>| values.iter().map(|v| format!("{v:#x}")).collect();
    let returns = conflict.returns.iter();
    ConflictJson {
        instruction: conflict.instruction,
        memory: memory.map_or_else(String::new, |(name, _)| String::from(name)),
        address: format!("{:#x}", conflict.address),
        bytes: conflict.bytes,
        lanes: conflict
            .units
            .iter()
            .map(|unit| order_name(*unit))
            .collect(),
        contents: conflict.contents.as_ref().map(values),
        returns: returns.map(|known| known.as_ref().map(values)).collect(),
    }
}

/// Splits outcomes into their common state and their differences. Without outcomes, the
/// common state is the initial state.
fn compact(program: &Program, outcomes: &[Outcome]) -> (State, Vec<State>) {
    let differing = differing_bytes(outcomes);
    let first = outcomes.first().map(|outcome| outcome.machine(program));
    let first = first.as_ref().unwrap_or(&program.start);
    let base = registers(program, first);
    // Whether each register is the same in all outcomes.
    let mut is_common = alloc::vec![true; base.0.len()];
    let mut machines = outcomes.iter().map(|outcome| outcome.machine(program));
    for machine in machines.by_ref() {
        let own = registers(program, &machine);
        let pairs = base.0.iter().zip(&own.0).zip(&mut is_common);
        for ((base, own), is_common) in pairs {
            *is_common &= base == own;
        }
    }
    let only = |all: Entries<Register>, common: bool| {
        let entries = all.0.into_iter().zip(&is_common);
        let entries = entries.filter(|(_, is_common)| **is_common == common);
        Entries(entries.map(|(entry, _)| entry).collect())
    };
    let states = outcomes.iter().map(|outcome| {
        let machine = outcome.machine(program);
        State {
            registers: only(registers(program, &machine), false),
            memory: ranges(program, &machine, |place| {
                differing.binary_search(&place).is_ok()
            }),
        }
    });
    let states = states.collect();
    let common = State {
        registers: only(base, true),
        memory: ranges(program, first, |place| {
            differing.binary_search(&place).is_err()
        }),
    };
    (common, states)
}

/// The ranges of matching bytes of each memory; memories without any are omitted.
fn ranges(
    program: &Program,
    machine: &Machine,
    is_wanted: impl Fn((u16, u64)) -> bool,
) -> Entries<Entries<String>> {
    ranges_of(program, machine, |space, address, _| {
        is_wanted((space.0, address))
    })
}
