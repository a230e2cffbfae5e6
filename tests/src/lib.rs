//! Shared test code: vector files, evaluation of lines, access to machine state, and
//! generators of instructions and programs.

pub mod allocated;
pub mod branches;
pub mod breaks;
pub mod fuzz;
pub mod generate;
pub mod judge;
pub mod launch_case;
pub mod models;
pub mod one_cell;
pub mod oracle;
pub mod orders;
pub mod outcomes;
pub mod parse;
pub mod place;
pub mod report;
pub mod vectors;
