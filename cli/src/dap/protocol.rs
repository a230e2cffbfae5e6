//! Messages: a header with the length, and JSON.

use crate::{CliError, process};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::Sender;

/// Longest header, in bytes.
const MAX_HEADER: u64 = 4096;

/// Longest message, in bytes.
const MAX_MESSAGE: usize = 16 << 20;

/// A request of the client.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    seq: u64,
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Value,
}

/// Reads requests from standard input until it ends or a message is invalid.
pub(super) fn read_all(requests: &Sender<Result<Request, String>>) {
    let mut input = io::stdin().lock();
    while let Some(request) = read(&mut input).transpose() {
        let is_last = request.is_err();
        let is_over = |request: &Request| matches!(&*request.command, "disconnect" | "terminate");
        if request.as_ref().is_ok_and(is_over) {
            // The compiler of a launch may be running.
            process::stop_all();
        }
        if requests.send(request).is_err() || is_last {
            break;
        }
    }
    process::stop_all();
}

/// Reads a request; `None` at the end of the input.
fn read(input: &mut impl BufRead) -> Result<Option<Request>, String> {
    let invalid = |why: &str| format!("not a message of the Debug Adapter Protocol: {why}");
    let mut length = None;
    let mut header = input.take(MAX_HEADER);
    loop {
        let mut line = Vec::new();
        let read = header.read_until(b'\n', &mut line);
        match read.map_err(|error| invalid(&error.to_string()))? {
            0 if header.limit() == 0 => return Err(invalid("the header is too long")),
            0 if length.is_none() => return Ok(None),
            0 => return Err(invalid("it ends in its header")),
            _ => {}
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| invalid("no header"))?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.ok_or_else(|| invalid("it has no Content-Length"))?;
    if length > MAX_MESSAGE {
        return Err(invalid("it has more than 16 MB"));
    }
    let mut body = vec![0; length];
    input
        .read_exact(&mut body)
        .map_err(|_| invalid("it ends before its length"))?;
    let request = serde_json::from_slice(&body);
    request
        .map(Some)
        .map_err(|error| invalid(&error.to_string()))
}

/// Writes numbered messages.
pub(super) struct Writer<W> {
    out: W,
    sequence: u64,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, sequence: 0 }
    }

    pub(super) fn answer(&mut self, request: &Request, body: Value) -> Result<(), CliError> {
        let mut answer = response(request, true);
        if !body.is_null() {
            answer["body"] = body;
        }
        self.write(answer)
    }

    pub(super) fn refuse(&mut self, request: &Request, message: &str) -> Result<(), CliError> {
        let mut answer = response(request, false);
        answer["message"] = json!(message);
        answer["body"] = json!({"error": {"id": 1, "format": "{text}", "showUser": true,
            "variables": {"text": message}}});
        self.write(answer)
    }

    pub(super) fn event(&mut self, event: &str, body: Value) -> Result<(), CliError> {
        self.write(json!({"type": "event", "event": event, "body": body}))
    }

    fn write(&mut self, mut message: Value) -> Result<(), CliError> {
        self.sequence += 1;
        message["seq"] = json!(self.sequence);
        let text = message.to_string();
        write!(self.out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.out.flush()?;
        Ok(())
    }
}

fn response(request: &Request, success: bool) -> Value {
    json!({
        "type": "response",
        "request_seq": request.seq,
        "command": request.command,
        "success": success,
    })
}
