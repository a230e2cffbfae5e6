//! Entry point of the Web Worker that searches for outcomes.

fn main() {
    lanewise_web::search_worker::start();
}
