//! Map of variables to registers and rows.

use crate::features::state::place::Place;
use lanewise_core::ide::{OperandUse, operand_uses};
use lanewise_core::machine::{SpaceKind, flag_address};
use lanewise_core::number::ElementType;
use lanewise_core::program::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, Program};
use std::rc::Rc;

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
pub(crate) struct Variable {
    pub(crate) name: Rc<str>,
    /// Aliases and uses, if any.
    pub(crate) about: Option<Rc<str>>,
    pub(crate) ty: ElementType,
    /// Byte offset in the register file.
    pub(crate) offset: u32,
    pub(crate) bytes: u32,
}

/// Predicate or execution mask.
#[derive(Debug)]
pub(crate) struct Mask {
    /// Number; 0 is the execution mask.
    pub(crate) id: u16,
    pub(crate) name: Rc<str>,
    /// Width in bits.
    pub(crate) width: u32,
}

/// Elements of an address variable shown in one row.
#[derive(Debug)]
pub(crate) struct PointerRow {
    /// Number and name of the variable.
    pub(crate) id: u16,
    pub(crate) name: Rc<str>,
    /// First element and element count.
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl PointerRow {
    /// Address of the first element in the flag space.
    pub(crate) fn address(&self) -> u64 {
        let variable = ADDRESS_VARIABLES + u64::from(self.id) * ADDRESS_VARIABLE_BYTES;
        variable + u64::from(self.first) * 4
    }
}

/// Layout of the registers of an EU for each row length; constant throughout a
/// run. Masks come first, then address variables, then general variables.
#[derive(Debug)]
pub(crate) struct RegisterMap {
    pub(crate) masks: Vec<Mask>,
    pointers: Vec<PointerRow>,
    /// Sorted by offset.
    variables: Vec<Variable>,
    /// For each of [`ROW_BYTES`]: number of variable rows before each variable,
    /// followed by the total.
    rows_before: [Vec<usize>; ROW_BYTES.len()],
    pub(crate) grf_bytes: u32,
    pub(crate) threads: u8,
}

impl RegisterMap {
    pub(crate) fn of(program: &Program) -> Self {
        let names = &program.symbols.visa;
        let alone = names.generals().filter(|(_, v)| v.alias.is_none());
        let uses = operand_uses(program);
        // Sorted by byte offset, as they are laid out.
        let variables: Vec<Variable> = alone
            .map(|(id, v)| {
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
            })
            .collect();
        let rows_before = ROW_BYTES.map(|row_bytes| {
            let mut rows = 0;
            let mut before = vec![0];
            for variable in &variables {
                rows += (variable.bytes as usize).div_ceil(row_bytes);
                before.push(rows);
            }
            before
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
        let mut pointers = Vec::new();
        for (id, variable) in names.addresses() {
            let name: Rc<str> = Rc::from(&*variable.name);
            for first in (0..variable.elements).step_by(MAX_POINTERS as usize) {
                pointers.push(PointerRow {
                    id,
                    name: Rc::clone(&name),
                    first,
                    count: (variable.elements - first).min(MAX_POINTERS),
                });
            }
        }
        Self {
            masks: std::iter::once(execution_mask).chain(predicates).collect(),
            pointers,
            variables,
            rows_before,
            grf_bytes: names.grf_bytes(),
            threads: program.threads,
        }
    }

    pub(crate) fn types(&self) -> impl Iterator<Item = ElementType> + '_ {
        self.variables.iter().map(|variable| variable.ty)
    }

    /// Variable that contains a byte of the register file.
    pub(crate) fn variable_at(&self, address: u64) -> Option<&Variable> {
        self.variables.get(self.index_at(address)?)
    }

    fn index_at(&self, address: u64) -> Option<usize> {
        let after = self
            .variables
            .partition_point(|v| u64::from(v.offset) <= address);
        let index = after.checked_sub(1)?;
        let variable = &self.variables[index];
        let end = u64::from(variable.offset) + u64::from(variable.bytes);
        (address < end).then_some(index)
    }

    /// Predicate or execution mask at an address in the flag space.
    pub(crate) fn mask_at(&self, address: u64) -> Option<&Mask> {
        let mut masks = self.masks.iter();
        masks.find(|mask| flag_address(mask.id) == address)
    }

    /// Number of rows before the variables.
    fn head(&self) -> usize {
        self.masks.len() + self.pointers.len()
    }

    fn rows_before(&self, row_bytes: usize) -> &[usize] {
        let index = ROW_BYTES.iter().position(|bytes| *bytes == row_bytes);
        &self.rows_before[index.expect("rows have one of these lengths")]
    }

    /// Number of rows of an EU.
    pub(crate) fn count(&self, row_bytes: usize) -> usize {
        let rows = self.rows_before(row_bytes).last();
        self.head() + rows.expect("the last entry is the total")
    }

    /// Contents of a row of an EU.
    pub(crate) fn at(&self, row: usize, row_bytes: usize) -> Option<RowContent<'_>> {
        if let Some(mask) = self.masks.get(row) {
            return Some(RowContent::Mask(mask));
        }
        let row = row - self.masks.len();
        if let Some(pointers) = self.pointers.get(row) {
            return Some(RowContent::Pointers(pointers));
        }
        let row = row - self.pointers.len();
        let before = self.rows_before(row_bytes);
        let index = before.partition_point(|before| *before <= row) - 1;
        let variable = self.variables.get(index)?;
        let offset = (row - before[index]) * row_bytes;
        Some(RowContent::Values {
            variable,
            offset: offset as u32,
            count: (variable.bytes as usize - offset).min(row_bytes),
        })
    }

    /// Row of an EU that shows a place in its registers or flags.
    pub(crate) fn row_of(&self, place: Place, row_bytes: usize) -> Option<usize> {
        let address = place.address;
        match place.space.kind() {
            SpaceKind::Registers(_) => {
                let index = self.index_at(address)?;
                let offset = address - u64::from(self.variables[index].offset);
                let before = self.rows_before(row_bytes)[index];
                Some(self.head() + before + offset as usize / row_bytes)
            }
            SpaceKind::Flags(_) if address >= ADDRESS_VARIABLES => {
                let row = self.pointers.iter().position(|row| {
                    let start = row.address();
                    (start..start + 4 * u64::from(row.count)).contains(&address)
                })?;
                Some(self.masks.len() + row)
            }
            SpaceKind::Flags(_) => {
                let mut masks = self.masks.iter();
                masks.position(|mask| flag_address(mask.id) == address)
            }
            _ => None,
        }
    }
}

/// Contents of a row.
pub(crate) enum RowContent<'m> {
    Mask(&'m Mask),
    Pointers(&'m PointerRow),
    /// Bytes of a variable: offset and length.
    Values {
        variable: &'m Variable,
        offset: u32,
        count: usize,
    },
}
