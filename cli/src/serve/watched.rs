//! Files that are shown on the page: read, compiled, and read again when they change.

use crate::compiler::{self, Failure, ProgramFile};
use crate::input::Source;
use crate::structures::DeclaredTypes;
use crate::{CliError, kernel_args, launch_options, mangled, process, render, warp_launch};
use lanewise_core::diagnostic::{Diagnostic, to_usize};
use lanewise_core::ide::LaunchForm;
use lanewise_core::program::{Program, Sizes};
use lanewise_files::WarpKernel;
use lanewise_files::outline::{self, FileContents};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Time between two looks at the files.
const POLL: Duration = Duration::from_millis(50);

/// Time after which a missing file counts as deleted: editors replace files.
const MISSING: Duration = Duration::from_millis(500);

/// Most kernels of a file.
const MAX_ENTRIES: usize = 64;

/// State of a file as sent to the page.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    /// Number of changes so far.
    pub(super) version: u64,
    pub(super) name: String,
    /// Names of all files.
    pub(super) files: Vec<String>,
    pub(super) kernels: Vec<String>,
    /// The kernel of `text`.
    pub(super) kernel: Option<String>,
    /// The scenario; `None` if there has never been one.
    pub(super) text: Option<String>,
    /// The source as it is on disk.
    pub(super) source: Option<String>,
    /// The source of `text`: an earlier version if the source does not compile.
    pub(super) compiled_source: Option<String>,
    pub(super) device: Option<String>,
    pub(super) messages: Vec<Message>,
    /// Why the file cannot be shown as it is now.
    pub(super) error: Option<String>,
    pub(super) is_busy: bool,
}

/// Message of a compiler, with its range in UTF-16 code units.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Message {
    severity: &'static str,
    line: usize,
    column: usize,
    from: usize,
    to: usize,
    message: String,
}

/// Version of a file; `None` if it does not exist.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// A kernel or function, and its scenario or the reason why there is none.
#[derive(Clone)]
struct Entry {
    name: String,
    /// Whether it could be launched with other arguments and sizes.
    can_open: bool,
    text: Result<String, String>,
}

/// Latest state of a file.
#[derive(Clone, Default)]
struct State {
    version: u64,
    entries: Vec<Entry>,
    source: Option<String>,
    compiled_source: Option<String>,
    device: Option<String>,
    messages: Vec<Message>,
    error: Option<String>,
    is_busy: bool,
}

impl State {
    /// The entry with this name; otherwise the first with a text, or the first that could be
    /// launched.
    fn chosen(&self, name: Option<&str>) -> Option<&Entry> {
        let exact = |entry: &&Entry| Some(&*entry.name) == name;
        let alike = |entry: &&Entry| name.is_some_and(|name| mangled::is_named(&entry.name, name));
        let named = || self.entries.iter().find(alike);
        let mut entries = self.entries.iter();
        let shown = || self.entries.iter().find(|entry| entry.text.is_ok());
        let open = || self.entries.iter().find(|entry| entry.can_open);
        let found = entries
            .find(exact)
            .or_else(named)
            .or_else(shown)
            .or_else(open);
        found.or(self.entries.first())
    }
}

/// A file and how it is compiled and launched.
pub(super) struct Watched {
    pub(super) path: PathBuf,
    pub(super) name: String,
    state: Mutex<State>,
}

/// The files, and a signal for their changes.
pub(super) struct Files {
    pub(super) all: Vec<Watched>,
    options: super::Launch,
    changed: Condvar,
    /// Guards [`Self::changed`]: number of all changes.
    changes: Mutex<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files {
    /// Reads and compiles the files, then watches them in the background.
    pub(super) fn watch(paths: &[PathBuf], options: super::Launch) -> Arc<Self> {
        let all = paths.iter().map(|path| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            Watched {
                path: path.clone(),
                name: name.to_string_lossy().into_owned(),
                state: Mutex::new(State {
                    is_busy: true,
                    ..State::default()
                }),
            }
        });
        let files = Arc::new(Self {
            all: all.collect(),
            options,
            changed: Condvar::new(),
            changes: Mutex::new(0),
        });
        for index in 0..files.all.len() {
            let files = Arc::clone(&files);
            std::thread::spawn(move || files.follow(index));
        }
        files
    }

    /// Reads a file whenever it has changed.
    fn follow(self: &Arc<Self>, index: usize) {
        let path = &self.all[index].path;
        let mut seen = None;
        let mut missing_since: Option<Instant> = None;
        let mut building: Option<std::thread::JoinHandle<()>> = None;
        loop {
            let now = stamp(path);
            match (&now, missing_since) {
                (Some(_), _) if now != seen => {
                    missing_since = None;
                    seen = now;
                    if let Some(earlier) = building.take() {
                        // The result of an earlier version is of no use.
                        process::stop(earlier.thread().id());
                        // A panic of the thread has been reported.
                        let _ = earlier.join();
                    }
                    self.update(index, |state| state.is_busy = true);
                    let files = Arc::clone(self);
                    building = Some(std::thread::spawn(move || files.build(index, now)));
                }
                (Some(_), _) => missing_since = None,
                (None, None) => missing_since = Some(Instant::now()),
                (None, Some(since))
                    if since.elapsed() > MISSING && (seen.is_some() || self.is_new(index)) =>
                {
                    seen = None;
                    let name = self.all[index].path.display();
                    let error = format!("{name} does not exist any more; the last program stays");
                    render::say(&error);
                    self.update(index, |state| {
                        state.error = Some(error);
                        state.is_busy = false;
                    });
                }
                (None, Some(_)) => {}
            }
            std::thread::sleep(POLL);
        }
    }

    /// Whether a file has never been read.
    fn is_new(&self, index: usize) -> bool {
        let state = lock(&self.all[index].state);
        state.is_busy && state.error.is_none() && state.entries.is_empty()
    }

    /// Reads and compiles a version of a file.
    fn build(&self, index: usize, version: Stamp) {
        let path = &self.all[index].path;
        let built = self.options.build(path);
        if stamp(path) != version {
            return;
        }
        self.say(index, &built);
        let source = Source::read(path).ok();
        let source = source.filter(|_| compiler::is_source(path));
        self.update(index, |state| {
            state.is_busy = false;
            match built {
                Ok(built) => {
                    let version = state.version;
                    *state = State { version, ..built };
                }
                Err(Failure::Unusable(message)) => {
                    state.error = Some(message);
                    if let Some(source) = source {
                        state.source = Some(source.text);
                    }
                    state.messages.clear();
                }
                Err(Failure::Rejected(source, messages)) => {
                    state.messages = shown(&source, &messages);
                    state.source = Some(source.text);
                    state.error = Some(String::from("not compiled"));
                }
            }
        });
    }

    /// Prints why a file, or the kernel that is asked for, cannot be shown.
    fn say(&self, index: usize, built: &Result<State, Failure>) {
        let refused = match built {
            Ok(state) => state
                .chosen(self.options.kernel.as_deref())
                .and_then(|entry| entry.text.as_ref().err().cloned()),
            Err(failure) => match failure.report() {
                Ok(_) => None,
                Err(CliError(message)) => Some(message),
            },
        };
        if let Some(message) = refused {
            render::say(&format!("{}: {message}", self.all[index].name));
        }
    }

    fn update(&self, index: usize, change: impl FnOnce(&mut State)) {
        {
            let mut state = lock(&self.all[index].state);
            change(&mut state);
            state.version += 1;
        }
        *lock(&self.changes) += 1;
        self.changed.notify_all();
    }

    /// The file after version `seen`, or the same one after `limit`. `kernel` selects one of
    /// several.
    pub(super) fn view(
        &self,
        index: usize,
        kernel: Option<&str>,
        seen: u64,
        limit: Duration,
    ) -> Option<View> {
        let file = self.all.get(index)?;
        let end = Instant::now() + limit;
        let mut changes = lock(&self.changes);
        while lock(&file.state).version <= seen {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(changes, left);
            changes = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(changes);
        let state = lock(&file.state).clone();
        let chosen = state.chosen(kernel.or(self.options.kernel.as_deref()));
        let (text, why) = match chosen.map(|entry| &entry.text) {
            Some(Ok(text)) => (Some(text.clone()), None),
            Some(Err(why)) => (None, Some(why.clone())),
            None => (None, None),
        };
        let names = state.entries.iter().map(|entry| entry.name.clone());
        Some(View {
            version: state.version,
            name: file.name.clone(),
            files: self.all.iter().map(|file| file.name.clone()).collect(),
            kernels: names.collect(),
            kernel: chosen.map(|entry| entry.name.clone()),
            text,
            source: state.source,
            compiled_source: state.compiled_source,
            device: state.device,
            messages: state.messages,
            error: state.error.or(why),
            is_busy: state.is_busy,
        })
    }

    /// Writes a source that was edited on the page, unless its file has changed since the
    /// page has read `base`.
    pub(super) fn save(&self, index: usize, base: &str, text: &str) -> Result<(), String> {
        let file = self.all.get(index).ok_or("no such file")?;
        let name = &file.name;
        if !compiler::is_source(&file.path) {
            return Err(format!("{name} is not a source"));
        }
        let now = Source::read(&file.path).map_err(|error| error.0)?;
        if now.text != base {
            return Err(format!("{name} has changed on disk; it is not saved"));
        }
        fs::write(&file.path, text).map_err(|error| format!("cannot write {name}: {error}"))?;
        self.update(index, |state| state.source = Some(text.to_owned()));
        Ok(())
    }
}

/// Messages with positions as the page counts them.
fn shown(source: &Source, messages: &[Diagnostic]) -> Vec<Message> {
    let units = |byte: u32| {
        let end = source.text.floor_char_boundary(to_usize(byte));
        source.text[..end].encode_utf16().count()
    };
    let messages = messages.iter().map(|message| {
        let (line, column) = source.position(message.span.start);
        Message {
            severity: message.severity().word(),
            line,
            column,
            from: units(message.span.start),
            to: units(message.span.end),
            message: crate::render::plain(&message.what),
        }
    });
    messages.collect()
}

impl super::Launch {
    /// Reads a file, compiles it if it is a source, and makes the scenarios of its kernels.
    fn build(&self, path: &Path) -> Result<State, Failure> {
        let file = compiler::load(path, &self.compiler)?;
        let unusable = |CliError(message)| Failure::Unusable(message);
        let (types, arguments) = DeclaredTypes::read(path, &self.arguments).map_err(unusable)?;
        let launch = Self {
            arguments,
            ..self.clone()
        };
        let entries = launch.entries(path, &file, &types)?;
        let mut state = State {
            entries,
            ..State::default()
        };
        if let Some(compiled) = file.compiled {
            state.messages = shown(&compiled.source, &compiled.warnings);
            state.source = Some(compiled.source.text);
            state.compiled_source.clone_from(&state.source);
            state.device = Some(compiled.device);
        }
        Ok(state)
    }

    fn entries(
        &self,
        path: &Path,
        file: &ProgramFile,
        types: &DeclaredTypes,
    ) -> Result<Vec<Entry>, String> {
        let name = path.display().to_string();
        let (contents, read) = outline::read(&name, &file.bytes, file.cubin.as_deref())
            .map_err(|why| format!("cannot open {}: {why}", file.name))?;
        let (outline, read) = match (contents, read) {
            (FileContents::Outline(outline), Some(mut read)) => {
                read.name_parameters(|kernel, count| types.parameters(kernel, count));
                (outline, read)
            }
            (FileContents::Scenario(text), _) => {
                let (name, text) = (file.name.clone(), Ok(text));
                let can_open = true;
                return Ok(vec![Entry {
                    name,
                    can_open,
                    text,
                }]);
            }
            (FileContents::Outline(_), None) => return Ok(Vec::new()),
        };
        let names: Vec<&str> = outline.entries.iter().map(|entry| &*entry.name).collect();
        if self.kernel.is_some() {
            launch_options::position(&names, self.kernel.as_deref(), &file.name)?;
        }
        let entries = outline.entries.into_iter().take(MAX_ENTRIES);
        let entries = entries.map(|entry| Entry {
            can_open: entry.can_open,
            text: match entry.errors.first() {
                Some(error) if !entry.can_open => Err(format!("{}: {error}", entry.name)),
                _ => read
                    .open(entry.index)
                    .and_then(|opened| match opened.kernel {
                        Some(_) => {
                            let required = read.required_group_size(entry.index);
                            let kernel = read.warp_kernel(entry.index);
                            self.filled(&entry.name, kernel, required, &opened.text, types)
                        }
                        None => Ok(opened.text),
                    }),
            },
            name: entry.name,
        });
        Ok(entries.collect())
    }

    /// A proposed launch with the given sizes and arguments.
    fn filled(
        &self,
        kernel: &str,
        warps: Option<&WarpKernel>,
        required: Option<Sizes>,
        text: &str,
        types: &DeclaredTypes,
    ) -> Result<String, String> {
        // The arguments are those of one kernel.
        if self
            .kernel
            .as_deref()
            .is_some_and(|wanted| wanted != kernel && !mangled::is_named(kernel, wanted))
        {
            return Ok(text.to_owned());
        }
        let Some(mut form) = LaunchForm::read(text) else {
            return Ok(text.to_owned());
        };
        let sizes = |given: &[u32]| lanewise_api::sizes_of(given, 1);
        let blocks = sizes(&self.blocks.grid).zip(sizes(&self.blocks.block));
        let global = match blocks {
            Some((grid, block)) => Some(launch_options::threads(grid, block)?),
            None => sizes(&self.global),
        };
        // The proposed work-group may not divide another launch.
        let default = global.filter(|_| required.is_none());
        let default = default.map(launch_options::default_group);
        let local = blocks
            .map(|(_, block)| block)
            .or_else(|| sizes(&self.local));
        let local = local.or(default);
        // A grid has blocks, and `global` are threads.
        let global = match (global, local) {
            (Some(global), Some(local)) if form.is_grid => Some(warp_launch::grid(global, local)?),
            (global, _) => global,
        };
        for (dimension, size) in global.into_iter().flatten().enumerate() {
            form.set_global(dimension, size.to_string());
        }
        if let (Some(required), Some(local)) = (required, local)
            && required != local
        {
            let [x, y, z] = required;
            return Err(format!("`{kernel}` requires work-groups of {x},{y},{z}"));
        }
        for (dimension, size) in local.into_iter().flatten().enumerate() {
            form.set_local(dimension, size.to_string());
        }
        if let Some(offset) = lanewise_api::offset_of(&self.offset) {
            form.offset = offset.map(|size| size.to_string());
        }
        for argument in &self.arguments {
            // Arguments of CUDA kernels may be numbered.
            let renamed = argument.split_once('=').and_then(|(name, value)| {
                let warps = warps?;
                let name = warps.argument_name(warps.position_of(name)?);
                Some(format!("{name}={value}"))
            });
            kernel_args::fill(&mut form, renamed.as_ref().unwrap_or(argument), types)?;
        }
        let filled = form.write(text);
        // Errors of the options, not of the proposal.
        if Program::parse_to_run(text).can_run() {
            let program = launch_options::runnable(Program::parse_to_run(&filled));
            program.map_err(|CliError(message)| message)?;
        }
        Ok(filled)
    }
}
