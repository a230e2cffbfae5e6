//! `lanewise mcp`.

use crate::common::{self, answers, lanewise};
use serde_json::{Value, json};

/// Sends requests and returns the answers.
fn serve(requests: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    answers("mcp", lines.join("\n"))
}

/// Calls a tool and returns whether it failed, and its texts.
fn call(name: &str, arguments: Value) -> (bool, Vec<String>) {
    let request = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": name, "arguments": arguments}});
    let answer = serve(&[request]).remove(0);
    assert_eq!(answer["id"], 7);
    let result = &answer["result"];
    let texts = result["content"].as_array().expect("content").iter();
    let texts = texts.map(|one| one["text"].as_str().expect("a text").to_owned());
    (result["isError"] == true, texts.collect())
}

fn program() -> String {
    format!(
        "{}/../tests/vectors/kernels/zebin/basics.dg2.bin",
        env!("CARGO_MANIFEST_DIR")
    )
}

#[test]
fn a_client_finds_and_calls_the_tools() {
    let answers = serve(&[
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": "2025-03-26", "capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": "two", "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "ping"}),
    ]);
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-03-26");
    assert_eq!(answers[1]["id"], "two");
    let tools = answers[1]["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(
        names,
        ["open", "launch", "check", "trace", "explain", "outcomes"]
    );
    assert_eq!(
        tools[1]["inputSchema"]["required"],
        json!(["path", "global"])
    );

    let (failed, texts) = call("open", json!({"path": program()}));
    assert!(!failed && texts[0].contains("saxpy_tail"), "{texts:?}");
    let launch = json!({"path": program(), "kernel": "saxpy_tail", "global": [8], "local": [4],
        "args": ["y=float[8]=iota(1, 1)", "x=float[8]=splat(2)", "a=3", "n=4"]});
    let (failed, texts) = call("launch", launch);
    assert!(
        !failed && texts[0].contains("7  8  9 10  5  6  7  8"),
        "{texts:?}"
    );
    let defects = format!(
        "{}/../tests/vectors/checks/01-missing-barrier.2026-bmg.bin",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut launch = json!({"path": defects, "global": [128], "local": [64], "check": [],
        "args": ["o=int[128]", "a=int[128]", "s=local(256)"]});
    let (_, texts) = call("launch", launch.clone());
    assert!(
        texts[0].contains("[W0831]") && texts[0].contains("undefined value"),
        "{texts:?}"
    );
    launch["check"] = json!(["memory", "races"]);
    let (_, texts) = call("launch", launch);
    assert!(
        texts[0].contains("[W0831]") && !texts[0].contains("undefined value"),
        "{texts:?}"
    );
    let (failed, texts) = call("outcomes", json!({"scenario": common::SCENARIO}));
    assert!(!failed && texts.len() == 2, "{texts:?}");
    assert!(texts[1].starts_with("On the page: http"), "{}", texts[1]);
    let (failed, texts) = call("explain", json!({"name": "cmp"}));
    assert!(!failed && texts[0].contains("Syntax"), "{texts:?}");
    let (failed, texts) = call("trace", json!({"scenario": common::SCENARIO, "steps": 1}));
    assert!(!failed && texts[0].contains("Lane 0"), "{texts:?}");
    let (failed, texts) = call("check", json!({"scenario": "nonsense here"}));
    assert!(failed && texts[0].contains("\"ok\":false"), "{texts:?}");
}

#[test]
fn bad_requests_are_refused() {
    let done = lanewise(&["mcp"], "nonsense\n\n[]\n{\"id\":1}\n");
    assert_eq!(done.code, 0);
    let answers: Vec<Value> = done
        .out
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    let codes: Vec<_> = answers
        .iter()
        .map(|answer| &answer["error"]["code"])
        .collect();
    assert_eq!(codes, [-32700, -32600, -32600]);
    for (name, arguments) in [
        ("unheard", json!({})),
        ("launch", json!({"path": "a.bin"})),
        ("open", json!({"path": "a.bin", "--help": "x"})),
        ("open", json!({"path": ["a", "b"]})),
        ("check", json!({})),
        ("check", json!({"path": "a", "scenario": "b"})),
        ("open", json!([])),
        (
            "launch",
            json!({"path": "a", "global": [8], "check": {"races": true}}),
        ),
    ] {
        let request = json!({"id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments}});
        let answer = serve(&[request]).remove(0);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    // Options of the command are parameters of the tool.
    let arguments = json!({"path": program(), "kernel": "saxpy_tail", "global": [8]});
    let (failed, texts) = call("launch", arguments);
    assert!(failed && texts[0].contains("`args` 0="), "{texts:?}");
    // All checks.
    for check in [json!(true), json!([])] {
        let arguments = json!({"path": program(), "kernel": "saxpy_tail", "global": [8],
            "args": ["y=float[8]", "x=float[8]", "a=1", "n=8"], "check": check});
        let (failed, texts) = call("launch", arguments);
        assert!(!failed && texts[0].contains("No findings"), "{texts:?}");
    }
    // Values are not options.
    let (failed, texts) = call("open", json!({"path": "--help"}));
    assert!(
        failed && texts[0].contains("cannot read --help"),
        "{texts:?}"
    );
}

#[test]
fn results_are_bounded() {
    let launch = json!({"path": program(), "kernel": "saxpy_tail", "global": [8192], "local": [16],
        "args": ["y=float[8192]", "x=float[8192]", "a=3", "n=8192"], "steps": 5000});
    let (_, texts) = call("trace", launch);
    assert!(texts[0].len() < 50_000, "{}", texts[0].len());
    assert!(texts[0].ends_with("ask for less"));
}

/// A client that disconnects while a source is being compiled.
#[cfg(unix)]
#[test]
fn no_tool_is_left_running() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let compiler = common::HangingCompiler::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lanewise"))
        .arg("mcp")
        .env("LANEWISE_OCLOC", compiler.path("ocloc"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let request = json!({"id": 1, "method": "tools/call",
        "params": {"name": "open", "arguments": {"path": compiler.path("a.cl")}}});
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{request}").expect("sent");
    let pid = compiler.pid();
    drop((input, child.stdout.take()));
    child.wait().expect("it ends");
    assert!(common::has_ended(&pid), "{pid} runs");
}
