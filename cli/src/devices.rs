//! `run --device all`: runs a kernel on every device that the compiler knows, and compares
//! the buffers.

use crate::compiler::{self, Failure};
use crate::input::Source;
use crate::launch;
use crate::launch_options::Options;
use crate::reports::{self, FileReport, Reports};
use crate::structures::DeclaredTypes;
use crate::{CliError, Status, render};
use data_encoding::HEXLOWER;
use lanewise_api::{Checked, FaultPlace, FindingJson, Findings, schedule_of};
use lanewise_core::diagnostic::Severity;
use lanewise_core::number::{little_endian, show};
use lanewise_core::program::{Buffer, Program};
use lanewise_core::session::RunResult;
use lanewise_core::text::counted;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// A finished launch.
struct Run {
    device: String,
    program: Program,
    result: RunResult,
    /// Contents in hexadecimal, by argument.
    buffers: BTreeMap<u32, String>,
    found: Option<Findings>,
}

impl Run {
    fn has_faulted(&self) -> bool {
        self.result.fault.is_some()
    }

    fn answer(self, path: &Path) -> lanewise_api::LaunchAnswer {
        let mut answer = lanewise_api::answer_of(&self.program, self.result, self.buffers, path);
        answer.add(self.found);
        answer
    }

    fn findings(&self) -> &[FindingJson] {
        self.found.as_ref().map_or(&[], |found| &found.found)
    }

    /// Kinds, severities and lines of the findings.
    fn outline(&self) -> Vec<(&str, &str, Vec<Option<u64>>)> {
        let findings = self.findings().iter();
        let findings = findings.map(|finding| {
            let lines = finding.accesses.iter().map(|access| access.place.line);
            (finding.kind, finding.severity, lines.collect())
        });
        findings.collect()
    }
}

/// Output of `run --device all --json`.
#[derive(Serialize)]
struct DevicesAnswer {
    ok: bool,
    /// Whether all launches left the same buffers, without a fault.
    same: bool,
    devices: BTreeMap<String, DeviceAnswer>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum DeviceAnswer {
    Ran(Box<lanewise_api::LaunchAnswer>),
    Failed { ok: bool, message: String },
}

/// Runs the kernel on all devices.
pub(crate) fn run(
    path: &Path,
    options: &Options,
    types: &DeclaredTypes,
    json: bool,
    reports: &Reports,
) -> Result<Status, CliError> {
    if options.schedules.is_some() {
        let message = "--schedules compares the orders of one device, without --device all";
        return Err(CliError(message.to_owned()));
    }
    let checked = options.checked().map_err(CliError)?;
    let fails_at = options.check_fail.severity();
    let devices = compiler::devices(path, &options.compiler).map_err(CliError)?;
    let (mut runs, mut failed) = (Vec::new(), Vec::new());
    for device in devices {
        match run_on(&device, path, options, types, checked) {
            Ok(run) => runs.push(run),
            // The source is wrong for all of them.
            Err(failure @ Failure::Rejected(..)) => {
                reports.write("run", &failure.entry().into_iter().collect::<Vec<_>>())?;
                return failure.report();
            }
            Err(failure) => failed.push((device, failure.message())),
        }
    }
    let groups = groups(&runs);
    let has_faults = runs.iter().any(Run::has_faulted);
    let same = groups.len() == 1 && !has_faults;
    let fails = |run: &Run| run.findings().iter().any(|f| f.reaches(fails_at));
    let fine = same && !runs.iter().any(fails);
    reports.write("run", &entries(path, &groups, &failed, fails_at))?;
    let mut out = io::stdout().lock();
    if json {
        let ran = runs.into_iter().map(|run| {
            (
                run.device.clone(),
                DeviceAnswer::Ran(Box::new(run.answer(path))),
            )
        });
        let failed = failed
            .into_iter()
            .map(|(device, message)| (device, DeviceAnswer::Failed { ok: false, message }));
        let answer = DevicesAnswer {
            ok: true,
            same,
            devices: ran.chain(failed).collect(),
        };
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(Status::when(fine));
    }
    for (device, message) in &failed {
        render::say(&format!("{device}: not run: {message}"));
    }
    for run in &runs {
        if let Some(fault) = &run.result.fault {
            let report = FaultPlace::of(&run.program, fault, path).report(&fault.message);
            writeln!(out, "{}: fault: {report}", run.device)?;
        }
    }
    match groups.as_slice() {
        [] => writeln!(out, "No device could run the kernel.")?,
        [all] => {
            let (devices, names) = (counted(all.len(), "device"), names(all));
            writeln!(out, "The same on {devices}: {names}.")?;
        }
        [most, others @ ..] => {
            let (count, total) = (most.len(), runs.len());
            let most_names = names(most);
            writeln!(out, "The same on {count} of {total} devices: {most_names}.")?;
            for other in others {
                let first = differences(most[0], other[0]);
                writeln!(out, "On {}: {first}", names(other))?;
            }
        }
    }
    if let Some(first) = groups.first().and_then(|most| most.first()) {
        launch::print_buffers(&first.program, &first.result, &mut out)?;
    }
    write_findings(&runs, &mut out)?;
    Ok(Status::when(fine))
}

/// Writes the findings, once for devices whose findings are at the same lines.
fn write_findings(runs: &[Run], out: &mut impl Write) -> io::Result<()> {
    let mut alike: Vec<Vec<&Run>> = Vec::new();
    for run in runs.iter().filter(|run| run.found.is_some()) {
        let is_alike = |known: &&mut Vec<&Run>| known[0].outline() == run.outline();
        match alike.iter_mut().find(is_alike) {
            Some(known) => known.push(run),
            None => alike.push(vec![run]),
        }
    }
    for runs in &alike {
        if let Some(found) = &runs[0].found {
            let text = found.text(&runs[0].program);
            write!(out, "\nChecks on {}:\n{}", names(runs), text.trim_start())?;
        }
    }
    Ok(())
}

/// The problems of each device.
fn entries(
    path: &Path,
    groups: &[Vec<&Run>],
    failed: &[(String, String)],
    fails_at: Option<Severity>,
) -> Vec<FileReport> {
    let entry = |device: &str, diagnostics| {
        let name = format!("{} on {device}", path.display());
        FileReport::new(name, Source::named(path.display().to_string()), diagnostics)
    };
    let most = groups.first().map(|most| most[0]);
    let ran = groups.iter().enumerate().flat_map(|(place, runs)| {
        runs.iter().map(move |run| {
            let source = Source::named(String::new());
            let fault = run.result.fault.iter();
            let fault = fault.map(|fault| reports::fault(&run.program, fault, &source));
            let mut found: Vec<_> = fault.collect();
            if let Some(most) = most.filter(|_| place > 0) {
                let message = format!("on {}: {}", run.device, differences(most, run));
                found.push(reports::difference(&message));
            }
            let mut entry = entry(&run.device, found);
            entry.findings = run.findings().to_vec();
            entry.fails_at = fails_at;
            entry
        })
    });
    let failed = failed.iter().map(|(device, message)| {
        entry(
            device,
            vec![reports::difference(&format!("not run: {message}"))],
        )
    });
    ran.chain(failed).collect()
}

fn run_on(
    device: &str,
    path: &Path,
    options: &Options,
    types: &DeclaredTypes,
    checked: Option<Checked>,
) -> Result<Run, Failure> {
    let compiler = compiler::Options {
        device: Some(device.to_owned()),
        ..options.compiler.clone()
    };
    let file = compiler::load(path, &compiler)?;
    let prepared = launch::prepare(&file, options, types)?;
    let mut program = prepared.program;
    options.fuel.set(&mut program);
    let schedule = schedule_of(&program, options.schedule.as_deref())?;
    let (result, report) = lanewise_api::run(&program, checked, schedule);
    let found = report.map(|report| options.findings(&program, report, path));
    Ok(Run {
        device: device.to_owned(),
        buffers: lanewise_api::buffers(&prepared.arguments, &program, &result),
        program,
        result,
        found,
    })
}

/// Launches with the same buffers; the largest group first.
fn groups(runs: &[Run]) -> Vec<Vec<&Run>> {
    let mut groups: Vec<Vec<&Run>> = Vec::new();
    for run in runs {
        let same = |group: &&mut Vec<&Run>| {
            let first = group[0];
            first.buffers == run.buffers && first.has_faulted() == run.has_faulted()
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

fn names(runs: &[&Run]) -> String {
    let names: Vec<&str> = runs.iter().map(|run| run.device.as_str()).collect();
    names.join(", ")
}

/// The first differing element of each buffer, such as
/// `` `out[3]` is 2, but 1 on dg2 (differing elements: 5) ``.
fn differences(expected: &Run, found: &Run) -> String {
    let launch = expected.program.launch.as_ref();
    let buffers = launch.map_or(&[][..], |launch| &launch.buffers).iter();
    let contents = found.buffers.values().zip(expected.buffers.values());
    let parts = buffers
        .filter(|buffer| !buffer.is_null)
        .zip(contents)
        .filter_map(|(buffer, values)| difference(buffer, values, &expected.device));
    let parts: Vec<String> = parts.collect();
    match parts.is_empty() {
        true => String::from("the launch faults"),
        false => parts.join("; "),
    }
}

fn difference(
    buffer: &Buffer,
    (found, expected): (&String, &String),
    device: &str,
) -> Option<String> {
    // Two digits for a byte.
    let size = 2 * usize::from(buffer.ty.bytes());
    let elements = found
        .as_bytes()
        .chunks(size)
        .zip(expected.as_bytes().chunks(size));
    let mut different = elements.enumerate().filter(|(_, (a, b))| a != b);
    let (index, (found, expected)) = different.next()?;
    let count = 1 + different.count();
    let value = |hex: &[u8]| {
        let bytes = HEXLOWER.decode(hex).expect("it was encoded");
        show(little_endian(&bytes), buffer.ty)
    };
    let (name, found, expected) = (&buffer.name, value(found), value(expected));
    Some(format!(
        "`{name}[{index}]` is {found}, but {expected} on {device} (differing elements: {count})"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_says_whose_values_differ() {
        let text = ".launch global=1 local=1\n.simd 8\n.buffer o : ud[2]\nret (M1, 1)\n";
        let launch = Program::parse_to_run(text).launch.expect("a launch");
        let contents = |hex: &str| hex.to_owned();
        let (found, expected) = (contents("0100000002000000"), contents("01000000fe000000"));
        assert_eq!(
            difference(&launch.buffers[0], (&found, &expected), "dg2").as_deref(),
            Some("`o[1]` is 2, but 254 on dg2 (differing elements: 1)")
        );
    }
}
