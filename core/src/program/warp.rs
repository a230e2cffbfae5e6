//! The directives of warps: `.lanes`, `.window` and `.sparse`.

use super::Reader;
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::sass::warp::{AddressWindow, WINDOW_BYTES};
use crate::rules;
use crate::text::Cursor;
use alloc::format;

impl Reader<'_> {
    /// `.sparse 0x20000 65536`.
    pub(super) fn read_sparse(&mut self, cursor: &mut Cursor<'_>) {
        let from = cursor.here();
        let range = self.range(from, cursor, ".sparse 0x20000 65536");
        if let Some((start, bytes, _)) = range
            && let Some(more) = bytes.checked_sub(1)
        {
            self.symbols.sass.sparse.push((start, start + more));
        }
    }

    /// `.window shared 0x1000000`.
    pub(super) fn read_window(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = ".window shared 0x01000000";
        let (word, span) = (cursor.word(), cursor.here());
        let windows = [AddressWindow::Shared, AddressWindow::Local];
        let Some(window) = windows
            .into_iter()
            .find(|w| word.eq_ignore_ascii_case(w.name()))
        else {
            let what = format!("expected `shared` or `local`, found `{word}`");
            self.out.push(
                Diagnostic::new(&rules::DIRECTIVE_SYNTAX, span, what)
                    .help(format!("write {EXAMPLE}")),
            );
            return;
        };
        cursor.advance();
        let at = cursor.here();
        let Some(start) = self.number(cursor, "a start address", EXAMPLE) else {
            return;
        };
        self.end_of_line(cursor);
        let low = u32::try_from(start).ok();
        let Some(start) = low.filter(|start| u64::from(*start) % WINDOW_BYTES == 0) else {
            let below = start & !(WINDOW_BYTES - 1) & u64::from(u32::MAX);
            let what = format!("{start:#x} is not a valid window base");
            let diagnostic = Diagnostic::new(&rules::WINDOW, at, what);
            let help = "use a multiple of 0x1000000 below 0x100000000";
            self.out
                .push(diagnostic.fix(help, at, format!("{below:#010x}")));
            return;
        };
        let other = match window {
            AddressWindow::Shared => AddressWindow::Local,
            AddressWindow::Local => AddressWindow::Shared,
        };
        let before = self.windows.contains(&window);
        self.warn_repeated(before.then_some(whole), whole, ".window");
        self.windows.push(window);
        self.symbols.sass.set_window(window, start);
        if self.symbols.sass.window(other) == start {
            let what = format!("{start:#x} is already the {} window", other.name());
            self.out.report(&rules::WINDOW, at, what);
        }
    }

    /// `.lanes helper=0x3 killed=0x10 uncovered=0x20`.
    pub(super) fn read_lanes(&mut self, cursor: &mut Cursor<'_>) {
        const EXAMPLE: &str = ".lanes helper=0x3 killed=0x10 uncovered=0x20";
        if cursor.at_end() {
            let what = "expected lane masks";
            self.out.push(
                Diagnostic::new(&rules::DIRECTIVE_SYNTAX, cursor.here(), what)
                    .help(format!("write {EXAMPLE}")),
            );
        }
        while !cursor.at_end() {
            let (word, span) = (cursor.word(), cursor.here());
            let known = ["helper", "killed", "uncovered"];
            let kind = known
                .iter()
                .position(|kind| kind.eq_ignore_ascii_case(word));
            cursor.advance();
            let Some(kind) = kind.filter(|_| cursor.eat_punct('=').is_some()) else {
                let what = match kind {
                    Some(_) => format!("expected `=` and a mask after `{word}`"),
                    None => format!("expected `helper`, `killed` or `uncovered`, found `{word}`"),
                };
                self.out.push(
                    Diagnostic::new(&rules::DIRECTIVE_SYNTAX, span, what)
                        .help(format!("write {EXAMPLE}")),
                );
                return;
            };
            let at = cursor.here();
            let Some(mask) = self.number(cursor, "a mask of lanes", EXAMPLE) else {
                return;
            };
            let Ok(mask) = u32::try_from(mask) else {
                let what = format!("mask {mask:#x} exceeds the 32 lanes of a warp");
                self.out.report(&rules::DIRECTIVE_SYNTAX, at, what);
                return;
            };
            let warp = &mut self.symbols.sass;
            let lanes = match kind {
                0 => &mut warp.helper,
                1 => &mut warp.killed,
                _ => &mut warp.uncovered,
            };
            *lanes = mask;
            cursor.eat_punct(',');
        }
    }
}
