//! Answers about scenarios, shared by the command line and the page: JSON, tables, and
//! models of the pictures.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::panic, clippy::cast_possible_truncation)
)]

extern crate alloc;

pub mod access;
pub mod buffer_view;
mod byte_range;
mod choices;
pub mod decoding;
pub mod explanation;
pub mod flow;
pub mod goal;
pub mod grids;
mod json;
pub mod lanes;
pub mod launch;
pub mod matrix;
pub mod notation;
pub mod operands;
mod outcomes;
pub mod printf;
pub mod results;
pub mod run_marks;
mod state;
pub mod state_table;
pub mod table;
pub mod threads;
pub mod transactions;
pub mod vector;

pub use byte_range::ByteRange;
pub use json::{
    CheckAnswer, DiagnosticJson, Entries, Faulted, MAX_ANSWER, Register, RunAnswer, TooLong,
    to_json,
};
pub use outcomes::{OutcomesAnswer, outcomes};
pub use state::{RunStatus, checked, faulted, ran, ran_compact, warnings};

use alloc::rc::Rc;
use alloc::string::String;
use lanewise_core::diagnostic::Span;
use lanewise_core::program::Program;
use lanewise_core::session::Session;

/// The answer to `run` on one line: the result of the run, or the diagnostics of a
/// program that cannot run or whose answer is too long.
#[must_use]
pub fn run(program: &Rc<Program>) -> String {
    let answer = if program.can_run() {
        let mut session = Session::new(Rc::clone(program));
        session.run_to_end();
        let status = RunStatus::of(&session);
        match ran(program, &status) {
            Ok(answer) => serde_json::to_string(&answer),
            Err(refusal) => {
                let refusal = refusal.diagnostic(Span::default());
                serde_json::to_string(&checked(false, &[refusal]))
            }
        }
    } else {
        serde_json::to_string(&checked(false, &program.diagnostics))
    };
    answer.expect("strings, numbers and lists can be serialized")
}
