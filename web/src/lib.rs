//! Code shared by the page and the worker, which searches for outcomes, checks
//! launches and reads compiler output.
//!
//! The page is `main.rs`, the worker `bin/worker.rs`; each is compiled to its
//! own wasm module.

pub mod launch_checks;
pub mod search_worker;
