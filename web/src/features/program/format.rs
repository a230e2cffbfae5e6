//! Rewrites the program in one syntax.

use super::LineIndex;
use crate::store::State;
use lanewise_core::ide::Formatted;
use lanewise_core::isa::Style;
use lanewise_core::text::counted;

impl State {
    /// Rewrites the instructions of the text as an undoable edit. `caret` is in
    /// UTF-16 code units, if known.
    pub(crate) fn format(&mut self, style: Style, caret: Option<u32>) {
        let done = self.source.document.format(style);
        let message = format_report(&done, &self.source.document.lines);
        if let Some(first) = done.edits.first() {
            let caret = match caret {
                Some(unit) => done.moved(self.source.document.lines.byte(unit)),
                None => first.span.start as usize + first.replacement.len(),
            };
            self.rewrite(&done.text, caret);
        }
        self.source.formatted = Some(message);
    }
}

/// Report: `2 instructions rewritten. Line 9 was not rewritten: the instruction
/// contains a comment.`
fn format_report(done: &Formatted, lines: &LineIndex) -> String {
    let message = match done.edits.len() {
        0 => String::from("Nothing to rewrite."),
        count => format!("{} rewritten.", counted(count, "instruction")),
    };
    let Some(kept) = done.kept.first() else {
        return message;
    };
    let (line, _) = lines.line_column(kept.span.start as usize);
    let message = format!("{message} Line {line} was not rewritten: {}.", kept.why);
    match done.kept.len() - 1 {
        0 => message,
        more => format!("{message} Also unchanged: {}.", counted(more, "more line")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::program::ProgramAction;

    #[test]
    fn format_keeps_the_caret_at_its_word() {
        let text = "// ä\n.decl V32 v_type=G type=ud num_elts=16 align=GRF\n\
                    DWORD_ATOMIC.INC (8) T0 V32 V0 V0 V32 // end\nadd (M1, 8) V32.0 V32.0 V32.0\n";
        let mut state = State::of_text(text);
        let reports = |state: &State, start: &str| {
            let report = state.source.formatted.as_ref();
            report.is_some_and(|report| report.starts_with(start))
        };
        let caret = |text: &str| text.find("// end").unwrap() as u32 - 1;
        state.act(ProgramAction::Format(Style::Assembler, Some(caret(text))));
        assert!(reports(&state, "1 instruction rewritten. Line 4 "));
        let now = state.text();
        assert!(
            now.contains("\ndword_atomic.inc (M1, 8) %slm V32.0 %null.0 %null.0 V32.0 // end\n")
        );
        let placed = state.source.caret.unwrap().value;
        assert_eq!(
            (placed.selection, placed.focus),
            ((caret(&now), caret(&now)), false)
        );
        state.act(ProgramAction::Format(Style::Assembler, None));
        assert!(reports(&state, "Nothing to rewrite."));
        assert_eq!(
            (state.text(), state.source.caret.unwrap().value),
            (now, placed)
        );
        state.act(ProgramAction::Edit(String::new()));
        assert_eq!(state.source.formatted, None);
    }
}
