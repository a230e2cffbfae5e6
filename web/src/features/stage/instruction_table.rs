//! Table of an instruction that computes or branches: what each lane reads and
//! writes, or where each channel continues.

use super::model::operand_text;
use crate::features::lanes::units::unit_name;
use lanewise_core::isa::{IssueContext, LaneComputation, Unit};
use lanewise_core::machine::control::ChannelState;
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::{Issue, Program, ProgramInstruction};
use lanewise_core::session::{IssueIndex, Session, ThreadFlow};
use lanewise_core::text::SyntaxPart;
use yew::prelude::*;

/// Column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableHead {
    /// `Src0`.
    pub(crate) name: &'static str,
    /// `V32(0,0)<1;1,0>:d`; may be empty.
    pub(crate) operand: String,
}

/// Cell of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableCell {
    /// The lane has nothing there.
    Absent,
    Text(String),
    /// Element before the instruction, and after it once executed.
    Change {
        old: String,
        new: Option<String>,
    },
}

/// Row of a lane or channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableRow {
    /// `5`, `EU1.3`.
    pub(crate) name: String,
    /// One for each column, or why the lane takes no part.
    pub(crate) cells: Result<Vec<TableCell>, String>,
}

/// Table of an instruction that computes or branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InstructionTable {
    /// `Lanes of add, line 9, execution 3`.
    pub(crate) caption: String,
    /// `Lane` or `Channel`.
    pub(crate) unit: &'static str,
    pub(crate) heads: Vec<TableHead>,
    pub(crate) rows: Vec<TableRow>,
}

impl InstructionTable {
    /// Table of the current instruction, if it computes or branches and does
    /// not fault.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let index = session.current_issue()?;
        let current = Current {
            session,
            program: session.program(),
            index,
            issue: session.issue(index)?,
        };
        current.computation().or_else(|| current.flow())
    }
}

/// The current issue.
struct Current<'s> {
    session: &'s Session,
    program: &'s Program,
    index: IssueIndex,
    issue: Issue,
}

impl Current<'_> {
    fn placed(&self) -> &ProgramInstruction {
        self.program.instruction(self.issue)
    }

    /// Whether the effect on a thread has happened.
    fn is_done(&self, thread: u8) -> bool {
        let start = self.session.issue_start(self.index);
        let effect = usize::from(thread - self.issue.threads.first());
        start.is_some_and(|start| start + effect < self.session.position())
    }

    fn caption(&self, units: &str) -> String {
        let placed = self.placed();
        let spec = placed.instruction.spec();
        let name = spec.mnemonics.first().unwrap_or(&spec.name);
        let earlier = self.session.issues().take(self.index.0 as usize);
        let earlier = earlier.filter(|issue| issue.instruction == self.issue.instruction);
        let execution = match earlier.count() {
            0 => String::new(),
            earlier => format!(", execution {}", earlier + 1),
        };
        let ahead = match self.is_done(self.issue.threads.first()) {
            true => "",
            false => ", about to be executed",
        };
        format!(
            "{units} of {name}, line {}{execution}{ahead}",
            placed.line + 1
        )
    }

    fn computation(&self) -> Option<InstructionTable> {
        let before = self.session.state_before(self.index);
        let context = self.program.context(self.issue, &before);
        let instruction = &self.placed().instruction;
        let threads = self.issue.threads.iter();
        let computed: Option<Vec<(u8, LaneComputation)>> = threads
            .map(|thread| Some((thread, instruction.computation(&context, thread)?)))
            .collect();
        let computed = computed?;
        let (_, first) = computed.first()?;
        let head = |operand: SyntaxPart| TableHead {
            name: operand_name(operand),
            operand: operand_text(instruction, self.program, operand),
        };
        let sources = first.sources.iter().map(|source| head(source.operand));
        let results = first.results.iter().flat_map(|result| {
            let changed = TableHead {
                name: "Old → new",
                operand: String::new(),
            };
            [head(result.operand), changed]
        });
        let rows = computed.iter().flat_map(|(thread, computation)| {
            let rows = 0..instruction.lanes();
            rows.map(|lane| self.computed_row(&context, *thread, lane, computation))
        });
        Some(InstructionTable {
            caption: self.caption("Lanes"),
            unit: "Lane",
            heads: sources.chain(results).collect(),
            rows: rows.collect(),
        })
    }

    fn computed_row(
        &self,
        context: &IssueContext<'_>,
        thread: u8,
        lane: u8,
        computation: &LaneComputation,
    ) -> TableRow {
        let unit = Unit::lane(thread, lane);
        let name = unit_name(unit, self.program.threads);
        let at = usize::from(lane);
        if computation.enabled >> lane & 1 == 0 {
            let instruction = &self.placed().instruction;
            let reason = match instruction.inactive_reason(context, unit) {
                Some("predicate") => {
                    let predicate = SyntaxPart::Predicate;
                    format!(
                        "predicate {}",
                        operand_text(instruction, self.program, predicate)
                    )
                }
                reason => String::from(reason.unwrap_or_default()),
            };
            return TableRow {
                name,
                cells: Err(format!("disabled: {reason}")),
            };
        }
        let sources = computation.sources.iter().map(|source| {
            if source.read >> lane & 1 == 1 {
                TableCell::Text(element(source.bits[at], source.ty))
            } else {
                TableCell::Absent
            }
        });
        let is_done = self.is_done(thread);
        let results = computation.results.iter().flat_map(|result| {
            let change = TableCell::Change {
                old: element(result.old[at], result.ty),
                new: is_done.then(|| element(result.new[at], result.ty)),
            };
            [TableCell::Text(result.names[at].clone()), change]
        });
        TableRow {
            name,
            cells: Ok(sources.chain(results).collect()),
        }
    }

    fn flow(&self) -> Option<InstructionTable> {
        let flows = self.session.flow(self.index);
        if flows.is_empty() {
            return None;
        }
        let head = |name| TableHead {
            name,
            operand: String::new(),
        };
        Some(InstructionTable {
            caption: self.caption("Channels"),
            unit: "Channel",
            heads: ["Branch", "Continues"].map(head).into(),
            rows: flows.iter().flat_map(|flow| self.flow_rows(flow)).collect(),
        })
    }

    fn flow_rows(&self, flow: &ThreadFlow) -> Vec<TableRow> {
        let line = |pc: u32| match self.program.instructions.get(pc as usize) {
            Some(placed) => format!("line {}", placed.line + 1),
            None => String::from("the end"),
        };
        let row = |channel: &lanewise_core::session::ChannelFlow| {
            let continues = match channel.after {
                ChannelState::Active { pc } => format!("at {}", line(pc)),
                ChannelState::Waiting { pc, .. } => format!("waits at {}", line(pc)),
                ChannelState::Ended => String::from("ends"),
            };
            let branch = match channel.is_taken {
                true => "taken",
                false => "not taken",
            };
            TableRow {
                name: unit_name(
                    Unit::lane(flow.thread, channel.channel),
                    self.program.threads,
                ),
                cells: match channel.before {
                    ChannelState::Active { .. } => Ok(vec![
                        TableCell::Text(String::from(branch)),
                        TableCell::Text(continues),
                    ]),
                    ChannelState::Waiting { pc, .. } => Err(format!("waits at {}", line(pc))),
                    ChannelState::Ended => Err(String::from("has ended")),
                },
            }
        };
        flow.channels.iter().map(row).collect()
    }
}

const fn operand_name(operand: SyntaxPart) -> &'static str {
    match operand {
        SyntaxPart::Src0 => "Src0",
        SyntaxPart::Src1 => "Src1",
        SyntaxPart::Src2 => "Src2",
        SyntaxPart::Src3 => "Src3",
        SyntaxPart::Predicate => "Predicate",
        SyntaxPart::Carry => "Carry",
        _ => "Dst",
    }
}

/// An element; bits of a predicate have no type.
fn element(bits: u64, ty: Option<ElementType>) -> String {
    ty.map_or_else(|| bits.to_string(), |ty| show(bits, ty))
}

#[derive(Properties, PartialEq)]
pub(crate) struct InstructionTableProps {
    pub(crate) table: std::rc::Rc<InstructionTable>,
    /// Whether the edited text has errors.
    pub(crate) stale: bool,
}

/// Table of an instruction that computes or branches.
#[component]
pub(crate) fn InstructionTableView(props: &InstructionTableProps) -> Html {
    let table = &props.table;
    let columns = table.heads.len().to_string();
    let head = |head: &TableHead| {
        html! {
            <th scope="col">
                { head.name }
                if !head.operand.is_empty() {
                    <span class="mono operand">{ &head.operand }</span>
                }
            </th>
        }
    };
    let cell = |cell: &TableCell| match cell {
        TableCell::Absent => html! { <td class="dash">{ "–" }</td> },
        TableCell::Text(text) => html! { <td>{ text }</td> },
        TableCell::Change { old, new: None } => html! { <td class="dash">{ old }</td> },
        TableCell::Change {
            old,
            new: Some(new),
        } => {
            let class = (old != new).then_some("changed");
            html! { <td {class}>{ old }{ " → " }<strong>{ new }</strong></td> }
        }
    };
    let row = |row: &TableRow| {
        let cells = match &row.cells {
            Ok(cells) => html! { <>{ for cells.iter().map(cell) }</> },
            Err(reason) => html! { <td class="word" colspan={columns.clone()}>{ reason }</td> },
        };
        html! {
            <tr class={row.cells.is_err().then_some("off")}>
                <th scope="row">{ &row.name }</th>
                { cells }
            </tr>
        }
    };
    html! {
        <div
            class="instruction-table scroller"
            data-stale={props.stale.then_some("")}
            role="group"
            aria-label="Instruction table"
            tabindex="0"
        >
            <table class="table">
                <caption>{ &table.caption }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ table.unit }</th>
                        { for table.heads.iter().map(head) }
                    </tr>
                </thead>
                <tbody>{ for table.rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}
