//! Instruction formats: encoding fields and syntax.
//!
//! Instructions with the same shape share a format. Fields are in encoding order,
//! operands and suffixes in text order.

use crate::isa::schema::{Direction, Elements, Form, Null, Operand, Suffix, Words};
use crate::isa::visa::vector::{self, DST, FieldNames, SRC0, SRC1, SRC2, SRC3};
use crate::text::SyntaxPart;

/// Shape of an instruction: encoding and syntax.
#[derive(Debug)]
pub struct Format {
    /// Fields after the opcode, in encoding order.
    pub fields: &'static [Slot],
    /// Suffixes in text order.
    pub suffixes: &'static [Suffix],
    /// Operands in text order.
    pub operands: &'static [Operand],
    /// Whether an execution size such as `(M1, 16)`, or a block count such as `(16)`,
    /// precedes the operands.
    pub has_size: bool,
    /// Whether a predicate can precede the mnemonic.
    pub predicate: bool,
    /// Bit n is set if the real assembler prints two blanks before operand n.
    pub gaps: u8,
    /// Whether the mnemonic follows the operands.
    pub postfix: bool,
}

impl Format {
    /// Whether the size is a number of blocks.
    pub(super) fn has_blocks(&self) -> bool {
        let mut slots = self.fields.iter();
        slots.any(|slot| matches!(slot, Slot::Blocks))
    }

    /// Whether the text after the mnemonic is kept as it is.
    #[must_use]
    pub const fn is_verbatim(&self) -> bool {
        matches!(self.fields, [.., Slot::Rest])
    }
}

/// A field of the encoding.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    /// Execution size and mask control.
    Execution,
    Predicate,
    /// Fixed bits.
    Fixed {
        /// Name in the document.
        name: &'static str,
        /// Width in bits.
        width: u32,
        value: u64,
    },
    /// Block count, encoded in place of the execution size.
    Blocks,
    /// Execution size and mask of `gather` and `scatter`.
    GatherLanes,
    /// Ignored bits.
    Ignored {
        /// Name in the document.
        name: &'static str,
        /// Width in bits.
        width: u32,
    },
    /// A number, or the code of a suffix.
    Code {
        /// The operand or suffix with the value.
        part: SyntaxPart,
        /// Name in the document.
        name: &'static str,
        /// Width in bits.
        width: u32,
        /// Its values.
        words: Words,
    },
    /// A vector operand of a class that its [`Form`] allows.
    Vector(&'static FieldNames),
    /// A raw operand, with the names of its fields.
    Raw(SyntaxPart, [&'static str; 2]),
    Surface,
    /// The ID of a label.
    Label(SyntaxPart),
    /// A text, as an index of this many bits into the string pool.
    Text(SyntaxPart, u32),
    /// Kind and ID of a variable.
    Variable,
    /// Everything after the opcode, for unknown encodings.
    Rest,
    /// Length of the label list.
    LabelCount,
    /// A label list, preceded by a [`Slot::LabelCount`].
    Labels,
    /// A vector operand of later compilers that only the text has.
    TextVector(SyntaxPart),
    /// A number of later compilers that only the text has.
    TextCode(SyntaxPart, &'static str),
}

pub(in crate::isa::visa) const fn operand(
    part: SyntaxPart,
    name: &'static str,
    direction: Direction,
    form: Form,
    what: &'static str,
) -> Operand {
    Operand {
        part,
        name,
        role: name,
        direction,
        form,
        elements: Elements::BySuffix,
        null: Null::Never,
        optional: false,
        what,
    }
}

const fn destination(form: Form) -> Operand {
    operand(SyntaxPart::Dst, "dst", Direction::Out, form, "the result")
}

pub(super) const fn source(part: SyntaxPart, name: &'static str, form: Form) -> Operand {
    operand(part, name, Direction::In, form, "a source")
}

const D: Operand = destination(Form::Destination);
const ANY_D: Operand = destination(Form::AnyDestination);
const ANY_S0: Operand = source(SyntaxPart::Src0, "src0", Form::AnySource);
const ANY_S1: Operand = source(SyntaxPart::Src1, "src1", Form::AnySource);
pub(super) const S0: Operand = source(SyntaxPart::Src0, "src0", Form::Source);
pub(super) const S1: Operand = source(SyntaxPart::Src1, "src1", Form::Source);
const S2: Operand = source(SyntaxPart::Src2, "src2", Form::Source);
const S3: Operand = source(SyntaxPart::Src3, "src3", Form::Source);

const FD: Slot = Slot::Vector(&DST);
pub(super) const F0: Slot = Slot::Vector(&SRC0);
pub(super) const F1: Slot = Slot::Vector(&SRC1);
const F2: Slot = Slot::Vector(&SRC2);
const FC: Slot = Slot::Vector(&vector::CARRY);
const F3: Slot = Slot::Vector(&SRC3);

/// Words of a suffix with their codes.
pub(super) const fn codes(
    part: SyntaxPart,
    name: &'static str,
    optional: bool,
    words: &'static [(&'static str, u32)],
) -> Suffix {
    Suffix {
        part,
        name,
        optional,
        what: "",
        words: Words::Codes(words),
    }
}

/// A byte that holds a number or the code of a suffix.
pub(super) const fn code(part: SyntaxPart, name: &'static str, words: Words) -> Slot {
    wide(part, name, 8, words)
}

/// A number, or the code of a suffix, of `width` bits.
pub(super) const fn wide(part: SyntaxPart, name: &'static str, width: u32, words: Words) -> Slot {
    Slot::Code {
        part,
        name,
        width,
        words,
    }
}

pub(super) const fn format(
    fields: &'static [Slot],
    suffixes: &'static [Suffix],
    operands: &'static [Operand],
) -> Format {
    Format {
        fields,
        suffixes,
        operands,
        has_size: true,
        predicate: matches!(fields, [Slot::Execution, Slot::Predicate, ..]),
        gaps: 0,
        postfix: false,
    }
}

pub(super) const EXECUTION: Slot = Slot::Execution;
pub(super) const PREDICATE: Slot = Slot::Predicate;

/// `op dst src0`.
pub const UNARY: Format = format(&[EXECUTION, PREDICATE, FD, F0], &[], &[D, S0]);

/// `op dst src0 src1`.
pub const BINARY: Format = format(&[EXECUTION, PREDICATE, FD, F0, F1], &[], &[D, S0, S1]);

/// `op dst src0 src1 src2`.
pub const TERNARY: Format = format(
    &[EXECUTION, PREDICATE, FD, F0, F1, F2],
    &[],
    &[D, S0, S1, S2],
);

/// `op dst src0 src1 src2 src3`.
pub const QUATERNARY: Format = format(
    &[EXECUTION, PREDICATE, FD, F0, F1, F2, F3],
    &[],
    &[D, S0, S1, S2, S3],
);

/// `mov` and `not`: operands can also be predicates or address variables, the source
/// also the address of a variable.
pub const ANY_UNARY: Format = format(&[EXECUTION, PREDICATE, FD, F0], &[], &[ANY_D, ANY_S0]);

/// Binary logic, on vectors or predicates.
pub const ANY_BINARY: Format = format(
    &[EXECUTION, PREDICATE, FD, F0, F1],
    &[],
    &[ANY_D, ANY_S0, ANY_S1],
);

const C: Operand = operand(
    SyntaxPart::Carry,
    "carry",
    Direction::Out,
    Form::Destination,
    "the carry or borrow of each lane",
);

/// `op dst carry src0 src1`.
pub const CARRY: Format = format(
    &[EXECUTION, PREDICATE, FD, FC, F0, F1],
    &[],
    &[D, C, S0, S1],
);

/// `min` and `max`, which share an opcode and have no predicate.
pub const MINIMUM: Format = min_max(&[EXECUTION, selector(0), FD, F0, F1]);

/// See [`MINIMUM`].
pub const MAXIMUM: Format = min_max(&[EXECUTION, selector(1), FD, F0, F1]);

const fn selector(value: u64) -> Slot {
    Slot::Fixed {
        name: "Operation",
        width: 8,
        value,
    }
}

const fn min_max(fields: &'static [Slot]) -> Format {
    Format {
        predicate: true,
        ..format(fields, &[], &[D, S0, S1])
    }
}

/// `op dst src0` without a predicate.
pub const UNPREDICATED_UNARY: Format = format(&[EXECUTION, FD, F0], &[], &[D, S0]);

/// `op dst src0 src1` without a predicate.
pub const UNPREDICATED_BINARY: Format = format(&[EXECUTION, FD, F0, F1], &[], &[D, S0, S1]);

/// `addr_add address src0 src1`.
pub const ADDRESS_ADD: Format = format(
    &[EXECUTION, FD, F0, F1],
    &[],
    &[
        ANY_D,
        source(SyntaxPart::Src0, "src0", Form::AddressSource),
        S1,
    ],
);

/// `movs`: one side is a surface or sampler variable.
pub const MOVE_STATE: Format = format(&[EXECUTION, FD, F0], &[], &[ANY_D, ANY_S0]);

/// `setp predicate src0`.
pub const SET_PREDICATE: Format = format(&[EXECUTION, FD, F0], &[], &[ANY_D, S0]);

/// Relations of `cmp`, with their codes.
pub const RELATIONS: &[(&str, u32)] = &[
    ("eq", 0),
    ("ne", 1),
    ("gt", 2),
    ("ge", 3),
    ("lt", 4),
    ("le", 5),
    // None at all, which the real assembler takes.
    ("", 6),
];

const RELATION: Slot = code(SyntaxPart::Operation, "Relation", Words::Codes(RELATIONS));
const RELATION_SUFFIX: Suffix = codes(SyntaxPart::Operation, "relation", false, RELATIONS);

/// `cmp.relation dst src0 src1`; the destination is a predicate or a vector.
pub const COMPARE: Format = format(
    &[EXECUTION, RELATION, FD, F0, F1],
    &[RELATION_SUFFIX],
    &[ANY_D, S0, S1],
);

const TRUTH_TABLE: Slot = code(SyntaxPart::Operation, "Truth table", Words::Hexadecimal);

/// `bfn.xHH dst src0 src1 src2`: the truth table is the suffix.
pub const BOOLEAN_FUNCTION: Format = format(
    &[EXECUTION, PREDICATE, FD, F0, F1, F2, TRUTH_TABLE],
    &[Suffix {
        part: SyntaxPart::Operation,
        name: "xHH",
        optional: false,
        what: "the truth table, as two hexadecimal digits",
        words: Words::Hexadecimal,
    }],
    &[D, S0, S1, S2],
);

const TARGET: Operand = operand(
    SyntaxPart::Label,
    "label",
    Direction::In,
    Form::Label,
    "the branch target",
);

/// `op label`.
pub const BRANCH: Format = format(
    &[EXECUTION, PREDICATE, Slot::Label(SyntaxPart::Label)],
    &[],
    &[TARGET],
);

/// `op`, with execution size and predicate.
pub const RETURN: Format = format(&[EXECUTION, PREDICATE], &[], &[]);

const INDEX: Operand = source(SyntaxPart::Src0, "index", Form::Source);
const LABELS: Operand = operand(
    SyntaxPart::Label,
    "(labels)",
    Direction::In,
    Form::Labels,
    "the branch targets, selected by the index",
);

/// `switchjmp index (L0, L1)`.
pub const SWITCH: Format = format(
    &[EXECUTION, Slot::LabelCount, F0, Slot::Labels],
    &[],
    &[INDEX, LABELS],
);

pub(super) const fn number(part: SyntaxPart, name: &'static str, what: &'static str) -> Operand {
    operand(part, name, Direction::In, Form::Number, what)
}

const ARGUMENTS: Operand = number(
    SyntaxPart::Src1,
    "arguments",
    "the number of %arg registers that are passed",
);
const RETURNED: Operand = number(
    SyntaxPart::Src2,
    "returned",
    "the number of %retval registers that are returned",
);

const ARGUMENT_COUNT: Slot = code(SyntaxPart::Src1, "Argument registers", Words::Decimal);
const RETURNED_COUNT: Slot = code(SyntaxPart::Src2, "Returned registers", Words::Decimal);
const FUNCTION: Operand = operand(
    SyntaxPart::Name,
    "function",
    Direction::In,
    Form::Name,
    "the name of a function",
);
const ADDRESS: Operand = source(SyntaxPart::Src0, "address", Form::Source);
const MASK: Operand = source(SyntaxPart::Src0, "mask", Form::Source);

/// `fcall function arguments returned`.
pub const FUNCTION_CALL: Format = format(
    &[
        EXECUTION,
        PREDICATE,
        Slot::Text(SyntaxPart::Name, 16),
        ARGUMENT_COUNT,
        RETURNED_COUNT,
    ],
    &[],
    &[FUNCTION, ARGUMENTS, RETURNED],
);

/// `fccall function`.
pub const COMPOSABLE_CALL: Format = format(
    &[EXECUTION, PREDICATE, Slot::Text(SyntaxPart::Name, 16)],
    &[],
    &[FUNCTION],
);

/// What a call promises: that all channels call one function, and that it does not return.
const PROMISES: [Suffix; 2] = [
    codes(
        SyntaxPart::Operation,
        "uniform|noreturn",
        true,
        &[("uniform", 1), ("noreturn", 2)],
    ),
    codes(
        SyntaxPart::Descriptor(0),
        "noreturn",
        true,
        &[("noreturn", 1)],
    ),
];

/// `ifcall.uniform address arguments returned`.
pub const INDIRECT_CALL: Format = format(
    &[
        EXECUTION,
        PREDICATE,
        F0,
        ARGUMENT_COUNT,
        RETURNED_COUNT,
        Slot::TextCode(SyntaxPart::Operation, "Uniform"),
        Slot::TextCode(SyntaxPart::Descriptor(0), "No return"),
    ],
    &PROMISES,
    &[ADDRESS, ARGUMENTS, RETURNED],
);

pub(super) const fn without_size(
    fields: &'static [Slot],
    suffixes: &'static [Suffix],
    operands: &'static [Operand],
) -> Format {
    Format {
        has_size: false,
        predicate: false,
        ..format(fields, suffixes, operands)
    }
}

/// `faddr function dst`.
pub const FUNCTION_ADDRESS: Format =
    without_size(&[Slot::Text(SyntaxPart::Name, 16), FD], &[], &[FUNCTION, D]);

/// The mnemonic alone.
pub const BARE: Format = without_size(&[], &[], &[]);

/// `wait mask`.
pub const WAIT: Format = without_size(&[F0], &[], &[MASK]);

const DEFINED: Operand = operand(
    SyntaxPart::Label,
    "NAME",
    Direction::In,
    Form::Label,
    "the label",
);

/// `.function NAME`.
pub const DEFINITION: Format = without_size(&[Slot::Label(SyntaxPart::Label)], &[], &[DEFINED]);

/// `NAME:`.
pub const LABEL: Format = Format {
    postfix: true,
    ..DEFINITION
};

/// `.file "a.c"`.
pub const FILE: Format = without_size(
    &[Slot::Text(SyntaxPart::Name, 32)],
    &[],
    &[operand(
        SyntaxPart::Name,
        "\"name\"",
        Direction::In,
        Form::Quoted,
        "the name of a source file",
    )],
);

/// `.loc 12`.
pub const LINE_NUMBER: Format = without_size(
    &[wide(SyntaxPart::Src0, "Line", 32, Words::Decimal)],
    &[],
    &[number(
        SyntaxPart::Src0,
        "line",
        "a line of the source file",
    )],
);

/// `lifetime.start V32`.
pub const LIFETIME: Format = without_size(
    &[
        wide(SyntaxPart::Operation, "End", 4, LIFETIME_ENDS),
        Slot::Variable,
    ],
    &[Suffix {
        part: SyntaxPart::Operation,
        name: "start|end",
        optional: false,
        what: "start or end of the lifetime",
        words: LIFETIME_ENDS,
    }],
    &[operand(
        SyntaxPart::Src0,
        "variable",
        Direction::In,
        Form::Variable,
        "a variable of any kind",
    )],
);

const LIFETIME_ENDS: Words = Words::Codes(&[("start", 0), ("end", 1)]);

const fn fence_flags(letters: Words) -> Suffix {
    Suffix {
        part: SyntaxPart::Operation,
        name: "EISCRL1",
        optional: true,
        what: "what to wait for and flush",
        words: letters,
    }
}

const FENCE_LETTERS: &[(&str, u32)] = &[
    ("E", 1),
    ("I", 2),
    ("S", 4),
    ("C", 8),
    ("R", 0x10),
    ("L1", 0x40),
];

const fn fence_words(base: u32, letters: &'static [(&'static str, u32)]) -> Words {
    Words::Flags { base, letters }
}

const GLOBAL: Words = fence_words(0, FENCE_LETTERS);
const LOCAL: Words = fence_words(0x20, FENCE_LETTERS);
const SOFTWARE: Words = fence_words(0x80, &[]);

/// `fence_global.EISCRL1`.
pub const FENCE_GLOBAL: Format = without_size(
    &[code(SyntaxPart::Operation, "Fence", GLOBAL)],
    &[fence_flags(GLOBAL)],
    &[],
);

/// `fence_local.EISCRL1`.
pub const FENCE_LOCAL: Format = without_size(
    &[code(SyntaxPart::Operation, "Fence", LOCAL)],
    &[fence_flags(LOCAL)],
    &[],
);

/// `fence_sw`.
pub const FENCE_SOFTWARE: Format =
    without_size(&[code(SyntaxPart::Operation, "Fence", SOFTWARE)], &[], &[]);

const BARRIER_ID: Operand = source(SyntaxPart::Src0, "barrier", Form::Source);
const THREADS: Operand = source(SyntaxPart::Src1, "threads", Form::Source);
const PRODUCERS: Operand = Operand {
    optional: true,
    ..source(SyntaxPart::Src2, "producers", Form::Source)
};
const CONSUMERS: Operand = Operand {
    optional: true,
    ..source(SyntaxPart::Src3, "consumers", Form::Source)
};

/// `nbarrier.signal barrier threads`, or `nbarrier.signal barrier role producers consumers`.
pub const NAMED_SIGNAL: Format = without_size(
    &[
        F0,
        F1,
        Slot::TextVector(SyntaxPart::Src2),
        Slot::TextVector(SyntaxPart::Src3),
    ],
    &[],
    &[BARRIER_ID, THREADS, PRODUCERS, CONSUMERS],
);

/// `nbarrier.wait barrier`; the encoding repeats the barrier.
pub const NAMED_WAIT: Format = without_size(&[F0, F1], &[], &[BARRIER_ID]);

/// An instruction with an unknown encoding: the mnemonic and the rest of the line.
pub const TEXT_ONLY: Format = Format {
    predicate: true,
    ..without_size(
        &[PREDICATE, Slot::Rest],
        &[],
        &[operand(
            SyntaxPart::Src0,
            "…",
            Direction::In,
            Form::Rest,
            "the operands, verbatim",
        )],
    )
};
