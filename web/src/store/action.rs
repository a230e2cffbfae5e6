//! All actions of the page.

use crate::features::checks::ChecksAction;
use crate::features::embed::EmbedAction;
use crate::features::encoding::EncodingAction;
use crate::features::files::FilesAction;
use crate::features::items::ItemsAction;
use crate::features::launch::LaunchAction;
use crate::features::outcomes::OutcomesAction;
use crate::features::picker::PickerAction;
use crate::features::program::{BreakpointAction, EditorAction, ProgramAction};
use crate::features::screen::{ScreenAction, Theme};
use crate::features::served::ServedAction;
use crate::features::share::ShareAction;
use crate::features::stage::matrix::MatrixAction;
use crate::features::state::StateAction;
use crate::features::transport::TransportAction;

/// Defines [`Action`], to which the actions of the features convert.
macro_rules! actions {
    ($($(#[$about:meta])? $feature:ident($action:ty),)*) => {
        /// User actions and events, by feature.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Action {
            $($(#[$about])? $feature($action),)*
            DismissNotice,
            Theme(Theme),
            /// Enables or disables shortcuts without a modifier.
            SingleKeys(bool),
        }

        $(impl From<$action> for Action {
            fn from(action: $action) -> Self {
                Self::$feature(action)
            }
        })*
    };
}

actions! {
    /// Text: edits, quick fixes, scenarios, drafts.
    Program(ProgramAction),
    Editor(EditorAction),
    /// Breakpoints: set, removed, or moved by an edit.
    Breakpoint(BreakpointAction),
    /// Steps, seeks, runs and their options.
    Transport(TransportAction),
    /// State pane: tabs, formats, inspected and watched cells.
    StatePane(StateAction),
    /// Encoding of the current instruction: shown or edited.
    Encoding(EncodingAction),
    /// Matrix view: display options and operand edits.
    Matrix(MatrixAction),
    /// Outcomes: search, responses, and reordered lanes.
    Outcomes(OutcomesAction),
    /// Scenario picker: open, search, close.
    Picker(PickerAction),
    /// Layout: areas, drawer and their sizes.
    Screen(ScreenAction),
    /// Links, exports and the Share dialog.
    Share(ShareAction),
    Embed(EmbedAction),
    Files(FilesAction),
    /// Work-items of a kernel, and the chosen one.
    Items(ItemsAction),
    Launch(LaunchAction),
    Checks(ChecksAction),
    /// Programs of `lanewise serve`.
    Served(ServedAction),
}
