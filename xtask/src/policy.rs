//! Content Security Policy of the page and the guide. Each page has it in a
//! `<meta>` element; a host may also send it as a header.
//!
//! Inline scripts, styles and handlers are errors, except for Trunk's script that
//! starts the WebAssembly, which is moved to a file.

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// Directives, with a placeholder for the nonce.
///
/// CodeMirror creates a `<style>` element, which requires a nonce. The nonce of a
/// static file is the same for each visit, so it does not protect against injected
/// styles; injected scripts are still blocked.
const POLICY: [(&str, &str); 11] = [
    ("default-src", "'none'"),
    ("script-src", "'self' 'wasm-unsafe-eval'"),
    ("style-src", "'self' 'nonce-{nonce}'"),
    // Exporting the stage as PNG loads it from a blob.
    ("img-src", "'self' data: blob:"),
    ("connect-src", "'self' blob:"),
    // The page fetches the worker's files and starts it from a blob.
    ("worker-src", "'self' blob:"),
    // The guide embeds players.
    ("frame-src", "'self'"),
    ("base-uri", "'none'"),
    ("form-action", "'none'"),
    ("require-trusted-types-for", "'script'"),
    // Defined in `web/trusted.js`.
    ("trusted-types", "default"),
];

/// Adds the policy to all pages in a folder.
pub(crate) fn write(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            write(&path)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            let html = fs::read_to_string(&path)?;
            let (html, scripts) = guarded(&html).with_context(|| format!("{}", path.display()))?;
            for (name, script) in scripts {
                fs::write(folder.join(name), script)?;
            }
            fs::write(&path, html)?;
        }
    }
    Ok(())
}

/// Returns a page with the policy, and its formerly inline scripts by file name.
fn guarded(html: &str) -> Result<(String, Vec<(String, String)>)> {
    let (mut html, scripts) = without_inline_scripts(html)?;
    for inline in [
        "<style",
        " style=\"",
        " onclick=",
        " onload=",
        "javascript:",
    ] {
        ensure!(
            !html.contains(inline),
            "the page contains `{inline}`, which the policy forbids"
        );
    }
    let nonce = hash(&html);
    let meta = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
        directives(&nonce, "; ")
    );
    let head = html
        .find("<head>")
        .context("the page does not have a head")?
        + "<head>".len();
    html.insert_str(head, &format!("\n    {meta}"));
    let html = html.replacen(
        "<link rel=\"stylesheet\"",
        &format!("<link rel=\"stylesheet\" nonce=\"{nonce}\""),
        1,
    );
    Ok((html, scripts))
}

fn directives(nonce: &str, separator: &str) -> String {
    let all = POLICY.map(|(name, sources)| format!("{name} {}", sources.replace("{nonce}", nonce)));
    all.join(separator)
}

/// Markdown block with the policy as a header, with the placeholder `NONCE` and
/// line breaks for readability.
pub(crate) fn markdown() -> String {
    format!(
        "```\nContent-Security-Policy:\n  {};\n  frame-ancestors 'self'\n```\n",
        directives("NONCE", ";\n  ")
    )
}

/// Moves inline scripts to files.
fn without_inline_scripts(html: &str) -> Result<(String, Vec<(String, String)>)> {
    let mut out = String::new();
    let mut scripts = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find("<script") {
        let (before, script) = rest.split_at(at);
        let (tag, body) = script.split_once('>').context("unterminated tag")?;
        let Some((body, after)) = body.split_once("</script>") else {
            bail!("unterminated script");
        };
        out += before;
        if tag.contains(" src=") {
            out += &format!("{tag}>{body}</script>");
        } else {
            let name = format!("start-{}.js", hash(body));
            out += &format!("{tag} src=\"./{name}\"></script>");
            scripts.push((name, body.trim_start().to_owned()));
        }
        rest = after;
    }
    Ok((out + rest, scripts))
}

/// First 16 digits of the SHA-256 of a text.
fn hash(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><head><link rel=\"stylesheet\" href=\"a.css\">\
        <script src=\"b.js\"></script><script type=\"module\">\nstart()</script></head></html>";

    #[test]
    fn a_page_gets_its_policy_and_no_inline_script() {
        let (html, scripts) = guarded(PAGE).unwrap();
        let [(name, script)] = scripts.as_slice() else {
            panic!("{scripts:?}");
        };
        assert_eq!(script, "start()");
        assert!(html.contains(&format!(
            "<script type=\"module\" src=\"./{name}\"></script>"
        )));
        assert!(html.contains("<script src=\"b.js\"></script>"));
        let nonce = html
            .split("nonce-")
            .nth(1)
            .and_then(|rest| rest.split('\'').next());
        let nonce = nonce.expect("the policy has a nonce");
        assert!(html.contains(&format!("<link rel=\"stylesheet\" nonce=\"{nonce}\"")));
        assert!(!html.contains("unsafe-inline"), "{html}");
    }

    #[test]
    fn what_the_policy_would_stop_is_an_error() {
        for inline in [
            "<style>p{}</style>",
            "<p style=\"top:0\">",
            "<p onclick=\"f()\">",
        ] {
            assert!(guarded(&format!("{PAGE}{inline}")).is_err(), "{inline}");
        }
    }
}
