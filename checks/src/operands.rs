//! Results and operands in registers: accesses to private arrays beyond their end, and
//! results that are not numbers.

use crate::finding::{AccessNote, Finding, Kind, Operation, Severity, Space};
use crate::{Options, Report, site_of};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::isa::visa::alu::{Fitting, FloatMode};
use lanewise_core::isa::visa::predefined::CONTROL;
use lanewise_core::isa::{Access, LaneComputation, LaneResult};
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::{ElementType, set_bits};
use lanewise_core::program::Program;
use lanewise_core::session::{ObservedStep, Observer};

/// Watches the registers of a launch.
#[derive(Debug)]
pub struct Operands {
    options: Options,
    group: u32,
    report: Report,
    /// By thread and element of an address variable, the bytes of the variable whose address
    /// it holds.
    objects: BTreeMap<(u8, u64), Range<u32>>,
}

/// The class of the bits of a float; other types have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Nan,
    Infinity,
    Denormal,
    Zero,
    Normal,
}

impl Class {
    fn of(bits: u64, ty: ElementType) -> Option<Self> {
        let (exponent, fraction) = match ty {
            ElementType::Hf => (0x7c00, 0x03ff),
            ElementType::F => (0x7f80_0000, 0x007f_ffff),
            ElementType::Df => (0x7ff0_0000_0000_0000, 0x000f_ffff_ffff_ffff),
            _ => return None,
        };
        Some(match (bits & exponent, bits & fraction) {
            (0, 0) => Self::Zero,
            (0, _) => Self::Denormal,
            (e, 0) if e == exponent => Self::Infinity,
            (e, _) if e == exponent => Self::Nan,
            _ => Self::Normal,
        })
    }
}

/// Whether the result of a lane is 0 only because a denormal number is replaced.
fn is_flushed(result: &LaneResult, lane: usize) -> bool {
    let unfitted = result.unfitted.get(lane).and_then(Option::as_ref);
    unfitted.is_some_and(|unfitted| unfitted.fitting == Fitting::Flushed)
}

/// `%cr0`, the mode of a thread.
fn float_mode(step: ObservedStep<'_>, thread: u8) -> Option<FloatMode> {
    let control = step.program.symbols.visa.general(CONTROL)?;
    let address = u64::from(control.offset);
    let bits = step.machine.load(SpaceId::registers(thread), address, 4)?;
    Some(FloatMode(u32::try_from(bits).ok()?))
}

impl Operands {
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            group: 0,
            report: Report::default(),
            objects: BTreeMap::new(),
        }
    }

    /// The findings so far.
    #[must_use]
    pub const fn report(&self) -> &Report {
        &self.report
    }

    /// The findings.
    #[must_use]
    pub fn into_report(self) -> Report {
        self.report
    }

    fn note(&self, step: ObservedStep<'_>, thread: u8, lane: usize) -> AccessNote {
        let instruction = step.issue.instruction;
        let placed = step.program.instruction(step.issue);
        let lane = u8::try_from(lane).expect("there are 32 lanes");
        let lane = lane + placed.instruction.first_channel();
        AccessNote {
            operation: Operation::Read,
            group: self.group,
            thread,
            lane: lane & 31,
            instruction,
            site: site_of(step.program, instruction),
            address: 0,
            bytes: 0,
            value: None,
            step: Some(step.steps + 1 + u64::from(thread - step.issue.threads.first())),
        }
    }

    fn add(
        &mut self,
        kind: Kind,
        severity: Severity,
        space: Space,
        note: AccessNote,
        what: impl FnOnce() -> String,
    ) {
        let (site, group) = (note.site, self.group);
        self.report
            .add(kind, severity, (site, None), note.operation, group, || {
                Finding::new(kind, severity, space, what(), vec![note])
            });
    }

    /// Elements that an address reaches beyond the variable whose address was taken.
    fn beyond(&mut self, step: ObservedStep<'_>, thread: u8) {
        let context = step.program.context(step.issue, step.machine);
        let instruction = &step.program.instruction(step.issue).instruction;
        let Some(flow) = instruction.dataflow(&context, thread) else {
            return;
        };
        // Without a mask, elements of lanes that are off are read, and dropped later.
        let sources = flow.sources.iter().filter(|_| !flow.ignores_mask);
        let sources = sources.filter_map(|s| {
            let (_, places) = s.places?;
            Some((Operation::Read, s.addressed_by?, places, s.read, s.width))
        });
        let results = flow.results.iter().filter_map(|r| {
            let addresses = r.addressed_by?;
            Some((Operation::Write, addresses, r.places, r.written, r.width))
        });
        for (operation, addresses, places, lanes, width) in sources.chain(results) {
            for lane in set_bits(lanes) {
                let Some(object) = self.objects.get(&(thread, addresses[lane])).cloned() else {
                    continue;
                };
                let (address, end) = (places[lane], places[lane] + u64::from(width / 8));
                if address >= u64::from(object.start) && end <= u64::from(object.end) {
                    continue;
                }
                let note = AccessNote {
                    operation,
                    ..self.note(step, thread, lane)
                };
                let symbols = &step.program.symbols.visa;
                let (kind, severity) = (Kind::OutOfBounds, Severity::Error);
                self.add(kind, severity, Space::Private, note, || {
                    let variable = symbols.at_register_byte(object.start).next();
                    let name = variable.map_or("a variable", |(_, variable)| &*variable.name);
                    let offset = address.wrapping_sub(object.start.into()).cast_signed();
                    let bytes = object.end - object.start;
                    let verb = match operation {
                        Operation::Write => "written",
                        _ => "read",
                    };
                    format!("byte {offset} of the {bytes} bytes of {name} is {verb}")
                });
            }
        }
    }

    /// Results that are not numbers, infinite or flushed to zero although the sources are
    /// numbers, finite or denormal.
    fn unusual(&mut self, step: ObservedStep<'_>, thread: u8, computation: &LaneComputation) {
        for result in &computation.results {
            let Some(ty) = result.ty.filter(|ty| ty.is_float()) else {
                continue;
            };
            for lane in set_bits(computation.enabled) {
                let read = computation.sources.iter();
                let read = read.filter(|source| source.read >> lane & 1 == 1);
                let floats =
                    read.filter_map(|s| Some((s.bits[lane], Class::of(s.bits[lane], s.ty?)?)));
                let floats: Vec<(u64, Class)> = floats.collect();
                let new = result.new[lane];
                // Bits that are moved are not computed.
                let is_moved = floats.iter().any(|(bits, _)| *bits == new);
                let Some(class) = Class::of(new, ty).filter(|_| !floats.is_empty()) else {
                    continue;
                };
                let has = |wanted: Class| floats.iter().any(|(_, class)| *class == wanted);
                match class {
                    Class::Nan if !has(Class::Nan) => {
                        let note = self.note(step, thread, lane);
                        self.add(Kind::Nan, Severity::Note, Space::Register, note, || {
                            String::from("the result is NaN, and no source is")
                        });
                    }
                    Class::Infinity if !has(Class::Infinity) && !has(Class::Nan) => {
                        let note = self.note(step, thread, lane);
                        self.add(
                            Kind::Infinity,
                            Severity::Note,
                            Space::Register,
                            note,
                            || String::from("the result is infinite, and all sources are finite"),
                        );
                    }
                    _ if is_moved => {}
                    _ if has(Class::Denormal) => self.denormal_source(step, thread, lane, ty),
                    Class::Zero if is_flushed(result, lane) => {
                        let note = self.note(step, thread, lane);
                        self.add(
                            Kind::Denormal,
                            Severity::Note,
                            Space::Register,
                            note,
                            || {
                                String::from(
                                    "the result is a denormal number, which is replaced by 0",
                                )
                            },
                        );
                    }
                    _ => {}
                }
            }
        }
    }

    /// A lane reads a denormal number.
    fn denormal_source(
        &mut self,
        step: ObservedStep<'_>,
        thread: u8,
        lane: usize,
        ty: ElementType,
    ) {
        let is_kept = float_mode(step, thread).is_none_or(|mode| mode.keeps_denormals(ty));
        if !is_kept {
            let note = self.note(step, thread, lane);
            self.add(
                Kind::Denormal,
                Severity::Note,
                Space::Register,
                note,
                || String::from("a source is a denormal number, which counts as 0"),
            );
        }
    }
}

impl Observer for Operands {
    const OPERANDS: bool = true;

    fn enter_group(&mut self, _: &Program, group: u32, _: &Machine) {
        self.group = group;
        self.objects.clear();
    }

    fn issued(&mut self, step: ObservedStep<'_>, accesses: &mut [Access]) {
        if !accesses.is_empty() {
            return;
        }
        let symbols = &step.program.symbols;
        let instruction = &step.program.instruction(step.issue).instruction;
        for thread in step.issue.threads.iter() {
            if let Some((element, object)) = instruction.taken_address(symbols) {
                for index in 0..u32::from(instruction.lanes()) {
                    let element = element + index * to_u32(size_of::<u32>());
                    self.objects
                        .insert((thread, element.into()), object.clone());
                }
            } else if self.options.memory && !self.objects.is_empty() {
                self.beyond(step, thread);
            }
            if self.options.float {
                let context = step.program.context(step.issue, step.machine);
                if let Some(computation) = instruction.computation(&context, thread) {
                    self.unusual(step, thread, &computation);
                }
            }
        }
    }
}
