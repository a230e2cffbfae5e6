//! `lanewise fmt`.

use crate::common::{SCENARIO, file, lanewise};

#[test]
fn fmt_prints_the_requested_style() {
    let done = lanewise(&["fmt", "-", "--style", "document"], SCENARIO);
    let written = "dword_atomic.add (M1, 4) %slm V33.0 V34.0 %null.0 V32.0";
    let wanted = SCENARIO.replace(written, "DWORD_ATOMIC.ADD (4) T0 V33 V34 V0 V32");
    assert_eq!(
        (done.code, done.out, done.err),
        (0, wanted.clone(), String::new())
    );
    let back = lanewise(&["fmt", "-"], wanted);
    assert_eq!((back.code, back.out), (0, String::from(SCENARIO)));
}

#[test]
fn fmt_reports_unchanged_lines_and_writes_in_place() {
    let text = format!("{SCENARIO}dword_atomic.nope (M1, 4)\n");
    let path = file("fmt.lanewise", &text);
    let name = path.to_str().expect("a name");
    let done = lanewise(&["fmt", name, "--style", "document", "--write"], "");
    assert_eq!((done.code, done.out.as_str()), (1, ""));
    assert!(
        done.err.contains(":8: not changed: ") && done.err.contains("`nope`"),
        "{}",
        done.err
    );
    let now = std::fs::read_to_string(&path).expect("the file");
    assert!(now.contains("DWORD_ATOMIC.ADD (4)") && now.ends_with("dword_atomic.nope (M1, 4)\n"));
    let done = lanewise(&["fmt", "-", "--write"], SCENARIO);
    assert_eq!(done.code, 2);
}
