//! Repository checks: unfinished work, machine paths, dependencies, instruction names.

use lanewise_core::isa::visa::platform::Platform;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// Files in a folder, without generated and installed ones.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    const SKIPPED: [&str; 6] = [".git", "target", "dist", "node_modules", "vectors", "out"];
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                files(&path, out);
            }
        } else {
            out.push(path);
        }
    }
}

fn below(folder: &str) -> Vec<(String, String)> {
    let root = root();
    let mut paths = Vec::new();
    files(&root.join(folder), &mut paths);
    paths
        .into_iter()
        .filter_map(|path| {
            let text = fs::read_to_string(&path).ok()?;
            let name = path.strip_prefix(&root).unwrap();
            Some((name.to_string_lossy().replace('\\', "/"), text))
        })
        .collect()
}

/// Files tracked by git; without git, all files.
fn tracked() -> Vec<(String, String)> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .ok()
        .filter(|out| out.status.success() && !out.stdout.is_empty());
    let Some(listed) = listed else {
        return below(".");
    };
    String::from_utf8(listed.stdout)
        .unwrap()
        .split('\0')
        .filter(|name| !name.is_empty())
        .filter_map(|name| Some((name.to_owned(), fs::read_to_string(root().join(name)).ok()?)))
        .collect()
}

#[test]
fn core_is_no_std_and_safe() {
    let lib = fs::read_to_string(root().join("core/src/lib.rs")).unwrap();
    for attribute in [
        "#![no_std]",
        "#![forbid(unsafe_code)]",
        "clippy::unwrap_used",
    ] {
        assert!(lib.contains(attribute), "{attribute}");
    }
    let manifest = fs::read_to_string(root().join("core/Cargo.toml")).unwrap();
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for dependency in manifest
        .lines()
        .skip_while(|l| *l != "[dependencies]")
        .skip(1)
        .take_while(|l| !l.starts_with('['))
        .filter_map(|l| l.split(['.', ' ', '=']).next().filter(|n| !n.is_empty()))
    {
        let line = workspace
            .lines()
            .find(|l| l.starts_with(&format!("{dependency} = ")))
            .unwrap_or_else(|| panic!("{dependency} is not a workspace dependency"));
        assert!(line.contains("default-features = false"), "{line}");
    }
}

/// Markers of unfinished work, concatenated so that this file does not contain them.
fn loose_ends() -> [String; 6] {
    ["todo", "unimplemented", "dbg"]
        .map(|word| format!("{word}!("))
        .into_iter()
        .chain(["TODO", "FIXME", "XXX"].map(|word| format!("{word}{}", ":")))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap()
}

#[test]
fn unfinished_work_is_absent() {
    let mut wrong = Vec::new();
    for folder in [
        "core/src",
        "checks/src",
        "api/src",
        "answer/src",
        "link/src",
        "cli/src",
        "web/src",
        "xtask/src",
        "tests/src",
    ] {
        for (name, text) in below(folder) {
            for word in loose_ends() {
                if text.contains(&word) {
                    wrong.push(format!("{name}: {word}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn machine_paths_are_absent() {
    // Folders and hosts of development machines.
    let slash = "/";
    let strange = [
        format!("{slash}work{slash}"),
        format!("shared{slash}vectors"),
        format!("shared{slash}spec"),
        format!("{slash}tmp{slash}"),
        format!("{slash}root{slash}"),
        "static.crates".to_owned() + ".io",
        "registry.npmjs".to_owned() + ".org",
        "proxy.golang".to_owned() + ".org",
    ];
    // Lock files contain the URLs of registries.
    let locks = ["Cargo.lock", "package-lock.json"];
    let mut wrong = Vec::new();
    for (name, text) in tracked() {
        if locks.iter().any(|lock| name.ends_with(lock)) {
            continue;
        }
        for word in &strange {
            for (at, line) in text.lines().enumerate().filter(|(_, l)| l.contains(word)) {
                wrong.push(format!("{name}:{}: {}", at + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn vectors_contain_only_data() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    for sub in ["visa", "exec", "links"] {
        files(&folder.join(sub), &mut paths);
    }
    // Compiler output is kept unchanged.
    let output = [
        "files",
        "kernels",
        "programs",
        "sass-kernels",
        "cases",
        "checks",
    ];
    let output = output.map(|sub| folder.join(sub));
    let is_output = |path: &Path| output.iter().any(|sub| path.starts_with(sub));
    for path in paths.iter().filter(|path| !is_output(path)) {
        let text = fs::read_to_string(path).unwrap();
        let is_data = path.extension().is_some_and(|e| e == "jsonl");
        assert!(is_data || path.ends_with("README.md"), "{}", path.display());
        for line in text.lines().filter(|_| is_data) {
            assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
        }
    }
}

/// Whether a file may name an instruction: its own file, its registration, its examples
/// and texts, tables about documents and tools, and tests of its behavior.
fn may_name(file: &str, own: &str) -> bool {
    const ABOUT: [&str; 9] = [
        // Texts: contradictions, rules, keywords of the tool.
        "core/src/contradictions.rs",
        "core/src/rules.rs",
        "core/src/isa/visa/predefined.rs",
        // List of bundled scenarios.
        "core/src/library.rs",
        // Guide pages.
        "xtask/src/guide.rs",
        // Search terms of the picker.
        "web/src/features/picker/synonyms.rs",
        // Benchmarks compared with C++.
        "xtask/src/evidence.rs",
        // Examples in command help.
        "cli/src/explain.rs",
        "cli/src/layout.rs",
    ];
    file == own || ABOUT.contains(&file)
}

/// Code lines, without comments and unit tests.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    let code = lines.take_while(|(_, line)| *line != "#[cfg(test)]");
    code.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Rust files of all crates, without unit tests in separate files.
fn shipped() -> Vec<(String, String)> {
    let crates = [
        "core", "checks", "api", "files", "explore", "answer", "link", "cli", "web", "xtask",
    ];
    let files = crates
        .iter()
        .flat_map(|folder| below(&format!("{folder}/src")));
    let is_unit_test = |file: &str| file.ends_with("tests.rs") || file.contains("/src/tests/");
    let files = files.filter(|(file, _)| file.ends_with(".rs") && !is_unit_test(file));
    files.collect()
}

/// Instructions differ by declared capabilities. Shipped code names the module of a row
/// only in its file and its registration.
#[test]
fn instruction_names_are_confined() {
    let register = fs::read_to_string(root().join("core/src/isa/mod.rs")).unwrap();
    let list = register.split_once("\nregister! {\n").unwrap().1;
    let list = list.split_once("\n}").unwrap().0;
    let registered: Vec<String> = list
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';'))
        .map(|path| {
            let file = format!("core/src/isa/{}.rs", path.replace("::", "/"));
            assert!(root().join(&file).is_file(), "{file}");
            file
        })
        .collect();
    assert_eq!(registered.len(), lanewise_core::isa::SPECS.len());
    let mut wrong = Vec::new();
    for folder in [
        "core/src",
        "checks/src",
        "api/src",
        "explore/src",
        "web/src",
        "cli/src",
        "answer/src",
        "link/src",
        "xtask/src",
        // Generators and property tests use all registered instructions; models of
        // particular ones are in `tests/src/models` and `tests/tests/suite/model_*.rs`.
        "tests/src",
        "tests/tests",
    ] {
        for (file, text) in below(folder) {
            let is_law = ["tests/src/generate.rs", "tests/tests/suite/laws.rs"].contains(&&*file);
            if folder.starts_with("tests/") && !is_law {
                continue;
            }
            // Unit tests in separate files.
            let is_unit_test = file.ends_with("tests.rs")
                || file.ends_with("/laws.rs") && !is_law
                || file.contains("/src/tests/");
            if is_unit_test {
                continue;
            }
            for own in &registered {
                let is_instruction = registered.contains(&file);
                if may_name(&file, own) {
                    continue;
                }
                let module = own.rsplit('/').next().unwrap().trim_end_matches(".rs");
                let words = |line: &str| {
                    let is_word = |c: char| !c.is_alphanumeric() && c != '_';
                    let mut words = line.split(is_word);
                    let is_name = |word: &str| word.len() > 4 && word.eq_ignore_ascii_case(module);
                    words.any(is_name) || line.contains(&format!("{module}::"))
                };
                let mut before = "";
                for (at, line) in code_lines(&text) {
                    let starts_fact = ["::documented(", "::observed(", "::assumed("]
                        .iter()
                        .any(|start| before.ends_with(start));
                    before = line;
                    if !words(line) {
                        continue;
                    }
                    let registers = file == "core/src/isa/mod.rs" && line.ends_with(';');
                    let declares = line.trim_start().starts_with("pub mod ");
                    // A document may mention another instruction.
                    let cites =
                        is_instruction && (starts_fact || line.trim_start().starts_with("Fact::"));
                    if !registers && !declares && !cites {
                        wrong.push(format!("{file}:{}: {}", at + 1, line.trim()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a line names a variant of an enum, rather than a constant or function of it.
fn names_variant(line: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(&format!("{name}::")).any(|(at, path)| {
        let mut letters = line[at + path.len()..].chars();
        !line[..at].ends_with(is_word)
            && letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
    })
}

/// Instruction sets differ by their facts and by functions of `isa`. Other shipped code
/// neither names nor compares them.
#[test]
fn families_are_confined() {
    const APART: [&str; 6] = [
        "core/src/isa/",
        // Rows of the directives of one family.
        "core/src/program/directives.rs",
        // The only choice between the two modules that complete instructions.
        "core/src/ide/complete/mod.rs",
        // Formats of one family.
        "files/src/sass/",
        "files/src/visa/",
        "files/src/zebin/",
    ];
    let mut wrong = Vec::new();
    for (file, text) in shipped() {
        if APART.iter().any(|own| file.starts_with(own)) {
            continue;
        }
        for (at, line) in code_lines(&text) {
            if ["Family", "Target"]
                .iter()
                .any(|name| names_variant(line, name))
            {
                wrong.push(format!("{file}:{}: {}", at + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Platforms differ by the features of their rows. Other shipped code neither names a
/// platform nor compares two.
#[test]
fn platform_names_are_confined() {
    let own = "core/src/isa/visa/platform.rs";
    let table = fs::read_to_string(root().join(own)).unwrap();
    let names: Vec<&str> = table
        .lines()
        .filter_map(|line| line.trim().strip_prefix("name: \"")?.strip_suffix("\","))
        .collect();
    assert_eq!(names.len(), Platform::ALL.len());
    let mut wrong = Vec::new();
    for (file, text) in shipped().into_iter().filter(|(file, _)| file != own) {
        for (at, line) in code_lines(&text) {
            let is_name = |word: &str| names.contains(&word);
            let has_name = line.split('"').skip(1).step_by(2).any(is_name);
            if has_name || names_variant(line, "Platform") {
                wrong.push(format!("{file}:{}: {}", at + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
