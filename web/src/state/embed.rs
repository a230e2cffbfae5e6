//! The compact player inside another page: what it shows, and the question
//! that a reader answers before it runs.

use super::quiz::Quiz;
use super::{State, Tab};
use lanewise_core::isa::Family;
use lanewise_link::Link;

/// What the address of a player asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The link that the address ends in: the scenario.
    pub(crate) link: String,
    /// The panes below the steps, by name.
    pub(crate) panes: Option<String>,
    /// Whether the text may only be read.
    pub(crate) readonly: bool,
    /// Whether the program runs at once, step by step.
    pub(crate) run: bool,
    /// The question.
    pub(crate) quiz: Option<String>,
    /// What the answer is taken from.
    pub(crate) answer_from: Option<String>,
}

/// What a reader can do in a player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EmbedAction {
    /// The player starts.
    Begin(Asked),
    /// The answer is being written.
    Answer(String),
    /// Compare the answer with what the program gives.
    Check,
    /// Give up, and see what it gives.
    Show,
    /// Ask again.
    Again,
}

/// A pane below the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    /// The instruction's picture: lanes, planes, or which EU supplies Src2.
    Picture,
    /// Registers and memories, one at a time.
    State,
    Encoding,
    Explain,
    /// Every result that some order of the lanes gives.
    Outcomes,
}

/// The compact player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Player {
    pub(crate) panes: Vec<Pane>,
    /// Names of panes that there are none of.
    pub(crate) unknown: Vec<String>,
    pub(crate) readonly: bool,
    pub(crate) quiz: Option<Quiz>,
    /// The state tab that was asked for.
    tab: Option<Tab>,
    /// Why there is no scenario.
    pub(crate) broken: Option<String>,
}

/// What is shown where nothing is asked for.
const USUAL: &str = "lanes,state";

/// The pane of a name, and the state tab that it opens.
fn pane(name: &str, family: Family) -> Option<(Pane, Option<Tab>)> {
    let memory = match family {
        Family::Visa => Tab::Virtual,
        Family::Sass => Tab::Global,
    };
    Some(match name {
        "lanes" | "planes" | "supply" | "picture" => (Pane::Picture, None),
        "state" => (Pane::State, None),
        "registers" => (Pane::State, Some(Tab::Registers)),
        "slm" => (Pane::State, Some(Tab::Local)),
        "svm" | "global" => (Pane::State, Some(memory)),
        "surfaces" => (Pane::State, Some(Tab::Surfaces)),
        "encoding" => (Pane::Encoding, None),
        "explain" => (Pane::Explain, None),
        "outcomes" => (Pane::Outcomes, None),
        _ => return None,
    })
}

/// Where the whole page shows a text.
pub(crate) fn page_address(text: &str) -> String {
    let link = Link {
        text: String::from(text),
        ..Link::default()
    };
    match link.fragment() {
        Ok(fragment) => format!("./#{fragment}"),
        // More text than goes into a link.
        Err(_) => String::from("./"),
    }
}

impl State {
    /// Whether the page is a player inside another.
    pub(crate) const fn is_embedded(&self) -> bool {
        self.embedded
    }

    /// Whether there is a list of outcomes on the page.
    pub(crate) fn shows_outcomes(&self) -> bool {
        let player = self.player.as_ref();
        player.map_or(!self.embedded, |p| p.panes.contains(&Pane::Outcomes))
    }

    /// The player, once it has started.
    pub(crate) fn player(&self) -> Option<&Player> {
        self.player.as_ref()
    }

    pub(super) fn apply_embed(&mut self, action: EmbedAction) {
        match action {
            EmbedAction::Begin(asked) => self.begin(asked),
            EmbedAction::Answer(given) => self.change_quiz(|quiz| quiz.write(given)),
            EmbedAction::Check => self.check_answer(),
            EmbedAction::Show => self.show_answer(),
            EmbedAction::Again => {
                self.seek(0);
                self.change_quiz(Quiz::ask_again);
            }
        }
    }

    fn begin(&mut self, asked: Asked) {
        let panes = asked.panes.as_deref().unwrap_or(USUAL);
        let mut player = Player {
            panes: Vec::new(),
            unknown: Vec::new(),
            readonly: asked.readonly,
            quiz: asked
                .quiz
                .map(|question| Quiz::new(question, asked.answer_from)),
            tab: None,
            broken: None,
        };
        if !asked.link.is_empty() {
            player.broken = self.read_link(&asked.link).err().map(|why| why.to_string());
        }
        let names = panes.split([',', ' ']).filter(|name| !name.is_empty());
        for name in names {
            let Some((pane, tab)) = pane(name, self.family()) else {
                player.unknown.push(String::from(name));
                continue;
            };
            if !player.panes.contains(&pane) {
                player.panes.push(pane);
            }
            player.tab = player.tab.or(tab);
        }
        if player.quiz.is_some() {
            self.seek(0);
        }
        let runs = asked.run && player.quiz.is_none() && player.broken.is_none();
        self.player = Some(player);
        self.open_asked_tab();
        if runs {
            self.toggle_run();
        }
    }

    /// Opens the tab that the player was asked for, whatever text it has.
    pub(super) fn open_asked_tab(&mut self) {
        let tab = self.player.as_ref().and_then(|player| player.tab);
        if let Some(tab) = tab.filter(|tab| self.tabs().contains(tab)) {
            self.tab = tab;
        }
    }

    pub(super) fn change_quiz(&mut self, change: impl FnOnce(&mut Quiz)) {
        if let Some(quiz) = self.player.as_mut().and_then(|p| p.quiz.as_mut()) {
            change(quiz);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Action, Saved};
    use super::*;
    use lanewise_link::view;

    pub(in super::super) fn player(text: &str, asked: Asked) -> State {
        let mut state = State::new(Saved {
            text: Some(String::from(text)),
            embedded: true,
            ..Saved::default()
        });
        state.apply(Action::Embed(EmbedAction::Begin(asked)));
        state
    }

    fn panes(text: &str) -> State {
        let asked = Asked {
            panes: Some(String::from(text)),
            ..Asked::default()
        };
        player(lanewise_core::library::BUNDLED[0].text, asked)
    }

    #[test]
    fn a_player_shows_what_is_asked_for() {
        let usual = player(lanewise_core::library::BUNDLED[0].text, Asked::default());
        let shown = &usual.player().unwrap().panes;
        assert_eq!(shown, &[Pane::Picture, Pane::State]);
        let state = panes("registers, encoding,nothing,state outcomes");
        let player = state.player().unwrap();
        assert_eq!(player.panes, [Pane::State, Pane::Encoding, Pane::Outcomes]);
        assert_eq!(player.unknown, ["nothing"]);
        assert_eq!(state.tab(), Tab::Registers);
        assert_eq!(panes("slm").tab(), Tab::Local);
        assert!(panes("").player().unwrap().panes.is_empty());
    }

    fn linked(link: &str) -> State {
        let asked = Asked {
            link: String::from(link),
            ..Asked::default()
        };
        player("", asked)
    }

    #[test]
    fn the_scenario_comes_by_a_link_and_goes_on_by_one() {
        let mut link = Link {
            text: String::from(lanewise_core::library::named("order").unwrap().text),
            ..Link::default()
        };
        link.view.set_number(view::STEP, 3);
        let state = linked(&link.plain_fragment().unwrap());
        assert_eq!(*state.text(), *link.text);
        assert_eq!(state.execution().position, 3);
        assert_eq!(state.player().unwrap().broken, None);
        let address = page_address(&state.text());
        let again = Link::open(&address).unwrap();
        assert_eq!(again.text, link.text);
        link.view.set_number(view::STEP, 1_000_000_000);
        let end = linked(&link.plain_fragment().unwrap()).execution();
        assert!(end.at_end && end.position == 4);
    }

    #[test]
    fn a_broken_link_is_told() {
        for link in ["0abc", "nonsense", "9AAAA"] {
            let state = linked(link);
            assert!(state.player().unwrap().broken.is_some(), "{link}");
            assert_eq!(&*state.text(), "");
        }
    }

    #[test]
    fn a_page_of_its_own_is_no_player() {
        let mut state = State::new(Saved::default());
        assert!(!state.is_embedded() && state.player().is_none());
        state.apply(Action::Embed(EmbedAction::Check));
        assert!(state.player().is_none());
    }
}
