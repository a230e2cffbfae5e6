use lanewise_files::outline::{FileContents, OpenedEntry};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FilesAction {
    /// A file was read: name and contents.
    Read(Rc<str>, Rc<[u8]>),
    /// A source file was read that was opened with a program: name and contents.
    Source(Rc<str>, Rc<[u8]>),
    /// A cubin was read that was opened with its listing, which is read next.
    Cubin(Rc<[u8]>),
    /// A file could not be read: name and reason.
    Failed(Rc<str>, String),
    /// The worker has read the file with this number.
    Contents(u32, Result<Rc<FileContents>, String>),
    /// Opens a function of the listed file, by its index in the file.
    Choose(usize),
    /// The worker has made the scenario of a function of the file with this
    /// number.
    Entry(u32, Result<Rc<OpenedEntry>, String>),
    /// The worker cannot answer, for this reason.
    WorkerFailed(String),
}
