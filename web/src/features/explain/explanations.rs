//! Explanations of instructions, fetched on first use.

use lanewise_answer::explanation::{Explanation, file_of};
use lanewise_core::isa::Spec;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::prelude::*;

/// Explanations in a file, by instruction.
type File = BTreeMap<String, Explanation>;

/// Loading state of a file of explanations.
#[derive(Clone, PartialEq)]
pub(super) enum Fetched {
    Loading,
    Loaded(Rc<File>),
    /// Error message.
    Failed(Rc<str>),
}

/// Requested files, by name.
#[derive(Clone, Default, PartialEq)]
struct Explanations(BTreeMap<String, Fetched>);

impl Reducible for Explanations {
    type Action = (String, Fetched);

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

/// Returns the file with the explanation of an instruction, and a callback that
/// retries a failed fetch.
///
/// # Panics
///
/// Outside an [`ExplanationProvider`].
#[hook]
pub(super) fn use_explanation(spec: &'static Spec) -> (Fetched, Callback<()>) {
    let explanations: UseReducerHandle<Explanations> =
        use_context().expect("App provides the explanations to the whole page");
    let file = file_of(spec);
    let load = {
        let dispatcher = explanations.dispatcher();
        use_callback(file.clone(), move |(), file| {
            let (dispatcher, file) = (dispatcher.clone(), file.clone());
            dispatcher.dispatch((file.clone(), Fetched::Loading));
            spawn_local(async move {
                let fetched = match fetch(&file).await {
                    Ok(explanations) => Fetched::Loaded(Rc::new(explanations)),
                    Err(error) => Fetched::Failed(error.to_string().into()),
                };
                dispatcher.dispatch((file, fetched));
            });
        })
    };
    let fetched = explanations.0.get(&file).cloned();
    {
        let load = load.clone();
        use_effect_with((file, fetched.is_none()), move |(_, is_missing)| {
            if *is_missing {
                load.emit(());
            }
        });
    }
    (fetched.unwrap_or(Fetched::Loading), load)
}

async fn fetch(file: &str) -> Result<File, gloo_net::Error> {
    let path = format!("explain/{file}");
    crate::fetch::fetch(&path).await?.json().await
}
