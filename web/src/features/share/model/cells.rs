//! Cells as links name them, whatever the numbers of their spaces.

use crate::features::machine::inspect::Place;
use lanewise_core::machine::SpaceId;
use lanewise_link::view::MOST_BYTES;

/// Spaces that have a name of their own.
const NAMED: [(SpaceId, &str); 6] = [
    (SpaceId::registers(0), "r0"),
    (SpaceId::registers(1), "r1"),
    (SpaceId::flags(0), "m0"),
    (SpaceId::flags(1), "m1"),
    (SpaceId::SLM, "slm"),
    (SpaceId::VIRTUAL, "svm"),
];

/// A cell.
pub(crate) fn key(place: Place) -> String {
    let Place { space, address } = place;
    match NAMED.iter().find(|(id, _)| *id == space) {
        Some((_, name)) => format!("{name}:{address:x}"),
        None => format!("s{}:{address:x}", space.surface_index().unwrap_or(0)),
    }
}

/// Items of a list with `,` between them, as many as a value has room for.
pub(crate) fn joined(items: impl Iterator<Item = String>) -> String {
    let mut all = String::new();
    for item in items {
        if all.len() + 1 + item.len() > MOST_BYTES {
            break;
        }
        if !all.is_empty() {
            all.push(',');
        }
        all.push_str(&item);
    }
    all
}

/// The cell of a name.
pub(crate) fn place(key: &str) -> Option<Place> {
    let (space, address) = key.split_once(':')?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let space = match NAMED.iter().find(|(_, name)| *name == space) {
        Some((id, _)) => *id,
        None => SpaceId::surface(space.strip_prefix('s')?.parse().ok()?),
    };
    Some(Place::new(space, address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_a_name_and_comes_back_by_it() {
        let spaces = NAMED.map(|(space, _)| space);
        let surfaces = [0, 1, 7, 255].map(SpaceId::surface);
        for space in spaces.into_iter().chain(surfaces) {
            for address in [0, 0x1c, u64::MAX, 31 << 32 | 4] {
                let there = Place::new(space, address);
                assert_eq!(place(&key(there)), Some(there), "{}", key(there));
            }
        }
        assert_eq!(key(Place::new(SpaceId::surface(2), 0x40)), "s2:40");
    }

    #[test]
    fn what_is_no_cell_is_none() {
        for text in [
            "",
            ":",
            "slm",
            "slm:",
            "slm:0x4",
            "kitchen:4",
            "s:4",
            "s256:0",
            "r2:0",
            "svm:-1",
            "svm:10000000000000000",
        ] {
            assert_eq!(place(text), None, "{text}");
        }
    }

    #[test]
    fn a_value_holds_as_many_as_it_can() {
        let all: Vec<Place> = (0..40).map(|at| Place::new(SpaceId::SLM, at * 4)).collect();
        let said = joined(all.iter().copied().map(key));
        assert!(said.len() <= MOST_BYTES && said.starts_with("slm:0,slm:4,"));
        assert!(said.split(',').all(|key| place(key).is_some()));
    }
}
