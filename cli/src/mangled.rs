//! Names of kernels as C++ sources have them.

use cpp_demangle::{DemangleOptions, Symbol};

fn demangled(name: &str, options: DemangleOptions) -> Option<String> {
    let symbol = Symbol::new(name).ok()?;
    symbol.demangle_with_options(&options).ok()
}

/// The name in the source, `saxpy` or `add<float>`, of a kernel that may have a mangled one.
pub(crate) fn plain(name: &str) -> String {
    let options = DemangleOptions::new().no_params().no_return_type();
    demangled(name, options).unwrap_or_else(|| name.to_owned())
}

/// The declaration of a kernel with a mangled name: `saxpy(float, float const*, float*, int)`.
pub(crate) fn declaration(name: &str) -> Option<String> {
    demangled(name, DemangleOptions::new().no_return_type())
}

/// Whether a kernel has this name in the source, with or without arguments of its template.
pub(crate) fn is_named(kernel: &str, name: &str) -> bool {
    let plain = plain(kernel);
    let rest = plain.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('<'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        for (mangled, name, declared) in [
            (
                "_Z5saxpyfPKfPfi",
                "saxpy",
                "saxpy(float, float const*, float*, int)",
            ),
            ("_Z3addIfEvPT_", "add<float>", "add<float>(float*)"),
            ("_ZN4math3addEPi", "math::add", "math::add(int*)"),
        ] {
            assert_eq!(plain(mangled), name);
            assert_eq!(declaration(mangled).as_deref(), Some(declared));
            assert!(is_named(mangled, name), "{name}");
        }
        assert!(is_named("_Z3addIfEvPT_", "add"));
        assert!(!is_named("_Z5saxpyfPKfPfi", "sax"));
        assert_eq!(
            (plain("saxpy").as_str(), declaration("saxpy")),
            ("saxpy", None)
        );
    }
}
