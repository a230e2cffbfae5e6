//! Orders of the threads and work-groups of a launch.

use crate::number::Random;
use crate::program::{Program, ThreadSchedule};
use alloc::format;
use alloc::string::String;

/// Order in which the work-groups of a launch run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupOrder {
    #[default]
    Ascending,
    Descending,
    /// A pseudorandom permutation.
    Random(u32),
}

impl GroupOrder {
    /// The work-group at a position, of `count` work-groups.
    #[must_use]
    pub fn group_at(self, position: u32, count: u32) -> u32 {
        match self {
            Self::Ascending => position,
            Self::Descending => count - 1 - position,
            Self::Random(seed) => {
                let mut random = Random::new(seed.into());
                let modulus = u64::from(count);
                // Multiplication by a number without a common divisor is a permutation.
                let mut factor = random.bits() % modulus;
                while gcd(factor, modulus) != 1 {
                    factor += 1;
                }
                let group = (u64::from(position) * factor + random.bits() % modulus) % modulus;
                u32::try_from(group).expect("it is less than the count")
            }
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}

/// Order of the threads and work-groups of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOrder {
    pub threads: ThreadSchedule,
    pub groups: GroupOrder,
}

impl RunOrder {
    const SEQUENTIAL: Self = Self {
        threads: ThreadSchedule::Sequential,
        groups: GroupOrder::Ascending,
    };

    /// The order of a launch that asks for no other.
    #[must_use]
    pub const fn of(program: &Program) -> Self {
        Self {
            threads: program.schedule,
            groups: GroupOrder::Ascending,
        }
    }

    const REVERSED: Self = Self {
        threads: ThreadSchedule::Reversed,
        groups: GroupOrder::Descending,
    };

    const ROUND_ROBIN: Self = Self {
        threads: ThreadSchedule::RoundRobin,
        groups: GroupOrder::Ascending,
    };

    const fn random(seed: u32) -> Self {
        Self {
            threads: ThreadSchedule::Random(seed),
            groups: GroupOrder::Random(seed),
        }
    }

    /// A series of different schedules, of which the first is that of most programs.
    #[must_use]
    pub const fn nth(index: u32) -> Self {
        match index {
            0 => Self::SEQUENTIAL,
            1 => Self::REVERSED,
            2 => Self::ROUND_ROBIN,
            index => Self::random(index - 2),
        }
    }

    /// The series without an order.
    pub fn others(own: Self) -> impl Iterator<Item = Self> {
        (0..).map(Self::nth).filter(move |order| *order != own)
    }

    /// The schedule of a name: `sequential`, `round-robin`, `reversed` or `seed:N`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        if let Some(seed) = name.strip_prefix("seed:") {
            return seed.parse().ok().map(Self::random);
        }
        let known = [Self::SEQUENTIAL, Self::REVERSED, Self::ROUND_ROBIN];
        known
            .into_iter()
            .find(|schedule| schedule.threads.name() == name)
    }

    #[must_use]
    pub fn name(self) -> String {
        let name = self.threads.name();
        match self.threads {
            ThreadSchedule::Random(seed) => format!("{name}:{seed}"),
            _ => String::from(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    #[test]
    fn other_orders_lack_the_own_one() {
        let names =
            |own| -> Vec<String> { RunOrder::others(own).take(3).map(RunOrder::name).collect() };
        assert_eq!(
            names(RunOrder::SEQUENTIAL),
            ["reversed", "round-robin", "seed:1"]
        );
        assert_eq!(
            names(RunOrder::ROUND_ROBIN),
            ["sequential", "reversed", "seed:1"]
        );
    }

    #[test]
    fn orders_are_permutations() {
        let orders = [
            GroupOrder::Ascending,
            GroupOrder::Descending,
            GroupOrder::Random(1),
            GroupOrder::Random(77),
        ];
        for order in orders {
            for count in 1..40 {
                let groups = (0..count).map(|position| order.group_at(position, count));
                let groups: BTreeSet<u32> = groups.collect();
                assert!(groups.into_iter().eq(0..count), "{order:?} of {count}");
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for index in 0..6 {
            let schedule = RunOrder::nth(index);
            assert_eq!(RunOrder::named(&schedule.name()), Some(schedule));
        }
        assert_eq!(RunOrder::named("seed:"), None);
        assert_eq!(RunOrder::named("random"), None);
    }
}
