//! Functions of a source in OpenCL C or CUDA C.

use super::struct_layout::{ATTRIBUTES, after_bracket, is_word, tokens};
use alloc::string::String;
use alloc::vec::Vec;

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

#[cfg(test)]
mod tests {
    use super::*;

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
