//! Files of the built page: from this program or from a folder.

use crate::CliError;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// The page that `cargo xtask dist` has built.
#[cfg(feature = "page")]
#[derive(rust_embed::RustEmbed)]
#[folder = "../dist"]
struct Embedded;

#[cfg(feature = "page")]
fn embedded(name: &str) -> Option<Cow<'static, [u8]>> {
    Embedded::get(name).map(|file| file.data)
}

#[cfg(not(feature = "page"))]
fn embedded(_: &str) -> Option<Cow<'static, [u8]>> {
    None
}

const START: &str = "index.html";

/// Script that connects the page to this server.
const SCRIPT: &str = include_str!("served.js");

/// Address of the script, relative to the page.
const SCRIPT_NAME: &str = "served.js";

/// Files that are not served: offline copies belong to hosted pages.
const HOSTED_ONLY: [&str; 2] = ["sw.js", "offline.js"];

/// Types by extension.
const TYPES: [(&str, &str); 9] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json; charset=utf-8"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("woff2", "font/woff2"),
];

/// A file with its type.
pub(super) struct Asset {
    pub(super) bytes: Cow<'static, [u8]>,
    pub(super) content_type: &'static str,
}

pub(super) struct Page {
    /// Folder of the page, in place of the embedded one.
    folder: Option<PathBuf>,
}

impl Page {
    pub(super) fn new(folder: Option<&Path>) -> Result<Self, CliError> {
        let page = Self {
            folder: folder.map(Path::to_owned),
        };
        if page.file(START).is_some() {
            return Ok(page);
        }
        Err(CliError(match folder {
            Some(folder) => format!(
                "{}: no page here; take the folder of the archive lanewise-{}-site.tar.gz, or \
                 the folder `dist` that `cargo xtask dist` builds",
                folder.display(),
                env!("CARGO_PKG_VERSION")
            ),
            None => String::from(
                "this build does not contain the page; install an archive of a release or build \
                 one with `cargo xtask release`, or name the folder of a built page with --page",
            ),
        }))
    }

    /// The file of an address below the page's folder; with the script that connects the page
    /// to this server, or without.
    pub(super) fn asset(&self, address: &str, connects: bool) -> Option<Asset> {
        let name = match address {
            folder if folder.is_empty() || folder.ends_with('/') => format!("{folder}{START}"),
            file => file.to_owned(),
        };
        if HOSTED_ONLY.contains(&&*name) {
            return None;
        }
        let bytes = match &*name {
            SCRIPT_NAME if connects => Cow::Borrowed(SCRIPT.as_bytes()),
            START => Cow::Owned(start_page(&self.file(START)?, connects)),
            name => self.file(name)?,
        };
        let extension = name.rsplit('.').next().unwrap_or("");
        let known = TYPES.iter().find(|(known, _)| *known == extension);
        let content_type = known.map_or("application/octet-stream", |(_, ty)| ty);
        Some(Asset {
            bytes,
            content_type,
        })
    }

    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        let Some(folder) = &self.folder else {
            return embedded(name);
        };
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if name.contains(['\\', ':', '\0']) || !Path::new(name).components().all(is_plain) {
            return None;
        }
        // A link may lead out of the folder.
        let path = folder.join(name).canonicalize().ok()?;
        let is_inside = path.starts_with(folder.canonicalize().ok()?);
        let bytes = is_inside.then(|| std::fs::read(path).ok())?;
        bytes.map(Cow::Owned)
    }
}

/// The start page without the parts for offline copies, and with the script if it `connects`.
fn start_page(html: &[u8], connects: bool) -> Vec<u8> {
    let html = String::from_utf8_lossy(html);
    let is_hosted = |line: &str| {
        line.contains("<meta name=\"offline\"") || line.contains("src=\"./offline.js\"")
    };
    let lines = html.lines().filter(|line| !is_hosted(line));
    let html: String = lines.flat_map(|line| [line, "\n"]).collect();
    if !connects {
        return html.into_bytes();
    }
    let script = format!("<script src=\"./{SCRIPT_NAME}\"></script>");
    // After boot.js, which it extends, and before the deferred scripts.
    html.replacen("</body>", &format!("{script}</body>"), 1)
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_files_of_the_folder_are_served() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("page");
        std::fs::create_dir_all(inner.join("guide")).expect("a folder");
        std::fs::write(folder.path().join("secret.txt"), "secret").expect("a file");
        std::fs::write(inner.join("guide/index.html"), "guide").expect("a file");
        assert!(Page::new(Some(&inner)).is_err());
        let start = "<meta name=\"offline\" content=\"./sw.js\">\n<body>\n</body>";
        std::fs::write(inner.join("index.html"), start).expect("a file");
        std::fs::write(inner.join("sw.js"), "").expect("a file");
        let page = Page::new(Some(&inner)).ok().expect("there is a page");
        let text_of = |address: &str, connects| {
            let asset = page.asset(address, connects)?;
            Some(String::from_utf8(asset.bytes.into_owned()).expect("a text"))
        };
        let text = |address: &str| text_of(address, true);
        assert_eq!(text("guide/").as_deref(), Some("guide"));
        let plain = text_of("index.html", false);
        assert_eq!(plain.as_deref(), Some("<body>\n</body>\n"));
        assert_eq!(text_of("served.js", false), None);
        let connected = "<body>\n<script src=\"./served.js\"></script></body>\n";
        assert_eq!(text("").as_deref(), Some(connected));
        assert_eq!(text("sw.js"), None);
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path().join("secret.txt"), inner.join("link.txt"))
            .expect("a link");
        for address in [
            "../secret.txt",
            "guide/../../secret.txt",
            "/etc/passwd",
            "..\\secret.txt",
            "guide",
            "link.txt",
            "none.txt",
        ] {
            assert_eq!(text(address), None, "{address}");
        }
    }
}
