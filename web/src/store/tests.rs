//! Reducer tests that need no browser.

use crate::features::encoding::EncodingAction;
use crate::features::explain::Explained;
use crate::features::lanes::table::LanesTable;
use crate::features::outcomes::OutcomesAction;
use crate::features::picker::{ListKind, PickerAction};
use crate::features::program::{Draft, Origin, ProgramAction};
use crate::features::screen::{Appearance, DrawerTab, ScreenAction, Theme};
use crate::features::state::StateAction;
use crate::features::state::cells::LastAccess;
use crate::features::state::grid::tests::{rows, values};
use crate::features::state::grid::{GridRow, RowKind};
use crate::features::state::grid_kind::GridKind;
use crate::features::state::inspect::InspectAction;
use crate::features::state::place::Place;
use crate::features::state::{MemoryAction, MemoryFormat, MemoryKind, RegisterFormat, Tab};
use crate::features::transport::{Stride, TransportAction};
use crate::store::{Action, Saved, State};
use lanewise_core::library::named;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_saved::Position;
use std::rc::Rc;

fn page() -> State {
    State::new(Saved::default())
}

fn with(text: &str) -> State {
    State::new(Saved {
        text: Some(text.to_owned()),
        ..Saved::default()
    })
}

fn steps(state: &mut State, count: usize) {
    for _ in 0..count {
        state.act(Action::Transport(TransportAction::Step));
    }
}

fn position(state: &State) -> usize {
    state.transport().position
}

fn memory_values(state: &State, kind: MemoryKind, count: usize) -> Vec<String> {
    values(&rows(state, GridKind::Memory(kind)), count)
}

#[test]
fn first_visit_opens_the_histogram() {
    let state = page();
    assert_eq!(state.source.origin.id(), "histogram");
    assert!(!state.is_edited() && state.can_run());
    assert_eq!(state.state_view.tab, Tab::Local);
    let view = state.transport();
    assert_eq!((view.position, view.known, view.explored), (0, 16, true));
    assert_eq!(view.starts, [0]);
    assert_eq!(state.current_line(), Some(11));
}

#[test]
fn steps_are_reversible_and_mark_changes() {
    let mut state = page();
    steps(&mut state, 3);
    assert_eq!(
        memory_values(&state, MemoryKind::Local, 3),
        ["1", "1 → 2", "0"]
    );
    assert_eq!(
        state.transport().summary,
        "Lane 2: slm[0x4] 1 + 1 → 2, returned 1"
    );
    state.act(Action::Transport(TransportAction::StepBack));
    assert_eq!(
        memory_values(&state, MemoryKind::Local, 3),
        ["1", "0 → 1", "0"]
    );
    state.act(Action::Transport(TransportAction::ToEnd));
    assert_eq!(
        memory_values(&state, MemoryKind::Local, 4),
        ["3", "7 → 8", "3", "2"]
    );
    assert!(state.transport().at_end);
    state.act(Action::Transport(TransportAction::Step));
    assert_eq!(position(&state), 16);
    state.act(Action::Transport(TransportAction::ToStart));
    assert_eq!(memory_values(&state, MemoryKind::Local, 4), ["0"; 4]);
    state.act(Action::Transport(TransportAction::StepBack));
    state.act(Action::Transport(TransportAction::Seek(5)));
    assert_eq!(position(&state), 5);
    state.act(Action::StatePane(StateAction::Tab(Tab::Registers)));
    state.act(Action::Transport(TransportAction::Reset));
    assert_eq!(position(&state), 0);
    assert_eq!(
        state.state_view.tab,
        Tab::Registers,
        "the view is unchanged"
    );
}

#[test]
fn visit_restores_the_position() {
    let mut state = page();
    steps(&mut state, 5);
    let again = |position| {
        State::new(Saved {
            text: Some(state.text().to_string()),
            position,
            ..Saved::default()
        })
    };
    assert_eq!(position(&again(state.position())), 5);
    let by_instruction = Position {
        step: usize::MAX,
        stride: String::from("instruction"),
    };
    let state = again(by_instruction);
    assert_eq!(position(&state), 16);
    assert_eq!(state.stepping.stride, Stride::Instruction);
    // A text that is not saved has no position.
    let other = State::new(Saved {
        position: state.position(),
        ..Saved::default()
    });
    assert_eq!(position(&other), 0);
}

#[test]
fn run_stops_at_the_end_and_restarts() {
    let mut state = page();
    state.act(Action::Transport(TransportAction::ToggleRun));
    for _ in 0..20 {
        state.act(Action::Transport(TransportAction::Tick));
    }
    assert!(!state.stepping.running);
    assert_eq!(position(&state), 16);
    state.act(Action::Transport(TransportAction::ToggleRun));
    assert!(state.stepping.running);
    assert_eq!(position(&state), 0);
    state.act(Action::Transport(TransportAction::StepBack));
    assert!(!state.stepping.running);
}

#[test]
fn manual_moves_pause_the_run() {
    for action in [
        Action::Transport(TransportAction::Step),
        Action::Transport(TransportAction::StepBack),
        Action::Transport(TransportAction::ToStart),
        Action::Transport(TransportAction::ToEnd),
        Action::Transport(TransportAction::Seek(5)),
        Action::Transport(TransportAction::Reset),
    ] {
        let mut state = page();
        steps(&mut state, 2);
        state.act(Action::Transport(TransportAction::ToggleRun));
        state.act(Action::Transport(TransportAction::Tick));
        assert!(state.stepping.running);
        state.act(action.clone());
        assert!(!state.stepping.running, "{action:?}");
        let here = position(&state);
        state.act(Action::Transport(TransportAction::Tick));
        assert_eq!(position(&state), here, "{action:?}");
    }
}

#[test]
fn run_stops_at_an_error_and_resumes_after_the_fix() {
    let mut state = page();
    steps(&mut state, 2);
    let good = state.text();
    // Two bytes and one UTF-16 unit each: places must not drift.
    let bad = format!("// ääää\n{}", good.replace(".inc", ".icn"));
    state.act(Action::Program(ProgramAction::Edit(bad.clone())));
    assert!(!state.can_run());
    assert!(state.transport().summary.starts_with("1 error."));
    steps(&mut state, 1);
    assert_eq!(position(&state), 2);
    let problems = state.source.problems.clone();
    let [problem] = &*problems else {
        panic!("{problems:?}");
    };
    assert_eq!(problem.line, 13);
    let selected: String = bad
        .chars()
        .skip(problem.selection.0 as usize)
        .take((problem.selection.1 - problem.selection.0) as usize)
        .collect();
    assert!(selected.contains("icn"), "{selected}");
    assert!(problem.fix.is_some(), "{problem:?}");
    state.act(Action::Program(ProgramAction::GoTo(0)));
    assert_eq!(
        state.source.caret.unwrap().value.selection,
        problem.selection
    );
    state.act(Action::Program(ProgramAction::Fix(0)));
    assert!(state.can_run(), "{:?}", state.source.problems);
    assert_eq!(*state.text(), *format!("// ääää\n{good}"));
    assert_eq!(position(&state), 2);
    // Both are no-ops if there is nothing to fix.
    state.act(Action::Program(ProgramAction::Fix(0)));
    state.act(Action::Program(ProgramAction::GoTo(7)));
}

#[test]
fn edited_text_is_kept_as_a_draft() {
    let mut state = page();
    let mine = format!("{}// mine\n", state.text());
    state.act(Action::Program(ProgramAction::Edit(mine.clone())));
    assert!(state.is_edited());
    state.act(Action::Program(ProgramAction::Choose(
        named("lock").unwrap(),
    )));
    assert_eq!(state.source.origin.id(), "lock");
    assert!(!state.is_edited());
    state.act(Action::Program(ProgramAction::RestoreEdits));
    assert_eq!(*state.text(), *mine);
    assert_eq!(state.source.origin.id(), "histogram");
    assert!(state.source.drafts.is_empty());
    state.act(Action::Program(ProgramAction::ResetText));
    assert!(!state.is_edited());
    assert_eq!(*state.source.drafts[0].text, *mine);
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
    state.act(Action::Program(ProgramAction::RestoreDraft(0)));
    assert_eq!(&*state.text(), ".slm 64\n");
    assert_eq!(state.source.origin, Origin::Kept);
    assert!(!state.is_edited() && state.address().is_none());
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
        state.act(Action::Program(ProgramAction::Choose(named(id).unwrap())));
        mine.push(format!("{}// {id}\n", state.text()));
        let text = mine.last().unwrap().clone();
        state.act(Action::Program(ProgramAction::Edit(text)));
    }
    for (id, mine) in ["lock", "order", "atom-cas"].into_iter().zip(mine) {
        state.act(Action::Program(ProgramAction::Choose(named(id).unwrap())));
        state.act(Action::Program(ProgramAction::RestoreEdits));
        assert_eq!(*state.text(), *mine);
    }
}

#[test]
fn first_lane_takes_the_lock() {
    let mut state = page();
    state.act(Action::Program(ProgramAction::Choose(
        named("lock").unwrap(),
    )));
    steps(&mut state, 1);
    assert_eq!(
        values(&[memory_row(&state, 0x40)], 1),
        ["0 → 101"],
        "lane 0 takes it"
    );
    let table = LanesTable::of(&state.session);
    assert_eq!(table.lanes.len(), 8);
    let heads = table.heads();
    assert_eq!(heads[4..6], ["Compare (src1)", "New value (src0)"]);
    let lane = &table.lanes[0];
    assert!(lane.current && lane.row.done);
    let group = lane.group.as_ref().unwrap();
    assert_eq!(group.label(), "A");
    assert_eq!(group.others(lane.row.unit, 1), "lanes 1–7");
    state.act(Action::Transport(TransportAction::ToEnd));
    // A failed compare reads its cell without writing.
    let row = memory_row(&state, 0x40);
    assert_eq!(values(std::slice::from_ref(&row), 1), ["0"]);
    let is_read = |access| access == LastAccess::Read;
    let read: Vec<bool> = row.cells.iter().map(|cell| is_read(cell.access)).collect();
    assert_eq!(read, [true, false, false, false]);
    assert!(state.state_inputs().changed_tabs().is_empty());
    let row = variable(&state, "EU0", "V35");
    assert_eq!((row.cells[0].bits, row.cells[1].bits), (0, 101));
}

/// First row of a variable of an EU.
fn variable(state: &State, eu: &str, name: &str) -> GridRow {
    let rows = rows(state, GridKind::Registers);
    let is_it = |row: &GridRow| &*row.section == eu && row.name.as_deref() == Some(name);
    rows.into_iter().find(is_it).unwrap()
}

fn memory_row(state: &State, address: u64) -> GridRow {
    let rows = rows(state, GridKind::Memory(MemoryKind::Local));
    let is_it = |row: &GridRow| row.about == format!("{address:04x}");
    rows.into_iter().find(is_it).unwrap()
}

#[test]
fn disabled_lanes_state_the_reason() {
    let mut state = page();
    state.act(Action::Program(ProgramAction::Choose(
        named("predicated").unwrap(),
    )));
    let disabled: Vec<&str> = LanesTable::of(&state.session)
        .lanes
        .iter()
        .map(|l| l.disabled)
        .collect();
    let (on, off) = ("", "predicate");
    assert_eq!(disabled, [on, off, on, off, off, on, on, "execution mask"]);
}

#[test]
fn only_lane_by_lane_instructions_have_lanes() {
    let mut state = page();
    assert!(!LanesTable::of(&state.session).is_matrix);
    state.act(Action::Program(ProgramAction::Choose(
        named("dpasw-int8").unwrap(),
    )));
    let table = LanesTable::of(&state.session);
    assert_eq!(table.heading.unwrap().0, "DPASW");
    assert!(table.is_matrix && table.lanes.is_empty());
}

#[test]
fn eus_have_separate_registers() {
    let mut state = page();
    let sections = |state: &State| {
        let rows = rows(state, GridKind::Registers).into_iter();
        let heads = rows.filter(|row| row.kind == RowKind::Heading);
        heads.map(|row| row.about).collect::<Vec<_>>()
    };
    assert_eq!(sections(&state), ["EU0"]);
    state.act(Action::Program(ProgramAction::Choose(
        named("two-eus").unwrap(),
    )));
    state.act(Action::Transport(TransportAction::Seek(9)));
    assert_eq!(sections(&state), ["EU0", "EU1"]);
    let [of0, of1] = ["EU0", "EU1"].map(|eu| variable(&state, eu, "V33"));
    assert_eq!((of0.cells[0].bits, of1.cells[0].bits), (100, 108));
    let written = |row: &GridRow| {
        let accesses = row.cells.iter().map(|cell| cell.access);
        accesses
            .filter(|access| *access != LastAccess::None)
            .count()
    };
    assert_eq!((written(&of0), written(&of1)), (0, 1));
    let lane = &LanesTable::of(&state.session).lanes[8];
    assert!(lane.current);
    let group = lane.group.as_ref().unwrap();
    assert_eq!(group.others(lane.row.unit, 2), "lanes EU0.0–7, EU1.1–7");
}

#[test]
fn fault_names_its_lane_and_can_be_undone() {
    let mut state = page();
    state.act(Action::Program(ProgramAction::Choose(
        named("svm-fault").unwrap(),
    )));
    state.act(Action::Transport(TransportAction::ToEnd));
    let view = state.transport();
    assert!(view.faulted && view.at_end);
    assert!(
        view.summary.contains("Lane 2") && view.summary.contains("0x20000"),
        "{}",
        view.summary
    );
    assert!(LanesTable::of(&state.session).lanes[2].current);
    state.act(Action::Transport(TransportAction::StepBack));
    assert!(!state.transport().faulted);
    assert_eq!(
        memory_values(&state, MemoryKind::Virtual, 4),
        ["1", "1", "1", "0 → 1"]
    );
}

fn go_to(state: &mut State, kind: MemoryKind, address: u64) {
    let go = MemoryAction::GoTo(address);
    state.act(Action::StatePane(StateAction::Memory(kind, go)));
}

/// Row that a grid was last asked to reveal.
fn revealed_row(state: &State, kind: MemoryKind) -> Option<u64> {
    let inputs = state.state_inputs();
    let grid = GridKind::Memory(kind);
    let reveal = state.state_view.reveal(grid)?;
    inputs.row_of(&inputs.shape(grid, 60), reveal.place)
}

#[test]
fn memory_follows_changes() {
    let mut state = with(
        ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n.init V32 = 0, 0xfff0\n\
         dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0\n",
    );
    let local = MemoryKind::Local;
    let shape = state.state_inputs().shape(GridKind::Memory(local), 60);
    assert_eq!(shape.rows, 4096);
    steps(&mut state, 1);
    assert_eq!(revealed_row(&state, local), Some(0));
    steps(&mut state, 1);
    assert_eq!(revealed_row(&state, local), Some(4095));
    let row = state.state_inputs().row(&shape, 4095).unwrap();
    assert_eq!(row.about, "fff0");
    assert_eq!(values(&[row], 1), ["0 → 1"]);
    go_to(&mut state, local, 0x8000);
    assert_eq!(revealed_row(&state, local), Some(0x800));
    go_to(&mut state, local, u64::MAX);
    assert_eq!(revealed_row(&state, local), Some(0x800), "not mapped");
}

#[test]
fn unusual_regions_are_supported() {
    let mut state = with(
        ".region svm 0x1007 13\n.region svm 0xffff_ffff_ffff_ff00 256\n.region svm 0x100000 0x1000000\n",
    );
    let kind = MemoryKind::Virtual;
    let table = rows(&state, GridKind::Memory(kind));
    // Complete dwords only: 0x1008 to 0x1013.
    let cells = table.iter().map(|row| (row.skipped, row.cells.len()));
    assert_eq!(cells.collect::<Vec<_>>(), [(2, 2), (0, 1)]);
    let regions = Rc::clone(state.state_inputs().regions(kind));
    assert_eq!(regions.len(), 3);
    assert_eq!(&*regions[0].name, "svm 0x1007, 13 bytes");
    // Neither a step nor another pane rebuilds them.
    assert!(Rc::ptr_eq(&regions, state.state_inputs().regions(kind)));
    go_to(&mut state, kind, u64::MAX);
    assert_eq!(state.state_view.memories[kind].region, 2);
    assert_eq!(revealed_row(&state, kind), Some(15));
    go_to(&mut state, kind, 0x10f_fff0);
    assert_eq!(state.state_view.memories[kind].region, 1);
    assert_eq!(revealed_row(&state, kind), Some((1 << 20) - 1));
    state.act(Action::Program(ProgramAction::Edit(".slm 0\n".to_owned())));
    assert!(rows(&state, GridKind::Memory(kind)).is_empty());
    assert!(state.state_inputs().regions(MemoryKind::Local).is_empty());
}

#[test]
fn bytes_split_into_any_type() {
    let mut state = page();
    state.act(Action::Transport(TransportAction::Seek(16)));
    let set = |state: &mut State, ty, hex| {
        let format = MemoryFormat { ty: Some(ty), hex };
        state.act(Action::StatePane(StateAction::Memory(
            MemoryKind::Local,
            MemoryAction::Format(format),
        )));
        memory_values(state, MemoryKind::Local, 2)
    };
    assert_eq!(
        set(&mut state, ElementType::Uq, true)[0],
        "0000000700000003 → 0000000800000003"
    );
    assert_eq!(set(&mut state, ElementType::Ub, false), ["3", "0"]);
    state.act(Action::StatePane(StateAction::RegisterFormat(
        RegisterFormat::Bytes,
    )));
    let (ty, hex) = RegisterFormat::Float.elements(ElementType::Ud);
    assert_eq!((ty, hex), (ElementType::F, false));
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
        state.act(Action::Program(ProgramAction::Edit(text.to_owned())));
        for action in [
            Action::Transport(TransportAction::Step),
            Action::Transport(TransportAction::ToEnd),
            Action::Transport(TransportAction::ToggleRun),
            Action::Transport(TransportAction::Tick),
            Action::Transport(TransportAction::Reset),
        ] {
            state.act(action);
        }
        state.act(Action::Program(ProgramAction::Fix(0)));
        let _ = (
            LanesTable::of(&state.session),
            rows(&state, GridKind::Registers),
            state.transport(),
        );
    }
}

#[test]
fn theme_cycle_starts_with_a_visible_change() {
    let presses = |system: Appearance| {
        let mut state = page();
        let mut seen = Vec::new();
        for _ in 0..4 {
            seen.push(state.theme.key());
            state.act(Action::Theme(state.theme.next(system)));
        }
        seen
    };
    let (light, dark) = (Appearance::Light, Appearance::Dark);
    assert_eq!(presses(dark), ["system", "light", "dark", "system"]);
    assert_eq!(presses(light), ["system", "dark", "light", "system"]);
    assert_eq!(Theme::of_key("dark"), Theme::Dark);
}

const WARP: &str = "\
.target sass SM52
.region global 0x10000 64
.lanes helper=1
.init R2 = splat(0x10000)
.init R4 = splat(2)
.init P0 = 0x7
@P0 ATOM.INC R0, [R2], R4;
";

#[test]
fn warp_shows_registers_by_lane_and_global_memory() {
    let mut state = with(WARP);
    assert_eq!(
        Tab::all(state.session.program()),
        [Tab::Registers, Tab::Global]
    );
    assert_eq!(
        state.state_view.tab,
        Tab::Global,
        "where the instruction works"
    );
    steps(&mut state, 2);
    assert_eq!(
        memory_values(&state, MemoryKind::Virtual, 2),
        ["1 → 2", "0"]
    );
    let shape = state.state_inputs().shape(GridKind::Warp, 0);
    assert_eq!(shape.heads, ["Lane", "P0", "R0", "R2", "R4"]);
    let lanes = rows(&state, GridKind::Warp);
    assert_eq!(lanes.len(), 32);
    assert_eq!(lanes[0].kind, RowKind::InactiveLane("helper"));
    let lane = &lanes[2];
    assert_eq!(lane.kind, RowKind::CurrentLane);
    let cells = values(std::slice::from_ref(lane), 2);
    assert_eq!(cells, ["true", "00000000 → 00000001"]);
    let table = LanesTable::of(&state.session);
    assert_eq!(table.lanes[0].disabled, "helper pixel");
    assert_eq!(table.lanes[5].disabled, "guard");
    state.act(Action::Program(ProgramAction::Edit(".slm 64".to_owned())));
    assert_eq!(
        state.state_view.tab,
        Tab::Registers,
        "vISA has no global memory"
    );
}

#[test]
fn encoding_and_pseudocode_follow_the_instruction() {
    let mut state = with(WARP);
    let model = |state: &State| state.encoding_inputs().model();
    let encoding = model(&state).unwrap().instruction;
    assert!(
        encoding.digits().starts_with("0xed3"),
        "{}",
        encoding.digits()
    );
    assert!(
        encoding
            .fields
            .iter()
            .any(|f| f.name == "Rb" && f.bits == 4)
    );
    assert_eq!(state.session.pseudocode_state(), None);
    steps(&mut state, 1);
    let stand = state.session.pseudocode_state().unwrap();
    let explained = Explained::of(&state.session).unwrap();
    let line = explained.spec.pseudo_code[stand.line];
    assert_eq!(line.trim(), "memory[address] = op(M, Rb, Rc)");
    assert!(
        stand
            .variables
            .contains(&("address", String::from("0x10000")))
    );
    assert!(
        model(&state).unwrap().instruction == encoding,
        "unchanged: not re-rendered"
    );
}

#[test]
fn crash_notice_lasts_until_an_edit_or_step() {
    fn inspect(state: &mut State, action: InspectAction) {
        state.act(Action::StatePane(StateAction::Inspect(action)));
    }
    let ends: [fn(&mut State); 5] = [
        |state| {
            inspect(state, InspectAction::Open(Place::new(SpaceId::SLM, 0)));
            inspect(state, InspectAction::ToNextWrite);
        },
        |state| state.act(Action::Transport(TransportAction::ToggleRun)),
        |state| state.act(Action::Program(ProgramAction::RestoreEdits)),
        |state| {
            state.act(Action::Program(ProgramAction::Edit(String::from(
                ".slm 64\n",
            ))))
        },
        |state| state.act(Action::Transport(TransportAction::Step)),
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

#[test]
fn other_window_is_reported_once() {
    let mut state = State::new(Saved::default());
    let other = || {
        Action::Program(ProgramAction::OtherWindow(String::from(
            ".title \"Other\"\n",
        )))
    };
    state.act(other());
    assert!(state.notice().is_some());
    state.act(Action::DismissNotice);
    state.act(other());
    assert!(state.notice().is_none());
}
