//! Proposes a launch of a compiled kernel: sizes, buffers and numbers. A program has none of
//! them, so that a trial run finds which buffers a kernel reads, and how long they must be.

use crate::zebin::{Argument, ArgumentKind, ArgumentValue, Kernel, LaunchError};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::ide::opencl_name;
use lanewise_core::machine::{Machine, NoJournal, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::program::{Launch, Program, Sizes, ThreadSchedule};
use lanewise_core::session::{Stepper, next_issue};
use std::collections::BTreeMap;

/// Instructions that a trial run issues in all its work-groups.
const MAX_ISSUES: u32 = 400_000;

/// Instructions that all trial runs of a launch issue.
const MAX_TRIAL_ISSUES: u32 = 2 * MAX_ISSUES;

/// Number of trial runs, each with longer buffers.
const MAX_TRIALS: usize = 16;

/// Elements of a buffer that was too short, for each element that a trial run has needed.
const GROWTH: u64 = 16;

/// Longest buffer that is proposed, in bytes.
const MAX_BUFFER: u64 = 1 << 18;

/// Distance between the buffers of a trial run, so that accesses outside a buffer are known to
/// be of this one.
const TRIAL_SPACING: u64 = 1 << 24;

/// Bytes of shared local memory proposed for an argument.
const LOCAL_BYTES: u64 = 1024;

/// A proposed buffer.
#[derive(Clone, Debug)]
struct ProposedBuffer {
    element: ElementType,
    elements: u64,
    /// Elements before the end of the accesses of the last trial run.
    needed: u64,
    /// Whether the kernel reads it before anything else has written it.
    is_read: bool,
    /// Whether the element type is that of the variables of its accesses.
    is_inferred: bool,
}

impl ProposedBuffer {
    /// Takes another element type. Keeps at least the size in bytes.
    fn infer(&mut self, element: ElementType) {
        let bytes = self.elements * u64::from(self.element.bytes());
        self.elements = bytes.div_ceil(element.bytes().into());
        self.element = element;
        self.is_inferred = true;
    }

    /// Takes back growth that no trial run needed, down to `least` elements.
    fn shorten(&mut self, least: u64) {
        let needed = self.needed.next_power_of_two().max(least);
        self.elements = self.elements.min(needed);
    }
}

/// The scenario of a launch with proposed sizes, buffers and numbers.
///
/// # Errors
/// When the kernel needs something that is not modeled.
pub fn propose(kernel: &Kernel) -> Result<String, LaunchError> {
    let (global, local) = sizes(kernel);
    let (text, is_whole) = propose_for(kernel, (global, local))?;
    // A single thread cannot race with itself, so a group that shares memory gets two, unless
    // the memory is too small for them.
    let items: u32 = local.iter().product();
    let is_free = kernel.required_group_size().is_none();
    if is_free && kernel.has_local_memory() && items <= kernel.simd() {
        let double = |[x, y, z]: Sizes| [2 * x, y, z];
        let (larger, is_larger_whole) = propose_for(kernel, (double(global), double(local)))?;
        if is_larger_whole || !is_whole {
            return Ok(larger);
        }
    }
    Ok(text)
}

/// The scenario of a launch of these sizes, and whether it runs to its end.
fn propose_for(
    kernel: &Kernel,
    (global, local): (Sizes, Sizes),
) -> Result<(String, bool), LaunchError> {
    let mut is_complete = false;
    let items: u64 = global.iter().map(|size| u64::from(*size)).product();
    let buffers = kernel.arguments.iter().map(|argument| {
        let (element, components) = argument.element();
        ProposedBuffer {
            element,
            elements: items * u64::from(components),
            needed: 0,
            is_read: argument.is_const(),
            is_inferred: false,
        }
    });
    let mut buffers: Vec<ProposedBuffer> = buffers.collect();
    let mut noted = kernel.clone();
    let mut budget = MAX_TRIAL_ISSUES;
    for is_last in (1..=MAX_TRIALS).map(|trial| trial == MAX_TRIALS) {
        let values = values(kernel, global, &buffers, Some(TRIAL_SPACING));
        let text = kernel.scenario(global, local, &values)?;
        let mut program = Program::parse(&text);
        // Each thread gets a part of the budget.
        program.schedule = ThreadSchedule::RoundRobin;
        let Some(launch) = program.launch.as_ref().filter(|_| program.can_run()) else {
            break;
        };
        let mut trial = Trial::new(launch, &program, float_data(&text, &program));
        let limit = budget.min(MAX_ISSUES);
        let is_cut_off = trial.run(&program, launch, limit);
        budget -= trial.issued;
        let is_whole = !is_cut_off && !trial.has_faulted;
        is_complete = is_whole;
        let positions = kernel.arguments.iter().enumerate();
        let positions = positions.filter(|(_, argument)| argument.kind == ArgumentKind::Buffer);
        let mut is_final = true;
        noted.notes.clone_from(&kernel.notes);
        if is_cut_off {
            noted.notes.push(format!(
                "buffers may be shorter than the kernel needs: the trial run that finds their \
                 lengths stopped after {} instructions",
                trial.issued
            ));
        }
        for ((position, argument), used) in positions.zip(&trial.buffers) {
            let buffer = &mut buffers[position];
            // Atomic counters start at zero.
            is_final &= buffer.is_read || !used.is_read;
            buffer.is_read |= used.is_read;
            let is_unknown = argument.declared_element().is_none() && !argument.is_structure();
            if let Some(float) = used
                .float()
                .filter(|ty| is_unknown && *ty != buffer.element)
            {
                buffer.infer(float);
                is_final = false;
            }
            let bytes = u64::from(buffer.element.bytes());
            let needed = used.end.div_ceil(bytes);
            let limit = MAX_BUFFER / bytes;
            if needed > limit {
                noted.notes.push(format!(
                    "`{}` is shorter than its accesses need: at most {} KB are proposed",
                    argument.name,
                    MAX_BUFFER >> 10
                ));
            }
            buffer.needed = needed;
            if needed.min(limit) > buffer.elements {
                // A fault hides later accesses. A run to the end shortens the buffer again.
                let wanted = match is_whole {
                    true => needed,
                    false => needed.next_power_of_two().saturating_mul(GROWTH),
                };
                buffer.elements = wanted.min(limit);
                is_final = false;
            } else if is_whole {
                buffer.elements = needed.clamp(1, buffer.elements);
            }
        }
        if is_last && !is_final && !is_cut_off {
            noted.notes.push(format!(
                "buffers may be shorter than the kernel needs: it accessed memory behind them in \
                 each of {MAX_TRIALS} trial runs"
            ));
        }
        if is_final || budget == 0 {
            break;
        }
    }
    if !is_complete {
        for (buffer, argument) in buffers.iter_mut().zip(&kernel.arguments) {
            buffer.shorten(items * u64::from(argument.element().1));
        }
    }
    noted.notes.extend(note_of_types(kernel, &buffers));
    let text = noted.scenario(global, local, &values(kernel, global, &buffers, None))?;
    Ok((text, is_complete))
}

/// A note on the arguments whose types are inferred, if there are any.
fn note_of_types(kernel: &Kernel, buffers: &[ProposedBuffer]) -> Option<String> {
    let arguments = kernel.arguments.iter().zip(buffers);
    let inferred = arguments.filter_map(|(argument, buffer)| {
        let (ty, pointer) = match buffer.is_inferred {
            true => (buffer.element, "*"),
            false => (kernel.inferred_float(argument)?, ""),
        };
        Some(format!(
            "`{}` ({}{pointer})",
            argument.name,
            opencl_name(ty)
        ))
    });
    let inferred: Vec<String> = inferred.collect();
    let note = "these types are inferred from the variables of the kernel";
    (!inferred.is_empty()).then(|| format!("{note}: {}", inferred.join(", ")))
}

/// 64 work-items in groups of 32, in two dimensions for a kernel that uses two; the required
/// size of a work-group, if the kernel has one.
fn sizes(kernel: &Kernel) -> (Sizes, Sizes) {
    match (kernel.required_group_size(), kernel.dimensions()) {
        (Some(local), _) => {
            let [x, y, z] = local;
            ([x.saturating_mul(2), y, z], local)
        }
        (None, 1) => ([64, 1, 1], [32, 1, 1]),
        (None, 2) => ([16, 8, 1], [8, 4, 1]),
        (None, _) => ([8, 4, 4], [4, 4, 2]),
    }
}

/// Values of the arguments. With `spacing`, buffers have addresses at this distance.
fn values(
    kernel: &Kernel,
    global: Sizes,
    buffers: &[ProposedBuffer],
    spacing: Option<u64>,
) -> Vec<ArgumentValue> {
    let mut inputs = 0;
    let mut address = 0;
    let values = kernel.arguments.iter().zip(buffers);
    let values = values.map(|(argument, buffer)| match argument.kind {
        ArgumentKind::Buffer => {
            let mut text = format!("{}[{}]", buffer.element.name(), buffer.elements);
            if let Some(spacing) = spacing {
                address += spacing;
                text += &format!(" at={address:#x}");
            }
            if !buffer.is_read {
                return ArgumentValue::Buffer(text);
            }
            inputs += 1;
            // Integers count, since they may be indices.
            let values = match (buffer.element.is_float(), inputs) {
                (true, 1) => String::from("iota(1, 0.5)"),
                (true, seed) => format!("random({seed})"),
                (false, _) => String::from("iota(0, 1)"),
            };
            ArgumentValue::Buffer(format!("{text} = {values}"))
        }
        ArgumentKind::Local => ArgumentValue::Local(LOCAL_BYTES),
        ArgumentKind::Value(size) => number(argument, kernel.element(argument), size, global),
        ArgumentKind::Image | ArgumentKind::Sampler => ArgumentValue::Value(Vec::new()),
    });
    values.collect()
}

/// A number. Structures and integers that look like a start are zero, and those that look like a
/// length are the number of work-items, in the dimension that the name suggests.
fn number(argument: &Argument, element: ElementType, size: u32, [x, y, z]: Sizes) -> ArgumentValue {
    let name = argument.name.to_ascii_lowercase();
    let (_, components) = argument.element();
    let is_any = |words: &[&str]| words.iter().any(|word| name == *word);
    let items = x.saturating_mul(y).saturating_mul(z);
    let is_start = name.split('_').any(|part| {
        let mut starts = ["off", "start", "begin"].iter();
        starts.any(|word| part.starts_with(word))
    });
    // A structure may contain floats, for which the bits of 1 are not a sensible value. An
    // unknown type of up to 8 bytes is most likely another name of a number.
    let is_structure = argument.is_structure() || argument.declared_element().is_none() && size > 8;
    let length = if is_start || is_structure {
        0
    } else if is_any(&["w", "width", "cols", "columns", "stride", "pitch", "nx"]) {
        x
    } else if is_any(&["h", "height", "rows", "ny"]) {
        y
    } else if name.starts_with('n')
        || is_any(&["len", "length", "size", "count", "total", "k", "m"])
    {
        match y {
            1 => items,
            _ => x,
        }
    } else {
        1
    };
    let bits = match element.is_float() {
        true => lanewise_core::number::from_f64(1.5, element),
        false => u64::from(length),
    };
    let bytes = usize::from(element.bytes());
    let known = usize::try_from(size).is_ok_and(|size| size >= bytes);
    let one = &bits.to_le_bytes()[..bytes.min(8)];
    let mut value: Vec<u8> = match known {
        true => one.repeat(usize::try_from(components).unwrap_or(1)),
        false => vec![1],
    };
    value.resize(usize::try_from(size).expect("arguments are small"), 0);
    ArgumentValue::Value(value)
}

/// Use of a buffer by a trial run.
#[derive(Clone, Copy, Default)]
struct Used {
    /// End of the accesses, in bytes from the start.
    end: u64,
    /// Whether a message that only reads accesses it.
    is_read: bool,
    /// Float type of the data of the messages.
    data: Option<ElementType>,
    /// Whether the data of a message are of another type.
    is_mixed: bool,
}

impl Used {
    /// Records the float type of the data of a message, if they are floats.
    fn record(&mut self, data: Option<ElementType>) {
        self.is_mixed |= data.is_none() || self.data.is_some_and(|known| Some(known) != data);
        self.data = data;
    }

    /// The float type of all elements, if they have one.
    fn float(&self) -> Option<ElementType> {
        self.data.filter(|_| !self.is_mixed)
    }
}

/// The float type of the data of each instruction that is a message; addresses are not floats.
fn float_data(text: &str, program: &Program) -> Vec<Option<ElementType>> {
    let lines: Vec<&str> = text.lines().collect();
    let types = lines.iter().filter_map(|line| {
        let mut words = line.trim().strip_prefix(".decl ")?.split_whitespace();
        let name = words.next()?;
        let ty = words.find_map(|word| word.strip_prefix("type="))?;
        Some((name, ElementType::named(ty).filter(|ty| ty.is_float())?))
    });
    let types: BTreeMap<&str, ElementType> = types.collect();
    let is_part = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let data = program.instructions.iter().map(|placed| {
        let line = lines.get(to_usize(placed.line))?;
        let mut words = line.split(is_part);
        words.find_map(|word| types.get(word).copied())
    });
    data.collect()
}

struct Trial {
    /// Memory as the work-groups so far have left it.
    machine: Machine,
    /// Uses of the buffers, in their order.
    buffers: Vec<Used>,
    /// Number of instructions issued.
    issued: u32,
    has_faulted: bool,
    /// The float type of the data of each instruction.
    data: Vec<Option<ElementType>>,
}

impl Trial {
    fn new(launch: &Launch, program: &Program, data: Vec<Option<ElementType>>) -> Self {
        Self {
            data,
            machine: program.start.clone(),
            buffers: vec![Used::default(); launch.buffers.len()],
            issued: 0,
            has_faulted: false,
        }
    }

    /// Runs all work-groups, and records what they access. Returns whether one was stopped
    /// because its part of `limit` instructions was spent. Each gets the same part of what the
    /// earlier ones have left.
    fn run(&mut self, program: &Program, launch: &Launch, limit: u32) -> bool {
        let mut is_cut_off = false;
        let groups = launch.group_count();
        for group in 0..groups {
            let part = (limit - self.issued) / (groups - group);
            is_cut_off |= self.run_group(program, launch, group, part);
        }
        is_cut_off
    }

    /// Runs a work-group. Returns whether it was stopped after `limit` instructions.
    fn run_group(&mut self, program: &Program, launch: &Launch, group: u32, limit: u32) -> bool {
        let machine = &mut self.machine;
        launch.enter_group(&program.symbols.visa, group, machine);
        let mut stepper = Stepper::default();
        let mut issued = 0;
        while let Some(issue) = next_issue(program, machine) {
            if issued == limit {
                return true;
            }
            let fault = stepper.evaluate(program, issue, issued, machine);
            issued += 1;
            self.issued += 1;
            // The buffer of the last access.
            let mut last = None;
            for access in stepper
                .accesses()
                .iter()
                .filter(|a| a.space == SpaceId::VIRTUAL)
            {
                let at = access.address;
                let before = launch.buffers.partition_point(|b| b.address <= at);
                let Some(index) = before.checked_sub(1) else {
                    continue;
                };
                let offset = at - launch.buffers[index].address;
                // Other memory is mapped behind the buffers. Addresses in the upper half of the
                // distance lie before the next buffer.
                let is_mapped = || machine.load(SpaceId::VIRTUAL, at, 1).is_some();
                if offset >= launch.buffers[index].bytes()
                    && (offset > TRIAL_SPACING / 2 || is_mapped())
                {
                    continue;
                }
                let used = &mut self.buffers[index];
                used.end = used.end.max(offset + u64::from(access.bytes));
                used.is_read |= !access.writes;
                if last != Some(index) {
                    used.record(self.data[to_usize(issue.instruction)]);
                    last = Some(index);
                }
            }
            if fault.is_some() {
                self.has_faulted = true;
                return false;
            }
            stepper.apply(program, issue, machine, &mut NoJournal);
        }
        false
    }
}
