//! `lanewise open` of a compiled program: its kernels, and their proposed launches.

use crate::{CliError, Status, launch};
use lanewise_core::isa::Target;
use lanewise_core::program::{Program, Sizes};
use lanewise_files::zebin::{self, Argument, ArgumentKind, Kernel, Zebin};
use lanewise_files::{not_modelled, outline};
use serde::Serialize;
use std::io::{self, Write};

/// Output of `open --json` for kernels with their arguments.
#[derive(Serialize)]
struct ProgramAnswer<'k> {
    ok: bool,
    /// `program`, or `visa-kernel` for a kernel of a listing or object.
    kind: &'static str,
    target: String,
    kernels: Vec<KernelAnswer<'k>>,
}

#[derive(Serialize)]
struct KernelAnswer<'k> {
    name: &'k str,
    /// Work-items of a thread.
    simd: u32,
    required_group_size: Option<Sizes>,
    /// Shared local memory that the kernel declares, in bytes.
    local_memory: u64,
    arguments: Vec<ArgumentAnswer<'k>>,
    #[serde(flatten)]
    problems: Problems,
    /// The scenario of a proposed launch, for a kernel that `--kernel` names.
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<String>,
}

/// Problems of launches of a kernel.
#[derive(Serialize, Default)]
struct Problems {
    /// Why it cannot be launched.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_launch: Option<String>,
    /// Errors of its code, because of which it cannot run.
    errors: Vec<String>,
    /// Instructions that are not modeled, and notes of the scenario.
    notes: Vec<String>,
}

#[derive(Serialize)]
struct ArgumentAnswer<'k> {
    index: u32,
    name: &'k str,
    /// `buffer`, `local`, `value`, `image` or `sampler`.
    kind: &'static str,
    /// Type in OpenCL C.
    #[serde(rename = "type")]
    ty: Option<&'k str>,
    /// `global`, `constant` or `local`.
    address_space: Option<&'k str>,
    /// Size of a value, in bytes.
    size: Option<u32>,
}

impl<'k> ArgumentAnswer<'k> {
    fn of(kernel: &'k Kernel, argument: &'k Argument) -> Self {
        let (kind, size) = match argument.kind {
            ArgumentKind::Buffer => ("buffer", None),
            ArgumentKind::Local => ("local", None),
            ArgumentKind::Value(size) => ("value", Some(size)),
            ArgumentKind::Image => ("image", None),
            ArgumentKind::Sampler => ("sampler", None),
        };
        Self {
            index: argument.index,
            name: &argument.name,
            kind,
            ty: argument.ty.as_deref(),
            address_space: kernel.address_space(argument),
            size,
        }
    }
}

impl<'k> KernelAnswer<'k> {
    fn of(kernel: &'k Kernel, problems: Problems, scenario: Option<String>) -> Self {
        let arguments = kernel.arguments.iter();
        Self {
            name: &kernel.name,
            simd: kernel.simd(),
            required_group_size: kernel.required_group_size(),
            local_memory: kernel.local_memory(),
            arguments: arguments
                .map(|argument| ArgumentAnswer::of(kernel, argument))
                .collect(),
            problems,
            scenario,
        }
    }
}

impl Problems {
    fn of(kernel: &Kernel) -> Self {
        if let Some(obstacle) = kernel.obstacle() {
            return Self {
                no_launch: Some(obstacle),
                ..Self::default()
            };
        }
        match kernel.sample_scenario() {
            Ok(text) => {
                let program = Program::parse_to_run(&text);
                Self {
                    no_launch: None,
                    errors: outline::grouped_errors(&program),
                    notes: not_modelled(&program).into_iter().collect(),
                }
            }
            Err(error) => Self {
                no_launch: Some(error.to_string()),
                ..Self::default()
            },
        }
    }
}

/// Prints the kernels of a program with their arguments.
pub(crate) fn list(
    program: &Zebin,
    name: &str,
    json: bool,
    out: &mut impl Write,
) -> Result<Status, CliError> {
    let kernels = program.kernels.iter();
    let kernels = kernels.map(|kernel| (kernel, Problems::of(kernel)));
    if json {
        let kernels = kernels.map(|(kernel, problems)| KernelAnswer::of(kernel, problems, None));
        let answer = ProgramAnswer {
            ok: true,
            kind: "program",
            target: Target::from(program.platform).name(),
            kernels: kernels.collect(),
        };
        return write_json(&answer, out);
    }
    writeln!(out, "{name}: program for {}", program.platform.name())?;
    for (kernel, problems) in kernels {
        writeln!(out, "\n{}", kernel.name)?;
        if let Some(obstacle) = &problems.no_launch {
            writeln!(out, "  cannot be launched: {obstacle}")?;
        }
        for error in &problems.errors {
            writeln!(out, "  cannot run: {error}")?;
        }
        for note in &problems.notes {
            writeln!(out, "  {note}")?;
        }
        for argument in &kernel.arguments {
            let kind = argument.kind.to_string();
            let ty = argument.ty.as_deref().unwrap_or("");
            let line = format!(
                "  {:>3}  {:<16} {kind:<18} {ty}",
                argument.index, argument.name
            );
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(Status::Fine)
}

/// Prints the scenario of a kernel with proposed sizes and buffers; `kernel` is the only one of
/// the file if it is not named.
pub(crate) fn propose(
    bytes: &[u8],
    file: &str,
    kernel: Option<&str>,
    target: Option<Target>,
    json: bool,
    out: &mut impl Write,
) -> Result<Status, CliError> {
    let kernel = launch::read(bytes, file, kernel, target).map_err(CliError)?;
    let text = lanewise_files::propose(&kernel).map(|text| {
        let head = "// Proposed, not from the file: the sizes of the launch, buffers and numbers.";
        format!("{head}\n{text}")
    });
    if !json {
        let text = text.map_err(|error| CliError(error.to_string()))?;
        out.write_all(text.as_bytes())?;
        return Ok(Status::Fine);
    }
    let (problems, scenario) = match text {
        Ok(text) => {
            let program = Program::parse_to_run(&text);
            let problems = Problems {
                no_launch: None,
                errors: outline::grouped_errors(&program),
                notes: not_modelled(&program)
                    .into_iter()
                    .chain(program.notes.iter().cloned())
                    .collect(),
            };
            (problems, Some(text))
        }
        Err(_) => (Problems::of(&kernel), None),
    };
    let ok = scenario.is_some();
    let answer = ProgramAnswer {
        ok,
        kind: match zebin::recognises(bytes) {
            true => "program",
            false => "visa-kernel",
        },
        target: Target::from(kernel.platform()).name(),
        kernels: vec![KernelAnswer::of(&kernel, problems, scenario)],
    };
    write_json(&answer, out)?;
    Ok(Status::when(ok))
}

fn write_json(answer: &impl Serialize, out: &mut impl Write) -> Result<Status, CliError> {
    serde_json::to_writer(&mut *out, answer).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(Status::Fine)
}
