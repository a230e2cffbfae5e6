//! Decoding, execution and explanation of GPU instructions.
//!
//! The crate knows no screen, no file and no clock. Text goes in through
//! [`program::Program::parse`]; a [`session::Session`] executes the program one
//! smallest effect at a time, forward and back; everything that a reader of a
//! page needs (tokens, bit fields, sentences, diagnostics) comes out as data.
//!
//! Layers, bottom to top: [`rules`], [`diagnostic`], [`text`], [`number`],
//! [`bits`], [`machine`], [`contradictions`], [`isa`], [`program`],
//! [`session`], [`library`], [`ide`]. A layer uses only those before it.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::string_slice,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod bits;
pub mod contradictions;
pub mod diagnostic;
pub mod ide;
pub mod isa;
pub mod library;
pub mod machine;
pub mod number;
pub mod program;
pub mod rules;
pub mod session;
pub mod text;
