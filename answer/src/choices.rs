//! Enums of choices that users make.

/// Defines an enum of choices. Each row has a variant, its stable name, for links, saved
/// settings and ids of elements, and its label.
#[macro_export]
macro_rules! choices {
    (
        $(#[$about:meta])*
        $vis:vis $name:ident { $($(#[$doc:meta])* $choice:ident $key:literal $label:literal,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$doc])* $choice,)*
        }

        impl $name {
            /// All choices, in order.
            $vis const ALL: [Self; [$($key),*].len()] = [$(Self::$choice),*];

            /// Stable name.
            $vis const fn key(self) -> &'static str {
                match self {
                    $(Self::$choice => $key,)*
                }
            }

            $vis const fn label(self) -> &'static str {
                match self {
                    $(Self::$choice => $label,)*
                }
            }

            /// Parses a stable name.
            $vis fn of_key(key: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|choice| choice.key() == key)
            }
        }
    };
}
