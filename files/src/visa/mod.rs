//! vISA objects and listings.

pub(crate) mod listing;
pub(crate) mod object;
mod stream;
