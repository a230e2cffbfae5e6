use yew::prelude::*;

/// Outline of an icon in a 20 × 20 view box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IconShape(&'static str);

impl IconShape {
    pub(crate) const START: Self = Self("M4 4h2v12H4zM16 4v12l-8.5-6z");
    pub(crate) const BACK: Self = Self("M14 4v12L5 10z");
    pub(crate) const STEP: Self = Self("M6 4v12l9-6z");
    pub(crate) const OVER: Self =
        Self("M2.5 11a7.5 6 0 0 1 13.2-3.9L17.5 5v6h-6l2.5-2.4A5.5 4 0 0 0 4.5 11zM8 13h4v4H8z");
    pub(crate) const INTO: Self = Self("M9 2h2v7h3.5L10 13.5 5.5 9H9zM8 15h4v4H8z");
    pub(crate) const OUT: Self = Self("M9 12h2V6h3.5L10 1.5 5.5 6H9zM8 14h4v4H8z");
    pub(crate) const END: Self = Self("M14 4h2v12h-2zM4 4v12l8.5-6z");
    pub(crate) const RUN: Self = Self("M3 4v12l7-6zM10 4v12l7-6z");
    pub(crate) const PAUSE: Self = Self("M5 4h3.5v12H5zM11.5 4H15v12h-3.5z");
    pub(crate) const RESET: Self =
        Self("M10 3.5a6.5 6.5 0 1 1-6.3 4.9l1.95.5A4.5 4.5 0 1 0 10 5.5V8L5.5 4.5 10 1z");
    pub(crate) const THEME: Self =
        Self("M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 2v12a6 6 0 0 1 0-12z");
    pub(crate) const MENU: Self = Self("M3 4.5h14v2H3zM3 9h14v2H3zM3 13.5h14v2H3z");
    pub(crate) const MORE: Self = Self(
        "M4 8.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zm6 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zm6 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z",
    );
    pub(crate) const SHARE: Self = Self(
        "M10 1l4.5 4.5-1.4 1.4L11 4.8V12H9V4.8L6.9 6.9 5.5 5.5zM3 8h3.5v2H5v7h10v-7h-1.5V8H17v11H3z",
    );
    pub(crate) const EMBED: Self =
        Self("M7 4.6L8.4 6 4.4 10l4 4L7 15.4 1.6 10zM13 4.6L11.6 6l4 4-4 4 1.4 1.4 5.4-5.4z");
    pub(crate) const GUIDE: Self =
        Self("M2 4h7l1 1 1-1h7v12h-7l-1 1-1-1H2zM4 6v8h5V6zM11 6v8h5V6z");
}

/// Icon in the current text colour.
pub(crate) fn icon(IconShape(path): IconShape) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d={path} fill-rule="evenodd" />
        </svg>
    }
}
