//! Which releases a thread has acquired.

use alloc::collections::BTreeMap;

/// Most threads in a clock. A larger one orders everything, which errs towards silence.
const MAX_THREADS: usize = 4096;

/// The number of releases of each thread, numbered across groups, that are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    has_all: bool,
    releases: BTreeMap<u64, u32>,
}

impl Clock {
    /// Whether it had too many threads, and orders everything.
    pub(crate) const fn has_all(&self) -> bool {
        self.has_all
    }

    pub(crate) fn has(&self, thread: u64, release: u32) -> bool {
        self.has_all
            || self
                .releases
                .get(&thread)
                .is_some_and(|known| *known >= release)
    }

    pub(crate) fn note(&mut self, thread: u64, release: u32) {
        let known = self.releases.entry(thread).or_insert(0);
        *known = (*known).max(release);
        if self.releases.len() > MAX_THREADS {
            self.has_all = true;
            self.releases.clear();
        }
    }

    /// Adds what another clock knows about the threads that fulfil a condition.
    pub(crate) fn join(&mut self, other: &Self, knows: impl Fn(u64) -> bool) {
        self.has_all |= other.has_all;
        for (thread, release) in &other.releases {
            if knows(*thread) {
                self.note(*thread, *release);
            }
        }
    }
}
