//! Operands that are named registers: special ones, convergence barriers, predicates.

use super::operand::{LaneRegister, integer};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialRegister {
    /// Index of the thread in its block, by dimension.
    Thread(u8),
    /// Index of the block, by dimension.
    Block(u8),
    /// Number of the lane.
    Lane,
    /// Mask of the lanes that relate to the lane.
    Mask(LaneRelation),
    Zero,
    /// Generic address of shared memory: the upper word if set.
    SharedWindow(bool),
    /// Bytes of the shared memory of a block.
    SharedSize,
    /// Number of the warp in its block, from bit 8 on, on multiprocessor 0 (assumed).
    Warp,
    /// Numbers of warps, from bit 8 on, and of multiprocessors, from bit 20 on: 64 and 1 (assumed).
    Processors,
    /// A clock: the number of executed instructions, as far as it is kept (assumed).
    Clock,
}

/// Relation of a lane to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneRelation {
    /// The lane itself.
    Equal,
    /// Lower lanes.
    Less,
    /// Lower lanes and itself.
    LessOrEqual,
    /// Higher lanes.
    Greater,
    /// Higher lanes and itself.
    GreaterOrEqual,
}

/// An operand that is a named register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// A special register.
    Special(SpecialRegister),
    /// A convergence barrier.
    Barrier(u8),
    Predicates,
    ConditionCode,
    /// A register; `None` for RZ.
    Register(Option<LaneRegister>),
    /// A mask of lanes, in place of a register.
    Mask(u32),
}

impl Name {
    /// Names that completion offers.
    pub const KNOWN: [&str; 16] = [
        "SR_TID.X",
        "SR_TID.Y",
        "SR_TID.Z",
        "SR_CTAID.X",
        "SR_CTAID.Y",
        "SR_CTAID.Z",
        "SR_LANEID",
        "SR_EQMASK",
        "SR_LTMASK",
        "SR_LEMASK",
        "SR_GTMASK",
        "SR_GEMASK",
        "SRZ",
        "PR",
        "B0",
        "B1",
    ];

    /// Reads it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        use SpecialRegister as R;
        let special = |register| Some(Self::Special(register));
        match text {
            "PR" => return Some(Self::Predicates),
            "CC" => return Some(Self::ConditionCode),
            // `SR_LMEMHIOFF` is the end of the stack, which is never reached, and a clock has 32 bits
            // (assumed).
            "SRZ" | "SR_CgaCtaId" | "SR_CgaSize" | "SR_VIRTUALSMID" | "SR_LMEMHIOFF"
            | "SR_CLOCKHI" | "SR_GLOBALTIMERHI" => {
                return special(R::Zero);
            }
            "SR_SMEMSZ" => return special(R::SharedSize),
            "SR_VIRTID" => return special(R::Warp),
            "SR_VIRTCFG" => return special(R::Processors),
            "SR_LANEID" => return special(R::Lane),
            "SR_EQMASK" => return special(R::Mask(LaneRelation::Equal)),
            "SR_LTMASK" => return special(R::Mask(LaneRelation::Less)),
            "SR_LEMASK" => return special(R::Mask(LaneRelation::LessOrEqual)),
            "SR_GTMASK" => return special(R::Mask(LaneRelation::Greater)),
            "SR_GEMASK" => return special(R::Mask(LaneRelation::GreaterOrEqual)),
            "SR_SWINLO" => return special(R::SharedWindow(false)),
            "SR_SWINHI" => return special(R::SharedWindow(true)),
            "SR_CLOCKLO" | "SR_CLOCK" | "SR_GLOBALTIMERLO" => return special(R::Clock),
            _ => {}
        }
        let dimension = |prefix: &str| {
            let letter = text.strip_prefix(prefix)?;
            let position = ["X", "Y", "Z"].iter().position(|known| *known == letter)?;
            u8::try_from(position).ok()
        };
        if let Some(dimension) = dimension("SR_TID.") {
            return special(R::Thread(dimension));
        }
        if let Some(dimension) = dimension("SR_CTAID.") {
            return special(R::Block(dimension));
        }
        if let Some(digits) = text.strip_prefix('B') {
            let number = digits.parse().ok();
            return number.filter(|number| *number < 16).map(Self::Barrier);
        }
        let register = LaneRegister::named(text).map(Self::Register);
        register.or_else(|| integer(text).map(Self::Mask))
    }
}
