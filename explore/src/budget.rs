//! How much work a search may still do.

/// Work units of one slice. A unit is about one access of one lane: some 0.1 µs
/// of native code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    units: u64,
    spent: u64,
}

impl Budget {
    pub(crate) const fn new(units: u64) -> Self {
        Self { units, spent: 0 }
    }

    /// How much was done. Work that is done in one piece is charged afterwards,
    /// so that this may be more than there was.
    pub(crate) const fn spent(self) -> u64 {
        self.spent
    }

    pub(crate) const fn is_spent(self) -> bool {
        self.spent >= self.units
    }

    pub(crate) fn spend(&mut self, units: usize) {
        let units = u64::try_from(units).expect("a length fits 64 bits");
        self.spent = self.spent.saturating_add(units);
    }
}
