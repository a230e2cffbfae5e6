//! Colours for numbered items.

/// Number of hues: `--hue-0` to `--hue-5` in the style sheets.
const HUES: u32 = 6;

/// Value of `data-hue` or `data-group` of a numbered item, such as a lane group
/// or an operand. Hues repeat.
pub(crate) fn hue(number: u32) -> String {
    (number % HUES).to_string()
}
