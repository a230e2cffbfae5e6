//! Intended differences between Lanewise and GenX_IR, with reasons. This is the only
//! such list.
//!
//! Each entry creates a program without the feature that it is about. It explains a
//! difference only if Lanewise and the tool agree on that program, so other differences
//! in the same line are still found.

use super::genx::{Answer, Verdict};
use super::visa::{Difference, Ours, Source};
use lanewise_core::diagnostic::{Diagnostic, Span, to_u32, to_usize};

/// Program on which Lanewise and the tool differ.
pub(super) struct Case<'c> {
    pub(super) source: &'c Source,
    pub(super) ours: &'c Ours,
    pub(super) theirs: &'c Answer,
    pub(super) difference: &'c Difference,
}

/// Reason for a difference.
pub(super) struct Explained {
    pub(super) reason: &'static str,
    /// Returns the program without the feature, or `None` if the reason does not apply.
    pub(super) without: fn(&Case<'_>) -> Option<Source>,
}

pub(super) const ALL: &[Explained] = &[
    Explained {
        reason: "mnemonics cannot be variable names; the tool accepts some",
        without: |case| {
            let name = case.taken_in_declaration(&["E0204"])?;
            case.without_declaration(|decl| {
                decl.split_whitespace().nth(1) == Some(name.span.of(decl))
            })
        },
    },
    Explained {
        reason: "a number does not fit in its field: an error here; the tool truncates it",
        without: |case| {
            let wide = case.taken(&["E0307", "E0331", "E0348"])?;
            case.with_line(numbers_cut(&case.source.line, word_around(case, wide))?)
        },
    },
    Explained {
        reason: "no blank between two operands: an error here, because `O.0A.0` is one token",
        without: |case| {
            case.taken(&["E0105", "E0306", "E0307", "E0309", "E0331"])?;
            case.with_line(separated(&case.source.line))
        },
    },
    Explained {
        reason: "a null operand of a matrix instruction: the tool crashes on most of them",
        without: |case| {
            case.taken(&["E0346"])?;
            case.with_line(placed_at_start(case, &["E0346"]))
        },
    },
    Explained {
        reason: "beyond the end of a variable: whether the tool crashes depends on its memory layout",
        without: |case| {
            let codes = ["W0418", "E0318", "W0419"];
            (case.fails() || case.taken(&["E0318"]).is_some()).then_some(())?;
            case.with_line(placed_at_start(case, &codes))
        },
    },
    Explained {
        reason: "SVM: lanes beyond channel 31; the tool does not check this and sometimes crashes",
        without: |case| {
            let span = case
                .marked(&["W0407"])
                .next()
                .filter(|_| case.fails())?
                .span;
            let line = &case.source.line;
            let mask = line.find('(').filter(|_| !span.of(line).is_empty())?;
            let masks = ["M8", "M7", "M6", "M5", "M4", "M3", "M2"];
            let at = |mask: &&str| line.find(&format!("({mask}"));
            let found = masks.iter().find(|mask| at(mask).is_some())?;
            debug_assert!(mask <= at(found)?);
            case.with_line(line.replacen(&format!("({found}"), "(M1", 1))
        },
    },
    Explained {
        reason: "invalid or one-bit precisions: the object is written, but the finalizer may hang or crash",
        without: |case| {
            let pair = case.marked(&["W0441", "W0442"]).next()?;
            case.fails().then_some(())?;
            case.with_line(replaced(&case.source.line, pair.span, "s8.s8"))
        },
    },
    Explained {
        reason: "a surface or sampler without num_elts, as in the documents; the tool requires it",
        without: |case| {
            let wants = case.theirs.message.contains("expecting NUM_ELTS_EQ");
            (case.theirs.verdict == Verdict::Rejected && wants).then_some(())?;
            let mut source = case.source.clone();
            for decl in &mut source.decls {
                let state = decl.contains("v_type=T") || decl.contains("v_type=S");
                if state && !decl.contains("num_elts") {
                    decl.push_str(" num_elts=1");
                }
            }
            Some(source)
        },
    },
    Explained {
        reason: "the kernel needs more registers than available: not a rule of the instruction",
        without: |case| {
            let spills = case.theirs.message.to_lowercase().contains("spill");
            (case.theirs.verdict == Verdict::Rejected && spills).then_some(())?;
            let large = |decl: &str| {
                let count = decl.split("num_elts=").nth(1)?;
                let digits = count.split(|c: char| !c.is_ascii_digit()).next()?;
                digits.parse::<u32>().ok().filter(|count| *count >= 4096)
            };
            case.without_declaration(|decl| large(decl).is_some())
        },
    },
];

impl Case<'_> {
    /// Whether the tool crashes or hangs although we do not expect it to reject the
    /// line.
    fn fails(&self) -> bool {
        let fails = matches!(self.theirs.verdict, Verdict::Crash | Verdict::Hang);
        *self.difference == Difference::Verdict && fails
    }

    fn marked<'d>(&'d self, codes: &'d [&str]) -> impl Iterator<Item = &'d Diagnostic> {
        let all = self.ours.of_line.iter();
        all.filter(|d| codes.contains(&d.rule.code))
    }

    /// First diagnostic of the line with one of the codes, if the tool accepts the
    /// line.
    fn taken<'d>(&'d self, codes: &'d [&str]) -> Option<&'d Diagnostic> {
        let taken = self.theirs.verdict == Verdict::Accepted;
        self.marked(codes).next().filter(|_| taken)
    }

    /// Like [`Self::taken`], for the declarations.
    fn taken_in_declaration(&self, codes: &[&str]) -> Option<&Diagnostic> {
        let taken = self.theirs.verdict == Verdict::Accepted;
        let mut all = self.ours.declared.iter();
        all.find(|d| taken && codes.contains(&d.rule.code))
    }

    fn with_line(&self, line: String) -> Option<Source> {
        (line != self.source.line).then(|| Source {
            line,
            ..self.source.clone()
        })
    }

    fn without_declaration(&self, is: impl Fn(&str) -> bool) -> Option<Source> {
        let mut source = self.source.clone();
        source.decls.retain(|decl| !is(decl));
        (source.decls.len() < self.source.decls.len()).then_some(source)
    }
}

/// Replaces the text of a span.
fn replaced(line: &str, span: Span, text: &str) -> String {
    let mut line = line.to_owned();
    line.replace_range(to_usize(span.start)..to_usize(span.end), text);
    line
}

/// Extends the span of a diagnostic to whole words.
fn word_around(case: &Case<'_>, diagnostic: &Diagnostic) -> Span {
    let line = &case.source.line;
    let before = &line[..to_usize(diagnostic.span.start)];
    let after = &line[to_usize(diagnostic.span.end)..];
    let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let end = after.find(char::is_whitespace).unwrap_or(after.len());
    Span::new(to_u32(start), diagnostic.span.end + to_u32(end))
}

/// Truncates the numbers of an operand to the bits of their fields: 16 for a byte
/// offset, 8 for a row or column, 32 or 64 for a constant. Returns `None` if all fit.
fn numbers_cut(line: &str, operand: Span) -> Option<String> {
    let text = operand.of(line);
    let is_digit = |c: char| c.is_ascii_alphanumeric();
    let mut found = None;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = rest.find(|c: char| !is_digit(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        // There may be a blank before a byte offset: `V32. 64`.
        let before = line[..to_usize(operand.start) + at].trim_end();
        let before = before.chars().next_back();
        let bits = match before {
            Some('.') => 16,
            Some('(' | ',') => 8,
            _ if [":uq", ":q", ":df"].iter().any(|ty| text.ends_with(ty)) => 64,
            _ => 32,
        };
        let value = match word.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok(),
            None => word.parse::<u128>().ok(),
        };
        // A negative constant of a signed type has one bit less.
        let limit = match before {
            Some('-') => 1 << (bits - 1),
            _ => (1 << bits) - 1,
        };
        if let Some(value) = value.filter(|value| *value > limit) {
            let at = operand.start + to_u32(at);
            let cut = value & ((1 << (bits - 1)) - 1);
            found = Some((Span::new(at, at + to_u32(length)), cut.to_string()));
        }
        at += length.max(1);
    }
    let (span, cut) = found?;
    Some(replaced(line, span, &cut))
}

/// Inserts a blank before every variable name.
fn separated(line: &str) -> String {
    let names = [
        "L_", "%", "SHORT.", "UPON.", "AT_R0.", "V0.", "V7.", "P1.", "A0.", "T6.", "X.", "r[A0",
    ];
    let mut separated = String::new();
    for (at, c) in line.char_indices() {
        let glued = line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '>');
        if glued && names.iter().any(|name| line[at..].starts_with(name)) {
            separated.push(' ');
        }
        separated.push(c);
    }
    separated
}

/// Moves every operand with one of the codes to the start of a 256-byte variable: its
/// own, or `L_ud`.
fn placed_at_start(case: &Case<'_>, codes: &[&str]) -> String {
    let mut spans: Vec<Span> = case.marked(codes).map(|d| d.span).collect();
    spans.sort_by_key(|span| span.start);
    spans.dedup();
    let mut line = case.source.line.clone();
    for span in spans.into_iter().rev() {
        let text = span.of(&line);
        let direct = text.find("L_").map(|at| &text[at..]);
        let name = direct.and_then(|text| text.split(['.', '(']).next());
        let name = name.unwrap_or("L_ud").trim();
        let placed = match (text.find(['<']), text.rfind('(')) {
            (Some(region), _) => format!("{name}(0,0){}", &text[region..]),
            (None, Some(_)) => format!("{name}(0,0)"),
            (None, None) => format!("{name}.0"),
        };
        line = replaced(&line, span, &placed);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_oversized_numbers_are_truncated() {
        let cut = |line: &str, operand: &str| {
            let start = to_u32(line.find(operand).expect("it is there"));
            numbers_cut(line, Span::new(start, start + to_u32(operand.len())))
        };
        assert_eq!(
            cut("a (8) L. 65536", "65536").as_deref(),
            Some("a (8) L. 0")
        );
        assert_eq!(
            cut("a (8) L.65537", "L.65537").as_deref(),
            Some("a (8) L.1")
        );
        assert_eq!(cut("a (8) L.65535", "L.65535"), None);
        let constant = "a (8) 0x100000001:ud";
        assert_eq!(
            cut(constant, "0x100000001:ud").as_deref(),
            Some("a (8) 1:ud")
        );
        assert_eq!(cut("a (8) 0xffffffff:ud", "0xffffffff:ud"), None);
        assert_eq!(cut("a (8) 0x100000001:uq", "0x100000001:uq"), None);
    }
}
