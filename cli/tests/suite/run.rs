//! `run`, as text and as JSON.

use crate::common::{self, ADD, SCENARIO, ask, lanewise};
use serde_json::{Value, json};

#[test]
fn run_prints_steps_and_changes() {
    let done = lanewise(&["run", "-", "--trace"], SCENARIO);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let expected = "     \
     1  Lane 0: slm[0x0] 0 + 1 → 1, returned 0
     2  Lane 1: slm[0x4] 0 + 2 → 2, returned 0
     3  Lane 2: slm[0x0] 1 + 3 → 4, returned 1
     4  Lane 3: slm[0x4] 2 + 4 → 6, returned 2

4 steps, 1 instruction executed.

Registers
  EU0.V32[2] : ud  0 → 1  0x00000000 → 0x00000001
  EU0.V32[3] : ud  0 → 2  0x00000000 → 0x00000002

Memory
  slm[0x0] : ud  0 → 4  0x00000000 → 0x00000004
  slm[0x4] : ud  0 → 6  0x00000000 → 0x00000006
";
    assert_eq!(done.out, expected);
    let silent = lanewise(&["run", "-"], SCENARIO);
    let account = expected.find("4 steps").expect("an account");
    assert_eq!(silent.out, expected[account..]);
}

#[test]
fn a_trace_with_a_step_limit_shows_the_lanes() {
    let done = lanewise(&["run", "-", "--trace", "--steps", "2"], SCENARIO);
    let lanes = done.out.split_once("\nLanes of ").expect("a table").1;
    let lanes: Vec<Vec<&str>> = lanes
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let row = ["1", "2", "yes", "0x4", "2", "0", "2", "0", "this", "step"];
    assert_eq!(lanes[3][..10], row, "{}", done.out);
    assert_eq!(lanes[4][..5], ["2", "3", "yes", "0x0", "3"]);
    assert!(lanes[4].contains(&"waiting"));
    let computing = ".decl V32 v_type=G type=d num_elts=8 align=GRF\n.init em = 0xff\n\
        add (M1, 4) V32(0,0)<1> V32(0,0)<1;1,0> 7:d\nmov (M1, 1) V32(0,4)<1> 1:d\n";
    let done = lanewise(&["run", "-", "--trace", "--steps", "1"], computing);
    let last = done.out.lines().last().expect("a table");
    let row: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(row, ["3", "yes", "0", "7", "7", "V32[3]", "0", "V32[3]"]);
    for arguments in [["--trace", "--steps", "4"], ["--steps", "2", "--"]] {
        let done = lanewise(&[&["run"], &arguments[..], &["-"]].concat(), SCENARIO);
        assert!(!done.out.contains("Lanes of"), "{}", done.out);
    }
}

#[test]
fn changes_of_buffers_are_named_by_their_elements() {
    let text = ".target visa DG2\n.launch global=8 local=8\n.simd 8\n\
        .buffer x : f[4] = splat(1)\n.bind bti 0 = x\n.decl T6 v_type=T num_elts=1\n\
        .decl V32 v_type=G type=ud num_elts=8 align=GRF\n.init V32 = iota(8, 0)\n\
        .decl V33 v_type=G type=f num_elts=8 align=GRF\n.init V33 = splat(2.5)\n\
        movs (M1_NM, 1) T6(0) 0x0:ud\n\
        scatter4_scaled.R (M1, 8) T6 0x0:ud V32.0 V33.0\nret (M1, 1)\n";
    let done = lanewise(&["run", "-"], text);
    let memory = "\nMemory\n  x[2] : f  1 → 2.5  0x3f800000 → 0x40200000\n";
    assert!(done.out.ends_with(memory), "{}", done.out);
}

#[test]
fn run_prints_each_change_once_in_a_matching_type() {
    // Writes the upper half of a qword through an alias.
    let alias = "\
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl V33 v_type=G type=ud num_elts=8 alias=<V32, 0>
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.init em = 2
.init slm[0] : ud = splat(7)
dword_atomic.add (M1, 8) %slm V34.0 V34.0 %null.0 V33.0
";
    let done = lanewise(&["run", "-"], alias);
    let row = "EU0.V32[0] : uq  0 → 30064771072  0x0000000000000000 → 0x0000000700000000\n";
    assert!(done.out.contains(row), "{}{}", done.out, done.err);
    assert!(!done.out.contains("V33"), "{}", done.out);
    // Mixed 16 and 32 bits: dwords, with bytes at the end of memory.
    let mixed = "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.init V32 = 0, 4
.init V33 = 1, 0x102
.slm 6
dword_atomic.add.16 (M1, 2) %slm V32.0 V33.0 %null.0 %null.0
dword_atomic.add (M1, 1) %slm V32.0 V33.0 %null.0 %null.0
";
    let done = lanewise(&["run", "-"], mixed);
    let rows = "\
Memory
  slm[0x0] : ud  0 → 2  0x00000000 → 0x00000002
  slm[0x4] : ub  0 → 2  0x00 → 0x02
  slm[0x5] : ub  0 → 1  0x00 → 0x01
";
    assert!(done.out.ends_with(rows), "{}{}", done.out, done.err);
}

#[test]
fn steps_option_stops_the_run() {
    let done = lanewise(&["run", "-", "--steps", "1"], SCENARIO);
    assert_eq!(done.code, 0);
    let expected = "\
1 step, 0 instructions executed. The program has not finished.

Memory
  slm[0x0] : ud  0 → 1  0x00000000 → 0x00000001
";
    assert_eq!(done.out, expected);
    let json = |steps: &str| lanewise(&["run", "-", "--json", "--steps", steps], SCENARIO).out;
    let start = |n: u8, steps: u8| format!(r#"{{"ok":true,"instructions":{n},"steps":{steps},"#);
    for (given, completed, steps) in [("0", 0, 0), ("3", 0, 3), ("4", 1, 4), ("9", 1, 4)] {
        let answer = json(given);
        assert!(
            answer.starts_with(&start(completed, steps)),
            "{given}: {answer}"
        );
    }
}

#[test]
fn run_json_equals_batch_answer() {
    let fault = SCENARIO.replace("0, 4, 0, 4", "0, 4, 0, 5");
    let twice = format!("{SCENARIO}{ADD}\n", ADD = ADD.replace("M1, 8", "M1, 4"));
    let masked = format!(".init em = 0\n{SCENARIO}");
    for (scenario, code) in [
        (SCENARIO, 0),
        (&twice, 0),
        (&masked, 0),
        (&fault, 1),
        ("foo", 1),
    ] {
        let done = lanewise(&["run", "-", "--json"], scenario);
        let answer = ask(&json!({"do": "run", "scenario": scenario}));
        assert_eq!(
            (done.code, done.out.as_str()),
            (code, format!("{answer}\n").as_str())
        );
        assert_eq!(done.err, "", "--json prints nothing on standard error");
    }
}

#[test]
fn run_prints_a_fault() {
    let scenario = SCENARIO.replace("0, 4, 0, 4", "0, 4, 0, 5");
    let done = lanewise(&["run", "-"], &scenario);
    assert_eq!(done.code, 1);
    let expected =
        "0 steps, 0 instructions executed.\nFault: Lane 3: address 0x5 is not a multiple of 4.";
    assert!(done.out.starts_with(expected), "{}", done.out);
    let traced = lanewise(&["run", "-", "--trace"], &scenario);
    assert_eq!(traced.out.matches("Fault: ").count(), 1, "{}", traced.out);
}

/// A program that faults at line 2 of the file that it names.
fn faulting(source: &str) -> String {
    format!(
        ".target sass SM75\n.init R2 = splat(0x9000)\n\
         //## File \"{source}\", line 2\nRED.E.ADD.STRONG.GPU [R2], R4 ;\nEXIT ;\n"
    )
}

#[test]
fn the_source_of_a_fault_is_a_file_beside_the_program() {
    let folder = common::file("blank.cu", "first\n  \n").with_file_name("elsewhere");
    std::fs::create_dir_all(&folder).expect("a folder");
    let elsewhere = folder.join("named.cu");
    std::fs::write(&elsewhere, "first\nquoted\n").expect("a file");
    let beside = "first\nquoted\nlast\n";
    common::file("beside.cu", beside);
    // Sparse, and larger than any file that is read.
    let large = common::file("large.cu", beside);
    let grown = std::fs::File::options().append(true).open(&large);
    grown
        .and_then(|file| file.set_len(129 << 20))
        .expect("a file");
    let elsewhere = elsewhere.to_str().expect("a name");
    for (source, quote) in [
        ("/other/beside.cu", Some("quoted")),
        (elsewhere, None),
        ("/dev/zero", None),
        ("blank.cu", None),
        ("large.cu", None),
        ("..", None),
    ] {
        let path = common::file("quoting.sass", &faulting(source));
        let done = lanewise(&["run", path.to_str().expect("a name")], "");
        let below = done.out.split_once("\n  ").expect("a place").1;
        let quoted = below.lines().nth(1).and_then(|l| l.strip_prefix("      "));
        assert_eq!(quoted, quote, "{source}: {}", done.out);
    }
}

#[cfg(unix)]
#[test]
fn a_fifo_is_not_read_as_the_source_of_a_fault() {
    let path = common::file("fifo.sass", &faulting("waiting.cu"));
    let fifo = path.with_file_name("waiting.cu");
    let _ = std::fs::remove_file(&fifo);
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    let done = lanewise(&["run", path.to_str().expect("a name")], "");
    assert!(done.out.contains("waiting.cu:2"), "{}", done.out);
}

#[test]
fn a_fault_of_a_scenario_names_the_line_of_its_source() {
    common::file("fault.cu", "first\n  o[0] = 1;\n");
    let sass = faulting("fault.cu");
    let visa = SCENARIO.replace("0, 4, 0, 4", "0, 4, 0, 5");
    let visa = visa.replace("dword_atomic", "FILE \"fault.cu\"\nLOC 2\ndword_atomic");
    for (name, text, line) in [
        ("fault.sass", &sass, "line 4: "),
        ("fault.visa", &visa, "vISA line 9: "),
    ] {
        let path = common::file(name, text);
        let path = path.to_str().expect("a name");
        let done = lanewise(&["run", path], "");
        let place = format!("\n  fault.cu:2, {line}");
        assert!(done.out.contains(&place), "{}", done.out);
        assert!(done.out.contains("\n      o[0] = 1;\n"), "{}", done.out);
        let answer = lanewise(&["run", path, "--json"], "").out;
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        let fault = &answer["fault"];
        assert_eq!(
            (&fault["file"], &fault["line"]),
            (&"fault.cu".into(), &2.into())
        );
    }
}

#[test]
fn run_rejects_invalid_scenarios() {
    let done = lanewise(&["run", "-"], "foo\n");
    assert_eq!((done.code, done.out.as_str()), (1, ""));
    assert!(done.err.contains("error[E0103]"), "{}", done.err);
    assert!(
        done.err.ends_with("<stdin>: 1 error; not run\n"),
        "{}",
        done.err
    );
}

#[test]
fn an_empty_file_is_not_a_scenario() {
    for command in [
        &["run"][..],
        &["check"],
        &["outcomes"],
        &["open"],
        &["run", "--global", "8"],
    ] {
        let done = lanewise(&[command, &["-"]].concat(), "");
        assert_eq!(done.code, 2, "{command:?}");
        assert!(done.err.contains("is empty"), "{}", done.err);
    }
}

#[test]
fn a_scenario_has_no_options_of_a_launch() {
    for (scenario, kind) in [
        (SCENARIO, "without a kernel"),
        (
            ".launch global=8 local=8\nret (M1, 1)\n",
            "a launch of its own",
        ),
    ] {
        let done = lanewise(&["run", "-", "--global", "8"], scenario);
        assert_eq!(done.code, 2);
        assert!(done.err.contains(kind), "{}", done.err);
    }
}

#[test]
fn fuel_replaces_the_limit_of_the_scenario() {
    let endless = ".decl V32 v_type=G type=d num_elts=8 align=GRF\n.fuel 100\n\
        L:\nadd (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 1:d\njmp (M1, 1) L\n";
    for (options, issued) in [
        (&[][..], 100),
        (&["--fuel", "30"], 30),
        (&["--fuel", "400"], 400),
    ] {
        let arguments = [&["run", "-", "--json"], options].concat();
        let done = lanewise(&arguments, endless);
        let answer: Value = serde_json::from_str(&done.out).expect("an answer");
        assert_eq!(answer["instructions"], issued);
        assert_eq!(answer["fault"]["kind"], "out-of-fuel");
        assert_eq!(done.code, 1);
    }
    let done = lanewise(&["run", "-"], endless);
    assert!(done.out.contains("`--fuel N`"), "{}", done.out);
    assert_eq!(lanewise(&["run", "-", "--fuel", "0"], endless).code, 2);
    let done = lanewise(&["run", "-", "--fuel", "100000000"], SCENARIO);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}
