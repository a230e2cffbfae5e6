//! Work-items of a launch, and the channels that execute them.

use super::launch::{Launch, Sizes};
use super::{Program, ProgramInstruction};
use crate::isa::LaunchWords;
use crate::text::{capitalized, counted};
use alloc::format;
use alloc::string::{String, ToString};

/// A work-item by its IDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkItem {
    pub global: Sizes,
    pub local: Sizes,
}

/// The channel of a thread of a work-group that executes a work-item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemPlace {
    /// Index of the work-group.
    pub group: u32,
    pub thread: u8,
    pub channel: u8,
}

impl ProgramInstruction {
    /// Number of the first lane: in a launch, lanes have the numbers of their thread.
    #[must_use]
    pub fn first_lane(&self, program: &Program) -> u8 {
        match program.launch.is_some() && !self.instruction.is_block() {
            true => self.instruction.first_channel(),
            false => 0,
        }
    }

    /// The channels that the elements of the destination's variable belong to, if there is one
    /// element or vector for each: the first, and their number.
    #[must_use]
    pub fn channels_of(&self, elements: u32, simd: u8) -> Option<(u8, u8)> {
        let lanes = self.instruction.lanes();
        let has_each = |count: u8| count > 1 && elements.is_multiple_of(count.into());
        let destination = self.instruction.destination_variable();
        let is_spread = destination.is_some_and(|(_, is_dense)| !is_dense);
        match lanes {
            0 | 1 => None,
            _ if is_spread => None,
            _ if has_each(simd) => Some((0, simd)),
            _ if lanes < simd && has_each(lanes) => Some((self.instruction.first_channel(), lanes)),
            _ => None,
        }
    }

    /// Whether its lanes are not work-items, because what it does is for all active channels:
    /// it has one lane, moves a block, or is compiled code without a mask.
    #[must_use]
    pub fn is_uniform(&self, program: &Program) -> bool {
        let instruction = &self.instruction;
        let is_compiled = program.symbols.visa.is_compiled();
        instruction.lanes() == 1
            || instruction.is_block()
            || is_compiled && instruction.ignores_mask()
    }
}

impl Launch {
    /// The work-item of a channel; `None` beyond the end of its work-group.
    #[must_use]
    pub fn work_item(&self, place: ItemPlace) -> Option<WorkItem> {
        let group = self.group_id(place.group);
        let size = self.size_of(group);
        let index = u32::from(place.thread) * u32::from(self.simd) + u32::from(place.channel);
        if place.channel >= self.simd || index >= size.iter().product() {
            return None;
        }
        let [x, y, _] = size;
        let local = [index % x, index / x % y, index / x / y];
        let global = core::array::from_fn(|i| {
            let first = group[i].wrapping_mul(self.local[i]);
            self.offset[i].wrapping_add(first).wrapping_add(local[i])
        });
        Some(WorkItem { global, local })
    }

    /// The channel that executes the work-item with a global ID.
    #[must_use]
    pub fn place_of_item(&self, global: Sizes) -> Option<ItemPlace> {
        let mut at = [0; 3];
        for i in 0..3 {
            at[i] = global[i].checked_sub(self.offset[i])?;
            if at[i] >= self.global[i] {
                return None;
            }
        }
        let group: Sizes = core::array::from_fn(|i| at[i] / self.local[i]);
        let local: Sizes = core::array::from_fn(|i| at[i] % self.local[i]);
        let [x, y, _] = self.size_of(group);
        let index = local[0] + x * (local[1] + y * local[2]);
        let [groups_x, groups_y, _] = self.groups();
        Some(ItemPlace {
            group: group[0] + groups_x * (group[1] + groups_y * group[2]),
            thread: u8::try_from(index / u32::from(self.simd)).ok()?,
            channel: u8::try_from(index % u32::from(self.simd)).ok()?,
        })
    }

    /// The channel that executes the work-item with the ID by which it is named; an ID in a
    /// group is one in the group of the timeline.
    #[must_use]
    pub fn place_of_id(&self, id: Sizes) -> Option<ItemPlace> {
        if !self.words().is_id_local {
            return self.place_of_item(id);
        }
        let group = self.group_id(self.group);
        let size = self.size_of(group);
        let is_inside = (0..3).all(|i| id[i] < size[i]);
        let global = core::array::from_fn(|i| self.offset[i] + group[i] * self.local[i] + id[i]);
        self.place_of_item(global).filter(|_| is_inside)
    }

    /// Words for the parts of the launch.
    #[must_use]
    pub const fn words(&self) -> &'static LaunchWords {
        self.words
    }

    /// The ID by which the work-item of a channel is named: `35`, or `(3, 1)` in a launch of
    /// two dimensions; `None` beyond the end of its work-group.
    #[must_use]
    pub fn item_id(&self, place: ItemPlace) -> Option<String> {
        let item = self.work_item(place)?;
        let (id, sizes, offset) = match self.words().is_id_local {
            true => (item.local, self.local, [0; 3]),
            false => (item.global, self.global, self.offset),
        };
        let differs = |i: &usize| sizes[*i] > 1 || offset[*i] > 0;
        let [x, y, z] = id;
        Some(match (1..3).rev().find(differs) {
            None => x.to_string(),
            Some(1) => format!("({x}, {y})"),
            Some(_) => format!("({x}, {y}, {z})"),
        })
    }

    /// IDs of the first and last work-item: of the launch or, if IDs are those in a group, of
    /// the group in the timeline.
    #[must_use]
    pub fn first_and_last_id(&self) -> Option<[String; 2]> {
        let (first, size) = match self.words().is_id_local {
            true => ([0; 3], self.size_of(self.group_id(self.group))),
            false => (self.offset, self.global),
        };
        let last = core::array::from_fn(|i| first[i].wrapping_add(size[i] - 1));
        let name = |id| self.item_id(self.place_of_id(id)?);
        Some([name(first)?, name(last)?])
    }

    /// The end of the work-group in the timeline, in words.
    #[must_use]
    pub fn end_text(&self) -> String {
        let (group, size) = (self.group, self.size_text());
        match group + 1 == self.group_count() {
            true => format!("Launch finished: {size}"),
            false => {
                let noun = capitalized(self.words().group);
                format!("{noun} {group} finished. Launch: {size}")
            }
        }
    }

    /// Numbers of work-items and groups: `64 work-items, 2 groups`.
    #[must_use]
    pub fn size_text(&self) -> String {
        let words = self.words();
        let items = counted(self.item_count(), words.item);
        format!("{items}, {}", counted(self.group_count(), words.group))
    }

    /// Number of work-items.
    #[must_use]
    pub fn item_count(&self) -> u64 {
        self.global.iter().map(|n| u64::from(*n)).product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(directive: &str) -> Launch {
        let program = Program::parse(&format!("{directive}\n.simd 16\nret (M1, 16)\n"));
        program.launch.expect("a launch")
    }

    /// Every work-item has one place, which has this work-item.
    fn check(launch: &Launch, items: u64) {
        let mut found = 0;
        for group in 0..launch.group_count() {
            for (thread, channel) in
                (0..launch.threads()).flat_map(|thread| (0..32).map(move |c| (thread, c)))
            {
                let place = ItemPlace {
                    group,
                    thread,
                    channel,
                };
                if let Some(item) = launch.work_item(place) {
                    assert_eq!(launch.place_of_item(item.global), Some(place));
                    found += 1;
                }
            }
        }
        assert_eq!((found, launch.item_count()), (items, items));
    }

    #[test]
    fn work_items_and_channels_correspond() {
        check(&launch(".launch global=100 local=32"), 100);
        check(
            &launch(".launch global=10,6,3 local=4,4,2 offset=5,0,1"),
            180,
        );
    }

    #[test]
    fn ids_have_the_dimensions_of_the_launch() {
        let place = |group, channel| ItemPlace {
            group,
            thread: 0,
            channel,
        };
        let flat = launch(".launch global=100 local=32");
        assert_eq!(flat.item_id(place(1, 3)).as_deref(), Some("35"));
        assert_eq!(flat.place_of_item([100, 0, 0]), None);
        assert_eq!(flat.place_of_item([0, 1, 0]), None);
        let square = launch(".launch global=8,8 local=4,4");
        assert_eq!(square.item_id(place(1, 5)).as_deref(), Some("(5, 1)"));
    }

    #[test]
    fn cuda_has_threads_of_blocks() {
        let text = ".target sass SM80\n.launch grid=2,2 block=64 group=1\nEXIT;\n";
        let launch = Program::parse(text).launch.expect("a launch");
        let place = ItemPlace {
            group: 3,
            thread: 1,
            channel: 3,
        };
        assert_eq!(launch.item_id(place).as_deref(), Some("35"));
        assert_eq!(launch.size_text(), "256 threads, 4 blocks");
        let at = launch.place_of_id([35, 0, 0]);
        assert_eq!(
            at.map(|at| (at.group, at.thread, at.channel)),
            Some((1, 1, 3))
        );
        assert_eq!(launch.place_of_id([64, 0, 0]), None);
        let ids = launch.first_and_last_id().map(|ids| ids.join(" to "));
        assert_eq!(ids.as_deref(), Some("0 to 63"));
        let end = "Block 1 finished. Launch: 256 threads, 4 blocks";
        assert_eq!(launch.end_text(), end);
    }
}
