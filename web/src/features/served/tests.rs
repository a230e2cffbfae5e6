use super::ServedAction;
use super::action::ServedProgram;
use crate::features::launch::{LaunchAction, LaunchField, LaunchStart};
use crate::features::program::{BreakpointAction, Origin, ProgramAction};
use crate::features::share::ShareAction;
use crate::features::transport::TransportAction;
use crate::store::{Saved, State};
use lanewise_core::library::named;
use std::rc::Rc;

/// A kernel with source lines, two buffers and a launch.
fn kernel() -> &'static str {
    named("kernel-endless-lock").unwrap().text
}

/// Its source, with enough lines.
const SOURCE: &str = "// 1\n// 2\n// 3\n// 4\n// 5\n// 6\n// 7\n// 8\n// 9\n// 10\n";

fn open(state: &mut State, text: &str, source: &str, keeps: bool) {
    state.act(ServedAction::Open(ServedProgram {
        name: Rc::from("lock.cl"),
        address: Rc::from("served=0"),
        text: Rc::from(text),
        source: Rc::from(source),
        keeps,
    }));
}

/// Number of the line of an instruction, from 1.
fn number_of(text: &str, start: &str) -> u32 {
    let line = text.lines().position(|line| line.starts_with(start));
    u32::try_from(line.unwrap()).unwrap() + 1
}

#[test]
fn a_save_keeps_the_launch_the_breakpoints_and_the_step() {
    let mut state = State::new(Saved::default());
    open(&mut state, kernel(), SOURCE, false);
    assert!(matches!(state.source.origin, Origin::File(_)));
    assert_eq!(&*state.text(), kernel());

    // The user's own launch, a breakpoint at the second instruction of line 6, and a step.
    let own = kernel()
        .replace("global=32 local=32", "global=64 local=32")
        .replace("c : ud[1]", "c : ud[1] = 7");
    state.edit(&own);
    let stop = "mov (M1, 32) V0056(0,1)<2>";
    let breakpoint = number_of(&own, stop);
    state.act(BreakpointAction::Toggle(breakpoint - 1));
    state.act(BreakpointAction::Condition(
        breakpoint - 1,
        Rc::from("lane 3"),
    ));
    for _ in 0..3 {
        state.act(TransportAction::Step);
    }
    let position = state.session.position();
    assert!(position > 0);

    // A line more above the kernel, and an instruction more in line 5.
    let source = format!("// new\n{SOURCE}");
    let next = [4, 5, 6, 10]
        .iter()
        .rev()
        .fold(kernel().to_owned(), |text, line| {
            text.replace(&format!("LOC {line}\n"), &format!("LOC {}\n", line + 1))
        });
    let next = next.replace("LOC 6\n", "LOC 6\nmov (M1, 32) V0057(0,0)<1> 0x0:d\n");
    open(&mut state, &next, &source, true);
    let text = state.text();
    for line in [".launch global=64 local=32\n", ".buffer c : ud[1] = 7"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let moved = number_of(&text, stop);
    assert_ne!(moved, breakpoint);
    let kept = state.source.breakpoints.numbered();
    assert_eq!(kept, [(moved, String::from("lane 3"))]);
    assert_eq!(state.session.position(), position);
    // Resetting the text goes back to the launch of the server, not to the old program.
    state.act(ProgramAction::ResetText);
    assert_eq!(*state.text(), *next);
    assert!(!state.source.is_edited());
}

#[test]
fn another_kernel_starts_afresh() {
    let mut state = State::new(Saved::default());
    open(&mut state, kernel(), SOURCE, false);
    state.act(BreakpointAction::Toggle(number_of(kernel(), "ret") - 1));
    let other = kernel().replace("global=32", "global=64");
    let other = other.replace(".title \"Spin lock", ".title \"Another lock");
    open(&mut state, &other, SOURCE, true);
    assert_eq!(*state.text(), *other);
    assert!(state.source.breakpoints.numbered().is_empty());
}

#[test]
fn problems_of_a_file_are_reported_and_its_program_stays() {
    let mut state = State::new(Saved::default());
    open(&mut state, kernel(), SOURCE, false);
    assert!(!state.screen.is_served);
    state.act(ServedAction::Connected);
    assert!(state.screen.is_served);
    let problem = "lock.cl:2:3: expected ';'";
    let problems = [problem, "lock.cl:4:1: expected '}'"].map(Rc::from);
    state.act(ServedAction::Report(Rc::from(problems)));
    let notice = state.notices.shown.as_ref().expect("a notice");
    assert_eq!(&*notice.text, problem);
    assert_eq!(state.files.problems.len(), 2);
    assert_eq!(&*state.text(), kernel());
    state.act(ServedAction::Report(Rc::from([])));
    assert!(state.files.problems.is_empty());
}

#[test]
fn errors_of_a_file_without_a_program_are_in_the_program_pane() {
    let mut state = State::new(Saved::default());
    let report = |state: &mut State| {
        let problems = [Rc::from("lock.cl:2:3: expected ';'")];
        state.act(ServedAction::Report(Rc::from(problems)));
    };
    // The page shows another program, or the user's empty one.
    report(&mut state);
    let is_missing = |state: &State| state.files.has_no_served_program(&state.source);
    assert!(!is_missing(&state));
    state.act(ProgramAction::New);
    assert!(!is_missing(&state));
    assert_eq!(state.served_problems().len(), 1);

    let of_run = state.no_problems_text();
    open(&mut state, "", "", false);
    assert!(is_missing(&state));
    assert!(state.served_problems().is_empty());
    assert_ne!(state.no_problems_text(), of_run);
    // The user starts a program instead.
    state.edit("ret (M1, 1)\n");
    assert!(!is_missing(&state));

    // The user deletes a served program that does not compile any more.
    open(&mut state, kernel(), SOURCE, true);
    report(&mut state);
    state.edit("");
    assert!(!is_missing(&state));
    assert_eq!(state.served_problems().len(), 1);
    state.act(ServedAction::Report(Rc::from([])));
    open(&mut state, "", "", false);
    assert!(!is_missing(&state));
}

const STRUCT: &str = ".target visa PVC
.title \"Scale\"
.launch global=8 local=8
.simd 8
.buffer out : f[8]  // float *out
.decl V32 v_type=G type=d num_elts=1 align=dword
.decl V33 v_type=G type=d num_elts=1 align=dword
.input V32 offset=32 size=4
.input V33 offset=36 size=4
.bind V32 = 1065353216:ud  // Box box[0]
.bind V33 = 64:ud  // Box box[1]
ret (M1, 1)
";

#[test]
fn the_launch_dialog_has_the_fields_of_structures() {
    let source = "typedef struct { float gain; int n; } Box;\n";
    let names = |state: &mut State| {
        state.act(LaunchAction::Open);
        let launch = state.launch.as_ref().expect("a dialog");
        let names = launch.form.arguments.iter().skip(1);
        names.map(|field| field.name.clone()).collect::<Vec<_>>()
    };
    let mut state = State::new(Saved::default());
    open(&mut state, STRUCT, source, false);
    assert_eq!(names(&mut state), ["box.gain", "box.n"]);

    // A save keeps the values of the user's launch.
    let set = LaunchAction::Edit(LaunchField::Quantity(2), String::from("7"));
    state.act(set);
    state.act(LaunchAction::Start(LaunchStart::EditText));
    assert!(state.text().contains(".bind V33 = 7:d  // int box.n\n"));
    let next = STRUCT.replace("ret", "barrier\nret");
    open(&mut state, &next, source, true);
    let text = state.text();
    assert!(text.contains("barrier\n") && text.contains(".bind V33 = 7:d  // int box.n\n"));

    // So does the dialog of a program from elsewhere, once its source is known.
    state.act(ProgramAction::Edit(STRUCT.to_owned()));
    assert_eq!(names(&mut state), ["box.gain", "box.n"]);
}

#[test]
fn a_save_without_a_launch_of_the_user_takes_that_of_the_server() {
    let mut state = State::new(Saved::default());
    open(&mut state, kernel(), SOURCE, false);
    // The server proposes longer buffers for another access.
    let next = kernel().replace("c : ud[1]", "c : ud[2]");
    assert_ne!(next, kernel());
    open(&mut state, &next, SOURCE, true);
    assert_eq!(*state.text(), *next);
    assert!(!state.source.is_edited());

    // Only what the user has changed is kept.
    state.edit(&next.replace("global=32 local=32", "global=64 local=32"));
    open(&mut state, kernel(), SOURCE, true);
    let own = kernel().replace("global=32 local=32", "global=64 local=32");
    assert_eq!(*state.text(), own);

    // A reloaded page does not know what the server has proposed.
    let mut state = State::new(Saved::default());
    state.load(Origin::File(None), &own);
    open(&mut state, kernel(), SOURCE, true);
    assert_eq!(*state.text(), own);
}

#[test]
fn a_served_file_has_an_address_that_the_script_opens() {
    let mut state = State::new(Saved::default());
    open(&mut state, kernel(), SOURCE, false);
    assert_eq!(state.address().as_deref(), Some("served=0"));
    let scenario = named("histogram").unwrap();
    state.act(ProgramAction::Choose(scenario));
    // Back: the page leaves it to the script.
    state.act(ShareAction::Open(String::from("served=0")));
    assert_eq!(state.notices.shown, None);
    assert_eq!(&*state.text(), scenario.text);
    // The address is not that of the earlier program once the file is open.
    open(&mut state, kernel(), SOURCE, false);
    assert_eq!(state.origin_address(), state.address());

    // After a reload, the origin is known again.
    let mut state = State::new(Saved::default());
    state.load(Origin::File(None), kernel());
    open(&mut state, kernel(), SOURCE, true);
    assert_eq!(state.address().as_deref(), Some("served=0"));
}
