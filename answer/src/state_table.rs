//! The state of a run as tables.

use crate::notation::Notation;
use crate::table::{ExportCell, ExportTable};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::iter;
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::sass::warp::{LANES, register_address};
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::{ElementType, little_endian};
use lanewise_core::program::Program;

/// Bytes per memory row.
const ROW: usize = 16;

/// Bytes of memory scanned at a time.
const CHUNK: u64 = 4_096;

/// An element as a number, if JSON readers represent all values of its type
/// exactly. Hexadecimal values, 64-bit integers, infinities and NaN are
/// exported as text.
#[must_use]
pub fn number(text: String, notation: Notation) -> ExportCell {
    let is_wide = matches!(notation.ty, ElementType::Uq | ElementType::Q);
    let number = if notation.hex || is_wide {
        None
    } else {
        text.parse::<serde_json::Number>().ok()
    };
    match number {
        Some(number) => ExportCell::Number(number, text),
        None => ExportCell::Text(text),
    }
}

/// A whole number.
#[must_use]
pub fn count(count: u64) -> ExportCell {
    ExportCell::Number(count.into(), count.to_string())
}

/// Headings: `first`, and those of `count` columns, `step` apart.
#[must_use]
pub fn heads(first: &[&str], count: usize, step: usize) -> Vec<String> {
    let first = first.iter().map(|head| (*head).to_owned());
    let places = (0..count).map(|i| (i * step).to_string());
    first.chain(places).collect()
}

/// Predicates and general variables of every thread, one row each.
pub fn variables(
    program: &Program,
    machine: &Machine,
    notation: impl Fn(ElementType) -> Notation,
) -> ExportTable {
    let mut table = ExportTable::default();
    let mut most = 0;
    for eu in 0..program.threads {
        let prefix = program.thread_prefix(eu);
        for (id, predicate) in program.symbols.visa.predicates() {
            let flags = SpaceId::flags(eu);
            let bits = machine.flag_word(flags, 4 * u64::from(id));
            let name = format!("{prefix}{}", predicate.name);
            table.rows.push(
                [name, "p".into(), format!("{bits:#x}")]
                    .map(ExportCell::Text)
                    .into(),
            );
        }
        for (_, variable) in program.symbols.visa.generals() {
            let notation = notation(variable.ty);
            let size = variable.elements * u32::from(variable.ty.bytes());
            let mut bytes = vec![0; to_usize(size)];
            let file = machine.space(SpaceId::registers(eu));
            file.read(u64::from(variable.offset), &mut bytes);
            let cells = elements(&bytes, notation);
            most = most.max(cells.len());
            let name = format!("{prefix}{}", variable.name);
            let head = [ExportCell::Text(name), ExportCell::text(notation.ty.name())];
            table.rows.push(head.into_iter().chain(cells).collect());
        }
    }
    table.heads = heads(&["Variable", "Type"], most.max(1), 1);
    table
}

/// Registers and predicates of a warp: one row each, with a column per lane.
pub fn warp(
    program: &Program,
    machine: &Machine,
    notation: impl Fn(ElementType) -> Notation,
) -> ExportTable {
    let names = &program.symbols.sass;
    let notation = notation(ElementType::Ud);
    let file = machine.space(SpaceId::registers(0));
    let mut table = ExportTable {
        heads: heads(&["Register"], usize::from(LANES), 1),
        rows: Vec::new(),
    };
    for register in names.registers() {
        let values = (0..LANES).map(|lane| {
            let mut bytes = [0; 4];
            file.read(register_address(lane, register), &mut bytes);
            let mut cells = elements(&bytes, notation);
            // Types smaller than 32 bits split a register into several
            // elements.
            match cells.len() {
                1 => cells.remove(0),
                _ => {
                    let texts: Vec<&str> = cells.iter().map(ExportCell::as_str).collect();
                    ExportCell::Text(texts.join(" "))
                }
            }
        });
        let name = iter::once(ExportCell::Text(format!("R{register}")));
        table.rows.push(name.chain(values).collect());
    }
    for predicate in names.predicates() {
        let place = 4 * (u64::from(predicate) + 1);
        let bits = machine.flag_word(SpaceId::flags(0), place);
        let lanes = (0..u32::from(LANES)).map(|lane| count(u64::from(bits >> lane & 1)));
        let name = iter::once(ExportCell::Text(format!("P{predicate}")));
        table.rows.push(name.chain(lanes).collect());
    }
    table
}

/// Range of memory to export.
#[derive(Clone, Copy, Debug)]
pub struct MemoryRange<'r> {
    pub name: &'r str,
    pub space: SpaceId,
    pub first: u64,
    pub last: u64,
}

/// Ranges of memory in rows of 16 bytes, without empty rows.
pub fn memory<'r>(
    ranges: impl Iterator<Item = MemoryRange<'r>>,
    machine: &Machine,
    notation: Notation,
) -> ExportTable {
    let size = notation.ty.bytes();
    let mut table = ExportTable {
        heads: heads(&["Memory", "Address"], ROW / usize::from(size), size.into()),
        rows: Vec::new(),
    };
    for range in ranges {
        let memory = machine.space(range.space);
        // Elements are aligned to their size.
        let mut next = range.first.checked_next_multiple_of(size.into());
        while let Some(at) = next.filter(|at| *at <= range.last) {
            let last = range.last.min(at | (CHUNK - 1));
            let length = usize::try_from(last - at).expect("chunks are small") + 1;
            let mut chunk = vec![0; length];
            memory.read(at, &mut chunk);
            if chunk.iter().any(|byte| *byte != 0) {
                rows(range.name, at, &chunk, notation, &mut table);
            }
            if table.limit_rows() {
                return table;
            }
            // The address space ends after the last byte.
            next = last.checked_add(1);
        }
    }
    table
}

/// Bytes as numeric elements.
#[must_use]
pub fn elements(bytes: &[u8], notation: Notation) -> Vec<ExportCell> {
    let elements = bytes.chunks(usize::from(notation.ty.bytes()));
    let texts = elements.map(|element| notation.text(little_endian(element)));
    texts.map(|text| number(text, notation)).collect()
}

/// Non-empty rows of a memory range.
fn rows(name: &str, first: u64, bytes: &[u8], notation: Notation, table: &mut ExportTable) {
    let size = usize::from(notation.ty.bytes());
    let mut rest = bytes;
    while !rest.is_empty() {
        let at = first + (bytes.len() - rest.len()) as u64;
        let start = at - at % ROW as u64;
        let place = usize::try_from(at - start).expect("rows are short");
        let (row, after) = rest.split_at(rest.len().min(ROW - place));
        let whole = &row[..row.len() / size * size];
        if whole.iter().any(|byte| *byte != 0) {
            let gap = iter::repeat_n(ExportCell::Absent, place / size);
            let cells = elements(whole, notation);
            let head = [name.to_owned(), format!("{start:#x}")].map(ExportCell::Text);
            table
                .rows
                .push(head.into_iter().chain(gap).chain(cells).collect());
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{json, texts};

    /// Table of the mapped memory from `first` to `last` in a program's initial state.
    fn table(text: &str, first: u64, last: u64, ty: ElementType) -> ExportTable {
        let program = Program::parse(text);
        assert!(program.can_run(), "{:?}", program.diagnostics);
        let (name, space) = ("svm", SpaceId::VIRTUAL);
        let range = MemoryRange {
            name,
            space,
            first,
            last,
        };
        let notation = Notation { ty, hex: false };
        memory(iter::once(range), &program.start, notation)
    }

    #[test]
    fn rows_have_their_addresses() {
        let text = ".region svm 0x10006 60\n\
                    .init svm[0x10006] : ub = 1, 2, 3\n.init svm[0x10028] : ud = 7\n";
        let rows = |ty| table(text, 0x10006, 0x10041, ty).rows;
        let dwords = rows(ElementType::Ud);
        assert_eq!(texts(&dwords[0]), ["svm", "0x10000", "", "", "3", "0"]);
        assert_eq!(texts(&dwords[1]), ["svm", "0x10020", "0", "0", "7", "0"]);
        let bytes = &rows(ElementType::Ub)[0];
        assert_eq!(texts(bytes)[1..9], ["0x10000", "", "", "", "", "", "", "1"]);
        assert_eq!(
            texts(bytes)[9..],
            ["2", "3", "0", "0", "0", "0", "0", "0", "0"]
        );
    }

    #[test]
    fn last_row_of_the_address_space_is_included() {
        let first = 0xffff_ffff_ffff_fff0;
        let text = format!(".region svm {first:#x} 16\n.init svm[0xfffffffffffffffc] : ud = 7\n");
        let table = table(&text, first, u64::MAX, ElementType::Ud);
        let expected = ["svm", "0xfffffffffffffff0", "0", "0", "0", "7"];
        assert_eq!(
            table.rows.iter().map(|row| texts(row)).collect::<Vec<_>>(),
            [expected]
        );
    }

    #[test]
    fn truncation_is_reported() {
        let last = |rows: u64| {
            let text = format!(
                ".region svm 0x10000 {}\n.init svm[0x10000] : ud = iota(1, 1)\n",
                rows * 16
            );
            let table = table(&text, 0x10000, 0xffff + rows * 16, ElementType::Ud);
            // The first row of the second chunk.
            let second = ["svm", "0x11000", "1025", "1026", "1027", "1028"];
            assert_eq!(texts(&table.rows[256]), second);
            (
                table.rows.len(),
                table.rows.last().unwrap()[0].as_str().to_owned(),
            )
        };
        let most = 16_384;
        assert_eq!(last(most as u64), (most, "svm".into()));
        assert_eq!(last(most as u64 + 1), (most + 1, "…".into()));
    }

    /// Readers that only support doubles would alter 64-bit integers.
    #[test]
    fn json_numbers_are_exact() {
        let first = |value: &str, ty| {
            let text = format!(".region svm 0x1000 16\n.init svm[0x1000] : {value}\n");
            let rows = json(&table(&text, 0x1000, 0x100f, ty));
            let rows: serde_json::Value = serde_json::from_str(&rows).unwrap();
            rows[0]["0"].clone()
        };
        assert_eq!(
            first("uq = 0xffffffffffffffff", ElementType::Uq),
            "18446744073709551615"
        );
        assert_eq!(first("ud = 0x7f800000", ElementType::F), "inf");
        assert_eq!(first("ud = 0x3fc00000", ElementType::F), 1.5);
    }
}
