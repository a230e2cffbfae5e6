//! Evidence for the size of registers in a listing that does not name its platform.
//!
//! Source: compiled programs for all platforms (observed); visa/common.cpp.

/// Sizes of registers and the words of a listing that show them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evidence {
    /// Shows registers of 64 bytes.
    pub(crate) wide: Option<&'static str>,
    /// Shows registers of 32 bytes.
    pub(crate) narrow: Option<&'static str>,
    /// Suggests registers of 64 bytes; smaller registers are aligned so, too, but rarely.
    pub(crate) likely_wide: Option<&'static str>,
}

impl Evidence {
    /// Reads a listing without comments. A `wide_alias` of `%r0`, which is one register, has
    /// more than 32 bytes.
    pub(crate) fn of(code: &str, wide_alias: bool) -> Self {
        let offsets = code.lines().filter_map(|line| {
            let line = line.trim_start().strip_prefix(".input")?;
            let (_, offset) = line.split_once("offset=")?;
            offset.split_whitespace().next()?.parse::<u32>().ok()
        });
        let first = offsets.min();
        let has_lsc = code.lines().any(|line| {
            let mut words = line.split_whitespace();
            words.any(|word| word.starts_with("lsc_"))
        });
        // The thread payload starts with %r0, which is one register.
        let first = first.filter(|_| has_lsc);
        Self {
            wide: match first {
                _ if wide_alias => Some("an alias of %r0 has more than 32 bytes"),
                Some(64) => Some("its first input starts at byte 64"),
                _ => None,
            },
            narrow: (first == Some(32)).then_some("its first input starts at byte 32"),
            likely_wide: code
                .contains("align=wordx32")
                .then_some("it has variables with `align=wordx32`"),
        }
    }
}
