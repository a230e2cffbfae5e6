//! Prints diagnostics for people: source line, reason and fix.

use crate::input::Source;
use annotate_snippets::{
    AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet, normalize_untrusted_str,
};
use lanewise_core::diagnostic::{Diagnostic, Severity, Span, to_usize};
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

/// Maximum number of diagnostics shown in full.
const MAX_SHOWN: usize = 50;

/// Maximum length of a source excerpt, in bytes.
const MAX_SNIPPET: usize = 2000;

/// Maximum length of a message, which may quote the source.
const MAX_MESSAGE: usize = 400;

/// Maximum number of lines shown per span.
const MAX_LINES: usize = 6;

/// Prints diagnostics to standard error, in color on a terminal unless `NO_COLOR`
/// is set.
pub(crate) fn print(source: &Source, diagnostics: &[Diagnostic]) {
    let renderer = Renderer::styled();
    let mut out = anstream::stderr().lock();
    for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
        let shown = render(&renderer, source, diagnostic);
        // Ignore a closed standard error.
        let _ = writeln!(out, "{shown}\n");
    }
    let more = diagnostics.len().saturating_sub(MAX_SHOWN);
    if more > 0 {
        let _ = writeln!(out, "… and {more} more in {}\n", source.name);
    }
}

/// Prints diagnostics about raw bytes, one line each. Spans are relative to
/// `base`.
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

/// Prints a line to standard error.
pub(crate) fn say(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}", plain(line));
}

/// A message about a launch in which its options have the names of the keys or parameters that
/// stand for them. Commands in backticks keep theirs.
pub(crate) fn with_keys<'k>(text: &str, key_of: impl Fn(&str) -> Option<&'k str>) -> String {
    let mut parts = text.split("--");
    let mut out = String::from(parts.next().unwrap_or(""));
    let has_odd_backticks = |text: &str| text.matches('`').count() % 2 == 1;
    let mut is_command = has_odd_backticks(&out);
    for part in parts {
        let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
        let end = part.find(|c| !is_word(c)).unwrap_or(part.len());
        let (option, rest) = part.split_at(end);
        match key_of(option).filter(|_| !is_command) {
            Some(key) => out += &format!("`{key}`{rest}"),
            None => out += &format!("--{part}"),
        }
        is_command ^= has_odd_backticks(part);
    }
    out
}

/// Writes what the results of a scenario leave out or rest on: before them, or to
/// standard error if they are JSON.
pub(crate) fn caveats(source: &Source, is_json: bool, out: &mut impl Write) -> io::Result<()> {
    for caveat in lanewise_files::caveats(&source.text) {
        if is_json {
            say(&format!("{}: note: {caveat}", source.name));
        } else {
            writeln!(out, "Note: {caveat}.")?;
        }
    }
    Ok(())
}

/// Removes terminal control characters.
pub(crate) fn plain(text: &str) -> String {
    normalize_untrusted_str(text)
}

fn cut(text: &str) -> Cow<'_, str> {
    match text.get(..text.floor_char_boundary(MAX_MESSAGE)) {
        Some(start) if start.len() < text.len() => Cow::Owned(format!("{start}…")),
        _ => Cow::Borrowed(text),
    }
}

/// Formats a number of errors and warnings.
pub(crate) fn count(errors: usize, warnings: usize) -> String {
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    match (errors, warnings) {
        (0, 0) => String::from("no errors"),
        (0, w) => format!("no errors, {w} warning{}", plural(w)),
        (e, 0) => format!("{e} error{}", plural(e)),
        (e, w) => format!("{e} error{}, {w} warning{}", plural(e), plural(w)),
    }
}

/// Number of diagnostics with this severity.
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

/// Fix of a diagnostic, if it is within the excerpt.
fn fix<'d>(excerpt: &Excerpt<'_>, diagnostic: &'d Diagnostic) -> Option<Patch<'d>> {
    let edit = diagnostic.edit.as_ref()?;
    let range = excerpt.range(edit.span)?;
    let short = excerpt.text.len() <= MAX_SNIPPET;
    let changes = excerpt.text.get(range.clone())? != edit.replacement;
    (short && changes).then(|| Patch::new(range, edit.replacement.as_str()))
}

/// The lines that contain a span.
struct Excerpt<'t> {
    text: &'t str,
    /// Byte offset of the first line.
    start: usize,
    /// 1-based number of the first line.
    line: usize,
    /// Span relative to the excerpt.
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
        // Include the whole last line.
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

    /// 1-based column of the span.
    fn column(&self) -> usize {
        let before = &self.text[..self.span.start];
        1 + before.chars().count()
    }

    /// Converts a span of the text to a range of the excerpt.
    fn range(&self, span: Span) -> Option<Range<usize>> {
        let within = |at: u32| usize::try_from(at).ok()?.checked_sub(self.start);
        let range = within(span.start)?..within(span.end)?;
        self.text.get(range.clone()).map(|_| range)
    }
}
