//! The launch of a scenario as a form: reads and rewrites its `.launch`, `.buffer` and
//! `.local_arg` lines, the `.slm` line of a grid, and the numbers of its `.bind` lines. The
//! text stays the truth; the form has no state of its own, and other lines are never changed.
//!
//! A comment at the end of a line declares the argument in OpenCL C, such as
//! `// const float *x`. It names numbers, and gives the types of arguments.

use crate::diagnostic::{Diagnostic, to_usize};
use crate::isa::LaunchWords;
use crate::number::{ElementType, LiteralError, little_endian, parse_integer, parse_literal};
use crate::program::Program;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Names of scalar types in OpenCL C; of several for one type, the usual one first.
const OPENCL_TYPES: [(&str, ElementType); 18] = [
    ("char", ElementType::B),
    ("uchar", ElementType::Ub),
    ("bool", ElementType::Ub),
    ("unsigned char", ElementType::Ub),
    ("short", ElementType::W),
    ("ushort", ElementType::Uw),
    ("unsigned short", ElementType::Uw),
    ("int", ElementType::D),
    ("uint", ElementType::Ud),
    ("unsigned int", ElementType::Ud),
    ("long", ElementType::Q),
    ("ulong", ElementType::Uq),
    ("unsigned long", ElementType::Uq),
    ("half", ElementType::Hf),
    ("float", ElementType::F),
    ("double", ElementType::Df),
    ("size_t", ElementType::Uq),
    ("ptrdiff_t", ElementType::Q),
];

/// Element type and number of components of a scalar or vector type of OpenCL C, such as
/// `uint` or `float4`.
#[must_use]
pub fn opencl_type(name: &str) -> Option<(ElementType, u32)> {
    let scalar = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let components = match name.strip_prefix(scalar)? {
        "" => 1,
        digits => digits
            .parse()
            .ok()
            .filter(|n| [2, 3, 4, 8, 16].contains(n))?,
    };
    let (_, ty) = OPENCL_TYPES.iter().find(|(known, _)| *known == scalar)?;
    Some((*ty, components))
}

/// Name of a scalar type in OpenCL C, or ours if it has none there.
#[must_use]
pub fn opencl_name(ty: ElementType) -> &'static str {
    let known = OPENCL_TYPES.iter().find(|(_, known)| *known == ty);
    known.map_or(ty.name(), |(name, _)| name)
}

/// Fields of a launch. They hold any text; [`LaunchForm::problems`] reports those that the
/// program rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchForm {
    /// Index of the `.launch` line in the text.
    line: usize,
    /// Whether the launch is a grid of blocks, for NVIDIA GPUs.
    pub is_grid: bool,
    /// Work-items in x, y, z; of a grid, blocks.
    pub global: [String; 3],
    /// Work-items of a work-group, or threads of a block, in x, y, z.
    pub local: [String; 3],
    /// Work-group that the timeline shows.
    pub group: String,
    /// Global ID of the first work-item in x, y, z.
    pub offset: [String; 3],
    comment: String,
    pub arguments: Vec<ArgumentField>,
}

/// An argument, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentField {
    /// Index of its line in the text.
    line: usize,
    pub name: String,
    /// Type in OpenCL C, such as `const uint*`.
    pub ty: String,
    pub value: FieldValue,
    follows: Option<Followed>,
    comment: String,
}

/// Quantity that a length or number equals and follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Followed {
    /// The number of work-items.
    Items,
    /// The length of the buffer with this index.
    Length(usize),
}

/// The parts of the line of an argument, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldValue {
    pub kind: ValueKind,
    /// Name of the buffer, or of the variable or parameter that a number initializes, in the
    /// text; empty for local memory.
    pub target: String,
    /// Type of the elements; empty for local memory.
    pub element: String,
    /// Length of a buffer, bytes of local memory, or a number.
    pub quantity: String,
    /// Fixed address of a buffer, if any.
    address: Option<String>,
    /// Initial values of a buffer; empty for zeros.
    pub values: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Buffer,
    /// Shared local memory of an argument.
    Local,
    /// Shared memory of the blocks of a grid.
    Shared,
    Number,
}

/// A size, or the work-group to show; with the dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeField {
    Global(usize),
    Local(usize),
    Offset(usize),
    Group,
}

/// Part of the form that a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormPart {
    Size(SizeField),
    /// Length of a buffer, bytes of local memory, or a number, by argument.
    Quantity(usize),
    /// Initial values of a buffer, by argument.
    Values(usize),
    /// A line of the program, from 0.
    Line(usize),
}

/// Contents of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FieldKind {
    /// A whole number of 32 bits.
    Size,
    /// A whole number.
    Count,
    /// A number of a type.
    Value(Option<ElementType>),
    /// Initial values, which the program checks.
    Values,
}

impl FieldKind {
    /// The problem of a field that can be found without parsing the program.
    fn problem(self, part: FormPart, field: &str) -> Option<FormProblem> {
        let (message, help) = match self {
            _ if field.contains("//") || field.contains("/*") || field.contains('\n') => {
                let message = format!("unexpected comment in `{field}`");
                (message, String::from("remove the comment"))
            }
            Self::Values => return None,
            _ if field.is_empty() => (
                String::from("expected a number"),
                String::from("write a number such as 64"),
            ),
            Self::Size | Self::Count => {
                let what = match parse_integer(field) {
                    Ok(size) if self == Self::Count || u32::try_from(size).is_ok() => return None,
                    Ok(_) | Err(LiteralError::OutOfRange) => "is too large",
                    Err(_) => "is not a whole number",
                };
                let help = String::from("write a number such as 64");
                (format!("`{field}` {what}"), help)
            }
            Self::Value(ty) => {
                let error = parse_literal(field, ty?).err()?;
                let message = format!("invalid value `{field}`: {error}");
                (message, error.help(ty?))
            }
        };
        Some(FormProblem {
            parts: vec![part],
            message,
            help: Some(help),
        })
    }
}

/// A reason why the launch cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormProblem {
    /// Fields that the problem is about, or a line of the program.
    pub parts: Vec<FormPart>,
    pub message: String,
    pub help: Option<String>,
}

impl LaunchForm {
    /// Reads the form of a scenario; `None` without a valid `.launch` line. Of several
    /// `.launch` lines, the last one counts.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut form = None;
        let mut arguments = Vec::new();
        for (line, whole) in text.lines().enumerate() {
            let (code, comment) = match whole.split_once("//") {
                Some((code, comment)) => (code.trim(), comment.trim()),
                None => (whole.trim(), ""),
            };
            let Some((word, rest)) = code.split_once(char::is_whitespace) else {
                continue;
            };
            let value = match word.to_ascii_lowercase().as_str() {
                ".launch" => {
                    form = read_sizes(line, rest, comment).or(form);
                    continue;
                }
                ".buffer" => read_buffer(rest),
                ".local_arg" => Some(FieldValue::of(ValueKind::Local, rest)),
                ".slm" => Some(FieldValue::of(ValueKind::Shared, rest)),
                ".bind" => read_number(rest),
                ".param" => read_parameter(rest),
                _ => continue,
            };
            let Some(value) = value else {
                continue;
            };
            let (ty, name) = match declaration(comment) {
                Some((ty, name)) => (ty, name.to_string()),
                None => (value.default_type(), value.default_name(comment)),
            };
            arguments.push(ArgumentField {
                line,
                name,
                ty,
                value,
                follows: None,
                comment: comment.to_string(),
            });
        }
        let mut form = Self { arguments, ..form? };
        // The compiler decides how much a vISA kernel has apart from its arguments.
        if !form.is_grid {
            form.arguments
                .retain(|argument| argument.value.kind != ValueKind::Shared);
        }
        (0..form.arguments.len()).for_each(|argument| form.link(argument));
        Some(form)
    }

    /// Writes the fields into the text that the form was read from.
    #[must_use]
    pub fn write(&self, text: &str) -> String {
        let mut lines: Vec<String> = text.split('\n').map(String::from).collect();
        let mut set = |line: usize, code: String, comment: &str| {
            if let Some(place) = lines.get_mut(line) {
                *place = match comment {
                    "" => code,
                    comment => format!("{code}  // {comment}"),
                };
            }
        };
        set(self.line, self.sizes_line(), &self.comment);
        for argument in &self.arguments {
            set(argument.line, argument.value.code(), &argument.comment);
        }
        lines.join("\n")
    }

    fn sizes_line(&self) -> String {
        let [global, local] = match self.is_grid {
            true => ["grid", "block"],
            false => ["global", "local"],
        };
        let mut code = format!(
            ".launch {global}={} {local}={}",
            listed(&self.global, "1"),
            listed(&self.local, "1")
        );
        if self
            .offset
            .iter()
            .any(|offset| !matches!(offset.trim(), "" | "0"))
        {
            code += &format!(" offset={}", listed(&self.offset, "0"));
        }
        if !matches!(self.group.trim(), "" | "0") {
            code += &format!(" group={}", self.group.trim());
        }
        code
    }

    /// Fields with impossible contents; otherwise the errors of the program that the form
    /// writes, first on its own lines. Errors on other lines may be their consequences.
    #[must_use]
    pub fn problems(&self, text: &str, program: &Program) -> Vec<FormProblem> {
        let fields = self.fields();
        let found = fields.filter_map(|(part, kind, field)| kind.problem(part, field.trim()));
        let mut problems: Vec<FormProblem> = found.collect();
        if problems.is_empty() {
            let errors = program.diagnostics.iter();
            let errors = errors.filter(|diagnostic| diagnostic.is_error());
            problems.extend(errors.map(|error| self.problem(text, error)));
        }
        let is_own = |problem: &FormProblem| !matches!(problem.parts[..], [FormPart::Line(_)]);
        if problems.iter().any(is_own) {
            problems.retain(is_own);
        }
        problems
    }

    fn problem(&self, text: &str, error: &Diagnostic) -> FormProblem {
        let before = text.get(..to_usize(error.span.start)).unwrap_or(text);
        let line = before.matches('\n').count();
        let argument = self.arguments.iter().position(|field| field.line == line);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let start = before.len() - line_start;
        let parts = match argument {
            _ if line == self.line => {
                let end = to_usize(error.span.end).saturating_sub(line_start);
                self.sizes_in(start..end)
            }
            Some(index) => {
                let argument = &self.arguments[index];
                let value = &argument.value;
                let has_values = value.kind == ValueKind::Buffer
                    && start + value.values.trim().len() >= value.code().len();
                vec![match has_values {
                    true => FormPart::Values(index),
                    false => FormPart::Quantity(index),
                }]
            }
            None => vec![FormPart::Line(line)],
        };
        FormProblem {
            parts,
            message: error.what.clone(),
            help: match &*error.help {
                "" if error.rule.why.is_empty() => None,
                "" => Some(String::from(error.rule.why)),
                help => Some(String::from(help)),
            },
        }
    }

    /// The sizes in a range of the `.launch` line: those that are 0, if there are any.
    fn sizes_in(&self, range: Range<usize>) -> Vec<FormPart> {
        let line = self.sizes_line();
        let mut sizes = Vec::new();
        let mut start = 0;
        for word in line.split(' ') {
            let (name, values) = word.split_once('=').unwrap_or((word, ""));
            let mut at = start + name.len() + 1;
            for (dimension, value) in values.split(',').enumerate() {
                let field = match name {
                    "global" | "grid" => SizeField::Global(dimension),
                    "local" | "block" => SizeField::Local(dimension),
                    "offset" => SizeField::Offset(dimension),
                    _ => SizeField::Group,
                };
                if range.contains(&at) && !value.is_empty() {
                    sizes.push((FormPart::Size(field), value));
                }
                at += value.len() + 1;
            }
            start += word.len() + 1;
        }
        if sizes.iter().any(|(_, value)| *value == "0") {
            sizes.retain(|(_, value)| *value == "0");
        }
        match &sizes[..] {
            [] => vec![FormPart::Line(self.line)],
            sizes => sizes.iter().map(|(part, _)| *part).collect(),
        }
    }

    fn fields(&self) -> impl Iterator<Item = (FormPart, FieldKind, &str)> {
        let dimensions = (0..3).flat_map(|dimension| {
            [
                (SizeField::Global(dimension), &self.global[dimension]),
                (SizeField::Local(dimension), &self.local[dimension]),
                (SizeField::Offset(dimension), &self.offset[dimension]),
            ]
        });
        let sizes = [(SizeField::Group, &self.group)]
            .into_iter()
            .chain(dimensions);
        let is_required = |field| {
            use SizeField::{Global, Group, Local};
            matches!(field, Global(0) | Local(0) | Group)
        };
        let sizes =
            sizes.filter(move |(field, size)| is_required(*field) || !size.trim().is_empty());
        let sizes =
            sizes.map(|(field, size)| (FormPart::Size(field), FieldKind::Size, size.as_str()));
        let arguments = self.arguments.iter().enumerate();
        sizes.chain(arguments.flat_map(|(index, argument)| {
            let value = &argument.value;
            let kind = match value.kind {
                ValueKind::Number => FieldKind::Value(ElementType::named(&value.element)),
                _ => FieldKind::Count,
            };
            [
                (FormPart::Quantity(index), kind, value.quantity.as_str()),
                (FormPart::Values(index), FieldKind::Values, &value.values),
            ]
        }))
    }

    /// Words for the parts of the launch.
    #[must_use]
    pub const fn words(&self) -> &'static LaunchWords {
        LaunchWords::of_sizes(self.is_grid)
    }

    /// Number of work-items, if the sizes are numbers.
    #[must_use]
    pub fn items(&self) -> Option<u64> {
        let items = product(&self.global)?;
        match self.is_grid {
            true => items.checked_mul(product(&self.local)?),
            false => Some(items),
        }
    }

    /// Number of work-groups and of work-items of the largest ones, if the sizes are numbers.
    #[must_use]
    pub fn groups(&self) -> Option<(u64, u64)> {
        if self.is_grid {
            return Some((product(&self.global)?, product(&self.local)?));
        }
        let mut groups: u64 = 1;
        for (global, local) in self.global.iter().zip(&self.local) {
            let sizes = [global, local].map(|size| size.trim().parse::<u32>().ok());
            let [Some(global), Some(local)] = sizes else {
                return None;
            };
            let count = (local > 0).then(|| global.div_ceil(local))?;
            groups = groups.checked_mul(count.into())?;
        }
        Some((groups, product(&self.local)?))
    }

    /// Sets a number of work-items. Lengths and numbers that follow it change, too.
    pub fn set_global(&mut self, dimension: usize, size: String) {
        self.global[dimension] = size;
        self.settle();
    }

    /// Sets a size of the work-groups. In a grid, they decide how many work-items there are.
    pub fn set_local(&mut self, dimension: usize, size: String) {
        self.local[dimension] = size;
        self.settle();
    }

    /// Sets the length of a buffer, the bytes of local memory, or a number. Numbers that
    /// follow the length of a buffer change, too.
    pub fn set_quantity(&mut self, argument: usize, text: String) {
        let Some(field) = self.arguments.get_mut(argument) else {
            return;
        };
        field.value.quantity = text;
        self.link(argument);
        self.settle();
    }

    /// Sets the type of the elements of an argument without a declaration. A buffer keeps its
    /// number of elements, a number its value.
    pub fn set_element(&mut self, argument: usize, ty: ElementType) {
        let Some(field) = self.arguments.get_mut(argument) else {
            return;
        };
        let value = &mut field.value;
        match value.kind {
            ValueKind::Buffer => {}
            ValueKind::Number => {
                let old = ElementType::named(&value.element);
                let bits =
                    old.and_then(|old| Some((parse_literal(&value.quantity, old).ok()?, old)));
                if let Some((bits, old)) = bits {
                    value.quantity = crate::number::show(bits, old);
                }
            }
            ValueKind::Local | ValueKind::Shared => return,
        }
        value.element = String::from(ty.name());
        field.ty = field.value.default_type();
    }

    /// Sets the initial values of a buffer.
    pub fn set_values(&mut self, argument: usize, text: String) {
        if let Some(field) = self.arguments.get_mut(argument)
            && field.value.kind == ValueKind::Buffer
        {
            field.value.values = text;
        }
    }

    /// Takes over the sizes of `current`, and its values of the arguments that both forms have
    /// with the same type; only those that differ from `earlier`, if given. The work-group is
    /// kept unless the sizes change.
    pub fn keep(&mut self, current: &Self, earlier: Option<&Self>) {
        let sizes = |form: &Self| (form.global.clone(), form.local.clone(), form.offset.clone());
        if earlier.is_none_or(|earlier| sizes(current) != sizes(earlier)) {
            (self.global, self.local, self.offset) = sizes(current);
        }
        if sizes(self) == sizes(current) {
            self.group.clone_from(&current.group);
        }
        for field in &mut self.arguments {
            // The user may have chosen the type of an argument without a declaration.
            let is_chosen = |other: &ArgumentField| {
                let types = other.element_types().zip(field.element_types());
                other.value.kind == field.value.kind
                    && types.is_some_and(|((ty, _), (_, possible))| possible.contains(&ty))
            };
            let is_same = |other: &&ArgumentField| {
                other.name == field.name && (other.ty == field.ty || is_chosen(other))
            };
            let is_changed = |own: &ArgumentField| {
                let mut arguments = earlier.iter().flat_map(|earlier| &earlier.arguments);
                let earlier = arguments.find(|earlier| earlier.name == own.name);
                earlier.is_none_or(|earlier| !own.value.has_contents_of(&earlier.value))
            };
            let same = current.arguments.iter().find(is_same);
            if let Some(same) = same.filter(|same| is_changed(same)) {
                field.value.keep(&same.value);
                field.ty.clone_from(&same.ty);
            }
        }
        (0..self.arguments.len()).for_each(|argument| self.link(argument));
    }

    /// Finds the quantity that an argument follows: a number the length of the first buffer
    /// of that length, everything the number of work-items.
    fn link(&mut self, argument: usize) {
        let items = self.items();
        let Some(field) = self.arguments.get(argument) else {
            return;
        };
        let kind = field.value.kind;
        if matches!(kind, ValueKind::Local | ValueKind::Shared) {
            return;
        }
        let text = field.value.quantity.trim();
        let is_items = items.is_some_and(|items| parse_integer(text) == Ok(items));
        let mut values = self.arguments.iter().map(|field| &field.value);
        let of_length = values
            .position(|value| value.kind == ValueKind::Buffer && value.quantity.trim() == text);
        let follows = match of_length.filter(|_| kind == ValueKind::Number) {
            Some(buffer) => Some(Followed::Length(buffer)),
            None => is_items.then_some(Followed::Items),
        };
        self.arguments[argument].follows = follows;
    }

    /// Updates the lengths and numbers that follow others.
    fn settle(&mut self) {
        let items = self.items().map(|items| items.to_string());
        // Buffers first: numbers follow their lengths.
        for is_buffer in [true, false] {
            for index in 0..self.arguments.len() {
                let field = &self.arguments[index];
                if (field.value.kind == ValueKind::Buffer) != is_buffer {
                    continue;
                }
                let text = match field.follows {
                    Some(Followed::Items) => items.clone(),
                    Some(Followed::Length(buffer)) => {
                        Some(self.arguments[buffer].value.quantity.clone())
                    }
                    None => None,
                };
                if let Some(text) = text {
                    self.arguments[index].value.quantity = text;
                }
            }
        }
    }

    /// Description of the quantity that a number follows, such as "as long as in".
    #[must_use]
    pub fn followed(&self, argument: usize) -> Option<String> {
        let field = self.arguments.get(argument)?;
        let value = &field.value;
        if value.kind == ValueKind::Number
            && let Some(value) = bits_of_float(value.quantity.trim(), &value.element)
        {
            return Some(format!("the bits of {value}"));
        }
        if let Some(part) = field.part_of_struct() {
            return Some(part);
        }
        match field.follows? {
            Followed::Length(buffer) => Some(format!("as long as {}", self.arguments[buffer].name)),
            Followed::Items if value.kind == ValueKind::Number => {
                Some(format!("number of {}s", self.words().item))
            }
            Followed::Items => None,
        }
    }

    /// Sets the values of a buffer to the bytes of a file, read as its elements.
    ///
    /// # Errors
    /// When the bytes are not whole elements, or too many for a text.
    pub fn set_bytes(&mut self, argument: usize, bytes: &[u8]) -> Result<(), String> {
        let field = self.arguments.get_mut(argument);
        let buffer = field.filter(|field| field.value.kind == ValueKind::Buffer);
        let Some(ArgumentField { value, .. }) = buffer else {
            return Ok(());
        };
        let ty =
            ElementType::named(&value.element).ok_or("the buffer has no valid element type")?;
        let size = usize::from(ty.bytes());
        if bytes.len() > MAX_FILE {
            return Err(format!(
                "the file has {} bytes, and the text of a scenario holds at most {MAX_FILE}; \
                 use `lanewise run --arg NAME=TYPE[LENGTH]=@FILE`",
                bytes.len()
            ));
        }
        if bytes.is_empty() || !bytes.len().is_multiple_of(size) {
            return Err(format!(
                "the file has {} bytes, which are not whole elements of {size} bytes",
                bytes.len()
            ));
        }
        let listed = bytes
            .chunks_exact(size)
            .map(|bytes| crate::number::literal(little_endian(bytes), ty));
        let listed: Vec<String> = listed.collect();
        value.values = listed.join(", ");
        let length = listed.len().to_string();
        self.set_quantity(argument, length);
        Ok(())
    }
}

/// Largest file whose bytes become values of a text.
const MAX_FILE: usize = 16 << 10;

impl FieldValue {
    fn of(kind: ValueKind, quantity: &str) -> Self {
        Self {
            kind,
            target: String::new(),
            element: String::new(),
            quantity: quantity.trim().to_string(),
            address: None,
            values: String::new(),
        }
    }

    /// Takes over what a user enters, but not the name in the text.
    fn keep(&mut self, other: &Self) {
        if self.kind == other.kind {
            self.element.clone_from(&other.element);
            self.quantity.clone_from(&other.quantity);
            self.values.clone_from(&other.values);
        }
    }

    /// Whether [`Self::keep`] would change nothing.
    fn has_contents_of(&self, other: &Self) -> bool {
        let contents = |of: &Self| (of.element.clone(), of.quantity.clone(), of.values.clone());
        self.kind == other.kind && contents(self) == contents(other)
    }

    /// Type in OpenCL C of an argument whose line has no declaration.
    fn default_type(&self) -> String {
        let element = match ElementType::named(&self.element) {
            Some(ty) => opencl_name(ty),
            None => &self.element,
        };
        match self.kind {
            ValueKind::Buffer => format!("{element}*"),
            ValueKind::Local => String::from("local*"),
            ValueKind::Shared => String::new(),
            ValueKind::Number => element.to_string(),
        }
    }

    /// Name of an argument whose line has no declaration. A comment can name a parameter:
    /// `arg2` or `n`, or `arg2[1]` for a part.
    fn default_name(&self, comment: &str) -> String {
        let target = &self.target;
        match self.kind {
            ValueKind::Local => String::from("local memory"),
            ValueKind::Shared => String::from("shared memory"),
            ValueKind::Number if target.starts_with("0x") => match comment_parts(comment).next() {
                Some(name) if is_argument_name(name) => name.to_string(),
                _ => format!("parameter {target}"),
            },
            ValueKind::Buffer | ValueKind::Number => target.clone(),
        }
    }

    fn code(&self) -> String {
        let Self {
            target, element, ..
        } = self;
        let (quantity, values) = (self.quantity.trim(), self.values.trim());
        match self.kind {
            ValueKind::Buffer => {
                let mut code = format!(".buffer {target} : {element}[{quantity}]");
                if let Some(address) = &self.address {
                    code += &format!(" at={address}");
                }
                if !values.is_empty() {
                    code += &format!(" = {values}");
                }
                code
            }
            ValueKind::Local => format!(".local_arg {quantity}"),
            ValueKind::Shared => format!(".slm {quantity}"),
            ValueKind::Number => {
                // Parameters of NVIDIA kernels are offsets, bindings of vISA are variables.
                let is_offset = target.starts_with(|first: char| first.is_ascii_digit());
                let directive = if is_offset { "param" } else { "bind" };
                format!(".{directive} {target} = {quantity}:{element}")
            }
        }
    }
}

impl ArgumentField {
    /// The type of the elements, and those that they can have instead; `None` for an argument
    /// whose declaration says its type. A number keeps its size.
    #[must_use]
    pub fn element_types(&self) -> Option<(ElementType, Vec<ElementType>)> {
        let value = &self.value;
        if declaration(&self.comment).is_some() && self.part_of_struct().is_none() {
            return None;
        }
        let own = ElementType::named(&value.element)?;
        let is_number = value.kind == ValueKind::Number;
        let fits = |ty: &ElementType| !is_number || ty.bytes() == own.bytes();
        Some((own, ElementType::ALL.into_iter().filter(fits).collect()))
    }

    /// Type of the elements of a buffer in OpenCL C, if the type of the argument has others:
    /// `float` for `float4*`.
    #[must_use]
    pub fn own_element(&self) -> Option<&'static str> {
        let (ty, _) = declaration(&self.comment)?;
        let element = ElementType::named(&self.value.element)?;
        let is_same = opencl_type(base_type(&ty)) == Some((element, 1));
        (self.value.kind == ValueKind::Buffer && !is_same).then(|| opencl_name(element))
    }

    /// Opcode from which the type is inferred, as the comment `f inferred from FFMA` says; `None`
    /// once another type is chosen.
    #[must_use]
    pub fn inferred_from(&self) -> Option<&str> {
        comment_parts(&self.comment).find_map(|part| {
            let rest = part.strip_prefix(&*self.value.element)?;
            rest.strip_prefix(" inferred from ")
        })
    }

    /// Description of a number that is a part of a structure, whose fields are not known.
    #[must_use]
    pub fn part_of_struct(&self) -> Option<String> {
        let (ty, _) = declaration(&self.comment)?;
        if self.value.kind != ValueKind::Number || opencl_type(&ty).is_some() {
            return None;
        }
        let size = u32::from(ElementType::named(&self.value.element)?.bytes());
        let index = self.name.strip_suffix(']')?.rsplit_once('[')?.1;
        let first = index.parse::<u32>().ok()?.checked_mul(size)?;
        let last = first.checked_add(size - 1)?;
        Some(match size {
            1 => format!("byte {first} of {ty}"),
            _ => format!("bytes {first} to {last} of {ty}"),
        })
    }
}

/// Reads `global=64,1 local=32 offset=0 group=2`.
fn read_sizes(line: usize, rest: &str, comment: &str) -> Option<LaunchForm> {
    let mut form = LaunchForm {
        line,
        is_grid: false,
        global: Default::default(),
        local: Default::default(),
        group: String::from("0"),
        offset: core::array::from_fn(|_| String::from("0")),
        comment: comment.to_string(),
        arguments: Vec::new(),
    };
    let dimensions = |sizes: &str, rest: &str| {
        let mut sizes = sizes.split(',').map(|size| size.trim().to_string());
        core::array::from_fn(|_| sizes.next().unwrap_or_else(|| String::from(rest)))
    };
    // Blanks around `=` and `,` are optional.
    let mut rest = rest.trim();
    while let Some((word, after)) = rest.split_once('=') {
        let end = after.find('=').map_or(after.len(), |next| {
            let (before, _) = after.split_at(next);
            let name = |c: char| c.is_ascii_alphanumeric();
            before.trim_end().trim_end_matches(name).len()
        });
        let (value, next) = after.split_at(end);
        let value = value.trim();
        match word.trim() {
            name @ ("global" | "grid") => {
                form.is_grid = name == "grid";
                form.global = dimensions(value, "1");
            }
            "local" | "block" => form.local = dimensions(value, "1"),
            "offset" => form.offset = dimensions(value, "0"),
            "group" => form.group = value.to_string(),
            _ => return None,
        }
        rest = next;
    }
    let has_sizes = !form.global[0].is_empty() && !form.local[0].is_empty();
    (has_sizes && rest.trim().is_empty()).then_some(form)
}

/// Reads `y : f[64] at=0x10000 = iota(1, 0.5)`.
fn read_buffer(rest: &str) -> Option<FieldValue> {
    let (name, rest) = rest.split_once(':')?;
    let (element, rest) = rest.split_once('[')?;
    let (length, rest) = rest.split_once(']')?;
    let mut rest = rest.trim();
    let mut address = None;
    if let Some(placed) = rest.strip_prefix("at") {
        let placed = placed.trim_start().strip_prefix('=')?.trim_start();
        let end = placed.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let (number, after) = placed.split_at(end.unwrap_or(placed.len()));
        address = Some(number.to_string());
        rest = after.trim();
    }
    let values = match rest.strip_prefix('=') {
        Some(values) => values.trim(),
        None if rest.is_empty() => "",
        None => return None,
    };
    Some(FieldValue {
        target: name.trim().to_string(),
        element: element.trim().to_string(),
        address,
        values: values.to_string(),
        ..FieldValue::of(ValueKind::Buffer, length)
    })
}

/// Reads `V34[4] = 41:ud`; `None` for other bindings.
pub(super) fn read_number(rest: &str) -> Option<FieldValue> {
    let (variable, bound) = rest.split_once('=')?;
    let (number, element) = bound.split_once(':')?;
    ElementType::named(element.trim())?;
    Some(FieldValue {
        target: variable.trim().to_string(),
        element: element.trim().to_string(),
        ..FieldValue::of(ValueKind::Number, number)
    })
}

/// Reads `0x168 = 128:ud`; `None` for an address.
fn read_parameter(rest: &str) -> Option<FieldValue> {
    let is_offset = rest
        .trim_start()
        .starts_with(|first: char| first.is_ascii_digit());
    read_number(rest).filter(|_| is_offset)
}

/// `arg2` and `proposed` of `arg2  // proposed`.
fn comment_parts(comment: &str) -> impl Iterator<Item = &str> {
    comment.split("//").map(str::trim)
}

/// The comment at the end of the lines of a proposed launch.
pub const PROPOSED: &str = "proposed";

/// Whether a part of a comment is a name, `n` or `arg2[1]`, rather than a remark.
fn is_argument_name(part: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_[]".contains(c);
    let starts = part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && part.chars().all(is_name) && part != PROPOSED
}

/// Splits a declaration such as `const uint *in` into type and name.
fn declaration(comment: &str) -> Option<(String, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_[].".contains(c);
    let start = comment.trim_end_matches(is_word).len();
    let (ty, name) = comment.split_at(start);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let ty = ty.trim().replace(" *", "*");
    let base = base_type(&ty);
    // The name of a part of a vector or structure has an index: `P extra[4]`.
    let is_part = name.ends_with(']');
    let is_type =
        is_part || opencl_type(base).is_some() || base.starts_with("struct ") || ty.ends_with('*');
    (is_name && is_type && base.split(' ').count() <= 2).then_some((ty, name))
}

/// `uint` of `const uint*`.
fn base_type(ty: &str) -> &str {
    ["const ", "volatile ", "local ", "global "]
        .iter()
        .fold(ty.trim_end_matches('*'), |base, word| {
            base.trim_start_matches(word)
        })
}

/// The value of a float that is given by its bits, such as `0x10`.
fn bits_of_float(number: &str, element: &str) -> Option<String> {
    let ty = ElementType::named(element).filter(|ty| ty.is_float())?;
    let (_, is_bits) = crate::number::unsigned(number)?;
    let bits = parse_literal(number, ty).ok().filter(|_| is_bits)?;
    Some(crate::number::show(bits, ty))
}

/// Sizes without trailing ones that are the default.
fn listed(sizes: &[String; 3], default: &str) -> String {
    let is_default = |size: &String| size.trim() == default;
    let kept = match sizes {
        [_, y, z] if is_default(y) && is_default(z) => &sizes[..1],
        [_, _, z] if is_default(z) => &sizes[..2],
        _ => &sizes[..],
    };
    let kept: Vec<&str> = kept.iter().map(|size| size.trim()).collect();
    kept.join(",")
}

fn product(sizes: &[String; 3]) -> Option<u64> {
    let mut product: u64 = 1;
    for size in sizes {
        product = product.checked_mul(parse_integer(size.trim()).ok()?)?;
    }
    Some(product)
}

/// Whether two texts are equal but for the work-group that `.launch` selects.
#[must_use]
pub fn equal_but_group(a: &str, b: &str) -> bool {
    let without_group = |line: &str| {
        let words = line.split_whitespace();
        words
            .filter(|word| !word.starts_with("group="))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let is_launch = |line: &str| line.trim_start().starts_with(".launch");
    let mut lines = a.lines().zip(b.lines());
    a == b
        || a.lines().count() == b.lines().count()
            && lines.all(|(a, b)| {
                a == b || is_launch(a) && is_launch(b) && without_group(a) == without_group(b)
            })
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_are_equal_but_for_the_group() {
        let text = |group: &str| alloc::format!(".launch global=64 local=32{group}\n.simd 16\n");
        assert!(super::equal_but_group(&text(""), &text(" group=1")));
        assert!(super::equal_but_group(&text(" group=2"), &text(" group=1")));
        assert!(!super::equal_but_group(&text(""), &text(" offset=1")));
        assert!(!super::equal_but_group(
            &text(""),
            &(text(" group=1") + "// more\n")
        ));
    }

    use super::*;

    #[test]
    fn grids_and_parameters_are_fields() {
        let text = ".target sass SM80\n.launch grid=2 block=64\n\
            .buffer arg0 : ud[128] = iota(0, 1)  // proposed\n\
            .param 0x160 = &arg0  // proposed\n.param 0x168 = 0x80:ud  // proposed\nEXIT;\n";
        let mut form = LaunchForm::read(text).unwrap();
        assert!(form.is_grid);
        assert_eq!((form.items(), form.groups()), (Some(128), Some((2, 64))));
        let names: Vec<&str> = form.arguments.iter().map(|field| &*field.name).collect();
        assert_eq!(names, ["arg0", "parameter 0x168"]);
        assert_eq!(form.write(text), text);
        form.set_global(0, String::from("3"));
        form.local[0] = String::from("32");
        form.group = String::from("1");
        form.set_quantity(1, String::from("100"));
        let written = form.write(text);
        assert!(
            written.contains(".launch grid=3 block=32 group=1\n"),
            "{written}"
        );
        assert!(written.contains(".param 0x168 = 100:ud  // proposed\n"));
        let mut form = LaunchForm::read(text).unwrap();
        let (own, others) = form.arguments[1].element_types().unwrap();
        assert_eq!((own, others.len()), (ElementType::Ud, 3));
        assert_eq!(form.arguments[1].ty, "uint");
        let inferred = text.replace("ud  //", "ud  // arg1  // ud inferred from IADD3  //");
        let mut inferred = LaunchForm::read(&inferred).unwrap();
        assert_eq!(inferred.arguments[1].name, "arg1");
        let from = |form: &LaunchForm| form.arguments[1].inferred_from().map(String::from);
        assert_eq!(
            (from(&form), from(&inferred).as_deref()),
            (None, Some("IADD3"))
        );
        assert!(inferred.arguments[1].element_types().is_some());
        inferred.set_element(1, ElementType::F);
        assert_eq!(from(&inferred), None);
        form.set_element(0, ElementType::Df);
        form.set_element(1, ElementType::F);
        assert_eq!(form.arguments[0].ty, "double*");
        let written = form.write(text);
        assert!(
            written.contains(".param 0x168 = 128:f  // proposed\n"),
            "{written}"
        );
        assert!(written.contains(".buffer arg0 : df["), "{written}");
        form.set_quantity(1, String::from("0x3f800000"));
        form.set_element(1, ElementType::D);
        assert!(
            form.write(text).contains(".param 0x168 = 1:d"),
            "{}",
            form.write(text)
        );
        // Another version of the kernel, whose proposal has the types of the file.
        let mut rebuilt = LaunchForm::read(text).unwrap();
        rebuilt.keep(&form, None);
        assert_eq!(rebuilt.write(text), form.write(text));
        // A parameter that has become wider keeps the type of the file.
        let wider = text.replace("0x80:ud", "0x80:uq");
        let mut rebuilt = LaunchForm::read(&wider).unwrap();
        rebuilt.keep(&form, None);
        assert!(rebuilt.write(&wider).contains("0x168 = 0x80:uq"));
        assert!(Program::parse(&written).can_run());
    }

    const TEXT: &str = "\
.target visa DG2
.launch global=64 local=32
.simd 32
.buffer in : ud[64] = iota(0, 1)  // const uint *in
.buffer bins : ud[16] at=0x9000
.local_arg 64  // local uint *tile
.decl V32 v_type=G type=ud num_elts=1
.decl V33 v_type=G type=uq num_elts=1
.bind V32 = 64:ud  // uint n
.bind V33 = &in
ret (M1, 1)
";

    fn form() -> LaunchForm {
        LaunchForm::read(TEXT).expect("the text has a launch")
    }

    #[test]
    fn forms_have_the_arguments_of_the_text() {
        let form = form();
        let arguments: Vec<_> = form
            .arguments
            .iter()
            .map(|argument| (argument.name.as_str(), argument.ty.as_str()))
            .collect();
        let wanted = [
            ("in", "const uint*"),
            ("bins", "uint*"),
            ("tile", "local uint*"),
            ("n", "uint"),
        ];
        assert_eq!(arguments, wanted);
        assert_eq!(form.groups(), Some((2, 32)));
        assert_eq!(form.followed(3).as_deref(), Some("as long as in"));
        assert_eq!(form.write(TEXT), TEXT);
        assert_eq!(LaunchForm::read(".target visa DG2\nret (M1, 1)\n"), None);
    }

    #[test]
    fn lengths_and_numbers_follow() {
        let mut form = form();
        form.set_global(0, String::new());
        form.set_global(0, String::from("128"));
        let text = form.write(TEXT);
        assert!(text.contains(".launch global=128 local=32\n"), "{text}");
        assert!(text.contains(".buffer in : ud[128] = iota(0, 1)  // const"));
        assert!(text.contains(".bind V32 = 128:ud  // uint n"));
        form.offset[0] = String::from("5");
        assert!(
            form.write(TEXT)
                .contains(".launch global=128 local=32 offset=5\n")
        );
        form.offset[0] = String::from("0");
        form.set_quantity(0, String::from("200"));
        form.set_global(1, String::from("2"));
        form.group = String::from("3");
        let text = form.write(TEXT);
        assert!(text.contains(".launch global=128,2 local=32 group=3\n"));
        assert!(text.contains(".buffer in : ud[200]") && text.contains("V32 = 200:ud"));
        form.set_quantity(3, String::from("7"));
        form.set_quantity(0, String::from("300"));
        assert!(form.write(TEXT).contains("V32 = 7:ud"));
        assert_eq!(
            LaunchForm::read(&text).map(|form| form.write(&text)),
            Some(text)
        );
    }

    #[test]
    fn problems_belong_to_their_fields() {
        let problems = |form: &LaunchForm| {
            let text = form.write(TEXT);
            form.problems(&text, &Program::parse(&text))
        };
        let mut form = form();
        assert_eq!(problems(&form), []);
        form.set_global(0, String::from("0"));
        let found = problems(&form);
        assert_eq!(found[0].parts, [FormPart::Size(SizeField::Global(0))]);
        assert!(found[0].help.is_some(), "{found:?}");
        form.set_global(0, String::from("64"));
        form.set_quantity(3, String::from("many"));
        assert_eq!(problems(&form)[0].parts, [FormPart::Quantity(3)]);
        form.set_quantity(3, String::from("1:ud // 2"));
        assert_eq!(problems(&form)[0].parts, [FormPart::Quantity(3)]);
    }

    /// The fields marked for errors that only the program finds.
    #[test]
    fn errors_of_the_program_belong_to_single_fields() {
        use SizeField::{Global, Group, Local};
        let check = |edit: &dyn Fn(&mut LaunchForm), parts: &[FormPart]| {
            let mut form = form();
            edit(&mut form);
            let text = form.write(TEXT);
            let found = form.problems(&text, &Program::parse(&text));
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].parts, parts, "{found:?}");
            assert!(found[0].help.is_some(), "{found:?}");
        };
        let local = |dimension| FormPart::Size(Local(dimension));
        check(&|form| form.local[0] = "2048".into(), &[local(0)]);
        check(&|form| form.local[1] = "64".into(), &[local(0), local(1)]);
        check(&|form| form.local[2] = "0".into(), &[local(2)]);
        check(
            &|form| form.global[1] = "0".into(),
            &[FormPart::Size(Global(1))],
        );
        check(
            &|form| form.global[1] = "5000000000".into(),
            &[FormPart::Size(Global(1))],
        );
        check(&|form| form.group = "7".into(), &[FormPart::Size(Group)]);
        check(
            &|form| form.set_values(0, "1 2 3".into()),
            &[FormPart::Values(0)],
        );
        check(
            &|form| form.set_values(0, "random".into()),
            &[FormPart::Values(0)],
        );
        check(
            &|form| form.set_quantity(1, "99999999999".into()),
            &[FormPart::Quantity(1)],
        );
    }

    /// The program would report the line, and lines that depend on it.
    #[test]
    fn an_invalid_number_is_the_only_problem() {
        for wrong in ["", "-5", "1.5", "abc", "1e9", "99999999999999999999"] {
            for part in [
                FormPart::Size(SizeField::Local(0)),
                FormPart::Quantity(1),
                FormPart::Quantity(2),
                FormPart::Quantity(3),
            ] {
                let mut form = form();
                match part {
                    FormPart::Quantity(index) => form.set_quantity(index, String::from(wrong)),
                    _ => form.local[0] = String::from(wrong),
                }
                let text = form.write(TEXT);
                let found = form.problems(&text, &Program::parse(&text));
                assert_eq!(found.len(), 1, "{wrong}: {found:?}");
                assert_eq!(found[0].parts, [part], "{wrong}: {found:?}");
            }
        }
    }

    #[test]
    fn shared_memory_is_a_field_of_a_grid_only() {
        let text = ".target sass SM80\n.launch grid=2 block=64\n.slm 0\nEXIT;\n";
        let mut form = LaunchForm::read(text).unwrap();
        form.set_quantity(0, String::from("256"));
        assert!(form.write(text).contains(".slm 256\n"));
        let text = TEXT.replace(".simd 32", ".simd 32\n.slm 64");
        assert_eq!(LaunchForm::read(&text).unwrap().arguments.len(), 4);
    }

    #[test]
    fn parts_of_an_unknown_structure_have_types() {
        let text = ".launch global=8 local=8\n.bind V34 = 1:ud  // P extra[2]\n\
                    .bind V35 = 0:ub  // P extra[20]\n.bind V36 = 2:f  // float4 v[0]\n";
        let mut form = LaunchForm::read(text).unwrap();
        form.set_element(0, ElementType::F);
        let [number, byte, vector] = &form.arguments[..] else {
            panic!("{form:?}");
        };
        assert_eq!(number.name, "extra[2]");
        assert_eq!(form.followed(0).unwrap(), "bytes 8 to 11 of P");
        let (own, others) = number.element_types().unwrap();
        assert_eq!(own, ElementType::F);
        assert!(others.contains(&ElementType::D));
        assert_eq!(form.followed(1).unwrap(), "byte 20 of P");
        assert_eq!(byte.name, "extra[20]");
        assert_eq!(vector.element_types(), None);
        assert!(
            form.write(text)
                .contains(".bind V34 = 1:f  // P extra[2]\n")
        );
    }

    #[test]
    fn elements_unlike_the_declaration_are_named() {
        let text = ".launch global=8 local=8\n.buffer a : f[8]  // float4 *a\n\
                    .buffer b : ud[8]  // P *b\n.buffer c : uw[8]  // const ushort *c\n\
                    .buffer d : q[8]\n";
        let form = LaunchForm::read(text).unwrap();
        let own: Vec<_> = form
            .arguments
            .iter()
            .map(ArgumentField::own_element)
            .collect();
        assert_eq!(own, [Some("float"), Some("uint"), None, None]);
    }

    #[test]
    fn bits_of_a_float_are_pointed_out() {
        let text = TEXT.replace("V32 = 64:ud  // uint n", "V32 = 1.5:f  // float n");
        let mut form = LaunchForm::read(&text).expect("a launch");
        assert_eq!(form.followed(3), None);
        form.set_quantity(3, String::from("0x10"));
        let value = crate::number::show(0x10, ElementType::F);
        assert_eq!(form.followed(3), Some(format!("the bits of {value}")));
    }

    #[test]
    fn floats_that_are_not_numbers_are_accepted() {
        let text = TEXT.replace("V32 = 64:ud  // uint n", "V32 = 1.5:f  // float n");
        let mut form = LaunchForm::read(&text).expect("a launch");
        let mut problems = |number: &str| {
            form.set_quantity(3, String::from(number));
            let text = form.write(&text);
            form.problems(&text, &Program::parse(&text))
        };
        for number in ["nan", "inf", "-inf", "-1e30"] {
            assert_eq!(problems(number), [], "{number}");
        }
        assert_ne!(problems("many"), []);
    }

    #[test]
    fn any_text_is_read() {
        for (place, _) in TEXT.char_indices() {
            for inserted in ["é", "=", "//", "[", ":", "\n", ","] {
                let (before, after) = TEXT.split_at(place);
                let text = format!("{before}{inserted}{after}");
                if let Some(form) = LaunchForm::read(&text) {
                    let _ = form.problems(&text, &Program::parse(&form.write(&text)));
                }
            }
        }
    }

    #[test]
    fn a_buffer_may_be_null() {
        let mut form = form();
        form.set_values(0, String::from("null"));
        let text = form.write(TEXT);
        let program = Program::parse(&text);
        assert_eq!(form.problems(&text, &program), []);
        let buffer = &program.launch.as_ref().expect("a launch").buffers[0];
        assert!(buffer.is_null);
        assert_eq!((buffer.address, buffer.bytes()), (0, 0));
        for (declaration, code) in [
            ("f[64] at=0x20000 = null", "E0821"),
            ("f[99999999999999] = null", "E0806"),
            ("f[64] = undef null", "E0107"),
        ] {
            let text = format!(
                ".target visa DG2\n.launch global=8 local=8\n.simd 8\n\
                 .buffer p : {declaration}\nret (M1, 1)\n"
            );
            let program = Program::parse(&text);
            let codes = program.diagnostics.iter().map(|found| found.rule.code);
            assert_eq!(codes.collect::<Vec<_>>(), [code], "{declaration}");
        }
        form.set_values(0, String::from("iota(0, 1)"));
        assert_eq!(form.write(&text), TEXT);
    }

    #[test]
    fn bytes_of_a_file_become_values() {
        let mut form = form();
        assert!(form.set_bytes(0, &[1, 2, 3]).is_err());
        assert!(form.set_bytes(0, &[0; MAX_FILE + 4]).is_err());
        form.set_bytes(0, &[7, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])
            .expect("two elements");
        let text = form.write(TEXT);
        assert!(
            text.contains(".buffer in : ud[2] = 7, 4294967295  //"),
            "{text}"
        );
        assert!(text.contains("V32 = 2:ud"));
        let nan = [0, 0, 0xc0, 0x7f];
        let text = TEXT.replace("in : ud", "in : f");
        let mut form = LaunchForm::read(&text).expect("a launch");
        form.set_bytes(0, &nan).expect("one element");
        let text = form.write(&text);
        let program = Program::parse(&text);
        let launch = program.launch.as_ref().expect("a launch");
        let bits = program.start.load(
            crate::machine::SpaceId::VIRTUAL,
            launch.buffers[0].address,
            4,
        );
        assert_eq!(bits, Some(0x7fc0_0000));
    }
}
