//! Compiled programs of Intel's compiler (zebin): ELF files with the vISA text
//! of each kernel (`.visaasm`), and its arguments and payload (`.ze_info`).
//!
//! Source: IGC's zeinfo.md for `.ze_info`; compute-runtime and compiled programs
//! for undocumented parts (the kernel of a `.visaasm` section, the padding of
//! payloads).

mod data;
mod functions;
mod listing;

use crate::FileError;
use data::ProgramData;
use functions::Function;
use lanewise_core::diagnostic::to_u32;
use lanewise_core::ide::opencl_type;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::number::{ElementType, literal, little_endian};
use lanewise_core::program::{Program, Sizes};
use object::read::elf::{ElfFile64, FileHeader};
use object::{Object, ObjectSection};
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

/// Machine of Intel's GPUs in ELF files.
const EM_INTELGT: u16 = 205;

/// Section type of `.ze_info`.
const ZE_INFO: &str = ".ze_info";

/// Name of the kernel without code that the compiler adds to a program with data.
const SYMBOL_TABLE: &str = "Intel_Symbol_Table_Void_Program";

/// Maximum size of a `.ze_info` section, in bytes.
const MAX_INFO: usize = 4 << 20;

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Zebin {
    pub platform: Platform,
    /// Kernels in the order of the file.
    pub kernels: Vec<Kernel>,
}

/// A kernel of a program.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub name: String,
    /// Arguments in the order of their numbers.
    pub arguments: Vec<Argument>,
    info: KernelInfo,
    /// The vISA text.
    text: String,
    /// Data of the program.
    data: Arc<ProgramData>,
    platform: Platform,
    /// Assumptions, for the reader of the scenario.
    pub(crate) notes: Vec<String>,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Position in the parameter list of the kernel, from 0.
    pub index: u32,
    /// Name, or `arg` and the number if the file lacks names.
    pub name: String,
    /// Type in OpenCL C, such as `const uint*`, if the file has it.
    pub ty: Option<String>,
    pub kind: ArgumentKind,
}

/// Private memory of a thread, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PrivateMemory {
    /// Addressed by a kernel argument and the hardware slot of the thread.
    global: u64,
    /// Addressed by %r0.
    scratch: u64,
}

/// Kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A buffer of global memory.
    Buffer,
    /// Bytes of shared local memory.
    Local,
    /// A value; its size in bytes.
    Value(u32),
    /// An image, which is not modeled.
    Image,
    /// A sampler, which is not modeled.
    Sampler,
}

impl std::fmt::Display for ArgumentKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Buffer => f.write_str("buffer"),
            Self::Local => f.write_str("local memory"),
            Self::Value(size) => write!(f, "value of {size} bytes"),
            Self::Image => f.write_str("image"),
            Self::Sampler => f.write_str("sampler"),
        }
    }
}

/// The value of an argument in a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentValue {
    /// The buffer of another argument, by position.
    SameAs(usize),
    /// A buffer: element type and initial values as `.buffer` takes them, such
    /// as `f[64] = iota(1, 0.5)`.
    Buffer(String),
    /// Size of shared local memory, in bytes.
    Local(u64),
    /// The bytes of a value.
    Value(Vec<u8>),
}

/// Reason why a kernel cannot be launched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LaunchError(pub String);

#[derive(Deserialize)]
struct Info {
    kernels: Vec<KernelInfo>,
    #[serde(default)]
    kernels_misc_info: Vec<MiscInfo>,
}

#[derive(Clone, Debug, Deserialize)]
struct KernelInfo {
    name: String,
    execution_env: ExecutionEnvironment,
    #[serde(default)]
    payload_arguments: Vec<PayloadArgument>,
    #[serde(default)]
    per_thread_payload_arguments: Vec<PayloadArgument>,
    #[serde(default)]
    binding_table_indices: Vec<BindingTableIndex>,
    #[serde(default)]
    per_thread_memory_buffers: Vec<MemoryBuffer>,
}

#[derive(Clone, Debug, Deserialize)]
struct ExecutionEnvironment {
    simd_size: u8,
    #[serde(default)]
    slm_size: u64,
    #[serde(default)]
    barrier_count: u32,
    #[serde(default)]
    inline_data_payload_size: u16,
    required_work_group_size: Option<Sizes>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct PayloadArgument {
    arg_type: String,
    #[serde(default)]
    offset: u16,
    #[serde(default)]
    size: u16,
    arg_index: Option<u32>,
    #[serde(default)]
    addrmode: String,
    #[serde(default)]
    addrspace: String,
    /// Entry of the binding table that addresses the same memory.
    bti_value: Option<u8>,
    #[serde(default)]
    source_offset: u16,
}

#[derive(Clone, Debug, Deserialize)]
struct BindingTableIndex {
    bti_value: u8,
    arg_index: u32,
}

#[derive(Clone, Debug, Deserialize)]
struct MemoryBuffer {
    #[serde(rename = "type")]
    kind: String,
    usage: String,
    #[serde(default)]
    size: u64,
    /// Whether the size is that of a channel.
    #[serde(default)]
    is_simt_thread: bool,
}

#[derive(Deserialize)]
struct MiscInfo {
    name: String,
    #[serde(default)]
    args_info: Vec<ArgumentInfo>,
}

#[derive(Deserialize)]
struct ArgumentInfo {
    index: u32,
    #[serde(default)]
    name: String,
    /// Type and size, such as `uint*;8`.
    #[serde(default)]
    type_name: String,
    #[serde(default)]
    type_qualifiers: String,
    #[serde(default)]
    address_qualifier: String,
}

impl ArgumentInfo {
    /// Size of the argument in bytes.
    fn bytes(&self) -> Option<u32> {
        let (_, size) = self.type_name.rsplit_once(';')?;
        size.parse().ok()
    }

    /// The type as a declaration has it.
    fn declared_type(&self) -> Option<String> {
        let name = self.type_name.split(';').next().unwrap_or("").trim();
        if name.is_empty() || name.contains(char::is_control) {
            return None;
        }
        let qualifier = match (&*self.address_qualifier, &*self.type_qualifiers) {
            ("__local", _) => "local ",
            (_, "const") => "const ",
            _ => "",
        };
        Some(format!("{qualifier}{name}"))
    }
}

/// Whether bytes are an ELF file for Intel's GPUs, or with a `.ze_info` section.
#[must_use]
pub fn recognises(bytes: &[u8]) -> bool {
    let file: Result<ElfFile64<'_>, _> = ElfFile64::parse(bytes);
    file.is_ok_and(|file| {
        file.elf_header().e_machine(file.endian()) == EM_INTELGT
            || file.section_by_name(ZE_INFO).is_some()
    })
}

fn damaged(error: impl std::fmt::Display) -> FileError {
    FileError::new(0, format!("damaged program: {error}"))
}

/// Opens a program.
///
/// # Errors
/// If the program is damaged or lacks the vISA text of its kernels.
pub fn open(bytes: &[u8]) -> Result<Zebin, FileError> {
    let file: ElfFile64<'_> = ElfFile64::parse(bytes).map_err(damaged)?;
    let info = file
        .section_by_name(ZE_INFO)
        .ok_or_else(|| FileError::new(0, "a program of Intel's compiler without kernels"))?;
    let info = info.data().map_err(damaged)?;
    if info.len() > MAX_INFO {
        return Err(FileError::new(0, "its .ze_info has more than 4 MB"));
    }
    let info = std::str::from_utf8(info).map_err(damaged)?;
    let info = info.trim_end_matches('\0');
    let info: Info = serde_saphyr::from_str(info).map_err(damaged)?;
    let platform = platform(&file)?;
    let (mut texts, mut functions) = (Vec::new(), Vec::new());
    for section in file.sections() {
        let name = section.name().unwrap_or("");
        let Some(function) = name.strip_prefix(".visaasm") else {
            continue;
        };
        let text = String::from_utf8_lossy(section.data().map_err(damaged)?);
        let text = text.trim_end_matches('\0').to_owned();
        match function.strip_prefix('.') {
            Some(function) => functions.extend(Function::new(function, text)),
            None => texts.push(text),
        }
    }
    for text in &mut texts {
        functions::append(text, &functions);
    }
    if texts.is_empty() {
        return Err(FileError::new(
            0,
            "this program was compiled without its vISA text; add \
             `-internal_options -ze-emit-zebin-visa-sections` to the command of ocloc",
        ));
    }
    if texts.len() != info.kernels.len() {
        let (texts, kernels) = (texts.len(), info.kernels.len());
        let message = format!("it has {kernels} kernels and {texts} vISA texts");
        return Err(FileError::new(0, message));
    }
    let simds = info
        .kernels
        .iter()
        .map(|kernel| kernel.execution_env.simd_size);
    if let Some(simd) = simds
        .into_iter()
        .find(|simd| ![1, 8, 16, 32].contains(simd))
    {
        return Err(damaged(format!("SIMD size {simd}")));
    }
    let names = info.kernels_misc_info;
    let data = Arc::new(ProgramData::read(&file)?);
    let kernels = info.kernels.into_iter().zip(texts).map(|(info, text)| {
        let misc = names.iter().find(|misc| misc.name == info.name);
        let args = misc.map_or(&[][..], |misc| &misc.args_info);
        Kernel {
            name: info.name.clone(),
            arguments: arguments(&info, args),
            data: Arc::clone(&data),
            info,
            text,
            platform,
            notes: Vec::new(),
        }
    });
    let kernels = kernels.filter(|kernel| kernel.name != SYMBOL_TABLE);
    Ok(Zebin {
        platform,
        kernels: kernels.collect(),
    })
}

/// The platform by the product family of the note section.
fn platform(file: &ElfFile64<'_>) -> Result<Platform, FileError> {
    /// Number of the note that holds the product family.
    const PRODUCT_FAMILY: u32 = 1;
    /// Number of the note that holds architecture, release and revision of the device.
    const PRODUCT_CONFIG: u32 = 6;
    let note = file.section_by_name(".note.intelgt.compat");
    let note = note.and_then(|section| section.data().ok()).unwrap_or(&[]);
    let word = |at: usize| {
        let bytes = note.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    };
    let mut at = 0;
    let (mut family, mut release) = (None, None);
    while let (Some(name), Some(size), Some(kind)) = (word(at), word(at + 4), word(at + 8)) {
        let aligned = |bytes: u32| usize::try_from(bytes).ok()?.checked_next_multiple_of(4);
        let (Some(name), Some(size)) = (aligned(name), aligned(size)) else {
            break;
        };
        let Some(value) = (at + 12).checked_add(name) else {
            break;
        };
        match kind {
            PRODUCT_FAMILY => family = word(value),
            // Bits 31:22 have the architecture, bits 21:14 its release.
            PRODUCT_CONFIG => release = word(value).map(|config| config >> 14 & 0xff),
            _ => {}
        }
        let Some(next) = value.checked_add(size) else {
            break;
        };
        at = next;
    }
    let Some(family) = family else {
        return Err(FileError::new(0, "it does not say which device it is for"));
    };
    Platform::of_family(family, release).ok_or_else(|| {
        let known = Platform::ALL.into_iter();
        let known = known.filter_map(|platform| platform.features().devices.first().copied());
        let known = known.collect::<Vec<_>>().join(", ");
        let message = format!(
            "compiled for the unknown product family {family}; compile it for one of {known} \
             (option -device of ocloc)"
        );
        FileError::new(0, message)
    })
}

fn arguments(info: &KernelInfo, names: &[ArgumentInfo]) -> Vec<Argument> {
    let mut arguments: Vec<Argument> = Vec::new();
    for payload in &info.payload_arguments {
        let Some(index) = payload.arg_index else {
            continue;
        };
        let kind = match payload.arg_type.as_str() {
            "arg_bypointer" if payload.addrspace == "image" => ArgumentKind::Image,
            "arg_bypointer" if payload.addrspace == "sampler" => ArgumentKind::Sampler,
            "arg_bypointer" if payload.addrmode == "slm" => ArgumentKind::Local,
            "arg_bypointer" | "buffer_address" | "buffer_offset" => ArgumentKind::Buffer,
            "arg_byvalue" => {
                ArgumentKind::Value(u32::from(payload.source_offset) + u32::from(payload.size))
            }
            _ => continue,
        };
        match arguments.iter_mut().find(|known| known.index == index) {
            Some(known) => {
                if let (ArgumentKind::Value(known), ArgumentKind::Value(size)) =
                    (&mut known.kind, kind)
                {
                    *known = size.max(*known);
                }
            }
            None => {
                let known = names.iter().find(|known| known.index == index);
                let name = known.map(|known| known.name.clone());
                arguments.push(Argument {
                    index,
                    name: name
                        // `&private`, `&printf` and `&implicit_args` are memory of the launch.
                        .filter(|name| {
                            !["", "private", "printf", "implicit_args"].contains(&&**name)
                        })
                        .unwrap_or_else(|| format!("arg{index}")),
                    ty: known.and_then(ArgumentInfo::declared_type),
                    kind,
                });
            }
        }
    }
    // The payload has a dword for a narrower value, and may lack the padding at the end of a
    // structure.
    for argument in &mut arguments {
        let known = names.iter().find(|known| known.index == argument.index);
        if let (ArgumentKind::Value(size), Some(declared)) =
            (&mut argument.kind, known.and_then(ArgumentInfo::bytes))
            && declared > 0
        {
            *size = declared;
        }
    }
    arguments.sort_by_key(|argument| argument.index);
    arguments
}

/// The names whose addresses a text takes.
fn faddr_names(text: &str) -> impl Iterator<Item = &str> {
    let operands = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("faddr "));
    operands.filter_map(|operands| Some(operands.split_whitespace().next()?.trim_matches('"')))
}

/// Range of the payload that initializes a variable.
struct Input<'t> {
    variable: &'t str,
    offset: u32,
    size: u32,
}

impl<'t> Input<'t> {
    /// Parses `V34 offset=32 size=8`.
    fn parse(text: &'t str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let variable = words.next()?;
        let mut field = |name: &str| {
            let value: Option<u16> = words.next()?.strip_prefix(name)?.parse().ok();
            value.map(u32::from)
        };
        Some(Self {
            variable,
            offset: field("offset=")?,
            size: field("size=")?,
        })
    }
}

impl Argument {
    /// Its declaration in OpenCL C, such as `const uint *in`; without a type, its name and
    /// kind.
    #[must_use]
    pub fn declaration(&self) -> String {
        let name = &self.name;
        match (self.ty.as_deref(), self.kind) {
            (Some(ty), _) => match ty.strip_suffix('*') {
                Some(target) => format!("{target} *{name}"),
                None => format!("{ty} {name}"),
            },
            (None, kind) => format!("{name}: {kind}"),
        }
    }

    /// Its declaration as a comment; empty without a type.
    fn comment(&self) -> String {
        match self.ty {
            Some(_) => format!("  // {}", self.declaration()),
            None => String::new(),
        }
    }

    /// Whether it points to constant data.
    #[must_use]
    pub fn is_const(&self) -> bool {
        self.ty
            .as_deref()
            .is_some_and(|ty| ty.starts_with("const "))
    }

    /// Element type and number of components of the argument, or of the type that it points
    /// to, if the file has the type and its elements are numbers.
    #[must_use]
    pub fn declared_element(&self) -> Option<(ElementType, u32)> {
        let name = self.ty.as_deref()?;
        let name = name
            .trim_start_matches("const ")
            .trim_start_matches("local ");
        opencl_type(name.trim_end_matches('*').trim_end())
    }

    /// Whether its type is a structure, or points to structures.
    pub(crate) fn is_structure(&self) -> bool {
        let ty = self.ty.as_deref().unwrap_or("");
        let name = ty.trim_start_matches("const ");
        name.trim_start_matches("local ").starts_with("struct ")
    }

    /// The declared element, or else an unsigned integer.
    #[must_use]
    pub fn element(&self) -> (ElementType, u32) {
        let size = match self.kind {
            ArgumentKind::Value(size) => size,
            _ => 4,
        };
        self.declared_element().unwrap_or(match size {
            1 => (ElementType::Ub, 1),
            2 => (ElementType::Uw, 1),
            8 => (ElementType::Uq, 1),
            _ => (ElementType::Ud, 1),
        })
    }
}

impl Kernel {
    /// SIMD width, local memory and barriers in a few words.
    #[must_use]
    pub fn summary(&self) -> String {
        let environment = &self.info.execution_env;
        let mut parts = vec![format!("SIMD {}", environment.simd_size)];
        if environment.slm_size > 0 {
            parts.push(format!("{} bytes of local memory", environment.slm_size));
        }
        match environment.barrier_count {
            0 => {}
            1 => parts.push(String::from("1 barrier")),
            count => parts.push(format!("{count} barriers")),
        }
        parts.push(format!("compiled for {}", self.platform.name()));
        parts.join(" · ")
    }

    /// The vISA text, as the compiler wrote it.
    #[must_use]
    pub fn listing(&self) -> &str {
        &self.text
    }

    /// A scenario with small buffers, to check the code.
    ///
    /// # Errors
    /// When the kernel needs something that is not modeled.
    pub fn sample_scenario(&self) -> Result<String, LaunchError> {
        let values = self.arguments.iter().map(|argument| match argument.kind {
            ArgumentKind::Buffer => ArgumentValue::Buffer(String::from("ub[64]")),
            ArgumentKind::Local => ArgumentValue::Local(64),
            ArgumentKind::Value(size) => {
                ArgumentValue::Value(vec![0; usize::try_from(size).expect("a value is small")])
            }
            ArgumentKind::Image | ArgumentKind::Sampler => ArgumentValue::Value(Vec::new()),
        });
        let values: Vec<ArgumentValue> = values.collect();
        // Two threads, as a fused pair needs.
        let items = 2 * u32::from(self.info.execution_env.simd_size);
        let local = self.required_group_size().unwrap_or([items, 1, 1]);
        self.scenario(local, local, &values)
    }

    /// Whether its work-items share local memory, declared or passed as an argument.
    pub(crate) fn has_local_memory(&self) -> bool {
        let mut arguments = self.arguments.iter();
        self.info.execution_env.slm_size > 0
            || arguments.any(|argument| argument.kind == ArgumentKind::Local)
    }

    /// Work-items of a thread.
    #[must_use]
    pub fn simd(&self) -> u32 {
        self.info.execution_env.simd_size.into()
    }

    /// The platform that the kernel is compiled for.
    #[must_use]
    pub const fn platform(&self) -> Platform {
        self.platform
    }

    /// Shared local memory that the kernel declares, in bytes.
    #[must_use]
    pub const fn local_memory(&self) -> u64 {
        self.info.execution_env.slm_size
    }

    /// Address space of an argument that is a pointer, such as `global`, if the file has it.
    #[must_use]
    pub fn address_space(&self, argument: &Argument) -> Option<&str> {
        let payload = self.info.payload_arguments.iter();
        let mut own = payload.filter(|part| part.arg_index == Some(argument.index));
        own.find_map(|part| match (&*part.addrmode, &*part.addrspace) {
            ("slm", _) => Some("local"),
            (_, space @ ("global" | "constant" | "local")) => Some(space),
            _ => None,
        })
    }

    /// Size of a work-group that the kernel requires, if any.
    #[must_use]
    pub fn required_group_size(&self) -> Option<Sizes> {
        let size = self.info.execution_env.required_work_group_size?;
        size.iter().all(|size| *size > 0).then_some(size)
    }

    /// Number of dimensions whose local IDs the code uses; at least 1.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        let block = self.local_id_block();
        let grf = u32::from(self.platform.grf_bytes());
        let mut dimensions = 1;
        for input in self.inputs().unwrap_or_default() {
            let Some(place) = input.offset.checked_sub(grf) else {
                continue;
            };
            let dimension = usize::try_from(place / block).unwrap_or(usize::MAX);
            if place < self.per_thread_bytes() && dimension < 3 && self.uses(input.variable) {
                dimensions = dimensions.max(dimension + 1);
            }
        }
        dimensions
    }

    /// Whether an instruction or an alias mentions a variable.
    fn uses(&self, variable: &str) -> bool {
        let is_part = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        self.text.lines().any(|line| {
            let code = line.trim_start();
            let code = match code.split_once(".decl") {
                // Behind the name that the line declares.
                Some((_, declared)) => declared.split_once("v_type").map_or("", |(_, rest)| rest),
                None if code.starts_with('.') => "",
                None => code.split("//").next().unwrap_or(""),
            };
            code.split(is_part).any(|word| word == variable)
        })
    }

    /// Bytes of the per-thread payload: the local IDs.
    fn per_thread_bytes(&self) -> u32 {
        let per_thread = self.info.per_thread_payload_arguments.first();
        per_thread.map_or(0, |argument| u32::from(argument.size))
    }

    /// Bytes of the local IDs of one dimension.
    fn local_id_block(&self) -> u32 {
        let grf = u32::from(self.platform.grf_bytes());
        (2 * u32::from(self.info.execution_env.simd_size)).next_multiple_of(grf)
    }

    /// The `.input` lines of the text.
    fn inputs(&self) -> Result<Vec<Input<'_>>, LaunchError> {
        let lines = self.text.lines().map(str::trim);
        let inputs = lines.filter_map(|line| {
            let rest = line.strip_prefix(".input")?;
            let unreadable = || LaunchError(format!("cannot read the line `{line}`"));
            Some(Input::parse(rest).ok_or_else(unreadable))
        });
        inputs.collect()
    }

    /// Element type of an argument: the declared or inferred one, or else an unsigned integer.
    pub(crate) fn element(&self, argument: &Argument) -> ElementType {
        let (element, _) = argument.element();
        self.inferred_float(argument).unwrap_or(element)
    }

    /// The type of the variable that holds a number, if this is a float. The name of the type
    /// of the number does not say it, since it is declared by a `typedef`.
    #[must_use]
    pub fn inferred_float(&self, argument: &Argument) -> Option<ElementType> {
        let ArgumentKind::Value(size) = argument.kind else {
            return None;
        };
        if argument.declared_element().is_some() || argument.is_structure() {
            return None;
        }
        let payload = self.info.payload_arguments.iter();
        let mut payload = payload.filter(|part| part.arg_index == Some(argument.index));
        let (Some(part), None) = (payload.next(), payload.next()) else {
            return None;
        };
        let place = self.argument_place(u32::from(part.offset));
        let inputs = self.inputs().ok()?;
        let input = inputs.iter().find(|input| input.offset == place)?;
        let (ty, elements) = self.declared(input)?;
        ElementType::named(ty)
            .filter(|ty| ty.is_float() && elements == 1 && u32::from(ty.bytes()) == size)
    }

    /// What the file does not say and is assumed or left out.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The scenario of a launch.
    ///
    /// # Errors
    /// If sizes or arguments do not match the kernel.
    pub fn scenario(
        &self,
        global: Sizes,
        local: Sizes,
        values: &[ArgumentValue],
    ) -> Result<String, LaunchError> {
        self.scenario_at([0; 3], global, local, values)
    }

    /// The scenario of a launch whose first work-item has the global ID `offset`.
    fn scenario_at(
        &self,
        offset: Sizes,
        global: Sizes,
        local: Sizes,
        values: &[ArgumentValue],
    ) -> Result<String, LaunchError> {
        self.check_launchable()?;
        if let Some(required) = self.required_group_size().filter(|size| *size != local) {
            let [x, y, z] = required;
            return Err(LaunchError(format!(
                "`{}` requires work-groups of {x},{y},{z}",
                self.name
            )));
        }
        if values.len() != self.arguments.len() {
            let (given, wanted) = (values.len(), self.arguments.len());
            return Err(LaunchError(format!(
                "`{}` takes {wanted} arguments, found {given}",
                self.name
            )));
        }
        let sizes = |[x, y, z]: Sizes, rest| match (y == rest, z == rest) {
            (true, true) => format!("{x}"),
            (_, true) => format!("{x},{y}"),
            _ => format!("{x},{y},{z}"),
        };
        let mut out = format!(".target visa {}\n", self.platform.name());
        let _ = writeln!(out, ".title \"{}\"", self.name.replace('"', "'"));
        for note in &self.notes {
            let _ = writeln!(out, ".note \"{note}\"");
        }
        let (global, local) = (sizes(global, 1), sizes(local, 1));
        let _ = write!(out, ".launch global={global} local={local}");
        if offset != [0; 3] {
            let _ = write!(out, " offset={}", sizes(offset, 0));
        }
        out.push('\n');
        let _ = writeln!(out, ".simd {}", self.info.execution_env.simd_size);
        let _ = writeln!(out, ".slm {}", self.info.execution_env.slm_size);
        for (argument, value) in self.arguments.iter().zip(values) {
            match (argument.kind, value) {
                (ArgumentKind::Buffer, ArgumentValue::Buffer(values)) => {
                    let (name, comment) = (&argument.name, argument.comment());
                    let _ = writeln!(out, ".buffer {name} : {values}{comment}");
                }
                (ArgumentKind::Buffer, ArgumentValue::SameAs(_)) => {}
                (ArgumentKind::Local, ArgumentValue::Local(bytes)) => {
                    let _ = writeln!(out, ".local_arg {bytes}{}", argument.comment());
                }
                (ArgumentKind::Value(size), ArgumentValue::Value(bytes))
                    if (self.payload_end(argument).min(size)..=size)
                        .contains(&to_u32(bytes.len())) => {}
                (kind, _) => return Err(wrong_argument(argument, kind)),
            }
        }
        let private = self.private_memory();
        if private != PrivateMemory::default() {
            let _ = writeln!(out, ".private {}", private.global.max(private.scratch));
        }
        out.push_str(&self.data_lines());
        out.push_str(&self.code());
        out.push_str(&self.bindings(values)?);
        Ok(out)
    }

    /// Size of an argument without the padding that the payload lacks.
    fn payload_end(&self, argument: &Argument) -> u32 {
        let payload = self.info.payload_arguments.iter();
        let own = payload.filter(|part| part.arg_index == Some(argument.index));
        let ends = own.map(|part| u32::from(part.source_offset) + u32::from(part.size));
        ends.max().unwrap_or(0)
    }

    /// Checks that launches of the kernel are modeled.
    ///
    /// # Errors
    /// The obstacle.
    pub fn check_launchable(&self) -> Result<(), LaunchError> {
        match self.obstacle() {
            Some(obstacle) => Err(LaunchError(format!(
                "`{}` cannot be launched: {obstacle}",
                self.name
            ))),
            None => Ok(()),
        }
    }

    /// Reason why launches of the kernel are not modeled, if any.
    #[must_use]
    pub fn obstacle(&self) -> Option<String> {
        for argument in &self.arguments {
            let kind = match argument.kind {
                ArgumentKind::Image => "an image",
                ArgumentKind::Sampler => "a sampler",
                _ => continue,
            };
            let name = &argument.name;
            return Some(format!(
                "its argument `{name}` is {kind}, which is not modeled"
            ));
        }
        let mut payload = self.info.payload_arguments.iter();
        if payload.any(|argument| argument.addrspace == "sampler") {
            let what = "it uses a sampler declared in the program, which is not modeled";
            return Some(what.to_owned());
        }
        if let Some(name) = self.data.foreign_address() {
            return Some(format!(
                "its data contain the address of `{name}`, which is not data"
            ));
        }
        if let Some(name) = self.outside_name() {
            return Some(format!(
                "it uses `{name}`, which the program does not contain"
            ));
        }
        let private = self.private_memory();
        (private.global > 0 && private.scratch > 0).then(|| {
            String::from("it needs private memory both in global and in scratch memory, which is not modeled")
        })
    }

    /// A name that the text calls or takes the address of, and that is neither a function nor
    /// data of the program.
    fn outside_name(&self) -> Option<&str> {
        let defined: Vec<&str> = functions::defined(&self.text).collect();
        let addressed = faddr_names(&self.text).filter(|name| !self.data.has(name));
        let mut names = functions::called(&self.text).chain(addressed);
        names.find(|name| !defined.contains(name))
    }

    /// Directives for the data that the kernel uses.
    fn data_lines(&self) -> String {
        let arguments = self.info.payload_arguments.iter();
        let regions = arguments.filter_map(|argument| self.base_region(argument));
        let regions: Vec<&str> = regions.collect();
        let names: Vec<&str> = faddr_names(&self.text).collect();
        self.data.lines(&regions, &names)
    }

    /// The region of data whose address or surface an argument is.
    fn base_region(&self, argument: &PayloadArgument) -> Option<&str> {
        let suffix = argument.arg_type.strip_suffix("_base")?;
        self.data.region(suffix)
    }

    /// Whether the code uses a variable that holds a byte of an argument.
    fn reads(&self, argument: &PayloadArgument, inputs: &[Input<'_>]) -> bool {
        (argument.offset..argument.offset.saturating_add(argument.size)).any(|byte| {
            let place = self.argument_place(u32::from(byte));
            let mut inputs = inputs.iter();
            inputs.any(|input| {
                place.wrapping_sub(input.offset) < input.size && self.uses(input.variable)
            })
        })
    }

    /// Place in the payload of a byte of the cross-thread arguments.
    fn argument_place(&self, offset: u32) -> u32 {
        let grf = u32::from(self.platform.grf_bytes());
        let inline = u32::from(self.info.execution_env.inline_data_payload_size);
        // Without local IDs a register may stay reserved.
        let per_thread = match (self.per_thread_bytes(), self.platform.features()) {
            (0, features) if features.keeps_local_ids => grf,
            (bytes, _) => bytes,
        };
        let start = grf + per_thread;
        let is_split = self.platform.features().aligns_after_inline && (1..grf).contains(&inline);
        match offset.checked_sub(inline) {
            Some(rest) if is_split => start + grf + rest,
            _ => start + offset,
        }
    }

    /// The private memory of a thread.
    fn private_memory(&self) -> PrivateMemory {
        let mut private = PrivateMemory::default();
        for buffer in &self.info.per_thread_memory_buffers {
            let channels = match buffer.is_simt_thread {
                true => u64::from(self.info.execution_env.simd_size),
                false => 1,
            };
            let bytes = buffer.size.saturating_mul(channels);
            match (&*buffer.kind, &*buffer.usage) {
                // The vISA text has no spills.
                (_, "spill_fill_space") => {}
                // %r0 has the address of scratch memory in units of 1 KB.
                ("scratch", _) => {
                    let bytes = bytes.saturating_add(0x3ff) & !0x3ff;
                    private.scratch = private.scratch.saturating_add(bytes);
                }
                _ => private.global = private.global.saturating_add(bytes),
            }
        }
        private
    }

    /// The vISA text without the directives that only the compiler uses.
    fn code(&self) -> String {
        let dropped = [".version", ".input", ".parameter"];
        let lines = self.text.lines().filter(|line| {
            let code = line.trim_start();
            !code.starts_with("//") && !dropped.iter().any(|word| code.starts_with(word))
        });
        let mut out = String::new();
        for line in lines {
            // IGC appends the number of the instruction as a comment.
            out.push_str(line.split("///").next().unwrap_or(line).trim_end());
            out.push('\n');
        }
        out
    }

    /// `.bind` lines for the input variables.
    fn bindings(&self, values: &[ArgumentValue]) -> Result<String, LaunchError> {
        let grf = u32::from(self.platform.grf_bytes());
        let inputs = self.inputs()?;
        let mut out = String::new();
        // Local ids: a block of registers for each dimension.
        let per_thread = self.per_thread_bytes();
        let block = self.local_id_block();
        for input in inputs
            .iter()
            .filter(|i| i.offset >= grf && i.offset < grf + per_thread)
        {
            let place = input.offset - grf;
            let (dimension, channel) = (place / block, place % block / 2);
            let Some(letter) = ["x", "y", "z"].get(usize::try_from(dimension).unwrap_or(3)) else {
                continue;
            };
            let first = match channel {
                0 => String::new(),
                channel => format!("[{channel}]"),
            };
            let _ = writeln!(out, ".bind {} = local_id.{letter}{first}", input.variable);
        }
        // The name of the buffer of an argument.
        let buffer_of = |argument: &Argument| {
            let position = self
                .arguments
                .iter()
                .position(|a| a.index == argument.index);
            let same = match position.and_then(|position| values.get(position)) {
                Some(ArgumentValue::SameAs(other)) => self.arguments.get(*other),
                _ => None,
            };
            same.map_or_else(|| argument.name.clone(), |same| same.name.clone())
        };
        let mut locals = 0;
        for payload in &self.info.payload_arguments {
            let index = payload.arg_index;
            let argument = index.and_then(|index| {
                let found = self.arguments.iter().zip(values);
                let mut found = found.filter(|(argument, _)| argument.index == index);
                found.next()
            });
            let content = match (payload.arg_type.as_str(), argument) {
                ("global_id_offset", _) => Content::Sizes("global_offset"),
                ("local_size", _) => Content::Sizes("local_size"),
                ("enqueued_local_size", _) => Content::Sizes("enqueued_local_size"),
                ("group_count", _) => Content::Sizes("num_groups"),
                ("global_size", _) => Content::Sizes("global_size"),
                ("work_dimensions", _) => Content::Whole(String::from("work_dim")),
                ("arg_bypointer", Some(_)) if payload.addrmode == "slm" => {
                    locals += 1;
                    Content::Whole(format!("&local {}", locals - 1))
                }
                ("arg_bypointer", Some((argument, _))) if payload.addrmode == "bindless" => {
                    Content::Whole(format!("handle {}", buffer_of(argument)))
                }
                ("arg_bypointer" | "buffer_address", Some((argument, _))) => {
                    Content::Whole(format!("&{}", buffer_of(argument)))
                }
                ("arg_byvalue", Some((argument, ArgumentValue::Value(bytes)))) => {
                    let start = usize::from(payload.source_offset);
                    // Parts behind a narrower value are padding.
                    let bytes = bytes.get(start..).unwrap_or(&[]);
                    Content::Bytes(argument, self.element(argument), start, bytes)
                }
                // Offset 0 of whole buffers.
                ("buffer_offset", _) => Content::Zeros,
                // Without memory of its own, the kernel addresses scratch memory.
                ("private_base_stateless", _) if self.private_memory().global == 0 => {
                    Content::Zeros
                }
                ("private_base_stateless", _) => Content::Whole(String::from("&private")),
                ("implicit_arg_buffer", _) => Content::Whole(String::from("&implicit_args")),
                ("printf_buffer", _) => Content::Whole(String::from("&printf")),
                // For the native code that loads the payload and spills registers.
                ("indirect_data_pointer" | "scratch_pointer", _)
                    if !self.reads(payload, &inputs) =>
                {
                    continue;
                }
                ("const_base" | "global_base", _) => match self.base_region(payload) {
                    Some(region) if payload.addrmode == "bindless" => {
                        Content::Whole(format!("handle \"{region}\""))
                    }
                    Some(region) => Content::Whole(format!("&\"{region}\"")),
                    None => continue,
                },
                (kind, _) => {
                    return Err(LaunchError(format!(
                        "`{}` needs the implicit argument `{kind}`, which is not modeled",
                        self.name
                    )));
                }
            };
            let size = u32::from(payload.size);
            // The inline data may end within an argument.
            let split = u32::from(self.info.execution_env.inline_data_payload_size);
            let split = split.saturating_sub(u32::from(payload.offset)).min(size);
            for (first, length) in [(0, split), (split, size - split)] {
                let place = self.argument_place(u32::from(payload.offset) + first);
                // Several variables may share an argument, and several arguments a variable.
                for input in &inputs {
                    let start = place.max(input.offset);
                    let end = (place + length).min(input.offset + input.size);
                    if start >= end {
                        continue;
                    }
                    let is_whole = end - start == input.size;
                    if matches!(content, Content::Zeros) && is_whole {
                        let _ = writeln!(out, ".init {} = splat(0)", input.variable);
                    }
                    for (byte, value) in content.part(first + start - place, end - start) {
                        let element = match start - input.offset + byte {
                            0 => String::new(),
                            offset => format!("[{offset}]"),
                        };
                        let _ = writeln!(out, ".bind {}{element} = {value}", input.variable);
                    }
                }
            }
        }
        for payload in &self.info.payload_arguments {
            if let (Some(entry), Some(region)) = (payload.bti_value, self.base_region(payload)) {
                let _ = writeln!(out, ".bind bti {entry} = \"{region}\"");
            }
        }
        for entry in &self.info.binding_table_indices {
            let argument = self.arguments.iter().find(|a| a.index == entry.arg_index);
            if let Some(argument) = argument {
                let buffer = buffer_of(argument);
                let _ = writeln!(out, ".bind bti {} = {buffer}", entry.bti_value);
            }
        }
        Ok(out)
    }

    /// The scenario of a launch with buffers of the given sizes, without their contents.
    ///
    /// # Errors
    /// If sizes or arguments do not match the kernel.
    pub fn launch_text(
        &self,
        global: Sizes,
        local: Sizes,
        values: &[LaunchValue],
    ) -> Result<String, LaunchError> {
        self.scenario(global, local, &texts(values))
    }

    /// The program of a launch whose buffers hold the given bytes.
    ///
    /// # Errors
    /// If sizes or arguments do not match the kernel.
    pub fn launch(
        &self,
        global: Sizes,
        local: Sizes,
        values: &[LaunchValue],
    ) -> Result<Program, LaunchError> {
        self.launch_at([0; 3], global, local, values)
    }

    /// The program of a launch whose first work-item has the global ID `offset`.
    ///
    /// # Errors
    /// If sizes or arguments do not match the kernel.
    pub fn launch_at(
        &self,
        offset: Sizes,
        global: Sizes,
        local: Sizes,
        values: &[LaunchValue],
    ) -> Result<Program, LaunchError> {
        let text = self.scenario_at(offset, global, local, &texts(values))?;
        let mut program = Program::parse_to_run(&text);
        let buffers = program
            .launch
            .as_ref()
            .map_or(&[][..], |launch| &launch.buffers);
        let buffers = buffers.iter().filter(|buffer| !buffer.is_null);
        let places: Vec<u64> = buffers.map(|buffer| buffer.address).collect();
        let contents = values.iter().filter_map(LaunchValue::content);
        let memory = program
            .start
            .space_mut(lanewise_core::machine::SpaceId::VIRTUAL);
        if let Some(memory) = memory {
            for (address, bytes) in places.into_iter().zip(contents) {
                memory.write(address, bytes);
            }
        }
        Ok(program)
    }
}

/// The value of an argument as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchValue {
    /// The elements of a buffer, as bytes.
    Buffer(ElementType, Vec<u8>),
    /// A NULL pointer in place of a buffer.
    Null,
    /// The buffer of another argument, by position.
    SameAs(usize),
    /// Size of shared local memory, in bytes.
    Local(u64),
    /// The bytes of a value.
    Value(Vec<u8>),
}

impl LaunchValue {
    /// Declaration of a NULL pointer after the name of its buffer.
    pub(crate) const NULL: &str = "ub[0] = null";

    /// The bytes of a buffer.
    pub(crate) fn content(&self) -> Option<&Vec<u8>> {
        match self {
            Self::Buffer(_, bytes) => Some(bytes),
            Self::Null | Self::SameAs(_) | Self::Local(_) | Self::Value(_) => None,
        }
    }
}

/// Arguments for a scenario, whose buffers are filled afterwards.
fn texts(values: &[LaunchValue]) -> Vec<ArgumentValue> {
    let texts = values.iter().map(|value| match value {
        LaunchValue::Buffer(ty, bytes) => {
            let elements = bytes.len() / usize::from(ty.bytes());
            ArgumentValue::Buffer(format!("{}[{elements}]", ty.name()))
        }
        LaunchValue::Null => ArgumentValue::Buffer(String::from(LaunchValue::NULL)),
        LaunchValue::SameAs(other) => ArgumentValue::SameAs(*other),
        LaunchValue::Local(bytes) => ArgumentValue::Local(*bytes),
        LaunchValue::Value(bytes) => ArgumentValue::Value(bytes.clone()),
    });
    texts.collect()
}

fn wrong_argument(argument: &Argument, kind: ArgumentKind) -> LaunchError {
    let wanted = match kind {
        ArgumentKind::Buffer => String::from("a buffer"),
        ArgumentKind::Local => String::from("a size of local memory"),
        kind => format!("a {kind}"),
    };
    let (index, name) = (argument.index, &argument.name);
    LaunchError(format!("argument {index} (`{name}`) takes {wanted}"))
}

/// Content of a payload argument.
enum Content<'v> {
    /// Zeros, which need no `.bind`.
    Zeros,
    /// A value of `.bind` that one variable takes.
    Whole(String),
    /// Sizes in three dimensions, by their name in `.bind`.
    Sizes(&'static str),
    /// The bytes of an argument's value from an offset on, and its element type.
    Bytes(&'v Argument, ElementType, usize, &'v [u8]),
}

impl Content<'_> {
    /// Values for `.bind` of a range of bytes, each with its offset in the range.
    fn part(&self, start: u32, length: u32) -> Vec<(u32, String)> {
        match self {
            Self::Zeros => Vec::new(),
            Self::Whole(value) if start == 0 => vec![(0, value.clone())],
            // Registers above the address of a buffer are not used.
            Self::Whole(_) => Vec::new(),
            Self::Sizes(name) => match start / 4 {
                0 => vec![(0, String::from(*name))],
                1 => vec![(0, format!("{name}.y"))],
                _ => vec![(0, format!("{name}.z"))],
            },
            Self::Bytes(argument, element, offset, bytes) => {
                let index = |byte: u32| usize::try_from(byte).unwrap_or(usize::MAX);
                let size = offset + bytes.len();
                let bytes = bytes.get(index(start)..).unwrap_or(&[]);
                let length = index(length).min(bytes.len());
                let start = offset + index(start);
                numbers(argument, *element, &bytes[..length], start, size)
            }
        }
    }
}

/// The bytes of a part of a value as numbers for `.bind`, each with its offset in the part.
/// `start` is the offset of the part in the value, and `size` the size of the value.
fn numbers(
    argument: &Argument,
    element: ElementType,
    bytes: &[u8],
    start: usize,
    size: usize,
) -> Vec<(u32, String)> {
    let is_whole = bytes.len() == size && size == usize::from(element.bytes());
    let mut numbers = Vec::new();
    let mut rest = bytes;
    let mut offset = 0;
    while !rest.is_empty() {
        let size = [8, 4, 2, 1].into_iter().find(|size| *size <= rest.len());
        let size = size.expect("the rest is not empty");
        let own = usize::from(element.bytes());
        let (size, ty) = match size {
            size if argument.ty.is_some() && own <= size => (own, element),
            8 => (8, ElementType::Uq),
            4 => (4, ElementType::Ud),
            2 => (2, ElementType::Uw),
            size => (size, ElementType::Ub),
        };
        let (now, later) = rest.split_at(size);
        let text = literal(little_endian(now), ty);
        let mut comment = argument.comment();
        if !is_whole && !comment.is_empty() {
            let place = start + usize::try_from(offset).expect("values are small");
            comment += &format!("[{}]", place / size);
        }
        numbers.push((offset, format!("{text}:{}{comment}", ty.name())));
        offset += u32::try_from(size).expect("at most 8");
        rest = later;
    }
    numbers
}
