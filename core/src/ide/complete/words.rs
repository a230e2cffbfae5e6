//! Helpers for the completion of both families.

use super::CompletionContext;
use super::offer::Offer;
use crate::isa::visa::declarations::General;
use crate::isa::{Instruction, Spec, Style, SymbolTable};
use crate::number::ElementType;
use crate::program::Probe;
pub(in crate::ide) use crate::text::counted;
use crate::text::{SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Formats type, elements and size: `ud × 8, 32 bytes`.
pub(in crate::ide) fn shape(variable: &General<'_>) -> String {
    let (ty, bytes) = (variable.ty.name(), variable.bytes());
    format!(
        "{ty} × {}, {}",
        variable.elements,
        counted(u64::from(bytes), "byte")
    )
}

/// The printed default instruction of a form.
pub(super) struct Template {
    /// Mnemonic and suffixes.
    pub(super) lead: String,
    /// `(M1, 1)`; empty for SASS.
    pub(super) size: String,
    /// The operands with their parts.
    pub(super) operands: Vec<(SyntaxPart, String)>,
}

impl Template {
    /// The suffixes of the mnemonic, with their dots.
    pub(super) fn suffixes(&self) -> &str {
        let start = self.lead.find('.').unwrap_or(self.lead.len());
        self.lead.split_at(start).1
    }

    /// Creates the template of a form.
    pub(super) fn of(
        spec: &'static Spec,
        form: usize,
        symbols: &SymbolTable,
        style: Style,
    ) -> Option<Self> {
        let tokens = Instruction::default_for_opcode(spec, form)?.tokens(symbols, style);
        let mut this = Self {
            lead: String::new(),
            size: String::new(),
            operands: Vec::new(),
        };
        // Text before the first blank, in the parentheses after it, and then
        // between blanks or commas.
        let mut stage = 0;
        for token in tokens {
            let text = &*token.text;
            match stage {
                0 if text == " " => stage = 1,
                0 => this.lead.push_str(text),
                1 if text == "(" && this.size.is_empty() => {
                    this.size.push_str(text);
                    stage = 2;
                }
                2 => {
                    this.size.push_str(text);
                    if text == ")" {
                        stage = 3;
                    }
                }
                _ if text == " " || text == ", " => stage = 3,
                _ => {
                    match this.operands.last_mut() {
                        Some((_, operand)) if stage == 4 => operand.push_str(text),
                        _ => this.operands.push((token.part, String::from(text))),
                    }
                    stage = 4;
                }
            }
        }
        let mut probe = Probe::new(symbols, false, false);
        if probe.read(&this.whole()).is_none() {
            // Replace null operands that are not allowed with a predefined variable.
            for (_, operand) in &mut this.operands {
                for null in ["%null", "V0"] {
                    if let Some(form) = operand.strip_prefix(null) {
                        *operand = format!("%r0{form}");
                    }
                }
            }
        }
        Some(this)
    }

    /// A whole line of vISA.
    pub(super) fn whole(&self) -> String {
        let operands = self.operands_from(0, " ");
        format!("{} {}{operands}", self.lead, self.size)
    }

    /// The operands from index `first`, each after `between`.
    pub(super) fn operands_from(&self, first: usize, between: &str) -> String {
        let mut text = String::new();
        for (_, operand) in self.operands.iter().skip(first) {
            text.push_str(between);
            text.push_str(operand);
        }
        text
    }
}

/// The first unused name of the form `V32`.
pub(super) fn free_name(context: &CompletionContext<'_>, letter: char, first: u32) -> String {
    let symbols = &context.symbols().visa;
    let mut number = first;
    loop {
        let name = format!("{letter}{number}");
        let free = symbols.symbol(&name).is_none();
        // One of the names must be free.
        if free || number == u32::MAX {
            return name;
        }
        number += 1;
    }
}

/// Offers the element types accepted by `fits`.
pub(super) fn types(offer: &mut Offer<'_, '_>, rests: &[&str], fits: fn(ElementType) -> bool) {
    for ty in ElementType::ALL {
        if fits(ty) {
            let what = counted(u64::from(ty.bytes()), "byte");
            offer.try_word(ty.name(), &what, TokenClass::Type, rests);
        }
    }
}
