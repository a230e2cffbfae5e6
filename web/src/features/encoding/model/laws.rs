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
use lanewise_core::program::ProgramInstruction;

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
fn slot_follows_the_operands() {
    let text = ".target sass SM50\nATOM.ADD R0, [R2], R4;";
    let mut state = of_text(text);
    let encoding = current(&state);
    assert!(!encoding.specifies_slot());
    assert_eq!(encoding.slot_bits, 0x7f0);
    type_in(&mut state, EditedBits::Slot, "0x7f2");
    assert_eq!(
        *state.text(),
        *".target sass SM50\nATOM.ADD R0, [R2], R4 ?stall2;"
    );
    // Typing the word alone keeps the schedule.
    let word = current(&state).digits();
    type_in(
        &mut state,
        EditedBits::Whole,
        &word.replace("0xed0", "0xed1"),
    );
    assert!(
        state.text().contains("ATOM.MAX R0, [R2], R4 ?stall2;") || state.text().contains("?stall2")
    );
    let fields = current(&state);
    let stall = fields.own_and_slot_fields().0.len();
    assert_eq!(fields.fields[stall].name, "stall");
    type_in(&mut state, EditedBits::Field(stall), "f");
    assert!(state.text().contains("?stall15"), "{}", state.text());
    type_in(&mut state, EditedBits::Slot, "0x200000");
    let typed = state.encoding_inputs().model().unwrap().typed.unwrap();
    assert!(typed.error.as_ref().unwrap().contains("21 bits"));
}

#[test]
fn invalid_instruction_can_be_edited_further() {
    let mut state = of_text(BUNDLED[0].text);
    let before = state.text();
    // 32 lanes do not fit in V32: an error in the text.
    type_in(&mut state, EditedBits::Field(4), "5");
    assert!(!state.can_run(), "{}", state.text());
    let view = state.encoding_inputs().model().unwrap();
    assert!(view.instruction.is_written());
    assert!(!view.typed.unwrap().problems.is_empty());
    let lanes = &view.instruction.fields[4];
    assert_eq!((lanes.name, lanes.bits), ("Exec_size", 5));
    type_in(&mut state, EditedBits::Field(4), "4");
    assert_eq!(state.text(), before);
}

#[test]
fn missing_declarations_are_offered() {
    let text = "// two\n.decl V32 v_type=G type=f num_elts=8 align=GRF\n\
                .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\n\
                dword_atomic.fmax (M1, 8) %slm V33.0 V32.0 %null.0 V32.0";
    let mut state = of_text(text);
    let before = state.text();
    let src0 = &current(&state).fields;
    let src0 = src0.iter().position(|f| f.name == "Src0 id").unwrap();
    type_in(&mut state, EditedBits::Field(src0), "23");
    let typed = state.encoding_inputs().model().unwrap().typed.unwrap();
    assert!(typed.is_wrong() && state.text() == before);
    assert_eq!(typed.problems[0].code, "E0609");
    assert_eq!(
        *typed.declare,
        [
            ".decl V34 v_type=G type=ud num_elts=16 align=GRF",
            ".decl V35 v_type=G type=f num_elts=16 align=GRF"
        ]
    );
    act(&mut state, EncodingAction::Declare);
    let after = state.text();
    let (head, tail) = after.split_once("\n\n").unwrap();
    assert!(head.ends_with("num_elts=8 align=GRF\n.decl V34 v_type=G type=ud num_elts=16 align=GRF\n.decl V35 v_type=G type=f num_elts=16 align=GRF"));
    assert_eq!(
        tail,
        "dword_atomic.fmax (M1, 8) %slm V33.0 V35.0 %null.0 V32.0"
    );
    assert_eq!(current(&state).fields[src0].bits, 35);
    // Bits without a text form are reported for these bytes too.
    let mut state = of_text(text);
    let (family, bytes) = (current(&state).family(), current(&state).bytes.clone());
    let remark = |state: &State| {
        let typed = state.encoding_inputs().model().unwrap().typed.unwrap();
        typed.remark.clone()
    };
    let flipped = |bit: usize| {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    let lost = (0..bytes.len() * 8).find(|bit| {
        let mut state = of_text(text);
        type_in(
            &mut state,
            EditedBits::Whole,
            &bytes_text(&flipped(*bit), family),
        );
        remark(&state).is_some()
    });
    let mut both = flipped(lost.expect("an ignored bit"));
    let id = current(&state).fields[src0].first_bit as usize / 8;
    both[id] = 35;
    type_in(&mut state, EditedBits::Whole, &bytes_text(&both, family));
    assert_eq!(remark(&state), None);
    act(&mut state, EncodingAction::Declare);
    assert!(
        remark(&state).unwrap().contains("has no text form"),
        "{}",
        state.text()
    );
    // The number of offered declarations is limited.
    type_in(&mut state, EditedBits::Field(src0), "ffff");
    let typed = state.encoding_inputs().model().unwrap().typed.unwrap();
    assert!(typed.is_wrong() && typed.declare.is_empty());
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

#[test]
fn paste_declares_missing_variables() {
    for scenario in BUNDLED.iter().filter(|s| s.topic != KERNELS) {
        let all = of_text(scenario.text);
        let family = current(&all).family();
        let instructions = &all.source.document.program.instructions;
        if instructions
            .iter()
            .any(|p| p.instruction.branch().is_some())
        {
            // Bytes name labels by numbers that no text declares.
            continue;
        }
        let mut bytes = String::new();
        for placed in &all.source.document.program.instructions {
            bytes += &bytes_text(placed.instruction.encode().bytes(), family);
            bytes.push('\n');
        }
        let target = all.source.document.program.symbols.target.name();
        for text in [format!(".target {target}\n"), format!(".target {target}")] {
            let mut state = of_text(&text);
            act(&mut state, EncodingAction::Paste(bytes.clone()));
            let form = paste_form(&state);
            assert_eq!(form.refused, "", "{}: {:?}", scenario.id, form.found);
            act(&mut state, EncodingAction::Insert);
            let now: Vec<_> = state.source.document.program.instructions.iter().collect();
            let messages: Vec<_> = state
                .source
                .problems
                .iter()
                .map(|p| p.message.clone())
                .collect();
            let wanted = &all.source.document.program.instructions;
            assert_eq!(now.len(), wanted.len(), "{}: {messages:?}", state.text());
            for (now, wanted) in now.iter().zip(wanted) {
                let bytes = |p: &ProgramInstruction| p.instruction.encode();
                assert_eq!(bytes(now), bytes(wanted), "{}", state.text());
            }
        }
    }
}

#[test]
fn group_decodes_as_control_word_and_three_instructions() {
    let mut state = of_text(".target sass SM50\nATOM.ADD R0, [R2], R4;");
    let word = current(&state).digits();
    let group = format!("/* 0x001fc000fe2007f2 */ {word} {word} {word}");
    act(&mut state, EncodingAction::Paste(group));
    let form = paste_form(&state);
    let places: Vec<_> = form.found.items.iter().map(|i| &*i.place).collect();
    assert_eq!(places, ["Word 1: control", "Word 2", "Word 3", "Word 4"]);
    assert!(form.found.items[0].fields.len() > 6);
    assert!(form.found.items[1].text.contains("?stall2"));
    // Bytes of another family are decoded but not inserted.
    act(&mut state, EncodingAction::PasteFor(Family::Visa));
    act(
        &mut state,
        EncodingAction::Paste("7d 02 04 00 00 00 20 00 00 00 00 00".to_owned()),
    );
    assert_eq!(
        paste_form(&state).refused,
        "There are no instructions to insert."
    );
    let text = state.text();
    act(&mut state, EncodingAction::Insert);
    assert_eq!(state.text(), text);
}

/// Pasted bytes are decoded again when the program changes.
#[test]
fn pasted_bytes_follow_the_program() {
    let visa = BUNDLED.iter().find(|s| s.text.contains("dword_atomic"));
    let mut state = of_text(visa.unwrap().text);
    let digits = current(&state).digits();
    act(&mut state, EncodingAction::Paste(digits));
    assert_eq!(paste_form(&state).refused, "");
    act(&mut state, EncodingAction::Insert);
    assert!(paste_form(&state).inserted.is_some());
    let edit = |state: &mut State, text: String| {
        state.act(Action::Program(ProgramAction::Edit(text)));
    };
    let text = format!("// A comment\n{}", state.text());
    edit(&mut state, text);
    assert_eq!(paste_form(&state).inserted, None);
    // Their variables are undeclared at first, then all declared.
    let target = ".target visa XEHP\n";
    edit(&mut state, String::from(target));
    assert!(!paste_form(&state).found.declare.is_empty());
    edit(&mut state, visa.unwrap().text.to_owned());
    assert!(paste_form(&state).found.declare.is_empty());
    // The bytes are not a SASS word.
    let sass = ".target sass SM50\nATOM.ADD R0, [R2], R4;";
    edit(&mut state, String::from(sass));
    let form = paste_form(&state);
    assert_eq!(form.family, Family::Sass);
    assert!(form.found.items.iter().all(|item| item.text.is_empty()));
    act(&mut state, EncodingAction::Insert);
    assert_eq!(&*state.text(), sass);
    assert_eq!(paste_form(&state).inserted, None);
}
