//! Explanations of instructions, fetched on first use.

use lanewise_answer::explanation::{Explanation, file_of};
use lanewise_core::isa::Spec;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::prelude::*;

type File = BTreeMap<String, Explanation>;

/// Loading state of a file of explanations.
#[derive(Clone, PartialEq)]
pub(super) enum Fetched {
    Loading,
    Loaded(Rc<File>),
    /// Error message.
    Failed(Rc<str>),
}

thread_local! {
    /// Loaded files by name, kept while panes open and close.
    static FILES: RefCell<BTreeMap<String, Rc<File>>> = RefCell::default();
}

fn loaded(file: &str) -> Option<Rc<File>> {
    FILES.with_borrow(|files| files.get(file).cloned())
}

/// Returns the file with the explanation of an instruction, and a callback that
/// retries a failed fetch. The component is mounted for one instruction.
#[hook]
pub(super) fn use_explanation(spec: &'static Spec) -> (Fetched, Callback<()>) {
    let file = use_memo((), |()| file_of(spec));
    let fetched = use_state(|| loaded(&file).map_or(Fetched::Loading, Fetched::Loaded));
    let load = {
        let (file, setter) = (Rc::clone(&file), fetched.setter());
        Callback::from(move |()| {
            let (file, setter) = (Rc::clone(&file), setter.clone());
            setter.set(Fetched::Loading);
            spawn_local(async move {
                setter.set(match fetch(&file).await {
                    Ok(explanations) => {
                        let explanations = Rc::new(explanations);
                        FILES.with_borrow_mut(|files| {
                            files.insert(String::from(&*file), Rc::clone(&explanations))
                        });
                        Fetched::Loaded(explanations)
                    }
                    Err(error) => Fetched::Failed(error.to_string().into()),
                });
            });
        })
    };
    {
        let load = load.clone();
        use_effect_with((), move |()| {
            if loaded(&file).is_none() {
                load.emit(());
            }
        });
    }
    ((*fetched).clone(), load)
}

async fn fetch(file: &str) -> Result<File, gloo_net::Error> {
    let path = format!("explain/{file}");
    crate::fetch::fetch(&path).await?.json().await
}
