use crate::store::State;
use std::rc::Rc;

/// Message to the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) is_error: bool,
    /// Whether it disappears by itself, because nothing needs to follow from it.
    pub(crate) is_brief: bool,
    /// Whether only screen readers get it, because the page shows it elsewhere.
    pub(crate) is_spoken_only: bool,
    pub(crate) text: Rc<str>,
}

impl Notice {
    pub(crate) fn info(text: impl Into<Rc<str>>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    pub(crate) fn brief(text: impl Into<Rc<str>>) -> Self {
        Self {
            is_brief: true,
            ..Self::info(text)
        }
    }

    pub(crate) fn spoken(text: impl Into<Rc<str>>) -> Self {
        Self {
            is_spoken_only: true,
            ..Self::info(text)
        }
    }

    pub(crate) fn error(text: impl Into<Rc<str>>) -> Self {
        Self {
            is_error: true,
            ..Self::info(text)
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Notices {
    /// Current notice, until it is dismissed or replaced.
    pub(crate) shown: Option<Notice>,
    /// Last reported program of another window.
    pub(crate) last_window_warning: Option<Rc<str>>,
}

impl State {
    pub(crate) fn notify(&mut self, notice: Notice) {
        self.notices.shown = Some(notice);
    }

    pub(crate) fn dismiss_notice(&mut self) {
        self.notices.shown = None;
    }
}
