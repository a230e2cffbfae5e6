//! Completion of SASS instructions.

use super::CompletionContext;
use super::offer::Offer;
use super::words::Template;
use crate::diagnostic::Span;
use crate::isa::sass::op::name::Name;
use crate::isa::sass::op::words::{SassModifiers, Word};
use crate::isa::sass::op::{self, SassOp, SlotName, is_of_table};
use crate::isa::sass::register::{PredicateRegister, Register};
use crate::isa::schema::{Form, Suffix};
use crate::isa::{Instruction, Spec, Style, find_mnemonic};
use crate::program::Launch;
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
    let mnemonic = find_mnemonic(&cursor, context.family());
    if let Some((row, span)) = mnemonic.and_then(|span| Some((row(context, span)?, span))) {
        of_table(context, row, span, offer);
        return;
    }
    let known = mnemonic.and_then(|span| {
        let spec = Instruction::named(context.family(), span.of(context.text))?;
        Some((spec, span))
    });
    let Some((spec, mnemonic)) = known else {
        // Only a guard can precede the mnemonic.
        if matches!(context.nth(0), "" | "@") && !context.glued() {
            mnemonics(context, offer);
        }
        return;
    };
    let (suffixes, operands) = split_suffixes(context, mnemonic);
    if operands.is_empty() && context.glued() {
        let written = suffixes.first().map_or(mnemonic.end, |l| l.span.start);
        self::suffixes(context, spec, Span::new(written, context.word.start), offer);
        return;
    }
    self::operands(context, (spec, mnemonic), operands, offer);
}

/// The lexemes of the suffixes, which end at the first blank, and those of the operands.
fn split_suffixes<'a>(
    context: &'a CompletionContext<'_>,
    mnemonic: Span,
) -> (&'a [Lexeme], &'a [Lexeme]) {
    let lexemes = &context.before.lexemes;
    let from = lexemes.partition_point(|l| l.span.start < mnemonic.end);
    let after = &lexemes[from..];
    let mut end = mnemonic.end;
    let suffixes = after.iter().take_while(|l| {
        let glued = l.span.start == end;
        end = l.span.end;
        glued
    });
    after.split_at(suffixes.count())
}

/// A row, and whether it is written as its uniform twin.
type Row = (&'static SassOp, bool);

/// The row of an opcode that the table reads.
fn row(context: &CompletionContext<'_>, mnemonic: Span) -> Option<Row> {
    let chip = context.symbols().target.chip()?;
    let word = mnemonic.of(context.text);
    let is_launch = context.program.launch.is_some();
    let row = op::named(word, chip)?;
    is_of_table(word, chip, is_launch).then_some(row)
}

/// Offers the words and operands of an opcode of the table.
fn of_table(
    context: &CompletionContext<'_>,
    (row, is_uniform): Row,
    mnemonic: Span,
    offer: &mut Offer<'_, '_>,
) {
    let (suffixes, operands) = split_suffixes(context, mnemonic);
    let suffixes = suffixes.iter().map(|l| l.span.of(context.text));
    let suffixes: Vec<&str> = suffixes.collect();
    let words = suffixes.iter().filter_map(|text| Word::named(text));
    let words: Vec<Word> = words.collect();
    let modifiers = SassModifiers::new(&words);
    if operands.is_empty() && context.glued() {
        for word in row.word_names().filter(|word| !suffixes.contains(word)) {
            let mut words = words.clone();
            words.extend(Word::named(word));
            offer.try_word(word, "", TokenClass::Suffix, &[&rest_of(row, words)]);
        }
        return;
    }
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
    // An operand that may be missing can be left out: the operand is that of any slot with
    // at most as many needed ones before it.
    let mut found: Vec<(&SlotName, Vec<String>)> = Vec::new();
    let mut needed_before = 0;
    for (at, slot) in slots.iter().enumerate() {
        if needed_before > index {
            break;
        }
        needed_before += usize::from(!slot.is_optional);
        if at < index {
            continue;
        }
        let needed = slots.iter().skip(at + 1).filter(|slot| !slot.is_optional);
        let rest: String = needed.map(|slot| format!(", {}", slot.sample)).collect();
        let rest = if is_open { format!("]{rest}") } else { rest };
        match found.iter_mut().find(|(own, _)| own.sample == slot.sample) {
            Some((_, rests)) => rests.push(rest),
            None => found.push((slot, Vec::from([rest]))),
        }
    }
    for (slot, rests) in found {
        let rests: Vec<&str> = rests.iter().map(|rest| &**rest).collect();
        self::slot(context, (slot, is_uniform), is_open, &rests, offer);
    }
}

/// Offers operands for a slot.
fn slot(
    context: &CompletionContext<'_>,
    (slot, is_uniform): (&SlotName, bool),
    is_open: bool,
    rests: &[&str],
    offer: &mut Offer<'_, '_>,
) {
    let symbols = context.symbols();
    match slot.part {
        SyntaxPart::Carry | SyntaxPart::Status | SyntaxPart::Condition(_) => {
            predicates(if is_uniform { "U" } else { "" }, rests, offer);
            if is_uniform {
                predicates("", rests, offer);
            }
        }
        SyntaxPart::Label => {
            for (label, _) in context.program.warp_labels() {
                let label = format!("`({label})");
                offer.try_word(&label, "label", TokenClass::Keyword, rests);
            }
        }
        SyntaxPart::Name => {
            for name in Name::KNOWN {
                offer.try_word(name, slot.what, TokenClass::Keyword, rests);
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
                offer.try_word(&label, "used in this program", TokenClass::Variable, rests);
            }
        }
        SyntaxPart::Ignored => {}
        part => {
            if part != SyntaxPart::Dst {
                constants(context, rests, offer);
            }
            if is_uniform {
                uniform_registers(rests, offer);
                return;
            }
            let zero = [Register::ZERO.0];
            let named: Vec<u8> = symbols.sass.registers().collect();
            let others = (0..Register::ZERO.0).filter(|number| !named.contains(number));
            // The first unused registers are enough.
            for register in named.iter().copied().chain(zero).chain(others.take(8)) {
                let name = Register(register).name();
                let what = described(Register(register), named.contains(&register));
                offer.try_word(&name, what, TokenClass::Variable, rests);
            }
        }
    }
}

const fn described(register: Register, is_used: bool) -> &'static str {
    match () {
        () if register.is_zero() => "reads as 0",
        () if is_used => "used in this program",
        () => "a 32-bit register per lane",
    }
}

/// Offers the constants of the launch, such as its parameters.
fn constants(context: &CompletionContext<'_>, rests: &[&str], offer: &mut Offer<'_, '_>) {
    let launch = context.program.launch.iter();
    for constant in launch.flat_map(Launch::constants) {
        let label = format!("c[0x0][{:#x}]", constant.offset);
        offer.try_word(&label, &constant.what, TokenClass::Variable, rests);
    }
}

/// Offers the first uniform registers.
fn uniform_registers(rests: &[&str], offer: &mut Offer<'_, '_>) {
    for number in 0..16 {
        let label = format!("UR{number}");
        let what = "a register for all lanes";
        offer.try_word(&label, what, TokenClass::Variable, rests);
    }
    offer.try_word("URZ", "reads as 0", TokenClass::Variable, rests);
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
    Instruction::specs(context.family()).flat_map(move |spec| forms(context, spec))
}

fn whole(template: &Template) -> String {
    format!("{} {}", template.lead, operands_of(template, 0))
}

/// The operands from index `first`, separated by commas.
fn operands_of(template: &Template, first: usize) -> String {
    let text = template.operands_from(first, ", ");
    String::from(text.strip_prefix(", ").unwrap_or(&text))
}

/// The missing words of an opcode, then sample operands.
fn rest_of(row: &SassOp, mut words: Vec<Word>) -> String {
    let missing: Vec<(&str, Word)> = row.missing_words(&words).collect();
    words.extend(missing.iter().map(|(_, word)| *word));
    let missing = missing.iter().map(|(text, _)| format!(".{text}"));
    let samples = row.samples(&SassModifiers::new(&words), 0);
    let rest = format!("{} {samples}", missing.collect::<String>());
    String::from(rest.trim_end())
}

fn mnemonics(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let Some(chip) = context.symbols().target.chip() else {
        return;
    };
    let is_launch = context.program.launch.is_some();
    let is_of_table = |name: &str| is_of_table(name, chip, is_launch);
    for row in op::OPS.iter().filter(|row| row.era.has(chip)) {
        if is_of_table(row.spec.name) {
            let rest = rest_of(row, Vec::new());
            let (name, what) = (row.spec.name, row.spec.summary);
            offer.try_word(name, what, TokenClass::Mnemonic, &[&rest]);
        }
    }
    for (twin, _) in op::TWINS {
        if is_of_table(twin)
            && let Some((row, true)) = op::named(twin, chip)
        {
            let rest = rest_of(row, Vec::new());
            offer.try_word(twin, row.spec.summary, TokenClass::Mnemonic, &[&rest]);
        }
    }
    let documented = Instruction::specs(context.family());
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
                offer.try_guard(&format!("{sign}{name}"), what, &rests);
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
        let what = described(Register(*register), named(*register));
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

/// Offers what `.init` can set.
pub(super) fn places(context: &CompletionContext<'_>, offer: &mut Offer<'_, '_>) {
    let insert = match context.after.starts_with('[') {
        true => "global",
        false => "global[0x10000] : ud = ",
    };
    offer.try_insert(
        "global",
        insert,
        "global memory",
        TokenClass::Surface,
        &["0"],
    );
    for number in 0..PredicateRegister::TRUE.0 {
        let name = PredicateRegister(number).name();
        let what = "one bit per lane";
        offer.try_word(&name, what, TokenClass::Predicate, &[" = 0"]);
    }
    for number in 0..Register::ZERO.0 {
        let name = Register(number).name();
        let what = "one value per lane";
        offer.try_word(&name, what, TokenClass::Variable, &[" = 0"]);
    }
}

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
    fn uniform_twins_have_uniform_registers() {
        let has = |line: &str, label: &str| {
            let found = labels(&format!("{KERNEL}{line}")).0;
            found.iter().any(|known| known == label)
        };
        assert!(has("", "UIADD3") && has("", "ULDC") && has("", "S2UR"));
        let old = KERNEL.replace("SM80", "SM50");
        assert!(!labels(&old).0.contains(&String::from("UIADD3")));
        assert!(has("UIADD3 ", "UR4") && !has("UIADD3 ", "R0"));
        assert!(has("UIADD3 UR4, UR5, ", "URZ") && has("UIADD3 UR4, UR5, 0x1, ", "URZ"));
        assert!(has("UISETP.NE.AND ", "UP0") && has("UISETP.NE.AND UP0, UPT, ", "UR7"));
        let text = format!("{KERNEL}UIADD3 UR4, UR5, 0x1, URZ ;\n");
        let program = Program::parse(&text);
        let at = |word: &str| text.find(word).unwrap() + 1;
        let opcode = hover(&program, &text, at("UIADD3")).unwrap();
        assert_eq!(opcode.title, "UIADD3: IADD3 on uniform registers");
        let operand = hover(&program, &text, at("UR5")).unwrap();
        assert!(operand.title.starts_with("a: UR5: "), "{}", operand.title);
        let shown = signature(&program, &text, at("UR5"), Style::Document).unwrap();
        assert_eq!(shown.pieces[1].text, "UIADD3");
    }

    #[test]
    fn constants_of_the_launch_are_offered_and_described() {
        let text = KERNEL.replace(
            "S2R",
            ".buffer in : ud[4]\n.param 0x160 = &in\nIADD3 R1, R0, c[0x0][0x164], RZ ;\nS2R",
        );
        let offered = |line: &str| labels(&format!("{text}{line}")).0;
        let parameter = String::from("c[0x0][0x160]");
        assert!(offered("IADD3 R2, ").contains(&parameter));
        assert!(offered("ULDC.64 UR4, ").contains(&parameter));
        assert!(!offered("IADD3 ").contains(&parameter));
        let program = Program::parse(&text);
        let at = |word: &str| text.find(word).unwrap() + 1;
        let upper = hover(&program, &text, at("c[0x0][0x164]")).unwrap();
        let known = "b: c[0x0][0x164]: parameter, the address of in";
        assert_eq!(upper.title, known);
        assert!(upper.lines[0].contains("upper"), "{:?}", upper.lines);
        let size = text.replace("0x164", "0x4");
        let shown = hover(&Program::parse(&size), &size, at("c[0x0][0x")).unwrap();
        assert_eq!(shown.title, "b: c[0x0][0x4]: threads of a block, y");
        assert_eq!(shown.lines[0], "value 0x1");
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
        let text = format!("{KERNEL}TEX.LL R0, R2, R4, R6 ;\nIADD3.FOO R0, R2, R4, R6 ;\n");
        let program = Program::parse(&text);
        let codes: Vec<&str> = program.diagnostics.iter().map(|d| d.rule.code).collect();
        assert_eq!(codes, ["W0743", "W0743"]);
        assert!(program.can_run());
    }
}
