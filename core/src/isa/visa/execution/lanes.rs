//! Which lanes of which EU take part.

use super::Execution;
use crate::isa::{IssueContext, Unit};
use crate::machine::SpaceId;

/// The mask or predicate `id` of an EU; 0 is the execution mask.
fn flags(context: &IssueContext<'_>, eu: u8, id: u16) -> u32 {
    let flags = context.machine.space(SpaceId::flags(eu));
    let bits = flags.load(u64::from(id) * 4, 4);
    let bits = bits.expect("an EU that runs has its flags");
    u32::try_from(bits).expect("four bytes were read")
}

impl Execution {
    /// The lanes of an EU that take part.
    #[inline]
    #[must_use]
    pub fn enabled_on(&self, context: &IssueContext<'_>, eu: u8) -> u32 {
        let predicate = flags(context, eu, self.predicate.id.0);
        self.enabled(flags(context, eu, 0), predicate)
    }

    /// Why a lane takes no part; empty if it does.
    #[must_use]
    pub fn why_idle(&self, context: &IssueContext<'_>, unit: Unit) -> &'static str {
        let channel = u32::from(self.mask.offset()) + u32::from(unit.lane);
        // A mask offset may place lanes beyond the 32 channels: none runs there.
        let dispatched = flags(context, unit.eu, 0).unbounded_shr(channel) & 1 == 1;
        if !self.mask.no_mask() && !dispatched {
            "execution mask"
        } else if self.enabled_on(context, unit.eu) >> (unit.lane & 31) & 1 == 0 {
            "predicate"
        } else {
            ""
        }
    }
}
