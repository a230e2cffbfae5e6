//! Module dependencies: sibling modules are acyclic, and the core is layered. A parent
//! and its children may depend on each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Layers of the core, lowest first: a module depends only on modules above it in this
/// list.
const LAYERS: [&str; 14] = [
    "rules",
    "diagnostic",
    "text",
    "number",
    "bits",
    "machine",
    "contradictions",
    "isa",
    "program",
    "session",
    "checks",
    "library",
    "ide",
    "lib",
];

/// Crates whose sibling modules are acyclic. In the page only files are acyclic,
/// because the model of a feature is below the store and its view above it.
const CRATES: [&str; 8] = [
    "core", "checks", "explore", "answer", "link", "files", "cli", "xtask",
];

/// Module path; empty for the crate root.
type Module = Vec<String>;

fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the workspace").to_owned()
}

fn read(folder: &Path, module: &Module, out: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut inner = module.clone();
        if path.is_dir() {
            inner.push(name);
            read(&path, &inner, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            if !["mod", "lib", "main"].contains(&&*name) {
                inner.push(name);
            }
            out.insert(inner, fs::read_to_string(&path).unwrap());
        }
    }
}

/// Code of a file, without comments and unit tests.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or("");
    let lines = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// Position of the closing brace of a group.
fn closing(text: &str) -> usize {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// All paths in a `use` tree, relative to `base`.
fn tree(base: &Module, text: &str, out: &mut Vec<Module>) {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = text.trim_start();
    let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
    let (name, rest) = name.split_at(end);
    let mut path = base.clone();
    if !name.is_empty() {
        path.push(name.to_owned());
    }
    if let Some(rest) = rest.strip_prefix("::").filter(|_| !name.is_empty()) {
        tree(&path, rest, out);
    } else if let Some(group) = rest.strip_prefix('{') {
        let group = &group[..closing(group)];
        let (mut depth, mut start) = (0, 0);
        for (at, c) in group.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if c == ',' && depth == 0 {
                tree(&path, &group[start..at], out);
                start = at + 1;
            }
        }
        if !group[start..].trim().is_empty() {
            tree(&path, &group[start..], out);
        }
    } else {
        out.push(path);
    }
}

/// All paths from the crate root used in a file.
fn paths(module: &Module, text: &str) -> Vec<Module> {
    let text = code(text);
    let mut paths = Vec::new();
    for word in ["crate::", "super::"] {
        for (at, _) in text.match_indices(word) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                continue;
            }
            let mut rest = &text[at + word.len()..];
            let mut base = Module::new();
            if word == "super::" {
                base = module[..module.len().saturating_sub(1)].to_vec();
                while let Some(after) = rest.strip_prefix("super::") {
                    base.pop();
                    rest = after;
                }
            }
            tree(&base, rest, &mut paths);
        }
    }
    paths
}

/// Modules that a file depends on.
fn dependencies(module: &Module, text: &str, all: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let known = paths(module, text).into_iter().filter_map(|path| {
        let prefixes = (0..=path.len()).rev().map(|n| path[..n].to_vec());
        prefixes.into_iter().find(|prefix| all.contains_key(prefix))
    });
    known.filter(|other| other != module).collect()
}

/// Dependencies between sibling modules, by folder.
fn siblings(folder: &str) -> BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> {
    let mut all = BTreeMap::new();
    read(&root().join(folder).join("src"), &Module::new(), &mut all);
    let mut found: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, text) in &all {
        for other in dependencies(module, text, &all) {
            let common = module
                .iter()
                .zip(&other)
                .take_while(|(a, b)| a == b)
                .count();
            if let (Some(from), Some(to)) = (module.get(common), other.get(common)) {
                let graph = found.entry(module[..common].to_vec()).or_default();
                graph.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    found
}

/// Whether `to` is reachable from `from`.
fn reaches(graph: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for next in graph.get(at).into_iter().flatten() {
            if next == to {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

#[test]
fn sibling_modules_are_acyclic() {
    let mut wrong = Vec::new();
    for folder in CRATES {
        for (parent, graph) in siblings(folder) {
            for (from, others) in &graph {
                for to in others.iter().filter(|to| reaches(&graph, to, from)) {
                    wrong.push(format!("{folder} {}: {from} -> {to}", parent.join("::")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `pub use` items of a module: public path and actual path.
fn reexports(all: &BTreeMap<Module, String>) -> BTreeMap<Module, Module> {
    let mut found = BTreeMap::new();
    for (module, text) in all {
        let text = code(text);
        for line in ["pub(crate) use ", "pub(super) use "] {
            for (at, _) in text.match_indices(line) {
                let rest = &text[at + line.len()..];
                let (base, rest) = match rest.split_once("::") {
                    Some(("crate", rest)) => (Module::new(), rest),
                    Some(("super", rest)) => (module[..module.len() - 1].to_vec(), rest),
                    _ => (module.clone(), rest),
                };
                let mut paths = Vec::new();
                tree(&base, rest, &mut paths);
                for path in paths {
                    let name = path.last().expect("a path is not empty").clone();
                    found.insert([&module[..], &[name]].concat(), path);
                }
            }
        }
    }
    found
}

/// File that defines the item at a path.
fn file_of(
    path: &[String],
    all: &BTreeMap<Module, String>,
    reexports: &BTreeMap<Module, Module>,
) -> Option<Module> {
    (0..=path.len()).rev().find_map(|n| {
        let (prefix, rest) = path.split_at(n);
        match reexports.get(prefix) {
            Some(there) if !all.contains_key(prefix) => {
                file_of(&[there, rest].concat(), all, reexports)
            }
            _ => all.contains_key(prefix).then(|| prefix.to_vec()),
        }
    })
}

#[test]
fn sibling_files_of_the_page_are_acyclic() {
    let mut all = BTreeMap::new();
    read(&root().join("web/src"), &Module::new(), &mut all);
    let reexports = reexports(&all);
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, text) in &all {
        for path in paths(module, text) {
            let Some(other) = file_of(&path, &all, &reexports) else {
                continue;
            };
            if !module.starts_with(&other) && !other.starts_with(module) {
                let others = graph.entry(module.join("::")).or_default();
                others.insert(other.join("::"));
            }
        }
    }
    assert!(graph["store::state"].contains("features::share::model"));
    let mut wrong = Vec::new();
    for (from, others) in &graph {
        for to in others.iter().filter(|to| reaches(&graph, to, from)) {
            wrong.push(format!("{from} -> {to}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn core_layers_depend_downwards() {
    let layer = |name: &str| {
        let found = LAYERS.iter().position(|layer| *layer == name);
        found.unwrap_or_else(|| panic!("{name} does not have a layer"))
    };
    let mut wrong = Vec::new();
    for (from, others) in &siblings("core")[&Module::new()] {
        for to in others.iter().filter(|to| layer(to) >= layer(from)) {
            wrong.push(format!("{from} -> {to}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Names of the types, traits and aliases declared in a file, without associated types.
fn declared_types(text: &str) -> Vec<String> {
    let text = code(text);
    let mut names = Vec::new();
    for line in text.lines() {
        let is_associated = line.starts_with(' ') && line.trim_start().starts_with("type ");
        let mut words = line
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !["pub", "crate", "super", "in", ""].contains(word));
        let is_type = words
            .next()
            .is_some_and(|word| ["struct", "enum", "union", "trait", "type"].contains(&word));
        if is_type && !is_associated {
            names.extend(words.next().map(str::to_owned));
        }
    }
    names
}

#[test]
fn type_names_of_core_and_explore_are_unique() {
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in ["core", "explore"] {
        let mut all = BTreeMap::new();
        read(&root().join(folder).join("src"), &Module::new(), &mut all);
        for (module, text) in &all {
            if module.last().is_some_and(|name| name == "tests") {
                continue;
            }
            for name in declared_types(text) {
                let owner = format!("{folder}::{}", module.join("::"));
                owners.entry(name).or_default().push(owner);
            }
        }
    }
    assert!(owners.contains_key("SassAtomic") && owners.contains_key("VisaAtomic"));
    owners.retain(|_, modules| modules.len() > 1);
    assert!(owners.is_empty(), "{owners:#?}");
}
