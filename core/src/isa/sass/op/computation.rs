//! What an instruction reads and writes in each lane, for pictures.

use super::name::Name;
use super::operand::Kind;
use super::operand::{CONDITION_CODE, LaneRegister, LaneValues, SassSource, SourcePlace};
use super::special::{SpecialKind, WarpOutput};
use super::words::Word;
use super::{Class, SassInstruction};
use crate::isa::dataflow::Reads;
use crate::isa::sass::warp::{PAIR_BYTES, predicate_address};
use crate::isa::visa::vector::Modifier;
use crate::isa::{
    ElementPlaces, FIRST_ELEMENT, IssueContext, LaneComputation, LaneExchange, LaneResult,
    LaneSource, Shown, SourceElement, Unit,
};
use crate::machine::warp::lanes;
use crate::machine::{Machine, SpaceId};
use crate::number::{ElementType, low_mask};
use crate::text::SyntaxPart;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Names of the bits of the condition code; the second bit of the carry has none.
const CODE_NAMES: [Option<&str>; 5] =
    [Some("CC.C"), None, Some("CC.Z"), Some("CC.S"), Some("CC.O")];

/// A value of each lane, one bit each.
fn each_bit(bits: u32) -> LaneValues {
    core::array::from_fn(|lane| u64::from(bits >> lane & 1))
}

impl SassInstruction {
    /// Operands of a line with this instruction: their parts and byte ranges.
    pub fn operand_ranges<'t>(
        &'t self,
        line: &'t str,
    ) -> impl Iterator<Item = (SyntaxPart, Range<usize>)> + 't {
        let start = line.find(&*self.mnemonic).unwrap_or(line.len());
        let mut at = line.len().min(start + self.mnemonic.len());
        self.written.iter().filter_map(move |(part, text)| {
            let rest = line.get(at..)?;
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', ',']).len();
            // Cache hints inside an operand are not part of its text.
            let first = text.get(..1)?;
            let found = rest.get(blank..).filter(|rest| rest.starts_with(first))?;
            let length = match found.starts_with(&**text) {
                true => text.len(),
                false => {
                    let end = found.find(", ").or(found.find(';'));
                    let found = found.get(..end.unwrap_or(found.len()))?;
                    found.trim_end().len()
                }
            };
            let range = at + blank..at + blank + length;
            at = range.end;
            let hint = line
                .get(at..)
                .is_some_and(|rest| rest.starts_with(".reuse"));
            at += if hint { ".reuse".len() } else { 0 };
            Some((*part, range))
        })
    }

    /// The parts of its operands, in their order.
    pub fn parts(&self) -> impl Iterator<Item = SyntaxPart> + '_ {
        self.written.iter().map(|(part, _)| *part)
    }

    /// The operand of a part as written; empty if there is none.
    #[must_use]
    pub fn operand_text(&self, part: SyntaxPart) -> &str {
        let mut written = self.written.iter();
        let found = written.find(|(written, _)| *written == part);
        found.map_or("", |(_, text)| text)
    }

    /// The bank and offset of a source that is a constant.
    #[must_use]
    pub fn constant(&self, part: SyntaxPart) -> Option<(u8, u32)> {
        match self.source_of(part)?.place {
            SourcePlace::Constant(bank, offset, None) => Some((bank, offset)),
            _ => None,
        }
    }

    /// The source of a part.
    pub(super) fn source_of(&self, part: SyntaxPart) -> Option<&SassSource> {
        let index = match part {
            SyntaxPart::Src0 => 0,
            SyntaxPart::Src1 => 1,
            SyntaxPart::Src2 => 2,
            SyntaxPart::Src3 => 3,
            _ => return None,
        };
        self.sources.get(index)
    }

    /// Whether numbers have no sign.
    fn is_unsigned(&self) -> bool {
        self.modifiers.has(Word::U32) || self.modifiers.has(Word::U64)
    }

    pub(super) fn lane_computation(
        &self,
        context: &IssueContext<'_>,
        thread: u8,
    ) -> Option<LaneComputation> {
        let out = self.output(context, thread)?;
        let machine = context.machine;
        let sources = self.written.iter();
        let sources = sources.filter_map(|(part, _)| self.lane_source(*part, machine, thread));
        let exchange = self.exchange(&out, machine, thread);
        let derived = match exchange {
            Some(LaneExchange::Shuffle(from)) => Vec::from([("from lane", from.map(u64::from))]),
            _ => Vec::new(),
        };
        Some(LaneComputation {
            first_channel: 0,
            enabled: out.executing,
            sources: sources.collect(),
            derived,
            exchange,
            results: self.lane_results(&out, machine, thread),
        })
    }

    fn lane_source(&self, part: SyntaxPart, machine: &Machine, thread: u8) -> Option<LaneSource> {
        let mut source = LaneSource {
            operand: part,
            ty: None,
            shown: Shown::Number,
            read: u32::MAX,
            bits: [0; 32],
            modifier: Modifier::NONE,
            places: None,
        };
        if let SyntaxPart::Condition(number) = part {
            let condition = self.conditions.get(usize::from(number))?;
            source.bits = each_bit(condition.bits(machine, thread));
            return Some(source);
        }
        let operand = self.source_of(part)?;
        let (ty, shown) = operand.kind().shown(self.is_unsigned());
        operand.read(machine, thread, &mut source.bits);
        for bits in &mut source.bits {
            *bits &= low_mask(u32::from(operand.kind().bytes()) * 8);
        }
        let register = match operand.place {
            SourcePlace::Register(register) => Some(register),
            SourcePlace::Number(_) | SourcePlace::Constant(..) => None,
        };
        source.places = register.map(|register| ElementPlaces {
            space: SpaceId::registers(thread),
            addresses: addresses_of(register),
            region: [None; 3],
            paths: Vec::new(),
        });
        Some(LaneSource {
            ty: Some(ty),
            shown,
            ..source
        })
    }

    /// The source lanes of a shuffle, or the bits of a ballot.
    fn exchange(&self, out: &WarpOutput, machine: &Machine, thread: u8) -> Option<LaneExchange> {
        match self.op.class {
            Class::Special(SpecialKind::Shuffle) => {
                let [_, offsets, limits] = self.source_values(machine, thread);
                let mut from = [0; 32];
                for lane in lanes(out.executing) {
                    let at = usize::from(lane);
                    from[at] = self.shuffled(lane, offsets[at], limits[at]).0;
                }
                Some(LaneExchange::Shuffle(from))
            }
            Class::Special(SpecialKind::Vote) => {
                let ballot = self.conditions[0].bits(machine, thread) & out.executing;
                Some(LaneExchange::Ballot(ballot))
            }
            _ => None,
        }
    }

    fn lane_results(&self, out: &WarpOutput, machine: &Machine, thread: u8) -> Vec<LaneResult> {
        let mut results = Vec::new();
        let named = |name: String| {
            let name = |lane: u32| match out.executing >> lane & 1 {
                1 => name.clone(),
                _ => String::new(),
            };
            (0..32).map(name).collect::<Vec<_>>()
        };
        if let Some(register) = self.destination {
            let kind = self.result_kind().unwrap_or(Kind::Bits);
            let (ty, shown) = kind.shown(self.is_unsigned());
            let space = SpaceId::registers(thread);
            let held = |at: u64| machine.load(space, at, kind.bytes()).unwrap_or(0);
            let values = core::iter::once(&out.values).chain(&out.rest);
            for (values, distance) in values.zip((0..).step_by(2)) {
                let register = register.next(distance);
                let places = addresses_of(register);
                results.push(LaneResult {
                    operand: SyntaxPart::Dst,
                    ty: Some(ty),
                    shown,
                    names: named(register.name()),
                    space,
                    places,
                    old: places.map(held),
                    new: *values,
                    unfitted: Vec::new(),
                });
            }
        }
        let flags = SpaceId::flags(thread);
        let mut add = |operand, name: String, address, bits| {
            results.push(LaneResult {
                operand,
                ty: None,
                shown: Shown::Number,
                names: named(name),
                space: flags,
                places: core::array::from_fn(|lane| u64::try_from(lane).unwrap_or(0)),
                old: each_bit(machine.flag_word(flags, address)),
                new: each_bit(bits),
                unfitted: Vec::new(),
            });
        };
        let parts = [SyntaxPart::Carry, SyntaxPart::Status];
        let predicates = self.predicates.iter().zip(out.predicates).zip(parts);
        for ((predicate, bits), part) in predicates {
            if let Some(address) = predicate.address() {
                add(part, predicate.name(), address, bits);
            }
        }
        let written = (0_u8..).zip(&out.flags);
        for (number, (address, bits)) in
            written.filter_map(|(number, flag)| Some((number, flag.as_ref()?)))
        {
            let mut code = CONDITION_CODE.iter().zip(CODE_NAMES);
            let name = match code.find(|(known, _)| *known == address) {
                Some((_, None)) => continue,
                Some((_, Some(name))) => String::from(name),
                None => alloc::format!("P{number}"),
            };
            add(SyntaxPart::Carry, name, *address, *bits);
        }
        results
    }

    /// The registers that a lane of a memory instruction reads for an access.
    pub(super) fn lane_sources(&self, unit: Unit) -> Vec<SourceElement> {
        let element = |operand, register: LaneRegister, bytes| {
            let at = u32::try_from(register.address(unit.lane)).ok()?;
            Some(SourceElement { operand, at, bytes })
        };
        let address = self.address_registers();
        let address = address.filter_map(|r| element(SyntaxPart::Address, r, 4));
        if self.is_bulk() {
            let sizes = self.sources[0].registers();
            let sizes = sizes.filter_map(|r| element(SyntaxPart::Address, r, 4));
            return address.chain(sizes).collect();
        }
        let parts = [
            SyntaxPart::Src0,
            SyntaxPart::Src1,
            SyntaxPart::Src2,
            SyntaxPart::Src3,
        ];
        let number = |channel: u8| usize::from(channel.saturating_sub(FIRST_ELEMENT));
        let own = unit.channel.map(number);
        let data = (0..).zip(self.sources.iter().zip(parts));
        let data = data.filter(|(index, _)| own.is_none_or(|own| own == *index));
        let data = data.filter_map(|(_, (source, part))| {
            element(part, source.registers().next()?, source.kind().bytes())
        });
        address.chain(data).collect()
    }

    /// The registers of all lanes, and the predicates, that it can read.
    pub(super) fn lane_reads(&self) -> Reads {
        let named = self.names.iter().flatten();
        let named = named.filter_map(|name| match name {
            Name::Register(register) => *register,
            _ => None,
        });
        let sources = self.sources.iter().flat_map(SassSource::registers);
        let signs = self.conditions.iter().filter_map(|source| source.sign_of);
        let registers = sources
            .chain(self.address_registers())
            .chain(named)
            .chain(signs);
        let registers = registers.filter_map(|register| {
            // The registers of a pair are side by side.
            let start = register.address(0) / PAIR_BYTES * PAIR_BYTES;
            let start = u32::try_from(start).ok()?;
            Some(start..start + u32::try_from(PAIR_BYTES).ok()?)
        });
        let conditions = self.conditions.iter().chain([&self.guard]);
        let mut words: Vec<u64> = conditions.filter_map(|c| c.register.address()).collect();
        if self.names.contains(&Some(Name::Predicates)) {
            words.extend((0..7).map(predicate_address));
        }
        if self.is_old {
            let reads_code = self.code.is_some()
                || self.modifiers.has(Word::X)
                || self.names.contains(&Some(Name::ConditionCode));
            words.extend(CONDITION_CODE.iter().filter(|_| reads_code));
        }
        let words = words.iter().filter_map(|word| {
            let start = u32::try_from(*word).ok()?;
            Some(start..start + 4)
        });
        Reads {
            registers: registers.collect(),
            flags: words.collect(),
            has_others: false,
        }
    }

    /// Type of the values that a memory instruction moves.
    #[must_use]
    pub fn moved_type(&self) -> ElementType {
        let m = &self.modifiers;
        match () {
            () if m.has(Word::Mt88) => ElementType::Uw,
            () if m.has(Word::M88) => ElementType::Ud,
            () if m.has(Word::F64) => ElementType::Df,
            () if m.has(Word::F32) => ElementType::F,
            () if m.has(Word::S32) => ElementType::D,
            () if m.has(Word::S64) => ElementType::Q,
            () if m.has(Word::B64) || m.has(Word::U64) => ElementType::Uq,
            () if self.registers == 2 => ElementType::Uq,
            () => ElementType::Ud,
        }
    }
}

/// Addresses of a register in the lanes.
fn addresses_of(register: LaneRegister) -> LaneValues {
    let mut addresses = [0; 32];
    for (lane, address) in (0..).zip(&mut addresses) {
        *address = register.address(lane);
    }
    addresses
}
