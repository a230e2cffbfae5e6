//! State-independent facts about the operands of an instruction, for type inference.

use super::expression::{LaneInput, LaneOutput};
use super::operand::{Kind, LaneRegister, SassSource, SourcePlace};
use super::words::Word;
use super::{Class, Expression, OperandSlot, SassInstruction};
use crate::diagnostic::to_usize;
use crate::number::low_mask;
use alloc::vec::Vec;
use core::array;

/// Sources on which expressions are tried: a signaling NaN of both sizes, then floats. All are
/// negative and positive integers with bits in all bytes.
const SAMPLES: [u64; 5] = [
    0x7ff4_0000_7fa1_2345,
    0xbff1_2345_4049_0fdb,
    0x4029_8765_c123_4567,
    0x3fd5_5555_0123_4567,
    0xc05e_dd2f_9abc_def0,
];

/// How a result depends on a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// The result is the unchanged source, for some values of the predicates or of another source.
    Copy,
    /// The source is added to the rest.
    Addend,
    /// Any other way.
    Other,
}

impl SassInstruction {
    /// Whether Lanewise executes it, so that all its effects are known.
    #[must_use]
    pub const fn is_executed(&self) -> bool {
        self.obstacle.is_none()
    }

    /// The sources; the number 0 for those that it does not have.
    #[must_use]
    pub const fn sources(&self) -> &[SassSource; 4] {
        &self.sources
    }

    /// The registers that it writes.
    pub fn written_registers(&self) -> impl Iterator<Item = LaneRegister> {
        let upper = (self.words >> 4).count_ones();
        let firsts = [
            (self.destination, self.registers.into()),
            (self.upper, upper),
        ];
        let firsts = firsts
            .into_iter()
            .filter_map(|(first, count)| Some((first?, count)));
        firsts.flat_map(|(first, count)| {
            (0..4)
                .take(to_usize(count))
                .map(move |distance| first.next(distance))
        })
    }

    /// The registers of its addresses.
    pub fn address_registers(&self) -> impl Iterator<Item = LaneRegister> {
        let addresses = [self.address, self.source_address].into_iter();
        addresses.flat_map(|address| address.registers().collect::<Vec<_>>())
    }

    /// Kind of the value that it writes to registers, if its opcode computes one.
    #[must_use]
    pub fn result_kind(&self) -> Option<Kind> {
        let mut slots = (self.op.operands)(&self.modifiers).iter();
        slots.find_map(|slot| match slot {
            OperandSlot::D(kind) => Some(*kind),
            _ => None,
        })
    }

    /// Whether a comparison takes integers as signed; `None` if it does not compare, or continues
    /// a comparison of 64 bits.
    #[must_use]
    pub fn signed_comparison(&self) -> Option<bool> {
        let has = |word| self.modifiers.has(word);
        let compares = self.modifiers.compares && !has(Word::Ex) && !has(Word::X);
        compares.then(|| !has(Word::U32) && !has(Word::U64))
    }

    /// Whether only some lanes may execute it.
    #[must_use]
    pub fn is_guarded(&self) -> bool {
        self.guard.register.address().is_some()
    }

    /// How the result depends on each source; `None` without an expression. Found by evaluating
    /// the expression, so that all forms of a copy or sum are recognized.
    #[must_use]
    pub fn dependences(&self) -> Option<[Dependence; 4]> {
        let Class::Alu(expression) = self.op.class else {
            return None;
        };
        if self.registers == 0 {
            return Some([Dependence::Other; 4]);
        }
        let mask = low_mask(u32::from(self.registers) * 32);
        let samples = (0..SAMPLES.len()).map(|first| {
            array::from_fn(|place| {
                let source = &self.sources[place];
                let sample = SAMPLES[(first + place) % SAMPLES.len()];
                match source.place {
                    SourcePlace::Number(bits) => bits,
                    _ => sample & low_mask(u32::from(source.kind().bytes()) * 8),
                }
            })
        });
        let value = |sources, holds| self.try_on(expression, sources, holds) & mask;
        let is_copy = |place: usize, holds| {
            let mut samples = samples.clone();
            samples.all(|sources| value(sources, holds) == sources[place] & mask)
        };
        let is_addend = |place: usize| {
            samples.clone().all(|mut sources| {
                let before = value(sources, false);
                sources[place] = sources[place].wrapping_add(4);
                value(sources, false) == before.wrapping_add(4) & mask
            })
        };
        let copies = [false, true].map(|holds| array::from_fn(|place| is_copy(place, holds)));
        let copies_always = copies
            .iter()
            .all(|copies: &[bool; 4]| copies.contains(&true));
        // A source that never is the result selects from the others.
        let is_result = |sources: &[u64; 4], place: usize| {
            [false, true].map(|holds| value(*sources, holds) == sources[place] & mask)
        };
        let results: [Vec<[bool; 2]>; 4] =
            array::from_fn(|place| samples.clone().map(|s| is_result(&s, place)).collect());
        let is_number = |place: usize| matches!(self.sources[place].place, SourcePlace::Number(_));
        let is_ever = |place: usize| results[place].iter().flatten().any(|is| *is);
        let is_selected = (0..SAMPLES.len()).all(|sample| {
            [0, 1]
                .iter()
                .all(|holds| results.iter().any(|of| of[sample][*holds]))
        }) && (0..4).any(|place| !is_number(place) && !is_ever(place));
        Some(array::from_fn(|place| {
            let source = &self.sources[place];
            let is_copied = copies_always && copies.iter().any(|copies| copies[place])
                || is_selected && is_ever(place);
            match () {
                () if is_number(place) => Dependence::Other,
                () if is_copied && source.is_plain() => Dependence::Copy,
                () if !source.is_negated() && is_addend(place) => Dependence::Addend,
                () => Dependence::Other,
            }
        }))
    }

    /// The value of the expression if all predicates hold, or none.
    fn try_on(&self, expression: Expression, sources: [u64; 4], holds: bool) -> u64 {
        let input = LaneInput {
            sources,
            negated: self.sources.each_ref().map(SassSource::is_negated),
            predicates: [holds; 3],
            ..LaneInput::default()
        };
        let LaneOutput { value, .. } = expression(&self.modifiers, &input);
        value
    }
}
