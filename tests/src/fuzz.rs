//! Fuzz targets: functions of bytes that panic if a property does not hold. `fuzz/`
//! runs them with libFuzzer; a test runs them on their seeds and on mutations.

use crate::branches;
use crate::one_cell::one_cell;
use crate::outcomes::compare;
use crate::place::snapshot;
use lanewise_core::diagnostic::Severity;
use lanewise_core::ide;
use lanewise_core::isa::sass::chip::Chip;
use lanewise_core::isa::sass::schedule::GROUP_BYTES;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::isa::{Family, Style, Target};
use lanewise_core::library::BUNDLED;
use lanewise_core::program::{Assembler, Program};
use lanewise_core::session::{Session, run};
use lanewise_files::Content;
use lanewise_link::Link;
use lanewise_saved::{Draft, MAX_DRAFTS, Settings, read_drafts};
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// Name of the target and of its program in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Panics if a property does not hold.
    pub run: fn(&[u8]),
    pub seeds: fn() -> Vec<Vec<u8>>,
}

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "scenario",
        run: scenario,
        seeds: scenario_seeds,
    },
    FuzzTarget {
        name: "visa_bytes",
        run: visa_bytes,
        seeds: visa_seeds,
    },
    FuzzTarget {
        name: "sass_words",
        run: sass_words,
        seeds: sass_seeds,
    },
    FuzzTarget {
        name: "sass_groups",
        run: sass_groups,
        seeds: sass_group_seeds,
    },
    FuzzTarget {
        name: "permalink",
        run: permalink,
        seeds: permalink_seeds,
    },
    FuzzTarget {
        name: "records",
        run: records,
        seeds: record_seeds,
    },
    FuzzTarget {
        name: "visa_object",
        run: visa_object,
        seeds: || files("isa"),
    },
    FuzzTarget {
        name: "visa_listing",
        run: visa_listing,
        seeds: || files("visaasm"),
    },
    FuzzTarget {
        name: "cubin",
        run: cubin,
        seeds: || files("cubin"),
    },
    FuzzTarget {
        name: "sass_listing",
        run: sass_listing,
        seeds: || files("sass"),
    },
    FuzzTarget {
        name: "any_file",
        run: any_file,
        seeds: any_file_seeds,
    },
    FuzzTarget {
        name: "assemble",
        run: assemble,
        seeds: assemble_seeds,
    },
    FuzzTarget {
        name: "steps",
        run: steps,
        seeds: scenario_seeds,
    },
    FuzzTarget {
        name: "branches",
        run: branches::check,
        seeds: branches::seeds,
    },
    FuzzTarget {
        name: "outcomes",
        run: outcomes,
        seeds: outcome_seeds,
    },
];

#[must_use]
pub fn target(name: &str) -> Option<&'static FuzzTarget> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Random number generator (xorshift64*).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a deterministic generator; `seed` must not be 0.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(bits).expect("31 bits") % end.max(1)
    }
}

// Seeds.

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// Small sample files with an extension; the contents of larger ones are similar.
fn files(ending: &str) -> Vec<Vec<u8>> {
    const MAX_SEED: usize = 60_000;
    let folder = vectors().join("files");
    let entries = std::fs::read_dir(folder).expect("the sample files");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|e| e == ending));
    let read = |path: &PathBuf| std::fs::read(path).expect("a sample file");
    let mut seeds: Vec<Vec<u8>> = paths.iter().map(read).collect();
    seeds.retain(|seed| seed.len() < MAX_SEED);
    seeds
}

/// At most 64 values of a field in a JSON Lines file, taking every `step`th line.
fn field<T>(file: &str, step: usize, of: impl Fn(&serde_json::Value) -> Option<T>) -> Vec<T> {
    let lines: Vec<serde_json::Value> = crate::vectors::read(file);
    lines.iter().step_by(step).filter_map(of).take(64).collect()
}

fn scenario_seeds() -> Vec<Vec<u8>> {
    BUNDLED.iter().map(|s| s.text.as_bytes().to_vec()).collect()
}

fn visa_seeds() -> Vec<Vec<u8>> {
    let of = |line: &serde_json::Value| {
        let mut seed = vec![3];
        seed.extend(crate::judge::unhex(line["bytes"].as_str()?));
        Some(seed)
    };
    let mut seeds = field("visa/encodings.jsonl", 53, of);
    seeds.extend(field("visa/decodings.jsonl", 11, of));
    seeds.extend(field("visa/gather4_encodings.jsonl", 17, of));
    seeds.extend(field("visa/dpas_encodings.jsonl", 17, of));
    seeds
}

fn sass_seeds() -> Vec<Vec<u8>> {
    let of = |line: &serde_json::Value| {
        let word = u64::from_str_radix(line["word"].as_str()?.strip_prefix("0x")?, 16).ok()?;
        let mut seed = vec![3];
        seed.extend_from_slice(&word.to_le_bytes());
        Some(seed)
    };
    let mut seeds = field("sass/encodings.jsonl", 71, of);
    seeds.extend(field("sass/red_encodings.jsonl", 47, of));
    seeds
}

fn sass_group_seeds() -> Vec<Vec<u8>> {
    let words: Vec<Vec<u8>> = sass_seeds();
    let group = |words: &[Vec<u8>]| {
        let mut seed = vec![3];
        seed.extend_from_slice(&0x001f_c400_fe20_07f6_u64.to_le_bytes());
        seed.extend(words.iter().flat_map(|word| word[1..].to_vec()));
        seed
    };
    words.chunks_exact(3).map(group).collect()
}

fn permalink_seeds() -> Vec<Vec<u8>> {
    let of = |line: &serde_json::Value| {
        let texts = line.as_object()?.values().filter_map(|v| v.as_str());
        texts
            .map(|text| text.as_bytes().to_vec())
            .find(|text| text.starts_with(b"1") || text.contains(&b'#'))
    };
    let mut seeds = field("links/golden.jsonl", 1, of);
    let link = |text: &str| Link {
        text: String::from(text),
        view: lanewise_link::View::default(),
    };
    let bundled = BUNDLED.iter().filter_map(|s| link(s.text).fragment().ok());
    seeds.extend(bundled.map(String::into_bytes));
    seeds
}

fn record_seeds() -> Vec<Vec<u8>> {
    let settings = serde_json::to_vec(&Settings::default()).expect("JSON");
    let draft = Draft {
        scenario: Rc::from("lock"),
        text: Rc::from(".slm 64\n"),
        time: 1.7e12,
    };
    let drafts = serde_json::to_vec(&[draft.clone(), draft.clone()]).expect("JSON");
    vec![
        settings,
        drafts,
        serde_json::to_vec(&draft).expect("JSON"),
        br#"{"tab":"surfaces","speed":"fast","single_keys":false,"breakpoints":[1,2]}"#.to_vec(),
        // Found by fuzzing.
        br#"[{"scenario":"1","text":"a","time":1e300}]"#.to_vec(),
    ]
}

fn any_file_seeds() -> Vec<Vec<u8>> {
    let mut seeds = files("o");
    seeds.extend(files("dot"));
    seeds.extend(files("fatbin"));
    for file in files("cubin").iter().take(1) {
        seeds.push(file[0x500.min(file.len())..].to_vec());
    }
    seeds.push(b"\xff\xfe/\0*\x000\0".to_vec());
    // Found by fuzzing.
    seeds.push(b"\xff\xfe/\0*\0/\0".to_vec());
    seeds.push(vec![0; 2 * GROUP_BYTES]);
    seeds
}

fn assemble_seeds() -> Vec<Vec<u8>> {
    let visa = |line: &serde_json::Value| {
        let text = line["text"].as_str()?;
        Some([b"\x03", text.as_bytes()].concat())
    };
    let sass = |line: &serde_json::Value| {
        let text = line["text"].as_str()?;
        Some([b"\x0a", text.as_bytes()].concat())
    };
    let mut seeds = field("visa/encodings.jsonl", 53, visa);
    seeds.extend(field("visa/dpas_encodings.jsonl", 17, visa));
    seeds.extend(field("sass/encodings.jsonl", 71, sass));
    seeds.extend(field("sass/red_encodings.jsonl", 47, sass));
    seeds
}

fn outcome_seeds() -> Vec<Vec<u8>> {
    (0..u8::try_from(OPERATIONS.len()).expect("few operations"))
        .map(|operation| vec![operation, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        .collect()
}

// Targets.

/// Selects a target machine.
fn machine(byte: u8) -> Target {
    let index = usize::from(byte);
    let visa = Platform::ALL;
    match visa.get(index % (visa.len() + Chip::ALL.len())) {
        Some(platform) => Target::Visa(*platform),
        None => Target::Sass(Chip::ALL[index % (visa.len() + Chip::ALL.len()) - visa.len()]),
    }
}

fn visa_machine(byte: u8) -> Target {
    Target::Visa(Platform::ALL[usize::from(byte) % Platform::ALL.len()])
}

fn sass_machine(byte: u8) -> Target {
    Target::Sass(Chip::ALL[usize::from(byte) % Chip::ALL.len()])
}

/// Variables of every type and class, as declared in the vectors.
const DECLARATIONS: [&str; 10] = [
    ".decl V32 v_type=G type=ud num_elts=256 align=GRF",
    ".decl V33 v_type=G type=d num_elts=256 align=GRF",
    ".decl V34 v_type=G type=f num_elts=256 align=GRF",
    ".decl V35 v_type=G type=uq num_elts=128 align=GRF",
    ".decl V36 v_type=G type=uw num_elts=64 align=word",
    ".decl V37 v_type=G type=q num_elts=64 align=GRF",
    ".decl V38 v_type=G type=hf num_elts=64 align=GRF",
    ".decl P1 v_type=P num_elts=32",
    ".decl A0 v_type=A num_elts=8",
    ".decl T6 v_type=T num_elts=1",
];

fn assembler(target: Target) -> Assembler {
    let declarations = match target {
        Target::Visa(_) => &DECLARATIONS[..],
        Target::Sass(_) => &[],
    };
    Assembler::new(target, declarations.iter().copied()).expect("valid declarations")
}

/// Parses a text, calls the editor services, and runs it if it can run.
fn scenario(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let program = Program::parse(text);
    for diagnostic in &program.diagnostics {
        let span = diagnostic.span;
        // Spans are in bounds and on character boundaries.
        let start = usize::try_from(span.start).expect("an offset");
        let end = usize::try_from(span.end).expect("an offset");
        assert!(text.get(start..end).is_some(), "{diagnostic:?}");
        assert!(!diagnostic.message().is_empty());
    }
    let tokens = ide::tokens(&program, text);
    assert!(tokens.is_sorted_by_key(|(span, _)| span.start));
    for at in (0..text.len()).step_by(text.len() / 4 + 1) {
        if text.is_char_boundary(at) {
            let _ = ide::hover(&program, text, at);
            let _ = ide::signature(&program, text, at, Style::Assembler);
            let _ = ide::complete(&program, text, at);
        }
    }
    for style in [Style::Assembler, Style::Document] {
        let formatted = ide::format(&program, text, style);
        assert!(Program::parse(&formatted.text).can_run() || !program.can_run());
    }
    if program.can_run() {
        let _ = run(&program);
    }
}

/// Decodes bytes as vISA instructions.
fn visa_bytes(data: &[u8]) {
    let Some((first, bytes)) = data.split_first() else {
        return;
    };
    decode(visa_machine(*first), bytes);
}

/// Decodes bytes as SASS words.
fn sass_words(data: &[u8]) {
    let Some((first, bytes)) = data.split_first() else {
        return;
    };
    for word in bytes.chunks(8).take(16) {
        decode(sass_machine(*first), word);
    }
}

/// Decodes the first instruction. Encoding it gives the same bytes, except for
/// ignored bits, and decoding those gives the same instruction.
fn decode(target: Target, bytes: &[u8]) {
    let mut assembler = assembler(target);
    let Ok(read) = assembler.disassemble(bytes, Style::Assembler) else {
        let document = assembler.disassemble(bytes, Style::Document);
        assert!(document.is_err(), "only one style accepts the bytes");
        return;
    };
    let (instruction, length) = (read.instruction, read.length);
    assert!(length <= bytes.len());
    let encoded = instruction.encode();
    assert_eq!(encoded.bytes().len(), length);
    let again = assembler.disassemble(encoded.bytes(), Style::Document);
    let again = again.expect("encoded bytes can be decoded");
    assert_eq!(again.instruction, instruction);
    for field in instruction.fields(assembler.symbols()) {
        assert!(!field.name.is_empty());
    }
    let _ = instruction.source_constructs(assembler.symbols());
}

/// Decodes bytes as groups of a control word and three instructions.
fn sass_groups(data: &[u8]) {
    let Some((first, bytes)) = data.split_first() else {
        return;
    };
    let mut assembler = assembler(sass_machine(*first));
    for group in bytes.chunks_exact(GROUP_BYTES).take(8) {
        let group = group.first_chunk().expect("a whole group");
        for style in [Style::Assembler, Style::Document] {
            if let Ok(read) = assembler.disassemble_group(group, style) {
                assert!(!read.texts.is_empty());
            }
        }
    }
}

/// Decodes a link; encoding and decoding it again gives the same link.
fn permalink(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let _ = Link::open(text);
    let Ok(link) = Link::read(text) else {
        return;
    };
    // Re-encoding may exceed the limit.
    if let Ok(fragment) = link.fragment() {
        let again = Link::read(&fragment).expect("an encoded link can be decoded");
        assert_eq!(again.text, link.text);
        assert_eq!(again.view, link.view);
    }
}

/// Reads saved records; saving and reading them again gives the same records.
fn records(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let settings = Settings::read(text);
    let kept = serde_json::to_string(&settings).expect("JSON");
    assert_eq!(Settings::read(&kept), settings);
    let drafts = read_drafts(text);
    assert!(drafts.len() <= MAX_DRAFTS);
    let kept = serde_json::to_string(&drafts).expect("JSON");
    assert_eq!(read_drafts(&kept), drafts);
}

/// Opens a file; its first functions become programs with the same instructions.
fn open(name: &str, data: &[u8]) {
    let file = match lanewise_files::open(name, data) {
        Ok(file) => file,
        Err(error) => {
            assert!(error.offset <= data.len().max(18), "{error}");
            assert!(!error.message.is_empty());
            return;
        }
    };
    for function in file.functions.iter().take(2) {
        let text = function.scenario();
        let program = Program::parse(&text);
        assert!(program.instructions.len() <= function.own_instructions() + 1);
        // What cannot be read is never skipped.
        let mut items = function.items.iter();
        let is_visa = function.target.family() == Family::Visa;
        let has_errors = items.any(|item| match item.content {
            Content::Incomplete { .. } | Content::Unreadable(_) => true,
            Content::Other(_) => is_visa,
            _ => false,
        });
        assert!(!(has_errors && program.can_run()), "{text}");
        let _ = lanewise_files::isa_object(&program);
        let _ = lanewise_files::sass_code(&program);
    }
}

fn visa_object(data: &[u8]) {
    open("x.isa", data);
}

fn visa_listing(data: &[u8]) {
    open("x.visaasm", data);
}

fn cubin(data: &[u8]) {
    open("x.cubin", data);
}

fn sass_listing(data: &[u8]) {
    open("x.sass", data);
}

fn any_file(data: &[u8]) {
    open("x", data);
}

/// Assembles a line; its bytes disassemble to text that assembles to the same bytes.
fn assemble(data: &[u8]) {
    let Some((first, text)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let mut assembler = assembler(machine(*first));
    let Ok(assembled) = assembler.assemble(text) else {
        return;
    };
    let bytes = assembled.encoded.bytes().to_vec();
    for style in [Style::Assembler, Style::Document] {
        let read = assembler.disassemble(&bytes, style);
        let read = read.unwrap_or_else(|found| panic!("{text}: {found:?}"));
        assert_eq!(read.length, bytes.len(), "{text}");
        let printed = String::from(read.text);
        let again = assembler.assemble(&printed);
        let again = again.unwrap_or_else(|found| panic!("{text}: {printed}: {found:?}"));
        assert_eq!(again.encoded.bytes(), bytes, "{text}: {printed}");
    }
}

/// Maximum number of effects to step through.
const MAX_STEPS: usize = 3000;

/// Steps through a program. It ends in the same state as a run; step back and seek
/// restore earlier states.
/// Checks that stepping and seeking agree with a run.
pub(crate) fn steps(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let program = Program::parse(text);
    let has_errors = (program.diagnostics.iter()).any(|d| d.severity() == Severity::Error);
    if !program.can_run() {
        assert!(has_errors, "cannot run, but there is no error");
        return;
    }
    let program = Rc::new(program);
    let mut session = Session::new(Rc::clone(&program));
    // Compare a few states only, because snapshots are large.
    let mut states = vec![(0, snapshot(session.machine()))];
    while session.position() < MAX_STEPS && session.step() {
        if session.position().is_power_of_two() {
            states.push((session.position(), snapshot(session.machine())));
        }
    }
    let end = session.position();
    if session.at_end() {
        let ended = run(&program);
        assert_eq!(snapshot(session.machine()), snapshot(&ended.machine));
        assert_eq!(session.fault().is_some(), ended.fault.is_some());
    }
    let last = snapshot(session.machine());
    for (position, state) in states.iter().rev() {
        while session.position() > *position {
            assert!(session.step_back());
        }
        assert_eq!(snapshot(session.machine()), *state, "back at {position}");
    }
    session.seek(end);
    assert_eq!(snapshot(session.machine()), last, "forward again");
    for (position, state) in &states {
        session.seek(*position);
        assert_eq!(snapshot(session.machine()), *state, "at {position}");
    }
}

/// Operations of the searched conflicts.
const OPERATIONS: [&str; 17] = [
    "add", "sub", "inc", "dec", "min", "max", "xchg", "cmpxchg", "and", "or", "xor", "minsint",
    "maxsint", "fmax", "fmin", "fcmpwr", "fadd",
];

/// Searches the outcomes of up to six lanes on one cell, and compares them with those
/// of all orders. Bytes: operation, number of lanes, initial value, then the operands
/// of each lane.
fn outcomes(data: &[u8]) {
    let [operation, lanes, start, operands @ ..] = data else {
        return;
    };
    let operation = OPERATIONS[usize::from(*operation) % OPERATIONS.len()];
    let lanes = u32::from(*lanes) % 6 + 1;
    let is_float = operation.starts_with('f');
    let value = |byte: u8| match (is_float, byte) {
        (true, 0xff) => String::from("1e30"),
        (true, 0xfe) => String::from("-1e30"),
        (true, byte) => format!("{:?}", f32::from(byte.cast_signed()) / 2.0),
        (false, byte) if byte >= 0x80 => format!("{:#x}", 0xffff_ff00 | u32::from(byte)),
        (false, byte) => byte.to_string(),
    };
    let list = |index: usize| {
        let bytes = (0..16).map(|lane| operands.get(2 * lane + index).copied().unwrap_or(0));
        let values: Vec<String> = bytes.map(value).collect();
        values.join(", ")
    };
    let (src0, src1) = match operation {
        "inc" | "dec" => (String::from("V0"), String::from("V0")),
        "cmpxchg" | "fcmpwr" => (list(0), list(1)),
        _ => (list(0), String::from("V0")),
    };
    let text = one_cell(operation, lanes, &value(*start), &src0, &src1, "splat(0)");
    if let Err(wrong) = compare(&text, 4096) {
        panic!("{wrong}");
    }
}
