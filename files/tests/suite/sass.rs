//! Cubins of ptxas 12.4, compared with recorded listings of nvdisasm and
//! cuobjdump 12.4.

use lanewise_core::isa::Style;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::ElementType;
use lanewise_core::program::Program;
use lanewise_core::session::run;
use lanewise_files::zebin::LaunchValue;
use lanewise_files::{
    Content, FileKind, Function, OpenedFile, WarpLaunch, WarpProgram, open, outline,
};
use std::path::{Path, PathBuf};

fn read(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/files");
    std::fs::read(folder.join(name)).expect("a sample file")
}

fn opened(name: &str) -> OpenedFile {
    open(name, &read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn function<'f>(file: &'f OpenedFile, name: &str) -> &'f Function {
    let found = file.functions.iter().find(|f| f.name == name);
    found.unwrap_or_else(|| panic!("no function {name}"))
}

/// Supported instructions, without scheduling.
fn own(function: &Function) -> Vec<String> {
    let texts = function
        .items
        .iter()
        .filter_map(|item| match &item.content {
            Content::Instruction { text, .. } => {
                let end = text
                    .find(" &")
                    .or_else(|| text.find(" ?"))
                    .unwrap_or(text.len());
                Some(text[..end].to_owned())
            }
            _ => None,
        });
    texts.collect()
}

/// Lines of the cuobjdump listing with ATOM and RED.
fn recorded(listing: &str, function: &str) -> Vec<String> {
    let text = String::from_utf8(read(listing)).expect("UTF-8");
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.trim().strip_prefix("Function : ") {
            inside = name == function;
        }
        let Some((_, code)) = line.split_once("*/") else {
            continue;
        };
        let code = code.split(';').next().expect("a first piece").trim();
        let mnemonic = code.split_whitespace().find(|w| !w.starts_with('@'));
        let own = mnemonic.is_some_and(|m| m.starts_with("ATOM.") || m.starts_with("RED."));
        if inside && own {
            found.push(code.to_owned());
        }
    }
    found
}

#[test]
fn cubins_match_cuobjdump() {
    let mut compared = 0;
    for (cubin, listing, sm) in [
        ("atoms_sm50.cubin", "atoms_sm50.cuobjdump.sass", 50),
        ("atoms_sm52.cubin", "atoms_sm52.cuobjdump.sass", 52),
        ("atoms_sm60.cubin", "atoms_sm60.cuobjdump.sass", 60),
        ("atoms_sm61.cubin", "atoms_sm61.cuobjdump.sass", 61),
        ("forms_sm50.cubin", "forms_sm50.cuobjdump.sass", 50),
        ("forms_sm52.cubin", "forms_sm50.cuobjdump.sass", 52),
        ("forms_sm60.cubin", "forms_sm60.cuobjdump.sass", 60),
        ("forms_sm61.cubin", "forms_sm60.cuobjdump.sass", 61),
    ] {
        let file = opened(cubin);
        assert_eq!(file.kind, FileKind::Cubin { sm });
        assert_eq!(file.notes, Vec::<String>::new());
        for function in &file.functions {
            let wanted = recorded(listing, &function.name);
            assert_eq!(own(function), wanted, "{cubin}: {}", function.name);
            compared += wanted.len();
        }
    }
    println!("{compared} instructions of cubins agree with cuobjdump");
    assert!(compared > 400, "{compared}");
}

#[test]
fn listings_match_their_cubins() {
    for sm in [50, 52, 60, 61] {
        let cubin = opened(&format!("atoms_sm{sm}.cubin"));
        for listing in ["nvdisasm", "cuobjdump"] {
            let file = opened(&format!("atoms_sm{sm}.{listing}.sass"));
            assert_eq!(file.kind, FileKind::SassListing);
            assert_eq!(file.functions.len(), cubin.functions.len());
            for read in &file.functions {
                let wanted = function(&cubin, &read.name);
                assert_eq!(read.target, wanted.target);
                // Includes the scheduling from the control words.
                let texts = |f: &Function| -> Vec<Content> {
                    let own = |c: &&Content| matches!(c, Content::Instruction { .. });
                    let contents = f.items.iter().map(|item| &item.content);
                    contents.filter(own).cloned().collect()
                };
                assert_eq!(texts(read), texts(wanted), "{listing} SM{sm} {}", read.name);
                let bytes = |f: &Function| -> Vec<Vec<u8>> {
                    let labels =
                        |i: &&lanewise_files::Item| !matches!(i.content, Content::Label(_));
                    f.items
                        .iter()
                        .filter(labels)
                        .map(|i| i.bytes.clone())
                        .collect()
                };
                assert_eq!(bytes(read), bytes(wanted));
            }
        }
    }
    // A listing without encodings does not have scheduling.
    let plain = opened("atoms_sm50.plain.sass");
    let cubin = opened("atoms_sm50.cubin");
    for read in &plain.functions {
        assert_eq!(own(read), own(function(&cubin, &read.name)));
        assert!(
            read.items
                .iter()
                .any(|i| matches!(&i.content, Content::Other(text) if text.starts_with("MOV R1")))
        );
    }
}

#[test]
fn scenarios_assemble_to_the_same_words() {
    for name in ["atoms_sm50.cubin", "forms_sm60.cubin"] {
        let file = opened(name);
        for function in &file.functions {
            let text = function.scenario();
            let program = Program::parse(&text);
            let errors: Vec<_> = program.diagnostics.iter().map(|d| d.message()).collect();
            assert!(program.can_run(), "{errors:?}\n{text}");
            let words: Vec<Vec<u8>> = program
                .instructions
                .iter()
                .map(|p| p.instruction.encode().bytes().to_vec())
                .collect();
            let own = |i: &&lanewise_files::Item| matches!(i.content, Content::Instruction { .. });
            let wanted: Vec<Vec<u8>> = function
                .items
                .iter()
                .filter(own)
                .map(|i| i.bytes.clone())
                .collect();
            assert_eq!(words, wanted, "{name}: {}", function.name);
            // Other instructions are comments.
            assert!(text.contains("// 0x"), "{text}");
            for placed in &program.instructions {
                assert!(
                    !placed
                        .instruction
                        .text(&program.symbols, Style::Assembler)
                        .is_empty()
                );
            }
        }
    }
}

/// Words and names of all instructions in a listing with encodings.
fn names_by_word(listing: &str) -> Vec<(u64, String)> {
    let text = String::from_utf8(read(listing)).expect("UTF-8");
    let names = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once("*/")?;
        let (code, rest) = rest.split_once("/* 0x")?;
        let word = u64::from_str_radix(rest.get(..16)?, 16).ok()?;
        let code = code.trim_start_matches([' ', '{']);
        let mnemonic = code.split_whitespace().find(|w| !w.starts_with('@'))?;
        let name = mnemonic.split(['.', ';']).next()?;
        Some((word, name.to_owned()))
    });
    names.collect()
}

/// The opcode of a line, without guard and words.
fn opcode(text: &str) -> &str {
    let mut words = text.split([' ', '.']);
    let found = words.find(|word| !word.starts_with('@'));
    found.expect("an opcode")
}

#[test]
fn unsupported_instructions_have_the_names_of_nvdisasm() {
    let mut compared = 0;
    for (cubin, listing) in [
        ("atoms_sm50.cubin", "atoms_sm50.cuobjdump.sass"),
        ("atoms_sm60.cubin", "atoms_sm60.cuobjdump.sass"),
        ("atoms_sm61.cubin", "atoms_sm61.cuobjdump.sass"),
        ("forms_sm60.cubin", "forms_sm60.cuobjdump.sass"),
    ] {
        let listed = names_by_word(listing);
        for item in opened(cubin).functions.iter().flat_map(|f| &f.items) {
            let Content::Other(shown) = &item.content else {
                continue;
            };
            let word = u64::from_le_bytes(item.bytes[..].try_into().expect("a word"));
            let (_, name) = listed
                .iter()
                .find(|(other, _)| *other == word)
                .unwrap_or_else(|| panic!("{listing} has no {word:#x}"));
            assert_eq!(opcode(shown), name, "{word:#x}");
            compared += 1;
        }
    }
    println!("{compared} names agree");
    assert!(compared > 1000, "{compared}");
}

/// Group of a control word and three words with these upper 16 bits.
fn group(upper: [u16; 3]) -> Vec<u8> {
    let mut bytes = 0x001f_8000_fc00_07e0_u64.to_le_bytes().to_vec();
    for upper in upper {
        bytes.extend((u64::from(upper) << 48 | 0x7_0000).to_le_bytes());
    }
    bytes
}

#[test]
fn names_match_recorded_names() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/sass");
    let text = std::fs::read_to_string(folder.join("opcodes.jsonl")).expect("the record");
    let number = |value: &serde_json::Value| {
        let digits = value.as_str().and_then(|v| v.strip_prefix("0x"));
        u16::from_str_radix(digits.expect("a number"), 16).expect("16 bits")
    };
    let mut recorded = vec![None; 0x1_0000];
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let Some(name) = line["name"].as_str() else {
            continue;
        };
        for upper in number(&line["first"])..=number(&line["last"]) {
            let known = &mut recorded[usize::from(upper)];
            // Chips agree on the names.
            assert!(known.as_ref().is_none_or(|k| k == name), "{upper:#x}");
            *known = Some(name.to_owned());
        }
    }
    let mut code = Vec::new();
    for upper in (0..=u16::MAX).step_by(3) {
        code.extend(group([
            upper,
            upper.saturating_add(1),
            upper.saturating_add(2),
        ]));
    }
    let file = open("names.bin", &code).expect("raw code");
    let mut compared = 0;
    for item in &file.functions[0].items {
        let name = match &item.content {
            Content::Other(text) => opcode(text).to_owned(),
            Content::Label(_) => continue,
            Content::Instruction { text, .. } => {
                text.split('.').next().expect("a mnemonic").to_owned()
            }
            other => panic!("{other:?}"),
        };
        let upper = u16::from_le_bytes([item.bytes[6], item.bytes[7]]);
        match &recorded[usize::from(upper)] {
            Some(wanted) => assert_eq!(name, *wanted, "{upper:#06x}"),
            None => assert_eq!(name, "UNKNOWN", "{upper:#06x}"),
        }
        compared += 1;
    }
    assert!(compared >= 0x1_0000, "{compared}");
}

#[test]
fn raw_code_consists_of_groups() {
    let bytes = read("atoms_sm50.cubin");
    let file = opened("atoms_sm50.cubin");
    let atoms = function(&file, "atoms");
    let first = atoms.items[0].offset - 8;
    let last = atoms.items.last().expect("instructions").offset + 8;
    let raw = open("atoms.bin", &bytes[first..last]).expect("raw code");
    assert_eq!(raw.kind, FileKind::SassCode);
    assert_eq!(own(&raw.functions[0]), own(atoms));
    let error = open("atoms.bin", &bytes[first + 8..last]).expect_err("not groups");
    assert!(error.message.contains("neither a vISA object"), "{error}");
}

#[test]
fn unsupported_files_are_identified() {
    for (bytes, why) in [
        (&b""[..], "empty"),
        (&0xba55_ed50_u32.to_le_bytes()[..], "ends in the header"),
        (b"\x7fELF", "cut off"),
        (b"hello world\n", "neither a vISA listing"),
        // Found by fuzzing: text with a multiple of 32 bytes was read as code.
        (&[&[b'a'; 95][..], &[1]].concat(), "invalid byte in a text"),
        (&[0xff, 0xfd, 0x00, 0x01], "neither a vISA object"),
    ] {
        let error = open("file", bytes).expect_err(why);
        assert!(error.message.contains(why), "{error}");
    }
    // Other ELF machine; unsupported chip.
    let mut host = read("atoms_sm50.cubin");
    host[18] = 62;
    host[19] = 0;
    let error = open("a.out", &host).expect_err("a host program");
    assert!(error.message.contains("machine 62"), "{error}");
    let mut later = read("atoms_sm50.cubin");
    later[48] = 90;
    let file = open("later.cubin", &later).expect("it opens");
    assert_eq!(file.kind, FileKind::Cubin { sm: 90 });
    assert!(file.notes[0].contains("SM90"), "{:?}", file.notes);
    // The next version of the ABI has the number in another byte.
    later[8] = 8;
    later[49] = 121;
    let file = open("later.cubin", &later).expect("it opens");
    assert_eq!(file.kind, FileKind::Cubin { sm: 121 });
    assert!(
        file.functions
            .iter()
            .all(|f| f.items.is_empty() && !f.notes.is_empty())
    );
}

#[test]
fn fat_binaries_list_entries_and_open_cubins() {
    let kind = |name: &str| match opened(name).kind {
        FileKind::FatBinary { entries } => entries,
        other => panic!("{name}: {other}"),
    };
    // From cuobjdump -lelf -lptx, with the sizes of -xelf.
    let listed = |name: &str| -> Vec<String> {
        let entries = kind(name).into_iter().map(|e| {
            let packed = if e.is_compressed { " compressed" } else { "" };
            let name = &e.name;
            format!("{:?} sm_{} {name} {}{packed}", e.content, e.sm, e.bytes)
        });
        entries.collect()
    };
    assert_eq!(
        listed("add.fatbin"),
        [
            "Cubin sm_50 add.cu 2280",
            "Cubin sm_61 add.cu 2280",
            "Cubin sm_80 add.cu 3112",
            "Ptx sm_50 add.cu 194 compressed",
        ]
    );
    assert_eq!(
        listed("add_compressed.fatbin"),
        [
            "Cubin sm_50 add.cu 911 compressed",
            "Cubin sm_61 add.cu 910 compressed",
            "Cubin sm_80 add.cu 1108 compressed",
            "Ptx sm_50 add.cu 220 compressed",
        ]
    );
    assert_eq!(
        listed("add_host.o"),
        ["Cubin sm_50 add.cu 2280", "Ptx sm_50 add.cu 194 compressed"]
    );
    let file = opened("add.fatbin");
    let names: Vec<_> = file
        .functions
        .iter()
        .map(|f| (&*f.name, f.target.name()))
        .collect();
    let (sm50, sm61) = (String::from("sass SM50"), String::from("sass SM61"));
    assert_eq!(names, [("add", sm50), ("add", sm61)]);
    assert!(file.notes[2].contains("SM80") && file.notes[2].contains("not read"));
    assert!(opened("add_compressed.fatbin").functions.is_empty());
    // The code does not depend on the container.
    let host = opened("add_host.o");
    assert_eq!(own(&host.functions[0]), own(&file.functions[0]));
    let bytes = read("add_host.o");
    for item in &host.functions[0].items {
        let end = item.offset + item.bytes.len();
        assert_eq!(
            bytes[item.offset..end],
            item.bytes,
            "offsets refer to the outer file"
        );
    }
}

#[test]
fn kernels_of_a_fat_binary_are_those_of_its_newest_cubin() {
    for (name, chip) in [("add.fatbin", "sass SM61"), ("add_host.o", "sass SM50")] {
        let bytes = read(name);
        assert!(WarpProgram::recognises(&bytes), "{name}");
        let mut file = open(name, &bytes).expect("it opens");
        let warps = outline::launchable(&mut file, &bytes, None).expect("it is read");
        let warps = warps.expect("it can be launched");
        let found: Vec<_> = file.functions.iter().map(|f| f.target.name()).collect();
        assert_eq!(found, [chip], "{name}");
        let mut items = file.functions[0].items.iter();
        assert!(items.all(|item| !matches!(item.content, Content::Other(_))));
        let launch = WarpLaunch {
            grid: [1; 3],
            block: [32, 1, 1],
            arguments: vec![LaunchValue::Buffer(
                ElementType::Ud,
                vec![5, 0, 0, 0, 0, 0, 0, 0],
            )],
            ..WarpLaunch::default()
        };
        let program = warps.launch(&warps.kernels[0], &launch).expect("a launch");
        let result = run(&program);
        assert_eq!(result.fault, None, "{name}");
        let launch = program.launch.as_ref().expect("it is a launch");
        let memory = result.machine.space(SpaceId::VIRTUAL);
        // 5 + 0 + … + 31
        assert_eq!(
            memory.load(launch.buffers[0].address, 4),
            Some(501),
            "{name}"
        );
    }
    assert!(!WarpProgram::recognises(&read("add_compressed.fatbin")));
}

#[test]
fn listing_may_contain_ptx() {
    // Output of cuobjdump -sass -elf for a cubin compiled with ptxas -g.
    let ptx = ".version 7.0\n.target sm_60\n.address_size 64\n";
    let code =
        "\t\tFunction : add\n        /*0008*/   RED.ADD [R2], R0 ;   /* 0xebf8000000070200 */\n";
    let error = open("x.ptx", ptx.as_bytes()).expect_err("PTX alone");
    assert!(error.message.contains("this is PTX"), "{error}");
    let file = open("x.sass", format!("{ptx}{code}").as_bytes()).expect("a listing");
    assert_eq!(own(function(&file, "add")), ["RED.ADD [R2], R0"]);
}

#[test]
fn damaged_fat_binaries_are_handled() {
    let bytes = read("add.fatbin");
    for end in 0..bytes.len() {
        let error = open("x.fatbin", &bytes[..end]).expect_err("truncated");
        assert!(error.offset <= end, "{error}");
    }
    for at in (0..0x60).chain(0x940..0x9a0) {
        for value in [0x00, 0x01, 0x7f, 0x80, 0xff] {
            let mut wrong = bytes.clone();
            wrong[at] = value;
            let _ = open("x.fatbin", &wrong);
        }
    }
    // An unreadable cubin does not hide the others.
    let mut wrong = bytes.clone();
    wrong[88] = 0;
    let file = open("x.fatbin", &wrong).expect("it opens");
    assert!(
        file.notes[0].contains("byte 0x58: invalid ELF header"),
        "{:?}",
        file.notes
    );
    assert_eq!(file.functions.len(), 1);
    // An entry with a huge length.
    let mut long = bytes;
    long[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
    let error = open("x.fatbin", &long).expect_err("too long");
    assert!(error.message.contains("expected an entry of"), "{error}");
}

#[test]
fn truncations_and_wrong_bytes_are_handled() {
    let bytes = read("atoms_sm50.cubin");
    for end in 0..bytes.len() {
        if let Ok(file) = open("x.cubin", &bytes[..end]) {
            for function in &file.functions {
                let _ = function.instructions();
            }
        }
    }
    for at in 0..bytes.len() {
        for value in [0x00, 0x80, 0xff] {
            let mut wrong = bytes.clone();
            wrong[at] = value;
            let _ = open("x.cubin", &wrong);
            let _ = WarpProgram::open(&wrong, None);
        }
    }
    let listing = String::from_utf8(read("atoms_sm50.nvdisasm.sass")).expect("UTF-8");
    for (end, _) in listing.char_indices().step_by(97) {
        let _ = open("x.sass", &listing.as_bytes()[..end]);
    }
}

/// `ptxas -c` of a kernel that loads a variable of another file.
#[test]
fn code_without_its_addresses_stops_a_run() {
    let program = WarpProgram::open(&read("unlinked_sm50.cubin"), None).expect("it opens");
    let kernel = &program.kernels[0];
    let text = program.propose(kernel).expect("a launch");
    let result = lanewise_core::session::run_launch(&Program::parse(&text));
    let fault = result.fault.expect("a fault");
    assert_eq!(fault.kind, lanewise_core::isa::FaultKind::NotModelled);
    let message = &fault.message;
    assert!(message.contains("32@lo(counter)"), "{message}");
}

/// Parameters of a listing without its cubin, whose code moves them in several ways.
#[test]
fn code_shows_the_sizes_and_types_of_parameters() {
    let code = [
        // Two floats in a pair of registers.
        "MOV R4, c[0x0][0x160]",
        "MOV R5, c[0x0][0x164]",
        "FADD R0, R4, R5",
        // Halves of an address, and of a double.
        "ULDC UR4, c[0x0][0x168]",
        "ULDC UR6, c[0x0][0x16c]",
        "IADD3 R2, P0, R0, UR4, RZ",
        "IADD3.X R3, RZ, UR6, RZ, P0, !PT",
        "STG.E [R2.64], R0",
        "ULDC UR8, c[0x0][0x170]",
        "ULDC UR11, c[0x0][0x174]",
        "MOV R8, UR8",
        "MOV R9, UR11",
        "DADD R6, R6, R8",
        "EXIT",
    ];
    let text = format!("// compiled for sm_80\nmoves:\n.text.moves:\n{}", {
        let lines = code.iter().map(|line| format!("/*0000*/ {line} ;\n"));
        lines.collect::<String>()
    });
    let program = WarpProgram::of_listing(&text, None).expect("it opens");
    let parameters = program.parameters(&program.kernels[0]);
    let found: Vec<_> = parameters
        .iter()
        .map(|p| {
            (
                p.offset,
                p.size,
                p.is_buffer,
                p.type_name().unwrap_or_default(),
            )
        })
        .collect();
    let row = |offset, size, is_buffer, ty| (offset, size, is_buffer, String::from(ty));
    let wanted = [
        row(0x160, 4, false, "float"),
        row(0x164, 4, false, "float"),
        row(0x168, 8, true, "float*"),
        row(0x170, 8, false, "double"),
    ];
    assert_eq!(found, wanted);
    let proposed = program.propose(&program.kernels[0]).expect("a launch");
    assert!(proposed.contains(".buffer arg2 : f[128] "), "{proposed}");
    assert!(proposed.contains(".param 0x170 = 1:df "), "{proposed}");
}

/// Names that mean something else in a scenario, or are none there, give way to numbers.
#[test]
fn parameters_have_the_names_of_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/sass-kernels");
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a vector");
    let cubin = read("flow.sm_120.cubin");
    for (names, shown) in [
        (["o", "in", "n"], ["o", "in", "n"]),
        (
            ["R4", "proposed", "gr\u{f6}\u{df}e"],
            ["arg0", "arg1", "arg2"],
        ),
        (["arg1", "x", "x"], ["arg0", "arg1", "arg2"]),
    ] {
        let program = WarpProgram::open(&read("flow.sm_120.sass"), Some(&cubin));
        let mut program = program.expect("it opens");
        program.name_parameters(|kernel, count| {
            let named = (kernel, count) == ("early", 3);
            named.then(|| names.map(String::from).to_vec())
        });
        let kernel = program.kernel("early").expect("the kernel");
        let arguments = program.arguments(kernel);
        let declared: Vec<&str> = arguments.iter().map(|a| &*a.name).collect();
        assert_eq!(declared, names);
        assert_eq!(kernel.position_of("1"), Some(1));
        assert_eq!(kernel.position_of(names[0]), Some(0));
        let text = program.propose(kernel).expect("a launch");
        let [buffer, other, number] = shown;
        for line in [
            format!(".buffer {buffer} : "),
            format!(" = &{other}"),
            format!("  // {number}  //"),
        ] {
            assert!(text.contains(&line), "{line}: {text}");
        }
        assert!(Program::parse(&text).can_run());
    }
}
