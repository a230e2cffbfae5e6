//! Editing of regions in the text of an operand.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Values of a component of a region, by its letter.
fn values(letter: char) -> &'static [u32] {
    match letter {
        'v' => &[0, 1, 2, 4, 8, 16, 32],
        'w' => &[1, 2, 4, 8, 16],
        _ => &[0, 1, 2, 4],
    }
}

/// Component of a region, such as its width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionComponent {
    /// `v`, `w` or `h`.
    pub letter: char,
    pub value: u32,
    pub less: Option<u32>,
    pub more: Option<u32>,
}

/// Components of the region of an operand's text, such as `V32(0,0)<8;4,2>`; empty
/// without a region.
#[must_use]
pub fn region_components(operand: &str, is_destination: bool) -> Vec<RegionComponent> {
    let Some(numbers) = inner(operand).and_then(|(start, end)| operand.get(start..end)) else {
        return Vec::new();
    };
    let numbers: Result<Vec<u32>, _> = numbers
        .split([';', ','])
        .map(|n| n.trim().parse())
        .collect();
    let numbers = numbers.unwrap_or_default();
    let letters = match numbers.len() {
        1 => "h",
        2 => "wh",
        3 => "vwh",
        _ => "",
    };
    let component = |(letter, value): (char, &u32)| {
        let allowed = values(letter).iter().copied();
        let allowed = allowed.filter(|other| !is_destination || *other > 0);
        RegionComponent {
            letter,
            value: *value,
            less: allowed.clone().rfind(|other| other < value),
            more: allowed.clone().find(|other| other > value),
        }
    };
    letters.chars().zip(&numbers).map(component).collect()
}

fn inner(operand: &str) -> Option<(usize, usize)> {
    let start = operand.rfind('<')? + 1;
    let end = start + operand.get(start..)?.find('>')?;
    Some((start, end))
}

/// The operand with another value of a component, by index.
#[must_use]
pub fn with_region_component(operand: &str, index: usize, value: u32) -> Option<String> {
    let (start, end) = inner(operand)?;
    let numbers = operand.get(start..end)?;
    let mut at = start;
    for (number, part) in numbers.split([';', ',']).enumerate() {
        let blank = part.len() - part.trim_start().len();
        if number == index {
            let (from, to) = (at + blank, at + part.trim_end().len());
            return Some(format!(
                "{}{value}{}",
                operand.get(..from)?,
                operand.get(to..)?
            ));
        }
        at += part.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_step_through_legal_values() {
        let region = region_components("(-)V32(0,0)<8; 4,2>", false);
        let steps = region.iter().map(|c| (c.letter, c.value, c.less, c.more));
        assert_eq!(
            steps.collect::<Vec<_>>(),
            [
                ('v', 8, Some(4), Some(16)),
                ('w', 4, Some(2), Some(8)),
                ('h', 2, Some(1), Some(4)),
            ]
        );
        assert_eq!(region_components("V33(0,0)<1>", true)[0].less, None);
        assert!(region_components("0x5:d", false).is_empty());
        let edited = |index| with_region_component("V32(0,0)<8; 4,2>", index, 16);
        assert_eq!(edited(0).as_deref(), Some("V32(0,0)<16; 4,2>"));
        assert_eq!(edited(1).as_deref(), Some("V32(0,0)<8; 16,2>"));
        assert_eq!(edited(2).as_deref(), Some("V32(0,0)<8; 4,16>"));
    }
}
