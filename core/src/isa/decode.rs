//! Decoding of instructions.

use super::visa::op;
use super::{Check, Family, Instruction, OperandSpans, ParseError, SPECS, Spec, SymbolTable};
use crate::bits::{DecodeError, Decoder};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::number::little_endian;
use crate::rules;
use alloc::format;
use alloc::string::String;

impl Instruction {
    /// Decodes one instruction from the start of `bytes`; also returns its length in
    /// bytes. The spans of diagnostics are byte ranges of `bytes`.
    ///
    /// # Errors
    /// If the bytes cannot be decoded; the diagnostics say why.
    pub fn decode(
        bytes: &[u8],
        symbols: &SymbolTable,
        out: &mut Diagnostics,
    ) -> Result<(Self, usize), ParseError> {
        if let Some(error) = symbols.target.encoding_error(Span::new(0, 1)) {
            out.push(error);
            return Err(ParseError);
        }
        let first = little_endian(bytes);
        let specs: &mut dyn Iterator<Item = &'static Spec> = match symbols.target.family() {
            Family::Visa => {
                let rows = op::of_first_byte(first.to_le_bytes()[0]);
                let rows = rows.iter().map(|op| &op.spec);
                &mut SPECS.iter().copied().chain(rows)
            }
            Family::Sass => &mut SPECS.iter().copied(),
        };
        let specs = specs.filter(|spec| spec.family == symbols.target.family());
        let mut specs = specs.into_iter();
        let found = specs.find_map(|spec| {
            let mut opcodes = spec.opcodes.iter();
            let opcode = opcodes.position(|o| o.matches(first, bytes.len()))?;
            Some((spec, opcode))
        });
        let Some((spec, opcode)) = found else {
            out.push(unknown_opcode(bytes, symbols.target.family()));
            return Err(ParseError);
        };
        let mut decoder = Decoder::new(bytes).with_declarations(&symbols.visa);
        let mut instruction =
            Self::default_for_opcode(spec, opcode).expect("the opcode is of a registered spec");
        if !instruction.has_encoding() {
            let what = format!("{} has an encoding that is not known here", spec.name);
            out.report(&rules::UNKNOWN_OPCODE, Span::new(0, 1), what);
            return Err(ParseError);
        }
        if let Err(error) = instruction.layout(&mut decoder) {
            out.push(undecodable(spec, &error));
            return Err(ParseError);
        }
        for skipped in &decoder.skipped {
            out.report(
                &rules::RESERVED_BITS,
                Span::new(skipped.byte, skipped.byte + 1),
                format!(
                    "{} in byte {} is {:#x}, expected 0",
                    skipped.name, skipped.byte, skipped.bits
                ),
            );
        }
        let before = out.len();
        let spans = OperandSpans::default();
        let mut check = Check::new(symbols, &spans, out);
        for undeclared in &decoder.undeclared {
            check.report_undeclared(*undeclared);
        }
        instruction.check_encoding(&mut check);
        if out.has_errors_since(before) {
            return Err(ParseError);
        }
        Ok((instruction, decoder.consumed()))
    }
}

#[cold]
fn unknown_opcode(bytes: &[u8], family: Family) -> Diagnostic {
    let shown: String = match family {
        Family::Visa => bytes.iter().take(2).map(|b| format!("{b:02x}")).collect(),
        Family::Sass => format!("{:03x}…", little_endian(bytes) >> 52),
    };
    let what = match bytes {
        [] => String::from("expected an instruction, found no bytes"),
        _ => format!("unknown opcode {shown}"),
    };
    Diagnostic::new(&rules::UNKNOWN_OPCODE, Span::new(0, 1), what)
}

fn undecodable(spec: &Spec, error: &DecodeError) -> Diagnostic {
    let span = Span::new(error.byte, error.byte + 1);
    if error.truncated {
        let what = format!(
            "the bytes end after {}: expected {} of {}",
            error.byte, error.field, spec.name
        );
        return Diagnostic::new(&rules::TRUNCATED, span, what);
    }
    let what = format!(
        "byte {}: {} {:#04x} is not defined for {}",
        error.byte, error.field, error.bits, spec.name
    );
    Diagnostic::new(&rules::UNDECODABLE, span, what)
}
