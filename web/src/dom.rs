//! Elements of the page, made by calls: `html!` writes out the making of every
//! element where it stands, some 400 bytes of wasm each; here it stands once.
//!
//! ```ignore
//! el!("button", "class" = "button", "title" = title)
//!     .on(On::Click, callback)
//!     .put("Theme")
//! ```

use std::any::Any;
use std::rc::Rc;
use web_sys::wasm_bindgen::JsValue;
use yew::prelude::*;
use yew::virtual_dom::{
    AttributeOrProperty, Attributes, Key, Listener, ListenerKind, VComp, VList, VNode, VTag, VText,
};

/// An element of a name with attributes, in the order in which they are
/// written; a value that is `None` leaves its attribute out.
macro_rules! el {
    ($tag:literal $(, $name:literal = $value:expr)* $(,)?) => {
        $crate::dom::El::new($tag, &[$($name),*])$(.with($value))*
    };
}
pub(crate) use el;

/// An element in the making. In a box, so that it is handed on as one word.
pub(crate) struct El(Box<Parts>);

struct Parts {
    tag: VTag,
    names: &'static [&'static str],
    values: Vec<Option<AttributeOrProperty>>,
    children: Vec<VNode>,
}

impl El {
    /// What [`el!`] stands for: the names of the attributes, whose values
    /// follow by [`El::with`].
    pub(crate) fn new(tag: &'static str, names: &'static [&'static str]) -> Self {
        Self(Box::new(Parts {
            tag: VTag::new(tag),
            names,
            values: Vec::with_capacity(names.len()),
            children: Vec::new(),
        }))
    }

    /// The value of the next attribute.
    pub(crate) fn with(self, value: impl Value) -> Self {
        value.give(self)
    }

    fn fixed(mut self, value: Option<&'static str>) -> Self {
        self.0.values.push(value.map(AttributeOrProperty::Static));
        self
    }

    fn made(mut self, value: Option<String>) -> Self {
        let value = value.map(|value| AttributeOrProperty::Attribute(value.into()));
        self.0.values.push(value);
        self
    }

    /// Adds a child.
    pub(crate) fn put(self, child: impl Child) -> Self {
        child.give(self)
    }

    /// Adds a child for every item.
    pub(crate) fn each<C: Child>(self, children: impl IntoIterator<Item = C>) -> Self {
        children.into_iter().fold(self, Self::put)
    }

    fn node(mut self, node: VNode) -> Self {
        self.0.children.push(node);
        self
    }

    fn text(self, text: AttrValue) -> Self {
        self.node(VNode::VText(VText { text }))
    }

    /// Listens to an event.
    pub(crate) fn on(mut self, what: On, then: Callback<Event>) -> Self {
        self.0.tag.add_listener(Rc::new(Heard { what, then }));
        self
    }

    /// Binds the element on the page to a reference.
    pub(crate) fn bind(mut self, node_ref: NodeRef) -> Self {
        self.0.tag.node_ref = node_ref;
        self
    }

    /// What stands in an input; set whenever it is drawn.
    pub(crate) fn value(mut self, value: String) -> Self {
        self.0.tag.set_value(AttrValue::from(value));
        self
    }

    /// Whether a box is ticked; set whenever it is drawn.
    pub(crate) fn checked(mut self, checked: bool) -> Self {
        self.0.tag.set_checked(checked);
        self
    }

    /// The element, made.
    pub(crate) fn html(self) -> Html {
        let parts = *self.0;
        let mut tag = parts.tag;
        tag.set_attributes(Attributes::Dynamic {
            keys: parts.names,
            values: parts.values.into_boxed_slice(),
        });
        if let Some(children) = tag.children_mut() {
            *children = list(parts.children);
        }
        tag.into()
    }
}

/// Nodes side by side.
pub(crate) fn list(nodes: Vec<Html>) -> Html {
    VNode::VList(Rc::new(VList::from(nodes)))
}

/// A part of the page that is skipped when it is handed the same as before.
pub(crate) trait Part: PartialEq + 'static {
    /// What it keeps from one drawing to the next.
    type Kept: Default + 'static;

    fn draw(&self, kept: &Self::Kept) -> Html;

    /// Comes after it was drawn, with its elements on the page.
    fn drawn(&self, _kept: &mut Self::Kept) {}
}

/// Any part. Yew's whole machinery is made anew for every type of component;
/// with this, one type stands for all parts.
trait AnyPart: Any {
    fn keep(&self) -> Box<dyn Any>;
    fn is_like(&self, other: &dyn AnyPart) -> bool;
    fn draw_with(&self, kept: &dyn Any) -> Html;
    fn drawn_with(&self, kept: &mut dyn Any);
}

impl<P: Part> AnyPart for P {
    fn keep(&self) -> Box<dyn Any> {
        Box::new(P::Kept::default())
    }

    fn is_like(&self, other: &dyn AnyPart) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }

    fn draw_with(&self, kept: &dyn Any) -> Html {
        kept.downcast_ref()
            .map_or_else(Html::default, |kept| self.draw(kept))
    }

    fn drawn_with(&self, kept: &mut dyn Any) {
        if let Some(kept) = kept.downcast_mut() {
            self.drawn(kept);
        }
    }
}

#[derive(Properties)]
struct Handed {
    part: Rc<dyn AnyPart>,
}

impl PartialEq for Handed {
    fn eq(&self, other: &Self) -> bool {
        self.part.is_like(&*other.part)
    }
}

/// The component that every part is drawn by.
struct Drawer(Box<dyn Any>);

impl Component for Drawer {
    type Message = ();
    type Properties = Handed;

    fn create(context: &Context<Self>) -> Self {
        Self(context.props().part.keep())
    }

    fn changed(&mut self, context: &Context<Self>, old: &Handed) -> bool {
        let (old, part): (&dyn Any, &dyn Any) = (&*old.part, &*context.props().part);
        // Another kind of part in its place keeps other things.
        if old.type_id() != part.type_id() {
            self.0 = context.props().part.keep();
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        context.props().part.draw_with(&*self.0)
    }

    fn rendered(&mut self, context: &Context<Self>, _first: bool) {
        context.props().part.drawn_with(&mut *self.0);
    }
}

/// A part of the page; without a key where it stands alone.
pub(crate) fn part(part: impl Part, key: Option<Key>) -> Html {
    drawn_by(Rc::new(part), key)
}

fn drawn_by(part: Rc<dyn AnyPart>, key: Option<Key>) -> Html {
    VComp::new::<Drawer>(Rc::new(Handed { part }), key).into()
}

/// What something was when it was looked at last.
pub(crate) struct Seen<T>(Option<T>);

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: PartialEq> Seen<T> {
    /// Whether it was not looked at yet.
    pub(crate) const fn is_new(&self) -> bool {
        self.0.is_none()
    }

    /// Whether it is something else now, or looked at for the first time.
    pub(crate) fn changes(&mut self, now: T) -> bool {
        let changes = self.0.as_ref() != Some(&now);
        self.0 = Some(now);
        changes
    }
}

/// What an attribute may be.
pub(crate) trait Value {
    fn give(self, to: El) -> El;
}

impl Value for &'static str {
    fn give(self, to: El) -> El {
        to.fixed(Some(self))
    }
}

impl Value for Option<&'static str> {
    fn give(self, to: El) -> El {
        to.fixed(self)
    }
}

/// A property: what a reader chose does not outlast it, as it would an
/// attribute.
impl Value for bool {
    fn give(self, mut to: El) -> El {
        let value = AttributeOrProperty::Property(JsValue::from_bool(self));
        to.0.values.push(Some(value));
        to
    }
}

impl Value for String {
    fn give(self, to: El) -> El {
        to.made(Some(self))
    }
}

impl Value for Option<String> {
    fn give(self, to: El) -> El {
        to.made(self)
    }
}

/// What may stand in an element.
pub(crate) trait Child {
    fn give(self, to: El) -> El;
}

impl Child for &'static str {
    fn give(self, to: El) -> El {
        to.text(AttrValue::Static(self))
    }
}

impl Child for String {
    fn give(self, to: El) -> El {
        to.text(self.into())
    }
}

impl Child for AttrValue {
    fn give(self, to: El) -> El {
        to.text(self)
    }
}

impl Child for Html {
    fn give(self, to: El) -> El {
        to.node(self)
    }
}

impl Child for El {
    fn give(self, to: El) -> El {
        to.node(self.html())
    }
}

/// Nothing keeps its place, so that what follows is not taken for it.
impl<C: Child> Child for Option<C> {
    fn give(self, to: El) -> El {
        match self {
            Some(child) => child.give(to),
            None => to.node(VNode::default()),
        }
    }
}

/// The events that the page listens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    Change,
    Click,
    Input,
    KeyDown,
    PointerCancel,
    PointerDown,
    PointerMove,
    PointerUp,
    Scroll,
    Submit,
}

/// One listener for all of them.
struct Heard {
    what: On,
    then: Callback<Event>,
}

impl Listener for Heard {
    fn kind(&self) -> ListenerKind {
        match self.what {
            On::Change => ListenerKind::onchange,
            On::Click => ListenerKind::onclick,
            On::Input => ListenerKind::oninput,
            On::KeyDown => ListenerKind::onkeydown,
            On::PointerCancel => ListenerKind::onpointercancel,
            On::PointerDown => ListenerKind::onpointerdown,
            On::PointerMove => ListenerKind::onpointermove,
            On::PointerUp => ListenerKind::onpointerup,
            On::Scroll => ListenerKind::onscroll,
            On::Submit => ListenerKind::onsubmit,
        }
    }

    fn handle(&self, event: Event) {
        self.then.emit(event);
    }

    fn passive(&self) -> bool {
        self.what == On::Scroll
    }
}
