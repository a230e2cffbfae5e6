use yew::prelude::*;

/// Outline of an icon in a 20 × 20 view box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IconShape {
    Start,
    Back,
    Step,
    Over,
    Into,
    Out,
    End,
    Run,
    Pause,
    Reset,
    Theme,
    Menu,
    More,
    Share,
    Embed,
    Guide,
}

impl IconShape {
    const fn path(self) -> &'static str {
        match self {
            Self::Start => "M4 4h2v12H4zM16 4v12l-8.5-6z",
            Self::Back => "M14 4v12L5 10z",
            Self::Step => "M6 4v12l9-6z",
            Self::Over => {
                "M2.5 11a7.5 6 0 0 1 13.2-3.9L17.5 5v6h-6l2.5-2.4A5.5 4 0 0 0 4.5 11zM8 13h4v4H8z"
            }
            Self::Into => "M9 2h2v7h3.5L10 13.5 5.5 9H9zM8 15h4v4H8z",
            Self::Out => "M9 12h2V6h3.5L10 1.5 5.5 6H9zM8 14h4v4H8z",
            Self::End => "M14 4h2v12h-2zM4 4v12l8.5-6z",
            Self::Run => "M3 4v12l7-6zM10 4v12l7-6z",
            Self::Pause => "M5 4h3.5v12H5zM11.5 4H15v12h-3.5z",
            Self::Reset => {
                "M10 3.5a6.5 6.5 0 1 1-6.3 4.9l1.95.5A4.5 4.5 0 1 0 10 5.5V8L5.5 4.5 10 1z"
            }
            Self::Embed => {
                "M7 4.6L8.4 6 4.4 10l4 4L7 15.4 1.6 10zM13 4.6L11.6 6l4 4-4 4 1.4 1.4 5.4-5.4z"
            }
            Self::Menu => "M3 4.5h14v2H3zM3 9h14v2H3zM3 13.5h14v2H3z",
            Self::More => {
                "M4 8.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zm6 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zm6 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z"
            }
            Self::Share => {
                "M10 1l4.5 4.5-1.4 1.4L11 4.8V12H9V4.8L6.9 6.9 5.5 5.5zM3 8h3.5v2H5v7h10v-7h-1.5V8H17v11H3z"
            }
            Self::Guide => "M2 4h7l1 1 1-1h7v12h-7l-1 1-1-1H2zM4 6v8h5V6zM11 6v8h5V6z",
            Self::Theme => "M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 2v12a6 6 0 0 1 0-12z",
        }
    }
}

/// Icon in the current text colour.
pub(crate) fn icon(shape: IconShape) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d={shape.path()} fill-rule="evenodd" />
        </svg>
    }
}
