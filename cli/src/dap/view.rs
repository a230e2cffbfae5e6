//! The state of a run as threads, frames, scopes and variables.

use super::debuggee::{Debuggee, instruction};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::isa::Style;
use lanewise_core::machine::control::{ChannelState, Control};
use lanewise_core::machine::{SpaceId, SpaceKind};
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::{Buffer, ElementRange, ItemPlace};
use lanewise_core::session::item_id;
use lanewise_core::text::counted;
use serde_json::{Value, json};
use std::path::Path;

/// Most elements shown in one line.
const INLINE: u64 = 8;

/// Most elements in an answer; a client asks for more by page.
const MAX_PAGE: u64 = 1000;

/// Threads share frames and containers: a reference is a kind, a thread and a number.
const THREADS: u64 = 256;
const NUMBERS: u64 = 1 << 19;

/// A container of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Arguments,
    /// The variables of a thread.
    Variables,
    Lanes,
    /// Flags and the execution mask.
    Flags,
    /// The local memory of the work-group.
    Local,
    /// The elements of a variable, by its place among the declared ones.
    Variable(u64),
    /// The elements of a buffer, by index.
    Buffer(u64),
}

impl Container {
    fn reference(self, thread: u8) -> u64 {
        let (kind, number) = match self {
            Self::Arguments => (1, 0),
            Self::Variables => (2, 0),
            Self::Lanes => (3, 0),
            Self::Flags => (4, 0),
            Self::Variable(number) => (5, number),
            Self::Buffer(number) => (6, number),
            Self::Local => (7, 0),
        };
        (kind * THREADS + u64::from(thread)) * NUMBERS + number % NUMBERS
    }

    fn of(reference: u64) -> Option<(Self, u8)> {
        let number = reference % NUMBERS;
        let (kind, thread) = (reference / NUMBERS / THREADS, reference / NUMBERS % THREADS);
        let container = match kind {
            1 => Self::Arguments,
            2 => Self::Variables,
            3 => Self::Lanes,
            4 => Self::Flags,
            5 => Self::Variable(number),
            6 => Self::Buffer(number),
            7 => Self::Local,
            _ => return None,
        };
        Some((container, u8::try_from(thread).ok()?))
    }
}

fn frame_id(thread: u8, depth: usize) -> u64 {
    1 + u64::from(thread) * NUMBERS + depth as u64
}

/// The thread of a frame, which counts from 1; 0 for a frame that does not exist.
fn thread_of_frame(frame: u64) -> u64 {
    frame.checked_sub(1).map_or(0, |frame| frame / NUMBERS + 1)
}

/// A variable without children.
fn leaf(name: impl Into<String>, value: impl Into<String>, ty: &str) -> Value {
    let (name, value): (String, String) = (name.into(), value.into());
    json!({"name": name, "value": value, "type": ty, "variablesReference": 0})
}

impl Debuggee {
    /// The hardware threads of the work-group.
    pub(super) fn threads(&self) -> Vec<Value> {
        let program = self.program();
        let threads = 0..program.threads;
        let name = |thread: u8| {
            let Some(launch) = &program.launch else {
                return program.short_thread_name(thread);
            };
            let [x, y, z] = launch.group_id(launch.group);
            let first = u32::from(thread) * u32::from(launch.simd);
            let last = (first + u32::from(launch.simd)).min(launch.group_items());
            let words = launch.words();
            let items = format!("{}s {first}–{}", words.item, last.saturating_sub(1));
            format!(
                "{} ({x},{y},{z}) {} {thread}, {items}",
                words.group, words.thread
            )
        };
        let threads = threads.map(|thread| {
            let end = if self.has_ended(thread) {
                ", ended"
            } else {
                ""
            };
            json!({"id": u32::from(thread) + 1, "name": name(thread) + end})
        });
        threads.collect()
    }

    /// The instruction of a thread and those that called it, innermost first.
    pub(super) fn stack_trace(&self, thread: Option<u64>) -> Result<Value, String> {
        let thread = self.thread_of(thread)?;
        let control = Control::new(self.machine(), thread);
        let mut places = vec![control.pc()];
        let calls: Vec<u32> = control.calls().collect();
        // A call returns to the instruction after it.
        places.extend(calls.iter().rev().map(|address| address.saturating_sub(1)));
        let last = self.program().instructions.len().saturating_sub(1);
        let frames = places.iter().enumerate().map(|(depth, place)| {
            let index = to_usize(*place).min(last);
            let instruction = u32::try_from(index).unwrap_or(u32::MAX);
            let (source, line) = self.place(instruction);
            let name = match (depth + 1 == places.len(), self.has_ended(thread)) {
                (_, true) => format!("{} (ended)", self.kernel),
                (true, false) => self.kernel.clone(),
                (false, false) => format!("function called by {}", self.kernel),
            };
            json!({
                "id": frame_id(thread, depth),
                "name": name,
                "source": source,
                "line": line,
                "column": 1,
                "instructionPointerReference": format!("{index:#x}"),
            })
        });
        let frames: Vec<Value> = frames.collect();
        Ok(json!({"totalFrames": frames.len(), "stackFrames": frames}))
    }

    /// Source and line of an instruction: the kernel's source, the scenario, or the text.
    fn place(&self, instruction: u32) -> (Value, u64) {
        if let Some((file, line)) = self.source_line(instruction) {
            return (file_source(&file), line);
        }
        let placed = self.program().instructions.get(to_usize(instruction));
        let line = placed.map_or(0, |placed| u64::from(placed.line) + 1);
        match self.scenario() {
            Some(file) => (file_source(file), line),
            None => (self.text_source(), line),
        }
    }

    fn text_source(&self) -> Value {
        let extension = match self.has_typed_registers() {
            true => "visaasm",
            false => "sass",
        };
        json!({"name": format!("{}.{extension}", self.kernel), "sourceReference": 1})
    }

    pub(super) fn scopes(&self, frame: Option<u64>) -> Result<Value, String> {
        let thread = self.thread_of(frame.map(thread_of_frame))?;
        let mut scopes = vec![
            ("Arguments", Container::Arguments, "arguments"),
            ("Variables", Container::Variables, "locals"),
            ("Lanes", Container::Lanes, "lanes"),
            ("Flags", Container::Flags, "registers"),
        ];
        let memory = format!("Memory of the {}", self.program().words().work_group);
        if self.local_memory().is_some() {
            scopes.push((&memory, Container::Local, "memory"));
        }
        let scopes = scopes.iter().map(|(name, container, hint)| {
            json!({
                "name": name,
                "presentationHint": hint,
                "variablesReference": container.reference(thread),
                "expensive": false,
            })
        });
        Ok(json!({"scopes": scopes.collect::<Vec<_>>()}))
    }

    pub(super) fn variables(&self, arguments: &Value) -> Result<Value, String> {
        let reference = arguments["variablesReference"].as_u64().unwrap_or(0);
        let found = Container::of(reference);
        let (container, thread) = found.ok_or("no such variables")?;
        let thread = self.thread_of(Some(u64::from(thread) + 1))?;
        let start = arguments["start"].as_u64().unwrap_or(0);
        let count = arguments["count"].as_u64().filter(|count| *count > 0);
        let page = start..start.saturating_add(count.unwrap_or(MAX_PAGE).min(MAX_PAGE));
        let variables = match container {
            Container::Arguments => self.arguments(thread),
            Container::Variables => {
                let names = self.program().symbols.variable_names();
                let all = (0..).zip(&names).skip(to_usize_or_max(page.start));
                let all = all.take(to_usize_or_max(page.end - page.start));
                all.filter_map(|(place, name)| self.variable(thread, place, name))
                    .collect()
            }
            Container::Lanes => self.lanes(thread),
            Container::Flags => self.flags(thread),
            Container::Variable(place) => {
                let names = self.program().symbols.variable_names();
                let name = names.get(to_usize_or_max(place));
                let range = name.and_then(|name| self.range(thread, name));
                let range = range.ok_or("no such variable")?;
                self.elements(thread, range, page)
            }
            Container::Local => {
                let range = self.local_memory().ok_or("no local memory")?;
                let elements = page.start..page.end.min(range.elements.unwrap_or(0));
                let element = |index| {
                    let value = self.value(&range, index).unwrap_or_default();
                    leaf(format!("[{index}]"), value, range.ty.name())
                };
                elements.map(element).collect()
            }
            Container::Buffer(index) => {
                let buffer = self
                    .buffers()
                    .get(to_usize_or_max(index))
                    .ok_or("no such buffer")?;
                let elements = page.start..page.end.min(buffer.elements);
                let element = |index| {
                    leaf(
                        format!("[{index}]"),
                        self.element(buffer, index),
                        buffer.ty.name(),
                    )
                };
                elements.map(element).collect()
            }
        };
        Ok(json!({"variables": variables}))
    }

    /// The memory of the work-group, as far as the launch asks for it.
    fn local_memory(&self) -> Option<ElementRange> {
        let bytes = self.program().launch.as_ref()?.local_bytes;
        let ty = ElementType::Ud;
        let stride = u64::from(ty.bytes());
        (bytes > 0).then_some(ElementRange {
            space: SpaceId::SLM,
            address: 0,
            ty,
            stride,
            elements: Some(bytes.div_ceil(stride)),
        })
    }

    fn buffers(&self) -> &[Buffer] {
        let launch = self.program().launch.as_ref();
        launch.map_or(&[], |launch| &launch.buffers)
    }

    fn element(&self, buffer: &Buffer, index: u64) -> String {
        let (ty, size) = (buffer.ty, buffer.ty.bytes());
        let address = buffer.address + index * u64::from(size);
        let bits = self.machine().load(SpaceId::VIRTUAL, address, size);
        bits.map_or_else(|| String::from("?"), |bits| show(bits, ty))
    }

    /// Buffers and numbers.
    fn arguments(&self, thread: u8) -> Vec<Value> {
        let buffers = (0..).zip(self.buffers());
        let buffers = buffers.map(|(index, buffer)| self.buffer(thread, index, buffer));
        let scalars = self.scalars.iter();
        let scalars = scalars.map(|scalar| leaf(&*scalar.name, &*scalar.value, &scalar.ty));
        buffers.chain(scalars).collect()
    }

    fn buffer(&self, thread: u8, index: u64, buffer: &Buffer) -> Value {
        let shown = (0..buffer.elements.min(INLINE)).map(|index| self.element(buffer, index));
        let more = if buffer.elements > INLINE {
            ", …"
        } else {
            ""
        };
        let shown = match buffer.is_null {
            true => String::from("NULL"),
            false => shown.collect::<Vec<_>>().join(", ") + more,
        };
        json!({
            "name": buffer.name,
            "value": shown,
            "type": format!("{}[{}]", buffer.ty.name(), buffer.elements),
            "variablesReference": Container::Buffer(index).reference(thread),
            "indexedVariables": buffer.elements,
            "evaluateName": buffer.name,
        })
    }

    /// Name of the buffer whose elements a reference lists.
    pub(super) fn buffer_of(&self, reference: u64) -> Option<&str> {
        let (Container::Buffer(index), _) = Container::of(reference)? else {
            return None;
        };
        let buffer = self.buffers().get(to_usize_or_max(index))?;
        Some(&buffer.name)
    }

    /// A buffer by name, with an optional index: `out`, `out[3]`.
    pub(super) fn buffer_element(&self, name: &str) -> Option<(&Buffer, Option<u64>)> {
        let (name, index) = match name.trim().split_once('[') {
            None => (name.trim(), None),
            Some((name, rest)) => {
                let index = rest.trim_end().strip_suffix(']')?.trim();
                (name.trim(), Some(index.parse().ok()?))
            }
        };
        let buffer = self.buffers().iter().find(|buffer| buffer.name == name)?;
        let is_inside = index.is_none_or(|index| index < buffer.elements);
        is_inside.then_some((buffer, index))
    }

    /// The elements of a register, predicate or memory by name, on a thread.
    fn range(&self, thread: u8, name: &str) -> Option<ElementRange> {
        let mut range = ElementRange::named(self.program(), name)?;
        for space in [SpaceId::registers, SpaceId::flags] {
            if range.space == space(0) {
                range.space = space(thread);
                break;
            }
        }
        Some(range)
    }

    /// A number; registers of lanes, which are not declared, are shown as bits.
    fn value(&self, range: &ElementRange, index: u64) -> Option<String> {
        let bits = range.load(self.machine(), index)?;
        let is_register = matches!(range.space.kind(), SpaceKind::Registers(_));
        Some(match is_register && !self.has_typed_registers() {
            false => show(bits, range.ty),
            true => format!(
                "{bits:#0width$x}",
                width = 2 + 2 * usize::from(range.ty.bytes())
            ),
        })
    }

    fn has_typed_registers(&self) -> bool {
        !self.program().symbols.target.facts().has_lane_registers
    }

    /// A variable with its first elements.
    fn variable(&self, thread: u8, place: u64, name: &str) -> Option<Value> {
        let range = self.range(thread, name)?;
        let count = range.elements?;
        let shown = (0..count.min(INLINE)).filter_map(|index| self.value(&range, index));
        let more = if count > INLINE { ", …" } else { "" };
        let children = match count {
            0 | 1 => 0,
            _ => Container::Variable(place).reference(thread),
        };
        Some(json!({
            "name": name,
            "value": shown.collect::<Vec<_>>().join(", ") + more,
            "type": format!("{}[{count}]", range.ty.name()),
            "variablesReference": children,
            "indexedVariables": if children == 0 { 0 } else { count },
            "evaluateName": name,
        }))
    }

    /// The elements of a variable. With one element per lane, inactive lanes are marked.
    fn elements(&self, thread: u8, range: ElementRange, page: std::ops::Range<u64>) -> Vec<Value> {
        let count = range.elements.unwrap_or(0);
        let simd = self.simd();
        let active = Control::new(self.machine(), thread).active();
        let elements = page.start..page.end.min(count);
        let elements = elements.map(|index| {
            let value = self.value(&range, index).unwrap_or_default();
            if count != u64::from(simd) {
                return leaf(format!("[{index}]"), value, range.ty.name());
            }
            let mark = if active >> index & 1 == 1 {
                ""
            } else {
                " (inactive)"
            };
            leaf(format!("lane {index}"), value + mark, range.ty.name())
        });
        elements.collect()
    }

    /// Number of lanes of a thread.
    fn simd(&self) -> u8 {
        let launch = self.program().launch.as_ref();
        launch.map_or(16, |launch| launch.simd)
    }

    /// Work-item and place of each lane.
    fn lanes(&self, thread: u8) -> Vec<Value> {
        let control = Control::new(self.machine(), thread);
        let launch = self.program().launch.as_ref();
        let line = |pc: u32| {
            let (source, line) = self.place(pc);
            let name = source["name"].as_str().unwrap_or("").to_owned();
            format!("{name}:{line}")
        };
        let lanes = (0..self.simd()).map(|lane| {
            let state = match control.channel(lane) {
                ChannelState::Active { pc } => format!("active at {}", line(pc)),
                ChannelState::Waiting { pc, .. } => format!("waits at {}", line(pc)),
                ChannelState::Ended => String::from("ended"),
            };
            let item = launch.map(|launch| {
                let group = launch.group;
                let place = ItemPlace {
                    group,
                    thread,
                    channel: lane,
                };
                let item = launch.words().item;
                match launch.item_id(place) {
                    Some(id) => format!("{item} {id} "),
                    None => format!("no {item}, "),
                }
            });
            leaf(
                format!("lane {lane}"),
                item.unwrap_or_default() + &state,
                "",
            )
        });
        lanes.collect()
    }

    /// The IDs of the work-items of the lanes, `threadIdx.x` or `get_global_id(0)`, in the words
    /// of conditions.
    fn item_ids(&self, name: &str, thread: u8) -> Option<String> {
        let (is_local, dimension) = item_id(name)?;
        let launch = self.program().launch.as_ref()?;
        let group = launch.group;
        let items = (0..launch.simd).filter_map(|channel| {
            launch.work_item(ItemPlace {
                group,
                thread,
                channel,
            })
        });
        let ids = items.map(|item| match is_local {
            true => item.local[dimension].to_string(),
            false => item.global[dimension].to_string(),
        });
        Some(ids.collect::<Vec<_>>().join(", "))
    }

    fn flags(&self, thread: u8) -> Vec<Value> {
        let names = self.program().symbols.predicate_names();
        let names = names.iter().map(String::as_str);
        let flags = std::iter::once("em").chain(names).filter_map(|name| {
            let bits = self.range(thread, name)?.load(self.machine(), 0)?;
            Some(leaf(name, format!("{bits:#010x}"), "mask"))
        });
        flags.collect()
    }

    /// Evaluates `V62(0,5)`, `V62`, `R4[5]`, `R4[5]:f`, `out[3]` or the name of an argument.
    pub(super) fn evaluate(&self, text: &str, frame: Option<u64>) -> Result<Value, String> {
        let thread = self.thread_of(frame.map(thread_of_frame))?;
        let text = text.trim();
        let found = self.lookup(text, thread);
        let mut found = found.ok_or_else(|| {
            let name = text.split('[').next().unwrap_or(text).trim();
            match self.buffer_element(name) {
                Some((buffer, _)) => {
                    let elements = counted(buffer.elements, "element");
                    format!("`{text}` does not exist: `{name}` has {elements}")
                }
                None => {
                    let example = match self.has_typed_registers() {
                        true => "V62(0,5)",
                        false => "R4[5]:f",
                    };
                    format!(
                        "`{text}` is not a variable, a buffer or an argument; write `{example}` \
                         or `out[3]`"
                    )
                }
            }
        })?;
        found["result"] = found["value"].take();
        Ok(found)
    }

    /// An element with its bits read as another type, `R4[5]:f`.
    fn retyped(&self, text: &str, thread: u8) -> Option<Value> {
        let (place, ty) = text.rsplit_once(':')?;
        let ty = ElementType::named(ty.trim())?;
        let place = place.trim();
        let (bits, own) = match self.buffer_element(place) {
            Some((buffer, index)) => {
                let address = buffer.address + index? * u64::from(buffer.ty.bytes());
                let bits = self
                    .machine()
                    .load(SpaceId::VIRTUAL, address, buffer.ty.bytes());
                (bits?, buffer.ty)
            }
            None => {
                let range = self.range(thread, place).filter(|_| place.contains('['))?;
                (range.load(self.machine(), 0)?, range.ty)
            }
        };
        (ty.bytes() == own.bytes()).then(|| leaf(text, show(bits, ty), ty.name()))
    }

    fn lookup(&self, text: &str, thread: u8) -> Option<Value> {
        if let Some(retyped) = self.retyped(text, thread) {
            return Some(retyped);
        }
        if let Some((buffer, index)) = self.buffer_element(text) {
            return match index {
                Some(index) => Some(leaf(text, self.element(buffer, index), buffer.ty.name())),
                None => {
                    let mut all = (0..).zip(self.buffers());
                    let (place, buffer) = all.find(|(_, known)| known.name == buffer.name)?;
                    Some(self.buffer(thread, place, buffer))
                }
            };
        }
        if let Some(scalar) = self.scalars.iter().find(|scalar| scalar.name == text) {
            return Some(leaf(text, &*scalar.value, &scalar.ty));
        }
        if let Some(ids) = self.item_ids(text, thread) {
            return Some(leaf(text, ids, ""));
        }
        if let Some((name, place)) = text.split_once('(') {
            let (row, column) = place.trim_end().strip_suffix(')')?.split_once(',')?;
            let range = self.range(thread, name.trim())?;
            let row: u64 = row.trim().parse().ok()?;
            let column: u64 = column.trim().parse().ok()?;
            let per_row = u64::from(self.program().symbols.visa.grf_bytes()) / range.stride.max(1);
            let index = row.checked_mul(per_row)?.checked_add(column)?;
            return Some(leaf(text, self.value(&range, index)?, range.ty.name()));
        }
        let names = self.program().symbols.variable_names();
        if let Some((place, _)) = (0..).zip(&names).find(|(_, name)| *name == text) {
            return self.variable(thread, place, text);
        }
        let range = self.range(thread, text)?;
        let value = match text.contains('[') {
            true => self.value(&range, 0)?,
            false => format!("{:#010x}", range.load(self.machine(), 0)?),
        };
        Some(leaf(text, value, range.ty.name()))
    }

    pub(super) fn disassemble(&self, arguments: &Value) -> Result<Value, String> {
        /// Most instructions of an answer.
        const MOST: u64 = 10_000;
        let start = instruction(&arguments["memoryReference"]).ok_or("no such instruction")?;
        let offset = arguments["instructionOffset"].as_i64().unwrap_or(0);
        let start = start.saturating_add(offset);
        let count = arguments["instructionCount"]
            .as_u64()
            .unwrap_or(0)
            .min(MOST);
        let program = self.program();
        let lines = (0..i64::try_from(count).unwrap_or(0)).map(|place| {
            let at = start.saturating_add(place);
            let index = usize::try_from(at).ok();
            let Some(placed) = index.and_then(|index| program.instructions.get(index)) else {
                // Clients expect as many lines as they asked for.
                return json!({"address": format!("{:#x}", at.cast_unsigned()), "instruction": "",
                    "presentationHint": "invalid"});
            };
            let (source, line) = self.place(u32::try_from(at).unwrap_or(0));
            json!({
                "address": format!("{at:#x}"),
                "instruction": placed.instruction.text(&program.symbols, Style::Assembler),
                "location": source,
                "line": line,
            })
        });
        Ok(json!({"instructions": lines.collect::<Vec<Value>>()}))
    }
}

fn file_source(file: &Path) -> Value {
    let name = file.file_name().map(|name| name.to_string_lossy());
    json!({"name": name.unwrap_or_default(), "path": file})
}

fn to_usize_or_max(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_unique_and_can_be_read_back() {
        let containers = [
            Container::Arguments,
            Container::Variables,
            Container::Lanes,
            Container::Flags,
            Container::Local,
            Container::Variable(700),
            Container::Buffer(3),
        ];
        for container in containers {
            for thread in [0, 127, 255] {
                let reference = container.reference(thread);
                assert_eq!(Container::of(reference), Some((container, thread)));
                // Clients store them as 32-bit numbers.
                assert!(reference < 1 << 31);
            }
        }
        assert_eq!(Container::of(0), None);
    }
}
