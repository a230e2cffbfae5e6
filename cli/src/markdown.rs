//! Finds the ```` ```lanewise ```` blocks of a Markdown file.

use std::ops::Range;

const INFO: &str = "lanewise";

/// Scenario in a Markdown file.
pub(crate) struct Block {
    /// Byte offset of the text in the file.
    pub(crate) start: usize,
    /// Text, with Markdown syntax (the `>` of a quotation) replaced by blanks, so
    /// that offsets differ from those of the file by `start` only.
    pub(crate) text: String,
}

/// Fence character and length.
#[derive(Clone, Copy)]
struct Fence {
    sign: char,
    count: usize,
}

/// Returns all blocks of a Markdown file, in order. An unclosed block extends to
/// the end of the file, as in CommonMark.
///
/// Fences may have any indentation, because they may be in lists. Fences in code
/// blocks that are indented by four blanks are therefore found too.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<(Fence, Option<Range<usize>>)> = None;
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        let end = at + line.len();
        let inside = line.trim_start_matches([' ', '\t', '>']).trim_end();
        let fence = fence(inside);
        open = match (open, fence) {
            (None, Some((fence, info))) => {
                let wanted = is_scenario(info).then_some(end..end);
                Some((fence, wanted))
            }
            (Some((opening, wanted)), Some((closing, "")))
                if closing.sign == opening.sign && closing.count >= opening.count =>
            {
                found.extend(wanted.and_then(|range| block(page, range)));
                None
            }
            (Some((opening, wanted)), _) => Some((opening, wanted.map(|r| r.start..end))),
            (None, None) => None,
        };
        at = end;
    }
    if let Some((_, Some(range))) = open {
        found.extend(block(page, range));
    }
    found
}

/// Parses a fence at the start of a line, and its info string.
fn fence(line: &str) -> Option<(Fence, &str)> {
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = line.trim_start_matches(sign);
    let count = line.len() - info.len();
    // Three backquotes that are closed on the same line are inline code.
    let inline = sign == '`' && info.contains('`');
    (count >= 3 && !inline).then_some((Fence { sign, count }, info.trim()))
}

/// Whether the info string starts with `lanewise`, as in `lanewise,edit`.
fn is_scenario(info: &str) -> bool {
    let word = info.split([' ', '\t', ',', '{']).next();
    word.is_some_and(|word| word.eq_ignore_ascii_case(INFO))
}

fn block(page: &str, range: Range<usize>) -> Option<Block> {
    let start = range.start;
    let mut text = String::with_capacity(range.len());
    for line in page.get(range)?.split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '\t', '>']);
        text.extend(std::iter::repeat_n(' ', line.len() - content.len()));
        text.push_str(content);
    }
    Some(Block { start, text })
}
