//! Registers, predicates and address variables as rows.

use super::{RegisterFormat, State};
use lanewise_core::machine::{Change, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::scenario::{ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, Program, pointer_text};
use std::rc::Rc;

/// The largest register, in bytes.
pub(crate) const GRF_BYTES: usize = 64;

/// A variable's part of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) name: Box<str>,
    /// Other names for its bytes.
    pub(crate) aliases: Vec<Box<str>>,
    pub(crate) ty: ElementType,
    /// Where it starts in the variable, in bytes.
    pub(crate) offset: u32,
    /// Where it starts in the register, in bytes.
    pub(crate) start: usize,
    pub(crate) bytes: usize,
}

/// What lies in a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grf {
    pub(crate) number: u32,
    /// Its first byte in the register file.
    pub(crate) address: u64,
    pub(crate) segments: Vec<Segment>,
}

/// Which variable lies where; the same for every step of a run.
#[derive(Debug)]
pub(crate) struct Layout {
    grfs: Vec<Rc<Grf>>,
    grf_bytes: usize,
    /// Predicates by number, name and number of bits; number 0 is the
    /// execution mask.
    flags: Vec<(u16, Rc<str>, u32)>,
    /// Address variables by number, name and number of elements.
    addresses: Vec<(u16, Rc<str>, u32)>,
    threads: u8,
}

impl Layout {
    pub(super) fn of(program: &Program) -> Self {
        let names = &program.names.visa;
        let grf_bytes = names.grf_bytes();
        let count = names.declared_bytes().div_ceil(grf_bytes);
        let mut grfs: Vec<Grf> = (0..count)
            .map(|number| Grf {
                number,
                address: u64::from(number * grf_bytes),
                segments: Vec::new(),
            })
            .collect();
        for (id, variable) in names.generals().filter(|(_, v)| v.alias.is_none()) {
            let end = variable.offset + variable.elements * u32::from(variable.ty.bytes());
            let aliases: Vec<Box<str>> = names
                .generals()
                .filter(|(_, v)| v.alias == Some(id))
                .map(|(_, v)| v.name.clone())
                .collect();
            let mut at = variable.offset;
            while at < end {
                let number = at / grf_bytes;
                let stop = end.min((number + 1) * grf_bytes);
                if let Some(grf) = grfs.get_mut(number as usize) {
                    grf.segments.push(Segment {
                        name: variable.name.clone(),
                        aliases: aliases.clone(),
                        ty: variable.ty,
                        offset: at - variable.offset,
                        start: (at % grf_bytes) as usize,
                        bytes: (stop - at) as usize,
                    });
                }
                at = stop;
            }
        }
        let em = (0, Rc::from("em"), 32);
        let predicates = names
            .predicates()
            .map(|(id, p)| (id, Rc::from(&*p.name), p.elements.clamp(1, 32)));
        Self {
            grfs: grfs
                .into_iter()
                .filter(|g| !g.segments.is_empty())
                .map(Rc::new)
                .collect(),
            grf_bytes: grf_bytes as usize,
            flags: std::iter::once(em).chain(predicates).collect(),
            addresses: names
                .addresses()
                .map(|(id, a)| (id, Rc::from(&*a.name), a.elements))
                .collect(),
            threads: program.threads,
        }
    }
}

/// A register with its bytes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GrfRow {
    pub(crate) grf: Rc<Grf>,
    pub(crate) bytes: [u8; GRF_BYTES],
    pub(crate) changes: Vec<Change>,
    pub(crate) format: RegisterFormat,
}

/// The bits of a predicate or of the execution mask.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FlagRow {
    pub(crate) name: Rc<str>,
    pub(crate) bits: u32,
    pub(crate) width: u32,
}

/// Where the elements of an address variable point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AddressRow {
    pub(crate) name: Rc<str>,
    pub(crate) pointers: Vec<String>,
}

/// The registers of one EU.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Eu {
    pub(crate) name: &'static str,
    pub(crate) flags: Vec<FlagRow>,
    pub(crate) addresses: Vec<AddressRow>,
    pub(crate) grfs: Vec<GrfRow>,
}

impl State {
    /// The registers of every EU that runs.
    pub(crate) fn registers(&self) -> Vec<Eu> {
        (0..self.layout.threads).map(|eu| self.eu(eu)).collect()
    }

    fn eu(&self, eu: u8) -> Eu {
        let machine = self.session.machine();
        let (file, flags) = (SpaceId::registers(eu), SpaceId::flags(eu));
        let word = |at| machine.load(flags, at, 4).unwrap_or(0) as u32;
        let pointers = |id: u16, elements: u32| {
            let start = ADDRESS_VARIABLES + u64::from(id) * ADDRESS_VARIABLE_BYTES;
            (0..u64::from(elements))
                .map(|i| pointer_text(&self.session.program().names.visa, word(start + 4 * i)))
                .collect()
        };
        let row = |grf: &Rc<Grf>| {
            let mut bytes = [0; GRF_BYTES];
            let size = self.layout.grf_bytes.min(GRF_BYTES);
            machine.space(file).read(grf.address, &mut bytes[..size]);
            GrfRow {
                grf: Rc::clone(grf),
                bytes,
                changes: self.changes_in(file, grf.address, size as u64),
                format: self.register_format,
            }
        };
        Eu {
            name: if eu == 0 { "EU0" } else { "EU1" },
            flags: (self.layout.flags.iter())
                .map(|(id, name, width)| FlagRow {
                    name: Rc::clone(name),
                    bits: word(u64::from(*id) * 4),
                    width: *width,
                })
                .collect(),
            addresses: (self.layout.addresses.iter())
                .map(|(id, name, elements)| AddressRow {
                    name: Rc::clone(name),
                    pointers: pointers(*id, *elements),
                })
                .collect(),
            grfs: self.layout.grfs.iter().map(row).collect(),
        }
    }

    /// What the last step wrote in a range, in order.
    pub(super) fn changes_in(&self, space: SpaceId, address: u64, bytes: u64) -> Vec<Change> {
        let changes = self.session.last_changes().iter();
        changes
            .filter(|c| c.touches(space, address, bytes))
            .copied()
            .collect()
    }
}
