//! The ```` ```lanewise ```` blocks of a Markdown file.

use std::ops::Range;

/// The info word of a block that holds a scenario.
const INFO: &str = "lanewise";

/// A scenario in a page.
pub(crate) struct Block {
    /// Where its text starts in the page.
    pub(crate) start: usize,
    /// Its text, as long as in the page: what belongs to the page (the `>` of
    /// a quotation) is blanked out, so that places differ by `start` alone.
    pub(crate) text: String,
}

/// A fence: which character, and how many of them.
#[derive(Clone, Copy)]
struct Fence {
    sign: char,
    count: usize,
}

/// All blocks of a page, in order. A block without an end goes on to the end
/// of the page, as in CommonMark.
///
/// Fences may be indented to any depth, since in a list they are; code that
/// Markdown makes of four blanks is therefore not distinguished.
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

/// A fence at the start of a line, and the words after it.
fn fence(line: &str) -> Option<(Fence, &str)> {
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = line.trim_start_matches(sign);
    let count = line.len() - info.len();
    // Three backquotes that are closed on their line are code in a sentence.
    let inline = sign == '`' && info.contains('`');
    (count >= 3 && !inline).then_some((Fence { sign, count }, info.trim()))
}

/// Whether the first word after a fence is ours: `lanewise`, `lanewise,edit`.
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
