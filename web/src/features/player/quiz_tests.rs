//! Tests of quizzes against the runs of their programs.

use super::{PlayerOptions, QuizAction, Verdict};
use crate::features::player::reducer::tests::player;
use crate::features::transport::TransportAction;
use crate::store::{Action, State};
use lanewise_core::library::{BUNDLED, named};
use lanewise_link::{Link, view};
use std::fs;
use std::path::Path;

fn asked(text: &str, from: &str) -> State {
    let asked = PlayerOptions {
        quiz: Some(String::from("What?")),
        answer_from: Some(String::from(from)),
        ..PlayerOptions::default()
    };
    player(text, asked)
}

fn act(state: &mut State, action: QuizAction) {
    state.act(Action::Quiz(action));
}

fn shown(text: &str, from: &str) -> (Verdict, String, usize) {
    let mut state = asked(text, from);
    act(&mut state, QuizAction::Show);
    let quiz = state.player().unwrap().quiz.clone().unwrap();
    let reply = quiz.reply.unwrap();
    (reply.verdict, reply.text, state.transport().position)
}

#[test]
fn answers_come_from_the_run() {
    let text = |id: &str| named(id).unwrap().text;
    for (id, from, says, position) in [
        ("histogram", "lane 6 returned", "Lane 6 returns 1.", 7),
        ("histogram", "lane 6 new line 12", "Lane 6 leaves 2.", 7),
        ("histogram", "slm[4] : ud", "slm[4] : ud ends as 8.", 16),
        ("histogram", "V33[15]", "V33[15] ends as 7.", 16),
        ("order", "lane 1 old", "Lane 1 finds 13.", 2),
        ("atom-inc", "lane 3 returned", "Lane 3 returns 0.", 4),
        (
            "scatter-ra",
            "lane 2.A new as f",
            "Lane 2, channel A leaves -2.5.",
            6,
        ),
        ("two-eus", "lane EU1.0 returned", "Lane EU1.0 returns", 9),
        // Notation of earlier versions.
        ("two-eus", "EU1 lane 0 returned", "Lane EU1.0 returns", 9),
    ] {
        let (verdict, said, at) = shown(text(id), from);
        assert_eq!(verdict, Verdict::Shown, "{id} {from}: {said}");
        assert!(said.starts_with(says), "{id} {from}: {said}");
        assert_eq!(at, position, "{id} {from}");
    }
}

#[test]
fn run_pauses_behind_a_quiz() {
    let mut state = asked(BUNDLED[0].text, "lane 6 returned");
    act(&mut state, QuizAction::Show);
    state.act(Action::Transport(TransportAction::ToggleRun));
    assert!(state.stepping.running);
    act(&mut state, QuizAction::Again);
    assert!(!state.stepping.running);
    assert_eq!(state.transport().position, 0);
}

#[test]
fn answers_get_a_verdict() {
    let mut state = asked(BUNDLED[0].text, "lane 6 returned");
    let mut give = |given: &str| {
        act(&mut state, QuizAction::Again);
        act(&mut state, QuizAction::Answer(String::from(given)));
        let before = state.player().unwrap().quiz.clone().unwrap();
        assert!(!before.is_revealed() && before.reply.is_none());
        act(&mut state, QuizAction::Check);
        let reply = state.player().unwrap().quiz.clone().unwrap().reply.unwrap();
        (reply.verdict, reply.text, state.transport().position)
    };
    let right = String::from("Right. Lane 6 returns 1.");
    assert_eq!(give(" 1 "), (Verdict::Right, right.clone(), 7));
    assert_eq!(give("0x1"), (Verdict::Right, right, 7));
    let wrong = String::from("Not 2. Lane 6 returns 1.");
    assert_eq!(give("2"), (Verdict::Wrong, wrong, 7));
    for given in ["", "one", "-1", "1 2"] {
        let (verdict, text, at) = give(given);
        assert_eq!((verdict, at), (Verdict::Unreadable, 0), "{given}: {text}");
    }
}

#[test]
fn answers_compare_by_value() {
    let text = named("scatter-ra").unwrap().text;
    let mut state = asked(text, "lane 2.A new as f");
    act(&mut state, QuizAction::Answer(String::from("-2.50")));
    act(&mut state, QuizAction::Check);
    let reply = state.player().unwrap().quiz.clone().unwrap().reply.unwrap();
    assert_eq!(reply.verdict, Verdict::Right, "{}", reply.text);
}

#[test]
fn invalid_question_is_reported() {
    for from in [
        "",
        "lane",
        "lane 99 returned",
        "lane 3",
        "lane 3 took",
        "lane 3.X new",
        "EU1 lane 3 returned",
        "lane EU1.3 returned",
        "EU1 lane EU1.3 returned",
        "lane EU1 returned",
        "lane EUx.3 returned",
        "lane 3 returned line",
        "lane 3 returned line 1",
        "lane 3 returned twice",
        "lane 3 returned as x",
        "slm[0x10000] : ud",
        "V99[0]",
        "lane -1 old",
    ] {
        let (verdict, said, _) = shown(BUNDLED[0].text, from);
        assert_eq!(verdict, Verdict::Broken, "{from}: {said}");
    }
    let (verdict, ..) = shown("nonsense here", "lane 0 returned");
    assert_eq!(verdict, Verdict::Broken);
}

/// The answer is shown at the step that produces it, whether a step is a lane
/// or a channel of a stage.
#[test]
fn answer_is_shown_for_any_step_size() {
    let text = format!(
        "{}\n.slm 64\n.decl V40 v_type=G type=ud num_elts=8 align=GRF\n\
         .decl V41 v_type=G type=ud num_elts=8 align=GRF\n\
         dword_atomic.inc (M1, 4) %slm V40.0 %null.0 %null.0 V41.0\n",
        named("dpasw-int8").unwrap().text
    );
    for (stride, from) in [
        ("effect", "V32[0]"),
        ("channel", "V32[0]"),
        ("channel", "lane 3 returned"),
    ] {
        let mut link = Link {
            text: text.clone(),
            ..Link::default()
        };
        link.view.set(view::STRIDE, stride);
        let mut state = State::new_player(PlayerOptions {
            link: Some(link.plain_fragment().unwrap()),
            quiz: Some(String::from("What?")),
            answer_from: Some(String::from(from)),
            ..PlayerOptions::default()
        });
        act(&mut state, QuizAction::Show);
        if from == "V32[0]" {
            assert!(state.transport().at_end, "{stride} {from}");
        } else {
            let summary = state.transport().summary;
            assert!(
                summary.starts_with("Lane EU0.3: slm"),
                "{stride} {from}: {summary}"
            );
        }
    }
}

/// Checks the quizzes of the guide: the documented answer follows each
/// question.
#[test]
fn guide_answers_match_the_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let page = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        for piece in source.split("\n```lanewise ").skip(1) {
            let (info, rest) = piece.split_once('\n').unwrap();
            let (text, rest) = rest.split_once("\n```\n").unwrap();
            let attribute = |name: &str| {
                let (_, rest) = info.split_once(&format!("{name}=\""))?;
                Some(rest.split_once('"')?.0)
            };
            let Some(question) = attribute("quiz") else {
                continue;
            };
            count += 1;
            let behind = rest.split("\n```").next().unwrap();
            let wanted = behind
                .split_once("<!-- answers: ")
                .and_then(|(_, rest)| rest.split_once(" -->"))
                .map(|(wanted, _)| wanted)
                .unwrap_or_else(|| panic!("{page}: no answer follows {question}"));
            let from = attribute("answer-from").unwrap();
            let mut state = asked(&format!("{text}\n"), from);
            act(&mut state, QuizAction::Answer(String::from(wanted)));
            act(&mut state, QuizAction::Check);
            let reply = state.player().unwrap().quiz.clone().unwrap().reply.unwrap();
            assert_eq!(
                reply.verdict,
                Verdict::Right,
                "{page}: {question} {}",
                reply.text
            );
        }
    }
    assert!(count >= 5, "{count} questions");
}
