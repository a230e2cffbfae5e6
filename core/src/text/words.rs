//! Words of the text compared with the words that are known.

use alloc::vec::Vec;

/// Compares a word of the text with a keyword, whatever the case of its letters.
#[must_use]
pub fn same_word(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

/// The keyword nearest to a misspelt word, if one is near enough to suggest.
#[must_use]
pub fn nearest<'k>(word: &str, keywords: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let limit = 1 + word.len() / 3;
    keywords
        .into_iter()
        .map(|keyword| (distance(word, keyword), keyword))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, keyword)| keyword)
}

/// Edit distance without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let substituted = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = *cell;
            *cell = substituted.min(left + 1).min(*cell + 1);
            left = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_suggested() {
        assert_eq!(nearest("fmaxx", ["add", "fmax"]), Some("fmax"));
        assert_eq!(nearest("zzz", ["add", "fmax"]), None);
    }
}
