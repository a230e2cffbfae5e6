//! Lines that start with a dot.

use super::{DEFAULT_SLM, Mapping, Reader, init, order};
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::visa::decl;
use crate::isa::visa::declarations::Symbol;
use crate::machine::{Machine, SpaceId, page_count};
use crate::number::parse_integer;
use crate::rules;
use crate::text::{Cursor, Kind, MAX_SUGGESTED, nearest, same_word};
use alloc::format;
use alloc::string::String;

/// Directives with a meaning here, for suggestions.
pub const DIRECTIVES: [&str; 12] = [
    "target",
    "title",
    "note",
    "order",
    "decl",
    "slm",
    "surface",
    "region",
    "threads",
    "init",
    "kernel_attr",
    "kernel",
];

/// Directives of the real assembler that are accepted and have no effect.
const KEPT: [&str; 9] = [
    "kernel_attr",
    "kernel",
    "version",
    "function",
    "global_function",
    "funcdecl",
    "input",
    "parameter",
    "file",
];

/// The most bytes that a scenario may map in all.
pub const MAX_MAPPED: u64 = 64 << 20;

impl Reader<'_> {
    pub(super) fn read_directive(&mut self, cursor: &mut Cursor<'_>) {
        let whole = cursor.rest();
        cursor.advance();
        let Some((name, span)) = cursor.name() else {
            self.out.push(
                Diagnostic::new(&rules::UNKNOWN_DIRECTIVE, whole, "a directive has a name")
                    .help("write .decl, .init, .slm, .region, .order or another directive"),
            );
            return;
        };
        let is = |word: &str| same_word(name, word);
        match name {
            _ if is("target") => return self.read_target(whole, cursor),
            _ if is("title") => return self.read_title(cursor),
            _ if is("note") => return self.read_note(cursor),
            _ => {}
        }
        self.committed = true;
        match name {
            _ if is("decl") => decl::parse(cursor, &mut self.names, &mut self.out),
            _ if is("init") => {
                if let Some(init) = init::parse(cursor, &self.names, &mut self.out) {
                    self.inits.push(init);
                }
            }
            _ if is("order") => {
                if let Some(order) = order::parse(cursor, &mut self.out) {
                    let before = self.orders.set(order, whole);
                    self.warn_repeated(before, whole, ".order");
                }
            }
            _ if is("slm") => {
                if let Some(bytes) = self.number(cursor, "a size in bytes", ".slm 1024") {
                    let before = self.slm.replace((bytes, whole));
                    self.warn_repeated(before.map(|(_, span)| span), whole, ".slm");
                    self.end_of_line(cursor);
                }
            }
            _ if is("threads") => self.read_threads(whole, cursor),
            _ if is("surface") => self.read_surface(cursor),
            _ if is("region") => self.read_region(cursor),
            _ if KEPT.iter().any(|kept| is(kept)) => {}
            _ if is("loc") || name.starts_with("implicit_") => {}
            _ => {
                let what = format!("`.{name}` is not a directive");
                let diagnostic = Diagnostic::new(&rules::UNKNOWN_DIRECTIVE, span, what);
                let near = (self.out.len() < MAX_SUGGESTED).then(|| nearest(name, DIRECTIVES));
                self.out.push(match near.flatten() {
                    Some(near) => diagnostic.mend(format!("did you mean `.{near}`?"), span, near),
                    None => diagnostic.help(format!("directives are .{}", DIRECTIVES.join(", ."))),
                });
            }
        }
    }

    fn read_title(&mut self, cursor: &mut Cursor<'_>) {
        let span = cursor.here();
        if let Some(text) = self.quoted(cursor) {
            let before = self.title.replace(text).map(|_| span);
            self.warn_repeated(before, span, ".title");
        }
    }

    fn read_note(&mut self, cursor: &mut Cursor<'_>) {
        if let Some(text) = self.quoted(cursor) {
            self.notes.push(text);
        }
    }

    fn quoted(&mut self, cursor: &mut Cursor<'_>) -> Option<String> {
        let lexeme = cursor.peek();
        let quoted = lexeme.filter(|l| matches!(l.kind, Kind::Quoted { .. }));
        let Some(lexeme) = quoted else {
            let here = cursor.rest();
            self.out.push(
                Diagnostic::new(
                    &rules::DIRECTIVE_SYNTAX,
                    here,
                    "a text in quotes belongs here",
                )
                .help("write .title \"…\" or .note \"…\""),
            );
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
                self.warn_repeated(before.map(|(_, span)| span), whole, ".threads");
                self.end_of_line(cursor);
            }
            _ => {
                let what = format!(".threads {count}");
                self.out
                    .push(Diagnostic::new(&rules::THREADS, whole, what).mend(
                        "write .threads 1 or .threads 2",
                        whole,
                        ".threads 2",
                    ));
            }
        }
    }

    fn read_surface(&mut self, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = ".surface T6 4096";
        let found = cursor.name();
        let index = found.and_then(|(name, _)| match self.names.symbol(name) {
            Some(Symbol::Surface(index)) => Some(index),
            _ => None,
        });
        let Some((index, span)) = index.zip(found.map(|(_, span)| span)) else {
            let span = found.map_or_else(|| cursor.here(), |(_, span)| span);
            let what = match found {
                Some((name, _)) => format!("`{name}` is not a declared surface"),
                None => String::from("the surface is missing"),
            };
            self.out.push(
                Diagnostic::new(&rules::DIRECTIVE_SYNTAX, span, what)
                    .help(format!("declare it (.decl T6 v_type=T), then {EXAMPLE}")),
            );
            return;
        };
        let space = match index {
            0 | 5 => {
                let what = "this surface is the shared local memory or the virtual memory";
                self.out.push(
                    Diagnostic::new(&rules::DIRECTIVE_SYNTAX, span, what)
                        .help("size it with .slm or map it with .region svm"),
                );
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
        self.warn_repeated(before, span, ".surface");
    }

    fn read_region(&mut self, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = ".region svm 0x10000 4096";
        let start_span = cursor.here();
        if cursor.keyword("svm").is_none() {
            let what = format!("`{}` is no address space of vISA", cursor.word());
            self.out.push(
                Diagnostic::new(&rules::DIRECTIVE_SYNTAX, start_span, what).help(format!(
                    "write {EXAMPLE}: where it starts and how many bytes"
                )),
            );
            return;
        }
        let start = self.number(cursor, "a start address", EXAMPLE);
        let bytes = start.and_then(|_| self.number(cursor, "a size in bytes", EXAMPLE));
        let Some((start, bytes)) = start.zip(bytes) else {
            return;
        };
        let span = cursor.since(start_span.start);
        self.end_of_line(cursor);
        if bytes > 0 && start.checked_add(bytes - 1).is_none() {
            let what =
                format!("{bytes} bytes from {start:#x} go past the end of the address space");
            self.out.report(&rules::MEMORY_SIZE, span, what);
            self.unmapped.push(SpaceId::VIRTUAL);
            return;
        }
        self.mappings.push(Mapping {
            space: SpaceId::VIRTUAL,
            start,
            bytes,
            span,
        });
    }

    fn number(&mut self, cursor: &mut Cursor<'_>, what: &str, example: &str) -> Option<u64> {
        let (span, word) = (cursor.here(), cursor.word());
        match parse_integer(word) {
            Ok(number) => {
                cursor.advance();
                Some(number)
            }
            Err(_) => {
                let message = match word {
                    "" => format!("{what} is missing"),
                    _ => format!("`{word}` is not {what}"),
                };
                self.out.push(
                    Diagnostic::new(&rules::DIRECTIVE_SYNTAX, span, message)
                        .help(format!("write {example}")),
                );
                None
            }
        }
    }

    pub(super) fn end_of_line(&mut self, cursor: &Cursor<'_>) {
        if !cursor.at_end() {
            let rest = cursor.rest();
            let what = format!("`{}` is left over", rest.of(cursor.text()));
            self.out
                .push(Diagnostic::new(&rules::DIRECTIVE_SYNTAX, rest, what).mend(
                    "remove it",
                    rest,
                    "",
                ));
        }
    }

    fn warn_repeated(&mut self, before: Option<Span>, span: Span, name: &str) {
        if before.is_some() {
            let what = format!("{name} stands twice");
            self.out.report(&rules::REPEATED_DIRECTIVE, span, what);
        }
    }

    /// Maps registers, flags and memories; checks sizes and overlaps.
    pub(super) fn map_memory(&mut self, threads: u8) -> Machine {
        let mut machine = Machine::new(self.names.last_surface());
        let registers = u64::from(self.names.register_bytes());
        let flags = 4 * (1 + crate::diagnostic::to_u32(self.names.predicates().count()));
        let addresses = crate::diagnostic::to_u32(self.names.addresses().count());
        for eu in 0..threads {
            let spaces = [
                (SpaceId::registers(eu), 0, registers),
                (SpaceId::flags(eu), 0, u64::from(flags)),
                (
                    SpaceId::flags(eu),
                    init::ADDRESS_VARIABLES,
                    u64::from(addresses) * init::ADDRESS_VARIABLE_BYTES,
                ),
            ];
            for (space, start, bytes) in spaces {
                if let Some(space) = machine.space_mut(space) {
                    // Registers and flags are mapped once, so nothing overlaps.
                    let _ = space.map(start, bytes);
                }
            }
        }
        let (slm, slm_span) = self.slm.unwrap_or((DEFAULT_SLM, Span::default()));
        let slm = Mapping {
            space: SpaceId::SLM,
            start: 0,
            bytes: slm,
            span: slm_span,
        };
        let surfaces = core::mem::take(&mut self.surfaces);
        let regions = core::mem::take(&mut self.mappings);
        let mut room = page_count(0, MAX_MAPPED);
        for mapping in core::iter::once(slm)
            .chain(surfaces.into_iter().map(|(_, mapping)| mapping))
            .chain(regions)
        {
            self.map(&mapping, &mut room, &mut machine);
        }
        machine
    }

    /// Maps a range as long as there is room for its pages.
    fn map(&mut self, mapping: &Mapping, room: &mut u64, machine: &mut Machine) {
        let pages = page_count(mapping.start, mapping.bytes);
        if pages > *room {
            // Told once, whatever else comes after it.
            if !core::mem::replace(&mut self.full, true) {
                let left = *room * 4;
                let what = format!(
                    "{} KB more, and {left} KB are left",
                    pages.saturating_mul(4)
                );
                self.out.push(
                    Diagnostic::new(&rules::MEMORY_SIZE, mapping.span, what)
                        .help("map only what the program touches; every range takes whole pages"),
                );
            }
            *room = 0;
            self.unmapped.push(mapping.space);
            if let Some(space) = machine.space_mut(mapping.space) {
                space.bind();
            }
            return;
        }
        *room -= pages;
        if let Some(space) = machine.space_mut(mapping.space)
            && let Err(overlap) = space.map(mapping.start, mapping.bytes)
        {
            self.out.push(
                Diagnostic::new(&rules::MEMORY_OVERLAP, mapping.span, format!("{overlap}"))
                    .help("move one of the two, or map both with one line"),
            );
            self.unmapped.push(mapping.space);
        }
    }
}
