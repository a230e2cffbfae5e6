//! Findings, grouped by kind and lines.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

pub use lanewise_core::rules::Severity;
use lanewise_core::session::RunOrder;

/// Most groups of findings that are kept; the others are counted.
const MAX_FINDINGS: usize = 10_000;

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    RaceLocal,
    RaceGlobal,
    OutOfBounds,
    Misaligned,
    BarrierDivergence,
    NoProgress,
    Uninitialized,
    Nan,
    Infinity,
    Denormal,
    Unwritten,
    OrderDependent,
}

/// Texts about a kind.
#[derive(Clone, Copy, Debug)]
pub struct KindFacts {
    pub kind: Kind,
    /// A stable code.
    pub code: &'static str,
    /// The word in answers and options.
    pub word: &'static str,
    /// The word of `--check` that looks for it.
    pub check: &'static str,
    /// A noun for counts, and its plural.
    pub noun: &'static str,
    pub plural: &'static str,
    pub title: &'static str,
    /// Why it is a defect, in a sentence.
    pub why: &'static str,
}

/// All kinds of findings.
pub static KINDS: [KindFacts; 12] = [
    KindFacts {
        kind: Kind::RaceLocal,
        code: "W0831",
        word: "race-local",
        check: "races",
        noun: "race",
        plural: "races",
        title: "race on local memory",
        why: "Two work-items of a group access the same byte, at least one of them writes it, and no barrier with a local fence orders the accesses: the result depends on which of them is first. Races between work-items of one hardware thread, which only the order of its instructions resolves, are looked for with `lockstep`.",
    },
    KindFacts {
        kind: Kind::RaceGlobal,
        code: "W0832",
        word: "race-global",
        check: "races",
        noun: "race",
        plural: "races",
        title: "race on global memory",
        why: "Two work-items access the same byte, at least one of them writes it, and neither a barrier with a global fence nor atomics with fences order the accesses. A barrier does not reach other work-groups.",
    },
    KindFacts {
        kind: Kind::OutOfBounds,
        code: "W0833",
        word: "out-of-bounds",
        check: "memory",
        noun: "access out of bounds",
        plural: "accesses out of bounds",
        title: "access out of bounds",
        why: "The access is outside the buffer, the local memory that the kernel asked for, or the private memory of the work-item.",
    },
    KindFacts {
        kind: Kind::Misaligned,
        code: "W0834",
        word: "misaligned",
        check: "memory",
        noun: "misaligned access",
        plural: "misaligned accesses",
        title: "misaligned access",
        why: "The address is not a multiple of the element size. If the compiler has merged several elements into one access, the size of one of them counts. It is a note if the value is only copied or a constant, because the compiler may have merged elements then.",
    },
    KindFacts {
        kind: Kind::BarrierDivergence,
        code: "W0835",
        word: "barrier-divergence",
        check: "barriers",
        noun: "divergent barrier",
        plural: "divergent barriers",
        title: "barrier that not all work-items reach",
        why: "Every work-item of a group must reach the same barrier equally often. Hardware does not compare where they wait: the group goes on with some of the work-items elsewhere, or waits forever.",
    },
    KindFacts {
        kind: Kind::NoProgress,
        code: "W0836",
        word: "no-progress",
        check: "barriers",
        noun: "loop without progress",
        plural: "loops without progress",
        title: "loop without progress",
        why: "The launch was stopped in a loop that did not end: it may wait for a value that no other work-item of the work-group can write. Work-groups run one after the other: one that waits for another, as at a barrier of the whole grid, does not end. It is a warning if the loop may end with a higher limit: it has a way out, and writes memory or goes on to other addresses.",
    },
    KindFacts {
        kind: Kind::Uninitialized,
        code: "W0837",
        word: "uninitialized",
        check: "uninit",
        noun: "undefined value",
        plural: "undefined values",
        title: "use of an undefined value",
        why: "A value that nothing has written decides an address, a branch, an atomic or the content of a buffer.",
    },
    KindFacts {
        kind: Kind::Nan,
        code: "W0838",
        word: "nan",
        check: "float",
        noun: "NaN",
        plural: "NaN",
        title: "not a number from numbers",
        why: "The result of an instruction is not a number although none of its sources is NaN: 0/0, ∞ − ∞, 0 · ∞, or the square root of a negative number. What is computed from it is not a number either.",
    },
    KindFacts {
        kind: Kind::Infinity,
        code: "W0839",
        word: "infinity",
        check: "float",
        noun: "infinity",
        plural: "infinities",
        title: "infinity from finite numbers",
        why: "The result of an instruction is infinite although all of its sources are finite: it is too large for its type, or a number is divided by zero.",
    },
    KindFacts {
        kind: Kind::Denormal,
        code: "W0840",
        word: "denormal",
        check: "float",
        noun: "denormal number",
        plural: "denormal numbers",
        title: "denormal number replaced by zero",
        why: "A source or the result of an instruction is a denormal number, and the mode of the thread (%cr0) replaces it by zero. Compile without -cl-denorms-are-zero to keep denormal numbers.",
    },
    KindFacts {
        kind: Kind::Unwritten,
        code: "W0841",
        word: "unwritten",
        check: "uninit",
        noun: "unwritten buffer part",
        plural: "unwritten buffer parts",
        title: "buffer written in part",
        why: "The launch writes part of a buffer that was passed as undefined, and leaves the rest as it was: the launch may be too small, or a bound of the kernel wrong.",
    },
    KindFacts {
        kind: Kind::OrderDependent,
        code: "W0842",
        word: "order-dependent",
        check: "races",
        noun: "dependency on the order",
        plural: "dependencies on the order",
        title: "result that depends on the order of threads",
        why: "Other orders of work-groups and threads leave other buffers. A race is the usual reason; without one, atomics return different values, or add floats in a different order.",
    },
];

impl Kind {
    /// Code, words and reason.
    #[must_use]
    pub fn facts(self) -> &'static KindFacts {
        let found = KINDS.iter().find(|facts| facts.kind == self);
        found.expect("every kind is in the table")
    }

    /// Whether a finding says more than the warning of a run about the same instruction.
    #[must_use]
    pub const fn replaces_warning(self) -> bool {
        matches!(self, Self::OutOfBounds | Self::BarrierDivergence)
    }

    /// Whether a finding stands for the fault of its access, if there is one: the checks go on
    /// after it.
    #[must_use]
    pub const fn replaces_fault(self) -> bool {
        matches!(self, Self::OutOfBounds | Self::Misaligned)
    }
}

/// Kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    Read,
    Write,
    Atomic,
    Branch,
    Barrier,
}

impl Operation {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Atomic => "atomic",
            Self::Branch => "branch",
            Self::Barrier => "barrier",
        }
    }
}

/// The memory of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Local,
    Global,
    Private,
    Constant,
    /// A variable in registers.
    Register,
}

impl Space {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Global => "global",
            Self::Private => "private",
            Self::Constant => "constant",
            Self::Register => "register",
        }
    }
}

/// The place in a program by which findings are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Site {
    /// A line of the source.
    Line(u64),
    /// An instruction of a program without source lines.
    Instruction(u32),
}

/// One access of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessNote {
    pub operation: Operation,
    /// Index of the work-group.
    pub group: u32,
    pub thread: u8,
    /// Channel of the thread.
    pub lane: u8,
    pub instruction: u32,
    pub site: Site,
    pub address: u64,
    pub bytes: u8,
    pub value: Option<u64>,
    /// Step of the timeline of the work-group, counted from 1; see [`locate`](crate::locate()).
    pub step: Option<u64>,
}

/// A defect, and how often it occurred.
#[derive(Clone, Debug)]
pub struct Finding {
    pub kind: Kind,
    pub severity: Severity,
    pub space: Space,
    pub message: String,
    /// The later access first, then the other one, of the first occurrence.
    pub accesses: Vec<AccessNote>,
    pub count: u64,
    /// Work-groups in which it occurred.
    pub groups: BTreeSet<u32>,
}

impl Finding {
    #[must_use]
    pub fn new(
        kind: Kind,
        severity: Severity,
        space: Space,
        message: String,
        accesses: Vec<AccessNote>,
    ) -> Self {
        Self {
            groups: accesses.iter().take(1).map(|access| access.group).collect(),
            kind,
            severity,
            space,
            message,
            accesses,
            count: 1,
        }
    }
}

/// Accesses and undefined values are also told apart by their use.
type Key = (Kind, Site, Site, Option<Operation>);

fn key(kind: Kind, (site, other): (Site, Option<Site>), operation: Operation) -> Key {
    let other = other.unwrap_or(site);
    let by_use = matches!(
        kind,
        Kind::OutOfBounds | Kind::Misaligned | Kind::Uninitialized
    );
    let usage = by_use.then_some(operation);
    (kind, site.min(other), site.max(other), usage)
}

/// The findings of a launch.
#[derive(Debug, Default)]
pub struct Report {
    findings: BTreeMap<Key, Finding>,
    /// Keys of the findings, in the order in which they were found.
    order: Vec<Key>,
    /// Findings beyond the limit.
    dropped: u64,
    /// Number of work-groups that have run, the last one perhaps in part.
    pub groups: u32,
    /// Parts of the launch that could not be checked.
    pub limits: Vec<&'static str>,
    /// A check that was not chosen, although it matters for the launch.
    pub remark: Option<&'static str>,
    /// Whether the launch has gone on after the faults of accesses.
    pub clears_faults: bool,
    /// The order of the launch, if it is not the usual one.
    pub schedule: Option<RunOrder>,
}

impl Report {
    /// Adds an occurrence; `finding` makes the finding if it is the first of its lines, or
    /// more severe than those before.
    pub fn add(
        &mut self,
        kind: Kind,
        severity: Severity,
        sites: (Site, Option<Site>),
        operation: Operation,
        group: u32,
        finding: impl FnOnce() -> Finding,
    ) {
        let key = key(kind, sites, operation);
        let is_full = self.findings.len() >= MAX_FINDINGS;
        match self.findings.get_mut(&key) {
            Some(known) if known.severity <= severity => {
                known.count += 1;
                known.groups.insert(group);
            }
            None if is_full => self.dropped += 1,
            _ => self.merge(key, finding()),
        }
    }

    /// Adds a finding.
    pub fn extend(&mut self, finding: Option<Finding>) {
        let Some(finding) = finding else { return };
        let mut accesses = finding.accesses.iter();
        let Some(first) = accesses.next() else { return };
        let other = accesses.next().map(|access| access.site);
        let key = key(finding.kind, (first.site, other), first.operation);
        match self.findings.contains_key(&key) || self.findings.len() < MAX_FINDINGS {
            true => self.merge(key, finding),
            false => self.dropped += 1,
        }
    }

    /// Adds a finding to that of its lines, and keeps the more severe one.
    fn merge(&mut self, key: Key, mut finding: Finding) {
        let Some(known) = self.findings.get_mut(&key) else {
            self.findings.insert(key, finding);
            self.order.push(key);
            return;
        };
        if finding.severity < known.severity {
            core::mem::swap(known, &mut finding);
        }
        known.count += finding.count;
        known.groups.extend(finding.groups);
    }

    /// The findings after the first `known` ones, in the order in which they were found.
    pub fn found_after(&self, known: usize) -> impl Iterator<Item = &Finding> {
        self.order[known..].iter().map(|key| &self.findings[key])
    }

    /// Findings that were only counted.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The findings without an order.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.findings.values()
    }

    /// The findings by severity, then by line.
    #[must_use]
    pub fn findings(self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.findings.into_values().collect();
        findings.sort_by_key(|f| (f.severity, f.accesses.first().map(|a| a.site), f.kind));
        findings
    }
}
