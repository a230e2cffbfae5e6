//! Model of the control-flow picture.

use crate::lanes::grouped;
use crate::operands::operand_text;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::isa::sass::op::SassInstruction;
use lanewise_core::isa::sass::op::flow::WarpFlow;
use lanewise_core::isa::visa::op::FlowKind;
use lanewise_core::isa::{Instruction, Style, Unit};
use lanewise_core::machine::control::{ChannelState, Continuation, Control, ThreadState};
use lanewise_core::machine::warp::{Wait, WarpLanes};
use lanewise_core::program::{Block, EdgeKind, Program};
use lanewise_core::session::{ChannelFlow, Session, ThreadFlow};
use lanewise_core::text::SyntaxPart;

/// Blocks of a program with the lanes of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowModel {
    /// Name of the thread, if there are several.
    pub thread: Option<String>,
    pub blocks: Vec<FlowBlock>,
    pub edges: Vec<FlowEdge>,
    /// Lanes that have ended.
    pub ended: Vec<Unit>,
    /// Where the current branch sends the lanes.
    pub decisions: Vec<Decision>,
    /// At a barrier: its threads, those that wait first.
    pub arrivals: Vec<Arrival>,
}

/// Thread at a barrier, or on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub name: String,
    pub waits: bool,
    /// `waits for the others`, `not yet arrived (line 26)`.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowBlock {
    /// `LOOP`, or `line 12`.
    pub name: String,
    /// `lines 12–16, barrier`.
    pub about: String,
    /// First line, from 0.
    pub line: u32,
    /// Number of executions.
    pub count: u32,
    pub runs: Vec<Unit>,
    pub waits: Vec<Unit>,
    /// Whether the thread waits there at a barrier.
    pub at_barrier: bool,
    /// Whether the last instruction executed was in the block.
    pub is_current: bool,
    /// Whether channels can continue with the next block.
    pub falls_through: bool,
    /// Number of lanes for which the current branch falls through to the next block.
    pub fallthrough_lanes: Option<usize>,
}

/// Edge from one block to another that does not follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowEdge {
    pub from: usize,
    pub to: usize,
    pub is_call: bool,
    /// Distance from the blocks, in steps; edges side by side differ.
    pub depth: usize,
    /// Number of lanes that the current branch sends along.
    pub lanes: Option<usize>,
}

/// Lanes that a branch treats alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub units: Vec<Unit>,
    /// `branch to LOOP: predicate P1 is set`.
    pub text: String,
    pub is_taken: bool,
}

impl FlowEdge {
    fn new(from: usize, to: usize, is_call: bool) -> Self {
        Self {
            from,
            to,
            is_call,
            depth: 0,
            lanes: None,
        }
    }
}

impl FlowModel {
    /// Picture of a program with instructions. `thread` is the chosen thread, or else
    /// that of the current instruction.
    pub fn of(session: &Session, thread: Option<u8>) -> Option<Self> {
        let program = session.program();
        let blocks = program.blocks();
        let index = session.current_issue()?;
        let issue = session.issue(index)?;
        let thread = thread
            .filter(|thread| *thread < program.threads)
            .unwrap_or(issue.threads.first());
        let counts = session.hit_counts();
        let flows = session.flow(index);
        let flow = flows.iter().find(|flow| flow.thread == thread);
        let own = issue.threads.iter().any(|issuing| issuing == thread);
        let here = block_at(&blocks, issue.instruction).filter(|_| own);
        let control = Control::new(session.machine(), thread);
        let block = |(at, block): (usize, &Block)| FlowBlock {
            name: block_name(program, block),
            about: about(program, block),
            line: line_of(program, block.start),
            count: counts.get(block.start as usize).copied().unwrap_or(0),
            runs: Vec::new(),
            waits: Vec::new(),
            at_barrier: false,
            is_current: here == Some(at),
            falls_through: block.edges.iter().any(|edge| edge.kind == EdgeKind::Next),
            fallthrough_lanes: None,
        };
        let mut model = Self {
            thread: (program.threads > 1).then(|| program.thread_name(thread)),
            blocks: blocks.iter().enumerate().map(block).collect(),
            edges: Vec::new(),
            ended: Vec::new(),
            arrivals: match flow.map(|flow| flow.continuation) {
                Some(Continuation::Barrier) => arrivals(session),
                _ => Vec::new(),
            },
            decisions: flow
                .and_then(|flow| decisions(session, flow, &blocks))
                .unwrap_or_default(),
        };
        let warp = program
            .has_warps()
            .then(|| WarpLanes::load(session.machine(), thread));
        for channel in (0..32).filter(|channel| control.dispatched() >> channel & 1 == 1) {
            let unit = Unit::lane(thread, channel);
            if let Some(warp) = &warp {
                model.add_lane(warp, unit, &blocks);
                continue;
            }
            let (pc, is_active) = match control.channel(channel) {
                ChannelState::Active { pc } => (pc, true),
                ChannelState::Waiting { pc, .. } => (pc, false),
                ChannelState::Ended => {
                    model.ended.push(unit);
                    continue;
                }
            };
            let Some(at) = block_at(&blocks, pc) else {
                continue;
            };
            let block = &mut model.blocks[at];
            let at_barrier = is_active && control.state().is_at_barrier();
            block.at_barrier |= at_barrier;
            match is_active && !at_barrier {
                true => block.runs.push(unit),
                false => block.waits.push(unit),
            }
        }
        model.add_edges(&blocks, here.zip(flow));
        Some(model)
    }

    /// Adds a lane of a warp to its block.
    fn add_lane(&mut self, warp: &WarpLanes, unit: Unit, blocks: &[Block]) {
        let at = usize::from(unit.lane);
        if warp.alive >> unit.lane & 1 == 0 {
            self.ended.push(unit);
            return;
        }
        let waits_for_block = matches!(warp.waits[at], Wait::Block(_));
        // These lanes are behind the barrier already.
        let pc = warp.pcs[at].saturating_sub(u32::from(waits_for_block));
        let Some(block) = block_at(blocks, pc).map(|at| &mut self.blocks[at]) else {
            return;
        };
        block.at_barrier |= waits_for_block;
        match warp.active >> unit.lane & 1 == 1 && warp.waits[at] == Wait::None {
            true => block.runs.push(unit),
            false => block.waits.push(unit),
        }
    }

    fn add_edges(&mut self, blocks: &[Block], current: Option<(usize, &ThreadFlow)>) {
        for (from, block) in blocks.iter().enumerate() {
            for edge in &block.edges {
                if edge.kind != EdgeKind::Next {
                    let is_call = edge.kind == EdgeKind::Call;
                    self.edges.push(FlowEdge::new(from, edge.to, is_call));
                }
            }
        }
        let branch = current.filter(|(_, flow)| flow.continuation != Continuation::Barrier);
        if let Some((from, flow)) = branch {
            self.send_lanes(blocks, from, flow);
        }
        // Short edges are nearest; an edge lies outside those that it overlaps.
        let span = |edge: &FlowEdge| (edge.from.min(edge.to), edge.from.max(edge.to));
        self.edges.sort_by_key(|edge| {
            let (first, last) = span(edge);
            (last - first, first)
        });
        for at in 0..self.edges.len() {
            let (first, last) = span(&self.edges[at]);
            let inner = self.edges[..at].iter().filter(|other| {
                let (start, end) = span(other);
                start <= last && first <= end
            });
            self.edges[at].depth = inner.map(|other| other.depth + 1).max().unwrap_or(0);
        }
    }

    /// Counts the lanes that the current branch sends along each edge.
    fn send_lanes(&mut self, blocks: &[Block], from: usize, flow: &ThreadFlow) {
        for channel in &flow.channels {
            let (ChannelState::Active { .. }, Some(pc)) = (channel.before, place(channel.after))
            else {
                continue;
            };
            let Some(to) = block_at(blocks, pc) else {
                continue;
            };
            if to == from + 1 && !channel.is_taken {
                *self.blocks[from].fallthrough_lanes.get_or_insert(0) += 1;
                continue;
            }
            let is_own = |edge: &FlowEdge| (edge.from, edge.to) == (from, to);
            let known = self.edges.iter().position(is_own);
            let at = known.unwrap_or_else(|| {
                // A return has no edge: its target depends on the call.
                self.edges.push(FlowEdge::new(from, to, false));
                self.edges.len() - 1
            });
            *self.edges[at].lanes.get_or_insert(0) += 1;
        }
    }
}

fn arrivals(session: &Session) -> Vec<Arrival> {
    let program = session.program();
    let state = |thread: u8| Control::new(session.machine(), thread).state();
    let waits = |thread: u8| state(thread) == ThreadState::AtBarrier;
    let is_open = !(0..program.threads).any(waits);
    let arrival = |thread: u8| Arrival {
        name: program.thread_name(thread),
        waits: waits(thread),
        text: match state(thread) {
            ThreadState::AtBarrier => String::from("waits for the others"),
            ThreadState::AtNamedBarrier => {
                String::from("not yet arrived (waits at a named barrier)")
            }
            ThreadState::Ended => String::from("has ended"),
            ThreadState::Running if is_open => String::from("continues"),
            ThreadState::Running => {
                let pc = Control::new(session.machine(), thread).pc();
                format!("not yet arrived (line {})", line_of(program, pc) + 1)
            }
        },
    };
    let mut arrivals: Vec<Arrival> = (0..program.threads).map(arrival).collect();
    arrivals.sort_by_key(|arrival| !arrival.waits);
    arrivals
}

const fn place(state: ChannelState) -> Option<u32> {
    match state {
        ChannelState::Active { pc } | ChannelState::Waiting { pc, .. } => Some(pc),
        ChannelState::Ended => None,
    }
}

fn block_at(blocks: &[Block], instruction: u32) -> Option<usize> {
    let index = blocks.partition_point(|block| block.end <= instruction);
    (index < blocks.len()).then_some(index)
}

fn line_of(program: &Program, instruction: u32) -> u32 {
    let placed = program.instructions.get(instruction as usize);
    placed.map_or(0, |placed| placed.line)
}

fn block_name(program: &Program, block: &Block) -> String {
    match block.labels.last() {
        Some(label) => label.clone(),
        None if block.start == 0 => String::from("start"),
        None => format!("line {}", line_of(program, block.start) + 1),
    }
}

fn about(program: &Program, block: &Block) -> String {
    let (first, last) = (
        line_of(program, block.start) + 1,
        line_of(program, block.end - 1) + 1,
    );
    let lines = match first == last {
        true => format!("line {first}"),
        false => format!("lines {first}–{last}"),
    };
    let barrier = if block.has_barrier { ", barrier" } else { "" };
    let end = match () {
        () if block.exits => ", exit",
        () if block.returns => ", ret",
        () => "",
    };
    format!("{lines}{barrier}{end}")
}

/// Where a branch sends the lanes of a thread, and why.
fn decisions(session: &Session, flow: &ThreadFlow, blocks: &[Block]) -> Option<Vec<Decision>> {
    let program = session.program();
    let issue = session.issue(session.current_issue()?)?;
    let instruction = &program.instruction(issue).instruction;
    if let Instruction::Sass(sass) = instruction {
        return Some(warp_decisions(program, instruction, sass, flow, blocks));
    }
    let branch = instruction.branch()?;
    let (part, style) = (SyntaxPart::Predicate, Style::Assembler);
    let predicate = operand_text(instruction, program, part, style);
    let verb = match branch.kind {
        FlowKind::Call | FlowKind::IndirectCall => "call",
        FlowKind::Return => "return",
        _ => "branch to",
    };
    let name = |pc: u32| place_name(program, pc, blocks);
    let scope = match branch.execution.size.lanes() {
        1 => " for bit 0, which applies to all lanes",
        _ => "",
    };
    let reason = |is_taken: bool| match (predicate.is_empty(), is_taken) {
        (true, _) => String::new(),
        (false, true) => format!(": {predicate} holds{scope}"),
        (false, false) => format!(": {predicate} does not hold{scope}"),
    };
    let decision = |channel: &ChannelFlow| {
        let unit = Unit::lane(flow.thread, channel.channel);
        let decision = match (channel.before, place(channel.after)) {
            (ChannelState::Ended, _) => return None,
            (ChannelState::Waiting { pc, .. }, _) => (format!("wait at {}", name(pc)), false),
            (_, _) if flow.continuation == Continuation::Barrier => {
                (String::from("arrive at the barrier"), true)
            }
            (before, _)
                if matches!(flow.continuation, Continuation::Wait { .. })
                    && before == channel.after =>
            {
                (String::from("wait at the named barrier"), false)
            }
            (_, Some(pc)) if channel.is_taken => {
                let to = match branch.kind {
                    FlowKind::Return => format!("to {}", name(pc)),
                    _ => name(pc),
                };
                (format!("{verb} {to}{}", reason(true)), true)
            }
            (_, None) => (format!("end{}", reason(channel.is_taken)), channel.is_taken),
            (_, Some(pc)) => (format!("continue at {}{}", name(pc), reason(false)), false),
        };
        Some((decision, unit))
    };
    Some(sorted(flow.channels.iter().filter_map(decision)))
}

/// Lanes by what they do, those that branch first.
fn sorted(decisions: impl Iterator<Item = ((String, bool), Unit)>) -> Vec<Decision> {
    let decisions = grouped(decisions).into_iter();
    let decisions = decisions.map(|((text, is_taken), units)| Decision {
        units,
        text,
        is_taken,
    });
    let mut decisions: Vec<Decision> = decisions.collect();
    decisions.sort_by_key(|decision| !decision.is_taken);
    decisions
}

/// Name of a place: its block, or its line.
fn place_name(program: &Program, pc: u32, blocks: &[Block]) -> String {
    match block_at(blocks, pc).map(|at| &blocks[at]) {
        Some(block) if block.start == pc => block_name(program, block),
        Some(_) => format!("line {}", line_of(program, pc) + 1),
        None => String::from("the end"),
    }
}

/// Where an instruction sends the lanes of a warp, and why.
fn warp_decisions(
    program: &Program,
    instruction: &Instruction,
    sass: &SassInstruction,
    flow: &ThreadFlow,
    blocks: &[Block],
) -> Vec<Decision> {
    let text = |part| operand_text(instruction, program, part, Style::Document);
    let guard = text(SyntaxPart::Predicate);
    let condition = text(SyntaxPart::Condition(2));
    let conditions = [guard, condition].into_iter();
    let conditions: Vec<String> = conditions.filter(|text| !text.is_empty()).collect();
    let reason = |is_taken: bool| match (conditions.is_empty(), is_taken) {
        (true, _) => String::new(),
        (false, true) => format!(": {} holds", conditions.join(" and ")),
        (false, false) => format!(": {} does not hold", conditions.join(" and ")),
    };
    let splits = sass.flow_kind().is_some_and(WarpFlow::splits);
    let decision = |channel: &ChannelFlow| {
        let unit = Unit::lane(flow.thread, channel.channel);
        let name = |pc: u32| place_name(program, pc, blocks);
        let is_taken = channel.is_taken;
        let decision = match (channel.before, place(channel.after)) {
            (ChannelState::Ended, _) => return None,
            (ChannelState::Waiting { pc, .. }, _) => (format!("stay at {}", name(pc)), false),
            (_, None) => (format!("end{}", reason(is_taken)), is_taken),
            (_, Some(_)) if flow.continuation == Continuation::Barrier && is_taken => {
                (String::from("arrive at the barrier"), true)
            }
            (_, Some(pc)) if channel.waits => (
                format!("wait for others at {}{}", name(pc), reason(is_taken)),
                is_taken,
            ),
            (_, Some(pc)) if is_taken && splits => {
                (format!("go to {}{}", name(pc), reason(true)), true)
            }
            (_, Some(pc)) if is_taken => (format!("continue at {}", name(pc)), true),
            (_, Some(pc)) => (format!("continue at {}{}", name(pc), reason(false)), false),
        };
        Some((decision, unit))
    };
    sorted(flow.channels.iter().filter_map(decision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;

    /// A warp whose lower lanes branch, and meet the others at a convergence barrier.
    const DIVERGENT: &str = "\
.target sass SM80
.init P0 = 0xff
BSSY B0, `(JOIN) ;
@P0 BRA `(JOIN) ;
NOP ;
JOIN:
BSYNC B0 ;
EXIT ;
";

    fn after(steps: usize) -> FlowModel {
        let program = Program::parse(DIVERGENT);
        assert!(program.can_run(), "{:?}", program.diagnostics);
        let mut session = Session::new(Rc::new(program));
        for _ in 0..steps {
            assert!(session.step());
        }
        FlowModel::of(&session, None).unwrap()
    }

    #[test]
    fn a_branch_divides_a_warp() {
        let model = after(2);
        let decisions = model.decisions.iter();
        let decisions: Vec<(usize, bool)> = decisions
            .map(|decision| (decision.units.len(), decision.is_taken))
            .collect();
        assert_eq!(decisions, [(8, true), (24, false)]);
        let lanes = |block: &FlowBlock| (block.runs.len(), block.waits.len());
        let names: Vec<(&str, (usize, usize))> = model
            .blocks
            .iter()
            .map(|block| (&*block.name, lanes(block)))
            .collect();
        assert_eq!(
            names,
            [("start", (0, 0)), ("line 5", (24, 0)), ("JOIN", (0, 8))]
        );
        assert_eq!(model.edges.len(), 1);
        assert_eq!((model.edges[0].to, model.edges[0].lanes), (2, Some(8)));
        let ends: Vec<&str> = model.blocks.iter().map(|block| &*block.about).collect();
        assert!(ends[2].ends_with(", exit"), "{ends:?}");
        // All go on together, and end.
        let end = after(5);
        assert_eq!(end.ended.len(), 32);
    }
}
