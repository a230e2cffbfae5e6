//! Generates the tables of the guide's page "How Lanewise is tested" from the
//! records of tests, fuzzers and benchmarks.

use crate::shell::{cargo, output, program, root, run};
use anyhow::{Context, Result, bail, ensure};
use lanewise_core::isa::SPECS;
use lanewise_core::rules::{self, Provenance};
use lexopt::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Folder of the records.
const FOLDER: &str = "docs/evidence";
/// Output folder of tests that compare with recorded answers
/// (`tests/src/report.rs`).
const COLLECTED: &str = "target/evidence";
/// Record of `fuzz/run.mjs`, relative to [`FOLDER`].
const FUZZED: &str = "../../fuzz/figures.json";
const VECTORS: &str = "vectors.json";
/// Mutation test record, relative to [`FOLDER`].
const MUTANTS: &str = "../../tests/mutants.json";
const BENCHMARKS: &str = "benchmarks.json";

/// Number of recorded answers that a test agrees with.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
struct Agreement {
    tool: String,
    version: String,
    name: String,
    agreed: u64,
}

/// Mutation test results.
#[derive(Default, Deserialize, Serialize)]
struct MutantRecord {
    date: String,
    /// How the mutants were created and tested.
    tool: String,
    files: BTreeMap<String, Mutants>,
    /// Mutants equivalent to the original.
    equivalent: Vec<MutantKind>,
    /// Mutants of tuning parameters, which tests do not check.
    #[serde(default)]
    chosen: Vec<MutantKind>,
}

/// Mutants of one file.
#[derive(Default, Deserialize, Serialize)]
struct Mutants {
    caught: u32,
    timeout: u32,
    /// Do not compile.
    unviable: u32,
    /// Not tested yet.
    #[serde(default)]
    unjudged: u32,
    /// Names of surviving mutants.
    missed: Vec<String>,
}

/// Surviving mutants with a common reason.
#[derive(Deserialize, Serialize)]
struct MutantKind {
    why: String,
    mutants: Vec<String>,
}

/// Fuzzing statistics of one target.
#[derive(Deserialize)]
struct Fuzzed {
    executions: u64,
    seconds: u64,
    edges: u64,
    findings: u64,
}

/// Benchmark results of one machine.
#[derive(Deserialize, Serialize)]
struct Benchmarks {
    date: String,
    machine: String,
    rows: Vec<Comparison>,
}

/// One of our benchmarks, and a C++ program that does the same work.
#[derive(Deserialize, Serialize)]
struct Comparison {
    work: String,
    ours_ns: f64,
    anchor: String,
    anchor_ns: f64,
}

/// `cargo xtask evidence [vectors | mutants FOLDER | benchmarks]`
pub(crate) fn command(mut arguments: lexopt::Parser) -> Result<()> {
    let mut words = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Value(word) => words.push(word.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["vectors"] => {
            clear()?;
            run(&mut cargo("test -p lanewise-tests"))?;
            keep(VECTORS, &collected()?)
        }
        ["mutants", folder] => keep(MUTANTS, &mutants(Path::new(folder))?),
        ["benchmarks"] => keep(BENCHMARKS, &benchmarks()?),
        _ => bail!("usage: cargo xtask evidence [vectors | mutants FOLDER | benchmarks]"),
    }
}

/// Removes the results of an earlier test run.
pub(crate) fn clear() -> Result<()> {
    match fs::remove_dir_all(root().join(COLLECTED)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Checks that the record equals the results of the last test run.
pub(crate) fn check() -> Result<()> {
    let kept: Vec<Agreement> = read(VECTORS)?.context("no record found")?;
    ensure!(
        kept == collected()?,
        "{FOLDER}/{VECTORS} differs from the test results; run `cargo xtask evidence`"
    );
    Ok(())
}

fn keep(file: &str, value: &impl Serialize) -> Result<()> {
    let path = root().join(FOLDER).join(file);
    fs::write(&path, serde_json::to_string_pretty(value)? + "\n")?;
    println!("{FOLDER}/{file} is written.");
    Ok(())
}

/// Reads a record, if it exists.
fn read<T: DeserializeOwned>(file: &str) -> Result<Option<T>> {
    let path = root().join(FOLDER).join(file);
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path)?;
    let value = serde_json::from_str(&text).with_context(|| format!("{}", path.display()))?;
    Ok(Some(value))
}

fn collected() -> Result<Vec<Agreement>> {
    let folder = root().join(COLLECTED);
    let entries = fs::read_dir(&folder)
        .with_context(|| format!("{COLLECTED} not found; run the tests first"))?;
    let mut all = entries
        .map(|entry| Ok(serde_json::from_str(&fs::read_to_string(entry?.path())?)?))
        .collect::<Result<Vec<Agreement>>>()?;
    all.sort();
    Ok(all)
}

/// Updates the record from the `outcomes.json` of cargo-mutants. Keeps the results
/// of files that it does not list.
fn mutants(folder: &Path) -> Result<MutantRecord> {
    let file = folder.join("outcomes.json");
    let text = fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
    let mut record: MutantRecord = read(MUTANTS)?.unwrap_or_default();
    record.date = output(program("date").arg("+%Y-%m-%d"))?;
    record.tool = String::from("cargo-mutants");
    record.files.extend(summed(&text)?);
    Ok(record)
}

fn summed(outcomes: &str) -> Result<BTreeMap<String, Mutants>> {
    let outcomes: serde_json::Value = serde_json::from_str(outcomes)?;
    let mut files: BTreeMap<String, Mutants> = BTreeMap::new();
    for outcome in outcomes["outcomes"].as_array().context("no outcomes")? {
        let mutant = &outcome["scenario"]["Mutant"];
        let Some(file) = mutant["file"].as_str() else {
            continue;
        };
        let sums = files.entry(file.to_owned()).or_default();
        match outcome["summary"].as_str() {
            Some("CaughtMutant") => sums.caught += 1,
            Some("MissedMutant") => {
                let name = mutant["name"].as_str().context("a mutant has a name")?;
                sums.missed.push(name.to_owned());
            }
            Some("Unviable") => sums.unviable += 1,
            Some("Timeout") => sums.timeout += 1,
            other => bail!("unknown outcome {other:?}"),
        }
    }
    Ok(files)
}

/// Title, our benchmark, C++ program, its case, and the number of its units per
/// unit of our benchmark.
const COMPARISONS: [(&str, &str, &str, &str, f64); 3] = [
    (
        "DPASW s8.s8.8.8, one EU",
        "one EU/dpasw.s8.s8.8.8",
        "dpas_own",
        "s8.s8/unpack",
        1.0,
    ),
    (
        "DPASW bf.bf.8.8, one EU",
        "one EU/dpasw.bf.bf.8.8",
        "dpas_own",
        "bf.bf/scalar",
        1.0,
    ),
    // Ours runs 1,000 instructions of 32 lanes; the anchor runs 16 lanes.
    (
        "DWORD_ATOMIC.ADD, 16 lanes, no journal",
        "lane/dword, distinct cells, no journal",
        "atom_own",
        "add/checked",
        2000.0,
    ),
];

fn benchmarks() -> Result<Benchmarks> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    let mut rows = Vec::new();
    for (work, bench, source, case, units) in COMPARISONS {
        let binary = root().join("target").join(source);
        run(program(&compiler)
            .args(["-O3", "-march=native", "-o"])
            .arg(&binary)
            .arg(format!("tests/anchors/{source}.cpp")))?;
        run(
            cargo("bench -p lanewise-tests --bench run --bench dpasw -- --noplot --exact")
                .arg(bench),
        )?;
        let line = output(program(&binary).arg(case))?;
        let anchor_ns = line
            .split_once("median ")
            .and_then(|(_, rest)| rest.split_once(" ns"));
        let (anchor_ns, _) = anchor_ns.with_context(|| format!("no median in `{line}`"))?;
        rows.push(Comparison {
            work: work.to_owned(),
            ours_ns: estimate(bench)? / units,
            anchor: case.to_owned(),
            anchor_ns: anchor_ns.parse()?,
        });
    }
    Ok(Benchmarks {
        date: output(program("date").arg("+%Y-%m-%d"))?,
        machine: machine()?,
        rows,
    })
}

/// Median of a Criterion benchmark, in nanoseconds.
fn estimate(bench: &str) -> Result<f64> {
    let folders: PathBuf = bench
        .split('/')
        .map(|part| part.replace('/', "_"))
        .collect();
    let file = root()
        .join("target/criterion")
        .join(folders)
        .join("new/estimates.json");
    let text = fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
    let estimates: serde_json::Value = serde_json::from_str(&text)?;
    let median = estimates["median"]["point_estimate"].as_f64();
    median.with_context(|| format!("no median in {}", file.display()))
}

/// Name of the processor.
fn machine() -> Result<String> {
    let text =
        fs::read_to_string("/proc/cpuinfo").context("cannot determine the processor name")?;
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let (_, name) = name.context("cannot determine the processor name")?;
    Ok(name.to_owned())
}

/// Returns a table as Markdown: `vectors`, `statements`, `browsers`, `fuzz`,
/// `mutants` or `benchmarks`.
pub(crate) fn markdown(what: &str) -> Result<String> {
    Ok(match what {
        "vectors" => vectors_table(&read::<Vec<_>>(VECTORS)?.unwrap_or_default()),
        "statements" => statements_table(),
        "browsers" => browsers_table(&chromium_only()?),
        "fuzz" => fuzz_table(&read(FUZZED)?.unwrap_or_default()),
        "mutants" => mutants_table(&read(MUTANTS)?.unwrap_or_default()),
        "benchmarks" => read(BENCHMARKS)?.map_or_else(missing, |all| benchmarks_table(&all)),
        _ => bail!("unknown table `{what}`"),
    })
}

fn missing() -> String {
    String::from("No results recorded.\n")
}

fn table<const N: usize>(heads: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heads = heads.map(String::from);
    let rows: String = rows.into_iter().map(|cells| line(&cells)).collect();
    format!(
        "{}{}{rows}",
        line(&heads),
        line(&[const { String::new() }; N].map(|_| "---".into()))
    )
}

fn vectors_table(all: &[Agreement]) -> String {
    let rows = all.iter().map(|one| {
        let tool = match one.version.as_str() {
            "" => one.tool.clone(),
            version => format!("{} ({version})", one.tool),
        };
        [one.name.clone(), grouped(one.agreed), tool]
    });
    let total = all.iter().map(|one| one.agreed).sum();
    let total = [
        String::from("**all**"),
        format!("**{}**", grouped(total)),
        String::new(),
    ];
    table(
        ["Test", "Matching answers", "Source of the answers"],
        rows.chain([total]),
    )
}

fn statements_table() -> String {
    let facts = || SPECS.iter().flat_map(|spec| spec.facts);
    let marks = [
        Provenance::Documented,
        Provenance::Observed,
        Provenance::Assumed,
    ];
    let rows = marks.map(|mark| {
        let rules = rules::ALL.iter().filter(|rule| rule.mark == mark).count();
        let facts = facts().filter(|fact| fact.mark == mark).count();
        [mark.word().to_owned(), rules.to_string(), facts.to_string()]
    });
    table(["Source", "Diagnostics", "Facts in Explain"], rows)
}

/// Names and reasons of browser tests with `chromiumOnly("…")`.
fn chromium_only() -> Result<Vec<[String; 2]>> {
    let mut all = Vec::new();
    for file in crate::browser::all_browser_tests()? {
        all.extend(chromium_only_in(&fs::read_to_string(file)?));
    }
    Ok(all)
}

fn chromium_only_in(script: &str) -> impl Iterator<Item = [String; 2]> {
    script.lines().filter_map(|line| {
        let (before, after) = line.split_once("chromiumOnly(\"")?;
        let (why, _) = after.split_once('"')?;
        let name = before.split_once("test(")?.1;
        let quote = name.chars().next()?;
        let name = name.strip_prefix(quote)?.split(quote).next()?;
        Some([name.to_owned(), why.to_owned()])
    })
}

fn browsers_table(chromium_only: &[[String; 2]]) -> String {
    table(["Test", "Reason"], chromium_only.iter().cloned())
}

fn fuzz_table(all: &BTreeMap<String, Fuzzed>) -> String {
    let rows = all.iter().map(|(target, one)| {
        [
            format!("`{target}`"),
            grouped(one.executions),
            grouped(one.seconds),
            grouped(one.edges),
            one.findings.to_string(),
        ]
    });
    let total = [
        String::from("**all**"),
        format!(
            "**{}**",
            grouped(all.values().map(|one| one.executions).sum())
        ),
        grouped(all.values().map(|one| one.seconds).sum()),
        String::new(),
        all.values()
            .map(|one| one.findings)
            .sum::<u64>()
            .to_string(),
    ];
    let heads = [
        "Target",
        "Executions",
        "Seconds",
        "Edges reached",
        "Open findings",
    ];
    table(heads, rows.chain([total]))
}

fn mutants_table(all: &MutantRecord) -> String {
    if all.files.is_empty() {
        return missing();
    }
    let without_change = || all.equivalent.iter().flat_map(|kind| &kind.mutants);
    let row = |name: String, files: &[&Mutants]| {
        let sum = |count: fn(&Mutants) -> u32| files.iter().map(|m| count(m)).sum::<u32>();
        let caught = sum(|m| m.caught + m.timeout);
        let missed = files.iter().flat_map(|m| &m.missed);
        let (same, missed): (Vec<&String>, Vec<_>) =
            missed.partition(|missed| without_change().any(|one| one == *missed));
        let survived = u32::try_from(missed.len()).expect("mutant count fits u32");
        let share = 100.0 * f64::from(caught) / f64::from((caught + survived).max(1));
        let unjudged = sum(|m| m.unjudged);
        [
            name,
            caught.to_string(),
            survived.to_string(),
            same.len().to_string(),
            unjudged.to_string(),
            format!("{share:.1} %"),
        ]
    };
    let files = all.files.iter();
    let rows = files.map(|(file, mutants)| row(format!("`{file}`"), &[mutants]));
    let every: Vec<&Mutants> = all.files.values().collect();
    let heads = [
        "File",
        "Caught",
        "Survived",
        "Equivalent",
        "Not tested",
        "Share caught",
    ];
    let table = table(heads, rows.chain([row(String::from("**all**"), &every)]));
    let list = |head: &str, kinds: &[MutantKind]| {
        let lines = kinds.iter().map(|kind| {
            let names: Vec<String> = kind
                .mutants
                .iter()
                .map(|name| format!("`{name}`"))
                .collect();
            format!("- {} {}\n", kind.why, names.join(", "))
        });
        match kinds.is_empty() {
            true => String::new(),
            false => format!("\n{head}\n\n{}", lines.collect::<String>()),
        }
    };
    let equivalent = list("Equivalent mutants:", &all.equivalent);
    let chosen = list("Surviving mutants of tuning parameters:", &all.chosen);
    format!("{table}\n{}, {}.\n{equivalent}{chosen}", all.tool, all.date)
}

fn benchmarks_table(all: &Benchmarks) -> String {
    let rows = all.rows.iter().map(|row| {
        [
            row.work.clone(),
            format!("{:.0} ns", row.ours_ns),
            format!("`{}` {:.0} ns", row.anchor, row.anchor_ns),
            format!("{:.2} ×", row.ours_ns / row.anchor_ns),
        ]
    });
    let table = table(["Work", "Lanewise", "C++ (`tests/anchors`)", "Ratio"], rows);
    format!("{table}\n{}, {}.\n", all.machine, all.date)
}

/// Formats a number with thousands separators.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chromium_only_tests_are_listed_with_reasons() {
        let script = "test(\"both\", async (t) => {});\n\
                      test(`one of ${name}`, { skip: chromiumOnly(\"it counts\") }, async (t) => {";
        let listed: Vec<_> = chromium_only_in(script).collect();
        assert_eq!(listed, [["one of ${name}", "it counts"].map(String::from)]);
    }

    #[test]
    fn mutants_are_counted_by_file() {
        let mutant = |file: &str, summary: &str| {
            format!(
                "{{\"scenario\":{{\"Mutant\":{{\"file\":\"{file}\",\"name\":\"{file}:1: x\"}}}},\
                 \"summary\":\"{summary}\"}}"
            )
        };
        let outcomes = [
            "{\"scenario\":\"Baseline\",\"summary\":\"Success\"}".to_owned(),
            mutant("a.rs", "CaughtMutant"),
            mutant("a.rs", "MissedMutant"),
            mutant("b.rs", "Timeout"),
            mutant("b.rs", "Unviable"),
        ];
        let text = format!("{{\"outcomes\":[{}]}}", outcomes.join(","));
        let mut record = MutantRecord {
            files: summed(&text).unwrap(),
            ..MutantRecord::default()
        };
        let table = mutants_table(&record);
        assert!(
            table.contains("| `a.rs` | 1 | 1 | 0 | 0 | 50.0 % |"),
            "{table}"
        );
        assert!(
            table.contains("| `b.rs` | 1 | 0 | 0 | 0 | 100.0 % |"),
            "{table}"
        );
        assert!(
            table.contains("| **all** | 2 | 1 | 0 | 0 | 66.7 % |"),
            "{table}"
        );
        record.equivalent.push(MutantKind {
            why: String::from("Nothing changes."),
            mutants: vec![String::from("a.rs:1: x")],
        });
        let table = mutants_table(&record);
        assert!(
            table.contains("| `a.rs` | 1 | 0 | 1 | 0 | 100.0 % |"),
            "{table}"
        );
        assert!(table.contains("- Nothing changes. `a.rs:1: x`"), "{table}");
        assert!(summed(&text.replace("Timeout", "New")).is_err());
    }

    /// Each mutant with a reason has survived and has only one reason.
    #[test]
    fn mutants_with_a_reason_have_survived() {
        let record: MutantRecord = read(MUTANTS).unwrap().expect("a record of mutants");
        assert!(!record.date.is_empty() && !record.tool.is_empty());
        let missed: Vec<&String> = record.files.values().flat_map(|m| &m.missed).collect();
        let mut said = Vec::new();
        for kind in record.equivalent.iter().chain(&record.chosen) {
            assert!(
                kind.why.ends_with('.') && !kind.mutants.is_empty(),
                "{}",
                kind.why
            );
            for name in &kind.mutants {
                assert!(missed.contains(&name), "{name}");
                assert!(!said.contains(&name), "{name}");
                said.push(name);
            }
        }
        for (file, mutants) in &record.files {
            assert!(root().join(file).exists(), "{file}");
            assert!(
                mutants.missed.iter().all(|name| name.starts_with(file)),
                "{file}"
            );
        }
    }
}
