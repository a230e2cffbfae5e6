//! Stage of the current instruction, on the page and in a player.

use super::kind::StagePaneProps;
use crate::store::State;
use lanewise_core::isa::{Family, Instruction, Style};
use lanewise_core::program::Program;
use yew::prelude::*;

impl State {
    /// Instruction of the stage: its line, from 0, and its full text, which the
    /// program may abbreviate:
    /// `dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0`.
    pub(crate) fn pictured_instruction(&self) -> Option<(u32, String)> {
        let session = self.pictured_session()?;
        let program = session.program();
        let placed = program.instructions.get(session.current_instruction()?)?;
        Some((placed.line, as_tools_write(&placed.instruction, program)))
    }

    /// Line of the instruction of the stage. Between two instructions, the stage
    /// shows the effects of the last one, and the program marks the next one.
    pub(crate) fn pictured_line_label(&self, pictured: u32) -> Option<String> {
        let shown = pictured + 1;
        let is_preview = self.outcomes.preview().is_some();
        Some(match self.current_line()? + 1 {
            next if next != shown && !is_preview => {
                format!("Line {shown} executed, line {next} is next: ")
            }
            _ => format!("Line {shown}: "),
        })
    }
}

/// Instruction as printed by vendor tools: SASS with its `;`.
fn as_tools_write(instruction: &Instruction, program: &Program) -> String {
    let style = match program.symbols.target.family() {
        Family::Visa => Style::Assembler,
        Family::Sass => Style::Document,
    };
    let mut text = String::new();
    instruction.print(&program.symbols, style, &mut text);
    text
}

/// Stage.
#[component]
pub(crate) fn StagePane(props: &StagePaneProps) -> Html {
    props.kind.picture(props)
}
