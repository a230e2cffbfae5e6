//! `lanewise dap`: a debug adapter for editors.
//!
//! Source: Microsoft, Debug Adapter Protocol 1.71. [`protocol`] reads and writes messages,
//! [`debuggee`] is the run with its breakpoints, [`view`] shows its state. A run advances in
//! slices between messages, so that it can be paused and disconnected.

mod debuggee;
mod protocol;
mod view;

use crate::{CliError, Status, render};
use debuggee::{
    Advance, Breakpoint, DataBreakpoint, Debuggee, Motion, Stop, WARNINGS, key_of, number_of,
    unknown_keys, value_of,
};
use lanewise_api::DEFAULT_CHECKS;
use protocol::{Request, Writer};
use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Effects of a run between two looks at the messages.
const SLICE: usize = 4096;

/// Runs the adapter until the client disconnects.
pub(crate) fn main() -> Result<Status, CliError> {
    let (sender, requests) = channel();
    std::thread::spawn(move || protocol::read_all(&sender));
    let mut adapter = Adapter {
        writer: Writer::new(std::io::stdout()),
        debuggee: None,
        arguments: Value::Null,
        stops_on_entry: false,
        breakpoints: Vec::new(),
        instruction_breakpoints: Vec::new(),
        data_breakpoints: Vec::new(),
        exceptions: exceptions()
            .filter(|one| one.is_default)
            .map(|one| String::from(one.name))
            .collect(),
        motion: None,
    };
    adapter.serve(&requests)
}

/// Breakpoints of a source, as the client sets them.
struct SourceBreakpoints {
    source: Value,
    breakpoints: Vec<Value>,
}

struct Adapter {
    writer: Writer<std::io::Stdout>,
    debuggee: Option<Debuggee>,
    /// Arguments of `launch`, for a restart.
    arguments: Value,
    stops_on_entry: bool,
    breakpoints: Vec<SourceBreakpoints>,
    instruction_breakpoints: Vec<Value>,
    data_breakpoints: Vec<DataBreakpoint>,
    exceptions: Rc<[String]>,
    /// The motion under way.
    motion: Option<Motion>,
}

/// Whether the client has ended the session.
type IsOver = bool;

impl Adapter {
    fn serve(&mut self, requests: &Receiver<Result<Request, String>>) -> Result<Status, CliError> {
        loop {
            let received = match self.motion {
                None => requests.recv().map_err(|_| TryRecvError::Disconnected),
                Some(_) => requests.try_recv(),
            };
            match received {
                Ok(Ok(request)) => {
                    if self.handle(&request)? {
                        return Ok(Status::Fine);
                    }
                }
                Ok(Err(message)) => return Err(CliError(message)),
                Err(TryRecvError::Disconnected) => return Ok(Status::Fine),
                Err(TryRecvError::Empty) => self.advance()?,
            }
        }
    }

    /// Continues the motion under way for a slice.
    fn advance(&mut self) -> Result<(), CliError> {
        let (Some(motion), Some(debuggee)) = (&mut self.motion, &mut self.debuggee) else {
            self.motion = None;
            return Ok(());
        };
        match debuggee.advance(motion, SLICE) {
            Advance::Running => Ok(()),
            Advance::Ended => {
                self.motion = None;
                self.writer.event("exited", json!({"exitCode": 0}))?;
                self.writer.event("terminated", json!({}))
            }
            Advance::Stopped(stop) => {
                self.motion = None;
                self.stopped(&stop)
            }
        }
    }

    fn stopped(&mut self, stop: &Stop) -> Result<(), CliError> {
        let Some(debuggee) = &self.debuggee else {
            return Ok(());
        };
        let mut body = json!({
            "reason": stop.reason,
            "description": stop.text,
            "threadId": u32::from(debuggee.thread) + 1,
            "allThreadsStopped": true,
            "preserveFocusHint": false,
        });
        if stop.reason == "exception" || stop.reason == "data breakpoint" {
            body["text"] = json!(stop.text);
        }
        self.writer.event("stopped", body)
    }

    fn handle(&mut self, request: &Request) -> Result<IsOver, CliError> {
        // Only these leave a run alone.
        let goes_on = request.command == "threads" || request.command.starts_with("set");
        if self.motion.is_some() && !goes_on {
            self.motion = None;
            if !["pause", "disconnect", "terminate", "restart"].contains(&&*request.command) {
                let stop = Stop::new("pause", "paused");
                self.stopped(&stop)?;
            }
        }
        let is_over = matches!(&*request.command, "disconnect" | "terminate");
        match self.answer(request) {
            Ok(body) => self.writer.answer(request, body)?,
            Err(message) => self.writer.refuse(request, &message)?,
        }
        match &*request.command {
            "initialize" => self.writer.event("initialized", json!({}))?,
            "launch" => {
                for key in unknown_keys(&request.arguments) {
                    let output = format!("warning: unknown launch setting `{key}`\n");
                    let body = json!({"category": "console", "output": output});
                    self.writer.event("output", body)?;
                }
            }
            "terminate" => self.writer.event("terminated", json!({}))?,
            "pause" => self.stopped(&Stop::new("pause", "paused"))?,
            "configurationDone" => self.start()?,
            "restart" if self.debuggee.is_some() => self.start()?,
            _ => {}
        }
        Ok(is_over)
    }

    /// Stops at the entry or begins to run.
    fn start(&mut self) -> Result<(), CliError> {
        self.install();
        let Some(debuggee) = &mut self.debuggee else {
            return Ok(());
        };
        if debuggee.is_at_breakpoint() {
            return self.stopped(&Stop::new("breakpoint", "breakpoint"));
        }
        match self.stops_on_entry {
            true => self.stopped(&Stop::new("entry", "at the start of the launch")),
            false => {
                self.motion = Some(Motion::forward());
                Ok(())
            }
        }
    }

    /// Sets all breakpoints in the debuggee. Returns the responses to the client, by source.
    fn install(&mut self) -> Vec<Vec<Value>> {
        let Some(debuggee) = &mut self.debuggee else {
            return Vec::new();
        };
        debuggee.exceptions = Rc::clone(&self.exceptions);
        debuggee.data_breakpoints.clone_from(&self.data_breakpoints);
        debuggee.breakpoints.clear();
        let mut told = Vec::new();
        for set in &self.breakpoints {
            let found = set.breakpoints.iter().map(|breakpoint| {
                let line = breakpoint["line"].as_u64().unwrap_or(0);
                debuggee.breakpoint(&set.source, line, breakpoint["condition"].as_str())
            });
            let found: Vec<Result<(Breakpoint, u64), String>> = found.collect();
            let answers = found.iter().map(|found| match found {
                Ok((_, line)) => json!({"verified": true, "line": line}),
                Err(message) => json!({"verified": false, "message": message}),
            });
            told.push(answers.collect());
            let found = found.into_iter().flatten();
            debuggee
                .breakpoints
                .extend(found.map(|(breakpoint, _)| breakpoint));
        }
        let at = self.instruction_breakpoints.iter();
        let at = at.map(|breakpoint| debuggee.instruction_breakpoint(breakpoint));
        let at: Vec<Result<Breakpoint, String>> = at.collect();
        let answers = at.iter().map(|found| match found {
            Ok(_) => json!({"verified": true}),
            Err(message) => json!({"verified": false, "message": message}),
        });
        told.push(answers.collect());
        debuggee.breakpoints.extend(at.into_iter().flatten());
        told
    }

    fn debuggee(&mut self) -> Result<&mut Debuggee, String> {
        let missing = || String::from("nothing is launched");
        self.debuggee.as_mut().ok_or_else(missing)
    }

    fn answer(&mut self, request: &Request) -> Result<Value, String> {
        let arguments = &request.arguments;
        match &*request.command {
            "initialize" => Ok(capabilities()),
            "launch" => {
                self.arguments = arguments.clone();
                self.launch()
            }
            "attach" => Err(String::from(
                "use `launch`: kernels are run, not attached to",
            )),
            "restart" => {
                if arguments["arguments"].is_object() {
                    self.arguments = arguments["arguments"].clone();
                }
                self.launch()
            }
            "configurationDone" | "disconnect" | "terminate" | "pause" => Ok(Value::Null),
            "setBreakpoints" => {
                let source = arguments["source"].clone();
                let breakpoints = arguments["breakpoints"].as_array().cloned();
                self.breakpoints.retain(|set| set.source != source);
                let breakpoints = breakpoints.unwrap_or_default();
                let count = breakpoints.len();
                self.breakpoints.push(SourceBreakpoints {
                    source,
                    breakpoints,
                });
                let mut told = self.install();
                // The last set of sources; the instructions follow.
                let told = told.len().checked_sub(2).map(|last| told.swap_remove(last));
                let pending = || vec![json!({"verified": false}); count];
                Ok(json!({"breakpoints": told.unwrap_or_else(pending)}))
            }
            "setInstructionBreakpoints" => {
                let breakpoints = arguments["breakpoints"].as_array().cloned();
                self.instruction_breakpoints = breakpoints.unwrap_or_default();
                Ok(json!({"breakpoints": self.install().pop().unwrap_or_default()}))
            }
            "setExceptionBreakpoints" => {
                let filters = arguments["filters"].as_array().into_iter().flatten();
                self.exceptions = filters
                    .filter_map(Value::as_str)
                    .map(String::from)
                    .collect();
                self.install();
                Ok(Value::Null)
            }
            "dataBreakpointInfo" => {
                let name = arguments["name"].as_str().unwrap_or("");
                let container = arguments["variablesReference"].as_u64();
                Ok(self.debuggee()?.data_breakpoint_info(name, container))
            }
            "setDataBreakpoints" => {
                let breakpoints = arguments["breakpoints"].as_array().cloned();
                let breakpoints = breakpoints.unwrap_or_default();
                let parsed: Vec<_> = breakpoints.iter().map(DataBreakpoint::parse).collect();
                let told: Vec<Value> = parsed
                    .iter()
                    .map(|one| json!({"verified": one.is_some()}))
                    .collect();
                self.data_breakpoints = parsed.into_iter().flatten().collect();
                self.install();
                Ok(json!({"breakpoints": told}))
            }
            "threads" => {
                let threads = self.debuggee.as_ref().map(Debuggee::threads);
                Ok(json!({"threads": threads.unwrap_or_default()}))
            }
            "continue" => self.begin(arguments, Motion::forward()),
            "reverseContinue" => self.begin(arguments, Motion::backward()),
            "next" | "stepIn" | "stepOut" | "stepBack" => {
                let debuggee = self.debuggee()?;
                debuggee.choose(number_of(arguments, "threadId")?)?;
                let by_instruction = arguments["granularity"] == "instruction";
                let motion = debuggee.step(&request.command, by_instruction);
                self.motion = Some(motion);
                Ok(Value::Null)
            }
            "stackTrace" => {
                let thread = number_of(arguments, "threadId")?;
                self.debuggee()?.stack_trace(thread)
            }
            "scopes" => {
                let frame = number_of(arguments, "frameId")?;
                self.debuggee()?.scopes(frame)
            }
            "variables" => self.debuggee()?.variables(arguments),
            "evaluate" => {
                let expression = arguments["expression"].as_str().unwrap_or("");
                let frame = number_of(arguments, "frameId")?;
                self.debuggee()?.evaluate(expression, frame)
            }
            "disassemble" => self.debuggee()?.disassemble(arguments),
            "source" => Ok(json!({"content": self.debuggee()?.text(), "mimeType": "text/plain"})),
            // Not part of the protocol: for the picture of the extension for VS Code.
            "lanewise/link" => Ok(json!({"fragment": self.debuggee()?.link()?})),
            "exceptionInfo" => self.debuggee()?.exception_info(),
            other => Err(format!("`{other}` is not supported")),
        }
    }

    fn launch(&mut self) -> Result<Value, String> {
        let stops = value_of(&self.arguments, "stopOnEntry", "true or false")?;
        self.stops_on_entry = stops.unwrap_or(false);
        let launched = Debuggee::launch(&self.arguments);
        self.debuggee = Some(launched.map_err(|message| render::with_keys(&message, key_of))?);
        Ok(Value::Null)
    }

    fn begin(&mut self, arguments: &Value, motion: Motion) -> Result<Value, String> {
        let thread = number_of(arguments, "threadId")?;
        self.debuggee()?.choose(thread)?;
        self.motion = Some(motion);
        Ok(json!({"allThreadsContinued": true}))
    }
}

/// A filter of exception breakpoints.
struct Exception {
    name: &'static str,
    label: &'static str,
    description: &'static str,
    is_default: bool,
}

/// The checks, by the words of `run --check`, and the warnings of a run.
fn exceptions() -> impl Iterator<Item = Exception> {
    let all = [
        (
            "races",
            "Data races",
            "The later of two accesses to the same bytes that nothing orders",
        ),
        (
            "memory",
            "Accesses out of bounds",
            "Accesses outside their buffer, local or private memory, and misaligned ones",
        ),
        (
            "barriers",
            "Divergent barriers",
            "Barriers that not all work-items reach, and loops without progress",
        ),
        (
            "uninit",
            "Undefined values",
            "Addresses, branches and atomics with values that nothing has written, and buffers \
             that hold them at the end of the launch",
        ),
        (
            "float",
            "NaN",
            "Results that are not numbers although the operands are",
        ),
        (WARNINGS, "Warnings", "Other warnings of the run"),
    ];
    all.into_iter().map(|(name, label, description)| Exception {
        name,
        label,
        description,
        is_default: name == WARNINGS || DEFAULT_CHECKS.contains(&name),
    })
}

fn capabilities() -> Value {
    let filters = exceptions().map(|exception| {
        json!({
            "filter": exception.name,
            "label": exception.label,
            "description": exception.description,
            "default": exception.is_default,
        })
    });
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsRestartRequest": true,
        "supportsDataBreakpoints": true,
        "supportsInstructionBreakpoints": true,
        "supportsDisassembleRequest": true,
        "supportsSteppingGranularity": true,
        "supportsTerminateRequest": true,
        "supportsExceptionInfoRequest": true,
        "exceptionBreakpointFilters": filters.collect::<Vec<_>>(),
    })
}
