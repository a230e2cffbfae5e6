//! Explanations of instructions, fetched on first use.

use lanewise_answer::explanation::Explanation;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::prelude::*;

/// Loading state of an explanation.
#[derive(Clone, PartialEq)]
pub(super) enum Fetched {
    Loading,
    Loaded(Rc<Explanation>),
    /// Error message.
    Failed(Rc<str>),
}

/// Requested explanations, by instruction.
#[derive(Clone, Default, PartialEq)]
struct Explanations(BTreeMap<&'static str, Fetched>);

impl Reducible for Explanations {
    type Action = (&'static str, Fetched);

    fn reduce(self: Rc<Self>, (name, fetched): Self::Action) -> Rc<Self> {
        let mut all = Self::clone(&self);
        all.0.insert(name, fetched);
        Rc::new(all)
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct ExplanationProviderProps {
    pub(crate) children: Html,
}

/// Caches explanations while panes open and close.
#[component]
pub(crate) fn ExplanationProvider(props: &ExplanationProviderProps) -> Html {
    let explanations = use_reducer(Explanations::default);
    html! {
        <ContextProvider<UseReducerHandle<Explanations>> context={explanations}>
            { props.children.clone() }
        </ContextProvider<UseReducerHandle<Explanations>>>
    }
}

/// Returns the explanation of an instruction, and a callback that retries a
/// failed fetch.
///
/// # Panics
///
/// Outside an [`ExplanationProvider`].
#[hook]
pub(super) fn use_explanation(name: &'static str) -> (Fetched, Callback<()>) {
    let explanations: UseReducerHandle<Explanations> =
        use_context().expect("App provides the explanations to the whole page");
    let load = {
        let dispatcher = explanations.dispatcher();
        use_callback(name, move |(), name| {
            let (dispatcher, name) = (dispatcher.clone(), *name);
            dispatcher.dispatch((name, Fetched::Loading));
            spawn_local(async move {
                dispatcher.dispatch((
                    name,
                    match fetch(name).await {
                        Ok(explanation) => Fetched::Loaded(Rc::new(explanation)),
                        Err(error) => Fetched::Failed(error.to_string().into()),
                    },
                ));
            });
        })
    };
    let fetched = explanations.0.get(name).cloned();
    {
        let load = load.clone();
        use_effect_with((name, fetched.is_none()), move |(_, is_missing)| {
            if *is_missing {
                load.emit(());
            }
        });
    }
    (fetched.unwrap_or(Fetched::Loading), load)
}

async fn fetch(name: &str) -> Result<Explanation, gloo_net::Error> {
    let path = format!("explain/{}.json", name.to_ascii_lowercase());
    crate::fetch::fetch(&path).await?.json().await
}
