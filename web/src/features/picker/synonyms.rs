//! Search synonyms.

/// Search words, and the terms scenarios use instead: word prefixes in lower
/// case.
const SYNONYMS: &[(&str, &[&str])] = &[
    (
        "matrix gemm systolic tensor xmx multiply vnni",
        &["dpas", "dpasw"],
    ),
    ("fused", &["dpasw", "eus"]),
    ("int2", &["s2", "u2", "2-bit"]),
    ("int4", &["s4", "u4"]),
    ("int8", &["s8", "u8"]),
    ("fp16", &["hf", "f16x2"]),
    ("bf16", &["bf"]),
    ("mutex", &["lock"]),
    ("spinlock", &["spin"]),
    ("lock", &["cmpxchg", "cas"]),
    ("cas", &["cmpxchg", "compare-and-swap"]),
    ("swap", &["xchg", "exchange"]),
    ("histogram", &["bins"]),
    ("race", &["conflict", "order", "orders"]),
    ("nondeterminism", &["order", "orders"]),
    ("collision", &["conflict", "overlapping"]),
    ("reduction", &["red", "sum", "maximum"]),
    ("shuffle", &["shfl"]),
    ("divergence", &["diverges"]),
    ("warp", &["shfl", "diverges"]),
    ("counter", &["inc", "predec", "counted"]),
    ("store", &["scatter", "svm_scatter4_scaled"]),
    ("load", &["gather", "svm_gather4_scaled"]),
    ("image", &["pixel", "pixels", "planes"]),
    ("rounding", &["float", "bf16", "hf", "tf32"]),
    ("atomicadd", &["add", "inc", "fadd"]),
    ("atomiccas", &["cmpxchg", "cas"]),
    ("atomicexch", &["xchg", "exch"]),
    ("atomicinc", &["inc"]),
    ("atomicdec", &["dec", "predec"]),
    ("atomicmin", &["min"]),
    ("atomicmax", &["max"]),
    ("predicate", &["predicated", "guards", "guard"]),
];

/// Synonyms of a word, in lower case.
pub(super) fn synonyms(word: &str) -> &'static [&'static str] {
    let mut rows = SYNONYMS.iter();
    let found = rows.find(|(known, _)| known.split(' ').any(|known| known == word));
    found.map_or(&[], |(_, instead)| instead)
}
