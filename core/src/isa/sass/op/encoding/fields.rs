//! Operands in a word: their fields, and how they are printed.

use super::choices;
use super::number::{float, hexadecimal};
use crate::isa::sass::chip::Chip;
use crate::isa::sass::register::{PredicateRegister, Register};
use crate::number::{ElementType, sign_extend, to_f64};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub(super) const fn bit(at: u32) -> u64 {
    1 << at
}

/// A mask of `count` bits, starting at bit `at`.
pub(super) const fn bits(at: u32, count: u32) -> u64 {
    ((1 << count) - 1) << at
}

/// Sign of an immediate of 20 bits.
pub(super) const SIGN: u64 = bit(56);

/// The bits of a mask, from the lowest.
pub(super) fn get(word: u64, mask: u64) -> u64 {
    let (mut rest, mut value, mut place) = (mask, 0, 0);
    while rest != 0 {
        value |= (word >> rest.trailing_zeros() & 1) << place;
        rest &= rest - 1;
        place += 1;
    }
    value
}

/// The same, sign-extended.
fn get_signed(word: u64, mask: u64) -> i64 {
    sign_extend(get(word, mask), mask.count_ones())
}

/// Where the second and third sources are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordForm {
    /// Both in registers.
    Register,
    /// The second in a constant bank.
    Constant,
    /// The second is a number.
    Number,
    /// The third in a constant bank.
    Last,
}

impl WordForm {
    pub(super) const ALL: [Self; 4] = [Self::Register, Self::Constant, Self::Number, Self::Last];
}

/// Everything besides the word that affects its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// Address of the word in its function.
    pub(super) address: u32,
    /// Bits of the operand cache.
    pub(super) reuse: u8,
    pub(super) chip: Chip,
}

/// How a number is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Unsigned,
    Signed,
    /// Signed if a bit of the word is set.
    SignedIf(u64),
    /// The upper bits of a float.
    Float(ElementType),
    /// The same of the source type of a conversion.
    Source,
    /// Two halves: fields of the upper and the lower one.
    Halves(u64, u64),
}

/// Kind of an operand, with its fields.
#[derive(Clone, Copy, Debug)]
pub(super) enum SlotKind {
    Register(u32),
    Predicate(u32),
    /// The predicate and a bit that negates it.
    Condition(u32),
    Number(Number, u64),
    /// The second source: its number has this field.
    Second(Number, u64),
    Third,
    /// A register, or a number if a bit is set.
    Either(u64, u32, u64),
    /// Offset in bytes, with this number of bits that are zero.
    Address(u64, u32),
    /// A constant bank with an offset in a register.
    Indexed,
    /// A register that an address is added to.
    Target,
    Label,
    Code(u32),
    Special,
    Choice(u64, &'static str),
    /// A set of scoreboards.
    Scoreboards,
    /// Compare and swap: a register or the next as well.
    Pair(u64),
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordSlot {
    kind: SlotKind,
    negated: u64,
    absolute: u64,
    inverted: u64,
    /// Field with the part of a register.
    part: u64,
    parts: &'static str,
    /// The bit of `.CC`.
    code: u64,
    /// Value with which it is not printed.
    omitted: Option<u64>,
    /// Its bit of the operand cache, if it is not that of the place.
    cache: Option<u8>,
}

/// Conditions of the condition code.
pub(super) const CODES: &str = "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T OFF LO SFF LS HI SFT HS OFT CSM_TA CSM_TR CSM_MX FCSM_TA FCSM_TR FCSM_MX RLE RGT";

/// Special registers by number; `!` has only its number.
const SPECIAL: &str = "SR_LANEID SR_CLOCK SR_VIRTCFG SR_VIRTID SR_PM0 SR_PM1 SR_PM2 SR_PM3 SR_PM4 SR_PM5 SR_PM6 SR_PM7 ! ! ! ! \
SR_PRIM_TYPE SR_INVOCATION_ID SR_Y_DIRECTION SR_THREAD_KILL SM_SHADER_TYPE SR_DIRECTCBEWRITEADDRESSLOW SR_DIRECTCBEWRITEADDRESSHIGH SR_DIRECTCBEWRITEENABLED \
SR_MACHINE_ID_0 SR_MACHINE_ID_1 SR_MACHINE_ID_2 SR_MACHINE_ID_3 SR_AFFINITY SR_INVOCATION_INFO SR_WSCALEFACTOR_XY SR_WSCALEFACTOR_Z \
SR_TID SR_TID.X SR_TID.Y SR_TID.Z SR_CTA_PARAM SR_CTAID.X SR_CTAID.Y SR_CTAID.Z SR_NTID SR_CirQueueIncrMinusOne SR_NLATC ! ! ! ! ! \
SR_SWINLO SR_SWINSZ SR_SMEMSZ SR_SMEMBANKS SR_LWINLO SR_LWINSZ SR_LMEMLOSZ SR_LMEMHIOFF SR_EQMASK SR_LTMASK SR_LEMASK SR_GTMASK SR_GEMASK SR_REGALLOC ! ! \
SR_GLOBALERRORSTATUS ! SR_WARPERRORSTATUS SR_WARPERRORSTATUSCLEAR ! ! ! ! SR_PM_HI0 SR_PM_HI1 SR_PM_HI2 SR_PM_HI3 SR_PM_HI4 SR_PM_HI5 SR_PM_HI6 SR_PM_HI7 \
SR_CLOCKLO SR_CLOCKHI SR_GLOBALTIMERLO SR_GLOBALTIMERHI ! ! ! ! ! ! ! ! ! ! ! ! \
SR_HWTASKID SR_CIRCULARQUEUEENTRYINDEX SR_CIRCULARQUEUEENTRYADDRESSLOW SR_CIRCULARQUEUEENTRYADDRESSHIGH";

/// Those that SM60 added.
const SPECIAL_OF_SM60: [(u64, &str); 6] = [
    (0x0f, "SR_ORDERING_TICKET"),
    (0x2c, "SR_SM_SPA_VERSION"),
    (0x2d, "SR_MULTIPASSSHADERINFO"),
    (0x2e, "SR_LWINHI"),
    (0x2f, "SR_SWINHI"),
    (0x3e, "SR_BARRIERALLOC"),
];

/// Names of the special registers of a chip.
fn special(chip: Chip) -> impl Iterator<Item = (u64, &'static str)> {
    let is_new = chip >= Chip::Sm60;
    let more = SPECIAL_OF_SM60.into_iter().filter(move |_| is_new);
    let replaced = (0x3e, "SR_CTXADDR");
    let old = core::iter::once(replaced).filter(move |_| !is_new);
    choices(SPECIAL).chain(more).chain(old)
}

/// Constant banks: number and offset in words, number and offset in bytes.
const BANK: u64 = bits(34, 5);
const OFFSET: u64 = bits(20, 14);
const WIDE_BANK: u64 = bits(36, 5);
const WIDE_OFFSET: u64 = bits(20, 16);

/// Number of RZ.
const ZERO: u64 = 255;

/// Field of a relative address.
const RELATIVE: u64 = bits(20, 24);

/// The bit with which the target of a branch is in a constant bank.
const IN_BANK: u64 = bit(5);

impl WordSlot {
    pub(super) const fn new(kind: SlotKind) -> Self {
        Self {
            kind,
            negated: 0,
            absolute: 0,
            inverted: 0,
            part: 0,
            parts: "-",
            code: 0,
            omitted: None,
            cache: None,
        }
    }

    pub(super) const fn condition(at: u32) -> Self {
        Self::new(SlotKind::Condition(at))
    }

    pub(super) const fn neg(self, at: u32) -> Self {
        Self {
            negated: bit(at),
            ..self
        }
    }

    pub(super) const fn abs(self, at: u32) -> Self {
        Self {
            absolute: bit(at),
            ..self
        }
    }

    pub(super) const fn inv(self, at: u32) -> Self {
        Self {
            inverted: bit(at),
            ..self
        }
    }

    pub(super) const fn part(self, part: u64, parts: &'static str) -> Self {
        Self {
            part,
            parts,
            ..self
        }
    }

    pub(super) const fn cc(self, at: u32) -> Self {
        Self {
            code: bit(at),
            ..self
        }
    }

    pub(super) const fn omitted(self, value: u64) -> Self {
        Self {
            omitted: Some(value),
            ..self
        }
    }

    pub(super) const fn cache(self, bit: u8) -> Self {
        Self {
            cache: Some(bit),
            ..self
        }
    }

    /// The field of the value, by form.
    const fn field(&self, form: WordForm) -> u64 {
        match self.kind {
            SlotKind::Register(at) => bits(at, 8),
            SlotKind::Predicate(at) => bits(at, 3),
            SlotKind::Condition(at) => bits(at, 4),
            SlotKind::Number(Number::Halves(upper, lower), _) => upper | lower,
            SlotKind::Number(_, field) => field,
            SlotKind::Second(number, field) => match form {
                WordForm::Register => bits(20, 8),
                WordForm::Constant => BANK | OFFSET,
                WordForm::Number => match number {
                    Number::Halves(upper, lower) => upper | lower,
                    _ => field,
                },
                WordForm::Last => bits(39, 8),
            },
            SlotKind::Third => match form {
                WordForm::Last => BANK | OFFSET,
                _ => bits(39, 8),
            },
            SlotKind::Either(choice, at, number) => choice | bits(at, 8) | number,
            SlotKind::Address(field, _) => field | bits(8, 8),
            SlotKind::Indexed => WIDE_BANK | WIDE_OFFSET | bits(8, 8),
            SlotKind::Target => RELATIVE | WIDE_BANK | IN_BANK | bits(8, 8),
            SlotKind::Label => RELATIVE | WIDE_BANK | IN_BANK,
            SlotKind::Code(at) => bits(at, 5),
            SlotKind::Special => bits(20, 8),
            SlotKind::Choice(field, _) => field,
            SlotKind::Scoreboards => bits(0, 6),
            SlotKind::Pair(_) => bits(20, 8) | bits(28, 2),
        }
    }

    /// All of its bits.
    pub(super) const fn bits(&self, form: WordForm) -> u64 {
        self.field(form) | self.negated | self.absolute | self.inverted | self.part | self.code
    }

    const fn is_number(&self, form: WordForm) -> bool {
        match self.kind {
            SlotKind::Number(..) => true,
            SlotKind::Second(..) => matches!(form, WordForm::Number),
            _ => false,
        }
    }

    /// Its text; `Some(None)` if it is not printed, `None` if the bits have no meaning.
    pub(super) fn print(
        &self,
        word: u64,
        form: WordForm,
        context: &Context,
    ) -> Option<Option<String>> {
        if self.omitted == Some(get(word, self.field(form))) {
            return Some(None);
        }
        let mut text = self.place(word, form, context)?;
        let has = |bit: u64| word & bit != 0;
        let part = get(word, self.part);
        let (_, part) = choices(self.parts).find(|(choice, _)| *choice == part)?;
        let in_bank = text.starts_with("c[");
        let suffix = |text: &mut String| {
            if part != "-" {
                text.push('.');
                text.push_str(part);
            }
        };
        if self.is_number(form) {
            for (bit, name) in [
                (self.negated, ".NEG"),
                (self.absolute, ".ABS"),
                (self.inverted, ".INV"),
            ] {
                text.push_str(if has(bit) { name } else { "" });
            }
            suffix(&mut text);
            return Some(Some(text));
        }
        // Where a part could be named, a space stands between bank and offset.
        if in_bank && self.part != 0 {
            text = text.replacen("][", "] [", 1);
        }
        suffix(&mut text);
        if has(self.absolute) {
            text = format!("|{text}|");
        }
        text.push_str(if self.is_reused(form, context) {
            ".reuse"
        } else {
            ""
        });
        if has(self.negated) {
            text.insert(0, '-');
        }
        if has(self.inverted) {
            text.insert(0, '~');
        }
        text.push_str(if has(self.code) { ".CC" } else { "" });
        Some(Some(text))
    }

    /// Whether its register stays in the operand cache.
    fn is_reused(&self, form: WordForm, context: &Context) -> bool {
        let at = match (self.kind, form) {
            (SlotKind::Register(8), _) => 0,
            (SlotKind::Register(20), _)
            | (SlotKind::Second(..), WordForm::Register | WordForm::Last) => 1,
            (SlotKind::Third, WordForm::Register | WordForm::Constant | WordForm::Number) => 2,
            (SlotKind::Register(0), _) if self.cache.is_some() => 2,
            _ => return false,
        };
        context.reuse >> self.cache.unwrap_or(at) & 1 == 1
    }

    fn place(&self, word: u64, form: WordForm, context: &Context) -> Option<String> {
        let register = |at: u32| register(get(word, bits(at, 8)));
        let constant = || constant(get(word, BANK), get_signed(word, OFFSET) * 4);
        Some(match self.kind {
            SlotKind::Register(at) => register(at),
            SlotKind::Predicate(at) => predicate(get(word, bits(at, 3))),
            SlotKind::Condition(at) => {
                let name = predicate(get(word, bits(at, 3)));
                let negated = word & bit(at + 3) != 0;
                if negated { format!("!{name}") } else { name }
            }
            SlotKind::Number(number, field) => number.print(word, field),
            SlotKind::Second(number, field) => match form {
                WordForm::Register => register(20),
                WordForm::Constant => constant(),
                WordForm::Number => number.print(word, field),
                WordForm::Last => register(39),
            },
            SlotKind::Third => match form {
                WordForm::Last => constant(),
                _ => register(39),
            },
            SlotKind::Either(choice, at, number) => match word & choice {
                0 => register(at),
                _ => Number::Unsigned.print(word, number),
            },
            SlotKind::Address(field, shift) => {
                let register = get(word, bits(8, 8));
                // Without a register, the address has no sign.
                let offset = match register {
                    ZERO => get(word, field).cast_signed(),
                    _ => get_signed(word, field),
                };
                bracket(register, offset << shift)
            }
            SlotKind::Indexed => {
                let inside = bracket(get(word, bits(8, 8)), get_signed(word, WIDE_OFFSET));
                format!("c[{:#x}]{inside}", get(word, WIDE_BANK))
            }
            SlotKind::Target | SlotKind::Label => {
                let indexed = matches!(self.kind, SlotKind::Target);
                if word & IN_BANK != 0 {
                    let (bank, offset) = (get(word, WIDE_BANK), get_signed(word, WIDE_OFFSET));
                    return Some(match indexed {
                        true => format!("c[{bank:#x}]{}", bracket(get(word, bits(8, 8)), offset)),
                        false => super::fields::constant(bank, offset),
                    });
                }
                let offset = get_signed(word, RELATIVE);
                match indexed {
                    false => hexadecimal(self.target(word, context)?),
                    true if offset == 0 => register(8),
                    true => format!("{} {}", register(8), hexadecimal(offset)),
                }
            }
            SlotKind::Code(at) => {
                let name = nth(CODES, get(word, bits(at, 5)))?;
                format!("CC.{name}")
            }
            SlotKind::Special => {
                let number = get(word, bits(20, 8));
                let name = special(context.chip).find(|(known, _)| *known == number);
                name.map_or_else(|| format!("SR{number}"), |(_, name)| String::from(name))
            }
            SlotKind::Choice(field, list) => String::from(nth(list, get(word, field))?),
            SlotKind::Scoreboards => {
                let set = (0..6_u32).rev().filter(|at| word >> at & 1 == 1);
                let set: Vec<String> = set.map(|at| at.to_string()).collect();
                format!("{{{}}}", set.join(","))
            }
            SlotKind::Pair(wide) => {
                let first = get(word, bits(20, 8));
                let step = if word & wide == 0 { 1 } else { 2 };
                let [a, b] = match get(word, bits(28, 2)) {
                    0 if first + step < ZERO => [first, first + step],
                    1 => [first, ZERO],
                    2 if first < ZERO => [ZERO, first],
                    _ => return None,
                };
                [a, b].map(super::fields::register).join(", ")
            }
        })
    }

    /// The address that a label is.
    pub(super) fn target(&self, word: u64, context: &Context) -> Option<i64> {
        let is_label = matches!(self.kind, SlotKind::Label) && word & IN_BANK == 0;
        let next = i64::from(context.address) + 8;
        is_label.then(|| next + get_signed(word, RELATIVE))
    }
}

impl Number {
    /// The source of a conversion from floats, and its field.
    fn source(word: u64, field: u64) -> (Self, u64) {
        match get(word, bits(10, 2)) {
            1 => (Self::Float(ElementType::Hf), bits(20, 16)),
            3 => (Self::Float(ElementType::Df), field),
            _ => (Self::Float(ElementType::F), field),
        }
    }

    fn print(self, word: u64, field: u64) -> String {
        match self {
            Self::Unsigned => format!("{:#x}", get(word, field)),
            Self::Signed => hexadecimal(get_signed(word, field)),
            Self::SignedIf(sign) if word & sign != 0 => Self::Signed.print(word, field),
            Self::SignedIf(_) => Self::Unsigned.print(word, field),
            Self::Source => {
                let (number, field) = Self::source(word, field);
                number.print(word, field)
            }
            Self::Float(ty) => float(
                to_f64(get(word, field) << unused(ty, field), ty),
                ty == ElementType::Df,
            ),
            Self::Halves(upper, lower) => {
                let half = |field| Self::Float(ElementType::Hf).print(word, field);
                format!("{}, {}", half(upper), half(lower))
            }
        }
    }
}

/// Lower bits of a float that a field lacks; they are 0.
fn unused(ty: ElementType, field: u64) -> u32 {
    u32::from(ty.bytes()) * 8 - field.count_ones()
}

fn nth(list: &'static str, number: u64) -> Option<&'static str> {
    choices(list)
        .find(|(value, _)| *value == number)
        .map(|(_, word)| word)
}

/// A field of a register or predicate has eight bits at most.
fn byte(field: u64) -> u8 {
    u8::try_from(field).expect("it has eight bits")
}

fn register(number: u64) -> String {
    Register(byte(number)).name()
}

fn predicate(number: u64) -> String {
    PredicateRegister(byte(number)).name()
}

fn constant(bank: u64, offset: i64) -> String {
    format!("c[{bank:#x}][{}]", hexadecimal(offset))
}

/// `[R2+0x8]`, `[0x8]`.
fn bracket(register: u64, offset: i64) -> String {
    let name = self::register(register);
    match (register, offset) {
        (_, 0) => format!("[{name}]"),
        (ZERO, _) => format!("[{}]", hexadecimal(offset)),
        _ => format!("[{name}+{}]", hexadecimal(offset)),
    }
}
