use super::text::{OperandExpectation, Regions};
use super::*;
use crate::bits::{Decoder, Describer, Encoder};
use crate::diagnostic::{Diagnostics, to_u32};
use crate::isa::Style;
use crate::isa::visa::declarations::{
    ADDRESS_VARIABLE_BYTES, Declarations, Placement, address_element,
};
use crate::isa::visa::platform::Platform;
use crate::machine::{Machine, NoJournal, SpaceId};
use crate::number::ElementType;
use crate::rules;
use crate::text::{Cursor, lex};
use alloc::string::String;
use alloc::vec::Vec;

fn symbols(platform: Platform) -> Declarations {
    let mut symbols = Declarations::new(platform);
    let span = crate::diagnostic::Span::default();
    for (name, ty, elements) in [("Q1", ElementType::Uq, 32), ("U2", ElementType::Ud, 64)] {
        symbols.add_general(name, ty, elements, Placement::Own { align: 64 }, span);
    }
    symbols.add_address("A0", 8, span);
    symbols.add_address("A1", 8, span);
    symbols.add_predicate("P1", 32, span);
    symbols
}

const WANTED: OperandExpectation<'static> = OperandExpectation {
    role: "the address",
    regions: Regions::Written,
    rule: &rules::RAW_OPERAND,
    help: "write V38(0,0)<0;1,0>",
    attributes: Some("v_type=G type=uq num_elts=4"),
    wraps: false,
};

/// The operand of a text, or what is wrong with it and the text that its edits
/// lead to; also what of the text is left.
fn read(text: &str, wanted: OperandExpectation<'_>) -> (Result<VectorOperand, String>, String) {
    let symbols = symbols(Platform::Xehp);
    let (mut lexemes, mut out) = (Vec::new(), Diagnostics::new());
    lex(text, &mut lexemes);
    let mut cursor = Cursor::new(text, &lexemes, to_u32(text.len()));
    let found = match wanted.regions {
        Regions::Written => VectorOperand::parse_scalar(wanted, &mut cursor, &symbols, &mut out),
        Regions::LeftOut | Regions::Destination => {
            DirectOperand::parse(wanted, &mut cursor, &symbols, &mut out)
                .map(|(direct, span)| (VectorOperand::Direct(direct), span))
        }
    };
    let rest = String::from(cursor.rest().of(text));
    assert_eq!(found.is_none(), out.has_errors(), "{text}: {out:?}");
    match found {
        Some((operand, span)) => {
            assert_eq!(span.of(text), text.strip_suffix(&rest).unwrap().trim_end());
            (Ok(operand), rest)
        }
        None => {
            let mut fixed = String::from(text);
            for d in out.all().iter().rev() {
                if let Some(edit) = &d.edit {
                    let range = edit.span.start as usize..edit.span.end as usize;
                    fixed.replace_range(range, &edit.replacement);
                }
            }
            (Err(fixed), rest)
        }
    }
}

fn print(operand: VectorOperand, style: Style) -> String {
    let mut text = String::new();
    operand.print(
        SyntaxPart::Address,
        &symbols(Platform::Xehp),
        style,
        &mut text,
    );
    text
}

fn encode(mut operand: VectorOperand) -> String {
    let mut encoder = Encoder::default();
    operand.layout(&ADDRESS, &mut encoder).unwrap();
    alloc::format!("{:?}", encoder.finish())
}

fn decode(hex: &str) -> Option<VectorOperand> {
    let bytes: Vec<u8> = (0..hex.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap())
        .collect();
    let mut operand = VectorOperand::NULL;
    let mut decoder = Decoder::new(&bytes);
    operand
        .layout(&ADDRESS, &mut decoder)
        .ok()
        .filter(|()| decoder.consumed() == bytes.len())
        .map(|()| operand)
}

/// Text, what the assembler style prints, bytes: as the real tool has them.
const OPERANDS: [(&str, &str, &str); 18] = [
    ("Q1(0,0)<0;1,0>", "", "002000000000002101"),
    ("Q1", "Q1(0,0)<0;1,0>", "002000000000002101"),
    ("Q1(5,3)<0;1,0>", "", "002000000005032101"),
    ("Q1(0,0)<8;8,1>", "", "002000000000005502"),
    ("(-)Q1(0,0)<0;1,0>", "", "102000000000002101"),
    (
        "( abs )Q1(0,0)<0;1,0>",
        "(abs)Q1(0,0)<0;1,0>",
        "082000000000002101",
    ),
    ("0x1000:uq", "", "050b0010000000000000"),
    ("64:uq", "0x40:uq", "050b4000000000000000"),
    ("-1:uq", "0xffffffffffffffff:uq", "050bffffffffffffffff"),
    ("0x1000:uw", "", "050200100000"),
    ("-1:w", "0xffffffff:w", "0503ffffffff"),
    ("0xff:w", "", "0503ff000000"),
    ("-0x10:uq", "0xfffffffffffffff0:uq", "050bf0ffffffffffffff"),
    (
        "r[A0(7)]<0;1,0>:uq",
        "r[A0(7),0]<0;1,0>:uq",
        "0300000700000b2101",
    ),
    ("1.0:f", "0x3f800000:f", "05070000803f"),
    ("0x12345678:v", "", "050878563412"),
    ("r[A0(7),-32]<0;1,0>:uq", "", "03000007e0ff0b2101"),
    (
        "r[A1(2),511]<;1,0>:UQ",
        "r[A1(2),511]<1,0>:uq",
        "03010002ff010b2001",
    ),
];

#[test]
fn texts_and_bytes_match_the_real_tool() {
    for (text, printed, hex) in OPERANDS {
        let (found, rest) = read(text, WANTED);
        let operand = found.unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(rest, "");
        let printed = if printed.is_empty() { text } else { printed };
        assert_eq!(print(operand, Style::Assembler), printed);
        for style in [Style::Assembler, Style::Document] {
            let again = read(&print(operand, style), WANTED).0;
            assert_eq!(again, Ok(operand), "{text}");
        }
        assert_eq!(encode(operand), hex, "{text}");
        assert_eq!(decode(hex), Some(operand), "{text}");
    }
    let bare = read("Q1", WANTED).0.unwrap();
    assert_eq!(print(bare, Style::Document), "Q1");
}

#[test]
fn bytes_without_text_print_like_the_real_tool() {
    for (hex, printed) in [
        ("002000000000000000", "Q1(0,0)<-1>"),
        ("002000000000001100", "Q1(0,0)<0;0,-1>"),
        ("002000000000007107", "Q1(0,0)<0;32,32>"),
        ("00200000000000ff0f", "Q1(0,0)<-1>"),
        ("202000000000002101", "Q1(0,0)<0;1,0>"),
        ("282000000000002101", "(~)Q1(0,0)<0;1,0>"),
        ("050201020304", "0x4030201:uw"),
        ("0502ffff0f00", "0xfffff:uw"),
        ("0503feffffff", "0xfffffffe:w"),
        ("0505ff000000", "0xff:b"),
        ("050e01020304", "0x4030201:hf"),
        ("0100000001", "A0(0)<2>"),
        ("020100", "P1"),
        ("0600060000", "T6(0)"),
    ] {
        let operand = decode(hex).unwrap_or_else(|| panic!("{hex}"));
        assert_eq!(print(operand, Style::Assembler), printed);
        assert_eq!(encode(operand), hex);
    }
    for reserved in ["04", "07", "05", "002000000000"] {
        assert_eq!(decode(reserved), None, "{reserved}");
    }
    // Bits that readers ignore.
    for (hex, same) in [
        ("c02000000000002101", "002000000000002101"),
        ("0020000000000021f1", "002000000000002101"),
        ("1d1b0000000000000000", "050b0000000000000000"),
    ] {
        assert_eq!(decode(hex).map(encode).as_deref(), Some(same));
    }
}

#[test]
fn invalid_texts_are_rejected_and_fixed() {
    for (text, fixed) in [
        ("Q1(0,0) Q1.0", "Q1(0,0)<0;1,0> Q1.0"),
        ("Q1<0;1,0> Q1.0", "Q1(0,0)<0;1,0> Q1.0"),
        ("Q1(0,0)<3;1,0>", ""),
        ("Q1(0,0)<0;32,0>", ""),
        ("Q1(0,0)<0;1,3>", ""),
        ("Q1(0,0)<0;1>", ""),
        ("Q1(0,0)<;1,0>", ""),
        ("Q1.40 Q1.0", "Q1(1,1)<0;1,0> Q1.0"),
        ("(sat)Q1(0,0)<0;1,0>", ""),
        ("0x1000 Q1.0", "0x1000:uq Q1.0"),
        ("0x1000:zz Q1.0", "0x1000:uq Q1.0"),
        ("Q1(256,0)<0;1,0>", ""),
        ("Q1(0,256)<0;1,0>", ""),
        ("Q1(-1,0)<0;1,0>", ""),
        ("Q1(0,0<0;1,0> Q1.0", ""),
        ("0x1ffffffffffffffff:uq", ""),
        ("1:bool", ""),
        ("A0(0)<1>", ""),
        ("P1", ""),
        ("r[A0(0),40000]<0;1,0>:uq", ""),
        ("r[A0]<0;1,0>:uq", ""),
        ("+16:uq", ""),
        ("r[Q1(0),0]<0;1,0>:uq", ""),
        ("r[A0(0),0]<0;1,0>", ""),
        ("", ""),
    ] {
        let (found, _) = read(text, WANTED);
        let edited = found.expect_err(text);
        let wanted = if fixed.is_empty() { text } else { fixed };
        assert_eq!(edited, wanted, "{text}");
    }
    // What follows is left to be read.
    for text in [
        "Q1(0,0) Q1.0",
        "Q1(-1,0)<0;1,0> Q1.0",
        "0x1000 Q1.0",
        "P1 Q1.0",
    ] {
        assert_eq!(read(text, WANTED).1, "Q1.0", "{text}");
    }
}

#[test]
fn operands_without_regions_print_without_regions() {
    let wanted = OperandExpectation {
        regions: Regions::LeftOut,
        ..WANTED
    };
    for text in ["U2(1,4)", "U2", "U2(0,0)"] {
        let VectorOperand::Direct(direct) = read(text, wanted).0.unwrap() else {
            panic!("{text}");
        };
        assert_eq!(direct.region, Region::CONTIGUOUS);
        let mut printed = String::new();
        let symbols = symbols(Platform::Xehp);
        let style = Style::Document;
        direct.print(
            SyntaxPart::Src2,
            Regions::LeftOut,
            &symbols,
            style,
            &mut printed,
        );
        assert_eq!(printed, text.replace("(0,0)", ""));
    }
    for (text, fixed) in [
        ("U2(1,4)<1;1,0>", "U2(1,4)"),
        ("U2.48", "U2(1,4)"),
        ("0x1:ud", "0x1:ud"),
        ("r[A0(0),0]<1;1,0>:ud", "r[A0(0),0]<1;1,0>:ud"),
    ] {
        assert_eq!(read(text, wanted).0, Err(String::from(fixed)), "{text}");
    }
    let mut operand = DirectOperand::start_of(VariableId(0), Region::SCALAR);
    let bytes = [0x10, 33, 0, 0, 0, 1, 4, 0x22, 0x01];
    let mut decoder = Decoder::new(&bytes);
    operand.layout(&ADDRESS, &mut decoder).unwrap();
    assert_eq!((operand.row, operand.column), (1, 4));
    assert_eq!(operand.modifier.spelling(), Some("-"));
    let immediate = [5, 0, 0, 0, 0, 0];
    let refused = operand.layout(&ADDRESS, &mut Decoder::new(&immediate));
    assert!(refused.is_err());
}

#[test]
fn fields_describe_their_values() {
    let symbols = symbols(Platform::Xehp);
    let meanings_of = |mut operand: VectorOperand| {
        let mut describer = Describer::new(&symbols);
        operand.layout(&ADDRESS, &mut describer).unwrap();
        let fields = describer.finish();
        let bits: u32 = fields.iter().map(|f| f.width).sum();
        assert_eq!(bits as usize * 2, encode(operand).len() * 8);
        let meanings: Vec<_> = fields.into_iter().map(|f| f.meaning).collect();
        meanings.join(" | ")
    };
    assert_eq!(
        meanings_of(decode("182000000001022101").unwrap()),
        "general | negated absolute value | ignored | Q1 |  |  | 0 | 1 | 0 | ignored"
    );
    assert_eq!(
        meanings_of(decode("03010002ff010b2001").unwrap()),
        "indirect | none | ignored | A1 |  | 511 bytes | UQ | ignored | null | 1 | 0 | ignored"
    );
    assert_eq!(
        meanings_of(decode("050b0100000002000000").unwrap()),
        "immediate | ignored | ignored | UQ | ignored |  | "
    );
}

#[test]
fn scalars_have_values() {
    let mut machine = Machine::new(6, 1);
    for (eu, registers) in [(0, 0x1000), (1, 0x1000)] {
        let space = machine.space_mut(SpaceId::registers(eu)).unwrap();
        space.map(0, registers).unwrap();
        let flags = machine.space_mut(SpaceId::flags(eu)).unwrap();
        flags
            .map(address_element(0, 0), 2 * ADDRESS_VARIABLE_BYTES)
            .unwrap();
    }
    let mut put = |space, at, bytes, value| {
        assert!(machine.store(&mut NoJournal, space, at, bytes, value));
    };
    put(SpaceId::registers(0), 8, 8, 0x1111);
    put(SpaceId::registers(1), 8, 8, 0x2222);
    put(SpaceId::registers(0), 40, 8, 0x3333);
    put(SpaceId::flags(0), address_element(1, 2), 4, 0x48);
    put(SpaceId::registers(0), 0x40, 8, 0xffff_fff0);
    let value = |text: &str, platform, eu| {
        let operand = read(text, WANTED).0.unwrap();
        operand.scalar(&symbols(platform), &machine, eu)
    };
    let (xehp, pvc) = (Platform::Xehp, Platform::Pvc);
    assert_eq!(value("Q1(0,1)<0;1,0>", xehp, 0), Some(0x1111));
    assert_eq!(value("Q1(0,1)<8;8,1>", xehp, 1), Some(0x2222));
    assert_eq!(value("Q1(1,1)<0;1,0>", xehp, 0), Some(0x3333));
    assert_eq!(value("Q1(1,0)<0;1,0>", pvc, 0), Some(0xffff_fff0));
    assert_eq!(value("r[A1(2),-8]<0;1,0>:uq", xehp, 0), Some(0xffff_fff0));
    assert_eq!(value("r[A1(2),-8]<0;1,0>:d", xehp, 0), Some(!0xf));
    assert_eq!(value("r[A1(2),-80]<0;1,0>:uq", xehp, 0), None);
    assert_eq!(value("r[A1(2),-80]<0;1,0>:uq", xehp, 1), None);
    assert_eq!(value("-1:q", xehp, 0), Some(u64::MAX));
    assert_eq!(value("0xffffffff:d", xehp, 0), Some(u64::MAX));
    assert_eq!(value("0xffffffff:ud", xehp, 0), Some(0xffff_ffff));
    assert_eq!(value("1.0:f", xehp, 0), None);
    assert_eq!(value("(-)Q1(0,0)<0;1,0>", xehp, 0), None);
}
