//! Predefined variables and surfaces.
//!
//! Source: visa_4_visa_header.md, "General Variables" and "Surface
//! Variables"; the real tool's spellings where they differ.

use crate::number::ElementType;
use crate::number::ElementType::{Ud, Uq, Uw};

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

/// Number of `%cr0`.
pub const CONTROL: u32 = 14;

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
        VARIABLES
            .iter()
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

/// vISA mnemonics, which cannot be variable names.
///
/// Source: visa_8_appendix_visa_assembly_syntax.md, `<OP>`, and the real
/// assembler, which rejects them as names.
pub const MNEMONICS: &[&str] = &[
    "acos",
    "add",
    "addc",
    "addr_add",
    "and",
    "asin",
    "asr",
    "atan",
    "avg",
    "barrier",
    "bfe",
    "bfi",
    "bfn",
    "bfrev",
    "break",
    "call",
    "cbit",
    "cmp",
    "cont",
    "cos",
    "avs",
    "dhp",
    "div",
    "divm",
    "do",
    "dp2",
    "dp3",
    "dp4",
    "dp4a",
    "dpas",
    "dpasw",
    "dword_atomic",
    "else",
    "endif",
    "exp",
    "faddr",
    "fbh",
    "fbl",
    "fcall",
    "fcvt",
    "fence",
    "fminmax",
    "file",
    "frc",
    "fret",
    "gather",
    "gather4_scaled",
    "gather4_typed",
    "gather_scaled",
    "goto",
    "if",
    "ifcall",
    "inv",
    "jmp",
    "lifetime",
    "line",
    "load",
    "loc",
    "log",
    "lrp",
    "lsc_fence",
    "lsc_load",
    "lsc_load_quad",
    "lsc_store",
    "lsc_store_quad",
    "lzd",
    "mad",
    "madw",
    "max",
    "media_ld",
    "media_st",
    "min",
    "mod",
    "mov",
    "movs",
    "mul",
    "mulh",
    "nbarrier",
    "not",
    "or",
    "oword_ld",
    "oword_ld_unaligned",
    "oword_st",
    "plane",
    "pow",
    "qw_gather",
    "qw_scatter",
    "raw_send",
    "raw_sendc",
    "raw_sends",
    "raw_sendsc",
    "resinfo",
    "ret",
    "rndd",
    "rnde",
    "rndu",
    "rndz",
    "rol",
    "ror",
    "rsqrt",
    "sad2",
    "sad2add",
    "sample",
    "sample4",
    "sample_3d",
    "sample_unorm",
    "sampleinfo",
    "sampler",
    "sbarrier",
    "scatter",
    "scatter4_scaled",
    "scatter4_typed",
    "scatter_scaled",
    "sel",
    "setp",
    "shl",
    "shr",
    "sin",
    "sincos",
    "sqrt",
    "sqrtm",
    "subb",
    "svm_atomic",
    "svm_block_ld",
    "svm_block_st",
    "svm_gather",
    "svm_gather4scaled",
    "svm_scatter",
    "svm_scatter4_scaled",
    "svm_scatter4scaled",
    "switchjmp",
    "typed_atomic",
    "vme_fbr",
    "vme_ime",
    "vme_sic",
    "wait",
    "while",
    "xor",
    "yield",
];

/// Words of [`MNEMONICS`] that the real assembler accepts as variable names and that
/// are not instructions supported by Lanewise.
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

/// Whether a word is a vISA mnemonic, ignoring case.
#[must_use]
pub fn is_mnemonic(word: &str) -> bool {
    MNEMONICS.iter().any(|m| m.eq_ignore_ascii_case(word))
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
