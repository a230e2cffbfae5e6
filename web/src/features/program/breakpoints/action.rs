/// Action on breakpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreakpointAction {
    /// Toggles the breakpoint on a line, from 0.
    Toggle(u32),
    /// Removes all breakpoints.
    Clear,
}
