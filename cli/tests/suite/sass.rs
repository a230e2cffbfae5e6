//! SASS words, groups and runs on the command line.

use crate::common::ask;
use serde_json::{Value, json};

fn answer(request: &Value) -> Value {
    serde_json::from_str(&ask(request)).expect("JSON")
}

#[test]
fn words_round_trip() {
    let text = "ATOM.E.ADD R7, [R2+0x4], R7";
    let word = "0xed01000040770207";
    let assemble = json!({"do": "assemble", "target": "sass SM50", "text": text});
    assert_eq!(ask(&assemble), format!(r#"{{"ok":true,"word":"{word}"}}"#));
    let disassemble = json!({"do": "disassemble", "target": "sass SM50", "word": word});
    let expected = format!(r#"{{"ok":true,"text":"{text}","warnings":[]}}"#);
    assert_eq!(ask(&disassemble), expected);
    let bytes = json!({"do": "disassemble", "target": "sass", "bytes": "07027740000001ed"});
    assert_eq!(ask(&bytes), expected);
    let style =
        json!({"do": "disassemble", "target": "sass SM50", "word": word, "style": "document"});
    assert_eq!(answer(&style)["text"], "ATOM.E.ADD R7, [R2 + 4], R7;");
}

#[test]
fn word_error_spans_its_digits() {
    let odd = json!({"do": "disassemble", "target": "sass SM50", "word": "0xed04000000170204"});
    let odd = answer(&odd);
    assert_eq!(odd["text"], "ATOM.ADD.U64 R4, [R2], R1");
    assert_eq!(odd["warnings"][0]["code"], "W0612");
    let undefined =
        json!({"do": "disassemble", "target": "sass SM50", "word": "0xed9_1000000470200"});
    let undefined = answer(&undefined);
    assert_eq!(undefined["diagnostics"][0]["code"], "E0606");
    assert_eq!(undefined["diagnostics"][0]["span"], json!([4, 7]));
    for (word, place) in [
        ("0xeg", [3, 4]),
        ("", [0, 0]),
        ("0x", [0, 2]),
        ("é", [0, 2]),
    ] {
        let bad = answer(&json!({"do": "disassemble", "target": "sass SM50", "word": word}));
        let bad = &bad["diagnostics"][0];
        assert_eq!(
            (&bad["code"], &bad["span"]),
            (&json!("E0611"), &json!(place))
        );
    }
    let long = json!({"do": "disassemble", "target": "sass SM50", "word": "0x00000000000000000"});
    assert_eq!(answer(&long)["diagnostics"][0]["code"], "E0611");
    let none = answer(&json!({"do": "disassemble", "target": "sass SM50"}));
    let message = none["diagnostics"][0]["message"]
        .as_str()
        .expect("a message");
    assert!(message.starts_with("`word` is missing"), "{message}");
}

#[test]
fn groups_round_trip() {
    let lines = [
        "ATOM.E.MIN.S64 R60, [R20+-0x40df8], R30 &rd=0 &wr=5 ?stall1",
        "@!P2 ATOM.E.XOR R81, [R40+-0x190], R38 &req={0,2} ?stall2.yield",
        "ATOM.E.AND.U64 R58, [R40+0x1000], R22 ?stall0",
    ];
    let group = json!({"do": "assemble", "target": "sass SM50", "group": lines});
    let group = answer(&group);
    let bytes = group["bytes"].as_str().expect("bytes");
    assert_eq!((&group["ok"], bytes.len()), (&json!(true), 64));
    // First slot: stall 1, no hint, write barrier 5, read barrier 0.
    let control = u64::from_str_radix(&bytes[..16], 16)
        .expect("digits")
        .swap_bytes();
    assert_eq!(control & 0x1f_ffff, 0xb1);
    let back = json!({"do": "disassemble", "target": "sass SM50", "bytes": bytes});
    let back = answer(&back);
    assert_eq!(
        (&back["group"], &back["warnings"]),
        (&json!(lines), &json!([]))
    );
    // A single word cannot encode its scheduling, which gets a note.
    let alone = json!({"do": "assemble", "target": "sass SM50", "text": lines[0]});
    assert_eq!(answer(&alone)["warnings"][0]["code"], "N0508");
}

#[test]
fn group_error_names_its_line() {
    let lines = [
        "ATOM.ADD R0, [R2], R4",
        "ATOM.ADD R0, [R2], R4 &rd=6",
        "atom",
    ];
    let bad = answer(&json!({"do": "assemble", "target": "sass SM50", "group": lines}));
    let codes: Vec<_> = bad["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .collect();
    assert_eq!(codes.len(), 2, "{bad}");
    assert!(
        codes[0]["message"]
            .as_str()
            .expect("text")
            .starts_with("group[1]: ")
    );
    assert_eq!(codes[0]["span"], json!([22, 27]));
    for group in [
        json!([]),
        json!(["a", "b"]),
        json!("ATOM"),
        json!([1, 2, 3]),
    ] {
        let few = answer(&json!({"do": "assemble", "target": "sass SM50", "group": group}));
        assert_eq!(few["diagnostics"][0]["code"], "E0903", "{few}");
    }
    // MOV is not supported; the span is that of its word in the group.
    let atom = "00024700000000ed";
    let mov = "020077078007984c";
    let middle = format!("f007000000000000{atom}{mov}{atom}");
    let middle = answer(&json!({"do": "disassemble", "target": "sass SM50", "bytes": middle}));
    assert_eq!(middle["ok"], false);
    let found = middle["diagnostics"].as_array().expect("a list");
    assert_eq!(found.len(), 1, "{middle}");
    assert_eq!(
        (&found[0]["code"], &found[0]["span"]),
        (&json!("E0608"), &json!([32, 34]))
    );
    let mov = format!("f007000000000000{}", mov.repeat(3));
    let mov = answer(&json!({"do": "disassemble", "target": "sass SM50", "bytes": mov}));
    let spans: Vec<&Value> = mov["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|d| &d["code"])
        .collect();
    assert_eq!(spans, [&json!("E0608"); 3], "{mov}");
}

/// Barrier 6 does not exist and is read as none.
#[test]
fn reserved_barrier_is_a_warning() {
    let group = format!("d007000000000000{}", "00024700000000ed".repeat(3));
    let group = answer(&json!({"do": "disassemble", "target": "sass SM50", "bytes": group}));
    let shown = group["group"].as_array().expect("a list");
    assert_eq!((&group["ok"], shown.len()), (&json!(true), 3), "{group}");
    assert_eq!(shown[0], "ATOM.ADD R0, [R2], R4 ?stall0");
    let warnings = group["warnings"].as_array().expect("a list");
    assert_eq!(warnings.len(), 1, "{group}");
    assert_eq!(
        (&warnings[0]["code"], &warnings[0]["span"]),
        (&json!("W0613"), &json!([0, 2]))
    );
}

#[test]
fn run_returns_registers_per_lane() {
    let scenario = "\
.target sass SM50
.region global 0x10000 16
.init R2 = splat(0x10000)
.init P0 = 3
.init P5 = 0xffff0000
@P0 ATOM.INC R9, [R2], RZ;
";
    let ran = answer(&json!({"do": "run", "scenario": scenario}));
    let registers = ran["registers"].as_object().expect("an object");
    let symbols: Vec<&String> = registers.keys().collect();
    assert_eq!(
        symbols,
        ["P0", "P5", "R2", "R9"],
        "serde_json sorts this map"
    );
    assert_eq!(registers["R2"], json!(vec!["0x00010000"; 32]));
    assert_eq!(registers["P5"], "0xffff0000");
    assert_eq!(
        ran["memory"],
        json!({"global": {"0x10000": "00".repeat(16)}})
    );
    assert_eq!((&ran["steps"], &ran["fault"]), (&json!(2), &json!(null)));
    let wide = scenario.replace(
        "@P0 ATOM.INC R9, [R2], RZ",
        "@P0 ATOM.E.ADD.U64 R12, [R2], R4",
    );
    let wide = answer(&json!({"do": "run", "scenario": wide}));
    let symbols: Vec<&String> = wide["registers"]
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(symbols, ["P0", "P5", "R12", "R13", "R2", "R3", "R4", "R5"]);
}

#[test]
fn faults_have_kinds() {
    for (address, kind) in [
        ("0x10001", "misaligned"),
        ("0x20000", "out-of-range"),
        ("0x01000002", "address-space"),
    ] {
        let scenario = format!(
            ".target sass SM50\n.region global 0x10000 16\n.init R2 = 0x10000, 0x10004, {address}\n.init P0 = 7\n@P0 ATOM.ADD R0, [R2], R4\n"
        );
        let ran = answer(&json!({"do": "run", "scenario": scenario}));
        let fault = &ran["fault"];
        assert_eq!((&fault["kind"], &fault["lane"]), (&json!(kind), &json!(2)));
        assert_eq!((&ran["ok"], &ran["steps"]), (&json!(true), &json!(0)));
    }
}

#[test]
fn a_pointer_of_a_launch_may_be_null() {
    let kernels = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
    let zeros = "00".repeat(32);
    for path in [
        "kernels/zebin/basics.dg2.bin",
        "sass-kernels/basics.sm_80.sass",
    ] {
        let launch = |x: &Value| {
            answer(&json!({"do": "launch", "path": format!("{kernels}/{path}"),
                "kernel": "saxpy_tail", "grid": [1], "block": [8],
                "args": [{"buffer": zeros}, x, {"scalar": "00000040"}, {"scalar": "08000000"}]}))
        };
        let null = launch(&json!({"null": true}));
        assert_eq!(null["fault"]["kind"], "unmapped", "{null}");
        assert_eq!(null["buffers"], json!({"0": zeros}));
        for wrong in [json!({"null": false}), json!({})] {
            let refused = launch(&wrong);
            assert_eq!(refused["diagnostics"][0]["code"], "E0903", "{refused}");
        }
    }
    let path = format!("{kernels}/kernels/zebin/basics.dg2.bin");
    let refused = answer(
        &json!({"do": "launch", "path": path, "kernel": "saxpy_tail",
        "grid": [1], "block": [8], "args": [{"null": true}, {"alias": 0}, {"scalar": "00000040"},
            {"scalar": "08000000"}]}),
    );
    assert_eq!(refused["diagnostics"][0]["code"], "E0903", "{refused}");
}

#[test]
fn a_launch_takes_a_grid_and_refuses_what_is_not_available() {
    let kernels = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
    let program = format!("{kernels}/kernels/zebin/basics.dg2.bin");
    let launch = |sizes: Value| {
        let zeros = "00".repeat(256);
        let mut request = json!({"do": "launch", "path": program, "kernel": "saxpy_tail",
            "args": [{"buffer": zeros}, {"buffer": zeros}, {"scalar": "00000040"},
                {"scalar": "29000000"}]});
        let fields = sizes.as_object().expect("fields").clone();
        request.as_object_mut().expect("an object").extend(fields);
        answer(&request)
    };
    let items = launch(json!({"global": [64], "local": [32]}));
    assert_eq!(items["ok"], true, "{items}");
    assert_eq!(launch(json!({"grid": [2], "block": [32]})), items);
    for wrong in [
        json!({"grid": [2], "local": [32]}),
        json!({"global": [64]}),
        json!({"grid": [0x8000_0000_u32], "block": [2]}),
        json!({"global": [64], "local": [32], "schedule": "sideways"}),
    ] {
        let refused = launch(wrong);
        assert_eq!(refused["diagnostics"][0]["code"], "E0903", "{refused}");
    }
    let listing = format!("{kernels}/sass-kernels/flow.sm_80.sass");
    for (field, value) in [("schedules", json!(8)), ("schedule", json!("reversed"))] {
        let refused = answer(&json!({"do": "launch", "path": listing, "kernel": "any",
            "grid": [1], "block": [32], field: value}));
        assert_eq!(refused["diagnostics"][0]["code"], "E0903", "{refused}");
    }
}
