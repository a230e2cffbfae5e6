//! Export subjects and formats, and the exported texts.

use crate::features::program::program_name;
use crate::features::screen::DialogKind;
use crate::features::share::delivery::download;
use crate::features::stage::Caption;
use crate::store::{Request, State};
use gloo_file::Blob;
use lanewise_answer::choices;
use lanewise_answer::grids::Grids;
use lanewise_answer::lanes::LanesTable;
use lanewise_answer::table::{ExportTable, csv, json, markdown};
use lanewise_core::isa::Style;
use std::rc::Rc;

choices! {
    pub(crate) Subject {
        /// Stage: picture of the current instruction.
        Picture "stage" "Picture of the instruction",
        Lanes "lanes" "Table of the lanes",
        State "state" "Table of the state",
        /// Complete run.
        Run "run" "The run",
        Program "program" "The program",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Svg,
    Png,
    Markdown,
    Csv,
    Json,
    /// The program as written by its author.
    AsWritten,
    /// The program in one syntax.
    Style(Style),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Clipboard,
    Download,
}

impl Subject {
    /// Formats of the subject; the first is the default.
    pub(crate) const fn formats(self) -> &'static [Format] {
        match self {
            Self::Picture => &[Format::Svg, Format::Png],
            Self::Lanes | Self::State => &[Format::Markdown, Format::Csv, Format::Json],
            Self::Run => &[Format::Json],
            Self::Program => &[
                Format::AsWritten,
                Format::Style(Style::Document),
                Format::Style(Style::Assembler),
            ],
        }
    }
}

impl Format {
    /// Label, and extension of the file.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Svg => ("SVG", "svg"),
            Self::Png => ("PNG", "png"),
            Self::Markdown => ("Markdown", "md"),
            Self::Csv => ("CSV", "csv"),
            Self::Json => ("JSON", "json"),
            Self::AsWritten => ("as written", "lanewise"),
            Self::Style(Style::Document) => ("vISA specification syntax", "lanewise"),
            Self::Style(Style::Assembler) => ("IGC assembler syntax", "lanewise"),
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        self.names().0
    }
}

/// Export subject and format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Export {
    pub(crate) subject: Subject,
    pub(crate) format: Format,
}

impl Export {
    /// A subject in its default format.
    pub(crate) const fn of(subject: Subject) -> Self {
        let format = subject.formats()[0];
        Self { subject, format }
    }
}

impl Default for Export {
    fn default() -> Self {
        Self::of(Subject::Picture)
    }
}

/// Export to be delivered to the clipboard or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) destination: Destination,
    pub(crate) file_name: String,
    pub(crate) content: ExportContent,
}

/// Text, or picture of the stage with a caption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExportContent {
    Text(String),
    Svg(Caption),
    Png(Caption),
}

impl State {
    /// Subjects currently available.
    pub(crate) fn exports(&self) -> Vec<Subject> {
        let placed = self.session.current_instruction();
        let placed = placed.and_then(|index| self.session.program().instructions.get(index));
        let has_lanes = placed.is_some_and(|placed| placed.instruction.spec().lane_queue);
        let is_available = |subject: &Subject| match subject {
            Subject::Lanes => has_lanes,
            Subject::Run => self.can_run(),
            Subject::Picture => self.stage().kind.is_exportable(),
            Subject::State | Subject::Program => true,
        };
        let all = Subject::ALL.into_iter();
        all.filter(is_available).collect()
    }

    /// Selects another export if the selected one is no longer available.
    pub(crate) fn fit_export(&mut self) {
        let exports = self.exports();
        if !exports.contains(&self.share.export.subject) {
            let first = exports.first();
            self.share.export = Export::of(*first.expect("the program can always be exported"));
        }
    }

    /// Copies or downloads the selected export.
    pub(crate) fn export(&mut self, destination: Destination) {
        let export = self.share.export;
        let content = match (export.subject, export.format) {
            (Subject::Picture, Format::Svg) => ExportContent::Svg(self.picture_caption()),
            (Subject::Picture, _) => ExportContent::Png(self.picture_caption()),
            (Subject::Lanes, format) => {
                let table = LanesTable::of(&self.session).export();
                ExportContent::Text(table_text(&table, format))
            }
            (Subject::State, format) => {
                ExportContent::Text(table_text(&self.grids().table(), format))
            }
            // As in `lanewise run --json`.
            (Subject::Run, _) => {
                ExportContent::Text(lanewise_answer::run(&self.session.shared_program()))
            }
            (Subject::Program, Format::Style(style)) => {
                ExportContent::Text(self.source.document.format(style).text)
            }
            (Subject::Program, _) => ExportContent::Text(self.text().to_string()),
        };
        self.deliver(destination, self.export_file_name(export), content);
    }

    /// Downloads the program's text.
    pub(crate) fn download_program(&mut self) {
        let file_name = self.export_file_name(Export::of(Subject::Program));
        let content = ExportContent::Text(self.text().to_string());
        self.deliver(Destination::Download, file_name, content);
    }

    /// Scenario, subject and step: distinct exports never share a file name.
    fn export_file_name(&self, export: Export) -> String {
        let step = self.session.position();
        let suffix = match export.subject {
            Subject::Run => String::from("-run"),
            Subject::Program => String::new(),
            subject => format!("-{}-step-{step}", subject.key()),
        };
        format!("{}{suffix}.{}", self.file_name(), export.format.names().1)
    }

    /// Caption of the picture: program, step and contents.
    fn picture_caption(&self) -> Caption {
        let summary = self.transport().summary;
        let (position, known) = (self.session.position(), self.session.known());
        let more = if self.session.is_explored() { "" } else { "+" };
        let (title, stage) = (program_name(&self.source), self.stage());
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
}

fn table_text(table: &ExportTable, format: Format) -> String {
    match format {
        Format::Csv => csv(table),
        Format::Json => json(table),
        _ => markdown(table),
    }
}

choices! {
    /// The stable name is the extension.
    pub(crate) BufferFormat {
        Csv "csv" "CSV",
        /// Array of the elements.
        Json "json" "JSON",
        Raw "bin" "Raw",
    }
}

/// Downloads a buffer of the launch as it is now.
pub(crate) fn download_buffer(grids: Grids<'_>, index: usize, format: BufferFormat) {
    let buffer = &grids.buffers()[index];
    let file = match format {
        BufferFormat::Csv => Blob::new(csv(&grids.buffer_table(index)).as_str()),
        BufferFormat::Json => {
            let elements = match grids.fields_table(index) {
                Some(table) => json(&table),
                None => serde_json::to_string(&grids.buffer_elements(index))
                    .expect("text and numbers can be serialized"),
            };
            Blob::new(elements.as_str())
        }
        BufferFormat::Raw => Blob::new(&*grids.buffer_bytes(index)),
    };
    download(&format!("{}.{}", buffer.name, format.key()), file);
}
