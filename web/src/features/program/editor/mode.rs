use crate::store::Request;

/// Loading state of CodeMirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditorStatus {
    Loading,
    Ready,
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EditorMode {
    /// Whether the plain-text editor is selected.
    pub(crate) plain: bool,
    /// Whether a link selected it, for this visit only.
    for_link: bool,
    /// Whether long lines are wrapped. By default, they are if the window shows
    /// one area at a time.
    pub(crate) wrap: Option<bool>,
    pub(crate) status: EditorStatus,
    /// Number of retries of loading CodeMirror.
    pub(crate) attempt: u32,
    /// Request to open the search panel.
    pub(crate) search: Option<Request<()>>,
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

    /// Selects the plain-text editor for a link.
    pub(crate) const fn plain_for_link(&mut self) {
        self.for_link |= !self.plain;
        self.plain = true;
    }

    /// Whether to save the plain-text setting.
    pub(crate) const fn keeps_plain(self) -> bool {
        self.plain && !self.for_link
    }

    /// Whether long lines are wrapped. `compact` is set if the window shows one
    /// area at a time.
    pub(crate) fn wraps(self, compact: bool) -> bool {
        self.wrap.unwrap_or(compact)
    }

    /// Whether CodeMirror is shown.
    pub(crate) fn is_code(self) -> bool {
        !self.plain && self.status == EditorStatus::Ready
    }

    /// Whether to load CodeMirror.
    pub(crate) fn is_loading(self) -> bool {
        !self.plain && self.status == EditorStatus::Loading
    }
}
