//! Lines before which a run stops.

mod later;

use super::State;
use std::rc::Rc;

/// What a reader does with breakpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BreakpointAction {
    /// One comes to a line, from 0, or goes.
    Toggle(u32),
    /// All of them go.
    Clear,
}

/// Lines before which a run stops, and what was done last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breakpoints {
    /// From 0, in their order.
    lines: Rc<[u32]>,
    /// The same as kept between visits; nothing if there are none.
    saved: Option<Rc<str>>,
    /// The one that the run stopped at, and the position where.
    stopped: Option<(u32, usize)>,
    /// What a reader is told of the last change.
    told: Rc<str>,
}

impl State {
    pub(super) fn change_breakpoints(&mut self, action: &BreakpointAction) {
        later::change(self, action);
    }

    /// Those of an earlier visit wait until all of the page is there.
    /// Sets those of an earlier visit.
    pub(super) fn set_breakpoints(&mut self, saved: &str) {
        later::set(self, saved);
    }

    /// Brings them along when the text becomes another by an edit.
    pub(super) fn move_breakpoints(&mut self, new: &str) {
        self.breakpoints.stopped = None;
        if !self.breakpoints.lines.is_empty() {
            later::shift(self, new);
        }
    }

    /// Another program has none.
    pub(super) fn drop_breakpoints(&mut self) {
        self.breakpoints.lines = Rc::default();
        self.breakpoints.saved = None;
        self.breakpoints.stopped = None;
    }

    /// Whether the run has come before an instruction whose line has a
    /// breakpoint; it is told then.
    pub(super) fn meets_breakpoint(&mut self) -> bool {
        !self.breakpoints.lines.is_empty() && later::meets(self)
    }

    /// The sentence on where the run stopped, while it stands there.
    pub(super) fn stopped_at(&self) -> Option<String> {
        self.stopped_before().map(later::stopped)
    }

    /// The line before which the run stopped, while it stands there.
    pub(super) fn stopped_before(&self) -> Option<u32> {
        let (line, position) = self.breakpoints.stopped?;
        let here = !self.running && position == self.session.position();
        here.then_some(line)
    }

    /// A move by hand: it is no longer where a run stopped.
    pub(super) fn leave_breakpoint(&mut self) {
        self.breakpoints.stopped = None;
    }

    /// The lines that have breakpoints, from 0.
    pub(crate) fn breakpoints(&self) -> Rc<[u32]> {
        Rc::clone(&self.breakpoints.lines)
    }

    /// What was done to breakpoints last.
    pub(crate) fn breakpoints_told(&self) -> Rc<str> {
        Rc::clone(&self.breakpoints.told)
    }

    /// As kept between visits: numbers from 1 with commas between them.
    pub(crate) fn saved_breakpoints(&self) -> Option<Rc<str>> {
        self.breakpoints.saved.clone()
    }
}
