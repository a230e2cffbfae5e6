//! Rewriting of `.init` lines.

use super::place::{NewInit, ValueNotation, address_of, count, element_at, target};
use super::{CellPart, WRITTEN_OUT, line_after, literal, value_places};
use crate::diagnostic::{Edit, Span, to_usize};
use crate::number::{ElementType, low_mask};
use crate::program::init::Init;
use crate::program::place::InitTarget;
use crate::program::{Program, pointer_text};
use crate::text::{Lexeme, LexemeKind, Rewritten};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Collects edits of a text.
pub(super) struct Edits<'t> {
    program: &'t Program,
    text: &'t str,
    lexemes: &'t [Lexeme],
    spelling: &'t str,
    /// Type of the value as typed.
    ty: ElementType,
    /// The cell with its new value.
    cell: CellPart,
    edits: Vec<Edit>,
}

impl<'t> Edits<'t> {
    pub(super) const fn new(
        program: &'t Program,
        text: &'t str,
        lexemes: &'t [Lexeme],
        spelling: &'t str,
        (ty, cell): (ElementType, CellPart),
    ) -> Self {
        Self {
            program,
            text,
            lexemes,
            spelling,
            ty,
            cell,
            edits: Vec::new(),
        }
    }

    /// Changes bytes set by a line.
    pub(super) fn change(&mut self, index: usize, pieces: &[CellPart]) -> Option<()> {
        let program = self.program;
        let init = program.inits.get(index)?;
        let fill = init.values.len().is_none();
        let count = count(program, init);
        if fill && matches!(init.place, InitTarget::Memory(..)) && count > WRITTEN_OUT {
            return self.add(Some(index), pieces);
        }
        let (spans, whole) = value_places(self.text, self.lexemes, init.target)?;
        let space = self.cell.space;
        let mut elements = Vec::new();
        for byte in pieces.iter().flat_map(|p| p.address..p.end()) {
            let element = element_at(program, init, space, byte)?;
            if elements.last() != Some(&element) {
                elements.push(element);
            }
        }
        let values: Vec<u64> = init
            .values
            .elements(init.ty)
            .take(to_usize(u32::try_from(count).ok()?))
            .collect();
        let width = u64::from(init.ty.bytes());
        let changed = |element: u64| {
            let value = values.get(usize::try_from(element).ok()?).copied()?;
            let address = address_of(program, init, element);
            Some(put_all(pieces, value, address, width))
        };
        // The new values and their spans.
        let (at, new) = if fill {
            let hex = has_bits(whole.of(self.text));
            let now = (0..).zip(&values).map(|(i, value)| match i {
                i if elements.contains(&i) => changed(i).unwrap_or(*value),
                _ => *value,
            });
            let mut now: Vec<u64> = now.collect();
            // Omitted elements are zero, except in memory, where they are unchanged.
            if !matches!(init.place, InitTarget::Memory(..)) {
                cut_zeros(&mut now);
            }
            let words = (0..).zip(now).map(|(i, value)| {
                let own = elements.contains(&i);
                self.word(init, value, hex, own)
            });
            (whole, join(words)?)
        } else {
            let mut words: Vec<String> = spans
                .iter()
                .map(|place| String::from(place.of(self.text)))
                .collect();
            let hex = words.iter().any(|word| word.starts_with("0x"));
            for element in elements {
                let value = changed(element)?;
                let element = usize::try_from(element).ok()?;
                while words.len() <= element {
                    words.push(self.word(init, 0, false, false)?);
                }
                let old = words.get_mut(element)?;
                // A plain 0 does not contradict hexadecimal notation.
                let bits = old.starts_with("0x") || hex && old == "0";
                *old = self.word(init, value, bits, true)?;
            }
            if spans.len() == words.len() && !self.is_split(init) {
                // One by one, to preserve comments and alignment.
                for (place, word) in spans.iter().zip(&words) {
                    if place.of(self.text) != word {
                        self.edit(*place, word.clone());
                    }
                }
                return Some(());
            }
            (whole, words.join(", "))
        };
        if self.is_split(init) {
            return self.split(init, at, &new);
        }
        self.edit(at, new);
        Some(())
    }

    /// Whether a line sets both EUs but only one is to change.
    fn is_split(&self, init: &Init) -> bool {
        let memory = matches!(init.place, InitTarget::Memory(..));
        self.program.threads == 2 && init.eu.is_none() && !memory
    }

    /// Splits a line for both EUs into one line per EU.
    fn split(&mut self, init: &Init, at: Span, new: &str) -> Option<()> {
        let old = at.of(self.text);
        let (of0, of1) = match self.cell.space.eu() {
            Some(1) => (old, new),
            _ => (new, old),
        };
        let start = init.target.start;
        let line = format!(".init EU1.{} = {of1}", init.name);
        self.edit(Span::new(start, start), String::from("EU0."));
        self.edit(at, String::from(of0));
        self.insert(init.target, &line);
        Some(())
    }

    /// Adds an edit; edits at the same position keep their order.
    fn edit(&mut self, span: Span, replacement: String) {
        let at = self
            .edits
            .partition_point(|other| other.span.start <= span.start);
        self.edits.insert(at, Edit { span, replacement });
    }

    fn insert(&mut self, after: Span, line: &str) {
        let (at, line) = new_line(line_after(self.text, self.lexemes, after.start), line);
        self.edit(at, line);
    }

    /// Formats an element of a list.
    fn word(&self, init: &Init, bits: u64, hex: bool, own: bool) -> Option<String> {
        let style = match init.place {
            InitTarget::Flags(_) => ValueNotation::Mask,
            InitTarget::Address(_) => ValueNotation::Pointers,
            _ => ValueNotation::Values,
        };
        self.styled(bits, init.ty, hex, own, style)
    }

    fn styled(
        &self,
        bits: u64,
        ty: ElementType,
        hex: bool,
        own: bool,
        style: ValueNotation,
    ) -> Option<String> {
        match style {
            ValueNotation::Pointers => {
                let text = pointer_text(&self.program.symbols.visa, u32::try_from(bits).ok()?);
                text.starts_with('&').then_some(text)
            }
            ValueNotation::Mask => Some(literal(
                bits,
                ty,
                true,
                if own { self.spelling } else { "" },
            )),
            ValueNotation::Values => {
                // Signs and fractions of another type would be invalid.
                let same = own && self.ty.bytes() == ty.bytes();
                let spelling = if same { self.spelling } else { "" };
                Some(literal(bits, ty, hex, spelling))
            }
        }
    }

    /// Adds a line for bytes that no line sets, or that line `above` sets, which is kept
    /// and must precede it.
    pub(super) fn add(&mut self, above: Option<usize>, pieces: &[CellPart]) -> Option<()> {
        for piece in pieces {
            if !self.append(above, *piece)? {
                self.add_line(*piece)?;
            }
        }
        Some(())
    }

    fn add_line(&mut self, piece: CellPart) -> Option<()> {
        let program = self.program;
        let target = target(program, piece.space, piece.address, piece.bytes, self.ty)?;
        let words = self.values(&target)?;
        let line = format!(".init {} = {words}", target.name);
        // Keep the lines of this edit in order.
        let (at, line) = new_line(init_place(self.text, self.lexemes), &line);
        // Add a line for a whole variable only once.
        let is_added = |edit: &Edit| edit.span.start == at.start && edit.replacement == line;
        if !self.edits.iter().any(is_added) {
            self.edit(at, line);
        }
        Some(())
    }

    fn values(&self, target: &NewInit) -> Option<String> {
        let width = u64::from(target.ty.bytes());
        let start = self.program.start.space(target.space);
        let cell = &self.cell;
        let touched = |address: u64| address < cell.end() && cell.address < address + width;
        let values = target.addresses.iter().map(|address| {
            let now = start.load(*address, target.ty.bytes());
            let now = now.expect("initialized bytes are mapped");
            cell.put_into(now, *address, width)
        });
        let mut values: Vec<u64> = values.collect();
        cut_zeros(&mut values);
        let words = values
            .iter()
            .zip(&target.addresses)
            .map(|(value, at)| self.styled(*value, target.ty, false, touched(*at), target.style));
        join(words)
    }

    /// Appends a value to a list for memory that ends where the bytes start.
    fn append(&mut self, above: Option<usize>, piece: CellPart) -> Option<bool> {
        let program = self.program;
        let from = above.map_or(0, |index| index + 1);
        let lines = program.inits.iter().skip(from);
        let mut lines = lines.filter(|init| {
            let ends = match init.place {
                InitTarget::Memory(space, _)
                    if space == piece.space && init.values.len().is_some() =>
                {
                    address_of(program, init, count(program, init))
                }
                _ => return false,
            };
            ends == piece.address && init.ty == self.ty && u64::from(init.ty.bytes()) == piece.bytes
        });
        let Some(init) = lines.next() else {
            return Some(false);
        };
        let (_, whole) = value_places(self.text, self.lexemes, init.target)?;
        let hex = has_bits(whole.of(self.text));
        let word = self.word(init, piece.bits & low_mask(init.ty.bits()), hex, true)?;
        let end = Span::new(whole.end, whole.end);
        self.edit(end, format!(", {word}"));
        Some(true)
    }

    /// Applies the edits.
    pub(super) fn finish(self) -> Rewritten {
        Rewritten::new(self.text, &self.edits)
    }
}

/// Replaces the bytes of a value that overlap the parts.
fn put_all(pieces: &[CellPart], value: u64, address: u64, bytes: u64) -> u64 {
    let put = |value, piece: &CellPart| piece.put_into(value, address, bytes);
    pieces.iter().fold(value, put)
}

/// Place and text that insert a line at a position; the flag says whether a line ends there.
pub(crate) fn new_line((at, ended): (u32, bool), line: &str) -> (Span, String) {
    let line = match ended {
        true => format!("{line}\n"),
        false => format!("\n{line}"),
    };
    (Span::new(at, at), line)
}

/// Position of a new `.init` line, and whether a line ends there: after the last `.init`
/// or declaration, or else after the directives at the top.
pub(crate) fn init_place(text: &str, lexemes: &[Lexeme]) -> (u32, bool) {
    let mut last = None;
    let mut top = true;
    for line in lexemes.split(|l| l.kind == LexemeKind::LineEnd) {
        let Some(first) = line.first() else { continue };
        let name = line.get(1).map_or("", |l| l.span.of(text));
        let directive = first.kind == LexemeKind::Punct('.');
        top &= directive;
        let wanted = ["init", "decl"]
            .iter()
            .any(|word| name.eq_ignore_ascii_case(word));
        // An order belongs to the following line.
        if directive && (wanted || top && !name.eq_ignore_ascii_case("order")) {
            last = Some(first.span);
        }
    }
    match last {
        Some(span) => line_after(text, lexemes, span.start),
        None => (0, true),
    }
}

/// Whether a list contains a hexadecimal value.
fn has_bits(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair == b"0x")
}

/// Formats a list without trailing zeros, but with at least one element.
fn cut_zeros(values: &mut Vec<u64>) {
    let used = values.iter().rposition(|value| *value != 0);
    values.truncate(used.map_or(1, |last| last + 1));
}

fn join(words: impl Iterator<Item = Option<String>>) -> Option<String> {
    words
        .collect::<Option<Vec<String>>>()
        .map(|words| words.join(", "))
}
