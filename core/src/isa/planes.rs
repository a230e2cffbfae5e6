//! Where the values that a scatter or gather moves lie in registers.

use super::{CHANNELS, Instruction, SymbolTable, Unit};
use alloc::vec::Vec;

/// Where the dword of one lane and one channel lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneElement {
    /// R is 0, A is 3.
    pub channel: u8,
    /// The lane.
    pub lane: u8,
    /// The register, counted from the one in which the operand starts.
    pub register: u8,
    /// The first of its four bytes there.
    pub byte: u8,
}

impl PlaneElement {
    /// The letter of its channel.
    #[must_use]
    pub fn channel_name(self) -> &'static str {
        CHANNELS[usize::from(self.channel)]
    }
}

/// The elements of the planes of an instruction, by channel, then by lane;
/// empty for one that has no channels.
#[must_use]
pub fn plane_elements(instruction: &Instruction, symbols: &SymbolTable) -> Vec<PlaneElement> {
    let grf = symbols.visa.grf_bytes();
    let enabled = (0..4).filter(|channel| instruction.channels() >> channel & 1 == 1);
    let units = enabled.flat_map(|channel| {
        (0..instruction.lanes()).map(move |lane| Unit {
            channel: Some(channel),
            ..Unit::lane(0, lane)
        })
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
