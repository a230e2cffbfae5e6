//! All of it that a run without breakpoints does without.

use super::super::State;
use super::BreakpointAction;

/// The lines of a text, counted as editors do.
fn line_count(text: &str) -> u32 {
    lines_before(text, text.len()) + 1
}

/// How many lines end before a byte.
fn lines_before(text: &str, byte: usize) -> u32 {
    let before = text.as_bytes().get(..byte).unwrap_or(&[]);
    let ends = before.iter().filter(|byte| **byte == b'\n').count();
    u32::try_from(ends).unwrap_or(u32::MAX)
}

/// What an edit does to lines: those before `first` stay, `gone` of them
/// become `new`, the others move along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moved {
    first: u32,
    gone: u32,
    new: u32,
    /// Whether the first of the lines that change keeps what it starts with.
    keeps_start: bool,
}

impl Moved {
    /// What two texts share at their start and at their end stays.
    fn between(old: &str, new: &str) -> Self {
        let same = |(a, b): &(u8, u8)| a == b;
        let head = old.bytes().zip(new.bytes()).take_while(same).count();
        let least = old.len().min(new.len());
        let ends = old.bytes().rev().zip(new.bytes().rev());
        let tail = ends.take(least - head).take_while(same).count();
        let first = lines_before(old, head);
        let lines = |text: &str| lines_before(text, text.len() - tail) - first + 1;
        let before = head.checked_sub(1).and_then(|at| old.as_bytes().get(at));
        Self {
            first,
            gone: lines(old),
            new: lines(new),
            keeps_start: before.is_some_and(|byte| *byte != b'\n'),
        }
    }

    /// Where a line is afterwards, if it is still there.
    fn line(self, line: u32) -> Option<u32> {
        let (first, gone, new) = (self.first, self.gone, self.new);
        let within = line.checked_sub(first);
        match within {
            None => Some(line),
            Some(0) if self.keeps_start => Some(line),
            // Its end is the end of another now.
            Some(within) if within + 1 >= gone => Some(line + new - gone),
            Some(within) if gone == new || within + 1 < new => Some(line),
            Some(_) => None,
        }
    }
}

/// Adds a line where its place is, unless it is there.
fn insert(lines: &mut Vec<u32>, line: u32) {
    if let Err(at) = lines.binary_search(&line) {
        lines.insert(at, line);
    }
}

fn keep(state: &mut State, lines: &[u32]) {
    let mut saved = String::new();
    for line in lines {
        if !saved.is_empty() {
            saved.push(',');
        }
        saved.push_str(&(line + 1).to_string());
    }
    state.breakpoints.saved = (!saved.is_empty()).then(|| saved.into());
    state.breakpoints.lines = lines.into();
}

/// Those of an earlier visit: numbers from 1 with commas between them.
pub(super) fn set(state: &mut State, saved: &str) {
    let count = line_count(&state.text);
    let (mut lines, mut number) = (Vec::new(), 0_u32);
    for byte in saved.bytes().chain([b',']) {
        if byte.is_ascii_digit() {
            number = number
                .saturating_mul(10)
                .saturating_add(u32::from(byte - b'0'));
            continue;
        }
        if number > 0 && number <= count {
            insert(&mut lines, number - 1);
        }
        number = 0;
    }
    keep(state, &lines);
}

pub(super) fn change(state: &mut State, action: &BreakpointAction) {
    let told = match action {
        BreakpointAction::Toggle(line) => toggle(state, *line),
        BreakpointAction::Clear => {
            keep(state, &[]);
            String::from("All breakpoints removed.")
        }
    };
    state.breakpoints.told = told.into();
}

fn toggle(state: &mut State, line: u32) -> String {
    let mut lines = state.breakpoints.lines.to_vec();
    if lines.contains(&line) {
        lines.retain(|l| *l != line);
        keep(state, &lines);
        return format!("Breakpoint on line {} removed.", line + 1);
    }
    let placed = state.written.instructions.iter().map(|placed| placed.line);
    let Some(placed) = placed.filter(|at| *at >= line).min() else {
        return format!("No breakpoint: no instruction from line {} on.", line + 1);
    };
    insert(&mut lines, placed);
    keep(state, &lines);
    format!("Breakpoint on line {}.", placed + 1)
}

/// The text becomes another by an edit.
pub(super) fn shift(state: &mut State, new: &str) {
    let moved = Moved::between(&state.text, new);
    let mut lines = Vec::new();
    for line in &*state.breakpoints.lines {
        if let Some(line) = moved.line(*line) {
            insert(&mut lines, line);
        }
    }
    // None is beyond the text to come.
    keep(state, &lines);
}

pub(super) fn meets(state: &mut State) -> bool {
    let next = state.session.next_instruction();
    if next == state.session.last_instruction() {
        return false;
    }
    let program = state.session.program();
    let line = next.and_then(|next| Some(program.instructions.get(next)?.line));
    let met = line.filter(|line| state.breakpoints.lines.contains(line));
    state.breakpoints.stopped = met.map(|line| (line, state.session.position()));
    met.is_some()
}

pub(super) fn stopped(line: u32) -> String {
    format!("Stopped at the breakpoint on line {}.", line + 1)
}

#[cfg(test)]
mod tests {
    use super::super::super::{Action, Saved};
    use super::*;

    const TEXT: &str = "\
.decl V32 v_type=G type=ud num_elts=8 align=GRF
// two of them
dword_atomic.inc (M1, 2) %slm V32.0 %null.0 %null.0 %null.0

dword_atomic.dec (M1, 2) %slm V32.0 %null.0 %null.0 %null.0
";

    fn with(text: &str) -> State {
        State::new(Saved {
            text: Some(text.to_owned()),
            ..Saved::default()
        })
    }

    fn toggle(state: &mut State, line: u32) {
        state.apply(Action::Breakpoint(BreakpointAction::Toggle(line)));
    }

    fn run(state: &mut State) -> usize {
        state.apply(Action::ToggleRun);
        for _ in 0..100 {
            state.apply(Action::Tick);
        }
        assert!(!state.is_running());
        state.execution().position
    }

    #[test]
    fn lines_move_along_with_edits() {
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
            let moved = Moved::between(old, new);
            let lines = [0, 1, 2].map(|line| moved.line(line));
            assert_eq!(lines, wanted, "{old:?} to {new:?}");
        }
    }

    #[test]
    fn a_breakpoint_comes_to_a_line_with_an_instruction_and_goes() {
        let mut state = with(TEXT);
        toggle(&mut state, 1);
        assert_eq!(*state.breakpoints(), [2]);
        assert_eq!(&*state.breakpoints_told(), "Breakpoint on line 3.");
        toggle(&mut state, 4);
        assert_eq!(*state.breakpoints(), [2, 4]);
        assert_eq!(state.saved_breakpoints().as_deref(), Some("3,5"));
        toggle(&mut state, 5);
        assert_eq!(*state.breakpoints(), [2, 4]);
        assert!(state.breakpoints_told().starts_with("No breakpoint"));
        toggle(&mut state, 2);
        assert_eq!(*state.breakpoints(), [4]);
        state.apply(Action::Breakpoint(BreakpointAction::Clear));
        assert!(state.breakpoints().is_empty() && state.saved_breakpoints().is_none());
    }

    #[test]
    fn a_run_stops_before_the_instruction_and_goes_on_from_there() {
        let mut state = with(TEXT);
        toggle(&mut state, 4);
        assert_eq!(run(&mut state), 2);
        let summary = state.execution().summary;
        assert_eq!(summary, "Stopped at the breakpoint on line 5.");
        assert_eq!(run(&mut state), 4);
        assert!(!state.execution().summary.contains("breakpoint"));
        // From the end a run starts over.
        assert_eq!(run(&mut state), 2);
        state.apply(Action::StepBack);
        state.apply(Action::Step);
        assert!(!state.execution().summary.contains("breakpoint"));
        state.apply(Action::ToEnd);
        toggle(&mut state, 2);
        assert_eq!(run(&mut state), 0);
        assert_eq!(run(&mut state), 2);
    }

    #[test]
    fn breakpoints_stay_with_their_lines_and_their_program() {
        let mut state = with(TEXT);
        toggle(&mut state, 4);
        state.apply(Action::Edit(format!("// more\n{TEXT}")));
        assert_eq!(*state.breakpoints(), [5]);
        assert_eq!(run(&mut state), 2);
        let saved = Saved {
            text: Some(TEXT.to_owned()),
            breakpoints: Some(String::from("5,x,900,3")),
            ..Saved::default()
        };
        let mut state = State::new(saved);
        assert_eq!(state.saved_breakpoints().as_deref(), Some("3,5"));
        assert_eq!(*state.breakpoints(), [2, 4]);
        state.apply(Action::Choose(String::from("histogram")));
        assert!(state.breakpoints().is_empty());
    }
}
