use super::{highlighted_fields, highlighted_text, written_instruction};
use crate::features::encoding::EncodingAction;
use crate::features::highlight::EncodingPoint;
use crate::features::transport::TransportAction;
use crate::store::State;
use lanewise_answer::decoding::EditedBits;
use lanewise_core::library::{BUNDLED, KERNELS};

fn field(index: usize) -> Option<EncodingPoint> {
    Some(EncodingPoint::Field(index))
}

fn place(at: usize) -> Option<EncodingPoint> {
    Some(EncodingPoint::Text(at as u32))
}

#[test]
fn bundled_texts_and_fields_map_to_each_other() {
    for scenario in BUNDLED.iter().filter(|s| s.topic != KERNELS) {
        let mut state = State::of_text(scenario.text);
        let count = state.source.document.program.instructions.len();
        loop {
            let (session, document) = (&state.session, &state.source.document);
            let Some((_, written)) = written_instruction(session, document) else {
                break;
            };
            for (index, own) in written.fields.iter().enumerate() {
                let Some((start, _)) = highlighted_text(session, document, field(index)) else {
                    continue;
                };
                let highlighted = highlighted_fields(session, document, place(start as usize));
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
            state.act(TransportAction::Step);
        }
    }
}

#[test]
fn unknown_encodings_have_a_reason_instead_of_bits() {
    for (chip, is_known) in [("SM50", true), ("SM80", false)] {
        let state = State::of_text(&format!(".target sass {chip}\nATOM.ADD R0, [R2], R4;\n"));
        let (session, document) = (&state.session, &state.source.document);
        let (_, written) = written_instruction(session, document).unwrap();
        let (own, slot) = written.own_and_slot_fields();
        let parts = [written.bytes.is_empty(), own.is_empty(), slot.is_empty()];
        assert_eq!(parts, [!is_known; 3], "{chip}");
        assert_eq!(written.error.is_none(), is_known, "{chip}");
    }
}

#[test]
fn edits_keep_style_and_surrounding_text() {
    for (before, after) in [
        (
            "dword_atomic.inc (M1, 8) %slm V32.0 %null.0 %null.0 V32.0 // 🦀",
            "dword_atomic.dec (M1, 8) %slm V32.0 %null.0 %null.0 V32.0 // 🦀",
        ),
        (
            "DWORD_ATOMIC.INC (8) T0 V32 V0 V0 V32 // 🦀",
            "DWORD_ATOMIC.DEC (8) T0 V32 V0 V0 V32 // 🦀",
        ),
    ] {
        let decl = "// é\n.decl V32 v_type=G type=ud num_elts=8 align=GRF\n";
        let mut state = State::of_text(&format!("{decl}{before}"));
        assert!(state.can_run());
        let typed = EncodingAction::Type(EditedBits::Field(1), String::from("3"));
        state.act(typed);
        assert_eq!(*state.text(), format!("{decl}{after}"));
        let end = state.text().find(" //").unwrap();
        let units = u32::try_from(state.text()[..end].encode_utf16().count()).unwrap();
        let caret = state.source.caret.unwrap().value;
        assert_eq!((caret.selection, caret.focus), ((units, units), false));
    }
}
