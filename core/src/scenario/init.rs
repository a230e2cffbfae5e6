//! `.init`: the starting state.

use super::Reader;
use super::values::{Values, literal};
use crate::diagnostic::{Diagnostic, Findings, Span, to_u32, to_usize};
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::{operand, surface};
use crate::machine::{Machine, NoJournal, SpaceId};
use crate::number::{ElementType, parse_integer};
use crate::rules;
use crate::text::{Cursor, same_word};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// Where address variables start in the flags space: 16 elements of 4 bytes
/// each, every element a byte offset into the register file.
pub const ADDRESS_VARIABLES: u64 = 0x1_0000;

/// Room of one address variable in the flags space.
pub const ADDRESS_VARIABLE_BYTES: u64 = 64;

/// What an `.init` line sets.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// All elements of a general variable.
    General(u32),
    /// The bits of a predicate; 0 is the execution mask.
    Flags(u16),
    /// The elements of an address variable.
    Address(u16),
    /// Memory from an address on.
    Memory(SpaceId, u64),
}

/// An `.init` line, to be applied when all memory is mapped.
#[derive(Clone, Debug)]
pub(super) struct Init {
    place: Place,
    /// The one EU it is for, or both.
    eu: Option<(u8, Span)>,
    ty: ElementType,
    values: Values,
    /// What stands before the `=`.
    target: Span,
    name: Box<str>,
}

/// Reads what follows `.init`.
pub(super) fn parse(
    cursor: &mut Cursor<'_>,
    names: &Declarations,
    out: &mut Findings,
) -> Option<Init> {
    let start = cursor.here();
    let Some((first, first_span)) = cursor.name() else {
        out.report(&rules::INIT_SYNTAX, start, "the place is missing");
        return None;
    };
    let eu = match first {
        _ if same_word(first, "EU0") => Some((0, first_span)),
        _ if same_word(first, "EU1") => Some((1, first_span)),
        _ => None,
    };
    let dotted = eu.is_some() && cursor.sign('.').is_some();
    let (name, span) = if dotted {
        match cursor.name() {
            Some(name) => name,
            None => {
                out.report(
                    &rules::INIT_SYNTAX,
                    cursor.here(),
                    "a variable belongs after EU0. or EU1.",
                );
                return None;
            }
        }
    } else {
        (first, first_span)
    };
    let eu = eu.filter(|_| dotted);
    let memory = cursor.is_sign('[');
    if memory && eu.is_some() {
        let what = format!("`{name}` belongs to both EUs");
        out.push(Diagnostic::new(&rules::INIT_SYNTAX, first_span, what).help("leave the EU out"));
        return None;
    }
    let (place, ty) = if memory {
        parse_memory(name, span, cursor, names, out)?
    } else {
        find_variable(name, span, names, out)?
    };
    let target = cursor.since(start.start);
    if cursor.sign('=').is_none() {
        let here = cursor.here();
        out.push(
            Diagnostic::new(&rules::INIT_SYNTAX, here, "`=` and values belong here")
                .help("write .init V32 = 1, 2, 3"),
        );
        return None;
    }
    let values = match place {
        Place::Address(_) => parse_pointers(cursor, names, out)?,
        Place::Flags(_) => parse_mask(name, cursor, out)?,
        _ => Values::parse(cursor, ty, out)?,
    };
    Some(Init {
        place,
        eu,
        ty,
        values,
        target,
        name: name.into(),
    })
}

fn find_variable(
    name: &str,
    span: Span,
    names: &Declarations,
    out: &mut Findings,
) -> Option<(Place, ElementType)> {
    match names.symbol(name) {
        Some(Symbol::General(id)) if id != 0 => {
            let ty = names.general(id).map(|v| v.ty)?;
            Some((Place::General(id), ty))
        }
        Some(Symbol::Predicate(id)) => Some((Place::Flags(id), ElementType::Ud)),
        Some(Symbol::Address(id)) => Some((Place::Address(id), ElementType::Ud)),
        Some(_) => {
            let what = format!("`{name}` has no elements of its own");
            out.push(Diagnostic::new(&rules::INIT_SYNTAX, span, what).help(
                "write .init slm[0] : ud = …, .init T6[0] : ud = … or .init svm[0x10000] : ud = …",
            ));
            None
        }
        None if same_word(name, "em") => Some((Place::Flags(0), ElementType::Ud)),
        None => {
            out.push(operand::undeclared(name, span, names, out.len()));
            None
        }
    }
}

/// `[0x40] : ud`.
fn parse_memory(
    name: &str,
    span: Span,
    cursor: &mut Cursor<'_>,
    names: &Declarations,
    out: &mut Findings,
) -> Option<(Place, ElementType)> {
    const HELP: &str = "write .init slm[0x40] : ud = …, with slm, svm or a declared surface";
    let space = match names.symbol(name) {
        Some(Symbol::Surface(index)) => surface::Surface(index).space(),
        _ if same_word(name, "slm") => SpaceId::SLM,
        _ if same_word(name, "svm") => SpaceId::VIRTUAL,
        _ => {
            let what = format!("`{name}` is not a memory");
            out.push(Diagnostic::new(&rules::INIT_SYNTAX, span, what).help(HELP));
            return None;
        }
    };
    cursor.sign('[');
    let (text, at) = cursor.until(&[']']);
    let Ok(address) = parse_integer(text) else {
        let what = format!("`{text}` is not an address");
        out.push(Diagnostic::new(&rules::INIT_SYNTAX, at, what).help(HELP));
        return None;
    };
    cursor.sign(']');
    let colon = cursor.sign(':');
    let (word, at) = (cursor.word(), cursor.here());
    let Some(ty) = colon.and_then(|_| ElementType::named(word)) else {
        out.push(
            Diagnostic::new(
                &rules::INIT_SYNTAX,
                at,
                "an element type belongs after the address",
            )
            .help(HELP),
        );
        return None;
    };
    cursor.advance();
    Some((Place::Memory(space, address), ty))
}

/// `0xff`.
fn parse_mask(name: &str, cursor: &mut Cursor<'_>, out: &mut Findings) -> Option<Values> {
    let mask = literal(cursor, &[','], ElementType::Ud, out)?;
    if !cursor.at_end() {
        let what = format!("`{name}` takes one mask, not a list");
        out.push(
            Diagnostic::new(&rules::INIT_SYNTAX, cursor.rest(), what)
                .help("write the bits of all elements as one number, the first one lowest: 0b101"),
        );
        return None;
    }
    Some(Values::List(vec![mask]))
}

/// `&V33 + 32, &V34`.
fn parse_pointers(
    cursor: &mut Cursor<'_>,
    names: &Declarations,
    out: &mut Findings,
) -> Option<Values> {
    let mut pointers = Vec::new();
    loop {
        let start = cursor.here().start;
        let pointer = parse_pointer(cursor, names);
        match pointer {
            Some(pointer) => pointers.push(pointer),
            None => {
                cursor.until(&[',']);
                let span = cursor.since(start);
                let what = format!("`{}` is not a place in a register", span.of(cursor.text()));
                out.push(
                    Diagnostic::new(&rules::INIT_SYNTAX, span, what)
                        .help("write &V33, or &V33 + 32 for its byte 32"),
                );
                return None;
            }
        }
        if cursor.sign(',').is_none() {
            break;
        }
    }
    if !cursor.at_end() {
        out.report(
            &rules::INIT_SYNTAX,
            cursor.rest(),
            "nothing belongs after the places",
        );
        return None;
    }
    Some(Values::List(pointers))
}

fn parse_pointer(cursor: &mut Cursor<'_>, names: &Declarations) -> Option<u64> {
    cursor.sign('&')?;
    let (name, _) = cursor.name()?;
    let Some(Symbol::General(id)) = names.symbol(name) else {
        return None;
    };
    let base = names.general(id)?.offset;
    let mut offset = 0;
    if cursor.sign('+').is_some() {
        offset = parse_integer(cursor.word()).ok()?;
        cursor.advance();
    }
    u64::from(base)
        .checked_add(offset)
        .filter(|p| *p <= u64::from(u32::MAX))
}

/// The most bytes that the `.init` lines of a text may write.
const MAX_INIT_BYTES: u64 = 128 << 20;

/// Bytes that an `.init` line has set.
struct Written {
    space: SpaceId,
    start: u64,
    bytes: u64,
}

/// Which bytes were set: a machine of the same shape that holds ones there.
struct WrittenBytes(Machine);

impl WrittenBytes {
    /// Adds a range; whether some of it was there.
    fn add(&mut self, now: &Written) -> bool {
        const CHUNK: u64 = 4096;
        let mut again = false;
        let Some(memory) = self.0.space_mut(now.space) else {
            return false;
        };
        let mut at = 0;
        while at < now.bytes {
            let mut bytes = [0; 4096];
            let length = (now.bytes - at).min(CHUNK);
            let length = usize::try_from(length).unwrap_or(0);
            let seen = bytes.get_mut(..length).unwrap_or_default();
            memory.read(now.start + at, seen);
            again |= seen.iter().any(|byte| *byte != 0);
            at += CHUNK;
        }
        let ones = core::iter::repeat_n(1, usize::try_from(now.bytes).unwrap_or(usize::MAX));
        memory.fill(now.start, 1, ones);
        again
    }
}

impl Reader<'_> {
    /// Puts the starting values into the mapped memory.
    pub(super) fn apply_inits(&mut self, threads: u8, machine: &mut Machine) {
        // Nothing is set yet, and all of it is zero.
        let mut written = WrittenBytes(machine.clone());
        for eu in 0..threads {
            machine.store(
                &mut NoJournal,
                SpaceId::flags(eu),
                0,
                4,
                u64::from(u32::MAX),
            );
        }
        let mut budget = Some(MAX_INIT_BYTES);
        for init in core::mem::take(&mut self.inits) {
            let eus = match init.eu {
                Some((eu, span)) if eu >= threads => {
                    let what = "there is no EU1";
                    self.out
                        .push(Diagnostic::new(&rules::INIT_EU, span, what).help("add .threads 2"));
                    continue;
                }
                Some((eu, _)) => eu..eu + 1,
                None => 0..threads,
            };
            let mut again = false;
            for eu in eus {
                let Some(now) = self.apply(&init, eu, &mut budget, machine) else {
                    break;
                };
                again |= written.add(&now);
                if matches!(init.place, Place::Memory(..)) {
                    break;
                }
            }
            if again {
                let what = format!("bytes of `{}` are set a second time", init.name);
                self.out.report(&rules::INIT_TWICE, init.target, what);
            }
        }
    }

    fn apply(
        &mut self,
        init: &Init,
        eu: u8,
        budget: &mut Option<u64>,
        machine: &mut Machine,
    ) -> Option<Written> {
        let width = u64::from(init.ty.bytes());
        let (space, start, room) = match init.place {
            Place::General(id) => {
                let variable = self.names.general(id)?;
                let start = u64::from(variable.offset);
                (SpaceId::registers(eu), start, u64::from(variable.elements))
            }
            Place::Flags(id) => return self.apply_flags(init, id, eu, machine),
            Place::Address(id) => {
                let room = self.names.address_variable(id)?.elements;
                let start = ADDRESS_VARIABLES + u64::from(id) * ADDRESS_VARIABLE_BYTES;
                (SpaceId::flags(eu), start, u64::from(room))
            }
            Place::Memory(space, address) => {
                let room = self.room(space, address, init, machine)?;
                (space, address, room / width)
            }
        };
        let given = init.values.len();
        if let Some(given) = given
            && u64::from(to_u32(given)) > room
        {
            if self.unmapped.contains(&space) {
                return None;
            }
            let name = &init.name;
            let what = match init.place {
                Place::Memory(_, address) => {
                    let left = machine.space(space).mapped_from(address, u64::MAX);
                    let needed = u64::from(to_u32(given)) * width;
                    format!(
                        "{needed} bytes for the {left} bytes left from `{name}[{address:#x}]` on"
                    )
                }
                _ => format!("{given} values for the {room} elements of `{name}`"),
            };
            self.out.report(&rules::INIT_TOO_LONG, init.target, what);
            return None;
        }
        let fills = matches!(init.place, Place::General(_) | Place::Address(_));
        let count = match given {
            Some(given) if !fills => to_u32(given),
            _ => u32::try_from(room).unwrap_or(u32::MAX),
        };
        let bytes = u64::from(count) * width;
        // Told once: lines that come later are over it as well.
        let before = budget.take()?;
        let Some(left) = before.checked_sub(bytes) else {
            let what = format!("{bytes} bytes more, and {before} are left");
            self.out.push(
                Diagnostic::new(&rules::INIT_BUDGET, init.target, what)
                    .help("fill memory once, with one .init line"),
            );
            return None;
        };
        *budget = Some(left);
        let count = crate::diagnostic::to_usize(count);
        if let Some(memory) = machine.space_mut(space) {
            let values = init.values.elements(init.ty).take(count);
            memory.fill(start, init.ty.bytes(), values);
        }
        Some(Written {
            space,
            start,
            bytes,
        })
    }

    /// How many bytes are mapped from `address` on; reports where none are.
    fn room(
        &mut self,
        space: SpaceId,
        address: u64,
        init: &Init,
        machine: &Machine,
    ) -> Option<u64> {
        // A list may go on in a region that touches, what fills may not.
        let enough = match init.values.len() {
            Some(given) => u64::from(to_u32(given)) * u64::from(init.ty.bytes()),
            None => 1,
        };
        let room = machine.space(space).mapped_from(address, enough);
        if room > 0 {
            return Some(room);
        }
        if self.unmapped.contains(&space) {
            return None;
        }
        let what = format!("`{}[{address:#x}]` is not mapped", init.name);
        let help = match space {
            SpaceId::SLM => "make it larger with .slm",
            SpaceId::VIRTUAL => "map it with .region svm START BYTES",
            _ => "give the surface a size with .surface",
        };
        self.out
            .push(Diagnostic::new(&rules::INIT_OUTSIDE, init.target, what).help(help));
        None
    }

    fn apply_flags(
        &mut self,
        init: &Init,
        id: u16,
        eu: u8,
        machine: &mut Machine,
    ) -> Option<Written> {
        let bits = match &init.values {
            Values::List(values) => values.first().copied()?,
            _ => return None,
        };
        let lanes = match id {
            0 => 32,
            _ => self.names.predicate_variable(id)?.elements,
        };
        if bits > crate::number::low_mask(lanes) {
            let what = format!(
                "{bits:#x} has bits beyond the {lanes} elements of `{}`",
                init.name
            );
            self.out.report(&rules::INIT_TOO_LONG, init.target, what);
            return None;
        }
        let start = u64::from(id) * 4;
        machine.store(&mut NoJournal, SpaceId::flags(eu), start, 4, bits);
        Some(Written {
            space: SpaceId::flags(eu),
            start,
            bytes: 4,
        })
    }
}

/// The value of an address variable's element as text: `&V33 + 32`.
#[must_use]
pub fn pointer_text(names: &Declarations, offset: u32) -> alloc::string::String {
    let found = names.at_register_byte(offset).next();
    match found {
        Some((_, variable)) if variable.offset == offset => format!("&{}", variable.name),
        Some((_, variable)) => format!("&{} + {}", variable.name, offset - variable.offset),
        None => format!("{:#x}", to_usize(offset)),
    }
}
