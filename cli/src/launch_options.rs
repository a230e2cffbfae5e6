//! Options of commands that launch a kernel.

use crate::declaration_args::parse_target;
use crate::structures::DeclaredTypes;
use crate::{CliError, compiler, kernel_args, mangled, render};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use lanewise_api::{
    Checked, Findings, MAX_FINDINGS, MAX_ORDERS, offset_of, parse_allowed, sizes_of,
};
use lanewise_checks::Report;
use lanewise_core::isa::{FaultKind, Target};
use lanewise_core::program::{DEFAULT_FUEL, MAX_FUEL, Program, Sizes};
use lanewise_core::rules::Severity;
use lanewise_core::session::Fault;
use lanewise_files::zebin::{Argument, Kernel, LaunchError, LaunchValue};
use std::path::{Path, PathBuf};

pub(crate) fn parse_size(text: &str) -> Result<u32, String> {
    let size = text.parse();
    size.map_err(|_| String::from("a size is a whole number; commas separate dimensions: 64,8"))
}

/// Help for a command line that lacks the size of a launch, or a part of it.
pub(crate) fn missing_size(error: &clap::Error) -> Option<String> {
    /// Options that require a size of either kind.
    const SIZED: [&str; 6] = [
        "--kernel", "--target", "--shared", "--cubin", "--offset", "--arg",
    ];
    let missing = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing))) => missing,
        _ => return None,
    };
    let lacks = |option| missing.iter().any(|missing| missing.contains(option));
    // The usage in the error has the given options.
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => String::new(),
    };
    let is_given = |option: &str| usage.split_whitespace().any(|word| word == option);
    match (lacks("--global"), lacks("--grid"), lacks("--block")) {
        (true, _, _) if is_given("--local") => Some(String::from(
            "`--local` without `--global`: add the work-items in all, such as `--global 64`",
        )),
        (_, true, _) if is_given("--block") => Some(String::from(
            "`--block` without `--grid`: add the number of blocks, such as `--grid 2`",
        )),
        (true, _, _) => {
            let given = SIZED.into_iter().find(|option| is_given(option));
            let option = given.map_or_else(
                || String::from("an option of a launch"),
                |option| format!("`{option}`"),
            );
            Some(format!("{option} {LACKS_SIZE}"))
        }
        (false, _, true) => Some(String::from(
            "`--grid` without `--block`: add the threads of a block, such as `--block 64`",
        )),
        (false, _, false) => None,
    }
}

/// Threads of a grid of blocks.
pub(crate) fn threads(grid: Sizes, block: Sizes) -> Result<Sizes, String> {
    let mut threads = grid;
    for (size, block) in threads.iter_mut().zip(block) {
        let product = size.checked_mul(block);
        *size = product
            .ok_or("--grid times --block has more than 4294967295 threads in a dimension")?;
    }
    Ok(threads)
}

/// End of the error about an option that needs the sizes of a launch.
pub(crate) const LACKS_SIZE: &str = "without the size of the launch: add `--global N`, the \
    work-items in all, or `--grid N --block N`, the blocks and the threads of a block";

/// The size of a launch in blocks.
#[derive(clap::Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct Blocks {
    /// Instead of --global: blocks (work-groups), in one to three dimensions
    #[arg(
        long,
        value_name = "X[,Y[,Z]]",
        value_parser = parse_size,
        value_delimiter = ',',
        group = "size",
        requires = "block"
    )]
    pub(crate) grid: Vec<u32>,
    /// Threads (work-items) of a block
    #[arg(
        long,
        value_name = "X[,Y[,Z]]",
        value_parser = parse_size,
        value_delimiter = ',',
        requires = "grid"
    )]
    pub(crate) block: Vec<u32>,
}

/// Options of `run` that launch a kernel.
#[derive(clap::Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct Options {
    /// Launch this kernel of a compiled program or a source [default: the only one]
    #[arg(long, value_name = "NAME", requires = "size")]
    pub(crate) kernel: Option<String>,
    /// Read the kernel of a listing that does not name its target for this one, such as `visa BMG`
    #[arg(long, value_name = "TARGET", value_parser = parse_target, requires = "size")]
    pub(crate) target: Option<Target>,
    /// Work-items in all, in one to three dimensions
    #[arg(
        long,
        value_name = "X[,Y[,Z]]",
        value_parser = parse_size,
        value_delimiter = ',',
        group = "size"
    )]
    pub(crate) global: Vec<u32>,
    /// Work-items of a work-group [default: as many as divide --global, at most 256]
    #[arg(
        long,
        value_name = "X[,Y[,Z]]",
        value_parser = parse_size,
        value_delimiter = ',',
        requires = "global"
    )]
    pub(crate) local: Vec<u32>,
    #[command(flatten)]
    pub(crate) blocks: Blocks,
    /// Dynamic shared memory of a block, for a kernel for NVIDIA GPUs
    #[arg(long, value_name = "BYTES", default_value_t, requires = "size")]
    pub(crate) shared: u64,
    /// Cubin that a SASS listing was printed from, for parameters, constants and shared memory
    #[arg(long, value_name = "FILE", requires = "size")]
    pub(crate) cubin: Option<PathBuf>,
    /// Global ID of the first work-item
    #[arg(
        long,
        value_name = "X[,Y[,Z]]",
        value_parser = parse_size,
        value_delimiter = ',',
        requires = "size"
    )]
    pub(crate) offset: Vec<u32>,
    #[arg(
        long = "arg",
        value_name = "N=VALUE",
        requires = "size",
        help = "An argument, by number or name: float[64]=iota(1, 0.5), int[4]=1,2,3,4, float[64]=@FILE, float[64]=undef, null, 2.5, local(128)"
    )]
    pub(crate) arguments: Vec<String>,
    /// Write the bytes of a buffer to a file after the launch
    #[arg(long = "dump", value_name = "N=FILE")]
    pub(crate) dumps: Vec<String>,
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        num_args = 0..,
        require_equals = true,
        help = "Report races, undefined values, accesses outside their object and divergent barriers, or what LIST names: races, uninit, memory, barriers, float, lockstep"
    )]
    pub(crate) check: Option<Vec<String>>,
    /// Severity from which on findings fail the run
    #[arg(
        long,
        value_name = "SEVERITY",
        value_enum,
        default_value_t,
        requires = "check"
    )]
    pub(crate) check_fail: Fail,
    /// Suppress findings of a kind, such as race-local or W0831, in a file, at a line
    #[arg(long, value_name = "KIND[:FILE[:LINE]]", value_parser = parse_allowed, requires = "check")]
    pub(crate) allow: Vec<String>,
    /// Most findings that are printed
    #[arg(long, value_name = "N", default_value_t = MAX_FINDINGS, requires = "check")]
    pub(crate) max_findings: usize,
    /// Order of threads and work-groups: sequential, round-robin, reversed or seed:N
    #[arg(long, value_name = "NAME", conflicts_with_all = ["steps", "trace"])]
    pub(crate) schedule: Option<String>,
    /// Run the launch in N orders and compare the buffers
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_ORDERS)),
        conflicts_with_all = ["steps", "trace"]
    )]
    pub(crate) schedules: Option<u32>,
    #[command(flatten)]
    pub(crate) fuel: Fuel,
    #[command(flatten)]
    pub(crate) compiler: compiler::Options,
}

/// The bound on the length of a run.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(crate) struct Fuel {
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_FUEL)),
        help = format!("Stop a run, or a work-group of a launch, after N instructions, at most {MAX_FUEL} [default: `.fuel` of the scenario, or {DEFAULT_FUEL}]")
    )]
    fuel: Option<u32>,
}

impl Fuel {
    /// Help on a fault, if it is the end of the fuel.
    pub(crate) fn help(fault: &Fault) -> &'static str {
        match fault.kind {
            FaultKind::OutOfFuel => {
                "\nHelp: add `--fuel N` for a higher limit, unless this is an endless loop"
            }
            _ => "",
        }
    }

    pub(crate) const fn set(self, program: &mut Program) {
        program.fuel_setting = "`--fuel N`";
        if let Some(fuel) = self.fuel {
            program.fuel = fuel;
        }
    }
}

/// From which severity on findings fail a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Fail {
    #[default]
    Error,
    Warning,
    Note,
    Never,
}

impl Fail {
    pub(crate) const fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Note => Some(Severity::Note),
            Self::Never => None,
        }
    }
}

impl Options {
    /// The options for the file at a path, and the types that its source declares.
    pub(crate) fn for_file(self, path: &Path) -> Result<(Self, DeclaredTypes), CliError> {
        let (types, arguments) = DeclaredTypes::read(path, &self.arguments)?;
        Ok((Self { arguments, ..self }, types))
    }

    /// The program of a launch of a kernel.
    pub(crate) fn program(
        &self,
        kernel: &Kernel,
        types: &DeclaredTypes,
    ) -> Result<Program, CliError> {
        let (global, local, values) = self.launch(kernel, types)?;
        let offset = offset_of(&self.offset)
            .ok_or_else(|| CliError(String::from("--offset takes at most three numbers")))?;
        let program = kernel.launch_at(offset, global, local, &values);
        let mut program = program.map_err(|error| CliError(error.to_string()))?;
        let (name, known) = (&kernel.name, &kernel.arguments);
        kernel_args::mark_undefined(name, known, &self.arguments, &mut program)?;
        types.name_fields(&mut program, known);
        runnable(program)
    }

    /// The requested checks.
    pub(crate) fn checked(&self) -> Result<Option<Checked>, String> {
        let words = self.check.as_ref();
        words.map(|words| Checked::of(words)).transpose()
    }

    /// The findings in a report about the program of a file.
    pub(crate) fn findings(&self, program: &Program, report: Report, path: &Path) -> Findings {
        let source = lanewise_api::source_of(program, path);
        let (most, source) = (self.max_findings, source.as_deref());
        Findings::of(program, report, most, &self.allow, source)
    }

    /// Whether a launch is requested.
    pub(crate) fn is_launch(&self) -> bool {
        !self.global.is_empty() || !self.blocks.grid.is_empty()
    }

    /// An option that runs a launch as a whole, if one is given.
    pub(crate) const fn of_whole_launch(&self) -> Option<&'static str> {
        match self {
            Self {
                schedules: Some(_), ..
            } => Some("`--schedules`"),
            Self {
                schedule: Some(_), ..
            } => Some("`--schedule`"),
            _ if !self.dumps.is_empty() => Some("`--dump`"),
            _ => None,
        }
    }

    /// Work-items in all and, if given, those of a work-group.
    pub(crate) fn sizes(&self) -> Result<(Sizes, Option<Sizes>), CliError> {
        let sizes = |sizes: &[u32], option| {
            sizes_of(sizes, 1)
                .ok_or_else(|| CliError(format!("--{option} takes one to three sizes")))
        };
        let fail = |message: &str| Err(CliError(message.to_owned()));
        match (self.global.is_empty(), self.blocks.grid.is_empty()) {
            (false, false) => return fail("--global and --grid both give the size; use one"),
            (true, true) => return fail("--global, or --grid with --block, is missing"),
            (false, true) if !self.blocks.block.is_empty() => return fail("--block needs --grid"),
            (true, false) if !self.local.is_empty() => return fail("--local needs --global"),
            _ => {}
        }
        if self.blocks.grid.is_empty() {
            let local = match self.local.as_slice() {
                [] => None,
                given => Some(sizes(given, "local")?),
            };
            return Ok((sizes(&self.global, "global")?, local));
        }
        let (grid, block) = (
            sizes(&self.blocks.grid, "grid")?,
            sizes(&self.blocks.block, "block")?,
        );
        Ok((threads(grid, block).map_err(CliError)?, Some(block)))
    }

    /// The sizes and arguments of a launch of a kernel.
    pub(crate) fn launch(
        &self,
        kernel: &Kernel,
        types: &DeclaredTypes,
    ) -> Result<(Sizes, Sizes, Vec<LaunchValue>), CliError> {
        if self.shared > 0 || self.cubin.is_some() {
            let message = "--shared and --cubin are for kernels for NVIDIA GPUs";
            return Err(CliError(message.to_owned()));
        }
        let refused = |error: LaunchError| CliError(error.to_string());
        kernel.check_launchable().map_err(refused)?;
        let arguments = kernel_args::with_inferred(kernel, &self.arguments, types)?;
        let values = kernel_args::values(&kernel.name, &arguments, &self.arguments, types)?;
        let (global, local) = self.sizes()?;
        let local = local.or_else(|| kernel.required_group_size());
        let local = local.unwrap_or_else(|| default_group(global));
        Ok((global, local, values))
    }

    /// Says which size of a work-group is assumed, if any.
    pub(crate) fn say_assumed(&self, program: &Program) {
        if let Some(launch) = program
            .launch
            .as_ref()
            .filter(|_| self.is_launch() && self.local.is_empty() && self.blocks.block.is_empty())
        {
            let [x, y, z] = launch.local;
            let words = launch.words();
            render::say(&format!(
                "note: {}s of {x},{y},{z} {}s; --local selects another size",
                words.work_group, words.item
            ));
        }
    }
}

/// The program of a launch, if it has no errors.
pub(crate) fn runnable(program: Program) -> Result<Program, CliError> {
    if program.can_run() {
        return Ok(program);
    }
    let errors = program.diagnostics.iter();
    let errors = errors.map(|error| match &*error.help {
        "" => error.message(),
        help => format!("{}\n  help: {help}", error.message()),
    });
    let errors: Vec<String> = errors.collect();
    Err(CliError(errors.join("\n")))
}

/// A launch of a kernel.
pub(crate) struct Prepared {
    /// Name of the kernel.
    pub(crate) kernel: String,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) program: Program,
    pub(crate) notes: Vec<String>,
}

/// The largest work-group that divides a launch, dimension by dimension.
pub(crate) fn default_group(global: Sizes) -> Sizes {
    /// Most work-items.
    const ITEMS: u32 = 256;
    let mut room = ITEMS;
    global.map(|size| {
        let divides = |part: &u32| size.is_multiple_of(*part);
        let part = (1..=room.min(size)).rev().find(divides).unwrap_or(1);
        room /= part;
        part
    })
}

/// Position of a kernel by name, also by that in its C++ source, or of the only one.
pub(crate) fn position(names: &[&str], name: Option<&str>, file: &str) -> Result<usize, String> {
    let plain = |names: &[&str]| {
        let known: Vec<String> = names.iter().map(|name| mangled::plain(name)).collect();
        let shown = known.iter().zip(names).map(|(plain, name)| {
            // Overloads differ by their parameters.
            let is_unique = known.iter().filter(|other| *other == plain).count() == 1;
            let declared = mangled::declaration(name).filter(|_| !is_unique);
            declared.unwrap_or_else(|| plain.clone())
        });
        shown.collect::<Vec<_>>().join(", ")
    };
    let all = || plain(names);
    match (name, names) {
        (Some(name), _) => {
            if let Some(found) = names.iter().position(|known| *known == name) {
                return Ok(found);
            }
            let alike = names.iter().enumerate();
            let alike = alike.filter(|(_, known)| mangled::is_named(known, name));
            let alike: Vec<(usize, &str)> = alike.map(|(place, known)| (place, *known)).collect();
            match alike.as_slice() {
                [(only, _)] => Ok(*only),
                [] => Err(format!("no kernel `{name}` in {file}; found {}", all())),
                several => {
                    let several: Vec<&str> = several.iter().map(|(_, known)| *known).collect();
                    let others = plain(&several);
                    let mangled = several.join(", ");
                    Err(format!(
                        "{file} has several kernels `{name}`: {others}; name one, also as {mangled}"
                    ))
                }
            }
        }
        (None, [_]) => Ok(0),
        (None, []) => Err(format!("no kernel in {file}")),
        (None, _) => Err(format!(
            "{file} has several kernels; add --kernel: {}",
            all()
        )),
    }
}
