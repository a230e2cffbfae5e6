//! Tabs Work-items and Variables.

use super::ItemsAction;
use super::reducer::{acting_item, find_item};
use crate::components::table;
use crate::dom::value_of;
use crate::features::program::Document;
use crate::features::stage::use_reveal;
use crate::store::{Action, Slice, on_click};
use lanewise_answer::launch::{
    ArgumentRow, Definition, ItemRow, VariableRow, WorkItems, arguments, definitions, variables,
};
use lanewise_core::ide::LaunchForm;
use lanewise_core::program::ItemPlace;
use lanewise_core::session::Session;
use lanewise_core::text::capitalized;
use std::rc::Rc;
use yew::prelude::*;

/// The variables that the program writes, found once for a program.
#[hook]
fn use_definitions(document: &Document) -> Rc<Vec<Definition>> {
    use_memo(document.clone(), |document| definitions(&document.program))
}

/// Text field, followed by what is wrong with it; `id` is that of the message.
fn field(
    id: &'static str,
    name: String,
    example: &'static str,
    value: &str,
    wrong: Option<String>,
    on_change: Callback<Rc<str>>,
) -> Html {
    let onchange = on_change.reform(|event: Event| Rc::from(value_of(&event)));
    html! {
        <>
            <label class="field">
                { name }
                // Unlike `value`, it does not replace what is being typed when the page renders.
                <input
                    type="text"
                    size="18"
                    maxlength="200"
                    placeholder={format!("such as {example}")}
                    aria-invalid={wrong.is_some().then_some("true")}
                    aria-describedby={wrong.is_some().then_some(id)}
                    ~defaultValue={value}
                    {onchange}
                />
            </label>
            <span {id} class="error" role="alert">{ wrong }</span>
        </>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct WorkItemsPaneProps {
    pub(crate) session: Slice<Session>,
    pub(crate) document: Document,
    pub(crate) thread: u8,
    /// The chosen work-item, by its channel.
    pub(crate) chosen: Option<u8>,
    /// Variables that the table shows, as written.
    pub(crate) columns: Rc<str>,
    pub(crate) dispatch: Callback<Action>,
}

/// Work-items of a thread: where they are, and some of their variables.
#[component]
pub(crate) fn WorkItemsPane(props: &WorkItemsPaneProps) -> Html {
    let WorkItemsPaneProps {
        session,
        document,
        thread,
        chosen,
        columns,
        dispatch,
    } = props;
    let definitions = use_definitions(document);
    let names = columns.split([',', ' ']).filter(|name| !name.is_empty());
    let names: Vec<&str> = names.collect();
    let items = WorkItems::of(session, *thread, &definitions, &names);
    let table = use_node_ref();
    let launch = session.program().launch.as_ref();
    let acting = acting_item(session).filter(|(own, _)| own == thread);
    let acting = acting.map(|(_, channel)| channel);
    let item = chosen.or(acting);
    let item = item.map(|channel| (launch.map(|launch| launch.group), *thread, channel));
    // The chosen work-item is revealed last.
    use_reveal(
        table.clone(),
        item,
        &["tr[aria-current=step]", "tr[aria-current=true]"],
    );
    // What is wrong with the ID in the field.
    let wrong_id = use_state_eq(|| None);
    let go = {
        let (document, dispatch, wrong_id) =
            (document.clone(), dispatch.clone(), wrong_id.setter());
        Callback::from(move |text: Rc<str>| {
            let launch = document.program.launch.as_ref();
            let found = launch.map(|launch| find_item(launch, &text));
            let found = found.transpose();
            wrong_id.set(found.as_ref().err().cloned());
            if let Ok(Some(place)) = found {
                dispatch.emit(Action::Items(ItemsAction::Go(place)));
            }
        })
    };
    let unknown = (!items.unknown.is_empty()).then(|| {
        let names = items.unknown.join(", ");
        format!("Not a variable that the kernel writes: {names}")
    });
    let program = session.program();
    let words = program.words();
    let item = capitalized(words.item);
    let launch = program.launch.as_ref();
    let place = launch.map(|launch| {
        let group = launch.group;
        format!("{} {group}, {} {thread}", words.group, words.thread)
    });
    let row = |row: &ItemRow| {
        let is_chosen = *chosen == Some(row.channel);
        let current = match (is_chosen, acting == Some(row.channel)) {
            (true, _) => Some("true"),
            (false, true) => Some("step"),
            (false, false) => None,
        };
        let choose = on_click(dispatch, ItemsAction::Choose(row.channel));
        let cells = row.cells.iter().map(|cell| match cell {
            Some(cell) => html! {
                <td data-changed={cell.is_changed.then_some("")}>{ &cell.text }</td>
            },
            None => html! { <td>{ "–" }</td> },
        });
        html! {
            <tr
                aria-current={current}
                class={(!row.runs).then_some("off")}
            >
                <th scope="row">
                    <button
                        class="button small"
                        aria-label={format!("{item} {}", row.id)}
                        aria-pressed={is_chosen.to_string()}
                        onclick={choose}
                    >
                        { &row.id }
                    </button>
                </th>
                <td>{ row.channel }</td>
                { for cells }
                <td class="word">{ &row.state }</td>
            </tr>
        }
    };
    let mut heads = vec![
        table::numbers(capitalized(words.id)),
        table::numbers("Lane"),
    ];
    heads.extend(items.columns.iter().cloned().map(table::numbers));
    heads.push(table::words("State"));
    html! {
        <section class="items" aria-label={format!("{item}s")}>
            <div class="wrapping muted items-tools">
                { for place }
                { field(
                    "wrong-item",
                    format!("Go to {}", words.id),
                    words.id_example,
                    "",
                    (*wrong_id).clone(),
                    go,
                ) }
                { field(
                    "wrong-variables",
                    String::from("Variables"),
                    words.variables_example,
                    columns,
                    unknown,
                    dispatch.reform(|names| Action::Items(ItemsAction::Columns(names))),
                ) }
            </div>
            <div
                ref={table}
                class="scroller"
                role="group"
                aria-label={format!("{item}s table")}
                tabindex="0"
            >
                { table::table("", heads, items.rows.iter().map(row)) }
            </div>
        </section>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct VariablesPaneProps {
    pub(crate) session: Slice<Session>,
    pub(crate) document: Document,
    /// The work-item whose variables are listed: its thread and channel.
    pub(crate) thread: u8,
    pub(crate) channel: u8,
}

/// Arguments of the kernel, and the variables of the chosen work-item.
#[component]
pub(crate) fn VariablesPane(props: &VariablesPaneProps) -> Html {
    let VariablesPaneProps {
        session,
        document,
        thread,
        channel,
    } = props;
    let (thread, channel) = (*thread, *channel);
    let definitions = use_definitions(document);
    let given = use_memo(document.clone(), |document| {
        let form = LaunchForm::read(&document.text);
        form.map_or_else(Vec::new, |form| arguments(&form))
    });
    let rows = variables(session, &definitions, thread, channel);
    let launch = session.program().launch.as_ref();
    let item = launch.and_then(|launch| {
        let group = launch.group;
        let id = launch.item_id(ItemPlace {
            group,
            thread,
            channel,
        })?;
        Some(format!("{} {id}", capitalized(launch.words().item)))
    });
    let argument = |row: &ArgumentRow| table_row(&row.name, &row.ty, &row.value, false);
    let variable = |row: &VariableRow| table_row(&row.name, &row.ty, &row.value, row.is_changed);
    let table = |name: String, rows: Vec<Html>| {
        html! {
            <table class="table">
                <caption>{ name }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ "Name" }</th>
                        <th scope="col" class="word">{ "Type" }</th>
                        <th scope="col" class="word">{ "Value" }</th>
                    </tr>
                </thead>
                <tbody>{ for rows }</tbody>
            </table>
        }
    };
    html! {
        <section class="items" aria-label="Variables">
            <div class="scroller" role="group" aria-label="Variables tables" tabindex="0">
                { table(String::from("Arguments"), given.iter().map(argument).collect()) }
                { table(
                    item.unwrap_or_else(|| String::from("Variables")),
                    rows.iter().map(variable).collect(),
                ) }
                if rows.is_empty() {
                    <p class="empty">{ "No variable has been written yet." }</p>
                } else if session.program().source_file().is_some() {
                    <p class="empty">
                        { "Other variables of the source are not listed: the file does not say \
                           which registers of the program hold them." }
                    </p>
                }
            </div>
        </section>
    }
}

fn table_row(name: &str, ty: &str, value: &str, is_changed: bool) -> Html {
    html! {
        <tr>
            <th scope="row">{ name }</th>
            <td class="word">{ ty }</td>
            <td class="word" data-changed={is_changed.then_some("")}>{ value }</td>
        </tr>
    }
}
