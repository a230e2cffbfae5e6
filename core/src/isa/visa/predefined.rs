//! Predefined variables and surfaces.
//!
//! Source: visa_4_visa_header.md, "General Variables" and "Surface
//! Variables"; the real tool's spellings where they differ.

use crate::diagnostic::to_usize;
use crate::isa::{Family, Instruction};
use crate::number::ElementType;
use crate::number::ElementType::{Ud, Uq, Uw};
use alloc::format;
use alloc::string::String;

/// One of the variables V0 to V20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predefined {
    /// The real assembler's name, used for printing.
    pub name: &'static str,
    /// The document's name, if different.
    pub document_name: &'static str,
    /// Type of its elements.
    pub ty: ElementType,
    /// Number of its elements.
    pub elements: u16,
    /// Whether instructions can write it.
    pub writable: bool,
}

const fn variable(
    name: &'static str,
    ty: ElementType,
    elements: u16,
    writable: bool,
) -> Predefined {
    Predefined {
        name,
        document_name: name,
        ty,
        elements,
        writable,
    }
}

/// V0 to V20, by number. V0 is the null variable.
pub const VARIABLES: [Predefined; 21] = [
    variable("%null", Ud, 1, true),
    variable("%thread_x", Uw, 1, false),
    variable("%thread_y", Uw, 1, false),
    variable("%group_id_x", Ud, 1, false),
    variable("%group_id_y", Ud, 1, false),
    variable("%group_id_z", Ud, 1, false),
    Predefined {
        document_name: "%tm",
        ..variable("%tsc", Ud, 5, false)
    },
    variable("%r0", Ud, 8, false),
    variable("%arg", Ud, 256, true),
    variable("%retval", Ud, 96, true),
    variable("%sp", Ud, 1, true),
    variable("%fp", Ud, 1, true),
    variable("%hw_id", Ud, 1, false),
    variable("%sr0", Ud, 4, true),
    variable("%cr0", Ud, 1, true),
    variable("%ce0", Ud, 1, false),
    variable("%dbg0", Ud, 2, true),
    variable("%color", Uw, 1, false),
    Predefined {
        document_name: "%implicit_arg_ptr",
        ..variable("%impl_arg_buf_ptr", Uq, 1, true)
    },
    Predefined {
        document_name: "%implicit_local_id_buf_ptr",
        ..variable("%local_id_buf_ptr", Uq, 1, true)
    },
    variable("%msg0", Ud, 3, false),
];

/// Variables that only the text names, numbered after [`VARIABLES`]. They have no known
/// encoding.
///
/// Source: IGC, visa/PreDefinedVars.cpp.
const TEXT_ONLY: [Predefined; 7] = [
    variable("%scratchloc", Uq, 1, false),
    variable("%local_id_x", Ud, 1, false),
    variable("%local_id_y", Ud, 1, false),
    variable("%local_size_x", Ud, 1, false),
    variable("%local_size_y", Ud, 1, false),
    variable("%group_count_x", Ud, 1, false),
    variable("%group_count_y", Ud, 1, false),
];

/// Number of `%scratchloc`, the last variable with a place in the register file.
pub const SCRATCH_LOCATION: u32 = 21;

/// All predefined variables, by number.
pub fn variables() -> impl Iterator<Item = &'static Predefined> {
    VARIABLES.iter().chain(&TEXT_ONLY)
}

/// Whether only the text names a variable.
#[must_use]
pub fn is_text_only(id: u32) -> bool {
    let index = to_usize(id).checked_sub(VARIABLES.len());
    index.is_some_and(|index| index < TEXT_ONLY.len())
}

/// A variable without a place in the register file.
#[must_use]
pub fn unplaced(id: u32) -> Option<&'static Predefined> {
    let is_unplaced = id > SCRATCH_LOCATION;
    variables().nth(to_usize(id)).filter(|_| is_unplaced)
}

/// Number of `%cr0`.
pub const CONTROL: u32 = 14;

/// Number of `%arg`, the arguments of a function.
pub const ARGUMENTS: u32 = 8;

/// Number of `%retval`, the results of a function.
pub const RETURNED: u32 = 9;

/// Number of `%tsc`, the time stamp; a write to its last element pauses the thread.
pub const TIME_STAMP: u32 = 6;

/// Number of `%ce0`.
pub const CHANNEL_ENABLE: u32 = 15;

/// Finds the ID of a predefined variable by any of its names: `%r0`, `V7`.
#[must_use]
pub fn variable_number(name: &str) -> Option<u8> {
    let numbered = name.strip_prefix('V').and_then(|digits| {
        let plain = digits == "0" || !digits.starts_with('0');
        digits.parse::<u8>().ok().filter(|_| plain)
    });
    let named = || {
        variables()
            .position(|v| v.name == name || v.document_name == name)
            .and_then(|i| u8::try_from(i).ok())
    };
    numbered
        .filter(|n| usize::from(*n) < VARIABLES.len())
        .or_else(named)
}

/// Names of the surfaces 0 to 5 in the real assembler.
pub const SURFACES: [&str; 6] = ["%slm", "T1", "T2", "TSS", "%bss", "%scratch"];

/// The number of the shared local memory.
pub const SLM: u8 = 0;

/// The number of the stateless surface: the document's T255.
pub const STATELESS: u8 = 5;

/// The number of the bindless sampler, S31.
pub const BINDLESS_SAMPLER: u8 = 31;

/// The number of the first declared surface.
pub const FIRST_DECLARED_SURFACE: u8 = 6;

/// Finds the ID of a predefined surface by any of its names.
#[must_use]
pub fn surface_number(name: &str) -> Option<u8> {
    match name {
        "T0" => Some(SLM),
        "T255" => Some(STATELESS),
        _ => SURFACES
            .iter()
            .position(|s| *s == name)
            .and_then(|i| u8::try_from(i).ok()),
    }
}

/// Whether the real assembler reserves a name: V0 to V20, T1, T2, TSS, S31.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    variable_number(name).is_some() || matches!(name, "T1" | "T2" | "TSS" | "S31")
}

/// Words that the appendix has among the instructions and that the real
/// assembler takes as names of variables.
const FREE_IN_ASSEMBLER: [&str; 18] = [
    "bfn", "break", "cont", "dhp", "do", "else", "endif", "fence", "file", "fminmax", "if",
    "lifetime", "loc", "nbarrier", "sampler", "sbarrier", "sincos", "while",
];

/// Whether the appendix lists a word as an instruction that can still be a variable
/// name.
#[must_use]
pub fn is_free_mnemonic(word: &str) -> bool {
    FREE_IN_ASSEMBLER.contains(&word)
}

/// Instructions of the appendix that have neither a page nor an opcode.
const WITHOUT_OPCODE: [&str; 3] = ["acos", "asin", "atan"];

/// Instructions that the real assembler does not know and takes as names.
const TAKEN_AS_NAMES: [&str; 4] = ["invm", "rsqtm", "rt_read", "rt_write"];

/// Whether a word is a mnemonic of vISA, whatever its case.
#[must_use]
pub fn is_mnemonic(word: &str) -> bool {
    if TAKEN_AS_NAMES.contains(&word) {
        return false;
    }
    let mut others = WITHOUT_OPCODE.iter().chain(&FREE_IN_ASSEMBLER);
    Instruction::named(Family::Visa, word).is_some()
        || others.any(|known| known.eq_ignore_ascii_case(word))
}

/// Mnemonics of the native code of Intel GPUs that vISA does not have, and what vISA has
/// instead. Some resemble an instruction that computes something else.
const NATIVE: [(&str, &str); 15] = [
    (
        "math",
        "inv, log, exp, sqrt, rsqrt, pow, sin, cos, div or mod",
    ),
    ("cmpn", "cmp"),
    ("csel", "cmp and sel"),
    ("bfi1", "bfi"),
    ("bfi2", "bfi"),
    ("macl", "mul or mad"),
    ("mach", "mulh"),
    ("send", "the message itself, such as lsc_load or raw_send"),
    ("sends", "the message itself, such as lsc_load or raw_sends"),
    ("sendc", "the message itself, such as lsc_load or raw_send"),
    ("nop", "no instruction"),
    ("sync", "fence or barrier"),
    ("if", "goto"),
    ("else", "goto"),
    ("endif", "a label"),
];

/// Help for a mnemonic of native code.
pub(crate) fn native_help(word: &str) -> Option<String> {
    let found = NATIVE
        .iter()
        .find(|(native, _)| native.eq_ignore_ascii_case(word));
    found.map(|(native, instead)| {
        format!("`{native}` is an instruction of native code; vISA has {instead}")
    })
}

/// Whether a word is spelled like a mnemonic, which are in lower case, and may therefore
/// not name a variable.
#[must_use]
pub fn is_reserved_word(word: &str) -> bool {
    !word.bytes().any(|b| b.is_ascii_uppercase()) && is_mnemonic(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_and_numbers_name_a_variable() {
        for (name, number) in [
            ("%null", 0),
            ("V0", 0),
            ("%r0", 7),
            ("V7", 7),
            ("%tm", 6),
            ("%tsc", 6),
        ] {
            assert_eq!(variable_number(name), Some(number), "{name}");
        }
        for name in ["V21", "V07", "%R0", "v7", "r0"] {
            assert_eq!(variable_number(name), None, "{name}");
        }
        assert_eq!(surface_number("T255"), surface_number("%scratch"));
    }
}
