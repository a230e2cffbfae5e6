//! Writes the texts that the page fetches: explanations of instructions, and the
//! hover help of the editor.

use anyhow::{Context, Result};
use lanewise_answer::explanation::Explanation;
use lanewise_core::ide::topics;
use lanewise_core::isa::SPECS;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

pub(crate) fn write(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    for (file, text) in files()? {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// File names and contents.
fn files() -> Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    for &spec in SPECS {
        let file = format!("{}.json", spec.name.to_ascii_lowercase());
        all.push((file, serde_json::to_string(&Explanation::of(spec))?));
    }
    all.push((String::from("hover.json"), hover().to_string()));
    Ok(all)
}

/// Hover help for instructions, operations, directives, operands and rules, by the
/// keys of core's `ide`.
fn hover() -> Value {
    let topics = topics().into_iter().map(|topic| {
        let statements = topic.statements.iter();
        let statements = statements.filter(|statement| !statement.text.is_empty());
        let statements = statements.map(|one| json!({ "mark": one.mark.word(), "text": one.text }));
        let contradictions = topic.contradictions.iter().map(|one| {
            json!({ "title": one.title, "one": one.one, "other": one.other, "taken": one.taken })
        });
        let value = json!({
            "title": topic.title,
            "said": statements.collect::<Vec<_>>(),
            "contradictions": contradictions.collect::<Vec<_>>(),
        });
        (topic.key, value)
    });
    Value::Object(topics.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_have_unique_keys_and_texts() {
        let all = topics();
        for (index, topic) in all.iter().enumerate() {
            let same = all.iter().position(|other| other.key == topic.key);
            assert_eq!(same, Some(index), "{}", topic.key);
            let operation = topic.key.starts_with("operation.");
            assert!(operation || !topic.statements.is_empty(), "{}", topic.key);
        }
        assert_eq!(hover().as_object().unwrap().len(), all.len());
    }

    #[test]
    fn every_instruction_has_a_file() {
        let files = files().unwrap();
        for spec in SPECS {
            let name = format!("{}.json", spec.name.to_ascii_lowercase());
            assert_eq!(files.iter().filter(|(file, _)| *file == name).count(), 1);
        }
    }
}
