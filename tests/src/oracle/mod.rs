//! Compares Lanewise with the real tools on random lines and words: acceptance, bytes
//! and text, in both directions. Run with `cargo xtask oracle`; needs GenX_IR and
//! nvdisasm.

pub mod claims;
mod explained;
mod genx;
mod sass;
mod visa;

use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug)]
pub struct Options {
    /// Seed of all generated input.
    pub seed: u64,
    /// Number of vISA lines.
    pub lines: usize,
    /// Number of SASS words.
    pub words: usize,
    /// Number of concurrent tool processes.
    pub threads: usize,
    /// Whether to list explained differences.
    pub list_explained: bool,
    /// Intel's vISA assembler; without it, vISA is skipped.
    pub genx_ir: Option<PathBuf>,
    /// NVIDIA's disassembler; without it, SASS is skipped.
    pub nvdisasm: Option<PathBuf>,
}

/// Results of a comparison.
#[derive(Debug, Default)]
pub struct Tally {
    /// Number of cases per class of agreement or explained difference.
    pub classes: BTreeMap<String, usize>,
    /// Explained differences, with their cases.
    pub explained: Vec<String>,
    /// Unexplained differences, minimized.
    pub unexplained: Vec<String>,
}

impl Tally {
    fn count(&mut self, class: impl Into<String>) {
        *self.classes.entry(class.into()).or_default() += 1;
    }

    fn add(&mut self, other: Self) {
        for (class, count) in other.classes {
            *self.classes.entry(class).or_default() += count;
        }
        self.explained.extend(other.explained);
        self.unexplained.extend(other.unexplained);
    }
}

/// Runs the comparison.
///
/// # Errors
/// If a tool cannot be run.
pub fn compare(options: &Options) -> std::io::Result<Tally> {
    let mut tally = Tally::default();
    if let Some(tool) = &options.genx_ir {
        tally.add(visa::compare(tool, options)?);
    }
    if let Some(tool) = &options.nvdisasm {
        tally.add(sass::compare(tool, options)?);
    }
    Ok(tally)
}

/// Distributes `count` cases over threads, and merges their tallies.
fn in_threads(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> std::io::Result<Tally> + Sync,
) -> std::io::Result<Tally> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let run = || -> std::io::Result<Tally> {
        let mut tally = Tally::default();
        loop {
            let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if index >= count {
                return Ok(tally);
            }
            tally.add(work(index)?);
            if index % 1000 == 999 {
                eprintln!("  {} of {count}", index + 1);
            }
        }
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(run)).collect();
        let mut tally = Tally::default();
        for handle in handles {
            tally.add(handle.join().expect("no thread panics")?);
        }
        Ok(tally)
    })
}
