//! Fuzz target for control flow: builds a program with branches, calls and barriers from
//! bytes.

use crate::fuzz::{Random, steps};
use crate::place::snapshot;
use lanewise_core::program::Program;
use lanewise_core::session::run;
use std::fmt::Write;

/// Two threads with different values in V32. The fuel ends endless loops early.
const HEAD: &str = "\
.fuel 600
.launch global=32 local=32
.simd 16
.decl V32 v_type=G type=d num_elts=16 align=GRF
.decl V33 v_type=G type=d num_elts=16 align=GRF
.decl V34 v_type=G type=d num_elts=1 align=GRF
.decl P1 v_type=P num_elts=16
.decl P2 v_type=P num_elts=16
";

/// Maximum number of instructions of the kernel, and of its subroutine.
const MAX_INSTRUCTIONS: usize = 24;

/// Instructions; `L` stands for a label, `#` for a number.
const INSTRUCTIONS: [&str; 20] = [
    "add (M1, 16) V33(0,0)<1> V33(0,0)<1;1,0> #:d",
    "add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> -1:d",
    "add (M1_NM, 1) V34(0,0)<1> V34(0,0)<0;1,0> #:d",
    "add (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> V33(0,0)<1;1,0>",
    "cmp.lt (M1, 16) P1 V32(0,0)<1;1,0> #:d",
    "cmp.gt (M1, 16) P2 V33(0,0)<1;1,0> V32(0,0)<1;1,0>",
    "xor (M1, 16) P1 P1 P2",
    "(P1) goto (M1, 16) L",
    "(!P1) goto (M1, 16) L",
    "(P2.any) goto (M1, 16) L",
    "(!P2.all) goto (M1, 16) L",
    "(P1) goto (M1, 8) L",
    "(P2) goto (M5, 8) L",
    "goto (M1, 1) L",
    "(P1) jmp (M1, 1) L",
    "(P2) call (M1, 16) SUB",
    "call (M1, 1) SUB",
    "(P1) ret (M1, 16)",
    "(P2) ret (M1, 1)",
    "barrier",
];

/// The program of some bytes: 16 values, then two bytes for each instruction.
#[must_use]
pub fn program(data: &[u8]) -> String {
    let (values, rest) = data.split_at(data.len().min(16));
    let mut text = String::from(HEAD);
    for eu in 0..2 {
        let element = |value: &u8| (value / (eu + 1) % 32).to_string();
        let values: Vec<String> = values.iter().map(element).collect();
        if !values.is_empty() {
            writeln!(text, ".init EU{eu}.V32 = {}", values.join(", ")).expect("strings grow");
        }
    }
    let pairs: Vec<&[u8]> = rest.chunks_exact(2).take(2 * MAX_INSTRUCTIONS).collect();
    let (kernel, subroutine) = pairs.split_at(pairs.len().min(MAX_INSTRUCTIONS));
    let mut function = |name: char, pairs: &[&[u8]], end: &str| {
        for (index, pair) in pairs.iter().enumerate() {
            let instruction = INSTRUCTIONS[usize::from(pair[0]) % INSTRUCTIONS.len()];
            // A subroutine must not call itself.
            let instruction = match name == 'S' && instruction.ends_with("SUB") {
                true => INSTRUCTIONS[0],
                false => instruction,
            };
            let target = usize::from(pair[1]) % (pairs.len() + 1);
            let line = match instruction.strip_suffix('L') {
                Some(head) => format!("{head}{name}{target}"),
                None => instruction.replace('#', &(pair[1] % 32).to_string()),
            };
            writeln!(text, "{name}{index}:\n{line}").expect("strings grow");
        }
        writeln!(text, "{name}{}:\n{end}", pairs.len()).expect("strings grow");
    };
    function('K', kernel, "ret (M1, 1)\n.function SUB");
    function('S', subroutine, "ret (M1, 16)");
    text
}

/// Checks that stepping agrees with a run, and that both schedules give the same result
/// for threads that share nothing.
///
/// # Panics
/// If they do not.
pub fn check(data: &[u8]) {
    let text = program(data);
    let ends = [String::new(), String::from(".schedule round-robin\n")].map(|schedule| {
        let text = format!("{schedule}{text}");
        steps(text.as_bytes());
        let program = Program::parse(&text);
        assert!(program.can_run(), "{:#?}\n{text}", program.diagnostics);
        run(&program)
    });
    if ends.iter().all(|end| end.fault.is_none()) {
        let [sequential, turns] = ends.each_ref().map(|end| snapshot(&end.machine));
        assert!(sequential == turns, "the schedules differ\n{text}");
        assert_eq!(ends[0].instructions, ends[1].instructions, "{text}");
    }
}

/// Random programs.
#[must_use]
pub fn seeds() -> Vec<Vec<u8>> {
    let mut random = Random::new(9);
    let byte = |random: &mut Random| u8::try_from(random.below(256)).expect("below 256");
    let program = |random: &mut Random| {
        let length = 16 + random.below(80);
        (0..length).map(|_| byte(random)).collect()
    };
    (0..40).map(|_| program(&mut random)).collect()
}
