//! Measures the memory of a history of 100,000 effects, by counting allocations.

use lanewise_core::program::Program;
use lanewise_core::session::Session;
use lanewise_tests::allocated::{self, Counting};
use std::rc::Rc;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Records at least `effects` effects. Returns the number of effects, retained bytes and
/// peak bytes.
fn measure(effects: usize, offsets: &str) -> (usize, i64, i64) {
    let head = format!(
        ".decl V32 v_type=G type=ud num_elts=32 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=32 align=GRF\n\
         .decl V34 v_type=G type=ud num_elts=32 align=GRF\n\
         .init V32 = {offsets}\n"
    );
    let line = "dword_atomic.add (M1, 32) %slm V32.0 V33.0 %null.0 V34.0\n";
    let program = Rc::new(Program::parse(&(head + &line.repeat(effects.div_ceil(32)))));
    assert!(program.can_run());
    let before = allocated::start();
    let mut session = Session::new(program);
    session.run_to_end();
    let kept = allocated::now() - before;
    let most = allocated::peak() - before;
    (session.known(), kept, most)
}

fn main() {
    for (name, offsets) in [
        ("neighbouring cells", "iota(0, 4)"),
        ("cells on 16 pages", "iota(0, 2048)"),
        ("one cell", "splat(0)"),
    ] {
        let (effects, kept, most) = measure(100_000, offsets);
        println!(
            "{effects} effects on {name}: {:.1} MB retained, {:.1} MB peak, {} bytes per effect",
            kept as f64 / 1e6,
            most as f64 / 1e6,
            kept / effects as i64
        );
    }
}
