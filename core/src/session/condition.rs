//! Conditions of breakpoints: `lane 3`, `thread 1`, `global_id == 35`, `V62(0,5) > 100`.

use crate::isa::ThreadSet;
use crate::machine::control::{ChannelState, Control};
use crate::machine::{Machine, SpaceId};
use crate::number::{ElementType, FloatFormat, Real, Rounding, low_mask, sign_extend, to_f64};
use crate::program::{ItemPlace, Launch, Program};
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
    /// The ID of a work-item of an active lane compares to a number.
    Item {
        /// Whether the ID is that in the work-group.
        is_local: bool,
        dimension: usize,
        relation: ConditionRelation,
        number: f64,
    },
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
        let words = program.launch.as_ref().map(Launch::words);
        let [thread, examples] = match words {
            Some(words) => [words.thread, words.conditions],
            None => ["thread", "`lane 3`, `thread 1` or `V62(0,5) > 100`"],
        };
        let usage = || format!("write a condition such as {examples}");
        if let Some((word, number)) = text.split_once(char::is_whitespace) {
            let number = number.trim().parse::<u8>().ok();
            match (word, number) {
                ("lane", Some(lane)) if lane < 32 => return Ok(Self::Lane(lane)),
                ("lane", _) => return Err(String::from("expected a lane from 0 to 31")),
                (word, number) if word == thread => {
                    let number = number.filter(|number| *number < program.threads);
                    let last = program.threads - 1;
                    return number
                        .map(Self::Thread)
                        .ok_or_else(|| format!("expected a {thread} from 0 to {last}"));
                }
                _ => {}
            }
        }
        let found = ConditionRelation::ALL.iter().find_map(|(sign, relation)| {
            let (operand, number) = text.split_once(sign)?;
            Some((operand.trim(), *relation, number.trim()))
        });
        let (operand, relation, number) = found.ok_or_else(usage)?;
        let number = parse_number(number).ok_or_else(|| match number {
            "" => usage(),
            _ => format!("`{number}` is not a number"),
        })?;
        if program.launch.is_some()
            && let Some((is_local, dimension)) = item_id(operand)
        {
            return Ok(Self::Item {
                is_local,
                dimension,
                relation,
                number,
            });
        }
        let (name, place) = match operand.split_once('(') {
            Some((name, place)) => (name.trim(), place.strip_suffix(')').ok_or_else(usage)?),
            None => (operand, "0,0"),
        };
        let symbols = &program.symbols.visa;
        let mut variables = symbols.generals();
        let variable = variables.find(|(_, variable)| &*variable.name == name);
        let (_, variable) =
            variable.ok_or_else(|| format!("unknown variable `{name}`; {}", usage()))?;
        let (row, column) = place.split_once(',').ok_or_else(usage)?;
        let part = |text: &str| text.trim().parse::<u32>().map_err(|_| usage());
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
    pub fn holds(self, program: &Program, machine: &Machine, threads: ThreadSet) -> bool {
        self.first(program, machine, threads).is_some()
    }

    /// The first thread on which the condition holds; its first channel, if the condition is
    /// about channels.
    #[must_use]
    pub fn first(
        self,
        program: &Program,
        machine: &Machine,
        threads: ThreadSet,
    ) -> Option<(u8, Option<u8>)> {
        threads.iter().find_map(|thread| match self {
            Self::Item {
                is_local,
                dimension,
                relation,
                number,
            } => {
                let launch = program.launch.as_ref()?;
                let control = Control::new(machine, thread);
                let is_meant = |channel: &u8| {
                    let item = launch.work_item(ItemPlace {
                        group: launch.group,
                        thread,
                        channel: *channel,
                    });
                    let id = item.map(|item| if is_local { item.local } else { item.global });
                    id.is_some_and(|id| relation.holds(id[dimension].into(), number))
                };
                let mut channels = (0..32).filter(|channel| is_active(control, *channel));
                Some((thread, Some(channels.find(is_meant)?)))
            }
            Self::Lane(lane) => {
                is_active(Control::new(machine, thread), lane).then_some((thread, Some(lane)))
            }
            Self::Thread(wanted) => (thread == wanted).then_some((thread, None)),
            Self::Element {
                address,
                ty,
                relation,
                number,
            } => {
                let bits = machine.load(SpaceId::registers(thread), address, ty.bytes())?;
                (relation.holds(value(bits, ty), number)).then_some((thread, None))
            }
        })
    }
}

fn is_active(control: Control<'_>, channel: u8) -> bool {
    matches!(control.channel(channel), ChannelState::Active { .. })
}

/// Whether the ID of a work-item is that in its group, and the dimension: `local_id.y`, as
/// in OpenCL C, `get_local_id(1)`, or as in CUDA C, `threadIdx.y`.
fn item_id(operand: &str) -> Option<(bool, usize)> {
    let (name, place) = match operand.strip_prefix("get_") {
        Some(call) => call.strip_suffix(')')?.split_once('(')?,
        None => operand.split_once('.').unwrap_or((operand, "x")),
    };
    let is_local = match name.trim() {
        "global_id" => false,
        "local_id" | "threadIdx" => true,
        _ => return None,
    };
    let dimension = ["x", "y", "z"].iter().position(|known| *known == place);
    let number = || place.trim().parse().ok().filter(|number| *number < 3);
    Some((is_local, dimension.or_else(number)?))
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
    match ty {
        _ if ty.is_float() => to_f64(bits, ty),
        _ if ty.is_signed() => from_integer(i128::from(sign_extend(bits, ty.bits()))),
        _ => from_integer(i128::from(bits & low_mask(ty.bits()))),
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
            condition.holds(&program, session.machine(), ThreadSet::one(0))
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
    #[test]
    fn conditions_name_work_items() {
        let text = format!(
            ".launch global=16,8 local=8,4 group=1 offset=100\n.simd 16\n{}ret (M1, 16)\n",
            TEXT.replace(".init em = 0xf0\n", "")
        );
        let program = Rc::new(Program::parse(&text));
        let session = Session::new(Rc::clone(&program));
        let holds = |text: &str, thread: u8| {
            let condition = Condition::parse(text, &program).unwrap();
            condition.holds(&program, session.machine(), ThreadSet::one(thread))
        };
        // The second group begins at x = 108; a thread has two of its rows.
        assert!(holds("global_id == 109", 0) && !holds("global_id == 101", 0));
        assert!(holds("global_id.y == 2", 1) && !holds("global_id.y == 2", 0));
        assert!(holds("local_id.x == 7", 0) && !holds("local_id.x > 7", 0));
        let condition = Condition::parse("global_id.x == 109", &program).unwrap();
        let first = condition.first(&program, session.machine(), ThreadSet::from(0, 2));
        assert_eq!(first, Some((0, Some(1))));
        assert!(holds("get_local_id(1) == 3", 1) && !holds("get_local_id(1) == 3", 0));
        for wrong in ["global_id.w == 1", "get_global_id(3) == 1", "group_id == 1"] {
            assert!(Condition::parse(wrong, &program).is_err(), "{wrong}");
        }
        let text = ".target sass SM80\n.launch grid=2 block=64\nEXIT;\n";
        let program = Rc::new(Program::parse(text));
        let session = Session::new(Rc::clone(&program));
        let holds = |text: &str, thread: u8| {
            let condition = Condition::parse(text, &program).unwrap();
            condition.holds(&program, session.machine(), ThreadSet::one(thread))
        };
        assert!(holds("threadIdx.x == 35", 1) && !holds("threadIdx.x == 35", 0));
        assert!(holds("warp 1", 1) && !holds("warp 1", 0));
        for wrong in ["thread 1", "warp 2"] {
            assert!(Condition::parse(wrong, &program).is_err(), "{wrong}");
        }
        let single = Program::parse(TEXT);
        assert!(Condition::parse("global_id == 1", &single).is_err());
    }
}
