//! What a cell is: its kind, its name and its value; and what the page shows of
//! the chosen one.

use super::{CellModel, ChosenCell, Editor, StartValueEdit};
use crate::features::machine::inputs::MachineInputs;
use crate::features::machine::place::{CellKind, Place};
use lanewise_core::isa::Family;
use lanewise_core::isa::sass::warp::register_at;
use lanewise_core::machine::{Machine, SpaceKind};
use lanewise_core::program::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, pointer_text};

impl MachineInputs<'_> {
    /// What lies at a place; none if nothing does.
    pub(crate) fn kind_of(&self, place: Place) -> Option<CellKind> {
        let machine = self.session.machine();
        let kind = match (place.space.kind(), self.family()) {
            (SpaceKind::Registers(_), Family::Sass) => {
                CellKind::Value(self.warp_notation(place.address))
            }
            (SpaceKind::Registers(_), Family::Visa) => {
                let variable = self.register_map().variable_at(place.address)?;
                CellKind::Value(self.register_notation(variable.ty))
            }
            (SpaceKind::Flags(_), Family::Sass) if place.bit().1 < 32 => CellKind::Bit,
            (SpaceKind::Flags(_), Family::Sass) => return None,
            (SpaceKind::Flags(_), Family::Visa) if place.address >= ADDRESS_VARIABLES => {
                CellKind::Pointer
            }
            (SpaceKind::Flags(_), Family::Visa) => {
                CellKind::Mask(self.register_map().mask_at(place.address)?.width)
            }
            _ => {
                let memory = self.memory_tab(place.space)?.memory()?;
                CellKind::Value(self.machine.memories[memory].notation())
            }
        };
        let (space, address, bytes) = place.range(kind);
        let there = machine.load(space, address, u8::try_from(bytes).ok()?);
        there.map(|_| kind)
    }

    /// What a program calls a cell.
    pub(crate) fn name_of(&self, place: Place, kind: CellKind) -> String {
        let program = self.session.program();
        let visa = &program.symbols.visa;
        let address = place.address;
        let is_warp = self.family() == Family::Sass;
        let eu = match (program.threads, place.space.eu()) {
            (2, Some(eu)) => format!("EU{eu}."),
            _ => String::new(),
        };
        match (place.space.kind(), kind) {
            (_, CellKind::Bit) => {
                let (mask, lane) = place.bit();
                format!("P{} lane {lane}", (mask / 4).saturating_sub(1))
            }
            (_, CellKind::Mask(_)) => {
                let mask = self.register_map().mask_at(address);
                format!("{eu}{}", mask.map_or("", |mask| &*mask.name))
            }
            (_, CellKind::Pointer) => {
                let at = address - ADDRESS_VARIABLES;
                let id = u16::try_from(at / ADDRESS_VARIABLE_BYTES);
                let id = id.expect("a pointer is an element of an address variable");
                let name = visa.address_variable(id).map_or("", |v| &v.name);
                format!("{eu}{name}[{}]", at % ADDRESS_VARIABLE_BYTES / 4)
            }
            (SpaceKind::Registers(_), CellKind::Value(notation)) if is_warp => {
                let (lane, register) = register_at(address);
                let byte = address % 4;
                let part = match (byte, notation.ty.bytes()) {
                    (_, 8) => return format!("R{register}:R{} lane {lane}", register + 1),
                    (_, 4) => String::new(),
                    _ => format!(" byte {byte}"),
                };
                format!("R{register} lane {lane}{part}")
            }
            (SpaceKind::Registers(_), CellKind::Value(notation)) => {
                let Some(variable) = self.register_map().variable_at(address) else {
                    return String::new();
                };
                let offset = address - u64::from(variable.offset);
                let width = u64::from(variable.ty.bytes());
                if notation.ty.bytes() == variable.ty.bytes() {
                    format!("{eu}{}[{}]", variable.name, offset / width)
                } else {
                    format!("{eu}{} byte {offset}", variable.name)
                }
            }
            _ => {
                let name = program.symbols.memory_name(place.space);
                let name = name.expect("a memory that is mapped is declared");
                format!("{name}[{address:#x}]")
            }
        }
    }

    /// The value of a cell in a state.
    pub(crate) fn value_in(&self, machine: &Machine, place: Place, kind: CellKind) -> String {
        let (space, address, bytes) = place.range(kind);
        let bytes = u8::try_from(bytes).expect("a cell has at most 8 bytes");
        // A cell may reach beyond the end of a region.
        let Some(bits) = machine.load(space, address, bytes) else {
            return String::from("–");
        };
        match kind {
            CellKind::Value(notation) => notation.text(bits),
            CellKind::Mask(_) => format!("{bits:#x}"),
            CellKind::Bit => String::from(match bits >> place.bit().1 & 1 {
                1 => "true",
                _ => "false",
            }),
            CellKind::Pointer => {
                let visa = &self.session.program().symbols.visa;
                pointer_text(visa, u32::try_from(bits).expect("a pointer has 32 bits"))
            }
        }
    }

    /// The chosen cell, for the grid that holds it.
    pub(crate) fn chosen_cell(&self) -> Option<ChosenCell> {
        let inspect = &self.machine.inspect;
        let place = inspect.chosen?;
        let kind = self.kind_of(place)?;
        let editor = inspect.is_editing().then(|| StartValueEdit {
            label: format!("Start value of {}", self.name_of(place, kind)),
            start: self.value_in(&self.session.program().start, place, kind),
            wrong: matches!(inspect.editor, Editor::Wrong(_)),
        });
        Some(ChosenCell { place, editor })
    }

    /// What the page shows of the chosen cell below the grid.
    pub(crate) fn cell_model(&self) -> Option<CellModel> {
        let inspect = &self.machine.inspect;
        let place = inspect.chosen?;
        let kind = self.kind_of(place)?;
        let last = self.last_write(place);
        let position = self.session.position();
        Some(CellModel {
            name: self.name_of(place, kind),
            now: self.value_in(self.session.machine(), place, kind),
            start: self.value_in(&self.session.program().start, place, kind),
            at_start: position == 0,
            is_edited: inspect.is_editing(),
            can_edit: self.can_run,
            wrong: match &inspect.editor {
                Editor::Wrong(why) => Some(why.clone()),
                Editor::Closed | Editor::Open => None,
            },
            watched: inspect.watches.contains(&place),
            is_last: last == Some(position),
            last: last.map(|step| (step, self.session.summary_at(step))),
        })
    }
}
