//! Table of the operations and their arithmetic.

use super::{AluContext, dot4, facts, first_high, high, pick};
use crate::isa::Fact;
use crate::number::{Nearest, OddDouble, Real, Rounding};

/// Integer arithmetic on a group of lanes, exact as far as the destination shows. The results
/// replace the first source. `i64` is for types of at most 32 bits, `i128` for all.
pub(super) type OnIntegers<T> = fn(&mut [[T; GROUP]; 4], &AluContext);
/// Unrounded floating-point arithmetic.
pub(super) type OnReals = fn(&[Real; 4], &AluContext) -> Real;
/// Unrounded arithmetic of floats of at most 32 bits, on a group of lanes. The results replace
/// the first source.
pub(super) type OnDoubles = fn(&mut [[OddDouble; GROUP]; 4], &AluContext);
/// As [`OnDoubles`], of floats of 32 or 64 bits, rounded to nearest even.
pub(super) type OnNearest<F> = fn(&mut [[Nearest<F>; GROUP]; 4], &AluContext);
/// Lanes that are computed together: loops of a constant length use vector registers.
pub(super) const GROUP: usize = 8;

/// Arithmetic on the bits of the elements.
pub(super) type OnBits = fn(&[u64; 4], &AluContext) -> u64;

/// Name and arithmetic of an operation.
#[derive(Debug)]
pub(super) struct AluRow {
    pub(super) name: &'static str,
    pub(super) sources: usize,
    pub(super) integer: Option<(OnIntegers<i128>, OnIntegers<i64>)>,
    /// For operations that exclude 64-bit integers.
    pub(super) narrow: Option<OnIntegers<i64>>,
    /// Whether it operates on bits rather than numbers.
    pub(super) bitwise: bool,
    /// The operation that computes the second result, for instructions with two results.
    pub(super) second: Option<AluOp>,
    /// Facts about the instruction.
    pub(super) facts: &'static [Fact],
    pub(super) real: Option<OnReals>,
    pub(super) bits: Option<OnBits>,
    /// For operations that are exact on doubles, too.
    pub(super) float: Option<(OnReals, OnDoubles, OnNearest<f32>, OnNearest<f64>)>,
}

macro_rules! alu_ops {
    ($($op:ident $name:literal $arguments:tt $($kind:ident $value:block)+;)+) => {
        /// Operation of an arithmetic or logic instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AluOp {
            $(#[doc = concat!("`", $name, "`.")] $op,)+
        }

        impl AluOp {
            /// All operations in table order.
            pub const ALL: &[Self] = &[$(Self::$op),+];

            pub(super) const fn row(self) -> &'static AluRow {
                match self {
                    $(Self::$op => const {
                        &AluRow {
                            name: $name,
                            sources: alu_ops!(@ sources $arguments),
                            $($kind: alu_ops!(@ $kind $arguments $value),)+
                            ..AluRow::NONE
                        }
                    },)+
                }
            }
        }
    };
    (@ sources [$types:tt $(, $source:ident)+]) => {
        [$(stringify!($source)),+].len()
    };
    (@ bitwise $arguments:tt $value:block) => { $value };
    (@ second $arguments:tt $value:block) => { Some($value) };
    (@ facts $arguments:tt $value:block) => { $value };
    (@ integer $arguments:tt $value:block) => {
        Some((
            alu_ops!(@ group i128, $arguments $value),
            alu_ops!(@ group i64, $arguments $value),
        ))
    };
    (@ narrow $arguments:tt $value:block) => {
        Some(alu_ops!(@ group i64, $arguments $value))
    };
    (@ float $arguments:tt $value:block) => {
        Some((
            alu_ops!(@ closure $arguments $value),
            alu_ops!(@ group OddDouble, $arguments $value),
            alu_ops!(@ group Nearest<f32>, $arguments $value),
            alu_ops!(@ group Nearest<f64>, $arguments $value),
        ))
    };
    (@ group $number:ty, $arguments:tt $value:block) => {
        |sources, types| {
            by_lane::<$number>(sources, types, alu_ops!(@ closure $arguments $value));
        }
    };
    (@ closure [$types:tt $(, $source:ident)+] $value:block) => {
        |&[$($source,)+ ..], #[allow(unused_variables)] $types| $value
    };
    (@ $kind:ident $arguments:tt $value:block) => {
        Some(alu_ops!(@ closure $arguments $value))
    };
}

/// Computes a group of lanes.
#[inline]
fn by_lane<T: Copy>(
    sources: &mut [[T; GROUP]; 4],
    types: &AluContext,
    compute: impl Fn(&[T; 4], &AluContext) -> T,
) {
    let [a, b, c, d] = sources;
    for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
        *a = compute(&[*a, *b, *c, *d], types);
    }
}

impl AluRow {
    const NONE: Self = Self {
        name: "",
        sources: 0,
        integer: None,
        narrow: None,
        bitwise: false,
        second: None,
        facts: facts::COMPUTED,
        real: None,
        bits: None,
        float: None,
    };
}

// Integers are exact; the caller narrows results to the destination, and replaces that of a
// division by zero, for which 0 stands here. `t.sum` and `t.product` are exact as far as the
// destination shows.
alu_ops! {
    Mov "mov" [_, a] integer { a } float { a };
    Add "add" [_, a, b] integer { a + b } float { a + b };
    Add3 "add3" [_, a, b, c] integer { a + b + c };
    Mul "mul" [t, a, b] integer { t.product(a, b) } float { a * b };
    Mulh "mulh" [_, a, b] narrow { high(i128::from(a) * i128::from(b)) };
    Mad "mad" [t, a, b, c] integer { t.sum(t.product(a, b), c) } float { a.mul_add(b, c) };
    Avg "avg" [_, a, b] integer { (a + b + 1) >> 1 };
    // The documents do not specify the intermediate rounding.
    Lrp "lrp" [t, a, b, c] real { a * b + t.rounded(Real::ONE - a) * c };
    Div "div" [_, a, b] integer { a.checked_div(b).unwrap_or(0) } real { a / b } facts { facts::DIVISION };
    Mod "mod" [_, a, b] integer { a.checked_rem(b).unwrap_or(0) } facts { facts::DIVISION };
    // The finalizer lowers them to `sel.lt` and `sel.ge`.
    Min "min" [_, a, b] integer { a.min(b) } float { if a < b || b.is_nan() { a } else { b } };
    Max "max" [_, a, b] integer { a.max(b) } float { if a >= b || b.is_nan() { a } else { b } };
    And "and" [_, a, b] integer { a & b } bitwise { true };
    Or "or" [_, a, b] integer { a | b } bitwise { true };
    Xor "xor" [_, a, b] integer { a ^ b } bitwise { true };
    Not "not" [_, a] integer { !a } bitwise { true };
    Shl "shl" [t, a, count] integer { t.product(a, 1 << t.count(count)) };
    Shr "shr" [t, a, count] integer { t.unsigned(a) >> t.count(count) };
    Asr "asr" [t, a, count] integer { a >> t.count(count) };
    Rol "rol" [t, a, count] integer { t.rotated(a, count) };
    Ror "ror" [t, a, count] integer { t.rotated(a, -count) };
    Bfe "bfe" [t, width, offset, a] narrow { t.field(a, offset & 31, width & 31) };
    Bfi "bfi" [_, width, offset, a, base] narrow {
        let mask = ((1 << (width & 31)) - 1) << (offset & 31);
        a << (offset & 31) & mask | base & !mask
    };
    Bfrev "bfrev" [t, a] narrow { t.dword(a).reverse_bits().into() } bitwise { true };
    Cbit "cbit" [t, a] integer { t.element(a).count_ones().into() };
    Fbh "fbh" [t, a] narrow { first_high(t.dword(if a < 0 { !a } else { a })).into() };
    Fbl "fbl" [t, a] narrow { first_high(t.dword(a).reverse_bits()).into() };
    Lzd "lzd" [t, a] narrow { t.dword(a).leading_zeros().into() };
    Bfn "bfn" [_, a, b, c, control] integer {
        let chosen = (0..8).filter(|term| control >> term & 1 == 1);
        chosen.fold(0, |bits, term| bits | pick(a, term) & pick(b, term >> 1) & pick(c, term >> 2))
    } bitwise { true };
    Dp4a "dp4a" [t, a, b, c] narrow { a + dot4(t, b, c) };
    Frc "frc" [_, a] float { (a - a.integral(Rounding::Down)).abs() };
    Rndd "rndd" [_, a] float { a.integral(Rounding::Down) };
    Rndu "rndu" [_, a] float { a.integral(Rounding::Up) };
    Rnde "rnde" [_, a] float { a.integral(Rounding::NearestEven) };
    Rndz "rndz" [_, a] float { a.integral(Rounding::TowardZero) };
    Inv "inv" [_, a] real { Real::ONE / a } facts { facts::APPROXIMATE };
    Sqrt "sqrt" [_, a] real { a.sqrt() } facts { facts::APPROXIMATE };
    Rsqrt "rsqrt" [_, a] real { Real::ONE / a.sqrt() } facts { facts::APPROXIMATE };
    Log "log" [_, a] real { a.map_f64(libm::log2) } facts { facts::APPROXIMATE };
    Exp "exp" [_, a] real { a.map_f64(libm::exp2) } facts { facts::APPROXIMATE };
    // The finalizer takes the absolute value of the base.
    Pow "pow" [_, a, b] real { (b * a.abs().map_f64(libm::log2)).map_f64(libm::exp2) } facts { facts::POWER };
    Sin "sin" [_, a] real { a.map_f64(libm::sin) } facts { facts::APPROXIMATE };
    Cos "cos" [_, a] real { a.map_f64(libm::cos) } facts { facts::APPROXIMATE };
    Tanh "tanh" [_, a] real { a.map_f64(libm::tanh) } facts { facts::APPROXIMATE };
    Sigm "sigm" [_, a] real { a.map_f64(|a| 1.0 / (1.0 + libm::exp(-a))) } facts { facts::APPROXIMATE };
    Sqrtm "sqrtm" [_, a] real { a.sqrt() };
    Divm "divm" [_, a, b] real { a / b };
    // Converts between formats that element types do not distinguish.
    Fcvt "fcvt" [_, a] real { a };
    Srnd "srnd" [t, a, b] bits { t.rounded_at_random(a, b) };
    Addc "addc" [_, a, b] narrow { a + b } second { AluOp::Carry };
    Carry "carry of addc" [_, a, b] narrow { (a + b) >> 32 & 1 };
    Subb "subb" [_, a, b] narrow { a - b } second { AluOp::Borrow };
    Borrow "borrow of subb" [_, a, b] narrow { (a - b) >> 32 & 1 };
    Madw "madw" [t, a, b, c] narrow { t.sum(t.product(a, b), c) } second { AluOp::MadwHigh };
    MadwHigh "high half of madw" [_, a, b, c] narrow { high(i128::from(a) * i128::from(b) + i128::from(c)) };
    Add3O "add3.o" [_, a, b, c] integer { a + b + c } second { AluOp::Overflow };
    Overflow "overflow of add3.o" [t, a, b, c] integer { t.overflows(a + b + c).into() };
}
