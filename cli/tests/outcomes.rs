//! `outcomes`, as a command and as a request.

mod common;

use common::{batch, lanewise};
use serde_json::json;

const SCENARIO: &str = "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
.decl V33 v_type=G type=ud num_elts=8 align=GRF
.decl V34 v_type=G type=ud num_elts=8 align=GRF
.slm 4
.init V33 = iota(1, 1)
dword_atomic.xchg (M1, 2) %slm V32.0 V33.0 V0 V34.0
";

#[test]
fn a_request_gets_every_result() {
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
fn the_command_tells_results_and_orders() {
    let told = lanewise(&["outcomes", "-"], SCENARIO);
    assert_eq!(told.code, 0);
    let out = told.out;
    assert!(out.contains("2 different results of 2 orders"), "{out}");
    assert!(out.contains("line 6: .order 1 0"), "{out}");
    assert_eq!(lanewise(&["outcomes", "-"], ".slm x").code, 1);
}

#[test]
fn contents_are_told_of_where_lanes_meet() {
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
    let told = "Where 32 lanes meet in instruction 1, 0x0 holds one of 0x1, 0x2,";
    assert!(out.contains(told), "{out}");
}
