//! Assertions about the end of a run, in comments: `// ends: slm[0] : ud = 4, 3`.

use crate::diagnostic::{Diagnostic, Span, to_u32};
use crate::machine::Machine;
use crate::number::{parse_literal, show};
use crate::program::{ElementRange, Program};
use crate::rules;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

const MARK: &str = "// ends: ";

/// The assertions of a text, such as `V32 = 1, 2`, with their places.
pub fn end_claims(text: &str) -> impl Iterator<Item = (Span, &str)> {
    text.match_indices(MARK).map(|(at, mark)| {
        let start = at + mark.len();
        let rest = text.split_at(start).1;
        let claim = rest.lines().next().unwrap_or("").trim_end();
        let span = Span {
            start: to_u32(start),
            end: to_u32(start + claim.len()),
        };
        (span, claim)
    })
}

/// Checks an assertion about the final state of a run.
///
/// # Errors
/// Names the part that differs or cannot be read.
pub fn check_end_claim(program: &Program, machine: &Machine, claim: &str) -> Result<(), String> {
    let (name, values) = claim.split_once(" = ").ok_or("expected `PLACE = VALUES`")?;
    let place = ElementRange::named(program, name).ok_or_else(|| format!("`{name}` is unknown"))?;
    for (index, wanted) in (0_u64..).zip(values.split(", ")) {
        let bits = parse_literal(wanted, place.ty).map_err(|error| format!("{wanted}: {error}"))?;
        let found = place.load(machine, index);
        let found = found.ok_or_else(|| format!("`{name}` has {index} elements"))?;
        if found != bits {
            let found = show(found, place.ty);
            return Err(format!(
                "element {index} of `{name}` is {found}, not {wanted}"
            ));
        }
    }
    Ok(())
}

/// Warnings about the assertions of a text that the final state of its run does not meet.
#[must_use]
pub fn unmet_claims(text: &str, program: &Program, machine: &Machine) -> Vec<Diagnostic> {
    let claims = end_claims(text).filter_map(|(span, claim)| {
        let why = check_end_claim(program, machine, claim).err()?;
        let found = Diagnostic::new(&rules::UNMET_CLAIM, span, why);
        Some(found.help("change the comment or remove it".to_string()))
    });
    claims.collect()
}
