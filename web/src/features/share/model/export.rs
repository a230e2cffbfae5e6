//! What can be exported, as what, and the texts of it.

use crate::features::explain::Explained;
use crate::features::screen::DialogKind;
use crate::features::share::model::table::{
    ExportTable, csv, json, lanes_table, markdown, operations_table, state_table, steps_table,
};
use crate::features::stage::{Caption, as_tools_write};
use crate::features::transport::TransportModel;
use crate::store::{Request, State};
use lanewise_core::ide;
use lanewise_core::isa::{Family, Spec, Style};
use std::fmt::Write;
use std::rc::Rc;

/// What can be exported, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Export {
    /// The stage: the picture of the current instruction.
    Picture(PictureFormat),
    Lanes(TableFormat),
    State(TableFormat),
    Steps(TableFormat),
    Operations(TableFormat),
    /// The run from start to end, as JSON.
    Run,
    Program(Spelling),
    /// The bytes of the instructions.
    Encoding(ArrayLanguage),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureFormat {
    Svg,
    Png,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableFormat {
    Markdown,
    Csv,
    Json,
}

/// How a program is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As its author wrote it.
    AsWritten,
    /// In one syntax.
    Style(Style),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayLanguage {
    C,
    Rust,
}

/// Where an export goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Clipboard,
    Download,
}

impl Default for Export {
    fn default() -> Self {
        Self::SUBJECTS[0]
    }
}

impl Export {
    /// Everything that can be exported, each in the first of its formats.
    pub(crate) const SUBJECTS: [Self; 8] = [
        Self::Picture(PictureFormat::Svg),
        Self::Lanes(TableFormat::Markdown),
        Self::State(TableFormat::Markdown),
        Self::Steps(TableFormat::Markdown),
        Self::Operations(TableFormat::Markdown),
        Self::Run,
        Self::Program(Spelling::AsWritten),
        Self::Encoding(ArrayLanguage::C),
    ];

    /// Whether both are of the same thing, in whichever formats.
    pub(crate) fn has_subject_of(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// The same in every format that it can have.
    pub(crate) fn formats(self) -> Vec<Self> {
        let tables = |table: fn(TableFormat) -> Self| {
            [TableFormat::Markdown, TableFormat::Csv, TableFormat::Json]
                .map(table)
                .to_vec()
        };
        match self {
            Self::Picture(_) => [PictureFormat::Svg, PictureFormat::Png]
                .map(Self::Picture)
                .to_vec(),
            Self::Lanes(_) => tables(Self::Lanes),
            Self::State(_) => tables(Self::State),
            Self::Steps(_) => tables(Self::Steps),
            Self::Operations(_) => tables(Self::Operations),
            Self::Run => vec![Self::Run],
            Self::Program(_) => vec![
                Self::Program(Spelling::AsWritten),
                Self::Program(Spelling::Style(Style::Document)),
                Self::Program(Spelling::Style(Style::Assembler)),
            ],
            Self::Encoding(_) => [ArrayLanguage::C, ArrayLanguage::Rust]
                .map(Self::Encoding)
                .to_vec(),
        }
    }

    pub(crate) const fn subject_label(self) -> &'static str {
        match self {
            Self::Picture(_) => "Picture of the instruction",
            Self::Lanes(_) => "Table of the lanes",
            Self::State(_) => "Table of the state",
            Self::Steps(_) => "Table of the steps",
            Self::Operations(_) => "Table of the operations",
            Self::Run => "The run",
            Self::Program(_) => "The program",
            Self::Encoding(_) => "The encoding",
        }
    }

    pub(crate) const fn format_label(self) -> &'static str {
        match self {
            Self::Picture(PictureFormat::Svg) => "SVG",
            Self::Picture(PictureFormat::Png) => "PNG",
            Self::Lanes(format)
            | Self::State(format)
            | Self::Steps(format)
            | Self::Operations(format) => match format {
                TableFormat::Markdown => "Markdown",
                TableFormat::Csv => "CSV",
                TableFormat::Json => "JSON",
            },
            Self::Run => "JSON",
            Self::Program(Spelling::AsWritten) => "as written",
            Self::Program(Spelling::Style(Style::Document)) => "vISA specification syntax",
            Self::Program(Spelling::Style(Style::Assembler)) => "IGC assembler syntax",
            Self::Encoding(ArrayLanguage::C) => "C array",
            Self::Encoding(ArrayLanguage::Rust) => "Rust array",
        }
    }

    /// What its files have in their names after the scenario's.
    const fn file_suffix(self) -> &'static str {
        match self {
            Self::Picture(_) => "-stage",
            Self::Lanes(_) => "-lanes",
            Self::State(_) => "-state",
            Self::Steps(_) => "-steps",
            Self::Operations(_) => "-operations",
            Self::Run => "-run",
            Self::Program(_) => "",
            Self::Encoding(_) => "-encoding",
        }
    }

    /// The extension of its files.
    const fn extension(self) -> &'static str {
        match self {
            Self::Picture(PictureFormat::Svg) => "svg",
            Self::Picture(PictureFormat::Png) => "png",
            Self::Lanes(format)
            | Self::State(format)
            | Self::Steps(format)
            | Self::Operations(format) => match format {
                TableFormat::Markdown => "md",
                TableFormat::Csv => "csv",
                TableFormat::Json => "json",
            },
            Self::Run => "json",
            Self::Program(_) => "lanewise",
            Self::Encoding(ArrayLanguage::C) => "h",
            Self::Encoding(ArrayLanguage::Rust) => "rs",
        }
    }

    /// Whether it shows one step of the run.
    const fn is_of_a_step(self) -> bool {
        matches!(self, Self::Picture(_) | Self::Lanes(_) | Self::State(_))
    }
}

/// An export on its way to the clipboard or into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) destination: Destination,
    pub(crate) file_name: String,
    pub(crate) content: ExportContent,
}

/// A text, or the stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExportContent {
    Text(String),
    /// The stage with its caption.
    Picture(Caption, PictureFormat),
}

impl State {
    /// What can be exported now, each in the first of its formats.
    pub(crate) fn exports(&self) -> Vec<Export> {
        let placed = self.session.current_instruction();
        let placed = placed.and_then(|index| self.session.program().instructions.get(index));
        let is_matrix = placed.is_some_and(|placed| placed.instruction.matrix().is_some());
        let is_available = |export: &Export| match export {
            Export::Lanes(_) => !is_matrix,
            Export::Steps(_) | Export::Run => self.can_run(),
            Export::Picture(_) | Export::Encoding(_) => placed.is_some(),
            Export::Operations(_) => {
                Explained::of(&self.session).is_some_and(|it| has_operations(it.spec))
            }
            Export::State(_) | Export::Program(_) => true,
        };
        let all = Export::SUBJECTS.into_iter();
        all.filter(is_available).collect()
    }

    /// Chooses another export where the chosen one is not available any more.
    pub(crate) fn fit_export(&mut self) {
        let exports = self.exports();
        let chosen = self.share.export;
        if !exports.iter().any(|export| export.has_subject_of(chosen)) {
            let first = exports.first().copied();
            self.share.export = first.expect("the program can be exported always");
        }
    }

    /// Copies or downloads what was chosen.
    pub(crate) fn export(&mut self, destination: Destination) {
        let export = self.share.export;
        let content = match export {
            Export::Picture(format) => ExportContent::Picture(self.picture_caption(), format),
            Export::Lanes(format) => ExportContent::Text(table_text(&lanes_table(self), format)),
            Export::State(format) => ExportContent::Text(table_text(&state_table(self), format)),
            Export::Steps(format) => ExportContent::Text(table_text(&steps_table(self), format)),
            Export::Operations(format) => {
                let explained = Explained::of(&self.session);
                let explained = explained.expect("offered where an instruction is explained");
                ExportContent::Text(table_text(&operations_table(explained.spec), format))
            }
            Export::Run => ExportContent::Text(self.run_json()),
            Export::Program(Spelling::AsWritten) => ExportContent::Text(self.text().to_string()),
            Export::Program(Spelling::Style(style)) => ExportContent::Text(self.styled(style)),
            Export::Encoding(ArrayLanguage::C) => ExportContent::Text(self.bytes_c()),
            Export::Encoding(ArrayLanguage::Rust) => ExportContent::Text(self.bytes_rust()),
        };
        self.deliver(destination, self.export_file_name(export), content);
    }

    /// Downloads the program's text.
    pub(crate) fn download_program(&mut self) {
        let file_name = self.export_file_name(Export::Program(Spelling::AsWritten));
        let content = ExportContent::Text(self.text().to_string());
        self.deliver(Destination::Download, file_name, content);
    }

    /// The scenario, what of it, and at which step: no two exports that differ
    /// take each other's place among the downloads.
    fn export_file_name(&self, export: Export) -> String {
        let step = if export.is_of_a_step() {
            format!("-step-{}", self.session.position())
        } else {
            String::new()
        };
        let (scenario, suffix) = (self.file_name(), export.file_suffix());
        format!("{scenario}{suffix}{step}.{}", export.extension())
    }

    /// Which step of which program the picture shows, and what is in it.
    fn picture_caption(&self) -> Caption {
        let TransportModel {
            position,
            known,
            explored,
            summary,
            ..
        } = self.transport();
        let more = if explored { "" } else { "+" };
        let title = self.heading().name();
        Caption {
            title: title.unwrap_or_else(|| String::from("A program without a title")),
            instruction: self.instruction_text(),
            step: format!("Step {position} of {known}{more}"),
            sentence: match self.matrix() {
                // Some summaries are sentences with a full stop.
                Some(model) => {
                    let summary = summary.trim_end_matches('.');
                    format!("{summary}. Src2 supply: {}", model.summary())
                }
                None => summary,
            },
        }
    }

    fn deliver(&mut self, destination: Destination, file_name: String, content: ExportContent) {
        // What was said of the last one is not of this one.
        if self.screen.dialog == Some(DialogKind::Share) {
            self.share.export_status = None;
        } else {
            self.dismiss_notice();
        }
        let delivery = Rc::new(Delivery {
            destination,
            file_name,
            content,
        });
        Request::ask(&mut self.share.delivery, delivery);
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
        let instructions = program.instructions.iter();
        // Not the lines of the text: while that has errors they are of another
        // program.
        instructions
            .map(|placed| {
                let text = as_tools_write(&placed.instruction, program);
                (text, placed.instruction.encode().bytes().to_vec())
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

fn table_text(table: &ExportTable, format: TableFormat) -> String {
    match format {
        TableFormat::Markdown => markdown(table),
        TableFormat::Csv => csv(table),
        TableFormat::Json => json(table),
    }
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
