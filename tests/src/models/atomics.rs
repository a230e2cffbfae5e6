//! Runnable programs of vISA atomics, scatters and gathers, with their active lanes
//! computed by the algorithm of the document.

use crate::generate::CORNERS;
use crate::models::planes::{Scatter, scatters};
use lanewise_core::isa::visa::execution::Combine;
use lanewise_core::isa::visa::operation::{Numbers, SourceCount, VisaOperation};
use lanewise_core::isa::visa::platform::Platform;
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt::Write as _;

/// Platforms with each register size.
pub fn platforms() -> impl Strategy<Value = Platform> {
    select(vec![Platform::Xehp, Platform::Pvc])
}

fn combines() -> impl Strategy<Value = Combine> {
    select(vec![Combine::None, Combine::Any, Combine::All])
}

/// Memory that an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Slm,
    /// The buffer T6.
    Buffer,
    Stateless,
    Svm,
}

/// Instruction of a program.
#[derive(Clone, Debug)]
pub struct Line {
    pub memory: Memory,
    pub operation: VisaOperation,
    /// 16, 32 or 64 bits.
    pub width: u32,
    /// Number of lanes.
    pub lanes: u32,
    /// Mask control M1 to M8, as 0 to 7.
    pub mask: u32,
    /// NoMask.
    pub no_mask: bool,
    /// None, per lane, any, all; inverse.
    pub predicate: Option<(Combine, bool)>,
    /// Cell of each lane, in units of the width; few cells, so that lanes conflict.
    pub cells: Vec<u64>,
    /// Whether an operand starts in the last registers of its variable.
    pub at_end: bool,
    /// 0: no dst, 1: a separate variable, 2: the variable of src0.
    pub dst: u8,
    /// A lane with a misaligned or unmapped address.
    pub fault: Option<u32>,
    /// Lane order.
    pub order: Vec<u32>,
}

/// Runnable program.
#[derive(Clone, Debug)]
pub struct Run {
    /// XEHP or PVC.
    pub platform: Platform,
    /// 1 or 2.
    pub threads: u8,
    /// Execution masks of both EUs.
    pub masks: [u32; 2],
    /// Predicate P2.
    pub predicate: u32,
    /// Values of operands and memory, used cyclically.
    pub values: Vec<u64>,
    pub lines: Vec<Line>,
    /// Scatters after the atomics.
    pub scatters: Vec<Scatter>,
}

/// Corner cases of arithmetic, and any number.
fn values() -> impl Strategy<Value = u64> {
    prop_oneof![3 => select(&CORNERS[..]), 2 => any::<u64>()]
}

fn masks() -> impl Strategy<Value = u32> {
    prop_oneof![2 => Just(u32::MAX), 3 => any::<u32>(), 1 => Just(0)]
}

fn permutation() -> impl Strategy<Value = Vec<u32>> {
    prop_oneof![
        Just(Vec::new()),
        Just((0..32).collect::<Vec<u32>>()).prop_shuffle(),
    ]
}

fn lines() -> impl Strategy<Value = Line> {
    let memory = select(vec![
        Memory::Slm,
        Memory::Buffer,
        Memory::Stateless,
        Memory::Svm,
    ]);
    let predicate = prop_oneof![Just(None), (combines(), any::<bool>()).prop_map(Some),];
    let cells = proptest::collection::vec(prop_oneof![8 => 0..4_u64, 1 => 0..40_u64], 32);
    let fault = prop_oneof![24 => Just(None), 1 => (0..32_u32).prop_map(Some)];
    (
        (memory, select(VisaOperation::ALL), 0..3_usize, 0..6_u32),
        (0..8_u32, any::<bool>(), predicate),
        (cells, any::<bool>(), 0..3_u8, fault, permutation()),
    )
        .prop_map(|(what, who, place)| {
            let (memory, operation, width, size) = what;
            let (mask, no_mask, predicate) = who;
            let (cells, at_end, dst, fault, order) = place;
            let is_svm = memory == Memory::Svm;
            let lanes = 1 << if is_svm { size.min(3) } else { size };
            let may_be_wide = is_svm && operation.numbers() != Numbers::Float;
            let width = match (width, may_be_wide) {
                (0, _) => 16,
                (1, true) => 64,
                _ => 32,
            };
            // The mask offset must be a multiple of the execution size.
            let mask = mask / (lanes / 4).max(1) * (lanes / 4).max(1) % 8;
            Line {
                memory,
                operation,
                width,
                lanes,
                mask,
                no_mask,
                predicate,
                cells,
                at_end,
                dst,
                fault,
                order,
            }
        })
}

/// Programs of one to `most` atomics, and fewer scatters.
pub fn runs(most: usize) -> impl Strategy<Value = Run> {
    (
        platforms(),
        1..3_u8,
        [masks(), masks()],
        masks(),
        proptest::collection::vec(values(), 16),
        proptest::collection::vec(lines(), 1..=most),
        proptest::collection::vec(scatters(), 0..most),
    )
        .prop_map(
            |(platform, threads, masks, predicate, values, lines, scatters)| Run {
                platform,
                threads,
                masks,
                predicate,
                values,
                lines,
                scatters,
            },
        )
}

/// Start of mapped virtual memory.
pub const SVM_START: u64 = 0x1000;

impl Line {
    /// Cell size, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        u64::from(self.width / 8)
    }

    /// Address of each lane.
    #[must_use]
    pub fn addresses(&self) -> Vec<u64> {
        let lanes = 0..self.lanes as usize;
        let start = if self.memory == Memory::Svm {
            SVM_START
        } else {
            0
        };
        lanes
            .map(|lane| {
                // Stay in bounds, because virtual addresses beyond the end fault.
                let cell = match self.memory {
                    Memory::Svm => self.cells[lane] % 4,
                    _ => self.cells[lane],
                };
                let bad = self.fault == u32::try_from(lane).ok();
                start + cell * self.bytes() + u64::from(bad)
            })
            .collect()
    }

    fn ty(&self) -> &'static str {
        match (self.operation.numbers(), self.width) {
            (Numbers::Unsigned, 64) => "uq",
            (Numbers::Unsigned, _) => "ud",
            (Numbers::Signed, 64) => "q",
            (Numbers::Signed, _) => "d",
            (Numbers::Float, _) => "f",
        }
    }
}

impl Run {
    /// Active lanes on an EU: an independent implementation of the document's
    /// algorithm.
    #[must_use]
    pub fn enabled(&self, line: &Line, eu: usize) -> Vec<bool> {
        let bit = |word: u32, lane: u32| word >> (line.mask * 4 + lane) & 1 == 1;
        let lanes = 0..line.lanes;
        let any = lanes.clone().any(|l| bit(self.predicate, l));
        let all = lanes.clone().all(|l| bit(self.predicate, l));
        lanes
            .map(|lane| {
                let dispatched = line.no_mask || bit(self.masks[eu], lane);
                let passes = line.predicate.is_none_or(|(combine, inverse)| {
                    let value = match combine {
                        Combine::Any => any,
                        Combine::All => all,
                        _ => bit(self.predicate, lane),
                    };
                    value != inverse
                });
                dispatched && passes
            })
            .collect()
    }

    /// Scenario text. Instruction `n` uses the variables `addr_n`, `src0_n`, `src1_n`
    /// and `dst_n`.
    #[must_use]
    pub fn text(&self) -> String {
        let grf = u32::from(self.platform.grf_bytes());
        let mut head = format!(
            ".target visa {}\n.threads {}\n.decl P2 v_type=P num_elts=32\n.decl T6 v_type=T\n.slm 64\n\
             .surface T6 48\n.region svm 0 64\n.region svm {SVM_START:#x} 64\n\
             .init P2 = {:#x}\n.init EU0.em = {:#x}\n",
            self.platform.name(),
            self.threads,
            self.predicate,
            self.masks[0],
        );
        if self.threads == 2 {
            writeln!(head, ".init EU1.em = {:#x}", self.masks[1]).unwrap();
        }
        let mut next = self.values.iter().cycle();
        let mut take = |count: usize, bits: u32| {
            let mask = if bits == 64 {
                u64::MAX
            } else {
                (1 << bits) - 1
            };
            let values: Vec<String> = (0..count)
                .map(|_| format!("{:#x}", next.next().unwrap_or(&0) & mask))
                .collect();
            values.join(", ")
        };
        for place in ["slm[0]", "T6[0]", "svm[0]", &format!("svm[{SVM_START}]")] {
            writeln!(head, ".init {place} : uq = {}", take(6, 64)).unwrap();
        }
        let mut body = String::new();
        for (n, line) in self.lines.iter().enumerate() {
            let element = (line.width / 8).max(4);
            let address_element = if line.memory == Memory::Svm { 8 } else { 4 };
            // The last registers of a 256-byte variable.
            let start = |element: u32| {
                let used = (line.lanes * element).next_multiple_of(grf);
                if line.at_end { 256 - used } else { 0 }
            };
            let mut variable = |name: &str, ty: &str, element: u32, values: String| {
                let count = 256 / element;
                writeln!(
                    head,
                    ".decl {name}_{n} v_type=G type={ty} num_elts={count} align=GRF\n\
                     .init {name}_{n} = {values}"
                )
                .unwrap();
                let offset = start(element);
                format!("{name}_{n}.{offset}")
            };
            let address_type = if address_element == 8 { "uq" } else { "ud" };
            let skipped = (start(address_element) / address_element) as usize;
            let addresses: Vec<String> = std::iter::repeat_n(0, skipped)
                .chain(line.addresses())
                .map(|a| format!("{a:#x}"))
                .collect();
            let address = variable("addr", address_type, address_element, addresses.join(", "));
            let count = (256 / element) as usize;
            let mut data = |name: &str| {
                let values = take(count, element * 8);
                variable(name, line.ty(), element, values)
            };
            let null = || "V0".to_owned();
            let operands = line.operation.operands();
            let src0 = if operands == SourceCount::None {
                null()
            } else {
                data("src0")
            };
            let src1 = if operands == SourceCount::Two {
                data("src1")
            } else {
                null()
            };
            let dst = match line.dst {
                0 => null(),
                2 if operands != SourceCount::None => src0.clone(),
                _ => data("dst"),
            };
            if !line.order.is_empty() {
                let lanes: Vec<String> = line
                    .order
                    .iter()
                    .filter(|l| **l < line.lanes)
                    .map(u32::to_string)
                    .collect();
                writeln!(body, ".order {}", lanes.join(" ")).unwrap();
            }
            if let Some((combine, inverse)) = line.predicate {
                let not = if inverse { "!" } else { "" };
                let how = match combine {
                    Combine::Any => ".any",
                    Combine::All => ".all",
                    _ => "",
                };
                write!(body, "({not}P2{how}) ").unwrap();
            }
            let operation = line.operation.assembler_name();
            let width = match line.width {
                32 => String::new(),
                width => format!(".{width}"),
            };
            let masks = if line.no_mask { "_NM" } else { "" };
            let size = format!("(M{}{masks}, {})", line.mask + 1, line.lanes);
            let surface = match line.memory {
                Memory::Slm => "%slm",
                Memory::Buffer => "T6",
                Memory::Stateless => "%scratch",
                Memory::Svm => "",
            };
            if line.memory == Memory::Svm {
                writeln!(
                    body,
                    "svm_atomic.{operation}{width} {size} {address} {dst} {src0} {src1}"
                )
            } else {
                writeln!(
                    body,
                    "dword_atomic.{operation}{width} {size} {surface} {address} {src0} {src1} {dst}"
                )
            }
            .unwrap();
        }
        for (n, scatter) in self.scatters.iter().enumerate() {
            let (declared, line) = scatter.text(n);
            head.push_str(&declared);
            body.push_str(&line);
        }
        head + &body
    }
}
