//! What the editor asks of core, in its own measure: UTF-16 units and JSON.
//!
//! Plain functions of a program and its text, so that a page can hand them on
//! as it likes.

use lanewise_core::ide;
use lanewise_core::program::Program;
use lanewise_core::text::TokenClass;

/// The names of the classes, by the numbers that [`tokens`] gives.
pub(crate) const CLASSES: [&str; 14] = [
    "mnemonic",
    "suffix",
    "keyword",
    "variable",
    "surface",
    "predicate",
    "number",
    "type",
    "directive",
    "text",
    "comment",
    "punctuation",
    "space",
    "broken",
];

/// The number of a class: its place in [`CLASSES`].
const fn number(class: TokenClass) -> u32 {
    match class {
        TokenClass::Mnemonic => 0,
        TokenClass::Suffix => 1,
        TokenClass::Keyword => 2,
        TokenClass::Variable => 3,
        TokenClass::Surface => 4,
        TokenClass::Predicate => 5,
        TokenClass::Number => 6,
        TokenClass::Type => 7,
        TokenClass::Directive => 8,
        TokenClass::Text => 9,
        TokenClass::Comment => 10,
        TokenClass::Punctuation => 11,
        TokenClass::Space => 12,
        TokenClass::Broken => 13,
    }
}

/// Goes through a text and counts bytes and UTF-16 units.
struct Units<'t> {
    text: &'t str,
    bytes: usize,
    units: u32,
}

impl<'t> Units<'t> {
    const fn new(text: &'t str) -> Self {
        Self {
            text,
            bytes: 0,
            units: 0,
        }
    }

    /// Goes on until `done` says so of bytes and units.
    fn go(&mut self, done: impl Fn(usize, u32) -> bool) {
        let rest = self.text.get(self.bytes..).unwrap_or("");
        for sign in rest.chars() {
            if done(self.bytes, self.units) {
                break;
            }
            self.bytes += sign.len_utf8();
            self.units += if sign.len_utf8() == 4 { 2 } else { 1 };
        }
    }

    /// The UTF-16 offset of a byte; asked in ascending order, but for a step
    /// back to before.
    fn of_byte(&mut self, byte: u32) -> u32 {
        let byte = byte as usize;
        if byte < self.bytes {
            *self = Self::new(self.text);
        }
        self.go(|bytes, _| bytes >= byte);
        self.units
    }

    /// The byte of a UTF-16 offset.
    fn of_unit(mut self, unit: u32) -> usize {
        self.go(|_, units| units >= unit);
        self.bytes
    }
}

/// The byte of a UTF-16 offset.
pub(crate) fn byte_of(text: &str, unit: u32) -> usize {
    Units::new(text).of_unit(unit)
}

/// The tokens of the lines `from` to `to`, both from 0, `to` left out: start,
/// end and class of each, one after another.
pub(crate) fn tokens(program: &Program, text: &str, from: u32, to: u32) -> Vec<u32> {
    let found = ide::tokens_of_lines(program, text, from as usize, to as usize);
    let mut units = Units::new(text);
    let mut out = Vec::with_capacity(found.len() * 3);
    for (span, class) in found {
        out.push(units.of_byte(span.start));
        out.push(units.of_byte(span.end));
        out.push(number(class));
    }
    out
}

/// What stands at a UTF-16 offset, as JSON: `{"from","to","title","lines":[…],
/// "fields":[{"name","bits","value","meaning"}],"topics":[…],
/// "diagnostics":[{"severity","code","message","help"}]}`.
pub(crate) fn hover(program: &Program, text: &str, offset: u32) -> Option<String> {
    let found = ide::hover(program, text, Units::new(text).of_unit(offset))?;
    let mut json = Json::new();
    json.span(text, found.span.start, found.span.end);
    json.text("title", &found.title);
    json.list("lines", &found.lines, |json, line| json.quoted(line));
    json.list("fields", &found.fields, |json, field| {
        json.object(|json| {
            json.text("name", field.name);
            let first = field.first_bit;
            let last = first + field.width.saturating_sub(1);
            json.text("bits", &two(first, last));
            json.text("value", &hexadecimal(field.bits));
            json.text("meaning", &field.meaning);
        });
    });
    json.list("topics", &found.topics, |json, topic| json.quoted(topic));
    json.list("diagnostics", &found.diagnostics, |json, said| {
        json.object(|json| {
            json.text("severity", said.severity.word());
            json.text("code", said.code);
            json.text("message", &said.message);
            json.text("help", &said.help);
        });
    });
    Some(json.finish())
}

/// What may come at a UTF-16 offset, as JSON: `{"from","to","candidates":
/// [{"label","insert","detail","kind","doubtful"}]}`.
pub(crate) fn complete(program: &Program, text: &str, offset: u32) -> String {
    let found = ide::complete(program, text, Units::new(text).of_unit(offset));
    let mut json = Json::new();
    json.span(text, found.span.start, found.span.end);
    json.list("candidates", &found.candidates, |json, candidate| {
        json.object(|json| {
            json.text("label", &candidate.label);
            json.text("insert", &candidate.insert);
            json.text("detail", &candidate.detail);
            let kind = CLASSES.get(number(candidate.kind) as usize);
            json.text("kind", kind.copied().unwrap_or(""));
            json.key("doubtful");
            json.out
                .push_str(if candidate.doubtful { "true" } else { "false" });
        });
    });
    json.finish()
}

/// `8` or `8 to 11`.
fn two(first: u32, last: u32) -> String {
    let mut text = first.to_string();
    if last > first {
        text.push_str(" to ");
        text.push_str(&last.to_string());
    }
    text
}

fn hexadecimal(value: u64) -> String {
    let mut text = String::new();
    lanewise_core::text::hexadecimal(lanewise_core::text::OperandKind::None, value, &mut text);
    text
}

/// JSON in the making.
struct Json {
    out: String,
}

impl Json {
    fn new() -> Self {
        Self {
            out: String::from("{"),
        }
    }

    fn finish(mut self) -> String {
        self.out.push('}');
        self.out
    }

    /// A comma, unless nothing comes before.
    fn part(&mut self) {
        if !self.out.ends_with(['{', '[']) {
            self.out.push(',');
        }
    }

    fn key(&mut self, key: &str) {
        self.part();
        self.quoted_plainly(key);
        self.out.push(':');
    }

    fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        self.quoted_plainly(text);
    }

    fn number(&mut self, key: &str, number: u32) {
        self.key(key);
        self.out.push_str(&number.to_string());
    }

    fn span(&mut self, text: &str, start: u32, end: u32) {
        let mut units = Units::new(text);
        let from = units.of_byte(start);
        self.number("from", from);
        let to = units.of_byte(end);
        self.number("to", to);
    }

    fn list<T>(&mut self, key: &str, all: &[T], each: impl Fn(&mut Self, &T)) {
        self.key(key);
        self.out.push('[');
        for one in all {
            each(self, one);
        }
        self.out.push(']');
    }

    fn object(&mut self, inside: impl FnOnce(&mut Self)) {
        self.part();
        self.out.push('{');
        inside(self);
        self.out.push('}');
    }

    /// A text in a list.
    fn quoted(&mut self, text: &str) {
        self.part();
        self.quoted_plainly(text);
    }

    fn quoted_plainly(&mut self, text: &str) {
        self.out.push('"');
        for sign in text.chars() {
            match sign {
                '"' | '\\' => {
                    self.out.push('\\');
                    self.out.push(sign);
                }
                // Nothing that is shown needs other control signs.
                '\0'..='\x1f' => self.out.push(' '),
                _ => self.out.push(sign),
            }
        }
        self.out.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = ".note \"🦀ä\"\n.decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
                        dword_atomic.inc (M1, 8) %slm V33.0 %null.0 %null.0 V33.0\n";

    fn unit(word: &str) -> u32 {
        let at = TEXT.find(word).unwrap();
        TEXT[..at].encode_utf16().count() as u32
    }

    #[test]
    fn places_are_utf16_units() {
        let program = Program::parse(TEXT);
        let units: Vec<u16> = TEXT.encode_utf16().collect();
        let found = tokens(&program, TEXT, 0, 9);
        let words: Vec<(String, &str)> = found
            .chunks(3)
            .map(|t| {
                let word = &units[t[0] as usize..t[1] as usize];
                (String::from_utf16(word).unwrap(), CLASSES[t[2] as usize])
            })
            .collect();
        let is = |index: usize, word: &str, class| {
            assert_eq!((&*words[index].0, words[index].1), (word, class));
        };
        is(0, ".note", "directive");
        is(1, "\"🦀ä\"", "text");
        is(2, ".decl", "directive");
        is(3, "V33", "variable");
        let of_line = tokens(&program, TEXT, 1, 2);
        assert_eq!(of_line[..], found[6..6 + of_line.len()]);
        for (byte, _) in TEXT.char_indices() {
            let unit = Units::new(TEXT).of_byte(byte as u32);
            assert_eq!(Units::new(TEXT).of_unit(unit), byte);
        }
    }

    #[test]
    fn answers_are_json_with_their_places() {
        let program = Program::parse(TEXT);
        let at = unit("V33.0");
        let json = hover(&program, TEXT, at).unwrap();
        let start = format!(
            "{{\"from\":{at},\"to\":{},\"title\":\"Address: V33:",
            at + 5
        );
        assert!(json.starts_with(&start), "{json}");
        assert!(json.contains("\"bits\":\"48 to 79\""), "{json}");
        assert_eq!(hover(&program, TEXT, 1 << 20), None);
        let json = complete(&program, TEXT, unit("inc") + 1);
        let (from, to) = (unit("inc"), unit("inc") + 3);
        let start = format!("{{\"from\":{from},\"to\":{to},\"candidates\":[{{\"label\":\"add\"");
        assert!(json.starts_with(&start), "{json}");
        assert!(json.contains("\"kind\":\"suffix\",\"doubtful\":false}"));
        let mut quoted = Json::new();
        quoted.text("a", "\"\\\n");
        assert_eq!(quoted.finish(), r#"{"a":"\"\\ "}"#);
    }
}
