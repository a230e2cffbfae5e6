//! Rules of arithmetic, logic and moves.

use crate::isa::Check;
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::execution::MaskControl;
use crate::isa::visa::op::VisaInstruction;
use crate::isa::visa::platform::Platform;
use crate::isa::visa::predefined::{SURFACES, VARIABLES};
use crate::isa::visa::vector::{Modifier, OperandClass, Region, VectorOperand};
use crate::number::ElementType;
use crate::rules;
use crate::text::SyntaxPart;
use SyntaxPart::{Carry, Dst, Src0, Src1, Src2, Src3};
use alloc::format;

/// A set of types, by code.
#[derive(Clone, Copy)]
struct TypeSet(u16);

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

    fn has(self, ty: &str) -> bool {
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
const DWORDS: TypeSet = TypeSet::of(&[0, 1]);
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
        LONG.and(FLOATS).and(BF),
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
        INTEGERS,
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

const SOURCES: [SyntaxPart; 4] = [Src0, Src1, Src2, Src3];

/// Whether a known type is a float type.
fn is_float(ty: &str) -> bool {
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

    fn type_of(&self, part: SyntaxPart, symbols: &Declarations) -> Option<&'static str> {
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
            let what = format!(
                "`{}` does not support type {}",
                self.mnemonic(),
                ty.to_ascii_uppercase()
            );
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
            let what = format!(
                "`{}` does not support the modifier `({sign})`",
                self.mnemonic()
            );
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
            format!("`{}` does not support `.sat` here", self.mnemonic()),
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
            let what = format!("type Q is not supported on {}", platform.name());
            check.report(&rules::PLATFORM_TAKEN, Dst, what);
        }
        let is_integer = dst.is_some_and(|ty| ALL_INTEGERS.has(ty));
        let divides = mnemonic == "mod" || mnemonic == "div";
        if divides && is_integer && platform >= Platform::Xehp {
            let what = format!(
                "integer `{mnemonic}` is not supported on {}",
                platform.name()
            );
            check.report(&rules::PLATFORM, SyntaxPart::Opcode, what);
        }
        if mnemonic == "mul" && dst.is_some_and(|ty| BYTES.has(ty)) && platform == Platform::Pvc {
            check.report(
                &rules::PLATFORM_TAKEN,
                Dst,
                "`mul` does not support bytes on PVC",
            );
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

    /// Checks placement and constants.
    fn check_place(&self, vector: VectorOperand, part: SyntaxPart, check: &mut Check<'_>) {
        let lanes = self.execution.size.lanes();
        match vector {
            VectorOperand::Direct(direct) => {
                self.check_region(direct.region, part, check);
                let is_read_only = usize::try_from(direct.id.0).ok();
                let is_read_only = is_read_only.and_then(|id| VARIABLES.get(id));
                if matches!(part, Dst | Carry)
                    && let Some(variable) = is_read_only
                    && (!variable.writable || variable.name == "%sr0")
                {
                    let what = format!("cannot write to `{}`", variable.name);
                    check.report(&rules::WRITES_READ_ONLY, part, what);
                }
                let symbols = &check.symbols.visa;
                let variable = symbols.general(direct.id.0);
                let (Some(variable), Some(start)) = (variable, direct.byte(symbols)) else {
                    return;
                };
                let element = u32::from(variable.ty.bytes());
                let grf = symbols.grf_bytes();
                let within = u32::from(direct.column) * element;
                let last = last_element(direct.region, lanes) * element + element;
                if direct.is_null() || variable.predefined {
                    return;
                }
                let name = variable.name;
                if within >= grf || start + element > variable.bytes() {
                    let what = format!(
                        "byte {start} is outside `{name}`, which has {} bytes",
                        variable.bytes()
                    );
                    check.report(&rules::PLACE, part, what);
                } else if start % grf + last > 2 * grf {
                    let what =
                        format!("the operand spans {last} bytes from byte {start} of `{name}`");
                    check.report(&rules::REGION_SPAN, part, what);
                } else if start + last > variable.bytes() {
                    let what = format!(
                        "the operand reaches byte {} of `{name}`, which has {} bytes",
                        start + last - 1,
                        variable.bytes()
                    );
                    check.report(&rules::PLACE, part, what);
                }
            }
            VectorOperand::Indirect(indirect) => {
                self.check_region(indirect.region, part, check);
                if indirect.ty.element().is_none() {
                    let what = format!(
                        "unsupported indirect operand of type {}",
                        indirect.ty.name()
                    );
                    check.report(&rules::TYPE, part, what);
                }
                if !indirect.offset.is_documented() {
                    let what = format!("offset {}", indirect.offset.0);
                    check.report(&rules::INDIRECT_OFFSET, part, what);
                } else if indirect.offset.0 % i16::from(indirect.ty.bytes()) != 0 {
                    let what = format!("offset {}", indirect.offset.0);
                    check.report(&rules::INDIRECT_ALIGN, part, what);
                }
            }
            VectorOperand::Immediate(immediate) => {
                if immediate.ty.element() == Some(ElementType::Bf) {
                    check.report(
                        &rules::CONSTANT_TYPE,
                        part,
                        "unsupported constant of type BF",
                    );
                } else if immediate.ty.element() == Some(ElementType::Hf) && immediate.bits > 0xffff
                {
                    let what = format!("constant {:#x} exceeds 16 bits", immediate.bits);
                    check.report(&rules::CONSTANT_TYPE, part, what);
                } else if !immediate.fits() {
                    check.report(
                        &rules::WIDE_CONSTANT,
                        part,
                        format!("{:#x}", immediate.bits),
                    );
                }
            }
            VectorOperand::Address { id, element, .. } => {
                let variable = check.symbols.visa.address_variable(id.0);
                if variable.is_some_and(|v| u32::from(element) >= v.elements) {
                    check.report(&rules::ADDRESS_ELEMENT, part, format!("element {element}"));
                }
                if part == Dst && self.saturates() {
                    check.report(
                        &rules::SATURATION,
                        part,
                        "address variables cannot saturate",
                    );
                }
            }
            VectorOperand::Predicate(predicate) => {
                let variable = check.symbols.visa.predicate_variable(predicate.id.0);
                let end = u32::from(lanes) + u32::from(self.execution.mask.offset());
                if part == Dst && variable.is_some_and(|v| end > v.elements) {
                    let what = format!("the instruction writes {end} elements");
                    check.report(&rules::SHORT_PREDICATE, part, what);
                }
            }
            VectorOperand::AddressOf(direct) => {
                if usize::try_from(direct.id.0).is_ok_and(|id| id < VARIABLES.len()) {
                    let what = "cannot take the address of a predefined variable";
                    check.report(&rules::ADDRESS_OF, part, what);
                }
            }
            VectorOperand::State { .. } => {}
        }
    }

    fn check_region(&self, region: Region, part: SyntaxPart, check: &mut Check<'_>) {
        let lanes = self.execution.size.lanes();
        if let Some(width) = region.width.elements().filter(|width| *width > lanes) {
            let what = format!("region width {width} exceeds the execution size {lanes}");
            check.report(&rules::REGION_WIDTH, part, what);
        }
    }

    /// Checks rules of individual instructions.
    fn check_particulars(&self, check: &mut Check<'_>) {
        let names = &check.symbols.visa;
        let mnemonic = self.mnemonic();
        let lanes = self.execution.size.lanes();
        let mask = self.execution.mask;
        let ty = |part| self.type_of(part, names);
        let bytes = |ty: &str| ElementType::named(ty).map_or(4, ElementType::bytes);
        let is_constant = |part| matches!(self.vector(part), Some(VectorOperand::Immediate(_)));
        let (dst, src0, src1) = (ty(Dst), ty(Src0), ty(Src1));
        let state = |part| match self.vector(part) {
            Some(VectorOperand::State { class, id, element }) => Some((class, id, element)),
            _ => None,
        };
        let narrow = ["uw", "w", "ub", "b"];
        let found: &[(bool, &'static rules::Rule, SyntaxPart, &str)] = &match mnemonic {
            "dp2" | "dp3" | "dp4" | "dph" => [
                (
                    lanes < 4,
                    &rules::UNDOCUMENTED,
                    SyntaxPart::ExecSize,
                    "execution size is less than 4",
                ),
                NOTHING,
                NOTHING,
            ],
            "setp" => [
                (
                    is_constant(Src0) && mask != MaskControl::M1 && !mask.no_mask(),
                    &rules::UNDOCUMENTED,
                    SyntaxPart::Mask,
                    "a constant requires the mask M1",
                ),
                (
                    lanes == 32 && !mask.no_mask(),
                    &rules::UNDOCUMENTED,
                    SyntaxPart::Mask,
                    "execution size 32 requires NoMask",
                ),
                (
                    src0.is_some_and(is_float),
                    &rules::TYPE_TAKEN,
                    Src0,
                    "src0 is a float",
                ),
            ],
            "sel" => [
                (
                    self.execution.predicate.id.0 == 0,
                    &rules::UNDOCUMENTED,
                    SyntaxPart::Opcode,
                    "`sel` requires a predicate",
                ),
                NOTHING,
                NOTHING,
            ],
            "cmp" => [
                (
                    src0.zip(src1)
                        .is_some_and(|(a, b)| is_float(a) != is_float(b) || is_float(a) && a != b),
                    &rules::MIXED_TYPES_TAKEN,
                    Src1,
                    "the sources have different types",
                ),
                (
                    dst.zip(src0).is_some_and(|(d, s)| bytes(d) < bytes(s)),
                    &rules::MIXED_TYPES_TAKEN,
                    Dst,
                    "dst is narrower than the sources",
                ),
                NOTHING,
            ],
            "mad" | "add3" => [
                (
                    SOURCES.iter().any(|part| {
                        is_constant(*part) && ty(*part).is_some_and(|ty| DWORDS.has(ty))
                    }),
                    &rules::UNDOCUMENTED,
                    SyntaxPart::Opcode,
                    "32-bit constants are not supported",
                ),
                NOTHING,
                NOTHING,
            ],
            "dp4a" => [
                (
                    is_constant(Src0),
                    &rules::UNDOCUMENTED,
                    Src0,
                    "src0 must not be a constant",
                ),
                NOTHING,
                NOTHING,
            ],
            "addr_add" => [
                (
                    !matches!(self.vector(Dst), Some(VectorOperand::Address { .. })),
                    &rules::ADDRESS_OF,
                    Dst,
                    "dst must be an address variable",
                ),
                (
                    src1.is_some_and(|ty| !narrow.contains(&ty)),
                    &rules::TYPE,
                    Src1,
                    "src1 must be a word or a byte",
                ),
                (
                    is_constant(Src0)
                        || state(Src0).is_some_and(|(class, id, _)| {
                            class.is_surface() && usize::from(id) < SURFACES.len()
                        }),
                    &rules::ADDRESS_OF,
                    Src0,
                    "src0 does not have an address",
                ),
            ],
            "movs" => [
                (
                    state(Dst).is_none() && state(Src0).is_none(),
                    &rules::ADDRESS_OF,
                    Dst,
                    "dst or src0 must be a surface or sampler",
                ),
                (
                    state(Dst).is_some_and(|(class, id, element)| {
                        let predefined = class.is_surface() && usize::from(id) < SURFACES.len();
                        let other = state(Src0).is_some_and(|(source, ..)| source != class);
                        predefined || element > 0 || other
                    }),
                    &rules::UNDOCUMENTED,
                    Dst,
                    "undocumented destination variable or element",
                ),
                (
                    [dst, src0].into_iter().flatten().any(|ty| ty != "ud"),
                    &rules::TYPE_TAKEN,
                    Src0,
                    "surfaces and samplers have type UD",
                ),
            ],
            "fcvt" => [
                (
                    !matches!(
                        (dst, src0),
                        (None, _)
                            | (_, None)
                            | (Some("ub"), Some("hf"))
                            | (Some("hf"), Some("ub"))
                            | (Some("ud"), Some("f"))
                            | (Some("f"), Some("ud"))
                    ),
                    &rules::TYPE,
                    Src0,
                    "expected a conversion between UB and HF, or UD and F",
                ),
                (
                    !matches!(self.vector(Src0), Some(VectorOperand::Direct(_))),
                    &rules::CONSTANT_TYPE,
                    Src0,
                    "src0 must be a general operand",
                ),
                NOTHING,
            ],
            "switchjmp" => [
                (
                    src0.is_some_and(|ty| ty != "ud") || is_constant(Src0),
                    &rules::TYPE_TAKEN,
                    Src0,
                    "the index must be a variable of type UD",
                ),
                (
                    lanes != 1,
                    &rules::UNDOCUMENTED,
                    SyntaxPart::ExecSize,
                    "execution size is not 1",
                ),
                NOTHING,
            ],
            "ifcall" => [
                (
                    src0.is_some_and(|ty| !["ud", "uq"].contains(&ty)),
                    &rules::TYPE_TAKEN,
                    Src0,
                    "the address must have type UD or UQ",
                ),
                NOTHING,
                NOTHING,
            ],
            "faddr" => [
                (
                    dst.is_some_and(|ty| !["ud", "uq"].contains(&ty)),
                    &rules::TYPE_TAKEN,
                    Dst,
                    "the address must have type UD or UQ",
                ),
                NOTHING,
                NOTHING,
            ],
            "nbarrier.wait" | "nbarrier.signal" => [
                (
                    [src0, src1].into_iter().flatten().any(|ty| ty != "ub")
                        && [Src0, Src1].into_iter().any(is_constant),
                    &rules::TYPE_TAKEN,
                    Src0,
                    "barriers and counts must have type UB",
                ),
                NOTHING,
                NOTHING,
            ],
            _ => return,
        };
        let found = found.to_vec();
        for (_, rule, part, what) in found.into_iter().filter(|(is_broken, ..)| *is_broken) {
            check.report(rule, part, what);
        }
        if mnemonic.starts_with("nbarrier") {
            self.expect_scalar(Src0, check);
            self.expect_scalar(Src1, check);
        }
    }
}

const NOTHING: (bool, &rules::Rule, SyntaxPart, &str) =
    (false, &rules::UNDOCUMENTED, SyntaxPart::None, "");

/// Distance of the last lane's element from the first lane's, in elements.
fn last_element(region: Region, lanes: u8) -> u32 {
    let lanes = u32::from(lanes.max(1));
    let of = |stride: Option<u8>| u32::from(stride.unwrap_or(0));
    let horizontal = of(region.horizontal.elements());
    match region.width.elements() {
        None => (lanes - 1) * horizontal,
        Some(width) => {
            let width = u32::from(width).clamp(1, lanes);
            (lanes / width - 1) * of(region.vertical.elements()) + (width - 1) * horizontal
        }
    }
}
