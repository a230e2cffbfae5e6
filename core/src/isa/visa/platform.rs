//! Platforms of the vISA targets and what differs between them.
//!
//! One row of a table has all facts about a platform. Other code asks for a feature and
//! does not name platforms.
//!
//! Source: IGC, visa/HWCaps.inc, visa/common.cpp, inc/common/igfxfmid.h; the documents where
//! they mark an instruction with its platforms; compiled programs for launches (observed);
//! compute-runtime, hw_info_*.cpp for the size of local memory (maxProgrammableSlmSize).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Encoding of the hardware slot of a thread in `%sr0` and `%msg0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotFields {
    /// `%sr0` has the number.
    Number,
    /// `%sr0` has three bits, a gap, two bits, and the others from this position on.
    Split(u8),
    /// `%sr0` has three bits, a gap and three bits; `%msg0` has the others.
    WithMessage,
    /// An EU has ten threads: `%sr0` has the thread in its EU, and from bit 4 on three bits of the
    /// EU; `%msg0` has the others.
    TenPerUnit,
}

impl SlotFields {
    /// The first dwords of `%sr0` and `%msg0` of a thread.
    #[must_use]
    pub fn dwords(self, thread: u8) -> [u32; 2] {
        let thread = u32::from(thread);
        match self {
            Self::Number => [thread, 0],
            Self::Split(shift) => [
                thread & 7 | (thread >> 3 & 3) << 4 | (thread >> 5) << shift,
                0,
            ],
            Self::WithMessage => [thread & 7 | (thread >> 3 & 7) << 4, thread >> 6],
            Self::TenPerUnit => {
                let (unit, thread) = (thread / 10, thread % 10);
                [thread | (unit & 7) << 4, unit >> 3]
            }
        }
    }
}

/// Facts about a platform.
#[derive(Debug)]
pub struct Features {
    /// Name in `.target visa NAME`.
    pub name: &'static str,
    /// Other names: of the finalizer's listings, of ocloc and of the architecture.
    pub aliases: &'static [&'static str],
    /// Names for the `-device` option of ocloc, if it compiles for the platform; the usual one
    /// first.
    pub devices: &'static [&'static str],
    /// Name for the `-platform` option of the real assembler of 2022, if it knows the platform.
    pub assembler: Option<&'static str>,
    /// Product families in compiled programs.
    pub families: &'static [u32],
    /// Release of the architecture in compiled programs, where platforms share a family.
    pub release: Option<u32>,
    /// Codes in vISA objects; the first platform with a code stands for all of them.
    pub object_codes: &'static [u8],
    /// Size of a register in bytes.
    pub grf_bytes: u16,
    /// Maximum number of elements of an address variable.
    pub address_elements: u8,
    /// Smallest number of channels of a thread that the compiler supports.
    pub narrowest_simd: u8,
    /// Whether LSC atomics add floats in local memory, and not through ugml.
    pub adds_local_floats: bool,
    /// Whether 16-bit and 64-bit atomics exist: `{TGLLP+}` in the documents.
    pub wide_and_narrow_atomics: bool,
    /// Support of 64-bit integers in arithmetic.
    pub quadwords: Quadwords,
    /// Whether `div` and `mod` divide integers.
    pub integer_division: bool,
    /// Whether vector instructions accept BF.
    pub bf: bool,
    /// Whether `mul` with bytes is documented.
    pub byte_products: bool,
    /// Local memory as the surface of block messages.
    pub local_blocks: LocalBlocks,
    /// Largest local memory of a work-group, in bytes.
    pub most_local_bytes: u64,
    /// Lanes of DPAS; `None` without matrix instructions.
    pub matrix_lanes: Option<u8>,
    /// Whether two EUs are fused and share Src2 of DPASW.
    pub fused: bool,
    /// Whether matrices can be TF32.
    pub tf32: bool,
    /// Whether matrices can be floats of 8 and 4 bits.
    pub narrow_floats: bool,
    /// Whether `fcvt` converts HF8 and saturates.
    pub hf8: bool,
    /// Whether the real tool accepts sums of 16 bits in DPAS.
    pub narrow_sums: bool,
    /// Whether the registers of an LSC message are limited to 8.
    pub short_messages: bool,
    /// Whether loads can be cached as constants in L3: `cc`.
    pub caches_constants: bool,
    /// Whether the real tool reads an address per lane of an indirect operand (observed).
    pub address_per_lane: bool,
    /// Whether the real tool crashes on operands past the end of a variable (observed).
    pub crashes_past_end: bool,
    /// Whether the real tool crashes on `%local_id_buf_ptr` as an operand (observed).
    pub crashes_on_local_id_buffer: bool,
    /// Whether the real tool crashes on BF offsets at a constant address (observed).
    pub crashes_on_bf_offsets: bool,
    /// How compiled kernels read the hardware slot of a thread (observed).
    pub slot: SlotFields,
    /// Whether the payload keeps a register for local IDs that a kernel does not use
    /// (observed).
    pub keeps_local_ids: bool,
    /// Whether arguments after the inline data start at a register (observed).
    pub aligns_after_inline: bool,
    /// Whether the compiler writes a fence of local memory before barriers (observed). A
    /// barrier orders local memory by itself elsewhere.
    pub fences_local: bool,
}

/// Support of 64-bit integers in arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quadwords {
    /// Documented, except for rotations.
    Documented,
    /// Documented, also for rotations.
    Rotated,
    /// Undocumented; the finalizer emulates it.
    Emulated,
}

/// Local memory as the surface of block messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalBlocks {
    Rejected,
    /// Accepted by the real tool only.
    Accepted,
    Documented,
}

/// A set of platforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platforms(u32);

macro_rules! platforms {
    ($($(#[$attribute:meta])+ $variant:ident $features:ident = $row:expr;)+) => {
        /// A platform, in the order of the documents.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Platform {
            $($(#[$attribute])+ $variant,)+
        }

        impl Platform {
            /// All of them.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// Facts about the platform.
            #[must_use]
            pub const fn features(self) -> &'static Features {
                match self {
                    $(Self::$variant => &$features,)+
                }
            }
        }

        $(const $features: Features = $row;)+
    };
}

// A row for each platform. What a row does not give is that of the row it names.
platforms! {
    /// Broadwell and Cherry Trail, generation 8.
    Bdw BDW = Features {
        name: "BDW",
        aliases: &["GEN8", "CHV", "GEN8LP"],
        devices: &["bdw"],
        assembler: Some("BDW"),
        families: &[16, 17],
        object_codes: &[3, 4],
        ..SKL
    };

    /// Skylake, Kaby Lake, Coffee Lake, Broxton and Gemini Lake, generation 9.
    Skl SKL = Features {
        name: "SKL",
        aliases: &["GEN9", "BXT"],
        devices: &["skl"],
        assembler: Some("SKL"),
        families: &[18, 19, 20, 22, 23],
        release: None,
        object_codes: &[5, 6],
        grf_bytes: 32,
        address_elements: 16,
        narrowest_simd: 8,
        adds_local_floats: false,
        wide_and_narrow_atomics: false,
        quadwords: Quadwords::Documented,
        integer_division: true,
        bf: false,
        byte_products: true,
        local_blocks: LocalBlocks::Rejected,
        most_local_bytes: 64 << 10,
        matrix_lanes: None,
        fused: false,
        tf32: false,
        narrow_floats: false,
        hf8: false,
        narrow_sums: false,
        short_messages: true,
        caches_constants: false,
        address_per_lane: false,
        crashes_past_end: false,
        crashes_on_local_id_buffer: false,
        crashes_on_bf_offsets: false,
        slot: SlotFields::Number,
        keeps_local_ids: true,
        aligns_after_inline: false,
        fences_local: false,
    };

    /// Ice Lake, Lakefield and Jasper Lake, generation 11.
    Icllp ICLLP = Features {
        name: "ICLLP",
        aliases: &["ICL", "GEN11LP"],
        devices: &["icllp"],
        assembler: Some("ICLLP"),
        families: &[25, 26, 27, 28],
        object_codes: &[10],
        local_blocks: LocalBlocks::Accepted,
        address_per_lane: true,
        fences_local: true,
        ..SKL
    };

    /// Tiger Lake to Alder Lake, generation 12.
    Tgllp TGLLP = Features {
        name: "TGLLP",
        aliases: &["TGL", "DG1", "GEN12LP", "RKL", "ADL-S", "ADL-P", "ADL-N"],
        devices: &["tgllp", "dg1"],
        assembler: Some("TGLLP"),
        families: &[29, 30, 31, 32, 33, 1210],
        object_codes: &[12],
        wide_and_narrow_atomics: true,
        quadwords: Quadwords::Emulated,
        crashes_past_end: true,
        crashes_on_local_id_buffer: true,
        ..ICLLP
    };

    /// Xe-HP.
    #[default]
    Xehp XEHP = Features {
        name: "XEHP",
        aliases: &["XeHP_SDV"],
        devices: &[],
        assembler: Some("XeHP_SDV"),
        families: &[1250],
        object_codes: &[11],
        quadwords: Quadwords::Documented,
        integer_division: false,
        bf: true,
        local_blocks: LocalBlocks::Documented,
        matrix_lanes: Some(8),
        fused: true,
        address_per_lane: false,
        crashes_on_bf_offsets: true,
        slot: SlotFields::Split(7),
        keeps_local_ids: false,
        ..TGLLP
    };

    /// Xe-HPG: Alchemist.
    Dg2 DG2 = Features {
        name: "DG2",
        aliases: &["XeHPG", "ACM"],
        devices: &["dg2", "acm-g10"],
        assembler: Some("DG2"),
        families: &[1270],
        object_codes: &[13],
        quadwords: Quadwords::Emulated,
        ..XEHP
    };

    /// Meteor Lake.
    Mtl MTL = Features {
        name: "MTL",
        aliases: &["MTL-H", "MTL-U", "XeLPG"],
        devices: &["mtl", "mtl-h"],
        assembler: Some("MTL"),
        families: &[1272],
        bf: false,
        crashes_on_bf_offsets: false,
        ..DG2
    };

    /// Arrow Lake.
    Arl ARL = Features {
        name: "ARL",
        aliases: &["ARL-H", "ARL-U", "ARL-S"],
        devices: &["arl-h"],
        assembler: None,
        families: &[1273],
        bf: true,
        ..MTL
    };

    /// Xe-HPC: Ponte Vecchio.
    Pvc PVC = Features {
        name: "PVC",
        aliases: &["XeHPC", "PVCXT"],
        devices: &["pvc"],
        assembler: Some("PVC"),
        families: &[1271],
        object_codes: &[14, 15],
        grf_bytes: 64,
        narrowest_simd: 16,
        quadwords: Quadwords::Rotated,
        most_local_bytes: 128 << 10,
        byte_products: false,
        matrix_lanes: Some(16),
        fused: false,
        tf32: true,
        narrow_sums: true,
        short_messages: false,
        slot: SlotFields::Split(8),
        ..XEHP
    };

    /// Xe2: Battlemage.
    Bmg BMG = Features {
        name: "BMG",
        aliases: &["XE2", "BMG-G21", "BMG-G31"],
        devices: &["bmg"],
        assembler: None,
        families: &[1274],
        object_codes: &[18],
        caches_constants: true,
        crashes_past_end: false,
        crashes_on_local_id_buffer: false,
        crashes_on_bf_offsets: false,
        aligns_after_inline: true,
        slot: SlotFields::WithMessage,
        ..PVC
    };

    /// Xe2: Lunar Lake.
    Lnl LNL = Features {
        name: "LNL",
        aliases: &["LNL-M"],
        devices: &["lnl", "lnl-m"],
        families: &[1275],
        ..BMG
    };

    /// Xe3: Panther Lake.
    Ptl PTL = Features {
        name: "PTL",
        aliases: &["XE3", "PTL-H", "PTL-U"],
        devices: &["ptl"],
        families: &[1300],
        object_codes: &[19],
        hf8: true,
        slot: SlotFields::TenPerUnit,
        ..BMG
    };

    /// Xe3: Wildcat Lake.
    Wcl WCL = Features {
        name: "WCL",
        aliases: &[],
        devices: &["wcl"],
        release: Some(3),
        ..PTL
    };

    /// Xe3P: Nova Lake.
    Nvl NVL = Features {
        name: "NVL",
        aliases: &["XE3P", "XE3P_GRAPHICS", "NVL-P", "NVL-S", "NVL-U"],
        devices: &["nvl-p", "nvl-s"],
        families: &[1340, 1360],
        object_codes: &[22],
        address_elements: 32,
        adds_local_floats: true,
        most_local_bytes: 192 << 10,
        narrow_floats: true,
        hf8: true,
        slot: SlotFields::TenPerUnit,
        ..BMG
    };

    /// Xe3P: Crescent Island.
    Cri CRI = Features {
        name: "CRI",
        aliases: &["XE3P_CRI"],
        devices: &["cri"],
        families: &[1380],
        most_local_bytes: 384 << 10,
        object_codes: &[21],
        slot: SlotFields::WithMessage,
        ..NVL
    };
}

impl Platform {
    /// Name in `.target visa NAME`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.features().name
    }

    /// Finds a platform by its name or an alias, ignoring case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        let named = |p: &Self| is(&p.name()) || p.features().aliases.iter().any(is);
        Self::ALL.into_iter().find(named)
    }

    /// The platform of a product family in a compiled program, with the release of its
    /// architecture, if the program has it.
    #[must_use]
    pub fn of_family(family: u32, release: Option<u32>) -> Option<Self> {
        let is_of = |p: &Self| p.features().families.contains(&family);
        let mut known = Self::ALL.into_iter().filter(is_of);
        let exact = known.clone().find(|p| {
            let own = p.features().release;
            own.is_some() && own == release
        });
        exact.or_else(|| known.find(|p| p.features().release.is_none()))
    }

    /// The platform of a code in a vISA object.
    #[must_use]
    pub fn of_object_code(code: u8) -> Option<Self> {
        let has = |p: &Self| p.features().object_codes.contains(&code);
        Self::ALL.into_iter().find(has)
    }

    /// Whether objects and listings use the same code for both, as for Lunar Lake and Battlemage.
    #[must_use]
    pub fn has_code_of(self, other: Self) -> bool {
        self.features().object_codes == other.features().object_codes
    }

    /// Advice to select one of the platforms with a feature: `use .target visa XEHP or DG2`.
    #[must_use]
    pub fn advice(has: impl Fn(Self) -> bool) -> String {
        let names: Vec<&str> = (Self::ALL.into_iter())
            .filter(|p| has(*p))
            .map(Self::name)
            .collect();
        match names.as_slice() {
            [] => String::from("no platform has it"),
            [one] => format!("use .target visa {one}"),
            [first @ .., last] => format!("use .target visa {} or {last}", first.join(", ")),
        }
    }

    /// Size of a register in bytes.
    #[must_use]
    pub const fn grf_bytes(self) -> u16 {
        self.features().grf_bytes
    }
}

impl Platforms {
    /// All platforms.
    pub const ALL: Self = Self(u32::MAX);
    pub const UP_TO_SKL: Self = Self::until(Platform::Skl);
    pub const UP_TO_ICLLP: Self = Self::until(Platform::Icllp);
    pub const FROM_ICLLP: Self = Self::since(Platform::Icllp);
    pub const FROM_TGLLP: Self = Self::since(Platform::Tgllp);
    pub const FROM_XEHP: Self = Self::since(Platform::Xehp);
    pub const FROM_PVC: Self = Self::since(Platform::Pvc);
    pub const FROM_XE3P: Self = Self::since(Platform::Nvl);
    /// With load/store cache messages.
    pub const WITH_LSC: Self = Self::since(Platform::Dg2);
    /// With division and square root as IEEE 754 defines them.
    pub const WITH_IEEE: Self = Self::UP_TO_SKL
        .and(Self::of(Platform::Xehp))
        .and(Self::FROM_PVC);
    /// Whose `switchjmp` the real tool accepts.
    pub const WITH_SWITCH: Self = Self::UP_TO_ICLLP.and(Self::FROM_PVC);

    const fn of(platform: Platform) -> Self {
        Self(1 << platform as u32)
    }

    /// A platform and all later ones: `{TGLLP+}` in the documents.
    const fn since(first: Platform) -> Self {
        Self(u32::MAX << first as u32)
    }

    /// All platforms up to one.
    const fn until(last: Platform) -> Self {
        Self(!((u32::MAX << last as u32) << 1))
    }

    /// These and other platforms.
    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn contains(self, platform: Platform) -> bool {
        self.0 >> platform as u32 & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_complete_and_unambiguous() {
        for platform in Platform::ALL {
            let features = platform.features();
            assert!(!features.families.is_empty() && !features.object_codes.is_empty());
            assert!(features.grf_bytes == 32 || features.grf_bytes == 64);
            assert!(!features.fused || features.matrix_lanes.is_some());
            for name in features.aliases.iter().chain([&features.name]) {
                assert_eq!(Platform::named(name), Some(platform), "{name}");
            }
            for family in features.families {
                let found = Platform::of_family(*family, features.release);
                assert_eq!(found, Some(platform), "{family}");
            }
        }
        // PRODUCT_FAMILY of inc/common/igfxfmid.h; Gemini Lake, Cannon Lake and Ice Lake LP.
        let of = |family| Platform::of_family(family, None);
        assert_eq!(
            [23, 24, 26].map(of),
            [Some(Platform::Skl), None, Some(Platform::Icllp)]
        );
        assert_eq!(Platform::of_family(1300, Some(7)), Some(Platform::Ptl));
        assert_eq!(Platform::of_family(1, None), None);
    }

    #[test]
    fn compiled_kernels_find_the_number_of_a_thread() {
        // The code of the compiler for each encoding.
        let joined = |low: u32| low & 7 | low >> 1 & !7;
        for thread in 0..128 {
            let number = u32::from(thread);
            let [status, message] = SlotFields::WithMessage.dwords(thread);
            assert_eq!(message << 6 | joined(status & 0x7f), number);
            let [status, message] = SlotFields::TenPerUnit.dwords(thread);
            assert_eq!(
                (message << 3 | (status & 0x7f) >> 4) * 10 + (status & 15),
                number
            );
            assert_eq!(SlotFields::Number.dwords(thread), [number, 0]);
        }
        assert_eq!(SlotFields::Split(8).dwords(0b101_1010), [0x232, 0]);
    }

    #[test]
    fn sets_follow_the_order() {
        let since = Platforms::since(Platform::Tgllp);
        let until = Platforms::until(Platform::Icllp);
        for platform in Platform::ALL {
            assert_ne!(since.contains(platform), until.contains(platform));
            assert!(Platforms::ALL.contains(platform));
        }
    }
}
