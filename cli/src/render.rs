//! Diagnostics as people read them: the source line, the reason, the fix.

use crate::input::Source;
use annotate_snippets::{
    AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet, normalize_untrusted_str,
};
use lanewise_core::diagnostic::{Diagnostic, Severity, Span, to_usize};
use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;

/// How many diagnostics are shown in full; the rest is counted.
const MAX_SHOWN: usize = 50;

/// Longer pieces of source are named, not shown.
const MAX_SNIPPET: usize = 2000;

/// Longer messages are cut: they quote the source.
const MAX_MESSAGE: usize = 400;

/// How many lines of one span are shown.
const MAX_LINES: usize = 6;

/// Prints diagnostics to the standard error, coloured on a terminal unless
/// `NO_COLOR` is set.
pub(crate) fn print(source: &Source, diagnostics: &[Diagnostic]) {
    let renderer = Renderer::styled();
    let mut out = anstream::stderr().lock();
    for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
        let shown = render(&renderer, source, diagnostic);
        // Nothing can be done when the standard error is closed.
        let _ = writeln!(out, "{shown}\n");
    }
    let more = diagnostics.len().saturating_sub(MAX_SHOWN);
    if more > 0 {
        let _ = writeln!(out, "… and {more} more in {}\n", source.name);
    }
}

/// Prints diagnostics about raw bytes, whose spans are ranges of the bytes
/// from `base` on: one line each.
pub(crate) fn print_offsets(name: &str, base: usize, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
        let at = base + to_usize(diagnostic.span.start);
        let severity = diagnostic.severity().word();
        let code = diagnostic.rule.code;
        say(&format!(
            "{name}: byte {at:#x}: {severity}[{code}]: {}",
            cut(&diagnostic.message())
        ));
    }
}

/// One line on the standard error.
pub(crate) fn say(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}", plain(line));
}

/// A text without what would steer a terminal.
pub(crate) fn plain(text: &str) -> String {
    normalize_untrusted_str(text)
}

fn cut(text: &str) -> Cow<'_, str> {
    match text.get(..text.floor_char_boundary(MAX_MESSAGE)) {
        Some(start) if start.len() < text.len() => Cow::Owned(format!("{start}…")),
        _ => Cow::Borrowed(text),
    }
}

/// How many errors and warnings there are, in words.
pub(crate) fn count(errors: usize, warnings: usize) -> String {
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    match (errors, warnings) {
        (0, 0) => String::from("no errors"),
        (0, w) => format!("no errors, {w} warning{}", plural(w)),
        (e, 0) => format!("{e} error{}", plural(e)),
        (e, w) => format!("{e} error{}, {w} warning{}", plural(e), plural(w)),
    }
}

/// How many of the diagnostics have this severity.
pub(crate) fn of(severity: Severity, diagnostics: &[Diagnostic]) -> usize {
    diagnostics
        .iter()
        .filter(|d| d.severity() == severity)
        .count()
}

fn render(renderer: &Renderer, source: &Source, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let excerpt = Excerpt::of(&source.text, diagnostic.span);
    let title = level
        .primary_title(cut(&diagnostic.what))
        .id(diagnostic.rule.code);
    let mut group = if excerpt.text.len() > MAX_SNIPPET {
        let origin = Origin::path(source.name.as_str())
            .line(excerpt.line)
            .char_column(excerpt.column());
        title.element(origin)
    } else {
        let annotation = AnnotationKind::Primary.span(excerpt.span.clone());
        let snippet = Snippet::source(excerpt.text)
            .line_start(excerpt.line)
            .path(source.name.as_str())
            .annotation(annotation);
        title.element(snippet)
    };
    let rule = diagnostic.rule;
    if !rule.why.is_empty() {
        let why = Level::NOTE.with_name(rule.mark.word());
        group = group.element(why.message(rule.why));
    }
    let help = plain(&cut(&diagnostic.help));
    let mut groups = Vec::new();
    match fix(&excerpt, diagnostic) {
        Some(patch) => {
            groups.push(group);
            let snippet = Snippet::source(excerpt.text)
                .line_start(excerpt.line)
                .patch(patch);
            groups.push(Group::with_title(Level::HELP.secondary_title(help)).element(snippet));
        }
        None if help.is_empty() => groups.push(group),
        None => groups.push(group.element(Level::HELP.message(help))),
    }
    renderer.render(&groups)
}

/// The edit that fixes it, where it lies in the lines shown.
fn fix<'d>(excerpt: &Excerpt<'_>, diagnostic: &'d Diagnostic) -> Option<Patch<'d>> {
    let edit = diagnostic.edit.as_ref()?;
    let range = excerpt.range(edit.span)?;
    let short = excerpt.text.len() <= MAX_SNIPPET;
    let changes = excerpt.text.get(range.clone())? != edit.replacement;
    (short && changes).then(|| Patch::new(range, edit.replacement.as_str()))
}

/// The lines of a text that a span lies in.
struct Excerpt<'t> {
    /// The lines.
    text: &'t str,
    /// Where they start.
    start: usize,
    /// Number of the first, from 1.
    line: usize,
    /// The span in them.
    span: Range<usize>,
}

impl<'t> Excerpt<'t> {
    fn of(text: &'t str, span: Span) -> Self {
        let clamp = |at: u32| {
            let at = to_usize(at).min(text.len());
            text.floor_char_boundary(at)
        };
        let (from, to) = (clamp(span.start), clamp(span.end.max(span.start)));
        let before = &text[..from];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = 1 + before.bytes().filter(|b| *b == b'\n').count();
        // The line in which the span ends belongs to it whole.
        let spanned = &text[from..to];
        let cut = spanned.match_indices('\n').nth(MAX_LINES - 1);
        let to = cut.map_or(to, |(at, _)| from + at);
        let rest = &text[to..];
        let end = rest.find('\n').map_or(text.len(), |at| to + at);
        let lines = &text[start..end];
        let lines = lines.strip_suffix('\r').unwrap_or(lines);
        let within = |at: usize| (at - start).min(lines.len());
        Self {
            text: lines,
            start,
            line,
            span: within(from)..within(to),
        }
    }

    /// The column of the span, from 1.
    fn column(&self) -> usize {
        let before = &self.text[..self.span.start];
        1 + before.chars().count()
    }

    /// A span of the whole text as a range of these lines.
    fn range(&self, span: Span) -> Option<Range<usize>> {
        let within = |at: u32| usize::try_from(at).ok()?.checked_sub(self.start);
        let range = within(span.start)?..within(span.end)?;
        self.text.get(range.clone()).map(|_| range)
    }
}
