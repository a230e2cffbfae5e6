//! LSC messages that no recorded kernel uses: blocks of 2D surfaces, prefetches and
//! conversions to the upper half.

use lanewise_core::isa::FaultKind;
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::program::Program;
use lanewise_core::session::{RunResult, Session, run};
use lanewise_tests::parse::runnable;
use lanewise_tests::place;
use std::rc::Rc;

const BASE: u64 = 0x10000;

/// Width and pitch of the surface in bytes, and its height in rows.
const WIDTH: i64 = 64;
const PITCH: i64 = 80;
const HEIGHT: i64 = 24;

/// Size of V32, in bytes.
const REGISTERS: usize = 2048;

fn run_text(text: &str) -> RunResult {
    run(&runnable(text))
}

/// A block as the text has it: bytes of an element, blocks, columns, rows, transposed, VNNI.
#[derive(Clone, Copy, Debug)]
struct Shape(u32, usize, usize, usize, bool, bool);

fn message(shape: Shape, message: &str, x: i64, y: i64) -> String {
    let Shape(bytes, blocks, width, height, transposed, vnni) = shape;
    let letter = |is_set| if is_set { 't' } else { 'n' };
    let data = format!(
        "V32:d{}.{blocks}x{width}x{height}{}{}",
        8 * bytes,
        letter(transposed),
        letter(vnni)
    );
    let (w, h, p) = (WIDTH - 1, HEIGHT - 1, PITCH - 1);
    let place = format!("flat[V33,{w},{h},{p},{x},{y}]");
    let operands = match message {
        "load" => format!("{data} {place}"),
        _ => format!("{place} {data}"),
    };
    format!(
        ".target visa PVC\n.decl V32 v_type=G type=ud num_elts=512 align=GRF\n\
         .decl V33 v_type=G type=uq num_elts=1 align=qword\n.init V33 = {BASE:#x}\n\
         .region svm {BASE:#x} 4096\n.init svm[{BASE:#x}] : ud = random(5)\n\
         .init V32 = random(9)\nlsc_{message}_block2d.ugm (M1_NM, 1) {operands}\n"
    )
}

fn registers(program: &Program, machine: &Machine) -> Vec<u8> {
    let at = program.symbols.visa.symbol("V32").expect("it is declared");
    let lanewise_core::isa::visa::declarations::Symbol::General(id) = at else {
        panic!("V32 is a general variable");
    };
    let at = program.symbols.visa.general(id).expect("it exists").offset;
    let mut bytes = vec![0; REGISTERS];
    machine
        .space(SpaceId::registers(0))
        .read(at.into(), &mut bytes);
    bytes
}

fn memory(machine: &Machine) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    machine.space(SpaceId::VIRTUAL).read(BASE, &mut bytes);
    bytes
}

/// The byte of memory that each byte of the block's registers holds, in the words of
/// LSC_UNTYPED.md: `None` for zero.
fn layout(shape: Shape, x: i64, y: i64) -> Vec<Option<usize>> {
    let Shape(bytes, blocks, width, height, transposed, vnni) = shape;
    let size = bytes as usize;
    let per_dword = 4 / size.min(4);
    let per_register = 64 / size;
    let row_size = if transposed { height } else { width };
    let row_pitch = row_size.next_power_of_two();
    let block_size = row_pitch * if transposed { width } else { height };
    let block_pitch = block_size.next_multiple_of(per_register);
    let mut registers = vec![None; blocks * block_pitch * size];
    let mut load = |to: usize, block: usize, row: usize, column: usize| {
        let column = (x + (block * width + column) as i64) * i64::from(bytes);
        let row = y + row as i64;
        let is_inside =
            (0..=WIDTH - i64::from(bytes)).contains(&column) && (0..HEIGHT).contains(&row);
        for byte in 0..size {
            registers[to * size + byte] = is_inside.then(|| (row * PITCH + column) as usize + byte);
        }
    };
    for block in 0..blocks {
        let start = block * block_pitch;
        match (transposed, vnni) {
            (false, false) => {
                for row in 0..height {
                    for column in 0..width {
                        load(start + row * row_pitch + column, block, row, column);
                    }
                }
            }
            (false, true) => {
                for row in (0..height).step_by(per_dword) {
                    for column in 0..width {
                        for i in 0..per_dword {
                            let to = start + row * row_pitch + column * per_dword + i;
                            load(to, block, row + i, column);
                        }
                    }
                }
            }
            (true, _) => {
                for column in 0..width {
                    for row in 0..height {
                        load(start + column * row_pitch + row, block, row, column);
                    }
                }
            }
        }
    }
    registers
}

const LOADS: [Shape; 9] = [
    Shape(1, 2, 16, 4, false, false),
    Shape(1, 1, 12, 8, false, true),
    Shape(2, 1, 16, 16, false, false),
    Shape(2, 2, 8, 8, false, true),
    Shape(2, 1, 5, 3, false, false),
    Shape(4, 1, 8, 8, true, false),
    Shape(4, 2, 8, 6, false, false),
    Shape(4, 1, 3, 5, true, false),
    Shape(8, 1, 4, 8, true, false),
];

/// Places of blocks: inside, and over each edge of the surface.
const PLACES: [(i64, i64); 6] = [(0, 0), (3, 2), (-2, -1), (9, 20), (58, 20), (100, 100)];

#[test]
fn blocks_are_loaded_as_documented() {
    for shape in LOADS {
        for (x, y) in PLACES {
            let text = message(shape, "load", x, y);
            let program = Program::parse(&text);
            let result = run_text(&text);
            assert_eq!(result.fault, None, "{text}");
            let memory = memory(&program.start);
            let mut expected = registers(&program, &program.start);
            for (byte, from) in expected.iter_mut().zip(layout(shape, x, y)) {
                *byte = from.map_or(0, |from| memory[from]);
            }
            assert_eq!(registers(&program, &result.machine), expected, "{text}");
        }
    }
}

#[test]
fn blocks_are_stored_within_the_surface() {
    for shape in [
        Shape(1, 1, 16, 8, false, false),
        Shape(4, 1, 8, 3, false, false),
    ] {
        for (x, y) in PLACES {
            let text = message(shape, "store", x, y);
            let program = Program::parse(&text);
            let result = run_text(&text);
            assert_eq!(result.fault, None, "{text}");
            let stored = registers(&program, &program.start);
            let mut expected = memory(&program.start);
            for (byte, to) in stored.iter().zip(layout(shape, x, y)) {
                if let Some(to) = to {
                    expected[to] = *byte;
                }
            }
            assert_eq!(memory(&result.machine), expected, "{text}");
        }
    }
}

#[test]
fn blocks_fault_where_they_cannot_lie() {
    let text = message(LOADS[0], "load", 0, 0);
    let fault = |text: &str| run_text(text).fault.map(|fault| fault.kind);
    let unmapped = text.replace("V33 = 0x10000", "V33 = 0x90000");
    assert_eq!(fault(&unmapped), Some(FaultKind::Unmapped));
    let transposed = message(Shape(4, 1, 8, 8, true, false), "store", 0, 0);
    assert_eq!(fault(&transposed), Some(FaultKind::NotModelled));
    let both = message(Shape(1, 1, 8, 8, true, true), "load", 0, 0);
    assert_eq!(fault(&both), Some(FaultKind::NotModelled));
    let narrow = message(LOADS[0], "load", 0, 0).replace(",79,", ",62,");
    assert_eq!(fault(&narrow), Some(FaultKind::Undefined));
}

/// One lane that reads at an address.
fn load(data: &str, address: &str) -> String {
    format!(
        ".target visa PVC\n.decl V32 v_type=G type=ud num_elts=16 align=GRF\n\
         .decl V33 v_type=G type=uq num_elts=8 align=GRF\n.region svm {BASE:#x} 4096\n\
         .init svm[{BASE:#x}] : uw = 0x1234, 0xabcd\n.init V32 = splat(0xffffffff)\n\
         .init V33 = {address}\nlsc_load.ugm (M1, 1) {data} flat[V33]:a64\n"
    )
}

#[test]
fn prefetches_do_not_fault() {
    let result = run_text(&load("%null:d32", "0x90000"));
    assert_eq!(result.fault, None);
    let fault = run_text(&load("V32:d32", "0x90000")).fault;
    assert_eq!(fault.map(|fault| fault.kind), Some(FaultKind::Unmapped));
    let prefetch = message(LOADS[0], "load", 0, 0);
    let prefetch = prefetch.replace("V32:d8", "%null:d8");
    let result = run_text(&prefetch.replace("V33 = 0x10000", "V33 = 0x90000"));
    assert_eq!(result.fault, None);
}

#[test]
fn words_are_loaded_into_the_upper_half() {
    let text = load("V32:d16c32h", "0x10002");
    let program = Program::parse(&text);
    let result = run_text(&text);
    assert_eq!(result.fault, None);
    let (found, _) = place::load(&program, &result.machine, "V32", 2).unwrap();
    assert_eq!(found, [0xabcd_0000, 0xffff_ffff]);
    let mut session = Session::new(Rc::new(program));
    session.step();
    let summary = session.summary();
    assert!(summary.contains("returned 2882338816"), "{summary}");
    let store = text.replace(
        "lsc_load.ugm (M1, 1) V32:d16c32h flat[V33]:a64",
        "lsc_store.ugm (M1, 1) flat[V33]:a64 V32:d16c32h",
    );
    let fault = run_text(&store).fault;
    assert_eq!(fault.map(|fault| fault.kind), Some(FaultKind::NotModelled));
}

#[test]
fn elements_of_a_vector_follow_each_other_in_memory() {
    for (name, count) in [("x2", 2_u64), ("x3", 3), ("x4", 4), ("x8", 8)] {
        let result = run_text(&format!(
            ".target visa PVC\n\
             .decl V32 v_type=G type=ud num_elts=128 align=GRF\n\
             .decl A v_type=G type=uq num_elts=16 align=GRF\n\
             .region svm 0x0 1024\n\
             .init svm[0] : ud = iota(0, 1)\n\
             .init A = iota(0, 32)\n\
             lsc_load.ugm (M1, 16) V32:d32{name} flat[A]:a64\n"
        ));
        for (element, lane) in (0..count).flat_map(|e| (0..16).map(move |lane| (e, lane))) {
            let at = 64 * element + 4 * lane;
            let loaded = result.machine.load(SpaceId::registers(0), at, 4);
            assert_eq!(
                loaded,
                Some(8 * lane + element),
                "{name}, {element}, {lane}"
            );
        }
    }
}
