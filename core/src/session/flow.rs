//! Effects of control-flow instructions on the channels of their threads.

use super::{IssueIndex, Session, Stepper};
use crate::isa::sass::op::flow::WarpFlow;
use crate::machine::control::{ChannelState, Continuation, Control};
use crate::machine::warp::{Wait, WarpLanes};
use crate::machine::{Machine, NoJournal};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The channels of a thread before and after a control-flow instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadFlow {
    pub thread: u8,
    /// How the active channels continue.
    pub continuation: Continuation,
    /// The channels that the thread was dispatched with.
    pub channels: Vec<ChannelFlow>,
}

/// A channel before and after a control-flow instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelFlow {
    /// Its number.
    pub channel: u8,
    /// Where it was.
    pub before: ChannelState,
    /// Where it is once the instruction is executed.
    pub after: ChannelState,
    /// Whether it takes the branch, call or return.
    pub is_taken: bool,
    /// Whether a lane of a warp then waits for others.
    pub waits: bool,
}

impl Session {
    /// Effect of a control-flow instruction on the channels of the threads
    /// that issue it; empty for other instructions and for one that faults.
    #[must_use]
    pub fn flow(&self, index: IssueIndex) -> Vec<ThreadFlow> {
        let program = self.program();
        let Some(issue) = self.issue(index) else {
            return Vec::new();
        };
        let instruction = &program.instruction(issue).instruction;
        let warp = instruction.warp_flow();
        if warp.is_none() && instruction.branch().is_none() {
            return Vec::new();
        }
        let before = self.state_before(index);
        let mut stepper = Stepper::default();
        if stepper.evaluate(program, issue, index.0, &before).is_some() {
            return Vec::new();
        }
        let mut after = before.clone();
        stepper.apply(program, issue, &mut after, &mut NoJournal);
        let flow = |thread, continuation, taken, waits| {
            thread_flow([&before, &after], thread, continuation, taken, waits)
        };
        if let Some((sass, kind)) = warp {
            let thread = issue.threads.first();
            let continuation = match kind {
                WarpFlow::Barrier => Continuation::Barrier,
                _ => Continuation::Next,
            };
            let active = Control::new(&before, thread).active();
            let taken = sass.affected(&before, thread, active);
            let lanes = WarpLanes::load(&after, thread);
            let waits = lanes.waits.map(|wait| wait != Wait::None);
            return Vec::from([flow(thread, continuation, taken, waits)]);
        }
        let threads = issue.threads.iter().zip(stepper.continuations());
        let threads = threads.map(|(thread, continuation)| {
            let taken = match *continuation {
                Continuation::Goto { taken, .. }
                | Continuation::Call { taken, .. }
                | Continuation::Return { taken } => taken,
                Continuation::End => u32::MAX,
                Continuation::Next
                | Continuation::Barrier
                | Continuation::Signal { .. }
                | Continuation::Wait { .. } => 0,
            };
            flow(thread, *continuation, taken, [false; 32])
        });
        threads.collect()
    }

    /// Where the channels of a thread continue, in words: `5 channels continue
    /// at line 12, 11 at line 8`.
    pub(super) fn describe_flow(&self, flow: &ThreadFlow) -> String {
        let is_warp = self.program().has_warps();
        let line = |pc: u32, waits: bool| match self.program().line_at(pc) {
            Some(line) if waits => format!("wait at line {}", line + 1),
            Some(line) => format!("continue at line {}", line + 1),
            None => String::from("end"),
        };
        match flow.continuation {
            Continuation::Barrier if !is_warp => {
                return String::from("the thread is at the barrier");
            }
            Continuation::Signal { barrier, threads } => {
                return format!("the thread signals barrier {barrier} of {threads} threads");
            }
            Continuation::Wait { barrier } => {
                let stays = |channel: &ChannelFlow| channel.before == channel.after;
                return match flow.channels.iter().all(stays) {
                    true => format!("the thread waits at barrier {barrier}"),
                    false => format!("barrier {barrier} is complete"),
                };
            }
            _ => {}
        }
        let mut groups: Vec<(String, usize)> = Vec::new();
        for channel in &flow.channels {
            if !matches!(channel.before, ChannelState::Active { .. }) {
                continue;
            }
            let place = match channel.after {
                ChannelState::Active { .. } | ChannelState::Waiting { .. }
                    if channel.waits && flow.continuation == Continuation::Barrier =>
                {
                    String::from("wait at the barrier")
                }
                ChannelState::Active { pc } | ChannelState::Waiting { pc, .. } => {
                    line(pc, channel.waits)
                }
                ChannelState::Ended => String::from("end"),
            };
            match groups.iter_mut().find(|(known, _)| *known == place) {
                Some((_, count)) => *count += 1,
                None => groups.push((place, 1)),
            }
        }
        let unit = self.program().words().channel;
        let channels = |count: usize| match count {
            1 => format!("1 {unit}"),
            count => format!("{count} {unit}s"),
        };
        let groups = groups.iter().map(|(place, count)| {
            let place = match count {
                1 => place
                    .replace("continue", "continues")
                    .replace("wait", "waits")
                    .replace("end", "ends"),
                _ => place.clone(),
            };
            format!("{} {place}", channels(*count))
        });
        groups.collect::<Vec<_>>().join(", ")
    }
}

/// The channels of a thread before and after an instruction, of which `taken` and `waits`
/// tell which take the branch and which then wait.
fn thread_flow(
    [before, after]: [&Machine; 2],
    thread: u8,
    continuation: Continuation,
    taken: u32,
    waits: [bool; 32],
) -> ThreadFlow {
    let (was, is) = (Control::new(before, thread), Control::new(after, thread));
    let channels = (0..32_u8).filter(|channel| was.dispatched() >> channel & 1 == 1);
    let channel = |channel: u8| {
        let (before, after) = (was.channel(channel), is.channel(channel));
        let is_active = matches!(before, ChannelState::Active { .. });
        ChannelFlow {
            channel,
            before,
            after,
            is_taken: is_active && taken >> channel & 1 == 1,
            waits: waits[usize::from(channel)] && after != ChannelState::Ended,
        }
    };
    ThreadFlow {
        thread,
        continuation,
        channels: channels.map(channel).collect(),
    }
}
