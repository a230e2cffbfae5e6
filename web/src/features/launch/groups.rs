//! The work-groups before the one in the timeline.

use crate::features::transport::{AHEAD, TransportAction};
use crate::store::{Slice, State};
use lanewise_answer::goal::Goal;
use lanewise_answer::grids::CellBits;
use lanewise_core::ide::LaunchForm;
use lanewise_core::program::{Issue, Program};
use lanewise_core::session::{LaunchRun, Observer};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Instructions of earlier work-groups issued in a slice.
const GROUP_SLICE: u64 = 5_000;

/// A work-group to find, for which others run without being shown in the timeline.
#[derive(Clone, Debug)]
pub(crate) enum Sought {
    /// The work-group that changed a cell last.
    Writer(TracedCell),
    /// The next work-group that reaches a breakpoint.
    Stop(SoughtStop),
}

/// A search for the next work-group that reaches a breakpoint, whatever its condition.
#[derive(Clone, Debug)]
pub(crate) struct SoughtStop {
    /// The run at the start of the work-group under way.
    start: LaunchRun,
    /// The work-group in the timeline, which has ended.
    ended: u32,
    /// The last work-group: it is shown if there is nothing to stop at.
    last: u32,
}

/// Sees whether a line with a breakpoint is reached.
struct BreakpointObserver<'s> {
    lines: &'s BTreeMap<u32, Rc<str>>,
    is_reached: bool,
}

impl Observer for BreakpointObserver<'_> {
    fn issue(&mut self, program: &Program, issue: Issue, _: u32) {
        let line = program.instruction(issue).line;
        self.is_reached |= self.lines.contains_key(&line);
    }
}

impl SoughtStop {
    /// Runs work-groups, with a budget of instructions. Returns whether `run` is at the start
    /// of the one that was sought.
    fn advance(
        &mut self,
        run: &mut LaunchRun,
        program: &Program,
        lines: &BTreeMap<u32, Rc<str>>,
        budget: u64,
    ) -> bool {
        let slice_end = run.result().steps + budget;
        while run.result().steps < slice_end {
            let group = run.group();
            if group >= self.last {
                return true;
            }
            let (is_reached, lines) = (false, lines);
            let mut observer = BreakpointObserver { lines, is_reached };
            let has_ended = run.advance_observed(program, group + 1, budget, &mut observer);
            let is_sought = observer.is_reached || run.result().fault.is_some();
            if is_sought && group > self.ended {
                *run = self.start.clone();
                return true;
            }
            if !has_ended {
                return false;
            }
            self.start = run.clone();
        }
        false
    }
}

/// A cell whose last change is wanted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TracedCell {
    bits: CellBits,
    /// Its value after the work-groups so far.
    value: Option<u64>,
    /// The last of them that changed it.
    writer: Option<u32>,
}

impl TracedCell {
    /// Runs the work-groups before `end`, with a budget of instructions. Returns whether they
    /// have ended, or one has faulted.
    fn advance(&mut self, run: &mut LaunchRun, program: &Program, end: u32, budget: u64) -> bool {
        let slice_end = run.result().steps + budget;
        while run.result().steps < slice_end {
            let group = run.group();
            if group >= end || run.result().fault.is_some() {
                return true;
            }
            if !run.advance(program, group + 1, budget) {
                return false;
            }
            let value = self.bits.load(&run.result().machine);
            if value != self.value {
                (self.value, self.writer) = (value, Some(group));
            }
        }
        false
    }
}

impl State {
    /// Whether the timeline waits for the work-groups before its own.
    pub(crate) fn waits_for_groups(&self) -> bool {
        self.earlier_groups.is_some()
    }

    /// Starts over with the work-groups before the one in the timeline, if there
    /// are any. The session must be new.
    pub(crate) fn begin_earlier_groups(&mut self) {
        let program = self.session.program();
        let launch = program.launch.as_ref().filter(|launch| launch.group > 0);
        self.earlier_groups = launch.map(|_| Slice::new(LaunchRun::new(program)));
        self.earlier_warnings = Slice::default();
        self.earlier_printed = Slice::default();
        self.sought = None;
    }

    /// Runs the work-groups before the one in the timeline again, to show the one that
    /// changed a cell last.
    pub(crate) fn trace_cell(&mut self, bits: CellBits) {
        let run = LaunchRun::new(&self.source.document.program);
        self.sought = Some(Slice::new(Sought::Writer(TracedCell {
            bits,
            value: bits.load(&run.result().machine),
            writer: None,
        })));
        self.earlier_groups = Some(Slice::new(run));
        self.run_later(0);
    }

    /// Runs the work-groups after the one in the timeline, which has ended, up to the next one
    /// that reaches a breakpoint.
    pub(crate) fn seek_stop(&mut self, ended: u32, last: u32) {
        let start = match &self.finished_groups {
            Some(run) => LaunchRun::clone(run),
            None => LaunchRun::new(&self.source.document.program),
        };
        self.earlier_groups = Some(Slice::new(start.clone()));
        let sought = Sought::Stop(SoughtStop { start, ended, last });
        self.sought = Some(Slice::new(sought));
        self.stepping.goal = Some(Goal::Continue);
        self.stepping.running = true;
    }

    /// Runs some slices of the work-groups before the one in the timeline. Returns whether
    /// the timeline can go on.
    pub(crate) fn run_earlier_groups(&mut self, slices: u16) -> bool {
        let budget = GROUP_SLICE * u64::from(slices);
        let program = self.session.shared_program();
        let (Some(run), Some(launch)) = (&mut self.earlier_groups, &program.launch) else {
            return true;
        };
        let is_done = match self.sought.as_deref_mut() {
            None => run.advance(&program, launch.group, budget),
            Some(Sought::Writer(cell)) => cell.advance(run, &program, launch.group, budget),
            Some(Sought::Stop(stop)) => {
                let lines = &self.source.breakpoints.lines;
                stop.advance(run, &program, lines, budget)
            }
        };
        if !is_done {
            return false;
        }
        let run = LaunchRun::clone(run);
        self.earlier_groups = None;
        match self.sought.take().as_deref() {
            Some(Sought::Writer(cell)) => {
                if let Some(writer) = cell.writer {
                    self.show_group(writer, TransportAction::Seek(0));
                    self.run_to(Goal::LastWrite(cell.bits));
                    return false;
                }
            }
            Some(Sought::Stop(_)) => {
                let group = run.group();
                self.finished_groups = Some(Slice::new(run));
                self.continue_in_group(group);
                return false;
            }
            None => {}
        }
        if run.result().fault.is_some() {
            self.show_group(run.group(), TransportAction::ToEnd);
            return false;
        }
        self.earlier_warnings = Slice::new(run.result().warnings.clone());
        self.earlier_printed = Slice::new(run.result().printed.clone());
        let continued = run.clone().continue_in_timeline(&program);
        let program = Rc::new(continued);
        self.outcomes.continue_after(&run, &program);
        self.finished_groups = Some(Slice::new(run));
        self.start_session(program);
        self.session.precompute(AHEAD);
        true
    }

    /// Shows another work-group in the timeline, and goes to a place in it.
    pub(crate) fn show_group(&mut self, group: u32, go: TransportAction) {
        let text = self.text();
        let Some(mut form) = LaunchForm::read(&text) else {
            self.report_no_launch();
            return;
        };
        form.group = group.to_string();
        // The text changes, the work-groups that have run do not.
        let finished = self.finished_groups.take();
        self.edit(&form.write(&text));
        self.finished_groups = finished.filter(|run| run.group() <= group);
        if let (Some(finished), Some(run)) = (&self.finished_groups, &mut self.earlier_groups) {
            *run = finished.clone();
        }
        self.apply_transport(go);
    }

    /// Gives up looking for a work-group; the timeline is as before.
    pub(crate) fn stop_tracing(&mut self) {
        if self.sought.take().is_some() {
            self.earlier_groups = None;
        }
    }

    /// Progress of the work-groups that run without being in the timeline: `work-group 3 of
    /// the 8 before this one`.
    pub(crate) fn group_progress(&self) -> Option<String> {
        let run = self.earlier_groups.as_ref()?;
        let launch = self.session.program().launch.as_ref()?;
        let noun = launch.words().work_group;
        let group = run.group();
        Some(match self.sought.as_deref() {
            Some(Sought::Stop(stop)) => format!("{noun} {group} of {}", stop.last + 1),
            Some(Sought::Writer(_)) | None => {
                format!("{noun} {group} of the {} before this one", launch.group)
            }
        })
    }
}
