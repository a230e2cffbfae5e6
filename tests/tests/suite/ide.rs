//! Editor services on bundled scenarios, recorded vectors and arbitrary text.

use lanewise_core::diagnostic::{Severity, Span};
use lanewise_core::ide::{complete, format, hover, operand_uses, tokens, tokens_of_lines};
use lanewise_core::isa::sass::warp::register_at;
use lanewise_core::isa::visa::declarations::Variable;
use lanewise_core::isa::visa::op::{Behavior, OPS, VisaOp};
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::{Family, Instruction, Style};
use lanewise_core::library::{BUNDLED, KERNELS};
use lanewise_core::machine::{Change, SpaceKind};
use lanewise_core::program::Program;
use lanewise_core::session::Session;
use lanewise_tests::generate::texts;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// Errors whose span overlaps a position.
fn errors_at(text: &str, place: std::ops::Range<usize>) -> Vec<String> {
    let inside = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        start < place.end && place.start < end || start == end && place.contains(&start)
    };
    let program = Program::parse(text);
    let errors = program.diagnostics.iter();
    errors
        .filter(|d| d.severity() == Severity::Error && inside(d.span))
        // Ignore the initial state, which is not part of the grammar.
        .filter(|d| !matches!(&d.rule.code[1..3], "07"))
        .map(|d| format!("{} {}", d.rule.code, d.message()))
        .collect()
}

/// Tries every candidate in the text truncated at a position.
fn try_all(text: &str, cut: usize) -> usize {
    let head = &text[..cut];
    let program = Program::parse(head);
    let found = complete(&program, head, cut);
    for candidate in &found.candidates {
        let start = found.span.start as usize;
        assert_eq!(found.span.end as usize, cut);
        let insert = &candidate.insert;
        let mut lead = head[..start].to_owned();
        if let Some(also) = &candidate.also {
            let at = also.span.start as usize..also.span.end as usize;
            lead.replace_range(at, &also.replacement);
        }
        let start = lead.len();
        let end = start + insert.trim_end().len();
        let plain = format!("{lead}{insert}");
        if errors_at(&plain, start..end).is_empty() {
            continue;
        }
        // Or the candidate is the start of a valid form.
        let longer = format!("{plain}{}", candidate.rest);
        let errors = errors_at(&longer, start..end);
        assert!(errors.is_empty(), "{longer}\n{candidate:?}\n{errors:#?}");
        assert!(!candidate.rest.is_empty());
    }
    found.candidates.len()
}

#[test]
fn completions_are_valid_at_their_position() {
    let mut offered = 0;
    for scenario in BUNDLED {
        let text = scenario.text;
        // Candidates take a parse each.
        if scenario.topic == KERNELS {
            continue;
        }
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            // Titles and notes are free text; try a few positions of each line.
            if line.starts_with(".note") || line.starts_with(".title") {
                continue;
            }
            let instruction = !line.starts_with('.');
            let stride = if instruction { 2 } else { 3 };
            for cut in (0..line.trim_end().len() + 1).filter(|c| (c + index) % stride == 0) {
                if line.is_char_boundary(cut) {
                    offered += try_all(text, start + cut);
                }
            }
        }
    }
    println!("{offered} candidates in {} scenarios", BUNDLED.len());
    assert!(offered > 10_000);
}

/// Completion labels at `|`.
fn labels(marked: &str) -> Vec<String> {
    let cut = marked.find('|').unwrap();
    let text = marked.replacen('|', "", 1);
    let program = Program::parse(&text);
    let found = complete(&program, &text, cut).candidates;
    found.into_iter().map(|c| c.label).collect()
}

fn has(marked: &str, wanted: &[&str], not: &[&str]) {
    let labels = labels(marked);
    for word in wanted {
        assert!(
            labels.iter().any(|l| l == word),
            "{marked}: {word} in {labels:?}"
        );
    }
    for word in not {
        assert!(
            !labels.iter().any(|l| l == word),
            "{marked}: {word} in {labels:?}"
        );
    }
}

const DECLS: &str = ".decl V32 v_type=G type=ud num_elts=16 align=GRF\n\
                     .decl V33 v_type=G type=uq num_elts=16 align=GRF\n\
                     .decl V34 v_type=G type=f num_elts=16 align=GRF\n\
                     .decl P1 v_type=P num_elts=16\n.decl A0 v_type=A num_elts=2\n\
                     .decl T6 v_type=T\n";

#[test]
fn completions_match_the_grammar() {
    let visa = |line: &str, wanted: &[&str], not: &[&str]| {
        has(&format!("{DECLS}{line}"), wanted, not);
    };
    visa(
        "|",
        &[
            "dword_atomic",
            "svm_atomic",
            "dpasw",
            ".init",
            ".order",
            "(P1)",
        ],
        &[".target", ".lanes", "ATOM"],
    );
    visa(".region svm |", &["0x10000"], &["4096"]);
    visa(".region svm 0x10000 |", &["64", "4096"], &["0x10000"]);
    visa(".init V32 |", &["="], &["V32", "iota("]);
    visa(".init P1 |", &["="], &["0xff"]);
    visa(".init slm[0] : ud |", &["="], &["ud"]);
    visa("(|", &["P1"], &["V32", "dword_atomic"]);
    visa("(P1.|", &["any", "all"], &["add", "P1"]);
    visa("(P1) |", &["dword_atomic"], &["dpasw", ".init", "(P1)"]);
    visa(
        "dword_atomic.|",
        &["add", "cmpxchg", "predec"],
        &["RGBA", "64", "s8", "V32"],
    );
    visa("dword_atomic.add.|", &["16"], &["64", "add", "32"]);
    visa("svm_atomic.add.|", &["16", "64", "32"], &["add"]);
    visa("svm_scatter4scaled.|", &["RGBA", "R", "GA"], &["add", "16"]);
    visa("dpasw.|", &["s8", "u4", "bf"], &["add", "8", "tf32"]);
    visa("dpasw.s8.|", &["u8"], &["8"]);
    visa("dpasw.s8.s8.|", &["8", "4"], &["3", "s8"]);
    visa("dpasw.s8.s8.8.|", &["1", "3", "8"], &["s8"]);
    visa("dpasw.s8.s8.8.8 (|", &["8", "M1"], &["16", "4"]);
    visa("dword_atomic.add |", &["(M1, 8)", "(M1, 16)"], &["V32.0"]);
    visa(
        "dword_atomic.add (|",
        &["M1", "M8_NM", "8", "32"],
        &["V32.0", "%slm"],
    );
    visa("dword_atomic.add (M1, |", &["8", "32"], &["M1"]);
    visa("dword_atomic.add (M8, |", &["4", "1"], &["8", "32"]);
    visa(
        "dword_atomic.add (M1, 8) |",
        &["%slm", "%scratch", "T6"],
        &["V32.0", "%null.0"],
    );
    visa(
        "dword_atomic.add (M1, 8) %slm |",
        &["V32.0"],
        &["V33.0", "V34.0", "%slm", "P1"],
    );
    visa(
        "dword_atomic.add (M1, 8) %slm V32.|",
        &["0", "32"],
        &["V32.0", "64"],
    );
    visa(
        "dword_atomic.add (M1, 8) %slm V32.0 |",
        &["V32.0", "%null.0"],
        &["V33.0", "V34.0"],
    );
    visa(
        "dword_atomic.fmax (M1, 8) %slm V32.0 |",
        &["V34.0"],
        &["V32.0"],
    );
    visa(
        "dword_atomic.fmax (M1, 8) %slm V3|2.0 V34.0 %null.0 V34.0",
        &["V32"],
        &["V32.0", "V34"],
    );
    visa(
        "dword_atomic.add (M1, 8) %slm V32.0 V32.0 %null.0 V32.0 |",
        &[],
        &["V32.0"],
    );
    visa(
        "DWORD_ATOMIC.ADD (8) T0 V32 V32 V0 V32\nDWORD_ATOMIC.|",
        &["CMPXCHG"],
        &["cmpxchg"],
    );
    visa(
        "DWORD_ATOMIC.ADD (8) T0 V32 V32 V0 V32\nDWORD_ATOMIC.ADD (8) T0 |",
        &["V32"],
        &["V32.0"],
    );
    visa(
        "DWORD_ATOMIC.ADD (8) T0 V32 V32 V0 V32\nDWORD_ATOMIC.ADD |",
        &["(8)"],
        &["(M1, 8)"],
    );
    visa(
        "svm_scatter4scaled.R (M1, 8) |",
        &["V33(0,0)<0;1,0>", "r[A0(0),0]<0;1,0>:uq"],
        &["V33.0", "P1"],
    );
    visa(
        "svm_scatter4scaled.R (M1, 8) V33(0,0)<0;1,0> |",
        &["V33.0"],
        &["V33(0,0)<0;1,0>"],
    );
    visa("// |", &[], &["dword_atomic"]);
    visa(".|", &["init", "region"], &["lanes", ".init", "target"]);
    visa(".region |", &["svm"], &["global"]);
    visa(
        ".init |",
        &["V32", "P1", "A0", "em", "slm", "svm", "T6"],
        &["global", "R0", "EU1."],
    );
    visa(".threads 2\n.init |", &["EU1."], &[]);
    visa(".threads 2\n.init EU1.|", &["V32", "em"], &["slm", "EU1."]);
    visa(".init slm[0] : |", &["ud", "df"], &["V32"]);
    visa(
        ".init V32 = |",
        &["iota(", "splat(", "random("],
        &["0xff", "&V32"],
    );
    visa(".init P1 = |", &["0xff"], &["iota("]);
    visa(".init A0 = |", &["&V32"], &["iota(", "&P1"]);
    visa(".surface |", &["T6"], &["%slm", "V32"]);
    visa(".decl |", &["V35", "P2", "T7", "A1"], &["V32"]);
    visa(".decl V40 |", &["v_type="], &["V32"]);
    visa(".decl V40 v_type=|", &["G", "P", "T"], &["ud"]);
    visa(".decl V40 v_type=G type=|", &["ud", "bf"], &["G"]);
    visa(
        ".decl V40 v_type=G type=ud num_elts=16 |",
        &["align=", "alias="],
        &["type=", "v_type="],
    );
    visa(
        ".decl V40 v_type=G type=ud num_elts=8 align=|",
        &["GRF", "2GRF"],
        &["ud"],
    );
    visa(
        ".decl V40 v_type=G type=ud num_elts=8 alias=|",
        &["V32"],
        &["P1"],
    );
    visa(
        ".order |\ndword_atomic.inc (M1, 4) %slm V32.0 V0 V0 V0",
        &["0", "3"],
        &["4", "EU1."],
    );
    visa(
        ".order 3 |\ndword_atomic.inc (M1, 4) %slm V32.0 V0 V0 V0",
        &["0", "2"],
        &["3"],
    );
    has("|", &[".target", "dword_atomic"], &[]);
    has(".target |", &["visa", "sass"], &["XEHP"]);
    has(".target visa |", &["XEHP", "PVC"], &["SM50"]);
    has(".target sass |", &["SM50"], &["XEHP"]);
    has(".target visa PVC\n|", &["svm_atomic"], &["dpasw"]);
    let branch = |line: &str, wanted: &[&str], not: &[&str]| {
        let before = ".target visa XEHP\nSTART:\n";
        let after = "\nlater:\nret (M1, 1)\n.function \"routine\"\nroutine:\nret (M1, 1)";
        has(&format!("{before}{line}{after}"), wanted, not);
    };
    branch("goto (M1, 8) |", &["START", "later"], &["routine", "V1"]);
    branch("goto (M1, 8) la|", &["START", "later"], &["la", "routine"]);
    branch("call (M1, 8) |", &["routine"], &["START", "later"]);
    let sass = |line: &str, wanted: &[&str], not: &[&str]| {
        has(
            &format!(".target sass SM52\n.init R2 = 0\n{line}"),
            wanted,
            not,
        );
    };
    sass("|", &["ATOM", ".lanes"], &["dpasw", ".decl"]);
    sass("@|", &["P0", "PT"], &["R2"]);
    sass("@P0 |", &["ATOM"], &[".lanes"]);
    sass("ATOM.|", &["E", "ADD", "CAS", "SAFEADD"], &["U64"]);
    sass("ATOM.E.|", &["ADD"], &["E"]);
    sass(
        "ATOM.ADD.|",
        &["F32.FTZ.RN", "F16x2.FTZ.RN", "U64"],
        &["S64", "F64.RN", "ADD"],
    );
    sass("ATOM.ADD.F32.F|", &["F32.FTZ.RN"], &["S64"]);
    sass("ATOM.SAFEADD.|", &["U64"], &["S32"]);
    sass("ATOM.ADD |", &["R0", "RZ", "P0"], &["[R2]"]);
    sass("ATOM.ADD.U64 |", &["R0"], &["R1", "R254"]);
    sass("ATOM.ADD R0, |", &["[R2]", "[R3]"], &["R2", "P0"]);
    sass("ATOM.E.ADD R0, |", &["[R2]"], &["[R3]"]);
    sass("ATOM.ADD R0, [|", &["R2"], &["[R2]"]);
    sass("ATOM.ADD R0, [R2], |", &["R4"], &["[R2]", "P0"]);
    sass("ATOM.CAS R0, [R2], |", &["R4"], &["R5", "RZ"]);
    sass("ATOM.CAS R0, [R2], R4, |", &["R5", "RZ"], &["R4", "R6"]);
    sass("ATOM.ADD R0, [R2], R4|;", &["R4", "R5"], &[]);
    sass("ATOM.ADD R0, [R2], R4 |", &["&wr=0", "?stall1"], &["R5"]);
    sass(".init |", &["R2", "P0", "global"], &["slm", "RZ", "em"]);
    sass(".init R2:|", &["R3", "f"], &["R4"]);
    sass(".window |", &["shared", "local"], &["global"]);
    sass(".lanes |", &["helper="], &["R2"]);
}

#[test]
fn completion_offers_every_instruction_that_runs() {
    let runs = |op: &&VisaOp| {
        let is_word = op.spec.name.starts_with(char::is_alphabetic);
        is_word && !matches!(op.behavior, Behavior::NotModelled | Behavior::SourceMark(_))
    };
    let mut missing: BTreeSet<&str> = OPS
        .iter()
        .filter(runs)
        .map(|op| op.spec.mnemonic(Style::Assembler))
        .collect();
    for platform in Platform::ALL {
        // Not in the first line, which may start a function.
        let text = format!(".target visa {}\n", platform.name());
        let program = Program::parse(&text);
        for candidate in complete(&program, &text, text.len()).candidates {
            missing.remove(&*candidate.label);
        }
    }
    assert_eq!(missing, BTreeSet::new());
}

#[test]
fn completed_sources_have_an_element_for_each_lane() {
    let head = ".decl V32 v_type=G type=f num_elts=16 align=GRF\n\
                .decl V33 v_type=G type=f num_elts=1 align=GRF\n";
    for (lanes, regions) in [(16, ["<1;1,0>", "<0;1,0>"]), (1, ["<0;1,0>"; 2])] {
        let text = format!("{head}add (M1, {lanes}) V32(0,0)<1> V3");
        let completions = complete(&Program::parse(&text), &text, text.len());
        for (variable, region) in ["V32", "V33"].into_iter().zip(regions) {
            let insert = format!("{variable}(0,0){region}");
            let is_offered = completions
                .candidates
                .iter()
                .any(|c| c.insert.starts_with(&insert));
            assert!(is_offered, "{lanes}: {insert}");
        }
    }
}

#[test]
fn completion_replaces_the_whole_word() {
    let text = format!("{DECLS}dword_atomic.cmpx (M1, 8) %slm V32.0 V32.0 V32.0 V32.0");
    let at = text.find("mpx").unwrap();
    let found = complete(&Program::parse(&text), &text, at);
    assert_eq!(found.span.of(&text), "cmpx");
    let text = ".target sass SM50\nATOM.ADD.F32.FT R0, [R2], R4";
    let at = text.find(" R0").unwrap();
    let found = complete(&Program::parse(text), text, at);
    assert_eq!(found.span.of(text), "F32.FT");
}

/// Hover title, lines and topics at `|`.
fn hover_text(marked: &str) -> String {
    let at = marked.find('|').unwrap();
    let text = marked.replacen('|', "", 1);
    let program = Program::parse(&text);
    let Some(found) = hover(&program, &text, at) else {
        return String::new();
    };
    let diagnostics: Vec<&str> = found.diagnostics.iter().map(|f| f.code).collect();
    format!(
        "{} [{}] {} / {} / {}",
        found.title,
        found.span.of(&text),
        found.lines.join("; "),
        found.topics.join(" "),
        diagnostics.join(" ")
    )
}

#[test]
fn hover_describes_the_token() {
    let inc = "dword_atomic.inc (M1, 8) %slm V32.0 %null.0 %null.0 V32.0";
    let visa = |line: &str, wanted: &[&str]| {
        let hovered = hover_text(&format!("{DECLS}.threads 2\n.surface T6 64\n{line}"));
        for part in wanted {
            assert!(hovered.contains(part), "{part:?} in {hovered}");
        }
    };
    let at = |word: &str| inc.replacen(word, &format!("|{word}"), 1);
    visa(
        &at("dword"),
        &[
            "DWORD_ATOMIC [dword_atomic] Each enabled lane",
            "instruction.DWORD_ATOMIC",
        ],
    );
    visa(
        &at("inc"),
        &[
            "INC: new = old + 1 [inc] ",
            "returns: old",
            "operation.DWORD_ATOMIC.INC",
        ],
    );
    visa(
        &at("M1"),
        &[
            "Mask control: M1: channels from 0 [M1]",
            "lanes 0 to 7 are channels 0 to 7",
            "field.mask",
        ],
    );
    visa(
        &at("8)"),
        &["Execution size: 8 lanes [8]", "field.exec-size"],
    );
    visa(
        &at("%slm"),
        &[
            "Surface: %slm: surface 0, shared local memory [%slm]",
            "65,536 bytes at 0x0",
        ],
    );
    visa(
        &at("V32"),
        &[
            "Address: V32: general variable, ud × 16, 64 bytes, separate for EU0 and EU1 [V32.0]",
            "variable 32, 2 registers from byte 0",
        ],
    );
    visa(&at("0 %null"), &["Address: V32: general variable"]);
    visa(
        &at("%null"),
        &["First source: %null: the null variable, for an unused operand"],
    );
    visa(
        &format!("(!P1.a|ny) {inc}"),
        &["Predicate: P1: predicate, 16 lanes", "field.predicate"],
    );
    visa(
        &inc.replacen("%slm", "|T6", 1),
        &["Surface: T6: surface 6", "64 bytes at 0x0"],
    );
    visa(
        ".i|nit V32 = 1",
        &[".init PLACE = VALUES [.init]", "directive.init"],
    );
    visa("|.init V32 = 1", &[".init PLACE = VALUES [.init]"]);
    visa(".init V|32 = 1", &["V32: general variable, ud × 16"]);
    visa(".init em| = 1", &["em: the initial execution mask"]);
    visa(".init slm[0] : d|f = 1", &["df: float, 64 bits"]);
    visa(
        "dword_atomic.ad|d (M1, 8) %slm V99.0",
        &["ADD: new = old + src0"],
    );
    visa(
        "dword_atomic.add (M1, 8) %slm |V99.0",
        &["[V99]", "rule.E0305", "E0305"],
    );
    visa(
        "dpasw.s8.u4.8.|4 (M1, 8) V32.0 %null.0 V32.0 V32(0,0)",
        &["Repeat count: 4", "field.repeat"],
    );
    visa(
        "dpasw.s8.u|4.8.4 (M1, 8) V32.0 %null.0 V32.0 V32(0,0)",
        &["Precisions: "],
    );
    assert_eq!(hover_text("// |comment"), "");
    assert_eq!(hover_text("\n|\n"), "");
    let sass = hover_text(".target sass SM52\nATOM.ADD R0, [|R2 + 4], RZ");
    assert!(
        sass.starts_with("Address: R2: a 32-bit register of each of the 32 lanes [[R2 + 4]]"),
        "{sass}"
    );
    let sass = hover_text(".target sass SM52\nATOM.|E.ADD R0, [R2], RZ");
    assert!(sass.starts_with("Address: 64 bits"), "{sass}");
    let sass = hover_text(".target sass SM52\nATOM.AD|D.F32.FTZ.RN R0, [R2], RZ");
    assert!(sass.starts_with("ADD: M + Rb"), "{sass}");
}

fn formatted(text: &str, style: Style) -> String {
    let program = Program::parse(text);
    let done = format(&program, text, style);
    // The edits are equivalent to the formatted text.
    let mut edited = String::from(text);
    for edit in done.edits.iter().rev() {
        edited.replace_range(
            edit.span.start as usize..edit.span.end as usize,
            &edit.replacement,
        );
    }
    assert_eq!(edited, done.text);
    assert_eq!(done.edits.len(), done.lines.len());
    assert_eq!(done.moved(text.len()), done.text.len());
    assert_eq!(done.moved(0), 0);
    let mut before = 0;
    for at in 0..=text.len() {
        let moved = done.moved(at);
        assert!(moved >= before && moved <= done.text.len());
        before = moved;
    }
    done.text
}

fn encodings(text: &str) -> Vec<Vec<u8>> {
    let program = Program::parse(text);
    let all = program.instructions.iter();
    all.map(|p| p.instruction.encode().bytes().to_vec())
        .collect()
}

#[test]
fn formatting_preserves_meaning_and_is_idempotent() {
    for scenario in BUNDLED {
        let text = scenario.text;
        for style in [Style::Document, Style::Assembler] {
            let once = formatted(text, style);
            assert_eq!(encodings(&once), encodings(text), "{}", scenario.id);
            assert_eq!(formatted(&once, style), once);
            assert_eq!(once.lines().count(), text.lines().count());
            let instructions: Vec<u32> = Program::parse(text)
                .instructions
                .iter()
                .map(|p| p.line)
                .collect();
            for (line, (old, new)) in (0..).zip(text.lines().zip(once.lines())) {
                if !instructions.contains(&line) {
                    assert_eq!(old, new);
                }
            }
            // Formatting in both styles ends with the assembler's syntax.
            let back = formatted(&formatted(&once, Style::Document), Style::Assembler);
            assert_eq!(back, formatted(text, Style::Assembler));
        }
    }
}

#[test]
fn formatting_rewrites_line_by_line() {
    let text = "// lead\n.decl mask v_type=P num_elts=16\n.decl buf v_type=T\n.surface buf 64\n\
        .decl V32  v_type=G type=ud num_elts=16 align=GRF // kept\n.decl V33 v_type=G type=d num_elts=16 align=GRF\n\n\
        start:\n  (!mask.any)  DWORD_ATOMIC.IMIN   (8) buf V32 V33.32 V0 V33   // why\n\
        add (M1, 8) V32.0 V32.0 V32.0\ndword_atomic.nope (M1, 8)\n\
        dword_atomic.add /* in */ (M1, 8) T0 V32.0 V32.0 V0 V32.0\n";
    let program = Program::parse(text);
    let done = format(&program, text, Style::Assembler);
    let wanted = text.replace(
        "(!mask.any)  DWORD_ATOMIC.IMIN   (8) buf V32 V33.32 V0 V33",
        "(!mask.any) dword_atomic.minsint (M1, 8) buf V32.0 V33.32 %null.0 V33.0",
    );
    assert_eq!(done.text, wanted);
    let kept: Vec<(&str, &str)> = done
        .kept
        .iter()
        .map(|k| (k.span.of(text), &*k.why))
        .collect();
    assert_eq!(kept.len(), 3, "{kept:?}");
    assert_eq!(
        kept[0],
        (
            "add (M1, 8) V32.0 V32.0 V32.0",
            "unexpected byte offset in dst"
        )
    );
    assert!(kept[1].0.starts_with("dword_atomic.nope") && kept[1].1.contains("nope"));
    assert_eq!(kept[2].1, "the instruction contains a comment");
    let sass =
        ".target sass SM50\n@P0 atom.e.add.u64   R0,[R2+16],R4 ; // x\nATOM.INC R0, [R2], R4\n";
    let wanted =
        ".target sass SM50\n@P0 ATOM.E.ADD.U64 R0, [R2+0x10], R4; // x\nATOM.INC R0, [R2], R4\n";
    for style in [Style::Document, Style::Assembler] {
        assert_eq!(formatted(sass, style), wanted);
    }
}

#[test]
fn tokens_are_fast() {
    let line = "(P1) dword_atomic.add (M1, 8) %slm V32.0 V33.0 %null.0 V34.0 // a line\n";
    let text = format!("{DECLS}{}", line.repeat(10_000));
    let program = Program::parse(DECLS);
    let start = std::time::Instant::now();
    let all = tokens(&program, &text);
    let whole = start.elapsed();
    let start = std::time::Instant::now();
    let some = tokens_of_lines(&program, &text, 9_000, 9_050);
    println!(
        "{} tokens of 10,000 lines: {whole:?}; 50 lines: {:?}",
        all.len(),
        start.elapsed()
    );
    assert!(!some.is_empty());
}

proptest! {
    #[test]
    fn services_accept_any_position_of_any_text(text in texts(), at in any::<prop::sample::Index>()) {
        let program = Program::parse(&text);
        let at = at.index(text.len() + 3);
        let _ = hover(&program, &text, at);
        let found = complete(&program, &text, at);
        prop_assert!(text.get(found.span.start as usize..found.span.end as usize).is_some());
        for style in [Style::Document, Style::Assembler] {
            let once = format(&program, &text, style).text;
            let again = Program::parse(&once);
            prop_assert_eq!(&format(&again, &once, style).text, &once);
            prop_assert_eq!(encodings(&once), encodings(&text));
        }
        let all = tokens(&program, &text);
        prop_assert!(all.windows(2).all(|two| two[0].0.end <= two[1].0.start));
        // The program may belong to a different text.
        let other = Program::parse(DECLS);
        let _ = (hover(&other, &text, at), complete(&other, &text, at), tokens(&other, &text));
    }
}

/// Signature with the part at `|` marked, and its description.
fn signature_at(text: &str) -> String {
    let offset = text.find('|').unwrap();
    let text = text.replacen('|', "", 1);
    let program = Program::parse(&text);
    let style = lanewise_core::isa::Style::Assembler;
    let Some(found) = lanewise_core::ide::signature(&program, &text, offset, style) else {
        return String::from("none");
    };
    let mut line = String::new();
    for (i, piece) in found.pieces.iter().enumerate() {
        match found.active == Some(i) {
            true => line += &format!("«{}»", piece.text),
            false => line += &piece.text,
        }
    }
    format!("{line} {}", found.what).trim_end().to_owned()
}

#[test]
fn signatures_follow_the_caret() {
    let sass = |line: &str| signature_at(&format!(".target sass SM50\n{line}"));
    for (at, wanted) in [
        (
            signature_at("dword_|atomic"),
            "[(P)] «dword_atomic».op[.16] (M1, n) surface offsets src0 src1 dst",
        ),
        (
            signature_at("(P1|) svm_atomic.add"),
            "«[(P)] »svm_atomic.op[.16|.64] (M1, n) addresses dst src0 src1",
        ),
        (
            signature_at("svm_atomic.|add"),
            "[(P)] svm_atomic«.op»[.16|.64] (M1, n) addresses dst src0 src1 operation applied to each cell",
        ),
        (
            signature_at("dword_atomic.add.1|6 (M1, 8"),
            "[(P)] dword_atomic.op«[.16]» (M1, n) surface offsets src0 src1 dst width of the cells; 32 bits by default",
        ),
        (
            signature_at("dword_atomic.add (M1|, 8"),
            "[(P)] dword_atomic.op[.16]« (M1, n)» surface offsets src0 src1 dst mask control and number of lanes",
        ),
        (
            signature_at("dword_atomic.add (M1, 8) |"),
            "[(P)] dword_atomic.op[.16] (M1, n)« surface» offsets src0 src1 dst memory to access",
        ),
        (
            signature_at("dword_atomic.add (M1, 8) %slm V3|2.0"),
            "[(P)] dword_atomic.op[.16] (M1, n) surface« offsets» src0 src1 dst byte offsets from the start of the surface, one UD per lane",
        ),
        (
            signature_at("dword_atomic.add (M1, 8) %slm V32.0 V33.0 |"),
            "[(P)] dword_atomic.op[.16] (M1, n) surface offsets src0« src1» dst second operand of each lane, for CMPXCHG and FCMPWR only",
        ),
        (
            signature_at("dword_atomic.add (M1, 8) %slm V32.0 V33.0 V0 V0 |"),
            "[(P)] dword_atomic.op[.16] (M1, n) surface offsets src0 src1 dst",
        ),
        (
            sass("RED.ADD |"),
            "[@[!]Pg] RED[.E].op[.size]« [Ra+offset]», Rb address of each lane's cell, or [address] for all lanes",
        ),
        (
            sass("@P0 RED.ADD [R2], |R4"),
            "[@[!]Pg] RED[.E].op[.size] [Ra+offset]«, Rb» operand of each lane",
        ),
        (signature_at("// dword_|atomic"), "none"),
        (signature_at(".slm |64"), "none"),
        (
            signature_at("add |(M1, 8)"),
            "[(P)] add« (M1, n)» dst src0 src1 mask control and number of lanes",
        ),
    ] {
        assert_eq!(at, wanted);
    }
}

/// Register writes of a step belong to an operand that the schema marks as written
/// and that the current line uses. A 64-bit SASS value is named by its first register.
/// Bytes of a variable in the registers.
fn bytes_of(variable: &Variable) -> Range<u64> {
    let start = u64::from(variable.offset);
    let bytes = variable.elements * u32::from(variable.ty.bytes());
    start..start + u64::from(bytes)
}

#[test]
fn written_registers_belong_to_written_operands() {
    let mut writes = 0;
    for scenario in BUNDLED {
        let program = Rc::new(Program::parse(scenario.text));
        let uses = operand_uses(&program);
        let variables = &program.symbols.visa;
        let is_sass = program.symbols.target.family() == Family::Sass;
        let mut session = Session::new(Rc::clone(&program));
        while session.step() {
            let at = session.last_instruction().expect("after a step");
            let placed = &program.instructions[at];
            // Rows of the opcode table of SASS have no operand schema.
            if matches!(placed.instruction, Instruction::Sass(_)) {
                continue;
            }
            let line = placed.line;
            let changes = session.last_changes().iter();
            let in_registers =
                |change: &&Change| matches!(change.space.kind(), SpaceKind::Registers(_));
            for change in changes.filter(in_registers) {
                // Operands such as %cr0 are not uses of a declared variable.
                let mut declared = variables.generals().map(|(_, variable)| variable);
                if !is_sass
                    && !declared.any(|variable| bytes_of(variable).contains(&change.address))
                {
                    continue;
                }
                let is_there = |name: &str| {
                    if is_sass {
                        let (_, register) = register_at(change.address);
                        return [register, register.saturating_sub(1)]
                            .iter()
                            .any(|number| name == format!("R{number}"));
                    }
                    let mut variables = variables.generals();
                    let found = variables.find(|(_, variable)| &*variable.name == name);
                    let (_, variable) = found.expect("operands name variables");
                    bytes_of(variable).contains(&change.address)
                };
                let mut written = uses.iter().filter(|u| u.line == line && u.is_written());
                assert!(
                    written.any(|used| is_there(&used.name)),
                    "{}: line {line}: {change:?}",
                    scenario.id
                );
                writes += 1;
            }
        }
    }
    assert!(writes > 500, "{writes}");
}
