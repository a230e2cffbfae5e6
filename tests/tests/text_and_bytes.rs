//! Text that is printed is read as the same bytes again, whatever the
//! declarations are called and whatever a field holds.

use lanewise_core::isa::Style;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::Assembler;

/// The text of the bytes of `line` in both styles; each must assemble to the
/// same bytes.
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

/// The tool prints a predicate as P and its number and a surface as T and its
/// number; a declaration may have given that name to another variable.
#[test]
fn names_resolve_by_the_numbers_of_the_declarations() {
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

    // Names that belong to other kinds of variables.
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

    // Where nothing is in the way, the tool's spelling stays.
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
