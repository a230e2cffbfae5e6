//! Decodes bytes to text, with the declarations that the text requires, and edits the
//! encoding of an instruction.

mod encoded;
mod hex;
mod paste;

pub use encoded::{EditedBits, EncodedInstruction, Refusal, SLOT_BITS};
pub use paste::{PasteResult, PastedItem, find};

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::diagnostic::{Diagnostic, Span};
use lanewise_core::isa::visa::declarations::{FIRST_GENERAL, Placement, VariableKind};
use lanewise_core::isa::{EncodingUnit, Instruction, Style, SymbolTable};
use lanewise_core::number::ElementType;
use lanewise_core::program::{Assembler, Program};
use lanewise_core::rules;

/// Decoded instruction.
#[derive(Clone, Debug)]
pub struct Decoded {
    pub instruction: Instruction,
    /// Encoded length in bytes.
    pub length: usize,
    pub text: String,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Decodes one instruction from the start of `bytes`.
///
/// # Errors
///
/// Diagnostics if the bytes cannot be decoded.
fn decode(bytes: &[u8], names: &SymbolTable, style: Style) -> Result<Decoded, Vec<Diagnostic>> {
    let mut assembler = Assembler::with_names(names.clone());
    match assembler.disassemble(bytes, style) {
        Ok(read) => Ok(Decoded {
            instruction: read.instruction,
            length: read.length,
            text: read.text.to_owned(),
            diagnostics: read.diagnostics.to_vec(),
        }),
        Err(refused) => Err(refused.to_vec()),
    }
}

/// Whether missing declarations are the only reason that bytes cannot be
/// decoded.
fn lacks_declarations(diagnostics: &[Diagnostic]) -> bool {
    !diagnostics.is_empty()
        && diagnostics
            .iter()
            .all(|d| d.rule.code == rules::UNKNOWN_ID.code)
}

/// Maximum number of declarations offered per kind of variable. IDs are
/// consecutive, so every variable up to the required one must be declared.
const MAX_FRESH: usize = 64;

/// Symbol table with additional candidate variables.
struct Widened {
    names: SymbolTable,
    fresh: Vec<(VariableKind, String)>,
}

/// Adds the maximum number of candidate variables after the declared ones.
fn widen(names: &SymbolTable) -> Option<Widened> {
    if !names.target.facts().has_declarations {
        return None;
    }
    let mut names = names.clone();
    let visa = &mut names.visa;
    let mut fresh = Vec::new();
    let here = Span::default();
    let align = visa.grf_bytes();
    let addresses = visa.features().address_elements.into();
    for (kind, letter, first) in [
        (VariableKind::General, 'V', FIRST_GENERAL as usize),
        (VariableKind::Predicate, 'P', 1),
        (VariableKind::Address, 'A', 0),
        (VariableKind::Surface, 'T', 6),
    ] {
        for _ in 0..MAX_FRESH {
            let mut name = format!("{letter}{}", first + visa.count(kind));
            while visa.symbol(&name).is_some() {
                name.push('_');
            }
            match kind {
                VariableKind::General => {
                    let own = Placement::Own { align };
                    // Large enough for any access.
                    visa.add_general(&name, ElementType::Ud, 1024, own, here);
                }
                VariableKind::Predicate => visa.add_predicate(&name, 32, here),
                VariableKind::Address => visa.add_address(&name, addresses, here),
                _ => visa.add_surface(&name, 1, here),
            }
            fresh.push((kind, name));
        }
    }
    Some(Widened { names, fresh })
}

impl Widened {
    /// The `.decl` lines that the instructions require, in ID order.
    fn needed(&self, instructions: &[Instruction]) -> Vec<String> {
        let mut words = Vec::new();
        let mut texts = format!(".target {}\n", self.names.target.name());
        for instruction in instructions {
            // Assembler style prints some names as numbers.
            let tokens = instruction.tokens(&self.names, Style::Document);
            for token in tokens {
                texts.push_str(&token.text);
                words.push(token.text);
            }
            texts.push('\n');
        }
        // An undeclared operand is reported with a suitable declaration.
        let diagnostics = Program::parse(&texts).diagnostics;
        let attributes = |name: &str| {
            let start = format!(".decl {name} ");
            let mut edits = diagnostics.iter().filter_map(|d| d.edit.as_ref());
            edits.find_map(|edit| edit.replacement.strip_prefix(&start))
        };
        let addresses = self.names.visa.features().address_elements;
        let addresses = format!("v_type=A num_elts={addresses}");
        let mut lines = Vec::new();
        for kind in [
            VariableKind::General,
            VariableKind::Predicate,
            VariableKind::Address,
            VariableKind::Surface,
        ] {
            let of_kind = || self.fresh.iter().filter(|(k, _)| *k == kind);
            let is_used = |(_, name): &&(VariableKind, String)| words.contains(name);
            // IDs are consecutive: all variables before it are declared too.
            let unused = of_kind().rev().skip_while(|fresh| !is_used(fresh));
            for (_, name) in of_kind().take(unused.count()) {
                let usual = match kind {
                    VariableKind::General => "v_type=G type=ud num_elts=16 align=GRF",
                    VariableKind::Predicate => "v_type=P num_elts=32",
                    VariableKind::Address => &addresses,
                    _ => "v_type=T num_elts=1",
                };
                let (class, _) = usual.split_once(' ').unwrap_or((usual, ""));
                let suits = match kind {
                    // The instruction may use any element.
                    VariableKind::Address => None,
                    _ => attributes(name).filter(|suits| suits.starts_with(class)),
                };
                let suits = suits.map_or(usual, str::trim_end);
                lines.push(format!(".decl {name} {suits}"));
            }
        }
        lines
    }
}

/// Encoding in hexadecimal: bytes in order, or a word.
pub fn bytes_text(bytes: &[u8], unit: EncodingUnit) -> String {
    let digits = |byte: &u8| format!("{byte:02x}");
    match unit {
        EncodingUnit::Word => {
            let word: String = bytes.iter().rev().map(digits).collect();
            format!("0x{word}")
        }
        EncodingUnit::Byte => {
            let bytes: Vec<String> = bytes.iter().map(digits).collect();
            bytes.join(" ")
        }
    }
}

/// Inserts whole lines at a line start or at the end of the text. Returns the
/// number of bytes inserted.
fn insert_lines<'l>(
    text: &mut String,
    at: usize,
    lines: impl IntoIterator<Item = &'l str>,
) -> usize {
    let lines: String = lines.into_iter().flat_map(|line| [line, "\n"]).collect();
    let before = text.len();
    let ended = at == 0 || text.get(..at).is_some_and(|text| text.ends_with('\n'));
    text.insert_str(at, &lines);
    if !ended && !lines.is_empty() {
        text.insert(at, '\n');
    }
    text.len() - before
}

/// Insertion point for declarations: after the last one, or after directives
/// that must precede declarations.
fn declarations_end(text: &str) -> usize {
    let (mut at, mut end, mut lead) = (0, None, true);
    for line in text.split_inclusive('\n') {
        at += line.len();
        let word = line.split_ascii_whitespace().next().unwrap_or("");
        let word = word.to_ascii_lowercase();
        let before = [".target", ".title", ".note"].contains(&&*word);
        lead &= before || word.is_empty() || word.starts_with("//");
        if word == ".decl" || (lead && before) {
            end = Some(at);
        }
    }
    end.unwrap_or(0)
}
