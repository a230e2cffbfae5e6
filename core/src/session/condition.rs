//! Conditions of breakpoints: `lane 3`, `thread 1`, `global_id == 35`, `V62 > 100 && lane 3`,
//! `out[3] > 1`.

use crate::isa::ThreadSet;
use crate::isa::sass::op::operand::LaneRegister;
use crate::isa::sass::warp::LANES;
use crate::machine::control::{ChannelState, Control};
use crate::machine::{Machine, SpaceId};
use crate::number::{
    ElementType, FloatFormat, LiteralError, Real, Rounding, is_float_literal, low_mask,
    parse_literal, sign_extend, to_f64,
};
use crate::program::{ItemPlace, Launch, Program};
use crate::text::counted;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A condition on the threads that are about to execute an instruction: all terms hold on a
/// thread, and on one of its active channels if a term is about channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    terms: Vec<ConditionTerm>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ConditionTerm {
    /// The number of the channel.
    Lane(u8),
    /// The number of the thread.
    Thread(u8),
    /// The ID of the channel's work-item compares to a number.
    Item {
        /// Whether the ID is that in the work-group.
        is_local: bool,
        dimension: usize,
        relation: ConditionRelation,
        number: f64,
    },
    /// An element of a register compares to a number.
    Element {
        place: ElementPlace,
        ty: ElementType,
        relation: ConditionRelation,
        number: f64,
    },
}

/// Where an element lies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ElementPlace {
    /// At an address in global memory.
    Buffer(u64),
    /// At an address in the register file.
    Shared(u64),
    /// Elements of channels.
    Channels {
        /// Address of the element of the first channel.
        address: u64,
        /// Bytes from one channel to the next.
        stride: u64,
        first: u8,
        count: u8,
    },
}

impl ElementPlace {
    /// Address of the element of a channel; `None` if the channel has none.
    fn address(self, channel: u8) -> Option<u64> {
        match self {
            Self::Buffer(address) | Self::Shared(address) => Some(address),
            Self::Channels {
                address,
                stride,
                first,
                count,
            } => {
                let index = channel.checked_sub(first)?;
                (index < count).then(|| address + stride * u64::from(index))
            }
        }
    }
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
        let terms = text.split("&&");
        let terms = terms.map(|term| ConditionTerm::parse(term.trim(), program));
        Ok(Self {
            terms: terms.collect::<Result<_, _>>()?,
        })
    }

    /// Whether the condition holds on one of the threads.
    #[must_use]
    pub fn holds(&self, program: &Program, machine: &Machine, threads: ThreadSet) -> bool {
        self.first(program, machine, threads).is_some()
    }

    /// The first thread on which the condition holds; its first channel, if the condition is
    /// about channels.
    #[must_use]
    pub fn first(
        &self,
        program: &Program,
        machine: &Machine,
        threads: ThreadSet,
    ) -> Option<(u8, Option<u8>)> {
        let hold = |thread, channel| {
            let mut terms = self.terms.iter();
            terms.all(|term| term.holds(program, machine, thread, channel))
        };
        threads.iter().find_map(|thread| {
            if !self.terms.iter().any(ConditionTerm::is_of_channels) {
                return hold(thread, 0).then_some((thread, None));
            }
            let control = Control::new(machine, thread);
            let is_active =
                |channel: &u8| matches!(control.channel(*channel), ChannelState::Active { .. });
            let mut channels = (0..LANES).filter(is_active);
            Some((
                thread,
                Some(channels.find(|channel| hold(thread, *channel))?),
            ))
        })
    }
}

impl ConditionTerm {
    fn parse(text: &str, program: &Program) -> Result<Self, String> {
        let words = program.launch.as_ref().map(Launch::words);
        let [thread, examples] = match words {
            Some(words) => [words.thread, words.conditions],
            None => ["thread", "`lane 3`, `thread 1` or `V62(0,5) > 100`"],
        };
        let usage = || format!("write a condition such as {examples}");
        let of_number = text.split_once("==");
        let of_number = of_number.or_else(|| text.split_once(char::is_whitespace));
        if let Some((word, number)) = of_number {
            let number = number.trim().parse::<u8>().ok();
            match (word.trim(), number) {
                ("lane", Some(lane)) if lane < LANES => return Ok(Self::Lane(lane)),
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
        let (operand, relation, literal) = found.ok_or_else(usage)?;
        if literal.is_empty() {
            return Err(usage());
        }
        if program.launch.is_some()
            && let Some((is_local, dimension)) = item_id(operand)
        {
            return Ok(Self::Item {
                is_local,
                dimension,
                relation,
                number: number(literal, ElementType::Ud)?,
            });
        }
        let element = buffer_element(operand, program)?;
        let (place, ty) = match (element, program.has_warps()) {
            (Some(element), _) => element,
            (None, true) => register(operand, literal)
                .ok_or_else(|| format!("unknown register `{operand}`; {}", usage()))?,
            (None, false) => variable(operand, program, usage)?,
        };
        Ok(Self::Element {
            place,
            ty,
            relation,
            number: number(literal, ty)?,
        })
    }

    /// Whether it holds for some channels of a thread and not for others.
    const fn is_of_channels(&self) -> bool {
        match self {
            Self::Lane(_) | Self::Item { .. } => true,
            Self::Thread(_) => false,
            Self::Element { place, .. } => matches!(place, ElementPlace::Channels { .. }),
        }
    }

    /// Whether it holds for a channel of a thread.
    fn holds(&self, program: &Program, machine: &Machine, thread: u8, channel: u8) -> bool {
        match *self {
            Self::Lane(lane) => lane == channel,
            Self::Thread(wanted) => wanted == thread,
            Self::Item {
                is_local,
                dimension,
                relation,
                number,
            } => {
                let launch = program.launch.as_ref();
                let item = launch.and_then(|launch| {
                    launch.work_item(ItemPlace {
                        group: launch.group,
                        thread,
                        channel,
                    })
                });
                let id = item.map(|item| if is_local { item.local } else { item.global });
                id.is_some_and(|id| relation.holds(id[dimension].into(), number))
            }
            Self::Element {
                place,
                ty,
                relation,
                number,
            } => {
                let space = match place {
                    ElementPlace::Buffer(_) => SpaceId::VIRTUAL,
                    _ => SpaceId::registers(thread),
                };
                let address = place.address(channel);
                let bits = address.and_then(|at| machine.load(space, at, ty.bytes()));
                bits.is_some_and(|bits| relation.holds(value(bits, ty), number))
            }
        }
    }
}

/// A register of SASS, whose type the number tells: `1.5` a float, `0x3` an unsigned and `3` a
/// signed integer.
fn register(name: &str, literal: &str) -> Option<(ElementPlace, ElementType)> {
    let register = LaneRegister::named(name)??;
    let address = register.address(0);
    let place = match register.number() {
        Some(_) => ElementPlace::Channels {
            address,
            stride: register.address(1) - address,
            first: 0,
            count: LANES,
        },
        None => ElementPlace::Shared(address),
    };
    let ty = match literal {
        _ if is_float_literal(literal) => ElementType::F,
        _ if literal.contains("0x") => ElementType::Ud,
        _ => ElementType::D,
    };
    Some((place, ty))
}

/// An element of a buffer of the launch, `out[3]` or `p[3].id`; `None` for other operands.
fn buffer_element(
    operand: &str,
    program: &Program,
) -> Result<Option<(ElementPlace, ElementType)>, String> {
    let Some((name, rest)) = operand.split_once('[') else {
        return Ok(None);
    };
    let mut buffers = program.launch.iter().flat_map(|launch| &launch.buffers);
    let Some(buffer) = buffers.find(|buffer| buffer.name == name.trim()) else {
        return Ok(None);
    };
    let (index, path) = rest.split_once(']').unwrap_or((rest, "["));
    let Ok(index) = index.trim().parse::<u64>() else {
        return Err(format!("expected an index, found `{index}`"));
    };
    let place = buffer.place_of(index, path.strip_prefix('.').unwrap_or(path));
    let (address, ty) = place.ok_or_else(|| {
        let size = counted(buffer.bytes(), "byte");
        format!("`{operand}` does not exist: `{name}` has {size}")
    })?;
    Ok(Some((ElementPlace::Buffer(address), ty)))
}

/// A variable of vISA, `V62`, or its element in a row and column, `V62(0,5)`. In a launch,
/// `V62` is the element of each work-item, if the variable has one for each. Compilers write
/// `V0062`.
fn variable(
    operand: &str,
    program: &Program,
    usage: impl Fn() -> String,
) -> Result<(ElementPlace, ElementType), String> {
    let (name, place) = match operand.split_once('(') {
        Some((name, place)) => {
            let place = place.strip_suffix(')').ok_or_else(&usage)?;
            (name.trim(), Some(place.split_once(',').ok_or_else(&usage)?))
        }
        None => (operand, None),
    };
    let symbols = &program.symbols.visa;
    let number = |name: &str| name.strip_prefix('V')?.parse::<u32>().ok();
    let is_alike = |other: &str| number(other).is_some() && number(other) == number(name);
    let variables = || symbols.generals().map(|(_, variable)| variable);
    let exact = variables().find(|variable| &*variable.name == name);
    let variable = exact.or_else(|| variables().find(|variable| is_alike(&variable.name)));
    let variable = variable.ok_or_else(|| format!("unknown variable `{name}`; {}", usage()))?;
    let address = u64::from(variable.offset);
    let bytes = u64::from(variable.ty.bytes());
    let place = match place {
        Some((row, column)) => {
            let part = |text: &str| text.trim().parse::<u32>().map_err(|_| usage());
            let offset = u64::from(part(row)?) * u64::from(symbols.grf_bytes())
                + u64::from(part(column)?) * bytes;
            if offset + bytes > u64::from(variable.elements) * bytes {
                return Err(format!("`{operand}` is past the end of `{name}`"));
            }
            ElementPlace::Shared(address + offset)
        }
        None => {
            let channels = program.launch.as_ref().map(|launch| {
                // Aliases have a name of their own for the same elements.
                let is_same = |id| {
                    let written = symbols.general(id);
                    written.is_some_and(|written| {
                        (written.offset, written.ty.bytes())
                            == (variable.offset, variable.ty.bytes())
                    })
                };
                let mut placed = program.instructions.iter();
                placed.find_map(|placed| {
                    let (id, _) = placed.instruction.destination_variable()?;
                    let channels = || placed.channels_of(variable.elements, launch.simd);
                    is_same(id).then(channels).flatten()
                })
            });
            match channels {
                Some(Some((first, count))) => ElementPlace::Channels {
                    address,
                    stride: bytes,
                    first,
                    count,
                },
                Some(None) if variable.elements > 1 => {
                    return Err(format!(
                        "`{name}` does not have an element for each work-item; write `{name}(0,0)`"
                    ));
                }
                _ => ElementPlace::Shared(address),
            }
        }
    };
    Ok((place, variable.ty))
}

/// Whether the ID of a work-item is that in its group, and the dimension: `local_id.y`, as
/// in OpenCL C, `get_local_id(1)`, or as in CUDA C, `threadIdx.y`.
#[must_use]
pub fn item_id(operand: &str) -> Option<(bool, usize)> {
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

/// A number of a type, rounded like an element of the type.
fn number(literal: &str, ty: ElementType) -> Result<f64, String> {
    let bits = match parse_literal(literal, ty) {
        Err(LiteralError::ValueOrBits) => parse_literal(&format!("{literal}.0"), ty),
        bits => bits,
    };
    let bits = bits.map_err(|why| format!("`{literal}`: {why}"))?;
    Ok(value(bits, ty))
}

/// Element as a number, rounded to 64-bit floats.
fn value(bits: u64, ty: ElementType) -> f64 {
    let integer = match ty {
        _ if ty.is_float() => return to_f64(bits, ty),
        _ if ty.is_signed() => sign_extend(bits, ty.bits()).into(),
        _ => i128::from(bits & low_mask(ty.bits())),
    };
    let real = Real::from_integer(integer);
    f64::from_bits(real.to_bits(FloatFormat::F64, Rounding::NearestEven))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use std::rc::Rc;

    const TEXT: &str = ".decl V32 v_type=G type=d num_elts=16 align=GRF\n\
        .decl V33 v_type=G type=f num_elts=4 align=GRF\n\
        .decl V34 v_type=G type=w num_elts=32 align=GRF\n\
        .decl V35 v_type=G type=d num_elts=16 align=GRF alias=<V32, 0>\n\
        .init em = 0xf0\n.init V32 = iota(-2, 1)\n.init V33 = 0.5\n\
        add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> 1:d\n\
        mov (M1, 16) V34(0,0)<2> V32(0,0)<1;1,0>\n";

    #[test]
    fn conditions_read_lanes_threads_and_elements() {
        let program = Rc::new(Program::parse(TEXT));
        let session = Session::new(Rc::clone(&program));
        let holds = |text: &str| {
            let condition = Condition::parse(text, &program).unwrap();
            condition.holds(&program, session.machine(), ThreadSet::one(0))
        };
        assert!(holds("lane 4") && !holds("lane 3"));
        assert!(holds("lane==4") && holds("lane == 4") && !holds("lane == 3"));
        assert!(holds("thread 0") && holds("thread == 0"));
        assert!(holds("V33 < 1") && !holds("V33 > 0x3f000000") && holds("V33 < inf"));
        assert!(holds("V32(0,1) == -1") && holds("V32 < 0") && !holds("V32(0,5) > 0x3"));
        assert!(holds("V33(0,0) >= 0.5") && !holds("V33(0,0) != 0.5"));
        for wrong in [
            "lane 40",
            "lane > 3",
            "V32 > 1.5",
            "V32 > 0x1ffffffff",
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
            ".launch global=16,8 local=8,4 group=1 offset=100\n.simd 16\n\
             .buffer x : f[4] = iota(1, 0.5)\n{}ret (M1, 16)\n",
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
        // Of the work-item at x = 109, the second in its row, whatever the order of the terms.
        assert!(holds("V32 == -1 && global_id.x == 109", 0) && holds("lane 1&&V32 < 0", 0));
        assert!(!holds("V32 == -1 && global_id.x == 108", 0) && !holds("V32 == 14", 0));
        assert!(holds("thread 1 && V32 == 5", 1) && !holds("thread 0 && V32 == 5", 1));
        // Of the element of the thread; a variable without one for each work-item needs a place.
        assert!(holds("V33(0,0) == 0.5", 0) && Condition::parse("V33 == 0.5", &program).is_err());
        // An alias that no instruction writes, and elements that do not lie side by side.
        assert!(holds("V35 == -1 && lane 1", 0));
        // As compilers write numbers, and as others do.
        assert!(holds("V0035 == -1 && lane 1", 0) && holds("V033(0,0) == 0.5", 0));
        // Of a buffer.
        assert!(holds("x[3] == 2.5", 1) && !holds("x[2] > 2 && lane 1", 0));
        for wrong in [
            "x[4] > 1",
            "x[-1] > 1",
            "x[1 > 1",
            "x[1].a > 1",
            "y[1] > 1",
            "x > 1",
        ] {
            assert!(Condition::parse(wrong, &program).is_err(), "{wrong}");
        }
        assert!(Condition::parse("V34 == 5", &program).is_err());
        let condition = Condition::parse("V32 == 3", &program).unwrap();
        let first = condition.first(&program, session.machine(), ThreadSet::from(0, 2));
        assert_eq!(first, Some((0, Some(5))));
        for wrong in ["lane 1 &&", "&& lane 1", "lane 1 && V32"] {
            assert!(Condition::parse(wrong, &program).is_err(), "{wrong}");
        }
        for wrong in ["global_id.w == 1", "get_global_id(3) == 1", "group_id == 1"] {
            assert!(Condition::parse(wrong, &program).is_err(), "{wrong}");
        }
        let text = ".target sass SM80\n.launch grid=2 block=64\n.init R4 = iota(-2, 1)\n\
            .init R5 = splat(0x3dcccccd)\nEXIT;\n";
        let program = Rc::new(Program::parse(text));
        let session = Session::new(Rc::clone(&program));
        let holds = |text: &str, thread: u8| {
            let condition = Condition::parse(text, &program).unwrap();
            condition.holds(&program, session.machine(), ThreadSet::one(thread))
        };
        assert!(holds("threadIdx.x == 35", 1) && !holds("threadIdx.x == 35", 0));
        assert!(holds("warp 1", 1) && !holds("warp 1", 0));
        assert!(holds("R4 == -1 && lane 1", 0) && !holds("R4 == -1 && lane 2", 0));
        assert!(holds("R4 > 0xfffffffd", 0) && !holds("R4 > 0xffffffff", 0));
        assert!(holds("R5 == 0.1", 0) && !holds("R5 > 1e-1", 0) && holds("R5 < inf", 0));
        assert!(holds("UR4 == 0", 0) && holds("R4 == 0xffffffff && lane == 1", 0));
        for wrong in [
            "thread 1",
            "warp 2",
            "R255 == 1",
            "RZ == 0",
            "P0 == 1",
            "V4 == 1",
        ] {
            assert!(Condition::parse(wrong, &program).is_err(), "{wrong}");
        }
        let single = Program::parse(TEXT);
        assert!(Condition::parse("global_id == 1", &single).is_err());
    }
}
