//! Counts agreements, and lists all disagreements at once.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

/// How many disagreements are printed in full.
const SHOWN: usize = 60;

/// Whose recorded answers a test compares with; `vectors/README.md` says how
/// they were made.
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

/// Intel's CM CPU emulation, and a program written from the documents for what
/// the emulation does not have.
pub static EMULATION: Judge = Judge {
    tool: "Intel's CM CPU emulation",
    version: "intel/cm-cpu-emulation, commit 8d7b65f",
};

/// A program written from the documents alone.
pub static DOCUMENTS: Judge = Judge {
    tool: "a program written from the documents alone",
    version: "",
};

/// What a test that passed leaves in `target/evidence` for `cargo xtask
/// evidence`.
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
    /// Nothing counted yet.
    #[must_use]
    pub fn new(judge: &'static Judge, name: &'static str) -> Self {
        Self {
            judge,
            name,
            agreed: BTreeMap::new(),
            wrong: Vec::new(),
        }
    }

    /// Counts one line of a class that is as it should be.
    pub fn agree(&mut self, class: &str) {
        *self.agreed.entry(class.to_owned()).or_default() += 1;
    }

    /// Notes a disagreement.
    pub fn wrong(&mut self, what: impl Into<String>) {
        self.wrong.push(what.into());
    }

    /// Agreement when `result` is good, a disagreement otherwise.
    pub fn count(&mut self, class: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.agree(class),
            Err(what) => self.wrong(format!("[{class}] {what}")),
        }
    }

    /// How many lines of a class agreed.
    #[must_use]
    pub fn of(&self, class: &str) -> usize {
        self.agreed.get(class).copied().unwrap_or(0)
    }

    /// Prints the tally; fails when something disagreed, and when the lines
    /// that agreed are not exactly the expected ones: `total` of them, so
    /// many of each class. A file that lost lines fails, and so does an
    /// exception that is used more or less often than it is meant to be.
    ///
    /// # Panics
    /// With all disagreements, when there are any.
    pub fn finish(mut self, total: usize, expected: &[(&str, usize)]) {
        let agreed: usize = self.agreed.values().sum();
        // Past the capture of the test harness: seen when tests pass, too.
        let _ = writeln!(
            std::io::stderr(),
            "==> {}: {agreed} lines agree <==",
            self.name
        );
        for (class, count) in &self.agreed {
            println!("  {count:5} {class}");
        }
        if agreed != total {
            self.wrong(format!("{agreed} lines agree, not {total}"));
        }
        let mut pinned = BTreeMap::new();
        for (class, count) in expected {
            *pinned.entry((*class).to_owned()).or_insert(0) += count;
        }
        if pinned.values().sum::<usize>() != total || pinned.len() != expected.len() {
            self.wrong("the expected classes do not make up the total");
        }
        let classes: BTreeSet<&String> = self.agreed.keys().chain(pinned.keys()).collect();
        let counts: Vec<String> = classes
            .into_iter()
            .filter(|class| self.agreed.get(*class) != pinned.get(*class))
            .map(|class| {
                let wanted = pinned.get(class).unwrap_or(&0);
                format!("(\"{class}\", {}), not {wanted}", self.of(class))
            })
            .collect();
        self.wrong.extend(counts);
        if self.wrong.is_empty() {
            return self.keep(agreed);
        }
        for what in self.wrong.iter().take(SHOWN) {
            println!("{what}\n");
        }
        panic!("{}: {} disagreements", self.name, self.wrong.len());
    }

    /// Leaves a record of what agreed.
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
