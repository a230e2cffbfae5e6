//! `batch` rejects invalid requests with a code and a span, and continues.

use crate::common::{ADD, ADD_BYTES, DECLS, SCENARIO, batch};
use serde_json::{Value, json};

fn code(answer: &Value) -> &str {
    assert_eq!(answer["ok"], false, "{answer}");
    answer["diagnostics"][0]["code"].as_str().expect("a code")
}

#[test]
fn invalid_requests_have_codes_and_spans() {
    for (line, expected, span) in [
        ("", "E0901", [0, 0]),
        ("   ", "E0901", [3, 3]),
        ("nonsense", "E0901", [0, 8]),
        (r#"["check",".slm 4"]"#, "E0901", [0, 18]),
        (r#"{"do":"check""#, "E0901", [12, 13]),
        (r#"{"do":"check","scenario":""} x"#, "E0901", [29, 30]),
        (r#"{"do":"check","do":"check"}"#, "E0901", [17, 18]),
        (r#"{}"#, "E0903", [0, 2]),
        (r#"{"do":7}"#, "E0903", [6, 7]),
        (r#"{"do":"outcome","scenario":""}"#, "E0902", [6, 15]),
        (r#"{"do":"outcomes"}"#, "E0903", [0, 17]),
        (
            r#"{"do":"outcomes","scenario":"","limit":-1}"#,
            "E0903",
            [39, 41],
        ),
        (r#"{"do":"Check","scenario":""}"#, "E0902", [6, 13]),
        (r#"{"do":"check"}"#, "E0903", [0, 14]),
        (r#"{"do":"check","scenario":["a"]}"#, "E0903", [25, 30]),
        (r#"{"do":"run","scenario":null}"#, "E0903", [0, 28]),
        (
            r#"{"do":"assemble","target":"visa","decls":".decl","text":""}"#,
            "E0903",
            [41, 48],
        ),
        (
            r#"{"do":"assemble","target":"visa","decls":[1],"text":""}"#,
            "E0903",
            [41, 44],
        ),
        (
            r#"{"do":"assemble","target":true,"text":""}"#,
            "E0903",
            [26, 30],
        ),
        (
            r#"{"do":"disassemble","bytes":"7d","style":3}"#,
            "E0903",
            [41, 42],
        ),
        (r#"{"do":"check","scenario":"\ud800"}"#, "E0903", [25, 33]),
    ] {
        let answers = batch(format!("{line}\n"));
        assert_eq!(code(&answers[0]), expected, "{line}: {}", answers[0]);
        assert_eq!(
            answers[0]["diagnostics"][0]["span"],
            json!(span),
            "{line}: {}",
            answers[0]
        );
    }
}

#[test]
fn batch_continues_after_invalid_lines() {
    let fine = json!({"do": "check", "scenario": SCENARIO}).to_string();
    let mut input: Vec<u8> = Vec::new();
    let mut bad: Vec<Vec<u8>> = vec![
        vec![],
        b"\r".to_vec(),
        vec![0xff, 0xfe, 0x00, 0x80],
        (0..=255).filter(|b| *b != b'\n').collect(),
        "[".repeat(200_000).into_bytes(),
        format!("{{\"do\":{}", "[".repeat(200_000)).into_bytes(),
        format!("{{\"do\":{}1{}}}", "[".repeat(5_000), "]".repeat(5_000)).into_bytes(),
        "x".repeat(1 << 20).into_bytes(),
        json!({"do": "check", "scenario": "x".repeat(1 << 20)})
            .to_string()
            .into_bytes(),
        json!({"do": "run", "scenario": "/*".repeat(1 << 18)})
            .to_string()
            .into_bytes(),
        json!({"do": "check", "scenario": "\0\u{1b}\u{202e}\u{1F600}"})
            .to_string()
            .into_bytes(),
        json!({"do": "disassemble", "bytes": "ff".repeat(1 << 18)})
            .to_string()
            .into_bytes(),
        json!({"do": "assemble", "text": "("})
            .to_string()
            .into_bytes(),
        json!({"do": "run", "scenario": ".region svm 0 18446744073709551615\n"})
            .to_string()
            .into_bytes(),
    ];
    // Two requests on one line are invalid.
    bad.push(format!("{fine}{fine}").into_bytes());
    for line in &bad {
        input.extend_from_slice(line);
        input.push(b'\n');
        input.extend_from_slice(fine.as_bytes());
        input.push(b'\n');
    }
    let answers = batch(&input);
    assert_eq!(answers.len(), 2 * bad.len());
    for (i, pair) in answers.chunks(2).enumerate() {
        assert_eq!(pair[0]["ok"], false, "line {i}: {}", pair[0]);
        assert_eq!(pair[1]["ok"], true, "after line {i}");
    }
}

#[test]
fn overlong_line_is_skipped() {
    let mut input = vec![b' '; (48 << 20) + 5];
    input.extend_from_slice(b"\n{\"do\":\"check\",\"scenario\":\"\"}\n");
    let answers = batch(&input);
    assert_eq!(answers.len(), 2);
    assert_eq!(code(&answers[0]), "E0904");
    assert_eq!(answers[1]["ok"], true);
}

#[test]
fn last_line_may_lack_a_terminator() {
    assert_eq!(batch(r#"{"do":"check","scenario":""}"#).len(), 1);
    assert_eq!(batch("").len(), 0);
}

#[test]
fn requests_do_not_share_declarations() {
    let with = |decls: &[&str]| {
        json!({"do": "assemble", "target": "visa XEHP", "decls": decls, "text": ADD}).to_string()
    };
    let swapped = [DECLS[0], DECLS[2], DECLS[1]];
    let lines = [
        with(&DECLS),
        with(&DECLS),
        with(&DECLS[..2]),
        with(&swapped),
        with(&DECLS),
    ];
    let answers = batch(lines.join("\n"));
    let bytes: Vec<_> = answers.iter().map(|a| a["bytes"].as_str()).collect();
    let other = ADD_BYTES
        .replace("22", "@@")
        .replace("21", "22")
        .replace("@@", "21");
    assert_eq!(
        bytes,
        [
            Some(ADD_BYTES),
            Some(ADD_BYTES),
            None,
            Some(&*other),
            Some(ADD_BYTES)
        ]
    );
    let target = |name: &str| {
        let text = "dword_atomic.add (M1, 8) %slm V33.0 V34.32 %null.0 V32.0";
        let decls = [
            DECLS[0],
            DECLS[1],
            ".decl V34 v_type=G type=ud num_elts=32 align=GRF",
        ];
        json!({"do": "assemble", "target": name, "decls": decls, "text": text}).to_string()
    };
    // PVC registers have 64 bytes, so byte 32 is not aligned.
    let answers = batch([target("visa XEHP"), target("visa PVC")].join("\n"));
    assert_eq!(
        (&answers[0]["ok"], &answers[1]["ok"]),
        (&json!(true), &json!(false))
    );
}

#[test]
fn answers_are_flushed_before_the_next_request() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_lanewise"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut requests = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    for _ in 0..3 {
        requests
            .write_all(b"{\"do\":\"check\",\"scenario\":\"\"}\n")
            .expect("written");
        let mut line = String::new();
        answers.read_line(&mut line).expect("read");
        assert_eq!(line, "{\"ok\":true,\"diagnostics\":[]}\n");
    }
    drop(requests);
    assert!(child.wait().expect("it ends").success());
}
