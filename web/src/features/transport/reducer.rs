use super::model::is_call;
use super::stepping::{SLICE, upcoming_instruction};
use super::{AHEAD, Speed, StepSize, TransportAction};
use crate::features::notice::NoticeKind;
use crate::store::State;
use lanewise_answer::goal::Goal;
use lanewise_core::machine::control::{Control, ThreadState};
use lanewise_core::program::{Issue, Program};
use lanewise_core::session::{Session, StepKind, StepUnit, ThreadStep};
use lanewise_saved::Position;
use std::rc::Rc;

impl State {
    pub(crate) fn apply_transport(&mut self, action: TransportAction) {
        if action.moves() {
            self.stop_for_move();
        }
        if self.waits_for_groups() && (action.moves() || action == TransportAction::ToggleRun) {
            self.run_groups(action);
            return;
        }
        if action.moves() && !self.can_run() {
            return;
        }
        match action {
            TransportAction::Step => self.step(),
            TransportAction::StepBack => self.step_back(),
            TransportAction::ToStart => self.go_to_start(),
            TransportAction::ToEnd => self.run_to(Goal::End),
            TransportAction::Seek(position) => self.seek(position),
            TransportAction::NextInstruction => self.seek_next_instruction(),
            TransportAction::PreviousInstruction => self.seek_previous_instruction(),
            TransportAction::StepOver => self.step_over(),
            TransportAction::StepOut => self.step_thread(StepKind::Out),
            TransportAction::Continue => self.continue_run(),
            TransportAction::RunToLine(line) => self.run_to_line(line),
            TransportAction::RunToSourceLine(line) => self.run_to(Goal::Source(line)),
            TransportAction::NextBarrier => {
                let thread = self.stepping.thread;
                self.run_to(Goal::Barrier { thread });
            }
            TransportAction::NextIteration => self.run_to_iteration(),
            TransportAction::StepThread(thread) if !self.can_step(thread) => {}
            TransportAction::StepThread(thread) => self.run_to(Goal::Thread(thread)),
            TransportAction::Thread(thread) => self.stepping.thread = thread,
            TransportAction::Reset => self.reset(),
            TransportAction::ToggleRun => self.toggle_run(),
            TransportAction::Tick { slices } => self.tick(slices),
            TransportAction::Speed(speed) => self.stepping.speed = speed,
            TransportAction::StepSize(size) => {
                let is_kernel = self.is_kernel();
                self.stepping.chosen_step_sizes[usize::from(is_kernel)] = Some(size);
                self.set_step_size(size);
            }
        }
    }

    /// Line of the current instruction, from 0, if the text can run: the
    /// instruction under way or about to be executed; at the end, the last.
    pub(crate) fn current_line(&self) -> Option<u32> {
        let line = self.chosen_thread_line().or_else(|| {
            let upcoming = upcoming_instruction(&self.session)?;
            Some(self.session.program().instructions.get(upcoming)?.line)
        });
        line.filter(|_| self.can_run())
    }

    /// Label of the line of the instruction of the stage. Between two
    /// instructions, the stage shows the effects of the last one, and the program
    /// marks the next one.
    pub(crate) fn pictured_line_label(&self, pictured: u32) -> Option<String> {
        let shown = pictured + 1;
        let is_preview = self.outcomes.preview().is_some();
        Some(match self.current_line()? + 1 {
            next if next != shown && !is_preview => {
                format!("Line {shown}, executed (next: line {next}): ")
            }
            _ => format!("Line {shown}: "),
        })
    }

    pub(crate) fn next_issue(&self) -> Option<Issue> {
        self.session.issue(self.session.next_issue()?)
    }

    /// Line of the next instruction of the chosen thread, unless it has ended.
    fn chosen_thread_line(&self) -> Option<u32> {
        let program = self.session.program();
        let chosen = self.stepping.thread?;
        if chosen >= program.threads {
            return None;
        }
        let control = Control::new(self.session.machine(), chosen);
        let runs = control.state() != ThreadState::Ended;
        let pc = program.after_marks(control.pc());
        let placed = program.instructions.get(pc as usize)?;
        runs.then_some(placed.line)
    }

    fn run_to_iteration(&mut self) {
        let chosen = self.stepping.thread.zip(self.chosen_thread_line());
        let next = self.next_issue().map(|issue| {
            let line = self.session.program().instruction(issue).line;
            (issue.threads.first(), line)
        });
        if let Some((thread, line)) = chosen.or(next) {
            self.run_to(Goal::Iteration { thread, line });
        }
    }

    /// Position in the run, as saved.
    pub(crate) fn position(&self) -> Position {
        Position {
            step: self.destination(),
            stride: String::from(self.stepping.step_size.key()),
        }
    }

    pub(crate) fn restore_position(&mut self, position: &Position) {
        if let Some(size) = StepSize::of_key(&position.stride) {
            self.set_step_size(size);
            if !self.is_kernel() {
                self.stepping.chosen_step_sizes[0] = Some(size);
            }
        }
        self.seek_unexplored(position.step);
    }

    /// The position, or the one that a run was asked for.
    pub(crate) fn destination(&self) -> usize {
        match self.stepping.goal {
            Some(Goal::Position(position)) if self.sought.is_none() => position,
            _ => self.session.position(),
        }
    }

    pub(crate) fn pause(&mut self) {
        self.stepping.running = false;
        self.stepping.goal = None;
    }

    /// Before each manual move: pauses the run and clears messages about the
    /// position.
    fn stop_for_move(&mut self) {
        self.pause();
        self.stop_tracing();
        self.start_error = None;
        self.leave_breakpoint();
    }

    /// Moves to a position at the user's request.
    pub(crate) fn move_to(&mut self, position: usize) {
        self.stop_for_move();
        self.explore_to(position);
        self.seek(position);
    }

    /// Moves to a position that may not be known yet, as soon as the work-groups before
    /// the one in the timeline have ended.
    pub(crate) fn seek_unexplored(&mut self, position: usize) {
        if self.can_run() {
            if !self.waits_for_groups() {
                self.explore_to(AHEAD);
            }
            self.run_to(Goal::Position(position));
        }
    }

    fn step(&mut self) {
        if !self.can_run() {
            return;
        }
        if self.stepping.step_size == StepSize::Line {
            return self.step_thread(StepKind::Into);
        }
        let start = self.session.position();
        self.skip_marks();
        if self.stepping.step_size == StepSize::Instruction {
            self.seek_next_instruction();
        } else if self.session.step() || self.session.position() > start {
            self.after_move();
        }
    }

    /// Passes the marks of source lines, which compute nothing, before the next
    /// instruction.
    fn skip_marks(&mut self) {
        while let Some(next) = self.next_issue()
            && let placed = self.session.program().instruction(next)
            && placed.instruction.is_source_mark()
            && self.session.step()
        {}
    }

    fn step_back(&mut self) {
        match self.stepping.step_size {
            StepSize::Instruction => self.seek_previous_instruction(),
            StepSize::Line => self.seek(self.session.previous_line_start()),
            StepSize::Access | StepSize::Channel => {
                self.session.step_back();
                self.after_move();
            }
        }
    }

    fn seek(&mut self, position: usize) {
        if self.can_run() {
            self.session.seek(position);
            self.after_move();
        }
    }

    /// Goes to the start of the program; of a launch, to that of its first work-group.
    fn go_to_start(&mut self) {
        let launch = self.session.program().launch.as_ref();
        match launch.is_some_and(|launch| launch.group > 0) {
            true => self.show_group(0, TransportAction::Seek(0)),
            false => self.seek(0),
        }
    }

    /// Executes one instruction or line; of a call, until it has returned.
    fn step_over(&mut self) {
        let program = self.session.program();
        let calls = upcoming_instruction(&self.session)
            .is_some_and(|at| is_call(&program.instructions[at]));
        if calls || self.stepping.step_size == StepSize::Line {
            self.step_thread(StepKind::Over);
        } else {
            self.skip_marks();
            self.seek_next_instruction();
        }
    }

    /// Begins a step of the chosen thread, or of the next one.
    fn step_thread(&mut self, kind: StepKind) {
        let Some(issue) = self.next_issue() else {
            return;
        };
        let chosen = self.stepping.thread.filter(|thread| self.can_step(*thread));
        let thread = chosen.unwrap_or(issue.threads.first());
        let unit = match self.stepping.step_size {
            StepSize::Line => StepUnit::Line,
            _ => StepUnit::Instruction,
        };
        self.run_to(Goal::Step(ThreadStep::begin(
            &self.session,
            thread,
            kind,
            unit,
        )));
    }

    /// Runs up to a breakpoint or a write of a watched cell, or to the end of the launch.
    fn continue_run(&mut self) {
        match self.session.at_end() {
            true => self.continue_in_next_group(),
            false => self.run_to(Goal::Continue),
        }
    }

    /// Whether there is something to stop at.
    fn has_stops(&self) -> bool {
        !self.source.breakpoints.lines.is_empty() || !self.state_view.inspect.watches.is_empty()
    }

    /// Continues with the next work-group; if there is nothing to stop at, with the last one.
    fn continue_in_next_group(&mut self) {
        let launch = self.session.program().launch.as_ref();
        let Some(last) = launch.and_then(|launch| launch.group_count().checked_sub(1)) else {
            return;
        };
        let group = launch.map_or(0, |launch| launch.group);
        if group >= last || self.session.fault().is_some() {
            return;
        }
        let has_watches = !self.state_view.inspect.watches.is_empty();
        match self.has_stops() {
            true if has_watches => self.continue_in_group(group + 1),
            true => self.seek_stop(group, last),
            false => self.continue_in_group(last),
        }
    }

    /// Shows a work-group in the timeline, and continues in it.
    pub(crate) fn continue_in_group(&mut self, group: u32) {
        self.show_group(group, TransportAction::Seek(0));
        if self.can_run() {
            self.stepping.goal = Some(Goal::Continue);
            self.stepping.running = true;
        }
    }

    /// Whether a work-group comes after the one in the timeline.
    pub(crate) fn has_later_groups(&self) -> bool {
        let launch = self.session.program().launch.as_ref();
        launch.is_some_and(|launch| launch.group + 1 < launch.group_count())
    }

    /// Runs up to an instruction on a line, or the next instruction after it.
    fn run_to_line(&mut self, line: u32) {
        let mut lines = self.session.program().instructions.iter().map(|p| p.line);
        match lines.find(|instruction| *instruction >= line) {
            Some(line) => self.run_to(Goal::Line(line)),
            None => {
                let text = format!("No instruction on or after line {}.", line + 1);
                self.notify(NoticeKind::Brief, text);
            }
        }
    }

    /// Runs from the start of the work-group in the timeline to the first execution of a
    /// line.
    pub(crate) fn run_from_start_to(&mut self, line: u32) {
        self.stop_for_move();
        self.seek(0);
        if self.current_line() != Some(line) {
            self.run_to(Goal::Line(line));
        }
    }

    /// Moves to a position in the following ticks.
    pub(crate) fn run_later(&mut self, position: usize) {
        self.stepping.goal = Some(Goal::Position(position));
        self.stepping.running = true;
    }

    /// Runs to a goal: a slice now, the rest in ticks.
    pub(crate) fn run_to(&mut self, goal: Goal) {
        if self.can_run() {
            self.stepping.goal = Some(goal);
            self.stepping.running = true;
            self.run_slices(goal, 1);
        }
    }

    /// Runs or pauses the work-groups before the one in the timeline, which must end
    /// before it can start.
    fn run_groups(&mut self, action: TransportAction) {
        match action {
            TransportAction::ToggleRun if self.stepping.running => self.stepping.running = false,
            TransportAction::ToStart => self.go_to_start(),
            TransportAction::ToEnd => self.run_to(Goal::End),
            TransportAction::Continue => self.run_to(Goal::Continue),
            TransportAction::Seek(position) => self.run_to(Goal::Position(position)),
            _ => self.run_to(self.stepping.goal.unwrap_or(Goal::Position(0))),
        }
    }

    /// Runs some slices of the way to a goal.
    fn run_slices(&mut self, goal: Goal, slices: u16) {
        if !self.run_earlier_groups(slices) {
            return;
        }
        let effects = SLICE * usize::from(slices);
        let is_reached = match goal {
            Goal::End | Goal::LastWrite(_) => self.explore(usize::MAX, effects),
            Goal::Continue if !self.has_stops() => self.explore(usize::MAX, effects),
            Goal::Position(position) => self.explore(position, effects),
            _ => self.step_until(goal, effects),
        };
        if is_reached || self.session.at_end() {
            self.pause();
            if is_reached && !matches!(goal, Goal::End | Goal::Position(_) | Goal::Thread(_)) {
                self.show_stopped_thread();
            }
            self.after_move();
            match goal {
                Goal::Continue if !is_reached && self.session.at_end() => {
                    self.continue_in_next_group();
                }
                Goal::LastWrite(cell) => self.seek_last_write(cell),
                _ => {}
            }
            if let Some(missed) = goal.missed().filter(|_| !is_reached) {
                self.notify(
                    NoticeKind::Brief,
                    format!("The run ended without reaching {missed}."),
                );
            }
        } else {
            self.follow_position();
        }
    }

    /// Follows the schedule again if the run has stopped in another thread than the chosen one.
    fn show_stopped_thread(&mut self) {
        let stopped = self.next_issue().map(|issue| issue.threads);
        let is_elsewhere =
            |chosen: u8| stopped.is_some_and(|of| of.iter().all(|own| own != chosen));
        if self.stepping.thread.is_some_and(is_elsewhere) {
            self.stepping.thread = None;
            self.stepping.channel = None;
        }
    }

    /// Computes the history on the way to a position, at most a number of effects. Goes to
    /// its end, and returns whether that is the position.
    fn explore(&mut self, position: usize, effects: usize) -> bool {
        let known = self.session.known();
        if known < position {
            self.session.precompute(position.min(known + effects));
        }
        self.session.seek(position);
        self.session.position() == position
    }

    /// Executes at most a number of effects and returns whether the goal is reached or the
    /// run has another reason to stop.
    fn step_until(&mut self, goal: Goal, effects: usize) -> bool {
        let end = self.session.position() + effects;
        while self.session.position() < end && self.session.step() {
            let is_under_way = self.session.next_issue() == self.session.last_issue();
            if !is_under_way
                && (goal.is_reached(&self.session)
                    || self.stop_at_breakpoint()
                    || self.stop_at_watch())
            {
                return true;
            }
        }
        false
    }

    fn reset(&mut self) {
        self.start_session(self.session.shared_program());
        self.explore_to(AHEAD);
        self.after_move();
    }

    /// Starts a run of a program, with effects as fine as the step size requires.
    pub(crate) fn start_session(&mut self, program: Rc<Program>) {
        let granularity = self.stepping.step_size.granularity();
        *self.session = Session::with_granularity(program, granularity);
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

    fn tick(&mut self, slices: u16) {
        if let Some(goal) = self.stepping.goal.filter(|_| self.stepping.running) {
            self.run_slices(goal, slices);
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
        let issue = self.session.next_issue();
        while self.session.next_issue() == issue && self.session.step() {}
        self.after_move();
    }

    /// Seeks back to the start of this instruction, or of the previous one if
    /// already there.
    fn seek_previous_instruction(&mut self) {
        let last = self.session.last_issue();
        let start = last.and_then(|last| self.session.issue_start(last));
        self.session.seek(start.unwrap_or(0));
        self.after_move();
    }

    /// Whether the program is a kernel, launched in the page rather than in a player.
    pub(crate) fn is_kernel(&self) -> bool {
        self.source.document.program.launch.is_some() && !self.is_player()
    }

    /// Sets the step size that the user has chosen for programs like this one, or the usual
    /// one.
    pub(crate) fn restore_step_size(&mut self) {
        let chosen = self.stepping.chosen_step_sizes[usize::from(self.is_kernel())];
        self.set_step_size(chosen.unwrap_or(self.usual_step_size()));
    }

    /// Step size of programs for which the user has not chosen one.
    pub(crate) fn usual_step_size(&self) -> StepSize {
        match self.is_kernel() {
            true if self.kernel_source().is_some() => StepSize::Line,
            true => StepSize::Instruction,
            false => StepSize::Access,
        }
    }

    /// Sets the step size. Finer effects change the history but not the run:
    /// the position is kept.
    pub(crate) fn set_step_size(&mut self, size: StepSize) {
        self.stepping.step_size = size;
        if size.granularity() == self.session.granularity() {
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
        let mut new = Session::with_granularity(old.shared_program(), size.granularity());
        new.precompute(old.known().max(AHEAD));
        let mut starts = new.issue_starts();
        let from = starts.nth(index).unwrap_or(0);
        let to = starts.next().unwrap_or(new.known());
        drop(starts);
        new.seek(from + within * (to - from) / of);
        *self.session = new;
        self.after_move();
    }

    /// After each move: computes further history and scrolls to changes.
    fn after_move(&mut self) {
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
            self.session.precompute(effects.next_multiple_of(SLICE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::launch::LaunchAction;
    use crate::features::program::{BreakpointAction, Origin, ProgramAction};
    use lanewise_core::library::named;
    use lanewise_core::session::LaunchRun;

    #[test]
    fn a_tick_with_more_slices_goes_further() {
        // Two million work-items in groups of one thread.
        let text = ".launch global=2097152 local=8 group=262143\n.simd 8\n\
             .decl V32 v_type=G type=d num_elts=8 align=GRF\nmov (M1, 8) V32(0,0)<1> 1:d\n\
             mov (M1, 8) V32(0,0)<1> 2:d\nret (M1, 1)\n";
        let groups = |slices| {
            let mut state = State::of_text(text);
            state.act(TransportAction::ToEnd);
            let running = |state: &State| state.earlier_groups.as_ref().unwrap().group();
            let before = running(&state);
            state.act(TransportAction::Tick { slices });
            running(&state) - before
        };
        assert!(groups(1) > 0);
        assert!(groups(8).abs_diff(8 * groups(1)) < 8);
    }

    /// A hundred work-groups, of which only number 7 executes line 7, counted from 0.
    const ONE_REACHES_LINE_7: &str = ".launch global=800 local=8\n.simd 8\n\
         .decl V32 v_type=G type=d num_elts=8 align=GRF\n\
         .decl V33 v_type=G type=d num_elts=8 align=GRF alias=<%r0, 0>\n\
         .decl P1 v_type=P num_elts=8\n\
         cmp.ne (M1, 8) P1 V33(0,1)<0;1,0> 7:d\n(P1) goto (M1, 8) END\n\
         mov (M1, 8) V32(0,0)<1> 1:d\nEND:\nret (M1, 1)\n";

    #[test]
    fn continue_skips_groups_that_reach_no_breakpoint() {
        let mut state = State::of_text(ONE_REACHES_LINE_7);
        assert!(state.can_run(), "{:?}", state.session.program().diagnostics);
        state.act(BreakpointAction::Toggle(7));
        state.run(TransportAction::Continue);
        assert_eq!((state.group(), state.current_line()), (7, Some(7)));
        assert!(!state.waits_for_groups() && !state.stepping.running);
        state.run(TransportAction::Continue);
        assert_eq!((state.group(), state.session.at_end()), (99, true));
        // A move gives up the search; the timeline is as before.
        state.act(LaunchAction::ShowGroup(0));
        state.end_run();
        state.act(TransportAction::ToEnd);
        state.seek_stop(0, 99);
        assert!(state.waits_for_groups());
        state.act(TransportAction::StepBack);
        assert!(!state.waits_for_groups() && state.group() == 0);
    }

    #[test]
    fn continue_stops_in_every_group_with_the_memory_that_the_earlier_ones_leave() {
        let mut state = State::of_scenario("kernel-histogram");
        let text = (state.text()).replacen("global=64", "global=640", 1);
        state.act(ProgramAction::Edit(text));
        let program = Rc::clone(&state.source.document.program);
        let count = program.launch.as_ref().unwrap().group_count();
        assert!(count > 10);
        let line = program.instructions.last().unwrap().line;
        state.act(BreakpointAction::Toggle(line));
        for group in 0..count {
            state.run(TransportAction::Continue);
            assert_eq!((state.group(), state.current_line()), (group, Some(line)));
            let mut alone = LaunchRun::new(&program);
            assert!(alone.advance(&program, group, u64::MAX));
            let program = &state.source.document.program;
            let start = alone.continue_in_timeline(program).start;
            let shown = &state.session.program().start;
            assert_eq!(format!("{start:?}"), format!("{shown:?}"), "group {group}");
        }
        state.run(TransportAction::Continue);
        assert_eq!((state.group(), state.session.at_end()), (count - 1, true));
    }

    #[test]
    fn ended_threads_take_no_steps() {
        let text = ".threads 2\n.init em = 1\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n\
             .decl P1 v_type=P num_elts=8\n.init EU1.P1 = 1\n(P1) goto (M1, 1) LATER\n\
             ret (M1, 1)\nLATER:\nmov (M1, 1) V32(0,0)<1> 1:d\nmov (M1, 1) V32(0,1)<1> 2:d\n";
        let mut state = State::of_text(text);
        let step = |state: &mut State| {
            state.act(TransportAction::StepThread(0));
            state.session.position()
        };
        while state.can_step(0) {
            step(&mut state);
        }
        let position = state.session.position();
        assert_eq!(step(&mut state), position);
        assert!(!state.session.at_end());
    }

    #[test]
    fn a_stop_shows_the_thread_that_has_stopped() {
        let text = ".launch global=16 local=16\n.simd 8\n.decl V32 v_type=G type=d num_elts=8\n\
             mov (M1, 1) V32(0,0)<1> 1:d\nmov (M1, 1) V32(0,1)<1> 2:d\n";
        let mut state = State::of_text(text);
        state.act(BreakpointAction::Toggle(4));
        state.act(TransportAction::Thread(Some(0)));
        state.run(TransportAction::Continue);
        assert_eq!(
            (state.session.position(), state.stepping.thread),
            (1, Some(0))
        );
        state.run(TransportAction::Continue);
        assert_eq!((state.session.position(), state.stepping.thread), (3, None));
        state.act(TransportAction::Thread(Some(0)));
        state.run(TransportAction::ToEnd);
        assert_eq!(state.stepping.thread, Some(0));
    }

    fn source_line(state: &State) -> Option<u64> {
        let at = u32::try_from(upcoming_instruction(&state.session)?).unwrap();
        Some(state.session.program().source_line(at)?.1)
    }

    #[test]
    fn kernels_step_by_source_line_and_other_programs_do_not() {
        let mut state = State::of_scenario("kernel-histogram");
        assert_eq!(state.stepping.step_size, StepSize::Line);
        state.run(TransportAction::RunToSourceLine(4));
        let line = |state: &mut State, action| {
            state.run(action);
            source_line(state)
        };
        assert_eq!(source_line(&state), Some(4));
        assert_eq!(line(&mut state, TransportAction::Step), Some(5));
        assert_eq!(line(&mut state, TransportAction::StepBack), Some(4));
        assert_eq!(line(&mut state, TransportAction::StepOver), Some(5));
        assert_eq!(line(&mut state, TransportAction::StepOut), Some(10));
        assert!(state.session.at_end());
        // The choice for kernels is not that for scenarios.
        state.act(TransportAction::StepSize(StepSize::Instruction));
        assert_eq!(
            State::of_scenario("lock").stepping.step_size,
            StepSize::Access
        );
        for (id, size) in [
            ("lock", StepSize::Access),
            ("kernel-tiles", StepSize::Instruction),
        ] {
            let scenario = named(id).unwrap();
            state.load(Origin::Bundled(scenario), scenario.text);
            assert_eq!(state.stepping.step_size, size);
        }
    }

    #[test]
    fn launch_continues_through_its_groups_and_stops_at_breakpoints() {
        let mut state = State::of_scenario("kernel-histogram");
        state.run(TransportAction::Continue);
        assert!(state.session.at_end() && state.group() == 1 && !state.has_later_groups());
        // The start is that of the launch, also at the start of a later group.
        for moves in [None, Some(TransportAction::Seek(0))] {
            state.act(LaunchAction::ShowGroup(1));
            state.end_run();
            state.run(TransportAction::ToEnd);
            if let Some(action) = moves {
                state.run(action);
            }
            state.run(TransportAction::ToStart);
            assert_eq!((state.group(), state.session.position()), (0, 0));
        }
        state.run(TransportAction::Continue);
        state.run(TransportAction::Continue);
        assert_eq!(state.group(), 1);
        let mut state = State::of_scenario("kernel-histogram");
        state.act(BreakpointAction::ToggleSource(8));
        state.act(BreakpointAction::Condition(
            state.source.breakpoints.lines()[0],
            "global_id == 40".into(),
        ));
        state.run(TransportAction::Continue);
        assert_eq!((state.group(), source_line(&state)), (1, Some(8)));
        let before = state.session.position();
        state.run(TransportAction::Continue);
        assert!(state.session.at_end() && state.session.position() > before);
    }
}
