//! What a DPASW does to a machine: stage by stage, or all at once.

use super::dot;
use super::operands::{Operands, to_bytes};
use crate::machine::{Machine, Recorder, SpaceId, StepGranularity};

/// All stages, each channel's sum recorded as it changes, the sums of both EUs
/// in one effect or, where it is finer, those of each channel.
pub fn stages<R: Recorder>(operands: &Operands, dst: u64, machine: &mut Machine, recorder: &mut R) {
    let shape = operands.shape;
    let fine = recorder.granularity() == StepGranularity::Fine;
    let sources = operands
        .src1
        .each_ref()
        .map(|src1| dot::Stages::new(shape, src1, &operands.src2));
    for row in 0..shape.rc() {
        for d in 0..shape.sd() {
            if !fine {
                recorder.begin();
            }
            for (eu, sources) in (0..).zip(&sources) {
                let (sums, registers) = (SpaceId::accumulators(eu), SpaceId::registers(eu));
                let before = core::array::from_fn(|channel| {
                    let [channel, ..] = channel.to_le_bytes();
                    let src0 = operands.src0(eu, row, channel);
                    let [a, b, c, e, ..] = machine
                        .load(sums, u64::from(channel) * 4, 4)
                        .unwrap_or(0)
                        .to_le_bytes();
                    match d {
                        0 => src0,
                        _ => u32::from_le_bytes([a, b, c, e]),
                    }
                });
                let after = sources.stage(row, d, &before);
                for (channel, (before, after)) in (0_u64..).zip(before.iter().zip(after)) {
                    if fine {
                        recorder.begin();
                    }
                    let at = channel * 4;
                    if d == 0 {
                        machine.store(recorder, sums, at, 4, u64::from(*before));
                    }
                    machine.store(recorder, sums, at, 4, u64::from(after));
                    if d + 1 == shape.sd() {
                        let at = dst + u64::from(row) * 32 + at;
                        machine.store(recorder, registers, at, 4, u64::from(after));
                    }
                }
            }
        }
    }
}

/// The same result without the way there.
pub fn at_once(operands: &Operands, dst: u64, machine: &mut Machine) {
    let rows = usize::from(operands.shape.rc());
    let results = [0, 1].map(|eu| operands.dst(eu));
    for (eu, result) in (0..).zip(results) {
        let bytes = to_bytes(&result);
        let all = bytes.get(..rows * 32).unwrap_or(&[]);
        let (_, last) = all.split_at_checked(all.len() - 32).unwrap_or((&[], &[]));
        for (space, at, bytes) in [
            (SpaceId::registers(eu), dst, all),
            (SpaceId::accumulators(eu), 0, last),
        ] {
            if let Some(memory) = machine.space_mut(space) {
                memory.write(at, bytes);
            }
        }
    }
}
