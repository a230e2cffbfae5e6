use super::*;
use crate::group::split;
use lanewise_core::program::Program;
use lanewise_core::session::issue_accesses;

/// Lanes that all hit one cell.
fn one_cell(line: &str, lanes: u32, values: &str) -> (Program, Group) {
    let text = alloc::format!(
        ".slm 16\n.init em = {:#x}\n.decl at v_type=G type=ud num_elts=32 align=GRF\n\
         .decl src v_type=G type=ud num_elts=32 align=GRF\n.init src = {values}\n\
         .decl dst v_type=G type=ud num_elts=32 align=GRF\n{line}\n",
        u32::MAX >> (32 - lanes)
    );
    let program = Program::parse(&text);
    assert!(program.can_run(), "{:?}", program.diagnostics);
    let placed = &program.instructions[0];
    let mut accesses = Vec::new();
    issue_accesses(&program, placed, &program.start, &mut accesses);
    let groups = split(&placed.instruction, &accesses, &program.start);
    let group = groups.unwrap().remove(0);
    (program, group)
}

#[test]
fn what_is_known_at_once_is_found_in_slices() {
    let bits = "1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024";
    let (program, group) = one_cell("dword_atomic.or (M1, 16) %slm at.0 src.0 V0 V0", 11, bits);
    let mut engine = Engine::new(group, 10, &program.symbols);
    let mut slices = 0;
    while !engine.work(&program.symbols, &mut 100) {
        slices += 1;
    }
    assert!(slices > 100, "{slices}");
    assert_eq!(engine.known.contents, Some(alloc::vec![2047]));
}

#[test]
fn contents_are_asked_for_once() {
    let line = "dword_atomic.cmpxchg (M1, 32) %slm at.0 src.0 at.0 dst.0";
    let (program, group) = one_cell(line, 32, "iota(1, 1)");
    let symbols = &program.symbols;
    let mut engine = Engine::new(group, 10, symbols);
    *engine.stage = Stage::Done;
    engine.known.returns = alloc::vec![None];
    while !engine.work(symbols, &mut 1000) {}
    // As if that had told nothing.
    engine.known.contents = None;
    let mut budget = 1000;
    assert!(engine.work(symbols, &mut budget));
    assert_eq!((budget, &engine.known.contents), (1000, &None));
}

#[test]
fn results_that_are_all_have_their_orders() {
    let line = "dword_atomic.xor (M1, 8) %slm at.0 src.0 V0 dst.0";
    let (program, mut group) = one_cell(line, 7, "iota(1, 1)");
    for (counts, limit) in [(true, 10_000), (false, 10_000), (false, 10)] {
        let mut trails = Trails::new(&group);
        let mut budget = usize::MAX;
        let walked = trails.work(&mut group, limit, counts, &program.symbols, &mut budget);
        let walked = walked.unwrap();
        let known = walked.parts.iter().all(|part| part.orders.is_some());
        assert!(known || walked.count.is_none(), "{}", walked.parts.len());
        assert_eq!(walked.count.is_some(), counts);
    }
}

#[test]
fn a_lane_is_looked_at_once_for_all_its_values() {
    let line = "dword_atomic.cmpxchg (M1, 8) %slm at.0 src.0 at.0 dst.0";
    let (program, mut group) = one_cell(line, 7, "iota(1, 1)");
    let mut reach = Reach::of_one();
    for (value, spends) in [(5, true), (6, false), (99, false), (0, false)] {
        let mut budget = usize::MAX;
        let (order, certain) = reach.order(&mut group, 2, value, &program.symbols);
        reach.charge(&mut budget);
        assert!(certain && order.is_some() == (value != 99), "{value}");
        assert_eq!(budget < usize::MAX, spends, "{value}");
    }
}
