//! What a reader can do.

use super::encoding::EncodingAction;
use super::inspect::InspectAction;
use super::memory::MemoryFormat;
use super::settings::{RegisterFormat, Speed, Stride, Tab};
use super::share::ShareAction;
use crate::features::embed::EmbedAction;
use crate::features::files::FilesAction;
use crate::features::highlight::Highlight;
use crate::features::outcomes::OutcomesAction;
use crate::features::picker::PickerAction;
use crate::features::program::{BreakpointAction, EditorAction};
use crate::features::screen::ScreenAction;
use crate::features::stage::matrix::MatrixAction;
use lanewise_core::isa::Style;
use std::rc::Rc;

/// What a reader can do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// The text was edited to this.
    Edit(String),
    /// A bundled scenario was picked, by its id.
    Choose(String),
    /// Back to the text of the bundled scenario.
    ResetText,
    /// Back to a text that was put aside, by its place in the list of them.
    BringBack(usize),
    /// Another window saved its program.
    OtherWindow,
    /// Keep a program that another window saved.
    KeepForeign(Rc<str>),
    /// Follow the edit of a problem, by its index.
    Fix(usize),
    /// Put the cursor on a problem.
    GoTo(usize),
    /// One step on.
    Step,
    /// One step back.
    StepBack,
    /// To the start.
    ToStart,
    /// To the end.
    ToEnd,
    /// To a position of the timeline.
    Seek(usize),
    /// A fresh run, and the panes as at first.
    Reset,
    /// Start or stop stepping by itself.
    ToggleRun,
    /// The time for the next step by itself has come.
    Tick,
    /// How fast to step by itself.
    Speed(Speed),
    /// Open a state tab.
    Tab(Tab),
    /// How to show registers.
    RegisterFormat(RegisterFormat),
    /// How far a step goes.
    Stride(Stride),
    /// To the start of the next instruction, or of the one before.
    Instruction(bool),
    /// These rows of registers are on the screen, in a box so wide.
    Registers(usize, usize, u32),
    /// These columns of a warp's registers are on the screen: the first, and
    /// how many.
    WarpColumns(usize, usize),
    /// Something with a cell of the state.
    Inspect(InspectAction),
    /// Something in a memory pane.
    Memory(Tab, MemoryAction),
    /// Something with the bits of the instruction at hand.
    Encoding(EncodingAction),
    /// Rewrite the program in one spelling; where the caret is, in UTF-16
    /// units, if that is known.
    Format(Style, Option<u32>),
    /// Something about the picture of a matrix instruction.
    Matrix(MatrixAction),
    /// Something about the list of scenarios.
    Picker(PickerAction),
    /// Something about where things are on the screen.
    Screen(ScreenAction),
    /// Something in the list of outcomes.
    Outcomes(OutcomesAction),
    /// Which editor there is.
    Editor(EditorAction),
    /// Something with breakpoints.
    Breakpoint(BreakpointAction),
    /// Something with links and exports.
    Share(ShareAction),
    /// Something with files from the reader's machine.
    Files(FilesAction),
    /// Something in a player inside another page.
    Embed(EmbedAction),
    /// The next theme.
    Theme,
    /// Whether keys without a modifier are shortcuts.
    SingleKeys(bool),
    /// The pointer or the focus is on this, or has left it.
    Highlight(Option<Highlight>),
}

impl Action {
    /// Whether it goes to another step by hand.
    pub(crate) const fn moves(&self) -> bool {
        use Action::{Instruction, Reset, Seek, Step, StepBack, ToEnd, ToStart};
        matches!(
            self,
            Step | StepBack | ToStart | ToEnd | Seek(_) | Reset | Instruction(_)
        )
    }
}

/// What a reader can do in a memory pane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MemoryAction {
    /// Show another region, by its index.
    Region(usize),
    /// These rows are on the screen now: the first, and how many.
    Scrolled(usize, usize),
    /// Rows of this many bytes fit the pane.
    RowBytes(usize),
    /// How values are shown.
    Format(MemoryFormat),
    /// Bring this address into view.
    GoTo(u64),
}
