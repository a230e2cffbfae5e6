//! Runs the fuzz targets on their seeds and on deterministic mutations. `fuzz/` runs
//! them for longer.

use lanewise_tests::fuzz::{Random, TARGETS};

/// Number of mutations per seed; fewer if seeds are many or long.
fn changes(seeds: &[Vec<u8>]) -> usize {
    const BYTES: usize = 400_000;
    let bytes: usize = seeds.iter().map(|seed| seed.len() + 64).sum();
    (BYTES / bytes).clamp(1, 20)
}

/// Mutates an input: replaces, removes or repeats bytes, or truncates it.
fn mutated(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut below = |end: usize| random.below(end);
    let mut bytes = seed.to_vec();
    for _ in 0..=below(3) {
        let at = below(bytes.len());
        match below(5) {
            0 if !bytes.is_empty() => bytes[at] = u8::try_from(below(256)).expect("a byte"),
            1 if !bytes.is_empty() => bytes[at] ^= 1 << below(8),
            2 if !bytes.is_empty() => drop(bytes.drain(at..(at + 1 + below(8)).min(bytes.len()))),
            3 => {
                let piece = bytes[at..(at + below(16)).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

#[test]
fn targets_accept_seeds_and_mutations() {
    for target in TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{}", target.name);
        let mut random = Random::new(18);
        let mut runs = 0;
        for seed in &seeds {
            (target.run)(seed);
            for _ in 0..changes(&seeds) {
                (target.run)(&mutated(seed, &mut random));
                runs += 1;
            }
        }
        println!("{}: {} seeds, {runs} changes", target.name, seeds.len());
    }
}

#[test]
fn every_target_has_a_program() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz");
    let manifest = std::fs::read_to_string(format!("{folder}/Cargo.toml")).expect("a manifest");
    for target in TARGETS {
        let name = target.name;
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        let program = std::fs::read_to_string(format!("{folder}/fuzz_targets/{name}.rs"));
        let program = program.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(program.contains(&format!("\"{name}\"")), "{name}");
    }
}
