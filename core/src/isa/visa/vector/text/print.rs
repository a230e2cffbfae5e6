//! Printing vector operands.

use super::Regions;
use crate::isa::Style;
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::operand::VariableId;
use crate::isa::visa::vector::{AddressId, DirectOperand, Modifier, Region, VectorOperand};
use crate::text::{OperandKind, Sink, TokenClass};
use alloc::format;

/// The variable's name, or V0 for the null variable in the document style.
fn print_variable(
    id: VariableId,
    part: OperandKind,
    symbols: &Declarations,
    style: Style,
    sink: &mut impl Sink,
) {
    let name = match (style, id.0) {
        (Style::Document, 0) => "V0",
        _ => crate::bits::SymbolResolver::general(symbols, id.0).unwrap_or("V?"),
    };
    sink.token(TokenClass::Variable, part, name);
}

fn print_modifier(modifier: Modifier, part: OperandKind, sink: &mut impl Sink) {
    if let Some(sign) = modifier.sign() {
        sink.sign(part, "(");
        sink.token(TokenClass::Keyword, part, sign);
        sink.sign(part, ")");
    }
}

/// `<0;1,0>`. As the real tool does it: strides that are not there are left
/// out, but for the last, which is -1 then.
fn print_region(region: Region, part: OperandKind, sink: &mut impl Sink) {
    sink.sign(part, "<");
    for (stride, end) in [(region.vertical, ";"), (region.width, ",")] {
        if let Some(elements) = stride.elements() {
            sink.number(part, u64::from(elements));
            sink.sign(part, end);
        }
    }
    match region.horizontal.elements() {
        Some(elements) => sink.number(part, u64::from(elements)),
        None => sink.token(TokenClass::Number, part, "-1"),
    }
    sink.sign(part, ">");
}

fn print_address(
    id: AddressId,
    element: u8,
    part: OperandKind,
    symbols: &Declarations,
    s: &mut impl Sink,
) {
    match symbols.address_variable(id.0) {
        Some(variable) => s.token(TokenClass::Variable, part, &variable.name),
        None => symbols.print_numbered(Symbol::Address(id.0), (TokenClass::Variable, part), s),
    }
    s.sign(part, "(");
    s.number(part, u64::from(element));
    s.sign(part, ")");
}

impl DirectOperand {
    /// Prints `V38(0,0)<0;1,0>`, or the name alone in the document style where
    /// that means the same.
    pub fn print(
        self,
        part: OperandKind,
        regions: Regions,
        symbols: &Declarations,
        style: Style,
        sink: &mut impl Sink,
    ) {
        print_modifier(self.modifier, part, sink);
        print_variable(self.id, part, symbols, style, sink);
        let written = regions == Regions::Written;
        let implied = !written || self.region == regions.implied();
        if style == Style::Document && self.row == 0 && self.column == 0 && implied {
            return;
        }
        sink.sign(part, "(");
        sink.number(part, u64::from(self.row));
        sink.sign(part, ",");
        sink.number(part, u64::from(self.column));
        sink.sign(part, ")");
        if written {
            print_region(self.region, part, sink);
        }
    }
}

impl VectorOperand {
    /// Prints it; of the document style see [`DirectOperand::print`].
    pub fn print(
        self,
        part: OperandKind,
        symbols: &Declarations,
        style: Style,
        sink: &mut impl Sink,
    ) {
        match self {
            Self::Direct(direct) => direct.print(part, Regions::Written, symbols, style, sink),
            Self::Indirect(indirect) => {
                print_modifier(indirect.modifier, part, sink);
                sink.sign(part, "r[");
                print_address(indirect.id, indirect.element, part, symbols, sink);
                sink.sign(part, ",");
                if indirect.offset.0 < 0 {
                    sink.sign(part, "-");
                }
                sink.number(part, u64::from(indirect.offset.0.unsigned_abs()));
                sink.sign(part, "]");
                print_region(indirect.region, part, sink);
                sink.sign(part, ":");
                sink.token(TokenClass::Keyword, part, indirect.ty.name());
            }
            Self::Immediate(immediate) => {
                // All bits that are encoded, as the real tool prints them.
                let text = format!("{:#x}", immediate.bits);
                sink.token(TokenClass::Number, part, &text);
                sink.sign(part, ":");
                sink.token(TokenClass::Keyword, part, immediate.ty.name());
            }
            Self::Address { id, element, width } => {
                print_address(id, element, part, symbols, sink);
                sink.sign(part, "<");
                sink.number(part, u64::from(width.lanes()));
                sink.sign(part, ">");
            }
            Self::Predicate(predicate) => {
                let place = (TokenClass::Variable, part);
                symbols.print_numbered(Symbol::Predicate(predicate.id.0), place, sink);
            }
            Self::State { class, id, element } => {
                let surface = class.is_surface();
                let place = (TokenClass::Variable, part);
                match u8::try_from(id) {
                    Ok(id) if surface => symbols.print_numbered(Symbol::Surface(id), place, sink),
                    Ok(id) => symbols.print_numbered(Symbol::Sampler(id), place, sink),
                    Err(_) => {
                        let letter = if surface { "T" } else { "S" };
                        sink.token(TokenClass::Variable, part, &format!("{letter}{id}"));
                    }
                }
                sink.sign(part, "(");
                sink.number(part, u64::from(element));
                sink.sign(part, ")");
            }
        }
    }
}
