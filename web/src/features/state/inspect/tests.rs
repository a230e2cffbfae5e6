use super::InspectAction;
use crate::features::program::ProgramAction;
use crate::features::state::StateAction;
use crate::features::state::cells::LastAccess;
use crate::features::state::grid::tests::{WIDTH, neighbour, rows, values};
use crate::features::state::grid_kind::GridKind;
use crate::features::state::place::Place;
use crate::features::state::{
    BufferAction, MemoryAction, MemoryFormat, MemoryKind, RegisterFormat, Tab,
};
use crate::features::transport::TransportAction;
use crate::features::transport::{Speed, Stride};
use crate::store::{Action, Saved, State};
use lanewise_core::isa::sass::warp::{predicate_address, register_address};
use lanewise_core::library::named;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_link::{Link, view};
use std::rc::Rc;

fn of(id: &str) -> State {
    let mut state = State::new(Saved::default());
    state.act(Action::Program(ProgramAction::Choose(named(id).unwrap())));
    state
}

fn inspect(state: &mut State, action: InspectAction) {
    state.act(Action::StatePane(StateAction::Inspect(action)));
}

fn set(state: &mut State, place: Place, value: &str) -> Option<String> {
    inspect(state, InspectAction::Open(place));
    inspect(state, InspectAction::Commit(value.to_owned()));
    state
        .state_inputs()
        .cell_model()
        .and_then(|cell| cell.wrong)
}

fn message(state: &State) -> Option<Rc<str>> {
    state.state_inputs().watch_list().message
}

const LOCK: Place = Place::new(SpaceId::SLM, 0x40);

#[test]
fn initial_value_edit_works_at_any_step() {
    let mut state = of("lock");
    state.act(Action::Transport(TransportAction::Seek(3)));
    assert_eq!(set(&mut state, LOCK, "7"), None);
    assert!(state.text().contains(".init slm[0x40] : ud = 7\n"));
    assert_eq!(state.transport().position, 3);
    let cell = state.state_inputs().cell_model().unwrap();
    assert_eq!(
        (&*cell.name, &*cell.start, &*cell.now),
        ("slm[0x40]", "7", "7")
    );
    assert!(!cell.is_edited && !cell.at_start);
    // An identical value is a no-op.
    let text = state.text();
    assert_eq!(set(&mut state, LOCK, "7"), None);
    assert_eq!(state.text(), text);
}

#[test]
fn invalid_initial_value_keeps_the_editor_open() {
    let mut state = of("lock");
    let text = state.text();
    for typed in ["", "x", "-1", "99999999999", "1.5"] {
        assert!(set(&mut state, LOCK, typed).is_some(), "{typed}");
        assert!(state.state_inputs().cell_model().unwrap().is_edited);
    }
    inspect(&mut state, InspectAction::Cancel);
    assert_eq!(state.text(), text);
    // A late commit has no editor to close.
    inspect(&mut state, InspectAction::Commit("5".to_owned()));
    assert_eq!(state.text(), text);
}

#[test]
fn displayed_values_parse() {
    let mut state = of("lock");
    state.act(Action::StatePane(StateAction::Tab(Tab::Registers)));
    let v33 = Place::new(SpaceId::registers(0), 32);
    state.act(Action::StatePane(StateAction::RegisterFormat(
        RegisterFormat::Hex,
    )));
    assert_eq!(set(&mut state, v33, "ff"), None);
    assert_eq!(state.state_inputs().cell_model().unwrap().start, "000000ff");
    assert!(
        state.text().contains(".init V33 = 0xff, 102,"),
        "{}",
        state.text()
    );
    state.act(Action::StatePane(StateAction::RegisterFormat(
        RegisterFormat::Float,
    )));
    assert_eq!(set(&mut state, v33, "1.5"), None);
    assert_eq!(state.state_inputs().cell_model().unwrap().start, "1.5");
    let em = Place::new(SpaceId::flags(0), 0);
    assert!(set(&mut state, em, "what").is_some());
    assert_eq!(set(&mut state, em, "0b1010 0000"), None);
    assert!(
        state.text().contains(".init em = 0b10100000\n"),
        "{}",
        state.text()
    );
}

#[test]
fn warp_registers_are_edited_by_lane() {
    let mut state = of("atom-inc");
    let p0 = Place::of_bit(SpaceId::flags(0), predicate_address(0), 0);
    let name = |state: &State| state.state_inputs().cell_model().unwrap().name;
    assert_eq!(set(&mut state, p0, "false"), None);
    assert_eq!(name(&state), "P0 lane 0");
    assert!(
        state.text().contains(".init P0 = 0xfe\n"),
        "{}",
        state.text()
    );
    let register = Place::new(SpaceId::registers(0), register_address(3, 4));
    assert_eq!(set(&mut state, register, "2a"), None);
    assert_eq!(name(&state), "R4 lane 3");
    assert!(state.can_run(), "{:?}", state.source.problems);
}

#[test]
fn last_and_next_write_are_found() {
    let mut state = of("lock");
    inspect(&mut state, InspectAction::Open(LOCK));
    assert_eq!(state.state_inputs().cell_model().unwrap().last, None);
    state.act(Action::Transport(TransportAction::ToEnd));
    let (step, told) = state.state_inputs().cell_model().unwrap().last.unwrap();
    // Lane 0 released the lock; a failed compare-and-swap is not a write.
    assert_eq!(step, 9);
    assert!(
        told.starts_with("Lane 0: slm[0x40]") && told.contains("101 → 0"),
        "{told}"
    );
    state.act(Action::Transport(TransportAction::Seek(4)));
    assert_eq!(
        state.state_inputs().cell_model().unwrap().last.unwrap().0,
        1
    );
    inspect(&mut state, InspectAction::ToNextWrite);
    assert_eq!(state.transport().position, 9);
    state.act(Action::Transport(TransportAction::Seek(12)));
    inspect(&mut state, InspectAction::ToLastWrite);
    assert_eq!(state.transport().position, 9);
    state.act(Action::Transport(TransportAction::ToEnd));
    inspect(&mut state, InspectAction::ToNextWrite);
    assert_eq!(
        message(&state).as_deref(),
        Some("No later step writes this cell.")
    );
}

#[test]
fn run_stops_at_a_watched_write() {
    stops_at_writes("histogram", Place::new(SpaceId::SLM, 4));
    // Failed compares do not write.
    stops_at_writes("lock", LOCK);
}

fn stops_at_writes(id: &str, place: Place) {
    let mut state = of(id);
    inspect(&mut state, InspectAction::Open(place));
    inspect(&mut state, InspectAction::Watch);
    let writes = state.transport().writes;
    assert!(writes.len() > 1, "{writes:?}");
    state.act(Action::Transport(TransportAction::Speed(Speed::Fastest)));
    for stop in writes.iter() {
        state.act(Action::Transport(TransportAction::ToggleRun));
        for _ in 0..40 {
            state.act(Action::Transport(TransportAction::Tick));
        }
        assert_eq!(state.transport().position, *stop);
        let stopped = "Stopped: a watched cell changed.";
        assert_eq!(message(&state).as_deref(), Some(stopped));
    }
    state.act(Action::Transport(TransportAction::ToStart));
    assert_eq!(message(&state), None);
    for stop in writes.iter() {
        inspect(&mut state, InspectAction::Continue);
        assert_eq!(state.transport().position, *stop);
        assert!(state.state_inputs().watch_list().rows[0].was.is_some());
    }
    inspect(&mut state, InspectAction::Continue);
    assert_eq!(
        message(&state).as_deref(),
        Some("No later step writes a watched cell.")
    );
    inspect(&mut state, InspectAction::Unwatch(place));
    assert!(state.transport().writes.is_empty());
    inspect(&mut state, InspectAction::Unwatch(place));
}

#[test]
fn step_closes_the_initial_value_editor() {
    let mut state = of("lock");
    inspect(&mut state, InspectAction::Open(LOCK));
    assert!(state.state_inputs().chosen_cell().unwrap().editor.is_some());
    state.act(Action::Transport(TransportAction::Step));
    assert!(state.state_inputs().chosen_cell().unwrap().editor.is_none());
    state.act(Action::Transport(TransportAction::ToggleRun));
    assert!(state.stepping.running);
    inspect(&mut state, InspectAction::Edit);
    assert!(
        !state.stepping.running && state.state_inputs().chosen_cell().unwrap().editor.is_some()
    );
}

#[test]
fn value_is_written_on_leaving() {
    let mut state = of("lock");
    inspect(&mut state, InspectAction::Open(LOCK));
    inspect(&mut state, InspectAction::Leave(LOCK, String::from("9")));
    assert_eq!(state.state_inputs().cell_model().unwrap().start, "9");
}

#[test]
fn tab_writes_the_value_and_edits_the_next_cell() {
    let mut state = of("lock");
    inspect(&mut state, InspectAction::Open(LOCK));
    let next = neighbour(&state, 1, 0);
    let invalid = InspectAction::CommitAndEdit(String::from("x"), next);
    inspect(&mut state, invalid);
    let cell = state.state_inputs().cell_model().unwrap();
    assert!(cell.wrong.is_some() && cell.name == "slm[0x40]");
    let valid = InspectAction::CommitAndEdit(String::from("7"), next);
    inspect(&mut state, valid);
    let cell = state.state_inputs().cell_model().unwrap();
    assert!(cell.is_edited && cell.name == "slm[0x44]");
    assert!(state.text().contains(".init slm[0x40] : ud = 7\n"));
}

#[test]
fn pasted_list_fills_cells() {
    let mut state = of("lock");
    let places: Vec<Place> = [0x40, 0x44, 0x48]
        .map(|at| Place::new(SpaceId::SLM, at))
        .into();
    let list = |values: &[&str]| values.iter().map(|v| String::from(*v)).collect();
    let text = state.text();
    inspect(&mut state, InspectAction::Open(LOCK));
    for (values, error) in [
        (&["1", "x", "3"][..], "Value 2 of the list"),
        (&["1", "2", "3", "4"], "The list has 4 values"),
    ] {
        inspect(
            &mut state,
            InspectAction::Fill(places.clone(), list(values)),
        );
        let wrong = state.state_inputs().cell_model().unwrap().wrong.unwrap();
        assert!(wrong.starts_with(error), "{wrong}");
        assert_eq!(state.text(), text);
    }
    inspect(
        &mut state,
        InspectAction::Fill(places, list(&["1", "2", "3"])),
    );
    assert!(
        state.text().contains(".init slm[0x40] : ud = 1, 2, 3\n"),
        "{}",
        state.text()
    );
    assert!(!state.state_inputs().cell_model().unwrap().is_edited);
}

#[test]
fn invalid_initial_value_is_reported_on_leaving() {
    let elsewhere = [
        Action::StatePane(StateAction::Inspect(InspectAction::Open(Place::new(
            SpaceId::SLM,
            0,
        )))),
        Action::StatePane(StateAction::Tab(Tab::Registers)),
        Action::Transport(TransportAction::Step),
    ];
    for action in elsewhere {
        let mut state = of("lock");
        let text = state.text();
        inspect(&mut state, InspectAction::Open(LOCK));
        inspect(&mut state, InspectAction::Leave(LOCK, String::from("x")));
        state.act(action);
        let message = message(&state).unwrap();
        let told = "slm[0x40] keeps its initial value. “x” as ud:";
        assert!(message.starts_with(told), "{message}");
        assert_eq!(state.text(), text);
        inspect(&mut state, InspectAction::Close);
        assert_eq!(state.state_inputs().watch_list().message, None);
    }
}

#[test]
fn tab_change_closes_the_editor() {
    let mut state = of("lock");
    inspect(&mut state, InspectAction::Open(LOCK));
    state.act(Action::StatePane(StateAction::Tab(Tab::Registers)));
    assert!(!state.state_inputs().cell_model().unwrap().is_edited);
    inspect(&mut state, InspectAction::Edit);
    assert_eq!(state.state_view.tab, Tab::Local);
    assert!(state.state_inputs().cell_model().unwrap().is_edited);
}

#[test]
fn initial_value_is_rejected_if_the_text_has_errors() {
    let mut state = of("lock");
    inspect(&mut state, InspectAction::Open(LOCK));
    let broken = format!("nonsense\n{}", state.text());
    state.act(Action::Program(ProgramAction::Edit(broken.clone())));
    inspect(&mut state, InspectAction::Commit(String::from("7")));
    assert_eq!(&*state.text(), broken);
    let wrong = state.state_inputs().cell_model().unwrap().wrong.unwrap();
    assert!(
        wrong.starts_with("Fix the errors in the program"),
        "{wrong}"
    );
}

#[test]
fn watch_uses_the_names_of_the_current_program() {
    let mut state = of("lock");
    inspect(
        &mut state,
        InspectAction::Open(Place::new(SpaceId::registers(0), 0)),
    );
    inspect(&mut state, InspectAction::Watch);
    assert_eq!(state.state_inputs().watch_list().rows[0].name, "V32[0]");
    let first = ".decl V32 v_type=G";
    let renamed = state.text().replacen(first, ".decl OFFSETS v_type=G", 1);
    let renamed = renamed.replace("V32", "OFFSETS");
    state.act(Action::Program(ProgramAction::Edit(renamed)));
    assert!(state.can_run());
    assert_eq!(state.state_inputs().watch_list().rows[0].name, "OFFSETS[0]");
}

#[test]
fn link_with_a_nonexistent_lane_is_rejected() {
    let mut state = of("atom-inc");
    let bit = |lane| Place::of_bit(SpaceId::flags(0), predicate_address(0), lane);
    assert!(state.look_at(bit(31)));
    assert!(!state.look_at(bit(32)));
}

#[test]
fn duplicate_watches_in_a_link_are_merged() {
    let mut link = Link {
        text: named("histogram").unwrap().text.to_owned(),
        ..Link::default()
    };
    link.view.set(view::WATCH, "slm:0,slm:0");
    let mut state = State::new(Saved::default());
    state
        .show_address(&link.plain_fragment().unwrap(), 0.0)
        .unwrap();
    assert_eq!(state.state_inputs().watch_list().rows.len(), 1);
}

/// Moves to the cell that a key reaches.
fn go(state: &mut State, right: i32, down: i32) {
    let next = neighbour(state, right, down);
    inspect(state, InspectAction::Select(next));
}

#[test]
fn arrow_keys_reach_every_cell() {
    let mut state = of("two-eus");
    state.act(Action::StatePane(StateAction::Tab(Tab::Registers)));
    let first = rows(&state, GridKind::Registers)[1].cells[0].place;
    inspect(&mut state, InspectAction::Select(first));
    let mut seen = vec![first];
    while neighbour(&state, 1, 0) != seen[seen.len() - 1] && seen.len() < 200 {
        go(&mut state, 1, 0);
        seen.push(state.state_inputs().chosen_cell().unwrap().place);
    }
    // em, and two variables of eight elements on each of the two EUs.
    assert_eq!(seen.len(), 2 * (1 + 16), "{seen:?}");
    go(&mut state, 0, -1);
    go(&mut state, 0, 1);
    assert_eq!(
        state.state_inputs().chosen_cell().map(|c| c.place).as_ref(),
        seen.last()
    );
    state.act(Action::StatePane(StateAction::Tab(Tab::Local)));
    inspect(&mut state, InspectAction::Open(Place::new(SpaceId::SLM, 0)));
    go(&mut state, 1, 0);
    go(&mut state, 0, 1);
    assert_eq!(
        state.state_inputs().chosen_cell().unwrap().place.address,
        20
    );
    go(&mut state, 0, -1);
    go(&mut state, 0, -1);
    assert_eq!(
        state.state_inputs().chosen_cell().unwrap().place.address,
        4,
        "there is no row above"
    );
}

#[test]
fn stride_sets_the_step_size() {
    let mut state = of("dpasw-int8");
    let end = state.transport().known;
    state.act(Action::Transport(TransportAction::Seek(3)));
    state.act(Action::Transport(TransportAction::Stride(Stride::Channel)));
    let fine = state.transport();
    assert!(fine.has_stages && fine.known > end);
    assert_eq!(fine.position * end, 3 * fine.known);
    state.act(Action::Transport(TransportAction::Step));
    state.act(Action::Transport(TransportAction::Stride(
        Stride::Instruction,
    )));
    assert_eq!(state.transport().position, 3);
    state.act(Action::Transport(TransportAction::Step));
    let starts = state.transport().starts;
    let next = starts.iter().copied().find(|s| *s > 3).unwrap_or(end);
    assert_eq!(state.transport().position, next);
    state.act(Action::Transport(TransportAction::StepBack));
    assert_eq!(state.transport().position, 0);
    let fault = of("svm-fault").transport();
    assert_eq!(fault.fault, Some(fault.known));
}

#[test]
fn large_register_file_is_virtualised() {
    let decls: String = (0..64)
        .map(|i| format!(".decl X{i} v_type=G type=ud num_elts=1024\n"))
        .collect();
    let text = format!("{decls}dword_atomic.inc (M1, 8) %slm X0.0 %null.0 %null.0 X63.4064\n");
    let mut state = State::new(Saved {
        text: Some(text),
        ..Saved::default()
    });
    assert!(state.can_run(), "{:?}", state.source.problems);
    state.act(Action::StatePane(StateAction::Tab(Tab::Registers)));
    state.act(Action::Transport(TransportAction::Step));
    let inputs = state.state_inputs();
    let shape = inputs.shape(GridKind::Registers, WIDTH);
    assert!(shape.rows > 16_000);
    let reveal = state.state_view.reveal(GridKind::Registers).unwrap();
    let row = inputs.row_of(&shape, reveal.place).unwrap();
    assert!(row > 16_000, "{row}");
    let row = inputs.row(&shape, row).unwrap();
    let is_written = |access| access != LastAccess::None;
    assert!(row.cells.iter().any(|cell| is_written(cell.access)));
}

#[test]
fn predefined_surfaces_are_named() {
    let text = "\
.target visa XEHP
.surface T1 64
.decl T6 v_type=T num_elts=1
.surface T6 128
";
    let mut state = State::new(Saved {
        text: Some(text.to_owned()),
        ..Saved::default()
    });
    assert!(state.can_run());
    state.act(Action::StatePane(StateAction::Tab(Tab::Surfaces)));
    let regions = state.state_inputs().regions(MemoryKind::Surfaces);
    let regions: Vec<&str> = regions.iter().map(|region| &*region.name).collect();
    assert_eq!(regions, ["T1, 64 bytes", "T6, 128 bytes"]);
    inspect(
        &mut state,
        InspectAction::Open(Place::new(SpaceId::surface(1), 8)),
    );
    assert_eq!(state.state_inputs().cell_model().unwrap().name, "T1[0x8]");
}

#[test]
fn predicate_bits_are_written_by_their_own_lane() {
    // Lane 1 sets its bit of P1 in step 2.
    for (lane, writes) in [(1, &[2][..]), (3, &[])] {
        let mut state = of("atom-sparse");
        let place = Place::of_bit(SpaceId::flags(0), predicate_address(1), lane);
        inspect(&mut state, InspectAction::Open(place));
        inspect(&mut state, InspectAction::Watch);
        assert_eq!(*state.transport().writes, *writes, "lane {lane}");
        state.act(Action::Transport(TransportAction::Speed(Speed::Fastest)));
        state.act(Action::Transport(TransportAction::ToggleRun));
        for _ in 0..4 {
            state.act(Action::Transport(TransportAction::Tick));
        }
        assert_eq!(message(&state).is_some(), !writes.is_empty());
        state.act(Action::Transport(TransportAction::Seek(2)));
        let inputs = state.state_inputs();
        let last = inputs.cell_model().unwrap().last.map(|(step, _)| step);
        assert_eq!(last, writes.first().copied());
        let was = inputs.watch_list().rows[0].was.clone();
        assert_eq!(was.as_deref(), writes.first().map(|_| "false"));
    }
}

/// Sets the element type of a memory.
fn show_in(state: &mut State, kind: MemoryKind, ty: ElementType) {
    let format = MemoryFormat {
        ty: Some(ty),
        hex: false,
    };
    let action = MemoryAction::Format(format);
    state.act(Action::StatePane(StateAction::Memory(kind, action)));
}

fn cell_name(state: &State) -> String {
    state.state_inputs().cell_model().unwrap().name
}

#[test]
fn inspected_cell_follows_the_format() {
    let mut state = of("lock");
    show_in(&mut state, MemoryKind::Local, ElementType::Ub);
    for address in [0x40, 0x41] {
        let place = Place::new(SpaceId::SLM, address);
        inspect(&mut state, InspectAction::Open(place));
        inspect(&mut state, InspectAction::Watch);
    }
    assert_eq!(cell_name(&state), "slm[0x41]");
    show_in(&mut state, MemoryKind::Local, ElementType::Ud);
    assert_eq!(cell_name(&state), "slm[0x40]");
    assert!(state.state_inputs().cell_model().unwrap().watched);
    assert_eq!(state.state_inputs().watch_list().rows.len(), 1);
    go(&mut state, 1, 0);
    assert_eq!(cell_name(&state), "slm[0x44]");
    go(&mut state, -1, 0);
    inspect(&mut state, InspectAction::Watch);
    assert!(state.state_inputs().watch_list().rows.is_empty());
    // A link may name any byte.
    assert!(state.look_at(Place::new(SpaceId::SLM, 0x47)));
    assert_eq!(cell_name(&state), "slm[0x44]");
    assert_eq!(set(&mut state, Place::new(SpaceId::SLM, 0x47), "9"), None);
    assert!(
        state.text().contains(".init slm[0x44] : ud = 9\n"),
        "{}",
        state.text()
    );
}

#[test]
fn inspected_warp_register_follows_pairing() {
    let mut state = of("red-float-sum");
    let named: Vec<u8> = state.session.program().symbols.sass.registers().collect();
    let even = *named
        .iter()
        .find(|r| *r % 2 == 0 && named.contains(&(*r + 1)))
        .unwrap();
    let second = Place::new(SpaceId::registers(0), register_address(3, even + 1));
    inspect(&mut state, InspectAction::Open(second));
    assert_eq!(cell_name(&state), format!("R{} lane 3", even + 1));
    state.act(Action::StatePane(StateAction::RegisterFormat(
        RegisterFormat::Double,
    )));
    assert_eq!(cell_name(&state), format!("R{even}:R{} lane 3", even + 1));
    // R200 does not occur in the program.
    let absent = Place::new(SpaceId::registers(0), register_address(3, 200));
    assert!(!state.look_at(absent));
}

#[test]
fn cells_do_not_cross_variables() {
    let mut state = of("two-eus");
    state.act(Action::StatePane(StateAction::RegisterFormat(
        RegisterFormat::Bytes,
    )));
    let variable = state.state_inputs().register_map().variable_at(0).cloned();
    let variable = variable.unwrap();
    let last = u64::from(variable.offset + variable.bytes - 1);
    assert!(state.look_at(Place::new(SpaceId::registers(0), last)));
    assert_eq!(
        cell_name(&state),
        format!("EU0.{} byte {last}", variable.name)
    );
    state.act(Action::StatePane(StateAction::RegisterFormat(
        RegisterFormat::Declared,
    )));
    assert_eq!(cell_name(&state), format!("EU0.{}[7]", variable.name));
    let start = state.state_inputs().chosen_cell().unwrap().place.address;
    assert_eq!(start, last - 3);
}

#[test]
fn timeline_marks_follow_the_format() {
    let mut state = of("histogram");
    show_in(&mut state, MemoryKind::Local, ElementType::Ub);
    // The second byte of the counter does not change.
    let place = Place::new(SpaceId::SLM, 5);
    inspect(&mut state, InspectAction::Open(place));
    inspect(&mut state, InspectAction::Watch);
    assert!(state.transport().writes.is_empty());
    show_in(&mut state, MemoryKind::Local, ElementType::Ud);
    assert!(!state.transport().writes.is_empty());
}

#[test]
fn timeline_marks_follow_the_current_type() {
    let mut state = of("red-float-sum");
    let kind = MemoryKind::Virtual;
    let start = state.state_inputs().regions(kind)[0].start;
    state.act(Action::Transport(TransportAction::ToEnd));
    let ty = |state: &State| state.state_view.memories[kind].notation().ty;
    let wide = ty(&state);
    assert_eq!(wide, ElementType::Df);
    let steps = state.transport().writes;
    assert!(steps.is_empty());
    for address in (start..start + 64).step_by(8) {
        inspect(
            &mut state,
            InspectAction::Open(Place::new(SpaceId::VIRTUAL, address)),
        );
        inspect(&mut state, InspectAction::Watch);
    }
    let at_end = state.transport().writes;
    state.act(Action::Transport(TransportAction::ToStart));
    assert_eq!(ty(&state), ElementType::F);
    // Equivalent to watching each cell in this type.
    let shown = state.transport().writes;
    let rows = state.state_inputs().watch_list().rows;
    for row in &rows {
        inspect(&mut state, InspectAction::Unwatch(row.place));
    }
    for row in &rows {
        inspect(&mut state, InspectAction::Open(row.place));
        inspect(&mut state, InspectAction::Watch);
    }
    assert_eq!(state.transport().writes, shown);
    assert_ne!(at_end, shown);
}

#[test]
fn paging_is_clamped() {
    let mut state = of("lock");
    let at = |state: &State| state.state_inputs().chosen_cell().unwrap().place.address;
    inspect(
        &mut state,
        InspectAction::Open(Place::new(SpaceId::SLM, 36)),
    );
    go(&mut state, 0, -8);
    assert_eq!(at(&state), 4);
    go(&mut state, 0, -8);
    assert_eq!(at(&state), 4);
    state.act(Action::StatePane(StateAction::Tab(Tab::Registers)));
    inspect(
        &mut state,
        InspectAction::Open(Place::new(SpaceId::registers(0), 4)),
    );
    go(&mut state, 0, -8);
    assert_eq!(cell_name(&state), "em");
}

#[test]
fn arrow_keys_move_beyond_the_scroll_window() {
    let text = "\
.target sass SM52
.region global 0x10000 16777216
";
    let mut state = State::new(Saved {
        text: Some(text.to_owned()),
        ..Saved::default()
    });
    assert!(state.can_run(), "{:?}", state.source.problems);
    state.act(Action::StatePane(StateAction::Tab(Tab::Global)));
    // First row of the second window of 2^18 rows of 16 bytes.
    let first = 0x10000 + (1 << 18) * 16;
    let at = |state: &State| state.state_inputs().chosen_cell().unwrap().place.address;
    let go_to = MemoryAction::GoTo(first);
    state.act(Action::StatePane(StateAction::Memory(
        MemoryKind::Virtual,
        go_to,
    )));
    inspect(
        &mut state,
        InspectAction::Open(Place::new(SpaceId::VIRTUAL, first)),
    );
    go(&mut state, 0, -1);
    assert_eq!(at(&state), first - 16);
    go(&mut state, 0, 1);
    assert_eq!(at(&state), first);
}

#[test]
fn arrow_keys_end_at_the_last_address() {
    let text = ".region svm 0xffff_ffff_ffff_ff00 256\n";
    let mut state = State::new(Saved {
        text: Some(text.to_owned()),
        ..Saved::default()
    });
    state.act(Action::StatePane(StateAction::Tab(Tab::Virtual)));
    let last = Place::new(SpaceId::VIRTUAL, u64::MAX - 3);
    inspect(&mut state, InspectAction::Open(last));
    for (right, down) in [(1, 0), (0, 1), (0, 8)] {
        go(&mut state, right, down);
        assert_eq!(state.state_inputs().chosen_cell().unwrap().place, last);
    }
}

#[test]
fn text_without_directives_has_default_memory() {
    for text in ["", "// nothing", ".title \"Nothing\"\n"] {
        let state = State::new(Saved {
            text: Some(text.to_owned()),
            ..Saved::default()
        });
        assert!(state.can_run());
        let regions = state.state_inputs().regions(MemoryKind::Local);
        assert_eq!(regions.len(), 1, "{text}");
    }
}

const LAUNCH: &str = "\
.target visa TGLLP
.decl V34 v_type=G type=ud num_elts=1
.decl V35 v_type=G type=uq num_elts=1
.decl V36 v_type=G type=uw num_elts=16
.launch global=8 local=8
.simd 8
.buffer bins : ud[4] = 5, 6, 7
.bind V34 = 200:ud
.bind V35 = &bins
.decl OFF v_type=G type=uq num_elts=8 align=GRF
mov (M1, 8) OFF(0,0)<1> V35(0,0)<0;1,0>
svm_atomic.inc (M1, 8) OFF.0 %null.0 %null.0 %null.0
";

#[test]
fn buffers_of_a_launch_are_typed_arrays() {
    let mut state = State::new(Saved {
        text: Some(LAUNCH.to_owned()),
        ..Saved::default()
    });
    assert!(state.can_run(), "{:?}", state.source.problems);
    assert_eq!(state.state_view.tab, Tab::Buffers);
    state.act(Action::Transport(TransportAction::ToEnd));
    let table = rows(&state, GridKind::Buffers);
    assert_eq!(table[0].name.as_deref(), Some("bins : ud[4]"));
    assert_eq!(table[0].about, "1 changed by this launch");
    assert_eq!(values(&table, 4), ["5 → 13", "6", "7", "0"]);
    // Two elements per row.
    let length = BufferAction::RowLength(Some(2));
    state.act(Action::StatePane(StateAction::Buffer(0, length)));
    assert_eq!(rows(&state, GridKind::Buffers).len(), 1 + 2);
    // The last writer, and an initial value.
    let start = state.state_inputs().buffers()[0].address;
    let second = Place::new(SpaceId::VIRTUAL, start + 4);
    inspect(
        &mut state,
        InspectAction::Open(Place::new(SpaceId::VIRTUAL, start)),
    );
    let cell = state.state_inputs().cell_model().unwrap();
    assert_eq!(
        (&*cell.name, &*cell.start, &*cell.now),
        ("bins[0]", "5", "13")
    );
    assert!(cell.last.is_some());
    assert_eq!(set(&mut state, second, "60"), None);
    assert!(
        state.text().contains(".buffer bins : ud[4] = 5, 60, 7\n"),
        "{}",
        state.text()
    );
    let launch = state.session.program().launch.as_ref().unwrap();
    let symbols = &state.session.program().symbols.visa;
    assert_eq!(launch.scalars(symbols), ["V34 = 200"]);
    for (bytes, text) in [
        (
            &[1, 0, 0, 0, 2, 0, 0, 0][..],
            "bins starts with the values of f.bin.",
        ),
        (&[1, 0], "f.bin was not loaded: expected at most 16 bytes"),
    ] {
        let load = BufferAction::Load {
            file: Rc::from("f.bin"),
            bytes: Rc::from(bytes),
        };
        state.act(Action::StatePane(StateAction::Buffer(0, load)));
        let told = message(&state).unwrap();
        assert!(told.starts_with(text), "{told}");
        assert!(state.text().contains(".buffer bins : ud[4] = 1, 2\n"));
    }
}
