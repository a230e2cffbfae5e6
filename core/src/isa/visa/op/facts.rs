//! Facts about instructions of the opcode table, by behavior.
//!
//! Sources: documentation/visa of intel/intel-graphics-compiler, its finalizer, and
//! native code that the real tools emit.

use super::message::{Message, MessageFormat, MessageKind};
use super::{Behavior, FlowKind};
use crate::isa::Fact;
use crate::isa::visa::alu::facts::LANES;
use crate::isa::visa::compute::Computation;
use core::slice::from_ref;

const ADDRESSES: Fact = Fact::assumed(
    "Outside its surface, a read returns 0 and a write has no effect. Outside every buffer, an access by address stops the run and names the thread, the lane, the address and the nearest buffer.",
);
const MESSAGE_LANES: Fact =
    Fact::documented("Enabled lanes access memory; disabled lanes neither read nor write.");
const PREFETCH: Fact = Fact::documented(
    "If dst is %null, it only prefetches into the caches: it changes nothing and never faults.",
);
const BLOCK_OPERANDS: Fact = Fact::observed(
    "The width in bytes, the height in rows and the pitch in bytes are given minus 1, as the finalizer passes them on; the document says so for the first two. X and Y count elements and rows, and may be negative.",
);
const BLOCK_EDGES: Fact =
    Fact::observed("Elements outside the surface are read as 0 and not written.");
const BLOCK_LAYOUT: Fact = Fact::documented(
    "In registers, a row takes a power of two of elements, and a block whole registers; the rest is 0. The first t transposes a block, the second packs the rows that share a doubleword.",
);
const NAMED: Fact = Fact::documented(
    "All threads of a barrier give the same number, and each waits before it signals again; other uses are undefined and stop the run.",
);
const NOT_EXECUTED: Fact =
    Fact::assumed("Lanewise does not execute this instruction: a run stops here and says so.");
const SOURCE_MARK: Fact =
    Fact::assumed("It changes nothing. Steps and traces show the source line.");
const LABELS: Fact = Fact::documented(
    "Channels that arrive at a label wait there until the others have arrived or ended; those at the lowest address run first.",
);
const SCALAR: Fact = Fact::documented(
    "With execution size 1, all active channels go by the first bit of the predicate.",
);

/// Facts about the instructions with a behavior.
pub(super) const fn of(behavior: &Behavior) -> &'static [Fact] {
    match behavior {
        Behavior::Compute(Computation::Alu(op)) => op.facts(),
        Behavior::Compute(_) => LANES,
        Behavior::Message(Message { kind, format }) => match (kind, format) {
            (MessageKind::Load, MessageFormat::Lsc) => &[MESSAGE_LANES, ADDRESSES, PREFETCH],
            (MessageKind::Load, MessageFormat::Block2d) => &[
                BLOCK_OPERANDS,
                BLOCK_LAYOUT,
                BLOCK_EDGES,
                ADDRESSES,
                PREFETCH,
            ],
            (_, MessageFormat::Block2d) => &[BLOCK_OPERANDS, BLOCK_LAYOUT, BLOCK_EDGES, ADDRESSES],
            _ => &[MESSAGE_LANES, ADDRESSES],
        },
        Behavior::Flow(kind) => match kind {
            FlowKind::Jump => {
                const {
                    &[
                        SCALAR,
                        Fact::documented("No channel may wait between the jump and its target."),
                        Fact::observed(
                            "The finalizer emits a jump even in divergent code, where it would leave waiting channels behind; Lanewise reports it and runs it like goto.",
                        ),
                    ]
                }
            }
            FlowKind::Goto => &[LABELS, SCALAR],
            FlowKind::Call | FlowKind::IndirectCall => {
                const {
                    &[
                        Fact::documented(
                            "The channels that do not call wait after the call until all return.",
                        ),
                        SCALAR,
                    ]
                }
            }
            FlowKind::Return => {
                const {
                    &[
                        Fact::documented("In a kernel, it ends the enabled channels."),
                        Fact::observed(
                            "With execution size 1 in a kernel, it ends the thread, including channels that wait elsewhere.",
                        ),
                    ]
                }
            }
            FlowKind::Switch => {
                const { &[Fact::observed("GenX_IR rejects it for XeHP and later.")] }
            }
            FlowKind::NamedSignal | FlowKind::NamedWait => &[NAMED],
            FlowKind::Barrier => {
                const {
                    &[
                        Fact::documented(
                            "It counts threads, not channels. In divergent code it is undefined.",
                        ),
                        Fact::assumed(
                            "Lanewise counts a thread once, when it executes the instruction.",
                        ),
                    ]
                }
            }
        },
        Behavior::NoEffect(reason) | Behavior::Fence(_, reason) => from_ref(reason),
        Behavior::SourceMark(_) => from_ref(&SOURCE_MARK),
        Behavior::NotModelled => from_ref(&NOT_EXECUTED),
    }
}
