//! Stage of the current instruction, on the page and in a player.

use super::kind::StagePaneProps;
use crate::store::State;
use lanewise_core::isa::{Family, Instruction, Style};
use lanewise_core::program::Program;
use yew::prelude::*;

impl State {
    /// Full text of the current instruction, which the program may abbreviate:
    /// `dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0`. Empty
    /// without an instruction.
    pub(crate) fn instruction_text(&self) -> String {
        let Some(session) = self.pictured_session() else {
            return String::new();
        };
        let program = session.program();
        let index = session.current_instruction();
        let placed = index.and_then(|index| program.instructions.get(index));
        placed.map_or_else(String::new, |placed| {
            as_tools_write(&placed.instruction, program)
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
