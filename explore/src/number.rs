//! Arbitrary-precision natural numbers, for counts of orders and results.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

/// A natural number of arbitrary size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Count(
    /// Words, lowest first, without trailing zeros.
    Vec<u64>,
);

/// Computes `to += from × by`; `to` must have room for the sum.
pub(crate) fn add_product(to: &mut [u64], from: &[u64], by: u64) {
    let mut carry = 0_u128;
    let mut words = from.iter();
    for to in to {
        let word = words.next().copied().unwrap_or_default();
        let sum = u128::from(word) * u128::from(by) + u128::from(*to) + carry;
        (*to, carry) = halves(sum);
        if carry == 0 && words.len() == 0 {
            return;
        }
    }
}

/// Adds a number that may be unknown; the sum then is, too.
pub(crate) fn add_known(sum: &mut Option<Count>, more: Option<&Count>) {
    match (sum, more) {
        (Some(sum), Some(more)) => sum.add(more),
        (sum, _) => *sum = None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "fractions are rounded")]
const fn to_f64(word: u64) -> f64 {
    word as f64
}

/// Splits a value into the low word and the carry.
fn halves(wide: u128) -> (u64, u128) {
    let low = wide & u128::from(u64::MAX);
    (
        u64::try_from(low).expect("the mask has 64 bits"),
        wide >> 64,
    )
}

impl Count {
    /// Creates a number from words.
    pub(crate) fn of(words: &[u64]) -> Self {
        let used = words
            .iter()
            .rposition(|w| *w != 0)
            .map_or(0, |last| last + 1);
        Self(words[..used].to_vec())
    }

    /// n!, the number of orders of `n` items.
    #[must_use]
    pub fn factorial(n: usize) -> Self {
        Self::falling(n, n)
    }

    /// The falling factorial n × (n − 1) × … with `factors` factors.
    pub(crate) fn falling(n: usize, factors: usize) -> Self {
        let mut product = Self::from(1_usize);
        for factor in n.saturating_sub(factors)..n {
            product.multiply(&Self::from(factor + 1));
        }
        product
    }

    /// The binomial coefficient, for `n` up to 64.
    pub(crate) fn binomial(n: usize, chosen: usize) -> u64 {
        let mut value = 1_u128;
        for (i, factor) in (1..).zip((0..=n).rev()).take(chosen) {
            value = value * u128::try_from(factor).expect("a length fits") / i;
        }
        u64::try_from(value).expect("n is at most 64")
    }

    /// Adds another number.
    pub fn add(&mut self, other: &Self) {
        let words = self.0.len().max(other.0.len()) + 1;
        self.0.resize(words, 0);
        add_product(&mut self.0, &other.0, 1);
        *self = Self::of(&self.0);
    }

    /// Multiplies by another number.
    pub fn multiply(&mut self, other: &Self) {
        let mut product = alloc::vec![0; self.0.len() + other.0.len() + 1];
        for (at, word) in other.0.iter().enumerate() {
            add_product(&mut product[at..], &self.0, *word);
        }
        *self = Self::of(&product);
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.0
    }

    /// The fraction of another number, 0 to 1, to `f64` accuracy; 0 if `of` is zero.
    #[must_use]
    pub fn fraction(&self, of: &Self) -> f64 {
        // The three highest words have more than 128 significant bits.
        let top = self.0.len().max(of.0.len());
        let value = |number: &Self| {
            (top.saturating_sub(3)..top).rev().fold(0.0, |value, at| {
                let word = number.0.get(at).copied().unwrap_or_default();
                value * 18_446_744_073_709_551_616.0 + to_f64(word)
            })
        };
        let whole = value(of);
        if whole == 0.0 {
            0.0
        } else {
            value(self) / whole
        }
    }

    /// Converts to `usize`, if it fits.
    #[must_use]
    pub fn to_usize(&self) -> Option<usize> {
        match self.0.as_slice() {
            [] => Some(0),
            [word] => usize::try_from(*word).ok(),
            _ => None,
        }
    }
}

impl Ord for Count {
    fn cmp(&self, other: &Self) -> Ordering {
        let (own, others) = (self.0.iter().rev(), other.0.iter().rev());
        self.0.len().cmp(&other.0.len()).then(own.cmp(others))
    }
}

impl PartialOrd for Count {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<u64> for Count {
    fn from(value: u64) -> Self {
        Self::of(&[value])
    }
}

impl From<u128> for Count {
    fn from(value: u128) -> Self {
        let (low, high) = halves(value);
        Self::of(&[low, u64::try_from(high).expect("it is the upper half")])
    }
}

impl From<usize> for Count {
    fn from(value: usize) -> Self {
        Self::from(u64::try_from(value).expect("a length fits 64 bits"))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = self.0.clone();
        let mut digits: Vec<u8> = Vec::new();
        while words.last().is_some_and(|w| *w != 0) || words.len() > 1 {
            let mut rest = 0_u128;
            for word in words.iter_mut().rev() {
                let value = rest << 64 | u128::from(*word);
                *word = u64::try_from(value / 10).expect("it was a word before");
                rest = value % 10;
            }
            digits.push(b'0' + u8::try_from(rest).expect("a digit is less than 10"));
            if words.last() == Some(&0) {
                words.pop();
            }
        }
        if digits.is_empty() {
            digits.push(b'0');
        }
        let text: String = digits.iter().rev().map(|d| char::from(*d)).collect();
        f.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn factorials_are_exact() {
        assert_eq!(Count::default().to_string(), "0");
        assert_eq!(Count::factorial(0).to_string(), "1");
        assert_eq!(Count::factorial(20).to_string(), "2432902008176640000");
        assert_eq!(
            Count::factorial(32).to_string(),
            "263130836933693530167218012160000000"
        );
        let hundred = Count::factorial(100).to_string();
        assert_eq!(hundred.len(), 158);
        assert!(hundred.starts_with("93326215443944152681"));
        assert_eq!(Count::falling(10, 3).to_string(), "720");
        assert_eq!(Count::binomial(10, 3), 120);
        assert_eq!(Count::binomial(3, 0), 1);
    }

    #[test]
    fn fractions_of_large_numbers_are_close() {
        let third = Count::from(240_usize).fraction(&Count::from(720_usize));
        assert!((third - 1.0 / 3.0).abs() < 1e-15);
        let part = Count::factorial(63).fraction(&Count::factorial(64));
        assert!((part - 1.0 / 64.0).abs() < 1e-15);
        assert_eq!(Count::from(1_usize).fraction(&Count::default()), 0.0);
    }

    #[test]
    fn sums_carry() {
        let mut most = Count::of(&[u64::MAX, u64::MAX]);
        most.add(&Count::from(1_usize));
        assert_eq!(most.words(), [0, 0, 1]);
        assert_eq!(most.to_string(), "340282366920938463463374607431768211456");
        assert_eq!(most.to_usize(), None);
        let mut small = Count::from(7_usize);
        small.multiply(&Count::from(6_usize));
        assert_eq!(small.to_usize(), Some(42));
        small.multiply(&Count::default());
        assert_eq!(small, Count::default());
        assert_eq!(small.to_usize(), Some(0));
    }
}
