//! What the page and the worker of its outcomes search share.
//!
//! The page is `main.rs`, the worker is `bin/worker.rs`; each becomes a wasm of
//! its own.

pub mod search_worker;
