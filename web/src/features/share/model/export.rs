//! What can be exported, as what, and the texts of it.

use crate::features::share::model::table::{
    Table, csv, json, lanes_table, markdown, operations_table, state_table,
};
use crate::store::State;
use lanewise_core::ide;
use lanewise_core::isa::{Family, Spec, Style};
use std::fmt::Write;
use std::rc::Rc;

/// What can be exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum What {
    /// The picture of the instruction at hand: its lanes, or the Src2 supply.
    #[default]
    Picture,
    LanesTable,
    StateTable,
    Operations,
    Run,
    Program,
    Bytes,
}

/// As what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum As {
    #[default]
    Svg,
    Png,
    Markdown,
    Csv,
    Json,
    Text,
    Document,
    Assembler,
    C,
    Rust,
}

/// Where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Out {
    Copy,
    Download,
}

impl What {
    pub(crate) const ALL: [Self; 7] = [
        Self::Picture,
        Self::LanesTable,
        Self::StateTable,
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
            Self::Operations => "Table of the operations",
            Self::Run => "The run",
            Self::Program => "The program",
            Self::Bytes => "The encoding",
        }
    }

    /// As what it can be had.
    pub(crate) const fn forms(self) -> &'static [As] {
        match self {
            Self::Picture => &[As::Svg, As::Png],
            Self::LanesTable | Self::StateTable | Self::Operations => {
                &[As::Markdown, As::Csv, As::Json]
            }
            Self::Run => &[As::Json],
            Self::Program => &[As::Text, As::Document, As::Assembler],
            Self::Bytes => &[As::C, As::Rust],
        }
    }
}

impl As {
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

    pub(crate) const fn ending(self) -> &'static str {
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

/// Something to hand out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Handed {
    pub(crate) serial: u32,
    pub(crate) out: Out,
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) content: Content,
}

/// What is handed out: a text, or the stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Text(String),
    /// The stage as SVG or PNG, with what it shows in words.
    Stage(String, As),
}

impl State {
    /// What can be exported of what is there.
    pub(crate) fn exports(&self) -> Vec<What> {
        let is_matrix = self.matrix().is_some();
        let is_there = |what: &What| match what {
            What::LanesTable => !is_matrix,
            What::Run => self.can_run(),
            What::Picture | What::Bytes => self.session.current_instruction().is_some(),
            What::Operations => self.explained().is_some_and(|it| has_operations(it.spec)),
            _ => true,
        };
        What::ALL.into_iter().filter(is_there).collect()
    }

    /// What was chosen may be there no longer.
    pub(crate) fn fit_export(&mut self) {
        let exports = self.exports();
        if !exports.contains(&self.share.what) {
            self.share.what = exports.first().copied().unwrap_or_default();
            self.share.form = self.share.what.forms()[0];
        }
    }

    pub(crate) fn export(&mut self, out: Out) {
        let (what, form) = (self.share.what, self.share.form);
        let name = format!("{}.{}", self.file_name(), form.ending());
        let content = match (what, form) {
            (What::Picture, _) => Content::Stage(self.picture_title(), form),
            (What::LanesTable, _) => written(&lanes_table(self), form),
            (What::StateTable, _) => written(&state_table(self), form),
            (What::Operations, _) => {
                let explained = self.explained();
                let table = explained.map(|it| operations_table(it.spec));
                written(&table.unwrap_or_default(), form)
            }
            (What::Run, _) => Content::Text(self.run_json()),
            (What::Program, As::Document) => Content::Text(self.styled(Style::Document)),
            (What::Program, As::Assembler) => Content::Text(self.styled(Style::Assembler)),
            (What::Program, _) => Content::Text(self.source.document.text.to_string()),
            (What::Bytes, As::Rust) => Content::Text(self.bytes_rust()),
            (What::Bytes, _) => Content::Text(self.bytes_c()),
        };
        self.hand(out, name, content);
    }

    pub(crate) fn hand_out(&mut self, out: Out, name: String, text: String) {
        self.hand(out, name, Content::Text(text));
    }

    /// What the picture shows, in words.
    fn picture_title(&self) -> String {
        match self.matrix() {
            Some(model) => format!("Src2 supply: {}", model.summary()),
            None => self.session.summary(),
        }
    }

    fn hand(&mut self, out: Out, name: String, content: Content) {
        let serial = self.next_serial();
        self.share.handed = Some(Rc::new(Handed {
            serial,
            out,
            name,
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

fn written(table: &Table, form: As) -> Content {
    Content::Text(match form {
        As::Markdown => markdown(table),
        As::Json => json(table),
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
