//! Names of lanes and work-items.

use crate::isa::{FIRST_ELEMENT, Unit};
use crate::machine::Machine;
use crate::machine::control::Control;
use crate::program::{ItemPlace, Program, ProgramInstruction};
use crate::text::capitalized;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Names the work-item of a channel in the work-group of the timeline: `Work-item 35 (thread
/// 1, lane 3)`; `None` without a launch, and beyond the end of its work-group.
#[must_use]
pub fn item_name(program: &Program, thread: u8, channel: u8) -> Option<String> {
    name_of_item(program, group_of_timeline(program), false, thread, channel)
}

/// The work-group of the timeline; 0 without a launch.
pub(super) fn group_of_timeline(program: &Program) -> u32 {
    program.launch.as_ref().map_or(0, |launch| launch.group)
}

/// Names the work-item that an access of a work-group is for: the first active one, if it is for
/// all of them. `None` without a launch.
pub(super) fn acting_item(
    program: &Program,
    placed: &ProgramInstruction,
    group: u32,
    unit: Unit,
    machine: &Machine,
) -> Option<String> {
    let channel = match placed.is_uniform(program) {
        true => Control::new(machine, unit.thread).first_active(),
        false => placed.first_lane(program) + unit.lane,
    };
    item_of_group(program, group, unit.thread, channel)
}

/// Like [`item_name`], for any work-group. Names the group, too, where IDs repeat from group to
/// group.
pub(super) fn item_of_group(
    program: &Program,
    group: u32,
    thread: u8,
    channel: u8,
) -> Option<String> {
    let launch = program.launch.as_ref()?;
    let is_ambiguous = launch.words().is_id_local && launch.group_count() > 1;
    name_of_item(program, group, is_ambiguous, thread, channel)
}

fn name_of_item(
    program: &Program,
    group: u32,
    with_group: bool,
    thread: u8,
    channel: u8,
) -> Option<String> {
    let launch = program.launch.as_ref()?;
    let words = launch.words();
    let id = launch.item_id(ItemPlace {
        group,
        thread,
        channel,
    })?;
    let item = capitalized(words.item);
    let of_group = match with_group {
        true => format!(" of {} {group}", words.group),
        false => String::new(),
    };
    Some(match program.threads {
        0 | 1 => format!("{item} {id}{of_group} (lane {channel})"),
        _ => format!(
            "{item} {id}{of_group} ({} {thread}, lane {channel})",
            words.thread
        ),
    })
}

/// Formats a lane as `Lane 3`, `Lane 3, channel G`, `Lane 3, element 1` or, with two EUs, `Lane EU1.3`.
#[must_use]
pub fn lane_name(unit: Unit, threads: u8) -> String {
    part_name("Lane", unit, threads)
}

/// Formats a lane within a sentence: `lane 3, channel G`.
#[must_use]
pub fn lane_phrase(unit: Unit, threads: u8) -> String {
    part_name("lane", unit, threads)
}

/// Formats a lane, or an element of a block, with this noun.
pub(super) fn part_name(noun: &str, unit: Unit, threads: u8) -> String {
    let mut name = match threads {
        2 => format!("{noun} EU{}.{}", unit.thread, unit.lane),
        _ => format!("{noun} {}", unit.lane),
    };
    if let Some(channel) = unit.channel {
        name.push_str(match channel < FIRST_ELEMENT {
            true => ", channel ",
            false => ", element ",
        });
        name.push_str(unit.letter());
    }
    name
}

/// Formats a lane as in `.order`: `3`, `3.R` or, with two EUs, `EU1.3`.
#[must_use]
pub fn unit_name(unit: Unit, threads: u8) -> String {
    let mut name = match threads {
        2 => format!("EU{}.{}", unit.thread, unit.lane),
        _ => format!("{}", unit.lane),
    };
    if unit.channel.is_some() {
        name.push('.');
        name.push_str(unit.letter());
    }
    name
}

/// Formats lanes in order, with runs of three or more as ranges: `6, 10, 12–15`,
/// `EU0.3–7, EU1.0`, `2.R, 3.G`.
#[must_use]
pub fn lane_runs(units: &[Unit], threads: u8) -> String {
    let follows = |a: &Unit, b: &Unit| {
        a.thread == b.thread && a.channel.is_none() && b.channel.is_none() && a.lane + 1 == b.lane
    };
    let mut parts = Vec::new();
    for run in units.chunk_by(follows) {
        match run {
            [first, .., last] if run.len() > 2 => {
                parts.push(format!("{}–{}", unit_name(*first, threads), last.lane));
            }
            _ => parts.extend(run.iter().map(|unit| unit_name(*unit, threads))),
        }
    }
    parts.join(", ")
}
