//! Map of variables to registers and rows.

use super::place::Place;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::ide::{OperandUse, operand_uses};
use lanewise_core::machine::{SpaceKind, flag_address};
use lanewise_core::number::ElementType;
use lanewise_core::program::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, Program};

/// Supported row lengths of registers and memories in bytes: eight, four or two
/// dwords.
pub(super) const ROW_BYTES: [usize; 3] = [32, 16, 8];

/// Maximum number of address elements in a row.
const MAX_POINTERS: u32 = 4;

/// Maximum number of uses listed for a variable.
const MAX_USES: usize = 12;

/// Describes a use: "line 12 reads it as src0, operand of each lane".
fn describe_use(used: &OperandUse) -> String {
    let (line, name) = (used.line + 1, used.operand.name);
    let verb = if used.is_written() { "writes" } else { "reads" };
    format!("line {line} {verb} it as {name}, {}", used.operand.what)
}

/// Declared general variable, excluding aliases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: Rc<str>,
    /// Aliases and uses, if any.
    pub about: Option<Rc<str>>,
    pub ty: ElementType,
    /// Byte offset in the register file.
    pub offset: u32,
    pub bytes: u32,
}

/// Predicate or execution mask.
#[derive(Debug)]
pub struct Mask {
    /// Number; 0 is the execution mask.
    pub id: u16,
    pub name: Rc<str>,
    /// Width in bits.
    pub width: u32,
}

/// Row of an EU.
#[derive(Clone, Copy, Debug)]
pub enum RegisterRow {
    /// Predicate or execution mask, by index.
    Mask(usize),
    /// Elements of an address variable, by ID.
    Pointers { id: u16, first: u32, count: u32 },
    /// Bytes of a variable, by index: offset and length.
    Values {
        variable: usize,
        offset: u32,
        count: u32,
    },
}

/// Registers of an EU, and their rows for each row length; constant throughout a
/// run.
#[derive(Debug)]
pub struct RegisterMap {
    pub masks: Vec<Mask>,
    /// IDs of the address variables, and their numbers of elements.
    pointers: Vec<(u16, u32)>,
    /// Sorted by offset.
    pub variables: Vec<Variable>,
    /// For each of [`ROW_BYTES`], computed on first use.
    rows: [OnceCell<Vec<RegisterRow>>; ROW_BYTES.len()],
    pub grf_bytes: u32,
    pub threads: u8,
}

/// Address of the first of the elements of a row in the flag space.
pub(super) fn pointer_address(id: u16, first: u32) -> u64 {
    ADDRESS_VARIABLES + u64::from(id) * ADDRESS_VARIABLE_BYTES + u64::from(first) * 4
}

/// Chunks of at most `most` of `count` items: first item and length.
fn chunks(count: u32, most: u32) -> impl Iterator<Item = (u32, u32)> {
    let firsts = (0..count).step_by(most as usize);
    firsts.map(move |first| (first, most.min(count - first)))
}

impl RegisterMap {
    pub fn of(program: &Program) -> Self {
        let names = &program.symbols.visa;
        let alone = names.generals().filter(|(_, v)| v.alias.is_none());
        let uses = operand_uses(program);
        // Sorted by byte offset, as they are laid out.
        let variables = alone.map(|(id, v)| {
            let others = names.generals().filter(|(_, o)| o.storage == Some(id));
            let others: Vec<&str> = others.map(|(_, o)| &*o.name).collect();
            let mut about = Vec::new();
            if !others.is_empty() {
                about.push(format!("also {}", others.join(", ")));
            }
            let is_this = |name: &str| name == &*v.name || others.contains(&name);
            let uses = uses.iter().filter(|used| is_this(&used.name));
            about.extend(uses.map(describe_use).take(MAX_USES));
            Variable {
                name: Rc::from(&*v.name),
                about: (!about.is_empty()).then(|| Rc::from(about.join("\n"))),
                ty: v.ty,
                offset: v.offset,
                bytes: v.elements * u32::from(v.ty.bytes()),
            }
        });
        let execution_mask = Mask {
            id: 0,
            name: Rc::from("em"),
            width: 32,
        };
        let predicates = names.predicates().map(|(id, predicate)| Mask {
            id,
            name: Rc::from(&*predicate.name),
            width: predicate.elements.clamp(1, 32),
        });
        let addresses = names.addresses();
        Self {
            variables: variables.collect(),
            masks: core::iter::once(execution_mask).chain(predicates).collect(),
            pointers: addresses.map(|(id, v)| (id, v.elements)).collect(),
            rows: Default::default(),
            grf_bytes: names.grf_bytes(),
            threads: program.threads,
        }
    }

    /// Rows of an EU: masks, then address variables, then general variables.
    pub fn rows(&self, row_bytes: usize) -> &[RegisterRow] {
        let index = ROW_BYTES.iter().position(|bytes| *bytes == row_bytes);
        let index = index.expect("rows have one of these lengths");
        self.rows[index].get_or_init(|| {
            let masks = (0..self.masks.len()).map(RegisterRow::Mask);
            let pointers =
                self.pointers.iter().flat_map(|&(id, elements)| {
                    chunks(elements, MAX_POINTERS)
                        .map(move |(first, count)| RegisterRow::Pointers { id, first, count })
                });
            let variables = self.variables.iter().enumerate();
            let values = variables.flat_map(|(variable, v)| {
                chunks(v.bytes, to_u32(row_bytes)).map(move |(offset, count)| RegisterRow::Values {
                    variable,
                    offset,
                    count,
                })
            });
            masks.chain(pointers).chain(values).collect()
        })
    }

    pub fn types(&self) -> impl Iterator<Item = ElementType> + '_ {
        self.variables.iter().map(|variable| variable.ty)
    }

    /// Variable that contains a byte of the register file.
    pub fn variable_at(&self, address: u64) -> Option<&Variable> {
        let after = self
            .variables
            .partition_point(|v| u64::from(v.offset) <= address);
        let variable = &self.variables[after.checked_sub(1)?];
        let end = u64::from(variable.offset) + u64::from(variable.bytes);
        (address < end).then_some(variable)
    }

    /// Predicate or execution mask at an address in the flag space.
    pub fn mask_at(&self, address: u64) -> Option<&Mask> {
        let mut masks = self.masks.iter();
        masks.find(|mask| flag_address(mask.id) == address)
    }

    /// Row of an EU that shows a place in its registers or flags.
    pub fn row_of(&self, place: Place, row_bytes: usize) -> Option<usize> {
        let kind = place.space.kind();
        let shows = |row: &RegisterRow| {
            let (start, bytes) = match (*row, kind) {
                (RegisterRow::Mask(index), SpaceKind::Flags(_)) => {
                    (flag_address(self.masks[index].id), 1)
                }
                (RegisterRow::Pointers { id, first, count }, SpaceKind::Flags(_)) => {
                    (pointer_address(id, first), 4 * count)
                }
                (
                    RegisterRow::Values {
                        variable,
                        offset,
                        count,
                    },
                    SpaceKind::Registers(_),
                ) => (u64::from(self.variables[variable].offset + offset), count),
                _ => return false,
            };
            (start..start + u64::from(bytes)).contains(&place.address)
        };
        self.rows(row_bytes).iter().position(shows)
    }
}
