//! The tests of this package in one program, which links once and uses all processors.

mod batch;
mod checks;
mod commands;
mod common;
mod compiler;
mod dap;
mod files;
mod fmt;
mod guide;
mod hostile;
mod launch;
mod layout;
mod link;
mod mcp;
mod outcomes;
mod rendering;
mod run;
mod sass;
mod serve;
mod tools;
