//! The operand schema: the line of an instruction as data.
//!
//! An instruction has one [`Syntax`]. Reading, printing, completion, hover,
//! signature help, the rules that are alike for all operands and the view of
//! registers go by it; nobody else knows the instruction's grammar. Where the
//! operands lie in the encoding is in [`Definition::layout`], whose fields
//! carry the same [`OperandKind`]s.
//!
//! [`Definition::layout`]: super::Definition::layout

use super::{Family, OperationRow, Spec, Style};
use crate::number::ElementType;
use crate::rules::Rule;
use crate::text::OperandKind;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The line of an instruction:
/// `[(P)] mnemonic.suffix.suffix (M1, lanes) operand operand …`.
#[derive(Debug)]
pub struct Syntax {
    /// Whether a predicate may precede the mnemonic.
    pub predicate: bool,
    /// What follows the mnemonic, each behind a dot, in order.
    pub suffixes: &'static [Suffix],
    /// How a reader calls the number of lanes in `(M1, n)`: `n`, or `8` where
    /// only that is taken; empty for SASS, where a warp has 32.
    pub lanes: &'static str,
    /// The operands in the order of the text, which both styles share.
    pub operands: &'static [Operand],
}

/// One suffix of the mnemonic.
#[derive(Debug)]
pub struct Suffix {
    /// The part of the instruction that it is.
    pub part: OperandKind,
    /// How the syntax line calls it: `op`, `RGBA`, `16|64`.
    pub name: &'static str,
    /// Whether it may be left out.
    pub optional: bool,
    /// What it is, in a few words.
    pub what: &'static str,
    /// What may be written there.
    pub words: Words,
}

/// The words of a suffix, each with its meaning.
#[derive(Clone, Copy, Debug)]
pub enum Words {
    /// The names of the operations, in [`Spec::operations`].
    Operations,
    /// These.
    Listed(&'static [(&'static str, &'static str)]),
    /// Those that a function lists.
    Computed(fn() -> Vec<(&'static str, String)>),
    /// These, each with its code in the encoding.
    Codes(&'static [(&'static str, u32)]),
    /// Letters in this order, any number of them: the code is their sum and `base`.
    Flags {
        /// The code of no letter.
        base: u32,
        /// What each adds.
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
    /// The words that are listed for it, without what they mean; none where
    /// they are names of operations or computed.
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

    /// The words of this suffix in one style, with their meanings.
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
    /// The part of the instruction that it is; an instruction has each once.
    pub part: OperandKind,
    /// How the syntax line calls it: `offsets`.
    pub name: &'static str,
    /// How messages call it: `the element offsets`.
    pub role: &'static str,
    /// Whether it is read or written.
    pub direction: Direction,
    /// How it is written.
    pub form: Form,
    /// What its elements may be.
    pub elements: Elements,
    /// Whether it may be the null variable.
    pub null: Null,
    /// Whether some forms of the instruction leave it out.
    pub optional: bool,
    /// What it holds, in a few words.
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

/// How an operand is written, and what it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A surface: `%slm`, `T6`.
    Surface,
    /// A raw operand, which starts at a register: `V33.32`.
    Raw,
    /// One value for all lanes: `V38(0,0)<0;1,0>`, `r[A0(0),16]<0;1,0>:uq` or
    /// `0x1000:uq`.
    Scalar,
    /// A variable with row and column: `V44(0,0)`.
    Rows,
    /// A vector source: `V32(0,0)<1;1,0>`, `r[A0(0),0]<1;1,0>:ud`, `0x1:ud`.
    Source,
    /// A vector source, or a predicate, an address variable, the address of a
    /// variable, a surface or sampler variable.
    AnySource,
    /// A vector destination: `V32(0,0)<1>`, `r[A0(0),0]<1>:ud`.
    Destination,
    /// A vector destination, or a predicate, an address variable, a surface or
    /// sampler variable.
    AnyDestination,
    /// A vector source, or the address of a variable, which a plain variable
    /// means as well: `&V32[64]`.
    AddressSource,
    /// A raw operand whose offset may be left out: `V33`, `%null`.
    BareRaw,
    /// A number.
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
    /// A label.
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

/// What the elements of an operand may be.
#[derive(Clone, Copy, Debug)]
pub enum Elements {
    /// It has none.
    None,
    /// One of this type for each lane; another type breaks the rule.
    PerLane(ElementType, &'static Rule),
    /// Determined by the suffixes: the instruction checks it.
    BySuffix,
}

impl Elements {
    /// Bytes of an element where they do not depend on a suffix.
    #[must_use]
    pub const fn bytes(self) -> Option<u8> {
        match self {
            Self::PerLane(ty, _) => Some(ty.bytes()),
            Self::None | Self::BySuffix => None,
        }
    }
}

/// Whether an operand may be the null variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Null {
    /// It may not.
    Never,
    /// It may: nothing is read or written then.
    Optional,
    /// Whether it may depends on the suffixes: the instruction checks it.
    BySuffix,
}

impl Syntax {
    /// The operand of a part.
    ///
    /// # Panics
    /// If the instruction has no such operand.
    #[must_use]
    pub fn operand(&self, part: OperandKind) -> &Operand {
        let found = self.operands.iter().find(|o| o.part == part);
        found.expect("the instruction has the operand")
    }

    /// The whole line in one style, with the names of its operands:
    /// `[(P)] dword_atomic.op[.16] (M1, n) surface offsets src0 src1 dst`.
    #[must_use]
    pub fn line(&self, spec: &Spec, style: Style) -> String {
        let mut line = String::new();
        for piece in self.pieces(spec, style) {
            line.push_str(&piece.text);
        }
        line
    }

    /// The pieces of [`Self::line`], each with its part:
    /// signature help marks one of them.
    #[must_use]
    pub fn pieces(&self, spec: &Spec, style: Style) -> Vec<SyntaxPiece> {
        let document = style == Style::Document;
        let mut pieces = Vec::new();
        let mut push = |part, text: String| pieces.push(SyntaxPiece { part, text });
        let sass = spec.family == Family::Sass;
        if self.predicate {
            let predicate = if sass { "[@[!]Pg] " } else { "[(P)] " };
            push(OperandKind::Predicate, String::from(predicate));
        }
        push(OperandKind::Opcode, String::from(spec.mnemonic(style)));
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
        if !sass && !self.lanes.is_empty() {
            let mask = if document { "" } else { "M1, " };
            push(OperandKind::ExecSize, format!(" ({mask}{})", self.lanes));
        }
        let comma = if sass { ", " } else { " " };
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
    /// The part of the instruction.
    pub part: OperandKind,
    /// Its text, with the blank or dot before it.
    pub text: String,
}
