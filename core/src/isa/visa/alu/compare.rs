//! Comparisons for `cmp`.

use super::{AluError, AluSource, FloatMode, LaneBits, flushed};
use crate::number::{ElementType, Nearest, set_bits, to_f64};
use core::cmp::Ordering;

/// Relation tested by `cmp`, in code order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Equal.
    Eq,
    /// Not equal, or unordered.
    Ne,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

impl Relation {
    /// All relations, indexed by code.
    pub const ALL: [Self; 6] = [Self::Eq, Self::Ne, Self::Gt, Self::Ge, Self::Lt, Self::Le];

    /// Name in the mnemonic, such as `lt` in `cmp.lt`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::Gt => "gt",
            Self::Ge => "ge",
            Self::Lt => "lt",
            Self::Le => "le",
        }
    }

    /// Whether the relation holds for an ordering; `None` is unordered.
    #[must_use]
    pub fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Eq => order == Some(Ordering::Equal),
            Self::Ne => order != Some(Ordering::Equal),
            Self::Gt => order == Some(Ordering::Greater),
            Self::Ge => order.is_some_and(Ordering::is_ge),
            Self::Lt => order == Some(Ordering::Less),
            Self::Le => order.is_some_and(Ordering::is_le),
        }
    }

    /// Compares the lanes in `enabled`; bit n of the result is set if the relation holds in
    /// lane n.
    ///
    /// # Errors
    /// If the types are not comparable, or `%cr0` selects ALT mode for floats.
    pub fn compare(
        self,
        sources: [(AluSource, &LaneBits); 2],
        mode: FloatMode,
        enabled: u32,
    ) -> Result<u32, AluError> {
        let [(a, a_bits), (b, b_bits)] = sources;
        let pairs = set_bits(enabled).map(|lane| (lane, a_bits[lane], b_bits[lane]));
        match (a.ty.is_float(), b.ty.is_float()) {
            (false, false) => Ok(self.lanes(pairs.map(|(lane, x, y)| {
                let order = a.integer(x).cmp(&b.integer(y));
                (lane, Some(order))
            }))),
            (true, true) if [a, b].iter().any(|s| s.modifier.is_logical()) => {
                Err(AluError::Types("cmp"))
            }
            (true, true) => {
                if mode.is_alternate() && [a.ty, b.ty].contains(&ElementType::F) {
                    return Err(AluError::AlternateMode);
                }
                if a.ty == ElementType::F && b.ty == ElementType::F {
                    let least = mode.least::<f32>();
                    let value = |source: AluSource, bits| {
                        Nearest::from_bits(source.signed(bits)).flushed(least)
                    };
                    let order = |x, y| value(a, x).partial_cmp(&value(b, y));
                    return Ok(self.lanes(pairs.map(|(lane, x, y)| (lane, order(x, y)))));
                }
                let value = |source: AluSource, bits| {
                    to_f64(flushed(source.signed(bits), source.ty, mode), source.ty)
                };
                let order = |x, y| value(a, x).partial_cmp(&value(b, y));
                Ok(self.lanes(pairs.map(|(lane, x, y)| (lane, order(x, y)))))
            }
            _ => Err(AluError::Types("cmp")),
        }
    }

    fn lanes(self, orders: impl Iterator<Item = (usize, Option<Ordering>)>) -> u32 {
        let holding = orders.filter(|(_, order)| self.holds(*order));
        holding.fold(0, |bits, (lane, _)| bits | 1 << lane)
    }
}
