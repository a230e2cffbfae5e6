//! The answer to `outcomes`: all results, in full or only their differences.

use crate::json::{DiagnosticJson, Entries, Faulted, Register, Room, TooLong};
use crate::state::{Emit, faulted, memory, ranges_of, registers, warnings};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_explore::{
    Conflict, Count, LaneSchedule, Outcome, SearchResult, differing_bytes, issues_once, order_name,
};
use serde::Serialize;

/// The answer to `outcomes`.
#[derive(Serialize)]
pub struct OutcomesAnswer<'d> {
    ok: bool,
    complete: bool,
    /// Why it is not complete, unless work or room was spent: some order leads
    /// back to a state before it, an outcome ends at an instruction that is not
    /// modeled or when its fuel is spent, or threads could run in another order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomplete: Vec<&'static str>,
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
    /// Of the first instruction where the order matters; empty if there is none,
    /// or if `schedule` is there.
    order: Vec<String>,
    /// The `.order` of each instruction, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replay: Vec<OrderJson>,
    /// Where no `.order` lines replay the outcome, because an instruction was
    /// issued several times in different orders: the order of each issue.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    schedule: Vec<OrderJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Faulted<'d>>,
    #[serde(flatten)]
    state: State,
}

/// The order of one instruction, or of one of its issues.
#[derive(Serialize)]
struct OrderJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    issue: Option<u32>,
    instruction: u32,
    order: Vec<String>,
}

/// Lanes that access the same bytes.
#[derive(Serialize)]
struct ConflictJson {
    /// Number of the issue in the run, if instructions may be issued several
    /// times.
    #[serde(skip_serializing_if = "Option::is_none")]
    issue: Option<u32>,
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
///
/// # Errors
/// When it is too long.
pub fn outcomes<'d>(
    program: &'d Program,
    result: &'d SearchResult,
    is_compact: bool,
) -> Result<OutcomesAnswer<'d>, TooLong> {
    let mut room = Room::default();
    let all = result.outcomes.as_slice();
    let (common, states) = if is_compact {
        let (common, states) = compact(program, all, &mut room)?;
        (Some(common), states)
    } else {
        let full = all.iter().map(|outcome| {
            let machine = outcome.machine(program);
            Ok(State {
                memory: memory(program, &machine, &mut room)?,
                registers: registers(program, &machine, &mut room)?,
            })
        });
        (None, full.collect::<Result<_, TooLong>>()?)
    };
    let outcomes = all.iter().zip(states);
    let outcomes = outcomes.map(|(outcome, state)| json(program, outcome, state, &mut room));
    let outcomes = outcomes.collect::<Result<_, TooLong>>()?;
    let conflicts = result.conflicts.iter();
    let conflicts = conflicts.map(|c| conflict(program, c, &mut room));
    let reasons = [
        (result.has_cycle, "cycle"),
        (result.is_unfinished, "unfinished"),
        (result.has_other_schedules, "threads"),
    ];
    let reasons = reasons.into_iter().filter(|(holds, _)| *holds);
    Ok(OutcomesAnswer {
        ok: true,
        complete: result.complete,
        incomplete: reasons.map(|(_, reason)| reason).collect(),
        count: result.count.to_string(),
        orders: text(result.orders.as_ref()),
        common,
        outcomes,
        conflicts: conflicts.collect::<Result<_, TooLong>>()?,
        warnings: warnings(program),
    })
}

fn text(count: Option<&Count>) -> Option<String> {
    count.map(ToString::to_string)
}

/// A lane order, with its issue if the program branches.
fn order(
    schedule: &LaneSchedule,
    issue: Option<u32>,
    room: &mut Room,
) -> Result<OrderJson, TooLong> {
    let units = schedule.units.iter();
    let order: Vec<String> = units.map(|unit| order_name(*unit)).collect();
    room.take(ORDER_BYTES)?;
    room.take_list(&order)?;
    Ok(OrderJson {
        issue,
        instruction: schedule.instruction,
        order,
    })
}

/// Bytes of `{"issue":0,"instruction":0,"order":[]},` with long numbers.
const ORDER_BYTES: usize = 56;

fn json<'d>(
    program: &'d Program,
    outcome: &'d Outcome,
    state: State,
    room: &mut Room,
) -> Result<OutcomeJson<'d>, TooLong> {
    let replay = outcome.replay(program);
    let orders = replay.as_ref().unwrap_or(&outcome.schedules).iter();
    let own = orders.map(|schedule| {
        let issue = replay.is_none().then_some(schedule.issue.0);
        order(schedule, issue, room)
    });
    let mut own = own.collect::<Result<Vec<_>, TooLong>>()?;
    let mut answer = OutcomeJson {
        orders: text(outcome.orders.as_ref()),
        order: Vec::new(),
        replay: Vec::new(),
        schedule: Vec::new(),
        fault: outcome.fault.as_ref().map(|fault| faulted(program, fault)),
        state,
    };
    match own.as_mut_slice() {
        _ if replay.is_none() => answer.schedule = own,
        [] => {}
        [only] => answer.order = core::mem::take(&mut only.order),
        [first, ..] => {
            room.take_list(&first.order)?;
            answer.order.clone_from(&first.order);
            answer.replay = own;
        }
    }
    room.take(answer.orders.as_ref().map_or(0, String::len))?;
    Ok(answer)
}

fn conflict(
    program: &Program,
    conflict: &Conflict,
    room: &mut Room,
) -> Result<ConflictJson, TooLong> {
    let memory = program
        .symbols
        .memories()
        .find(|(_, space)| *space == conflict.space);
    let mut values = |values: &Vec<u64>| {
        let texts: Vec<String> = values.iter().map(|v| format!("{v:#x}")).collect();
        room.take_list(&texts)?;
        Ok(texts)
    };
    let returns = conflict.returns.iter();
    let returns = returns.map(|known| known.as_ref().map(&mut values).transpose());
    let returns = returns.collect::<Result<_, TooLong>>()?;
    let contents = conflict.contents.as_ref().map(&mut values).transpose()?;
    let lanes = conflict.units.iter();
    let lanes: Vec<String> = lanes.map(|unit| order_name(*unit)).collect();
    room.take_list(&lanes)?;
    room.take(CONFLICT_BYTES)?;
    Ok(ConflictJson {
        issue: (!issues_once(program)).then_some(conflict.issue.0),
        instruction: conflict.instruction,
        memory: memory.map_or_else(String::new, |(name, _)| String::from(name)),
        address: format!("{:#x}", conflict.address),
        bytes: conflict.bytes,
        lanes,
        contents,
        returns,
    })
}

/// Bytes of a conflict without its lists.
const CONFLICT_BYTES: usize = 140;

/// Splits outcomes into their common state and their differences. Without outcomes, the
/// common state is the initial state.
fn compact(
    program: &Program,
    outcomes: &[Outcome],
    room: &mut Room,
) -> Result<(State, Vec<State>), TooLong> {
    let differing = differing_bytes(outcomes);
    let first = outcomes.first().map(|outcome| outcome.machine(program));
    let first = first.as_ref().unwrap_or(&program.start);
    let base = registers(program, first, &mut Room::default())?;
    // Whether each register is the same in all outcomes.
    let mut is_common = alloc::vec![true; base.0.len()];
    for outcome in outcomes {
        let machine = outcome.machine(program);
        let own = registers(program, &machine, &mut Room::default())?;
        let pairs = base.0.iter().zip(&own.0).zip(&mut is_common);
        for ((base, own), is_common) in pairs {
            *is_common &= base == own;
        }
    }
    let only = |all: Entries<Register>, common: bool, room: &mut Room| {
        let entries = all.0.into_iter().zip(&is_common);
        let entries = entries.filter(|(_, is_common)| **is_common == common);
        let entries = entries.map(|((name, register), _)| {
            register.take_room(&name, room)?;
            Ok((name, register))
        });
        entries.collect::<Result<Vec<_>, TooLong>>().map(Entries)
    };
    let common = State {
        registers: only(base, true, room)?,
        memory: ranges_of(program, first, room, |space, region, emit| {
            emit_common(&differing, space, region, emit)
        })?,
    };
    let states = outcomes.iter().map(|outcome| {
        let machine = outcome.machine(program);
        let registers = registers(program, &machine, &mut Room::default())?;
        Ok(State {
            registers: only(registers, false, room)?,
            memory: ranges_of(program, &machine, room, |space, region, emit| {
                emit_differing(&differing, space, region, emit)
            })?,
        })
    });
    let states = states.collect::<Result<_, TooLong>>()?;
    Ok((common, states))
}

/// The addresses in a region among places that are sorted.
fn within(
    places: &[(u16, u64)],
    space: SpaceId,
    (first, last): (u64, u64),
) -> impl Iterator<Item = u64> {
    let from = places.partition_point(|place| *place < (space.0, first));
    let places = places[from..].iter();
    let places = places.take_while(move |place| **place <= (space.0, last));
    places.map(|(_, address)| *address)
}

/// Emits the ranges of a region that have these places.
fn emit_differing(
    places: &[(u16, u64)],
    space: SpaceId,
    region: (u64, u64),
    emit: &mut Emit<'_>,
) -> Result<(), TooLong> {
    let mut range: Option<(u64, u64)> = None;
    for address in within(places, space, region) {
        match &mut range {
            Some((_, last)) if last.checked_add(1) == Some(address) => *last = address,
            _ => {
                if let Some(range) = range.replace((address, address)) {
                    emit(range)?;
                }
            }
        }
    }
    range.map_or(Ok(()), emit)
}

/// Emits the ranges of a region between these places.
fn emit_common(
    places: &[(u16, u64)],
    space: SpaceId,
    (first, last): (u64, u64),
    emit: &mut Emit<'_>,
) -> Result<(), TooLong> {
    let mut next = Some(first);
    for address in within(places, space, (first, last)) {
        if let Some(start) = next.filter(|start| *start < address) {
            emit((start, address - 1))?;
        }
        next = address.checked_add(1);
    }
    match next.filter(|start| *start <= last) {
        Some(start) => emit((start, last)),
        None => Ok(()),
    }
}
