//! `link` prints a URL that other commands accept as a scenario.

use crate::common::{SCENARIO, file, lanewise};

#[test]
fn link_round_trips_through_run() {
    let done = lanewise(&["link", "-"], SCENARIO);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let address = done.out.trim_end();
    let fragment = address
        .strip_prefix("http://127.0.0.1:8417/#1")
        .expect(address);
    assert!(fragment.len() < 200, "{address}");
    let ran = lanewise(&["run", "-", "--trace"], SCENARIO);
    let bare = format!("1{fragment}");
    for given in [address, &format!("#{bare}"), &bare] {
        let linked = lanewise(&["run", given, "--trace"], "");
        assert_eq!(
            (linked.code, &linked.out, &linked.err),
            (0, &ran.out, &ran.err)
        );
    }
    let checked = lanewise(&["check", address], "");
    assert_eq!(
        (checked.code, checked.out.as_str()),
        (0, "1 scenario checked: no errors\n")
    );
    let again = lanewise(&["link", address], "");
    assert_eq!(again.out, done.out, "linking a link returns it unchanged");
}

#[test]
fn link_uses_base_and_step() {
    let base = [
        "link",
        "-",
        "--base",
        "https://example.org/lanewise/",
        "--step",
        "2",
    ];
    let done = lanewise(&base, SCENARIO);
    assert!(
        done.out.starts_with("https://example.org/lanewise/#1"),
        "{}",
        done.out
    );
    assert_ne!(
        done.out.split('#').nth(1),
        lanewise(&["link", "-"], SCENARIO).out.split('#').nth(1)
    );
    let done = lanewise(
        &["link", "-", "--base", "https://example.org/#top"],
        SCENARIO,
    );
    assert_eq!((done.code, done.out.as_str()), (2, ""));
}

#[test]
fn bundled_scenarios_are_links() {
    for given in ["#scenario=lock", "https://example.org/#scenario=lock"] {
        let done = lanewise(&["run", given], "");
        assert_eq!((done.code, &*done.err), (0, ""), "{given}");
    }
    let unknown = lanewise(&["run", "#scenario=unknown"], "");
    assert_eq!((unknown.code, &*unknown.out), (2, ""));
    assert!(unknown.err.contains("`unknown`"), "{}", unknown.err);
}

#[test]
fn invalid_scenario_can_be_linked() {
    let done = lanewise(&["link", "-"], "foo // ä\n");
    let ran = lanewise(&["run", done.out.trim_end()], "");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("<link>:1:1"), "{}", ran.err);
}

#[test]
fn long_link_is_warned_about() {
    let long: String = (0..400_u64)
        .map(|i| format!(".note \"{}\"\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    let done = lanewise(&["link", "-"], &long);
    assert_eq!(done.code, 0);
    assert!(done.err.contains("Share the file instead"), "{}", done.err);
    let done = lanewise(&["link", "-"], " ".repeat(300_000));
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.contains("256 KB"), "{}", done.err);
}

#[test]
fn broken_links_are_diagnosed() {
    let whole = lanewise(&["link", "-"], SCENARIO).out;
    let cut = &whole[..whole.len() / 2];
    for (given, said) in [
        (cut, "its end is missing"),
        ("http://localhost:8080/", "the link is empty"),
        ("http://localhost:8080/#explain", "is not a link"),
        ("http://localhost:8080/#9AAAA", "newer Lanewise"),
        ("#1AAAA.", "an invalid character, `.`"),
        ("1AAAAAAAA", "its end is missing"),
    ] {
        let done = lanewise(&["run", given], "");
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{given}");
        assert!(done.err.contains(said), "{given}: {}", done.err);
    }
}

#[test]
fn existing_file_takes_precedence_over_link() {
    let path = file("1AAAAAAAA", SCENARIO);
    let done = lanewise(&["run", path.to_str().expect("UTF-8")], "");
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let folder = path.parent().expect("a folder");
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_lanewise"))
        .args(["run", "1AAAAAAAA"])
        .current_dir(folder)
        .output()
        .expect("the program runs");
    assert!(ran.status.success());
}
