//! Structures in OpenCL C that are passed by value: their layout, and their `.bind` lines by
//! field.

use super::launch_form::{FieldValue, opencl_type, read_number};
use crate::number::{ElementType, literal, parse_literal};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Most scalar fields of a structure.
const MAX_FIELDS: usize = 64;

/// Most levels of nested structures.
const MAX_DEPTH: usize = 8;

/// A scalar field of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StructField {
    /// Path within the structure: `pair.b`, `scale.x`, `weights[3]`.
    pub(super) path: String,
    /// Type in OpenCL C.
    pub(super) ty: String,
    pub(super) element: ElementType,
    /// Offset in bytes.
    pub(super) offset: u32,
}

/// A `.bind` line with a part of a structure: `.bind V40[4] = 7:ud  // struct S s[1]`.
struct StructPart<'t> {
    line: usize,
    ty: &'t str,
    name: &'t str,
    /// Offset in the structure, in bytes.
    offset: u32,
    variable: &'t str,
    /// Offset in the variable, in bytes.
    place: u32,
    element: ElementType,
    bits: u64,
}

/// Index in brackets at the end of a name, and the name before.
fn indexed(text: &str) -> Option<(&str, u32)> {
    let (name, index) = text.trim().strip_suffix(']')?.rsplit_once('[')?;
    Some((name, index.parse().ok()?))
}

impl<'t> StructPart<'t> {
    fn read(line: usize, text: &'t str) -> Option<Self> {
        let (code, comment) = text.split_once("//")?;
        let code = code.trim().strip_prefix(".bind ")?;
        let FieldValue::Number {
            number, element, ..
        } = read_number(code)?
        else {
            return None;
        };
        let element = ElementType::named(&element)?;
        let (ty, name) = comment.trim().rsplit_once(' ')?;
        let (name, index) = indexed(name)?;
        let variable = code.split_once('=')?.0.trim();
        let (variable, place) = indexed(variable).unwrap_or((variable, 0));
        Some(Self {
            line,
            ty: ty.trim(),
            name,
            offset: index.checked_mul(element.bytes().into())?,
            variable,
            place,
            bits: parse_literal(&number, element).ok()?,
            element,
        })
    }
}

/// Rewrites the `.bind` lines of structures by field, as far as a source in OpenCL C defines
/// the structures. Lines of other arguments stay.
#[must_use]
pub fn with_struct_fields(text: &str, source: &str) -> String {
    let parts = text.lines().enumerate();
    let parts = parts.filter_map(|(line, text)| StructPart::read(line, text));
    let mut arguments: BTreeMap<(&str, &str), Vec<StructPart<'_>>> = BTreeMap::new();
    for part in parts.filter(|part| opencl_type(part.ty).is_none()) {
        arguments
            .entry((part.ty, part.name))
            .or_default()
            .push(part);
    }
    let mut rewritten: BTreeMap<usize, String> = BTreeMap::new();
    for ((ty, name), parts) in &arguments {
        let tag = ty.trim_start_matches("struct ");
        let lines =
            layout(source, tag).and_then(|(fields, size)| by_field(name, parts, &fields, size));
        if let Some(lines) = lines {
            rewritten.extend(parts.iter().map(|part| (part.line, String::new())));
            rewritten.insert(parts[0].line, lines);
        }
    }
    let mut out = String::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        out.push_str(rewritten.get(&index).map_or(line, String::as_str));
    }
    out
}

/// The `.bind` lines of the fields of a structure; `None` if the parts do not fit its size
/// or do not hold each field in one piece.
fn by_field(
    name: &str,
    parts: &[StructPart<'_>],
    fields: &[StructField],
    size: u32,
) -> Option<String> {
    let mut bytes: BTreeMap<u32, (&str, u32, u8)> = BTreeMap::new();
    for part in parts {
        let value = part.bits.to_le_bytes();
        for (at, byte) in (0..u32::from(part.element.bytes())).zip(value) {
            let place = (part.variable, part.place + at, byte);
            bytes.insert(part.offset + at, place);
        }
    }
    let (last, _) = bytes.last_key_value()?;
    if *last >= size {
        return None;
    }
    let mut out = String::new();
    for field in fields {
        // The compiler may leave out fields that the kernel does not read.
        let Some((variable, place, _)) = bytes.get(&field.offset).copied() else {
            continue;
        };
        let mut bits = 0;
        for at in 0..u32::from(field.element.bytes()) {
            let (own, own_place, byte) = *bytes.get(&(field.offset + at))?;
            if (own, own_place) != (variable, place + at) {
                return None;
            }
            bits |= u64::from(byte) << (8 * at);
        }
        let place = match place {
            0 => String::new(),
            place => format!("[{place}]"),
        };
        let (value, element) = (literal(bits, field.element), field.element.name());
        let (ty, path) = (&field.ty, &field.path);
        out += &format!(".bind {variable}{place} = {value}:{element}  // {ty} {name}.{path}\n");
    }
    (!out.is_empty()).then_some(out)
}

struct StructLayout {
    fields: Vec<StructField>,
    size: u32,
    align: u32,
}

/// The scalar fields of a structure that a source defines, and its size in bytes. `None`
/// for attributes, bit fields, unions, pointers and sizes that are not numbers: they can
/// change the layout or have no value.
pub(super) fn layout(source: &str, name: &str) -> Option<(Vec<StructField>, u32)> {
    let tokens = tokens(source);
    let found = structure(&tokens, name, 0)?;
    Some((found.fields, found.size))
}

/// Words, numbers and punctuation, without comments and preprocessor lines.
fn tokens(source: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with("//") || first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(rest.split_at(end).0);
            end
        } else {
            let end = first.len_utf8();
            if !first.is_whitespace() {
                tokens.push(rest.split_at(end).0);
            }
            end
        };
        rest = rest.split_at(length).1;
    }
    tokens
}

/// The layout of `struct NAME {…}` or `typedef struct {…} NAME`.
fn structure(tokens: &[&str], name: &str, depth: usize) -> Option<StructLayout> {
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] != "struct" {
            at += 1;
            continue;
        }
        let is_typedef = at > 0 && tokens[at - 1] == "typedef";
        let open = at + 1 + usize::from(*tokens.get(at + 1)? != "{");
        if tokens.get(open) != Some(&"{") {
            at += 1;
            continue;
        }
        let tag = tokens[at + 1..open].first();
        let close = open + tokens[open..].iter().position(|token| *token == "}")?;
        let after = tokens.get(close + 1);
        let is_named = tag == Some(&name) || is_typedef && after == Some(&name);
        // Attributes before the end can change the layout.
        let end = tokens.get(close + 1 + usize::from(is_typedef));
        if is_named && end == Some(&";") && depth < MAX_DEPTH {
            return members(tokens, &tokens[open + 1..close], depth);
        }
        at = close;
    }
    None
}

fn members(tokens: &[&str], body: &[&str], depth: usize) -> Option<StructLayout> {
    let mut whole = StructLayout {
        fields: Vec::new(),
        size: 0,
        align: 1,
    };
    for member in body.split(|token| *token == ";") {
        let mut words = member.iter().copied().filter(|token| *token != "const");
        let member: Vec<&str> = words.by_ref().collect();
        let Some(mut first) = member.first().copied() else {
            continue;
        };
        let mut names = 1;
        let ty = match (first, member.get(1)) {
            ("struct", Some(tag)) => {
                names = 2;
                first = tag;
                structure(tokens, first, depth + 1)?
            }
            ("unsigned", Some(word)) if opencl_type(&format!("unsigned {word}")).is_some() => {
                names = 2;
                scalar(&format!("unsigned {word}"))?
            }
            ("unsigned", _) => scalar("unsigned int")?,
            _ => match scalar(first) {
                Some(scalar) => scalar,
                None => structure(tokens, first, depth + 1)?,
            },
        };
        for declarator in member[names..].split(|token| *token == ",") {
            let (name, count) = match declarator {
                [name] => (*name, None),
                [name, "[", count, "]"] => (*name, Some(count.parse::<u32>().ok()?)),
                _ => return None,
            };
            whole.align = whole.align.max(ty.align);
            let start = whole.size.checked_next_multiple_of(ty.align)?;
            for index in 0..count.unwrap_or(1) {
                let path = match count {
                    Some(_) => format!("{name}[{index}]"),
                    None => name.to_string(),
                };
                let base = index.checked_mul(ty.size)?.checked_add(start)?;
                if whole.fields.len() + ty.fields.len() > MAX_FIELDS {
                    return None;
                }
                whole
                    .fields
                    .extend(ty.fields.iter().map(|field| StructField {
                        path: match &*field.path {
                            "" => path.clone(),
                            inner => format!("{path}.{inner}"),
                        },
                        offset: base + field.offset,
                        ..field.clone()
                    }));
            }
            let size = ty.size.checked_mul(count.unwrap_or(1))?;
            whole.size = start.checked_add(size)?;
        }
    }
    whole.size = whole.size.checked_next_multiple_of(whole.align)?;
    (!whole.fields.is_empty()).then_some(whole)
}

/// A scalar, or a vector with its components.
fn scalar(name: &str) -> Option<StructLayout> {
    let (element, components) = opencl_type(name)?;
    let bytes = u32::from(element.bytes());
    let ty = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let fields = (0..components).map(|index| StructField {
        path: match (components, index) {
            (1, _) => String::new(),
            (..=4, index) => String::from(["x", "y", "z", "w"][index as usize]),
            (_, index) => format!("s{index:x}"),
        },
        ty: ty.to_string(),
        element,
        offset: index * bytes,
    });
    // Three components take the room of four.
    let size = bytes * components.next_power_of_two();
    Some(StructLayout {
        fields: fields.collect(),
        size,
        align: size,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_filled_by_field() {
        let source = "struct Pair { float a; short b; uchar c; uchar4 d; };";
        let text = "\
.bind V32 = 1:ud  // int n
.bind V33 = 0x3fc00000:ud  // struct Pair p[0]
.bind V33[4] = 0x20007:ud  // struct Pair p[1]
.bind V34 = 0x4030201:ud  // struct Pair p[2]
.bind V35 = 5:ud  // struct Other q[0]
ret (M1, 1)";
        let fields = "\
.bind V32 = 1:ud  // int n
.bind V33 = 1.5:f  // float p.a
.bind V33[4] = 7:w  // short p.b
.bind V33[6] = 2:ub  // uchar p.c
.bind V34 = 1:ub  // uchar p.d.x
.bind V34[1] = 2:ub  // uchar p.d.y
.bind V34[2] = 3:ub  // uchar p.d.z
.bind V34[3] = 4:ub  // uchar p.d.w
.bind V35 = 5:ud  // struct Other q[0]
ret (M1, 1)";
        assert_eq!(with_struct_fields(text, source), fields);
        // Another version of the source.
        let shorter = "struct Pair { float a; short b; };";
        assert_eq!(with_struct_fields(text, shorter), text);
    }

    fn places(source: &str, name: &str) -> Option<(Vec<(String, u32)>, u32)> {
        let (fields, size) = layout(source, name)?;
        let places = fields.into_iter().map(|field| (field.path, field.offset));
        Some((places.collect(), size))
    }

    #[test]
    fn fields_are_aligned_like_in_opencl() {
        let source = "// struct Params { int other; };
#define N 3
struct Pair { int a; float b; };
typedef struct { uchar flags; short bias; float3 v; struct Pair pair[2]; long big; } Params;";
        let expected = [
            ("flags", 0),
            ("bias", 2),
            ("v.x", 16),
            ("v.y", 20),
            ("v.z", 24),
            ("pair[0].a", 32),
            ("pair[0].b", 36),
            ("pair[1].a", 40),
            ("pair[1].b", 44),
            ("big", 48),
        ];
        let expected = expected.map(|(path, offset)| (String::from(path), offset));
        assert_eq!(places(source, "Params"), Some((expected.to_vec(), 64)));
    }

    #[test]
    fn unknown_layouts_are_refused() {
        for body in [
            "int a : 3;",
            "global int *p;",
            "int a[N];",
            "union { int a; float b; } u;",
            "struct S s;",
            "int a __attribute__((aligned(16)));",
        ] {
            assert_eq!(
                places(&format!("struct S {{ {body} }};"), "S"),
                None,
                "{body}"
            );
        }
        let packed = "struct __attribute__((packed)) S { char a; int b; };";
        assert_eq!(places(packed, "S"), None);
        let packed = "typedef struct { char a; int b; } __attribute__((packed)) S;";
        assert_eq!(places(packed, "S"), None);
        let packed = "typedef struct S { char a; int b; } __attribute__((packed)) T;";
        assert_eq!(places(packed, "S"), None);
        let packed = "struct S { char a; int b; } __attribute__((packed));";
        assert_eq!(places(packed, "S"), None);
    }
}
