//! Output and exit code of each command.

use crate::common::{ADD, ADD_BYTES, DECLS, SCENARIO, file, lanewise};

#[test]
fn invalid_usage_exits_with_2() {
    for arguments in [
        &[][..],
        &["frobnicate"],
        &["outcome", "x"],
        &["link", "x"],
        &["run"],
        &["check"],
        &["asm"],
        &["run", "--steps", "many", "-"],
        &["asm", "--text", "x", "-"],
        &["asm", "-", "--target", "visa XEHP"],
        &["asm", "--text", "x", "--target", "sass SM99"],
        &["disasm", "00", "--style", "shouting"],
        &["run", "no/such/file"],
        &["check", "no/such/file"],
        &["asm", "no/such/file"],
        &["disasm", "--file", "no/such/file"],
        &["disasm", "no-such-file.bin"],
        &["link", "-", "--base", "example.org"],
        &["disasm", "00", "--decls", "no/such/file"],
        &["run", "no/such/file.cl"],
        &["outcomes", "no/such/file.cl"],
    ] {
        let done = lanewise(arguments, "");
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.err);
        assert_eq!(done.out, "", "{arguments:?}");
        assert!(!done.err.is_empty(), "{arguments:?}");
        // A file that does not exist is of no kind.
        assert!(!done.err.contains("is a source"), "{}", done.err);
    }
    // Numbers, not unknown options.
    for option in ["--global", "--local", "--steps", "--fuel"] {
        let done = lanewise(&["run", "-", option, "-1"], "");
        assert_eq!(done.code, 2);
        assert!(done.err.contains("invalid value"), "{}", done.err);
    }
    let done = lanewise(&["run", "no/such/file"], "");
    assert!(
        done.err.starts_with("lanewise: cannot read no/such/file: "),
        "{}",
        done.err
    );
    let done = lanewise(&["run", "-"], [0xff, 0xfe]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("invalid UTF-8"), "{}", done.err);
    assert_eq!(lanewise(&["--help"], "").code, 0);
    assert_eq!(lanewise(&["--version"], "").code, 0);
}

#[test]
fn asm_output_round_trips_through_disasm() {
    let scenario = format!(
        "{}\n{ADD} // comment\n  DWORD_ATOMIC.ADD (8)  T0 V33 V34 V0 V32\n",
        DECLS.join("\n")
    );
    let path = file("asm.lane", &scenario);
    let path = path.to_str().expect("a name");
    let done = lanewise(&["asm", path], "");
    assert_eq!(done.code, 0);
    // The documents' syntax gets one note and is not an error.
    assert_eq!(done.err.matches("note[N0506]").count(), 1, "{}", done.err);
    assert!(!done.err.contains("error["), "{}", done.err);
    let document = "DWORD_ATOMIC.ADD (8) T0 V33 V34 V0 V32";
    assert_eq!(
        done.out,
        format!("{ADD_BYTES}  // {ADD}\n{ADD_BYTES}  // {document}\n")
    );
    let styled = lanewise(&["asm", path, "--style", "document"], "");
    assert_eq!(
        styled.out,
        format!("{ADD_BYTES}  // {document}\n").repeat(2)
    );
    let back = lanewise(&["disasm", "-", "--decls", path], &done.out);
    assert_eq!((back.code, back.out), (0, format!("{ADD}\n").repeat(2)));
    let document = lanewise(
        &[
            "disasm", ADD_BYTES, ADD_BYTES, "--decls", path, "--style", "document",
        ],
        "",
    );
    assert_eq!(
        document.out,
        "DWORD_ATOMIC.ADD (8) T0 V33 V34 V0 V32\n".repeat(2)
    );
}

#[test]
fn asm_accepts_text_and_declarations() {
    let mut arguments = vec!["asm", "--text", ADD, "--target", "visa XEHP"];
    for decl in &DECLS {
        arguments.extend(["--decl", decl]);
    }
    let done = lanewise(&arguments, "");
    assert_eq!(
        (done.code, done.out),
        (0, format!("{ADD_BYTES}  // {ADD}\n"))
    );
    let bare = lanewise(&["asm", "--text", ADD], "");
    assert_eq!((bare.code, bare.out.as_str()), (1, ""));
    assert!(bare.err.contains(" --> <--text>:1:31\n"), "{}", bare.err);
    let decl = lanewise(&["asm", "--text", ADD, "--decl", ".decl V32 v_typ=G"], "");
    assert_eq!(decl.code, 1);
    assert!(decl.err.contains(" --> <--decl>:1:11\n"), "{}", decl.err);
}

#[test]
fn asm_requires_encodable_not_runnable() {
    let decls = DECLS.join("\n");
    let unbound = format!("{decls}\ndword_atomic.add (M1, 8) T1 V33.0 V34.0 %null.0 V32.0\n");
    let done = lanewise(&["asm", "-"], &unbound);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.err.contains("warning[W0404]") && !done.err.contains("error["),
        "{}",
        done.err
    );
    let wrong = lanewise(&["asm", "-"], format!("{decls}\n{ADD}\nfoo\n"));
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
}

#[test]
fn disasm_requires_bytes() {
    for (arguments, input) in [
        (&["disasm", "0x"][..], ""),
        (&["disasm", ""], ""),
        (&["disasm"], ""),
        (&["disasm", "-"], "// a comment\n\n"),
    ] {
        let done = lanewise(arguments, input);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{arguments:?}");
        assert!(done.err.contains("no bytes"), "{}", done.err);
    }
}

#[test]
fn unknown_encodings_are_errors() {
    let atom = "ATOM.ADD R0, [R2], R4";
    let word = "0xed0000000047020c";
    for chip in ["SM70", "SM80", "SM90"] {
        let target = format!("sass {chip}");
        let program = format!(".target {target}\nMOV R0, R2;\n{atom};\nEXIT;\n");
        for (arguments, input) in [
            (vec!["asm", "--target", &target, "--text", atom], ""),
            (vec!["asm", "-"], &program),
            (vec!["asm", "-", "--object", "-o", "no/such/file"], &program),
            (vec!["disasm", "--target", &target, word], ""),
        ] {
            let done = lanewise(&arguments, input);
            assert_eq!((done.code, done.out.as_str()), (1, ""), "{arguments:?}");
            // One for the target, not for each instruction.
            assert_eq!(done.err.matches("error[E0381]").count(), 1, "{}", done.err);
            assert!(done.err.contains(chip), "{}", done.err);
        }
    }
    let text_only = lanewise(&["asm", "-"], ".target sass SM50\nMOV R0, R2;\nEXIT;\n");
    assert_eq!((text_only.code, text_only.out.as_str()), (1, ""));
    let errors = text_only.err.matches("error[E0381]").count();
    assert_eq!(errors, 2, "{}", text_only.err);
}

#[test]
fn decls_option_uses_declarations_and_target_of_a_scenario() {
    let scenario = format!(
        ".target visa PVC\n/*\n.decl V99 v_type=P num_elts=8\n*/\n{}\nfoo bar\n",
        DECLS.join("\n/* three */ ")
    );
    let path = file("decls.lane", &scenario);
    let path = path.to_str().expect("a name");
    let done = lanewise(&["disasm", ADD_BYTES, "--decls", path], "");
    assert_eq!(
        (done.code, done.out, done.err),
        (0, format!("{ADD}\n"), String::new())
    );
    let misplaced = "dword_atomic.add (M1, 1) %slm V33.0 V34.32 %null.0 V32.0";
    let wide = scenario.replace("num_elts=8 ", "num_elts=64 ");
    let path = file("wide.lane", &wide);
    let path = path.to_str().expect("a name");
    assert_eq!(
        lanewise(&["asm", "--text", misplaced, "--decls", path], "").code,
        1,
        "64-byte registers"
    );
    let done = lanewise(
        &[
            "asm",
            "--text",
            misplaced,
            "--decls",
            path,
            "--target",
            "visa XEHP",
        ],
        "",
    );
    assert_eq!(done.code, 0, "{}", done.err);
}

#[test]
fn disasm_continues_after_an_invalid_line() {
    let path = file("disasm.lane", &DECLS.join("\n"));
    let path = path.to_str().expect("a name");
    let input = format!("{ADD_BYTES}\n\n# comment\n7dff // what?\n{ADD_BYTES} // {ADD}\n");
    let done = lanewise(&["disasm", "-", "--decls", path], input);
    assert_eq!((done.code, done.out), (1, format!("{ADD}\n").repeat(2)));
    assert!(done.err.contains(" --> <stdin>:4:"), "{}", done.err);
    assert_eq!(done.err.matches("error[").count(), 1, "{}", done.err);
    let second = lanewise(&["disasm", ADD_BYTES, "7dff", "--decls", path], "");
    assert_eq!((second.code, second.out), (1, format!("{ADD}\n")));
    assert!(second.err.contains(" --> <hex>:1:64\n"), "{}", second.err);
}

#[test]
fn check_counts_over_all_files() {
    let fine = file("fine.lane", SCENARIO);
    let wrong = file("wrong.lane", "foo\n.slm 4\n.slm 8\n");
    let (fine, wrong) = (
        fine.to_str().expect("a name"),
        wrong.to_str().expect("a name"),
    );
    let done = lanewise(&["check", fine, fine], "");
    assert_eq!(
        (done.code, done.out.as_str()),
        (0, "2 scenarios checked: no errors\n")
    );
    let done = lanewise(&["check", wrong, fine], "");
    assert_eq!(
        (done.code, done.out.as_str()),
        (1, "2 scenarios checked: 1 error, 1 warning\n")
    );
    let done = lanewise(&["check", wrong, "no/such/file", fine], "");
    assert_eq!(done.code, 2, "the unreadable file determines the exit code");
    assert_eq!(done.out, "2 scenarios checked: 1 error, 1 warning\n");
    let done = lanewise(&["check", "-"], ".slm 4\n.slm 8\n");
    assert_eq!(
        (done.code, done.out.as_str()),
        (0, "1 scenario checked: no errors, 1 warning\n")
    );
}

#[cfg(unix)]
#[test]
fn broken_pipe_is_not_an_error() {
    use std::process::{Command, Stdio};
    let line = "{\"do\":\"check\",\"scenario\":\"\"}\n".repeat(100_000);
    let path = file("many.jsonl", &line);
    for arguments in [&["batch"][..], &["completions", "bash"], &["man"]] {
        // A closed pipe before the program starts, so that it cannot write anything.
        let (output, input) = std::io::pipe().expect("a pipe");
        drop(output);
        let child = Command::new(env!("CARGO_BIN_EXE_lanewise"))
            .args(arguments)
            .stdin(std::fs::File::open(&path).expect("a file"))
            .stdout(input)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let done = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&done.stderr);
        assert_eq!((done.status.code(), &*err), (Some(0), ""), "{arguments:?}");
    }
}
