//! The work-groups before the one in the timeline.

use crate::features::transport::{AHEAD, TransportAction};
use crate::store::{Slice, State};
use lanewise_answer::grids::CellBits;
use lanewise_core::ide::LaunchForm;
use lanewise_core::program::Program;
use lanewise_core::session::{LaunchRun, Session};
use std::rc::Rc;

/// Instructions of earlier work-groups issued in a slice.
const GROUP_SLICE: u64 = 5_000;

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
        self.traced = None;
    }

    /// Runs the work-groups before the one in the timeline again, to show the one that
    /// changed a cell last.
    pub(crate) fn trace_cell(&mut self, bits: CellBits) {
        let run = LaunchRun::new(&self.source.document.program);
        self.traced = Some(TracedCell {
            bits,
            value: bits.load(&run.result().machine),
            writer: None,
        });
        self.earlier_groups = Some(Slice::new(run));
        self.run_later(0);
    }

    /// Runs some slices of the work-groups before the one in the timeline. Returns whether
    /// the timeline can go on.
    pub(crate) fn run_earlier_groups(&mut self, slices: u16) -> bool {
        let budget = GROUP_SLICE * u64::from(slices);
        let program = self.session.shared_program();
        let (Some(run), Some(launch)) = (&mut self.earlier_groups, &program.launch) else {
            return true;
        };
        let is_done = match &mut self.traced {
            None => run.advance(&program, launch.group, budget),
            Some(traced) => traced.advance(run, &program, launch.group, budget),
        };
        if !is_done {
            return false;
        }
        let run = LaunchRun::clone(run);
        self.earlier_groups = None;
        if let Some(writer) = self.traced.take().and_then(|traced| traced.writer) {
            self.show_group(writer, TransportAction::ToEnd);
            return false;
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
        let granularity = self.stepping.step_size.granularity();
        *self.session = Session::with_granularity(program, granularity);
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
        self.edit(&form.write(&text));
        self.apply_transport(go);
    }

    /// Gives up looking for the work-group that changed a cell; the timeline is as before.
    pub(crate) fn stop_tracing(&mut self) {
        if self.traced.take().is_some() {
            self.earlier_groups = None;
        }
    }

    /// Progress of the earlier work-groups: the running one and their number.
    pub(crate) fn group_progress(&self) -> Option<(u32, u32)> {
        let run = self.earlier_groups.as_ref()?;
        let launch = self.session.program().launch.as_ref()?;
        Some((run.group(), launch.group))
    }
}
