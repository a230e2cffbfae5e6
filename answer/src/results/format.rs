//! Formats counts, shares and lists of lanes.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use lanewise_core::isa::Unit;
use lanewise_core::session::lane_runs;
use lanewise_explore::{Count, SearchResult};

/// Formats a share as a percentage with up to two decimal places: an eighth is
/// 12.5%. Possible shares are never rounded to 0%, nor uncertain ones to 100%.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 0.005 {
        String::from("<0.01%")
    } else if percent >= 99.995 && share < 1.0 - 1e-9 {
        String::from(">99.99%")
    } else {
        let text = format!("{percent:.2}");
        format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Largest denominator of a share that is written as a fraction.
const MAX_DENOMINATOR: u32 = 1000;

/// Formats a share of the orders as a fraction: `in 1 of 8 orders`.
pub(super) fn in_orders(share: f64) -> String {
    let of = (1..=MAX_DENOMINATOR).find(|of| {
        let part = share * f64::from(*of);
        part > 0.5 && ((part + 0.5) % 1.0 - 0.5).abs() < 1e-6
    });
    match of {
        Some(1) => String::from("in every order"),
        Some(of) => format!("in {:.0} of {of} orders", share * f64::from(of)),
        None => format!("in {} of the orders", percent(share)),
    }
}

/// Formats a number with digit grouping.
pub(super) fn grouped(count: &Count) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count: in full up to 12 digits, as `32!` or `32! × 32!` if it is a
/// product of factorials, otherwise rounded as in `about 6.9 × 10⁷⁰`.
pub(super) fn short_count(count: &Count) -> String {
    let digits = count.to_string();
    if digits.len() <= 12 {
        return grouped(count);
    }
    for n in 13..=128 {
        let factorial = Count::factorial(n);
        if factorial > *count {
            break;
        }
        let mut product = factorial.clone();
        for power in 1..=4 {
            if product == *count {
                return vec![format!("{n}!"); power].join(" × ");
            }
            product.multiply(&factorial);
        }
    }
    let power = (digits.len() - 1).to_string();
    let raised = power
        .bytes()
        .map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')]);
    let raised: String = raised.collect();
    format!("about {}.{} × 10{raised}", &digits[..1], &digits[1..2])
}

/// Number of results found: `at least 500` if the search was incomplete.
pub(super) fn counted(found: &SearchResult) -> String {
    let count = short_count(&found.count);
    if found.complete {
        count
    } else {
        format!("at least {count}")
    }
}

/// Superscript digits 0 to 9.
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Count for a tab, at most eight characters; ends with `+` if there are or may
/// be more. `None` if the search has not found any yet.
pub fn tab_count(count: &Count, is_complete: bool) -> Option<String> {
    /// Largest count written in full.
    const MAX: usize = 999_999;
    /// Largest count written in millions.
    const MAX_MILLIONS: usize = 999_900_000;
    let count_text = match count.to_usize() {
        Some(0) if !is_complete => return None,
        Some(small) if small <= MAX => grouped(count),
        Some(count) if count <= MAX_MILLIONS => {
            format!("{}.{}M", count / 1_000_000, count / 100_000 % 10)
        }
        _ => {
            let short = short_count(count);
            match is_complete && short.ends_with('!') && short.len() < 5 {
                true => short,
                false => return Some(String::from("999M+")),
            }
        }
    };
    let more = if is_complete { "" } else { "+" };
    Some(count_text + more)
}

/// Joins as `a, b and c`.
pub(super) fn listed(mut parts: Vec<String>) -> String {
    let last = parts.pop().unwrap_or_default();
    if parts.is_empty() {
        last
    } else {
        format!("{} and {last}", parts.join(", "))
    }
}

/// Sorted lanes for use in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LaneList {
    units: Vec<Unit>,
    /// Number of EUs that run.
    threads: u8,
}

impl LaneList {
    pub(super) const fn new(units: Vec<Unit>, threads: u8) -> Self {
        Self { units, threads }
    }

    pub(super) fn push(&mut self, unit: Unit) {
        self.units.push(unit);
    }

    /// `lane 3 returns`, `lanes 0–3, 7 return`.
    pub(super) fn with_verb(&self, of_one: &str, of_several: &str) -> String {
        match self.units.len() {
            1 => format!("{self} {of_one}"),
            _ => format!("{self} {of_several}"),
        }
    }
}

/// `lane 3`, `lanes 0–3, 7`, `lanes EU0.0–7 and EU1.2`.
impl fmt::Display for LaneList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_eus = self.units.chunk_by(|a, b| a.thread == b.thread);
        let parts = of_eus.map(|of_eu| lane_runs(of_eu, self.threads)).collect();
        let noun = match self.units.len() {
            1 => "lane",
            _ => "lanes",
        };
        write!(f, "{noun} {}", listed(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_not_rounded_to_certainty() {
        assert_eq!(percent(1.0), "100%");
        assert_eq!(percent(0.99996), ">99.99%");
        assert_eq!(percent(1e-9), "<0.01%");
    }

    #[test]
    fn percentages_are_rounded_to_the_nearest() {
        assert_eq!(percent(0.5), "50%");
        assert_eq!(percent(0.1), "10%");
        assert_eq!(percent(1.0 / 3.0), "33.33%");
        assert_eq!(percent(1.0 / 16.0), "6.25%");
        assert_eq!(percent(1.0 / 24.0), "4.17%");
    }

    #[test]
    fn long_counts_are_abbreviated() {
        assert_eq!(short_count(&Count::factorial(32)), "32!");
        let mut product = Count::factorial(32);
        product.multiply(&Count::factorial(32));
        assert_eq!(short_count(&product), "32! × 32!");
        product.multiply(&Count::from(2_usize));
        assert_eq!(short_count(&product), "about 1.3 × 10⁷¹");
        assert_eq!(short_count(&Count::factorial(8)), "40,320");
        assert_eq!(short_count(&Count::from(2_903_040_usize)), "2,903,040");
        assert_eq!(short_count(&Count::from(720_usize)), "720");
    }

    #[test]
    fn lane_runs_are_grouped_by_eu() {
        let unit = |thread, lane| Unit {
            thread,
            lane,
            channel: None,
        };
        let lane_list =
            |units: &[Unit], threads| LaneList::new(units.to_vec(), threads).to_string();
        let run: Vec<Unit> = (0..4).map(|lane| unit(0, lane)).collect();
        assert_eq!(lane_list(&run, 1), "lanes 0–3");
        assert_eq!(lane_list(&[run[0], run[1], run[3]], 1), "lanes 0, 1, 3");
        assert_eq!(lane_list(&[unit(0, 5)], 1), "lane 5");
        let both = [unit(0, 0), unit(0, 1), unit(0, 2), unit(1, 2)];
        assert_eq!(lane_list(&both, 2), "lanes EU0.0–2 and EU1.2");
    }

    #[test]
    fn tab_counts_are_short() {
        for (count, complete, incomplete) in [
            (Count::from(0_usize), "0", ""),
            (Count::from(14_usize), "14", "14+"),
            (Count::from(10_000_usize), "10,000", "10,000+"),
            (Count::from(2_903_040_usize), "2.9M", "2.9M+"),
            (Count::factorial(32), "32!", "999M+"),
        ] {
            let text = |is_complete| tab_count(&count, is_complete).unwrap_or_default();
            assert_eq!((&*text(true), &*text(false)), (complete, incomplete));
        }
    }
}
