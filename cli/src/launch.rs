//! Launches of compiled kernels: the batch request `launch`.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use lanewise_core::diagnostic::{Diagnostic, Span};
use lanewise_core::machine::SpaceId;
use lanewise_core::program::{Program, Sizes};
use lanewise_core::rules;
use lanewise_core::session::{RunResult, run_launch};
use lanewise_files::zebin::{self, ArgumentKind, Kernel, LaunchValue};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// The fields of a `launch` request, beside `do`.
#[derive(Deserialize)]
struct Request {
    path: String,
    kernel: String,
    global: Vec<u32>,
    local: Vec<u32>,
    #[serde(default)]
    args: Vec<Argument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Argument {
    /// Bytes in hexadecimal.
    Buffer(String),
    /// Bytes in hexadecimal, little-endian.
    Scalar(String),
    /// Size in bytes.
    Local(u64),
}

/// The answer: every buffer as it is after the launch.
#[derive(Serialize)]
pub(crate) struct LaunchAnswer {
    ok: bool,
    fault: Option<Fault>,
    instructions: u32,
    buffers: BTreeMap<u32, String>,
}

#[derive(Serialize)]
struct Fault {
    kind: &'static str,
    message: String,
}

fn refuse(what: impl Into<String>) -> Vec<Diagnostic> {
    vec![Diagnostic::new(
        &rules::REQUEST_FIELD,
        Span::default(),
        what,
    )]
}

/// Answers a request.
pub(crate) fn answer(line: &str) -> Result<LaunchAnswer, Vec<Diagnostic>> {
    let request: Request = serde_json::from_str(line).map_err(|error| refuse(error.to_string()))?;
    let kernel = open(Path::new(&request.path), &request.kernel).map_err(refuse)?;
    let values = request.args.iter().map(|argument| {
        let bytes = |hex: &String| {
            let bytes = HEXLOWER_PERMISSIVE.decode(hex.as_bytes());
            bytes.map_err(|error| refuse(format!("an argument is not hexadecimal: {error}")))
        };
        Ok(match argument {
            Argument::Buffer(hex) => LaunchValue::Buffer(bytes(hex)?),
            Argument::Scalar(hex) => LaunchValue::Value(bytes(hex)?),
            Argument::Local(bytes) => LaunchValue::Local(*bytes),
        })
    });
    let values: Vec<LaunchValue> = values.collect::<Result<_, Vec<Diagnostic>>>()?;
    let sizes = |sizes: &[u32], name: &str| {
        sizes_of(sizes).ok_or_else(|| refuse(format!("`{name}` has one to three sizes")))
    };
    let global = sizes(&request.global, "global")?;
    let local = sizes(&request.local, "local")?;
    let program = kernel
        .launch(global, local, &values)
        .map_err(|error| refuse(error.to_string()))?;
    if !program.can_run() {
        return Err(program.diagnostics);
    }
    let result = run_launch(&program);
    Ok(LaunchAnswer {
        ok: true,
        buffers: buffers(&kernel, &program, &result),
        instructions: result.instructions,
        fault: result.fault.map(|fault| Fault {
            kind: fault.kind.word(),
            message: fault.message,
        }),
    })
}

/// One to three sizes; those that are left out are 1.
pub(crate) fn sizes_of(sizes: &[u32]) -> Option<Sizes> {
    let fits = (1..=3).contains(&sizes.len());
    fits.then(|| std::array::from_fn(|i| sizes.get(i).copied().unwrap_or(1)))
}

/// Opens a kernel of a file.
pub(crate) fn open(path: &Path, name: &str) -> Result<Kernel, String> {
    let shown = path.display();
    let size = std::fs::metadata(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    if size.len() > MAX_FILE {
        return Err(format!("{shown} has more than 64 MB"));
    }
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let program = zebin::open(&bytes).map_err(|error| format!("{shown}: {error}"))?;
    let names: Vec<String> = program.kernels.iter().map(|k| k.name.clone()).collect();
    let mut kernels = program.kernels.into_iter();
    kernels.find(|kernel| kernel.name == name).ok_or_else(|| {
        format!(
            "{shown} has no kernel `{name}`; it has {}",
            names.join(", ")
        )
    })
}

/// The buffers after a launch, by argument.
fn buffers(kernel: &Kernel, program: &Program, result: &RunResult) -> BTreeMap<u32, String> {
    let launch = program.launch.as_ref();
    let buffers = launch.map_or(&[][..], |launch| &launch.buffers).iter();
    let arguments = kernel.arguments.iter();
    let arguments = arguments.filter(|argument| argument.kind == ArgumentKind::Buffer);
    let memory = result.machine.space(SpaceId::VIRTUAL);
    let contents = arguments.zip(buffers).map(|(argument, buffer)| {
        let size = usize::try_from(buffer.bytes()).expect("mapped memory is bounded");
        let mut bytes = vec![0; size];
        memory.read(buffer.address, &mut bytes);
        (argument.index, HEXLOWER.encode(&bytes))
    });
    contents.collect()
}
