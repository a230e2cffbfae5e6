//! The registers of a warp: lanes down, registers across.

use super::cells::{Cell, Notation, cut};
use super::{RegisterFormat, State};
use lanewise_core::isa::sass::warp::{predicate_address, register_address};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;

/// Bytes of a register.
const BYTES: usize = 4;

/// The registers of one lane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WarpLane {
    pub(crate) lane: u8,
    /// Why it takes no part in anything; empty if it does.
    pub(crate) idle: &'static str,
    /// Whether the last step was its.
    pub(crate) current: bool,
    /// The predicates that the program names, old and new.
    pub(crate) predicates: Vec<(bool, bool)>,
    /// The registers that the program names, cut into elements.
    pub(crate) registers: Vec<Vec<Cell>>,
    /// How the elements are written.
    pub(crate) ty: ElementType,
}

/// The registers of a warp that the program names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Warp {
    /// `P0`, `R4`, in the order of the columns.
    pub(crate) names: Vec<String>,
    pub(crate) lanes: Vec<WarpLane>,
}

impl State {
    /// The registers of the warp.
    pub(crate) fn warp(&self) -> Warp {
        let program = self.session.program();
        let warp = &program.names.sass;
        let (ty, hex) = self.register_format.elements(ElementType::Ud);
        // Registers of a warp are declared nowhere: as bits, then.
        let hex = hex || self.register_format == RegisterFormat::Declared;
        let notation = Notation { ty, hex };
        let current = self.current_unit().map(|unit| unit.lane);
        let lane = |lane: u8| WarpLane {
            lane,
            idle: match 1_u32 << lane {
                bit if warp.helper & bit != 0 => "helper",
                bit if warp.killed & bit != 0 => "killed",
                bit if warp.uncovered & bit != 0 => "no coverage",
                _ => "",
            },
            current: current == Some(lane),
            predicates: warp.predicates().map(|p| self.predicate(p, lane)).collect(),
            registers: (warp.registers())
                .map(|register| self.register(register_address(lane, register), notation))
                .collect(),
            ty,
        };
        let predicates = warp.predicates().map(|p| format!("P{p}"));
        Warp {
            names: predicates
                .chain(warp.registers().map(|r| format!("R{r}")))
                .collect(),
            lanes: (0..32).map(lane).collect(),
        }
    }

    fn register(&self, address: u64, notation: Notation) -> Vec<Cell> {
        let file = SpaceId::registers(0);
        let mut bytes = [0; BYTES];
        self.session.machine().space(file).read(address, &mut bytes);
        let changes = self.changes_in(file, address, BYTES as u64);
        cut(&bytes, address, notation, &changes)
    }

    /// A lane's bit of a predicate: before the last step, and now.
    fn predicate(&self, predicate: u8, lane: u8) -> (bool, bool) {
        let (flags, address) = (SpaceId::flags(0), predicate_address(predicate));
        let bit = |bits: u64| bits >> lane & 1 == 1;
        let now = self.session.machine().load(flags, address, 4).unwrap_or(0);
        let changes = self.changes_in(flags, address, 4);
        let was = changes.first().map_or(now, |change| change.old);
        (bit(was), bit(now))
    }
}
