//! Entry point of the Web Worker that searches for outcomes and reads files.

fn main() {
    lanewise_web::search_worker::start();
}
