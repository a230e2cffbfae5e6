//! Memory and time needed to open a file of 100 MB. Each file stresses a different
//! part of the readers.

use lanewise_files::open;
use lanewise_tests::allocated::{self, Counting};
use std::time::Instant;

#[global_allocator]
static COUNTING: Counting = Counting;

const BYTES: usize = 100 << 20;

/// Size of texts that take longer per line.
const LINES: usize = 10 << 20;

/// Memory limit in addition to the file itself.
const LIMIT: i64 = 256 << 20;

fn repeated(piece: &[u8]) -> Vec<u8> {
    piece.repeat(BYTES / piece.len())
}

fn lines(piece: &[u8]) -> Vec<u8> {
    piece.repeat(LINES / piece.len())
}

/// vISA object with one kernel: string pool, empty tables, code.
fn object(strings: u32, pool: &[u8], code: &[u8]) -> Vec<u8> {
    let mut kernel = strings.to_le_bytes().to_vec();
    kernel.extend_from_slice(pool);
    // Name index; variables; address variables, predicates, labels; samplers, surfaces,
    // VME variables; inputs.
    kernel.extend_from_slice(&[0; 4 + 4 + 2 + 2 + 2 + 1 + 1 + 1 + 4]);
    let size = u32::try_from(code.len()).expect("a size of 32 bits");
    kernel.extend_from_slice(&size.to_le_bytes());
    let start = u32::try_from(kernel.len() + 4 + 2).expect("an offset of 32 bits");
    kernel.extend_from_slice(&start.to_le_bytes());
    kernel.extend_from_slice(&[0; 2]);
    kernel.extend_from_slice(code);
    let mut file = b"CISA\x04\x01\x01\x00\x01\x00k".to_vec();
    let header = u32::try_from(file.len() + 4 + 4 + 4 + 4 + 1 + 4).expect("a small header");
    file.extend_from_slice(&header.to_le_bytes());
    let size = u32::try_from(kernel.len()).expect("a size of 32 bits");
    file.extend_from_slice(&size.to_le_bytes());
    // Offset of the inputs, relocations, GEN binaries; file-scope variables and
    // functions.
    file.extend_from_slice(&[0; 4 + 4 + 1 + 4]);
    file.extend_from_slice(&kernel);
    file
}

/// ELF file for NVIDIA GPUs with `count` code sections that share a name of `name`
/// bytes and contents of `code` bytes.
fn elf(count: u16, name: usize, code: usize) -> Vec<u8> {
    let mut file = vec![0; 64];
    file[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x33");
    file[16..20].copy_from_slice(&[2, 0, 190, 0]);
    file[20] = 1;
    file[48] = 50;
    file[52..54].copy_from_slice(&64_u16.to_le_bytes());
    file[58..60].copy_from_slice(&64_u16.to_le_bytes());
    file[60..62].copy_from_slice(&(count + 2).to_le_bytes());
    file[62..64].copy_from_slice(&1_u16.to_le_bytes());
    let mut text = b"\0.text.".to_vec();
    text.resize(name, b'x');
    text.push(0);
    let names = file.len();
    file.extend_from_slice(&text);
    let start = file.len();
    file.resize((start + code).next_multiple_of(8), 0);
    let sections = file.len() as u64;
    file[40..48].copy_from_slice(&sections.to_le_bytes());
    let mut section = |name: u32, kind: u32, offset: usize, size: usize| {
        let mut header = [0; 64];
        header[0..4].copy_from_slice(&name.to_le_bytes());
        header[4..8].copy_from_slice(&kind.to_le_bytes());
        header[24..32].copy_from_slice(&(offset as u64).to_le_bytes());
        header[32..40].copy_from_slice(&(size as u64).to_le_bytes());
        file.extend_from_slice(&header);
    };
    section(0, 0, 0, 0);
    section(0, 3, names, text.len());
    for _ in 0..count {
        section(1, 1, start, code);
    }
    file
}

/// Description, file, and expected part of the result.
type Case = (&'static str, fn() -> Vec<u8>, &'static str);

#[test]
fn opening_100_mb_needs_bounded_memory() {
    let cases: &[Case] = &[
        (
            "a pool of empty strings",
            || object(100 << 20, &repeated(b"\0"), b""),
            "more than",
        ),
        (
            "a pool of many strings",
            || object(1 << 17, &repeated(b"a\0"), b""),
            "out of range",
        ),
        (
            "one long string",
            || object(1, &[repeated(b"a"), vec![0]].concat(), b""),
            "0 of 0",
        ),
        (
            "short instructions",
            || object(1, b"k\0", &repeated(&[0x59])),
            "only the first",
        ),
        (
            "no instructions",
            || object(1, b"k\0", &repeated(&[0xff])),
            "0 of 1",
        ),
        ("zeros", || object(1, b"k\0", &repeated(&[0])), "0 of 1"),
        (
            "labels with long names",
            || {
                object(
                    1,
                    &[&[b'a'; 60_000][..], &[0]].concat(),
                    &repeated(&[0x31, 0, 0]),
                )
            },
            "only the first",
        ),
        (
            "sections with one long name",
            || elf(60_000, BYTES - (5 << 20), 32),
            "section names",
        ),
        (
            "sections with the same code",
            || elf(60_000, 10, BYTES - (5 << 20)),
            "functions are listed",
        ),
        ("one long section", || elf(1, 10, BYTES), "only the first"),
        ("zeros", || repeated(&[0]), "no word is an instruction"),
        (
            "noise",
            || repeated(&[0xfe, 0x80, 0x01]),
            "neither a vISA object",
        ),
        (
            "an empty text",
            || repeated(b"\n"),
            "neither a vISA listing",
        ),
        ("one long line", || repeated(b"a"), "neither a vISA listing"),
        ("comments", || repeated(b"/**/"), "neither a vISA listing"),
        (
            "comments without an end",
            || repeated(b"/* "),
            "neither a vISA listing",
        ),
        (
            "instructions with addresses",
            || repeated(b"/*0008*/ MOV R1, R2 ;\n"),
            "only the first",
        ),
        (
            "our instructions",
            || lines(b"/*0008*/ RED.E.ADD [R2], R4 ;\n"),
            "only the first",
        ),
        (
            "control words",
            || lines(b"/* 0x001c4400fe0007f6 */\n"),
            "not contain instructions",
        ),
        (
            "functions without an end",
            || lines(b"Function : f\nFunction : g\n"),
            "not contain instructions",
        ),
        (
            "functions of one line",
            || lines(b"Function : f\n/*0008*/ NOP ;\nFunction : g\n/*0008*/ NOP ;\n"),
            "functions are listed",
        ),
        (
            "kernels",
            || lines(b".kernel \"k\"\n"),
            "functions are listed",
        ),
        (
            "kernels with a line",
            || lines(b".kernel \"k\"\nnop\n.wrong x\n"),
            "functions are listed",
        ),
        (
            "one kernel",
            || [b".kernel \"k\"\n".to_vec(), repeated(b"nop\n")].concat(),
            "larger than 4 MB",
        ),
        (
            "declarations",
            || lines(b".decl V32 v_type=G\n"),
            "larger than 4 MB",
        ),
        (
            "UTF-16",
            || [vec![0xff, 0xfe], lines(b"a\0\n\0")].concat(),
            "neither a vISA listing",
        ),
    ];
    let mut slowest = 0.0_f64;
    let mut wrong = Vec::new();
    for (what, file, wanted) in cases {
        let file = file();
        let before = allocated::start();
        let time = Instant::now();
        let answer = match open("file", &file) {
            Ok(opened) => {
                let functions = opened.functions.iter().take(3).map(|f| {
                    let notes = f.notes.join("; ");
                    format!("{} of {}; {notes}", f.own_instructions(), f.instructions())
                });
                let functions: Vec<String> = functions.collect();
                format!("{}; {}", functions.join("; "), opened.notes.join("; "))
            }
            Err(error) => error.to_string(),
        };
        let seconds = time.elapsed().as_secs_f64();
        let most = allocated::peak() - before;
        println!(
            "{:>4} MB {seconds:>6.2} s  {what}: {:.120}",
            most >> 20,
            answer
        );
        if !answer.contains(wanted) || most >= LIMIT {
            wrong.push(*what);
        }
        slowest = slowest.max(seconds);
    }
    println!("slowest: {slowest:.2} s");
    assert!(wrong.is_empty(), "{wrong:?}");
}
