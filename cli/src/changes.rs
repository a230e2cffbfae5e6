//! Table of the registers and memory that a run changed.

use lanewise_core::isa::sass::warp::{predicate_address, register_at};
use lanewise_core::machine::{Change, Machine, SpaceId, flag_address};
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::Program;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Maximum number of rows in a table.
const MAX_ROWS: usize = 128;

/// Written bytes, by space and address.
#[derive(Default)]
pub(crate) struct Touched(BTreeSet<(SpaceId, u64)>);

impl Touched {
    pub(crate) fn note(&mut self, changes: &[Change]) {
        for change in changes {
            let bytes = u64::from(change.bytes);
            let all = (0..bytes).filter_map(|i| change.address.checked_add(i));
            self.0.extend(all.map(|at| (change.space, at)));
        }
    }

    /// First written byte in `from..=last`.
    fn any(&self, space: SpaceId, from: u64, last: u64) -> bool {
        self.0.range((space, from)..=(space, last)).next().is_some()
    }

    /// Indices of the `bytes`-sized elements that contain a written byte.
    fn cells(&self, space: SpaceId, bytes: u64) -> BTreeSet<u64> {
        let all = self.0.range((space, 0)..=(space, u64::MAX));
        all.map(|(_, at)| at - at % bytes).collect()
    }
}

struct ChangedElement {
    place: String,
    ty: ElementType,
    old: u64,
    new: u64,
}

pub(crate) fn tables(program: &Program, end: &Machine, touched: &Touched) -> String {
    let mut out = String::new();
    push_table("Registers", &registers(program, end, touched), &mut out);
    push_table("Memory", &memory(program, end, touched), &mut out);
    out
}

/// Changed elements of general variables, and changed predicates. Aliases are omitted, since they refer
/// to the same bytes.
fn registers(program: &Program, end: &Machine, touched: &Touched) -> Vec<ChangedElement> {
    if program.symbols.target.facts().has_lane_registers {
        return warp(program, end, touched);
    }
    let symbols = &program.symbols.visa;
    let mut rows = Vec::new();
    let numbers = (1..=u32::MAX).take_while(|id| *id < 32 || symbols.general(*id).is_some());
    for variable in numbers.filter_map(|id| symbols.general(id)) {
        if variable.alias.is_some() {
            continue;
        }
        let bytes = variable.ty.bytes();
        for eu in 0..program.threads {
            let space = SpaceId::registers(eu);
            for element in 0..variable.elements {
                let at = u64::from(variable.offset) + u64::from(element) * u64::from(bytes);
                if !touched.any(space, at, at + u64::from(bytes) - 1) {
                    continue;
                }
                rows.extend(row(program, end, (space, at), variable.ty, || {
                    format!("EU{eu}.{}[{element}]", variable.name)
                }));
            }
        }
    }
    for (id, predicate) in symbols.predicates() {
        for eu in 0..program.threads {
            let at = flag_address(id);
            let place = || format!("EU{eu}.{}", predicate.name);
            rows.extend(row(
                program,
                end,
                (SpaceId::flags(eu), at),
                ElementType::Ud,
                place,
            ));
        }
    }
    rows
}

/// Changed registers of a warp, per lane, and changed predicates.
fn warp(program: &Program, end: &Machine, touched: &Touched) -> Vec<ChangedElement> {
    let mut rows = Vec::new();
    let space = SpaceId::registers(0);
    for at in touched.cells(space, 4) {
        let (lane, register) = register_at(at);
        let place = || format!("R{register}, lane {lane}");
        rows.extend(row(program, end, (space, at), ElementType::Ud, place));
    }
    let space = SpaceId::flags(0);
    for predicate in program.symbols.sass.predicates() {
        let at = predicate_address(predicate);
        let place = || format!("P{predicate}");
        rows.extend(row(program, end, (space, at), ElementType::Ud, place));
    }
    rows
}

/// Changed elements of buffers, and other changed memory cells, in the element type of the
/// instructions if they all use the same one.
fn memory(program: &Program, end: &Machine, touched: &Touched) -> Vec<ChangedElement> {
    let mut types = program.instructions.iter();
    let mut types = types
        .by_ref()
        .map(|p| p.instruction.display_type(&program.symbols));
    let first = types.next().unwrap_or(ElementType::Ud);
    let ty = if types.all(|ty| ty == first) {
        first
    } else {
        ElementType::Ud
    };
    let mut rows = Vec::new();
    for (name, space) in program.symbols.memories() {
        let launch = program.launch.as_ref();
        let launch = launch.filter(|_| space == SpaceId::VIRTUAL);
        let buffers = launch.map_or(&[][..], |launch| &launch.buffers);
        for buffer in buffers {
            let bytes = buffer.ty.bytes();
            for at in touched.cells(space, bytes.into()) {
                let element = || launch?.element_name(at, bytes);
                let place = || element().expect("the element is in the buffer");
                if buffer.range().contains(&at) {
                    rows.extend(row(program, end, (space, at), buffer.ty, place));
                }
            }
        }
        let others = touched.cells(space, u64::from(ty.bytes())).into_iter();
        for at in others.filter(|at| !buffers.iter().any(|b| b.range().contains(at))) {
            // Fall back to bytes if an element extends beyond its region.
            let whole = end.load(space, at, ty.bytes()).is_some();
            let (ty, count) = if whole {
                (ty, 1)
            } else {
                (ElementType::Ub, ty.bytes())
            };
            for at in (0..u64::from(count)).filter_map(|i| at.checked_add(i)) {
                let place = || format!("{name}[{at:#x}]");
                rows.extend(row(program, end, (space, at), ty, place));
            }
        }
    }
    rows
}

fn row(
    program: &Program,
    end: &Machine,
    (space, at): (SpaceId, u64),
    ty: ElementType,
    place: impl Fn() -> String,
) -> Option<ChangedElement> {
    let old = program.start.load(space, at, ty.bytes())?;
    let new = end.load(space, at, ty.bytes())?;
    (old != new).then(|| ChangedElement {
        place: place(),
        ty,
        old,
        new,
    })
}

fn push_table(title: &str, rows: &[ChangedElement], out: &mut String) {
    if rows.is_empty() {
        return;
    }
    let cells: Vec<[String; 4]> = rows
        .iter()
        .take(MAX_ROWS)
        .map(|row| {
            [
                format!("{} : {}", row.place, row.ty.name()),
                show(row.old, row.ty),
                show(row.new, row.ty),
                bits(row),
            ]
        })
        .collect();
    let width = |column: usize| {
        let lengths = cells.iter().map(|row| row[column].len());
        lengths.max().expect("there is a row")
    };
    let (place, old, new) = (width(0), width(1), width(2));
    // Writing to a `String` cannot fail.
    let _ = writeln!(out, "\n{title}");
    for [at, from, to, bits] in &cells {
        let _ = writeln!(out, "  {at:place$}  {from:>old$} → {to:<new$}  {bits}");
    }
    let more = rows.len().saturating_sub(MAX_ROWS);
    if more > 0 {
        let _ = writeln!(out, "  … and {more} more; use --json to show all");
    }
}

fn bits(row: &ChangedElement) -> String {
    let digits = usize::from(row.ty.bytes()) * 2;
    format!("0x{:0digits$x} → 0x{:0digits$x}", row.old, row.new)
}
