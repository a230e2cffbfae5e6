//! The work-items of a thread: where they are, and their variables.

use super::variables::Definition;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::machine::control::{ChannelState, Control, ThreadState};
use lanewise_core::machine::warp::{Wait, WarpLanes};
use lanewise_core::program::{ItemPlace, Program};
use lanewise_core::session::{IssueIndex, Session};

/// Number of columns that a table without chosen variables has.
const RECENT: usize = 3;

/// Number of issues among which these columns are looked for.
const LOOKED_BACK: u32 = 200;

/// The work-items of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkItems {
    /// Names of the variables.
    pub columns: Vec<String>,
    /// Chosen names that are not those of variables that the program writes.
    pub unknown: Vec<String>,
    pub rows: Vec<ItemRow>,
}

/// A work-item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRow {
    pub channel: u8,
    /// The ID by which it is named: `35`, `(3, 1)`.
    pub id: String,
    /// `runs`, `waits at line 40`, `waits at the barrier` or `ended`.
    pub state: String,
    /// Whether it is in the execution mask.
    pub runs: bool,
    pub cells: Vec<Option<ItemCell>>,
}

/// A variable of a work-item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemCell {
    pub text: String,
    /// Whether the last step has written it.
    pub is_changed: bool,
}

/// Where lanes stand that go on at an instruction: `k.cl:5`, or `line 12` of a text without a
/// source.
fn place(program: &Program, pc: u32) -> Option<String> {
    let line = program.line_at(pc)? + 1;
    let source = program.source_line(program.after_marks(pc));
    let name = program.source_name().filter(|name| !name.is_empty());
    Some(match (source, name) {
        (Some((_, line)), Some(name)) => format!("{name}:{line}"),
        _ => format!("line {line}"),
    })
}

/// The variables that a thread has written last, last ones first.
fn recent<'d>(session: &Session, thread: u8, definitions: &'d [Definition]) -> Vec<&'d Definition> {
    let mut found: Vec<&Definition> = Vec::new();
    let Some(last) = session.last_issue() else {
        return found;
    };
    for index in (0..=last.0).rev().take(LOOKED_BACK as usize) {
        let issue = session.issue(IssueIndex(index));
        let Some(issue) = issue.filter(|issue| issue.threads.iter().any(|own| own == thread))
        else {
            continue;
        };
        let mut all = definitions.iter().filter(|d| d.channels.is_some());
        let own = all.find(|d| d.instructions.contains(&issue.instruction));
        found.extend(own.filter(|own| !found.contains(own)));
        if found.len() == RECENT {
            break;
        }
    }
    found
}

impl WorkItems {
    /// The work-items of a thread of a launch. Without `chosen` names of variables, the columns
    /// are those that the thread has written last.
    #[must_use]
    pub fn of(session: &Session, thread: u8, definitions: &[Definition], chosen: &[&str]) -> Self {
        let program = session.program();
        let Some(launch) = &program.launch else {
            return Self::default();
        };
        let named = |name: &&str| definitions.iter().find(|d| d.name == **name);
        let unknown = chosen.iter().filter(|name| named(name).is_none());
        let columns: Vec<&Definition> = match chosen {
            [] => recent(session, thread, definitions),
            chosen => chosen.iter().filter_map(named).collect(),
        };
        let control = Control::new(session.machine(), thread);
        // Lanes of warps wait by themselves.
        let warp = program.has_warps();
        let warp = warp.then(|| WarpLanes::load(session.machine(), thread));
        let is_at_barrier = |channel: u8| {
            let waits = warp
                .as_ref()
                .map(|warp| warp.waits[usize::from(channel & 31)]);
            matches!(waits, Some(Wait::Block(_)))
        };
        let state = |channel: u8| match (control.channel(channel), control.state()) {
            (ChannelState::Ended, _) => String::from("ended"),
            _ if is_at_barrier(channel) => String::from("waits at the barrier"),
            (ChannelState::Waiting { pc, .. }, _) => match place(program, pc) {
                Some(place) => format!("waits at {place}"),
                None => String::from("waits for the end"),
            },
            (_, ThreadState::AtBarrier | ThreadState::AtNamedBarrier) => {
                String::from("waits at the barrier")
            }
            (ChannelState::Active { .. }, _) => String::from("runs"),
        };
        let row = |channel: u8| {
            let place = ItemPlace {
                group: launch.group,
                thread,
                channel,
            };
            let cell = |definition: &&Definition| {
                let (text, is_changed) = definition.value(session, thread, channel)?;
                Some(ItemCell { text, is_changed })
            };
            Some(ItemRow {
                channel,
                id: launch.item_id(place)?,
                state: state(channel),
                runs: matches!(control.channel(channel), ChannelState::Active { .. }),
                cells: columns.iter().map(cell).collect(),
            })
        };
        Self {
            rows: (0..launch.simd).filter_map(row).collect(),
            columns: columns.iter().map(|column| column.name.clone()).collect(),
            unknown: unknown.map(|name| String::from(*name)).collect(),
        }
    }
}
