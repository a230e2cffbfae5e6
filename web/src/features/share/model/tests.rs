use super::export::Spelling;
use super::*;
use crate::features::files::FilesAction;
use crate::features::program::{BreakpointAction, EditorAction, ProgramAction};
use crate::features::screen::{DialogKind, DrawerTab, ScreenAction};
use crate::features::share::ShareAction;
use crate::features::share::model::table::{
    ExportCell, ExportTable, csv, json, lanes_table, markdown, state_table, texts,
};
use crate::features::stage::matrix::MatrixAction;
use crate::features::state::StateAction;
use crate::features::state::inspect::InspectAction;
use crate::features::state::place::Place;
use crate::features::state::{MemoryAction, MemoryFormat, RegisterFormat, Tab};
use crate::features::transport::Stride;
use crate::features::transport::TransportAction;
use crate::store::State;
use crate::store::{Action, Saved};
use lanewise_core::isa::Style;
use lanewise_core::library::{BUNDLED, KERNELS, named};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_link::{Link, view};
use lanewise_web::compiler_files;

fn open(text: Option<&str>) -> State {
    State::new(Saved {
        text: text.map(str::to_owned),
        ..Saved::default()
    })
}

fn share(state: &mut State, action: ShareAction) {
    state.act(Action::Share(action));
}

fn open_file(state: &mut State, text: &str) {
    let (name, bytes) = (Rc::from("a.lanewise"), Rc::from(text.as_bytes()));
    let contents = compiler_files::read(&name, &bytes).map(|(contents, _)| Rc::new(contents));
    state.act(Action::Files(FilesAction::Read(name, bytes)));
    // The answer of the worker.
    let count = state.files.count;
    state.act(Action::Files(FilesAction::Contents(count, contents)));
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
fn link_restores_text_and_view() {
    for scenario in BUNDLED {
        let mut here = open(Some(scenario.text));
        for _ in 0..5 {
            here.act(Action::Transport(TransportAction::Step));
        }
        let last = *Tab::all(here.session.program()).last().unwrap();
        here.act(Action::StatePane(StateAction::Tab(last)));
        here.act(Action::StatePane(StateAction::RegisterFormat(
            RegisterFormat::Hex,
        )));
        here.act(format(last, Some(ElementType::Uw), true));
        here.act(Action::Matrix(MatrixAction::ByTable(true)));
        here.act(Action::Matrix(MatrixAction::ByRegister(true)));
        let fragment = link(&mut here);
        let most = if scenario.topic == KERNELS { 4000 } else { 800 };
        assert!(
            fragment.len() <= most,
            "{}: {}",
            scenario.id,
            fragment.len()
        );
        let mut there = open(None);
        share(&mut there, ShareAction::Open(fragment.to_string()));
        assert_eq!(there.notice(), None, "{}", scenario.id);
        assert_eq!(there.text(), here.text());
        assert_eq!(there.transport(), here.transport());
        assert_eq!(
            (there.state_view.tab, there.state_view.register_format),
            (last, RegisterFormat::Hex)
        );
        // A link omits formats of a memory that does not exist.
        let notation = |state: &State| {
            let kind = last.memory()?;
            let has_regions = !state.state_inputs().regions(kind).is_empty();
            has_regions.then(|| state.state_view.memories[kind].notation())
        };
        assert_eq!(notation(&there), notation(&here), "{}", scenario.id);
        assert_eq!(there.look, here.look);
        assert_eq!(there.address(), Some(Rc::clone(&fragment)));
        assert_eq!(
            link(&mut there),
            fragment,
            "a link to the result of a link is unchanged"
        );
    }
}

/// The inspected cell and watched cells.
fn looked_at(state: &State) -> (Option<Place>, Vec<Place>) {
    let inspect = &state.state_view.inspect;
    (inspect.chosen(), inspect.watches().to_vec())
}

#[test]
fn link_contains_cells_stride_formats_and_editor() {
    let mut here = open(Some(named("dpasw-int8").unwrap().text));
    for _ in 0..3 {
        here.act(Action::Transport(TransportAction::Step));
    }
    here.act(Action::Transport(TransportAction::Stride(Stride::Channel)));
    here.act(Action::Transport(TransportAction::Step));
    let at = here.transport().position;
    assert!(at > 4, "channels are counted: {at}");
    let select = |address| {
        let place = Place::new(SpaceId::registers(0), address);
        Action::StatePane(StateAction::Inspect(InspectAction::Select(place)))
    };
    here.act(select(0));
    here.act(Action::StatePane(StateAction::Inspect(
        InspectAction::Watch,
    )));
    here.act(select(36));
    here.act(Action::Editor(EditorAction::Plain(true)));
    let cells = looked_at(&here);
    assert!(cells.0.is_some() && cells.1.len() == 1);
    let fragment = link(&mut here);
    // A reader with other settings.
    let mut there = open(None);
    there.act(Action::StatePane(StateAction::RegisterFormat(
        RegisterFormat::Half,
    )));
    there.act(format(Tab::Local, None, true));
    share(&mut there, ShareAction::Open(fragment.to_string()));
    assert_eq!(there.notice(), None);
    assert_eq!(there.transport(), here.transport());
    assert_eq!(looked_at(&there), cells);
    assert_eq!(there.state_view.register_format, RegisterFormat::Declared);
    assert!(there.source.editor.plain && !there.source.editor.keeps_plain());
    assert_eq!(link(&mut there), fragment);
    // A link without view options restores the defaults.
    let plain = link(&mut open(Some(named("lock").unwrap().text)));
    share(&mut there, ShareAction::Open(plain.to_string()));
    assert_eq!(looked_at(&there), (None, Vec::new()));
    assert_eq!(there.stepping.stride, Stride::Access);
    assert_eq!(there.state_view.formats(), None);
    assert!(
        there.source.editor.plain,
        "plain text stays selected until the user changes it"
    );
}

#[test]
fn memory_format_defaults_to_the_used_type() {
    let mut here = open(Some(named("float-max").unwrap().text));
    let fragment = link(&mut here);
    let view = Link::read(&fragment).unwrap().view;
    assert_eq!(view.get(here.state_view.tab.key()), None);
    here.act(format(here.state_view.tab, None, true));
    let view = Link::read(&link(&mut here)).unwrap().view;
    assert_eq!(view.get(here.state_view.tab.key()), Some("used.hex"));
    // A chosen type is included, even if it equals the default.
    let kind = here.state_view.tab.memory().unwrap();
    let ty = here.state_view.memories[kind].notation().ty;
    here.act(format(here.state_view.tab, Some(ty), false));
    let view = Link::read(&link(&mut here)).unwrap().view;
    assert_eq!(view.get(here.state_view.tab.key()), Some(ty.name()));
}

#[test]
fn link_can_select_a_style() {
    let mut state = open(None);
    let mut there = Link {
        text: named("order").unwrap().text.to_owned(),
        ..Link::default()
    };
    there.view.set("style", "document");
    there.view.set("cell", "slm:0,slm:zz");
    there.view.set("watch", "slm:0,r1:ffff");
    share(&mut state, ShareAction::Open(there.fragment().unwrap()));
    assert!(state.text().contains("DWORD_ATOMIC.XCHG (4) T0 "));
    assert!(!state.is_edited());
    assert_eq!(
        (state.source.caret, state.formatted()),
        (None, None),
        "not an edit"
    );
    assert_eq!(state.state_view.inspect.watches().len(), 1);
    let notice = state.notice().cloned().unwrap();
    assert!(
        notice.text.contains("watch = slm:0,r1:ffff"),
        "{}",
        notice.text
    );
    assert!(
        notice.text.contains("cell = slm:0,slm:zz"),
        "{}",
        notice.text
    );
}

#[test]
fn link_keeps_the_previous_text_as_a_draft() {
    let mut state = open(None);
    let fragment = link(&mut open(Some(named("lock").unwrap().text)));
    state.act(Action::Program(ProgramAction::Edit("// mine\n".into())));
    share(&mut state, ShareAction::Open(fragment.to_string()));
    assert_eq!(&*state.text(), named("lock").unwrap().text);
    assert!(!state.is_edited());
    assert_eq!(state.source.origin.id(), "link");
    // Another link does not evict it.
    let other = link(&mut open(Some("// other\n")));
    share(&mut state, ShareAction::Open(other.to_string()));
    state.act(Action::Program(ProgramAction::RestoreDraft(1)));
    assert_eq!(&*state.text(), "// mine\n");
    // The text of a link is kept in turn, with a link as its origin.
    state.act(Action::Program(ProgramAction::RestoreDraft(0)));
    assert_eq!(
        (&*state.text(), state.source.origin.id()),
        ("// other\n", "link")
    );
}

#[test]
fn link_to_the_same_text_is_opened() {
    let mut state = open(Some(named("lock").unwrap().text));
    let other = link(&mut open(Some(named("lock").unwrap().text)));
    let line = state.current_line().unwrap();
    state.act(Action::Breakpoint(BreakpointAction::Toggle(line)));
    state.act(Action::Transport(TransportAction::Step));
    state.act(Action::Transport(TransportAction::ToggleRun));
    assert!(state.stepping.running);
    let opened = state.source.opened;
    share(&mut state, ShareAction::Open(other.to_string()));
    assert!(!state.stepping.running);
    assert!(state.source.breakpoints.lines().is_empty());
    assert_eq!(state.transport().position, 0);
    // The editor keeps its history.
    assert_eq!(state.source.opened, opened);
    // Likewise for a file.
    state.act(Action::Transport(TransportAction::ToggleRun));
    open_file(&mut state, named("lock").unwrap().text);
    assert!(!state.stepping.running && state.transport().position == 0);
}

#[test]
fn linked_text_keeps_its_address() {
    let mut state = open(None);
    let first = link(&mut open(Some("// first\n")));
    let second = link(&mut open(Some("// second\n")));
    share(&mut state, ShareAction::Open(first.to_string()));
    state.act(Action::Program(ProgramAction::Edit("// mine\n".into())));
    assert_eq!(state.origin_address(), Some(Rc::clone(&first)));
    assert_eq!(state.address(), None);
    state.act(Action::Program(ProgramAction::ResetText));
    assert_eq!(state.origin_address(), Some(Rc::clone(&first)));
    assert_eq!(state.address(), Some(first));
    // A link to the edited text makes that text the origin.
    state.act(Action::Program(ProgramAction::Edit("// both\n".into())));
    let both = link(&mut open(Some("// both\n")));
    share(&mut state, ShareAction::Open(both.to_string()));
    assert!(!state.is_edited());
    assert_eq!(state.origin_address(), Some(both));
    share(&mut state, ShareAction::Open(second.to_string()));
    assert_eq!(state.origin_address(), Some(second));
    // Drafts do not record their link.
    state.act(Action::Program(ProgramAction::RestoreDraft(0)));
    assert_eq!(
        (&*state.text(), state.source.origin.id()),
        ("// both\n", "link")
    );
    assert_eq!(state.origin_address(), None);
}

#[test]
fn opening_a_program_closes_the_dialog() {
    let other = link(&mut open(Some("// other\n")));
    let opens: [&dyn Fn(&mut State); 3] = [
        &|state| open_file(state, "// file\n"),
        &|state| share(state, ShareAction::Open("scenario=lock".into())),
        &|state| share(state, ShareAction::Open(other.to_string())),
    ];
    for open_other in opens {
        let mut state = open(None);
        share(&mut state, ShareAction::MakeLink);
        share(&mut state, ShareAction::Report(Ok(Rc::from("Copied."))));
        assert_eq!(state.screen.dialog, Some(DialogKind::Share));
        open_other(&mut state);
        assert_eq!(
            state.screen.dialog, None,
            "its link belongs to another text"
        );
    }
}

#[test]
fn broken_link_changes_nothing() {
    let mut state = open(None);
    state.act(Action::Program(ProgramAction::Edit("// mine\n".into())));
    let fragment = link(&mut open(Some(named("lock").unwrap().text)));
    for bad in [
        "",
        "hello",
        "7AAAA",
        "1AAAA",
        &fragment[..fragment.len() - 9],
        "1%20",
    ] {
        share(&mut state, ShareAction::Open(bad.to_owned()));
        let notice = state.notice().cloned().unwrap();
        assert!(notice.is_error && notice.text.starts_with("Cannot open the link: "));
        assert_eq!(&*state.text(), "// mine\n");
        assert!(state.source.drafts.is_empty());
    }
    state.act(Action::DismissNotice);
    assert_eq!(state.notice(), None);
}

#[test]
fn export_result_is_reported_at_its_control() {
    let mut state = open(None);
    share(&mut state, ShareAction::Open(String::from("hello")));
    let unread = state.notice().cloned();
    assert!(unread.is_some());
    share(&mut state, ShareAction::MakeLink);
    share(&mut state, ShareAction::Export(Destination::Clipboard));
    let copied: ExportStatus = Ok(Rc::from("Copied."));
    share(&mut state, ShareAction::Report(copied.clone()));
    assert_eq!(state.share.export_status, Some(copied.clone()));
    assert_eq!(state.notice().cloned(), unread, "it has not been read yet");
    share(&mut state, ShareAction::MakeLink);
    assert_eq!(state.share.export_status, None);
    assert_eq!(state.notice().cloned(), unread);
    state.act(Action::Screen(ScreenAction::CloseDialog));
    // The program menu has no place for status messages.
    share(&mut state, ShareAction::Download);
    assert_eq!(state.notice(), None);
    share(&mut state, ShareAction::Report(copied));
    assert_eq!(&*state.notice().unwrap().text, "Copied.");
}

#[test]
fn unknown_link_fields_are_reported() {
    let mut state = open(None);
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
    assert_eq!(state.transport().position, 4);
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
    assert!(state.transport().at_end);
}

#[test]
fn address_matches_the_text() {
    let mut state = open(None);
    assert_eq!(state.address().as_deref(), Some("scenario=histogram"));
    share(&mut state, ShareAction::Open("scenario=lock".into()));
    assert_eq!(state.source.origin.id(), "lock");
    share(&mut state, ShareAction::Open("scenario=none".into()));
    // A link that cannot be opened stays in the address bar for correction.
    assert_eq!(state.address().as_deref(), Some("scenario=none"));
    assert_eq!(state.origin_address().as_deref(), Some("scenario=lock"));
    assert_eq!(state.source.origin.id(), "lock");
    assert!(state.notice().is_some_and(|told| told.is_error));
    let fragment = link(&mut state);
    assert_eq!(state.address(), Some(fragment));
    state.act(Action::Transport(TransportAction::Step));
    assert!(
        state.address().is_some(),
        "stepping does not change the text"
    );
    let text = state.text();
    state.act(Action::Program(ProgramAction::Edit(format!("{text}\n"))));
    assert_eq!(state.address(), None);
    state.act(Action::Program(ProgramAction::Edit(text.to_string())));
    assert!(state.address().is_some());
}

#[test]
fn text_too_long_for_a_link_is_reported() {
    let mut state = open(Some(&"// long\n".repeat(40_000)));
    share(&mut state, ShareAction::MakeLink);
    let made = state.share.link.clone().unwrap();
    assert!(made.unwrap_err().contains("256 KB"));
    assert!(is_long(2_001) && !is_long(2_000));
}

#[test]
fn file_is_opened_like_a_link() {
    let mut state = open(None);
    state.act(Action::Program(ProgramAction::Edit("// mine\n".into())));
    open_file(&mut state, "// file\r\n");
    assert_eq!(
        (&*state.text(), state.source.origin.id()),
        ("// file\n", "file")
    );
    assert!(!state.is_edited());
    assert_eq!(&*state.source.drafts[0].text, "// mine\n");
    // After saving and loading, the text still counts as a file.
    let again = State::new(Saved {
        text: Some(state.text().to_string()),
        scenario: Some(state.source.origin.id().to_owned()),
        ..Saved::default()
    });
    assert!(!again.is_edited());
    assert_eq!(again.source.origin.id(), "file");
}

#[test]
fn file_names_derive_from_the_title() {
    let named = |text: &str| open(Some(text)).file_name();
    assert_eq!(
        named(".title \"Float maximum, NaN and −0\"\n"),
        "float-maximum-nan-and-0"
    );
    assert_eq!(named(".title \"../../etc: *?\"\n"), "etc");
    assert_eq!(named("// none\n"), "scenario");
    // Letters of every script, but no bidirectional controls.
    assert_eq!(named(".title \"Ärger\u{202e}mit 和\"\n"), "ärger-mit-和");
}

#[test]
fn program_and_run_are_exported() {
    let mut state = open(Some(named("order").unwrap().text));
    let text = |state: &mut State, export| {
        share(state, ShareAction::ChooseExport(export));
        share(state, ShareAction::Export(Destination::Clipboard));
        match &state.share.delivery.clone().unwrap().value.content {
            ExportContent::Text(text) => text.clone(),
            other => panic!("{other:?}"),
        }
    };
    let styled = text(
        &mut state,
        Export::Program(Spelling::Style(Style::Document)),
    );
    assert!(styled.contains("DWORD_ATOMIC.XCHG (4) T0 "), "{styled}");
    assert_eq!(
        *text(&mut state, Export::Program(Spelling::AsWritten)),
        *state.text()
    );
    let mut state = open(Some(named("atom-cas").unwrap().text));
    let run = text(&mut state, Export::Run);
    assert!(
        run.starts_with(r#"{"ok":true,"instructions":1,"steps":32,"#),
        "{run}"
    );
    assert!(run.contains(r#""memory":{"global":{"0x10000":"#), "{run}");
}

/// Rows of a table as written in Markdown and CSV.
fn rows(table: &ExportTable) -> Vec<Vec<&str>> {
    table.rows.iter().map(|row| texts(row)).collect()
}

#[test]
fn export_selection_survives_another_file() {
    let mut state = open(Some(named("histogram").unwrap().text));
    share(&mut state, ShareAction::MakeLink);
    let lanes = state.exports().into_iter();
    let mut lanes = lanes.filter(|export| matches!(export, Export::Lanes(_)));
    let lanes = lanes.next_back().unwrap();
    share(&mut state, ShareAction::ChooseExport(lanes));
    // Dropped on the page while the dialog is open.
    let matrices = named("dpasw-int8").unwrap().text;
    open_file(&mut state, matrices);
    let chosen = state.share.export;
    assert_ne!(chosen, lanes);
    assert!(state.exports().iter().any(|it| it.has_subject_of(chosen)));
}

#[test]
fn distinct_exports_have_distinct_names() {
    let mut state = open(Some(named("histogram").unwrap().text));
    let mut names = std::collections::BTreeSet::new();
    let mut exports = 0;
    for _ in 0..2 {
        for subject in state.exports() {
            for export in subject.formats() {
                share(&mut state, ShareAction::ChooseExport(export));
                share(&mut state, ShareAction::Export(Destination::Download));
                let delivery = state.share.delivery.clone().unwrap().value;
                names.insert(delivery.file_name.clone());
                exports += 1;
            }
        }
        state.act(Action::Transport(TransportAction::Step));
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
    let mut state = open(Some(named("histogram").unwrap().text));
    state.act(Action::Transport(TransportAction::Step));
    let lanes: serde_json::Value = serde_json::from_str(&json(&lanes_table(&state))).unwrap();
    assert_eq!(lanes[0]["Order"], 0);
    assert_eq!(lanes[0]["Address"], "0x0");
    assert_eq!(lanes[0]["Old"], 0);
    assert_eq!(lanes[1]["Old"], serde_json::Value::Null, "not finished");
    // Readers that only support doubles would alter these values.
    let text = ".region svm 0x1000 16\n.init svm[0x1000] : uq = 0xffffffffffffffff\n";
    let mut state = open(Some(text));
    state.act(Action::StatePane(StateAction::Tab(Tab::Virtual)));
    state.act(format(Tab::Virtual, Some(ElementType::Uq), false));
    let memory: serde_json::Value = serde_json::from_str(&json(&state_table(&state))).unwrap();
    assert_eq!(memory[0]["0"], "18446744073709551615");
    let text = ".region svm 0x1000 16\n.init svm[0x1000] : ud = 0x7f800000, 0x3fc00000\n";
    let mut state = open(Some(text));
    state.act(Action::StatePane(StateAction::Tab(Tab::Virtual)));
    state.act(format(Tab::Virtual, Some(ElementType::F), false));
    let memory: serde_json::Value = serde_json::from_str(&json(&state_table(&state))).unwrap();
    assert_eq!(
        (&memory[0]["0"], &memory[0]["4"]),
        (&"inf".into(), &1.5.into())
    );
}

#[test]
fn state_is_exported_as_a_table() {
    let mut state = open(Some(named("histogram").unwrap().text));
    state.act(Action::Transport(TransportAction::ToEnd));
    let table = state_table(&state);
    assert_eq!(table.heads, ["Memory", "Address", "0", "4", "8", "12"]);
    assert_eq!(rows(&table), [["slm", "0x0", "3", "8", "3", "2"]]);
    assert_eq!(
        markdown(&table),
        "| Memory | Address | 0 | 4 | 8 | 12 |\n| --- | --- | --- | --- | --- | --- |\n\
         | slm | 0x0 | 3 | 8 | 3 | 2 |\n"
    );
    assert_eq!(
        csv(&table),
        "Memory,Address,0,4,8,12\r\nslm,0x0,3,8,3,2\r\n"
    );
    assert_eq!(
        json(&table),
        "[\n  {\n    \"Memory\": \"slm\",\n    \"Address\": \"0x0\",\n    \"0\": 3,\n    \
         \"4\": 8,\n    \"8\": 3,\n    \"12\": 2\n  }\n]\n"
    );
    state.act(Action::StatePane(StateAction::Tab(Tab::Registers)));
    let table = state_table(&state);
    assert_eq!(table.rows.len(), 2);
    assert_eq!(rows(&table)[1][..5], ["EU0.V33", "ud", "0", "0", "1"]);
    let mut state = open(Some(named("atom-f32").unwrap().text));
    state.act(Action::StatePane(StateAction::Tab(Tab::Registers)));
    let table = state_table(&state);
    assert_eq!(table.heads.len(), 33);
    assert!(
        rows(&table)
            .iter()
            .any(|row| row[0] == "R2" && row[1] == "65536")
    );
    assert!(
        rows(&table)
            .iter()
            .any(|row| row[0] == "P0" && row[1] == "1")
    );
    assert_eq!(
        csv(&ExportTable {
            heads: vec!["a\"b".into()],
            rows: vec![vec![ExportCell::Text("1,2".into())]]
        }),
        "\"a\"\"b\"\r\n\"1,2\"\r\n"
    );
}

#[test]
fn link_contains_drawer_tab_and_breakpoints() {
    let mut state = State::new(Saved::default());
    assert_eq!(state.link_view().get(view::DRAWER), None);
    assert_eq!(state.link_view().get(view::BREAKPOINTS), None);
    let tab = Action::Screen(ScreenAction::OpenTab(DrawerTab::Explain));
    state.act(tab);
    let line = state.current_line().unwrap();
    state.act(Action::Breakpoint(BreakpointAction::Toggle(line)));
    let fields = state.link_view();
    let mut there = State::new(Saved::default());
    assert_eq!(there.apply_view(&fields), [""; 0]);
    assert_eq!(there.screen.tab, Some(DrawerTab::Explain));
    assert_eq!(*there.source.breakpoints.lines(), [line]);
    // A link without these fields, such as an old link, changes neither.
    assert_eq!(there.apply_view(&lanewise_link::View::default()), [""; 0]);
    assert_eq!(there.screen.tab, Some(DrawerTab::Explain));
    assert_eq!(*there.source.breakpoints.lines(), [line]);
    let mut fields = lanewise_link::View::default();
    fields.set(view::DRAWER, "kitchen");
    fields.set(view::BREAKPOINTS, "3,x");
    let skipped = there.apply_view(&fields);
    assert_eq!(skipped, ["drawer = kitchen", "breakpoints = 3,x"]);
}

#[test]
fn exported_rows_have_their_addresses() {
    let text = ".region svm 0x10006 60\n.init svm[0x10006] : ub = 1, 2, 3\n.init svm[0x10028] : ud = 7\n\
                .decl V32 v_type=G type=uq num_elts=1 align=qword\n.init V32 = 0x10028\n\
                svm_atomic.inc (M1, 1) V32.0 %null.0 %null.0 %null.0\n";
    let mut state = open(Some(text));
    state.act(Action::StatePane(StateAction::Tab(Tab::Virtual)));
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
    let mut state = open(Some(text));
    state.act(Action::StatePane(StateAction::Tab(Tab::Virtual)));
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
        let mut state = open(Some(&text));
        assert!(state.can_run(), "{:?}", state.source.problems);
        state.act(Action::StatePane(StateAction::Tab(Tab::Virtual)));
        state_table(&state)
    };
    let most = 16_384;
    let last = |table: &ExportTable| rows(table).last().unwrap()[0].to_owned();
    let whole = table(most);
    assert_eq!((whole.rows.len(), &*last(&whole)), (most, "svm"));
    let cut = table(most + 1);
    assert_eq!((cut.rows.len(), &*last(&cut)), (most + 1, "…"));
}
