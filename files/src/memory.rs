//! Memory for the scenario of a function. A file has the code, but neither the
//! memory that it works on nor the addresses that its caller would pass, so
//! both are proposed: start values of the registers that make addresses, and
//! regions and surfaces where the instructions then reach.
//!
//! Nothing here knows an instruction: [`Semantics::address_registers`] names
//! the registers, and the accesses that an instruction issues show the rest.
//!
//! [`Semantics::address_registers`]: lanewise_core::isa::Semantics::address_registers

use crate::text::one_line;
use lanewise_core::isa::visa::declarations::Symbol;
use lanewise_core::isa::visa::predefined::SURFACES;
use lanewise_core::isa::{Access, Family, FaultKind, Style};
use lanewise_core::machine::{Machine, NoJournal, SpaceId};
use lanewise_core::program::{ElementRange, Program, ProgramInstruction};
use lanewise_core::session::{find_fault, issue_accesses};
use lanewise_core::text::SyntaxPart;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A region starts and ends at multiples of so many bytes.
const PAGE: u64 = 4096;

/// The most pages that are proposed.
const MAX_PAGES: usize = 1024;

/// Bytes of a surface, unless its offsets reach further.
const SURFACE_BYTES: u64 = 4096;

/// The most bytes of a surface.
const MAX_SURFACE_BYTES: u64 = 1 << 16;

/// So many matrix products are run, which take long and hardly ever make
/// addresses.
const MAX_PRODUCTS: usize = 1000;

/// From one proposed address to the next. The first is that far from 0.
const SPACING: u64 = 0x1_0000;

/// Proposed addresses stay below the windows of shared and local memory.
const MAX_BASES: u64 = 0xf0;

/// The first line of a proposal.
const HEADING: &str =
    "// Not from the file: proposed start values, which give every address memory.";

/// Lines that give the instructions memory: directives and comments. Empty
/// where no instruction accesses memory that has to be there.
pub(crate) fn propose(head: &str, instructions: &str) -> String {
    let start_values = start_values(&Program::parse(&format!("{head}{instructions}")));
    let program = Program::parse(&format!("{head}{start_values}{instructions}"));
    let mut reached = Reached::new(&program);
    for mut machine in machines_of_guards(&program) {
        for placed in &program.instructions {
            reached.issue(&program, placed, &mut machine);
        }
    }
    let stops = program.can_run().then(|| reached.run(&program)).flatten();
    let memory = reached.directives(&program);
    if start_values.is_empty() && memory.is_empty() && stops.is_none() {
        return String::new();
    }
    let stops = stops.unwrap_or_default();
    format!("\n{HEADING}\n{stops}{memory}{start_values}")
}

/// The state before the run with all predicates false, and with all true:
/// whichever way an instruction is guarded, its lanes are enabled in one.
fn machines_of_guards(program: &Program) -> [Machine; 2] {
    [0, u64::from(u32::MAX)].map(|bits| {
        let mut machine = program.start.clone();
        for eu in 0..program.threads {
            let flags = SpaceId::flags(eu);
            // Behind the execution mask; address variables are a region of
            // their own.
            let (_, bytes) = machine.space(flags).regions().next().unwrap_or_default();
            for predicate in (4..bytes).step_by(4) {
                machine.store(&mut NoJournal, flags, predicate, 4, bits);
            }
        }
        machine
    })
}

/// How the instructions use a place in registers for addresses.
struct AddressUse {
    place: String,
    /// Bytes of an element.
    bytes: u8,
    /// Whether each lane has an element of its own.
    is_per_lane: bool,
    /// Whether it is added to an address rather than one.
    is_offset: bool,
    /// Whether a surface or shared local memory is accessed with it, where
    /// addresses start at 0.
    is_in_surface: bool,
    /// From the cell of a lane to that of the next.
    stride: u64,
    /// What has to be added for cells to be aligned.
    alignment: u64,
}

/// What an instruction accesses for one lane, with registers of zero.
struct LaneCells {
    space: SpaceId,
    /// The constant part of the first address.
    constant: u64,
    /// The size of a cell.
    cell: u64,
    /// Bytes from the first cell to the end of the last.
    extent: u64,
}

impl LaneCells {
    /// Those of the first enabled lane; none where no lane is ever enabled.
    fn of(program: &Program, placed: &ProgramInstruction, machines: &[Machine]) -> Option<Self> {
        let mut accesses = Vec::new();
        for machine in machines {
            issue_accesses(program, placed, machine, &mut accesses);
        }
        let first = accesses.first()?;
        let own = |a: &&Access| (a.unit.eu, a.unit.lane) == (first.unit.eu, first.unit.lane);
        let cells = accesses.iter().filter(own).map(|access| access.address);
        let constant = cells.clone().min()?;
        let cell = u64::from(first.bytes);
        Some(Self {
            space: first.space,
            constant,
            cell,
            extent: cells.max()?.saturating_sub(constant).saturating_add(cell),
        })
    }
}

/// `.init` lines for the registers that make addresses. In memory each gets an
/// address of its own; lanes lie side by side.
fn start_values(program: &Program) -> String {
    let machines = machines_of_guards(program);
    let mut uses: Vec<AddressUse> = Vec::new();
    let mut index_of: HashMap<String, usize> = HashMap::new();
    for placed in &program.instructions {
        let registers = placed.instruction.address_registers(&program.symbols);
        if registers.is_empty() {
            continue;
        }
        let Some(cells) = LaneCells::of(program, placed, &machines) else {
            continue;
        };
        for register in registers {
            let index = *index_of.entry(register.place.clone()).or_insert(uses.len());
            if index == uses.len() {
                uses.push(AddressUse {
                    place: register.place,
                    bytes: register.bytes,
                    is_per_lane: register.is_per_lane,
                    is_offset: register.operand == SyntaxPart::Offsets,
                    is_in_surface: false,
                    stride: 1,
                    alignment: cells.constant.wrapping_neg() % cells.cell,
                });
            }
            let known = &mut uses[index];
            known.is_in_surface |= cells.space != SpaceId::VIRTUAL;
            known.stride = known.stride.max(cells.extent.next_power_of_two());
        }
    }
    // The low half of a 64-bit address is a 32-bit address too, but two of
    // these are no 64-bit address.
    uses.sort_by_key(|known| std::cmp::Reverse(known.bytes));
    let mut lines = String::new();
    let mut taken = BTreeSet::new();
    let mut bases = 0;
    for known in &uses {
        let bytes = register_bytes(program, &known.place);
        if known.bytes < 4 || bytes.is_empty() || bytes.iter().any(|byte| taken.contains(byte)) {
            continue;
        }
        taken.extend(bytes);
        let start = if known.is_offset || known.is_in_surface {
            known.alignment
        } else {
            bases += 1;
            SPACING * (1 + (bases - 1) % MAX_BASES) + known.alignment
        };
        let start = match start {
            0 => String::from("0"),
            start => format!("{start:#x}"),
        };
        let values = match known.is_per_lane {
            true => format!("iota({start}, {})", known.stride),
            false => format!("splat({start})"),
        };
        lines += &format!(".init {} = {values}\n", known.place);
    }
    lines
}

/// The bytes of the register file that a place has; none if it has a value
/// already, or if there is no such place.
fn register_bytes(program: &Program, place: &str) -> Vec<u64> {
    let Some(place) = ElementRange::named(program, place) else {
        return Vec::new();
    };
    let elements = (0..).map_while(|index| Some((index, place.load(&program.start, index)?)));
    let mut bytes = Vec::new();
    for (index, value) in elements {
        if value != 0 {
            return Vec::new();
        }
        let start = place.address + index * place.stride;
        bytes.extend(start..start + u64::from(place.ty.bytes()));
    }
    bytes
}

/// The memory that instructions reach.
struct Reached {
    /// Pages of virtual memory, by their addresses divided by [`PAGE`], that
    /// are not mapped from the start.
    pages: BTreeSet<u64>,
    /// Where the accesses of each surface end.
    surfaces: BTreeMap<u8, u64>,
    accesses: Vec<Access>,
    /// What is mapped from the start.
    start: Machine,
    /// Machines get no more virtual memory than this, in bytes. Some of it may
    /// be for addresses that fault all the same.
    most_mapped: u64,
}

impl Reached {
    fn new(program: &Program) -> Self {
        Self {
            pages: BTreeSet::new(),
            surfaces: BTreeMap::new(),
            accesses: Vec::new(),
            start: program.start.clone(),
            most_mapped: program.start.space(SpaceId::VIRTUAL).mapped_bytes()
                + 2 * MAX_PAGES as u64 * PAGE,
        }
    }

    /// Issues an instruction, maps what it lacks, and notes what it reaches.
    /// Its accesses are kept, those that fault all the same included.
    fn issue(&mut self, program: &Program, placed: &ProgramInstruction, machine: &mut Machine) {
        self.accesses.clear();
        issue_accesses(program, placed, machine, &mut self.accesses);
        let in_memory = |access: &&Access| access.space == SpaceId::VIRTUAL;
        let missing = self.accesses.iter().filter(in_memory);
        let missing: BTreeSet<u64> = missing
            .filter(|access| lacks_memory(access))
            .flat_map(pages_of)
            .collect();
        let mapped = machine.space(SpaceId::VIRTUAL).mapped_bytes();
        if !missing.is_empty() && mapped < self.most_mapped {
            if let Some(memory) = machine.space_mut(SpaceId::VIRTUAL) {
                for page in missing {
                    // What is mapped already stays as it is.
                    let _ = memory.map(page * PAGE, PAGE);
                }
            }
            self.accesses.clear();
            issue_accesses(program, placed, machine, &mut self.accesses);
        }
        for access in &self.accesses {
            if let Some(index) = access.space.surface_index() {
                let end = access.address.saturating_add(u64::from(access.bytes));
                let known = self.surfaces.entry(index).or_default();
                *known = end.max(*known);
            } else if access.space == SpaceId::VIRTUAL && access.in_bounds {
                let memory = self.start.space(SpaceId::VIRTUAL);
                let is_new = !memory.is_mapped(access.address, access.bytes);
                self.pages.extend(pages_of(access).filter(|_| is_new));
            }
        }
    }

    /// Runs the program, for what an instruction returns may be the address of
    /// the next. A comment where an instruction faults whatever is mapped.
    fn run(&mut self, program: &Program) -> Option<String> {
        let mut machine = program.start.clone();
        let mut products = 0;
        for (index, placed) in program.instructions.iter().enumerate() {
            let instruction = &placed.instruction;
            if instruction.matrix().is_some() {
                products += 1;
                if products > MAX_PRODUCTS {
                    continue;
                }
            }
            self.issue(program, placed, &mut machine);
            if let Some(fault) = find_fault(program, index, &self.accesses) {
                let text = one_line(&instruction.text(&program.symbols, Style::Assembler));
                let why = match self.pages.len() < MAX_PAGES {
                    true => "what computes its address is not run here",
                    false => "more memory than can be proposed is needed",
                };
                let (address, kind) = (fault.address, fault.kind.word());
                return Some(format!(
                    "// `{text}` faults all the same ({kind}, address {address:#x}): {why}.\n"
                ));
            }
            let symbols = &program.symbols;
            instruction.perform(&self.accesses, &mut machine, symbols, &mut NoJournal);
        }
        None
    }

    /// The `.region` and `.surface` lines.
    fn directives(&self, program: &Program) -> String {
        let mut lines = String::new();
        let space = match program.symbols.target.family() {
            Family::Visa => "svm",
            Family::Sass => "global",
        };
        let mut pages = self.pages.iter().copied().take(MAX_PAGES).peekable();
        while let Some(first) = pages.next() {
            let mut last = first;
            while let Some(next) = pages.next_if(|page| *page == last + 1) {
                last = next;
            }
            let (start, bytes) = (first * PAGE, (last - first + 1) * PAGE);
            lines += &format!(".region {space} {start:#x} {bytes}\n");
        }
        for (index, end) in &self.surfaces {
            let is_bound = self.start.space(SpaceId::surface(*index)).is_bound();
            let visa = &program.symbols.visa;
            let predefined = SURFACES.get(usize::from(*index)).copied();
            let name = visa
                .surface_name(*index)
                .or(predefined)
                .filter(|name| !is_bound && visa.symbol(name) == Some(Symbol::Surface(*index)));
            if let Some(name) = name {
                let bytes = end.clamp(&SURFACE_BYTES, &MAX_SURFACE_BYTES);
                let bytes = bytes.next_multiple_of(PAGE);
                lines += &format!(".surface {name} {bytes}\n");
            }
        }
        lines
    }
}

/// Whether an access might be made if memory were mapped there.
fn lacks_memory(access: &Access) -> bool {
    !access.in_bounds
        && !matches!(
            access.fault,
            Some(FaultKind::Misaligned | FaultKind::AddressSpace)
        )
}

/// The pages that the bytes of an access lie in.
fn pages_of(access: &Access) -> std::ops::RangeInclusive<u64> {
    let last = access.address.saturating_add(u64::from(access.bytes) - 1);
    access.address / PAGE..=last / PAGE
}
