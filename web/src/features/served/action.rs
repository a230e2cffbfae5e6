use crate::features::picker::ServedEntry;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ServedAction {
    /// The server's script runs.
    Connected,
    Open(ServedProgram),
    /// Problems of the file, such as errors of its compiler, in place of earlier ones.
    Report(Rc<[Rc<str>]>),
    /// Files and kernels that can be opened.
    List(Rc<[ServedEntry]>),
}

/// A kernel of a file, or a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServedProgram {
    pub(crate) name: Rc<str>,
    /// Fragment of the page's address.
    pub(crate) address: Rc<str>,
    pub(crate) text: Rc<str>,
    /// Text of the source; empty if the file is not a source.
    pub(crate) source: Rc<str>,
    /// Whether the program replaces an earlier version of itself.
    pub(crate) keeps: bool,
}
