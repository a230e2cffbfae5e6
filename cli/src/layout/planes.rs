//! Planes of a scatter or gather: the register and byte of each lane's channels.

use super::{Args, Format};
use crate::CliError;
use lanewise_core::isa::planes::{PlaneElement, plane_elements};
use lanewise_core::isa::{Instruction, Style, SymbolTable};
use lanewise_core::text::SyntaxPart;
use serde::Serialize;
use std::fmt::Write as _;

/// Sample operands for an instruction with channels, and their declarations.
pub(super) fn operands(lanes: u8) -> (String, Vec<String>) {
    let count = u32::from(lanes.max(16));
    let declared = vec![
        format!(".decl OFFSETS v_type=G type=uq num_elts={count} align=GRF"),
        format!(
            ".decl PLANES v_type=G type=ud num_elts={} align=GRF",
            4 * count
        ),
    ];
    (format!("(M1, {lanes}) 0x0:uq OFFSETS.0 PLANES.0"), declared)
}

pub(super) fn answer(
    args: &Args,
    instruction: &Instruction,
    symbols: &SymbolTable,
) -> Result<String, CliError> {
    if args.matrix.is_some() {
        return Err(CliError(String::from(
            "--matrix requires a matrix instruction",
        )));
    }
    let mut elements = plane_elements(instruction, symbols);
    let registers = elements
        .iter()
        .map(|e| e.register)
        .max()
        .map_or(0, |n| n + 1);
    if let Some(requested) = args.element {
        let index = requested.index;
        elements.retain(|e| (e.channel, e.lane) == (index.row, index.column));
        if elements.is_empty() {
            return Err(CliError(format!(
                "unknown element; expected an enabled channel and one of {} lanes, such as R,0",
                instruction.lanes()
            )));
        }
    }
    if let Some(requested) = args.register {
        if requested.index >= registers {
            return Err(CliError(format!(
                "R{} is not used: the planes occupy R0 to R{}",
                requested.index,
                registers.saturating_sub(1)
            )));
        }
        elements.retain(|e| e.register == requested.index);
    }
    let spec = instruction.spec();
    let mut operands = spec.syntax.operands.iter();
    let planes = operands.rfind(|o| matches!(o.part, SyntaxPart::Src0 | SyntaxPart::Dst));
    let operand = planes.map_or("", |operand| operand.role);
    let answer = PlanesAnswer {
        instruction: instruction.text(symbols, Style::Assembler),
        operand,
        lanes: instruction.lanes(),
        register_bytes: symbols.visa.grf_bytes(),
        elements: elements.iter().copied().map(PlaneRow::from).collect(),
    };
    let selected = args.element.is_some() || args.register.is_some();
    Ok(match args.format {
        Format::Text if selected => answer.text(),
        Format::Text => answer.overview(),
        Format::Csv => answer.csv(),
        Format::Md => answer.markdown(),
        Format::Json => {
            let json = serde_json::to_string(&answer);
            json.map_err(|error| CliError(format!("cannot write JSON: {error}")))? + "\n"
        }
    })
}

#[derive(Serialize)]
struct PlanesAnswer {
    instruction: String,
    operand: &'static str,
    lanes: u8,
    register_bytes: u32,
    elements: Vec<PlaneRow>,
}

/// An element and its location, which is the same on each EU.
#[derive(Serialize)]
struct PlaneRow {
    channel: &'static str,
    lane: u8,
    register: u8,
    byte: u8,
    /// Lowest and highest bit, counted from bit 0 of `byte`.
    bits: [u8; 2],
}

impl From<PlaneElement> for PlaneRow {
    fn from(element: PlaneElement) -> Self {
        Self {
            channel: element.channel_name(),
            lane: element.lane,
            register: element.register,
            byte: element.byte,
            bits: [0, 31],
        }
    }
}

const COLUMNS: [&str; 5] = ["channel", "lane", "register", "byte", "bits"];

impl PlaneRow {
    fn cells(&self) -> [String; 5] {
        let [low, high] = self.bits;
        [
            String::from(self.channel),
            self.lane.to_string(),
            self.register.to_string(),
            self.byte.to_string(),
            format!("{high}:{low}"),
        ]
    }
}

impl PlanesAnswer {
    fn text(&self) -> String {
        let mut out = String::new();
        for row in &self.elements {
            let [channel, lane, register, byte, bits] = row.cells();
            // Writing to a `String` cannot fail.
            let _ = writeln!(
                out,
                "{channel} lane {lane:<2}  {} R{register}, byte {byte}, bits {bits}",
                self.operand
            );
        }
        out
    }

    /// Summary of the contents of each register.
    fn overview(&self) -> String {
        let mut out = format!(
            "{}\n{}: one dword per lane and channel, {}-byte registers\n",
            self.instruction, self.operand, self.register_bytes
        );
        for part in self
            .elements
            .chunk_by(|a, b| (a.channel, a.register) == (b.channel, b.register))
        {
            if let (Some(first), Some(last)) = (part.first(), part.last()) {
                let lanes = match first.lane == last.lane {
                    true => format!("lane {}", first.lane),
                    false => format!("lanes {}..{}", first.lane, last.lane),
                };
                let _ = writeln!(
                    out,
                    "  R{}  {} {lanes} bytes {}–{}",
                    first.register,
                    first.channel,
                    first.byte,
                    last.byte + 3
                );
            }
        }
        out
    }

    fn csv(&self) -> String {
        let rows = self.elements.iter().map(|row| row.cells().join(","));
        let lines: Vec<String> = std::iter::once(COLUMNS.join(",")).chain(rows).collect();
        lines.join("\n") + "\n"
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let head = [
            line(&COLUMNS.map(String::from)),
            format!("|{}", " --- |".repeat(COLUMNS.len())),
        ];
        let rows = self.elements.iter().map(|row| line(&row.cells()));
        let lines: Vec<String> = head.into_iter().chain(rows).collect();
        lines.join("\n") + "\n"
    }
}
