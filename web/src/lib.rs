//! Code shared by the page and the search worker.
//!
//! The page is `main.rs`, the worker `bin/worker.rs`; each is compiled to its
//! own wasm module.

pub mod search_worker;
