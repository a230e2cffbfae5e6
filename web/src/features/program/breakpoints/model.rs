use super::BreakpointAction;
use crate::features::program::line_index::line_ends;
use crate::features::program::text_diff::difference;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Breakpoints of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breakpoints {
    /// Lines from 0, in ascending order.
    lines: Rc<[u32]>,
    /// Conditions by line.
    conditions: Rc<BTreeMap<u32, Rc<str>>>,
    /// Line of the breakpoint at which the run stopped, and the step.
    stopped: Option<(u32, usize)>,
    /// Last change, for screen readers.
    change: Rc<str>,
}

impl Breakpoints {
    /// Restores breakpoints and conditions from line numbers (from 1) of an earlier
    /// visit or a link. Ignores lines beyond the text.
    pub(crate) fn restore(
        numbers: &[u32],
        conditions: &[(u32, String)],
        line_count: usize,
    ) -> Self {
        let lines = numbers
            .iter()
            .filter(|number| (1..=line_count).contains(&(**number as usize)));
        let mut this = Self::default();
        this.set(lines.map(|number| number - 1).collect());
        let own = conditions.iter().filter_map(|(number, text)| {
            let line = number
                .checked_sub(1)
                .filter(|line| this.lines.contains(line))?;
            Some((line, Rc::from(&**text)))
        });
        this.conditions = Rc::new(own.collect());
        this
    }

    /// Conditions by line number, from 1.
    pub(crate) fn numbered_conditions(&self) -> Vec<(u32, String)> {
        let conditions = self.conditions.iter();
        conditions
            .map(|(line, text)| (line + 1, String::from(&**text)))
            .collect()
    }

    /// Line numbers, from 1, in ascending order.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.lines.iter().map(|line| line + 1).collect()
    }

    /// Lines, from 0, in ascending order.
    pub(crate) fn lines(&self) -> Rc<[u32]> {
        Rc::clone(&self.lines)
    }

    /// Conditions by line.
    pub(crate) fn conditions(&self) -> Rc<BTreeMap<u32, Rc<str>>> {
        Rc::clone(&self.conditions)
    }

    /// Last change, for screen readers.
    pub(crate) fn change(&self) -> Rc<str> {
        Rc::clone(&self.change)
    }

    /// `instructions` are the lines of the program's instructions: a breakpoint
    /// moves down to the next of them.
    pub(crate) fn apply(
        &mut self,
        action: BreakpointAction,
        instructions: impl Iterator<Item = u32>,
    ) {
        let change = match action {
            BreakpointAction::Toggle(line) => self.toggle(line, instructions),
            BreakpointAction::Condition(line, text) => self.set_condition(line, &text),
            BreakpointAction::Clear => {
                self.set(Vec::new());
                String::from("All breakpoints removed.")
            }
        };
        self.change = change.into();
    }

    fn toggle(&mut self, line: u32, mut instructions: impl Iterator<Item = u32>) -> String {
        let mut lines = self.lines.to_vec();
        if lines.contains(&line) {
            lines.retain(|other| *other != line);
            self.set(lines);
            return format!("Breakpoint on line {} removed.", line + 1);
        }
        let Some(instruction) = instructions.find(|at| *at >= line) else {
            return format!("There is no instruction on or after line {}.", line + 1);
        };
        lines.push(instruction);
        self.set(lines);
        format!("Breakpoint on line {}.", instruction + 1)
    }

    fn set_condition(&mut self, line: u32, text: &str) -> String {
        let text = text.trim();
        let conditions = Rc::make_mut(&mut self.conditions);
        match text {
            "" => conditions.remove(&line),
            text => conditions.insert(line, text.into()),
        };
        match text {
            "" => format!("Breakpoint on line {} without a condition.", line + 1),
            text => format!("Breakpoint on line {} if {text}.", line + 1),
        }
    }

    fn set(&mut self, mut lines: Vec<u32>) {
        lines.sort_unstable();
        lines.dedup();
        if lines.len() < self.lines.len() {
            let conditions = self.conditions.iter();
            let kept = conditions.filter(|(line, _)| lines.contains(line));
            self.conditions = Rc::new(kept.map(|(line, text)| (*line, Rc::clone(text))).collect());
        }
        self.lines = lines.into();
    }

    /// Moves the breakpoints along with an edit.
    pub(crate) fn follow_edit(&mut self, old: &str, new: &str) {
        self.stopped = None;
        if !self.lines.is_empty() {
            let edit = LineEdit::between(old, new);
            let conditions = self.conditions.iter();
            let moved =
                conditions.filter_map(|(line, text)| Some((edit.line(*line)?, Rc::clone(text))));
            self.conditions = Rc::new(moved.collect());
            self.set(
                self.lines
                    .iter()
                    .filter_map(|line| edit.line(*line))
                    .collect(),
            );
        }
    }

    /// Records that the run stopped, at a step, before the instruction of a
    /// line.
    pub(crate) fn stop_before(&mut self, line: u32, step: usize) {
        self.stopped = Some((line, step));
    }

    /// Line before which the run stopped, while it is at that step.
    pub(crate) fn stopped_at(&self, step: usize) -> Option<u32> {
        let (line, stopped) = self.stopped?;
        (stopped == step).then_some(line)
    }

    /// Whether the run stopped at a breakpoint, at this step or another.
    pub(crate) const fn has_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Clears the stop when the run continues or the user seeks.
    pub(crate) fn leave(&mut self) {
        self.stopped = None;
    }
}

/// Effect of an edit on lines: those before `first` are unchanged, `removed`
/// lines become `inserted` lines, and the rest move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineEdit {
    first: u32,
    removed: u32,
    inserted: u32,
    /// Whether the start of the first changed line is unchanged.
    keeps_start: bool,
}

impl LineEdit {
    /// The common prefix and suffix of the two texts are not part of the edit.
    fn between(old: &str, new: &str) -> Self {
        let (range, insert) = difference(old, new);
        let head = &old[..range.start];
        Self {
            first: line_ends(head),
            removed: line_ends(&old[range]) + 1,
            inserted: line_ends(insert) + 1,
            keeps_start: !head.is_empty() && !head.ends_with('\n'),
        }
    }

    /// Line after the edit, if it still exists.
    fn line(self, line: u32) -> Option<u32> {
        let (removed, inserted) = (self.removed, self.inserted);
        let within = line.checked_sub(self.first);
        match within {
            None => Some(line),
            Some(0) if self.keeps_start => Some(line),
            // The end of the line is now the end of another line.
            Some(within) if within + 1 >= removed => Some(line + inserted - removed),
            Some(within) if removed == inserted || within + 1 < inserted => Some(line),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_edits() {
        let cases = [
            ("a\nb\nc", "a\nxb\nc", [Some(0), Some(1), Some(2)]),
            ("a\nb\nc", "\na\nb\nc", [Some(1), Some(2), Some(3)]),
            ("a\nb\nc", "a\n\nb\nc", [Some(0), Some(2), Some(3)]),
            ("a\nbb\nc", "a\nb\nb\nc", [Some(0), Some(1), Some(3)]),
            ("a\nb\nc", "a\nc", [Some(0), None, Some(1)]),
            ("a\nb\nc", "ab\nc", [Some(0), Some(0), Some(1)]),
            ("a\nb\nc", "b\nc", [None, Some(0), Some(1)]),
            ("a\nb\nc", "x\ny\nz", [Some(0), Some(1), Some(2)]),
            ("a\nb\nc", "a\nb\nc\nd", [Some(0), Some(1), Some(2)]),
            ("a\nb\nc", "", [None, None, Some(0)]),
        ];
        for (old, new, wanted) in cases {
            let moved = LineEdit::between(old, new);
            let lines = [0, 1, 2].map(|line| moved.line(line));
            assert_eq!(lines, wanted, "{old:?} to {new:?}");
        }
    }

    #[test]
    fn invalid_saved_lines_are_dropped() {
        let restore = |numbers: &[u32]| Breakpoints::restore(numbers, &[], 5).numbers();
        assert_eq!(restore(&[5, 900, 3, 3, 0, u32::MAX]), [3, 5]);
        assert!(restore(&[]).is_empty());
    }
}
