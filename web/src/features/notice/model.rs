use crate::store::State;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoticeKind {
    Info,
    Error,
    /// Disappears by itself, because nothing needs to follow from it.
    Brief,
    /// For screen readers only, because the page shows it elsewhere.
    Spoken,
}

/// Message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) kind: NoticeKind,
    pub(crate) text: Rc<str>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Notices {
    /// Current notice, until it is dismissed or replaced.
    pub(crate) shown: Option<Notice>,
    /// Last reported program of another window.
    pub(crate) last_window_warning: Option<Rc<str>>,
}

impl State {
    pub(crate) fn notify(&mut self, kind: NoticeKind, text: impl Into<Rc<str>>) {
        let text = text.into();
        self.notices.shown = Some(Notice { kind, text });
    }

    pub(crate) fn dismiss_notice(&mut self) {
        self.notices.shown = None;
    }
}
