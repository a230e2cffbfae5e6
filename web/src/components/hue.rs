//! Colours for numbered items.

/// Number of hues: `--hue-0` to `--hue-5` in the style sheets.
const HUES: u32 = 6;

/// Hue index of a numbered item, such as a lane group or an operand. Hues
/// repeat.
pub(crate) const fn hue(number: u32) -> u32 {
    number % HUES
}
