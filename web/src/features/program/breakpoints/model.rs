use super::BreakpointAction;
use lanewise_core::program::Program;
use lanewise_core::session::Condition;
use lanewise_core::text::LineEdit;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub(crate) struct Breakpoints {
    /// Condition of each breakpoint, by line from 0; empty for none.
    pub(crate) lines: Rc<BTreeMap<u32, Rc<str>>>,
    /// Where the run stopped; `None` once it continues or the user seeks.
    pub(super) stopped: Option<Stop>,
    /// Last change, for screen readers.
    pub(crate) change: Rc<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// Line of the breakpoint, from 0.
    pub(crate) line: u32,
    pub(super) step: usize,
    /// The thread that has reached it.
    pub(crate) thread: u8,
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

    /// A breakpoint on a line without an instruction moves down to the next one.
    pub(super) fn apply(&mut self, action: BreakpointAction, program: &Program) {
        self.change = Rc::from(match action {
            BreakpointAction::Toggle(line) => {
                let mut instructions = program.instructions.iter().map(|placed| placed.line);
                // An edit may have left it on a line without an instruction.
                let place = match self.lines.contains_key(&line) {
                    true => Some(line),
                    false => instructions.find(|at| *at >= line),
                };
                match place {
                    Some(place) => self.toggle(&[place], &format!("line {}", place + 1)),
                    None => format!("No instruction on or after line {}.", line + 1),
                }
            }
            BreakpointAction::ToggleSource(line) => match &text_lines(program, line)[..] {
                [] => format!("No instruction on source line {line}."),
                starts @ [first, ..] => self.toggle(starts, &breakpoint_place(program, *first)),
            },
            BreakpointAction::Condition(line, text) => match source_line(program, line) {
                Some(own) => {
                    let place = format!("source line {own}");
                    self.set_condition(&text_lines(program, own), &place, text.trim(), program)
                }
                None => {
                    let place = format!("line {}", line + 1);
                    self.set_condition(&[line], &place, text.trim(), program)
                }
            },
            BreakpointAction::Clear => {
                Rc::make_mut(&mut self.lines).clear();
                String::from("All breakpoints removed.")
            }
        });
    }

    /// Sets breakpoints on these lines, or removes them if any is set. Returns the change in
    /// words.
    fn toggle(&mut self, toggled: &[u32], place: &str) -> String {
        let lines = Rc::make_mut(&mut self.lines);
        if toggled.iter().any(|line| lines.contains_key(line)) {
            lines.retain(|line, _| !toggled.contains(line));
            format!("Breakpoint on {place} removed.")
        } else {
            lines.extend(toggled.iter().map(|line| (*line, Rc::from(""))));
            format!("Breakpoint on {place}.")
        }
    }

    /// Returns the change in words.
    fn set_condition(
        &mut self,
        changed: &[u32],
        place: &str,
        condition: &str,
        program: &Program,
    ) -> String {
        let conditions = changed.iter().map(|line| (*line, Rc::from(condition)));
        Rc::make_mut(&mut self.lines).extend(conditions);
        let mut changed = changed.iter();
        match condition {
            "" => format!("Breakpoint on {place} without a condition."),
            _ if changed.any(|line| self.condition_error(*line, program).is_some()) => {
                format!("Breakpoint on {place}; its condition is not valid, and has no effect.")
            }
            text => format!("Breakpoint on {place} if {text}."),
        }
    }

    /// Why the condition of a breakpoint is not valid. It has no effect then.
    pub(crate) fn condition_error(&self, line: u32, program: &Program) -> Option<String> {
        let text = self.lines.get(&line).filter(|text| !text.is_empty())?;
        Condition::parse(text, program).err()
    }

    /// Lines of the source, from 1, that have breakpoints.
    pub(crate) fn source_lines(&self, program: &Program) -> Vec<u32> {
        let lines = self.lines.keys();
        lines
            .filter_map(|line| source_line(program, *line))
            .collect()
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

    /// The stop, while the run is at that step.
    pub(crate) fn stopped_at(&self, step: usize) -> Option<Stop> {
        self.stopped.filter(|stop| stop.step == step)
    }
}

/// Lines of the text, from 0, at which executions of a line of the source start.
fn text_lines(program: &Program, line: u32) -> Vec<u32> {
    let starts = program.starts_of_source_line(line.into());
    let placed = starts.filter_map(|start| program.instructions.get(start as usize));
    placed.map(|placed| placed.line).collect()
}

/// The line of the source, from 1, whose executions start at a line of the text, from 0.
pub(crate) fn source_line(program: &Program, line: u32) -> Option<u32> {
    let instructions = &program.instructions;
    let at = instructions.binary_search_by_key(&line, |placed| placed.line);
    let line = program.source_line_start(u32::try_from(at.ok()?).ok()?)?;
    u32::try_from(line).ok()
}

/// The place of a breakpoint: `line 5`, or for a line of the source, `a.cl:5`.
pub(crate) fn breakpoint_place(program: &Program, line: u32) -> String {
    match (source_line(program, line), program.source_name()) {
        (Some(line), Some(name)) => format!("{name}:{line}"),
        _ => format!("line {}", line + 1),
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

    #[test]
    fn toggling_on_a_line_without_an_instruction_sets_and_removes_the_next_one() {
        let program = Program::parse("\nbarrier\n\n\nbarrier\n");
        let mut breakpoints = Breakpoints::default();
        for expected in [&[4][..], &[]] {
            breakpoints.apply(BreakpointAction::Toggle(2), &program);
            assert_eq!(*breakpoints.lines(), *expected);
        }
    }

    #[test]
    fn breakpoints_on_source_lines_are_set_where_the_line_starts() {
        let program =
            Program::parse("FILE \"src/a.cl\"\nLOC 3\nbarrier\nLOC 4\nbarrier\nLOC 3\nbarrier\n");
        let mut breakpoints = Breakpoints::default();
        breakpoints.apply(BreakpointAction::ToggleSource(3), &program);
        assert_eq!(*breakpoints.lines(), [1, 5]);
        assert_eq!(breakpoints.source_lines(&program), [3, 3]);
        assert_eq!(breakpoint_place(&program, 5), "a.cl:3");
        assert_eq!(breakpoint_place(&program, 2), "line 3");
        let condition = BreakpointAction::Condition(1, Rc::from(" lane 1 "));
        breakpoints.apply(condition, &program);
        assert!(breakpoints.lines.values().all(|text| &**text == "lane 1"));
        assert_eq!(breakpoints.condition_error(1, &program), None);
        let condition = BreakpointAction::Condition(1, Rc::from("lane 40"));
        breakpoints.apply(condition, &program);
        assert!(breakpoints.condition_error(5, &program).is_some());
        assert!(!breakpoints.change.contains("lane 40"));
        breakpoints.apply(BreakpointAction::ToggleSource(9), &program);
        breakpoints.apply(BreakpointAction::ToggleSource(3), &program);
        assert!(breakpoints.lines().is_empty());
    }
}
