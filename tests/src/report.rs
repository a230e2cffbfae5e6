//! Counting agreement, and telling all disagreements at once.

use std::collections::BTreeMap;

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

    /// Prints the tally; fails when something disagreed.
    ///
    /// # Panics
    /// With all disagreements, when there are any.
    pub fn finish(self) {
        let total: usize = self.agreed.values().sum();
        println!("{}: {total} lines agree", self.name);
        if self.agreed.len() > 1 {
            for (class, count) in &self.agreed {
                println!("  {count:5} {class}");
            }
        }
        if self.wrong.is_empty() {
            return;
        }
        for what in self.wrong.iter().take(SHOWN) {
            println!("{what}\n");
        }
        panic!("{}: {} lines disagree", self.name, self.wrong.len());
    }
}
