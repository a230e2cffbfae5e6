//! Launches of kernels of SASS listings: `run --kernel`, and the batch request `launch`.

use crate::compiler::ProgramFile;
use crate::launch_options::{Options, Prepared, default_group, position, runnable};
use crate::structures::DeclaredTypes;
use crate::{CliError, input, kernel_args, mangled, render};
use data_encoding::HEXLOWER_PERMISSIVE;
use lanewise_api::{
    CheckField, Findings, LaunchAnswer, MAX_FINDINGS, RequestSizes, RunLimit, answer_of, buffers,
    bytes_of, refuse, refuse_launch,
};
use lanewise_core::diagnostic::Diagnostic;
use lanewise_core::number::ElementType;
use lanewise_core::program::Sizes;
use lanewise_core::session::RunOrder;
use lanewise_files::zebin::{Argument, ArgumentKind, LaunchValue};
use lanewise_files::{WarpKernel, WarpLaunch, WarpParameter, WarpProgram};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The fields of a request, beside `do`.
#[derive(Deserialize)]
struct WarpRequest {
    path: String,
    kernel: String,
    /// The cubin that the listing was printed from.
    cubin: Option<String>,
    #[serde(flatten)]
    sizes: RequestSizes,
    #[serde(flatten)]
    limit: RunLimit,
    check: Option<CheckField>,
    /// Not available for SASS, like the next one.
    schedule: Option<serde_json::Value>,
    schedules: Option<serde_json::Value>,
    #[serde(default)]
    args: Vec<RequestArgument>,
    /// Dynamic shared memory in bytes.
    #[serde(default)]
    shared: u64,
    /// Contents of variables, in hexadecimal.
    #[serde(default)]
    symbols: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RequestArgument {
    /// Bytes in hexadecimal.
    Buffer(String),
    /// Bytes in hexadecimal, little-endian.
    Scalar(String),
    /// Size in bytes.
    Local(u64),
    /// A NULL pointer.
    Null(bool),
}

/// Why a request is refused.
enum Refusal {
    /// A field cannot be used.
    Field(String),
    /// The program, its kernel or the arguments do not allow the launch.
    Launch(String),
    Diagnostics(Vec<Diagnostic>),
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Field(message)
    }
}

/// Answers a request for a kernel of a file.
pub(crate) fn answer(line: &str, file: &ProgramFile) -> Result<LaunchAnswer, Vec<Diagnostic>> {
    let request = serde_json::from_str(line).map_err(|error| refuse(error.to_string()))?;
    run(&request, file).map_err(|refusal| match refusal {
        Refusal::Field(message) => refuse(message),
        Refusal::Launch(message) => refuse_launch(message),
        Refusal::Diagnostics(diagnostics) => diagnostics,
    })
}

fn run(request: &WarpRequest, file: &ProgramFile) -> Result<LaunchAnswer, Refusal> {
    let read = |path: &str| {
        let bytes = std::fs::read(path);
        bytes.map_err(|error| Refusal::Launch(format!("{path}: {error}")))
    };
    for (name, value) in [
        ("schedule", &request.schedule),
        ("schedules", &request.schedules),
    ] {
        let value = value.as_ref();
        if value.is_some_and(|value| *value != serde_json::Value::Bool(false)) {
            let message = format!("`{name}`: not available for SASS kernels yet");
            return Err(message.into());
        }
    }
    let given = request.cubin.as_deref().map(read).transpose()?;
    let cubin = given.as_deref().or(file.cubin.as_deref());
    let program = WarpProgram::open(&file.bytes, cubin);
    let program = program.map_err(|error| Refusal::Launch(error.to_string()))?;
    let kernel = kernel(&program, Some(&request.kernel), &request.path).map_err(Refusal::Launch)?;
    let values = request.args.iter().enumerate().map(|(position, argument)| {
        let hex = |hex| bytes_of(hex, position);
        Ok(match argument {
            RequestArgument::Buffer(text) => LaunchValue::Buffer(ElementType::Ub, hex(text)?),
            RequestArgument::Scalar(text) => LaunchValue::Value(hex(text)?),
            RequestArgument::Local(bytes) => LaunchValue::Local(*bytes),
            RequestArgument::Null(true) => LaunchValue::Null,
            RequestArgument::Null(false) => {
                return Err(format!("`args[{position}]`: `null` must be true"));
            }
        })
    });
    let (global, block) = request.sizes.global_and_local()?;
    let symbols = request.symbols.iter();
    let symbols = symbols.map(|(name, text)| {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes());
        let bytes = bytes.map_err(|error| format!("`{name}` is not hexadecimal: {error}"));
        Ok((name.clone(), bytes?))
    });
    let launch = WarpLaunch {
        grid: grid(global, block)?,
        block,
        arguments: values.collect::<Result<_, String>>()?,
        shared: request.shared,
        symbols: symbols.collect::<Result<_, String>>()?,
    };
    let launched = program.launch(kernel, &launch);
    let mut program = launched.map_err(Refusal::Launch)?;
    request.limit.set(&mut program)?;
    if !program.can_run() {
        return Err(Refusal::Diagnostics(program.diagnostics));
    }
    let checked = request
        .check
        .as_ref()
        .map_or(Ok(None), CheckField::checked)?;
    let (result, report) = lanewise_api::run(&program, checked, RunOrder::of(&program));
    let found = report.map(|report| Findings::of(&program, report, MAX_FINDINGS, &[], None));
    let arguments = (0..).zip(&request.args).map(|(index, argument)| Argument {
        index,
        name: format!("arg{index}"),
        ty: None,
        kind: match argument {
            RequestArgument::Buffer(_) | RequestArgument::Null(_) => ArgumentKind::Buffer,
            RequestArgument::Local(_) => ArgumentKind::Local,
            RequestArgument::Scalar(_) => ArgumentKind::Value(0),
        },
    });
    let contents = buffers(&arguments.collect::<Vec<_>>(), &program, &result);
    let mut answer = answer_of(&program, result, contents, request.path.as_ref());
    answer.add(found);
    Ok(answer)
}

/// The launch of a kernel that the command line requests.
pub(crate) fn prepare(
    file: &ProgramFile,
    options: &Options,
    types: &DeclaredTypes,
) -> Result<Prepared, CliError> {
    Ok(start(file, options, types, false)?.prepared)
}

/// A launch with what a debugger shows.
pub(crate) struct WarpStart {
    pub(crate) prepared: Prepared,
    /// Its scenario.
    pub(crate) text: String,
    /// Values of the arguments.
    pub(crate) values: Vec<LaunchValue>,
}

/// The launch of a kernel, with what a debugger shows. Arguments that are `by_name` have no order.
pub(crate) fn start(
    file: &ProgramFile,
    options: &Options,
    types: &DeclaredTypes,
    by_name: bool,
) -> Result<WarpStart, CliError> {
    let ProgramFile { bytes, .. } = file;
    let fail = |message: &str| Err(CliError(message.to_owned()));
    if !options.offset.is_empty() {
        return fail("--offset is not supported for SASS listings");
    }
    if let Some(target) = options.target {
        return Err(CliError(format!(
            "{} names its target, so --target {} is not needed",
            file.name,
            target.name()
        )));
    }
    let given = options.cubin.as_deref().map(input::read_bytes);
    let given = given.transpose()?.map(|(_, bytes)| bytes);
    let cubin = given.as_deref().or(file.cubin.as_deref());
    let program = WarpProgram::open(bytes, cubin);
    let mut program = program.map_err(|error| CliError(format!("{}: {error}", file.name)))?;
    program.name_parameters(|kernel, count| types.parameters(kernel, count));
    let kernel = kernel(&program, options.kernel.as_deref(), &file.name).map_err(CliError)?;
    program.check_beside(kernel).map_err(CliError)?;
    let parameters = program.parameters(kernel);
    let known = kernel.has_parameters().then_some(&*parameters);
    let has_names = !kernel.parameter_names().is_empty();
    if by_name && !has_names && !options.arguments.is_empty() {
        return fail(
            "the file does not have the names of the parameters: write `args` as a list, such as \
             [\"0=float[8]\", \"1=3\"]",
        );
    }
    let kernel_name = mangled::plain(&kernel.name);
    let mut arguments = kernel_args::untyped(kernel, known, &options.arguments)?;
    for note in infer_types(&program, kernel, &mut arguments, &options.arguments)? {
        render::say(&format!("{}: note: {note}", file.name));
    }
    let (global, block) = options.sizes()?;
    let block = block.unwrap_or_else(|| default_group(global));
    let values = kernel_args::values(&kernel_name, &arguments, &options.arguments, types)?;
    let missing = program.missing_parameters(kernel, &values);
    if !missing.is_empty() {
        let position = |index| u32::try_from(index).expect("a kernel has few parameters");
        let missing = (values.len()..).zip(&missing);
        let missing = missing.map(|(index, parameter)| kernel.argument(position(index), parameter));
        let missing: Vec<Argument> = missing.collect();
        let CliError(message) = kernel_args::missing(&kernel_name, &missing, types);
        return Err(CliError(format!("{message}, or --cubin FILE")));
    }
    for position in program.unread_arguments(kernel, &values) {
        render::say(&format!(
            "{}: warning: {}: no instruction reads it; remove it, or pass --cubin FILE \
             if the kernel declares it",
            file.name,
            kernel_args::described(&arguments[position])
        ));
    }
    let launch = WarpLaunch {
        grid: grid(global, block).map_err(CliError)?,
        block,
        arguments: values,
        shared: options.shared,
        ..WarpLaunch::default()
    };
    let note = "constant banks are taken as empty, and the size of shared memory is assumed; --cubin FILE has them";
    let is_alone = cubin.is_none() && lanewise_files::decode_text(bytes).is_some();
    let notes = is_alone.then(|| String::from(note));
    let order = order_of_names(&arguments).filter(|_| !has_names);
    let notes = notes.into_iter().chain(order).collect();
    let text = program.scenario(kernel, &launch).map_err(CliError)?;
    let mut program = runnable(program.launch(kernel, &launch).map_err(CliError)?)?;
    let buffers = program.launch.iter_mut();
    let buffers = buffers.flat_map(|launch| &mut launch.buffers);
    let named = arguments.iter();
    let named = named.filter(|argument| argument.kind == ArgumentKind::Buffer);
    for (buffer, argument) in buffers.zip(named) {
        buffer.name.clone_from(&argument.name);
    }
    types.name_fields(&mut program, &arguments);
    let prepared = Prepared {
        kernel: kernel.name.clone(),
        program,
        arguments,
        notes,
    };
    Ok(WarpStart {
        prepared,
        text,
        values: launch.arguments,
    })
}

/// Gives numbers without a type that of their parameters, if it is inferred. Returns notes on
/// those that would have another type by their spelling.
fn infer_types(
    program: &WarpProgram,
    kernel: &WarpKernel,
    arguments: &mut [Argument],
    texts: &[String],
) -> Result<Vec<String>, CliError> {
    let mut untyped = vec![None; arguments.len()];
    for text in texts {
        let (position, argument, value) =
            kernel_args::assignment(&mangled::plain(&kernel.name), arguments, text, "VALUE")?;
        let is_number = matches!(argument.kind, ArgumentKind::Value(_));
        untyped[position] = Some(value.trim()).filter(|v| is_number && kernel_args::is_untyped(v));
    }
    let given = arguments.iter().zip(&untyped);
    let sizes = given.map(|(argument, untyped)| match argument.kind {
        ArgumentKind::Value(_) if untyped.is_some() => None,
        ArgumentKind::Value(size) => Some(size),
        _ => Some(kernel_args::ADDRESS),
    });
    let parameters = program.parameters_of(kernel, &sizes.collect::<Vec<_>>());
    let mut notes = Vec::new();
    for ((argument, parameter), text) in arguments.iter_mut().zip(parameters).zip(untyped) {
        if let Some((parameter, text)) = parameter.as_ref().zip(text) {
            kernel_args::refuse_fraction(argument, parameter, text)?;
        }
        if let Some(parameter) = parameter.filter(|parameter| !parameter.is_buffer) {
            notes.extend(kernel_args::take_inferred(argument, &parameter, text)?);
        }
    }
    Ok(notes)
}

/// Which parameters the names of arguments stand for, unless all are given by number.
fn order_of_names(arguments: &[Argument]) -> Option<String> {
    let named = |argument: &&Argument| argument.name != format!("arg{}", argument.index);
    let named = arguments.iter().filter(named);
    let named: Vec<String> = named
        .map(|a| format!("`{}` is {}", a.name, a.index))
        .collect();
    let names = named.join(", ");
    let note = "parameter names are unknown; arguments are taken in order";
    (!named.is_empty()).then(|| format!("{note}: {names}"))
}

/// A kernel by name, or the only one.
fn kernel<'p>(
    program: &'p WarpProgram,
    name: Option<&str>,
    file: &str,
) -> Result<&'p WarpKernel, String> {
    let names = program.kernels.iter().map(|kernel| kernel.name.as_str());
    let position = position(&names.collect::<Vec<_>>(), name, file)?;
    Ok(&program.kernels[position])
}

/// The scenario of a proposed launch of a kernel.
pub(crate) fn proposed(program: &WarpProgram, name: &str, file: &str) -> Result<String, String> {
    program.propose(kernel(program, Some(name), file)?)
}

/// The arguments of a kernel, and the command that launches it.
pub(crate) fn usage(program: &WarpProgram, name: &str, file: &str) -> String {
    let kernel = match kernel(program, Some(name), file) {
        Ok(kernel) => kernel,
        Err(why) => return format!("  cannot be launched: {why}\n"),
    };
    if let Err(why) = program.propose(kernel) {
        return format!("  cannot be launched: {why}\n");
    }
    let parameters = program.parameters(kernel);
    let arguments = program.arguments(kernel);
    let rows = arguments
        .iter()
        .zip(&parameters)
        .map(|(argument, parameter)| {
            let WarpParameter { offset, size, .. } = parameter;
            let kind = match parameter.is_buffer {
                false => "value",
                true => "buffer or value",
            };
            let ty = parameter.inferred_type();
            let ty = ty.map_or_else(String::new, |(ty, opcode)| {
                format!(": {ty}, inferred from {opcode}")
            });
            let name = match kernel.parameter_names() {
                [] => String::new(),
                _ => format!("`{}`, ", argument.name),
            };
            format!(
                "  {:>3}  {name}{kind} of {size} bytes at {offset:#x}{ty}\n",
                argument.index
            )
        });
    let by_value = arguments.iter().find_map(|argument| match argument.kind {
        ArgumentKind::Value(1 | 2 | 4 | 8) => None,
        ArgumentKind::Value(size) => Some(size),
        _ => None,
    });
    if let Some(size) = by_value {
        let rows: String = rows.collect();
        return format!(
            "{rows}  a value of {size} bytes is given by its fields, such as 1.5:float, 3:int\n"
        );
    }
    let (grid, block) = WarpProgram::PROPOSED;
    // The name in the source, if no other kernel has it.
    let plain = mangled::plain(name);
    let found = self::kernel(program, Some(&plain), file);
    let name = match found.is_ok_and(|found| found.name == name) {
        true => &*plain,
        false => name,
    };
    let (file, name) = (kernel_args::quoted(file), kernel_args::quoted(name));
    let mut text: String = rows.collect();
    text += &format!(
        "  lanewise run {file} --kernel {name} --grid {} --block {}",
        grid[0], block[0]
    );
    let elements = grid[0] * block[0];
    for argument in &arguments {
        let example = kernel_args::example(argument, elements);
        text += &format!(
            " --arg {}={}",
            argument.index,
            kernel_args::quoted(&example)
        );
    }
    text + "\n"
}

/// Blocks of a launch.
pub(crate) fn grid(global: Sizes, block: Sizes) -> Result<Sizes, String> {
    if block.contains(&0) {
        let block = block.map(|size| size.to_string()).join(",");
        return Err(format!(
            "a block has at least one thread in x, y and z, found {block}"
        ));
    }
    let is_whole = (0..3).all(|i| global[i].is_multiple_of(block[i]));
    let grid = is_whole.then(|| std::array::from_fn(|i| global[i] / block[i]));
    grid.ok_or_else(|| String::from("the global size is not a multiple of that of a block"))
}
