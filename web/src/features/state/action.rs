//! Actions of the State pane.

use super::inspect::InspectAction;
use crate::components::file::FileBytes;
use lanewise_answer::grids::{MemoryFormat, MemoryKind, RegisterFormat, Tab};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StateAction {
    Tab(Tab),
    RegisterFormat(RegisterFormat),
    Inspect(InspectAction),
    Memory(MemoryKind, MemoryAction),
    /// Action on a buffer, by index.
    Buffer(usize, BufferAction),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MemoryAction {
    /// Shows the region with this index.
    Region(usize),
    /// Sets the value format.
    Format(MemoryFormat),
    /// Scrolls to an address.
    GoTo(u64),
}

/// Action on a buffer of a kernel launch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BufferAction {
    /// Scrolls to the buffer.
    Show,
    /// The user has scrolled to the buffer.
    InView,
    /// Sets the number of elements per row; `None` fits the pane.
    RowLength(Option<usize>),
    /// Shows or hides the bits beside the values, in all buffers.
    Hex,
    /// Selects the next element that the launch has changed.
    NextChange,
    /// Shows the elements as a type, such as `float4`; empty for the declared one.
    Type(Rc<str>),
    /// Replaces the initial values by the bytes of a file.
    Load { file: Rc<str>, bytes: FileBytes },
}
