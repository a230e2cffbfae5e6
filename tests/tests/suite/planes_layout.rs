//! Execution reads and writes elements at the locations of the layout: flipping a
//! register bit changes exactly one cell, and flipping a bit of a cell exactly one
//! register bit.

use lanewise_core::isa::planes::{PlaneElement, plane_elements};
use lanewise_core::isa::{Instruction, Spec};
use lanewise_core::machine::SpaceId;
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_core::text::SyntaxPart;
use lanewise_tests::generate::specs_with_suffix;
use lanewise_tests::parse::runnable;

/// Start of the cells, with 16 bytes per lane.
const CELLS: u64 = 0x1_0000;

/// Number of registers of the planes; more than any case needs.
const BYTES: usize = 2048;

/// All instructions that have channels.
fn specs() -> impl Iterator<Item = &'static Spec> {
    specs_with_suffix(SyntaxPart::Channels)
}

fn hex(bytes: &[u8]) -> String {
    let all: Vec<String> = bytes.iter().map(|b| format!("{b:#x}")).collect();
    all.join(", ")
}

struct Case {
    head: String,
    planes: Vec<u8>,
    cells: Vec<u8>,
}

impl Case {
    fn new(spec: &Spec, target: &str, channels: &str, lanes: u8, offset: u32) -> Self {
        let offsets: Vec<String> = (0..lanes)
            .map(|n| (u32::from(n) * 16).to_string())
            .collect();
        let mnemonic = spec.mnemonics[0];
        let head = format!(
            ".target visa {target}\n\
             .decl OFFSETS v_type=G type=uq num_elts=32 align=GRF\n\
             .decl BYTES v_type=G type=ub num_elts={BYTES} align=GRF\n\
             .decl PLANES v_type=G type=ud num_elts={} alias=<BYTES, 0>\n\
             .region svm {CELLS:#x} 512\n\
             .init OFFSETS = {}\n\
             {mnemonic}.{channels} (M1, {lanes}) {CELLS:#x}:uq OFFSETS.0 PLANES.{offset}\n",
            BYTES / 4,
            offsets.join(", ")
        );
        let pattern = |n: usize, factor: usize| u8::try_from(n * factor % 251).unwrap();
        Self {
            head,
            planes: (0..BYTES).map(|n| pattern(n, 7)).collect(),
            cells: (0..512).map(|n| pattern(n, 11)).collect(),
        }
    }

    /// Runs the program and returns the bytes of BYTES and of the cells.
    fn run(&self) -> (Vec<u8>, Vec<u8>) {
        let text = format!(
            "{}.init BYTES = {}\n.init svm[{CELLS:#x}] : ub = {}\n",
            self.head,
            hex(&self.planes),
            hex(&self.cells)
        );
        let program = runnable(&text);
        let start = program.symbols.visa.general(33).unwrap().offset;
        let outcome = run(&program);
        assert!(outcome.fault.is_none());
        let read = |space, at, count| {
            let mut bytes = vec![0; count];
            outcome.machine.space(space).read(at, &mut bytes);
            bytes
        };
        (
            read(SpaceId::registers(0), u64::from(start), BYTES),
            read(SpaceId::VIRTUAL, CELLS, 512),
        )
    }

    fn elements(&self) -> (Instruction, Vec<PlaneElement>) {
        let program = Program::parse(&self.head);
        let placed = program.instructions.first().unwrap();
        let elements = plane_elements(&placed.instruction, &program.symbols);
        (placed.instruction.clone(), elements)
    }
}

/// Bytes that differ.
fn changed(before: &[u8], after: &[u8]) -> Vec<(usize, u8)> {
    let pairs = before.iter().zip(after).enumerate();
    let differ = pairs.filter(|(_, (a, b))| a != b);
    differ.map(|(at, (a, b))| (at, a ^ b)).collect()
}

#[test]
fn flipping_an_element_bit_changes_its_cell() {
    let mut checked = 0;
    for spec in specs() {
        for (target, grf) in [("XEHP", 32_usize), ("PVC", 64)] {
            for channels in ["R", "GA", "RGB", "RGBA"] {
                for (lanes, offset) in [(1, 0), (8, 64), (16, 0), (32, 128)] {
                    let case = Case::new(spec, target, channels, lanes, offset);
                    let (instruction, elements) = case.elements();
                    assert_eq!(elements.len(), channels.len() * usize::from(lanes));
                    let writes_memory = {
                        let mut parts = spec.syntax.operands.iter().map(|o| o.part);
                        !parts.any(|part| part == SyntaxPart::Dst)
                    };
                    let (registers, cells) = case.run();
                    for (n, element) in elements.iter().enumerate().step_by(5) {
                        let in_registers = usize::try_from(offset).unwrap() / grf * grf
                            + usize::from(element.register) * grf
                            + usize::from(element.byte);
                        let in_cells =
                            usize::from(element.lane) * 16 + usize::from(element.channel) * 4;
                        let bit = 1 << (n % 8);
                        let mut other = Case {
                            head: case.head.clone(),
                            planes: case.planes.clone(),
                            cells: case.cells.clone(),
                        };
                        let (at, wanted) = match writes_memory {
                            true => (&mut other.planes[in_registers + n % 4], in_cells),
                            false => (&mut other.cells[in_cells + n % 4], in_registers),
                        };
                        *at ^= bit;
                        let (registers_then, cells_then) = other.run();
                        let differ = match writes_memory {
                            true => changed(&cells, &cells_then),
                            false => changed(&registers, &registers_then),
                        };
                        let text = instruction.spec().name;
                        assert_eq!(
                            differ,
                            [(wanted + n % 4, bit)],
                            "{text} {target} {channels} {lanes} {element:?}"
                        );
                        checked += 1;
                    }
                }
            }
        }
    }
    println!("{checked} bits");
    assert!(checked > 300, "{checked}");
}
