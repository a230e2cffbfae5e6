//! Functions and loops of a program.

use lanewise_answer::launch::outline;
use lanewise_core::library;
use lanewise_core::program::Program;

fn texts(text: &str) -> Vec<(String, usize, u32)> {
    let program = Program::parse(text);
    let entry = |entry: lanewise_answer::launch::OutlineEntry| {
        let line = program.instructions[entry.instruction as usize].line + 1;
        (entry.text, entry.depth, line)
    };
    outline(&program).into_iter().map(entry).collect()
}

#[test]
fn functions_and_loops_have_their_lines() {
    let text = "\
.decl P1 v_type=P num_elts=8
OUTER:
INNER:
(P1) goto (M1, 8) INNER
call (M1, 8) SUM
(P1) goto (M1, 8) OUTER
ret (M1, 8)
SUM:
LOOP:
(P1) goto (M1, 8) LOOP
ret (M1, 8)
";
    let entry = |text: &str, depth, line| (String::from(text), depth, line);
    let expected = [
        entry("loop, lines 4 to 6", 0, 4),
        entry("function SUM", 0, 10),
        entry("loop, line 10", 0, 10),
    ];
    assert_eq!(texts(text), expected);
    let collatz = library::named("cuda-collatz").unwrap().text;
    let [(text, 0, line)] = &*texts(collatz) else {
        panic!("one loop");
    };
    assert_eq!(text, "loop, source lines 5 to 10");
    assert!(
        collatz
            .lines()
            .nth(*line as usize - 1)
            .unwrap()
            .starts_with("LOP3")
    );
}
