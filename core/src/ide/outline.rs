//! Structure of a text: foldable declarations, and definitions of names.

use super::line::{Line, lexeme_at};
use crate::diagnostic::{Span, to_u32};
use crate::text::LexemeKind;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Foldable lines of declarations, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fold {
    pub from: u32,
    pub to: u32,
    /// `128 declarations, 12 inputs`.
    pub summary: String,
}

/// Minimum number of declarations that are worth folding.
const MIN_FOLDED: usize = 16;

/// Returns the runs of declarations in a text.
#[must_use]
pub fn folds(text: &str) -> Vec<Fold> {
    // The directive of each line that is not blank.
    let lines = (0..).zip(text.lines());
    let directives = lines.filter_map(|(line, text)| Some((line, text.split_whitespace().next()?)));
    let directives: Vec<(u32, &str)> = directives.collect();
    let is_declaration =
        |word: &str| matches!(word, ".decl" | ".input" | ".kernel" | ".kernel_attr");
    let runs = directives.chunk_by(|(_, a), (_, b)| is_declaration(a) == is_declaration(b));
    let fold = |run: &[(u32, &str)]| {
        let count = |name| run.iter().filter(|(_, word)| *word == name).count();
        let (declarations, inputs) = (count(".decl"), count(".input"));
        let summary = match inputs {
            0 => format!("{declarations} declarations"),
            1 => format!("{declarations} declarations, 1 input"),
            _ => format!("{declarations} declarations, {inputs} inputs"),
        };
        let ((from, _), (to, _)) = (*run.first()?, *run.last()?);
        (declarations >= MIN_FOLDED).then_some(Fold { from, to, summary })
    };
    runs.filter_map(fold).collect()
}

/// Returns where the variable or label whose name is at byte `offset` is defined: its
/// name in its declaration, or before a colon.
#[must_use]
pub fn definition(text: &str, offset: usize) -> Option<Span> {
    let line = Line::at(text, offset);
    let used = lexeme_at(&line.lexemes, to_u32(offset))?;
    let name = used.span.of(text);
    if used.kind != LexemeKind::Name {
        return None;
    }
    let defines = |line: &Line| {
        let words: Vec<&str> = line.lexemes.iter().map(|l| l.span.of(text)).collect();
        let at = match words[..] {
            [".", "decl", declared, ..] if declared == name => 2,
            [label, ":", ..] if label == name => 0,
            _ => return None,
        };
        Some(line.lexemes[at].span)
    };
    Line::all(text).iter().find_map(defines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_fold_and_definitions_are_found() {
        let mut text = String::from(".target visa\n");
        for number in 32..52 {
            text.push_str(&format!(".decl V{number} v_type=G type=ud num_elts=8\n"));
        }
        assert_eq!(folds(&text).len(), 1);
        text.push_str(
            "\n.input V32 offset=32 size=4\n\nLOOP:\nadd (M1, 8) V33(0,0)<1> V50(0,0)<1;1,0> 1:ud\n",
        );
        let summary = String::from("20 declarations, 1 input");
        let (from, to) = (1, 22);
        assert_eq!(folds(&text), [Fold { from, to, summary }]);
        assert_eq!(folds(".decl V32 v_type=G type=ud num_elts=8\n"), []);
        let defined = |word: &str| {
            let used = text.rfind(word).expect("a word of the text");
            definition(&text, used + 1)
        };
        let first = |word: &str| to_u32(text.find(word).expect("a word of the text"));
        assert_eq!(defined("V50").map(|span| span.start), Some(first("V50")));
        assert_eq!(defined("LOOP").map(|span| span.of(&text)), Some("LOOP"));
        assert_eq!(defined("1:ud"), None);
        assert_eq!(defined("add"), None);
    }
}
