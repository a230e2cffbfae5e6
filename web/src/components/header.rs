use super::icon::Icon;
use super::{help, send};
use crate::dom::{El, On, Part, el};
use crate::state::picker::{Listed, PickerAction};
use crate::state::share::{EmbedChoice, ShareAction};
use crate::state::{Action, Theme};
use yew::prelude::*;

/// The name, the scenarios, the theme, help.
#[derive(PartialEq)]
pub(crate) struct Header {
    /// The title of the scenario that was picked.
    pub(crate) scenario: &'static str,
    /// Whether its text was edited since.
    pub(crate) edited: bool,
    pub(crate) theme: Theme,
    pub(crate) help: NodeRef,
    pub(crate) act: Callback<Action>,
}

impl Part for Header {
    type Kept = ();

    fn draw(&self, (): &()) -> Html {
        let next = format!(
            "Now {}. Press for {}.",
            self.theme.name(),
            self.theme.next().name()
        );
        let theme = el!("button", "class" = "button quiet", "title" = next)
            .on(On::Click, send(&self.act, Action::Theme))
            .put(Icon::Theme.draw())
            .put(el!("span", "class" = "wide-only").put("Theme"));
        let make = Action::Share(ShareAction::Make);
        let share = el!("button", "class" = "button quiet")
            .on(On::Click, send(&self.act, make))
            .put(Icon::Share.draw())
            .put(el!("span", "class" = "wide-only").put("Share"));
        let open = Action::Share(ShareAction::Embed(EmbedChoice::Open));
        let embed = el!("button", "class" = "button quiet")
            .on(On::Click, send(&self.act, open))
            .put(Icon::Embed.draw())
            .put(el!("span", "class" = "wide-only").put("Embed"));
        let guide = el!("a", "class" = "button quiet", "href" = "./guide/")
            .put(Icon::Guide.draw())
            .put(el!("span", "class" = "wide-only").put("Guide"));
        // In a row; where that is too narrow, in a menu.
        let menu = el!(
            "button",
            "class" = "button quiet menu-button",
            "popovertarget" = "header-menu",
            "aria-label" = "Menu"
        )
        .put(Icon::Menu.draw());
        let end = el!(
            "div",
            "id" = "header-menu",
            "class" = "header-end",
            "popover" = "auto"
        )
        .put(share)
        .put(embed)
        .put(guide)
        .put(theme)
        .put(help::button(&self.help));
        el!("header", "class" = "header")
            .put(el!("h1", "class" = "brand").put(mark()).put("Lanewise"))
            .put(self.choosers())
            .put(menu)
            .put(end)
            .html()
    }

    fn drawn(&self, (): &mut ()) {
        apply_theme(self.theme);
    }
}

impl Header {
    fn choosers(&self) -> El {
        let open = |listed| send(&self.act, Action::Picker(PickerAction::Open(listed)));
        let scenarios = el!(
            "button",
            "class" = "button chooser",
            "aria-haspopup" = "dialog"
        )
        .on(On::Click, open(Listed::Scenarios))
        .put(el!("span", "class" = "label wide-only").put("Scenarios "))
        .put(el!("span", "class" = "chosen").put(self.scenario))
        .put(
            self.edited
                .then(|| el!("span", "class" = "edited").put(" edited")),
        );
        let instructions = el!(
            "button",
            "class" = "button chooser instructions",
            "aria-haspopup" = "dialog"
        )
        .on(On::Click, open(Listed::Instructions))
        .put("Instructions");
        el!("div", "class" = "choosers")
            .put(scenarios)
            .put(instructions)
    }
}

fn mark() -> El {
    const LANES: &str = "M5.5 5h7a2.5 2.5 0 0 1 0 5h-7a2.5 2.5 0 0 1 0-5zm7 8.5h14a2.5 2.5 0 0 1 0 5h-14a2.5 2.5 0 0 1 0-5zm-7 8.5h10a2.5 2.5 0 0 1 0 5h-10a2.5 2.5 0 0 1 0-5z";
    el!(
        "svg",
        "class" = "brand-mark",
        "viewBox" = "0 0 32 32",
        "aria-hidden" = "true"
    )
    .put(el!("path", "d" = LANES))
}

fn apply_theme(theme: Theme) {
    let document = web_sys::window().and_then(|window| window.document());
    let Some(root) = document.and_then(|document| document.document_element()) else {
        return;
    };
    // An element takes any name and value that are set here.
    let _ = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        theme => root.set_attribute("data-theme", theme.name()),
    };
}
