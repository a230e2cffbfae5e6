//! Lines that start with a dot.

use super::labels::LabelKind;
use super::{MAX_FUEL, Mapping, Reader, ThreadSchedule, init, order};
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::Family;
use crate::isa::visa::declaration_parser;
use crate::isa::visa::declarations::Symbol;
use crate::machine::SpaceId;
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, LexemeKind, MAX_SUGGESTED, nearest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A directive that has an effect.
#[derive(Debug)]
pub struct Directive {
    /// Name without the dot.
    pub name: &'static str,
    /// The only family that supports it; `None` if all do.
    pub family: Option<Family>,
    /// Syntax of the arguments; words in capitals are placeholders.
    pub form: &'static str,
    /// Example arguments.
    pub example: &'static str,
    /// Description shown in completion and hover.
    pub what: &'static str,
    /// Whether it may precede `.target`.
    is_heading: bool,
    /// Parses the arguments. The span covers the whole line.
    read: fn(&mut Reader<'_>, Span, &mut Cursor<'_>),
}

macro_rules! directives {
    ($($name:literal $family:expr, $is_heading:expr, $read:expr,
        $form:literal, $example:literal, $what:literal;)*) => {
        /// All directives, headings first.
        pub static DIRECTIVES: &[Directive] = &[$(Directive {
            name: $name,
            family: $family,
            form: $form,
            example: $example,
            what: $what,
            is_heading: $is_heading,
            read: $read,
        },)*];
    };
}

const VISA: Option<Family> = Some(Family::Visa);
const SASS: Option<Family> = Some(Family::Sass);

const HEADING: bool = true;
const BODY: bool = false;

directives! {
    "target" None, HEADING, |reader, line, cursor| reader.read_target(line, cursor),
        "visa PLATFORM, or sass CHIP", "visa XEHP",
        "The target of the program: vISA on a platform (XEHP by default) or SASS on a chip (SM50). It must be the first line and determines how every other line is parsed.";
    "title" None, HEADING, |reader, _, cursor| reader.read_title(cursor),
        "\"TEXT\"", "\"A title\"",
        "Title shown above the program.";
    "note" None, HEADING, |reader, _, cursor| reader.read_note(cursor),
        "\"TEXT\"", "\"A remark\"",
        "Description shown with the program. Can be repeated.";
    "order" None, BODY, |reader, line, cursor| reader.read_order(line, cursor),
        "LANE LANE …", "3 1 0 2",
        "Order in which the lanes of the next instruction execute. Before the first instruction, it applies to all instructions. Lanes that are not listed follow in ascending order. EU1.3 is a lane of EU1, 3.R a channel of a lane.";
    "decl" VISA, BODY, |reader, whole, cursor| reader.read_declaration(whole, cursor),
        "NAME v_type=G type=TYPE num_elts=N align=GRF", "V32 v_type=G type=ud num_elts=16 align=GRF",
        "Declares a variable: general (v_type=G, with type and number of elements), predicate (P), address (A), surface (T) or sampler (S). alias=<V32, 0> shares the bytes of an earlier variable.";
    "slm" None, BODY, |reader, line, cursor| reader.read_slm(line, cursor),
        "BYTES", "1024",
        "Size of the shared local memory in bytes, 65536 by default. Both EUs share it.";
    "surface" VISA, BODY, |reader, _, cursor| reader.read_surface(cursor),
        "SURFACE BYTES", "T6 4096",
        "Binds memory of the given size, in bytes, to a declared surface. Without it, every access through the surface is out of bounds.";
    "region" None, BODY, |reader, _, cursor| reader.read_region(cursor),
        "svm START BYTES, or global START BYTES", "svm 0x10000 4096",
        "Maps a range of virtual memory: svm in vISA, global in SASS. Can be repeated. Accesses to unmapped memory fault.";
    "threads" VISA, BODY, |reader, line, cursor| reader.read_threads(line, cursor),
        "1 or 2", "2",
        "Number of EUs: 1, or 2 for the fused pair EU0 and EU1. The default is 2 if the program contains an instruction for fused pairs, otherwise 1.";
    "launch" None, BODY, |reader, line, cursor| reader.read_launch(line, cursor),
        "global=X[,Y[,Z]] local=X[,Y[,Z]] offset=X group=N", "global=64 local=32",
        "A kernel launch: total work-items and work-items per work-group, in up to three dimensions; global ID of the first work-item; work-group shown in the timeline. In SASS grid=X block=X, too: blocks, and threads of a block.";
    "simd" VISA, BODY, |reader, line, cursor| reader.read_simd(line, cursor),
        "8, 16 or 32", "16",
        "Channels per hardware thread in a launch. The default is the SimdSize of .kernel_attr.";
    "buffer" None, BODY, |reader, line, cursor| reader.read_buffer(line, cursor),
        "NAME : TYPE[COUNT] at=ADDRESS = VALUES", "y : f[64] = iota(1, 0.5)",
        "A named buffer in global memory, with element type, length and initial values; `undef` for content that checks take as undefined, `null` for a NULL pointer.";
    "data" None, BODY, |reader, line, cursor| reader.read_data(line, cursor),
        "\"NAME\" : TYPE[COUNT] at=ADDRESS = VALUES", "\"primes\" : d[4] = 2, 3, 5, 7",
        "Data of a compiled program in global memory, such as a constant table; `faddr` gets its address.";
    "private" VISA, BODY, |reader, line, cursor| reader.read_private(line, cursor),
        "BYTES", "4096",
        "Private memory of each thread of a launch, in bytes. Kernels find it by &private, and by dword 5 of %r0.";
    "local_arg" None, BODY, |reader, line, cursor| reader.read_local_argument(line, cursor),
        "BYTES", "128",
        "Size of the shared local memory for a kernel argument, in bytes.";
    "bind" VISA, BODY, |reader, line, cursor| reader.read_binding(line, cursor),
        "VARIABLE[BYTE] = VALUE, or bti N = BUFFER", "V34 = &y",
        "Initial value of an input variable in each thread: the address of a buffer (&y) or of the private memory (&private), a number (2.5:f), a local argument (&local 0), local_id.x, group_id, global_offset, global_size, local_size or num_groups; or the buffer behind an entry of the binding table.";
    "fuel" None, BODY, |reader, line, cursor| reader.read_fuel(line, cursor),
        "INSTRUCTIONS", "1000000",
        "Maximum number of instructions that a run can issue; 1,000,000 by default. A run that exceeds it stops with a fault.";
    "schedule" None, BODY, |reader, line, cursor| reader.read_schedule(line, cursor),
        "sequential or round-robin", "round-robin",
        "Order in which threads issue. sequential, the default: a thread runs until it waits or ends. round-robin: the threads take turns after each instruction. The EUs of a fused pair always issue together.";
    "init" None, BODY, |reader, _, cursor| reader.read_init(cursor),
        "PLACE = VALUES", "V32 = iota(0, 1)",
        "Initial values of a variable or register, of a variable of one EU (EU1.V32), of a predicate's bits, of the execution mask em, or of memory (slm[0x40] : ud). VALUES is a list, iota(start, step), splat(value) or random(seed).";
    "sparse" SASS, BODY, |reader, _, cursor| reader.read_sparse(cursor),
        "START BYTES", "0x20000 65536",
        "Marks a range of global memory as not resident, for the sparse forms of ATOM.";
    "window" SASS, BODY, |reader, line, cursor| reader.read_window(line, cursor),
        "shared START, or local START", "shared 0x1000000",
        "Start address of the 16 MB window of shared or local memory in the generic address space.";
    "lanes" SASS, BODY, |reader, _, cursor| reader.read_lanes(cursor),
        "helper=MASK killed=MASK uncovered=MASK", "helper=0x3",
        "Inactive lanes, as masks: helper pixels, killed lanes, and lanes without raster coverage.";
    "param" SASS, BODY, |reader, line, cursor| reader.read_parameter(line, cursor),
        "OFFSET = VALUE", "0x160 = &y",
        "A parameter of a kernel, at its offset in constant bank 0: the address of a buffer (&y), a number (2.5:f), or the offset of a local argument in shared memory (&local 0).";
    "constant" SASS, BODY, |reader, line, cursor| reader.read_constants(line, cursor),
        "BANK : TYPE[COUNT] = VALUES", "3 : ud[4] = 1, 2, 3, 4",
        "Contents of a constant bank, 2 to 4.";
    "kernel_attr" VISA, BODY, |reader, _, cursor| reader.read_kernel_attribute(cursor),
        "NAME=VALUE", "SimdSize=8",
        "An attribute for the real assembler. SimdSize is the number of channels of each thread; other attributes are accepted without effect.";
    "function" VISA, BODY, |reader, _, cursor| reader.read_function(cursor),
        "NAME", "SUB",
        "Starts a subroutine, the target of `call`. The function of the kernel comes first.";
    "kernel" VISA, BODY, |_, _, _| (),
        "\"NAME\"", "\"name\"",
        "Kernel name for the real assembler. Accepted, but has no effect here.";
}

fn directive_names() -> impl Iterator<Item = &'static str> {
    DIRECTIVES.iter().map(|d| d.name)
}

fn directive_named(name: &str) -> Option<&'static Directive> {
    let mut all = DIRECTIVES.iter();
    all.find(|d| name.eq_ignore_ascii_case(d.name))
}

/// Returns whether `name`, without its dot, is a directive, including those
/// without effect.
#[must_use]
pub fn is_directive(name: &str) -> bool {
    let is = |word: &&str| name.eq_ignore_ascii_case(word);
    directive_named(name).is_some() || ACCEPTED_WITHOUT_EFFECT.iter().any(is) || is_ignored(name)
}

/// Returns whether `name` is one of the real assembler's directives that come in
/// many spellings and are ignored.
fn is_ignored(name: &str) -> bool {
    name.eq_ignore_ascii_case("loc") || name.starts_with("implicit_")
}

/// Other directives of the real assembler that are accepted without effect.
const ACCEPTED_WITHOUT_EFFECT: [&str; 6] = [
    "version",
    "global_function",
    "funcdecl",
    "input",
    "parameter",
    "file",
];

impl Reader<'_> {
    pub(super) fn read_directive(&mut self, cursor: &mut Cursor<'_>) {
        let whole = cursor.rest();
        cursor.advance();
        let Some((name, span)) = cursor.name() else {
            let what = "expected a directive name after `.`";
            let help = "write .decl, .init, .slm, .region, .order or another directive";
            self.out
                .advise(&rules::UNKNOWN_DIRECTIVE, whole, what, help);
            return;
        };
        let directive = directive_named(name);
        self.committed |= !directive.is_some_and(|d| d.is_heading);
        let Some(directive) = directive else {
            if !is_directive(name) {
                self.report_unknown_directive(name, span);
            }
            return;
        };
        if let Some(other) = directive.family.filter(|f| *f != self.family()) {
            let what = format!("`.{name}` requires a `{}` target", other.name());
            let help = format!(
                "the target of this program is {}",
                self.symbols.target.name()
            );
            self.out.advise(&rules::DIRECTIVE_SYNTAX, whole, what, help);
            return;
        }
        (directive.read)(self, whole, cursor);
    }

    fn report_unknown_directive(&mut self, name: &str, span: Span) {
        let what = format!("unknown directive `.{name}`");
        let diagnostic = Diagnostic::new(&rules::UNKNOWN_DIRECTIVE, span, what);
        let near = (self.out.len() < MAX_SUGGESTED).then(|| nearest(name, directive_names()));
        self.out.push(match near.flatten() {
            Some(near) => diagnostic.fix(format!("did you mean `.{near}`?"), span, near),
            None => {
                let all: Vec<&str> = directive_names().collect();
                diagnostic.help(format!("the directives are .{}", all.join(", .")))
            }
        });
    }

    fn read_declaration(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        self.declared_lines.push(whole.start);
        declaration_parser::parse(cursor, &mut self.symbols.visa, &mut self.out);
    }

    fn read_init(&mut self, cursor: &mut Cursor<'_>) {
        let init = init::parse(cursor, &mut self.symbols, &mut self.out);
        self.inits.extend(init);
    }

    fn read_order(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        if let Some(order) = order::parse(cursor, &mut self.out) {
            let before = self.orders.set(order, whole);
            self.warn_repeated(before.is_some(), whole, ".order");
        }
    }

    fn read_fuel(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        let Some(count) = self.number(cursor, "a number of instructions", ".fuel 1000000") else {
            return;
        };
        match u32::try_from(count) {
            Ok(fuel) if (1..=MAX_FUEL).contains(&fuel) => {
                let before = self.fuel.replace((fuel, whole));
                self.warn_repeated(before.is_some(), whole, ".fuel");
                self.end_of_line(cursor);
            }
            _ => self.out.report(
                &rules::FUEL,
                whole,
                format!("`.fuel {count}` is out of range"),
            ),
        }
    }

    fn read_schedule(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        let start = cursor.here().start;
        let (word, span) = cursor.until(&[]);
        let known = ThreadSchedule::ALL.into_iter();
        let Some(schedule) = known.clone().find(|s| word.eq_ignore_ascii_case(s.name())) else {
            let what = match word {
                "" => String::from("expected a schedule"),
                _ => format!("unknown schedule `{word}`"),
            };
            let names: Vec<&str> = known.map(ThreadSchedule::name).collect();
            let span = Span::new(start, span.end);
            let help = format!("write {}", names.join(", "));
            self.out.advise(&rules::DIRECTIVE_SYNTAX, span, what, help);
            return;
        };
        let before = self.schedule.replace((schedule, whole));
        self.warn_repeated(before.is_some(), whole, ".schedule");
    }

    fn read_kernel_attribute(&mut self, cursor: &mut Cursor<'_>) {
        if cursor.keyword("SimdSize").is_some() && cursor.eat_punct('=').is_some() {
            let (span, word) = (cursor.here(), cursor.word());
            match cursor.integer().and_then(|lanes| u8::try_from(lanes).ok()) {
                Some(lanes @ (1 | 8 | 16 | 32)) => self.simd_size = Some(lanes),
                _ => {
                    let what = format!("unsupported channel count `{word}`");
                    self.out.report(&rules::LAUNCH_SIMD, span, what);
                }
            }
            self.symbols.visa.compiled_simd = Some(self.simd_size.unwrap_or(1));
        }
    }

    fn read_function(&mut self, cursor: &mut Cursor<'_>) {
        let Some(next) = cursor.take() else { return };
        let name = next.span.of(cursor.text()).trim_matches('"');
        // The first function is the kernel.
        let is_first = !core::mem::replace(&mut self.has_function, true);
        if !is_first || !self.instructions.is_empty() {
            self.define_label(name, next.span, LabelKind::Function);
            self.functions.extend(self.symbols.visa.label(name));
            self.start_function();
        }
    }

    fn read_slm(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        if let Some(bytes) = self.number(cursor, "a size in bytes", ".slm 1024") {
            let before = self.slm.replace((bytes, whole));
            self.warn_repeated(before.is_some(), whole, ".slm");
            self.end_of_line(cursor);
        }
    }

    fn read_title(&mut self, cursor: &mut Cursor<'_>) {
        let span = cursor.here();
        if let Some(text) = self.quoted(cursor) {
            let before = self.title.replace(text).map(|_| span);
            self.warn_repeated(before.is_some(), span, ".title");
        }
    }

    fn read_note(&mut self, cursor: &mut Cursor<'_>) {
        if let Some(text) = self.quoted(cursor) {
            self.notes.push(text);
        }
    }

    fn quoted(&mut self, cursor: &mut Cursor<'_>) -> Option<String> {
        let lexeme = cursor.peek();
        let quoted = lexeme.filter(|l| matches!(l.kind, LexemeKind::Quoted { .. }));
        let Some(lexeme) = quoted else {
            let here = cursor.rest();
            let help = "write .title \"…\" or .note \"…\"";
            self.out
                .advise(&rules::DIRECTIVE_SYNTAX, here, "expected a string", help);
            return None;
        };
        cursor.advance();
        self.end_of_line(cursor);
        let text = lexeme.span.of(cursor.text());
        Some(String::from(text.trim_matches('"')))
    }

    fn read_threads(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        let Some(count) = self.number(cursor, "1 or 2", ".threads 2") else {
            return;
        };
        match u8::try_from(count) {
            Ok(count @ 1..=2) => {
                let before = self.threads.replace((count, whole));
                self.warn_repeated(before.is_some(), whole, ".threads");
                self.end_of_line(cursor);
            }
            _ => {
                let what = format!("expected 1 or 2, found {count}");
                let help = "write .threads 1 or .threads 2";
                self.out
                    .fix(&rules::THREADS, whole, what, help, whole, ".threads 2");
            }
        }
    }

    fn read_surface(&mut self, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = ".surface T6 4096";
        let found = cursor.name();
        let index = found.and_then(|(name, _)| match self.symbols.visa.symbol(name) {
            Some(Symbol::Surface(index)) => Some(index),
            _ => None,
        });
        let Some((index, span)) = index.zip(found.map(|(_, span)| span)) else {
            let span = found.map_or_else(|| cursor.here(), |(_, span)| span);
            let what = match found {
                Some((name, _)) => format!("surface `{name}` is not declared"),
                None => String::from("expected a surface"),
            };
            let help = format!("declare it with .decl T6 v_type=T, then write {EXAMPLE}");
            self.out.advise(&rules::DIRECTIVE_SYNTAX, span, what, help);
            return;
        };
        let space = match index {
            0 | 5 => {
                let what = "this surface is predefined and cannot be resized";
                let help = "use .slm for shared local memory or .region svm for virtual memory";
                self.out.advise(&rules::DIRECTIVE_SYNTAX, span, what, help);
                return;
            }
            index => SpaceId::surface(index),
        };
        let Some(bytes) = self.number(cursor, "a size in bytes", EXAMPLE) else {
            return;
        };
        self.end_of_line(cursor);
        let mapping = Mapping {
            space,
            start: 0,
            bytes,
            span,
        };
        let before = self.surfaces.iter().position(|(i, _)| *i == index);
        let before = before.map(|at| self.surfaces.swap_remove(at).1.span);
        self.surfaces.push((index, mapping));
        self.warn_repeated(before.is_some(), span, ".surface");
    }

    fn read_region(&mut self, cursor: &mut Cursor<'_>) {
        let space = self.facts().virtual_memory;
        let example = format!(".region {space} 0x10000 4096");
        let start_span = cursor.here();
        if cursor.keyword(space).is_none() {
            let family = self.family().name();
            let what = format!("`{}` is not an address space of {family}", cursor.word());
            let diagnostic = Diagnostic::new(&rules::DIRECTIVE_SYNTAX, start_span, what);
            let mut names = Family::ALL.iter().map(|f| f.facts().virtual_memory);
            let other = names.any(|name| name.eq_ignore_ascii_case(cursor.word()));
            let help = format!("write {example}: the start address and the size in bytes");
            self.out.push(if other {
                diagnostic.fix(help, start_span, space)
            } else {
                diagnostic.help(help)
            });
            return;
        }
        let range = self.range(start_span, cursor, &example);
        if let Some((start, bytes, span)) = range {
            self.map_virtual(start, bytes, span);
        }
    }

    /// Parses a start address and a size up to the end of the line.
    pub(super) fn range(
        &mut self,
        from: Span,
        cursor: &mut Cursor<'_>,
        example: &str,
    ) -> Option<(u64, u64, Span)> {
        let start = self.number(cursor, "a start address", example)?;
        let bytes = self.number(cursor, "a size in bytes", example)?;
        let span = cursor.since(from.start);
        self.end_of_line(cursor);
        if bytes > 0 && start.checked_add(bytes - 1).is_none() {
            let what = format!("{bytes} bytes at {start:#x} exceed the address space");
            self.out.report(&rules::MEMORY_SIZE, span, what);
            self.unmapped.push(SpaceId::VIRTUAL);
            return None;
        }
        Some((start, bytes, span))
    }

    pub(super) fn number(
        &mut self,
        cursor: &mut Cursor<'_>,
        what: &str,
        example: &str,
    ) -> Option<u64> {
        let (span, word) = (cursor.here(), cursor.word());
        match parse_integer(word) {
            Ok(number) => {
                cursor.advance();
                Some(number)
            }
            Err(_) => {
                let message = match word {
                    "" => format!("expected {what}"),
                    _ => format!("expected {what}, found `{word}`"),
                };
                let help = format!("write {example}");
                self.out
                    .advise(&rules::DIRECTIVE_SYNTAX, span, message, help);
                None
            }
        }
    }

    pub(super) fn end_of_line(&mut self, cursor: &Cursor<'_>) {
        if !cursor.at_end() {
            let rest = cursor.rest();
            let what = format!(
                "unexpected `{}` at the end of the line",
                rest.of(cursor.text())
            );
            self.out
                .fix(&rules::DIRECTIVE_SYNTAX, rest, what, "remove it", rest, "");
        }
    }

    pub(super) fn warn_repeated(&mut self, is_repeated: bool, span: Span, name: &str) {
        if is_repeated {
            let what = format!("repeated `{name}`");
            self.out.report(&rules::REPEATED_DIRECTIVE, span, what);
        }
    }
}
