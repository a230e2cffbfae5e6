//! Launches of compiled kernels as JSON: the request `launch` of `lanewise batch`, and the
//! npm package.

mod findings;
#[cfg(all(target_arch = "wasm32", feature = "javascript"))]
#[allow(unsafe_code, reason = "wasm-bindgen generates it")]
pub mod javascript;
mod launch;
mod place;
mod schedules;
mod watch;

pub use findings::{
    AccessJson, Checked, CheckedRun, DEFAULT_CHECKS, FindingJson, Findings, MAX_FINDINGS,
    parse_allowed, text_of,
};
pub use launch::{
    CheckField, FaultPlace, LaunchAnswer, Request, RequestSizes, RunLimit, answer, answer_of,
    buffers, bytes_of, offset_of, printed, refuse, refuse_launch, run, schedule_of, sizes_of,
};
pub use place::{CodePlace, source_of};
pub use schedules::{MAX_ORDERS, Schedules};
pub use watch::Watch;
