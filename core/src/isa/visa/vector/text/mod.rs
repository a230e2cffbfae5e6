//! The text of vector operands: `V38(0,0)<0;1,0>`, `V44(0,0)`, `0x1000:uq`,
//! `r[A0(0),16]<0;1,0>:uq`, with a modifier such as `(-)` before a variable.

mod direct;
mod print;
mod scalar;

use super::Region;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::rules::Rule;
use alloc::string::String;

/// Whether a region is written behind row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regions {
    /// It is; a bare name stands for `(0,0)<0;1,0>`.
    Written,
    /// It is not; a bare name stands for `(0,0)`.
    LeftOut,
}

impl Regions {
    /// The region of an operand that names a variable only.
    pub(super) const fn implied(self) -> Region {
        match self {
            Self::Written => Region::SCALAR,
            Self::LeftOut => Region::CONTIGUOUS,
        }
    }

    /// What follows row and column when no other region is meant.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Written => "<0;1,0>",
            Self::LeftOut => "",
        }
    }
}

/// What an instruction takes in a place.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// The operand's name in messages: `src2`.
    pub role: &'w str,
    /// Whether regions are written.
    pub regions: Regions,
    /// The rule that a text breaks which is no such operand.
    pub rule: &'static Rule,
    /// How to write one.
    pub help: &'static str,
    /// How to declare a variable that is not: `v_type=G type=uq num_elts=4`.
    pub attributes: &'w str,
}

impl Wanted<'_> {
    fn diagnostic(self, span: Span, what: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.rule, span, what)
    }

    fn report(self, span: Span, what: impl Into<String>, out: &mut Diagnostics) {
        out.push(self.diagnostic(span, what).help(self.help));
    }
}
