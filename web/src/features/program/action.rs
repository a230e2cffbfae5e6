use super::Draft;
use lanewise_core::isa::Style;
use lanewise_core::library::Bundled;
use lanewise_core::text::SyntaxPart;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ProgramAction {
    /// Replaces the edited text.
    Edit(String),
    /// Starts an empty program.
    New,
    /// Opens a bundled scenario.
    Choose(&'static Bundled),
    /// Opens an example of an explanation: title and text.
    OpenExample(String, String),
    /// Restores the original text of the scenario, link or file.
    ResetText,
    /// Restores the latest draft of this scenario, or else the latest draft.
    RestoreEdits,
    /// Restores a draft by index.
    RestoreDraft(usize),
    /// Another window saved this program.
    OtherWindow(String),
    /// Keeps a program saved by another window.
    KeepForeign(Draft),
    /// Adds drafts saved by another window.
    AddDrafts(Vec<Draft>),
    /// Applies the quick fix of a problem, by index.
    Fix(usize),
    /// Applies all quick fixes.
    FixAll,
    /// Moves the cursor to a problem.
    GoTo(usize),
    /// Moves the cursor to an instruction, by index.
    GoToInstruction(u32),
    /// Rewrites the program in one syntax. The caret is in UTF-16 code units,
    /// if known.
    Format(Style, Option<u32>),
    /// Runs up to the instruction at the caret, in UTF-16 code units,
    /// or the next one after it.
    RunToCursor(u32),
    /// Sets a component of the region of an operand of the current instruction.
    Region {
        operand: SyntaxPart,
        /// Index of the component: in `<v;w,h>`, 2 is h.
        component: usize,
        value: u32,
    },
    /// Seeks to the instruction on a line, from 0, and shows its encoding.
    ShowEncoding(u32),
    /// Fills an empty program with a scenario.
    Template(&'static str),
}
