//! Standalone export of the stage: SVG with inlined styles, and PNG.

use super::svg::{Face, fit, px, text_width};
use crate::features::screen::Area;
use gloo_file::{Blob, ObjectUrl};
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::{Function, Promise};
use web_sys::wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    CanvasRenderingContext2d, CssStyleDeclaration, Element, HtmlCanvasElement, HtmlImageElement,
    Window, XmlSerializer,
};

/// CSS properties that SVG supports as attributes.
const PROPERTIES: [&str; 12] = [
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-opacity",
    "opacity",
    "paint-order",
    "font-family",
    "font-size",
    "font-weight",
];

/// Initial values of these properties.
const INITIAL: [(&str, &str); 10] = [
    ("fill", "rgb(0, 0, 0)"),
    ("fill-opacity", "1"),
    ("stroke", "none"),
    ("stroke-width", "1px"),
    ("stroke-dasharray", "none"),
    ("stroke-linecap", "butt"),
    ("stroke-opacity", "1"),
    ("opacity", "1"),
    ("paint-order", "normal"),
    ("font-weight", "400"),
];

/// PNG pixels per CSS pixel.
const PNG_SCALE: f64 = 2.0;

/// Caption of an exported picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caption {
    /// Title of the program.
    pub(crate) title: String,
    /// `dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0`.
    pub(crate) instruction: String,
    /// `Step 5 of 16`.
    pub(crate) step: String,
    /// Effect of the step, and further contents of the picture.
    pub(crate) sentence: String,
}

/// Standalone picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    /// Text of the SVG file.
    pub(crate) svg: String,
    /// Size in CSS pixels.
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Picture currently shown in the stage, with a caption: the title above, the
/// rest below, and all of it as the accessible title and description.
///
/// # Errors
///
/// A sentence, if the page has no stage.
pub(crate) fn picture(caption: &Caption) -> Result<Picture, String> {
    let window = web_sys::window().expect("the page has a window");
    let document = window.document().expect("the page has a document");
    let stage = document
        .query_selector(&format!("#{} svg.stage-svg", Area::Stage.id()))
        .ok()
        .flatten()
        .ok_or("the stage is not on the page.")?;
    // Final positions, independent of running transitions.
    let was_still = stage.has_attribute("data-still");
    let set = |name: &str, value: &str| {
        let set = stage.set_attribute(name, value);
        set.expect("the attribute name is valid");
    };
    set("data-still", "");
    let copied = copy(&window, &stage);
    if !was_still {
        // The attribute was set above.
        let _ = stage.remove_attribute("data-still");
    }
    let (copied, paper) = copied.ok_or("the browser could not copy the picture.")?;
    let (width, own_height) = natural_size(&copied).ok_or("the picture has no size.")?;
    let style = window.get_computed_style(&stage).ok().flatten();
    let ink = style.and_then(|style| style.get_property_value("color").ok());
    let lines = caption.lines(width, own_height, &ink.ok_or("the picture has no style.")?);
    let height = ABOVE + own_height + lines.below;
    for (name, value) in [
        ("width", px(width)),
        ("height", px(height)),
        (
            "viewBox",
            format!("0 {} {} {}", px(-ABOVE), px(width), px(height)),
        ),
    ] {
        let set = copied.set_attribute(name, &value);
        set.expect("the attribute name is valid");
    }
    let text = XmlSerializer::new()
        .and_then(|serializer| serializer.serialize_to_string(&copied))
        .map_err(|_| "the browser could not write the picture.")?;
    // After the opening tag: the accessible description and the background.
    let (tag, rest) = text.split_once('>').ok_or("the picture is empty.")?;
    let svg = format!(
        "{tag}><title>{}</title><desc>{}</desc>\
         <rect y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{paper}\"/>{}{rest}\n",
        escape(&format!("{}, {}", caption.title, caption.step)),
        escape(&format!("{}. {}", caption.instruction, caption.sentence)),
        px(-ABOVE),
        px(width),
        px(height),
        lines.svg
    );
    Ok(Picture { svg, width, height })
}

/// Height of the title line.
const ABOVE: f64 = 26.0;

/// Horizontal margin of the caption.
const ASIDE: f64 = 12.0;

/// Height of a caption line below the picture.
const LINE: f64 = 16.0;

/// Caption as SVG.
struct CaptionLines {
    svg: String,
    /// Height of the lines below the picture.
    below: f64,
}

impl Caption {
    /// Lays out the caption for a picture of this size, in a colour.
    fn lines(&self, width: f64, height: f64, ink: &str) -> CaptionLines {
        const TITLE: f64 = 14.0;
        const SMALL: f64 = 11.5;
        let mut svg = String::new();
        let mut line = |text: &str, y: f64, size: f64, face: Face, weight: u16| {
            let family = match face {
                Face::Mono => "ui-monospace, monospace",
                Face::Sans => "system-ui, sans-serif",
            };
            svg.push_str(&format!(
                "<text x=\"{}\" y=\"{}\" font-family=\"{family}\" font-size=\"{}\" \
                 font-weight=\"{weight}\" fill=\"{ink}\">{}</text>",
                px(ASIDE),
                px(y),
                px(size),
                escape(text)
            ));
        };
        let room = width - 2.0 * ASIDE;
        let title = fit(&self.title, room, TITLE, Face::Sans);
        line(&title, 17.0 - ABOVE, TITLE, Face::Sans, 700);
        let mut y = height;
        for part in wrap(&self.instruction, room, SMALL, Face::Mono) {
            y += LINE;
            line(&part, y, SMALL, Face::Mono, 400);
        }
        let step = format!("{}. {}", self.step, self.sentence);
        for part in wrap(&step, room, SMALL, Face::Sans) {
            y += LINE;
            line(&part, y, SMALL, Face::Sans, 400);
        }
        CaptionLines {
            svg,
            below: y - height + 10.0,
        }
    }
}

/// Wraps a text between words; a word wider than a line is cut.
fn wrap(text: &str, room: f64, size: f64, face: Face) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line)) if text_width(&longer, size, face) <= room => {
                *line = longer;
            }
            _ => lines.push(fit(word, room, size, face)),
        }
    }
    lines
}

/// Unscaled width and height of a picture.
fn natural_size(picture: &Element) -> Option<(f64, f64)> {
    let view_box = picture.get_attribute("viewBox")?;
    let numbers: Vec<f64> = view_box
        .split(' ')
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let [_, _, width, height] = numbers[..] else {
        return None;
    };
    Some((width, height))
}

/// Background colour of an element.
fn paper(window: &Window, element: &Element) -> Option<String> {
    let mut at = element.parent_element();
    while let Some(around) = at {
        let style = window.get_computed_style(&around).ok()??;
        let colour = style.get_property_value("background-color").ok()?;
        if colour != "rgba(0, 0, 0, 0)" {
            return Some(colour);
        }
        at = around.parent_element();
    }
    // Default canvas colour of browsers.
    Some("rgb(255, 255, 255)".to_owned())
}

/// A copy with inlined styles, and its background colour.
fn copy(window: &Window, stage: &Element) -> Option<(Element, String)> {
    let copied: Element = stage.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
    let style_of = |element: &Element| window.get_computed_style(element).ok().flatten();
    let originals = stage.query_selector_all("*").ok()?;
    let copies = copied.query_selector_all("*").ok()?;
    for index in 0..originals.length() {
        let original: Element = originals.item(index)?.dyn_into().ok()?;
        let element: Element = copies.item(index)?.dyn_into().ok()?;
        write_style(&element, &style_of(&original)?);
        strip(&element);
    }
    strip(&copied);
    copied.set_attribute("role", "img").ok()?;
    Some((copied, paper(window, stage)?))
}

/// Writes non-default styles as attributes. Groups have only a position and an
/// opacity.
fn write_style(element: &Element, style: &CssStyleDeclaration) {
    let get = |name: &str| style.get_property_value(name).unwrap_or_default();
    let set = |name: &str, value: &str| {
        let set = element.set_attribute(name, value);
        set.expect("the attribute name is valid");
    };
    let is_group = element.tag_name() == "g";
    let is_text = element.tag_name() == "text";
    for name in PROPERTIES {
        if (is_group && name != "opacity") || (name.starts_with("font") && !is_text) {
            continue;
        }
        let value = get(name);
        let is_initial = INITIAL
            .iter()
            .any(|(known, usual)| *known == name && *usual == value);
        // Attributes set by the components are equivalent.
        if !value.is_empty() && (!is_initial || element.has_attribute(name)) {
            set(name, &value);
        }
    }
    // The position written by `translate`, not that of a running transition.
    let own = element.get_attribute("style").unwrap_or_default();
    if let Some((x, y)) = translation(&own) {
        set("transform", &format!("translate({x} {y})"));
    }
}

/// Coordinates of `transform:translate(14px,36.5px)`.
fn translation(style: &str) -> Option<(&str, &str)> {
    let inner = style.split_once("translate(")?.1.split_once(')')?.0;
    let (x, y) = inner.split_once(',')?;
    Some((x.trim().strip_suffix("px")?, y.trim().strip_suffix("px")?))
}

/// Removes attributes that are useful on the page only.
fn strip(element: &Element) {
    for name in element
        .get_attribute_names()
        .iter()
        .filter_map(|n| n.as_string())
    {
        let is_ours = name.starts_with("data-") || name.starts_with("aria-");
        if is_ours || matches!(&*name, "class" | "style" | "role" | "tabindex") {
            // The attribute was just listed.
            let _ = element.remove_attribute(&name);
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Rasterises a picture.
///
/// # Errors
///
/// A sentence, if the browser cannot draw the picture.
pub(crate) async fn png(picture: &Picture) -> Result<Blob, String> {
    draw(picture)
        .await
        .map_err(|_| String::from("the browser could not draw the picture."))
}

async fn draw(picture: &Picture) -> Result<Blob, JsValue> {
    let blob = Blob::new_with_options(picture.svg.as_str(), Some("image/svg+xml"));
    let address = ObjectUrl::from(blob);
    let image = HtmlImageElement::new()?;
    image.set_src(&address);
    JsFuture::from(image.decode()).await?;
    let document = web_sys::window()
        .and_then(|window| window.document())
        .expect("the page has a document");
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    let (width, height) = (picture.width * PNG_SCALE, picture.height * PNG_SCALE);
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.dyn_into()?;
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)?;
    let drawn = Promise::new(&mut |resolve: Function, reject: Function| {
        let then = web_sys::wasm_bindgen::closure::Closure::once_into_js(move |blob: JsValue| {
            let settle = if blob.is_null() { &reject } else { &resolve };
            // The result is checked below.
            let _ = settle.call1(&JsValue::NULL, &blob);
        });
        // A canvas without foreign content can be read.
        let _ = canvas.to_blob(then.unchecked_ref());
    });
    let drawn: web_sys::Blob = JsFuture::from(drawn).await?.dyn_into()?;
    Ok(drawn.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_wrap_between_words() {
        let text = "dpasw.s8.s8.8.8 (M1, 8) V32.0 V33.0 V34.0 V35(0,0)";
        let wrapped = |room| wrap(text, room, 10.0, Face::Mono);
        assert_eq!(wrapped(400.0), [text]);
        let lines = wrapped(160.0);
        assert_eq!(lines[0], "dpasw.s8.s8.8.8 (M1, 8)");
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrapped(70.0)[0], "dpasw.s8.s…");
    }

    #[test]
    fn translation_round_trips() {
        let style = super::super::svg::translate(super::super::svg::Point::new(14.0, 36.5));
        assert_eq!(translation(&style), Some(("14", "36.5")));
        assert_eq!(translation("margin-top:4px"), None);
        assert_eq!(escape("a < b & c"), "a &lt; b &amp; c");
    }
}
