//! Applies initial values to the mapped memory.

use super::Init;
use crate::diagnostic::to_u32;
use crate::isa::sass::warp::{LANES, register_address};
use crate::isa::visa::op::FlowKind;
use crate::machine::{Machine, NoJournal, SpaceId, flag_address};
use crate::program::place::InitTarget;
use crate::program::values::Values;
use crate::program::{Launch, Reader};
use crate::rules;
use crate::text::SyntaxPart;
use alloc::format;

/// Maximum number of bytes the `.init` lines of a text can write.
const MAX_INIT_BYTES: u64 = 128 << 20;

/// Bytes set by an `.init` line.
struct WrittenRange {
    space: SpaceId,
    start: u64,
    bytes: u64,
}

/// The bytes that have been set: a machine of the same shape with ones there.
struct WrittenBytes(Machine);

impl WrittenBytes {
    /// Adds a range; returns whether it overlaps an earlier one.
    fn add(&mut self, now: &WrittenRange) -> bool {
        const CHUNK: u64 = 4096;
        let mut again = false;
        let memory = self.0.space_mut(now.space);
        let memory = memory.expect("the machine has the spaces of the program's");
        let mut at = 0;
        while at < now.bytes {
            let mut bytes = [0; 4096];
            let length = (now.bytes - at).min(CHUNK);
            let length = usize::try_from(length).expect("at most CHUNK");
            let seen = &mut bytes[..length];
            memory.read(now.start + at, seen);
            again |= seen.iter().any(|byte| *byte != 0);
            at += CHUNK;
        }
        let bytes = usize::try_from(now.bytes).expect("mapped memory is bounded");
        memory.fill(now.start, 1, core::iter::repeat_n(1, bytes));
        again
    }
}

impl Reader<'_> {
    /// Applies the initial values to the mapped memory. A launch keeps those of its
    /// threads, which every work-group starts with.
    pub(in crate::program) fn apply_inits(
        &mut self,
        threads: u8,
        mut launch: Option<&mut Launch>,
        machine: &mut Machine,
    ) {
        // Nothing is set yet: all bytes are zero.
        let mut written = WrittenBytes(machine.clone());
        if let Some(launch) = launch.as_deref() {
            launch.enter_group(&self.symbols.visa, launch.group, machine);
        }
        for eu in (0..threads).filter(|_| launch.is_none()) {
            let mask = self.symbols.dispatch_mask(self.simd_width());
            machine.store(&mut NoJournal, SpaceId::flags(eu), 0, 4, mask.into());
        }
        let mut budget = Some(MAX_INIT_BYTES);
        let inits = core::mem::take(&mut self.inits);
        for init in &inits {
            let eus = match init.eu {
                Some((eu, span)) if eu >= threads => {
                    let what = "EU1 does not exist";
                    self.out
                        .advise(&rules::INIT_EU, span, what, "add .threads 2");
                    continue;
                }
                Some((eu, _)) => eu..eu + 1,
                None => 0..threads,
            };
            let mut again = false;
            if let InitTarget::Lanes(register) = init.place {
                self.apply_lanes(init, register, &mut written, machine);
                continue;
            }
            for eu in eus {
                let Some(now) = self.apply(init, eu, &mut budget, machine) else {
                    break;
                };
                again |= written.add(&now);
                if let Some(launch) = launch.as_deref_mut() {
                    launch.keep_initial(now.space, now.start, now.bytes, machine);
                }
                if matches!(init.place, InitTarget::Memory(..)) {
                    break;
                }
            }
            self.warn_again(again, init);
        }
        self.inits = inits;
    }

    /// Notes branches that do not concern all channels of the program.
    pub(in crate::program) fn note_partial_branches(&mut self) {
        let width = self.simd_width();
        for placed in &self.instructions {
            let Some(branch) = placed.instruction.branch() else {
                continue;
            };
            let (lanes, offset) = (
                branch.execution.size.lanes(),
                branch.execution.mask.offset(),
            );
            let is_partial = lanes > 1 && (offset > 0 || lanes < width);
            if is_partial && branch.kind == FlowKind::Goto {
                let last = offset.saturating_add(lanes) - 1;
                let what = format!("channels outside {offset} to {last} continue after the goto");
                let span = placed.spans.of(SyntaxPart::ExecSize);
                self.out.report(&rules::PARTIAL_BRANCH, span, what);
            }
        }
    }

    /// Number of channels of a thread: SimdSize; by default that of the widest branch
    /// (assumed), or 32.
    fn simd_width(&self) -> u8 {
        let branches = self.instructions.iter().filter_map(|placed| {
            let branch = placed.instruction.branch()?;
            let execution = branch.execution;
            Some(execution.mask.offset() + execution.size.lanes())
        });
        let widest = branches.filter(|lanes| *lanes > 1).max();
        self.simd_size.or(widest).unwrap_or(32)
    }

    fn warn_again(&mut self, again: bool, init: &Init) {
        if again {
            let what = format!("bytes of `{}` are initialized twice", init.name);
            self.out.report(&rules::INIT_TWICE, init.target, what);
        }
    }

    /// Writes one value per lane of the warp.
    fn apply_lanes(
        &mut self,
        init: &Init,
        register: u8,
        written: &mut WrittenBytes,
        machine: &mut Machine,
    ) {
        // Values without an end fill all lanes.
        if let Some(given) = init.values.len()
            && given > usize::from(LANES)
        {
            let what = format!(
                "expected at most {LANES} values for the lanes of `{}`, found {given}",
                init.name
            );
            self.out.report(&rules::INIT_TOO_LONG, init.target, what);
            return;
        }
        let mut again = false;
        let width = init.ty.bytes();
        for (lane, value) in (0..LANES).zip(init.values.elements(init.ty)) {
            let start = register_address(lane, register);
            machine.store(&mut NoJournal, SpaceId::registers(0), start, width, value);
            again |= written.add(&WrittenRange {
                space: SpaceId::registers(0),
                start,
                bytes: u64::from(width),
            });
        }
        self.warn_again(again, init);
    }

    fn apply(
        &mut self,
        init: &Init,
        eu: u8,
        budget: &mut Option<u64>,
        machine: &mut Machine,
    ) -> Option<WrittenRange> {
        let width = u64::from(init.ty.bytes());
        if let InitTarget::Flags(id) = init.place {
            return self.apply_flags(init, id, eu, machine);
        }
        let target = init.place.elements(&self.symbols, eu, init.ty)?;
        let (space, start) = (target.space, target.address);
        let room = match target.elements {
            Some(elements) => elements,
            None => self.room(space, start, init, machine)? / width,
        };
        let given = init.values.len();
        if let Some(given) = given
            && u64::from(to_u32(given)) > room
        {
            if self.unmapped.contains(&space) {
                return None;
            }
            let name = &init.name;
            let what = match init.place {
                InitTarget::Memory(_, address) => {
                    let left = machine.space(space).mapped_from(address, u64::MAX);
                    let needed = u64::from(to_u32(given)) * width;
                    format!(
                        "expected at most {left} bytes at `{name}[{address:#x}]`, found {needed}"
                    )
                }
                _ => format!("expected at most {room} values for `{name}`, found {given}"),
            };
            self.out.report(&rules::INIT_TOO_LONG, init.target, what);
            return None;
        }
        let fills = matches!(init.place, InitTarget::General(_) | InitTarget::Address(_));
        let count = match given {
            Some(given) if !fills => to_u32(given),
            _ => u32::try_from(room).unwrap_or(u32::MAX),
        };
        let bytes = u64::from(count) * width;
        // Report only the first line that exceeds the budget.
        let before = budget.take()?;
        let Some(left) = before.checked_sub(bytes) else {
            let what = format!("writing {bytes} bytes exceeds the {before} bytes left");
            let help = "initialize each range only once";
            self.out
                .advise(&rules::INIT_BUDGET, init.target, what, help);
            return None;
        };
        *budget = Some(left);
        let count = crate::diagnostic::to_usize(count);
        if let Some(memory) = machine.space_mut(space) {
            let values = init.values.elements(init.ty).take(count);
            memory.fill(start, init.ty.bytes(), values);
        }
        Some(WrittenRange {
            space,
            start,
            bytes,
        })
    }

    /// Returns the number of bytes mapped from `address`; reports if there are none.
    fn room(
        &mut self,
        space: SpaceId,
        address: u64,
        init: &Init,
        machine: &Machine,
    ) -> Option<u64> {
        // A list can continue in an adjacent region; endless values cannot.
        let enough = match init.values.len() {
            Some(given) => u64::from(to_u32(given)) * u64::from(init.ty.bytes()),
            None => 1,
        };
        let room = machine.space(space).mapped_from(address, enough);
        if room > 0 {
            return Some(room);
        }
        if self.unmapped.contains(&space) {
            return None;
        }
        let what = format!("`{}[{address:#x}]` is not mapped", init.name);
        let help = match space {
            SpaceId::SLM => "enlarge shared local memory with .slm".into(),
            SpaceId::VIRTUAL => {
                let name = self.facts().virtual_memory;
                format!("map it with .region {name} START BYTES")
            }
            _ => "set the size of the surface with .surface".into(),
        };
        self.out
            .advise(&rules::INIT_OUTSIDE, init.target, what, help);
        None
    }

    fn apply_flags(
        &mut self,
        init: &Init,
        id: u16,
        eu: u8,
        machine: &mut Machine,
    ) -> Option<WrittenRange> {
        let bits = match &init.values {
            Values::List(values) => values.first().copied()?,
            _ => return None,
        };
        let lanes = self.symbols.flag_bits(id)?;
        if bits > crate::number::low_mask(lanes) {
            let what = format!(
                "mask {bits:#x} exceeds the {lanes} elements of `{}`",
                init.name
            );
            self.out.report(&rules::INIT_TOO_LONG, init.target, what);
            return None;
        }
        let start = flag_address(id);
        machine.store(&mut NoJournal, SpaceId::flags(eu), start, 4, bits);
        Some(WrittenRange {
            space: SpaceId::flags(eu),
            start,
            bytes: 4,
        })
    }
}
