//! vISA objects and listings.

mod evidence;
pub(crate) mod listing;
pub(crate) mod object;
mod stream;
