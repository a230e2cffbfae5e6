//! Kernels with planted defects, and clean ones that tempt: the checks report what is planted,
//! at its lines, and nothing else.

use lanewise_api::{Checked, Findings, MAX_FINDINGS, Request, Schedules, answer};
use lanewise_core::isa::FaultKind;
use lanewise_core::library::BUNDLED;
use lanewise_core::program::Program;
use lanewise_core::session::{RunOrder, Session, after_earlier_groups, run};
use lanewise_files::zebin;
use lanewise_tests::parse::runnable;
use lanewise_tests::vectors;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

#[derive(Deserialize)]
struct Case {
    request: Request,
    planted: Vec<Planted>,
    also_lines: Vec<u64>,
}

#[derive(Deserialize)]
struct Planted {
    kind: String,
    line: u64,
    other_line: Option<u64>,
    severity: String,
}

impl Planted {
    fn lines(&self) -> BTreeSet<u64> {
        [self.line].into_iter().chain(self.other_line).collect()
    }
}

fn answer_to(case: &Case) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/checks");
    let path = folder.join(&case.request.path);
    let file = std::fs::read(&path).expect("the program");
    let program = zebin::open(&file).expect("it opens");
    let [kernel] = program.kernels.as_slice() else {
        panic!("{}: one kernel", path.display());
    };
    let mut request = case.request.clone();
    request.path = path.to_string_lossy().into_owned();
    let answer = answer(kernel, &request).expect("it launches");
    serde_json::to_value(answer).expect("an answer")
}

fn findings(case: &Case) -> Vec<Value> {
    let answer = answer_to(case);
    let findings = answer["findings"].as_array();
    findings.expect("the request asks for findings").clone()
}

fn lines(finding: &Value) -> BTreeSet<u64> {
    let accesses = finding["accesses"].as_array().expect("accesses");
    accesses.iter().filter_map(|a| a["line"].as_u64()).collect()
}

#[test]
fn planted_defects_are_found_and_nothing_else() {
    let cases: Vec<Case> = vectors::read("checks/launches.jsonl");
    assert_eq!(cases.len(), 88);
    for case in &cases {
        let name = &case.request.path;
        let found = findings(case);
        for planted in &case.planted {
            let is_it = |finding: &&Value| {
                finding["kind"] == *planted.kind
                    && finding["severity"] == *planted.severity
                    && planted.lines().is_subset(&lines(finding))
            };
            assert!(
                found.iter().any(|finding| is_it(&finding)),
                "{name}: {} at {:?}: {found:#?}",
                planted.kind,
                planted.lines()
            );
        }
        let planted = case.planted.iter().flat_map(Planted::lines);
        let known: BTreeSet<u64> = planted.chain(case.also_lines.iter().copied()).collect();
        let others = found
            .iter()
            .filter(|finding| finding["severity"] != "note" && !lines(finding).is_subset(&known));
        assert_eq!(others.count(), 0, "{name}: {found:#?}");
    }
}

#[test]
fn reads_and_writes_of_a_line_are_separate_findings() {
    let cases: Vec<Case> = vectors::read("checks/launches.jsonl");
    let mut cases = cases.iter();
    let case = cases.find(|case| case.request.path.starts_with("80-"));
    let found = findings(case.expect("case 80 reads and writes out of bounds"));
    let operation = |finding: &Value| finding["accesses"][0]["op"].as_str().map(String::from);
    let operations: BTreeSet<_> = found.iter().filter_map(operation).collect();
    assert_eq!(operations, ["read", "write"].map(String::from).into());
}

#[test]
fn bundled_launches_are_clean_but_for_the_endless_lock() {
    let mut launches = 0;
    for scenario in BUNDLED {
        let program = Program::parse(scenario.text);
        if program.launch.is_none() {
            continue;
        }
        let wanted: &[&str] = match scenario.id {
            "kernel-endless-lock" => &["no-progress"],
            _ => &[],
        };
        assert_eq!(kinds(&check(&program, &[])), wanted, "{}", scenario.id);
        launches += 1;
    }
    assert_eq!(launches, 8);
}

/// A launch of two threads: lane n writes dword n of local memory, then reads dword n ^ `flip`,
/// with `between` in between, and stores it.
fn exchange_text(flip: u32, between: &str) -> String {
    format!(
        ".target visa DG2\n.launch global=64 local=32\n.simd 16\n.slm 128\n\
         .buffer o : ud[32] = undef\n.bind bti 0 = o\n\
         .decl V32 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V34 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V35 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V40 v_type=G type=uw num_elts=16 align=GRF\n\
         .input V40 offset=32 size=32\n.decl T6 v_type=T num_elts=1\n\
         .bind V40 = local_id.x\n\
         shl (M1, 16) V32(0,0)<1> V40(0,0)<1;1,0> 0x2:ud\n\
         xor (M1, 16) V34(0,0)<1> V32(0,0)<1;1,0> {}:ud\n\
         add (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> 0x7:ud\n\
         scatter4_scaled.R (M1, 16) %slm 0x0:ud V32.0 V33.0\n\
         {between}\
         gather4_scaled.R (M1, 16) %slm 0x0:ud V34.0 V35.0\n\
         movs (M1_NM, 1) T6(0) 0x0:ud\n\
         scatter4_scaled.R (M1, 16) T6 0x0:ud V32.0 V35.0\n\
         ret (M1, 1)\n",
        flip * 4
    )
}

fn exchange(flip: u32, between: &str) -> Program {
    runnable(&exchange_text(flip, between))
}

fn check(program: &Program, words: &[&str]) -> Findings {
    let checked = Checked::of(words).expect("known checks");
    let (_, report) = checked.run(program, RunOrder::of(program));
    Findings::of(program, report, MAX_FINDINGS, &[], None)
}

fn kinds(found: &Findings) -> Vec<&str> {
    found.found.iter().map(|finding| finding.kind).collect()
}

#[test]
fn a_barrier_between_two_accesses_removes_their_race() {
    let fences = [
        ("fence_local.E\nbarrier\n", false),
        ("nbarrier.signal 3:ub 2:ub\nnbarrier.wait 3:ub\n", false),
        ("barrier\n", true),
        ("fence_local.E\n", true),
        ("", true),
    ];
    for flip in 0..32 {
        for (between, has_race) in fences {
            let platform = if between.starts_with('n') {
                "PVC"
            } else {
                "DG2"
            };
            let text = exchange_text(flip, between).replace("DG2", platform);
            let program = runnable(&text);
            let found = check(&program, &["races"]);
            let local = kinds(&found).contains(&"race-local");
            // Lanes of a thread are in order.
            assert_eq!(
                local,
                has_race && flip >= 16,
                "{flip} {between:?}: {found:#?}"
            );
        }
    }
}

#[test]
fn a_platform_without_local_fences_orders_local_memory_at_barriers() {
    for (platform, has_race) in [("SKL", false), ("ICLLP", true), ("DG2", true)] {
        let text = exchange_text(16, "barrier\n").replace("DG2", platform);
        let program = runnable(&text);
        let found = check(&program, &["races"]);
        assert_eq!(
            kinds(&found).contains(&"race-local"),
            has_race,
            "{platform}"
        );
    }
}

#[test]
fn the_step_of_an_access_is_that_of_the_timeline() {
    let program = exchange(17, "");
    let found = check(&program, &[]);
    let races: Vec<_> = found
        .found
        .iter()
        .filter(|f| f.kind.starts_with("race"))
        .collect();
    assert!(races.len() >= 2, "{found:#?}");
    for access in races.iter().flat_map(|race| &race.accesses) {
        let mut program = program.clone();
        let launch = program.launch.as_mut().expect("a launch");
        launch.group = access.group[0];
        let program = after_earlier_groups(&program).expect("no fault");
        let mut session = Session::new(Rc::new(program));
        session.run_to_end();
        let step = usize::try_from(access.step.expect("a step")).unwrap();
        session.seek(step);
        assert_eq!(session.position(), step);
        let unit = session.last_access().expect("an access").unit;
        assert_eq!(
            (unit.thread, unit.lane),
            (access.thread, access.lane),
            "{access:?}"
        );
        let issue = session
            .last_issue()
            .and_then(|last| session.issue(last))
            .unwrap();
        let line = session.program().instruction(issue).line;
        assert_eq!(line + 1, access.place.visa_line, "{access:?}");
    }
}

#[test]
fn a_run_counts_the_steps_of_its_timeline() {
    let mut counted = 0;
    for scenario in BUNDLED {
        let program = Program::parse(scenario.text);
        let steps = run(&program).steps;
        let mut session = Session::new(Rc::new(program));
        session.precompute(1 << 20);
        if session.fault_ahead().is_none() {
            assert_eq!(session.known() as u64, steps, "{}", scenario.id);
            counted += 1;
        }
    }
    assert!(counted > 60, "{counted}");
}

/// All threads of a block store, and its first one tells the others by an atomic.
const TELLS_OTHER_BLOCKS: &str = "\
    .target sass SM80\n\
    .launch grid=2 block=64\n\
    .buffer o : ud[128]\n\
    .buffer c : ud[1]\n\
    .buffer r : ud[128]\n\
    .param 0x160 = &o\n\
    .param 0x168 = &c\n\
    .param 0x170 = &r\n\
    S2R R0, SR_TID.X;\n\
    S2R R1, SR_CTAID.X;\n\
    MOV R10, 0x4;\n\
    IMAD R11, R1, 0x40, R0;\n\
    IMAD.WIDE R2, R11, R10, c[0x0][0x160];\n\
    STG.E [R2.64], R11;\n\
    BAR.SYNC.DEFER_BLOCKING 0x0;\n\
    ISETP.NE.AND P0, PT, R0, RZ, PT;\n\
    MOV R4, c[0x0][0x168];\n\
    MOV R5, c[0x0][0x16c];\n\
    MOV R6, 0x1;\n\
    @!P0 MEMBAR.SC.GPU;\n\
    @!P0 ATOMG.E.ADD.STRONG.GPU PT, R7, [R4.64], R6;\n\
    @!P0 MEMBAR.SC.GPU;\n\
    BAR.SYNC.DEFER_BLOCKING 0x0;\n\
    ISETP.NE.AND P1, PT, R1, 0x1, PT;\n\
    @P1 EXIT;\n\
    MOV R12, c[0x0][0x160];\n\
    MOV R13, c[0x0][0x164];\n\
    IMAD.WIDE R12, R0, R10, c[0x0][0x160];\n\
    LDG.E R14, [R12.64];\n\
    EXIT;\n";

/// A load guesses what the loop compares first.
const GUESSES: &str = "\
    .target sass SM80\n\
    .launch grid=1 block=64\n\
    .buffer o : ud[4]\n\
    .param 0x160 = &o\n\
    S2R R0, SR_TID.X;\n\
    MOV R2, c[0x0][0x160];\n\
    MOV R3, c[0x0][0x164];\n\
    IADD3 R9, R0, 0x5, RZ;\n\
    LDG.E R8, [R2.64];\n\
    ISETP.GE.AND P0, PT, R8, R9, PT;\n\
    @P0 EXIT;\n\
    .L_1:\n\
    ATOMG.E.CAS.STRONG.GPU PT, R5, [R2], R8, R9;\n\
    ISETP.NE.AND P1, PT, R5, R8, PT;\n\
    MOV R8, R5;\n\
    @P1 BRA `(.L_1);\n\
    EXIT;\n";

#[test]
fn orders_of_blocks_and_guesses_of_loops_are_no_races() {
    // Another address register, and a descriptor.
    let other = "MOV R6, R2;\nMOV R7, R3;\nLDG.E R8, desc[UR4][R6.64]";
    let other = GUESSES.replace("LDG.E R8, [R2.64]", other);
    // A fence of all threads before the barrier, instead of one before the atomic.
    let barrier = "BAR.SYNC.DEFER_BLOCKING 0x0;\n";
    let before = TELLS_OTHER_BLOCKS.replacen("@!P0 MEMBAR.SC.GPU;\n", "", 1);
    let before = before.replacen(barrier, &format!("MEMBAR.SC.GPU;\n{barrier}"), 1);
    // The last block sets the counter back.
    let end = "LDG.E R14, [R12.64];\n";
    let resets = TELLS_OTHER_BLOCKS.replace(end, "@!P0 STG.E [R4.64], RZ;\n");
    for text in [TELLS_OTHER_BLOCKS, GUESSES, &other, &before, &resets] {
        assert_eq!(kinds(&check(&Program::parse(text), &[])), [""; 0]);
    }
    // A reduction tells nothing about those of others.
    let atomic = "ATOMG.E.ADD.STRONG.GPU PT, R7, [R4.64], R6";
    let reduces = resets.replace(atomic, "RED.E.ADD.STRONG.GPU [R4.64], R6");
    assert_eq!(
        kinds(&check(&Program::parse(&reduces), &[])),
        ["race-global"]
    );
    // Without the fence behind the atomic, the order of the atomics does for the counter, but
    // not for data.
    for (text, severity) in [(TELLS_OTHER_BLOCKS, "error"), (&resets, "note")] {
        let (before, after) = text.rsplit_once("@!P0 MEMBAR.SC.GPU;\n").expect("a fence");
        let found = check(&Program::parse(&format!("{before}{after}")), &[]);
        assert_eq!(kinds(&found), ["race-global"]);
        assert_eq!(found.found[0].severity, severity);
    }
    // Volatile accesses are strong, as on chips without `STRONG`.
    let load = "LDG.E R14, [R12.64];\n";
    let volatile = TELLS_OTHER_BLOCKS.replace("STG.E [R2.64], R11", "STG.E.WT [R2.64], R11");
    let volatile = volatile.replace(load, "LDG.E.CV R14, [R12.64];\n");
    let volatile = volatile.replace("@!P0 MEMBAR.SC.GPU;\n", "");
    assert_eq!(kinds(&check(&Program::parse(&volatile), &[])), [""; 0]);
}

#[test]
fn work_groups_of_one_thread_are_said_to_be_checked_in_part() {
    let notes = |local: u32, slm: u32, kinds: &[&str]| {
        let text = format!(
            ".target visa DG2\n.launch global=16 local={local}\n.simd 8\n.slm {slm}\nret (M1, 1)\n"
        );
        check(&Program::parse(&text), kinds).remark
    };
    let note = notes(8, 32, &[]).expect("a remark");
    assert!(note.contains("`lockstep`"), "{note}");
    for (local, slm, kinds) in [
        (8, 32, &["lockstep"][..]),
        (8, 32, &["memory"]),
        (8, 0, &[]),
        (16, 32, &[]),
        (1, 32, &[]),
    ] {
        assert_eq!(notes(local, slm, kinds), None, "{local} {slm} {kinds:?}");
    }
}

/// Of two fused threads, only the second one lacks the value that its branch depends on.
#[test]
fn a_finding_in_the_second_fused_thread_has_its_step() {
    let scenario = BUNDLED.iter().find(|known| known.id == "kernel-fused-pair");
    let text = scenario.expect("it is bundled").text;
    let (before, after) = text.split_once("dpasw.s8").expect("it has a DPASW");
    let text = format!(
        "{}cmp.gt (M1, 8) P9 VX(0,0)<1;1,0> 0x0:d\n(P9) goto (M1, 8) next\nnext:\n\
         dpasw.s8{after}.init EU0.VX = splat(0)\n",
        before.replacen(
            ".decl",
            ".decl VX v_type=G type=d num_elts=8 align=hword\n.decl P9 v_type=P num_elts=8\n.decl",
            1
        )
    );
    let program = Program::parse(&text);
    let found = check(&program, &[]);
    assert_eq!(kinds(&found), ["uninitialized"]);
    let access = &found.found[0].accesses[0];
    assert_eq!(access.thread, 1);
    let step = access.note.step.expect("a step");
    let branch = access.note.instruction;
    let mut session = Session::new(Rc::new(program));
    session.precompute(1 << 20);
    let issue = session.first_issue_of(branch as usize).expect("it runs");
    // The first step of the issue is that of the first thread; steps count from 1.
    let start = session.issue_start(issue).expect("it is known") as u64;
    assert_eq!(step, start + 2);
}

#[test]
fn orders_that_leave_other_buffers_have_a_finding() {
    let mut different = 0;
    for case in vectors::read::<Value>("checks/launches.jsonl") {
        let mut request = case["request"].clone();
        request["schedules"] = 6.into();
        let case: Case = serde_json::from_value(json!({
            "request": request,
            "planted": case["planted"],
            "also_lines": case["also_lines"],
        }))
        .expect("a case");
        let name = case.request.path.clone();
        let answer = answer_to(&case);
        let findings = answer["findings"].as_array().expect("findings");
        let is_order = |finding: &&Value| finding["kind"] == "order-dependent";
        let are_different = answer["schedules"]["different"] != json!([]);
        assert_eq!(
            findings.iter().any(|f| is_order(&f)),
            are_different,
            "{name}"
        );
        if are_different {
            different += 1;
            // Apart from atomics, whose order is free, a defect is the reason.
            let others = findings.iter().filter(|f| !is_order(f));
            assert!(
                others.count() > 0 || name.contains("ok"),
                "{name}: {answer:#}"
            );
        }
    }
    assert!(different > 5, "{different}");
}

#[test]
fn an_unwritten_tail_is_noted() {
    let found = check(&exchange(0, ""), &["uninit"]);
    assert_eq!(kinds(&found), [""; 0], "{found:#?}");
    let text = exchange_text(0, "").replace("ud[32]", "ud[40]");
    let found = check(&Program::parse(&text), &["uninit"]);
    assert_eq!(kinds(&found), ["unwritten"]);
    assert!(found.found[0].message.contains("o[32]"), "{found:#?}");
    // A buffer with initial values is not checked.
    let found = check(&Program::parse(&text.replace(" = undef", "")), &["uninit"]);
    assert_eq!(kinds(&found), [""; 0], "{found:#?}");
}

#[test]
fn undefined_values_count_by_lane_and_group() {
    let text = exchange_text(0, "barrier\n").replace("0x0:ud V34.0 V35.0", "0x0:ud V35.0 V35.0");
    let found = check(&Program::parse(&text), &["uninit"]);
    let address = found
        .found
        .iter()
        .find(|found| found.message.contains("an address"));
    let address = address.expect("an undefined address");
    assert_eq!((address.count, address.groups), (64, 2), "{address:#?}");
}

/// A launch of a thread of SIMD 16 with these lines; V40 has the local IDs.
fn launch_of(lines: &str) -> Program {
    runnable(&format!(
        ".target visa DG2\n.launch global=16 local=16\n.simd 16\n.slm 64\n.buffer o : ud[16]\n\
         .decl V40 v_type=G type=uw num_elts=16 align=GRF\n\
         .decl V41 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V42 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V43 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=16\n\
         .decl A0 v_type=A num_elts=16\n.input V40 offset=32 size=32\n.bind V40 = local_id.x\n\
         {lines}ret (M1, 1)\n"
    ))
}

#[test]
fn lanes_that_do_not_compare_keep_an_undefined_condition() {
    let program = launch_of(
        "cmp.lt (M1, 16) P1 V40(0,0)<1;1,0> 0x8:uw\n(P1) goto (M1, 16) skip\n\
         cmp.eq (M1, 16) P2 V40(0,0)<1;1,0> 0x9:uw\nskip:\n(P2) goto (M1, 16) end\nend:\n",
    );
    let found = check(&program, &[]);
    assert_eq!(kinds(&found), ["uninitialized"]);
    assert_eq!(found.found[0].count, 8);
}

#[test]
fn each_lane_reads_the_variable_whose_address_it_has() {
    let program = launch_of(
        "mov (M1, 16) V41(0,0)<1> 0x1:ud\nmov (M1, 16) V42(0,0)<1> 0x2:ud\n\
         mov (M1, 8) A0(0)<1> 0x0:uw\nmov (M1, 8) A0(8)<1> 0x0:uw\n\
         addr_add (M1, 8) A0(0)<8> &V41 0x0:uw\naddr_add (M1, 8) A0(8)<8> &V42 0x0:uw\n\
         mov (M1, 16) V43(0,0)<1> r[A0(0),0]<1,0>:ud\n",
    );
    assert_eq!(kinds(&check(&program, &[])), [""; 0]);
}

#[test]
fn local_memory_is_not_the_padding_of_data_at_the_same_address() {
    let program = runnable(
        ".target visa PVC\n.launch global=16 local=16\n.simd 16\n.slm 131072\n\
         .data \"K\" : ud[4] = 1, 2, 3, 4\n.buffer o : ud[16]\n\
         .decl V40 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V41 v_type=G type=ud num_elts=16 align=GRF\n\
         mov (M1, 16) V40(0,0)<1> 0x10010:ud\nmov (M1, 16) V41(0,0)<1> 0x1:ud\n\
         lsc_store.slm (M1, 1) flat[V40]:a32 V41:d32\nret (M1, 1)\n",
    );
    let launch = program.launch.as_ref().expect("a launch");
    assert_eq!(launch.data[0].range(), 0x10000..0x10010);
    assert_eq!(kinds(&check(&program, &[])), [""; 0]);
}

#[test]
fn counters_of_a_buffer_without_contents_are_undefined() {
    let scenario = BUNDLED.iter().find(|known| known.id == "kernel-histogram");
    let text = scenario.expect("it is bundled").text;
    let text = text.replacen("ud[16]", "ud[16] = undef", 1);
    let found = check(&Program::parse(&text), &[]);
    assert!(kinds(&found).contains(&"uninitialized"), "{found:?}");
}

#[test]
fn undefined_values_are_told_apart_by_their_use() {
    let program = launch_of("dword_atomic.add (M1, 16) %slm V41.0 V42.0 %null.0 %null.0\n");
    let found = check(&program, &[]);
    let counts: Vec<_> = found.found.iter().map(|finding| finding.count).collect();
    assert_eq!(kinds(&found)[..2], ["uninitialized"; 2], "{found:?}");
    assert_eq!(counts[..2], [16; 2]);
}

#[test]
fn values_of_findings_are_numbers_of_their_type() {
    let text = exchange_text(16, "").replace("type=ud num_elts=16", "type=f num_elts=16");
    let text = text.replace(
        "add (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> 0x7:ud",
        "mov (M1, 16) V33(0,0)<1> 1.5:f",
    );
    let text = text.replace(".decl V32 v_type=G type=f", ".decl V32 v_type=G type=ud");
    let text = text.replace(".decl V34 v_type=G type=f", ".decl V34 v_type=G type=ud");
    let program = runnable(&text);
    let found = check(&program, &["races"]);
    let numbers: Vec<_> = found.found[0]
        .accesses
        .iter()
        .map(|access| access.number.as_deref())
        .collect();
    assert!(numbers.contains(&Some("1.5")), "{numbers:?}");
}

#[test]
fn a_run_that_faults_or_does_not_end_is_checked() {
    let text = exchange_text(16, "");
    let endless = text.replace("ret (M1, 1)", "again:\njmp (M1, 1) again");
    let endless = format!(".fuel 500\n.schedule round-robin\n{endless}");
    let found = check(&Program::parse(&endless), &[]);
    assert!(kinds(&found).contains(&"no-progress"), "{found:#?}");
    assert!(kinds(&found).contains(&"race-local"), "{found:#?}");
    let fault = text.replace(
        "ret (M1, 1)",
        "jmp (M1, 1) nowhere\nnowhere:\nnbarrier.wait 3:ub",
    );
    let found = check(&Program::parse(&fault), &[]);
    assert!(kinds(&found).contains(&"race-local"), "{found:#?}");
}

/// Blocks run one after the other: a barrier of the whole grid does not end.
#[test]
fn a_wait_for_other_blocks_is_named() {
    for (grid, others) in [(1, false), (2, true)] {
        let program = runnable(&format!(
            ".target sass SM80\n.launch grid={grid} block=32\n.fuel 500\n.buffer c : ud[1]\n\
             .param 0x160 = &c\nMOV R2, c[0x0][0x160];\nMOV R3, c[0x0][0x164];\nMOV R4, 0x1;\n\
             RED.E.ADD.STRONG.GPU [R2.64], R4;\nagain:\nLDG.E.STRONG.GPU R5, [R2.64];\n\
             ISETP.LT.U32.AND P0, PT, R5, 0x40, PT;\n@P0 BRA `(again);\nEXIT;\n"
        ));
        let found = check(&program, &["barriers"]).found;
        let message = &found[0].message;
        assert_eq!(found[0].kind, "no-progress");
        assert_eq!(
            message.contains("; blocks run one after the other"),
            others,
            "{message}"
        );
    }
}

#[test]
fn a_loop_that_may_end_later_is_a_warning() {
    let count = "add (M1, 16) V41(0,0)<1> V41(0,0)<1;1,0> 0x1:ud\n";
    let counts = format!("{count}cmp.lt (M1, 16) P1 V41(0,0)<1;1,0> 0x10000:ud\n");
    let store = "scatter4_scaled.R (M1, 16) %slm 0x0:ud V42.0 V41.0\n";
    let load = "gather4_scaled.R (M1, 16) %slm 0x0:ud V42.0 V43.0\n";
    let polls = format!("{load}cmp.eq (M1, 16) P1 V43(0,0)<1;1,0> 0x0:ud\n");
    let next = "add (M1, 16) V42(0,0)<1> V42(0,0)<1;1,0> 0x4:ud\n\
                and (M1, 16) V42(0,0)<1> V42(0,0)<1;1,0> 0x3c:ud\n";
    let (leaves, stays) = ("(P1) goto (M1, 16) again\n", "jmp (M1, 1) again\n");
    for (lines, severity, op) in [
        (format!("{counts}{leaves}"), "warning", "branch"),
        (format!("{counts}{store}{leaves}"), "warning", "write"),
        (format!("{next}{polls}{leaves}"), "warning", "read"),
        (format!("{polls}{leaves}"), "error", "read"),
        (format!("{count}{polls}{leaves}"), "error", "read"),
        (format!("{count}{store}{stays}"), "error", "write"),
        (format!("{count}{stays}"), "error", "branch"),
    ] {
        let mut program = launch_of(&format!(
            "mov (M1, 16) V41(0,0)<1> 0x0:ud\n\
             shl (M1, 16) V42(0,0)<1> V40(0,0)<1;1,0> 0x2:ud\nagain:\n{lines}"
        ));
        program.fuel = 500;
        let found = check(&program, &["barriers"]).found;
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.kind, found.severity, found.accesses[0].op))
            .collect();
        assert_eq!(found, [("no-progress", severity, op)], "{lines}");
    }
}

#[test]
fn occurrences_are_grouped() {
    let text = exchange_text(16, "").replace("global=64", "global=131072");
    let found = check(&Program::parse(&text), &["races"]);
    let mut local = found.found.iter().filter(|f| f.kind == "race-local");
    let counts: Vec<_> = local.by_ref().map(|f| (f.groups, f.count)).collect();
    assert_eq!(counts, [(4096, 131_072)], "{found:#?}");
}

/// A launch of two groups of one thread, whose `V32` has the number of the lane as a float.
fn floats(lines: &str) -> String {
    format!(
        ".target visa DG2\n.launch global=32 local=16\n.simd 16\n\
         .buffer s : f[16] = 0\n\
         .decl V32 v_type=G type=f num_elts=16 align=GRF\n\
         .decl V33 v_type=G type=f num_elts=16 align=GRF\n\
         .decl V34 v_type=G type=uq num_elts=16 align=GRF\n\
         .decl V35 v_type=G type=uq num_elts=1 align=qword\n\
         .decl V40 v_type=G type=uw num_elts=16 align=GRF\n\
         .input V35 offset=32 size=8\n.input V40 offset=64 size=32\n\
         .bind V35 = &s\n.bind V40 = local_id.x\n\
         mov (M1, 16) V34(0,0)<1> V35(0,0)<0;1,0>\n\
         mov (M1, 16) V32(0,0)<1> V40(0,0)<1;1,0>\n\
         {lines}ret (M1, 1)\n"
    )
}

fn check_floats(lines: &str) -> Vec<(&'static str, u64, u32)> {
    let program = runnable(&floats(lines));
    let found = check(&program, &["float"]).found;
    assert!(found.iter().all(|f| f.severity == "note"), "{found:#?}");
    let places = found.iter();
    let places = places.map(|f| (f.kind, f.count, f.accesses[0].place.visa_line));
    places.collect()
}

#[test]
fn the_first_infinity_is_noted() {
    // The largest float times 2 to 15; what is infinite already stays so.
    let found = check_floats(
        "mul (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> 0x7f7fffff:f\n\
         add (M1, 16) V33(0,0)<1> V33(0,0)<1;1,0> V32(0,0)<1;1,0>\n",
    );
    assert_eq!(found, [("infinity", 28, 16)]);
    let found = check_floats("inv (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0>\n");
    assert_eq!(found, [("infinity", 2, 16)]);
}

#[test]
fn denormals_that_become_zero_are_noted() {
    // The smallest normal number times 0.5; 0 times it is 0 anyway.
    let halve = "mul (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> 0x00800000:f\n\
                 mul (M1, 16) V33(0,0)<1> V33(0,0)<1;1,0> 0x3d800000:f\n";
    assert_eq!(check_floats(halve), [("denormal", 30, 17)]);
    let kept = format!("or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n{halve}");
    assert_eq!(check_floats(&kept), []);
    // A source that counts as 0.
    let found = check_floats("mul (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> 0x00400000:f\n");
    assert_eq!(found, [("denormal", 30, 16)]);
}

#[test]
fn order_of_float_atomics_is_a_finding_without_a_race() {
    let add = "mul (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> 0x3dcccccd:f\n\
               mul (M1, 16) V33(0,0)<1> V33(0,0)<1;1,0> V33(0,0)<1;1,0>\n\
               svm_atomic.fadd (M1, 16) V34.0 %null.0 V33.0 %null.0\n";
    let text = floats(add).replace("global=32 local=16", "global=128 local=64");
    for (text, expected) in [
        (text.clone(), &["order-dependent"][..]),
        // Whole numbers are added exactly.
        (text.replace("0x3dcccccd", "0x40000000"), &[]),
    ] {
        let program = runnable(&text);
        let checked = Checked::of(&[""; 0]).expect("the usual checks");
        let (result, mut report) = checked.run(&program, RunOrder::of(&program));
        Schedules::compare(&program, &result, 8).add_to(&program, &mut report);
        let found = Findings::of(&program, report, MAX_FINDINGS, &[], None);
        assert_eq!(kinds(&found), expected, "{found:#?}");
        for finding in &found.found {
            assert_eq!(finding.code, "W0842");
            assert_eq!(finding.accesses[0].op, "atomic");
        }
    }
}

#[test]
fn a_scalar_selection_reads_the_chosen_source_only() {
    // V42 is undefined.
    let select = |first: &str, second: &str, predicate: u32| {
        let program = launch_of(&format!(
            "mov (M1, 16) V41(0,0)<1> 0x1:ud\nsetp (M1, 16) P1 0x{predicate:x}:ud\n\
             (P1) sel (M1, 1) V43(0,0)<1> {first}(0,0)<0;1,0> {second}(0,0)<0;1,0>\n\
             cmp.eq (M1, 1) P2 V43(0,0)<0;1,0> 0x1:ud\n(P2) goto (M1, 1) end\nend:\n",
        ));
        kinds(&check(&program, &[])).len()
    };
    assert_eq!(select("V42", "V41", 0), 0);
    assert_eq!(select("V41", "V42", 1), 0);
    assert_eq!(select("V42", "V41", 1), 1);
    assert_eq!(select("V41", "V42", 0), 1);
}

#[test]
fn a_guarded_comparison_of_a_warp_leaves_the_other_lanes_undefined() {
    let findings = |guard: &str| {
        let program = runnable(&format!(
            ".target sass SM75\n.launch grid=1 block=32\n.buffer o : ud[32]\n\
             .param 0x160 = &o\nS2R R0, SR_TID.X;\nISETP.LT.AND P0, PT, R0, 0x8, PT;\n\
             {guard}ISETP.EQ.AND P1, PT, R0, 0x3, PT;\n@P1 BRA `(.L_1);\n.L_1:\nEXIT;\n"
        ));
        check(&program, &[]).found
    };
    assert!(findings("").is_empty());
    for (guard, lanes) in [("@P0 ", 24), ("@!P0 ", 8)] {
        let found = findings(guard);
        let found: Vec<_> = found.iter().map(|f| (f.kind, f.count)).collect();
        assert_eq!(found, [("uninitialized", lanes)], "{guard}");
    }
}

#[test]
fn an_unmapped_access_is_a_finding_after_which_the_launch_goes_on() {
    let program = launch_of(
        ".decl V44 v_type=G type=uq num_elts=16 align=GRF\nmov (M1, 16) V44(0,0)<1> 0x5000:uw\n\
         lsc_load.ugm (M1, 16) V42:d32 flat[V44]:a64\nmov (M1, 16) V43(0,0)<1> 0x1:ud\n",
    );
    let checked = Checked::of(&["memory"]).expect("a known check");
    let (result, report) = checked.run(&program, RunOrder::of(&program));
    assert!(result.fault.is_none() && result.instructions == 4);
    let found = Findings::of(&program, report, MAX_FINDINGS, &[], None);
    assert_eq!(kinds(&found), ["out-of-bounds"]);
    let fault = run(&program).fault.map(|fault| fault.kind);
    assert_eq!(fault, Some(FaultKind::Unmapped));
    assert!(found.found[0].message.contains("without checks"));
}
