//! Writes the texts that the page fetches: explanations of instructions, and the
//! hover help of the editor.

use anyhow::{Context, Result};
use lanewise_answer::explanation::{self, Explanation};
use lanewise_core::ide::topics;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
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
    let mut files = BTreeMap::<String, BTreeMap<String, Explanation>>::new();
    for spec in explanation::specs() {
        let file = files.entry(explanation::file_of(spec)).or_default();
        file.insert(explanation::key_of(spec), Explanation::of(spec));
    }
    let files = files.into_iter();
    let texts = files.map(|(file, all)| Ok((file, serde_json::to_string(&all)?)));
    let mut all: Vec<(String, String)> = texts.collect::<Result<_>>()?;
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
            json!({ "title": one.title, "one": one.one, "other": one.other, "taken": one.resolution })
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
}
