//! Places of a machine by the names that `.init` gives them: for what asks
//! for a value rather than starts one.

use super::Program;
use crate::isa::Family;
use crate::isa::sass::register::Register;
use crate::isa::sass::warp::register_address;
use crate::isa::visa::declarations::Symbol;
use crate::isa::visa::surface::Surface;
use crate::machine::{Machine, SpaceId};
use crate::number::{ElementType, parse_integer};

/// Elements in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// In which space.
    pub space: SpaceId,
    /// Where the first element lies.
    pub address: u64,
    /// The type of the elements.
    pub ty: ElementType,
    /// From one element to the next, in bytes.
    pub stride: u64,
}

impl Place {
    /// The place of a name: `slm[0] : ud`, `T6[4] : uw`, `svm[0x100] : uq`,
    /// `V34`, `EU1.V34`, `EU1.P1`, `em`; of a warp `global[0] : ud` and `R4`,
    /// an element for every lane. An element of registers may follow in
    /// brackets: `V34[3]`.
    #[must_use]
    pub fn named(program: &Program, name: &str) -> Option<Self> {
        let Some((name, rest)) = name.split_once('[') else {
            return Self::register(program, name.trim());
        };
        let (index, ty) = rest.split_once(']')?;
        let index = parse_integer(index.trim()).ok()?;
        let (name, ty) = (name.trim(), ty.trim());
        if let Some(space) = memory(program, name) {
            let ty = ElementType::named(ty.strip_prefix(':')?.trim())?;
            let (address, stride) = (index, u64::from(ty.bytes()));
            return Some(Self {
                space,
                address,
                ty,
                stride,
            });
        }
        let first = Self::register(program, name)?;
        let address = first
            .stride
            .checked_mul(index)?
            .checked_add(first.address)?;
        ty.is_empty().then_some(Self { address, ..first })
    }

    /// An element; nothing where the space ends.
    #[must_use]
    pub fn load(&self, machine: &Machine, index: u64) -> Option<u64> {
        let address = self.stride.checked_mul(index)?.checked_add(self.address)?;
        machine.load(self.space, address, self.ty.bytes())
    }

    fn register(program: &Program, name: &str) -> Option<Self> {
        if let (Family::Sass, Some(Register(register))) =
            (program.names.target.family(), Register::named(name))
        {
            return Some(Self {
                space: SpaceId::registers(0),
                address: register_address(0, register),
                ty: ElementType::Ud,
                stride: register_address(1, 0),
            });
        }
        let (eu, name) = match name.split_once('.') {
            Some(("EU0", name)) => (0, name),
            Some(("EU1", name)) => (1, name),
            _ => (0, name),
        };
        let (space, address, ty) = match program.names.visa.symbol(name) {
            Some(Symbol::General(id)) => {
                let variable = program.names.visa.general(id)?;
                let address = u64::from(variable.offset);
                (SpaceId::registers(eu), address, variable.ty)
            }
            Some(Symbol::Predicate(id)) => (SpaceId::flags(eu), u64::from(id) * 4, ElementType::Ud),
            None if name == "em" => (SpaceId::flags(eu), 0, ElementType::Ud),
            _ => return None,
        };
        let stride = u64::from(ty.bytes());
        Some(Self {
            space,
            address,
            ty,
            stride,
        })
    }
}

/// The memory of a name.
fn memory(program: &Program, name: &str) -> Option<SpaceId> {
    match program.names.visa.symbol(name) {
        Some(Symbol::Surface(index)) => Some(Surface(index).space()),
        _ if name == "slm" => Some(SpaceId::SLM),
        _ if name == "svm" || name == "global" => Some(SpaceId::VIRTUAL),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::run;

    const VISA: &str = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
        .decl P1 v_type=P num_elts=8\n.slm 64\n.init P1 = 0x5\n\
        .init V32 = 0, 4, 0, 4\n.init slm[8] : uw = 7, 8\n.threads 2\n";

    #[test]
    fn places_are_found_by_name() {
        let program = Program::parse(VISA);
        let machine = run(&program).machine;
        for (name, index, wanted) in [
            ("V32", 1, Some(4)),
            ("EU1.V32[3]", 0, Some(4)),
            ("V32 [ 0x1 ]", 2, Some(4)),
            ("P1", 0, Some(5)),
            ("em", 0, Some(0xffff_ffff)),
            ("slm[8] : uw", 1, Some(8)),
            ("slm[8]:ub", 0, Some(7)),
            ("slm[62] : ud", 0, None),
        ] {
            let place = Place::named(&program, name).expect(name);
            assert_eq!(place.load(&machine, index), wanted, "{name}");
        }
        for name in [
            "",
            "V33",
            "EU2.V32",
            "slm[0]",
            "slm[0] : xx",
            "slm",
            "V32[",
            "V32[x]",
            "V32[1] : uw",
            "V32[0xffffffffffffffff]",
            "R4",
        ] {
            assert_eq!(Place::named(&program, name), None, "{name}");
        }
    }

    #[test]
    fn a_register_of_a_warp_has_an_element_for_every_lane() {
        let program = Program::parse(".target sass SM50\n.init R4 = iota(5, 1)\n");
        let machine = run(&program).machine;
        let lane = |name| Place::named(&program, name)?.load(&machine, 0);
        assert_eq!(lane("R4"), Some(5));
        assert_eq!(lane("R4[31]"), Some(36));
    }
}
