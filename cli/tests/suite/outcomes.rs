//! The `outcomes` command and request.

use crate::common::{ask, batch, lanewise};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SCENARIO: &str = "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.slm 4
.init V33 = iota(1, 1)
dword_atomic.xchg (M1, 2) %slm V32.0 V33.0 V0 V34.0
";

#[test]
fn request_returns_every_outcome() {
    let request = json!({"do": "outcomes", "scenario": SCENARIO, "limit": 1}).to_string();
    let all = json!({"do": "outcomes", "scenario": SCENARIO}).to_string();
    let bad = json!({"do": "outcomes", "scenario": ".slm x"}).to_string();
    let answers = batch(format!("{request}\n{all}\n{bad}\n"));
    for (answer, listed) in answers.iter().zip([1, 2]) {
        assert_eq!(answer["ok"], true);
        assert_eq!(answer["complete"], true);
        assert_eq!(answer["count"], "2");
        assert_eq!(answer["orders"], "2");
        assert_eq!(answer["outcomes"].as_array().unwrap().len(), listed);
    }
    let second = &answers[1]["outcomes"][1];
    assert_eq!(second["orders"], "1");
    assert_eq!(second["order"], json!(["1", "0"]));
    assert_eq!(second["memory"]["slm"]["0x0"], "01000000");
    let returned = second["registers"]["EU0.V34"].as_str().unwrap();
    assert!(returned.starts_with("0200000000000000"), "{returned}");
    let conflict = &answers[1]["conflicts"][0];
    assert_eq!(conflict["memory"], "slm");
    assert_eq!(conflict["lanes"], json!(["0", "1"]));
    assert_eq!(conflict["returns"], json!([["0x0", "0x2"], ["0x0", "0x1"]]));
    assert_eq!(answers[2]["ok"], false);
}

#[test]
fn command_prints_outcomes_and_orders() {
    let done = lanewise(&["outcomes", "-"], SCENARIO);
    assert_eq!(done.code, 0);
    let out = done.out;
    assert!(out.contains("2 results of 2 orders\nComplete: "), "{out}");
    assert!(out.contains("line 6: .order 1 0"), "{out}");
    assert_eq!(lanewise(&["outcomes", "-"], ".slm x").code, 1);
}

#[test]
fn incomplete_search_lists_final_values_of_conflicts() {
    let chain = SCENARIO
        .replace("num_elts=8", "num_elts=32")
        .replace("V33 = iota", "V35 = iota(0, 1)\n.init V33 = iota")
        .replace(
            ".slm",
            ".decl V35 v_type=G type=ud num_elts=32 align=GRF\n.slm",
        )
        .replace(
            "xchg (M1, 2) %slm V32.0 V33.0 V0",
            "cmpxchg (M1, 32) %slm V32.0 V33.0 V35.0",
        );
    let out = lanewise(&["outcomes", "-", "--limit", "2"], &chain).out;
    let expected = "32 lanes conflict in line 8; after it, slm[0x0] holds one of 1, 2,";
    assert!(out.contains(expected), "{out}");
}

/// Overlays ranges of memory.
fn overlay(to: &mut BTreeMap<u64, u8>, ranges: &Value) {
    for (address, bytes) in ranges.as_object().into_iter().flatten() {
        let start = u64::from_str_radix(&address[2..], 16).unwrap();
        let text = bytes.as_str().unwrap();
        for at in 0..text.len() / 2 {
            let value = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap();
            let before = to.insert(start + at as u64, value);
            assert_eq!(before, None, "{address} is listed twice");
        }
    }
}

#[test]
fn compact_answer_lists_differences() {
    let full = lanewise(&["outcomes", "-", "--json", "--full"], SCENARIO).out;
    let batch = ask(&json!({"do": "outcomes", "scenario": SCENARIO}));
    assert_eq!(
        full.trim_end(),
        batch,
        "--full gives the default form of batch"
    );
    let compact = lanewise(&["outcomes", "-", "--json"], SCENARIO).out;
    let request = json!({"do": "outcomes", "scenario": SCENARIO, "compact": true});
    assert_eq!(compact.trim_end(), ask(&request));
    let (full, compact): (Value, Value) = (
        serde_json::from_str(&full).unwrap(),
        serde_json::from_str(&compact).unwrap(),
    );
    let common = &compact["common"];
    let pairs = full["outcomes"].as_array().unwrap().iter();
    for (full, own) in pairs.zip(compact["outcomes"].as_array().unwrap()) {
        let mut registers = common["registers"].as_object().unwrap().clone();
        for (name, value) in own["registers"].as_object().unwrap() {
            assert_eq!(
                registers.insert(name.clone(), value.clone()),
                None,
                "{name}"
            );
        }
        assert_eq!(&Value::Object(registers), &full["registers"]);
        for (memory, regions) in full["memory"].as_object().unwrap() {
            let (mut wanted, mut found) = (BTreeMap::new(), BTreeMap::new());
            overlay(&mut wanted, regions);
            overlay(&mut found, &common["memory"][memory]);
            overlay(&mut found, &own["memory"][memory]);
            assert_eq!(found, wanted, "{memory}");
        }
    }
    // An outcome lists only differences.
    let first = &compact["outcomes"][0];
    assert_eq!(first["memory"], json!({"slm": {"0x0": "02"}}));
    let names: Vec<&String> = first["registers"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["EU0.V34"]);
}

#[test]
fn compact_answer_is_small() {
    let overlap = lanewise_core::library::named("scatter-overlap").unwrap();
    let compact = lanewise(&["outcomes", "-", "--json"], overlap.text).out;
    assert!(compact.len() < 1_000_000, "{} bytes", compact.len());
}

#[test]
fn budget_limits_a_search() {
    let long = SCENARIO.replace("(M1, 2)", "(M1, 8)")
        + &"dword_atomic.xor (M1, 8) %slm V32.0 V33.0 V0 V34.0\n".repeat(20);
    let answer = lanewise(&["outcomes", "-", "--json", "--budget", "0.01"], &long).out;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["complete"], false);
    assert!(!answer["outcomes"].as_array().unwrap().is_empty());
    for wrong in ["-1", "x", "1e9", "nan"] {
        assert_eq!(
            lanewise(&["outcomes", "-", "--budget", wrong], SCENARIO).code,
            2,
            "{wrong}"
        );
    }
}

#[test]
fn run_reports_fault_after_the_last_step() {
    let text = SCENARIO.to_owned()
        + ".region svm 0x1000 16\n.decl A v_type=G type=uq num_elts=8 align=GRF\n\
           svm_atomic.inc (M1, 2) A.0 V34.0 V0 V0\n";
    let whole = lanewise(&["run", "-", "--json"], &text);
    let whole_answer: Value = serde_json::from_str(&whole.out).unwrap();
    let steps = whole_answer["steps"].as_u64().unwrap();
    assert!(whole_answer["fault"].is_object());
    for (limit, faults) in [(steps - 1, false), (steps, true), (steps + 1, true)] {
        let part = lanewise(
            &["run", "-", "--json", "--steps", &limit.to_string()],
            &text,
        );
        let answer: Value = serde_json::from_str(&part.out).unwrap();
        assert_eq!(answer["fault"].is_object(), faults, "{limit}");
        assert_eq!(answer["steps"].as_u64(), Some(limit.min(steps)));
        assert_eq!(part.code, i32::from(faults), "{limit}");
    }
}

#[test]
fn compact_run_omits_zero_memory() {
    let answer = lanewise(&["run", "-", "--json", "--compact"], SCENARIO).out;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["memory"], json!({"slm": {"0x0": "02"}}));
    let batch = ask(&json!({"do": "run", "scenario": SCENARIO, "compact": true}));
    assert_eq!(serde_json::from_str::<Value>(&batch).unwrap(), answer);
}

/// Two lanes take a lock one after the other and count.
const LOOP: &str = "\
.slm 64
.init em = 3
.decl P1 v_type=P num_elts=8
.decl A v_type=G type=ud num_elts=8 align=GRF
.decl V v_type=G type=ud num_elts=8 align=GRF
.decl D v_type=G type=ud num_elts=8 align=GRF
.decl S v_type=G type=ud num_elts=8 align=GRF
.decl N v_type=G type=ud num_elts=8 align=GRF
.init V = 1, 2
LOOP:
dword_atomic.add (M1, 8) %slm A.0 V.0 V0 D.0
add (M1, 8) S(0,0)<1> S(0,0)<1;1,0> D(0,0)<1;1,0>
add (M1, 8) N(0,0)<1> N(0,0)<1;1,0> 1:ud
cmp.lt (M1, 8) P1 N(0,0)<1;1,0> 2:ud
(P1) goto (M1, 8) LOOP
ret (M1, 1)
";

#[test]
fn replay_is_told_only_if_order_lines_can_replay() {
    let answer = ask(&json!({"do": "outcomes", "scenario": LOOP, "compact": true}));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(
        (&answer["complete"], &answer["count"]),
        (&json!(true), &json!("4"))
    );
    let issues: Vec<&Value> = answer["conflicts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| &c["issue"])
        .collect();
    assert_eq!(issues, [&json!(0), &json!(5)]);
    for outcome in answer["outcomes"].as_array().unwrap() {
        assert_eq!(outcome["replay"], Value::Null);
        if outcome["schedule"].is_null() {
            assert_eq!(outcome["order"].as_array().unwrap().len(), 2);
        } else {
            assert_eq!(outcome["order"], json!([]));
            let schedule = outcome["schedule"].as_array().unwrap();
            assert_eq!(schedule.len(), 2);
            assert_eq!(
                (&schedule[1]["issue"], &schedule[1]["instruction"]),
                (&json!(5), &json!(0))
            );
            assert_ne!(schedule[0]["order"], schedule[1]["order"]);
        }
    }
    let out = lanewise(&["outcomes", "-"], LOOP).out;
    assert_eq!(out.matches(": .order ").count(), 2, "{out}");
    assert_eq!(out.matches("   issue ").count(), 4, "{out}");
}

#[test]
fn unexecuted_instructions_leave_the_outcome_unknown() {
    let text = LOOP.replace("cmp.lt", "sample (M1, 8) S\ncmp.lt");
    for text in [text, format!(".fuel 3\n{LOOP}")] {
        let done = lanewise(&["outcomes", "-"], &text);
        assert_eq!(done.code, 1);
        assert!(
            done.out.contains("The result is not known."),
            "{}",
            done.out
        );
        assert!(!done.out.contains("no lanes conflict"), "{}", done.out);
        let answer = ask(&json!({"do": "outcomes", "scenario": text, "compact": true}));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(
            (&answer["complete"], &answer["incomplete"]),
            (&json!(false), &json!(["unfinished"]))
        );
        assert!(answer["outcomes"][0]["fault"]["kind"].is_string());
    }
    // One lane: no order matters, and still no outcome is known.
    let one = LOOP.replace("em = 3", "em = 1");
    let done = lanewise(&["outcomes", "-"], format!(".fuel 3\n{one}"));
    assert!(
        done.out.contains("The result is not known."),
        "{}",
        done.out
    );
    let forever = one
        .replace("(P1) goto", "goto")
        .replace("add (M1, 8) N", "mov (M1, 8) N")
        .replace("1;1,0> 1:ud", "1;1,0>")
        .replace("V.0 V0 D.0", "N.0 V0 D.0");
    let done = lanewise(&["outcomes", "-"], &forever);
    assert!(done.out.contains("may never end"), "{}", done.out);
    let answer = ask(&json!({"do": "outcomes", "scenario": forever}));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["incomplete"], json!(["cycle"]));
    assert_eq!(
        (&answer["count"], &answer["outcomes"]),
        (&json!("0"), &json!([]))
    );
}

#[test]
fn long_answers_are_refused() {
    let large = SCENARIO.replace(".slm 4\n", ".slm 60000000\n");
    for (what, compact, code) in [
        ("run", false, Some("E0905")),
        ("run", true, None),
        ("outcomes", false, Some("E0905")),
        ("outcomes", true, Some("E0905")),
    ] {
        let answer = ask(&json!({"do": what, "scenario": large, "compact": compact}));
        assert!(answer.len() < 2000, "{} bytes", answer.len());
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(
            answer["diagnostics"][0]["code"].as_str(),
            code,
            "{what} {compact}"
        );
        if code.is_some() {
            let help = answer["diagnostics"][0]["help"].as_str().unwrap();
            assert!(help.contains("compact") && help.contains("limit"), "{help}");
        }
    }
    // Many outcomes that are long together.
    let many = SCENARIO
        .replace(".slm 4\n", ".slm 60000\n")
        .replace("(M1, 2)", "(M1, 8)");
    let refused = ask(&json!({"do": "outcomes", "scenario": many}));
    assert!(refused.contains("E0905"));
    for fine in [
        json!({"do": "outcomes", "scenario": many, "limit": 20}),
        json!({"do": "outcomes", "scenario": many, "compact": true}),
    ] {
        let answer: Value = serde_json::from_str(&ask(&fine)).unwrap();
        assert_eq!(answer["ok"], true);
    }
    let done = lanewise(&["run", "-", "--json"], &large);
    assert!(done.code == 1 && done.out.contains("E0905"));
    assert_eq!(
        lanewise(&["run", "-", "--json", "--compact"], &large).code,
        0
    );
    assert_eq!(lanewise(&["outcomes", "-", "--json"], &large).code, 1);
}
