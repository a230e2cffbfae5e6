use crate::MOST_BYTES;
use thiserror::Error;

/// Why a link cannot be opened or created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The fragment is absent or empty.
    #[error("the link is empty: expected a scenario after `#`")]
    Empty,
    /// The fragment does not start with a version.
    #[error("the text after `#` is not a link to a scenario")]
    Foreign,
    /// Unsupported version.
    #[error("link version {version} requires a newer Lanewise; this one opens versions 0 and 1")]
    Future { version: char },
    /// Character outside of the base64 alphabet.
    #[error("the link contains an invalid character, `{character}`")]
    InvalidCharacter { character: char },
    #[error("the link is incomplete: its end is missing")]
    Truncated,
    /// Checksum mismatch or invalid payload.
    #[error("the link is damaged")]
    Damaged,
    /// More than [`MOST_CHARACTERS`](crate::MOST_CHARACTERS) characters.
    #[error("the link is too long")]
    TooLong,
    /// The payload exceeds [`MOST_BYTES`].
    #[error("the text is too long for a link; the limit is {} KB", MOST_BYTES / 1024)]
    TooLarge,
}
