//! Lines of the source file: `FILE` and `LOC` in vISA text, and the comments
//! `//## File "a.cu", line 7` that nvdisasm writes with `-g`.

use super::{Program, ProgramInstruction};
use crate::diagnostic::{to_u32, to_usize};
use crate::isa::visa::op::{Argument, Behavior, SourceMark};
use crate::isa::{Instruction, SymbolTable};
use crate::text::{Lexeme, SyntaxPart};
use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// The source line of the instructions from an index on.
#[derive(Clone, Debug)]
pub(super) struct SourceLine {
    first: u32,
    file: Rc<str>,
    /// From 1; 0 for code that does not belong to a line.
    line: u64,
    /// Files and lines of the calls that the code was inlined from, the innermost first.
    calls: Vec<(Rc<str>, u64)>,
}

/// A comment of nvdisasm that names the line of the instructions behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineComment {
    /// First byte of the comment.
    start: u32,
    file: Rc<str>,
    line: u64,
}

/// Start of a comment of nvdisasm that names a source line.
pub const SOURCE_LINE: &str = "//## File \"";

/// The file and line in a comment of nvdisasm. An inlined line is followed by the line of
/// its call.
fn named_line(comment: &str) -> Option<(&str, u64)> {
    let named = comment.strip_prefix(SOURCE_LINE)?;
    let (file, rest) = named.split_once("\", line ")?;
    let number = rest.split_whitespace().next()?;
    Some((file, number.parse().ok()?))
}

/// The comments of a text that name source lines.
pub(super) fn named_in_comments(comments: &[Lexeme], text: &str) -> Vec<LineComment> {
    let mut last: Rc<str> = Rc::from("");
    let named = comments.iter().filter_map(|comment| {
        let (file, line) = named_line(comment.span.of(text))?;
        if *last != *file {
            last = Rc::from(file);
        }
        Some(LineComment {
            start: comment.span.start,
            file: Rc::clone(&last),
            line,
        })
    });
    named.collect()
}

/// Collects the source lines of a program.
pub(super) fn collect(
    instructions: &[ProgramInstruction],
    comments: Vec<LineComment>,
    symbols: &SymbolTable,
) -> Vec<SourceLine> {
    if symbols.target.facts().has_listing_comments {
        return of_comments(instructions, comments);
    }
    let mut lines: Vec<SourceLine> = Vec::new();
    let mut file: Rc<str> = Rc::from("");
    let is_mark = |placed: &ProgramInstruction| placed.instruction.is_source_mark();
    for (index, placed) in instructions.iter().enumerate() {
        let Instruction::Visa(visa) = &placed.instruction else {
            continue;
        };
        match (visa.op.behavior, visa.argument(SyntaxPart::Name)) {
            (Behavior::SourceMark(SourceMark::File), Some(Argument::Text(name))) => {
                let name = symbols.visa.text_at(name.index);
                file = unescaped(name.expect("the pool has every text"));
            }
            (Behavior::SourceMark(SourceMark::Line), _) => {
                // Compilers may repeat the mark of a line, for example at a label; the last
                // one counts.
                lines.pop_if(|last| {
                    instructions[to_usize(last.first)..index]
                        .iter()
                        .all(is_mark)
                });
                lines.push(SourceLine {
                    first: to_u32(index),
                    file: Rc::clone(&file),
                    line: visa.code(SyntaxPart::Src0).expect("`.loc` has a line"),
                    calls: Vec::new(),
                });
            }
            _ => {}
        }
    }
    lines
}

/// The name of a file, in which LLVM writes bytes outside of ASCII as `\xc3` or `\303`. Another
/// backslash is part of the name.
fn unescaped(name: &str) -> Rc<str> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(byte) = name.as_bytes().get(at) {
        let (digits, radix) = match name.get(at..at + 2) {
            Some("\\x") => (at + 2..at + 4, 16),
            _ => (at + 1..at + 4, 8),
        };
        let code = name.get(digits).filter(|_| *byte == b'\\');
        let code = code.and_then(|digits| u8::from_str_radix(digits, radix).ok());
        let code = code.filter(|code| !code.is_ascii());
        bytes.push(code.unwrap_or(*byte));
        at += if code.is_some() { 4 } else { 1 };
    }
    String::from_utf8(bytes).map_or_else(|_| Rc::from(name), Rc::from)
}

/// The first of several comments before an instruction names its own line, the others those
/// of the calls that it was inlined from. A line of the kernel's own file is preferred to one
/// of a header.
fn of_comments(instructions: &[ProgramInstruction], comments: Vec<LineComment>) -> Vec<SourceLine> {
    let mut lines: Vec<SourceLine> = Vec::new();
    let own = comments.first().map(|comment| Rc::clone(&comment.file));
    for LineComment { start, file, line } in comments {
        let first = instructions.partition_point(|placed| placed.spans.whole().start < start);
        let first = to_u32(first);
        let named = SourceLine {
            first,
            file,
            line,
            calls: Vec::new(),
        };
        match lines.last_mut().filter(|last| last.first == first) {
            Some(last) if Some(&last.file) != own.as_ref() && Some(&named.file) == own.as_ref() => {
                *last = named;
            }
            Some(last) => last.calls.push((named.file, line)),
            None => lines.push(named),
        }
    }
    lines
}

/// The name of a file without its folder.
#[must_use]
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

impl Program {
    /// File and line of the source of an instruction, if the text has them.
    #[must_use]
    pub fn source_line(&self, instruction: u32) -> Option<(&str, u64)> {
        let found = self.source_line_of(instruction)?;
        (found.line > 0).then_some((&*found.file, found.line))
    }

    /// File and line of the source of an instruction, or of the last one before it that has them.
    #[must_use]
    pub fn source_line_before(&self, instruction: u32) -> Option<(&str, u64)> {
        (0..=instruction).rev().find_map(|at| self.source_line(at))
    }

    fn source_line_of(&self, instruction: u32) -> Option<&SourceLine> {
        let lines = &self.source_lines;
        let before = lines.partition_point(|line| line.first <= instruction);
        lines.get(before.checked_sub(1)?)
    }

    /// Lines of [`Self::source_file`] with the calls that an instruction was inlined from, the
    /// innermost first, where the text names them.
    pub fn source_calls(&self, instruction: u32) -> impl Iterator<Item = u64> {
        let own = self.source_file();
        let calls = self.source_line_of(instruction).into_iter();
        let calls = calls.flat_map(|line| &line.calls);
        let calls = calls.filter(move |(file, _)| Some(&**file) == own);
        calls.map(|(_, line)| *line)
    }

    /// The first instruction from an index on that is not the mark of a source line.
    #[must_use]
    pub fn after_marks(&self, instruction: u32) -> u32 {
        let rest = self.instructions.iter().skip(to_usize(instruction));
        let is_mark = |placed: &&ProgramInstruction| placed.instruction.is_source_mark();
        instruction.saturating_add(to_u32(rest.take_while(is_mark).count()))
    }

    /// The line, from 0, at which lanes stand that go on at an instruction: that of the first
    /// one that is not the mark of a source line.
    #[must_use]
    pub fn line_at(&self, instruction: u32) -> Option<u32> {
        let at = to_usize(self.after_marks(instruction));
        Some(self.instructions.get(at)?.line)
    }

    /// The instructions with which executions of a line of [`Self::source_file`] start.
    pub fn starts_of_source_line(&self, line: u64) -> impl Iterator<Item = u32> {
        let firsts = self.source_lines.iter().map(|line| line.first);
        firsts.filter(move |first| self.source_line_start(*first) == Some(line))
    }

    /// Source file, if the text has source lines.
    #[must_use]
    pub fn source_file(&self) -> Option<&str> {
        let mut files = self.source_lines.iter().map(|line| &*line.file);
        files.find(|file| !file.is_empty())
    }

    /// Name of [`Self::source_file`] without its folder.
    #[must_use]
    pub fn source_name(&self) -> Option<&str> {
        self.source_file().map(file_name)
    }

    /// Lines of [`Self::source_file`] that instructions belong to.
    #[must_use]
    pub fn lines_with_code(&self) -> BTreeSet<u64> {
        let file = self.source_file();
        let known = self.source_lines.iter().filter(|known| known.line > 0);
        let own = known.filter(|known| Some(&*known.file) == file);
        own.map(|known| known.line).collect()
    }

    /// The line of [`Self::source_file`] that starts with an instruction.
    #[must_use]
    pub fn source_line_start(&self, instruction: u32) -> Option<u64> {
        let lines = &self.source_lines;
        let at = lines.binary_search_by_key(&instruction, |line| line.first);
        let at = at.ok()?;
        let SourceLine { file, line, .. } = &lines[at];
        let before = at.checked_sub(1).map(|before| &lines[before]);
        let continues = before.is_some_and(|b| b.line == *line && b.file == *file);
        let is_shown = Some(&**file) == self.source_file();
        (*line > 0 && is_shown && !continues).then_some(*line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As nvdisasm 12.4 writes it with `-gi`.
    #[test]
    fn inlined_code_names_its_calls() {
        let text = "\
.target sass SM75
\t//## File \"/k.cu\", line 11
        /*0060*/                   MOV R0, R1 ;
\t//## File \"/k.cu\", line 3 inlined at \"/k.cu\", line 6
\t//## File \"/k.cu\", line 6 inlined at \"/k.cu\", line 10
\t//## File \"/k.cu\", line 10
        /*0070*/                   FFMA R0, R0, 2, R7.reuse ;
\t//## File \"/k.cu\", line 12
        /*0080*/                   EXIT ;
";
        let program = Program::parse(text);
        let lines = [0, 1, 2].map(|at| {
            let calls: Vec<u64> = program.source_calls(at).collect();
            (program.source_line(at).map(|(_, line)| line), calls)
        });
        let expected = [(11, [].as_slice()), (3, &[6, 10]), (12, &[])];
        let expected = expected.map(|(line, calls)| (Some(line), calls.to_vec()));
        assert_eq!(lines, expected);
    }

    #[test]
    fn repeated_marks_start_a_line_once() {
        let text = "\
.target visa DG2
.decl V32 v_type=G type=d num_elts=8 align=GRF
FILE \"a.cl\"
LOC 5
mov (M1, 8) V32(0,0)<1> 1:d
LOC 0
LOC 6
AGAIN:
LOC 0
LOC 6
mov (M1, 8) V32(0,0)<1> 2:d
LOC 5
goto (M1, 8) AGAIN
";
        let program = Program::parse(text);
        assert!(program.can_run(), "{:?}", program.diagnostics);
        let starts = |line| program.starts_of_source_line(line).count();
        assert_eq!([5, 6].map(starts), [2, 1]);
    }

    #[test]
    fn names_outside_of_ascii_are_escaped() {
        let named = [
            (r"src/k\xc3\xa9.cl", "src/ké.cl"),
            (r"src/k\303\251.cl", "src/ké.cl"),
            // Folders, and what is not UTF-8.
            (r"C:\x64\101\a.cl", r"C:\x64\101\a.cl"),
            (r"k\xc3.cl", r"k\xc3.cl"),
            (r"é\", r"é\"),
        ];
        for (name, expected) in named {
            assert_eq!(&*unescaped(name), expected);
        }
    }
}
