use super::*;
use crate::bits::BitField;
use crate::number::Random;
use std::vec::Vec;

/// Boundary values of all types, and random values.
fn operand(ty: ElementType, random: &mut Random) -> LaneBits {
    const LIMITS: [u64; 12] = [
        0,
        1,
        31,
        0x7f80_0000,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x7ff0_0000_0000_0000,
        0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
        0x8000_8000_8000_8000,
        u64::MAX,
    ];
    core::array::from_fn(|_| {
        let bits = random.bits();
        let index = usize::try_from(bits % 24).unwrap();
        LIMITS.get(index).copied().unwrap_or(bits) & low_mask(ty.bits())
    })
}

fn apply(evaluator: &Evaluator, operands: &[LaneBits], enabled: u32) -> Result<LaneBits, AluError> {
    let mut values = [0; 32];
    evaluator
        .apply(operands, enabled, &mut values)
        .map(|()| values)
}

#[test]
fn every_operation_computes_or_refuses_without_a_panic() {
    let mut random = Random::new(3);
    let mut computed = 0;
    for op in AluOp::ALL {
        for destination in ElementType::ALL {
            for round in 0..48 {
                let mut pick = |limit: u64| random.bits() % limit;
                let saturate = pick(2) == 1;
                let mode =
                    FloatMode(u32::try_from(pick(2048)).unwrap() & !u32::from(round % 8 != 0));
                let mut any_type = || ElementType::ALL[usize::try_from(pick(12)).unwrap()];
                let same = any_type();
                let sources: Vec<AluSource> = (0..op.sources())
                    .map(|_| AluSource {
                        ty: if round % 2 == 0 { same } else { any_type() },
                        modifier: Modifier::from_bits(round % 8).unwrap(),
                    })
                    .collect();
                let operands: Vec<LaneBits> = sources
                    .iter()
                    .map(|source| operand(source.ty, &mut random))
                    .collect();
                let Ok(operation) = Operation::new(*op, &sources, destination, saturate) else {
                    continue;
                };
                let Ok(evaluator) = operation.in_mode(|| mode) else {
                    continue;
                };
                match apply(&evaluator, &operands, u32::MAX) {
                    Ok(values) => {
                        computed += 1;
                        let mask = low_mask(destination.bits());
                        assert!(
                            values.iter().all(|value| value & !mask == 0),
                            "{op:?} {destination:?}"
                        );
                    }
                    Err(error) => {
                        assert!(matches!(error, AluError::DivisionByZero { .. }), "{error}")
                    }
                }
                // In a kernel, a division by zero has a result, too.
                let total = operation.with_division_by_zero(0).in_mode(|| mode).unwrap();
                assert!(apply(&total, &operands, u32::MAX).is_ok());
                for lane in 0..32 {
                    let _ = total.unfitted(&operands, lane);
                }
            }
        }
    }
    assert!(computed > 4000, "{computed}");
}

#[test]
fn small_integers_compute_like_large_ones() {
    let mut random = Random::new(5);
    let small = |ty: &ElementType| !ty.is_float() && ty.bits() <= 32;
    let types: Vec<ElementType> = ElementType::ALL.into_iter().filter(small).collect();
    let mut compared = 0;
    for (op, large) in (AluOp::ALL.iter()).filter_map(|op| Some((op, op.row().integer?.0))) {
        for _ in 0..200 {
            let mut pick = |limit: u64| random.bits() % limit;
            let mut any_type = || types[usize::try_from(pick(6)).unwrap()];
            let destination = any_type();
            let kinds: Vec<ElementType> = (0..op.sources()).map(|_| any_type()).collect();
            let modified = |ty| AluSource {
                ty,
                modifier: Modifier::from_bits(pick(8)).unwrap(),
            };
            let sources: Vec<AluSource> = kinds.into_iter().map(modified).collect();
            let saturate = pick(2) == 1;
            let operands: Vec<LaneBits> = sources
                .iter()
                .map(|source| operand(source.ty, &mut random))
                .collect();
            let evaluator = Evaluator::new(*op, &sources, destination, saturate, FloatMode(0));
            let evaluator = evaluator.unwrap();
            assert!(matches!(evaluator.path, AluPath::SmallInteger(_)));
            let path = AluPath::Integer(large);
            let large = Evaluator { path, ..evaluator };
            let results = [evaluator, large].map(|e| apply(&e, &operands, u32::MAX));
            assert_eq!(results[0], results[1], "{op:?} {sources:?} {destination:?}");
            compared += usize::from(results[0].is_ok());
        }
    }
    assert!(compared > 3000, "{compared}");
}

/// One lane of an operation on sources of one type.
fn one(op: AluOp, ty: ElementType, values: &[u64], destination: ElementType) -> Option<u64> {
    let sources: Vec<AluSource> = values.iter().map(|_| AluSource::plain(ty)).collect();
    let operands: Vec<LaneBits> = values.iter().map(|value| [*value; 32]).collect();
    let evaluator = Evaluator::new(op, &sources, destination, false, FloatMode(0x4c0));
    let values = apply(&evaluator.ok()?, &operands, 1);
    Some(values.unwrap()[0])
}

#[test]
fn floats_have_narrow_formats_in_fcvt() {
    use ElementType::{D, F, Hf, Ub, Ud};
    // 1.0, then a tie that goes to the even neighbor, then an infinity.
    for (half, byte) in [
        (0x3c00, 0x3c),
        (0x3c80, 0x3c),
        (0x3d80, 0x3e),
        (0x7bff, 0x7c),
    ] {
        assert_eq!(one(AluOp::Fcvt, Hf, &[half], Ub), Some(byte), "{half:#x}");
    }
    assert_eq!(one(AluOp::Fcvt, Ub, &[0xbd], Hf), Some(0xbd00));
    assert_eq!(one(AluOp::Fcvt, F, &[0x3f80_1000], Ud), Some(0x3f80_0000));
    assert_eq!(one(AluOp::Fcvt, F, &[0x3f80_1001], Ud), Some(0x3f80_2000));
    assert_eq!(one(AluOp::Fcvt, F, &[0x3f80_0000], D), None);
}

/// Qwords are converted exactly, smaller integers as doubles.
#[test]
fn smaller_integers_are_qwords_at_their_limits() {
    use ElementType::{B, D, Df, F, Hf, Q, Ub, Ud, Uw, W};
    let mut random = Random::new(1);
    for source in [F, Hf, Df] {
        for bits in (0..40).flat_map(|_| operand(source, &mut random)) {
            let exact = one(AluOp::Mov, source, &[bits], Q).unwrap();
            for destination in [D, Ud, W, Uw, B, Ub] {
                let (low, high) = range(destination);
                let value = i128::from(exact.cast_signed()).clamp(low, high);
                let expected = low_qword(value) & low_mask(destination.bits());
                let found = one(AluOp::Mov, source, &[bits], destination);
                assert_eq!(
                    found,
                    Some(expected),
                    "{source:?} {bits:#x} {destination:?}"
                );
            }
        }
    }
    for bits in [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff_u32] {
        let signed = f64::from(bits.cast_signed()).to_bits();
        assert_eq!(one(AluOp::Mov, D, &[bits.into()], Df), Some(signed));
        assert_eq!(
            one(AluOp::Mov, Ud, &[bits.into()], Df),
            Some(f64::from(bits).to_bits())
        );
    }
}

#[test]
fn types_without_arithmetic_are_refused() {
    use ElementType::{Bf, D, F, Hf, Q};
    assert_eq!(one(AluOp::Add, D, &[1, 2], F), None);
    assert_eq!(one(AluOp::Add, F, &[1, 2], D), None);
    assert_eq!(one(AluOp::And, F, &[1, 2], F), None);
    assert_eq!(one(AluOp::Mov, Bf, &[1], Hf), None);
    assert_eq!(one(AluOp::Mov, D, &[1], Bf), None);
    assert_eq!(one(AluOp::Bfrev, Q, &[1], Q), None);
    assert_eq!(one(AluOp::Add, D, &[1, 2], Q), Some(3));
}

#[test]
fn a_sum_of_three_overflows_where_its_type_ends() {
    let sources = [AluSource::plain(ElementType::D); 3];
    let top = [0x7fff_ffff_u64; 32];
    let destination = ElementType::D;
    let evaluator = Evaluator::new(AluOp::Overflow, &sources, destination, false, FloatMode(0));
    let evaluator = evaluator.unwrap();
    for (c, overflow) in [(0xffff_ffff, 0), (0, 0), (1, 1)] {
        let values = apply(&evaluator, &[top, [0; 32], [c; 32]], 1).unwrap();
        assert_eq!(values[0], overflow, "{c:#x}");
    }
}

#[test]
fn division_by_zero_names_the_first_enabled_lane() {
    let sources = [AluSource::plain(ElementType::D); 2];
    let evaluator = Evaluator::new(AluOp::Div, &sources, ElementType::D, false, FloatMode(0));
    let evaluator = evaluator.unwrap();
    let mut divisors = [1; 32];
    divisors[1] = 0;
    divisors[3] = 0;
    let fault = apply(&evaluator, &[[7; 32], divisors], 0b1100);
    assert_eq!(fault, Err(AluError::DivisionByZero { lane: 3 }));
    assert!(apply(&evaluator, &[[7; 32], divisors], 0b0101).is_ok());
}
