//! Everything that can happen on the page.

use crate::features::embed::EmbedAction;
use crate::features::encoding::EncodingAction;
use crate::features::files::FilesAction;
use crate::features::outcomes::OutcomesAction;
use crate::features::picker::PickerAction;
use crate::features::program::{BreakpointAction, EditorAction, ProgramAction};
use crate::features::screen::ScreenAction;
use crate::features::share::ShareAction;
use crate::features::stage::matrix::MatrixAction;
use crate::features::state::StateAction;
use crate::features::transport::TransportAction;

/// What a reader can do, by feature.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Something with the program.
    Program(ProgramAction),
    /// Which editor there is.
    Editor(EditorAction),
    /// Something with breakpoints.
    Breakpoint(BreakpointAction),
    /// Something with the run.
    Transport(TransportAction),
    /// Something with the panes of the state.
    State(StateAction),
    /// Something with the bits of the instruction at hand.
    Encoding(EncodingAction),
    /// Something about the picture of a matrix instruction.
    Matrix(MatrixAction),
    /// Something in the list of outcomes.
    Outcomes(OutcomesAction),
    /// Something about the list of scenarios.
    Picker(PickerAction),
    /// Something about where things are on the screen.
    Screen(ScreenAction),
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
}
