//! Language services for the code editor: the core's answers in UTF-16 code
//! units and lines from 0.

use super::source::Document;
use lanewise_answer::decoding::bytes_text;
use lanewise_core::diagnostic::Severity;
use lanewise_core::ide;
use lanewise_core::text::{SyntaxPart, TokenClass, hexadecimal};
use serde_json::{Value, json};

/// Token classes, with their names in the editor's style sheet. [`tokens`]
/// refers to them by index.
const TOKEN_CLASSES: [(TokenClass, &str); 14] = [
    (TokenClass::Mnemonic, "mnemonic"),
    (TokenClass::Suffix, "suffix"),
    (TokenClass::Keyword, "keyword"),
    (TokenClass::Variable, "variable"),
    (TokenClass::Surface, "surface"),
    (TokenClass::Predicate, "predicate"),
    (TokenClass::Number, "number"),
    (TokenClass::Type, "type"),
    (TokenClass::Directive, "directive"),
    (TokenClass::Text, "text"),
    (TokenClass::Comment, "comment"),
    (TokenClass::Punctuation, "punctuation"),
    (TokenClass::Space, "space"),
    (TokenClass::Broken, "broken"),
];

fn number(class: TokenClass) -> usize {
    let found = TOKEN_CLASSES.iter().position(|(other, _)| *other == class);
    found.expect("every class is listed")
}

/// Names of the token classes, by index.
pub(super) fn token_classes() -> [&'static str; 14] {
    TOKEN_CLASSES.map(|(_, name)| name)
}

/// Start, end and class of each token on the lines `from..to`, flattened.
pub(super) fn tokens(document: &Document, from: u32, to: u32) -> Vec<u32> {
    let (program, text) = (&document.program, &document.text);
    let found = ide::tokens_of_lines(program, text, from as usize, to as usize);
    let flat = found.into_iter().flat_map(|(span, class)| {
        let (start, end) = document.lines.utf16_range(span);
        // There are 14 classes.
        [start, end, number(class) as u32]
    });
    flat.collect()
}

/// Hover information at an offset: its range, text, fields of the encoding, and keys of
/// `explain/hover.json`.
pub(super) fn hover(document: &Document, offset: u32) -> Option<Value> {
    let lines = &document.lines;
    let found = ide::hover(&document.program, &document.text, lines.byte(offset))?;
    let fields = found.fields.into_iter().map(|field| {
        let mut value = String::new();
        hexadecimal(SyntaxPart::None, field.bits, &mut value);
        let bits = match field.width {
            0 | 1 => field.first_bit.to_string(),
            width => format!("{} to {}", field.first_bit, field.first_bit + width - 1),
        };
        json!({ "name": field.name, "bits": bits, "value": value, "meaning": field.meaning })
    });
    let (from, to) = lines.utf16_range(found.span);
    Some(json!({
        "from": from,
        "to": to,
        "title": found.title,
        "lines": found.lines,
        "fields": fields.collect::<Value>(),
        "topics": found.topics,
    }))
}

/// Completions at an offset, and the range that they replace.
pub(super) fn complete(document: &Document, offset: u32) -> Value {
    let lines = &document.lines;
    let found = ide::complete(&document.program, &document.text, lines.byte(offset));
    let candidates = found.candidates.into_iter().map(|candidate| {
        // An edit elsewhere: an offset and the text to insert.
        let also = candidate.also.map(|edit| {
            let at = lines.utf16(edit.span.start as usize);
            (at, edit.replacement)
        });
        json!({
            "label": candidate.label,
            "insert": candidate.insert,
            "detail": candidate.detail,
            "kind": TOKEN_CLASSES[number(candidate.kind)].1,
            // Ranked below all others, however well it matches.
            "doubtful": candidate.doubtful,
            "also": also,
        })
    });
    let (from, to) = lines.utf16_range(found.span);
    json!({ "from": from, "to": to, "candidates": candidates.collect::<Value>() })
}

/// Start and end of the definition of the name at an offset.
pub(super) fn definition(document: &Document, offset: u32) -> Option<(u32, u32)> {
    let lines = &document.lines;
    let found = ide::definition(&document.text, lines.byte(offset))?;
    Some(lines.utf16_range(found))
}

/// Encoding of the instruction on a line in hexadecimal: bytes in order for
/// vISA, a word for SASS. `None` if the line has no valid instruction.
pub(super) fn bytes(document: &Document, line: u32) -> Option<String> {
    let program = &document.program;
    let instructions = &program.instructions;
    let index = instructions
        .binary_search_by_key(&line, |placed| placed.line)
        .ok()?;
    let placed = &instructions[index];
    let whole = placed.spans.whole();
    let is_wrong = program.diagnostics.iter().any(|diagnostic| {
        let span = diagnostic.span;
        diagnostic.severity() == Severity::Error
            && span.start <= whole.end
            && whole.start <= span.end
    });
    let target = program.symbols.target;
    let unit = target.facts().encoding_unit;
    let is_known = placed.instruction.encoding_error(target, whole).is_none();
    let encoding = placed.instruction.encode();
    (is_known && !is_wrong).then(|| bytes_text(encoding.bytes(), unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = ".note \"🦀ä\"\n.decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
                        dword_atomic.inc (M1, 8) %slm V33.0 %null.0 %null.0 V33.0\n";

    #[test]
    fn token_offsets_are_utf16() {
        let document = Document::parse(TEXT);
        let units: Vec<u16> = TEXT.encode_utf16().collect();
        let found = tokens(&document, 0, 9);
        let words: Vec<(String, &str)> = found
            .chunks(3)
            .map(|t| {
                let word = &units[t[0] as usize..t[1] as usize];
                let class = token_classes()[t[2] as usize];
                (String::from_utf16(word).unwrap(), class)
            })
            .collect();
        let is = |index: usize, word: &str, class| {
            assert_eq!((&*words[index].0, words[index].1), (word, class));
        };
        is(0, ".note", "directive");
        is(1, "\"🦀ä\"", "text");
        is(2, ".decl", "directive");
        is(3, "V33", "variable");
        let of_line = tokens(&document, 1, 2);
        assert_eq!(of_line[..], found[6..6 + of_line.len()]);
    }
}
