//! The edit of a diagnostic removes the diagnostic and gives the intended text.

use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::program::Program;

const D: &str = "\
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl V33 v_type=G type=ud num_elts=16 align=GRF
.decl V34 v_type=G type=ud num_elts=16 align=GRF
";

/// Code, span and message of every error.
fn errors(text: &str) -> Vec<(&'static str, String)> {
    let all = Program::parse(text).diagnostics;
    all.iter()
        .filter(|d| d.severity() == Severity::Error)
        .map(|d| (d.rule.code, d.span.of(text).to_owned()))
        .collect()
}

fn apply(text: &str, d: &Diagnostic) -> Option<String> {
    let edit = d.edit.as_ref()?;
    let mut text = text.to_owned();
    let (start, end) = (edit.span.start as usize, edit.span.end as usize);
    text.replace_range(start..end, &edit.replacement);
    Some(text)
}

/// Applies the first edit repeatedly; each edit must remove its diagnostic.
fn fix(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..20 {
        let before = Program::parse(&text).diagnostics;
        let Some(d) = before.iter().find(|d| d.edit.is_some()) else {
            break;
        };
        let fixed = apply(&text, d).unwrap();
        let same = |o: &&Diagnostic| (o.rule.code, &o.what) == (d.rule.code, &d.what);
        let after = Program::parse(&fixed).diagnostics;
        assert!(
            after.iter().filter(same).count() < before.iter().filter(same).count(),
            "{text}\n{}: {}\n{fixed}",
            d.rule.code,
            d.what
        );
        text = fixed;
    }
    text
}

/// Checks the error codes of each line, and the result of applying the edits.
fn check(head: &str, cases: &[(&str, &[&str], &str)]) {
    let mut wrong = Vec::new();
    for (bad, codes, good) in cases {
        let text = format!("{head}{bad}\n");
        let found = errors(&text);
        let got: Vec<&str> = found.iter().map(|(code, _)| *code).collect();
        let fixed = fix(&text);
        let line = fixed
            .strip_prefix(head)
            .unwrap_or(&fixed)
            .trim_end_matches('\n');
        if got != *codes || line != *good {
            wrong.push(format!("{bad}\n  {found:?}\n  → {line}"));
        }
        let left = errors(&fixed);
        if !left.is_empty() {
            wrong.push(format!("{bad}\n  → {line}\n  still {left:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that a line has an error without an edit, because no edit is safe.
fn no_edit(head: &str, line: &str, code: &str) {
    let all = Program::parse(&format!("{head}{line}\n")).diagnostics;
    let found: Vec<_> = all.iter().filter(|d| d.rule.code == code).collect();
    assert!(!found.is_empty(), "{line}: {all:?}");
    for d in found {
        assert!(d.edit.is_none() && !d.help.is_empty(), "{line}: {d:?}");
    }
}

#[test]
fn undeclared_init_names_are_declared_for_their_values() {
    let floats = ".init W = 1.5, 2, 3\n";
    let many = format!(".init V40 = {}1\n", "1, ".repeat(16));
    for (text, line) in [
        (floats, ".decl W v_type=G type=f num_elts=16 align=GRF\n"),
        (&many, ".decl V40 v_type=G type=ud num_elts=32 align=GRF\n"),
    ] {
        let fixed = fix(text);
        assert_eq!(fixed, format!("{line}{text}"));
        assert!(errors(&fixed).is_empty(), "{fixed}");
    }
}

#[test]
fn misspelled_null_is_replaced_without_new_diagnostics() {
    for null in ["%nul", "%nul.0"] {
        let text =
            format!("{D}dword_atomic.inc (M1, 8) %slm V32.0 {null} %null.0 V33.0\n.slm 64\n");
        let fixed = fix(&text);
        assert!(fixed.contains("V32.0 %null.0 %null.0 V33.0"), "{fixed}");
        let left = Program::parse(&fixed).diagnostics;
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn mask_size_operation_and_width_have_separate_spans() {
    let lane_rules = [
        ("dword_atomic.inc (M8, 8) %slm V32 V0 V0 V34", "E0315", "M8"),
        ("svm_atomic.inc (M8, 8) V35 V34 V0 V0", "W0407", "M8"),
        ("svm_atomic.fadd.64 (8) V35 V36 V36 V0", "W0424", ".64"),
        ("dword_atomic.fadd (8) T0 V32 V36 V0 V36", "W0401", "fadd"),
    ];
    let more = ".decl V35 v_type=G type=uq num_elts=8\n.decl V36 v_type=G type=f num_elts=16\n";
    for (line, code, place) in lane_rules {
        let text = format!("{D}{more}{line}\n");
        let all = Program::parse(&text).diagnostics;
        let d = all.iter().find(|d| d.rule.code == code);
        let at = d.map(|d| d.span.of(&text));
        assert_eq!(at, Some(place), "{line}: {all:#?}");
    }
    check(
        D,
        &[(
            "dword_atomic.inc (M8, 8) %slm V32 V0 V0 V34",
            &["E0315"],
            "dword_atomic.inc (M1, 8) %slm V32 V0 V0 V34",
        )],
    );
}

#[test]
fn invalid_execution_size_becomes_the_nearest() {
    let sizes = [
        ("17", "16"),
        ("20", "16"),
        ("24", "16"),
        ("30", "32"),
        ("64", "32"),
        ("12", "16"),
        ("5", "4"),
        ("0", "1"),
        ("0x1_0000_0000_0000_0000", "16"),
    ];
    for (bad, good) in sizes {
        let line = |size| format!("add (M1, {size}) V32(0,0)<1> V33(0,0)<0;1,0> 1:ud");
        check(D, &[(&line(bad), &["E0302"], &line(good))]);
    }
}

#[test]
fn commas_are_reported_individually() {
    check(
        D,
        &[
            (
                "dword_atomic.add (M1, 8) %slm V32.0,V33.0,%null.0 V34.0",
                &["E0306", "E0306"],
                "dword_atomic.add (M1, 8) %slm V32.0 V33.0 %null.0 V34.0",
            ),
            (
                "dword_atomic.add (M1, 8) %slm, V32.0, V33.0 ,%null.0,, V34.0",
                &["E0306"; 5],
                "dword_atomic.add (M1, 8) %slm V32.0 V33.0 %null.0 V34.0",
            ),
        ],
    );
}

#[test]
fn regions_become_byte_offsets() {
    check(
        D,
        &[
            (
                "dword_atomic.add (M1, 8) %slm V32(0,0)<0;1,0> V33.0(0,0)<8;8,1> %null.0 V34(0, 0)",
                &["E0306"; 3],
                "dword_atomic.add (M1, 8) %slm V32.0 V33.0 %null.0 V34.0",
            ),
            (
                "dword_atomic.add (M1, 4) %slm V32<8;8,1> V33(1,0)<8;8,1> %null.0 V34",
                &["E0306"; 2],
                "dword_atomic.add (M1, 4) %slm V32.0 V33.32 %null.0 V34",
            ),
        ],
    );
    no_edit(D, "dword_atomic.add (8) T0 V32(0,0 V33 V0 V34", "E0306");
}

#[test]
fn only_invalid_suffixes_are_removed() {
    let good = "dword_atomic.add (M1, 8) %slm V32 V33 V0 V34";
    check(
        D,
        &[
            (
                "dword_atomic.add. (M1, 8) %slm V32 V33 V0 V34",
                &["E0312"],
                good,
            ),
            (
                "dword_atomic.add.(M1, 8) %slm V32 V33 V0 V34",
                &["E0312"],
                "dword_atomic.add(M1, 8) %slm V32 V33 V0 V34",
            ),
            (
                "dword_atomic.add.64.x (M1, 8) %slm V32 V33 V0 V34",
                &["E0312", "E0312"],
                good,
            ),
            (
                "dword_atomic add (M1, 8) %slm V32 V33 V0 V34",
                &["E0311"],
                good,
            ),
        ],
    );
}

#[test]
fn targets_have_no_fix() {
    check(
        "",
        &[
            (".target", &["E0106"], ".target visa XEHP"),
            (".target PVC", &["E0106"], ".target visa PVC"),
            (".target PVCC", &["E0106"], ".target visa PVC"),
            (".target vis PVC", &["E0106"], ".target visa PVC"),
            (".target visa XEHPP", &["E0106"], ".target visa XEHP"),
        ],
    );
    no_edit("", ".target visa something", "E0106");
    no_edit("", ".target visa 5", "E0106");
    no_edit("", ".target something", "E0106");
    let fixed = Program::parse(&fix(".target PVC\n"));
    assert_eq!(fixed.symbols.target.name(), "visa PVC");
}

#[test]
fn missing_surface_is_inserted_and_invalid_one_replaced() {
    let good = "dword_atomic.add (8) T0 V32 V33 V0 V34";
    check(
        D,
        &[
            ("dword_atomic.add (8) V32 V33 V0 V34", &["E0310"], good),
            ("dword_atomic.add (8) V33 V32 V33 V0 V34", &["E0310"], good),
            (
                "dword_atomic.add (8) V33.0 V32 V33 V0 V34",
                &["E0310"],
                good,
            ),
            ("dword_atomic.add (8) 7 V32 V33 V0 V34", &["E0310"], good),
        ],
    );
    no_edit(D, "dword_atomic.add (8)", "E0310");
    let text = format!("{D}dword_atomic.add (7) V33 V32 V33.70000 V0 5\n");
    let codes: Vec<_> = errors(&text).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["E0302", "E0310", "E0307", "E0306"]);
}

#[test]
fn operations_are_suggested_in_both_spellings() {
    for (bad, good) in [
        ("imaxx", "imax"),
        ("imi", "imin"),
        ("IMAXX", "IMAX"),
        ("maxsin", "maxsint"),
        ("ad", "add"),
        ("cmpxch", "cmpxchg"),
    ] {
        let text = format!("{D}dword_atomic.{bad} (8) T0 V32 V33 V0 V34\n");
        let all = Program::parse(&text).diagnostics;
        let edits: Vec<&str> = all
            .iter()
            .filter_map(|d| d.edit.as_ref().map(|e| e.replacement.as_str()))
            .collect();
        assert_eq!(edits, [good], "{bad}");
    }
    let help = |line: &str| {
        let all = Program::parse(&format!("{D}{line}\n")).diagnostics;
        let d = all.iter().find(|d| d.rule.code == "E0311").cloned();
        d.map(|d| d.help.clone()).unwrap_or_default()
    };
    let all = "add, sub, inc, dec, min, max, xchg, cmpxchg, and, or, xor, imin, imax, predec, \
               fmax, fmin, fcmpwr, fadd, fsub";
    assert!(help("dword_atomic (8) T0 V32 V33 V0 V34").ends_with(all));
    assert!(help("dword_atomic.zzzzzzzz (8) T0 V32 V33 V0 V34").ends_with(all));
}

#[test]
fn open_parentheses_are_closed() {
    let head = format!("{D}.decl P1 v_type=P num_elts=32\n");
    let good = "(P1) dword_atomic.add (M1, 8) %slm V32 V33 V0 V34";
    let rest = "%slm V32 V33 V0 V34";
    check(
        &head,
        &[
            (
                "(P1 dword_atomic.add (M1, 8) %slm V32 V33 V0 V34",
                &["E0304"],
                good,
            ),
            (
                "(P1 P1) dword_atomic.add (M1, 8) %slm V32 V33 V0 V34",
                &["E0304"],
                good,
            ),
            (
                "(P1) dword_atomic.add (M1, 8 %slm V32 V33 V0 V34",
                &["E0301"],
                good,
            ),
            (
                "(P1) dword_atomic.add (M1 8) %slm V32 V33 V0 V34",
                &["E0301"],
                good,
            ),
            (
                "(P1) dword_atomic.add (M1,8,8) %slm V32 V33 V0 V34",
                &["E0301"],
                &format!("(P1) dword_atomic.add (M1,8) {rest}"),
            ),
            (
                "(P1) dword_atomic.add (M1) %slm V32 V33 V0 V34",
                &["E0301"],
                good,
            ),
            (
                "(P1) dword_atomic.add (M1,) %slm V32 V33 V0 V34",
                &["E0301"],
                &format!("(P1) dword_atomic.add (M1,8) {rest}"),
            ),
            (
                "(P1) dword_atomic.add %slm V32 V33 V0 V34",
                &["E0301"],
                good,
            ),
        ],
    );
    let text = format!("{head}(P1 dword_atomic.add (M1, 8 %slm V32 V33.70000 V0 V34\n");
    let codes: Vec<_> = errors(&text).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["E0304", "E0301", "E0307"]);
}

#[test]
fn undeclared_names_are_declared_before_the_line() {
    let ud = "num_elts=16 align=GRF";
    check(
        D,
        &[
            (
                "dword_atomic.add (8) T0 V32 values_1 V0 V34",
                &["E0305"],
                &format!(
                    ".decl values_1 v_type=G type=ud {ud}\ndword_atomic.add (8) T0 V32 values_1 V0 V34"
                )[..],
            ),
            (
                "  (mask_1) dword_atomic.inc (8) T0 V32 V0 V0 V34",
                &["E0305"],
                ".decl mask_1 v_type=P num_elts=32\n  (mask_1) dword_atomic.inc (8) T0 V32 V0 V0 V34",
            ),
            (
                "dword_atomic.inc (8) buffer_1 V32 V0 V0 V34",
                &["E0305"],
                ".decl buffer_1 v_type=T\ndword_atomic.inc (8) buffer_1 V32 V0 V0 V34",
            ),
        ],
    );
    // SVM: addresses are UQ; data of float operations are F.
    let text = format!("{D}.region svm 0 64\nsvm_atomic.fmax (8) where_at V0 number_1 V0\n");
    let fixed = fix(&text);
    assert!(
        fixed.contains(&format!(".decl where_at v_type=G type=uq {ud}\n")),
        "{fixed}"
    );
    assert!(
        fixed.contains(&format!(".decl number_1 v_type=G type=f {ud}\n")),
        "{fixed}"
    );
    assert!(errors(&fixed).is_empty(), "{fixed}: {:?}", errors(&fixed));
    // Similar names come first.
    let head =
        format!("{D}.decl where v_type=P num_elts=32\n.decl image v_type=T\n.surface image 64\n");
    check(
        &head,
        &[
            (
                "(wher) dword_atomic.inc (8) imag V32 V0 V0 V34",
                &["E0305", "E0305"],
                "(where) dword_atomic.inc (8) image V32 V0 V0 V34",
            ),
            (
                "dword_atomic.inc (8) slm V32 V0 V0 V34",
                &["E0305"],
                "dword_atomic.inc (8) %slm V32 V0 V0 V34",
            ),
        ],
    );
    check(
        D,
        &[(
            "dword_atomic.inc (8) T9 V32 V0 V0 V34",
            &["E0305"],
            ".decl T9 v_type=T\ndword_atomic.inc (8) T9 V32 V0 V0 V34",
        )],
    );
    // The start of the line is within a multi-line comment.
    no_edit(
        &format!("{D}/* a\n"),
        "b */ dword_atomic.add (8) T0 V32 values_1 V0 V34",
        "E0305",
    );
}

#[test]
fn labels_predicates_and_types_are_fixed() {
    check(
        D,
        &[
            (
                "HERE: mov (M1, 8) V34(0,0)<1> 1:ud",
                &["E0374"],
                "HERE:\n mov (M1, 8) V34(0,0)<1> 1:ud",
            ),
            ("SECOND_PART", &["E0103"], "SECOND_PART:"),
            (
                "cmp.lt (M1, 8) P9 V32(0,0)<1;1,0> 1:ud",
                &["E0305"],
                ".decl P9 v_type=P num_elts=32\ncmp.lt (M1, 8) P9 V32(0,0)<1;1,0> 1:ud",
            ),
            (
                "mov (M1, 8) V34(0,0)<1> 1:udd",
                &["E0370"],
                "mov (M1, 8) V34(0,0)<1> 1:ud",
            ),
        ],
    );
    no_edit(D, "mov (M1, 8) V34(0,0)<1> 1:xyz", "E0370");
    // The mnemonic is not the problem of a line without its parenthesis.
    no_edit(
        D,
        "P2) add (M1, 8) V34(0,0)<1> V32(0,0)<1;1,0> 1:ud",
        "E0103",
    );
    no_edit(D, "add (1, 8) V34(0,0)<1> V32(0,0)<1;1,0> 1:ud", "E0301");
}

/// A declaration has the type of the other operands.
#[test]
fn undeclared_vectors_are_declared_like_the_others() {
    for (line, ty) in [
        ("log (M1, 8) Far(0,0)<1> Near(0,0)<1;1,0>", "f"),
        ("add (M1, 8) Far(0,0)<1> 1.5:hf Odd(0,0)<1;1,0>", "hf"),
        ("add (M1, 8) Far(0,0)<1> V32(0,0)<1;1,0> 1:w", "ud"),
    ] {
        let head = format!("{D}.decl Near v_type=G type=f num_elts=16 align=GRF\n");
        let all = Program::parse(&format!("{head}{line}\n")).diagnostics;
        let edit = all.iter().find_map(|d| d.edit.as_ref()).expect("an edit");
        let declared = format!("type={ty} ");
        assert!(
            edit.replacement.contains(&declared),
            "{line}: {}",
            edit.replacement
        );
    }
}

#[test]
fn missing_last_operand_becomes_v0() {
    check(
        &format!("{D}.decl V35 v_type=G type=uq num_elts=8\n.region svm 0 64\n"),
        &[(
            "svm_atomic.add (8) V35 V34 V33 // no src1",
            &["E0309"],
            "svm_atomic.add (8) V35 V34 V33 V0 // no src1",
        )],
    );
    check(
        D,
        &[(
            "dword_atomic.inc (8) T0 V32 V0 V0",
            &["E0309"],
            "dword_atomic.inc (8) T0 V32 V0 V0 V0",
        )],
    );
    check(
        D,
        &[(
            "dword_atomic.add (M1, 8) %slm V32.0 V33.0 %null.0",
            &["E0309"],
            "dword_atomic.add (M1, 8) %slm V32.0 V33.0 %null.0 %null.0",
        )],
    );
    no_edit(D, "dword_atomic.inc (8) T0 V32", "E0309");
    // CMPXCHG requires src1.
    let svm = format!("{D}.decl V35 v_type=G type=uq num_elts=8\n.region svm 0 64\n");
    no_edit(
        &svm,
        "svm_atomic.cmpxchg (M1, 8) V35.0 V34.0 V33.0",
        "E0309",
    );
}

#[test]
fn scatters_are_fixed_if_unambiguous() {
    let head = "\
.decl Q1 v_type=G type=uq num_elts=8 align=GRF
.decl Q2 v_type=G type=uq num_elts=16 align=GRF
.decl U3 v_type=G type=ud num_elts=32 align=GRF
.decl A0 v_type=A num_elts=4
.decl T6 v_type=T
";
    let good = "svm_scatter4scaled.RG (M1, 8) Q1(0,0)<0;1,0> Q2.0 U3.0";
    let cases: [(&str, &[&str], &str); 13] = [
        (good, &[], good),
        (
            "svm_scatter4scaled.GR (M1, 8) Q1(0,0)<0;1,0> Q2.0 U3.0",
            &["E0330"],
            good,
        ),
        (
            "svm_scatter4scaled.RGG (M1, 8) Q1(0,0)<0;1,0> Q2.0 U3.0",
            &["E0330"],
            good,
        ),
        (
            "svm_scatter4scaled RG (M1, 8) Q1(0,0)<0;1,0> Q2.0 U3.0",
            &["E0330"],
            good,
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) Q1(0,0) Q2.0 U3.0",
            &["E0331"],
            good,
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) Q1<0;1,0> Q2.0 U3.0",
            &["E0331"],
            good,
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) Q1.0 Q2.0 U3.0",
            &["E0331"],
            good,
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) Q1.40 Q2.0 U3.0",
            &["E0331"],
            "svm_scatter4scaled.RG (M1, 8) Q1(1,1)<0;1,0> Q2.0 U3.0",
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) 0x1000 Q2.0 U3.0",
            &["E0331"],
            "svm_scatter4scaled.RG (M1, 8) 0x1000:uq Q2.0 U3.0",
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) %slm Q1(0,0)<0;1,0> Q2.0 U3.0",
            &["E0331"],
            good,
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) Q1(0,0)<0;1,0>, Q2.0, U3.0",
            &["E0306", "E0306"],
            good,
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) Q1(0,0)<0;1,0> Q2(0,0)<8;8,1> U3.0",
            &["E0306"],
            good,
        ),
        (
            "svm_scatter4scaled.RG (M1, 9) Q1(0,0)<0;1,0> Q2.0 U3.0",
            &["E0302"],
            good,
        ),
    ];
    check(head, &cases);
    // The intention is ambiguous.
    for (line, code) in [
        ("svm_scatter4scaled (M1, 8) Q1 Q2 U3", "E0330"),
        ("svm_scatter4scaled.X (M1, 8) Q1 Q2 U3", "E0330"),
        ("svm_scatter4scaled.RG (M1, 8)", "E0309"),
        ("svm_scatter4scaled.RG (M1, 8) Q1", "E0309"),
        ("svm_scatter4scaled.RG (M1, 8) Q1 Q2", "E0309"),
        ("svm_scatter4scaled.RG (M1, 8) A0 Q2 U3", "E0331"),
        (
            "svm_scatter4scaled.RG (M1, 8) r[A0]<0;1,0>:uq Q2 U3",
            "E0331",
        ),
        ("svm_scatter4scaled.RG (M1, 8) r[A0(0),0]:uq Q2 U3", "E0331"),
        (
            "svm_scatter4scaled.RG (M1, 8) Q1(0,300)<0;1,0> Q2 U3",
            "E0331",
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) Q1(0,0)<0;3,0> Q2 U3",
            "E0331",
        ),
        (
            "svm_scatter4scaled.RG (M1, 8) (sat)Q1(0,0)<0;1,0> Q2 U3",
            "E0331",
        ),
    ] {
        no_edit(head, line, code);
    }
}

#[test]
fn matrix_products_are_fixed_if_unambiguous() {
    let head = "\
.decl D1 v_type=G type=d num_elts=64 align=GRF
.decl D2 v_type=G type=d num_elts=64 align=GRF
.decl U3 v_type=G type=ud num_elts=64 align=GRF
.decl U4 v_type=G type=ud num_elts=64 align=GRF
.decl P1 v_type=P num_elts=32
";
    let good = "dpasw.s8.s8.8.8 (M1, 8) D1.0 D2.0 U3.0 U4(0,0)";
    let cases: [(&str, &[&str], &str); 12] = [
        (good, &[], good),
        (
            "(P1) dpasw.s8.s8.8.8 (M1, 8) D1.0 D2.0 U3.0 U4(0,0)",
            &["E0345"],
            // The blank is kept.
            " dpasw.s8.s8.8.8 (M1, 8) D1.0 D2.0 U3.0 U4(0,0)",
        ),
        (
            "dpasw.s88.s8.8.8 (M1, 8) D1.0 D2.0 U3.0 U4(0,0)",
            &["E0342"],
            good,
        ),
        (
            "dpasw.s8.s8.3.8 (M1, 8) D1.0 D2.0 U3.0 U4(0,0)",
            &["E0341"],
            good,
        ),
        (
            "dpasw.s8.s8.8.16 (M1, 8) D1.0 D2.0 U3.0 U4(0,0)",
            &["E0341"],
            good,
        ),
        ("dpasw.s8.s8.4.8 (M1, 8) D1.0 D2.0 U3.0 U4(0,0)", &[], good),
        (
            "dpasw.s8.s8.8.8 (M1, 16) D1.0 D2.0 U3.0 U4(0,0)",
            &["E0344"],
            good,
        ),
        (
            "dpasw.s8.s8.8.8 (M8, 8) D1.0 D2.0 U3.0 U4(0,0)",
            &["E0315"],
            good,
        ),
        (
            "dpasw.s8.s8.8.8 (M1, 8) D1.0 D2.0 U3.0 U4(0,0)<1;1,0>",
            &["E0348"],
            good,
        ),
        (
            "dpasw.s8.s8.8.8 (M1, 8) D1.0 D2.0 U3.0 U4.0",
            &["E0348"],
            good,
        ),
        (
            "dpasw.s8.s8.8.8 (M1, 8) D1.0, D2.0, U3.0, U4(0,0)",
            &["E0306", "E0306", "E0306"],
            good,
        ),
        (
            "dpasw.s8.s8.8.8 (M1, 8) D1(0,0) D2.0 U3.0 U4(0,0)",
            &["E0306"],
            good,
        ),
    ];
    check(head, &cases);
    // The intention is ambiguous.
    for (line, code) in [
        ("dpasw (M1, 8) D1 D2 U3 U4", "E0341"),
        ("dpasw.s8.s8.8 (M1, 8) D1 D2 U3 U4", "E0341"),
        ("dpasw.s8.bf8.8.8 (M1, 8) D1 D2 U3 U4", "E0343"),
        ("dpasw.s8.s8.8.8 (M1, 8)", "E0309"),
        ("dpasw.s8.s8.8.8 (M1, 8) D1 D2", "E0309"),
        ("dpasw.s8.s8.8.8 (M1, 8) D1 D2 U3", "E0309"),
        ("dpasw.s8.s8.8.8 (M1, 8) D1 D2 U3 7:ud", "E0348"),
        ("dpasw.s8.s8.8.8 (M1, 8) D1 D2 U3 (-)U4(0,0)", "E0349"),
        ("dpasw.s8.s8.8.8 (M1, 8) V0 D2 U3 U4", "E0346"),
    ] {
        no_edit(head, line, code);
    }
}

#[test]
fn sass_lines_are_fixed() {
    check(
        ".target sass SM52\n",
        &[
            ("ATOM.AD R0, [R2], R4", &["E0350"], "ATOM.ADD R0, [R2], R4"),
            (
                "ATOM.E.ADD.F32 R0, [R2], R4",
                &["E0351"],
                "ATOM.E.ADD.F32.FTZ.RN R0, [R2], R4",
            ),
            (
                "ATOM.SAFEADD R0, [R2], R4",
                &["E0352"],
                "ATOM.SAFEADD.U64 R0, [R2], R4",
            ),
            (
                "ATOM.INC.S32 R0, [R2], R4",
                &["E0352"],
                "ATOM.INC R0, [R2], R4",
            ),
            (
                "ATOM.AND.S64 R0, [R2], R4",
                &["E0352"],
                "ATOM.AND.U64 R0, [R2], R4",
            ),
            (
                "@P7 ATOM.ADD R0, [R2], R255",
                &["E0356", "E0356"],
                "@PT ATOM.ADD R0, [R2], RZ",
            ),
            ("ATOM.ADD R0, R2, R4;", &["E0358"], "ATOM.ADD R0, [R2], R4;"),
            (
                "ATOM.ADD R0, [R2 + 4, R4",
                &["E0358"],
                "ATOM.ADD R0, [R2 + 4], R4",
            ),
            (
                "ATOM.E.ADD P0, R0, [R2 + 4], R4",
                &["E0366"],
                "ATOM.E.ADD P0, R0, [R2], R4",
            ),
            (
                "ATOM.CAS R0, [R2], R4, R6",
                &["E0363"],
                "ATOM.CAS R0, [R2], R4, R5",
            ),
            (
                "ATOM.CAS.64 R0, [R2], R4, R5",
                &["E0363"],
                "ATOM.CAS.64 R0, [R2], R4, R6",
            ),
            (
                "ATOM.ADD R0 [R2] R4",
                &["E0364", "E0364"],
                "ATOM.ADD R0, [R2], R4",
            ),
            (
                "ATOM.ADD R0, [R2], R4, R5;",
                &["E0365"],
                "ATOM.ADD R0, [R2], R4;",
            ),
            (
                "ATOM.ADD P0, R0, [R2 + 4], R4",
                &["E0366"],
                "ATOM.ADD P0, R0, [R2], R4",
            ),
        ],
    );
    for (line, code) in [
        ("ATOM.ADD.U64 R1, [R2], R4", "E0361"),
        ("ATOM.E.ADD R0, [R3], R4", "E0362"),
        ("ATOM.CAS R0, [R2], R3, R4", "E0363"),
        ("ATOM.ADD.F64.RN R0, [R2], R4", "E0354"),
        ("ATOM.ADD R0, [R2 + 0x80000], R4", "E0359"),
    ] {
        no_edit(".target sass SM52\n", line, code);
    }
    no_edit(
        ".target sass SM52\n",
        "ATOM.ADD R0, [R2 + 12abc], R4",
        "E0358",
    );
    for schedule in ["?stall2.reuse1.reuse3", "?stall2.yield.yield", "&req={0,0}"] {
        let line = format!("ATOM.ADD R0, [R2], R4 {schedule}");
        no_edit(".target sass SM52\n", &line, "E0368");
    }
}

#[test]
fn declarations_get_the_required_type() {
    let declared = |ty: &str, name: &str| format!(".decl {name} v_type=G type={ty} num_elts=64\n");
    let cases = [
        (
            [("uw", "V32"), ("ud", "V33"), ("ud", "V34")],
            "dword_atomic.inc (M1, 8) %slm V32.0 %null.0 %null.0 V34.0",
            ["ud", "ud", "ud"],
        ),
        (
            [("ud", "V32"), ("uw", "V33"), ("ud", "V34")],
            "dword_atomic.add (M1, 8) %slm V32.0 V33.0 %null.0 V34.0",
            ["ud", "ud", "ud"],
        ),
        (
            [("uw", "V32"), ("uq", "V33"), ("uq", "V34")],
            "dpasw.s8.s8.8.4 (M1, 8) V32.0 %null.0 V33.0 V34(0,0)",
            ["d", "ud", "ud"],
        ),
        (
            [("d", "V32"), ("d", "V33"), ("ud", "V34")],
            "dpas.bf.bf.8.4 (M1, 8) V32.0 %null.0 V33.0 V34(0,0)",
            ["f", "d", "ud"],
        ),
    ];
    for (before, line, after) in cases {
        let text = |types: [&str; 3]| {
            let lines = before.iter().zip(types);
            let lines = lines.map(|((_, name), ty)| declared(ty, name));
            format!(".target visa XEHP\n{}{line}\n", lines.collect::<String>())
        };
        let fixed = fix(&text(before.map(|(ty, _)| ty)));
        assert_eq!(fixed, text(after), "{line}");
        assert!(errors(&fixed).is_empty(), "{line}");
    }
}

#[test]
fn one_edit_inserts_all_commas_of_a_line() {
    for (line, wanted) in [
        (
            "ATOM.E.CAS R0 [R2] R4 R5 ;",
            "ATOM.E.CAS R0, [R2], R4, R5 ;",
        ),
        ("ATOM.E.ADD R0 [R2], R4 ;", "ATOM.E.ADD R0, [R2], R4 ;"),
        ("RED.E.ADD [R2] R4 ;", "RED.E.ADD [R2], R4 ;"),
    ] {
        let text = format!(".target sass SM50\n{line}\n");
        let all = Program::parse(&text).diagnostics;
        for d in all.iter().filter(|d| d.edit.is_some()) {
            let fixed = apply(&text, d).unwrap();
            assert_eq!(fixed, format!(".target sass SM50\n{wanted}\n"), "{all:?}");
        }
        assert!(all.iter().any(|d| d.edit.is_some()), "{line}");
    }
}

#[test]
fn missing_operand_is_the_unused_one() {
    let cases = [
        (
            "dword_atomic.inc (M1, 16) %slm V32.0 %null.0 V33.0",
            "dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0",
        ),
        (
            "dword_atomic.add (M1, 16) %slm V32.0 V33.0 V34.0",
            "dword_atomic.add (M1, 16) %slm V32.0 V33.0 %null.0 V34.0",
        ),
        (
            "dword_atomic.cmpxchg (M1, 16) %slm V32.0 V33.0 V34.0",
            "dword_atomic.cmpxchg (M1, 16) %slm V32.0 V33.0 V34.0 %null.0",
        ),
    ];
    check(D, &cases.map(|(bad, good)| (bad, &["E0309"][..], good)));
}

#[test]
fn null_variable_is_spelled_as_in_the_line() {
    for (line, code, null) in [
        (
            "dword_atomic.add (M1, 8) %slm V32.0 V33.0 V33.0 V34.0",
            "E0317",
            "%null.0",
        ),
        ("dword_atomic.add (8) T0 V32 V33 V33 V34", "E0317", "V0"),
        (
            "dword_atomic.inc (M1, 8) %slm V32.0 V33.0 %null.0 V34.0",
            "E0316",
            "%null.0",
        ),
    ] {
        let all = Program::parse(&format!("{D}{line}\n")).diagnostics;
        let found = all.iter().find(|d| d.rule.code == code);
        let edit = found.and_then(|d| d.edit.as_ref()).map(|e| &*e.replacement);
        assert_eq!(edit, Some(null), "{line}: {all:?}");
    }
}

/// RED does not have Ps and Rd. Other words in their place are invalid addresses.
#[test]
fn destinations_of_red_are_removed() {
    const HEAD: &str = ".target sass SM50\n";
    for before in ["R0, ", "P0, ", "P0, R0, "] {
        let bad = format!("RED.ADD {before}[R2], R4");
        check(HEAD, &[(&bad, &["E0364"], "RED.ADD [R2], R4")]);
    }
    for word in ["FOO", "5", "V32"] {
        no_edit(HEAD, &format!("RED.ADD {word}, [R2], R4"), "E0358");
    }
}

/// Errors in operands and in suffixes are reported together.
#[test]
fn invalid_suffix_does_not_hide_invalid_operand() {
    for line in ["ATOM.ADD.Q R0, R2, R4", "RED.ADD.Q R2, R4"] {
        let found = errors(&format!(".target sass SM50\n{line}\n"));
        let codes: Vec<&str> = found.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes, ["E0351", "E0358"], "{line}");
    }
}

/// The declaration has the kind of the name, and is not proposed again if it follows.
#[test]
fn undeclared_names_are_declared_once() {
    let uses = [
        ("P1", ".init P1 = 1"),
        ("T6", "movs (M1, 1) T6(0) 0x0:ud"),
        ("A0", "addr_add (M1, 1) A0(0)<1> &V32 0x0:uw"),
    ];
    for (name, line) in uses {
        let declaration = format!(".decl {name} v_type={}", &name[..1]);
        let text = format!(".target visa XEHP\n{D}{line}\n");
        let undeclared = |text: &str| {
            let all = Program::parse(text).diagnostics;
            let found = all.into_iter().find(|d| d.rule.code == "E0305");
            found.unwrap_or_else(|| panic!("{text}"))
        };
        let fixed = apply(&text, &undeclared(&text)).unwrap();
        assert!(fixed.contains(&declaration), "{fixed}");
        let late = format!("{text}{declaration} num_elts=1\n");
        assert_eq!(undeclared(&late).edit, None, "{late}");
    }
}

#[test]
fn fixes_of_regions_insert_what_is_missing() {
    let good = "mov (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0>";
    let bad = "mov (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0";
    check(D, &[(bad, &["E0370"], good)]);
    let no_comma = "mov (M1, 16) V33(0,0)<1> V32(0,0)<1;1 0>";
    let with_comma = "mov (M1, 16) V33(0,0)<1> V32(0,0)<1;1, 0>";
    check(D, &[(no_comma, &["E0370"], with_comma)]);
    check(
        D,
        &[("mov (M1, 16) V33(0,0)<1 V32(0,0)<1;1,0>", &["E0371"], good)],
    );
    for (bad, code) in [
        ("mov (M1, 16) V33(0,0)<1> V32(0,0)<1,1,0>", "E0370"),
        ("mov (M1, 16) V33(0,0)<1> V32(0,0)<3;1,0", "E0370"),
        ("mov (M1, 16) V33(0,0)<1> V32(0,0)<1 1 0>", "E0370"),
        ("mov (M1, 16) V33(0,0)<1> V32(0,0)1;1,0>", "E0370"),
        ("mov (M1, 16) V33(0,0)<1> V32(0,0)", "E0370"),
        ("mov (M1, 16) V33(0,0)<3 V32(0,0)<1;1,0>", "E0371"),
        ("mov (M1, 16) V33(0,0)<1> (neg)V32(0,0)<1;1,0>", "E0370"),
    ] {
        no_edit(D, bad, code);
    }
}

/// Removes one sign inside or after the regions of a valid line at a time. An edit removes its diagnostic, adds none,
/// and keeps all that the line said.
#[test]
fn edits_keep_what_the_text_said() {
    let mut edits = 0;
    for line in [
        "mov (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0>",
        "add (M1, 16) V33(0,0)<1> V32(0,0)<8;8,1> V34(0,0)<0;1,0>",
        "mad (M1, 8) V33(0,0)<2> (-)V32(0,0)<1;1,0> V34(0,0)<1;1,0> 0x3:ud",
    ] {
        let signs = line.char_indices().filter(|(_, c)| ";,>".contains(*c));
        for (at, _) in signs.filter(|(at, _)| *at > 12) {
            let bad = format!("{}{}", &line[..at], &line[at + 1..]);
            let text = format!("{D}{bad}\n");
            for diagnostic in Program::parse(&text).diagnostics {
                let Some(fixed) = apply(&text, &diagnostic) else {
                    continue;
                };
                edits += 1;
                let before = errors(&text).len();
                assert!(errors(&fixed).len() < before, "{bad}\n→ {fixed}");
                let mut said = fixed.chars();
                let kept = |c: char| c == ' ' || said.any(|f| f == c);
                let edit = diagnostic.edit.as_ref().expect("it was applied");
                let is_insertion = edit.span.start == edit.span.end;
                assert!(is_insertion && text.chars().all(kept), "{bad}\n→ {fixed}");
            }
        }
    }
    assert!(edits > 6, "{edits} edits");
}

#[test]
fn native_mnemonics_are_not_misspellings() {
    for line in ["math", "math.inv", "csel", "nop", "send"] {
        no_edit(
            D,
            &format!("{line} (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0>"),
            "E0103",
        );
    }
}

#[test]
fn declarations_are_added_to_the_others() {
    let line = "mov (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0>\n";
    let missing = "mov (M1, 16) Sum(0,0)<1> V32(0,0)<1;1,0>\n";
    let added = ".decl Sum v_type=G type=ud num_elts=16 align=GRF\n";
    let fixed = fix(&format!("{D}\n{line}{missing}"));
    assert_eq!(fixed, format!("{D}{added}\n{line}{missing}"));
}

#[test]
fn region_beyond_the_variable_is_reported_as_such() {
    let text = format!("{D}mov (M1, 16) V33(0,0)<1> V32(0,0)<4;1,0>\n");
    let all = Program::parse(&text).diagnostics;
    let codes: Vec<_> = all.iter().map(|d| d.rule.code).collect();
    assert_eq!(codes, ["W0472"], "{all:?}");
}

#[derive(serde::Deserialize)]
struct Accepted {
    family: String,
    platform: String,
    decls: Vec<String>,
    text: String,
    program: Option<Vec<String>>,
}

/// Damages of a line: a sign or letter less, twice, or another one, in turn over the line.
fn damages(line: &str, seed: usize) -> Vec<String> {
    let signs: Vec<(usize, char)> = line.char_indices().filter(|(_, c)| *c != ' ').collect();
    let ways = signs.iter().skip(seed % 7).step_by(7).zip(seed..);
    ways.map(|(&(at, c), way)| {
        let (before, after) = (&line[..at], &line[at + c.len_utf8()..]);
        match way % 4 {
            0 => format!("{before}{after}"),
            1 => format!("{before}{c}{c}{after}"),
            2 => format!("{before}x{after}"),
            _ => format!("{before} {after}"),
        }
    })
    .collect()
}

/// Every edit of a damaged line removes its diagnostic and adds no error. Lines are those
/// that the real assembler accepts, one for each form of an instruction.
#[test]
fn edits_of_damaged_lines_remove_their_problem_and_add_none() {
    let lines: Vec<Accepted> = lanewise_tests::vectors::read("visa/base_encodings.jsonl");
    let (mut edits, mut wrong) = (0, Vec::new());
    for (seed, line) in lines
        .iter()
        .enumerate()
        .filter(|(i, l)| i % 5 == 0 && l.program.is_none())
    {
        let head = format!(
            ".target visa {}\n{}\n",
            line.platform,
            line.decls.join("\n")
        );
        for bad in damages(&line.text, seed) {
            let text = format!("{head}{bad}\n");
            let before = Program::parse(&text).diagnostics;
            for d in before.iter().filter(|d| d.edit.is_some()) {
                let fixed = apply(&text, d).unwrap();
                let after = Program::parse(&fixed).diagnostics;
                edits += 1;
                let same = |o: &&Diagnostic| (o.rule.code, &o.what) == (d.rule.code, &d.what);
                let is_left =
                    after.iter().filter(same).count() >= before.iter().filter(same).count();
                // Rules about operands apply to lines without errors of syntax only.
                let syntax = |text: &str| {
                    let found = errors(text).into_iter();
                    found
                        .filter(|(code, _)| !["E0313", "E0383", "E0384"].contains(code))
                        .count()
                };
                if is_left || syntax(&fixed) > syntax(&text) {
                    wrong.push(format!(
                        "{} {bad}\n  {} {}\n→ {:?}\n  {:?}",
                        line.family,
                        d.rule.code,
                        d.what,
                        fixed.strip_prefix(&head),
                        errors(&fixed),
                    ));
                }
            }
        }
    }
    println!("{edits} edits");
    assert!(
        wrong.is_empty(),
        "{} of {edits}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
