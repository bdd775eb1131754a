//! Builds the page of `web/` with Node.js into one file that the crate embeds; an empty file where that cannot be done.
//!
//! The page is built in a copy under the folder of the target, kept by the content of its sources, so that profiles share it and the
//! sources stay as they are.

use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the page is made of.
const SOURCES: [&str; 5] = ["package.json", "package-lock.json", "index.html", "build.mjs", "src"];
/// The oldest Node.js that the bundler runs on.
const NODE: u32 = 20;

fn main() {
    println!("cargo:rerun-if-env-changed=SUPPLE_WITHOUT_PAGE");
    println!("cargo:rerun-if-changed=build.rs");
    let web = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../web");
    SOURCES.iter().for_each(|name| println!("cargo:rerun-if-changed={}", web.join(name).display()));
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let page = match page(&web, &out) {
        Ok(page) => page,
        Err(reason) => {
            println!(
                "cargo:warning=reports will have no 3D view: {reason}. With Node.js {NODE} or later and the npm registry in reach, \
                 build again after `cargo clean -p supple-report`."
            );
            Vec::new()
        }
    };
    if let Err(error) = fs::write(out.join("page.html"), page) {
        println!("cargo:warning=cannot write the page: {error}");
    }
}

/// The page, or why there is none.
fn page(web: &Path, out: &Path) -> Result<Vec<u8>, String> {
    if env::var_os("SUPPLE_WITHOUT_PAGE").is_some_and(|value| value == "1") {
        return Err("SUPPLE_WITHOUT_PAGE is 1".into());
    }
    let mut files = Vec::new();
    for name in SOURCES {
        list(web, Path::new(name), &mut files).map_err(|error| format!("the sources of the page: {name}: {error}"))?;
    }
    files.sort();
    let mut key = 0xcbf2_9ce4_8422_2325;
    for name in &files {
        let content = fs::read(web.join(name)).map_err(|error| error.to_string())?;
        hash(name.to_string_lossy().as_bytes(), &mut key);
        hash(&content, &mut key);
    }
    let shared = shared_folder(out);
    let kept = shared.join(format!("page-{key:016x}.html"));
    if let Ok(page) = fs::read(&kept) {
        return Ok(page);
    }
    check_node()?;
    let place = out.join("web");
    copy(web, &place, &files).map_err(|error| format!("cannot copy the sources of the page: {error}"))?;
    npm(
        &place,
        &[
            "ci",
            "--omit=dev",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--fetch-retries=1",
            "--fetch-retry-mintimeout=1000",
        ],
    )?;
    npm(&place, &["run", "build"])?;
    let page = fs::read(place.join("dist/page.html")).map_err(|error| format!("the bundler wrote no page: {error}"))?;
    // What npm brought is of no further use. A cache that cannot be written costs time, nothing else.
    let _ = fs::remove_dir_all(&place);
    let fresh = out.join("page.new");
    let _ =
        fs::create_dir_all(&shared).and_then(|()| fs::write(&fresh, &page)).and_then(|()| fs::rename(&fresh, &kept));
    Ok(page)
}

/// A folder that all profiles share: `target/supple-page` for `target/PROFILE/build/CRATE/out`.
fn shared_folder(out: &Path) -> PathBuf {
    let build = out.ancestors().find(|path| path.file_name().is_some_and(|name| name == "build"));
    build.and_then(|build| build.parent()?.parent()).unwrap_or(out).join("supple-page")
}

/// Files below a name, relative to `root`.
fn list(root: &Path, name: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let path = root.join(name);
    if !path.is_dir() {
        fs::metadata(&path)?;
        files.push(name.to_path_buf());
        return Ok(());
    }
    for entry in fs::read_dir(&path)? {
        list(root, &name.join(entry?.file_name()), files)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path, files: &[PathBuf]) -> io::Result<()> {
    match fs::remove_dir_all(to) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    for name in files {
        let place = to.join(name);
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from.join(name), &place)?;
    }
    Ok(())
}

/// FNV-1a.
fn hash(bytes: &[u8], key: &mut u64) {
    bytes.iter().for_each(|byte| *key = (*key ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    *key = (*key ^ 0xff).wrapping_mul(0x0100_0000_01b3);
}

fn check_node() -> Result<(), String> {
    let told = Command::new("node").arg("--version").output().map_err(|_| "Node.js was not found".to_owned())?;
    let text = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    let major = text.trim_start_matches('v').split('.').next().and_then(|part| part.parse::<u32>().ok());
    if major.is_none_or(|major| major < NODE) { Err(format!("Node.js {text} is too old")) } else { Ok(()) }
}

fn npm(place: &Path, arguments: &[&str]) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(program).args(arguments).current_dir(place).output();
    let output = output.map_err(|error| format!("npm was not found ({error})"))?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    // The last lines of npm name a log file; what is wrong stands before them.
    let reasons = told.lines().filter(|line| line.contains("rror") && !line.contains("log of this run"));
    let line = reasons.map(str::trim).find(|line| line.len() > 12).unwrap_or("no reason given");
    Err(format!("`npm {}` failed: {line}", arguments[0]))
}
