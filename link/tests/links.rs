//! Links round-trip, are short, open in later versions, and are rejected if
//! damaged.

use lanewise_core::library::{BUNDLED, KERNELS, PROGRAMS};
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
fn bundled_scenarios_round_trip_and_are_short() {
    let mut total = 0;
    for scenario in BUNDLED {
        let made = link(scenario.text, &[("step", "3"), ("tab", "slm")]);
        let fragment = made.fragment().unwrap();
        assert_eq!(Link::read(&fragment), Ok(made.clone()), "{}", scenario.id);
        assert_eq!(Link::read(&made.plain_fragment().unwrap()), Ok(made));
        println!("{:>5} characters: {}", fragment.len(), scenario.id);
        let limit = match scenario.topic {
            KERNELS => 4000,
            PROGRAMS => 800,
            _ => 400,
        };
        assert!(
            fragment.len() <= limit,
            "{}: {}",
            scenario.id,
            fragment.len()
        );
        total += fragment.len();
    }
    println!("{:>5} on average", total / BUNDLED.len());
}

/// 64-bit FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn dictionary_of_version_1_is_frozen() {
    // A change breaks every link of version 1; add a version 2 instead.
    assert_eq!(hash(DICTIONARY), 0x0d5a_ab9c_6682_dcd0);
}

/// Golden links must open forever. Add links for each new version; never
/// regenerate existing ones.
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
fn urls_are_opened() {
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
fn truncated_links_are_rejected() {
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

/// 256 KB of one byte compress to 262 bytes. Larger payloads are rejected before
/// they are allocated.
#[test]
fn decompression_bombs_are_rejected() {
    let text = "0".repeat(MOST_BYTES - 1);
    let bomb = link(&text, &[]);
    let fragment = bomb.fragment().unwrap();
    assert!(fragment.len() < 600, "{}", fragment.len());
    assert_eq!(Link::read(&fragment), Ok(bomb));
    let over = link(&format!("{text}0"), &[]);
    assert_eq!(over.fragment(), Err(Error::TooLarge));
    assert_eq!(over.plain_fragment(), Err(Error::TooLarge));
    // A stream of another compressor with the maximum expansion of 1,032.
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
fn wrong_length_is_truncation() {
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
fn unknown_names_are_kept() {
    let later = base64(b"step=2&wings=folded\n.slm 64");
    let opened = Link::read(&format!("0{later}")).unwrap();
    assert_eq!(opened.view.get(view::STEP), Some("2"));
    assert_eq!(opened.view.get("wings"), Some("folded"));
}

#[test]
fn long_links_exceed_long() {
    let long: String = (0..400)
        .map(|i| format!(".init R{i} = {}\n", i * 7919))
        .collect();
    assert!(link(&long, &[]).fragment().unwrap().len() > LONG);
}

proptest! {
    #[test]
    fn any_text_round_trips(text in "\\PC{0,400}(\n[ -~]{0,80}){0,20}", step in any::<u32>()) {
        let made = link(&text, &[("step", &step.to_string()), ("tab", "svm")]);
        let fragments = [made.fragment().unwrap(), made.plain_fragment().unwrap()];
        for fragment in fragments {
            prop_assert_eq!(Link::read(&fragment), Ok(made.clone()));
        }
    }

    #[test]
    fn repetitive_text_round_trips(text in "[a-c]{1,40}", times in 1_usize..3_000) {
        let made = link(&text.repeat(times), &[]);
        prop_assert_eq!(Link::read(&made.fragment().unwrap()), Ok(made));
    }

    #[test]
    fn changed_character_is_detected(at in any::<prop::sample::Index>(), to in "[A-Za-z0-9_-]") {
        let made = link(BUNDLED[2].text, &[]);
        let mut fragment = made.fragment().unwrap();
        let at = 1 + at.index(fragment.len() - 1);
        prop_assume!(fragment[at..=at] != to);
        fragment.replace_range(at..=at, &to);
        // Padding bits in the last compressed byte are ignored.
        if let Ok(read) = Link::read(&fragment) {
            prop_assert_eq!(read, made);
        }
    }

    #[test]
    fn arbitrary_characters_do_not_panic(fragment in "[01]?\\PC{0,300}") {
        let _ = Link::open(&fragment);
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let letters = base64(&bytes);
        for version in ['0', '1'] {
            if let Ok(opened) = Link::read(&format!("{version}{letters}")) {
                prop_assert!(opened.text.len() <= MOST_BYTES);
            }
        }
    }
}
