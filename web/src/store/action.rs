//! Everything that can happen on the page.

use crate::features::embed::EmbedAction;
use crate::features::encoding::EncodingAction;
use crate::features::files::FilesAction;
use crate::features::machine::MachineAction;
use crate::features::outcomes::OutcomesAction;
use crate::features::picker::PickerAction;
use crate::features::player::QuizAction;
use crate::features::program::{BreakpointAction, EditorAction, ProgramAction};
use crate::features::screen::{ScreenAction, Theme};
use crate::features::share::ShareAction;
use crate::features::stage::matrix::MatrixAction;
use crate::features::transport::TransportAction;

/// What a reader can do, by feature.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// The text: edits, fixes, which scenario it is, drafts.
    Program(ProgramAction),
    /// Which editor there is.
    Editor(EditorAction),
    /// Breakpoints are set, removed, or move with an edit.
    Breakpoint(BreakpointAction),
    /// Steps, seeks, runs, and how they go.
    Transport(TransportAction),
    /// The State pane: tabs, formats, inspected and watched cells.
    Machine(MachineAction),
    /// The bits of the current instruction are looked at or edited.
    Encoding(EncodingAction),
    /// What the picture of a matrix instruction shows; edits of its operands.
    Matrix(MatrixAction),
    /// The search for outcomes, its responses, and reordered lanes.
    Outcomes(OutcomesAction),
    /// The list of scenarios: opened, searched, closed.
    Picker(PickerAction),
    /// Areas, the drawer and their sizes.
    Screen(ScreenAction),
    /// Links, exports, the dialog "Share".
    Share(ShareAction),
    /// The dialog "Embed".
    Embed(EmbedAction),
    /// Files from the reader's machine.
    Files(FilesAction),
    /// The question of a player inside another page.
    Quiz(QuizAction),
    /// What the page said was read.
    DismissNotice,
    /// A theme is chosen.
    Theme(Theme),
    /// Whether keys without a modifier are shortcuts.
    SingleKeys(bool),
}
