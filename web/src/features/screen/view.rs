//! Boxes of the areas, their tabs, and dividers.

use super::{Area, COMPACT, DialogKind, Divider, DrawerTab, Screen, ScreenAction, TabScope};
use crate::components::dialog::Dialog;
use crate::components::guard::use_guard;
use crate::components::media::{matches_media, on_media_change};
use crate::components::resize::ResizeListener;
use crate::components::tabs::{TabItem, tab_list};
use crate::dom::{focus, has_modifier};
use crate::features::program::{EditorAction, PROGRAM_TEXT_ID};
use crate::features::transport::STEP_BUTTON_ID;
use crate::store::{Action, State, on_click};
use lanewise_core::isa::LaunchWords;
use web_sys::Element;
use yew::prelude::*;

/// Whether the window shows one area at a time.
pub(crate) fn is_compact() -> bool {
    matches_media(COMPACT)
}

/// Reports changes between one area and all areas.
#[hook]
pub(crate) fn use_compact(known: bool, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_guard((), move |()| {
        let report = move |is_compact| {
            dispatch.emit(Action::Screen(ScreenAction::Compact(is_compact)));
        };
        // The window may have been resized since the state was created.
        if is_compact() != known {
            report(!known);
        }
        on_media_change(COMPACT, report)
    });
}

/// Dialog, which exists only while it is open.
pub(crate) fn dialog(
    state: &State,
    kind: DialogKind,
    label: impl Into<AttrValue>,
    class: &'static str,
    dispatch: &Callback<Action>,
    contents: impl FnOnce() -> Html,
) -> Html {
    if state.screen.dialog != Some(kind) {
        return Html::default();
    }
    let on_close = dispatch.reform(|()| Action::Screen(ScreenAction::CloseDialog));
    html! {
        <Dialog {on_close} label={label.into()} {class} next={STEP_BUTTON_ID}>{ contents() }</Dialog>
    }
}

/// Title of a dialog, further buttons, and one that closes it.
pub(crate) fn dialog_head(title: &str, tools: Html, dispatch: &Callback<Action>) -> Html {
    let close = on_click(dispatch, ScreenAction::CloseDialog);
    html! {
        <div class="pane-head">
            <h2>{ title }</h2>
            <div class="wrapping pane-tools">
                { tools }
                <button class="button quiet" onclick={close}>{ "Close" }</button>
            </div>
        </div>
    }
}

/// Area tabs of a narrow window.
pub(crate) fn area_tabs(shown: Area, dispatch: &Callback<Action>) -> Html {
    let tabs = Area::ALL.map(|area| TabItem {
        value: area,
        id: area.tab_id().into(),
        label: area.label().into(),
        short: None,
        count: None,
        is_changed: false,
        panel: area.id().into(),
    });
    let on_pick = dispatch.reform(|area| Action::Screen(ScreenAction::Show(area)));
    html! { <nav class="area-tabs">{ tab_list("Areas", &tabs, shown, &on_pick) }</nav> }
}

/// Box of an area: a tab panel if only one area is shown.
pub(crate) fn area_box(area: Area, screen: Screen, contents: Html) -> Html {
    html! {
        <div
            id={area.id()}
            class="area"
            hidden={screen.hides(area)}
            role={screen.compact.then_some("tabpanel")}
            aria-labelledby={screen.compact.then(|| area.tab_id())}
        >
            { contents }
        </div>
    }
}

/// Id of the drawer's tab panel.
pub(crate) const DRAWER_PANEL_ID: &str = "drawer-panel";

/// Tabs of the drawer. `outcomes` is empty until the outcomes are known.
pub(crate) fn drawer_tabs(
    open: DrawerTab,
    scope: TabScope,
    words: &LaunchWords,
    outcomes: Option<String>,
    problems: String,
    dispatch: &Callback<Action>,
) -> Html {
    let tabs = DrawerTab::all_for(scope).into_iter().map(|tab| TabItem {
        value: tab,
        id: tab.id().into(),
        label: tab.label_in(words).into(),
        short: None,
        count: match tab {
            DrawerTab::Outcomes => Some(outcomes.clone().unwrap_or_default().into()),
            DrawerTab::Threads => Some(scope.threads.to_string().into()),
            DrawerTab::Problems => Some(problems.clone().into()),
            _ => None,
        },
        is_changed: false,
        panel: AttrValue::Static(DRAWER_PANEL_ID),
    });
    let on_pick = dispatch.reform(|tab| Action::Screen(ScreenAction::OpenTab(tab)));
    tab_list("Details", &tabs.collect::<Vec<_>>(), open, &on_pick)
}

#[derive(Properties, PartialEq)]
pub(crate) struct DividerHandleProps {
    pub(crate) divider: Divider,
    /// User-set size in percent.
    pub(crate) size: Option<u8>,
    pub(crate) dispatch: Callback<Action>,
}

/// Arrow-key step of a divider, in percent.
const STEP_SIZE: f64 = 2.0;

/// Size of the area of a divider, in percent, if the divider is moved to the pointer: Program
/// grows to the right, the others to the left and upwards.
fn size_at(divider: Divider, handle: &Element, pointer: &PointerEvent) -> Option<f64> {
    let bounds = handle.parent_element()?.get_bounding_client_rect();
    let (x, y) = (f64::from(pointer.client_x()), f64::from(pointer.client_y()));
    Some(match divider {
        Divider::Program => (x - bounds.left()) * 100.0 / bounds.width().max(1.0),
        Divider::State => (bounds.right() - x) * 100.0 / bounds.width().max(1.0),
        Divider::Drawer => (bounds.bottom() - y) * 100.0 / bounds.height().max(1.0),
    })
}

/// Divider between two areas, moved by dragging or arrow keys. A double-click
/// restores the default.
#[component]
pub(crate) fn DividerHandle(props: &DividerHandleProps) -> Html {
    let divider = props.divider;
    let node = use_node_ref();
    let resize = props.dispatch.reform(move |percent: Option<f64>| {
        // Within the range of `u8`; the reducer applies the limits.
        let size = percent.map(|percent| percent.round().clamp(0.0, 100.0) as u8);
        Action::Screen(ScreenAction::Resize(divider, size))
    });
    let onpointerdown = |event: PointerEvent| {
        if event.button() == 0 {
            let handle: Element = event.target_unchecked_into();
            // A pressed pointer can be captured.
            let _ = handle.set_pointer_capture(event.pointer_id());
        }
    };
    let onpointermove = {
        let resize = resize.clone();
        move |event: PointerEvent| {
            let handle: Element = event.target_unchecked_into();
            if handle.has_pointer_capture(event.pointer_id())
                && let Some(size) = size_at(divider, &handle, &event)
            {
                resize.emit(Some(size));
            }
        }
    };
    let measured = use_state_eq(|| None::<u8>);
    let setter = measured.setter();
    use_guard(node.clone(), move |node| {
        let handle = node.cast::<Element>();
        let area = handle.and_then(|handle| match divider {
            Divider::Program => handle.previous_element_sibling(),
            Divider::State | Divider::Drawer => handle.next_element_sibling(),
        });
        area.map(|area| {
            let sized = area.clone();
            ResizeListener::new(&area, move || {
                let around = sized.parent_element().map(|around| match divider {
                    Divider::Drawer => (sized.client_height(), around.client_height()),
                    _ => (sized.client_width(), around.client_width()),
                });
                // Areas are hidden in narrow windows.
                if let Some((own, whole @ 1..)) = around {
                    let percent = (f64::from(own) * 100.0 / f64::from(whole)).round();
                    setter.set(Some(percent.clamp(0.0, 100.0) as u8));
                }
            })
        })
    });
    let (least, greatest) = divider.limits();
    let now = measured.or(props.size).unwrap_or(divider.default_size());
    let now = now.clamp(least, greatest);
    let onkeydown = {
        let resize = resize.clone();
        Callback::from(move |event: KeyboardEvent| {
            if has_modifier(&event) {
                return;
            }
            let (less, more) = match divider {
                Divider::Program => ("ArrowLeft", "ArrowRight"),
                Divider::State => ("ArrowRight", "ArrowLeft"),
                Divider::Drawer => ("ArrowDown", "ArrowUp"),
            };
            let size = match event.key().as_str() {
                key if key == less => Some(f64::from(now) - STEP_SIZE),
                key if key == more => Some(f64::from(now) + STEP_SIZE),
                "Home" => Some(f64::from(least)),
                "End" => Some(f64::from(greatest)),
                "Enter" => None,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            resize.emit(size);
        })
    };
    html! {
        <div
            ref={node}
            class="divider"
            role="separator"
            tabindex="0"
            data-divider={divider.key()}
            aria-label={divider.label()}
            aria-orientation={match divider {
                Divider::Drawer => "horizontal",
                Divider::Program | Divider::State => "vertical",
            }}
            aria-valuemin={least.to_string()}
            aria-valuemax={greatest.to_string()}
            aria-valuenow={now.to_string()}
            title="Drag, or use the arrow keys. Double-click to reset."
            {onpointerdown}
            {onpointermove}
            {onkeydown}
            ondblclick={resize.reform(|_: MouseEvent| None)}
        />
    }
}

/// Skip links, visible on focus.
pub(crate) fn skip_links(dispatch: &Callback<Action>) -> Html {
    // The scenario owns the URL fragment, so these links must not change it.
    let dispatch = dispatch.clone();
    let to_program = Callback::from(move |event: MouseEvent| {
        event.prevent_default();
        dispatch.emit(Action::Editor(EditorAction::Focus));
    });
    let to_step = Callback::from(|event: MouseEvent| {
        event.prevent_default();
        focus(STEP_BUTTON_ID);
    });
    html! {
        <nav aria-label="Skip">
            <a class="skip" href={format!("#{PROGRAM_TEXT_ID}")} onclick={to_program}>{ "Skip to program" }</a>
            <a class="skip" href={format!("#{STEP_BUTTON_ID}")} onclick={to_step}>{ "Skip to Step" }</a>
        </nav>
    }
}
