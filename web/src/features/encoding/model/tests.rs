use super::*;
use crate::features::highlight::EncodingPoint;
use crate::features::program::ProgramAction;
use crate::features::transport::TransportAction;
use crate::store::State;
use crate::store::{Action, Saved};
use lanewise_core::library::{BUNDLED, KERNELS};

pub(crate) fn of_text(text: &str) -> State {
    let mut state = State::new(Saved::default());
    state.act(Action::Program(ProgramAction::Edit(text.to_owned())));
    state
}

fn field(index: usize) -> Option<EncodingPoint> {
    Some(EncodingPoint::Field(index))
}

fn place(at: usize) -> Option<EncodingPoint> {
    Some(EncodingPoint::Text(at as u32))
}

/// The current instruction.
pub(super) fn current(state: &State) -> Rc<EncodedInstruction> {
    let model = state.encoding_inputs().model();
    model.expect("there is a current instruction").instruction
}

/// Highlighted fields.
fn highlighted_fields(state: &State, pointed: Option<EncodingPoint>) -> Rc<[usize]> {
    state.encoding_inputs().highlighted_fields(pointed)
}

#[test]
fn bundled_texts_and_fields_map_to_each_other() {
    for scenario in BUNDLED.iter().filter(|s| s.topic != KERNELS) {
        let mut state = of_text(scenario.text);
        let count = state.source.document.program.instructions.len();
        while let Some((_, written)) = state.encoding_inputs().written_instruction() {
            for (index, own) in written.fields.iter().enumerate() {
                let Some((start, _)) = state.highlighted_text(field(index)) else {
                    continue;
                };
                let highlighted = highlighted_fields(&state, place(start as usize));
                assert!(
                    highlighted.contains(&index),
                    "{} in {}",
                    own.name,
                    scenario.id
                );
            }
            if state.session.current_instruction().unwrap() + 1 == count {
                break;
            }
            state.act(Action::Transport(TransportAction::Step));
        }
    }
}
