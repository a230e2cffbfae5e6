//! What links promise: they come back as they were made, they are short, old
//! ones open, and nothing else does.

use lanewise_core::library::BUNDLED;
use lanewise_link::{DICTIONARY, Error, LONG, Link, MOST_BYTES, MOST_CHARACTERS, View, view};
use proptest::prelude::*;
use serde_json::Value;

fn link(text: &str, fields: &[(&str, &str)]) -> Link {
    let mut view = View::default();
    for (name, value) in fields {
        view.set(name, value);
    }
    let text = text.to_owned();
    Link { text, view }
}

#[test]
fn bundled_scenarios_come_back_and_are_short() {
    let mut total = 0;
    for scenario in BUNDLED {
        let made = link(scenario.text, &[("step", "3"), ("tab", "slm")]);
        let fragment = made.fragment().unwrap();
        assert_eq!(Link::read(&fragment), Ok(made.clone()), "{}", scenario.id);
        assert_eq!(Link::read(&made.plain_fragment().unwrap()), Ok(made));
        println!("{:>5} characters: {}", fragment.len(), scenario.id);
        assert!(fragment.len() <= 400, "{}: {}", scenario.id, fragment.len());
        total += fragment.len();
    }
    println!("{:>5} on average", total / BUNDLED.len());
}

/// FNV-1a of 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn the_dictionary_of_version_1_is_frozen() {
    // A change breaks every link of version 1: make a version 2 instead.
    assert_eq!(hash(DICTIONARY), 0x0d5a_ab9c_6682_dcd0);
}

/// Links that were made once and must open forever: one is added for each new
/// version, and none is ever made anew.
#[test]
fn old_links_open() {
    let stored = include_str!("../../tests/vectors/links/golden.jsonl");
    let mut versions = Vec::new();
    for line in stored.lines() {
        let golden: Value = serde_json::from_str(line).unwrap();
        let text = golden["text"].as_str().unwrap();
        let text = text.repeat(golden["times"].as_u64().unwrap_or(1) as usize);
        let fields = golden["view"].as_object().unwrap();
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (&**name, value.as_str().unwrap()))
            .collect();
        let fragment = golden["fragment"].as_str().unwrap();
        let opened = Link::read(fragment).expect(fragment);
        assert_eq!(opened.text, text);
        let mut said: Vec<(&str, &str)> = opened.view.fields().collect();
        said.sort_unstable();
        assert_eq!(said, fields);
        versions.extend(fragment.chars().next());
    }
    versions.dedup();
    assert_eq!(versions, ['0', '1'], "golden links of every version");
}

#[test]
fn addresses_are_opened_too() {
    let made = link(BUNDLED[0].text, &[]);
    let fragment = made.fragment().unwrap();
    for address in [
        format!("http://localhost:8080/#{fragment}"),
        format!("https://example.org/a/b/?embed&panes=lanes#{fragment}"),
        format!(" #{fragment}\n"),
        fragment,
    ] {
        assert_eq!(Link::open(&address).as_ref(), Ok(&made), "{address}");
    }
    assert_eq!(Link::open("http://localhost:8080/"), Err(Error::Empty));
    assert_eq!(Link::open("http://localhost:8080/#"), Err(Error::Empty));
    assert_eq!(Link::open("#explain"), Err(Error::Foreign));
    assert_eq!(Link::open("2AAAA"), Err(Error::Future { version: '2' }));
}

#[test]
fn every_cut_of_a_link_is_found_out() {
    let made = link(BUNDLED[1].text, &[("step", "3")]);
    for fragment in [made.fragment().unwrap(), made.plain_fragment().unwrap()] {
        for end in 0..fragment.len() {
            let opened = Link::read(&fragment[..end]);
            assert!(opened.is_err(), "{end} of {}: {opened:?}", fragment.len());
        }
        assert!(Link::read(&format!("{fragment}A")).is_err());
    }
    let fragment = made.fragment().unwrap();
    let half = &fragment[..fragment.len() / 2];
    assert_eq!(Link::read(half), Err(Error::Truncated));
}

/// 256 KB of one byte are 262 bytes of deflate: more than that is refused
/// before there is room made for it.
#[test]
fn a_bomb_is_refused_within_its_bound() {
    let text = "0".repeat(MOST_BYTES - 1);
    let bomb = link(&text, &[]);
    let fragment = bomb.fragment().unwrap();
    assert!(fragment.len() < 600, "{}", fragment.len());
    assert_eq!(Link::read(&fragment), Ok(bomb));
    let over = link(&format!("{text}0"), &[]);
    assert_eq!(over.fragment(), Err(Error::TooLarge));
    assert_eq!(over.plain_fragment(), Err(Error::TooLarge));
    // A stream of zeros, made by another compressor, of 1,032 for each byte.
    let bytes = miniz_oxide::deflate::compress_to_vec(&vec![b'0'; 50_000_000], 9);
    let packed = base64(&bytes);
    assert!(packed.len() < MOST_CHARACTERS);
    assert_eq!(Link::read(&format!("1{packed}")), Err(Error::TooLarge));
    assert_eq!(
        Link::read(&"1".repeat(MOST_CHARACTERS + 1)),
        Err(Error::TooLong)
    );
    let plain = base64(&vec![b'\n'; MOST_BYTES + 1]);
    assert_eq!(Link::read(&format!("0{plain}")), Err(Error::TooLarge));
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
    let letter = |at: usize| (at..at + 6).fold(0, |six, at| six << 1 | usize::from(bit(at)));
    let letters = (0..bytes.len() * 8).step_by(6).map(letter);
    letters.map(|six| char::from(LETTERS[six])).collect()
}

#[test]
fn a_length_that_is_not_the_text_s_is_a_cut() {
    let whole = base64(b"n=5\nhello");
    assert_eq!(Link::read(&format!("0{whole}")), Ok(link("hello", &[])));
    let cut = base64(b"n=6\nhello");
    assert_eq!(Link::read(&format!("0{cut}")), Err(Error::Truncated));
    let none = base64(b"\nhello");
    assert_eq!(Link::read(&format!("0{none}")), Ok(link("hello", &[])));
    assert_eq!(
        Link::read(&format!("0{}", base64(b"hello"))),
        Err(Error::Damaged)
    );
    let no_text = base64(b"\n\xff");
    assert_eq!(Link::read(&format!("0{no_text}")), Err(Error::Damaged));
}

#[test]
fn a_name_of_later_times_is_kept_for_the_reader_to_skip() {
    let later = base64(b"step=2&wings=folded\n.slm 64");
    let opened = Link::read(&format!("0{later}")).unwrap();
    assert_eq!(opened.view.get(view::STEP), Some("2"));
    assert_eq!(opened.view.get("wings"), Some("folded"));
}

#[test]
fn long_links_are_told_by_their_length() {
    let long: String = (0..400)
        .map(|i| format!(".init R{i} = {}\n", i * 7919))
        .collect();
    assert!(link(&long, &[]).fragment().unwrap().len() > LONG);
}

proptest! {
    #[test]
    fn any_text_comes_back(text in "\\PC{0,400}(\n[ -~]{0,80}){0,20}", step in any::<u32>()) {
        let made = link(&text, &[("step", &step.to_string()), ("tab", "svm")]);
        let fragments = [made.fragment().unwrap(), made.plain_fragment().unwrap()];
        for fragment in fragments {
            prop_assert_eq!(Link::read(&fragment), Ok(made.clone()));
        }
    }

    #[test]
    fn many_copies_of_bytes_come_back(text in "[a-c]{1,40}", times in 1_usize..3_000) {
        let made = link(&text.repeat(times), &[]);
        prop_assert_eq!(Link::read(&made.fragment().unwrap()), Ok(made));
    }

    #[test]
    fn a_changed_letter_is_found_out(at in any::<prop::sample::Index>(), to in "[A-Za-z0-9_-]") {
        let made = link(BUNDLED[2].text, &[]);
        let mut fragment = made.fragment().unwrap();
        let at = 1 + at.index(fragment.len() - 1);
        prop_assume!(fragment[at..=at] != to);
        fragment.replace_range(at..=at, &to);
        // Bits that fill the last byte of what is packed say nothing.
        if let Ok(read) = Link::read(&fragment) {
            prop_assert_eq!(read, made);
        }
    }

    #[test]
    fn arbitrary_signs_do_no_harm(fragment in "[01]?\\PC{0,300}") {
        let _ = Link::open(&fragment);
    }

    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let letters = base64(&bytes);
        for version in ['0', '1'] {
            if let Ok(opened) = Link::read(&format!("{version}{letters}")) {
                prop_assert!(opened.text.len() <= MOST_BYTES);
            }
        }
    }
}
