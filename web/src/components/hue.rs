//! Colours that tell numbered things apart.

/// How many there are: `--hue-0` to `--hue-5` of the style sheets.
const HUES: u32 = 6;

/// The colour of a numbered thing: a group of lanes, an operand. They repeat.
pub(crate) const fn hue(number: u32) -> u32 {
    number % HUES
}
