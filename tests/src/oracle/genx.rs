//! Runs Intel's vISA assembler on one program, in a temporary folder.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Time limit; the tool hangs on some lines.
const LIMIT: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Accepted,
    Rejected,
    Crash,
    Hang,
}

/// Output of the tool.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    /// Object file, if one was written.
    pub(super) object: Vec<u8>,
    /// Disassembly of the first instruction.
    pub(super) text: Option<String>,
    /// Last message.
    pub(super) message: String,
}

/// Temporary folder that is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("lanewise-oracle-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A leftover folder is harmless.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Complete program with one line.
pub(super) fn program(decls: &[String], line: &str) -> String {
    format!(
        ".version 4.1\n.kernel \"k\"\n{}\n.kernel_attr Target=\"cm\"\n\
         .kernel_attr SLMSize=1\n.function \"k_0\"\n{line}\nret (M1, 1)\n",
        decls.join("\n")
    )
}

pub(super) fn assemble(tool: &Path, platform: &str, source: &str) -> io::Result<Answer> {
    run(tool, platform, "k.visaasm", source.as_bytes())
}

/// Disassembles an object.
pub(super) fn read_object(tool: &Path, platform: &str, object: &[u8]) -> io::Result<Answer> {
    run(tool, platform, "k.isa", object)
}

fn run(tool: &Path, platform: &str, name: &str, input: &[u8]) -> io::Result<Answer> {
    let folder = Folder::new()?;
    let at = |file: &str| folder.0.join(file);
    std::fs::write(at(name), input)?;
    let output = std::fs::File::create(at("output"))?;
    let mut child = Command::new(tool)
        .args([name, "-platform", platform, "-binary", "-output"])
        .args(["-dumpcommonisa", "-noschedule"])
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output)
        .spawn()?;
    let start = Instant::now();
    let verdict = loop {
        match child.try_wait()? {
            Some(status) if status.success() => break Verdict::Accepted,
            Some(status) if status.code().is_some() => break Verdict::Rejected,
            Some(_) => break Verdict::Crash,
            None if start.elapsed() > LIMIT => {
                child.kill()?;
                child.wait()?;
                break Verdict::Hang;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let read = |file: &str| std::fs::read(at(file)).unwrap_or_default();
    let printed = match name {
        "k.isa" => read(".visaasm"),
        _ => read("k.visaasm"),
    };
    let printed = String::from_utf8_lossy(&printed);
    // The instruction is between the function's label and its number.
    let text = printed
        .split("/// $1")
        .next()
        .filter(|_| printed.contains("/// $1"));
    let text = text.and_then(|before| before.lines().last());
    let mut printed = String::from_utf8_lossy(&read("output")).into_owned();
    printed.push_str(&String::from_utf8_lossy(&read("k.errors.txt")));
    let message = printed.lines().rfind(|line| {
        line.contains("near line")
            || line.contains("Error Message")
            || line.contains("error:")
            || line.contains("Spill")
            || line.contains("spill")
    });
    let message = message.unwrap_or("").trim().to_owned();
    Ok(Answer {
        verdict,
        object: read("k.isa"),
        text: text.map(|line| line.trim().to_owned()),
        message,
    })
}
