//! Checks the documented memory limit of a search for outcomes.

use lanewise_explore::Search;
use lanewise_tests::allocated::{self, Counting};
use lanewise_tests::one_cell::one_cell;
use lanewise_tests::outcomes::parse;
use std::rc::Rc;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Documented limit: 200 MB.
const SAID: i64 = 200_000_000;

/// Scenarios that each stress a different stage of the search.
#[test]
fn search_stays_within_its_memory_limit() {
    let iota = "iota(FROM, 1)";
    let odd = "5, 0x7fffffff, 3, 12, 9, 10, 6, 1, 15, 0x80000000, 7, 100, 255, 2, 8, 31";
    let floats = "7.0, 1e30, -1e30, 3.5, 0.1, 1e20, -0.3, 100.25, -1e20, 5.5, 0.7, -8.0, 1e10, \
                  2e-5, -77.0, 4.0";
    let few = "1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6";
    let random = "random(7)";
    let one = |operation: &str, lanes, src0: &str, src1: &str| {
        one_cell(operation, lanes, "0", src0, src1, "splat(0)")
    };
    let inc = |lanes: u32| {
        format!(
            ".target sass SM60\n.region global 0x10000 64\n.init R2 = splat(0x10000)\n\
             .init R4 = iota(2, 1)\n.init P0 = {:#x}\n@P0 ATOM.INC R0, [R2], R4;\n",
            u32::MAX >> (32 - lanes)
        )
    };
    let twice = one("xor", 6, iota, "V0");
    let last = twice.lines().last().unwrap_or_default();
    let cases = [
        ("xor, 16 lanes", one("xor", 16, iota, "V0")),
        ("xor, 32 random", one("xor", 32, random, "V0")),
        ("xor, 64 lanes", one("xor", 64, iota, "V0")),
        ("xor, equal lanes", one("xor", 24, few, "V0")),
        ("add that wraps", one("add", 16, odd, "V0")),
        ("cmpxchg, 32 lanes", one("cmpxchg", 32, iota, "iota(0, 1)")),
        ("fadd, 16 lanes", one("fadd", 16, floats, "V0")),
        ("inc, 16 lanes", inc(16)),
        ("inc, 32 lanes", inc(32)),
        ("two instructions", format!("{twice}{last}\n")),
    ];
    for (name, text) in cases {
        let program = parse(&text);
        let before = allocated::start();
        // Listed outcomes are not included in the limit.
        let mut search = Search::new(Rc::clone(&program), 1000);
        search.finish();
        let answer = search.result();
        let most = allocated::peak() - before;
        println!(
            "  {:6.1} MB  {name}: {}{} results",
            most as f64 / 1e6,
            if answer.complete { "" } else { "at least " },
            answer.count
        );
        assert!(most <= SAID, "{name}: {most} bytes");
    }
}
