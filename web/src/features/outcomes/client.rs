//! The page's connection to the worker.

use super::OutcomesAction;
use super::state::WorkerRequest;
use crate::features::files::FilesAction;
use crate::fetch::fetch;
use crate::store::Action;
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

/// When to start the search.
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
pub(crate) fn use_worker(
    search: Option<WorkerRequest>,
    query: Option<WorkerRequest>,
    file: Option<WorkerRequest>,
    time: SearchStart,
    dispatch: &Callback<Action>,
) {
    let client = use_state(|| {
        Rc::new(Client {
            on_action: dispatch.clone(),
            connection: RefCell::default(),
        })
    });
    let is_late = use_state_eq(|| false);
    {
        let is_late = is_late.clone();
        use_effect_with((), move |()| {
            let timer = Timeout::new(PRELOAD_DELAY, move || is_late.set(true));
            move || drop(timer)
        });
    }
    let is_wanted = match time {
        SearchStart::Now => true,
        SearchStart::AfterLoad => *is_late,
        SearchStart::Never => false,
    };
    let send = move |request: &Option<WorkerRequest>| {
        if let Some(request) = request {
            client.send(request);
        }
    };
    use_effect_with(search.filter(|_| is_wanted), send.clone());
    use_effect_with(query.filter(|_| is_wanted), send.clone());
    use_effect_with(file, send);
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
    expected: Expected,
    /// Watchdog, active while a response is expected.
    watchdog: Option<Timeout>,
}

/// Expected responses.
#[derive(Default)]
struct Expected {
    /// Running search; queries may interleave.
    search: Option<u32>,
    /// Unanswered query; only the latest gets an answer.
    query: Option<u32>,
    /// Number of unanswered requests about files.
    files: u32,
}

impl Expected {
    fn any(&self) -> bool {
        self.search.is_some() || self.query.is_some() || self.files > 0
    }

    /// A stopped search is not waited for, although it may still report.
    fn sent(&mut self, request: &SearchRequest) {
        match request {
            SearchRequest::Search { id, .. } => self.search = Some(*id),
            SearchRequest::Stop => self.search = None,
            SearchRequest::Query { id, .. } => self.query = Some(*id),
            SearchRequest::ReadFile { .. } | SearchRequest::OpenEntry { .. } => self.files += 1,
        }
    }

    fn received(&mut self, response: &SearchResponse) {
        match response {
            SearchResponse::Progress { .. } => {}
            // A search may have ended just before it was replaced.
            SearchResponse::Found { id, .. } => {
                self.search.take_if(|wanted| wanted == id);
            }
            SearchResponse::Answer { id, .. } => {
                self.query.take_if(|wanted| wanted == id);
            }
            SearchResponse::File { .. } | SearchResponse::Entry { .. } => self.files -= 1,
            SearchResponse::Panicked(_) => *self = Self::default(),
        }
    }
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
        if connection.worker != wanted.worker {
            *connection = Connection {
                worker: wanted.worker,
                ..Connection::default()
            };
        }
        match &mut connection.state {
            WorkerState::None => {
                connection.state = WorkerState::Loading(vec![request]);
                let (client, worker) = (Rc::clone(self), wanted.worker);
                spawn_local(async move { client.start(worker).await });
            }
            WorkerState::Loading(requests) => requests.push(request),
            WorkerState::Running(running) => {
                connection.expected.sent(&request);
                connection.watchdog = self.watchdog(wanted.worker, &connection.expected);
                running.bridge.send(request);
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
            connection.expected.sent(&request);
            bridge.send(request);
        }
        connection.watchdog = self.watchdog(worker, &connection.expected);
        connection.state = WorkerState::Running(Running {
            bridge,
            _files: files,
        });
    }

    fn receive(self: &Rc<Self>, worker: u32, response: SearchResponse) {
        let mut connection = self.connection.borrow_mut();
        // Ignore responses of a replaced worker. An unresponsive worker is
        // replaced only on request.
        if connection.worker != worker || !matches!(connection.state, WorkerState::Running(_)) {
            return;
        }
        connection.expected.received(&response);
        connection.watchdog = self.watchdog(worker, &connection.expected);
        if matches!(response, SearchResponse::Panicked(_)) {
            connection.state = WorkerState::None;
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
        let action = OutcomesAction::Failed(format!("The search {how}").into());
        self.on_action.emit(Action::Outcomes(action));
    }

    /// Watchdog that reports an unresponsive worker, while a response is
    /// expected.
    fn watchdog(self: &Rc<Self>, worker: u32, expected: &Expected) -> Option<Timeout> {
        let client = Rc::downgrade(self);
        let tell = move || {
            let client = client
                .upgrade()
                .filter(|client| client.connection.borrow().worker == worker);
            if let Some(client) = client {
                client.fail("is not responding.");
            }
        };
        expected.any().then(|| Timeout::new(RESPONSE_TIMEOUT, tell))
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

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_web::search_worker::Query;

    #[test]
    fn stopped_search_still_answers_queries() {
        let id = 1;
        let query = Query::Leaves {
            issue: lanewise_core::session::IssueIndex(0),
            space: lanewise_core::machine::SpaceId::SLM,
            address: 0,
            content: 0,
        };
        let text = String::new;
        let mut expected = Expected::default();
        assert!(!expected.any());
        expected.sent(&SearchRequest::Search {
            id,
            text: text(),
            work: 1,
        });
        expected.sent(&SearchRequest::Query {
            id,
            text: text(),
            query,
        });
        expected.sent(&SearchRequest::Stop);
        assert!(expected.any(), "the query is unanswered");
        expected.received(&SearchResponse::Progress { id, permille: 1 });
        assert!(expected.any(), "the search was still pending");
        let answer = lanewise_explore::QueryAnswer {
            outcome: None,
            is_certain: true,
        };
        expected.received(&SearchResponse::Answer { id, answer });
        assert!(!expected.any());
    }

    #[test]
    fn replaced_search_cannot_end_the_current_one() {
        let search = |id| SearchRequest::Search {
            id,
            text: String::new(),
            work: 1,
        };
        let found = |id| SearchResponse::Found {
            id,
            result: lanewise_web::search_worker::search("", 1).result(),
            is_work_spent: false,
        };
        let mut expected = Expected::default();
        expected.sent(&search(1));
        expected.sent(&search(2));
        expected.received(&found(1));
        assert!(expected.any());
        expected.received(&found(2));
        assert!(!expected.any());
    }
}
