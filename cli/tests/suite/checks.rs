//! `lanewise run --check`, and checks of scenarios.

use crate::common::{Output, file, lanewise};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Path of a program with a planted defect.
fn path_of(program: &str) -> String {
    format!(
        "{}/../tests/vectors/checks/{program}",
        env!("CARGO_MANIFEST_DIR")
    )
}

/// Runs a kernel with a planted defect.
fn run(program: &str, arguments: &[&str], options: &[&str]) -> Output {
    let path = path_of(program);
    let sizes = ["run", &path, "--global", "128", "--local", "64"];
    let arguments: Vec<&str> = arguments.iter().flat_map(|a| ["--arg", a]).collect();
    lanewise(&[&sizes, &*arguments, options].concat(), "")
}

/// Work-items exchange values without a barrier.
fn missing_barrier(options: &[&str]) -> Output {
    let arguments = ["0=int[128]", "1=int[128]=iota(5, 3)", "2=local(256)"];
    run("01-missing-barrier.2026-bmg.bin", &arguments, options)
}

#[test]
fn races_within_a_thread_are_found_on_request() {
    let arguments = ["0=int[2]", "1=int[128]=iota(1, 1)"];
    let found = |checks| run("10-lockstep-tail.2022-dg2.bin", &arguments, &[checks]).out;
    assert!(!found("--check").contains("W0831"));
    assert!(found("--check=lockstep").contains("W0831"));
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn reports_have_the_findings() {
    let (sarif, junit) = (temporary("checks.sarif"), temporary("checks.xml"));
    let (log, xml) = (sarif.to_str().unwrap(), junit.to_str().unwrap());
    let reports = ["--check", "--sarif", log, "--junit", xml];
    assert_eq!(missing_barrier(&reports).code, 1);
    let read = |path: &Path| std::fs::read_to_string(path).expect("a report");
    let results = json_of(&read(&sarif))["runs"][0]["results"].take();
    let result = &results[0];
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&json!("W0831"), &json!("error"))
    );
    let line = |place: &Value| place["physicalLocation"]["region"]["startLine"].as_u64();
    let lines = [
        line(&result["locations"][0]),
        line(&result["relatedLocations"][0]),
    ];
    assert!(
        lines.contains(&Some(5)) && lines.contains(&Some(6)),
        "{result:#}"
    );
    assert_eq!(result.get("suppressions"), None);
    assert!(read(&junit).contains("[W0831]"));
    // Allowed findings are not failures.
    for kind in ["race-local", "W0831", "w0831"] {
        let allowed = ["--allow", kind, "--allow", "uninitialized"];
        let done = missing_barrier(&[&reports[..], &allowed].concat());
        assert_eq!(done.code, 0, "{kind}: {}", done.err);
        let results = json_of(&read(&sarif))["runs"][0]["results"].take();
        assert_eq!(results[0]["suppressions"], json!([{"kind": "external"}]));
        assert!(!read(&junit).contains("<failure"));
    }
    for wrong in ["race", "race-local:x.cl:abc", "race-local:x.cl:"] {
        let refused = missing_barrier(&["--check", "--allow", wrong]);
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{wrong}");
    }
    for fine in ["race-local:C:\\x.cl", "race-local:/x.cl:7", "race-local"] {
        let done = missing_barrier(&["--check", "--allow", fine]);
        assert!(!done.out.is_empty(), "{fine}: {}", done.err);
    }
}

/// "No findings" is said of a launch only if there are none in it.
#[test]
fn hidden_findings_and_faults_are_said() {
    let hidden = missing_barrier(&["--check", "--max-findings", "0"]);
    assert!(!hidden.out.contains("No findings"), "{}", hidden.out);
    let stopped = ["--check", "--fuel", "3"];
    let answer = json_of(&missing_barrier(&[&stopped[..], &["--json"]].concat()).out);
    assert_eq!(answer["fault"]["kind"], "out-of-fuel");
    assert_eq!(answer["findings"], json!([]));
    assert_eq!(answer["unchecked"].as_array().map(Vec::len), Some(1));
    let items = "128 work-items";
    assert!(!missing_barrier(&stopped).out.contains(items));
    let fine = ["--check=float"];
    assert!(missing_barrier(&fine).out.contains(items));
}

#[test]
fn accesses_of_a_race_have_steps() {
    let done = missing_barrier(&["--check", "--json"]);
    let answer = json_of(&done.out);
    let accesses = answer["findings"][0]["accesses"]
        .as_array()
        .expect("accesses");
    assert_eq!(accesses.len(), 2);
    assert!(
        accesses
            .iter()
            .all(|access| access["step"].as_u64() > Some(0)),
        "{accesses:#?}"
    );
}

#[test]
fn orders_are_compared() {
    let done = missing_barrier(&["--schedules", "4", "--json"]);
    assert_eq!(done.code, 1);
    let schedules = json_of(&done.out)["schedules"].take();
    assert_eq!(schedules["orders"], 4);
    assert_eq!(schedules["different"][0], "reversed");
    // A single order can be selected.
    let buffer = |options: &[&str]| json_of(&missing_barrier(options).out)["buffers"].take();
    let usual = buffer(&["--json"]);
    assert_eq!(buffer(&["--json", "--schedule", "sequential"]), usual);
    assert_ne!(buffer(&["--json", "--schedule", "reversed"]), usual);
    assert_eq!(missing_barrier(&["--schedule", "backwards"]).code, 2);
    assert_eq!(missing_barrier(&["--schedules", "1"]).code, 2);
    // The same launch as a scenario.
    let path = path_of("01-missing-barrier.2026-bmg.bin");
    let scenario = lanewise(&["open", &path, "--kernel", "k"], "").out;
    let done = lanewise(&["run", "-", "--schedules", "4", "--json"], &scenario);
    let answer = json_of(&done.out);
    assert_eq!(
        (done.code, &answer["schedules"]["different"][0]),
        (1, &"reversed".into())
    );
    assert!(answer["buffers"]["0"].is_string(), "{}", done.out);
    let plain = lanewise(
        &["run", "-", "--schedules", "4"],
        ".target visa DG2\nret (M1, 1)\n",
    );
    assert_eq!(plain.code, 2);
    assert!(
        plain.err.contains("`--schedules` without the size"),
        "{}",
        plain.err
    );
}

#[test]
fn undefined_buffers_are_followed() {
    let arguments = ["0=int[136]=undef", "1=int[128]=iota(5, 3)", "2=local(256)"];
    let done = run(
        "01-missing-barrier.2026-bmg.bin",
        &arguments,
        &["--check", "--json"],
    );
    let findings = json_of(&done.out)["findings"].take();
    let findings = findings.as_array().expect("findings");
    let unwritten = findings
        .iter()
        .find(|finding| finding["kind"] == "unwritten");
    let message = unwritten.expect("a note")["message"].as_str();
    assert!(
        message.is_some_and(|message| message.starts_with("32 bytes")),
        "{message:?}"
    );
}

/// A scenario is checked in its own launch.
#[test]
fn launches_of_scenarios_are_checked() {
    let program = |name: &str| {
        let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
        format!("{vectors}/{name}")
    };
    let race = program("checks/01-missing-barrier.2026-bmg.bin");
    let scenario = |name: &str, arguments: &[&str]| {
        let opened = lanewise(&[&["open"], arguments].concat(), "");
        let text = opened.out.replace("local=32", "local=64");
        file(name, &text).to_str().unwrap().to_owned()
    };
    let race = scenario("race.lanewise", &[&race, "--kernel", "k"]);
    let fine = program("kernels/zebin/basics.dg2.bin");
    let fine = scenario("fine.lanewise", &[&fine, "--kernel", "saxpy_tail"]);
    let warps = program("sass-kernels/basics.sm_80.sass");
    let warps = scenario("warps.lanewise", &[&warps, "--kernel", "saxpy_tail"]);
    for (scenario, options, code, has_race) in [
        (&race, &["--check"][..], 1, true),
        (&race, &["--check=races", "--check-fail=never"], 0, true),
        (&race, &["--check=races", "--allow", "W0831"], 0, false),
        (&race, &["--check=float"], 0, false),
        (&race, &[], 0, false),
        (&fine, &["--check"], 0, false),
        (&warps, &["--check"], 0, false),
    ] {
        let done = lanewise(&[&["run", scenario], options].concat(), "");
        assert_eq!(done.code, code, "{options:?}: {}{}", done.out, done.err);
        let found = done.out.contains("error[W0831]");
        assert_eq!(found, has_race, "{options:?}: {}", done.out);
    }
    let xml = temporary("scenario.xml");
    let report = ["--check", "--junit", xml.to_str().unwrap()];
    lanewise(&[&["run", &race], &report[..]].concat(), "");
    let report = std::fs::read_to_string(&xml).expect("a report");
    assert!(report.contains("[W0831]"), "{report}");
    for (options, named) in [
        (&["--check", "--steps", "1"][..], "without --steps"),
        (&["--check", "--global", "64"], "without --global"),
    ] {
        let refused = lanewise(&[&["run", &race], options].concat(), "");
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{options:?}");
        assert!(refused.err.contains(named), "{options:?}: {}", refused.err);
    }
    let no_launch = lanewise(&["run", "-", "--check"], COLLISION);
    assert_eq!(no_launch.code, 2);
    assert!(no_launch.err.contains("no .launch"), "{}", no_launch.err);
}

/// Runs a launch of 32 work-items in threads of 8 with and without the checks.
fn checked_and_not(code: &str) -> [Output; 2] {
    let text = format!(
        ".target visa DG2\n.launch global=32 local=32\n.simd 8\n.slm 64\n\
         .decl V32 v_type=G type=uw num_elts=8 align=GRF\n\
         .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
         .decl P1 v_type=P num_elts=8\n.bind V32 = local_id.x\n{code}END:\nret (M1, 8)\n"
    );
    ["--check", "--trace"].map(|option| lanewise(&["run", "-", option], &text))
}

/// The first twelve work-items do not reach the barrier: a thread and a half.
#[test]
fn work_items_of_all_threads_are_missing_at_a_barrier() {
    let code = "cmp.lt (M1, 8) P1 V32(0,0)<1;1,0> 0xc:uw\n(P1) goto (M1, 8) END\nbarrier\n";
    let [checked, plain] = checked_and_not(code);
    let finding = "error[W0835]: 12 work-items have not reached it: all of thread 0; \
                   lanes 0–3 of thread 1\n";
    assert!(checked.out.contains(finding), "{}", checked.out);
    // The finding replaces the warning.
    assert!(!checked.err.contains("W0710"), "{}", checked.err);
    assert!(plain.err.contains("W0710"), "{}", plain.err);
}

#[test]
fn accesses_past_local_memory_are_warnings_or_findings() {
    let code = "shl (M1, 8) V33(0,0)<1> V32(0,0)<1;1,0> 0x2:uw\n\
                scatter4_scaled.R (M1, 8) %slm 0x0:ud V33.0 V33.0\n";
    let [checked, plain] = checked_and_not(code);
    assert!(checked.out.contains("error[W0833]"), "{}", checked.out);
    assert!(!checked.err.contains("W0716"), "{}", checked.err);
    let warning = "work-item 16 (thread 2, lane 0) wrote `slm[0x40]`, past the 64 bytes of local \
                   memory, as did 7 other accesses";
    assert!(plain.err.contains("W0716"), "{}", plain.err);
    assert!(plain.err.contains(warning), "{}", plain.err);
}

/// Two threads store to one dword.
const COLLISION: &str = ".target visa DG2\n.threads 2\n.slm 64\n\
    .decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
    .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
    .init EU0.V33 = 1\n.init EU1.V33 = 2\n\
    scatter4_scaled.R (M1, 1) %slm 0x0:ud V32.0 V33.0\n";

#[test]
fn scenarios_with_two_threads_are_checked() {
    let done = lanewise(&["check", "--json", "-"], COLLISION);
    assert_eq!(done.code, 1, "{}", done.err);
    let answer = json_of(&done.out);
    let finding = &answer["findings"][0];
    assert_eq!(finding["kind"], "race-local", "{answer:#}");
    let values = ["02000000", "01000000"];
    for (access, value) in finding["accesses"]
        .as_array()
        .expect("accesses")
        .iter()
        .zip(values)
    {
        assert_eq!(access["value"], value);
    }
    // The execution size of one lane is not documented.
    let allow = ["check", "--allow", "W0474"];
    let done = lanewise(&[&allow[..], &["-"]].concat(), COLLISION);
    assert_eq!(
        (done.code, done.out.as_str()),
        (1, "1 scenario checked: 1 error\n")
    );
    assert!(done.err.contains("error[W0831]"), "{}", done.err);
    for (finding, code) in [
        ("W0831", 0),
        ("race-local", 0),
        ("race-global", 1),
        ("W0831:other.cl", 1),
    ] {
        let done = lanewise(
            &[&allow[..], &["--allow", finding, "-"]].concat(),
            COLLISION,
        );
        assert_eq!(
            (done.code, done.err.is_empty()),
            (code, code == 0),
            "{finding}"
        );
    }
    let warps = ".target sass SM80\n.launch grid=1 block=64\n.slm 256\n\
        S2R R0, SR_TID.X;\nSTS [RZ], R0;\nEXIT;\n";
    let done = lanewise(&["check", "-"], warps);
    assert!(
        done.code == 1 && done.err.contains("error[W0831]"),
        "{}",
        done.err
    );
    let path = file("collision.lanewise", COLLISION);
    let done = lanewise(&["run", path.to_str().unwrap()], "");
    assert!(done.out.contains("[W0831]"), "{}", done.out);
    // A barrier with a fence removes the race.
    let first = "scatter4_scaled.R (M1, 1) %slm 0x0:ud V32.0 V33.0\n";
    let ordered = COLLISION.replace(
        first,
        "cmp.eq (M1, 1) P1 V33(0,0)<0;1,0> 1:ud\n(P1) SCATTER\nfence_local\nbarrier\n(!P1) SCATTER\n",
    );
    let ordered = ordered.replace("SCATTER", first.trim_end());
    let ordered = ordered.replace(".init EU0", ".decl P1 v_type=P num_elts=1\n.init EU0");
    let done = lanewise(&[&allow[..], &["-"]].concat(), &ordered);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}

#[test]
fn checks_of_a_scenario_are_part_of_its_json() {
    let scenario = ".target visa DG2\n.launch global=16 local=16\n.simd 16\n.buffer y : ud[4]\n\
        .decl V32 v_type=G type=uq num_elts=1 align=GRF\n\
        .decl V33 v_type=G type=uq num_elts=16 align=GRF\n\
        .decl V34 v_type=G type=ud num_elts=16 align=GRF\n\
        .input V32 offset=32 size=8\n.bind V32 = &y\n\
        add (M1, 16) V33(0,0)<1> V32(0,0)<0;1,0> 0x50:uw\n\
        lsc_load.ugm (M1, 16) V34:d32 flat[V33]:a64\n";
    let answer = |options: &[&str]| {
        let done = lanewise(&[&["run", "-", "--json"], options].concat(), scenario);
        let answer: Value = serde_json::from_str(&done.out).expect("one object");
        (done.code, answer)
    };
    let (code, checked) = answer(&["--check"]);
    assert_eq!(
        (code, &checked["findings"][0]["code"]),
        (1, &json!("W0833"))
    );
    assert_eq!(checked["fault"]["kind"], "unmapped");
    let (_, clean) = answer(&["--check=races"]);
    assert_eq!(clean["findings"], json!([]));
    let (_, plain) = answer(&[]);
    assert!(plain.get("findings").is_none());
}

/// The second group has a thread without a partner.
#[test]
fn faults_of_later_groups_are_reported() {
    let scenario = "\
.target visa XEHP
.launch global=24 local=16
.simd 8
.decl V32 v_type=G type=d num_elts=16 align=GRF
.decl V34 v_type=G type=d num_elts=64 align=GRF
.decl V35 v_type=G type=d num_elts=8 align=GRF
dpasw.s8.s8.8.2 (M1, 8) V32.0 %null.0 V34.0 V35(0,0)
ret (M1, 1)
";
    for options in [&["--check"][..], &["--check", "--json"]] {
        let done = lanewise(&[&["run", "-"], options].concat(), scenario);
        assert_eq!(done.code, 1, "{}", done.err);
        assert!(done.err.contains("`dpasw` on line 7"), "{}", done.err);
    }
    assert_eq!(lanewise(&["run", "-"], scenario).code, 0);
}
