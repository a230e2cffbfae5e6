//! Functions that the compiler keeps apart from the kernels (`.visaasm.NAME` sections), such
//! as those of unoptimized programs.
//!
//! A scenario is one text, so a kernel gets a copy of every function that it calls, with
//! variables and labels of its own.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A function with a section of its own.
pub(super) struct Function {
    name: String,
    text: String,
}

/// The names of the functions that a text calls with `fcall`.
pub(super) fn called(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        // `ifcall` calls by address.
        let is_call = line.split_whitespace().any(|word| word == "fcall");
        let (_, operands) = line
            .split_once("fcall ")
            .filter(|_| is_call)?
            .1
            .split_once(')')?;
        Some(operands.split_whitespace().next()?.trim_matches('"'))
    })
}

/// The names of the functions that a text contains.
pub(super) fn defined(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim_start);
    let names = lines.filter_map(|line| line.strip_prefix(".function "));
    names.map(|name| name.trim().trim_matches('"'))
}

/// Appends the functions that a kernel calls or takes the address of, directly or through
/// others.
pub(super) fn append(kernel: &mut String, functions: &[Function]) {
    loop {
        let contained: BTreeSet<&str> = defined(kernel).collect();
        let find = |name| {
            let mut known = functions.iter().filter(|function| function.name == name);
            known.next().filter(|_| !contained.contains(name))
        };
        let missing = called(kernel).find_map(find);
        let missing = missing.or_else(|| super::faddr_names(kernel).find_map(find));
        // Each round defines one more function.
        match missing {
            Some(function) => {
                // The last line of the compiler's text is a comment without an end.
                kernel.push('\n');
                kernel.push_str(&function.renamed());
            }
            None => return,
        }
    }
}

impl Function {
    /// The function of a section, if its name is valid in a text.
    pub(super) fn new(name: &str, text: String) -> Option<Self> {
        let is_valid = !name.is_empty() && name.chars().all(is_word);
        is_valid.then(|| Self {
            name: name.to_owned(),
            text,
        })
    }

    /// The text, with the name of the function before its variables and labels.
    fn renamed(&self) -> String {
        let mut names = BTreeSet::new();
        for line in self.text.lines().map(str::trim) {
            let declared = line.strip_prefix(".decl ").and_then(|rest| {
                let mut words = rest.split_whitespace();
                words.next()
            });
            let label = line
                .strip_suffix(':')
                .filter(|name| name.chars().all(is_word));
            names.extend(declared.or(label));
        }
        let mut out = format!(".function \"{}\"\n", self.name);
        for line in self.text.lines() {
            let code = line.trim_start();
            let dropped = [
                "//",
                ".version",
                ".kernel_attr",
                ".function",
                ".global_function",
                ".funcdecl",
            ];
            if dropped.iter().any(|word| code.starts_with(word)) {
                continue;
            }
            let mut rest = line;
            while let Some(start) = rest.find(is_word) {
                let (before, from) = rest.split_at(start);
                let end = from.find(|c| !is_word(c)).unwrap_or(from.len());
                let (word, after) = from.split_at(end);
                out.push_str(before);
                // Predefined variables start with a percent sign.
                if names.contains(word) && !before.ends_with('%') {
                    let _ = write!(out, "{}_", self.name);
                }
                out.push_str(word);
                rest = after;
            }
            out.push_str(rest);
            out.push('\n');
        }
        out
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
