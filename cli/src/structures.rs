//! Structures as `--arg` gives them: the values of their fields in order. The source of a kernel
//! declares the fields.

use crate::arg_text::{buffer_text, length_of, name_and_value, push_number, typed};
use crate::input::Source;
use crate::{CliError, compiler};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::ide::{kernel_parameters, type_layout};
use lanewise_core::number::{ElementType, literal, little_endian};
use lanewise_core::program::{NULL, Program, StructField, TypeLayout, UNDEFINED};
use lanewise_core::text::counted;
use lanewise_files::zebin::Argument;
use std::collections::BTreeMap;
use std::path::Path;

/// The types that the source of a kernel declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeclaredTypes {
    /// Text of the source; `None` for a compiled program.
    source: Option<String>,
    is_cuda: bool,
    /// Layouts of the buffers of structures, by the argument as `--arg` names it.
    buffers: BTreeMap<String, TypeLayout>,
}

impl DeclaredTypes {
    /// The types of the source at a path, none if it is not a source, and the arguments of a
    /// launch with its buffers of structures written as buffers of numbers.
    pub(crate) fn read(path: &Path, arguments: &[String]) -> Result<(Self, Vec<String>), CliError> {
        let source = compiler::is_source(path).then(|| Source::read(path));
        let mut types = Self {
            source: source.transpose()?.map(|source| source.text),
            is_cuda: path.extension().is_some_and(|extension| extension == "cu"),
            buffers: BTreeMap::new(),
        };
        let arguments = types.expand_buffers(arguments)?;
        Ok((types, arguments))
    }

    #[cfg(test)]
    pub(crate) fn of(source: &str) -> Self {
        Self {
            source: Some(source.to_owned()),
            ..Self::default()
        }
    }

    /// The layout of a type by name.
    ///
    /// # Errors
    /// Fails without a source, and for a type that the source does not declare in a supported form.
    pub(crate) fn layout(&self, name: &str) -> Result<TypeLayout, String> {
        let source = self.source.as_deref();
        let source = source.ok_or("the fields are not known without the source")?;
        type_layout(name, source, self.is_cuda).map_err(|error| error.to_string())
    }

    /// Names of the parameters of a kernel with a number of them, if the source declares it.
    pub(crate) fn parameters(&self, kernel: &str, count: usize) -> Option<Vec<String>> {
        let names = kernel_parameters(self.source.as_deref()?, kernel, count)?;
        Some(names.into_iter().map(String::from).collect())
    }

    /// Names places in the buffers of a launch by the fields of their structures.
    pub(crate) fn name_fields(&self, program: &mut Program, arguments: &[Argument]) {
        let buffers = program.launch.iter_mut();
        for buffer in buffers.flat_map(|launch| &mut launch.buffers) {
            let argument = arguments.iter().find(|a| a.name == buffer.name);
            buffer.structure = argument.and_then(|argument| self.structure(argument));
        }
    }

    /// The structure that the buffer of an argument holds: by the type that `--arg` gives, or
    /// else the declared one.
    fn structure(&self, argument: &Argument) -> Option<TypeLayout> {
        let index = argument.index.to_string();
        let mut given = [&argument.name, &index].into_iter();
        let given = given.find_map(|name| self.buffers.get(name)).cloned();
        let declared = || self.layout(argument.ty.as_deref()?).ok();
        given.or_else(declared).filter(|layout| layout.is_struct)
    }

    /// Writes buffers of structures, `P[3]` or `{float x; int id;}[3]`, as buffers of numbers.
    fn expand_buffers(&mut self, texts: &[String]) -> Result<Vec<String>, CliError> {
        let texts = texts.iter().map(|text| {
            let Ok((name, value)) = name_and_value(text, "VALUE") else {
                return Ok(text.clone());
            };
            match self.expanded(value) {
                Some(Ok((layout, value))) => {
                    self.buffers.insert(name.to_owned(), layout);
                    Ok(format!("{name}={value}"))
                }
                Some(Err(why)) => Err(CliError(format!("`{text}`: {why}"))),
                None => Ok(text.clone()),
            }
        });
        texts.collect()
    }

    /// The layout and value of a buffer of structures, or `None` for other values.
    fn expanded(&self, value: &str) -> Option<Result<(TypeLayout, String), String>> {
        let (name, length, values) = buffer_text(value).ok()?;
        let source = self.source.as_deref().unwrap_or("");
        let layout = match type_layout(name, source, self.is_cuda) {
            Ok(layout) if layout.is_struct => layout,
            Ok(_) => return None,
            Err(error) if error.is_in_source || name.starts_with('{') => {
                return Some(Err(error.to_string()));
            }
            Err(_) => return None,
        };
        let value = length_of(length).and_then(|length| buffer_of(&layout, length, values));
        Some(value.map(|value| (layout, value)))
    }
}

/// A buffer of structures as one of numbers.
fn buffer_of(layout: &TypeLayout, length: u64, values: Option<&str>) -> Result<String, String> {
    let first = layout.fields.first().ok_or("the structure has no fields")?;
    let first = first.element;
    let all = layout.fields.len() * usize::from(first.bytes());
    let is_uniform = layout.fields.iter().all(|field| field.element == first)
        && u32::try_from(all) == Ok(layout.size);
    let ty = match layout.size % 4 {
        _ if is_uniform => first,
        0 => ElementType::Ud,
        _ => ElementType::Ub,
    };
    let count = length.saturating_mul(u64::from(layout.size) / u64::from(ty.bytes()));
    let head = format!("{}[{count}]", ty.name());
    let Some(values) = values else {
        return Ok(head);
    };
    // A sequence such as `iota(0, 1)`; numbers have no parentheses.
    let is_sequence = values.contains('(');
    if [UNDEFINED, NULL].contains(&values) || values.starts_with('@') || is_uniform && is_sequence {
        return Ok(format!("{head}={values}"));
    }
    let fields = listed(&layout.fields);
    let help = format!("write {fields} for each element, or =@FILE");
    if is_sequence {
        return Err(format!("`{values}` fills only numbers of one type: {help}"));
    }
    let numbers: Vec<&str> = values.split(',').map(str::trim).collect();
    let fields = layout.fields.len();
    let expected = length.saturating_mul(fields as u64);
    if expected != numbers.len() as u64 {
        return Err(format!(
            "expected {}, found {}: {help}",
            counted(expected, "value"),
            numbers.len(),
        ));
    }
    let size = usize::from(ty.bytes());
    let mut words = Vec::new();
    for numbers in numbers.chunks(fields) {
        let bytes = bytes_of(layout, numbers)?;
        let elements = bytes.chunks_exact(size);
        words.extend(elements.map(|bytes| literal(little_endian(bytes), ty)));
    }
    Ok(format!("{head}={}", words.join(", ")))
}

/// The first `size` bytes of a type, from the values of its fields. The compiler leaves out
/// the last fields if the kernel does not read them.
pub(crate) fn value_of(layout: &TypeLayout, size: u32, text: &str) -> Result<Vec<u8>, String> {
    let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
    let fields = layout.fields.len();
    if numbers.len() != fields {
        return Err(format!(
            "{} has {}, found {}: write {}, such as {}",
            quoted_name(layout),
            counted(fields as u64, "field"),
            counted(numbers.len() as u64, "value"),
            listed(&layout.fields),
            example(layout),
        ));
    }
    if size > layout.size {
        return Err(format!(
            "{} has {} in the source, but {size} in the compiled kernel",
            quoted_name(layout),
            counted(layout.size, "byte"),
        ));
    }
    let mut bytes = bytes_of(layout, &numbers)?;
    bytes.truncate(to_usize(size));
    Ok(bytes)
}

/// Values of all fields, such as `1,1.0`.
pub(crate) fn example(layout: &TypeLayout) -> String {
    let values = layout
        .fields
        .iter()
        .map(|field| example_value(field.element));
    values.collect::<Vec<_>>().join(",")
}

fn example_value(element: ElementType) -> &'static str {
    match element.is_float() {
        true => "1.0",
        false => "1",
    }
}

fn quoted_name(layout: &TypeLayout) -> String {
    format!("`{}`", layout.name)
}

/// Names and types of fields: ``a (`int`), b (`float`)``.
fn listed(fields: &[StructField]) -> String {
    /// Most fields that are listed.
    const FIELDS: usize = 12;
    let shown = fields.iter().take(FIELDS);
    let shown = shown.map(|field| format!("{} (`{}`)", field.path, field.ty));
    let mut shown: Vec<String> = shown.collect();
    if fields.len() > FIELDS {
        shown.push(String::from("…"));
    }
    shown.join(", ")
}

/// The bytes of a type from a value for each of its fields. Padding is zero.
fn bytes_of(layout: &TypeLayout, numbers: &[&str]) -> Result<Vec<u8>, String> {
    let mut bytes = vec![0; to_usize(layout.size)];
    for (field, text) in layout.fields.iter().zip(numbers) {
        let value = field_bytes(field.element, text).map_err(|why| match &*field.path {
            "" => format!("{}: {why}", quoted_name(layout)),
            path => format!(
                "field `{path}` (`{}`) of {}: {why}; write, for example, {}",
                field.ty,
                quoted_name(layout),
                example_value(field.element)
            ),
        })?;
        let start = to_usize(field.offset);
        bytes[start..start + value.len()].copy_from_slice(&value);
    }
    Ok(bytes)
}

fn field_bytes(element: ElementType, text: &str) -> Result<Vec<u8>, String> {
    let (number, named) = typed(text)?;
    if named.is_some_and(|named| named != element) {
        return Err(format!("`{text}` names another type"));
    }
    let mut bytes = Vec::new();
    push_number(number, element, &mut bytes)?;
    Ok(bytes)
}

/// The bytes of a structure whose declaration is not known, by its fields with their types, such
/// as `1.5:float, 3:int`, each at a multiple of its size.
pub(crate) fn undeclared(size: u32, text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut alignment = 1;
    for field in text.split(',').map(str::trim) {
        let (number, ty) = typed(field)?;
        let ty = ty.ok_or_else(|| {
            format!(
                "the {size} bytes of a structure need the types of all fields, such as \
                 1.5:float, 3:int"
            )
        })?;
        let own = usize::from(ty.bytes());
        alignment = alignment.max(own);
        bytes.resize(bytes.len().next_multiple_of(own), 0);
        push_number(number, ty, &mut bytes)?;
    }
    bytes.resize(bytes.len().next_multiple_of(alignment), 0);
    match u32::try_from(bytes.len()) == Ok(size) {
        true => Ok(bytes),
        false => Err(format!(
            "the argument has {size} bytes, these fields have {}; padding for vectors is given as \
             fields, such as 0:int",
            bytes.len()
        )),
    }
}
