//! Assembles a line, prints its bytes and bit fields, and disassembles it.
//!
//! `cargo run -p lanewise-core --example assemble`

use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::{Style, Target};
use lanewise_core::program::Assembler;

const DECLARATIONS: [&str; 2] = [
    ".decl V32 v_type=G type=ud num_elts=8 align=GRF",
    ".decl V33 v_type=G type=ud num_elts=8 align=GRF",
];

fn main() {
    let mut assembler =
        Assembler::new(Target::default(), DECLARATIONS).expect("valid declarations");
    let symbols = assembler.symbols().clone();

    let line = "dword_atomic.inc (M1, 8) %slm V32.0 %null.0 %null.0 V33.0";
    let assembled = assembler.assemble(line).expect("a valid line");
    let bytes = assembled.encoded.bytes().to_vec();
    println!("{bytes:02x?}");
    for field in assembled.instruction.fields(&symbols) {
        println!(
            "{:>4} + {:<2} {:<16} {:#x} {}",
            field.first_bit, field.width, field.name, field.bits, field.meaning
        );
    }

    let disassembled = assembler
        .disassemble(&bytes, Style::Document)
        .expect("valid bytes");
    println!("{}", disassembled.text);
    assert_eq!(disassembled.length, bytes.len());

    // A diagnostic has a code, a span and, if available, a fix.
    let wrong = assembler.assemble("dword_atomic.ink (M1, 8) %slm V32.0 %null.0 %null.0 V33.0");
    let diagnostics: &[Diagnostic] = wrong.err().unwrap_or_default();
    assert_eq!(diagnostics.len(), 1);
    for diagnostic in diagnostics {
        println!(
            "{} at {:?}: {}",
            diagnostic.rule.code,
            diagnostic.span,
            diagnostic.message()
        );
    }
}
