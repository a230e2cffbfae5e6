//! The part of HTTP/1.1 that browsers need to show a page: one request per connection, bounded
//! before it is read, and an answer in HTTP/1.0, after which browsers open another connection.

use serde_json::json;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// Largest request line with its fields, in bytes.
const MAX_HEAD: u64 = 64 << 10;

/// Largest request body, in bytes: a source and its text before an edit, escaped.
const MAX_BODY: u64 = 4 << 20;

/// Time that a client may take between two parts of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Fields of every answer. The address, which a referrer would tell, has the token; the panel of
/// the extension for VS Code shows the page in a frame.
const FIELDS: &str = "Cache-Control: no-store\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Content-Security-Policy: frame-ancestors 'self' vscode-webview: vscode-file:\r\n";

pub(super) struct Request {
    pub(super) method: String,
    pub(super) url: String,
    fields: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

pub(super) struct Answer {
    status: u16,
    content_type: &'static str,
    body: Vec<u8>,
}

impl Answer {
    pub(super) fn new(status: u16, content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            content_type,
            body: body.into(),
        }
    }

    pub(super) fn refusal(status: u16, why: &str) -> Self {
        Self::new(status, "text/plain; charset=utf-8", format!("{why}\n"))
    }

    pub(super) fn json(status: u16, value: &impl serde::Serialize) -> Self {
        let text = json!(value).to_string();
        Self::new(status, "application/json; charset=utf-8", text)
    }

    /// Sends the answer and closes the connection.
    pub(super) fn send(&self, mut stream: &TcpStream, with_body: bool) -> io::Result<()> {
        let (status, length) = (self.status, self.body.len());
        let head = format!(
            "HTTP/1.0 {status} \r\nContent-Type: {}\r\nContent-Length: {length}\r\n{FIELDS}\r\n",
            self.content_type
        );
        stream.write_all(head.as_bytes())?;
        if with_body {
            stream.write_all(&self.body)?;
        }
        stream.shutdown(Shutdown::Write)?;
        // Closing with unread input would reset the connection, and lose the answer.
        io::copy(&mut stream.take(MAX_BODY), &mut io::sink())?;
        Ok(())
    }
}

impl Request {
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        let found = fields.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Reads a request.
    ///
    /// # Errors
    /// The answer to a request that is invalid or too long.
    pub(super) fn read(stream: &TcpStream) -> Result<Self, Answer> {
        let invalid = || Answer::refusal(400, "not a request of HTTP/1.1");
        let timeouts = stream
            .set_read_timeout(Some(PATIENCE))
            .and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
        timeouts.map_err(|_| invalid())?;
        let mut input = BufReader::new(stream);
        let mut lines = input.by_ref().take(MAX_HEAD).lines();
        let mut line = || lines.next().and_then(Result::ok).ok_or_else(invalid);
        let first = line()?;
        let [method, url, _] = *first.split(' ').collect::<Vec<_>>() else {
            return Err(invalid());
        };
        let mut request = Self {
            method: method.to_owned(),
            url: url.to_owned(),
            fields: Vec::new(),
            body: Vec::new(),
        };
        loop {
            let line = line()?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').ok_or_else(invalid)?;
            let field = (name.to_owned(), value.trim().to_owned());
            request.fields.push(field);
        }
        if request.field("Transfer-Encoding").is_some() {
            return Err(Answer::refusal(411, "the length of the body is missing"));
        }
        let length = request.field("Content-Length").unwrap_or("0").parse();
        let length: u64 = length.map_err(|_| invalid())?;
        if length > MAX_BODY {
            return Err(Answer::refusal(413, "a request has at most 4 MB"));
        }
        let read = input.take(length).read_to_end(&mut request.body);
        match read {
            Ok(read) if read as u64 == length => Ok(request),
            _ => Err(invalid()),
        }
    }
}
