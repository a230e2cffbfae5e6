//! Execution size, mask control and predicate, which enable lanes.
//!
//! Source: visa_3_execution_model.md (sizes), DWORD_ATOMIC.md (mask control),
//! visa_5_operands.md (predication and the algorithm EvaluateChEn).

mod text;

use crate::bits::{BitField, DecodeError, SymbolResolver, Visitor, number_bits};
use crate::isa::{Check, IssueContext, Unit};
use crate::machine::control::{ChannelState, Control};
use crate::machine::{SpaceId, flag_address};
use crate::rules;
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;

/// Execution size as its four-bit code; codes 0 to 5 are defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ExecSize(u8);

impl ExecSize {
    /// One lane.
    pub const ONE: Self = Self(0);

    /// The execution size for 1, 2, 4, 8, 16 or 32 lanes.
    #[must_use]
    pub fn of_lanes(lanes: u64) -> Option<Self> {
        let code = lanes.trailing_zeros();
        (lanes.is_power_of_two() && code <= 5)
            .then(|| u8::try_from(code).ok().map(Self))
            .flatten()
    }

    /// Number of lanes; 0 for reserved codes, as the real tool prints them.
    #[must_use]
    pub const fn lanes(self) -> u8 {
        if self.0 <= 5 { 1 << self.0 } else { 0 }
    }
}

impl BitField for ExecSize {
    number_bits!(u8, 16);
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        match self.lanes() {
            0 => String::from("reserved"),
            1 => String::from("1 lane"),
            lanes => format!("{lanes} lanes"),
        }
    }
}

/// Mask control: M1 to M8 with or without `_NM`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaskControl(u8);

impl MaskControl {
    /// M1: lanes start at channel 0, the execution mask applies.
    pub const M1: Self = Self(0);

    /// M1_NM: the execution mask is ignored.
    pub const NO_MASK: Self = Self(8);

    /// Execution-mask channel of the first lane: 0, 4 … 28.
    #[must_use]
    pub const fn offset(self) -> u8 {
        (self.0 & 7) * 4
    }

    /// Whether the execution mask is ignored.
    #[must_use]
    pub const fn no_mask(self) -> bool {
        self.0 >= 8
    }

    /// Name: `M1` … `M8`, `M1_NM` … `M8_NM`.
    #[must_use]
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 16] = [
            "M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M1_NM", "M2_NM", "M3_NM", "M4_NM",
            "M5_NM", "M6_NM", "M7_NM", "M8_NM",
        ];
        let name = NAMES.get(usize::from(self.0));
        name.expect("a mask control has four bits")
    }

    /// Finds a mask control by name; `NoMask` is M1_NM.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("NoMask") {
            return Some(Self(8));
        }
        (0..16)
            .map(Self)
            .find(|m| name.eq_ignore_ascii_case(m.name()))
    }
}

impl BitField for MaskControl {
    number_bits!(u8, 16);
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        format!(
            "{}: channels from {}{}",
            self.name(),
            self.offset(),
            if self.no_mask() {
                ", execution mask ignored"
            } else {
                ""
            }
        )
    }
}

/// How predicate bits are combined before they enable lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Combine {
    /// Each bit enables its lane.
    #[default]
    None,
    /// Enables all lanes if any bit is set.
    Any,
    /// Enables all lanes if all bits are set.
    All,
    /// Reserved: the real tool reports it and treats it as none.
    Reserved,
}

impl BitField for Combine {
    fn to_bits(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Any => 1,
            Self::All => 2,
            Self::Reserved => 3,
        }
    }
    fn from_bits(bits: u64) -> Option<Self> {
        [Self::None, Self::Any, Self::All, Self::Reserved]
            .into_iter()
            .find(|c| c.to_bits() == bits)
    }
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        String::from(match self {
            Self::None => "lane by lane",
            Self::Any => "any: all lanes if any bit is set",
            Self::All => "all: all lanes if every bit is set",
            Self::Reserved => "reserved, treated as lane by lane",
        })
    }
}

/// ID of a predicate variable; 0 means no predicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PredicateId(pub u16);

impl BitField for PredicateId {
    number_bits!(u16);
    fn is_declared(self, symbols: &dyn SymbolResolver) -> bool {
        self.0 == 0 || symbols.predicate(self.0).is_some()
    }
    fn meaning(self, symbols: &dyn SymbolResolver) -> String {
        match symbols.predicate(self.0) {
            _ if self.0 == 0 => String::from("no predicate"),
            Some(name) => String::from(name),
            None => String::from("not declared"),
        }
    }
}

/// The predicate of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Predicate {
    pub id: PredicateId,
    pub combine: Combine,
    /// Whether the result is inverted.
    pub inverse: bool,
}

impl Predicate {
    /// No predicate.
    pub const NONE: Self = Self {
        id: PredicateId(0),
        combine: Combine::None,
        inverse: false,
    };

    /// Whether it combines bits of several lanes.
    #[must_use]
    pub const fn combines(self) -> bool {
        self.id.0 != 0 && matches!(self.combine, Combine::Any | Combine::All)
    }

    /// Whether the predicate enables an instruction of execution size 1; `bits` are the
    /// predicate bits of the channels `lanes`.
    #[must_use]
    pub const fn decides(self, bits: u32, lanes: u32) -> bool {
        if self.id.0 == 0 {
            return true;
        }
        let bits = bits & lanes;
        let holds = match self.combine {
            Combine::Any => bits != 0,
            Combine::All => bits == lanes,
            Combine::None | Combine::Reserved => bits & 1 == 1,
        };
        holds != self.inverse
    }

    /// Visits a `uw` with the ID, the combination and the inverse flag.
    ///
    /// # Errors
    /// If the bytes end.
    pub fn layout<V: Visitor>(&mut self, part: SyntaxPart, v: &mut V) -> Result<(), DecodeError> {
        v.field(part, "Pred id", 12, &mut self.id)?;
        v.ignored("Pred reserved", 1)?;
        v.field(part, "Pred combine", 2, &mut self.combine)?;
        v.field(part, "Pred inverse", 1, &mut self.inverse)
    }
}

/// Execution size, mask control and predicate of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Execution {
    pub size: ExecSize,
    pub mask: MaskControl,
    pub predicate: Predicate,
}

impl Execution {
    /// One lane, whatever the execution mask.
    pub const SINGLE: Self = Self {
        size: ExecSize::ONE,
        mask: MaskControl::NO_MASK,
        predicate: Predicate::NONE,
    };

    /// Visits the bytes `Exec_size(ub)` and `Pred(uw)`.
    ///
    /// # Errors
    /// If the bytes end.
    pub fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        self.size_layout(v)?;
        self.predicate.layout(SyntaxPart::Predicate, v)
    }

    /// Visits the byte `Exec_size(ub)` of an instruction without a predicate.
    ///
    /// # Errors
    /// If the bytes end.
    pub fn size_layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        // The documents give the size three bits; the real decoder reads four.
        v.field(SyntaxPart::ExecSize, "Exec_size", 4, &mut self.size)?;
        v.field(SyntaxPart::Mask, "Exec mask", 4, &mut self.mask)
    }

    /// Mask of the enabled lanes, lane n in bit n: the algorithm EvaluateChEn of
    /// visa_5_operands.md, step by step.
    #[must_use]
    pub fn enabled(&self, execution_mask: u32, predicate: u32) -> u32 {
        let offset = u32::from(self.mask.offset());
        let lanes = low_lanes(self.size.lanes());
        let channels = match self.mask.no_mask() {
            true => lanes,
            false => (execution_mask >> offset) & lanes,
        };
        channels & self.chosen(predicate)
    }

    /// The lanes enabled by the predicate alone; all lanes without a predicate.
    #[must_use]
    pub fn chosen(&self, predicate: u32) -> u32 {
        let lanes = low_lanes(self.size.lanes());
        if self.predicate.id.0 == 0 {
            return lanes;
        }
        let bits = (predicate >> self.mask.offset()) & lanes;
        let bits = match self.predicate.combine {
            Combine::Any if bits != 0 => lanes,
            Combine::Any => 0,
            Combine::All if bits == lanes => lanes,
            Combine::All => 0,
            Combine::None | Combine::Reserved => bits,
        };
        if self.predicate.inverse {
            !bits & lanes
        } else {
            bits
        }
    }
}

/// A mask with the lowest `lanes` bits set.
#[must_use]
pub const fn low_lanes(lanes: u8) -> u32 {
    if lanes >= 32 {
        u32::MAX
    } else {
        (1 << lanes) - 1
    }
}

// Rules.

/// Strictness of the real assembler's verifier for an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verifier {
    /// DWORD_ATOMIC: checks types and null operands, but includes the `.16` flag
    /// in the operation, so that the UD rules apply.
    Strict,
    /// SVM instructions: checks only the alignment of raw operands.
    Lax,
}

impl Execution {
    /// Checks lanes, mask and predicate.
    pub fn check(&self, verifier: Verifier, check: &mut Check<'_>) {
        let lanes = self.size.lanes();
        let (offset, mask) = (self.mask.offset(), self.mask.name());
        if lanes == 0 {
            let what = "reserved execution size";
            check.report(&rules::RESERVED_SIZE, SyntaxPart::ExecSize, what);
        } else if offset + lanes > 32 {
            let rule = match verifier {
                Verifier::Strict => &rules::MASK_OVERFLOW,
                Verifier::Lax => &rules::MASK_OVERFLOW_TAKEN,
            };
            let what =
                format!("{lanes} lanes starting at channel {offset} ({mask}) exceed channel 31");
            let help = "M1 starts at channel 0, M2 at 4, … M8 at 28";
            check.fix(rule, SyntaxPart::Mask, what, help, "M1");
        } else if offset % lanes != 0 {
            let what =
                format!("{mask} starts at channel {offset}, which is not a multiple of {lanes}");
            let help = "M1 starts at channel 0, M2 at 4, … M8 at 28";
            check.advise(&rules::MASK_ALIGN, SyntaxPart::Mask, what, help);
        }
        let predicate = self.predicate;
        if predicate.combine == Combine::Reserved {
            let what = "predicate combines both any and all";
            check.report(&rules::RESERVED_COMBINE, SyntaxPart::Predicate, what);
        }
        if predicate.id.0 == 0 {
            if predicate.inverse || predicate.combine != Combine::None {
                let what = "predicate bits without a predicate";
                check.report(&rules::NO_PREDICATE_BITS, SyntaxPart::Predicate, what);
            }
        } else if let Some(variable) = check.symbols.visa.predicate_variable(predicate.id.0)
            && u32::from(offset + lanes) > variable.elements
        {
            let what = format!(
                "`{}` has {} elements, but the lanes use {offset} to {}",
                variable.name,
                variable.elements,
                u32::from(offset + lanes).saturating_sub(1)
            );
            check.report(&rules::SHORT_PREDICATE, SyntaxPart::Predicate, what);
        }
    }

    /// Reports lanes without an execution-mask channel.
    pub fn check_run(&self, check: &mut Check<'_>) {
        if u32::from(self.mask.offset()) + u32::from(self.size.lanes()) > 32 {
            let what = "cannot run lanes past channel 31";
            check.report(&rules::RUN_MASK_OVERFLOW, SyntaxPart::Mask, what);
        }
    }
}

// Enabled lanes.

/// The bits of predicate `id` on an EU; 0 is the execution mask.
fn flags(context: &IssueContext<'_>, eu: u8, id: u16) -> u32 {
    let flags = context.machine.space(SpaceId::flags(eu));
    let bits = flags.load(flag_address(id), 4);
    let bits = bits.expect("flags are mapped for every EU");
    u32::try_from(bits).expect("four bytes were read")
}

impl Execution {
    /// Mask of the enabled lanes of an EU.
    #[inline]
    #[must_use]
    pub fn enabled_on(&self, context: &IssueContext<'_>, eu: u8) -> u32 {
        let predicate = flags(context, eu, self.predicate.id.0);
        self.enabled(flags(context, eu, 0), predicate)
    }

    /// The reason that a lane is inactive; `None` if it is active.
    #[must_use]
    pub fn inactive_reason(&self, context: &IssueContext<'_>, unit: Unit) -> Option<&'static str> {
        let channel = u32::from(self.mask.offset()) + u32::from(unit.lane);
        // Lanes past channel 31 never execute.
        let dispatched = flags(context, unit.thread, 0).unbounded_shr(channel) & 1 == 1;
        if !self.mask.no_mask() && !dispatched {
            let control = Control::new(context.machine, unit.thread);
            let state = u8::try_from(channel & 31).map(|channel| control.channel(channel));
            let was_dispatched = control.dispatched().unbounded_shr(channel) & 1 == 1;
            Some(match state {
                Ok(ChannelState::Waiting { .. }) => "waits elsewhere",
                Ok(ChannelState::Ended) if was_dispatched => "has ended",
                _ => "execution mask",
            })
        } else if self.enabled_on(context, unit.thread) >> (unit.lane & 31) & 1 == 0 {
            Some("predicate")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channel_enable_follows_the_algorithm() {
        let mut e = Execution {
            size: ExecSize(3),
            mask: MaskControl(2),
            predicate: Predicate::NONE,
        };
        assert_eq!(e.enabled(0x0000_a500, 0), 0xa5);
        e.mask = MaskControl(10);
        assert_eq!(e.enabled(0, 0), 0xff);
        e.predicate = Predicate {
            id: PredicateId(1),
            combine: Combine::Any,
            inverse: false,
        };
        assert_eq!(e.enabled(0, 0x0000_0100), 0xff);
        assert_eq!(e.enabled(0, 0x0001_00ff), 0);
        e.predicate.combine = Combine::All;
        assert_eq!(e.enabled(0, 0x0000_ff00), 0xff);
        e.predicate.inverse = true;
        assert_eq!(e.enabled(0, 0x0000_ff00), 0);
    }
}
