//! Arguments of a kernel, and the values of its variables for one work-item.

use crate::notation::Notation;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::ide::{LaunchForm, ValueKind};
use lanewise_core::isa::Instruction;
use lanewise_core::isa::sass::warp::register_address;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
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
        value: match field.value.kind {
            ValueKind::Buffer => counted(field.value.quantity.trim(), "element"),
            ValueKind::Local | ValueKind::Shared => {
                format!(
                    "{} of {} memory",
                    counted(&field.value.quantity, "byte"),
                    form.words().local
                )
            }
            ValueKind::Number => field.value.quantity.clone(),
        },
    };
    arguments.map(row).collect()
}

/// A variable that instructions of a program write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    notation: Notation,
    elements: u32,
    /// Register-file address in bytes.
    offset: u64,
    /// Distance of its elements in bytes.
    stride: u64,
    /// The channels that the elements belong to, if there is one for each: the first, and
    /// their number.
    pub(super) channels: Option<(u8, u8)>,
    /// The instructions that write it.
    pub(super) instructions: Vec<u32>,
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
        let bytes = self.notation.ty.bytes();
        let mut text = String::new();
        let mut is_changed = false;
        let mut elements = self.elements_of(channel);
        for element in elements.by_ref().take(to_usize(MAX_ELEMENTS)) {
            let address = self.offset + u64::from(element) * self.stride;
            let bits = session.machine().load(space, address, bytes)?;
            let mut changes = session.last_changes().iter();
            let change = changes.find(|c| c.touches(space, address, bytes.into()));
            if !text.is_empty() {
                text.push_str(", ");
            }
            is_changed |= change.is_some();
            let old = change.filter(|c| (c.address, c.bytes) == (address, bytes) && c.old != c.new);
            if let Some(change) = old {
                text.push_str(&format!("{} → ", self.notation.text(change.old)));
            }
            text.push_str(&self.notation.text(bits));
        }
        if elements.next().is_some() {
            text.push_str(", …");
        }
        (!text.is_empty()).then_some((text, is_changed))
    }
}

/// The variables and registers that the instructions of a launch write, in order of their
/// first one.
#[must_use]
pub fn definitions(program: &Program) -> Vec<Definition> {
    let Some(launch) = &program.launch else {
        return Vec::new();
    };
    let mut known: Vec<Definition> = Vec::new();
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    for (index, placed) in (0..).zip(&program.instructions) {
        let written: Vec<u32> = match &placed.instruction {
            Instruction::Sass(sass) => sass.destination_registers().map(u32::from).collect(),
            other => {
                let written = other.destination_variable();
                written.into_iter().map(|(id, _)| id).collect()
            }
        };
        for id in written {
            if let Some(place) = places.get(&id) {
                known[*place].instructions.push(index);
            } else if let Some(definition) = definition(program, launch.simd, index, id) {
                places.insert(id, known.len());
                known.push(definition);
            }
        }
    }
    known
}

/// The variable or register of an ID, which an instruction writes first.
fn definition(program: &Program, simd: u8, index: u32, id: u32) -> Option<Definition> {
    if program.has_warps() {
        let register = u8::try_from(id).ok()?;
        let offset = register_address(0, register);
        return Some(Definition {
            name: format!("R{register}"),
            notation: Notation {
                ty: ElementType::Ud,
                hex: true,
            },
            elements: simd.into(),
            offset,
            stride: register_address(1, register) - offset,
            channels: Some((0, simd)),
            instructions: Vec::from([index]),
        });
    }
    let variable = program.symbols.visa.general(id);
    let variable = variable.filter(|variable| !variable.predefined)?;
    Some(Definition {
        name: String::from(variable.name),
        notation: Notation {
            ty: variable.ty,
            hex: false,
        },
        elements: variable.elements,
        offset: variable.offset.into(),
        stride: variable.ty.bytes().into(),
        channels: program.instructions[to_usize(index)].channels_of(variable.elements, simd),
        instructions: Vec::from([index]),
    })
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
        let name = match definition.notation {
            Notation { hex: true, .. } => "b32",
            Notation { ty, .. } => ty.name(),
        };
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
