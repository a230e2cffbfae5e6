//! Which variable lies where, and on which line.

use crate::features::machine::cells::ROW_BYTES;
use crate::features::machine::inspect::Place;
use lanewise_core::ide::{OperandUse, operand_uses};
use lanewise_core::number::ElementType;
use lanewise_core::program::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, Program};
use std::rc::Rc;

/// Pointers of a line.
const POINTERS: u32 = 4;

/// The most uses of a variable that are listed.
const USES: usize = 12;

/// "line 12 reads it as src0, the operand of each lane".
fn describe_use(used: &OperandUse) -> String {
    let (line, name) = (used.line + 1, used.operand.name);
    let verb = if used.is_written() { "writes" } else { "reads" };
    format!("line {line} {verb} it as {name}, {}", used.operand.what)
}

/// A declared general variable that is no alias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: Rc<str>,
    /// Other names for its bytes, and which operands of which lines it is;
    /// none if there are neither.
    pub(crate) about: Option<Rc<str>>,
    pub(crate) ty: ElementType,
    /// Its first byte in the register file.
    pub(crate) offset: u32,
    pub(crate) bytes: u32,
}

/// What lies where; the same for every step of a run.
#[derive(Debug)]
pub(crate) struct Layout {
    /// By offset.
    variables: Vec<Variable>,
    /// The first line of each, counted from that of the first, and how many
    /// there are: for each length of a line.
    lines: [Vec<usize>; ROW_BYTES.len()],
    pub(crate) grf_bytes: u32,
    /// Predicates by number, name and number of bits; number 0 is the
    /// execution mask.
    pub(crate) flags: Vec<(u16, Rc<str>, u32)>,
    /// Lines of address variables: number, name, first element, how many.
    pointers: Vec<(u16, Rc<str>, u32, u32)>,
    pub(crate) threads: u8,
}

impl Layout {
    pub(crate) fn of(program: &Program) -> Self {
        let names = &program.symbols.visa;
        let alone = names.generals().filter(|(_, v)| v.alias.is_none());
        let uses = operand_uses(program);
        // In the order of their bytes: that is how they are laid out.
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
                about.extend(uses.map(describe_use).take(USES));
                Variable {
                    name: Rc::from(&*v.name),
                    about: (!about.is_empty()).then(|| Rc::from(about.join("\n"))),
                    ty: v.ty,
                    offset: v.offset,
                    bytes: v.elements * u32::from(v.ty.bytes()),
                }
            })
            .collect();
        let lines = ROW_BYTES.map(|line| {
            let mut next = 0;
            let mut firsts: Vec<usize> = Vec::with_capacity(variables.len() + 1);
            for variable in &variables {
                firsts.push(next);
                next += (variable.bytes as usize).div_ceil(line);
            }
            firsts.push(next);
            firsts
        });
        let em = (0, Rc::from("em"), 32);
        let predicates = names
            .predicates()
            .map(|(id, p)| (id, Rc::from(&*p.name), p.elements.clamp(1, 32)));
        let mut pointers = Vec::new();
        for (id, variable) in names.addresses() {
            let name: Rc<str> = Rc::from(&*variable.name);
            for first in (0..variable.elements).step_by(POINTERS as usize) {
                let count = (variable.elements - first).min(POINTERS);
                pointers.push((id, Rc::clone(&name), first, count));
            }
        }
        Self {
            variables,
            lines,
            grf_bytes: names.grf_bytes(),
            flags: std::iter::once(em).chain(predicates).collect(),
            pointers,
            threads: program.threads,
        }
    }

    /// The types of the variables.
    pub(crate) fn types(&self) -> impl Iterator<Item = ElementType> + '_ {
        self.variables.iter().map(|variable| variable.ty)
    }

    /// The variable that a byte of the register file belongs to.
    pub(crate) fn variable_at(&self, address: u64) -> Option<&Variable> {
        let after = self
            .variables
            .partition_point(|v| u64::from(v.offset) <= address);
        let variable = self.variables.get(after.checked_sub(1)?)?;
        let end = u64::from(variable.offset) + u64::from(variable.bytes);
        (address < end).then_some(variable)
    }

    /// The predicate, or the execution mask, at an address of the flags: its
    /// name and its bits.
    pub(crate) fn mask_at(&self, address: u64) -> Option<(&str, u32)> {
        let mut flags = self.flags.iter();
        let found = flags.find(|(id, ..)| u64::from(*id) * 4 == address)?;
        Some((&found.1, found.2))
    }

    /// Lines before those of variables.
    fn head(&self) -> usize {
        self.flags.len() + self.pointers.len()
    }

    /// The first lines of variables, for lines of so many bytes.
    fn firsts(&self, line: usize) -> &[usize] {
        let index = ROW_BYTES.iter().position(|bytes| *bytes == line);
        &self.lines[index.expect("a line has one of these lengths")]
    }

    /// Lines of an EU.
    pub(crate) fn count(&self, line: usize) -> usize {
        self.head() + self.firsts(line).last().copied().unwrap_or(0)
    }

    /// What a line shows of an EU.
    pub(crate) fn at(&self, index: usize, line: usize) -> Option<LineContent<'_>> {
        if let Some((id, name, width)) = self.flags.get(index) {
            return Some(LineContent::Mask(*id, name, *width));
        }
        let index = index - self.flags.len();
        if let Some((id, name, first, count)) = self.pointers.get(index) {
            return Some(LineContent::Pointers(*id, name, *first, *count));
        }
        let index = index - self.pointers.len();
        let firsts = self.firsts(line);
        let found = firsts
            .partition_point(|first| *first <= index)
            .checked_sub(1)?;
        let variable = self.variables.get(found)?;
        let offset = (index - firsts.get(found)?) * line;
        let left = variable.bytes as usize - offset;
        Some(LineContent::Values(variable, offset as u32, left.min(line)))
    }

    /// The line of an EU that holds a place.
    pub(crate) fn line_of(&self, place: Place, line: usize) -> Option<usize> {
        let address = place.address;
        if place.space.0 >= 2 {
            if let Some(at) = address.checked_sub(ADDRESS_VARIABLES) {
                let (id, element) = (at / ADDRESS_VARIABLE_BYTES, at % ADDRESS_VARIABLE_BYTES / 4);
                let mut lines = self.pointers.iter();
                let own = lines.position(|(own, _, first, count)| {
                    let elements = u64::from(*first)..u64::from(first + count);
                    u64::from(*own) == id && elements.contains(&element)
                });
                return own.map(|own| self.flags.len() + own);
            }
            return self
                .flags
                .iter()
                .position(|(id, ..)| u64::from(*id) * 4 == address);
        }
        let variable = self.variable_at(address)?;
        let index = self
            .variables
            .partition_point(|v| v.offset < variable.offset);
        let first = self.firsts(line).get(index)?;
        let within = (address - u64::from(variable.offset)) as usize / line;
        Some(self.head() + first + within)
    }
}

/// What a line shows.
pub(crate) enum LineContent<'l> {
    Mask(u16, &'l Rc<str>, u32),
    Pointers(u16, &'l Rc<str>, u32, u32),
    /// Bytes of a variable: from which of them on, and how many.
    Values(&'l Variable, u32, usize),
}
