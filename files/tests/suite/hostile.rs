//! Malformed files: truncated, with wrong lengths, with overlapping parts. Results
//! are bounded, and errors have an offset.

use lanewise_files::{Content, FileError, OpenedFile, open};
use std::path::{Path, PathBuf};

/// Files are damaged at every byte up to `SHORT`, and at about `PLACES` positions after it.
const SHORT: usize = 128;
const PLACES: usize = 100;

/// Positions at which a file of a length is damaged.
fn places(length: usize) -> impl Iterator<Item = usize> {
    // An odd step meets all alignments.
    let step = (length / PLACES + 1) | 1;
    (0..length).filter(move |at| *at < SHORT || at % step == 0)
}

fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/files");
    let files = std::fs::read_dir(folder).expect("the samples");
    let read = |path: &Path| std::fs::read(path).expect("a sample");
    let mut samples: Vec<(String, Vec<u8>)> = files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| !path.extension().is_some_and(|e| e == "jsonl" || e == "ptx"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), read(&path))
        })
        .collect();
    samples.sort();
    assert!(samples.len() > 25, "{}", samples.len());
    samples
}

/// Opens a file and checks the invariants of the result.
fn check(name: &str, bytes: &[u8]) -> Result<OpenedFile, FileError> {
    let answer = open(name, bytes);
    match &answer {
        Ok(file) => {
            for function in &file.functions {
                for item in &function.items {
                    if let Content::Unreadable(why) = &item.content {
                        assert!(!why.is_empty(), "{name}");
                    }
                }
            }
        }
        Err(error) => {
            assert!(error.offset <= bytes.len(), "{name}: {error}");
            assert!(!error.message.is_empty(), "{name}");
        }
    }
    answer
}

fn is_object(name: &str) -> bool {
    name.ends_with(".isa")
}

#[test]
fn truncated_files_are_handled() {
    let mut cuts = 0;
    for (name, bytes) in samples() {
        for end in places(bytes.len()) {
            let answer = check(&name, &bytes[..end]);
            // Truncation of an object or ELF file loses code or tables.
            let is_reported = match &answer {
                Ok(file) => file
                    .functions
                    .iter()
                    .any(|f| f.notes.join(" ").contains("truncated")),
                Err(_) => true,
            };
            assert!(!is_object(&name) || is_reported, "{name} cut at {end}");
            cuts += 1;
        }
    }
    println!("{cuts} cuts");
}

#[test]
fn wrong_lengths_in_objects_are_handled() {
    for (name, bytes) in samples().into_iter().filter(|(name, _)| is_object(name)) {
        let length = u32::try_from(bytes.len()).expect("a small file");
        let lies = [1, 0x7fff_ffff, u32::MAX, length, 0x0001_0000];
        for at in places(bytes.len() - 4).skip(4) {
            for lie in lies {
                let mut wrong = bytes.clone();
                wrong[at..at + 4].copy_from_slice(&lie.to_le_bytes());
                let _ = check(&name, &wrong);
            }
        }
    }
}

#[test]
fn wrong_elf_header_fields_are_handled() {
    let wanted = |name: &str| name == "atoms_sm50.cubin" || name == "several_sm61.relocatable.o";
    for (name, bytes) in samples().into_iter().filter(|(name, _)| wanted(name)) {
        let length = u64::try_from(bytes.len()).expect("a small file");
        let sections = u64::from_le_bytes(bytes[0x28..0x30].try_into().expect("8 bytes"));
        let sections = usize::try_from(sections).expect("an offset in the file");
        // File header, section headers and segment headers.
        let tables = bytes.len() - 8 - sections;
        for at in (0..64).chain(places(tables).map(|at| sections + at)) {
            for lie in [0, 1, u64::MAX, 1 << 63, length, length - 1, 1 << 32] {
                let mut wrong = bytes.clone();
                wrong[at..at + 8].copy_from_slice(&lie.to_le_bytes());
                let _ = check(&name, &wrong);
            }
        }
    }
}

#[test]
fn overlapping_kernels_are_rejected() {
    let (_, bytes) = samples()
        .into_iter()
        .find(|(name, _)| name == "four_families.isa")
        .expect("the sample");
    // A header that repeats the entry of one kernel.
    let name = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let binaries = 10 + name + 4 + 4 + 4 + 2 + 2;
    let entry = binaries + 1 + 9 * usize::from(bytes[binaries]);
    let count = 2000_u16;
    let shift = u32::try_from((usize::from(count) - 1) * (entry - 8)).expect("a small file");
    let mut first = bytes[8..entry].to_vec();
    let offset = u32::from_le_bytes(first[2 + name..6 + name].try_into().expect("4 bytes"));
    first[2 + name..6 + name].copy_from_slice(&(offset + shift).to_le_bytes());
    let mut shared = bytes[..6].to_vec();
    shared.extend_from_slice(&count.to_le_bytes());
    for _ in 0..count {
        shared.extend_from_slice(&first);
    }
    shared.extend_from_slice(&bytes[entry..]);
    let error = check("x.isa", &shared).expect_err("overlapping kernels");
    assert!(error.message.contains("have"), "{error}");
}

#[test]
fn impossible_counts_are_errors_with_offsets() {
    let (_, bytes) = samples()
        .into_iter()
        .find(|(name, _)| name == "four_families.isa")
        .expect("the sample");
    let name = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let at = 10 + name;
    let kernel = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
    let pool = usize::try_from(kernel).expect("an offset in the file");
    for (count, why) in [(u32::MAX, "more than"), (100_000, "bytes follow")] {
        let mut wrong = bytes.clone();
        wrong[pool..pool + 4].copy_from_slice(&count.to_le_bytes());
        let error = check("x.isa", &wrong).expect_err(why);
        assert_eq!(error.offset, pool, "{error}");
        assert!(error.message.contains(why), "{error}");
    }
}

mod compiled_kernels {
    use lanewise_core::isa::Target;
    use lanewise_core::number::{ElementType, Random};
    use lanewise_files::zebin::{self, Kernel, LaunchValue};
    use object::read::elf::ElfFile64;
    use object::{Object, ObjectSection};
    use std::path::PathBuf;

    fn sample(name: &str) -> Vec<u8> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
        std::fs::read(folder.join(name)).expect("the sample")
    }

    /// Programs of both compilers.
    const SAMPLES: [&str; 2] = [
        "kernels/zebin/print.dg2.bin",
        "cases/recursion.today.tgllp.bin",
    ];

    #[test]
    fn truncated_programs_are_errors() {
        for bytes in SAMPLES.map(sample) {
            for end in 0..bytes.len() {
                let error = zebin::open(&bytes[..end]).expect_err("the section table is missing");
                assert!(!error.message.is_empty(), "cut at {end}");
            }
        }
    }

    /// Where the header of a section lies in the file, and where its content lies.
    fn section(bytes: &[u8], name: &str) -> (usize, usize) {
        let file: ElfFile64<'_> = ElfFile64::parse(bytes).expect("an ELF file");
        let section = file.section_by_name(name).expect("the section");
        let headers: [u8; 8] = bytes[0x28..0x30].try_into().expect("eight bytes");
        let headers = usize::try_from(u64::from_le_bytes(headers)).expect("small");
        let (content, _) = section.file_range().expect("content");
        let content = usize::try_from(content).expect("small");
        (headers + 64 * section.index().0, content)
    }

    fn message(bytes: &[u8]) -> String {
        let error = zebin::open(bytes).expect_err("the program is damaged");
        error.message
    }

    #[test]
    fn wrong_relocations_and_data_are_named() {
        let good = sample("cases/program-scope-pointer.today.dg2.bin");
        let (_, entry) = section(&good, ".rel.data.global");
        let with = |at: usize, bytes: &[u8]| {
            let mut damaged = good.clone();
            damaged[at..at + bytes.len()].copy_from_slice(bytes);
            damaged
        };
        let far = message(&with(entry, &0x1000_u64.to_le_bytes()));
        assert!(
            far.contains("at 0x1000 lies outside `.data.global`"),
            "{far}"
        );
        let huge = message(&with(entry, &u64::MAX.to_le_bytes()));
        assert!(huge.contains("lies outside `.data.global`"), "{huge}");
        let unknown = message(&with(entry + 8, &77_u32.to_le_bytes()));
        assert!(unknown.contains("unknown relocation 77"), "{unknown}");
        let nameless = message(&with(entry + 12, &0x7fff_u32.to_le_bytes()));
        assert!(nameless.starts_with("damaged program: "), "{nameless}");
        let (header, _) = section(&good, ".data.global");
        let cut_off = message(&with(header + 32, &(1_u64 << 40).to_le_bytes()));
        assert!(cut_off.starts_with("damaged program: "), "{cut_off}");
        // Without content in the file, the data are zeros.
        let name = b".data.global\0";
        let at = good.windows(name.len()).position(|bytes| bytes == name);
        let mut zeros = with(header + 32, &(1_u64 << 40).to_le_bytes());
        let at = at.expect("the name");
        zeros[at..at + name.len()].copy_from_slice(b".bss.global\0\0");
        let larger = message(&zeros);
        assert!(
            larger.contains("the data `.data.global` exceeds 0x4000000 bytes"),
            "{larger}"
        );
    }

    #[test]
    fn damaged_listings_are_launched_or_are_errors() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../tests/vectors/kernels/zebin/basics.dg2.bin");
        let bytes = std::fs::read(path).expect("the sample");
        let file = zebin::open(&bytes).expect("it opens");
        let text = file.kernels[0].listing();
        let target = Some(Target::Visa(file.platform));
        let inputs = text.find(".input").expect("inputs");
        let end = text.rfind(".input").expect("inputs") + 40;
        let mut launched = 0;
        for at in inputs..end.min(text.len()) {
            for byte in *b"09 " {
                let mut damaged = text.as_bytes().to_vec();
                damaged[at] = byte;
                let opened = lanewise_files::open_for("k.visaasm", &damaged, target);
                for function in opened.iter().flat_map(|file| &file.functions) {
                    if let Ok(kernel) = Kernel::of_function(function) {
                        launched += u32::from(lanewise_files::propose(&kernel).is_ok());
                    }
                }
            }
        }
        assert!(launched > 100, "{launched}");
    }

    #[test]
    fn damaged_programs_open_or_are_errors() {
        for bytes in SAMPLES.map(sample) {
            mutate(&bytes);
        }
    }

    fn mutate(bytes: &[u8]) {
        let mut random = Random::new(7);
        let mut below = |limit: usize| {
            let limit = u64::try_from(limit).expect("a small file");
            usize::try_from(random.bits() % limit).expect("below the limit")
        };
        for round in 0..4_000 {
            let mut damaged = bytes.to_vec();
            for _ in 0..=below(3) {
                // The headers and the description of the kernels, not only the code.
                let at = match below(4) {
                    0 => below(64),
                    _ => below(bytes.len()),
                };
                damaged[at] = u8::try_from(below(256)).expect("a byte");
            }
            match zebin::open(&damaged) {
                // Reading the text takes longer.
                Ok(file) => {
                    for kernel in file.kernels.iter().filter(|_| round % 4 == 0) {
                        let values = [LaunchValue::Buffer(ElementType::Ub, vec![0; 64])];
                        let _ = kernel.launch([8, 1, 1], [8, 1, 1], &values);
                    }
                }
                Err(error) => assert!(!error.message.is_empty()),
            }
        }
    }
}
