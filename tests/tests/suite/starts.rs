//! Editing an initial value changes only that value, in every bundled scenario, also
//! repeatedly.

use lanewise_core::isa::Family;
use lanewise_core::library::{BUNDLED, KERNELS};
use lanewise_core::machine::{Machine, SpaceId, SpaceKind};
use lanewise_core::number::{ElementType, Random, low_mask, show};
use lanewise_core::program::{
    ADDRESS_VARIABLE_BYTES, ADDRESS_VARIABLES, Cell, Program, parse_pointer_text,
};

/// All spaces with initial values.
fn spaces(program: &Program) -> Vec<SpaceId> {
    let mut spaces = vec![SpaceId::SLM, SpaceId::VIRTUAL];
    for eu in 0..program.threads {
        spaces.push(SpaceId::registers(eu));
    }
    let surfaces = program.symbols.visa.surfaces();
    spaces.extend(surfaces.map(|(index, _)| SpaceId::surface(index)));
    spaces
}

/// All bytes of a machine, by region, except the control state that follows from `em`.
fn bytes_of(machine: &Machine) -> Vec<(u16, u64, Vec<u8>)> {
    let mut all = Vec::new();
    let is_control = |space: &SpaceId| matches!(space.kind(), SpaceKind::Control(_));
    for space in (0..=264).map(SpaceId).filter(|space| !is_control(space)) {
        let memory = machine.space(space);
        for (start, _) in memory.regions() {
            all.push((space.0, start, memory.region_bytes(start)));
        }
    }
    all
}

fn warnings(program: &Program) -> usize {
    program.diagnostics.len()
}

/// Edits a cell, checks the result, and returns the new text.
fn edited(text: &str, cell: Cell, bits: u64, spelling: &str) -> Option<String> {
    let before = Program::parse(text);
    let new = before.with_start(text, cell, bits, spelling)?;
    let after = Program::parse(&new.text);
    let case = format!("{cell:?} = {bits:#x} in\n{text}\nbecame\n{}", new.text);
    assert!(after.can_run(), "{:?} {case}", after.diagnostics);
    let mut wanted = before.start.clone();
    let memory = wanted.space_mut(cell.space).unwrap();
    assert!(memory.store(cell.address, cell.ty.bytes(), bits), "{case}");
    assert!(bytes_of(&after.start) == bytes_of(&wanted), "{case}");
    assert!(new.text.is_char_boundary(new.caret), "{case}");
    // Only a large fill may be overridden by a second line.
    let fills = ["iota", "splat", "random"].iter().any(|f| text.contains(f));
    assert!(
        fills || warnings(&after) == warnings(&before),
        "{:?} {case}",
        after.diagnostics
    );
    Some(new.text)
}

/// Editable cells: all of memory and declared registers.
fn cells(program: &Program, random: &mut Random, count: usize) -> Vec<Cell> {
    let mut cells = Vec::new();
    let spaces = spaces(program);
    while cells.len() < count {
        let space = spaces[random.bits() as usize % spaces.len()];
        let regions: Vec<_> = program.start.space(space).regions().collect();
        if regions.is_empty() {
            continue;
        }
        let (start, bytes) = regions[random.bits() as usize % regions.len()];
        let ty = ElementType::ALL[random.bits() as usize % 12];
        let width = u64::from(ty.bytes());
        // Mostly near the start, where scenarios have values.
        let room = if random.bits().is_multiple_of(4) {
            bytes
        } else {
            bytes.min(256)
        };
        let address = start + random.bits() % (room / width).max(1) * width;
        if address + width > start + bytes {
            continue;
        }
        let registers = matches!(space.kind(), SpaceKind::Registers(_));
        if registers {
            let set = match program.symbols.target.family() {
                Family::Sass => address < 250 * 128,
                Family::Visa => (0..width).all(|i| {
                    let at = u32::try_from(address + i).unwrap();
                    program.symbols.visa.at_register_byte(at).next().is_some()
                }),
            };
            if !set {
                continue;
            }
        }
        cells.push(Cell { space, address, ty });
    }
    cells
}

#[test]
fn edits_change_only_the_edited_cell() {
    let mut random = Random::new(11);
    // A launch sets its input registers itself.
    for scenario in BUNDLED.iter().filter(|s| s.topic != KERNELS) {
        let program = Program::parse(scenario.text);
        let mut text = scenario.text.to_owned();
        for (turn, cell) in cells(&program, &mut random, 40).into_iter().enumerate() {
            let bits = random.element(cell.ty) & low_mask(cell.ty.bits());
            let spelling = match turn % 3 {
                0 => show(bits, cell.ty),
                1 => format!("{bits:#x}"),
                _ => String::new(),
            };
            // Each edit separately, and all of them in sequence.
            edited(scenario.text, cell, bits, &spelling).expect(scenario.id);
            text = edited(&text, cell, bits, &spelling).expect(scenario.id);
        }
    }
}

#[test]
fn masks_and_pointers_can_be_edited() {
    let text = ".threads 2\n.decl V32 v_type=G type=ud num_elts=8\n\
                .decl V33 v_type=G type=ud num_elts=8\n.decl P1 v_type=P num_elts=16\n\
                .decl A0 v_type=A num_elts=4\n.init P1 = 0xff // both\n\
                dword_atomic.inc (M1, 4) %slm V32.0 %null.0 %null.0 %null.0\n";
    let program = Program::parse(text);
    let ty = ElementType::Ud;
    let of = |space, address| Cell { space, address, ty };
    let text = edited(text, of(SpaceId::flags(1), 0), 0xf0f0, "0xf0f0").unwrap();
    assert!(text.contains(".init EU1.em = 0xf0f0\n"), "{text}");
    let p1 = program.symbols.visa.predicates().next().unwrap().0;
    let text = edited(
        &text,
        of(SpaceId::flags(0), u64::from(p1) * 4),
        0b101,
        "0b101",
    )
    .unwrap();
    assert!(
        text.contains(".init EU0.P1 = 0b101 // both\n.init EU1.P1 = 0xff\n"),
        "{text}"
    );
    let pointer = parse_pointer_text(&program.symbols.visa, "&V33 + 4").unwrap();
    let a0 = program.symbols.visa.addresses().next().unwrap().0;
    let at = ADDRESS_VARIABLES + u64::from(a0) * ADDRESS_VARIABLE_BYTES + 4;
    let text = edited(&text, of(SpaceId::flags(0), at), u64::from(pointer), "").unwrap();
    assert!(text.contains(".init EU0.A0 = &V32, &V33 + 4\n"), "{text}");
    let text = edited(&text, of(SpaceId::flags(0), at - 4), u64::from(pointer), "").unwrap();
    assert!(
        text.contains(".init EU0.A0 = &V33 + 4, &V33 + 4\n"),
        "{text}"
    );
    assert_eq!(parse_pointer_text(&program.symbols.visa, "V33"), None);
    assert_eq!(
        parse_pointer_text(&program.symbols.visa, "&V33 + 4 x"),
        None
    );
}

#[test]
fn edited_lines_stay_readable() {
    let decl = ".decl V32 v_type=G type=ud num_elts=8\n";
    let slm = |address, ty| Cell {
        space: SpaceId::SLM,
        address,
        ty,
    };
    let v32 = |element: u64| Cell {
        space: SpaceId::registers(0),
        address: element * 4,
        ty: ElementType::Ud,
    };
    let ud = ElementType::Ud;
    for (text, cell, value, wanted) in [
        // An element of a list, with adjacent comments.
        (
            ".init V32 = 1, 0x2 /* two */, 3 // three\n",
            v32(1),
            "9",
            ".init V32 = 1, 9 /* two */, 3 // three\n",
        ),
        (".init V32 = 1\n", v32(3), "7", ".init V32 = 1, 0, 0, 7\n"),
        (
            ".init V32 = iota(0, 1)\n",
            v32(2),
            "9",
            ".init V32 = 0, 1, 9, 3, 4, 5, 6, 7\n",
        ),
        ("", v32(1), "0x10", ".init V32 = 0, 0x10\n"),
        (
            ".init slm[0] : ud = 1, 2\n",
            slm(8, ud),
            "3",
            ".init slm[0] : ud = 1, 2, 3\n",
        ),
        (
            ".init slm[0] : ud = 1, 2\n",
            slm(0x40, ElementType::F),
            "1.5",
            ".init slm[0] : ud = 1, 2\n.init slm[0x40] : f = 1.5\n",
        ),
        (
            ".init slm[0] : ud = splat(7)\n",
            slm(0x40, ud),
            "8",
            ".init slm[0] : ud = splat(7)\n.init slm[0x40] : ud = 8\n",
        ),
        (
            ".init slm[0] : ud = splat(7)\n.init slm[0x40] : ud = 8\n",
            slm(0x44, ud),
            "9",
            ".init slm[0] : ud = splat(7)\n.init slm[0x40] : ud = 8, 9\n",
        ),
        // Half of a doubleword.
        (
            ".init slm[0] : ud = 0x12345678\n",
            slm(2, ElementType::Uw),
            "0xabcd",
            ".init slm[0] : ud = 0xabcd5678\n",
        ),
    ] {
        let bits = lanewise_core::number::parse_literal(value, cell.ty).unwrap();
        let before = format!("{decl}{text}");
        let after = edited(&before, cell, bits, value).unwrap();
        assert_eq!(after, format!("{decl}{wanted}"));
    }
}

#[test]
fn warp_registers_are_edited_per_lane() {
    let text = ".target sass SM50\n.region global 0x10000 64\n.init R2:R3 = splat(0x10000)\n\
                .init R4 = -1, 2\nATOM.E.ADD R7, [R2], R4;\n";
    use lanewise_core::isa::sass::warp::{predicate_address, register_address};
    let file = SpaceId::registers(0);
    let of = |lane, register, ty| Cell {
        space: file,
        address: register_address(lane, register),
        ty,
    };
    let text = edited(text, of(3, 4, ElementType::Ud), 5, "5").unwrap();
    assert!(text.contains(".init R4 = -1, 2, 0, 5\n"), "{text}");
    let text = edited(&text, of(0, 4, ElementType::D), 3_000_000_000, "3000000000").unwrap();
    let text = edited(&text, of(1, 7, ElementType::D), 0xffff_ffff, "-1").unwrap();
    assert!(text.contains(".init R7 = 0, 4294967295\n"), "{text}");
    let text = edited(&text, of(0, 3, ElementType::Ud), 1, "1").unwrap();
    let text = edited(&text, of(2, 8, ElementType::Df), 1.5_f64.to_bits(), "1.5").unwrap();
    assert!(text.contains(".init R8:R9 = "), "{text}");
    let p0 = Cell {
        space: SpaceId::flags(0),
        address: predicate_address(0),
        ty: ElementType::Ud,
    };
    let text = edited(&text, p0, 0xf, "").unwrap();
    assert!(text.contains(".init P0 = 0xf\n"), "{text}");
    let taking_part = Cell {
        space: SpaceId::flags(0),
        address: 0,
        ty: ElementType::Ud,
    };
    assert_eq!(edited(&text, taking_part, 1, ""), None);
}
