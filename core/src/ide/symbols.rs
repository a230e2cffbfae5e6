//! What a word names, wherever it is used.

use super::complete::{counted, shape};
use super::hover::{Hover, Place};
use super::topics::key_of;
use crate::bits::BitField;
use crate::isa::sass::register::{Predicate, Register};
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::execution::MaskControl;
use crate::isa::visa::surface::Surface;
use crate::number::ElementType;
use crate::text::OperandKind;
use alloc::format;
use alloc::string::String;

impl Place<'_> {
    pub(super) fn visa_name(&self, word: &str, found: &mut Hover) {
        let symbols = &self.program.symbols.visa;
        let Some(symbol) = symbols.symbol(word) else {
            if word == "em" {
                found.title = String::from("em: the execution mask at the start");
                found.topics.push(String::from("field.mask"));
            }
            return;
        };
        match symbol {
            Symbol::General(0) => {
                found.title = format!("{word}: the null variable, no operand");
            }
            Symbol::General(id) => self.general(word, id, symbols, found),
            Symbol::Predicate(id) => {
                let predicate = symbols.predicate_variable(id);
                let elements = predicate.expect("its name is declared").elements;
                let lanes = counted(u64::from(elements), "lane");
                found.title = format!("{word}: predicate, {lanes}{}", self.each_eu());
                found
                    .topics
                    .push(String::from(key_of(OperandKind::Predicate)));
            }
            Symbol::Address(id) => {
                let address = symbols.address_variable(id);
                let elements = address.expect("its name is declared").elements;
                let count = counted(u64::from(elements), "element");
                found.title = format!("{word}: address variable, {count}{}", self.each_eu());
            }
            Symbol::Surface(index) => {
                let surface = Surface(index);
                let what = surface.meaning(&self.program.symbols);
                found.title = match what.split_once(": ") {
                    Some((_, what)) => format!("{word}: surface {index}, {what}"),
                    None => format!("{word}: surface {index}"),
                };
                let space = self.program.start.space(surface.space());
                for (start, bytes) in space.regions() {
                    let bytes = counted(bytes, "byte");
                    found.lines.push(format!("{bytes} from {start:#x}"));
                }
                found
                    .topics
                    .push(String::from(key_of(OperandKind::Surface)));
            }
            Symbol::Sampler(index) => {
                found.title = format!("{word}: sampler {index}");
            }
        }
    }

    fn general(&self, word: &str, id: u32, symbols: &Declarations, found: &mut Hover) {
        let Some(variable) = symbols.general(id) else {
            return;
        };
        let kind = if variable.predefined {
            "predefined variable"
        } else {
            "general variable"
        };
        found.title = format!("{word}: {kind}, {}{}", shape(&variable), self.each_eu());
        let first = variable.offset / symbols.grf_bytes();
        let end = variable.offset + variable.bytes().max(1);
        let last = (end - 1) / symbols.grf_bytes();
        found.lines.push(match first == last {
            true => format!("variable {id}, byte {} of the registers", variable.offset),
            false => format!(
                "variable {id}, {} from byte {} on",
                counted(u64::from(last - first + 1), "register"),
                variable.offset
            ),
        });
        if let Some(base) = variable.alias.and_then(|of| symbols.general(of)) {
            let from = variable.offset - base.offset;
            found.lines.push(format!(
                "shares the bytes of {} from byte {from} on",
                base.name
            ));
        }
    }

    /// `, EU0 and EU1`, where both run.
    fn each_eu(&self) -> &'static str {
        match self.program.threads {
            2 => ", EU0 and EU1 each their own",
            _ => "",
        }
    }

    pub(super) fn sass_name(&self, word: &str, found: &mut Hover) {
        let lanes = "of each of the 32 lanes";
        if let Some(register) = Register::named(word) {
            found.title = match register.is_zero() {
                true => format!("{word}: reads 0, discards what is written"),
                false => format!("{word}: a 32-bit register {lanes}"),
            };
            if register.starts_pair() {
                let next = Register(register.0.saturating_add(1)).name();
                found.lines.push(format!(
                    "with {next} it holds 64-bit values: {word} the low word, {next} the high one"
                ));
            }
        } else if let Some(predicate) = Predicate::named(word) {
            found.title = match predicate.is_true() {
                true => format!("{word}: always true"),
                false => format!("{word}: a predicate, one bit {lanes}"),
            };
        }
    }

    /// Words that mean the same everywhere.
    pub(super) fn keyword(&self, word: &str, found: &mut Hover) {
        if let Some(ty) = ElementType::named(word) {
            let kind = match ty {
                ElementType::Bf => "bfloat16",
                _ if ty.is_float() => "float",
                _ if ty.is_signed() => "signed",
                _ => "unsigned",
            };
            found.title = format!("{word}: {kind}, {} bits", ty.bits());
        } else if let Some(mask) = MaskControl::named(word) {
            found.title = mask.meaning(&self.program.symbols);
            found.topics.push(String::from(key_of(OperandKind::Mask)));
        }
    }
}
