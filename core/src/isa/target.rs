//! The target of a program: a family and a platform or chip.

use super::sass::chip::Chip;
use super::visa::platform::Platform;
use alloc::format;
use alloc::string::String;

/// An instruction-set family, which determines syntax and encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Intel's virtual ISA.
    Visa,
    /// NVIDIA's machine code.
    Sass,
}

impl Family {
    /// Name in `.target NAME …`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Visa => "visa",
            Self::Sass => "sass",
        }
    }
}

/// The target of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// vISA on a platform.
    Visa(Platform),
    /// SASS on a chip.
    Sass(Chip),
}

impl Default for Target {
    fn default() -> Self {
        Self::Visa(Platform::default())
    }
}

impl Target {
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::Visa(_) => Family::Visa,
            Self::Sass(_) => Family::Sass,
        }
    }

    /// `visa XEHP`, `sass SM50`.
    #[must_use]
    pub fn name(self) -> String {
        let own = match self {
            Self::Visa(platform) => platform.name(),
            Self::Sass(chip) => chip.name(),
        };
        format!("{} {own}", self.family().name())
    }
}

impl From<Platform> for Target {
    fn from(platform: Platform) -> Self {
        Self::Visa(platform)
    }
}

impl From<Chip> for Target {
    fn from(chip: Chip) -> Self {
        Self::Sass(chip)
    }
}
