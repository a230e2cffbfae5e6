//! Arguments of a kernel, and the values of its variables for one work-item.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::ide::{FieldValue, LaunchForm};
use lanewise_core::isa::Instruction;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use lanewise_core::text::counted;

/// Maximum number of elements that a row shows.
const MAX_ELEMENTS: u32 = 8;

/// An argument of a kernel: `dt`, `float`, `1.5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentRow {
    pub name: String,
    /// Type in OpenCL C.
    pub ty: String,
    pub value: String,
}

/// The arguments of a launch.
#[must_use]
pub fn arguments(form: &LaunchForm) -> Vec<ArgumentRow> {
    let arguments = form.arguments.iter();
    let row = |field: &lanewise_core::ide::ArgumentField| ArgumentRow {
        name: field.name.clone(),
        ty: field.ty.clone(),
        value: match &field.value {
            FieldValue::Buffer { length, .. } => counted(length.trim(), "element"),
            FieldValue::Local { bytes } => format!("{} of local memory", counted(bytes, "byte")),
            FieldValue::Number { number, .. } => number.clone(),
        },
    };
    arguments.map(row).collect()
}

/// A variable that instructions of a program write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub ty: ElementType,
    pub elements: u32,
    /// Register-file address in bytes.
    offset: u32,
    /// The channels that the elements belong to, if there is one for each: the first, and
    /// their number.
    pub channels: Option<(u8, u8)>,
    /// The instructions that write it.
    pub instructions: Vec<u32>,
}

impl Definition {
    /// Elements of a channel; all of a variable that channels share.
    fn elements_of(&self, channel: u8) -> impl Iterator<Item = u32> {
        let (first, step) = match self.channels {
            Some((first, count)) => match channel.checked_sub(first) {
                Some(index) if index < count => (u32::from(index), u32::from(count)),
                _ => (self.elements, 1),
            },
            None => (0, 1),
        };
        (first..self.elements).step_by(to_usize(step))
    }

    /// Value of a channel on a thread, and whether the last step has written it; `None` if the
    /// channel has none. Vectors have several elements: `1, 2`.
    pub(super) fn value(
        &self,
        session: &Session,
        thread: u8,
        channel: u8,
    ) -> Option<(String, bool)> {
        let space = SpaceId::registers(thread);
        let bytes = self.ty.bytes();
        let mut text = String::new();
        let mut is_changed = false;
        let mut elements = self.elements_of(channel);
        for element in elements.by_ref().take(to_usize(MAX_ELEMENTS)) {
            let address = u64::from(self.offset) + u64::from(element) * u64::from(bytes);
            let bits = session.machine().load(space, address, bytes)?;
            let mut changes = session.last_changes().iter();
            let change = changes.find(|c| c.touches(space, address, bytes.into()));
            if !text.is_empty() {
                text.push_str(", ");
            }
            is_changed |= change.is_some();
            let old = change.filter(|c| (c.address, c.bytes) == (address, bytes) && c.old != c.new);
            if let Some(change) = old {
                text.push_str(&format!("{} → ", show(change.old, self.ty)));
            }
            text.push_str(&show(bits, self.ty));
        }
        if elements.next().is_some() {
            text.push_str(", …");
        }
        (!text.is_empty()).then_some((text, is_changed))
    }
}

/// The variables that the instructions of a launch write, in order of their first one.
#[must_use]
pub fn definitions(program: &Program) -> Vec<Definition> {
    let Some(launch) = &program.launch else {
        return Vec::new();
    };
    let symbols = &program.symbols.visa;
    let mut known: Vec<(u32, Definition)> = Vec::new();
    for (index, placed) in (0..).zip(&program.instructions) {
        let Instruction::Visa(visa) = &placed.instruction else {
            continue;
        };
        let Some(id) = visa.destination_variable() else {
            continue;
        };
        if let Some((_, found)) = known.iter_mut().find(|(own, _)| *own == id) {
            found.instructions.push(index);
            continue;
        }
        let variable = symbols.general(id).filter(|variable| !variable.predefined);
        let Some(variable) = variable else {
            continue;
        };
        let lanes = placed.instruction.lanes();
        let simd = launch.simd;
        let of_lanes = |count: u8| count > 1 && variable.elements.is_multiple_of(count.into());
        let channels = if of_lanes(simd) {
            Some((0, simd))
        } else if lanes < simd && of_lanes(lanes) {
            Some((placed.instruction.first_channel(), lanes))
        } else {
            None
        };
        let definition = Definition {
            name: String::from(variable.name),
            ty: variable.ty,
            elements: variable.elements,
            offset: variable.offset,
            channels: channels.filter(|_| lanes > 1),
            instructions: Vec::from([index]),
        };
        known.push((id, definition));
    }
    known
        .into_iter()
        .map(|(_, definition)| definition)
        .collect()
}

/// A variable as a work-item has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableRow {
    pub name: String,
    /// Type of an element and, of a variable that work-items share, their number: `f`, `ud[3]`.
    pub ty: String,
    pub value: String,
    /// Whether the last step has written it.
    pub is_changed: bool,
}

/// The variables that a run has written so far, as the work-item of a channel has them.
#[must_use]
pub fn variables(
    session: &Session,
    definitions: &[Definition],
    thread: u8,
    channel: u8,
) -> Vec<VariableRow> {
    let counts = session.hit_counts();
    let is_written = |index: &u32| counts.get(to_usize(*index)).is_some_and(|count| *count > 0);
    let written = definitions
        .iter()
        .filter(|definition| definition.instructions.iter().any(is_written));
    let row = |definition: &Definition| {
        let (value, is_changed) = definition.value(session, thread, channel)?;
        let name = definition.ty.name();
        let own = match definition.channels {
            Some((_, count)) => definition.elements / u32::from(count),
            None => definition.elements,
        };
        Some(VariableRow {
            name: definition.name.clone(),
            ty: match own {
                1 => String::from(name),
                own => format!("{name}[{own}]"),
            },
            value,
            is_changed,
        })
    };
    written.filter_map(row).collect()
}
