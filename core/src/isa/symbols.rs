//! The symbols of a program.

use super::family::Family;
use super::sass::op::operand::{KERNEL_FILE_BYTES, KERNEL_FLAGS, LaneRegister};
use super::sass::register::{PredicateRegister, Register};
use super::sass::warp::Warp;
use super::sass::warp::{FILE_BYTES, register_at};
use super::target::Target;
use super::visa::declarations::{Declarations, Symbol};
use super::visa::execution::low_lanes;
use super::visa::platform::Platform;
use super::visa::predefined::{STATELESS, SURFACES};
use super::visa::surface::Surface;
use crate::diagnostic::to_u32;
use crate::machine::{SpaceId, SpaceKind};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The symbols that the text and encoding of instructions refer to. Only the part of
/// the program's family is used; the other stays empty.
#[derive(Clone, Debug)]
pub struct SymbolTable {
    /// The target of the program.
    pub target: Target,
    /// The variables of a vISA program.
    pub visa: Declarations,
    /// The warp of a SASS program.
    pub sass: Warp,
}

impl Default for SymbolTable {
    fn default() -> Self {
        Self::new(Target::default())
    }
}

/// The meaning of a name in an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedOperand {
    /// A declared or predefined symbol.
    Symbol(Symbol),
    /// A register of each lane.
    Register(Register),
    /// A register of all lanes of a warp.
    Uniform,
    /// A predicate with a bit for each lane.
    Predicate(PredicateRegister),
}

impl SymbolTable {
    /// The predefined symbols of a target.
    #[must_use]
    pub fn new(target: Target) -> Self {
        let mut sass = Warp::default();
        let platform = match target {
            Target::Visa(platform) => platform,
            Target::Sass(chip) => {
                sass.chip = chip;
                Platform::default()
            }
        };
        Self {
            target,
            visa: Declarations::new(platform),
            sass,
        }
    }

    /// The operand with a name.
    #[must_use]
    pub fn named(&self, word: &str) -> Option<NamedOperand> {
        if self.target.family() == Family::Visa {
            return self.visa.symbol(word).map(NamedOperand::Symbol);
        }
        if let Some(register) = Register::named(word) {
            return Some(NamedOperand::Register(register));
        }
        if word.starts_with('U') && LaneRegister::named(word).is_some() {
            return Some(NamedOperand::Uniform);
        }
        PredicateRegister::named(word).map(NamedOperand::Predicate)
    }

    /// The lane and register at a byte of the register file; `None` if lanes do not have
    /// registers of their own.
    #[must_use]
    pub fn lane_register_at(&self, address: u64) -> Option<(u64, u64)> {
        let has_lane_registers = self.target.facts().has_lane_registers;
        has_lane_registers.then(|| register_at(address))
    }

    /// The name of the register of a lane at a byte of the register file: `R4`; `None` if
    /// lanes do not have registers of their own.
    #[must_use]
    pub fn lane_register_name(&self, address: u64) -> Option<String> {
        let (_, register) = self.lane_register_at(address)?;
        Some(format!("R{register}"))
    }

    /// The names of the general variables, or of the registers of each lane that the program
    /// uses.
    #[must_use]
    pub fn variable_names(&self) -> Vec<String> {
        match self.target.facts().has_lane_registers {
            true => self.sass.registers().map(|r| format!("R{r}")).collect(),
            false => {
                let variables = self.visa.generals();
                variables.map(|(_, v)| v.name.to_string()).collect()
            }
        }
    }

    /// The names of the predicates, or of those that the program uses.
    #[must_use]
    pub fn predicate_names(&self) -> Vec<String> {
        match self.target.facts().has_lane_registers {
            true => self.sass.predicates().map(|p| format!("P{p}")).collect(),
            false => {
                let predicates = self.visa.predicates();
                predicates.map(|(_, p)| p.name.to_string()).collect()
            }
        }
    }

    /// The name of the predicate with a number in the flags space.
    #[must_use]
    pub fn predicate_name(&self, id: u16) -> Option<String> {
        match self.target.family() {
            Family::Visa => self.visa.predicate(id).map(ToString::to_string),
            Family::Sass => Some(format!("P{}", id.checked_sub(1)?)),
        }
    }

    /// Number of bits of the flags with a number: the execution mask or a predicate.
    pub(crate) fn flag_bits(&self, id: u16) -> Option<u32> {
        match (self.target.family(), id) {
            (Family::Sass, _) | (_, 0) => Some(32),
            _ => Some(self.visa.predicate_variable(id)?.elements),
        }
    }

    /// The initial execution mask of a thread with so many channels.
    pub(crate) fn dispatch_mask(&self, channels: u8) -> u32 {
        match self.target.family() {
            Family::Visa => low_lanes(channels),
            Family::Sass => self.sass.participating(),
        }
    }

    /// Sizes of the registers and of the flags of a thread, in bytes. `is_warp` says
    /// whether the lanes have program counters of their own.
    pub(crate) fn file_bytes(&self, is_warp: bool) -> (u64, u64) {
        match self.target.family() {
            Family::Visa => {
                let predicates = to_u32(self.visa.predicates().count());
                let registers = u64::from(self.visa.register_bytes());
                (registers, u64::from(4 * (1 + predicates)))
            }
            Family::Sass if is_warp => (KERNEL_FILE_BYTES, 4 * KERNEL_FLAGS),
            Family::Sass => (FILE_BYTES, 4 * (1 + 7)),
        }
    }

    /// The memories that a text can initialize, by name.
    pub fn memories(&self) -> impl Iterator<Item = (&str, SpaceId)> {
        let surfaces = self.visa.surfaces();
        let surfaces = surfaces.map(|(index, surface)| (&*surface.name, SpaceId::surface(index)));
        // T1, T2, TSS and %bss have memory if `.surface` binds it.
        let predefined = (1..STATELESS).zip(SURFACES.iter().skip(1));
        let predefined = predefined.map(|(index, name)| (*name, SpaceId::surface(index)));
        let local = match self.target.family() {
            Family::Visa => Some(("slm", SpaceId::SLM)),
            Family::Sass => None,
        };
        let memory = (self.target.facts().virtual_memory, SpaceId::VIRTUAL);
        local
            .into_iter()
            .chain(predefined)
            .chain(surfaces)
            .chain([memory])
    }

    /// Finds a memory by its name in `.init`.
    pub(crate) fn memory_named(&self, name: &str) -> Option<SpaceId> {
        let is = |word: &str| name.eq_ignore_ascii_case(word);
        match (self.target.family(), self.visa.symbol(name)) {
            (Family::Visa, Some(Symbol::Surface(index))) => Some(Surface(index).space()),
            (Family::Visa, _) if is("slm") => Some(SpaceId::SLM),
            _ if is(self.target.facts().virtual_memory) => Some(SpaceId::VIRTUAL),
            _ => None,
        }
    }

    /// The name of a memory as instructions access it: like [`Self::memory_name`], but
    /// `shared` and `local` for those of warps.
    #[must_use]
    pub fn accessed_memory_name(&self, space: SpaceId) -> Option<&str> {
        let words = &self.target.facts().words;
        match (space.kind(), self.target.family()) {
            (SpaceKind::Local, Family::Sass) => Some(words.local),
            (SpaceKind::Accumulators(_), Family::Sass) => Some(words.private),
            _ => self.memory_name(space),
        }
    }

    /// The name of a memory: `slm`, `svm`, `global` or a surface name. `None` for a
    /// register file or an undeclared surface.
    #[must_use]
    pub fn memory_name(&self, space: SpaceId) -> Option<&str> {
        match space {
            SpaceId::SLM => Some("slm"),
            SpaceId::VIRTUAL => Some(self.target.facts().virtual_memory),
            surface => {
                let index = surface.surface_index()?;
                let predefined = SURFACES.get(usize::from(index)).copied();
                predefined.or_else(|| self.visa.surface_name(index))
            }
        }
    }
}
