//! Register placement of the values moved by a scatter or gather.

use super::{CHANNELS, Instruction, SymbolTable, Unit};
use alloc::vec::Vec;

/// Placement of the dword of one lane and channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneElement {
    /// Channel or vector element, as in [`Unit`].
    pub channel: u8,
    pub lane: u8,
    /// Register, relative to the first register of the operand.
    pub register: u8,
    /// Offset of its first byte in that register.
    pub byte: u8,
}

impl PlaneElement {
    /// The letter of its channel.
    #[must_use]
    pub fn channel_name(self) -> &'static str {
        CHANNELS[usize::from(self.channel)]
    }
}

/// The plane elements of an instruction, sorted by channel and lane; empty for an
/// instruction without channels.
#[must_use]
pub fn plane_elements(instruction: &Instruction, symbols: &SymbolTable) -> Vec<PlaneElement> {
    let grf = symbols.visa.grf_bytes();
    let channels = (0..).zip(CHANNELS).map(|(channel, _)| channel);
    let enabled = channels.filter(|channel| instruction.channels() >> channel & 1 == 1);
    let units = enabled.flat_map(|channel| {
        (0..instruction.lanes()).map(move |lane| Unit::part(0, lane, Some(channel)))
    });
    let mut start = None;
    let elements = units.filter_map(|unit| {
        let at = instruction.channel_element(unit, symbols)?;
        let start = *start.get_or_insert(at / grf);
        Some(PlaneElement {
            channel: unit.channel?,
            lane: unit.lane,
            register: u8::try_from(at / grf - start).ok()?,
            byte: u8::try_from(at % grf).ok()?,
        })
    });
    elements.collect()
}
