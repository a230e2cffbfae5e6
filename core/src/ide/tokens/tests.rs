use super::*;
use crate::library::BUNDLED;
use std::format;
use std::string::String;

fn classes(text: &str) -> Vec<(&str, TokenClass)> {
    let program = Program::parse(text);
    let found = tokens(&program, text);
    let mut all = Vec::new();
    for (span, class) in found {
        if class != TokenClass::Punctuation {
            all.push((span.of(text), class));
        }
    }
    all
}

#[test]
fn words_have_the_expected_classes() {
    use TokenClass::*;
    let text = ".decl V32 v_type=G type=ud num_elts=8 align=GRF // x\n\
                .decl P1 v_type=P num_elts=8\n.decl T6 v_type=T\n.init slm[0x40] : ud = 0x1g\n\
                (!P1.any) dword_atomic.add.16 (M1, 8) %slm V32.32 V32 %null.0 T6\n\
                .nonsense\nblub V32\n.note \"open";
    let wanted = [
        (".decl", Directive),
        ("V32", Variable),
        ("v_type", Keyword),
        ("G", Type),
        ("type", Keyword),
        ("ud", Type),
        ("num_elts", Keyword),
        ("8", Number),
        ("align", Keyword),
        ("GRF", Type),
        ("// x", Comment),
        (".decl", Directive),
        ("P1", Predicate),
        ("v_type", Keyword),
        ("P", Type),
        ("num_elts", Keyword),
        ("8", Number),
        (".decl", Directive),
        ("T6", Surface),
        ("v_type", Keyword),
        ("T", Type),
        (".init", Directive),
        ("slm", Surface),
        ("0x40", Number),
        ("ud", Type),
        ("0x1g", Broken),
        ("P1", Predicate),
        ("any", Keyword),
        ("dword_atomic", Mnemonic),
        ("add", Suffix),
        ("16", Suffix),
        ("M1", Keyword),
        ("8", Number),
        ("%slm", Surface),
        ("V32", Variable),
        ("32", Number),
        ("V32", Variable),
        ("%null", Variable),
        ("0", Number),
        ("T6", Surface),
        (".nonsense", Broken),
        ("blub", Broken),
        ("V32", Variable),
        (".note", Directive),
        ("\"open", Broken),
    ];
    assert_eq!(classes(text), wanted);
    let sass = ".target sass SM50\n.init R2:R3 : q = iota(0, 1)\n@!P0 ATOM.E.ADD.S32 R0, [R2 + 4], RZ &wr=0 ?stall1;";
    let wanted = [
        (".target", Directive),
        ("sass", Keyword),
        ("SM50", Keyword),
        (".init", Directive),
        ("R2", Variable),
        ("R3", Variable),
        ("q", Type),
        ("iota", Keyword),
        ("0", Number),
        ("1", Number),
        ("P0", Predicate),
        ("ATOM", Mnemonic),
        ("E", Suffix),
        ("ADD", Suffix),
        ("S32", Suffix),
        ("R0", Variable),
        ("R2", Variable),
        ("4", Number),
        ("RZ", Variable),
        ("wr", Keyword),
        ("0", Number),
        ("stall1", Keyword),
    ];
    assert_eq!(classes(sass), wanted);
    // `LOP` is an opcode of SM50, `ULDC` one of later chips.
    for (text, class) in [
        ("SM80\n@P0 IMAD.WIDE R2, R5, R1, R2;", Mnemonic),
        ("SM80\nULDC.64 UR4, c[0x0][0x118];", Mnemonic),
        ("SM80\nLOP.AND R1, R2, R3;", Broken),
        ("SM50\nLOP.AND R1, R2, R3;", Mnemonic),
        ("SM50\nULDC.64 UR4, c[0x0][0x118];", Broken),
    ] {
        let text = format!(".target sass {text}");
        let found = classes(&text);
        let opcode = found
            .iter()
            .find(|(word, _)| ["IMAD", "ULDC", "LOP"].contains(word));
        assert_eq!(opcode.map(|(_, class)| *class), Some(class), "{text}");
    }
}

#[test]
fn line_tokens_match_whole_text_tokens() {
    let comment = "/* a\nb */ .slm 4 /* c\n*/ // d\n.slm 8 /* open\nx";
    let texts = BUNDLED
        .iter()
        .map(|b| b.text)
        .chain([comment, "", "\n\n", "é\u{feff}é"]);
    for text in texts {
        let program = Program::parse(text);
        let whole = tokens(&program, text);
        let mut ends = 0;
        let mut joined = Vec::new();
        let lines = text.bytes().filter(|b| *b == b'\n').count() + 1;
        for line in 0..lines {
            for token in tokens_of_lines(&program, text, line, line + 1) {
                // A comment over several lines comes with each of them.
                if joined.last() != Some(&token) {
                    joined.push(token);
                }
            }
        }
        assert_eq!(joined, whole, "{text}");
        for (span, _) in &whole {
            assert!(span.start >= ends && span.end > span.start && !span.of(text).is_empty());
            ends = span.end;
        }
        // Nothing but blanks is left out.
        let painted: String = whole.iter().map(|(span, _)| span.of(text)).collect();
        let bare = |t: &str| -> String {
            t.chars()
                .filter(|c| !c.is_whitespace() && *c != '\u{feff}')
                .collect()
        };
        assert_eq!(bare(&painted), bare(text));
    }
    let program = Program::parse("");
    assert!(tokens_of_lines(&program, "a", 7, 9).is_empty());
    assert!(tokens_of_lines(&program, "a", 1, 0).is_empty());
}
