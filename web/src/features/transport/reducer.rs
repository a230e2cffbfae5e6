use super::TransportModel;
use super::model::{TransportInputs, stopped_before};
use super::{AHEAD, MAX_AHEAD, Speed, Stride, TransportAction};
use crate::store::State;
use lanewise_core::session::Session;
use lanewise_saved::Position;

impl State {
    /// Applies an action of the transport.
    pub(crate) fn apply_transport(&mut self, action: TransportAction) {
        if action.moves() {
            self.stop_for_move();
        }
        match action {
            TransportAction::Step => self.step(),
            TransportAction::StepBack => self.step_back(),
            TransportAction::ToStart => self.seek(0),
            TransportAction::ToEnd => self.seek_end(),
            TransportAction::Seek(position) => self.seek(position),
            TransportAction::NextInstruction => self.seek_next_instruction(),
            TransportAction::PreviousInstruction => self.seek_previous_instruction(),
            TransportAction::Reset => self.reset(),
            TransportAction::ToggleRun => self.toggle_run(),
            TransportAction::Tick => self.tick(),
            TransportAction::Speed(speed) => self.stepping.speed = speed,
            TransportAction::Stride(stride) => self.set_stride(stride),
        }
    }

    /// Line of the current instruction, from 0, if the text can run: the
    /// instruction of the last step or, at a breakpoint, the next instruction.
    pub(crate) fn current_line(&self) -> Option<u32> {
        let stopped = stopped_before(&self.source, &self.session, self.stepping);
        if let Some(line) = stopped.filter(|_| self.can_run()) {
            return Some(line);
        }
        let index = self.session.current_instruction()?;
        let placed = self.session.program().instructions.get(index)?;
        self.can_run().then_some(placed.line)
    }

    pub(super) fn transport_inputs(&self) -> TransportInputs {
        TransportInputs {
            session: self.session.clone(),
            source: self.source.clone(),
            stepping: self.stepping,
            writes: self.state_view.inspect.watched_writes(),
            start_error: self.start_error,
        }
    }

    /// Model of the transport.
    pub(crate) fn transport(&self) -> TransportModel {
        self.transport_inputs().model()
    }

    /// Position in the run, as saved.
    pub(crate) fn position(&self) -> Position {
        Position {
            step: self.session.position(),
            stride: String::from(self.stepping.stride.key()),
        }
    }

    /// Restores a saved position.
    pub(crate) fn restore_position(&mut self, position: &Position) {
        if let Some(stride) = Stride::of_key(&position.stride) {
            self.set_stride(stride);
        }
        self.seek_far(position.step);
    }

    /// Before each manual move: pauses the run and clears messages about the
    /// position.
    fn stop_for_move(&mut self) {
        self.stepping.running = false;
        self.start_error = None;
        self.leave_breakpoint();
    }

    /// Moves to a position at the user's request.
    pub(crate) fn move_to(&mut self, position: usize) {
        self.stop_for_move();
        self.explore_to(position);
        self.seek(position);
    }

    /// Moves to a position that may not be known yet.
    pub(crate) fn seek_far(&mut self, position: usize) {
        if self.can_run() {
            self.explore_to(position.min(MAX_AHEAD));
            self.seek(position);
        }
    }

    pub(crate) fn step(&mut self) {
        if self.can_run() && self.stepping.stride == Stride::Instruction {
            self.seek_next_instruction();
        } else if self.can_run() && self.session.step() {
            self.arrive();
        }
    }

    pub(crate) fn step_back(&mut self) {
        if self.can_run() && self.stepping.stride == Stride::Instruction {
            self.seek_previous_instruction();
        } else if self.can_run() {
            self.session.step_back();
            self.arrive();
        }
    }

    pub(crate) fn seek(&mut self, position: usize) {
        if self.can_run() {
            self.session.seek(position);
            self.arrive();
        }
    }

    pub(crate) fn seek_end(&mut self) {
        if self.can_run() {
            self.explore_to(self.session.position() + MAX_AHEAD);
            self.seek(usize::MAX);
        }
    }

    pub(crate) fn reset(&mut self) {
        if self.can_run() {
            let program = self.session.shared_program();
            *self.session = Session::with_granularity(program, self.stepping.stride.granularity());
            self.explore_to(AHEAD);
            self.scroll_to_step();
        }
    }

    pub(crate) fn toggle_run(&mut self) {
        if self.stepping.running || !self.can_run() {
            self.stepping.running = false;
            return;
        }
        self.start_error = None;
        // From the end, a run starts over.
        if self.session.at_end() {
            self.seek(0);
            if self.stop_at_breakpoint() {
                return;
            }
        }
        self.leave_breakpoint();
        self.stepping.running = !self.session.at_end();
    }

    pub(crate) fn tick(&mut self) {
        // Enough steps per tick for a long run to end within seconds.
        let steps = match self.stepping.speed {
            Speed::Fastest => 1 + self.session.known() / 256,
            _ => 1,
        };
        for _ in 0..steps {
            if self.stepping.running {
                self.step();
                // If there are several reasons to stop, the first is reported.
                let stops =
                    self.stop_at_watch() || self.session.at_end() || self.stop_at_breakpoint();
                self.stepping.running = !stops;
            }
        }
    }

    /// Seeks to the start of the next instruction, or to the end.
    fn seek_next_instruction(&mut self) {
        if self.can_run() {
            let issue = self.session.next_issue();
            while self.session.next_issue() == issue && self.session.step() {}
            self.arrive();
        }
    }

    /// Seeks back to the start of this instruction, or of the previous one if
    /// already there.
    fn seek_previous_instruction(&mut self) {
        if self.can_run() {
            let last = self.session.last_issue();
            let start = last.and_then(|last| self.session.issue_start(last));
            self.session.seek(start.unwrap_or(0));
            self.arrive();
        }
    }

    /// Sets the step size. Finer effects change the history but not the run:
    /// the position is kept.
    pub(crate) fn set_stride(&mut self, stride: Stride) {
        self.stepping.stride = stride;
        if stride.granularity() == self.session.granularity() {
            return;
        }
        let place = |session: &Session, here: usize| {
            let mut starts = session.issue_starts();
            let index = session.issue_starts().take_while(|s| *s <= here).count();
            let start = index.checked_sub(1).and_then(|i| starts.nth(i));
            // The end of the last instruction is the end of the run.
            let end = starts.next().unwrap_or(session.known());
            (index.saturating_sub(1), start.unwrap_or(0), end)
        };
        let old = &self.session;
        let (index, start, end) = place(old, old.position());
        let (within, of) = (old.position() - start, (end - start).max(1));
        let mut new = Session::with_granularity(old.shared_program(), stride.granularity());
        new.explore(old.known().max(AHEAD));
        let mut starts = new.issue_starts();
        let from = starts.nth(index).unwrap_or(0);
        let to = starts.next().unwrap_or(new.known());
        drop(starts);
        new.seek(from + within * (to - from) / of);
        *self.session = new;
        self.arrive();
    }

    /// After each move: computes further history and scrolls to changes.
    fn arrive(&mut self) {
        self.explore_to(self.session.position() + 1);
        self.leave_cell_editor();
        if self.outcomes.preview().is_some() {
            self.outcomes.end_preview();
        }
        self.scroll_to_step();
    }

    /// Computes at least `effects` effects, in batches.
    pub(crate) fn explore_to(&mut self, effects: usize) {
        if self.session.known() < effects {
            self.session.explore(effects.next_multiple_of(AHEAD));
        }
    }
}
