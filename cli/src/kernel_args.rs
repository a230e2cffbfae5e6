//! Arguments of a kernel as `--arg` gives them. The declared type of an argument decides
//! how its value is read.

use crate::arg_text::{
    buffer_parts, element_type, is_bit_pattern, name_and_value, push_number, typed,
};
use crate::input::MAX_FILE;
use crate::structures::{self, DeclaredTypes};
use crate::{CliError, mangled, render};
use lanewise_core::diagnostic::to_usize;
use lanewise_core::ide::{LaunchForm, ValueKind, opencl_name};
use lanewise_core::machine::SpaceId;
use lanewise_core::number::{ElementType, is_float_literal, literal, little_endian, show};
use lanewise_core::program::{NULL, Program, TypeLayout, UNDEFINED};
use lanewise_core::text::counted;
use lanewise_files::zebin::{Argument, ArgumentKind, Kernel, LaunchValue};
use lanewise_files::{WarpKernel, WarpParameter, WarpProgram};

/// Reads the values of all arguments, in the order of the kernel.
pub(crate) fn values(
    kernel: &str,
    arguments: &[Argument],
    texts: &[String],
    types: &DeclaredTypes,
) -> Result<Vec<LaunchValue>, CliError> {
    let mut values: Vec<Option<LaunchValue>> = vec![None; arguments.len()];
    for text in texts {
        let (position, argument, value) = assignment(kernel, arguments, text, "VALUE")?;
        let error = |why: String| CliError(format!("{}: {why}", described(argument)));
        let value = value_of(argument, value.trim(), types).map_err(error)?;
        if values[position].replace(value).is_some() {
            return Err(error(String::from("given more than once")));
        }
    }
    let given = values.iter().zip(arguments);
    let lacking = given.filter(|(value, _)| value.is_none());
    let lacking: Vec<Argument> = lacking.map(|(_, argument)| argument.clone()).collect();
    match lacking.is_empty() {
        true => Ok(values.into_iter().flatten().collect()),
        false => Err(missing(kernel, &lacking, types)),
    }
}

/// Error for arguments without a value, with an example of each.
pub(crate) fn missing(kernel: &str, arguments: &[Argument], types: &DeclaredTypes) -> CliError {
    /// Work-items of the launch that the examples are for.
    const ITEMS: u32 = 64;
    let options = arguments.iter().map(|argument| {
        let layout = match argument.kind {
            ArgumentKind::Value(_) => declared_layout(argument, types).and_then(Result::ok),
            _ => None,
        };
        let value = layout.map_or_else(|| example(argument, ITEMS), |l| structures::example(&l));
        let value = quoted(&value);
        format!("--arg {}={value}", argument.index)
    });
    CliError(format!(
        "missing {} of `{kernel}`: {}; add, for example, {}",
        if arguments.len() == 1 {
            "argument"
        } else {
            "arguments"
        },
        listed(arguments),
        options.collect::<Vec<_>>().join(" ")
    ))
}

/// Lists arguments: ``0 (`float *out`), 1 (`uint n`)``.
fn listed(arguments: &[Argument]) -> String {
    let arguments = arguments.iter();
    let arguments = arguments.map(|a| format!("{} (`{}`)", a.index, a.declaration()));
    arguments.collect::<Vec<_>>().join(", ")
}

/// Splits `N=VALUE` and finds the argument; `value` is the placeholder in the error.
pub(crate) fn assignment<'k, 't>(
    kernel: &str,
    arguments: &'k [Argument],
    text: &'t str,
    value: &str,
) -> Result<(usize, &'k Argument, &'t str), CliError> {
    let (name, value) = name_and_value(text, value)?;
    let number = name.strip_prefix("arg").unwrap_or(name);
    let is_numbered = |argument: &Argument| argument.index.to_string() == number;
    let named = arguments.iter().position(|argument| argument.name == name);
    let found = named.or_else(|| arguments.iter().position(is_numbered));
    let position = found.ok_or_else(|| {
        CliError(match arguments {
            [] => format!("`{kernel}` has no arguments, found `{name}`"),
            _ => format!(
                "`{kernel}` has no argument `{name}`; it has {}",
                listed(arguments)
            ),
        })
    })?;
    let argument = &arguments[position];
    Ok((position, argument, value))
}

/// Marks the buffers of a launch whose content is given as undefined.
pub(crate) fn mark_undefined(
    kernel: &str,
    arguments: &[Argument],
    texts: &[String],
    program: &mut Program,
) -> Result<(), CliError> {
    for text in texts {
        let (_, argument, value) = assignment(kernel, arguments, text, "VALUE")?;
        let is_undefined = buffer_parts(value).is_ok_and(|(.., values)| values == Some(UNDEFINED));
        let buffers = program.launch.iter_mut().flat_map(|l| &mut l.buffers);
        for buffer in buffers.filter(|buffer| is_undefined && buffer.name == argument.name) {
            buffer.is_undefined = true;
        }
    }
    Ok(())
}

/// Size of an address.
pub(crate) const ADDRESS: u32 = 8;

/// The arguments of a kernel whose file has neither names nor types: a number is a position,
/// a name stands for the position of its option, and the text of a value decides its kind.
/// `known` are the parameters, if the file has them.
pub(crate) fn untyped(
    kernel: &WarpKernel,
    known: Option<&[WarpParameter]>,
    texts: &[String],
) -> Result<Vec<Argument>, CliError> {
    /// Size of a number without a type.
    const NUMBER: u32 = 4;
    let names = kernel.parameter_names();
    let kernel_name = mangled::plain(&kernel.name);
    let count = known.map_or(texts.len(), <[WarpParameter]>::len);
    let mut arguments: Vec<Option<Argument>> = vec![None; count];
    for (option, text) in texts.iter().enumerate() {
        let (name, value) = name_and_value(text, "VALUE")?;
        let found = kernel.position_of(name);
        let position = match found {
            Some(position) => position,
            None if names.is_empty() => option,
            None => {
                let known = names.join(", ");
                return Err(CliError(format!(
                    "`{kernel_name}` has no parameter `{name}`; it has {known}"
                )));
            }
        };
        let Some(place) = arguments.get_mut(position) else {
            return Err(CliError(match known {
                Some(known) => format!(
                    "`{kernel_name}` has {}, no argument `{name}`",
                    counted(known.len() as u64, "parameter")
                ),
                None => format!("argument `{name}` follows a missing one"),
            }));
        };
        let size = known.map(|known| known[position].size);
        let value = value.trim();
        let kind = if value.starts_with("local(") {
            ArgumentKind::Local
        } else if value.contains('[') || value == NULL {
            ArgumentKind::Buffer
        } else {
            let named = value.rsplit_once(':');
            let named = named.and_then(|(_, ty)| Some(element_type(ty.trim()).ok()?.0));
            let own = named.map_or(NUMBER, |ty| u32::from(ty.bytes()));
            ArgumentKind::Value(size.unwrap_or(own))
        };
        let argument = Argument {
            index: u32::try_from(position).expect("a kernel has few parameters"),
            name: match (found, names.get(position)) {
                (_, Some(declared)) => declared.clone(),
                (Some(position), None) => format!("arg{position}"),
                (None, None) => name.to_owned(),
            },
            ty: None,
            kind,
        };
        if let Some(size) =
            size.filter(|size| !matches!(kind, ArgumentKind::Value(_)) && *size != ADDRESS)
        {
            return Err(CliError(format!(
                "{}: the parameter has {size} bytes, but an address has {ADDRESS}",
                described(&argument)
            )));
        }
        if place.replace(argument).is_some() {
            return Err(CliError(format!(
                "argument {position} is given more than once"
            )));
        }
    }
    let position = |index: usize| u32::try_from(index).expect("a kernel has few parameters");
    let lacking = arguments.iter().enumerate();
    let lacking = lacking.filter(|(_, argument)| argument.is_none());
    let lacking = lacking.map(|(index, _)| match known {
        Some(known) => kernel.argument(position(index), &known[index]),
        None => Argument {
            index: position(index),
            name: format!("arg{index}"),
            ty: None,
            kind: ArgumentKind::Value(NUMBER),
        },
    });
    let lacking: Vec<Argument> = lacking.collect();
    match lacking.is_empty() {
        true => Ok(arguments.into_iter().flatten().collect()),
        false => Err(missing(&kernel_name, &lacking, &DeclaredTypes::default())),
    }
}

/// A value that `--arg` takes for an argument of a launch of so many work-items.
pub(crate) fn example(argument: &Argument, items: u32) -> String {
    let declared = argument.declared_element();
    let untyped = opencl_name(WarpProgram::UNTYPED);
    let name = argument.ty.as_deref().unwrap_or(untyped);
    let name = name.trim_start_matches("const ").trim_end_matches('*');
    match (argument.kind, declared) {
        (ArgumentKind::Local, _) => format!("local({})", u64::from(items) * 4),
        (ArgumentKind::Buffer, Some(_)) => format!("{}[{items}]", name.trim_end()),
        (ArgumentKind::Buffer, None) => format!("{untyped}[{items}]"),
        (ArgumentKind::Value(_), Some((ty, components))) => {
            let number = match ty.is_float() {
                true => String::from("1.0"),
                false => items.to_string(),
            };
            vec![number; to_usize(components)].join(",")
        }
        (ArgumentKind::Value(1 | 2 | 4 | 8), None) => items.to_string(),
        (ArgumentKind::Value(_), None) | (ArgumentKind::Image | ArgumentKind::Sampler, _) => {
            String::from("…")
        }
    }
}

/// Whether the text of a value does not say the type of its numbers.
pub(crate) fn is_untyped(text: &str) -> bool {
    let mut numbers = text.split(',').map(str::trim);
    numbers.all(|number| !number.contains(':') && !is_bit_pattern(number))
}

/// Refuses a number with a fraction for a parameter that the code reads as an integer.
pub(crate) fn refuse_fraction(
    argument: &Argument,
    parameter: &WarpParameter,
    text: &str,
) -> Result<(), CliError> {
    let ty = undeclared_type(text, parameter.size).filter(|ty| ty.is_float());
    match (parameter.integer, ty) {
        (Some(opcode), Some(ty)) => Err(CliError(format!(
            "{}: expected a whole number, found `{text}`: {opcode} reads the parameter as an \
             integer; to pass the bits of a float, write {text}:{}",
            described(argument),
            opencl_name(ty)
        ))),
        _ => Ok(()),
    }
}

/// Gives an argument the inferred type of its parameter, unless its text names one. Returns a
/// note if the text would be of another type by its spelling.
///
/// # Errors
/// If the type in the text has another size.
pub(crate) fn take_inferred(
    argument: &mut Argument,
    parameter: &WarpParameter,
    text: Option<&str>,
) -> Result<Option<String>, CliError> {
    let (Some(inferred), Some(ty)) = (parameter.inferred, parameter.type_name()) else {
        return Ok(None);
    };
    let (opcode, size) = (inferred.opcode, parameter.size);
    let Some(text) = text else {
        let given = match argument.kind {
            ArgumentKind::Value(given) => given,
            _ => ADDRESS,
        };
        return match given == size {
            true => Ok(None),
            false => Err(CliError(format!(
                "{}: the parameter is a {ty} ({size} bytes, inferred from {opcode}), but the \
                 argument has {given} bytes",
                described(argument)
            ))),
        };
    };
    argument.ty = Some(ty);
    argument.kind = ArgumentKind::Value(size);
    let is_same = undeclared_type(text, size) == Some(inferred.ty);
    Ok((!is_same).then(|| {
        let described = described(argument);
        format!("{described}: the type is inferred from {opcode}; to choose another, write for example 2:int")
    }))
}

/// The arguments of a kernel with the inferred types of the numbers whose type neither the file
/// nor the source nor the text says. Notes those that would have another type by their spelling.
pub(crate) fn with_inferred(
    kernel: &Kernel,
    texts: &[String],
    types: &DeclaredTypes,
) -> Result<Vec<Argument>, CliError> {
    let mut arguments = kernel.arguments.clone();
    for text in texts {
        let (position, argument, value) =
            assignment(&kernel.name, &kernel.arguments, text, "VALUE")?;
        let (ArgumentKind::Value(size), Some(float)) =
            (argument.kind, kernel.inferred_float(argument))
        else {
            continue;
        };
        let is_known = declared_layout(argument, types).is_some_and(|layout| layout.is_ok());
        if is_known || !is_untyped(value.trim()) {
            continue;
        }
        let name = opencl_name(float);
        arguments[position].ty = Some(name.to_owned());
        if undeclared_type(value.trim(), size) != Some(float) {
            render::say(&format!(
                "note: {}: the type is {name}, inferred from the variable of the kernel; to \
                 choose another, write for example 2:int",
                described(argument)
            ));
        }
    }
    Ok(arguments)
}

/// A word of a command line, in quotes if a shell would change it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/:,+@%=…".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Formats an argument in a message: ``argument 3 (`uint n`)``.
pub(crate) fn described(argument: &Argument) -> String {
    format!("argument {} (`{}`)", argument.index, argument.declaration())
}

/// Formats the bytes of a value by its declared type.
pub(crate) fn shown(argument: &Argument, bytes: &[u8]) -> String {
    let (ty, _) = argument.element();
    let elements = bytes.chunks_exact(ty.bytes().into());
    let elements = elements.map(|element| show(little_endian(element), ty));
    elements.collect::<Vec<_>>().join(", ")
}

/// The layout of the declared type of an argument, if it has one that is not a number or vector.
fn declared_layout(
    argument: &Argument,
    types: &DeclaredTypes,
) -> Option<Result<TypeLayout, String>> {
    let name = argument.ty.as_deref()?;
    let is_user_type = argument.declared_element().is_none();
    is_user_type.then(|| types.layout(name))
}

fn value_of(argument: &Argument, text: &str, types: &DeclaredTypes) -> Result<LaunchValue, String> {
    match argument.kind {
        ArgumentKind::Local => match local_bytes(text)? {
            bytes if bytes > MAX_FILE => Err(String::from("local memory has at most 64 MB")),
            bytes => Ok(LaunchValue::Local(bytes)),
        },
        ArgumentKind::Value(size) => {
            let layout = declared_layout(argument, types);
            let known = layout.as_ref().and_then(|layout| layout.as_ref().ok());
            let bytes = numbers(argument, known, size, text)?;
            if let Some(Err(why)) = layout.filter(|_| size > 8 || text.contains(',')) {
                let described = described(argument);
                render::say(&format!(
                    "note: {described}: {why}; the order and types of the fields are taken as given"
                ));
            }
            Ok(LaunchValue::Value(bytes))
        }
        ArgumentKind::Buffer if is_null(text)? => Ok(LaunchValue::Null),
        ArgumentKind::Buffer => {
            let (ty, bytes) = buffer(argument, text)?;
            Ok(LaunchValue::Buffer(ty, bytes))
        }
        kind @ (ArgumentKind::Image | ArgumentKind::Sampler) => {
            Err(format!("an argument of kind {kind} is not modeled"))
        }
    }
}

/// The size in `local(BYTES)`.
fn local_bytes(text: &str) -> Result<u64, String> {
    let bytes = text
        .strip_prefix("local(")
        .and_then(|rest| rest.strip_suffix(')'));
    let bytes = bytes.and_then(|bytes| bytes.trim().parse().ok());
    bytes.ok_or_else(|| format!("expected local(BYTES), found `{text}`"))
}

/// The bytes of a scalar, such as `41`, `0x29` or `2.5`, or of a vector, such as `1, 2`. A
/// number may repeat its type: `2.5:half`. A type with a layout has the values of its fields.
fn numbers(
    argument: &Argument,
    layout: Option<&TypeLayout>,
    size: u32,
    text: &str,
) -> Result<Vec<u8>, String> {
    if let Some(layout) = layout {
        return structures::value_of(layout, size, text);
    }
    let declared = argument.declared_element().filter(|(ty, components)| {
        let bytes = u32::from(ty.bytes()).checked_mul(*components);
        bytes.is_some_and(|bytes| bytes <= size)
    });
    let given = text.split(',').count();
    let (declared, components) = match declared {
        Some((ty, components)) => (Some(ty), components),
        None if given > 1 || size > 8 => return structures::undeclared(size, text),
        None => (None, 1),
    };
    if u32::try_from(given) != Ok(components) {
        return Err(match components {
            1 => format!("expected a number, found `{text}`"),
            _ => format!("expected {components} numbers, found {given}"),
        });
    }
    let mut bytes = Vec::new();
    for number in text.split(',').map(str::trim) {
        let (number, named) = typed(number)?;
        let ty = declared.or(named).or_else(|| undeclared_type(number, size));
        let ty = ty.ok_or_else(|| {
            format!(
                "no number has {size} bytes: write the fields with their types, such as \
                 1:uchar, 2:uchar"
            )
        })?;
        let fits = declared.is_some() || u32::from(ty.bytes()) == size;
        if !fits || named.is_some_and(|named| named != ty) {
            return Err(format!(
                "the type of `{text}` differs from that of the argument"
            ));
        }
        push_number(number, ty, &mut bytes)?;
    }
    bytes.resize(usize::try_from(size).expect("values are small"), 0);
    Ok(bytes)
}

/// Type of a number for an argument without a declared type: its spelling decides.
fn undeclared_type(number: &str, size: u32) -> Option<ElementType> {
    Some(
        match (size, is_float_literal(number), number.starts_with('-')) {
            (2, true, _) => ElementType::Hf,
            (4, true, _) => ElementType::F,
            (8, true, _) => ElementType::Df,
            (1, false, true) => ElementType::B,
            (1, false, false) => ElementType::Ub,
            (2, false, true) => ElementType::W,
            (2, false, false) => ElementType::Uw,
            (4, false, true) => ElementType::D,
            (4, false, false) => ElementType::Ud,
            (8, false, true) => ElementType::Q,
            (8, false, false) => ElementType::Uq,
            _ => return None,
        },
    )
}

/// Whether a value of a buffer is NULL: `null` or `float[64]=null`.
fn is_null(text: &str) -> Result<bool, String> {
    Ok(text == NULL || buffer_parts(text)?.2 == Some(NULL))
}

/// Element type and bytes of a buffer: `float[64]`, `float[64]=iota(1, 0.5)`, `uchar[4]=@FILE`.
/// Warns if the type differs from the declared one.
fn buffer(argument: &Argument, text: &str) -> Result<(ElementType, Vec<u8>), String> {
    let (ty, length, values) = buffer_parts(text)?;
    let size = length
        .checked_mul(ty.bytes().into())
        .filter(|bytes| *bytes <= MAX_FILE)
        .ok_or("a buffer has at most 64 MB")?;
    let size = usize::try_from(size).expect("64 MB fit");
    let bytes = match values {
        None | Some(UNDEFINED) => vec![0; size],
        Some(values) => match values.strip_prefix('@') {
            Some(path) => file_bytes(path, size)?,
            None => listed_bytes(argument, (ty, length), values, size)?,
        },
    };
    let declared = argument.declared_element().map(|(declared, _)| declared);
    if declared.is_some_and(|declared| declared != ty) {
        let described = described(argument);
        render::say(&format!(
            "warning: {described}: `{}` differs from the declared element type",
            text.split('[').next().unwrap_or("").trim()
        ));
    }
    let is_whole = |ty: &ElementType| size.is_multiple_of(ty.bytes().into());
    Ok((declared.filter(is_whole).unwrap_or(ty), bytes))
}

/// The bytes of a file, followed by zeros.
fn file_bytes(path: &str, size: usize) -> Result<Vec<u8>, String> {
    let mut bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    if bytes.len() > size {
        let length = bytes.len();
        return Err(format!("{path} has {length} bytes, the buffer {size}"));
    }
    if bytes.len() < size {
        let length = bytes.len();
        render::say(&format!(
            "note: {path} has {length} bytes, the buffer {size}; the rest is zero"
        ));
    }
    bytes.resize(size, 0);
    Ok(bytes)
}

/// The bytes of values as scenarios have them.
fn listed_bytes(
    argument: &Argument,
    (ty, length): (ElementType, u64),
    values: &str,
    size: usize,
) -> Result<Vec<u8>, String> {
    let text = format!(
        ".launch global=1 local=1\n.simd 8\n.buffer {} : {}[{length}] = {values}\n",
        argument.name,
        ty.name()
    );
    let program = Program::parse(&text);
    let mut errors = program.diagnostics.iter();
    if let Some(error) = errors.find(|found| found.is_error()) {
        // The reason of the rule is about scenarios.
        return Err(match &*error.help {
            "" => error.what.clone(),
            help => format!("{}; {help}", error.what),
        });
    }
    let launch = program.launch.as_ref().expect("the text has a launch");
    let mut bytes = vec![0; size];
    program
        .start
        .space(SpaceId::VIRTUAL)
        .read(launch.buffers[0].address, &mut bytes);
    Ok(bytes)
}

/// Ends a message with the names of the first arguments of a form.
fn known(form: &LaunchForm) -> String {
    /// Maximum number of names.
    const NAMES: usize = 12;
    let mut names: Vec<_> = form.arguments.iter().map(|field| &*field.name).collect();
    names.dedup();
    let more = if names.len() > NAMES { ", …" } else { "" };
    names.truncate(NAMES);
    match names.as_slice() {
        [] => String::from("; it has none"),
        names => format!("; it has `{}`{more}", names.join("`, `")),
    }
}

/// Sets an argument of a proposed launch; its text stays readable, unlike [`values`].
pub(crate) fn fill(form: &mut LaunchForm, text: &str, types: &DeclaredTypes) -> Result<(), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("expected NAME=VALUE, found `{text}`"))?;
    let value = value.trim();
    let error = |why: String| format!("argument `{name}`: {why}");
    let position = form.arguments.iter().position(|field| field.name == name);
    let Some(first) = position else {
        return match fill_parts(form, name, value, types) {
            Some(filled) => filled.map_err(error),
            None => Err(format!(
                "the kernel has no argument `{name}`{}",
                known(form)
            )),
        };
    };
    let field = &mut form.arguments[first].value;
    match field.kind {
        ValueKind::Buffer if is_null(value).map_err(error)? => {
            form.set_values(first, String::from(NULL));
        }
        ValueKind::Buffer => {
            let (ty, length, values) = buffer_parts(value).map_err(error)?;
            ty.name().clone_into(&mut field.element);
            form.set_quantity(first, length.to_string());
            match values.unwrap_or("").strip_prefix('@') {
                Some(path) => {
                    let size = length.saturating_mul(ty.bytes().into()).min(MAX_FILE);
                    let size = usize::try_from(size).expect("64 MB fit");
                    let bytes = file_bytes(path, size).map_err(error)?;
                    form.set_bytes(first, &bytes).map_err(error)?;
                }
                None => form.set_values(first, values.unwrap_or("").to_owned()),
            }
        }
        ValueKind::Local | ValueKind::Shared => {
            form.set_quantity(first, local_bytes(value).map_err(error)?.to_string());
        }
        ValueKind::Number => {
            if value.contains(',') {
                return Err(error(format!("expected a number, found `{value}`")));
            }
            let number = value.rsplit_once(':').map_or(value, |(number, _)| number);
            form.set_quantity(first, number.trim().to_owned());
        }
    }
    Ok(())
}

/// Sets the parts of a vector or structure in a form, `name[0]`, `name[1]` and so on. An index
/// counts in the size of its part. Returns `None` if the form has no parts of this name.
fn fill_parts(
    form: &mut LaunchForm,
    name: &str,
    text: &str,
    types: &DeclaredTypes,
) -> Option<Result<(), String>> {
    let parts = form.arguments.iter().enumerate();
    let parts = parts.filter_map(|(field, part)| {
        let index = part.name.strip_prefix(name)?.strip_prefix('[')?;
        let index = index.strip_suffix(']')?.parse::<u32>().ok()?;
        let element = ElementType::named(&part.value.element)?;
        let start = index.checked_mul(element.bytes().into())?;
        Some((field, element, start))
    });
    let parts: Vec<(usize, ElementType, u32)> = parts.collect();
    let ends = parts.iter();
    let ends = ends.map(|(_, element, start)| start.saturating_add(element.bytes().into()));
    let (size, (first, ..)) = (ends.max()?, parts.first()?);
    let argument = Argument {
        index: 0,
        name: name.to_owned(),
        ty: Some(form.arguments[*first].ty.clone()),
        kind: ArgumentKind::Value(size),
    };
    let layout = declared_layout(&argument, types).and_then(Result::ok);
    let bytes = match numbers(&argument, layout.as_ref(), size, text) {
        Ok(bytes) => bytes,
        Err(why) => return Some(Err(why)),
    };
    for (field, element, start) in parts {
        let bits = little_endian(&bytes[to_usize(start)..][..usize::from(element.bytes())]);
        form.set_quantity(field, literal(bits, element));
    }
    Some(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanewise_files::WarpLaunch;

    /// Parts as the compiler writes them; it leaves out fields that the kernel does not read.
    #[test]
    fn parts_of_a_form_are_filled_from_fields() {
        let text = ".launch global=8 local=8\n.bind V30 = 0:f  // float2 v[0]\n\
                    .bind V31 = 0:f  // float2 v[1]\n.bind V32 = 0:ud  // struct P s[0]\n\
                    .bind V33 = 0:uw  // struct P s[4]\n";
        let types = DeclaredTypes::of("struct P { float a; int b; short c; };");
        let mut form = LaunchForm::read(text).expect("a launch");
        for argument in ["v=1.5,2", "s=1,2,-3"] {
            assert_eq!(fill(&mut form, argument, &types), Ok(()), "{argument}");
        }
        let numbers = form.arguments.iter().map(|part| &*part.value.quantity);
        let expected = ["1.5", "2", "1065353216", "65533"];
        assert_eq!(numbers.collect::<Vec<_>>(), expected);
        for (argument, words) in [
            ("s=1,2", "has 3 fields, found 2 values"),
            ("s=1,2.5,3", "field `b` (`int`)"),
            ("v=1", "expected 2 numbers, found 1"),
            ("w=1", "no argument `w`"),
        ] {
            let why = fill(&mut form, argument, &types).expect_err(argument);
            assert!(why.contains(words), "{why}");
        }
    }

    #[test]
    fn parts_of_a_parameter_are_filled_in_its_order() {
        let listing = "// compiled for sm_80\none:\n.text.one:\n        /*0000*/ EXIT ;\n";
        let program = WarpProgram::of_listing(listing, None).expect("it opens");
        let launch = WarpLaunch {
            grid: [1; 3],
            block: [32, 1, 1],
            arguments: vec![LaunchValue::Value(vec![0; 12])],
            ..WarpLaunch::default()
        };
        let text = program.scenario(&program.kernels[0], &launch);
        let mut form = LaunchForm::read(&text.expect("a scenario")).expect("a launch");
        let values = "arg0=1:int,2:int,3:int";
        assert_eq!(fill(&mut form, values, &DeclaredTypes::default()), Ok(()));
        let parts = form.arguments.iter();
        let parts = parts.map(|part| (&*part.name, &*part.value.quantity));
        let low = (1_u64 | 2 << 32).to_string();
        let expected = [("shared memory", "0"), ("arg0[0]", &*low), ("arg0[2]", "3")];
        assert_eq!(parts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_spelling_decides_without_a_declared_type() {
        let argument = |ty: Option<&str>, size| Argument {
            index: 0,
            name: String::from("a"),
            ty: ty.map(String::from),
            kind: ArgumentKind::Value(size),
        };
        let numbers = |ty, size, text| numbers(&argument(ty, size), None, size, text);
        for ty in [None, Some("struct Pair")] {
            assert_eq!(numbers(ty, 4, "3"), Ok(vec![3, 0, 0, 0]));
            assert_eq!(numbers(ty, 4, "3.0"), Ok(vec![0, 0, 0x40, 0x40]));
            assert_eq!(numbers(ty, 2, "-1"), Ok(vec![0xff, 0xff]));
            assert_eq!(numbers(ty, 4, "3:f"), Ok(vec![0, 0, 0x40, 0x40]));
            assert!(numbers(ty, 4, "3:half").is_err());
            assert!(numbers(ty, 24, "3").is_err());
        }
        let fields = |size, text| numbers(Some("struct Pair"), size, text);
        let bytes = Ok(vec![7, 0, 0, 0, 0, 0, 0x40, 0x40]);
        assert_eq!(fields(8, "7:uchar, 3:float"), bytes);
        assert!(fields(12, "7:uchar, 3:float").is_err());
        assert!(fields(8, "7, 3:float").is_err());
        assert_eq!(numbers(Some("float"), 4, "3"), Ok(vec![0, 0, 0x40, 0x40]));
        // Three components fill the size of four.
        assert_eq!(
            numbers(Some("char3"), 4, "1, -1, 0x7f"),
            Ok(vec![1, 0xff, 0x7f, 0])
        );
    }
}
