use super::InspectAction;
use crate::features::launch::LaunchAction;
use crate::features::program::ProgramAction;
use crate::features::state::StateAction;
use crate::features::state::inputs::tests::{neighbour, rows};
use crate::features::transport::{Speed, TransportAction};
use crate::store::{Saved, State};
use lanewise_answer::grids::{Place, RegisterFormat, Tab};
use lanewise_core::isa::sass::warp::{predicate_address, register_address};
use lanewise_core::library::named;
use lanewise_core::machine::SpaceId;
use lanewise_core::session::LaunchRun;
use lanewise_link::{Link, view};
use std::rc::Rc;

fn inspect(state: &mut State, action: InspectAction) {
    state.act(StateAction::Inspect(action));
}

fn set(state: &mut State, place: Place, value: &str) -> Option<String> {
    inspect(state, InspectAction::Open(place));
    inspect(state, InspectAction::Commit(value.to_owned()));
    state
        .state_inputs()
        .cell_model()
        .and_then(|cell| cell.wrong)
}

/// Address of the inspected cell.
fn address(state: &State) -> u64 {
    let cell = state.state_inputs().chosen_cell();
    cell.unwrap().place.address
}

fn message(state: &State) -> Option<Rc<str>> {
    state.state_view.inspect.message.clone()
}

#[test]
fn displayed_values_parse() {
    let mut state = State::of_scenario("lock");
    state.act(StateAction::Tab(Tab::Registers));
    let v33 = Place::new(SpaceId::registers(0), 32);
    state.act(StateAction::RegisterFormat(RegisterFormat::Hex));
    assert_eq!(set(&mut state, v33, "ff"), None);
    assert_eq!(
        state.state_inputs().cell_model().unwrap().start,
        "0x000000ff"
    );
    assert!(
        state.text().contains(".init V33 = 0xff, 102,"),
        "{}",
        state.text()
    );
    state.act(StateAction::RegisterFormat(RegisterFormat::Float));
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
fn link_with_a_nonexistent_lane_is_rejected() {
    let mut state = State::of_scenario("atom-inc");
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
    assert_eq!(state.state_inputs().watched_rows().len(), 1);
}

#[test]
fn reset_closes_the_editor() {
    let mut state = State::of_scenario("two-eus");
    let cell = Place::new(SpaceId::SLM, 0);
    assert!(set(&mut state, cell, "what").is_some());
    state.act(TransportAction::Reset);
    assert!(state.state_inputs().chosen_cell().unwrap().editor.is_none());
    assert!(message(&state).is_some());
}

/// Moves to the cell that a key reaches.
fn go(state: &mut State, right: i32, down: i32) {
    let next = neighbour(state, right, down);
    inspect(state, InspectAction::Select(next));
}

#[test]
fn arrow_keys_reach_every_cell() {
    let mut state = State::of_scenario("two-eus");
    state.act(StateAction::Tab(Tab::Registers));
    let first = rows(&state, Tab::Registers)[1].cells[0].place;
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
    state.act(StateAction::Tab(Tab::Local));
    inspect(&mut state, InspectAction::Open(Place::new(SpaceId::SLM, 0)));
    go(&mut state, 1, 0);
    go(&mut state, 0, 1);
    assert_eq!(address(&state), 20);
    go(&mut state, 0, -1);
    go(&mut state, 0, -1);
    assert_eq!(address(&state), 4, "it is in the first row");
}

#[test]
fn predicate_bits_are_written_by_their_own_lane() {
    // Lane 1 sets its bit of P1 in step 2.
    for (lane, writes) in [(1, &[2][..]), (3, &[])] {
        let mut state = State::of_scenario("atom-sparse");
        let place = Place::of_bit(SpaceId::flags(0), predicate_address(1), lane);
        inspect(&mut state, InspectAction::Open(place));
        inspect(&mut state, InspectAction::Watch);
        assert_eq!(*state.state_view.inspect.writes, *writes, "lane {lane}");
        state.act(TransportAction::Speed(Speed::Fastest));
        state.act(TransportAction::ToggleRun);
        for _ in 0..4 {
            state.act(TransportAction::Tick { slices: 1 });
        }
        assert_eq!(message(&state).is_some(), !writes.is_empty());
        state.act(TransportAction::Seek(2));
        let inputs = state.state_inputs();
        let last = inputs.cell_model().unwrap().last.map(|(step, _)| step);
        assert_eq!(last, writes.first().copied());
        let was = inputs.watched_rows()[0].was.clone();
        assert_eq!(was.as_deref(), writes.first().map(|_| "0"));
    }
}

fn cell_name(state: &State) -> String {
    state.state_inputs().cell_model().unwrap().name
}

#[test]
fn inspected_warp_register_follows_pairing() {
    let mut state = State::of_scenario("red-float-sum");
    let named: Vec<u8> = state.session.program().symbols.sass.registers().collect();
    let even = *named
        .iter()
        .find(|r| *r % 2 == 0 && named.contains(&(*r + 1)))
        .unwrap();
    let second = Place::new(SpaceId::registers(0), register_address(3, even + 1));
    inspect(&mut state, InspectAction::Open(second));
    assert_eq!(cell_name(&state), format!("R{} lane 3", even + 1));
    state.act(StateAction::RegisterFormat(RegisterFormat::Double));
    assert_eq!(cell_name(&state), format!("R{even}:R{} lane 3", even + 1));
    // R200 does not occur in the program.
    let absent = Place::new(SpaceId::registers(0), register_address(3, 200));
    assert!(!state.look_at(absent));
}

#[test]
fn cells_do_not_cross_variables() {
    let mut state = State::of_scenario("two-eus");
    state.act(StateAction::RegisterFormat(RegisterFormat::Bytes));
    let variable = state.grids().register_map().variable_at(0).cloned();
    let variable = variable.unwrap();
    let last = u64::from(variable.offset + variable.bytes - 1);
    assert!(state.look_at(Place::new(SpaceId::registers(0), last)));
    assert_eq!(
        cell_name(&state),
        format!("EU0.{} byte {last}", variable.name)
    );
    state.act(StateAction::RegisterFormat(RegisterFormat::Declared));
    assert_eq!(cell_name(&state), format!("EU0.{}[7]", variable.name));
    let start = address(&state);
    assert_eq!(start, last - 3);
}

#[test]
fn arrow_keys_end_at_the_last_address() {
    let text = ".region svm 0xffff_ffff_ffff_ff00 256\n";
    let mut state = State::of_text(text);
    state.act(StateAction::Tab(Tab::Virtual));
    let last = Place::new(SpaceId::VIRTUAL, u64::MAX - 3);
    inspect(&mut state, InspectAction::Open(last));
    for (right, down) in [(1, 0), (0, 1), (0, 8)] {
        go(&mut state, right, down);
        assert_eq!(state.state_inputs().chosen_cell().unwrap().place, last);
    }
}

#[test]
fn the_work_group_that_changed_a_cell_last_is_found() {
    let mut state = State::of_scenario("kernel-histogram");
    let text = state
        .text()
        .replace("global=64 local=32", "global=64 local=8");
    state.act(ProgramAction::Edit(text));
    let program = Rc::clone(&state.source.document.program);
    let mut run_of = LaunchRun::new(&program);
    let places: Vec<Place> = rows(&state, Tab::Buffers)
        .iter()
        .flat_map(|row| &row.cells)
        .map(|cell| cell.place)
        .collect();
    let mut writers = vec![None; places.len()];
    let value =
        |run: &LaunchRun, place: &Place| run.result().machine.load(place.space, place.address, 4);
    for group in 0..6 {
        let before: Vec<_> = places.iter().map(|place| value(&run_of, place)).collect();
        assert!(run_of.advance(&program, group + 1, u64::MAX));
        for ((writer, place), before) in writers.iter_mut().zip(&places).zip(before) {
            if value(&run_of, place) != before {
                *writer = Some(group);
            }
        }
    }
    let (wanted, place) = (writers.iter().zip(&places))
        .find_map(|(writer, place)| Some(((*writer)?, *place)).filter(|(g, _)| (1..5).contains(g)))
        .expect("a cell that groups in the middle change last");
    let initial = program.start.load(place.space, place.address, 4).unwrap();
    state.run(LaunchAction::ShowGroup(6));
    inspect(&mut state, InspectAction::Select(place));
    let cell = state.state_inputs().cell_model().unwrap();
    assert_eq!(cell.start, initial.to_string());
    assert!(cell.last.is_none() && cell.has_earlier_write);
    // A move instead of the answer leaves the timeline as it was.
    inspect(&mut state, InspectAction::ToLastWrite);
    assert!(state.waits_for_groups());
    state.act(TransportAction::Step);
    assert!(!state.waits_for_groups() && state.session.position() == 1);
    state.end_run();
    assert_eq!(state.group(), 6);
    inspect(&mut state, InspectAction::ToLastWrite);
    state.end_run();
    assert_eq!(state.group(), wanted);
    assert!(state.state_inputs().cell_model().unwrap().is_last);
}

#[test]
fn a_selected_cell_outlives_an_error_in_its_declaration() {
    let mut state = State::of_scenario("kernel-histogram");
    let buffers = rows(&state, Tab::Buffers);
    let place = buffers
        .iter()
        .flat_map(|row| &row.cells)
        .next()
        .unwrap()
        .place;
    inspect(&mut state, InspectAction::Select(place));
    let start = |state: &State| state.state_inputs().cell_model().unwrap().start;
    let before = start(&state);
    let text = state.text().replace(".buffer in : ", ".buffer in = ");
    assert_ne!(text, &*state.text());
    state.act(ProgramAction::Edit(text));
    assert!(!state.can_run());
    assert_eq!(start(&state), before);
}
