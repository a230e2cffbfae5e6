//! Faults, in words.

use super::names::{acting_item, lane_name, lane_runs};
use super::schedule::{named_barrier_fault, place_of};
use crate::isa::sass::op::memory::LOCAL_BYTES;
use crate::isa::sass::warp::{ADDRESS_BITS, AddressWindow};
use crate::isa::{Access, FaultKind, IssueFault, Style, Unit};
use crate::machine::control::{Control, MAX_DEPTH, ThreadState};
use crate::machine::frames::FRAMES_BYTES;
use crate::machine::warp::MAX_TOKENS;
use crate::machine::{Machine, SpaceId};
use crate::number::set_bits;
use crate::program::{Issue, Launch, Program, file_name};
use crate::text::capitalized;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// An instruction that cannot be executed. It has no effect and ends the run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// Index of the instruction.
    pub instruction: u32,
    /// The lane, or the first lane that would have executed the instruction.
    pub unit: Unit,
    /// The space and the faulting address, if an access faulted.
    pub place: Option<(SpaceId, u64)>,
    /// Description with lane, address and reason.
    pub message: String,
}

/// A fault of an instruction as a whole.
#[cold]
pub(super) fn fault_of(
    program: &Program,
    issue: Issue,
    fault: IssueFault,
    machine: &Machine,
) -> Fault {
    let placed = program.instruction(issue);
    let name = placed.instruction.opcode();
    let line = placed.line + 1;
    let thread = issue.threads.first();
    let executing = placed.instruction.executing_channels(machine, thread);
    let lane = set_bits(executing).next();
    let lane = lane.map(|lane| u8::try_from(lane).expect("at most 31"));
    let lane = lane.unwrap_or_else(|| Control::new(machine, thread).first_active());
    let IssueFault { kind, reason } = fault;
    let reason = reason.or_else(|| named_barrier_fault(program, issue, machine));
    let message = match kind {
        _ if let Some(reason) = reason => {
            if program.has_warps() {
                let word = program.words().thread;
                format!("`{name}` on line {line}: {reason} ({word} {thread}, lane {lane})")
            } else if kind == FaultKind::NotModelled {
                let text = placed.instruction.text(&program.symbols, Style::Assembler);
                format!("`{text}` on line {line}: {reason}")
            } else {
                format!("`{name}` on line {line}: {reason}")
            }
        }
        FaultKind::NotModelled => {
            format!("`{name}` on line {line} is not modeled: Lanewise does not execute it")
        }
        FaultKind::Undefined | FaultKind::DivisionByZero => {
            format!("the result of `{name}` on line {line} is undefined")
        }
        FaultKind::PastEnd => format!(
            "lanes go on behind `{name}` on line {line}, the last instruction: the listing may be \
             cut off"
        ),
        FaultKind::BadTarget if program.has_warps() => format!(
            "the target of `{name}` on line {line} is not an instruction, or it is called and not \
             the start of a function"
        ),
        FaultKind::BadTarget => {
            format!("the branch target of `{name}` on line {line} does not exist")
        }
        FaultKind::CallTooDeep if program.has_warps() => {
            format!(
                "`{name}` on line {line}: more than {MAX_TOKENS} nested calls, loops and branches"
            )
        }
        FaultKind::CallTooDeep => match Control::new(machine, thread).depth() {
            MAX_DEPTH.. => format!("`{name}` on line {line}: more than {MAX_DEPTH} nested calls"),
            depth => format!(
                "`{name}` on line {line}: the variables of {depth} nested calls fill {} MB",
                FRAMES_BYTES >> 20
            ),
        },
        FaultKind::Trap => format!("`{name}` on line {line} stops the program"),
        FaultKind::OutOfFuel => {
            let what = format!(
                "the run stopped after {} instructions, its limit ({} sets another)",
                program.fuel, program.fuel_setting
            );
            what + &places(program, machine)
        }
        FaultKind::Deadlock => {
            let what = format!("`{name}` on line {line} waits forever, and so do all other lanes");
            what + &places(program, machine)
        }
        FaultKind::Misaligned
        | FaultKind::Unmapped
        | FaultKind::OutOfRange
        | FaultKind::AddressSpace => {
            format!("`{name}` on line {line}: an operand is outside the register file")
        }
    };
    Fault {
        kind,
        instruction: issue.instruction,
        unit: Unit::lane(thread, lane),
        place: None,
        message,
    }
}

/// Describes where the channels of the first threads are.
fn places(program: &Program, machine: &Machine) -> String {
    let mut message = String::new();
    let line_of = |pc: u32| {
        let line = program.line_at(pc).map_or(0, |line| line + 1);
        match program.source_line(program.after_marks(pc)) {
            Some((file, of_source)) => format!("{line} ({}:{of_source})", file_name(file)),
            None => format!("{line}"),
        }
    };
    // The first few threads are representative.
    for thread in 0..program.threads.min(4) {
        let control = Control::new(machine, thread);
        if control.state() == ThreadState::Ended {
            continue;
        }
        let channels = |mask| {
            let units = set_bits(mask).map(|c| Unit::lane(0, u8::try_from(c).expect("below 32")));
            lane_runs(&units.collect::<Vec<_>>(), 1)
        };
        message.push_str(&format!(
            "; {} {thread}: {}s {} at line {}",
            program.words().thread,
            program.words().channel,
            channels(control.active()),
            line_of(place_of(program, machine, thread))
        ));
        let waiting = (0..32).filter_map(|c| Some((c, control.waiting(c)?.0)));
        let mut places: Vec<(u32, u32)> = Vec::new();
        for (channel, pc) in waiting {
            match places.iter_mut().find(|(known, _)| *known == pc) {
                Some((_, mask)) => *mask |= 1 << channel,
                None => places.push((pc, 1 << channel)),
            }
        }
        for (pc, mask) in places {
            let waiting = channels(mask);
            message.push_str(&format!(", {waiting} waiting at line {}", line_of(pc)));
        }
    }
    message
}

/// The fault of the first access that has one.
#[inline]
pub(super) fn access_fault(
    program: &Program,
    issue: Issue,
    group: u32,
    machine: &Machine,
    accesses: &[Access],
) -> Option<Fault> {
    let (access, kind) = accesses.iter().find_map(|a| Some((a, a.fault?)))?;
    let item = acting_item(
        program,
        program.instruction(issue),
        group,
        access.unit,
        machine,
    );
    Some(fault_of_access(program, issue, item, access, kind))
}

#[cold]
fn fault_of_access(
    program: &Program,
    issue: Issue,
    item: Option<String>,
    access: &Access,
    kind: FaultKind,
) -> Fault {
    let placed = program.instruction(issue);
    let lane = item.unwrap_or_else(|| match &program.launch {
        Some(launch) => {
            let thread = capitalized(launch.words().thread);
            format!("{thread} {}, lane {}", access.unit.thread, access.unit.lane)
        }
        None => lane_name(access.unit, program.threads),
    });
    let address = access.address;
    let line = placed.line + 1;
    let name = placed.instruction.spec().name;
    let reason = match kind {
        FaultKind::Misaligned => format!("is not a multiple of {}", access.bytes),
        FaultKind::Unmapped => unmapped(program, access),
        FaultKind::OutOfRange if address >> ADDRESS_BITS != 0 => {
            format!("exceeds {ADDRESS_BITS} bits")
        }
        FaultKind::OutOfRange => String::from("is not mapped"),
        FaultKind::AddressSpace => {
            let window = program.symbols.sass.window_at(address);
            let name = window.map_or("another", AddressWindow::name);
            format!("is in the window of {name} memory")
        }
        FaultKind::NotModelled
        | FaultKind::Undefined
        | FaultKind::DivisionByZero
        | FaultKind::BadTarget
        | FaultKind::PastEnd
        | FaultKind::CallTooDeep
        | FaultKind::OutOfFuel
        | FaultKind::Trap
        | FaultKind::Deadlock => unreachable!("{kind:?} is not a fault of an access"),
    };
    let launch = program.launch.as_ref();
    let is_private = launch.is_some_and(|launch| launch.is_private(address));
    let memory = match is_private && access.space == SpaceId::VIRTUAL {
        true => format!(" in {} memory", program.words().private),
        false => String::new(),
    };
    Fault {
        kind,
        instruction: issue.instruction,
        unit: access.unit,
        place: Some((access.space, address)),
        message: format!(
            "{lane}: address {address:#x}{memory} {reason}. {name} on line {line} had no effect"
        ),
    }
}

/// Describes an address that is outside its memory.
fn unmapped(program: &Program, access: &Access) -> String {
    let words = program.words();
    if access.space == SpaceId::SLM {
        let bytes = program.start.space(access.space).mapped_bytes();
        let mut text = format!("is outside {} memory, which has {bytes} bytes", words.local);
        if program.launch.is_some() {
            text += &format!(" for each {}", words.work_group);
        }
        // Compilers decide how much a vISA kernel has.
        if program.launch.is_none() || program.has_warps() {
            text += "; `.slm N` sets the size";
        }
        return text;
    }
    if program.has_warps() && access.space == SpaceId::accumulators(access.unit.thread) {
        return format!(
            "is outside {} memory, which has {LOCAL_BYTES} bytes for each {}",
            words.private, words.item
        );
    }
    let launch = program.launch.as_ref();
    let memory = program.start.space(access.space);
    if let Some(null) = launch.and_then(|launch| launch.null_access(access, memory)) {
        return match memory.is_mapped(access.address, access.bytes) {
            true => format!("cannot be accessed{null}"),
            false => format!("is not mapped{null}"),
        };
    }
    let place = launch.and_then(|launch| launch.nearest_buffer(access.address));
    let place = place.map_or_else(String::new, |place| format!(": {place}"));
    // An access that starts in mapped memory is not one through NULL.
    let is_outside = !memory.is_mapped(access.address, 1);
    let null = launch.filter(|_| is_outside);
    let null = null.and_then(Launch::null_arguments);
    let null = null.map_or_else(String::new, |null| format!("; {null}"));
    format!("is not mapped{place}{null}")
}
