use crate::store::State;
use std::rc::Rc;

/// Something to say to the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    /// Whether something went wrong.
    pub(crate) is_error: bool,
    pub(crate) text: Rc<str>,
}

impl Notice {
    /// Something that the reader may like to know.
    pub(crate) fn info(text: impl Into<Rc<str>>) -> Self {
        Self {
            is_error: false,
            text: text.into(),
        }
    }

    /// Something that went wrong.
    pub(crate) fn error(text: impl Into<Rc<str>>) -> Self {
        Self {
            is_error: true,
            text: text.into(),
        }
    }
}

/// What the page says to the reader by itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notices {
    /// What is said now, until it is dismissed or something else is said.
    pub(crate) shown: Option<Notice>,
    /// What was said last of the program in another window.
    pub(crate) told_of_window: Option<Rc<str>>,
}

impl State {
    /// What is said to the reader, below the bar.
    pub(crate) fn notice(&self) -> Option<&Notice> {
        self.notices.shown.as_ref()
    }

    pub(crate) fn notify(&mut self, notice: Notice) {
        self.notices.shown = Some(notice);
    }

    pub(crate) fn dismiss_notice(&mut self) {
        self.notices.shown = None;
    }
}
