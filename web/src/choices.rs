//! Enums of choices that users make.

/// Defines an enum of choices. Each row has a variant, its stable name, for links, saved
/// settings and ids of elements, and its label.
macro_rules! choices {
    (
        $(#[$about:meta])*
        $name:ident { $($(#[$doc:meta])* $choice:ident $key:literal $label:literal,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name {
            $($(#[$doc])* $choice,)*
        }

        impl $name {
            /// All choices, in order.
            pub(crate) const ALL: [Self; [$($key),*].len()] = [$(Self::$choice),*];

            /// Stable name.
            pub(crate) const fn key(self) -> &'static str {
                match self {
                    $(Self::$choice => $key,)*
                }
            }

            pub(crate) const fn label(self) -> &'static str {
                match self {
                    $(Self::$choice => $label,)*
                }
            }

            /// Parses a stable name.
            pub(crate) fn of_key(key: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|choice| choice.key() == key)
            }
        }
    };
}
