//! Model of the vector stage: strips of registers, and a grid of lanes.

use crate::byte_range::ByteRange;
use crate::lanes::grouped;
use crate::operands::operand_text;
use crate::table::{ExportCell, ExportTable};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use lanewise_core::ide::{RegionComponent, region_components};
use lanewise_core::isa::visa::alu::{Fitting, Unfitted};
use lanewise_core::isa::{
    AddressPath, Instruction, IssueContext, LaneComputation, LaneExchange, LaneResult, LaneSource,
    Style, Unit,
};
use lanewise_core::machine::control::{ChannelState, Control};
use lanewise_core::machine::warp::{self, Wait, WarpLanes};
use lanewise_core::machine::{Machine, SpaceId, SpaceKind};
use lanewise_core::number::{ElementType, show};
use lanewise_core::program::{Issue, Program};
use lanewise_core::session::{IssueIndex, Session, lane_runs};
use lanewise_core::text::{SyntaxPart, counted};

const LINE_ELEMENTS: u64 = 16;

const MAX_LINES: usize = 32;

/// Picture of a computing instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorModel {
    /// `line 9, execution 3, about to be executed`.
    pub caption: String,
    pub threads: Vec<ThreadModel>,
}

/// Part of the picture for one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadModel {
    /// `EU1`, if there are several threads.
    pub name: Option<String>,
    pub operands: Vec<OperandModel>,
    /// What a SASS instruction computes, in terms of the names of its operands.
    pub formula: Option<String>,
    /// Equation of an instruction with one lane.
    pub equation: Option<Vec<Term>>,
    pub heads: Vec<LaneHead>,
    pub rows: Vec<LaneRow>,
    pub exchange: Option<ExchangeModel>,
    /// Groups of disabled lanes with the reason: `lanes 3, 6 are disabled: …`.
    pub disabled: Vec<String>,
}

/// Operand as a strip of registers, or as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperandModel {
    pub part: SyntaxPart,
    /// Its name in the formula: `src0`; of SASS, `a`.
    pub name: &'static str,
    /// `V32(0,0)<8;4,2>`.
    pub text: String,
    /// Type of the elements; empty for predicates.
    pub ty: &'static str,
    /// The selected elements, in words.
    pub about: String,
    pub region: Vec<RegionComponent>,
    /// Address path of an indirect operand: `A0[0] = 0x140 + 16 → V32[5]`.
    pub paths: Vec<String>,
    pub lines: Vec<StripLine>,
    pub hidden_lines: usize,
}

/// Register, or part of one, in a strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripLine {
    pub label: String,
    /// Whether registers between this line and the one before are left out.
    pub after_gap: bool,
    pub cells: Vec<StripCell>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripCell {
    pub range: ByteRange,
    pub value: String,
    /// `V32[5], lanes 0–3`.
    pub title: String,
    /// Lanes that access the element: `0–15`; empty if none does.
    pub lanes: String,
    pub enabled: bool,
    /// Whether the element is in an odd row of the region.
    pub odd_row: bool,
    pub shared: bool,
    pub changed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneHead {
    pub unit: Unit,
    /// Number of the lane; in a launch, that in its thread.
    pub number: u8,
    pub channel: u8,
    pub disabled: Option<String>,
}

/// Values that go from lane to lane, or from lanes to the bits of a mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeModel {
    /// `What the lanes read from each other`.
    pub about: &'static str,
    /// Head of the lower row.
    pub into: &'static str,
    pub edges: Vec<ExchangeEdge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeEdge {
    pub from: Unit,
    /// Lane, or number of the bit.
    pub to: Unit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneRow {
    pub name: String,
    /// `source`, or `uniform` if its one value is in [`OperandModel::about`]; `derived` if it
    /// is a source after its modifier, or a result before it is fitted; `result`, `old`.
    pub kind: &'static str,
    pub part: SyntaxPart,
    /// By lane; `None` if the lane has no value.
    pub cells: Vec<Option<ValueCell>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCell {
    pub text: String,
    /// `V33[5]`; empty for values that are not in a variable.
    pub place: String,
    /// Whether the value differs from the old one, or does not fit.
    pub emphasized: bool,
}

impl ValueCell {
    /// Value that is not in a variable.
    fn plain(text: String) -> Self {
        Self {
            text,
            place: String::new(),
            emphasized: false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    Text(String),
    Value {
        part: SyntaxPart,
        text: String,
        about: String,
    },
}

impl LaneHead {
    /// `yes`, or why the lane is disabled.
    pub fn enabled(&self) -> String {
        match &self.disabled {
            Some(reason) => format!("disabled: {reason}"),
            None => String::from("yes"),
        }
    }
}

impl ThreadModel {
    /// Lanes as rows.
    pub fn export(&self) -> ExportTable {
        let names = self.rows.iter().map(|row| &*row.name);
        let cell = |cell: &Option<ValueCell>| match cell {
            Some(ValueCell { text, place, .. }) if place.is_empty() => ExportCell::text(&**text),
            Some(ValueCell { text, place, .. }) => ExportCell::Text(format!("{text} {place}")),
            None => ExportCell::NoValue,
        };
        let lane = |(at, head): (usize, &LaneHead)| {
            let lane = [head.number.to_string(), head.enabled()].map(ExportCell::Text);
            let values = self.rows.iter().map(|row| cell(&row.cells[at]));
            lane.into_iter().chain(values).collect()
        };
        ExportTable {
            heads: ["Lane", "Enabled"]
                .into_iter()
                .chain(names)
                .map(String::from)
                .collect(),
            rows: self.heads.iter().enumerate().map(lane).collect(),
        }
    }
}

impl VectorModel {
    /// Picture of the current instruction, if it computes and does not fault.
    pub fn of(session: &Session) -> Option<Self> {
        let index = session.current_issue()?;
        let program = session.program();
        let issue = session.issue(index)?;
        let placed = program.instruction(issue);
        if !placed.instruction.is_computation() {
            return None;
        }
        let before = session.state_before(index);
        let computed = session.computation(index, &before);
        if computed.is_empty() {
            return None;
        }
        let thread = |(thread, computation): &(u8, LaneComputation)| {
            let current = Current {
                program,
                issue,
                instruction: &placed.instruction,
                before: &before,
                thread: *thread,
                first_lane: placed.first_lane(program),
                computation,
                is_done: session.has_executed(index, *thread),
            };
            current.model()
        };
        Some(Self {
            caption: caption(session, index, issue, placed.line),
            threads: computed.iter().map(thread).collect(),
        })
    }
}

/// `line 9, execution 3, about to be executed`.
fn caption(session: &Session, index: IssueIndex, issue: Issue, line: u32) -> String {
    let mut caption = format!("line {}", line + 1);
    let earlier = session.issues().take(index.0 as usize);
    let is_same = |other: &Issue| other.instruction == issue.instruction;
    match earlier.filter(is_same).count() {
        0 => {}
        earlier => caption.push_str(&format!(", execution {}", earlier + 1)),
    }
    if !session.has_executed(index, issue.threads.first()) {
        caption.push_str(", about to be executed");
    }
    caption
}

/// The current issue on one thread.
struct Current<'s> {
    program: &'s Program,
    issue: Issue,
    instruction: &'s Instruction,
    before: &'s Machine,
    thread: u8,
    /// Number of the first lane.
    first_lane: u8,
    computation: &'s LaneComputation,
    is_done: bool,
}

/// Elements to outline in a strip.
struct Outline<'a> {
    space: SpaceId,
    addresses: &'a [u64; 32],
    ty: ElementType,
    /// Lanes whose elements have an address.
    lanes: u32,
    enabled: u32,
    /// Lanes in a row of the region.
    width: usize,
    /// Elements after the instruction, by lane.
    written: Option<&'a [u64; 32]>,
}

impl Current<'_> {
    fn operand_text(&self, part: SyntaxPart, style: Style) -> String {
        operand_text(self.instruction, self.program, part, style)
    }

    fn has_lane_registers(&self) -> bool {
        self.program.symbols.target.facts().has_lane_registers
    }

    /// Name of a part in the formula of the instruction.
    fn part_name(&self, part: SyntaxPart) -> &'static str {
        match self.has_lane_registers() {
            true => self.instruction.spec().letter(part),
            false => part_name(part),
        }
    }

    fn lanes(&self) -> usize {
        usize::from(self.instruction.lanes())
    }

    fn all_lanes(&self) -> u32 {
        u32::MAX >> (32 - self.lanes().clamp(1, 32))
    }

    fn model(&self) -> ThreadModel {
        let sources = self.computation.sources.iter();
        let sources = sources.map(|source| self.source(source));
        let results = self.computation.results.iter();
        let results = results.map(|result| self.result(result));
        let heads = self.heads();
        let disabled = heads.iter().filter_map(|head| {
            Some((
                head.disabled.as_deref()?,
                Unit::lane(self.thread, head.number),
            ))
        });
        let disabled = grouped(disabled).into_iter().map(|(reason, units)| {
            let lanes = lane_runs(&units, 1);
            if units.len() == 1 {
                return format!("Lane {lanes} is disabled: {reason}.");
            }
            let reason = reason
                .replace("it waits", "they wait")
                .replace("it is", "they are")
                .replace("it has", "they have");
            format!("Lanes {lanes} are disabled: {reason}.")
        });
        let disabled = disabled.collect();
        let is_scalar = self.lanes() == 1 && self.computation.enabled & 1 == 1;
        ThreadModel {
            name: (self.program.threads > 1).then(|| self.program.thread_name(self.thread)),
            formula: self.instruction.formula(),
            operands: sources.chain(results).collect(),
            equation: is_scalar.then(|| self.equation()),
            rows: self.rows(),
            exchange: self.exchange(),
            heads,
            disabled,
        }
    }

    fn exchange(&self) -> Option<ExchangeModel> {
        let enabled = self.computation.enabled;
        let unit = |lane: u8| Unit::lane(self.thread, lane);
        let edges = |mask: u32, from: &dyn Fn(u8) -> u8| {
            let lanes = (0..32).filter(|lane| mask >> lane & 1 == 1);
            let edge = |lane: u8| ExchangeEdge {
                from: unit(from(lane)),
                to: unit(lane),
            };
            lanes.map(edge).collect()
        };
        Some(match self.computation.exchange? {
            LaneExchange::Shuffle(from) => ExchangeModel {
                about: "Source lane of each lane",
                into: "to",
                edges: edges(enabled, &|lane| from[usize::from(lane)]),
            },
            LaneExchange::Ballot(mask) => ExchangeModel {
                about: "Votes of the lanes, as bits",
                into: "bit",
                edges: edges(mask, &|lane| lane),
            },
        })
    }

    fn heads(&self) -> Vec<LaneHead> {
        let LaneComputation {
            first_channel,
            enabled,
            ..
        } = *self.computation;
        let context = self.program.context(self.issue, self.before);
        let head = |lane: u8| {
            let (unit, channel) = (Unit::lane(self.thread, lane), lane + first_channel);
            let is_enabled = enabled >> lane & 1 == 1;
            LaneHead {
                unit,
                number: lane + self.first_lane,
                channel,
                disabled: (!is_enabled).then(|| self.reason(&context, unit, channel)),
            }
        };
        (0..self.instruction.lanes()).map(head).collect()
    }

    fn reason(&self, context: &IssueContext<'_>, unit: Unit, channel: u8) -> String {
        if self.program.has_warps() {
            return warp_reason(self.program, self.before, unit).unwrap_or_else(|| {
                let guard = self.operand_text(SyntaxPart::Predicate, Style::Document);
                format!("guard {guard} is false")
            });
        }
        let control = Control::new(self.before, unit.thread);
        let was_dispatched = control.dispatched() >> channel & 1 == 1;
        match control.channel(channel) {
            ChannelState::Waiting { pc, .. } => {
                let placed = self.program.instructions.get(pc as usize);
                let line = placed.map_or(0, |placed| placed.line + 1);
                return format!("it waits at line {line}");
            }
            ChannelState::Ended if was_dispatched => return String::from("it has ended"),
            ChannelState::Ended | ChannelState::Active { .. } => {}
        }
        match self.instruction.inactive_reason(context, unit) {
            Some("predicate") => {
                let predicate = self.operand_text(SyntaxPart::Predicate, Style::Document);
                format!("predicate {predicate}")
            }
            reason => String::from(reason.unwrap_or("it does not take part")),
        }
    }

    fn source(&self, source: &LaneSource) -> OperandModel {
        let model = self.operand(source.operand, source.ty);
        if self.has_lane_registers() {
            let about = self.about_warp(source);
            return OperandModel { about, ..model };
        }
        let about = match (&source.places, source.ty) {
            (Some(places), Some(ty)) if is_register(places.space) => {
                let outline = Outline {
                    space: places.space,
                    addresses: &places.addresses,
                    ty,
                    // Irregular regions have places for enabled lanes only.
                    lanes: places.region[0].map_or(source.read, |_| self.all_lanes()),
                    enabled: self.computation.enabled & source.read,
                    width: places.region[1].map_or(1, |width| width as usize),
                    written: None,
                };
                let paths = places
                    .paths
                    .iter()
                    .map(|path| path_text(self.program, path));
                return OperandModel {
                    about: about_region(places.region, self.lanes()),
                    paths: paths.collect(),
                    ..self.strip(&outline, model)
                };
            }
            (Some(_), Some(_)) => String::from("the active channels"),
            (None, Some(ty)) => constant_text(&source.bits[..self.lanes()], ty),
            (_, None) => String::from("one bit for each lane"),
        };
        OperandModel { about, ..model }
    }

    fn result(&self, result: &LaneResult) -> OperandModel {
        let model = self.operand(result.operand, result.ty);
        let about = match result.ty {
            Some(_) if self.has_lane_registers() => "a register of each lane",
            Some(ty) if is_register(result.space) => {
                let outline = Outline {
                    space: result.space,
                    addresses: &result.places,
                    ty,
                    lanes: self.all_lanes(),
                    enabled: self.computation.enabled,
                    width: 32,
                    written: self.is_done.then_some(&result.new),
                };
                let stride = model.region.first().map_or(1, |component| component.value);
                return OperandModel {
                    about: about_stride(stride),
                    ..self.strip(&outline, model)
                };
            }
            Some(_) => "one element for each lane",
            None => "one bit for each lane",
        };
        OperandModel {
            about: String::from(about),
            ..model
        }
    }

    fn operand(&self, part: SyntaxPart, ty: Option<ElementType>) -> OperandModel {
        let text = self.operand_text(part, Style::Assembler);
        let is_destination = matches!(part, SyntaxPart::Dst | SyntaxPart::Carry);
        OperandModel {
            part,
            name: self.part_name(part),
            region: match self.has_lane_registers() {
                true => Vec::new(),
                false => region_components(&text, is_destination),
            },
            // Words of a SASS instruction name its types.
            ty: ty
                .filter(|_| !self.has_lane_registers())
                .map_or("", ElementType::name),
            text,
            about: String::new(),
            paths: Vec::new(),
            lines: Vec::new(),
            hidden_lines: 0,
        }
    }

    /// Adds the lines of registers that hold the outlined elements.
    fn strip(&self, outline: &Outline<'_>, mut model: OperandModel) -> OperandModel {
        let bytes = u64::from(outline.ty.bytes());
        let line_bytes = grf_bytes(self.program).min(LINE_ELEMENTS * bytes);
        let lanes = || (0..32usize).filter(|lane| outline.lanes >> lane & 1 == 1);
        let ends = lanes().flat_map(|lane| {
            let first = outline.addresses[lane];
            [first, first + bytes - 1]
        });
        let mut starts: Vec<u64> = ends.map(|byte| byte - byte % line_bytes).collect();
        starts.sort_unstable();
        starts.dedup();
        model.hidden_lines = starts.len().saturating_sub(MAX_LINES);
        starts.truncate(MAX_LINES);
        // Unaligned elements shift the cells of the whole strip.
        let shift = lanes()
            .next()
            .map_or(0, |lane| outline.addresses[lane] % bytes);
        let cell = |address: u64| {
            let range = ByteRange::new(outline.space, address, bytes);
            let is_own = |lane: &usize| outline.addresses[*lane] == address;
            let own: Vec<usize> = lanes().filter(is_own).collect();
            let is_enabled = |lane: &usize| outline.enabled >> lane & 1 == 1;
            let old = self.before.load(outline.space, address, outline.ty.bytes());
            let last = own.iter().rfind(|lane| is_enabled(lane));
            let new = outline
                .written
                .zip(last)
                .map(|(written, lane)| written[*lane]);
            let units = own.iter().map(|lane| {
                let lane = u8::try_from(*lane).expect("a thread has at most 32 lanes");
                Unit::lane(self.thread, self.first_lane + lane)
            });
            let lanes = lane_runs(&units.collect::<Vec<_>>(), 1).replace(", ", ",");
            let name = element_at(self.program, address);
            StripCell {
                range,
                value: new
                    .or(old)
                    .map_or_else(String::new, |bits| show(bits, outline.ty)),
                title: match own.len() {
                    0 => name,
                    1 => format!("{name}, lane {lanes}"),
                    _ => format!("{name}, lanes {lanes}"),
                },
                enabled: own.iter().any(is_enabled),
                odd_row: own
                    .first()
                    .is_some_and(|lane| lane / outline.width % 2 == 1),
                shared: own.len() > 1,
                changed: new.is_some() && new != old,
                lanes,
            }
        };
        let mut last = None;
        for start in starts {
            let end = start + line_bytes;
            let first = start + shift;
            let addresses = (0..)
                .map(|n| first + n * bytes)
                .take_while(|a| a + bytes <= end + shift);
            model.lines.push(StripLine {
                label: element_at(self.program, first),
                after_gap: last.is_some_and(|last| last != start),
                cells: addresses.map(cell).collect(),
            });
            last = Some(end);
        }
        model
    }

    /// Row of values; `value` is that of a lane.
    fn row(
        &self,
        name: String,
        kind: &'static str,
        part: SyntaxPart,
        value: impl Fn(usize) -> Option<ValueCell>,
    ) -> LaneRow {
        LaneRow {
            name,
            kind,
            part,
            cells: (0..self.lanes()).map(value).collect(),
        }
    }

    fn rows(&self) -> Vec<LaneRow> {
        let mut rows = Vec::new();
        for source in &self.computation.sources {
            let (part, name) = (source.operand, self.part_name(source.operand));
            let reads = |lane: usize| source.read >> lane & 1 == 1;
            let head = match self.has_lane_registers() {
                true => format!("{name} {}", self.operand_text(part, Style::Document)),
                false => String::from(name),
            };
            let kind = match self.is_uniform(source) {
                true => "uniform",
                false => "source",
            };
            rows.push(self.row(head, kind, part, |lane| {
                let bits = source.bits.get(lane).filter(|_| reads(lane))?;
                Some(ValueCell::plain(source.shown.text(*bits, source.ty)))
            }));
            let modified = match source.modifier.spelling() {
                Some("abs") => format!("|{name}|"),
                Some("-abs") => format!("−|{name}|"),
                Some("-") => format!("−{name}"),
                Some(sign) => format!("{sign}{name}"),
                None => continue,
            };
            rows.push(self.row(modified, "derived", part, |lane| {
                let text = source.modified_text(lane).filter(|_| reads(lane))?;
                Some(ValueCell::plain(text))
            }));
        }
        for (name, values) in &self.computation.derived {
            rows.push(
                self.row(String::from(*name), "derived", SyntaxPart::Src0, |lane| {
                    let enabled = self.computation.enabled >> lane & 1 == 1;
                    enabled.then(|| ValueCell::plain(values[lane].to_string()))
                }),
            );
        }
        for result in &self.computation.results {
            self.add_result_rows(result, &mut rows);
        }
        rows
    }

    fn add_result_rows(&self, result: &LaneResult, rows: &mut Vec<LaneRow>) {
        let (part, name) = (result.operand, self.part_name(result.operand));
        if (0..self.lanes()).any(|lane| misfit(result, lane).is_some()) {
            let exact = self.row(String::from("exact"), "derived", part, |lane| {
                let unfitted = result.unfitted.get(lane)?.as_ref()?;
                Some(ValueCell::plain(unfitted.text.clone()))
            });
            // A conversion has the exact value in its source.
            if rows.last().is_none_or(|row| row.cells != exact.cells) {
                rows.push(exact);
            }
            let fitted = format!("as {}", result.ty.map_or("bits", ElementType::name));
            rows.push(self.row(fitted, "derived", part, |lane| {
                let word = fitting_word(misfit(result, lane)?.fitting);
                Some(ValueCell {
                    emphasized: true,
                    ..ValueCell::plain(String::from(word))
                })
            }));
        }
        let cell = |values: &[u64; 32], lane: usize, emphasized: bool| {
            (self.computation.enabled >> lane & 1 == 1).then(|| ValueCell {
                text: result.shown.text(values[lane], result.ty),
                place: result.names.get(lane).cloned().unwrap_or_default(),
                emphasized,
            })
        };
        let register = result.names.iter().find(|name| !name.is_empty());
        let register = register.filter(|_| self.has_lane_registers());
        let (new, name) = match (register, part) {
            (Some(register), _) => (format!("{name} = {register}"), register),
            (None, SyntaxPart::Dst) => (String::from("result"), &String::from(name)),
            (None, _) => (format!("{name} result"), &String::from(name)),
        };
        rows.push(self.row(new, "result", part, |lane| {
            cell(&result.new, lane, result.old[lane] != result.new[lane])
        }));
        let old = format!("{name} {}", self.was());
        rows.push(self.row(old, "old", part, |lane| cell(&result.old, lane, false)));
    }

    /// What a source of a SASS instruction is.
    fn about_warp(&self, source: &LaneSource) -> String {
        let value = || source.shown.text(source.bits[0], source.ty);
        let text = match (&source.places, source.ty) {
            (_, None) => "one bit for each lane",
            (Some(_), _) if self.is_uniform(source) => {
                return format!("a uniform register, {}", value());
            }
            (Some(_), _) => "a register of each lane",
            (None, _) if self.is_uniform(source) => {
                return format!("the same for all lanes, {}", value());
            }
            (None, _) => "a value for each lane",
        };
        String::from(text)
    }

    /// Whether the one value that all lanes read is in [`OperandModel::about`]: that of a
    /// uniform register, or a constant.
    fn is_uniform(&self, source: &LaneSource) -> bool {
        let is_one = |all: &[u64]| all.iter().all(|each| *each == all[0]);
        source.ty.is_some()
            && match &source.places {
                Some(places) => self.has_lane_registers() && is_one(&places.addresses),
                None => is_one(&source.bits[..self.lanes()]),
            }
    }

    /// The computation of one lane in terms of the instruction's summary.
    fn equation(&self) -> Vec<Term> {
        let summary = self.instruction.spec().summary;
        let result = self.computation.results.first();
        let ty = result.and_then(|result| result.ty);
        let formula = summary
            .split_once(" = ")
            .map_or(summary, |(_, right)| right);
        let relation = self.operand_text(SyntaxPart::Operation, Style::Document);
        let formula = formula
            .replace("the type of dst", ty.map_or("bits", ElementType::name))
            .replace("relation", relation_sign(relation.trim_start_matches('.')))
            .replace(", for each lane", "");
        let mut terms = Vec::new();
        let mut rest = &*formula;
        while let Some(at) = rest.find("src") {
            let (text, from) = rest.split_at(at);
            let (name, after) = from.split_at(from.len().min(4));
            terms.push(Term::Text(String::from(text)));
            let mut sources = self.computation.sources.iter();
            let source = sources.find(|source| part_name(source.operand) == name);
            terms.push(match source {
                Some(source) => self.source_term(source),
                None => Term::Text(String::from(name)),
            });
            rest = after;
        }
        terms.push(Term::Text(String::from(rest)));
        for result in &self.computation.results {
            terms.push(Term::Text(match misfit(result, 0) {
                Some(misfit) => format!(" = {}, {} to ", misfit.text, fitting_word(misfit.fitting)),
                None => String::from(" = "),
            }));
            let name = result.names.first().cloned().unwrap_or_default();
            terms.push(Term::Value {
                part: result.operand,
                text: element(result.new[0], result.ty),
                about: name.clone(),
            });
            let old = element(result.old[0], result.ty);
            let was = self.was();
            terms.push(Term::Text(format!(" → {name} ({was} {old})")));
        }
        terms
    }

    /// Word before old values.
    const fn was(&self) -> &'static str {
        if self.is_done { "was" } else { "now" }
    }

    fn source_term(&self, source: &LaneSource) -> Term {
        let text = source
            .modified_text(0)
            .unwrap_or_else(|| element(source.bits[0], source.ty));
        let places = source.places.as_ref().filter(|_| source.ty.is_some());
        let about = places.map(|places| element_at(self.program, places.addresses[0]));
        Term::Value {
            part: source.operand,
            text,
            about: about.unwrap_or_else(|| self.operand_text(source.operand, Style::Document)),
        }
    }
}

fn is_register(space: SpaceId) -> bool {
    matches!(space.kind(), SpaceKind::Registers(_))
}

/// Name of a part, as in the summary of an instruction.
pub const fn part_name(part: SyntaxPart) -> &'static str {
    match part {
        SyntaxPart::Src0 => "src0",
        SyntaxPart::Src1 => "src1",
        SyntaxPart::Src2 => "src2",
        SyntaxPart::Src3 => "src3",
        SyntaxPart::Predicate => "predicate",
        SyntaxPart::Carry => "carry",
        SyntaxPart::Condition(_) => "predicate",
        _ => "dst",
    }
}

/// Exact result of a lane that does not fit the type of the destination.
fn misfit(result: &LaneResult, lane: usize) -> Option<&Unfitted> {
    let unfitted = result.unfitted.get(lane)?.as_ref();
    unfitted.filter(|unfitted| unfitted.fitting != Fitting::Exact)
}

const fn fitting_word(fitting: Fitting) -> &'static str {
    match fitting {
        Fitting::Exact => "",
        Fitting::Rounded => "rounded",
        Fitting::Clamped => "clamped",
        Fitting::Wrapped => "wrapped",
        Fitting::Flushed => "flushed to zero",
    }
}

fn relation_sign(relation: &str) -> &'static str {
    match relation {
        "eq" => "==",
        "ne" => "!=",
        "gt" => ">",
        "ge" => ">=",
        "lt" => "<",
        "le" => "<=",
        _ => "relation",
    }
}

/// Why a lane of a warp is not active: `it waits at line 12`; `None` if it is.
fn warp_reason(program: &Program, machine: &Machine, unit: Unit) -> Option<String> {
    let lanes = WarpLanes::load(machine, unit.thread);
    let is_in = |mask: u32| mask >> unit.lane & 1 == 1;
    let at = usize::from(unit.lane);
    let line = |pc: u32| program.line_at(pc).map_or(0, |line| line + 1);
    if !is_in(lanes.alive) {
        let was_dispatched = is_in(warp::dispatched(machine, unit.thread));
        let reason = match was_dispatched {
            true => "it has ended",
            false => "its block has no thread for it",
        };
        return Some(String::from(reason));
    }
    if is_in(lanes.active) {
        return None;
    }
    let pc = lanes.pcs[at];
    Some(match lanes.waits[at] {
        Wait::None => format!("it is at line {}", line(pc)),
        Wait::Convergence(barrier) => format!("it waits for B{barrier} at line {}", line(pc)),
        Wait::Block(_) => format!(
            "it waits at the barrier on line {}",
            line(pc.saturating_sub(1))
        ),
        Wait::Lanes(_) | Wait::Alone(_) | Wait::Token(_) | Wait::Phase(..) => {
            format!("it waits at line {}", line(pc))
        }
    })
}

/// An element; bits of a predicate have no type.
fn element(bits: u64, ty: Option<ElementType>) -> String {
    ty.map_or_else(|| bits.to_string(), |ty| show(bits, ty))
}

fn grf_bytes(program: &Program) -> u64 {
    u64::from(program.symbols.visa.grf_bytes())
}

/// Name of the element at a register byte: `V32[5]`, or `r4.12` outside variables.
fn element_at(program: &Program, address: u64) -> String {
    let name = program.symbols.visa.element_name(address);
    name.unwrap_or_else(|| {
        let grf = grf_bytes(program);
        format!("r{}.{}", address / grf, address % grf)
    })
}

/// `a constant, 3`; of a packed vector, its range of values.
fn constant_text(bits: &[u64], ty: ElementType) -> String {
    match bits {
        [first, rest @ ..] if rest.iter().any(|other| other != first) => {
            String::from("a constant with a value for each lane")
        }
        [first, ..] => format!("a constant, {}", show(*first, ty)),
        [] => String::from("a constant"),
    }
}

/// `A0[0] = 0x140 + 16 → V32[5]`.
fn path_text(program: &Program, path: &AddressPath) -> String {
    let sum = u64::from(path.value).wrapping_add_signed(path.offset.into());
    let offset = match path.offset {
        0 => String::new(),
        offset if offset < 0 => format!(" − {}", offset.unsigned_abs()),
        offset => format!(" + {offset}"),
    };
    let place = element_at(program, sum);
    format!("{} = {:#x}{offset} → {place}", path.name, path.value)
}

/// Describes the elements that a region selects.
fn about_region([vertical, width, horizontal]: [Option<u32>; 3], lanes: usize) -> String {
    let horizontal = horizontal.unwrap_or(0);
    let Some(width) = width.filter(|_| vertical.is_some()) else {
        return String::from("one address per row");
    };
    let vertical = vertical.unwrap_or(0);
    let is_one_row = width as usize >= lanes;
    match () {
        () if lanes == 1 => String::from("one element"),
        () if (vertical == 0 || is_one_row) && (horizontal == 0 || width == 1) => {
            String::from("one element, repeated for all lanes")
        }
        () if is_one_row || vertical == width * horizontal => about_stride(horizontal),
        () if width == 1 => about_stride(vertical),
        () if horizontal == 0 => {
            format!("each element {width} times, {vertical} elements apart")
        }
        () if vertical == 0 => format!("the same {width} elements for each row of lanes"),
        () => {
            let overlaps = vertical <= (width - 1) * horizontal;
            let overlap = if overlaps { ", overlapping" } else { "" };
            format!(
                "rows of {width}, {} apart, each {}{overlap}",
                counted(vertical, "element"),
                about_stride(horizontal)
            )
        }
    }
}

fn about_stride(stride: u32) -> String {
    match stride {
        1 => String::from("contiguous elements"),
        2 => String::from("every second element"),
        32 => String::from("every 32nd element"),
        stride => format!("every {stride}th element"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::texts;
    use alloc::rc::Rc;
    use lanewise_core::library::named;

    /// Model after some instructions of a text.
    fn after(text: &str, steps: usize) -> VectorModel {
        let program = Program::parse(text);
        assert!(program.can_run(), "{:?}", program.diagnostics);
        let mut session = Session::new(Rc::new(program));
        for _ in 0..steps {
            assert!(session.step());
        }
        VectorModel::of(&session).unwrap()
    }

    fn lanes_of(operand: &OperandModel) -> String {
        let lines = operand.lines.iter().map(|line| {
            let cells = line.cells.iter().map(|cell| match &*cell.lanes {
                "" => "·",
                lanes => lanes,
            });
            cells.collect::<Vec<_>>().join(" ")
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn row<'m>(model: &'m VectorModel, name: &str) -> Vec<&'m str> {
        let mut rows = model.threads[0].rows.iter();
        let cells = rows.find(|row| row.name == name).unwrap().cells.iter();
        cells
            .map(|cell| cell.as_ref().map_or("–", |cell| &cell.text))
            .collect()
    }

    #[test]
    fn strips_number_elements_by_lane() {
        let text = named("region-playground").unwrap().text;
        let source = |steps| after(text, steps).threads[0].operands[0].clone();
        let replicated = source(2);
        assert_eq!(lanes_of(&replicated), "· · · · · 0–15 · · · · · · · · · ·");
        assert_eq!(replicated.about, "one element, repeated for all lanes");
        let overlapping = source(3);
        assert!(lanes_of(&overlapping).starts_with("0 1,2 3,4 5,6 "));
        assert!(overlapping.about.ends_with("overlapping"));
        let strided = source(4);
        let lanes = "0 · 1 · 2 · 3 · 4 · 5 · 6 · 7 ·\n8 · 9 · 10 · 11 · 12 · 13 · 14 · 15 ·";
        assert_eq!(lanes_of(&strided), lanes);
        assert_eq!(strided.about, "every second element");
        assert_eq!(source(5).about, "a constant with a value for each lane");
    }

    #[test]
    fn values_that_do_not_fit_are_named() {
        let text = named("region-playground").unwrap().text;
        let wrapped = after(text, 6);
        assert_eq!(
            row(&wrapped, "as ub")[..4],
            ["wrapped", "wrapped", "wrapped", "–"]
        );
        assert_eq!(row(&wrapped, "result")[..4], ["253", "254", "255", "0"]);
        let clamped = after(text, 7);
        assert_eq!(row(&clamped, "src0")[..4], ["-3", "-2", "-1", "0"]);
        assert_eq!(
            row(&clamped, "as ub")[..4],
            ["clamped", "clamped", "clamped", "–"]
        );
    }

    #[test]
    fn indirect_operands_have_paths_and_scalars_an_equation() {
        let text = ".decl V32 v_type=G type=d num_elts=16 align=GRF\n\
            .decl A0 v_type=A num_elts=1\n.init em = 0xff\n.init V32 = iota(0, 1)\n\
            addr_add (M1, 1) A0(0)<1> &V32[16] 4:uw\n\
            mov (M1, 4) V32(1,0)<1> r[A0(0), 4]<1;1,0>:d\n\
            add (M1, 1) V32(0,0)<1> (-)V32(0,2)<0;1,0> 7:d\n";
        let indirect = after(text, 2);
        let source = &indirect.threads[0].operands[0];
        assert_eq!(source.paths, ["A0[0] = 0x14 + 4 → V32[6]"]);
        assert_eq!(lanes_of(source), "· · · · · · 0 1\n2 3 · · · · · ·");
        let scalar = after(text, 3);
        let terms = scalar.threads[0].equation.as_ref().unwrap().iter();
        let equation: String = terms
            .map(|term| match term {
                Term::Text(text) | Term::Value { text, .. } => &**text,
            })
            .collect();
        assert_eq!(equation, "-2 + 7 = 5 → V32[0] (was 0)");
    }

    #[test]
    fn a_warp_has_rows_of_sources_and_results() {
        let text = ".target sass SM80\n.init R2 = iota(0, 3)\n.init P0 = 0xfffffffe\n\
            .init R4 = splat(7)\n\
            @P0 IADD3 R4, R2, -0x1, RZ ;\nSHFL.BFLY PT, R5, R4, 0x1, 0x1f ;\n\
            ISETP.GT.AND P1, PT, R5, 0x4, PT ;\nVOTE.ANY R6, PT, P1 ;\n";
        let added = after(text, 1);
        let thread = &added.threads[0];
        assert_eq!(thread.formula.as_deref(), Some("d = a + b + c"));
        assert_eq!(row(&added, "a R2")[..3], ["0", "3", "6"]);
        assert_eq!(row(&added, "b -0x1")[..2], ["-1", "-1"]);
        let kinds = |model: &VectorModel| -> Vec<_> {
            let rows = model.threads[0].rows.iter();
            rows.map(|row| row.kind).collect()
        };
        let shown = ["source", "uniform", "uniform", "result", "old"];
        assert_eq!(kinds(&added), shown);
        assert_eq!(thread.operands[1].about, "the same for all lanes, -1");
        assert_eq!(row(&added, "d = R4")[..3], ["–", "2", "5"]);
        assert_eq!(row(&added, "R4 was")[..3], ["–", "7", "7"]);
        assert_eq!(thread.disabled, ["Lane 0 is disabled: guard @P0 is false."]);
        let rows = thread.export().rows;
        assert_eq!(texts(&rows[0])[1], "disabled: guard @P0 is false");
        let second = texts(&rows[1]);
        assert_eq!(second[..3], ["1", "yes", "3"]);
        assert!(second.contains(&"2 R4"), "{second:?}");
        let shuffled = after(text, 2);
        assert_eq!(row(&shuffled, "from lane")[..4], ["1", "0", "3", "2"]);
        assert_eq!(row(&shuffled, "d = R5")[..2], ["2", "7"]);
        let lanes = |model: &VectorModel| {
            let edges = model.threads[0].exchange.iter().flat_map(|own| &own.edges);
            let lanes: Vec<_> = edges.map(|edge| (edge.from.lane, edge.to.lane)).collect();
            lanes
        };
        assert_eq!(lanes(&shuffled)[..3], [(1, 0), (0, 1), (3, 2)]);
        assert!(lanes(&added).is_empty());
        let compared = after(text, 3);
        assert_eq!(row(&compared, "u = P1")[..2], ["0", "1"]);
        let voted = after(text, 4);
        assert_eq!(row(&voted, "p P1")[..2], ["0", "1"]);
        assert_eq!(row(&voted, "d = R6")[0], "0xfffffffe");
        assert_eq!(lanes(&voted)[..2], [(1, 1), (2, 2)], "bits of the result");
    }
}
