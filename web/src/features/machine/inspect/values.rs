//! The value, the name and the kind of a cell.

use super::place::{Kind, Place};
use crate::features::machine::Tab;
use crate::store::State;
use lanewise_core::isa::Family;
use lanewise_core::isa::sass::warp::register_at;
use lanewise_core::machine::Machine;
use lanewise_core::program::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, pointer_text};

impl State {
    /// What lies at a place; none if nothing does.
    pub(crate) fn kind_of(&self, place: Place) -> Option<Kind> {
        let machine = self.session.machine();
        let kind = match (place.space.0, self.family()) {
            (0 | 1, family) => Kind::Value(match family {
                Family::Sass => self.warp_notation(place.address),
                Family::Visa => {
                    let variable = self.layout().variable_at(place.address)?;
                    self.register_notation(variable.ty)
                }
            }),
            (2 | 3, Family::Sass) if place.bit().1 < 32 => Kind::Bit,
            (2 | 3, Family::Sass) => return None,
            (2 | 3, Family::Visa) if place.address >= ADDRESS_VARIABLES => Kind::Pointer,
            (2 | 3, Family::Visa) => Kind::Mask(self.layout().mask_at(place.address)?.1),
            _ => {
                let tab = self.tab_of(place.space)?;
                Kind::Value(self.panes.memories.get(tab.memory()?)?.notation())
            }
        };
        let (space, address, bytes) = place.range(kind);
        let there = machine.load(space, address, u8::try_from(bytes).ok()?);
        there.map(|_| kind)
    }

    /// What a program calls a cell.
    pub(crate) fn name_of(&self, place: Place, kind: Kind) -> String {
        let program = self.session.program();
        let visa = &program.symbols.visa;
        let address = place.address;
        let warp = self.family() == Family::Sass;
        let eu = match program.threads {
            2 => format!("EU{}.", place.space.0 & 1),
            _ => String::new(),
        };
        match (place.space.0, kind) {
            (_, Kind::Bit) => {
                let (mask, lane) = place.bit();
                format!("P{} lane {lane}", (mask / 4).saturating_sub(1))
            }
            (_, Kind::Mask(_)) => {
                let mask = self.layout().mask_at(address);
                format!("{eu}{}", mask.map_or("", |(name, _)| name))
            }
            (_, Kind::Pointer) => {
                let at = address - ADDRESS_VARIABLES;
                let id = u16::try_from(at / ADDRESS_VARIABLE_BYTES);
                let id = id.expect("a pointer is an element of an address variable");
                let name = visa.address_variable(id).map_or("", |v| &v.name);
                format!("{eu}{name}[{}]", at % ADDRESS_VARIABLE_BYTES / 4)
            }
            (0 | 1, Kind::Value(notation)) if warp => {
                let (lane, register) = register_at(address);
                let byte = address % 4;
                let part = match (byte, notation.ty.bytes()) {
                    (_, 8) => return format!("R{register}:R{} lane {lane}", register + 1),
                    (_, 4) => String::new(),
                    _ => format!(" byte {byte}"),
                };
                format!("R{register} lane {lane}{part}")
            }
            (0 | 1, Kind::Value(notation)) => {
                let Some(variable) = self.layout().variable_at(address) else {
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
    pub(crate) fn value_in(&self, machine: &Machine, place: Place, kind: Kind) -> String {
        let (space, address, bytes) = place.range(kind);
        let bytes = u8::try_from(bytes).expect("a cell has at most 8 bytes");
        // A cell may reach beyond the end of a region.
        let Some(bits) = machine.load(space, address, bytes) else {
            return String::from("–");
        };
        match kind {
            Kind::Value(notation) => notation.text(bits),
            Kind::Mask(_) => format!("{bits:#x}"),
            Kind::Bit => String::from(match bits >> place.bit().1 & 1 {
                1 => "true",
                _ => "false",
            }),
            Kind::Pointer => {
                let visa = &self.session.program().symbols.visa;
                pointer_text(visa, u32::try_from(bits).expect("a pointer has 32 bits"))
            }
        }
    }

    /// The first cell on the screen of the open tab.
    pub(crate) fn first_in_view(&self) -> Option<Place> {
        let first = match self.panes.tab.memory() {
            Some(index) => self.panes.memories.get(index)?.visible().0,
            None => self.first_register_row(),
        };
        (first..first + 8).find_map(|row| self.row_places(row).first().copied())
    }

    /// The cells of a row of the open tab.
    fn row_places(&self, row: usize) -> Vec<Place> {
        match self.panes.tab {
            Tab::Registers if self.family() == Family::Sass => self.warp_places(row),
            Tab::Registers => self.line_places(row),
            tab => self.memory_places(tab, row),
        }
    }

    /// The row of the open tab that shows a cell.
    fn row_of(&self, place: Place) -> Option<usize> {
        match self.panes.tab {
            Tab::Registers if self.family() == Family::Sass => self.warp_row(place),
            Tab::Registers => self.line_of(place),
            tab => self.memory_row_of(tab, place),
        }
    }

    /// The cell so many to the right and so many down.
    pub(crate) fn beside(&self, place: Place, right: i32, down: i32) -> Option<Place> {
        let row = self.row_of(place)?;
        let here = self.row_places(row);
        let column = here.iter().position(|p| *p == place)?;
        let mut row = row;
        if down != 0 {
            // Rows without cells, a heading, are passed over.
            let step: isize = if down > 0 { 1 } else { -1 };
            let mut left = down.unsigned_abs();
            let mut found = None;
            while left > 0 {
                row = row.checked_add_signed(step)?;
                let cells = self.row_places(row);
                if cells.is_empty() {
                    if self.row_places(row.checked_add_signed(step)?).is_empty() {
                        break;
                    }
                    continue;
                }
                left -= 1;
                found = cells.get(column).or(cells.last()).copied();
            }
            return found;
        }
        let to = column.checked_add_signed(right as isize);
        if let Some(next) = to.and_then(|to| here.get(to)) {
            return Some(*next);
        }
        let step: isize = if right > 0 { 1 } else { -1 };
        for _ in 0..2 {
            row = row.checked_add_signed(step)?;
            let cells = self.row_places(row);
            let next = if right > 0 {
                cells.first()
            } else {
                cells.last()
            };
            if let Some(next) = next {
                return Some(*next);
            }
        }
        None
    }
}
