//! Properties of every bundled instruction, and tests of pasted bytes.

use super::paste::PasteForm;
use super::*;
use crate::features::encoding::EncodingAction;
use crate::features::encoding::model::tests::{current, of_text};
use crate::features::program::ProgramAction;
use crate::features::transport::TransportAction;
use crate::store::Action;
use crate::store::State;
use lanewise_core::isa::Style;
use lanewise_core::library::{BUNDLED, KERNELS};

fn act(state: &mut State, action: EncodingAction) {
    state.act(Action::Encoding(action));
}

fn paste_form(state: &State) -> PasteForm {
    PasteForm::of(&state.encoding.pasted, &state.source)
}

fn type_in(state: &mut State, place: EditedBits, digits: &str) {
    act(state, EncodingAction::Type(place, digits.to_owned()));
}

/// Runs a check at every instruction of every bundled scenario but kernels, whose
/// hundreds of instructions are of few kinds.
fn everywhere(mut law: impl FnMut(&mut State, &str)) {
    for scenario in BUNDLED.iter().filter(|s| s.topic != KERNELS) {
        let mut state = of_text(scenario.text);
        let count = state.source.document.program.instructions.len();
        let mut seen = 0;
        for index in 0..count {
            let issue = state.session.first_issue_of(index);
            let start = issue.and_then(|issue| state.session.issue_start(issue));
            // A fault or a branch may keep it from being executed.
            let Some(start) = start else { continue };
            let position = if start == 0 { 0 } else { start + 1 };
            state.act(Action::Transport(TransportAction::Seek(position)));
            assert_eq!(state.session.current_instruction(), Some(index));
            law(&mut state, scenario.id);
            state.act(Action::Program(ProgramAction::Edit(
                scenario.text.to_owned(),
            )));
            seen += 1;
        }
        assert!(seen > 0, "{}", scenario.id);
    }
}

#[test]
fn unchanged_digits_are_a_no_op() {
    everywhere(|state, id| {
        let text = state.text();
        let encoding = current(state);
        assert!(encoding.is_written());
        type_in(state, EditedBits::Whole, &encoding.digits());
        assert!(std::rc::Rc::ptr_eq(&state.text(), &text), "{id}");
        assert!(
            !state
                .encoding_inputs()
                .model()
                .unwrap()
                .typed
                .unwrap()
                .is_wrong()
        );
        for (index, field) in encoding.fields.iter().enumerate() {
            if index < encoding.own_and_slot_fields().0.len() {
                type_in(
                    state,
                    EditedBits::Field(index),
                    &format!("{:#x}", field.bits),
                );
                assert_eq!(state.text(), text, "{id}: {}", field.name);
            }
        }
    });
}

#[test]
fn invalid_digits_never_change_the_text() {
    everywhere(|state, id| {
        let text = state.text();
        let digits = current(state).digits();
        let mut typed = vec![
            String::new(),
            "zz".to_owned(),
            "7d".to_owned(),
            format!("{digits}0"),
            format!("{digits} 00"),
            "ff ".repeat(40),
            "0x0000000000000000".to_owned(),
        ];
        typed.extend((2..digits.len()).map(|end| digits[..end].to_owned()));
        for typed in typed {
            type_in(state, EditedBits::Whole, &typed);
            assert_eq!(state.text(), text, "{id}: {typed}");
            let typed_now = state.encoding_inputs().model().unwrap().typed.unwrap();
            assert!(typed_now.is_wrong(), "{id}: {typed}");
            assert_eq!(&*typed_now.digits, typed);
        }
        act(state, EncodingAction::Forget);
        assert_eq!(state.encoding_inputs().model().unwrap().typed, None);
    });
}

#[test]
fn text_and_digits_agree_after_every_bit_flip() {
    everywhere(|state, id| {
        let original = state.text();
        let encoding = current(state);
        let bytes = encoding.bytes.clone();
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            type_in(
                state,
                EditedBits::Whole,
                &bytes_text(&changed, encoding.family()),
            );
            let typed = state.encoding_inputs().model().unwrap().typed.unwrap();
            if typed.is_wrong() {
                assert_eq!(state.text(), original, "{id}: bit {bit}");
                continue;
            }
            let now = current(state);
            assert!(now.is_written(), "{id}: bit {bit}");
            // Ignored bits do not appear in the text.
            let fields = &encoding.fields;
            let bit = u32::try_from(bit).unwrap();
            let has = |f: &&Field| f.first_bit <= bit && bit < f.first_bit + f.width;
            let ignored = fields.iter().find(has).unwrap().part == SyntaxPart::Ignored;
            if typed.remark.is_some() {
                assert_ne!(now.bytes, changed, "{id}: bit {bit}");
            } else if !ignored {
                assert_eq!(now.bytes, changed, "{id}: bit {bit}");
            }
            // The inverse edit restores the text.
            type_in(
                state,
                EditedBits::Whole,
                &bytes_text(&bytes, encoding.family()),
            );
            let back = current(state);
            assert_eq!(back.bytes, bytes, "{id}: bit {bit}");
            assert!(state.can_run(), "{id}: bit {bit}: {}", state.text());
            state.act(Action::Program(ProgramAction::Edit(original.to_string())));
        }
    });
}

#[test]
fn edits_keep_style_and_surrounding_text() {
    for (before, after) in [
        (
            "dword_atomic.inc (M1, 8) %slm V32.0 %null.0 %null.0 V32.0 // 🦀",
            "dword_atomic.dec (M1, 8) %slm V32.0 %null.0 %null.0 V32.0 // 🦀",
        ),
        (
            "DWORD_ATOMIC.INC (8) T0 V32 V0 V0 V32 // 🦀\nsvm_atomic",
            "DWORD_ATOMIC.DEC (8) T0 V32 V0 V0 V32 // 🦀\nsvm_atomic",
        ),
    ] {
        let decl = "// é\n.decl V32 v_type=G type=ud num_elts=8 align=GRF\n";
        let mut state = of_text(&format!("{decl}{}", before.replace("\nsvm_atomic", "")));
        assert!(state.can_run());
        type_in(&mut state, EditedBits::Field(1), "3");
        assert_eq!(
            *state.text(),
            format!("{decl}{}", after.replace("\nsvm_atomic", ""))
        );
        let end = state.text().find(" //").unwrap();
        let units = u32::try_from(state.text()[..end].encode_utf16().count()).unwrap();
        let caret = state.source.caret.unwrap().value;
        assert_eq!((caret.selection, caret.focus), ((units, units), false));
    }
}

#[test]
fn every_bundled_encoding_can_be_pasted() {
    everywhere(|state, id| {
        let encoding = current(state);
        act(state, EncodingAction::Paste(encoding.digits()));
        let form = paste_form(state);
        let [item] = form.found.items.as_slice() else {
            panic!("{id}: {:?}", form.found);
        };
        assert_eq!(form.refused, "", "{id}");
        let names = &state.source.document.program.symbols;
        let styles = [Style::Assembler, Style::Document];
        let mut texts = styles.map(|style| encoding.instruction.text(names, style));
        if encoding.instruction.is_scheduled() {
            let mut instruction = encoding.instruction.clone();
            instruction.set_schedule(None);
            texts = styles.map(|style| instruction.text(names, style));
        }
        assert!(texts.contains(&item.text), "{id}: {}", item.text);
        let count = state.source.document.program.instructions.len();
        act(state, EncodingAction::Insert);
        assert!(state.can_run(), "{id}: {}", state.text());
        assert_eq!(
            state.source.document.program.instructions.len(),
            count + 1,
            "{id}"
        );
        let line = paste_form(state).inserted.unwrap();
        let inserted = state.text().lines().nth(line - 1).unwrap().to_owned();
        assert_eq!(inserted, item.text, "{id}");
    });
}
