//! Hover: information about a position in a text.

use super::complete::{counted, shape};
use super::line::{Line, lexeme_at};
use super::topics::{key_of, name_of};
use crate::bits::{BitField, Field};
use crate::diagnostic::{Diagnostic, Severity, Span, to_u32};
use crate::isa::sass::op;
use crate::isa::sass::register::Register;
use crate::isa::visa::declarations::{Declarations, Symbol};
use crate::isa::visa::execution::MaskControl;
use crate::isa::visa::surface::Surface;
use crate::isa::{Instruction, NamedOperand, OperationRow, Spec, find_mnemonic};
use crate::number::{ElementType, little_endian};
use crate::program::{DIRECTIVES, Launch, LaunchConstant, Program, ProgramInstruction};
use crate::text::{Cursor, LexemeKind, SyntaxPart};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Information about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hover {
    pub span: Span,
    /// Short description in this context.
    pub title: String,
    /// Further statements, one per line.
    pub lines: Vec<String>,
    /// The encoding fields that it determines.
    pub fields: Vec<Field>,
    /// Keys of related entries of `topics`.
    pub topics: Vec<String>,
    /// Diagnostics at the position.
    pub diagnostics: Vec<HoverDiagnostic>,
}

/// A diagnostic at the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoverDiagnostic {
    pub severity: Severity,
    pub code: &'static str,
    /// The problem and its reason.
    pub message: String,
    pub help: String,
}

/// Returns information about byte `offset` of a text; `program` is the parsed text.
#[must_use]
pub fn hover(program: &Program, text: &str, offset: usize) -> Option<Hover> {
    let at = to_u32(text.floor_char_boundary(offset));
    let line = Line::at(text, offset);
    let mut found = Hover::default();
    if line.comment_at(text, at).is_none()
        && let Some(lexeme) = lexeme_at(&line.lexemes, at)
    {
        let place = HoverContext {
            program,
            text,
            line: &line,
            at,
            span: lexeme.span,
            word: lexeme.span.of(text),
        };
        found.span = lexeme.span;
        place.describe(&mut found);
    }
    let touches = |d: &&Diagnostic| d.span.start <= at && at <= d.span.end.max(d.span.start);
    for diagnostic in program.diagnostics.iter().filter(touches) {
        if found.title.is_empty() && found.diagnostics.is_empty() {
            found.span = diagnostic.span;
        }
        found.diagnostics.push(HoverDiagnostic {
            severity: diagnostic.severity(),
            code: diagnostic.rule.code,
            message: diagnostic.message(),
            help: diagnostic.help.clone(),
        });
        let key = format!("rule.{}", diagnostic.rule.code);
        if !found.topics.contains(&key) {
            found.topics.push(key);
        }
    }
    (!found.title.is_empty() || !found.diagnostics.is_empty()).then_some(found)
}

/// The hovered lexeme in its line.
pub(super) struct HoverContext<'a> {
    pub(super) program: &'a Program,
    text: &'a str,
    line: &'a Line,
    at: u32,
    span: Span,
    word: &'a str,
}

impl HoverContext<'_> {
    fn describe(&self, found: &mut Hover) {
        let mut cursor = self.line.cursor(self.text);
        if cursor.eat_punct('.').is_some() {
            self.directive(&mut cursor, found);
            return;
        }
        let placed = self.program.instructions.iter();
        let mut placed = placed.filter(|p| {
            let whole = p.spans.whole();
            whole.start <= self.span.start && self.span.end <= whole.end
        });
        match placed.next() {
            Some(placed) => self.part(placed, found),
            None => self.unread(&cursor, found),
        }
    }

    fn directive(&self, cursor: &mut Cursor<'_>, found: &mut Hover) {
        let (name, span) = cursor.name().unwrap_or_default();
        let known = DIRECTIVES
            .iter()
            .find(|d| d.name.eq_ignore_ascii_case(name));
        if self.span.start >= span.end && self.named(found) {
            return;
        }
        if let Some(directive) = known {
            found.title = format!(".{} {}", directive.name, directive.form);
            if self.span.start < span.end {
                found.span = Span::new(span.start.saturating_sub(1), span.end);
            }
            found.topics.push(format!("directive.{}", directive.name));
        }
    }

    /// Describes a part of a valid instruction.
    fn part(&self, placed: &ProgramInstruction, found: &mut Hover) {
        let instruction = &placed.instruction;
        let spec = instruction.spec();
        let inside = |span: Span| span.start <= self.span.start && self.span.end <= span.end;
        let parts = placed.spans.all().filter(|(_, span)| inside(*span));
        let part = parts.min_by_key(|(_, span)| span.end - span.start);
        let Some((part, span)) = part else {
            return;
        };
        found.span = span;
        let symbols = &self.program.symbols;
        if let (Instruction::Sass(sass), true) = (instruction, part != SyntaxPart::Opcode) {
            let letter = spec.letter(part);
            let text = span.of(self.text);
            let is_known = match sass.constant(part) {
                Some(place) => self.constant(text, place, found),
                None => self.named(found) || self.named_within(span, found),
            };
            found.title = match is_known {
                true => format!("{letter}: {}", found.title),
                false => format!("{letter}: {text}"),
            };
            found.span = span;
            found
                .lines
                .push(format!("{}: {}", sass.mnemonic(), sass.formula()));
            return;
        }
        let fields = instruction.fields(symbols).into_iter();
        found.fields = fields.filter(|field| field.part == part).collect();
        match part {
            SyntaxPart::Opcode => {
                mnemonic(spec, found);
                self.twin(span, found);
            }
            SyntaxPart::Operation => {
                if let Some(row) = instruction.operation_row() {
                    operation(spec, &row, found);
                }
            }
            _ => {
                let name = name_of(part);
                let row = spec.syntax.operands.iter().find(|o| o.part == part);
                let operand = row.is_some() || part == SyntaxPart::Predicate;
                if operand && span.of(self.text).eq_ignore_ascii_case(".E") {
                    found.title = format!("{name}: 64 bits, in a register pair");
                } else if operand && (self.named(found) || self.named_within(span, found)) {
                    found.title = format!("{name}: {}", found.title);
                    found.span = span;
                } else if let Some(meaning) = self.meaning(part, &found.fields) {
                    found.title = format!("{name}: {meaning}");
                } else {
                    found.title = format!("{name}: {}", span.of(self.text));
                }
                if let Some(row) = row {
                    found.lines.push(format!("{}: {}", row.name, row.what));
                }
                if part == SyntaxPart::Mask {
                    found.lines.push(self.lanes(placed));
                }
                found.topics.push(String::from(key_of(part)));
            }
        }
        if part != SyntaxPart::Opcode {
            found.topics.push(format!("instruction.{}", spec.name));
        }
    }

    /// The fields of a part with their meanings.
    fn meaning(&self, part: SyntaxPart, fields: &[Field]) -> Option<String> {
        let mut words = fields
            .iter()
            .filter(|f| f.part == part)
            .map(|f| match &*f.meaning {
                "" => format!("{}", f.bits),
                meaning => String::from(meaning),
            });
        let first = words.next()?;
        Some(words.fold(first, |all, word| format!("{all}, {word}")))
    }

    /// `lanes 0 to 7 are channels 4 to 11 of the execution mask`.
    fn lanes(&self, placed: &ProgramInstruction) -> String {
        let mask = placed.spans.of(SyntaxPart::Mask).of(self.text);
        let first = MaskControl::named(mask).map_or(0, MaskControl::offset);
        let lanes = placed.instruction.lanes();
        let (lanes, first) = (u32::from(lanes), u32::from(first));
        let last = lanes.saturating_sub(1);
        format!(
            "lanes 0 to {last} are channels {first} to {} of the execution mask",
            first + last
        )
    }

    /// Describes an invalid or skipped line.
    fn unread(&self, cursor: &Cursor<'_>, found: &mut Hover) {
        let family = self.program.symbols.target.family();
        let Some(span) = find_mnemonic(cursor, family) else {
            return;
        };
        let word = span.of(self.text);
        let chip = self.program.symbols.target.chip();
        let row = chip.and_then(|chip| op::named(word, chip));
        let row = row.map(|(row, _)| &row.spec);
        let spec = Instruction::named(family, word).or(row);
        let Some(spec) = spec else {
            self.named(found);
            return;
        };
        if self.span == span {
            mnemonic(spec, found);
            self.twin(span, found);
            return;
        }
        let rows = (spec.operations)();
        let row = rows.iter().find(|row| {
            row.name.eq_ignore_ascii_case(self.word)
                || row.assembler.eq_ignore_ascii_case(self.word)
        });
        match row {
            Some(row) if self.span.start > span.end => operation(spec, row, found),
            _ => {
                self.named(found);
            }
        }
    }

    /// Describes a name regardless of its use.
    fn named(&self, found: &mut Hover) -> bool {
        let word = self.word_of_operand();
        match self.program.symbols.named(word) {
            Some(NamedOperand::Symbol(symbol)) => self.symbol(word, symbol, found),
            Some(named) => lane_operand(word, named, found),
            None if word == "em" && self.program.symbols.target.facts().has_declarations => {
                found.title = String::from("em: the initial execution mask");
                found.topics.push(String::from("field.mask"));
            }
            None => {}
        }
        if found.title.is_empty() {
            self.keyword(word, found);
        }
        !found.title.is_empty()
    }

    /// Describes the first known name in a part.
    fn named_within(&self, span: Span, found: &mut Hover) -> bool {
        let lexemes = self.line.lexemes.iter();
        let mut inside = lexemes.filter(|l| span.start <= l.span.start && l.span.end <= span.end);
        inside.any(|lexeme| {
            let place = HoverContext {
                span: lexeme.span,
                word: lexeme.span.of(self.text),
                ..*self
            };
            lexeme.kind == LexemeKind::Name && place.named(found)
        })
    }

    /// The word itself, or the name before an offset or region.
    fn word_of_operand(&self) -> &str {
        let is_name =
            |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic() || "_%$".contains(c));
        if is_name(self.word) {
            return self.word;
        }
        let before = self.line.lexemes.iter().rev();
        let mut start = self.span.start;
        for lexeme in before.filter(|l| l.span.end <= self.at.max(self.span.start)) {
            if lexeme.span.end != start {
                break;
            }
            let word = lexeme.span.of(self.text);
            if is_name(word) {
                return word;
            }
            start = lexeme.span.start;
        }
        self.word
    }
}

fn mnemonic(spec: &'static Spec, found: &mut Hover) {
    found.title = String::from(spec.name);
    found.lines.push(String::from(spec.summary));
    if let Some(row) = op::of_spec(spec) {
        // The text of the row is short: no topic is needed.
        let facts = spec.facts.iter();
        found
            .lines
            .extend(facts.map(|fact| String::from(fact.text)));
        found.lines.push(format!("on {}", row.era.chips()));
        return;
    }
    found.topics.push(format!("instruction.{}", spec.name));
}

fn operation(spec: &'static Spec, row: &OperationRow, found: &mut Hover) {
    found.title = format!("{}: {}", row.name, row.formula);
    if row.assembler != row.name {
        let what = format!("spelled {} by the real assembler", row.assembler);
        found.lines.push(what);
    }
    found.lines.push(format!("types: {}", row.types));
    found.lines.push(format!("returns: {}", row.returns));
    found
        .topics
        .push(format!("operation.{}.{}", spec.name, row.name));
}

// Names.

impl HoverContext<'_> {
    fn symbol(&self, word: &str, symbol: Symbol, found: &mut Hover) {
        let symbols = &self.program.symbols.visa;
        match symbol {
            Symbol::General(0) => {
                found.title = format!("{word}: the null variable, for an unused operand");
            }
            Symbol::General(id) => self.general(word, id, symbols, found),
            Symbol::Predicate(id) => {
                let predicate = symbols.predicate_variable(id);
                let elements = predicate.expect("its name is declared").elements;
                let lanes = counted(u64::from(elements), "lane");
                found.title = format!("{word}: predicate, {lanes}{}", self.each_eu());
                found
                    .topics
                    .push(String::from(key_of(SyntaxPart::Predicate)));
            }
            Symbol::Address(id) => {
                let address = symbols.address_variable(id);
                let elements = address.expect("its name is declared").elements;
                let count = counted(u64::from(elements), "element");
                found.title = format!("{word}: address variable, {count}{}", self.each_eu());
            }
            Symbol::Surface(index) => {
                let surface = Surface(index);
                let what = surface.meaning(&self.program.symbols.visa);
                found.title = match what.split_once(": ") {
                    Some((_, what)) => format!("{word}: surface {index}, {what}"),
                    None => format!("{word}: surface {index}"),
                };
                let space = self.program.start.space(surface.space());
                for (start, bytes) in space.regions() {
                    let bytes = counted(bytes, "byte");
                    found.lines.push(format!("{bytes} at {start:#x}"));
                }
                found.topics.push(String::from(key_of(SyntaxPart::Surface)));
            }
            Symbol::Sampler(index) => {
                found.title = format!("{word}: sampler {index}");
            }
        }
    }

    fn general(&self, word: &str, id: u32, symbols: &Declarations, found: &mut Hover) {
        let Some(variable) = symbols.general(id) else {
            return;
        };
        let kind = if variable.predefined {
            "predefined variable"
        } else {
            "general variable"
        };
        found.title = format!("{word}: {kind}, {}{}", shape(&variable), self.each_eu());
        let first = variable.offset / symbols.grf_bytes();
        let end = variable.offset + variable.bytes().max(1);
        let last = (end - 1) / symbols.grf_bytes();
        found.lines.push(match first == last {
            true => format!("variable {id}, byte {} of the registers", variable.offset),
            false => format!(
                "variable {id}, {} from byte {}",
                counted(u64::from(last - first + 1), "register"),
                variable.offset
            ),
        });
        if let Some(base) = variable.alias.and_then(|of| symbols.general(of)) {
            let from = variable.offset - base.offset;
            found.lines.push(format!(
                "shares the bytes of {} from byte {from}",
                base.name
            ));
        }
    }

    /// Note that each EU has its own instance, if both run.
    fn each_eu(&self) -> &'static str {
        match self.program.threads {
            2 => ", separate for EU0 and EU1",
            _ => "",
        }
    }

    /// Describes a constant of the launch.
    fn constant(&self, text: &str, (bank, offset): (u8, u32), found: &mut Hover) -> bool {
        let launch = self.program.launch.as_ref().filter(|_| bank == 0);
        let constants = launch.map(Launch::constants).unwrap_or_default();
        let is_in = |constant: &&LaunchConstant| {
            let bytes = to_u32(constant.bytes.len());
            (constant.offset..constant.offset + bytes).contains(&offset)
        };
        let Some(constant) = constants.iter().find(is_in) else {
            return false;
        };
        found.title = format!("{text}: {}", constant.what);
        let value = little_endian(&constant.bytes);
        let upper = match offset - constant.offset {
            0 => "",
            _ => ", of which this is the upper part",
        };
        found.lines.push(format!("value {value:#x}{upper}"));
        true
    }

    /// Says that a written opcode is the uniform twin of its row.
    fn twin(&self, opcode: Span, found: &mut Hover) {
        let word = opcode.of(self.text).split('.').next().unwrap_or("");
        if let Some(chip) = self.program.symbols.target.chip()
            && let Some((row, true)) = op::named(word, chip)
        {
            let name = row.spec.name;
            found.title = format!("{word}: {name} on uniform registers");
        }
    }

    /// Describes words with a context-independent meaning.
    pub(super) fn keyword(&self, word: &str, found: &mut Hover) {
        if let Some(ty) = ElementType::named(word) {
            let kind = match ty {
                ElementType::Bf => "bfloat16",
                _ if ty.is_float() => "float",
                _ if ty.is_signed() => "signed",
                _ => "unsigned",
            };
            found.title = format!("{word}: {kind}, {} bits", ty.bits());
        } else if let Some(mask) = MaskControl::named(word) {
            found.title = mask.meaning(&self.program.symbols.visa);
            found.topics.push(String::from(key_of(SyntaxPart::Mask)));
        }
    }
}

/// Describes an operand with a value for each lane.
fn lane_operand(word: &str, named: NamedOperand, found: &mut Hover) {
    let lanes = "of each of the 32 lanes";
    let is_zero = named == NamedOperand::Register(Register::ZERO) || word == "URZ";
    found.title = match named {
        _ if is_zero => format!("{word}: reads as 0, discards writes"),
        NamedOperand::Uniform => format!("{word}: a uniform register, one for all lanes"),
        NamedOperand::Predicate(predicate) if predicate.is_true() => {
            format!("{word}: always true")
        }
        NamedOperand::Predicate(_) => format!("{word}: a predicate, one bit {lanes}"),
        _ => format!("{word}: a 32-bit register {lanes}"),
    };
    if let NamedOperand::Register(register) = named
        && register.starts_pair()
    {
        let next = Register(register.0.saturating_add(1)).name();
        found.lines.push(format!(
            "pairs with {next} for 64-bit values: {word} is the low word, {next} the high word"
        ));
    }
}
