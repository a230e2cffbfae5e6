use std::rc::Rc;

/// Action on files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FilesAction {
    /// A file was read: name and contents.
    Read(Rc<str>, Rc<[u8]>),
    /// A file could not be read: name and reason.
    Failed(Rc<str>, String),
    /// Opens a function of the listed file, by index.
    Choose(usize),
}
