//! OpenCL C, compiled by Intel's offline compiler `ocloc`.

use super::cache::Entry;
use super::{Compiler, Failure, Job, temporary_folder};
use lanewise_core::isa::visa::platform::Platform;
use std::ffi::OsStr;
use std::path::Path;

/// Name of the version query, and of the file into which compilers before 2023 write the
/// answer.
const VERSION: &str = "OCL_DRIVER_VERSION";

/// Compilers write zebin by default from this year on.
const ZEBIN_SINCE: u32 = 24;

/// Version such as `22.43.24595`; empty if the compiler does not say it.
pub(super) fn version(compiler: &Compiler) -> Result<String, String> {
    let folder = temporary_folder()?;
    let query = ["query", VERSION].map(OsStr::new);
    let printed = compiler.run(folder.path(), query)?.output;
    let written = std::fs::read_to_string(folder.path().join(VERSION));
    let is_version = |text: &&str| text.starts_with(|c: char| c.is_ascii_digit());
    let texts = [printed, written.unwrap_or_default()];
    let mut words = texts.iter().flat_map(|text| text.split_whitespace());
    Ok(words.find(is_version).unwrap_or("").to_owned())
}

/// Whether a compiler of this version needs the option to write zebin.
fn needs_zebin_option(version: &str) -> bool {
    let year = version
        .split('.')
        .next()
        .and_then(|year| year.parse::<u32>().ok());
    year.is_none_or(|year| year < ZEBIN_SINCE)
}

pub(super) fn compile(job: &Job<'_>) -> Result<Entry, Failure> {
    let folder = temporary_folder()?;
    let out = folder.path().join("out");
    std::fs::create_dir(&out).map_err(|error| error.to_string())?;
    let mut options = vec![String::from("-g")];
    if !job.options.contains("-cl-std=") {
        options.push(String::from("-cl-std=CL2.0"));
    }
    if job.includes_files()
        && let Some(own) = job.path.parent()
    {
        options.push(match own.display().to_string() {
            own if own.contains(char::is_whitespace) => format!("-I \"{own}\""),
            own => format!("-I {own}"),
        });
    }
    options.push(job.options.to_owned());
    let options = options.join(" ");
    let internal = match needs_zebin_option(&job.compiler.version) {
        true => "-cl-intel-allow-zebin -ze-emit-zebin-visa-sections",
        false => "-ze-emit-zebin-visa-sections",
    };
    let arguments = [
        OsStr::new("compile"),
        OsStr::new("-file"),
        job.path.as_os_str(),
        OsStr::new("-device"),
        OsStr::new(job.device),
        OsStr::new("-options"),
        OsStr::new(options.trim_end()),
        OsStr::new("-internal_options"),
        OsStr::new(internal),
        OsStr::new("-out_dir"),
        out.as_os_str(),
    ];
    let finished = job.compiler.run(folder.path(), arguments)?;
    let log = finished.output + &finished.errors;
    let program = written(&out).filter(|_| finished.status.success());
    match program {
        Some(path) => Ok(Entry {
            program: super::read_output(&path, &job.compiler.program)?,
            cubin: None,
            log,
        }),
        None => Err(job.failure(&log, finished.status)),
    }
}

/// The compiled program in a folder; its name depends on the device.
fn written(folder: &Path) -> Option<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.find(|path| path.extension().is_some_and(|e| e == "bin"))
}

/// One device for each platform that the compiler lists in its help.
pub(super) fn devices(help: &str) -> Vec<String> {
    // Newer compilers list `dg2`, older ones its variants only.
    let lists = help.lines().filter_map(|line| line.split_once("can be: "));
    let listed: Vec<&str> = lists
        .flat_map(|(_, names)| names.split(','))
        .map(str::trim)
        .collect();
    let devices = Platform::ALL.into_iter().filter_map(|platform| {
        let mut devices = platform.features().devices.iter();
        devices.find(|device| listed.contains(device))
    });
    devices.map(|device| String::from(*device)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_compilers_need_the_zebin_option() {
        assert!(needs_zebin_option("22.43.24595") && needs_zebin_option(""));
        assert!(!needs_zebin_option("26.27.039122"));
    }

    #[test]
    fn devices_are_one_per_platform() {
        // Shortened from the help of ocloc 22.43 and 26.27.
        let old = "-device <device_type>  Target device.\n <device_type> can be: bdw, skl, kbl, icllp, \
                   tgllp, dg1, acm-g10, pvc, gen9, version  or hexadecimal value\n - can be single\n \
                   Deprecated notation\n <device_type> can be: xe_hp_sdv, dg2\n";
        assert_eq!(devices(old), ["bdw", "skl", "icllp", "tgllp", "dg2", "pvc"]);
        let new = "<device_type> can be: tgl, tgllp, dg1, acm-g10, dg2, pvc, mtl, mtl-h, arl-h, bmg, \
                   lnl-m, ptl, nvl-s, xe, ip version";
        let expected = [
            "tgllp", "dg2", "mtl", "arl-h", "pvc", "bmg", "lnl-m", "ptl", "nvl-s",
        ];
        assert_eq!(devices(new), expected);
        assert!(devices("usage").is_empty());
    }
}
