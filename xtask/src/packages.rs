//! Packages of `cargo xtask release` for editors and JavaScript: the extension for VS Code
//! and the npm package.

use crate::setup::{Tools, WASM};
use crate::shell::{cargo, program, root, run};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use zip::write::{SimpleFileOptions, ZipWriter};

const VERSION: &str = env!("CARGO_PKG_VERSION");

const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Reads a `package.json`, which has the version of the release.
fn manifest(folder: &Path) -> Result<Value> {
    let path = folder.join("package.json");
    let manifest: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
    ensure!(
        manifest["version"] == VERSION,
        "{}: the version is not {VERSION}",
        path.display()
    );
    Ok(manifest)
}

/// Packs the extension for VS Code.
pub(crate) fn extension(folder: &Path) -> Result<PathBuf> {
    let source = root().join("editors/vscode");
    let manifest = manifest(&source)?;
    let script = root().join("target/vscode-extension.js");
    run(program("node")
        .arg("node_modules/esbuild/bin/esbuild")
        .arg(source.join("src/extension.ts"))
        .args(["--bundle", "--platform=node", "--target=node20"])
        .args(["--format=cjs", "--external:vscode", "--log-level=warning"])
        .arg(format!("--outfile={}", script.display())))?;

    let path = folder.join(format!("lanewise-{VERSION}.vsix"));
    let mut zip = ZipWriter::new(fs::File::create(&path)?);
    // Without times, so that packages are reproducible.
    let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    let mut add = |name: &str, bytes: &[u8]| -> Result<()> {
        zip.start_file(name, options)?;
        Ok(zip.write_all(bytes)?)
    };
    add(
        "extension.vsixmanifest",
        vsix_manifest(&manifest)?.as_bytes(),
    )?;
    add("[Content_Types].xml", CONTENT_TYPES.as_bytes())?;
    add("extension/extension.js", &fs::read(script)?)?;
    for name in ["package.json", "README.md", "snippets.json"] {
        add(&format!("extension/{name}"), &fs::read(source.join(name))?)?;
    }
    for name in LICENSES {
        add(
            &format!("extension/{name}.txt"),
            &fs::read(root().join(name))?,
        )?;
    }
    zip.finish()?;
    Ok(path)
}

/// Types of the files of the extension, by their endings.
const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"#;

fn vsix_manifest(manifest: &Value) -> Result<String> {
    let field = |name: &str| -> Result<&str> {
        let text = manifest[name].as_str();
        text.with_context(|| format!("package.json does not have `{name}`"))
    };
    let categories = manifest["categories"].as_array().into_iter().flatten();
    let categories: Vec<&str> = categories.filter_map(Value::as_str).collect();
    let engine = manifest["engines"]["vscode"].as_str();
    Ok(format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{}" Version="{VERSION}" Publisher="{}"/>
    <DisplayName>{}</DisplayName>
    <Description xml:space="preserve">{}</Description>
    <Categories>{}</Categories>
    <License>extension/LICENSE-MIT.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{}"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"#,
        field("name")?,
        field("publisher")?,
        field("displayName")?,
        field("description")?,
        categories.join(","),
        engine.context("package.json does not have `engines`")?,
    ))
}

/// Builds the files of the npm package in a folder.
pub(crate) fn npm(tools: &Tools) -> Result<PathBuf> {
    let source = root().join("api/npm");
    manifest(&source)?;
    run(&mut cargo(&format!(
        "rustc --profile web -p lanewise-api --features javascript --target {WASM} --crate-type cdylib"
    )))?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let folder = target.join("npm");
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    run(tools
        .program("wasm-bindgen")
        .arg(target.join(WASM).join("web/lanewise_api.wasm"))
        .args(["--target", "web", "--no-typescript"])
        .args(["--out-name", "lanewise", "--out-dir"])
        .arg(&folder))?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    for name in LICENSES {
        fs::copy(root().join(name), folder.join(name))?;
    }
    Ok(folder)
}
