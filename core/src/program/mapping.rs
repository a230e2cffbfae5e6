//! Memory mapping of a program before it runs.

use super::{Reader, init};
use crate::diagnostic::Span;
use crate::isa::sass::op::memory::LOCAL_BYTES;
use crate::isa::sass::warp::LANES;
use crate::isa::visa::declarations::{SURFACE_VARIABLE_BYTES, SURFACE_VARIABLES};
use crate::machine::control::CONTROL_BYTES;
use crate::machine::frames::{FRAMES, FRAMES_BYTES};
use crate::machine::warp::{WARP, WARP_BYTES};
use crate::machine::{Machine, SpaceId, page_count};
use crate::rules;
use alloc::format;

/// Maximum number of bytes a scenario can map in total.
pub const MAX_MAPPED: u64 = 64 << 20;

/// Constant banks of warps.
pub(super) const CONSTANT_BANKS: u8 = 5;

/// A range mapped by the text.
pub(super) struct Mapping {
    pub(super) space: SpaceId,
    pub(super) start: u64,
    pub(super) bytes: u64,
    pub(super) span: Span,
}

impl Reader<'_> {
    /// Maps registers, flags and memories; checks sizes and overlaps. `matrices`
    /// says whether to map the running sums of a matrix multiply-add, and `recursion` whether
    /// to map room for the variables of outer calls.
    pub(super) fn map_memory(&mut self, threads: u8, matrices: bool, recursion: bool) -> Machine {
        let visa = &self.symbols.visa;
        let warps = self.has_warps();
        // The constant banks of warps are surfaces.
        let last_surface = match warps {
            true => visa.last_surface().max(CONSTANT_BANKS - 1),
            false => visa.last_surface(),
        };
        let mut machine = Machine::new(last_surface, threads);
        let (registers, flags) = self.symbols.file_bytes(warps);
        // One dword per channel of a matrix multiply-add.
        let sums = if matrices { visa.grf_bytes() } else { 0 };
        let mut instructions = self.instructions.iter();
        let local = match instructions.any(|placed| placed.instruction.uses_local_memory()) {
            true => LOCAL_BYTES * u64::from(LANES),
            false => 0,
        };
        let addresses = crate::diagnostic::to_u32(visa.addresses().count());
        let mut instructions = self.instructions.iter();
        let surfaces = match instructions.any(|placed| placed.instruction.moves_state()) {
            true => 1 + u64::from(visa.last_surface()),
            false => 0,
        };
        let frames = if recursion { FRAMES_BYTES } else { 0 };
        for eu in 0..threads {
            let spaces = [
                (SpaceId::registers(eu), 0, registers),
                (SpaceId::flags(eu), 0, flags),
                (
                    SpaceId::flags(eu),
                    init::ADDRESS_VARIABLES,
                    u64::from(addresses) * init::ADDRESS_VARIABLE_BYTES,
                ),
                (
                    SpaceId::flags(eu),
                    SURFACE_VARIABLES,
                    surfaces * SURFACE_VARIABLE_BYTES,
                ),
                (SpaceId::accumulators(eu), 0, u64::from(sums) + local),
                (SpaceId::control(eu), 0, CONTROL_BYTES),
                (SpaceId::control(eu), FRAMES, frames),
                (
                    SpaceId::control(eu),
                    WARP,
                    if warps { WARP_BYTES } else { 0 },
                ),
            ];
            for (space, start, bytes) in spaces {
                let space = machine.space_mut(space).expect("an EU that runs has them");
                let mapped = space.map(start, bytes);
                mapped.expect("registers and flags are mapped once, so nothing overlaps");
            }
        }
        let usual = self.facts().local_bytes;
        let (slm, slm_span) = self.slm.unwrap_or((usual, Span::default()));
        let slm = Mapping {
            space: SpaceId::SLM,
            start: 0,
            bytes: slm,
            span: slm_span,
        };
        let surfaces = core::mem::take(&mut self.surfaces);
        let regions = core::mem::take(&mut self.mappings);
        let mut room = page_count(0, MAX_MAPPED);
        for mapping in core::iter::once(slm)
            .chain(surfaces.into_iter().map(|(_, mapping)| mapping))
            .chain(regions)
        {
            self.map(&mapping, &mut room, &mut machine);
        }
        machine
    }

    /// Maps a range if there is room for its pages.
    fn map(&mut self, mapping: &Mapping, room: &mut u64, machine: &mut Machine) {
        let pages = page_count(mapping.start, mapping.bytes);
        if pages > *room {
            // Report only the first range that does not fit.
            if !core::mem::replace(&mut self.full, true) {
                let left = *room * 4;
                let what = format!(
                    "{} KB of memory do not fit in the {left} KB that are left",
                    pages.saturating_mul(4)
                );
                let help =
                    "map only the memory that the program uses; every range takes whole pages";
                self.out
                    .advise(&rules::MEMORY_SIZE, mapping.span, what, help);
            }
            *room = 0;
            self.unmapped.push(mapping.space);
            if let Some(space) = machine.space_mut(mapping.space) {
                space.bind();
            }
            return;
        }
        *room -= pages;
        if let Some(space) = machine.space_mut(mapping.space)
            && let Err(overlap) = space.map(mapping.start, mapping.bytes)
        {
            let what = format!("{overlap}");
            let help = "move one of the ranges, or map both with one directive";
            self.out
                .advise(&rules::MEMORY_OVERLAP, mapping.span, what, help);
            self.unmapped.push(mapping.space);
        }
    }
}
