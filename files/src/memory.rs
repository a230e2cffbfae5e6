//! Proposes memory for the scenario of a function. A file contains neither the
//! memory of its functions nor the addresses passed by their callers, so this
//! module proposes initial values for address registers, and the regions and
//! surfaces that the instructions then access.
//!
//! The module is independent of individual instructions: it uses
//! [`Semantics::address_registers`] and the accesses that instructions issue.
//!
//! [`Semantics::address_registers`]: lanewise_core::isa::Semantics::address_registers

use crate::text::one_line;
use lanewise_core::ide::PROPOSED;
use lanewise_core::isa::visa::declarations::Symbol;
use lanewise_core::isa::visa::predefined::SURFACES;
use lanewise_core::isa::{Access, FaultKind, Style};
use lanewise_core::machine::{Machine, NoJournal, SpaceId};
use lanewise_core::program::{ElementRange, Issue, Program};
use lanewise_core::session::{Stepper, accesses_of, next_issue};
use lanewise_core::text::SyntaxPart;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Alignment of regions, in bytes.
const PAGE: u64 = 4096;

/// Maximum number of proposed pages.
const MAX_PAGES: usize = 1024;

/// Minimum size of a surface, in bytes.
const SURFACE_BYTES: u64 = 4096;

/// Maximum size of a surface, in bytes.
const MAX_SURFACE_BYTES: u64 = 1 << 16;

/// Maximum number of matrix products to run; they are slow and rarely compute
/// addresses.
const MAX_PRODUCTS: usize = 1000;

/// Distance between proposed base addresses, and of the first one from 0.
const SPACING: u64 = 0x1_0000;

/// Keeps proposed addresses below the windows of shared and local memory.
const MAX_BASES: u64 = 0xf0;

/// The most instructions that a proposal runs.
const MAX_ISSUES: u32 = 10_000;

const HEADING: &str =
    "// Not from the file: proposed start values, so that every address is mapped.";

/// Heading of a proposed launch whose parameters are known.
pub(crate) const HEADING_OF_KNOWN_LAUNCH: &str = "// Not from the file: proposed start values. \
    The places and sizes of the parameters are from the file.";

/// Heading of a proposed launch.
pub(crate) const HEADING_OF_LAUNCH: &str = "// Not from the file: proposed start values. \
    The parameters are those that the code reads.";

/// Returns directives and comments that map the memory of the instructions, or
/// an empty string if they access none.
pub(crate) fn propose(head: &str, instructions: &str) -> String {
    let start_values = start_values(&Program::parse(&format!("{head}{instructions}")));
    let program = Program::parse(&format!("{head}{start_values}{instructions}"));
    let mut reached = Reached::new(&program);
    for mut machine in machines_of_guards(&program) {
        for index in 0..program.instructions.len() {
            reached.issue(&program, program.issue_by_all(index), &mut machine);
        }
    }
    let stops = program.can_run().then(|| reached.run(&program)).flatten();
    let memory = reached.directives(&program);
    if start_values.is_empty() && memory.is_empty() && stops.is_none() {
        return String::new();
    }
    let stops = stops.unwrap_or_default();
    let mut out = format!("\n{HEADING}\n{stops}");
    for line in memory.lines().chain(start_values.lines()) {
        out += &format!("{line}  // {PROPOSED}\n");
    }
    out
}

/// Whether memory or start values of a scenario are proposals of this module.
#[must_use]
pub fn is_proposed(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.any(|line| {
        let comment = line.rsplit_once("//").map(|(_, comment)| comment.trim());
        line.starts_with('.') && comment == Some(PROPOSED)
    })
}

/// Initial states with all predicates false and with all true. Every guarded
/// instruction is enabled in one of them.
fn machines_of_guards(program: &Program) -> [Machine; 2] {
    [0, u64::from(u32::MAX)].map(|bits| {
        let mut machine = program.start.clone();
        for eu in 0..program.threads {
            let flags = SpaceId::flags(eu);
            // Flags follow the execution mask; address variables are a separate region.
            let (_, bytes) = machine.space(flags).regions().next().unwrap_or_default();
            for predicate in (4..bytes).step_by(4) {
                machine.store(&mut NoJournal, flags, predicate, 4, bits);
            }
        }
        machine
    })
}

/// Use of a register as an address.
struct AddressUse {
    place: String,
    /// Element size, in bytes.
    bytes: u8,
    /// Whether each lane has its own element.
    is_per_lane: bool,
    /// Whether the value is an offset that is added to an address.
    is_offset: bool,
    /// Whether it addresses a surface or shared local memory, which start at 0.
    is_in_surface: bool,
    /// Distance between the cells of adjacent lanes.
    stride: u64,
    /// Offset that aligns the cells.
    alignment: u64,
}

/// Cells that an instruction accesses for one lane if all registers are zero.
struct LaneCells {
    space: SpaceId,
    /// Constant part of the first address.
    constant: u64,
    /// Cell size.
    cell: u64,
    /// Distance from the start of the first cell to the end of the last.
    extent: u64,
}

impl LaneCells {
    /// Cells of the first active lane; `None` if no lane is ever active.
    fn of(program: &Program, issue: Issue, machines: &[Machine]) -> Option<Self> {
        let accesses = machines
            .iter()
            .flat_map(|machine| accesses_of(program, issue, machine));
        let accesses: Vec<Access> = accesses.collect();
        let first = accesses.first()?;
        let own =
            |a: &&Access| (a.unit.thread, a.unit.lane) == (first.unit.thread, first.unit.lane);
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

/// `.init` lines for address registers. Each register gets a separate base
/// address; the cells of its lanes are adjacent.
fn start_values(program: &Program) -> String {
    let machines = machines_of_guards(program);
    let mut uses: Vec<AddressUse> = Vec::new();
    let mut index_of: HashMap<String, usize> = HashMap::new();
    for (index, placed) in program.instructions.iter().enumerate() {
        let registers = placed.instruction.address_registers(&program.symbols);
        if registers.is_empty() {
            continue;
        }
        let Some(cells) = LaneCells::of(program, program.issue_by_all(index), &machines) else {
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
    // The low half of a 64-bit address is a valid 32-bit address, but two
    // 32-bit addresses are not a 64-bit address.
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

/// Byte offsets of a place in the register file; empty if it is already
/// initialized or does not exist.
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

/// Memory accessed by the instructions.
struct Reached {
    /// Initially unmapped pages of virtual memory, as addresses divided by [`PAGE`].
    pages: BTreeSet<u64>,
    /// End of the accesses to each surface.
    surfaces: BTreeMap<u8, u64>,
    accesses: Vec<Access>,
    /// Initially mapped memory.
    start: Machine,
    /// Remaining virtual memory that may be mapped, in bytes.
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

    /// Issues an instruction, maps missing memory and records what it accesses.
    /// Stores its accesses, including those that still fault.
    fn issue(&mut self, program: &Program, issue: Issue, machine: &mut Machine) {
        self.accesses = accesses_of(program, issue, machine);
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
                    // Mapped memory keeps its contents.
                    let _ = memory.map(page * PAGE, PAGE);
                }
            }
            self.accesses = accesses_of(program, issue, machine);
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

    /// Runs the program, because a returned value may be the address of a later
    /// access. Returns a comment if an instruction still faults.
    fn run(&mut self, program: &Program) -> Option<String> {
        let mut machine = program.start.clone();
        let mut products = 0;
        let mut stepper = Stepper::default();
        for issued in 0..MAX_ISSUES {
            let issue = next_issue(program, &machine)?;
            let instruction = &program.instruction(issue).instruction;
            products += usize::from(instruction.matrix().is_some());
            if products > MAX_PRODUCTS {
                return None;
            }
            self.issue(program, issue, &mut machine);
            let fault = stepper.evaluate(program, issue, issued, &machine);
            if let Some(fault) = fault {
                let text = one_line(&instruction.text(&program.symbols, Style::Assembler));
                let kind = fault.kind.word();
                let Some((_, address)) = fault.place else {
                    return Some(format!("// `{text}` stops the run ({kind}).\n"));
                };
                let why = match self.pages.len() < MAX_PAGES {
                    true => "its address is computed from values that are not in the file",
                    false => "it needs more memory than can be proposed",
                };
                return Some(format!(
                    "// `{text}` still faults ({kind}, address {address:#x}): {why}.\n"
                ));
            }
            stepper.apply(program, issue, &mut machine, &mut NoJournal);
        }
        None
    }

    fn directives(&self, program: &Program) -> String {
        let mut lines = String::new();
        let space = program.symbols.target.facts().virtual_memory;
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

/// Whether mapping memory could make the access valid.
fn lacks_memory(access: &Access) -> bool {
    !access.in_bounds
        && !matches!(
            access.fault,
            Some(FaultKind::Misaligned | FaultKind::AddressSpace)
        )
}

/// Pages that an access touches.
fn pages_of(access: &Access) -> std::ops::RangeInclusive<u64> {
    let last = access.address.saturating_add(u64::from(access.bytes) - 1);
    access.address / PAGE..=last / PAGE
}
