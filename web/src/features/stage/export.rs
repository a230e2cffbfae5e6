//! The stage as a picture that stands by itself: SVG with its colours written
//! out, which every program reads, and PNG.

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

/// What style sheets may set, and SVG knows as attributes.
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

/// Their values where nothing sets them.
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

/// Pixels of a PNG for each of the page.
const PNG_SCALE: f64 = 2.0;

/// What is said of a picture that is looked at without the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caption {
    /// Of the program.
    pub(crate) title: String,
    /// `dword_atomic.inc (M1, 16) %slm V32.0 %null.0 %null.0 V33.0`.
    pub(crate) instruction: String,
    /// `Step 5 of 16`.
    pub(crate) step: String,
    /// What that step did, and what else the picture shows.
    pub(crate) sentence: String,
}

/// A picture that stands by itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    /// The text of the SVG file.
    pub(crate) svg: String,
    /// Its size in CSS pixels.
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// The picture that the stage shows now, with its caption: the title above it,
/// the rest below it, and all of it as title and description for those who do
/// not see it.
///
/// # Errors
/// A sentence, when there is no stage on the page.
pub(crate) fn picture(caption: &Caption) -> Result<Picture, String> {
    let window = web_sys::window().expect("the page has a window");
    let document = window.document().expect("the page has a document");
    let stage = document
        .query_selector(&format!("#{} svg.stage-svg", Area::Stage.id()))
        .ok()
        .flatten()
        .ok_or("there is no picture on the page.")?;
    // Where it would be in the end, not where a motion has got to.
    let was_still = stage.has_attribute("data-still");
    let set = |name: &str, value: &str| {
        let set = stage.set_attribute(name, value);
        set.expect("the name is one of an attribute");
    };
    set("data-still", "");
    let copied = copy(&window, &stage);
    if !was_still {
        // It is there: it was set above.
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
        set.expect("the name is one of an attribute");
    }
    let text = XmlSerializer::new()
        .and_then(|serializer| serializer.serialize_to_string(&copied))
        .map_err(|_| "the browser could not write the picture.")?;
    // After the opening tag: what it is, and what it lies on.
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

/// Room for the title above a picture.
const ABOVE: f64 = 26.0;

/// Between the picture's sides and its caption.
const ASIDE: f64 = 12.0;

/// Room for a line below a picture.
const LINE: f64 = 16.0;

/// The caption as SVG.
struct CaptionLines {
    svg: String,
    /// The height of what is below the picture.
    below: f64,
}

impl Caption {
    /// Set for a picture of this width and height, in a colour.
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

/// A text in lines that have the room, broken between words; a word that is
/// too long is cut.
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

/// The width and height of a picture where it is not scaled.
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

/// The colour that an element lies on.
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
    // No element has a colour: what a browser shows then.
    Some("rgb(255, 255, 255)".to_owned())
}

/// A copy with all styles written out, and the colour it lies on.
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

/// Writes styles that are not the usual ones as attributes. Groups have none
/// of their own but where they are and how opaque.
fn write_style(element: &Element, style: &CssStyleDeclaration) {
    let get = |name: &str| style.get_property_value(name).unwrap_or_default();
    let set = |name: &str, value: &str| {
        let set = element.set_attribute(name, value);
        set.expect("the name is one of an attribute");
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
        // Attributes that the parts set themselves are as good.
        if !value.is_empty() && (!is_initial || element.has_attribute(name)) {
            set(name, &value);
        }
    }
    // As `translate` wrote it: where the part ends up, not where a motion is.
    let own = element.get_attribute("style").unwrap_or_default();
    if let Some((x, y)) = translation(&own) {
        set("transform", &format!("translate({x} {y})"));
    }
}

/// The numbers of `transform:translate(14px,36.5px)`.
fn translation(style: &str) -> Option<(&str, &str)> {
    let inner = style.split_once("translate(")?.1.split_once(')')?.0;
    let (x, y) = inner.split_once(',')?;
    Some((x.trim().strip_suffix("px")?, y.trim().strip_suffix("px")?))
}

/// Takes away what is of use on the page only.
fn strip(element: &Element) {
    for name in element
        .get_attribute_names()
        .iter()
        .filter_map(|n| n.as_string())
    {
        let is_ours = name.starts_with("data-") || name.starts_with("aria-");
        if is_ours || matches!(&*name, "class" | "style" | "role" | "tabindex") {
            // It is there: it was just listed.
            let _ = element.remove_attribute(&name);
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A picture in pixels, two for each of the page.
///
/// # Errors
/// A sentence, when the browser cannot draw it.
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
            // What it settles with is looked at below.
            let _ = settle.call1(&JsValue::NULL, &blob);
        });
        // A canvas of this page can be read.
        let _ = canvas.to_blob(then.unchecked_ref());
    });
    let drawn: web_sys::Blob = JsFuture::from(drawn).await?.dyn_into()?;
    Ok(drawn.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_break_between_words() {
        let text = "dpasw.s8.s8.8.8 (M1, 8) V32.0 V33.0 V34.0 V35(0,0)";
        let wrapped = |room| wrap(text, room, 10.0, Face::Mono);
        assert_eq!(wrapped(400.0), [text]);
        let lines = wrapped(160.0);
        assert_eq!(lines[0], "dpasw.s8.s8.8.8 (M1, 8)");
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrapped(70.0)[0], "dpasw.s8.s…");
    }

    #[test]
    fn a_motion_is_read_back() {
        let style = super::super::svg::translate(super::super::svg::Point::new(14.0, 36.5));
        assert_eq!(translation(&style), Some(("14", "36.5")));
        assert_eq!(translation("margin-top:4px"), None);
        assert_eq!(escape("a < b & c"), "a &lt; b &amp; c");
    }
}
