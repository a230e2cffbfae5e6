//! Programs of certain instructions, with an account of what they do that is
//! written out again: of operations, masks and addresses. Laws of all
//! instructions take [`crate::generate`].

pub mod atomics;
pub mod atoms;
pub mod planes;
pub mod products;
