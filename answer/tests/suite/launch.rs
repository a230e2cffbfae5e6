//! Work-items and variables of a launch.

use lanewise_answer::launch::{WorkItems, arguments, definitions, variables};
use lanewise_core::ide::LaunchForm;
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use std::rc::Rc;

/// Of 24 work-items, those with an ID below 4 wait at line 9 while the others compute.
const TEXT: &str = "\
.launch global=40 local=24 offset=100  // 40 items
.buffer x : f[16]  // const float *x
.local_arg 64  // local int *tile
.simd 32
.decl V32 v_type=G type=d num_elts=1 align=dword
.decl V33 v_type=G type=d num_elts=32 align=GRF
.decl V34 v_type=G type=f num_elts=16 align=GRF
.decl P1 v_type=P num_elts=32
.bind V32 = 5:d  // int n
.init V33 = iota(0, 1)
FILE \"a.cl\"
LOC 3
cmp.lt (M1, 32) P1 V33(0,0)<1;1,0> 4:d
(P1) goto (M1, 32) LATER
LOC 4
mov (M5, 16) V34(0,0)<1> 1.5:f
add (M1, 32) V33(0,0)<1> V33(0,0)<1;1,0> V32(0,0)<0;1,0>
LATER:
LOC 9
ret (M1, 32)
";

fn session(steps: usize) -> Session {
    let program = Program::parse(TEXT);
    assert!(program.can_run(), "{:?}", program.diagnostics);
    let mut session = Session::new(Rc::new(program));
    session.precompute(usize::MAX);
    session.seek(steps);
    session
}

#[test]
fn work_items_have_ids_places_and_variables() {
    let session = session(6);
    let found = definitions(session.program());
    let items = WorkItems::of(&session, 0, &found, &[]);
    // The last work-items of SIMD32 do not exist.
    assert_eq!(items.rows.len(), 24);
    assert_eq!(items.columns, ["V34"]);
    let row = |channel: usize| {
        let row = &items.rows[channel];
        let cell = row.cells[0]
            .as_ref()
            .map(|cell| (&*cell.text, cell.is_changed));
        (&*row.id, &*row.state, row.runs, cell)
    };
    assert_eq!(row(2), ("102", "waits at a.cl:9", false, None));
    assert_eq!(row(5), ("105", "runs", true, None));
    // The instruction computes channels 16 to 31.
    assert_eq!(row(16), ("116", "runs", true, Some(("0 → 1.5", true))));
    let chosen = WorkItems::of(&session, 0, &found, &["V33", "V99"]);
    assert_eq!(chosen.unknown, ["V99"]);
    assert_eq!(chosen.columns, ["V33"]);
    let texts = chosen
        .rows
        .iter()
        .map(|row| row.cells[0].as_ref().map(|cell| &*cell.text));
    assert_eq!(
        texts.take(3).collect::<Vec<_>>(),
        [Some("0"), Some("1"), Some("2")]
    );
}

#[test]
fn ended_work_items_say_so() {
    let session = session(usize::MAX);
    assert!(session.at_end());
    let items = WorkItems::of(&session, 0, &definitions(session.program()), &[]);
    assert!(
        items
            .rows
            .iter()
            .all(|row| row.state == "ended" && !row.runs)
    );
}

#[test]
fn variables_are_those_of_the_work_item() {
    let session = session(7);
    let found = definitions(session.program());
    let rows = |channel| {
        let rows = variables(&session, &found, 0, channel).into_iter();
        let rows = rows.map(|row| (row.name, row.ty, row.value, row.is_changed));
        rows.collect::<Vec<_>>()
    };
    let own = |name: &str, ty: &str, value: &str, is_changed| {
        (name.to_owned(), ty.to_owned(), value.to_owned(), is_changed)
    };
    assert_eq!(rows(3), [own("V33", "d", "3", false)]);
    let expected = [
        own("V34", "f", "1.5", false),
        own("V33", "d", "17 → 22", true),
    ];
    assert_eq!(rows(17), expected);
}

#[test]
fn arguments_have_names_and_types() {
    let form = LaunchForm::read(TEXT).expect("a launch");
    let rows = arguments(&form).into_iter();
    let rows: Vec<_> = rows.map(|row| (row.name, row.ty, row.value)).collect();
    let own =
        |name: &str, ty: &str, value: &str| (name.to_owned(), ty.to_owned(), value.to_owned());
    let expected = [
        own("x", "const float*", "16 elements"),
        own("tile", "local int*", "64 bytes of local memory"),
        own("n", "int", "5"),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn cuda_threads_have_registers() {
    let text = lanewise_core::library::named("cuda-collatz").unwrap().text;
    let mut session = Session::new(Rc::new(Program::parse(text)));
    session.precompute(usize::MAX);
    let found = definitions(session.program());
    let chosen = ["R7", "R2", "V32"];
    let items = WorkItems::of(&session, 0, &found, &chosen);
    assert_eq!(
        (items.rows.len(), items.unknown),
        (32, vec![String::from("V32")])
    );
    // Lane 5 starts with 6, which is at 1 after eight steps.
    session.run_to_end();
    let items = WorkItems::of(&session, 0, &found, &chosen);
    let row = &items.rows[5];
    let cells: Vec<&str> = row.cells.iter().flatten().map(|c| &*c.text).collect();
    assert_eq!((&*row.id, &*row.state), ("5", "ended"));
    assert_eq!(cells, ["0x00000008", "0x00000001"]);
    let rows = variables(&session, &found, 0, 5);
    let r7 = rows.iter().find(|row| row.name == "R7").unwrap();
    assert_eq!((&*r7.ty, &*r7.value), ("b32", "0x00000008"));
    // Some lanes have left the loop and wait for the others.
    session.seek(session.known() - 70);
    let items = WorkItems::of(&session, 0, &found, &[]);
    let waiting = items
        .rows
        .iter()
        .filter(|row| row.state.starts_with("waits at "));
    assert!(waiting.count() > 0 && !items.columns.is_empty());
}
