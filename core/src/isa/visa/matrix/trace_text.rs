//! One sentence on what a stage did, and where it stands in the pseudo-code.

use super::{MultiplyAdd, Shape};
use crate::isa::{Effect, PseudocodeState, SymbolTable};
use crate::machine::{Change, SpaceId};
use crate::number::{ElementType, show};
use alloc::format;
use alloc::string::String;

/// Which stage an effect is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageAt {
    /// The repeat, from 0: the row of Dst.
    pub row: u8,
    /// The depth stage, from 0.
    pub d: u8,
    /// The EU and the channel, where the effect is one channel's.
    pub channel: Option<(u8, u8)>,
}

impl StageAt {
    /// How many effects a stage is: one, or where steps are fine one for each
    /// channel of `eus` EUs.
    #[must_use]
    pub const fn effects(shape: Shape, eus: u8, fine: bool) -> u32 {
        if fine {
            eus as u32 * shape.channels() as u32
        } else {
            1
        }
    }

    /// What an effect is by its index among the instruction's.
    #[must_use]
    pub fn nth(shape: Shape, eus: u8, index: u32, fine: bool) -> Self {
        let each = Self::effects(shape, eus, fine);
        let [stage, ..] = (index / each).to_le_bytes();
        let [unit, ..] = (index % each).to_le_bytes();
        Self {
            row: stage / shape.sd(),
            d: stage % shape.sd(),
            channel: fine.then_some((unit / shape.channels(), unit % shape.channels())),
        }
    }

    /// The stage of an effect.
    fn of(shape: Shape, effect: &Effect<'_>) -> Self {
        // A channel changes its sum, perhaps twice, and Dst.
        let fine = effect.changes.len() < usize::from(shape.channels());
        Self::nth(shape, effect.threads, effect.index, fine)
    }

    /// The first product of the stage in its row.
    const fn k(self, shape: Shape) -> u8 {
        self.d * shape.pair().ops()
    }
}

/// The sum of a channel after an effect.
fn sum<'s>(effect: &Effect<'s>, eu: u8, channel: u8) -> Option<&'s Change> {
    let at = u64::from(channel) * 4;
    let space = SpaceId::accumulators(eu);
    let mut last_first = effect.changes.iter().rev();
    last_first.find(|c| c.space == space && c.address == at)
}

/// One sentence on what a stage did; empty for an instruction that cannot run.
#[must_use]
pub fn describe_effect(
    multiply: &MultiplyAdd,
    effect: &Effect<'_>,
    symbols: &SymbolTable,
) -> String {
    let Some(shape) = multiply.shape() else {
        return String::new();
    };
    let ty = multiply.types(symbols).sum;
    let at = StageAt::of(shape, effect);
    let (eu, channel) = at.channel.unwrap_or((0, 0));
    let ops = shape.pair().ops();
    let (first, last) = (at.k(shape), at.k(shape) + ops - 1);
    let Some(sum) = sum(effect, eu, channel) else {
        return String::new();
    };
    let (old, new) = (show(sum.old, ty), show(sum.new, ty));
    let change = match ty.is_float() {
        true => format!("{old} → {new}"),
        false => {
            let added = show(sum.new.wrapping_sub(sum.old) & 0xffff_ffff, ElementType::D);
            format!("{old} + {added} → {new}")
        }
    };
    let byte = u16::from(at.row) * u16::from(shape.row_bytes());
    let [register, _] = (byte / u16::from(shape.grf_bytes())).to_le_bytes();
    let shared = multiply.supply().and_then(|s| s.source(register));
    let pair = effect.threads > 1;
    let from = match (shared, at.channel) {
        (Some(source), _) => format!("EU{}.R{}", source.eu, source.register),
        (None, None) if pair => format!("its own R{register}"),
        (None, _) => format!("EU{eu}.R{register}"),
    };
    let who = match at.channel {
        Some(_) => format!("EU{eu} channel {channel} adds"),
        None if pair && shared.is_none() => String::from("each EU adds"),
        None if pair => String::from("both EUs add"),
        None => format!("EU{eu} adds"),
    };
    let k = match ops {
        1 => format!("k {first}"),
        _ => format!("k {first}–{last}"),
    };
    let written = if at.d + 1 == shape.sd() {
        format!("; row {} of Dst is written", at.row)
    } else {
        String::new()
    };
    format!(
        "Row {}, stage {}: {who} {k} from {from}; EU{eu} sum[{}][{channel}] {change}{written}",
        at.row, at.d, at.row,
    )
}

/// The line of the pseudo-code that adds products.
const ADDS: usize = 5;

/// The line of the pseudo-code that a stage is, with its variables.
#[must_use]
pub fn pseudocode_state(multiply: &MultiplyAdd, effect: &Effect<'_>) -> PseudocodeState {
    let Some(shape) = multiply.shape() else {
        return PseudocodeState::default();
    };
    let at = StageAt::of(shape, effect);
    let k = u16::from(at.row) * u16::from(shape.k()) + u16::from(at.k(shape));
    let mut variables = alloc::vec![
        ("r", format!("{}", at.row)),
        ("d", format!("{}", at.d)),
        ("k", format!("{k}")),
    ];
    if let Some((_, channel)) = at.channel {
        variables.push(("i", format!("{channel}")));
    }
    PseudocodeState {
        line: ADDS,
        variables,
    }
}
