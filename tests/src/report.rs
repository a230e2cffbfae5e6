//! Counting agreement, and telling all disagreements at once.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

/// How many disagreements are printed in full.
const SHOWN: usize = 60;

/// The tally of a data-driven test.
#[derive(Debug)]
pub struct Report {
    name: &'static str,
    agreed: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Report {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self {
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
            return;
        }
        for what in self.wrong.iter().take(SHOWN) {
            println!("{what}\n");
        }
        panic!("{}: {} disagreements", self.name, self.wrong.len());
    }
}
