//! The state of a program in an answer: all registers and memories.

use crate::json::{CheckAnswer, DiagnosticJson, Entries, Faulted, Register, RunAnswer, to_json};
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use data_encoding::HEXLOWER;
use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::isa::Family;
use lanewise_core::isa::sass::warp::{LANES, register_address};
use lanewise_core::isa::visa::declarations::address_element;
use lanewise_core::isa::visa::predefined::{STATELESS, SURFACES};
use lanewise_core::machine::{Machine, SpaceId, flag_address};
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
pub fn ran<'p>(program: &'p Program, status: &RunStatus<'p>) -> RunAnswer<'p> {
    RunAnswer {
        ok: true,
        instructions: status.instructions,
        steps: status.steps,
        warnings: warnings(program),
        fault: status.fault.map(faulted),
        registers: registers(program, status.machine),
        memory: memory(program, status.machine),
    }
}

/// The answer to `run`, with only the nonzero ranges of memory.
pub fn ran_compact<'p>(program: &'p Program, status: &RunStatus<'p>) -> RunAnswer<'p> {
    RunAnswer {
        memory: ranges_of(program, status.machine, |_, _, value| value != 0),
        ..ran(program, status)
    }
}

/// The warnings and notes of a program.
pub fn warnings(program: &Program) -> Vec<DiagnosticJson<'_>> {
    let all = program.diagnostics.iter();
    to_json(all.filter(|d| d.severity() != Severity::Error))
}

/// Converts a fault to JSON.
pub fn faulted(fault: &Fault) -> Faulted<'_> {
    Faulted {
        kind: fault.kind.word(),
        instruction: fault.instruction,
        eu: fault.unit.eu,
        lane: fault.unit.lane,
        address: fault.place.map(|(_, address)| format!("{address:#x}")),
        message: &fault.message,
    }
}

/// All declared variables and the execution masks of all EUs.
pub fn registers(program: &Program, machine: &Machine) -> Entries<Register> {
    if program.symbols.target.family() == Family::Sass {
        return warp(program, machine);
    }
    let mut entries = Vec::new();
    let mut push = |name: &str, value: &dyn Fn(u8) -> Register| {
        for eu in 0..program.threads {
            entries.push((format!("EU{eu}.{name}"), value(eu)));
        }
    };
    for (_, variable) in program.symbols.visa.generals() {
        let bytes = variable.elements * u32::from(variable.ty.bytes());
        push(&variable.name, &|eu| {
            let bytes = usize::try_from(bytes).expect("variables are in the register file");
            let mut held = vec![0; bytes];
            let file = machine.space(SpaceId::registers(eu));
            file.read(u64::from(variable.offset), &mut held);
            Register::Text(HEXLOWER.encode(&held))
        });
    }
    for (id, predicate) in program.symbols.visa.predicates() {
        push(&predicate.name, &|eu| mask(machine, eu, id));
    }
    push("em", &|eu| mask(machine, eu, 0));
    for (id, variable) in program.symbols.visa.addresses() {
        let start = address_element(id, 0);
        push(&variable.name, &|eu| {
            let pointers = (0..u64::from(variable.elements)).map(|element| {
                let offset = load_dword(machine, SpaceId::flags(eu), start + 4 * element);
                pointer_text(&program.symbols.visa, offset)
            });
            Register::List(pointers.collect())
        });
    }
    Entries(entries)
}

/// The registers used by a SASS program, with one value per lane, and its predicates,
/// with one bit per lane.
fn warp(program: &Program, machine: &Machine) -> Entries<Register> {
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
    registers.chain(predicates).collect()
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
pub fn memory(program: &Program, machine: &Machine) -> Entries<Entries<String>> {
    spaces(program)
        .filter_map(|(name, space)| {
            let memory = machine.space(space);
            let regions: Vec<_> = memory
                .regions()
                .map(|(start, _)| {
                    let bytes = memory.region_bytes(start);
                    (format!("{start:#x}"), HEXLOWER.encode(&bytes))
                })
                .collect();
            let shown = matches!(name, "slm" | "global") || !regions.is_empty();
            shown.then(|| (String::from(name), Entries(regions)))
        })
        .collect()
}

impl<V> FromIterator<(String, V)> for Entries<V> {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

/// The memories of a program with their names.
pub fn spaces(program: &Program) -> impl Iterator<Item = (&str, SpaceId)> {
    let surfaces = program.symbols.visa.surfaces();
    let surfaces = surfaces.map(|(index, surface)| (&*surface.name, SpaceId::surface(index)));
    // T1, T2, TSS and %bss have memory if `.surface` binds it.
    let predefined = (1..STATELESS).zip(SURFACES.iter().skip(1));
    let predefined = predefined.map(|(index, name)| (*name, SpaceId::surface(index)));
    let (slm, memory) = match program.symbols.target.family() {
        Family::Visa => (Some(("slm", SpaceId::SLM)), "svm"),
        Family::Sass => (None, "global"),
    };
    let memory = core::iter::once((memory, SpaceId::VIRTUAL));
    slm.into_iter()
        .chain(predefined)
        .chain(surfaces)
        .chain(memory)
}

/// The ranges of bytes for which `wanted` returns true, given space, address and value.
pub(crate) fn ranges_of(
    program: &Program,
    machine: &Machine,
    is_wanted: impl Fn(SpaceId, u64, u8) -> bool,
) -> Entries<Entries<String>> {
    let memories = spaces(program).filter_map(|(name, space)| {
        let memory = machine.space(space);
        let mut ranges: Vec<(String, String)> = Vec::new();
        for (start, _) in memory.regions() {
            let bytes: Vec<(u64, u8)> = (start..).zip(memory.region_bytes(start)).collect();
            let wanted = |(address, value): &(u64, u8)| is_wanted(space, *address, *value);
            for run in bytes.chunk_by(|a, b| wanted(a) == wanted(b)) {
                let Some(first) = run.first().filter(|first| wanted(first)) else {
                    continue;
                };
                let values: Vec<u8> = run.iter().map(|(_, value)| *value).collect();
                ranges.push((format!("{:#x}", first.0), HEXLOWER.encode(&values)));
            }
        }
        (!ranges.is_empty()).then(|| (String::from(name), Entries(ranges)))
    });
    memories.collect()
}
