//! Execution reads and writes elements at the locations of the layout, for any start
//! of Src2 within a register: a product computed from the layout equals a run, and
//! flipping a bit of a register changes exactly the element in the layout and the
//! dependent elements of Dst.

use lanewise_core::isa::visa::matrix::dot;
use lanewise_core::isa::visa::matrix::layout::{Index, Layout, MatrixRole};
use lanewise_core::isa::visa::matrix::{Precision, PrecisionPair, Shape, Supply};
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_tests::parse::runnable;
use std::collections::BTreeSet;

/// Instruction with its registers.
struct Case {
    mnemonic: &'static str,
    target: &'static str,
    layout: Layout,
    /// Start of Src2, as a byte offset in its first register.
    src2_start: u8,
}

/// Variables of [`Case::program`] that are not aliases.
const OPERANDS: [(&str, MatrixRole); 4] = [
    ("D", MatrixRole::D),
    ("C", MatrixRole::C),
    ("B", MatrixRole::B),
    ("A", MatrixRole::A),
];

/// Number of registers of each variable; more than any operand needs.
const REGISTERS: u8 = 9;

/// Register contents, by EU and operand.
type Contents = [[Vec<u8>; 4]; 2];

impl Case {
    fn name(&self) -> String {
        let name = |role| self.layout.precision(role).map_or("", Precision::name);
        format!(
            "{}.{}.{}.{}.{}",
            self.mnemonic,
            name(MatrixRole::B),
            name(MatrixRole::A),
            self.layout.sd(),
            self.layout.rc()
        )
    }

    fn is_float(&self) -> bool {
        self.layout
            .precision(MatrixRole::A)
            .is_some_and(Precision::is_float)
    }

    fn bytes(&self) -> usize {
        usize::from(REGISTERS) * usize::from(self.layout.register_bytes())
    }

    /// Program that runs the instruction on both EUs. A is an alias of a byte variable,
    /// so that it can start at any byte.
    fn program(&self) -> Program {
        let sum = if self.is_float() { "f" } else { "d" };
        let (bytes, start) = (self.bytes(), self.src2_start);
        let count = bytes / 4;
        let text = format!(
            ".target visa {}\n.threads 2\n\
             .decl D v_type=G type={sum} num_elts={count} align=GRF\n\
             .decl C v_type=G type={sum} num_elts={count} align=GRF\n\
             .decl B v_type=G type=ud num_elts={count} align=GRF\n\
             .decl A v_type=G type=ub num_elts={bytes} align=GRF\n\
             .decl Src2 v_type=G type=ud num_elts={} alias=<A, {start}>\n\
             {} (M1, {}) D.0 C.0 B.0 Src2(0,0)\n",
            self.target,
            count - usize::from(start).div_ceil(4),
            self.name(),
            self.layout.channels(),
        );
        runnable(&text)
    }

    /// Runs the program and returns D of both EUs.
    fn run(&self, contents: &Contents) -> [Vec<u32>; 2] {
        let mut program = self.program();
        for (eu, operands) in (0..).zip(contents) {
            for ((name, _), bytes) in OPERANDS.iter().zip(operands) {
                let start = variable_start(&program, name);
                let space = program.start.space_mut(SpaceId::registers(eu));
                space.expect("a register file").write(start, bytes);
            }
        }
        let machine: Machine = run(&program).machine;
        [0, 1].map(|eu| {
            self.layout
                .elements(MatrixRole::D)
                .map(|index| {
                    let at = self.layout.location(MatrixRole::D, eu, index).unwrap();
                    let register = u64::from(at.register) * u64::from(self.layout.register_bytes());
                    let start = variable_start(&program, "D");
                    let address = start + register + u64::from(at.byte());
                    let space = SpaceId::registers(eu);
                    u32::try_from(machine.load(space, address, 4).unwrap()).unwrap()
                })
                .collect()
        })
    }

    /// Bits of an element in the registers.
    fn element(&self, contents: &Contents, role: MatrixRole, eu: u8, index: Index) -> u32 {
        let at = self.layout.location(role, eu, index).unwrap();
        let operand = OPERANDS.iter().position(|(_, r)| *r == role).unwrap();
        let bytes = &contents[usize::from(at.eu)][operand];
        let size = usize::from(self.layout.register_bytes()) * 8;
        (0..usize::from(at.bits)).fold(0, |bits, i| {
            let bit = usize::from(at.register) * size + usize::from(at.first_bit) + i;
            bits | u32::from(bytes[bit / 8] >> (bit % 8) & 1) << i
        })
    }

    /// All elements of the matrices that are read.
    fn elements(&self, contents: &Contents) -> Vec<u32> {
        let mut all = Vec::new();
        for eu in 0..2 {
            for role in [MatrixRole::A, MatrixRole::B, MatrixRole::C] {
                let elements = self.layout.elements(role);
                all.extend(elements.map(|index| self.element(contents, role, eu, index)));
            }
        }
        all
    }

    /// Computes D = C + A × B from the elements at their locations in the layout.
    fn product(&self, contents: &Contents) -> [Vec<u32>; 2] {
        [0, 1].map(|eu| {
            let value = |role, row, column| {
                let bits = self.element(contents, role, eu, Index { row, column });
                dot::value(self.layout.precision(role).unwrap(), bits)
            };
            let sum = |index: Index| {
                let c = self.element(contents, MatrixRole::C, eu, index);
                (0..self.layout.k()).fold(c, |sum, k| {
                    let a = value(MatrixRole::A, index.row, k);
                    let product = a * value(MatrixRole::B, k, index.column);
                    match self.is_float() {
                        true => bits(f32::from_bits(sum) + product),
                        false => sum.wrapping_add_signed(product as i32),
                    }
                })
            };
            self.layout.elements(MatrixRole::D).map(sum).collect()
        })
    }
}

/// Bits of a sum, with the canonical NaN.
fn bits(sum: f32) -> u32 {
    if sum.is_nan() {
        0x7fc0_0000
    } else {
        sum.to_bits()
    }
}

fn variable_start(program: &Program, name: &str) -> u64 {
    let place = lanewise_core::program::ElementRange::named(program, &format!("EU0.{name}"));
    place.expect("a declared variable").address
}

/// Deterministic xorshift generator.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// Registers of small finite values.
    fn contents(&mut self, case: &Case) -> Contents {
        let precision = case.layout.precision(MatrixRole::A);
        std::array::from_fn(|_| {
            std::array::from_fn(|operand| {
                let source = operand >= 2;
                (0..case.bytes() / 4)
                    .flat_map(|_| {
                        let bits = self.next();
                        let bits = match precision {
                            // Exponents near that of 1, so that no addend is absorbed.
                            Some(Precision::Bf) if source => 0x3f00_3f00 | bits & 0x80ff_80ff,
                            Some(Precision::Hf) if source => 0x3800_3800 | bits & 0x87ff_87ff,
                            Some(p) if p.is_float() => 0x3f00_0000 | bits & 0x80ff_f000,
                            _ => bits,
                        };
                        bits.to_le_bytes()
                    })
                    .collect()
            })
        })
    }
}

const PRECISIONS: [Precision; 8] = Precision::BEFORE_TF32;

/// Instructions for a shape: DPASW, and DPAS with 32-byte and 64-byte registers.
const KINDS: [(&str, &str, u8); 3] = [
    ("dpasw", "XEHP", 8),
    ("dpas", "XEHP", 8),
    ("dpas", "PVC", 16),
];

/// Every runnable DPASW and DPAS, with Src2 at the start of a register and at another
/// byte; for each repeat count, all start bytes occur.
fn cases() -> Vec<Case> {
    let pairs = || {
        let all = PRECISIONS.into_iter();
        all.flat_map(|w| PRECISIONS.map(|a| (w, a)))
    };
    let mut all = Vec::new();
    for ((mnemonic, target, channels), rc) in KINDS
        .into_iter()
        .flat_map(|kind| (1..=8).map(move |rc| (kind, rc)))
    {
        let mut start = 0;
        for (sd, (w, a)) in [1, 2, 4, 8]
            .into_iter()
            .flat_map(|sd| pairs().map(move |pair| (sd, pair)))
        {
            let layout = match mnemonic {
                "dpasw" => Supply::of(w, a, sd, rc).and_then(|supply| supply.layout(false)),
                _ => Shape::new(channels, w, a, sd, rc).map(Layout::new),
            };
            let Some(layout) = layout else { continue };
            // Odd stride, so that each byte occurs before one repeats.
            start = (start + 11) % layout.register_bytes();
            all.extend([0, start].map(|src2_start| Case {
                mnemonic,
                target,
                layout: layout.src2_at(src2_start).expect("a byte of a register"),
                src2_start,
            }));
        }
    }
    all
}

#[test]
fn cases_start_at_every_byte() {
    let cases = cases();
    for ((mnemonic, target, channels), rc) in KINDS
        .into_iter()
        .flat_map(|kind| (1..=8).map(move |rc| (kind, rc)))
    {
        let own = cases.iter().filter(|case| {
            (case.mnemonic, case.target) == (mnemonic, target) && case.layout.rc() == rc
        });
        let starts: BTreeSet<u8> = own.map(|case| case.src2_start).collect();
        let all = (0..4 * channels).collect();
        assert_eq!(starts, all, "{mnemonic} {target} RC {rc}");
    }
}

#[test]
fn run_uses_the_elements_of_the_layout() {
    let mut numbers = Numbers(0x2545_f491);
    let cases = cases();
    assert!(cases.len() > 6000, "{}", cases.len());
    for case in cases {
        let contents = numbers.contents(&case);
        assert_eq!(
            case.run(&contents),
            case.product(&contents),
            "{}",
            case.name()
        );
    }
}

#[test]
fn flipping_a_bit_changes_one_element_and_its_sums() {
    let mut numbers = Numbers(0x9e37_79b9);
    let (mut read, mut unread) = (0, 0);
    for case in cases().iter().filter(|case| case.layout.sd() == 8) {
        let contents = numbers.contents(case);
        let (elements, result) = (case.elements(&contents), case.run(&contents));
        for _ in 0..6 {
            let eu = numbers.next() as u8 % 2;
            // C, B and A are read; Dst is not.
            let operand = 1 + numbers.next() as usize % 3;
            let role = OPERANDS[operand].1;
            let register = numbers.next() as u8 % REGISTERS;
            let size = u16::from(case.layout.register_bytes()) * 8;
            let bit = numbers.next() as u16 % size;
            let mut changed = contents.clone();
            let at = usize::from(register) * usize::from(size) + usize::from(bit);
            changed[usize::from(eu)][operand][at / 8] ^= 1 << (at % 8);

            let named = case.layout.element(role, eu, register, bit);
            let now = case.elements(&changed);
            let different = elements.iter().zip(&now).filter(|(a, b)| a != b).count();
            // Both EUs read the elements of a shared Src2.
            let shared = role == MatrixRole::A && case.layout.supplied().is_some();
            let readers = if shared { 2 } else { 1 };
            let what = format!("{} EU{eu} {role:?} R{register} bit {bit}", case.name());
            assert_eq!(different, named.map_or(0, |_| readers), "{what}");

            let run = case.run(&changed);
            assert_eq!(run, case.product(&changed), "{what}");
            let Some(index) = named else {
                assert_eq!(run, result, "{what} is not read");
                unread += 1;
                continue;
            };
            read += 1;
            let (rows, columns) = case.layout.feeds(role, index);
            for reader in 0..2 {
                for (n, d) in case.layout.elements(MatrixRole::D).enumerate() {
                    let fed = rows.contains(&d.row) && columns.contains(&d.column);
                    let differs = run[reader][n] != result[reader][n];
                    if differs {
                        assert!(
                            fed && (shared || reader == usize::from(eu)),
                            "{what}: D[{}][{}]",
                            d.row,
                            d.column
                        );
                    }
                }
            }
        }
    }
    println!("{read} bits are read, {unread} are not");
    assert!(read > 500 && unread > 500, "{read} {unread}");
}

const INTEGERS: [Precision; 6] = [
    Precision::U2,
    Precision::S2,
    Precision::U4,
    Precision::S4,
    Precision::U8,
    Precision::S8,
];

/// Layouts with a depth of 8 and all repeat counts: unshared, and shared by the formula
/// and by the document's table.
fn layouts() -> Vec<Layout> {
    let floats = [Precision::Bf, Precision::Hf, Precision::Tf32].map(|p| (p, p));
    let integers = INTEGERS.into_iter().flat_map(|w| INTEGERS.map(|a| (w, a)));
    let mut all = Vec::new();
    for (w, a) in integers.chain(floats) {
        for rc in 1..=8 {
            for channels in [8, 16] {
                all.extend(Shape::new(channels, w, a, 8, rc).map(Layout::new));
            }
            if let Some(supply) = Supply::of(w, a, 8, rc) {
                all.extend(supply.layout(false));
                all.extend(supply.layout(true));
            }
        }
    }
    all
}

/// The registers read for an operand are exactly those with its elements, for any start
/// of Src2.
#[test]
fn register_counts_match_the_elements() {
    for layout in layouts() {
        let starts = [0, 1, 4, 8, 16, 23, 31, 32, 63].into_iter();
        let layouts = starts.filter_map(|start| layout.src2_at(start));
        for (layout, role) in layouts.flat_map(|layout| MatrixRole::ALL.map(|role| (layout, role)))
        {
            let places: Vec<_> = layout
                .elements(role)
                .flat_map(|index| [0, 1].map(|eu| layout.location(role, eu, index)))
                .flatten()
                .collect();
            for eu in 0..2 {
                let own = places.iter().filter(|place| place.eu == eu);
                let parts =
                    own.flat_map(|place| layout.in_registers(*place, u16::from(place.bits)));
                let count = parts.map(|part| part.register + 1).max().unwrap_or(0);
                assert_eq!(
                    layout.registers(role, eu),
                    count,
                    "{layout:?} {role:?} EU{eu}"
                );
            }
        }
        // Src2 at the start of a register: first bit that an EU does not supply.
        for (eu, count) in (0..).zip(layout.supplied().into_iter().flatten()) {
            assert_eq!(
                layout.element(MatrixRole::A, eu, count, 0),
                None,
                "{layout:?} EU{eu}"
            );
        }
    }
}

/// Src2 starts in its first register; sums and Dst elements have 16 or 32 bits.
#[test]
fn layouts_match_instructions() {
    for layout in layouts() {
        for byte in 0..=u8::MAX {
            let fits = byte < layout.register_bytes();
            assert_eq!(layout.src2_at(byte).is_some(), fits, "{layout:?} {byte}");
        }
        for src0 in [0, 8, 16, 32, 64] {
            for dst in [0, 8, 16, 32, 64] {
                let sums = layout.sums(src0, dst);
                assert_eq!(
                    sums.is_some(),
                    [src0, dst].iter().all(|b| [16, 32].contains(b))
                );
                let Some(sums) = sums else { continue };
                let bits = [MatrixRole::C, MatrixRole::D].map(|role| sums.bits(role));
                assert_eq!(bits, [src0, dst]);
            }
        }
    }
}

/// Column headings of DPASW's table name the pairs of precisions in the column.
#[test]
fn table_columns_name_their_precisions() {
    let floats = [Precision::Bf, Precision::Hf].map(|p| (p, p));
    let integers = INTEGERS.into_iter().flat_map(|w| INTEGERS.map(|a| (w, a)));
    for (w, a) in integers.chain(floats) {
        let pair = PrecisionPair::new(w, a).expect("a legal pair");
        let named = match pair.is_float() {
            true => a.name().to_owned(),
            // All pairs with 8-bit products are in one column.
            false if a.bits() == 8 => String::from("8-bit & OPS_PER_CHAN=4"),
            false => format!("{}-bit & OPS_PER_CHAN={}", a.bits(), pair.ops()),
        };
        let heading = pair.column().heading();
        assert!(heading.contains(&named), "{named}: {heading}");
    }
}

/// Matrices have distinct names. In D = C + A × B, sums run over the columns of A and
/// the rows of B.
#[test]
fn matrices_have_distinct_names() {
    let names = MatrixRole::ALL.map(MatrixRole::name);
    let operands = MatrixRole::ALL.map(MatrixRole::operand);
    assert_eq!(names.concat(), "ABCD");
    assert_eq!(BTreeSet::from(operands).len(), operands.len());
    assert!(operands.iter().all(|name| !name.is_empty()));

    let [a, b, c, d] = MatrixRole::ALL.map(MatrixRole::axes);
    assert_eq!(a[1], b[0]);
    assert_eq!([a[0], b[1]], d);
    assert_eq!(c, d);
    assert_eq!(BTreeSet::from([a[0], a[1], b[1]]).len(), 3);
}

/// The layout of a pair that shares Src2 differs from that of separate EUs.
#[test]
fn unshared_layout_is_not_shared() {
    let shape = Shape::new(8, Precision::S8, Precision::S8, 8, 5).expect("a shape");
    let own = Layout::new(shape);
    let shared = own.shared([3, 2]);
    assert_eq!(shared.supplied(), Some([3, 2]));
    assert_eq!(shared.unshared().supplied(), None);
    assert_eq!(shared.unshared(), own);
}

/// A matrix starts in the register of its variable; the null variable does not have
/// one.
#[test]
fn matrices_start_at_their_variables() {
    let program = runnable(
        ".decl BEFORE v_type=G type=ud num_elts=24 align=GRF\n\
         .decl D v_type=G type=d num_elts=16 align=GRF\n\
         .decl B v_type=G type=ud num_elts=64 align=GRF\n\
         .decl A v_type=G type=ud num_elts=64 align=GRF\n\
         dpas.s8.s8.8.1 (M1, 8) D.32 %null.0 B.0 A(2,0)\n",
    );
    let instruction = &program.instructions[0].instruction;
    let matrix = instruction.matrix().expect("a product");
    let first = MatrixRole::ALL.map(|role| matrix.first_register(role, &program.symbols));
    // BEFORE has r0 to r2, D r3 and r4, B r5 to r12.
    assert_eq!(first, [Some(15), Some(5), None, Some(4)]);
}
