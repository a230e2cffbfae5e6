//! vISA: compares lines generated from operand schemas, with many kinds of declarations
//! and spellings, with GenX_IR.

use super::claims::{Claim, expected};
use super::explained::{self, Case};
use super::genx::{self, Answer, Verdict};
use super::{Options, Tally, in_threads};
use crate::generate::Choices;
use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::isa::schema::{Form, Null, Operand};
use lanewise_core::isa::visa::declarations::Symbol;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::visa::predefined::surface_number;
use lanewise_core::isa::{Family, Instruction, SPECS, Spec, Style, SymbolTable};
use lanewise_core::program::{Assembler, Program};
use lanewise_core::text::SyntaxPart;
use std::io;
use std::path::Path;

/// One of this many accepted lines is exported as an object and read back.
const READ_BACK: usize = 8;

/// Maximum number of tool runs for minimizing a difference.
const SHRINK_RUNS: usize = 40;

pub(super) fn compare(tool: &Path, options: &Options) -> io::Result<Tally> {
    in_threads(options.threads, options.lines, |index| {
        let mut choices = seeded(options.seed, index as u64);
        // Half of the lines are expected to be accepted.
        let mut source = Source::make(&mut choices);
        if choices.one_in(2) {
            for _ in 0..30 {
                if ours(&source).expected == Claim::Takes {
                    break;
                }
                source = Source::make(&mut choices);
            }
        }
        check(tool, &source, index.is_multiple_of(READ_BACK))
    })
}

fn seeded(seed: u64, index: u64) -> Choices {
    // Decorrelate adjacent indices.
    let mix = |n: u64| (n ^ n >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Choices::new(vec![mix(mix(seed).wrapping_add(index))])
}

/// Maximum number of reasons for one difference.
const MAX_REASONS: usize = 4;

/// Program with one instruction line.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) platform: Platform,
    pub(super) decls: Vec<String>,
    pub(super) line: String,
}

const TYPES: [(&str, usize); 12] = [
    ("ud", 4),
    ("d", 4),
    ("f", 4),
    ("uq", 8),
    ("q", 8),
    ("uw", 2),
    ("w", 2),
    ("hf", 2),
    ("bf", 2),
    ("ub", 1),
    ("b", 1),
    ("df", 8),
];

impl Source {
    fn make(choices: &mut Choices) -> Self {
        // Lines with vector operands are in the vectors, not generated.
        let specs: Vec<&'static Spec> = SPECS
            .iter()
            .copied()
            .filter(|spec| spec.family == Family::Visa)
            .collect();
        let spec = choices.pick(&specs);
        let known = Platform::ALL
            .into_iter()
            .filter(|p| p.features().assembler.is_some());
        let platform = choices.pick(&known.collect::<Vec<_>>());
        let mut decls = declarations();
        if choices.one_in(3) {
            decls.push(declaration(choices));
        }
        let style = match choices.one_in(6) {
            true => Style::Document,
            false => Style::Assembler,
        };
        let mut line = line(spec, style, choices);
        if choices.one_in(4) {
            line = respelled(&line, choices);
        }
        Self {
            platform,
            decls,
            line,
        }
    }
}

/// Large variables of every type, and one of each other class.
fn declarations() -> Vec<String> {
    let mut decls = Vec::new();
    for (ty, bytes) in TYPES {
        decls.push(format!(
            ".decl L_{ty} v_type=G type={ty} num_elts={} align=GRF",
            256 / bytes
        ));
    }
    for line in [
        ".decl SHORT v_type=G type=ud num_elts=2 align=dword",
        ".decl UPON v_type=G type=ud num_elts=16 alias=<L_uq, 64>",
        ".decl AT_R0 v_type=G type=ud num_elts=8 alias=<%r0, 0>",
        ".decl P1 v_type=P num_elts=32",
        ".decl other v_type=P num_elts=8",
        ".decl T7 v_type=T num_elts=1",
        ".decl T6 v_type=T num_elts=1",
        ".decl X v_type=S num_elts=1",
        ".decl A0 v_type=A num_elts=4",
    ] {
        decls.push(line.to_owned());
    }
    decls
}

/// Generates a declaration, which may be invalid.
fn declaration(choices: &mut Choices) -> String {
    let names = [
        "N", "V40", "V21", "V5", "T0", "P0", "add", "loc", "lifetime", "fence", "L_ud", "em", "_x",
        "M1", "sampler", "do", "mov", "T1", "S31", "ret",
    ];
    let name = choices.pick(&names);
    let kind = choices.pick(&["G", "G", "G", "G", "P", "A", "T", "S", "g", "V"]);
    let count = choices.pick(&[
        "1", "8", "16", "32", "0", "3", "4096", "4097", "8192", "8193", "2*8", "0x10", "17",
    ]);
    let align = choices.pick(&[
        "byte", "word", "dword", "qword", "oword", "hword", "GRF", "2GRF", "GRFx2", "32word", "4",
        "32", "Grf",
    ]);
    let alias = choices.pick(&[
        "<L_ud, 0>",
        "<L_uq, 32>",
        "<L_ud, 2>",
        "<L_ud, 252>",
        "<L_ud, 256>",
        "<%r0, 32>",
        "<UPON, 4>",
        "(L_ud, 0)",
        "<NONE, 0>",
    ]);
    let mut parts = vec![format!("v_type={kind}")];
    if matches!(kind, "G" | "g") || choices.one_in(10) {
        let (ty, _) = choices.pick(&TYPES);
        let ty = if choices.one_in(5) {
            ty.to_uppercase()
        } else {
            ty.to_owned()
        };
        parts.push(format!("type={ty}"));
    }
    if !choices.one_in(12) {
        parts.push(format!("num_elts={count}"));
    }
    if kind == "G" && choices.one_in(2) || choices.one_in(12) {
        parts.push(format!("align={align}"));
    }
    if kind == "G" && choices.one_in(4) || choices.one_in(16) {
        parts.push(format!("alias={alias}"));
    }
    if choices.one_in(12) {
        parts.push(
            choices
                .pick(&["attrs={Output}", "attrs={}", "v_name=foo"])
                .to_owned(),
        );
    }
    if choices.one_in(12) {
        let (a, b) = (choices.below(parts.len()), choices.below(parts.len()));
        parts.swap(a, b);
    }
    format!(".decl {name} {}", parts.join(" "))
}

fn line(spec: &Spec, style: Style, choices: &mut Choices) -> String {
    let syntax = &spec.syntax;
    let mut line = String::new();
    if choices.one_in(if syntax.predicate { 3 } else { 40 }) {
        let predicates = [
            "(P1) ",
            "(!P1) ",
            "(P1.any) ",
            "(!other.all) ",
            "(other) ",
            "(P2) ",
            "(T6) ",
        ];
        line.push_str(choices.pick(&predicates));
    }
    line.push_str(spec.mnemonic(style));
    for suffix in syntax.suffixes {
        if !(suffix.optional && choices.one_in(2)) {
            let (word, _) = choices.pick(&suffix.words(spec, style));
            line.push('.');
            line.push_str(word);
        }
    }
    let lanes = match syntax.lanes.parse::<usize>() {
        Ok(lanes) if !choices.one_in(8) => lanes,
        _ => 1 << choices.below(6),
    };
    let mask = choices.pick(&[
        "", "", "M1, ", "M1, ", "M1_NM, ", "M2, ", "M3, ", "M5, ", "M8, ", "M5_NM, ", "NoMask, ",
    ]);
    line.push_str(&format!(" ({mask}{lanes})"));
    // Operands of an instruction often have the same type.
    let (ty, _) = choices.pick(&TYPES[..5]);
    for operand in syntax.operands {
        line.push(' ');
        line.push_str(&operand_text(operand, ty, choices));
    }
    line
}

/// Generates an operand of the given form; most are valid.
fn operand_text(operand: &Operand, ty: &str, choices: &mut Choices) -> String {
    use lanewise_core::isa::schema::Elements;
    let any = |choices: &mut Choices| choices.pick(&TYPES).0;
    let own = match operand.elements {
        Elements::PerLane(own, _) if !choices.one_in(6) => own.name(),
        _ if choices.one_in(8) => any(choices),
        _ => ty,
    };
    let offset = |choices: &mut Choices| match choices.below(12) {
        0 => 4 * choices.below(64),
        1 => 32 * choices.below(130),
        2 => choices.pick(&[1, 31, 3808, 4064, 4096, 65535, 65536]),
        3..6 => 64 * choices.below(4),
        _ => 0,
    };
    match operand.form {
        Form::Surface => choices
            .pick(&[
                "%slm", "%slm", "T6", "T7", "%scratch", "T1", "T2", "TSS", "%bss", "T0", "T255",
                "X", "L_ud", "T8",
            ])
            .to_owned(),
        Form::Raw if choices.one_in(if operand.null == Null::Never { 30 } else { 3 }) => choices
            .pick(&["%null.0", "%null.0", "V0.0", "V0", "%null", "%null.4"])
            .to_owned(),
        Form::Raw if choices.one_in(14) => {
            let names = [
                "SHORT", "UPON", "AT_R0", "P1", "A0", "T6", "X", "%r0", "%sp", "V7", "%tsc",
                "%hw_id", "nobody",
            ];
            format!("{}.{}", choices.pick(&names), offset(choices))
        }
        Form::Raw => format!("L_{own}.{}", offset(choices)),
        Form::Scalar => scalar(choices),
        Form::Rows => {
            let row = if choices.one_in(6) {
                choices.below(140)
            } else {
                choices.below(4)
            };
            let column = if choices.one_in(4) {
                choices.below(20)
            } else {
                0
            };
            format!(
                "L_{}({row},{column})",
                if choices.one_in(4) {
                    any(choices)
                } else {
                    "ud"
                }
            )
        }
        form => unreachable!("lines with {form:?} are not generated"),
    }
}

fn scalar(choices: &mut Choices) -> String {
    let modifier = choices.pick(&["", "", "", "", "(-)", "(abs)", "(-abs)", "(~)"]);
    let ty = choices.pick(&TYPES).0;
    let region = choices.pick(&[
        "<0;1,0>", "<0;1,0>", "<0;1,0>", "<1;1,0>", "<2;2,1>", "<8;8,1>", "<1,0>", "<0;3,0>",
        "<4;4,1>", "<1,0>", "<2,1>", "<4,1>",
    ]);
    let types = [
        "uq", "uq", "uq", "q", "ud", "d", "uw", "w", "ub", "b", "f", "df", "hf", "bf", "v", "vf",
        "uv", "bool",
    ];
    match choices.below(4) {
        0 | 1 => {
            let ty = if choices.one_in(2) { "uq" } else { ty };
            let row = if choices.one_in(6) {
                choices.below(140)
            } else {
                choices.below(4)
            };
            format!("{modifier}L_{ty}({row},{}){region}", choices.below(6))
        }
        2 => {
            let offset = choices.below(1100) as i64 - 550;
            let element = choices.pick(&[0, 0, 1, 3, 4, 7, 8, 9, 12, 13, 14, 15, 16]);
            format!(
                "{modifier}r[A0({element}),{offset}]{region}:{}",
                choices.pick(&types)
            )
        }
        _ => {
            let ty = choices.pick(&types);
            let bits = match choices.one_in(12) {
                true => 0x7f80_0000 | choices.bits() >> 40,
                false => choices.bits() >> choices.below(60),
            };
            let sign = choices.pick(&["", "", "", "-", "- "]);
            match choices.below(4) {
                0 => format!("{sign}{}:{ty}", bits >> choices.below(32)),
                1 => format!("{sign}{}.{}:{ty}", bits >> 40 & 0xfff, bits & 0xff),
                _ => format!("{sign}{:#x}:{ty}", bits >> choices.below(33)),
            }
        }
    }
}

/// Changes the spelling of the line in one or two places.
fn respelled(line: &str, choices: &mut Choices) -> String {
    let mut line = line.to_owned();
    for _ in 0..1 + choices.below(2) {
        let marks = line
            .char_indices()
            .filter(|(_, c)| ".(),<>;:[]- ".contains(*c));
        let marks: Vec<usize> = marks.map(|(at, _)| at).collect();
        if marks.is_empty() {
            break;
        }
        let at = choices.pick(&marks);
        let extra = choices.pick(&[" ", " ", "/* x */", "\t", "  "]);
        match choices.below(7) {
            0 => line.insert_str(at, extra),
            1 | 2 => line.insert_str(at + 1, extra),
            3 => {
                let word_end = line[at + 1..].find(|c: char| !c.is_ascii_alphanumeric());
                let end = word_end.map_or(line.len(), |n| at + 1 + n);
                let upper = line[at + 1..end].to_uppercase();
                line.replace_range(at + 1..end, &upper);
            }
            4 => line.replace_range(at..=at, ""),
            5 => line.push_str(choices.pick(&[" // x", " L_ud.0", ";", " /* x */", " ,"])),
            _ => line.replace_range(at..=at, choices.pick(&[",", ".", " ", "(", ">"])),
        }
    }
    line
}

/// Result of Lanewise.
pub(super) struct Ours {
    pub(super) declared: Vec<Diagnostic>,
    pub(super) of_line: Vec<Diagnostic>,
    expected: Claim,
    /// `None` if the line is rejected.
    encoding: Option<Encoding>,
}

/// Encoding and text of an accepted line.
struct Encoding {
    /// Bytes, without those that the tool omits from objects.
    written: Vec<u8>,
    /// Text, with the names that the tool prints.
    text: String,
}

/// Kind of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// Only one of the two accepts the line, or the tool crashes.
    Verdict,
    /// Both accept the line; the bytes differ.
    Bytes,
    /// Both accept the line with the same bytes; the printed text differs.
    Text,
}

impl Ours {
    fn has(&self, codes: &[&str]) -> bool {
        let mut all = self.declared.iter().chain(&self.of_line);
        all.any(|d| codes.contains(&d.rule.code))
    }

    /// Describes the difference from the output of the tool.
    fn describe(&self, difference: Difference, theirs: &Answer) -> String {
        match (difference, self.expected) {
            (Difference::Verdict, Claim::Takes) => {
                format!("expected the tool to accept it: {:?}", theirs.verdict)
            }
            (Difference::Verdict, Claim::Refuses) => "expected the tool to reject it".to_owned(),
            (Difference::Verdict, Claim::Fails) => "expected the tool to crash or hang".to_owned(),
            (Difference::Bytes, _) => "other bytes".to_owned(),
            (Difference::Text, _) => {
                let text = self.encoding.as_ref().map_or("", |encoding| &encoding.text);
                let printed = theirs.text.as_deref().unwrap_or("");
                format!("the tool prints `{printed}`, Lanewise `{text}`")
            }
        }
    }

    fn codes(&self) -> Vec<&'static str> {
        let all = self.declared.iter().chain(&self.of_line);
        all.map(|d| d.rule.code).collect()
    }
}

fn ours(source: &Source) -> Ours {
    let decls = source.decls.iter().map(String::as_str);
    let refused = |declared: Vec<Diagnostic>, of_line: &[Diagnostic]| Ours {
        declared,
        of_line: of_line.to_vec(),
        expected: Claim::Refuses,
        encoding: None,
    };
    let mut assembler = match Assembler::new(source.platform, decls) {
        Ok(assembler) => assembler,
        Err(all) => return refused(all, &[]),
    };
    let declared: Vec<_> = assembler.declaration_diagnostics().to_vec();
    let declared: Vec<_> = declared.into_iter().map(|(_, d)| d).collect();
    let symbols = assembler.symbols().clone();
    let read = match assembler.assemble(&source.line) {
        Ok(read) => read,
        Err(all) => return refused(declared, all),
    };
    let mut written = read.encoded.bytes().to_vec();
    let lost = if read.instruction.matrix().is_some() {
        4
    } else {
        12
    };
    written.truncate(written.len().saturating_sub(lost));
    Ours {
        expected: expected(declared.iter().chain(read.diagnostics)),
        of_line: read.diagnostics.to_vec(),
        declared,
        encoding: Some(Encoding {
            written,
            text: printed(&read.instruction, &symbols),
        }),
    }
}

/// Text with the names that the tool prints, which uses numbers for declared surfaces
/// and predicates.
fn printed(instruction: &Instruction, symbols: &SymbolTable) -> String {
    let tokens = instruction.tokens(symbols, Style::Assembler);
    let texts = tokens.into_iter().map(|token| {
        if !matches!(token.part, SyntaxPart::Surface | SyntaxPart::Predicate) {
            return token.text;
        }
        match symbols.visa.symbol(&token.text) {
            Some(Symbol::Surface(id)) if surface_number(&token.text).is_none() => format!("T{id}"),
            Some(Symbol::Predicate(id)) => format!("P{id}"),
            _ => token.text,
        }
    });
    texts.collect()
}

/// The line as the tool reads it, with the constant given by a note.
fn as_the_tool_reads(source: &Source, ours: &Ours) -> Option<Source> {
    let mut notes = ours.of_line.iter();
    let note = notes.find(|d| ["N0511", "N0513"].contains(&d.rule.code))?;
    let (_, bits) = note.what.rsplit_once(" as ")?;
    let (start, end) = (note.span.start as usize, note.span.end as usize);
    let (_, ty) = source.line[start..end].split_once(':')?;
    let mut read = source.clone();
    read.line
        .replace_range(start..end, &format!("{bits}:{}", ty.trim()));
    Some(read)
}

fn difference(source: &Source, ours: &Ours, theirs: &Answer) -> Option<Difference> {
    let taken = theirs.verdict == Verdict::Accepted;
    if !taken || ours.expected == Claim::Refuses {
        let same = taken == (ours.expected == Claim::Takes);
        return (!same).then_some(Difference::Verdict);
    }
    let read = as_the_tool_reads(source, ours).map(|read| self::ours(&read));
    let read = read.as_ref().unwrap_or(ours);
    let Some(encoding) = &read.encoding else {
        return Some(Difference::Verdict);
    };
    let length = encoding.written.len().max(1);
    if !theirs.object.windows(length).any(|w| w == encoding.written) {
        Some(Difference::Bytes)
    } else if theirs.text.as_deref() != Some(&encoding.text) {
        Some(Difference::Text)
    } else {
        (ours.expected == Claim::Fails).then_some(Difference::Verdict)
    }
}

fn ask(tool: &Path, source: &Source) -> io::Result<Answer> {
    let platform = source
        .platform
        .features()
        .assembler
        .expect("a platform of the real assembler");
    genx::assemble(tool, platform, &genx::program(&source.decls, &source.line))
}

fn check(tool: &Path, source: &Source, read_back: bool) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let ours = ours(source);
    let platform = source
        .platform
        .features()
        .assembler
        .expect("a platform of the real assembler");
    let theirs = ask(tool, source)?;
    match difference(source, &ours, &theirs) {
        None => {
            let both = match (ours.expected, theirs.verdict) {
                (Claim::Takes, _) => "vISA: both accept it, same bytes and text",
                (_, Verdict::Rejected) => "vISA: both reject it",
                _ => "vISA: we reject it or warn, the tool crashes or hangs",
            };
            tally.count(both);
        }
        Some(difference) if is_fickle(&ours, &theirs, difference) => {
            tally
                .count("vISA: we warn of a crash on some platforms; accepted, same bytes and text");
        }
        Some(difference) => match reasons(tool, source, &ours, &theirs, difference, MAX_REASONS)? {
            Some(reasons) => {
                tally.count(format!("vISA, explained: {}", reasons.join(" — and ")));
                tally.explained.push(format!(
                    "vISA {platform}: {}\n  {}\n  {}",
                    ours.describe(difference, &theirs),
                    source.line,
                    reasons.join("\n  ")
                ));
            }
            None => {
                let (small, answer) = shrink(tool, source, difference)?;
                let mine = self::ours(&small);
                tally.count("vISA: NOT explained");
                tally.unexplained.push(format!(
                    "vISA {platform}: {}\n  {}\n  {}\n  we: {:?}  it: {:?} {}",
                    mine.describe(difference, &answer),
                    small.decls.join("\n  "),
                    small.line,
                    mine.codes(),
                    answer.verdict,
                    answer.message
                ));
                return Ok(tally);
            }
        },
    }
    if read_back
        && theirs.verdict == Verdict::Accepted
        && let Some(encoding) = &ours.encoding
    {
        check_object(tool, source, &ours, encoding, &mut tally)?;
    }
    Ok(tally)
}

/// Whether the tool accepts a line on which it crashes only on some platforms.
fn is_fickle(ours: &Ours, theirs: &Answer, difference: Difference) -> bool {
    let taken = theirs.verdict == Verdict::Accepted;
    taken && difference == Difference::Verdict && ours.encoding.is_some() && ours.has(&["W0422"])
}

/// Exports the program as an object and checks that the tool reads the same line.
fn check_object(
    tool: &Path,
    source: &Source,
    ours: &Ours,
    encoding: &Encoding,
    tally: &mut Tally,
) -> io::Result<()> {
    let target = source.platform.name();
    let text = format!(
        ".target visa {target}\n{}\n{}\n",
        source.decls.join("\n"),
        source.line
    );
    let program = Program::parse(&text);
    let platform = source
        .platform
        .features()
        .assembler
        .expect("a platform of the real assembler");
    let object = match lanewise_files::isa_object(&program) {
        Ok(object) => object,
        Err(error) => {
            tally.count(format!("objects: not exported: {error}"));
            return Ok(());
        }
    };
    let theirs = genx::read_object(tool, platform, &object)?;
    let read = theirs.text.unwrap_or_default();
    let own = &encoding.text;
    if read == *own {
        tally.count("objects: read back as the same line");
    } else if cut_constant(own).as_ref() == Some(&read) {
        tally.count("objects, explained: the tool truncates constants to their type");
    } else if ours.has(&["W0416", "W0421"]) && without_null_offsets(own) == read {
        tally.count("objects, explained: the tool omits the offset of the null variable");
    } else if ours.has(&["N0503"]) && own.replacen("predec", "", 1) == read {
        tally.count("objects, explained: the tool has no name for operation 0x0d");
    } else {
        tally.count("objects: NOT explained");
        tally.unexplained.push(format!(
            "object {platform}: {text}  the tool reads `{read}` {:?} {}\n  Lanewise prints `{own}`",
            theirs.verdict, theirs.message
        ));
    }
    Ok(())
}

/// Text with the constant as the tool prints it after reading an object: truncated to
/// its type and sign-extended if signed. `None` if the type has 32 bits or more.
fn cut_constant(text: &str) -> Option<String> {
    let start = text.find(" 0x")? + 1;
    let end = start + text[start..].find(':')?;
    let ty = text[end + 1..].split(' ').next()?;
    let bits = u32::from_str_radix(&text[start + 2..end], 16).ok()?;
    let [b0, b1, ..] = bits.to_le_bytes();
    let word = u16::from_le_bytes([b0, b1]);
    let cut = match ty {
        "ub" => u32::from(b0),
        "b" => i32::from(b0.cast_signed()).cast_unsigned(),
        "uw" | "hf" => u32::from(word),
        "w" => i32::from(word.cast_signed()).cast_unsigned(),
        _ => return None,
    };
    Some(format!("{}{cut:#x}{}", &text[..start], &text[end..]))
}

/// Sets the offset of null variables to 0.
fn without_null_offsets(text: &str) -> String {
    let words = text.split(' ').map(|word| match word {
        null if null.starts_with("%null.") => "%null.0",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Finds reasons that explain the difference. Returns `None` if a difference remains.
fn reasons(
    tool: &Path,
    source: &Source,
    ours: &Ours,
    theirs: &Answer,
    difference: Difference,
    most: usize,
) -> io::Result<Option<Vec<&'static str>>> {
    let case = Case {
        source,
        ours,
        theirs,
        difference: &difference,
    };
    if most == 0 {
        return Ok(None);
    }
    for entry in explained::ALL {
        let Some(without) = (entry.without)(&case) else {
            continue;
        };
        let ours = self::ours(&without);
        let theirs = ask(tool, &without)?;
        let rest = match self::difference(&without, &ours, &theirs) {
            None => Some(Vec::new()),
            Some(rest) if is_fickle(&ours, &theirs, rest) => Some(Vec::new()),
            Some(rest) => reasons(tool, &without, &ours, &theirs, rest, most - 1)?,
        };
        if let Some(mut all) = rest {
            all.insert(0, entry.reason);
            all.dedup();
            return Ok(Some(all));
        }
    }
    Ok(None)
}

/// Removes declarations while an unexplained difference of the same kind remains.
fn shrink(tool: &Path, source: &Source, kind: Difference) -> io::Result<(Source, Answer)> {
    let mut best = source.clone();
    let mut answer = ask(tool, &best)?;
    let mut runs = 0;
    let mut index = 0;
    while index < best.decls.len() && runs < SHRINK_RUNS {
        let mut smaller = best.clone();
        smaller.decls.remove(index);
        runs += 1;
        let theirs = ask(tool, &smaller)?;
        let ours = ours(&smaller);
        let same = difference(&smaller, &ours, &theirs) == Some(kind)
            && reasons(tool, &smaller, &ours, &theirs, kind, MAX_REASONS)?.is_none();
        if same {
            (best, answer) = (smaller, theirs);
        } else {
            index += 1;
        }
    }
    Ok((best, answer))
}
