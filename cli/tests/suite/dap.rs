//! `lanewise dap`, driven by a client that records the session.

use crate::common;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    sequence: u64,
    /// Events that have not been waited for.
    events: Vec<Value>,
}

impl Client {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lanewise"))
            .arg("dap")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            child,
            input,
            output,
            sequence: 0,
            events: Vec::new(),
        }
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("a header");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(value) => length = value.parse().expect("a length"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a message");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// Sends a request.
    fn tell(&mut self, command: &str, arguments: Value) {
        self.sequence += 1;
        let request = json!({"seq": self.sequence, "type": "request", "command": command,
            "arguments": arguments});
        let text = request.to_string();
        let input = self.input.as_mut().expect("connected");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("sent");
    }

    /// Sends a request and returns its answer.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        self.tell(command, arguments);
        loop {
            let message = self.read();
            if message["type"] == "response" {
                assert_eq!(message["request_seq"], self.sequence, "{message}");
                return message;
            }
            self.events.push(message);
        }
    }

    /// Sends a request that succeeds and returns its body.
    fn body(&mut self, command: &str, arguments: Value) -> Value {
        let mut answer = self.ask(command, arguments);
        assert_eq!(answer["success"], true, "{command}: {answer}");
        answer["body"].take()
    }

    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].take();
            }
            let message = self.read();
            self.events.push(message);
        }
    }

    /// Launches `saxpy_tail(global float *y, global const float *x, float a, uint n)` with
    /// eight work-items in groups of four.
    fn launch(options: Value) -> Self {
        let mut client = Self::start();
        let program = format!(
            "{}/../tests/vectors/kernels/zebin/basics.dg2.bin",
            env!("CARGO_MANIFEST_DIR")
        );
        let mut arguments = json!({"program": program, "kernel": "saxpy_tail", "global": [8],
            "local": 4, "args": {"y": "float[8]=iota(1, 1)", "x": "float[8]=splat(2)",
            "a": 3, "n": 6}});
        for (name, value) in options.as_object().expect("options") {
            arguments[name] = value.clone();
        }
        let capabilities = client.body("initialize", json!({"adapterID": "lanewise"}));
        assert_eq!(capabilities["supportsStepBack"], true);
        client.event("initialized");
        client.body("launch", arguments);
        client
    }

    fn line(&mut self) -> u64 {
        let frames = self.body("stackTrace", json!({"threadId": 1}));
        frames["stackFrames"][0]["line"].as_u64().expect("a line")
    }

    fn value(&mut self, expression: &str) -> String {
        let found = self.body("evaluate", json!({"expression": expression}));
        found["result"].as_str().expect("a text").to_owned()
    }

    /// Disconnects and returns the exit code.
    fn end(mut self) -> i32 {
        drop(self.input.take());
        let status = self.child.wait().expect("it ends");
        status.code().expect("it was not killed")
    }
}

/// Reference of the first scope with a name.
fn scope(client: &mut Client, name: &str) -> u64 {
    let scopes = client.body("scopes", json!({"frameId": 1}));
    let scopes = scopes["scopes"].as_array().expect("scopes").clone();
    let found = scopes.iter().find(|scope| scope["name"] == name);
    found.expect(name)["variablesReference"]
        .as_u64()
        .expect("a reference")
}

#[test]
fn a_session_goes_forward_and_back() {
    let mut client = Client::launch(json!({"stopOnEntry": true}));
    client.body("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "entry");
    let threads = client.body("threads", json!({}));
    let name = threads["threads"][0]["name"]
        .as_str()
        .expect("a name")
        .to_owned();
    assert!(
        name.starts_with("group (0,0,0) thread 0, work-items 0–3"),
        "{name}"
    );
    assert_eq!(
        (client.value("a"), client.value("n")),
        ("3".into(), "6".into())
    );
    assert_eq!(client.value("y[2]"), "3");
    // Stop when the third element of y is written, then before.
    let info = client.body("dataBreakpointInfo", json!({"name": "y[2]"}));
    let id = info["dataId"].clone();
    assert!(id.is_string(), "{info}");
    client.body(
        "setDataBreakpoints",
        json!({"breakpoints": [{"dataId": id}]}),
    );
    client.body("continue", json!({"threadId": 1}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "data breakpoint");
    assert!(
        stopped["text"].as_str().expect("a text").contains("y[2]"),
        "{stopped}"
    );
    assert_eq!(client.value("y[2]"), "9");
    let after = client.line();
    client.body(
        "stepBack",
        json!({"threadId": 1, "granularity": "instruction"}),
    );
    client.event("stopped");
    assert_eq!(client.value("y[2]"), "3");
    let store = client.line();
    // The breakpoint is within the store: after a lane of several.
    assert_eq!(store, after);
    client.body("setDataBreakpoints", json!({"breakpoints": []}));
    client.body("next", json!({"threadId": 1}));
    client.event("stopped");
    assert_eq!(client.value("y[2]"), "9");
    assert!(client.line() > store);
    client.body("reverseContinue", json!({"threadId": 1}));
    assert_eq!(client.event("stopped")["reason"], "entry");
    // Stop when it is read, before it is written.
    let read = json!({"breakpoints": [{"dataId": id, "accessType": "read"}]});
    client.body("setDataBreakpoints", read);
    client.body("continue", json!({"threadId": 1}));
    assert_eq!(client.event("stopped")["reason"], "data breakpoint");
    assert_eq!(client.value("y[2]"), "3");
    client.body("setDataBreakpoints", json!({"breakpoints": []}));
    client.body("continue", json!({"threadId": 1}));
    let end = client.event("stopped");
    assert_eq!(end["description"], "the launch has finished");
    // The second group wrote, too, and only its first two work-items.
    assert_eq!(
        (client.value("y[5]"), client.value("y[6]")),
        ("12".into(), "7".into())
    );
    client.body("continue", json!({"threadId": 1}));
    client.event("terminated");
    client.body("disconnect", json!({}));
    assert_eq!(client.end(), 0);
}

/// `early(int *o, const int *in, int n)` sums the base-4 digits of the inputs.
#[test]
fn a_kernel_for_nvidia_gpus_is_debugged() {
    let program = format!(
        "{}/../tests/vectors/sass-kernels/flow.sm_120.sass",
        env!("CARGO_MANIFEST_DIR")
    );
    let launch = |args: Value| {
        json!({
            "program": program, "kernel": "early", "global": [32], "local": 32,
            "stopOnEntry": true, "args": args
        })
    };
    let mut client = Client::start();
    client.body("initialize", json!({"adapterID": "lanewise"}));
    // The file has no names, and the keys of an object have no order.
    let named = json!({"o": "int[32]", "in": "int[32]", "n": 32});
    let refused = client.ask("launch", launch(named));
    assert_eq!(refused["success"], false, "{refused}");
    let args = json!(["0=int[32]=splat(-7)", "1=int[32]=iota(0, 1)", "2=32"]);
    let mut in_blocks = launch(args.clone());
    let keys = in_blocks.as_object_mut().expect("keys");
    keys.retain(|key, _| !["global", "local"].contains(&&**key));
    let refused = client.ask("launch", in_blocks.clone());
    assert!(
        refused["message"]
            .as_str()
            .expect("a message")
            .contains("`global`"),
        "{refused}"
    );
    for (sizes, word) in [
        (json!({"global": 64, "block": 16}), "`grid`"),
        (json!({"grid": 2, "block": 32, "global": 64}), "`grid`"),
        (json!({"local": 32}), "`global`"),
        (json!({"grid": 2}), "`block`"),
    ] {
        let mut wrong = in_blocks.clone();
        let all = sizes.as_object().expect("sizes").clone();
        wrong.as_object_mut().expect("keys").extend(all);
        let refused = client.ask("launch", wrong);
        let message = refused["message"].as_str().expect("a message");
        assert!(message.contains(word), "{sizes}: {message}");
    }
    in_blocks["grid"] = json!([1]);
    in_blocks["block"] = json!(32);
    // The client adds defaults of its own.
    (in_blocks["global"], in_blocks["local"]) = (json!(null), json!(null));
    in_blocks["cubin"] = json!(program.replace(".sass", ".cubin"));
    let mut client = Client::launch(in_blocks);
    client.body("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "entry");
    // Stop when the result for 11, which is 2 + 3, is written.
    let info = client.body("dataBreakpointInfo", json!({"name": "arg0[11]"}));
    client.body(
        "setDataBreakpoints",
        json!({"breakpoints": [{"dataId": info["dataId"]}]}),
    );
    assert_eq!(
        (client.value("arg0[11]"), client.value("arg2")),
        ("-7".into(), "32".into())
    );
    client.body("continue", json!({"threadId": 1}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "data breakpoint", "{stopped}");
    assert_eq!(client.value("arg0[11]"), "5");
    let ids: Vec<String> = (0..32).map(|id: u8| id.to_string()).collect();
    assert_eq!(client.value("threadIdx.x"), ids.join(", "));
    // A register of each lane holds it.
    let registers = scope(&mut client, "Variables");
    let registers = client.body("variables", json!({"variablesReference": registers}));
    let registers = registers["variables"].as_array().expect("registers");
    let names: Vec<&str> = registers
        .iter()
        .filter_map(|r| r["name"].as_str())
        .collect();
    let stored = |name: &&&str| client.value(&format!("{name}[11]")) == "0x00000005";
    let stored = names
        .iter()
        .find(stored)
        .expect("the register that is stored");
    assert_eq!(client.value(&format!("{stored}[11]:d")), "5");
    let place = names
        .iter()
        .position(|name| name == stored)
        .expect("its place");
    let lanes = json!({"variablesReference": registers[place]["variablesReference"]});
    let lanes = client.body("variables", lanes);
    assert_eq!(lanes["variables"][11]["name"], "lane 11");
    assert_eq!(lanes["variables"][11]["value"], "0x00000005");
    let flags = scope(&mut client, "Flags");
    let flags = client.body("variables", json!({"variablesReference": flags}));
    assert_eq!(flags["variables"][0]["name"], "P0", "{flags}");
    client.body("stepBack", json!({"threadId": 1}));
    client.event("stopped");
    assert_eq!(client.value("arg0[11]"), "-7");
    assert_eq!(client.end(), 0);
}

#[test]
fn breakpoints_stop_at_lines_under_conditions() {
    let mut client = Client::launch(json!({}));
    let text = client.body("source", json!({"sourceReference": 1}));
    let text = text["content"].as_str().expect("a text").to_owned();
    let store = text
        .lines()
        .position(|line| line.contains("store") || line.contains("scatter"));
    let store = store.expect("a store") + 1;
    let set = |condition: &str| {
        json!({"source": {"sourceReference": 1},
            "breakpoints": [{"line": store, "condition": condition}]})
    };
    let wrong = client.body("setBreakpoints", set("lane 77"));
    assert_eq!(wrong["breakpoints"][0]["verified"], false);
    let right = client.body("setBreakpoints", set("lane 3"));
    assert_eq!(right["breakpoints"][0]["verified"], true, "{right}");
    client.body("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    assert_eq!(client.line(), store as u64);
    let lanes = scope(&mut client, "Lanes");
    let lanes = client.body("variables", json!({"variablesReference": lanes}));
    let first = lanes["variables"][3]["value"].as_str().expect("a text");
    assert!(first.starts_with("work-item 3 active at "), "{first}");
    // In the second group lane 3 is not active there.
    client.body("continue", json!({"threadId": 1}));
    assert_eq!(
        client.event("stopped")["description"],
        "the launch has finished"
    );
    let all = scope(&mut client, "Variables");
    let all = client.body("variables", json!({"variablesReference": all}));
    let all = all["variables"].as_array().expect("variables").clone();
    let wide = all
        .iter()
        .find(|one| one["variablesReference"] != 0)
        .expect("a vector");
    let element = format!("{}(0,0)", wide["name"].as_str().expect("a name"));
    let value = client.value(&element);
    assert!(
        wide["value"].as_str().expect("a text").starts_with(&value),
        "{wide}"
    );
    let code = client.body(
        "disassemble",
        json!({"memoryReference": "0x0",
        "instructionOffset": -1, "instructionCount": 3}),
    );
    let code = code["instructions"].as_array().expect("instructions");
    assert_eq!(code.len(), 3);
    assert_eq!(code[0]["presentationHint"], "invalid");
    assert_eq!(client.end(), 0);
}

#[test]
fn a_scenario_is_debugged_by_its_lines_and_restarts() {
    let path = common::file("debugged.lanewise", common::SCENARIO);
    let mut client = Client::start();
    client.body("initialize", json!({}));
    client.body("launch", json!({"program": path, "stopOnEntry": true}));
    let set = json!({"source": {"path": path}, "breakpoints": [{"line": 1}]});
    let set = client.body("setBreakpoints", set);
    assert_eq!(set["breakpoints"][0]["line"], 7, "{set}");
    client.body("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    client.body("continue", json!({"threadId": 1}));
    client.event("stopped");
    assert_eq!(client.value("V32[2]"), "1");
    client.body("restart", json!({}));
    client.event("stopped");
    assert_eq!((client.value("V32[2]"), client.line()), ("0".into(), 7));
    assert_eq!(client.end(), 0);
}

/// Line 2 calls a function of line 7, and has an instruction after the call.
const CALL: &str = ".decl V32 v_type=G type=ud num_elts=8 align=GRF
FILE \"a.cl\"
LOC 1
mov (M1, 8) V32(0,0)<1> 1:ud
LOC 2
call (M1, 8) twice
add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 10:ud
LOC 3
mul (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 3:ud
ret (M1, 8)
.function \"twice\"
twice:
LOC 7
add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 100:ud
add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 100:ud
ret (M1, 8)
";

#[test]
fn steps_by_source_line_go_over_into_and_out_of_calls() {
    let path = common::file("called.lanewise", CALL);
    let mut client = Client::start();
    client.body("initialize", json!({}));
    client.body("launch", json!({"program": path, "stopOnEntry": true}));
    client.body("configurationDone", json!({}));
    client.event("stopped");
    let mut step = |command: &str, granularity: &str| {
        let arguments = json!({"threadId": 1, "granularity": granularity});
        client.body(command, arguments);
        client.event("stopped");
        (client.line(), client.value("V32[0]"))
    };
    let mut lines = |commands: &[&str]| {
        let stops = commands.iter().map(|command| step(command, "line"));
        stops
            .map(|(line, value)| format!("{line}: {value}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&["next", "next", "next"]), ["1: 0", "2: 1", "3: 211"]);
    // A step back ends where its line starts: before the call.
    assert_eq!(lines(&["stepBack", "stepIn"]), ["2: 1", "7: 1"]);
    assert_eq!(lines(&["stepOut", "next"]), ["2: 201", "3: 211"]);
    assert_eq!(client.end(), 0);
}

#[test]
fn runs_that_do_not_end_are_paused() {
    let text = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n.fuel 100000000\n\
        again:\nadd (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 1:ud\njmp (M1, 1) again\n";
    let path = common::file("endless.lanewise", text);
    let mut client = Client::start();
    client.body("initialize", json!({}));
    client.body("launch", json!({"program": path}));
    client.body("configurationDone", json!({}));
    client.body("threads", json!({}));
    client.body("pause", json!({"threadId": 1}));
    assert_eq!(client.event("stopped")["reason"], "pause");
    client.body("continue", json!({"threadId": 1}));
    // Breakpoints can be set while it runs.
    let set = json!({"source": {"path": path}, "breakpoints": [{"line": 4}]});
    let set = client.body("setBreakpoints", set);
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    client.body("continue", json!({"threadId": 1}));
    // Without a farewell.
    assert_eq!(client.end(), 0);
}

#[test]
fn wrong_requests_are_refused_and_nonsense_ends_the_session() {
    let mut client = Client::start();
    for (command, arguments) in [
        ("launch", json!({"program": "nowhere.bin", "global": [8]})),
        ("launch", json!({"program": "a.cl"})),
        ("launch", json!({})),
        ("launch", json!({"program": "a.bin", "global": ["x"]})),
        ("launch", json!({"program": 7})),
        ("continue", json!({"threadId": 1})),
        (
            "variables",
            json!({"variablesReference": 12_345_678_901_u64}),
        ),
        ("unheard", Value::Null),
    ] {
        let answer = client.ask(command, arguments);
        assert_eq!(answer["success"], false, "{command}");
        assert!(
            answer["message"]
                .as_str()
                .is_some_and(|text| text.len() > 5),
            "{answer}"
        );
    }
    assert_eq!(client.end(), 0);
    for nonsense in [
        "GET / HTTP/1.1\r\n\r\n",
        "Content-Length: 5\r\n\r\n{\"a\":",
        "Content-Length: 99999999999\r\n\r\n",
        "Content-Length: 50\r\n\r\n{}",
        "\r\n\r\n",
    ] {
        let done = common::lanewise(&["dap"], nonsense);
        assert_eq!(done.code, 2, "{nonsense}");
        assert!(
            done.err
                .contains("not a message of the Debug Adapter Protocol"),
            "{}",
            done.err
        );
    }
    assert_eq!(common::lanewise(&["dap"], "").code, 0);
}

#[test]
fn keys_and_values_that_are_wrong_are_named() {
    let mut client = Client::launch(json!({"stopOnEntry": true, "compilerOption": "-DN=4",
        "__sessionId": "1", "presentation": {}}));
    let output = client.event("output")["output"].take();
    assert!(
        output
            .as_str()
            .expect("a text")
            .contains("`compilerOption`")
    );
    client.body("configurationDone", json!({}));
    client.event("stopped");
    assert!(client.events.is_empty(), "{:?}", client.events);
    let source = json!({"sourceReference": 1});
    let breakpoints = json!([{"line": 1, "condition": "bogus =="}]);
    let set = json!({"source": source, "breakpoints": breakpoints});
    let set = client.body("setBreakpoints", set)["breakpoints"][0].take();
    assert!(!set["message"].as_str().expect("a text").contains("``"));
    for (command, key, value) in [
        ("launch", "device", json!(7)),
        ("launch", "kernel", json!(3)),
        ("launch", "stopOnEntry", json!("yes")),
        ("scopes", "frameId", json!(-1)),
        ("scopes", "frameId", json!("x")),
        ("stackTrace", "threadId", json!(-1)),
        ("evaluate", "frameId", json!(1.5)),
    ] {
        let mut arguments = json!({"program": "a.bin", "global": [8], "expression": "y"});
        arguments[key] = value;
        let answer = client.ask(command, arguments);
        assert_eq!(answer["success"], false, "{command}");
        let message = answer["message"].as_str().expect("a text");
        assert!(message.contains(&format!("`{key}`")), "{message}");
    }
    let program = "../docs/guide/kernels/smooth.bin";
    let program = format!("{}/{program}", env!("CARGO_MANIFEST_DIR"));
    let no_arguments = json!({"program": program, "global": [64]});
    for (command, arguments, named) in [
        ("launch", no_arguments, "`args` 0="),
        ("scopes", json!({"frameId": 0}), "thread 0"),
        ("exceptionInfo", json!({"threadId": 1}), "exception"),
        ("evaluate", json!({"expression": "y[8]"}), "8 elements"),
    ] {
        let answer = client.ask(command, arguments);
        assert_eq!(answer["success"], false, "{command}");
        let message = answer["message"].as_str().expect("a text");
        assert!(message.contains(named), "{message}");
    }
    assert_eq!(client.end(), 0);
}

#[test]
fn local_memory_is_a_scope() {
    let args = json!({"o": "int[128]", "a": "int[128]=iota(5, 3)", "s": "local(256)"});
    let mut client = launch_checked("01-missing-barrier.2026-bmg.bin", &args);
    client.body("setExceptionBreakpoints", json!({"filters": []}));
    client.body("configurationDone", json!({}));
    client.event("stopped");
    let reference = scope(&mut client, "Memory of the work-group");
    let page = json!({"variablesReference": reference, "start": 1, "count": 2});
    let found = client.body("variables", page)["variables"].take();
    let found = found.as_array().expect("variables").iter();
    let values: Vec<_> = found.map(|one| (&one["name"], &one["value"])).collect();
    // What the second work-group has stored.
    let expected = [(json!("[1]"), json!("200")), (json!("[2]"), json!("203"))];
    assert_eq!(
        values,
        expected.iter().map(|(a, b)| (a, b)).collect::<Vec<_>>()
    );
    assert_eq!(client.end(), 0);
}

/// Launches a kernel of the vectors of the checks, with two groups of 64 work-items.
fn launch_checked(program: &str, args: &Value) -> Client {
    let vectors = format!("{}/../tests/vectors/checks", env!("CARGO_MANIFEST_DIR"));
    let program = format!("{vectors}/{program}");
    Client::launch(
        json!({"program": program, "kernel": "k", "global": [128], "local": 64,
        "args": args}),
    )
}

/// Code of the exception at which the run has stopped, and its line.
fn exception(client: &mut Client) -> (String, u64) {
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "exception", "{stopped}");
    let info = client.body("exceptionInfo", json!({"threadId": stopped["threadId"]}));
    assert_eq!(info["description"], stopped["text"]);
    let frames = client.body("stackTrace", json!({"threadId": stopped["threadId"]}));
    let code = info["details"]["typeName"].as_str().expect("a code");
    let line = frames["stackFrames"][0]["line"].as_u64();
    (code.to_owned(), line.expect("a line"))
}

#[test]
fn findings_of_the_checks_stop_in_both_directions() {
    let args = json!({"o": "int[128]", "a": "int[128]=iota(5, 3)", "s": "local(256)"});
    let mut client = launch_checked("01-missing-barrier.2026-bmg.bin", &args);
    client.body("configurationDone", json!({}));
    let race = ("W0831".to_owned(), 6);
    assert_eq!(exception(&mut client), race);
    let here = client.value("o[0]");
    client.body("stepBack", json!({"threadId": 1}));
    client.event("stopped");
    client.body("continue", json!({"threadId": 1}));
    assert_eq!(exception(&mut client), race);
    assert_eq!(client.value("o[0]"), here);
    // The second work-group does the same at the same lines.
    client.body("continue", json!({"threadId": 1}));
    let (code, _) = exception(&mut client);
    assert_eq!(code, "W0837");
    client.body("reverseContinue", json!({"threadId": 1}));
    assert_eq!(exception(&mut client), race);
    client.body("reverseContinue", json!({"threadId": 1}));
    assert_eq!(client.event("stopped")["reason"], "entry");
    client.body("setExceptionBreakpoints", json!({"filters": ["memory"]}));
    client.body("continue", json!({"threadId": 1}));
    let end = client.event("stopped");
    assert_eq!(end["description"], "the launch has finished");
    assert_eq!(client.end(), 0);
}

#[test]
fn faults_and_undefined_results_are_findings() {
    let args = json!({"o": "int[128]", "a": "int[128]=iota(1, 1)"});
    let mut client = launch_checked("31-oob-read-global.2026-bmg.bin", &args);
    client.body("configurationDone", json!({}));
    assert_eq!(exception(&mut client), ("W0833".to_owned(), 5));
    // A fault ends the run, whatever the client asks for.
    client.body("setExceptionBreakpoints", json!({"filters": []}));
    client.body("restart", json!({}));
    assert_eq!(client.event("stopped")["reason"], "exception");
    let info = client.body("exceptionInfo", json!({"threadId": 1}));
    assert_eq!(info["exceptionId"], "fault");
    assert_eq!(client.end(), 0);

    // Only the end of the launch shows that the buffer has undefined values.
    let mut client = launch_checked("26-uninit-local-tile.2026-bmg.bin", &args);
    client.body("configurationDone", json!({}));
    let (code, _) = exception(&mut client);
    assert_eq!(code, "W0837");
    client.body("continue", json!({"threadId": 1}));
    client.event("terminated");
    assert_eq!(client.end(), 0);
}

#[test]
fn the_position_has_a_link() {
    let mut client = Client::launch(json!({"stopOnEntry": true}));
    client.body("configurationDone", json!({}));
    client.event("stopped");
    for _ in 0..3 {
        client.body("next", json!({"threadId": 1}));
        client.event("stopped");
    }
    let link = client.body("lanewise/link", Value::Null);
    let fragment = link["fragment"].as_str().expect("a link");
    let opened = common::lanewise(&["fmt", "--", fragment], "");
    assert_eq!(opened.code, 0, "{}", opened.err);
    // With the values of the launch.
    for line in [
        ".launch global=8 local=4\n",
        ".buffer y : f[8] = iota(1, 1)",
    ] {
        assert!(opened.out.contains(line), "{}", opened.out);
    }
    assert_eq!(client.end(), 0);
}

/// A client that disconnects, or ends, while a source is being compiled.
#[cfg(unix)]
#[test]
fn no_compiler_is_left_running() {
    for disconnects in [true, false] {
        let compiler = common::HangingCompiler::new();
        let mut client = Client::start();
        client.body("initialize", json!({}));
        let launch = json!({"program": compiler.path("a.cl"), "compiler": compiler.path("ocloc"),
            "global": 8});
        client.tell("launch", launch);
        let pid = compiler.pid();
        if disconnects {
            client.tell("disconnect", json!({}));
        }
        assert_eq!(client.end(), 0);
        assert!(common::has_ended(&pid), "{pid} runs");
    }
}
