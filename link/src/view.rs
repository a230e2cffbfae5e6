//! How a scenario is looked at: fields by name, so that a link may say more
//! than a reader knows.
//!
//! A name has lower-case letters, digits and `-`; a value has letters, digits
//! and `. : , + - _`. The names with a meaning:
//!
//! | name | value | left out |
//! |---|---|---|
//! | `step` | how many steps lie behind | 0 |
//! | `tab` | the state tab: `registers`, `slm`, `svm` (SASS too), `surfaces` | the memory that the scenario touches first |
//! | `registers` | how registers are shown: `hex`, `unsigned`, `signed`, `float`, `half`, `bfloat`, `bytes` | as declared |
//! | `slm`, `svm`, `surfaces` | how a memory is shown: a type such as `ud`, or `used`, with `.hex` for its bits; then, behind `:`, the region by its number from 0 | `used`: as the first instruction has it |
//! | `cell` | the selected cell: a space, `:` and an address in hexadecimal without prefix. Spaces: `r0` and `r1`, the registers of an EU (`r0` those of a warp), `m0` and `m1`, its masks and predicates, `slm`, `svm`, and `s` with the index of a surface. Of a lane's bit of a warp's predicate the lane stands in the upper 32 bits | none |
//! | `watch` | cells that are watched, with `,` between them | none |
//! | `stride` | how far a step goes: `channel` or `instruction`; with `channel`, `step` counts channels | `effect` |
//! | `element`, `src2`, `table` | what is looked at in the picture of a DPASW: an element of Dst, `eu.row.channel`; a register of the combined Src2; `1` for the document's table | the first; none; the picture |
//! | `matrix` | `registers`: the picture of a DPAS or DPASW shows B, C and D by register | by coordinates |
//! | `drawer` | the open tab of the drawer: `lanes`, `products`, `outcomes`, `encoding`, `explain`, `problems` | what suits the instruction |
//! | `breakpoints` | lines with breakpoints, from 1, with `,` between them | none |
//! | `editor` | `plain`: a plain text area | as the reader has it |
//! | `style` | `document` or `assembler`: the text is rewritten so | as written |
//! | `n` | version 0 alone: bytes of the text | not given |

use crate::Error;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How many steps lie behind.
pub const STEP: &str = "step";

/// Which state tab is open.
pub const TAB: &str = "tab";

/// The element of Dst that is looked at.
pub const ELEMENT: &str = "element";

/// The register of the combined Src2 that is looked at.
pub const SRC2: &str = "src2";

/// Whether the document's table is shown.
pub const TABLE: &str = "table";

/// How the matrices of a DPAS or DPASW are shown.
pub const MATRIX: &str = "matrix";

/// The cell that is looked at.
pub const CELL: &str = "cell";

/// Cells that are watched.
pub const WATCH: &str = "watch";

/// How far a step goes.
pub const STRIDE: &str = "stride";

/// The open tab of the drawer.
pub const DRAWER: &str = "drawer";

/// The lines with breakpoints.
pub const BREAKPOINTS: &str = "breakpoints";

/// Which editor shows the text.
pub const EDITOR: &str = "editor";

/// The spelling that the text is rewritten in.
pub const STYLE: &str = "style";

/// The length of the text.
pub const LENGTH: &str = "n";

/// The most fields of a view.
const MOST_FIELDS: usize = 64;

/// The most bytes of a name or a value.
pub const MOST_BYTES: usize = 128;

/// How a scenario is looked at: fields in the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View(Vec<(String, String)>);

impl View {
    /// Sets the value of a name, in place of the one that it had. A value that
    /// cannot be written leaves the name without one.
    pub fn set(&mut self, name: &str, value: &str) {
        self.take(name);
        if is_name(name) && is_value(value) && self.0.len() < MOST_FIELDS {
            self.0.push((name.to_string(), value.to_string()));
        }
    }

    /// The same with a number.
    pub fn set_number(&mut self, name: &str, value: u64) {
        self.set(name, &value.to_string());
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(n, _)| n == name);
        field.map(|(_, value)| &**value)
    }

    /// The value of a name, which is removed.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(n, _)| n == name)?;
        Some(self.0.remove(at).1)
    }

    /// Names and values.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    pub(crate) fn write(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.fields() {
            if !text.is_empty() {
                text.push('&');
            }
            text.push_str(name);
            text.push('=');
            text.push_str(value);
        }
        text
    }

    pub(crate) fn read(text: &str) -> Result<Self, Error> {
        let mut view = Self::default();
        if text.is_empty() {
            return Ok(view);
        }
        for field in text.split('&') {
            let (name, value) = field.split_once('=').ok_or(Error::Damaged)?;
            let sound = is_name(name) && is_value(value) && view.get(name).is_none();
            if !sound || view.0.len() == MOST_FIELDS {
                return Err(Error::Damaged);
            }
            view.0.push((name.to_string(), value.to_string()));
        }
        Ok(view)
    }
}

fn is_name(name: &str) -> bool {
    let sign = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !name.is_empty() && name.len() <= MOST_BYTES && name.bytes().all(sign)
}

fn is_value(value: &str) -> bool {
    let sign = |b: u8| b.is_ascii_alphanumeric() || b".:,+-_".contains(&b);
    value.len() <= MOST_BYTES && value.bytes().all(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_and_read_in_their_order() {
        let mut view = View::default();
        view.set_number(STEP, 3);
        view.set("tab", "slm");
        view.set_number(STEP, 4);
        assert_eq!(view.write(), "tab=slm&step=4");
        assert_eq!(View::read("tab=slm&step=4"), Ok(view));
        assert_eq!(View::read(""), Ok(View::default()));
    }

    #[test]
    fn what_cannot_be_written_is_neither_set_nor_read() {
        let mut view = View::default();
        view.set("Tab", "slm");
        view.set("tab", "a&b");
        view.set("tab", &"a".repeat(MOST_BYTES + 1));
        assert_eq!(view, View::default());
        for text in ["&", "tab", "=", "a=b&a=c", "a=b&", "a=\u{e4}", "a b=c"] {
            assert_eq!(View::read(text), Err(Error::Damaged), "{text}");
        }
        let many: Vec<String> = (0..=MOST_FIELDS).map(|i| alloc::format!("a{i}=")).collect();
        assert_eq!(View::read(&many.join("&")), Err(Error::Damaged));
        assert!(View::read(&many[1..].join("&")).is_ok());
    }
}
