use crate::store::State;
use lanewise_answer::printf::printed;
use lanewise_core::session::{PrintfWriters, Session};

/// Maximum number of characters shown.
const MAX_SHOWN: usize = 100_000;

/// Text that a launch has printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OutputModel {
    /// The beginning of the text, in the order of the work-items.
    pub(super) text: String,
    /// Number of lines that are not shown.
    pub(super) omitted: usize,
    /// Notes on lost output and on formats that do not fit their arguments.
    pub(super) notes: Vec<String>,
}

impl State {
    /// Whether the program is a launch of a kernel that calls printf.
    pub(crate) fn prints(&self) -> bool {
        let launch = self.session.program().launch.as_ref();
        launch.is_some_and(|launch| launch.printf.is_some())
    }
}

impl OutputModel {
    /// Output up to the current step; `None` if the kernel does not call printf.
    pub(crate) fn of(session: &Session, earlier: &PrintfWriters) -> Option<Self> {
        let launch = session.program().launch.as_ref()?;
        let writers = session.printf_writers(earlier);
        let printed = printed(launch, session.machine(), Some(&writers))?;
        let mut text = printed.text;
        let mut omitted = 0;
        if let Some((end, _)) = text.char_indices().nth(MAX_SHOWN) {
            let end = text[..end].rfind('\n').map_or(end, |line| line + 1);
            omitted = text[end..].lines().count();
            text.truncate(end);
        }
        Some(Self {
            text,
            omitted,
            notes: printed.notes,
        })
    }
}
