//! `lanewise serve`: the compilers are scripts, and the page is a folder with two files.
#![cfg(unix)]

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Copies the recorded program. A source with `error` is rejected, one with `hang` never
/// ends, and one with `noise` prints megabytes.
const COMPILER: &str = r#"#!/bin/sh
case "$1 $2" in
  "query "*) printf %s 22.43.24595 > OCL_DRIVER_VERSION; exit 0 ;;
esac
while [ $# -gt 0 ]; do
  case "$1" in
    -file) file=$2 ;; -device) device=$2 ;; -out_dir) out=$2 ;;
  esac
  shift
done
if grep -q hang "$file"; then echo $$ > "$PIDS"; sleep 600; fi
if grep -q error "$file"; then echo "$file:2:3: error: expected ';'"; exit 1; fi
if grep -q noise "$file"; then yes "noise noise noise noise" | head -c 5000000; exit 1; fi
cp "$PROGRAMS/basics.$device.bin" "$out/program_$device.bin"
"#;

const PAGE: &str =
    "<html><head>\n<meta name=\"offline\" content=\"./sw.js\">\n</head><body></body></html>";

struct Setup {
    folder: tempfile::TempDir,
}

struct Server {
    child: Child,
    port: u16,
    /// Path of the page, with the token: `/…/`.
    path: String,
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Setup {
    fn new(source: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let setup = Self { folder };
        fs::write(setup.path("ocloc"), COMPILER).unwrap();
        fs::set_permissions(setup.path("ocloc"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(setup.path("page")).unwrap();
        fs::write(setup.path("page/index.html"), PAGE).unwrap();
        fs::write(setup.path("secret.txt"), "secret").unwrap();
        fs::write(setup.path("a.cl"), source).unwrap();
        setup
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
        let path = format!("{}:/usr/bin:/bin", self.folder.path().display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_lanewise"));
        command.args(["serve", "--no-open", "--page", "page"]);
        command.args(arguments).current_dir(self.folder.path());
        command.env("PATH", path).env("LANEWISE_CACHE", "");
        command.env("PIDS", self.path("pid"));
        command.env("PROGRAMS", vectors.join("kernels/zebin"));
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        command
    }

    fn serve(&self, arguments: &[&str]) -> Server {
        let mut all = vec!["--port", "0"];
        all.extend(arguments);
        let mut child = self.command(&all).spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://127.0.0.1:").expect(&line);
        let (port, path) = address.split_once('/').unwrap();
        Server {
            child,
            port: port.parse().unwrap(),
            path: format!("/{path}"),
        }
    }

    /// Waits for the process of the hanging compiler.
    fn hanging(&self) -> String {
        let pid = || fs::read_to_string(self.path("pid")).ok();
        wait_for(|| pid().filter(|pid| pid.ends_with('\n')))
            .trim()
            .to_owned()
    }
}

/// Waits at most ten seconds for a value.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "not as expected in time");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn is_gone(pid: &str) -> bool {
    // A process that has ended may not have been waited for.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.map_or(true, |stat| stat.contains(") Z "))
}

impl Server {
    /// Sends a request as it is. Returns the reply to the end of the connection.
    fn send(&self, request: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let limit = Some(Duration::from_secs(30));
        stream.set_read_timeout(limit).unwrap();
        // The server may refuse a long request before its end.
        let _ = stream.write_all(request);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        let reply = String::from_utf8_lossy(&reply).into_owned();
        let (head, body) = reply.split_once("\r\n\r\n").expect(&reply);
        Reply {
            status: head[9..12].parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// A request of the page, with further fields.
    fn request(&self, method: &str, path: &str, fields: &str, body: &str) -> Reply {
        let (port, length) = (self.port, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
             Content-Length: {length}\r\n{fields}\r\n{body}"
        );
        self.send(request.as_bytes())
    }

    fn get(&self, path: &str) -> Reply {
        self.request("GET", &format!("{}{path}", self.path), "", "")
    }

    /// The file once a condition holds.
    fn view(&self, condition: impl Fn(&Value) -> bool) -> Value {
        let mut seen = 0;
        wait_for(|| {
            let reply = self.get(&format!("serve/file?after={seen}"));
            assert_eq!(reply.status, 200, "{}", reply.body);
            let view: Value = serde_json::from_str(&reply.body).unwrap();
            seen = view["version"].as_u64().unwrap();
            condition(&view).then_some(view)
        })
    }

    fn settled(&self) -> Value {
        self.view(|view| view["isBusy"] == false)
    }

    fn save(&self, base: &str, text: &str) -> Reply {
        let body = json!({"base": base, "text": text}).to_string();
        self.request("POST", &format!("{}serve/source", self.path), "", &body)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn path_token(server: &Server) -> &str {
    server.path.trim_matches('/')
}

const SOURCE: &str = "kernel void a() {\n  int i;\n}\n";

#[test]
fn a_file_is_opened_and_followed() {
    let setup = Setup::new(SOURCE);
    let launch = [
        "--kernel",
        "saxpy_tail",
        "--global",
        "32",
        "--local",
        "8",
        "--arg",
        "y=float[16]=iota(1, 1)",
        "--arg",
        "n=6",
        "a.cl",
    ];
    let server = setup.serve(&launch);
    let first = server.settled();
    assert_eq!(first["error"], Value::Null, "{first}");
    assert_eq!(first["kernel"], "saxpy_tail");
    assert_eq!(first["source"], SOURCE);
    assert_eq!(first["device"], "dg2");
    let text = first["text"].as_str().unwrap();
    for line in [
        ".launch global=32 local=8\n",
        ".buffer y : f[16] = iota(1, 1)  //",
        " = 6:",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(first["kernels"].as_array().unwrap().len() > 1, "{first}");

    // Another kernel, with its own launch.
    let other = first["kernels"][0].as_str().unwrap();
    let reply = server.get(&format!("serve/file?kernel={other}"));
    let reply: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!(reply["kernel"], other);

    // An error in the source; then it is mended on the page.
    let bad = SOURCE.replace("int", "error");
    let start = Instant::now();
    fs::write(setup.path("a.cl"), &bad).unwrap();
    let view = server.view(|view| view["error"] == "not compiled");
    let spent = start.elapsed();
    assert!(spent < Duration::from_secs(5), "{spent:?}");
    assert_eq!(view["text"], first["text"]);
    assert_eq!(view["source"], bad);
    assert_eq!(view["compiledSource"], SOURCE);
    assert_eq!(view["messages"][0]["line"], 2);
    assert_eq!(view["messages"][0]["message"], "expected ';'");
    assert_eq!(server.save(&bad, SOURCE).status, 200);
    let view = server.view(|view| view["error"].is_null() && view["isBusy"] == false);
    assert_eq!(view["source"], SOURCE);

    // A save that would overwrite another one.
    fs::write(setup.path("a.cl"), format!("{SOURCE}// more\n")).unwrap();
    let reply = server.save(SOURCE, "mine");
    assert_eq!(
        (reply.status, reply.body.contains("changed on disk")),
        (409, true)
    );

    fs::remove_file(setup.path("a.cl")).unwrap();
    let view = server.view(|view| !view["error"].is_null());
    assert!(
        view["error"].as_str().unwrap().contains("does not exist"),
        "{view}"
    );
    assert!(!view["text"].is_null());
    fs::write(setup.path("a.cl"), SOURCE).unwrap();
    server.view(|view| view["error"].is_null() && view["isBusy"] == false);
}

#[test]
fn only_the_own_page_is_answered() {
    let setup = Setup::new(SOURCE);
    let server = setup.serve(&["a.cl"]);
    let page = server.get("");
    assert_eq!(page.status, 200);
    assert!(
        page.body.contains("served.js") && !page.body.contains("offline"),
        "{}",
        page.body
    );
    for field in [
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
    ] {
        assert!(page.head.contains(field), "{}", page.head);
    }
    let (port, path) = (server.port, &server.path);
    let own = format!("Origin: http://127.0.0.1:{port}\r\n");
    assert_eq!(server.request("GET", path, &own, "").status, 200);
    let localhost =
        format!("GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(server.send(localhost.as_bytes()).status, 200);

    // Other pages, hosts and addresses.
    for origin in [
        "http://example.org",
        "null",
        "http://127.0.0.1:1",
        "https://127.0.0.1",
    ] {
        let reply = server.request("GET", path, &format!("Origin: {origin}\r\n"), "");
        assert_eq!(reply.status, 403, "{origin}");
    }
    for host in [
        "example.org",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1.example.org",
        "",
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(server.send(request.as_bytes()).status, 403, "{host}");
    }
    // Links that the page shares open the page without the files.
    for path in ["/", "/index.html", "/?a=b"] {
        let reply = server.request("GET", path, "", "");
        assert_eq!(reply.status, 200, "{path}");
        let secret = path_token(&server);
        for word in ["served.js", "a.cl", secret] {
            assert!(
                !reply.body.contains(word) && !reply.head.contains(word),
                "{word}"
            );
        }
        assert_eq!(server.request("POST", path, "", "").status, 403);
    }
    let wrong = format!("/{}/", "0".repeat(32));
    for path in [
        "/serve/file",
        "/serve/source",
        "/served.js",
        "/secret.txt",
        "/../secret.txt",
        &wrong,
        &path[..path.len() - 1],
    ] {
        let reply = server.request("GET", path, "", "");
        assert_eq!(
            (reply.status, reply.body.contains("a.cl")),
            (403, false),
            "{path}"
        );
    }
    for path in [
        "../secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "a.cl",
        "../a.cl",
        "//etc/passwd",
        "serve/file?file=1",
        "serve/file?file=abc",
        "serve/file?file=18446744073709551615",
        "sw.js",
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 404, "{path}: {}", reply.body);
    }
    assert_eq!(server.request("DELETE", path, "", "").status, 405);
}

#[test]
fn bodies_are_bounded_and_only_sources_are_written() {
    let setup = Setup::new(SOURCE);
    fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/scenarios/histogram.lanewise"),
        setup.path("b.lanewise"),
    )
    .unwrap();
    let server = setup.serve(&["a.cl", "b.lanewise"]);
    let reply = server.save(SOURCE, &"x".repeat(2 << 20));
    assert_eq!(reply.status, 413);
    let path = format!("{}serve/source", server.path);
    // Nothing of it is allocated or awaited, with and without the token.
    for path in ["/", &path] {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 99999999999\r\n\r\nx",
            server.port
        );
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HTTP/1.0 413", "{path}");
    }
    // Without a length, in one chunk that says it has 4 GB.
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
         Transfer-Encoding: chunked\r\n\r\nffffffff\r\n",
        server.port
    );
    let request = [request.as_bytes(), &vec![b'x'; 3 << 20]].concat();
    assert_eq!(server.send(&request).status, 411);
    for body in ["", "nonsense", "{}", "[]", "{\"base\":1}"] {
        assert_eq!(
            server.request("POST", &path, "", body).status,
            400,
            "{body}"
        );
    }
    let scenario = fs::read_to_string(setup.path("b.lanewise")).unwrap();
    let body = json!({"base": scenario, "text": "mine"}).to_string();
    for file in ["1", "2"] {
        let reply = server.request("POST", &format!("{path}?file={file}"), "", &body);
        assert_eq!(reply.status, 409, "{file}");
    }
    assert_eq!(
        fs::read_to_string(setup.path("b.lanewise")).unwrap(),
        scenario
    );
    assert_eq!(fs::read_to_string(setup.path("a.cl")).unwrap(), SOURCE);
    let scenario = server.get("serve/file?file=1");
    assert!(scenario.body.contains("dword_atomic"), "{}", scenario.body);
    // The server still answers.
    assert_eq!(server.get("").status, 200);
}

#[test]
fn a_hanging_compiler_ends_with_the_next_version() {
    let setup = Setup::new("hang\n");
    let server = setup.serve(&["a.cl"]);
    let pid = setup.hanging();
    let view = server.view(|view| view["isBusy"] == true);
    assert_eq!(view["text"], Value::Null);
    fs::write(setup.path("a.cl"), SOURCE).unwrap();
    let view = server.settled();
    assert_eq!(view["error"], Value::Null, "{view}");
    wait_for(|| is_gone(&pid).then_some(()));

    // The limit of the user.
    drop(server);
    fs::write(setup.path("a.cl"), "hang\n").unwrap();
    let server = setup.serve(&["--compiler-limit", "1", "a.cl"]);
    let view = server.settled();
    assert!(
        view["error"].as_str().unwrap().contains("within 1 s"),
        "{view}"
    );
}

#[test]
fn messages_of_the_compiler_are_bounded() {
    let setup = Setup::new("noise\n");
    let server = setup.serve(&["a.cl"]);
    let reply = wait_for(|| {
        let reply = server.get("serve/file");
        reply.body.contains("\"isBusy\":false").then_some(reply)
    });
    assert!(reply.body.len() < 10_000, "{}", reply.body.len());
}

#[test]
fn an_interrupt_ends_the_compiler() {
    for signal in ["INT", "TERM"] {
        let setup = Setup::new("hang\n");
        let mut server = setup.serve(&["a.cl"]);
        let pid = setup.hanging();
        assert!(!is_gone(&pid));
        let own = server.child.id().to_string();
        let kill = Command::new("kill")
            .args([&format!("-{signal}"), &own])
            .status();
        assert!(kill.unwrap().success());
        let status = wait_for(|| server.child.try_wait().unwrap());
        assert_eq!(status.code(), Some(130));
        wait_for(|| is_gone(&pid).then_some(()));
    }
}

/// Browsers open several connections at once, and keep those with an answer in HTTP/1.1.
#[test]
fn connections_made_at_once_do_not_wait_for_each_other() {
    let setup = Setup::new(SOURCE);
    let server = setup.serve(&["a.cl"]);
    let (port, path) = (server.port, &server.path);
    let request = format!("GET {path}trusted.js HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    let mut kept = Vec::new();
    for _ in 0..20 {
        let connect = || TcpStream::connect(("127.0.0.1", port)).unwrap();
        let mut streams: Vec<_> = (0..8).map(|_| connect()).collect();
        for stream in &mut streams {
            let limit = Some(Duration::from_secs(10));
            stream.set_read_timeout(limit).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
        }
        for mut stream in streams {
            let mut version = [0; 8];
            stream.read_exact(&mut version).expect("an answer in time");
            if &version == b"HTTP/1.1" {
                kept.push(stream);
            }
        }
    }
}

#[test]
fn a_required_work_group_is_kept_and_wrong_names_are_refused() {
    let setup = Setup::new(SOURCE);
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/programs");
    let program = program.join("edges.skl.bin").display().to_string();
    let serve = |global, more: &[&str]| {
        let launch = ["--kernel", "required", "--global", global];
        let server = setup.serve(&[&launch, more, &[&program]].concat());
        server.settled()
    };
    for global in ["16,8,4", "16,8,5", "16"] {
        let view = serve(global, &[]);
        let line = format!(".launch global={global} local=8,4,2\n");
        let text = view["text"].as_str().expect("a launch");
        assert!(text.contains(&line), "{line} in {view}");
    }
    let view = serve("16,8,4", &["--local", "4,4,4"]);
    let error = view["error"].as_str().unwrap();
    assert!(error.contains("requires work-groups of 8,4,2"), "{error}");
    let server = setup.serve(&["--kernel", "none", &program]);
    let view = server.settled();
    let error = view["error"].as_str().unwrap();
    assert!(
        error.contains("no kernel `none`") && error.contains("required"),
        "{error}"
    );
    let view = serve("16,8,4", &["--arg", "none=1"]);
    let error = view["error"].as_str().unwrap();
    assert!(error.contains("it has `o`"), "{error}");
}

/// A CUDA kernel is launched with the names of its source, and sizes in threads.
#[test]
fn cuda_kernels_take_names_and_threads() {
    let setup = Setup::new("");
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/sass-kernels");
    let program = |name: &str, script: String| {
        fs::write(setup.path(name), script).unwrap();
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(setup.path(name), executable).unwrap();
    };
    let file = vectors.join("flow.sm_120").display().to_string();
    program(
        "nvcc",
        format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\nwhile [ $# -gt 1 ]; do \
             [ \"$1\" = -o ] && cat '{file}.cubin' > \"$2\"; shift; done\n"
        ),
    );
    program("nvdisasm", format!("#!/bin/sh\ncat '{file}.sass'\n"));
    let source = "__global__ void early(int *o, const int *in, int n) {}";
    fs::write(setup.path("k.cu"), source).unwrap();
    let server = setup.serve(&[
        "k.cu",
        "--device",
        "sm_120",
        "--kernel",
        "early",
        "--global",
        "96",
        "--local",
        "32",
        "--arg",
        "n=77",
        "--arg",
        "in=int[96]=splat(5)",
    ]);
    let view = server.settled();
    let text = view["text"].as_str().expect("a launch");
    for line in [
        ".launch grid=3 block=32",
        ".buffer in : d[96] = splat(5)",
        ".param 0x388 = &in",
        ".param 0x390 = 77:d  // n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let kernel = ["k.cu", "--device", "sm_120", "--kernel", "early"];
    let blocks = ["--grid", "5,2", "--block", "16,2"];
    let text = |arguments: &[&str]| {
        let server = setup.serve(&[&kernel[..], &blocks, arguments].concat());
        let view = server.settled();
        view["text"].as_str().expect("a launch").to_owned()
    };
    // Buffers have an element for each thread.
    for line in [".launch grid=5,2 block=16,2", ".buffer in : d[320]"] {
        assert!(text(&[]).contains(line), "{line}: {}", text(&[]));
    }
    let numbered = text(&["--arg", "2=77"]);
    assert!(numbered.contains(".param 0x390 = 77:d  // n"), "{numbered}");
}

#[test]
fn what_the_page_cannot_show_is_printed_too() {
    let setup = Setup::new(SOURCE);
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/programs");
    let program = vectors.join("edges.skl.bin").display().to_string();
    let kernel = &["--kernel", "required"][..];
    for (kernel, argument, expected) in [
        (kernel, "none=1", "it has `o`"),
        (kernel, "o=int[8]=x", "`x`"),
        (&[], "o=int[8]=x", "`x`"),
    ] {
        let launch = [kernel, &["--global", "16,8,4", "--arg", argument, &program]];
        let mut server = setup.serve(&launch.concat());
        let view = server.settled();
        let error = view["error"].as_str().unwrap();
        assert!(error.contains(expected), "{error}");
        server.child.kill().unwrap();
        let mut printed = String::new();
        let mut err = server.child.stderr.take().unwrap();
        err.read_to_string(&mut printed).unwrap();
        assert!(printed.contains(error), "{printed}");
    }
}

#[test]
fn what_cannot_be_served_is_said_at_once() {
    let setup = Setup::new(SOURCE);
    let server = setup.serve(&["a.cl"]);
    let port = server.port.to_string();
    let refused = |arguments: &[&str]| {
        let done = setup.command(arguments).output().unwrap();
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(done.stderr).unwrap()
    };
    assert!(refused(&["--port", &port, "a.cl"]).contains("--port selects another port"));
    assert!(refused(&["none.cl"]).contains("none.cl: no such file"));
    assert!(refused(&["--device", "all", "a.cl"]).contains("run --device all"));
    assert!(refused(&["--global", "1,1,1,1", "a.cl"]).contains("at most three"));
    // The server is not disturbed.
    assert_eq!(server.get("").status, 200);
    fs::rename(setup.path("page"), setup.path("elsewhere")).unwrap();
    assert!(refused(&["a.cl"]).contains("no page here"));
}
