//! The target of a program: a family and a platform or chip.

use super::family::{Family, FamilyFacts};
use super::sass::chip::Chip;
use super::visa::platform::Platform;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

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
    /// The default target of a family.
    #[must_use]
    pub fn of(family: Family) -> Self {
        match family {
            Family::Visa => Self::Visa(Platform::default()),
            Family::Sass => Self::Sass(Chip::default()),
        }
    }

    /// The target of a family that supports all forms of the documented instructions.
    #[must_use]
    pub fn widest_of(family: Family) -> Self {
        match family {
            Family::Visa => Self::of(family),
            Family::Sass => Self::Sass(Chip::Sm60),
        }
    }

    /// Names of the platforms or chips of a family.
    #[must_use]
    pub fn processors(family: Family) -> Vec<&'static str> {
        match family {
            Family::Visa => Platform::ALL.iter().map(|p| p.name()).collect(),
            Family::Sass => Chip::ALL.iter().map(|c| c.name()).collect(),
        }
    }

    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::Visa(_) => Family::Visa,
            Self::Sass(_) => Family::Sass,
        }
    }

    /// Facts of the family.
    #[must_use]
    pub const fn facts(self) -> &'static FamilyFacts {
        self.family().facts()
    }

    #[must_use]
    pub const fn platform(self) -> Option<Platform> {
        match self {
            Self::Visa(platform) => Some(platform),
            Self::Sass(_) => None,
        }
    }

    #[must_use]
    pub const fn chip(self) -> Option<Chip> {
        match self {
            Self::Sass(chip) => Some(chip),
            Self::Visa(_) => None,
        }
    }

    /// Largest shared local memory of a work-group, in bytes.
    #[must_use]
    pub const fn most_local_bytes(self) -> u64 {
        match self {
            Self::Visa(platform) => platform.features().most_local_bytes,
            Self::Sass(chip) => chip.most_shared_bytes(),
        }
    }

    /// Names of the targets of the family whose work-groups can have so much local memory.
    #[must_use]
    pub fn with_local_bytes(self, bytes: u64) -> Vec<&'static str> {
        let targets: Vec<Self> = match self {
            Self::Visa(_) => Platform::ALL.map(Self::Visa).into(),
            Self::Sass(_) => {
                let chips = Chip::ALL.into_iter().chain(Chip::LISTED);
                chips.map(Self::Sass).collect()
            }
        };
        let targets = targets.into_iter();
        let able = targets.filter(|target| target.most_local_bytes() >= bytes);
        able.map(Self::processor).collect()
    }

    /// An error for a target of which no encoding is known.
    #[must_use]
    pub fn encoding_error(self, span: Span) -> Option<Diagnostic> {
        let chip = self.chip().filter(|chip| !chip.has_encodings())?;
        let what = format!("encodings of {} are not supported", chip.name());
        let [first, .., last] = Chip::ALL;
        let help = format!(
            "use a chip from {} to {}, such as `{}`",
            first.name(),
            last.name(),
            self.facts().compiled_target
        );
        Some(Diagnostic::new(&rules::NO_ENCODING, span, what).help(help))
    }

    /// Finds a target by the name of its platform or chip.
    #[must_use]
    pub fn named(processor: &str) -> Option<Self> {
        let platform = Platform::named(processor).map(Self::Visa);
        platform.or_else(|| Chip::named(processor).map(Self::Sass))
    }

    /// Name of the platform or chip.
    #[must_use]
    pub const fn processor(self) -> &'static str {
        match self {
            Self::Visa(platform) => platform.name(),
            Self::Sass(chip) => chip.name(),
        }
    }

    /// `visa XEHP`, `sass SM50`.
    #[must_use]
    pub fn name(self) -> String {
        format!("{} {}", self.family().name(), self.processor())
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
