//! Work budget of a search.

/// Work units of one slice. A unit is about one access of one lane, about 0.1 µs of
/// native code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    units: u64,
    spent: u64,
}

impl Budget {
    pub(crate) const fn new(units: u64) -> Self {
        Self { units, spent: 0 }
    }

    /// Units spent. Can exceed the budget, since indivisible work is charged afterwards.
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
