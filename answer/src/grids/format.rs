//! Value formats of registers and memories.

use crate::choices;
use crate::notation::Notation;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::number::ElementType;

choices! {
    #[derive(Default)]
    pub RegisterFormat {
        #[default]
        Declared "declared" "as declared",
        Hex "hex" "hexadecimal",
        Unsigned "unsigned" "unsigned",
        Signed "signed" "signed",
        Float "float" "f: 32-bit float",
        Double "double" "df: 64-bit float",
        Half "half" "hf: 16-bit float",
        BFloat "bfloat" "bf: 16-bit bfloat",
        Bytes "bytes" "bytes, in hexadecimal",
    }
}

impl RegisterFormat {
    /// Notation of the elements of a variable of type `declared`.
    pub const fn notation(self, declared: ElementType) -> Notation {
        let ty = match self {
            Self::Declared | Self::Hex => declared,
            Self::Unsigned => unsigned(declared.bytes()),
            Self::Signed => match declared.bytes() {
                1 => ElementType::B,
                2 => ElementType::W,
                4 => ElementType::D,
                _ => ElementType::Q,
            },
            Self::Float if matches!(declared, ElementType::Df) => declared,
            Self::Float => ElementType::F,
            Self::Double => ElementType::Df,
            Self::Half => ElementType::Hf,
            Self::BFloat => ElementType::Bf,
            Self::Bytes => ElementType::Ub,
        };
        let hex = matches!(self, Self::Hex | Self::Bytes);
        Notation { ty, hex }
    }
}

/// Unsigned type of a size in bytes.
pub(crate) const fn unsigned(bytes: u8) -> ElementType {
    match bytes {
        1 => ElementType::Ub,
        2 => ElementType::Uw,
        4 => ElementType::Ud,
        _ => ElementType::Uq,
    }
}

/// Stable name of "as used".
const USED_TYPE: &str = "used";

/// Value format of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFormat {
    /// Element type; `None` for the type of the instructions that access the
    /// memory.
    pub ty: Option<ElementType>,
    /// Hexadecimal bits instead of the type's own notation.
    pub hex: bool,
}

impl MemoryFormat {
    /// Type of the instructions that access the memory.
    pub const AS_USED: Self = Self {
        ty: None,
        hex: false,
    };

    /// Stable type name in links and saved settings.
    pub fn type_name(self) -> &'static str {
        self.ty.map_or(USED_TYPE, ElementType::name)
    }

    /// Parses a stable type name; `None` if there is no such type.
    pub fn named_type(name: &str) -> Option<Option<ElementType>> {
        match name {
            USED_TYPE => Some(None),
            name => ElementType::named(name).map(Some),
        }
    }

    /// All formats in the menu: as used, by type, and hexadecimal by size.
    pub fn all() -> Vec<Self> {
        let as_used = [false, true].map(|hex| Self { ty: None, hex });
        let typed = ElementType::ALL.map(|ty| Self {
            ty: Some(ty),
            hex: false,
        });
        let hexadecimal = typed.iter().map(|format| Self {
            hex: true,
            ..*format
        });
        let hexadecimal = hexadecimal.filter(|format| format.canonical() == *format);
        as_used
            .into_iter()
            .chain(typed)
            .chain(hexadecimal)
            .collect()
    }

    pub fn label(self) -> String {
        match (self.ty, self.hex) {
            (None, false) => String::from("as used"),
            (None, true) => String::from("as used, in hexadecimal"),
            (Some(ty), true) => format!("{}-bit hexadecimal", ty.bits()),
            (Some(ty), false) => {
                use ElementType::{B, Bf, D, Df, F, Hf, Q, Ub, Ud, Uq, Uw, W};
                let kind = match ty {
                    Ub | Uw | Ud | Uq => "unsigned",
                    B | W | D | Q => "signed",
                    Hf | F | Df => "float",
                    Bf => "bfloat",
                };
                format!("{}: {}-bit {kind}", ty.name(), ty.bits())
            }
        }
    }

    /// The equivalent format in [`Self::all`]: types of equal size share one
    /// hexadecimal format.
    pub fn canonical(self) -> Self {
        let ty = self
            .ty
            .map(|ty| if self.hex { unsigned(ty.bytes()) } else { ty });
        Self { ty, ..self }
    }
}
