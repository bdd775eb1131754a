//! Pages of the libraries, by `cargo doc`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::folder;
use crate::page::root;

/// Leads to the page of the engine.
const INDEX: &str = r#"<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=supple/index.html">
<title>Libraries of Supple</title>
<p><a href="supple/index.html">The engine</a></p>
</html>
"#;

/// Builds the pages of all libraries into a folder.
pub fn build(to: &Path) -> Result<(), String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["doc", "--workspace", "--no-deps", "--lib"];
    let status = Command::new(cargo).args(arguments).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("cargo doc ended with {status}")),
        Err(error) => return Err(format!("cargo doc: {error}")),
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    folder::copy(&target.join("doc"), to, &|_| true)?;
    fs::write(to.join("index.html"), INDEX).map_err(|error| format!("{}: {error}", to.display()))
}
