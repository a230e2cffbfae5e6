//! `lanewise layout`: the EU, register, byte and bits of matrix elements, and of
//! the planes of a scatter or gather.

mod planes;

use crate::input::Source;
use crate::{CliError, Status, declaration_args, render};
use clap::ValueEnum;
use lanewise_core::isa::schema::Form;
use lanewise_core::isa::visa::matrix::layout::{Index, Layout, Location, MatrixRole};
use lanewise_core::isa::visa::matrix::{MultiplyAdd, Precision};
use lanewise_core::isa::{CHANNELS, FIRST_ELEMENT, Instruction, Spec, SymbolTable};
use lanewise_core::program::Assembler;
use lanewise_core::text::SyntaxPart;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;

#[derive(clap::Args)]
#[command(after_help = "\
By default, prints the contents of each register; csv, md and json list every
element. Use --element or --register to select elements.

Examples:
  lanewise layout dpasw.s8.u4.8.3
  lanewise layout dpasw.s8.u4.8.3 --matrix A --element 2,0
  lanewise layout dpasw.s8.u4.8.3 --matrix A --register EU1.R0
  lanewise layout dpasw.s8.u4.8.3 --by table
  lanewise layout svm_scatter4scaled.RGB --lanes 16
  lanewise layout svm_gather4scaled.RGBA --element G,3
  lanewise layout dpas.bf.bf.8.8 --target 'visa PVC' --matrix B --format csv
  lanewise layout 'dpasw.s8.u4.8.3 (M1, 8) D.0 C.0 B.0 A(0,4)' --decls scenario.lanewise")]
pub(crate) struct Args {
    /// Matrix instruction with precisions, depth and repeat count, or scatter or
    /// gather with channels; or a complete instruction, with --decl or --decls
    instruction: String,
    /// Show only this matrix: A is Src2, B Src1, C Src0, D Dst
    #[arg(long, value_name = "MATRIX", ignore_case = true)]
    matrix: Option<MatrixName>,
    /// Show only the element at this 0-based row and column; for a scatter or
    /// gather, at this channel and lane, such as G,3
    #[arg(long, value_name = "ROW,COLUMN", value_parser = parse_index)]
    element: Option<Element>,
    /// Number of lanes, for an abbreviated scatter or gather
    #[arg(long, value_name = "NUMBER")]
    lanes: Option<u8>,
    /// Show only this register: R0 is the first register of the operand; EU0.R0
    /// and EU1.R0 select an EU
    #[arg(long, value_name = "[EU.]REGISTER", value_parser = parse_register)]
    register: Option<Register>,
    /// Statement of DPASW.md that determines how the EUs share Src2
    #[arg(long, value_name = "WHICH", default_value = "formula")]
    by: Statement,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    declarations: declaration_args::Args,
}

#[derive(Clone, Copy, ValueEnum)]
enum MatrixName {
    /// Src2
    A,
    /// Src1
    B,
    /// Src0
    C,
    /// Dst
    D,
}

impl From<MatrixName> for MatrixRole {
    fn from(name: MatrixName) -> Self {
        match name {
            MatrixName::A => Self::A,
            MatrixName::B => Self::B,
            MatrixName::C => Self::C,
            MatrixName::D => Self::D,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Statement {
    /// The pseudo-code, which Lanewise runs
    Formula,
    /// The table, which contradicts the formula in two cells
    Table,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Csv,
    Md,
    Json,
}

/// Register of an operand, on one EU or on each.
#[derive(Clone, Copy)]
struct Register {
    eu: Option<u8>,
    index: u8,
}

/// Element by row and column, or by channel and lane.
#[derive(Clone, Copy)]
struct Element {
    index: Index,
    /// Whether the row is a channel letter.
    is_channel: bool,
}

fn parse_index(text: &str) -> Result<Element, String> {
    let number = |part: &str| part.trim().parse::<u8>().ok();
    let element = || {
        let (row, column) = text.split_once(',')?;
        let letter = row.trim();
        let channels = &CHANNELS[..usize::from(FIRST_ELEMENT)];
        let channel = channels.iter().position(|c| c.eq_ignore_ascii_case(letter));
        let channel = channel.and_then(|n| u8::try_from(n).ok());
        Some(Element {
            index: Index {
                row: channel.or_else(|| number(row))?,
                column: number(column)?,
            },
            is_channel: channel.is_some(),
        })
    };
    element().ok_or_else(|| {
        String::from("expected ROW,COLUMN, such as 2,0, or CHANNEL,LANE, such as G,3")
    })
}

fn parse_register(text: &str) -> Result<Register, String> {
    let lower = text.to_ascii_lowercase();
    let (eu, register) = match lower.split_once('.') {
        Some(("eu0", register)) => (Some(Some(0)), register),
        Some(("eu1", register)) => (Some(Some(1)), register),
        Some(_) => (None, ""),
        None => (Some(None), lower.as_str()),
    };
    let index = register.strip_prefix('r').and_then(|n| n.parse().ok());
    eu.zip(index)
        .map(|(eu, index)| Register { eu, index })
        .ok_or_else(|| String::from("expected a register, such as R0 or EU1.R0"))
}

pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    let Some((assembler, instruction)) = assemble(args)? else {
        return Ok(Status::Bad);
    };
    let symbols = assembler.symbols();
    if instruction.channels() != 0 {
        let out = planes::answer(args, &instruction, symbols)?;
        std::io::stdout().write_all(out.as_bytes())?;
        return Ok(Status::Fine);
    }
    let Some(layout) = layout(args, &instruction, symbols)? else {
        return Ok(Status::Bad);
    };
    let roles: Vec<MatrixRole> = match args.matrix {
        Some(name) => vec![name.into()],
        None => MatrixRole::ALL.to_vec(),
    };
    let selected = args.element.is_some() || args.register.is_some();
    let mut out = String::new();
    if args.format == Format::Text && !selected {
        overview(args, layout, &roles, &mut out);
    } else {
        let rows = rows(args, layout, &roles)?;
        match args.format {
            Format::Text => text(&rows, &mut out),
            Format::Csv => csv(&rows, &mut out),
            Format::Md => markdown(&rows, &mut out),
            Format::Json => {
                let answer = LayoutAnswer::new(args, layout, &roles, rows);
                out = serde_json::to_string(&answer)
                    .map_err(|error| CliError(format!("cannot write JSON: {error}")))?;
                out.push('\n');
            }
        }
    }
    std::io::stdout().write_all(out.as_bytes())?;
    Ok(Status::Fine)
}

/// Parses the instruction and its symbols. Prints diagnostics and returns `None`
/// if it is invalid.
fn assemble(args: &Args) -> Result<Option<(Assembler, Instruction)>, CliError> {
    let whole = args.instruction.trim().contains(char::is_whitespace);
    let Some(mut assembler) = args.declarations.assembler()? else {
        return Ok(None);
    };
    let mut text = args.instruction.clone();
    if !whole {
        if args.declarations.declares() {
            let why = "--decl and --decls require a complete instruction";
            return Err(CliError(String::from(why)));
        }
        let target = assembler.symbols().target;
        let name = args.instruction.trim();
        let mnemonic = name.split('.').next().unwrap_or(name);
        let spec = Instruction::named(target.family(), mnemonic);
        let suffixes = spec.map_or(&[][..], |spec| spec.syntax.suffixes);
        let (operands, declarations) = match suffixes {
            [suffix, ..] if suffix.part == SyntaxPart::Channels => {
                planes::operands(args.lanes.unwrap_or(8))
            }
            _ => {
                let has_rows = |spec: &&Spec| {
                    let mut operands = spec.syntax.operands.iter();
                    operands.any(|operand| operand.form == Form::Rows)
                };
                if let Some(spec) = spec.filter(|spec| !has_rows(spec)) {
                    return Err(no_layout(spec));
                }
                operands(name, &assembler)
            }
        };
        text = format!("{name} {operands}");
        let made = Assembler::new(target, declarations.iter().map(String::as_str));
        assembler =
            made.map_err(|_| CliError(format!("unknown instruction for {}", target.name())))?;
    } else if args.lanes.is_some() {
        let why = "--lanes cannot be used with a complete instruction";
        return Err(CliError(String::from(why)));
    }
    let source = Source {
        name: String::from("<instruction>"),
        text: text.clone(),
    };
    let instruction = match assembler.assemble(&text) {
        Ok(done) => {
            render::print(&source, done.diagnostics);
            done.instruction
        }
        Err(diagnostics) => {
            render::print(&source, diagnostics);
            return Ok(None);
        }
    };
    Ok(Some((assembler, instruction)))
}

/// Returns the layout of a matrix instruction. Prints an error and returns `None`
/// if it does not have one.
fn layout(
    args: &Args,
    instruction: &Instruction,
    symbols: &SymbolTable,
) -> Result<Option<Layout>, CliError> {
    let Some(matrix) = instruction.matrix() else {
        return Err(no_layout(instruction.spec()));
    };
    if args.lanes.is_some() || args.element.is_some_and(|e| e.is_channel) {
        let why = "only scatters and gathers have channels and lanes";
        return Err(CliError(String::from(why)));
    }
    let by_table = args.by == Statement::Table;
    if by_table && !has_table(matrix) {
        let why = "the document's table covers only DPASW with a depth of 8";
        return Err(CliError(String::from(why)));
    }
    let layout = matrix.element_layout(symbols, by_table);
    if layout.is_none() {
        let suffix = matrix.suffix;
        render::say(&format!(
            "lanewise: invalid combination without a layout: W {}, A {}, depth {}, repeat count {}",
            suffix.w.name(),
            suffix.a.name(),
            suffix.sd,
            suffix.rc
        ));
    }
    Ok(layout)
}

fn no_layout(spec: &Spec) -> CliError {
    CliError(format!("{} has neither matrices nor channels", spec.name))
}

fn has_table(matrix: &MultiplyAdd) -> bool {
    matrix.supply().is_some_and(|s| s.table_counts().is_some())
}

/// Sample operands for a matrix instruction, and their declarations.
fn operands(mnemonic: &str, assembler: &Assembler) -> (String, Vec<String>) {
    let precision = mnemonic.split('.').nth(1).and_then(Precision::named);
    let sum = match precision.is_some_and(Precision::is_float) {
        true => "f",
        false => "d",
    };
    let channels = assembler.symbols().visa.grf_bytes() / 4;
    let declare = |name: &str, ty: &str| {
        let count = 8 * channels;
        format!(".decl {name} v_type=G type={ty} num_elts={count} align=GRF")
    };
    (
        format!("(M1, {channels}) D.0 C.0 B.0 A(0,0)"),
        vec![
            declare("D", sum),
            declare("C", sum),
            declare("B", "ud"),
            declare("A", "ud"),
        ],
    )
}

/// An element and its location.
#[derive(Serialize)]
struct ElementRow {
    matrix: &'static str,
    operand: &'static str,
    row: u8,
    column: u8,
    /// `null` if each EU has its own element at this location.
    eu: Option<u8>,
    register: u8,
    /// Byte offset in the register.
    byte: u16,
    /// Lowest and highest bit, counted from bit 0 of `byte`.
    bits: [u16; 2],
    /// Channel whose dword contains the element; `null` for A, which is not
    /// divided into channels.
    lane: Option<u8>,
}

impl ElementRow {
    fn new(role: MatrixRole, index: Index, at: Location, own: bool) -> Self {
        let (low, high) = at.bits_in_byte();
        Self {
            matrix: role.name(),
            operand: role.operand(),
            row: index.row,
            column: index.column,
            eu: (!own).then_some(at.eu),
            register: at.register,
            byte: at.byte(),
            bits: [low, high],
            lane: (role != MatrixRole::A).then_some(index.column),
        }
    }

    fn eu(&self) -> String {
        self.eu.map_or(String::from("each"), |eu| eu.to_string())
    }

    fn lane(&self) -> String {
        self.lane.map_or(String::new(), |lane| lane.to_string())
    }

    fn bits(&self) -> String {
        let [low, high] = self.bits;
        format!("{high}:{low}")
    }
}

/// Whether each EU has its own matrix.
fn is_own(layout: Layout, role: MatrixRole) -> bool {
    role != MatrixRole::A || layout.supplied().is_none()
}

/// Elements selected by the arguments.
fn rows(args: &Args, layout: Layout, roles: &[MatrixRole]) -> Result<Vec<ElementRow>, CliError> {
    if let Some(Element { index, .. }) = args.element {
        let fits = |role: &MatrixRole| {
            let (rows, columns) = layout.size(*role);
            index.row < rows && index.column < columns
        };
        if !roles.iter().any(fits) {
            let sizes: Vec<String> = roles.iter().map(|role| size(layout, *role)).collect();
            let (row, column) = (index.row, index.column);
            return Err(CliError(format!(
                "element {row},{column} does not exist: {}",
                sizes.join(", ")
            )));
        }
    }
    if let Some(register) = args.register {
        let has = |role: &MatrixRole| {
            (0..2)
                .filter(|eu| register.eu.is_none_or(|requested| requested == *eu))
                .any(|eu| register.index < layout.registers(*role, eu))
        };
        if !roles.iter().any(has) {
            let counts: Vec<String> = roles.iter().map(|role| registers(layout, *role)).collect();
            return Err(CliError(format!(
                "R{} is not accessed: {}",
                register.index,
                counts.join(", ")
            )));
        }
    }
    let mut rows = Vec::new();
    for role in roles {
        let own = is_own(layout, *role);
        for index in layout.elements(*role) {
            if args
                .element
                .is_some_and(|requested| requested.index != index)
            {
                continue;
            }
            // If each EU has its own matrix, the location on EU0 applies to both.
            let Some(at) = layout.location(*role, 0, index) else {
                continue;
            };
            let lies_in = |register: Register| {
                let mut parts = layout.in_registers(at, u16::from(at.bits));
                parts.any(|part| part.register == register.index)
                    && (own || register.eu.is_none_or(|eu| eu == at.eu))
            };
            if args.register.is_none_or(lies_in) {
                rows.push(ElementRow::new(*role, index, at, own));
            }
        }
    }
    if args.register.is_some() {
        rows.sort_by_key(|row| (row.matrix, row.eu, row.register, row.byte, row.bits));
    }
    Ok(rows)
}

/// `A = Src2 is 3 × 32`.
fn size(layout: Layout, role: MatrixRole) -> String {
    let (rows, columns) = layout.size(role);
    format!("{} = {} is {rows} × {columns}", role.name(), role.operand())
}

/// `A = Src2: EU0 R0, EU1 R0`.
fn registers(layout: Layout, role: MatrixRole) -> String {
    let of = |eu| match layout.registers(role, eu) {
        0 => String::from("none"),
        1 => String::from("R0"),
        n => format!("R0 to R{}", n - 1),
    };
    match is_own(layout, role) {
        true => format!("{} = {}: {} of each EU", role.name(), role.operand(), of(0)),
        false => format!(
            "{} = {}: {} of EU0, {} of EU1",
            role.name(),
            role.operand(),
            of(0),
            of(1)
        ),
    }
}

/// Summary of the contents of each register.
fn overview(args: &Args, layout: Layout, roles: &[MatrixRole], out: &mut String) {
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!(
        "{}: N {}, K {}, OPS_PER_CHAN {}, registers of {} bytes",
        args.instruction.trim(),
        layout.channels(),
        layout.k(),
        layout.ops(),
        layout.register_bytes()
    ));
    for role in roles {
        let precision = layout.precision(*role).map_or("", Precision::name);
        let unit = match layout.bits(*role) {
            1 => String::from("1 bit"),
            bits => format!("{bits} bits"),
        };
        line(String::new());
        let (rows, columns) = layout.size(*role);
        let [i, j] = role.axes();
        line(format!(
            "{}[{i}][{j}] = {}: {rows} × {columns} elements of {unit}{}{precision}",
            role.name(),
            role.operand(),
            if precision.is_empty() { "" } else { ", " },
        ));
        for eu in 0..2 {
            let own = is_own(layout, *role);
            if own && eu == 1 {
                continue;
            }
            let count = layout.registers(*role, eu);
            if count == 0 {
                line(format!("  EU{eu}  supplies nothing"));
            }
            for register in 0..count {
                let name = match own {
                    true => format!("R{register}"),
                    false => format!("EU{eu}.R{register}"),
                };
                line(format!(
                    "  {name}  {}",
                    contents(layout, *role, eu, register)
                ));
            }
        }
    }
}

/// Summary of a register: runs of elements with their byte ranges, or, for B, the
/// elements packed in a channel's dword.
fn contents(layout: Layout, role: MatrixRole, eu: u8, register: u8) -> String {
    let name = role.name();
    if role == MatrixRole::B {
        let bits = u16::from(layout.bits(role));
        let packed: Vec<String> = (0..32 / bits)
            .filter_map(|n| {
                let (low, high) = (n * bits, (n + 1) * bits - 1);
                let k = layout.element(role, eu, register, low)?.row;
                Some(format!("B[{k}][n] bits {high}:{low}"))
            })
            .collect();
        return format!("dword n: {}", packed.join(", "));
    }
    let mut runs: Vec<(Index, Index, u16, u16)> = Vec::new();
    for byte in 0..u16::from(layout.register_bytes()) {
        let first = layout.element(role, eu, register, byte * 8);
        let last = layout.element(role, eu, register, byte * 8 + 7);
        let Some((first, last)) = first.zip(last) else {
            continue;
        };
        match runs.last_mut() {
            Some((start, end, _, to)) if start.row == first.row && *to + 1 == byte => {
                (*end, *to) = (last, byte);
            }
            _ => runs.push((first, last, byte, byte)),
        }
    }
    let runs: Vec<String> = runs
        .into_iter()
        .map(|(first, last, from, to)| {
            let columns = match first.column == last.column {
                true => format!("{}", first.column),
                false => format!("{}..{}", first.column, last.column),
            };
            format!("{name}[{}][{columns}] bytes {from}–{to}", first.row)
        })
        .collect();
    runs.join(", ")
}

const COLUMNS: [&str; 8] = [
    "matrix", "row", "column", "eu", "register", "byte", "bits", "lane",
];

fn cells(row: &ElementRow) -> [String; 8] {
    [
        String::from(row.matrix),
        row.row.to_string(),
        row.column.to_string(),
        row.eu(),
        row.register.to_string(),
        row.byte.to_string(),
        row.bits(),
        row.lane(),
    ]
}

fn text(rows: &[ElementRow], out: &mut String) {
    for row in rows {
        let eu = match row.eu {
            Some(eu) => format!("EU{eu}."),
            None => String::from("each EU's "),
        };
        let lane = match row.lane {
            Some(lane) => format!(", lane {lane}"),
            None => String::new(),
        };
        let name = format!("{}[{}][{}]", row.matrix, row.row, row.column);
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            out,
            "{name:<10} {} {eu}R{}, byte {}, bits {}{lane}",
            row.operand,
            row.register,
            row.byte,
            row.bits()
        );
    }
}

fn csv(rows: &[ElementRow], out: &mut String) {
    out.push_str(&COLUMNS.join(","));
    out.push('\n');
    for row in rows {
        out.push_str(&cells(row).join(","));
        out.push('\n');
    }
}

fn markdown(rows: &[ElementRow], out: &mut String) {
    let _ = writeln!(out, "| {} |", COLUMNS.join(" | "));
    let _ = writeln!(out, "|{}", " --- |".repeat(COLUMNS.len()));
    for row in rows {
        let _ = writeln!(out, "| {} |", cells(row).join(" | "));
    }
}

#[derive(Serialize)]
struct LayoutAnswer<'a> {
    instruction: &'a str,
    channels: u8,
    k: u8,
    ops_per_chan: u8,
    register_bytes: u8,
    /// Number of Src2 registers that each EU supplies, if they share it.
    src2_supplied: Option<[u8; 2]>,
    matrices: Vec<MatrixSize>,
    elements: Vec<ElementRow>,
}

#[derive(Serialize)]
struct MatrixSize {
    matrix: &'static str,
    operand: &'static str,
    rows: u8,
    columns: u8,
    bits: u8,
    precision: Option<&'static str>,
}

impl<'a> LayoutAnswer<'a> {
    fn new(
        args: &'a Args,
        layout: Layout,
        roles: &[MatrixRole],
        elements: Vec<ElementRow>,
    ) -> Self {
        let matrix = |role: &MatrixRole| {
            let (rows, columns) = layout.size(*role);
            MatrixSize {
                matrix: role.name(),
                operand: role.operand(),
                rows,
                columns,
                bits: layout.bits(*role),
                precision: layout.precision(*role).map(Precision::name),
            }
        };
        Self {
            instruction: args.instruction.trim(),
            channels: layout.channels(),
            k: layout.k(),
            ops_per_chan: layout.ops(),
            register_bytes: layout.register_bytes(),
            src2_supplied: layout.supplied(),
            matrices: roles.iter().map(matrix).collect(),
            elements,
        }
    }
}
