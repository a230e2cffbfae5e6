use yew::prelude::*;

/// Column of a table.
pub(crate) struct Column {
    name: AttrValue,
    has_words: bool,
}

/// Column of numbers, which are aligned to the right.
pub(crate) fn numbers(name: impl Into<AttrValue>) -> Column {
    Column {
        name: name.into(),
        has_words: false,
    }
}

pub(crate) fn words(name: impl Into<AttrValue>) -> Column {
    Column {
        has_words: true,
        ..numbers(name)
    }
}

/// Dense table, with further classes.
pub(crate) fn table(
    class: &'static str,
    columns: impl IntoIterator<Item = Column>,
    rows: impl Iterator<Item = Html>,
) -> Html {
    let head = |Column { name, has_words }| {
        html! { <th scope="col" class={has_words.then_some("word")}>{ name }</th> }
    };
    html! {
        <table class={classes!("table", class)}>
            <thead><tr>{ for columns.into_iter().map(head) }</tr></thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}
