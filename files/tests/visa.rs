//! vISA objects and listings of the real assembler, compared with
//! `tests/vectors/files/objects.jsonl`.

use lanewise_core::program::Program;
use lanewise_files::{Content, FileKind, Function, OpenedFile, open};
use serde_json::Value;
use std::path::PathBuf;

fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/files")
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(vectors().join(name)).expect("a sample file")
}

fn manifest() -> Vec<Value> {
    let text = String::from_utf8(read("objects.jsonl")).expect("UTF-8");
    let lines = text.lines().map(|l| serde_json::from_str(l).expect("JSON"));
    lines.collect()
}

fn only(file: &OpenedFile) -> &Function {
    let [function] = file.functions.as_slice() else {
        panic!("{} functions", file.functions.len());
    };
    function
}

#[test]
fn complete_objects_match_the_record() {
    let mut instructions = 0;
    for entry in manifest().iter().filter(|e| e["instructions"].is_array()) {
        let name = entry["file"].as_str().expect("a name");
        let file = open(name, &read(name)).expect(name);
        assert_eq!(file.kind, FileKind::VisaObject { major: 4, minor: 1 });
        let function = only(&file);
        assert_eq!(function.name, entry["kernel"]);
        assert_eq!(function.target.name(), "visa XEHP");
        assert_eq!(function.notes, Vec::<String>::new(), "{name}");
        let recorded = entry["instructions"].as_array().expect("a list");
        assert_eq!(function.items.len(), recorded.len(), "{name}");
        for (item, recorded) in function.items.iter().zip(recorded) {
            let digits: String = item.bytes.iter().map(|b| format!("{b:02x}")).collect();
            assert_eq!(digits, recorded["bytes"], "{name}");
            assert_eq!(
                item.offset,
                recorded["offset"].as_u64().expect("a number") as usize
            );
            let text = recorded["disasm"].as_str();
            match &item.content {
                Content::Instruction { text: read, .. } => assert_eq!(Some(read.as_str()), text),
                Content::Label(label) => {
                    assert!(
                        recorded["op"]
                            .as_str()
                            .is_some_and(|op| op.contains("label")),
                        "{label}"
                    );
                }
                Content::Other(op) => assert_eq!(*op, recorded["op"]),
                other => panic!("{name}: {other:?}"),
            }
            instructions += 1;
        }
        let program = Program::parse(&function.scenario());
        let errors: Vec<_> = program.diagnostics.iter().map(|d| d.message()).collect();
        assert_eq!(
            program.instructions.len(),
            function.own_instructions(),
            "{errors:?}"
        );
        assert!(program.can_run(), "{name}: {errors:?}");
        for (placed, item) in program.instructions.iter().zip(
            function
                .items
                .iter()
                .filter(|i| matches!(i.content, Content::Instruction { .. })),
        ) {
            assert_eq!(placed.instruction.encode().bytes(), item.bytes, "{name}");
        }
    }
    println!("{instructions} pieces of complete objects agree");
    assert_eq!(instructions, 47);
}

#[test]
fn truncated_objects_are_detected_and_recovered() {
    let mut whole = 0;
    let mut partial = 0;
    for entry in manifest().iter().filter(|e| !e["instructions"].is_array()) {
        let name = entry["file"].as_str().expect("a name");
        let complete = name.replace(".shipped", "");
        let file = open(name, &read(name)).expect(name);
        let complete = open(&complete, &read(&complete)).expect("the complete one");
        let (function, complete) = (only(&file), only(&complete));
        assert!(
            function.notes[0].contains("last operands"),
            "{:?}",
            function.notes
        );
        // Same instructions in the same order, then padding.
        assert_eq!(function.items.len(), complete.items.len() + 1, "{name}");
        for (item, full) in function.items.iter().zip(&complete.items) {
            assert!(full.bytes.starts_with(&item.bytes), "{name}");
            match (&item.content, &full.content) {
                (Content::Instruction { text, .. }, Content::Instruction { text: full, .. }) => {
                    // Everything except the last two operands.
                    let words: Vec<&str> = text.split(' ').collect();
                    let full: Vec<&str> = full.split(' ').collect();
                    assert_eq!(words[..3], full[..3]);
                    whole += 1;
                }
                (Content::Incomplete { .. }, Content::Instruction { .. }) => partial += 1,
                // Arithmetic and flow without their last operands are names only.
                (Content::Other(_), Content::Instruction { .. }) => {}
                (one, other) => {
                    assert_eq!(std::mem::discriminant(one), std::mem::discriminant(other))
                }
            }
        }
        let program = Program::parse(&function.scenario());
        assert_eq!(program.instructions.len(), function.own_instructions());
    }
    println!("{whole} recovered, {partial} in part");
    assert!(whole > 5 && partial > 5, "{whole} {partial}");
}

#[test]
fn listings_match_their_objects() {
    for name in [
        "compare_and_swap",
        "four_families",
        "loop_with_labels",
        "matrix_tiles",
    ] {
        let listing = open("x.visaasm", &read(&format!("{name}.visaasm"))).expect(name);
        let object = open("x.isa", &read(&format!("{name}.isa"))).expect(name);
        assert_eq!(listing.kind, FileKind::VisaListing);
        let (listing, object) = (only(&listing), only(&object));
        assert_eq!(listing.name, name);
        let own = |f: &Function| -> Vec<String> {
            let own = f.items.iter().filter_map(|item| match &item.content {
                Content::Instruction { text, .. } => Some(text.clone()),
                _ => None,
            });
            own.collect()
        };
        assert_eq!(own(listing), own(object));
        let bytes = |f: &Function| -> Vec<u8> {
            let program = Program::parse(&f.scenario());
            let encoded = program.instructions.iter().map(|p| p.instruction.encode());
            encoded.flat_map(|e| e.bytes().to_vec()).collect()
        };
        assert_eq!(bytes(listing), bytes(object), "{name}");
    }
}

#[test]
fn version_3_6_has_one_byte_name_lengths() {
    // Version 3.6 of the same object: the name length is a UB, so all offsets in
    // the header decrease by one.
    let bytes = read("four_families.isa");
    let mut older = bytes[..8].to_vec();
    (older[4], older[5]) = (3, 6);
    older.push(bytes[8]);
    older.extend_from_slice(&bytes[10..]);
    let name = usize::from(bytes[8]);
    for field in [9 + name, 17 + name] {
        let at = field..field + 4;
        let value = u32::from_le_bytes(older[at.clone()].try_into().expect("4 bytes"));
        older[at].copy_from_slice(&(value - 1).to_le_bytes());
    }
    let file = open("x.isa", &older).expect("version 3.6");
    assert_eq!(file.kind, FileKind::VisaObject { major: 3, minor: 6 });
    assert_eq!(only(&file).own_instructions(), 10);
    older[4] = 2;
    let error = open("x.isa", &older).expect_err("version 2.6");
    assert!(error.to_string().contains("version 2.6"), "{error}");
}

/// Mnemonic of an instruction, or name of a label.
fn mnemonic(item: &lanewise_files::Item) -> &str {
    let text = match &item.content {
        Content::Instruction { text, .. } | Content::Other(text) | Content::Label(text) => text,
        Content::Incomplete { .. } => "incomplete",
        Content::Unreadable(why) => why,
    };
    let text = text.trim_start_matches("(P1) ");
    let word = text.split(' ').next().expect("a first piece");
    // The suffixes of LSC messages are about caches.
    match word.starts_with("lsc_") {
        true => word.split('.').next().expect("a first piece"),
        false => word,
    }
}

#[test]
fn instructions_with_field_dependent_length_are_split() {
    // The real assembler disassembles the complete objects to these listings,
    // which confirms the lengths.
    for (name, wanted) in [
        (
            "messages",
            "messages_0 dpas.s8.s8.8.8 lsc_load lsc_load lsc_store lsc_load_quad lsc_load lsc_load \
             lsc_load lsc_atomic_iadd lsc_atomic_iinc lsc_load_block2d lsc_fence \
             dpas.s8.u4.8.4 ret",
        ),
        (
            "pixels",
            "pixels_0 dword_atomic.add 3d_sample 3d_sample4 3d_load resinfo sampleinfo \
             dword_atomic.inc rt_write rt_write rt_write ret",
        ),
    ] {
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        let file = open(name, &read(&format!("{name}.isa"))).expect(name);
        let words: Vec<&str> = only(&file).items.iter().map(mnemonic).collect();
        assert_eq!(words, wanted);
        // The truncated object has the same instructions, then padding.
        let shipped = open(name, &read(&format!("{name}.shipped.isa"))).expect(name);
        let function = only(&shipped);
        assert!(function.notes[0].contains("last operands"), "{name}");
        let mut words: Vec<&str> = function.items.iter().map(mnemonic).collect();
        assert_eq!(words.pop(), Some("zero"));
        let wanted = wanted.iter().map(|w| {
            if w.starts_with("dpas") {
                "incomplete"
            } else {
                w
            }
        });
        assert_eq!(words, wanted.collect::<Vec<_>>());
        // The listing names no platform, and LSC messages are of later ones.
        if name != "messages" {
            let listing = open("x.visaasm", &read(&format!("{name}.visaasm"))).expect(name);
            assert_eq!(
                only(&listing).own_instructions(),
                only(&file).own_instructions(),
            );
        }
    }
}

#[test]
fn subroutines_after_a_truncated_return_are_found() {
    let file = open("x.isa", &read("subroutines.shipped.isa")).expect("it opens");
    let words: Vec<&str> = only(&file).items.iter().map(mnemonic).collect();
    assert_eq!(
        words.join(" "),
        "one_BB_0 BB_0 mov cmp dword_atomic.add (!P1) svm_atomic.inc jmp call ret \
         sub1 dword_atomic.xchg ret zero"
    );
}

#[test]
fn invalid_names_are_replaced() {
    let bytes = read("four_families.isa");
    let text = b"ones\0";
    let at = bytes.windows(5).position(|w| w == text).expect("the name");
    let mut odd = bytes.clone();
    odd[at..at + 4].copy_from_slice(b"o\"\n ");
    let file = open("x.isa", &odd).expect("it opens");
    let function = only(&file);
    assert!(
        function.notes[0].contains("1 names"),
        "{:?}",
        function.notes
    );
    let program = Program::parse(&function.scenario());
    assert_eq!(program.instructions.len(), 10, "{}", function.scenario());
    let encoded: Vec<u8> = program
        .instructions
        .iter()
        .flat_map(|p| p.instruction.encode().bytes().to_vec())
        .collect();
    let own = function
        .items
        .iter()
        .filter(|i| matches!(i.content, Content::Instruction { .. }));
    let bytes: Vec<u8> = own.flat_map(|i| i.bytes.clone()).collect();
    assert_eq!(encoded, bytes);
}

#[test]
fn unknown_instructions_are_skipped() {
    // Insert an undocumented opcode before the last instruction.
    let bytes = read("four_families.isa");
    let end = 839;
    let mut odd = bytes[..end - 4].to_vec();
    odd.extend_from_slice(&[0xf9, 1, 2, 3, 4, 5, 6, 7]);
    odd.extend_from_slice(&bytes[end - 4..]);
    // Sizes of the code and of the kernel.
    let size = 282_u32.to_le_bytes();
    let at = odd
        .windows(4)
        .rposition(|w| w == size)
        .expect("the code's size");
    odd[at..at + 4].copy_from_slice(&290_u32.to_le_bytes());
    let kernel = 786_u32.to_le_bytes();
    let at = odd
        .windows(4)
        .position(|w| w == kernel)
        .expect("the kernel's size");
    odd[at..at + 4].copy_from_slice(&794_u32.to_le_bytes());
    let file = open("x.isa", &odd).expect("it opens");
    let function = only(&file);
    assert_eq!(function.own_instructions(), 10);
    let last = &function.items[function.items.len() - 2..];
    assert!(
        matches!(&last[0].content, Content::Unreadable(why) if why.contains("opcode 0xf9")),
        "{last:?}"
    );
    assert!(matches!(&last[1].content, Content::Instruction { text, .. } if text == "ret (M1, 1)"));
}

#[test]
fn truncations_and_wrong_bytes_are_handled() {
    for name in [
        "four_families.isa",
        "loop_with_labels.isa",
        "compare_and_swap.shipped.isa",
    ] {
        let bytes = read(name);
        for end in 0..bytes.len() {
            if let Ok(file) = open(name, &bytes[..end]) {
                for function in &file.functions {
                    let _ = function.scenario();
                }
            }
        }
        for at in 0..bytes.len() {
            for value in [0x00, 0x7f, 0x80, 0xff] {
                let mut wrong = bytes.clone();
                wrong[at] = value;
                if let Ok(file) = open(name, &wrong) {
                    assert!(file.functions.len() <= 4);
                }
            }
        }
    }
    let cut = open("x.isa", &read("four_families.isa")[..100]).expect_err("cut");
    assert!(cut.to_string().starts_with("byte 0x"), "{cut}");
}
