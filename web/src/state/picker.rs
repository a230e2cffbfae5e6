//! The list of bundled scenarios, and of the instructions, as it is searched.

use lanewise_core::isa::SPECS;
use lanewise_core::library::{BUNDLED, Bundled};
use lanewise_core::program::Program;
use std::rc::Rc;

/// What is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    Scenarios,
    /// Each opens its first scenario.
    Instructions,
}

/// What a reader can do with the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PickerAction {
    Open(Listed),
    Close,
    /// Only what has these words.
    Query(String),
    /// So many entries on, or back.
    Move(isize),
}

/// The list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Picker {
    open: Option<Listed>,
    query: String,
    at: usize,
    /// What the notes of each of [`BUNDLED`] say; read when the list is opened first.
    notes: Rc<[String]>,
}

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The scenario that it opens.
    pub(crate) id: &'static str,
    /// The instruction it is listed under.
    pub(crate) topic: &'static str,
    pub(crate) title: &'static str,
    /// One sentence or two.
    pub(crate) about: String,
}

impl Picker {
    pub(super) fn apply(&mut self, action: PickerAction, chosen: &str) {
        match action {
            PickerAction::Open(listed) => {
                self.open = Some(listed);
                if self.notes.is_empty() {
                    let notes = |s: &Bundled| Program::parse(s.text).notes.join(" ");
                    self.notes = BUNDLED.iter().map(notes).collect();
                }
                self.query.clear();
                let entries = self.entries();
                self.at = entries.iter().position(|e| e.id == chosen).unwrap_or(0);
            }
            PickerAction::Close => self.open = None,
            PickerAction::Query(query) => {
                self.query = query;
                self.at = 0;
            }
            PickerAction::Move(by) => {
                let count = self.entries().len();
                let last = count.saturating_sub(1);
                self.at = match self.at.checked_add_signed(by) {
                    Some(at) if at <= last => at,
                    // Round by single steps, to the end by longer ones.
                    Some(_) if by == 1 => 0,
                    None if by == -1 => last,
                    Some(_) => last,
                    None => 0,
                };
            }
        }
    }

    /// What is listed, if it is open.
    pub(crate) const fn open(&self) -> Option<Listed> {
        self.open
    }

    pub(super) fn close(&mut self) {
        self.open = None;
    }

    pub(crate) fn query(&self) -> &str {
        &self.query
    }

    /// The entry that Enter opens, by its index.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// What has all words of the query, wherever; where nothing has, what has
    /// most of them.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.found().0
    }

    /// The same, and whether all words were found.
    pub(crate) fn found(&self) -> (Vec<Entry>, bool) {
        let query = self.query.to_ascii_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let (mut entries, mut most) = (Vec::new(), 0);
        let mut last = "";
        for (index, scenario) in BUNDLED.iter().enumerate() {
            let (title, about) = match self.open {
                Some(Listed::Instructions) if scenario.topic == last => continue,
                Some(Listed::Instructions) => {
                    let spec = SPECS.iter().find(|spec| spec.name == scenario.topic);
                    (scenario.topic, spec.map_or("", |spec| spec.summary))
                }
                _ => (
                    scenario.title,
                    self.notes.get(index).map_or("", String::as_str),
                ),
            };
            last = scenario.topic;
            let mut all = String::from(scenario.topic);
            for part in [scenario.id, title, about] {
                all.push(' ');
                all.push_str(part);
            }
            all.make_ascii_lowercase();
            let has = words.iter().filter(|word| all.contains(**word)).count();
            if has > most {
                entries.clear();
                most = has;
            }
            if has == most && (has > 0 || words.is_empty()) {
                entries.push(Entry {
                    id: scenario.id,
                    topic: scenario.topic,
                    title,
                    about: String::from(about),
                });
            }
        }
        (entries, most == words.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(listed: Listed) -> Picker {
        let mut picker = Picker::default();
        picker.apply(PickerAction::Open(listed), "lock");
        picker
    }

    fn ids(picker: &Picker) -> Vec<&'static str> {
        picker.entries().iter().map(|entry| entry.id).collect()
    }

    #[test]
    fn it_opens_on_the_chosen_scenario_with_all_of_them() {
        let picker = opened(Listed::Scenarios);
        assert_eq!(picker.entries().len(), BUNDLED.len());
        assert_eq!(picker.entries()[picker.at()].id, "lock");
    }

    #[test]
    fn words_are_found_in_titles_topics_and_notes() {
        let mut picker = opened(Listed::Scenarios);
        picker.apply(PickerAction::Query(String::from("LOCK swap")), "");
        assert_eq!(ids(&picker), ["lock"]);
        picker.apply(PickerAction::Query(String::from("scatter fault")), "");
        assert_eq!(ids(&picker), ["scatter-fault"]);
        assert!(picker.found().1);
        // Not all of it is anywhere.
        picker.apply(PickerAction::Query(String::from("turnip lock swap")), "");
        assert_eq!(ids(&picker), ["lock"]);
        assert!(!picker.found().1);
        picker.apply(PickerAction::Query(String::from("turnip")), "");
        assert_eq!(ids(&picker), [""; 0]);
        picker.apply(PickerAction::Move(1), "");
        assert_eq!(picker.at(), 0);
    }

    #[test]
    fn every_instruction_opens_its_first_scenario() {
        let mut picker = opened(Listed::Instructions);
        assert_eq!(picker.entries().len(), SPECS.len());
        assert!(
            picker
                .entries()
                .iter()
                .all(|e| e.title == e.topic && !e.about.is_empty())
        );
        picker.apply(PickerAction::Query(String::from("dpasw")), "");
        assert!(ids(&picker).contains(&"dpasw-int8"));
    }

    #[test]
    fn arrows_go_round_and_pages_stop() {
        let mut picker = opened(Listed::Instructions);
        picker.apply(PickerAction::Move(-1), "");
        assert_eq!(picker.at(), SPECS.len() - 1);
        picker.apply(PickerAction::Move(1), "");
        assert_eq!(picker.at(), 0);
        picker.apply(PickerAction::Move(10), "");
        assert_eq!(picker.at(), SPECS.len() - 1);
        picker.apply(PickerAction::Move(-10), "");
        assert_eq!(picker.at(), 0);
    }
}
