//! What can be exported, as what, and the texts of it.

use crate::features::share::model::table::{
    ExportTable, csv, json, lanes_table, markdown, operations_table, state_table, steps_table,
};
use crate::store::State;
use lanewise_core::ide;
use lanewise_core::isa::{Family, Spec, Style};
use std::fmt::Write;
use std::rc::Rc;

/// What can be exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ExportSubject {
    /// The stage: the picture of the current instruction.
    #[default]
    Picture,
    LanesTable,
    StateTable,
    StepsTable,
    Operations,
    Run,
    Program,
    Bytes,
}

/// The file formats of exports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ExportFormat {
    #[default]
    Svg,
    Png,
    Markdown,
    Csv,
    Json,
    /// The program's text as it is.
    Text,
    /// The program's text in the syntax of the vISA specification.
    Document,
    /// The program's text in the syntax of IGC's assembler.
    Assembler,
    C,
    Rust,
}

/// Where an export goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Clipboard,
    Download,
}

impl ExportSubject {
    pub(crate) const ALL: [Self; 8] = [
        Self::Picture,
        Self::LanesTable,
        Self::StateTable,
        Self::StepsTable,
        Self::Operations,
        Self::Run,
        Self::Program,
        Self::Bytes,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Picture => "Picture of the instruction",
            Self::LanesTable => "Table of the lanes",
            Self::StateTable => "Table of the state",
            Self::StepsTable => "Table of the steps",
            Self::Operations => "Table of the operations",
            Self::Run => "The run",
            Self::Program => "The program",
            Self::Bytes => "The encoding",
        }
    }

    /// What its files have in their name after the scenario's.
    const fn file_suffix(self) -> &'static str {
        match self {
            Self::Picture => "-stage",
            Self::LanesTable => "-lanes",
            Self::StateTable => "-state",
            Self::StepsTable => "-steps",
            Self::Operations => "-operations",
            Self::Run => "-run",
            Self::Program => "",
            Self::Bytes => "-encoding",
        }
    }

    /// Whether it shows one step of the run.
    const fn is_of_a_step(self) -> bool {
        matches!(self, Self::Picture | Self::LanesTable | Self::StateTable)
    }

    /// The formats that it can have.
    pub(crate) const fn formats(self) -> &'static [ExportFormat] {
        use ExportFormat::{Assembler, C, Csv, Document, Json, Markdown, Png, Rust, Svg, Text};
        match self {
            Self::Picture => &[Svg, Png],
            Self::LanesTable | Self::StateTable | Self::StepsTable | Self::Operations => {
                &[Markdown, Csv, Json]
            }
            Self::Run => &[Json],
            Self::Program => &[Text, Document, Assembler],
            Self::Bytes => &[C, Rust],
        }
    }
}

impl ExportFormat {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Svg => "SVG",
            Self::Png => "PNG",
            Self::Markdown => "Markdown",
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Text => "as written",
            Self::Document => "vISA specification syntax",
            Self::Assembler => "IGC assembler syntax",
            Self::C => "C array",
            Self::Rust => "Rust array",
        }
    }

    /// The extension of its files.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Markdown => "md",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Text | Self::Document | Self::Assembler => "lanewise",
            Self::C => "h",
            Self::Rust => "rs",
        }
    }
}

/// An export on its way to the clipboard or into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delivery {
    /// Tells two exports of the same content apart.
    pub(crate) serial: u32,
    pub(crate) destination: Destination,
    pub(crate) file_name: String,
    pub(crate) content: ExportContent,
}

/// A text, or the stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExportContent {
    Text(String),
    /// The stage as SVG or PNG, with what it shows in words.
    Stage(String, ExportFormat),
}

impl State {
    /// What can be exported now.
    pub(crate) fn exports(&self) -> Vec<ExportSubject> {
        let is_matrix = self.matrix().is_some();
        let is_available = |subject: &ExportSubject| match subject {
            ExportSubject::LanesTable => !is_matrix,
            ExportSubject::StepsTable | ExportSubject::Run => self.can_run(),
            ExportSubject::Picture | ExportSubject::Bytes => {
                self.session.current_instruction().is_some()
            }
            ExportSubject::Operations => self.explained().is_some_and(|it| has_operations(it.spec)),
            ExportSubject::StateTable | ExportSubject::Program => true,
        };
        let all = ExportSubject::ALL.into_iter();
        all.filter(is_available).collect()
    }

    /// Chooses another export where the chosen one is not available any more.
    pub(crate) fn fit_export(&mut self) {
        let exports = self.exports();
        if !exports.contains(&self.share.subject) {
            let first = exports.first().copied();
            self.choose_export(first.expect("the program can be exported always"));
        }
    }

    pub(super) fn choose_export(&mut self, subject: ExportSubject) {
        self.share.subject = subject;
        self.share.format = subject.formats()[0];
    }

    pub(crate) fn export(&mut self, destination: Destination) {
        let (subject, format) = (self.share.subject, self.share.format);
        let file_name = self.export_file_name(subject, format);
        let content = match subject {
            ExportSubject::Picture => ExportContent::Stage(self.picture_title(), format),
            ExportSubject::LanesTable => table_text(&lanes_table(self), format),
            ExportSubject::StateTable => table_text(&state_table(self), format),
            ExportSubject::StepsTable => table_text(&steps_table(self), format),
            ExportSubject::Operations => {
                let explained = self.explained();
                let explained = explained.expect("offered where an instruction is explained");
                table_text(&operations_table(explained.spec), format)
            }
            ExportSubject::Run => ExportContent::Text(self.run_json()),
            ExportSubject::Program => ExportContent::Text(match format {
                ExportFormat::Document => self.styled(Style::Document),
                ExportFormat::Assembler => self.styled(Style::Assembler),
                _ => self.source.document.text.to_string(),
            }),
            ExportSubject::Bytes => ExportContent::Text(match format {
                ExportFormat::Rust => self.bytes_rust(),
                _ => self.bytes_c(),
            }),
        };
        self.deliver(destination, file_name, content);
    }

    /// The scenario, what of it, and at which step: no two exports that differ
    /// take each other's place among the downloads.
    fn export_file_name(&self, subject: ExportSubject, format: ExportFormat) -> String {
        let step = match subject.is_of_a_step() {
            true => format!("-step-{}", self.session.position()),
            false => String::new(),
        };
        let (scenario, suffix) = (self.file_name(), subject.file_suffix());
        format!("{scenario}{suffix}{step}.{}", format.extension())
    }

    pub(super) fn copy_text(&mut self, text: String) {
        self.deliver(
            Destination::Clipboard,
            String::new(),
            ExportContent::Text(text),
        );
    }

    /// Downloads the program's text.
    pub(super) fn download_program(&mut self) {
        let file_name = self.export_file_name(ExportSubject::Program, ExportFormat::Text);
        let text = self.source.document.text.to_string();
        self.deliver(Destination::Download, file_name, ExportContent::Text(text));
    }

    /// What the picture shows, in words.
    fn picture_title(&self) -> String {
        match self.matrix() {
            Some(model) => format!("Src2 supply: {}", model.summary()),
            None => self.session.summary(),
        }
    }

    fn deliver(&mut self, destination: Destination, file_name: String, content: ExportContent) {
        let serial = self.next_serial();
        self.share.delivery = Some(Rc::new(Delivery {
            serial,
            destination,
            file_name,
            content,
        }));
    }

    /// The program in a style; lines that cannot be read stay as they are.
    fn styled(&self, style: Style) -> String {
        ide::format(
            &self.source.document.program,
            &self.source.document.text,
            style,
        )
        .text
    }

    /// The run from start to end, as `lanewise run --json` answers.
    fn run_json(&self) -> String {
        lanewise_answer::run(&self.session.shared_program())
    }

    /// Every instruction that there is: its text for a comment, and its bytes.
    fn encoded(&self) -> Vec<(String, Vec<u8>)> {
        let program = self.session.program();
        let lines: Vec<&str> = self.source.document.text.lines().collect();
        let instructions = program.instructions.iter();
        instructions
            .map(|placed| {
                let line = lines
                    .get(placed.line as usize)
                    .map_or("", |line| line.trim());
                // A comment of the line would end the one it stands in.
                let line = line.split("/*").next().unwrap_or("").replace("*/", "");
                let bytes = placed.instruction.encode().bytes().to_vec();
                (line.trim_end_matches('\\').to_owned(), bytes)
            })
            .collect()
    }

    fn bytes_c(&self) -> String {
        let mut out = String::from("#include <stdint.h>\n");
        for (number, (line, bytes)) in self.encoded().iter().enumerate() {
            let _ = match self.family() {
                Family::Visa => writeln!(
                    out,
                    "\n// {line}\nstatic const uint8_t instruction_{number}[{}] = {{\n{}}};",
                    bytes.len(),
                    rows(bytes)
                ),
                Family::Sass => writeln!(
                    out,
                    "\n// {line}\nstatic const uint64_t instruction_{number} = {};",
                    word(bytes, "ull")
                ),
            };
        }
        out
    }

    fn bytes_rust(&self) -> String {
        let mut out = String::new();
        for (number, (line, bytes)) in self.encoded().iter().enumerate() {
            let gap = if number > 0 { "\n" } else { "" };
            let _ = match self.family() {
                Family::Visa => writeln!(
                    out,
                    "{gap}// {line}\nconst INSTRUCTION_{number}: [u8; {}] = [\n{}];",
                    bytes.len(),
                    rows(bytes)
                ),
                Family::Sass => writeln!(
                    out,
                    "{gap}// {line}\nconst INSTRUCTION_{number}: u64 = {};",
                    word(bytes, "")
                ),
            };
        }
        out
    }
}

fn has_operations(spec: &Spec) -> bool {
    !(spec.operations)().is_empty()
}

fn table_text(table: &ExportTable, format: ExportFormat) -> ExportContent {
    ExportContent::Text(match format {
        ExportFormat::Markdown => markdown(table),
        ExportFormat::Json => json(table),
        _ => csv(table),
    })
}

/// Bytes, twelve a line.
fn rows(bytes: &[u8]) -> String {
    let mut out = String::new();
    for row in bytes.chunks(12) {
        let row: Vec<String> = row.iter().map(|byte| format!("{byte:#04x}")).collect();
        out.push_str("    ");
        out.push_str(&row.join(", "));
        out.push_str(",\n");
    }
    out
}

/// The first byte last.
fn word(bytes: &[u8], ending: &str) -> String {
    let digits: String = bytes.iter().rev().map(|b| format!("{b:02x}")).collect();
    format!("0x{digits}{ending}")
}
