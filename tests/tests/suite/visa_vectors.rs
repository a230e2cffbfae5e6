//! Compares Lanewise with recorded output of the real assembler.

use lanewise_core::isa::Style;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::program::Assembler;
use lanewise_tests::judge::{Judged, hex, judge, unhex};
use lanewise_tests::report::{self, Report};
use lanewise_tests::vectors::{self, Decoding, Encoding, Observed, Reject, RejectCodes};
use std::collections::BTreeSet;

/// Disassembles in both styles, and assembles both texts again.
fn check_disassembly(
    at: Platform,
    decls: &[String],
    bytes: &str,
    wanted: &str,
) -> Result<(), String> {
    let mut assembler = Assembler::new(at, decls.iter().map(String::as_str))
        .map_err(|d| format!("declarations: {d:?}"))?;
    let raw = unhex(bytes);
    let text = |style, assembler: &mut Assembler| match assembler.disassemble(&raw, style) {
        Ok(read) if read.length == raw.len() => Ok(read.text.to_owned()),
        Ok(read) => Err(format!("read {} of {} bytes", read.length, raw.len())),
        Err(diagnostics) => Err(format!("cannot decode: {diagnostics:?}")),
    };
    let printed = text(Style::Assembler, &mut assembler)?;
    if printed != wanted {
        return Err(format!("prints  {printed}\nnot     {wanted}"));
    }
    let document = text(Style::Document, &mut assembler)?;
    for (style, printed) in [("assembler", printed), ("document", document)] {
        match assembler.assemble(&printed) {
            Ok(again) if again.encoded.bytes() == raw => {}
            Ok(again) => {
                return Err(format!(
                    "{style} style: {printed}\nassembles to {}",
                    hex(again.encoded.bytes())
                ));
            }
            Err(diagnostics) => {
                return Err(format!(
                    "{style} style: {printed}\nis rejected: {diagnostics:?}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn encodings() {
    check_encodings(
        "Atomics, scatter and DPASW: text and bytes",
        "visa/encodings.jsonl",
        2593,
        &ENCODINGS,
    );
}

#[test]
fn encodings_of_dpas() {
    check_encodings(
        "DPAS: text and bytes",
        "visa/dpas_encodings.jsonl",
        607,
        &DPAS_ENCODINGS,
    );
}

#[test]
fn encodings_of_gathers() {
    check_encodings(
        "SVM_GATHER4_SCALED: text and bytes",
        "visa/gather4_encodings.jsonl",
        523,
        &GATHER4_ENCODINGS,
    );
}

const GATHER4_ENCODINGS: [(&str, usize); 6] = [
    ("SVM_GATHER4_SCALED: case", 2),
    ("SVM_GATHER4_SCALED: doc-exec", 192),
    ("SVM_GATHER4_SCALED: doc-region-ignored", 5),
    ("SVM_GATHER4_SCALED: doc-type:uq", 7),
    ("SVM_GATHER4_SCALED: legal", 312),
    ("SVM_GATHER4_SCALED: spelling", 5),
];

fn check_encodings(name: &'static str, file: &str, lines: usize, classes: &[(&str, usize)]) {
    let mut report = Report::new(&report::GENX_IR, name);
    for line in vectors::read::<Encoding>(file) {
        let at = Platform::named(&line.platform).unwrap();
        let judged = judge(&line.platform, &line.decls, &line.text);
        let result = check_encoding(&line, &judged).and_then(|class| {
            check_disassembly(at, &line.decls, &line.bytes, &line.disasm).map(|()| class)
        });
        match result {
            Ok(class) => report.agree(&class),
            Err(e) => report.wrong(format!("{} {}\n{e}", line.platform, line.text)),
        }
    }
    report.finish(lines, classes);
}

const DPAS_ENCODINGS: [(&str, usize); 9] = [
    ("DPAS: case", 4),
    ("DPAS: doc-sd", 40),
    ("DPAS: doc-src2-align", 28),
    ("DPAS: finalizer-hangs", 7),
    ("DPAS: legal", 516),
    ("DPAS: native-invalid", 5),
    ("DPAS: predefined", 2),
    ("DPAS: spelling", 4),
    (
        "differs: one variable for all operands, which gets a note",
        1,
    ),
];

const ENCODINGS: [(&str, usize); 41] = [
    ("DPASW: case", 3),
    ("DPASW: doc-sd", 15),
    ("DPASW: doc-src2-align", 2),
    ("DPASW: finalizer-hangs", 9),
    ("DPASW: legal", 418),
    ("DPASW: spelling", 3),
    ("DWORD_ATOMIC: doc-type:d", 17),
    ("DWORD_ATOMIC: doc-type:d, surface-not-listed", 9),
    (
        "DWORD_ATOMIC: doc-type:d, surface-not-listed (a declared buffer)",
        8,
    ),
    ("DWORD_ATOMIC: doc-type:f", 15),
    ("DWORD_ATOMIC: doc-type:f, surface-not-listed", 9),
    (
        "DWORD_ATOMIC: doc-type:f, surface-not-listed (a declared buffer)",
        10,
    ),
    (
        "DWORD_ATOMIC: doc-type:f, surface-not-listed, undocumented-op",
        6,
    ),
    (
        "DWORD_ATOMIC: doc-type:f, surface-not-listed, undocumented-op (a declared buffer)",
        6,
    ),
    ("DWORD_ATOMIC: doc-type:f, undocumented-op", 20),
    ("DWORD_ATOMIC: doc-type:ud", 5),
    ("DWORD_ATOMIC: legal", 393),
    ("DWORD_ATOMIC: predefined", 1),
    ("DWORD_ATOMIC: spelling", 6),
    ("DWORD_ATOMIC: surface-not-listed", 108),
    ("DWORD_ATOMIC: surface-not-listed (a declared buffer)", 87),
    ("DWORD_ATOMIC: surface-not-listed, undocumented-op", 6),
    (
        "DWORD_ATOMIC: surface-not-listed, undocumented-op (a declared buffer)",
        6,
    ),
    ("DWORD_ATOMIC: undocumented-op", 16),
    ("SVM_ATOMIC: doc-exec", 13),
    ("SVM_ATOMIC: legal", 535),
    ("SVM_ATOMIC: predefined", 1),
    ("SVM_ATOMIC: spelling", 6),
    ("SVM_ATOMIC: undocumented-op", 39),
    ("SVM_ATOMIC: undocumented-op, undocumented-width", 17),
    ("SVM_ATOMIC: undocumented-width", 98),
    ("SVM_SCATTER4_SCALED: case", 5),
    ("SVM_SCATTER4_SCALED: doc-region-ignored", 3),
    ("SVM_SCATTER4_SCALED: doc-type:uq", 6),
    ("SVM_SCATTER4_SCALED: legal", 512),
    ("SVM_SCATTER4_SCALED: predefined", 1),
    ("SVM_SCATTER4_SCALED: spelling", 5),
    ("differs: .32 is a spelling here", 1),
    (
        "differs: DPASW without sharing, which the document advises against",
        154,
    ),
    (
        "differs: DPASW with dst D and src0 UD or vice versa, which is illegal in the rejects",
        3,
    ),
    (
        "differs: a predefined variable is too short for the lanes",
        16,
    ),
];

/// Diagnostics required by each tag. `spelling` and `predefined` describe the line but do
/// not break a rule, so they do not require a diagnostic.
const TAG_CODES: [(&str, &[&str]); 16] = [
    ("doc-exec", &["W0403"]),
    ("undocumented-op", &["W0401"]),
    ("undocumented-width", &["W0402"]),
    ("surface-not-listed", &["W0404"]),
    ("doc-type:d", &["W0408"]),
    ("doc-type:f", &["W0408"]),
    // decisions.md: ADD and SUB with D are accepted with a note.
    ("doc-type:ud", &["N0504"]),
    // For a scatter: its address.
    ("doc-type:uq", &["W0410"]),
    ("doc-region-ignored", &["N0510"]),
    ("case", &[]),
    ("doc-sd", &["W0440"]),
    ("doc-src2-align", &["W0446"]),
    ("finalizer-hangs", &["W0442"]),
    // For DPAS: tf32 before PVC.
    ("native-invalid", &["W0447"]),
    ("spelling", &[]),
    ("predefined", &[]),
];

/// Additional diagnostic without a tag, with the reason.
struct Explained {
    code: &'static str,
    class: &'static str,
    applies: fn(&Encoding) -> bool,
}

const EXPLAINED: [Explained; 5] = [
    Explained {
        code: "W0418",
        class: "differs: a predefined variable is too short for the lanes",
        applies: |line| line.tags == ["predefined"] && line.text.contains('%'),
    },
    Explained {
        code: "W0402",
        class: "differs: .32 is a spelling here",
        applies: |line| line.tags == ["spelling"] && line.text.contains(".32 "),
    },
    Explained {
        code: "W0443",
        class: "differs: DPASW without sharing, which the document advises against",
        applies: shares_nothing,
    },
    Explained {
        code: "N0520",
        class: "differs: one variable for all operands, which gets a note",
        applies: |line| line.family == "DPAS" && line.text.matches("V32.0").count() == 3,
    },
    Explained {
        code: "W0445",
        class: "differs: DPASW with dst D and src0 UD or vice versa, which is illegal in the rejects",
        applies: |line| line.family == "DPASW" && line.tags.is_empty(),
    },
];

/// `surface-not-listed` on a declared buffer: decisions.md allows declared buffers, so there
/// is no warning.
fn is_declared_buffer(line: &Encoding) -> bool {
    let surface = line.bytes.get(10..12);
    surface.is_some_and(|byte| u8::from_str_radix(byte, 16).is_ok_and(|n| n >= 6))
}

/// Whether Src2 of a DPASW fits in one register, computed from the text: bits ×
/// OPS_PER_CHAN × depth × repeat count.
fn shares_nothing(line: &Encoding) -> bool {
    let suffix = line.disasm.split(' ').next().unwrap_or("");
    let ["dpasw", w, a, sd, rc] = suffix.split('.').collect::<Vec<_>>()[..] else {
        return false;
    };
    let bits = |precision: &str| match precision {
        "bf" | "hf" => 16,
        integer => integer[1..].parse::<u32>().unwrap(),
    };
    let ops = match (bits(w), bits(a)) {
        (16, _) => 2,
        (8, _) | (_, 8) => 4,
        _ => 8,
    };
    let number = |text: &str| text.parse::<u32>().unwrap();
    bits(a) * ops * number(sd) * number(rc) <= 256
}

/// Class of a line: its tags and additional reasons for its diagnostics.
fn check_encoding(line: &Encoding, judged: &Judged) -> Result<String, String> {
    if judged.bytes.as_deref() != Some(&line.bytes) {
        return Err(format!(
            "wanted {}\ngot    {}",
            line.bytes,
            judged.summary()
        ));
    }
    let mut class = match line.tags.as_slice() {
        [] => format!("{}: legal", line.family),
        tags => format!("{}: {}", line.family, tags.join(", ")),
    };
    let mut wanted = BTreeSet::new();
    for tag in &line.tags {
        let codes = TAG_CODES.iter().find(|(name, _)| name == tag);
        let (_, codes) = codes.ok_or_else(|| format!("unknown tag {tag}"))?;
        if tag == "doc-exec" && line.family.starts_with("SVM_GATHER4") {
            wanted.insert("W0430");
        } else if tag == "surface-not-listed" && is_declared_buffer(line) {
            class.push_str(" (a declared buffer)");
        } else {
            wanted.extend(codes.iter().copied());
        }
    }
    let got = judged.all_codes();
    for explained in &EXPLAINED {
        if got.contains(&explained.code) && (explained.applies)(line) {
            wanted.insert(explained.code);
            explained.class.clone_into(&mut class);
        }
    }
    if !got.iter().eq(&wanted) {
        return Err(format!("{wanted:?} wanted: {}", judged.summary()));
    }
    Ok(class)
}

/// Lines that are marked as illegal and that the real lexer rejects, but that scenario.md
/// accepts. They must assemble.
const ACCEPTED_SPELLINGS: [(&str, &str); 11] = [
    ("mixed case mnemonic", "mnemonics are case-insensitive"),
    (
        "bad execution size syntax or value (M1, 0x8)",
        "numbers may be hexadecimal",
    ),
    (
        "'m1' is not an execution mask",
        "keywords are case-insensitive",
    ),
    ("a raw operand without an offset", "V33 is V33.0"),
    ("capital predicate combine", "keywords are case-insensitive"),
    ("capital letters", "mnemonics are case-insensitive"),
    (
        "bad execution size or mask (m1, 8)",
        "keywords are case-insensitive",
    ),
    (
        "bad execution size or mask (M1_nm, 8)",
        "keywords are case-insensitive",
    ),
    ("a bare %null (no .0)", "V33 is V33.0"),
    ("src2 without (r,c)", "the document's own spelling"),
    ("hexadecimal raw offset", "numbers may be hexadecimal"),
];

/// Lines that the documents forbid and the real tool accepts, without a warning here.
const WITHOUT_WARNING: [(&str, &str); 3] = [
    (
        "SLM used in a kernel with SLMSize=0",
        "the line is legal; its kernel attribute is not part of it",
    ),
    (
        "add: the type must be UD (signed operands)",
        "decisions.md: ADD and SUB with D are accepted with a note",
    ),
    (
        "add: the type must be UD or UQ, not D",
        "decisions.md: ADD and SUB with D are accepted with a note",
    ),
];

/// Lines that the documents allow, the tool rejects, and we warn about.
const LEGAL_WITH_WARNING: [(&str, &str); 1] = [(
    "the document's name of pre-defined variable V18",
    "the name is accepted; 8 lanes exceed that variable",
)];

/// Lines that the documents forbid and that cannot be encoded; the tool truncates them.
const TOO_LARGE: [(&str, &str); 2] = [
    (
        "row 256 does not fit the ub field",
        "the tool writes 0: observed, not copied",
    ),
    (
        "column 256 does not fit the ub field",
        "the tool writes 0: observed, not copied",
    ),
];

/// Lines that the documents allow and the tool encodes differently.
const OTHER_BYTES: [(&str, &str); 4] = [
    (
        "2^31 in decimal",
        "the tool converts decimals via 32 bits: observed, not copied",
    ),
    (
        "2^32-1 in decimal",
        "the tool converts decimals via 32 bits: observed, not copied",
    ),
    (
        "2^32+1 in decimal",
        "the tool converts decimals via 32 bits: observed, not copied",
    ),
    (
        "2^32 in decimal",
        "the tool converts decimals via 32 bits: observed, not copied",
    ),
];

/// Lines that the documents do not mention and the tool rejects.
const SILENT_REFUSED: [(&str, &str); 2] = [
    (
        "T3 is not a name the tool knows (index 3 is spelled TSS)",
        "the name is not documented: an undeclared name, E0305",
    ),
    (
        "T4 is not a name the tool knows (index 4 is spelled %bss)",
        "the name is not documented: an undeclared name, E0305",
    ),
];

/// Lines with precisions that the document mentions without a code.
const NO_CODE: [&str; 2] = [
    "the table of combinations has 8-bit floats, the table of precisions does not",
    "the page speaks of df operands, but no df precision is in its tables",
];

/// Lines that the documents do not mention and on which the tool crashes or hangs.
const SILENT_FAILS: [(&str, &str); 2] = [
    (
        "%local_id_buf_ptr as a source",
        "not forbidden: it assembles, W0422 reports the crash",
    ),
    (
        "%retval as a source in a kernel",
        "not forbidden: it assembles, W0422 reports the hang",
    ),
];

/// Lines that the documents allow but advise against (DPASW without sharing).
const ADVISED_AGAINST: [(&str, &str); 1] = [(
    "2-bit src2, 2-dword aligned",
    "with RC 4 EU0 supplies all of it: W0443",
)];

fn is_named(list: &[(&str, &str)], why: &str) -> bool {
    list.iter().any(|(name, _)| *name == why)
}

/// Class of a line, and the error in our verdict, if any.
fn check_reject(line: &Reject, judged: &Judged) -> (&'static str, Result<(), &'static str>) {
    let assembles = judged.bytes.is_some();
    let same = assembles && judged.bytes == line.bytes;
    let check = |good: bool, what| if good { Ok(()) } else { Err(what) };
    let why = line.why.as_str();
    match (line.expect.as_str(), line.verdict.as_str()) {
        ("illegal", "rejected") if is_named(&ACCEPTED_SPELLINGS, why) => (
            "differs: an accepted spelling",
            check(assembles && !judged.has_warning(), "rejected, or a warning"),
        ),
        ("illegal", "rejected") => (
            "illegal, rejected: an error",
            check(!assembles && judged.has_error(), "no error"),
        ),
        ("illegal", "crash") => (
            "illegal, crash: an error",
            check(!assembles && judged.has_error(), "no error"),
        ),
        ("illegal", "accepted") if is_named(&WITHOUT_WARNING, why) => (
            "differs: illegal, accepted, without a warning",
            check(
                same && !judged.has_warning(),
                "different bytes, or a warning",
            ),
        ),
        ("illegal", "accepted") if is_named(&TOO_LARGE, why) => (
            "differs: illegal, accepted, cannot be encoded: an error",
            check(!assembles && judged.has_error(), "no error"),
        ),
        ("illegal", "accepted") => (
            "illegal, accepted: a warning",
            check(
                same && judged.has_warning(),
                "different bytes, or no warning",
            ),
        ),
        ("legal", "accepted") if is_named(&OTHER_BYTES, why) => (
            "differs: legal, accepted, other bytes",
            check(
                assembles && !same && judged.all_codes() == ["N0511"],
                "the same bytes, or not only N0511",
            ),
        ),
        ("legal", "accepted") if is_named(&ADVISED_AGAINST, why) => (
            "differs: legal, accepted, with the document's advice",
            check(same && judged.all_codes() == ["W0443"], "not only W0443"),
        ),
        ("legal", "accepted") => (
            "legal, accepted: no warning",
            check(
                same && !judged.has_warning(),
                "different bytes, or a warning",
            ),
        ),
        ("legal", "rejected") if is_named(&LEGAL_WITH_WARNING, why) => (
            "differs: legal, rejected, with a warning",
            check(
                assembles && judged.all_codes() == ["N0506", "W0418"],
                "not N0506 and W0418",
            ),
        ),
        ("legal", "rejected") if judged.has_note() => (
            "legal, rejected: a note",
            check(assembles && !judged.has_warning(), "rejected, or a warning"),
        ),
        ("advice", "accepted") => (
            "advice, accepted: a warning",
            check(
                same && judged.has_warning(),
                "different bytes, or no warning",
            ),
        ),
        ("silent", "hang") if why.starts_with("1-bit precisions") => (
            "silent, hang: the same bytes with W0442",
            check(same && judged.all_codes() == ["W0442"], "not only W0442"),
        ),
        ("silent", "accepted") => (
            "silent, accepted: the same bytes",
            check(same, "other bytes"),
        ),
        ("silent", "rejected") if is_named(&SILENT_REFUSED, why) => (
            "differs: silent, rejected: an undeclared name",
            check(
                !assembles && judged.all_codes() == ["E0305"],
                "not only E0305",
            ),
        ),
        ("silent", "rejected") if NO_CODE.contains(&why) => (
            "silent, rejected: a precision without a code, an error",
            check(
                !assembles && judged.all_codes() == ["E0393"],
                "not only E0393",
            ),
        ),
        ("silent", "rejected") if why == "tf32 in capitals" => (
            "silent, rejected: an accepted spelling, with a note",
            check(
                assembles && judged.all_codes() == ["N0506"],
                "not only N0506",
            ),
        ),
        ("silent", "rejected") if why == "src1 must be D or UD (or DF), not df" => (
            "silent, rejected: DF, which is not a precision, an error",
            check(
                !assembles && judged.all_codes() == ["E0395"],
                "not only E0395",
            ),
        ),
        ("silent", "crash" | "hang") if is_named(&SILENT_FAILS, why) => (
            "differs: silent, crash or hang: the same bytes with W0422",
            check(
                same && judged.all_codes().contains(&"W0422"),
                "different bytes, or no W0422",
            ),
        ),
        _ => ("", Err("unexpected combination of verdicts")),
    }
}

/// Checks the printed form of a line of `rejects`. The tool prints V0 with an offset as
/// %null.4, which neither it nor Lanewise can read back, so only the text is compared.
fn check_printed(platform_name: &str, decls: &[String], bytes: &str, wanted: &str) -> bool {
    let at = Platform::named(platform_name).unwrap();
    let Ok(mut assembler) = Assembler::new(at, decls.iter().map(String::as_str)) else {
        return false;
    };
    let read = assembler.disassemble(&unhex(bytes), Style::Assembler);
    read.is_ok_and(|read| read.text == wanted)
}

#[test]
fn each_exception_matches_one_line() {
    let lists: [&[(&str, &str)]; 8] = [
        &ACCEPTED_SPELLINGS,
        &WITHOUT_WARNING,
        &LEGAL_WITH_WARNING,
        &TOO_LARGE,
        &OTHER_BYTES,
        &ADVISED_AGAINST,
        &SILENT_REFUSED,
        &SILENT_FAILS,
    ];
    let files = ["visa/rejects.jsonl", "visa/dpas_rejects.jsonl"].map(vectors::read::<Reject>);
    for (name, _) in lists.concat() {
        let uses = files
            .each_ref()
            .map(|lines| lines.iter().filter(|l| l.why == name).count());
        assert!(
            uses.contains(&1) && uses.iter().all(|n| *n < 2),
            "{name}: {uses:?}"
        );
    }
}

#[test]
fn rejects() {
    check_rejects(
        "Atomics, scatter and DPASW: rejected lines",
        "visa/rejects",
        394,
        &REJECTS,
    );
}

#[test]
fn rejects_of_dpas() {
    check_rejects(
        "DPAS: rejected lines",
        "visa/dpas_rejects",
        139,
        &DPAS_REJECTS,
    );
}

/// Checks the lines of `FILE.jsonl` and the codes in `FILE_codes.jsonl`.
fn check_rejects(name: &'static str, file: &str, count: usize, classes: &[(&str, usize)]) {
    let mut report = Report::new(&report::GENX_IR, name);
    let lines = vectors::read::<Reject>(&format!("{file}.jsonl"));
    let mut codes = vectors::read::<RejectCodes>(&format!("{file}_codes.jsonl")).into_iter();
    for line in lines {
        let judged = judge(&line.platform, &line.decls, &line.text);
        let (class, mut result) = check_reject(&line, &judged);
        let pinned = codes.next().unwrap();
        assert_eq!(
            (&pinned.platform, &pinned.text),
            (&line.platform, &line.text),
            "the two files must have the same lines"
        );
        if judged.all_codes() != pinned.codes {
            result = result.and(Err("other codes than in rejects_codes"));
        }
        // The tool writes some lines before it crashes or hangs.
        let written = (line.bytes.is_some(), line.disasm.is_some());
        if match line.verdict.as_str() {
            "accepted" => written != (true, true),
            "rejected" => written != (false, false),
            _ => written.0 != written.1,
        } {
            result = result.and(Err("bytes are missing, or do not match the verdict"));
        }
        if let (Some(bytes), Some(disasm)) = (&line.bytes, &line.disasm)
            && !check_printed(&line.platform, &line.decls, bytes, disasm)
        {
            result = result.and(Err("prints something else"));
        }
        let result = result.map_err(|e| {
            format!(
                "{e}: {} ({})\n{:?}\nwanted {:?} {:?}\n{}",
                line.text,
                line.why,
                line.decls,
                line.bytes,
                pinned.codes,
                judged.summary()
            )
        });
        report.count(class, result);
    }
    assert!(codes.next().is_none(), "codes without a line");
    report.finish(count, classes);
}

const DPAS_REJECTS: [(&str, usize); 11] = [
    ("differs: an accepted spelling", 6),
    ("illegal, accepted: a warning", 27),
    ("illegal, crash: an error", 5),
    ("illegal, rejected: an error", 80),
    ("legal, accepted: no warning", 6),
    ("legal, rejected: a note", 3),
    ("silent, accepted: the same bytes", 1),
    ("silent, hang: the same bytes with W0442", 3),
    (
        "silent, rejected: DF, which is not a precision, an error",
        1,
    ),
    ("silent, rejected: a precision without a code, an error", 6),
    ("silent, rejected: an accepted spelling, with a note", 1),
];

const REJECTS: [(&str, usize); 16] = [
    ("advice, accepted: a warning", 3),
    ("differs: an accepted spelling", 6),
    ("differs: illegal, accepted, cannot be encoded: an error", 2),
    ("differs: illegal, accepted, without a warning", 3),
    ("differs: legal, accepted, other bytes", 4),
    ("differs: legal, accepted, with the document's advice", 1),
    ("differs: legal, rejected, with a warning", 1),
    (
        "differs: silent, crash or hang: the same bytes with W0422",
        2,
    ),
    ("differs: silent, rejected: an undeclared name", 2),
    ("illegal, accepted: a warning", 114),
    ("illegal, crash: an error", 5),
    ("illegal, rejected: an error", 204),
    ("legal, accepted: no warning", 16),
    ("legal, rejected: a note", 17),
    ("silent, accepted: the same bytes", 11),
    ("silent, hang: the same bytes with W0442", 3),
];

/// Gathers that the real lexer rejects or that are not documented, and that scenario.md
/// accepts.
fn is_accepted_spelling(line: &Reject) -> bool {
    let whys = [
        "bad execution size or mask (M1, 0x8)",
        "bad execution size or mask (m1, 8)",
        "bad execution size or mask (M1_nm, 8)",
        "bad execution size or mask (nomask, 8)",
        "indirect without an offset",
        "a hexadecimal indirect offset",
        "hexadecimal raw offset",
        "a bare %null",
        "bad predicate (P1.ANY)",
        "a blank before the suffix",
    ];
    whys.contains(&line.why.as_str()) || line.text.starts_with("Svm_gather4scaled.")
}

/// Codes of rejected gathers.
#[test]
fn gather4_rejects() {
    let mut report = Report::new(&report::GENX_IR, "SVM_GATHER4_SCALED: rejected lines");
    for line in vectors::read::<Reject>("visa/gather4_rejects.jsonl") {
        let judged = judge(&line.platform, &line.decls, &line.text);
        // A bare %null is V0, which gives a warning.
        let warns = judged.all_codes() != ["N0506", "W0414"] && judged.has_warning();
        let (class, mut result) = match () {
            () if is_accepted_spelling(&line) && judged.bytes.is_some() && !warns => {
                ("differs: an accepted spelling", Ok(()))
            }
            () if line.why == "does not fit the uw field" && judged.has_error() => {
                ("differs: cannot be encoded, the tool truncates", Ok(()))
            }
            () => check_reject(&line, &judged),
        };
        if let (Some(bytes), Some(disasm)) = (&line.bytes, &line.disasm)
            && !check_printed(&line.platform, &line.decls, bytes, disasm)
        {
            result = result.and(Err("prints something else"));
        }
        let result = result.map_err(|e| {
            format!(
                "{e}: {} ({})\n{:?}\nwanted {:?}\n{}",
                line.text,
                line.why,
                line.decls,
                line.bytes,
                judged.summary()
            )
        });
        let codes = judged.all_codes().join(" ");
        report.count(format!("{class}: {codes}").trim_end(), result);
    }
    report.finish(120, &GATHER4_REJECTS);
}

const GATHER4_REJECTS: [(&str, usize); 38] = [
    ("differs: an accepted spelling:", 3),
    ("differs: an accepted spelling: N0506", 7),
    ("differs: an accepted spelling: N0506 W0414", 1),
    ("differs: an accepted spelling: N0509", 2),
    ("differs: cannot be encoded, the tool truncates: E0307", 1),
    ("illegal, accepted: a warning: W0406", 2),
    ("illegal, accepted: a warning: W0407", 3),
    ("illegal, accepted: a warning: W0410", 12),
    ("illegal, accepted: a warning: W0415 W0421", 1),
    ("illegal, accepted: a warning: W0418", 2),
    ("illegal, accepted: a warning: W0418 W0419", 1),
    ("illegal, accepted: a warning: W0430", 2),
    ("illegal, accepted: a warning: W0432", 3),
    ("illegal, accepted: a warning: W0434", 1),
    ("illegal, crash: an error: E0306", 2),
    ("illegal, crash: an error: E0332", 1),
    ("illegal, rejected: an error: E0103", 5),
    ("illegal, rejected: an error: E0105", 2),
    ("illegal, rejected: an error: E0301", 3),
    ("illegal, rejected: an error: E0301 E0305 E0306", 1),
    ("illegal, rejected: an error: E0302", 5),
    ("illegal, rejected: an error: E0303", 2),
    ("illegal, rejected: an error: E0304", 5),
    ("illegal, rejected: an error: E0305", 5),
    ("illegal, rejected: an error: E0306", 5),
    ("illegal, rejected: an error: E0306 E0331", 4),
    ("illegal, rejected: an error: E0306 E0372", 1),
    ("illegal, rejected: an error: E0307", 1),
    ("illegal, rejected: an error: E0308", 1),
    ("illegal, rejected: an error: E0309", 1),
    ("illegal, rejected: an error: E0309 E0331", 1),
    ("illegal, rejected: an error: E0310", 1),
    ("illegal, rejected: an error: E0313", 6),
    ("illegal, rejected: an error: E0330", 13),
    ("illegal, rejected: an error: E0331", 9),
    ("legal, accepted: no warning:", 3),
    ("legal, rejected: a note: N0506", 1),
    ("silent, accepted: the same bytes: W0414", 1),
];

/// Named reason for a difference from the real tool on an observed line.
struct Difference {
    class: &'static str,
    /// Verdict of the tool.
    verdicts: &'static [&'static str],
    /// Our diagnostics: one of these.
    codes: &'static [&'static [&'static str]],
    applies: fn(&Observed) -> bool,
}

fn says(line: &Observed, part: &str) -> bool {
    line.message.as_ref().is_some_and(|m| m.contains(part))
}

/// Lines that assemble here, but that the real tool rejects, crashes or hangs on, or
/// accepts without writing bytes.
const TAKEN_HERE: [Difference; 7] = [
    Difference {
        class: "the tool treats a non-ASCII byte as the end of the file",
        verdicts: &["accepted"],
        codes: &[&[]],
        applies: |line| !line.text.is_ascii(),
    },
    Difference {
        class: "documented, but rejected by the tool: a note",
        verdicts: &["rejected"],
        codes: &[
            &["N0501"],
            &["N0501", "N0502"],
            &["N0501", "W0401"],
            &["N0501", "W0401", "W0414"],
            &["N0501", "W0414"],
            &["N0502"],
            &["N0502", "W0414"],
        ],
        applies: |line| line.text.contains(".16 "),
    },
    Difference {
        class: "not forbidden, the tool crashes or hangs: a warning",
        verdicts: &["crash", "hang"],
        codes: &[&["W0422"], &["W0418", "W0422"]],
        applies: |line| line.why == "predefined variables",
    },
    Difference {
        class: "the tool runs out of registers: not a rule of the instruction",
        verdicts: &["rejected"],
        codes: &[&[], &["W0408", "W0409", "W0410"]],
        applies: |line| says(line, "Spill memory"),
    },
    Difference {
        class: "declarations: attributes in any order and case, other attributes ignored",
        verdicts: &["rejected"],
        codes: &[
            &[],
            &["W0410"],
            &["W0210", "W0417"],
            &["N0506"],
            &["N0509"],
            &["N0506", "W0410"],
            &["N0509", "W0410"],
        ],
        applies: |line| {
            let parts = [
                "near line 5:",
                "near line 6:",
                "unknown attribute",
                "type-aligned",
            ];
            line.why == "names and declarations" && parts.iter().any(|part| says(line, part))
        },
    },
    Difference {
        class: "declarations: an alias of %arg, on which the tool hangs when it is used",
        verdicts: &["hang"],
        codes: &[&["W0410"]],
        applies: |line| line.decls.concat().contains("%arg"),
    },
    Difference {
        class: "spellings that scenario.md accepts, and blanks of any kind",
        verdicts: &["rejected"],
        codes: &[&[], &["N0506"], &["N0509"], &["N0509", "W0410"]],
        applies: |line| line.why == "layout and spelling" || line.text.contains(".0x"),
    },
];

/// Lines that are not encoded here but that the real tool accepts, or that we skip and it
/// rejects.
const REFUSED_HERE: [Difference; 5] = [
    Difference {
        class: "the tool wraps numbers at 16 or 32 bits: observed, not copied",
        verdicts: &["accepted"],
        codes: &[&["E0302"], &["E0307"]],
        applies: |line| {
            let numbers = line.text.split(|c: char| !c.is_ascii_digit());
            numbers.flat_map(str::parse::<u64>).any(|n| n > 0xffff)
        },
    },
    Difference {
        class: "a variable named like an instruction (scenario.md), which the tool allows",
        verdicts: &["accepted"],
        codes: &[&["E0204", "E0305"]],
        applies: |line| line.text.contains("dpasw"),
    },
    Difference {
        class: "no blank between operands, or a line continued with a backslash",
        verdicts: &["accepted"],
        codes: &[&["E0306", "E0307"], &["E0103", "E0306", "E0309"]],
        applies: |line| line.text.contains("O.0A.0") || line.text.contains('\\'),
    },
    Difference {
        class: "an unterminated comment",
        verdicts: &["accepted"],
        codes: &[&["E0101"]],
        applies: |line| line.text.ends_with("/* unterminated"),
    },
    Difference {
        class: "two instructions, but the assembler accepts one: no bytes to compare",
        verdicts: &["accepted"],
        codes: &[&[]],
        applies: |line| line.bytes.is_none() && line.text.contains('\n'),
    },
];

/// Class of a line: agreement or a named difference.
fn check_observed(line: &Observed, judged: &Judged) -> Result<String, &'static str> {
    let codes = judged.all_codes();
    let named = |list: &[Difference]| {
        let found = list.iter().find(|d| {
            d.verdicts.contains(&line.verdict.as_str())
                && d.codes.contains(&codes.as_slice())
                && (d.applies)(line)
        });
        found.map(|d| format!("differs: {}", d.class))
    };
    let taken = match line.verdict.as_str() {
        "accepted" => true,
        "rejected" | "crash" | "hang" => false,
        _ => return Err("unknown verdict"),
    };
    if line.bytes.is_some() && !taken {
        return Err("bytes for a line that was not accepted");
    }
    if line.bytes.is_some() != line.disasm.is_some() {
        return Err("bytes without disassembly, or disassembly without bytes");
    }
    match (&line.bytes, &line.disasm, &judged.bytes) {
        (Some(wanted), Some(disasm), Some(got)) if wanted == got => {
            if !check_printed(&line.platform, &line.decls, wanted, disasm) {
                return Err("prints something else");
            }
            Ok(format!("{}, accepted by both", line.why))
        }
        (Some(_), _, Some(_)) => Err("other bytes"),
        (None, _, None) if !taken && judged.has_error() => {
            Ok(format!("{}, rejected by both", line.why))
        }
        (_, _, None) => named(&REFUSED_HERE).ok_or("rejected, or skipped"),
        (None, _, Some(_)) => named(&TAKEN_HERE).ok_or("no error"),
    }
}

#[test]
fn observed() {
    let mut report = Report::new(&report::GENX_IR, "Observed lines of vISA");
    for line in vectors::read::<Observed>("visa/observed.jsonl") {
        let judged = judge(&line.platform, &line.decls, &line.text);
        match check_observed(&line, &judged) {
            Ok(class) => report.agree(&class),
            Err(e) => report.wrong(format!(
                "{e}: {} {}\n{:?}\n{} {:?} {:?}\n{}",
                line.platform,
                line.text,
                line.decls,
                line.verdict,
                line.bytes,
                line.message,
                judged.summary()
            )),
        }
    }
    report.finish(1504, &OBSERVED);
}

const OBSERVED: [(&str, usize); 43] = [
    ("byte offsets past 65535, rejected by both", 40),
    ("byte offsets past 65535, accepted by both", 6),
    ("byte offsets, rejected by both", 41),
    ("byte offsets, accepted by both", 21),
    ("differs: an unterminated comment", 1),
    (
        "differs: a variable named like an instruction (scenario.md), which the tool allows",
        1,
    ),
    (
        "differs: declarations: an alias of %arg, on which the tool hangs when it is used",
        1,
    ),
    (
        "differs: declarations: attributes in any order and case, other attributes ignored",
        18,
    ),
    ("differs: documented, but rejected by the tool: a note", 15),
    (
        "differs: no blank between operands, or a line continued with a backslash",
        2,
    ),
    (
        "differs: not forbidden, the tool crashes or hangs: a warning",
        20,
    ),
    (
        "differs: spellings that scenario.md accepts, and blanks of any kind",
        13,
    ),
    (
        "differs: the tool runs out of registers: not a rule of the instruction",
        2,
    ),
    (
        "differs: the tool treats a non-ASCII byte as the end of the file",
        1,
    ),
    (
        "differs: the tool wraps numbers at 16 or 32 bits: observed, not copied",
        17,
    ),
    (
        "differs: two instructions, but the assembler accepts one: no bytes to compare",
        1,
    ),
    ("layout and spelling, rejected by both", 69),
    ("layout and spelling, accepted by both", 64),
    ("mask control and execution size, rejected by both", 14),
    ("mask control and execution size, accepted by both", 113),
    ("mixed types, rejected by both", 21),
    ("mixed types, accepted by both", 1),
    ("names and declarations, rejected by both", 63),
    ("names and declarations, accepted by both", 90),
    ("null operands, rejected by both", 55),
    ("null operands, accepted by both", 92),
    ("offset types, rejected by both", 14),
    ("offset types, accepted by both", 77),
    ("other kinds as operands, rejected by both", 33),
    ("other kinds as operands, accepted by both", 10),
    ("platforms, accepted by both", 101),
    ("predefined variables, rejected by both", 10),
    ("predefined variables, accepted by both", 51),
    ("redeclaration, rejected by both", 11),
    ("redeclaration, accepted by both", 5),
    ("scalar operands by platform, accepted by both", 15),
    ("scalar operands, rejected by both", 20),
    ("scalar operands, accepted by both", 30),
    ("scatter lead, rejected by both", 3),
    ("scatter lead, accepted by both", 8),
    ("small variables, accepted by both", 30),
    ("types, rejected by both", 230),
    ("types, accepted by both", 74),
];

#[test]
fn decodings() {
    let mut report = Report::new(&report::GENX_IR, "vISA bytes without a text form");
    for line in vectors::read::<Decoding>("visa/decodings.jsonl") {
        let (class, result) = check_decoding(&line);
        let class = format!("{}, {}: {class}", line.family, line.verdict);
        report.count(
            &class,
            result.map_err(|e| format!("{} ({})\n{e}", line.bytes, line.why)),
        );
    }
    report.finish(354, &DECODINGS);
}

const DECODINGS: [(&str, usize); 20] = [
    ("DPASW, crash: printed with diagnostics", 2),
    ("DPASW, crash: rejected by both", 1),
    ("DPASW, decoded: same text", 41),
    ("DPASW, hang: printed with diagnostics", 5),
    ("DPASW, hang: rejected by both", 2),
    ("DPASW, verifier: printed with diagnostics", 4),
    ("DWORD_ATOMIC, crash: printed with diagnostics", 4),
    ("DWORD_ATOMIC, crash: rejected by both", 31),
    ("DWORD_ATOMIC, decoded: same text", 66),
    ("DWORD_ATOMIC, verifier: printed with diagnostics", 22),
    ("DWORD_ATOMIC, verifier: rejected by both", 6),
    ("SVM_ATOMIC, crash: rejected by both", 17),
    ("SVM_ATOMIC, decoded: predec, printed with its name", 4),
    ("SVM_ATOMIC, decoded: same text", 59),
    ("SVM_ATOMIC, decoded: undefined operation, an error", 9),
    ("SVM_SCATTER4_SCALED, crash: printed with diagnostics", 1),
    ("SVM_SCATTER4_SCALED, crash: rejected by both", 2),
    ("SVM_SCATTER4_SCALED, decoded: same text", 64),
    (
        "SVM_SCATTER4_SCALED, decoded: the tool truncates a constant in objects but not in text",
        5,
    ),
    ("SVM_SCATTER4_SCALED, verifier: printed with diagnostics", 9),
];

/// Errors of invalid bytes: undefined bits, too few bytes, an unknown first byte, an
/// undeclared number.
const NO_READING: [&str; 4] = ["E0606", "E0607", "E0608", "E0609"];

/// For an address constant narrower than 32 bits with excess bits: the line with all bits,
/// as the tool prints it for text. When reading objects, the tool drops the excess bits
/// (`contradictions::WIDE_CONSTANT`). The text printed here must round-trip.
fn uncut_constant(bytes: &str, printed: &str) -> Option<String> {
    let constant = bytes.get(16..)?.strip_prefix("05")?;
    let narrow = ["02", "03", "04", "05", "0e"];
    let bits = narrow.iter().find_map(|ty| constant.strip_prefix(ty))?;
    let bits = u32::from_le_bytes(unhex(bits.get(..8)?).try_into().ok()?);
    let (before, rest) = printed.split_once(") ")?;
    let (shown, after) = rest.split_once(':')?;
    let all = format!("{bits:#x}");
    (shown != all).then(|| format!("{before}) {all}:{after}"))
}

fn check_decoding(line: &Decoding) -> (&'static str, Result<(), String>) {
    let mut assembler =
        Assembler::new(Platform::Xehp, line.decls.iter().map(String::as_str)).unwrap();
    let raw = unhex(&line.bytes);
    let at = usize::from(line.family == "SVM_ATOMIC") * 4 + 1;
    let operation = match line.family.as_str() {
        // Atomics have an operation.
        "SVM_SCATTER4_SCALED" | "DPASW" => 0,
        _ => raw.get(at).map_or(0, |byte| byte & 0x1f),
    };
    let document = assembler.disassemble(&raw, Style::Document).is_ok();
    let read = assembler.disassemble(&raw, Style::Assembler);
    if read.is_ok() != document {
        return ("", Err("only one style can be printed".into()));
    }
    let wanted = line.disasm.as_deref().unwrap_or("");
    match (read, operation) {
        (Err([]), _) => ("", Err("rejected without a diagnostic".into())),
        (Err(diagnostics), 0x0e | 0x0f | 0x15..) if line.verdict == "decoded" => {
            let what = &diagnostics[0].what;
            let named = diagnostics[0].rule.code == "E0606"
                && what.contains(&format!("byte {at}"))
                && what.contains("0x");
            let error = (!named).then(|| format!("message without a byte: {what}"));
            ("undefined operation, an error", error.map_or(Ok(()), Err))
        }
        (Err(diagnostics), _) if line.verdict == "decoded" => (
            "",
            Err(format!("expected {wanted}, rejected: {diagnostics:?}")),
        ),
        (Err(diagnostics), _) => {
            let other = diagnostics
                .iter()
                .find(|d| !NO_READING.contains(&d.rule.code));
            let error = other.map(|d| format!("rejected for another reason: {d:?}"));
            ("rejected by both", error.map_or(Ok(()), Err))
        }
        (Ok(read), _) if line.verdict != "decoded" => {
            let symbols = ["_atomic.", "scatter4scaled.", "dpasw."];
            let named = symbols.iter().any(|name| read.text.contains(name));
            let sensible = named && read.length == raw.len();
            let has_warning = !read.diagnostics.is_empty();
            let error = (!sensible || !has_warning)
                .then(|| format!("prints {}, diagnostics {:?}", read.text, read.diagnostics));
            ("printed with diagnostics", error.map_or(Ok(()), Err))
        }
        (Ok(read), _) if let Some(all) = uncut_constant(&line.bytes, wanted) => {
            let error = (read.text != all).then(|| format!("prints {}\nnot    {all}", read.text));
            (
                "the tool truncates a constant in objects but not in text",
                error.map_or(Ok(()), Err),
            )
        }
        (Ok(read), _) => {
            let (class, wanted) = if operation == 0x0d {
                // The tool prints an empty operation: `svm_atomic. (M1, 8)`.
                let named = wanted.replacen("_atomic.", "_atomic.predec", 1);
                ("predec, printed with its name", named)
            } else {
                ("same text", wanted.to_owned())
            };
            let error =
                (read.text != wanted).then(|| format!("prints {}\nnot    {wanted}", read.text));
            (class, error.map_or(Ok(()), Err))
        }
    }
}
