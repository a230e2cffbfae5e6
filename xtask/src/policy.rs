//! The Content Security Policy of the built page and guide. Every page carries
//! it in a `<meta>`; a host may send the same as a header.
//!
//! Nothing is inline: Trunk's script that starts the wasm becomes a file, and a
//! page with another inline script, style or handler is an error.

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// What the page may load and do, without the nonce of its style sheet.
///
/// CodeMirror adds its rules to a `<style>` of its own, which a policy allows
/// by a nonce only. In static files the nonce is the same for each visit, so it
/// does not protect against foreign styles; foreign scripts stay forbidden.
const POLICY: [(&str, &str); 11] = [
    ("default-src", "'none'"),
    ("script-src", "'self' 'wasm-unsafe-eval'"),
    ("style-src", "'self' 'nonce-{nonce}'"),
    // A picture of the stage is drawn from a blob before it is saved.
    ("img-src", "'self' data: blob:"),
    ("connect-src", "'self' blob:"),
    // The page fetches the worker's files itself and starts it from them.
    ("worker-src", "'self' blob:"),
    // The guide shows players.
    ("frame-src", "'self'"),
    ("base-uri", "'none'"),
    ("form-action", "'none'"),
    ("require-trusted-types-for", "'script'"),
    // `web/trusted.js` has the one policy.
    ("trusted-types", "default"),
];

/// Writes the policy into every page below a folder.
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

/// A page with its policy, and the scripts that were inline in it, by name.
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
            "the page has `{inline}`, which its policy forbids"
        );
    }
    let nonce = hash(&html);
    let meta = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
        directives(&nonce, "; ")
    );
    let head = html.find("<head>").context("a page has a head")? + "<head>".len();
    html.insert_str(head, &format!("\n    {meta}"));
    let html = html.replacen(
        "<link rel=\"stylesheet\"",
        &format!("<link rel=\"stylesheet\" nonce=\"{nonce}\""),
        1,
    );
    Ok((html, scripts))
}

/// The directives of the policy, with this nonce.
fn directives(nonce: &str, separator: &str) -> String {
    let all = POLICY.map(|(name, sources)| format!("{name} {}", sources.replace("{nonce}", nonce)));
    all.join(separator)
}

/// The policy as a host may send it, with `NONCE` in place of the page's: a
/// block of Markdown, with line breaks that a header does not have.
pub(crate) fn markdown() -> String {
    format!(
        "```\nContent-Security-Policy:\n  {};\n  frame-ancestors 'self'\n```\n",
        directives("NONCE", ";\n  ")
    )
}

/// Moves scripts without `src` to files.
fn without_inline_scripts(html: &str) -> Result<(String, Vec<(String, String)>)> {
    let mut out = String::new();
    let mut scripts = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find("<script") {
        let (before, script) = rest.split_at(at);
        let (tag, body) = script.split_once('>').context("a tag ends")?;
        let Some((body, after)) = body.split_once("</script>") else {
            bail!("a script does not end");
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

/// The first 16 digits of a text's SHA-256.
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
