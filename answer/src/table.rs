//! Tables as Markdown, CSV and JSON.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use serde::{Serialize, Serializer};

/// Maximum number of rows: 256 KB of memory. A final row reports truncation.
const MAX_TABLE_ROWS: usize = 16_384;

/// Table: headings, and rows of at most that many cells.
#[derive(Debug, Default, PartialEq)]
pub struct ExportTable {
    pub heads: Vec<String>,
    pub rows: Vec<Vec<ExportCell>>,
}

impl ExportTable {
    /// Truncates excess rows, ending with a row that says so. Returns whether
    /// it did.
    pub fn limit_rows(&mut self) -> bool {
        let is_cut = self.rows.len() > MAX_TABLE_ROWS;
        if is_cut {
            self.rows.truncate(MAX_TABLE_ROWS);
            let more = vec![ExportCell::text("…"); self.heads.len()];
            self.rows.push(more);
        }
        is_cut
    }
}

/// Contents of a cell; JSON distinguishes the kinds.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportCell {
    /// The row has no such element.
    Absent,
    /// No value: a dash, or `null` in JSON.
    NoValue,
    Text(String),
    /// Number that JSON readers represent exactly.
    Number(serde_json::Number, String),
}

impl ExportCell {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Text for Markdown and CSV.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Absent => "",
            Self::NoValue => "–",
            Self::Text(text) | Self::Number(_, text) => text,
        }
    }
}

impl Serialize for ExportCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent | Self::NoValue => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number, _) => number.serialize(serializer),
        }
    }
}

/// Markdown table.
pub fn markdown(table: &ExportTable) -> String {
    let line = |cells: Vec<&str>| {
        let cells = (0..table.heads.len()).map(|i| cells.get(i).copied().unwrap_or(""));
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = vec!["---"; table.heads.len()];
    let head = [line(heads_of(table)), line(rule)];
    let rows = table.rows.iter().map(|row| line(texts(row)));
    head.into_iter().chain(rows).collect()
}

/// Table for a terminal: columns two blanks apart, those of numbers with their last digits below
/// each other.
pub fn aligned(table: &ExportTable) -> String {
    let is_number = |column: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(column));
        cells.any(|cell| matches!(cell, ExportCell::Number(..)))
    };
    let rows = table.rows.iter().map(|row| texts(row));
    let lines: Vec<Vec<&str>> = core::iter::once(heads_of(table)).chain(rows).collect();
    let length = |text: &str| text.chars().count();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| length(cell)).max().unwrap_or(0)
    };
    let columns: Vec<(usize, bool)> = (0..table.heads.len())
        .map(|column| (width(column), is_number(column)))
        .collect();
    let line = |cells: &Vec<&str>| {
        let cells = cells.iter().zip(&columns);
        let padded = cells.map(|(cell, (width, is_number))| match is_number {
            true => format!("  {cell:>width$}"),
            false => format!("  {cell:width$}"),
        });
        format!("{}\n", padded.collect::<String>().trim_end())
    };
    lines.iter().map(line).collect()
}

/// Comma-separated values, as specified by RFC 4180.
pub fn csv(table: &ExportTable) -> String {
    let field = |text: &&str| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            (*text).to_owned()
        }
    };
    let line = |cells: Vec<&str>| {
        let cells: Vec<String> = cells.iter().map(field).collect();
        cells.join(",") + "\r\n"
    };
    let rows = table.rows.iter().map(|row| texts(row));
    core::iter::once(heads_of(table))
        .chain(rows)
        .map(line)
        .collect()
}

fn heads_of(table: &ExportTable) -> Vec<&str> {
    table.heads.iter().map(String::as_str).collect()
}

/// Cells of a row as written in Markdown and CSV.
pub fn texts(row: &[ExportCell]) -> Vec<&str> {
    row.iter().map(ExportCell::as_str).collect()
}

/// Row as an object: one member per present cell, named after its column, in
/// order.
struct JsonRow<'t> {
    heads: &'t [String],
    cells: &'t [ExportCell],
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let members = self.heads.iter().zip(self.cells);
        serializer.collect_map(members.filter(|(_, cell)| **cell != ExportCell::Absent))
    }
}

/// Array of row objects.
pub fn json(table: &ExportTable) -> String {
    let heads = &table.heads;
    let rows = table.rows.iter().map(|cells| JsonRow { heads, cells });
    let rows: Vec<_> = rows.collect();
    serde_json::to_string_pretty(&rows).expect("text and numbers can be serialised") + "\n"
}
