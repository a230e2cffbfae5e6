//! `.init` for warps: `R4`, `R4:R5`, `P0`.

use crate::diagnostic::{Diagnostics, Span};
use crate::isa::sass::register::{PredicateRegister, Register};
use crate::isa::sass::warp::Warp;
use crate::number::ElementType;
use crate::program::place::InitTarget;
use crate::rules;
use crate::text::Cursor;
use alloc::format;

const HELP: &str = "write .init R4 = … (one value per lane), .init R4:R5 = … (64-bit values), \
                    .init P0 = 0xff (one bit per lane) or .init global[0x10000] : ud = …";

/// Parses a register, a pair or a predicate with an optional type: `R4 : f`.
pub(super) fn parse(
    name: &str,
    span: Span,
    cursor: &mut Cursor<'_>,
    warp: &mut Warp,
    out: &mut Diagnostics,
) -> Option<(InitTarget, ElementType)> {
    let predicate = PredicateRegister::named(name).filter(|predicate| !predicate.is_true());
    if let Some(PredicateRegister(predicate)) = predicate {
        warp.note_predicate(predicate);
        return Some((InitTarget::Flags(u16::from(predicate) + 1), ElementType::Ud));
    }
    let Some(register) = register_number(name) else {
        let what = match name {
            _ if name.eq_ignore_ascii_case("RZ") => "`RZ` is always zero".into(),
            _ if name.eq_ignore_ascii_case("PT") => "`PT` is always true".into(),
            _ => format!("`{name}` is not a register"),
        };
        out.advise(&rules::INIT_SYNTAX, span, what, HELP);
        return None;
    };
    warp.note_register(register);
    let mut ty = ElementType::Ud;
    let pair = cursor.clone();
    if cursor.eat_punct(':').is_some() {
        let word = cursor.word();
        if let Some(named) = ElementType::named(word).filter(|ty| ty.bytes() == 4) {
            ty = named;
        } else if register % 2 == 0 && register_number(word) == register.checked_add(1) {
            warp.note_register(register + 1);
            ty = ElementType::Uq;
        } else {
            *cursor = pair;
            let what = format!("`{name}:{word}` is neither a register pair nor a type");
            let even = register & !1;
            let help = format!(
                "use an even register and the next one: R{even}:R{}",
                even + 1
            );
            let rest = cursor.here().to(cursor.rest());
            out.advise(&rules::INIT_SYNTAX, rest, what, help);
            return None;
        }
        cursor.advance();
        if ty == ElementType::Uq && cursor.eat_punct(':').is_some() {
            let wide = ElementType::named(cursor.word()).filter(|ty| ty.bytes() == 8);
            let Some(wide) = wide else {
                let what = format!("`{}` is not a 64-bit type", cursor.word());
                out.advise(&rules::INIT_SYNTAX, cursor.here(), what, "use uq, q or df");
                return None;
            };
            ty = wide;
            cursor.advance();
        }
    }
    // Without a type, values are bits; negative numbers are signed.
    let mut ahead = cursor.clone();
    ahead.until(&['-']);
    if ahead.is_punct('-') {
        ty = match ty {
            ElementType::Ud => ElementType::D,
            ElementType::Uq => ElementType::Q,
            other => other,
        };
    }
    Some((InitTarget::Lanes(register), ty))
}

/// The number of a register other than RZ.
fn register_number(name: &str) -> Option<u8> {
    let register = Register::named(name).filter(|register| !register.is_zero())?;
    Some(register.0)
}
