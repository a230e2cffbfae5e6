//! Launches under several orders of threads and work-groups.

use lanewise_checks::{AccessNote, Finding, Kind, Operation, Report, Rerun, Severity, Space};
use lanewise_checks::{last_write, site_of};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::show;
use lanewise_core::program::{Buffer, Launch, Program};
use lanewise_core::session::{NoObserver, RunOrder, RunResult, run_scheduled};
use lanewise_core::text::counted;
use serde::Serialize;

/// Most orders in which a launch runs.
pub const MAX_ORDERS: u32 = 64;

/// The results of a launch under several orders.
#[derive(Clone, Debug, Serialize)]
pub struct Schedules {
    /// Number of orders, including the usual one.
    orders: u32,
    /// Orders that leave other buffers than the usual one.
    different: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Difference>,
}

/// The first difference of an order.
#[derive(Clone, Debug, Serialize)]
struct Difference {
    schedule: String,
    /// Such as ``with `reversed`, `o[3]` is 5, not 4``.
    message: String,
    #[serde(skip)]
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    /// Address of a byte that differs, and the order that leaves it.
    Byte(u64, RunOrder),
    /// The launch faults.
    Fault(Box<AccessNote>),
}

impl Schedules {
    /// Runs a launch in `orders` orders and compares the buffers with those that the usual one
    /// has left.
    #[must_use]
    pub fn compare(program: &Program, usual: &RunResult, orders: u32) -> Self {
        let orders = orders.clamp(1, MAX_ORDERS);
        let (mut different, mut first) = (Vec::new(), None);
        let groups = program.launch.as_ref().map_or(0, Launch::group_count);
        let others = RunOrder::others(RunOrder::of(program));
        for schedule in others.take(to_usize(orders - 1)) {
            let run = run_scheduled(program, schedule, groups, &mut NoObserver);
            let name = schedule.name();
            let found = match (&usual.fault, &run.result().fault) {
                (None, Some(fault)) => {
                    let message = format!("with `{name}`, the launch faults: {}", fault.message);
                    let note = AccessNote {
                        operation: Operation::Read,
                        group: run.group(),
                        thread: fault.unit.thread,
                        lane: fault.unit.lane,
                        instruction: fault.instruction,
                        site: site_of(program, fault.instruction),
                        address: 0,
                        bytes: 0,
                        value: None,
                        step: None,
                    };
                    Some((message, Place::Fault(Box::new(note))))
                }
                _ => difference(program, &usual.machine, &run.result().machine).map(
                    |(address, text)| {
                        let message = format!("with `{name}`, {text}");
                        (message, Place::Byte(address, schedule))
                    },
                ),
            };
            if let Some((message, place)) = found {
                first.get_or_insert_with(|| Difference {
                    schedule: name.clone(),
                    message,
                    place,
                });
                different.push(name);
            }
        }
        Self {
            orders,
            different,
            first,
        }
    }

    /// Whether all orders leave the same buffers.
    #[must_use]
    pub const fn are_same(&self) -> bool {
        self.first.is_none()
    }

    /// Describes the result in a sentence.
    #[must_use]
    pub fn text(&self) -> String {
        let (count, orders) = (self.different.len(), self.orders);
        match &self.first {
            None => format!("{} leave the same buffers.", counted(orders, "order")),
            Some(first) => format!(
                "{count} of {orders} orders leave other buffers: {}.",
                first.message
            ),
        }
    }

    /// Adds the finding that the orders differ to a report of the usual order.
    pub fn add_to(&self, program: &Program, report: &mut Report) {
        let Some(first) = &self.first else { return };
        let rerun = Rerun::of(program, report);
        let (note, address) = match &first.place {
            Place::Fault(note) => (Some((**note).clone()), None),
            Place::Byte(address, schedule) => {
                let other = Rerun {
                    schedule: *schedule,
                    ..rerun
                };
                let write = last_write(program, *address, rerun);
                (
                    write.or_else(|| last_write(program, *address, other)),
                    Some(*address),
                )
            }
        };
        let Some(note) = note else { return };
        let (count, orders) = (self.different.len(), self.orders);
        let mut message = format!(
            "{count} of {orders} orders leave other buffers: {}",
            first.message
        );
        let race = race_at(report, address);
        let mut notes = vec![note];
        if let Some(race) = race {
            message.push_str("; see the race");
            notes.extend(
                race.accesses
                    .iter()
                    .find(|a| a.site != notes[0].site)
                    .cloned(),
            );
        }
        let (kind, severity) = (Kind::OrderDependent, Severity::Warning);
        let finding = Finding::new(kind, severity, Space::Global, message, notes);
        report.extend(Some(finding));
    }
}

/// The race on a byte, or else one of the races of a launch.
fn race_at(report: &Report, address: Option<u64>) -> Option<&Finding> {
    let is_race = |finding: &&Finding| matches!(finding.kind, Kind::RaceLocal | Kind::RaceGlobal);
    let races = || report.iter().filter(is_race);
    let touches = |finding: &&Finding| {
        let mut accesses = finding.accesses.iter();
        accesses.any(|access| {
            address.is_some_and(|at| at.wrapping_sub(access.address) < access.bytes.into())
        })
    };
    races()
        .find(touches)
        .or_else(|| races().min_by_key(|race| race.severity))
}

/// The first differing byte of the buffers, and what differs.
fn difference(program: &Program, usual: &Machine, found: &Machine) -> Option<(u64, String)> {
    let launch = program.launch.as_ref()?;
    launch.buffers.iter().find_map(|buffer| {
        let address = differing_byte(buffer, usual, found)?;
        let size = u64::from(buffer.ty.bytes());
        let index = (address - buffer.address) / size;
        let value = |machine: &Machine| {
            let start = buffer.address + index * size;
            let bits = machine.load(SpaceId::VIRTUAL, start, buffer.ty.bytes());
            bits.map_or_else(String::new, |bits| show(bits, buffer.ty))
        };
        let (name, value, usual) = (&buffer.name, value(found), value(usual));
        Some((
            address,
            format!("`{name}[{index}]` is {value}, not {usual}"),
        ))
    })
}

fn differing_byte(buffer: &Buffer, usual: &Machine, found: &Machine) -> Option<u64> {
    const CHUNK: usize = 1 << 16;
    let range = buffer.range();
    let mut starts = range.clone().step_by(CHUNK);
    starts.find_map(|start| {
        let length = usize::try_from(range.end - start).map_or(CHUNK, |left| left.min(CHUNK));
        let bytes = |machine: &Machine| {
            let mut bytes = vec![0; length];
            machine.space(SpaceId::VIRTUAL).read(start, &mut bytes);
            bytes
        };
        let (usual, found) = (bytes(usual), bytes(found));
        let at = usual.iter().zip(&found).position(|(a, b)| a != b)?;
        Some(start + at as u64)
    })
}
