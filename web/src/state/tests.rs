//! The reducer without a browser.
