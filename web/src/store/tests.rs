//! Reducer tests that need no browser.

use crate::features::encoding::EncodingAction;
use crate::features::outcomes::OutcomesAction;
use crate::features::picker::{ListKind, PickerAction};
use crate::features::program::{Draft, Origin, ProgramAction};
use crate::features::screen::{DrawerTab, ScreenAction, Theme};
use crate::features::state::StateAction;
use crate::features::state::inputs::tests::{rows, values};
use crate::features::state::inspect::InspectAction;
use crate::features::transport::TransportAction;
use crate::store::{Action, Saved, State};
use lanewise_answer::grids::{MemoryKind, Place, Tab};
use lanewise_answer::lanes::LanesTable;
use lanewise_core::library::named;
use lanewise_core::machine::SpaceId;
use std::rc::Rc;

fn page() -> State {
    State::new(Saved::default())
}

fn position(state: &State) -> usize {
    state.session.position()
}

fn memory_values(state: &State, kind: MemoryKind, count: usize) -> Vec<String> {
    values(&rows(state, Tab::of_memory(kind, state.facts())), count)
}

#[test]
fn draft_of_a_removed_scenario_is_a_saved_text() {
    let mut state = State::new(Saved {
        drafts: vec![Draft {
            scenario: Rc::from("gone"),
            text: Rc::from(".slm 64\n"),
            time: 0.0,
        }],
        ..Saved::default()
    });
    state.act(ProgramAction::RestoreDraft(0));
    assert_eq!(&*state.text(), ".slm 64\n");
    assert_eq!(state.source.origin, Origin::Kept);
    assert!(!state.source.is_edited() && state.address().is_none());
    let again = State::new(Saved {
        text: Some(state.text().to_string()),
        scenario: Some(state.source.origin.id().to_owned()),
        ..Saved::default()
    });
    assert_eq!(again.source.origin, Origin::Kept);
}

#[test]
fn drafts_are_restored_to_their_scenario() {
    let mut state = page();
    let mut mine = Vec::new();
    for id in ["lock", "order", "atom-cas"] {
        state.act(ProgramAction::Choose(named(id).unwrap()));
        mine.push(format!("{}// {id}\n", state.text()));
        let text = mine.last().unwrap().clone();
        state.act(ProgramAction::Edit(text));
    }
    for (id, mine) in ["lock", "order", "atom-cas"].into_iter().zip(mine) {
        state.act(ProgramAction::Choose(named(id).unwrap()));
        state.act(ProgramAction::RestoreEdits);
        assert_eq!(*state.text(), *mine);
    }
}

#[test]
fn actions_share_unchanged_slices() {
    let slices = |before: &State, after: &State| {
        [
            ("source", before.source == after.source),
            ("session", before.session == after.session),
            ("machine", before.state_view == after.state_view),
            ("encoding", before.encoding == after.encoding),
            ("outcomes", before.outcomes == after.outcomes),
            ("picker", before.picker == after.picker),
            ("share", before.share == after.share),
        ]
        .into_iter()
        .filter_map(|(name, is_same)| (!is_same).then_some(name))
        .collect::<Vec<_>>()
    };
    let start = page();
    for (action, changed) in [
        (Action::Theme(Theme::Dark), &[][..]),
        (
            Action::Screen(ScreenAction::OpenTab(DrawerTab::Explain)),
            &[],
        ),
        (Action::Transport(TransportAction::ToggleRun), &[]),
        (
            Action::Picker(PickerAction::Open(ListKind::Scenarios)),
            &["picker"],
        ),
        (
            Action::Encoding(EncodingAction::Paste(String::from("7d"))),
            &["encoding"],
        ),
        (
            Action::StatePane(StateAction::Tab(Tab::Registers)),
            &["machine"],
        ),
        (
            Action::Outcomes(OutcomesAction::Value(String::from("7"))),
            &["outcomes"],
        ),
        (
            Action::Transport(TransportAction::Step),
            &["session", "machine"],
        ),
    ] {
        let mut state = start.clone();
        state.act(action.clone());
        assert_eq!(slices(&start, &state), changed, "{action:?}");
        assert_eq!(position(&start), 0);
        assert_eq!(memory_values(&start, MemoryKind::Local, 1), ["0"]);
    }
}

#[test]
fn any_text_is_accepted() {
    let mut state = page();
    for text in [
        "",
        "\r\n\r",
        "\u{feff}ä🦀\n.init",
        ".slm 99999999999",
        "dword_atomic",
        "/*",
        "\"",
        "\0",
    ] {
        state.act(ProgramAction::Edit(text.to_owned()));
        for action in [
            Action::Transport(TransportAction::Step),
            Action::Transport(TransportAction::ToEnd),
            Action::Transport(TransportAction::ToggleRun),
            Action::Transport(TransportAction::Tick { slices: 1 }),
            Action::Transport(TransportAction::Reset),
        ] {
            state.act(action);
        }
        state.act(ProgramAction::Fix(0));
        let _ = (
            LanesTable::of(&state.session),
            rows(&state, Tab::Registers),
            state.transport(),
        );
    }
}

#[test]
fn crash_notice_lasts_until_an_edit_or_step() {
    fn inspect(state: &mut State, action: InspectAction) {
        state.act(StateAction::Inspect(action));
    }
    let ends: [fn(&mut State); 5] = [
        |state| {
            inspect(state, InspectAction::Open(Place::new(SpaceId::SLM, 0)));
            inspect(state, InspectAction::ToNextWrite);
        },
        |state| state.act(TransportAction::ToggleRun),
        |state| state.act(ProgramAction::RestoreEdits),
        |state| state.act(ProgramAction::Edit(String::from(".slm 64\n"))),
        |state| state.act(TransportAction::Step),
    ];
    for end in ends {
        let mut state = State::new(Saved {
            set_aside_after_crash: true,
            drafts: vec![Draft {
                scenario: Rc::from("lock"),
                text: Rc::from(".slm 128\n"),
                time: 0.0,
            }],
            ..Saved::default()
        });
        let tells = |state: &State| {
            state
                .transport()
                .summary
                .starts_with("Your last program crashed")
        };
        assert!(tells(&state));
        end(&mut state);
        assert!(!tells(&state), "{}", state.transport().summary);
    }
}
