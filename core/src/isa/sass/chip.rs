//! The chips of the SASS targets.

/// A chip, in the order of its generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chip {
    /// Maxwell, first generation: SPA 5.0. The default.
    #[default]
    Sm50,
    /// Maxwell, second generation.
    Sm52,
    /// Maxwell, Tegra X1.
    Sm53,
    /// Pascal, GP100.
    Sm60,
    /// Pascal.
    Sm61,
    /// Pascal, Tegra X2.
    Sm62,
}

impl Chip {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Sm50,
        Self::Sm52,
        Self::Sm53,
        Self::Sm60,
        Self::Sm61,
        Self::Sm62,
    ];

    /// Name in `.target sass NAME`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sm50 => "SM50",
            Self::Sm52 => "SM52",
            Self::Sm53 => "SM53",
            Self::Sm60 => "SM60",
            Self::Sm61 => "SM61",
            Self::Sm62 => "SM62",
        }
    }

    /// Finds a chip by name, ignoring case and an underscore: SM50, sm_50.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let digits = name
            .get(..2)
            .filter(|letters| letters.eq_ignore_ascii_case("sm"))
            .and_then(|_| name.get(2..))
            .map(|rest| rest.strip_prefix('_').unwrap_or(rest))?;
        Self::ALL
            .into_iter()
            .find(|chip| chip.name().get(2..) == Some(digits))
    }
}
