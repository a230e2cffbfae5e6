//! What a matrix instruction does to a machine: stage by stage, or all at once.

use super::dot;
use super::operands::{Operands, narrow};
use crate::machine::{Machine, Recorder, SpaceId, StepGranularity};
use alloc::vec::Vec;

/// All stages, each channel's sum recorded as it changes: the sums of all EUs
/// in one effect or, where it is finer, those of each channel. Dst starts at
/// byte `dst` of the register file.
pub fn stages<R: Recorder>(operands: &Operands, dst: u64, machine: &mut Machine, recorder: &mut R) {
    let (shape, ty) = (operands.shape, operands.types.dst);
    let fine = recorder.granularity() == StepGranularity::Fine;
    let halves = usize::from(shape.channels() / 8);
    let element = u64::from(ty.bytes());
    let row_bytes = u64::from(shape.channels()) * element;
    let sources: Vec<Vec<dot::Stages>> = operands
        .eus
        .iter()
        .map(|own| {
            let halves = own.src1.iter().take(halves);
            halves
                .map(|src1| dot::Stages::new(shape, src1, &own.src2))
                .collect()
        })
        .collect();
    for row in 0..shape.rc() {
        // The running sums of each EU, in halves of eight channels.
        let mut sums: Vec<[[u32; 8]; 2]> = operands
            .eus
            .iter()
            .map(|own| own.src0.each_ref().map(|half| half[usize::from(row)]))
            .collect();
        for d in 0..shape.sd() {
            if !fine {
                recorder.begin();
            }
            for (eu, (sums, sources)) in (0..).zip(sums.iter_mut().zip(&sources)) {
                let before = *sums;
                for (half, source) in sums.iter_mut().zip(sources) {
                    *half = source.stage(row, d, half);
                }
                let changes = before.as_flattened().iter().zip(sums.as_flattened());
                for (channel, (before, after)) in (0..u64::from(shape.channels())).zip(changes) {
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
