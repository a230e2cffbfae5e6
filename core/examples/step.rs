//! Parses a scenario, steps forward and back, and reads a register.
//!
//! `cargo run -p lanewise-core --example step`

use lanewise_core::program::{ElementRange, Program};
use lanewise_core::session::Session;
use std::rc::Rc;

const SCENARIO: &str = "\
.target visa XEHP
.decl V32 v_type=G type=ud num_elts=8 align=GRF   // offset of each lane's counter
.decl V33 v_type=G type=ud num_elts=8 align=GRF   // old count
.slm 64
.init V32 = 0, 4, 0, 0
dword_atomic.inc (M1, 4) %slm V32.0 %null.0 %null.0 V33.0
";

fn main() {
    // Parsing never fails: it returns a program and diagnostics.
    let program = Rc::new(Program::parse(SCENARIO));
    for diagnostic in &program.diagnostics {
        println!("{}: {}", diagnostic.rule.code, diagnostic.message());
    }
    assert!(program.can_run(), "the scenario has errors");

    // A step is the access of one lane.
    let mut session = Session::new(Rc::clone(&program));
    while session.step() {
        println!("{}", session.summary());
    }

    // Locations have the same names as in `.init`.
    let returned = ElementRange::named(&program, "V33").expect("the scenario declares V33");
    let lanes = |session: &Session| -> Vec<u64> {
        let lane = |index| returned.load(session.machine(), index);
        (0..4).map_while(lane).collect()
    };
    println!("V33 at the end: {:?}", lanes(&session));
    assert_eq!(lanes(&session), [0, 0, 1, 2]);

    session.step_back();
    println!("V33 one step back: {:?}", lanes(&session));
    assert_eq!(lanes(&session), [0, 0, 1, 0]);
}
