//! Arguments of a kernel as `--arg` gives them. The declared type of an argument decides
//! how its value is read.

use crate::launch::MAX_FILE;
use crate::{CliError, render};
use lanewise_core::diagnostic::{Diagnostic, Severity};
use lanewise_core::ide::opencl_type;
use lanewise_core::machine::SpaceId;
use lanewise_core::number::{ElementType, parse_literal};
use lanewise_core::program::Program;
use lanewise_files::zebin::{Argument, ArgumentKind, Kernel, LaunchValue};

/// Reads the values of all arguments, in the order of the kernel.
pub(crate) fn values(kernel: &Kernel, texts: &[String]) -> Result<Vec<LaunchValue>, CliError> {
    let mut values: Vec<Option<LaunchValue>> = vec![None; kernel.arguments.len()];
    for text in texts {
        let (position, argument, value) = assignment(kernel, text)?;
        let error = |why: String| CliError(format!("{}: {why}", described(argument)));
        let value = value_of(argument, value.trim()).map_err(error)?;
        if values[position].replace(value).is_some() {
            return Err(error(String::from("given more than once")));
        }
    }
    let values = values.into_iter().zip(&kernel.arguments);
    let values = values.map(|(value, argument)| {
        let index = argument.index;
        let described = described(argument);
        let missing = || CliError(format!("missing {described}; add --arg {index}=VALUE"));
        value.ok_or_else(missing)
    });
    values.collect()
}

/// Splits `N=VALUE`, and finds the argument.
pub(crate) fn assignment<'k, 't>(
    kernel: &'k Kernel,
    text: &'t str,
) -> Result<(usize, &'k Argument, &'t str), CliError> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| CliError(format!("expected N=VALUE, found `{text}`")))?;
    let is = |argument: &Argument| argument.name == name || argument.index.to_string() == name;
    let mut arguments = kernel.arguments.iter().enumerate();
    let found = arguments.find(|(_, argument)| is(argument));
    let (position, argument) =
        found.ok_or_else(|| CliError(format!("`{}` has no argument `{name}`", kernel.name)))?;
    Ok((position, argument, value))
}

/// Formats an argument in a message: ``argument 3 (`uint n`)``.
fn described(argument: &Argument) -> String {
    format!("argument {} (`{}`)", argument.index, argument.declaration())
}

/// A scalar type by OpenCL's name or ours, or a vector type of OpenCL whose components
/// fill it; and its number of components.
fn element_type(name: &str) -> Result<(ElementType, u32), String> {
    let known = opencl_type(name).filter(|(_, components)| *components != 3);
    let known = known.or_else(|| Some((ElementType::named(name)?, 1)));
    known.ok_or_else(|| format!("unknown type `{name}`"))
}

fn value_of(argument: &Argument, text: &str) -> Result<LaunchValue, String> {
    match argument.kind {
        ArgumentKind::Local => {
            let bytes = text
                .strip_prefix("local(")
                .and_then(|rest| rest.strip_suffix(')'));
            let bytes = bytes.and_then(|bytes| bytes.trim().parse().ok());
            let bytes = bytes.ok_or_else(|| format!("expected local(BYTES), found `{text}`"))?;
            Ok(LaunchValue::Local(bytes))
        }
        ArgumentKind::Value(size) => Ok(LaunchValue::Value(numbers(argument, size, text)?)),
        ArgumentKind::Buffer => {
            let (ty, bytes) = buffer(argument, text)?;
            Ok(LaunchValue::Buffer(ty, bytes))
        }
    }
}

/// The bytes of a scalar, such as `41`, `0x29` or `2.5`, or of a vector, such as `1, 2`. A
/// number may repeat its type: `2.5:half`.
fn numbers(argument: &Argument, size: u32, text: &str) -> Result<Vec<u8>, String> {
    let declared = argument.declared_element().filter(|(ty, components)| {
        let bytes = u32::from(ty.bytes()).checked_mul(*components);
        bytes.is_some_and(|bytes| bytes <= size)
    });
    let (declared, components) = match declared {
        Some((ty, components)) => (Some(ty), components),
        None => (None, 1),
    };
    let given = text.split(',').count();
    if u32::try_from(given) != Ok(components) {
        return Err(match components {
            1 => format!("expected a number, found `{text}`"),
            _ => format!("expected {components} numbers, found {given}"),
        });
    }
    let mut bytes = Vec::new();
    for number in text.split(',').map(str::trim) {
        let (number, named) = match number.rsplit_once(':') {
            Some((number, name)) => (number.trim(), Some(element_type(name.trim())?.0)),
            None => (number, None),
        };
        let ty = declared.or(named).or_else(|| undeclared_type(number, size));
        let ty =
            ty.ok_or_else(|| format!("values of {size} bytes are supported in `batch` only"))?;
        let fits = declared.is_some() || u32::from(ty.bytes()) == size;
        if !fits || named.is_some_and(|named| named != ty) {
            return Err(format!(
                "the type of `{text}` differs from that of the argument"
            ));
        }
        let bits = parse_literal(number, ty);
        let bits = bits.map_err(|error| format!("invalid value `{number}`: {error}"))?;
        bytes.extend(&bits.to_le_bytes()[..usize::from(ty.bytes())]);
    }
    bytes.resize(usize::try_from(size).expect("values are small"), 0);
    Ok(bytes)
}

/// Type of a number for an argument without a declared type: its spelling decides.
fn undeclared_type(number: &str, size: u32) -> Option<ElementType> {
    let is_float = number.contains(['.', 'e']) && !number.starts_with("0x");
    Some(match (size, is_float, number.starts_with('-')) {
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
    })
}

/// Element type and bytes of a buffer: `float[64]`, `float[64]=iota(1, 0.5)`, `uchar[4]=@FILE`.
/// Warns if the type differs from the declared one.
fn buffer(argument: &Argument, text: &str) -> Result<(ElementType, Vec<u8>), String> {
    let (head, values) = match text.split_once('=') {
        Some((head, values)) => (head, Some(values.trim())),
        None => (text, None),
    };
    let parts = head
        .trim()
        .strip_suffix(']')
        .and_then(|head| head.split_once('['));
    let (name, length) = parts.ok_or_else(|| {
        format!("expected TYPE[LENGTH], such as float[64]=iota(1, 0.5), found `{text}`")
    })?;
    let name = name.trim();
    let (ty, components) = element_type(name)?;
    let length: u64 = length
        .trim()
        .parse()
        .map_err(|_| format!("expected a length, found `{}`", length.trim()))?;
    let length = length.saturating_mul(components.into());
    let size = length
        .checked_mul(ty.bytes().into())
        .filter(|bytes| *bytes <= MAX_FILE)
        .ok_or("a buffer has at most 64 MB")?;
    let size = usize::try_from(size).expect("64 MB fit");
    let bytes = match values {
        None => vec![0; size],
        Some(values) => match values.strip_prefix('@') {
            Some(path) => file_bytes(path, size)?,
            None => listed_bytes(argument, (ty, length), values, size)?,
        },
    };
    let declared = argument.declared_element().map(|(declared, _)| declared);
    if declared.is_some_and(|declared| declared != ty) {
        let described = described(argument);
        render::say(&format!(
            "warning: {described}: `{name}` differs from the declared element type"
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
    if let Some(error) = errors.find(|found| found.severity() == Severity::Error) {
        return Err(Diagnostic::message(error));
    }
    let launch = program.launch.as_ref().expect("the text has a launch");
    let mut bytes = vec![0; size];
    program
        .start
        .space(SpaceId::VIRTUAL)
        .read(launch.buffers[0].address, &mut bytes);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spelling_decides_without_a_declared_type() {
        let argument = |ty: Option<&str>, size| Argument {
            index: 0,
            name: String::from("a"),
            ty: ty.map(String::from),
            kind: ArgumentKind::Value(size),
        };
        let numbers = |ty, size, text| numbers(&argument(ty, size), size, text);
        for ty in [None, Some("struct Pair")] {
            assert_eq!(numbers(ty, 4, "3"), Ok(vec![3, 0, 0, 0]));
            assert_eq!(numbers(ty, 4, "3.0"), Ok(vec![0, 0, 0x40, 0x40]));
            assert_eq!(numbers(ty, 2, "-1"), Ok(vec![0xff, 0xff]));
            assert_eq!(numbers(ty, 4, "3:f"), Ok(vec![0, 0, 0x40, 0x40]));
            assert!(numbers(ty, 4, "3:half").is_err());
            assert!(numbers(ty, 24, "3").is_err());
        }
        assert_eq!(numbers(Some("float"), 4, "3"), Ok(vec![0, 0, 0x40, 0x40]));
        // Three components fill the size of four.
        assert_eq!(
            numbers(Some("char3"), 4, "1, -1, 0x7f"),
            Ok(vec![1, 0xff, 0x7f, 0])
        );
    }
}
