//! Text rendering of diagnostics, in scenarios and in Markdown.

use crate::common::{SCENARIO, file, lanewise};

#[test]
fn error_shows_line_reason_and_fix() {
    let done = lanewise(
        &["check", "-"],
        ".decl V32 v_type=G type=ud num_elts=8\r\n\tdword_atomic.ad (M1, 8) %slm V32.0 é V0 V32.0\r\n",
    );
    assert_eq!(done.code, 1);
    let expected = "\
error[E0311]: unknown atomic operation `ad`
 --> <stdin>:2:15
  |
2 |     dword_atomic.ad (M1, 8) %slm V32.0 é V0 V32.0
  |                  ^^
  |
  = documented: the operations are those of table DWORD_ATOMIC_OP
help: did you mean `add`?
  |
2 |     dword_atomic.add (M1, 8) %slm V32.0 é V0 V32.0
  |                    +

error[E0306]: `é` cannot be src0
 --> <stdin>:2:37
  |
2 |     dword_atomic.ad (M1, 8) %slm V32.0 é V0 V32.0
  |                                        ^
  |
  = documented: raw operands must be general variables (visa_5_operands.md)
  = help: use a general variable, such as NAME or NAME.32

";
    assert_eq!(done.err, expected);
}

#[test]
fn control_characters_are_removed() {
    let text = ".title \"\u{1b}[31mred\"\n\u{1b}[31m \u{202e}\n.note \u{7}\n";
    for arguments in [["check", "-"], ["run", "-"], ["asm", "-"], ["disasm", "-"]] {
        let done = lanewise(&arguments, text);
        assert!(
            !done.err.contains(['\u{1b}', '\u{7}', '\u{202e}']),
            "{}",
            done.err
        );
    }
    let titled = lanewise(
        &["run", "-"],
        format!(".title \"\u{1b}[31mred\"\n{SCENARIO}"),
    );
    assert!(titled.out.contains("red\n") && !titled.out.contains('\u{1b}'));
}

#[test]
fn long_lines_and_many_errors_are_truncated() {
    let long = format!("{} foo\n", ".slm 4 ".repeat(10_000));
    let done = lanewise(&["check", "-"], long);
    assert!(
        done.err.contains(" <stdin>:1:8\n") && done.err.len() < 2_000,
        "{}",
        done.err.len()
    );
    let word = lanewise(&["check", "-"], "x".repeat(100_000));
    assert!(
        word.err.contains("<stdin>:1:1\n") && word.err.len() < 2_000,
        "{}",
        word.err.len()
    );
    let done = lanewise(&["check", "-"], "foo\n".repeat(1_000));
    assert_eq!(done.err.matches("error[").count(), 50);
    assert!(
        done.err.ends_with("… and 950 more in <stdin>\n\n"),
        "{}",
        done.err
    );
    assert_eq!(done.out, "1 scenario checked: 1000 errors\n");
}

const PAGE: &str = "\
# A page

Three backquotes ```in a sentence``` open nothing.

```lanewise
.slm 8
foo
```

- in a list

  ~~~ LANEWISE,edit
  .slm 4
    bar
  ```
  ~~~

> ````lanewise
> .slm 4
> baz
> ```
> ````

```rust
```lanewise
qux
```

````markdown
```lanewise
qux
```
````

```lanewise-embed
qux
```

```lanewise
/* the end of the page
";

#[test]
fn markdown_errors_have_line_numbers_of_the_file() {
    let path = file("page.md", PAGE);
    let done = lanewise(&["check", path.to_str().expect("a name")], "");
    assert_eq!(done.code, 1);
    assert_eq!(done.out, "4 scenarios checked: 6 errors\n");
    let spans: Vec<&str> = done.err.lines().filter(|l| l.contains("--> ")).collect();
    let lines: Vec<&str> = spans
        .iter()
        .filter_map(|p| p.split(".md:").nth(1))
        .collect();
    assert_eq!(
        lines,
        ["7:1", "14:5", "15:3", "20:3", "21:3", "40:1"],
        "{}",
        done.err
    );
    assert!(
        done.err.contains("20 | > baz\n   |   ^^^\n"),
        "{}",
        done.err
    );
}

#[test]
fn fix_is_shown_in_the_line_of_the_file() {
    let done = lanewise(&["check", "--markdown", "-"], PAGE);
    let fixed = "40 | /* the end of the page */\n   |                        ++\n";
    assert!(done.err.contains(fixed), "{}", done.err);
}

#[test]
fn markdown_is_detected_by_extension_or_flag() {
    let page = "text\n```lanewise\n.slm 4\n```\n";
    for name in ["a.md", "a.markdown", "a.MD", "a.mdx"] {
        let path = file(name, page);
        let done = lanewise(&["check", path.to_str().expect("a name")], "");
        assert_eq!(
            (done.code, done.out.as_str()),
            (0, "1 scenario checked: no errors\n"),
            "{name}"
        );
    }
    assert_eq!(lanewise(&["check", "--markdown", "-"], page).code, 0);
    assert_eq!(lanewise(&["check", "-"], page).code, 1);
    let none = lanewise(&["check", "--markdown", "-"], "no block\n");
    assert_eq!(
        (none.code, none.out.as_str()),
        (0, "0 scenarios checked: no errors\n")
    );
    let crlf = lanewise(
        &["check", "--markdown", "-"],
        "```lanewise\r\n.slm 4\r\nfoo\r\n```\r\n",
    );
    assert!(crlf.err.contains(" --> <stdin>:3:1\n"), "{}", crlf.err);
}
