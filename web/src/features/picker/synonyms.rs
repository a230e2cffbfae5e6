//! Words that people search for, and what scenarios say instead.

/// A word, and words with which a scenario's topic, title or notes say it: the
/// starts of words, in lower case.
const SYNONYMS: [(&str, &[&str]); 22] = [
    ("matrix", &["dpas", "dpasw"]),
    ("gemm", &["dpas", "dpasw"]),
    ("systolic", &["dpas", "dpasw"]),
    ("tensor", &["dpas", "dpasw"]),
    ("xmx", &["dpas", "dpasw"]),
    ("multiply", &["dpas", "dpasw"]),
    ("mutex", &["lock"]),
    ("spinlock", &["lock"]),
    ("lock", &["cmpxchg", "cas"]),
    ("cas", &["cmpxchg", "compare-and-swap"]),
    ("swap", &["xchg", "exchange"]),
    ("histogram", &["bins"]),
    ("race", &["conflict", "order", "orders"]),
    ("nondeterminism", &["order", "orders"]),
    ("collision", &["conflict", "overlapping"]),
    ("reduction", &["red", "sum", "maximum"]),
    ("counter", &["inc", "predec", "counted"]),
    ("store", &["scatter", "svm_scatter4_scaled"]),
    ("load", &["gather", "svm_gather4_scaled"]),
    ("image", &["pixel", "pixels", "planes"]),
    ("rounding", &["float", "bf16", "hf", "tf32"]),
    ("predicate", &["predicated", "guards", "guard"]),
];

/// What scenarios say instead of a word, in lower case.
pub(super) fn synonyms(word: &str) -> &'static [&'static str] {
    let found = SYNONYMS.iter().find(|(known, _)| *known == word);
    found.map_or(&[], |(_, instead)| instead)
}
