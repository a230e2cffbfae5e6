//! The state of a program in an answer: all registers and memories.

use crate::json::{
    CheckAnswer, DiagnosticJson, Entries, Faulted, Register, Room, RunAnswer, TooLong, to_json,
};
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use data_encoding::HEXLOWER;
use lanewise_core::diagnostic::{Diagnostic, to_usize};
use lanewise_core::isa::sass::warp::{LANES, register_address};
use lanewise_core::isa::visa::declarations::address_element;
use lanewise_core::machine::{Machine, Memory, SpaceId, flag_address};
use lanewise_core::program::{Program, pointer_text};
use lanewise_core::session::{Fault, Session};

/// The state of a run.
pub struct RunStatus<'r> {
    /// The state.
    pub machine: &'r Machine,
    /// Number of completed instructions.
    pub instructions: u32,
    /// Number of executed effects.
    pub steps: u64,
    /// The fault that ended the run, if any.
    pub fault: Option<&'r Fault>,
    /// Warnings about executed instructions.
    pub warnings: Vec<Diagnostic>,
}

impl<'r> RunStatus<'r> {
    /// The state of a session.
    pub fn of(session: &'r Session) -> Self {
        let position = session.position();
        let fault = session.fault();
        let faults = usize::from(fault.is_some());
        // An instruction is complete if the next one starts at or before the position.
        let begun = session.issue_starts().filter(|at| *at < position);
        let under_way = session
            .last_issue()
            .is_some_and(|last| session.next_issue() == Some(last));
        let completed = begun.count() - usize::from(under_way) - faults;
        Self {
            machine: session.machine(),
            instructions: u32::try_from(completed).expect("a program has fewer instructions"),
            steps: u64::try_from(position - faults).expect("a usize has at most 64 bits"),
            fault,
            warnings: session
                .warnings()
                .map(|(_, warning)| warning.clone())
                .collect(),
        }
    }
}

/// The answer to a rejected request, or to `check`.
pub fn checked(ok: bool, diagnostics: &[Diagnostic]) -> CheckAnswer<'_> {
    CheckAnswer {
        ok,
        diagnostics: to_json(diagnostics),
    }
}

/// The answer to `run`.
///
/// # Errors
/// When it is too long.
pub fn ran<'p>(program: &'p Program, status: &'p RunStatus<'p>) -> Result<RunAnswer<'p>, TooLong> {
    let mut room = Room::default();
    let memory = memory(program, status.machine, &mut room)?;
    answer(program, status, memory, room)
}

/// The answer to `run`, with only the nonzero ranges of memory.
///
/// # Errors
/// When it is too long.
pub fn ran_compact<'p>(
    program: &'p Program,
    status: &'p RunStatus<'p>,
) -> Result<RunAnswer<'p>, TooLong> {
    let mut room = Room::default();
    let memory = ranges_of(program, status.machine, &mut room, |space, region, emit| {
        let memory = status.machine.space(space);
        emit_nonzero(memory, region, emit)
    })?;
    answer(program, status, memory, room)
}

fn answer<'p>(
    program: &'p Program,
    status: &'p RunStatus<'p>,
    memory: Entries<Entries<String>>,
    mut room: Room,
) -> Result<RunAnswer<'p>, TooLong> {
    let mut warnings = warnings(program);
    warnings.extend(to_json(&status.warnings));
    Ok(RunAnswer {
        ok: true,
        instructions: status.instructions,
        steps: status.steps,
        warnings,
        fault: status.fault.map(|fault| faulted(program, fault)),
        registers: registers(program, status.machine, &mut room)?,
        memory,
    })
}

/// The warnings and notes of a program.
pub fn warnings(program: &Program) -> Vec<DiagnosticJson<'_>> {
    let all = program.diagnostics.iter();
    to_json(all.filter(|d| !d.is_error()))
}

/// Converts a fault to JSON.
pub fn faulted<'d>(program: &'d Program, fault: &'d Fault) -> Faulted<'d> {
    let source = program.source_line_before(fault.instruction);
    Faulted {
        kind: fault.kind.word(),
        instruction: fault.instruction,
        eu: fault.unit.thread,
        lane: fault.unit.lane,
        address: fault.place.map(|(_, address)| format!("{address:#x}")),
        message: &fault.message,
        file: source.map(|(file, _)| file),
        line: source.map(|(_, line)| line),
    }
}

/// All declared variables and the execution masks of all EUs.
pub(crate) fn registers(
    program: &Program,
    machine: &Machine,
    room: &mut Room,
) -> Result<Entries<Register>, TooLong> {
    if program.symbols.target.facts().has_lane_registers {
        return warp(program, machine, room);
    }
    let mut entries = Vec::new();
    let mut push = |name: &str, value: &dyn Fn(u8) -> Register| {
        for eu in 0..program.threads {
            let (name, value) = (format!("EU{eu}.{name}"), value(eu));
            value.take_room(&name, room)?;
            entries.push((name, value));
        }
        Ok(())
    };
    for (_, variable) in program.symbols.visa.generals() {
        let bytes = variable.elements * u32::from(variable.ty.bytes());
        let bytes = to_usize(bytes);
        push(&variable.name, &|eu| {
            let mut held = vec![0; bytes];
            let file = machine.space(SpaceId::registers(eu));
            file.read(u64::from(variable.offset), &mut held);
            Register::Text(HEXLOWER.encode(&held))
        })?;
    }
    for (id, predicate) in program.symbols.visa.predicates() {
        push(&predicate.name, &|eu| mask(machine, eu, id))?;
    }
    push("em", &|eu| mask(machine, eu, 0))?;
    for (id, variable) in program.symbols.visa.addresses() {
        let start = address_element(id, 0);
        push(&variable.name, &|eu| {
            let pointers = (0..u64::from(variable.elements)).map(|element| {
                let offset = load_dword(machine, SpaceId::flags(eu), start + 4 * element);
                pointer_text(&program.symbols.visa, offset)
            });
            Register::List(pointers.collect())
        })?;
    }
    Ok(Entries(entries))
}

/// The registers used by a SASS program, with one value per lane, and its predicates,
/// with one bit per lane.
fn warp(
    program: &Program,
    machine: &Machine,
    room: &mut Room,
) -> Result<Entries<Register>, TooLong> {
    let symbols = &program.symbols.sass;
    let registers = symbols.registers().map(|register| {
        let values = (0..LANES).map(|lane| {
            let place = register_address(lane, register);
            let value = load_dword(machine, SpaceId::registers(0), place);
            format!("{value:#010x}")
        });
        (format!("R{register}"), Register::List(values.collect()))
    });
    let predicates = symbols.predicates().map(|predicate| {
        let id = u16::from(predicate) + 1;
        (format!("P{predicate}"), mask(machine, 0, id))
    });
    // 256 registers at most.
    let entries: Entries<Register> = registers.chain(predicates).collect();
    for (name, register) in &entries.0 {
        register.take_room(name, room)?;
    }
    Ok(entries)
}

/// A predicate by ID; 0 is the execution mask.
fn mask(machine: &Machine, eu: u8, id: u16) -> Register {
    let bits = load_dword(machine, SpaceId::flags(eu), flag_address(id));
    Register::Text(format!("{bits:#010x}"))
}

/// A dword of registers or flags.
fn load_dword(machine: &Machine, space: SpaceId, address: u64) -> u32 {
    let bits = machine.load(space, address, 4);
    let bits = bits.expect("registers and flags are mapped");
    u32::try_from(bits).expect("four bytes were read")
}

/// All mapped regions of all memories; shared local memory even if it is empty.
pub(crate) fn memory(
    program: &Program,
    machine: &Machine,
    room: &mut Room,
) -> Result<Entries<Entries<String>>, TooLong> {
    let mut memories = ranges_of(program, machine, room, |_, region, emit| emit(region))?;
    if let Some((name, _)) = program
        .symbols
        .memories()
        .find(|(name, _)| matches!(*name, "slm" | "global"))
        && memories.0.iter().all(|(shown, _)| shown != name)
    {
        // Both come first or last, and only memories with regions are between.
        let at = if name == "slm" { 0 } else { memories.0.len() };
        memories
            .0
            .insert(at, (String::from(name), Entries(Vec::new())));
    }
    Ok(memories)
}

impl<V> FromIterator<(String, V)> for Entries<V> {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

/// Takes a range of memory into an answer, by its first and last address.
pub(crate) type Emit<'e> = dyn FnMut((u64, u64)) -> Result<(), TooLong> + 'e;

/// The ranges that `find` emits in each region of each memory; memories
/// without any are left out.
pub(crate) fn ranges_of(
    program: &Program,
    machine: &Machine,
    room: &mut Room,
    find: impl Fn(SpaceId, (u64, u64), &mut Emit<'_>) -> Result<(), TooLong>,
) -> Result<Entries<Entries<String>>, TooLong> {
    let mut memories = Vec::new();
    for (name, space) in program.symbols.memories() {
        let memory = machine.space(space);
        let mut ranges: Vec<(String, String)> = Vec::new();
        for (start, bytes) in memory.regions() {
            let region = (start, start.saturating_add(bytes - 1));
            find(space, region, &mut |(first, last)| {
                let name = format!("{first:#x}");
                let bytes = usize::try_from(last - first).map_err(|_| TooLong)?;
                let bytes = bytes.checked_add(1).ok_or(TooLong)?;
                room.take_entry(name.len(), bytes.saturating_mul(2))?;
                let mut held = vec![0; bytes];
                memory.read(first, &mut held);
                ranges.push((name, HEXLOWER.encode(&held)));
                Ok(())
            })?;
        }
        if !ranges.is_empty() {
            room.take_entry(name.len(), 2)?;
            memories.push((String::from(name), Entries(ranges)));
        }
    }
    Ok(Entries(memories))
}

/// Bytes that are looked at together.
const BLOCK: usize = 4096;

/// Emits the ranges of a region whose bytes are not zero.
fn emit_nonzero(
    memory: &Memory,
    (first, last): (u64, u64),
    emit: &mut Emit<'_>,
) -> Result<(), TooLong> {
    let mut block = [0; BLOCK];
    let mut range: Option<(u64, u64)> = None;
    let mut next = Some(first);
    while let Some(at) = next.filter(|at| *at <= last) {
        let left = usize::try_from(last - at).map_or(BLOCK, |left| left.saturating_add(1));
        let block = &mut block[..left.min(BLOCK)];
        memory.read(at, block);
        next = at.checked_add(u64::try_from(block.len()).expect("a block is short"));
        if range.is_none() && block.iter().all(|byte| *byte == 0) {
            continue;
        }
        for (address, byte) in (at..=last).zip(&*block) {
            match (&mut range, *byte) {
                (None, 0) => {}
                (Some(range), 1..) => range.1 = address,
                (None, 1..) => range = Some((address, address)),
                (Some(whole), 0) => {
                    emit(*whole)?;
                    range = None;
                }
            }
        }
    }
    range.map_or(Ok(()), emit)
}
