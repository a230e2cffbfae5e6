//! Things that can be highlighted.

use lanewise_answer::ByteRange;
use lanewise_core::isa::Unit;
use lanewise_core::text::SyntaxPart;

/// Position in the encoding or in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EncodingPoint {
    Field(usize),
    /// Part of the instruction, such as an operand.
    Part(SyntaxPart),
    /// Text position in UTF-16 code units.
    Text(u32),
}

/// Something that several views show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Highlight {
    /// Lane of the current instruction, or one of its channels.
    Lane(Unit),
    /// Bytes of a memory or register file.
    Bytes(ByteRange),
    /// Line of the current instruction's pseudocode, from 0.
    PseudocodeLine(usize),
}

/// Everything highlighted: the thing under the pointer and whatever relates to
/// it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Highlighted(pub(super) Vec<Highlight>);

impl Highlighted {
    /// Whether a lane is highlighted. A unit without a channel matches any of
    /// its channels.
    pub(crate) fn has_lane(&self, unit: Unit) -> bool {
        self.0.iter().any(|highlighted| match highlighted {
            Highlight::Lane(highlighted) => {
                let channel = highlighted.channel.is_none()
                    || unit.channel.is_none()
                    || highlighted.channel == unit.channel;
                (highlighted.thread, highlighted.lane) == (unit.thread, unit.lane) && channel
            }
            _ => false,
        })
    }

    /// Whether any byte of a range is highlighted.
    pub(crate) fn has_bytes(&self, range: ByteRange) -> bool {
        self.within(range).next().is_some()
    }

    /// The highlighted ranges that overlap `range`. Rows use them as props so
    /// that they re-render only when their own highlight changes.
    pub(crate) fn within(&self, range: ByteRange) -> impl Iterator<Item = ByteRange> {
        self.0
            .iter()
            .filter_map(move |highlighted| match highlighted {
                Highlight::Bytes(own) if own.overlaps(range) => Some(*own),
                _ => None,
            })
    }

    pub(crate) fn has_line(&self, line: usize) -> bool {
        self.0.contains(&Highlight::PseudocodeLine(line))
    }
}
