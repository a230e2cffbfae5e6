//! `lanewise mcp`: the commands as tools of the Model Context Protocol.
//!
//! Source: Model Context Protocol, revision 2025-06-18, over standard input and output. The
//! subset that a server with tools needs is small, so this is JSON-RPC without a library:
//! the official crate `rmcp` brings an asynchronous runtime.
//!
//! A tool is a row of a table: a command of `lanewise` and its parameters. It runs in a
//! process of its own, so that its time and its output are bounded, whatever it is given.

use crate::{CliError, Status, process, render};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Revisions of the protocol; the first one is the default.
const REVISIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// Longest request, in bytes.
const MAX_LINE: u64 = 8 << 20;

/// Longest text of a result, in bytes.
const MAX_RESULT: usize = 48 << 10;

/// Time that a tool may take.
const LIMIT: Duration = Duration::from_secs(120);

/// Codes of errors.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const UNKNOWN_METHOD: i32 = -32601;
const INVALID_PARAMETERS: i32 = -32602;

/// How a parameter becomes arguments of the command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A file, as the argument of the command.
    File,
    /// The text of a scenario, through a temporary file.
    Scenario,
    /// The argument of the command.
    Argument,
    /// An option with one value.
    Option(&'static str),
    /// An option that is repeated for each value.
    Repeated(&'static str),
    /// A list of sizes, joined with commas.
    Sizes(&'static str),
    /// A list of words, joined with commas; the option alone if it is empty.
    Words(&'static str),
}

impl Form {
    /// The option of the command; empty for its argument.
    const fn option(self) -> &'static str {
        match self {
            Self::Option(option)
            | Self::Repeated(option)
            | Self::Sizes(option)
            | Self::Words(option) => option,
            Self::File | Self::Scenario | Self::Argument => "",
        }
    }

    /// The values that a parameter takes.
    const fn expected(self) -> &'static str {
        match self {
            Self::Repeated(_) => "a list of strings",
            Self::Words(_) => "a list of strings, or true for the usual ones",
            Self::Sizes(_) => "a list of one to three sizes",
            Self::File | Self::Scenario | Self::Argument | Self::Option(_) => "a string or number",
        }
    }
}

struct Parameter {
    name: &'static str,
    form: Form,
    summary: &'static str,
}

struct Tool {
    name: &'static str,
    summary: &'static str,
    command: &'static [&'static str],
    /// Groups of parameters.
    parameters: &'static [&'static [Parameter]],
    required: &'static [&'static str],
}

const fn parameter(name: &'static str, form: Form, summary: &'static str) -> Parameter {
    Parameter {
        name,
        form,
        summary,
    }
}

const PATH: Parameter = parameter(
    "path",
    Form::File,
    "OpenCL C or CUDA source (.cl, .cu, .ptx), compiled program, listing or scenario",
);
const SCENARIO: Parameter = parameter(
    "scenario",
    Form::Scenario,
    "Text of a scenario, in place of a path",
);
const COMPILER: &[Parameter] = &[
    parameter(
        "device",
        Form::Option("--device"),
        "Device to compile a source for: dg2, bmg, pvc, …, or `all` to compare devices",
    ),
    parameter(
        "compiler_options",
        Form::Option("--compiler-options"),
        "Options for the compiler, such as -DN=4",
    ),
];
const KERNEL: Parameter = parameter("kernel", Form::Option("--kernel"), "Name of the kernel");
const LAUNCH: &[Parameter] = &[
    KERNEL,
    parameter("global", Form::Sizes("--global"), "Work-items in all"),
    parameter(
        "local",
        Form::Sizes("--local"),
        "Work-items of a work-group",
    ),
    parameter(
        "args",
        Form::Repeated("--arg"),
        "Arguments NAME=VALUE: `y=float[64]=iota(1, 0.5)`, `n=64`, `tmp=local(128)`",
    ),
];

static TOOLS: [Tool; 6] = [
    Tool {
        name: "open",
        summary: "List the kernels of a file with their arguments; with `kernel`, the scenario \
                  of a proposed launch",
        command: &["open"],
        parameters: &[&[PATH, KERNEL], COMPILER],
        required: &["path"],
    },
    Tool {
        name: "launch",
        summary: "Run a kernel without a GPU and print its buffers, faults and warnings; with \
                  `check`, also data races, undefined values and other defects",
        command: &["run"],
        parameters: &[
            &[PATH],
            LAUNCH,
            COMPILER,
            &[parameter(
                "check",
                Form::Words("--check"),
                "Report defects: `races`, `uninit`, `memory`, `barriers`, `float`, `lockstep`; \
                 [] for the usual ones",
            )],
        ],
        required: &["path", "global"],
    },
    Tool {
        name: "check",
        summary: "Check a scenario, or compile a source and check its kernels",
        command: &["check", "--json"],
        parameters: &[&[PATH, SCENARIO], COMPILER],
        required: &[],
    },
    Tool {
        name: "trace",
        summary: "Run a kernel or a scenario and describe each step",
        command: &["run", "--trace"],
        parameters: &[
            &[PATH, SCENARIO],
            LAUNCH,
            COMPILER,
            &[parameter(
                "steps",
                Form::Option("--steps"),
                "Number of steps, such as 50",
            )],
        ],
        required: &[],
    },
    Tool {
        name: "explain",
        summary: "Explain a diagnostic code or an instruction",
        command: &["explain"],
        parameters: &[&[parameter("name", Form::Argument, "Such as E0318 or cmp")]],
        required: &["name"],
    },
    Tool {
        name: "outcomes",
        summary: "List what the lanes of a scenario can return in any order",
        command: &["outcomes"],
        parameters: &[&[PATH, SCENARIO]],
        required: &[],
    },
];

/// Serves requests until the input ends.
pub(crate) fn main() -> Result<Status, CliError> {
    #[cfg(unix)]
    std::thread::spawn(end_without_client);
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input).take(MAX_LINE).read_until(b'\n', &mut line);
        let read = read.map_err(|error| CliError(format!("cannot read a request: {error}")))?;
        if read == 0 {
            return Ok(Status::Fine);
        }
        if line.last() != Some(&b'\n') && read as u64 == MAX_LINE {
            return Err(CliError(String::from("a request has more than 8 MB")));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if let Some(answer) = answer(&line) {
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
    }
}

/// Ends this process and its tool when nobody reads the answers any more. That the input has
/// ended does not say so: answers may be outstanding.
#[cfg(unix)]
fn end_without_client() {
    use rustix::event::{PollFd, PollFlags, poll};
    let out = io::stdout();
    loop {
        // Errors are reported without being asked for.
        let mut watched = [PollFd::new(&out, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) if watched[0].revents().is_empty() => {}
            Ok(_) => break,
            Err(rustix::io::Errno::INTR) => {}
            // The next answer fails instead.
            Err(_) => return,
        }
    }
    process::stop_all();
    std::process::exit(0);
}

/// The answer to a message; `None` for notifications.
fn answer(line: &[u8]) -> Option<Value> {
    let failed = |id: &Value, code: i32, message: &str| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    let request: Value = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => return Some(failed(&Value::Null, PARSE_ERROR, &error.to_string())),
    };
    let id = &request["id"];
    let Some(method) = request["method"].as_str() else {
        return Some(failed(id, INVALID_REQUEST, "a request has a method"));
    };
    if id.is_null() {
        return None;
    }
    let parameters = &request["params"];
    let result = match method {
        "initialize" => Ok(initialized(parameters)),
        "ping" => Ok(json!({})),
        "tools/list" => {
            let tools = TOOLS.iter().map(Tool::describe);
            Ok(json!({"tools": tools.collect::<Vec<_>>()}))
        }
        "tools/call" => call(parameters).map_err(|message| (INVALID_PARAMETERS, message)),
        other => Err((UNKNOWN_METHOD, format!("unknown method `{other}`"))),
    };
    Some(match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err((code, message)) => failed(id, code, &message),
    })
}

fn initialized(parameters: &Value) -> Value {
    let wanted = parameters["protocolVersion"].as_str();
    let revision = REVISIONS.iter().find(|known| Some(**known) == wanted);
    json!({
        "protocolVersion": revision.unwrap_or(&REVISIONS[0]),
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "lanewise", "version": env!("CARGO_PKG_VERSION")},
        "instructions": "Lanewise runs GPU kernels (Intel vISA, NVIDIA SASS) lane by lane, without \
            a GPU. Start with `open` to see the kernels of a file and their arguments.",
    })
}

impl Tool {
    fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        self.parameters.iter().copied().flatten()
    }

    fn describe(&self) -> Value {
        let schema = |parameter: &Parameter| {
            let mut schema = match parameter.form {
                Form::Repeated(_) | Form::Words(_) => {
                    json!({"type": "array", "items": {"type": "string"}})
                }
                Form::Sizes(_) => json!({"type": "array", "items": {"type": "integer"},
                    "minItems": 1, "maxItems": 3}),
                Form::Option("--steps") => json!({"type": "integer", "minimum": 0}),
                _ => json!({"type": "string"}),
            };
            schema["description"] = json!(parameter.summary);
            (String::from(parameter.name), schema)
        };
        let properties: serde_json::Map<_, _> = self.parameters().map(schema).collect();
        json!({
            "name": self.name,
            "description": self.summary,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": self.required,
                "additionalProperties": false,
            },
            "annotations": {"readOnlyHint": true},
        })
    }

    /// The arguments of the command for those of a call.
    fn arguments(&self, given: &Value, folder: &Path) -> Result<Vec<String>, String> {
        let no_arguments = serde_json::Map::new();
        let given = match given {
            Value::Null => &no_arguments,
            Value::Object(given) => given,
            _ => return Err(String::from("`arguments` is an object")),
        };
        let is_known = |name: &str| self.parameters().any(|p| p.name == name);
        if let Some(name) = given.keys().find(|name| !is_known(name)) {
            return Err(format!("`{}` does not take `{name}`", self.name));
        }
        if let Some(name) = self
            .required
            .iter()
            .find(|name| !given.contains_key(**name))
        {
            return Err(format!("`{name}` is missing"));
        }
        let mut arguments: Vec<String> = self.command.iter().map(|s| String::from(*s)).collect();
        let mut last = Vec::new();
        for parameter in self.parameters() {
            let Some(value) = given.get(parameter.name) else {
                continue;
            };
            let refused = || format!("`{}` must be {}", parameter.name, parameter.form.expected());
            let texts = match (value, parameter.form) {
                (Value::Bool(false), Form::Words(_)) => continue,
                (Value::Bool(true), Form::Words(_)) => Vec::new(),
                _ => texts(value).ok_or_else(refused)?,
            };
            let single = || match texts.as_slice() {
                [text] => Ok(text.clone()),
                _ => Err(refused()),
            };
            match parameter.form {
                Form::File | Form::Argument => last.push(single()?),
                Form::Scenario => {
                    let path = folder.join("scenario.lanewise");
                    std::fs::write(&path, single()?).map_err(|error| error.to_string())?;
                    last.push(path.display().to_string());
                }
                // With `=`, so that a value may begin with a hyphen.
                Form::Option(option) => arguments.push(format!("{option}={}", single()?)),
                Form::Words(option) if texts.is_empty() => arguments.push(String::from(option)),
                Form::Sizes(option) | Form::Words(option) => {
                    arguments.push(format!("{option}={}", texts.join(",")));
                }
                Form::Repeated(option) => {
                    arguments.extend(texts.iter().map(|text| format!("{option}={text}")));
                }
            }
        }
        if last.len() != 1 {
            return Err(String::from("give either `path` or `scenario`"));
        }
        // Also a file whose name begins with a hyphen.
        arguments.push(String::from("--"));
        arguments.extend(last);
        Ok(arguments)
    }
}

/// The strings and numbers of a value or a list.
fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Number(number) => Some(vec![number.to_string()]),
        Value::Array(all) => {
            let texts = all.iter().map(|one| texts(one).filter(|_| !one.is_array()));
            Some(texts.collect::<Option<Vec<_>>>()?.concat())
        }
        _ => None,
    }
}

fn call(parameters: &Value) -> Result<Value, String> {
    let name = parameters["name"].as_str().unwrap_or("");
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| format!("unknown tool `{name}`"))?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let given = &parameters["arguments"];
    let arguments = tool.arguments(given, folder.path())?;
    let (text, is_error, output) = run(&arguments, |option| {
        let mut parameters = tool.parameters();
        let is_its = |p: &&Parameter| p.form.option().strip_prefix("--") == Some(option);
        parameters.find(is_its).map(|parameter| parameter.name)
    });
    let mut content = vec![json!({"type": "text", "text": text})];
    // The scenario, as the page opens it.
    let scenario = match (&given["scenario"], &given["kernel"]) {
        (Value::String(scenario), _) => Some(scenario.clone()),
        (_, Value::String(_)) if tool.name == "open" && !is_error => Some(output),
        _ => None,
    };
    if let Some(link) = scenario.and_then(|scenario| link(&scenario, folder.path())) {
        content.push(json!({"type": "text", "text": format!("On the page: {link}")}));
    }
    Ok(json!({"content": content, "isError": is_error}))
}

/// Runs a command of this program. Returns its bounded text, in which options have the names
/// of parameters, whether it failed, and its standard output.
fn run(
    arguments: &[String],
    name_of: impl Fn(&str) -> Option<&'static str>,
) -> (String, bool, String) {
    let finished = std::env::current_exe()
        .map_err(|error| error.to_string())
        .and_then(|program| process::run(Command::new(program).args(arguments), LIMIT));
    match finished {
        Err(message) => (message, true, String::new()),
        Ok(finished) => {
            let mut text = render::with_keys(&finished.errors, name_of);
            text.push_str(&finished.output);
            if text.len() > MAX_RESULT {
                let end = text.floor_char_boundary(MAX_RESULT);
                text.truncate(end);
                text.push_str("\n… the rest is left out; ask for less");
            }
            (text, !finished.status.success(), finished.output)
        }
    }
}

/// A link that opens a scenario on the page.
fn link(scenario: &str, folder: &Path) -> Option<String> {
    let path = folder.join("linked.lanewise");
    std::fs::write(&path, scenario).ok()?;
    let path = path.display().to_string();
    let (_, is_error, link) = run(&[String::from("link"), path], |_| None);
    let link = link.trim();
    (!is_error && link.len() <= MAX_RESULT && !link.is_empty()).then(|| link.to_owned())
}
