//! Names of kernels as C++ sources have them.

use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};
use std::fmt;

/// Most bytes of a name. Each part of a mangled name may repeat all parts before it.
const MAX_BYTES: usize = 4096;

/// A text of at most [`MAX_BYTES`].
#[derive(Default)]
struct Bounded(String);

impl DemangleWrite for Bounded {
    fn write_string(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

fn demangled(name: &str, options: DemangleOptions) -> Option<String> {
    let short = Some(name).filter(|name| name.len() <= MAX_BYTES)?;
    let symbol = Symbol::new(short).ok()?;
    let mut text = Bounded::default();
    symbol.structured_demangle(&mut text, &options).ok()?;
    Some(text.0)
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

/// A name without blanks beside punctuation.
fn compact(name: &str) -> String {
    let mut out = String::new();
    for word in name.split_whitespace() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if out.ends_with(is_word) && word.starts_with(is_word) {
            out.push(' ');
        }
        out += word;
    }
    out
}

/// Whether a kernel has this name in the source, with or without arguments of its template.
pub(crate) fn is_named(kernel: &str, name: &str) -> bool {
    let plain = compact(&plain(kernel));
    let rest = plain.strip_prefix(&*compact(name));
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
        assert!(is_named("_Z4axpyIfLi4EEvPT_", "axpy<float,4>"));
        assert!(is_named("_Z2tkIjLi5EEvPT_", "tk<unsigned int,5>"));
        assert!(!is_named("_Z2tkIjLi5EEvPT_", "tk<unsignedint,5>"));
        assert!(!is_named("_Z5saxpyfPKfPfi", "sax"));
        let own = (plain("saxpy"), declaration("saxpy"));
        assert_eq!(own, (String::from("saxpy"), None));
    }

    /// Each level doubles the text.
    #[test]
    fn long_names_stay_mangled() {
        let levels = (0..24).map(|level: u8| {
            let digit = char::from_digit(level.into(), 36).expect("a digit");
            format!("ES0_IS{0}_S{0}_", digit.to_ascii_uppercase())
        });
        let name = format!("_Z1fI1AIii{}EEvPi", levels.collect::<String>());
        assert_eq!(plain(&name), name);
    }
}
