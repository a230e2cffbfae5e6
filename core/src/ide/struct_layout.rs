//! Types of OpenCL C and CUDA C: their layout, and the `.bind` lines of structures that are
//! passed by value, by field.

use super::launch_form::{opencl_type, read_number};
use crate::diagnostic::to_usize;
use crate::number::{ElementType, literal, parse_literal};
use crate::program::{StructField, TypeLayout};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Maximum number of scalar fields of a structure.
const MAX_FIELDS: usize = 1024;

/// Maximum number of tokens of a `typedef` that renames a type.
const MAX_ALIAS: usize = 16;

/// Length of the part of a source that is searched for types and functions, in bytes.
const MAX_SOURCE: usize = 1 << 20;

/// Maximum nesting depth of structures.
const MAX_DEPTH: usize = 8;

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
        let value = read_number(code)?;
        let element = ElementType::named(&value.element)?;
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
            bits: parse_literal(&value.quantity, element).ok()?,
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
        let layout = type_layout(ty, source, false).ok();
        let lines = layout.and_then(|layout| by_field(name, parts, &layout.fields, layout.size));
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
        // A scalar has no field.
        let dot = if path.is_empty() { "" } else { "." };
        out += &format!(".bind {variable}{place} = {value}:{element}  // {ty} {name}{dot}{path}\n");
    }
    (!out.is_empty()).then_some(out)
}

/// Why a type has no layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutError {
    /// Line and column of the place, from 1.
    pub place: (usize, usize),
    /// Whether the place is in the source of the kernel rather than in the type.
    pub is_in_source: bool,
    pub what: String,
    pub help: &'static str,
}

impl core::fmt::Display for LayoutError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (line, column) = self.place;
        match self.is_in_source {
            true => write!(f, "line {line} of the source: ")?,
            false if line > 1 => write!(f, "line {line}, character {column}: ")?,
            false => write!(f, "character {column}: ")?,
        }
        write!(f, "{}; {}", self.what, self.help)
    }
}

/// The layout of a type as a user or a compiler writes it: `float4`, `const struct P *`, whose
/// definition is in `source`, or `{float x, y; int id;}`; of several structures, the last one.
/// `is_cuda` selects the vector types of CUDA C instead of those of OpenCL C. Types of vISA,
/// such as `ud`, are known, too.
///
/// # Errors
/// Where the type is not understood. Attributes, bit fields, unions and pointers are refused,
/// because they can change the layout.
pub fn type_layout(ty: &str, source: &str, is_cuda: bool) -> Result<TypeLayout, LayoutError> {
    let types = KnownTypes {
        texts: [ty, source],
        tokens: [tokens(ty), tokens(source)],
        is_cuda,
        is_packed: source.lines().any(|line| {
            let line = line.trim_start().strip_prefix('#');
            line.is_some_and(|line| line.trim_start().starts_with("pragma pack"))
        }),
    };
    let mut parser = TypeParser {
        types: &types,
        is_in_source: false,
        at: 0,
        depth: 0,
    };
    let mut layout = parser.ty()?;
    if layout.is_struct && ty.contains('{') {
        loop {
            // The name of a `typedef`.
            if parser.peek().is_some_and(is_word) {
                layout.name = String::from(parser.word()?);
            }
            while parser.eat(";") {}
            if parser.peek().is_none() {
                break;
            }
            layout = parser.ty()?;
        }
    }
    while parser.eat("*") {}
    match parser.peek() {
        None => Ok(layout),
        Some(_) => Err(parser.unexpected("the end of the type")),
    }
}

/// A word, number or punctuation mark, and its offset in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceToken<'t> {
    pub(super) at: usize,
    pub(super) text: &'t str,
    /// Index after the bracket that closes this one.
    after: usize,
}

pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// End of the literal at the start of a text, which is on one line; a quotation mark without
/// another one stands for itself.
fn literal_end(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let rest = text.char_indices().skip(1);
    let mut rest = rest.take_while(|(_, c)| *c != '\n');
    let end = rest.find(|(_, c)| {
        let is_end = *c == quote && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(1, |(at, _)| at + 1)
}

/// Words, numbers and punctuation of the first [`MAX_SOURCE`] bytes, without comments and
/// literals; of a preprocessor line, `#`.
pub(super) fn tokens(text: &str) -> Vec<SourceToken<'_>> {
    let mut tokens: Vec<SourceToken<'_>> = Vec::new();
    let mut open = Vec::new();
    let (text, _) = text.split_at(text.floor_char_boundary(MAX_SOURCE));
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        // Names may have letters beyond ASCII.
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let is_token = !first.is_whitespace();
        let (length, is_token) = if let Some(comment) = rest.strip_prefix("/*") {
            (comment.find("*/").map_or(rest.len(), |end| end + 4), false)
        } else if rest.starts_with("//") || first == '#' {
            (rest.find('\n').unwrap_or(rest.len()), first == '#')
        } else if first == '"' || first == '\'' {
            (literal_end(rest, first), false)
        } else if is_word(first) {
            (rest.find(|c| !is_word(c)).unwrap_or(rest.len()), true)
        } else {
            (first.len_utf8(), is_token)
        };
        let (token, after) = rest.split_at(length);
        if is_token {
            let index = tokens.len();
            match first {
                '{' | '(' => open.push(index),
                '}' | ')' => {
                    if let Some(open) = open.pop() {
                        tokens[open].after = index + 1;
                    }
                }
                _ => {}
            }
            tokens.push(SourceToken {
                at: text.len() - rest.len(),
                text: if first == '#' { "#" } else { token },
                after: index + 1,
            });
        }
        rest = after;
    }
    for unclosed in open {
        tokens[unclosed].after = tokens.len();
    }
    tokens
}

/// Index after the bracket that closes the one at an index.
pub(super) fn after_bracket(tokens: &[SourceToken<'_>], open: usize) -> usize {
    tokens.get(open).map_or(tokens.len(), |token| token.after)
}

pub(super) const ATTRIBUTES: [&str; 4] = ["__attribute__", "__align__", "alignas", "_Alignas"];

/// Words that do not change the layout of what follows.
const QUALIFIERS: [&str; 11] = [
    "const",
    "volatile",
    "restrict",
    "__restrict__",
    "typedef",
    "global",
    "__global",
    "local",
    "__local",
    "constant",
    "static",
];

/// The types that a text and the source of a kernel define.
struct KnownTypes<'t> {
    texts: [&'t str; 2],
    tokens: [Vec<SourceToken<'t>>; 2],
    is_cuda: bool,
    /// Whether the source changes the alignment of fields.
    is_packed: bool,
}

impl KnownTypes<'_> {
    /// Place of the definition of a type, in the text or in the source: the index of the token
    /// `{` of a structure, or of the type that a `typedef` renames. `Err` if attributes change
    /// its layout.
    fn definition(&self, name: &str) -> Option<Result<(bool, usize), usize>> {
        for (is_in_source, tokens) in [false, true].into_iter().zip(&self.tokens) {
            let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
            let skip_attributes = |at: usize| match ATTRIBUTES.contains(&text(at)) {
                true => after_bracket(tokens, at + 1),
                false => at,
            };
            for start in 0..tokens.len() {
                let is_typedef = text(start) == "typedef";
                let first = start + usize::from(is_typedef);
                if text(first) != "struct" {
                    if !is_typedef {
                        continue;
                    }
                    let mut rest = tokens.iter().skip(first).take(MAX_ALIAS);
                    let end = rest.position(|token| token.text == ";");
                    let last = end.and_then(|end| (first + end).checked_sub(1));
                    if last.is_some_and(|last| last > first && text(last) == name) {
                        return Some(Ok((is_in_source, first)));
                    }
                    continue;
                }
                let tag = skip_attributes(first + 1);
                let open = tag + usize::from(text(tag) != "{");
                let close = match text(open) {
                    "{" => after_bracket(tokens, open),
                    // `typedef struct A B;`
                    _ if is_typedef && text(open) == name && text(open + 1) == ";" => {
                        return Some(Ok((is_in_source, first)));
                    }
                    _ => continue,
                };
                let after = skip_attributes(close);
                if text(tag) != name && !(is_typedef && text(after) == name) {
                    continue;
                }
                return Some(match tag > first + 1 || after > close {
                    true => Err(first),
                    false => Ok((is_in_source, open)),
                });
            }
        }
        None
    }

    /// Value of `#define NAME 16` in the source.
    fn constant(&self, name: &str) -> Option<u32> {
        let lines = self.texts.iter().flat_map(|text| text.lines());
        let mut defines = lines.filter_map(|line| {
            let mut words = line
                .trim_start()
                .strip_prefix("#define")?
                .split_whitespace();
            (words.next()? == name).then(|| words.next()?.parse().ok())?
        });
        defines.next()
    }
}

struct TypeParser<'a, 't> {
    types: &'a KnownTypes<'t>,
    is_in_source: bool,
    at: usize,
    depth: usize,
}

impl<'a, 't> TypeParser<'a, 't> {
    fn tokens(&self) -> &'a [SourceToken<'t>] {
        &self.types.tokens[usize::from(self.is_in_source)]
    }

    fn peek(&self) -> Option<&'t str> {
        self.tokens().get(self.at).map(|token| token.text)
    }

    fn eat(&mut self, text: &str) -> bool {
        let is_next = self.peek() == Some(text);
        self.at += usize::from(is_next);
        is_next
    }

    fn error(&self, what: impl Into<String>, help: &'static str) -> LayoutError {
        let text = self.types.texts[usize::from(self.is_in_source)];
        let at = self
            .tokens()
            .get(self.at)
            .map_or(text.len(), |token| token.at);
        let before = text.split_at(at).0;
        let line = before.rsplit('\n').next().unwrap_or(before);
        LayoutError {
            place: (before.matches('\n').count() + 1, line.chars().count() + 1),
            is_in_source: self.is_in_source,
            what: what.into(),
            help,
        }
    }

    fn unexpected(&self, expected: &str) -> LayoutError {
        let found = match self.peek() {
            Some(found) => format!("`{found}`"),
            None => String::from("the end"),
        };
        let what = format!("expected {expected}, found {found}");
        self.error(what, "write a type such as float4 or {float x, y; int id;}")
    }

    fn word(&mut self) -> Result<&'t str, LayoutError> {
        let word = self.peek().filter(|word| is_word(word));
        let word = word.ok_or_else(|| self.unexpected("a name"))?;
        self.at += 1;
        Ok(word)
    }

    /// A type: the name of one, or a structure with its members.
    fn ty(&mut self) -> Result<TypeLayout, LayoutError> {
        while self.peek().is_some_and(|word| QUALIFIERS.contains(&word)) {
            self.at += 1;
        }
        let start = self.at;
        let is_tag = self.eat("struct");
        if self.peek().is_some_and(|word| ATTRIBUTES.contains(&word)) {
            return Err(self.attributes());
        }
        let has_name = self.peek() != Some("{");
        let name = match has_name {
            true => self.type_name()?,
            false => String::from("struct"),
        };
        let too_deep = |parser: &Self| {
            let what = format!("`{name}` is nested too deeply");
            parser.error(what, "write at most 8 levels of structures")
        };
        if self.peek() == Some("{") {
            if self.depth >= MAX_DEPTH {
                return Err(too_deep(self));
            }
            self.at += 1;
            return self.members(name);
        }
        if !is_tag && let Some(layout) = builtin(&name, self.types.is_cuda) {
            return Ok(layout);
        }
        let after = core::mem::replace(&mut self.at, start);
        if self.depth >= MAX_DEPTH {
            return Err(too_deep(self));
        }
        let layout = match self.types.definition(&name) {
            Some(Ok((true, _))) if self.types.is_packed => {
                let help = "write the structure with its padding as fields";
                return Err(self.error("`#pragma pack` is not supported", help));
            }
            Some(Ok((is_in_source, at))) => {
                let mut inner = TypeParser {
                    at,
                    is_in_source,
                    depth: self.depth + 1,
                    ..*self
                };
                let is_alias = inner.peek() != Some("{");
                let mut layout = inner.ty()?;
                // `typedef float *p;` and `typedef float a, b;`
                if is_alias && inner.peek() != Some(&name) {
                    return Err(inner.unexpected(&format!("`{name}`")));
                }
                if inner.peek().is_some_and(|word| ATTRIBUTES.contains(&word)) {
                    return Err(inner.attributes());
                }
                layout.name = match is_tag {
                    true => format!("struct {name}"),
                    false => name,
                };
                layout
            }
            Some(Err(_)) => return Err(self.attributes()),
            None => match ElementType::named(&name).filter(|_| self.depth == 0) {
                Some(element) => {
                    let size = element.bytes().into();
                    vector(name.clone(), name, element, 1, [size; 2])
                }
                None => {
                    return Err(self.error(
                        format!("unknown type `{name}`"),
                        "write its fields, such as {float x, y; int id;}, or open the source that defines it",
                    ));
                }
            },
        };
        self.at = after;
        Ok(layout)
    }

    fn attributes(&self) -> LayoutError {
        let help = "write the structure without them, with its padding as fields";
        self.error("attributes are not supported", help)
    }

    /// The name of a type in the spelling of OpenCL C.
    fn type_name(&mut self) -> Result<String, LayoutError> {
        if self.peek() == Some("union") {
            let help = "write the member that you want to see";
            return Err(self.error("unions are not supported", help));
        }
        let mut name = self.word()?;
        let sign = match name {
            "unsigned" | "signed" => Some(name),
            _ => None,
        };
        let integers = ["char", "short", "int", "long"];
        if sign.is_some() {
            name = self
                .peek()
                .filter(|n| integers.contains(n))
                .unwrap_or("int");
            self.eat(name);
        }
        // `long long`, `long int`, `short int`.
        while integers.contains(&name) && (self.eat("int") || name == "long" && self.eat("long")) {}
        let fixed = name.strip_suffix("_t").and_then(|base| {
            let (unsigned, size) = match base.strip_prefix('u') {
                Some(size) => (true, size),
                None => (false, base),
            };
            let sizes = ["int8", "int16", "int32", "int64"];
            let at = sizes.iter().position(|known| *known == size)?;
            Some((unsigned, integers[at]))
        });
        let (is_unsigned, name) = fixed.unwrap_or((sign == Some("unsigned"), name));
        Ok(match is_unsigned {
            true => format!("u{name}"),
            false => String::from(name),
        })
    }

    /// Members after `{`, up to `}`.
    fn members(&mut self, name: String) -> Result<TypeLayout, LayoutError> {
        let mut whole = TypeLayout {
            name,
            fields: Vec::new(),
            size: 0,
            align: 1,
            is_struct: true,
        };
        let too_large = "write a structure of at most 1024 fields";
        while !self.eat("}") {
            if self.eat(";") {
                continue;
            }
            if self.peek() == Some("#") {
                let what = "preprocessor lines in a structure are not supported";
                return Err(self.error(what, "write the structure without them"));
            }
            self.depth += 1;
            let ty = self.ty()?;
            self.depth -= 1;
            loop {
                if self.peek() == Some("*") {
                    let help = "write ulong for a pointer of 64 bits";
                    return Err(self.error("pointers are not supported", help));
                }
                let name = self.word()?;
                let lengths = self.lengths()?;
                if self.peek() == Some(":") {
                    let help = "write the integer that holds the bits";
                    return Err(self.error("bit fields are not supported", help));
                }
                if self.peek().is_some_and(|word| ATTRIBUTES.contains(&word)) {
                    return Err(self.attributes());
                }
                if whole.add(name, &ty, &lengths).is_none() {
                    return Err(self.error(format!("`{}` is too large", whole.name), too_large));
                }
                if !self.eat(",") {
                    break;
                }
            }
            if self.peek() != Some("}") && !self.eat(";") {
                return Err(self.unexpected("`;` or `}`"));
            }
        }
        whole.size = whole.size.next_multiple_of(whole.align);
        match whole.fields.is_empty() {
            true => Err(self.unexpected("a field")),
            false => Ok(whole),
        }
    }

    /// Lengths of an array: `[4][N]`.
    fn lengths(&mut self) -> Result<Vec<u32>, LayoutError> {
        let mut lengths = Vec::new();
        while self.eat("[") {
            let constant = |text: &str| self.types.constant(text);
            let length = self.peek();
            let length = length.and_then(|text| text.parse().ok().or_else(|| constant(text)));
            let Some(length) = length.filter(|length| *length > 0) else {
                return Err(self.unexpected("a length, such as [4]"));
            };
            lengths.push(length);
            self.at += 1;
            if !self.eat("]") {
                return Err(self.unexpected("`]`"));
            }
        }
        Ok(lengths)
    }
}

impl TypeLayout {
    /// Adds a member; `None` if the structure becomes too large.
    fn add(&mut self, name: &str, ty: &Self, lengths: &[u32]) -> Option<()> {
        let count = lengths
            .iter()
            .try_fold(1_u32, |n, length| n.checked_mul(*length))?;
        let fields = to_usize(count).checked_mul(ty.fields.len())?;
        if self.fields.len().checked_add(fields)? > MAX_FIELDS {
            return None;
        }
        self.align = self.align.max(ty.align);
        let start = self.size.checked_next_multiple_of(ty.align)?;
        self.size = count.checked_mul(ty.size)?.checked_add(start)?;
        for index in 0..count {
            let mut path = String::from(name);
            let mut rest = count;
            for length in lengths {
                rest /= length;
                path += &format!("[{}]", index / rest % length);
            }
            self.fields
                .extend(ty.fields.iter().map(|field| StructField {
                    path: match &*field.path {
                        "" => path.clone(),
                        inner => format!("{path}.{inner}"),
                    },
                    offset: start + index * ty.size + field.offset,
                    ..field.clone()
                }));
        }
        Some(())
    }

    /// A type with one field, which has no name.
    #[must_use]
    pub fn of_element(element: ElementType) -> Self {
        let name = String::from(element.name());
        let size = element.bytes().into();
        vector(name.clone(), name, element, 1, [size; 2])
    }
}

/// A scalar or vector type of OpenCL C or CUDA C.
fn builtin(name: &str, is_cuda: bool) -> Option<TypeLayout> {
    let (element, components) = opencl_type(name)?;
    let ty = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let bytes = u32::from(element.bytes());
    let [size, align] = match is_cuda {
        // Three components take the room of four.
        false => [bytes * components.next_power_of_two(); 2],
        true if components > 4 => return None,
        true if components == 3 => [bytes * 3, bytes],
        true => [bytes * components, (bytes * components).min(16)],
    };
    let (name, ty) = (String::from(name), String::from(ty));
    Some(vector(name, ty, element, components, [size, align]))
}

/// A scalar, or a vector with its components.
fn vector(
    name: String,
    ty: String,
    element: ElementType,
    components: u32,
    [size, align]: [u32; 2],
) -> TypeLayout {
    let fields = (0..components).map(|index| StructField {
        path: match (components, index) {
            (1, _) => String::new(),
            (..=4, index) => String::from(["x", "y", "z", "w"][index as usize]),
            (_, index) => format!("s{index:x}"),
        },
        ty: ty.clone(),
        element,
        offset: index * u32::from(element.bytes()),
    });
    TypeLayout {
        fields: fields.collect(),
        name,
        size,
        align,
        is_struct: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::SpaceId;
    use crate::program::Program;
    use crate::session::Condition;

    #[test]
    fn places_in_structures_have_the_names_of_fields() {
        let mut program = Program::parse(".launch global=8 local=8\n.simd 8\n.buffer p : ud[8]\n");
        let launch = program.launch.as_mut().expect("there is a launch");
        let layout = type_layout("struct P {float2 v; short s;}", "", false);
        launch.buffers[0].structure = layout.ok();
        let (start, size) = (launch.buffers[0].address, 16);
        assert_eq!(program.start.load(SpaceId::VIRTUAL, start + 31, 1), Some(0));
        let name = |offset: i64, bytes| {
            let launch = program.launch.as_ref()?;
            launch.surface_element_name(start, start.wrapping_add_signed(offset), bytes)
        };
        for (offset, bytes, expected) in [
            (0, 4, "p[0].v.x"),
            (6, 1, "p[0].v.y byte 2"),
            (0, 8, "p[0].v.x–p[0].v.y"),
            (8, 2, "p[0].s"),
            (10, 2, "p[0] byte 10"),
            (size - 8, 16, "p[0].s–p[1].v.y"),
            (2 * size + 4, 4, "p[2].v.y"),
            (-8, 2, "p[-1].s"),
        ] {
            assert_eq!(name(offset, bytes).as_deref(), Some(expected), "{offset}");
        }
        // Conditions take the same names.
        let is_place = |text: &str| Condition::parse(text, &program).is_ok();
        assert!(is_place("p[1].v.y > 1") && is_place("p[0].s == 2"));
        assert!(!is_place("p[2].s > 1") && !is_place("p[0] > 1") && !is_place("p[0].w > 1"));
    }

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

    #[test]
    fn brackets_that_never_close_take_linear_time() {
        // This takes minutes if each of them is looked for.
        let source = "struct a{".repeat(MAX_SOURCE / 9);
        assert_eq!(
            tokens(&source).last().map(|last| last.after),
            Some(tokens(&source).len())
        );
        places(&source, "b");
        let tokens = tokens("f(a{b)}) {");
        let after: Vec<_> = tokens.iter().map(|token| token.after).collect();
        assert_eq!(after, [1, 7, 3, 6, 5, 6, 7, 8, 9]);
    }

    fn places(source: &str, name: &str) -> Option<(Vec<(String, u32)>, u32)> {
        let layout = type_layout(name, source, false).ok()?;
        let places = layout.fields.into_iter();
        let places = places.map(|field| (field.path, field.offset));
        Some((places.collect(), layout.size))
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
            "int a;\n#ifdef X\nint b;\n#endif\n",
        ] {
            assert_eq!(
                places(&format!("struct S {{ {body} }};"), "S"),
                None,
                "{body}"
            );
        }
        for packed in [
            "struct __attribute__((packed)) S { char a; int b; };",
            "typedef struct { char a; int b; } __attribute__((packed)) S;",
            "typedef struct S { char a; int b; } __attribute__((packed)) T;",
            "struct S { char a; int b; } __attribute__((packed));",
            "# pragma pack(push, 1)\nstruct S { char a; int b; };",
        ] {
            assert_eq!(places(packed, "S"), None, "{packed}");
        }
        for name in ["float *p", "float a, *p"] {
            let pointer = format!("typedef {name};\nstruct S {{ p x; int n; }};");
            assert_eq!(places(&pointer, "S"), None, "{name}");
        }
        let fields = |count| places(&format!("struct S {{ float a[{count}]; }};"), "S");
        assert!(fields(MAX_FIELDS).is_some() && fields(MAX_FIELDS + 1).is_none());
        let nested = "{".repeat(100_000);
        assert!(type_layout(&nested, &format!("struct S {nested}"), false).is_err());
        let chars = "int f(char c) { return c == '{' || c == '\\''; }\nstruct S { int a; };";
        assert!(places(chars, "S").is_some());
    }

    /// `box_str` of lavaMD, of the Rodinia benchmarks.
    #[test]
    fn structures_of_more_than_a_hundred_fields_are_read() {
        let source = "typedef struct { int x, y, z; int number; long offset; } nei_str;
typedef struct { int x, y, z; int number; long offset; int nn; nei_str nei[26]; } box_str;";
        let (fields, size) = places(source, "box_str").expect("a layout");
        assert_eq!((fields.len(), size), (136, 656));
        assert_eq!(fields.last(), Some(&(String::from("nei[25].offset"), 648)));
    }

    /// Members of a structure, offsets of some of its fields, and its size.
    type Recorded = (&'static str, &'static [(&'static str, u32)], u32);

    fn assert_layouts(recorded: &[Recorded], source: &str, is_cuda: bool) {
        for (members, fields, size) in recorded {
            let layout = type_layout(&format!("{{{members}}}"), source, is_cuda).unwrap();
            for (path, expected) in *fields {
                let field = layout.fields.iter().find(|field| field.path == *path);
                let offset = field.map(|field| field.offset);
                assert_eq!(offset, Some(*expected), "{members}: {path}");
            }
            assert_eq!(layout.size, *size, "{members}");
        }
    }

    /// `sizeof` and `offsetof` as a kernel compiled by ocloc 26.27 stores them.
    #[test]
    fn layouts_are_those_of_the_compiler() {
        let recorded: [Recorded; 8] = [
            ("float x, y; int id;", &[("x", 0), ("y", 4), ("id", 8)], 12),
            (
                "char c; float3 v; short s;",
                &[("c", 0), ("v.x", 16), ("s", 32)],
                48,
            ),
            (
                "uchar flags; double d; half h; long n;",
                &[("flags", 0), ("d", 8), ("h", 16), ("n", 24)],
                32,
            ),
            (
                "int2 p; char4 q; float m[3]; uchar3 r;",
                &[("p.x", 0), ("q.x", 8), ("m[0]", 12), ("r.x", 24)],
                32,
            ),
            (
                "char t; struct { short a; int b; } in[2]; char u;",
                &[("t", 0), ("in[0].a", 4), ("u", 20)],
                24,
            ),
            (
                "float8 w; char z; ushort16 k;",
                &[("w.s0", 0), ("z", 32), ("k.s0", 64)],
                96,
            ),
            (
                "char a; float m[2][3]; ulong b; bool f;",
                &[("a", 0), ("m[0][0]", 4), ("b", 32), ("f", 40)],
                48,
            ),
            (
                "unsigned int n; unsigned char c; half2 h; int3 v[2];",
                &[("n", 0), ("c", 4), ("h.x", 8), ("v[0].x", 16)],
                48,
            ),
        ];
        assert_layouts(&recorded, "", false);
    }

    /// `sizeof` and `offsetof` as a kernel compiled by NVRTC 12.4 stores them.
    #[test]
    fn layouts_of_cuda_are_those_of_the_compiler() {
        let source = "struct A { char c; float3 v; short s; };";
        let recorded: [Recorded; 6] = [
            ("char c; float3 v; short s;", &[("v.x", 4), ("s", 16)], 20),
            ("char c; float4 v;", &[("v.x", 16)], 32),
            ("char c; double2 d; char e;", &[("d.x", 16), ("e", 32)], 48),
            (
                "char c; float2 a[3]; struct A n; long l;",
                &[("a[0].x", 8), ("n.c", 32), ("l", 56)],
                64,
            ),
            (
                "uchar3 t; ushort4 u; char3 w[2]; int4 q;",
                &[("u.x", 8), ("w[0].x", 16), ("q.x", 32)],
                48,
            ),
            (
                "char c; double4 d; long2 x;",
                &[("d.x", 16), ("x.x", 48)],
                64,
            ),
        ];
        assert_layouts(&recorded, source, true);
    }

    #[test]
    fn types_are_found_by_name_alias_and_constant() {
        let source = "#define N 2\ntypedef float real;\ntypedef struct V_ V;\n\
                      struct V_ { real w[N]; int2 i; };\ntypedef struct { V v; } W;";
        let paths = |ty: &str| {
            let layout = type_layout(ty, source, false).unwrap();
            let paths: Vec<_> = layout.fields.into_iter().map(|field| field.path).collect();
            (layout.name, layout.size, paths.join(" "))
        };
        let of = |name: &str, size, paths: &str| (name.into(), size, paths.into());
        assert_eq!(paths("const W *"), of("W", 16, "v.w[0] v.w[1] v.i.x v.i.y"));
        assert_eq!(paths("struct V_"), of("struct V_", 16, "w[0] w[1] i.x i.y"));
        assert_eq!(
            paths("struct A { char c; }; struct B { A a[2]; }"),
            of("B", 2, "a[0].c a[1].c")
        );
        assert_eq!(paths("unsigned long long"), of("ulong", 8, ""));
        assert_eq!(paths("uint16_t"), of("ushort", 2, ""));
        assert_eq!(paths("ud"), of("ud", 4, ""));
        let of_three = |is_cuda| type_layout("{char c; float3 v;}", "", is_cuda).map(|l| l.size);
        assert_eq!((of_three(false), of_three(true)), (Ok(32), Ok(16)));
    }

    #[test]
    fn errors_have_a_place() {
        let failed = |ty: &str, source| {
            let error = type_layout(ty, source, false).unwrap_err();
            assert!(!error.what.is_empty() && !error.help.is_empty());
            (error.is_in_source, error.place)
        };
        assert_eq!(failed("", ""), (false, (1, 1)));
        assert_eq!(failed("{float x; flot y;}", ""), (false, (1, 11)));
        assert_eq!(failed("{float x", ""), (false, (1, 9)));
        assert_eq!(failed("{float x;} é 3", ""), (false, (1, 12)));
        assert_eq!(failed("{}", ""), (false, (1, 3)));
        assert_eq!(failed("{int a[4294967295];}", ""), (false, (1, 19)));
        assert_eq!(failed("{int a[0];}", ""), (false, (1, 8)));
        assert_eq!(failed("P", "struct P {\n  int *p;\n};"), (true, (2, 7)));
        assert_eq!(failed("P", "struct P { struct P p; };"), (true, (1, 12)));
        assert_eq!(failed("T", "typedef T T;"), (true, (1, 9)));
    }

    #[test]
    fn every_prefix_has_a_layout_or_an_error() {
        let text = "typedef struct { uchar flags; float3 v[2][N]; struct P p; } Q;";
        for end in 0..=text.len() {
            for start in 0..end {
                let part = &text[start..end];
                let _ = type_layout(part, part, false);
                let _ = type_layout("Q", part, true);
            }
        }
    }
}
