//! Counts of outcomes with recurring contents, compared with an independent brute_force_count-force
//! count, which allows more lanes than running every order.

use lanewise_tests::one_cell::{factorial, one_cell};
use lanewise_tests::outcomes::{parse, search};
use std::collections::HashSet;

/// Number of distinct combinations of values found by the lanes over all orders.
fn brute_force_count(lanes: usize, start: u32, next: &impl Fn(u32, usize) -> u32) -> usize {
    struct Walk<'a, F> {
        next: &'a F,
        found: Vec<u32>,
        seen: HashSet<Vec<u32>>,
    }
    fn walk<F: Fn(u32, usize) -> u32>(all: &mut Walk<'_, F>, left: u32, content: u32) {
        if left == 0 {
            // The final contents follow from the values found.
            all.seen.insert(all.found.clone());
            return;
        }
        for lane in (0..all.found.len()).filter(|lane| left >> lane & 1 != 0) {
            all.found[lane] = content;
            let next = (all.next)(content, lane);
            walk(all, left & !(1 << lane), next);
        }
    }
    let mut all = Walk {
        next,
        found: vec![0; lanes],
        seen: HashSet::new(),
    };
    walk(&mut all, (1 << lanes) - 1, start);
    all.seen.len()
}

fn list(values: &[u32]) -> String {
    let values: Vec<String> = values.iter().map(|v| format!("{v:#x}")).collect();
    values.join(", ")
}

/// Checks the count of a search, with few and with all outcomes listed.
fn check(text: &str, lanes: usize, wanted: usize, what: &str) {
    let program = parse(text);
    for limit in [3, 50_000] {
        let answer = search(&program, limit, 10_000);
        assert!(answer.complete, "{what}");
        assert_eq!(answer.count.to_usize(), Some(wanted), "{what}");
        let orders = factorial(u32::try_from(lanes).unwrap());
        assert_eq!(answer.orders.unwrap().to_string(), orders, "{what}");
        assert_eq!(answer.outcomes.len(), wanted.min(limit), "{what}");
        if wanted <= limit {
            let each = answer.outcomes.iter().map(|o| o.orders.clone().unwrap());
            let sum: usize = each.map(|orders| orders.to_usize().unwrap()).sum();
            assert_eq!(sum.to_string(), orders, "{what}");
        }
    }
}

#[test]
fn recurring_contents_are_counted() {
    let eight: &[&[u32]] = &[
        &[1, 2, 3, 4, 5, 6, 7, 8],
        &[1, 2, 3, 4, 8, 12, 16, 0],
        &[7, 7, 1, 6, 6, 2, 4, 1],
        &[1, 2, 4, 8, 16, 32, 64, 127],
    ];
    for values in eight {
        let src0 = list(values);
        let xor = brute_force_count(8, 5, &|content, lane| content ^ values[lane]);
        let text = one_cell("xor", 8, "5", &src0, "V0", "splat(0)");
        check(&text, 8, xor, &format!("xor {src0}"));
    }
    let sums: &[u32] = &[1, u32::MAX, 2, u32::MAX - 1, 5, 0x8000_0000, 0x7fff_fffb, 3];
    let add = brute_force_count(8, 9, &|content, lane| content.wrapping_add(sums[lane]));
    let text = one_cell("add", 8, "9", &list(sums), "V0", "splat(0)");
    check(&text, 8, add, "add");
    // Cyclic compare-and-swap.
    let (new, old): (&[u32], &[u32]) = (&[1, 2, 0, 3, 0, 1, 2, 4], &[0, 1, 2, 0, 3, 3, 4, 2]);
    let compare = |content, lane: usize| {
        if content == old[lane] {
            new[lane]
        } else {
            content
        }
    };
    let text = one_cell("cmpxchg", 8, "0", &list(new), &list(old), "splat(0)");
    check(&text, 8, brute_force_count(8, 0, &compare), "cmpxchg");
    // Counters that wrap at different limits.
    let limits: &[u32] = &[1, 2, 3, 4, 1, 6, 2, 8];
    let inc = |content, lane: usize| {
        if content >= limits[lane] {
            0
        } else {
            content + 1
        }
    };
    let text = format!(
        ".target sass SM60\n.region global 0x10000 64\n.init global[0x10000] : d = 2\n\
         .init R2 = splat(0x10000)\n.init R4 = {}\n.init P0 = 0xff\n@P0 ATOM.INC R0, [R2], R4;\n",
        list(limits)
    );
    check(&text, 8, brute_force_count(8, 2, &inc), "inc");
}

#[test]
fn recurring_contents_of_nine_lanes_are_counted() {
    let values: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9];
    let xor = brute_force_count(9, 0, &|content, lane| content ^ values[lane]);
    let text = one_cell("xor", 9, "0", &list(values), "V0", "splat(0)");
    let program = parse(&text);
    let answer = search(&program, 10, 10_000);
    assert!(answer.complete);
    assert_eq!(answer.count.to_usize(), Some(xor));
}
