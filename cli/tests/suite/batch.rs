//! `batch` requests and answers.

use crate::common::{ADD, ADD_BYTES, DECLS, SCENARIO, ask};
use serde_json::{Value, json};

fn expect_rejected(request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&ask(request)).expect("JSON");
    assert_eq!(answer["ok"], false, "{answer}");
    answer["diagnostics"][0].clone()
}

#[test]
fn assemble_returns_bytes() {
    let request = json!({"do": "assemble", "target": "visa XEHP", "decls": DECLS, "text": ADD});
    let expected = format!(r#"{{"ok":true,"bytes":"{ADD_BYTES}"}}"#);
    assert_eq!(ask(&request), expected);
}

#[test]
fn assemble_omits_empty_warnings() {
    let text = "dword_atomic.add (M1, 8) T1 V33.0 V34.0 %null.0 V32.0";
    let request = json!({"do": "assemble", "target": "visa XEHP", "decls": DECLS, "text": text});
    let answer: Value = serde_json::from_str(&ask(&request)).expect("JSON");
    let warning = &answer["warnings"][0];
    assert_eq!(warning["code"], "W0404");
    assert_eq!(warning["severity"], "warning");
    assert_eq!(warning["span"], json!([25, 27]));
    assert!(warning["message"].is_string() && warning["help"].is_string());
}

#[test]
fn assemble_error_span_is_in_the_text() {
    let text = "dword_atomic.add (M1, 8) %slm V33.0 V99.0 %null.0 V32.0";
    let request = json!({"do": "assemble", "target": "visa XEHP", "decls": DECLS, "text": text});
    let diagnostic = expect_rejected(&request);
    assert_eq!(diagnostic["code"], "E0305");
    assert_eq!(diagnostic["span"], json!([36, 39]));
    let keys: Vec<&String> = diagnostic.as_object().expect("an object").keys().collect();
    assert_eq!(keys.len(), 5, "{keys:?}");
}

#[test]
fn declaration_error_names_its_index() {
    let decls = [DECLS[0], ".decl V33 v_type=G typ=ud num_elts=8"];
    let request = json!({"do": "assemble", "target": "visa XEHP", "decls": decls, "text": ADD});
    let diagnostic = expect_rejected(&request);
    let message = diagnostic["message"].as_str().expect("a message");
    assert!(
        message.starts_with("decls[1]: ") && message.contains("`typ=ud`"),
        "{message}"
    );
    assert_eq!(
        diagnostic["span"],
        json!([19, 25]),
        "relative to its declaration"
    );
}

#[test]
fn disassemble_returns_text_in_both_styles_and_warnings() {
    let request = |style: &str| json!({"do": "disassemble", "target": "visa XEHP", "decls": DECLS, "bytes": ADD_BYTES, "style": style});
    let expected = format!(r#"{{"ok":true,"text":"{ADD}","warnings":[]}}"#);
    assert_eq!(ask(&request("assembler")), expected);
    let document = r#"{"ok":true,"text":"DWORD_ATOMIC.ADD (8) T0 V33 V34 V0 V32","warnings":[]}"#;
    assert_eq!(ask(&request("document")), document);
    let unnamed =
        json!({"do": "disassemble", "target": "visa XEHP", "decls": DECLS, "bytes": ADD_BYTES});
    assert_eq!(ask(&unnamed), expected);
    assert_eq!(expect_rejected(&request("shouting"))["code"], "E0903");
}

#[test]
fn byte_errors_span_hex_digits() {
    let decode = |bytes: &str| json!({"do": "disassemble", "target": "visa XEHP", "decls": DECLS, "bytes": bytes});
    let spaced = format!(
        "0x{} {}",
        &ADD_BYTES[..2],
        &ADD_BYTES[2..].replace("0003", "1503")
    );
    let undefined = expect_rejected(&decode(&spaced));
    assert_eq!(undefined["code"], "E0606");
    assert_eq!(undefined["span"], json!([5, 7]));
    let long = expect_rejected(&decode(&format!("{ADD_BYTES}00")));
    assert_eq!(
        (&long["code"], &long["span"]),
        (&json!("E0610"), &json!([60, 62]))
    );
    let short = expect_rejected(&decode(&ADD_BYTES[..58]));
    assert_eq!(
        (&short["code"], &short["span"]),
        (&json!("E0607"), &json!([58, 58]))
    );
    for (bytes, place) in [
        ("7g", [0, 1]),
        ("7d0", [2, 3]),
        ("7dé", [2, 4]),
        ("7 d", [0, 1]),
    ] {
        let hex = expect_rejected(&decode(bytes));
        assert_eq!(
            (&hex["code"], &hex["span"]),
            (&json!("E0611"), &json!(place)),
            "{bytes}"
        );
    }
}

#[test]
fn check_returns_all_diagnostics() {
    let fine = json!({"do": "check", "scenario": SCENARIO});
    assert_eq!(ask(&fine), r#"{"ok":true,"diagnostics":[]}"#);
    let warned = json!({"do": "check", "scenario": ".decl T6 v_type=T\n.slm 4\n.slm 8\n"});
    let answer: Value = serde_json::from_str(&ask(&warned)).expect("JSON");
    assert_eq!(answer["ok"], true, "warnings are not errors");
    assert_eq!(answer["diagnostics"][0]["code"], "W0109");
    let wrong = json!({"do": "check", "scenario": ".sml 4\nfoo\n"});
    let answer: Value = serde_json::from_str(&ask(&wrong)).expect("JSON");
    assert_eq!(answer["ok"], false);
    assert_eq!(answer["diagnostics"].as_array().map(Vec::len), Some(2));
    assert_eq!(answer["diagnostics"][1]["span"], json!([7, 10]));
}

#[test]
fn run_returns_the_whole_state() {
    let expected = concat!(
        r#"{"ok":true,"instructions":1,"steps":4,"warnings":[],"fault":null,"#,
        r#""registers":{"EU0.V32":"00000000000000000100000002000000","#,
        r#""EU0.V33":"00000000040000000000000004000000","#,
        r#""EU0.V34":"01000000020000000300000004000000","EU0.em":"0xffffffff"},"#,
        r#""memory":{"slm":{"0x0":"0400000006000000"}}}"#,
    );
    assert_eq!(ask(&json!({"do": "run", "scenario": SCENARIO})), expected);
}

#[test]
fn run_returns_every_kind_of_variable_and_memory() {
    let scenario = "\
.threads 2
.slm 0
.decl V32 v_type=G type=uw num_elts=2
.decl V33 v_type=G type=ub num_elts=2 alias=<V32, 2>
.decl P1 v_type=P num_elts=8
.decl A0 v_type=A num_elts=2
.decl T6 v_type=T
.decl T7 v_type=T
.surface T6 2
.region svm 0x10000 1
.region svm 0x100 2
.init V32 = 1, 0x203
.init EU1.V32 = 4
.init P1 = 0xf0
.init EU1.em = 0xff
.init A0 = &V32 + 2, &V32
.init T6[0] : ub = 7, 8
.init svm[0x100] : ub = 9
";
    let expected = concat!(
        r#""registers":{"EU0.V32":"01000302","EU1.V32":"04000000","EU0.V33":"0302","EU1.V33":"0000","#,
        r#""EU0.P1":"0x000000f0","EU1.P1":"0x000000f0","EU0.em":"0xffffffff","EU1.em":"0x000000ff","#,
        r#""EU0.A0":["&V32 + 2","&V32"],"EU1.A0":["&V32 + 2","&V32"]},"#,
        r#""memory":{"slm":{},"T6":{"0x0":"0708"},"svm":{"0x100":"0900","0x10000":"00"}}}"#,
    );
    let answer = ask(&json!({"do": "run", "scenario": scenario}));
    assert!(answer.ends_with(expected), "{answer}");
}

#[test]
fn run_reports_a_fault_and_keeps_earlier_effects() {
    let scenario = "\
.slm 0
.decl V32 v_type=G type=uq num_elts=4 align=GRF
.decl V33 v_type=G type=ud num_elts=4 align=GRF
.region svm 0x1000 8
.init V32 = 0x1000, 0x1004, 0x1000, 0x1001
.init V33 = splat(2)
svm_atomic.add (M1, 2) V32.0 %null.0 V33.0 %null.0
svm_atomic.add (M1, 4) V32.0 %null.0 V33.0 %null.0
";
    let answer = ask(&json!({"do": "run", "scenario": scenario}));
    let start = concat!(
        r#"{"ok":true,"instructions":1,"steps":2,"warnings":[],"#,
        r#""fault":{"kind":"misaligned","instruction":1,"eu":0,"lane":3,"address":"0x1001","message":""#,
    );
    assert!(answer.starts_with(start), "{answer}");
    assert!(answer.ends_with(r#""memory":{"slm":{},"svm":{"0x1000":"0200000002000000"}}}"#));
    let unmapped = scenario.replace("0x1001", "0x1008");
    let answer = ask(&json!({"do": "run", "scenario": unmapped}));
    assert!(
        answer.contains(r#""kind":"unmapped","instruction":1,"eu":0,"lane":3,"address":"0x1008""#)
    );
}

#[test]
fn run_rejects_errors_and_returns_warnings() {
    let wrong = expect_rejected(&json!({"do": "run", "scenario": "foo\n"}));
    assert_eq!(wrong["code"], "E0103");
    let scenario = format!(".decl T9 v_type=T\n.slm 4\n{SCENARIO}");
    let answer: Value =
        serde_json::from_str(&ask(&json!({"do": "run", "scenario": scenario}))).expect("JSON");
    assert_eq!(answer["warnings"][0]["code"], "W0109");
    assert_eq!(answer["memory"].get("T9"), None, "nothing is mapped there");
}

#[test]
fn unknown_target_is_rejected() {
    let unknown = expect_rejected(&json!({"do": "assemble", "target": "visa XYZ", "text": "x"}));
    assert_eq!(unknown["code"], "E0106");
    let lines = expect_rejected(&json!({"do": "assemble", "target": "visa\nXEHP", "text": "x"}));
    assert_eq!(lines["code"], "E0106");
}

#[test]
fn target_aliases_and_default() {
    for target in ["visa XEHP", "visa XeHP_SDV", "visa PVC", "VISA skl", "visa"] {
        let request = json!({"do": "assemble", "target": target, "decls": DECLS, "text": ADD});
        assert!(ask(&request).starts_with(r#"{"ok":true"#), "{target}");
    }
    let request = json!({"do": "assemble", "decls": DECLS, "text": ADD});
    assert!(ask(&request).starts_with(r#"{"ok":true"#));
}

/// Programs of both families with the kernel `saxpy_tail`.
fn programs() -> [String; 2] {
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
    [
        format!("{vectors}/kernels/zebin/basics.dg2.bin"),
        format!("{vectors}/sass-kernels/basics.sm_80.sass"),
    ]
}

#[test]
fn refused_launches_name_the_field() {
    for path in programs() {
        let refused = |field: &str, value: Value| {
            let mut request = json!({"do": "launch", "path": path, "kernel": "saxpy_tail",
                "global": [8], "local": [8], "args": [{"buffer": "00"}, {"scalar": "00"}]});
            request[field] = value;
            let answer = expect_rejected(&request);
            assert_eq!(answer["code"], "E0903", "{answer}");
            answer["message"].as_str().expect("a text").to_owned()
        };
        let message = refused("args", json!([{"buffer": "00"}, {"scalar": "0x"}]));
        assert!(message.contains("`args[1]`"), "{message}");
        let message = refused("check", json!("yes"));
        assert!(message.contains("`check` must be"), "{message}");
    }
}

/// The reason of a rule about fields says nothing about them.
#[test]
fn launches_that_cannot_be_made_have_a_code_of_their_own() {
    for path in programs() {
        for (kernel, args) in [
            ("missing", json!([])),
            ("saxpy_tail", json!([{"local": 4}])),
        ] {
            let request = json!({"do": "launch", "path": path, "kernel": kernel,
                "global": [8], "local": [8], "args": args});
            let answer = expect_rejected(&request);
            assert_eq!(answer["code"], "E0910", "{answer}");
            let message = answer["message"].as_str().expect("a text");
            assert!(!message.contains("`do`"), "{message}");
        }
    }
}

#[test]
fn launches_have_a_limit() {
    for path in programs() {
        let launch = |fuel: Value| {
            json!({"do": "launch", "path": path, "kernel": "saxpy_tail", "grid": [1], "block": [8],
                "args": [{"buffer": "00".repeat(32)}, {"buffer": "00".repeat(32)},
                    {"scalar": "00000040"}, {"scalar": "08000000"}], "fuel": fuel})
        };
        let fault = |fuel: Value| {
            let answer: Value = serde_json::from_str(&ask(&launch(fuel))).expect("JSON");
            answer["fault"].clone()
        };
        assert_eq!(fault(json!(100_000_000)), Value::Null);
        let stopped = fault(json!(3));
        assert_eq!(stopped["kind"], "out-of-fuel");
        let message = stopped["message"].as_str().expect("a text");
        assert!(message.contains("`fuel` in the request"), "{message}");
        for wrong in [json!(0), json!(100_000_001), json!(-1), json!("3")] {
            assert_eq!(expect_rejected(&launch(wrong))["code"], "E0903");
        }
    }
}
