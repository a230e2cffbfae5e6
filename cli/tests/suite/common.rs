//! Runs the `lanewise` program.

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `lanewise` with arguments and a standard input.
pub(crate) fn lanewise(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lanewise"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    // Write and read concurrently, so that neither pipe fills up.
    let writer = std::thread::spawn(move || {
        // The program may exit without reading all of its input.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    Output {
        code: output.status.code().expect("it was not killed"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs `batch` and returns its answers.
pub(crate) fn batch(lines: impl AsRef<[u8]>) -> Vec<Value> {
    answers("batch", lines)
}

/// Runs a command that answers lines, and returns its answers.
pub(crate) fn answers(command: &str, lines: impl AsRef<[u8]>) -> Vec<Value> {
    let done = lanewise(&[command], lines);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let answers = done.out.lines();
    answers
        .map(|line| serde_json::from_str(line).expect("an answer is JSON"))
        .collect()
}

/// Runs `batch` with one request and returns the answer as text.
pub(crate) fn ask(request: &Value) -> String {
    let done = lanewise(&["batch"], format!("{request}\n"));
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    String::from(done.out.strip_suffix('\n').expect("a line"))
}

/// Creates a temporary file.
pub(crate) fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lanewise-cli");
    std::fs::create_dir_all(&folder).expect("a folder for files");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// Declarations that most tests use.
pub(crate) const DECLS: [&str; 3] = [
    ".decl V32 v_type=G type=ud num_elts=8 align=GRF",
    ".decl V33 v_type=G type=ud num_elts=8 align=GRF",
    ".decl V34 v_type=G type=ud num_elts=8 align=GRF",
];

pub(crate) const ADD: &str = "dword_atomic.add (M1, 8) %slm V33.0 V34.0 %null.0 V32.0";
pub(crate) const ADD_BYTES: &str = "7d0003000000210000000000220000000000000000000000200000000000";

/// Runs [`ADD`] with four active lanes.
pub(crate) const SCENARIO: &str = "\
.decl V32 v_type=G type=ud num_elts=4 align=GRF
.decl V33 v_type=G type=ud num_elts=4 align=GRF
.decl V34 v_type=G type=ud num_elts=4 align=GRF
.slm 8
.init V33 = 0, 4, 0, 4
.init V34 = 1, 2, 3, 4
dword_atomic.add (M1, 4) %slm V33.0 V34.0 %null.0 V32.0
";

/// A folder with a source `a.cl` and a compiler `ocloc` that never ends.
#[cfg(unix)]
pub(crate) struct HangingCompiler {
    folder: tempfile::TempDir,
}

#[cfg(unix)]
impl HangingCompiler {
    pub(crate) fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let made = Self { folder };
        let script = "#!/bin/sh\ncase $1 in query) exit 1 ;; esac\n\
                      echo $$ > \"$(dirname \"$0\")/pid\"; sleep 600\n";
        std::fs::write(made.path("ocloc"), script).expect("a compiler");
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(made.path("ocloc"), executable).expect("a compiler");
        std::fs::write(made.path("a.cl"), "kernel void a() {}\n").expect("a source");
        made
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits until the compiler runs.
    pub(crate) fn pid(&self) -> String {
        let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
        loop {
            match std::fs::read_to_string(self.path("pid")) {
                Ok(pid) if pid.ends_with('\n') => break pid.trim().to_owned(),
                _ => assert!(std::time::Instant::now() < end, "the compiler starts"),
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

/// Whether a process has ended. It may not have been waited for.
#[cfg(unix)]
pub(crate) fn has_ended(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.map_or(true, |stat| stat.contains(") Z "))
}
