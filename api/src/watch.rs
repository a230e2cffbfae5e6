//! Checks of a launch that is run step by step, as a debugger does.

use crate::findings::{FindingJson, undefined};
use lanewise_checks::{Checks, Operands, Options};
use lanewise_core::checks::undefined::{UndefinedUse, UndefinedValues};
use lanewise_core::program::Program;
use lanewise_core::session::LaunchRun;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Runs the instructions of a launch that a debugger has reached, with all checks. Findings
/// are kept by the instruction whose execution reveals them, so that a debugger that goes back
/// meets them again.
pub struct Watch {
    program: Rc<Program>,
    source: Option<String>,
    run: LaunchRun,
    checks: ((Checks, Operands), UndefinedValues),
    /// Instructions that the work-group of `run` has issued.
    issued: u32,
    /// Findings of [`Checks`] and [`Operands`] that `found` has.
    known: [usize; 2],
    /// Undefined values that `found` has.
    uses: BTreeSet<(u32, UndefinedUse)>,
    /// By work-group and index of the instruction among the issued ones.
    found: BTreeMap<(u32, u32), Vec<FindingJson>>,
}

impl Watch {
    /// `source` is the text with comments that allow findings.
    #[must_use]
    pub fn new(program: Rc<Program>, source: Option<String>) -> Self {
        let options = Options {
            float: true,
            ..Options::ALL
        };
        let checks = (Checks::new(&program, options), Operands::new(options));
        Self {
            run: LaunchRun::new(&program),
            checks: (checks, UndefinedValues::new(&program)),
            issued: 0,
            known: [0; 2],
            uses: BTreeSet::new(),
            found: BTreeMap::new(),
            program,
            source,
        }
    }

    /// Findings of the instruction that a work-group has issued as its `index`-th, from 0:
    /// the first of their kind and lines, without allowed ones.
    pub fn at(&mut self, group: u32, index: u32) -> &[FindingJson] {
        while (self.run.group(), self.issued) <= (group, index) {
            let here = (self.run.group(), self.issued);
            // One instruction at a time, to know whose findings are new.
            let (end, checks) = (here.0.saturating_add(1), &mut self.checks);
            let has_ended = self.run.advance_observed(&self.program, end, 1, checks);
            self.issued = if has_ended { 0 } else { here.1 + 1 };
            self.collect(here);
            if has_ended && self.run.group() == here.0 {
                // A fault, or a program without a launch.
                self.issued = u32::MAX;
                break;
            }
        }
        self.found.get(&(group, index)).map_or(&[], Vec::as_slice)
    }

    /// Findings that only the end of the launch reveals: undefined values in buffers.
    #[must_use]
    pub fn at_end(&self) -> Vec<FindingJson> {
        let found = self.checks.1.clone().finish();
        let stored = found
            .values
            .iter()
            .filter(|v| v.usage == UndefinedUse::Stored);
        let found = stored.map(|value| undefined(&self.program, value));
        let found = found.map(|finding| self.json(finding));
        found.filter(|finding| !finding.is_suppressed()).collect()
    }

    fn json(&self, finding: lanewise_checks::Finding) -> FindingJson {
        FindingJson::of(&self.program, finding, &[], self.source.as_deref())
    }

    /// Adds the findings of the last instruction.
    fn collect(&mut self, at: (u32, u32)) {
        let ((checks, operands), values) = &self.checks;
        let mut new = Vec::new();
        for (report, known) in [checks.report(), operands.report()]
            .into_iter()
            .zip(&mut self.known)
        {
            let before = new.len();
            new.extend(report.found_after(*known).cloned());
            *known += new.len() - before;
        }
        if values.so_far().len() > self.uses.len() {
            for value in values.so_far() {
                if self.uses.insert((value.instruction, value.usage)) {
                    new.push(undefined(&self.program, value));
                }
            }
        }
        let new = new.into_iter().map(|finding| self.json(finding));
        let new: Vec<_> = new.filter(|finding| !finding.is_suppressed()).collect();
        if !new.is_empty() {
            self.found.insert(at, new);
        }
    }
}
