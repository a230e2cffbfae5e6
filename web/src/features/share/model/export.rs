//! Export subjects and formats, and the exported texts.

use crate::features::screen::DialogKind;
use crate::features::share::delivery::download;
use crate::features::share::model::table::{
    buffer_bytes, buffer_elements, buffer_table, lanes_table, state_table,
};
use crate::features::stage::Caption;
use crate::features::state::StateInputs;
use crate::store::{Request, State};
use gloo_file::Blob;
use lanewise_answer::table::{ExportTable, csv, json, markdown};
use lanewise_core::ide;
use lanewise_core::isa::Style;
use std::rc::Rc;

/// Export subject and format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Export {
    /// Stage: picture of the current instruction.
    Picture(PictureFormat),
    Lanes(TableFormat),
    State(TableFormat),
    /// Complete run as JSON.
    Run,
    Program(Spelling),
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

/// Spelling of an exported program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As written by its author.
    AsWritten,
    /// In one syntax.
    Style(Style),
}

/// Destination of an export.
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
    /// All export subjects, each in its default format.
    pub(crate) const SUBJECTS: [Self; 5] = [
        Self::Picture(PictureFormat::Svg),
        Self::Lanes(TableFormat::Markdown),
        Self::State(TableFormat::Markdown),
        Self::Run,
        Self::Program(Spelling::AsWritten),
    ];

    /// Whether both exports have the same subject, regardless of format.
    pub(crate) fn has_subject_of(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// The export in each format it supports.
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
            Self::Run => vec![Self::Run],
            Self::Program(_) => vec![
                Self::Program(Spelling::AsWritten),
                Self::Program(Spelling::Style(Style::Document)),
                Self::Program(Spelling::Style(Style::Assembler)),
            ],
        }
    }

    pub(crate) const fn subject_label(self) -> &'static str {
        match self {
            Self::Picture(_) => "Picture of the instruction",
            Self::Lanes(_) => "Table of the lanes",
            Self::State(_) => "Table of the state",
            Self::Run => "The run",
            Self::Program(_) => "The program",
        }
    }

    pub(crate) const fn format_label(self) -> &'static str {
        match self {
            Self::Picture(PictureFormat::Svg) => "SVG",
            Self::Picture(PictureFormat::Png) => "PNG",
            Self::Lanes(format) | Self::State(format) => match format {
                TableFormat::Markdown => "Markdown",
                TableFormat::Csv => "CSV",
                TableFormat::Json => "JSON",
            },
            Self::Run => "JSON",
            Self::Program(Spelling::AsWritten) => "as written",
            Self::Program(Spelling::Style(Style::Document)) => "vISA specification syntax",
            Self::Program(Spelling::Style(Style::Assembler)) => "IGC assembler syntax",
        }
    }

    /// Suffix of file names, after the scenario's name.
    const fn file_suffix(self) -> &'static str {
        match self {
            Self::Picture(_) => "-stage",
            Self::Lanes(_) => "-lanes",
            Self::State(_) => "-state",
            Self::Run => "-run",
            Self::Program(_) => "",
        }
    }

    /// File extension.
    const fn extension(self) -> &'static str {
        match self {
            Self::Picture(PictureFormat::Svg) => "svg",
            Self::Picture(PictureFormat::Png) => "png",
            Self::Lanes(format) | Self::State(format) => match format {
                TableFormat::Markdown => "md",
                TableFormat::Csv => "csv",
                TableFormat::Json => "json",
            },
            Self::Run => "json",
            Self::Program(_) => "lanewise",
        }
    }

    /// Whether the export shows one step of the run.
    const fn is_of_a_step(self) -> bool {
        matches!(self, Self::Picture(_) | Self::Lanes(_) | Self::State(_))
    }
}

/// Export to be delivered to the clipboard or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) destination: Destination,
    pub(crate) file_name: String,
    pub(crate) content: ExportContent,
}

/// Text or stage picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExportContent {
    Text(String),
    /// The stage with its caption.
    Picture(Caption, PictureFormat),
}

impl State {
    /// Exports currently available, each in its default format.
    pub(crate) fn exports(&self) -> Vec<Export> {
        let placed = self.session.current_instruction();
        let placed = placed.and_then(|index| self.session.program().instructions.get(index));
        let has_lanes = placed.is_some_and(|placed| placed.instruction.spec().lane_queue);
        let is_available = |export: &Export| match export {
            Export::Lanes(_) => has_lanes,
            Export::Run => self.can_run(),
            Export::Picture(_) => self.stage().kind.is_exportable(),
            Export::State(_) | Export::Program(_) => true,
        };
        let all = Export::SUBJECTS.into_iter();
        all.filter(is_available).collect()
    }

    /// Selects another export if the selected one is no longer available.
    pub(crate) fn fit_export(&mut self) {
        let exports = self.exports();
        let chosen = self.share.export;
        if !exports.iter().any(|export| export.has_subject_of(chosen)) {
            let first = exports.first().copied();
            self.share.export = first.expect("the program can always be exported");
        }
    }

    /// Copies or downloads the selected export.
    pub(crate) fn export(&mut self, destination: Destination) {
        let export = self.share.export;
        let content = match export {
            Export::Picture(format) => ExportContent::Picture(self.picture_caption(), format),
            Export::Lanes(format) => ExportContent::Text(table_text(&lanes_table(self), format)),
            Export::State(format) => ExportContent::Text(table_text(&state_table(self), format)),
            Export::Run => ExportContent::Text(self.run_json()),
            Export::Program(Spelling::AsWritten) => ExportContent::Text(self.text().to_string()),
            Export::Program(Spelling::Style(style)) => ExportContent::Text(self.styled(style)),
        };
        self.deliver(destination, self.export_file_name(export), content);
    }

    /// Downloads the program's text.
    pub(crate) fn download_program(&mut self) {
        let file_name = self.export_file_name(Export::Program(Spelling::AsWritten));
        let content = ExportContent::Text(self.text().to_string());
        self.deliver(Destination::Download, file_name, content);
    }

    /// Scenario, subject and step: distinct exports never share a file name.
    fn export_file_name(&self, export: Export) -> String {
        let step = if export.is_of_a_step() {
            format!("-step-{}", self.session.position())
        } else {
            String::new()
        };
        let (scenario, suffix) = (self.file_name(), export.file_suffix());
        format!("{scenario}{suffix}{step}.{}", export.extension())
    }

    /// Caption of the picture: program, step and contents.
    fn picture_caption(&self) -> Caption {
        let summary = self.transport().summary;
        let (position, known) = (self.session.position(), self.session.known());
        let more = if self.session.is_explored() { "" } else { "+" };
        let (title, stage) = (self.heading().name(), self.stage());
        Caption {
            title: title.unwrap_or_else(|| String::from("Untitled program")),
            instruction: stage.instruction,
            step: format!("Step {position} of {known}{more}"),
            sentence: match stage.kind.caption() {
                // Some summaries end in a full stop.
                Some(more) => format!("{}. {more}", summary.trim_end_matches('.')),
                None => summary,
            },
        }
    }

    fn deliver(&mut self, destination: Destination, file_name: String, content: ExportContent) {
        // Results of the previous export do not apply.
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

    /// The program in a syntax; unreadable lines are unchanged.
    fn styled(&self, style: Style) -> String {
        ide::format(
            &self.source.document.program,
            &self.source.document.text,
            style,
        )
        .text
    }

    /// The complete run in the format of `lanewise run --json`.
    fn run_json(&self) -> String {
        lanewise_answer::run(&self.session.shared_program())
    }
}

fn table_text(table: &ExportTable, format: TableFormat) -> String {
    match format {
        TableFormat::Markdown => markdown(table),
        TableFormat::Csv => csv(table),
        TableFormat::Json => json(table),
    }
}

/// File format of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BufferFormat {
    Csv,
    /// Array of the elements.
    Json,
    /// The bytes.
    Raw,
}

/// Downloads a buffer of the launch as it is now.
pub(crate) fn download_buffer(inputs: &StateInputs<'_>, index: usize, format: BufferFormat) {
    let buffer = &inputs.buffers()[index];
    let (file, extension) = match format {
        BufferFormat::Csv => {
            let columns = inputs.state_view.row_lengths.get(&*buffer.name).copied();
            let table = buffer_table(inputs, index, columns.unwrap_or(1));
            (Blob::new(csv(&table).as_str()), "csv")
        }
        BufferFormat::Json => {
            let elements = serde_json::to_string(&buffer_elements(inputs, index));
            let elements = elements.expect("text and numbers can be serialized");
            (Blob::new(elements.as_str()), "json")
        }
        BufferFormat::Raw => (Blob::new(&*buffer_bytes(inputs, index)), "bin"),
    };
    download(&format!("{}.{extension}", buffer.name), file);
}
