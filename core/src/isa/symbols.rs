//! The symbols of a program.

use super::sass::warp::Warp;
use super::target::{Family, Target};
use super::visa::declarations::Declarations;
use super::visa::platform::Platform;
use super::visa::predefined::SURFACES;
use crate::bits::SymbolResolver;
use crate::machine::SpaceId;
use alloc::string::String;

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

    /// The name of a memory: `slm`, `svm`, `global` or a surface name. `None` for a
    /// register file or an undeclared surface.
    #[must_use]
    pub fn memory_name(&self, space: SpaceId) -> Option<&str> {
        match (space, self.target.family()) {
            (SpaceId::SLM, _) => Some("slm"),
            (SpaceId::VIRTUAL, Family::Visa) => Some("svm"),
            (SpaceId::VIRTUAL, Family::Sass) => Some("global"),
            (surface, _) => {
                let index = surface.surface_index()?;
                let predefined = SURFACES.get(usize::from(index)).copied();
                predefined.or_else(|| self.visa.surface_name(index))
            }
        }
    }
}

impl SymbolResolver for SymbolTable {
    fn general(&self, id: u32) -> Option<&str> {
        SymbolResolver::general(&self.visa, id)
    }

    fn predicate(&self, id: u16) -> Option<&str> {
        SymbolResolver::predicate(&self.visa, id)
    }

    fn address(&self, id: u16) -> Option<&str> {
        SymbolResolver::address(&self.visa, id)
    }

    fn surface(&self, index: u8) -> Option<String> {
        SymbolResolver::surface(&self.visa, index)
    }

    fn label(&self, id: u16) -> Option<&str> {
        SymbolResolver::label(&self.visa, id)
    }
}
