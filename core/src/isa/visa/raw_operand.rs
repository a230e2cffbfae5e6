//! Raw operands: text, encoding, rules and lane values.
//!
//! Source: visa_5_operands.md, "Raw Operands".

use super::declarations::{Declarations, General, Symbol};
use super::predefined::{self, VARIABLES, is_reserved_word};
use super::{expression, spelling};
use crate::bits::{BitField, DecodeError, SymbolResolver, Visitor, number_bits};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::isa::{AddressRegister, Check, IssueContext, OperandSpans, SourceElement, Style};
use crate::machine::SpaceId;
use crate::number::{ElementType, parse_integer};
use crate::rules;
use crate::text::{Cursor, LexemeKind, Sink, SyntaxPart, TokenClass, nearest_name};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// ID of a general variable; 0 is the null variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VariableId(pub u32);

impl VariableId {
    /// Prints the variable's name; the null variable is V0 in the document style.
    pub fn print(
        self,
        part: SyntaxPart,
        symbols: &Declarations,
        style: Style,
        sink: &mut impl Sink,
    ) {
        let name = match (style, self.0) {
            (Style::Document, 0) => "V0",
            _ => SymbolResolver::general(symbols, self.0).unwrap_or("V?"),
        };
        sink.token(TokenClass::Variable, part, name);
    }
}

impl BitField for VariableId {
    number_bits!(u32);
    fn is_declared(self, symbols: &dyn SymbolResolver) -> bool {
        symbols.general(self.0).is_some() && !predefined::is_text_only(self.0)
    }
    fn meaning(self, symbols: &dyn SymbolResolver) -> String {
        String::from(symbols.general(self.0).unwrap_or("not declared"))
    }
}

/// Whether the real assembler wants the byte offset of a raw operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawForm {
    /// It does: `V33.0`.
    Full,
    /// It does not: `V33`, `%null`.
    Bare,
}

/// A raw operand: the bytes of a variable from an offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RawOperand {
    pub id: VariableId,
    pub offset: u16,
}

impl RawOperand {
    /// The null variable, which stands for an absent operand.
    pub const NULL: Self = Self {
        id: VariableId(0),
        offset: 0,
    };

    /// Whether this is the null variable.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.id.0 == 0
    }

    /// The variable as an address register; `None` for the null variable.
    pub fn address_register(
        self,
        operand: SyntaxPart,
        symbols: &Declarations,
    ) -> Option<AddressRegister> {
        let variable = symbols.general(self.id.0).filter(|_| !self.is_null())?;
        Some(AddressRegister {
            operand,
            place: String::from(variable.name),
            bytes: variable.ty.bytes(),
            is_per_lane: true,
        })
    }

    /// `ud id, uw offset`.
    ///
    /// # Errors
    /// If the bytes end.
    pub fn layout<V: Visitor>(
        &mut self,
        part: SyntaxPart,
        fields: [&'static str; 2],
        v: &mut V,
    ) -> Result<(), DecodeError> {
        let [id, offset] = fields;
        v.field(part, id, 32, &mut self.id)?;
        v.field(part, offset, 16, &mut self.offset)
    }

    /// Prints `V33.32`. The document style omits `.0` and writes V0 for null.
    pub fn print(
        self,
        part: SyntaxPart,
        symbols: &Declarations,
        style: Style,
        sink: &mut impl Sink,
    ) {
        self.id.print(part, symbols, style, sink);
        match (self.offset, style) {
            (0, Style::Document) => {}
            // The most frequent offset, as a single token.
            (0, Style::Assembler) => sink.token(TokenClass::Number, part, ".0"),
            (offset, _) => {
                sink.punct(part, ".");
                sink.number(part, u64::from(offset));
            }
        }
    }

    /// Parses a raw operand. `role` is its name in messages; `attributes` declare it
    /// if it is undeclared.
    pub fn parse(
        role: &str,
        attributes: impl FnOnce() -> String,
        form: RawForm,
        cursor: &mut Cursor<'_>,
        symbols: &Declarations,
        out: &mut Diagnostics,
    ) -> Option<(Self, Span)> {
        let Some((name, span)) = cursor.name() else {
            out.push(not_raw(role, cursor));
            return None;
        };
        let id = match symbols.symbol(name) {
            Some(Symbol::General(id)) => Some(id),
            Some(symbol) => {
                let number = match symbol {
                    Symbol::General(id) => id,
                    Symbol::Address(id) | Symbol::Predicate(id) => u32::from(id),
                    Symbol::Surface(id) | Symbol::Sampler(id) => u32::from(id),
                };
                // The real assembler ignores the kind of the variable: number 0 passes
                // for the null variable, others crash it.
                let rule = if number == 0 {
                    &rules::KIND_AS_RAW
                } else {
                    &rules::RAW_OPERAND
                };
                let what = format!("`{name}` cannot be {role}");
                out.advise(rule, span, what, "use a general variable (v_type=G)");
                (number == 0).then_some(0)
            }
            None => {
                let found = out.len();
                let mut diagnostic = undeclared(name, span, attributes, symbols, cursor, found);
                // The assembler's name requires an offset.
                if let Some(edit) = &mut diagnostic.edit
                    && edit.replacement.starts_with('%')
                    && !cursor.is_punct('.')
                {
                    edit.replacement.push_str(".0");
                }
                out.push(diagnostic);
                None
            }
        };
        let bare = !cursor.is_punct('.');
        let offset = parse_offset(name, cursor, symbols, out);
        // A parenthesis further on is the modifier of the next operand.
        let inside = cursor
            .peek_at(1)
            .is_some_and(|l| l.kind == LexemeKind::Number);
        let placed = cursor.is_punct('(') && (cursor.adjacent() || inside);
        if placed || cursor.is_punct('<') {
            let element = id.and_then(|id| symbols.general(id)).map(|v| v.ty.bytes());
            let sizes = (symbols.grf_bytes(), element);
            let from = (span.end, offset);
            out.push(region(role, from, sizes, cursor));
            return None;
        }
        let operand = Self {
            id: VariableId(id?),
            offset: offset?,
        };
        let own = assembler_name(name);
        if bare && form == RawForm::Full || own != name {
            let own = format!("{own}.{}", operand.offset);
            spelling::document(span, &own, cursor, out);
        }
        Some((operand, cursor.since(span.start)))
    }

    /// Register-file address of element `index`, with elements `element` bytes
    /// apart; `None` for an unknown variable.
    #[must_use]
    #[inline]
    pub fn element_offset(self, symbols: &Declarations, index: u16, element: u8) -> Option<u64> {
        let base = symbols.general(self.id.0)?.offset;
        Some(u64::from(base) + u64::from(self.offset) + u64::from(index) * u64::from(element))
    }

    /// Element `index`, as in [`Self::element_offset`], unless the operand is null.
    pub fn source_element(
        self,
        operand: SyntaxPart,
        symbols: &Declarations,
        index: u16,
        element: u8,
    ) -> Option<SourceElement> {
        if self.is_null() {
            return None;
        }
        let at = self.element_offset(symbols, index, element)?;
        Some(SourceElement {
            operand,
            at: u32::try_from(at).ok()?,
            bytes: element,
        })
    }
}

fn parse_offset(
    name: &str,
    cursor: &mut Cursor<'_>,
    symbols: &Declarations,
    out: &mut Diagnostics,
) -> Option<u16> {
    if cursor.eat_punct('.').is_none() {
        return Some(0);
    }
    if cursor.is_punct('(')
        && let Some(offset) = expression::unary(cursor, symbols)
        && let Ok(offset) = u16::try_from(offset)
    {
        return Some(offset);
    }
    let span = cursor.here();
    let number = cursor.peek().filter(|l| l.kind == LexemeKind::Number);
    let Some(lexeme) = number else {
        let what = "expected a byte offset after `.`";
        let help = "use a number from 0 to 65535";
        out.advise(&rules::RAW_OFFSET, span, what, help);
        if cursor.eat_punct('-').is_some() {
            cursor.advance();
        }
        return None;
    };
    cursor.advance();
    let value = parse_integer(lexeme.span.of(cursor.text()));
    let Some(offset) = value.ok().and_then(|v| u16::try_from(v).ok()) else {
        let what = format!(
            "byte offset `{}` is out of range",
            lexeme.span.of(cursor.text())
        );
        let help = "use a number from 0 to 65535";
        out.advise(&rules::RAW_OFFSET, lexeme.span, what, help);
        return None;
    };
    if !spelling::is_decimal(lexeme.span.of(cursor.text())) {
        spelling::lenient(lexeme.span, &format!("{offset}"), cursor, out);
    }
    if offset != 0 && name == "%null" {
        out.fix(
            &rules::NULL_OFFSET,
            lexeme.span,
            "%null does not take a byte offset",
            "write %null.0",
            lexeme.span,
            "0",
        );
        return None;
    }
    Some(offset)
}

/// The real assembler's name of a variable, which differs from the documents'
/// for some predefined ones.
pub(super) fn assembler_name(name: &str) -> &str {
    let mut all = VARIABLES.iter();
    match all.find(|v| v.document_name == name) {
        Some(variable) => variable.name,
        // The real assembler accepts V0 with an offset, but not V0 alone.
        None => name,
    }
}

/// Diagnoses a row, column and region, which raw operands do not have. `from` is
/// the end of the name and the byte offset after it; `sizes` are the sizes of a
/// register and of an element.
fn region(
    role: &str,
    from: (u32, Option<u16>),
    sizes: (u32, Option<u8>),
    cursor: &mut Cursor<'_>,
) -> Diagnostic {
    let (end, offset) = from;
    let start = cursor.here().start;
    let mut ahead = cursor.clone();
    let mut bytes = offset.map(u64::from);
    let mut closed = true;
    if ahead.eat_punct('(').is_some() {
        let (text, _) = ahead.until(&[')']);
        closed = ahead.eat_punct(')').is_some();
        bytes = bytes.and_then(|bytes| {
            let (row, column) = text.split_once(',')?;
            let row = parse_integer(row.trim()).ok()?;
            let column = parse_integer(column.trim()).ok()?;
            let element = match column {
                0 => 0,
                _ => u64::from(sizes.1?),
            };
            let row = row.checked_mul(u64::from(sizes.0))?;
            bytes
                .checked_add(row)?
                .checked_add(column.checked_mul(element)?)
        });
    }
    if closed && ahead.eat_punct('<').is_some() {
        ahead.until(&['>']);
        closed = ahead.eat_punct('>').is_some();
    }
    let what = format!("unexpected row, column or region in {role}");
    if closed {
        *cursor = ahead;
        let diagnostic = Diagnostic::new(&rules::RAW_OPERAND, cursor.since(start), what);
        if let Some(bytes) = bytes.and_then(|b| u16::try_from(b).ok()) {
            let offset = format!(".{bytes}");
            return diagnostic.fix("use a byte offset after a dot", cursor.since(end), offset);
        }
        return diagnostic.help("use a byte offset after a dot");
    }
    cursor.advance();
    while cursor.adjacent() {
        cursor.advance();
    }
    Diagnostic::new(&rules::RAW_OPERAND, cursor.since(start), what)
        .help("use a byte offset after a dot")
}

/// Skips adjacent text up to a comma.
pub(super) fn skip_glued(cursor: &mut Cursor<'_>) {
    while cursor.adjacent() && !cursor.is_punct(',') {
        cursor.advance();
    }
}

/// Skips and reports commas before an operand.
pub fn skip_commas(cursor: &mut Cursor<'_>, out: &mut Diagnostics) {
    while cursor.is_punct(',') {
        let blank_before = !cursor.adjacent();
        let span = cursor.here();
        cursor.advance();
        let glued = cursor.adjacent() && !cursor.is_punct(',') && !blank_before;
        let what = "unexpected `,` between operands";
        let help = "separate operands with blanks";
        let replacement = if glued { " " } else { "" };
        out.fix(&rules::RAW_OPERAND, span, what, help, span, replacement);
    }
}

/// The null variable in the spelling of a line: the one of the real assembler in a line with a
/// mask control.
#[must_use]
pub fn null_in_line(spans: &OperandSpans) -> &'static str {
    match spans.find(SyntaxPart::Mask) {
        Some(_) => "%null.0",
        None => "V0",
    }
}

/// Help for an operand that must be a general variable.
const GENERAL: &str = "use a general variable, such as NAME or NAME.32";

/// Diagnostic for an operand missing at `span`, at the end of the line or before
/// another operand. `null` is inserted there, with its blank, if the operand can be
/// the null variable.
#[must_use]
pub fn missing(role: &str, null: Option<String>, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(&rules::MISSING_OPERAND, span, format!("expected {role}"));
    match null {
        Some(null) => {
            let help = format!("{GENERAL}, or {} for an unused operand", null.trim());
            diagnostic.fix(help, span, null)
        }
        None => diagnostic.help(GENERAL),
    }
}

fn not_raw(role: &str, cursor: &mut Cursor<'_>) -> Diagnostic {
    let span = cursor.here();
    let word = cursor.word();
    // Continue checking the line after a word that cannot start an operand.
    cursor.advance();
    if cursor.eat_punct(':').is_some() {
        cursor.advance();
    }
    skip_glued(cursor);
    let what = format!("`{word}` cannot be {role}");
    Diagnostic::new(&rules::RAW_OPERAND, span, what).help(GENERAL)
}

/// Adds an edit that declares `name` on a new line before the current one. A name such as
/// `P1` or `A0` determines the kind of variable; `attributes` are those of other names.
#[must_use]
pub fn declare(
    diagnostic: Diagnostic,
    name: &str,
    attributes: &str,
    cursor: &Cursor<'_>,
) -> Diagnostic {
    let attributes = match name.split_at_checked(1) {
        Some((letter, digits)) if digits.parse::<u16>().is_ok() => match letter {
            "P" => "v_type=P num_elts=32",
            "A" => "v_type=A num_elts=8",
            "T" => "v_type=T",
            _ => attributes,
        },
        _ => attributes,
    };
    let line = format!(".decl {name} {attributes}");
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let text = cursor.text();
    let start = Cursor::line_of(text, diagnostic.span.start).start;
    // A block comment may end on this line.
    let inside = Span::new(start, diagnostic.span.start).of(text);
    if !plain || is_reserved_word(name) || inside.contains("*/") {
        return diagnostic.help(format!("declare it: `{line}`"));
    }
    let help = format!("add `{line}`");
    diagnostic.fix(help, Span::new(start, start), line + "\n")
}

/// Diagnostic for an undeclared name, after `found` diagnostics. `attributes` are those
/// with which it can be declared.
#[must_use]
pub fn undeclared(
    name: &str,
    span: Span,
    attributes: impl FnOnce() -> String,
    symbols: &Declarations,
    cursor: &Cursor<'_>,
    found: usize,
) -> Diagnostic {
    let what = format!("`{name}` is not declared");
    let known = symbols
        .generals()
        .map(|(_, v)| &*v.name)
        .chain(super::predefined::VARIABLES.iter().map(|v| v.name));
    let diagnostic = Diagnostic::new(&rules::UNDECLARED, span, what);
    match nearest_name(name, known, found) {
        Some(near) => {
            let help = format!("did you mean `{near}`? Otherwise, declare `{name}`");
            diagnostic.fix(help, span, near)
        }
        None => declare(diagnostic, name, &attributes(), cursor),
    }
}

// Rules and lanes.

/// Maximum number of lanes of an instruction.
pub const LANES: usize = 32;

/// Use of a raw operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The syntax part of the operand.
    pub part: SyntaxPart,
    /// Name in messages.
    pub role: &'static str,
    /// Number of bytes used from the offset.
    pub bytes: u32,
    /// Whether it belongs to a matrix instruction. The real tool lays out those
    /// operands, including dst, row by row.
    pub matrix: bool,
}

impl Use {
    /// Bytes of an operand that does not belong to a matrix instruction.
    #[must_use]
    pub const fn of(part: SyntaxPart, role: &'static str, bytes: u32) -> Self {
        Self {
            part,
            role,
            bytes,
            matrix: false,
        }
    }
}

/// Checks the placement of a raw operand.
pub fn check(operand: RawOperand, usage: Use, check: &mut Check<'_>) {
    let (part, role) = (usage.part, usage.role);
    if operand.is_null() {
        if operand.offset != 0 {
            let what = format!(
                "the null variable with byte offset {} as {role}",
                operand.offset
            );
            let null = null_in_line(check.spans);
            let help = format!("use {null}");
            check.fix(&rules::NULL_WITH_OFFSET, part, what, help, null);
        }
        return;
    }
    let Some(variable) = check.symbols.visa.general(operand.id.0) else {
        return;
    };
    let name = variable.name;
    // Fast path: the start of a variable that is not an alias is aligned.
    if operand.offset != 0 || variable.alias.is_some() {
        check_alignment(operand, variable, usage, check);
    }
    let wanted = usage.bytes;
    if (part != SyntaxPart::Dst || usage.matrix)
        && crashes_tool(check, variable, u32::from(operand.offset), usage)
    {
        let what = format!(
            "`{name}` as {role}: byte {} is far past its end",
            operand.offset
        );
        check.report(&rules::FAR_OFFSET, part, what);
    } else if u32::from(operand.offset) + wanted > variable.bytes() {
        let what = format!(
            "`{name}` as {role}: {wanted} bytes at byte {} exceed its {} bytes",
            operand.offset,
            variable.bytes()
        );
        check.report(&rules::PAST_END, part, what);
    }
    if part == SyntaxPart::Dst && is_read_only(operand) {
        let what = format!("write to read-only variable `{name}`");
        check.report(&rules::READ_ONLY, part, what);
    }
    let read = !usage.matrix && !matches!(part, SyntaxPart::Dst | SyntaxPart::Src1);
    let hangs = read && matches!(name, "%arg" | "%retval");
    let buffer_hangs = check.symbols.visa.features().crashes_on_local_id_buffer;
    if hangs || name == "%local_id_buf_ptr" && buffer_hangs {
        let what = format!("`{name}` is used as {role}");
        check.report(&rules::TOOL_FAILS, part, what);
    }
}

/// Checks the alignment of an operand.
fn check_alignment(operand: RawOperand, variable: General<'_>, usage: Use, check: &mut Check<'_>) {
    let (part, role) = (usage.part, usage.role);
    let grf = check.symbols.visa.grf_bytes();
    let root = check.symbols.visa.root(variable);
    let within_root = variable.offset - root.offset + u32::from(operand.offset);
    if !within_root.is_multiple_of(grf) && !root.predefined {
        if root.bytes() >= grf {
            let what = format!(
                "`{}` as {role}: byte {within_root} is not the start of a {grf}-byte register",
                root.name
            );
            let help = format!("use a multiple of {grf} bytes");
            check.advise(&rules::RAW_ALIGN, part, what, help);
        } else {
            let what = format!(
                "`{}` as {role}: byte {within_root} is not the start of a register",
                root.name
            );
            check.report(&rules::SMALL_VARIABLE_OFFSET, part, what);
        }
    }
}

fn is_read_only(operand: RawOperand) -> bool {
    usize::try_from(operand.id.0)
        .ok()
        .and_then(|id| predefined::VARIABLES.get(id))
        .is_some_and(|v| !v.writable)
}

/// Whether the real tool crashes on bytes past the end of a variable: it stores
/// byte positions in 16 bits and cannot address beyond its 128 registers. It
/// places the used variables from register 1 in declaration order (observed);
/// most predefined ones are in register 0, the last ones in 127.
#[must_use]
pub fn crashes_tool(check: &Check<'_>, variable: General<'_>, offset: u32, usage: Use) -> bool {
    let wanted = usage.bytes;
    let symbols = &check.symbols.visa;
    let past_end = offset + wanted > variable.bytes();
    if !past_end || !symbols.features().crashes_past_end {
        return false;
    }
    let grf = symbols.grf_bytes();
    let storage = symbols.storage(variable);
    let within = variable.offset - storage.offset + offset;
    let first = match storage.name {
        "%sp" | "%fp" | "%impl_arg_buf_ptr" if storage.predefined => {
            // Two registers of addresses or offsets become one because the
            // type is half as wide there.
            let addresses = matches!(usage.part, SyntaxPart::Address | SyntaxPart::Offsets);
            if addresses && within == 0 && wanted <= 2 * grf {
                return false;
            }
            127 * grf
        }
        _ if storage.predefined => 0,
        _ => {
            let used = check.variables.iter().filter_map(|id| symbols.general(*id));
            let mut before: Vec<_> = used
                .map(|used| symbols.storage(used))
                .filter(|used| !used.predefined && used.offset < storage.offset)
                .map(|used| (used.offset, used.bytes()))
                .collect();
            before.sort_unstable();
            before.dedup();
            let rooms = before.iter().map(|(_, bytes)| bytes.next_multiple_of(grf));
            grf + rooms.sum::<u32>()
        }
    };
    let last = first + within + wanted.saturating_sub(1);
    last % 0x1_0000 >= 128 * grf
}

/// Checks presence and type of the address operand; other types break `rule`.
pub fn check_address(
    operand: RawOperand,
    place: (SyntaxPart, &str),
    documented: ElementType,
    rule: &'static rules::Rule,
    check: &mut Check<'_>,
) {
    let (part, role) = place;
    if operand.is_null() {
        let what = format!("{role} must not be the null variable");
        check.report(&rules::NULL_ADDRESS, part, what);
        return;
    }
    let Some(variable) = check.symbols.visa.general(operand.id.0) else {
        return;
    };
    if variable.ty != documented && !variable.predefined {
        let what = format!(
            "{role} use `{}`, which has type {}",
            variable.name,
            variable.ty.name().to_ascii_uppercase()
        );
        check.retype(rule, part, what, operand.id.0, documented);
    }
}

/// Reports a variable that has no place in the register file.
pub fn check_placed(part: SyntaxPart, id: VariableId, check: &mut Check<'_>) -> bool {
    let unplaced = predefined::unplaced(id.0);
    if let Some(variable) = unplaced {
        let what = format!("cannot run: `{}` is not modeled", variable.name);
        check.report(&rules::RUN_UNPLACED, part, what);
    }
    unplaced.is_none()
}

/// Checks whether the operand can be read as elements of `element` bytes when it
/// runs; reports why not.
pub fn check_run(operand: RawOperand, usage: Use, element: u8, check: &mut Check<'_>) -> bool {
    let (part, role) = (usage.part, usage.role);
    if operand.is_null() {
        let what = format!("cannot run without {role}");
        check.report(&rules::RUN_MISSING_OPERAND, part, what);
        return false;
    }
    let Some(variable) = check.symbols.visa.general(operand.id.0) else {
        return false;
    };
    if !check_placed(part, operand.id, check) {
        return false;
    }
    if variable.ty.bytes() != element {
        let what = format!(
            "cannot run: `{}` as {role} has {}-byte elements, expected {element} bytes",
            variable.name,
            variable.ty.bytes()
        );
        check.report(&rules::RUN_WIDTH, part, what);
        return false;
    }
    // An alias can extend past the storage that it shares, into another
    // variable.
    let root = check.symbols.visa.root(variable);
    let shared = (root.offset + root.bytes()).saturating_sub(variable.offset);
    let room = variable.bytes().min(shared);
    let end = u32::from(operand.offset) + usage.bytes;
    if end > room {
        let what = format!(
            "cannot run: `{}` as {role} ends after {room} bytes, but {end} are used",
            variable.name
        );
        check.report(&rules::RUN_PAST_END, part, what);
        return false;
    }
    true
}

/// Reads the elements of all lanes from index `first` when the instruction
/// issues. Elements of the null variable are 0.
pub fn lanes_of(
    operand: RawOperand,
    first: u16,
    element: u8,
    lanes: u8,
    eu: u8,
    context: &IssueContext<'_>,
) -> [u64; LANES] {
    let mut values = [0; LANES];
    if operand.is_null() {
        return values;
    }
    let mut bytes = [0; LANES * 8];
    let start = operand.element_offset(&context.symbols.visa, first, element);
    let start = start.expect("a running instruction has been checked");
    let bytes = bytes
        .get_mut(..usize::from(lanes) * usize::from(element))
        .expect("there are at most 32 lanes of 8 bytes");
    context
        .machine
        .space(SpaceId::registers(eu))
        .read(start, bytes);
    if element == 4 {
        let (cells, _) = bytes.as_chunks::<4>();
        for (value, cell) in values.iter_mut().zip(cells) {
            *value = u64::from(u32::from_le_bytes(*cell));
        }
    } else {
        let (cells, _) = bytes.as_chunks::<8>();
        for (value, cell) in values.iter_mut().zip(cells) {
            *value = u64::from_le_bytes(*cell);
        }
    }
    values
}
