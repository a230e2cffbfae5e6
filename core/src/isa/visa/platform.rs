//! Platforms of the vISA targets and what differs between them.

/// A platform, in the order of its generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Platform {
    /// Skylake, generation 9.
    Skl,
    /// Ice Lake, generation 11.
    Icllp,
    /// Tiger Lake, generation 12.
    Tgllp,
    /// Xe-HP, the default.
    Xehp,
    /// Xe-HPG.
    Dg2,
    /// Meteor Lake.
    Mtl,
    /// Xe-HPC.
    Pvc,
}

impl Platform {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Skl,
        Self::Icllp,
        Self::Tgllp,
        Self::Xehp,
        Self::Dg2,
        Self::Mtl,
        Self::Pvc,
    ];

    /// Name in `.target visa NAME`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skl => "SKL",
            Self::Icllp => "ICLLP",
            Self::Tgllp => "TGLLP",
            Self::Xehp => "XEHP",
            Self::Dg2 => "DG2",
            Self::Mtl => "MTL",
            Self::Pvc => "PVC",
        }
    }

    /// Finds a platform by name, ignoring case; XeHP_SDV is XEHP.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("XeHP_SDV") {
            return Some(Self::Xehp);
        }
        Self::ALL
            .into_iter()
            .find(|p| name.eq_ignore_ascii_case(p.name()))
    }

    /// Size of a register in bytes: 64 on PVC, 32 before.
    #[must_use]
    pub const fn grf_bytes(self) -> u16 {
        match self {
            Self::Pvc => 64,
            _ => 32,
        }
    }

    /// Whether 16-bit and 64-bit atomics exist: from TGLLP, as marked `{TGLLP+}` in the
    /// documents.
    #[must_use]
    pub fn has_wide_and_narrow_atomics(self) -> bool {
        self >= Self::Tgllp
    }
}
