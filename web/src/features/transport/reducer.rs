use super::TransportModel;
use super::model::{TransportInputs, is_barrier, is_call};
use super::stepping::{Goal, SLICE};
use super::{AHEAD, Speed, Stride, TransportAction};
use crate::features::notice::Notice;
use crate::store::State;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::program::Issue;
use lanewise_core::session::Session;
use lanewise_saved::Position;

impl State {
    /// Applies an action of the transport.
    pub(crate) fn apply_transport(&mut self, action: TransportAction) {
        if action.moves() {
            self.stop_for_move();
        }
        if self.waits_for_groups() && (action.moves() || action == TransportAction::ToggleRun) {
            self.run_groups(action);
            return;
        }
        match action {
            TransportAction::Step => self.step(),
            TransportAction::StepBack => self.step_back(),
            TransportAction::ToStart => self.seek_start(),
            TransportAction::ToEnd => self.seek_end(),
            TransportAction::Seek(position) => self.seek(position),
            TransportAction::NextInstruction => self.seek_next_instruction(),
            TransportAction::PreviousInstruction => self.seek_previous_instruction(),
            TransportAction::StepOver => self.step_over(),
            TransportAction::RunToLine(line) => self.run_to_line(line),
            TransportAction::RunToSourceLine(line) => self.run_if_valid(Goal::Source(line)),
            TransportAction::NextBarrier => {
                let thread = self.stepping.thread;
                self.run_if_valid(Goal::Barrier { thread });
            }
            TransportAction::NextIteration => self.run_to_iteration(),
            TransportAction::StepThread(thread) => self.run_if_valid(Goal::Thread(thread)),
            TransportAction::Thread(thread) => self.stepping.thread = thread,
            TransportAction::Reset => self.reset(),
            TransportAction::ToggleRun => self.toggle_run(),
            TransportAction::Tick => self.tick(),
            TransportAction::Speed(speed) => self.stepping.speed = speed,
            TransportAction::Stride(stride) => self.set_stride(stride),
        }
    }

    /// Line of the current instruction, from 0, if the text can run: the
    /// instruction under way or about to be executed; at the end, the last.
    pub(crate) fn current_line(&self) -> Option<u32> {
        let session = &self.session;
        if let Some(line) = self.chosen_thread_line() {
            return self.can_run().then_some(line);
        }
        let index = session.next_issue().or_else(|| session.last_issue())?;
        let placed = session.program().instruction(session.issue(index)?);
        self.can_run().then_some(placed.line)
    }

    /// Line of the next instruction of the chosen thread, unless it has ended.
    fn chosen_thread_line(&self) -> Option<u32> {
        let program = self.session.program();
        let chosen = self
            .stepping
            .thread
            .filter(|thread| *thread < program.threads)?;
        let control = Control::new(self.session.machine(), chosen);
        let runs = control.state() != ThreadState::Ended;
        let placed = program.instructions.get(control.pc() as usize)?;
        runs.then_some(placed.line)
    }

    /// The next issue: its first thread and its line.
    fn next_place(&self) -> Option<(u8, u32)> {
        let session = &self.session;
        let issue = session.next_issue().and_then(|next| session.issue(next))?;
        Some((
            issue.threads.first(),
            session.program().instruction(issue).line,
        ))
    }

    fn run_if_valid(&mut self, goal: Goal) {
        if self.can_run() {
            self.run_to(goal);
        }
    }

    fn run_to_iteration(&mut self) {
        let own = self.stepping.thread.zip(self.chosen_thread_line());
        if let Some((thread, line)) = own.or_else(|| self.next_place())
            && self.can_run()
        {
            self.run_to(Goal::Iteration { thread, line });
        }
    }

    pub(super) fn transport_inputs(&self) -> TransportInputs {
        TransportInputs {
            session: self.session.clone(),
            source: self.source.clone(),
            stepping: self.stepping,
            writes: self.state_view.inspect.watched_writes(),
            start_error: self.start_error,
            earlier_groups: self.group_progress(),
        }
    }

    /// Model of the transport.
    pub(crate) fn transport(&self) -> TransportModel {
        self.transport_inputs().model()
    }

    /// Position in the run, as saved.
    pub(crate) fn position(&self) -> Position {
        Position {
            step: self.destination(),
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

    /// The position, or the one that a run was asked for.
    pub(crate) fn destination(&self) -> usize {
        match self.stepping.goal {
            Some(Goal::Position(position)) => position,
            _ => self.session.position(),
        }
    }

    /// Pauses the run.
    pub(crate) fn pause(&mut self) {
        self.stepping.running = false;
        self.stepping.goal = None;
    }

    /// Before each manual move: pauses the run and clears messages about the
    /// position.
    fn stop_for_move(&mut self) {
        self.pause();
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
            if !self.waits_for_groups() {
                self.explore_to(AHEAD);
            }
            self.run_to(Goal::Position(position));
        }
    }

    pub(crate) fn step(&mut self) {
        if !self.can_run() {
            return;
        }
        let start = self.session.position();
        self.skip_marks();
        if self.stepping.stride == Stride::Instruction {
            self.seek_next_instruction();
        } else if self.session.step() || self.session.position() > start {
            self.arrive();
        }
    }

    /// Passes the marks of source lines, which compute nothing, before the next
    /// instruction.
    fn skip_marks(&mut self) {
        let is_mark = |session: &Session| {
            let next = session.next_issue().and_then(|next| session.issue(next));
            next.is_some_and(|next| {
                let placed = session.program().instruction(next);
                placed.instruction.is_source_mark()
            })
        };
        while is_mark(&self.session) && self.session.step() {}
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

    /// Goes to the start, as soon as the work-groups before the one in the timeline have
    /// ended.
    pub(crate) fn seek_start(&mut self) {
        if self.waits_for_groups() {
            self.run_to(Goal::Position(0));
        } else {
            self.seek(0);
        }
    }

    pub(crate) fn seek_end(&mut self) {
        if self.can_run() {
            self.run_to(Goal::End);
        }
    }

    /// Executes one instruction; of a call, until it has returned.
    fn step_over(&mut self) {
        let session = &self.session;
        let issue = session.next_issue().and_then(|next| session.issue(next));
        let Some(issue) = issue.filter(|_| self.can_run()) else {
            return;
        };
        let thread = issue.threads.first();
        let depth = Control::new(session.machine(), thread).depth();
        match is_call(session.program().instruction(issue)) {
            true => self.run_to(Goal::Return { thread, depth }),
            false => self.seek_next_instruction(),
        }
    }

    /// Runs until before an instruction on a line, or the next instruction
    /// after it.
    fn run_to_line(&mut self, line: u32) {
        if !self.can_run() {
            return;
        }
        let mut lines = self.session.program().instructions.iter().map(|p| p.line);
        match lines.find(|instruction| *instruction >= line) {
            Some(line) => self.run_to(Goal::Line(line)),
            None => {
                let text = format!("There is no instruction on or after line {}.", line + 1);
                self.notify(Notice::info(text));
            }
        }
    }

    /// Moves to a position in the following ticks.
    pub(crate) fn run_later(&mut self, position: usize) {
        self.stepping.goal = Some(Goal::Position(position));
        self.stepping.running = true;
    }

    /// Runs to a goal: a slice now, the rest in ticks.
    fn run_to(&mut self, goal: Goal) {
        self.stepping.goal = Some(goal);
        self.stepping.running = true;
        self.run_slice(goal);
    }

    /// Runs or pauses the work-groups before the one in the timeline, which must end
    /// before it can start.
    fn run_groups(&mut self, action: TransportAction) {
        match action {
            TransportAction::ToggleRun if self.stepping.running => self.stepping.running = false,
            TransportAction::ToEnd => self.run_to(Goal::End),
            TransportAction::Seek(position) => self.run_to(Goal::Position(position)),
            _ => self.run_to(self.stepping.goal.unwrap_or(Goal::Position(0))),
        }
    }

    /// Runs a slice of the way to a goal.
    fn run_slice(&mut self, goal: Goal) {
        if !self.run_earlier_groups() {
            return;
        }
        let is_there = match goal {
            Goal::End => self.explore_slice(usize::MAX),
            Goal::Position(position) => self.explore_slice(position),
            Goal::Line(_)
            | Goal::Source(_)
            | Goal::Return { .. }
            | Goal::Iteration { .. }
            | Goal::Barrier { .. }
            | Goal::Thread(_) => self.step_slice(goal),
        };
        if is_there || self.session.at_end() {
            self.pause();
            self.arrive();
            let missed = match goal {
                Goal::Line(line) => Some(format!("line {}", line + 1)),
                Goal::Source(line) => Some(format!("source line {line}")),
                Goal::Iteration { line, .. } => {
                    Some(format!("another iteration of line {}", line + 1))
                }
                Goal::Barrier { .. } => Some(String::from("another barrier")),
                Goal::End | Goal::Position(_) | Goal::Return { .. } | Goal::Thread(_) => None,
            };
            if let Some(missed) = missed.filter(|_| !is_there) {
                self.notify(Notice::info(format!(
                    "The run ended without reaching {missed}."
                )));
            }
        } else {
            self.follow_position();
        }
    }

    /// Computes a slice of the history, goes to its end, and returns whether
    /// that is the position.
    fn explore_slice(&mut self, position: usize) -> bool {
        let known = self.session.known();
        if known < position {
            self.session.explore(position.min(known + SLICE));
        }
        self.session.seek(position);
        self.session.position() == position
    }

    /// Executes a slice and returns whether the goal is reached or the run has
    /// another reason to stop.
    fn step_slice(&mut self, goal: Goal) -> bool {
        let end = self.session.position() + SLICE;
        while self.session.position() < end && self.session.step() {
            let next = self.session.next_issue();
            if next == self.session.last_issue() {
                continue;
            }
            let issue = next.and_then(|next| self.session.issue(next));
            let executed = self
                .session
                .last_issue()
                .and_then(|last| self.session.issue(last));
            let is_of = |issue: Issue, thread: u8| issue.threads.iter().any(|own| own == thread);
            if let (Goal::Thread(thread), Some(executed)) = (goal, executed)
                && is_of(executed, thread)
            {
                return true;
            }
            let placed = |issue: Issue| self.session.program().instruction(issue);
            let reaches = |issue: Issue| match goal {
                Goal::Line(line) => placed(issue).line == line,
                Goal::Source(line) => {
                    let start = self.session.program().source_line_start(issue.instruction);
                    start == Some(line.into())
                }
                Goal::Iteration { thread, line } => {
                    placed(issue).line == line && is_of(issue, thread)
                }
                Goal::Barrier { thread } => {
                    is_barrier(placed(issue)) && thread.is_none_or(|thread| is_of(issue, thread))
                }
                Goal::Return { thread, depth } => {
                    let now = Control::new(self.session.machine(), thread).depth();
                    is_of(issue, thread) && now <= depth
                }
                Goal::End | Goal::Position(_) | Goal::Thread(_) => false,
            };
            if issue.is_some_and(reaches) || self.stop_at_breakpoint() || self.stop_at_watch() {
                return true;
            }
        }
        false
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
            self.pause();
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
        if let Some(goal) = self.stepping.goal.filter(|_| self.stepping.running) {
            self.run_slice(goal);
            return;
        }
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
        self.follow_position();
    }

    fn follow_position(&mut self) {
        self.leave_cell_editor();
        if self.outcomes.preview().is_some() {
            self.outcomes.end_preview();
        }
        self.scroll_to_step();
    }

    /// Computes at least `effects` effects, in batches.
    pub(crate) fn explore_to(&mut self, effects: usize) {
        if self.session.known() < effects {
            self.session.explore(effects.next_multiple_of(SLICE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::{BreakpointAction, RunMark, run_marks};
    use crate::store::{Action, Saved};

    /// Sums V32 + … + 1 by lane, in nine passes.
    const LOOP: &str = "\
.decl V32 v_type=G type=d num_elts=4 align=GRF
.decl V33 v_type=G type=d num_elts=4 align=GRF
.decl P1 v_type=P num_elts=4
.init em = 0xf
.init V32 = 3, 1, 9, 9
LOOP:
add (M1, 4) V33(0,0)<1> V33(0,0)<1;1,0> V32(0,0)<1;1,0>
add (M1, 4) V32(0,0)<1> V32(0,0)<1;1,0> -1:d
cmp.gt (M1, 4) P1 V32(0,0)<1;1,0> 0:d
(P1) goto (M1, 4) LOOP
ret (M1, 1)
";

    const CALL: &str = "\
.decl V32 v_type=G type=d num_elts=4 align=GRF
.init em = 0xf
call (M1, 4) SUB
add (M1, 4) V32(0,0)<1> V32(0,0)<1;1,0> 1:d
ret (M1, 1)
.function \"SUB\"
SUB:
add (M1, 4) V32(0,0)<1> V32(0,0)<1;1,0> 10:d
ret (M1, 4)
";

    fn page(text: &str) -> State {
        let state = State::new(Saved {
            text: Some(text.to_owned()),
            ..Saved::default()
        });
        assert!(state.can_run(), "{:?}", state.source.problems);
        state
    }

    fn act(state: &mut State, action: TransportAction) {
        state.act(Action::Transport(action));
    }

    /// Ticks until the run has stopped; how many it took.
    fn finish(state: &mut State) -> usize {
        (0..)
            .take_while(|_| {
                let runs = state.stepping.running;
                if runs {
                    act(state, TransportAction::Tick);
                }
                runs
            })
            .count()
    }

    /// Lines that are executed more than once, and how often.
    fn hits(state: &State) -> Vec<(u32, u32)> {
        let marks = run_marks(&state.session, None).into_iter();
        let hits =
            marks.filter_map(|mark| Some((mark.line, mark.text.strip_prefix('×')?.parse().ok()?)));
        hits.collect()
    }

    #[test]
    fn loop_counts_hits_and_stops_at_a_breakpoint_each_time() {
        let mut state = page(LOOP);
        state.act(Action::Breakpoint(BreakpointAction::Toggle(8)));
        for pass in 1..=9 {
            act(&mut state, TransportAction::ToggleRun);
            finish(&mut state);
            assert_eq!(state.current_line(), Some(8), "{pass}");
            // The line of the breakpoint and the next are one behind.
            let counts = [(6, pass), (7, pass), (8, pass - 1), (9, pass - 1)];
            let counts: Vec<_> = counts.into_iter().filter(|(_, hits)| *hits > 1).collect();
            assert_eq!(hits(&state), counts);
        }
        act(&mut state, TransportAction::ToggleRun);
        finish(&mut state);
        assert!(state.session.at_end());
        assert_eq!(hits(&state), [(6, 9), (7, 9), (8, 9), (9, 9)]);
    }

    #[test]
    fn next_iteration_returns_to_the_same_line() {
        let mut state = page(LOOP);
        act(&mut state, TransportAction::Step);
        assert_eq!(state.current_line(), Some(7));
        for pass in 2..=9 {
            act(&mut state, TransportAction::NextIteration);
            finish(&mut state);
            assert_eq!(state.current_line(), Some(7), "{pass}");
            assert_eq!(state.session.hit_counts()[0], pass);
        }
        act(&mut state, TransportAction::NextIteration);
        finish(&mut state);
        assert!(state.session.at_end());
    }

    #[test]
    fn next_barrier_and_thread_steps_follow_threads() {
        let mut state = page(
            ".threads 2\n.init em = 1\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n\
             mov (M1, 1) V32(0,0)<1> 1:d\nbarrier\nmov (M1, 1) V32(0,1)<1> 2:d\n",
        );
        act(&mut state, TransportAction::NextBarrier);
        finish(&mut state);
        assert_eq!(state.current_line(), Some(4));
        act(&mut state, TransportAction::Thread(Some(1)));
        // Fused EUs issue together.
        assert_eq!(state.current_line(), Some(4));
        act(&mut state, TransportAction::StepThread(1));
        finish(&mut state);
        assert_eq!(state.current_line(), Some(5));
        act(&mut state, TransportAction::NextBarrier);
        act(&mut state, TransportAction::Thread(None));
        assert!(state.session.at_end());
    }

    #[test]
    fn conditions_decide_whether_a_breakpoint_stops() {
        let mut state = page(LOOP);
        let condition = |text: &str| BreakpointAction::Condition(8, text.into());
        state.act(Action::Breakpoint(BreakpointAction::Toggle(8)));
        state.act(Action::Breakpoint(condition("V33(0,2) > 30")));
        act(&mut state, TransportAction::ToggleRun);
        finish(&mut state);
        assert_eq!(state.current_line(), Some(8));
        // 9 + 8 + 7 + 6 = 30.
        assert_eq!(state.session.hit_counts()[0], 5);
        state.act(Action::Breakpoint(condition("lane 0")));
        act(&mut state, TransportAction::ToggleRun);
        finish(&mut state);
        assert!(state.session.at_end());
    }

    #[test]
    fn step_over_runs_a_call_to_its_return() {
        let mut state = page(CALL);
        assert!(state.transport().has_calls);
        act(&mut state, TransportAction::StepOver);
        finish(&mut state);
        assert_eq!(state.current_line(), Some(3));
        act(&mut state, TransportAction::StepOver);
        assert_eq!(state.current_line(), Some(4));
        act(&mut state, TransportAction::ToStart);
        act(&mut state, TransportAction::RunToLine(6));
        finish(&mut state);
        // The label has no instruction: the one after it is meant.
        assert_eq!(state.current_line(), Some(7));
    }

    #[test]
    fn long_runs_go_in_slices_and_can_be_stopped() {
        let text = "\
.decl V32 v_type=G type=d num_elts=1 align=GRF
.init em = 1
LOOP:
add (M1, 1) V32(0,0)<1> V32(0,0)<0;1,0> 1:d
goto (M1, 1) LOOP
";
        let mut state = page(text);
        act(&mut state, TransportAction::ToEnd);
        assert!(state.stepping.running);
        act(&mut state, TransportAction::Tick);
        let known = state.session.known();
        assert!(state.transport().summary.starts_with("Running to the end"));
        act(&mut state, TransportAction::ToggleRun);
        assert!(!state.stepping.running);
        assert_eq!(state.session.position(), known);
        act(&mut state, TransportAction::StepBack);
        assert_eq!(state.session.position(), known - 1);
        let mut state = page(&format!(".fuel 100000\n{text}"));
        act(&mut state, TransportAction::ToEnd);
        assert!(finish(&mut state) > 1);
        assert!(state.session.at_end());
        let summary = state.transport().summary;
        assert!(summary.contains(".fuel"), "{summary}");
        assert_eq!(state.session.known(), 100_001);
        act(&mut state, TransportAction::StepBack);
        assert!(state.session.fault().is_none());
    }

    #[test]
    fn instructions_that_are_not_modelled_stop_the_run() {
        let text = "\
.target visa PVC
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl V33 v_type=G type=ub num_elts=64 align=GRF
add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 1:ud
srnd (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> V32(0,0)<1;1,0>
";
        let mut state = page(text);
        act(&mut state, TransportAction::ToEnd);
        finish(&mut state);
        let transport = state.transport();
        assert!(transport.faulted);
        assert!(
            transport
                .summary
                .contains("`srnd` on line 5 is not modelled")
        );
        let is_fault = |mark: &RunMark| mark.fault;
        let marks = run_marks(&state.session, None);
        let fault = marks.into_iter().find(is_fault).unwrap();
        assert_eq!((fault.line, &*fault.text), (4, "not-modelled"));
        act(&mut state, TransportAction::StepBack);
        assert!(!run_marks(&state.session, None).iter().any(is_fault));
    }
}
