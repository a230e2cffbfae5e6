//! Locations in a machine by their `.init` names.

use super::Program;
use crate::isa::SymbolTable;
use crate::isa::sass::register::{PredicateRegister, Register};
use crate::isa::sass::warp::{LANES, register_address};
use crate::isa::visa::declarations::{Declarations, Symbol, address_element};
use crate::isa::visa::predefined::unplaced;
use crate::machine::{Machine, SpaceId, flag_address};
use crate::number::{ElementType, parse_integer};

/// A range of elements in a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementRange {
    pub space: SpaceId,
    /// Address of the first element.
    pub address: u64,
    /// Element type.
    pub ty: ElementType,
    /// Distance between elements, in bytes.
    pub stride: u64,
    /// Number of elements; `None` for memory, where it is limited by the space.
    pub elements: Option<u64>,
}

impl ElementRange {
    /// Finds a location by name: `slm[0] : ud`, `T6[4] : uw`, `svm[0x100] : uq`, `V34`,
    /// `EU1.V34`, `EU1.P1`, `A0`, `em`; in a warp `global[0] : ud`, `P0`, and `R4` or
    /// `R4:R5` with one element per lane. A register element can follow in brackets:
    /// `V34[3]`.
    #[must_use]
    pub fn named(program: &Program, name: &str) -> Option<Self> {
        let Some((name, rest)) = name.split_once('[') else {
            return Self::register(program, name.trim());
        };
        let (index, ty) = rest.split_once(']')?;
        let index = parse_integer(index.trim()).ok()?;
        let (name, ty) = (name.trim(), ty.trim());
        if let Some(space) = program.symbols.memory_named(name) {
            let ty = ElementType::named(ty.strip_prefix(':')?.trim())?;
            let (address, stride) = (index, u64::from(ty.bytes()));
            return Some(Self {
                space,
                address,
                ty,
                stride,
                elements: None,
            });
        }
        let first = Self::register(program, name)?;
        let address = first
            .stride
            .checked_mul(index)?
            .checked_add(first.address)?;
        ty.is_empty().then_some(Self {
            address,
            elements: first.elements.map(|count| count.saturating_sub(index)),
            ..first
        })
    }

    /// Loads an element; `None` past the end of the elements or the space.
    #[must_use]
    pub fn load(&self, machine: &Machine, index: u64) -> Option<u64> {
        if self.elements.is_some_and(|count| index >= count) {
            return None;
        }
        let address = self.stride.checked_mul(index)?.checked_add(self.address)?;
        machine.load(self.space, address, self.ty.bytes())
    }

    fn register(program: &Program, name: &str) -> Option<Self> {
        if program.symbols.target.facts().has_lane_registers {
            return Self::of_warp(&program.symbols, name);
        }
        let (eu, name) = match name.split_once('.') {
            Some(("EU0", name)) => (0, name),
            Some(("EU1", name)) => (1, name),
            _ => (0, name),
        };
        let (target, ty) = InitTarget::of_variable(&program.symbols.visa, name)?;
        target.elements(&program.symbols, eu, ty)
    }

    /// `R4`, `R4:R5`, `P0`.
    fn of_warp(symbols: &SymbolTable, name: &str) -> Option<Self> {
        let predicate = PredicateRegister::named(name).filter(|p| !p.is_true());
        let (target, ty) = if let Some(predicate) = predicate {
            let id = u16::from(predicate.0) + 1;
            (InitTarget::Flags(id), ElementType::Ud)
        } else if let Some((even, odd)) = name.split_once(':') {
            let even = Register::named(even.trim())?;
            let odd = Register::named(odd.trim())?;
            if !even.starts_pair() || odd.0 != even.0 + 1 {
                return None;
            }
            (InitTarget::Lanes(even.0), ElementType::Uq)
        } else {
            (InitTarget::Lanes(Register::named(name)?.0), ElementType::Ud)
        };
        target.elements(symbols, 0, ty)
    }
}

/// Target of an `.init` line.
#[derive(Clone, Copy, Debug)]
pub(super) enum InitTarget {
    /// All elements of a general variable.
    General(u32),
    /// The bits of a predicate; 0 is the execution mask.
    Flags(u16),
    /// The elements of an address variable.
    Address(u16),
    /// A register, or the first register of a pair, in every lane of a warp.
    Lanes(u8),
    /// Memory from an address.
    Memory(SpaceId, u64),
}

impl InitTarget {
    /// Finds a variable and its element type by name: `V32`, `P1`, `A0`, `em`.
    pub(super) fn of_variable(symbols: &Declarations, name: &str) -> Option<(Self, ElementType)> {
        match symbols.symbol(name) {
            // The null variable has no elements.
            Some(Symbol::General(id)) if id == 0 || unplaced(id).is_some() => None,
            Some(Symbol::General(id)) => Some((Self::General(id), symbols.general(id)?.ty)),
            Some(Symbol::Predicate(id)) => Some((Self::Flags(id), ElementType::Ud)),
            Some(Symbol::Address(id)) => Some((Self::Address(id), ElementType::Ud)),
            None if name.eq_ignore_ascii_case("em") => Some((Self::Flags(0), ElementType::Ud)),
            _ => None,
        }
    }

    /// The range of its elements on an EU; `None` for an undeclared variable.
    pub(super) fn elements(
        self,
        symbols: &SymbolTable,
        eu: u8,
        ty: ElementType,
    ) -> Option<ElementRange> {
        let packed = u64::from(ty.bytes());
        let (space, address, stride, elements) = match self {
            Self::General(id) => {
                let variable = symbols.visa.general(id)?;
                let count = u64::from(variable.elements);
                let address = u64::from(variable.offset);
                (SpaceId::registers(eu), address, packed, Some(count))
            }
            Self::Flags(id) => (SpaceId::flags(eu), flag_address(id), packed, Some(1)),
            Self::Address(id) => {
                let count = u64::from(symbols.visa.address_variable(id)?.elements);
                let address = address_element(id, 0);
                (SpaceId::flags(eu), address, packed, Some(count))
            }
            Self::Lanes(register) => (
                SpaceId::registers(eu),
                register_address(0, register),
                register_address(1, 0),
                Some(u64::from(LANES)),
            ),
            Self::Memory(space, address) => (space, address, packed, None),
        };
        Some(ElementRange {
            space,
            address,
            ty,
            stride,
            elements,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::run;

    const VISA: &str = ".decl V32 v_type=G type=ud num_elts=8 align=GRF\n\
        .decl V33 v_type=G type=ud num_elts=8 align=GRF\n\
        .decl P1 v_type=P num_elts=8\n.decl A0 v_type=A num_elts=2\n.slm 64\n\
        .init P1 = 0x5\n.init A0 = &V33, &V33\n.init V32 = 0, 4, 0, 4\n\
        .init V33 = splat(9)\n.init slm[8] : uw = 7, 8\n.threads 2\n";

    #[test]
    fn places_are_found_by_name() {
        let program = Program::parse(VISA);
        assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
        let machine = run(&program).machine;
        for (name, index, wanted) in [
            ("V32", 1, Some(4)),
            // What lies beyond is another variable's.
            ("V32[8]", 0, None),
            ("V32[7]", 0, Some(0)),
            ("V32", 8, None),
            ("V32[7]", 1, None),
            ("P1[1]", 0, None),
            ("em", 1, None),
            ("A0[1]", 0, Some(32)),
            ("A0[2]", 0, None),
            ("EU1.V32[3]", 0, Some(4)),
            ("V32 [ 0x1 ]", 2, Some(4)),
            ("P1", 0, Some(5)),
            ("em", 0, Some(0xffff_ffff)),
            ("slm[8] : uw", 1, Some(8)),
            ("slm[8]:ub", 0, Some(7)),
            ("slm[62] : ud", 0, None),
        ] {
            let place = ElementRange::named(&program, name).expect(name);
            assert_eq!(place.load(&machine, index), wanted, "{name}");
        }
        for name in [
            "",
            "V34",
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
            assert_eq!(ElementRange::named(&program, name), None, "{name}");
        }
    }

    #[test]
    fn warp_registers_have_an_element_per_lane() {
        let program = Program::parse(
            ".target sass SM50\n.init R4 = iota(5, 1)\n.init R5 = splat(1)\n.init P0 = 0xf0\n",
        );
        let machine = run(&program).machine;
        let lane = |name| ElementRange::named(&program, name)?.load(&machine, 0);
        assert_eq!(lane("R4"), Some(5));
        assert_eq!(lane("R4[31]"), Some(36));
        assert_eq!(lane("R4[32]"), None);
        assert_eq!(lane("R4:R5[31]"), Some(0x1_0000_0024));
        assert_eq!(lane("R4 : R5"), Some(0x1_0000_0005));
        assert_eq!(lane("P0"), Some(0xf0));
        for name in ["R5:R6", "R4:R6", "R4:R5[32]", "P0[1]", "PT", "P7", "em"] {
            assert_eq!(lane(name), None, "{name}");
        }
    }
}
