//! CUDA C++ and PTX, compiled by NVIDIA's `nvcc` and `ptxas` and listed by `nvdisasm`.

use super::cache::Entry;
use super::{Compiler, Failure, Job, on_path, read_output, run_into, temporary_folder};
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

/// Lists the instructions of cubins.
const DISASSEMBLER: &str = "nvdisasm";

/// Version such as `V12.4.131`; empty if the compiler does not say it.
pub(super) fn version(compiler: &Compiler) -> Result<String, String> {
    let folder = temporary_folder()?;
    let query = [OsStr::new("--version")];
    let printed = compiler.run(folder.path(), query)?.output;
    let is_version = |word: &&str| {
        let digits = word.strip_prefix('V');
        digits.is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))
    };
    let version = printed.split_whitespace().find(is_version);
    let disassembler = compiler.tool(DISASSEMBLER);
    Ok(format!("{} {disassembler:?}", version.unwrap_or("")))
}

pub(super) fn compile_cuda(job: &Job<'_>) -> Result<Entry, Failure> {
    compile(job, &["-cubin", "-lineinfo"])
}

pub(super) fn compile_ptx(job: &Job<'_>) -> Result<Entry, Failure> {
    compile(job, &["-lineinfo"])
}

fn compile(job: &Job<'_>, options: &[&str]) -> Result<Entry, Failure> {
    let folder = temporary_folder()?;
    let cubin = folder.path().join("program.cubin");
    let device = format!("-arch={}", job.device);
    let mut arguments: Vec<&OsStr> = options.iter().map(OsStr::new).collect();
    arguments.extend([OsStr::new(&device), OsStr::new("-o"), cubin.as_os_str()]);
    arguments.extend(job.options.split_whitespace().map(OsStr::new));
    arguments.push(job.path.as_os_str());
    let finished = job.compiler.run(folder.path(), arguments)?;
    let log = finished.output + &finished.errors;
    if !finished.status.success() || !cubin.is_file() {
        return Err(job.failure(&log, finished.status));
    }
    let code = read_output(&cubin, &job.compiler.program)?;
    let (program, cubin) = match job.compiler.tool(DISASSEMBLER) {
        Some(tool) => {
            let listing = listing(&tool, job.compiler.limit, &cubin)?;
            (listing, Some(code))
        }
        // Cubins for SM50 to SM62 are read without a listing.
        None => (code, None),
    };
    Ok(Entry {
        log,
        program,
        cubin,
    })
}

/// The listing of a cubin whose code is not decoded, if the disassembler is on PATH.
pub(super) fn listed(cubin: &[u8], limit: Duration) -> Result<Option<Vec<u8>>, Failure> {
    let tool = on_path(OsStr::new(DISASSEMBLER));
    let Some(tool) = tool.filter(|_| lanewise_files::needs_listing(cubin)) else {
        return Ok(None);
    };
    let folder = temporary_folder()?;
    let path = folder.path().join("program.cubin");
    std::fs::write(&path, cubin).map_err(|error| error.to_string())?;
    listing(&tool, limit, &path).map(Some)
}

/// The instructions of a cubin as text with their bits and source lines.
fn listing(tool: &Path, limit: Duration, cubin: &Path) -> Result<Vec<u8>, Failure> {
    let arguments = [OsStr::new("-hex"), OsStr::new("-gi"), cubin.as_os_str()];
    let folder = cubin.parent().unwrap_or(cubin);
    // Larger than what is kept of a log, so through a file.
    let text = folder.join("program.sass");
    let finished = run_into(tool, limit, folder, arguments, &text)?;
    if !finished.status.success() {
        let said = super::last_lines(&finished.errors);
        let message = format!("`{}` failed ({}){said}", tool.display(), finished.status);
        return Err(Failure::Unusable(message));
    }
    Ok(read_output(&text, tool)?)
}

/// The devices that the compiler lists in its help.
pub(super) fn devices(help: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = help.split(|c| !is_part(c));
    let mut devices: Vec<u32> = words
        .filter_map(|word| word.strip_prefix("sm_")?.parse().ok())
        .collect();
    devices.sort_unstable();
    devices.dedup();
    devices.iter().map(|sm| format!("sm_{sm}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_listed_once() {
        let help = "Allowed values:  'sm_75','sm_80', 'sm_90', 'sm_90a', 'compute_75', 'sm_75'";
        assert_eq!(devices(help), ["sm_75", "sm_80", "sm_90"]);
    }
}
