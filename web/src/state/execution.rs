//! Stepping: forward, back, anywhere, by itself.

use super::State;
use lanewise_core::run::Session;
use std::rc::Rc;

/// How many effects are computed ahead, so that the timeline has an end.
const AHEAD: usize = 20_000;

/// The most effects that one press of "To end" computes.
const FAR: usize = 1_000_000;

/// The most marks on the timeline.
const MOST_TICKS: usize = 100;

impl State {
    pub(super) fn step(&mut self) {
        if self.can_run() && self.session.step() {
            self.arrive();
        } else {
            self.running = false;
        }
    }

    pub(super) fn step_back(&mut self) {
        if self.can_run() {
            self.running = false;
            self.session.step_back();
            self.arrive();
        }
    }

    pub(super) fn seek(&mut self, position: usize) {
        if self.can_run() {
            self.session.seek(position);
            self.arrive();
        }
    }

    pub(super) fn seek_end(&mut self) {
        if self.can_run() {
            self.running = false;
            self.look_ahead(self.session.position() + FAR);
            self.seek(usize::MAX);
        }
    }

    pub(super) fn reset(&mut self) {
        self.running = false;
        if self.can_run() {
            let program = Rc::new(self.session.program().clone());
            self.session = Session::new(program);
            self.look_ahead(AHEAD);
            self.reset_views();
        }
    }

    pub(super) fn toggle_run(&mut self) {
        if self.running || !self.can_run() {
            self.running = false;
            return;
        }
        // From the end a run starts over.
        if self.session.at_end() {
            self.seek(0);
        }
        self.running = !self.session.at_end();
    }

    pub(super) fn tick(&mut self) {
        if self.running {
            self.step();
            self.running = !self.session.at_end();
        }
    }

    /// After every move: more of the history ahead, and what changed in view.
    fn arrive(&mut self) {
        self.look_ahead(self.session.position() + 1);
        self.follow();
    }

    /// Makes at least `effects` effects known, in pieces worth the while.
    pub(super) fn look_ahead(&mut self, effects: usize) {
        let wanted = effects.max(AHEAD);
        let session = &mut self.session;
        if session.is_explored() || session.known() >= effects {
            return;
        }
        let here = session.position();
        // From the end of what is known each instruction is one step away.
        while session.known() < wanted && !session.is_explored() {
            session.seek(session.known());
            if !session.step() {
                break;
            }
        }
        session.seek(here);
    }

    /// The line of the instruction at hand, from 0, while the text can run.
    pub(crate) fn current_line(&self) -> Option<u32> {
        let index = self.session.current_instruction()?;
        let placed = self.session.program().instructions.get(index)?;
        self.can_run().then_some(placed.line)
    }

    /// One sentence on the last step, or on why there is none.
    pub(crate) fn summary(&self) -> String {
        match self.errors {
            0 => self.session.summary(),
            1 => String::from("Cannot run: 1 problem in the program."),
            n => format!("Cannot run: {n} problems in the program."),
        }
    }

    /// Where instructions start, for the timeline; none if they lie too close
    /// to be told apart.
    pub(crate) fn ticks(&self) -> Vec<usize> {
        match self.session.program().instructions.len() {
            0..=MOST_TICKS => self.session.instruction_starts().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the last step was a fault.
    pub(crate) fn is_faulted(&self) -> bool {
        self.can_run() && self.session.fault().is_some()
    }
}
