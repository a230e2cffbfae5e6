//! `lanewise serve`: the page on this machine, with files that are compiled again when they
//! change.
//!
//! [`page`] has the files of the page, [`watched`] those of the user. The server accepts only
//! requests of its own page, and shows the user's files only to those that know its token.
//! Without the token there is the plain page, for links that it shares.

mod http;
mod page;
mod watched;

use crate::input::Source;
use crate::launch_options::{Blocks, parse_size};
use crate::{CliError, Status, compiler, process, render};
use data_encoding::HEXLOWER;
use http::{Answer, Request};
use lanewise_files::is_scenario;
use page::Page;
use serde::Deserialize;
use serde_json::json;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use watched::Files;

/// Default of `--port`. The browser keeps settings by port.
pub(crate) const PORT: u16 = 8417;

/// URL of the page without files.
pub(crate) fn address(port: u16) -> String {
    format!("http://127.0.0.1:{port}/")
}

/// Most requests at a time; each page waits for changes with one.
const MAX_REQUESTS: usize = 64;

/// Time after which a request for changes is answered without one.
const WAIT: Duration = Duration::from_secs(20);

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise serve saxpy.cl
  lanewise serve saxpy.cl --device bmg --kernel saxpy --global 64 --arg 'x=float[64]=iota(1, 0.5)'
  lanewise serve --no-open --port 8000 kernel.bin scenario.lanewise")]
pub(crate) struct Args {
    /// Sources (.cl, .cu, .ptx), compiled programs, listings or scenarios
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    launch: Launch,
    /// Port on 127.0.0.1 [default: 8417, or a free one]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Folder of a built page, in place of the one in this program
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
}

/// How files are compiled and launched.
#[derive(clap::Args, Clone)]
pub(crate) struct Launch {
    /// Open this kernel [default: the first]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Work-items in all, in one to three dimensions [default: proposed]
    #[arg(
        long,
        value_name = "X[,Y[,Z]]",
        value_parser = parse_size,
        value_delimiter = ',',
        group = "size"
    )]
    global: Vec<u32>,
    /// Work-items of a work-group
    #[arg(
        long,
        value_name = "X[,Y[,Z]]",
        value_parser = parse_size,
        value_delimiter = ',',
        conflicts_with = "grid"
    )]
    local: Vec<u32>,
    #[command(flatten)]
    blocks: Blocks,
    /// Global ID of the first work-item
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = parse_size, value_delimiter = ',')]
    offset: Vec<u32>,
    /// An argument by name, with a value as for `run`; others are proposed
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    arguments: Vec<String>,
    #[command(flatten)]
    compiler: compiler::Options,
}

impl Launch {
    /// Whether options are given that only kernels take.
    fn is_for_kernels(&self) -> bool {
        let mut sizes = self.sizes().into_iter();
        self.kernel.is_some() || !self.arguments.is_empty() || sizes.any(|(s, _)| !s.is_empty())
    }

    /// Sizes with the names of their options.
    fn sizes(&self) -> [(&[u32], &'static str); 5] {
        [
            (&self.global, "global"),
            (&self.local, "local"),
            (&self.blocks.grid, "grid"),
            (&self.blocks.block, "block"),
            (&self.offset, "offset"),
        ]
    }
}

/// The server's state, shared by its requests.
struct Site {
    page: Page,
    files: Arc<Files>,
    port: u16,
    token: String,
}

pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    for (sizes, option) in args.launch.sizes() {
        if sizes.len() > 3 {
            return Err(CliError(format!("--{option} takes at most three numbers")));
        }
    }
    if args.launch.compiler.device.as_deref() == Some(compiler::ALL_DEVICES) {
        let message = "the page shows one device; `run --device all` compares them";
        return Err(CliError(message.to_owned()));
    }
    for path in &args.files {
        if !path.is_file() {
            return Err(CliError(format!("{}: no such file", path.display())));
        }
        let is_scenario = || Source::read(path).is_ok_and(|source| is_scenario(&source.text));
        if args.launch.is_for_kernels() && is_scenario() {
            let name = path.display();
            render::say(&format!(
                "{name}: note: this is a scenario; only kernels take --kernel, --arg and sizes"
            ));
        }
    }
    let page = Page::new(args.page.as_deref())?;
    let server = listen(args.port)?;
    let port = server.local_addr().map_or(PORT, |to| to.port());
    process::handle_signals();
    let site = Arc::new(Site {
        page,
        files: Files::watch(&args.files, args.launch.clone()),
        port,
        token: token()?,
    });
    let address = format!("{}{}/", address(port), site.token);
    writeln!(std::io::stdout(), "{address}")?;
    render::say("Ctrl+C stops the server");
    if !args.no_open {
        open_browser(&address);
    }
    serve(&server, &site)
}

fn listen(port: Option<u16>) -> Result<TcpListener, CliError> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let bound = match port {
        Some(port) => bind(port),
        None => bind(PORT).or_else(|_| bind(0)),
    };
    bound.map_err(|error| {
        let port = port.unwrap_or(PORT);
        CliError(format!(
            "cannot listen on port {port}: {error}; --port selects another port"
        ))
    })
}

/// A random word that other programs and pages cannot guess.
fn token() -> Result<String, CliError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| CliError(format!("no random numbers from the system: {error}")))?;
    Ok(HEXLOWER.encode(&bytes))
}

/// Opens an address in the browser. Failures are ignored: the address is printed.
fn open_browser(address: &str) {
    let program: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        &["rundll32", "url.dll,FileProtocolHandler"]
    } else {
        &["xdg-open"]
    };
    let mut command = Command::new(program[0]);
    command.args(&program[1..]).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let _ = command.stderr(Stdio::null()).spawn();
}

/// Time between two looks for a free slot.
const PAUSE: Duration = Duration::from_millis(20);

fn serve(server: &TcpListener, site: &Arc<Site>) -> Result<Status, CliError> {
    let active = Arc::new(());
    loop {
        // A free slot is awaited: clients wait in the queue of the system.
        if Arc::strong_count(&active) > MAX_REQUESTS {
            std::thread::sleep(PAUSE);
            continue;
        }
        let Ok((stream, _)) = server.accept() else {
            // The client has left, or files are scarce.
            std::thread::sleep(PAUSE);
            continue;
        };
        let (site, slot) = (Arc::clone(site), Arc::clone(&active));
        let respond = move || {
            let _slot = slot;
            // The client may have left.
            let _ = site.respond(&stream);
        };
        let _ = std::thread::Builder::new().spawn(respond);
    }
}

/// Largest source that is saved, in bytes.
const MAX_SOURCE: usize = 1 << 20;

/// A source that was edited on the page.
#[derive(Deserialize)]
struct Edited {
    /// The text before the edit.
    base: String,
    text: String,
}

impl Site {
    fn respond(&self, stream: &TcpStream) -> std::io::Result<()> {
        match Request::read(stream) {
            Err(refusal) => refusal.send(stream, true),
            Ok(request) => self.answer(&request).send(stream, request.method != "HEAD"),
        }
    }

    fn answer(&self, request: &Request) -> Answer {
        if let Err(why) = self.check(request) {
            return Answer::refusal(403, why);
        }
        let address = request.url.strip_prefix('/').unwrap_or(&request.url);
        let below = address.strip_prefix(&*self.token);
        match below.and_then(|below| below.strip_prefix('/')) {
            Some(below) => self.route(request, below),
            None => self.public(request, address),
        }
    }

    /// Whether a request may come from a page of this server.
    fn check(&self, request: &Request) -> Result<(), &'static str> {
        // Another host is a name that resolves to this machine.
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let host = request.field("Host");
        if !names.iter().any(|name| host == Some(name)) {
            return Err("this host is not served");
        }
        let is_own = |origin: &str| origin.strip_prefix("http://") == host;
        if request
            .field("Origin")
            .is_some_and(|origin| !is_own(origin))
        {
            return Err("requests of other pages are refused");
        }
        Ok(())
    }

    /// The plain page.
    fn public(&self, request: &Request, address: &str) -> Answer {
        let path = address.split_once('?').map_or(address, |(path, _)| path);
        let is_read = matches!(&*request.method, "GET" | "HEAD");
        match self.page.asset(path, false).filter(|_| is_read) {
            Some(asset) => Answer::new(200, asset.content_type, asset.bytes),
            None => Answer::refusal(403, "open the address that `lanewise serve` has printed"),
        }
    }

    fn route(&self, request: &Request, address: &str) -> Answer {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let parameter = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let found = pairs.find(|(known, _)| *known == name);
            found.map(|(_, value)| decoded(value))
        };
        let number = |name: &str| parameter(name).and_then(|text| text.parse().ok());
        // The first file, unless another is named.
        let index = match parameter("file").map(|text| text.parse()) {
            None => 0,
            Some(Ok(index)) => index,
            Some(Err(_)) => return Answer::refusal(404, "no such file"),
        };
        match (&*request.method, path) {
            ("GET", "serve/file") => {
                let kernel = parameter("kernel");
                let seen = number("after").unwrap_or(0);
                let view = self.files.view(index, kernel.as_deref(), seen, WAIT);
                match view {
                    Some(view) => Answer::json(200, &view),
                    None => Answer::refusal(404, "no such file"),
                }
            }
            ("POST", "serve/source") => self.save(request, index),
            ("GET" | "HEAD", path) => match self.page.asset(path, true) {
                Some(asset) => Answer::new(200, asset.content_type, asset.bytes),
                None => Answer::refusal(404, "not found"),
            },
            _ => Answer::refusal(405, "this method is not supported"),
        }
    }

    fn save(&self, request: &Request, index: usize) -> Answer {
        let Ok(edited) = serde_json::from_slice::<Edited>(&request.body) else {
            return Answer::refusal(400, "expected {\"base\": …, \"text\": …}");
        };
        if edited.text.len() > MAX_SOURCE {
            return Answer::refusal(413, "a source has at most 1 MB");
        }
        match self.files.save(index, &edited.base, &edited.text) {
            Ok(()) => Answer::json(200, &json!({})),
            Err(why) => Answer::refusal(409, &why),
        }
    }
}

/// Decodes `%41`; invalid escapes stay.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| *first == b'%');
        let escaped =
            escaped.and_then(|digits| data_encoding::HEXUPPER_PERMISSIVE.decode(digits).ok());
        match escaped.as_deref() {
            Some([byte]) => {
                bytes.push(*byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
