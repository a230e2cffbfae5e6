//! Kernels of listings and objects, which lack `.ze_info`: the `.input` lines give the
//! places and types of the arguments, and compiled programs show which content has such a
//! place (observed on SKL, TGLLP, DG2 and PVC). Names are those of variables.

use super::{
    BindingTableIndex, ExecutionEnvironment, Input, Kernel, KernelInfo, LaunchError,
    PayloadArgument, arguments,
};
use crate::{Content, Function, scenario};
use lanewise_core::ide::opencl_name;
use lanewise_core::isa::Target;
use lanewise_core::number::ElementType;
use std::sync::Arc;

/// How to get a file that has all that a launch needs.
const COMPILE: &str =
    "open the program that ocloc writes with -internal_options -ze-emit-zebin-visa-sections";

/// Local memory of a kernel that mentions it; listings lack the size.
const LOCAL_BYTES: u64 = 1 << 16;

/// Content of an input by its size, type and number of elements: type and address mode in
/// `.ze_info`.
const CONTENTS: [(u32, &str, u32, &str, &str); 4] = [
    (8, "uq", 1, "arg_bypointer", "stateless"),
    (4, "ud", 1, "arg_bypointer", "slm"),
    (12, "d", 3, "enqueued_local_size", ""),
    (32, "d", 8, "global_id_offset", ""),
];

impl Kernel {
    /// The kernel of a vISA function with `.input` lines.
    ///
    /// # Errors
    /// Names what is missing from the file.
    pub fn of_function(function: &Function) -> Result<Self, LaunchError> {
        let Target::Visa(platform) = function.target else {
            return Err(LaunchError(String::from(
                "only vISA kernels can be launched",
            )));
        };
        let name = &function.name;
        let mut contents = function.items.iter().map(|item| &item.content);
        if let Some(Content::Unreadable(why)) =
            contents.find(|content| matches!(content, Content::Unreadable(_)))
        {
            return Err(LaunchError(format!("`{name}` cannot be launched: {why}")));
        }
        let lacks = |what: &str| lacks(name, what);
        let attribute = function.declarations.iter().find_map(|line| {
            let attribute = line.trim().strip_prefix(".kernel_attr")?.trim();
            attribute.strip_prefix("SimdSize=")?.trim().parse().ok()
        });
        let simd_size: u8 = attribute.ok_or_else(|| lacks("attribute SimdSize"))?;
        if ![1, 8, 16, 32].contains(&simd_size) {
            return Err(lacks("valid attribute SimdSize"));
        }
        let mut text = function.declarations.join("\n");
        text.push('\n');
        text += &scenario::instructions(function, text.len());
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let has_local = words.any(|word| word == "slm");
        let mut kernel = Self {
            name: name.clone(),
            arguments: Vec::new(),
            info: KernelInfo {
                name: name.clone(),
                execution_env: ExecutionEnvironment {
                    simd_size,
                    slm_size: if has_local { LOCAL_BYTES } else { 0 },
                    barrier_count: 0,
                    inline_data_payload_size: 0,
                    required_work_group_size: None,
                },
                payload_arguments: Vec::new(),
                per_thread_payload_arguments: Vec::new(),
                binding_table_indices: Vec::new(),
                per_thread_memory_buffers: Vec::new(),
            },
            text,
            data: Arc::default(),
            platform,
            notes: function.notes.clone(),
        };
        if let Some(name) = super::faddr_names(&kernel.text).next() {
            return Err(lacks(&format!("data `{name}`")));
        }
        kernel.read_inputs()?;
        Ok(kernel)
    }

    /// Derives payload, arguments and notes from the `.input` lines.
    fn read_inputs(&mut self) -> Result<(), LaunchError> {
        let grf = u32::from(self.platform.grf_bytes());
        let mut inputs = self.inputs()?;
        // Places count from the first argument, in any order of the lines.
        inputs.sort_by_key(|input| input.offset);
        let mut payload = Vec::new();
        let mut sizes = Vec::new();
        let mut values = Vec::new();
        let mut per_thread = 0;
        let mut cross_thread = None;
        for input in inputs.iter().filter(|input| input.offset >= grf) {
            let (ty, elements) = self.declared(input).ok_or_else(|| {
                let what = format!("declaration of `{}`", input.variable);
                lacks(&self.name, &what)
            })?;
            // Local IDs: a word for each channel, before everything else.
            if cross_thread.is_none() && elements >= 8 && matches!(ty, "w" | "uw") {
                per_thread = input.offset - grf + input.size;
                continue;
            }
            let start = *cross_thread.get_or_insert(input.offset);
            let place = (input.size, ty, elements);
            let content = CONTENTS
                .iter()
                .find(|content| (content.0, content.1, content.2) == place);
            let (kind, mode) =
                content.map_or(("arg_byvalue", ""), |content| (content.3, content.4));
            let offset = input.offset - start;
            let mut add = |kind: &str, offset: u32, size: u32, is_argument: bool| {
                let index = payload
                    .iter()
                    .filter(|p: &&PayloadArgument| p.arg_index.is_some());
                let index = u32::try_from(index.count()).expect("a text has few inputs");
                let small = |n: u32| u16::try_from(n).expect("less than an offset of 16 bits");
                payload.push(PayloadArgument {
                    arg_type: kind.to_owned(),
                    offset: small(offset),
                    size: small(size),
                    arg_index: is_argument.then_some(index),
                    addrmode: mode.to_owned(),
                    ..PayloadArgument::default()
                });
            };
            match kind {
                "global_id_offset" => {
                    add(kind, offset, 12, false);
                    add("local_size", offset + 12, 12, false);
                }
                "enqueued_local_size" => {
                    sizes.push(input.variable.to_owned());
                    add(kind, offset, 12, false);
                }
                _ => {
                    add(kind, offset, input.size, true);
                    values.push((input.variable.to_owned(), ty.to_owned()));
                }
            }
        }
        if payload.is_empty() {
            return Err(lacks(&self.name, ".input lines of arguments"));
        }
        // With one, it is the local size in all compiled kernels; with two, the first may
        // be the global size as well.
        if sizes.len() > 1 {
            let what = format!("names for its sizes ({})", sizes.join(", "));
            return Err(lacks(&self.name, &what));
        }
        // Without local IDs, registers may stay reserved.
        let per_thread = cross_thread.map_or(per_thread, |start| start - grf);
        self.info.per_thread_payload_arguments = vec![PayloadArgument {
            arg_type: String::from("local_id"),
            size: u16::try_from(per_thread).expect("less than an offset of 16 bits"),
            ..PayloadArgument::default()
        }];
        self.info.payload_arguments = payload;
        self.arguments = arguments(&self.info, &[]);
        for (argument, (variable, ty)) in self.arguments.iter_mut().zip(values) {
            argument.name = variable;
            let is_number = matches!(argument.kind, super::ArgumentKind::Value(_));
            argument.ty = is_number
                .then(|| Some(opencl_name(ElementType::named(&ty)?).to_owned()))
                .flatten();
        }
        let buffers = self
            .arguments
            .iter()
            .filter(|a| a.kind == super::ArgumentKind::Buffer);
        let entries = (0..)
            .zip(buffers)
            .map(|(bti_value, buffer)| BindingTableIndex {
                bti_value,
                arg_index: buffer.index,
            });
        self.info.binding_table_indices = entries.collect();
        self.notes.extend(self.unknown(&sizes));
        Ok(())
    }

    /// Type and number of elements of the variable of an input.
    pub(super) fn declared(&self, input: &Input<'_>) -> Option<(&str, u32)> {
        let mut lines = self.text.lines();
        lines.find_map(|line| {
            let mut words = line.trim().strip_prefix(".decl ")?.split_whitespace();
            if words.next()? != input.variable {
                return None;
            }
            let field = |name: &str| {
                let mut words = words.clone();
                words.find_map(|word| word.strip_prefix(name))
            };
            Some((field("type=")?, field("num_elts=")?.parse().ok()?))
        })
    }

    /// Notes for the reader of the scenario on information missing from the file.
    fn unknown(&self, sizes: &[String]) -> Vec<String> {
        let mut notes = vec![String::from(
            "Not in the file: names, order and lengths of the arguments, element types of buffers.",
        )];
        let names = |kind| -> Vec<&str> {
            let arguments = self.arguments.iter();
            let arguments = arguments.filter(|argument| argument.kind == kind);
            arguments.map(|argument| argument.name.as_str()).collect()
        };
        let buffers = names(super::ArgumentKind::Buffer);
        if !buffers.is_empty() {
            notes.push(format!(
                "Assumed: {} are buffers, with the binding table indices 0, 1, … in this order. One may be private memory.",
                buffers.join(", ")
            ));
        }
        let locals = names(super::ArgumentKind::Local);
        if !locals.is_empty() {
            notes.push(format!(
                "Assumed: {} are pointers to local memory. They may be values of type uint.",
                locals.join(", ")
            ));
        }
        if !sizes.is_empty() {
            notes.push(format!(
                "Assumed: {} is the local size. It may be the global size or the number of work-groups.",
                sizes.join(", ")
            ));
        }
        if self.info.execution_env.slm_size > 0 {
            notes.push(format!(
                "Assumed: the kernel has {LOCAL_BYTES} bytes of local memory."
            ));
        }
        notes
    }
}

fn lacks(name: &str, what: &str) -> LaunchError {
    LaunchError(format!("`{name}` has no {what}; {COMPILE}"))
}
