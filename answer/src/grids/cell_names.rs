//! Kind, name and value of a cell.

use super::Grids;
use super::memories::MemoryKind;
use super::place::{CellKind, Place};
use super::regions::region_at;
use super::tab::Tab;
use crate::buffer_view::BufferView;
use crate::notation::Notation;
use alloc::format;
use alloc::string::String;
use lanewise_core::machine::{Machine, SpaceId, SpaceKind};
use lanewise_core::program::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, Buffer, pointer_text};

impl<'s> Grids<'s> {
    /// Cell that contains a byte in the selected formats: its start and kind.
    /// `None` if no grid shows the byte.
    pub fn cell_at(&self, place: Place) -> Option<(Place, CellKind)> {
        let Place { space, address } = place;
        let element = |notation: Notation| {
            let size = u64::from(notation.ty.bytes());
            (address / size * size, CellKind::Value(notation))
        };
        let has_lanes = self.facts().has_lane_registers;
        let (start, kind) = match space.kind() {
            SpaceKind::Registers(_) if has_lanes => {
                self.has_warp_column(place).then_some(())?;
                element(self.warp_notation(address))
            }
            SpaceKind::Registers(_) => {
                let variable = self.register_map().variable_at(address)?;
                let notation = self.register_notation(variable.ty);
                let (first, size) = (u64::from(variable.offset), u64::from(notation.ty.bytes()));
                let offset = (address - first) / size * size;
                if offset + size > u64::from(variable.bytes) {
                    return None;
                }
                (first + offset, CellKind::Value(notation))
            }
            SpaceKind::Flags(_) if has_lanes => {
                let word = Place::new(space, address & !3);
                self.has_warp_column(word).then_some(())?;
                if word.bit().1 >= 32 {
                    return None;
                }
                (word.address, CellKind::Bit)
            }
            SpaceKind::Flags(_) => {
                let word = Place::new(space, address & !3);
                self.has_flag_row(word).then_some(())?;
                let kind = match self.register_map().mask_at(word.address) {
                    Some(mask) => CellKind::Mask(mask.width),
                    None => CellKind::Pointer,
                };
                (word.address, kind)
            }
            // Padding is a cell of the memory.
            _ if let Some((buffer, view)) = self.shown_buffer(place)
                && let Some((element, field)) = view.layout.field_at(address - buffer.address) =>
            {
                let notation = Notation {
                    ty: field.element,
                    hex: false,
                };
                let offset = element * u64::from(view.layout.size) + u64::from(field.offset);
                (buffer.address + offset, CellKind::Value(notation))
            }
            _ => {
                let memory = MemoryKind::of(space)?;
                let notation = self.view.memories[memory].notation();
                let (start, kind) = element(notation);
                let regions = self.regions(memory);
                let region = &regions[region_at(regions, space, start)?];
                if !region.holds(start + u64::from(notation.ty.bytes() - 1)) {
                    return None;
                }
                (start, kind)
            }
        };
        let cell = Place::new(space, start);
        cell.bits(kind).load(self.session.machine())?;
        Some((cell, kind))
    }

    /// The buffer that contains a place, if the pane shows the buffers.
    fn shown_buffer(&self, place: Place) -> Option<(&'s Buffer, &'s BufferView)> {
        let index = self.buffer_at(place)?;
        let is_shown = self.view.tab == Tab::Buffers;
        is_shown.then_some((self.buffers().get(index)?, self.buffer_views.get(index)?))
    }

    /// Name of a cell as an element of a buffer.
    fn name_in_buffer(&self, place: Place, kind: CellKind) -> Option<String> {
        let CellKind::Value(notation) = kind else {
            return None;
        };
        let index = self.buffer_at(place)?;
        let (buffer, view) = (self.buffers().get(index)?, self.buffer_views.get(index)?);
        let offset = place.address - buffer.address;
        let (element, field) = view.layout.field_at(offset)?;
        let start = element * u64::from(view.layout.size) + u64::from(field.offset);
        let is_field = notation.ty.bytes() == field.element.bytes() && start == offset;
        is_field.then(|| field.name(&buffer.name, element))
    }

    /// Name, as the program would write it, of a cell found by
    /// [`Self::cell_at`].
    pub fn name_of(&self, place: Place, kind: CellKind) -> String {
        let program = self.session.program();
        let visa = &program.symbols.visa;
        let address = place.address;
        let thread = place.space.eu();
        let prefix = thread.map_or_else(String::new, |thread| program.thread_prefix(thread));
        if let Some(name) = self.name_in_buffer(place, kind) {
            return name;
        }
        match (place.space.kind(), kind) {
            (_, CellKind::Bit) => {
                let (mask, lane) = place.bit();
                format!("P{} lane {lane}", (mask / 4).saturating_sub(1))
            }
            (_, CellKind::Mask(_)) => {
                let mask = self.register_map().mask_at(address);
                format!(
                    "{prefix}{}",
                    mask.expect("a mask cell starts at the mask's address").name
                )
            }
            (_, CellKind::Pointer) => {
                let at = address - ADDRESS_VARIABLES;
                let id = u16::try_from(at / ADDRESS_VARIABLE_BYTES);
                let id = id.expect("a pointer is an element of an address variable");
                let variable = visa.address_variable(id);
                let name = &variable.expect("the row of the cell exists").name;
                format!("{prefix}{name}[{}]", at % ADDRESS_VARIABLE_BYTES / 4)
            }
            (SpaceKind::Registers(_), CellKind::Value(notation))
                if let Some((lane, register)) = program.symbols.lane_register_at(address) =>
            {
                let byte = address % 4;
                let part = match (byte, notation.ty.bytes()) {
                    (_, 8) => return format!("R{register}:R{} lane {lane}", register + 1),
                    (_, 4) => String::new(),
                    _ => format!(" byte {byte}"),
                };
                format!("R{register} lane {lane}{part}")
            }
            (SpaceKind::Registers(_), CellKind::Value(notation)) => {
                let variable = self.register_map().variable_at(address);
                let variable = variable.expect("a register cell belongs to a variable");
                let offset = address - u64::from(variable.offset);
                let width = u64::from(variable.ty.bytes());
                if notation.ty.bytes() == variable.ty.bytes() {
                    format!("{prefix}{}[{}]", variable.name, offset / width)
                } else {
                    format!("{prefix}{} byte {offset}", variable.name)
                }
            }
            _ => {
                let name = program.symbols.memory_name(place.space);
                let name = name.expect("mapped memory is declared");
                format!("{name}[{address:#x}]")
            }
        }
    }

    /// Value of a cell in a machine state.
    pub fn value_in(&self, machine: &Machine, place: Place, kind: CellKind) -> String {
        let bits = place.bits(kind).load(machine);
        let bits = bits.expect("steps never change what is mapped");
        match kind {
            CellKind::Value(notation) => notation.text(bits),
            CellKind::Mask(_) => format!("{bits:#x}"),
            CellKind::Bit => String::from(match bits >> place.bit().1 & 1 {
                1 => "1",
                _ => "0",
            }),
            CellKind::Pointer => {
                let visa = &self.session.program().symbols.visa;
                pointer_text(visa, u32::try_from(bits).expect("a pointer has 32 bits"))
            }
        }
    }

    /// The state with the initial value of a cell: of memory that work-groups share the one
    /// before the launch, otherwise the one in which the work-group starts.
    pub fn start_of(&self, place: Place) -> &'s Machine {
        let program = self.session.program();
        match place.space == SpaceId::VIRTUAL {
            true => program.before_launch(),
            false => &program.start,
        }
    }

    /// Whether a work-group before the one of the timeline has changed a cell.
    pub fn is_written_earlier(&self, place: Place, kind: CellKind) -> bool {
        let bits = place.bits(kind);
        bits.load(self.start_of(place)) != bits.load(&self.session.program().start)
    }

    /// Who wrote a cell that the work-group of the timeline has not written.
    pub fn unwritten_text(&self, place: Place, kind: CellKind) -> String {
        let program = self.session.program();
        let launch = program.launch.as_ref();
        let Some(launch) = launch.filter(|_| place.space == SpaceId::VIRTUAL) else {
            return String::from("Not written yet.");
        };
        let (group, noun) = (launch.group, launch.words().group);
        match (
            launch.group_count(),
            group,
            self.is_written_earlier(place, kind),
        ) {
            (1, ..) => String::from("Not written yet."),
            (_, 1, true) => format!("Written by {noun} 0, before this {noun}."),
            (_, _, true) => format!("Written by one of the {noun}s 0 to {}.", group - 1),
            (_, 0, false) => format!("Not written by {noun} 0 yet."),
            (_, _, false) => {
                format!("Not written by {noun} {group} yet; as at the start of the launch.")
            }
        }
    }
}
