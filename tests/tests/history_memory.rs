//! Memory of a history of a million effects, and the number of effects that a seek
//! recomputes.

use lanewise_core::program::{MAX_TEXT, Program};
use lanewise_core::session::Session;
use lanewise_tests::allocated::{self, Counting};
use std::rc::Rc;

#[global_allocator]
static COUNTING: Counting = Counting;

const EFFECTS: usize = 1_000_000;

/// Memory limits of a history with its program, in bytes: for `EFFECTS` effects, and
/// for the longest text.
const MOST: i64 = 256_000_000;

/// Maximum number of effects that a seek recomputes (the checkpoint interval), for
/// instructions that write few pages and for those that write a hundred.
const LONGEST_SEEK: [usize; 2] = [1024 + 64, 8192 + 64];

/// Program with the maximum text length.
fn longest(head: &str, line: &str) -> String {
    let lines = (MAX_TEXT - head.len()) / (line.len() + 1);
    format!("{head}{}", format!("{line}\n").repeat(lines))
}

/// Program with `EFFECTS` effects, `per_line` per instruction, or with as many as the
/// longest text allows.
fn program(head: &str, line: &str, per_line: usize) -> String {
    let longest = longest(head, line);
    let lines = EFFECTS / per_line * (line.len() + 1);
    longest[..longest.len().min(head.len() + lines)].to_owned()
}

fn cases() -> [(&'static str, String, usize); 8] {
    let dwords = ".decl V32 v_type=G type=ud num_elts=32 align=GRF\n\
                  .decl V33 v_type=G type=ud num_elts=32 align=GRF\n\
                  .decl V34 v_type=G type=ud num_elts=32 align=GRF\n\
                  .slm 4096\n.init V32 = iota(0, 4)\n.init V33 = iota(1, 1)\n";
    let quadwords = ".decl V35 v_type=G type=uq num_elts=8 align=GRF\n\
                     .decl V36 v_type=G type=uq num_elts=8 align=GRF\n\
                     .decl V37 v_type=G type=uq num_elts=8 align=GRF\n\
                     .region svm 0x10000 4096\n\
                     .init V35 = iota(0x10000, 8)\n.init V36 = iota(1, 1)\n";
    // Each lane uses a separate page of a large memory, so checkpoints share little
    // and have long page lists.
    let scattered = dwords
        .replace(".slm 4096", ".slm 60000000")
        .replace("iota(0, 4)", "iota(0, 1048576)");
    let warp = ".target sass SM60\n.region global 0x10000 4096\n\
                .init R2 = iota(0x10000, 8)\n.init R4 = iota(1, 1)\n";
    let matrices = ".decl V32 v_type=G type=d num_elts=64 align=GRF\n\
                    .decl V33 v_type=G type=d num_elts=64 align=GRF\n\
                    .decl V34 v_type=G type=d num_elts=64 align=GRF\n\
                    .init V33 = iota(1, 1)\n.init V34 = iota(1, 1)\n";
    let wide = format!(
        ".target visa PVC\n{}",
        matrices.replace("num_elts=64", "num_elts=128")
    );
    let dpas = "dpas.s8.s8.8.8 (M1, 8) V32.0 V32.0 V33.0 V34(0,0)";
    let add = "dword_atomic.add (M1, 32) %slm V32.0 V33.0 %null.0 V34.0";
    let svm = "svm_atomic.add.64 (M1, 8) V35.0 V37.0 V36.0 %null.0";
    let [near, far] = LONGEST_SEEK;
    [
        ("DWORD_ATOMIC", program(dwords, add, 32), near),
        ("DWORD_ATOMIC, 32 pages", program(&scattered, add, 32), far),
        ("SVM_ATOMIC", program(quadwords, svm, 8), near),
        ("ATOM", program(warp, "ATOM.E.ADD R0, [R2], R4;", 32), near),
        (
            "DPASW, both EUs",
            program(matrices, &dpas.replace("dpas", "dpasw"), 64),
            near,
        ),
        (
            "DPAS, 16 channels",
            program(&wide, &dpas.replace("(M1, 8)", "(M1, 16)"), 64),
            near,
        ),
        // The checkpoint interval doubles or quadruples.
        (
            "DWORD_ATOMIC, 32 pages, longest text",
            longest(&scattered, add),
            4 * far,
        ),
        ("DPAS, longest text", longest(matrices, dpas), 4 * near),
    ]
}

#[test]
fn long_histories_are_bounded_and_seek_fast() {
    for (name, text, longest) in cases() {
        let before = allocated::start();
        let program = Program::parse(&text);
        assert!(
            program.can_run(),
            "{name}: {:?}",
            program.diagnostics.first()
        );
        let mut session = Session::new(Rc::new(program));
        session.run_to_end();
        let most = allocated::peak() - before;
        let effects = session.known();
        println!(
            "  {:6.1} MB at most, {:.1} in the end, {effects} effects  {name}",
            most as f64 / 1e6,
            (allocated::now() - before) as f64 / 1e6,
        );
        assert!(session.fault().is_none() && session.at_end(), "{name}");
        assert!(most <= MOST, "{name}: {most} bytes");

        // Seek to every part of the history, forward and back.
        let most = (0..2000usize)
            .map(|n| session.seek(n.wrapping_mul(2_654_435_761) % (effects + 1)))
            .max();
        assert!(
            most <= Some(longest),
            "{name}: a seek recomputed {most:?} effects"
        );
    }
}
