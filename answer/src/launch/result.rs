//! The line about the end of a launch: its size, and the findings of the checks by kind.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A finding, for its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingKind<'f> {
    pub noun: &'f str,
    pub plural: &'f str,
    /// `read`, `write`, `atomic`, `branch` or `barrier`.
    pub operation: &'f str,
    /// Whether it is an access out of bounds of a buffer.
    pub is_outside_buffer: bool,
    /// How often it occurred, if each occurrence counts; for others, such as races, 1.
    pub count: u64,
}

impl<'f> FindingKind<'f> {
    /// Nouns for one occurrence and for several.
    const fn nouns(self) -> (&'f str, &'f str) {
        match (self.is_outside_buffer, self.operation.as_bytes()) {
            (true, b"read") => ("read outside its buffer", "reads outside their buffers"),
            (true, b"write") => ("write dropped", "writes dropped"),
            _ => (self.noun, self.plural),
        }
    }
}

/// A part of the result: `32 writes dropped`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultPart {
    pub text: String,
    /// Index of the first finding that it counts.
    pub finding: usize,
}

/// The findings of a launch, counted by kind, in the order of their first findings.
#[must_use]
pub fn result_parts<'f>(findings: impl IntoIterator<Item = FindingKind<'f>>) -> Vec<ResultPart> {
    let mut counts: Vec<((&str, &str), u64, usize)> = Vec::new();
    for (index, finding) in findings.into_iter().enumerate() {
        let nouns = finding.nouns();
        match counts.iter_mut().find(|(known, ..)| *known == nouns) {
            Some((_, count, _)) => *count += finding.count,
            None => counts.push((nouns, finding.count, index)),
        }
    }
    let part = |((noun, plural), count, finding): ((&str, &str), u64, usize)| ResultPart {
        text: match count {
            1 => format!("1 {noun}"),
            count => format!("{count} {plural}"),
        },
        finding,
    };
    counts.into_iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_counted_by_what_happened() {
        let of = |operation, is_outside_buffer, count| FindingKind {
            noun: if is_outside_buffer { "access" } else { "race" },
            plural: if is_outside_buffer {
                "accesses"
            } else {
                "races"
            },
            operation,
            is_outside_buffer,
            count,
        };
        let found = [
            of("write", false, 1),
            of("write", true, 30),
            of("read", true, 1),
            of("write", true, 2),
            of("read", false, 1),
            of("atomic", true, 3),
        ];
        let parts = result_parts(found);
        let parts: Vec<_> = parts.iter().map(|p| (&*p.text, p.finding)).collect();
        let expected = [
            ("2 races", 0),
            ("32 writes dropped", 1),
            ("1 read outside its buffer", 2),
            ("3 accesses", 5),
        ];
        assert_eq!(parts, expected);
        assert_eq!(result_parts([]), []);
    }
}
