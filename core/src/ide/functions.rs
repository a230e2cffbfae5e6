//! Functions of a source in OpenCL C or CUDA C.

use super::struct_layout::{ATTRIBUTES, SourceToken, after_bracket, is_word, tokens};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The function that a line of a source belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFunction {
    pub name: String,
    /// Lines that call it by name, from 1.
    pub calls: Vec<u32>,
}

/// The function around a line of a source, from 1. Calls in macros are not found.
#[must_use]
pub fn source_function(source: &str, line: u32) -> Option<SourceFunction> {
    let tokens = tokens(source);
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let starts: Vec<usize> = core::iter::once(0)
        .chain(source.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let line_of = |at: usize| starts.partition_point(|start| *start <= tokens[at].at);
    let line_of = |at: usize| u32::try_from(line_of(at)).unwrap_or(u32::MAX);
    let mut found = None;
    let mut calls: Vec<(&str, u32)> = Vec::new();
    // The last name before parentheses, outside of bodies.
    let mut named = None;
    let mut at = 0;
    while at < tokens.len() {
        match text(at) {
            "(" => {
                let name = at.checked_sub(1).filter(|name| is_word(text(*name)));
                named = name
                    .filter(|name| !ATTRIBUTES.contains(&text(*name)))
                    .or(named);
                at = after_bracket(&tokens, at);
            }
            // `extern "C" {` and `namespace a {`
            "{" if named.is_none()
                && (1..=2).any(|back| {
                    let word = at.checked_sub(back).map_or("", text);
                    word == "namespace" || back == 1 && word == "extern"
                }) =>
            {
                at += 1;
            }
            "{" => {
                let end = after_bracket(&tokens, at);
                if let Some(name) = named.take() {
                    let lines = line_of(name)..=line_of(end - 1);
                    if lines.contains(&line) {
                        found = Some(text(name));
                    }
                    let names = (at..end).filter(|name| text(name + 1) == "(");
                    calls.extend(names.map(|name| (text(name), line_of(name))));
                }
                at = end;
            }
            ";" | "=" => {
                named = None;
                at += 1;
            }
            _ => at += 1,
        }
    }
    let name = found?;
    let calls = calls.iter().filter(|(called, _)| *called == name);
    let mut calls: Vec<u32> = calls.map(|(_, line)| *line).collect();
    calls.dedup();
    Some(SourceFunction {
        name: String::from(name),
        calls,
    })
}

/// The name that a source declares for a function with a mangled name: `add` for
/// `_ZN4math3addEPi`. Other names are their own.
fn declared_name(mangled: &str) -> &str {
    let encoded = mangled.strip_prefix("_Z").unwrap_or("");
    let Some(mut rest) = encoded.strip_prefix('N') else {
        // What follows are the types of parameters.
        return counted_name(encoded).map_or(mangled, |(name, _)| name);
    };
    let mut name = mangled;
    while let Some((own, others)) = counted_name(rest) {
        (name, rest) = (own, others);
    }
    name
}

/// A name behind its length, and the rest.
fn counted_name(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (length, names) = text.split_at(digits);
    names.split_at_checked(length.parse().ok()?)
}

/// Names of the parameters of a CUDA kernel with a number of them, if its declarations in the
/// source agree. The kernel has its name in the source, or the mangled one.
#[must_use]
pub fn kernel_parameters<'s>(source: &'s str, kernel: &str, count: usize) -> Option<Vec<&'s str>> {
    let tokens = tokens(source);
    let kernel = declared_name(kernel);
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let starts = (0..tokens.len()).filter(|at| text(*at) == "__global__");
    let declared = starts.filter_map(|start| {
        let mut at = start + 1;
        // `__launch_bounds__(256)` has parentheses, too.
        while at < tokens.len() && !matches!(text(at), ";" | "{") {
            match text(at) {
                "(" if text(at - 1) == kernel => {
                    let end = after_bracket(&tokens, at) - 1;
                    return parameter_names(&tokens, at + 1..end);
                }
                "(" => at = after_bracket(&tokens, at),
                _ => at += 1,
            }
        }
        None
    });
    let mut alike = declared.filter(|names| names.len() == count);
    let first = alike.next()?;
    alike.all(|names| names == first).then_some(first)
}

/// Words that end the type of a parameter without a name.
const TYPE_WORDS: [&str; 15] = [
    "const",
    "volatile",
    "restrict",
    "__restrict__",
    "__restrict",
    "unsigned",
    "signed",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "bool",
    "auto",
];

/// The names that parameters declare; `None` if one has none, or declares a function.
fn parameter_names<'s>(tokens: &[SourceToken<'s>], range: Range<usize>) -> Option<Vec<&'s str>> {
    let mut names = Vec::new();
    let (mut depth, mut words, mut is_named) = (0_usize, Vec::new(), false);
    for token in tokens.get(range)?.iter().map(|token| token.text) {
        match token {
            "<" | "[" => depth += 1,
            ">" | "]" => depth = depth.saturating_sub(1),
            "(" | "{" => return None,
            "," if depth == 0 => {
                names.push(core::mem::take(&mut words));
                is_named = false;
                continue;
            }
            _ => {}
        }
        is_named |= matches!(token, "=" | "[");
        if depth == 0 && is_word(token) && !is_named {
            words.push(token);
        }
    }
    if !(names.is_empty() && words.is_empty()) {
        names.push(words);
    }
    let named = |words: Vec<&'s str>| {
        let name = words.last().copied().filter(|_| words.len() > 1);
        name.filter(|name| !TYPE_WORDS.contains(name))
    };
    names.into_iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_have_the_parameters_of_their_declarations() {
        let source = "\
__global__ void add(float *, int);
__global__ void add(const float *, unsigned int, const float, int, long long);
template <typename T, int N>
__global__ void __launch_bounds__(256, 2) add(T *__restrict__ out, const Pair<T, N> in,
    unsigned int n /* size, */, float2 rest[4], int last = 3) {}
namespace a { __global__ void one(int x) {} }
__global__ void one(int y);
__global__ void none() {}
__global__ void pointer(void (*f)(int), int x) {}
void add(int not_a_kernel) {}";
        let add = Some(Vec::from(["out", "in", "n", "rest", "last"]));
        assert_eq!(kernel_parameters(source, "add", 5), add);
        for mangled in [
            "_Z3addiPf",
            "_Z3add6Paramsi",
            "_Z3add6float4Pi",
            "_ZN4math3addIfEEvPT_",
            "_ZN12_GLOBAL__N_13addE6Params",
        ] {
            assert_eq!(kernel_parameters(source, mangled, 5), add, "{mangled}");
        }
        for other in ["_Z4addsi", "_ZN3add4mathEv", "_Z99add", "_Z3\u{e4}dd", "_Z"] {
            assert_eq!(kernel_parameters(source, other, 5), None, "{other}");
        }
        assert_eq!(kernel_parameters(source, "add", 2), None);
        assert_eq!(kernel_parameters(source, "one", 1), None);
        assert_eq!(kernel_parameters(source, "none", 0), Some(Vec::new()));
        assert_eq!(kernel_parameters(source, "pointer", 2), None);
        // Every prefix is bounded.
        for end in 0..source.len() {
            let _ = kernel_parameters(&source[..end], "add", 5);
        }
    }

    #[test]
    fn lines_belong_to_functions_and_functions_to_their_calls() {
        let source = "\
float helper(float x); // helper(1)
struct S { int a; };
constant int table[] = { 1, 2 };
float helper(float x) {
  if (x > 0) { return x; }
  return -x;
}
__attribute__((reqd_work_group_size(8, 1, 1)))
kernel void k(global float *o) __attribute__((x(1))) {
  printf(\"}) helper(\\\"%d\\\"\", 1); o[0] = helper(1) + helper(2);
  o[1] = helper(o[0]);
}";
        let of = |line| source_function(source, line).map(|f| (f.name, f.calls));
        let helper = Some((String::from("helper"), Vec::from([10, 11])));
        assert_eq!(
            [of(4), of(5), of(7)],
            [helper.clone(), helper.clone(), helper]
        );
        assert_eq!(of(10), Some((String::from("k"), Vec::new())));
        assert_eq!([of(1), of(2), of(3), of(8), of(13)], [const { None }; 5]);
        let inner = alloc::format!("extern \"C\" {{\nnamespace n {{\n{source}\n}}\n}}");
        let name = source_function(&inner, 6).map(|f| f.name);
        assert_eq!(name.as_deref(), Some("helper"));
        // Every prefix is bounded.
        for end in 0..source.len() {
            let _ = source_function(&source[..end], 5);
        }
    }
}
