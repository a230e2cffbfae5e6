//! Renders `docs/guide` to HTML pages with live scenarios.

mod generated;
mod html_text;

use crate::shell::root;
use anyhow::{Context, Result, bail, ensure};
use html_text::escape;
use lanewise_core::isa::SPECS;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};
use std::fs;
use std::path::Path;

const FOLDER: &str = "docs/guide";

/// Folders of files that pages link to and show.
const FILES: [&str; 2] = ["pictures", "kernels"];

/// Pixels of a picture per pixel of the page, as in `tests/browser/pictures.mjs`.
const PICTURE_SCALE: f64 = 1.5;

/// A page of the guide.
struct Page {
    /// File name without extension.
    file: String,
    /// Name in the list of pages.
    name: &'static str,
    /// Heading of the group that starts at this page; empty within a group.
    group: &'static str,
}

/// Pages in order: introduction, ideas, instructions, reference.
fn pages() -> Vec<Page> {
    let page = |(file, name, group): (&str, _, _)| Page {
        file: String::from(file),
        name,
        group,
    };
    let before = [
        ("index", "What Lanewise is", "Start"),
        ("first-steps", "First steps", ""),
        ("run-your-own-kernel", "Run your own kernel", ""),
        ("find-a-bug", "Find a bug in a kernel", ""),
        ("checks", "Find races and other defects", ""),
        ("compiler-bugs", "Is it my kernel or the compiler?", ""),
        ("run-your-own-cuda-kernel", "Run your own CUDA kernel", ""),
        ("editors", "Editors and agents", ""),
        ("programs", "How a program runs", "Ideas"),
        ("channel-enable", "Active lanes", ""),
        ("regions", "Regions", ""),
        ("memory-messages", "Memory messages", ""),
        ("serialised-atomics", "Lane conflicts and serialization", ""),
        ("fused-eus", "Fused EUs: sharing Src2", ""),
        ("divergence", "Divergence: how warps split", ""),
        ("vector-instructions", "Vector instructions", "Instructions"),
    ];
    let instructions = SPECS.iter().map(|spec| Page {
        file: spec.name.to_ascii_lowercase().replace('_', "-"),
        name: spec.name,
        group: "",
    });
    let after = [
        ("files", "Open compiler output", "Reference"),
        ("contradictions", "Contradictions", ""),
        ("evidence", "How Lanewise is tested", ""),
        ("embedding", "Embed scenarios", ""),
        ("checking", "Check scenarios in CI", ""),
    ];
    let before = before.into_iter().map(page);
    before
        .chain(instructions)
        .chain(after.into_iter().map(page))
        .collect()
}

/// Writes all pages and their shared files.
pub(crate) fn write(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let sheets = ["tokens", "common", "guide", "news"];
    let sheets = sheets.map(|name| read(&format!("web/style/{name}.css")));
    let css = sheets.into_iter().collect::<Result<Vec<_>>>()?.join("\n");
    fs::write(folder.join("guide.css"), css)?;
    for (from, to) in [("web/guide.js", "guide.js"), ("web/icon.svg", "icon.svg")] {
        fs::write(folder.join(to), read(from)?)?;
    }
    for name in FILES {
        copy(&root().join(FOLDER).join(name), &folder.join(name))?;
    }
    let pages = pages();
    for (at, Page { file, .. }) in pages.iter().enumerate() {
        let source = read(&format!("{FOLDER}/{file}.md"))?;
        let page = page(&pages, at, &source).with_context(|| format!("{file}.md"))?;
        fs::write(folder.join(format!("{file}.html")), page)?;
    }
    let listed = fs::read_dir(root().join(FOLDER))?.flatten();
    let listed = listed.filter(|entry| entry.path().extension().is_some_and(|e| e == "md"));
    if listed.count() != pages.len() {
        bail!("{FOLDER} has a page that is not in the list in xtask/src/guide.rs");
    }
    Ok(())
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

fn read(path: &str) -> Result<String> {
    fs::read_to_string(root().join(path)).with_context(|| format!("cannot read {path}"))
}

/// Renders a page.
fn page(pages: &[Page], at: usize, source: &str) -> Result<String> {
    let title = source
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("# "))
        .context("a page must start with a title")?;
    let article = article(source)?;
    let link = |to: Option<&Page>, word: &str, class: &str| match to {
        Some(Page { file, name, .. }) => format!(
            "<a class=\"{class}\" href=\"./{file}.html\"><span>{word}</span>{}</a>",
            escape(name)
        ),
        None => String::new(),
    };
    let before = at.checked_sub(1).and_then(|at| pages.get(at));
    let around = format!(
        "{}{}",
        link(before, "Previous", "before"),
        link(pages.get(at + 1), "Next", "next")
    );
    Ok(include_str!("guide/page.html")
        .replace("{title}", &escape(title))
        .replace("{pages}", &list_of_pages(pages, at))
        .replace("{around}", &around)
        .replace("{article}", &article))
}

fn list_of_pages(pages: &[Page], current: usize) -> String {
    let mut list = String::new();
    for (at, Page { file, name, group }) in pages.iter().enumerate() {
        if !group.is_empty() {
            if at > 0 {
                list += "</ul>\n";
            }
            list += &format!("<h2>{}</h2>\n<ul>\n", escape(group));
        }
        let here = if at == current {
            " aria-current=\"page\""
        } else {
            ""
        };
        list += &format!(
            "<li><a href=\"./{file}.html\"{here}>{}</a></li>\n",
            escape(name)
        );
    }
    list + "</ul>"
}

/// Renders the Markdown of a page.
fn article(source: &str) -> Result<String> {
    let source = generated::filled(source)?;
    let options = Options::ENABLE_TABLES;
    let mut events = Vec::new();
    let mut block: Option<(String, String)> = None;
    let mut heading: Option<String> = None;
    let mut picture: Option<(String, String)> = None;
    let mut ids: Vec<String> = Vec::new();
    for event in Parser::new_ext(&source, options) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                block = Some((info, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                let (info, text) = block.take().unwrap_or_default();
                events.push(Event::Html(code(&info, &text).into()));
            }
            Event::Text(text) if block.is_some() => {
                if let Some((_, code)) = &mut block {
                    code.push_str(&text);
                }
            }
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some(String::new());
                // The ID is known at the end of the heading.
                events.push(Event::Html(format!("<{level} id=\"{{heading}}\">").into()));
            }
            Event::End(TagEnd::Heading(level)) => {
                let name = unique(slug(&heading.take().unwrap_or_default()), &mut ids);
                let start = events.iter().rposition(
                    |event| matches!(event, Event::Html(html) if html.contains("{heading}")),
                );
                if let Some(Event::Html(html)) = start.and_then(|start| events.get_mut(start)) {
                    *html = html.replace("{heading}", &name).into();
                }
                events.push(Event::Html(format!("</{level}>\n").into()));
            }
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => events.push(Event::Start(Tag::Link {
                link_type,
                dest_url: address(&dest_url),
                title,
                id,
            })),
            Event::Start(Tag::Image { dest_url, .. }) => {
                picture = Some((dest_url.to_string(), String::new()))
            }
            Event::End(TagEnd::Image) => {
                let (url, alt) = picture.take().context("an image has no start")?;
                events.push(Event::InlineHtml(image(&url, &alt)?.into()));
            }
            Event::Text(text) if picture.is_some() => {
                if let Some((_, alt)) = &mut picture {
                    alt.push_str(&text);
                }
            }
            Event::Start(table @ Tag::Table(_)) => {
                let open =
                    "<div class=\"scroller\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">";
                events.push(Event::Html(open.into()));
                events.push(Event::Start(table));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html("</div>".into()));
            }
            // Omit assertions, which are for tests only.
            Event::Html(html) if html.trim_start().starts_with("<!--") => {}
            event => {
                if let (Some(name), Event::Text(text) | Event::Code(text)) = (&mut heading, &event)
                {
                    name.push_str(text);
                }
                events.push(event);
            }
        }
    }
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    Ok(out)
}

/// Renders a code block; a scenario becomes a `<lanewise-scenario>` element with the
/// attributes of the fence.
fn code(info: &str, text: &str) -> String {
    let (language, attributes) = info.split_once(' ').unwrap_or((info, ""));
    let code = format!(
        "<pre tabindex=\"0\"><code class=\"language-{}\">{}</code></pre>",
        escape(language),
        escape(text)
    );
    // "Run it" starts a run, unless the scenario is a figure at a fixed step.
    let run = match attribute_names(attributes).any(|name| ["step", "autoload"].contains(&name)) {
        true => "",
        false => " run",
    };
    match language {
        "lanewise" => format!("<lanewise-scenario {attributes}{run}>{code}</lanewise-scenario>\n"),
        _ => format!("{code}\n"),
    }
}

/// Renders a picture. It has its size, so that the page does not move when the picture
/// arrives.
fn image(url: &str, alt: &str) -> Result<String> {
    let png = fs::read(root().join(FOLDER).join(url)).with_context(|| format!("picture {url}"))?;
    ensure!(png.starts_with(b"\x89PNG"), "{url} is not a PNG file");
    // The first chunk starts with the width and the height.
    let size = |at: usize| -> Option<f64> {
        let bytes = png.get(at..at + 4)?.try_into().ok()?;
        Some((f64::from(u32::from_be_bytes(bytes)) / PICTURE_SCALE).round())
    };
    let (width, height) = size(16)
        .zip(size(20))
        .context("a PNG file without a size")?;
    Ok(format!(
        "<img src=\"{url}\" alt=\"{}\" width=\"{width}\" height=\"{height}\" loading=\"lazy\" \
         decoding=\"async\">",
        escape(alt).replace('"', "&quot;")
    ))
}

/// Names of HTML attributes, such as those in `a b=1 c="d e"`.
fn attribute_names(attributes: &str) -> impl Iterator<Item = &str> {
    let mut rest = attributes.trim_start();
    std::iter::from_fn(move || {
        let end = rest
            .find(|c: char| c == '=' || c.is_whitespace())
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let value = after.strip_prefix('=');
        let after_value = value.map(|value| match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                value[1..].split_once(quote).map_or("", |(_, after)| after)
            }
            _ => value.trim_start_matches(|c: char| !c.is_whitespace()),
        });
        rest = after_value.unwrap_or(after).trim_start();
        (!name.is_empty()).then_some(name)
    })
}

/// Maps links between Markdown files to links between pages.
fn address(url: &str) -> CowStr<'static> {
    match url.split_once(".md") {
        Some((page, rest)) if !url.contains("://") => format!("./{page}.html{rest}").into(),
        _ => String::from(url).into(),
    }
}

/// Converts a heading to an ID.
fn slug(heading: &str) -> String {
    let sign = |c: char| match c {
        ' ' | '-' => Some('-'),
        c if c.is_alphanumeric() || c == '_' => Some(c.to_ascii_lowercase()),
        _ => None,
    };
    heading.chars().filter_map(sign).collect()
}

/// Makes an ID unique by appending a number.
fn unique(slug: String, taken: &mut Vec<String>) -> String {
    let numbered = (1..).map(|number| format!("{slug}-{number}"));
    let mut names = [slug.clone()].into_iter().chain(numbered);
    let name = names.find(|name| !taken.contains(name)).unwrap_or(slug);
    taken.push(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Size limit of a picture in bytes.
    const MAX_PICTURE: u64 = 80_000;

    #[test]
    fn a_page_is_rendered() {
        let html = article("# A `b` c\n\n[x](dpasw.md#y) [z](https://a.md/)\n\n```lanewise panes=\"slm\"\nif a < b\n```\n\n<!-- ends: x = 1 -->\n").unwrap();
        for piece in [
            "<h1 id=\"a-b-c\">A <code>b</code> c</h1>",
            "href=\"./dpasw.html#y\"",
            "href=\"https://a.md/\"",
            "<lanewise-scenario panes=\"slm\" run><pre tabindex=\"0\"><code class=\"language-lanewise\">if a &lt; b\n</code></pre></lanewise-scenario>",
        ] {
            assert!(html.contains(piece), "{piece} in {html}");
        }
        assert!(!html.contains("ends:"), "{html}");
    }

    /// "Run it" does not start a run for figures at a fixed step.
    #[test]
    fn figures_do_not_run() {
        for attributes in ["panes=\"slm\" step=3", "autoload"] {
            let html = article(&format!("```lanewise {attributes}\nx\n```\n")).unwrap();
            let open = format!("<lanewise-scenario {attributes}><pre");
            assert!(html.contains(&open), "{open} in {html}");
        }
        // A word in a value is not an attribute.
        let html = article("```lanewise title=\"one step\" panes=slm\nx\n```\n").unwrap();
        assert!(html.contains("panes=slm run><pre"), "{html}");
    }

    #[test]
    fn pictures_have_their_size_and_are_small() {
        let mut names: Vec<String> = fs::read_dir(root().join(FOLDER).join("pictures"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let sources = pages()
            .into_iter()
            .map(|page| read(&format!("{FOLDER}/{}.md", page.file)));
        let sources: String = sources.map(Result::unwrap).collect();
        for name in names {
            let url = format!("pictures/{name}");
            assert!(sources.contains(&format!("]({url})")), "{url} is not used");
            let bytes = fs::metadata(root().join(FOLDER).join(&url)).unwrap().len();
            assert!(bytes <= MAX_PICTURE, "{url} has {bytes} bytes");
        }
        let html = article("# A\n\n![a \"b\" < c](pictures/05-finding.png)\n").unwrap();
        assert!(
            html.contains(" alt=\"a &quot;b&quot; &lt; c\" width=\"700\" height=\""),
            "{html}"
        );
        assert!(article("# A\n\n![a](pictures/none.png)\n").is_err());
        assert!(article("# A\n\n![a](index.md)\n").is_err());
    }

    #[test]
    fn heading_ids_are_unique() {
        let html = article("# A\n\n## B\n\n## B\n\n## B-1\n\n## B\n").unwrap();
        let ids: Vec<&str> = ids(&html).collect();
        assert_eq!(ids, ["a", "b", "b-1", "b-1-1", "b-2"]);
    }

    /// IDs on a page.
    fn ids(html: &str) -> impl Iterator<Item = &str> {
        html.split(" id=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
    }

    /// Broken links of a page.
    fn dangling<'a>(page: &'a str, all: &[(String, String)]) -> Vec<&'a str> {
        let links = page.split("href=\"").skip(1);
        let links = links.filter_map(|rest| rest.split('"').next());
        let leads = |link: &str| {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let other = match file.strip_prefix("./") {
                Some("guide.css" | "icon.svg") => return true,
                Some(file) => match all.iter().find(|(name, _)| name == file) {
                    Some((_, other)) => other,
                    None => return false,
                },
                None if file.is_empty() => page,
                None => return true,
            };
            anchor.is_empty() || ids(other).any(|id| id == anchor)
        };
        links.filter(|link| !leads(link)).collect()
    }

    #[test]
    fn pages_render_without_broken_links() {
        let pages = pages();
        let made = |(at, Page { file, .. }): (usize, &Page)| {
            let source = read(&format!("{FOLDER}/{file}.md")).unwrap();
            (format!("{file}.html"), page(&pages, at, &source).unwrap())
        };
        let all: Vec<(String, String)> = pages.iter().enumerate().map(made).collect();
        for (file, page) in &all {
            assert_eq!(dangling(page, &all), [""; 0], "{file}");
        }
        let html = "<a href=\"./dpasw.html#dpasw\"><a href=\"#here\"><p id=\"here\">\
            <a href=\"#gone\"><a href=\"./dpasw.html#gone\"><a href=\"./gone.html\">";
        let gone = ["#gone", "./dpasw.html#gone", "./gone.html"];
        assert_eq!(dangling(html, &all), gone);
    }
}
