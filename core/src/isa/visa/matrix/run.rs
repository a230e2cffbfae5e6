//! What a matrix instruction does to a machine: stage by stage, or all at once.

use super::dot;
use super::operands::{EuOperands, Halves, Operands, Types, narrow, write_rows};
use super::Shape;
use crate::machine::{Machine, Recorder, SpaceId, StepGranularity};

/// All stages, each channel's sum recorded as it changes: the sums of all EUs
/// in one effect or, where it is finer, those of each channel. Dst starts at
/// byte `dst` of the register file.
pub fn stages<R: Recorder>(operands: &Operands, dst: u64, machine: &mut Machine, recorder: &mut R) {
    let (shape, ty) = (operands.shape, operands.types.dst);
    let fine = recorder.granularity() == StepGranularity::Fine;
    let element = u64::from(ty.bytes());
    let row_bytes = u64::from(shape.channels()) * element;
    for row in 0..shape.rc() {
        let mut sums = start_of(operands, row);
        for d in 0..shape.sd() {
            if !fine {
                recorder.begin();
            }
            for (eu, (sums, own)) in (0..).zip(sums.iter_mut().zip(&operands.eus)) {
                let before = *sums;
                for (h, (half, src1)) in sums.iter_mut().zip(&own.src1).enumerate() {
                    if h < usize::from(shape.channels() / 8) {
                        *half = dot::Stages::new(shape, src1, &own.src2).stage(row, d, half);
                    }
                }
                let channels = before.as_flattened().iter().zip(sums.as_flattened());
                for (channel, (before, after)) in (0..u64::from(shape.channels())).zip(channels) {
                    if fine {
                        recorder.begin();
                    }
                    let (space, at) = (SpaceId::accumulators(eu), channel * 4);
                    if d == 0 {
                        machine.store(recorder, space, at, 4, u64::from(*before));
                    }
                    machine.store(recorder, space, at, 4, u64::from(*after));
                    if d + 1 == shape.sd() {
                        let at = dst + u64::from(row) * row_bytes + channel * element;
                        let value = u64::from(narrow(*after, ty));
                        machine.store(recorder, SpaceId::registers(eu), at, ty.bytes(), value);
                    }
                }
            }
        }
    }
}
