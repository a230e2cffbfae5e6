//! Runnable scatters and gathers, with the effects defined by the documents.

use crate::models::atomics::SVM_START;
use proptest::prelude::*;
use std::fmt::Write as _;

/// Scatter or gather in a program.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// Whether it is a gather, which reads its cells into `src_n`.
    pub gathers: bool,
    /// Number of lanes.
    pub lanes: u32,
    /// Mask control M1 to M8, as 0 to 7.
    pub mask: u32,
    /// Enabled channels, R in bit 0.
    pub channels: u32,
    /// 0: a register, 1: a constant, 2: through an address variable.
    pub address: u8,
    /// Amount moved from the address to every offset.
    pub shift: u64,
    /// Dword index of each lane's cell; few cells, so that lanes conflict.
    pub starts: Vec<u64>,
    /// A misaligned lane.
    pub fault: Option<u32>,
    /// Order of lanes, each with a channel or for all channels.
    pub order: Vec<(u32, Option<u32>)>,
}

/// Strategy for runnable scatters and gathers.
pub fn scatters() -> impl Strategy<Value = Scatter> {
    let cells = proptest::collection::vec(0..13_u64, 32);
    let fault = prop_oneof![12 => Just(None), 1 => (0..32_u32).prop_map(Some)];
    let name = (
        0..32_u32,
        prop_oneof![Just(None), (0..4_u32).prop_map(Some)],
    );
    let order = prop_oneof![
        Just(Vec::new()),
        proptest::collection::vec(name, 1..20).prop_map(|mut symbols| {
            let mut seen = std::collections::BTreeSet::new();
            symbols.retain(|name| seen.insert(*name));
            symbols
        }),
    ];
    let shift = prop_oneof![Just(0), any::<u64>().prop_map(|s| s & !3)];
    (
        (0..6_u32, 0..8_u32, 1..16_u32, 0..3_u8, any::<bool>()),
        (shift, cells, fault, order),
    )
        .prop_map(|((size, mask, channels, address, gathers), place)| {
            let (shift, cells, fault, order) = place;
            let lanes = 1 << size;
            let step = (lanes / 4).max(1);
            Scatter {
                gathers,
                lanes,
                mask: mask / step * step % 8,
                channels,
                address,
                shift,
                starts: cells,
                fault,
                order,
            }
        })
}

/// Access of a lane for one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub eu: u8,
    pub channel: u32,
    pub lane: u32,
    /// Address of the cell.
    pub address: u64,
    /// Element of src or dst.
    pub element: usize,
}

impl Scatter {
    /// Channel letters, such as `.RGA`.
    #[must_use]
    pub fn letters(&self) -> String {
        let letters = "RGBA".chars().zip(0..);
        let enabled = letters.filter(|(_, c)| self.channels >> c & 1 == 1);
        enabled.map(|(letter, _)| letter).collect()
    }

    fn base(&self) -> u64 {
        SVM_START.wrapping_sub(self.shift)
    }

    fn offset(&self, lane: u32) -> u64 {
        let bad = u64::from(self.fault == Some(lane));
        (self.starts[lane as usize] * 4 + bad).wrapping_add(self.shift)
    }

    /// Declarations with initial values, and the instruction line. Variables are
    /// `base_n`, `offs_n` and `src_n`, with 128 random elements.
    #[must_use]
    pub fn text(&self, n: usize) -> (String, String) {
        let base = self.base();
        let offsets: Vec<String> = (0..self.lanes)
            .map(|lane| format!("{:#x}", self.offset(lane)))
            .collect();
        let mut head = format!(
            ".decl base_{n} v_type=G type=uq num_elts=8 align=GRF\n\
             .init base_{n} = 0, 0, 0, {base:#x}, {base:#x}\n\
             .decl offs_{n} v_type=G type=uq num_elts=32 align=GRF\n\
             .init offs_{n} = {}\n\
             .decl src_{n} v_type=G type=ud num_elts=128 align=GRF\n\
             .init src_{n} = random({n})\n",
            offsets.join(", ")
        );
        let address = match self.address {
            0 => format!("base_{n}(0,3)<0;1,0>"),
            1 => format!("{base:#x}:uq"),
            _ => {
                writeln!(
                    head,
                    ".decl A_{n} v_type=A num_elts=2\n.init A_{n} = &base_{n}, &base_{n} + 16"
                )
                .unwrap();
                format!("r[A_{n}(1),16]<0;1,0>:uq")
            }
        };
        let mut line = String::new();
        if !self.order.is_empty() {
            let symbols: Vec<String> = self.order.iter().map(name_text).collect();
            writeln!(line, ".order {}", symbols.join(" ")).unwrap();
        }
        writeln!(
            line,
            "svm_{}4scaled.{} (M{}, {}) {address} offs_{n}.0 src_{n}.0",
            if self.gathers { "gather" } else { "scatter" },
            self.letters(),
            self.mask + 1,
            self.lanes
        )
        .unwrap();
        (head, line)
    }

    /// Accesses of the document's loop with these execution masks, in `.order`;
    /// registers have `grf` bytes.
    #[must_use]
    pub fn cells(&self, masks: &[u32], grf: u32) -> Vec<Cell> {
        let mut all = Vec::new();
        for (eu, mask) in (0..).zip(masks) {
            let mut ch_pos = 0;
            for channel in 0..4 {
                if self.channels >> channel & 1 == 0 {
                    continue;
                }
                for lane in 0..self.lanes {
                    if mask >> (self.mask * 4 + lane) & 1 == 0 {
                        continue;
                    }
                    let ch_start = ch_pos * self.lanes.max(grf / 4);
                    all.push(Cell {
                        eu,
                        channel,
                        lane,
                        address: self
                            .base()
                            .wrapping_add(self.offset(lane))
                            .wrapping_add(u64::from(channel) * 4),
                        element: (ch_start + lane) as usize,
                    });
                }
                ch_pos += 1;
            }
        }
        // Names refer to EU0; a name with a channel takes precedence.
        all.sort_by_key(|w| {
            let place = |name| self.order.iter().position(|n| *n == name);
            let own = place((w.lane, Some(w.channel))).or(place((w.lane, None)));
            own.filter(|_| w.eu == 0).unwrap_or(usize::MAX)
        });
        all
    }
}

fn name_text((lane, channel): &(u32, Option<u32>)) -> String {
    match channel {
        None => lane.to_string(),
        Some(channel) => format!("{lane}.{}", &"RGBA"[*channel as usize..][..1]),
    }
}
