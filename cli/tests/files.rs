//! `lanewise open` and `lanewise disasm` on a recorded file of each kind.

mod common;

use common::lanewise;
use serde_json::{Value, json};
use std::path::PathBuf;

fn sample(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/files");
    path.join(name).display().to_string()
}

/// For each kind: file, `kind` of `open --json`, a function, its number of
/// supported instructions, and the text of one of them.
const KINDS: [(&str, &str, &str, u64, &str); 9] = [
    (
        "four_families.isa",
        "visa-object",
        "four_families",
        9,
        "dword_atomic.",
    ),
    (
        "mixed.shipped.isa",
        "visa-object",
        "mix",
        2,
        "dword_atomic.add (M1, 8) %slm V36.0 V36.32 %null.0 %null.0",
    ),
    (
        "mixed.printed.visaasm",
        "visa-listing",
        "mix",
        2,
        "dword_atomic.add (M1, 8) %slm V36.0 V36.32 %null.0 V36.64",
    ),
    (
        "several_sm60.cubin",
        "cubin",
        "lock",
        2,
        "ATOM.E.CAS R0, [R2], R4, R5 &wr=5 ?stall2",
    ),
    (
        "several_sm61.relocatable.o",
        "cubin",
        "helper",
        1,
        "ATOM.E.ADD R4, [R4], R3 &rd=0 &wr=5 ?stall1",
    ),
    (
        "several_sm60.lives.sass",
        "sass-listing",
        "lock",
        2,
        "ATOM.E.CAS R0, [R2], R4, R5",
    ),
    (
        "several_sm60.raw.sass",
        "sass-listing",
        "shared_and_const",
        2,
        "RED.E.INC [R2], R0",
    ),
    (
        "several_sm60.code.sass",
        "sass-listing",
        "shared_and_const",
        2,
        "RED.E.DEC [R2], R8 ?stall1",
    ),
    (
        "atoms_sm52.cuobjdump.sass",
        "sass-listing",
        "reds",
        8,
        "RED.E.ADD",
    ),
];

#[test]
fn every_kind_opens_as_json() {
    for (name, kind, function, own, instruction) in KINDS {
        let done = lanewise(&["open", &sample(name), "--json"], "");
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{name}");
        let answer: Value = serde_json::from_str(&done.out).expect("JSON");
        assert_eq!(answer["ok"], json!(true), "{name}");
        assert_eq!(answer["kind"], kind, "{name}");
        let functions = answer["functions"].as_array().expect("a list");
        let found = functions.iter().find(|f| f["name"] == function);
        let found = found.unwrap_or_else(|| panic!("{name}: {functions:?}"));
        assert_eq!(found["own"], own, "{name}");
        let items = found["items"].as_array().expect("a list");
        let text = items.iter().find(|item| {
            item["kind"] == "instruction"
                && item["text"]
                    .as_str()
                    .is_some_and(|text| text.starts_with(instruction))
        });
        let text = text.unwrap_or_else(|| panic!("{name}: {items:?}"))["text"].clone();
        let scenario = found["scenario"].as_str().expect("a text");
        assert!(scenario.contains(text.as_str().expect("a text")), "{name}");
        // The scenario can run.
        let checked = lanewise(&["run", "-"], scenario);
        assert!(!checked.err.contains("error[E0"), "{name}: {}", checked.err);
    }
}

#[test]
fn disasm_reads_every_kind() {
    for (name, _, function, own, instruction) in KINDS {
        let done = lanewise(&["disasm", &sample(name)], "");
        assert_eq!(done.code, 0, "{name}: {}", done.err);
        let head = format!("{function}:");
        let lines = done.out.lines().skip_while(|line| *line != head).skip(1);
        let lines: Vec<&str> = lines.take_while(|line| line.starts_with(' ')).collect();
        let found = lines.iter().filter(|line| line.contains(instruction));
        let found = u64::try_from(found.count()).expect("a count");
        assert!((1..=own).contains(&found), "{name}: {lines:?}");
        // Each line has an offset.
        assert!(lines.iter().all(|line| line.starts_with("  0x")), "{name}");
    }
}

#[test]
fn scenario_is_not_opened_as_a_listing() {
    let scenario = ".target visa XEHP\n.decl V32 v_type=G type=ud num_elts=16\n";
    let refused = lanewise(&["open", "-"], scenario);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(
        refused.err.contains("already a scenario"),
        "{}",
        refused.err
    );
}

#[test]
fn unsupported_files_are_identified() {
    let fat = [0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0];
    let refused = lanewise(&["open", "-", "--json"], fat);
    let answer: Value = serde_json::from_str(&refused.out).expect("JSON");
    assert_eq!(refused.code, 1);
    assert_eq!(
        (&answer["ok"], &answer["offset"]),
        (&json!(false), &json!(0))
    );
    assert!(
        answer["message"]
            .as_str()
            .expect("a text")
            .contains("fat binary")
    );
    for (name, why) in [
        ("several_sm60.graph.dot", "control flow graph"),
        ("several.ptx", "this is PTX"),
    ] {
        let refused = lanewise(&["open", &sample(name)], "");
        assert_eq!(refused.code, 1, "{name}");
        assert!(refused.err.contains(why), "{name}: {}", refused.err);
    }
    let later = lanewise(&["open", &sample("several_sm80.cubin")], "");
    assert_eq!(later.code, 0);
    assert!(later.err.contains("compiled for SM80"), "{}", later.err);
}

#[test]
fn explain_lists_source_constructs() {
    for (instruction, construct, source) in [
        ("ATOM", "atom{.global}.cas.b64", "observed: ptxas 12.4"),
        (
            "RED",
            "atom{.global}.add.u32 with an unused result",
            "observed: ptxas 12.4",
        ),
        (
            "DPASW",
            "intel_sub_group_i8_i8_split_matrix_mad_k32(a, b, acc), M = 8",
            "cl_intel_subgroup_split_matrix",
        ),
        (
            "SVM_ATOMIC",
            "atomic_inc on __global ulong, __spirv_AtomicIIncrement",
            "documented: OpenCL C",
        ),
    ] {
        let done = lanewise(&["explain", instruction], "");
        assert_eq!(done.code, 0);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let out = words(&done.out);
        assert!(out.contains(construct), "{instruction}: {}", done.out);
        assert!(out.contains(source), "{instruction}: {}", done.out);
    }
}
