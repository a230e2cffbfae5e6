//! Formats for tools: JSON, SARIF, raw files, completions, the manual.

use crate::common::{ADD, ADD_BYTES, DECLS, SCENARIO, file, lanewise};
use serde_json::Value;

const REPEATED: &str = ".slm 4\n.slm 8\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn path(name: &str, text: &str) -> String {
    file(name, text).to_str().expect("a name").to_owned()
}

#[test]
fn check_json_prints_one_object_per_file() {
    let fine = path("json-fine.lane", SCENARIO);
    let page = path("json.md", "é\n\n```lanewise\n.slm 8\n  foo\n```\n");
    let done = lanewise(&["check", "--json", &fine, &page], "");
    assert_eq!((done.code, done.err.as_str()), (1, ""));
    let answers: Vec<Value> = done.out.lines().map(json).collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0]["file"], fine.as_str());
    assert_eq!(answers[0]["ok"], true);
    assert_eq!(answers[0]["diagnostics"], Value::Array(Vec::new()));
    let [error] = answers[1]["diagnostics"]
        .as_array()
        .expect("a list")
        .as_slice()
    else {
        panic!("{}", answers[1]);
    };
    assert_eq!(error["code"], "E0103");
    assert_eq!((&error["line"], &error["column"]), (&5.into(), &3.into()));
    // Byte offsets in the file; `é` has two bytes.
    assert_eq!(error["span"], serde_json::json!([25, 28]));
}

/// A listing without a target: the place of its first input shows registers of 64 bytes.
const LISTING: &str =
    include_str!("../../../tests/vectors/kernels/listing_without_platform.visaasm");

#[test]
fn check_reads_listings_for_the_target_that_they_show() {
    let listing = path("check.visaasm", LISTING);
    let shown = lanewise(&["check", &listing], "");
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.err.contains("assuming visa PVC"), "{}", shown.err);
    let given = lanewise(&["check", "--target", "visa BMG", &listing], "");
    assert_eq!(given.code, 0, "{}", given.err);
    assert!(!given.err.contains("assuming"), "{}", given.err);
    let refuted = lanewise(&["check", "--json", "--target", "visa DG2", &listing], "");
    assert_eq!(refuted.code, 1);
    assert_eq!(json(&refuted.out)["diagnostics"][0]["code"], "E0909");
}

#[test]
fn check_reads_listings_of_sass() {
    let text = "\t.target\tsm_80\n.text.f:\n        /*0000*/                   EXIT ;\n";
    for (name, text, code) in [
        ("f.sass", text.to_owned(), 0),
        ("chip.sass", text.replace("80", "20"), 1),
        ("opcode.sass", text.replace("EXIT", "TEX R0, R1, R2"), 1),
    ] {
        assert_eq!(
            lanewise(&["check", &path(name, &text)], "").code,
            code,
            "{name}"
        );
    }
}

#[test]
fn warnings_can_be_denied_and_allowed() {
    let denied = lanewise(&["check", "--deny-warnings", "-"], REPEATED);
    assert_eq!(denied.code, 1);
    assert!(denied.err.contains("warning[W0109]"), "{}", denied.err);
    let allowed = lanewise(
        &["check", "--deny-warnings", "--allow", "w0109", "-"],
        REPEATED,
    );
    assert_eq!(
        (allowed.code, allowed.err.as_str(), allowed.out.as_str()),
        (0, "", "1 scenario checked: no errors\n")
    );
    for (code, why) in [
        ("E0103", "errors cannot be allowed"),
        ("W9999", "unknown diagnostic code"),
    ] {
        let refused = lanewise(&["check", "--allow", code, "-"], REPEATED);
        assert_eq!(refused.code, 2, "{code}");
        assert!(refused.err.contains(why), "{}", refused.err);
    }
}

#[test]
fn quiet_prints_errors_only() {
    let warned = lanewise(&["check", "-q", "-"], REPEATED);
    assert_eq!(
        (warned.code, warned.out.as_str(), warned.err.as_str()),
        (0, "", "")
    );
    let wrong = lanewise(&["check", "-q", "-"], format!("{REPEATED}foo\n"));
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
    assert!(
        wrong.err.contains("error[E0103]") && !wrong.err.contains("W0109"),
        "{}",
        wrong.err
    );
}

#[test]
fn sarif_has_rules_locations_and_fixes() {
    let wrong = path("sarif.lane", ".slm 8\n.slmm 8\n");
    let done = lanewise(&["check", "--sarif", &wrong], "");
    assert_eq!((done.code, done.err.as_str()), (1, ""));
    let log = json(&done.out);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let result = &run["results"][0];
    let index = result["ruleIndex"].as_u64().expect("an index");
    assert_eq!(
        rules[usize::try_from(index).expect("small")]["id"],
        result["ruleId"]
    );
    assert_eq!(result["level"], "error");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], wrong.as_str());
    assert_eq!(place["region"]["startLine"], 2);
    let change = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["deletedRegion"]["startLine"], 2);
    assert!(change["insertedContent"]["text"].is_string());
}

#[test]
fn sarif_names_files_that_are_not_read() {
    let log = path("unread.sarif", "");
    let fine = path("sarif-fine.lane", SCENARIO);
    let invocation = |files: &[&str], code: i32| {
        let option = format!("--sarif={log}");
        assert_eq!(
            lanewise(&[&["check", &option], files].concat(), "").code,
            code
        );
        let text = std::fs::read_to_string(&log).expect("a log");
        json(&text)["runs"][0]["invocations"][0].take()
    };
    assert_eq!(invocation(&[&fine], 0)["executionSuccessful"], true);
    let failed = invocation(&["no/such/a", &fine, "no/such/b"], 2);
    assert_eq!(failed["executionSuccessful"], false);
    let notifications = failed["toolExecutionNotifications"].as_array();
    assert_eq!(notifications.map(Vec::len), Some(2));
}

#[test]
fn raw_bytes_round_trip() {
    let scenario = path("raw.lane", &format!("{}\n{ADD}\n{ADD}\n", DECLS.join("\n")));
    let raw = path("raw.bin", "");
    let done = lanewise(&["asm", &scenario, "-o", &raw], "");
    assert_eq!(
        (done.code, done.out.as_str(), done.err.as_str()),
        (0, "", "")
    );
    let bytes = std::fs::read(&raw).expect("the file");
    let digits: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(digits, ADD_BYTES.repeat(2));
    let texts = format!("{ADD}\n{ADD}\n");
    let back = lanewise(&["disasm", &raw, "--decls", &scenario], "");
    assert_eq!((back.code, back.out.as_str()), (0, texts.as_str()));
    let piped = lanewise(&["disasm", "--decls", &scenario], bytes.clone());
    assert_eq!((piped.code, piped.out.as_str()), (0, texts.as_str()));
    // Truncated in the second instruction: prints the first, and the offset.
    let cut = lanewise(&["disasm", "--decls", &scenario], &bytes[..40]);
    assert_eq!((cut.code, cut.out), (1, format!("{ADD}\n")));
    assert!(cut.err.starts_with("<stdin>: byte 0x"), "{}", cut.err);
}

#[test]
fn raw_sass_words_and_groups_are_distinguished() {
    let scenario = ".target sass SM60\nATOM.E.ADD R7, [R2+0x4], R7\n".to_owned()
        + &"ATOM.E.ADD R7, [R2+0x4], R7\n".repeat(3);
    let source = path("words.lane", &scenario);
    let raw = path("words.bin", "");
    assert_eq!(lanewise(&["asm", &source, "-o", &raw], "").code, 0);
    let words = std::fs::read(&raw).expect("the file");
    assert_eq!(words.len(), 32);
    let target = ["--target", "sass SM60"];
    let back = lanewise(&["disasm", target[0], target[1], &raw], "");
    assert_eq!(back.code, 0, "{}", back.err);
    assert_eq!(
        back.out,
        "ATOM.E.ADD R7, [R2+0x4], R7\n".repeat(4),
        "four words are not a group"
    );
    // A control word followed by three instructions.
    let group = [&[0_u8; 8], &words[..24]].concat();
    let read = lanewise(&["disasm", target[0], target[1]], group);
    assert_eq!(read.code, 0, "{}", read.err);
    assert_eq!(read.out.lines().count(), 3, "{}", read.out);
    assert!(
        read.out.lines().all(|l| l.contains("?stall")),
        "{}",
        read.out
    );
}

#[test]
fn asm_json_returns_bytes_or_words() {
    let scenario = path("asm.json.lane", &format!("{}\n{ADD}\n", DECLS.join("\n")));
    let done = lanewise(&["asm", "--json", &scenario], "");
    let answer = json(&done.out);
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["instructions"][0]["bytes"], ADD_BYTES);
    assert_eq!(answer["instructions"][0]["line"], 4);
    assert_eq!(answer["instructions"][0]["text"], ADD);
    let text = "ATOM.E.ADD R7, [R2+0x4], R7";
    let sass = lanewise(
        &["asm", "--json", "--target", "sass SM50", "--text", text],
        "",
    );
    let answer = json(&sass.out);
    let word = answer["instructions"][0]["word"].as_str().expect("a word");
    assert!(word.starts_with("0xed"), "{word}");
    let refused = lanewise(&["asm", "--json", "-"], "foo\n");
    assert_eq!(refused.code, 1);
    let answer = json(&refused.out);
    assert_eq!(answer["ok"], false);
    assert_eq!(answer["diagnostics"][0]["code"], "E0103");
}

#[test]
fn fmt_check_lists_files_that_would_change() {
    let document = "DWORD_ATOMIC.ADD (8) T0 V33 V34 V0 V32";
    let other = path("other.lane", &format!("{}\n{document}\n", DECLS.join("\n")));
    let same = path("same.lane", &format!("{}\n{ADD}\n", DECLS.join("\n")));
    let done = lanewise(&["fmt", "--check", &same, &other], "");
    assert_eq!((done.code, done.out), (1, format!("{other}\n")));
    let unchanged = std::fs::read_to_string(&other).expect("the file");
    assert!(unchanged.contains(document), "the file must not change");
    let done = lanewise(&["fmt", "--check", &same], "");
    assert_eq!((done.code, done.out.as_str()), (0, ""));
    assert_eq!(lanewise(&["fmt", &same, &other], "").code, 2);
}

#[test]
fn explain_covers_every_rule_and_instruction() {
    for rule in lanewise_core::rules::ALL {
        let done = lanewise(&["explain", rule.code], "");
        assert_eq!(done.code, 0);
        let words: Vec<&str> = done.out.split_whitespace().collect();
        let why: Vec<&str> = rule.why.split_whitespace().collect();
        assert!(words.join(" ").contains(&why.join(" ")), "{}", done.out);
    }
    for spec in lanewise_core::isa::SPECS {
        let done = lanewise(&["explain", &spec.name.to_lowercase()], "");
        assert_eq!(done.code, 0, "{}", spec.name);
        assert!(done.out.starts_with(spec.name), "{}", done.out);
        let words: Vec<&str> = done.out.split_whitespace().collect();
        let words = words.join(" ");
        for fact in spec.facts {
            let fact: Vec<&str> = fact.text.split_whitespace().collect();
            assert!(words.contains(&fact.join(" ")), "{}", spec.name);
        }
    }
    let unknown = lanewise(&["explain", "nothing"], "");
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert!(unknown.err.contains("such as cmp"), "{}", unknown.err);
}

#[test]
fn run_accepts_multiple_files() {
    let fine = path("run-fine.lane", SCENARIO);
    let wrong = path("run-wrong.lane", "foo\n");
    let done = lanewise(&["run", "--json", &wrong, &fine], "");
    assert_eq!(done.code, 1);
    let oks: Vec<Value> = done.out.lines().map(|l| json(l)["ok"].clone()).collect();
    assert_eq!(oks, [false, true]);
    let done = lanewise(&["run", &fine, &fine], "");
    assert_eq!(done.code, 0);
    assert_eq!(done.out.matches(&format!("== {fine}\n")).count(), 2);
    assert_eq!(
        done.out.matches("4 steps, 1 instruction").count(),
        2,
        "{}",
        done.out
    );
}

#[test]
fn link_warns_of_errors() {
    let done = lanewise(&["link", "-"], "foo\n");
    assert_eq!(done.code, 0);
    assert!(done.out.starts_with("http://127.0.0.1:8417/#"));
    assert!(
        done.err.contains("warning: <stdin> has 1 error"),
        "{}",
        done.err
    );
    let fine = lanewise(&["link", "-"], SCENARIO);
    assert_eq!(fine.err, "");
}

#[test]
fn completions_and_manual_list_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = lanewise(&["completions", shell], "");
        assert_eq!(done.code, 0, "{shell}");
        for command in ["check", "outcomes", "explain"] {
            assert!(done.out.contains(command), "{shell}: {command}");
        }
    }
    let manual = lanewise(&["man"], "");
    assert!(manual.out.contains(".TH lanewise 1"), "{}", manual.out);
}

#[test]
fn every_command_has_an_example() {
    let help = lanewise(&["--help"], "").out;
    let commands = help.lines().skip_while(|l| *l != "Commands:").skip(1);
    let names: Vec<&str> = commands
        .take_while(|l| l.starts_with("  "))
        .filter_map(|l| l.split_whitespace().next())
        .filter(|name| !["help", "batch"].contains(name))
        .collect();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        let help = lanewise(&[name, "--help"], "").out;
        assert!(help.contains("Example"), "{name}: {help}");
    }
}

fn sample(name: &str) -> String {
    format!(
        "{}/../tests/vectors/files/{name}",
        env!("CARGO_MANIFEST_DIR")
    )
}

#[test]
fn open_prints_scenarios_and_lists() {
    let object = sample("four_families.isa");
    let scenario = lanewise(&["open", &object], "");
    assert_eq!((scenario.code, scenario.err.as_str()), (0, ""));
    let checked = lanewise(&["check", "-"], &scenario.out);
    assert_eq!(checked.code, 0, "{}", checked.err);
    let ran = lanewise(&["run", "--json", "-"], &scenario.out);
    assert_eq!(json(&ran.out)["ok"], true, "{}", ran.out);
    let cubin = sample("forms_sm60.cubin");
    let list = lanewise(&["open", &cubin], "");
    assert!(
        list.out.contains("atom_global (sass SM60): "),
        "{}",
        list.out
    );
    let one = lanewise(&["open", &cubin, "--function", "atom_global"], "");
    assert!(one.out.starts_with(".target sass SM60\n"), "{}", one.out);
    assert!(one.out.contains("ATOM.E.CAS"), "{}", one.out);
    let none = lanewise(&["open", &cubin, "--function", "nothing"], "");
    assert_eq!(none.code, 2);
    assert!(none.err.contains("atom_global"), "{}", none.err);
}

/// The list of kernels says which of them cannot run; a truncated program is named as such.
#[test]
fn kernels_that_cannot_run_are_said_before_a_launch() {
    let compiled = |name: &str| sample(&format!("../kernels/zebin/{name}"));
    let list = lanewise(&["open", &compiled("tiles.tgllp.bin")], "");
    let why = "  cannot run: DPAS is not supported on TGLLP";
    assert!(list.out.contains(why), "{}", list.out);
    let list = lanewise(&["open", &compiled("tiles.pvc.bin")], "");
    assert!(!list.out.contains("cannot run"), "{}", list.out);
    let whole = std::fs::read(compiled("tiles.pvc.bin")).expect("the program");
    let cut = path("cut.bin", "");
    std::fs::write(&cut, &whole[..3000]).expect("a file");
    for arguments in [
        &["open", &cut][..],
        &["check", &cut],
        &["run", &cut, "--global", "8"],
    ] {
        let refused = lanewise(arguments, "");
        assert_ne!(refused.code, 0, "{arguments:?}");
        assert!(
            refused.err.contains("cut off"),
            "{arguments:?}: {}",
            refused.err
        );
    }
}

#[test]
fn open_json_lists_every_instruction() {
    let answer = json(&lanewise(&["open", "--json", &sample("loop_with_labels.isa")], "").out);
    assert_eq!(
        (&answer["ok"], &answer["kind"]),
        (&true.into(), &"visa-object".into())
    );
    let function = &answer["functions"][0];
    assert_eq!(function["instructions"], 10);
    assert_eq!(function["own"], 10);
    let kinds: Vec<&str> = function["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|item| item["kind"].as_str())
        .collect();
    let count = |kind| kinds.iter().filter(|k| **k == kind).count();
    assert_eq!((count("label"), count("directive")), (1, 1));
    let refused = lanewise(&["open", "--json", "-"], "hello\n");
    assert_eq!(refused.code, 1);
    assert_eq!(json(&refused.out)["ok"], false);
    let shipped = lanewise(&["open", &sample("four_families.shipped.isa")], "");
    assert_eq!(shipped.code, 0);
    assert!(shipped.err.contains("last operands"), "{}", shipped.err);
}

#[test]
fn object_round_trips_through_open() {
    let scenario = path("object.lane", SCENARIO);
    let object = path("object.isa", "");
    let done = lanewise(&["asm", &scenario, "--object", "-o", &object], "");
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let opened = lanewise(&["open", "--json", &object], "");
    // A return is appended.
    assert_eq!(json(&opened.out)["functions"][0]["own"], 2);
    assert_eq!(lanewise(&["asm", &scenario, "--object"], "").code, 2);
}

#[test]
fn disasm_reads_every_kind() {
    for (name, text) in [
        ("four_families.isa", "svm_scatter4scaled.RGBA (M1, 8)"),
        ("four_families.visaasm", "svm_scatter4scaled.RGBA (M1, 8)"),
        ("atoms_sm50.cubin", "ATOM.E.CAS"),
        ("atoms_sm50.nvdisasm.sass", "ATOM.E.CAS"),
        ("atoms_sm61.cuobjdump.sass", "RED.E.ADD"),
    ] {
        let done = lanewise(&["disasm", &sample(name)], "");
        assert_eq!(done.code, 0, "{name}: {}", done.err);
        assert!(done.out.contains(text), "{name}: {}", done.out);
    }
}

/// Commands for scenarios say what a compiled file is, and what to do with it.
#[test]
fn compiled_files_are_named() {
    let kernels = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/kernels");
    let program = format!("{kernels}/smooth.bin");
    let listing = sample("../sass-kernels/flow.sm_80.sass");
    let cubin = sample("../sass-kernels/flow.sm_80.cubin");
    let source = path("named.cl", "kernel void named(global int *out) {}\n");
    for (command, file, size) in [
        ("run", &source, "--global"),
        ("outcomes", &source, "--global"),
        ("asm", &source, "--global"),
        ("fmt", &source, "--global"),
        ("link", &source, "--global"),
        ("run", &program, "--global"),
        ("outcomes", &program, "--global"),
        ("fmt", &program, "--global"),
        ("link", &program, "--global"),
        ("disasm", &program, "--global"),
        ("run", &listing, "--grid"),
        ("outcomes", &listing, "--grid"),
    ] {
        let refused = lanewise(&[command, file], "");
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{command}");
        let advice = format!("`lanewise open {file}`");
        assert!(refused.err.contains(&advice), "{command}: {}", refused.err);
        assert!(refused.err.contains(size), "{command}: {}", refused.err);
        assert_eq!(refused.err.lines().count(), 1, "{command}: {}", refused.err);
    }
    // The words of a cubin of a later chip are not decoded.
    for arguments in [
        &["run", &cubin, "--grid", "2", "--block", "32"][..],
        &["open", &cubin],
        &["open", &cubin, "--function", "early"],
    ] {
        let refused = lanewise(arguments, "");
        assert_eq!(refused.code, 2, "{arguments:?}");
        let last = refused.err.lines().last().expect("an error");
        assert!(last.contains("nvdisasm -c"), "{}", refused.err);
    }
}

/// The text of a kernel is checked without a launch, which a note says.
#[test]
fn checks_of_kernels_name_the_checks_of_launches() {
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../docs/guide/kernels/smooth.bin"
    );
    let checked = lanewise(&["check", program], "");
    assert_eq!(checked.code, 0);
    assert!(checked.err.contains("--check"), "{}", checked.err);
    for options in [&["--quiet"][..], &["--json"], &["--sarif"]] {
        let checked = lanewise(&[&["check", program], options].concat(), "");
        assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{options:?}");
    }
}

#[test]
fn opcodes_with_words_are_explained() {
    let alone = lanewise(&["explain", "LDG"], "");
    for name in ["LDG.E", "ldg.e.64"] {
        let done = lanewise(&["explain", name], "");
        assert_eq!((done.code, &done.out), (0, &alone.out), "{name}");
    }
    assert_eq!(lanewise(&["explain", "LDX.E"], "").code, 2);
}

/// Options that do not compile a source are not among those that do.
#[test]
fn help_of_run_groups_its_options() {
    let help = lanewise(&["run", "--help"], "").out;
    let (_, sources) = help.split_once("Options for sources").expect("a heading");
    let sources = sources.split("\n\n").next().expect("a section");
    assert!(sources.contains("--device"), "{sources}");
    for option in ["--sarif", "--junit", "--steps"] {
        assert!(!sources.contains(option), "{sources}");
        assert!(help.contains(option), "{help}");
    }
}
