//! `lanewise open` and `lanewise disasm` on a recorded file of each kind.

use crate::common::{self, lanewise};
use lanewise_files::outline::{self, FileContents};
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
        10,
        "dword_atomic.",
    ),
    ("mixed.shipped.isa", "visa-object", "mix", 4, "barrier"),
    (
        "mixed.printed.visaasm",
        "visa-listing",
        "mix",
        26,
        "dword_atomic.add (M1, 8) %slm V36.0 V36.32 %null.0 V36.64",
    ),
    (
        "several_sm60.cubin",
        "cubin",
        "lock",
        18,
        "ATOM.E.CAS R0, [R2], R4, R5 &wr=5 ?stall2",
    ),
    (
        "several_sm61.relocatable.o",
        "cubin",
        "helper",
        12,
        "ATOM.E.ADD R4, [R4], R3 &rd=0 &wr=5 ?stall1",
    ),
    (
        "several_sm60.lives.sass",
        "sass-listing",
        "lock",
        14,
        "ATOM.E.CAS R0, [R2], R4, R5",
    ),
    (
        "several_sm60.raw.sass",
        "sass-listing",
        "shared_and_const",
        24,
        "RED.E.INC [R2], R0",
    ),
    (
        "several_sm60.code.sass",
        "sass-listing",
        "shared_and_const",
        24,
        "RED.E.DEC [R2], R8 ?stall1",
    ),
    (
        "atoms_sm52.cuobjdump.sass",
        "sass-listing",
        "reds",
        66,
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
        // A launch does not have the scheduling.
        let text = text.as_str().expect("a text").split(['&', '?']).next();
        assert!(
            scenario.contains(text.expect("a text").trim_end()),
            "{name}"
        );
        // The scenario can run, unless a note says that it cannot.
        let notes = found["notes"].as_array().expect("a list");
        let note = notes.first().and_then(Value::as_str).unwrap_or_default();
        let checked = lanewise(&["run", "--steps", "1", "-"], scenario);
        let has_errors = checked.err.contains("error[E0");
        assert_eq!(
            has_errors,
            note.contains("cannot be read"),
            "{name}: {}",
            checked.err
        );
    }
}

/// The kernels of a program, and a proposed launch.
#[test]
fn programs_open_as_json() {
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
    let program = format!("{vectors}/programs/edges.skl.bin");
    let opened = |file: &str, options: &[&str]| {
        let done = lanewise(&[&["open", file, "--json"], options].concat(), "");
        assert_eq!(done.err, "");
        let answer: Value = serde_json::from_str(&done.out).expect("one JSON object");
        (done.code, answer)
    };
    let (code, list) = opened(&program, &[]);
    assert_eq!((code, &list["ok"]), (0, &json!(true)));
    assert_eq!(
        (&list["kind"], &list["target"]),
        (&json!("program"), &json!("visa SKL"))
    );
    let kernels = list["kernels"].as_array().expect("a list");
    let kernel = |name: &str| {
        let mut kernels = kernels.iter();
        kernels.find(|k| k["name"] == name).expect("the kernel")
    };
    assert_eq!(kernel("required")["required_group_size"], json!([8, 4, 2]));
    assert!(kernel("required")["simd"].is_u64());
    assert!(kernel("grow")["no_launch"].is_null() && kernel("grow")["scenario"].is_null());
    let obstacle = kernel("outside")["no_launch"].as_str().expect("a reason");
    assert!(obstacle.contains("`missing`"), "{obstacle}");
    assert_eq!(
        kernel("offsets")["arguments"],
        json!([
            {"index": 0, "name": "o", "kind": "buffer", "type": "float*",
                "address_space": "global", "size": null},
            {"index": 1, "name": "offset0", "kind": "value", "type": "ulong",
                "address_space": null, "size": 8},
            {"index": 2, "name": "x", "kind": "buffer", "type": "const char*",
                "address_space": "global", "size": null},
            {"index": 3, "name": "begin1", "kind": "value", "type": "ulong",
                "address_space": null, "size": 8},
        ])
    );
    let (code, one) = opened(&program, &["--kernel", "big"]);
    assert_eq!((code, &one["ok"]), (0, &json!(true)));
    let big = &one["kernels"][0];
    assert_eq!(
        (&big["name"], &one["kernels"][1]),
        (&json!("big"), &Value::Null)
    );
    let text = lanewise(&["open", &program, "--kernel", "big"], "").out;
    assert_eq!(big["scenario"], text);
    let note = big["notes"][0].as_str().expect("a note");
    assert!(note.contains("`x` is shorter"), "{note}");
    let (code, refused) = opened(&program, &["--kernel", "outside"]);
    assert_eq!((code, &refused["ok"]), (1, &json!(false)));
    assert!(refused["kernels"][0]["no_launch"].is_string(), "{refused}");
    // A kernel of a listing, and one of a cubin.
    let listing = format!("{vectors}/files/saxpy_tail.pvc.visaasm");
    let (_, listed) = opened(&listing, &["--kernel", "kernel"]);
    assert_eq!(listed["kind"], "visa-kernel");
    assert!(listed["kernels"][0]["scenario"].is_string(), "{listed}");
    let cubin = format!("{vectors}/sass-kernels/basics.sm_80.sass");
    let (_, warps) = opened(&cubin, &["--kernel", "saxpy_tail"]);
    assert_eq!(warps["functions"][0]["name"], "saxpy_tail");
    assert!(warps["functions"][1].is_null(), "{warps}");
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
fn target_of_a_listing_can_be_given() {
    let file = sample("collatz.dg2.visaasm");
    let assumed = lanewise(&["open", &file], "");
    assert_eq!(assumed.code, 0);
    assert!(
        assumed.out.starts_with(".target visa XEHP\n"),
        "{}",
        assumed.out
    );
    assert!(
        assumed.err.contains("does not name its target"),
        "{}",
        assumed.err
    );
    let given = lanewise(&["open", &file, "--target", "visa DG2"], "");
    assert!(given.out.starts_with(".target visa DG2\n"), "{}", given.out);
    assert!(
        !given.err.contains("does not name its target"),
        "{}",
        given.err
    );
    // PVC follows from the size of a register.
    let pvc = sample("saxpy_tail.pvc.visaasm");
    let opened = lanewise(&["open", &pvc], "");
    assert!(
        opened.out.starts_with(".target visa PVC\n"),
        "{}",
        opened.out
    );
    let refused = lanewise(&["open", &pvc, "--target", "visa DG2"], "");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("found visa PVC"), "{}", refused.err);
    // A program is for the device that it names.
    let program = sample("../kernels/zebin/basics.dg2.bin");
    for command in [
        &["open"][..],
        &["open", "--kernel", "saxpy_tail"],
        &["check"],
        &["run", "--kernel", "saxpy_tail", "--global", "8"],
    ] {
        let refused = |target: &str| {
            let target = ["--target", target, &program];
            let done = lanewise(&[command, &target].concat(), "");
            (done.out + &done.err).contains("is not for")
        };
        assert!(refused("visa SKL") && !refused("visa DG2"), "{command:?}");
    }
    let unknown = lanewise(&["open", &pvc, "--target", "visa X"], "");
    assert_eq!(unknown.code, 2, "{}", unknown.err);
}

#[test]
fn results_say_what_they_rest_on() {
    let listing = "Function : f\nATOM.ADD R0, [R2], R4 ;\nMOV R1, R2 ;\n";
    let opened = lanewise(&["open", "-"], listing);
    let grouped = "1 instruction is not modeled, and is a comment: `MOV`";
    assert!(opened.err.contains(grouped), "{}", opened.err);
    for command in ["run", "outcomes"] {
        let text = lanewise(&[command, "-"], &*opened.out);
        let json = lanewise(&[command, "-", "--json"], &*opened.out);
        assert_eq!((text.code, json.code), (0, 0), "{}", text.err);
        for note in ["1 instruction is a comment", "start values are proposals"] {
            assert!(text.out.contains(note), "{command}: {}", text.out);
            assert!(json.err.contains(note), "{command}: {}", json.err);
        }
        let own = lanewise(&[command, "-"], "ret (M1, 1)\n");
        assert!(!own.out.contains("Note:"), "{}", own.out);
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
        // From standard input, as a file with this extension is compiled.
        let bytes = std::fs::read(sample(name)).expect("a file");
        let refused = lanewise(&["open", "-"], bytes);
        assert_eq!(refused.code, 1, "{name}");
        assert!(refused.err.contains(why), "{name}: {}", refused.err);
    }
    let later = lanewise(&["open", &sample("several_sm80.cubin")], "");
    assert_eq!(later.code, 2);
    assert!(later.err.contains("compiled for SM80"), "{}", later.err);
    let json = lanewise(&["open", "--json", &sample("several_sm80.cubin")], "");
    let answer: Value = serde_json::from_str(&json.out).expect("an answer");
    assert_eq!((json.code, &json.err), (2, &later.err));
    assert_eq!(answer["ok"], false);
    let check = lanewise(&["check", "--json", &sample("several_sm80.cubin")], "");
    let answer: Value = serde_json::from_str(&check.out).expect("an answer");
    let reported = answer["diagnostics"].as_array().expect("diagnostics");
    let messages: Vec<_> = reported.iter().map(|d| d["message"].as_str()).collect();
    assert_eq!(messages.len(), 1, "{answer}");
    assert!(messages[0].is_some_and(|m| m.contains("nvdisasm -c")));
}

#[test]
fn sources_for_nvidia_name_the_commands_that_list_them() {
    let cuda = "__global__ void f(int *a) { a[threadIdx.x] = 1; }\n";
    let done = lanewise(&["open", "-"], cuda);
    assert_eq!(done.code, 1);
    for command in ["nvcc -cubin", "nvdisasm -c"] {
        assert!(done.err.contains(command), "{}", done.err);
    }
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

/// The list of a file with one kernel, too.
#[test]
fn parameters_of_sass_are_listed() {
    let text = "// compiled for sm_80\nscale:\n.text.scale:\n\
        /*0000*/ MOV R2, c[0x0][0x160] ;\n\
        /*0010*/ MOV R3, c[0x0][0x164] ;\n\
        /*0020*/ LDG.E R4, [R2.64] ;\n\
        /*0030*/ FMUL R4, R4, c[0x0][0x168] ;\n\
        /*0040*/ ISETP.GE.AND P0, PT, RZ, c[0x0][0x16c], PT ;\n\
        /*0050*/ @P0 STG.E [R2.64], R4 ;\n\
        /*0060*/ EXIT ;\n";
    let file = common::file("parameters.sass", text);
    let file = file.to_str().expect("a name");
    let list = lanewise(&["open", file], "").out;
    let rows = "(sass SM80): 7 of 7 instructions can run
    0  buffer or value of 8 bytes at 0x160: float*, inferred from FMUL
    1  value of 4 bytes at 0x168: float, inferred from FMUL
    2  value of 4 bytes at 0x16c: integer, inferred from ISETP
  lanewise run ";
    assert!(list.contains(rows), "{list}");
    let scenario = lanewise(&["open", file, "--function", "scale"], "").out;
    assert!(scenario.contains(".param 0x168 = "), "{scenario}");
    let json = lanewise(&["open", file, "--json"], "").out;
    let answer: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        answer["functions"][0]["parameters"],
        json!([
            {"offset": "0x160", "size": 8, "buffer": true, "type": "float*", "inferred_from": "FMUL"},
            {"offset": "0x168", "size": 4, "buffer": false, "type": "float", "inferred_from": "FMUL"},
            {"offset": "0x16c", "size": 4, "buffer": false, "type": "integer", "inferred_from": "ISETP"},
        ])
    );
    // The list of the page.
    let (contents, _) = outline::read("a.sass", text.as_bytes(), None).expect("it opens");
    let FileContents::Outline(outline) = contents else {
        panic!("a list of functions");
    };
    let arguments = outline.entries[0].arguments.as_deref().expect("a kernel");
    let declared = ["float *arg0", "float arg1", "arg2: value of 4 bytes"];
    assert_eq!(arguments, declared);
}

/// A listing, and a cubin whose words are decoded, are listed as the page lists them, with a
/// command that launches each kernel.
#[test]
fn kernels_of_sass_are_listed_as_launches() {
    for (name, target) in [
        ("flow.sm_80.sass", "sass SM80"),
        ("flow.sm_50.sass", "sass SM50"),
        ("flow.sm_50.cubin", "sass SM50"),
    ] {
        let file = sample(&format!("../sass-kernels/{name}"));
        let bytes = std::fs::read(&file).expect("a file");
        let (contents, _) = outline::read(name, &bytes, None).expect("it opens");
        let FileContents::Outline(outline) = contents else {
            panic!("{name} is not a list of functions");
        };
        let json = lanewise(&["open", &file, "--json"], "");
        let answer: Value = serde_json::from_str(&json.out).expect("JSON");
        assert_eq!(answer["notes"], json!([]), "{name}");
        let functions = answer["functions"].as_array().expect("a list");
        assert_eq!(functions.len(), outline.entries.len(), "{name}");
        let list = lanewise(&["open", &file], "");
        let mut commands = list
            .out
            .lines()
            .filter(|line| line.contains("lanewise run"));
        for (function, entry) in functions.iter().zip(&outline.entries) {
            let runnable = entry.listing.as_ref().expect("a listing").runnable;
            let kernel = entry.name.as_str();
            assert_eq!(function["name"], kernel);
            assert_eq!(function["target"], target);
            assert_eq!(function["own"], runnable, "{name}: {kernel}");
            assert_eq!(function["instructions"], runnable, "{name}: {kernel}");
            let text = lanewise(&["open", &file, "--function", kernel], "").out;
            assert_eq!(text, lanewise(&["open", &file, "--kernel", kernel], "").out);
            assert_eq!(function["scenario"], text, "{name}: {kernel}");
            let command = commands.next().expect("a command").replace('\'', "");
            let words: Vec<&str> = command.split_whitespace().skip(1).collect();
            assert!(words.contains(&kernel), "{command}");
            let ran = lanewise(&words, "");
            assert!(ran.code < 2, "{command}: {}", ran.err);
        }
    }
}
