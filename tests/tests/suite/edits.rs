//! An edited program keeps exactly the part of the history that the edit does not
//! affect.

use lanewise_core::library::BUNDLED;
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use std::rc::Rc;

/// Maximum number of compared effects.
const EFFECTS: usize = 1500;

/// Replaces a line of the text.
fn with_line(text: &str, at: usize, line: &str) -> String {
    let lines = text.lines().enumerate();
    let lines = lines.map(|(index, old)| if index == at { line } else { old });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// Edits of each instruction line and each directive.
fn edits(text: &str, program: &Program) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut edits = vec![
        format!("// a comment\n\n{text}"),
        format!("{text}// a comment\n"),
        text.replace(".init", "/*").replace(" = ", " */ .init X = "),
    ];
    for placed in &program.instructions {
        let at = placed.line as usize;
        edits.push(with_line(text, at, ""));
        edits.push(with_line(text, at, &format!("{0}\n{0}", lines[at])));
        edits.push(with_line(text, at, &format!(".order 1, 0\n{}", lines[at])));
        edits.push(with_line(text, at, &format!("/* {} */", lines[at])));
    }
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with('.') {
            edits.push(with_line(text, at, &format!("// {line}")));
            edits.push(with_line(text, at, &format!("{}1", line.trim_end())));
        }
    }
    edits
}

#[test]
fn edited_program_continues_as_if_rerun() {
    let (mut kept, mut restarted) = (0, 0);
    for scenario in BUNDLED {
        let program = Rc::new(Program::parse(scenario.text));
        let mut explored = Session::new(Rc::clone(&program));
        explored.precompute(EFFECTS);
        let middle = explored.known() / 2;
        explored.seek(middle);
        for text in edits(scenario.text, &program) {
            let edited = Rc::new(Program::parse(&text));
            if !edited.can_run() {
                continue;
            }
            let mut session = explored.clone();
            if !session.replace_program(Rc::clone(&edited)) {
                restarted += 1;
                continue;
            }
            kept += 1;
            let mut fresh = Session::new(edited);
            fresh.precompute(EFFECTS);
            fresh.seek(session.position());
            session.precompute(EFFECTS);
            assert!(session.position() <= middle);
            assert_eq!(session.known(), fresh.known(), "{}: {text}", scenario.id);
            // Long histories at some 64 positions.
            let stride = 1 + fresh.known() / 64;
            let positions = (0..=fresh.known()).step_by(stride).chain([fresh.known()]);
            for position in [session.position()].into_iter().chain(positions) {
                session.seek(position);
                fresh.seek(position);
                let state = |s: &Session| {
                    (
                        s.summary(),
                        format!("{:?}", s.last_changes()),
                        s.current_instruction(),
                        s.next_instruction(),
                        s.fault().is_some(),
                    )
                };
                assert_eq!(
                    state(&session),
                    state(&fresh),
                    "{} at {position}: {text}",
                    scenario.id
                );
            }
            let machines = [&session, &fresh].map(|s| format!("{:?}", s.machine()));
            assert_eq!(machines[0], machines[1], "{}: {text}", scenario.id);
        }
    }
    assert!(
        kept > 100 && restarted > 100,
        "{kept} kept, {restarted} restarted"
    );
}

#[test]
fn different_initial_state_restarts_the_run() {
    let text = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
                .init V32 = 0\n\
                dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0\n";
    let session = Session::new(Rc::new(Program::parse(text)));
    let replaced = |text: &str| {
        session
            .clone()
            .replace_program(Rc::new(Program::parse(text)))
    };
    assert!(replaced(&text.replace("V32 = 0", "  V32  =  0 // zero")));
    assert!(replaced(&format!(".title \"x\"\n{text}")));
    assert!(replaced(&text.replace("inc", "dec")));
    assert!(!replaced(&text.replace("= 0", "= 4")));
    assert!(!replaced(&text.replace(".init", "// .init")));
    assert!(!replaced(
        &text.replace(".init V32 = 0", "/* .init V32 = 0 */")
    ));
    assert!(!replaced(&format!(".threads 2\n{text}")));
    assert!(!replaced(&format!(".slm 4096\n{text}")));
    // A branch of 16 channels sets the execution mask.
    let branch = text.replace("dword", "L:\ndword") + "goto (M1, 16) L\n";
    assert!(!replaced(&branch));
}

#[test]
fn position_of_an_order_line_does_not_matter() {
    let text = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
                .order 1, 0\n\
                dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0\n";
    let program = Program::parse(text);
    let is_equivalent = |text: &str| program.is_equivalent(&Program::parse(text));
    assert!(is_equivalent(
        &text.replace(".order", "\n  // a comment\n.order")
    ));
    assert!(is_equivalent(&text.replace("1, 0", "1 ,  0")));
    assert!(!is_equivalent(&text.replace("1, 0", "0, 1")));
    assert!(!is_equivalent(&text.replace("1, 0", "1")));
    let but_for_orders = |text: &str| program.is_equivalent_but_for_orders(&Program::parse(text));
    assert!(but_for_orders(&text.replace("1, 0", "0, 1 // other")));
    assert!(but_for_orders(&text.replace(".order 1, 0\n", "")));
    assert!(!but_for_orders(&text.replace("inc", "dec")));
    assert!(!but_for_orders(&text.replace("num_elts=8", "num_elts=16")));
}

#[test]
fn order_line_precedes_its_instruction() {
    let inc = "dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0\n";
    let text = format!(
        ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
         .order 0 // not this one\n/* .order 3 */\n  .ORDER 1, 0 // for all\n\
         {inc}{inc}.order 0, 1\n{inc}"
    );
    let program = Program::parse(&text);
    let lines: Vec<_> = (0..4)
        .map(|index| program.order_line(index).map(|span| span.of(&text)))
        .collect();
    assert_eq!(
        lines,
        [Some(".ORDER 1, 0"), None, Some(".order 0, 1"), None]
    );
}
