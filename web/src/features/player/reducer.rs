use super::{Player, PlayerOptions};
use crate::store::{Saved, Slice, State};
use lanewise_answer::grids::Tab;
use lanewise_saved::Settings;

impl State {
    /// State of an embedded player with the options in its address. It neither
    /// reads nor writes browser storage.
    pub(crate) fn new_player(options: PlayerOptions) -> Self {
        let mut state = Self::new(Saved {
            // Run nothing else, even if the linked program has errors.
            text: options.link.is_some().then(String::new),
            settings: Settings {
                plain: true,
                // The player has no settings to turn them off.
                single_keys: false,
                ..Settings::default()
            },
            ..Saved::default()
        });
        let link = options.link.as_deref();
        // There is no draft to save yet, so the time is irrelevant.
        let broken = link.and_then(|link| state.show_address(link, 0.0).err());
        let runs = options.run && broken.is_none();
        let player = Player::new(options, state.facts(), broken);
        let is_usual = state.stepping.step_size == state.usual_step_size();
        state.player = Some(Slice::new(player));
        if is_usual {
            state.restore_step_size();
        }
        state.open_requested_tab();
        if runs {
            state.toggle_run();
        }
        state.update_derived();
        state
    }

    /// The player, if the page is embedded.
    pub(crate) fn player(&self) -> Option<&Player> {
        self.player.as_deref()
    }

    /// Whether the text is read-only, as set by the embedding page.
    pub(crate) fn is_read_only(&self) -> bool {
        self.player.as_ref().is_some_and(|player| player.readonly)
    }

    /// Whether the page is an embedded player.
    pub(crate) fn is_player(&self) -> bool {
        self.player.is_some()
    }

    pub(crate) fn open_requested_tab(&mut self) {
        let tab = self.player().and_then(|player| player.tab);
        if let Some(tab) = tab.filter(|tab| Tab::all(self.session.program()).contains(tab)) {
            self.state_view.grid.tab = tab;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::components::reorder::LaneMove;
    use crate::features::encoding::EncodingAction;
    use crate::features::outcomes::OutcomesAction;
    use crate::features::player::{Pane, program_address};
    use crate::features::program::ProgramAction;
    use crate::store::Action;
    use lanewise_answer::access::AccessModel;
    use lanewise_answer::decoding::bytes_text;
    use lanewise_core::library::BUNDLED;
    use lanewise_link::{Link, view};

    pub(crate) fn player(text: &str, asked: PlayerOptions) -> State {
        let link = Link {
            text: String::from(text),
            ..Link::default()
        };
        State::new_player(PlayerOptions {
            link: Some(link.plain_fragment().unwrap()),
            ..asked
        })
    }

    fn panes(text: &str) -> State {
        let asked = PlayerOptions {
            panes: Some(String::from(text)),
            ..PlayerOptions::default()
        };
        player(BUNDLED[0].text, asked)
    }

    #[test]
    fn player_shows_the_requested_panes() {
        let usual = player(BUNDLED[0].text, PlayerOptions::default());
        let shown = &usual.player().unwrap().panes;
        assert_eq!(shown, &[Pane::Stage, Pane::State]);
        let state = panes("registers, encoding,nothing,state outcomes");
        let player = state.player().unwrap();
        assert_eq!(player.panes, [Pane::State, Pane::Encoding, Pane::Outcomes]);
        assert_eq!(player.unknown, ["nothing"]);
        assert_eq!(state.state_view.grid.tab, Tab::Registers);
        assert_eq!(panes("slm").state_view.grid.tab, Tab::Local);
        assert!(panes("").player().unwrap().panes.is_empty());
    }

    #[test]
    fn read_only_text_cannot_be_changed() {
        let asked = PlayerOptions {
            readonly: true,
            ..PlayerOptions::default()
        };
        let mut state = player(BUNDLED[0].text, asked);
        let before = (state.text(), state.position().step);
        let lane = AccessModel::of(&state.session).unwrap().in_order()[1];
        let program = state.session.program();
        let encoding = program.instructions[0].instruction.encode();
        let bytes = bytes_text(
            encoding.bytes(),
            program.symbols.target.facts().encoding_unit,
        );
        let example = [String::from("Another"), String::from(BUNDLED[1].text)];
        let [title, text] = example;
        for action in [
            Action::Program(ProgramAction::Edit(String::from("nonsense"))),
            Action::Program(ProgramAction::OpenExample(title, text)),
            Action::Outcomes(OutcomesAction::Move(LaneMove { lane, to: 0 })),
            Action::Encoding(EncodingAction::Paste(bytes)),
            Action::Encoding(EncodingAction::Insert),
        ] {
            state.act(action.clone());
            let now = (state.text(), state.position().step);
            assert_eq!(now, before, "{action:?}");
        }
    }

    fn linked(link: &str) -> State {
        State::new_player(PlayerOptions {
            link: Some(String::from(link)),
            ..PlayerOptions::default()
        })
    }

    #[test]
    fn player_opens_and_creates_links() {
        let mut link = Link {
            text: String::from(lanewise_core::library::named("order").unwrap().text),
            ..Link::default()
        };
        link.view.set_number(view::STEP, 3);
        let state = linked(&link.plain_fragment().unwrap());
        assert_eq!(*state.text(), *link.text);
        assert_eq!(state.session.position(), 3);
        assert_eq!(state.player().unwrap().broken, None);
        let address = program_address(&state.text()).unwrap();
        let again = Link::open(&address).unwrap();
        assert_eq!(again.text, link.text);
        link.view.set_number(view::STEP, 1_000_000_000);
        let end = linked(&link.plain_fragment().unwrap()).session;
        assert!(end.at_end() && end.position() == 4);
    }

    #[test]
    fn oversized_text_has_no_address() {
        let long = "// long\n".repeat(40_000);
        let why = program_address(&long).unwrap_err();
        assert!(why.contains("256 KB"), "{why}");
    }

    #[test]
    fn bundled_scenario_opens_by_address() {
        let state = linked("scenario=lock");
        assert_eq!(state.source.origin.id(), "lock");
        assert!(state.source.drafts.is_empty());
        let broken = linked("scenario=none").player().unwrap().broken.clone();
        assert_eq!(broken.unwrap(), "unknown scenario “none”");
    }

    #[test]
    fn player_with_errors_runs_nothing() {
        let state = player("nonsense here", PlayerOptions::default());
        assert!(!state.can_run());
        assert!(state.session.program().instructions.is_empty());
    }
}
