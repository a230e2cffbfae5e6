//! The page's connection to the worker.

use super::OutcomesAction;
use super::state::WorkerRequest;
use crate::components::guard::use_guard;
use crate::features::checks::ChecksAction;
use crate::features::files::FilesAction;
use crate::fetch::fetch;
use crate::store::{Action, State};
use gloo_file::{Blob, ObjectUrl};
use gloo_timers::callback::Timeout;
use gloo_worker::{Spawnable, WorkerBridge};
use lanewise_web::search_worker::{SearchRequest, SearchResponse, SearchWorker};
use std::cell::RefCell;
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::prelude::*;

/// Worker files, as named by Trunk.
const SCRIPT: &str = "./worker.js";
const WASM: &str = "./worker_bg.wasm";

/// Milliseconds without a response after which a busy worker counts as failed.
/// Workers report ten times a second.
const RESPONSE_TIMEOUT: u32 = 15_000;

/// Delay in milliseconds before the worker is preloaded while its results are
/// not in view: the page has loaded by then.
const PRELOAD_DELAY: u32 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchStart {
    /// Results are in view.
    Now,
    /// Results may come into view: start soon after the page has loaded.
    AfterLoad,
    /// Results never come into view.
    Never,
}

/// Sends requests to the worker, those of a search when results are wanted, and
/// dispatches its responses as actions.
#[hook]
pub(crate) fn use_worker(state: &State, time: SearchStart, dispatch: &Callback<Action>) {
    let client = use_state(|| {
        Rc::new(Client {
            on_action: dispatch.clone(),
            connection: RefCell::default(),
        })
    });
    let preload_due = use_state_eq(|| false);
    let setter = preload_due.setter();
    use_guard((), move |()| {
        Timeout::new(PRELOAD_DELAY, move || setter.set(true))
    });
    let is_wanted = match time {
        SearchStart::Now => true,
        SearchStart::AfterLoad => *preload_due,
        SearchStart::Never => false,
    };
    let send = {
        let client = Rc::clone(&client);
        move |request: &Option<WorkerRequest>| {
            if let Some(request) = request {
                client.send(request);
            }
        }
    };
    let (outcomes, files) = (&state.outcomes, &state.files);
    let checks = &state.checks;
    let searches = is_wanted && (outcomes.awaits_response() || checks.awaits_response());
    use_effect_with(searches || files.pending.is_some(), {
        let client = Rc::clone(&client);
        move |is_awaited| client.set_awaited(*is_awaited)
    });
    let wanted = |request: &Option<WorkerRequest>| request.clone().filter(|_| is_wanted);
    use_effect_with(wanted(&outcomes.search_request), send.clone());
    use_effect_with(wanted(&outcomes.query_request), send.clone());
    use_effect_with(wanted(&checks.launch.request), send.clone());
    use_effect_with(checks.trial.request.clone(), send.clone());
    use_effect_with(files.request.clone(), send);
}

/// Connection to a worker, which is started by the first request.
struct Client {
    on_action: Callback<Action>,
    connection: RefCell<Connection>,
}

#[derive(Default)]
struct Connection {
    /// Number of the worker that requests are meant for.
    worker: u32,
    state: WorkerState,
    /// Whether a response is expected.
    is_awaited: bool,
    /// Watchdog, active while a response is expected.
    watchdog: Option<Timeout>,
}

#[derive(Default)]
enum WorkerState {
    #[default]
    None,
    /// Files are being fetched; holds the queued requests.
    Loading(Vec<SearchRequest>),
    Running(Running),
}

/// Dropping it asks the worker to stop, which takes effect when the worker next
/// reads its messages: gloo-worker hides the `web_sys::Worker`, so a hung
/// worker cannot be terminated from here. A worker that panics stops itself.
struct Running {
    bridge: WorkerBridge<SearchWorker>,
    /// The worker's files, kept alive while it may read them.
    _files: [ObjectUrl; 2],
}

impl Client {
    /// Sends a request to its worker. A newer worker number replaces a failed
    /// worker.
    fn send(self: &Rc<Self>, wanted: &WorkerRequest) {
        let request = SearchRequest::clone(&wanted.request);
        let connection = &mut *self.connection.borrow_mut();
        if connection.worker < wanted.worker {
            *connection = Connection {
                worker: wanted.worker,
                is_awaited: connection.is_awaited,
                ..Connection::default()
            };
        }
        match &mut connection.state {
            WorkerState::None => {
                connection.state = WorkerState::Loading(vec![request]);
                let (client, worker) = (Rc::clone(self), connection.worker);
                spawn_local(async move { client.start(worker).await });
            }
            WorkerState::Loading(requests) => requests.push(request),
            WorkerState::Running(running) => {
                running.bridge.send(request);
                self.watch(connection);
            }
        }
    }

    /// Fetches the worker's files and starts it. The page fetches them so that
    /// an older page gets files of its own version from the service worker, and
    /// so that errors have a message.
    async fn start(self: Rc<Self>, worker: u32) {
        let files = worker_files().await;
        let mut connection = self.connection.borrow_mut();
        if connection.worker != worker {
            return;
        }
        let WorkerState::Loading(requests) = std::mem::take(&mut connection.state) else {
            return;
        };
        let files = match files {
            Ok(files) => files,
            Err(error) => {
                drop(connection);
                self.fail(&format!("could not be loaded: {error}"));
                return;
            }
        };
        let client = Rc::downgrade(&self);
        let bridge = SearchWorker::spawner()
            .callback(move |response| {
                if let Some(client) = client.upgrade() {
                    client.receive(worker, response);
                }
            })
            .spawn_with_loader(&files[0]);
        for request in requests {
            bridge.send(request);
        }
        connection.state = WorkerState::Running(Running {
            bridge,
            _files: files,
        });
        self.watch(&mut connection);
    }

    /// Sets whether a response is expected.
    fn set_awaited(self: &Rc<Self>, is_awaited: bool) {
        let mut connection = self.connection.borrow_mut();
        connection.is_awaited = is_awaited;
        self.watch(&mut connection);
    }

    fn receive(self: &Rc<Self>, worker: u32, response: SearchResponse) {
        let mut connection = self.connection.borrow_mut();
        // Ignore responses of a replaced worker. An unresponsive worker is
        // replaced only on request.
        if connection.worker != worker || !matches!(connection.state, WorkerState::Running(_)) {
            return;
        }
        self.watch(&mut connection);
        if matches!(response, SearchResponse::Panicked(_)) {
            connection.state = WorkerState::None;
            connection.watchdog = None;
        }
        drop(connection);
        let response = match response {
            SearchResponse::Panicked(message) => {
                self.fail(&format!("failed: {message}"));
                return;
            }
            SearchResponse::File { id, contents } => {
                Action::Files(FilesAction::Contents(id, contents.map(Rc::new)))
            }
            SearchResponse::Checked { id, launch } => {
                Action::Checks(ChecksAction::Answer(id, launch.map(Rc::new)))
            }
            SearchResponse::Entry { id, entry } => {
                Action::Files(FilesAction::Entry(id, entry.map(Rc::new)))
            }
            response => Action::Outcomes(OutcomesAction::Worker(Rc::new(response))),
        };
        self.on_action.emit(response);
    }

    /// Reports that the worker does not answer.
    fn fail(&self, how: &str) {
        let action = FilesAction::WorkerFailed(format!("the reader {how}"));
        self.on_action.emit(Action::Files(action));
        let action = ChecksAction::WorkerFailed(format!("the worker {how}").into());
        self.on_action.emit(Action::Checks(action));
        let action = OutcomesAction::Failed(format!("The search {how}").into());
        self.on_action.emit(Action::Outcomes(action));
    }

    /// Restarts the watchdog, which reports an unresponsive worker.
    fn watch(self: &Rc<Self>, connection: &mut Connection) {
        let (client, worker) = (Rc::downgrade(self), connection.worker);
        let report = move || {
            let client = client
                .upgrade()
                .filter(|client| client.connection.borrow().worker == worker);
            if let Some(client) = client {
                client.fail("is not responding");
            }
        };
        let is_running = matches!(connection.state, WorkerState::Running(_));
        connection.watchdog =
            (is_running && connection.is_awaited).then(|| Timeout::new(RESPONSE_TIMEOUT, report));
    }
}

/// Object URLs of the worker's script, with an appended start call, and of its
/// wasm.
async fn worker_files() -> Result<[ObjectUrl; 2], gloo_net::Error> {
    let script = fetch(SCRIPT).await?.text().await?;
    let wasm = fetch(WASM).await?.binary().await?;
    let wasm = Blob::new_with_options(wasm.as_slice(), Some("application/wasm"));
    let wasm = ObjectUrl::from(wasm);
    let script = format!("{script}\nwasm_bindgen(\"{}\");\n", &*wasm);
    let script = Blob::new_with_options(&*script, Some("text/javascript"));
    Ok([ObjectUrl::from(script), wasm])
}
