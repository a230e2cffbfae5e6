//! Counts matches with recorded answers and lists all differences.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

/// Maximum number of printed differences.
const SHOWN: usize = 60;

/// Source of recorded answers; see `vectors/README.md`.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Judge {
    tool: &'static str,
    version: &'static str,
}

/// Intel's vISA assembler and finalizer.
pub static GENX_IR: Judge = Judge {
    tool: "GenX_IR",
    version: "libigc-tools 1.0.12504.6-1+deb12u1",
};

/// NVIDIA's assembler and disassembler.
pub static NVDISASM: Judge = Judge {
    tool: "nvdisasm and ptxas",
    version: "12.4.99; 11.8.89 for 32-bit addresses",
};

/// Intel's CM CPU emulation, and for cases that it does not support a program written
/// from the documents.
pub static EMULATION: Judge = Judge {
    tool: "Intel's CM CPU emulation",
    version: "intel/cm-cpu-emulation, commit 8d7b65f",
};

/// A program written from the documents alone.
pub static DOCUMENTS: Judge = Judge {
    tool: "program written from the documents",
    version: "",
};

/// Record that a passed test writes to `target/evidence` for `cargo xtask evidence`.
#[derive(Serialize)]
struct Evidence {
    name: &'static str,
    #[serde(flatten)]
    judge: Judge,
    agreed: usize,
}

/// The tally of a data-driven test.
#[derive(Debug)]
pub struct Report {
    judge: &'static Judge,
    name: &'static str,
    agreed: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Report {
    #[must_use]
    pub fn new(judge: &'static Judge, name: &'static str) -> Self {
        Self {
            judge,
            name,
            agreed: BTreeMap::new(),
            wrong: Vec::new(),
        }
    }

    /// Counts a matching line of a class.
    pub fn agree(&mut self, class: &str) {
        *self.agreed.entry(class.to_owned()).or_default() += 1;
    }

    /// Records a difference.
    pub fn wrong(&mut self, what: impl Into<String>) {
        self.wrong.push(what.into());
    }

    /// Counts `Ok` as a match and `Err` as a difference.
    pub fn count(&mut self, class: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.agree(class),
            Err(what) => self.wrong(format!("[{class}] {what}")),
        }
    }

    /// Number of matching lines of a class.
    #[must_use]
    pub fn of(&self, class: &str) -> usize {
        self.agreed.get(class).copied().unwrap_or(0)
    }

    /// Prints the counts and checks them against `total` and the `expected` number of
    /// lines per class. This also detects missing lines, and exceptions that apply more
    /// or less often than intended.
    ///
    /// # Panics
    /// If there are differences.
    pub fn finish(mut self, total: usize, expected: &[(&str, usize)]) {
        let agreed: usize = self.agreed.values().sum();
        // Bypasses the output capture of the test harness.
        let _ = writeln!(
            std::io::stderr(),
            "==> {}: {agreed} lines match <==",
            self.name
        );
        for (class, count) in &self.agreed {
            println!("  {count:5} {class}");
        }
        if agreed != total {
            self.wrong(format!("{agreed} lines match, expected {total}"));
        }
        let mut pinned = BTreeMap::new();
        for (class, count) in expected {
            *pinned.entry((*class).to_owned()).or_insert(0) += count;
        }
        if pinned.values().sum::<usize>() != total || pinned.len() != expected.len() {
            self.wrong("the expected classes do not add up to the total");
        }
        let classes: BTreeSet<&String> = self.agreed.keys().chain(pinned.keys()).collect();
        let counts: Vec<String> = classes
            .into_iter()
            .filter(|class| self.agreed.get(*class) != pinned.get(*class))
            .map(|class| {
                let wanted = pinned.get(class).unwrap_or(&0);
                format!("(\"{class}\", {}), expected {wanted}", self.of(class))
            })
            .collect();
        self.wrong.extend(counts);
        if self.wrong.is_empty() {
            return self.keep(agreed);
        }
        for what in self.wrong.iter().take(SHOWN) {
            println!("{what}\n");
        }
        panic!("{}: {} differences", self.name, self.wrong.len());
    }

    /// Writes the evidence record.
    fn keep(&self, agreed: usize) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/evidence");
        let evidence = Evidence {
            name: self.name,
            judge: *self.judge,
            agreed,
        };
        let file = folder.join(format!(
            "{}.json",
            self.name.replace(|c: char| !c.is_alphanumeric(), "-")
        ));
        let json = serde_json::to_string(&evidence).expect("texts and a number are JSON");
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&file, json))
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}
