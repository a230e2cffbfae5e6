//! Outcomes of warps, of scatters, and of the bundled scenarios.

use lanewise_core::machine::SpaceId;
use lanewise_tests::outcomes::{compare, parse, search};

/// Two groups of lanes of a warp.
#[test]
fn outcomes_of_warps_and_scatters_match_all_orders() {
    let operations = [
        "ADD",
        "MIN.S32",
        "INC",
        "DEC",
        "EXCH",
        "XOR",
        "ADD.F32.FTZ.RN",
        "OR",
    ];
    let mut found = 0;
    for operation in operations {
        for values in ["1, 2, 3, 1", "0, 0, 5, -1", "iota(7, 0)"] {
            let text = format!(
                ".target sass SM60\n.region global 0x10000 64\n\
                 .init global[0x10000] : d = 2\n.init R2 = 0x10000, 0x10000, 0x10004, 0x10000, 0x10004, 0x10000\n\
                 .init R4 = {values}\n.init P0 = 0x3f\n@P0 ATOM.{operation} R0, [R2], R4;\n"
            );
            found += compare(&text, 7).unwrap();
        }
    }
    let cas = ".target sass SM50\n.region global 0x10000 64\n.init R2 = splat(0x10000)\n\
               .init R4 = 0, 5, 0, 1, 2, 5\n.init R5 = 5, 1, 2, 5, 0, 0\n.init P0 = 0x3f\n";
    found += compare(&format!("{cas}@P0 ATOM.CAS R0, [R2], R4, R5;\n"), 100).unwrap();
    for step in [0, 4, 8, 12] {
        for channels in ["R", "RG", "RA", "GBA"] {
            let lanes = 6 / channels.len();
            let text = format!(
                ".slm 16\n.region svm 0x1000 128\n.init em = {:#x}\n\
                 .decl offs v_type=G type=uq num_elts=8 align=GRF\n.init offs = iota(0, {step})\n\
                 .decl src v_type=G type=d num_elts=32 align=GRF\n.init src = 1, 2, 1, 4, 5, 1, 7, 8, 9, 1, 2\n\
                 svm_scatter4scaled.{channels} (M1, 8) 0x1000:uq offs.0 src.0\n",
                (1 << lanes) - 1
            );
            found += compare(&text, 100).unwrap();
        }
    }
    println!("  {found} results");
    assert_eq!(found, FOUND);
}

const FOUND: usize = 693;

/// Claims about outcomes in the notes of bundled scenarios.
#[test]
fn scenario_notes_match_their_outcomes() {
    for (id, count, all, start, ends) in [
        ("one-of-eight", 8, "40320", 0, 101..=108),
        ("exchange-chain", 120, "120", 0, 1..=5),
        ("compare-may-fail", 14, "24", 0, 1..=4),
        ("mixed-orders", 36, "36", 0, 16..=36),
        ("atom-float-order", 22, "24", 0x10000, 0..=0x4000_0000),
        ("spin-lock", 24, "288", 0, 4..=4),
        ("histogram-bins", 2_903_040, "2903040", 0, 3..=3),
    ] {
        let bundled = lanewise_core::library::named(id).unwrap();
        if !["one-of-eight", "spin-lock", "histogram-bins"].contains(&id) {
            compare(bundled.text, 1000).unwrap();
        }
        let program = parse(bundled.text);
        let answer = search(&program, 1000, 1000);
        assert!(answer.complete, "{id}");
        assert_eq!(answer.count.to_usize(), Some(count), "{id}");
        assert_eq!(answer.orders.unwrap().to_string(), all, "{id}");
        let mut found: Vec<u64> = Vec::new();
        for outcome in &answer.outcomes {
            let space = if start == 0 {
                SpaceId::SLM
            } else {
                SpaceId::VIRTUAL
            };
            let end = outcome.machine(&program).load(space, start, 4).unwrap();
            assert!(ends.contains(&end), "{id}: {end}");
            let orders = outcome.orders.as_ref().unwrap().to_usize();
            match id {
                "one-of-eight" => assert_eq!(orders, Some(5040)),
                "compare-may-fail" if end == 4 => assert_eq!(orders, Some(1)),
                _ => {}
            }
            if !found.contains(&end) {
                found.push(end);
            }
        }
        found.sort_unstable();
        match id {
            "mixed-orders" => assert_eq!(found, [16, 26, 36]),
            "atom-float-order" => assert_eq!(found, [0, 0x3f80_0000, 0x4000_0000]),
            "compare-may-fail" => assert_eq!(found, [1, 2, 3, 4]),
            _ => {}
        }
    }
}
