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

/// Highlighted part of the text.
fn highlighted_text(state: &State, pointed: Option<EncodingPoint>) -> Option<String> {
    let (start, end) = state.highlighted_text(pointed)?;
    let units: Vec<u16> = state.text().encode_utf16().collect();
    Some(String::from_utf16(&units[start as usize..end as usize]).unwrap())
}

/// Highlighted fields.
fn highlighted_fields(state: &State, pointed: Option<EncodingPoint>) -> Rc<[usize]> {
    state.encoding_inputs().highlighted_fields(pointed)
}

fn field_named(state: &State, name: &str) -> usize {
    current(state)
        .fields
        .iter()
        .position(|f| f.name == name)
        .unwrap()
}

#[test]
fn field_highlights_its_text() {
    for (text, highlighted) in [
        (
            "// 🦀\n.decl V32 v_type=G type=ud num_elts=16 align=GRF\n\
             dword_atomic.add.16 (M1, 8) %slm V32.0 V32.32 %null.0 V32.0",
            &[
                ("Opcode", Some("dword_atomic")),
                ("Op", Some("add")),
                ("16-bit", Some(".16")),
                ("Exec_size", Some("8")),
                ("Exec mask", Some("M1")),
                ("Pred id", None),
                ("Surface", Some("%slm")),
                ("Src0 offset", Some("V32.32")),
            ][..],
        ),
        (
            ".decl V32 v_type=G type=d num_elts=64 align=GRF\n\
             dpasw.s8.u4.8.3 (M1, 8) V32.0 %null.0 V32.0 V32(0,0)",
            &[
                ("W", Some("s8.u4")),
                ("SD", Some("8")),
                ("RC", Some("3")),
                ("Src0 id", Some("%null.0")),
            ],
        ),
        (
            ".target sass SM50\n@!P0 ATOM.E.CAS R0, [R2+0x10], R4, R5;",
            &[
                ("opcode", Some("ATOM")),
                (".E", Some("[R2+0x10]")),
                ("Pg negated", Some("@!P0")),
                ("Rb, Rc", Some("R5")),
            ],
        ),
    ] {
        let state = of_text(text);
        let messages: Vec<_> = state
            .source
            .problems
            .iter()
            .map(|p| p.message.clone())
            .collect();
        assert!(state.can_run(), "{messages:?} of {text}");
        for (name, wanted) in highlighted {
            let index = field_named(&state, name);
            let highlighted = highlighted_text(&state, field(index));
            assert_eq!(highlighted.as_deref(), *wanted, "{name} of {text}");
            assert_eq!(*highlighted_fields(&state, field(index)), [index]);
        }
        assert_eq!(state.highlighted_text(None), None);
    }
}

#[test]
fn text_position_highlights_its_fields() {
    let text = "// 🦀\n.target sass SM50\n@!P0 ATOM.CAS R0, [R2+0x10], R4, R5;";
    let state = of_text(text);
    for (token, fields) in [
        ("ATOM", &["opcode"][..]),
        ("CAS", &["opcode"]),
        ("!P0", &["Pg", "Pg negated"]),
        ("R0", &["Rd"]),
        ("R2", &["Ra", "offset", ".E"]),
        ("0x10", &["Ra", "offset", ".E"]),
        ("R5", &["Rb, Rc"]),
        (".target", &[]),
    ] {
        let byte = text.find(token).unwrap();
        let units = text[..byte].encode_utf16().count();
        let all = &current(&state).fields;
        let highlighted = highlighted_fields(&state, place(units));
        let highlighted: Vec<&str> = highlighted.iter().map(|i| all[*i].name).collect();
        assert_eq!(highlighted, fields, "{token}");
    }
    assert!(highlighted_fields(&state, place(u32::MAX as usize)).is_empty());
    assert!(highlighted_fields(&state, None).is_empty());
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

#[test]
fn matrix_is_found_despite_errors_elsewhere() {
    let mut state = of_text(BUNDLED[0].text);
    let text = format!("\n\n.nonsense\n{}", state.text());
    state.act(Action::Program(ProgramAction::Edit(text)));
    assert!(!state.can_run());
    let index = field_named(&state, "Op");
    let highlighted = highlighted_text(&state, field(index));
    assert_eq!(highlighted.as_deref(), Some("inc"));
    // The edit makes the position ambiguous.
    state.act(Action::Program(ProgramAction::Edit(
        "dword_atomic".to_owned(),
    )));
    assert_eq!(state.highlighted_text(field(index)), None);
}
