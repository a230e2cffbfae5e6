use lanewise_core::ide::SizeField;
use lanewise_core::number::ElementType;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LaunchAction {
    /// Opens the dialog for the current program.
    Open,
    /// Shows a work-group of the current program in the timeline.
    ShowGroup(u32),
    Edit(LaunchField, String),
    /// Sets the type of an argument that does not declare it.
    SetElement(usize, ElementType),
    /// Fills a buffer with the bytes of a file, unless another form is open by now.
    Bytes {
        text: Rc<str>,
        argument: usize,
        bytes: Result<Rc<[u8]>, String>,
    },
    /// Closes the dialog and writes the launch into the program.
    Start(LaunchStart),
}

/// Action after the launch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaunchStart {
    /// Runs all work-groups.
    RunToEnd,
    /// Stops before the first instruction of the chosen work-group.
    Step,
    /// Only writes the text, to edit it.
    EditText,
}

/// Text field of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaunchField {
    Size(SizeField),
    /// Length of a buffer, bytes of local memory, or a number, by argument.
    Quantity(usize),
    /// Initial values of a buffer, by argument.
    Values(usize),
}
