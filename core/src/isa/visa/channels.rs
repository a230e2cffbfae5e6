//! Text and encoding of the channels R, G, B and A.
//!
//! Source: SVM_SCATTER4_SCALED.md, "Channels(ub)".

use super::spelling;
use crate::bits::{BitField, DecodeError, SymbolResolver, Visitor, number_bits};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::schema::{Suffix, Words};
use crate::isa::{CHANNELS, FIRST_ELEMENT, OperandSpans, ParseError};
use crate::rules;
use crate::text::{Cursor, Sink, SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Mask of the enabled channels: R in bit 0 to A in bit 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channels(u8);

impl Channels {
    /// All four channels.
    pub const RGBA: Self = Self(0xf);

    /// The mask, R in bit 0.
    #[must_use]
    pub const fn mask(self) -> u8 {
        self.0
    }

    /// Number of enabled channels.
    #[must_use]
    pub const fn count(self) -> u8 {
        // At most four.
        self.0.count_ones().to_le_bytes()[0]
    }

    /// The enabled channels, 0 to 3 for R to A, each with its rank among them.
    pub fn enabled(self) -> impl Iterator<Item = (u8, u8)> {
        let enabled = (0..4_u8).filter(move |channel| self.0 >> channel & 1 == 1);
        (0..).zip(enabled)
    }

    /// The letters of the enabled channels, such as `RGBA` or `RA`.
    #[must_use]
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 16] = [
            "", "R", "G", "RG", "B", "RB", "GB", "RGB", "A", "RA", "GA", "RGA", "BA", "RBA", "GBA",
            "RGBA",
        ];
        let name = NAMES.get(usize::from(self.0));
        name.expect("a mask has four bits")
    }

    /// Parses channel letters, ignoring case.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        let mut found = (1..16).map(Self).filter(|c| same(word, c.name()));
        found.next()
    }

    /// The channels in a word, in any order and with repetitions; `None` if the
    /// word has another letter.
    fn of_letters(word: &str) -> Option<Self> {
        let mut mask = 0;
        for letter in word.bytes() {
            let known = |c: &&str| c.as_bytes().first() == Some(&letter.to_ascii_uppercase());
            mask |= 1
                << CHANNELS[..usize::from(FIRST_ELEMENT)]
                    .iter()
                    .position(known)?;
        }
        Some(Self(mask)).filter(|channels| channels.0 != 0)
    }

    /// Channel suffix.
    pub const SUFFIX: Suffix = Suffix {
        part: SyntaxPart::Channels,
        name: "RGBA",
        optional: false,
        what: "enabled channels",
        words: Words::Computed(Self::words),
    };

    /// All channel suffixes with their number of channels, `RGBA` first.
    fn words() -> Vec<(&'static str, String)> {
        let all = (1..16).rev().map(Self);
        let words = all.map(|channels| match channels.count() {
            1 => (channels.name(), String::from("1 channel")),
            count => (channels.name(), format!("{count} channels")),
        });
        words.collect()
    }

    /// Prints `.RGBA`.
    pub fn print(self, sink: &mut impl Sink) {
        sink.punct(SyntaxPart::None, ".");
        sink.token(TokenClass::Suffix, SyntaxPart::Channels, self.name());
    }

    /// The byte `Channels(ub)`.
    ///
    /// # Errors
    /// If the bytes end early.
    pub fn layout<V: Visitor>(&mut self, v: &mut V) -> Result<(), DecodeError> {
        v.field(SyntaxPart::Channels, "Channels", 4, self)?;
        v.ignored("Channels reserved", 4)
    }

    /// Parses `.RGBA` after the mnemonic.
    ///
    /// # Errors
    /// If the suffix is missing or invalid; a diagnostic is reported.
    pub fn parse(
        cursor: &mut Cursor<'_>,
        spans: &mut OperandSpans,
        out: &mut Diagnostics,
    ) -> Result<Self, ParseError> {
        const HELP: &str = "write a dot and the channels: .R, .RG, .RA or .RGBA, for example";
        let end = cursor.before();
        let dot = cursor.eat_punct('.');
        let start = cursor.here();
        if dot.is_some() {
            // The suffix extends up to the execution size.
            if !cursor.at_end() && !cursor.is_punct('(') {
                cursor.advance();
            }
            while !cursor.at_end() && !cursor.is_punct('(') && cursor.adjacent() {
                cursor.advance();
            }
        } else if Self::named(cursor.word()).is_some() {
            cursor.advance();
        }
        let span = cursor.since(start.start);
        let word = span.of(cursor.text()).trim();
        let report = |what: String| Diagnostic::new(&rules::CHANNELS, span, what);
        if word.is_empty() {
            out.push(report(String::from("expected a channel suffix")).help(HELP));
            return Err(ParseError);
        }
        spans.set(SyntaxPart::Channels, span);
        let Some(channels) = Self::named(word) else {
            let diagnostic = report(format!("invalid channels `{word}`"));
            out.push(match Self::of_letters(word) {
                Some(meant) => diagnostic.fix(HELP, span, meant.name()),
                None => diagnostic.help(HELP),
            });
            return Err(ParseError);
        };
        if dot.is_none() {
            let diagnostic = report(format!("expected `.` before `{word}`"));
            out.push(diagnostic.fix(HELP, Span::new(end, span.start), "."));
        } else {
            let own = format!(".{}", channels.name());
            spelling::blank_before(span, &own, cursor, out);
        }
        Ok(channels)
    }
}

fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

impl BitField for Channels {
    number_bits!(u8, 16);
    fn meaning(self, _: &dyn SymbolResolver) -> String {
        match self.0 {
            0 => String::from("none"),
            _ => String::from(self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifteen_masks_have_names_and_positions() {
        for mask in 1..16 {
            let channels = Channels(mask);
            assert_eq!(Channels::named(channels.name()), Some(channels));
            assert_eq!(usize::from(channels.count()), channels.name().len());
            let letters: String = channels
                .enabled()
                .map(|(_, channel)| CHANNELS[usize::from(channel)])
                .collect();
            assert_eq!(letters, channels.name());
            let positions = channels.enabled().map(|(position, _)| position);
            assert!(positions.eq(0..channels.count()));
        }
        assert_eq!(Channels::named("rA"), Some(Channels(9)));
        for word in ["", "RR", "RBG", "X", "15"] {
            assert_eq!(Channels::named(word), None, "{word}");
        }
        assert_eq!(Channels::of_letters("BGGR"), Some(Channels(7)));
        assert_eq!(Channels::of_letters("RGX"), None);
    }
}
