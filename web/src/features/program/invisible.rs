//! Invisible characters and bidirectional controls (U+202E reverses a line):
//! shown by code point, so that no text can pose as another.

use std::borrow::Cow;

/// Whether a character is invisible or controls text direction, except ordinary
/// spaces, tabs and line ends. Keep in sync with `web/editor/invisible.js`.
const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{ad}' | '\u{34f}'
        | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffc}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Replaces each invisible character with its code point, as in `⟨U+202E⟩`.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_invisible(c) {
            shown.push_str(&format!("⟨{}⟩", name(c)))
        } else {
            shown.push(c)
        }
    }
    Cow::Owned(shown)
}

/// Code point notation: `U+202E`.
fn name(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// Locations of up to `most` invisible characters, as in `U+202E on line 3`.
pub(super) fn invisible_characters(text: &str, most: usize) -> Vec<String> {
    let lines = text.lines().enumerate();
    let found = lines.flat_map(|(line, text)| {
        let invisible = text.chars().filter(|c| is_invisible(*c));
        invisible.map(move |c| format!("{} on line {}", name(c), line + 1))
    });
    found.take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bidirectional_controls_are_visible() {
        assert_eq!(visible("a\u{202e}b\u{200b}"), "a⟨U+202E⟩b⟨U+200B⟩");
        assert!(matches!(visible("ä\t🦀\n"), Cow::Borrowed(_)));
        assert_eq!(
            invisible_characters("a\n\u{202e}\n\u{1}\n", 8),
            ["U+202E on line 2", "U+0001 on line 3"]
        );
        assert_eq!(invisible_characters("\u{202e}\u{202e}", 1).len(), 1);
    }
}
