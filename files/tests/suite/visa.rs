//! vISA objects and listings of the real assembler, compared with
//! `tests/vectors/files/objects.jsonl`.

use lanewise_core::diagnostic::{Diagnostic, Severity, to_usize};
use lanewise_core::isa::Target;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_files::{Content, FileKind, Function, Item, OpenedFile, open, open_for};
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
                Content::Label(_) | Content::Directive(_) => assert_eq!(recorded["op"], "label"),
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

/// Codes of the errors of a scenario, each with its line. Memory that is missing
/// is not one.
fn errors(scenario: &str) -> Vec<(&'static str, &str)> {
    let program = Program::parse(scenario);
    let errors = program.diagnostics.iter();
    let errors = errors.filter(|d| d.severity() == Severity::Error && !d.rule.concerns_running());
    let line = |d: &Diagnostic| {
        let before = &scenario[..to_usize(d.span.start)];
        let number = before.matches('\n').count();
        scenario.lines().nth(number).unwrap_or_default()
    };
    errors.map(|d| (d.rule.code, line(d))).collect()
}

#[test]
fn truncated_objects_are_detected_and_cannot_run() {
    let mut partial = 0;
    for entry in manifest().iter().filter(|e| !e["instructions"].is_array()) {
        let name = entry["file"].as_str().expect("a name");
        let complete = name.replace(".shipped", "");
        let file = open(name, &read(name)).expect(name);
        let complete = open(&complete, &read(&complete)).expect("the complete one");
        let (function, complete) = (only(&file), only(&complete));
        assert!(
            function.notes[0].contains("cannot be read")
                && function.notes[1].contains("last operands"),
            "{:?}",
            function.notes
        );
        // Same instructions in the same order; the padding is not one.
        assert_eq!(function.items.len(), complete.items.len(), "{name}");
        for (item, full) in function.items.iter().zip(&complete.items) {
            assert!(full.bytes.starts_with(&item.bytes), "{name}");
            match (&item.content, &full.content) {
                (Content::Incomplete { text, .. }, Content::Instruction { text: full, .. }) => {
                    // The first operands, where the rules allow null operands.
                    let words: Vec<&str> = text.split(' ').take(3).collect();
                    assert!(full.contains(&words.join(" ")), "{name}: {text}");
                    partial += 1;
                }
                (one, other) => {
                    assert_eq!(std::mem::discriminant(one), std::mem::discriminant(other));
                }
            }
        }
        // Every incomplete instruction is a line with an error.
        let scenario = function.scenario();
        assert_eq!(
            errors(&scenario).len(),
            function.instructions(),
            "{scenario}"
        );
        for (code, line) in errors(&scenario) {
            assert_eq!(code, "E0103", "{line}");
            assert!(
                line.starts_with("incomplete ") && line.contains("  // "),
                "{line}"
            );
        }
    }
    println!("{partial} in part");
    assert!(partial > 30, "{partial}");
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
fn mnemonic(item: &Item) -> &str {
    let text = match &item.content {
        Content::Instruction { text, .. }
        | Content::Other(text)
        | Content::Label(text)
        | Content::Directive(text) => text,
        Content::Incomplete { .. } => "incomplete",
        Content::Unreadable(why) => why,
    };
    let text = text.trim_start_matches("(P1) ");
    text.split(' ').next().expect("a first piece")
}

#[test]
fn instructions_with_field_dependent_length_are_split() {
    // The real assembler disassembles the complete objects to these listings,
    // which confirms the lengths.
    for (name, wanted) in [
        (
            "messages",
            ".function dpas.s8.s8.8.8 lsc_load lsc_load lsc_store lsc_load_quad lsc_load lsc_load \
             lsc_load lsc_atomic_iadd lsc_atomic_iinc lsc_load_block2d lsc_fence dpas.s8.u4.8.4 ret",
        ),
        (
            "pixels",
            ".function dword_atomic.add 3d_sample 3d_sample4 3d_load resinfo sampleinfo \
             dword_atomic.inc rt_write rt_write rt_write ret",
        ),
    ] {
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        let file = open(name, &read(&format!("{name}.isa"))).expect(name);
        let words: Vec<&str> = only(&file).items.iter().map(mnemonic).collect();
        assert_eq!(words.len(), wanted.len(), "{words:?}");
        for (word, wanted) in words.iter().zip(&wanted) {
            let suffix = word.strip_prefix(wanted);
            let is_name = suffix.is_some_and(|s| s.is_empty() || s.starts_with('.'));
            // Known by name only.
            let is_named = ["resinfo", "sampleinfo", "rt_write"].contains(wanted);
            assert!(
                is_name || is_named && *word == "incomplete",
                "{word} {wanted}"
            );
        }
        // The truncated object has the same instructions, then padding.
        let shipped = open(name, &read(&format!("{name}.shipped.isa"))).expect(name);
        let function = only(&shipped);
        assert_eq!(function.items.len(), wanted.len());
        let words = function.items.iter().skip(1).map(mnemonic);
        assert!(words.into_iter().all(|word| word == "incomplete"));
        // The listing is read for a platform that has its instructions.
        let listing = open("x.visaasm", &read(&format!("{name}.visaasm"))).expect(name);
        let (listing, object) = (only(&listing), only(&file));
        assert!(
            listing.own_instructions() >= object.own_instructions(),
            "{name}"
        );
    }
}

#[test]
fn subroutines_after_a_truncated_return_are_found() {
    let file = open("x.isa", &read("subroutines.shipped.isa")).expect("it opens");
    let function = only(&file);
    let words = function.items.iter().map(|item| match &item.content {
        Content::Incomplete { text, .. } => text.as_str(),
        Content::Directive(text) | Content::Label(text) => text,
        other => panic!("{other:?}"),
    });
    assert_eq!(
        words
            .map(|text| text.split(" (M").next().unwrap())
            .collect::<Vec<_>>()
            .join(" "),
        ".function \"one_BB_0\" BB_0 mov cmp (P1) dword_atomic.add (!P1) dword_atomic.max \
         svm_atomic.inc jmp call ret .function \"sub1\" dword_atomic.xchg ret"
    );
    let inputs: Vec<&String> = function
        .declarations
        .iter()
        .filter(|l| l.starts_with(".input"))
        .collect();
    assert_eq!(
        inputs,
        [
            ".input V32 offset=64 size=128",
            ".input T6 offset=32 size=4"
        ]
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
fn unknown_opcodes_are_lines_that_cannot_run() {
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
    let scenario = function.scenario();
    let [(code, line)] = errors(&scenario)[..] else {
        panic!("{scenario}");
    };
    assert_eq!(code, "E0103");
    assert!(
        line.starts_with("unreadable f901020304050607  // unknown opcode 0xf9"),
        "{line}"
    );
    assert!(
        function.notes[0].contains("`unreadable`"),
        "{:?}",
        function.notes
    );
    let last = &function.items[function.items.len() - 2..];
    assert!(
        matches!(&last[0].content, Content::Unreadable(why) if why.contains("opcode 0xf9")),
        "{last:?}"
    );
    assert_eq!(mnemonic(&last[1]), "ret");
}

/// `four_families.isa` with `more` bytes at the end of the code.
fn with_trailing_bytes(more: &[u8]) -> Vec<u8> {
    let mut bytes = read("four_families.isa");
    let end = 839;
    bytes.splice(end..end, more.iter().copied());
    for size in [282_u32, 786] {
        let at = bytes.windows(4).position(|w| w == size.to_le_bytes());
        let at = at.expect("the sizes of the code and of the kernel");
        let size = size + u32::try_from(more.len()).expect("a small size");
        bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
    }
    bytes
}

#[test]
fn a_function_ends_with_its_last_return() {
    let whole = open("x.isa", &read("four_families.isa")).expect("it opens");
    let whole = only(&whole);
    // Bytes that have a meaning as instructions: add, barrier, label 0 again.
    let add = &whole.items[1].bytes;
    let data: [&[u8]; 4] = [add, &[0x59, 0x59], &[0x31, 0, 0], &[0xf9, 1, 2]];
    for more in data {
        let file = open("x.isa", &with_trailing_bytes(more)).expect("it opens");
        let function = only(&file);
        assert_eq!(function.items, whole.items, "{more:02x?}");
        let note = format!("{} bytes after the last return", more.len());
        assert!(function.notes[0].starts_with(&note), "{:?}", function.notes);
    }
    // Zeros are padding.
    let padded = open("x.isa", &with_trailing_bytes(&[0; 9])).expect("it opens");
    assert_eq!(only(&padded).items, whole.items);
    assert_eq!(only(&padded).notes, Vec::<String>::new());
}

#[test]
fn opened_listings_are_the_same_programs_as_their_text() {
    let folder = std::fs::read_dir(vectors()).expect("the samples");
    let mut listings = 0;
    for entry in folder {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "visaasm") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let file = open("x.visaasm", text.as_bytes()).expect("a listing");
            let function = only(&file);
            let target = function.target.name();
            let scenario = function.scenario();
            let pasted = format!(".target {target}\n{text}");
            let (opened, pasted_program) = (Program::parse(&scenario), Program::parse(&pasted));
            let instructions = |program: &Program| {
                let all = program.instructions.iter();
                all.map(|placed| placed.instruction.clone())
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                instructions(&opened),
                instructions(&pasted_program),
                "{path:?}"
            );
            let labels = |program: &Program| program.labels().collect::<Vec<_>>();
            assert_eq!(labels(&opened), labels(&pasted_program), "{path:?}");
            let codes = |text| {
                errors(text)
                    .into_iter()
                    .map(|(code, _)| code)
                    .collect::<Vec<_>>()
            };
            assert_eq!(codes(&scenario), codes(&pasted), "{path:?}");
            listings += 1;
        }
    }
    println!("{listings} listings");
    assert!(listings >= 20, "{listings}");
}

#[test]
fn compiled_kernels_keep_every_line() {
    for (name, target, notes) in [
        ("collatz.dg2", "visa XEHP", 1),
        ("saxpy_tail.pvc", "visa PVC", 1),
        ("split_i8.dg2", "visa XEHP", 1),
    ] {
        let file = open("x.visaasm", &read(&format!("{name}.visaasm"))).expect(name);
        let function = only(&file);
        assert_eq!(
            function.target.name(),
            target,
            "{name}: {:?}",
            function.notes
        );
        assert_eq!(function.notes.len(), notes, "{name}: {:?}", function.notes);
        let is_about_target = |note: &String| note.contains("does not name its target");
        assert!(
            function.notes.iter().all(is_about_target),
            "{:?}",
            function.notes
        );
        assert_eq!(errors(&function.scenario()), []);
        let scenario = function.scenario();
        let lines = String::from_utf8(read(&format!("{name}.visaasm"))).expect("UTF-8");
        let code = lines
            .lines()
            .map(|l| l.split("//").next().unwrap_or("").trim());
        for line in code.filter(|line| !line.is_empty()) {
            assert!(
                scenario.lines().any(|l| l == line),
                "{name}: {line}\n{scenario}"
            );
        }
    }
}

#[test]
fn targets_come_from_the_listing_or_the_caller() {
    let r0 = ".kernel \"k\"\n.decl R v_type=G type=d num_elts=N align=GRF alias=<%r0, 0>\n";
    let (narrow, wide) = (r0.replace('N', "8"), r0.replace('N', "16"));
    let [pvc, lnl] = [Platform::Pvc, Platform::Lnl].map(|p| Some(Target::Visa(p)));
    for (text, asked, target, is_assumed) in [
        (narrow.clone(), None, "visa XEHP", true),
        (narrow.clone(), pvc, "visa PVC", false),
        (wide.clone(), None, "visa PVC", true),
        (
            format!("//.platform XeHPG\n{narrow}"),
            None,
            "visa DG2",
            false,
        ),
        (format!("//.platform DG2\n{narrow}"), pvc, "visa DG2", false),
        (format!("{wide}//Platform: XE2\n"), None, "visa BMG", false),
        (format!("{wide}//Platform: XE2\n"), pvc, "visa BMG", false),
        (format!("{wide}//Platform: XE2\n"), lnl, "visa LNL", false),
        (
            format!(".target visa MTL\n{narrow}"),
            pvc,
            "visa MTL",
            false,
        ),
    ] {
        let file = open_for("x.visaasm", text.as_bytes(), asked).expect("a listing");
        let function = only(&file);
        assert_eq!(function.target.name(), target, "{text}");
        let note = function
            .notes
            .iter()
            .find(|n| n.contains("does not name its target"));
        assert_eq!(note.is_some(), is_assumed, "{:?}", function.notes);
        assert!(
            note.is_none_or(|note| note.contains("`.target visa PVC`")),
            "{note:?}"
        );
    }
}

#[test]
fn the_first_line_is_read_for_every_target() {
    let listing = ".decl V32 v_type=G type=d num_elts=8 align=GRF\nmov (M1, 8) V32(0,0)<1> 1:d\n";
    for platform in Platform::ALL {
        let target = Some(Target::Visa(platform));
        let file = open_for("x.visaasm", listing.as_bytes(), target).expect("a listing");
        assert_eq!(only(&file).own_instructions(), 1, "{platform:?}");
    }
}

#[test]
fn unreadable_lines_of_a_listing_stay_lines() {
    let listing = ".kernel \"k\"\n.wrong x\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n\
         /* a comment\n over lines */ mov (M1, 8) V32(0,0)<1> 1:d // mov\n\
         twist (M1, 8) a\ntwist (M1, 8) b\nsample (M1, 8) a\n\
         mov (M1, 8) V99(0,0)<1> 1:d\nL:\nret (M1, 1)\n";
    let file = open("x.visaasm", listing.as_bytes()).expect("a listing");
    let function = only(&file);
    assert_eq!(
        function.notes[..2],
        [
            "3 instructions cannot be read, so the function cannot run: 2 × `twist`, `mov`",
            "1 instruction is not modeled, and stops a run that reaches it: `sample`",
        ]
    );
    let scenario = function.scenario();
    let lines: Vec<&str> = errors(&scenario)
        .into_iter()
        .map(|(_, line)| line)
        .collect();
    assert_eq!(lines.len(), 4, "{scenario}");
    assert_eq!(
        lines[..3],
        [".wrong x", "twist (M1, 8) a", "twist (M1, 8) b"]
    );
    assert!(
        lines[3].starts_with("mov (M1, 8) V99(0,0)<1> 1:d  // `V99`"),
        "{lines:?}"
    );
    assert!(scenario.contains("\nL:\nret (M1, 1)\n"), "{scenario}");
}

#[test]
fn an_object_runs_like_its_listing() {
    let name = "loop_with_labels";
    let runs = ["isa", "visaasm"].map(|extension| {
        let file = format!("{name}.{extension}");
        let file = open(&file, &read(&file)).expect(name);
        let program = Program::parse(&only(&file).scenario());
        assert!(program.can_run());
        let end = run(&program);
        (end.instructions, end.fault.map(|fault| fault.message))
    });
    assert_eq!(runs[0], runs[1]);
    // 16 times around the loop.
    assert!(runs[0].0 > 100, "{runs:?}");
}

/// Checks that a function runs with all of its instructions, or not at all.
fn assert_nothing_is_skipped(function: &Function) {
    let scenario = function.scenario();
    let program = Program::parse(&scenario);
    let is_whole = function.own_instructions() == function.instructions();
    if errors(&scenario).is_empty() {
        assert!(is_whole, "{scenario}");
        assert_eq!(program.instructions.len(), function.instructions());
    }
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
                    assert_nothing_is_skipped(function);
                }
            }
        }
        for at in 0..bytes.len() {
            for value in [0x00, 0x7f, 0x80, 0xff] {
                let mut wrong = bytes.clone();
                wrong[at] = value;
                if let Ok(file) = open(name, &wrong) {
                    assert!(file.functions.len() <= 4);
                    // Scenarios take longer.
                    for function in file.functions.iter().filter(|_| at % 5 == 0) {
                        assert_nothing_is_skipped(function);
                    }
                }
            }
        }
    }
    let cut = open("x.isa", &read("four_families.isa")[..100]).expect_err("cut");
    assert!(cut.to_string().starts_with("byte 0x"), "{cut}");
}

#[test]
fn sources_and_native_code_are_refused_with_a_command() {
    let refused = |name: &str, bytes: &[u8], part: &str| {
        let error = open(name, bytes).expect_err(name);
        assert!(error.is_recognised, "{name}");
        assert!(error.message.contains(part), "{name}: {error}");
    };
    let source = b"// Adds.\n__kernel void add(global int *a) { a[0]++; }\n";
    refused("add.cl", source, "-ze-emit-zebin-visa-sections");
    let native = b"//.kernel add\n//.platform DG2\nL0:\n  mov (8|M0) r1.0 r0.0\n";
    refused("add.asm", native, ".visaasm");
    let spirv = [&[0x03, 0x02, 0x23, 0x07][..], &[0; 28]].concat();
    refused("add.spv", &spirv, "-spirv_input");
    let zeros = open("page.bin", &[0; 4096]).expect_err("zeros");
    assert!(!zeros.is_recognised, "{zeros}");
}
