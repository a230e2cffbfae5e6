//! Accesses outside their object, and misaligned ones.

use crate::Checks;
use crate::finding::{Finding, Kind, Operation, Severity, Space};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use core::ops::Range;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::{Access, FaultKind, Unit};
use lanewise_core::machine::{SpaceId, SpaceKind};
use lanewise_core::program::{Launch, Program};
use lanewise_core::session::ObservedStep;

impl Checks {
    /// Reports accesses that are outside their object or misaligned, and clears their faults.
    pub(crate) fn check_memory(&mut self, step: ObservedStep<'_>, accesses: &mut [Access]) {
        let Some(launch) = &step.program.launch else {
            return;
        };
        let instruction = &step.program.instruction(step.issue).instruction;
        let excess = self.facts[to_usize(step.issue.instruction)].excess;
        for (index, access) in (0..).zip(accesses) {
            if !access.has_effect(excess) {
                continue;
            }
            // The compiler packs the records of printf.
            let is_aligned = access.address.is_multiple_of(access.bytes.max(1).into())
                || launch.is_printed(access.address)
                || access
                    .address
                    .is_multiple_of(alignment(step, access).into());
            let is_outside = match access.fault {
                Some(FaultKind::Unmapped) => true,
                Some(FaultKind::Misaligned) => {
                    let memory = step.machine.space(access.space);
                    !memory.is_mapped(access.address, access.bytes)
                }
                Some(_) => false,
                None => {
                    !access.in_bounds && !instruction.is_clipped()
                        || launch.is_past_local(access)
                        || is_foreign(launch, access)
                }
            };
            if is_outside {
                self.report_memory(step, (index, access), Kind::OutOfBounds);
            } else if !is_aligned || access.fault == Some(FaultKind::Misaligned) {
                self.report_memory(step, (index, access), Kind::Misaligned);
            }
            clear_fault(access);
        }
    }

    #[cold]
    fn report_memory(
        &mut self,
        step: ObservedStep<'_>,
        (index, access): (u64, &Access),
        kind: Kind,
    ) {
        let operation = match access.writes {
            _ if is_atomic(step) => Operation::Atomic,
            true => Operation::Write,
            false => Operation::Read,
        };
        let mut note = self.note(step, (index, access), operation);
        if operation == Operation::Write {
            note.value = Some(access.src0);
        }
        let (site, group) = (note.site, self.group);
        let may_be_merged = kind == Kind::Misaligned && may_be_merged(step, access);
        let severity = match may_be_merged {
            true => Severity::Note,
            false => Severity::Error,
        };
        self.report
            .add(kind, severity, (site, None), operation, group, || {
                let context = step.program.context(step.issue, step.machine);
                let instruction = &step.program.instruction(step.issue).instruction;
                let start = instruction.surface_start(&context, access.unit.thread);
                let (space, place) = place_of(step.program, access, start);
                let what = match (kind, operation) {
                    (Kind::Misaligned, _) => format!(
                        "the address of {place}, {:#x}, is not a multiple of {}",
                        access.address,
                        alignment(step, access)
                    ),
                    (_, Operation::Read) => format!("{place} is read out of bounds"),
                    _ => format!("{place} is written out of bounds"),
                };
                let memory = step.machine.space(access.space);
                let launch = step.program.launch.as_ref();
                let launch = launch.filter(|_| access.fault == Some(FaultKind::Unmapped));
                let what = match launch.and_then(|l| l.null_access(access, memory)) {
                    Some(null) => format!("{what}{null}"),
                    None => what,
                };
                let what = match may_be_merged {
                    true => format!("{what}; the compiler may have merged smaller elements"),
                    false => what,
                };
                let what = match access.fault {
                    Some(_) => format!("{what}; without checks, the run stops here with a fault"),
                    None => what,
                };
                Finding::new(kind, severity, space, what, vec![note])
            });
    }
}

/// Lets a run go on after an access that is reported: it reads zero and writes nothing.
pub(crate) fn clear_fault(access: &mut Access) {
    if matches!(
        access.fault,
        Some(FaultKind::Unmapped | FaultKind::Misaligned)
    ) {
        access.fault = None;
        access.in_bounds = false;
    }
}

/// The alignment that an access needs: that of the elements of the source, which compilers
/// merge into wider accesses, such as two of the three `ushort` of `vload3`. Elements of one or
/// two bytes show in a variable of that type with the data. Others are at most as large as those
/// of the buffer; in a buffer of bytes, and outside of buffers, an access wider than two bytes
/// is taken for a single element, which [`may_be_merged`] qualifies.
#[cold]
fn alignment(step: ObservedStep<'_>, access: &Access) -> u8 {
    let bytes = access.bytes.max(1);
    let instruction = &step.program.instruction(step.issue).instruction;
    let symbols = &step.program.symbols;
    if access.fault == Some(FaultKind::Misaligned) || is_atomic(step) {
        return bytes;
    }
    if instruction.is_bytewise() {
        return 1;
    }
    let launch = step.program.launch.as_ref();
    let launch = launch.filter(|_| access.space == SpaceId::VIRTUAL);
    let buffer = launch.and_then(|launch| launch.buffer_at(access.address));
    let element = buffer.map(|buffer| buffer.ty.bytes());
    if element == Some(1) && bytes <= 2 {
        return 1;
    }
    let types = data_places(step, access).flat_map(|place| {
        let variables = symbols.visa.at_register_byte(place.start);
        variables.map(|(_, variable)| variable.ty.bytes())
    });
    let narrow = types.filter(|bytes| *bytes <= 2).min();
    match (narrow, element) {
        // Numbers in a buffer of bytes.
        (None, Some(1)) => bytes,
        _ => [element, narrow].into_iter().flatten().fold(bytes, u8::min),
    }
}

/// Register-file bytes of the data of an access.
fn data_of(step: ObservedStep<'_>, access: &Access) -> Option<Range<u32>> {
    let instruction = &step.program.instruction(step.issue).instruction;
    let unit = match instruction.is_block() {
        true => access.unit,
        // The lanes are alike.
        false => Unit {
            lane: 0,
            ..access.unit
        },
    };
    let start = instruction.channel_element(unit, &step.program.symbols)?;
    Some(start..start + u32::from(access.bytes.max(1)))
}

/// Where the whole of the data of an access is, comes from, or is copied to.
fn data_places(step: ObservedStep<'_>, access: &Access) -> impl Iterator<Item = Range<u32>> {
    let bytes = usize::from(access.bytes.max(1));
    let flow = &step.program.symbols.visa.value_flow;
    let places = data_of(step, access).map(|data| match access.writes {
        true => flow.origins_of(data),
        false => flow.copies_of(data),
    });
    let places = places.into_iter().flatten().map(|place| place.place);
    places.filter(move |place| place.len() == bytes)
}

/// Whether nothing shows that a misaligned access has a single element: what it loads is only
/// copied, or what it stores is a constant or was only loaded. Compilers write the same access
/// for several elements of a buffer of bytes, such as those of `vstore8(vload8(0, p), 0, q)` or
/// four stores of a constant, for a member of a packed structure, and for an `int` at an
/// address that was cast. A float, and a value that is computed, is known to be an element.
#[cold]
fn may_be_merged(step: ObservedStep<'_>, access: &Access) -> bool {
    let has_fault = access.fault == Some(FaultKind::Misaligned);
    let bytes = access.bytes.max(1);
    if has_fault || step.program.has_warps() || is_atomic(step) || alignment(step, access) < bytes {
        return false;
    }
    let launch = step.program.launch.as_ref();
    let launch = launch.filter(|_| access.space == SpaceId::VIRTUAL);
    let buffer = launch.and_then(|launch| launch.buffer_at(access.address));
    if buffer.is_some_and(|buffer| buffer.ty.bytes() > 1) {
        return false;
    }
    let Some(data) = data_of(step, access) else {
        return false;
    };
    let declarations = &step.program.symbols.visa;
    let is_computed = match access.writes {
        true => declarations.value_flow.is_result(data),
        false => declarations.value_flow.is_operand(data),
    };
    let mut places = data_places(step, access);
    let is_float = places.any(|place| {
        let mut variables = declarations.at_register_byte(place.start);
        variables.any(|(_, variable)| variable.ty.is_float())
    });
    !is_computed && !is_float
}

fn is_atomic(step: ObservedStep<'_>) -> bool {
    let instruction = &step.program.instruction(step.issue).instruction;
    instruction.update(&step.program.symbols).is_some()
}

/// Whether an access is in the private memory of another thread.
fn is_foreign(launch: &Launch, access: &Access) -> bool {
    if access.space != SpaceId::VIRTUAL || !launch.is_private(access.address) {
        return false;
    }
    let (start, bytes) = launch.private_of(access.unit.thread);
    access.address.wrapping_sub(start) >= bytes
}

/// The memory of an access and the name of its place; `start` is the start of its surface.
fn place_of(program: &Program, access: &Access, start: Option<u64>) -> (Space, String) {
    let plain = |name: &str| format!("{name}[{:#x}]", access.address);
    match access.space.kind() {
        SpaceKind::Local => return (Space::Local, plain(program.words().local)),
        // Local memory of the lanes of a warp.
        SpaceKind::Accumulators(_) => return (Space::Private, plain(program.words().private)),
        _ => {}
    }
    let Some(launch) = &program.launch else {
        return (Space::Global, plain("memory"));
    };
    if launch.is_private(access.address) || start.is_some_and(|start| launch.is_private(start)) {
        return (Space::Private, plain("private"));
    }
    let start = start.filter(|start| *start != 0);
    if let Some(data) = launch.data.iter().find(|data| Some(data.address) == start) {
        return (
            Space::Constant,
            format!("`{}`[{:#x}]", data.name, access.address - data.address),
        );
    }
    if let Some(name) =
        start.and_then(|s| launch.surface_element_name(s, access.address, access.bytes))
    {
        return (Space::Global, name);
    }
    // An address just outside data or a buffer is probably meant for it.
    let is_near = |start: u64, bytes: u64| {
        const DISTANCE: u64 = 0x1000;
        access.address.wrapping_sub(start.wrapping_sub(DISTANCE)) < bytes + 2 * DISTANCE
    };
    let mut buffers = launch.buffers.iter().filter(|buffer| !buffer.is_null);
    let buffer = buffers.find(|buffer| is_near(buffer.address, buffer.bytes()));
    if let Some(name) =
        buffer.and_then(|b| launch.surface_element_name(b.address, access.address, access.bytes))
    {
        return (Space::Global, name);
    }
    match (launch.data.iter()).any(|data| is_near(data.address, data.bytes())) {
        true => (Space::Constant, plain("constant")),
        false => (Space::Global, plain("memory")),
    }
}
