//! List of bundled scenarios or instructions, and its search.

use super::synonyms::synonyms;
use lanewise_core::isa::SPECS;
use lanewise_core::library::{BUNDLED, Bundled};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ListKind {
    #[default]
    Scenarios,
    /// Each entry opens the first scenario of the instruction.
    Instructions,
}

impl ListKind {
    /// Whether an entry represents a scenario, directly or through its
    /// instruction.
    pub(crate) fn shows(self, entry: &Entry, scenario: &Bundled) -> bool {
        match self {
            Self::Scenarios => entry.scenario.id == scenario.id,
            Self::Instructions => entry.scenario.topic == scenario.topic,
        }
    }
}

/// List, query and selection.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Picker {
    pub(super) listed: ListKind,
    pub(super) query: String,
    /// Entries that match the query.
    pub(super) matches: Rc<Matches>,
    /// Index of the selected entry, which Enter opens.
    pub(super) marked: usize,
    /// Description of each of [`BUNDLED`], parsed when the list is first
    /// opened.
    pub(super) notes: Rc<[String]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) scenario: &'static Bundled,
    pub(crate) title: &'static str,
    /// One or two sentences.
    pub(crate) about: String,
}

/// Entries that match the query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matches {
    pub(crate) entries: Vec<Entry>,
    /// Whether the entries match all words of the query. Otherwise they are
    /// those that match the most words.
    pub(crate) all_words: bool,
}

/// Rank of a match; lower is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Name of the instruction.
    Instruction,
    /// Word of the title.
    Title,
    /// Prefix of a title word.
    TitleStart,
    /// Word of the topic, id, description or an instruction.
    Elsewhere,
    /// Prefix of such a word.
    ElsewhereStart,
    Synonym,
}

/// Rank of a word in an entry: its topic, title, and other texts, in lower case.
fn rank(word: &str, topic: &str, title: &str, rest: &str) -> Option<Rank> {
    if topic == word {
        return Some(Rank::Instruction);
    }
    let by_word = |is_whole| match is_whole {
        true => (Rank::Title, Rank::Elsewhere),
        false => (Rank::TitleStart, Rank::ElsewhereStart),
    };
    let in_title = found(title, word).map(|is_whole| by_word(is_whole).0);
    let in_text = in_title.or_else(|| found(rest, word).map(|is_whole| by_word(is_whole).1));
    // A prefix may belong to an unrelated word: `red` and `redo`, `s4` and
    // `s4096`.
    let is_there = |synonym: &&str| {
        let is_whole = found(title, synonym).max(found(rest, synonym));
        is_whole.is_some_and(|is_whole| is_whole || synonym.len() > 4)
    };
    let by_synonym = || synonyms(word).iter().any(is_there).then_some(Rank::Synonym);
    in_text.or_else(by_synonym)
}

/// Finds a word at the start of words: `red` in `red.add`, not in `shared`.
/// Returns whether it is a whole word somewhere.
fn found(text: &str, word: &str) -> Option<bool> {
    let finds = text.match_indices(word).filter_map(|(start, found)| {
        let is_start = !text[..start].ends_with(char::is_alphanumeric);
        let is_end = !text[start + found.len()..].starts_with(char::is_alphanumeric);
        is_start.then_some(is_end)
    });
    finds.max()
}

/// Instruction lines of a scenario.
fn instructions(text: &str) -> impl Iterator<Item = &str> {
    let is_instruction = |line: &&str| !line.starts_with('.') && !line.starts_with("//");
    text.lines().filter(is_instruction)
}

impl Picker {
    /// Entries that match all words of the query, or else the most words.
    /// Ordered by match: an instruction named first in the query, titles, other
    /// texts, then synonyms.
    pub(super) fn find(&self) -> Matches {
        let query = self.query.to_ascii_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let (mut entries, mut most) = (Vec::new(), 0);
        let mut last = "";
        for (index, scenario) in BUNDLED.iter().enumerate() {
            let spec = SPECS.iter().find(|spec| spec.name == scenario.topic);
            let (title, about) = match self.listed {
                ListKind::Instructions if spec.is_none() || scenario.topic == last => continue,
                ListKind::Instructions => (scenario.topic, spec.map_or("", |spec| spec.summary)),
                ListKind::Scenarios => (
                    scenario.title,
                    self.notes.get(index).map_or("", String::as_str),
                ),
            };
            last = scenario.topic;
            let family = spec.map_or("", |spec| spec.family.facts().search_words);
            let rest = [scenario.topic, scenario.id, about, family].into_iter();
            let rest: Vec<&str> = rest.chain(instructions(scenario.text)).collect();
            let rest = rest.join(" ");
            let [topic, title_words, rest] =
                [scenario.topic, title, &rest].map(str::to_ascii_lowercase);
            let ranks = words
                .iter()
                .filter_map(|word| rank(word, &topic, &title_words, &rest));
            let found: Vec<Rank> = ranks.collect();
            let has = found.len();
            if has > most {
                entries.clear();
                most = has;
            }
            if has == most && (has > 0 || words.is_empty()) {
                let entry = Entry {
                    scenario,
                    title,
                    about: String::from(about),
                };
                entries.push((found.into_iter().max(), entry));
            }
        }
        // A stable sort keeps the library order among equals.
        entries.sort_by_key(|(rank, _)| *rank);
        Matches {
            entries: entries.into_iter().map(|(_, entry)| entry).collect(),
            all_words: most == words.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::picker::{PickerAction, PickerMove};
    use lanewise_core::library::named;

    fn opened(listed: ListKind) -> Picker {
        let mut picker = Picker::default();
        picker.apply(PickerAction::Open(listed), named("lock"));
        picker
    }

    fn ids(picker: &Picker) -> Vec<&'static str> {
        picker
            .matches
            .entries
            .iter()
            .map(|entry| entry.scenario.id)
            .collect()
    }

    #[test]
    fn picker_opens_with_the_current_scenario_selected() {
        let picker = opened(ListKind::Scenarios);
        assert_eq!(picker.matches.entries.len(), BUNDLED.len());
        assert_eq!(picker.matches.entries[picker.marked].scenario.id, "lock");
    }

    /// Ids of the matches, and whether they match all words.
    fn search(query: &str) -> (Vec<&'static str>, bool) {
        let mut picker = opened(ListKind::Scenarios);
        picker.apply(PickerAction::Query(String::from(query)), None);
        (ids(&picker), picker.matches.all_words)
    }

    #[test]
    fn entries_match_all_words_or_else_the_most() {
        let (both, all_words) = search("LOCK swap");
        assert!(all_words && both.contains(&"lock") && !both.contains(&"histogram"));
        assert_eq!(search("turnip lock swap"), (both, false));
        assert_eq!(search("turnip"), (Vec::new(), false));
    }

    #[test]
    fn titles_rank_before_words_and_synonyms() {
        for (query, first) in [
            ("lock", "lock"),
            ("histogram", "histogram"),
            ("order", "order"),
        ] {
            assert_eq!(search(query).0[0], first);
        }
        let topic = |id: &str| BUNDLED.iter().find(|s| s.id == id).unwrap().topic;
        for name in ["DPASW", "DPAS", "RED", "ATOM", "SVM_ATOMIC"] {
            assert_eq!(topic(search(&name.to_ascii_lowercase()).0[0]), name);
        }
        for (word, id) in [
            ("fused", "dpasw-int8"),
            ("sass", "atom-cas"),
            ("atomicAdd", "red-float-sum"),
            ("mutex", "lock"),
        ] {
            assert!(search(word).0.contains(&id), "{word}");
        }
        // Words, not substrings: "shared" and "numbered" do not match RED.
        assert!(!search("red").0.contains(&"histogram"));
    }

    #[test]
    fn every_instruction_opens_its_first_scenario() {
        let mut picker = opened(ListKind::Instructions);
        assert_eq!(picker.matches.entries.len(), SPECS.len());
        assert!(
            picker
                .matches
                .entries
                .iter()
                .all(|e| e.title == e.scenario.topic && !e.about.is_empty())
        );
        picker.apply(PickerAction::Query(String::from("dpasw")), None);
        assert!(ids(&picker).contains(&"dpasw-int8"));
    }

    #[test]
    fn arrow_keys_wrap_and_page_keys_stop() {
        let mut picker = opened(ListKind::Instructions);
        picker.apply(PickerAction::Mark(PickerMove::Previous), None);
        assert_eq!(picker.marked, SPECS.len() - 1);
        picker.apply(PickerAction::Mark(PickerMove::Next), None);
        assert_eq!(picker.marked, 0);
        for marked in [8, SPECS.len() - 1, SPECS.len() - 1] {
            picker.apply(PickerAction::Mark(PickerMove::PageDown), None);
            assert_eq!(picker.marked, marked.min(SPECS.len() - 1));
        }
        for _ in 0..2 {
            picker.apply(PickerAction::Mark(PickerMove::PageUp), None);
        }
        assert_eq!(picker.marked, 0);
    }
}
