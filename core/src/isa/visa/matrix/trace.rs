//! Traces of single elements of Dst, and descriptions and pseudo-code of stages.

use super::layout::{Index, MatrixRole};
use super::operands::{Element, MatrixOperands, Types, integer, narrow};
use super::{MultiplyAdd, Shape, dot};
use crate::isa::{Effect, PseudocodeState, SymbolTable};
use crate::machine::{Change, SpaceId};
use crate::number::{ElementType, show};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// One product of an element of Dst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Index in order of addition.
    pub k: u8,
    /// Depth stage.
    pub stage: u8,
    /// The element of Src1.
    pub src1: Element,
    /// The element of Src2.
    pub src2: Element,
    /// The sum after it, as bits of the sum type.
    pub sum: u32,
}

impl Product {
    /// The product as text, with floats rounded to F.
    #[must_use]
    pub fn text(&self) -> String {
        let product = self.src1.value() * self.src2.value();
        match self.src1.precision.is_float() {
            true => show(u64::from(dot::float_bits(product)), ElementType::F),
            false => integer(product).to_string(),
        }
    }
}

/// The computation of an element of Dst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The types of Src0, Dst and the sums between.
    pub types: Types,
    /// The initial sum: the widened Src0.
    pub src0: u32,
    /// The products, in order.
    pub products: Vec<Product>,
    /// The sum after each depth stage.
    pub sums: Vec<u32>,
    /// The result, as bits of Dst's type.
    pub dst: u32,
    /// The result of adding the products in reverse order, since the document does not
    /// specify an order. Equal to `dst` for integers.
    pub backwards: u32,
}

impl Trace {
    /// Formats Src0 or a sum.
    #[must_use]
    pub fn text(&self, bits: u32) -> String {
        show(u64::from(bits), self.types.sum)
    }

    /// Formats [`Self::dst`] or [`Self::backwards`].
    #[must_use]
    pub fn dst_text(&self, bits: u32) -> String {
        show(u64::from(bits), self.types.dst)
    }

    /// Whether the order of addition affects this element.
    #[must_use]
    pub fn order_matters(&self) -> bool {
        self.dst != self.backwards
    }
}

impl MatrixOperands {
    /// Traces the element of Dst in a row and channel of an EU.
    ///
    /// # Panics
    /// If the EU, row or channel does not exist.
    #[must_use]
    pub fn trace(&self, eu: u8, row: u8, channel: u8) -> Trace {
        let src0 = self.src0(eu, row, channel);
        let ops = self.shape.pair().ops();
        let mut sum = src0;
        let mut sums = Vec::new();
        let mut products = Vec::new();
        for k in 0..self.shape.k() {
            let src1 = self.src1(eu, k, channel);
            let src2 = self.src2(eu, row, k);
            sum = add(sum, src1, src2);
            products.push(Product {
                k,
                stage: k / ops,
                src1,
                src2,
                sum,
            });
            if k % ops == ops - 1 {
                sums.push(sum);
            }
        }
        let last_first = products.iter().rev();
        let backwards = last_first.fold(src0, |sum, p| add(sum, p.src1, p.src2));
        Trace {
            types: self.types,
            src0,
            backwards: narrow(backwards, self.types.dst),
            products,
            sums,
            dst: narrow(sum, self.types.dst),
        }
    }
}

/// Adds one product to a sum.
fn add(sum: u32, src1: Element, src2: Element) -> u32 {
    let product = src1.value() * src2.value();
    if src1.precision.is_float() {
        return dot::float_bits(f32::from_bits(sum) + product);
    }
    sum.wrapping_add_signed(integer(product))
}

// Descriptions of stages.

/// The stage of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageAt {
    /// The repeat, from 0: the row of Dst.
    pub row: u8,
    /// The depth stage, from 0.
    pub d: u8,
    /// The EU and channel, if the effect is that of a single channel.
    pub channel: Option<(u8, u8)>,
}

impl StageAt {
    /// Effects per stage: one or, with fine granularity, one per channel of `eus` EUs.
    #[must_use]
    pub const fn effects(shape: Shape, eus: u8, fine: bool) -> u32 {
        if fine {
            eus as u32 * shape.channels() as u32
        } else {
            1
        }
    }

    /// The stage of the effect with an index.
    #[must_use]
    pub fn nth(shape: Shape, eus: u8, index: u32, fine: bool) -> Self {
        let each = Self::effects(shape, eus, fine);
        let small =
            |index| u8::try_from(index).expect("there are at most 64 stages and 32 channels");
        let (stage, unit) = (small(index / each), small(index % each));
        Self {
            row: stage / shape.sd(),
            d: stage % shape.sd(),
            channel: fine.then_some((unit / shape.channels(), unit % shape.channels())),
        }
    }

    /// The stage of an effect.
    fn of(shape: Shape, effect: &Effect<'_>) -> Self {
        // The effect of a channel changes its sum, at most twice, and Dst.
        let fine = effect.changes.len() < usize::from(shape.channels());
        Self::nth(shape, effect.threads.count(), effect.index, fine)
    }

    /// The first product of the stage in its row.
    const fn k(self, shape: Shape) -> u8 {
        self.d * shape.pair().ops()
    }
}

/// The sum of a channel after an effect.
fn sum<'s>(effect: &Effect<'s>, eu: u8, channel: u8) -> Option<&'s Change> {
    let at = u64::from(channel) * 4;
    let space = SpaceId::accumulators(effect.threads.first() + eu);
    let mut last_first = effect.changes.iter().rev();
    last_first.find(|c| c.space == space && c.address == at)
}

/// The EU and the registers of a stage's Src2 elements: `r9`, or `r9 and r10` if a
/// misaligned Src2 spans both (W0446).
fn registers_of_stage(
    multiply: &MultiplyAdd,
    at: StageAt,
    eu: u8,
    symbols: &SymbolTable,
) -> (u8, String) {
    let layout = multiply.element_layout(symbols, false);
    let layout = layout.expect("a running instruction has a layout");
    let first = Index {
        row: at.row,
        column: at.d * layout.ops(),
    };
    let location = layout.location(MatrixRole::A, eu, first);
    let location = location.expect("a stage has elements of Src2");
    let start = multiply.first_register(MatrixRole::A, symbols);
    let start = start.expect("a running instruction has a declared Src2");
    let bits = u16::from(layout.ops()) * u16::from(location.bits);
    let names = layout
        .in_registers(location, bits)
        .map(|part| format!("r{}", start + u64::from(part.register)));
    (location.eu, names.collect::<Vec<_>>().join(" and "))
}

/// Describes a stage in one sentence; empty for an instruction that cannot run.
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
    let shared = multiply.supply().is_some();
    let (source_eu, registers) = registers_of_stage(multiply, at, eu, symbols);
    let pair = effect.threads.count() > 1;
    let from = match (shared, at.channel) {
        (false, None) if pair => format!("its own {registers}"),
        _ => format!("EU{source_eu}.{registers}"),
    };
    let who = match at.channel {
        Some(_) => format!("EU{eu} channel {channel} adds"),
        None if pair && !shared => String::from("each EU adds"),
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

/// Index of the pseudo-code line that adds products.
const ADDS: usize = 5;

/// The pseudo-code line and variables of a stage.
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
