//! Writing of destinations.

use super::place::{LanePlace, PlacedOperand, address_place, out_of_registers};
use super::{LaneRange, OperandFault, VisaThread};
use crate::isa::schema::Direction;
use crate::isa::visa::alu::LaneBits;
use crate::isa::visa::declarations::{address_element, surface_element};
use crate::isa::visa::vector::VectorOperand;
use crate::isa::{LaneResult, Shown};
use crate::machine::{Machine, Recorder, SpaceId};
use crate::number::{ElementType, set_bits};
use crate::text::SyntaxPart;
use alloc::vec::Vec;

/// Elements to be written; all of them exist.
#[derive(Clone, Copy, Debug)]
pub struct LaneDestination {
    place: LanePlace,
    enabled: u32,
}

impl LaneDestination {
    /// Locates the elements of the enabled lanes; `None` for the null variable.
    ///
    /// # Errors
    /// If an element of an enabled lane does not exist, or the operand has no elements.
    #[inline]
    pub fn resolve(
        placed: &PlacedOperand,
        lanes: LaneRange,
        machine: &Machine,
        thread: VisaThread<'_>,
    ) -> Result<Option<Self>, OperandFault> {
        let operand = placed.operand;
        if matches!(operand, VectorOperand::Direct(direct) if direct.is_null()) {
            return Ok(None);
        }
        let place = match placed.place_on(thread.number) {
            Some(place) => place,
            None => Self::find(placed, lanes, machine, thread)?,
        };
        Self::checked(place, lanes.enabled, machine).map(Some)
    }

    /// The elements of an operand that each issue locates.
    fn find(
        placed: &PlacedOperand,
        lanes: LaneRange,
        machine: &Machine,
        thread: VisaThread<'_>,
    ) -> Result<LanePlace, OperandFault> {
        match placed.operand {
            VectorOperand::Address { id, element, .. } => {
                let place = |lane| address_place(id, element, lane, thread);
                flag_elements(lanes, thread, address_element(id.0, element), place)
            }
            VectorOperand::State { class, id, element } if class.is_surface() => {
                let place = |lane| surface_place(id, element, lane, thread);
                flag_elements(lanes, thread, surface_element(id, element), place)
            }
            _ => LanePlace::of(placed, Direction::Out, lanes, machine, thread),
        }
    }

    #[inline]
    fn checked(place: LanePlace, enabled: u32, machine: &Machine) -> Result<Self, OperandFault> {
        check(&place, enabled, machine)?;
        Ok(Self { place, enabled })
    }

    /// The same elements, shifted by `bytes`.
    ///
    /// # Errors
    /// If a shifted element does not exist.
    pub fn moved(&self, bytes: u32, machine: &Machine) -> Result<Self, OperandFault> {
        Self::checked(self.place.moved(bytes), self.enabled, machine)
    }

    #[must_use]
    pub const fn ty(&self) -> ElementType {
        self.place.ty
    }

    /// Old and new values of the elements of the enabled lanes.
    #[must_use]
    pub fn result(&self, operand: SyntaxPart, values: &LaneBits, machine: &Machine) -> LaneResult {
        let mut old = [0; 32];
        for lane in set_bits(self.enabled) {
            let (space, address) = (self.place.space, self.place.address(lane));
            let held = machine.load(space, address, self.place.ty.bytes());
            old[lane] = held.expect("all elements exist");
        }
        LaneResult {
            operand,
            ty: Some(self.place.ty),
            shown: Shown::Number,
            names: Vec::new(),
            space: self.place.space,
            places: core::array::from_fn(|lane| self.place.address(lane)),
            old,
            new: *values,
            unfitted: Vec::new(),
        }
    }

    /// Writes the enabled lanes in order, with one recorded change per lane.
    pub fn write<R: Recorder>(&self, values: &LaneBits, machine: &mut Machine, recorder: &mut R) {
        if self.enabled == 0 {
            return;
        }
        let (place, bytes) = (&self.place, self.place.ty.bytes());
        let row = (place.space, place.address(0), bytes);
        let is_contiguous = place.stride() == Some(bytes.into());
        if is_contiguous && machine.store_row(recorder, row, self.enabled, values) {
            return;
        }
        let lanes = set_bits(self.enabled);
        let cells = lanes.map(|lane| (place.address(lane), values[lane]));
        machine.store_each(recorder, place.space, bytes, cells);
    }
}

/// Checks that the elements of the lanes in `enabled` exist.
fn check(place: &LanePlace, enabled: u32, machine: &Machine) -> Result<(), OperandFault> {
    let memory = machine.space(place.space);
    let count = u32::BITS - enabled.leading_zeros();
    let (start, bytes) = place.span(u8::try_from(count).expect("there are 32 lanes"));
    let bytes = u64::try_from(bytes).expect("a length fits 64 bits");
    if memory.mapped_from(start, bytes) >= bytes {
        return Ok(());
    }
    let bytes = place.ty.bytes();
    let is_missing = |lane: &usize| !memory.is_mapped(place.address(*lane), bytes);
    match set_bits(enabled).find(is_missing) {
        Some(lane) => Err(out_of_registers(lane, place.address(lane))),
        None => Ok(()),
    }
}

/// Dwords of the flags, side by side; `place` finds that of the last enabled
/// lane, if it exists.
fn flag_elements(
    lanes: LaneRange,
    thread: VisaThread<'_>,
    base: u64,
    place: impl Fn(u8) -> Result<u64, OperandFault>,
) -> Result<LanePlace, OperandFault> {
    if let Some(last) = lanes.enabled.checked_ilog2() {
        place(u8::try_from(last).expect("there are 32 lanes"))?;
    }
    let flags = SpaceId::flags(thread.number);
    Ok(LanePlace::contiguous(flags, ElementType::Ud, base))
}

/// Address of a surface element in the flags space.
fn surface_place(
    id: u16,
    first: u8,
    index: u8,
    thread: VisaThread<'_>,
) -> Result<u64, OperandFault> {
    let elements = thread.symbols.surface_elements(id);
    let elements = elements.ok_or(OperandFault::Undeclared)?;
    let element = u32::from(first) + u32::from(index);
    let fault = OperandFault::StateElement { element };
    if element >= elements {
        return Err(fault);
    }
    let element = u8::try_from(element).map_err(|_| fault)?;
    Ok(surface_element(id, element))
}
