//! Completion of vISA instructions.

use super::super::line::count_operands;
use super::CompletionContext;
use super::offer::Offer;
use super::words::{Template, counted, shape};
use crate::bits::BitField;
use crate::diagnostic::to_usize;
use crate::isa::schema::Form;
use crate::isa::visa::declarations::Symbol;
use crate::isa::visa::execution::MaskControl;
use crate::isa::visa::op::FlowKind;
use crate::isa::visa::predefined::{SURFACES, VARIABLES};
use crate::isa::visa::surface::Surface;
use crate::isa::{Instruction, Spec, Style};
use crate::text::{Lexeme, LexemeKind, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) fn offer(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let mut at = 0;
    if context.nth(0) == "(" {
        let close = context
            .before
            .lexemes
            .iter()
            .position(|l| l.span.of(context.text) == ")");
        let Some(close) = close else {
            predicates(context, offer);
            return;
        };
        at = close + 1;
    }
    let style = if context.documents() {
        Style::Document
    } else {
        Style::Assembler
    };
    let line = At {
        context,
        style,
        first: at,
    };
    if context.before.lexemes.len() == at {
        line.mnemonics(offer);
        return;
    }
    let Some(spec) = Instruction::named(context.family(), context.nth(at)) else {
        return;
    };
    let Some(template) = Template::of(spec, 0, context.symbols(), style) else {
        return;
    };
    let mut open = context.before.lexemes.iter().skip(at);
    let open = open.position(|l| l.kind == LexemeKind::Punct('('));
    let Some(open) = open.map(|open| at + open) else {
        if context.glued() {
            line.suffixes(spec, &template, offer);
        } else {
            line.sizes(&template, offer);
        }
        return;
    };
    let inside = context.before.lexemes.get(open..);
    let inside = inside.expect("it was found there");
    match inside.iter().position(|l| l.kind == LexemeKind::Punct(')')) {
        None => line.inside_size(&template, offer),
        Some(close) => line.operands(spec, &template, open + close + 1, offer),
    }
}

/// Execution sizes, the usual ones first.
const SIZES: [u64; 6] = [8, 16, 1, 2, 4, 32];

/// A position in an instruction.
struct At<'p, 'a> {
    context: &'p CompletionContext<'a>,
    style: Style,
    /// Index of the mnemonic among the lexemes.
    first: usize,
}

impl At<'_, '_> {
    fn mnemonics(&self, offer: &mut Offer<'_, '_>) {
        let symbols = &self.context.symbols().visa;
        for spec in Instruction::specs(self.context.family()) {
            // Labels and directives are offered elsewhere.
            let is_word = spec.name.starts_with(|c: char| c.is_ascii_alphanumeric());
            if !is_word || self.first > 0 && !spec.syntax.predicate {
                continue;
            }
            let Some(template) = Template::of(spec, 0, self.context.symbols(), self.style) else {
                continue;
            };
            let name = spec.mnemonic(self.style);
            let suffix = template.suffixes();
            let operands = template.operands_from(0, " ");
            let rest = format!("{suffix} {}{operands}", template.size);
            offer.try_word(name, spec.name, TokenClass::Mnemonic, &[&rest]);
        }
        if self.first == 0 {
            let rests = predicated(self.context, "");
            let rests: Vec<&str> = rests.iter().map(|r| &**r).collect();
            for predicate in self.context.known(symbols.predicates()) {
                let label = format!("({})", predicate.name);
                offer.try_guard(&label, "lanes whose bit is set", &rests);
            }
        }
    }

    /// Offers suffixes by the schema.
    fn suffixes(&self, spec: &'static Spec, template: &Template, offer: &mut Offer<'_, '_>) {
        if self.context.back(1) != "." {
            return;
        }
        let after = self.context.before.lexemes.iter().skip(self.first + 1);
        let dots = after.filter(|l| l.kind == LexemeKind::Punct('.')).count();
        let Some(suffix) = spec.syntax.suffixes.get(dots - 1) else {
            return;
        };
        // The default instruction from the next suffix.
        let segments = template.lead.split('.').skip(dots + 1);
        let mut rest: String = segments.map(|s| format!(".{s}")).collect();
        rest.push(' ');
        rest.push_str(&template.size);
        rest.push_str(&template.operands_from(0, " "));
        for (word, what) in suffix.words(spec, self.style) {
            let what = if what.is_empty() { suffix.what } else { &what };
            offer.try_word(word, what, TokenClass::Suffix, &[&rest]);
        }
    }

    /// Offers complete execution sizes such as `(M1, 8)`.
    fn sizes(&self, template: &Template, offer: &mut Offer<'_, '_>) {
        let operands = template.operands_from(0, " ");
        for lanes in SIZES {
            let label = match self.style {
                Style::Document => format!("({lanes})"),
                Style::Assembler => format!("(M1, {lanes})"),
            };
            let what = counted(lanes, "lane");
            offer.try_word(&label, &what, TokenClass::Number, &[&operands]);
        }
    }

    /// Offers mask controls and numbers of lanes.
    fn inside_size(&self, template: &Template, offer: &mut Offer<'_, '_>) {
        let operands = template.operands_from(0, " ");
        let rest = format!("){operands}");
        let masks = self.context.back(1) == "(";
        let is_open = |l: &&Lexeme| l.kind == LexemeKind::Punct('(');
        if !masks && let Some(open) = self.context.before.lexemes.iter().rfind(is_open) {
            // A high mask offset leaves no room for lanes.
            offer.together_with(open.span.end);
        }
        if masks || self.context.back(1) == "," {
            for lanes in SIZES {
                let what = counted(lanes, "lane");
                offer.try_word(&format!("{lanes}"), &what, TokenClass::Number, &[&rest]);
            }
        }
        if masks {
            let comma = self.context.after.trim_start().starts_with(',');
            // Not every instruction accepts a single lane.
            let rests = [1, 8].map(|lanes| format!("{lanes}{rest}"));
            let rests = match comma {
                true => rests.map(|rest| format!(", {rest}")),
                false => rests,
            };
            let rests = rests.each_ref().map(|rest| &**rest);
            for mask in (0..16).filter_map(MaskControl::from_bits) {
                let name = mask.name();
                let what = mask.meaning(&self.context.symbols().visa);
                let what = what.split_once(": ").map_or("", |(_, what)| what);
                let insert = match comma {
                    true => String::from(name),
                    false => format!("{name}, "),
                };
                offer.try_insert(name, &insert, what, TokenClass::Keyword, &rests);
            }
        }
    }

    fn operands(
        &self,
        spec: &'static Spec,
        template: &Template,
        from: usize,
        offer: &mut Offer<'_, '_>,
    ) {
        let lexemes = self.context.before.lexemes.get(from..);
        let lexemes = lexemes.expect("a parenthesis was found before");
        let (started, depth) = count_operands(lexemes);
        let modifier = self.context.back(1) == ")" && self.context.glued() && {
            // `(-)V38`: the variable belongs to the modifier.
            matches!(self.context.back(2), "-" | "abs")
        };
        if depth > 0 {
            return;
        }
        let index = if self.context.glued() && !lexemes.is_empty() {
            if !modifier {
                self.offsets(template, started, offer);
                return;
            }
            started - 1
        } else {
            started
        };
        let operand = spec.syntax.operands.get(index);
        let Some((operand, (_, plain))) = operand.zip(template.operands.get(index)) else {
            return;
        };
        let rest = template.operands_from(index + 1, " ");
        match operand.form {
            Form::Surface => self.surfaces(&rest, offer),
            Form::Label => self.labels(spec, &rest, offer),
            form => self.variables(form, plain, self.lanes(from), &rest, offer),
        }
    }

    /// Execution size, the number before the parenthesis that ends at a lexeme.
    fn lanes(&self, end: usize) -> u32 {
        let number = end.checked_sub(2);
        let number = number.and_then(|at| self.context.before.lexemes.get(at));
        let lanes = number.map(|number| number.span.of(self.context.text).parse());
        lanes.and_then(Result::ok).unwrap_or(1)
    }

    /// Offers byte offsets after a dot: the starts of the variable's registers.
    fn offsets(&self, template: &Template, started: usize, offer: &mut Offer<'_, '_>) {
        let symbols = &self.context.symbols().visa;
        if self.context.back(1) != "." {
            return;
        }
        let Some(Symbol::General(id)) = symbols.symbol(self.context.back(2)) else {
            return;
        };
        let Some(variable) = symbols.general(id) else {
            return;
        };
        let rest = template.operands_from(started, " ");
        let registers = variable.bytes().div_ceil(symbols.grf_bytes()).clamp(1, 64);
        for register in 0..registers {
            let offset = register * symbols.grf_bytes();
            let what = format!("register {register} of {}", variable.name);
            offer.try_word(&format!("{offset}"), &what, TokenClass::Number, &[&rest]);
        }
    }

    fn surfaces(&self, rest: &str, offer: &mut Offer<'_, '_>) {
        let symbols = &self.context.symbols().visa;
        for surface in self.context.known(symbols.surfaces()) {
            let what = "a declared buffer";
            offer.try_word(&surface.name, what, TokenClass::Surface, &[rest]);
        }
        for index in (0..).take(SURFACES.len()) {
            let surface = Surface(index);
            let mut name = String::new();
            surface.print(symbols, self.style, &mut name);
            let what = surface.meaning(&self.context.symbols().visa);
            let what = what.split_once(": ").map_or("", |(_, what)| what);
            offer.try_word(&name, what, TokenClass::Surface, &[rest]);
        }
    }

    /// Offers the subroutines to a call, and the other labels to a branch.
    fn labels(&self, spec: &'static Spec, rest: &str, offer: &mut Offer<'_, '_>) {
        let program = self.context.program;
        let default = Instruction::default_for_opcode(spec, 0);
        let branch = default.as_ref().and_then(|default| default.branch());
        let calls = branch.is_some_and(|branch| branch.kind == FlowKind::Call);
        let labels = program.labels();
        for (label, index) in labels.filter(|(l, _)| program.is_function(*l) == calls) {
            let Some(name) = program.symbols.visa.label_name(label) else {
                continue;
            };
            let next = program.instructions.get(to_usize(index));
            let what = match next {
                Some(next) => format!("continues at line {}", next.line + 1),
                None => String::from("end of the program"),
            };
            offer.try_word(name, &what, TokenClass::Variable, &[rest]);
        }
    }

    /// Offers variables in the form of the operand.
    fn variables(
        &self,
        form: Form,
        plain: &str,
        lanes: u32,
        rest: &str,
        offer: &mut Offer<'_, '_>,
    ) {
        let symbols = &self.context.symbols().visa;
        let own = self.context.after;
        // The offset or region is already present.
        let placed = own.starts_with(['.', '(', '<']);
        let null = match self.style {
            Style::Document => "V0",
            Style::Assembler => "%null",
        };
        let place = match placed {
            true => "",
            false => {
                let name = plain.find(['.', '(', '<']).unwrap_or(plain.len());
                plain.split_at(name).1
            }
        };
        let rest = match placed {
            true => own,
            false => rest,
        };
        for (id, variable) in symbols.generals() {
            if !self.context.knows(variable.span) {
                continue;
            }
            let general = symbols.general(id);
            let what = general.map_or_else(String::new, |v| shape(&v));
            // One element for each lane, if there are as many.
            let is_vector = form != Form::Scalar && lanes > 1;
            let insert = match general {
                Some(own) if is_vector && own.elements >= lanes => {
                    format!("{}{}", variable.name, place.replace("<0;1,0>", "<1;1,0>"))
                }
                _ => format!("{}{place}", variable.name),
            };
            offer.try_word(&insert, &what, TokenClass::Variable, &[rest]);
        }
        let insert = format!("{null}{place}");
        offer.try_word(&insert, "unused operand", TokenClass::Variable, &[rest]);
        if form == Form::Scalar {
            for address in self.context.known(symbols.addresses()) {
                let insert = format!("r[{}(0),0]{}:uq", address.name, "<0;1,0>");
                let what = "through an address variable";
                offer.try_word(&insert, what, TokenClass::Variable, &[rest]);
            }
        }
        for variable in VARIABLES.iter().skip(1) {
            let insert = format!("{}{place}", variable.name);
            let elements = u64::from(variable.elements);
            let what = format!("predefined, {} × {elements}", variable.ty.name());
            offer.try_word(&insert, &what, TokenClass::Variable, &[rest]);
        }
        let name = self.context.word.of(self.context.text);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if is_name && symbols.symbol(name).is_none() {
            offer.try_declaration(name, place, rest);
        }
    }
}

// Predicates.

/// The default instructions that accept a predicate, after `lead`.
pub(super) fn predicated(context: &CompletionContext<'_>, lead: &str) -> Vec<String> {
    let specs = Instruction::specs(context.family()).filter(|spec| spec.syntax.predicate);
    let template =
        specs.filter_map(|spec| Template::of(spec, 0, context.symbols(), Style::Assembler));
    template
        .map(|template| format!("{lead}{}", template.whole()))
        .collect()
}

/// `(P1`, `(!P1.any`.
pub(super) fn predicates(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let rests = predicated(context, ") ");
    let rests: Vec<&str> = rests.iter().map(|r| &**r).collect();
    if context.back(1) == "." {
        for (word, what) in [
            ("any", "all lanes if any bit is set"),
            ("all", "all lanes if every bit is set"),
        ] {
            offer.try_word(word, what, TokenClass::Keyword, &rests);
        }
        return;
    }
    bare_predicates(context, &rests, offer);
}

fn bare_predicates(context: &CompletionContext<'_>, rests: &[&str], offer: &mut Offer<'_, '_>) {
    for predicate in context.known(context.symbols().visa.predicates()) {
        let what = counted(u64::from(predicate.elements), "lane");
        offer.try_word(&predicate.name, &what, TokenClass::Predicate, rests);
    }
}

/// Offers what `.init` can set.
pub(super) fn places(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let symbols = &context.symbols().visa;
    let rests = [" = 0"];
    for (id, variable) in symbols.generals() {
        if context.knows(variable.span) {
            let what = symbols.general(id).map_or_else(String::new, |v| shape(&v));
            offer.try_word(&variable.name, &what, TokenClass::Variable, &rests);
        }
    }
    bare_predicates(context, &rests, offer);
    for address in context.known(symbols.addresses()) {
        let what = counted(u64::from(address.elements), "address");
        offer.try_word(&address.name, &what, TokenClass::Variable, &[" = &%r0"]);
    }
    let what = "the initial execution mask";
    offer.try_word("em", what, TokenClass::Predicate, &rests);
    if context.is_behind_dot() {
        return;
    }
    let memory = |name: &str, at: &str, what: &str, offer: &mut Offer<'_, '_>| {
        let insert = match context.after.starts_with('[') {
            true => String::from(name),
            false => format!("{name}[{at}] : ud = "),
        };
        offer.try_insert(name, &insert, what, TokenClass::Surface, &["0"]);
    };
    memory("slm", "0", "shared local memory", offer);
    memory("svm", "0x10000", "virtual memory", offer);
    for surface in context.known(symbols.surfaces()) {
        memory(&surface.name, "0", "a declared buffer", offer);
    }
    if context.program.threads > 1 {
        for eu in ["EU0.", "EU1."] {
            offer.try_word(eu, "values of one EU", TokenClass::Keyword, &["em = 0"]);
        }
    }
}
