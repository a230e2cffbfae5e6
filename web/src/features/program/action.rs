use super::Draft;
use lanewise_core::isa::Style;
use lanewise_core::library::Bundled;

/// What a reader can do with the program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ProgramAction {
    /// The text was edited to this.
    Edit(String),
    /// A bundled scenario was picked.
    Choose(&'static Bundled),
    /// The example of an explanation was opened: its title and its text.
    OpenExample(String, String),
    /// Back to the scenario's own text, or to the one that was opened.
    ResetText,
    /// Back to the last draft of this scenario, or else to the last of all.
    RestoreEdits,
    /// Back to a draft, by its place in the list of them.
    RestoreDraft(usize),
    /// Another window saved its program: this text.
    OtherWindow(String),
    /// Keep a program that another window saved.
    KeepForeign(Draft),
    /// Keep drafts that another window saved.
    AddDrafts(Vec<Draft>),
    /// Apply the fix of a problem, by its index.
    Fix(usize),
    /// Put the cursor on a problem.
    GoTo(usize),
    /// Rewrite the program in one spelling; where the caret is, in UTF-16
    /// units, if that is known.
    Format(Style, Option<u32>),
    /// Go to the instruction on a line, from 0, and show its encoding.
    ShowEncoding(u32),
    /// Start an empty program from an instruction's example, by its index in
    /// `lanewise_core::isa::SPECS`.
    Template(usize),
}
