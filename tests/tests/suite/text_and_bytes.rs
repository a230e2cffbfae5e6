//! Printed text assembles to the same bytes, for any names of declarations and any values
//! of fields.

use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::Style;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::Assembler;
use lanewise_core::rules;
use lanewise_tests::parse::runnable;
use lanewise_tests::vectors;

/// Assembles `line` and returns the text of the bytes in both styles, each of which must
/// assemble to the same bytes.
#[track_caller]
fn printed(decls: &[&str], line: &str) -> [String; 2] {
    let mut assembler = Assembler::new(Platform::Xehp, decls.iter().copied()).unwrap();
    let bytes = assembler.assemble(line).unwrap().encoded.bytes().to_vec();
    [Style::Assembler, Style::Document].map(|style| {
        let text = assembler
            .disassemble(&bytes, style)
            .unwrap()
            .text
            .to_owned();
        let again = assembler.assemble(&text);
        let again = again.unwrap_or_else(|d| panic!("{text}: {d:?}"));
        assert_eq!(again.encoded.bytes(), bytes, "{line}\n{text}");
        text
    })
}

const VARIABLES: [&str; 3] = [
    ".decl O v_type=G type=ud num_elts=16 align=GRF",
    ".decl D v_type=G type=ud num_elts=16 align=GRF",
    ".decl Q v_type=G type=uq num_elts=16 align=GRF",
];

/// The tool prints predicates as P and a number, and surfaces as T and a number, although
/// another variable may have that name.
#[test]
fn printed_names_resolve_to_the_same_variable() {
    let swapped = [
        ".decl P2 v_type=P num_elts=8",
        ".decl P1 v_type=P num_elts=8",
        ".decl T7 v_type=T num_elts=1",
        ".decl T6 v_type=T num_elts=1",
    ];
    let decls = [&VARIABLES[..], &swapped].concat();
    let line = "(P1) dword_atomic.add (M1, 8) T6 O.0 D.0 %null.0 D.0";
    assert_eq!(
        printed(&decls, line),
        [line, "(P1) DWORD_ATOMIC.ADD (8) T6 O D V0 D"]
    );

    // Names of other kinds of variables.
    let other = [
        ".decl mask v_type=P num_elts=8",
        ".decl buffer v_type=T num_elts=1",
        ".decl P1 v_type=G type=ud num_elts=16 align=GRF",
        ".decl T6 v_type=P num_elts=8",
        ".decl T0 v_type=G type=ud num_elts=16 align=GRF",
        ".decl T255 v_type=T num_elts=1",
    ];
    let decls = [&VARIABLES[..], &other].concat();
    for (line, assembler, document) in [
        (
            "(mask) dword_atomic.add (M1, 8) buffer O.0 D.0 %null.0 P1.0",
            "(mask) dword_atomic.add (M1, 8) buffer O.0 D.0 %null.0 P1.0",
            "(mask) DWORD_ATOMIC.ADD (8) buffer O D V0 P1",
        ),
        (
            "(T6) dword_atomic.add (M1, 8) %slm O.0 D.0 %null.0 T0.0",
            "(P2) dword_atomic.add (M1, 8) %slm O.0 D.0 %null.0 T0.0",
            "(T6) DWORD_ATOMIC.ADD (8) %slm O D V0 T0",
        ),
        (
            "dword_atomic.add (M1, 8) %scratch O.0 D.0 %null.0 D.0",
            "dword_atomic.add (M1, 8) %scratch O.0 D.0 %null.0 D.0",
            "DWORD_ATOMIC.ADD (8) %scratch O D V0 D",
        ),
        (
            "dword_atomic.add (M1, 8) T255 O.0 D.0 %null.0 D.0",
            "dword_atomic.add (M1, 8) T7 O.0 D.0 %null.0 D.0",
            "DWORD_ATOMIC.ADD (8) T255 O D V0 D",
        ),
    ] {
        assert_eq!(printed(&decls, line), [assembler, document], "{line}");
    }

    // Without a conflict the tool's spelling is used.
    let plain = [
        ".decl mask v_type=P num_elts=8",
        ".decl buffer v_type=T num_elts=1",
    ];
    let decls = [&VARIABLES[..], &plain].concat();
    let [assembler, document] = printed(
        &decls,
        "(mask) dword_atomic.add (M1, 8) buffer O.0 D.0 %null.0 D.0",
    );
    assert_eq!(
        assembler,
        "(P1) dword_atomic.add (M1, 8) T6 O.0 D.0 %null.0 D.0"
    );
    assert_eq!(document, "(mask) DWORD_ATOMIC.ADD (8) buffer O D V0 D");
}

/// All types of constants except BOOL and BF, which cannot be written as text; with bits
/// that fit and bits that do not.
#[test]
fn immediates_are_printed_with_all_bits() {
    let mut assembler = Assembler::new(Platform::Xehp, VARIABLES).unwrap();
    let names = [
        "ud", "d", "uw", "w", "ub", "b", "df", "f", "v", "vf", "bool", "uq", "uv", "q", "hf", "bf",
    ];
    let patterns = [
        0_u64,
        1,
        0x12,
        0x7f,
        0x80,
        0xff,
        0x12c,
        0x7fff,
        0x8000,
        0xffff,
        0x1_2345,
        0x3fc0_0000,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_fffe,
        0xffff_ffff,
        0x1_0000_0000,
        0x1234_5678_9abc_def0,
        0x8000_0000_0000_0000,
        u64::MAX,
    ];
    for (code, name) in (0_u8..).zip(names) {
        if matches!(name, "bool" | "bf") {
            continue;
        }
        let wide = matches!(name, "uq" | "q" | "df");
        for bits in patterns {
            let mut bytes = vec![0x4e, 0x07, 0x03, 0, 0, 1, 0, 0, 5, code];
            if wide {
                bytes.extend(bits.to_le_bytes());
            } else {
                bytes.extend(u32::try_from(bits & 0xffff_ffff).unwrap().to_le_bytes());
            }
            let operands = [0x22_u8, 0, 0, 0, 0, 0, 0x21, 0, 0, 0, 0, 0];
            bytes.extend(operands);
            let shown = if wide { bits } else { bits & 0xffff_ffff };
            let read = assembler.disassemble(&bytes, Style::Assembler).unwrap();
            let text = read.text.to_owned();
            assert_eq!(
                text,
                format!("svm_scatter4scaled.R (M1, 8) {shown:#x}:{name} Q.0 D.0")
            );
            let again = assembler
                .assemble(&text)
                .unwrap_or_else(|d| panic!("{text}: {d:?}"));
            assert_eq!(again.encoded.bytes(), bytes, "{text}");
        }
    }
}

/// Encoding of a constant, with its diagnostics except W0410 (type).
type Constant = Result<(u64, Vec<Diagnostic>), Vec<Diagnostic>>;

fn constant(literal: &str) -> Constant {
    let mut assembler = Assembler::new(Platform::Xehp, VARIABLES).unwrap();
    let line = format!("svm_scatter4scaled.R (M1, 8) {literal} Q.0 D.0");
    let found = |all: &[Diagnostic]| {
        let all = all.iter().filter(|d| d.rule.code != "W0410");
        all.cloned().collect::<Vec<_>>()
    };
    match assembler.assemble(&line) {
        Ok(read) => {
            let bytes = read.encoded.bytes();
            let mut bits = [0; 8];
            let length = bytes.len() - 22;
            bits[..length].copy_from_slice(&bytes[10..10 + length]);
            Ok((u64::from_le_bytes(bits), found(read.diagnostics)))
        }
        Err(all) => Err(found(all)),
    }
}

fn codes_of(all: &[Diagnostic]) -> Vec<&'static str> {
    all.iter().map(|d| d.rule.code).collect()
}

/// Result of GenX_IR for a line.
#[derive(serde::Deserialize)]
struct ToolAnswer {
    text: String,
    verdict: String,
    /// Disassembly, if accepted.
    disasm: Option<String>,
}

/// Recorded bits of a constant; `None` if the tool rejects it.
fn recorded(literal: &str, answers: &[ToolAnswer]) -> Option<u64> {
    let line = format!("svm_scatter4scaled.R (M1, 8) {literal} Q.0 A.0");
    let answer = answers.iter().find(|answer| answer.text == line);
    let answer = answer.unwrap_or_else(|| panic!("{literal}: no recorded answer"));
    assert_eq!(answer.verdict == "accepted", answer.disasm.is_some());
    let (_, constant) = answer.disasm.as_deref()?.split_once(") 0x")?;
    let (bits, _) = constant.split_once(':')?;
    Some(u64::from_str_radix(bits, 16).unwrap())
}

/// Constants have the recorded bits of GenX_IR, or a diagnostic with those bits;
/// integers taken as bits also have a diagnostic.
#[test]
fn constants_match_the_tool_or_have_a_note() {
    let cases: &[(&str, u64, &[&str])] = &[
        ("1:f", 1, &["W0425"]),
        ("-1:f", 0x8000_0001, &["W0425"]),
        ("-0x1:f", 0x8000_0001, &["W0425"]),
        ("0x1:f", 1, &[]),
        ("1.0:f", 0x3f80_0000, &[]),
        ("-4:df", 0x8000_0000_0000_0004, &["W0425"]),
        ("4:df", 4, &["W0425"]),
        ("-4.0:df", 0xc010_0000_0000_0000, &[]),
        ("2147483648:df", 0x8000_0000, &["W0425", "N0511"]),
        ("- 4:q", 0xffff_ffff_ffff_fffc, &[]),
        ("-/* four */4:q", 0xffff_ffff_ffff_fffc, &[]),
        ("- 1.5:df", 0xbff8_0000_0000_0000, &[]),
        ("2147483647:uq", 0x7fff_ffff, &[]),
        ("2147483648:uq", 0x8000_0000, &["N0511"]),
        ("4294967296:q", 0x1_0000_0000, &["N0511"]),
        ("-2147483647:q", 0xffff_ffff_8000_0001, &[]),
        ("-2147483648:q", 0xffff_ffff_8000_0000, &["N0511"]),
        ("18446744073709551615:uq", u64::MAX, &[]),
        ("0xffffffffffffffff:uq", u64::MAX, &[]),
        ("-0xffffffffffffffff:q", 1, &[]),
        ("-0x80000001:ud", 0x7fff_ffff, &[]),
        ("2147483648:ud", 0x8000_0000, &[]),
        ("300:ub", 0x12c, &["W0439"]),
        ("-1:b", 0xffff_ffff, &[]),
        ("-1:ub", 0xffff_ffff, &["W0439"]),
        ("0x12:hf", 0x12, &[]),
        ("0x10000:hf", 0x10000, &["N0509", "W0439"]),
        ("0xfffff:uw", 0xf_ffff, &["W0439"]),
        ("0x100:b", 0x100, &["W0439"]),
        ("-300:ub", 0xffff_fed4, &["W0439"]),
        ("1065353216:f", 0x3f80_0000, &["W0425"]),
        ("4294967296:uq", 0x1_0000_0000, &["N0511"]),
        (
            "9223372036854775807:q",
            i64::MAX.cast_unsigned(),
            &["N0511"],
        ),
        ("0x7f800001:f", 0x7f80_0001, &["N0513"]),
        ("0xff800001:f", 0xff80_0001, &["N0513"]),
        ("0x7fbfffff:f", 0x7fbf_ffff, &["N0513"]),
        ("2139095041:f", 0x7f80_0001, &["W0425", "N0513"]),
        ("0x7fc00001:f", 0x7fc0_0001, &[]),
        ("0x80000000:f", 0x8000_0000, &[]),
        ("0x7ff0000000000001:df", 0x7ff0_0000_0000_0001, &[]),
        ("0x12345678:v", 0x1234_5678, &[]),
        ("-1:uv", 0xffff_ffff, &[]),
        ("0x3f800000:vf", 0x3f80_0000, &[]),
        ("1.5:hf", 0x3e00, &["N0509"]),
        ("1.5:F", 0x3fc0_0000, &["N0509"]),
        ("1.5 :f", 0x3fc0_0000, &["N0509"]),
        ("1e3:df", 0x408f_4000_0000_0000, &["N0509"]),
        ("0x1_0:uq", 0x10, &["N0509"]),
        ("4: q", 4, &["N0509"]),
    ];
    let answers = vectors::read::<ToolAnswer>("visa/tool_answers.jsonl");
    for (literal, bits, codes) in cases {
        let (found, diagnostics) = constant(literal).unwrap();
        assert_eq!(found, *bits, "{literal}");
        assert_eq!(codes_of(&diagnostics), *codes, "{literal}");
        let mut notes = diagnostics.iter();
        let other = notes.find(|d| ["N0511", "N0513"].contains(&d.rule.code));
        match recorded(literal, &answers) {
            None => assert!(codes.contains(&"N0509"), "{literal}"),
            Some(tool) => match other {
                None => assert_eq!(tool, *bits, "{literal}"),
                Some(note) => {
                    assert_ne!(tool, *bits, "{literal}");
                    let named = format!(" as {tool:#x}");
                    assert!(note.what.ends_with(&named), "{literal}: {}", note.what);
                }
            },
        }
    }
    for (literal, code) in [
        ("1:hf", "E0331"),
        ("-1:hf", "E0331"),
        ("-0x12:hf", "E0331"),
        ("0x0:bf", "E0334"),
        ("1:bool", "E0331"),
        ("4294967296:ud", "E0331"),
        ("1.5:ud", "E0331"),
    ] {
        let diagnostics = constant(literal).unwrap_err();
        assert_eq!(codes_of(&diagnostics), [code], "{literal}");
    }
}

/// Codes of a line, except those about types.
fn codes(decls: &[&str], line: &str) -> Vec<&'static str> {
    let text = format!("{}\n{line}", decls.join("\n"));
    let all = lanewise_core::program::Program::parse(&text).diagnostics;
    let codes = all.iter().map(|d| d.rule.code);
    codes.filter(|code| *code != "W0410").collect()
}

/// Spellings that the tool accepts have no diagnostic. Those that it rejects have one
/// note: N0506 if a document uses the spelling or only case differs, otherwise N0509.
#[test]
fn spellings_rejected_by_the_tool_get_one_note() {
    let decls = [
        &VARIABLES[..],
        &[
            ".decl P1 v_type=P num_elts=8",
            ".decl A0 v_type=A num_elts=1",
        ],
    ]
    .concat();
    let cases: &[(&str, &[&str])] = &[
        ("svm_atomic .add (M1, 8) Q.0 D.0 D.0 %null.0", &[]),
        ("svm_atomic.add (M1, 8) Q. 0 D.0 D.0 %null.0", &[]),
        ("svm_atomic.add .16 (NoMask,8)Q .0 D.0 D.0 V0.0", &[]),
        ("( P1 .any ) svm_atomic.add (8) Q.0 D.0 D.0 %null.0", &[]),
        ("svm_atomic. add (M1, 8) Q.0 D.0 D.0 %null.0", &["N0509"]),
        ("svm_atomic./**/add (M1, 8) Q.0 D.0 D.0 %null.0", &["N0509"]),
        (
            "(P1. any) svm_atomic.add (M1, 8) Q.0 D.0 D.0 %null.0",
            &["N0509"],
        ),
        (
            "(P1.ANY) svm_atomic.add (M1, 8) Q.0 D.0 D.0 %null.0",
            &["N0506"],
        ),
        ("svm_atomic.ADD (M1, 8) Q.0 D.0 D.0 %null.0", &["N0506"]),
        ("svm_atomic.add (m1, 8) Q.0 D.0 D.0 %null.0", &["N0506"]),
        ("svm_atomic.add (nomask, 8) Q.0 D.0 D.0 %null.0", &["N0506"]),
        ("svm_atomic.add (M1, 0x8) Q.0 D.0 D.0 %null.0", &["N0509"]),
        ("svm_atomic.add (M1, 8) Q.0x40 D.0 D.0 %null.0", &["N0509"]),
        ("svm_atomic.add (M1, 8) Q.0 D.0 D.0 V0", &["N0506"]),
        ("svm_atomic.add (M1, 8) Q D.0 D.0 %null.0", &["N0506"]),
        ("SVM_ATOMIC.ADD (8) Q D D V0", &["N0506"]),
        ("SVM_ATOMIC. ADD (m1, 0x8) Q D D V0", &["N0506", "N0509"]),
        (
            "dword_atomic.add (M1, 8) T0 O.0 D.0 %null.0 D.0",
            &["N0506"],
        ),
        (
            "dword_atomic.add (M1, 8) T255 O.0 D.0 %null.0 D.0",
            &["N0506"],
        ),
        (
            "dword_atomic.add (M1, 8) %slm %tm.0 D.0 %null.0 D.0",
            &["N0506", "W0418"],
        ),
        (
            "svm_scatter4scaled. R (M1, 8) Q(0,0)<0;1,0> Q.0 D.0",
            &["N0509"],
        ),
        (
            "svm_scatter4scaled.r (M1, 8) Q( 0 , 0x0 ) < 0 ; /* w */ 1 , 0 > Q.0 D.0",
            &[],
        ),
        ("svm_scatter4scaled.R (M1, 8) Q Q.0 D.0", &["N0506"]),
        (
            "svm_scatter4scaled.R (M1, 8) r[ A0 ( 0 ) , - 8 ] <0;1,0> :uq Q.0 D.0",
            &[],
        ),
        (
            "svm_scatter4scaled.R (M1, 8) r [A0(0),0]<0;1,0>:uq Q.0 D.0",
            &["N0509"],
        ),
        (
            "svm_scatter4scaled.R (M1, 8) R[A0(0),0]<0;1,0>:uq Q.0 D.0",
            &["N0506"],
        ),
        (
            "svm_scatter4scaled.R (M1, 8) r[A0(0),0]<;1,0>:uq Q.0 D.0",
            &["N0506", "W0438"],
        ),
        (
            "svm_scatter4scaled.R (M1, 8) r[A0(0),0]<0;1,0>: uq Q.0 D.0",
            &["N0509"],
        ),
        (
            "svm_scatter4scaled.R (M1, 8) (-) Q(0,0)<0;1,0> Q.0 D.0",
            &["W0434"],
        ),
        (
            "svm_scatter4scaled.R (M1, 8) ( - )Q(0,0)<0;1,0> Q.0 D.0",
            &["N0509", "W0434"],
        ),
        (
            "svm_scatter4scaled.R (M1, 8) (ABS)Q(0,0)<0;1,0> Q.0 D.0",
            &["N0506", "W0434"],
        ),
    ];
    for (line, wanted) in cases {
        let mut found = codes(&decls, line);
        found.sort_unstable();
        found.retain(|code| !matches!(*code, "W0414" | "W0808" | "E0701" | "E0705" | "E0730"));
        assert_eq!(found, *wanted, "{line}");
    }
}

/// Declarations that the tool accepts, and those with a note, a warning or an error.
#[test]
fn declaration_diagnostics_match_the_tool() {
    let cases: &[(&str, &[&str])] = &[
        (
            "v_type=G type=UD num_elts=2*0x4 align=GRFx2 attrs={Output}",
            &[],
        ),
        (
            "v_type = G type = ud num_elts = 8 align=dword alias=<O, 0>",
            &[],
        ),
        ("v_type=T num_elts=1 v_name=foo", &[]),
        ("type=ud v_type=G num_elts=8", &["N0509"]),
        ("v_type=G type=ud align=GRF num_elts=8", &["N0509"]),
        (
            "v_type=G type=ud num_elts=8 alias=<O, 0> align=dword",
            &["N0509"],
        ),
        ("v_type=G type=ud num_elts=8 attrs={}", &["N0509"]),
        ("v_type=P num_elts=8 align=GRF", &["N0509"]),
        ("v_type=T type=ud num_elts=1", &["N0509"]),
        ("v_type=T v_name=foo num_elts=1", &["N0509"]),
        ("v_type=T", &[]),
        ("V_TYPE=G type=ud num_elts=8", &["N0506"]),
        ("v_type=g type=ud num_elts=8", &["N0506"]),
        ("v_type=G type=ud num_elts=8 align=grf", &["N0506"]),
        ("v_type=G type=ud num_elts=8 align=2_GRF", &["N0509"]),
        ("v_type=G type=ud num_elts=8 alias=(O, 0)", &["N0506"]),
        ("v_type=G type=ud num_elts=8 num_elts=16", &["E0201"]),
        (
            "v_type=G type=ud num_elts=8 align=GRF align=GRF",
            &["E0201"],
        ),
        ("v_type=G type=ub num_elts=4096", &[]),
        ("v_type=G type=ub num_elts=4097", &["W0209", "W0215"]),
        ("v_type=G type=ud num_elts=8192", &["W0209", "W0215"]),
        ("v_type=G type=ub num_elts=8193", &["E0205"]),
        ("v_type=A num_elts=0", &["W0215"]),
        ("v_type=A num_elts=17", &["E0205"]),
        ("v_type=T num_elts=257", &["W0215"]),
        ("v_type=P num_elts=64", &["E0205"]),
        ("v_type=G type=ud num_elts=8 alias=<%r0, 0>", &[]),
        ("v_type=G type=ud num_elts=8 alias=<%r0, 32>", &["W0210"]),
        ("v_type=G type=ud num_elts=8 alias=<O, 64>", &["E0206"]),
    ];
    for (attributes, wanted) in cases {
        let line = format!(".decl X {attributes}");
        let mut found = codes(&VARIABLES, &line);
        found.sort_unstable();
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{line}");
    }
    for (name, wanted) in [
        ("lifetime", vec!["W0214"]),
        ("file", vec!["W0214"]),
        ("loc", vec!["W0214"]),
        ("bfn", vec!["W0214"]),
        ("fence", vec!["W0214"]),
        ("sampler", vec!["W0214"]),
        ("fminmax", vec!["W0214"]),
        ("add", vec!["E0204"]),
        ("dpasw", vec!["E0204"]),
        ("ADD", vec![]),
    ] {
        let line = format!(".decl {name} v_type=G type=ud num_elts=16");
        assert_eq!(codes(&VARIABLES, &line), wanted, "{name}");
    }
    // Such a name can be used.
    let decl = ".decl do v_type=P num_elts=8";
    let line = "(do) dword_atomic.add (M1, 8) %slm O.0 D.0 %null.0 D.0";
    let decls = [&VARIABLES[..], &[decl]].concat();
    assert_eq!(codes(&decls, line), ["W0214"]);
}

/// Unused declarations do not affect whether a text assembles.
#[test]
fn unused_declarations_do_not_matter() {
    let line = "svm_scatter4scaled.R (M1, 8) Q(100,0)<0;1,0> Q.0 D.0";
    let many: Vec<String> = (0..60)
        .map(|i| format!(".decl U{i} v_type=G type=ud num_elts=64 align=GRF"))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let line_codes = |decls: &[&str], line: &str| {
        let assembler = Assembler::new(Platform::Xehp, decls.iter().copied());
        let mut assembler = assembler.unwrap();
        let codes = |all: &[Diagnostic]| all.iter().map(|d| d.rule.code).collect::<Vec<_>>();
        match assembler.assemble(line) {
            Ok(read) => codes(read.diagnostics),
            Err(all) => codes(all),
        }
    };
    assert_eq!(line_codes(&VARIABLES, line), ["W0418"]);
    for decls in [
        [&many[..], &VARIABLES].concat(),
        [&VARIABLES[..], &many].concat(),
    ] {
        assert_eq!(line_codes(&decls, line), ["W0418"]);
    }
    let far = "svm_scatter4scaled.R (M1, 8) Q(127,0)<0;1,0> Q.0 D.0";
    assert_eq!(line_codes(&VARIABLES, far), ["E0318"]);
}

/// Predefined variables follow the declared ones. An alias of a predefined variable
/// follows it when more variables are declared.
#[test]
fn alias_of_a_predefined_variable_is_stable() {
    let text = ".decl X v_type=G type=ud num_elts=8 alias=<%r0, 0>\n\
                .decl Y v_type=G type=ud num_elts=64 align=GRF\n";
    let symbols = lanewise_core::program::Program::parse(text).symbols.visa;
    let at = |id| symbols.general(id).unwrap().offset;
    assert_eq!(at(32), at(7), "X and %r0");
    assert!(at(33) + 256 <= at(32), "Y lies before them");
}

/// `#` starts a comment in SASS scenarios, lines and listings. In vISA it is an error
/// with an edit.
#[test]
fn number_sign_starts_a_comment_in_sass_only() {
    use lanewise_core::isa::sass::chip::Chip;
    use lanewise_core::program::Program;

    let text = "# lead\n.target sass SM50 # chip\n.region global 0x1000 64 # memory\n\
                .note \"# stays\"\nATOM.ADD R0, [R2], R4; # first\nATOM.ADD R0, [R2], R4 # second\n";
    let program = runnable(text);
    assert_eq!(program.instructions.len(), 2);
    let mut assembler = Assembler::new(Chip::Sm50, []).unwrap();
    assert!(assembler.assemble("ATOM.ADD R0, [R2], R4 # add").is_ok());

    let program = Program::parse(".slm 64 # bytes\n");
    let found: Vec<_> = program.diagnostics.iter().collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].rule.code, "E0114");
    let edit = found[0].edit.as_ref().unwrap();
    assert_eq!((edit.span.start, edit.replacement.as_str()), (8, "//"));
}

/// A group whose control word has barrier 6 shows its instructions, with a warning for
/// each.
#[test]
fn reserved_barriers_are_warnings() {
    use lanewise_core::isa::sass::chip::Chip;

    let mut assembler = Assembler::new(Chip::Sm50, []).unwrap();
    let lines = [
        "ATOM.ADD R0, [R2], R4 &wr=1 ?stall2",
        "ATOM.E.ADD R0, [R2], R4 &req={0} &rd=3",
        "RED.ADD [R2], R4",
    ];
    let group = assembler.assemble_group(lines).unwrap().bytes;
    let plain = assembler
        .disassemble_group(&group, Style::Assembler)
        .unwrap();
    assert!(plain.diagnostics.is_empty());

    let mut reserved = group;
    let mut word = u64::from_le_bytes(*group.first_chunk().unwrap());
    // wr of the first and rd of the second slot.
    for at in [5, 21 + 8] {
        word = word & !(7 << at) | 6 << at;
    }
    reserved[..8].copy_from_slice(&word.to_le_bytes());
    let read = assembler
        .disassemble_group(&reserved, Style::Assembler)
        .unwrap();
    let codes: Vec<_> = read
        .diagnostics
        .iter()
        .map(|d| (d.rule.code, d.span.start))
        .collect();
    assert_eq!(codes, [("W0613", 0), ("W0613", 3)]);
    assert_eq!(
        read.texts,
        [
            "ATOM.ADD R0, [R2], R4 ?stall2",
            "ATOM.E.ADD R0, [R2], R4 &req={0} ?stall0",
            plain.texts[2].as_str()
        ]
    );
}

/// Undeclared numbers are reported for operands of any class.
#[test]
fn undeclared_operand_numbers_are_reported() {
    for mnemonic in ["svm_scatter4scaled", "svm_gather4scaled"] {
        let line = format!("{mnemonic}.R (M1, 8) 0x1000:uq Q.0 O.0");
        let mut assembler = Assembler::new(Platform::Xehp, VARIABLES).unwrap();
        let bytes = assembler.assemble(&line).unwrap().encoded.bytes().to_vec();
        // Address: tag, type, and eight bytes of a constant.
        let at = bytes
            .windows(8)
            .position(|bytes| bytes == 0x1000_u64.to_le_bytes());
        let start = at.expect("the constant") - 2;
        let (head, rest) = (&bytes[..start], &bytes[start + 10..]);
        let mut reported = 0;
        for class in (0..8).filter(|class| *class != bytes[start] & 7) {
            for length in 1..12 {
                let mut other = head.to_vec();
                other.extend([class, 1]);
                other.extend(vec![0x41; length]);
                other.extend(rest);
                let is_unknown = |d: &Diagnostic| d.rule.code == rules::UNKNOWN_ID.code;
                match assembler.disassemble(&other, Style::Assembler) {
                    Ok(read) => assert!(
                        read.length < other.len() || read.diagnostics.iter().any(is_unknown),
                        "{class}: {}",
                        read.text
                    ),
                    Err(all) => reported += usize::from(all.iter().any(is_unknown)),
                }
            }
        }
        assert!(reported > 4, "{mnemonic}: {reported}");
    }
}
