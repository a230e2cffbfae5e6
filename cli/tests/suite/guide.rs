//! Commands of the guide print what its pages say.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Words of a command line with words in single quotes.
fn words(command: &str) -> Vec<&str> {
    let pieces = command.split('\'').enumerate();
    pieces
        .flat_map(|(at, piece)| match at % 2 {
            0 => piece
                .split_whitespace()
                .filter(|word| *word != "\\")
                .collect(),
            _ => vec![piece],
        })
        .collect()
}

/// `console` blocks hold a command, which may go on after a backslash, and its output, in
/// which a line with an ellipsis stands for any lines.
#[test]
fn commands_print_what_the_guide_says() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
    let mut count = 0;
    for page in ["find-a-bug.md", "compiler-bugs.md"] {
        let text = fs::read_to_string(guide.join(page)).expect("the page");
        for block in text.split("```console\n$ lanewise ").skip(1) {
            let (block, _) = block.split_once("```").expect("an end");
            let end = block
                .match_indices('\n')
                .find(|(at, _)| !block[..*at].ends_with('\\'));
            let (command, printed) = block.split_at(end.expect("output").0);
            let mut lanewise = Command::new(env!("CARGO_BIN_EXE_lanewise"));
            lanewise
                .args(words(command))
                .current_dir(guide.join("kernels"));
            let done = lanewise.output().expect("the program runs");
            let output = [b"\n".as_slice(), &done.stdout, &done.stderr].concat();
            let output = String::from_utf8(output).expect("UTF-8");
            let mut rest = output.as_str();
            let fails = printed.contains("error[");
            assert_eq!(done.status.success(), !fails, "{page}: {output}");
            for (at, piece) in printed.split("\n…").enumerate() {
                let found = rest.find(piece).filter(|found| at > 0 || *found == 0);
                let at = found.unwrap_or_else(|| panic!("{page}: {piece} is not in {output}"));
                rest = &rest[at + piece.len()..];
            }
            let is_part = printed.contains('…');
            assert!(is_part || rest.is_empty(), "{page}: {rest} is left out");
            count += 1;
        }
    }
    assert_eq!(count, 4);
}
