//! Comparison with the real tools on lines and words that are made afresh from
//! a seed: acceptance, bytes and text, in both directions. `cargo xtask oracle`
//! runs it; it needs GenX_IR and nvdisasm.

pub mod claims;
mod explained;
mod genx;
mod sass;
mod visa;

use std::collections::BTreeMap;
use std::path::PathBuf;

/// What to compare, and with which programs.
#[derive(Debug)]
pub struct Options {
    /// Where all that is generated comes from.
    pub seed: u64,
    /// How many vISA lines.
    pub lines: usize,
    /// How many SASS words.
    pub words: usize,
    /// How many programs run at a time.
    pub threads: usize,
    /// Whether to list the differences that are explained.
    pub list_explained: bool,
    /// Intel's vISA assembler; vISA is left out without it.
    pub genx_ir: Option<PathBuf>,
    /// NVIDIA's disassembler; SASS is left out without it.
    pub nvdisasm: Option<PathBuf>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Tally {
    /// Cases of each class: what both do, and differences that are explained.
    pub classes: BTreeMap<String, usize>,
    /// Differences that are explained, each with its case.
    pub explained: Vec<String>,
    /// Differences that nothing explains, made as small as they go.
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

/// Compares.
///
/// # Errors
/// When a tool cannot be run.
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

/// Shares `count` numbers among threads; their tallies together.
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
