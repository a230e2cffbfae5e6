//! Rules of arithmetic, logic and moves.

use super::unsupported;
use crate::isa::Check;
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::op::VisaInstruction;
use crate::isa::visa::platform::Platform;
use crate::isa::visa::predefined::VARIABLES;
use crate::isa::visa::vector::{Modifier, OperandClass, VectorOperand};
use crate::rules;
use crate::text::SyntaxPart;
use SyntaxPart::{Carry, Dst, Src0, Src1, Src2, Src3};
use alloc::format;

/// A set of types, by code.
#[derive(Clone, Copy)]
pub(super) struct TypeSet(u16);

impl TypeSet {
    const fn of(codes: &[u8]) -> Self {
        let (mut set, mut i) = (0, 0);
        while i < codes.len() {
            set |= 1 << codes[i];
            i += 1;
        }
        Self(set)
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn has(self, ty: &str) -> bool {
        let code = NAMES.iter().position(|name| *name == ty);
        code.is_some_and(|code| self.0 >> code & 1 == 1)
    }

    fn names(self) -> alloc::string::String {
        let known = NAMES.iter().enumerate();
        let names = known.filter(|(code, name)| !name.is_empty() && self.0 >> code & 1 == 1);
        let names: alloc::vec::Vec<&str> = names.map(|(_, name)| *name).collect();
        names.join(", ")
    }
}

/// Type names by code; packed vectors count as their element type.
const NAMES: [&str; 16] = [
    "ud", "d", "uw", "w", "ub", "b", "df", "f", "v", "vf", "bool", "uq", "uv", "q", "hf", "bf",
];

const BYTES: TypeSet = TypeSet::of(&[4, 5]);
const WORDS: TypeSet = TypeSet::of(&[2, 3, 8, 12]);
pub(super) const DWORDS: TypeSet = TypeSet::of(&[0, 1]);
const UD: TypeSet = TypeSet::of(&[0]);
const PACKED_UNSIGNED: TypeSet = TypeSet::of(&[12]);
const QWORDS: TypeSet = TypeSet::of(&[11, 13]);
const INTEGERS: TypeSet = BYTES.and(WORDS).and(DWORDS);
const ALL_INTEGERS: TypeSet = INTEGERS.and(QWORDS);
const UNSIGNED: TypeSet = TypeSet::of(&[0, 2, 4, 11, 12]);
const SIGNED: TypeSet = TypeSet::of(&[1, 3, 5, 13, 8]);
const F: TypeSet = TypeSet::of(&[7, 9]);
const F_HF: TypeSet = F.and(TypeSet::of(&[14]));
const F_DF: TypeSet = F.and(TypeSet::of(&[6]));
const FLOATS: TypeSet = F_HF.and(F_DF);
const BF: TypeSet = TypeSet::of(&[15]);
const EVERY: TypeSet = ALL_INTEGERS.and(FLOATS).and(BF);
const LONG: TypeSet = DWORDS.and(WORDS);

/// Support of source modifiers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Modifiers {
    /// `(-)` and `(abs)` are documented, `(~)` is rejected.
    Arithmetic,
    /// `(-)` and `(abs)` are documented, `(~)` is accepted.
    Shift,
    /// `(~)` is documented, the others are rejected.
    Logic,
    /// None is documented, `(~)` is accepted.
    TakesNot,
    /// None is documented, `(-)` and `(abs)` are accepted.
    TakesSign,
    /// None is documented, all are accepted.
    TakesAll,
    /// None is documented, all are rejected.
    None,
}

/// Support of `.sat`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Saturation {
    Documented,
    /// Documented for floats; the real tool also accepts integers.
    Floats,
    /// Undocumented, but accepted.
    Taken,
    Refused,
}

/// Rules of a group of instructions.
struct ComputationRow {
    mnemonics: &'static [&'static str],
    /// Types of dst and src0: documented, and accepted by the real tool.
    types: (TypeSet, TypeSet),
    /// Types of the other sources: documented, and accepted by the real tool.
    others: (TypeSet, TypeSet),
    modifiers: Modifiers,
    saturation: Saturation,
}

const fn row(
    mnemonics: &'static [&'static str],
    documented: TypeSet,
    taken: TypeSet,
    modifiers: Modifiers,
    saturation: Saturation,
) -> ComputationRow {
    ComputationRow {
        mnemonics,
        types: (documented, taken),
        others: (documented, taken),
        modifiers,
        saturation,
    }
}

const ROWS: &[ComputationRow] = &[
    row(
        &["add"],
        EVERY,
        EVERY,
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &["mul"],
        EVERY,
        EVERY,
        Modifiers::Arithmetic,
        Saturation::Floats,
    ),
    row(
        &["mad"],
        INTEGERS.and(FLOATS).and(BF),
        EVERY,
        Modifiers::Arithmetic,
        Saturation::Floats,
    ),
    row(
        &["avg"],
        INTEGERS,
        INTEGERS,
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &["div"],
        INTEGERS.and(FLOATS),
        ALL_INTEGERS.and(FLOATS),
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &["mod"],
        INTEGERS,
        INTEGERS,
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &["mulh"],
        DWORDS,
        DWORDS,
        Modifiers::Arithmetic,
        Saturation::Refused,
    ),
    row(
        &["madw"],
        DWORDS,
        DWORDS,
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &[
            "lrp", "line", "plane", "dp2", "dp3", "dp4", "dph", "rndd", "rndu", "rnde", "rndz",
            "frc",
        ],
        F,
        F,
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &["pow", "exp", "log", "sin", "cos"],
        F_HF,
        F_HF,
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &["inv", "sqrt", "rsqrt"],
        FLOATS,
        FLOATS.and(ALL_INTEGERS),
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &["sqrtm", "divm"],
        F_DF,
        F_DF,
        Modifiers::TakesSign,
        Saturation::Documented,
    ),
    row(
        &["add3", "add3.o"],
        LONG,
        LONG,
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &["dp4a"],
        DWORDS,
        DWORDS,
        Modifiers::TakesSign,
        Saturation::Documented,
    ),
    ComputationRow {
        mnemonics: &["addc", "subb"],
        types: (UD, UD),
        // Intel's compiler writes packed constants.
        others: (UD, UD.and(PACKED_UNSIGNED)),
        modifiers: Modifiers::Arithmetic,
        saturation: Saturation::Refused,
    },
    row(
        &["lzd"],
        UD,
        DWORDS,
        Modifiers::TakesSign,
        Saturation::Refused,
    ),
    row(
        &["and", "or", "xor", "not"],
        ALL_INTEGERS,
        ALL_INTEGERS,
        Modifiers::Logic,
        Saturation::Refused,
    ),
    ComputationRow {
        mnemonics: &["shl"],
        types: (ALL_INTEGERS, ALL_INTEGERS),
        others: (ALL_INTEGERS, ALL_INTEGERS),
        modifiers: Modifiers::Shift,
        saturation: Saturation::Documented,
    },
    ComputationRow {
        mnemonics: &["shr"],
        types: (UNSIGNED, ALL_INTEGERS),
        others: (ALL_INTEGERS, ALL_INTEGERS),
        modifiers: Modifiers::Shift,
        saturation: Saturation::Documented,
    },
    ComputationRow {
        mnemonics: &["asr"],
        types: (SIGNED, ALL_INTEGERS),
        others: (ALL_INTEGERS, ALL_INTEGERS),
        modifiers: Modifiers::Shift,
        saturation: Saturation::Taken,
    },
    row(
        &["rol", "ror"],
        LONG.and(QWORDS),
        LONG.and(QWORDS),
        Modifiers::TakesAll,
        Saturation::Refused,
    ),
    row(
        &["bfe", "bfi", "fbl", "fbh", "bfrev"],
        DWORDS,
        ALL_INTEGERS,
        Modifiers::TakesNot,
        Saturation::Refused,
    ),
    row(
        &["bfn"],
        LONG,
        ALL_INTEGERS,
        Modifiers::TakesNot,
        Saturation::Refused,
    ),
    row(
        &["cbit"],
        INTEGERS,
        ALL_INTEGERS,
        Modifiers::TakesNot,
        Saturation::Refused,
    ),
    row(
        &["min", "max", "sel", "cmp"],
        EVERY,
        EVERY,
        Modifiers::Arithmetic,
        Saturation::Documented,
    ),
    row(
        &["mov"],
        EVERY,
        EVERY,
        Modifiers::Shift,
        Saturation::Documented,
    ),
    row(
        &["fcvt"],
        EVERY,
        EVERY,
        Modifiers::None,
        Saturation::Refused,
    ),
];

pub(super) const SOURCES: [SyntaxPart; 4] = [Src0, Src1, Src2, Src3];

/// Whether a known type is a float type.
pub(super) fn is_float(ty: &str) -> bool {
    FLOATS.and(BF).has(ty)
}

impl VisaInstruction {
    pub(super) fn check_computation(&self, check: &mut Check<'_>) {
        let is_base = ROWS
            .iter()
            .find(|row| row.mnemonics.contains(&self.mnemonic()));
        if let Some(row) = is_base {
            self.check_types(row, check);
            self.check_modifiers(row, check);
            self.check_saturation(row, check);
            self.check_mixed_types(check);
        }
        let others = ["addr_add", "movs", "setp"];
        if is_base.is_some() || others.contains(&self.mnemonic()) {
            for part in SOURCES.into_iter().chain([Dst, Carry]) {
                if let Some(vector) = self.vector(part) {
                    self.check_place(vector, part, check);
                }
            }
        }
        self.check_classes(check);
        self.check_particulars(check);
    }

    /// Which classes of operands may stand together.
    fn check_classes(&self, check: &mut Check<'_>) {
        let mnemonic = self.mnemonic();
        let class = |part| self.vector(part).map(VectorOperand::class);
        let all = [Dst, Src0, Src1].into_iter().filter_map(class);
        let predicates = all
            .clone()
            .filter(|c| *c == OperandClass::Predicate)
            .count();
        let (dst, message) = (class(Dst), "unsupported combination of operand classes");
        let is_wrong = match mnemonic {
            "and" | "or" | "xor" | "not" => predicates != 0 && predicates != all.count(),
            // The source may be the address of a surface.
            "mov" => matches!(dst, Some(OperandClass::Predicate | OperandClass::State)),
            "setp" => dst != Some(OperandClass::Predicate),
            "cmp" => matches!(dst, Some(OperandClass::Address | OperandClass::State)),
            "movs" => {
                let is_indirect = |class| class == Some(OperandClass::Indirect);
                predicates != 0 || is_indirect(dst)
            }
            _ => false,
        };
        if is_wrong {
            check.report(&rules::CLASSES, Dst, message);
        }
    }

    pub(super) fn type_of(&self, part: SyntaxPart, symbols: &Declarations) -> Option<&'static str> {
        self.vector(part)?.type_name(symbols)
    }

    /// Whether an operand is one of the variables V0 to V20, whose types the
    /// real tool does not check as sources.
    fn is_predefined(&self, part: SyntaxPart) -> bool {
        match self.vector(part) {
            Some(VectorOperand::Direct(direct)) => {
                usize::try_from(direct.id.0).is_ok_and(|id| id < VARIABLES.len())
            }
            _ => false,
        }
    }

    fn check_types(&self, row: &ComputationRow, check: &mut Check<'_>) {
        for part in SOURCES.into_iter().chain([Dst, Carry]) {
            let Some(ty) = self.type_of(part, &check.symbols.visa) else {
                continue;
            };
            if part != Dst && self.is_predefined(part) {
                continue;
            }
            let (documented, taken) = match part {
                Dst | Src0 => row.types,
                _ => row.others,
            };
            let rule = match (documented.has(ty), taken.has(ty)) {
                (_, false) => &rules::TYPE,
                (false, true) => &rules::TYPE_TAKEN,
                (true, true) => continue,
            };
            let ty = ty.to_ascii_uppercase();
            let what = unsupported(rule, self.mnemonic(), &format!("type {ty}"));
            check.advise(rule, part, what, format!("use {}", documented.names()));
        }
    }

    fn check_modifiers(&self, row: &ComputationRow, check: &mut Check<'_>) {
        for part in SOURCES {
            let Some(modifier) = self.vector(part).map(VectorOperand::modifier) else {
                continue;
            };
            if modifier == Modifier::NONE {
                continue;
            }
            let Some(sign) = modifier.spelling() else {
                let what = "undefined modifier";
                check.report(&rules::RESERVED_MODIFIER, part, what);
                continue;
            };
            let is_not = modifier.is_logical();
            let rule = match (row.modifiers, is_not) {
                (Modifiers::Arithmetic | Modifiers::Shift, false) | (Modifiers::Logic, true) => {
                    continue;
                }
                (Modifiers::Shift | Modifiers::TakesNot, true)
                | (Modifiers::TakesSign, false)
                | (Modifiers::TakesAll, _) => &rules::SOURCE_MODIFIER_TAKEN,
                _ => &rules::SOURCE_MODIFIER,
            };
            let modifier = format!("the modifier `({sign})`");
            let what = unsupported(rule, self.mnemonic(), &modifier);
            check.report(rule, part, what);
        }
    }

    fn check_saturation(&self, row: &ComputationRow, check: &mut Check<'_>) {
        if !self.saturates() {
            return;
        }
        let ty = self.type_of(Dst, &check.symbols.visa);
        let rule = match row.saturation {
            Saturation::Refused => &rules::SATURATION,
            Saturation::Floats if ty.is_some_and(|ty| !is_float(ty)) => &rules::SATURATION_TAKEN,
            Saturation::Taken => &rules::SATURATION_TAKEN,
            Saturation::Floats | Saturation::Documented => return,
        };
        check.report(
            rule,
            Dst,
            unsupported(rule, self.mnemonic(), "`.sat` with this type"),
        );
    }

    /// Reports illegal combinations of types.
    fn check_mixed_types(&self, check: &mut Check<'_>) {
        let names = &check.symbols.visa;
        let platform = names.platform();
        let mnemonic = self.mnemonic();
        let source = |part| self.type_of(part, names);
        let sources = SOURCES.map(source);
        let mut known = sources.iter().flatten().copied();
        let first = known.clone().next();
        let dst = self.type_of(Dst, names);
        let is_bf = |ty: &&str| *ty == "bf";
        let bf_platform = !matches!(platform, Platform::Xehp | Platform::Dg2 | Platform::Pvc);
        if bf_platform && known.clone().chain(dst).any(|ty| is_bf(&ty)) {
            check.report(
                &rules::PLATFORM,
                Dst,
                format!("type BF is not supported on {}", platform.name()),
            );
        }
        let converts = ["mov", "sel", "cmp", "fcvt", "srnd"].contains(&mnemonic);
        let kinds = |ty: &str| (is_float(ty), ty == "df");
        let differ = first.is_some_and(|f| known.any(|ty| kinds(ty) != kinds(f)));
        let from_float = first.is_some_and(is_float) && dst.is_some_and(|ty| !is_float(ty));
        if !converts && (differ || from_float) {
            check.report(
                &rules::MIXED_TYPES,
                Src0,
                "floats cannot be combined with other types",
            );
        } else if differ && mnemonic == "sel" {
            check.report(
                &rules::MIXED_TYPES_TAKEN,
                Src0,
                "floats are combined with integers",
            );
        }
        if mnemonic == "mov" && first == Some("bf") && !matches!(dst, None | Some("bf" | "f")) {
            check.report(&rules::MIXED_TYPES, Dst, "BF can be converted to F only");
        }
        let is_long = |ty: &str| QWORDS.has(ty);
        let any_long = sources.iter().flatten().copied().chain(dst).any(is_long);
        let without = [Platform::Tgllp, Platform::Dg2, Platform::Mtl];
        if mnemonic == "mul" && sources.iter().flatten().any(|ty| is_long(ty)) {
            check.report(&rules::TYPE, Src0, "`mul` does not support Q and UQ");
        } else if ["rol", "ror"].contains(&mnemonic) && any_long && platform != Platform::Pvc {
            check.report(
                &rules::PLATFORM,
                Dst,
                format!("type Q is not supported on {}", platform.name()),
            );
        } else if any_long && without.contains(&platform) {
            let what = format!("type Q is not documented for {}", platform.name());
            check.report(&rules::PLATFORM_TAKEN, Dst, what);
        }
        let is_integer = dst.is_some_and(|ty| ALL_INTEGERS.has(ty));
        let divides = mnemonic == "mod" || mnemonic == "div";
        if divides && is_integer && platform >= Platform::Xehp {
            let what = format!(
                "integer `{mnemonic}` is not supported on {}",
                platform.name()
            );
            let help = "divide floats and convert the result, as compilers do, or select an earlier platform: .target visa TGLLP";
            check.advise(&rules::PLATFORM, SyntaxPart::Opcode, what, help);
        }
        if mnemonic == "mul" && dst.is_some_and(|ty| BYTES.has(ty)) && platform == Platform::Pvc {
            let what = "`mul` with bytes is not documented for PVC";
            check.report(&rules::PLATFORM_TAKEN, Dst, what);
        }
        let signedness = ["shr", "asr", "bfe"].contains(&mnemonic);
        let signed = |ty: Option<&str>| ty.map(|ty| SIGNED.has(ty));
        if signedness && dst.is_some() && first.is_some() && signed(dst) != signed(first) {
            check.report(
                &rules::MIXED_TYPES_TAKEN,
                Src0,
                "dst and src0 differ in signedness",
            );
        }
    }
}
