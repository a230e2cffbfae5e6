//! View of a scenario: named fields, of which readers skip those that they do not
//! know.
//!
//! Names consist of lower-case letters, digits and `-`; values of letters, digits
//! and `. : , + - _`. Known names:
//!
//! | name | value | default |
//! |---|---|---|
//! | `step` | number of completed steps | 0 |
//! | `tab` | state tab: `registers`, `slm`, `svm` (also for SASS), `surfaces` | the memory that the scenario accesses first |
//! | `registers` | register format: `hex`, `unsigned`, `signed`, `float`, `half`, `bfloat`, `bytes` | as declared |
//! | `slm`, `svm`, `surfaces` | memory format: a type such as `ud`, or `used`, with `.hex` for hexadecimal; then optionally `:` and the 0-based index of a region | `used`: the type of the first instruction |
//! | `cell` | selected cell: a space, `:` and an address in hexadecimal without prefix. Spaces: `r0` and `r1`, the registers of an EU (`r0` for a warp); `m0` and `m1`, its masks and predicates; `slm`; `svm`; `s` with the index of a surface. For a bit of a warp's predicate, the upper 32 bits of the address are the lane | none |
//! | `watch` | watched cells, separated by `,` | none |
//! | `stride` | step size: `channel` or `instruction`; with `channel`, `step` counts channels | `effect` |
//! | `element`, `src2`, `table` | selection in the picture of a DPASW: an element of Dst, `eu.row.channel`; a register of the combined Src2; `1` for the document's table | the first element; none; the picture |
//! | `matrix` | `registers`: the picture of a DPAS or DPASW shows B, C and D by register | by coordinates |
//! | `drawer` | open tab of the drawer: `lanes`, `products`, `outcomes`, `encoding`, `explain`, `problems` | depends on the instruction |
//! | `breakpoints` | 1-based lines with breakpoints, separated by `,` | none |
//! | `if-LINE` | condition of the breakpoint on a line: its UTF-8 bytes as URL-safe base64 without padding | none |
//! | `editor` | `plain`: a plain text area | the reader's setting |
//! | `style` | `document` or `assembler`: rewrites the text in this syntax | as written |
//! | `n` | version 0 only: length of the text in bytes | absent |

use crate::Error;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use data_encoding::BASE64URL_NOPAD;

pub const STEP: &str = "step";

pub const TAB: &str = "tab";

pub const ELEMENT: &str = "element";

pub const SRC2: &str = "src2";

pub const TABLE: &str = "table";

pub const MATRIX: &str = "matrix";

pub const CELL: &str = "cell";

pub const WATCH: &str = "watch";

pub const STRIDE: &str = "stride";

pub const DRAWER: &str = "drawer";

pub const BREAKPOINTS: &str = "breakpoints";

/// Prefix of the names of conditions of breakpoints.
pub const CONDITION: &str = "if-";

pub const EDITOR: &str = "editor";

pub const STYLE: &str = "style";

pub const LENGTH: &str = "n";

/// Reads a value written by [`View::set_text`].
#[must_use]
pub fn text_of(value: &str) -> Option<String> {
    let bytes = BASE64URL_NOPAD.decode(value.as_bytes()).ok()?;
    String::from_utf8(bytes).ok()
}

const MAX_FIELDS: usize = 64;

/// Maximum length of a name or a value, in bytes.
const MOST_BYTES: usize = 128;

/// View of a scenario: fields in the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View(Vec<(String, String)>);

impl View {
    /// Sets or replaces the value of a name. An invalid value, or one field too
    /// many, removes the name. Returns whether the view has the value.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        self.take(name);
        let has_room = is_name(name) && is_value(value) && self.0.len() < MAX_FIELDS;
        if has_room {
            self.0.push((name.to_string(), value.to_string()));
        }
        has_room
    }

    /// Like [`Self::set`], for a text of any characters.
    pub fn set_text(&mut self, name: &str, text: &str) -> bool {
        self.set(name, &BASE64URL_NOPAD.encode(text.as_bytes()))
    }

    pub fn set_number(&mut self, name: &str, value: u64) {
        self.set(name, &value.to_string());
    }

    /// Sets a comma-separated list, truncated to the maximum length of a value.
    /// Returns the number of items that have no room.
    pub fn set_list(&mut self, name: &str, items: impl IntoIterator<Item: ToString>) -> usize {
        let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
        let ends = items.iter().scan(0, |end, item| {
            *end += item.len() + 1;
            Some(*end - 1)
        });
        let count = ends.take_while(|end| *end <= MOST_BYTES).count();
        let (list, rest) = items.split_at(count);
        match count > 0 && self.set(name, &list.join(",")) {
            true => rest.len(),
            false => items.len(),
        }
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(n, _)| n == name);
        field.map(|(_, value)| &**value)
    }

    /// Removes a name and returns its value.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(n, _)| n == name)?;
        Some(self.0.remove(at).1)
    }

    /// Names and values, in order.
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
            if !sound || view.0.len() == MAX_FIELDS {
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
    fn list_is_truncated_to_the_maximum() {
        let mut view = View::default();
        assert_eq!(view.set_list(WATCH, (0..40).map(|at| at * 100)), 12);
        assert!(
            view.get(WATCH)
                .is_some_and(|list| list.ends_with(",2600,2700"))
        );
        assert_eq!(view.set_list(WATCH, ["a".repeat(MOST_BYTES + 1)]), 1);
        assert_eq!(view.set_list(WATCH, [&"a"; 0]), 0);
    }

    #[test]
    fn fields_keep_their_order() {
        let mut view = View::default();
        view.set_number(STEP, 3);
        view.set("tab", "slm");
        view.set_number(STEP, 4);
        assert_eq!(view.write(), "tab=slm&step=4");
        assert_eq!(View::read("tab=slm&step=4"), Ok(view));
        assert_eq!(View::read(""), Ok(View::default()));
    }

    #[test]
    fn invalid_fields_are_rejected() {
        let mut view = View::default();
        view.set("Tab", "slm");
        view.set("tab", "a&b");
        view.set("tab", &"a".repeat(MOST_BYTES + 1));
        assert_eq!(view, View::default());
        for text in ["&", "tab", "=", "a=b&a=c", "a=b&", "a=\u{e4}", "a b=c"] {
            assert_eq!(View::read(text), Err(Error::Damaged), "{text}");
        }
        let many: Vec<String> = (0..=MAX_FIELDS).map(|i| alloc::format!("a{i}=")).collect();
        assert_eq!(View::read(&many.join("&")), Err(Error::Damaged));
        assert!(View::read(&many[1..].join("&")).is_ok());
    }
}
