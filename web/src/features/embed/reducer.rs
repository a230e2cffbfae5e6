//! The player inside another page, as part of the state.

use super::{EmbedAction, Pane, Player, PlayerOptions};
use crate::store::{Slice, State};

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

    pub(crate) fn apply_embed(&mut self, action: EmbedAction) {
        if let EmbedAction::Begin(options) = action {
            self.begin(options);
            return;
        }
        let Some(quiz) = self.player.as_mut().and_then(|player| player.quiz.as_mut()) else {
            return;
        };
        let position = match action {
            EmbedAction::Begin(_) => None,
            EmbedAction::Answer(input) => {
                quiz.write(input);
                None
            }
            EmbedAction::Check => quiz.check(&self.session),
            EmbedAction::Show => quiz.show(&self.session),
            EmbedAction::Again => {
                quiz.ask_again();
                Some(0)
            }
        };
        if let Some(position) = position {
            self.look_ahead(position);
            self.seek(position);
        }
    }

    fn begin(&mut self, options: PlayerOptions) {
        let mut broken = None;
        if !options.link.is_empty() {
            let error = self.read_link(&options.link).err();
            broken = error.map(|error| error.to_string());
        }
        let runs = options.run && broken.is_none();
        let player = Player::new(options, self.family(), broken);
        let asks = player.quiz.is_some();
        if asks {
            self.seek(0);
        }
        self.player = Slice::new(Some(player));
        self.open_asked_tab();
        if runs && !asks {
            self.toggle_run();
        }
    }

    /// Opens the tab that the player was asked for, whatever text it has.
    pub(crate) fn open_asked_tab(&mut self) {
        let tab = self.player.as_ref().and_then(|player| player.tab);
        if let Some(tab) = tab.filter(|tab| self.tabs().contains(tab)) {
            self.panes.tab = tab;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::features::embed::{Pane, program_address};
    use crate::features::state::Tab;
    use crate::store::{Action, Saved};
    use lanewise_link::{Link, view};

    pub(crate) fn player(text: &str, asked: PlayerOptions) -> State {
        let mut state = State::new(Saved {
            text: Some(String::from(text)),
            embedded: true,
            ..Saved::default()
        });
        state.apply(Action::Embed(EmbedAction::Begin(asked)));
        state
    }

    fn panes(text: &str) -> State {
        let asked = PlayerOptions {
            panes: Some(String::from(text)),
            ..PlayerOptions::default()
        };
        player(lanewise_core::library::BUNDLED[0].text, asked)
    }

    #[test]
    fn a_player_shows_what_is_asked_for() {
        let usual = player(
            lanewise_core::library::BUNDLED[0].text,
            PlayerOptions::default(),
        );
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
        let asked = PlayerOptions {
            link: String::from(link),
            ..PlayerOptions::default()
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
        let address = program_address(&state.text());
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
