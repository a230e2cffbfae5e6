//! How one element of Dst comes about, product by product, and what a register
//! of Src2 is used for.

use super::operands::{Element, Operands, Types, integer, narrow};
use super::{Shape, dot};
use crate::number::{ElementType, show};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// One product of an element of Dst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Its number, in the order in which products are added.
    pub k: u8,
    /// The depth stage that adds it.
    pub stage: u8,
    /// The element of Src1.
    pub src1: Element,
    /// The element of Src2.
    pub src2: Element,
    /// Which register of Src2 that is, of the combined one where it is shared.
    pub combined: u8,
    /// The sum after it, as bits of the type of the sums.
    pub sum: u32,
}

impl Product {
    /// The product as text: floats rounded to F.
    #[must_use]
    pub fn text(&self) -> String {
        let product = self.src1.value() * self.src2.value();
        match self.src1.precision.is_float() {
            true => show(u64::from(dot::float_bits(product)), ElementType::F),
            false => integer(product).to_string(),
        }
    }
}

/// How an element of Dst comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The types of Src0, Dst and the sums between.
    pub types: Types,
    /// The sum before the first product: Src0, widened.
    pub src0: u32,
    /// The products, in order.
    pub products: Vec<Product>,
    /// The sum after each depth stage.
    pub sums: Vec<u32>,
    /// Dst: the last sum, as bits of its own type.
    pub dst: u32,
    /// What Dst would be if the same products were added from the last to the
    /// first: the document fixes no order. For integers the same.
    pub backwards: u32,
}

impl Trace {
    /// Src0 or a sum as text.
    #[must_use]
    pub fn text(&self, bits: u32) -> String {
        show(u64::from(bits), self.types.sum)
    }

    /// [`Self::dst`] or [`Self::backwards`] as text.
    #[must_use]
    pub fn dst_text(&self, bits: u32) -> String {
        show(u64::from(bits), self.types.dst)
    }

    /// Whether the order of addition matters here.
    #[must_use]
    pub fn order_matters(&self) -> bool {
        self.dst != self.backwards
    }
}

impl Operands {
    /// How the element of Dst in a row and channel of an EU comes about.
    ///
    /// # Panics
    /// When there is no such EU, row or channel.
    #[must_use]
    pub fn trace(&self, eu: u8, row: u8, channel: u8) -> Trace {
        let src0 = self.src0(eu, row, channel);
        let ops = self.shape.pair().ops();
        let mut sum = src0;
        let mut sums = Vec::new();
        let mut products = Vec::new();
        for k in 0..self.shape.k() {
            let src1 = self.src1(eu, k, channel);
            let (src2, combined) = self.src2(eu, row, k);
            sum = add(sum, src1, src2);
            products.push(Product {
                k,
                stage: k / ops,
                src1,
                src2,
                combined,
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

/// Which rows of Dst a register of Src2 feeds: those of all channels.
#[must_use]
pub fn fed_by(shape: Shape, register: u8) -> Range<u8> {
    // Rows have 1 to 32 bytes, a power of two: none lies in two registers.
    let rows = shape.grf_bytes() / shape.row_bytes();
    let first = register.saturating_mul(rows).min(shape.rc());
    first..first.saturating_add(rows).min(shape.rc())
}
