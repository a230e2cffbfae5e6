//! Conditions of breakpoints: `lane 3`, `thread 1`, `V62(0,5) > 100`.

use crate::isa::ThreadSet;
use crate::machine::control::{ChannelState, Control};
use crate::machine::{Machine, SpaceId};
use crate::number::{ElementType, FloatFormat, Real, Rounding, low_mask, sign_extend};
use crate::program::Program;
use alloc::format;
use alloc::string::String;
use core::cmp::Ordering;

/// A condition on the threads that are about to execute an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// The lane is active.
    Lane(u8),
    /// The thread executes the instruction.
    Thread(u8),
    /// An element of a register compares to a number.
    Element {
        /// Register-file address.
        address: u64,
        ty: ElementType,
        relation: ConditionRelation,
        number: f64,
    },
}

/// Relation of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionRelation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl ConditionRelation {
    /// Signs, longer ones first.
    const ALL: [(&'static str, Self); 6] = [
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    fn holds(self, a: f64, b: f64) -> bool {
        let order = a.partial_cmp(&b);
        match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::NotEqual => order != Some(Ordering::Equal),
            Self::Less => order == Some(Ordering::Less),
            Self::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Self::Greater => order == Some(Ordering::Greater),
            Self::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

impl Condition {
    /// Parses a condition.
    ///
    /// # Errors
    /// A message, if the text is not a condition on this program.
    pub fn parse(text: &str, program: &Program) -> Result<Self, String> {
        let text = text.trim();
        let usage = "write a condition such as `lane 3`, `thread 1` or `V62(0,5) > 100`";
        if let Some((word, number)) = text.split_once(char::is_whitespace) {
            let number = number.trim().parse::<u8>().ok();
            match (word, number) {
                ("lane", Some(lane)) if lane < 32 => return Ok(Self::Lane(lane)),
                ("lane", _) => return Err(String::from("expected a lane from 0 to 31")),
                ("thread", Some(thread)) if thread < program.threads => {
                    return Ok(Self::Thread(thread));
                }
                ("thread", _) => {
                    return Err(format!(
                        "expected a thread from 0 to {}",
                        program.threads - 1
                    ));
                }
                _ => {}
            }
        }
        let found = ConditionRelation::ALL.iter().find_map(|(sign, relation)| {
            let (operand, number) = text.split_once(sign)?;
            Some((operand.trim(), *relation, number.trim()))
        });
        let (operand, relation, number) = found.ok_or(usage)?;
        let number = parse_number(number).ok_or_else(|| format!("`{number}` is not a number"))?;
        let (name, place) = match operand.split_once('(') {
            Some((name, place)) => (name.trim(), place.strip_suffix(')').ok_or(usage)?),
            None => (operand, "0,0"),
        };
        let symbols = &program.symbols.visa;
        let mut variables = symbols.generals();
        let variable = variables.find(|(_, variable)| &*variable.name == name);
        let (_, variable) = variable.ok_or_else(|| format!("`{name}` is not declared"))?;
        let (row, column) = place.split_once(',').ok_or(usage)?;
        let part = |text: &str| text.trim().parse::<u32>().map_err(|_| String::from(usage));
        let bytes = u32::from(variable.ty.bytes());
        let offset = u64::from(part(row)?) * u64::from(symbols.grf_bytes())
            + u64::from(part(column)?) * u64::from(bytes);
        if offset + u64::from(bytes) > u64::from(variable.elements) * u64::from(bytes) {
            return Err(format!("`{operand}` is past the end of `{name}`"));
        }
        Ok(Self::Element {
            address: u64::from(variable.offset) + offset,
            ty: variable.ty,
            relation,
            number,
        })
    }

    /// Whether the condition holds on one of the threads.
    #[must_use]
    pub fn holds(self, machine: &Machine, threads: ThreadSet) -> bool {
        threads.iter().any(|thread| match self {
            Self::Lane(lane) => {
                let channel = Control::new(machine, thread).channel(lane);
                matches!(channel, ChannelState::Active { .. })
            }
            Self::Thread(wanted) => thread == wanted,
            Self::Element {
                address,
                ty,
                relation,
                number,
            } => {
                let bits = machine.load(SpaceId::registers(thread), address, ty.bytes());
                bits.is_some_and(|bits| relation.holds(value(bits, ty), number))
            }
        })
    }
}

/// A decimal or hexadecimal number.
fn parse_number(text: &str) -> Option<f64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let size = match digits.strip_prefix("0x") {
        Some(digits) => from_integer(i128::from(u64::from_str_radix(digits, 16).ok()?)),
        None => digits.parse().ok()?,
    };
    Some(if negative { -size } else { size })
}

fn from_integer(value: i128) -> f64 {
    let real = Real::from_integer(value);
    f64::from_bits(real.to_bits(FloatFormat::F64, Rounding::NearestEven))
}

/// Element as a number, rounded to 64-bit floats.
fn value(bits: u64, ty: ElementType) -> f64 {
    match ty.float_format() {
        Some(format) => {
            let real = Real::from_bits(bits, format);
            f64::from_bits(real.to_bits(FloatFormat::F64, Rounding::NearestEven))
        }
        None if ty.is_signed() => from_integer(i128::from(sign_extend(bits, ty.bits()))),
        None => from_integer(i128::from(bits & low_mask(ty.bits()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use std::rc::Rc;

    const TEXT: &str = ".decl V32 v_type=G type=d num_elts=16 align=GRF\n\
        .decl V33 v_type=G type=f num_elts=4 align=GRF\n\
        .init em = 0xf0\n.init V32 = iota(-2, 1)\n.init V33 = 0.5\n\
        add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 1:d\n";

    #[test]
    fn conditions_read_lanes_threads_and_elements() {
        let program = Rc::new(Program::parse(TEXT));
        let session = Session::new(Rc::clone(&program));
        let holds = |text: &str| {
            let condition = Condition::parse(text, &program).unwrap();
            condition.holds(session.machine(), ThreadSet::one(0))
        };
        assert!(holds("lane 4") && !holds("lane 3"));
        assert!(holds("thread 0"));
        assert!(holds("V32(0,1) == -1") && holds("V32 < 0") && !holds("V32(0,5) > 0x3"));
        assert!(holds("V33(0,0) >= 0.5") && !holds("V33(0,0) != 0.5"));
        for wrong in [
            "lane 40",
            "thread 1",
            "V99 > 1",
            "V33(0,4) > 1",
            "V32 > x",
            "V32",
            "",
        ] {
            assert!(Condition::parse(wrong, &program).is_err(), "{wrong}");
        }
    }
}
