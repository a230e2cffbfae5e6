use super::*;
use crate::features::program::BreakpointAction;
use crate::features::share::ShareAction;
use crate::features::share::model::table::{lanes_table, state_table};
use crate::features::state::{MemoryAction, MemoryFormat, StateAction, Tab};
use crate::features::transport::TransportAction;
use crate::store::{Action, Saved, State};
use lanewise_answer::table::{ExportTable, json, texts};
use lanewise_core::library::named;
use lanewise_core::number::ElementType;
use lanewise_link::Link;
use lanewise_saved::Settings;

fn share(state: &mut State, action: ShareAction) {
    state.act(action);
}

/// Link to the current view.
fn link(state: &mut State) -> Rc<str> {
    share(state, ShareAction::MakeLink);
    let made = state.share.link.clone().unwrap();
    made.unwrap()
}

fn format(tab: Tab, ty: Option<ElementType>, hex: bool) -> Action {
    Action::StatePane(StateAction::Memory(
        tab.memory().expect("the tab of a memory"),
        MemoryAction::Format(MemoryFormat { ty, hex }),
    ))
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
    share(&mut there, ShareAction::Open(fragment.to_string()));
    assert_eq!(there.notice(), None);
    let breakpoints = here.source.breakpoints.numbered();
    assert_eq!(there.source.breakpoints.numbered(), breakpoints);
    assert!(!breakpoints[0].1.is_empty());
    // A breakpoint does not lose a condition that cannot be read.
    let mut broken = Link::read(&fragment).unwrap();
    assert!(broken.view.set("if-2", "x"));
    let mut without = State::new(Saved::default());
    share(&mut without, ShareAction::Open(broken.fragment().unwrap()));
    assert!(without.notice().is_some());
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
    share(&mut state, ShareAction::Open(there.fragment().unwrap()));
    assert_eq!(state.session.position(), 4);
    let notice = state.notice().cloned().unwrap();
    assert!(!notice.is_error);
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
    share(&mut state, ShareAction::Open(there.fragment().unwrap()));
    assert!(state.session.at_end());
}

/// Rows of a table as written in Markdown and CSV.
fn rows(table: &ExportTable) -> Vec<Vec<&str>> {
    table.rows.iter().map(|row| texts(row)).collect()
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
                share(&mut state, ShareAction::ChooseExport(export));
                share(&mut state, ShareAction::Export(Destination::Download));
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

#[test]
fn json_keeps_numbers() {
    let mut state = State::of_scenario("histogram");
    state.act(TransportAction::Step);
    let lanes: serde_json::Value = serde_json::from_str(&json(&lanes_table(&state))).unwrap();
    assert_eq!(lanes[0]["Order"], 0);
    assert_eq!(lanes[0]["Address"], "0x0");
    assert_eq!(lanes[0]["Old"], 0);
    assert_eq!(lanes[1]["Old"], serde_json::Value::Null, "not finished");
    // Readers that only support doubles would alter these values.
    let text = ".region svm 0x1000 16\n.init svm[0x1000] : uq = 0xffffffffffffffff\n";
    let mut state = State::of_text(text);
    state.act(StateAction::Tab(Tab::Virtual));
    state.act(format(Tab::Virtual, Some(ElementType::Uq), false));
    let memory: serde_json::Value = serde_json::from_str(&json(&state_table(&state))).unwrap();
    assert_eq!(memory[0]["0"], "18446744073709551615");
    let text = ".region svm 0x1000 16\n.init svm[0x1000] : ud = 0x7f800000, 0x3fc00000\n";
    let mut state = State::of_text(text);
    state.act(StateAction::Tab(Tab::Virtual));
    state.act(format(Tab::Virtual, Some(ElementType::F), false));
    let memory: serde_json::Value = serde_json::from_str(&json(&state_table(&state))).unwrap();
    assert_eq!(
        (&memory[0]["0"], &memory[0]["4"]),
        (&"inf".into(), &1.5.into())
    );
}

#[test]
fn exported_rows_have_their_addresses() {
    let text = ".region svm 0x10006 60\n.init svm[0x10006] : ub = 1, 2, 3\n.init svm[0x10028] : ud = 7\n\
                .decl V32 v_type=G type=uq num_elts=1 align=qword\n.init V32 = 0x10028\n\
                svm_atomic.inc (M1, 1) V32.0 %null.0 %null.0 %null.0\n";
    let mut state = State::of_text(text);
    state.act(StateAction::Tab(Tab::Virtual));
    state.act(format(Tab::Virtual, Some(ElementType::Ud), false));
    let table = state_table(&state);
    let table = rows(&table);
    assert_eq!(table[0][..], ["svm", "0x10000", "", "", "3", "0"]);
    assert_eq!(table[1][..], ["svm", "0x10020", "0", "0", "7", "0"]);
    state.act(format(Tab::Virtual, Some(ElementType::Ub), false));
    let table = state_table(&state);
    let table = rows(&table);
    assert_eq!(
        table[0][1..],
        [
            "0x10000", "", "", "", "", "", "", "1", "2", "3", "0", "0", "0", "0", "0", "0", "0"
        ]
    );
}

#[test]
fn last_rows_of_the_address_space_are_exported() {
    let text = ".region svm 0xfffffffffffffff0 16\n.init svm[0xfffffffffffffffc] : ud = 7\n";
    let mut state = State::of_text(text);
    state.act(StateAction::Tab(Tab::Virtual));
    state.act(format(Tab::Virtual, Some(ElementType::Ud), false));
    let table = state_table(&state);
    assert_eq!(
        rows(&table),
        [["svm", "0xfffffffffffffff0", "0", "0", "0", "7"]]
    );
}

#[test]
fn memory_table_reports_truncation() {
    let table = |rows: usize| {
        let text = format!(
            ".region svm 0x10000 {}\n.init svm[0x10000] : ud = iota(1, 1)\n",
            rows * 16
        );
        let mut state = State::of_text(&text);
        assert!(state.can_run(), "{:?}", state.source.problems);
        state.act(StateAction::Tab(Tab::Virtual));
        state_table(&state)
    };
    let most = 16_384;
    let last = |table: &ExportTable| rows(table).last().unwrap()[0].to_owned();
    let whole = table(most);
    assert_eq!((whole.rows.len(), &*last(&whole)), (most, "svm"));
    let cut = table(most + 1);
    assert_eq!((cut.rows.len(), &*last(&cut)), (most + 1, "…"));
}
