use super::*;
use crate::features::notice::NoticeKind;
use crate::features::program::BreakpointAction;
use crate::features::share::ShareAction;
use crate::features::transport::TransportAction;
use crate::store::{Saved, State};
use lanewise_core::library::named;
use lanewise_link::Link;
use lanewise_saved::Settings;

/// Link to the current view.
fn link(state: &mut State) -> Rc<str> {
    state.act(ShareAction::MakeLink);
    let made = state.share.link.clone().unwrap();
    made.unwrap()
}

#[test]
fn links_and_saved_settings_contain_conditions_of_breakpoints() {
    let text = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
                dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0\n";
    let mut here = State::of_text(text);
    here.act(BreakpointAction::Toggle(1));
    let condition = BreakpointAction::Condition(1, Rc::from("V32(0,5) > 100, \"ß\""));
    here.act(condition);
    let fragment = link(&mut here);
    let mut there = State::new(Saved::default());
    there.act(ShareAction::Open(fragment.to_string()));
    assert_eq!(there.notices.shown, None);
    let breakpoints = here.source.breakpoints.numbered();
    assert_eq!(there.source.breakpoints.numbered(), breakpoints);
    assert!(!breakpoints[0].1.is_empty());
    // A breakpoint does not lose a condition that cannot be read.
    let mut broken = Link::read(&fragment).unwrap();
    assert!(broken.view.set("if-2", "x"));
    let mut without = State::new(Saved::default());
    without.act(ShareAction::Open(broken.fragment().unwrap()));
    assert!(without.notices.shown.is_some());
    assert_eq!(without.source.breakpoints.numbered(), []);
    let again = State::new(Saved {
        text: Some(text.to_owned()),
        settings: Settings {
            breakpoints: breakpoints.clone(),
            ..Settings::default()
        },
        ..Saved::default()
    });
    assert_eq!(again.source.breakpoints.numbered(), breakpoints);
}

#[test]
fn settings_without_room_in_a_link_are_named() {
    let mut state = State::of_scenario("lock");
    let line = state.session.program().instructions[0].line;
    for (text, omitted) in [("x".repeat(97), 1), (String::from("lane 3"), 0)] {
        state.act(BreakpointAction::Condition(line, text.into()));
        link(&mut state);
        assert_eq!(
            state.share.omitted.len(),
            omitted,
            "{:?}",
            state.share.omitted
        );
    }
}

#[test]
fn unknown_link_fields_are_reported() {
    let mut state = State::new(Saved::default());
    let mut there = Link {
        text: named("lock").unwrap().text.to_owned(),
        ..Link::default()
    };
    let fields = [
        ("step", "4"),
        ("wings", "folded"),
        ("tab", "cupboard"),
        ("slm", "zz"),
        ("registers", "roman"),
        ("element", "0.9.1"),
    ];
    for (name, value) in fields {
        there.view.set(name, value);
    }
    state.act(ShareAction::Open(there.fragment().unwrap()));
    assert_eq!(state.session.position(), 4);
    let notice = state.notices.shown.clone().unwrap();
    assert_eq!(notice.kind, NoticeKind::Info);
    for (name, value) in &fields[1..] {
        assert!(
            notice.text.contains(&format!("{name} = {value}")),
            "{}",
            notice.text
        );
    }
    // Steps beyond the end are clamped to the last.
    there.view = lanewise_link::View::default();
    there.view.set("step", "4000000000");
    state.act(ShareAction::Open(there.fragment().unwrap()));
    assert!(state.session.at_end());
}

#[test]
fn distinct_exports_have_distinct_names() {
    let mut state = State::of_scenario("histogram");
    let mut names = std::collections::BTreeSet::new();
    let mut exports = 0;
    for _ in 0..2 {
        for subject in state.exports() {
            for &format in subject.formats() {
                let export = Export { subject, format };
                state.act(ShareAction::ChooseExport(export));
                state.act(ShareAction::Export(Destination::Download));
                let delivery = state.share.delivery.clone().unwrap().value;
                names.insert(delivery.file_name.clone());
                exports += 1;
            }
        }
        state.act(TransportAction::Step);
    }
    assert!(
        names.contains("histogram-with-conflicts-lanes-step-1.csv"),
        "{names:?}"
    );
    // Step-independent exports: the run and the program, whose three spellings
    // share one name.
    let at_each_step = 1 + 3;
    assert_eq!(names.len(), exports - at_each_step - 2);
}
