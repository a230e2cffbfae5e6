//! Numbers in an encoding that nothing declares.

use super::execution::Execution;
use super::operand::RawOperand;
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::Check;
use crate::rules;
use alloc::format;

/// Reports a number in an encoding that nothing declares.
pub fn unknown(check: &mut Check<'_>, byte: u32, field: &str, number: u64) {
    check.out.push(
        Diagnostic::new(
            &rules::UNKNOWN_ID,
            Span::new(byte, byte + 1),
            format!("byte {byte}: {field} {number} is not declared"),
        )
        .help("give the declarations: the first general variable is 32, the first predicate 1, the first surface 6"),
    );
}

/// Reports undeclared variables and predicates of an encoding: each operand
/// with the byte its number starts at, and the byte of the predicate.
pub fn check(
    execution: &Execution,
    operands: &[(&'static str, u32, RawOperand)],
    predicate_byte: u32,
    check: &mut Check<'_>,
) {
    for (field, byte, operand) in operands {
        if check.symbols.visa.general(operand.id.0).is_none() {
            unknown(check, *byte, field, u64::from(operand.id.0));
        }
    }
    let id = execution.predicate.id.0;
    if id != 0 && check.symbols.visa.predicate_variable(id).is_none() {
        unknown(check, predicate_byte, "predicate", u64::from(id));
    }
}
