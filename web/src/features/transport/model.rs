//! Stepping: forward, back, anywhere, by itself.

use super::settings::{MAX_AHEAD, Speed, Stepping, Stride, TransportAction};
use crate::features::program::Source;
use crate::store::State;
use lanewise_core::session::Session;
use lanewise_saved::Position;
use std::rc::Rc;

/// What the transport shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExecutionView {
    /// How many steps lie behind.
    pub(crate) position: usize,
    /// How many steps are known.
    pub(crate) known: usize,
    /// Whether these are all.
    pub(crate) explored: bool,
    /// Where instructions start; none if they lie too close to be told apart.
    pub(crate) starts: Vec<usize>,
    /// The step that faults, once it is known.
    pub(crate) fault: Option<usize>,
    /// Steps that write watched cells.
    pub(crate) writes: Rc<[usize]>,
    /// Steps after which a run stops at a breakpoint; at most as many as there
    /// may be marks.
    pub(crate) stops: Vec<usize>,
    pub(crate) stride: Stride,
    /// Whether an instruction has finer effects.
    pub(crate) has_channels: bool,
    pub(crate) running: bool,
    pub(crate) speed: Speed,
    pub(crate) can_run: bool,
    pub(crate) at_end: bool,
    /// Whether the last step was a fault.
    pub(crate) faulted: bool,
    /// One sentence on the last step, or on why there is none.
    pub(crate) summary: String,
}

/// How many effects are computed ahead, so that the timeline has an end.
pub(crate) const AHEAD: usize = 20_000;

/// The most marks on the timeline.
const MOST_TICKS: usize = 100;

impl State {
    /// Takes an action.
    pub(crate) fn apply_transport(&mut self, action: TransportAction) {
        if action.moves() {
            self.stepping.running = false;
            self.start_error = None;
            self.leave_breakpoint();
        }
        match action {
            TransportAction::Step => self.step(),
            TransportAction::StepBack => self.step_back(),
            TransportAction::ToStart => self.seek(0),
            TransportAction::ToEnd => self.seek_end(),
            TransportAction::Seek(position) => self.seek(position),
            TransportAction::NextInstruction => self.next_instruction(),
            TransportAction::PreviousInstruction => self.previous_instruction(),
            TransportAction::Reset => self.reset(),
            TransportAction::ToggleRun => self.toggle_run(),
            TransportAction::Tick => self.tick(),
            TransportAction::Speed(speed) => self.stepping.speed = speed,
            TransportAction::Stride(stride) => self.set_stride(stride),
        }
    }

    /// Whether it steps by itself.
    pub(crate) const fn is_running(&self) -> bool {
        self.stepping.running
    }

    /// How fast it steps by itself.
    pub(crate) const fn speed(&self) -> Speed {
        self.stepping.speed
    }

    /// How far a step goes.
    pub(crate) const fn stride(&self) -> Stride {
        self.stepping.stride
    }

    /// Where in the run the reader is, as a browser keeps it.
    pub(crate) fn position(&self) -> Position {
        Position {
            step: self.session.position(),
            stride: String::from(self.stride().key()),
        }
    }

    /// Goes to where an earlier visit was.
    pub(crate) fn restore_position(&mut self, position: &Position) {
        if let Some(stride) = Stride::of_key(&position.stride) {
            self.set_stride(stride);
        }
        self.seek_far(position.step);
    }

    /// To a position that a reader asks for: a run stops, as it does with the
    /// buttons.
    pub(crate) fn move_to(&mut self, position: usize) {
        self.stepping.running = false;
        self.leave_breakpoint();
        self.look_ahead(position);
        self.seek(position);
    }

    /// To a position that may not be known yet.
    pub(crate) fn seek_far(&mut self, position: usize) {
        if self.can_run() {
            self.look_ahead(position.min(MAX_AHEAD));
            self.seek(position);
        }
    }

    pub(crate) fn step(&mut self) {
        if self.can_run() && self.stride() == Stride::Instruction {
            self.next_instruction();
        } else if self.can_run() && self.session.step() {
            self.arrive();
        }
    }

    pub(crate) fn step_back(&mut self) {
        if self.can_run() && self.stride() == Stride::Instruction {
            self.previous_instruction();
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
            self.look_ahead(self.session.position() + MAX_AHEAD);
            self.seek(usize::MAX);
        }
    }

    pub(crate) fn reset(&mut self) {
        if self.can_run() {
            let program = self.session.shared_program();
            *self.session = Session::with_granularity(program, self.stepping.stride.granularity());
            self.look_ahead(AHEAD);
            self.follow();
        }
    }

    pub(crate) fn toggle_run(&mut self) {
        if self.stepping.running || !self.can_run() {
            self.stepping.running = false;
            return;
        }
        // From the end a run starts over.
        if self.session.at_end() {
            self.seek(0);
            if self.meets_breakpoint() {
                return;
            }
        }
        self.leave_breakpoint();
        self.stepping.running = !self.session.at_end();
    }

    pub(crate) fn tick(&mut self) {
        // As many steps as a long run needs to end within seconds.
        let steps = match self.stepping.speed {
            Speed::Fastest => 1 + self.session.known() / 256,
            _ => 1,
        };
        for _ in 0..steps {
            if self.stepping.running {
                self.step();
                let stops = self.hit_watch() || self.session.at_end() || self.meets_breakpoint();
                self.stepping.running = !stops;
            }
        }
    }

    /// To the start of the next instruction, or to the end.
    fn next_instruction(&mut self) {
        if self.can_run() {
            let instruction = self.session.next_instruction();
            while self.session.next_instruction() == instruction && self.session.step() {}
            self.arrive();
        }
    }

    /// Back to where this instruction starts, or from there to the one before.
    fn previous_instruction(&mut self) {
        if self.can_run() {
            let here = self.session.position();
            let starts = self.session.instruction_starts();
            let before = starts.take_while(|start| *start < here).last();
            self.session.seek(before.unwrap_or(0));
            self.arrive();
        }
    }

    /// How far a step goes from now on. Finer effects make another history of
    /// the same run: the place in it stays.
    pub(crate) fn set_stride(&mut self, stride: Stride) {
        self.stepping.stride = stride;
        if stride.granularity() == self.session.granularity() {
            return;
        }
        let place = |session: &Session, here: usize| {
            let mut starts = session.instruction_starts();
            let index = session
                .instruction_starts()
                .take_while(|s| *s <= here)
                .count();
            let start = index.checked_sub(1).and_then(|i| starts.nth(i));
            // What is left after it is the start of the one that follows.
            let end = starts.next().unwrap_or(session.known());
            (index.saturating_sub(1), start.unwrap_or(0), end)
        };
        let old = &self.session;
        let (index, start, end) = place(old, old.position());
        let (within, of) = (old.position() - start, (end - start).max(1));
        let mut new = Session::with_granularity(old.shared_program(), stride.granularity());
        new.explore(old.known().max(AHEAD));
        let mut starts = new.instruction_starts();
        let from = starts.nth(index).unwrap_or(0);
        let to = starts.next().unwrap_or(new.known());
        drop(starts);
        new.seek(from + within * (to - from) / of);
        *self.session = new;
        self.inspect_again();
        self.arrive();
    }

    /// After every move: more of the history ahead, and what changed in view.
    fn arrive(&mut self) {
        self.look_ahead(self.session.position() + 1);
        self.leave_inspect();
        self.find_writes();
        self.follow();
    }

    /// Makes at least `effects` effects known, in pieces worth the while.
    pub(crate) fn look_ahead(&mut self, effects: usize) {
        if self.session.known() < effects {
            self.session.explore(effects.next_multiple_of(AHEAD));
        }
    }

    /// The line of the instruction at hand, from 0, while the text can run:
    /// the one that was under way, or where a run stopped the one to come.
    pub(crate) fn current_line(&self) -> Option<u32> {
        if let Some(line) = self.stopped_before().filter(|_| self.can_run()) {
            return Some(line);
        }
        let index = self.session.current_instruction()?;
        let placed = self.session.program().instructions.get(index)?;
        self.can_run().then_some(placed.line)
    }

    /// What the transport shows.
    pub(crate) fn execution(&self) -> ExecutionView {
        let inputs = ExecutionInputs {
            session: &self.session,
            source: &self.source,
            stepping: self.stepping,
            writes: &self.watched_writes(),
            start_error: self.start_error,
        };
        inputs.view()
    }

    /// The line before which the run stopped, while it is there.
    fn stopped_before(&self) -> Option<u32> {
        stopped_before(&self.source, &self.session, self.stepping)
    }
}

/// All that the transport shows is made of.
#[derive(Clone, Copy)]
pub(super) struct ExecutionInputs<'s> {
    pub(super) session: &'s Session,
    pub(super) source: &'s Source,
    pub(super) stepping: Stepping,
    /// Steps that write watched cells.
    pub(super) writes: &'s Rc<[usize]>,
    /// Why the visit did not start with the program that was kept.
    pub(super) start_error: Option<&'static str>,
}

impl ExecutionInputs<'_> {
    pub(super) fn view(self) -> ExecutionView {
        let session = self.session;
        let can_run = self.source.can_run();
        ExecutionView {
            position: session.position(),
            known: session.known(),
            explored: session.is_explored(),
            starts: match session.program().instructions.len() {
                0..=MOST_TICKS => session.instruction_starts().collect(),
                _ => Vec::new(),
            },
            fault: session.fault_ahead().map(|effect| effect + 1),
            writes: Rc::clone(self.writes),
            stops: self.stops(),
            stride: self.stepping.stride,
            has_channels: self.has_channels(),
            running: self.stepping.running,
            speed: self.stepping.speed,
            can_run,
            at_end: session.at_end(),
            faulted: can_run && session.fault().is_some(),
            summary: self.summary(),
        }
    }

    fn has_channels(&self) -> bool {
        let mut placed = self.session.program().instructions.iter();
        placed.any(|placed| placed.instruction.matrix().is_some())
    }

    /// Where a run would stop at a breakpoint, as far as steps are known.
    fn stops(&self) -> Vec<usize> {
        let lines = self.source.breakpoints.lines();
        if lines.is_empty() {
            return Vec::new();
        }
        // Instructions are issued one after the other.
        let placed = self.session.program().instructions.iter();
        let starts = placed.zip(self.session.instruction_starts());
        let stops = starts.filter(|(placed, _)| lines.contains(&placed.line));
        stops.map(|(_, start)| start).take(MOST_TICKS).collect()
    }

    /// Of a fault the lines that its address starts from.
    fn address_origin(&self) -> Option<String> {
        let fault = self.session.fault()?;
        let program = self.session.program();
        let index = usize::try_from(fault.instruction).ok()?;
        let instruction = &program.instructions.get(index)?.instruction;
        let lines = &self.source.document.lines;
        let registers = instruction.address_registers(&program.symbols);
        let from = registers.iter().filter_map(|register| {
            let span = program.init_spans(&register.place, fault.unit.eu).last()?;
            let (line, _) = lines.line_column(span.start as usize);
            Some(format!("{} on line {line}", register.place))
        });
        let from: Vec<String> = from.collect();
        (!from.is_empty()).then(|| format!("the address starts from {}", from.join(" and ")))
    }

    fn summary(&self) -> String {
        if let Some(error) = self.start_error {
            return String::from(error);
        }
        match self.source.errors {
            0 => match stopped_before(self.source, self.session, self.stepping) {
                Some(line) => format!("Stopped at the breakpoint on line {}.", line + 1),
                None => match self.address_origin() {
                    Some(origin) => format!("{}; {origin}", self.session.summary()),
                    None => self.session.summary(),
                },
            },
            1 => String::from(
                "Cannot run: 1 problem in the program. Showing the last valid program.",
            ),
            n => {
                format!("Cannot run: {n} problems in the program. Showing the last valid program.")
            }
        }
    }
}

/// The line before which the run stopped, while it is there and does not go on.
fn stopped_before(source: &Source, session: &Session, stepping: Stepping) -> Option<u32> {
    let stopped = source.breakpoints.stopped_at(session.position());
    stopped.filter(|_| !stepping.running)
}
