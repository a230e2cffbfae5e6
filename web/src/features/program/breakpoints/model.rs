use super::BreakpointAction;
use lanewise_core::text::LineEdit;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub(crate) struct Breakpoints {
    /// Condition of each breakpoint, by line from 0; empty for none.
    pub(crate) lines: Rc<BTreeMap<u32, Rc<str>>>,
    /// Line of the breakpoint at which the run stopped, and the step; `None` once the run
    /// continues or the user seeks.
    pub(super) stopped: Option<(u32, usize)>,
    /// Last change, for screen readers.
    pub(crate) change: Rc<str>,
}

impl Breakpoints {
    /// Restores breakpoints and their conditions by line number (from 1).
    /// Ignores lines beyond the text.
    pub(crate) fn restore(numbered: &[(u32, String)], line_count: usize) -> Self {
        let within = numbered
            .iter()
            .filter(|(number, _)| (1..=line_count).contains(&(*number as usize)));
        let lines = within.map(|(number, condition)| (number - 1, Rc::from(&**condition)));
        Self {
            lines: Rc::new(lines.collect()),
            ..Self::default()
        }
    }

    /// Conditions by line number, from 1.
    pub(crate) fn numbered(&self) -> Vec<(u32, String)> {
        let lines = self.lines.iter();
        lines
            .map(|(line, condition)| (line + 1, String::from(&**condition)))
            .collect()
    }

    /// Lines, from 0, in ascending order.
    pub(crate) fn lines(&self) -> Rc<[u32]> {
        self.lines.keys().copied().collect()
    }

    /// `instructions` are the lines of the program's instructions: a breakpoint
    /// moves down to the next of them.
    pub(crate) fn apply(
        &mut self,
        action: BreakpointAction,
        mut instructions: impl Iterator<Item = u32>,
    ) {
        let lines = Rc::make_mut(&mut self.lines);
        self.change = Rc::from(match action {
            BreakpointAction::Toggle(line) if lines.remove(&line).is_some() => {
                format!("Breakpoint on line {} removed.", line + 1)
            }
            BreakpointAction::Toggle(line) => match instructions.find(|at| *at >= line) {
                Some(instruction) => {
                    lines.entry(instruction).or_default();
                    format!("Breakpoint on line {}.", instruction + 1)
                }
                None => format!("No instruction on or after line {}.", line + 1),
            },
            BreakpointAction::Condition(line, text) => {
                let text = text.trim();
                lines.insert(line, Rc::from(text));
                match text {
                    "" => format!("Breakpoint on line {} without a condition.", line + 1),
                    text => format!("Breakpoint on line {} if {text}.", line + 1),
                }
            }
            BreakpointAction::Clear => {
                lines.clear();
                String::from("All breakpoints removed.")
            }
        });
    }

    /// Moves the breakpoints along with an edit.
    pub(crate) fn follow_edit(&mut self, old: &str, new: &str) {
        self.stopped = None;
        if !self.lines.is_empty() {
            let edit = LineEdit::between(old, new);
            let lines = self.lines.iter();
            let moved = lines.filter_map(|(line, text)| Some((edit.line(*line)?, Rc::clone(text))));
            self.lines = Rc::new(moved.collect());
        }
    }

    /// Line before which the run stopped, while it is at that step.
    pub(crate) fn stopped_at(&self, step: usize) -> Option<u32> {
        let (line, stopped) = self.stopped?;
        (stopped == step).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_saved_lines_are_dropped() {
        let saved = [5, 900, 3, 3, 0, u32::MAX].map(|number| (number, String::new()));
        assert_eq!(*Breakpoints::restore(&saved, 5).lines(), [2, 4]);
    }
}
