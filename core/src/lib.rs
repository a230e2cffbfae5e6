//! Decoding, execution and explanation of GPU instructions.
//!
//! The crate does no I/O. [`program::Program::parse`] parses a text; a
//! [`session::Session`] executes the program one effect at a time, forward and
//! backward. Tokens, bit fields, descriptions and diagnostics are returned as data.
//!
//! Layers, bottom to top: [`rules`], [`diagnostic`], [`text`], [`number`],
//! [`bits`], [`machine`], [`contradictions`], [`isa`], [`program`],
//! [`session`], [`library`], [`ide`]. A layer uses only the layers before it.
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
pub mod checks;
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
