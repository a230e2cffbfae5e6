//! What vISA compilers write.

pub(crate) mod listing;
pub(crate) mod object;
mod stream;
