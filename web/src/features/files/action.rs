use std::rc::Rc;

/// What a reader can do with files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FilesAction {
    /// A file was read: its name and its bytes.
    Read(Rc<str>, Rc<[u8]>),
    /// A file could not be read: its name, and why.
    Failed(Rc<str>, String),
    /// Open a function of the listed file, by its index.
    Choose(usize),
}
