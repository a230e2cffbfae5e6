//! Features of the page, each with a model, actions with their reducer, and a
//! view.

pub(crate) mod checks;
pub(crate) mod embed;
pub(crate) mod encoding;
pub(crate) mod explain;
pub(crate) mod files;
pub(crate) mod help;
pub(crate) mod highlight;
pub(crate) mod items;
pub(crate) mod lanes;
pub(crate) mod launch;
pub(crate) mod notice;
pub(crate) mod outcomes;
pub(crate) mod output;
pub(crate) mod picker;
pub(crate) mod player;
pub(crate) mod program;
pub(crate) mod screen;
pub(crate) mod served;
pub(crate) mod share;
pub(crate) mod stage;
pub(crate) mod state;
pub(crate) mod threads;
pub(crate) mod transport;
