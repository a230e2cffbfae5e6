//! `lanewise layout`.

use crate::common::lanewise;
use serde_json::Value;

fn layout(arguments: &[&str]) -> String {
    let all: Vec<&str> = ["layout"].iter().chain(arguments).copied().collect();
    let done = lanewise(&all, "");
    assert_eq!(done.code, 0, "{arguments:?}: {}", done.err);
    done.out
}

#[test]
fn overview_lists_the_contents_of_each_register() {
    let text = layout(&["dpasw.s8.u4.8.3"]);
    let wanted = "\
dpasw.s8.u4.8.3: N 8, K 32, OPS_PER_CHAN 4, registers of 32 bytes

A[i][k] = Src2: 3 × 32 elements of 4 bits, u4
  EU0.R0  A[0][0..31] bytes 0–15, A[1][0..31] bytes 16–31
  EU1.R0  A[2][0..31] bytes 0–15

B[k][n] = Src1: 32 × 8 elements of 8 bits, s8
  R0  dword n: B[0][n] bits 7:0, B[1][n] bits 15:8, B[2][n] bits 23:16, B[3][n] bits 31:24
";
    assert!(text.starts_with(wanted), "{text}");
    let last = "  R2  D[2][0..7] bytes 0–31\n";
    assert!(text.ends_with(last), "{text}");
}

#[test]
fn element_and_register_lookups_agree() {
    let instruction = "dpasw.s8.u4.8.3";
    let element = layout(&[instruction, "--matrix", "A", "--element", "2,5"]);
    assert_eq!(element, "A[2][5]    Src2 EU1.R0, byte 2, bits 7:4\n");
    let register = layout(&[instruction, "--matrix", "a", "--register", "EU1.R0"]);
    assert_eq!(register.lines().count(), 32, "{register}");
    assert!(register.contains(&element), "{register}");
    let weights = layout(&[instruction, "--matrix", "B", "--element", "9,7"]);
    assert_eq!(
        weights,
        "B[9][7]    Src1 each EU's R2, byte 29, bits 7:0, lane 7\n"
    );
    // By the table, EU0 supplies both rows of its R1.
    let table = layout(&[
        instruction,
        "--by",
        "table",
        "--matrix",
        "A",
        "--element",
        "2,5",
    ]);
    assert_eq!(table, "A[2][5]    Src2 EU0.R1, byte 2, bits 7:4\n");
}

#[test]
fn csv_md_and_json_list_every_element() {
    let csv = layout(&["dpasw.bf.bf.8.2", "--matrix", "B", "--format", "csv"]);
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("matrix,row,column,eu,register,byte,bits,lane")
    );
    assert_eq!(lines.next(), Some("B,0,0,each,0,0,15:0,0"));
    assert_eq!(lines.clone().count(), 16 * 8 - 1);
    assert_eq!(lines.last(), Some("B,15,7,each,7,30,15:0,7"));

    let md = layout(&["dpasw.u2.u2.8.1", "--matrix", "A", "--format", "md"]);
    assert!(md.starts_with("| matrix | row |"), "{md}");
    assert!(
        md.contains("\n| A | 0 | 63 | 0 | 0 | 15 | 7:6 |  |\n"),
        "{md}"
    );

    let json = layout(&["dpasw.s8.s8.8.8", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["src2_supplied"], serde_json::json!([4, 4]));
    assert_eq!(json["matrices"][1]["rows"], 32);
    let elements = json["elements"].as_array().expect("a list");
    assert_eq!(elements.len(), 8 * 32 + 32 * 8 + 64 + 64);
    let last_of_a = &elements[8 * 32 - 1];
    let wanted = serde_json::json!({
        "matrix": "A", "operand": "Src2", "row": 7, "column": 31, "eu": 1,
        "register": 3, "byte": 31, "bits": [0, 7], "lane": null,
    });
    assert_eq!(*last_of_a, wanted);
}

#[test]
fn complete_instruction_may_start_inside_a_register() {
    let done = layout(&[
        "dpasw.s8.u4.8.3 (M1, 8) D.0 C.0 B.0 A(0,4)",
        "--decl",
        ".decl D v_type=G type=d num_elts=24 align=GRF",
        "--decl",
        ".decl C v_type=G type=d num_elts=24 align=GRF",
        "--decl",
        ".decl B v_type=G type=ud num_elts=64 align=GRF",
        "--decl",
        ".decl A v_type=G type=ud num_elts=16 align=GRF",
        "--matrix",
        "A",
    ]);
    let wanted = "\
  EU0.R0  A[0][0..31] bytes 16–31
  EU0.R1  A[1][0..31] bytes 0–15
  EU1.R0  A[2][0..31] bytes 16–31
";
    assert!(done.ends_with(wanted), "{done}");
}

#[test]
fn invalid_arguments_are_rejected() {
    for (arguments, code, why) in [
        (&["dpasw.s8.u4.8.9"][..], 1, "error[E0341]"),
        (&["dpasw.s8.bf.8.8"], 1, "without a layout"),
        (&["frobnicate.s8.s8.8.8"], 1, "unknown instruction"),
        (&["dword_atomic.add"], 2, "neither matrices nor channels"),
        (&["dpasw.s8.s8.8.8", "--matrix", "E"], 2, "possible values"),
        (
            &["dpasw.s8.s8.8.8", "--element", "5"],
            2,
            "expected ROW,COLUMN",
        ),
        (
            &["dpasw.s8.s8.8.8", "--matrix", "A", "--element", "8,0"],
            2,
            "8 × 32",
        ),
        (
            &["dpasw.s8.s8.8.8", "--register", "EU2.R0"],
            2,
            "expected a register",
        ),
        (
            &["dpasw.s8.s8.8.3", "--matrix", "A", "--register", "EU1.R1"],
            2,
            "not accessed",
        ),
        (&["dpasw.s8.s8.4.8", "--by", "table"], 2, "depth of 8"),
    ] {
        let all: Vec<&str> = ["layout"].iter().chain(arguments).copied().collect();
        let done = lanewise(&all, "");
        assert_eq!(done.code, code, "{arguments:?}: {}", done.err);
        assert!(done.err.contains(why), "{arguments:?}: {}", done.err);
        assert_eq!(done.out, "", "{arguments:?}");
    }
}

#[test]
fn help_has_examples() {
    let help = layout(&["--help"]);
    assert!(
        help.contains("lanewise layout dpasw.s8.u4.8.3 --matrix A"),
        "{help}"
    );
}

#[test]
fn layout_of_scatter_and_gather_planes() {
    let overview = layout(&["svm_scatter4scaled.RGB", "--lanes", "16"]);
    let wanted = "\
svm_scatter4scaled.RGB (M1, 16) 0x0:uq OFFSETS.0 PLANES.0
src: one dword per lane and channel, 32-byte registers
  R0  R lanes 0..7 bytes 0–31
  R1  R lanes 8..15 bytes 0–31
  R2  G lanes 0..7 bytes 0–31
  R3  G lanes 8..15 bytes 0–31
  R4  B lanes 0..7 bytes 0–31
  R5  B lanes 8..15 bytes 0–31
";
    assert_eq!(overview, wanted);
    // On PVC each plane is padded to a 64-byte register.
    let pvc = ["--target", "visa PVC", "--element", "A,3"];
    let element = layout(&[&["SVM_GATHER4_SCALED.GA"], &pvc[..]].concat());
    assert_eq!(element, "A lane 3   dst R1, byte 12, bits 31:0\n");
    let csv = layout(&[
        "svm_gather4scaled.GA",
        "--register",
        "R1",
        "--format",
        "csv",
    ]);
    assert_eq!(csv.lines().count(), 9, "{csv}");
    assert!(csv.contains("\nA,3,1,12,31:0\n"), "{csv}");
    let json = layout(&["svm_gather4scaled.GA", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["elements"].as_array().unwrap().len(), 16);
    for (arguments, part) in [
        (
            &["svm_gather4scaled.GA", "--element", "R,3"][..],
            "unknown element",
        ),
        (&["svm_gather4scaled.GA", "--matrix", "A"], "--matrix"),
        (&["svm_gather4scaled.GA", "--register", "R2"], "R0 to R1"),
        (
            &["dpas.s8.s8.8.8", "--element", "G,3"],
            "scatters and gathers",
        ),
        (&["dword_atomic.add"], "neither matrices nor channels"),
    ] {
        let all: Vec<&str> = ["layout"].iter().chain(arguments).copied().collect();
        let done = lanewise(&all, "");
        assert_ne!(done.code, 0, "{arguments:?}");
        assert!(done.err.contains(part), "{arguments:?}: {}", done.err);
    }
}
