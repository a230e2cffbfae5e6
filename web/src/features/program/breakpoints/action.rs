use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BreakpointAction {
    /// Toggles the breakpoint on a line, from 0.
    Toggle(u32),
    /// Toggles the breakpoint on a line of the source, from 1.
    ToggleSource(u32),
    /// Sets the condition of the breakpoint on a line, from 0; empty for none.
    Condition(u32, Rc<str>),
    /// Removes all breakpoints.
    Clear,
}
