//! The syntax schema of an instruction.
//!
//! The [`Syntax`] of an instruction is the only definition of its grammar. Parsing,
//! printing, completion, hover, signature help, the common operand rules and the
//! register view use it. [`Definition::layout`] defines the encoding, with the same
//! [`SyntaxPart`]s.
//!
//! [`Definition::layout`]: super::Definition::layout

use super::{OperationRow, Spec, Style};
use crate::number::ElementType;
use crate::rules::Rule;
use crate::text::SyntaxPart;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The syntax of an instruction:
/// `[(P)] mnemonic.suffix.suffix (M1, lanes) operand operand …`.
#[derive(Debug)]
pub struct Syntax {
    /// Whether a predicate can precede the mnemonic.
    pub predicate: bool,
    /// The suffixes in order, each after a dot.
    pub suffixes: &'static [Suffix],
    /// Placeholder for the number of lanes in `(M1, n)`: `n`, or `8` if no other value
    /// is allowed; empty for SASS, where a warp always has 32 lanes.
    pub lanes: &'static str,
    /// The operands in text order, which is the same in both styles.
    pub operands: &'static [Operand],
}

/// One suffix of the mnemonic.
#[derive(Clone, Copy, Debug)]
pub struct Suffix {
    /// Syntax part.
    pub part: SyntaxPart,
    /// Placeholder in the syntax line: `op`, `RGBA`, `16|64`.
    pub name: &'static str,
    /// Whether it can be omitted.
    pub optional: bool,
    /// Short description.
    pub what: &'static str,
    /// Valid words.
    pub words: Words,
}

/// The words of a suffix with their meanings.
#[derive(Clone, Copy, Debug)]
pub enum Words {
    /// The names of the operations, in [`Spec::operations`].
    Operations,
    /// A fixed list.
    Listed(&'static [(&'static str, &'static str)]),
    /// A computed list.
    Computed(fn() -> Vec<(&'static str, String)>),
    /// A fixed set of words with their codes.
    Codes(&'static [(&'static str, u32)]),
    /// Letters in this order, any number of them: the code is their sum and `base`.
    Flags {
        /// The code of no letter.
        base: u32,
        /// Letters, each with the code that it adds.
        letters: &'static [(&'static str, u32)],
    },
    /// A decimal number.
    Decimal,
    /// This one, which the encoding does not hold.
    Dropped(&'static str),
    /// `x` and hexadecimal digits.
    Hexadecimal,
}

impl Suffix {
    /// The words of a fixed list, without their meanings; none for other kinds.
    pub fn listed(&self) -> impl Iterator<Item = &'static str> {
        let words: &[_] = match self.words {
            Words::Listed(words) => words,
            Words::Operations
            | Words::Computed(_)
            | Words::Codes(_)
            | Words::Flags { .. }
            | Words::Dropped(_)
            | Words::Decimal
            | Words::Hexadecimal => &[],
        };
        words.iter().map(|(word, _)| *word)
    }

    /// The words of this suffix in a style, with their meanings.
    #[must_use]
    pub fn words(&self, spec: &Spec, style: Style) -> Vec<(&'static str, String)> {
        let operation = |row: OperationRow| match style {
            Style::Document => (row.name, String::from(row.formula)),
            Style::Assembler => (row.assembler, String::from(row.formula)),
        };
        match self.words {
            Words::Operations => (spec.operations)().into_iter().map(operation).collect(),
            Words::Listed(words) => words.iter().map(|(w, what)| (*w, (*what).into())).collect(),
            Words::Computed(words) => words(),
            Words::Codes(words) | Words::Flags { letters: words, .. } => {
                words.iter().map(|(w, _)| (*w, String::new())).collect()
            }
            Words::Dropped(word) => Vec::from([(word, String::from("no effect"))]),
            Words::Hexadecimal | Words::Decimal => Vec::new(),
        }
    }
}

/// One operand.
#[derive(Debug)]
pub struct Operand {
    /// Syntax part, unique within an instruction.
    pub part: SyntaxPart,
    /// Name in the syntax line, such as `offsets`.
    pub name: &'static str,
    /// Name in messages, such as `the element offsets`.
    pub role: &'static str,
    pub direction: Direction,
    /// Syntactic form.
    pub form: Form,
    /// Element type.
    pub elements: Elements,
    /// Whether it can be the null variable.
    pub null: Null,
    /// Whether some forms of the instruction omit it.
    pub optional: bool,
    /// Short description.
    pub what: &'static str,
}

/// Whether an operand is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Read, when the instruction issues.
    In,
    /// Written.
    Out,
}

/// Syntactic form of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A surface: `%slm`, `T6`.
    Surface,
    /// A raw operand, aligned to a register: `V33.32`.
    Raw,
    /// One value for all lanes: `V38(0,0)<0;1,0>`, `r[A0(0),16]<0;1,0>:uq` or
    /// `0x1000:uq`.
    Scalar,
    /// A variable with row and column: `V44(0,0)`.
    Rows,
    /// A vector source: `V32(0,0)<1;1,0>`, `r[A0(0),0]<1;1,0>:ud`, `0x1:ud`.
    Source,
    /// A vector source, predicate, address variable, address of a variable, surface or
    /// sampler variable.
    AnySource,
    /// A vector destination: `V32(0,0)<1>`, `r[A0(0),0]<1>:ud`.
    Destination,
    /// A vector destination, predicate, address variable, surface or sampler variable.
    AnyDestination,
    /// A vector source, or the address of a variable, which a plain variable
    /// means as well: `&V32[64]`.
    AddressSource,
    /// A raw operand whose offset may be left out: `V33`, `%null`.
    BareRaw,
    Number,
    /// A number that is printed in hexadecimal.
    Hexadecimal,
    /// Width and height of a block: `(8,4)`.
    BlockSize,
    /// A variable of any kind, by its name.
    Variable,
    /// A quoted text.
    Quoted,
    /// Data of an LSC message with its shape: `V33:d32x4`.
    Data,
    /// The place in memory of an LSC message: `flat[V32+0x10]:a64`.
    Location,
    /// Everything up to the end of the line.
    Rest,
    Label,
    /// Labels in parentheses.
    Labels,
    /// The name of a function.
    Name,
    /// A register of SASS: `R4`, `RZ`.
    Register,
    /// An address of SASS: `[R2 + 4]`, `[0x1000]`.
    Address,
    /// A predicate of SASS: `P0`, `PT`.
    Predicate,
}

/// Element type of an operand.
#[derive(Clone, Copy, Debug)]
pub enum Elements {
    /// No elements.
    None,
    /// One element of this type per lane; another type breaks the rule.
    PerLane(ElementType, &'static Rule),
    /// Depends on the suffixes and is checked by the instruction.
    BySuffix,
}

impl Elements {
    /// Bytes per element, if they do not depend on a suffix.
    #[must_use]
    pub const fn bytes(self) -> Option<u8> {
        match self {
            Self::PerLane(ty, _) => Some(ty.bytes()),
            Self::None | Self::BySuffix => None,
        }
    }
}

/// Whether an operand can be the null variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Null {
    /// Must not be null.
    Never,
    /// Can be null: nothing is read or written then.
    Optional,
    /// Depends on the suffixes and is checked by the instruction.
    BySuffix,
}

impl Syntax {
    /// Finds the operand of a part.
    ///
    /// # Panics
    /// If the instruction does not have the operand.
    #[must_use]
    pub fn operand(&self, part: SyntaxPart) -> &Operand {
        let found = self.operands.iter().find(|o| o.part == part);
        found.expect("the operand is part of the instruction")
    }

    /// The syntax line in a style:
    /// `[(P)] dword_atomic.op[.16] (M1, n) surface offsets src0 src1 dst`.
    #[must_use]
    pub fn line(&self, spec: &Spec, style: Style) -> String {
        let mut line = String::new();
        for piece in self.pieces(spec, style) {
            line.push_str(&piece.text);
        }
        line
    }

    /// The pieces of [`Self::line`] with their parts, for signature help.
    #[must_use]
    pub fn pieces(&self, spec: &Spec, style: Style) -> Vec<SyntaxPiece> {
        let document = style == Style::Document;
        let mut pieces = Vec::new();
        let mut push = |part, text: String| pieces.push(SyntaxPiece { part, text });
        let has_sizes = spec.family.facts().has_execution_sizes;
        if self.predicate {
            let predicate = if has_sizes { "[(P)] " } else { "[@[!]Pg] " };
            push(SyntaxPart::Predicate, String::from(predicate));
        }
        push(SyntaxPart::Opcode, String::from(spec.mnemonic(style)));
        for suffix in self.suffixes {
            let name = match document {
                true => suffix.name.to_ascii_uppercase(),
                false => String::from(suffix.name),
            };
            let alternatives: Vec<String> = name.split('|').map(|n| format!(".{n}")).collect();
            let text = alternatives.join("|");
            push(
                suffix.part,
                match suffix.optional {
                    true => format!("[{text}]"),
                    false => text,
                },
            );
        }
        if has_sizes && !self.lanes.is_empty() {
            let mask = if document { "" } else { "M1, " };
            push(SyntaxPart::ExecSize, format!(" ({mask}{})", self.lanes));
        }
        let comma = if has_sizes { " " } else { ", " };
        let mut before = " ";
        for operand in self.operands {
            let name = operand.name;
            let text = match (operand.optional, before) {
                _ if operand.form == Form::Rows && !document => format!("{before}{name}(0,0)"),
                (false, _) => format!("{before}{name}"),
                (true, " ") => {
                    push(operand.part, format!(" [{name}, ]"));
                    before = "";
                    continue;
                }
                (true, _) => format!("[{before}{name}]"),
            };
            push(operand.part, text);
            before = comma;
        }
        pieces
    }
}

/// A piece of a syntax line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxPiece {
    /// Syntax part.
    pub part: SyntaxPart,
    /// Text with the preceding blank or dot.
    pub text: String,
}
