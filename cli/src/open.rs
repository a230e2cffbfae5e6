//! `lanewise open`: converts compiler output to scenarios.

use crate::declaration_args::parse_target;
use crate::structures::DeclaredTypes;
use crate::{CliError, Status, compiler, launch, mangled, program_list, render, warp_launch};
use data_encoding::HEXLOWER;
use lanewise_core::isa::Target;
use lanewise_files::{
    Content, FileError, FileKind, Function, Item, OpenedFile, WarpParameter, WarpProgram, outline,
    zebin,
};
use serde::Serialize;
use std::io::{StdoutLock, Write};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lanewise open kernel.cubin
  lanewise open saxpy.bin --kernel saxpy > saxpy.lanewise
  lanewise open kernel.isa --function main > main.lanewise
  lanewise open program.o --function add --target 'sass SM61'
  lanewise open kernel.visaasm --target 'visa PVC'
  lanewise open --json kernel.sass | jq '.functions[].name'")]
pub(crate) struct Args {
    /// Source (.cl, .cu, .ptx), program of ocloc (.bin), vISA object (.isa) or listing (.visaasm), raw SASS code, listing of nvdisasm or cuobjdump, cubin, or fat binary
    file: PathBuf,
    /// Print the scenario of this function, a launch if it is a kernel of a SASS listing or cubin [default: a list; the only function if it is not a kernel]
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Print the scenario of a launch of this kernel of a compiled program or listing [default: a list]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Select functions compiled for this target, such as `sass SM60`; a file that does not name its target is read for it
    #[arg(long, value_name = "TARGET", value_parser = parse_target)]
    target: Option<Target>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    compiler: compiler::Options,
}

/// Output of `open --json`.
#[derive(Serialize)]
struct OpenAnswer<'f> {
    ok: bool,
    #[serde(flatten)]
    kind: &'f FileKind,
    notes: &'f [String],
    functions: Vec<FunctionAnswer<'f>>,
}

#[derive(Serialize)]
struct FunctionAnswer<'f> {
    name: &'f str,
    target: String,
    notes: &'f [String],
    /// Number of instructions, without labels.
    instructions: usize,
    /// Number of instructions that Lanewise supports.
    own: usize,
    /// Parameters of a kernel of a SASS listing or cubin, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Vec<ParameterAnswer>>,
    items: Vec<ItemAnswer<'f>>,
    /// `null` for a kernel that cannot be launched.
    scenario: Option<String>,
    /// Why it cannot be launched.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_launch: Option<String>,
}

#[derive(Serialize)]
struct ParameterAnswer {
    /// The name in the source, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Offset in constant bank 0.
    offset: String,
    size: u32,
    /// Whether it is taken as a pointer.
    buffer: bool,
    /// The inferred type, such as `float*` or `integer`.
    #[serde(rename = "type")]
    ty: Option<String>,
    /// Opcode from which the type is inferred.
    inferred_from: Option<&'static str>,
}

impl From<WarpParameter> for ParameterAnswer {
    fn from(parameter: WarpParameter) -> Self {
        let (ty, inferred_from) = parameter.inferred_type().unzip();
        Self {
            name: None,
            offset: format!("{:#x}", parameter.offset),
            size: parameter.size,
            buffer: parameter.is_buffer,
            ty,
            inferred_from,
        }
    }
}

#[derive(Serialize)]
struct ItemAnswer<'f> {
    offset: String,
    bytes: String,
    /// `instruction`, `incomplete`, `other`, `label`, `directive` or `unreadable`.
    kind: &'static str,
    text: &'f str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'f [String],
}

#[derive(Serialize)]
struct OpenError {
    ok: bool,
    /// Byte offset in the file.
    offset: usize,
    message: String,
}

/// Whether a file is a scenario: text with a `.target` line, which compilers do
/// not write.
fn is_scenario(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or("");
    let mut words = text.lines().map(|line| line.split_whitespace());
    words.any(|mut words| {
        words.next() == Some(".target") && matches!(words.next(), Some("visa" | "sass"))
    })
}

pub(crate) fn main(args: &Args) -> Result<Status, CliError> {
    let file = match compiler::read(&args.file, &args.compiler) {
        Ok(file) => file,
        Err(failure) => return failure.report(),
    };
    let compiler::ProgramFile {
        name, bytes, cubin, ..
    } = file;
    let cubin = cubin.as_deref();
    if is_scenario(&bytes) {
        return Err(CliError(format!(
            "{name} is already a scenario; use `lanewise run`, `check` or `asm`"
        )));
    }
    let mut out = std::io::stdout().lock();
    let kernel = args.kernel.as_deref();
    let is_warps = WarpProgram::recognises(&bytes);
    let named = |mut program: WarpProgram| {
        let (types, _) = DeclaredTypes::read(&args.file, &[])?;
        program.name_parameters(|kernel, count| types.parameters(kernel, count));
        Ok::<_, CliError>(program)
    };
    if let Some(kernel) = kernel.filter(|_| is_warps && !args.json) {
        let program = WarpProgram::open(&bytes, cubin).map_err(|error| CliError(error.message))?;
        let program = named(program)?;
        let text = warp_launch::proposed(&program, kernel, &name).map_err(CliError)?;
        write!(out, "{text}")?;
        return Ok(Status::Fine);
    }
    if kernel.is_some() && !is_warps {
        return program_list::propose(&bytes, &name, kernel, args.target, args.json, &mut out);
    }
    let refuse = |error: FileError, out: &mut StdoutLock<'_>| {
        let refusal = OpenError {
            ok: false,
            offset: error.offset,
            message: error.message,
        };
        writeln!(out, "{}", json(&refusal)?)?;
        Ok(Status::Bad)
    };
    if zebin::recognises(&bytes) {
        let program = match zebin::open(&bytes) {
            Ok(program) => program,
            Err(error) if args.json => return refuse(error, &mut out),
            Err(error) => return Err(CliError(format!("{name}: {error}"))),
        };
        launch::refuse_target(&name, program.platform.into(), args.target)
            .map_err(|error| CliError(error.to_string()))?;
        return program_list::list(&program, &name, args.json, &mut out);
    }
    let mut file = match lanewise_files::open_for(&name, &bytes, args.target) {
        Ok(file) => file,
        Err(error) if args.json => return refuse(error, &mut out),
        Err(error) => {
            render::say(&format!("{name}: {error}"));
            return Ok(Status::Bad);
        }
    };
    let warps = outline::launchable(&mut file, &bytes, cubin).map_err(CliError)?;
    let warps = warps.map(named).transpose()?;
    // A kernel of warps is a function of the file.
    if let Some(requested) = args.function.as_deref().or(kernel) {
        let names: Vec<String> = file.functions.iter().map(|f| f.name.clone()).collect();
        file.functions.retain(|f| f.name == requested);
        if file.functions.is_empty() {
            return Err(CliError(format!(
                "no function `{requested}` in {name}; found {}",
                names.join(", ")
            )));
        }
    }
    if let Some(requested) = args.target {
        let mut targets: Vec<String> = file.functions.iter().map(|f| f.target.name()).collect();
        file.functions.retain(|f| f.target == requested);
        if file.functions.is_empty() {
            targets.dedup();
            return Err(CliError(format!(
                "no function for `{}` in {name}; found {}",
                requested.name(),
                targets.join(", ")
            )));
        }
    }
    let undecoded = launch::undecoded(&file).filter(|_| warps.is_none());
    if args.json {
        let mut answer = answer(&file, warps.as_ref(), &name);
        answer.ok = undecoded.is_none();
        writeln!(out, "{}", json(&answer)?)?;
    }
    if let Some(why) = undecoded {
        return Err(CliError(format!("{name}: {why}")));
    }
    if args.json {
        return Ok(Status::Fine);
    }
    for note in file
        .notes
        .iter()
        .chain(file.functions.iter().flat_map(|f| &f.notes))
    {
        render::say(&format!("{name}: note: {note}"));
    }
    match (file.functions.as_slice(), &warps) {
        ([only], Some(warps)) if args.function.is_some() => {
            let text = warp_launch::proposed(warps, &only.name, &name).map_err(CliError)?;
            write!(out, "{}", render::plain(&text))?;
        }
        ([only], None) => write!(out, "{}", render::plain(&only.scenario()))?,
        (several, Some(warps)) => {
            for function in several {
                writeln!(out, "{}", heading(function))?;
                write!(out, "{}", warp_launch::usage(warps, &function.name, &name))?;
            }
            if cubin.is_none() && lanewise_files::decode_text(&bytes).is_some() {
                let note = "`lanewise run` takes constant banks and static shared memory from `--cubin FILE`";
                render::say(&format!("{name}: note: {note}"));
            }
        }
        (several, None) => {
            for function in several {
                write!(out, "{}", summary(function))?;
            }
        }
    }
    Ok(Status::Fine)
}

fn json(answer: &impl Serialize) -> Result<String, CliError> {
    serde_json::to_string(answer).map_err(|error| CliError::from(std::io::Error::from(error)))
}

/// Name and target of a function, and how many of its instructions can run.
fn heading(function: &Function) -> String {
    let declaration = mangled::declaration(&function.name);
    format!(
        "{} ({}): {}",
        render::plain(declaration.as_ref().unwrap_or(&function.name)),
        function.target.name(),
        outline::runnable_count(function)
    )
}

/// Lists a function and its supported instructions.
fn summary(function: &Function) -> String {
    let mut text = heading(function) + "\n";
    for item in &function.items {
        if let Content::Instruction { text: code, .. } = &item.content {
            text += &format!("  {:#06x}  {}\n", item.offset, render::plain(code));
        }
    }
    text
}

fn answer<'f>(file: &'f OpenedFile, warps: Option<&WarpProgram>, name: &str) -> OpenAnswer<'f> {
    let scenario = |function: &Function| match warps {
        None => Ok(function.scenario()),
        Some(warps) => warp_launch::proposed(warps, &function.name, name),
    };
    let parameters = |function: &Function| {
        let warps = warps?;
        let kernel = warps.kernel(&function.name)?;
        let parameters = warps.parameters(kernel).into_iter().enumerate();
        let named = parameters.map(|(index, parameter)| ParameterAnswer {
            name: kernel.parameter_names().get(index).cloned(),
            ..parameter.into()
        });
        Some(named.collect())
    };
    let answer = |function: &'f Function| {
        let scenario = scenario(function);
        let no_launch = scenario.as_ref().err().cloned();
        FunctionAnswer {
            name: &function.name,
            target: function.target.name(),
            notes: &function.notes,
            instructions: function.instructions(),
            own: function.own_instructions(),
            parameters: parameters(function),
            items: function.items.iter().map(item).collect(),
            scenario: scenario.ok(),
            no_launch,
        }
    };
    let functions = file.functions.iter().map(answer);
    OpenAnswer {
        ok: true,
        kind: &file.kind,
        notes: &file.notes,
        functions: functions.collect(),
    }
}

fn item(item: &Item) -> ItemAnswer<'_> {
    let (kind, text, warnings) = match &item.content {
        Content::Instruction { text, warnings } => ("instruction", text, warnings.as_slice()),
        Content::Incomplete { text, reason } => ("incomplete", text, std::slice::from_ref(reason)),
        Content::Other(text) => ("other", text, &[][..]),
        Content::Label(name) => ("label", name, &[][..]),
        Content::Directive(text) => ("directive", text, &[][..]),
        Content::Unreadable(why) => ("unreadable", why, &[][..]),
    };
    ItemAnswer {
        offset: format!("{:#x}", item.offset),
        bytes: HEXLOWER.encode(&item.bytes),
        kind,
        text,
        warnings,
    }
}
