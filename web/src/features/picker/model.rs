//! List of bundled scenarios or instructions, and its search.

use super::synonyms::synonyms;
use crate::features::program::Origin;
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
    /// Whether an entry represents a program, directly or through its
    /// instruction.
    pub(crate) fn shows(self, entry: &Entry, origin: &Origin) -> bool {
        match (&entry.opens, origin) {
            (Opens::Bundled(entry), Origin::Bundled(scenario)) => match self {
                Self::Scenarios => entry.id == scenario.id,
                Self::Instructions => entry.topic == scenario.topic,
            },
            (Opens::Served(address), Origin::File(own)) => own.as_ref() == Some(address),
            _ => false,
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
    /// Files of `lanewise serve`, and the kernels of the one that is shown.
    pub(crate) served: Rc<[ServedEntry]>,
}

/// A file or kernel of `lanewise serve`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServedEntry {
    pub(crate) title: Rc<str>,
    /// Fragment of the page's address.
    pub(crate) address: Rc<str>,
}

/// Program that an entry opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opens {
    Bundled(&'static Bundled),
    /// Address of a file of `lanewise serve`.
    Served(Rc<str>),
}

impl Opens {
    /// Unique name.
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Bundled(scenario) => scenario.id,
            Self::Served(address) => address,
        }
    }

    /// Heading of the group.
    pub(super) const fn topic(&self) -> &'static str {
        match self {
            Self::Bundled(scenario) => scenario.topic,
            Self::Served(_) => "Files of lanewise serve",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) opens: Opens,
    pub(crate) title: Rc<str>,
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
    /// All entries of the list, each with its other words.
    fn all(&self) -> Vec<(Entry, String)> {
        let served = self.served.iter().map(|served| {
            let entry = Entry {
                opens: Opens::Served(Rc::clone(&served.address)),
                title: Rc::clone(&served.title),
                about: String::new(),
            };
            (entry, String::new())
        });
        let served = served.filter(|_| self.listed == ListKind::Scenarios);
        let mut last = "";
        let bundled = BUNDLED.iter().enumerate().filter_map(|(index, scenario)| {
            let spec = SPECS.iter().find(|spec| spec.name == scenario.topic);
            let (title, about) = match self.listed {
                ListKind::Instructions if spec.is_none() || scenario.topic == last => return None,
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
            let entry = Entry {
                opens: Opens::Bundled(scenario),
                title: Rc::from(title),
                about: String::from(about),
            };
            Some((entry, rest.join(" ")))
        });
        served.chain(bundled).collect()
    }

    /// Entries that match all words of the query, or else the most words.
    /// Ordered by match: an instruction named first in the query, titles, other
    /// texts, then synonyms.
    pub(super) fn find(&self) -> Matches {
        let query = self.query.to_ascii_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let (mut entries, mut most) = (Vec::new(), 0);
        for (entry, rest) in self.all() {
            let [topic, title_words, rest] =
                [entry.opens.topic(), &entry.title, &rest].map(str::to_ascii_lowercase);
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
                entries.push((found.into_iter().max(), entry));
            }
        }
        // A stable sort keeps the order of the list among equals.
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
        let lock = named("lock").expect("a bundled scenario");
        picker.apply(PickerAction::Open(listed), &Origin::Bundled(lock));
        picker
    }

    fn act(picker: &mut Picker, action: PickerAction) {
        picker.apply(action, &Origin::New);
    }

    fn ids(picker: &Picker) -> Vec<&'static str> {
        let entries = picker.matches.entries.iter();
        let ids = entries.map(|entry| match entry.opens {
            Opens::Bundled(scenario) => scenario.id,
            Opens::Served(_) => "served",
        });
        ids.collect()
    }

    #[test]
    fn picker_opens_with_the_current_scenario_selected() {
        let picker = opened(ListKind::Scenarios);
        assert_eq!(picker.matches.entries.len(), BUNDLED.len());
        assert_eq!(ids(&picker)[picker.marked], "lock");
    }

    /// Ids of the matches, and whether they match all words.
    fn search(query: &str) -> (Vec<&'static str>, bool) {
        let mut picker = opened(ListKind::Scenarios);
        act(&mut picker, PickerAction::Query(String::from(query)));
        (ids(&picker), picker.matches.all_words)
    }

    #[test]
    fn served_files_are_listed_first_and_found_by_name() {
        let entry = |title: &str, address: &str| ServedEntry {
            title: Rc::from(title),
            address: Rc::from(address),
        };
        let mut picker = Picker {
            served: Rc::from([
                entry("sum of reduce.cl", "a"),
                entry("bad of reduce.cl", "b"),
            ]),
            ..Picker::default()
        };
        let served = Origin::File(Some(Rc::from("b")));
        picker.apply(PickerAction::Open(ListKind::Scenarios), &served);
        assert_eq!(ids(&picker)[..3], ["served", "served", BUNDLED[0].id]);
        assert_eq!(ids(&picker).len(), BUNDLED.len() + 2);
        assert_eq!(picker.marked, 1);
        act(&mut picker, PickerAction::Query(String::from("bad reduce")));
        let titles = picker.matches.entries.iter().map(|entry| &*entry.title);
        assert_eq!(titles.collect::<Vec<_>>(), ["bad of reduce.cl"]);
        act(&mut picker, PickerAction::Open(ListKind::Instructions));
        assert_eq!(ids(&picker).len(), SPECS.len());
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
                .all(|e| *e.title == *e.opens.topic() && !e.about.is_empty())
        );
        act(&mut picker, PickerAction::Query(String::from("dpasw")));
        assert!(ids(&picker).contains(&"dpasw-int8"));
    }

    #[test]
    fn arrow_keys_wrap_and_page_keys_stop() {
        let mut picker = opened(ListKind::Instructions);
        act(&mut picker, PickerAction::Mark(PickerMove::Previous));
        assert_eq!(picker.marked, SPECS.len() - 1);
        act(&mut picker, PickerAction::Mark(PickerMove::Next));
        assert_eq!(picker.marked, 0);
        for marked in [8, SPECS.len() - 1, SPECS.len() - 1] {
            act(&mut picker, PickerAction::Mark(PickerMove::PageDown));
            assert_eq!(picker.marked, marked.min(SPECS.len() - 1));
        }
        for _ in 0..2 {
            act(&mut picker, PickerAction::Mark(PickerMove::PageUp));
        }
        assert_eq!(picker.marked, 0);
    }
}
