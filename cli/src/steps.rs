//! Runs limited by `--steps`.

use lanewise_core::session::Session;
use std::io;

/// Executes at most `limit` steps and calls `each` after each of them. A fault is not a step;
/// one that follows the last step is reached.
pub(crate) fn first_steps(
    session: &mut Session,
    limit: usize,
    mut each: impl FnMut(&Session) -> io::Result<()>,
) -> io::Result<()> {
    while session.step() {
        if session.fault().is_none() && session.position() > limit {
            session.step_back();
            break;
        }
        each(session)?;
    }
    Ok(())
}
