/// What a reader does with breakpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreakpointAction {
    /// Set one on a line, from 0, or remove it.
    Toggle(u32),
    /// Remove all of them.
    Clear,
}
