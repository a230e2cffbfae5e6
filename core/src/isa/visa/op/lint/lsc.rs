//! Rules of LSC messages.

use crate::isa::Check;
use crate::isa::visa::op::VisaInstruction;
use crate::isa::visa::op::block2d::is_block_size;
use crate::isa::visa::op::constraints::{AtomicFunctions, LscAccess, LscAtomic, LscConstraints};
use crate::isa::visa::op::lsc::{BLOCK_LOCATION, PITCH, SIZES, SLM_FUNCTION as SLM, name};
use crate::isa::visa::vector::VectorOperand;
use crate::rules;
use crate::text::SyntaxPart;
use SyntaxPart::{Address, Cache, Coordinate, ExecSize, Operation, Src1, Src2, Width};
use alloc::format;
use alloc::vec::Vec;

/// Pairs of L1 and L3 codes.
type Pairs = &'static [(u64, u64)];

const LOADS: Pairs = &[
    (0, 0),
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 2),
    (5, 1),
    (5, 2),
    (6, 2),
];
/// Further pairs of loads on platforms that cache constants in L3.
const CONSTANT_LOADS: Pairs = &[(1, 6), (2, 6), (6, 6)];
const STORES: Pairs = &[
    (0, 0),
    (1, 1),
    (1, 3),
    (4, 1),
    (4, 3),
    (5, 1),
    (5, 3),
    (3, 3),
];
const ATOMICS: Pairs = &[(0, 0), (1, 1), (1, 3)];

/// Codes of shared functions.
const UGM: u64 = 0;
const UGML: u64 = 1;
const TGM: u64 = 2;

impl VisaInstruction {
    pub(super) fn check_lsc(&self, row: &LscConstraints, check: &mut Check<'_>) {
        let mnemonic = self.mnemonic();
        let is_typed = row.typed;
        let is_store = matches!(row.access, LscAccess::Store);
        let function = match is_typed {
            true => TGM,
            false => self.expect_code(Operation),
        };
        if function == TGM && !is_typed {
            let what = format!("`{mnemonic}` is not supported on tgm");
            check.report(&rules::LSC_FUNCTION, Operation, what);
        }
        let caches = (
            self.expect_code(Cache),
            self.expect_code(SyntaxPart::Descriptor(0)),
        );
        let pairs = match () {
            () if matches!(function, UGML | TGM) => &[(0, 0)],
            () => match row.access {
                LscAccess::Load => LOADS,
                LscAccess::Store => STORES,
                LscAccess::Atomic { .. } => ATOMICS,
            },
        };
        let has = check.symbols.visa.features();
        let is_load = matches!(row.access, LscAccess::Load) && !matches!(function, UGML | TGM);
        // The pairs of L1 and L3 say nothing about the caches of three levels.
        let has_three = self
            .code(SyntaxPart::Descriptor(1))
            .is_some_and(|code| code > 0);
        let is_constant = is_load && has.caches_constants && CONSTANT_LOADS.contains(&caches);
        if !has_three && !is_constant && !pairs.contains(&caches) {
            let what = "unsupported pair of cache controls";
            check.report(&rules::LSC_CACHES, Cache, what);
        }
        if is_store && self.raw(Src1).is_some_and(|raw| raw.is_null()) {
            check.report(&rules::LSC_DATA, Src1, "cannot store the null variable");
        }
        if self.field(name::BLOCKS).is_some() {
            self.check_lsc_block(is_store, function, check);
            return;
        }
        self.check_lsc_shape(row, check);
        self.check_lsc_address(function, check);
        if let LscAccess::Atomic(atomic) = row.access {
            self.check_lsc_atomic(atomic, function, check);
        }
    }

    fn check_lsc_shape(&self, row: &LscConstraints, check: &mut Check<'_>) {
        let field = |name| self.expect_field(name);
        let (size, elements) = (field(name::SIZE), field(name::ELEMENTS));
        let transposed = field(name::ORDER) == 2;
        let lanes = self.execution.size.lanes();
        if transposed && lanes != 1 {
            let what = "transposed data requires execution size 1";
            check.report(&rules::LSC_SHAPE, ExecSize, what);
        }
        if row.quad {
            let is_contiguous = matches!(elements, 1 | 3 | 7 | 15);
            if matches!(row.access, LscAccess::Store) && !is_contiguous {
                let what = "undocumented channels; expected x, xy, xyz or xyzw";
                check.report(&rules::LSC_SHAPE, Width, what);
            }
            if size == 4 {
                check.report(&rules::UNDOCUMENTED, Width, "undocumented quad of d64");
            }
            if row.typed && lanes == 32 {
                let what = "undocumented execution size 32";
                check.report(&rules::UNDOCUMENTED, ExecSize, what);
            }
            return;
        }
        if !transposed && elements > 5 {
            check.report(&rules::LSC_SHAPE, Width, "more than 8 elements per lane");
        }
        let is_narrow = !matches!(size, 3 | 4) && !transposed;
        let is_atomic = matches!(row.access, LscAccess::Atomic { .. });
        if elements > 1 && !is_atomic && (is_narrow || size > 4) {
            let what = "multiple elements require d32 or d64";
            check.report(&rules::LSC_SHAPE, Width, what);
        }
        // Registers of one element for each lane, of 32 bytes; those of PVC are not limited.
        let counts = [1, 1, 2, 3, 4, 8, 16, 32, 64];
        let count = usize::try_from(elements).ok().and_then(|e| counts.get(e));
        let bytes = if size == 4 { 8 } else { 4 };
        let registers = (u32::from(lanes) * bytes).div_ceil(32) * count.copied().unwrap_or(1);
        let is_limited = check.symbols.visa.features().short_messages;
        if !transposed && is_limited && registers > 8 {
            let what = format!("the data occupies {registers} registers");
            check.report(&rules::LSC_SHAPE, Width, what);
        }
    }

    fn check_lsc_address(&self, function: u64, check: &mut Check<'_>) {
        let field = |name| self.expect_field(name);
        let (kind, width) = (field(name::KIND), field(name::WIDTH));
        if width == 1 && function != SLM {
            check.report(&rules::LSC_ADDRESS, Address, "16-bit addresses require slm");
        }
        if width == 3 && function == SLM {
            let what = "slm does not support 64-bit addresses";
            check.report(&rules::LSC_ADDRESS, Address, what);
        }
        if function == TGM && !matches!(kind, 2..=4) {
            let what = "a typed message requires a surface";
            check.report(&rules::LSC_ADDRESS, Address, what);
        }
        if self.raw(Coordinate(0)).is_some_and(|raw| raw.is_null()) {
            let what = "coordinate u must not be the null variable";
            check.report(&rules::LSC_ADDRESS, Coordinate(0), what);
        }
        if let Some(VectorOperand::Immediate(pitch)) = self.vector(PITCH)
            && pitch.bits > 0xffff
        {
            check.report(&rules::LSC_ADDRESS, PITCH, "the pitch exceeds 16 bits");
        }
        self.expect_type(PITCH, &["ud", "d", "uw", "w"], &rules::TYPE_TAKEN, check);
    }

    fn check_lsc_atomic(&self, atomic: LscAtomic, function: u64, check: &mut Check<'_>) {
        let field = |name| self.expect_field(name);
        let (size, elements) = (field(name::SIZE), field(name::ELEMENTS));
        if !atomic.sizes.contains(&size) || elements > 1 || field(name::ORDER) == 2 {
            let is_accepted = |code: u32| atomic.sizes.contains(&u64::from(code));
            let sizes = SIZES.iter().filter(|(_, code)| is_accepted(*code));
            let sizes: Vec<&str> = sizes.map(|(word, _)| *word).collect();
            let what = format!(
                "this atomic supports single elements of {} only",
                sizes.join(", ")
            );
            check.report(&rules::LSC_SHAPE, Width, what);
        }
        let (adds, other) = match check.symbols.visa.features().adds_local_floats {
            true => ([UGM, SLM], "slm"),
            false => ([UGM, UGML], "ugml"),
        };
        if atomic.functions == AtomicFunctions::Global && !adds.contains(&function) {
            let what = format!("float addition requires ugm or {other}");
            check.report(&rules::LSC_FUNCTION, Operation, what);
        }
        if size == 4 && function == SLM && atomic.functions != AtomicFunctions::All {
            let what = "slm supports only 64-bit icas";
            check.report(&rules::LSC_FUNCTION, Operation, what);
        }
        self.check_presence([Src1, Src2], atomic.operands, &rules::LSC_DATA, check);
    }

    fn check_lsc_block(&self, is_store: bool, function: u64, check: &mut Check<'_>) {
        let field = |name| self.expect_field(name);
        let (bytes, blocks) = (self.lsc_bytes(), field(name::BLOCKS));
        let (width, height) = (field(name::BLOCK_WIDTH), field(name::BLOCK_HEIGHT));
        let (transposed, vnni) = (field(name::ORDER) == 2, field(name::VNNI) == 1);
        let is_possible =
            is_block_size(width * bytes, height) && (!is_store || blocks == 1 && !vnni);
        if !is_possible {
            let what = format!("unsupported block size: {width} elements by {height} rows");
            check.report(&rules::LSC_SHAPE, Width, what);
        } else if transposed && (vnni || is_store || bytes < 4) || is_store && height > 8 {
            check.report(&rules::UNDOCUMENTED, Width, "undocumented block shape");
        }
        if function == SLM {
            let what = "blocks are not documented for slm";
            check.report(&rules::UNDOCUMENTED, Operation, what);
        }
        let [base, sizes @ ..] = BLOCK_LOCATION;
        if self.field(name::PAYLOAD) != Some(1) {
            self.expect_type(base, &["uq"], &rules::TYPE_TAKEN, check);
        }
        for part in sizes {
            self.expect_type(part, &["ud", "d"], &rules::TYPE_TAKEN, check);
        }
    }
}
