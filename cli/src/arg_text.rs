//! The parts of an argument as `--arg` writes them: its name, numbers with their types, and
//! buffers.

use crate::CliError;
use lanewise_core::ide::{opencl_name, opencl_type};
use lanewise_core::number::{ElementType, LiteralError, parse_literal};

/// Splits `N=VALUE`; `value` is the placeholder in the error.
pub(crate) fn name_and_value<'t>(
    text: &'t str,
    value: &str,
) -> Result<(&'t str, &'t str), CliError> {
    let parts = text.split_once('=').filter(|(_, value)| !value.is_empty());
    parts.ok_or_else(|| CliError(format!("expected N={value}, found `{text}`")))
}

/// A scalar type by OpenCL's name or ours, or a vector type of OpenCL; and its number of
/// components.
pub(crate) fn element_type(name: &str) -> Result<(ElementType, u32), String> {
    let known = opencl_type(name);
    if let (Some((_, 3)), Some(scalar)) = (known, name.strip_suffix('3')) {
        return Err(format!(
            "in a buffer, `{name}` takes the room of four components: use `{scalar}4`"
        ));
    }
    let known = known.or_else(|| Some((ElementType::named(name)?, 1)));
    known.ok_or_else(|| {
        let names: Vec<&str> = ElementType::ALL.into_iter().map(opencl_name).collect();
        format!(
            "unknown type `{name}`; types are {}, vectors such as float4, and structures as \
             their fields, such as {{float x; int id;}}[64]",
            names.join(", ")
        )
    })
}

/// A number and the type after it: `2.5:half`.
pub(crate) fn typed(text: &str) -> Result<(&str, Option<ElementType>), String> {
    Ok(match text.rsplit_once(':') {
        Some((number, name)) => match element_type(name.trim())? {
            (ty, 1) => (number.trim(), Some(ty)),
            _ => return Err(format!("`{name}` is not the type of one number")),
        },
        None => (text, None),
    })
}

/// Appends the bytes of a number.
pub(crate) fn push_number(
    number: &str,
    ty: ElementType,
    bytes: &mut Vec<u8>,
) -> Result<(), String> {
    if ty.is_float() && is_bit_pattern(number) {
        return Err(format!(
            "`{number}` is ambiguous for a {}: write a decimal number, or 0f and {} hexadecimal \
             digits for the bits",
            ty.name(),
            usize::from(ty.bytes()) * 2
        ));
    }
    let bits = parse_literal(number, ty);
    let bits = bits.map_err(|error| match error {
        LiteralError::NotAnInteger => format!("expected a whole number, found `{number}`"),
        error => format!("invalid value `{number}`: {error}"),
    })?;
    bytes.extend(&bits.to_le_bytes()[..usize::from(ty.bytes())]);
    Ok(())
}

/// Whether a number is hexadecimal or binary.
pub(crate) fn is_bit_pattern(number: &str) -> bool {
    let magnitude = number.trim_start_matches(['-', '+']).to_ascii_lowercase();
    ["0x", "0b"]
        .iter()
        .any(|radix| magnitude.starts_with(radix))
}

/// Type, length and values of `float[64]=iota(1, 0.5)`, as text.
pub(crate) fn buffer_text(text: &str) -> Result<(&str, &str, Option<&str>), String> {
    let (head, values) = match text.split_once('=') {
        Some((head, values)) => (head, Some(values.trim())),
        None => (text, None),
    };
    let parts = head
        .trim()
        .strip_suffix(']')
        .and_then(|head| head.rsplit_once('['));
    let (name, length) = parts.ok_or_else(|| {
        format!("expected TYPE[LENGTH], such as float[64]=iota(1, 0.5), or null, found `{text}`")
    })?;
    Ok((name.trim(), length.trim(), values))
}

/// Element type, number of elements and values of `float[64]=iota(1, 0.5)`.
pub(crate) fn buffer_parts(text: &str) -> Result<(ElementType, u64, Option<&str>), String> {
    let (name, length, values) = buffer_text(text)?;
    let (ty, components) = element_type(name)?;
    let length = length_of(length)?.saturating_mul(components.into());
    Ok((ty, length, values))
}

/// The number of elements of a buffer.
pub(crate) fn length_of(text: &str) -> Result<u64, String> {
    let length = text.parse();
    length.map_err(|_| format!("expected a length, found `{text}`"))
}
