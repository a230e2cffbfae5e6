use crate::store::Request;

/// Whether CodeMirror has been loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditorStatus {
    Loading,
    Ready,
    Failed,
}

/// Which editor is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EditorMode {
    /// Whether plain text is wanted.
    pub(crate) plain: bool,
    /// Whether a link wanted it: then it is for this visit.
    for_link: bool,
    /// Whether long lines are wrapped; as long as the reader has not chosen, they
    /// are where the window shows one area at a time.
    pub(crate) wrap: Option<bool>,
    pub(crate) status: EditorStatus,
    /// How often loading CodeMirror was repeated.
    pub(crate) attempt: u32,
    /// To open its search.
    pub(crate) search: Option<Request<()>>,
    /// To put the focus into it.
    pub(crate) focus: Option<Request<()>>,
}

impl EditorMode {
    pub(crate) const fn new(plain: bool, wrap: Option<bool>) -> Self {
        Self {
            plain,
            for_link: false,
            wrap,
            status: EditorStatus::Loading,
            attempt: 0,
            search: None,
            focus: None,
        }
    }

    pub(crate) const fn set_plain(&mut self, plain: bool) {
        (self.plain, self.for_link) = (plain, false);
    }

    /// A link wants plain text.
    pub(crate) const fn plain_for_link(&mut self) {
        self.for_link |= !self.plain;
        self.plain = true;
    }

    /// Whether the next visit starts with plain text.
    pub(crate) const fn keeps_plain(self) -> bool {
        self.plain && !self.for_link
    }

    /// Whether long lines are wrapped; `compact` says that the window shows one
    /// area at a time.
    pub(crate) const fn wraps(self, compact: bool) -> bool {
        match self.wrap {
            Some(wrap) => wrap,
            None => compact,
        }
    }

    /// Whether CodeMirror is shown.
    pub(crate) fn is_code(self) -> bool {
        !self.plain && self.status == EditorStatus::Ready
    }

    /// Whether CodeMirror is to be loaded.
    pub(crate) fn is_loading(self) -> bool {
        !self.plain && self.status == EditorStatus::Loading
    }
}
