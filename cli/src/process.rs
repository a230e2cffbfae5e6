//! Runs a program with limits on its time and its output.
//!
//! A program leads a process group of its own, which an interrupt from the terminal does not
//! reach. So this process ends all programs before it ends by a signal.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// Bytes kept of each output stream; the rest is read and dropped.
const MAX_OUTPUT: usize = 256 << 10;

/// Time between two checks whether a program has ended.
const POLL: Duration = Duration::from_millis(5);

/// Time that the output streams may stay open after the end of the program.
const DRAIN: Duration = Duration::from_millis(500);

/// Time that a program has to end its own programs when it is stopped.
const GRACE: Duration = Duration::from_millis(300);

/// Exit code after an interrupt, as shells have it.
const INTERRUPTED: i32 = 130;

/// A program that runs.
struct Running {
    /// The thread that waits for it.
    thread: ThreadId,
    is_stopped: Arc<AtomicBool>,
}

static RUNNING: Mutex<Vec<Running>> = Mutex::new(Vec::new());

/// Whether no more programs are started.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

fn running() -> MutexGuard<'static, Vec<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stops the program that a thread waits for, if any.
pub(crate) fn stop(thread: ThreadId) {
    let running = running();
    for program in running.iter().filter(|program| program.thread == thread) {
        program.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// Stops all programs, waits until they have ended, and lets no more start.
pub(crate) fn stop_all() {
    IS_ENDING.store(true, Ordering::SeqCst);
    for program in running().iter() {
        program.is_stopped.store(true, Ordering::Relaxed);
    }
    let end = Instant::now() + GRACE * 3;
    while !running().is_empty() && Instant::now() < end {
        std::thread::sleep(POLL);
    }
}

/// Ends all programs if this process is ended by a signal.
pub(crate) fn handle_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without a handler, a signal ends this process only.
        let _ = ctrlc::set_handler(|| {
            stop_all();
            std::process::exit(INTERRUPTED);
        });
    });
}

/// A program that has ended.
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    /// The start of its standard output.
    pub(crate) output: String,
    /// The start of its standard error.
    pub(crate) errors: String,
}

/// Runs a program to its end, without input. After `limit`, kills it with all of its children.
///
/// # Errors
/// A message that continues ``cannot run `ocloc`: ``.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result<Finished, String> {
    command.stdout(Stdio::piped());
    run_into(command, limit)
}

/// Runs a program like [`run`]; its standard output goes where `command` sends it.
pub(crate) fn run_into(command: &mut Command, limit: Duration) -> Result<Finished, String> {
    let is_stopped = Arc::new(AtomicBool::new(false));
    command.stdin(Stdio::null()).stderr(Stdio::piped());
    lead_group(command);
    handle_signals();
    let mut child = {
        let mut running = running();
        if IS_ENDING.load(Ordering::SeqCst) {
            return Err(String::from("the session is over"));
        }
        let child = command.spawn().map_err(|error| error.to_string())?;
        running.push(Running {
            thread: std::thread::current().id(),
            is_stopped: Arc::clone(&is_stopped),
        });
        child
    };
    let output = Stream::read(child.stdout.take());
    let errors = Stream::read(child.stderr.take());
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) if is_stopped.load(Ordering::Relaxed) => {
                break Err(String::from("it was stopped"));
            }
            Ok(None) if Instant::now() < end => std::thread::sleep(POLL),
            Ok(None) => {
                let seconds = limit.as_secs();
                break Err(format!(
                    "it did not end within {seconds} s, and was stopped"
                ));
            }
            Err(error) => break Err(error.to_string()),
        }
    };
    if status.is_err() {
        ask_to_end(&mut child);
    }
    kill_group(&mut child);
    // Otherwise the program stays a zombie.
    let _ = child.wait();
    running().retain(|program| !Arc::ptr_eq(&program.is_stopped, &is_stopped));
    Ok(Finished {
        status: status?,
        output: output.text(),
        errors: errors.text(),
    })
}

/// The start of an output stream, read in the background.
struct Stream {
    bytes: Arc<Mutex<Vec<u8>>>,
    end: Receiver<()>,
}

impl Stream {
    fn read(from: Option<impl Read + Send + 'static>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (ended, end) = channel();
        let kept = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let mut buffer = [0; 16 << 10];
            let mut from = from;
            while let Some(count) = from.as_mut().and_then(|from| from.read(&mut buffer).ok()) {
                if count == 0 {
                    break;
                }
                if let Ok(mut kept) = kept.lock() {
                    let room = MAX_OUTPUT.saturating_sub(kept.len());
                    kept.extend_from_slice(&buffer[..count.min(room)]);
                }
            }
            // Nobody waits for a stream that stayed open too long.
            let _ = ended.send(());
        });
        Self { bytes, end }
    }

    fn text(self) -> String {
        // A child in another process group may keep the stream open.
        let _ = self.end.recv_timeout(DRAIN);
        let bytes = self.bytes.lock();
        bytes.map_or_else(
            |_| String::new(),
            |bytes| String::from_utf8_lossy(&bytes).into_owned(),
        )
    }
}

/// Makes the program the leader of a process group, so that it can be killed with its
/// children.
#[cfg(unix)]
fn lead_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn lead_group(_: &mut Command) {}

/// Kills what is left of the process group of a program.
#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // Fails if all processes of the group have ended.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// Gives a program that is about to be killed time to end the programs that it runs in other
/// groups.
#[cfg(unix)]
fn ask_to_end(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::TERM);
    let end = Instant::now() + GRACE;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < end {
        std::thread::sleep(POLL);
    }
}

#[cfg(not(unix))]
fn ask_to_end(_: &mut Child) {}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    // Fails if the program has ended.
    let _ = child.kill();
}
