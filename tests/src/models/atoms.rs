//! Runnable programs of ATOM and RED, with their active lanes.

use crate::generate::CORNERS;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::operation::SassOperation;
use lanewise_core::isa::sass::size::Size;
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt::Write as _;

pub fn chips() -> impl Strategy<Value = Chip> {
    select(Chip::ALL.to_vec())
}

#[must_use]
pub fn operations() -> Vec<SassOperation> {
    SassOperation::ALL.to_vec()
}

/// Instruction of a program.
#[derive(Clone, Debug)]
pub struct Line {
    pub operation: SassOperation,
    /// Size supported by the operation and the chip.
    pub size: Size,
    /// `.E`, with addresses beyond 32 bits.
    pub extended: bool,
    /// Without an address register: all lanes access one cell.
    pub absolute: bool,
    /// Offset after the register.
    pub offset: i64,
    /// Guard: predicate, and whether it is negated.
    pub guard: Option<(u8, bool)>,
    /// Ps of the sparse form.
    pub sparse: Option<u8>,
    /// Cell of each lane; few cells, so that lanes conflict.
    pub cells: Vec<u64>,
    /// 0: RZ, 1: a separate register, 2: Rb.
    pub dst: u8,
    /// Whether Rb, or Rc of CAS, is RZ.
    pub zero: bool,
    /// RED instead of ATOM.
    pub is_red: bool,
    /// A lane with an invalid address.
    pub fault: Option<(u32, Wrong)>,
    /// Lane order.
    pub order: Vec<u32>,
}

/// Kind of invalid address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    Misaligned,
    Range,
    /// In the shared-memory window.
    Window,
}

/// Runnable program.
#[derive(Clone, Debug)]
pub struct Run {
    pub chip: Chip,
    /// Helper, killed and uncovered lanes.
    pub idle: [u32; 3],
    /// P0 and P1.
    pub predicates: [u32; 2],
    /// Values of registers and memory, used cyclically.
    pub values: Vec<u64>,
    pub lines: Vec<Line>,
}

/// Corner cases of arithmetic: subnormals, NaNs, infinities, signs.
fn values() -> impl Strategy<Value = u64> {
    prop_oneof![3 => select(&CORNERS[..]), 1 => 0..8_u64, 2 => any::<u64>()]
}

fn lines(chip: Chip) -> impl Strategy<Value = Line> {
    let has = move |size: &Size| {
        *size != Size::F16x2 && *size != Size::F64
            || *size == Size::F16x2 && chip >= Chip::Sm52
            || *size == Size::F64 && chip >= Chip::Sm60
    };
    let pairs: Vec<(SassOperation, Size)> = operations()
        .into_iter()
        .flat_map(|op| op.sizes().iter().copied().filter(has).map(move |s| (op, s)))
        .collect();
    let wrong = select(vec![Wrong::Misaligned, Wrong::Range, Wrong::Window]);
    let order = prop_oneof![
        Just(Vec::new()),
        Just((0..32).collect::<Vec<u32>>()).prop_shuffle(),
    ];
    (
        (select(pairs), any::<bool>(), any::<bool>(), -4..4_i64),
        proptest::option::of((0..2_u8, any::<bool>())),
        proptest::option::weighted(0.3, select(vec![0_u8, 1, 7])),
        proptest::collection::vec(0..5_u64, 32),
        (0..3_u8, any::<bool>(), any::<bool>()),
        proptest::option::weighted(0.06, (0..32_u32, wrong)),
        order,
    )
        .prop_map(
            move |(what, guard, sparse, cells, (dst, zero, is_red), fault, order)| {
                let ((operation, size), extended, absolute, offset) = what;
                let is_red = is_red && operation.code() < 8;
                let sparse = sparse.filter(|_| chip > Chip::Sm50 && !is_red);
                let absolute = absolute && sparse.is_none() && fault.is_none();
                Line {
                    operation,
                    size,
                    extended,
                    absolute,
                    offset: if sparse.is_some() { 0 } else { offset * 16 },
                    guard,
                    sparse,
                    cells,
                    dst: if is_red { 0 } else { dst },
                    zero,
                    is_red,
                    fault,
                    order,
                }
            },
        )
}

/// Strategy for programs of one to `most` instructions.
pub fn runs(most: usize) -> impl Strategy<Value = Run> {
    let masks = || prop_oneof![2 => Just(0_u32), 1 => any::<u32>().prop_map(|m| m & m >> 3)];
    chips().prop_flat_map(move |chip| {
        (
            [masks(), masks(), masks()],
            [any::<u32>(), any::<u32>()],
            proptest::collection::vec(values(), 16),
            proptest::collection::vec(lines(chip), 1..=most),
        )
            .prop_map(move |(idle, predicates, values, lines)| Run {
                chip,
                idle,
                predicates,
                values,
                lines,
            })
    })
}

/// Starts of mapped memory: low, and beyond 32 bits.
pub const STARTS: [u64; 2] = [0x1000, 0x1_0000_1000];

/// Starts of non-resident memory: low, and beyond 32 bits.
pub const SPARSE: [u64; 2] = [0x2000, 0x1_0000_2000];

impl Line {
    /// Cell size, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        u64::from(self.size.width().bytes())
    }

    /// Address of each lane; every fifth cell of a sparse form is not resident.
    #[must_use]
    pub fn addresses(&self) -> Vec<u64> {
        let far = usize::from(self.extended && !self.absolute);
        (0..32_u32)
            .zip(&self.cells)
            .map(|(lane, cell)| {
                if self.absolute {
                    return STARTS[0] + self.cells[0] * self.bytes();
                }
                let start = match self.sparse {
                    Some(_) if *cell == 4 => SPARSE[far],
                    _ => STARTS[far],
                };
                let address = start + cell * self.bytes();
                match self.fault {
                    Some((bad, wrong)) if bad == lane => match wrong {
                        Wrong::Misaligned => address + 1,
                        Wrong::Range => 0x5000,
                        Wrong::Window => 0x0100_0001,
                    },
                    _ => address,
                }
            })
            .collect()
    }
}

impl Run {
    /// Active lanes for the initial values of P0 and P1.
    #[must_use]
    pub fn enabled(&self, line: &Line) -> u32 {
        let [helper, killed, uncovered] = self.idle;
        let guard = match line.guard {
            None => u32::MAX,
            Some((predicate, negated)) => {
                let set = self.predicates[usize::from(predicate)];
                if negated { !set } else { set }
            }
        };
        guard & !(helper | killed | uncovered)
    }

    /// Scenario text. Instruction `n` uses registers from 16 × n: the address in the
    /// first two, Rb and Rc from the fifth, Rd from the ninth.
    #[must_use]
    pub fn text(&self) -> String {
        let [helper, killed, uncovered] = self.idle;
        let mut head = format!(
            ".target sass {}\n.lanes helper={helper:#x} killed={killed:#x} uncovered={uncovered:#x}\n",
            self.chip.name()
        );
        for (start, sparse) in STARTS.into_iter().zip(SPARSE) {
            writeln!(head, ".region global {start:#x} 64\n.sparse {sparse:#x} 64").unwrap();
        }
        for (i, bits) in self.predicates.iter().enumerate() {
            writeln!(head, ".init P{i} = {bits:#x}").unwrap();
        }
        let mut next = self.values.iter().cycle();
        let mut take = |count: usize| {
            let values: Vec<String> = (0..count)
                .map(|_| format!("{:#x}", next.next().unwrap_or(&0)))
                .collect();
            values.join(", ")
        };
        for start in STARTS {
            writeln!(head, ".init global[{start:#x}] : uq = {}", take(8)).unwrap();
        }
        let mut body = String::new();
        for (n, line) in self.lines.iter().enumerate() {
            let r = |i: usize| format!("R{}", 16 * n + i);
            let bases: Vec<String> = line
                .addresses()
                .iter()
                .map(|a| format!("{:#x}", a.wrapping_sub(line.offset.cast_unsigned())))
                .collect();
            writeln!(head, ".init {}:{} = {}", r(0), r(1), bases.join(", ")).unwrap();
            for i in [4, 6, 8] {
                writeln!(head, ".init {}:{} = {}", r(i), r(i + 1), take(32)).unwrap();
            }
            if !line.order.is_empty() {
                let lanes: Vec<String> = line.order.iter().map(u32::to_string).collect();
                writeln!(body, ".order {}", lanes.join(" ")).unwrap();
            }
            body.push_str(&self.line(line, n));
        }
        head + &body
    }

    fn line(&self, line: &Line, n: usize) -> String {
        let r = |i: usize| format!("R{}", 16 * n + i);
        let guard = match line.guard {
            None => String::new(),
            Some((predicate, negated)) => {
                format!("@{}P{predicate} ", if negated { "!" } else { "" })
            }
        };
        let is_cas = line.operation == SassOperation::Cas;
        let wide = line.bytes() == 8;
        let size = match line.size {
            Size::U64 if is_cas => ".64",
            size => size.suffix(self.chip),
        };
        let status = match line.sparse {
            None => String::new(),
            Some(7) => String::from("PT, "),
            Some(predicate) => format!("P{predicate}, "),
        };
        let rb = match line.zero && !is_cas {
            true => String::from("RZ"),
            false => r(4),
        };
        let rc = match (is_cas, line.zero, wide) {
            (false, ..) => String::new(),
            (true, true, _) => String::from(", RZ"),
            (true, false, true) => format!(", {}", r(6)),
            (true, false, false) => format!(", {}", r(5)),
        };
        let rd = match line.dst {
            0 => String::from("RZ"),
            2 if rb != "RZ" => rb.clone(),
            _ => r(8),
        };
        let address = match (line.absolute, line.offset) {
            (true, _) => format!("{:#x}", line.addresses()[0]),
            (false, 0) => r(0),
            (false, offset) if offset < 0 => format!("{} - {}", r(0), -offset),
            (false, offset) => format!("{}+{offset:#x}", r(0)),
        };
        let (name, returned) = match line.is_red {
            true => ("RED", String::new()),
            false => ("ATOM", format!("{status}{rd}, ")),
        };
        format!(
            "{guard}{name}{}.{}{size} {returned}[{address}], {rb}{rc};\n",
            if line.extended { ".E" } else { "" },
            line.operation.name(),
        )
    }
}
