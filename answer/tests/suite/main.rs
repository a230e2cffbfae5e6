//! The tests of this package in one program, which links once and uses all processors.

mod launch;
mod outline;
mod results;
