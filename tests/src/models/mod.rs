//! Independent models of operations, masks and addresses for programs of particular
//! instructions. For properties of all instructions see [`crate::generate`].

pub mod atomics;
pub mod atoms;
pub mod planes;
pub mod products;
