//! The page's side of the worker.

use super::OutcomesAction;
use super::state::WorkerRequest;
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

/// The files of the worker, as Trunk names them.
const SCRIPT: &str = "./worker.js";
const WASM: &str = "./worker_bg.wasm";

/// Milliseconds without a response after which a worker that has something to do
/// counts as failed. It reports ten times a second.
const RESPONSE_TIMEOUT: u32 = 15_000;

/// Milliseconds after which the worker is started on a page that does not show
/// its results yet: the page itself is loaded by then.
const PRELOAD_DELAY: u32 = 1_000;

/// When results are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchStart {
    /// They are in view.
    Now,
    /// They may come into view: soon after the page is loaded.
    AfterLoad,
    /// They never come into view.
    Never,
}

/// Sends requests to the worker when their results are wanted, and its responses
/// back as actions.
#[hook]
pub(crate) fn use_search_worker(
    search: Option<WorkerRequest>,
    query: Option<WorkerRequest>,
    time: SearchStart,
    dispatch: &Callback<Action>,
) {
    let client = use_state(|| {
        Rc::new(Client {
            on_action: dispatch.reform(Action::Outcomes),
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
    use_effect_with(query.filter(|_| is_wanted), send);
}

/// A connection to a worker, which is started with the first request.
struct Client {
    on_action: Callback<OutcomesAction>,
    connection: RefCell<Connection>,
}

#[derive(Default)]
struct Connection {
    /// The number of the worker that requests are for.
    worker: u32,
    state: WorkerState,
    expected: Expected,
    /// Runs while a response is expected.
    watchdog: Option<Timeout>,
}

/// What the worker has to respond to.
#[derive(Default)]
struct Expected {
    /// The search that is under way; queries may come between.
    search: Option<u32>,
    /// The last query, while it has no answer: earlier ones get none.
    query: Option<u32>,
}

impl Expected {
    fn any(&self) -> bool {
        self.search.is_some() || self.query.is_some()
    }

    /// What a stopped search still reports is not waited for.
    fn sent(&mut self, request: &SearchRequest) {
        match request {
            SearchRequest::Search { id, .. } => self.search = Some(*id),
            SearchRequest::Stop => self.search = None,
            SearchRequest::Query { id, .. } => self.query = Some(*id),
        }
    }

    fn received(&mut self, response: &SearchResponse) {
        match response {
            SearchResponse::Progress { .. } => {}
            // A search that another has replaced may just have ended.
            SearchResponse::Found { id, .. } => {
                self.search.take_if(|wanted| wanted == id);
            }
            SearchResponse::Answer { id, .. } => {
                self.query.take_if(|wanted| wanted == id);
            }
            SearchResponse::Panicked(_) => *self = Self::default(),
        }
    }
}

#[derive(Default)]
enum WorkerState {
    #[default]
    None,
    /// Its files are on their way; what is to be sent to it.
    Loading(Vec<SearchRequest>),
    Running(Running),
}

/// Dropped, it asks the worker to end, which it does when it next reads its
/// messages: gloo-worker keeps the `web_sys::Worker` to itself, so that nothing
/// here can `terminate()` one that hangs. One that has panicked ends itself.
struct Running {
    bridge: WorkerBridge<SearchWorker>,
    /// The worker's files, for as long as it may read them.
    _files: [ObjectUrl; 2],
}

impl Client {
    /// Sends a request to the worker that it is for. A newer one takes the place
    /// of a worker that has failed.
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

    /// Fetches the worker's files and starts it. They are fetched by the page,
    /// so that a page of an older version gets files of that version from the
    /// service worker, and an error comes with its reason.
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
                let reason = format!("The search could not be loaded: {error}");
                self.on_action.emit(OutcomesAction::Failed(reason.into()));
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
        // A worker that another one has replaced may still respond; that is
        // ignored. One that was silent for long is not replaced before a press.
        if connection.worker != worker || !matches!(connection.state, WorkerState::Running(_)) {
            return;
        }
        connection.expected.received(&response);
        connection.watchdog = self.watchdog(worker, &connection.expected);
        if matches!(response, SearchResponse::Panicked(_)) {
            connection.state = WorkerState::None;
        }
        drop(connection);
        self.on_action.emit(match response {
            SearchResponse::Panicked(message) => {
                OutcomesAction::Failed(format!("The search has failed: {message}").into())
            }
            response => OutcomesAction::Worker(Rc::new(response)),
        });
    }

    /// Tells of a worker that does not respond, while a response is expected.
    fn watchdog(self: &Rc<Self>, worker: u32, expected: &Expected) -> Option<Timeout> {
        let client = Rc::downgrade(self);
        let tell = move || {
            let client = client
                .upgrade()
                .filter(|client| client.connection.borrow().worker == worker);
            if let Some(client) = client {
                let reason = Rc::from("The search does not respond.");
                client.on_action.emit(OutcomesAction::Failed(reason));
            }
        };
        expected.any().then(|| Timeout::new(RESPONSE_TIMEOUT, tell))
    }
}

/// The worker's script, followed by a line that starts it, and its wasm, each
/// at an address of its own.
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
    fn a_stopped_search_leaves_a_query_to_be_answered() {
        let id = 1;
        let query = Query::Leaves {
            instruction: 0,
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
        assert!(expected.any(), "the query has no answer");
        expected.received(&SearchResponse::Progress { id, permille: 1 });
        assert!(expected.any(), "the search was on its way still");
        let answer = lanewise_explore::QueryAnswer {
            outcome: None,
            is_certain: true,
        };
        expected.received(&SearchResponse::Answer { id, answer });
        assert!(!expected.any());
    }

    #[test]
    fn the_end_of_a_search_before_is_not_that_of_this_one() {
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
