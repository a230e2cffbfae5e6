use crate::MOST_BYTES;
use thiserror::Error;

/// Why a link cannot be opened, or made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// There is nothing after `#`.
    #[error("the link has nothing after #: a link to a scenario carries it there")]
    Empty,
    /// It does not start with a version.
    #[error("what follows # is not a link to a scenario")]
    Foreign,
    /// Its version is not known yet.
    #[error(
        "the link is of version {version}, which a newer Lanewise made: this one opens versions 0 and 1"
    )]
    Future {
        /// The digit that it starts with.
        version: char,
    },
    /// It has a sign that links do not have.
    #[error("the link has a sign that links do not have, `{sign}`: it was changed on its way")]
    Sign {
        /// That sign.
        sign: char,
    },
    /// Its end is missing.
    #[error("the link was cut off on its way: its end is missing")]
    Truncated,
    /// It was changed.
    #[error("the link is damaged: it was changed on its way")]
    Damaged,
    /// More characters than any link has.
    #[error("this is longer than any link to a scenario")]
    TooLong,
    /// More text than a link may hold.
    #[error("more than {} KB of text do not go into a link", MOST_BYTES / 1024)]
    TooLarge,
}
