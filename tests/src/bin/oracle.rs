//! Compares Lanewise with the real tools; run with `cargo xtask oracle`.

use lanewise_tests::oracle::{Options, compare};
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask oracle [--seed N] [--lines N] [--words N] [--threads N]

Generates random vISA lines and SASS words and compares Lanewise with the real tools:
acceptance, bytes and text. Prints the seed. Exits with 1 if there is an unexplained
difference.

  --seed N      seed (default: from the clock)
  --lines N     number of vISA lines, for GenX_IR (default 2000)
  --words N     number of SASS words, for nvdisasm (default 2000)
  --threads N   number of tool processes (default: number of processors)
  --explained   list explained differences, with their reasons

GenX_IR is in the Debian package libigc-tools, nvdisasm in NVIDIA's CUDA toolkit. They
are found on PATH, or with $LANEWISE_GENX_IR and $LANEWISE_NVDISASM. With --lines 0,
GenX_IR is not needed; with --words 0, nvdisasm is not.
";

fn number(arguments: &[String], name: &str) -> Result<Option<u64>, String> {
    let Some(at) = arguments.iter().position(|a| a == name) else {
        return Ok(None);
    };
    let value = arguments.get(at + 1).and_then(|value| value.parse().ok());
    value
        .map(Some)
        .ok_or_else(|| format!("{name} requires a number"))
}

/// Locates a tool, from the variable or on PATH.
fn tool(variable: &str, name: &str) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os(variable) {
        let path = PathBuf::from(path);
        return match path.is_file() {
            true => Ok(path),
            false => Err(format!("{variable} is not a file: {}", path.display())),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(name));
    files.find(|file| file.is_file()).ok_or_else(|| {
        format!(
            "{name} not found on PATH, and {variable} is not set; see cargo xtask oracle --help"
        )
    })
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let known = ["--seed", "--lines", "--words", "--threads"];
    let is_flag = |argument: &&String| *argument == "--explained";
    let list_explained = arguments.iter().any(|argument| is_flag(&argument));
    let arguments: Vec<String> = arguments.iter().filter(|a| !is_flag(a)).cloned().collect();
    let arguments = arguments.as_slice();
    for pair in arguments.chunks(2) {
        if !known.contains(&pair[0].as_str()) {
            return Err(format!("unknown argument {}\n\n{HELP}", pair[0]));
        }
    }
    let clock = || {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |now| now.as_secs())
    };
    let count = |name, default| {
        let number = number(arguments, name)?.unwrap_or(default);
        usize::try_from(number).map_err(|_| format!("{name} is too large"))
    };
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let (lines, words) = (count("--lines", 2000)?, count("--words", 2000)?);
    Ok(Options {
        seed: number(arguments, "--seed")?.unwrap_or_else(clock),
        lines,
        words,
        threads: count("--threads", cores)?,
        list_explained,
        genx_ir: match lines {
            0 => None,
            _ => Some(tool("LANEWISE_GENX_IR", "GenX_IR")?),
        },
        nvdisasm: match words {
            0 => None,
            _ => Some(tool("LANEWISE_NVDISASM", "nvdisasm")?),
        },
    })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|a| a == "--help" || a == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let options = match options(&arguments) {
        Ok(options) => options,
        Err(why) => {
            eprintln!("oracle: {why}");
            return ExitCode::from(2);
        }
    };
    println!(
        "seed {}, {} lines, {} words",
        options.seed, options.lines, options.words
    );
    let tally = match compare(&options) {
        Ok(tally) => tally,
        Err(error) => {
            eprintln!("oracle: {error}");
            return ExitCode::from(2);
        }
    };
    for (class, count) in &tally.classes {
        println!("{count:>8}  {class}");
    }
    if options.list_explained {
        for case in &tally.explained {
            println!("\n{case}");
        }
    }
    for case in tally.unexplained.iter().take(40) {
        println!("\n{case}");
    }
    println!("\n{} unexplained differences", tally.unexplained.len());
    ExitCode::from(u8::from(!tally.unexplained.is_empty()))
}
