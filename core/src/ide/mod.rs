//! Services for editors: token classes ([`tokens`]), hover ([`hover`]),
//! completion ([`complete`]), signature help ([`signature`]), formatting
//! ([`format()`]), and where variables are used ([`operand_uses`]).
//!
//! Nothing here knows a grammar of its own. Lines are read by the readers of
//! [`crate::program`] and [`crate::isa`]; a candidate is offered when those
//! readers find nothing wrong with it.

mod complete;
mod format;
mod hover;
mod line;
mod signature;
mod tokens;
mod topics;
mod uses;

pub use complete::{Candidate, Completion, complete};
pub use format::{Formatted, UnformattedLine, format};
pub use hover::{Hover, HoverDiagnostic, hover};
pub use signature::{Signature, signature};
pub use tokens::{tokens, tokens_of_lines};
pub use topics::{Statement, Topic, topics};
pub use uses::{OperandUse, operand_uses};
