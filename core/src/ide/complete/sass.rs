//! Completion of SASS instructions.

use super::CompletionContext;
use super::offer::Offer;
use super::words::Template;
use crate::diagnostic::Span;
use crate::isa::sass::op::name::Name;
use crate::isa::sass::op::words::{SassModifiers, Word};
use crate::isa::sass::op::{self, SassOp, SlotName};
use crate::isa::sass::register::{PredicateRegister, Register};
use crate::isa::schema::{Form, Suffix};
use crate::isa::{Family, Instruction, Spec, Style, Target};
use crate::program::{find_mnemonic, is_of_table};
use crate::text::{Lexeme, LexemeKind, SyntaxPart, TokenClass};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) fn offer(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    if matches!(context.back(1), "@" | "!") && context.before.lexemes.len() <= 2 {
        let rests = all_forms(context).map(|t| format!(" {}", whole(&t)));
        let rests: Vec<String> = rests.collect();
        let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
        predicates("", &rests, offer);
        return;
    }
    let cursor = context.before.cursor(context.text);
    let mnemonic = find_mnemonic(&cursor, Family::Sass);
    if let Some((row, span)) = mnemonic.and_then(|span| Some((row(context, span)?, span))) {
        of_table(context, row, span, offer);
        return;
    }
    let known = mnemonic.and_then(|span| {
        let spec = Instruction::named(Family::Sass, span.of(context.text))?;
        Some((spec, span))
    });
    let Some((spec, mnemonic)) = known else {
        // Only a guard can precede the mnemonic.
        if matches!(context.nth(0), "" | "@") && !context.glued() {
            mnemonics(context, offer);
        }
        return;
    };
    let lexemes = &context.before.lexemes;
    let from = lexemes.partition_point(|l| l.span.start < mnemonic.end);
    let after = &lexemes[from..];
    // Suffixes end at the first blank.
    let mut end = mnemonic.end;
    let suffixes = after.iter().take_while(|l| {
        let glued = l.span.start == end;
        end = l.span.end;
        glued
    });
    let suffixes = suffixes.count();
    if suffixes == after.len() && context.glued() {
        let written = after.first().map_or(mnemonic.end, |l| l.span.start);
        self::suffixes(context, spec, Span::new(written, context.word.start), offer);
        return;
    }
    let operands = after.get(suffixes..).expect("as many were counted");
    self::operands(context, (spec, mnemonic), operands, offer);
}

/// The row of an opcode that the table reads.
fn row(context: &CompletionContext<'_>, mnemonic: Span) -> Option<&'static SassOp> {
    let Target::Sass(chip) = context.symbols().target else {
        return None;
    };
    let word = mnemonic.of(context.text);
    let is_launch = context.program.launch.is_some();
    let (row, _) = op::named(word, chip)?;
    is_of_table(word, chip, is_launch).then_some(row)
}

/// Offers the words and operands of an opcode of the table.
fn of_table(
    context: &CompletionContext<'_>,
    row: &'static SassOp,
    mnemonic: Span,
    offer: &mut Offer<'_, '_>,
) {
    let lexemes = &context.before.lexemes;
    let from = lexemes.partition_point(|l| l.span.start < mnemonic.end);
    let after = lexemes.get(from..).unwrap_or_default();
    let mut end = mnemonic.end;
    let suffixes = after.iter().take_while(|l| {
        let glued = l.span.start == end;
        end = l.span.end;
        glued
    });
    let suffixes: Vec<&str> = suffixes.map(|l| l.span.of(context.text)).collect();
    let words = suffixes.iter().filter_map(|text| Word::named(text));
    let modifiers = SassModifiers::new(&words.collect::<Vec<_>>());
    if suffixes.len() == after.len() && context.glued() {
        for word in row.word_names().filter(|word| !suffixes.contains(word)) {
            let mut words: Vec<Word> = suffixes
                .iter()
                .filter_map(|text| Word::named(text))
                .collect();
            words.extend(Word::named(word));
            let samples = row.samples(&SassModifiers::new(&words), 0);
            let rest = format!(" {samples}");
            offer.try_word(word, "", TokenClass::Suffix, &[&rest]);
        }
        return;
    }
    let operands = after.get(suffixes.len()..).unwrap_or_default();
    let count = |sign: char| {
        let is = |l: &&Lexeme| l.kind == LexemeKind::Punct(sign);
        operands.iter().filter(is).count()
    };
    let is_open = count('[') > count(']');
    let is_start = operands.is_empty() || matches!(context.back(1), "," | "-" | "!" | "[" | "|");
    if !is_start {
        return;
    }
    let slots = row.slots(&modifiers);
    let index = count(',');
    // An operand that may be missing can be left out.
    let mut seen = Vec::new();
    for (at, slot) in slots.iter().enumerate().skip(index) {
        let needed = slots.iter().skip(at + 1).filter(|slot| !slot.is_optional);
        let rest: String = needed.map(|slot| format!(", {}", slot.sample)).collect();
        let rest = if is_open { format!("]{rest}") } else { rest };
        if !seen.contains(&slot.sample) {
            seen.push(slot.sample);
            self::slot(context, slot, is_open, &rest, offer);
        }
        if !slot.is_optional {
            break;
        }
    }
}

/// Offers operands for a slot.
fn slot(
    context: &CompletionContext<'_>,
    slot: &SlotName,
    is_open: bool,
    rest: &str,
    offer: &mut Offer<'_, '_>,
) {
    let symbols = context.symbols();
    let rests = [rest];
    match slot.part {
        SyntaxPart::Carry | SyntaxPart::Status | SyntaxPart::Condition(_) => {
            predicates("", &rests, offer);
        }
        SyntaxPart::Label => {
            for (label, _) in context.program.warp_labels() {
                let label = format!("`({label})");
                offer.try_word(&label, "label", TokenClass::Keyword, &rests);
            }
        }
        SyntaxPart::Name => {
            for name in Name::KNOWN {
                offer.try_word(name, slot.what, TokenClass::Keyword, &rests);
            }
        }
        SyntaxPart::Address if !is_open => {
            let suffix = if slot.sample.contains(".64") {
                ".64"
            } else {
                ""
            };
            for register in symbols.sass.registers() {
                let label = format!("[R{register}{suffix}]");
                offer.try_word(&label, "used in this program", TokenClass::Variable, &rests);
            }
        }
        SyntaxPart::Ignored => {}
        _ => {
            let zero = [Register::ZERO.0];
            let named: Vec<u8> = symbols.sass.registers().collect();
            let others = (0..Register::ZERO.0).filter(|number| !named.contains(number));
            // The first unused registers are enough.
            for register in named.iter().copied().chain(zero).chain(others.take(8)) {
                let name = Register(register).name();
                let what = match () {
                    () if Register(register).is_zero() => "reads as 0",
                    () if named.contains(&register) => "used in this program",
                    () => "a 32-bit register per lane",
                };
                offer.try_word(&name, what, TokenClass::Variable, &rests);
            }
        }
    }
}

/// The default instruction of each form.
fn forms<'a>(
    context: &CompletionContext<'a>,
    spec: &'static Spec,
) -> impl Iterator<Item = Template> + 'a {
    let symbols = context.symbols();
    let forms = 0..spec.opcodes.len();
    forms.filter_map(move |form| Template::of(spec, form, symbols, Style::Assembler))
}

/// The default instruction of each form of all instructions.
fn all_forms<'a>(context: &'a CompletionContext<'_>) -> impl Iterator<Item = Template> + 'a {
    Instruction::specs(Family::Sass).flat_map(move |spec| forms(context, spec))
}

fn whole(template: &Template) -> String {
    format!("{} {}", template.lead, operands_of(template, 0))
}

/// The operands from index `first`, separated by commas.
fn operands_of(template: &Template, first: usize) -> String {
    let text = template.operands_from(first, ", ");
    String::from(text.strip_prefix(", ").unwrap_or(&text))
}

fn mnemonics(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let Target::Sass(chip) = context.symbols().target else {
        return;
    };
    let is_launch = context.program.launch.is_some();
    let is_of_table = |name: &str| is_of_table(name, chip, is_launch);
    for row in op::OPS.iter().filter(|row| row.era.has(chip)) {
        if is_of_table(row.spec.name) {
            let rest = format!(" {}", row.samples(&SassModifiers::default(), 0));
            let (name, what) = (row.spec.name, row.spec.summary);
            offer.try_word(name, what, TokenClass::Mnemonic, &[rest.trim_end()]);
        }
    }
    let documented = Instruction::specs(Family::Sass);
    for spec in documented.filter(|spec| !is_of_table(spec.name)) {
        if let Some(template) = Template::of(spec, 0, context.symbols(), Style::Assembler) {
            let rest = whole(&template);
            let rest = rest.strip_prefix(spec.name);
            let rest = rest.expect("a line begins with its mnemonic");
            offer.try_word(
                spec.name,
                "read-modify-write of global memory",
                TokenClass::Mnemonic,
                &[rest],
            );
        }
    }
    if context.before.lexemes.is_empty() {
        let rests: Vec<String> = all_forms(context).map(|t| whole(&t)).collect();
        let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
        for predicate in context.symbols().sass.predicates() {
            let name = PredicateRegister(predicate).name();
            for (sign, what) in [
                ("@", "lanes whose bit is set"),
                ("@!", "lanes whose bit is clear"),
            ] {
                let label = format!("{sign}{name}");
                offer.try_insert(
                    &label,
                    &format!("{label} "),
                    what,
                    TokenClass::Predicate,
                    &rests,
                );
            }
        }
    }
}

/// Offers P0 to P6 and PT after a prefix.
fn predicates(sign: &str, rests: &[&str], offer: &mut Offer<'_, '_>) {
    for number in 0..=PredicateRegister::TRUE.0 {
        let predicate = PredicateRegister(number);
        let what = match predicate.is_true() {
            true => "always true",
            false => "one bit per lane",
        };
        let label = format!("{sign}{}", predicate.name());
        offer.try_word(&label, what, TokenClass::Predicate, rests);
    }
}

/// Offers suffixes by the schema; `written` is the span of the existing suffixes.
fn suffixes(
    context: &CompletionContext<'_>,
    spec: &'static Spec,
    written: Span,
    offer: &mut Offer<'_, '_>,
) {
    let text = written.of(context.text);
    let mut left = text.strip_prefix('.').unwrap_or(text);
    // The possible next suffixes: optional ones up to the first required one.
    let mut next: Vec<&Suffix> = Vec::new();
    for suffix in spec.syntax.suffixes {
        let words = suffix.words(spec, Style::Document);
        let segment = left.split('.').next().unwrap_or("").trim();
        if words
            .iter()
            .any(|(word, _)| word.eq_ignore_ascii_case(segment))
        {
            left = left.split_once('.').map_or("", |(_, rest)| rest);
            next.clear();
        } else if next.iter().all(|suffix| suffix.optional) {
            next.push(suffix);
        }
    }
    // The text after the mnemonic and after the suffixes of each form.
    let forms = forms(context, spec).map(|t| {
        let operands = format!(" {}", operands_of(&t, 0));
        let suffix = t.suffixes();
        (format!("{suffix}{operands}"), operands)
    });
    let (whole, plain): (Vec<String>, Vec<String>) = forms.unzip();
    for suffix in &next {
        let after = spec.syntax.suffixes.iter();
        let after: Vec<&Suffix> = after
            .skip_while(|s| s.part != suffix.part)
            .skip(1)
            .collect();
        let mut rests = match after.iter().all(|s| s.optional) {
            true => plain.clone(),
            false => whole.clone(),
        };
        // Some operations require further suffixes.
        for (word, _) in after
            .first()
            .iter()
            .filter(|s| s.optional)
            .flat_map(|s| s.words(spec, Style::Document))
        {
            rests.extend(plain.iter().map(|operands| format!(".{word}{operands}")));
        }
        let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
        let words = suffix.words(spec, Style::Document);
        if words.iter().any(|(word, _)| word.contains('.')) {
            // Words can contain dots and are replaced as a whole.
            let start = written.end - crate::diagnostic::to_u32(left.len());
            offer.replace(Span::new(start, context.word.end));
        } else if left.contains('.') {
            continue;
        }
        for (word, what) in words {
            offer.try_word(word, &what, TokenClass::Suffix, &rests);
        }
    }
}

fn operands(
    context: &CompletionContext<'_>,
    (spec, mnemonic): (&'static Spec, Span),
    lexemes: &[Lexeme],
    offer: &mut Offer<'_, '_>,
) {
    let is = |sign: char| move |l: &&Lexeme| l.kind == LexemeKind::Punct(sign);
    let fields = lexemes
        .iter()
        .any(|l| matches!(l.kind, LexemeKind::Punct('&' | '?' | ';')));
    let open = lexemes.iter().filter(is('[')).count() > lexemes.iter().filter(is(']')).count();
    let commas = lexemes.iter().filter(is(',')).count();
    let empty = lexemes.is_empty() || context.back(1) == "," || (open && context.back(1) == "[");
    let mut rests = Vec::new();
    let (mut addresses, mut statuses) = (false, false);
    let mut full = usize::MAX;
    for template in forms(context, spec) {
        full = full.min(template.operands.len());
        if let Some((part, _)) = template.operands.get(commas) {
            let form = spec.syntax.operand(*part).form;
            addresses |= form == Form::Address;
            statuses |= form == Form::Predicate;
            let rest = template.operands_from(commas + 1, ", ");
            rests.push(format!("{}{rest}", if open { "]" } else { "" }));
        }
    }
    if !empty {
        if !open && commas + 1 >= full {
            scheduling(context, fields, offer);
        }
        return;
    }
    if fields {
        return;
    }
    let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
    if addresses {
        // An odd register of an address is reported at `.E`.
        offer.together_with(mnemonic.end);
    }
    if statuses && !open {
        // Ps of a sparse form, if the instruction has one.
        predicates("", &rests, offer);
    }
    let named = |register: u8| context.symbols().sass.registers().any(|r| r == register);
    let (mine, others): (Vec<u8>, Vec<u8>) = (0..Register::ZERO.0).partition(|r| named(*r));
    let zero = [Register::ZERO.0];
    for register in mine.iter().chain(&zero).chain(&others) {
        let name = Register(*register).name();
        let what = match () {
            () if Register(*register).is_zero() => "reads as 0",
            () if named(*register) => "used in this program",
            () => "a 32-bit register per lane",
        };
        let bracketed = format!("[{name}]");
        let label = match addresses && !open {
            true if offer.try_word(&bracketed, what, TokenClass::Variable, &rests) => continue,
            _ => &name,
        };
        offer.try_word(label, what, TokenClass::Variable, &rests);
    }
}

/// Offers scheduling fields, in Lanewise's notation.
fn scheduling(context: &CompletionContext<'_>, fields: bool, offer: &mut Offer<'_, '_>) {
    let sign = context.back(1);
    if sign == "&" || sign == "?" {
        for (word, what) in FIELDS {
            if let Some(word) = word.strip_prefix(sign) {
                offer.try_word(word, what, TokenClass::Keyword, &[]);
            }
        }
        return;
    }
    if context.glued() && !fields {
        offer.try_word(";", "end of the instruction", TokenClass::Punctuation, &[]);
        return;
    }
    for (word, what) in FIELDS {
        offer.try_word(word, what, TokenClass::Keyword, &[]);
    }
}

/// Scheduling fields with example values.
const FIELDS: [(&str, &str); 4] = [
    ("&req={0}", "wait for barriers"),
    ("&rd=0", "set a barrier until the sources are read"),
    ("&wr=0", "set a barrier until the result is written"),
    ("?stall1", "cycles until the next instruction"),
];

#[cfg(test)]
mod tests {
    use crate::ide::{complete, hover, signature};
    use crate::isa::Style;
    use crate::program::Program;
    use std::format;
    use std::string::String;
    use std::vec::Vec;

    const KERNEL: &str = ".target sass SM80\n.launch grid=1 block=32\nS2R R0, SR_TID.X ;\n\
        .L_x_0:\nISETP.GT.AND P1, PT, R0, 0x4, PT ;\nEXIT ;\n";

    /// Labels of the candidates behind a text, the doubtful ones apart.
    fn labels(text: &str) -> (Vec<String>, Vec<String>) {
        let program = Program::parse(text);
        let found = complete(&program, text, text.len()).candidates.into_iter();
        let (doubtful, well): (Vec<_>, Vec<_>) = found.partition(|candidate| candidate.doubtful);
        let label = |candidates: Vec<crate::ide::Candidate>| {
            let labels = candidates.into_iter().map(|candidate| candidate.label);
            labels.collect::<Vec<_>>()
        };
        (label(well), label(doubtful))
    }

    #[test]
    fn opcodes_are_those_of_the_chip() {
        let has = |text: &str, label: &str| labels(text).0.iter().any(|known| known == label);
        assert!(has(KERNEL, "IADD3") && has(KERNEL, "ATOMG") && !has(KERNEL, "XMAD"));
        let old = KERNEL.replace("SM80", "SM50");
        assert!(has(&old, "XMAD") && !has(&old, "ATOMG"));
    }

    #[test]
    fn words_and_operands_come_from_the_row() {
        let well = |line: &str| labels(&format!("{KERNEL}{line}")).0;
        assert_eq!(well("SHFL."), ["IDX", "UP", "DOWN", "BFLY"]);
        let registers = well("IADD3 ");
        assert!(
            registers.starts_with(&["R0", "RZ"].map(String::from)),
            "{registers:?}"
        );
        assert!(well("SHFL.UP ").contains(&String::from("PT")));
        assert!(well("BRA ").contains(&String::from("`(.L_x_0)")));
        assert!(well("S2R R1, ").contains(&String::from("SR_CTAID.X")));
        assert!(well("LDG.E R1, ").contains(&String::from("[R0.64]")));
    }

    #[test]
    fn hover_and_signature_describe_the_row() {
        let program = Program::parse(KERNEL);
        let at = |word: &str| KERNEL.find(word).unwrap() + 1;
        let opcode = hover(&program, KERNEL, at("ISETP")).unwrap();
        assert_eq!(opcode.title, "ISETP");
        assert_eq!(opcode.lines.len(), 3);
        let operand = hover(&program, KERNEL, at("R0, 0x4")).unwrap();
        assert!(operand.title.starts_with("a: R0: "), "{}", operand.title);
        let shown = signature(&program, KERNEL, at("0x4"), Style::Document).unwrap();
        let text: String = shown.pieces.iter().map(|piece| &*piece.text).collect();
        assert_eq!(text, "[@[!]p] ISETP[.words] u, v, a, b, p[, q]");
        assert_eq!(shown.pieces[shown.active.unwrap()].text, ", b");
    }

    #[test]
    fn instructions_that_are_not_executed_have_a_warning() {
        let text = format!("{KERNEL}HMMA.16816.F32 R0, R2, R4, R6 ;\nIADD3.FOO R0, R2, R4, R6 ;\n");
        let program = Program::parse(&text);
        let codes: Vec<&str> = program.diagnostics.iter().map(|d| d.rule.code).collect();
        assert_eq!(codes, ["W0743", "W0743"]);
        assert!(program.can_run());
    }
}
